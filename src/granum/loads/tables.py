"""Loads on bodies as tables, and all of them applied to a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints, small_kernel
from granum.base.pointers import FloatGrid, IntGrid, call_rates
from granum.base.vectors import at, dot
from granum.loads import force, gravity, spring, torque, torsion
from granum.loads.expressed import ExpressedLoads
from granum.loads.load import BodyLoad
from granum.model.loads import Force, Gravity, Spring, Torque, TorsionSpring
from granum.rows.tables import BODIES, FIGURES, KINETIC, LOAD, MASS, POTENTIAL, POWER, WORKS, L, V, W

weigh_body, act_force, act_torque, act_spring = gravity.act, force.act, torque.act, spring.act
act_torsion, torsion_angle = torsion.act, torsion.angle
SPRING_DAMPING, TORSION_DAMPING = spring.DAMPING, torsion.DAMPING


KERNELS = (Gravity, Force, Torque, Spring, TorsionSpring)
"""Kinds with a kernel; of others the formula is compiled (`loads.expressed`)."""
PROGRAM, STORES, POWERS = range(3)
"""Entries of `expressed`: address of the machine code, numbers of potential energies and powers it writes."""


class Loads(NamedTuple):
    """Loads by kind; each table has the columns of its file."""

    gravity: Floats
    force_body: Ints
    force: FloatGrid
    torque_body: Ints
    torque: FloatGrid
    spring_body: IntGrid
    """(springs, 2)"""
    spring: FloatGrid
    torsion_body: IntGrid
    torsion: FloatGrid
    expressed: Ints
    expressed_body: Ints
    """Bodies that loads without a kernel act on."""
    expressed_values: Floats
    """What their machine code writes: potential energies, powers, force and torque for each of these bodies."""


def load_tables(loads: Sequence[BodyLoad], ground: int, expressed: ExpressedLoads | None = None) -> Loads:
    """Tables of loads, with the number of the ground among the bodies."""
    weights = [load.numbers for load in loads if type(load.entry) is Gravity]
    tables: list[Floats | Ints] = [np.sum(weights or [[0.0] * 3], axis=0).astype(float)]
    for kind, ends, width in ((Force, 1, force.WIDTH), (Torque, 1, torque.WIDTH), (Spring, 2, spring.WIDTH),
                              (TorsionSpring, 2, torsion.WIDTH)):
        own = [load for load in loads if type(load.entry) is kind]
        bodies = np.array([[ground if body < 0 else body for body in load.bodies] for load in own], dtype=np.int64)
        tables.append(bodies.reshape(-1, 2) if ends == 2 else bodies.ravel())
        tables.append(np.array([load.numbers for load in own], dtype=float).reshape(-1, width))
    if expressed is not None:
        tables += [expressed.head, expressed.bodies, expressed.values]
    else:
        tables += [np.zeros(3, np.int64), np.zeros(0, np.int64), np.zeros(1)]
    return Loads(*tables)  # type: ignore[arg-type]


@small_kernel
def apply_loads(shape: Ints, figures: Floats, bodies: Floats, loads: Loads, t: float, y: Floats) -> None:
    """Force and torque about the mass centre of every body; potential energies, and powers of torques and dampers."""
    potential = 0.0
    held, done = FIGURES, len(figures) - shape[WORKS]
    for i in range(shape[BODIES]):
        potential += weigh_body(bodies, i, loads.gravity)
    for k in range(len(loads.force_body)):
        figures[held] = act_force(bodies, loads.force, loads.force_body[k], k, 1.0)
        potential += figures[held]
        held += 1
    for k in range(len(loads.torque_body)):
        figures[done] = act_torque(bodies, loads.torque, loads.torque_body[k], k, 1.0)
        done += 1
    for k in range(len(loads.spring_body)):
        figures[POTENTIAL] = figures[POWER] = 0.0
        act_spring(figures, bodies, loads.spring, loads.spring_body[k, 0], loads.spring_body[k, 1], k, 1.0, 1.0)
        potential += figures[POTENTIAL]
        held, done = _enter(figures, held, done, loads.spring[k, SPRING_DAMPING])
    for k in range(len(loads.torsion_body)):
        phi = torsion_angle(shape, bodies, loads.torsion, loads.torsion_body, y, k)
        figures[POTENTIAL] = figures[POWER] = 0.0
        act_torsion(figures, bodies, loads.torsion, loads.torsion_body[k, 0], loads.torsion_body[k, 1], k, phi, 1.0,
                    1.0)
        potential += figures[POTENTIAL]
        held, done = _enter(figures, held, done, loads.torsion[k, TORSION_DAMPING])
    if loads.expressed[PROGRAM] != 0:
        potential += _apply_expressed(figures, bodies, loads, t, held, done)
    figures[POTENTIAL] = potential


@small_kernel
def _apply_expressed(figures: Floats, bodies: Floats, loads: Loads, t: float, held: int, done: int) -> float:
    """Add loads without a kernel; returns their potential energy [J]."""
    values, stores, powers = loads.expressed_values, loads.expressed[STORES], loads.expressed[POWERS]
    call_rates(loads.expressed[PROGRAM], t, bodies, values, values)
    potential = 0.0
    for k in range(stores):
        figures[held + k] = values[k]
        potential += values[k]
    for k in range(powers):
        figures[done + k] = values[stores + k]
    for n in range(len(loads.expressed_body)):
        for k in range(6):
            bodies[loads.expressed_body[n], LOAD + k] += values[stores + powers + 6 * n + k]
    return potential


@small_kernel
def _enter(figures: Floats, held: int, done: int, damping: float) -> tuple[int, int]:
    """Keep potential energy and power of a spring; only what damps is an agent of its own. Returns the next entries."""
    figures[held] = figures[POTENTIAL]
    if damping > 0.0:
        figures[done] = figures[POWER]
        return held + 1, done + 1
    return held + 1, done


@small_kernel
def kinetic_energy(shape: Ints, figures: Floats, bodies: Floats) -> None:
    """½ m v² + ½ ω·L over all bodies."""
    total = 0.0
    for i in range(shape[BODIES]):
        v = at(bodies, i, V)
        total += 0.5 * dot(v, v) / bodies[i, MASS] + 0.5 * dot(at(bodies, i, W), at(bodies, i, L))
    figures[KINETIC] = total
