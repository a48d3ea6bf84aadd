"""From a vector of state to bodies and back.

Angular momentum is kept in inertial axes: where no torque acts it stays as it is, to the bit. In space the state of a
body is x, u, v, L with a quaternion u; in the plane x, y, θ, v_x, v_y, L. Behind the bodies follow counted angles and,
last, the work of each agent that has no potential.
"""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Ints, small_kernel
from granum.base.vectors import at, put, rotated
from granum.rows.tables import (
    ANGLE_Z,
    BODIES,
    INERTIA,
    INVERSE,
    LOAD,
    MASS,
    PLANAR,
    PLANE,
    SPACE,
    TURNS,
    WORKS,
    A,
    L,
    R,
    V,
    W,
    X,
)


@small_kernel
def unpack(shape: Ints, bodies: Floats, y: Floats) -> None:
    """Positions, rotations, velocities, angular velocities and inverse inertias in inertial axes."""
    for i in range(shape[BODIES]):
        if shape[PLANAR]:
            _unpack_plane(bodies, y, i)
        else:
            _unpack_space(bodies, y, i)


@small_kernel
def _unpack_plane(bodies: Floats, y: Floats, i: int) -> None:
    o, theta = PLANE * i, y[PLANE * i + 2]
    c, s = math.cos(theta), math.sin(theta)
    bodies[i, X], bodies[i, X + 1], bodies[i, ANGLE_Z] = y[o], y[o + 1], theta
    bodies[i, V], bodies[i, V + 1], bodies[i, L + 2] = y[o + 3], y[o + 4], y[o + 5]
    bodies[i, R], bodies[i, R + 1], bodies[i, R + 3], bodies[i, R + 4] = c, -s, s, c
    bodies[i, W + 2] = bodies[i, INVERSE + 8] * y[o + 5]


@small_kernel
def _unpack_space(bodies: Floats, y: Floats, i: int) -> None:
    o = SPACE * i
    for k in range(3):
        bodies[i, X + k], bodies[i, V + k], bodies[i, L + k] = y[o + k], y[o + 7 + k], y[o + 10 + k]
    a, b, c, d = y[o + 3], y[o + 4], y[o + 5], y[o + 6]
    s = 2.0 / (a * a + b * b + c * c + d * d)  # the turn that belongs to u, whatever its length
    put(bodies, i, R, (1.0 - s * (c * c + d * d), s * (b * c - a * d), s * (b * d + a * c)))
    put(bodies, i, R + 3, (s * (b * c + a * d), 1.0 - s * (b * b + d * d), s * (c * d - a * b)))
    put(bodies, i, R + 6, (s * (b * d - a * c), s * (c * d + a * b), 1.0 - s * (b * b + c * c)))
    for j in range(3):  # R I⁻¹ Rᵀ, I⁻¹ being symmetric
        half = rotated(bodies, i, INERTIA, at(bodies, i, R + 3 * j))
        put(bodies, i, INVERSE + 3 * j, rotated(bodies, i, R, half))
    put(bodies, i, W, rotated(bodies, i, INVERSE, at(bodies, i, L)))


@small_kernel
def write_rates(shape: Ints, bodies: Floats, y: Floats, dy: Floats) -> None:
    """Rates of the state from velocities, and from forces and torques."""
    for i in range(shape[BODIES]):
        if shape[PLANAR]:
            o = PLANE * i
            dy[o], dy[o + 1], dy[o + 2] = bodies[i, V], bodies[i, V + 1], bodies[i, W + 2]
            dy[o + 3] = bodies[i, LOAD] * bodies[i, MASS]
            dy[o + 4] = bodies[i, LOAD + 1] * bodies[i, MASS]
            dy[o + 5] = bodies[i, LOAD + 5]
        else:
            o = SPACE * i
            p, q, r = at(bodies, i, W)
            a, b, c, d = y[o + 3], y[o + 4], y[o + 5], y[o + 6]
            for k in range(3):
                dy[o + k] = bodies[i, V + k]
                dy[o + 7 + k] = bodies[i, LOAD + k] * bodies[i, MASS]
                dy[o + 10 + k] = bodies[i, LOAD + 3 + k]
            dy[o + 3] = 0.5 * (-p * b - q * c - r * d)  # ½ ω u, with ω in inertial axes
            dy[o + 4] = 0.5 * (p * a + q * d - r * c)
            dy[o + 5] = 0.5 * (-p * d + q * a + r * b)
            dy[o + 6] = 0.5 * (p * c - q * b + r * a)


@small_kernel
def move(shape: Ints, bodies: Floats, y: Floats) -> None:
    """Move and turn bodies a little, by what their accelerations stand for; quaternions have unit length again."""
    for i in range(shape[BODIES]):
        if shape[PLANAR]:
            o = PLANE * i
            y[o] += bodies[i, A]
            y[o + 1] += bodies[i, A + 1]
            y[o + 2] += bodies[i, A + 5]
            continue
        o = SPACE * i
        for k in range(3):
            y[o + k] += bodies[i, A + k]
        p, q, r = 0.5 * bodies[i, A + 3], 0.5 * bodies[i, A + 4], 0.5 * bodies[i, A + 5]
        a, b, c, d = y[o + 3], y[o + 4], y[o + 5], y[o + 6]
        e, f, g, h = (a - p * b - q * c - r * d, b + p * a + q * d - r * c, c - p * d + q * a + r * b,
                      d + p * c - q * b + r * a)
        size = 1.0 / math.sqrt(e * e + f * f + g * g + h * h)
        y[o + 3], y[o + 4], y[o + 5], y[o + 6] = size * e, size * f, size * g, size * h


@small_kernel
def push(shape: Ints, bodies: Floats, y: Floats) -> None:
    """Change velocities by impulses and turning impulses, which stand in the place of forces and torques."""
    for i in range(shape[BODIES]):
        if shape[PLANAR]:
            o = PLANE * i
            y[o + 3] += bodies[i, LOAD] * bodies[i, MASS]
            y[o + 4] += bodies[i, LOAD + 1] * bodies[i, MASS]
            y[o + 5] += bodies[i, LOAD + 5]
        else:
            o = SPACE * i
            for k in range(3):
                y[o + 7 + k] += bodies[i, LOAD + k] * bodies[i, MASS]
                y[o + 10 + k] += bodies[i, LOAD + 3 + k]


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
