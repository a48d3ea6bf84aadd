"""Newton's method on the function of Alart and Curnier, in proximal steps, with sparse factors and a line search.

With x = r - ρ u, ρ the inverse of W of each contact along and across its normal, the law holds where

    F_N = r_N - max(0, x_N) = 0,    F_T = r_T - P_D(x_T) = 0,  D the disc of radius μ max(0, x_N),

whose generalised Jacobian is A + B W with blocks of 3 × 3 for each contact (Alart and Curnier 1991, Comput. Methods
Appl. Mech. Eng. 92, 353-375). W is often rank deficient, so that this is singular. A proximal step (Rockafellar 1976,
SIAM J. Control Optim. 14, 877-898) solves the regular problem u = W r + q + ε D (r - r₀), D = tr W_cc/3, from r₀ to the
next r₀; its solutions tend to one of the problem itself, the faster the smaller ε. ε falls where Newton's method has
converged in a few iterations, and rises where it has not; then come some sweeps of Gauss-Seidel, too.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from granum.base.kernels import Floats, Ints, inlined, kernel
from granum.contact.conic.nsgs import sweep_once
from granum.contact.conic.problem import ContactProblem
from granum.contact.conic.solvers import Watch
from granum.grains.cones import limit_friction

FIRST_SWEEPS, SWEEPS = 10, 5
"""Sweeps of Gauss-Seidel at the start, and after a failure."""
PROXIMAL, LEAST, MOST, FALL, RISE = 0.1, 1e-10, 1e3, 0.2, 10.0
"""ε at the start, its limits, and the factors by which it falls and rises."""
ITERATIONS, FEW, MANY = 16, 4, 10
"""Iterations of a proximal step at most, those after which ε falls, and those after which it rises."""
SOLVED = 1e-4
"""Part of the merit Σ W_NN |F|² that is left when a proximal step ends."""
HALVINGS, REMEMBERED, DECREASE = 7, 4, 1e-4
"""Halvings of a step, merits whose largest it must be below, and the part of that it must gain."""


@inlined
def inverse_masses(block: Floats, k: int, more: float) -> tuple[float, float]:
    """W along and across the normal of a contact, and so much more; never zero."""
    return max(block[k, 0, 0] + more, 1e-300), max(0.5 * (block[k, 1, 1] + block[k, 2, 2]) + more, 1e-300)


@kernel
def alart_curnier(block: Floats, diagonal: Ints, mu: Floats, proximal: Floats, r: Floats, origin: Floats, u: Floats,
                  F: Floats) -> float:
    """F of impulses r; returns the merit. `u` is W r + q, and gets ε D (r - r₀) added, `proximal` being ε D."""
    merit = 0.0
    for c in range(len(mu)):
        for a in range(3):
            u[c, a] += proximal[c] * (r[c, a] - origin[c, a])
        wn, wt = inverse_masses(block, diagonal[c], proximal[c])
        x, s, t = max(r[c, 0] - u[c, 0] / wn, 0.0), r[c, 1] - u[c, 1] / wt, r[c, 2] - u[c, 2] / wt
        s, t, _, _ = limit_friction(s, t, 0.0, mu[c] * x)
        F[c, 0], F[c, 1], F[c, 2] = r[c, 0] - x, r[c, 1] - s, r[c, 2] - t
        merit += wn * (F[c, 0] * F[c, 0] + F[c, 1] * F[c, 1] + F[c, 2] * F[c, 2])
    return merit


@kernel
def jacobian(begin: Ints, block: Floats, diagonal: Ints, mu: Floats, proximal: Floats, r: Floats, u: Floats, B: Floats,
             J: Floats) -> None:
    """A + B (W + ε D), block by block as W; `B` is room for one block."""
    for c in range(len(mu)):
        own = diagonal[c]
        wn, wt = inverse_masses(block, own, proximal[c])
        x, s, t = r[c, 0] - u[c, 0] / wn, r[c, 1] - u[c, 1] / wt, r[c, 2] - u[c, 2] / wt
        held_s, held_t, _, slips = limit_friction(s, t, 0.0, mu[c] * max(x, 0.0))
        for a in range(3):
            for b in range(3):
                B[a, b] = 0.0
        if x > 0.0:
            B[0, 0] = 1.0 / wn
            if not slips:
                B[1, 1] = B[2, 2] = 1.0 / wt
            else:
                size = math.sqrt(s * s + t * t)
                s, t = s / size, t / size
                part = (held_s * s + held_t * t) / size
                B[1, 0], B[2, 0] = mu[c] * s / wn, mu[c] * t / wn
                B[1, 1], B[1, 2] = part * (1.0 - s * s) / wt, -part * s * t / wt
                B[2, 1], B[2, 2] = -part * s * t / wt, part * (1.0 - t * t) / wt
        for k in range(begin[c], begin[c + 1]):
            for a in range(3):
                for b in range(3):
                    J[k, a, b] = B[a, 0] * block[k, 0, b] + B[a, 1] * block[k, 1, b] + B[a, 2] * block[k, 2, b]
        # A = 1 - B ρ⁻¹, as x has r where it has -ρ u
        for a in range(3):
            J[own, a, a] += 1.0
            J[own, a, 0] += B[a, 0] * (proximal[c] - wn)
            J[own, a, 1] += B[a, 1] * (proximal[c] - wt)
            J[own, a, 2] += B[a, 2] * (proximal[c] - wt)


class Newton:
    """Proximal steps on one problem."""

    def __init__(self, problem: ContactProblem) -> None:
        self.problem, self.blocks, self.weight = problem, problem.blocks, problem.weights
        self.parameter = PROXIMAL
        self.F, self.J, self._B = problem.start(), np.empty_like(self.blocks.block), np.empty((3, 3))

    def proximal_step(self, r: Floats) -> tuple[bool, int]:
        """Change r by one proximal step; returns whether it was solved, and the number of iterations."""
        origin, proximal, merits = r.copy(), self.parameter * self.weight, list[float]()
        merit, u = self._merit(proximal, r, origin)
        goal = SOLVED * merit
        for iteration in range(ITERATIONS):
            if merit <= goal:
                return True, iteration
            direction = self._direction(proximal, r, u)
            if direction is None:
                return False, iteration + 1
            merits = [*merits[1 - REMEMBERED :], merit]
            part = 1.0
            for _ in range(HALVINGS):
                trial = r + part * direction
                merit, u = self._merit(proximal, trial, origin)
                if merit < (1.0 - DECREASE * part) * max(merits):
                    r[:] = trial
                    break
                part *= 0.5
            else:
                return False, iteration + 1
        return merit <= goal, ITERATIONS

    def adapt(self, solved: bool, iterations: int) -> None:
        """ε of the next step."""
        if not solved or iterations > MANY:
            self.parameter = min(RISE * self.parameter, MOST)
        elif iterations <= FEW:
            self.parameter = max(FALL * self.parameter, LEAST)

    def _merit(self, proximal: Floats, r: Floats, origin: Floats) -> tuple[float, Floats]:
        """Σ W_NN |F|² with `F` filled, and the velocities of the proximal problem."""
        u, blocks = self.problem.velocities(r), self.blocks
        return alart_curnier(blocks.block, blocks.diagonal, self.problem.mu, proximal, r, origin, u, self.F), u

    def _direction(self, proximal: Floats, r: Floats, u: Floats) -> Floats | None:
        """Newton's step; None where the Jacobian is singular."""
        from scipy.sparse import bsr_matrix
        from scipy.sparse.linalg import splu

        blocks = self.blocks
        jacobian(blocks.begin, blocks.block, blocks.diagonal, self.problem.mu, proximal, r, u, self._B, self.J)
        matrix = bsr_matrix((self.J, blocks.column, blocks.begin), shape=(3 * len(r),) * 2).tocsc()
        try:
            factors: Any = splu(matrix)
        except RuntimeError:
            return None
        step: Floats = -factors.solve(self.F.ravel()).reshape(r.shape)
        return step if np.isfinite(step).all() else None


def newton_steps(method: Newton, r: Floats, watch: Watch, count: int) -> None:
    """Proximal steps, and sweeps where one has failed, until the watch is done; `count` iterations are made already."""
    while True:
        solved, iterations = method.proximal_step(r)
        count += iterations
        if watch.done(r, count):
            return
        method.adapt(solved, iterations)
        if not solved:
            for _ in range(SWEEPS):
                sweep_once(method.blocks, method.problem, r)
            count += SWEEPS


def newton(problem: ContactProblem, r: Floats, watch: Watch) -> None:
    """A few sweeps, then Newton's method; iterations are both."""
    for _ in range(FIRST_SWEEPS):
        sweep_once(problem.blocks, problem, r)
    if not watch.done(r, FIRST_SWEEPS):
        newton_steps(Newton(problem), r, watch, FIRST_SWEEPS)
