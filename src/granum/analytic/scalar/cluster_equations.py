"""scalar for rigid bodies: clusters of bodies whose spheres touch, slide and roll on each other (Vinogradov).

The motion is computed in the angles of `scalar` (two for each connecting vector, three Euler angles for each body
with inertia; one each in 2-D) and given in the coordinates of the scene's formulas, so that it stands beside the other
formulations.
"""

from __future__ import annotations

import numpy as np

from granum.analytic import scalar
from granum.analytic.build import Built
from granum.analytic.code import Formulas
from granum.analytic.derivations.quantities import subscripts
from granum.analytic.expressed_equations import ExpressedEquations
from granum.analytic.row_equations import SINGULAR
from granum.analytic.scalar.cluster import ANGLES, EULER, FIRST
from granum.analytic.scalar.cluster_scene import ClusterLoads, layout_of, prepare
from granum.analytic.scalar.formulas import ClusterFormulas, number_parts
from granum.analytic.singular_positions import WeakestRows
from granum.base.callbacks import UNCHANGED, Callback
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.rotations import quaternion_of, rotation_of
from granum.loads.expressed import TablePoses, acting_loads, input_values
from granum.rows.system import symbol_name

_POLE = 0.02
"""sin² of a polar angle below which the charts are left within a run; the best of three has 2/3 at least."""
_AT_POLE = 10
_DETERMINED = 1e-16
"""sin² of a polar angle below which rounding decides about the angles of the document."""


class ClusterEquations(ExpressedEquations):
    """Scalar equations of a tree of rigid bodies and points, cut links closing its loops."""

    formulation = "scalar"
    begins_with_coordinates = False
    chooses_again = True

    def __init__(self, built: Built, start: tuple[Floats, Floats]) -> None:
        super().__init__(built.system, start)
        self.layout = layout_of(built.assembly)
        self.cluster, self.scratch = prepare(built.assembly, self.layout)
        self.planar = built.dimension == 2
        self._loads = ClusterLoads(built.assembly, self.layout, self.cluster, self.scratch)
        self.take_parameters()
        self._run, self._move = (scalar.evaluator(self.cluster, self.scratch), scalar.mover(self.cluster, self.scratch))
        self.size, self._works = self.cluster.rows.shape[1], len(built.system.working)
        assert self._works == len(self._loads.powers)
        names = self.layout.names
        self._gamma = np.zeros(max(1, len(names) + self.cluster.cuts.shape[1]))
        index = {name: k for k, name in enumerate(self.coordinates)}
        axes, turns = "xyz"[: built.dimension], ["angle"] if self.planar else [f"u{k}" for k in range(4)]
        self._x = [[index.get(f"{symbol_name(n)}.{axis}", -1) for axis in axes] for n in names]
        self._u = [[index.get(f"{symbol_name(n)}.{part}", -1) for part in turns] for n in names]
        self._rigid = [int(body) for body in self.cluster.outward if self.cluster.tree[EULER, body] >= 0]
        self._block = np.zeros(1)
        self.rates = Callback(self._rates, 2 * self.size + self._works)
        self._follow = Callback(self._passed, 2 * self.size + self._works)
        self._weakest = WeakestRows(self._free_rows(*start)) if self.cluster.cuts.shape[1] else None
        self._shortest = min((c.length for c in (*self.layout.tree.values(), *self.layout.cuts) if c.length > 0.0),
                             default=1.0)
        self._met: float | None = None
        """Time of a singular position."""

    @property
    def block(self) -> Floats:
        """Nothing: the right-hand side knows its arrays."""
        return self._block

    def angles(self, q: Floats, v: Floats, *, of_source: bool = False) -> tuple[Floats, Floats]:
        """Angles and their rates of a state, in charts chosen there, or in the one chart of the document.

        The document measures β of every connecting vector from the z axis and θ of every body from it. Where sin β = 0
        or sin θ = 0 its angles are not determined, and such a state is refused.
        """
        s, dimension = self.scratch, len(self.scratch.x)
        for body in self.cluster.outward:
            s.x[:, body], s.v[:, body] = q[self._x[body]], v[self._x[body]]
        for body in self._rigid:
            own, rate = q[self._u[body]], v[self._u[body]]
            if dimension == 2:
                half = 0.5 * float(own[0])
                s.R[body] = rotation_of((np.cos(half), 0.0, 0.0, np.sin(half)))
                s.omega[body, 2] = rate[0]
            else:
                s.R[body] = rotation_of(own.tolist())
                s.omega[body] = s.R[body] @ (2.0 * _rate_matrix(own) @ rate)
        if of_source:
            self.cluster.charts[:] = 0
        else:
            scalar.choose_charts(self.cluster, s)
        angles, rates = np.zeros(self.size), np.zeros(self.size)
        scalar.coordinates(self.cluster, s, angles, rates)
        if of_source:
            self._refuse_poles(angles)
        if dimension == 2:  # a body that has gone round stays at its angle
            angles[self.cluster.tree[EULER, self._rigid]] = q[[self._u[body][0] for body in self._rigid]]
        return angles, rates

    def _refuse_poles(self, angles: Floats) -> None:
        """Refuse a state in which angles of the document are not determined, naming what is there."""
        tree, names = self.cluster.tree, self.layout.names
        for body in self.cluster.outward if not self.planar else []:
            name = names[body]
            for first, what in (
                    (tree[FIRST, body] if tree[ANGLES, body] == 2 else -1,
                     f"the link to {name} is along the z axis, where its azimuth alpha is not determined"),
                    (tree[EULER, body],
                     f"{name} has its own z axis along that of the scene, where its angles psi and phi are not "
                     "determined")):
                if first >= 0 and np.sin(angles[first + 1]) ** 2 < _DETERMINED:
                    raise GranumError(f"{what}. Take another state, or call angles(q, v), which measures from other "
                                      "axes there.")

    def pack(self, q: Floats, v: Floats, t: float, work: Floats) -> Floats:
        """(angles, their rates, works) of a state."""
        if self._weakest is not None:
            self._weakest.begin(self._free_rows(q, v, t), t)
        return np.concatenate([*self.angles(q, v), work])

    def unpack(self, y: Floats, t: float) -> tuple[Floats, Floats, Floats]:
        """Coordinates and rates of the formulas, and works."""
        s, n = self.scratch, self.size
        self._move(y[:n], y[n : 2 * n])
        q, v = np.zeros(len(self.coordinates)), np.zeros(len(self.coordinates))
        for body in self.cluster.outward:
            q[self._x[body]], v[self._x[body]] = s.x[:, body], s.v[:, body]
        for body in self._rigid:
            if self.planar:
                q[self._u[body]], v[self._u[body]] = y[self.cluster.tree[EULER, body]], s.omega[body, 2]
            else:
                u = quaternion_of(s.R[body])
                q[self._u[body]] = u
                v[self._u[body]] = 0.5 * _rate_matrix(u).T @ (s.R[body].T @ s.omega[body])
        return q, v, y[2 * n :].copy()

    def take_parameters(self) -> None:
        """Commands of actuators, as they are now."""
        self._loads.take(dict(zip(self.system.parameters, self.system.parameter_values.tolist(), strict=True)))

    def _evaluate(self, t: float, angles: Floats, rates: Floats, second: Floats) -> None:
        """Second derivatives of the angles under the loads of a state, which need its positions first."""
        if self._loads.varies:
            self._move(angles, rates)
            by_body = np.zeros(len(self.layout.names))
            if self.planar:
                by_body[self._rigid] = angles[self.cluster.tree[EULER, self._rigid]]
            self._loads.apply(t, by_body)
        self._run(angles, rates, second, self._gamma)

    def angle_accelerations(self, angles: Floats, rates: Floats, t: float = 0.0) -> Floats:
        """Second derivatives of the angles, in the charts in which `angles` was last asked for."""
        second = np.zeros(self.size)
        self._evaluate(t, angles, rates, second)
        return second

    def _rates(self, t: float, y: Floats, dy: Floats) -> int:
        n = self.size
        if scalar.near_pole(self.cluster, y[:n], _POLE):
            return _AT_POLE
        dy[:n] = y[n : 2 * n]
        self._evaluate(t, y[:n], y[n : 2 * n], dy[n : 2 * n])
        dy[2 * n :] = self._loads.powers
        return 0

    def reraise(self) -> None:
        """Raise what went wrong in a function that compiled code called."""
        self.rates.reraise()
        self._follow.reraise()

    def correcting(self, positions: bool, velocities: bool) -> int:
        """Angles need no corrections; where there are cuts, every step is examined for singular positions."""
        return 0 if self._weakest is None else self._follow.address

    def _free_rows(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """Constraint rows by velocities and angular velocities, which do not depend on the sign of a quaternion."""
        silent = {constraint.name for constraint in self.system.constraints if constraint.silent}
        A = self.system.check(q, v, t)[2][[row.constraint not in silent for row in self.system.rows]]
        columns = [A[:, [k for k in self._x[body] if k >= 0]] for body in self.cluster.outward]
        columns += [A[:, self._u[body]] if self.planar else A[:, self._u[body]] @ (
            0.5 * _rate_matrix(q[self._u[body]]).T) for body in self._rigid]
        return np.hstack(columns)

    def _passed(self, t: float, y: Floats, dy: Floats) -> int:
        """After a step: has it met or passed a singular position?"""
        assert self._weakest is not None
        q, v, _ = self.unpack(y, t)
        value, _, A = self.system.check(q, v, t)
        off = np.abs(value) / np.maximum(np.linalg.norm(A, axis=1), 1e-300)  # as a displacement [m]
        self._met = self._weakest.passed(self._free_rows(q, v, t), float(off.max()) / self._shortest, t)
        return UNCHANGED if self._met is None else SINGULAR

    def is_singular(self, q: Floats, v: Floats, t: float) -> bool:
        """A position that `_passed` has met is."""
        return self._met is not None

    def singular_position(self, q: Floats, v: Floats, t: float) -> str:
        """As everywhere, with the time at which the step passed the position."""
        return super().singular_position(q, v, t if self._met is None else self._met)

    def accelerations(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """q̈ of the formulas' coordinates from the second derivatives of the angles."""
        s = self.scratch
        angles, rates = self.angles(np.asarray(q, dtype=float), np.asarray(v, dtype=float))
        qdd, second = self.angle_accelerations(angles, rates, t), np.zeros(len(self.coordinates))
        for body in self.cluster.outward:
            second[self._x[body]] = s.a[:, body]
        for body in self._rigid:
            first, own = self.cluster.tree[EULER, body], self._u[body]
            if self.planar:
                second[own] = qdd[first]
                continue
            change = s.R[body].T @ _angular_acceleration(s.axes[body], rates[first:], qdd[first:])
            omega = s.R[body].T @ s.omega[body]
            second[own] = 0.5 * (_rate_matrix(q[own]).T @ change + _rate_matrix(v[own]).T @ omega)
        return second

    @property
    def formulas(self) -> Formulas:
        """The scalar equations with numbers for all constants, in the angles of the document: see `angles`."""
        assembly, layout = self.assembly, self.layout
        assert assembly is not None
        bodies, rows = assembly.rows.bodies, layout.cut_rows(assembly.dimension)
        explicit = ClusterFormulas(
            self.cluster, number_parts(self.cluster, self.scratch, list(subscripts(layout.names).values()),
                                       [cut.length for cut, _ in rows]),
            acting_loads(assembly.loads, TablePoses(bodies, self.planar)),
            {body.index: layout.names.index(body.name) for body in bodies})
        return explicit.program(self.system.title, input_values(assembly.loads), layout.row_names(assembly.dimension))

    def angle_mass_matrix(self, q: Floats, v: Floats) -> Floats:
        """Generalised masses in the angles of the state: Σ M_ij ∂s_i/∂q_a · ∂s_j/∂q_b and the inertia of rotation."""
        M = np.zeros((self.size, self.size))
        angles, rates = self.angles(q, v)
        scalar.mass_matrix(self.cluster, self.scratch, angles, rates, M)
        return M


def _rate_matrix(u: Floats) -> Floats:
    """E of ω = 2 E u̇ (Udwadia and Mogharabin 2022, eq. 1)."""
    a, b, c, d = u
    return np.array([[-b, a, d, -c], [-c, -d, a, b], [-d, c, -b, a]])


def _angular_acceleration(axes: Floats, w: Floats, qdd: Floats) -> Floats:
    """ω̇ of ω = ψ̇ a₁ + θ̇ a₂ + φ̇ a₃, where a₂ rotates with ψ and a₃ with ψ and θ."""
    gyroscopic = w[0] * np.cross(axes[0], axes[1]) * w[1] + np.cross(w[0] * axes[0] + w[1] * axes[1], axes[2]) * w[2]
    acceleration: Floats = qdd[:3] @ axes + gyroscopic
    return acceleration


