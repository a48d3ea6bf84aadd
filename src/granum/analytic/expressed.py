"""System: any mechanical system written as formulas, whatever its coordinates and constraints.

    M(q, t) q̈ = f(q, q̇, t),      A(q, q̇, t) q̈ = b(q, q̇, t)

M and f follow from the kinetic energy T, the potential energy V and applied forces Q,

    M = ∂²T/∂q̇²,    f = Q - ∂V/∂q + ∂T/∂q - (∂p/∂q) q̇ - ∂p/∂t,    p = ∂T/∂q̇,

and each constraint gives rows of A and b by differentiating it along the motion: φ(q, t) = 0 twice, ψ(q, q̇, t) = 0
once. A known invariant is such a row too. All derivatives are exact.

Source: Udwadia and Mogharabin (2022), eqs. 4-7 for M and f, §2.2 for the rows, eqs. 33-35 for invariants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.algebra import Expression, along, gradient, jacobian, symbol
from granum.algebra.calculus import Along
from granum.algebra.compiled import Compiled
from granum.algebra.expression import ZERO, Scalar, free_symbols, number, rebuild, walk
from granum.algebra.parse import parse_equation
from granum.algebra.vectors import total
from granum.analytic.expressed_parts import Agent, Applied, Body, Formula, Friction, Row, as_formula
from granum.analytic.inertia import euler_tensor, quadratic
from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats
from granum.base.text import count
from granum.model.loads import agent_names
from granum.rows.errors import UNKNOWN
from granum.rows.symbolic import Constraint, rate_name

if TYPE_CHECKING:
    from granum.analytic.eliminated import Eliminated


TIME = symbol("t")


class System:
    """A mechanical system from formulas.

    Args:
        coordinates: names, in one text or several; the rate of `x` is written `x_dot`, time `t`.
        parameters: numbers by name.
        definitions: names for parts of formulas, in an order in which each uses only earlier ones; the rate of a
            defined `z` is written `z_dot`.
        kinetic, potential: energies; or `mass` and `forces`.
        mass: mass matrix, where the kinetic energy is not given.
        forces: generalised forces that have no potential, by coordinate.
        constraints: formulas that stay zero ("x**2 + y**2 = l**2" is one), or lists of them, by name.
        invariants: quantities known to be kept, such as the energy, held as extra rows.
        bodies: masses with their positions; their kinetic energy is added to `kinetic`.
        loads: further forces by name; they are added to `potential` and `forces`.
        frictions: contacts with Coulomb friction.
        quantities: further names that formulas may use and what they stand for, such as velocities of bodies.
        points: coordinates of points to record and to draw, by name.
        lines: which points pictures join by lines.
        inputs: parameters that may change between steps, such as commands of actuators.
        measures: a function that gives what joints and bodies measure, by name, to be looked at as outputs.
    """

    slopes = staticmethod(gradient)
    """Derivatives of a formula by the coordinates; other systems have a chain rule."""

    def __init__(
        self, coordinates: str | Sequence[Any], *, parameters: Mapping[Any, float] | None = None,
        kinetic: Formula | None = None, potential: Formula = 0.0, mass: Sequence[Sequence[Formula]] | None = None,
        forces: Mapping[Any, Formula] | Sequence[Formula] | None = None,
        constraints: Mapping[str, Formula | Sequence[Formula]] | Iterable[Constraint] | None = None,
        invariants: Mapping[str, Formula] | None = None, bodies: Iterable[Body] = (),
        frictions: Iterable[Friction] = (), title: str = "", definitions: Mapping[str, Formula] | None = None,
        points: Mapping[str, Sequence[Formula]] | None = None, lines: Iterable[Sequence[str]] = (),
        loads: Iterable[Applied] = (), inputs: Iterable[str] = (),
        quantities: Mapping[str, Expression] | None = None,
        measures: Callable[[], Mapping[str, Expression]] = dict,
    ) -> None:
        names = coordinates.replace(",", " ").split() if isinstance(coordinates, str) else map(_name, coordinates)
        self.title = title
        self.coordinates = tuple(names)
        self.parameters = {_name(key): float(value) for key, value in (parameters or {}).items()}
        self.inputs = tuple(inputs)
        self.q = tuple(map(symbol, self.coordinates))
        self.v = tuple(symbol(rate_name(name)) for name in self.coordinates)
        self.defined: dict[Expression, Expression | float | int] = {}
        """Symbols of definitions and their rates, and what they stand for."""
        self._check_names(definitions or {})
        self.known = dict.fromkeys([*self.coordinates, *map(rate_name, self.coordinates), *self.parameters, "t"])
        """Names that formulas of this system may use."""
        for name, value in (quantities or {}).items():
            self._call(name, value)
        self._define(definitions or {})
        self.points = {name: tuple(self.read(c, f"point {name}") for c in place)
                       for name, place in (points or {}).items()}
        self.lines = tuple(map(tuple, lines))
        self._measures = measures
        self.bodies = tuple(map(self._body, bodies))
        self.frictions = tuple(replace(one, slip=self._all(one.slip, f"slip of {one.name}")) for one in frictions)
        self.own_potential, self.own_forces = self.read(potential, "potential"), self._forces(forces or {})
        self._apply(loads)
        self.constraints = self._constraints(constraints or {}, invariants or {})
        self._mass = None if mass is None else [[self.read(entry, "mass") for entry in row] for row in mass]
        if self._mass is not None:
            self._check_mass(self._mass)
            if kinetic is not None:
                raise GranumError("give the kinetic energy or the mass matrix, not both.")
        if kinetic is None and mass is None and not self.bodies:
            raise GranumError("a system needs a kinetic energy (kinetic = ...), a mass matrix or bodies.")
        self.kinetic = self._kinetic(kinetic)
        self.eliminated: Eliminated | None = None
        """Of a system in chosen coordinates: the bodies in all their coordinates, and their reactions."""

    def _apply(self, loads: Iterable[Applied]) -> None:
        """Add loads to the potential energy and to the forces."""
        self.loads = tuple(loads)
        self.potential = total([self.own_potential, *(load.potential for load in self.loads)])
        self.forces = tuple(total([own, *(load.forces.get(name, ZERO) for load in self.loads)])
                            for name, own in zip(self.coordinates, self.own_forces, strict=True))

    def _check_names(self, definitions: Iterable[str]) -> None:
        moving = [*self.coordinates, *definitions]
        names = [*moving, *map(rate_name, moving), *self.parameters, "t"]
        if not self.coordinates:
            raise GranumError("a system needs coordinates, such as coordinates = \"x y\".")
        for name in sorted(name for name, times in Counter(names).items() if times > 1):
            raise GranumError(f'the name "{name}" is used twice; coordinates, definitions, their rates (x_dot), '
                              "parameters and t need distinct names.")

    def _define(self, definitions: Mapping[str, Formula]) -> None:
        """Read definitions in their order; those without rates of coordinates have a rate themselves.

        Definitions share nodes, each of which is visited once: a thousand definitions that build on one another would
        otherwise take a minute.
        """
        rates, met, with_rates = Along(self._direction), set[int](), set(self.v)
        for name, formula in definitions.items():
            value = self.read(formula, f"definition of {name}")
            self._call(name, value)
            with_rates.update(node for node in walk([value], met) if any(a in with_rates for a in node.arguments))
            if value not in with_rates:
                self._call(rate_name(name), rates([value])[0])

    def _call(self, name: str, value: Expression) -> None:
        """Let formulas use a name for an expression."""
        self.defined[symbol(name)] = value
        self.known[name] = None

    def _check_mass(self, mass: list[list[Expression]]) -> None:
        n = len(self.q)
        if [len(row) for row in mass] != [n] * n:
            raise GranumError(f"mass must be a matrix of {n} rows and columns, one for each coordinate.")
        entries = [entry for row in mass for entry in row]
        if rates := free_symbols(entries) & set(map(rate_name, self.coordinates)):
            raise GranumError(f"mass depends on {', '.join(sorted(rates))}, but a mass matrix may depend only on "
                              "coordinates and time. Give the kinetic energy instead.")
        across = [mass[i][j] - mass[j][i] for i in range(n) for j in range(i)]
        # formulas that are written differently may be equal: they are compared by their values at some points
        program = self.compile([*across, *entries])
        for place in np.random.default_rng(0).uniform(0.2, 0.9, (3, 2 * n)):
            values = program(0.3, place, self.parameter_values)
            size = np.abs(values[np.isfinite(values)]).max(initial=0.0)
            if (np.abs(values[: len(across)]) > 1e-9 * size).any():
                raise GranumError("mass is not symmetric: entries i, j and j, i must be equal.")

    def read(self, formula: Formula, place: str) -> Expression:
        """A formula of this system; `place` says where it stands if it is wrong."""
        try:
            if isinstance(formula, str):
                return rebuild([parse_equation(formula, self.known)], self.defined)[0]
            expression = as_formula(formula)
        except GranumError as error:
            raise GranumError(f"{place}: {error}") from None
        unknown = {name for name in free_symbols([expression]) if not name.startswith("λ ")} - self.known.keys()
        if unknown:
            raise GranumError(f"{place}: {', '.join(sorted(unknown))} is neither a coordinate, a rate (x_dot), a "
                              "parameter nor t.")
        return expression

    def _all(self, formulas: Sequence[Formula], place: str) -> tuple[Expression, ...]:
        """Several formulas, with definitions inserted."""
        return tuple(rebuild([self.read(formula, place) for formula in formulas], self.defined))

    def _body(self, body: Body) -> Body:
        """A body with its formulas read."""
        position = self._all(body.position, f"position of {body.name}")
        rotation = body.rotation and [self._all(row, f"rotation of {body.name}") for row in body.rotation]
        mass, = self._all([body.mass], f"mass of {body.name}")
        inertia = body.inertia if isinstance(body.inertia, np.ndarray) else [
            self._all(row, f"inertia of {body.name}") for row in body.inertia]
        return Body(body.name, mass, position, rotation, inertia,
                    body.spin and self._all(body.spin, f"spin of {body.name}"))

    def _forces(self, forces: Mapping[Any, Formula] | Sequence[Formula]) -> tuple[Expression, ...]:
        if not isinstance(forces, Mapping):
            if len(forces) != len(self.coordinates):
                raise GranumError(
                    f"found {count(len(forces), 'force')} for {count(len(self.coordinates), 'coordinate')}. "
                    "Give one for each, or a dictionary by coordinate.")
            forces = dict(zip(self.coordinates, forces, strict=True))
        given = {_name(key): self.read(value, f"force on {_name(key)}") for key, value in forces.items()}
        unknown = set(given) - set(self.coordinates)
        if unknown:
            raise GranumError(f"forces on {', '.join(sorted(unknown))}: the coordinates are "
                              f"{', '.join(self.coordinates)}.")
        return tuple(given.get(name, ZERO) for name in self.coordinates)

    def _constraints(
        self, constraints: Mapping[str, Formula | Sequence[Formula]] | Iterable[Constraint],
        invariants: Mapping[str, Formula],
    ) -> tuple[Constraint, ...]:
        all_constraints = []
        if isinstance(constraints, Mapping):
            for name, formulas in constraints.items():
                listed = formulas if isinstance(formulas, list | tuple) else [formulas]
                all_constraints.append(Constraint(name, tuple(self.read(f, f"constraint {name}") for f in listed)))
        else:
            all_constraints += [replace(c, rows=self._all(c.rows, f"constraint {c.name}")) for c in constraints]
        all_constraints += [Constraint(name, (self.read(f, f"invariant {name}"),), invariant=True)
                            for name, f in invariants.items()]
        names = [constraint.name for constraint in all_constraints]
        for name in sorted(name for name, times in Counter(names).items() if times > 1):
            raise GranumError(f'two constraints have the name "{name}".')
        return tuple(all_constraints)

    def _kinetic(self, kinetic: Formula | None) -> Expression:
        own = ZERO if kinetic is None else self.read(kinetic, "kinetic")
        if self._mass is not None:
            own = own + total(0.5 * self._mass[i][j] * v * w for i, v in enumerate(self.v)
                             for j, w in enumerate(self.v))
        self.bodiless = own
        """Kinetic energy that is given as a formula, not by bodies."""
        return own + total(self._kinetic_of(body) for body in self.bodies)

    def _kinetic_of(self, body: Body) -> Expression:
        """½ m ṙ² + ½ ωᵀ I ω; of a body given by R alone, which need not be a rotation, ½ m ṙ² + ½ tr(Ṙ Ē Ṙᵀ)."""
        velocity = self.rates(body.position)
        energy = 0.5 * body.mass * total(u * u for u in velocity)
        if body.spin is not None:
            energy = energy + 0.5 * quadratic(body.moments, body.spin)
        elif body.rotation is not None:
            moments = euler_tensor(body.moments)
            energy = energy + 0.5 * total(quadratic(moments, self.rates(row)) for row in body.rotation)
        return energy

    def rates(self, formulas: Sequence[Expression]) -> list[Expression]:
        """d/dt along the motion, of formulas without rates (with rates: at zero acceleration)."""
        return along(formulas, self._direction)

    @property
    def _direction(self) -> dict[Expression, Scalar]:
        """In which symbols move along the motion."""
        return {**dict(zip(self.q, self.v, strict=True)), **dict.fromkeys(self.v, 0.0), TIME: 1.0}

    def spin(self, body: Body) -> tuple[Expression, Expression, Expression]:
        """Angular velocity in body axes: given, or from the skew matrix Rᵀ Ṙ."""
        if body.spin is not None:
            return body.spin
        assert body.rotation is not None
        R = body.rotation
        rate = [self.rates(row) for row in R]

        def entry(i: int, j: int) -> Expression:
            return total(R[k][i] * rate[k][j] for k in range(3))

        return entry(2, 1), entry(0, 2), entry(1, 0)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Rows of A q̈ = b, constraint by constraint."""
        slips = [Constraint(f.name, f.slip) for f in self.frictions]
        return tuple(
            self._row(constraint, name, k, constraint in slips)
            for constraint in (*self.constraints, *slips) for k, name in enumerate(constraint.row_names))

    def _row(self, constraint: Constraint, name: str, k: int, slips: bool) -> Row:
        formula = constraint.rows[k]
        holonomic = not free_symbols([formula]) & set(map(rate_name, self.coordinates))
        if holonomic:
            rate = self.rates([formula])[0]
            A = self.slopes(formula, self.q)
        else:
            rate = formula
            A = gradient(formula, self.v)
        drift = gradient(formula, [TIME])[0] if holonomic else self._rest(formula, A)
        if constraint.invariant or constraint.silent:
            drift = ZERO  # it holds by itself: its multiplier is rounding error, and does no work
        if not any(not entry.is_zero for entry in A):
            raise GranumError(f'constraint "{name}" does not depend on any coordinate or rate.')
        return Row(name, constraint.name, k, formula, rate, tuple(A), -self.rates([rate])[0], drift,
                   holonomic and not constraint.invariant, constraint.invariant, slips)

    def _rest(self, formula: Expression, A: Sequence[Expression]) -> Expression:
        """ψ - (∂ψ/∂q̇) q̇: for a ψ linear in the rates what it is at rest."""
        if free_symbols(A) & set(map(rate_name, self.coordinates)):
            return formula - total(a * v for a, v in zip(A, self.v, strict=True))
        return rebuild([formula], dict.fromkeys(self.v, ZERO))[0]

    @cached_property
    def mass_formulas(self) -> list[list[Expression]]:
        """The mass matrix."""
        return jacobian(gradient(self.kinetic, self.v), self.v)

    @cached_property
    def force_formulas(self) -> list[Expression]:
        """f: applied forces, those of the potential and the velocity terms of inertia."""
        return [Q - h for Q, h in zip(self.applied, self.inertial(self.kinetic), strict=True)]

    @cached_property
    def applied(self) -> list[Expression]:
        """Q - ∂V/∂q: all forces but those of inertia."""
        fall = self.slopes(self.potential, self.q)
        return [Q - V for Q, V in zip(self.forces, fall, strict=True)]

    def inertial(self, kinetic: Expression) -> list[Expression]:
        """d/dt ∂T/∂q̇ - ∂T/∂q at zero acceleration."""
        momentum_rates = self.rates(gradient(kinetic, self.v))
        return [p - T for p, T in zip(momentum_rates, self.slopes(kinetic, self.q), strict=True)]

    @property
    def formulas(self) -> list[Expression]:
        """All that the motion follows from: energies, forces and constraints."""
        return [self.kinetic, self.potential, *self.forces, *(row for c in self.constraints for row in c.rows)]

    @property
    def unstored(self) -> list[Expression]:
        """Forces given by formulas, and the potential energy of the system without its loads."""
        return [self.own_potential, *self.own_forces,
                *(force for load in self.loads for force in load.forces.values())]

    @cached_property
    def kinetic_energy(self) -> Expression:
        """T₂ - T₀ (Jacobi); with coordinates that do not move by themselves this is T = T₂ + T₁ + T₀ itself."""
        momentum = gradient(self.kinetic, self.v)
        return total(p * v for p, v in zip(momentum, self.v, strict=True)) - self.kinetic

    @cached_property
    def agents(self) -> tuple[Agent, ...]:
        """All that changes the kinetic energy: d(T₂ - T₀)/dt = (Q - ∂V/∂q)·q̇ - ∂T/∂t + power of constraints.

        Of a potential energy that depends on time, -∂V/∂q·q̇ = -dV/dt + ∂V/∂t.
        """
        agents = [(load.section, self._applied(load)) for load in self.loads]
        agents.append(("system", self._applied(Applied("potential", self.own_potential))))
        agents += [("system", Agent(f"force on {name}", power=Q * v))
                   for name, Q, v in zip(self.coordinates, self.own_forces, self.v, strict=True)]
        agents.append(("system", Agent("prescribed motion", power=-gradient(self.kinetic, [TIME])[0])))
        agents += [("constraint", Agent(name, constraint=name))
                   for name in dict.fromkeys(row.constraint for row in self.rows if not row.drift.is_zero)
                   if name not in {friction.name for friction in self.frictions}]
        agents += [("constraint", Agent(friction.name, constraint=friction.name)) for friction in self.frictions]
        agents = [(section, agent) for section, agent in agents if agent.integrated or not agent.potential.is_zero]
        names = agent_names([(section, agent.name) for section, agent in agents])
        return tuple(replace(agent, name=name) for name, (_, agent) in zip(names, agents, strict=True))

    def _applied(self, load: Applied) -> Agent:
        power = total(load.forces.get(name, ZERO) * v for name, v in zip(self.coordinates, self.v, strict=True))
        return Agent(load.name, load.potential, power + gradient(load.potential, [TIME])[0])

    @cached_property
    def working(self) -> tuple[Agent, ...]:
        """Agents whose work is integrated along with the motion, frictions last."""
        return tuple(agent for agent in self.agents if agent.integrated)

    @cached_property
    def row_lengths(self) -> Floats:
        """What the error of each row is relative to (`rows.errors`)."""
        lengths = [length for c in self.constraints for length in c.lengths or [UNKNOWN] * len(c.rows)]
        return np.array(lengths + [UNKNOWN] * (len(self.rows) - len(lengths)))

    @cached_property
    def row_agents(self) -> list[float]:
        """Agent that the multiplier of each row works for, by its number in `working`, or -1."""
        numbers = {agent.constraint: k for k, agent in enumerate(self.working) if agent.constraint}
        return [float(numbers.get(row.constraint, -1)) for row in self.rows]

    def row_formulas(self, mass: list[list[Expression]], force: list[Expression]) -> list[Expression]:
        """M, Q, A, b, c, powers of agents, the agent of each row, slips: as `row_equations.Formulas` lists them."""
        rows = self.rows
        return [
            *(entry for row in mass for entry in row), *force, *(entry for row in rows for entry in row.A),
            *(row.b for row in rows), *(-row.drift for row in rows), *(agent.power for agent in self.working),
            *map(number, self.row_agents), *(row.rate if row.slips else ZERO for row in rows)]

    def compile(self, outputs: Sequence[Expression], extra: Sequence[str] = ()) -> Compiled:
        """Machine code of formulas of coordinates, rates (`y`), parameters and further symbols (`data`)."""
        return Compiled([s.name for s in (*self.q, *self.v)], [*self.parameters, *extra], outputs)

    @cached_property
    def parameter_values(self) -> Floats:
        """Numbers of the parameters, in order."""
        return np.array(list(self.parameters.values()), dtype=float)

    @cached_property
    def measures(self) -> Mapping[str, Expression]:
        """What joints and bodies measure, by name."""
        return self._measures()

    def with_parameters(self, values: Mapping[str, float]) -> System:
        """The same system with other values of parameters."""
        system = self.copied()
        system.parameters = {**self.parameters, **values}
        return system

    def with_constraints(self, constraints: Sequence[Constraint]) -> System:
        """The same system with further constraints."""
        system = self.copied()
        system.constraints = (*self.constraints, *constraints)
        return system

    def copied(self) -> System:
        """A copy that has not derived anything yet."""
        system = copy(self)
        for name in [key for key in vars(self) if isinstance(getattr(System, key, None), cached_property)]:
            del vars(system)[name]
        return system

    def with_ramp(self, loads: Sequence[str]) -> tuple[System, int]:
        """The same system with a further parameter that scales some loads, and the number of the parameter."""
        known = [load.name for load in self.loads]
        for name in loads:
            if name not in known:
                raise GranumError(f'there is no load "{name}" to grow. {did_you_mean(name, known, "load")}')
        factor = symbol("ramp of loads")
        scaled = [Applied(load.name, factor * load.potential, {k: factor * F for k, F in load.forces.items()})
                  if load.name in loads else load for load in self.loads]
        system = self.copied()
        system.parameters = {**self.parameters, factor.name: 1.0}
        system._apply(scaled)
        return system, len(self.parameters)

    @cached_property
    def _checks(self) -> Compiled:
        return self.compile([f for row in self.rows for f in (row.value, row.rate, *row.A)])

    def check(self, q: Floats, v: Floats, t: float = 0.0) -> tuple[Floats, Floats, Floats]:
        """Values of all rows, their rates, and A, in a state."""
        n, m = len(self.q), len(self.rows)
        table = self._checks(t, np.concatenate([q, v]), self.parameter_values).reshape(m, n + 2)
        return table[:, 0].copy(), table[:, 1].copy(), table[:, 2:].copy()


def _name(value: Any) -> str:
    """Name of a coordinate or parameter given as text, a SymPy symbol or a function of time."""
    return value if isinstance(value, str) else str(getattr(value, "name", None) or value.func.__name__)
