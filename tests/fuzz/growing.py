"""Readers of a run that goes on: each sees one state of it, whatever is written between two of its looks."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

import granum as gr
from granum.io.runfile import verify_run_file
from granum.io.runfile.faults import injected
from granum.io.runfile.layout import in_slots
from granum.view.page.server import Pages
from granum.view.stage import Stage
from tests.fuzz.campaign import SEED, Campaign, Finding
from tests.fuzz.kills import prepare, stores
from tests.fuzz.small_runs import CASES, refuse_other_bits, simulate


class Reader:
    """A run opened at one point of writing and read at others."""

    def __init__(self, name: str, file: Path) -> None:
        self.name, self.run = name, gr.open_run(file)
        self.frames, self.events = len(self.run.t), self.run.events

    def read(self) -> None:
        """All frames, logs and the summary as they were when the file was opened."""
        run = self.run
        lengths = {name: len(run._frames(name)) for name in run._recording.layout if not in_slots(name)}
        if wrong := {name: length for name, length in lengths.items() if length not in (0, self.frames)}:
            raise Finding(f"{self.name}: opened with {self.frames} frames, read with {wrong}")
        if run.events != self.events:
            raise Finding(f"{self.name}: events have changed")
        refuse_other_bits(run, self.name, all_frames=False)
        if self.frames:
            run.summary, repr(run), run._repr_html_()


def watched(name: str, file: Path) -> Callable[[], None]:
    """A page that asks as a browser does; times, curves and frames must agree."""
    pages = Pages(lambda: Stage(gr.open_run(file)))

    def look() -> None:
        for path in ("/header", "/state"):
            count = len(_asked(pages, path)["times"])
            curves = [len(curve["values"]) for plot in _asked(pages, "/series").values() for curve in plot["curves"]]
            if set(curves) - {count} or pages.answer(f"/frame/{count - 1}") is None:
                raise Finding(f"{name}: {path} has {count} frames, curves have {sorted(set(curves))}")

    return look


def _asked(pages: Pages, path: str) -> dict[str, object]:
    answer = pages.answer(path)
    assert answer is not None
    found: dict[str, object] = json.loads(answer[1])
    return found


def attack(number: int) -> str:
    """Open a run at one point of its writing, read it at others, look at its page and verify it."""
    rng, names = random.Random(f"{SEED} growing {number}"), list(CASES)
    name = names[number % len(names)]
    points = sorted(rng.sample(range(2, stores(name)), 5))
    at, looks, readers = 0, [], []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.h5"

        def step(_: str) -> None:
            nonlocal at
            at += 1
            if at not in points or not file.exists():
                return
            with injected(lambda _: None):
                readers.append(Reader(name, file))
                for reader in readers:
                    reader.read()
                if not looks and readers[-1].frames and readers[-1].run.has.bodies:
                    looks.append(watched(name, file))
                for look in looks:
                    look()
                if not verify_run_file(file).intact:
                    raise Finding(f"{name}: a file that is being written is called damaged")

        with injected(step):
            run = simulate(name, file)
        for reader in readers:
            reader.read()
        refuse_other_bits(run, name, all_frames=True)
    return f"{len(np.unique([reader.frames for reader in readers]))} states"


GROWING = Campaign("growing", attack, 420, least=14, prepare=prepare)
