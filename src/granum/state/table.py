"""The columns of bodies: one table for point masses, rigid bodies, round grains, and bodies of several parts.

A row is a body. Its columns stand in groups, each an array of its own, so that kernels read what they need:

- *pose*: where it is. Round grains have the first four columns.
- *motion*: velocities, and what answers an impulse. Round grains have the first eight columns.
- *inertia*: constants in body axes.
- *derived*: what follows from the others, and what an evaluation sums up. Only bodies with joints or loads have it.

2-D and 3-D share all columns: in 2-D z, v_z and the rotation about x and y are zero and stay so.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats
from granum.base.pointers import FloatGrid, block_reader

X, Y, Z, R, QA, QB, QC, QD, POSE = range(9)
"""Columns of poses: mass centre [m], distance of the farthest point from it [m], which is the radius of a round grain,
unit quaternion."""
VX, VY, VZ, IM, WX, WY, WZ, KM, INVERSE, DOUBLE_TURNS, STRIDE, MOTION = 0, 1, 2, 3, 4, 5, 6, 7, 8, 14, 15, 16
"""Columns of motions: velocity [m/s], 1/m [1/kg], angular velocity ω [rad/s]; κ/m of a round grain, κ = m r²/I (2 for a
disk, 5/2 for a sphere); inverse inertia in inertial axes as xx, yy, zz, xy, xz, yz [1/(kg m²)], double turns made in
2-D, how far points of the body move in a step [m]."""
SX, SY, SZ = WX, WY, WZ
"""The angular velocity of a round grain stands there as s = r ω [m/s]: contacts of round grains then read no radius."""

ROTATION, ANGLE_Z, A, LOAD, L, DERIVED = 0, 9, 10, 16, 22, 25
"""Derived columns: rotation matrix (9), angle in 2-D counted through full turns, acceleration and angular acceleration,
force and torque about the mass centre, angular momentum in inertial axes."""
IN_BODY, INVERSE_IN_BODY, INERTIA = 0, 6, 12
"""Columns of inertia: inertia in body axes [kg m²] and its inverse, six numbers each as above; the inverse is zero
about axes without inertia."""

AXES = 8
"""First column of the unit quaternion at the beginning of a step, behind the velocities of that time."""
PLACEMENT = [X, Y, Z, QA, QB, QC, QD]
"""Columns of a pose that say where a body is: mass centre and unit quaternion."""
SYMMETRIC = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Where the six numbers of a symmetric matrix stand."""


class BodyTable(NamedTuple):
    """Bodies by a row each; the last row is the ground, which has no inverse mass."""

    pose: FloatGrid
    motion: FloatGrid
    inertia: FloatGrid
    derived: FloatGrid

    def rotation(self, row: int) -> Floats:
        """(3, 3): from the axes of a body to inertial axes."""
        return self.derived[row, ROTATION : ROTATION + 9].reshape(3, 3)


read_bodies = block_reader(BodyTable)


def body_table(count: int) -> BodyTable:
    """Room for some bodies and the ground, all unrotated."""
    bodies = BodyTable(*(np.zeros((count + 1, width)) for width in (POSE, MOTION, INERTIA, DERIVED)))
    bodies.pose[:, QA] = bodies.derived[:, ROTATION] = bodies.derived[:, ROTATION + 4] = 1.0
    bodies.derived[:, ROTATION + 8] = 1.0
    return bodies


def six_of(matrix: Floats) -> Floats:
    """The six numbers of a symmetric matrix."""
    return np.array([matrix[i, j] for i, j in SYMMETRIC])


def matrix_of(six: Floats) -> Floats:
    """The symmetric matrix of six numbers."""
    xx, yy, zz, xy, xz, yz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
