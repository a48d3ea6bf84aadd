"""Notation of one derivation: a system with named constants, short names of its coordinates, and what they all mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from granum.algebra import Expression, along, function, gradient, symbol
from granum.algebra.expression import Scalar, rebuild, walk
from granum.algebra.polynomial import CONSTANT, COORDINATE, RATE, UNKNOWN, Simplifier
from granum.algebra.show import text
from granum.algebra.vectors import Vector, total
from granum.analytic.build import build_named
from granum.analytic.constants import Constants
from granum.analytic.derivations.definitions import DefinedSystem, by_definitions
from granum.analytic.derivations.derivation import Line
from granum.analytic.derivations.lengths import spring_lengths
from granum.analytic.derivations.quantities import Names, Quantity, subscripts
from granum.analytic.derivations.symbols import NamedConstants, alone
from granum.analytic.expressed import System
from granum.analytic.expressed_parts import Row
from granum.analytic.named_measures import pole_of
from granum.assembly.assembly import Assembly
from granum.rows.joint import AXES
from granum.rows.symbolic import multiplier, rate_name
from granum.rows.system import symbol_name

if TYPE_CHECKING:
    from granum.analytic.result import Equations


_NAME = re.compile(r"(?<![\w^])([A-Za-z][A-Za-z0-9]*)(_d?dot)?(?!\w)")
"""A name in a formula of a sentence, and the dots on it."""
_SLOPE = re.compile(r"(?<!\w)d([A-Za-z]+)/d(\(?)([A-Za-z]+)(?=_d?dot\)|(?!\w))")
"""A derivative in such a formula: of what, and by what."""


class Notation:
    """Symbols of a derivation.

    Expressions of `system` become those of the derivation by `show`, and are simplified by `simple`. `held` names
    joints that chosen coordinates satisfy in every position.
    """

    def __init__(self, system: System, names: Names, constants: Sequence[Quantity],
                 coordinates: Sequence[Quantity], assembly: Assembly | None = None,
                 positions: dict[str, Vector] | None = None, held: Sequence[str] = (),
                 named: NamedConstants | None = None) -> None:
        self.system, self.names, self.assembly, self.held, self.named = system, names, assembly, held, named
        self.constants = Constants() if named is None else named
        """Of a scene: its masses, lengths, points and loads by name."""
        self.positions = positions or {}
        """Of bodies, in symbols of the system."""
        self._letters: dict[str, str] = {}
        self.quantities: dict[str, Quantity] = {"t": Quantity("t", "time", "s")}
        self._kinds: dict[str, int] = {}
        self._order: list[str] = []
        for quantity in constants:
            self.add(quantity, CONSTANT)
        self.q, self.v, self.a = self._coordinates(coordinates)
        self._renamed: dict[Expression, Scalar] = dict(zip((*system.q, *system.v), (*self.q, *self.v), strict=True))
        self.multipliers = [self._multiplier(row) for row in system.rows]
        self._renamed.update({multiplier(row.constraint, row.number): own
                              for row, own in zip(system.rows, self.multipliers, strict=True)})
        self.definitions = system.definitions if isinstance(system, DefinedSystem) else None
        """Of a system of formulas, what its author defined and kept as symbols."""
        self.take_definitions()
        self.simple = self.simplifier()
        self.lengths: list[Line] = []
        """What the lengths of springs are, once something that is shown has them."""
        self._measured: dict[Expression, Scalar] | None = None

    def take_definitions(self) -> None:
        """Give symbols of definitions, and of their derivatives so far, a meaning."""
        for own, meaning in () if self.definitions is None else self.definitions.meanings.items():
            if own.name not in self.quantities:
                self.add(Quantity(own.name, meaning), COORDINATE)

    def simplifier(self, squares: Mapping[str, Expression] | None = None) -> Simplifier:
        """What simplifies expressions of the derivation, with squares that the constraints give."""
        return Simplifier(lambda name: self._kinds.get(name, CONSTANT), self._order, squares)

    def _named_lengths(self) -> dict[Expression, Scalar]:
        """d of each spring, with a symbol for each difference of coordinates in it."""
        named = dict[Expression, Scalar]()
        for name, short, root, parts in spring_lengths(self.system, self.assembly):
            own = list[Expression]()
            for axis, part in zip(AXES, parts, strict=False):
                value = self.simple(rebuild([part], self._renamed)[0])
                if value.kind != "symbol":
                    line = Line(self.new([f"d_{short}_{axis}"], f"{axis} component of the vector between the ends of "
                                         f"{name}", "m", COORDINATE), value)
                    self.lengths.append(line)
                    named[part] = value = line.expressions[0]
                own.append(value)
            length = named[root] = self.new([f"d_{short}"], f"distance between the ends of {name}", "m", COORDINATE)
            self.lengths.append(Line(length, function("sqrt", total(value**2 for value in own))))
        return named

    def move_lengths(self, moved: Mapping[Expression, Scalar]) -> None:
        """Write the lengths of springs by other coordinates."""
        self.lengths = [Line(line.left, self.simple(rebuild(line.expressions[1:], dict(moved))[0]))
                        for line in self.lengths]

    def _coordinates(self, listed: Sequence[Quantity]) -> tuple[list[Expression], list[Expression], list[Expression]]:
        q = [self.add(quantity, COORDINATE) for quantity in listed]
        rates = [Quantity(f"{one.name}_dot", f"rate of {one.name}", _per_second(one.unit)) for one in listed]
        seconds = [Quantity(f"{one.name}_ddot", f"second derivative of {one.name}", _per_second(rate.unit))
                   for one, rate in zip(listed, rates, strict=True)]
        return q, [self.add(rate, RATE) for rate in rates], [self.add(second, UNKNOWN) for second in seconds]

    def add(self, quantity: Quantity, kind: int, first: bool = False) -> Expression:
        """A further symbol; products have it last of its kind, or `first` in simplifiers made from now on."""
        self.quantities[quantity.name] = quantity
        self._kinds[quantity.name] = kind
        self._order.insert(0 if first else len(self._order), quantity.name)
        return symbol(quantity.name)

    def new(self, wanted: Sequence[str], meaning: str, unit: str = "", kind: int = CONSTANT, *,
            latex: str = "", first: bool = False) -> Expression:
        """A further symbol by the first of some names that is free."""
        return self.add(Quantity(self.names.fresh(*wanted), meaning, unit, latex=latex), kind, first)

    def letter(self, name: str) -> str:
        """What stands for a quantity of the theory, as M for the mass matrix: another name where the user has this."""
        if name not in self._letters:
            self._letters[name] = self.names.fresh(name, f"{name}_sys")
        return self._letters[name]

    def call(self, letter: str, name: str) -> None:
        """Let prose write a name for a letter of the theory."""
        self._letters[letter] = name

    def lettered(self, prose: str) -> str:
        """A sentence whose formulas have the letters that are in use."""
        other = {name: used for name, used in self._letters.items() if used != name}
        parts = prose.split("`")
        for k in range(1, len(parts), 2):
            parts[k] = _SLOPE.sub(lambda found: f"d{other.get(found[1], found[1])}/d{found[2]}"
                                  f"{other.get(found[3], found[3])}", parts[k])
            parts[k] = _NAME.sub(lambda found: other.get(found[1], found[1]) + (found[2] or ""), parts[k])
        return "`".join(parts)

    def _multiplier(self, row: Row) -> Expression:
        """λ of a row; that of a link is its force, against the tension."""
        short, own = self.row_names()[row.name], multiplier(row.constraint, row.number)
        tension = any(formula is -own for constraint in self.system.constraints if constraint.name == row.constraint
                      for _, formula in constraint.meaning)
        what = f"multiplier of {row.name}, minus its tension" if tension else f"multiplier of {row.constraint}" + (
            f", row {row.number + 1}" if row.name != row.constraint else "")
        return self.new([f"lambda_{short}", f"lambda_row_{short}"], what, "N" if tension else "", UNKNOWN)

    def row_names(self) -> dict[str, str]:
        """Rows by what stands for them below a letter."""
        return subscripts(row.name for row in self.system.rows)

    def show(self, expression: Expression) -> Expression:
        """An expression of the system in symbols of the derivation, lengths of springs by name."""
        if any(node.kind == "sqrt" for node in walk([expression])):
            if self._measured is None:
                self._measured = self._named_lengths()
            if any(node in self._measured for node in walk([expression]) if node.kind == "sqrt"):
                return rebuild([expression], {**self._renamed, **self._measured})[0]
        return rebuild([expression], self._renamed)[0]

    def shown(self, expression: Expression) -> Expression:
        """An expression of the system in symbols of the derivation, simplified."""
        return self.simple(self.show(expression))

    def shorter(self, expression: Expression) -> Expression:
        """An expression of the derivation as it is or simplified, whichever is shorter."""
        return min(expression, self.simple(expression), key=lambda one: len(text(one)))

    def rate(self, expression: Expression) -> Expression:
        """d/dt of an expression of the derivation, with second derivatives of the coordinates."""
        return along([expression], {**dict(zip(self.v, self.a, strict=True)), **self.motion([expression])})[0]

    def motion(self, formulas: Sequence[Expression]) -> dict[Expression, Scalar]:
        """How coordinates, time and definitions change along the motion."""
        direction: dict[Expression, Scalar] = {**dict(zip(self.q, self.v, strict=True)), symbol("t"): 1.0}
        return direction if self.definitions is None else {**direction, **self.definitions.motion(formulas)}

    def slopes(self, expression: Expression) -> list[Expression]:
        """Derivatives of an expression of the derivation by the coordinates."""
        return gradient(expression, self.q) if self.definitions is None else self.definitions.slopes(expression)


def notation_of(equations: Equations) -> Notation:
    """The notation of equations: of the scene that they come from, or of their system of formulas."""
    assembly = equations.assembly
    if assembly is None:
        return notation_of_formulas(equations.system)  # type: ignore[attr-defined]
    given = assembly.scene.system
    names = Names([*given.parameters, *given.coordinates, *given.definitions,
                   *(rate_name(name) for name in (*given.coordinates, *given.definitions))])
    constants = NamedConstants(assembly, names, _LETTERS.get(equations.formulation))
    built = build_named(assembly, constants, _chosen(equations))
    own = [Quantity(name, "parameter of the scene", value=given.parameters[name])
           for name in sorted(given.parameters, key=_parameter_order)]
    coordinates = [coordinate_quantity(name, assembly, constants, given.coordinates)
                   for name in built.system.coordinates]
    ordered = sorted(constants.quantities, key=lambda one: _CONSTANT_ORDER.find(one.name[0]) % 99)
    return Notation(by_definitions(built.system, assembly.scene, names), names, [*own, *ordered], coordinates, assembly,
                    built.positions, built.held, constants)


def _chosen(equations: Equations) -> Sequence[str]:
    """Coordinates that equations are derived in by choice; none by default."""
    system = getattr(equations, "system", None)
    return system.eliminated.names if isinstance(system, System) and system.eliminated is not None else ()


_OF_JOINTS = {"angle": ("theta", "angle", "rad"), "displacement": ("s", "displacement", "m"),
              "azimuth": ("alpha", "azimuth", "rad"), "elevation": ("beta", "elevation", "rad")}
"""Letter, meaning and unit of coordinates that joints measure."""
_LETTERS = {"gibbs-appell": {"J": "I", "r": "a", "alpha": "p"}, "newton-euler": {"alpha": "alpha_P"}}
"""Letters of formulations whose source has others than Udwadia and Mogharabin."""
_CONSTANT_ORDER = "mIgkclrpxyz"
"""Letters in the order in which products have them; others come last."""


def _parameter_order(name: str) -> int:
    """Of parameters that the user names, products have masses and moments of inertia first, then g, as with bodies."""
    return 0 if re.fullmatch(r"[mMIJ](\d+|_\w+)?", name) else 2 - (name == "g")


def notation_of_formulas(system: System) -> Notation:
    """The notation of a system of formulas: its own names."""
    names = Names([*system.parameters, *system.coordinates, *map(rate_name, system.coordinates)])
    own = [Quantity(name, "parameter of the system", value=system.parameters[name])
           for name in sorted(system.parameters, key=_parameter_order)]
    return Notation(system, names, own, [Quantity(name, "coordinate") for name in system.coordinates])


def coordinate_quantity(name: str, assembly: Assembly, constants: NamedConstants, own: Sequence[str]) -> Quantity:
    """What a coordinate of a scene is called in a derivation, and what it means."""
    names = constants.names
    if name in own:
        return Quantity(name, "coordinate")
    owner, _, last = name.rpartition(".")
    owner, _, point = owner.partition(".")
    bodies = {symbol_name(body): body for body in assembly.scene.body}
    body = bodies.get(owner, owner)
    single = body == alone(assembly)
    below = "" if single else subscripts(assembly.scene.body).get(body, owner)
    tail = f"{below}_{point}" if point else below
    if point in _POINTS:
        letter, what = _POINTS[point]
        letter, k = constants.letters.get(letter, letter), AXES.index(last) + 1
        return Quantity(names.fresh(f"{letter}_{k}" if single else f"{letter}_{below}_{k}"),
                        f"{last} of {what.format(body)}", "m")
    if last in AXES and single:
        return Quantity(names.fresh(f"{last}_C"), f"{last} of the mass centre of {body}", "m")
    if last in AXES:
        what = f"{last} of {body}" if not point else f"{last} of the {point} point of {body}"
        rotates = body in assembly.bodies and assembly.bodies[body].kind == "rigid" and not point
        return Quantity(names.fresh(f"{last}_{tail}", f"{last}_{owner}"),
                        f"{last} of the mass centre of {body}" if rotates else what, "m")
    if last == "angle" and body in assembly.bodies:
        return Quantity(names.fresh(f"phi_{tail}", f"phi_{owner}"), f"angle of {body} from the x axis", "rad")
    if last in _OF_JOINTS:
        letter, what, unit = _OF_JOINTS[last]
        joint = next((one for one in assembly.joints if symbol_name(one.name) == owner), None)
        if joint is not None and joint.length is not None:
            turns = f"{last} of the link {joint.name}, tail to head" if assembly.dimension == 3 else (
                f"angle of the link {joint.name} from the x axis, tail to head")
            about = f", about the {AXES[pole_of(joint)]} axis" if assembly.dimension == 3 else ""
            below = subscripts(assembly.scene.link)[joint.name]
            return Quantity(names.fresh(f"{letter}_{below}", f"{letter}_{owner}"), turns + about, "rad")
        name = owner if joint is None else joint.name
        kind = "hinge" if joint is None else joint.kind
        return Quantity(names.fresh(f"{'phi' if last == 'angle' else letter}_{owner}"),
                        f"{what} of the {kind} {name} since the start", unit)
    return Quantity(names.fresh(f"u_{last[1:]}" if single else f"u_{tail}_{last[1:]}"),
                    f"component {last[1:]} of the quaternion of {body}", "")


_POINTS = {"contact": ("alpha", "the point of contact of {}"), "centre": ("beta", "the geometric centre of {}")}
"""Letters of the massless points of a body that rolls."""


def _per_second(unit: str) -> str:
    return {"": "", "m": "m/s", "m/s": "m/s^2", "rad": "rad/s", "rad/s": "rad/s^2"}[unit]

