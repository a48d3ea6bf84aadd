"""Loads on bodies as tables, and all of them applied to a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints, small_kernel
from granum.base.pointers import FloatGrid, IntGrid, call_on_rows, call_rates
from granum.base.vectors import at, dot
from granum.loads import gravity
from granum.loads.expressed import READ, ExpressedLoads
from granum.loads.load import ELASTIC, LOAD_WIDTH, ONE, POWER, RATE, STORED, TURNED, VISCOUS, BodyLoad
from granum.loads.registry import KINDS, with_kernels
from granum.model.loads import Gravity
from granum.rows.state import counted
from granum.rows.tables import BODIES, FIGURES, KINETIC, POTENTIAL, WORKS, Tables
from granum.state.table import IM, LOAD, VX, WX, A, BodyTable, L, X

weigh_body = gravity.act

CODE, STORES, WORKING, TURN, WHICH = range(5)
"""Columns of `which`: address of the kernel, has it a potential energy, is work of it integrated, number of the angle
that is counted for it, or -1."""
PROGRAM, ENERGIES, POWERS = range(3)
"""Entries of `expressed`: address of the machine code, numbers of potential energies and powers it writes."""


MEASURING, CONTROLLER, WRITTEN = range(3)
"""Entries of `control`."""
MOST_SIGNALS = 64
"""Numbers that a compiled controller may read, and write."""


class Loads(NamedTuple):
    """Gravity, loads with a kernel by a row each, and the machine code of the others."""

    gravity: Floats
    which: IntGrid
    load: FloatGrid
    """What is asked of each, and what it gives (`loads.load`)."""
    numbers: FloatGrid
    """Constants of each."""
    expressed: Ints
    expressed_body: Ints
    """Rows of bodies that loads without a kernel act on."""
    arguments: Floats
    """What their machine code reads of all bodies (`loads.expressed.READ`), ..."""
    reading: Ints
    """... and the rows of these."""
    expressed_values: Floats
    """What their machine code writes: potential energies, powers, force and torque for each of these bodies."""
    expressed_data: Floats
    """Numbers it is given: inputs, parameters, and behind them the angles of hinges that loads count."""
    expressed_angles: IntGrid
    """(angles, 2): place in `expressed_data`, and the load that counts it."""
    control: Ints
    """Of a compiled controller: addresses of what measures for it and of itself, and how many commands it writes."""
    measured: Floats
    """What it reads."""
    commanded: Floats
    """What it writes, ..."""
    commands: Ints
    """... and the places of that in `expressed_data`."""


def load_tables(loads: Sequence[BodyLoad], ground: int, turns: bool, expressed: ExpressedLoads | None = None) -> Loads:
    """Tables of loads, those with a kernel in the order of `with_kernels`.

    Args:
        ground: its number among the bodies.
        turns: are angles of hinges counted, as in 3-D?
    """
    arguments = np.zeros(len(READ) * ground), np.arange(ground)
    weights = [load.numbers for load in loads if type(load.entry) is Gravity]
    listed = with_kernels(loads)
    which = np.zeros((len(listed), WHICH), np.int64)
    table = np.zeros((len(listed), LOAD_WIDTH))
    numbers = np.zeros((len(listed), max((len(load.numbers) for load in listed), default=0)))
    table[:, [ELASTIC, VISCOUS]] = 1.0
    angles = 0
    for k, load in enumerate(listed):
        kernel = KINDS[type(load.entry)].kernel
        assert kernel is not None
        counts = turns and load.joint is not None
        which[k] = kernel.address, load.stores, load.worker is not None, angles if counts else -1
        angles += counts
        table[k, ONE : ONE + len(load.ends)] = [ground if end.body.index < 0 else end.body.index for end in load.ends]
        numbers[k, : len(load.numbers)] = load.numbers
    others = (np.zeros(3, np.int64), np.zeros(0, np.int64), *arguments, np.zeros(1), np.zeros(1),
              np.zeros((0, 2), np.int64))
    if expressed is not None:
        first = len(expressed.inputs) - len(expressed.counted)
        rows = [[first + k, next(row for row, load in enumerate(listed) if load.counts and load.joint is joint)]
                for k, joint in enumerate(expressed.counted)]
        others = (expressed.head, expressed.bodies, *arguments, expressed.values, expressed.data,
                  np.array(rows, np.int64).reshape(-1, 2))
    control = (np.zeros(3, np.int64), np.zeros(MOST_SIGNALS), np.zeros(MOST_SIGNALS), np.zeros(MOST_SIGNALS, np.int64))
    return Loads(np.sum(weights or [[0.0] * 3], axis=0).astype(float), which, table, numbers, *others, *control)


@small_kernel
def apply_load(shape: Ints, bodies: Floats, loads: Loads, t: float, y: Floats, k: int) -> None:
    """Add load k to the forces and torques on its bodies, given by the block of their table."""
    if loads.which[k, TURN] >= 0:
        loads.load[k, TURNED] = y[counted(shape, loads.which[k, TURN])]
    call_on_rows(loads.which[k, CODE], t, bodies, loads.load, loads.numbers, k)


@small_kernel
def count_turns(shape: Ints, bodies: Floats, loads: Loads, t: float, y: Floats) -> None:
    """Bring the counted angles of a state to the turns that the bodies are in; forces on bodies mean nothing then."""
    for k in range(len(loads.which)):
        if loads.which[k, TURN] >= 0:
            apply_load(shape, bodies, loads, t, y, k)
            y[counted(shape, loads.which[k, TURN])] = loads.load[k, TURNED]


@small_kernel
def write_turn_rates(shape: Ints, loads: Loads, dy: Floats) -> None:
    """Rates of the counted angles after an evaluation."""
    for k in range(len(loads.which)):
        if loads.which[k, TURN] >= 0:
            dy[counted(shape, loads.which[k, TURN])] = loads.load[k, RATE]


@small_kernel
def apply_loads(tables: Tables, loads: Loads, t: float, y: Floats) -> None:
    """Force and torque about the mass centre of every body; potential energies, and powers of what has none."""
    shape, figures, bodies, potential = tables.shape, tables.figures, tables.bodies, 0.0
    stored, done = FIGURES, len(figures) - shape[WORKS]
    for i in range(shape[BODIES]):
        potential += weigh_body(bodies, i, loads.gravity)
    for k in range(len(loads.which)):
        apply_load(shape, tables.body_block, loads, t, y, k)
        if loads.which[k, STORES] != 0:
            figures[stored] = loads.load[k, STORED]
            potential += figures[stored]
            stored += 1
        if loads.which[k, WORKING] != 0:
            figures[done] = loads.load[k, POWER]
            done += 1
    if loads.expressed[PROGRAM] != 0:
        potential += _apply_expressed(figures, bodies, loads, t, stored, done)
    figures[POTENTIAL] = potential


@small_kernel
def read_arguments(bodies: BodyTable, loads: Loads, accelerated: bool) -> None:
    """Write what machine code reads of the bodies, in the order of `loads.expressed.READ`.

    accelerated: with accelerations, which are known where all loads are.
    """
    pose, motion, derived, arguments, o = bodies.pose, bodies.motion, bodies.derived, loads.arguments, 0
    for n in range(len(loads.reading)):
        i = loads.reading[n]
        for k in range(3):
            arguments[o + k], arguments[o + 3 + k], arguments[o + 6 + k] = (
                pose[i, X + k], motion[i, VX + k], motion[i, WX + k])
        for k in range(LOAD if accelerated else A):
            arguments[o + 9 + k] = derived[i, k]
        o += 9 + LOAD


@small_kernel
def evaluate_expressed(bodies: BodyTable, loads: Loads, t: float) -> None:
    """Potential energies, powers, forces and torques of loads without a kernel, for the angles that loads counted."""
    read_arguments(bodies, loads, False)
    for n in range(len(loads.expressed_angles)):
        loads.expressed_data[loads.expressed_angles[n, 0]] = loads.load[loads.expressed_angles[n, 1], TURNED]
    if loads.control[CONTROLLER] != 0:
        call_rates(loads.control[MEASURING], t, loads.arguments, loads.measured, loads.expressed_data)
        call_rates(loads.control[CONTROLLER], t, loads.measured, loads.commanded, loads.expressed_data)
        for k in range(loads.control[WRITTEN]):
            loads.expressed_data[loads.commands[k]] = loads.commanded[k]
    call_rates(loads.expressed[PROGRAM], t, loads.arguments, loads.expressed_values, loads.expressed_data)


@small_kernel
def _apply_expressed(figures: Floats, bodies: BodyTable, loads: Loads, t: float, stored: int, done: int) -> float:
    """Add loads without a kernel; returns their potential energy [J]."""
    values, energies, powers = loads.expressed_values, loads.expressed[ENERGIES], loads.expressed[POWERS]
    evaluate_expressed(bodies, loads, t)
    potential = 0.0
    for k in range(energies):
        figures[stored + k] = values[k]
        potential += values[k]
    for k in range(powers):
        figures[done + k] = values[energies + k]
    for n in range(len(loads.expressed_body)):
        for k in range(6):
            bodies.derived[loads.expressed_body[n], LOAD + k] += values[energies + powers + 6 * n + k]
    return potential


@small_kernel
def kinetic_energy(shape: Ints, figures: Floats, bodies: BodyTable) -> None:
    """½ m v² + ½ ω·L over all bodies."""
    total = 0.0
    for i in range(shape[BODIES]):
        v = at(bodies.motion, i, VX)
        total += 0.5 * dot(v, v) / bodies.motion[i, IM] + 0.5 * dot(at(bodies.motion, i, WX), at(bodies.derived, i, L))
    figures[KINETIC] = total
