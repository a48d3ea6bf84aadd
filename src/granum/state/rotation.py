"""Rotation of bodies: free rotation that keeps momentum and energy, inertia in inertial axes, positions of parts.

Without torque the implicit midpoint rule for the momentum l = Rᵀ L in body axes,

    l' - l = h l̄ × ω̄,   l̄ = (l + l')/2,  ω̄ = I⁻¹ l̄,

keeps |l|² and l·I⁻¹ l, both quadratic. It is l' = cay(h ω̄)ᵀ l with Cayley's map, so R' = R cay(h ω̄) keeps R l: the
momentum in inertial axes stays what it is, to round-off (Hairer, Lubich, Wanner, Geometric Numerical Integration,
VII.5).
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from granum.base.kernels import Floats, inlined, kernel, small_kernel
from granum.base.space import displacement
from granum.base.vectors import Vector, put
from granum.state.table import (
    INVERSE,
    INVERSE_IN_BODY,
    QA,
    QB,
    QC,
    QD,
    ROTATION,
    SX,
    SY,
    SZ,
    VX,
    VY,
    VZ,
    WX,
    WY,
    WZ,
    R,
    X,
    Y,
    Z,
)

Matrix: TypeAlias = tuple[float, float, float, float, float, float, float, float, float]
"""Row by row."""
ROUNDS = 50
"""Rounds of the fixed point for ω̄; steps of contact rotate a body by some hundredths of a radian, which takes six."""


@inlined
def rotated(a: float, b: float, c: float, d: float, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A vector of body axes in inertial axes, by the unit quaternion (a, b, c, d)."""
    tx, ty, tz = 2.0 * (c * z - d * y), 2.0 * (d * x - b * z), 2.0 * (b * y - c * x)
    return x + a * tx + c * tz - d * ty, y + a * ty + d * tx - b * tz, z + a * tz + b * ty - c * tx


@inlined
def times(m: Floats, i: int, k: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A symmetric matrix, its six numbers in row i from column k, times a vector."""
    return (m[i, k] * x + m[i, k + 3] * y + m[i, k + 4] * z, m[i, k + 3] * x + m[i, k + 1] * y + m[i, k + 5] * z,
            m[i, k + 4] * x + m[i, k + 5] * y + m[i, k + 2] * z)


@inlined
def rotation_of(a: float, b: float, c: float, d: float) -> Matrix:
    """The rotation matrix of a unit quaternion, row by row."""
    return (1.0 - 2.0 * (c * c + d * d), 2.0 * (b * c - a * d), 2.0 * (b * d + a * c),
            2.0 * (b * c + a * d), 1.0 - 2.0 * (b * b + d * d), 2.0 * (c * d - a * b),
            2.0 * (b * d - a * c), 2.0 * (c * d + a * b), 1.0 - 2.0 * (b * b + c * c))


@inlined
def orient(derived: Floats, i: int, rotation: Matrix) -> None:
    """Write the rotation matrix of body i."""
    xx, xy, xz, yx, yy, yz, zx, zy, zz = rotation
    put(derived, i, ROTATION, (xx, xy, xz))
    put(derived, i, ROTATION + 3, (yx, yy, yz))
    put(derived, i, ROTATION + 6, (zx, zy, zz))


@inlined
def accept(motion: Floats, i: int, torque: Vector) -> Vector:
    """I⁻¹ of body i, in inertial axes, times a vector: what a torque or an angular impulse gives."""
    return times(motion, i, INVERSE, torque[0], torque[1], torque[2])


@inlined
def rotate_inertia(inertia: Floats, motion: Floats, i: int, rotation: Matrix) -> None:
    """R I⁻¹ Rᵀ of body i."""
    xx, xy, xz, yx, yy, yz, zx, zy, zz = rotation
    x, y, z = times(inertia, i, INVERSE_IN_BODY, xx, xy, xz)
    motion[i, INVERSE], motion[i, INVERSE + 3] = xx * x + xy * y + xz * z, yx * x + yy * y + yz * z
    motion[i, INVERSE + 4] = zx * x + zy * y + zz * z
    x, y, z = times(inertia, i, INVERSE_IN_BODY, yx, yy, yz)
    motion[i, INVERSE + 1], motion[i, INVERSE + 5] = yx * x + yy * y + yz * z, zx * x + zy * y + zz * z
    x, y, z = times(inertia, i, INVERSE_IN_BODY, zx, zy, zz)
    motion[i, INVERSE + 2] = zx * x + zy * y + zz * z


@kernel
def world_inertia(pose: Floats, inertia: Floats, motion: Floats) -> None:
    """Inverse inertia of all bodies in inertial axes."""
    for i in range(len(pose)):
        rotate_inertia(inertia, motion, i, rotation_of(pose[i, QA], pose[i, QB], pose[i, QC], pose[i, QD]))


@kernel
def rotational_energy(pose: Floats, inertia: Floats, motion: Floats, energy: Floats) -> None:
    """Add up the rotational energy of all bodies [J]."""
    for i in range(len(pose)):
        a, b, c, d = pose[i, QA], pose[i, QB], pose[i, QC], pose[i, QD]
        wx, wy, wz = rotated(a, -b, -c, -d, motion[i, WX], motion[i, WY], motion[i, WZ])
        x, y, z = times(inertia, i, 0, wx, wy, wz)
        energy[0] += 0.5 * (x * wx + y * wy + z * wz)


@inlined
def rotate_pose(pose: Floats, i: int, x: float, y: float, z: float, out: Floats) -> None:
    """R' = cay(θ) R with θ in inertial axes [rad]: the quaternion (1, θ/2) times that of body i, of unit length."""
    x, y, z = 0.5 * x, 0.5 * y, 0.5 * z
    a, b, c, d = pose[i, QA], pose[i, QB], pose[i, QC], pose[i, QD]
    na = a - x * b - y * c - z * d
    nb = b + x * a + y * d - z * c
    nc = c + y * a + z * b - x * d
    nd = d + z * a + x * c - y * b
    scale = 1.0 / math.sqrt(na * na + nb * nb + nc * nc + nd * nd)
    out[i, QA], out[i, QB], out[i, QC], out[i, QD] = scale * na, scale * nb, scale * nc, scale * nd


@inlined
def mean_angular_velocity(inertia: Floats, i: int, lx: float, ly: float, lz: float,
                          h: float) -> tuple[float, float, float]:
    """ω̄ of the midpoint rule for body i, in body axes, from its momentum l."""
    wx, wy, wz = times(inertia, i, 6, lx, ly, lz)
    for _ in range(ROUNDS):
        # l̄ = l + h/2 l̄ × ω̄ has a closed form for given ω̄: (1 + θ²) l̄ = l + θ (θ·l) - θ × l with θ = h ω̄/2
        x, y, z = 0.5 * h * wx, 0.5 * h * wy, 0.5 * h * wz
        along, scale = x * lx + y * ly + z * lz, 1.0 / (1.0 + x * x + y * y + z * z)
        mx = scale * (lx + x * along - (y * lz - z * ly))
        my = scale * (ly + y * along - (z * lx - x * lz))
        mz = scale * (lz + z * along - (x * ly - y * lx))
        ox, oy, oz = wx, wy, wz
        wx, wy, wz = times(inertia, i, 6, mx, my, mz)
        change = abs(wx - ox) + abs(wy - oy) + abs(wz - oz)
        if change <= 4e-16 * (abs(wx) + abs(wy) + abs(wz)):
            break
    return wx, wy, wz


@small_kernel
def pose_body(pose: Floats, i: int, begin: int, end: int, arm: Floats, x: Floats) -> None:
    """Put the parts begin, ..., end - 1 of body i where it is."""
    a, b, c, d = pose[i, QA], pose[i, QB], pose[i, QC], pose[i, QD]
    for k in range(begin, end):
        rx, ry, rz = rotated(a, b, c, d, arm[k, X], arm[k, Y], arm[k, Z])
        x[k, X], x[k, Y], x[k, Z] = pose[i, X] + rx, pose[i, Y] + ry, pose[i, Z] + rz


@kernel
def pose_parts(pose: Floats, motion: Floats, body: NDArray[np.int32], arm: Floats, x: Floats, v: Floats) -> None:
    """Positions, velocities and r ω of all parts."""
    for k in range(len(x)):
        i = body[k]
        pose_body(pose, i, k, k + 1, arm, x)
        rx, ry, rz = displacement(pose[i, X], pose[i, Y], pose[i, Z], x[k, X], x[k, Y], x[k, Z])
        wx, wy, wz = motion[i, WX], motion[i, WY], motion[i, WZ]
        v[k, VX] = motion[i, VX] + wy * rz - wz * ry
        v[k, VY] = motion[i, VY] + wz * rx - wx * rz
        v[k, VZ] = motion[i, VZ] + wx * ry - wy * rx
        v[k, SX], v[k, SY], v[k, SZ] = x[k, R] * wx, x[k, R] * wy, x[k, R] * wz
