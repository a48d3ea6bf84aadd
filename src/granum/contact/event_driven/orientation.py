"""Orientation of grains over a smooth step with closed contacts, in which their angular velocities change.

Between both ends ω is a polynomial of degree 4: its values and rates there, and its integral, which the stages of
dop853 give as accurately as positions. In the plane the integral is all. In space a step is made in parts, τ each, with
ω₀ and ω₁ at their ends,

    q ← exp(Ω/2) q,   Ω = ∫ ω dt - τ²/12 ω₀ × ω₁        (Magnus' series to order 4)

so that a rotation about a fixed axis is the integral, too.
"""

from __future__ import annotations

import math

import numpy as np

from granum.base.kernels import Floats, kernel
from granum.contact.event_driven.closed import INTEGRAL_WEIGHTS
from granum.grains.orientation import rotate_grain
from granum.integrate.dop853 import Workspace
from granum.integrate.tableau import STAGES
from granum.state.table import X, Y, Z

PART = 0.05
"""Largest rotation in a part of a step [rad]."""


@kernel
def _quartic(begin: float, rate: float, end: float, end_rate: float, integral: float, c: Floats) -> None:
    """Coefficients c (5,) of p(τ), τ from 0 to 1, with values and rates at both ends and the integral given."""
    d, e, f = end - begin - rate, end_rate - rate, integral - begin - 0.5 * rate
    c[0], c[1], c[4] = begin, rate, 30.0 * f - 15.0 * d + 2.5 * e
    c[2], c[3] = 3.0 * d - e + c[4], e - 2.0 * d - 2.0 * c[4]


@kernel
def _value(c: Floats, tau: float) -> float:
    """p(τ)."""
    return c[0] + tau * (c[1] + tau * (c[2] + tau * (c[3] + tau * c[4])))


@kernel
def _integral(c: Floats, tau: float) -> float:
    """∫ p from 0 to τ."""
    return tau * (c[0] + tau * (c[1] / 2.0 + tau * (c[2] / 3.0 + tau * (c[3] / 4.0 + tau * c[4] / 5.0))))


@kernel
def rotate_freely(h: float, s: Floats, r: Floats, orientation: Floats) -> None:
    """Rotate all grains for a time h of flight, with the s = r ω that each keeps."""
    for k in range(len(r)):
        rate = h / r[k]
        rotate_grain(orientation, k, rate * s[k, X], rate * s[k, Y], rate * s[k, Z])


@kernel
def rotate_over(h: float, y: Floats, step: Workspace, r: Floats, orientation: Floats) -> None:
    """Rotate all grains over a step h from y to y_new = (x, v, s, ...), with the rates at both ends and its stages."""
    f, y_new, f_new, stages = step.f, step.y_new, step.f_new, step.stages
    count, columns = len(r), orientation.shape[1]
    if columns == 0:
        return
    p = np.zeros((3, 5))
    for k in range(count):
        largest = 0.0
        for a in range(3):
            at = 6 * count + 3 * k + a
            mean = y[at]
            for stage in range(STAGES):
                mean += h * INTEGRAL_WEIGHTS[stage] * stages[stage, at]
            # rotations in a step over τ from 0 to 1 [rad]
            _quartic(h * y[at] / r[k], h * h * f[at] / r[k], h * y_new[at] / r[k], h * h * f_new[at] / r[k],
                        h * mean / r[k], p[a])
            largest += max(abs(p[a, 0]), abs(h * y_new[at] / r[k]), abs(_integral(p[a], 1.0)))
        parts = 1 if columns == 1 else max(1, math.ceil(largest / PART))
        ox, oy, oz = p[0, 0], p[1, 0], p[2, 0]
        for part in range(parts):
            low, high = part / parts, (part + 1) / parts
            tau = high - low
            x = _integral(p[0], high) - _integral(p[0], low)
            y_, z = _integral(p[1], high) - _integral(p[1], low), _integral(p[2], high) - _integral(p[2], low)
            wx, wy, wz = _value(p[0], high), _value(p[1], high), _value(p[2], high)
            third = tau * tau / 12.0
            rotate_grain(orientation, k, x - third * (oy * wz - oz * wy), y_ - third * (oz * wx - ox * wz),
                       z - third * (ox * wy - oy * wx))
            ox, oy, oz = wx, wy, wz
