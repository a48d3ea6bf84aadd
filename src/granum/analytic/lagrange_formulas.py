"""lagrange of point masses and links as formulas, in the very coordinates that `lagrange` computes in (Sun 1996, §3.3).

θ_i is the angle of tree link i from the x axis, from the tail of the link to its head; s_i = ±1 says whether it points
outward. With the mass beyond each body the entries of (3.4) are written one by one:

    M_ij = s_i s_j l_i l_j m_ij cos(θ_i - θ_j),     f_i = Q_i - Σ_j s_i s_j l_i l_j m_ij sin(θ_i - θ_j) θ̇_j²

where m_ij is the mass beyond the farther of two links on one path. Loads enter by their potential, dampers by
-c ż ∂z/∂q; links outside the tree are rows (|d|² - l²)/2l = 0, with tension -λ.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.algebra import Expression, function, gradient, number, symbol
from granum.algebra.expression import ZERO
from granum.algebra.vectors import Vector, dot, length, minus, plus, times, total, vector
from granum.analytic.code import Formulas
from granum.analytic.expressed import System as Expressed
from granum.assembly.points import PointSystem
from granum.base.kernels import Floats, Ints
from granum.rows.symbolic import Constraint, rate_name
from granum.rows.system import symbol_name


class Tree(NamedTuple):
    """The spanning forest; all arrays over bodies unless said otherwise."""

    outward: Ints
    """Movable bodies, each after its parent."""
    parent: Ints
    """Body at the near end of the tree link (a fixed point or a mass); -1 for a free root."""
    link: Ints
    """Tree link to the parent; -1 for a free root."""
    above: Ints
    """Like parent, but -1 also where it is a fixed point: the next body on the path that has coordinates."""
    sign: Floats
    """+1 where the link points outward (tail at the parent), else -1: the entries of P."""
    coordinate: Ints
    """Index of the angle of the tree link, or of the first of the two coordinates of a free root."""
    cuts: Ints
    """Cut links."""
    size: int
    """Number of coordinates."""


def tree_of(system: PointSystem) -> Tree:
    """The spanning forest of a system."""
    topology, nodes = system.topology, system.nodes
    body_of_node = np.flatnonzero(~system.fixed)
    movable = topology.outward()
    movable = movable[movable != topology.ground]
    count = system.body_count
    parent, link, above = np.full(count, -1), np.full(count, -1), np.full(count, -1)
    sign, coordinate = np.zeros(count), np.zeros(count, dtype=np.int64)
    size = 0
    for node in movable:
        body, tree_link = body_of_node[node], topology.parent_link[node]
        coordinate[body] = size
        size += 1 if tree_link >= 0 else 2
        if tree_link >= 0:
            tail, head = system.links.tail[tree_link], system.links.head[tree_link]
            parent[body] = tail if head == body else head
            sign[body] = 1.0 if head == body else -1.0
            link[body] = tree_link
            if nodes[parent[body]] != topology.ground:
                above[body] = parent[body]
    return Tree(body_of_node[movable], parent, link, above, sign, coordinate, topology.cuts, size)


def formulas(system: PointSystem, tree: Tree, anchors: Floats) -> Formulas:
    """M, f, A and b of a planar system; `anchors` holds the positions of its fixed points [m]."""
    return _Writer(system, tree, anchors).formulas()


class _Writer:
    """Coordinates, arms and positions of the bodies of a tree as expressions."""

    def __init__(self, system: PointSystem, tree: Tree, anchors: Floats) -> None:
        self.system, self.tree = system, tree
        self.names: list[str] = []
        for body in tree.outward:
            if tree.link[body] >= 0:
                self.names.append(f"theta.{symbol_name(system.link_name(int(tree.link[body])))}")
            else:
                self.names += [f"{symbol_name(system.body_name(int(body)))}.{axis}" for axis in "xy"]
        self.q = list(map(symbol, self.names))
        self.v = [symbol(rate_name(name)) for name in self.names]
        self.position: dict[int, Vector] = {
            body: vector(anchors[:, body].tolist()) for body in range(system.body_count) if system.fixed[body]}
        for body in map(int, tree.outward):
            first = int(tree.coordinate[body])
            self.position[body] = (self.q[first], self.q[first + 1], ZERO) if tree.link[body] < 0 else plus(
                self.position[int(tree.parent[body])], times(self.arm(body), self._direction(first)))

    def arm(self, body: int) -> float:
        """s l of the tree link to a body [m]."""
        tree = self.tree
        return float(tree.sign[body] * self.system.links.length[tree.link[body]])

    def _direction(self, k: int) -> Vector:
        return function("cos", self.q[k]), function("sin", self.q[k]), ZERO

    def _beyond(self, values: Floats) -> dict[int, float]:
        """Sum of a value over each body and all beyond it."""
        tree = self.tree
        sums = {int(body): float(values[body]) for body in tree.outward}
        for body in reversed(list(sums)):
            if tree.above[body] >= 0:
                sums[int(tree.above[body])] += sums[body]
        return sums

    def formulas(self) -> Formulas:
        """All of it; rows of links outside the tree in their order."""
        rows = [Constraint(self.system.link_name(int(cut)), (self._closure(int(cut)),)) for cut in self.tree.cuts]
        loads = Expressed(self.names, kinetic=0.0, potential=self._potential(), forces=self._damping(),
                          constraints=rows)
        M, velocity_terms = self._inertia()
        f = [Q - h for Q, h in zip(loads.applied, velocity_terms, strict=True)]
        return Formulas(self.system.scene.title, tuple(self.names), {}, M, f, tuple(row.name for row in loads.rows),
                        [row.A for row in loads.rows], [row.b for row in loads.rows])

    def _inertia(self) -> tuple[list[list[Expression]], list[Expression]]:
        """M and the velocity terms on its side."""
        n, tree, mass = len(self.names), self.tree, self._beyond(self.system.bodies.mass)
        M, h = [[ZERO] * n for _ in range(n)], [ZERO] * n
        for body in mass:
            i = int(tree.coordinate[body])
            if tree.link[body] < 0:
                M[i][i] = M[i + 1][i + 1] = number(mass[body])
                continue
            M[i][i] = number(mass[body] * self.arm(body) ** 2)
            near = int(tree.above[body])
            while near >= 0:
                self._couple(M, h, i, near, mass[body] * self.arm(body))
                near = int(tree.above[near])
        return M, h

    def _couple(self, M: list[list[Expression]], h: list[Expression], i: int, near: int, moment: float) -> None:
        """Link i and a body `near` on its path: mass beyond times arm is `moment`."""
        tree, v = self.tree, self.v
        j, (cosine, sine, _) = int(tree.coordinate[near]), self._direction(i)
        if tree.link[near] < 0:
            for k, slope, bend in ((j, -sine, -cosine), (j + 1, cosine, -sine)):
                M[i][k] = M[k][i] = moment * slope
                h[k] = h[k] + moment * bend * v[i] ** 2
            return
        U, angle = moment * self.arm(near), self.q[i] - self.q[j]
        M[i][j] = M[j][i] = U * function("cos", angle)
        centripetal = U * function("sin", angle)
        h[i], h[j] = h[i] + centripetal * v[j] ** 2, h[j] - centripetal * v[i] ** 2

    def _potential(self) -> Expression:
        """Of constant forces, summed over what lies beyond each link, and of springs."""
        tree, loads = self.tree, self.system.loads
        across, up = self._beyond(loads.force[0]), self._beyond(loads.force[1])
        potential = ZERO
        for body in across:
            k = int(tree.coordinate[body])
            moved = (self.q[k], self.q[k + 1], ZERO) if tree.link[body] < 0 else times(
                self.arm(body), self._direction(k))
            potential = potential - across[body] * moved[0] - up[body] * moved[1]
        return potential + total(
            0.5 * float(loads.stiffness[s]) * (self._distance(s) - float(loads.rest_length[s])) ** 2
            for s in range(len(loads.stiffness)))

    def _distance(self, spring: int) -> Expression:
        loads = self.system.loads
        return length(minus(self.position[int(loads.head[spring])], self.position[int(loads.tail[spring])]))

    def _damping(self) -> list[Expression]:
        """-c ż ∂z/∂q of the distances z of dampers."""
        forces, damping = [ZERO] * len(self.q), self.system.loads.damping
        for s in range(len(damping)):
            if damping[s]:
                slope = gradient(self._distance(s), self.q)
                pull = float(damping[s]) * total(a * w for a, w in zip(slope, self.v, strict=True))
                forces = [f - pull * a for f, a in zip(forces, slope, strict=True)]
        return forces

    def _closure(self, cut: int) -> Expression:
        links, size = self.system.links, float(self.system.links.length[cut])
        d = minus(self.position[int(links.head[cut])], self.position[int(links.tail[cut])])
        return (dot(d, d) - size * size) / (2.0 * size)
