"""Rows that restrain nothing new: which joints do so, and which forces they can carry among themselves.

A self-stress s has Jᵀ s = 0: forces of joints that are in balance on every body. Any can be added to the reactions, and
the motion does not change. One follows from each row that elimination drops, by solving for what the others do in its
place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from granum.base.kernels import Floats, Ints
from granum.linear import ldl
from granum.rows import tables
from granum.rows.elimination import Elimination, weigh
from granum.rows.system import RowSystem

CARRIES = 1e-7
"""A share of a self-stress below this part of its largest is rounding."""

OPEN = 1e-5
"""Share of a self-stress from which it leaves a reaction open. Rows that restrain one motion by a difference of others,
as slip along the normal of a surface does, have self-stresses without reactions, up to the constraint errors."""

_DRIVEN = 1e-3
"""Share of a self-stress from which a drive carries it. A row goes out within 1e-4 rad of the span of the others:
shares of that order are of the distance from the singular position."""


@dataclass(frozen=True)
class Redundancy:
    """What restrains the same motion twice, in one position."""

    rows: Ints
    """Rows that could go without any body gaining freedom (one choice of several)."""
    stresses: Floats
    """(rows, redundant rows): a self-stress for each."""
    parts: tuple[tuple[tuple[str, ...], int], ...]
    """Joints that share self-stress, and how many rows of them are too many."""

    def summary_lines(self) -> list[str]:
        """Which joints restrain the same motion."""
        return [f"{_and(names)} restrain the same motion{'' if count == 1 else f' {count} times'}."
                for names, count in self.parts]


def find_redundancy(system: RowSystem, e: Elimination) -> Redundancy:
    """Redundant rows of the state in the tables, with the factors of that state."""
    dropped = e.pattern.order[np.flatnonzero(e.factors.kept == 0)]
    m = len(e.pattern.order)
    stresses = np.zeros((m, len(dropped)))
    if not len(dropped):
        return Redundancy(dropped, stresses, ())
    own = system.tables
    if system.slides:  # whose solution has put M⁻¹ Dᵀ in the place of M⁻¹ Jᵀ
        weigh(own.bodies.motion, own.ends, own.rows, own.which, system.half, tables.J)
    H = (system.jacobian() @ system.jacobian(weighed=True).T).tocsc()
    kept = np.setdiff1d(np.arange(m), dropped)
    change = np.zeros(m)
    for k, row in enumerate(dropped):
        b = -H[:, [row]].toarray().ravel()
        for _ in range(2):  # once more for the last digits
            ldl.solve(e.pattern, e.factors, b - H @ np.where(np.isin(np.arange(m), kept), stresses[:, k], 0.0), change)
            stresses[:, k] += change
        stresses[dropped, k] = 0.0
        stresses[row, k] = 1.0
    return Redundancy(np.sort(dropped), stresses, _parts(system, stresses))


def blocked(system: RowSystem, redundancy: Redundancy) -> tuple[list[str], list[str]]:
    """Joints and drives that contradict one another in the state of the tables; none where the drives can go on.

    Rows hold at J v = -φ_t. For a self-stress, σᵀJ = 0: there is no such velocity unless σᵀφ_t = 0.
    """
    which, drive = system.tables.which, system.tables.drive
    driven = np.flatnonzero(which[:, tables.DRIVE] >= 0)
    rate = drive[tables.DRIVE_WIDTH * which[driven, tables.DRIVE] + tables.SPEED]
    # forces and moments are compared by the size of the mechanism
    pushes = np.abs(system.tables.rows[:, _pushes(system)]).max(axis=1, initial=0.0) > 0.0
    arm = np.where(pushes, system.size(), 1.0)
    for stress in redundancy.stresses.T:
        share = np.abs(stress) * arm / (np.abs(stress) * arm).max()
        work = np.where(share[driven] > _DRIVEN, stress[driven] * rate, 0.0)
        if abs(work.sum()) > _DRIVEN * np.abs(work).sum():
            carry = share > _DRIVEN
            names = [system.joints[int(j)].name for j in dict.fromkeys(which[carry, tables.JOINT].tolist())]
            moving = [system.joints[int(which[r, tables.JOINT])].name for r in driven[work != 0.0]]
            return names, moving
    return [], []


def _pushes(system: RowSystem) -> list[int]:
    """Columns of the row blocks that belong to velocities, not to angular velocities."""
    d, half = system.dimension, system.half
    return [tables.J + side * half + k for side in range(2) for k in range(d)]


def _parts(system: RowSystem, stresses: Floats) -> tuple[tuple[tuple[str, ...], int], ...]:
    """Joints that carry self-stresses together; stresses that share joints belong together."""
    joint = system.tables.which[:, tables.JOINT]
    member = scipy.sparse.lil_array((stresses.shape[1], len(system.joints)), dtype=np.int8)
    for k, stress in enumerate(stresses.T):
        member[k, np.unique(joint[np.abs(stress) > CARRIES * np.abs(stress).max()])] = 1
    member = member.tocsr()
    count, labels = scipy.sparse.csgraph.connected_components(member @ member.T, directed=False)
    parts = []
    for label in range(count):
        chosen = np.flatnonzero(labels == label)
        joints = np.flatnonzero(member[chosen].sum(axis=0))
        parts.append((tuple(system.joints[int(j)].name for j in joints), len(chosen)))
    return tuple(parts)


def norm_weights(names: Sequence[str], length: float) -> Floats:
    """What each reaction, by its name, is multiplied by in the norm: forces by 1, moments and torques by 1/length.

    Normal force and friction of a contact are parts of its force and do not count again.
    """
    weights = []
    for name in names:
        _, *component = name.split(".")
        if component and component[-1] in ("normal", "friction"):
            weights.append(0.0)
        else:
            weights.append(1.0 / length if {"moment", "torque"} & set(component) else 1.0)
    return np.array(weights)


def least_norm(
    stresses: Floats, multiplier: Floats, reactions: Callable[[Floats], Floats], weights: Floats,
) -> tuple[Floats, Floats]:
    """Multipliers that do the same and have reactions of least norm, and whether each reaction is unique (1.0).

    The norm is that of the reactions as they are reported, √Σ(|F|² + |M|²/l²), whatever rows they come from.

    Args:
        stresses: self-stresses, as columns, in units in which rows have about unit length.
        multiplier: a solution.
        reactions: reactions of multipliers; those that count (`weights`) are linear in them.
        weights: see `norm_weights`.
    """
    unique = np.ones(len(weights))
    if not stresses.shape[1]:
        return multiplier, unique
    basis, _ = np.linalg.qr(stresses)
    moved = np.column_stack([reactions(stress) for stress in basis.T])
    U, sizes, V = np.linalg.svd(weights[:, None] * moved, full_matrices=False)
    shown = sizes > OPEN * max(1.0, float(sizes.max(initial=0.0)))
    change = V[shown].T @ ((U[:, shown].T @ (weights * reactions(multiplier))) / sizes[shown])
    size = np.where(weights > 0.0, weights, 1.0)[:, None] * np.abs(moved)
    unique[(size > OPEN * max(1.0, float(size.max(initial=0.0)))).any(axis=1)] = 0.0
    least: Floats = multiplier - basis @ change
    return least, unique


def unmarked(names: Sequence[str], unique: Floats) -> tuple[str, ...]:
    """Names of the reactions that are not unique."""
    return tuple(name for name, one in zip(names, unique, strict=True) if not one)


def _and(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
