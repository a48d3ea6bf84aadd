"""Runs that the cases share: finished or stopped, timed, and the four ways to correct."""

from __future__ import annotations

import time
from typing import Any

from granum.model.scene import Scene
from granum.run import Run, simulate

PRECISE: dict[str, Any] = {"solver": "dop853", "tolerance": 1e-12}
"""Settings of values that are to be right to all printed digits."""

CORRECTIONS: dict[str, tuple[str, ...]] = {
    "nc": (), "pv": ("position", "velocity"), "en": ("energy",), "wc": ("position", "velocity", "energy"),
}
"""The suffixes of figures 6.10-6.13: which errors are corrected."""

_REPEATS, _ENOUGH = 3, 0.5


def finish(scene: Scene, **settings: Any) -> Run:
    """Simulate to the end; Ctrl-C, which `simulate` answers with a shorter run, ends the case."""
    run = simulate(scene, **settings)
    if not run.finished:
        raise KeyboardInterrupt
    return run


def mixed(corrections: tuple[str, ...], inside: bool, step: float, tolerance: float) -> dict[str, Any]:
    """Settings of the mixed iteration as published: Gauss-Seidel sweeps (002 §5.3)."""
    return {"solver": "mixed", "inner_solver": "gauss-seidel", "corrections": corrections,
            "correct": "inside" if inside else "end", "step": step, "tolerance": tolerance}


def timed(scene: Scene, **settings: Any) -> tuple[Run, float]:
    """A run recorded at its end only, and the seconds it takes: the least of up to three repeats."""
    best, spent = float("inf"), 0.0
    settings = {**settings, "interval": settings["until"]}
    for _ in range(_REPEATS):
        begin = time.perf_counter()
        run = finish(scene, **settings)
        seconds = time.perf_counter() - begin
        best, spent = min(best, seconds), spent + seconds
        if spent > _ENOUGH:
            break
    return run, best


def warm(scene: Scene, **settings: Any) -> None:
    """Run for an instant, so that compiling is not timed."""
    finish(scene, **{**settings, "until": 2e-3})
