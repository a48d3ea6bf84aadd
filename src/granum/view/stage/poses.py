"""Poses: a position and a quaternion (w, x, y, z) in one row of seven numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from granum.base.kernels import Floats
from granum.run.tracks import rotations

STILL: Floats = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])


def rotation(quaternion: Floats) -> Floats:
    """(3, 3) rotation of one quaternion."""
    matrix: Floats = rotations(quaternion[None])[0]
    return matrix


def placed(pose: Floats, points: Floats) -> Floats:
    """Where points (k, 3) of a body are."""
    moved: Floats = pose[:3] + points @ rotation(pose[3:]).T
    return moved


def brought_back(pose: Floats, points: Floats) -> Floats:
    """Where points (..., 3) are in the axes of a body."""
    own: Floats = (points - pose[:3]) @ rotation(pose[3:])
    return own


def product(p: Floats, q: Floats) -> Floats:
    """Quaternion of turning by q first, then by p."""
    (a, u), (b, v) = (p[0], p[1:]), (q[0], q[1:])
    return np.concatenate([[a * b - u @ v], a * v + b * u + np.cross(u, v)])


def since(start: Floats, now: Floats) -> Floats:
    """Pose of what moves with a body and is given as it was when the body had the pose `start`."""
    turned = product(now[3:], start[3:] * [1.0, -1.0, -1.0, -1.0])
    return np.concatenate([now[:3] - rotation(turned) @ start[:3], turned])


def pose_of(motion: Callable[[Floats], Floats]) -> Floats:
    """Pose of a rigid motion of points (k, 3)."""
    from scipy.spatial.transform import Rotation

    origin, *axes = motion(np.concatenate([np.zeros((1, 3)), np.eye(3)]))
    x, y, z, w = Rotation.from_matrix(np.column_stack([axis - origin for axis in axes])).as_quat()
    return np.array([*origin, w, x, y, z])
