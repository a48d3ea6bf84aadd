"""Equations of a mechanism: accelerations, reactions, rows of any state, in the coordinates of `fundamental`."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from granum.analytic.build import build as build_formulas
from granum.analytic.linearization import Linearization, Linearizer
from granum.analytic.result import Equations, as_vector
from granum.analytic.staging import symbol_name
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.mechanisms import tables
from granum.mechanisms.build import Mechanism
from granum.mechanisms.initial_configuration import built_at_start
from granum.mechanisms.joints import FIRST, FORCE, FRICTION, MOMENT, NORMAL, TENSION
from granum.mechanisms.nearest import masses, row_blocks
from granum.mechanisms.rates import call, configuration, evaluation
from granum.mechanisms.redundancy import Redundancy, find_redundancy, least_norm
from granum.model.scene import Scene

_LARGEST = 2000
"""Coordinates up to which matrices are written out densely."""


class MechanismEquations(Equations):
    """newton-euler of rigid bodies with joints; coordinates are positions with quaternions, or angles in the plane."""

    formulation = "newton-euler"

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.mechanism: Mechanism
        self.mechanism, self.y0 = built_at_start(scene)
        self.coordinates = tuple(self._names())
        self._out = np.zeros_like(self.y0)

    def _names(self) -> list[str]:
        found = []
        for place in self.mechanism.places:
            own = symbol_name(place.name)
            found += [f"{own}.{axis}" for axis in "xyz"[: self.mechanism.dimension]]
            if place.turns:
                found += [f"{own}.angle"] if self.mechanism.dimension == 2 else [f"{own}.u{k}" for k in range(4)]
        return found

    @cached_property
    def reaction_names(self) -> tuple[str, ...]:
        """Names of all reactions."""
        return tuple(name for joint in self.mechanism.joints for name, _ in joint.labels)

    @cached_property
    def _places(self) -> tuple[list[int], list[int]]:
        """Joint and column of each reaction."""
        listed = [(k, column) for k, joint in enumerate(self.mechanism.joints) for _, column in joint.labels]
        return [k for k, _ in listed], [column for _, column in listed]

    @property
    def start(self) -> tuple[Floats, Floats]:
        """Coordinates and rates at the start."""
        return self.unpack(self.y0)

    def unpack(self, y: Floats) -> tuple[Floats, Floats]:
        """Coordinates and rates of a state."""
        self.evaluate(y)
        q, v = [], []
        bodies, stride = self.mechanism.model.tables.bodies, self.mechanism.stride
        for place in self.mechanism.places:
            i, own = place.index, y[place.index * stride : (place.index + 1) * stride]
            rate = self._out[i * stride : (i + 1) * stride]
            if self.mechanism.dimension == 2:
                q += own[: 2 + place.turns].tolist()
                v += [*own[3:5], bodies[i, tables.W + 2]][: 2 + place.turns]
            else:
                count = 7 if place.turns else 3
                q += own[:count].tolist()
                v += rate[:count].tolist()
        return np.array(q), np.array(v)

    def pack(self, q: Floats, v: Floats) -> Floats:
        """The state of coordinates and rates."""
        q, v = as_vector(q, len(self.coordinates)), as_vector(v, len(self.coordinates))
        y, o, stride = self.y0.copy(), 0, self.mechanism.stride
        y[len(y) - self.mechanism.work_count :] = 0.0
        for place in self.mechanism.places:
            own = y[place.index * stride : (place.index + 1) * stride]
            if self.mechanism.dimension == 2:
                count = 2 + place.turns
                own[:count], own[3 : 3 + count] = q[o : o + count], v[o : o + count]
                own[5] = v[o + 2] * place.inertia[2, 2] if place.turns else 0.0
            else:
                count = 7 if place.turns else 3
                own[:count], own[7:10] = q[o : o + count], v[o : o + 3]
                if place.turns:
                    R, w = turning(q[o + 3 : o + 7], v[o + 3 : o + 7])
                    own[10:13] = R @ place.inertia @ R.T @ w
            o += count
        return y

    def evaluate(self, y: Floats, t: float = 0.0) -> None:
        """Everything about a state into the tables of the mechanism."""
        call(evaluation, t, y, self._out, self.mechanism.block)

    def accelerations(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """Second derivatives of the coordinates."""
        self.evaluate(self.pack(q, v), t)
        bodies, found, o = self.mechanism.model.tables.bodies, [], 0
        for place in self.mechanism.places:
            a = bodies[place.index, tables.A : tables.A + 6]
            if self.mechanism.dimension == 2:
                found += [a[0], a[1], a[5]][: 2 + place.turns]
                continue
            found += a[:3].tolist()
            if place.turns:
                u, rate = q[o + 3 : o + 7], v[o + 3 : o + 7]
                w = turning(u, rate)[1]
                second = _product(np.array([0.0, *a[3:]]), u) + _product(np.array([0.0, *w]), rate)
                found += (0.5 * second).tolist()
            o += 7 if place.turns else 3
        return np.array(found)

    @cached_property
    def _linearizer(self) -> Linearizer:
        system = build_formulas(self.scene).system
        if set(system.coordinates) != set(self.coordinates):
            raise GranumError("newton-euler of joints has other coordinates than the formulas of this scene, so it "
                              'cannot be linearised by them. Take formulation "fundamental".')
        return Linearizer(system, system.mass_formulas, system.force_formulas)

    def _linearized(self, q: Floats, v: Floats, t: float) -> Linearization:
        """That of the same coordinates as formulas, in the order of these."""
        n, listed = len(q), self._linearizer.system.coordinates
        order = [self.coordinates.index(name) for name in listed]
        linear = self._linearizer.linearize(q[order], v[order], t)
        back = np.array([listed.index(name) for name in self.coordinates])
        both = np.concatenate([back, n + back])
        return Linearization(self.coordinates, linear.matrix[np.ix_(both, both)], linear.modes)

    def table_of(self, multiplier: Floats, sliding: bool = True) -> Floats:
        """(joints, 10): force and moment on the second body at its point, first multiplier, normal force, friction,
        tension of every joint, for the state in the tables.
        """
        found = self.mechanism.model.tables
        half, m = 3 if self.mechanism.dimension == 2 else 6, len(multiplier)
        rubbing = sliding and len(self.mechanism.model.frictions.row) > 0
        begin = tables.J + (5 if rubbing else 1) * half
        acting = found.rows[:, begin : begin + half] * multiplier[:, None]
        wrench = np.zeros((m, 6))
        wrench[:, [0, 1, 5] if half == 3 else range(6)] = acting
        total = np.zeros((len(self.mechanism.joints), 10))
        if not m:
            return total
        total[:, :6] = np.add.reduceat(wrench, self.mechanism.first[:-1], axis=0)
        arm = found.joints[:, tables.REACH + 3 : tables.REACH + 6]
        total[:, MOMENT : MOMENT + 3] -= np.cross(arm, total[:, FORCE : FORCE + 3])
        total[:, FIRST] = multiplier[self.mechanism.first[:-1]]
        total[:, TENSION] = -total[:, FIRST]
        total[:, NORMAL] = total[:, FIRST] * [joint.presses for joint in self.mechanism.joints]
        normal = np.zeros((len(total), 3))
        d, begin = self.mechanism.dimension, tables.J + half
        normal[:, :d] = found.rows[self.mechanism.first[:-1], begin : begin + d]
        along = total[:, FORCE : FORCE + 3] - total[:, FIRST, None] * normal
        total[:, FRICTION] = np.linalg.norm(along, axis=1)
        return total

    def reaction_values(self, y: Floats, t: float = 0.0) -> tuple[Floats, Floats]:
        """Reactions of a state by `reaction_names`, of least norm where they are not unique, and whether they are."""
        self.evaluate(y, t)
        multiplier = self.mechanism.model.tables.multiplier.copy()
        joints, columns = self._places
        unique = np.ones(len(joints))
        if self.mechanism.model.tables.figures[tables.DROPPED] > 0:
            stresses = self.redundancy().stresses
            multiplier = least_norm(stresses, multiplier)
            for stress in stresses.T:
                moved = np.abs(self.table_of(stress, sliding=False)[joints, columns])
                unique[moved > 1e-7 * np.abs(stress).max()] = 0.0
        return self.table_of(multiplier)[joints, columns], unique

    def redundancy(self) -> Redundancy:
        """Rows that restrain nothing new in the state of the tables."""
        return find_redundancy(self.mechanism)

    def reactions(self, q: Floats, v: Floats, t: float = 0.0) -> dict[str, float]:
        """Forces and moments of joints by name; of least norm where they are not unique."""
        values, _ = self.reaction_values(self.pack(q, v), t)
        return dict(zip(self.reaction_names, values.tolist(), strict=True))

    def not_unique(self, q: Floats, v: Floats, t: float = 0.0) -> tuple[str, ...]:
        """Names of the reactions that the joints leave open, because some restrain the same motion."""
        _, unique = self.reaction_values(self.pack(q, v), t)
        return tuple(name for name, one in zip(self.reaction_names, unique, strict=True) if not one)

    def mass_matrix(self, q: Floats, t: float = 0.0) -> Floats:
        """M of the velocities (v, ω) of the bodies, ω in inertial axes; dense, for looking."""
        self._refuse_large()
        call(configuration, t, self.pack(q, np.zeros_like(q)), self._out, self.mechanism.block)
        dense: Floats = masses(self.mechanism).toarray()
        return dense

    def constraint_rows(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """J: rows of the joints by velocities (v, ω) of the bodies, in the plane (v_x, v_y, ω); dense, for looking."""
        self._refuse_large()
        call(configuration, t, self.pack(q, v), self._out, self.mechanism.block)
        dense: Floats = row_blocks(self.mechanism).toarray()
        return dense

    def _refuse_large(self) -> None:
        if len(self.coordinates) > _LARGEST:
            raise GranumError(f"{len(self.coordinates)} coordinates are too many to write a matrix out.")

    def latex(self) -> str:
        """The equations in LaTeX."""
        return r"M a = f + J^\mathsf{T} \lambda, \qquad J a = b, \qquad J M^{-1} J^\mathsf{T} \lambda = b - J M^{-1} f"

    def code(self, form: str) -> str:
        """As text or LaTeX; other forms need formulas."""
        if form == "latex":
            return self.latex()
        if form == "text":
            rows = len(self.mechanism.model.tables.which)
            return ("newton-euler of rigid bodies and joints: M a = f + J^T lambda, J a = b, solved as "
                    "J M^-1 J^T lambda = b - J M^-1 f along the graph.\n"
                    f"{len(self.mechanism.places)} bodies, {rows} rows.")
        raise GranumError(f'newton-euler of joints is arrays, not formulas: there is no "{form}" of it. Take '
                          'formulation "fundamental" for code.')


def _product(a: Floats, b: Floats) -> Floats:
    """Product of two quaternions."""
    return np.array([a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])


def turning(u: Floats, rate: Floats) -> tuple[Floats, Floats]:
    """Rotation of a quaternion and angular velocity in inertial axes, 2 u̇ ū / |u|²."""
    from granum.mechanisms.places import rotation_of

    size = float(u @ u)
    w = 2.0 * _product(rate, np.array([u[0], *(-u[1:])]))[1:] / size
    return rotation_of((u / np.sqrt(size)).tolist()), w
