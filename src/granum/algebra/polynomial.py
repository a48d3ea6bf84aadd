"""Formulas for people: expanded, with trigonometric identities applied, and collected again.

An expression becomes a polynomial in atoms: symbols, functions of simplified arguments, and sums that divide. Then

    sin²a + cos²a = 1,    cos a cos b ± sin a sin b = cos(a ∓ b),    sin a cos b ± cos a sin b = sin(a ± b)

shorten it as long as they apply, and u² - 2uv + v² becomes (u - v)². Terms are collected by unknowns, then by what
moves, with the constants in front: (m_1 + m_2) l_1 l_2 cos(θ_1 - θ_2) θ̈_2. Each step removes terms, so that it ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

from granum.algebra.expression import ONE, ZERO, Expression, free_symbols, function, number, symbol, walk

Monomial: TypeAlias = "tuple[tuple[int, int], ...]"
"""Numbers of atoms, in order, with their exponents."""
Polynomial: TypeAlias = "dict[Monomial, Fraction]"
CONSTANT, COORDINATE, RATE, UNKNOWN = range(4)
"""What symbols are, in the order in which factors are written."""
_MOST, _LARGEST_POWER, _SMALL, _SHORT = 3000, 8, 12, 100
"""Terms of a polynomial, powers that are expanded, denominators that are written as fractions, parts that are few."""


class _TooLargeError(Exception):
    """An expression that has too many terms when expanded."""


class Simplifier:
    """Simplified expressions.

    Args:
        kind: says of each symbol whether it is CONSTANT, COORDINATE, RATE or UNKNOWN.
        order: symbols in the order in which products and sums list them; others come as they are met.
        squares: what the squares of some symbols are equal to, such as y**2 = l**2 - x**2 on a circle.
    """

    def __init__(self, kind: Callable[[str], int], order: Iterable[str] = (),
                 squares: Mapping[str, Expression] | None = None) -> None:
        self._kind = kind
        self._atoms: list[Expression] = []
        self._number: dict[Expression, int] = {}
        self._pairs: dict[frozenset[tuple[Monomial, Fraction]], tuple[int, int]] = {}
        self._angle: dict[int, tuple[str, Polynomial]] = {}
        """Sines and cosines: which of the two, and of what."""
        self._inside: dict[int, Polynomial] = {}
        """What square roots are of."""
        self._classes: dict[int, int] = {}
        self._places: dict[int, tuple[int, int]] = {}
        self._related: dict[int, Polynomial] = {}
        for name in order:
            self._atom(symbol(name))
        for name, square in (squares or {}).items():
            related = self._reduced(self._expanded(square))
            self._related[self._atom(symbol(name))] = related

    def __call__(self, expression: Expression) -> Expression:
        """The expression simplified; as it is where that has too many terms, or is much longer."""
        try:
            simplified = _led_by_number(self._written(self._reduced(self._expanded(expression))))
        except _TooLargeError:
            return expression
        long = _written_size(simplified)
        return simplified if long <= _SHORT or long <= 2 * _written_size(expression) else expression

    def common_integer(self, expressions: Iterable[Expression]) -> int:
        """The largest whole number that divides all terms of some expressions; 1 where they are too long to expand."""
        try:
            terms = [c for expression in expressions for c in self._expanded(expression).values()]
        except _TooLargeError:
            return 1
        return math.gcd(*(c.numerator for c in terms)) if all(c.denominator == 1 for c in terms) else 1

    # ---- from expressions to polynomials

    def _expanded(self, root: Expression) -> Polynomial:
        order = list(walk([root]))
        if _most_terms(order) > _MOST:
            raise _TooLargeError
        made: dict[Expression, Polynomial] = {}
        for node in order:
            made[node] = self._polynomial(node, [made[argument] for argument in node.arguments])
        return made[root]

    def _polynomial(self, node: Expression, arguments: list[Polynomial]) -> Polynomial:
        kind = node.kind
        if kind == "number":
            return {(): _fraction(node.value)} if node.value else {}
        if kind == "symbol":
            return self._power_of(node, 1)
        if kind == "neg":
            return _scaled(arguments[0], Fraction(-1))
        if kind in ("+", "-"):
            return _sum(arguments[0], arguments[1], 1 if kind == "+" else -1)
        if kind == "*":
            return self._product(*arguments)
        if kind == "/":
            return self._product(arguments[0], self._inverse(arguments[1]))
        if kind == "^":
            return self._power(node, *arguments)
        if kind in ("sin", "cos"):
            return self._trigonometric(kind, arguments[0])
        inner = [_led_by_number(self._written(self._reduced(argument))) for argument in arguments]
        made = function(kind, *inner)
        if made.kind == "number":
            return {(): _fraction(made.value)}
        if kind == "sqrt":
            self._inside[self._atom(made)] = self._reduced(arguments[0])
        return self._power_of(made, 1)

    def _atom(self, node: Expression) -> int:
        if node not in self._number:
            self._number[node] = len(self._atoms)
            self._atoms.append(node)
        return self._number[node]

    def _power_of(self, node: Expression, exponent: int) -> Polynomial:
        return {((self._atom(node), exponent),): Fraction(1)}

    def _inverse(self, of: Polynomial) -> Polynomial:
        of = self._reduced(of)
        if len(of) == 1:
            ((monomial, coefficient),) = of.items()
            return {tuple((atom, -exponent) for atom, exponent in monomial): 1 / coefficient}
        content, c, rest = self._content(of)
        inverse = self._power_of(self._written(rest), -1)
        return self._product({tuple((atom, -exponent) for atom, exponent in content): 1 / c}, inverse)

    def _power(self, node: Expression, base: Polynomial, exponent: Polynomial) -> Polynomial:
        times = node.arguments[1].value if node.arguments[1].kind == "number" else 0.5
        if times.is_integer() and abs(times) <= _LARGEST_POWER:
            power: Polynomial = {(): Fraction(1)}
            for _ in range(int(abs(times))):
                power = self._product(power, base)
            return power if times > 0 else self._inverse(power)
        return self._power_of(self._written(self._reduced(base)) ** self._written(self._reduced(exponent)), 1)

    def _product(self, a: Polynomial, b: Polynomial) -> Polynomial:
        if len(a) * len(b) > _MOST:  # what replaces squares may be longer than what was counted
            raise _TooLargeError
        product: Polynomial = {}
        for (one, c), (two, d) in ((x, y) for x in a.items() for y in b.items()):
            for monomial, factor in self._without_squared_roots(_times(one, two)):
                _add(product, monomial, c * d * factor)
        return product

    def _without_squared_roots(self, monomial: Monomial) -> Iterator[tuple[Monomial, Fraction]]:
        """√a² is a, wherever the product of two terms has it."""
        for atom, exponent in monomial:
            if atom in self._inside and abs(exponent) >= 2:
                rest = tuple((a, e) for a, e in monomial if a != atom)
                left = ((atom, exponent % 2),) if exponent % 2 else ()
                inner: Polynomial = {_times(rest, left): Fraction(1)}
                inside = self._inside[atom] if exponent > 0 else self._inverse(self._inside[atom])
                for _ in range(abs(exponent // 2)):
                    inner = self._product(inner, inside)
                yield from inner.items()
                return
        yield monomial, Fraction(1)

    def _trigonometric(self, kind: str, angle: Polynomial) -> Polynomial:
        """A sine or cosine of an angle whose first term is positive; both of one angle are atoms together."""
        angle = self._reduced(angle)
        if not angle:
            return {} if kind == "sin" else {(): Fraction(1)}
        negative = angle[min(angle)] < 0
        if negative:
            angle = _scaled(angle, Fraction(-1))
        key = frozenset(angle.items())
        if key not in self._pairs:
            written = self._written(angle)
            made = [function(name, written) for name in ("sin", "cos")]
            if made[0].kind == "number":
                return {(): _fraction(made[kind == "cos"].value * (-1 if negative and kind == "sin" else 1))}
            self._pairs[key] = self._atom(made[0]), self._atom(made[1])
            for name, atom in zip(("sin", "cos"), self._pairs[key], strict=True):
                self._angle[atom] = name, angle
        sign = Fraction(-1 if negative and kind == "sin" else 1)
        return {((self._pairs[key][kind == "cos"], 1),): sign}

    def _other(self, atom: int) -> int:
        """The cosine of a sine, the sine of a cosine."""
        kind, angle = self._angle[atom]
        return self._pairs[frozenset(angle.items())][kind == "sin"]

    # ---- identities

    def _reduced(self, terms: Polynomial) -> Polynomial:
        """As short as the identities make it."""
        terms = dict(terms)
        waiting = list(terms)
        while waiting:
            monomial = waiting.pop()
            if monomial in terms:
                new = self._squares(terms, monomial) or self._products(terms, monomial)
                if new is not None:
                    waiting += new
        return terms

    def _squares(self, terms: Polynomial, monomial: Monomial) -> list[Monomial] | None:
        """r sin²a + r cos²a = r, r - r sin²a = r cos²a, and squares that are known."""
        for atom, exponent in monomial:
            if atom in self._related and exponent >= 2:
                made = self._product({_times(monomial, ((atom, -2),)): terms.pop(monomial)}, self._related[atom])
                for key, value in made.items():
                    _add(terms, key, value)
                return list(made)
            if atom not in self._angle or exponent < 2:
                continue
            c, rest = terms[monomial], _times(monomial, ((atom, -2),))
            partner = _times(rest, ((self._other(atom), 2),))
            if terms.get(partner) == c:
                del terms[partner], terms[monomial]
                _add(terms, rest, c)
                return [rest]
            if terms.get(rest) == -c:
                del terms[rest], terms[monomial]
                _add(terms, partner, -c)
                return [partner]
        return None

    def _products(self, terms: Polynomial, monomial: Monomial) -> list[Monomial] | None:
        """Sums of products of sines and cosines of two angles, as one of their sum or difference."""
        turning = [atom for atom, exponent in monomial if atom in self._angle and exponent > 0]
        for a, b in combinations(turning, 2):
            (one, first), (two, second) = self._angle[a], self._angle[b]
            rest = _times(monomial, ((a, -1), (b, -1)))
            partner = _times(_times(rest, ((self._other(a), 1),)), ((self._other(b), 1),))
            c, d = terms[monomial], terms.get(partner)
            if first == second or d is None or abs(c) != abs(d):
                continue
            if one == two:  # cos a cos b + d/c sin a sin b
                kind, sum_ = "cos", c != d
                factor = c if one == "cos" else d
            else:  # sin a cos b + d/c cos a sin b, or the other way round
                kind, sum_ = "sin", c == d
                factor = c if one == "sin" else d
            new = self._trigonometric(kind, _sum(first, second, 1 if sum_ else -1))
            del terms[monomial], terms[partner]
            made = self._product({rest: factor}, new)
            for key, value in made.items():
                _add(terms, key, value)
            return list(made)
        return None

    # ---- back to expressions

    def _written(self, terms: Polynomial) -> Expression:
        """Common factors in front, then terms by unknowns, rates and coordinates."""
        if not terms:
            return ZERO
        terms = self._with_squares(terms)
        solved = any(self._class(atom) == UNKNOWN for monomial in terms for atom, _ in monomial)
        content, c, rest = ((), Fraction(1), terms) if solved else self._content(terms)
        return self._times(_added(self._grouped(rest, (UNKNOWN, RATE, COORDINATE))), content, c)

    def _grouped(self, terms: Polynomial, levels: tuple[int, ...]) -> list[Expression]:
        """Groups by what is of the first level or beyond, each with its factor by the next level."""
        if len(terms) == 1 or not levels:
            return [self._monomial(m, c) for m, c in sorted(terms.items(), key=lambda term: self._rank(term[0]))]
        level, *others = levels
        groups: dict[Monomial, Polynomial] = {}
        for monomial, c in terms.items():
            key = tuple((atom, e) for atom, e in monomial if self._class(atom) >= level)
            groups.setdefault(key, {})[tuple(f for f in monomial if f not in key)] = c
        parts = []
        alike = self._alike(groups)
        for key, group in sorted(groups.items(), key=lambda item: (_constants_alone(*item), self._rank(item[0]))):
            if key in alike:
                if alike[key]:
                    ((monomial, c),) = group.items()
                    signs = [Fraction(1 if groups[k][monomial] == c else -1) for k in alike[key]]
                    if c < 0 and -1 in signs:  # x - y rather than -(y - x)
                        c, signs = -c, [-sign for sign in signs]
                    parts.append(self._times(_added(list(map(self._monomial, alike[key], signs))), monomial, c))
            elif key:
                content, c, rest = self._content(group)
                if c == 1 and all(value < 0 for value in rest.values()):  # -(a + b) x rather than (-a - b) x
                    c, rest = Fraction(-1), _scaled(rest, Fraction(-1))
                parts.append(self._times(_added(self._grouped(rest, tuple(others))), _times(content, key), c))
            else:
                parts += self._grouped(group, tuple(others))
        return parts

    def _alike(self, groups: Mapping[Monomial, Polynomial]) -> dict[Monomial, list[Monomial]]:
        """Squares with one factor, as in m (ẋ² + ẏ²), or coordinates, as in g (x - y): all with the first of them."""
        by_factor: dict[tuple[Monomial, Fraction, int], list[Monomial]] = {}
        for key, group in sorted(groups.items(), key=lambda item: self._rank(item[0])):
            if len(group) == 1 and len(key) == 1 and next(iter(group)):
                (atom, exponent), (factor, c) = key[0], next(iter(group.items()))
                if exponent == 2 or (exponent == 1 and self._class(atom) == COORDINATE):
                    by_factor.setdefault((factor, abs(c) if exponent == 1 else c, exponent), []).append(key)
        return {key: keys if key is keys[0] else [] for keys in by_factor.values() if len(keys) > 1 for key in keys}

    def _content(self, terms: Polynomial) -> tuple[Monomial, Fraction, Polynomial]:
        """What divides all terms, a constant that divides any of them, and a number that all have; and what is left."""
        exponents = [dict(monomial) for monomial in terms]
        common: dict[int, int] = {}
        for atom in {atom for monomial in terms for atom, _ in monomial}:
            own, constant = [e.get(atom, 0) for e in exponents], self._class(atom) == CONSTANT
            common[atom] = max(min(own), 0) or min(min(own) if constant else max(own), 0)
        content = tuple(sorted((atom, e) for atom, e in common.items() if e))
        inverse = tuple((atom, -e) for atom, e in content)
        values = list(terms.values())
        c = _common_number([abs(value) for value in values])
        if (content or c != 1) and all(value < 0 for value in values):
            c = -c
        return content, c, {_times(monomial, inverse): value / c for monomial, value in terms.items()}

    def _times(self, factor: Expression, monomial: Monomial, c: Fraction) -> Expression:
        """A factor in parentheses goes first, after constants if it moves; a number or a monomial joins the others."""
        if not monomial and c == 1:
            return factor
        if factor.kind not in ("+", "-") and len(terms := self._expanded(factor)) == 1:
            ((own, d),) = terms.items()
            return self._monomial(_times(own, monomial), c * d)
        moves = any(self._kind(name) != CONSTANT for name in free_symbols([factor]))
        above = sorted(((a, e) for a, e in monomial if e > 0), key=self._order)
        front = sum(self._class(atom) == CONSTANT for atom, _ in above) if moves else 0
        result = number(abs(c.numerator) if c.denominator <= _SMALL else float(abs(c)))
        for power in [*map(self._power_at, above[:front]), factor, *map(self._power_at, above[front:])]:
            result = result * power
        below = self._monomial(tuple((a, -e) for a, e in monomial if e < 0), Fraction(1))
        result = result / (number(c.denominator if c.denominator <= _SMALL else 1) * below)
        return -result if c < 0 else result

    def _monomial(self, monomial: Monomial, c: Fraction) -> Expression:
        """One term as a product, constants first; what divides as one denominator."""
        over, under = ONE, ONE
        for factor in sorted(monomial, key=self._order):
            power = self._power_at(factor)
            over, under = (over * power, under) if factor[1] > 0 else (over, under * power)
        fraction = c.denominator <= _SMALL
        over = number(abs(c.numerator) if fraction else float(abs(c))) * over
        under = number(c.denominator) * under if fraction else under
        made = over / under
        return -made if c < 0 else made

    def _power_at(self, factor: tuple[int, int]) -> Expression:
        """The power of an atom, without the sign of its exponent."""
        return self._atoms[factor[0]] ** abs(factor[1])

    def _order(self, factor: tuple[int, int]) -> tuple[int, int]:
        """Constants first, then what moves."""
        return self._class(factor[0]), factor[0]

    def _class(self, atom: int) -> int:
        """What an atom is: that of its symbols that comes last."""
        if atom not in self._classes:
            self._classes[atom] = max(map(self._kind, free_symbols([self._atoms[atom]])), default=CONSTANT)
        return self._classes[atom]

    def _rank(self, monomial: Monomial) -> tuple[object, ...]:
        """Unknowns first, then products of rates, then the rest, each in the order of its atoms."""
        counts = [sum(e for atom, e in monomial if self._class(atom) == level) for level in (UNKNOWN, RATE)]
        return (*(-count for count in counts), [(-self._class(a), *self._place(a), -e) for a, e in monomial])

    def _place(self, atom: int) -> tuple[int, int]:
        """Where an atom comes: a sum, as in (x₂ - x₁)², by the first of its symbols, whatever was met before."""
        if atom not in self._places:
            node = self._atoms[atom]
            names = free_symbols([node]) if node.kind in ("+", "-") else set()
            self._places[atom] = min((self._atom(symbol(name)) for name in names), default=atom), atom
        return self._places[atom]

    def _with_squares(self, terms: Polynomial) -> Polynomial:
        """c u² ∓ 2c uv + c v² as c (u ∓ v)²."""
        terms, alike = dict(terms), dict[tuple[Monomial, Fraction], list[int]]()
        for monomial, c in terms.items():
            for atom, exponent in monomial:
                if exponent == 2 and atom not in self._angle:
                    alike.setdefault((_times(monomial, ((atom, -2),)), c), []).append(atom)
        for (rest, c), atoms in alike.items():
            for u, v in combinations(sorted(atoms), 2):
                squares, crossed = [_times(rest, ((atom, 2),)) for atom in (u, v)], _times(rest, ((u, 1), (v, 1)))
                sign = terms.get(crossed, Fraction(0)) / (2 * c)
                if abs(sign) == 1 and all(terms.get(square) == c for square in squares):
                    for term in (*squares, crossed):
                        del terms[term]
                    one, two = self._atoms[u], self._atoms[v]
                    _add(terms, _times(rest, ((self._atom(two - one if sign < 0 else one + two), 2),)), c)
        return terms


def _common_number(sizes: list[Fraction]) -> Fraction:
    """A number to write in front: one that all have, 2 of 2 - 4 x, or 1/2 of 1/8 x + 1/2 y, where 1/4 x + y is left."""
    largest = max(sizes)
    if all(size.denominator == 1 for size in sizes):
        return Fraction(math.gcd(*(size.numerator for size in sizes)))
    if largest < 1 and all((size / largest).numerator == 1 for size in sizes):
        return largest
    return Fraction(1)


def _constants_alone(key: Monomial, group: Polynomial) -> bool:
    """Are these terms without anything that moves? They come last: x² + y² - l² and x² + y² - 1, yet 1 + x²."""
    return not key and (any(group) or group[()] < 0)


def _most_terms(order: list[Expression]) -> int:
    """How many terms expressions have at most when expanded, before any are collected."""
    most: dict[Expression, int] = {}
    for node in order:
        terms = [most[argument] for argument in node.arguments]
        if node.kind in ("+", "-"):
            most[node] = sum(terms)
        elif node.kind == "*":
            most[node] = terms[0] * terms[1]
        elif node.kind == "^" and node.arguments[1].kind == "number" and 0 < node.arguments[1].value <= _LARGEST_POWER:
            most[node] = min(terms[0] ** int(node.arguments[1].value), 10 * _MOST)
        else:
            most[node] = terms[0] if node.kind in ("neg", "/") else 1
        if most[node] > _MOST:
            return most[node]
    return most[order[-1]]


def _written_size(root: Expression) -> int:
    """Parts of an expression as it is written, shared ones as often as they are used."""
    size: dict[Expression, int] = {}
    for node in walk([root]):
        size[node] = 1 + sum(size[argument] for argument in node.arguments)
    return size[root]


def _fraction(value: float) -> Fraction:
    """A number exactly, as the small fraction that it comes from where there is one."""
    near = Fraction(value).limit_denominator(10**6)
    return near if float(near) == value else Fraction(value)


def _added(parts: list[Expression]) -> Expression:
    """A sum that begins with a positive term, if it has one."""
    first = next((k for k, part in enumerate(parts) if part.kind != "neg" and not part.value < 0.0), 0)
    result = _led_by_number(parts[first])
    for k, part in enumerate(parts):
        if k != first:
            result = result - (-part) if part.value < 0.0 else result + part
    return result


def _led_by_number(part: Expression) -> Expression:
    """-(2 x) as (-2) x, and -(1/x) as (-1)/x, which need no parentheses."""
    inner = part.arguments[0] if part.kind == "neg" else part
    if inner is part or inner.kind not in ("*", "/") or inner.arguments[0].kind != "number":
        return part
    first, second = inner.arguments
    return -first * second if inner.kind == "*" else -first / second


def _add(terms: Polynomial, monomial: Monomial, c: Fraction) -> None:
    value = terms.get(monomial, Fraction(0)) + c
    if value:
        terms[monomial] = value
    else:
        terms.pop(monomial, None)


def _sum(a: Polynomial, b: Polynomial, sign: int) -> Polynomial:
    result = dict(a)
    for monomial, c in b.items():
        _add(result, monomial, sign * c)
    return result


def _scaled(terms: Polynomial, factor: Fraction) -> Polynomial:
    return {monomial: factor * c for monomial, c in terms.items()}


def _times(a: Monomial, b: Monomial) -> Monomial:
    exponents = dict(a)
    for atom, exponent in b:
        exponents[atom] = exponents.get(atom, 0) + exponent
    return tuple(sorted((atom, exponent) for atom, exponent in exponents.items() if exponent))
