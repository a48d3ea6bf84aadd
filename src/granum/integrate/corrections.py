"""Corrections of position, velocity and energy (Sun 1996, §5.4), as kernels on a linked system.

Positions and velocities are moved by impulses along the links, so that momentum is kept:

    H δl = Δ,  δx = M⁻¹ E C δl        (5.17)-(5.18), Δ = distance - length
    H δv = η,  δẋ = M⁻¹ E C δv        (5.29)-(5.30), η = rate of the distance

Velocities are then scaled so that kinetic energy is what the work of all loads since the start demands, as (5.37)
but to all orders and against the start of the run instead of the step, so that nothing accumulates.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.analytic.newton_euler import Model, Scratch, directions
from granum.assembly.points import PointState, PointSystem
from granum.assembly.points.forces import kinetic_energy, potential_energy
from granum.assembly.points.point_system import Links, StateArrays
from granum.base.kernels import Floats, kernel
from granum.linear import factor, solve
from granum.model.settings import RunSettings

CORRECTION_NAMES = ("position", "velocity", "energy")

ROUNDS = 20
"""Rounds of a correction; each gains a digit or more, so more would not help."""
SLOW = 0.1
"""Part of the error that a round may leave before H is factored anew."""
LARGEST_LEFT = 1e-9
"""Error that corrections leave at most within the mixed iteration, however loose its tolerance is: with 1e-3 for both,
it would correct in one round and not in the next, and its link forces would never settle."""
LARGEST_SCALING = 0.1
"""Part of the kinetic energy that an energy correction may change at once. Near rest the velocities do not
determine where missing energy belongs: the correction waits until the system moves again."""


class Corrections(NamedTuple):
    """Which corrections are made, what they aim at, and the arrays they write into."""

    position: bool
    velocity: bool
    energy: bool
    tolerance: float
    """Position error relative to the link's length that needs no correction."""
    energy_at_start: float
    """Kinetic and potential energy at t = 0 [J]."""
    error: Floats
    """Scratch: one value per link."""
    impulse: Floats
    """Scratch: one value per link."""


def corrections_of(system: PointSystem, start: PointState, settings: RunSettings) -> Corrections:
    """The corrections that the settings ask for."""
    energy = kinetic_energy(system.bodies, start.v) + potential_energy(system.loads, start.x)
    chosen, left = settings.corrections or (), settings.tolerance
    if settings.solver == "mixed":
        left = min(left, LARGEST_LEFT)
    return Corrections("position" in chosen, "velocity" in chosen, "energy" in chosen, left, energy,
                       np.zeros(system.link_count), np.zeros(system.link_count))


@kernel
def push(model: Model, n: Floats, impulse: Floats, y: Floats) -> None:
    """Add M⁻¹ E C impulse to y, (dimension, bodies)."""
    weight = model.bodies.weight
    for u in range(len(impulse)):
        i, j = model.links.tail[u], model.links.head[u]
        for k in range(y.shape[0]):
            y[k, i] += weight[i] * n[k, u] * impulse[u]
            y[k, j] -= weight[j] * n[k, u] * impulse[u]


@kernel
def length_rates(links: Links, n: Floats, v: Floats, rate: Floats) -> float:
    """Rate at which the length of each link changes (5.20) [m/s]; returns the largest."""
    worst = 0.0
    for u in range(len(rate)):
        i, j = links.tail[u], links.head[u]
        rate[u] = 0.0
        for k in range(v.shape[0]):
            rate[u] += n[k, u] * (v[k, j] - v[k, i])
        worst = max(worst, abs(rate[u]))
    return worst


@kernel
def remove_error(model: Model, scratch: Scratch, error: Floats, impulse: Floats, y: Floats) -> None:
    """Impulses from H δ = error, and what they do to y (positions or velocities); H must be factored."""
    for u in range(len(impulse)):
        impulse[u] = 0.0
    solve(model.elimination, scratch.linear, scratch.n, error, impulse)
    push(model, scratch.n, impulse, y)


@kernel
def correct_positions(
    model: Model, scratch: Scratch, corrections: Corrections, x: Floats, factored: bool,
) -> float:
    """Move x onto the links (5.17)-(5.18), repeated until the tolerance; returns the error left.

    factored: scratch holds H factored at a position nearby. It serves as long as every round gains a digit; only
    then is H factored anew.
    """
    error, previous = corrections.error, math.inf
    for _ in range(ROUNDS):
        directions(model.links, x, scratch.n, scratch.distance)
        worst = 0.0
        for u in range(len(error)):
            error[u] = scratch.distance[u] - model.links.length[u]
            worst = max(worst, abs(error[u]) / model.links.length[u])
        if worst <= corrections.tolerance or worst >= previous:
            return worst
        if not factored or worst > SLOW * previous:
            factor(model.elimination, scratch.linear, scratch.n)
        remove_error(model, scratch, error, corrections.impulse, x)
        factored, previous = True, worst
    return previous


@kernel
def correct_velocities(
    model: Model, scratch: Scratch, corrections: Corrections, x: Floats, v: Floats, factored: bool,
) -> None:
    """Take from v what changes the lengths of links (5.29)-(5.30), down to the tolerance times the largest speed."""
    directions(model.links, x, scratch.n, scratch.distance)
    speed, previous = 0.0, math.inf
    for k in range(v.shape[0]):
        for body in range(v.shape[1]):
            speed = max(speed, abs(v[k, body]))
    for _ in range(ROUNDS):
        worst = length_rates(model.links, scratch.n, v, corrections.error)
        if worst <= corrections.tolerance * speed or worst >= previous:
            return
        if not factored or worst > SLOW * previous:
            factor(model.elimination, scratch.linear, scratch.n)
        remove_error(model, scratch, corrections.error, corrections.impulse, v)
        factored, previous = True, worst


@kernel
def correct_energy(model: Model, x: Floats, v: Floats, damped: Floats, energy_at_start: float) -> bool:
    """Scale v to the kinetic energy that the work of the loads demands (5.31)-(5.37).

    damped: work of each damper so far [J]. Returns False where the velocities cannot take the error up.
    """
    target = energy_at_start - potential_energy(model.loads, x)
    for s in range(len(damped)):
        target += damped[s]
    kinetic = kinetic_energy(model.bodies, v)
    if abs(target - kinetic) > LARGEST_SCALING * kinetic:
        return target == kinetic
    if kinetic > 0.0:
        scale = math.sqrt(target / kinetic)
        for k in range(v.shape[0]):
            for body in range(v.shape[1]):
                v[k, body] *= scale
    return True


@kernel
def correct(model: Model, scratch: Scratch, chosen: Corrections, state: StateArrays, factored: bool) -> bool:
    """All chosen corrections in turn; the energy each adds goes to state.corrected. False if energy could not be.

    factored: see `correct_positions`.
    """
    if not (chosen.position or chosen.velocity or chosen.energy):
        return True
    x, v = state.x, state.v
    before = kinetic_energy(model.bodies, v) + potential_energy(model.loads, x)
    done = True
    for which in range(3):
        if which == 0 and chosen.position:
            correct_positions(model, scratch, chosen, x, factored)
        elif which == 1 and chosen.velocity:
            correct_velocities(model, scratch, chosen, x, v, factored)
        elif which == 2 and chosen.energy:
            done = correct_energy(model, x, v, state.work, chosen.energy_at_start)
        else:
            continue
        after = kinetic_energy(model.bodies, v) + potential_energy(model.loads, x)
        state.corrected[which] += after - before
        before = after
    return done
