"""Sliding contacts: the normal force drags against the slip, as part of the rows (002 eqs 3.61-3.63)."""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Ints, small_kernel
from granum.mechanisms.rows import normal_of
from granum.mechanisms.tables import FIXED, HOLDS, JOINT, KIND, PLANAR, RATE, REACH, SLIDES, Frictions, J, Tables, W
from granum.mechanisms.vectors import Vector, at, cross, dot, length, minus, plus, put, times

SLOW = 1e-9
"""Slip [m/s] below which its direction is not seen."""


@small_kernel
def slip_of(
    bodies: Floats, joints: Floats, ends: Ints, rows: Floats, which: Ints, frictions: Frictions, k: int,
) -> tuple[Vector, Vector]:
    """Normal and velocity of slip, second body against first, of a sliding contact."""
    r = frictions.row[k]
    j = which[r, JOINT]
    n, _ = normal_of(joints, rows, r, j, which[r, KIND] == FIXED)
    rolling = minus(times(frictions.numbers[k, 2], at(bodies, ends[j, 1], W)),
                    times(frictions.numbers[k, 1], at(bodies, ends[j, 0], W)))
    slip = plus(at(joints, j, RATE), cross(rolling, n))
    return n, minus(slip, times(dot(n, slip), n))


@small_kernel
def _direction(frictions: Frictions, k: int, n: Vector, slip: Vector, planar: int) -> Vector:
    """Unit vector of slip. In 2-D it is the tangent of the moment with the sign that holds until the event that ends
    it, so that the right-hand side stays smooth within a step; in 3-D it turns with the slip.
    """
    if planar:
        return times(frictions.numbers[k, 3], _tangent(n))
    speed = length(slip)
    if speed < SLOW:
        return at(frictions.numbers, k, 3)
    return times(1.0 / speed, slip)


@small_kernel
def _tangent(n: Vector) -> Vector:
    """The normal of a 2-D contact rotated by a right angle."""
    return -n[1], n[0], 0.0


@small_kernel
def rub(tables: Tables, frictions: Frictions, half: int) -> None:
    """D = J with the friction that each normal force of a sliding contact brings along."""
    rows = tables.rows
    for r in range(len(rows)):
        for c in range(2 * half):
            rows[r, J + 4 * half + c] = rows[r, J + c]
    for k in range(len(frictions.row)):
        r = frictions.row[k]
        j = tables.which[r, JOINT]
        n, slip = slip_of(tables.bodies, tables.joints, tables.ends, rows, tables.which, frictions, k)
        force = times(-frictions.numbers[k, 0], _direction(frictions, k, n, slip, half == 3))
        for side in range(2):
            sign, o = 2.0 * side - 1.0, J + (4 + side) * half
            arm = plus(at(tables.joints, j, REACH + 3 * side), times(frictions.numbers[k, 1 + side], n))
            torque = cross(arm, force)
            if half == 3:
                rows[r, o] += sign * force[0]
                rows[r, o + 1] += sign * force[1]
                rows[r, o + 2] += sign * torque[2]
            else:
                for c in range(3):
                    rows[r, o + c] += sign * force[c]
                    rows[r, o + 3 + c] += sign * torque[c]


@small_kernel
def lose(tables: Tables, frictions: Frictions, half: int) -> None:
    """Power of each sliding friction."""
    first = len(tables.figures) - len(frictions.row)
    for k in range(len(frictions.row)):
        n, slip = slip_of(tables.bodies, tables.joints, tables.ends, tables.rows, tables.which, frictions, k)
        along = dot(_direction(frictions, k, n, slip, half == 3), slip)
        tables.figures[first + k] = -frictions.numbers[k, 0] * tables.multiplier[frictions.row[k]] * along


@small_kernel
def note_slip(tables: Tables, frictions: Frictions) -> None:
    """Store the directions of slip: in 2-D the sign along the tangent, in 3-D the unit vector."""
    for k in range(len(frictions.row)):
        n, slip = slip_of(tables.bodies, tables.joints, tables.ends, tables.rows, tables.which, frictions, k)
        speed = length(slip)
        if speed > SLOW and tables.shape[PLANAR]:
            frictions.numbers[k, 3] = 1.0 if dot(_tangent(n), slip) > 0.0 else -1.0
        elif speed > SLOW:
            put(frictions.numbers, k, 3, times(1.0 / speed, slip))


@small_kernel
def watch_contacts(tables: Tables, frictions: Frictions, g: Floats) -> None:
    """What stays positive while contacts are what they are taken for: pressing, friction to spare, slip."""
    for k in range(len(frictions.watch)):
        kind, r, sign = frictions.watch[k, 0], frictions.watch[k, 1], frictions.limit[k, 0]
        if kind == SLIDES:
            n, slip = slip_of(tables.bodies, tables.joints, tables.ends, tables.rows, tables.which, frictions, r)
            if tables.shape[PLANAR]:
                g[k] = frictions.numbers[r, 3] * dot(_tangent(n), slip)
            else:
                g[k] = dot(at(frictions.numbers, r, 3), slip)
            continue
        g[k] = sign * tables.multiplier[r]
        if kind == HOLDS:
            square = 0.0
            for tangent in range(frictions.watch[k, 2]):
                square += tables.multiplier[r + 1 + tangent] ** 2
            g[k] = frictions.limit[k, 1] * g[k] - math.sqrt(square)
