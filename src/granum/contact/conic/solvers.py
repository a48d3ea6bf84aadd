"""Solvers of a contact problem by name, and one judge of them all: the residual of the natural map against CPU time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import cache
from typing import NamedTuple, TypeAlias, cast

import numpy as np

from granum.base.choices import CONTACT_METHODS
from granum.base.errors import GranumError, pick
from granum.base.kernels import Floats
from granum.base.offers import load
from granum.contact.conic.cone import multiply, natural_map
from granum.contact.conic.problem import ContactProblem

TOLERANCE = 1e-8
"""Residual at which a solver ends, as the FCLIB collection asks for."""
SECONDS = 600.0
"""CPU seconds after which it gives up."""


class Sample(NamedTuple):
    """The state of a solver at a moment."""

    seconds: float
    """CPU seconds since it began, without those of the samples themselves."""
    iterations: int
    residual: float


class Solution(NamedTuple):
    """Impulses that a solver found, the best of those it sampled."""

    solver: str
    r: Floats
    """(d n,): impulses."""
    u: Floats
    """(d n,): velocities W r + q."""
    residual: float
    """‖r - P_K(r - û)‖/‖q‖"""
    iterations: int
    seconds: float
    """CPU seconds."""
    converged: bool
    """Is the residual at most the tolerance?"""
    history: tuple[Sample, ...]


class Watch:
    """Samples the residual of a solver; it says when to end, and keeps the best impulses."""

    def __init__(self, problem: ContactProblem, tolerance: float, seconds: float) -> None:
        self.problem, self.tolerance, self.limit = problem, tolerance, seconds
        self.best, self.least, self.history = problem.start(), math.inf, list[Sample]()
        self.u, self._out, _ = problem.start(), problem.start(), problem.blocks
        self._scale = float(np.linalg.norm(problem.q)) or 1.0
        self._begun = time.process_time()
        self._own = 0.0

    def done(self, r: Floats, iterations: int) -> bool:
        """Sample impulses (n, 3): are they good enough, or is the time over? `u` has their velocities afterwards."""
        now, blocks = time.process_time(), self.problem.blocks
        multiply(blocks.begin, blocks.column, blocks.block, self.problem.free, r, self.u)
        residual = math.sqrt(natural_map(self.problem.mu, r, self.u, self._out)) / self._scale
        spent = now - self._begun - self._own
        self.history.append(Sample(spent, iterations, residual))
        if residual < self.least:
            self.best[:], self.least = r, residual
        self._own += time.process_time() - now
        return residual <= self.tolerance or not math.isfinite(residual) or spent > self.limit


ConicSolver: TypeAlias = Callable[[ContactProblem, Floats, Watch], None]
"""Changes impulses (n, 3) in place until the watch is done."""

SOLVERS: dict[str, str] = {
    "auto": "granum.contact.conic.automatic:automatic",
    "nsgs": "granum.contact.conic.nsgs:nsgs",
    "accelerated": "granum.contact.conic.accelerated:accelerated",
    "newton": "granum.contact.conic.newton:newton",
    "admm": "granum.contact.conic.admm:admm",
}
"""By the names of `CONTACT_METHODS`, loaded when used."""


def solve_problem(problem: ContactProblem, solver: str = "auto", tolerance: float = TOLERANCE,
                  seconds: float = SECONDS) -> Solution:
    """Solve a contact problem.

    Args:
        problem: from `load_problem`, `run.contact_problem`, or made of W, q and μ.
        solver: auto (chosen by measurement), nsgs (projected Gauss-Seidel), accelerated (symmetric sweeps with
            Nesterov's extrapolation), newton (Alart-Curnier) or admm.
        tolerance: residual ‖r - P_K(r - û)‖/‖q‖ at which it ends.
        seconds: CPU seconds after which it gives up; `converged` is then False.
    """
    if not tolerance > 0.0:
        raise GranumError(f"tolerance {tolerance:g}: give a number above 0, such as 1e-8.")
    method = cast(ConicSolver, load(SOLVERS[pick(solver, CONTACT_METHODS, "solver of contact problems")]))
    _compile(method)
    watch = Watch(problem, tolerance, seconds)
    r = problem.start()
    if not watch.done(r, 0):
        method(problem, r, watch)
    last, best = watch.history[-1], watch.best
    return Solution(solver, problem.narrow(best), problem.narrow(problem.velocities(best)), watch.least,
                    last.iterations, last.seconds, watch.least <= tolerance, tuple(watch.history))


@cache
def _compile(method: ConicSolver) -> None:
    """Solve a little problem, so that kernels are compiled before time is taken."""
    from scipy.sparse import csr_matrix

    little = ContactProblem(csr_matrix([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]]), np.array([-1.0, 2.0, 3.0]),
                            np.array([0.3]), 3)
    watch, r = Watch(little, TOLERANCE, SECONDS), little.start()
    watch.done(r, 0)
    method(little, r, watch)
