"""The compiled right-hand side of newton-euler, and what is put right after each step.

M a = f + Dᵀ λ, J a = b (002 §3.5 with row blocks in place of incidence matrices), D = J but for sliding friction. Which
rows restrain nothing new is decided where a step begins, on the constraints, and holds for all stages of the step: in
between the stages leave the constraints a little, and rows that depend on others would seem independent.
"""

from __future__ import annotations

import math
from typing import Any

from granum.base.kernels import Floats, kernel
from granum.base.pointers import call_rates, carray, right_hand_side
from granum.mechanisms.elimination import factor, factor_sliding, solve, solve_sliding
from granum.mechanisms.forces import kinetic, loads, turn
from granum.mechanisms.rows import geometry, normal_of, rows
from granum.mechanisms.state import counted, move, push, size_of_state, unpack, write_rates
from granum.mechanisms.tables import (
    BODIES,
    CHANGES,
    DRIVES,
    DROPPED,
    ENERGY,
    FIXED,
    KINETIC,
    PLANAR,
    POSITIONS,
    POTENTIAL,
    POWER,
    SKIPPED,
    TARGET,
    TURNS,
    VELOCITIES,
    Model,
    U,
    Work,
    views,
)
from granum.mechanisms.vectors import Vector, at, cross, dot, length, minus, plus, put, times, turned

SLOW = 1e-9
"""Slip [m/s] below which its direction is not seen."""


@kernel
def configure(model: Model, work: Work, t: float, y: Floats) -> None:
    """Bodies, drives and rows of a state."""
    unpack(model, work, y)
    if model.shape[DRIVES] != 0:
        call_rates(model.shape[DRIVES], t, y, work.drive, work.drive)
    geometry(model, work)
    rows(model, work)


@kernel
def spread(model: Model, work: Work, D: Floats, multiplier: Floats) -> None:
    """Add Dᵀ λ to the forces and torques in `load`."""
    half = D.shape[1] // 2
    for r in range(len(D)):
        j = model.row_joint[r]
        for side in range(2):
            i, o, size = model.body[j, side], side * half, multiplier[r]
            if half == 3:
                work.load[i, 0] += size * D[r, o]
                work.load[i, 1] += size * D[r, o + 1]
                work.load[i, 5] += size * D[r, o + 2]
            else:
                for k in range(6):
                    work.load[i, k] += size * D[r, o + k]


@kernel
def accelerate(model: Model, work: Work) -> None:
    """a = M⁻¹ (f, τ - ω × L), the centrifugal torque in inertial axes."""
    for i in range(model.shape[BODIES]):
        put(work.a, i, 0, times(model.inverse_mass[i], at(work.load, i, 0)))
        torque = minus(at(work.load, i, 3), cross(at(work.w, i, 0), at(work.momentum, i, 0)))
        put(work.a, i, 3, turned(work.inverse, i, torque))


@kernel
def along_rows(model: Model, work: Work, r: int) -> float:
    """J_r a."""
    j, half, total = model.row_joint[r], work.J.shape[1] // 2, 0.0
    for side in range(2):
        i, o = model.body[j, side], side * half
        if half == 3:
            total += work.J[r, o] * work.a[i, 0] + work.J[r, o + 1] * work.a[i, 1] + work.J[r, o + 2] * work.a[i, 5]
        else:
            for k in range(6):
                total += work.J[r, o + k] * work.a[i, k]
    return total


@kernel
def slip_of(model: Model, work: Work, k: int) -> tuple[Vector, Vector]:
    """Normal and velocity of slip, second body against first, of a sliding contact."""
    r = model.friction_row[k]
    j = model.row_joint[r]
    n, _ = normal_of(model, work, r, j, model.row_kind[r] == FIXED)
    reach1, reach2 = model.friction[k, 1], model.friction[k, 2]
    rolling = minus(times(reach2, at(work.w, model.body[j, 1], 0)), times(reach1, at(work.w, model.body[j, 0], 0)))
    slip = plus(at(work.geometry, j, 9), cross(rolling, n))
    return n, minus(slip, times(dot(n, slip), n))


@kernel
def _rub(model: Model, work: Work) -> None:
    """D = J with the friction that each normal force of a sliding contact brings along, against the slip."""
    for r in range(len(work.J)):
        for c in range(work.J.shape[1]):
            work.D[r, c] = work.J[r, c]
    half = work.J.shape[1] // 2
    for k in range(len(model.friction_row)):
        r = model.friction_row[k]
        j = model.row_joint[r]
        n, slip = slip_of(model, work, k)
        speed, known = length(slip), at(work.slip, k, 0)
        # in the plane the direction holds until the event that ends it; in space it turns with the slip
        unit = known if model.shape[PLANAR] or speed < SLOW else times(1.0 / speed, slip)
        force = times(-model.friction[k, 0], unit)
        for side in range(2):
            sign = 2.0 * side - 1.0
            arm = plus(at(work.geometry, j, 3 * side), times(model.friction[k, 1 + side], n))
            torque, o = cross(arm, force), side * half
            if half == 3:
                work.D[r, o] += sign * force[0]
                work.D[r, o + 1] += sign * force[1]
                work.D[r, o + 2] += sign * torque[2]
            else:
                for c in range(3):
                    work.D[r, o + c] += sign * force[c]
                    work.D[r, o + 3 + c] += sign * torque[c]


@kernel
def evaluate(model: Model, work: Work, t: float, y: Floats, choose: bool) -> None:
    """Multipliers, accelerations, and in `load` all forces and torques on the bodies."""
    configure(model, work, t, y)
    loads(model, work, y)
    accelerate(model, work)
    for r in range(len(work.b)):
        work.b[r] -= along_rows(model, work, r)
    sliding = len(model.friction_row) > 0
    if choose or not sliding:
        factor(model, work, choose)
    if sliding:
        _rub(model, work)
        factor_sliding(model, work)
        solve_sliding(model, work, work.b, work.multiplier)
        _lose(model, work)
        spread(model, work, work.D, work.multiplier)
    else:
        solve(model, work, work.b, work.multiplier)
        spread(model, work, work.J, work.multiplier)
    accelerate(model, work)
    for r in range(len(work.b)):
        if model.row_drive[r] >= 0:
            work.figures[POWER] += work.multiplier[r] * work.drive[3 * model.row_drive[r] + 1]


@kernel
def _lose(model: Model, work: Work) -> None:
    """Power of sliding friction."""
    for k in range(len(model.friction_row)):
        slip = slip_of(model, work, k)[1]
        speed, known = length(slip), at(work.slip, k, 0)
        along = dot(known, slip) if model.shape[PLANAR] or speed < SLOW else speed
        work.figures[POWER] -= model.friction[k, 0] * work.multiplier[model.friction_row[k]] * along


@kernel
def write(model: Model, work: Work, y: Floats, dy: Floats) -> None:
    """Rates of the whole state after an evaluation."""
    write_rates(model, work, y, dy)
    for k in range(model.shape[TURNS]):
        i, j = model.torsion_body[k, 0], model.torsion_body[k, 1]
        e = turned(work.R, i, at(model.torsion, k, U))
        dy[counted(model, y, k)] = dot(e, minus(at(work.w, j, 0), at(work.w, i, 0)))
    dy[size_of_state(model) - 1] = work.figures[POWER]


@kernel
def select(model: Model, work: Work, t: float, y: Floats) -> None:
    """Find the rows that restrain nothing new, and the directions of slip; a state on the constraints is meant."""
    before = work.figures[DROPPED]
    configure(model, work, t, y)
    factor(model, work, True)
    if work.figures[DROPPED] != before:
        work.figures[CHANGES] += 1.0
    for k in range(len(model.friction_row)):
        slip = slip_of(model, work, k)[1]
        speed = length(slip)
        if speed > SLOW:
            put(work.slip, k, 0, times(1.0 / speed, slip))
    for k in range(model.shape[TURNS]):
        y[counted(model, y, k)] = turn(model, work, y, k)


@kernel
def correct_positions(model: Model, work: Work, t: float, y: Floats) -> None:
    """One Newton step of all values, in the metric of the masses, with the factors there are; rows are those of y."""
    solve(model, work, work.value, work.multiplier)
    for i in range(model.shape[BODIES]):
        for k in range(6):
            work.a[i, k] = 0.0
    half = work.B.shape[1] // 2
    for r in range(len(work.B)):
        j = model.row_joint[r]
        for side in range(2):
            i, o, size = model.body[j, side], side * half, work.multiplier[r]
            if half == 3:
                work.a[i, 0] -= size * work.B[r, o]
                work.a[i, 1] -= size * work.B[r, o + 1]
                work.a[i, 5] -= size * work.B[r, o + 2]
            else:
                for k in range(6):
                    work.a[i, k] -= size * work.B[r, o + k]
    for i in range(model.shape[BODIES]):
        move(model, work, y, i)


@kernel
def correct_velocities(model: Model, work: Work, y: Floats) -> None:
    """Take all rates to zero, in the metric of the masses, with the factors there are."""
    solve(model, work, work.rate, work.multiplier)
    for i in range(len(work.load)):
        for k in range(6):
            work.load[i, k] = 0.0
    for r in range(len(work.multiplier)):
        work.multiplier[r] = -work.multiplier[r]
    spread(model, work, work.J, work.multiplier)
    for i in range(model.shape[BODIES]):
        push(model, work, y, i)


@kernel
def _correct_energy(model: Model, work: Work, y: Floats) -> None:
    """Make all velocities greater or smaller by one factor, so that the energy is the target and the work done."""
    unpack(model, work, y)
    loads(model, work, y)
    kinetic(model, work)
    wanted = work.figures[TARGET] + y[size_of_state(model) - 1] - work.figures[POTENTIAL]
    found = work.figures[KINETIC]
    if not 0.81 * found < wanted < 1.21 * found:
        work.figures[SKIPPED] += 1.0
        return
    scale = math.sqrt(wanted / found)
    planar = model.shape[PLANAR]
    for i in range(model.shape[BODIES]):
        if planar:
            for k in range(3, 6):
                y[6 * i + k] *= scale
        else:
            for k in range(7, 13):
                y[13 * i + k] *= scale


@kernel
def correct(model: Model, work: Work, t: float, y: Floats) -> None:
    """Bring positions, velocities and energy back, as far as it is asked for, and choose rows for the next step."""
    if work.figures[POSITIONS] != 0.0:
        configure(model, work, t, y)
        before = work.figures[DROPPED]
        factor(model, work, False)
        work.figures[DROPPED] = before
        correct_positions(model, work, t, y)
    select(model, work, t, y)
    if work.figures[VELOCITIES] != 0.0:
        correct_velocities(model, work, y)
    if work.figures[ENERGY] != 0.0:
        _correct_energy(model, work, y)


@kernel
def _state(model: Model, y_: Any) -> Floats:
    return carray(y_, size_of_state(model))


@right_hand_side
def rates(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """Rates of the state (x, u, v, L, counted angles, work)."""
    model, work = views(data_)
    y, dy = _state(model, y_), _state(model, dy_)
    evaluate(model, work, t, y, False)
    write(model, work, y, dy)
    return 0


@right_hand_side
def corrections(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """`correct`, at the end of a step."""
    model, work = views(data_)
    correct(model, work, t, _state(model, y_))
    return 0
