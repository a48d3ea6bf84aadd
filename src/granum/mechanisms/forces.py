"""Loads on bodies: gravity, forces at points, torques, springs and dampers between points and in hinges; energies."""

from __future__ import annotations

import math

from granum.base.kernels import Floats, kernel
from granum.mechanisms.rows import angle_between
from granum.mechanisms.state import counted
from granum.mechanisms.tables import BODIES, KINETIC, PLANAR, POTENTIAL, POWER, Model, Work, U
from granum.mechanisms.vectors import Vector, add, at, cross, dot, length, minus, plus, times, turned


@kernel
def loads(model: Model, work: Work, y: Floats) -> None:
    """Force and torque about the mass centre of every body; potential, and power of what has none."""
    n, potential = model.shape[BODIES], 0.0
    g = (model.gravity[0], model.gravity[1], model.gravity[2])
    for i in range(n):
        m = 1.0 / model.inverse_mass[i]
        potential -= m * dot(g, at(work.x, i, 0))
        for k in range(3):
            work.load[i, k], work.load[i, 3 + k] = m * g[k], 0.0
    for k in range(len(model.force_body)):
        i, F = model.force_body[k], at(model.force, k, 3)
        arm = turned(work.R, i, at(model.force, k, 0))
        _act(work, i, arm, F)
        potential -= dot(F, plus(at(work.x, i, 0), arm))
    work.figures[POTENTIAL], work.figures[POWER] = potential, 0.0
    for k in range(len(model.torque_body)):
        i, torque = model.torque_body[k], at(model.torque, k, 0)
        add(work.load, i, 3, torque)
        work.figures[POWER] += dot(torque, at(work.w, i, 0))
    for k in range(len(model.spring_body)):
        _spring(model, work, k)
    for k in range(len(model.torsion_body)):
        _torsion(model, work, y, k)


@kernel
def _act(work: Work, i: int, arm: Vector, force: Vector) -> None:
    add(work.load, i, 0, force)
    add(work.load, i, 3, cross(arm, force))


@kernel
def _spring(model: Model, work: Work, k: int) -> None:
    """Tension k (l - l₀) + c dl/dt."""
    i, j = model.spring_body[k, 0], model.spring_body[k, 1]
    r1, r2 = turned(work.R, i, at(model.spring, k, 0)), turned(work.R, j, at(model.spring, k, 3))
    d = minus(plus(at(work.x, j, 0), r2), plus(at(work.x, i, 0), r1))
    stiffness, rest, damping = model.spring[k, 6], model.spring[k, 7], model.spring[k, 8]
    size = length(d)
    n = times(1.0 / size, d) if size > 0.0 else (0.0, 0.0, 0.0)
    rate = dot(n, minus(plus(at(work.v, j, 0), cross(at(work.w, j, 0), r2)),
                        plus(at(work.v, i, 0), cross(at(work.w, i, 0), r1))))
    pull = times(stiffness * (size - rest) + damping * rate, n)
    _act(work, i, r1, pull)
    _act(work, j, r2, times(-1.0, pull))
    work.figures[POTENTIAL] += 0.5 * stiffness * (size - rest) ** 2
    work.figures[POWER] -= damping * rate * rate


@kernel
def turn(model: Model, work: Work, y: Floats, k: int) -> float:
    """Angle of a torsion spring since the start; in space the arc tangent, moved to the turn that is counted."""
    i, j = model.torsion_body[k, 0], model.torsion_body[k, 1]
    if model.shape[PLANAR]:
        return work.angle[j] - work.angle[i] - model.torsion[k, 3]
    found, near = angle_between(work, model.torsion, k, i, j), y[counted(model, y, k)]
    return found + 2.0 * math.pi * math.floor((near - found) / (2.0 * math.pi) + 0.5)


@kernel
def _torsion(model: Model, work: Work, y: Floats, k: int) -> None:
    """Torque k (φ - φ₀) + c dφ/dt against the angle of a hinge."""
    i, j = model.torsion_body[k, 0], model.torsion_body[k, 1]
    e = turned(work.R, i, at(model.torsion, k, U))
    stiffness, damping = model.torsion[k, 9], model.torsion[k, 11]
    away = turn(model, work, y, k) - model.torsion[k, 10]
    rate = dot(e, minus(at(work.w, j, 0), at(work.w, i, 0)))
    torque = times(stiffness * away + damping * rate, e)
    add(work.load, i, 3, torque)
    add(work.load, j, 3, times(-1.0, torque))
    work.figures[POTENTIAL] += 0.5 * stiffness * away * away
    work.figures[POWER] -= damping * rate * rate


@kernel
def kinetic(model: Model, work: Work) -> None:
    """½ m v² + ½ ω·L over all bodies."""
    total = 0.0
    for i in range(model.shape[BODIES]):
        v = at(work.v, i, 0)
        total += 0.5 * dot(v, v) / model.inverse_mass[i] + 0.5 * dot(at(work.w, i, 0), at(work.momentum, i, 0))
    work.figures[KINETIC] = total
