"""Orientation of round grains: an angle in 2-D, counted through full turns, a unit quaternion in 3-D.

Solvers rotate grains where they move them, with the angular velocity and for the time that go with the velocity of that
move: a grain that rolls without slip rotates by the way it has gone over its radius. A rotation by the vector θ is
q ← exp(θ/2) q, exact while ω does not change.

Solvers of many grains keep quaternions in blocks while they make steps: LANES grains side by side, number by number, so
that the processor rotates several at a time. Each slab of the neighbour list begins with a block of its own.
"""

from __future__ import annotations

import math

import numpy as np

from granum.base.kernels import Floats, Ints, inlined, small_kernel
from granum.base.rotations import about_z, half_angle

SHIFT = 3
LANES = 1 << SHIFT
"""Grains of a block, a power of 2."""
BLOCK = 8 * LANES
"""Numbers of a block: quaternions 0-3, s = r ω to turn with 4-6 [m/s], 1/r 7."""
SMALL = 4e-3
"""Squared angle of a turn [rad²] up to which four terms of the tangent have all digits."""


@inlined
def rotate_quaternion(x: float, y: float, z: float, a: float, b: float, c: float,
              d: float) -> tuple[float, float, float, float]:
    """exp(θ/2) q of a turn θ = (x, y, z) [rad] and a quaternion q, of unit length."""
    half = 0.5 * math.sqrt(x * x + y * y + z * z)
    cosine, sine = math.cos(half), 0.5 * math.sin(half) / half if half > 0.0 else 0.5
    x, y, z = sine * x, sine * y, sine * z
    na, nb = cosine * a - x * b - y * c - z * d, cosine * b + x * a + y * d - z * c
    nc, nd = cosine * c + y * a + z * b - x * d, cosine * d + z * a + x * c - y * b
    scale = 1.0 / math.sqrt(na * na + nb * nb + nc * nc + nd * nd)
    return scale * na, scale * nb, scale * nc, scale * nd


@small_kernel
def rotate_grain(orientation: Floats, i: int, x: float, y: float, z: float) -> None:
    """Rotate grain i by θ = (x, y, z) [rad]; without columns in `orientation` nobody asks the orientation of grains."""
    if orientation.shape[1] == 4:
        orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3] = rotate_quaternion(
            x, y, z, orientation[i, 0], orientation[i, 1], orientation[i, 2], orientation[i, 3])
    elif orientation.shape[1] == 1:
        orientation[i, 0] += z


@small_kernel
def rotate_grains(x: Floats, v: Floats, orientation: Floats, h: float) -> None:
    """Rotate all grains for a time h with the angular velocities that they have."""
    for i in range(len(orientation)):
        rate = h / x[i, 3]
        rotate_grain(orientation, i, rate * v[i, 4], rate * v[i, 5], rate * v[i, 6])


def new_blocks(slabs: Ints, orientation: Floats) -> Floats:
    """Blocks for the grains of all slabs; none in the plane, where grains are rotated in place."""
    if orientation.shape[1] < 4:
        return np.zeros((0, BLOCK))
    return np.zeros((len(orientation) // LANES + len(slabs), BLOCK))


@inlined
def first_block(begin: int, slab: int) -> int:
    """The first block of a slab, whose first row is `begin`."""
    # parallel loops count without a sign, and a sum with a signed number would be a float
    return begin // LANES + int(np.int64(slab))


@small_kernel
def pack_blocks(begin: int, end: int, slab: int, x: Floats, orientation: Floats, blocks: Floats) -> None:
    """Write the quaternions and radii of a slab into its blocks."""
    if len(blocks) > 0:
        first = first_block(begin, slab)
        for i in range(end - begin):
            for c in range(4):
                blocks[first + i // LANES, c * LANES + i % LANES] = orientation[begin + i, c]
            blocks[first + i // LANES, 7 * LANES + i % LANES] = 1.0 / x[begin + i, 3]


@small_kernel
def unpack_blocks(begin: int, end: int, slab: int, blocks: Floats, orientation: Floats) -> None:
    """Read the quaternions of a slab from its blocks, and give them unit length."""
    if len(blocks) > 0:
        first = first_block(begin, slab)
        for i in range(end - begin):
            block, lane = first + i // LANES, i % LANES
            a, b = blocks[block, lane], blocks[block, LANES + lane]
            c, d = blocks[block, 2 * LANES + lane], blocks[block, 3 * LANES + lane]
            scale, row = 1.0 / math.sqrt(a * a + b * b + c * c + d * d), begin + i
            orientation[row, 0], orientation[row, 1] = scale * a, scale * b
            orientation[row, 2], orientation[row, 3] = scale * c, scale * d


@inlined
def request_rotation(x: Floats, orientation: Floats, blocks: Floats, i: int, begin: int, first: int, sx: float,
                     sy: float, sz: float, h: float) -> None:
    """Note with which s = r ω grain i is to be rotated; in the plane it is rotated at once, for a time h.

    `begin` is the first row of its slab, `first` the first block.
    """
    if orientation.shape[1] == 4:
        block, lane = first + ((i - begin) >> SHIFT), (i - begin) & (LANES - 1)
        blocks[block, 4 * LANES + lane], blocks[block, 5 * LANES + lane], blocks[block, 6 * LANES + lane] = sx, sy, sz
    elif orientation.shape[1] == 1:
        orientation[i, 0] += h * sz / x[i, 3]


@inlined
def add_rotation(x: Floats, orientation: Floats, blocks: Floats, i: int, begin: int, first: int, sx: float, sy: float,
                 sz: float, left: float, h: float) -> None:
    """Add to what `request_rotation` has noted: s = r ω changes for the time that is left of the step h."""
    if orientation.shape[1] == 4:
        block, lane, part = first + ((i - begin) >> SHIFT), (i - begin) & (LANES - 1), left / h
        blocks[block, 4 * LANES + lane] += part * sx
        blocks[block, 5 * LANES + lane] += part * sy
        blocks[block, 6 * LANES + lane] += part * sz
    elif orientation.shape[1] == 1:
        orientation[i, 0] += left * sz / x[i, 3]


@small_kernel
def rotate_slab(begin: int, end: int, slab: int, blocks: Floats, h: float) -> None:
    """Rotate the grains of a slab for a time h, as was asked for.

    exp(θ/2) is (1, θ/|θ| tan |θ|/2) but for its length, which is left to `unpack_blocks`: small rotations make
    quaternions longer by 5·10⁻⁴ of their length at most, so there is room for 7·10⁵ of them; `World` never asks for
    as many at once.
    """
    if len(blocks) == 0:
        return
    first, large = first_block(begin, slab), 0
    last = first + (end - begin + LANES - 1) // LANES
    for block in range(first, last):
        for k in range(LANES):
            rate = h * blocks[block, 7 * LANES + k]
            x, y = rate * blocks[block, 4 * LANES + k], rate * blocks[block, 5 * LANES + k]
            z = rate * blocks[block, 6 * LANES + k]
            square = x * x + y * y + z * z
            part = 1.0 / 2.0 + square * (1.0 / 24.0 + square * (1.0 / 240.0 + square * (17.0 / 40320.0)))
            part = part if square <= SMALL else 0.0
            large += 1 if square > SMALL else 0
            x, y, z = part * x, part * y, part * z
            a, b = blocks[block, k], blocks[block, LANES + k]
            c, d = blocks[block, 2 * LANES + k], blocks[block, 3 * LANES + k]
            blocks[block, k] = a - x * b - y * c - z * d
            blocks[block, LANES + k] = b + x * a + y * d - z * c
            blocks[block, 2 * LANES + k] = c + y * a + z * b - x * d
            blocks[block, 3 * LANES + k] = d + z * a + x * c - y * b
    if large > 0:
        for block in range(first, last):
            for k in range(LANES):
                rate = h * blocks[block, 7 * LANES + k]
                x, y = rate * blocks[block, 4 * LANES + k], rate * blocks[block, 5 * LANES + k]
                z = rate * blocks[block, 6 * LANES + k]
                if x * x + y * y + z * z > SMALL:
                    a, b = blocks[block, k], blocks[block, LANES + k]
                    c, d = blocks[block, 2 * LANES + k], blocks[block, 3 * LANES + k]
                    blocks[block, k], blocks[block, LANES + k], blocks[block, 2 * LANES + k], \
                        blocks[block, 3 * LANES + k] = rotate_quaternion(x, y, z, a, b, c, d)


def unrotated(count: int, dimension: int) -> Floats:
    """(count, 1) angles in the plane, (count, 4) quaternions in space, of grains that are not rotated."""
    orientation = np.zeros((count, 1 if dimension == 2 else 4))
    orientation[:, 0] = dimension - 2.0
    return orientation


def from_angle(angle: Floats) -> tuple[Floats, Floats]:
    """Quaternions (n, 4) of 2-D rotations by angles (n,), and the double turns (n,) that they do not show."""
    quaternion = about_z(angle)
    return quaternion, np.rint((0.5 * angle - half_angle(quaternion)) / (2.0 * np.pi))


def full_angle(quaternion: Floats, double_turns: Floats) -> Floats:
    """(n,): angles of 2-D rotations, counted through full turns [rad]."""
    half: Floats = half_angle(quaternion) + 2.0 * np.pi * double_turns
    return 2.0 * half


def product(first: Floats, second: Floats) -> Floats:
    """(n, 4): products of quaternions."""
    a, b, c, d = first.T
    e, f, g, h = second.T
    return np.column_stack([a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g,
                            a * g + c * e + d * f - b * h, a * h + d * e + b * g - c * f])
