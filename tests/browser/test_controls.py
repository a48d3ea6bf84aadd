"""The page as people use it: search, keys, small screens and fingers, light and dark, scale bar, following a body."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
from granum.view.page.export import write_html
from granum.view.stage import Stage

EXAMPLES = Path(__file__).parents[2] / "examples"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
UNITS = {"km": 1e3, "m": 1.0, "cm": 1e-2, "mm": 1e-3, "µm": 1e-6}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder, made = tmp_path_factory.mktemp("used"), {}
    for name, until in {"slider-crank": 0.5, "hopper": 0.2, "bricard": 0.5}.items():
        made[name] = folder / f"{name}.h5"
        gr.simulate(gr.load(EXAMPLES / f"{name}.toml"), until=until, output=made[name])
    return made


@pytest.fixture
def hopper(look: Any, runs: dict[str, Path], serve: Any) -> Any:
    with serve(runs["hopper"]) as address:
        look.open(address)
        look.settle(0)
        yield look


def test_search_finds_selects_and_follows(hopper: Any, runs: dict[str, Path]) -> None:
    look, run = hopper, gr.open_run(runs["hopper"])
    look.page.keyboard.press("/")
    look.page.keyboard.type("grains-12")
    look.page.wait_for_selector("#found [role=option]")
    found = [text.split("\n")[0] for text in look.page.locator("#found [role=option]").all_inner_texts()]
    assert found[0] == "grains-12"
    assert set(found) == {name for name in run.body_names if name.startswith("grains-12")}
    assert look.page.locator("#find").get_attribute("aria-activedescendant") == "found-0"
    look.page.keyboard.press("ArrowDown")
    look.page.keyboard.press("Enter")
    look.page.wait_for_function("() => granum.chosen && element('about-name').textContent === granum.chosen.name")
    chosen = found[1]
    assert look.page.inner_text("#about-name") == chosen == look.page.inner_text("#halo-name")
    look.settle()
    look.page.locator("#follow").check()
    last = len(run.t) - 1
    look.page.locator("#time").fill(str(last))
    look.settle(last)
    ring, canvas = (look.page.locator(where).bounding_box() for where in ("#halo", "#scene"))
    x, _ = look.pixel(*run.position(chosen)[last], 0.0)
    assert abs(ring["x"] + 0.5 * ring["width"] - canvas["x"] - x) < 1.0
    target = look.state("granum.stage.controls.target.toArray()")
    assert np.allclose(target[:2], run.position(chosen)[last], atol=1e-6)
    look.page.locator("#path").check()
    look.page.wait_for_function("() => granum.stage.path.count > 0")
    look.settle()
    look.picture("followed")
    look.page.locator("#scene").focus()
    look.page.keyboard.press("Escape")
    assert look.state("granum.chosen") is None


def test_search_for_nobody(hopper: Any) -> None:
    hopper.page.locator("#find").fill("nobody")
    hopper.page.wait_for_selector("#found li")
    assert hopper.page.inner_text("#found") == "No match"


def test_the_exported_page_names_bodies_as_the_run_does(look: Any, runs: dict[str, Path], tmp_path: Path) -> None:
    run = gr.open_run(runs["hopper"])
    look.open(write_html(Stage(run), tmp_path / "hopper.html").as_uri())
    look.settle(0)
    look.page.locator("#find").fill("grains-77")
    look.page.wait_for_selector("#found [role=option]")
    look.page.keyboard.press("Enter")
    look.page.wait_for_function("() => granum.chosen && element('about-name').textContent === granum.chosen.name")
    assert look.page.inner_text("#about-name") == "grains-77"
    shown = [float(number) for number in re.findall(r"\((.*), (.*)\) m\b", look.page.inner_text("#about-table"))[0]]
    assert np.allclose(shown, run.position("grains-77")[0], atol=2e-4)
    look.page.locator("#path").check()
    look.page.wait_for_function("() => granum.stage.path.count > 0")


def test_keys(hopper: Any) -> None:
    look, press = hopper, hopper.page.keyboard.press
    look.page.locator("#scene").focus()
    for key, frame in {"ArrowRight": 1, "Shift+ArrowRight": 11, "ArrowLeft": 10, "End": 200, "Home": 0}.items():
        press(key)
        look.settle(min(frame, look.state("granum.player.last")))
    press("Space")
    look.page.wait_for_function("() => granum.player.playing && granum.player.k > 1")
    press("Space")
    assert look.state("granum.player.playing") is False
    before = look.state("granum.player.rate")
    press("+")
    assert look.state("granum.player.rate") > before
    assert look.page.locator("#speed option:checked").inner_text() == f"{look.state('granum.player.rate'):g}×"
    look.state("granum.stage.shift(new THREE.Vector3(0.1, 0, 0))")
    moved = look.state("granum.stage.camera.position.x")
    press("f")
    assert look.state("granum.stage.camera.position.x") != moved
    press("p")
    assert look.page.locator("#panel").is_hidden()
    press("p")
    press("?")
    assert look.page.locator("#help").is_visible()
    assert "play or pause" in look.page.inner_text("#help")
    press("Escape")
    assert look.page.locator("#help").is_hidden()


def test_focus_is_seen_and_everything_has_a_name(hopper: Any) -> None:
    """Tab goes through all controls: each has a name that can be read aloud and an outline."""
    look, seen = hopper, set()
    for _ in range(40):
        look.page.keyboard.press("Tab")
        tag, name, outline = look.state("""(() => {
            const e = document.activeElement, by = document.getElementById(e.getAttribute("aria-labelledby"));
            const name = e.getAttribute("aria-label") || by?.textContent || e.labels?.[0]?.textContent || e.textContent;
            const seen = getComputedStyle(e.closest(".lil-option")?.querySelector(".lil-display") ?? e);
            return [e.id || e.className || e.tagName, name.trim(), seen.outlineStyle !== "none"]; })()""")
        seen.add(tag)
        if tag != "BODY":
            assert name and outline, (tag, name, outline)
    assert {"scene", "theme", "help-open", "panel-toggle", "find", "play", "time", "speed"} <= seen


def luminance(look: Any) -> float:
    """Of the background, from 0 to 255."""
    return float(np.mean(look.state("new THREE.Color(granum.theme.colours.paper).multiplyScalar(255).toArray()")))


@pytest.mark.parametrize("look", [{"color_scheme": "dark"}, {"color_scheme": "light"}], indirect=True, ids=str)
def test_dark_and_light_as_the_system_has_it(look: Any, runs: dict[str, Path], serve: Any) -> None:
    with serve(runs["slider-crank"]) as address:
        look.open(address)
        look.settle(0)
        dark = look.state("document.documentElement.dataset.theme") == "dark"
        assert dark == (luminance(look) < 60)
        look.picture("system")
        look.page.locator("#theme").click()
        assert look.page.locator("#theme").get_attribute("aria-pressed") == str(not dark).lower()
        assert dark != (luminance(look) < 60)
        look.settle()
        look.picture("toggled")


@pytest.mark.parametrize("name", ["hopper", "bricard"])
def test_the_scale_bar_is_as_long_as_it_says(look: Any, runs: dict[str, Path], serve: Any, name: str) -> None:
    """Two points as far apart as the bar says, about the centre of the view, are as many pixels apart as it is long."""
    with serve(runs[name]) as address:
        look.open(address)
        for zoom in (1.0, 3.7):
            look.state(f"(() => {{ const s = granum.stage, t = s.controls.target; if (s.flatly) s.camera.zoom = {zoom};"
                       f"else s.camera.position.sub(t).divideScalar({zoom}).add(t); s.camera.updateProjectionMatrix();"
                       "s.controls.update(); s.stale = true; })()")
            look.settle()
            number, unit = look.page.inner_text("#scale-label").split()
            width = look.page.locator("#scale-bar").bounding_box()["width"]
            right, target = (np.array(look.state(code)) for code in (
                "new THREE.Vector3().setFromMatrixColumn(granum.stage.camera.matrixWorld, 0).toArray()",
                "granum.stage.controls.target.toArray()"))
            half = 0.5 * float(number) * UNITS[unit] * right
            ends = [np.array(look.pixel(*end)) for end in (target - half, target + half)]
            assert abs(np.linalg.norm(ends[1] - ends[0]) - width) < 0.02 * width
            assert 40.0 < width < 120.0


@pytest.mark.parametrize("look", [PHONE], indirect=True, ids=["phone"])
@pytest.mark.parametrize("name", ["hopper", "bricard"])
def test_a_phone(look: Any, runs: dict[str, Path], serve: Any, name: str) -> None:
    """The panel is folded away, all controls are in reach and large enough, a tap selects, fingers move and zoom."""
    with serve(runs[name]) as address:
        look.open(address)
        look.settle(0)
        look.picture("folded")
        assert look.page.locator("#panel").is_hidden()
        for control in ("#play", "#time", "#speed", "#theme", "#help-open", "#panel-toggle"):
            box = look.page.locator(control).bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["y"] + box["height"] <= 844
            assert min(box["width"], box["height"]) >= (30 if control == "#time" else 40), control
        assert look.state("document.documentElement.scrollWidth") <= 390
        touches = look.page.context.new_cdp_session(look.page)

        def fingers(kind: str, *places: tuple[float, float]) -> None:
            touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
                {"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]})

        size, eye = look.state("granum.stage.pixelSize()"), look.state("granum.stage.camera.position.toArray()")
        fingers("touchStart", (150.0, 300.0), (240.0, 300.0))
        for step in range(1, 6):
            fingers("touchMove", (150.0 - 15.0 * step, 300.0), (240.0 + 15.0 * step, 300.0))
        fingers("touchEnd")
        look.page.wait_for_function(f"() => granum.stage.pixelSize() < {0.8 * size}")
        look.page.keyboard.press("f")
        fingers("touchStart", (195.0, 300.0))
        for step in range(1, 6):
            fingers("touchMove", (195.0 + 12.0 * step, 300.0))
        fingers("touchEnd")
        look.page.wait_for_timeout(100)
        assert not np.allclose(look.state("granum.stage.camera.position.toArray()"), eye)
        assert look.state("granum.chosen") is None  # a drag is no tap
        look.page.keyboard.press("f")
        look.settle()
        first = look.state("[granum.stage.frame.bodies[0], ...granum.stage.frame.positions.slice(0, 3)]")
        look.page.touchscreen.tap(*look.pixel(*first[1:]))
        look.page.wait_for_function("() => granum.chosen && granum.chosen.name")
        look.page.locator("#panel-toggle").tap()
        assert look.page.locator("#panel").is_visible()
        look.settle()
        look.picture("unfolded")


def test_springs_and_drives_are_drawn_and_answer(look: Any, runs: dict[str, Path], serve: Any) -> None:
    run = gr.open_run(runs["slider-crank"])
    stage, frame = Stage(run), len(run.t) - 1
    with serve(runs["slider-crank"]) as address:
        look.open(address)
        look.page.locator("#time").fill(str(frame))
        look.settle(frame)
        assert look.state("granum.stage.springs.count") > 10
        (ends,) = stage.spring_ends(frame)
        assert look.click(*look.pixel(*(0.3 * ends[1] + 0.7 * ends[0]))) == "gas"
        text = look.page.inner_text("#about-table")
        assert "400 N/m" in text and f"{np.linalg.norm(ends[1] - ends[0]):.4g} m" in text
        drive = next(k for k, solid in enumerate(stage.solids) if solid.name == "motor")
        mesh, pose = stage.solids[drive].mesh, stage.poses(frame)[drive]
        at = pose[:3] + mesh.vertices[mesh.faces[12]].mean(axis=0)
        assert look.click(*look.pixel(*at)) == "motor"
        assert f"{run.reaction('motor').effort[frame]:.4g} N m" in look.page.inner_text("#about-table")
        look.picture("motor")
