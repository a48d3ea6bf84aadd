"""Steps of `unilateral`: links that hold grains in contact and open instead of pulling (Sun 1996, §4.3.2, 4.4, 5).

Grains in contact are linked for a step h. With w = 1/m_i + 1/m_j, n from i to j and u the velocity of j against i,

    start    γ₁, f₁ and accelerations a₁ from the state at the beginning
    rounds   x = x₁ + h v₁ + h²/6 (2 a₁ + a),  v = v₁ + h/2 (a₁ + a)                        (5.12), (5.24)
             n·(a_j - a_i) + |u_t|²/d ≥ 0  ⟂  γ ≥ 0                       H γ = b where a link pushes
             f = -μ γ SGN(u_t), at most what stops the sliding           (4.14)-(4.18)
             ten Gauss-Seidel sweeps per round, over-relaxed where that converges (`relaxation`), until γ and f
             change by less than the tolerance
    position δl ≥ -h²/6 (2 γ₁ + γ)  ⟂  gap ≥ 0                             (5.16)-(5.18), one-sided
    velocity δv ≥ -h/2 (γ₁ + γ)  ⟂  u_n ≥ 0, or -e u_n of a new contact    (4.24)-(4.26), (5.28)-(5.30), one-sided

A correction may take back what its link has pushed in the step and no more: over a step no contact pulls.

With cohesion c (FMAX of the program) γ ≥ -c takes the place of γ ≥ 0 in all of this: a link holds until its tension
would exceed c. Then it breaks and bears none in this step. It is a link again where the grains touch without
separating.

Friction: the limit (4.18) is the smoothed sign (4.16) with its slope given. Let c be the sliding velocity at the end of
the step without the friction of this contact: what stops it within the step is m c/s with s = h for a₁ and h/2 for a,
so that f = -μ γ SGN(c) with ε = μ γ s/m. Contacts stick exactly, no ε is left to choose, and both grains feel it, in
opposite directions (the published (4.15) takes signs of x and y one by one). That is Coulomb's law (4.17); the smoothed
laws of fig. 4.4, whose ε is given, are in `granum.historic.unilateral.friction`.

An impact is found a moment late. Its approach speed is taken back to the touch, u₀² = u_n² - 2 a_n gap with a_n of the
loads, else taking back the overlap would lift grains against gravity for nothing. Coulomb's law holds for the impulse
of an impact too. Impacts that cannot all rebound, of grains wedged between walls, are plastic.

Nothing is given back to the velocities for energy (5.4.3): what friction and impacts take is booked, and what is left
over in the ledger is the error of the scheme.

As in the document no contact rotates a grain: angular velocities stay what they are, and take part in nothing.
"""

from __future__ import annotations

import math

from granum.base.kernels import Floats, kernel
from granum.base.space import displacement
from granum.contact.totals import MOVE, STEPS
from granum.contact.validity import Validity, is_outdated
from granum.grains.geometry.motion import move_elements
from granum.grains.orientation import rotate_grains
from granum.grains.search.neighbour_list import Neighbours
from granum.historic.unilateral.corrections import (
    account_contacts,
    correct_positions,
    correct_velocities,
    gather_contacts,
)
from granum.historic.unilateral.data import (
    MOST,
    ROUNDS,
    UNSETTLED,
    Coefficients,
    Limits,
    Moments,
    State,
    Workspace,
)
from granum.historic.unilateral.links import (
    PEEK,
    account_links,
    gather_links,
    iterate,
    keep_start,
    start_forces,
    update_kinematics,
)
from granum.state.table import R, X, Y, Z

SLOW = 2.0
"""Approach speed, in what the largest load gives in a step, up to which a touch is no impact: η_m of (4.23)."""

DONE, OUTDATED, STUCK_AT_START, STUCK = range(4)
"""How steps end."""


@kernel
def _begin(x: Floats, v: Floats, coefficients: Coefficients, extra: Floats, h: float, work: Workspace) -> float:
    """Keep the state, and write the accelerations by loads; returns the largest of these."""
    largest = 0.0
    for i in range(len(x)):
        size = 0.0
        for axis in range(3):
            work.x1[i, axis], work.v1[i, axis] = x[i, axis], v[i, axis]
            work.load[i, axis] = coefficients.gravity[axis] + (extra[i, axis] / h if len(extra) > 0 else 0.0)
            size += work.load[i, axis] ** 2
        largest = max(largest, size)
    return math.sqrt(largest)


@kernel
def _moves(x: Floats, near: Neighbours, work: Workspace, totals: Floats) -> float:
    """The largest move since the lists were made [m]; the largest of this step, in radii, is noted."""
    far = 0.0
    for i in range(len(x)):
        dx, dy, dz = displacement(near.built_at[i, X], near.built_at[i, Y], near.built_at[i, Z], x[i, X], x[i, Y],
                                  x[i, Z])
        move = dx * dx + dy * dy + dz * dz
        dx, dy, dz = displacement(work.x1[i, X], work.x1[i, Y], work.x1[i, Z], x[i, X], x[i, Y], x[i, Z])
        step = dx * dx + dy * dy + dz * dz
        far = move if not move <= far else far
        step = math.sqrt(step) / x[i, R]
        totals[MOVE] = step if not step <= totals[MOVE] else totals[MOVE]
    return math.sqrt(far)


@kernel
def _move_boundaries(bounds: Moments, t: float, peek: float) -> None:
    """Move boundaries to t, and a moment before and after it."""
    home, motion = bounds.now.home, bounds.now.motion
    move_elements(home, motion, t, bounds.now.element)
    move_elements(home, motion, t - peek, bounds.earlier)
    move_elements(home, motion, t + peek, bounds.later)


@kernel
def steps(count: int, t: float, h: float, limits: Limits, extra: Floats, state: State, near: Neighbours,
          validity: Validity, bounds: Moments, coefficients: Coefficients, work: Workspace,
          totals: Floats) -> tuple[int, int]:
    """Up to `count` steps; returns how they ended and how many were made. One that does not converge leaves no trace.

    Args:
        extra: (grains, 3) velocities that loads add in a step, or an empty array.
    """
    x, v = state.x, state.v
    for done in range(count):
        now = t + done * h
        load = _begin(x, v, coefficients, extra, h, work)
        slow = SLOW * h * load
        _move_boundaries(bounds, now, PEEK * h)
        links = gather_links(state, near, bounds, coefficients, slow, SLOW * h, work, totals)
        update_kinematics(links, x, v, near, bounds, PEEK * h, 0.0, work)
        at_start = start_forces(links, v, h, load, limits, work)
        if at_start < 0:
            return STUCK_AT_START, done
        keep_start(links, x, v, work)
        _move_boundaries(bounds, now + h, PEEK * h)
        rounds = iterate(links, x, v, near, bounds, h, load, limits, work)
        if rounds < 0:
            for i in range(len(x)):
                for axis in range(3):
                    x[i, axis], v[i, axis] = work.x1[i, axis], work.v1[i, axis]
            return STUCK, done
        account_links(links, x, v, near, h, work, totals)
        contacts = gather_contacts(state, near, bounds.now, coefficients, slow, h, work)
        settled = correct_positions(contacts, x, v, work)
        settled = correct_velocities(contacts, v, slow, limits, work, totals) and settled
        account_contacts(contacts, x, v, near, slow, work, totals)
        rotate_grains(x, v, state.orientation, h)
        totals[STEPS] += 1.0
        totals[ROUNDS] += at_start + rounds
        totals[MOST] = max(totals[MOST], at_start + rounds)
        totals[UNSETTLED] += 0.0 if settled else 1.0
        if is_outdated(validity, _moves(x, near, work, totals), bounds.now, now + h):
            return OUTDATED, done + 1
    return DONE, count
