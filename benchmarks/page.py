"""`python -m benchmarks page`: the page in a browser beside viser's batched meshes, with the same moving spheres."""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from granum import Box, BoxRegion, Grains, Gravity, Material, RunSettings, Scene
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.run import Run, simulate

FRAMES, LOOK = 200, 8.0
"""Frames of the run, and seconds of watching it."""
_FLAGS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
          "--disable-background-networking", "--disable-component-update", "--disable-sync")
_PICTURES = """(seconds) => new Promise((done) => {
  let pictures = 0, last = null;
  const begin = performance.now();
  const next = () => {
    if (granum.shown !== last) { pictures++; last = granum.shown; }
    if (!granum.player.playing) granum.toggle();
    if (performance.now() - begin > 1000 * seconds) done(pictures / seconds); else requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})"""
"""New frames that were drawn, in a second."""
_CALLS = """(seconds) => new Promise((done) => {
  let pictures = 0;
  const begin = performance.now();
  const next = () => {
    pictures++;
    if (performance.now() - begin > 1000 * seconds) done(pictures / seconds); else requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})"""
"""Pictures of any kind in a second, more than the new ones."""


@dataclass(frozen=True)
class Watched:
    """How a page did with so many spheres."""

    program: str
    spheres: int
    opened: float
    """Seconds until the first picture."""
    pictures: float
    """New pictures in a second while the spheres move."""


@dataclass(frozen=True)
class Result:
    """What was measured, in the order of sizes."""

    watched: list[Watched]
    renderer: str

    def as_json(self) -> dict[str, Any]:
        """All figures by name."""
        return {"watched": [asdict(one) for one in self.watched], "renderer": self.renderer}

    def summary_lines(self) -> list[str]:
        """The result as text."""
        lines = [f"  {one.spheres:>7} spheres  {one.program:8} first picture after {one.opened:5.1f} s, "
                 f"{one.pictures:6.2f} new pictures a second" for one in self.watched]
        return [f"Moving spheres in headless Chromium, 1100 x 700 pixels, WebGL by {self.renderer}:", *lines]


def measure(sizes: tuple[int, ...] = (5000, 100_000)) -> Result:
    """Watch the same spheres on both pages."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise GranumError("This benchmark drives a browser: pip install playwright viser.") from None
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise GranumError("This benchmark needs Chromium: apt-get install chromium, or the package of your system.")
    watched, renderer = [], ""
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=list(_FLAGS))
        for size in sizes:
            with tempfile.TemporaryDirectory() as folder:
                run = simulate(falling(size), output=Path(folder) / "run.h5")
                with _granum(run) as address:
                    watched.append(_watch(browser, "Granum", size, address))
                with _viser(run) as address:
                    watched.append(_watch(browser, "viser", size, address))
        page = browser.new_page()
        renderer = page.evaluate("""() => { const gl = document.createElement("canvas").getContext("webgl2");
            return gl.getParameter(gl.getExtension("WEBGL_debug_renderer_info").UNMASKED_RENDERER_WEBGL); }""")
        browser.close()
    return Result(watched, renderer)


def falling(count: int) -> Scene:
    """Spheres far from each other that fall: many positions, little to compute."""
    width = 0.05 * count ** (1.0 / 3.0)
    return Scene(
        title=f"{count} spheres", material={"glass": Material(friction=0.5, restitution=0.3, density=2500.0)},
        boundary={"box": Box(lower=(0.0, 0.0, -width), upper=(width, width, width), open=["+z"])},
        pattern={"grains": Grains(count=count, radius=0.01, shape="sphere", region=BoxRegion(
            lower=(0.0, 0.0, 0.0), upper=(width, width, width)))},
        load={"gravity": Gravity(acceleration=(0.0, 0.0, -9.81))},
        run=RunSettings(until=0.2, step=1e-3, interval=0.2 / (FRAMES - 1)),
    )


def _watch(browser: Any, program: str, size: int, address: str) -> Watched:
    """Open a page and count the pictures it shows while spheres move."""
    page = browser.new_page(viewport={"width": 1100, "height": 700})
    begin = time.perf_counter()
    page.goto(address, timeout=120_000)
    page.wait_for_selector("body[data-ready]" if program == "Granum" else "canvas", timeout=120_000)
    opened = time.perf_counter() - begin
    if program == "Granum":
        page.evaluate("() => { granum.player.rate = granum.player.times.at(-1) / 4; granum.toggle(); }")
        counted = page.evaluate(_PICTURES, LOOK)
    else:
        time.sleep(LOOK)  # shaders compile
        counted = page.evaluate(_CALLS, LOOK)
    page.close()
    return Watched(program, size, opened, float(counted))


@contextmanager
def _granum(run: Run) -> Iterator[str]:
    from granum.view.page.server import Pages, Server
    from granum.view.stage import Stage

    with Server(Pages(lambda: Stage(run)), 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.address
        server.shutdown()
        thread.join()


@contextmanager
def _viser(run: Run) -> Iterator[str]:
    """The spheres as batched meshes, thirty times a second the next frame."""
    try:
        import trimesh
        import viser
    except ImportError:
        raise GranumError("This benchmark compares with viser: pip install viser.") from None
    server = viser.ViserServer(host="127.0.0.1", port=8643, verbose=False)
    ball, count = trimesh.creation.icosphere(subdivisions=1), run.positions.shape[1]
    centre: Floats = run.positions[0].mean(axis=0)
    spheres = server.scene.add_batched_meshes_simple(
        "/spheres", ball.vertices, ball.faces, np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)), run.positions[0],
        batched_scales=np.full(count, 0.01), cast_shadow=False, receive_shadow=False)
    server.initial_camera.position = tuple(3.0 * centre)
    server.initial_camera.look_at = tuple(centre)
    stop = threading.Event()

    def play() -> None:
        k = 0
        while not stop.wait(1.0 / 30.0):
            k = (k + 1) % len(run.t)
            spheres.batched_positions = run.positions[k].astype(np.float32)

    player = threading.Thread(target=play)
    player.start()
    yield f"http://127.0.0.1:{server.get_port()}/"
    stop.set()
    player.join()
    server.stop()
