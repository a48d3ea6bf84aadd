"""What the kernels of mechanisms work on: constant tables (`Model`), and arrays they write (`Work`).

Bodies are numbered 0..n-1; row n is the ground, which has no inverse mass. A joint joins two points, `arm` from the mass
centres of its bodies, and has some rows. Symbols: J row blocks, M mass matrix, λ multipliers, H = J M⁻¹ Jᵀ.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from granum.base.kernels import Floats, Ints, kernel
from granum.base.pointers import addresses, carray, floats_at, grid_at, int_grid_at, ints_at

FIXED, CARRIED, SQUARE, ANGLE, DISTANCE, ROLL, ROLL_FLAT, SPIN, SPIN_FLAT = range(9)
"""Kinds of rows: distance of the points along a direction of the ground, along one carried by the first body; directions
carried by both stay square; relative angle; distance of the points; rolling on a round body, on a plane; no turning
about the normal of either."""
U, V, P, OFFSET = 0, 3, 6, 9
"""Columns of `numbers`: a direction in the first body, one in the second, a third (or the radii and the number of the
tangent), and what the value is counted from."""

BODIES, PLANAR, STRIDE, TURNS, DRIVES = range(5)
"""Places in `shape`: movable bodies, is it of the plane, numbers of state per body, counted angles, address of the
formulas of drives."""
SPACE, PLANE = 13, 6
"""Numbers of state per body: position, quaternion, velocity, angular momentum; position, angle, velocity, momentum."""

POTENTIAL, POWER, KINETIC, DROPPED, CHANGES, TARGET, SKIPPED, POSITIONS, VELOCITIES, ENERGY = range(10)
"""Places in `figures`: energies and power of what has no potential of the last evaluation; rows that restrain nothing
new, and how often their number changed; energy to be held, steps at which that failed; which corrections are made."""
FIGURES = 10


class Model(NamedTuple):
    """Constant tables of a mechanism."""

    shape: Ints
    inverse_mass: Floats
    """[1/kg]"""
    inverse_inertia: Floats
    """(n + 1, 9) in body axes [1/(kg m²)]; zero about axes that have no inertia."""
    body: Ints
    """(joints, 2): first and second body."""
    arm: Floats
    """(joints, 6): points in the axes of both [m]."""
    row_joint: Ints
    row_kind: Ints
    row_drive: Ints
    """Which formula of time a row follows, or -1."""
    numbers: Floats
    """(rows, 10)"""
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
    """(torsion springs, 12): axis and a direction across it in the first body, that direction in the second, stiffness,
    rest angle, damping."""
    friction_row: Ints
    """(sliding contacts,): rows of their normal forces."""
    friction: Floats
    """(sliding contacts, 3): coefficient signed like the normal force that presses, signed radii of both bodies."""
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


class Work(NamedTuple):
    """Arrays that an evaluation writes; allocated once."""

    x: Floats
    """(n + 1, 3) positions of mass centres, ground last."""
    R: Floats
    """(n + 1, 9) rotations."""
    angle: Floats
    """(n + 1,) in the plane."""
    v: Floats
    w: Floats
    """(n + 1, 3) angular velocities, inertial axes."""
    momentum: Floats
    """(n + 1, 3) angular momenta, inertial axes."""
    inverse: Floats
    """(n + 1, 9) inverse inertia, inertial axes."""
    geometry: Floats
    """(joints, 15): both arms, d from the first point to the second, its rate, its acceleration at rest of v and w."""
    drive: Floats
    """Motion of each drive, its rate and its acceleration."""
    J: Floats
    """(rows, 6 or 12): row blocks of the first and of the second body; force and torque per multiplier."""
    B: Floats
    """M⁻¹ Jᵀ, or M⁻¹ Dᵀ where D differs."""
    D: Floats
    """Where there is sliding friction: what a multiplier does to the bodies, J and friction."""
    value: Floats
    rate: Floats
    b: Floats
    """Right-hand side of J a = b."""
    multiplier: Floats
    load: Floats
    """(n + 1, 6) force and torque about the mass centre."""
    a: Floats
    """(n + 1, 6) acceleration and angular acceleration."""
    slip: Floats
    """(sliding contacts, 3): direction of slip where it is too slow to be seen."""
    values: Floats
    lower: Floats
    upper_values: Floats
    upper: Floats
    pivot: Floats
    line: Floats
    column: Floats
    filled: Ints
    flag: Ints
    path: Ints
    kept: Ints
    right: Floats
    figures: Floats


def block(model: Model, work: Work) -> Floats:
    """The block of numbers that compiled functions are handed: addresses of all arrays."""
    return addresses([*model, *work])


_SIZE = 3 * (len(Model._fields) + len(Work._fields))
_FIRST = len(Model._fields)


@kernel
def views(data_: Any) -> tuple[Model, Work]:
    """The tables behind a block."""
    t = carray(data_, _SIZE).view("int64")
    model = Model(
        ints_at(t, 0), floats_at(t, 1), grid_at(t, 2), int_grid_at(t, 3), grid_at(t, 4), ints_at(t, 5), ints_at(t, 6),
        ints_at(t, 7), grid_at(t, 8), floats_at(t, 9), ints_at(t, 10), grid_at(t, 11), ints_at(t, 12), grid_at(t, 13),
        int_grid_at(t, 14), grid_at(t, 15), int_grid_at(t, 16), grid_at(t, 17), ints_at(t, 18), grid_at(t, 19),
        ints_at(t, 20), ints_at(t, 21), ints_at(t, 22), ints_at(t, 23), ints_at(t, 24), ints_at(t, 25), ints_at(t, 26),
        ints_at(t, 27), ints_at(t, 28))
    k = _FIRST
    work = Work(
        grid_at(t, k), grid_at(t, k + 1), floats_at(t, k + 2), grid_at(t, k + 3), grid_at(t, k + 4),
        grid_at(t, k + 5), grid_at(t, k + 6), grid_at(t, k + 7), floats_at(t, k + 8), grid_at(t, k + 9),
        grid_at(t, k + 10), grid_at(t, k + 11), floats_at(t, k + 12), floats_at(t, k + 13), floats_at(t, k + 14),
        floats_at(t, k + 15), grid_at(t, k + 16), grid_at(t, k + 17), grid_at(t, k + 18), floats_at(t, k + 19),
        floats_at(t, k + 20), floats_at(t, k + 21), floats_at(t, k + 22), floats_at(t, k + 23), floats_at(t, k + 24),
        floats_at(t, k + 25), ints_at(t, k + 26), ints_at(t, k + 27), ints_at(t, k + 28), ints_at(t, k + 29),
        floats_at(t, k + 30), floats_at(t, k + 31))
    return model, work
