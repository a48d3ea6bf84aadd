"""Contacts of a moment, and how they move.

At each contact u = v_j - v_i - (s_i + s_j) × n is the velocity of j against i, at a boundary u = v - s × n - V.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints, Records, kernel
from granum.base.space import displacement
from granum.contact.event_driven.touching import Ground, touch_along
from granum.contact.problem import CONTACT, normal, slip
from granum.state.table import VX, VY, VZ, X, Y, Z

STICKS, SLIDES = 0, 1
TOUCH = np.dtype([
    *CONTACT.descr,
    ("i", np.int64), ("j", np.int64),
    ("e", np.int64),  # the boundary element (then i = -1), -1 between grains
    ("mode", np.int64),  # STICKS or SLIDES
    ("restitution", np.float64),
    ("V", np.float64, 3), ("V_dot", np.float64, 3),  # velocity of the boundary's surface, and its rate
    ("n_dot", np.float64, 3),
    ("d", np.float64, 3),  # direction of slip when it was last computed
    ("F", np.float64, 3),  # force on j [N], or impulse [N s]
    ("known", np.float64, 3),  # the force found last along n and the tangents: where contacts are more than motion
    # determines, forces change from it as little as they have to
], align=True)
"""A contact that touches: CONTACT with what its smooth motion needs; here u is the velocity of this moment."""


class Bodies(NamedTuple):
    """What does not change during a motion: 1/m, κ/m, radius, and the acceleration (count, 3) by loads."""

    im: Floats
    km: Floats
    r: Floats
    free: Floats


def no_contacts() -> Records:
    """None of them."""
    return np.zeros(0, TOUCH)


def subset(contacts: Records, which: Ints) -> Records:
    """A part of the contacts, as records of its own."""
    return contacts[which]


def normals(contacts: Records) -> Floats:
    """(count, 3): unit normals, not a copy."""
    return _vectors(contacts, "nx")


def slips(contacts: Records) -> Floats:
    """(count, 3): relative velocities [m/s], not a copy."""
    return _vectors(contacts, "ux")


def _vectors(contacts: Records, first: str) -> Floats:
    """Three numbers that follow each other in each record."""
    assert CONTACT.names is not None
    at, numbers = CONTACT.names.index(first), contacts.view(np.float64).reshape(len(contacts), contacts.itemsize // 8)
    return numbers[:, at : at + 3]


@kernel
def kinematics(t: float, y: Floats, bodies: Bodies, g: Ground, contacts: Records, space: Floats) -> None:
    """Gap, normal, relative velocity and their changes, of a state y = (x, v, s, ...)."""
    count = len(bodies.im)
    x, v, s = y[:3 * count].reshape(count, 3), y[3 * count:6 * count].reshape(count, 3), y[6 * count:9 * count]
    s = s.reshape(count, 3)
    for k in range(len(contacts)):
        c = contacts[k]
        i, j, e = c.i, c.j, c.e
        if e >= 0:
            out = space[0]
            c.gap = touch_along(g, e, t, x[j], v[j], bodies.r[j], True, out, space[1]) - bodies.r[j]
            for a in range(3):
                c.V[a], c.n_dot[a], c.V_dot[a] = out[3 + a], out[6 + a], out[9 + a]
            nx, ny, nz = out[X], out[Y], out[Z]
            ux, uy, uz = v[j, VX] - c.V[X], v[j, VY] - c.V[Y], v[j, VZ] - c.V[Z]
            sx, sy, sz = s[j, X], s[j, Y], s[j, Z]
        else:
            nx, ny, nz = displacement(x[i, X], x[i, Y], x[i, Z], x[j, X], x[j, Y], x[j, Z])
            distance = math.sqrt(nx * nx + ny * ny + nz * nz)
            ux, uy, uz = v[j, VX] - v[i, VX], v[j, VY] - v[i, VY], v[j, VZ] - v[i, VZ]
            c.gap = distance - bodies.r[i] - bodies.r[j]
            nx, ny, nz = nx / distance, ny / distance, nz / distance
            along = nx * ux + ny * uy + nz * uz
            c.n_dot[X], c.n_dot[Y] = (ux - along * nx) / distance, (uy - along * ny) / distance
            c.n_dot[Z] = (uz - along * nz) / distance
            for a in range(3):
                c.V[a], c.V_dot[a] = 0.0, 0.0
            sx, sy, sz = s[i, X] + s[j, X], s[i, Y] + s[j, Y], s[i, Z] + s[j, Z]
        c.nx, c.ny, c.nz = nx, ny, nz
        c.ux, c.uy, c.uz = ux - (sy * nz - sz * ny), uy - (sz * nx - sx * nz), uz - (sx * ny - sy * nx)


@kernel
def free_rates(y: Floats, bodies: Bodies, contacts: Records, k: int, out: Floats) -> None:
    """u̇ without contact forces, its normal part being that of n·u: out (3,)."""
    count = len(bodies.im)
    s = y[6 * count:9 * count].reshape(count, 3)
    c = contacts[k]
    i, j, n, u, n_dot = c.i, c.j, normal(c), slip(c), c.n_dot
    sx, sy, sz = s[j, X], s[j, Y], s[j, Z]
    if i >= 0:
        sx, sy, sz = sx + s[i, X], sy + s[i, Y], sz + s[i, Z]
    rotation = 0.0
    for a in range(3):
        out[a] = bodies.free[j, a] - c.V_dot[a]
        if i >= 0:
            out[a] -= bodies.free[i, a]
        rotation += n_dot[a] * u[a]
    out[X] -= sy * n_dot[Z] - sz * n_dot[Y]
    out[Y] -= sz * n_dot[X] - sx * n_dot[Z]
    out[Z] -= sx * n_dot[Y] - sy * n_dot[X]
    for a in range(3):
        out[a] += rotation * n[a]


@kernel
def slip_direction(contacts: Records, k: int, slow: float, out: Floats) -> float:
    """The direction of slip in out, with the sign of the direction known so far; returns the slip along it.

    Through zero it goes on smoothly, so that a step can pass the end of sliding, which is found afterwards.
    """
    c = contacts[k]
    n, u, d = normal(c), slip(c), c.d
    along, size, forward = 0.0, 0.0, 0.0
    for a in range(3):
        along += n[a] * u[a]
    for a in range(3):
        out[a] = u[a] - along * n[a]
        size += out[a] * out[a]
        forward += out[a] * d[a]
    size = math.sqrt(size)
    if size > slow:
        sign = 1.0 if forward >= 0.0 else -1.0
        for a in range(3):
            out[a] *= sign / size
        return sign * size
    along = 0.0
    for a in range(3):
        along += n[a] * d[a]
    size = 0.0
    for a in range(3):
        out[a] = d[a] - along * n[a]
        size += out[a] * out[a]
    size = math.sqrt(size)
    for a in range(3):
        out[a] = out[a] / size if size > 0.0 else 0.0
    return forward
