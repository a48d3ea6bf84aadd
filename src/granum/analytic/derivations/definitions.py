"""Systems of formulas in which definitions of the user stay symbols: s, with s_alpha for its derivative by alpha.

Inserted in the energies and constraints, the definitions of a rolling stone make lines of many pages. As symbols that
depend on the coordinates they are differentiated by the chain rule, and each has a line of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from granum.algebra import Expression, along, gradient, symbol
from granum.algebra.expression import ZERO, Scalar, free_symbols, rebuild
from granum.algebra.polynomial import CONSTANT, COORDINATE, RATE, Simplifier
from granum.algebra.show import text
from granum.algebra.vectors import total
from granum.analytic.derivations.quantities import Names
from granum.analytic.expressed import System
from granum.analytic.expressed_parts import Formula
from granum.model.scene import Scene
from granum.rows.symbolic import rate_name

if TYPE_CHECKING:
    from granum.model.connections import FormulaConstraint

_SHORT = 14
"""Signs of a derivative, or of a part of a velocity, that needs no name."""


class Definitions:
    """What symbols of definitions are, and how they change with the coordinates."""

    def __init__(self, system: System, given: Iterable[str], names: Names) -> None:
        self.q, self.v, self._names = system.q, system.v, names
        self.formulas: dict[Expression, Expression] = {}
        """Each symbol and what it is, by coordinates, parameters and earlier symbols."""
        self.meanings: dict[Expression, str] = {}
        self._slopes: dict[tuple[Expression, tuple[int, ...]], Expression] = {}
        self._of: dict[Expression, tuple[Expression, tuple[int, ...]]] = {}
        kinds = {**dict.fromkeys(system.parameters, CONSTANT), **{v.name: RATE for v in system.v}}
        self._simple = Simplifier(lambda name: kinds.get(name, COORDINATE), [
            *system.parameters, *system.coordinates, *given])

    def add(self, name: str, formula: Expression) -> Expression:
        """A definition that depends on coordinates alone."""
        return self._add(symbol(name), formula, (symbol(name), ()), f"definition of the scene, {name}")

    def _add(self, own: Expression, formula: Expression, key: tuple[Expression, tuple[int, ...]], meaning: str,
             ) -> Expression:
        self.formulas[own], self._of[own], self.meanings[own] = formula, key, meaning
        return own

    def velocity(self, name: str, formula: Expression) -> Expression:
        """A definition with rates: linear in them, with a symbol for what each of them adds; any other as it is."""
        parts = [self._simple(part) for part in gradient(formula, self.v)]
        if free_symbols(parts) & {v.name for v in self.v} or not self._simple(
                rebuild([formula], dict.fromkeys(self.v, ZERO))[0]).is_zero:
            return formula
        return total(self._part(name, i, part) * v for i, (part, v) in enumerate(zip(parts, self.v, strict=True)))

    def _part(self, name: str, i: int, part: Expression) -> Expression:
        if len(text(part)) <= _SHORT:
            return part
        own = symbol(self._names.fresh(f"{name}_{self.q[i].name}", f"{name}_per_{self.q[i].name}"))
        return self._add(own, part, (own, ()), f"part of {name} per unit of {self.v[i].name}")

    def slope(self, own: Expression, i: int) -> Expression:
        """The derivative of a symbol by coordinate i: a symbol, or what it is where that is short."""
        base, before = self._of[own]
        return self._derivative(base, tuple(sorted((*before, i))))

    def _derivative(self, base: Expression, order: tuple[int, ...]) -> Expression:
        """By coordinates in their order, so that mixed derivatives are the same whichever comes first."""
        if not order:
            return base
        key = base, order
        if key not in self._slopes:
            inner = self._derivative(base, order[:-1])
            what = self.formulas[inner] if self._of.get(inner) == (base, order[:-1]) else inner
            slope = self.slopes(what)[order[-1]]
            value = self._simple(rebuild([slope], {what: inner})[0])  # that of a root √E by the root itself
            if len(text(value)) > _SHORT:
                by = [self.q[i].name for i in order]
                made = symbol(self._names.fresh("_".join([base.name, *by])))
                value = self._add(made, value, key, f"derivative of {base.name} by {' and '.join(by)}")
            self._slopes[key] = value
        return self._slopes[key]

    def base(self, own: Expression) -> Expression:
        """The definition whose derivative a symbol is."""
        return self._of[own][0]

    def slopes(self, formula: Expression) -> list[Expression]:
        """Derivatives of a formula by the coordinates, by the chain rule."""
        named = self._in([formula])
        parts = gradient(formula, [*self.q, *named])
        n = len(self.q)
        return [total([own, *(part * self.slope(one, i) for one, part in zip(named, parts[n:], strict=True)
                              if not part.is_zero)]) for i, own in enumerate(parts[:n])]

    def motion(self, formulas: Sequence[Expression]) -> dict[Expression, Scalar]:
        """The rates of the symbols in some formulas."""
        return {own: total(self.slope(own, i) * v for i, v in enumerate(self.v)) for own in self._in(formulas)}

    def written(self, system: System, formulas: Iterable[Expression] = ()) -> int:
        """Signs of M, Q, A and b of a system, and of further formulas."""
        entries = [*(entry for row in system.mass_formulas for entry in row), *system.force_formulas,
                   *(entry for row in system.rows for entry in (*row.A, row.b))]
        return sum(len(text(self._simple(entry))) for entry in entries) + sum(map(len, map(text, formulas)))

    def _in(self, formulas: Sequence[Expression]) -> list[Expression]:
        return [own for own in map(symbol, sorted(free_symbols(formulas))) if own in self.formulas]


class DefinedSystem(System):
    """A system of formulas by the symbols of its definitions."""

    definitions: Definitions

    def rates(self, formulas: Sequence[Expression]) -> list[Expression]:
        """d/dt along the motion."""
        return along(formulas, {**self._direction, **self.definitions.motion(formulas)})

    def slopes(self, formula: Expression, by: Sequence[Expression]) -> list[Expression]:
        """Derivatives by the coordinates."""
        assert by is self.q
        return self.definitions.slopes(formula)


def by_definitions(system: System, scene: Scene, names: Names) -> System:
    """The system with its definitions as symbols, where that is shorter than with them inserted.

    It stays as it is where there are none, where they depend on time, or where there is more than energies, forces and
    constraints that are formulas of the scene.
    """
    given = scene.system
    # without bodies, frictions and invariants all constraints are formulas
    entries = cast("list[FormulaConstraint]", list(scene.constraint.values()))
    values = [system.defined[symbol(name)] for name in given.definitions]
    if not values or "t" in free_symbols([one for one in values if isinstance(one, Expression)]) or given.mass or (
            system.bodies or system.loads or system.frictions or any(c.invariant for c in system.constraints)):
        return system
    made = DefinedSystem.__new__(DefinedSystem)
    vars(made).update(vars(system.copied()))
    made.definitions = Definitions(system, given.definitions, names)
    read = _reader(system, given.definitions, made.definitions)
    made.kinetic = made.bodiless = read(given.kinetic)
    made.potential = made.own_potential = read(given.potential)
    made.forces = made.own_forces = tuple(read(given.forces.get(name, 0.0)) for name in system.coordinates)
    made.constraints = tuple(replace(constraint, rows=tuple(map(read, entry.rows)))
                             for constraint, entry in zip(system.constraints, entries, strict=True))
    definitions = made.definitions
    return made if definitions.written(made, definitions.formulas.values()) < definitions.written(system) else system


def _reader(system: System, given: Mapping[str, Formula], definitions: Definitions) -> Callable[[Formula], Expression]:
    """What reads formulas of a scene by the symbols of its definitions, one after the other."""
    rates = {v.name for v in system.v}
    wide = System(system.coordinates, parameters=system.parameters, kinetic=0.0)

    def read(formula: Formula) -> Expression:
        return rebuild([wide.read(formula, "formula")], wide.defined)[0]

    for name, formula in given.items():
        own = read(formula)
        wide.known[name] = None
        if free_symbols([system.defined[symbol(name)]]) & rates:  # type: ignore[list-item]
            wide.defined[symbol(name)] = definitions.velocity(name, own)
            continue
        made = wide.defined[symbol(name)] = definitions.add(name, own)
        wide.known[rate_name(name)] = None
        wide.defined[symbol(rate_name(name))] = definitions.motion([made])[made]
    return read
