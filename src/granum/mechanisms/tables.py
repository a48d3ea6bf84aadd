"""What the kernels of mechanisms work on: tables with a row for each body, joint and row of a constraint.

Constants and what an evaluation finds stand beside each other in one table, so that kernels take few arrays. Bodies are
numbered 0..n-1; row n is the ground, which has no inverse mass. Symbols: J row blocks, M mass matrix, λ multipliers,
H = J M⁻¹ Jᵀ.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints, kernel
from granum.base.pointers import addresses, carray, floats_at, grid_at, int_grid_at, ints_at

X, V, W, L, R, INVERSE, LOAD, A, ANGLE_Z, MASS, INERTIA, BODY_WIDTH = 0, 3, 6, 9, 12, 21, 30, 36, 42, 43, 44, 53
"""Columns of `bodies`: position, velocity, angular velocity, angular momentum, rotation (9), inverse inertia in
inertial axes (9), force and torque about the mass centre, acceleration and angular acceleration, angle in the plane;
and constant: inverse mass, inverse inertia in body axes (9), zero about axes that have no inertia."""
ARM, REACH, APART, RATE, CENTRE, JOINT_WIDTH = 0, 6, 12, 15, 18, 21
"""Columns of `joints`: both points in body axes (constant), the same in inertial axes, d from the first to the second,
its rate, and its acceleration while v and ω do not change."""
U, S, P, OFFSET, J = 0, 3, 6, 9, 10
"""Columns of `rows`: a direction in the first body, one in the second, a third (or the radii and the number of the
tangent), what the value is counted from; then J, M⁻¹ Jᵀ and, with sliding friction, D: for each both bodies' blocks."""
JOINT, KIND, DRIVE = 0, 1, 2
"""Columns of `which`: joint and kind of a row, and the formula of time it follows, or -1."""
FIXED, CARRIED, SQUARE, ANGLE, DISTANCE, ROLL, ROLL_FLAT, SPIN, SPIN_FLAT = range(9)
"""Kinds of rows: distance of the points along a direction of the ground, along one carried by the first body;
directions carried by both stay square; relative angle; distance of the points; rolling on a round body, on a plane; no
turning about the normal of either."""

BODIES, PLANAR, TURNS, DRIVES, WORKS = range(5)
"""Places in `shape`: movable bodies, is it of the plane, counted angles, address of the formulas of drives, agents
whose work is integrated."""
SPACE, PLANE = 13, 6
"""Numbers of state per body: position, quaternion, velocity, angular momentum; position, angle, velocity, momentum."""
POTENTIAL, POWER, KINETIC, DROPPED, CHANGES, TARGET, SKIPPED, POSITIONS, VELOCITIES, ENERGY, FIGURES = range(11)
"""Places in `figures`: energies and power of what has no potential of the last evaluation; rows that restrain nothing
new, and how often their number changed; energy to be held, steps at which that failed; which corrections are made.
Behind them the potential energy of each force, spring and torsion spring, and the power of each agent whose work is
integrated: torques, dampers, drives, sliding frictions."""


class Tables(NamedTuple):
    """Bodies, joints and rows."""

    shape: Ints
    figures: Floats
    bodies: Floats
    joints: Floats
    ends: Ints
    """(joints, 2): first and second body."""
    rows: Floats
    which: Ints
    value: Floats
    rate: Floats
    b: Floats
    """Right-hand side of J a = b."""
    multiplier: Floats
    drive: Floats
    """Motion of each drive, its rate and its acceleration."""


class Loads(NamedTuple):
    """Loads as tables."""

    gravity: Floats
    force_body: Ints
    force: Floats
    """(forces, 6): point in body axes, force in inertial ones."""
    torque_body: Ints
    torque: Floats
    spring_body: Ints
    """(springs, 2)"""
    spring: Floats
    """(springs, 9): points, stiffness, rest length, damping."""
    torsion_body: Ints
    torsion: Floats
    """(torsion springs, 12): axis in the first body, a direction across it in the second (in the plane the angle to
    count from), the same in the first, stiffness, rest angle, damping."""


PRESSES, HOLDS, SLIDES = 0, 1, 2
"""Kinds of events: a contact presses, friction suffices for rolling, a contact slides on."""


class Frictions(NamedTuple):
    """Sliding contacts, and what ends the validity of contacts."""

    row: Ints
    """Rows of their normal forces."""
    numbers: Floats
    """(contacts, 6): coefficient signed like the normal force that presses, signed radii of both bodies, and the
    direction of slip at the last step: in 3-D a unit vector, in 2-D the sign along the tangent (first number)."""
    watch: Ints
    """(events, 3): kind, row of the normal force (or number of the sliding contact), tangents."""
    limit: Floats
    """(events, 2): sign of a multiplier that presses, coefficient of friction."""


class Elimination(NamedTuple):
    """Pattern of H, what its entries are made of, and its factors."""

    order: Ints
    start: Ints
    row: Ints
    parent: Ints
    factor_start: Ints
    factor_row: Ints
    share_entry: Ints
    """Contributions to the entries of H: entry, and two rows with their sides as 2 row + side."""
    share_first: Ints
    share_second: Ints
    values: Floats
    lower: Floats
    upper_values: Floats
    upper: Floats
    pivot: Floats
    line: Floats
    column: Floats
    right: Floats
    filled: Ints
    flag: Ints
    path: Ints
    kept: Ints


class Model(NamedTuple):
    """All tables of a mechanism."""

    tables: Tables
    loads: Loads
    frictions: Frictions
    elimination: Elimination


def block(model: Model) -> Floats:
    """The block of numbers that compiled functions are handed: addresses of all arrays."""
    return addresses([array for part in model for array in part])


_SIZE = 3 * sum(len(part._fields) for part in (Tables, Loads, Frictions, Elimination))


@kernel
def views(data_: Any) -> tuple[Tables, Loads, Frictions, Elimination]:
    """The tables behind a block."""
    t = carray(data_, _SIZE).view(np.int64)
    tables = Tables(
        ints_at(t, 0), floats_at(t, 1), grid_at(t, 2), grid_at(t, 3), int_grid_at(t, 4), grid_at(t, 5),
        int_grid_at(t, 6), floats_at(t, 7), floats_at(t, 8), floats_at(t, 9), floats_at(t, 10), floats_at(t, 11))
    loads = Loads(
        floats_at(t, 12), ints_at(t, 13), grid_at(t, 14), ints_at(t, 15), grid_at(t, 16), int_grid_at(t, 17),
        grid_at(t, 18), int_grid_at(t, 19), grid_at(t, 20))
    frictions = Frictions(ints_at(t, 21), grid_at(t, 22), int_grid_at(t, 23), grid_at(t, 24))
    elimination = Elimination(
        ints_at(t, 25), ints_at(t, 26), ints_at(t, 27), ints_at(t, 28), ints_at(t, 29), ints_at(t, 30), ints_at(t, 31),
        ints_at(t, 32), ints_at(t, 33), floats_at(t, 34), floats_at(t, 35), floats_at(t, 36), floats_at(t, 37),
        floats_at(t, 38), floats_at(t, 39), floats_at(t, 40), floats_at(t, 41), ints_at(t, 42), ints_at(t, 43),
        ints_at(t, 44), ints_at(t, 45))
    return tables, loads, frictions, elimination
