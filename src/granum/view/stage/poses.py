"""Poses: a position and a quaternion (w, x, y, z) in one row of seven numbers."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from granum.base.kernels import Floats
from granum.base.rotations import IDENTITY, product, rotate_quaternion, three
from granum.model.boundaries import Motion
from granum.run.trajectories import rotations

PLACE, TURN = slice(0, 3), slice(3, 7)
"""Columns of a pose: the position [m] and the quaternion."""
Pose = Callable[[int], Floats]
"""(7,) of a solid in a frame."""
STILL: Floats = np.array([0.0, 0.0, 0.0, *IDENTITY])


def rotation(quaternion: Floats) -> Floats:
    """(3, 3) rotation of one quaternion."""
    matrix: Floats = rotations(quaternion[None])[0]
    return matrix


def placed(pose: Floats, points: Floats) -> Floats:
    """Where points (k, 3) of a body are."""
    moved: Floats = pose[PLACE] + points @ rotation(pose[TURN]).T
    return moved


def brought_back(pose: Floats, points: Floats) -> Floats:
    """Where points (..., 3) are in the axes of a body."""
    own: Floats = (points - pose[PLACE]) @ rotation(pose[TURN])
    return own


def since(start: Floats, now: Floats) -> Floats:
    """Pose of what moves with a body and is given as it was when the body had the pose `start`."""
    turned = product(now[TURN], start[TURN] * [1.0, -1.0, -1.0, -1.0])
    return np.concatenate([now[PLACE] - rotation(turned) @ start[PLACE], turned])


def prescribed(motion: Motion, t: float) -> Floats:
    """Pose of a boundary that moves as prescribed at time t: its points are at C + D(t) + R(t)(x - C)."""
    elapsed = max(0.0, min(t, math.inf if motion.until is None else motion.until) - motion.start_time)
    D = elapsed * three(motion.velocity or ())
    D += math.sin(2.0 * math.pi * motion.frequency * t + motion.phase) * three(motion.amplitude or ())
    C, turned = three(motion.centre or ()), np.array(IDENTITY)
    rotate_quaternion(turned, elapsed * three(motion.angular_velocity or ()))
    return np.concatenate([C + D - rotation(turned) @ C, turned])
