"""Independent velocities: what constraints leave free, and all rates by them.

Rows A q̇ = c are solved for as many rates as they determine. A link in 2-D is taken as what it is, a rigid line that
rotates: the velocity of one end relative to the other is ω × X, which holds its length. Links of a rigid part have one
ω. A quaternion rotates by the angular velocity of its body, u̇ = ½ Eᵀ ω. So angular velocities are what is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from granum.algebra import Expression, gradient, symbol
from granum.algebra.expression import ONE, ZERO, evaluate, free_symbols, rebuild, walk
from granum.algebra.polynomial import COORDINATE, RATE, Simplifier
from granum.algebra.show import text
from granum.algebra.vectors import quaternion_spin, total
from granum.analytic.derivations.derivation import Line
from granum.analytic.derivations.link_parts import rigid_parts
from granum.analytic.derivations.notation import Notation
from granum.analytic.derivations.quantities import Quantity, subscripts
from granum.analytic.expressed_parts import Row
from granum.analytic.parametrised import RIGIDITY, dual_vector
from granum.rows.joint import Joint

_LONGEST, _LONGEST_TOGETHER = 300, 1500
"""Parts of a velocity by the independent ones, and of all velocities, beyond which nobody reads them."""
_SMALL = 1e-9
"""Coefficient, relative to the largest of its row, that counts as zero."""


@dataclass(frozen=True)
class Kinematics:
    """Rates by independent velocities."""

    free: tuple[Expression, ...]
    """The independent velocities."""
    defined: tuple[Line, ...]
    """Those that are not rates of coordinates, by the rates."""
    rates: tuple[Expression, ...]
    """Each rate by the independent velocities: B π̇ + β."""
    simple: Simplifier
    """What simplifies expressions that satisfy the constraints, such as x² + y² = l² of a link."""
    prescribed: tuple[Expression, ...] = ()
    """Rates that a constraint gives as functions of time; the others have them as symbols."""
    factors: tuple[tuple[Expression, Expression], ...] = ()
    """Entries of B that have names of their own, because they are long, and what they are."""

    def columns(self, n: Notation) -> list[list[Expression]]:
        """B, a row for each coordinate."""
        return [[n.simple(entry) for entry in gradient(rate, self.free)] for rate in self.rates]


@dataclass
class _Equation:
    """Σ coefficient · velocity = right."""

    coefficients: dict[Expression, Expression]
    right: Expression


def independent(n: Notation, held: Sequence[bool], values: Mapping[str, float], virtual: bool = False,
                given: Sequence[tuple[Expression, Expression]] = ()) -> Kinematics | None:
    """The velocities that the rows which are `held` leave free; none where the others have no short form by them.

    That is so too where constraints depend on each other by what their lengths are, as those of three parallel cranks.

    Args:
        n: the notation; angular velocities are added to it.
        held: of each row, whether it restrains.
        values: numbers of constants and coordinates in a state, to see what may be divided by.
        virtual: of virtual displacements, which constraints that move do not carry along.
        given: velocities to be taken as independent, and their formulas.
    """
    links, spins = ([], []) if given else (_planar_links(n), [*_quaternions(n), *_parametrised(n)])
    replaced = {row for _, row, _ in links} | {row for _, row, _ in spins if row is not None}
    equations = [equation for _, _, own in (*links, *spins) for equation in own]
    equations += [_of_row(n, row, virtual) for row, holds in zip(n.system.rows, held, strict=True)
                  if holds and row not in replaced]
    equations += [_Equation({**_linear(formula, n.v), u: -ONE}, -_at_rest(formula, n.v)) for u, formula in given]
    further = [w for own, _, _ in (*links, *spins) for w, _ in own]
    order = [*_by_preference(n), *reversed(further)]
    driven = {v: n.simple(value) for equation in equations for v, value in _prescribed(equation)}
    solved = _solved(n, [equation for equation in equations if not _prescribed(equation)],
                     [v for v in order if v not in driven], values)
    if solved is None:
        return None
    every = [*n.v, *further, *(u for u, _ in given)]
    free = [v for v in every if v not in solved and v not in driven]
    defined = [Line(w, n.shorter(formula)) for own, _, _ in (*links, *spins) for w, formula in own if w in free]
    rates = [driven[v] if v in driven else solved.get(v, v) for v in n.v]
    made = Kinematics(tuple(free), (*defined, *(Line(u, n.simple(formula)) for u, formula in given)), tuple(rates),
                      n.simplifier({**link_squares(n), **rigid_squares(n)}), tuple(v for v in n.v if v in driven))
    return _with_factors(n, made)


def _prescribed(equation: _Equation) -> list[tuple[Expression, Expression]]:
    """The velocity that an equation gives as a function of time, and this function; empty if it gives none."""
    if len(equation.coefficients) != 1 or equation.right.is_zero or free_symbols([equation.right]) != {"t"}:
        return []
    ((v, factor),) = equation.coefficients.items()
    return [(v, equation.right / factor)] if factor.kind == "number" else []


def _with_factors(n: Notation, k: Kinematics) -> Kinematics:
    """Kinematics in which entries of B that are quotients of what moves have names: φ̇ = B_phi θ̇."""
    rates, factors = list(k.rates), list[tuple[Expression, Expression]]()
    for i, (q, rate) in enumerate(zip(n.q, k.rates, strict=True)):
        columns = gradient(rate, k.free) if rate not in n.v else []
        named = list[Expression]()
        for u, entry in zip(k.free, map(n.simple, columns), strict=False):
            if not _divides_by_motion(n, entry):
                named.append(entry)
                continue
            below = q.name if len(k.free) == 1 else f"{q.name}_{u.name.removesuffix('_dot')}"
            B = n.new([f"B_{below}"], f"rate of {q.name} per unit of {u.name}", kind=COORDINATE)
            n.add(Quantity(f"{B.name}_dot", f"rate of {B.name}"), COORDINATE)  # a factor of rates, as B is
            factors.append((B, entry))
            named.append(B)
        if any(entry is not column for entry, column in zip(named, map(n.simple, columns), strict=True)):
            rates[i] = n.simple(_at_rest(rate, k.free) + total(B * u for B, u in zip(named, k.free, strict=True)))
    return replace(k, rates=tuple(rates), factors=tuple(factors))


def _divides_by_motion(n: Notation, entry: Expression) -> bool:
    """Has an expression a divisor that is not constant?"""
    return any(n.quantities[name].value is None for node in walk([entry]) if node.kind == "/"
               for name in free_symbols([node.arguments[1]]))


def _by_preference(n: Notation) -> list[Expression]:
    """Rates in the order in which they are solved for: positions, then angles, those of the last bodies first."""
    positions = [v for v, q in zip(n.v, n.q, strict=True) if n.quantities[q.name].unit == "m"]
    return [*reversed(positions), *reversed([v for v in n.v if v not in positions])]


def _linear(formula: Expression, v: Iterable[Expression]) -> dict[Expression, Expression]:
    listed = list(v)
    return {one: slope for one, slope in zip(listed, gradient(formula, listed), strict=True) if not slope.is_zero}


def _at_rest(formula: Expression, v: Iterable[Expression]) -> Expression:
    return rebuild([formula], dict.fromkeys(v, ZERO))[0]


def _of_row(n: Notation, row: Row, virtual: bool) -> _Equation:
    return _Equation({v: n.show(entry) for v, entry in zip(n.v, row.A, strict=True) if not entry.is_zero},
                     ZERO if virtual else -n.show(row.drift))


def link_squares(n: Notation) -> dict[str, Expression]:
    """y² of an end of each link that no earlier one has, or z² in 3-D: x² + y² = l² in a form that simplifies.

    Links of the point that has most of them come first: about the hub of a wheel, moments of inertia are sums of m l².
    No square leads back to itself by way of others, as those around a ring would: replacing them would not end.
    """
    squares, leads = dict[str, Expression](), dict[str, set[str]]()
    links = _links(n)
    at = Counter(end.name for joint, _ in links for end in (joint.one, joint.two))
    for _, row in sorted(links, key=lambda one: -max(at[one[0].one.name], at[one[0].two.name])):
        value = n.show(row.value.arguments[0])  # d·d - l²
        ends = sorted(name for name in free_symbols([value]) if n.quantities[name].value is None)
        up = max(name[0] for name in ends)
        last = next((name for name in reversed(ends) if name not in squares and name[0] == up and not any(
            name in leads.get(other, ()) for other in ends if other != name)), None)
        if last is not None:
            squares[last] = n.simple(symbol(last) ** 2 - value)
            own = {name for other in ends if other != last for name in (other, *leads.get(other, ()))}
            leads[last] = own
            for further in leads.values():
                further |= own if last in further else set()
    return squares


_Group = tuple[list[tuple[Expression, Expression]], "Row | None", list[_Equation]]
"""Angular velocities with their formulas, the row that they replace, and what they say about rates."""


def _links(n: Notation) -> list[tuple[Joint, Row]]:
    """Links between points, with their rows."""
    if n.assembly is None:
        return []
    rows = {row.name: row for row in n.system.rows}
    return [(joint, rows[joint.name]) for joint in n.assembly.joints if joint.length is not None and joint.name in rows
            and all(end.body.kind != "rigid" and end.name in n.positions for end in (joint.one, joint.two))]


def _planar_links(n: Notation) -> list[_Group]:
    """ω of each link between points in 2-D: ẋ₂ - ẋ₁ = -Y ω, ẏ₂ - ẏ₁ = X ω."""
    if n.assembly is None or n.assembly.dimension != 2:
        return []
    shorts, groups = subscripts(n.assembly.scene.link), list[_Group]()
    leaders, omegas = rigid_parts(n.assembly), dict[str, Expression]()
    for joint, row in _links(n):
        one, two = ([n.show(c) for c in n.positions[end.name][:2]] for end in (joint.one, joint.two))
        X, Y = (n.simple(b - a) for a, b in zip(one, two, strict=True))
        U, V = n.rate(X), n.rate(Y)
        leader, further = leaders.get(joint.name, joint.name), list[tuple[Expression, Expression]]()
        if leader not in omegas:
            others = sum(name == leader for name in leaders.values()) - 1
            what = f"angular velocity of {joint.name}" + (
                f" and of the {others} links that are rigid with it" if others > 0 else "")
            omega = omegas[leader] = n.new([f"omega_{shorts[joint.name]}"], what, "rad/s", RATE)
            further.append((omega, (X * V - Y * U) / n.show(row.value.arguments[1].arguments[1])**2))
        omega = omegas[leader]
        groups.append((further, row, [
            _Equation({**_linear(U, n.v), omega: Y}, ZERO), _Equation({**_linear(V, n.v), omega: -X}, ZERO)]))
    return groups


def _quaternions(n: Notation) -> list[_Group]:
    """ω of each body with a quaternion: u̇ = ½ Eᵀ ω."""
    groups, rows = list[_Group](), {row.name: row for row in n.system.rows}
    for body in n.system.bodies if n.assembly is not None and n.assembly.dimension == 3 else ():
        if body.rotation is None or f"{body.name}.unit" not in rows:
            continue
        own = n.system.coordinates.index(f"{body.name.replace('-', '_')}.u0")
        u, rates = n.q[own : own + 4], n.v[own : own + 4]
        short = subscripts(n.assembly.scene.body)[body.name]  # type: ignore[union-attr]
        omega = [n.new([f"omega_{short}_{axis}"], f"angular velocity of {body.name} about its {axis} axis", "rad/s",
                       RATE) for axis in "xyz"]
        unit = [[ONE if j == k else ZERO for j in range(4)] for k in range(4)]
        E = [[entry / 4.0 for entry in quaternion_spin(u, unit[k])] for k in range(4)]  # columns of E, halved
        groups.append((list(zip(omega, quaternion_spin(u, rates), strict=True)), rows[f"{body.name}.unit"], [
            _Equation({rates[k]: ONE, **{w: -e for w, e in zip(omega, E[k], strict=True) if not e.is_zero}}, ZERO)
            for k in range(4)]))
    return groups


def rigid_squares(n: Notation) -> dict[str, Expression]:
    """p² of the rigidity condition of each parametrised body, where it is a sum of squares: p² + q² = 1."""
    squares: dict[str, Expression] = {}
    for row in _rigidity_rows(n):
        value = n.show(row.value)
        for q in n.q:
            slope = gradient(value, [q])[0]
            second = n.simple(gradient(slope, [q])[0])
            if second.kind == "number" and not second.is_zero and n.simple(slope - second * q).is_zero:
                squares.setdefault(q.name, n.simple(q**2 - 2.0 * value / second))
                break
    return squares


def _rigidity_rows(n: Notation) -> list[Row]:
    return [row for row in n.system.rows if row.constraint.endswith(f".{RIGIDITY}")]


def _parametrised(n: Notation) -> list[_Group]:
    """ω of each body in 2-D given by R of two parameters with one rigidity condition A ṗ = 0: both by ω = a ṗ.

    With D = A₁ a₂ - A₂ a₁, which is not zero where the body is rigid, ṗ₁ = -A₂ ω/D and ṗ₂ = A₁ ω/D.
    """
    groups = list[_Group]()
    if n.assembly is None or n.assembly.dimension != 2:
        return groups
    simple, rows, taken = n.simplifier(rigid_squares(n)), _rigidity_rows(n), set[int]()
    for body in n.system.bodies:
        own = [row for row in rows if row.constraint == f"{body.name}.{RIGIDITY}"]
        if body.rotation is None or len(own) != 1:
            continue
        used = free_symbols([*(entry for line in body.rotation for entry in line), own[0].value])
        pair = [k for k, q in enumerate(n.system.q) if q.name in used]
        if len(pair) != 2 or taken & set(pair):
            continue
        taken |= set(pair)
        omega_formula = n.show(dual_vector([n.system.rates(line) for line in body.rotation], body.rotation)[2])
        (a1, a2), (A1, A2) = ([simple(entry) for entry in both] for both in (
            gradient(omega_formula, [n.v[k] for k in pair]), [n.show(own[0].A[k]) for k in pair]))
        D = simple(A1 * a2 - A2 * a1)
        short = subscripts(n.assembly.scene.body)[body.name]
        omega = n.new([f"omega_{short}"], f"angular velocity of {body.name}", "rad/s", RATE)
        first, second = (n.v[k] for k in pair)
        groups.append(([(omega, omega_formula)], own[0], [
            _Equation({first: ONE, omega: simple(A2 / D)}, ZERO),
            _Equation({second: ONE, omega: simple(-A1 / D)}, ZERO)]))
    return groups


# ---- elimination

def _eliminated(n: Notation, equations: Sequence[_Equation], order: Sequence[Expression],
                values: Mapping[str, float]) -> dict[Expression, Expression] | None:
    """As many velocities as the equations determine, in this order; none where that is long, or has no such order."""
    left, solved = list(equations), dict[Expression, tuple[dict[Expression, Expression], Expression]]()
    constants = {name for name, quantity in n.quantities.items() if quantity.value is not None}
    while left:
        reduced = [_inserted(n, equation, solved) for equation in left]
        choices = [_pivot(equation, order, values, constants) for equation in reduced]
        if any(choice is None and equation.coefficients for choice, equation in zip(choices, reduced, strict=True)):
            return None  # it restrains nothing where the constraints hold, though its formula does not say so
        kept = [(choice, equation, raw) for choice, equation, raw in zip(choices, reduced, left, strict=True)
                if choice is not None]
        if not kept:
            break
        choice, equation, chosen = min(kept, key=lambda one: one[0][0])
        pivot, factor = choice[1], equation.coefficients[choice[1]]
        own = ({v: n.simple(-c / factor) for v, c in equation.coefficients.items() if v is not pivot},
               n.simple(equation.right / factor))
        solved = {v: _substituted(n, old, pivot, own) for v, old in solved.items()} | {pivot: own}
        sizes = [len(list(walk([*by.values(), right]))) for by, right in solved.values()]
        if max(sizes) > _LONGEST or sum(sizes) > _LONGEST_TOGETHER:
            return None
        left = [raw for _, _, raw in kept if raw is not chosen]
    return {v: n.simple(right + total(c * u for u, c in by.items())) for v, (by, right) in solved.items()}


def _solved(n: Notation, equations: Sequence[_Equation], order: Sequence[Expression],
            values: Mapping[str, float]) -> dict[Expression, Expression] | None:
    """As many velocities as the equations determine, each by those that are free; none where that is long.

    What is solved for last comes out shortest, because nothing else is inserted in it. So each quotient is also solved
    for last, and the shorter form is taken.
    """
    solved = _eliminated(n, equations, order, values)
    for v, formula in list((solved or {}).items()):
        if solved is not None and _divides_by_motion(n, formula):
            first = [u for u in order if u in solved and u is not v]
            again = _eliminated(n, equations, [*first, v, *(u for u in order if u not in solved)], values)
            if again is not None and again.keys() == solved.keys() and len(text(again[v])) < len(text(formula)):
                solved[v] = again[v]
    return solved


_Solution = tuple[dict[Expression, Expression], Expression]


def _inserted(n: Notation, equation: _Equation, solved: Mapping[Expression, _Solution]) -> _Equation:
    """An equation with what is solved replaced."""
    coefficients: dict[Expression, Expression] = {}
    right = equation.right
    for v, c in equation.coefficients.items():
        by, constant = solved.get(v, ({v: ONE}, ZERO))
        right = right - c * constant
        for u, factor in by.items():
            coefficients[u] = coefficients.get(u, ZERO) + c * factor
    simple = {v: n.simple(c) for v, c in coefficients.items()}
    return _Equation({v: c for v, c in simple.items() if not c.is_zero}, n.simple(right))


def _substituted(n: Notation, old: _Solution, pivot: Expression, own: _Solution) -> _Solution:
    """A solution with one more velocity replaced."""
    by, right = dict(old[0]), old[1]
    c = by.pop(pivot, None)
    if c is None:
        return old
    for v, factor in own[0].items():
        by[v] = n.simple(by.get(v, ZERO) + c * factor)
    return {v: entry for v, entry in by.items() if not entry.is_zero}, n.simple(right + c * own[1])


def _pivot(equation: _Equation, order: Sequence[Expression], values: Mapping[str, float], constants: set[str],
           ) -> tuple[tuple[int, int], Expression] | None:
    """What to solve an equation for, with a rank: for a number in front of it, a constant, or what is not small."""
    sizes = {v: abs(evaluate([c], dict(values))[0]) for v, c in equation.coefficients.items()}
    largest = max(sizes.values(), default=0.0)
    candidates = [v for v in order if sizes.get(v, 0.0) > max(_SMALL, 0.05 * largest)]
    ranked = [((0 if equation.coefficients[v].kind == "number" else 1 + bool(
        free_symbols([equation.coefficients[v]]) - constants), order.index(v)), v) for v in candidates]
    return min(ranked, key=lambda one: one[0], default=None)
