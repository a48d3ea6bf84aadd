"""Forces on the parts of bodies in the last step, from the contacts and loads that pushed them."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats, Ints, kernel
from granum.contact.nonsmooth.rigid_bodies import Bodies
from granum.contact.problem import Problem
from granum.grains.aggregates.balance import Pushes
from granum.grains.search.history import as_numbers
from granum.grains.search.neighbour_list import Neighbours
from granum.state.rotation import rotated
from granum.state.table import AXES, IM, KM, WX, WY, WZ, X, Y, Z


def pushing(problem: Problem) -> Ints:
    """Contacts of the last step that have an impulse."""
    slab = problem.slab
    rows = np.concatenate([np.arange(a, b) for a, b in zip(slab["begin"], slab["listed"], strict=True)])
    held: Ints = rows[problem.contact["p"][rows] > 0.0]
    return held


def vectors_of(problem: Problem, held: Ints, name: str) -> Floats:
    """(n, 3): normals (n), friction impulses (q), or arms of body i or j of some contacts."""
    return np.column_stack([problem.contact[f"{name}{axis}"][held] for axis in "xyz"])


def impulse_of(problem: Problem, held: Ints) -> Floats:
    """(n, 3): P = p n + q of some contacts [N s]."""
    impulse: Floats = problem.contact["p"][held, None] * vectors_of(problem, held, "n") + vectors_of(problem, held, "q")
    return impulse


def velocities_of(problem: Problem, held: Ints, v: Floats) -> Floats:
    """(n, 3): of j against i at some contacts, with velocities v [m/s]."""
    i, j = problem.i[held], problem.j[held]
    velocities: Floats = (v[j, :IM] + np.cross(v[j, WX:KM], vectors_of(problem, held, "j"))
                          - v[i, :IM] - np.cross(v[i, WX:KM], vectors_of(problem, held, "i")))
    return velocities


def gather(near: Neighbours, problem: Problem, before: Floats, h: float) -> Pushes:
    """The contacts of the last step, once for each part that they push; `before` are velocities at its beginning."""
    held = pushing(problem)
    slot, P = problem.slot[held], impulse_of(problem, held)
    approach = -np.sum(velocities_of(problem, held, before) * vectors_of(problem, held, "n"), axis=1)
    pair = slot >= 0
    k, w = slot[pair], -1 - slot[~pair]
    T = np.empty_like(P)
    T[pair], T[~pair] = as_numbers(near.pair)[k, 3:6], as_numbers(near.wall)[w, 3:6]
    if not np.any(problem.contact["arm"][held]):
        T[:] = 0.0
    upper = np.empty(len(held), np.int64)
    upper[pair], upper[~pair] = near.other[k], np.searchsorted(near.wall_first, w, side="right") - 1
    lower = np.searchsorted(near.first, k, side="right") - 1
    arms = np.concatenate([vectors_of(problem, held, "j"), vectors_of(problem, held[pair], "i")])
    return Pushes(np.concatenate([upper, lower]), arms,
                  np.concatenate([P, -P[pair]]) / h, np.concatenate([T, -T[pair]]) / h,
                  np.concatenate([approach, approach[pair]]))


@kernel
def load_parts(state: Bodies, near: Neighbours, problem: Problem, extra: Floats, h: float, force: Floats,
               moment: Floats, omega: Floats) -> None:
    """Force on every part in the last step, moment about its centre and angular velocity, all in body axes.

    Axes and arms are those of the beginning of the step, the angular velocity is the mean of both ends.
    """
    body, arm, before, v = state.body, state.arm, state.before, state.v
    for i in range(len(body)):
        b = body[i]
        q0, q1, q2, q3 = before[b, AXES], before[b, AXES + 1], before[b, AXES + 2], before[b, AXES + 3]
        fx, fy, fz = 0.0, 0.0, 0.0
        if len(extra) > 0:
            m = 1.0 / (state.part_v[i, IM] * h)
            fx, fy, fz = rotated(q0, -q1, -q2, -q3, m * extra[i, X], m * extra[i, Y], m * extra[i, Z])
        wx, wy, wz = rotated(q0, -q1, -q2, -q3, 0.5 * (before[b, WX] + v[b, WX]), 0.5 * (before[b, WY] + v[b, WY]),
                             0.5 * (before[b, WZ] + v[b, WZ]))
        force[i, X], force[i, Y], force[i, Z] = fx, fy, fz
        omega[i, X], omega[i, Y], omega[i, Z] = wx, wy, wz
        moment[i, X] = moment[i, Y] = moment[i, Z] = 0.0
    for s in range(len(near.slabs) - 1):
        i = near.slabs[s]
        for c in range(problem.slab[s].begin, problem.slab[s].listed):
            k, contact = problem.slot[c], problem.contact[c]
            if k >= 0:
                while near.first[i + 1] <= k:
                    i += 1
            else:
                while near.wall_first[i + 1] <= -1 - k:
                    i += 1
            p = contact.p
            if p == 0.0:
                continue
            slot = near.pair[k] if k >= 0 else near.wall[-1 - k]
            rolls = 1.0 / h if contact.arm > 0.0 else 0.0
            for side in range(2 if k >= 0 else 1):
                # the later part of a pair, or the part at a boundary, is pushed by P, the earlier one by -P
                row = near.other[k] if k >= 0 and side == 0 else i
                sign = (1.0 if side == 0 else -1.0) / h
                b = body[row]
                q0, q1, q2, q3 = before[b, AXES], before[b, AXES + 1], before[b, AXES + 2], before[b, AXES + 3]
                fx, fy, fz = rotated(q0, -q1, -q2, -q3, sign * (p * contact.nx + contact.qx),
                                     sign * (p * contact.ny + contact.qy), sign * (p * contact.nz + contact.qz))
                rx, ry, rz = (contact.jx, contact.jy, contact.jz) if side == 0 else (contact.ix, contact.iy, contact.iz)
                rx, ry, rz = rotated(q0, -q1, -q2, -q3, rx, ry, rz)
                rx, ry, rz = rx - arm[row, X], ry - arm[row, Y], rz - arm[row, Z]
                torque = rolls if side == 0 else -rolls
                tx, ty, tz = rotated(q0, -q1, -q2, -q3, torque * slot.tx, torque * slot.ty, torque * slot.tz)
                force[row, X] += fx
                force[row, Y] += fy
                force[row, Z] += fz
                moment[row, X] += ry * fz - rz * fy + tx
                moment[row, Y] += rz * fx - rx * fz + ty
                moment[row, Z] += rx * fy - ry * fx + tz
