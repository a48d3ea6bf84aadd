"""scalar of rigid bodies as it is derived: path matrix, s = u + c + e and its derivatives, ζ, γ, T and Q (Vinogradov).

In 3-D the derivatives have names, so that the equations read as the document has them, T + Q = 0. In 2-D they are short
enough to be inserted: each equation is written out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from granum.algebra import Expression, symbol
from granum.algebra.expression import ZERO, Scalar, free_symbols, number, rebuild
from granum.algebra.polynomial import CONSTANT, COORDINATE, RATE, UNKNOWN
from granum.algebra.show import latex as latex_of
from granum.algebra.vectors import Vector, dot, times, total, vector
from granum.analytic.derivations.common import derivation, mass_beyond, named
from granum.analytic.derivations.derivation import Derivation, Grid, Line, Step
from granum.analytic.derivations.lengths import squared
from granum.analytic.derivations.notation import Notation, notation_of
from granum.analytic.derivations.quantities import Quantity, subscripts
from granum.analytic.scalar.cluster_equations import ClusterEquations
from granum.analytic.scalar.formulas import NOTHING, ClusterFormulas, Cut, Inline, Parts, kinds
from granum.loads.expressed import Acting, TablePoses, acting_loads
from granum.rows.body import Body
from granum.rows.joint import AXES, Joint
from granum.rows.symbolic import rate_name

_PRINCIPLE = (
    "Explicit scalar equations from the path matrix (Vinogradov). The mass centre of body `j` is at the end of "
    "`s_j = u_j + c_j + e_j`: `u_j` is fixed in the body before it, `c_j` is the link between the two, `e_j` is fixed "
    "in the body itself. D'Alembert's principle gives one equation `T + Q = 0` for each coordinate, with the "
    "generalised force of inertia `T` and the generalised force `Q`.")
_IN_SPACE = "`psi`, `theta` and `phi` are Euler angles, z-x-z"
_LETTERS = {
    "R": ("Orientation", COORDINATE, "", "entry {} of the rotation matrix of {}"),
    "u": ("Connecting vectors", COORDINATE, "m", "{} component of u, in the body before {}"),
    "c": ("Connecting vectors", COORDINATE, "m", "{} component of c, the link to {}"),
    "e": ("Connecting vectors", COORDINATE, "m", "{} component of e, in {}"),
    "b": ("Second derivatives", RATE, "m/s^2", "{} component of velocity terms in the second derivative of s of {}"),
    "zeta": ("Forces of inertia", UNKNOWN, "N", "{} component of zeta^T x_ddot of {}"),
    "gamma": ("Forces of inertia", RATE, "N", "{} component of gamma^T x_dot^2 of {}"),
    "omega": ("Rotation", RATE, "rad/s", "{} component of the angular velocity of {}, body axes"),
    "omega_dot": ("Rotation", UNKNOWN, "rad/s^2", "{} component of the angular acceleration of {}, body axes"),
    "L_dot": ("Rotation", UNKNOWN, "N m", "{} component of the rate of angular momentum of {}"),
    "F": ("Forces", RATE, "N", "{} component of the force on {}"),
    "moment": ("Forces", RATE, "N m", "{} component of the moment on {}, inertial axes"),
    "Q": ("Sums of forces", RATE, "N", "{} component of the force on {} and all bodies beyond it"),
    "d": ("Loops", COORDINATE, "m", "{} component of the vector from the mass centre of {} to the cut"),
    "s": ("Loops", COORDINATE, "m", "{} component of the chord of {}"),
    "s_dot": ("Loops", RATE, "m/s", "{} component of the rate of the chord of {}"),
}
"""Of each vector: the step that defines it, what kind of symbol its components are, their unit and meaning."""
_INSERTED = ("u", "c", "e", "b", "zeta", "gamma", "omega", "omega_dot", "L_dot", "Q", "d")
"""Vectors that have no names in 2-D."""
_TEXT = {"moment": "M"}
_DERIVATIVES = "First derivatives"


def of_cluster(equations: ClusterEquations) -> Derivation:
    """Vectors, their derivatives, masses, forces, and one equation for each coordinate."""
    return _Writer(equations).derivation()


class _Names(Inline):
    """Symbols for components of vectors, with a line that defines each."""

    def __init__(self, n: Notation, bodies: dict[int, str], cuts: list[str], planar: bool) -> None:
        self.n, self.bodies, self.cuts, self.planar = n, bodies, cuts, planar
        assert n.assembly is not None
        self.short = subscripts(n.assembly.scene.body)
        below = subscripts([*n.assembly.scene.link, *n.assembly.scene.constraint])
        self.cut_short = [below[name.partition(".")[0]] if name not in below else below[name] for name in cuts]
        self.lines: dict[str, list[Line]] = {}

    def define(self, step: str, name: str, value: Expression, meaning: str, unit: str, kind: int,
               latex: str = "") -> Expression:
        """A symbol for a value, unless it is short enough to stand for itself."""
        if _is_short(value):
            return value
        if name.removesuffix("_dot") in self.n.quantities:  # the rate of a symbol: its name is reserved with it
            own = self.n.add(Quantity(name, meaning, unit, latex=latex), kind)
        else:
            own = self.n.new([name], meaning, unit, kind, latex=latex)
        self.lines.setdefault(step, []).append(Line(own, value))
        return own

    def vector(self, letter: str, body: int, value: Vector, by: str = "") -> Vector:
        """Symbols of the components that are not zero."""
        if letter in ("r", "v"):
            return self._position(letter, body, value)
        letter, _, place = letter.partition(" ")
        if self.planar and letter in _INSERTED:
            return value
        step, kind, unit, meaning = _LETTERS[letter]
        loop = letter in ("s", "s_dot")
        owner = self.cuts[body] if loop else self.bodies[body]
        short = self.cut_short[body] if loop else self.short[owner]
        if place:
            short = f"{self.cut_short[int(place.partition('.')[0])]}_{short}"
        if letter == "R":
            found = [self.define(step, f"R_{short}_{axis}{by}", self.n.simple(c), meaning.format(axis + by, owner),
                                 unit, kind, _latex("R", short, axis + by))
                     for axis, c in zip(AXES, value, strict=True)]
            return found[0], found[1], found[2]
        angle = by.partition("_")[0]
        if by:
            step, meaning = step if place else _DERIVATIVES, f"derivative of {{}} component of {letter} of {{}} by {by}"
        stem, dotted = letter.removesuffix("_dot"), letter.endswith("_dot")
        found = []
        for axis, c in zip(AXES, value, strict=True):
            parts = [_TEXT.get(stem, stem), short, *([angle] if angle else []), axis]
            found.append(self.define(step, "_".join(parts) + "_dot" * dotted, self.n.simple(c),
                                     meaning.format(axis, owner), unit, kind,
                                     _latex(_TEXT.get(stem, stem), short, axis, angle, dotted)))
        return found[0], found[1], found[2]

    def _position(self, letter: str, body: int, value: Vector) -> Vector:
        """Positions and velocities have the symbols of rectangular coordinates."""
        found = []
        for c, own in zip(value, self.n.positions[self.bodies[body]], strict=True):
            shown = self.n.simple(c)
            if _is_short(shown) or own.kind != "symbol":
                found.append(shown)
                continue
            name = self.n.show(own).name
            found.append(symbol(name if letter == "r" else rate_name(name)))
            self.lines.setdefault("Positions" if letter == "r" else "Velocities", []).append(Line(found[-1], shown))
        return found[0], found[1], found[2]

    def scalar(self, letter: str, body: int, value: Expression, part: str = "") -> Expression:
        """M_ij."""
        i, j = (self.short[self.bodies[k]] for k in (body, int(part)))
        one, two = self.bodies[body], self.bodies[int(part)]
        own = self.n.new([f"{letter}_{i}_{j}"], mass_beyond(one, two), "kg", first=True)
        self.lines.setdefault("Masses", []).append(Line(own, value))
        return own

    def measures(self, loads: Acting, table: Mapping[Expression, Scalar]) -> dict[int, dict[Expression, Scalar]]:
        """The vector between the ends of each spring, its length, the rate of that, and its tension."""
        assert self.n.assembly is not None
        by_load, short = dict[int, dict[Expression, Scalar]](), subscripts(self.n.assembly.scene.load)
        for load, number_of_load, measure, rate, effort in loads.measures:
            if measure.kind != "sqrt":
                continue
            own, names = f"d_{short.get(load, load)}", by_load.setdefault(number_of_load, {})
            for axis, part in zip(AXES, squared(measure.arguments[0]), strict=False):
                names[part] = self.define("Springs", f"{own}_{axis}", self.n.simple(rebuild([part], dict(table))[0]),
                                          f"{axis} component of the vector between the ends of {load}", "m", COORDINATE)
            for node, name, meaning, unit, kind in (
                    (measure, own, f"distance of the ends of {load}", "m", COORDINATE),
                    (rate, f"{own}_dot", f"rate of the distance of the ends of {load}", "m/s", RATE),
                    (effort, f"S_{short.get(load, load)}", f"tension of {load}", "N", RATE)):
                if not node.is_zero:
                    value = rebuild([node], {**table, **names})[0]
                    names[node] = self.define("Springs", name, self.n.shorter(value), meaning, unit, kind)
        return by_load


class _NamedPoses(TablePoses):
    """Poses of a table of bodies whose masses are symbols."""

    def __init__(self, n: Notation, bodies: list[Body], planar: bool) -> None:
        super().__init__(bodies, planar)
        self.constants = n.constants

    def masses(self) -> Iterable[tuple[Expression, Vector]]:
        """Masses as symbols."""
        return ((self.constants.mass(body), self.pose(body).position) for body in self.bodies)

    def hinge_angle(self, joint: Joint) -> Expression:
        """The angle of a hinge, with the angle at the start as a symbol."""
        return super().hinge_angle(self.constants.joint(joint))


class _Writer:
    """The formulas of a cluster in the notation of its scene."""

    def __init__(self, equations: ClusterEquations) -> None:
        self.equations, self.cluster, self.layout = equations, equations.cluster, equations.layout
        self.n, self.planar = notation_of(equations), equations.planar
        assembly = equations.assembly
        assert assembly is not None
        self.assembly = assembly
        self.bodies = [int(body) for body in self.cluster.outward]
        self.rows = self.layout.row_names(assembly.dimension)
        cuts = [cut.joint.name for cut, _ in self.layout.cut_rows(assembly.dimension)]
        self.names = _Names(self.n, dict(enumerate(self.layout.names)), cuts, self.planar)
        parts = self._parts()
        self.n.simple = self.n.simplifier()
        loads = acting_loads([self.n.constants.load(load) for load in assembly.loads],
                             _NamedPoses(self.n, assembly.rows.bodies, self.planar))
        self.formulas = ClusterFormulas(
            self.cluster, parts, loads,
            {body.index: self.layout.names.index(body.name) for body in assembly.rows.bodies}, self.names)
        if self.formulas.masses:
            self.n.simple = self.n.simplifier()  # with the masses in front

    # ---- constants and coordinates

    def _parts(self) -> Parts:
        n, assembly = self.n, self.assembly
        bodies = {k: assembly.bodies[name] for k, name in enumerate(self.layout.names) if name not in assembly.fixed}
        length: dict[int, Expression] = dict.fromkeys(self.bodies, ZERO)
        u: dict[int, Vector] = dict.fromkeys(self.bodies, NOTHING)
        e = dict(u)
        for k, connection in self.layout.tree.items():
            ends, far = self._arms(connection.joint), self.layout.outer_end(k)
            u[k], e[k] = ends[1 - far], times(-1.0, ends[far])
            if connection.length > 0.0:
                own = f"c_{self.names.short[self.layout.names[k]]}"
                quantity = Quantity(n.names.fresh(own), f"length of {connection.joint.name}", "m", connection.length)
                length[k] = n.add(quantity, CONSTANT)
        cuts = []
        for cut, axis in self.layout.cut_rows(assembly.dimension):
            size = n.constants.joint(cut.joint).rows[0].offset if axis < 0 else ZERO
            cuts.append(Cut(cut.ends, self._arms(cut.joint), size, axis))  # type: ignore[arg-type]
        return Parts(
            {k: self._coordinates(k) for k in self.bodies}, {k: n.constants.mass(body) for k, body in bodies.items()},
            {k: n.constants.inertia(body) for k, body in bodies.items() if body.rotates},  # type: ignore[misc]
            length, u, e, {k: vector(n.constants.position(name, assembly.fixed[name].tolist()))
                           for k, name in enumerate(self.layout.names) if name in assembly.fixed}, cuts)

    def _arms(self, joint: Joint) -> tuple[Vector, Vector]:
        """Points of the two bodies of a joint, in their axes; zero at a fixed point."""
        given = self.n.constants.joint(joint)
        one, two = (NOTHING if end.body.kind == "ground" else vector(tuple(end.arm)) for end in (given.one, given.two))
        return one, two

    def _coordinates(self, body: int) -> list[str]:
        """Symbols of the coordinates of a body, with their rates and second derivatives."""
        n, name = self.n, self.layout.names[body]
        short, listed = self.names.short[name], []
        rectangular = {axis: c for axis, c in zip(AXES, n.positions[name], strict=True) if c.kind == "symbol"}
        for kind in kinds(self.cluster, body):
            if kind in AXES:
                listed.append(n.show(rectangular[kind]).name)
                continue
            if self.planar and kind == "phi":
                (angle,) = (q for q, own in zip(n.q, n.system.coordinates, strict=True)
                            if own == f"{name.replace('-', '_')}.angle")
                listed.append(angle.name)
                continue
            own = n.new([f"{kind}_{short}"], self._meaning(kind, body), "rad", COORDINATE)
            for ending, what, unit, level in (("_dot", "rate", "rad/s", RATE),
                                              ("_ddot", "second derivative", "rad/s^2", UNKNOWN)):
                n.add(Quantity(own.name + ending, f"{what} of {own.name}", unit), level)
            listed.append(own.name)
        return listed

    def _meaning(self, kind: str, body: int) -> str:
        name = self.layout.names[body]
        if kind in ("alpha", "beta"):
            link = self.layout.tree[body].joint.name
            if self.planar:
                return f"angle of {link} from the x axis, outward"
            return f"azimuth of {link} about the z axis, outward" if kind == "alpha" else (
                f"angle of {link} from the z axis")
        about = {"psi": "about the z axis", "theta": "about the line of nodes", "phi": "about its own z axis"}
        return f"Euler angle of {name} {about[kind]}"

    # ---- steps

    def derivation(self) -> Derivation:
        """All steps; only what the equations need is listed."""
        n, formulas = self.n, self.formulas
        equations = self._equations()
        needed = self._needed(equations)
        listed, bodies = (", ".join(names) for names in (
            [f"`{name}`" for name in formulas.coordinates], [self.layout.names[k] for k in self.bodies]))
        path = Grid(tuple(tuple(number(float(i in formulas.path(k))) for k in self.bodies) for i in self.bodies))
        steps = [
            Step("Coordinates", f"{listed}, from the root outward{'' if self.planar else '; ' + _IN_SPACE}."),
            Step("Path matrix", f"`P` has a row for each vector `s_j` and a column for each body ({bodies}): 1 where "
                 "`s_j` is on the path from the root to the body.", (Line(named("P"), path),), essential=True)]
        for heading, prose in _PROSE.items():
            lines = tuple(line for line in self.names.lines.get(heading, []) if line.left in needed)
            if lines:
                steps.append(Step(heading, prose, lines, essential=True))
        held = " Links and joints that close loops pull with the forces `f`; the last equations keep them closed."
        prose = ("One for each coordinate, `-T = Q` written out." if self.planar else
                 "One for each coordinate: the force of inertia `T`, the generalised force `Q`, and `T + Q = 0`.")
        steps.append(Step("Equations of motion", prose + (held if self.rows else ""), tuple(equations), essential=True,
                          equations=True))
        return derivation(n, "scalar", _PRINCIPLE, coordinates=formulas.coordinates, steps=steps)

    def _needed(self, equations: list[Line]) -> set[Expression]:
        """Symbols that the equations use, with those that their definitions use."""
        lines = {line.left: line for step in self.names.lines.values() for line in step}
        waiting = [e for line in equations for e in line.expressions]
        needed: set[Expression] = set()
        while waiting:
            for name in map(symbol, free_symbols([waiting.pop()])):
                if name in lines and name not in needed:
                    needed.add(name)
                    waiting += lines[name].expressions
        return needed

    def _equations(self) -> list[Line]:
        formulas, n = self.formulas, self.n
        pulls, closing = self._loops()
        lines = []
        for name in formulas.coordinates:
            pull = total(force * slopes[name] for force, slopes in pulls if name in slopes)
            left, right = formulas.left(name), formulas.right(name)
            if self.planar:
                lines.append(Line(n.simple(total(left)), n.simple(right) - pull))
                continue
            below = latex_of(symbol(name))
            T, Q = (n.new([f"{letter}_{name}"], f"generalised {what} of {name}", _unit(name), level,
                          latex=f"{letter}_{{{below}}}")
                    for letter, what, level in (("T", "force of inertia", UNKNOWN), ("Q", "force", RATE)))
            lines += [Line(T, total(-term for term in left)), Line(Q, right), Line(T + Q - pull, ZERO)]
        return lines + closing

    def _loops(self) -> tuple[list[tuple[Expression, dict[str, Expression]]], list[Line]]:
        """Of each row that closes a loop: its force with the slopes of its chord, and what keeps it closed."""
        n, pulls, closing = self.n, [], []
        for row, (chord, name) in enumerate(zip(self.formulas.chords, self.rows, strict=True)):
            tension = self.formulas.parts.cuts[row].axis < 0
            short = self.names.cut_short[row] + ("" if tension else f"_{name.rpartition('.')[2]}")
            force = n.new([f"f_{short}"], f"force of {name}, tension positive" if tension else
                          f"force of the joint {name} that keeps its ends together", "N", UNKNOWN)
            slopes = {q: self.names.define(
                "Loops", f"G_{short}_{q}", n.simple(value), f"derivative of {name} by {q}", "", COORDINATE)
                for q, value in chord.slopes.items() if not n.simple(value).is_zero}
            pulls.append((force, slopes))
            seconds = [symbol(f"{q}_ddot") for q in slopes]
            closing.append(Line(dot(list(slopes.values()), seconds), n.simple(chord.right)))
        return pulls, closing


_PROSE = {
    "Masses": "`M_ij = sum m_k p_ik p_jk`: the mass beyond both links.",
    "Orientation": "Body axes in inertial axes.",
    "Connecting vectors": "`s_j = u_j + c_j + e_j`, component by component.",
    _DERIVATIVES: "Of `u`, `c` and `e` by the angles on which they depend: an angle about an axis `n` gives `n x e`.",
    "Second derivatives": "Of `s_j`, times products of rates.",
    "Positions": "Of mass centres: the sum of `s_j` along the path.",
    "Velocities": "Of mass centres.",
    "Springs": "Vectors `d` between the ends of springs, their lengths, the rates of these, and the tensions `S`.",
    "Forces": "External forces and moments on the bodies.",
    "Sums of forces": "`Q_i = sum p_ik F_k`: on each body and all beyond it.",
    "Forces of inertia": "`zeta_i^T x_ddot` and `gamma_i^T x_dot^2`, summed over all `s_j` on one path with `s_i`.",
    "Rotation": "Angular velocity, angular acceleration, and `L_dot = I omega_dot + omega x I omega`, in body axes.",
    "Loops": "Chords `s` of the cuts, and the derivatives `G` of what the cuts keep.",
}
"""Steps in their order."""


def _unit(coordinate: str) -> str:
    return "N" if coordinate.partition("_")[0] in AXES else "N m"


def _is_short(value: Expression) -> bool:
    """A number, or a symbol with or without a sign."""
    inner = value.arguments[0] if value.kind == "neg" else value
    return inner.kind in ("number", "symbol")


def _latex(letter: str, short: str, axis: str, angle: str = "", dotted: bool = False) -> str:
    r"""e_{1,\psi}^{x} in braces, so that it can be squared."""
    base = latex_of(symbol(letter))
    below = ",".join(latex_of(symbol(part)) for part in (*short.split("_"), *([angle] if angle else [])))
    base = rf"\dot{{{base}}}" if dotted else base
    return f"{{{base}_{{{below}}}^{{{axis}}}}}"
