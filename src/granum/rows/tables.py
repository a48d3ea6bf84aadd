"""Bodies, joints and rows as tables for kernels.

Bodies are rows of the table of `state`. Constants and results of joints and rows stand beside each other, so that
kernels take few arrays. Symbols: J row blocks, M mass matrix, λ multipliers, H = J M⁻¹ Jᵀ.
"""

from __future__ import annotations

from typing import NamedTuple

from granum.base.kernels import Floats, Ints
from granum.base.pointers import FloatGrid, IntGrid
from granum.state.table import BodyTable

ARM, REACH, APART, RATE, CENTRE, JOINT_WIDTH = 0, 6, 12, 15, 18, 21
"""Columns of `joints`: both points in body axes (constant), the same in inertial axes, d from the first to the second,
its rate, and its acceleration while v and ω do not change."""
U, S, P, OFFSET, J = 0, 3, 6, 9, 10
"""Columns of `rows`: a direction in the first body, one in the second, a third (or radii and the number of the
tangent), what the value is counted from; then J, M⁻¹ Jᵀ and, with sliding friction, D: for each both bodies' blocks."""
REACH_1, REACH_2, TANGENT = P, P + 1, P + 2
"""Columns of a row of rolling: signed radii of both bodies along the normal, and the number of the tangent."""
JOINT, KIND, DRIVE = 0, 1, 2
"""Columns of `which`: joint and element of a row, and the formula of time it follows, or -1."""
FIXED, CARRIED, SQUARE, ANGLE, DISTANCE, ROLL, ROLL_FLAT, SPIN, SPIN_FLAT, OVAL, ROLL_OVAL = range(11)
"""Elements: distance of the points along a direction of the ground, along one carried by the first body; directions
carried by both stay square; relative angle; distance of the points; rolling on a round body, on a plane; no rotation
about the normal of either; an ellipsoid on a plane: distance, rolling."""
ON_PLANE = (FIXED, OVAL)
"""Elements of the distance from a plane, whose normal stands in the place of a direction of the first body."""
HOLONOMIC = (FIXED, CARRIED, SQUARE, ANGLE, DISTANCE)
"""Elements that restrain positions and orientations of bodies of any shape."""
ROTATIONS = (SQUARE, ANGLE)
"""Elements whose values are angles."""

BODIES, PLANAR, TURNS, DRIVES, WORKS, SHAPE = range(6)
"""Entries of `shape`: movable bodies, is it 2-D, counted angles, address of the formulas of drives, agents whose work
is integrated."""
SPACE, PLANE = 13, 6
"""Numbers of state per body: position, quaternion, velocity, angular momentum; position, angle, velocity, momentum."""
POTENTIAL, POWER, KINETIC, DROPPED, CHANGES, TARGET, SKIPPED, POSITIONS, VELOCITIES, ENERGY, FIGURES = range(11)
"""Entries of `figures`: energies and power of what has no potential of the last evaluation; rows that restrain nothing
new, and how often their number changed; energy to be held, steps at which that failed; which corrections are made.
Behind them the potential energy of each force, spring and torsion spring, and the power of each agent whose work is
integrated: torques, dampers, drives, sliding frictions."""
MOTION, SPEED, ACCELERATION, DRIVE_WIDTH = range(4)
"""Entries of `drive` for each drive, one drive behind the other."""


class Tables(NamedTuple):
    """Bodies, joints and rows."""

    shape: Ints
    figures: Floats
    bodies: BodyTable
    body_block: Floats
    """Block of `bodies`, which kernels of loads are given."""
    joints: FloatGrid
    ends: IntGrid
    """(joints, 2): rows of the first and the second body."""
    rows: FloatGrid
    which: IntGrid
    value: Floats
    rate: Floats
    b: Floats
    """Right-hand side of J a = b."""
    multiplier: Floats
    drive: Floats
    """Motion of each drive, its rate and its acceleration."""
    steering: Floats
    """Numbers of what a user adds to the motions of drives between steps (`rows.drive`)."""
