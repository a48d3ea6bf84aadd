"""Symmetric Gauss-Seidel sweeps, accelerated: how a change of forces gets through a deep bed.

A sweep passes a change on by one contact, so that plain sweeps need the square of the number of rows of a bed. A sweep
forwards and one backwards make a symmetric step of a descent, from y to x, which Nesterov's extrapolation accelerates:

    x_{k+1} = S(y_k),  d_{k+1} = x_{k+1} - x_k,  y_{k+1} = x_{k+1} + β_k d_{k+1},  β_k = (θ_k - 1)/θ_{k+1},
    θ_{k+1} = 1/2 + √(1/4 + θ_k²),  θ_0 = 1:

their number grows with the number of rows alone. Sweeps in one direction are not symmetric, and the same extrapolation
diverges. Extrapolation starts anew (θ = 1) where it has gone too far, (y_k - x_{k+1})·(x_{k+1} - x_k) > 0 with the
effective masses as weights, or where |x_{k+1} - y_k| has grown: Coulomb's friction is no gradient, so that descent is
not certain. Impulses x and velocities v = v₀ + M⁻¹ H x are extrapolated alike, which keeps them consistent; impulses
outside their cone are brought back by the next sweep, and sweeps end at an x, never at a y.

Nesterov, Y. (1983), Soviet Math. Dokl. 27, 372-376; O'Donoghue, B., Candès, E. (2015), Found. Comput. Math. 15, 715-732
(restarts).
"""

from __future__ import annotations

import math
from typing import Any

from granum.base.kernels import small_kernel
from granum.contact.problem import Problem
from granum.grains.search.neighbour_list import Neighbours
from granum.state.table import SX, SY, SZ, VX, VY, VZ

GROWTH = 4.0
"""Growth of |x - y|² from which extrapolation starts anew."""
STALLED, LEFT = 50, 0.9
"""Symmetric sweeps after which |x - y|² has to be less than this part of what it was, or there is no solution near."""
CHANGE, TORQUE, COLUMNS = 4, 8, 14
"""Columns of `Problem.last`: p and q of x_k before, d_k from CHANGE on; where there is rolling friction, its angular
impulse and the change of it from TORQUE on."""


@small_kernel
def remember_slab(s: int, state: Any, near: Neighbours, problem: Problem, rolling: bool) -> None:
    """Keep impulses and velocities as they are before the first symmetric sweep."""
    slab, last, v, lead = problem.slab[s], problem.last, state.v, state.lead
    for index in range(slab.begin, slab.closed):
        c = problem.closed[index]
        k, contact = problem.slot[c], problem.contact[c]
        last[c, 0], last[c, 1], last[c, 2], last[c, 3] = contact.p, contact.qx, contact.qy, contact.qz
        for column in range(CHANGE, TORQUE):
            last[c, column] = 0.0
        if rolling:
            slot = near.pair[k] if k >= 0 else near.wall[-1 - k]
            last[c, TORQUE], last[c, TORQUE + 1], last[c, TORQUE + 2] = slot.tx, slot.ty, slot.tz
    for i in range(state.slabs[s], state.slabs[s + 1]):
        for axis in (VX, VY, VZ, SX, SY, SZ):
            lead[i, axis] = v[i, axis]


@small_kernel
def change_slab(s: int, state: Any, near: Neighbours, problem: Problem, rolling: bool, beta: float) -> None:
    """d_{k+1} of a symmetric sweep, and what decides whether extrapolation starts anew."""
    slab, last, turn, size = problem.slab[s], problem.last, 0.0, 0.0
    for index in range(slab.begin, slab.closed):
        c = problem.closed[index]
        k, contact = problem.slot[c], problem.contact[c]
        dp, dx, dy, dz = (contact.p - last[c, 0], contact.qx - last[c, 1], contact.qy - last[c, 2],
                          contact.qz - last[c, 3])
        ep, ex, ey, ez = (beta * last[c, CHANGE] - dp, beta * last[c, CHANGE + 1] - dx, beta * last[c, CHANGE + 2] - dy,
                          beta * last[c, CHANGE + 3] - dz)
        turn += (ep * dp + ex * dx + ey * dy + ez * dz) / contact.mass_n
        size += (ep * ep + ex * ex + ey * ey + ez * ez) / contact.mass_n
        last[c, 0], last[c, 1], last[c, 2], last[c, 3] = contact.p, contact.qx, contact.qy, contact.qz
        last[c, CHANGE], last[c, CHANGE + 1], last[c, CHANGE + 2], last[c, CHANGE + 3] = dp, dx, dy, dz
        if rolling:
            slot = near.pair[k] if k >= 0 else near.wall[-1 - k]
            for axis, torque in enumerate((slot.tx, slot.ty, slot.tz)):
                last[c, TORQUE + 3 + axis] = torque - last[c, TORQUE + axis]
                last[c, TORQUE + axis] = torque
    slab.turn, slab.size = turn, size


@small_kernel
def extrapolate_slab(s: int, state: Any, near: Neighbours, problem: Problem, rolling: bool, beta: float) -> None:
    """y_{k+1} from x_{k+1}; what bodies had before is kept as `change_slab` keeps impulses."""
    slab, last, v, lead = problem.slab[s], problem.last, state.v, state.lead
    for index in range(slab.begin, slab.closed):
        c = problem.closed[index]
        k, contact = problem.slot[c], problem.contact[c]
        contact.p += beta * last[c, CHANGE]
        contact.qx += beta * last[c, CHANGE + 1]
        contact.qy += beta * last[c, CHANGE + 2]
        contact.qz += beta * last[c, CHANGE + 3]
        if rolling:
            slot = near.pair[k] if k >= 0 else near.wall[-1 - k]
            slot.tx += beta * last[c, TORQUE + 3]
            slot.ty += beta * last[c, TORQUE + 4]
            slot.tz += beta * last[c, TORQUE + 5]
    for i in range(state.slabs[s], state.slabs[s + 1]):
        for axis in (VX, VY, VZ, SX, SY, SZ):
            change = v[i, axis] - lead[i, axis]
            lead[i, axis] = v[i, axis]
            v[i, axis] += beta * change


@small_kernel
def next_theta(theta: float) -> float:
    """θ_{k+1}."""
    return 0.5 + math.sqrt(0.25 + theta * theta)
