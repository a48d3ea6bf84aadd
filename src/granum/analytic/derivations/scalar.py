"""scalar of spheres as it is derived: path matrix, masses M_ij beyond pairs of links, η and μ of their directions.

In 3-D the coefficients η and μ have names, and the equations are (49)-(52) of the document, corrected, with (53)-(60)
below them. In 2-D they are short enough to be inserted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from granum.algebra import Expression, function, gradient, symbol
from granum.algebra.expression import ONE, ZERO, Scalar, number, rebuild
from granum.algebra.polynomial import CONSTANT, COORDINATE, RATE, UNKNOWN
from granum.algebra.show import latex as latex_of
from granum.algebra.show import text
from granum.algebra.vectors import Vector, dot, plus, times, total
from granum.analytic.derivations.common import derivation, mass_beyond, named
from granum.analytic.derivations.derivation import Derivation, Grid, Line, Step
from granum.analytic.derivations.lengths import squared
from granum.analytic.derivations.notation import notation_of
from granum.analytic.derivations.quantities import Quantity, subscripts
from granum.analytic.expressed import System
from granum.analytic.scalar.cluster import ABOVE, DIRECTION, FORCE, LINK, PARENT
from granum.analytic.scalar.equations import Scalar as ScalarEquations
from granum.analytic.scalar.expressions import AXES, ScalarExpressions, Term, scalar_expressions
from granum.rows.symbolic import rate_name

_PRINCIPLE = ("Explicit scalar equations from the path matrix (Vinogradov): each row of body `i` has a term `M_ij c_i "
              "c_j (sum eta q_ddot + sum mu q_dot q_dot)` for each body `j` on one path with it. `M_ij` is the mass "
              "beyond the farther of the two links; `eta` and `mu` are scalar products of derivatives of their "
              "directions.")


def of_links(equations: ScalarEquations) -> Derivation:
    """Path matrix, masses, forces, and one equation for each angle."""
    return _Writer(equations).derivation()


def product(factors: Iterable[Expression]) -> Expression:
    """All factors, one after the other."""
    result = ONE
    for factor in factors:
        result = result * factor
    return result


class _Coefficients(NamedTuple):
    """Lines that define the coefficients of the equations."""

    eta: list[Line]
    mu: list[Line]
    force: list[Line]


_LONG = 150
"""Signs of the vector of a link that closes a loop, from which on its components have names."""
_COEFFICIENTS = (
    ("Coefficients of second derivatives", "`eta` of each equation and body: scalar products of first derivatives of "
     "the directions of two links. Their form does not depend on the indices."),
    ("Coefficients of products of rates", "`mu` of each equation and body: scalar products of first and second "
     "derivatives."),
    ("Generalised forces", "`Q`, of the forces on all bodies beyond a link."))
"""Heading and prose for each of `_Coefficients`."""


class _Writer:
    """Symbols of the bodies of a tree, numbered from the root, in the notation of the scene."""

    def __init__(self, equations: ScalarEquations) -> None:
        self.equations, self.cluster, self.n = equations, equations.cluster, notation_of(equations)
        self.expressions: ScalarExpressions = scalar_expressions(self.cluster, charts=True)
        system = equations.system
        self.bodies = [int(body) for body in self.cluster.outward]
        self.label = {body: k + 1 for k, body in enumerate(self.bodies)}
        self.name = {body: system.body_name(body) for body in range(len(self.cluster.mass))}
        shorts = subscripts(self.n.assembly.scene.body)  # type: ignore[union-attr]
        self.short = {body: shorts[self.name[body]] for body in self.bodies}
        self.mass = {body.name: self.n.show(body.mass) for body in self.n.system.bodies}
        self.links = {body: system.link_name(int(self.cluster.tree[LINK, body])) for body in self.bodies
                      if self.cluster.tree[PARENT, body] >= 0}
        self.length = {body: self._length(body, link) for body, link in self.links.items()}
        self.renamed: dict[Expression, Scalar] = {}
        self.coordinates: list[Expression] = []
        self.rows: dict[str, int] = {}
        """Coordinates as the expressions have them, numbered as the equations are."""
        for body in self.bodies:
            self._coordinates(body)

    def _length(self, body: int, link: str) -> Expression:
        """|c| of the link to a body, which the document calls c."""
        size = float(self.cluster.length[body])
        wanted = self.n.names.fresh(f"c_{self.short[body]}", f"c_{self.short[body]}_link")
        return self.n.add(Quantity(wanted, f"length of {link}", "m", size), CONSTANT)

    def _coordinates(self, body: int) -> None:
        """Angles of a link, or positions of a free root, with their rates and second derivatives."""
        n, dimension = self.n, self.cluster.force.shape[0]
        if body not in self.links:
            for axis, c in zip(AXES, n.positions[self.name[body]], strict=False):
                if c.kind == "symbol":
                    self._add(body, axis, n.show(c))
            return
        link, axis = self.links[body], "zxy"[int(self.cluster.charts[DIRECTION, body])]
        about = f"angle of {link} from the x axis" if dimension == 2 else f"azimuth of {link} about the {axis} axis"
        meanings = {"alpha": f"{about}, outward", "beta": f"angle of {link} from the {axis} axis"}
        for kind in ("alpha", "beta")[: dimension - 1]:
            own = n.new([f"{kind}_{self.short[body]}"], meanings[kind], "rad", COORDINATE)
            for ending, what, unit, level in (("_dot", "rate", "rad/s", RATE),
                                              ("_ddot", "second derivative", "rad/s^2", UNKNOWN)):
                n.add(Quantity(own.name + ending, f"{what} of {own.name}", unit), level)
            self._add(body, kind, own)

    def _add(self, body: int, kind: str, own: Expression) -> None:
        self.coordinates.append(own)
        self.rows[f"{kind}_{self.label[body]}"] = len(self.coordinates)
        self._rename(f"{kind}_{self.label[body]}", own.name)

    def _rename(self, old: str, new: str) -> None:
        self.renamed.update({symbol(old + ending): symbol(new + ending) for ending in ("", "_dot", "_ddot")})

    def derivation(self) -> Derivation:
        n, places = self.n, self.positions()
        masses, M = self._masses()
        forces, F = self._forces(places)
        n.simple = n.simplifier()  # with these masses and forces in front
        path = Grid(tuple(tuple(number(float(self._on_path(i, k))) for k in self.bodies) for i in self.bodies))
        where = [Line(n.show(c), n.simple(value)) for body in self.bodies
                 for c, value in zip(n.positions[self.name[body]], places[self.name[body]], strict=True)
                 if c.kind == "symbol" and n.show(c) is not value]
        chords = list[Line]()
        loops = self._loops(places, chords)
        coefficients = _Coefficients([], [], [])
        write = self._inserted if self.cluster.force.shape[0] == 2 else self._by_coefficients
        rows = []
        for k, row in enumerate(self.expressions.rows):
            left, right = write(row, M, F, coefficients)
            rows.append(Line(left, right - total(n.simple(slope[k]) * gamma for gamma, slope, _ in loops)))
        closed = [Line(left, right) for _, _, (left, right) in loops]
        listed, bodies = (", ".join(names) for names in (
            [f"`{q.name}`" for q in self.coordinates], [self.name[body] for body in self.bodies]))
        return derivation(n, "scalar", _PRINCIPLE, coordinates=[q.name for q in self.coordinates], steps=[
            Step("Coordinates", f"{listed}, from the root outward. {self._angles()}{self._along_z()}"),
            Step("Positions", "Each body is at the end of the links on its path from the root.", tuple(where)),
            Step("Path matrix", f"`P` has a row for each link and a column for each body ({bodies}): 1 where the link "
                 "is on the path from the root to the body.", (Line(named("P"), path),), essential=True),
            Step("Masses", "`M_ij`, the entries of `P m P^T`: the mass beyond both links.", tuple(masses),
                 essential=True),
            Step("Forces", "External forces on the bodies.", tuple(forces), essential=True),
            Step("Loops", "Vectors `s` of the links that close loops, by the links of the tree.", tuple(chords),
                 essential=True) if chords else None,
            Step("Equations of motion", "One for each coordinate." + (
                " The forces `gamma` of links that close loops act along the derivatives of their lengths."
                if loops else ""), (*rows, *closed), essential=True, equations=True),
            *(Step(heading, prose, tuple(lines), essential=True, equations=True) for (heading, prose), lines in zip(
                _COEFFICIENTS, coefficients, strict=True) if lines)])

    def _angles(self) -> str:
        """What the angles are."""
        return "`alpha` is the angle of a link from the x axis." if self.cluster.force.shape[0] == 2 else (
            "`alpha` is the azimuth of a link about the z axis, and `beta` its angle from that axis.")

    def _along_z(self) -> str:
        """Which links are not measured from the z axis, and why."""
        others = [link for body, link in self.links.items() if self.cluster.charts[DIRECTION, body]]
        start = "starts along the z axis, where its azimuth is" if len(others) == 1 else (
            "start along the z axis, where their azimuths are")
        return f" {' and '.join(others)} {start} not defined; another axis takes its place." if others else ""

    def _on_path(self, i: int, k: int) -> bool:
        """Is the link of body i on the path to body k?"""
        while k >= 0 and k != i:
            k = int(self.cluster.tree[ABOVE, k])
        return k == i

    def _masses(self) -> tuple[list[Line], dict[tuple[int, int], Expression]]:
        """M_ij of bodies on one path, with a line each."""
        lines: list[Line] = []
        M: dict[tuple[int, int], Expression] = {}
        for a, i in enumerate(self.bodies):
            for j in self.bodies[a:]:
                far = [k for k in self.bodies if self._on_path(i, k) and self._on_path(j, k)]
                if not far:
                    continue
                M[i, j] = M[j, i] = self.n.new([f"M_{self.short[i]}_{self.short[j]}"],
                                               mass_beyond(self.name[i], self.name[j]), "kg", first=True)
                lines.append(Line(M[i, j], total(self.mass[self.name[k]] for k in far)))
        return lines, M

    def positions(self) -> dict[str, Vector]:
        """Position of each body by the coordinates."""
        n, cluster = self.n, self.cluster
        places = {name: (n.show(p[0]), n.show(p[1]), n.show(p[2])) for name, p in n.positions.items()}
        for body in self.bodies:
            if body in self.length:
                near = self.name[int(cluster.tree[PARENT, body])]
                places[self.name[body]] = plus(places[near], times(self.length[body], self._direction(body)))
        return places

    def _direction(self, body: int) -> Vector:
        """ε (37), measured in the chart of the body."""
        alpha, beta = (rebuild([symbol(f"{kind}_{self.label[body]}")], self.renamed)[0] for kind in ("alpha", "beta"))
        planar = self.cluster.force.shape[0] == 2
        sine, cosine = (ONE, ZERO) if planar else (function("sin", beta), function("cos", beta))
        e = sine * function("cos", alpha), sine * function("sin", alpha), cosine
        p = 0 if planar else int(self.cluster.charts[DIRECTION, body])
        return e[-p % 3], e[(1 - p) % 3], e[(2 - p) % 3]

    def _forces(self, places: dict[str, Vector]) -> tuple[list[Line], dict[Expression, Scalar]]:
        """F of each body as symbols, zero where there is none, and their lines."""
        n, lines, F = self.n, list[Line](), dict[Expression, Scalar]()
        index = {name: k for k, name in enumerate(n.system.coordinates)}
        moved = self._moved(places)
        for body in reversed(self.bodies):  # so that the first comes first in products
            for axis, c in reversed(list(zip(AXES[: self.cluster.force.shape[0]], n.positions[self.name[body]],
                                             strict=False))):
                value = n.simple(rebuild([n.show(n.system.applied[index[c.name]])], dict(moved))[0])
                own: Expression = ZERO
                if not value.is_zero:
                    own = n.new([f"F_{self.short[body]}_{axis}"], f"{axis} component of the force on {self.name[body]}",
                                "N", first=True)
                    lines.insert(0, Line(own, value))
                F[symbol(f"F_{self.label[body]}_{axis}")] = own
        for line in lines:  # in the table as they are listed
            n.quantities[line.left.name] = n.quantities.pop(line.left.name)  # type: ignore[union-attr]
        n.move_lengths(moved)
        return lines, F

    def _moved(self, places: dict[str, Vector]) -> dict[Expression, Scalar]:
        """Rectangular coordinates and rates by those of the tree."""
        n = self.n
        by = {n.show(c): value for name, p in n.positions.items() for c, value in zip(p, places[name], strict=True)
              if c in n.system.q}
        rates = self._frame().rates(list(by.values()))
        return {**by, **{symbol(rate_name(c.name)): rate for c, rate in zip(by, rates, strict=True)}}

    def _frame(self) -> System:
        """The coordinates of the tree as those of a system, to differentiate along its motion."""
        constants = {name: 1.0 for name, quantity in self.n.quantities.items() if quantity.value is not None}
        return System([q.name for q in self.coordinates], parameters=constants, kinetic=0.0)

    def _of_row(self, row: str, M: dict[tuple[int, int], Expression]) -> list[tuple[int, int, Expression, Term]]:
        """Terms of a row: its body, the other body, M_ij c_i c_j, and the coefficients, from the root outward."""
        bodies = {str(label): body for body, label in self.label.items()}
        i, found = bodies[row.rpartition("_")[2]], []
        for term in self.expressions.rows[row]:
            j = bodies[next(iter([*term.eta, *(b for b, _ in term.mu)])).rpartition("_")[2]]
            near, far = sorted((i, j), key=self.label.__getitem__)
            lengths = self.length.get(near, ONE), self.length.get(far, ONE)
            weight = M[i, j] * lengths[0] ** 2 if i == j else M[i, j] * lengths[0] * lengths[1]
            found.append((i, j, weight, term))
        return sorted(found, key=lambda one: self.label[one[1]])

    def _shown(self, expression: Expression) -> Expression:
        """An expression of numbered coordinates in the symbols of the derivation."""
        return rebuild([expression], dict(self.renamed))[0]

    def _inserted(self, row: str, M: dict[tuple[int, int], Expression], F: dict[Expression, Scalar],
                  coefficients: _Coefficients) -> tuple[Expression, Expression]:
        """Σ M_ij c_i c_j (Σ η q̈ + Σ μ q̇ q̇) = Q with all coefficients inserted."""
        left = ZERO
        for _, _, weight, term in self._of_row(row, M):
            inside = total(eta * symbol(f"{b}_ddot") for b, eta in term.eta.items()) + total(
                (1.0 if b == c else 2.0) * mu * symbol(f"{b}_dot") * symbol(f"{c}_dot")
                for (b, c), mu in term.mu.items())
            left = left + weight * self._shown(inside)
        return self.n.simple(left), self.n.simple(self._right(row, F))

    def _by_coefficients(self, row: str, M: dict[tuple[int, int], Expression], F: dict[Expression, Scalar],
                         coefficients: _Coefficients) -> tuple[Expression, Expression]:
        """The same with names for η, μ and Q, as (49)-(52) are written."""
        accelerations, velocities = list[Expression](), list[Expression]()
        for i, j, weight, term in self._of_row(row, M):
            etas = [[self._coefficient("eta", row, (i, j), (b,), eta, coefficients.eta), symbol(f"{b}_ddot")]
                    for b, eta in term.eta.items()]
            mus = [self._velocity_term(row, (i, j), pair, mu, coefficients.mu) for pair, mu in term.mu.items()]
            for terms, sums in ((etas, accelerations), (mus, velocities)):
                if len(terms) == 1:
                    sums.append(self._shown(product([weight, *terms[0]])))
                elif terms:
                    sums.append(weight * self._shown(total(map(product, terms))))
        name = self._shown(symbol(row)).name
        Q = self.n.new([f"Q_{name}"], f"generalised force of {name}", "N" if name[0] in AXES else "N m",
                       latex=f"Q_{{{latex_of(symbol(name))}}}")
        coefficients.force.append(Line(Q, self.n.simple(self._right(row, F))))
        return total([*accelerations, *velocities]), Q

    def _velocity_term(self, row: str, bodies: tuple[int, int], pair: tuple[str, str], mu: Expression,
                       lines: list[Line]) -> list[Expression]:
        """μ q̇ q̇; mixed terms count twice, which the coefficient of a sphere with itself contains: sin 2β (54)."""
        b, c = pair
        rates = [symbol(f"{b}_dot"), symbol(f"{c}_dot")] if b != c else [symbol(f"{b}_dot") ** 2]
        if bodies[0] == bodies[1]:
            double = function("sin", 2.0 * symbol(f"beta_{self.label[bodies[1]]}"))
            return [self._coefficient("mu", row, bodies, pair, double if b != c else -0.5 * double, lines), *rates]
        return [number(1.0 if b == c else 2.0), self._coefficient("mu", row, bodies, pair, mu, lines), *rates]

    def _coefficient(self, letter: str, row: str, bodies: tuple[int, int], by: tuple[str, ...], value: Expression,
                     lines: list[Line]) -> Expression:
        """η or μ of row and body by the kinds of coordinates, as (53)-(60) index them; 1 stands for itself."""
        if value.kind == "number":
            return value
        i, j = bodies
        charts, value = self.cluster.charts[DIRECTION], self._shown(value)
        if charts[i] != charts[j]:  # the forms of (53)-(60) are those of one chart
            value = self.n.simple(value)
        kinds = list(dict.fromkeys(name.rpartition("_")[0] for name in by))
        number_, short = self.rows[row], self.short[j]
        below = f"{number_}{short}" if number_ < 10 and len(short) == 1 else f"{number_},{latex_of(symbol(short))}"
        above = "".join(latex_of(symbol(kind)) for kind in kinds)
        own = self.n.new([f"{letter}_{number_}_{short}_{''.join(kinds)}"],
                         f"factor of {self._product(by)} in equation {number_}", kind=COORDINATE,
                         latex=f"{{{latex_of(symbol(letter))}_{{{below}}}^{{{above}}}}}")
        lines.append(Line(own, value))
        return own

    def _product(self, by: tuple[str, ...]) -> str:
        """What a coefficient stands with: alpha_1_ddot, alpha_1_dot**2, or alpha_1_dot*beta_1_dot."""
        names = [self._shown(symbol(name)).name for name in by]
        if len(names) == 1:
            return f"{names[0]}_ddot"
        return f"{names[0]}_dot**2" if names[0] == names[1] else "*".join(f"{name}_dot" for name in names)

    def _right(self, row: str, F: dict[Expression, Scalar]) -> Expression:
        """Q of a row."""
        lengths = {symbol(f"c_{self.label[body]}"): length for body, length in self.length.items()}
        return rebuild([self.expressions.force[row]], {**self.renamed, **F, **lengths})[0]

    def _loops(
        self, places: dict[str, Vector], lines: list[Line],
    ) -> list[tuple[Expression, list[Expression], tuple[Expression, Expression]]]:
        """Of each link that closes a loop: its force, the derivatives of its length, and what holds it.

        Along the tree, the link is a vector s; of its length (sᵀs - l²)/2l these are sᵀ∂s/∂q/l and (ṡᵀṡ + sᵀs̈)/l. Its
        components have names where they are long.
        """
        n, loops = self.n, []
        seconds, frame, moved = [symbol(f"{q.name}_ddot") for q in self.coordinates], self._frame(), self._moved(places)
        below = subscripts([*n.assembly.scene.link])  # type: ignore[union-attr]
        for link in self.cluster.cuts[FORCE]:
            name = self.equations.system.link_name(int(link))
            (row,) = (row for row in n.system.rows if row.name == name)
            gamma = n.new([f"gamma_{below[name]}"], f"force of {name}, tension positive", "N", UNKNOWN)
            parts = [rebuild([n.show(part)], dict(moved))[0] for part in squared(row.value.arguments[0].arguments[0])]
            length, rates = n.show(row.value.arguments[1].arguments[1]), frame.rates(parts)
            s, s_dot = parts, rates
            if len(text(total(map(n.simple, parts)))) > _LONG:
                s = [n.new([f"s_{below[name]}_{axis}"], f"{axis} component of the vector from tail to head of {name}",
                           "m", COORDINATE) for axis in AXES[: len(parts)]]
                s_dot = [n.add(Quantity(f"{one.name}_dot", f"rate of {one.name}", "m/s"), RATE) for one in s]
                n.simple = n.simplifier()  # which knows these
                lines += [Line(one, n.simple(value)) for one, value in zip((*s, *s_dot), (*parts, *rates), strict=True)]
            slope = [n.simple(dot(s, [gradient(part, [q])[0] for part in parts]) / length) for q in self.coordinates]
            bend = -(dot(s_dot, s_dot) + dot(s, frame.rates(rates))) / length
            loops.append((gamma, slope, (n.simple(dot(slope, seconds)), n.simple(bend))))
        return loops
