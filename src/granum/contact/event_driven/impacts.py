"""Impacts at one instant: all together by Newton's law, or one after another."""

from __future__ import annotations

import numpy as np

from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats, Records, kernel
from granum.contact.event_driven.closed import Rows, apply
from granum.contact.event_driven.cones import Cones
from granum.contact.event_driven.contacts import Bodies, normals
from granum.contact.problem import normal
from granum.grains.cones import limit_friction
from granum.state.table import X, Y, Z

MOST_BINARY = 20_000
"""Binary impacts of one contact at one instant from which they are taken never to end."""


@kernel
def relative(contacts: Records, v: Floats, s: Floats, out: Floats) -> None:
    """u of every contact with the normals and surface velocities that it has."""
    for k in range(len(contacts)):
        c = contacts[k]
        i, j, n = c.i, c.j, normal(c)
        sx, sy, sz = s[j, X], s[j, Y], s[j, Z]
        for a in range(3):
            out[k, a] = v[j, a] - c.V[a]
        if i >= 0:
            sx, sy, sz = sx + s[i, X], sy + s[i, Y], sz + s[i, Z]
            for a in range(3):
                out[k, a] -= v[i, a]
        out[k, X] -= sy * n[Z] - sz * n[Y]
        out[k, Y] -= sz * n[X] - sx * n[Z]
        out[k, Z] -= sx * n[Y] - sy * n[X]


def losses(c: Records, before: Floats, after: Floats) -> Floats:
    """Heat of impact and of friction, and work of boundaries by the impulses F: P·(u⁻ + u⁺)/2 and P·V [J]."""
    mean, n, F = 0.5 * (before + after), normals(c), c["F"]
    p_n, u_n = np.sum(F * n, axis=1), np.sum(mean * n, axis=1)
    impact = -float(p_n @ u_n)
    return np.array([impact, -float(np.sum(F * mean)) - impact, float(np.sum(F * c["V"]))])


def newton(
    c: Records, bodies: Bodies, rows: Rows, v: Floats, s: Floats, rest: float, where: str,
) -> Floats:
    """All contacts at once: u_n⁺ ≥ -e u_n⁻ where they approach, friction against the slip that is left.

    Approach slower than `rest` [m/s] ends without rebound. Changes v and s; returns what `losses` says.
    """
    before, n = np.empty((len(c), 3)), normals(c)
    relative(c, v, s, before)
    u_n = np.sum(before * n, axis=1)
    rebound = np.where(u_n < -rest, c["restitution"] * u_n, 0.0)
    Cones(c, bodies, before + rebound[:, None] * n, np.zeros(len(c), bool), rows).solve(where)
    apply(c, bodies, v, s)
    after = np.empty_like(before)
    relative(c, v, s, after)
    return losses(c, before, after)


@kernel
def _binary(
    contacts: Records, bodies: Bodies, v: Floats, s: Floats, u: Floats, rest: float, most: int, hits: Floats,
    lost: Floats,
) -> bool:
    """Binary impacts until none approaches faster than `rest`; False if there are too many.

    The fastest approach is next, of equal ones the first; hits takes the sum of normal impulses.
    """
    for _ in range(most):
        relative(contacts, v, s, u)
        worst, k = 0.0, -1
        for h in range(len(contacts)):
            u_n = u[h, X] * contacts[h].nx + u[h, Y] * contacts[h].ny + u[h, Z] * contacts[h].nz
            if u_n < -rest and u_n < worst * (1.0 + 1e-12):
                worst, k = u_n, h
        if k < 0:
            return True
        c = contacts[k]
        i, j, n = c.i, c.j, normal(c)
        w_n, w_t = bodies.im[j], bodies.im[j] + bodies.km[j]
        if i >= 0:
            w_n, w_t = w_n + bodies.im[i], w_t + bodies.im[i] + bodies.km[i]
        p = -(1.0 + c.restitution) * worst / w_n
        tx, ty, tz = u[k, X] - worst * n[X], u[k, Y] - worst * n[Y], u[k, Z] - worst * n[Z]
        qx, qy, qz, _ = limit_friction(-tx / w_t, -ty / w_t, -tz / w_t, c.friction * p)
        for h in range(len(contacts)):
            for a in range(3):
                contacts[h].F[a] = 0.0
        c.F[X], c.F[Y], c.F[Z] = p * n[X] + qx, p * n[Y] + qy, p * n[Z] + qz
        for a in range(3):
            lost[2] += c.F[a] * c.V[a]
        apply(contacts, bodies, v, s)
        hits[k] += p
        lost[0] += 0.5 * p * (c.restitution - 1.0) * worst
        lost[1] -= qx * tx + qy * ty + qz * tz + 0.5 * w_t * (qx * qx + qy * qy + qz * qz)
    return False


def sequence(
    c: Records, bodies: Bodies, rows: Rows, v: Floats, s: Floats, rest: float, where: str,
) -> Floats:
    """Binary impacts one after another; what is left below `rest` [m/s] ends together without rebound."""
    hits, lost, n, left = np.zeros(len(c)), np.zeros(3), normals(c), np.empty((len(c), 3))
    if not _binary(c, bodies, v, s, left, rest, MOST_BINARY * len(c), hits, lost):
        raise NotConvergedError(f"{where}: the sequence of impacts did not end after {MOST_BINARY * len(c)}. Lower "
                                'restitution, or set impact_law = "newton".')
    relative(c, v, s, left)
    if np.min(np.sum(left * n, axis=1), initial=0.0) < -1e-6 * rest:
        lost += newton(c, bodies, rows, v, s, rest, where)
        hits += np.sum(c["F"] * n, axis=1)
    c["F"] = hits[:, None] * n
    return lost
