"""Equations of motion of a scene in the formulation `scalar` (Vinogradov): points and links, in 2-D and 3-D."""

from __future__ import annotations

import numpy as np

from granum.analytic import scalar
from granum.analytic.code import Formulas
from granum.analytic.derivations.quantities import subscripts
from granum.analytic.equations import LinkEquations
from granum.analytic.result import as_vector
from granum.analytic.scalar.cluster import ANGLES, DIRECTION, FORCE, LINK, PARENT, Cluster, Scratch
from granum.analytic.scalar.expressions import ScalarExpressions, scalar_expressions
from granum.analytic.scalar.formulas import ClusterFormulas, number_parts
from granum.assembly.points import PointState, PointSystem
from granum.base.kernels import Floats
from granum.loads.expressed import TablePoses, acting_loads, input_values

_POLE = 1e-4
"""sin² of a polar angle at the start below which a direction is not measured in the chart of the document."""
_NEAR = 0.25
"""sin² of a polar angle below which a chart is to be left; the best of three charts has 2/3 at least."""


class Scalar(LinkEquations):
    """Equations in the two spherical angles of every tree link (one in 2-D), from parent to child (Vinogradov).

    The angles are at first those of the document, α about the z axis and β from it (37), but for directions that start
    along z. Solvers take the charts that suit a state best, by `choose_charts`; vectors of coordinates from before then
    mean nothing any more.
    """

    formulation = "scalar"

    def __init__(self, system: PointSystem) -> None:
        self.system = system
        self.cluster, self.scratch = prepare(system)
        self._rest = system.initial_state()
        self._run = scalar.evaluator(self.cluster, self.scratch)
        self._take_source_charts()
        names: list[str] = []
        for body in self.cluster.outward:
            link = int(self.cluster.tree[LINK, body])
            if self.cluster.tree[PARENT, body] >= 0:
                names += [f"{angle}({system.link_name(link)})" for angle in "αβ"[: system.dimension - 1]]
            else:
                names += [f"{axis}({system.body_name(int(body))})" for axis in "xyz"[: system.dimension]]
        self.coordinates = tuple(names)

    def _load(self, state: PointState) -> None:
        self.scratch.x[:], self.scratch.v[:] = state.x, state.v

    def choose_charts(self, state: PointState) -> None:
        """Measure every direction from the axis that it is farthest from."""
        self._load(state)
        scalar.choose_charts(self.cluster, self.scratch)

    def _take_source_charts(self) -> None:
        """Measure every direction from the z axis, but for those that start along it."""
        self.choose_charts(self._rest)
        for body in self.cluster.outward:
            if self.cluster.tree[ANGLES, body] == 2:
                c = self._rest.x[:, body] - self._rest.x[:, self.cluster.tree[PARENT, body]]
                if c[0] ** 2 + c[1] ** 2 >= _POLE * (c @ c):
                    self.cluster.charts[DIRECTION, body] = 0

    def near_pole(self, q: Floats) -> bool:
        """Has a direction come so near to its polar axis that another chart should be chosen?"""
        return self.system.dimension == 3 and bool(scalar.near_pole(self.cluster, q, _NEAR))

    def to_kernels(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Coordinates and rates as the kernels have them; a formulation with other angles says how they are related."""
        return q, v

    def from_kernels(self, q: Floats) -> Floats:
        """Coordinates from those of the kernels."""
        return q

    def reordered(self, rates: Floats) -> Floats:
        """Rates or accelerations of the kernels in the order of the coordinates."""
        return rates

    def from_state(self, state: PointState) -> tuple[Floats, Floats]:
        """Angles of the tree links and coordinates of free roots, in the charts as they are."""
        self._load(state)
        q, w = np.zeros(len(self.coordinates)), np.zeros(len(self.coordinates))
        scalar.coordinates(self.cluster, self.scratch, q, w)
        return self.from_kernels(q), self.reordered(w)

    def _checked(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        size = len(self.coordinates)
        return self.to_kernels(as_vector(q, size), as_vector(v, size))

    def to_state(self, q: Floats, v: Floats, t: float = 0.0) -> PointState:
        """Positions and velocities summed along the paths (7)."""
        state = self._rest.copy()
        self._load(state)
        scalar.kinematics(self.cluster, self.scratch, *self._checked(q, v))
        state.t, state.x[:], state.v[:] = t, self.scratch.x, self.scratch.v
        return state

    def rates(self, q: Floats, v: Floats, qdd: Floats, gamma: Floats, power: Floats) -> int:
        """q̈, link forces and the power of dampers into arrays; returns the redundant links."""
        redundant = self._run(q, v, qdd, gamma)
        power[:] = self.scratch.power
        return redundant

    def _evaluate(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        size = len(self.coordinates)
        qdd, gamma = np.zeros(size), np.zeros(self.system.link_count)
        self._run(*self._checked(q, v), qdd, gamma)
        return self.reordered(qdd), gamma

    def accelerations(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """q̈ from (24)-(31), with multipliers for the cuts (34), (35)."""
        return self._evaluate(q, v)[0]

    def body_accelerations(self, q: Floats, v: Floats) -> Floats:
        """(dimension, bodies) accelerations of the bodies [m/s²] (12)."""
        self._evaluate(q, v)
        return self.scratch.a.copy()

    def _link_forces(self, q: Floats, v: Floats) -> Floats:
        return self._evaluate(q, v)[1]

    def mass_matrix(self, q: Floats, t: float = 0.0) -> Floats:
        """Σ_ij M_ij ∂s_i/∂q_a · ∂s_j/∂q_b."""
        size = len(self.coordinates)
        M = np.zeros((size, size))
        scalar.mass_matrix(self.cluster, self.scratch, *self._checked(q, np.zeros(size)), M)
        return M

    def expressions(self, symbolic: bool = True) -> ScalarExpressions:
        """Explicit expressions of all entries, in the angles of the document (charts 0); body 1 is next to a root."""
        return scalar_expressions(self.cluster, symbolic)

    @property
    def formulas(self) -> Formulas:
        """All entries with numbers for masses, lengths and loads, in the angles of `start` and `accelerations`; a row
        for each link that closes a loop.
        """
        system, loads, bodies = self.system, self.assembly.loads, self.assembly.rows.bodies
        numbers = {system.body_name(k): k for k in range(system.body_count)}
        cuts = [int(link) for link in self.cluster.cuts[FORCE]]
        explicit = ClusterFormulas(
            self.cluster, number_parts(self.cluster, self.scratch, list(subscripts(numbers).values()),
                                       [float(system.links.length[cut]) for cut in cuts]),
            acting_loads(loads, TablePoses(bodies, system.dimension == 2)),
            {body.index: numbers[body.name] for body in bodies}, charts=self.cluster.charts[DIRECTION])
        return explicit.program(system.scene.title, input_values(loads), [system.link_name(cut) for cut in cuts])


def prepare(system: PointSystem) -> tuple[Cluster, Scratch]:
    """Arrays of a scene: points on the links of its spanning forest, the other links cut."""
    topology, links = system.topology, system.links
    body_of_node = np.flatnonzero(~system.fixed)
    parent, link = np.full(system.body_count, -1), np.full(system.body_count, -1)
    length = np.zeros(system.body_count)
    for node, tree_link in enumerate(topology.parent_link[:-1]):
        if tree_link >= 0:
            body, tail, head = body_of_node[node], links.tail[tree_link], links.head[tree_link]
            parent[body] = tail if head == body else head
            link[body], length[body] = tree_link, links.length[tree_link]
    cuts = topology.cuts
    rest = system.initial_state()
    return scalar.prepare_cluster(
        parent, system.bodies.mass, length, dimension=system.dimension, force=system.loads.force,
        anchors=np.where(system.fixed, rest.x, 0.0), springs=system.loads, links=link,
        cuts=np.array([links.tail[cuts], links.head[cuts], cuts, np.full(len(cuts), -1)]),
    )
