"""Tables as expressions: a cubic spline, exact in value, rate and acceleration wherever an expression goes.

A spline is a tree of choices between cubic polynomials: with H = (1 + sign(x - x_k))/2, which is 0 or 1, a part is
(1 - H) · left + H · right. So tables need no operation of their own in derivatives, machine code or generated programs,
and each polynomial is evaluated about its own knot, without cancellation.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.interpolate import CubicSpline

from granum.algebra.expression import Expression, function, number
from granum.base.kernels import Floats

BEYOND = 1e-9
"""How far a spline goes on beyond its last point, relative to its length."""


def spline(x: Expression, table: Sequence[Sequence[float]] | Floats) -> Expression:
    """The cubic spline through the points (x_k, y_k) of a table, with continuous second derivative.

    Where it has four points or more, the third derivative is continuous at the second and the last but one ("not a
    knot"); with fewer it is the polynomial through them. After the last point it goes on along its tangent.
    """
    points = np.asarray(table, dtype=float)
    knots, values = points[:, 0], points[:, 1]
    cubic = CubicSpline(knots, values)
    inside = [_polynomial(x, knot, coefficients) for knot, coefficients in zip(knots[:-1], cubic.c.T, strict=True)]
    last = float(knots[-1])
    after = _polynomial(x, last, [float(cubic(last, 1)), float(cubic(last))])
    # a knot belongs half to both sides: that of the end is a little later, so that the end has its own acceleration
    return _chosen(x, [*knots[1:-1].tolist(), last + BEYOND * (last - float(knots[0]))], [*inside, after])


def _polynomial(x: Expression, knot: float, coefficients: Sequence[float] | Floats) -> Expression:
    """A polynomial in x - knot, the highest power first."""
    away, result = x - float(knot), number(0.0)
    for coefficient in coefficients:
        result = result * away + float(coefficient)
    return result


def _chosen(x: Expression, knots: list[float], parts: list[Expression]) -> Expression:
    """parts[k] between knots k - 1 and k."""
    if not knots:
        return parts[0]
    k = len(knots) // 2
    later = 0.5 * (1.0 + function("sign", x - knots[k]))
    left, right = _chosen(x, knots[:k], parts[: k + 1]), _chosen(x, knots[k + 1 :], parts[k + 1 :])
    return (1.0 - later) * left + later * right
