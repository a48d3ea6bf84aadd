"""Enclosures of expressions: all values and all slopes that a formula has while a symbol runs through an interval.

Interval arithmetic (R. E. Moore, Interval Analysis, 1966) carried along with the chain rule, for many intervals at
once. Unlike samples, enclosures miss nothing: a pulse is seen however narrow it is. They are too wide rather than too
narrow and become exact as the interval shrinks. Symbols that are not given may have any value. Rounding is not
directed outwards: enclosures decide where to look more closely, not what is true to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from granum.algebra.expression import Expression, walk
from granum.base.kernels import Flags, Floats

_ROUNDING = 1e-12
"""Part of an interval by which it may pass zero and still count as on one side."""


class Interval(NamedTuple):
    """Lower and upper ends; infinite where nothing is known."""

    low: Floats
    high: Floats

    @property
    def size(self) -> Floats:
        """The largest magnitude in each interval."""
        return np.maximum(np.abs(self.low), np.abs(self.high))


class Enclosure(NamedTuple):
    """What an expression may be, and its slope by the symbol."""

    value: Interval
    slope: Interval


def enclosures(
    roots: Iterable[Expression], by: Expression, low: Floats, high: Floats, values: Mapping[str, float],
) -> list[Enclosure]:
    """Enclosures of the roots while `by` runs from low to high, for each pair of ends.

    values: numbers of symbols that stay as they are.
    """
    roots, made = list(roots), {by: Enclosure(Interval(low, high), _constant(1.0))}
    with np.errstate(all="ignore"):
        for node in walk(roots):
            if node in made:
                continue
            if node.kind == "number":
                made[node] = Enclosure(_constant(node.value), _ZERO)
            elif node.kind == "symbol":
                known = _constant(values[node.name]) if node.name in values else _ANYTHING
                made[node] = Enclosure(known, _ZERO)  # of states: their own change is not that of the symbol
            else:
                made[node] = _operate(node, [made[argument] for argument in node.arguments])
    return [Enclosure(*(Interval(*np.broadcast_arrays(*part, low)[:2]) for part in made[root])) for root in roots]


def _constant(value: float) -> Interval:
    return Interval(np.array([value]), np.array([value]))


_ZERO, _ONE = _constant(0.0), _constant(1.0)
_ANYTHING = Interval(np.array([-np.inf]), np.array([np.inf]))


def _is_zero(a: Interval) -> bool:
    return not (a.low.any() or a.high.any())


def _add(a: Interval, b: Interval) -> Interval:
    return Interval(a.low + b.low, a.high + b.high)


def _negate(a: Interval) -> Interval:
    return Interval(-a.high, -a.low)


def _times(a: Interval, b: Interval) -> Interval:
    if _is_zero(a) or _is_zero(b):
        return _ZERO
    products = np.stack(np.broadcast_arrays(a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high))
    products[np.isnan(products)] = 0.0  # of zero and an end at infinity, which no value reaches
    return Interval(products.min(axis=0), products.max(axis=0))


def _inverse(a: Interval) -> Interval:
    passes = (a.low <= 0.0) & (a.high >= 0.0)
    return Interval(np.where(passes, -np.inf, 1.0 / a.high), np.where(passes, np.inf, 1.0 / a.low))


def _rising(function: Callable[[Floats], Floats], a: Interval) -> Interval:
    """Of a function that rises; outside its domain nothing is known."""
    low, high = function(a.low), function(a.high)
    return Interval(np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high))


def _even(function: Callable[[Floats], Floats], a: Interval) -> Interval:
    """Of a function of |a| that rises with it."""
    nearest = np.where((a.low <= 0.0) & (a.high >= 0.0), 0.0, np.minimum(np.abs(a.low), np.abs(a.high)))
    return Interval(function(nearest), function(a.size))


def _sine(a: Interval, quarter: float) -> Interval:
    """sin(a + quarter · π/2)."""
    low, high = a.low + quarter * np.pi / 2.0, a.high + quarter * np.pi / 2.0
    known = np.isfinite(low) & np.isfinite(high)
    turn = 2.0 * np.pi

    def passes(phase: float) -> Flags:
        return ~known | (np.floor((high - phase) / turn) >= np.ceil((low - phase) / turn))

    ends = np.sin(np.where(known, low, 0.0)), np.sin(np.where(known, high, 0.0))
    return Interval(np.where(passes(-np.pi / 2.0), -1.0, np.minimum(*ends)),
                    np.where(passes(np.pi / 2.0), 1.0, np.maximum(*ends)))


def _sign(a: Interval) -> Interval:
    slack = _ROUNDING * (a.high - a.low)
    return Interval(np.where(a.low >= -slack, 1.0, -1.0) * ((a.low != 0.0) | (a.high != 0.0)),
                    np.where(a.high <= slack, -1.0, 1.0) * ((a.low != 0.0) | (a.high != 0.0)))


def _jump(a: Interval) -> Interval:
    """The slope of sign(a): nothing is known where it jumps."""
    jumps = _sign(a).low != _sign(a).high
    return Interval(np.where(jumps, -np.inf, 0.0), np.where(jumps, np.inf, 0.0))


def _tangent(a: Interval) -> Interval:
    whole = np.floor(a.low / np.pi + 0.5) == np.floor(a.high / np.pi + 0.5)
    return Interval(np.where(whole, np.tan(a.low), -np.inf), np.where(whole, np.tan(a.high), np.inf))


def _square(a: Interval) -> Interval:
    return _even(np.square, a)


def _power(a: Interval, exponent: float) -> Interval:
    """a to a constant power."""
    if exponent < 0.0:
        return _inverse(_power(a, -exponent))
    if exponent.is_integer():
        return (_even if exponent % 2.0 == 0.0 else _rising)(lambda x: x**exponent, a)
    return _rising(lambda x: x**exponent, Interval(np.maximum(a.low, 0.0), a.high))


_ROOT = Callable[[Interval, Interval], Interval]
_FUNCTIONS: dict[str, tuple[Callable[[Interval], Interval], _ROOT]] = {
    "sin": (lambda a: _sine(a, 0.0), lambda a, f: _sine(a, 1.0)),
    "cos": (lambda a: _sine(a, 1.0), lambda a, f: _sine(a, 2.0)),
    "tan": (_tangent, lambda a, f: _add(_ONE, _square(f))),
    "asin": (lambda a: _rising(np.arcsin, a), lambda a, f: _inverse(_cosine_of(a))),
    "acos": (lambda a: _negate(_rising(lambda x: -np.arccos(x), a)), lambda a, f: _negate(_inverse(_cosine_of(a)))),
    "atan": (lambda a: _rising(np.arctan, a), lambda a, f: _inverse(_add(_ONE, _square(a)))),
    "sinh": (lambda a: _rising(np.sinh, a), lambda a, f: _even(np.cosh, a)),
    "cosh": (lambda a: _even(np.cosh, a), lambda a, f: _rising(np.sinh, a)),
    "tanh": (lambda a: _rising(np.tanh, a), lambda a, f: _inverse(_square(_even(np.cosh, a)))),
    "exp": (lambda a: _rising(np.exp, a), lambda a, f: f),
    "log": (lambda a: _rising(np.log, a), lambda a, f: _inverse(a)),
    "sqrt": (lambda a: _rising(np.sqrt, Interval(np.maximum(a.low, 0.0), a.high)),
             lambda a, f: _times(_constant(0.5), _inverse(f))),
    "abs": (lambda a: _even(lambda x: x, a), lambda a, f: _sign(a)),
    "sign": (_sign, lambda a, f: _jump(a)),
}
"""Value and slope of each function, from those of its argument a and its value f."""


def _cosine_of(sine: Interval) -> Interval:
    return _rising(np.sqrt, _add(_ONE, _negate(_square(sine))))


def _operate(node: Expression, arguments: list[Enclosure]) -> Enclosure:
    """The enclosure of an operation."""
    (a, da), kind = arguments[0], node.kind
    if kind == "neg":
        return Enclosure(_negate(a), _negate(da))
    if kind in _FUNCTIONS:
        value, slope = _FUNCTIONS[kind]
        f = value(a)
        return Enclosure(f, _ZERO if _is_zero(da) else _times(slope(a, f), da))
    b, db = arguments[1]
    if kind in "+-":
        b, db = (b, db) if kind == "+" else (_negate(b), _negate(db))
        return Enclosure(_add(a, b), _add(da, db))
    if kind == "*":
        if node.arguments[0] is node.arguments[1]:
            return Enclosure(_square(a), _times(_constant(2.0), _times(a, da)))
        return Enclosure(_times(a, b), _add(_times(da, b), _times(a, db)))
    if kind == "/":
        inverse = _inverse(b)
        quotient = _times(a, inverse)
        return Enclosure(quotient, _times(_add(da, _negate(_times(quotient, db))), inverse))
    if kind == "^":
        exponent = node.arguments[1]
        if exponent.kind == "number":
            n = exponent.value
            return Enclosure(_power(a, n), _times(_times(_constant(n), _power(a, n - 1.0)), da))
        logarithm = _rising(np.log, Interval(np.maximum(a.low, 0.0), a.high))
        f = _rising(np.exp, _times(b, logarithm))
        return Enclosure(f, _times(f, _add(_times(db, logarithm), _times(b, _times(da, _inverse(a))))))
    half_turn = Interval(np.array([-np.pi]), np.array([np.pi]))  # atan2
    return Enclosure(half_turn, _times(_add(_times(b, da), _negate(_times(a, db))),
                                       _inverse(_add(_square(a), _square(b)))))
