"""Equations of systems written as formulas: what their formulations share."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Any, Self

import numpy as np

from granum.algebra import Expression
from granum.algebra.compiled import Compiled
from granum.algebra.expression import free_symbols
from granum.algebra.switches import Switched, switched
from granum.analytic.code import Formulas
from granum.analytic.expressed import System
from granum.analytic.linearization import Linearizer
from granum.analytic.ports import Ports
from granum.analytic.result import Equations, as_vector
from granum.analytic.singular_positions import independence, singular_position
from granum.analytic.state_space import Linearization, linearization
from granum.analytic.steady_rotation import Chart, rotating_bodies, steady_state, steady_system
from granum.assembly.assembly import Assembly
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.model.scene import Scene
from granum.rows.redundancy import least_norm, norm_weights, unmarked
from granum.rows.symbolic import multiplier

MOST_COORDINATES = 1000
"""Coordinates of a system of formulas. One evaluation for 1000 takes a tenth of a second and 50 MB."""
INCONSISTENT = 1e-6
"""Mismatch of dependent rows, relative to the largest, from which they contradict one another."""
ROUNDING = 1e-12
"""Mismatch of rows relative to the squares of rates that is put down to rounding."""
DEPENDENT = 1e-6
"""Singular value of rows of unit length below which they depend on one another. Rows that do so on the constraints miss
it by the constraint error."""
_FALLS = 0.01
"""Independence of the constraints, relative to the start, below which a vanishing pivot is of a singular position."""


class ExpressedEquations(Equations):
    """Equations of a `System` of formulas."""

    rates: Any
    """The compiled right-hand side, d/dt of what `pack` gives."""
    takes_friction = False
    """Does it decide between sticking and sliding? One that does not would hold slip rows for ever."""
    begins_with_coordinates = True
    """Are the first numbers of the vector that is integrated the coordinates?"""
    followed: tuple[Compiled, Floats] | None = None
    """Formulas in modes that stand for its own at present, and the modes (`switches`)."""
    chooses_again = False
    """Does it take other charts or quasi-velocities where those in use do not determine the motion?"""

    @property
    @abstractmethod
    def block(self) -> Floats:
        """The data block of the compiled right-hand side."""

    scene: Scene | None = None
    """The scene that the system was built from, if any."""
    _assembly: Assembly | None = None

    def __init__(self, system: System, start: tuple[Floats, Floats] | None = None) -> None:
        self.system, self._start = system, start
        self.coordinates = system.coordinates
        if len(self.coordinates) > MOST_COORDINATES:
            raise GranumError(
                f"{len(self.coordinates)} coordinates are too many for {self.formulation}: it takes at most "
                f"{MOST_COORDINATES}, because it solves full matrices, whose cost grows with the third power. Large "
                'systems of rigid bodies run by formulation = "newton-euler"; masses and springs can be point masses '
                "and links.")
        if system.frictions and not self.takes_friction:
            names = ", ".join(f'"{friction.name}"' for friction in system.frictions)
            raise GranumError(f"{self.formulation} does not support stick-slip friction, which this scene has: "
                              f'{names}. Use formulation = "virtual-work".')

    @property
    def has_start(self) -> bool:
        """Is an initial state given?"""
        return self._start is not None

    @property
    def assembly(self) -> Assembly | None:
        """The assembled scene that they are derived from; none of a system of formulas."""
        return self._assembly

    def of_scene(self, assembly: Assembly) -> Self:
        """These equations, of a system that comes from a scene."""
        self._assembly = assembly
        return self

    @property
    def start(self) -> tuple[Floats, Floats]:
        """Coordinates and rates at the start."""
        if self._start is None:
            raise GranumError("this system has no initial state; compute one with gr.analytic.consistent(system, "
                              "given).")
        return self._start

    @cached_property
    def inertia(self) -> tuple[list[list[Expression]], list[Expression]]:
        """M and h of the forces of inertia M q̈ + h, as this formulation derives them."""
        return self.system.mass_formulas, self.system.inertial(self.system.kinetic)

    @property
    def mass_formulas(self) -> list[list[Expression]]:
        """M."""
        return self.inertia[0]

    @cached_property
    def force_formulas(self) -> list[Expression]:
        """f = Q - h."""
        return [Q - h for Q, h in zip(self.system.applied, self.inertia[1], strict=True)]

    @cached_property
    def formulas(self) -> Formulas:
        """M, f, A and b written out."""
        system = self.system
        return Formulas(system.title, system.coordinates, system.parameters, self.mass_formulas, self.force_formulas,
                        tuple(row.name for row in system.rows), [row.A for row in system.rows],
                        [row.b for row in system.rows],
                        tuple(friction.name for friction in system.frictions))

    def program(self, form: str) -> str:
        """A self-contained program of the accelerations, python or c."""
        return self.formulas.write(form)

    def pack(self, q: Floats, v: Floats, t: float, work: Floats) -> Floats:
        """The vector that is integrated: (q, q̇, work of each agent of `System.working`)."""
        return np.concatenate([q, v, work])

    def unpack(self, y: Floats, t: float) -> tuple[Floats, Floats, Floats]:
        """q, q̇ and works of that vector."""
        n = len(self.coordinates)
        return y[:n].copy(), y[n : 2 * n].copy(), y[2 * n :].copy()

    def take_parameters(self) -> None:
        """Give compiled code the values that the parameters of the system have now; most formulations ask for them."""

    def correcting(self, positions: bool, velocities: bool) -> int:
        """Address of what corrects a state after every step, 0 for nothing."""
        return 0

    def watch(self, guard: ExpressedEquations) -> int:
        """Address of a function of the state that is integrated: the events that are compiled into some equations."""
        raise GranumError(f"{self.formulation} does not locate the events of contacts. Use formulation = "
                          '"fundamental".')

    def refuse_open(self, q: Floats, v: Floats, t: float = 0.0) -> None:
        """Refuse a start in which a contact with friction opens at once; most formulations have none."""

    def reraise(self) -> None:
        """Raise what went wrong in a function that compiled code called; most formulations have none."""

    def mass_matrix(self, q: Floats, t: float = 0.0) -> Floats:
        """M(q), as the formulation has it."""
        return self.matrices(q, np.zeros(len(self.coordinates)), t)[0]

    def constraint_rows(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """A of A q̈ = b, without the rows of invariants."""
        A = self.matrices(q, v, t)[2]
        return A[[not row.invariant for row in self.system.rows]]

    @cached_property
    def _program(self) -> Compiled:
        return self.system.compile(self.system.row_formulas(self.mass_formulas, self.force_formulas))

    @cached_property
    def in_modes(self) -> Switched | None:
        """Its formulas in modes, where forces jump or have kinks; frictions have events of their own."""
        if self.system.frictions:
            return None
        return switched(self.system.row_formulas(self.mass_formulas, self.force_formulas), self.force_formulas)

    def formula_values(self, t: float, y: Floats) -> Floats:
        """What `System.row_formulas` lists, in a state: in modes while a motion follows these."""
        if self.followed is None:
            return self._program(t, y, self.system.parameter_values)
        program, modes = self.followed
        return program(t, y, np.concatenate([self.system.parameter_values, modes]))

    def matrices(self, q: Floats, v: Floats, t: float = 0.0) -> tuple[Floats, Floats, Floats, Floats]:
        """M, Q, A and b in a state."""
        n, m = len(self.coordinates), len(self.system.rows)
        y = np.concatenate([as_vector(q, n), as_vector(v, n)])
        out = self.formula_values(t, y)
        M, Q, A, b = np.split(out[: n * n + n + m * n + m], np.cumsum([n * n, n, m * n]))
        return M.reshape(n, n), Q, A.reshape(m, n), b

    @cached_property
    def _linearizer(self) -> Linearizer:
        return Linearizer(self.system, self.mass_formulas, self.force_formulas)

    @property
    def formula_system(self) -> System:
        """The system."""
        return self.system

    def _linearized(self, q: Floats, v: Floats, t: float, ports: Ports) -> Linearization:
        rotating = rotating_bodies(self.system, q, v)
        subject = self.system if self.scene is None else self.scene
        if not rotating:
            motion = self._linearizer.linearize(q, v, t, ports)
            return linearization(motion, self.coordinates, (q, v, t), (subject, q, motion.basis[: len(q)]))
        chart = tuple(body.chart for body in rotating)  # quaternions of bodies that rotate have no constant rates
        if chart not in self._steady_linearizers:
            system, mass, force = steady_system(self.system, self.mass_formulas, self.force_formulas, rotating)
            self._steady_linearizers[chart] = (
                Linearizer(system, mass, force), force, Ports.read(self.system, ()).moved_to(system, force))
        linearizer, force, every = self._steady_linearizers[chart]
        steady = linearizer.system
        at = steady_state(self.system, steady, rotating, q, v)
        motion = linearizer.linearize(*at, t, ports.moved_to(steady, force))
        n = len(steady.q)
        follows = every.evaluate(*at, t, motion.basis).observe[:, :n]  # δq of δz
        return linearization(motion, steady.coordinates, (*at, t), (subject, q, follows @ motion.basis[:n]))

    @cached_property
    def _steady_linearizers(self) -> dict[Chart, tuple[Linearizer, list[Expression], Ports]]:
        """By where rotating bodies are and about which axes they rotate: the speed may differ. Last, all q of z."""
        return {}

    @cached_property
    def reaction_names(self) -> tuple[str, ...]:
        """Names of all reactions."""
        if self.system.eliminated is not None:
            return self.system.eliminated.reaction_names
        return self._labels

    @cached_property
    def _labels(self) -> tuple[str, ...]:
        """Names of the reactions of all constraints."""
        return tuple(label for constraint in self.system.constraints for label, _ in constraint.meaning)

    @cached_property
    def _reactions(self) -> Compiled:
        system = self.system
        return system.compile([f for c in system.constraints for _, f in c.meaning], self.multiplier_names)

    @cached_property
    def multiplier_names(self) -> list[str]:
        """Symbols of the multipliers of all rows, in order."""
        return [multiplier(row.constraint, row.number).name for row in self.system.rows]

    def multipliers(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """λ of M q̈ = Q + Aᵀ λ; where rows depend on each other, the reactions of λ have the least norm."""
        return self._settled(q, v, t)[0]

    def _settled(self, q: Floats, v: Floats, t: float) -> tuple[Floats, Floats, Floats]:
        """λ; whether each reaction of `_reactions` is unique; and self-stresses, as columns."""
        M, Q, A, _ = self.matrices(q, v, t)
        if not len(A):
            return np.zeros(0), np.zeros(0), np.zeros((0, 0))
        # lengths for angles, and rows of unit length, so that units do not decide about the rank
        A, force = A * self._arms, (M @ self.accelerations(q, v, t) - Q) * self._arms
        size = np.linalg.norm(A, axis=1)
        size[size == 0.0] = 1.0
        U, values, V = np.linalg.svd(A / size[:, None])
        rank = int(np.count_nonzero(values > DEPENDENT * values[0]))
        some = U[:, :rank] @ (V[:rank] @ force / values[:rank])
        y = np.concatenate([q, v])

        def reactions(scaled: Floats) -> Floats:
            return self._reactions(t, y, np.concatenate([self.system.parameter_values, scaled / size]))

        weights = self._norm_weights(size) if rank < len(A) else np.zeros(len(self._labels))
        least, unique = least_norm(U[:, rank:], some, reactions, weights)
        return least / size, unique, U[:, rank:]

    @cached_property
    def _length(self) -> float:
        """By which moments are compared with forces [m]."""
        return 1.0 if self.assembly is None else self.assembly.rows.length()

    @cached_property
    def _arms(self) -> Floats:
        """Units of coordinates: 1 m, and for angles and quaternions of bodies that which moves a point by 1 m."""
        rotation = ("angle", "u0", "u1", "u2", "u3")
        return np.array([1.0 / self._length if name.rpartition(".")[2] in rotation else 1.0
                         for name in self.coordinates])

    def _norm_weights(self, size: Floats) -> Floats:
        """Of the reactions of `_reactions`; multipliers of formulas count by the lengths of their rows."""
        weights = norm_weights(self._labels, self._length)
        by_row = {(row.constraint, row.number): length for row, length in zip(self.system.rows, size, strict=True)}
        own = [(constraint, k) for constraint in self.system.constraints for k in range(len(constraint.meaning))]
        return np.array([weight if constraint.reactions else by_row[constraint.name, k]
                         for weight, (constraint, k) in zip(weights, own, strict=True)])

    def refuse_contradiction(self, q: Floats, v: Floats, t: float) -> None:
        """Raise if no acceleration meets all rows, naming those that contradict one another."""
        _, _, A, b = self.matrices(q, v, t)
        if not len(b):
            return
        scale = np.maximum(np.linalg.norm(A, axis=1), 1e-300)
        A, b = A / scale[:, None], b / scale
        U, sizes, _ = np.linalg.svd(A)
        null = U[:, np.count_nonzero(sizes > 1e-9 * sizes[0]) :]
        clash = np.abs(null @ (null.T @ b))
        # b is made of products of rates: where these cancel it is rounding, and says nothing
        if clash.max(initial=0.0) <= INCONSISTENT * np.abs(b).max(initial=0.0) + ROUNDING * float(v @ v):
            return
        names = [row.name for row, part in zip(self.system.rows, clash, strict=True) if part > 1e-3 * clash.max()]
        raise GranumError(f"the constraints {', '.join(names)} contradict one another at t = {t:g} s: no acceleration "
                          "satisfies them all. Remove or correct one of them.")

    @cached_property
    def _row_sizes(self) -> Floats:
        """Lengths of the constraint rows at the start: one that vanishes along the motion is singular too."""
        sizes: Floats = np.maximum(np.linalg.norm(self.constraint_rows(*self.start), axis=1), 1e-300)
        return sizes

    def dependence(self, q: Floats, v: Floats, t: float) -> float:
        """Smallest singular value of the independent constraint rows, in the lengths that they have at the start, over
        that at the start: zero in a singular position.
        """
        if not len(self._row_sizes):
            return 1.0
        return independence(self.constraint_rows(*self.start), self.constraint_rows(q, v, t))[0]

    def is_singular(self, q: Floats, v: Floats, t: float) -> bool:
        """Is the rank of the constraints about to fall?"""
        return self.dependence(q, v, t) < _FALLS

    def singular_position(self, q: Floats, v: Floats, t: float) -> str:
        """What is wrong where constraints lose their independence, naming those that do."""
        A = self.constraint_rows(q, v, t)
        silent = {constraint.name for constraint in self.system.constraints if constraint.silent}
        names = [row.constraint for row in self.system.rows if not row.invariant]
        U, sizes, _ = np.linalg.svd(A / self._row_sizes[:, None])
        weakest = U[:, int(np.count_nonzero(sizes > 1e-7 * sizes[0])) - 1]  # rows that always depend on others are last
        carrying = [name for name, part in zip(names, np.abs(weakest), strict=True) if part > 0.1]
        listed = dict.fromkeys([name for name in carrying if name not in silent] or carrying)
        moving = {constraint.name for constraint in self.system.constraints if free_symbols(constraint.rows) & {"t"}}
        return singular_position(t, listed, [name for name in listed if name in moving])

    def reaction_values(self, q: Floats, v: Floats, t: float = 0.0) -> tuple[Floats, Floats]:
        """Reactions in the order of `reaction_names`, of least norm where they are not unique, and whether they are."""
        if self.system.eliminated is not None:
            return self.system.eliminated.reactions(q, v, t, self.system.parameter_values)
        multipliers, unique, _ = self._settled(q, v, t)
        data = np.concatenate([self.system.parameter_values, multipliers])
        return self._reactions(t, np.concatenate([q, v]), data), unique

    def reactions(self, q: Floats, v: Floats, t: float = 0.0) -> dict[str, float]:
        """Forces of constraints by name."""
        return dict(zip(self.reaction_names, self.reaction_values(q, v, t)[0].tolist(), strict=True))

    def not_unique(self, q: Floats, v: Floats, t: float = 0.0) -> tuple[str, ...]:
        """Names of the reactions that the constraints leave open, because some restrain the same motion."""
        return unmarked(self.reaction_names, self.reaction_values(q, v, t)[1])
