"""The contact problem of a step of `moreau` as W, q and μ, from the records with which the step was made.

Contacts that are closed in the step are in it; impacts of bodies that touch nothing else are not, because they happen
at their own instants. With velocities v, inverse masses M⁻¹ and u = Hᵀ v of all contacts in their axes (n, t₁, t₂) it
is

    W = Hᵀ M⁻¹ H,    q = u⁺ - W r⁺ - (target, 0, 0),

u⁺ and r⁺ being velocities and impulses that the step ended with: u - (target, 0, 0) obeys the law of a contact without
restitution, since target = -e u_n⁻ after an impact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from granum.base.kernels import Floats, Ints
from granum.contact.conic.problem import ContactProblem
from granum.contact.nonsmooth.rigid_bodies import Bodies
from granum.contact.problem import Problem
from granum.grains.aggregates.regrouping import to_body_axes, to_inertial_axes
from granum.state.table import AXES, IM, IN_BODY, INVERSE_IN_BODY, KM, QA, SYMMETRIC, VX, WX

FREEDOMS = 6
"""Velocities of a row: linear and angular ones."""


def posed_problem(state: Any, problem: Problem, dimension: int, name: str) -> ContactProblem:
    """The problem of the last step, with the impulses and velocities it was left with as `r` and `u`."""
    from scipy.sparse import bsr_matrix, csr_matrix

    rows, moving = closed_contacts(problem), int(state.slabs[-1])
    contact, i, j = problem.contact[rows], problem.i[rows].astype(np.int64), problem.j[rows].astype(np.int64)
    axes = contact_axes(_vectors(contact, "n"), dimension)
    v, inverse = (_body_motion if isinstance(state, Bodies) else _sphere_motion)(state, moving)
    first, second = (_lever(contact, side, isinstance(state, Bodies)) for side in "ij")
    count, bodies = len(rows), len(v)
    H = np.concatenate([axes @ np.concatenate([sign * np.broadcast_to(np.eye(3), (count, 3, 3)), turn], axis=2)
                        for sign, turn in ((-1.0, first), (1.0, second))]) if count else np.zeros((0, dimension,
                        FREEDOMS))
    order = np.argsort(np.tile(np.arange(count), 2), kind="stable")
    Ht = bsr_matrix((H[order], np.concatenate([i, j])[order], np.arange(count + 1) * 2),
                    shape=(dimension * count, FREEDOMS * bodies)) if count else csr_matrix((0, FREEDOMS * bodies))
    M = bsr_matrix((inverse, np.arange(bodies), np.arange(bodies + 1)), shape=(FREEDOMS * bodies,) * 2)
    W = csr_matrix(Ht @ M @ Ht.T)
    impulse = contact["p"][:, None] * _vectors(contact, "n") + _vectors(contact, "q")
    r = np.einsum("cab,cb->ca", axes, impulse).ravel()
    u = Ht @ v.ravel()
    u[::dimension] -= contact["target"]
    return ContactProblem(W, u - W @ r, contact["friction"].copy(), dimension, name, r, u)


def closed_contacts(problem: Problem) -> Ints:
    """Contacts that the sweeps of the last step looked at."""
    slab = problem.slab
    return np.concatenate([problem.closed[begin:end] for begin, end in zip(slab["begin"], slab["closed"], strict=True)]
                          or [np.zeros(0, np.uint32)]).astype(np.int64)


def contact_axes(n: Floats, dimension: int) -> Floats:
    """(contacts, d, 3): unit normals and unit vectors across them."""
    if dimension == 2:
        return np.stack([n, np.column_stack([-n[:, 1], n[:, 0], n[:, 2]])], axis=1)
    # across the axis that the normal has least of
    least = np.eye(3)[np.argmin(np.abs(n), axis=1)]
    s = np.cross(n, least)
    s /= np.linalg.norm(s, axis=1, keepdims=True)
    return np.stack([n, s, np.cross(n, s)], axis=1)


def _vectors(contact: Any, name: str) -> Floats:
    return np.column_stack([contact[f"{name}{axis}"] for axis in "xyz"])


def _lever(contact: Any, side: str, bodies: bool) -> Floats:
    """(contacts, 3, 3): what the angular velocity of a row adds to u: ω × r of j, less that of i; n × s of spheres."""
    x, y, z = (_vectors(contact, side if bodies else "n") * ((-1.0 if side == "j" else 1.0) if bodies else 1.0)).T
    zero = np.zeros(len(x))
    return np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)


def _sphere_motion(state: Any, moving: int) -> tuple[Floats, Floats]:
    """(rows, 6) velocities and (rows, 6, 6) inverse masses; angular velocities are s = r ω."""
    v, inverse = state.v, np.zeros((len(state.v), FREEDOMS, FREEDOMS))
    for axis in range(3):
        inverse[:moving, axis, axis], inverse[:moving, 3 + axis, 3 + axis] = v[:moving, IM], v[:moving, KM]
    return np.concatenate([v[:, VX:IM], v[:, WX:KM]], axis=1), inverse


def _body_motion(state: Bodies, moving: int) -> tuple[Floats, Floats]:
    """The same of bodies; inertia is that of the beginning of the step, by which impulses have acted."""
    v, inverse = state.v, np.zeros((len(state.v), FREEDOMS, FREEDOMS))
    before, after = state.before[:moving, AXES : AXES + 4], state.pose[:moving, QA : QA + 4]
    omega = v[:, WX:KM].copy()
    own, turned = (_symmetric(state.inertia[:moving, at : at + 6]) for at in (IN_BODY, INVERSE_IN_BODY))
    momentum = to_inertial_axes(after, np.einsum("bij,bj->bi", own, to_body_axes(after, omega[:moving])))
    omega[:moving] = to_inertial_axes(before, np.einsum("bij,bj->bi", turned, to_body_axes(before, momentum)))
    for axis in range(3):
        inverse[:moving, axis, axis] = v[:moving, IM]
        unit = np.broadcast_to(np.eye(3)[axis], (moving, 3))
        inverse[:moving, 3:, 3 + axis] = to_inertial_axes(
            before, np.einsum("bij,bj->bi", turned, to_body_axes(before, unit)))
    return np.concatenate([v[:, VX:IM], omega], axis=1), inverse


def _symmetric(six: Floats) -> Floats:
    """(n, 3, 3) of the six numbers of symmetric matrices."""
    full = np.zeros((len(six), 3, 3))
    for k, (a, b) in enumerate(SYMMETRIC):
        full[:, a, b] = full[:, b, a] = six[:, k]
    return full
