"""Kills at every store: the file opens, what it counts is whole, and resuming ends in the same bits."""

from __future__ import annotations

import os
import random
import signal
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import granum as gr
from granum.io.runfile.faults import injected
from tests.fuzz.campaign import SEED, Campaign, Finding
from tests.fuzz.small_runs import CASES, in_child, refuse_other_bits, simulate, whole


@cache
def stores(name: str) -> int:
    """Points at which a run of a case writes."""
    count = 0

    def step(_: str) -> None:
        nonlocal count
        count += 1

    with tempfile.TemporaryDirectory() as folder, injected(step):
        simulate(name, Path(folder) / "run.h5")
    return count


def killer(at: int) -> Callable[[str], None]:
    """A hook that ends the process without a word at the point of a number."""
    left = at

    def step(_: str) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return step


def killed(name: str, file: Path, at: int, resume: bool) -> None:
    """Run or resume a case in a child process that is killed at a point; what it leaves must be whole."""
    def run() -> None:
        with injected(killer(at)):
            simulate(name, file, resume=resume)

    code = in_child(run)
    if code not in (0, -signal.SIGKILL):
        raise Finding(f"{name}: a run to be killed ended with {code}")
    if file.exists():
        refuse_other_bits(gr.open_run(file), name, all_frames=code == 0)


def attack(number: int) -> str:
    """A kill at a point of a run, every second time another one while it is resumed, and the run to its end."""
    names = list(CASES)
    name, rng = names[number % len(names)], random.Random(f"{SEED} kills {number}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.h5"
        killed(name, file, number // len(names) % stores(name), resume=False)
        if number // len(names) % 2:
            killed(name, file, rng.randrange(stores(name)), resume=True)
        refuse_other_bits(simulate(name, file, resume=True), name, all_frames=True)
        refuse_other_bits(gr.open_run(file), name, all_frames=True)
        if leftovers := [other.name for other in Path(folder).iterdir() if other != file]:
            raise Finding(f"{name}: left {leftovers}")
    return "resumed"


def prepare() -> None:
    """Undisturbed runs, before the workers begin."""
    for name in CASES:
        whole(name)
        stores(name)


KILLS = Campaign("kills", attack, 1400, least=28, kills=1, prepare=prepare)
