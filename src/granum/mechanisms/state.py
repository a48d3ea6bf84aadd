"""From a vector of state to bodies and back.

Angular momentum is kept in inertial axes: where no torque acts it stays as it is, to the bit. In space the state of a body
is x, u, v, L with a quaternion u; in the plane x, y, θ, v_x, v_y, L. Behind the bodies follow counted angles and, last, the
work of what has no potential.
"""

from __future__ import annotations

import math

from granum.base.kernels import Floats, kernel
from granum.mechanisms.tables import BODIES, PLANAR, PLANE, SPACE, TURNS, Model, Work
from granum.mechanisms.vectors import at, put, turned


@kernel
def unpack(model: Model, work: Work, y: Floats) -> None:
    """Positions, rotations, velocities, angular velocities and inverse inertias in inertial axes."""
    for i in range(model.shape[BODIES]):
        if model.shape[PLANAR]:
            _unpack_plane(model, work, y, i)
        else:
            _unpack_space(model, work, y, i)


@kernel
def _unpack_plane(model: Model, work: Work, y: Floats, i: int) -> None:
    o, R = PLANE * i, work.R
    theta = y[o + 2]
    c, s = math.cos(theta), math.sin(theta)
    work.x[i, 0], work.x[i, 1], work.angle[i] = y[o], y[o + 1], theta
    work.v[i, 0], work.v[i, 1], work.momentum[i, 2] = y[o + 3], y[o + 4], y[o + 5]
    R[i, 0], R[i, 1], R[i, 3], R[i, 4], R[i, 8] = c, -s, s, c, 1.0
    work.inverse[i, 8] = model.inverse_inertia[i, 8]
    work.w[i, 2] = work.inverse[i, 8] * y[o + 5]


@kernel
def _unpack_space(model: Model, work: Work, y: Floats, i: int) -> None:
    o, R, I = SPACE * i, work.R, model.inverse_inertia
    for k in range(3):
        work.x[i, k], work.v[i, k], work.momentum[i, k] = y[o + k], y[o + 7 + k], y[o + 10 + k]
    a, b, c, d = y[o + 3], y[o + 4], y[o + 5], y[o + 6]
    size = 1.0 / (a * a + b * b + c * c + d * d)  # the turn that belongs to u, whatever its length
    R[i, 0], R[i, 4], R[i, 8] = 1.0 - 2.0 * size * (c * c + d * d), 1.0 - 2.0 * size * (b * b + d * d), \
        1.0 - 2.0 * size * (b * b + c * c)
    R[i, 1], R[i, 3] = 2.0 * size * (b * c - a * d), 2.0 * size * (b * c + a * d)
    R[i, 2], R[i, 6] = 2.0 * size * (b * d + a * c), 2.0 * size * (b * d - a * c)
    R[i, 5], R[i, 7] = 2.0 * size * (c * d - a * b), 2.0 * size * (c * d + a * b)
    for j in range(3):  # R I⁻¹ Rᵀ
        row = at(R, i, 3 * j)
        half = (row[0] * I[i, 0] + row[1] * I[i, 3] + row[2] * I[i, 6],
                row[0] * I[i, 1] + row[1] * I[i, 4] + row[2] * I[i, 7],
                row[0] * I[i, 2] + row[1] * I[i, 5] + row[2] * I[i, 8])
        for k in range(3):
            work.inverse[i, 3 * j + k] = half[0] * R[i, 3 * k] + half[1] * R[i, 3 * k + 1] + half[2] * R[i, 3 * k + 2]
    put(work.w, i, 0, turned(work.inverse, i, at(work.momentum, i, 0)))


@kernel
def write_rates(model: Model, work: Work, y: Floats, dy: Floats) -> None:
    """Rates of the state from velocities, and from the forces and torques in `load`."""
    for i in range(model.shape[BODIES]):
        if model.shape[PLANAR]:
            o = PLANE * i
            dy[o], dy[o + 1], dy[o + 2] = work.v[i, 0], work.v[i, 1], work.w[i, 2]
            dy[o + 3] = work.load[i, 0] * model.inverse_mass[i]
            dy[o + 4] = work.load[i, 1] * model.inverse_mass[i]
            dy[o + 5] = work.load[i, 5] if model.inverse_inertia[i, 8] > 0.0 else 0.0
        else:
            o = SPACE * i
            p, q, r = at(work.w, i, 0)
            a, b, c, d = y[o + 3], y[o + 4], y[o + 5], y[o + 6]
            for k in range(3):
                dy[o + k] = work.v[i, k]
                dy[o + 7 + k] = work.load[i, k] * model.inverse_mass[i]
                dy[o + 10 + k] = work.load[i, 3 + k]
            dy[o + 3] = 0.5 * (-p * b - q * c - r * d)  # ½ ω u, with ω in inertial axes
            dy[o + 4] = 0.5 * (p * a + q * d - r * c)
            dy[o + 5] = 0.5 * (-p * d + q * a + r * b)
            dy[o + 6] = 0.5 * (p * c - q * b + r * a)


@kernel
def move(model: Model, work: Work, y: Floats, i: int) -> None:
    """Move and turn a body a little, by what `a` holds for it; its quaternion has unit length again."""
    if model.shape[PLANAR]:
        o = PLANE * i
        y[o] += work.a[i, 0]
        y[o + 1] += work.a[i, 1]
        y[o + 2] += work.a[i, 5]
        return
    o = SPACE * i
    for k in range(3):
        y[o + k] += work.a[i, k]
    p, q, r = 0.5 * work.a[i, 3], 0.5 * work.a[i, 4], 0.5 * work.a[i, 5]
    a, b, c, d = y[o + 3], y[o + 4], y[o + 5], y[o + 6]
    new = (a - p * b - q * c - r * d, b + p * a + q * d - r * c, c - p * d + q * a + r * b, d + p * c - q * b + r * a)
    size = 1.0 / math.sqrt(new[0] ** 2 + new[1] ** 2 + new[2] ** 2 + new[3] ** 2)
    for k in range(4):
        y[o + 3 + k] = size * new[k]


@kernel
def push(model: Model, work: Work, y: Floats, i: int) -> None:
    """Change the velocity of a body by the impulse and the turning impulse that `load` holds for it."""
    if model.shape[PLANAR]:
        o = PLANE * i
        y[o + 3] += work.load[i, 0] * model.inverse_mass[i]
        y[o + 4] += work.load[i, 1] * model.inverse_mass[i]
        y[o + 5] += work.load[i, 5] if model.inverse_inertia[i, 8] > 0.0 else 0.0
        return
    o = SPACE * i
    for k in range(3):
        y[o + 7 + k] += work.load[i, k] * model.inverse_mass[i]
        y[o + 10 + k] += work.load[i, 3 + k]


@kernel
def counted(model: Model, y: Floats, k: int) -> int:
    """Place of a counted angle in the state."""
    stride = PLANE if model.shape[PLANAR] else SPACE
    return model.shape[BODIES] * stride + k


@kernel
def size_of_state(model: Model) -> int:
    """Numbers of a state."""
    stride = PLANE if model.shape[PLANAR] else SPACE
    return model.shape[BODIES] * stride + model.shape[TURNS] + 1
