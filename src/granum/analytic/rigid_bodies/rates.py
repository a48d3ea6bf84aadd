"""The compiled right-hand side of newton-euler, and what is put right after each step.

M a = f + Dᵀ λ, J a = b (Sun 1996, §3.5, with row blocks for incidence matrices), D = J but for sliding friction. Which
rows restrain nothing new is decided where a step begins, on the constraints, and holds for all stages of the step: in
between the stages leave the constraints a little, and rows that depend on others would seem independent.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from granum.analytic.rigid_bodies.friction import Frictions, lose, note_slip, rub, watch_contacts
from granum.base.kernels import Floats, Ints, kernel, small_kernel
from granum.base.pointers import block_reader, call_rates, carray, right_hand_side
from granum.base.vectors import at, cross, minus, put, times
from granum.loads.tables import Loads, apply_loads, count_turns, kinetic_energy, write_turn_rates
from granum.rows.elimination import Elimination, factor, solve, solve_sliding
from granum.rows.evaluation import configuration
from granum.rows.independence import DEPENDENT, RETURNS, choose
from granum.rows.state import move, push, scale_velocities, state_size, unpack, write_rates
from granum.rows.tables import (
    BODIES,
    CHANGES,
    DRIVE,
    DRIVE_WIDTH,
    DRIVES,
    DROPPED,
    ENERGY,
    JOINT,
    KINETIC,
    PLANAR,
    POSITIONS,
    POTENTIAL,
    SKIPPED,
    SPEED,
    TARGET,
    VELOCITIES,
    WORKS,
    J,
    Tables,
)
from granum.state.rotation import accept
from granum.state.table import IM, LOAD, WX, A, BodyTable, L


class Model(NamedTuple):
    """All tables of a system of rigid bodies; the first are those that `rows.evaluation.configuration` reads."""

    tables: Tables
    loads: Loads
    frictions: Frictions
    elimination: Elimination
    programs: Ints
    """Addresses of what several of the functions below call: compiled once, and not into each of them."""
    out: Floats
    """Room for the rates of a state."""


CONFIGURE, RATES, SELECT, SLIDE, NOTE_SLIP, SWITCHES, PROGRAMS = range(7)
"""Entries of `programs`: `configuration`, `rates`, `selection`; with sliding contacts `sliding` and `slip_directions`,
otherwise 0; machine code of the arguments of modes (`switches`), or 0."""


read_model = block_reader(Model)

_LEAST, _MOST = 0.81, 1.21
"""Kinetic energy, as a part of what it is, within which velocities may take up an error of the energy."""

RANK_FELL = 12
"""Status of a mechanism with drives after a step to where more rows depend on others than before."""


@small_kernel
def spread(
    derived: Floats, ends: Ints, rows: Floats, which: Ints, half: int, source: int, multiplier: Floats, target: int,
) -> None:
    """Add row blocks times multipliers to six derived columns: forces of J or D, accelerations of M⁻¹ Jᵀ."""
    for r in range(len(which)):
        j, size = which[r, JOINT], multiplier[r]
        for side in range(2):
            i, o = ends[j, side], source + side * half
            if half == 3:
                derived[i, target] += size * rows[r, o]
                derived[i, target + 1] += size * rows[r, o + 1]
                derived[i, target + 5] += size * rows[r, o + 2]
            else:
                for k in range(6):
                    derived[i, target + k] += size * rows[r, o + k]


@small_kernel
def accelerate(shape: Ints, bodies: BodyTable) -> None:
    """a = M⁻¹ (f, τ - ω × L), the centrifugal torque in inertial axes."""
    motion, derived = bodies.motion, bodies.derived
    for i in range(shape[BODIES]):
        put(derived, i, A, times(motion[i, IM], at(derived, i, LOAD)))
        torque = minus(at(derived, i, LOAD + 3), cross(at(motion, i, WX), at(derived, i, L)))
        put(derived, i, A + 3, accept(motion, i, torque))


@small_kernel
def subtract_along(derived: Floats, ends: Ints, rows: Floats, which: Ints, half: int, b: Floats) -> None:
    """b - J a."""
    for r in range(len(which)):
        j, total = which[r, JOINT], 0.0
        for side in range(2):
            i, o = ends[j, side], J + side * half
            if half == 3:
                total += rows[r, o] * derived[i, A] + rows[r, o + 1] * derived[i, A + 1]
                total += rows[r, o + 2] * derived[i, A + 5]
            else:
                for k in range(6):
                    total += rows[r, o + k] * derived[i, A + k]
        b[r] -= total


@small_kernel
def evaluate(model: Model, t: float, y: Floats, data: Floats) -> None:
    """Multipliers, accelerations, and all forces and torques on the bodies; b is left as b - J a of free bodies."""
    tables, frictions, e = model.tables, model.frictions, model.elimination
    bodies, ends, rows, which = tables.bodies, tables.ends, tables.rows, tables.which
    half = 6 - 3 * tables.shape[PLANAR]
    call_rates(model.programs[CONFIGURE], t, y, y, data)
    apply_loads(tables, model.loads, t, y)
    accelerate(tables.shape, bodies)
    subtract_along(bodies.derived, ends, rows, which, half, tables.b)
    if model.programs[SLIDE] != 0:
        call_rates(model.programs[SLIDE], t, y, y, data)
    else:
        tables.figures[DROPPED] = factor(bodies.motion, ends, rows, which, half, e)
        solve(e, tables.b, tables.multiplier)
        spread(bodies.derived, ends, rows, which, half, J, tables.multiplier, LOAD)
    first = len(tables.figures) - len(frictions.row) - len(tables.drive) // DRIVE_WIDTH
    for r in range(len(which)):
        if which[r, DRIVE] >= 0:
            speed = tables.drive[DRIVE_WIDTH * which[r, DRIVE] + SPEED]
            tables.figures[first + which[r, DRIVE]] = tables.multiplier[r] * speed


@kernel
def correct_positions(tables: Tables, e: Elimination, y: Floats) -> None:
    """One Newton step of all values, in the metric of the masses; rows and factors are those of y or of near it."""
    derived, half = tables.bodies.derived, 6 - 3 * tables.shape[PLANAR]
    solve(e, tables.value, tables.multiplier)
    for r in range(len(tables.multiplier)):
        tables.multiplier[r] = -tables.multiplier[r]
    for i in range(len(derived)):
        for k in range(6):
            derived[i, A + k] = 0.0
    spread(derived, tables.ends, tables.rows, tables.which, half, J + 2 * half, tables.multiplier, A)
    move(tables.shape, derived, y)


@kernel
def correct_velocities(tables: Tables, e: Elimination, y: Floats) -> None:
    """Take all rates to zero, in the metric of the masses; rows and factors are those of y."""
    derived, half = tables.bodies.derived, 6 - 3 * tables.shape[PLANAR]
    solve(e, tables.rate, tables.multiplier)
    for r in range(len(tables.multiplier)):
        tables.multiplier[r] = -tables.multiplier[r]
    for i in range(len(derived)):
        for k in range(6):
            derived[i, LOAD + k] = 0.0
    spread(derived, tables.ends, tables.rows, tables.which, half, J, tables.multiplier, LOAD)
    push(tables.shape, tables.bodies, y)


@kernel
def energies(tables: Tables, loads: Loads, t: float, y: Floats) -> None:
    """Potential and kinetic energy of a state, into the figures."""
    unpack(tables.shape, tables.bodies, y)
    apply_loads(tables, loads, t, y)
    kinetic_energy(tables.shape, tables.figures, tables.bodies)


@kernel
def _correct_energy(tables: Tables, loads: Loads, t: float, y: Floats) -> None:
    """Make all velocities greater or smaller by one factor, so that the energy is the target and the work done."""
    energies(tables, loads, t, y)
    figures = tables.figures
    wanted = figures[TARGET] - figures[POTENTIAL]
    for k in range(tables.shape[WORKS]):
        wanted += y[len(y) - 1 - k]
    if _LEAST * figures[KINETIC] < wanted < _MOST * figures[KINETIC]:
        scale_velocities(tables.shape, y, math.sqrt(wanted / figures[KINETIC]))
    else:
        figures[SKIPPED] += 1.0


@kernel
def _state(tables: Tables, y_: Any) -> Floats:
    return carray(y_, state_size(tables.shape))


@right_hand_side
def rates(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """Rates of the state (x, u, v, L, counted angles, works)."""
    model = read_model(data_)
    tables, figures, y, dy = model.tables, model.tables.figures, _state(model.tables, y_), _state(model.tables, dy_)
    evaluate(model, t, y, carray(data_, 1))
    write_rates(tables.shape, tables.bodies, y, dy)
    write_turn_rates(tables.shape, model.loads, dy)
    works = tables.shape[WORKS]
    for k in range(works):
        dy[len(dy) - works + k] = figures[len(figures) - works + k]
    return 0


@right_hand_side
def sliding(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """Multipliers with sliding contacts, J M⁻¹ Dᵀ λ = b, and their forces on the bodies."""
    model = read_model(data_)
    tables, frictions, half = model.tables, model.frictions, 6 - 3 * model.tables.shape[PLANAR]
    rub(tables, frictions, half)
    solve_sliding(tables.bodies.motion, tables.ends, tables.rows, tables.which, half, model.elimination, tables.b,
                  tables.multiplier)
    lose(tables, frictions, half)
    spread(tables.bodies.derived, tables.ends, tables.rows, tables.which, half, J + 4 * half, tables.multiplier, LOAD)
    return 0


@right_hand_side
def slip_directions(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """`note_slip` of the state in the tables."""
    model = read_model(data_)
    note_slip(model.tables, model.frictions)
    return 0


@kernel
def _select(tables: Tables, e: Elimination, before: int) -> int:
    """Choose rows and factor H; returns how many are left out. Those left out `before` return later than they went."""
    motion, ends, rows, which = tables.bodies.motion, tables.ends, tables.rows, tables.which
    half = 6 - 3 * tables.shape[PLANAR]
    if choose(motion, ends, rows, which, half, e, DEPENDENT) < before:
        choose(motion, ends, rows, which, half, e, RETURNS)
    return factor(motion, ends, rows, which, half, e)


@right_hand_side
def selection(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """Find the rows that restrain nothing new, the directions of slip, and the turns that angles are in.

    A state on the constraints is meant; its rows stay in the tables, with the factors.
    """
    model = read_model(data_)
    tables, y = model.tables, _state(model.tables, y_)
    before = tables.figures[DROPPED]
    call_rates(model.programs[CONFIGURE], t, y, y, carray(data_, 1))
    tables.figures[DROPPED] = _select(tables, model.elimination, int(before))
    if tables.figures[DROPPED] != before:
        tables.figures[CHANGES] += 1.0
    if model.programs[NOTE_SLIP] != 0:
        call_rates(model.programs[NOTE_SLIP], t, y, y, carray(data_, 1))
    count_turns(tables.shape, tables.body_block, model.loads, t, y)
    return 0


@right_hand_side
def corrections(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """Bring positions, velocities and energy back, as far as it is asked for, and choose rows for the next step.

    Returns RANK_FELL where drives may have come to the end of what the joints allow, else zero.
    """
    model = read_model(data_)
    tables, e, y, data = model.tables, model.elimination, _state(model.tables, y_), carray(data_, 1)
    before = tables.figures[DROPPED]
    if tables.figures[POSITIONS] != 0.0:
        call_rates(model.programs[CONFIGURE], t, y, y, data)
        factor(tables.bodies.motion, tables.ends, tables.rows, tables.which, 6 - 3 * tables.shape[PLANAR], e)
        correct_positions(tables, e, y)
    call_rates(model.programs[SELECT], t, y, y, data)
    if tables.figures[VELOCITIES] != 0.0:
        correct_velocities(tables, e, y)
    if tables.figures[ENERGY] != 0.0:
        _correct_energy(tables, model.loads, t, y)
    return RANK_FELL if tables.shape[DRIVES] != 0 and tables.figures[DROPPED] > before else 0


@right_hand_side
def events(t, y_, g_, data_):  # type: ignore[no-untyped-def]
    """What stays positive while contacts are what they are taken for."""
    model = read_model(data_)
    call_rates(model.programs[RATES], t, _state(model.tables, y_), model.out, carray(data_, 1))
    watch_contacts(model.tables, model.frictions, carray(g_, len(model.frictions.watch)))
    return 0


@right_hand_side
def evaluation(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """Multipliers, accelerations, energies and redundant rows of one state, left in the tables; rates as well."""
    model = read_model(data_)
    tables, y, data = model.tables, _state(model.tables, y_), carray(data_, 1)
    tables.figures[DROPPED] = 0.0  # rows are chosen from the state alone, not from what went before
    call_rates(model.programs[SELECT], t, y, y, data)
    call_rates(model.programs[RATES], t, y, _state(tables, dy_), data)
    accelerate(tables.shape, tables.bodies)
    kinetic_energy(tables.shape, tables.figures, tables.bodies)
    return 0


def programs(slides: bool) -> Ints:
    """Addresses of the functions that others call; those of sliding contacts only where there are such."""
    called = configuration, rates, selection, *((sliding, slip_directions) if slides else ())
    addresses = np.zeros(PROGRAMS, np.int64)
    addresses[: len(called)] = [function.address for function in called]
    return addresses
