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
from granum.state.table import SX, SY, SZ, R

SHIFT = 3
LANES = 1 << SHIFT
"""Grains of a block, a power of 2."""
LANE_A, LANE_B, LANE_C, LANE_D, LANE_SX, LANE_SY, LANE_SZ, LANE_INVERSE, BLOCK = range(0, 9 * LANES, LANES)
"""Where the lanes of a block begin: unit quaternions, s = r ω to turn with [m/s], 1/r [1/m]; then its length."""
ANGLE = 0
"""Column of orientations in 2-D."""
A, B, C, D = range(4)
"""Columns of quaternions in 3-D."""
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
        orientation[i, A], orientation[i, B], orientation[i, C], orientation[i, D] = rotate_quaternion(
            x, y, z, orientation[i, A], orientation[i, B], orientation[i, C], orientation[i, D])
    elif orientation.shape[1] == 1:
        orientation[i, ANGLE] += z


@small_kernel
def rotate_grains(x: Floats, v: Floats, orientation: Floats, h: float) -> None:
    """Rotate all grains for a time h with the angular velocities that they have."""
    for i in range(len(orientation)):
        rate = h / x[i, R]
        rotate_grain(orientation, i, rate * v[i, SX], rate * v[i, SY], rate * v[i, SZ])


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
            blocks[first + i // LANES, LANE_INVERSE + i % LANES] = 1.0 / x[begin + i, R]


@small_kernel
def unpack_blocks(begin: int, end: int, slab: int, blocks: Floats, orientation: Floats) -> None:
    """Read the quaternions of a slab from its blocks, and give them unit length."""
    if len(blocks) > 0:
        first = first_block(begin, slab)
        for i in range(end - begin):
            block, lane = first + i // LANES, i % LANES
            a, b = blocks[block, LANE_A + lane], blocks[block, LANE_B + lane]
            c, d = blocks[block, LANE_C + lane], blocks[block, LANE_D + lane]
            scale, row = 1.0 / math.sqrt(a * a + b * b + c * c + d * d), begin + i
            orientation[row, A], orientation[row, B] = scale * a, scale * b
            orientation[row, C], orientation[row, D] = scale * c, scale * d


@inlined
def request_rotation(x: Floats, orientation: Floats, blocks: Floats, i: int, begin: int, first: int, sx: float,
                     sy: float, sz: float, h: float) -> None:
    """Note with which s = r ω grain i is to be rotated; in the plane it is rotated at once, for a time h.

    `begin` is the first row of its slab, `first` the first block.
    """
    if orientation.shape[1] == 4:
        block, lane = first + ((i - begin) >> SHIFT), (i - begin) & (LANES - 1)
        blocks[block, LANE_SX + lane], blocks[block, LANE_SY + lane], blocks[block, LANE_SZ + lane] = sx, sy, sz
    elif orientation.shape[1] == 1:
        orientation[i, ANGLE] += h * sz / x[i, R]


@inlined
def add_rotation(x: Floats, orientation: Floats, blocks: Floats, i: int, begin: int, first: int, sx: float, sy: float,
                 sz: float, left: float, h: float) -> None:
    """Add to what `request_rotation` has noted: s = r ω changes for the time that is left of the step h."""
    if orientation.shape[1] == 4:
        block, lane, part = first + ((i - begin) >> SHIFT), (i - begin) & (LANES - 1), left / h
        blocks[block, LANE_SX + lane] += part * sx
        blocks[block, LANE_SY + lane] += part * sy
        blocks[block, LANE_SZ + lane] += part * sz
    elif orientation.shape[1] == 1:
        orientation[i, ANGLE] += left * sz / x[i, R]


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
            rate = h * blocks[block, LANE_INVERSE + k]
            x, y = rate * blocks[block, LANE_SX + k], rate * blocks[block, LANE_SY + k]
            z = rate * blocks[block, LANE_SZ + k]
            square = x * x + y * y + z * z
            part = 1.0 / 2.0 + square * (1.0 / 24.0 + square * (1.0 / 240.0 + square * (17.0 / 40320.0)))
            part = part if square <= SMALL else 0.0
            large += 1 if square > SMALL else 0
            x, y, z = part * x, part * y, part * z
            a, b = blocks[block, LANE_A + k], blocks[block, LANE_B + k]
            c, d = blocks[block, LANE_C + k], blocks[block, LANE_D + k]
            blocks[block, LANE_A + k] = a - x * b - y * c - z * d
            blocks[block, LANE_B + k] = b + x * a + y * d - z * c
            blocks[block, LANE_C + k] = c + y * a + z * b - x * d
            blocks[block, LANE_D + k] = d + z * a + x * c - y * b
    if large > 0:
        for block in range(first, last):
            for k in range(LANES):
                rate = h * blocks[block, LANE_INVERSE + k]
                x, y = rate * blocks[block, LANE_SX + k], rate * blocks[block, LANE_SY + k]
                z = rate * blocks[block, LANE_SZ + k]
                if x * x + y * y + z * z > SMALL:
                    a, b = blocks[block, LANE_A + k], blocks[block, LANE_B + k]
                    c, d = blocks[block, LANE_C + k], blocks[block, LANE_D + k]
                    blocks[block, LANE_A + k], blocks[block, LANE_B + k], blocks[block, LANE_C + k], \
                        blocks[block, LANE_D + k] = rotate_quaternion(x, y, z, a, b, c, d)


def unrotated(count: int, dimension: int) -> Floats:
    """(count, 1) angles in the plane, (count, 4) quaternions in space, of grains that are not rotated."""
    orientation = np.zeros((count, 1 if dimension == 2 else 4))
    orientation[:, 0] = dimension - 2.0
    return orientation


def from_angle(angle: Floats) -> tuple[Floats, Floats]:
    """Quaternions (n, 4) of 2-D rotations by angles (n,), and the double turns (n,) that they do not show."""
    quaternion = about_z(angle)
    return quaternion, np.rint((0.5 * angle - half_angle(quaternion)) / (2.0 * np.pi))


def as_quaternions(orientation: Floats) -> Floats:
    """(n, 4): quaternions of orientations, which in 2-D are angles (n, 1)."""
    return about_z(orientation[:, ANGLE]) if orientation.shape[1] == 1 else orientation


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
