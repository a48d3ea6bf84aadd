"""Exact derivatives of expressions, by the chain rule on shared nodes.

`along` carries derivatives forward (one sweep for one direction), `gradient` carries them back (one sweep for all
symbols): either costs a small multiple of the nodes it visits, however many derivatives there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from granum.algebra.expression import ONE, ZERO, Expression, Scalar, as_expression, function, number, walk


def partials(node: Expression) -> tuple[Expression, ...]:
    """∂node/∂argument for each argument of an operation."""
    kind, arguments = node.kind, node.arguments
    a = arguments[0]
    if kind == "+":
        return ONE, ONE
    if kind == "-":
        return ONE, number(-1.0)
    if kind == "*":
        return arguments[1], a
    if kind == "/":
        return 1.0 / arguments[1], -(node / arguments[1])
    if kind == "neg":
        return (number(-1.0),)
    if kind == "^":
        return _partials_of_power(node)
    if kind == "atan2":
        b = arguments[1]
        square = a * a + b * b
        return b / square, -(a / square)
    return (_SLOPES[kind](a, node),)


def _partials_of_power(node: Expression) -> tuple[Expression, Expression]:
    base, exponent = node.arguments
    if exponent.kind == "number":
        return exponent * base ** (exponent - 1.0), ZERO
    return exponent * base ** (exponent - 1.0), node * function("log", base)


_SLOPES: dict[str, Callable[[Expression, Expression], Expression]] = {
    "sin": lambda a, f: function("cos", a),
    "cos": lambda a, f: -function("sin", a),
    "tan": lambda a, f: 1.0 + f * f,
    "asin": lambda a, f: 1.0 / function("sqrt", 1.0 - a * a),
    "acos": lambda a, f: -(1.0 / function("sqrt", 1.0 - a * a)),
    "atan": lambda a, f: 1.0 / (1.0 + a * a),
    "sinh": lambda a, f: function("cosh", a),
    "cosh": lambda a, f: function("sinh", a),
    "tanh": lambda a, f: 1.0 - f * f,
    "exp": lambda a, f: f,
    "log": lambda a, f: 1.0 / a,
    "sqrt": lambda a, f: 0.5 / f,
    "abs": lambda a, f: function("sign", a),
    "sign": lambda a, f: ZERO,
}


class Along:
    """Derivatives in one direction, Σ_s ∂root/∂s · direction[s]; a node that several calls share is visited once."""

    def __init__(self, direction: Mapping[Expression, Scalar]) -> None:
        self._rate: dict[Expression, Expression] = {s: as_expression(d) for s, d in direction.items()}
        self._done: set[int] = set()

    def __call__(self, roots: Sequence[Expression]) -> list[Expression]:
        """The derivative of each root."""
        rate = self._rate
        for node in walk(roots, self._done):
            if node in rate:
                continue
            total = ZERO
            if any(rate[argument] is not ZERO for argument in node.arguments):
                for argument, slope in zip(node.arguments, partials(node), strict=True):
                    if rate[argument] is not ZERO:
                        total = total + slope * rate[argument]
            rate[node] = total
        return [rate[root] for root in roots]


def along(roots: Sequence[Expression], direction: Mapping[Expression, Scalar]) -> list[Expression]:
    """Σ_s ∂root/∂s · direction[s] for each root: the rate of the roots where the symbols move in a direction."""
    return Along(direction)(roots)


def gradient(root: Expression, by: Sequence[Expression]) -> list[Expression]:
    """∂root/∂s for each symbol s, from one sweep back through the nodes."""
    order = list(walk([root]))
    depends = _depending(order, by)
    adjoint: dict[Expression, Expression] = {root: ONE}
    for node in reversed(order):
        if node not in adjoint or node not in depends or not node.arguments:
            continue
        for argument, slope in zip(node.arguments, partials(node), strict=True):
            if argument in depends:
                term = adjoint[node] * slope
                adjoint[argument] = adjoint[argument] + term if argument in adjoint else term
    return [adjoint.get(s, ZERO) if s in depends else ZERO for s in by]


def _depending(order: Sequence[Expression], by: Sequence[Expression]) -> set[Expression]:
    """The nodes that depend on any of the symbols."""
    depends = set(by)
    for node in order:
        if any(argument in depends for argument in node.arguments):
            depends.add(node)
    return depends


def jacobian(roots: Sequence[Expression], by: Sequence[Expression]) -> list[list[Expression]]:
    """∂root/∂s, a row per root."""
    return [gradient(root, by) for root in roots]
