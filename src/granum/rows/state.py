"""From a vector of state to bodies and back.

Angular momentum is kept in inertial axes: where no torque acts it stays as it is, to the bit. In space the state of a
body is x, u, v, L with a quaternion u; in the plane x, y, θ, v_x, v_y, L. Behind the bodies follow counted angles and,
last, the work of each agent that has no potential.
"""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Ints, small_kernel
from granum.base.vectors import at, put
from granum.rows.tables import BODIES, PLANAR, PLANE, SPACE, TURNS, WORKS
from granum.state.rotation import accept, orient, rotate_inertia, rotation_of
from granum.state.table import ANGLE_Z, IM, INVERSE, LOAD, QA, QB, QC, QD, VX, VY, WX, WZ, A, BodyTable, L, X, Y


@small_kernel
def unpack(shape: Ints, bodies: BodyTable, y: Floats) -> None:
    """Positions, rotations, velocities, angular velocities and inverse inertias in inertial axes."""
    for i in range(shape[BODIES]):
        if shape[PLANAR]:
            _unpack_plane(bodies, y, i)
        else:
            _unpack_space(bodies, y, i)


@small_kernel
def _unpack_plane(bodies: BodyTable, y: Floats, i: int) -> None:
    pose, motion, derived, o, theta = bodies.pose, bodies.motion, bodies.derived, PLANE * i, y[PLANE * i + 2]
    pose[i, X], pose[i, Y], derived[i, ANGLE_Z] = y[o], y[o + 1], theta
    motion[i, VX], motion[i, VY], derived[i, L + 2] = y[o + 3], y[o + 4], y[o + 5]
    a, d = math.cos(0.5 * theta), math.sin(0.5 * theta)
    pose[i, QA], pose[i, QD] = a, d
    orient(derived, i, rotation_of(a, 0.0, 0.0, d))
    motion[i, WZ] = motion[i, INVERSE + 2] * y[o + 5]


@small_kernel
def _unpack_space(bodies: BodyTable, y: Floats, i: int) -> None:
    pose, motion, derived, o = bodies.pose, bodies.motion, bodies.derived, SPACE * i
    for k in range(3):
        pose[i, X + k], motion[i, VX + k], derived[i, L + k] = y[o + k], y[o + 7 + k], y[o + 10 + k]
    a, b, c, d = y[o + 3], y[o + 4], y[o + 5], y[o + 6]
    size = 1.0 / math.sqrt(a * a + b * b + c * c + d * d)  # the turn that belongs to u, whatever its length
    a, b, c, d = size * a, size * b, size * c, size * d
    pose[i, QA], pose[i, QB], pose[i, QC], pose[i, QD] = a, b, c, d
    rotation = rotation_of(a, b, c, d)
    orient(derived, i, rotation)
    rotate_inertia(bodies.inertia, motion, i, rotation)
    put(motion, i, WX, accept(motion, i, at(derived, i, L)))


@small_kernel
def write_rates(shape: Ints, bodies: BodyTable, y: Floats, dy: Floats) -> None:
    """Rates of the state from velocities, and from forces and torques."""
    motion, derived = bodies.motion, bodies.derived
    for i in range(shape[BODIES]):
        if shape[PLANAR]:
            o = PLANE * i
            dy[o], dy[o + 1], dy[o + 2] = motion[i, VX], motion[i, VY], motion[i, WZ]
            dy[o + 3] = derived[i, LOAD] * motion[i, IM]
            dy[o + 4] = derived[i, LOAD + 1] * motion[i, IM]
            dy[o + 5] = derived[i, LOAD + 5]
        else:
            o = SPACE * i
            p, q, r = at(motion, i, WX)
            a, b, c, d = y[o + 3], y[o + 4], y[o + 5], y[o + 6]
            for k in range(3):
                dy[o + k] = motion[i, VX + k]
                dy[o + 7 + k] = derived[i, LOAD + k] * motion[i, IM]
                dy[o + 10 + k] = derived[i, LOAD + 3 + k]
            dy[o + 3] = 0.5 * (-p * b - q * c - r * d)  # ½ ω u, with ω in inertial axes
            dy[o + 4] = 0.5 * (p * a + q * d - r * c)
            dy[o + 5] = 0.5 * (-p * d + q * a + r * b)
            dy[o + 6] = 0.5 * (p * c - q * b + r * a)


@small_kernel
def move(shape: Ints, derived: Floats, y: Floats) -> None:
    """Move and turn bodies a little, by what their accelerations stand for; quaternions have unit length again."""
    for i in range(shape[BODIES]):
        if shape[PLANAR]:
            o = PLANE * i
            y[o] += derived[i, A]
            y[o + 1] += derived[i, A + 1]
            y[o + 2] += derived[i, A + 5]
            continue
        o = SPACE * i
        for k in range(3):
            y[o + k] += derived[i, A + k]
        p, q, r = 0.5 * derived[i, A + 3], 0.5 * derived[i, A + 4], 0.5 * derived[i, A + 5]
        a, b, c, d = y[o + 3], y[o + 4], y[o + 5], y[o + 6]
        e, f, g, h = (a - p * b - q * c - r * d, b + p * a + q * d - r * c, c - p * d + q * a + r * b,
                      d + p * c - q * b + r * a)
        size = 1.0 / math.sqrt(e * e + f * f + g * g + h * h)
        y[o + 3], y[o + 4], y[o + 5], y[o + 6] = size * e, size * f, size * g, size * h


@small_kernel
def push(shape: Ints, bodies: BodyTable, y: Floats) -> None:
    """Change velocities by impulses and turning impulses, which stand in the place of forces and torques."""
    motion, derived = bodies.motion, bodies.derived
    for i in range(shape[BODIES]):
        if shape[PLANAR]:
            o = PLANE * i
            y[o + 3] += derived[i, LOAD] * motion[i, IM]
            y[o + 4] += derived[i, LOAD + 1] * motion[i, IM]
            y[o + 5] += derived[i, LOAD + 5]
        else:
            o = SPACE * i
            for k in range(3):
                y[o + 7 + k] += derived[i, LOAD + k] * motion[i, IM]
                y[o + 10 + k] += derived[i, LOAD + 3 + k]


@small_kernel
def scale_velocities(shape: Ints, y: Floats, factor: float) -> None:
    """Make all velocities and momenta greater by one factor."""
    stride, begin = (PLANE, 3) if shape[PLANAR] else (SPACE, 7)
    for i in range(shape[BODIES]):
        for k in range(begin, stride):
            y[stride * i + k] *= factor


@small_kernel
def counted(shape: Ints, k: int) -> int:
    """Place of a counted angle in the state."""
    return int(shape[BODIES]) * (PLANE if shape[PLANAR] else SPACE) + k


@small_kernel
def state_size(shape: Ints) -> int:
    """Numbers of a state."""
    return counted(shape, shape[TURNS]) + int(shape[WORKS])
