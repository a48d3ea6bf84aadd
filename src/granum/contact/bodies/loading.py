"""Forces on the parts of bodies in the last step, from the contacts and loads that pushed them."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats, kernel
from granum.contact.bodies.arrays import PartArrays, Workspace
from granum.contact.bodies.contacts import ARM, ARM_I, ARM_J, BEFORE, PUSH, RUB
from granum.contact.nonsmooth.moreau import LISTED
from granum.grains.aggregates.balance import Pushes
from granum.grains.aggregates.rotation import rotated
from granum.grains.search.history import as_numbers
from granum.grains.search.neighbour_list import Neighbours


def gather(near: Neighbours, space: Workspace, h: float) -> Pushes:
    """The contacts of the last step, once for each part that they push."""
    begin = near.first[near.slabs[:-1]] + near.wall_first[near.slabs[:-1]]
    held = np.concatenate([np.arange(a, b) for a, b in zip(begin, space.ends[:, LISTED], strict=True)])
    held = held[space.contact[held, PUSH] > 0.0]
    contact, slot = space.contact[held], space.slot[held]
    P = contact[:, PUSH, None] * contact[:, :3] + contact[:, RUB : RUB + 3]
    approach = -space.rare[held, BEFORE]
    pair = slot >= 0
    k, w = slot[pair], -1 - slot[~pair]
    T = np.empty_like(P)
    T[pair], T[~pair] = as_numbers(near.pair)[k, 3:6], as_numbers(near.wall)[w, 3:6]
    if not np.any(space.rare[held, ARM]):
        T[:] = 0.0
    upper = np.empty(len(held), np.int64)
    upper[pair], upper[~pair] = near.other[k], np.searchsorted(near.wall_first, w, side="right") - 1
    lower = np.searchsorted(near.first, k, side="right") - 1
    arms = np.concatenate([contact[:, ARM_J : ARM_J + 3], contact[pair, ARM_I : ARM_I + 3]])
    return Pushes(np.concatenate([upper, lower]), arms,
                  np.concatenate([P, -P[pair]]) / h, np.concatenate([T, -T[pair]]) / h,
                  np.concatenate([approach, approach[pair]]))


@kernel
def load_parts(parts: PartArrays, near: Neighbours, space: Workspace, before: Floats, motion: Floats, extra: Floats,
               h: float, force: Floats, moment: Floats, omega: Floats) -> None:
    """Force on every part in the last step, moment about its centre and angular velocity, all in body axes.

    Axes and arms are those of the beginning of the step, the angular velocity is the mean of both ends.
    """
    body, arm = parts.body, parts.arm
    for i in range(len(body)):
        b = body[i]
        q0, q1, q2, q3 = before[b, 8], before[b, 9], before[b, 10], before[b, 11]
        fx, fy, fz = 0.0, 0.0, 0.0
        if len(extra) > 0:
            m = 1.0 / (parts.v[i, 3] * h)
            fx, fy, fz = rotated(q0, -q1, -q2, -q3, m * extra[i, 0], m * extra[i, 1], m * extra[i, 2])
        wx, wy, wz = rotated(q0, -q1, -q2, -q3, 0.5 * (before[b, 4] + motion[b, 4]),
                             0.5 * (before[b, 5] + motion[b, 5]), 0.5 * (before[b, 6] + motion[b, 6]))
        force[i, 0], force[i, 1], force[i, 2] = fx, fy, fz
        omega[i, 0], omega[i, 1], omega[i, 2] = wx, wy, wz
        moment[i, 0] = moment[i, 1] = moment[i, 2] = 0.0
    for s in range(len(near.slabs) - 1):
        i = near.slabs[s]
        for n in range(near.first[i] + near.wall_first[i], space.ends[s, LISTED]):
            k, p = space.slot[n], space.contact[n, PUSH]
            if k >= 0:
                while near.first[i + 1] <= k:
                    i += 1
            else:
                while near.wall_first[i + 1] <= -1 - k:
                    i += 1
            if p == 0.0:
                continue
            contact = space.contact[n]
            slot = near.pair[k] if k >= 0 else near.wall[-1 - k]
            rolls = 1.0 / h if space.rare[n, ARM] > 0.0 else 0.0
            for side in range(2 if k >= 0 else 1):
                # the later part of a pair, or the part at a boundary, is pushed by P, the earlier one by -P
                row = near.other[k] if k >= 0 and side == 0 else i
                sign = (1.0 if side == 0 else -1.0) / h
                b = body[row]
                q0, q1, q2, q3 = before[b, 8], before[b, 9], before[b, 10], before[b, 11]
                fx, fy, fz = rotated(q0, -q1, -q2, -q3, sign * (p * contact[0] + contact[RUB]),
                                     sign * (p * contact[1] + contact[RUB + 1]),
                                     sign * (p * contact[2] + contact[RUB + 2]))
                at = ARM_J if side == 0 else ARM_I
                rx, ry, rz = rotated(q0, -q1, -q2, -q3, contact[at], contact[at + 1], contact[at + 2])
                rx, ry, rz = rx - arm[row, 0], ry - arm[row, 1], rz - arm[row, 2]
                turned = rolls if side == 0 else -rolls
                tx, ty, tz = rotated(q0, -q1, -q2, -q3, turned * slot.tx, turned * slot.ty, turned * slot.tz)
                force[row, 0] += fx
                force[row, 1] += fy
                force[row, 2] += fz
                moment[row, 0] += ry * fz - rz * fy + tx
                moment[row, 1] += rz * fx - rx * fz + ty
                moment[row, 2] += rx * fy - ry * fx + tz
