"""lagrange as it is derived: L = T - V, its derivatives, multipliers; angles of links by the tree of a linkage."""

from __future__ import annotations

from granum.algebra import Expression, function, gradient, jacobian, symbol
from granum.algebra.expression import ZERO, Scalar, evaluate, rebuild
from granum.algebra.polynomial import CONSTANT, COORDINATE, Simplifier
from granum.algebra.vectors import Vector, plus, times, total
from granum.analytic.derivations.common import (
    DIFFERENTIATED,
    acceleration_lines,
    constraints_step,
    coordinates_step,
    derivation,
    forces_of_constraints,
    in_time,
    named,
    partial,
)
from granum.analytic.derivations.derivation import Derivation, Line, Step
from granum.analytic.derivations.notation import Notation, notation_of
from granum.analytic.derivations.positions import position_steps
from granum.analytic.derivations.quantities import Quantity, subscripts
from granum.analytic.derivations.spatial import spatial
from granum.analytic.derivations.spatial_lagrange import vector_steps
from granum.analytic.expressed import System
from granum.analytic.expressed_equations import ExpressedEquations
from granum.analytic.lagrange import Lagrange
from granum.rows.symbolic import Constraint, rate_name
from granum.rows.system import symbol_name

_FREE = ("Lagrange's equations: with `L = T - V`, `d/dt dL/d(q_dot) - dL/dq = Q`. `Q` are the forces without a "
         "potential.")
_CONSTRAINED = ("Lagrange's equations: with `L = T - V`, `d/dt dL/d(q_dot) - dL/dq = Q + A^T lambda`. `Q` are the "
                "forces without a potential; each row `A` of a constraint has a multiplier `lambda`.")
_IN_VECTORS = ("Lagrange's equations of the first kind: `d/dt dT/d(q_dot) - dT/dq = Q + A^T lambda`. `Q` are the "
               "applied forces, those of a potential included; each row `A` of a constraint has a multiplier `lambda`.")

_LONG = 8
"""Masses from which on sums of masses have names."""


def of_formulas(equations: ExpressedEquations) -> Derivation:
    """Any coordinates, with a multiplier for every constraint."""
    n = notation_of(equations)
    if (m := spatial(n)) is not None:
        return derivation(n, "lagrange", _IN_VECTORS, vector_steps(m))
    return derivation(n, "lagrange", _principle(n), [coordinates_step(n), *position_steps(n), *steps_of(n)])


def of_links(equations: Lagrange) -> Derivation:
    """The angles of the tree links (Sun 1996, section 3.3)."""
    tree = LinkTree(equations)
    n = tree.notation
    where = Step("Positions", "Each mass is at the end of the links on its path from the fixed point.",
                 tuple(Line(symbol(name), n.simple(value)) for name, value in tree.components()))
    velocities = Step("Velocities", "The rates of these positions.", tuple(
        Line(symbol(f"{name}_dot"), n.simple(n.rate(value))) for name, value in tree.components()))
    sources = "The coordinates are the angles of the links (Sun 1996, section 3.3)."
    return derivation(n, "lagrange", f"{_principle(n)} {sources}", [
        coordinates_step(n), where, velocities, *steps_of(n)])


def _principle(n: Notation) -> str:
    return _CONSTRAINED if n.system.rows else _FREE


def steps_of(n: Notation) -> list[Step | None]:
    """From the energies of a system to its equations."""
    system = n.system
    T, V = n.shown(system.kinetic), n.shown(system.potential)
    momenta = [n.simple(p) for p in gradient(T, n.v)]
    rates = [n.simple(n.rate(p)) for p in momenta]
    slopes = [n.simple(a - n.show(b)) for a, b in zip(
        n.slopes(T), system.slopes(system.potential, system.q), strict=True)]
    forces = [n.shown(Q) for Q in system.forces]
    by_rate = [partial(n.letter("L"), v) for v in n.v]
    equations = [Line(n.simple(rate - slope), n.simple(Q + forces_of_constraints(n, i)))
                 for i, (rate, slope, Q) in enumerate(zip(rates, slopes, forces, strict=True))]
    applied = [Line(symbol(f"Q_{q.name}"), Q) for q, Q in zip(n.q, forces, strict=True) if not Q.is_zero]
    for line in applied:
        n.quantities.setdefault(line.left.name, Quantity(  # type: ignore[union-attr]
            line.left.name, f"generalised force on {line.left.name[2:]} without a potential"))  # type: ignore[union-attr]
    return [
        Step("Energies", "Kinetic energy `T` and potential energy `V`.",
             tuple(Line(named(n.letter(letter)), energy) for letter, energy in (("T", T), ("V", V))), essential=True),
        Step("Derivatives of L", "The derivatives of `L = T - V` with respect to the rates, their rates in time, and "
             "the derivatives with respect to the coordinates" + (
                "." if not any(slope.is_zero for slope in slopes) else "; those that are not listed are zero."), (
            Line(named(n.letter("L")), n.simple(T - V)),
            *(Line(label, p) for label, p in zip(by_rate, momenta, strict=True)),
            *(Line(in_time(label), rate) for label, rate in zip(by_rate, rates, strict=True)),
            *(Line(partial(n.letter("L"), q), slope) for q, slope in zip(n.q, slopes, strict=True)
              if not slope.is_zero))),
        Step("Forces without a potential", "Their generalised forces; those that are not listed are zero.",
             tuple(applied)) if applied else None,
        constraints_step(n, system.rows, multipliers=True),
        Step("Equations of motion", "One for each coordinate" + (
            f", and {DIFFERENTIATED}." if system.rows else "."),
             (*equations, *acceleration_lines(n)), essential=True, equations=True)]


class LinkTree:
    """Positions of point masses by the angles of the links of a tree, and the system in these angles."""

    def __init__(self, equations: Lagrange) -> None:
        self.cartesian = notation_of(equations)
        points, tree, names = equations.system, equations.tree, self.cartesian.names
        links = subscripts(self.cartesian.assembly.scene.link)  # type: ignore[union-attr]
        self.position: dict[str, Vector] = {name: position for name, position in self.cartesian.positions.items()
                                            if not _moves(position)}
        coordinates: list[Quantity] = []
        for body in map(int, tree.outward):
            name = points.body_name(body)
            if tree.link[body] < 0:
                own = [self.cartesian.quantities[self.cartesian.show(c).name]
                       for c in self.cartesian.positions[name][:2]]
                coordinates += own
                self.position[name] = symbol(own[0].name), symbol(own[1].name), ZERO
                continue
            link = points.link_name(int(tree.link[body]))
            angle = Quantity(names.fresh(f"theta_{links[link]}", f"theta_{symbol_name(link)}"),
                             f"angle of the link {link} from the x axis, tail to head", "rad")
            coordinates.append(angle)
            theta, length = symbol(angle.name), self.length(link)
            arm = length if tree.sign[body] > 0 else -length
            self.position[name] = plus(self.position[points.body_name(int(tree.parent[body]))],
                                       times(arm, (function("cos", theta), function("sin", theta), ZERO)))
        self._sums: dict[str, Expression] = {}
        self.movable = [points.body_name(int(body)) for body in tree.outward]
        self.notation = self._in_angles(coordinates, [points.link_name(int(cut)) for cut in tree.cuts])

    def length(self, link: str) -> Expression:
        """l of a link: what its row in rectangular coordinates is divided by."""
        (row,) = (row for row in self.cartesian.system.rows if row.name == link)
        return row.value.arguments[1].arguments[1]

    def _in_angles(self, coordinates: list[Quantity], cuts: list[str]) -> Notation:
        """The system with its rectangular coordinates replaced."""
        old, names = self.cartesian.system, [one.name for one in coordinates]
        moved = {c: value for name, position in self.cartesian.positions.items()
                 for c, value in zip(position, self.position[name], strict=True) if c.kind == "symbol" and c in old.q}
        frame, self.sums = System(names, parameters=old.parameters, kinetic=0.0), list[Quantity]()
        kinetic = self._kinetic(frame)
        parameters = {**old.parameters, **{one.name: one.value for one in self.sums if one.value is not None}}
        replaced: dict[Expression, Scalar] = dict(moved)
        replaced.update({symbol(rate_name(c.name)): rate
                         for c, rate in zip(moved, frame.rates(list(moved.values())), strict=True)})
        potential, *others = rebuild(
            [old.potential, *old.forces, *(row.value for row in old.rows if row.name in cuts)], replaced)
        forces, rows = others[: len(old.q)], others[len(old.q) :]
        slopes = [gradient(moved[c], frame.q) for c in old.q]
        system = System(
            names, parameters=parameters, kinetic=kinetic, potential=potential, title=old.title,
            forces=[total(F * slope[i] for F, slope in zip(forces, slopes, strict=True)) for i in range(len(names))],
            constraints=[Constraint(name, (row,)) for name, row in zip(
                [row.name for row in old.rows if row.name in cuts], rows, strict=True)])
        c = self.cartesian
        constants = [*self.sums, *(one for one in c.quantities.values() if one.value is not None)]
        notation = Notation(system, c.names, constants, coordinates, c.assembly)
        for symbols in (c.q, c.v):
            for one in symbols:
                notation.quantities.setdefault(one.name, c.quantities[one.name])
        return notation

    def _kinetic(self, frame: System) -> Expression:
        """½ Σ M_ij q̇_i q̇_j: the masses beyond both links times the product of how they move their ends (3.4), (A.3)."""
        masses = {body.name: body.mass for body in self.cartesian.system.bodies}
        moved = {name: jacobian(self.position[name], frame.q) for name in self.movable}
        reached = [[name for name in self.movable if any(not row[i].is_zero for row in moved[name])]
                   for i in range(len(frame.q))]
        simple, terms = Simplifier(lambda name: CONSTANT if name in frame.parameters else COORDINATE), []
        for i, v in enumerate(frame.v):
            for j, w in enumerate(frame.v[: i + 1]):
                both = [name for name in reached[i] if name in reached[j]]
                if both:  # all of them are moved alike
                    moving = simple(total(row[i] * row[j] for row in moved[both[0]]))
                    terms.append((0.5 if i == j else 1.0) * self._mass(both, masses) * moving * v * w)
        return total(terms)

    def _mass(self, bodies: list[str], masses: dict[str, Expression]) -> Expression:
        """The sum of masses, with a name of its own in a long chain."""
        if len(self.movable) <= _LONG or len(bodies) == 1:
            return total(masses[name] for name in bodies)
        first, values = bodies[0], self.cartesian.system.parameters
        if first not in self._sums:
            short = subscripts(self.cartesian.assembly.scene.body)[first]  # type: ignore[union-attr]
            name = self.cartesian.names.fresh(f"M_{short}")
            self.sums.append(Quantity(name, f"mass of {first} and all beyond it", "kg",
                                      sum(evaluate([masses[name] for name in bodies], values))))
            self._sums[first] = symbol(name)
        return self._sums[first]

    def components(self) -> list[tuple[str, Expression]]:
        """x and y of each mass that hangs on a link."""
        return [(self.cartesian.show(c).name, value) for name, position in self.cartesian.positions.items()
                for c, value in zip(position, self.position[name], strict=True)
                if c in self.cartesian.system.q and value is not self.cartesian.show(c)]


def _moves(position: Vector) -> bool:
    """Has a position coordinates of a body? Those of a fixed point are numbers and constants."""
    return any(c.kind == "symbol" and "." in c.name for c in position)
