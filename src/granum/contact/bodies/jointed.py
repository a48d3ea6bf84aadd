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
from granum.base.vectors import at, cross, plus, put, times
from granum.contact.impulses import add_angular, add_linear
from granum.grains.state import Int32s
from granum.loads.load import ELASTIC, STORED, VISCOUS
from granum.loads.tables import (
    ENERGIES,
    POWERS,
    PROGRAM,
    Loads,
    apply_load,
    count_turns,
    evaluate_expressed,
    read_arguments,
)
from granum.rows.elimination import Elimination, factor, solve
from granum.rows.evaluation import evaluate_rows, geometry
from granum.rows.independence import DEPENDENT, choose
from granum.rows.tables import (
    ANGLE,
    DRIVE,
    DRIVE_WIDTH,
    DRIVES,
    JOINT,
    KIND,
    MOTION,
    PLANAR,
    SPEED,
    SQUARE,
    J,
    Tables,
)
from granum.state.rotation import accept, orient, rotate_pose, rotated, rotation_of
from granum.state.rotation import times as multiply
from granum.state.table import (
    ANGLE_Z,
    DOUBLE_TURNS,
    IM,
    IN_BODY,
    LOAD,
    QA,
    QB,
    QC,
    QD,
    VX,
    VY,
    WX,
    WY,
    WZ,
    A,
    BodyTable,
    R,
    X,
)

LOAD_ROW, FIRST_BODY = 0, 1
"""Columns of `which`."""
OFF, TURNED, DROPPED, SUMS = range(4)
"""Entries of `sums`: the largest error of a distance [m] and of an angle [rad] since it was asked for, rows that
restrain nothing new; then the work since the start of each load, of springs that of their dampers, of each drive, and
of each load without a kernel [J]."""
PHASE, STEP, SWEEP, SMALL, BETA, NUMBERS = range(6)
"""Numbers that `program` is given: what to do, the length of the step [s], the number of the sweep, the square of
the velocity by which a body must change to count [m²/s²], and the factor of an extrapolation."""
BEGIN, SHIFT, CLOSE, RELAX, REMEMBER, EXTRAPOLATE, ACCOUNT, STORE = range(8)
"""What `program` does."""


class Jointed(NamedTuple):
    """Joints and loads on bodies, as tables of `rows` and `loads`, and what a step needs beyond.

    `tables.bodies` are the bodies where a step begins: their motion is that of its beginning.
    """

    tables: Tables
    middle: BodyTable
    """The same bodies half a step later: they have poses of their own."""
    middle_block: Floats
    loads: Loads
    elimination: Elimination
    held: Ints
    """(bodies,): rows of the bodies with joints or loads."""
    which: IntGrid
    """(loads, 3): row in its table, rows of bodies it acts on (the second is the ground for force and torque)."""
    pushes: FloatGrid
    """(loads, 12): impulses and angular impulses of a step on both bodies; of springs, those of their dampers."""
    impulse: Floats
    """(rows,): multipliers of a step [N s, N m s]."""
    last: Floats
    """(rows,): those before a symmetric sweep, see `nonsmooth.acceleration`."""
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
    """State of the bodies at the start; behind it counted angles, which alone are used."""
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
    motion: FloatGrid
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
def _derive(own: Jointed, motion: Floats) -> None:
    """Rotation, angle and angular acceleration of free rotation, -I⁻¹ (ω × I ω), of the bodies as they are.

    motion: with the inverse inertia, which the velocities of the beginning of a step stand without.
    """
    bodies = own.tables.bodies
    pose, velocity, derived = bodies.pose, bodies.motion, bodies.derived
    for k in range(len(own.held)):
        i = own.held[k]
        a, b, c, d = pose[i, QA], pose[i, QB], pose[i, QC], pose[i, QD]
        orient(derived, i, rotation_of(a, b, c, d))
        if own.tables.shape[PLANAR]:
            derived[i, ANGLE_Z] = 2.0 * math.atan2(d, a) + 4.0 * math.pi * motion[i, DOUBLE_TURNS]
        else:
            wx, wy, wz = rotated(a, -b, -c, -d, velocity[i, WX], velocity[i, WY], velocity[i, WZ])
            lx, ly, lz = multiply(bodies.inertia, i, IN_BODY, wx, wy, wz)
            put(derived, i, A + 3, accept(motion, i, cross(rotated(a, b, c, d, lx, ly, lz), at(velocity, i, WX))))


@small_kernel
def _go_on(own: Jointed, h: float) -> None:
    """Poses of the bodies after a time h, with the velocities they have."""
    pose, velocity = own.tables.bodies.pose, own.tables.bodies.motion
    middle, derived = own.middle.pose, own.middle.derived
    for k in range(len(own.held)):
        i = own.held[k]
        put(middle, i, X, plus(at(pose, i, X), times(h, at(velocity, i, VX))))
        rotate_pose(pose, i, h * velocity[i, WX], h * velocity[i, WY], h * velocity[i, WZ], middle)
        orient(derived, i, rotation_of(middle[i, QA], middle[i, QB], middle[i, QC], middle[i, QD]))
        derived[i, ANGLE_Z] += h * velocity[i, WZ]


@small_kernel
def _along(tables: Tables, table: Floats, r: int) -> float:
    """J_r times velocities or moves of both bodies."""
    j, planar, total, rows = tables.which[r, JOINT], tables.shape[PLANAR], 0.0, tables.rows
    for side in range(2):
        i = tables.ends[j, side]
        if planar:
            o = J + 3 * side
            total += rows[r, o] * table[i, VX] + rows[r, o + 1] * table[i, VY] + rows[r, o + 2] * table[i, WZ]
        else:
            o = J + 6 * side
            for axis in range(3):
                total += rows[r, o + axis] * table[i, VX + axis] + rows[r, o + 3 + axis] * table[i, WX + axis]
    return total


@small_kernel
def _apply(tables: Tables, table: Floats, multiplier: Floats) -> None:
    """Add M⁻¹ Jᵀ λ to velocities or moves; the ground, without inverse mass, keeps its own."""
    planar, half, rows = tables.shape[PLANAR], 6 - 3 * tables.shape[PLANAR], tables.rows
    for r in range(len(multiplier)):
        j, size = tables.which[r, JOINT], multiplier[r]
        for side in range(2):
            i, o = tables.ends[j, side], J + (2 + side) * half
            if planar:
                table[i, VX] += size * rows[r, o]
                table[i, VY] += size * rows[r, o + 1]
                table[i, WZ] += size * rows[r, o + 2]
            else:
                add_linear(table, i, size, at(rows, r, o))
                add_angular(table, i, size, at(rows, r, o + 3))


@small_kernel
def _drive(tables: Tables, t: float, y: Floats) -> None:
    """Motion, rate and acceleration of all drives at a time."""
    if tables.shape[DRIVES] != 0:
        call_rates(tables.shape[DRIVES], t, y, tables.drive, tables.steering)


@small_kernel
def _configure(tables: Tables, bodies: BodyTable) -> None:
    geometry(bodies, tables.joints, tables.ends)
    evaluate_rows(tables, bodies)


@small_kernel
def begin_joints(own: Jointed, motion: Floats, degree: Int32s, t: float, h: float) -> None:
    """Rows, factors and what is asked of them in a step from t; loads push. Joints count as two contacts of a body."""
    tables, sums, ends, rows, which = own.tables, own.sums, own.tables.ends, own.tables.rows, own.tables.which
    half = 6 - 3 * tables.shape[PLANAR]
    for j in range(len(ends)):
        degree[ends[j, 0]] = degree[ends[j, 1]] = 2
    _derive(own, motion)
    _drive(tables, t, own.y)
    _configure(tables, tables.bodies)
    # rows that restrain nothing new are found where the joints hold; between positions of the bodies they seem to
    sums[DROPPED] = choose(motion, ends, rows, which, half, own.elimination, DEPENDENT)
    for r in range(len(own.off)):
        own.off[r], kind, drive = tables.value[r], tables.which[r, KIND], tables.which[r, DRIVE]
        entry = TURNED if kind in (ANGLE, SQUARE) else OFF
        sums[entry] = abs(own.off[r]) if not abs(own.off[r]) <= sums[entry] else sums[entry]
        own.drive[r] = -tables.drive[DRIVE_WIDTH * drive + MOTION] / h if drive >= 0 else 0.0
        own.impulse[r] = 0.0
    count_turns(tables.shape, tables.body_block, own.loads, t, own.y)
    _drive(tables, t + h, own.y)
    for r in range(len(own.off)):
        drive = tables.which[r, DRIVE]
        own.drive[r] += tables.drive[DRIVE_WIDTH * drive + MOTION] / h if drive >= 0 else 0.0
        own.after[r] = tables.drive[DRIVE_WIDTH * drive + SPEED] if drive >= 0 else 0.0
    for k in range(len(tables.drive)):
        tables.drive[k] = 0.0
    _go_on(own, 0.5 * h)
    _configure(tables, own.middle)
    factor(motion, ends, rows, which, half, own.elimination)
    for r in range(len(own.off)):
        own.begin[r] = _along(tables, tables.bodies.motion, r)
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
            total += tables.rows[r, o + axis] * tables.bodies.derived[i, A + 3 + axis]
    return total


@small_kernel
def _act(own: Jointed, bodies: Floats, n: int, elastic: float, viscous: float) -> None:
    """Add a load, by its row, to the forces on its two bodies; of a spring its elastic or its viscous part, or both."""
    own.loads.load[n, ELASTIC], own.loads.load[n, VISCOUS] = elastic, viscous
    apply_load(own.tables.shape, bodies, own.loads, 0.0, own.y, n)


@small_kernel
def _push(own: Jointed, motion: Floats, l: int, h: float) -> None:
    """Impulse of a load in a step. What has no potential is kept apart, for its work."""
    derived, n = own.middle.derived, own.which[l, LOAD_ROW]
    for side in range(2):
        put(derived, own.which[l, FIRST_BODY + side], LOAD, (0.0, 0.0, 0.0))
        put(derived, own.which[l, FIRST_BODY + side], LOAD + 3, (0.0, 0.0, 0.0))
    _act(own, own.middle_block, n, 0.0, 1.0)
    for side in range(2):
        for axis in range(6):
            own.pushes[l, 6 * side + axis] = h * derived[own.which[l, FIRST_BODY + side], LOAD + axis]
    _act(own, own.middle_block, n, 1.0, 0.0)
    for side in range(2):
        i = own.which[l, FIRST_BODY + side]
        add_linear(motion, i, motion[i, IM] * h, at(derived, i, LOAD))
        add_angular(motion, i, h, accept(motion, i, at(derived, i, LOAD + 3)))


@small_kernel
def _thrust(own: Jointed, motion: Floats, t: float, h: float) -> None:
    """Impulses of actuators and other loads without a kernel in a step."""
    loads, values = own.loads, own.loads.expressed_values
    for n in range(len(loads.expressed_angles)):  # angles where the bodies are now
        apply_load(own.tables.shape, own.middle_block, loads, t, own.y, loads.expressed_angles[n, 1])
    evaluate_expressed(own.middle, loads, t)
    for n in range(len(own.thrusts)):
        i, first = loads.expressed_body[n], loads.expressed[ENERGIES] + loads.expressed[POWERS] + 6 * n
        for axis in range(6):
            own.thrusts[n, axis] = h * values[first + axis]
        add_linear(motion, i, motion[i, IM], at(own.thrusts, n, 0))
        add_angular(motion, i, 1.0, accept(motion, i, at(own.thrusts, n, 3)))


@small_kernel
def stored_energy(own: Jointed, motion: Floats) -> None:
    """What each spring, and each load by a potential energy, holds where the bodies are now."""
    _derive(own, motion)
    for l in range(len(own.which)):
        n = own.which[l, LOAD_ROW]
        _act(own, own.tables.body_block, n, 1.0, 0.0)
        own.stored[l] = own.loads.load[n, STORED]
    if own.loads.expressed[ENERGIES] > 0:
        read_arguments(own.tables.bodies, own.loads, False)
        call_rates(own.loads.expressed[PROGRAM], 0.0, own.loads.arguments, own.loads.expressed_values,
                   own.loads.expressed_data)
        for k in range(own.loads.expressed[ENERGIES]):
            own.stored[len(own.which) + k] = own.loads.expressed_values[k]


@small_kernel
def solve_joints(own: Jointed, motion: Floats, wanted: Floats) -> None:
    """Impulses of joints after which J v is what is wanted."""
    tables = own.tables
    for r in range(len(wanted)):
        own.right[r] = wanted[r] - _along(tables, motion, r)
    solve(own.elimination, own.right, tables.multiplier)
    _apply(tables, motion, tables.multiplier)
    for r in range(len(wanted)):
        own.impulse[r] += tables.multiplier[r]


@small_kernel
def shift_joints(own: Jointed, shift: Floats) -> None:
    """Moves that take back the errors of joints, and what moves against overlaps add to them."""
    tables = own.tables
    for r in range(len(own.off)):
        own.right[r] = -own.off[r] - _along(tables, shift, r)
    solve(own.elimination, own.right, tables.multiplier)
    _apply(tables, shift, tables.multiplier)


@small_kernel
def mark_joints(tables: Tables, changed: Int32s, sweep: int, small: float) -> int:
    """Mark bodies that the last impulses of joints have changed by more than the velocity whose square is `small`."""
    half, rows, count = 6 - 3 * tables.shape[PLANAR], tables.rows, 0
    for r in range(len(tables.multiplier)):
        j, size = tables.which[r, JOINT], tables.multiplier[r]
        for side in range(2):
            i, o, square = tables.ends[j, side], J + (2 + side) * half, 0.0
            for axis in range(half):
                turns = axis >= (2 if half == 3 else 3)
                square += (rows[r, o + axis] * (tables.bodies.pose[i, R] if turns else 1.0)) ** 2
            if size * size * square > small:
                changed[i] = sweep
                count += 1
    return count


@small_kernel
def _work(pushes: Floats, n: int, k: int, i: int, motion: Floats, before: Floats) -> float:
    """Work of an impulse on body i, which stands in row n from column k on, over a step."""
    done = 0.0
    for axis in range(3):
        done += pushes[n, k + axis] * (motion[i, VX + axis] + before[i, VX + axis])
        done += pushes[n, k + 3 + axis] * (motion[i, WX + axis] + before[i, WX + axis])
    return 0.5 * done


@small_kernel
def account_joints(own: Jointed, motion: Floats) -> None:
    """Add up the work of drives and loads over a step: that of springs is in what they hold."""
    tables, before = own.tables, own.tables.bodies.motion
    for l in range(len(own.which)):
        for side in range(2):
            own.sums[SUMS + l] += _work(own.pushes, l, 6 * side, own.which[l, FIRST_BODY + side], motion, before)
    for n in range(len(own.thrusts)):
        own.sums[own.thrusting[n]] += _work(own.thrusts, n, 0, own.loads.expressed_body[n], motion, before)
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
        begin_joints(own, m.motion, m.contact_count, t, h)
    elif phase == REMEMBER:
        for r in range(len(own.impulse)):
            own.last[r] = own.impulse[r]
    elif phase == EXTRAPOLATE:
        for r in range(len(own.impulse)):
            change = own.impulse[r] - own.last[r]
            own.last[r] = own.impulse[r]
            own.impulse[r] += m.numbers[BETA] * change
    elif phase == ACCOUNT:
        account_joints(own, m.motion)
    elif phase == STORE:
        stored_energy(own, m.motion)
    else:
        if phase == SHIFT:
            shift_joints(own, m.shift)
        solve_joints(own, m.motion, own.after if phase == RELAX else own.close)
        if phase == RELAX:
            return mark_joints(own.tables, m.changed, int(m.numbers[SWEEP]), m.numbers[SMALL])
    return 0


@right_hand_side
def program(t: float, _: Any, __: Any, moving_: Any) -> int:
    """All that is done with joints, compiled once and outside the loop; returns how many changes of bodies count."""
    return _run(t, moving_)


def joint_calls(moving: Moving) -> JointCalls:
    """Joints for the loop of steps; the arrays live as long as it is used."""
    if not len(moving.joints.held):
        return JointCalls(0, np.zeros(1), moving.numbers)
    return JointCalls(program.address, pack_block(moving), moving.numbers)
