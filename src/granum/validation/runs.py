"""Runs that the cases share: finished or stopped, timed, the four ways to correct, and references by SciPy."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats
from granum.model.scene import Scene
from granum.run import Run, simulate
from granum.validation.case import Sheet

PRECISE: dict[str, Any] = {"solver": "dop853", "tolerance": 1e-12}
"""Settings of values that are to be right to all printed digits."""

CORRECTIONS: dict[str, tuple[str, ...]] = {
    "nc": (), "pv": ("position", "velocity"), "en": ("energy",), "wc": ("position", "velocity", "energy"),
}
"""The suffixes of figures 6.10-6.13: which errors are corrected."""

_REPEATS, _ENOUGH = 3, 0.5
Done = TypeVar("Done")


def finish(scene: Scene, **settings: Any) -> Run:
    """Simulate to the end; Ctrl-C, which `simulate` answers with a shorter run, ends the case."""
    run = simulate(scene, **settings)
    if not run.finished:
        raise KeyboardInterrupt
    return run


def converged(
    sheet: Sheet, quantities: Sequence[str], source: str, run: Callable[..., Done], scene: Scene, **settings: Any,
) -> Done | None:
    """What `finish` or `timed` gives; where the run does not converge, None, and its rows say where it gave up."""
    try:
        return run(scene, **settings)
    except NotConvergedError as error:
        for quantity in quantities:
            sheet.give_up(quantity, source, str(error).splitlines()[0])
        return None


def mixed(corrections: tuple[str, ...], inside: bool, step: float, tolerance: float) -> dict[str, Any]:
    """Settings of the mixed iteration as published: Gauss-Seidel sweeps (Sun 1996, §5.3)."""
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


def solved(
    rates: Callable[[float, Floats], Any], start: Sequence[float] | Floats, t: Floats, method: str = "DOP853",
    rtol: float = 1e-13, atol: float = 1e-14,
) -> Floats:
    """(components, times): an independent solution of ẏ = rates(t, y) by SciPy."""
    from scipy.integrate import solve_ivp

    return np.asarray(solve_ivp(rates, (0.0, float(t[-1])), start, method, t, rtol=rtol, atol=atol).y)
