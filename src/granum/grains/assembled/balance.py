"""What acts on the parts of bodies in a step, and the balance of it with the inertia of the parts (D'Alembert).

Forces are means over a step: an impact, which takes no time between rigid bodies, acts for one step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints
from granum.grains.assembled.parts import Parts
from granum.grains.assembled.regrouping import inertia_of, solve_turning, summed
from granum.grains.assembled.stepping import PartArrays, Workspace


class Pushes(NamedTuple):
    """What contacts and loads do to single parts in a step, in inertial axes."""

    row: Ints
    """Rows of the parts."""
    arm: Floats
    """(n, 3): from the mass centre of the body, at the beginning of the step [m]."""
    force: Floats
    """(n, 3) [N]"""
    moment: Floats
    """(n, 3): of rolling friction [N m]."""
    approach: Floats
    """(n,): speed at which the two came together before the step [m/s]."""


def gather(near: PartArrays, space: Workspace, h: float) -> Pushes:
    """The contacts of the last step, once for each part that they push."""
    begin = near.first[near.slabs[:-1]] + near.wall_first[near.slabs[:-1]]
    held = np.concatenate([np.arange(a, b) for a, b in zip(begin, space.ends, strict=True)])
    held = held[space.contact[held, 8] > 0.0]
    contact, slot = space.contact[held], space.slot[held]
    P = contact[:, 8, None] * contact[:, :3] + contact[:, 9:12]
    approach = -np.sum(contact[:, 12:15] * contact[:, :3], axis=1)
    pair = slot >= 0
    k, w = slot[pair], -1 - slot[~pair]
    T = np.empty_like(P)
    T[pair], T[~pair] = near.memory[k, 3:6], near.wall_memory[w, 3:6]
    if not np.any(contact[:, 15]):
        T[:] = 0.0
    upper = np.empty(len(held), np.int64)
    upper[pair], upper[~pair] = near.other[k], np.searchsorted(near.wall_first, w, side="right") - 1
    lower = np.searchsorted(near.first, k, side="right") - 1
    return Pushes(np.concatenate([upper, lower]), np.concatenate([contact[:, 19:22], contact[pair, 16:19]]),
                  np.concatenate([P, -P[pair]]) / h, np.concatenate([T, -T[pair]]) / h,
                  np.concatenate([approach, approach[pair]]))


def on_parts(parts: Parts, pushes: Pushes, at: Floats, extra: Floats, h: float) -> tuple[Floats, Floats]:
    """(n, 3) each: force on every part and moment about its centre, which is at the arm `at`, in inertial axes."""
    n = parts.count
    force = summed(pushes.row, pushes.force, n)
    moment = summed(pushes.row, pushes.moment + np.cross(pushes.arm - at[pushes.row], pushes.force), n)
    if len(extra):
        force += parts.mass[:, None] * extra / h
    return force, moment


def balanced(label: Ints, mass: Floats, own: Floats, place: Floats, force: Floats, moment: Floats, omega: Floats,
             dimension: int) -> tuple[Floats, Floats]:
    """Loads on parts less the inertia of their share in the motion of the bodies that labels say.

        f_k = F_k - m_k (a + α × r_k + ω × (ω × r_k)),   τ_k = M_k - I_k α,

    a and α by Newton and Euler from all F and M of a body: so f and τ balance each other. Gravity gives all parts the same
    acceleration and loads nothing; it is left out of F.

    Args:
        own: (n,) inertia about their own centres, which is that of a ball, or of a disk in the plane [kg m²].
        omega: (n, 3) angular velocity, in the same axes as all else [rad/s].
    """
    count = int(label.max(initial=-1)) + 1
    total = np.bincount(label, mass, count)[:, None]
    arm = place - (summed(label, mass[:, None] * place, count) / total)[label]
    a = summed(label, force, count) / total
    J = inertia_of(label, count, mass, own, arm, dimension)
    first = np.unique(label, return_index=True)[1]
    spinning = omega[first]
    M = summed(label, moment + np.cross(arm, force), count) - np.cross(spinning, np.einsum("kij,kj->ki", J, spinning))
    alpha = solve_turning(J, M, dimension)[label]
    inertial = a[label] + np.cross(alpha, arm) + np.cross(omega, np.cross(omega, arm))
    return force - mass[:, None] * inertial, moment - own[:, None] * alpha
