"""Rotations as numbers: matrices, quaternions and vectors of two or three components."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from granum.base.kernels import Floats

IDENTITY = (1.0, 0.0, 0.0, 0.0)
"""The quaternion of no rotation."""


def three(values: Sequence[float] | Floats) -> Floats:
    """A vector of three components, with zeros for those that are left out."""
    full = np.zeros(3)
    full[: len(values)] = values
    return full


def about_z(angle: Floats) -> Floats:
    """(n, 4): quaternions of 2-D rotations by angles (n,)."""
    zero = np.zeros(len(angle))
    return np.column_stack([np.cos(0.5 * angle), zero, zero, np.sin(0.5 * angle)])


def half_angle(quaternion: Floats) -> Floats:
    """Half the angle about z of unit quaternions (..., 4), between -π and π [rad]."""
    scalar, z = quaternion[..., 0], quaternion[..., 3]
    half: Floats = np.arctan2(z, scalar)
    return half


def rotation_of(quaternion: Sequence[float] | Floats) -> Floats:
    """The rotation matrix of a unit quaternion (Udwadia and Mogharabin 2022, eq. 23)."""
    a, b, c, d = quaternion
    return np.array([[1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)],
                     [2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)],
                     [2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)]])


def quaternion_of(R: Floats) -> Floats:
    """The quaternion of a rotation, its largest component positive."""
    trace = np.trace(R)
    squares = np.array([1.0 + trace, *(1.0 + 2.0 * R[k, k] - trace for k in range(3))])
    k = int(squares.argmax())
    products = np.array([
        [squares[0], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
        [R[2, 1] - R[1, 2], squares[1], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
        [R[0, 2] - R[2, 0], R[0, 1] + R[1, 0], squares[2], R[1, 2] + R[2, 1]],
        [R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], squares[3]]])
    quaternion: Floats = products[k] / np.linalg.norm(products[k])
    return quaternion


def product(a: Floats, b: Floats) -> Floats:
    """Product of two quaternions."""
    return np.array([a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])


def angular_velocity_of(quaternion: Floats, rate: Floats) -> Floats:
    """Angular velocity in inertial axes, 2 u̇ ū / |u|²."""
    conjugate = np.array([quaternion[0], *(-quaternion[1:])])
    w: Floats = 2.0 * product(rate, conjugate)[1:] / float(quaternion @ quaternion)
    return w


def quaternion_rates(quaternion: Sequence[float], w: Sequence[float] | Floats) -> list[float]:
    """u̇ = ½ ω u of an angular velocity in inertial axes [rad/s]."""
    rate: list[float] = (0.5 * product(np.array([0.0, *w]), np.array(quaternion, dtype=float))).tolist()
    return rate


def rotate_quaternion(quaternion: Floats, vector: Floats) -> None:
    """Rotate a unit quaternion in place by a rotation vector [rad] in inertial axes."""
    angle = float(np.linalg.norm(vector))
    step = np.array([np.cos(0.5 * angle), *(0.5 * np.sinc(angle / (2.0 * np.pi)) * vector)])
    quaternion[:] = product(step, quaternion)
    quaternion /= np.linalg.norm(quaternion)
