"""Symmetric Gauss-Seidel with Nesterov's extrapolation and restarts, as `contact.nonsmooth.acceleration` describes it.

Here impulses alone are extrapolated, with the normal inverse masses W_NN as weights; a point outside the cone is
brought back by the next sweep.
"""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Ints, kernel
from granum.contact.conic.nsgs import next_round, sweep
from granum.contact.conic.problem import ContactProblem
from granum.contact.conic.solvers import Watch
from granum.contact.nonsmooth.acceleration import GROWTH, next_theta


@kernel
def extrapolated_sweeps(begin: Ints, column: Ints, block: Floats, diagonal: Ints, q: Floats, mu: Floats, r: Floats,
                        last: Floats, change: Floats, count: int, theta: float, beta: float,
                        least: float) -> tuple[float, float, float]:
    """`count` symmetric sweeps; r ends as x, never as the extrapolated y. Returns θ, the last β and the least
    |x - y|².
    """
    contacts = len(mu)
    for _ in range(count):
        for c in range(contacts):
            for a in range(3):
                r[c, a] = last[c, a] + beta * change[c, a]
        sweep(begin, column, block, diagonal, q, mu, r, True)
        sweep(begin, column, block, diagonal, q, mu, r, False)
        turn, size = 0.0, 0.0
        for c in range(contacts):
            weight = block[diagonal[c], 0, 0]
            for a in range(3):
                step = r[c, a] - last[c, a]
                miss = beta * change[c, a] - step
                turn += weight * miss * step
                size += weight * miss * miss
                change[c, a], last[c, a] = step, r[c, a]
        least = min(least, size)
        if turn > 0.0 or size > GROWTH * least:
            theta, beta = 1.0, 0.0
        else:
            new = next_theta(theta)
            theta, beta = new, (theta - 1.0) / new
    return theta, beta, least


class Acceleration:
    """Impulses and changes from which the next symmetric sweep extrapolates."""

    def __init__(self, problem: ContactProblem, r: Floats) -> None:
        self.problem, self.last, self.change = problem, r.copy(), problem.start()
        self.restart(r)

    def restart(self, r: Floats) -> None:
        """Extrapolate nothing: impulses have been changed by others."""
        self.last[:], self.change[:] = r, 0.0
        self.theta, self.beta, self.least = 1.0, 0.0, math.inf

    def sweep(self, r: Floats, count: int) -> None:
        """`count` sweeps, half of them backwards."""
        blocks = self.problem.blocks
        self.theta, self.beta, self.least = extrapolated_sweeps(
            blocks.begin, blocks.column, blocks.block, blocks.diagonal, self.problem.free, self.problem.mu, r,
            self.last, self.change, count // 2, self.theta, self.beta, self.least)


def accelerated(problem: ContactProblem, r: Floats, watch: Watch) -> None:
    """Symmetric sweeps until the watch is done; iterations are sweeps in one direction."""
    acceleration, sweeps = Acceleration(problem, r), 0
    while True:
        count = 2 * (next_round(sweeps) // 2)
        acceleration.sweep(r, count)
        sweeps += count
        if watch.done(r, sweeps):
            return
