"""Redundant links: which ones restrain nothing new, and which forces they can carry among themselves.

Where links are redundant H is singular and the link forces are not unique: any self-stress s with H s = 0 (forces
in balance on every body) can be added. The motion does not depend on it. Granum reports the forces of least norm,
which is the projection of any solution onto the range of H.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from granum.analytic.newton_euler import Model, Scratch, directions
from granum.assembly.points import PointSystem
from granum.base.kernels import Floats, Ints
from granum.linear import factor, solve
from granum.linear.conjugate import apply
from granum.linear.method import CHAIN, ITERATIVE

_SMALL = 600
"""Links up to which the projection is done densely, to the last digit."""


@dataclass(frozen=True)
class Redundancy:
    """What restrains the same motion twice, in one position."""

    links: tuple[int, ...]
    """Links that could go without any body gaining freedom (one choice of several)."""
    parts: tuple[tuple[tuple[int, ...], int], ...]
    """Over-determined parts: the links that share self-stress, and how many of them are too many."""
    examined: bool = True
    """False where the system is too large for a factor; then nothing is known."""


def jacobian(system: PointSystem, n: Floats) -> scipy.sparse.csr_array:
    """Rows: links; columns: components of the movable bodies, body by body; entries of C Eᵀ."""
    movable = np.flatnonzero(~system.fixed)
    column = np.full(system.body_count, -1)
    column[movable] = np.arange(len(movable))
    rows, columns, values = [], [], []
    for end, sign in ((system.links.tail, 1.0), (system.links.head, -1.0)):
        inside = np.flatnonzero(~system.fixed[end])
        for k in range(system.dimension):
            rows.append(inside)
            columns.append(column[end[inside]] * system.dimension + k)
            values.append(sign * n[k, inside])
    shape = (system.link_count, system.dimension * len(movable))
    return scipy.sparse.csr_array(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=shape
    )


def find_redundancy(system: PointSystem, model: Model, scratch: Scratch, x: Floats) -> Redundancy:
    """Redundant links in the position x, and the parts they belong to."""
    if model.elimination.kind == ITERATIVE:
        return Redundancy((), (), examined=False)
    directions(model.links, x, scratch.n, scratch.distance)
    if factor(model.elimination, scratch.linear, scratch.n) == 0:
        return Redundancy((), ())
    dropped = np.flatnonzero(scratch.linear.pivot == 0.0)
    if model.elimination.kind != CHAIN:
        dropped = model.elimination.pattern.order[dropped]
    supports = [_self_stress_support(model, scratch, int(link)) for link in dropped]
    return Redundancy(tuple(int(link) for link in np.sort(dropped)), _parts(supports, system.link_count))


def _self_stress_support(model: Model, scratch: Scratch, link: int) -> Ints:
    """Links that carry the self-stress in which one redundant link has unit force."""
    e = model.elimination
    unit, product = np.zeros(len(scratch.b)), np.zeros(len(scratch.b))
    unit[link] = 1.0
    apply(e.graph, scratch.n, unit, scratch.linear.body, product)
    stress = np.zeros_like(unit)
    solve(e, scratch.linear, scratch.n, -product, stress)
    stress[link] += 1.0
    return np.flatnonzero(np.abs(stress) > 1e-7)


def _parts(supports: list[Ints], link_count: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Self-stresses that share links belong together; each counts one link too many."""
    member = scipy.sparse.lil_array((len(supports), link_count), dtype=np.int8)
    for row, support in enumerate(supports):
        member[row, support] = 1
    member = member.tocsr()
    count, labels = scipy.sparse.csgraph.connected_components(member @ member.T, directed=False)
    parts = []
    for label in range(count):
        rows = np.flatnonzero(labels == label)
        together = np.unique(np.concatenate([supports[row] for row in rows]))
        parts.append((tuple(int(link) for link in together), len(rows)))
    return tuple(parts)


def least_norm(system: PointSystem, n: Floats, gamma: Floats) -> Floats:
    """The link forces of least norm that do the same as gamma: its projection onto the range of C Eᵀ."""
    J = jacobian(system, n)
    if system.link_count <= _SMALL:
        u, s, _ = np.linalg.svd(J.toarray(), full_matrices=False)
        basis = u[:, s > 1e-9 * s[0]]
        projected: Floats = basis @ (basis.T @ gamma)
        return projected
    nearest: Floats = J @ scipy.sparse.linalg.lsmr(J, gamma, atol=1e-14, btol=1e-14, maxiter=20 * system.link_count)[0]
    return nearest
