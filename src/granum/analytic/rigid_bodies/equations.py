"""Equations of a mechanism: accelerations, reactions, rows of any state, in the coordinates of `fundamental`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from granum.analytic.build import build as build_formulas
from granum.analytic.expressed import System
from granum.analytic.fundamental import Fundamental
from granum.analytic.ports import Ports
from granum.analytic.result import Equations, as_vector
from granum.analytic.rigid_bodies.rates import evaluation
from granum.analytic.rigid_bodies.system import BodySystem
from granum.analytic.starts import consistent
from granum.analytic.state_space import Linearization, linearization
from granum.analytic.steady_rotation import rotating_bodies
from granum.assembly.assembly import Assembly, assembly_of
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.pointers import call
from granum.base.rotations import angular_velocity_of, product, rotation_of
from granum.model.scene import Scene
from granum.rows import tables
from granum.rows.reactions import JointReactions
from granum.rows.redundancy import Redundancy, find_redundancy, unmarked
from granum.rows.symbolic import rate_name
from granum.state.table import WZ, A

_LARGEST = 2000
"""Coordinates up to which matrices are written out densely."""


class BodyEquations(Equations):
    """newton-euler of rigid bodies with joints; coordinates are positions with quaternions, or angles in the plane."""

    formulation = "newton-euler"

    def __init__(self, scene: Scene, system: BodySystem | None = None) -> None:
        self.scene = scene
        self.system = BodySystem(assembly_of(scene)) if system is None else system
        self.rows, self.y0 = self.system.rows, self.system.y0
        self.coordinates = tuple(self.rows.coordinate_names())
        self._out = np.zeros_like(self.y0)

    @property
    def assembly(self) -> Assembly:
        """The assembled scene."""
        return build_formulas(self.scene).assembly

    @cached_property
    def reaction_names(self) -> tuple[str, ...]:
        """Names of all reactions."""
        return self._reactions.names

    @cached_property
    def _reactions(self) -> JointReactions:
        return JointReactions(self.rows, self.system.assembly.rows.length())

    @property
    def start(self) -> tuple[Floats, Floats]:
        """Coordinates and rates at the start."""
        return self.unpack(self.y0)

    def unpack(self, y: Floats) -> tuple[Floats, Floats]:
        """Coordinates and rates of a state."""
        self.evaluate(y)
        q, v = [], []
        for body in self.rows.bodies:
            own, rate = self.rows.own(y, body), self.rows.own(self._out, body)
            if self.rows.dimension == 2:
                q += own[: 2 + body.rotates].tolist()
                v += [*own[3:5], self.rows.tables.bodies.motion[body.index, WZ]][: 2 + body.rotates]
            else:
                count = 7 if body.rotates else 3
                q += own[:count].tolist()
                v += rate[:count].tolist()
        return np.array(q), np.array(v)

    def pack(self, q: Floats, v: Floats) -> Floats:
        """The state of coordinates and rates."""
        q, v = as_vector(q, len(self.coordinates)), as_vector(v, len(self.coordinates))
        y, o = self.y0.copy(), 0
        y[len(y) - self.system.work_count :] = 0.0
        for body in self.rows.bodies:
            own = self.rows.own(y, body)
            if self.rows.dimension == 2:
                count = 2 + body.rotates
                own[:count], own[3 : 3 + count] = q[o : o + count], v[o : o + count]
                own[5] = v[o + 2] * body.inertia[2, 2] if body.rotates else 0.0
            else:
                count = 7 if body.rotates else 3
                own[:count], own[7:10] = q[o : o + count], v[o : o + 3]
                if body.rotates:
                    u = q[o + 3 : o + 7]
                    R = rotation_of(u / np.linalg.norm(u))
                    own[10:13] = R @ body.inertia @ R.T @ angular_velocity_of(u, v[o + 3 : o + 7])
            o += count
        return y

    def evaluate(self, y: Floats, t: float = 0.0) -> None:
        """Everything about a state into the tables."""
        call(evaluation, t, y, self._out, self.system.block)

    def accelerations(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """Second derivatives of the coordinates."""
        self.evaluate(self.pack(q, v), t)
        accelerations: list[float] = []
        o = 0
        for body in self.rows.bodies:
            a = self.rows.tables.bodies.derived[body.index, A : A + 6]
            if self.rows.dimension == 2:
                accelerations += [a[0], a[1], a[5]][: 2 + body.rotates]
                continue
            accelerations += a[:3].tolist()
            if body.rotates:
                u, rate = q[o + 3 : o + 7], v[o + 3 : o + 7]
                w = angular_velocity_of(u, rate)
                second = product(np.array([0.0, *a[3:]]), u) + product(np.array([0.0, *w]), rate)
                accelerations += (0.5 * second).tolist()
            o += 7 if body.rotates else 3
        return np.array(accelerations)

    @property
    def formula_system(self) -> System:
        """The same bodies and joints as formulas; hinges with torsion springs in 3-D add their angles."""
        return build_formulas(self.scene).system

    @cached_property
    def _formulas(self) -> Fundamental:
        equations = Fundamental(self.formula_system)
        equations.scene = self.scene
        return equations

    def _linearized(self, q: Floats, v: Floats, t: float, ports: Ports) -> Linearization:
        """That of the coordinates of formulas, of which these are some."""
        listed = self.formula_system.coordinates
        given = dict(zip((*self.coordinates, *map(rate_name, self.coordinates)), (*q, *v), strict=True))
        own = consistent(self.formula_system, given, guess=build_formulas(self.scene).guess, t=t)
        if rotating_bodies(self.formula_system, *own):
            return self._formulas._linearized(*own, t, ports)
        motion = self._formulas._linearizer.linearize(*own, t, ports)
        chosen = np.eye(len(listed))[[listed.index(name) for name in self.coordinates]]
        moved = motion.basis[: len(listed), : motion.displacements]
        follows = moved @ np.linalg.pinv(chosen @ moved)  # coordinates that are not chosen
        back = chosen.T + follows - chosen.T @ chosen @ follows
        return linearization(motion.mapped(chosen, back), self.coordinates, (q, v, t),
                             (self.scene, own[0], motion.basis[: len(listed)]))

    def reaction_values(self, y: Floats, t: float = 0.0) -> tuple[Floats, Floats]:
        """Reactions of a state by `reaction_names`, of least norm where they are not unique, and whether they are."""
        self.evaluate(y, t)
        return self._reactions.settled(self.rows.tables.multiplier.copy(), self._redundant)

    def least_multiplier(self) -> Floats:
        """Multipliers of the state that was evaluated last whose reactions have the least norm."""
        return self._reactions.least(self.rows.tables.multiplier.copy(), self._redundant)[0]

    @property
    def _redundant(self) -> Callable[[], Redundancy] | None:
        """What finds the rows that restrain nothing new in the state that was evaluated last, if there are some."""
        return self.redundancy if self.rows.tables.figures[tables.DROPPED] > 0 else None

    def redundancy(self) -> Redundancy:
        """Rows that restrain nothing new in the state of the tables."""
        return find_redundancy(self.rows, self.system.model.elimination)

    def reactions(self, q: Floats, v: Floats, t: float = 0.0) -> dict[str, float]:
        """Forces and moments of joints by name; of least norm where they are not unique."""
        values, _ = self.reaction_values(self.pack(q, v), t)
        return dict(zip(self.reaction_names, values.tolist(), strict=True))

    def not_unique(self, q: Floats, v: Floats, t: float = 0.0) -> tuple[str, ...]:
        """Names of the reactions that the joints leave open, because some restrain the same motion."""
        return unmarked(self.reaction_names, self.reaction_values(self.pack(q, v), t)[1])

    def mass_matrix(self, q: Floats, t: float = 0.0) -> Floats:
        """M of the velocities (v, ω) of the bodies, ω in inertial axes; dense, for looking."""
        self._refuse_large()
        self.rows.configure(self.pack(q, np.zeros_like(q)), t)
        dense: Floats = self.rows.masses().toarray()
        return dense

    def constraint_rows(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """J: rows of the joints by velocities (v, ω) of the bodies, in the plane (v_x, v_y, ω); dense, for looking."""
        self._refuse_large()
        self.rows.configure(self.pack(q, v), t)
        dense: Floats = self.rows.jacobian().toarray()
        return dense

    def _refuse_large(self) -> None:
        if len(self.coordinates) > _LARGEST:
            raise GranumError(f"{len(self.coordinates)} coordinates are too many to write out matrices. Use "
                              'formulation = "fundamental".')

    def program(self, form: str) -> str:
        """Programs need formulas of the coordinates."""
        raise GranumError(f'newton-euler with joints works on arrays, not formulas, so "{form}" is not available. Use '
                          'formulation = "fundamental".')
