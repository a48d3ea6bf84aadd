"""A real browser, with WebGL in software, and runs served to it by the real command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

SCREENSHOTS = Path(__file__).parents[2] / "out" / "screenshots"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium, headless."""
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


class Look:
    """A page as a person sees it: pictures, clicks, and what the console complains of."""

    def __init__(self, page: Any, name: str) -> None:
        self.page, self.name, self.complaints = page, name, list[str]()
        page.on("console", lambda said: said.type in ("error", "warning") and self.complaints.append(said.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, address: str) -> None:
        """Go to a page of Granum and wait until it stands."""
        self.page.goto(address)
        self.page.wait_for_selector("body[data-ready]", timeout=60_000)

    def state(self, expression: str) -> Any:
        """Something that the page knows of itself."""
        return self.page.evaluate(f"() => {expression}")

    def settle(self, frame: int | None = None) -> None:
        """Wait until the frame that is asked for is drawn, and drawn again with fine pixels."""
        wanted = "granum.player.k" if frame is None else str(frame)
        self.page.wait_for_function(f"() => granum.shown === {wanted} && !granum.stage.stale && granum.stage.fine",
                                    timeout=60_000)

    def pixel(self, *position: float) -> tuple[float, float]:
        """Where a point of the scene is seen on the canvas."""
        at = self.state(f"granum.stage.onScreen(new THREE.Vector3({', '.join(map(str, position))}))")
        return at["x"], at["y"]

    def click(self, x: float, y: float) -> str:
        """Click a pixel of the canvas, and give the name that the page tells then."""
        self.page.locator("#scene").click(position={"x": x, "y": y})
        self.page.wait_for_function("() => !granum.chosen || granum.chosen.name")
        return str(self.page.inner_text("#about-name"))

    def picture(self, what: str) -> bytes:
        """The canvas as a PNG, which is kept to be looked at."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        shot: bytes = self.page.locator("#scene").screenshot()
        self.page.screenshot(path=SCREENSHOTS / f"{self.name}-{what}.png")
        return shot

    def choose(self, label: str, option: str) -> None:
        """Choose from a list of the controls."""
        self._control(label).locator("select").select_option(label=option)

    def switch(self, label: str) -> None:
        """Click a box of the controls."""
        self._control(label).locator("input[type=checkbox]").click()

    def _control(self, label: str) -> Any:
        return self.page.locator("#controls .lil-controller").filter(has_text=label).first


@pytest.fixture
def look(browser: Any, request: pytest.FixtureRequest) -> Iterator[Look]:
    """A new page that complains of nothing; `indirect` parameters are options of its window."""
    page = browser.new_page(**{"viewport": {"width": 1100, "height": 700}} | getattr(request, "param", {}))
    looked = Look(page, request.node.name.removeprefix("test_").replace("_", "-"))
    yield looked
    page.close()
    assert looked.complaints == []


@pytest.fixture
def serve(look: Look) -> Callable[..., Any]:
    """`granum view` as a process: gives its address; ends by Ctrl-C, after the page is closed.

    A page that outlives its server complains of requests that are refused, as it should.
    """
    @contextmanager
    def serving(target: Path, *options: str) -> Iterator[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "granum.cli", "view", str(target), "--no-browser", "--port", "0", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"},
            cwd=target.parent)
        assert process.stdout is not None
        address = process.stdout.readline().split()
        try:
            assert address, process.stderr and process.stderr.read()
            yield address[0]
        finally:
            look.page.close()
            process.send_signal(2)
            assert process.wait(timeout=30) == 0
    return serving
