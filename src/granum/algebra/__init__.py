"""Expressions: read safely, differentiated exactly, compiled at once. Nodes are shared: cost follows their number."""

from granum.algebra.calculus import along, gradient, jacobian
from granum.algebra.expression import Expression, as_expression, function, number, symbol, symbols

__all__ = ["Expression", "along", "as_expression", "function", "gradient", "jacobian", "number", "symbol", "symbols"]
