"""Contacts of a moment, and how they move.

At each contact u = v_j - v_i - (s_i + s_j) × n is the velocity of j against i, at a boundary u = v - s × n - V.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints, kernel
from granum.base.space import displacement
from granum.contact.event_driven.touching import Ground, touch_along
from granum.state.table import X, Y, Z

STICKS, SLIDES = 0, 1


class Bodies(NamedTuple):
    """What does not change during a motion: 1/m, κ/m, radius, and the acceleration (count, 3) by loads."""

    im: Floats
    km: Floats
    r: Floats
    free: Floats


class Touches(NamedTuple):
    """Contacts, each between the grains i and j, or between the element e and the grain j (then i = -1)."""

    i: Ints
    j: Ints
    e: Ints
    mode: Ints
    d: Floats
    """(count, 3): direction of slip when it was last computed."""
    mu: Floats
    restitution: Floats
    gap: Floats
    n: Floats
    u: Floats
    V: Floats
    n_dot: Floats
    V_dot: Floats
    F: Floats
    """(count, 3): force on j [N], or impulse [N s]."""
    known: Floats
    """(count, 3): the force found last along n and the tangents: where contacts are more than motion determines, forces
    change from it as little as they have to."""


def new_contacts(i: Ints, j: Ints, e: Ints, mu: Floats, restitution: Floats) -> Touches:
    """Contacts that do not know yet how they move."""
    count = len(i)
    vectors = [np.zeros((count, 3)) for _ in range(8)]
    return Touches(i, j, e, np.zeros(count, np.int64), vectors[0], mu, restitution, np.zeros(count), *vectors[1:])


def subset(contacts: Touches, which: Ints) -> Touches:
    """A part of the contacts."""
    return Touches(*(part[which] for part in contacts))  # type: ignore[arg-type]


@kernel
def kinematics(t: float, y: Floats, bodies: Bodies, g: Ground, c: Touches, space: Floats) -> None:
    """Gap, normal, relative velocity and their changes, of a state y = (x, v, s, ...)."""
    count = len(bodies.im)
    x, v, s = y[:3 * count].reshape(count, 3), y[3 * count:6 * count].reshape(count, 3), y[6 * count:9 * count]
    s = s.reshape(count, 3)
    for k in range(len(c.j)):
        i, j, e = c.i[k], c.j[k], c.e[k]
        n, u, V, n_dot, V_dot = c.n[k], c.u[k], c.V[k], c.n_dot[k], c.V_dot[k]
        if e >= 0:
            out = space[0]
            c.gap[k] = touch_along(g, e, t, x[j], v[j], bodies.r[j], True, out, space[1]) - bodies.r[j]
            for a in range(3):
                n[a], V[a], n_dot[a], V_dot[a] = out[a], out[3 + a], out[6 + a], out[9 + a]
                u[a] = v[j, a] - V[a]
            sx, sy, sz = s[j, X], s[j, Y], s[j, Z]
        else:
            along = 0.0
            n[X], n[Y], n[Z] = displacement(x[i, X], x[i, Y], x[i, Z], x[j, X], x[j, Y], x[j, Z])
            distance = math.sqrt(n[X] * n[X] + n[Y] * n[Y] + n[Z] * n[Z])
            for a in range(3):
                u[a] = v[j, a] - v[i, a]
            c.gap[k] = distance - bodies.r[i] - bodies.r[j]
            for a in range(3):
                n[a] /= distance
                along += n[a] * u[a]
            for a in range(3):
                n_dot[a] = (u[a] - along * n[a]) / distance
                V[a], V_dot[a] = 0.0, 0.0
            sx, sy, sz = s[i, X] + s[j, X], s[i, Y] + s[j, Y], s[i, Z] + s[j, Z]
        u[X] -= sy * n[Z] - sz * n[Y]
        u[Y] -= sz * n[X] - sx * n[Z]
        u[Z] -= sx * n[Y] - sy * n[X]


@kernel
def free_rates(y: Floats, bodies: Bodies, c: Touches, k: int, out: Floats) -> None:
    """u̇ without contact forces, its normal part being that of n·u: out (3,)."""
    count = len(bodies.im)
    s = y[6 * count:9 * count].reshape(count, 3)
    i, j, n, n_dot = c.i[k], c.j[k], c.n[k], c.n_dot[k]
    sx, sy, sz = s[j, X], s[j, Y], s[j, Z]
    if i >= 0:
        sx, sy, sz = sx + s[i, X], sy + s[i, Y], sz + s[i, Z]
    rotation = 0.0
    for a in range(3):
        out[a] = bodies.free[j, a] - c.V_dot[k, a]
        if i >= 0:
            out[a] -= bodies.free[i, a]
        rotation += n_dot[a] * c.u[k, a]
    out[X] -= sy * n_dot[Z] - sz * n_dot[Y]
    out[Y] -= sz * n_dot[X] - sx * n_dot[Z]
    out[Z] -= sx * n_dot[Y] - sy * n_dot[X]
    for a in range(3):
        out[a] += rotation * n[a]


@kernel
def slip_direction(c: Touches, k: int, slow: float, out: Floats) -> float:
    """The direction of slip in out, with the sign of the direction known so far; returns the slip along it.

    Through zero it goes on smoothly, so that a step can pass the end of sliding, which is found afterwards.
    """
    along, size, forward = 0.0, 0.0, 0.0
    for a in range(3):
        along += c.n[k, a] * c.u[k, a]
    for a in range(3):
        out[a] = c.u[k, a] - along * c.n[k, a]
        size += out[a] * out[a]
        forward += out[a] * c.d[k, a]
    size = math.sqrt(size)
    if size > slow:
        sign = 1.0 if forward >= 0.0 else -1.0
        for a in range(3):
            out[a] *= sign / size
        return sign * size
    along = 0.0
    for a in range(3):
        along += c.n[k, a] * c.d[k, a]
    size = 0.0
    for a in range(3):
        out[a] = c.d[k, a] - along * c.n[k, a]
        size += out[a] * out[a]
    size = math.sqrt(size)
    for a in range(3):
        out[a] = out[a] / size if size > 0.0 else 0.0
    return forward
