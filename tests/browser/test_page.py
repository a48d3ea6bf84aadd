"""The page in a real browser: it shows a run, plays it, paints it and answers clicks."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot as plt

import granum as gr
from granum.view.page.export import write_html
from granum.view.stage import Stage

HEAP = """
title = "Heap of disks <b>&</b> balls"
[material.glass]
friction = 0.4
restitution = 0.3
density = 2500.0
[boundary.box]
kind = "box"
lower = [0.0, 0.0{zero}]
upper = [0.2, {depth}0.4]
open = ["+{up}"]
[pattern.small]
kind = "grains"
count = {count}
radius = ["6 mm", "8 mm"]
region = {{ kind = "box", lower = [0.0, 0.0{zero}], upper = [0.2, {depth}0.3] }}
[pattern.large]
kind = "grains"
count = 8
radius = "12 mm"
region = {{ kind = "box", lower = [0.0, {low}0.3], upper = [0.2, {depth}0.4] }}
[load.gravity]
kind = "gravity"
acceleration = [0.0, {fall}-9.81]
[run]
until = 0.4
step = 1e-3
interval = 0.02
"""
PLANE = HEAP.format(zero="", depth="", up="y", count=80, low="", fall="")
SPACE = HEAP.format(zero=", 0.0", depth="0.1, ", up="z", count=150, low="0.0, ", fall="0.0, ")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Runs of a heap in the plane and in space, and of a linkage."""
    folder, made = tmp_path_factory.mktemp("runs"), {}
    linkage = (Path(__file__).parents[2] / "examples" / "slider-crank.toml").read_text()
    for name, text in {"plane": PLANE, "space": SPACE, "linkage": linkage}.items():
        (folder / f"{name}.toml").write_text(text)
        made[name] = folder / f"{name}.h5"
        gr.simulate(gr.load(folder / f"{name}.toml"), output=made[name])
    return made


@pytest.fixture(params=["plane", "space", "linkage"])
def served(request: pytest.FixtureRequest, runs: dict[str, Path], serve: Any) -> Iterator[tuple[str, gr.Run]]:
    with serve(runs[request.param]) as address:
        yield address, gr.open_run(runs[request.param])


def pixels(picture: bytes) -> Any:
    return plt.imread(io.BytesIO(picture))[..., :3]


def changed(first: bytes, second: bytes) -> float:
    """Part of the pixels that differ."""
    return float(np.mean(np.any(np.abs(pixels(first) - pixels(second)) > 0.02, axis=-1)))


def drawn(picture: bytes) -> float:
    """Part of the pixels that are not background."""
    shown = pixels(picture)
    return float(np.mean(np.any(np.abs(shown - shown[5, -5]) > 0.02, axis=-1)))


def test_slider_and_play(look: Any, served: tuple[str, gr.Run]) -> None:
    address, run = served
    look.open(address)
    look.settle(0)
    first = look.picture("first")
    assert drawn(first) > 0.005
    assert look.page.title() == run.scene.title
    slider = look.page.locator("#time")
    assert slider.get_attribute("max") == str(len(run.t) - 1)
    slider.fill(str(len(run.t) // 3))
    look.settle(len(run.t) // 3)
    assert changed(first, look.picture("later")) > 0.001
    assert f"{run.t[len(run.t) // 3]:#.4g} s" in look.page.inner_text("#clock")
    look.page.locator("#play").click()
    look.page.wait_for_function(f"() => granum.shown > {len(run.t) // 3} + 2", timeout=60_000)
    look.page.locator("#play").click()
    assert look.state("granum.player.playing") is False


@pytest.mark.parametrize("kind", ["plane", "space"])
def test_colours_and_chains(look: Any, runs: dict[str, Path], serve: Any, kind: str) -> None:
    with serve(runs[kind]) as address:
        look.open(address)
        look.page.locator("#time").fill("20")
        look.settle(20)
        before = look.picture("speed")
        for label in ("radius", "kind"):
            look.choose("colour by", label)
            look.page.wait_for_function("() => granum.paint.by === granum.settings.colour")
            look.settle()
            look.page.wait_for_timeout(300)
            after = look.picture(label)
            assert changed(before, after) > 0.005
            before = after
        assert look.page.locator("#legend-kinds li").all_inner_texts() == ["small", "large"]
        look.switch("force chains")
        look.page.wait_for_function("() => granum.stage.chains.count > 0")
        look.settle()
        look.page.wait_for_timeout(300)
        chained = look.picture("chains")
        assert changed(before, chained) > 0.005
        look.switch("force chains")
        look.page.wait_for_function("() => granum.stage.chains.count === 0")
        look.page.wait_for_timeout(300)
        assert changed(before, look.picture("plain")) < 0.001


@pytest.mark.parametrize("kind", ["plane", "space"])
def test_click_shows_numbers(look: Any, runs: dict[str, Path], serve: Any, kind: str) -> None:
    run = gr.open_run(runs[kind])
    with serve(runs[kind]) as address:
        look.open(address)
        look.page.locator("#time").fill("5")
        look.settle(5)
        # the ball that is nearest to the eye, where the camera sees it
        place = look.state("""(() => { const s = granum.stage, f = s.frame, c = s.camera; let best = [Infinity];
            for (let k = 0; k < f.radii.length; k++) { const p = new THREE.Vector3().fromArray(f.positions, 3 * k);
              const d = p.distanceTo(c.position) - f.radii[k]; if (d < best[0]) best = [d, k, p.project(c)]; }
            const e = document.getElementById("scene");
            return [best[1], (best[2].x + 1) / 2 * e.clientWidth, (1 - best[2].y) / 2 * e.clientHeight]; })()""")
        assert look.click(place[1], place[2]) == Stage(run).ball_name(5, int(place[0]))
        look.page.wait_for_selector("#about-table td")
        shown = run.frame(5)
        text = look.page.inner_text("#about")
        k = int(place[0])
        numbers = [float(found) for found in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)]
        for wanted in (*shown.positions[k], shown.radii[k], float(np.linalg.norm(shown.velocities[k]))):
            assert any(abs(found - wanted) <= 1e-3 * abs(wanted) + 1e-6 for found in numbers), (wanted, text)
        look.picture("clicked")


def test_plot_follows_the_time(look: Any, runs: dict[str, Path], serve: Any) -> None:
    with serve(runs["plane"]) as address:
        look.open(address)
        plot = look.page.locator("#plot canvas").first
        before = plot.screenshot()
        look.page.locator("#time").fill("15")
        look.settle(15)
        look.page.wait_for_timeout(200)
        assert changed(before, plot.screenshot()) > 0.001
        look.page.locator("#plot .u-over").click(position={"x": 1, "y": 20})
        look.settle(0)


def test_reactions(look: Any, runs: dict[str, Path], serve: Any) -> None:
    with serve(runs["linkage"]) as address:
        look.open(address)
        look.page.locator("#time").fill("30")
        look.settle(30)
        assert look.state("granum.stage.arrows.count") > 0
        before = look.picture("arrows")
        look.switch("reaction forces")
        look.page.wait_for_function("() => granum.stage.arrows.count === 0")
        look.page.wait_for_timeout(300)
        assert changed(before, look.picture("no-arrows")) > 0.0005


@pytest.mark.parametrize("kind", ["plane", "space", "linkage"])
def test_one_file(look: Any, runs: dict[str, Path], tmp_path: Path, kind: str) -> None:
    """The exported page plays from disk with the network cut off, and shows what the run holds."""
    run = gr.open_run(runs[kind])
    file = write_html(Stage(run), tmp_path / "page.html")
    asked: list[str] = []
    look.page.on("request", lambda request: asked.append(request.url))
    look.page.context.set_offline(True)
    look.open(file.as_uri())
    look.settle(0)
    first = look.picture("first")
    assert drawn(first) > 0.005
    look.page.locator("#time").fill("8")
    look.settle(8)
    assert changed(first, look.picture("later")) > 0.001
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    positions = np.array(look.state("Array.from(granum.stage.frame.positions)")).reshape(-1, 3)
    exact = Stage(run).balls(8)
    assert np.abs(positions - exact.positions).max(initial=0.0) <= 0.01 * exact.radii.min(initial=1.0)


def test_live(look: Any, tmp_path: Path, serve: Any) -> None:
    """A scene is shown while it runs, and the page follows it to its end."""
    scene = tmp_path / "live.toml"
    # long enough to go on while the browser opens the page
    slow = PLANE.replace("until = 0.4", "until = 2.0").replace("step = 1e-3", "step = 4e-6")
    assert slow.count("4e-6") == 1
    scene.write_text(slow)
    with serve(scene) as address:
        look.open(address)
        seen = look.state("granum.player.times.length")
        look.page.wait_for_function(f"() => granum.player.times.length > {min(seen, 100)}", timeout=120_000)
        look.page.wait_for_function("() => document.getElementById('status').textContent === 'finished'",
                                    timeout=120_000)
        look.settle(100)
    assert gr.open_run(tmp_path / "live.h5").finished
