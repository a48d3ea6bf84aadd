"""Loads on bodies: gravity, forces at points, torques, springs and dampers between points and in hinges; energies."""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Ints, small_kernel
from granum.mechanisms.rows import angle_between
from granum.mechanisms.state import counted
from granum.mechanisms.tables import (
    ANGLE_Z,
    BODIES,
    FIGURES,
    KINETIC,
    LOAD,
    MASS,
    PLANAR,
    POTENTIAL,
    POWER,
    WORKS,
    L,
    Loads,
    R,
    U,
    V,
    W,
    X,
)
from granum.mechanisms.vectors import Vector, add, at, cross, dot, length, minus, plus, put, times, turned


@small_kernel
def apply_loads(shape: Ints, figures: Floats, bodies: Floats, loads: Loads, y: Floats) -> None:
    """Force and torque about the mass centre of every body; potential energies, and powers of torques and dampers."""
    g, potential = (loads.gravity[0], loads.gravity[1], loads.gravity[2]), 0.0
    held, done = FIGURES, len(figures) - shape[WORKS]
    for i in range(shape[BODIES]):
        weight = times(1.0 / bodies[i, MASS], g)
        potential -= dot(weight, at(bodies, i, X))
        put(bodies, i, LOAD, weight)
        put(bodies, i, LOAD + 3, (0.0, 0.0, 0.0))
    for k in range(len(loads.force_body)):
        i, F = loads.force_body[k], at(loads.force, k, 3)
        arm = turned(bodies, i, R, at(loads.force, k, 0))
        _act(bodies, i, arm, F)
        figures[held] = -dot(F, plus(at(bodies, i, X), arm))
        potential += figures[held]
        held += 1
    for k in range(len(loads.torque_body)):
        i, torque = loads.torque_body[k], at(loads.torque, k, 0)
        add(bodies, i, LOAD + 3, torque)
        figures[done] = dot(torque, at(bodies, i, W))
        done += 1
    for k in range(len(loads.spring_body)):
        figures[POTENTIAL] = figures[POWER] = 0.0
        push_spring(figures, bodies, loads.spring, loads.spring_body[k, 0], loads.spring_body[k, 1], k, 1.0, 1.0)
        potential += figures[POTENTIAL]
        held, done = _enter(figures, held, done, loads.spring[k, 8])
    for k in range(len(loads.torsion_body)):
        angle = turn(shape, bodies, loads.torsion, loads.torsion_body, y, k)
        figures[POTENTIAL] = figures[POWER] = 0.0
        push_torsion(figures, bodies, loads.torsion, loads.torsion_body[k, 0], loads.torsion_body[k, 1], k, angle, 1.0,
                     1.0)
        potential += figures[POTENTIAL]
        held, done = _enter(figures, held, done, loads.torsion[k, 11])
    figures[POTENTIAL] = potential


@small_kernel
def _enter(figures: Floats, held: int, done: int, damping: float) -> tuple[int, int]:
    """Keep potential energy and power of a spring; only what damps is an agent of its own. Returns the next places."""
    figures[held] = figures[POTENTIAL]
    if damping > 0.0:
        figures[done] = figures[POWER]
        return held + 1, done + 1
    return held + 1, done


@small_kernel
def _act(bodies: Floats, i: int, arm: Vector, force: Vector) -> None:
    add(bodies, i, LOAD, force)
    add(bodies, i, LOAD + 3, cross(arm, force))


@small_kernel
def push_spring(figures: Floats, bodies: Floats, spring: Floats, i: int, j: int, k: int, elastic: float,
                viscous: float) -> None:
    """Tension k (l - l₀) + c dl/dt, each part as often as is said: 1, or 0 for the other part alone."""
    r1, r2 = turned(bodies, i, R, at(spring, k, 0)), turned(bodies, j, R, at(spring, k, 3))
    d = minus(plus(at(bodies, j, X), r2), plus(at(bodies, i, X), r1))
    stiffness, rest, damping = elastic * spring[k, 6], spring[k, 7], viscous * spring[k, 8]
    size = length(d)
    n = times(1.0 / size if size > 0.0 else 0.0, d)
    rate = dot(n, minus(plus(at(bodies, j, V), cross(at(bodies, j, W), r2)),
                        plus(at(bodies, i, V), cross(at(bodies, i, W), r1))))
    pull = times(stiffness * (size - rest) + damping * rate, n)
    _act(bodies, i, r1, pull)
    _act(bodies, j, r2, times(-1.0, pull))
    figures[POTENTIAL] += 0.5 * stiffness * (size - rest) ** 2
    figures[POWER] -= damping * rate * rate


@small_kernel
def turn(shape: Ints, bodies: Floats, torsion: Floats, ends: Ints, y: Floats, k: int) -> float:
    """Angle of a torsion spring since the start; in space the arc tangent, moved to the turn that is counted."""
    i, j = ends[k, 0], ends[k, 1]
    if shape[PLANAR]:
        return float(bodies[j, ANGLE_Z] - bodies[i, ANGLE_Z] - torsion[k, 3])
    found, near = angle_between(bodies, torsion, k, i, j), float(y[counted(shape, k)])
    return found + 2.0 * math.pi * float(math.floor((near - found) / (2.0 * math.pi) + 0.5))


@small_kernel
def turning(bodies: Floats, torsion: Floats, i: int, j: int, k: int) -> float:
    """Its rate."""
    return dot(turned(bodies, i, R, at(torsion, k, U)), minus(at(bodies, j, W), at(bodies, i, W)))


@small_kernel
def push_torsion(figures: Floats, bodies: Floats, torsion: Floats, i: int, j: int, k: int, angle: float, elastic: float,
                 viscous: float) -> None:
    """Torque k (φ - φ₀) + c dφ/dt against the angle of a hinge, each part as often as is said."""
    stiffness, away, damping = elastic * torsion[k, 9], angle - torsion[k, 10], viscous * torsion[k, 11]
    rate = turning(bodies, torsion, i, j, k)
    torque = times(stiffness * away + damping * rate, turned(bodies, i, R, at(torsion, k, U)))
    add(bodies, i, LOAD + 3, torque)
    add(bodies, j, LOAD + 3, times(-1.0, torque))
    figures[POTENTIAL] += 0.5 * stiffness * away * away
    figures[POWER] -= damping * rate * rate


@small_kernel
def kinetic_energy(shape: Ints, figures: Floats, bodies: Floats) -> None:
    """½ m v² + ½ ω·L over all bodies."""
    total = 0.0
    for i in range(shape[BODIES]):
        v = at(bodies, i, V)
        total += 0.5 * dot(v, v) / bodies[i, MASS] + 0.5 * dot(at(bodies, i, W), at(bodies, i, L))
    figures[KINETIC] = total
