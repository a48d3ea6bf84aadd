"""Forces in a net of elastic joints between parts that are in equilibrium.

Each joint is a thin elastic layer at the place where two parts meet (Potyondy and Cundall, Int. J. Rock Mech. Min. Sci.
41, 2004): with the displacements u and small rotations θ of the parts it is strained by

    e = E (u_b + θ_b × d_b - u_a - θ_a × d_a),   E (θ_b - θ_a),

E rotating to its normal and two directions across it, d from the centres of the parts to the joint. It carries
q = D e.
Loads f on the parts that balance each other are carried by Bᵀ q = f with the least energy ½ qᵀ D⁻¹ q, that is

    q = D B u,   Bᵀ D B u = f,

one part of each body held fixed. Where joints make a tree, q follows from balance alone and D does not matter.
"""

from __future__ import annotations

import numpy as np
import scipy

from granum.base.kernels import Floats, Ints
from granum.grains.state import FIRST, SECOND
from granum.state.table import X, Z

ROUNDS = 4
"""Times that what is left unbalanced is distributed again: long thin nets lose digits in u, not in q."""
BALANCED = 1e-11
"""Part of the largest load that may stay unbalanced."""


def components(count: int, pair: Ints) -> Ints:
    """(count,): which nodes pairs hold together, numbered in the order of their first nodes."""
    held = np.ones(len(pair), np.int8), (pair[:, FIRST], pair[:, SECOND])
    graph = scipy.sparse.coo_array(held, shape=(count, count))
    _, label = scipy.sparse.csgraph.connected_components(graph, directed=False)
    _, first, renumbered = np.unique(label, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    ordered: Ints = rank[renumbered]
    return ordered


def axes_of(normal: Floats) -> Floats:
    """(n, 3, 3): rows are the normal and two unit vectors across it; in the plane the last is along z."""
    helper = np.zeros_like(normal)
    upright = np.abs(normal[:, Z]) > 0.9
    helper[~upright, Z] = helper[upright, X] = 1.0
    across = np.cross(helper, normal)
    across /= np.linalg.norm(across, axis=1)[:, None]
    return np.stack([normal, across, np.cross(normal, across)], axis=1)


class Net:
    """Joints between nodes; loads of each joint from loads on nodes that balance each other in each component."""

    def __init__(self, place: Floats, pair: Ints, point: Floats, stiffness: Floats, dimension: int) -> None:
        """Args:
            place: (n, 3) of the nodes, in axes of each component of its own [m].
            point: (m, 3) of the joints [m].
            stiffness: (m, 6): along the normal and two directions across, of rotation about them; 0 where it yields.
        """
        self.count, self.dimension, self.unbalanced = len(place), dimension, 0.0
        a, b = pair.T
        normal = place[b] - place[a]
        self.axes = axes_of(normal / np.linalg.norm(normal, axis=1)[:, None])
        self.label = components(self.count, pair)
        self._unit = float(np.mean(np.linalg.norm(normal, axis=1))) if len(pair) else 1.0
        self._kept = [0, 1, 2, 3, 4, 5] if dimension == 3 else [0, 1, 5]
        scale = np.array([1.0, 1.0, 1.0, *[self._unit**-2] * 3])
        self._D = (stiffness * scale)[:, self._rows].ravel()
        self._B = self._strains(place, a, b, point)
        self._BT = self._B.T.tocsr()
        free = np.ones(self.count, bool)
        free[np.unique(self.label, return_index=True)[1]] = False
        self._free = np.repeat(free, len(self._kept))
        self._C = self._B[:, self._free]
        K = (self._C.T @ scipy.sparse.diags_array(self._D) @ self._C).tocsc()
        self._factor = scipy.sparse.linalg.splu(K, "MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
                                                options={"SymmetricMode": True})

    @property
    def _rows(self) -> list[int]:
        """Loads of a joint that there are: in the plane along n and across it, and bending about z."""
        return [0, 1, 2, 3, 4, 5] if self.dimension == 3 else [0, 1, 5]

    def _strains(self, place: Floats, a: Ints, b: Ints, point: Floats) -> scipy.sparse.csr_array:
        """B, with lengths in units of the mean distance."""
        m, E, width = len(a), self.axes, len(self._kept)
        block = np.zeros((m, 6, 12))
        for side, node, sign in ((0, a, -1.0), (6, b, 1.0)):
            d = (point - place[node]) / self._unit
            block[:, :3, side : side + 3] = sign * E
            # E (θ × d): column k of the rows is E (e_k × d)
            block[:, :3, side + 3 : side + 6] = sign * np.einsum("mij,kmj->mik", E, np.cross(np.eye(3)[:, None], d))
            block[:, 3:, side + 3 : side + 6] = sign * E
        block = block[:, self._rows][:, :, [*self._kept, *[6 + k for k in self._kept]]]
        row = np.broadcast_to(np.arange(m * width).reshape(m, width, 1), block.shape)
        column = np.concatenate([a[:, None] * width + np.arange(width), b[:, None] * width + np.arange(width)], axis=1)
        column = np.broadcast_to(column[:, None, :], block.shape)
        entries = block.ravel(), (row.ravel(), column.ravel())
        return scipy.sparse.csr_array(scipy.sparse.coo_array(entries, shape=(m * width, self.count * width)))

    def carry(self, force: Floats, moment: Floats) -> Floats:
        """(m, 6): what joints carry, force and moment on a from b, along their normal (tension) and two axes across."""
        f = np.concatenate([force, moment / self._unit], axis=1)[:, self._kept].ravel()
        q, left, largest = np.zeros(len(self._D)), f, float(np.abs(f).max(initial=0.0))
        for _ in range(ROUNDS):
            q = q + self._D * (self._C @ self._factor.solve(left[self._free]))
            left = f - self._BT @ q
            if float(np.abs(left[self._free]).max(initial=0.0)) <= BALANCED * largest:
                break
        self.unbalanced = float(np.abs(left).max(initial=0.0)) / (largest or 1.0)
        loads = np.zeros((len(self.axes), 6))
        loads[:, self._rows] = q.reshape(-1, len(self._kept))
        loads[:, 3:] *= self._unit
        return loads
