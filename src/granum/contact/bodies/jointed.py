"""Joints inside a step of contact: the rows of the assembly, solved exactly between sweeps of contacts.

A step from (q⁻, v⁻) takes rows J at q⁻ + h v⁻/2, with the inertia that contacts meet, and factors J M⁻¹ Jᵀ once. With
b = -(dJ/dt) v and Δ what a drive moves in the step over h,

    before the move    J v = Δ            of what the bodies move with: values stay as they are to O(h³)
    after the move     J v = ḋ + h b/2    velocities belong to the rows where the bodies are then

so that impulses of joints do no work but O(h³) in a step, which shows as an error of the energy. What is left of the
values is corrected by moves, with the overlaps. Loads push with their values at q⁻ + h v⁻/2, which with a drift by
v⁻ + h a/2 is position Verlet: springs neither gain nor lose energy.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints, small_kernel
from granum.base.pointers import (
    FloatGrid,
    IntGrid,
    block_reader,
    call_rates,
    pack_block,
    right_hand_side,
)
from granum.base.vectors import at, cross, put
from granum.base.vectors import rotated as rotated_by
from granum.contact.impulses import add_angular, add_linear
from granum.grains.state import Int32s
from granum.loads.load import ELASTIC, STORED, VISCOUS
from granum.loads.tables import ENERGIES, POWERS, PROGRAM, Loads, apply_load, count_turns, evaluate_expressed
from granum.rows.elimination import Elimination, factor, solve
from granum.rows.evaluation import evaluate_rows, geometry
from granum.rows.independence import DEPENDENT, choose
from granum.rows.tables import (
    ANGLE,
    ANGLE_Z,
    BODIES,
    DRIVE,
    DRIVE_WIDTH,
    DRIVES,
    INVERSE,
    JOINT,
    KIND,
    LOAD,
    MOTION,
    PLANAR,
    SPEED,
    SQUARE,
    A,
    J,
    R,
    Tables,
    V,
    W,
    X,
)
from granum.state import table as state
from granum.state.rotation import rotated
from granum.state.rotation import times as multiply

LOAD_ROW, FIRST_BODY = 0, 1
"""Columns of `which`."""
OFF, TURNED, DROPPED, SUMS = range(4)
"""Entries of `sums`: the largest error of a distance [m] and of an angle [rad] since it was asked for, rows that
restrain nothing new; then the work since the start of each load, of springs that of their dampers, of each drive, and
of each load without a kernel [J]."""
PHASE, STEP, SWEEP, SMALL, NUMBERS = range(5)
"""Numbers that `program` is given: what to do, the length of the step [s], the number of the sweep, and the square of
the velocity by which a body must change to count [m²/s²]."""
BEGIN, SHIFT, CLOSE, RELAX, ACCOUNT, STORE = range(6)
"""What `program` does."""


class Jointed(NamedTuple):
    """Joints and loads on bodies, as tables of `rows` and `loads`, and what a step needs beyond."""

    tables: Tables
    loads: Loads
    elimination: Elimination
    row: Ints
    """(bodies,): row of each among all bodies."""
    which: IntGrid
    """(loads, 3): row in its table, bodies it acts on (the second is the ground for force and torque)."""
    pushes: FloatGrid
    """(loads, 12): impulses and angular impulses of a step on both bodies; of springs, those of their dampers."""
    impulse: Floats
    """(rows,): multipliers of a step [N s, N m s]."""
    begin: Floats
    """(rows,): J v⁻."""
    drive: Floats
    """(rows,): what a drive moves in the step, over h."""
    close: Floats
    """(rows,): what J v is before the move."""
    after: Floats
    """(rows,): what J v is after it."""
    off: Floats
    """(rows,): values where the step begins."""
    right: Floats
    y: Floats
    """State of the bodies, of which only counted angles are used."""
    sums: Floats
    stored: Floats
    """What each load with a kernel, and each load by a potential energy, held when it was asked for last [J]."""
    thrusts: FloatGrid
    """(forces of loads without a kernel, 6): impulse and angular impulse of a step on a body."""
    thrusting: Ints
    """Entry of `sums` that the work of each of them is added to."""


class Moving(NamedTuple):
    """Joints, and the arrays of all bodies that they read and write."""

    joints: Jointed
    pose: FloatGrid
    inertia: FloatGrid
    motion: FloatGrid
    before: FloatGrid
    shift: FloatGrid
    contact_count: Int32s
    changed: Int32s
    numbers: Floats
    """What `program` is given."""


class JointCalls(NamedTuple):
    """Joints as the loop of steps has them."""

    program: int
    """Address of `program`; 0 without joints, of which nothing is compiled then."""
    moving: Floats
    """Block of `Moving`."""
    numbers: Floats
    """Those of `Moving`."""


@small_kernel
def _rotate(bodies: Floats, i: int, a: float, b: float, c: float, d: float) -> None:
    """Rotation of a unit quaternion."""
    put(bodies, i, R, (1.0 - 2.0 * (c * c + d * d), 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)))
    put(bodies, i, R + 3, (2.0 * (b * c + a * d), 1.0 - 2.0 * (b * b + d * d), 2.0 * (c * d - a * b)))
    put(bodies, i, R + 6, (2.0 * (b * d - a * c), 2.0 * (c * d + a * b), 1.0 - 2.0 * (b * b + c * c)))


@small_kernel
def _take(tables: Tables, row: Ints, pose: Floats, inertia: Floats, motion: Floats, velocity: Floats) -> None:
    """Bodies as they are, with given velocities; the angular acceleration is that of free rotation, -I⁻¹ (ω × I ω)."""
    bodies = tables.bodies
    for k in range(tables.shape[BODIES]):
        i = row[k]
        a, b, c, d = pose[i, state.QA], pose[i, state.QB], pose[i, state.QC], pose[i, state.QD]
        put(bodies, k, X, at(pose, i, state.X))
        put(bodies, k, V, at(velocity, i, state.VX))
        put(bodies, k, W, at(velocity, i, state.WX))
        _rotate(bodies, k, a, b, c, d)
        (xx, yy, zz), (xy, xz, yz) = at(motion, i, state.INVERSE), at(motion, i, state.INVERSE + 3)
        put(bodies, k, INVERSE, (xx, xy, xz))
        put(bodies, k, INVERSE + 3, (xy, yy, yz))
        put(bodies, k, INVERSE + 6, (xz, yz, zz))
        put(bodies, k, A, (0.0, 0.0, 0.0))
        if tables.shape[PLANAR]:
            found, near = 2.0 * math.atan2(d, a), bodies[k, ANGLE_Z]
            bodies[k, ANGLE_Z] = found + 2.0 * math.pi * math.floor((near - found) / (2.0 * math.pi) + 0.5)
            put(bodies, k, A + 3, (0.0, 0.0, 0.0))
        else:
            wx, wy, wz = rotated(a, -b, -c, -d, velocity[i, state.WX], velocity[i, state.WY], velocity[i, state.WZ])
            lx, ly, lz = multiply(inertia, i, 0, wx, wy, wz)
            l = rotated(a, b, c, d, lx, ly, lz)
            put(bodies, k, A + 3, rotated_by(bodies, k, INVERSE, cross(l, at(bodies, k, W))))


@small_kernel
def _go_on(tables: Tables, row: Ints, pose: Floats, h: float) -> None:
    """Move the bodies on for a time h with the velocities they have."""
    bodies = tables.bodies
    for k in range(tables.shape[BODIES]):
        i = row[k]
        a, b, c, d = pose[i, state.QA], pose[i, state.QB], pose[i, state.QC], pose[i, state.QD]
        for axis in range(3):
            bodies[k, X + axis] += h * bodies[k, V + axis]
        bodies[k, ANGLE_Z] += h * bodies[k, W + 2]
        x, y, z = 0.5 * h * bodies[k, W], 0.5 * h * bodies[k, W + 1], 0.5 * h * bodies[k, W + 2]
        p, q = a - x * b - y * c - z * d, b + x * a + y * d - z * c
        r, s = c + y * a + z * b - x * d, d + z * a + x * c - y * b
        size = (p * p + q * q + r * r + s * s) ** -0.5
        _rotate(bodies, k, size * p, size * q, size * r, size * s)


@small_kernel
def _along(tables: Tables, table: Floats, row: Ints, r: int) -> float:
    """J_r times velocities or moves of both bodies; `row` says in which rows of the table they are."""
    j, planar, total, rows = tables.which[r, JOINT], tables.shape[PLANAR], 0.0, tables.rows
    for side in range(2):
        k = tables.ends[j, side]
        if k == tables.shape[BODIES]:
            continue
        i = row[k]
        if planar:
            o = J + 3 * side
            total += (rows[r, o] * table[i, state.VX] + rows[r, o + 1] * table[i, state.VY]
                      + rows[r, o + 2] * table[i, state.WZ])
        else:
            o = J + 6 * side
            for axis in range(3):
                total += (rows[r, o + axis] * table[i, state.VX + axis]
                          + rows[r, o + 3 + axis] * table[i, state.WX + axis])
    return total


@small_kernel
def _apply(tables: Tables, table: Floats, row: Ints, multiplier: Floats) -> None:
    """Add M⁻¹ Jᵀ λ to velocities or moves."""
    planar, half, rows = tables.shape[PLANAR], 6 - 3 * tables.shape[PLANAR], tables.rows
    for r in range(len(multiplier)):
        j, size = tables.which[r, JOINT], multiplier[r]
        for side in range(2):
            k = tables.ends[j, side]
            if k == tables.shape[BODIES]:
                continue
            i, o = row[k], J + (2 + side) * half
            if planar:
                table[i, state.VX] += size * rows[r, o]
                table[i, state.VY] += size * rows[r, o + 1]
                table[i, state.WZ] += size * rows[r, o + 2]
            else:
                add_linear(table, i, size, at(rows, r, o))
                add_angular(table, i, size, at(rows, r, o + 3))


@small_kernel
def _drive(tables: Tables, t: float, y: Floats) -> None:
    """Motion, rate and acceleration of all drives at a time."""
    if tables.shape[DRIVES] != 0:
        call_rates(tables.shape[DRIVES], t, y, tables.drive, tables.steering)


@small_kernel
def _configure(tables: Tables) -> None:
    geometry(tables.bodies, tables.joints, tables.ends)
    evaluate_rows(tables)


@small_kernel
def _factor(tables: Tables, e: Elimination) -> int:
    return factor(tables.bodies, tables.ends, tables.rows, tables.which, 6 - 3 * tables.shape[PLANAR], e)


@small_kernel
def _choose(tables: Tables, e: Elimination) -> int:
    return choose(tables.bodies, tables.ends, tables.rows, tables.which, 6 - 3 * tables.shape[PLANAR], e, DEPENDENT)


@small_kernel
def begin_joints(own: Jointed, pose: Floats, inertia: Floats, motion: Floats, before: Floats, degree: Int32s, t: float,
                 h: float) -> None:
    """Rows, factors and what is asked of them in a step from t; loads push. Joints count as two contacts of a body."""
    tables, sums = own.tables, own.sums
    for j in range(len(tables.ends)):
        for side in range(2):
            if tables.ends[j, side] < tables.shape[BODIES]:
                degree[own.row[tables.ends[j, side]]] = 2
    _take(tables, own.row, pose, inertia, motion, before)
    _drive(tables, t, own.y)
    _configure(tables)
    # rows that restrain nothing new are found where the joints hold; between positions of the bodies they seem to
    sums[DROPPED] = _choose(tables, own.elimination)
    for r in range(len(own.off)):
        own.off[r], kind, drive = tables.value[r], tables.which[r, KIND], tables.which[r, DRIVE]
        entry = TURNED if kind in (ANGLE, SQUARE) else OFF
        sums[entry] = abs(own.off[r]) if not abs(own.off[r]) <= sums[entry] else sums[entry]
        own.drive[r] = -tables.drive[DRIVE_WIDTH * drive + MOTION] / h if drive >= 0 else 0.0
        own.impulse[r] = 0.0
    count_turns(tables.shape, tables.bodies, own.loads, t, own.y)
    _drive(tables, t + h, own.y)
    for r in range(len(own.off)):
        drive = tables.which[r, DRIVE]
        own.drive[r] += tables.drive[DRIVE_WIDTH * drive + MOTION] / h if drive >= 0 else 0.0
        own.after[r] = tables.drive[DRIVE_WIDTH * drive + SPEED] if drive >= 0 else 0.0
    for k in range(len(tables.drive)):
        tables.drive[k] = 0.0
    _go_on(tables, own.row, pose, 0.5 * h)
    _configure(tables)
    _factor(tables, own.elimination)
    for r in range(len(own.off)):
        own.begin[r] = _along(tables, before, own.row, r)
        free = _free_rotation(tables, r)
        own.close[r] = own.drive[r] - 0.5 * h * free
        own.after[r] += 0.5 * h * tables.b[r] - h * free
    for l in range(len(own.which)):
        _push(own, motion, l, h)
    if own.loads.expressed[PROGRAM] != 0:
        _thrust(own, motion, t + 0.5 * h, h)


@small_kernel
def _free_rotation(tables: Tables, r: int) -> float:
    """J_r times the accelerations of free rotation."""
    if tables.shape[PLANAR]:
        return 0.0
    j, total = tables.which[r, JOINT], 0.0
    for side in range(2):
        i, o = tables.ends[j, side], J + 6 * side + 3
        for axis in range(3):
            total += tables.rows[r, o + axis] * tables.bodies[i, A + 3 + axis]
    return total


@small_kernel
def _act(tables: Tables, loads: Loads, y: Floats, n: int, elastic: float, viscous: float) -> None:
    """Add a load, by its row, to the forces on its two bodies; of a spring its elastic or its viscous part, or both."""
    loads.load[n, ELASTIC], loads.load[n, VISCOUS] = elastic, viscous
    apply_load(tables.shape, tables.bodies, loads, 0.0, y, n)


@small_kernel
def _clear(bodies: Floats, which: Ints, l: int) -> None:
    """No forces on the bodies of a load."""
    for side in range(2):
        put(bodies, which[l, FIRST_BODY + side], LOAD, (0.0, 0.0, 0.0))
        put(bodies, which[l, FIRST_BODY + side], LOAD + 3, (0.0, 0.0, 0.0))


@small_kernel
def _push(own: Jointed, motion: Floats, l: int, h: float) -> None:
    """Impulse of a load in a step. What has no potential is kept apart, for its work."""
    tables, bodies, n = own.tables, own.tables.bodies, own.which[l, LOAD_ROW]
    _clear(bodies, own.which, l)
    _act(tables, own.loads, own.y, n, 0.0, 1.0)
    for side in range(2):
        k = own.which[l, FIRST_BODY + side]
        for axis in range(6):
            own.pushes[l, 6 * side + axis] = h * bodies[k, LOAD + axis] if k < tables.shape[BODIES] else 0.0
    _act(tables, own.loads, own.y, n, 1.0, 0.0)
    for side in range(2):
        k = own.which[l, FIRST_BODY + side]
        if k < tables.shape[BODIES]:
            row = own.row[k]
            add_linear(motion, row, motion[row, state.IM] * h, at(bodies, k, LOAD))
            add_angular(motion, row, h, rotated_by(bodies, k, INVERSE, at(bodies, k, LOAD + 3)))


@small_kernel
def _thrust(own: Jointed, motion: Floats, t: float, h: float) -> None:
    """Impulses of actuators and other loads without a kernel in a step."""
    tables, loads, values = own.tables, own.loads, own.loads.expressed_values
    for n in range(len(loads.expressed_angles)):  # angles where the bodies are now
        apply_load(tables.shape, tables.bodies, loads, t, own.y, loads.expressed_angles[n, 1])
    evaluate_expressed(tables.bodies, loads, t)
    for n in range(len(own.thrusts)):
        k, first = loads.expressed_body[n], loads.expressed[ENERGIES] + loads.expressed[POWERS] + 6 * n
        for axis in range(6):
            own.thrusts[n, axis] = h * values[first + axis]
        add_linear(motion, own.row[k], motion[own.row[k], state.IM], at(own.thrusts, n, 0))
        add_angular(motion, own.row[k], 1.0, rotated_by(tables.bodies, k, INVERSE, at(own.thrusts, n, 3)))


@small_kernel
def stored_energy(own: Jointed, pose: Floats, inertia: Floats, motion: Floats) -> None:
    """What each spring, and each load by a potential energy, holds where the bodies are now."""
    _take(own.tables, own.row, pose, inertia, motion, motion)
    for l in range(len(own.which)):
        n = own.which[l, LOAD_ROW]
        _clear(own.tables.bodies, own.which, l)
        _act(own.tables, own.loads, own.y, n, 1.0, 0.0)
        own.stored[l] = own.loads.load[n, STORED]
    if own.loads.expressed[ENERGIES] > 0:
        call_rates(own.loads.expressed[PROGRAM], 0.0, own.tables.bodies, own.loads.expressed_values,
                   own.loads.expressed_data)
        for k in range(own.loads.expressed[ENERGIES]):
            own.stored[len(own.which) + k] = own.loads.expressed_values[k]


@small_kernel
def solve_joints(own: Jointed, motion: Floats, wanted: Floats) -> None:
    """Impulses of joints after which J v is what is wanted."""
    tables = own.tables
    for r in range(len(wanted)):
        own.right[r] = wanted[r] - _along(tables, motion, own.row, r)
    solve(own.elimination, own.right, tables.multiplier)
    _apply(tables, motion, own.row, tables.multiplier)
    for r in range(len(wanted)):
        own.impulse[r] += tables.multiplier[r]


@small_kernel
def shift_joints(own: Jointed, shift: Floats) -> None:
    """Moves that take back the errors of joints, and what moves against overlaps add to them."""
    tables = own.tables
    for r in range(len(own.off)):
        own.right[r] = -own.off[r] - _along(tables, shift, own.row, r)
    solve(own.elimination, own.right, tables.multiplier)
    _apply(tables, shift, own.row, tables.multiplier)


@small_kernel
def mark_joints(tables: Tables, row: Ints, pose: Floats, changed: Int32s, sweep: int, small: float) -> int:
    """Mark bodies that the last impulses of joints have changed by more than the velocity whose square is `small`."""
    half, rows, count = 6 - 3 * tables.shape[PLANAR], tables.rows, 0
    for r in range(len(tables.multiplier)):
        j, size = tables.which[r, JOINT], tables.multiplier[r]
        for side in range(2):
            k = tables.ends[j, side]
            if k == tables.shape[BODIES]:
                continue
            i, o, square = row[k], J + (2 + side) * half, 0.0
            for axis in range(half):
                turns = axis >= (2 if half == 3 else 3)
                square += (rows[r, o + axis] * (pose[i, state.R] if turns else 1.0)) ** 2
            if size * size * square > small:
                changed[i] = sweep
                count += 1
    return count


@small_kernel
def account_joints(own: Jointed, motion: Floats, before: Floats, h: float) -> None:
    """Add up the work of drives and loads over a step: that of springs is in what they hold."""
    tables = own.tables
    for l in range(len(own.which)):
        done = 0.0
        for side in range(2):
            k = own.which[l, FIRST_BODY + side]
            if k < tables.shape[BODIES]:
                i = own.row[k]
                for axis in range(3):
                    v, w = state.VX + axis, state.WX + axis
                    done += own.pushes[l, 6 * side + axis] * (motion[i, v] + before[i, v])
                    done += own.pushes[l, 6 * side + 3 + axis] * (motion[i, w] + before[i, w])
        own.sums[SUMS + l] += 0.5 * done
    for n in range(len(own.thrusts)):
        i, done = own.row[own.loads.expressed_body[n]], 0.0
        for axis in range(3):
            v, w = state.VX + axis, state.WX + axis
            done += own.thrusts[n, axis] * (motion[i, v] + before[i, v])
            done += own.thrusts[n, 3 + axis] * (motion[i, w] + before[i, w])
        own.sums[own.thrusting[n]] += 0.5 * done
    for r in range(len(own.off)):
        if tables.which[r, DRIVE] >= 0:
            own.sums[SUMS + len(own.which) + tables.which[r, DRIVE]] += own.impulse[r] * own.drive[r]


# ---- what the loop of steps calls by address

read_moving = block_reader(Moving)


@small_kernel
def _run(t: float, moving_: Any) -> int:
    """One phase of a step."""
    m = read_moving(moving_)
    own, phase, h = m.joints, int(m.numbers[PHASE]), m.numbers[STEP]
    if phase == BEGIN:
        begin_joints(own, m.pose, m.inertia, m.motion, m.before, m.contact_count, t, h)
    elif phase == ACCOUNT:
        account_joints(own, m.motion, m.before, h)
    elif phase == STORE:
        stored_energy(own, m.pose, m.inertia, m.motion)
    else:
        if phase == SHIFT:
            shift_joints(own, m.shift)
        solve_joints(own, m.motion, own.after if phase == RELAX else own.close)
        if phase == RELAX:
            return mark_joints(own.tables, own.row, m.pose, m.changed, int(m.numbers[SWEEP]), m.numbers[SMALL])
    return 0


@right_hand_side
def program(t: float, _: Any, __: Any, moving_: Any) -> int:
    """All that is done with joints, compiled once and outside the loop; returns how many changes of bodies count."""
    return _run(t, moving_)


def joint_calls(moving: Moving) -> JointCalls:
    """Joints for the loop of steps; the arrays live as long as it is used."""
    if not len(moving.joints.row):
        return JointCalls(0, np.zeros(1), moving.numbers)
    return JointCalls(program.address, pack_block(moving), moving.numbers)
