"""Sliding contacts: the normal force drags against the slip, as part of the rows (Sun 1996, eqs. 3.61-3.63)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.errors import SceneError
from granum.base.kernels import Floats, Ints, small_kernel
from granum.base.pointers import FloatGrid, IntGrid
from granum.base.vectors import Vector, at, cross, dot, length, minus, plus, put, times
from granum.rows.contact import undetermined_normal
from granum.rows.elements.roll import normal_of
from granum.rows.redundancy import CARRIES
from granum.rows.system import RowSystem
from granum.rows.tables import FIXED, JOINT, KIND, PLANAR, RATE, REACH, SQUARE, J, Tables
from granum.state.table import WX

SLOW = 1e-9
"""Slip [m/s] below which its direction is not seen."""
PRESSES, HOLDS, SLIDES, NEVER = 0, 1, 2, 3
"""Kinds of events: a contact presses, and enough for what it holds (friction of rolling, the moment on a line of
contact); a contact slides on; none, where the joints leave the normal force open."""
COEFFICIENT, REACH_1, REACH_2, SLIP, WIDTH = 0, 1, 2, 3, 6
"""Columns of `numbers`: coefficient signed like the normal force that presses, signed radii of both bodies, and the
direction of slip at the last step: in 3-D a unit vector, in 2-D the sign along the tangent (first number)."""
EVENT, ROW, HELD, COUNT = 0, 1, 2, 3
"""Columns of `watch`: kind, row of the normal force (or number of the sliding contact), first row that is held and
how many of them."""
SIGN, LIMIT = 0, 1
"""Columns of `limit`: sign of a multiplier that presses, coefficient of friction or half the line of contact [m]."""


class Frictions(NamedTuple):
    """Sliding contacts, and what ends the validity of contacts."""

    row: Ints
    """Rows of their normal forces."""
    numbers: FloatGrid
    watch: IntGrid
    """A row for each event."""
    limit: FloatGrid
    """A row for each event."""


def make_frictions(system: RowSystem) -> tuple[Frictions, tuple[str, ...]]:
    """Sliding contacts and events of a system, and what each event means."""
    sliding = [(int(k), joint.friction) for k, joint in zip(system.first, system.joints, strict=False)
               if joint.friction is not None]
    events, limits, reports, slides = [], [], [], 0
    for k, joint in enumerate(system.joints):
        if not joint.contact:
            continue
        events.append((PRESSES, system.first[k], 0, 0))
        limits.append((joint.presses, 0.0))
        reports.append(f'{joint.name}: "{joint.two.name}" separates from "{joint.one.name}".')
        if joint.limit is not None:
            events.append((HOLDS, system.first[k], system.first[k] + 1, system.dimension - 1))
            limits.append((joint.presses, joint.limit))
            reports.append(f'{joint.name}: "{joint.two.name}" begins to slip: the friction coefficient {joint.limit:g} '
                           "is too small.")
        if joint.half_length is not None:
            moment = next(r for r, row in enumerate(joint.rows) if row.element == SQUARE)
            events.append((HOLDS, system.first[k], system.first[k] + moment, 1))
            limits.append((joint.presses, joint.half_length))
            reports.append(f'{joint.name}: "{joint.two.name}" tips over its end.')
        if joint.friction is not None:
            events.append((SLIDES, slides, 0, 0))
            limits.append((joint.presses, 0.0))
            reports.append(f'{joint.name}: "{joint.two.name}" stops slipping on "{joint.one.name}".')
            slides += 1
    return Frictions(
        np.array([row for row, _ in sliding], dtype=np.int64),
        np.array([[*values, 0.0, 0.0, 0.0] for _, values in sliding], dtype=float).reshape(-1, WIDTH),
        np.array(events, dtype=np.int64).reshape(-1, 4), np.array(limits, dtype=float).reshape(-1, 2)), tuple(reports)


def pass_over(system: RowSystem, frictions: Frictions, stresses: Floats) -> None:
    """Look for no event of contacts whose normal force the joints leave open, as axles do that of two gears.

    Refuses friction that such a force would limit.
    """
    carried = np.abs(stresses).max(axis=1, initial=0.0) > CARRIES
    contacts = [(k, joint) for k, joint in enumerate(system.joints)
                if joint.contact and carried[system.first[k]]]
    problems = [undetermined_normal(joint.name, joint.two.name, joint.one.name) for _, joint in contacts
                if joint.limit is not None or joint.friction is not None]
    if problems:
        raise SceneError(problems)
    for k, _ in contacts:
        of_row = (frictions.watch[:, ROW] == system.first[k]) & (frictions.watch[:, EVENT] != SLIDES)
        frictions.watch[of_row, EVENT] = NEVER


@small_kernel
def slip_of(
    motion: Floats, joints: Floats, ends: Ints, rows: Floats, which: Ints, frictions: Frictions, k: int,
) -> tuple[Vector, Vector]:
    """Normal and velocity of slip, second body against first, of a sliding contact."""
    r = frictions.row[k]
    j = which[r, JOINT]
    n, _ = normal_of(joints, rows, r, j, which[r, KIND] == FIXED)
    rolling = minus(times(frictions.numbers[k, REACH_2], at(motion, ends[j, 1], WX)),
                    times(frictions.numbers[k, REACH_1], at(motion, ends[j, 0], WX)))
    slip = plus(at(joints, j, RATE), cross(rolling, n))
    return n, minus(slip, times(dot(n, slip), n))


@small_kernel
def _direction(frictions: Frictions, k: int, n: Vector, slip: Vector, planar: int) -> Vector:
    """Unit vector of slip. In 2-D it is the tangent of the moment with the sign that holds until the event that ends
    it, so that the right-hand side stays smooth within a step; in 3-D it turns with the slip.
    """
    if planar:
        return times(frictions.numbers[k, SLIP], _tangent(n))
    speed = length(slip)
    if speed < SLOW:
        return at(frictions.numbers, k, SLIP)
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
        n, slip = slip_of(tables.bodies.motion, tables.joints, tables.ends, rows, tables.which, frictions, k)
        force = times(-frictions.numbers[k, COEFFICIENT], _direction(frictions, k, n, slip, half == 3))
        for side in range(2):
            sign, o = 2.0 * side - 1.0, J + (4 + side) * half
            arm = plus(at(tables.joints, j, REACH + 3 * side), times(frictions.numbers[k, REACH_1 + side], n))
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
        n, slip = slip_of(tables.bodies.motion, tables.joints, tables.ends, tables.rows, tables.which, frictions, k)
        along = dot(_direction(frictions, k, n, slip, half == 3), slip)
        tables.figures[first + k] = -frictions.numbers[k, COEFFICIENT] * tables.multiplier[frictions.row[k]] * along


@small_kernel
def note_slip(tables: Tables, frictions: Frictions) -> None:
    """Store the directions of slip: in 2-D the sign along the tangent, in 3-D the unit vector."""
    for k in range(len(frictions.row)):
        n, slip = slip_of(tables.bodies.motion, tables.joints, tables.ends, tables.rows, tables.which, frictions, k)
        speed = length(slip)
        if speed > SLOW and tables.shape[PLANAR]:
            frictions.numbers[k, SLIP] = 1.0 if dot(_tangent(n), slip) > 0.0 else -1.0
        elif speed > SLOW:
            put(frictions.numbers, k, SLIP, times(1.0 / speed, slip))


@small_kernel
def watch_contacts(tables: Tables, frictions: Frictions, g: Floats) -> None:
    """What stays positive while contacts are what they are taken for: pressing, friction to spare, slip."""
    for k in range(len(frictions.watch)):
        kind, r, sign = frictions.watch[k, EVENT], frictions.watch[k, ROW], frictions.limit[k, SIGN]
        if kind == NEVER:
            g[k] = 1.0
            continue
        if kind == SLIDES:
            n, slip = slip_of(tables.bodies.motion, tables.joints, tables.ends, tables.rows, tables.which, frictions, r)
            if tables.shape[PLANAR]:
                g[k] = frictions.numbers[r, SLIP] * dot(_tangent(n), slip)
            else:
                g[k] = dot(at(frictions.numbers, r, SLIP), slip)
            continue
        g[k] = sign * tables.multiplier[r]
        if kind == HOLDS:
            square = 0.0
            for held in range(frictions.watch[k, HELD], frictions.watch[k, HELD] + frictions.watch[k, COUNT]):
                square += tables.multiplier[held] ** 2
            g[k] = frictions.limit[k, LIMIT] * g[k] - math.sqrt(square)
