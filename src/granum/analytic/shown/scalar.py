"""scalar as it is derived: the path matrix, masses M_ij beyond pairs of links, η and μ of their directions."""

from __future__ import annotations

from granum.algebra import Expression, function, gradient, symbol
from granum.algebra.expression import ONE, ZERO, Scalar, number, rebuild
from granum.algebra.polynomial import COORDINATE, RATE, UNKNOWN
from granum.algebra.vectors import Vector, dot, plus, times, total
from granum.analytic.expressed import System
from granum.analytic.scalar.cluster import ABOVE, DIRECTION, FORCE, LINK, PARENT
from granum.analytic.scalar.equations import Scalar as ScalarEquations
from granum.analytic.scalar.expressions import AXES, ScalarExpressions, scalar_expressions
from granum.analytic.shown.common import derivation, named
from granum.analytic.shown.derivation import Derivation, Grid, Line, Step
from granum.analytic.shown.notation import notation_of
from granum.analytic.shown.quantities import Quantity, subscripts
from granum.rows.symbolic import rate_name

_PRINCIPLE = ("Explicit scalar equations from the path matrix (Vinogradov): each row of body `i` has a term `M_ij l_i "
              "l_j (sum eta q_ddot + sum mu q_dot q_dot)` for each body `j` on one path with it. `M_ij` is the mass "
              "beyond the farther of the two links; `eta` and `mu` are scalar products of derivatives of their "
              "directions.")


def of_links(equations: ScalarEquations) -> Derivation:
    """Path matrix, masses, forces, and one equation for each angle."""
    return _Writer(equations).derivation()


class _Writer:
    """Symbols of the bodies of a tree, numbered from the root, in the notation of the scene."""

    def __init__(self, equations: ScalarEquations) -> None:
        self.equations, self.cluster, self.n = equations, equations.cluster, notation_of(equations)
        self.expressions: ScalarExpressions = scalar_expressions(self.cluster, charts=True)
        system = equations.system
        self.bodies = [int(body) for body in self.cluster.outward]
        self.label = {body: k + 1 for k, body in enumerate(self.bodies)}
        self.name = {body: system.body_name(body) for body in range(len(self.cluster.mass))}
        scene = self.n.assembly.scene  # type: ignore[union-attr]
        shorts, links = subscripts(scene.body), subscripts(scene.link)
        self.short = {body: shorts[self.name[body]] for body in self.bodies}
        self.mass = {body.name: self.n.show(body.mass) for body in self.n.system.bodies}
        self.length = {body: self._length(system.link_name(int(self.cluster.tree[LINK, body]))) for body in self.bodies
                       if self.cluster.tree[PARENT, body] >= 0}
        self.renamed: dict[Expression, Scalar] = {}
        self.coordinates: list[Expression] = []
        for body in self.bodies:
            link = int(self.cluster.tree[LINK, body])
            self._coordinates(body, links.get(system.link_name(link), "") if body in self.length else "",
                              system.link_name(link) if body in self.length else "")

    def _length(self, link: str) -> Expression:
        (row,) = (row for row in self.n.system.rows if row.name == link)
        return self.n.show(row.value.arguments[1].arguments[1])

    def _coordinates(self, body: int, short: str, link: str) -> None:
        """Angles of a link, or positions of a free root, with their rates and second derivatives."""
        n, dimension = self.n, self.cluster.force.shape[0]
        if body not in self.length:
            for axis, c in zip(AXES, n.positions[self.name[body]], strict=False):
                if c.kind == "symbol":
                    own = n.show(c)
                    self.coordinates.append(own)
                    self._rename(f"{axis}_{self.label[body]}", own.name)
            return
        axis = "zxy"[int(self.cluster.charts[DIRECTION, body])]
        about = f"angle of {link} from the x axis" if dimension == 2 else f"azimuth of {link} about the {axis} axis"
        meanings = {"alpha": f"{about}, outward", "beta": f"angle of {link} from the {axis} axis"}
        for kind in ("alpha", "beta")[: dimension - 1]:
            own = n.new([f"{kind}_{short}"], meanings[kind], "rad", COORDINATE)
            for ending, what, unit, level in (("_dot", "rate", "rad/s", RATE),
                                              ("_ddot", "second derivative", "rad/s^2", UNKNOWN)):
                n.add(Quantity(own.name + ending, f"{what} of {own.name}", unit), level)
            self.coordinates.append(own)
            self._rename(f"{kind}_{self.label[body]}", own.name)

    def _rename(self, old: str, new: str) -> None:
        self.renamed.update({symbol(old + ending): symbol(new + ending) for ending in ("", "_dot", "_ddot")})

    def derivation(self) -> Derivation:
        n, places = self.n, self.positions()
        masses, M = self._masses()
        n.simple = n.simplifier()  # with these masses in front
        forces, F = self._forces(places)
        path = Grid(tuple(tuple(number(float(self._on_path(i, k))) for k in self.bodies) for i in self.bodies))
        where = [Line(n.show(c), n.simple(value)) for body in self.bodies
                 for c, value in zip(n.positions[self.name[body]], places[self.name[body]], strict=True)
                 if c.kind == "symbol" and n.show(c) is not value]
        loops = self._loops(places)
        rows = [Line(n.simple(self._left(row, M)), n.simple(self._right(row, F)) - total(
            n.simple(slope[k]) * gamma for gamma, slope, _ in loops)) for k, row in enumerate(self.expressions.rows)]
        closed = [Line(left, right) for _, _, (left, right) in loops]
        listed, bodies = (", ".join(names) for names in (
            [f"`{q.name}`" for q in self.coordinates], [self.name[body] for body in self.bodies]))
        return derivation(n, "scalar", _PRINCIPLE, coordinates=[q.name for q in self.coordinates], steps=[
            Step("Coordinates", f"{listed}, from the root outward. The rate of `x` is `x_dot`, its second derivative "
                                "`x_ddot`."),
            Step("Positions", "Each body is at the end of the links on its path from the root.", tuple(where)),
            Step("Path matrix", f"`P` has a row for each link and a column for each body ({bodies}): 1 where the link "
                 "is on the path from the root to the body.", (Line(named("P"), path),), essential=True),
            Step("Masses", "`M_ij`, the entries of `P m P^T`: the mass beyond both links.", tuple(masses),
                 essential=True),
            Step("Forces", "External forces on the bodies.", tuple(forces), essential=True),
            Step("Equations of motion", "One for each coordinate." + (
                " The forces `gamma` of links that close loops act along the derivatives of their lengths."
                if loops else ""), (*rows, *closed), essential=True, equations=True)])

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
                beyond = [k for k in self.bodies if self._on_path(i, k) and self._on_path(j, k)]
                if not beyond:
                    continue
                M[i, j] = M[j, i] = self.n.new([f"M_{self.short[i]}_{self.short[j]}"],
                                               f"mass beyond the links to {self.name[i]} and {self.name[j]}", "kg",
                                               first=True)
                lines.append(Line(M[i, j], total(self.mass[self.name[k]] for k in beyond)))
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
        for body in self.bodies:
            for axis, c in zip(AXES[: self.cluster.force.shape[0]], n.positions[self.name[body]], strict=False):
                value = n.simple(rebuild([n.show(n.system.applied[index[c.name]])], dict(moved))[0])
                own: Expression = ZERO
                if not value.is_zero:
                    own = n.new([f"F_{self.short[body]}_{axis}"], f"{axis} component of the force on {self.name[body]}",
                                "N")
                    lines.append(Line(own, value))
                F[symbol(f"F_{self.label[body]}_{axis}")] = own
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

    def _left(self, row: str, M: dict[tuple[int, int], Expression]) -> Expression:
        """Σ M_ij l_i l_j (Σ η q̈ + Σ μ q̇ q̇) of a row."""
        bodies = {str(label): body for body, label in self.label.items()}
        i, result = bodies[row.rpartition("_")[2]], ZERO
        for term in self.expressions.rows[row]:
            j = bodies[next(iter([*term.eta, *(b for b, _ in term.mu)])).rpartition("_")[2]]
            inside = total(eta * symbol(f"{b}_ddot") for b, eta in term.eta.items()) + total(
                (1.0 if b == c else 2.0) * mu * symbol(f"{b}_dot") * symbol(f"{c}_dot")
                for (b, c), mu in term.mu.items())
            weight = M[i, j] * self.length.get(i, ONE) * self.length.get(j, ONE)
            result = result + weight * rebuild([inside], dict(self.renamed))[0]
        return result

    def _right(self, row: str, F: dict[Expression, Scalar]) -> Expression:
        """Q of a row."""
        lengths = {symbol(f"c_{self.label[body]}"): length for body, length in self.length.items()}
        return rebuild([self.expressions.force[row]], {**self.renamed, **F, **lengths})[0]

    def _loops(
        self, places: dict[str, Vector],
    ) -> list[tuple[Expression, list[Expression], tuple[Expression, Expression]]]:
        """Of each link that closes a loop: its force, the derivatives of its length, and what holds it."""
        n, loops = self.n, []
        seconds, frame = [symbol(f"{q.name}_ddot") for q in self.coordinates], self._frame()
        for link in self.cluster.cuts[FORCE]:
            name = self.equations.system.link_name(int(link))
            (row,) = (row for row in n.system.rows if row.name == name)
            closing = rebuild([n.show(row.value)], dict(self._moved(places)))[0]
            gamma = n.new([f"gamma_{subscripts([*n.assembly.scene.link])[name]}"],  # type: ignore[union-attr]
                          f"force of {name}, tension positive", "N", UNKNOWN)
            slope = gradient(closing, self.coordinates)
            bend = -frame.rates(frame.rates([closing]))[0]
            loops.append((gamma, slope, (n.simple(dot(slope, seconds)), n.simple(bend))))
        return loops

