"""All rows of a state: value, rate, row blocks of both bodies, and the right-hand side of J a = b.

`rows/elements` has the elementary rows and their formulas.
"""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Ints, small_kernel
from granum.base.pointers import block_reader, call_rates, carray, right_hand_side
from granum.base.vectors import at, cross, minus, plus, put, rotated
from granum.rows.elements import angle, carried, distance, fixed, oval, roll, spin, square
from granum.rows.state import state_size, unpack
from granum.rows.tables import (
    ACCELERATION,
    ANGLE,
    APART,
    ARM,
    CARRIED,
    CENTRE,
    DISTANCE,
    DRIVE,
    DRIVE_WIDTH,
    DRIVES,
    FIXED,
    JOINT,
    KIND,
    MOTION,
    OFFSET,
    OVAL,
    PLANAR,
    RATE,
    REACH,
    ROLL,
    ROLL_FLAT,
    ROLL_OVAL,
    SPEED,
    SPIN_FLAT,
    SQUARE,
    Tables,
)
from granum.state.table import ROTATION, VX, WX, BodyTable, X

evaluate_fixed, evaluate_carried, evaluate_square = fixed.evaluate, carried.evaluate, square.evaluate
evaluate_angle, evaluate_distance = angle.evaluate, distance.evaluate
evaluate_roll, evaluate_spin, evaluate_oval = roll.evaluate, spin.evaluate, oval.evaluate


@small_kernel
def geometry(bodies: BodyTable, joints: Floats, ends: Ints) -> None:
    """Arms, distance of the points, its rate and c, for each joint."""
    pose, motion, derived = bodies.pose, bodies.motion, bodies.derived
    for j in range(len(ends)):
        i, k = ends[j, 0], ends[j, 1]
        w1, w2 = at(motion, i, WX), at(motion, k, WX)
        r1 = rotated(derived, i, ROTATION, at(joints, j, ARM))
        r2 = rotated(derived, k, ROTATION, at(joints, j, ARM + 3))
        s1, s2 = cross(w1, r1), cross(w2, r2)
        put(joints, j, REACH, r1)
        put(joints, j, REACH + 3, r2)
        put(joints, j, APART, minus(plus(at(pose, k, X), r2), plus(at(pose, i, X), r1)))
        put(joints, j, RATE, minus(plus(at(motion, k, VX), s2), plus(at(motion, i, VX), s1)))
        put(joints, j, CENTRE, minus(cross(w2, s2), cross(w1, s1)))


@small_kernel
def evaluate_rows(tables: Tables, bodies: BodyTable) -> None:
    """Every row for bodies of a table; drives are known."""
    joints, ends, rows = tables.joints, tables.ends, tables.rows
    planar = tables.shape[PLANAR]
    for r in range(len(tables.which)):
        j, kind, drive = tables.which[r, JOINT], tables.which[r, KIND], tables.which[r, DRIVE]
        i, k = ends[j, 0], ends[j, 1]
        if kind == FIXED:
            value, rate, b = evaluate_fixed(joints, rows, planar, r, j)
        elif kind == CARRIED:
            value, rate, b = evaluate_carried(bodies, joints, rows, planar, r, j, i)
        elif kind == SQUARE:
            value, rate, b = evaluate_square(bodies, rows, planar, r, i, k)
        elif kind == ANGLE:
            value, rate, b = evaluate_angle(bodies, rows, planar, r, i, k)
        elif kind == DISTANCE:
            value, rate, b = evaluate_distance(joints, rows, planar, r, j)
        elif kind in (ROLL, ROLL_FLAT):
            value, rate, b = evaluate_roll(bodies, joints, rows, planar, r, j, i, k, kind == ROLL_FLAT)
        elif kind in (OVAL, ROLL_OVAL):
            value, rate, b = evaluate_oval(bodies, joints, rows, planar, r, j, k, kind == ROLL_OVAL)
        else:
            value, rate, b = evaluate_spin(bodies, joints, rows, planar, r, j, i, k, kind == SPIN_FLAT)
        value -= rows[r, OFFSET]
        if drive >= 0:
            o = DRIVE_WIDTH * drive
            value -= tables.drive[o + MOTION]
            if kind == ANGLE and not planar:  # an arc tangent knows no full turns, a drive does
                value -= 2.0 * math.pi * math.floor(value / (2.0 * math.pi) + 0.5)
            rate -= tables.drive[o + SPEED]
            b += tables.drive[o + ACCELERATION]
        tables.value[r], tables.rate[r], tables.b[r] = value, rate, b


@small_kernel
def configure(tables: Tables, t: float, y: Floats) -> None:
    """Bodies, drives and rows of a state."""
    unpack(tables.shape, tables.bodies, y)
    if tables.shape[DRIVES] != 0:
        call_rates(tables.shape[DRIVES], t, y, tables.drive, tables.steering)
    geometry(tables.bodies, tables.joints, tables.ends)
    evaluate_rows(tables, tables.bodies)


read_tables = block_reader(Tables)


@right_hand_side
def configuration(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """Bodies and rows of one state, left in the tables."""
    tables = read_tables(data_)
    configure(tables, t, carray(y_, state_size(tables.shape)))
    return 0
