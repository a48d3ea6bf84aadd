"""Expression: a number, a symbol, or an operation on expressions; equal expressions are one object.

Every node exists once (hash-consing), so that an expression is a graph whose common parts are shared without a
search, and everything done with it (derivatives, code) costs in proportion to its nodes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias
from weakref import WeakValueDictionary

from granum.base.errors import GranumError

Scalar: TypeAlias = "Expression | float | int"

FUNCTIONS: dict[str, Callable[..., float]] = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan,
    "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "exp": math.exp, "log": math.log, "sqrt": math.sqrt,
    "abs": abs, "sign": lambda x: float((x > 0) - (x < 0)), "atan2": math.atan2,
}
"""Functions an expression may use, by name; all but `atan2` take one argument."""


class Expression:
    """One node. `kind` is "number", "symbol", "+", "-", "*", "/", "^", "neg" or the name of a function."""

    __slots__ = ("__weakref__", "arguments", "kind", "name", "value")

    kind: str
    arguments: tuple[Expression, ...]
    name: str
    """Of a symbol; else empty."""
    value: float
    """Of a number; else 0."""

    def __add__(self, other: Scalar) -> Expression:
        return _add(self, as_expression(other))

    def __radd__(self, other: Scalar) -> Expression:
        return _add(as_expression(other), self)

    def __sub__(self, other: Scalar) -> Expression:
        return _subtract(self, as_expression(other))

    def __rsub__(self, other: Scalar) -> Expression:
        return _subtract(as_expression(other), self)

    def __mul__(self, other: Scalar) -> Expression:
        return _multiply(self, as_expression(other))

    def __rmul__(self, other: Scalar) -> Expression:
        return _multiply(as_expression(other), self)

    def __truediv__(self, other: Scalar) -> Expression:
        return _divide(self, as_expression(other))

    def __rtruediv__(self, other: Scalar) -> Expression:
        return _divide(as_expression(other), self)

    def __pow__(self, other: Scalar) -> Expression:
        return _power(self, as_expression(other))

    def __rpow__(self, other: Scalar) -> Expression:
        return _power(as_expression(other), self)

    def __neg__(self) -> Expression:
        return _negate(self)

    def __pos__(self) -> Expression:
        return self

    def __repr__(self) -> str:
        if self.kind == "number":
            return f"{self.value:g}"
        return self.name or f"{self.kind}({', '.join(map(repr, self.arguments))})"

    @property
    def is_zero(self) -> bool:
        """Is it the number 0?"""
        return self.kind == "number" and self.value == 0.0


_NODES: WeakValueDictionary[tuple[object, ...], Expression] = WeakValueDictionary()


def _node(kind: str, arguments: tuple[Expression, ...] = (), name: str = "", value: float = 0.0) -> Expression:
    """The one node of this content. The key has addresses: a living node keeps its arguments alive."""
    key = (kind, name, value, *map(id, arguments))
    node = _NODES.get(key)
    if node is None:
        node = object.__new__(Expression)
        node.kind, node.arguments, node.name, node.value = kind, arguments, name, value
        _NODES[key] = node
    return node


def number(value: float) -> Expression:
    """A number; one that is not finite is refused."""
    if not math.isfinite(value):
        raise GranumError(f"an expression contains {value}, but only finite numbers are allowed.")
    return _node("number", value=float(value) + 0.0)


def symbol(name: str) -> Expression:
    """A symbol; symbols of one name are one."""
    return _node("symbol", name=name)


def symbols(names: str | Iterable[str]) -> tuple[Expression, ...]:
    """Several symbols, from names or from a text with names separated by spaces or commas."""
    return tuple(map(symbol, names.replace(",", " ").split() if isinstance(names, str) else names))


def as_expression(value: Scalar) -> Expression:
    """A number as an expression, an expression as it is."""
    return value if isinstance(value, Expression) else number(value)


ZERO, ONE = number(0.0), number(1.0)


def _both_numbers(a: Expression, b: Expression) -> bool:
    return a.kind == "number" and b.kind == "number"


def _add(a: Expression, b: Expression) -> Expression:
    if a is ZERO:
        return b
    if b is ZERO:
        return a
    if _both_numbers(a, b):
        return number(a.value + b.value)
    if b.kind == "neg":
        return _subtract(a, b.arguments[0])
    if a.kind == "neg":
        return _subtract(b, a.arguments[0])
    if a is b:
        return _multiply(number(2.0), a)
    return _node("+", (a, b))


def _subtract(a: Expression, b: Expression) -> Expression:
    if b is ZERO:
        return a
    if a is b:
        return ZERO
    if a is ZERO:
        return _negate(b)
    if _both_numbers(a, b):
        return number(a.value - b.value)
    if b.kind == "neg":
        return _add(a, b.arguments[0])
    return _node("-", (a, b))


def _multiply(a: Expression, b: Expression) -> Expression:
    if b.kind == "number" and a.kind != "number":
        a, b = b, a
    if a is ZERO or b is ZERO:
        return ZERO
    if a is ONE:
        return b
    if _both_numbers(a, b):
        return number(a.value * b.value)
    if a.kind == "number" and a.value == -1.0:
        return _negate(b)
    if a.kind == "neg":
        return _negate(_multiply(a.arguments[0], b))
    if b.kind == "neg":
        return _negate(_multiply(a, b.arguments[0]))
    if _has_factor(b):
        return _multiply(_multiply(a, b.arguments[0]), b.arguments[1])
    if _has_factor(a):
        return _multiply(a.arguments[0], _multiply(a.arguments[1], b))
    return _node("*", (a, b))


def _has_factor(a: Expression) -> bool:
    """Is it a number times something? Numbers gather in front of a product, so that they meet."""
    return a.kind == "*" and a.arguments[0].kind == "number"


def _divide(a: Expression, b: Expression) -> Expression:
    if b.kind == "number":
        if b.value == 0.0:
            raise GranumError("an expression divides by zero.")
        if a.kind == "number":
            return number(a.value / b.value)
        if math.isfinite(1.0 / b.value) and math.frexp(b.value)[0] == 0.5:
            return _multiply(number(1.0 / b.value), a)
    if a is ZERO:
        return ZERO
    if b is ONE:
        return a
    if a.kind == "neg":
        return _negate(_divide(a.arguments[0], b))
    return _node("/", (a, b))


def _power(a: Expression, b: Expression) -> Expression:
    if b is ZERO:
        return ONE
    if b is ONE:
        return a
    if _both_numbers(a, b):
        return _evaluated("^", lambda x, y: x**y, a, b)
    if b.kind == "number" and b.value == 0.5:
        return function("sqrt", a)
    return _node("^", (a, b))


def _negate(a: Expression) -> Expression:
    if a.kind == "number":
        return number(-a.value)
    if a.kind == "neg":
        return a.arguments[0]
    if a.kind == "-":
        return _subtract(a.arguments[1], a.arguments[0])
    return _node("neg", (a,))


def function(name: str, *arguments: Scalar) -> Expression:
    """A function of FUNCTIONS applied to expressions."""
    wanted = 2 if name == "atan2" else 1
    if name not in FUNCTIONS or len(arguments) != wanted:
        raise GranumError(f"{name!r} with {len(arguments)} arguments is not a known function.")
    nodes = tuple(map(as_expression, arguments))
    if all(node.kind == "number" for node in nodes):
        return _evaluated(name, FUNCTIONS[name], *nodes)
    return _node(name, nodes)


def _evaluated(name: str, operation: Callable[..., float], *nodes: Expression) -> Expression:
    """An operation on numbers, done at once; what has no finite real value is refused."""
    values = [node.value for node in nodes]
    try:
        result = operation(*values)
    except (ArithmeticError, ValueError):
        result = math.nan
    if isinstance(result, complex) or not math.isfinite(result):
        shown = ", ".join(f"{value:g}" for value in values)
        raise GranumError(f"an expression contains {name}({shown}), which is not a finite number.")
    return number(result)


def walk(roots: Iterable[Expression], done: set[int] | None = None) -> Iterator[Expression]:
    """Every node below the roots once, arguments before what uses them.

    `done` holds the ids of nodes that earlier walks have met and the caller has kept; they are left out.
    """
    done = set() if done is None else done
    for root in roots:
        stack: list[tuple[Expression, bool]] = [(root, False)]
        while stack:
            node, ready = stack.pop()
            if ready:
                yield node
            elif id(node) not in done:
                done.add(id(node))
                stack.append((node, True))
                stack.extend((argument, False) for argument in reversed(node.arguments) if id(argument) not in done)


def free_symbols(roots: Iterable[Expression]) -> set[str]:
    """Names of all symbols below the roots."""
    return {node.name for node in walk(roots) if node.kind == "symbol"}


def rebuild(roots: Sequence[Expression], replacement: dict[Expression, Scalar]) -> list[Expression]:
    """The roots with nodes (mostly symbols) replaced."""
    made: dict[Expression, Expression] = {}
    for node in walk(roots):
        if node in replacement:
            made[node] = as_expression(replacement[node])
        else:
            made[node] = apply(node, *(made[argument] for argument in node.arguments)) if node.arguments else node
    return [made[root] for root in roots]


def apply(node: Expression, *arguments: Expression) -> Expression:
    """The operation of a node on other arguments."""
    if node.kind in _OPERATIONS:
        return _OPERATIONS[node.kind](*arguments)
    return function(node.kind, *arguments)


_OPERATIONS: dict[str, Callable[..., Expression]] = {
    "+": _add, "-": _subtract, "*": _multiply, "/": _divide, "^": _power, "neg": _negate,
}


def evaluate(roots: Sequence[Expression], values: dict[str, float]) -> list[float]:
    """Numbers of the roots for numbers of their symbols, node by node: for few evaluations, compile for many."""
    made: dict[Expression, float] = {}
    for node in walk(roots):
        if node.kind == "number":
            made[node] = node.value
        elif node.kind == "symbol":
            made[node] = values[node.name]
        else:
            inputs = [made[argument] for argument in node.arguments]
            made[node] = _ARITHMETIC[node.kind](*inputs)
    return [made[root] for root in roots]


_ARITHMETIC: dict[str, Callable[..., float]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "^": math.pow, "neg": lambda a: -a, **FUNCTIONS,
}
