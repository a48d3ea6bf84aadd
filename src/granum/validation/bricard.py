"""Bricard's mechanism (A04 of the library of multibody benchmarks) with the one freedom it has.

Turned by a third of a turn about a diagonal of the cube, the mechanism is itself: the turns of its hinges from the
start are a, b, a, b, a, b, and the loop is closed where F = sin a + sin b + sin a sin b = 0. Along that curve, (ȧ, ḃ) =
(F_b, -F_a) ṡ, it is one particle: m(s) s̈ + m' ṡ²/2 + V' = 0. All is analytic in a and b, so slopes along the curve are
imaginary parts (complex steps), exact to rounding.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from granum.base.kernels import Floats
from granum.validation.runs import solved
from granum.validation.scenes import GRAVITY, cross_matrix

CORNERS = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], dtype=float)
"""At the start [m]: six edges of a cube, the last of which is the ground."""
AXES = np.array([(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)], dtype=float)
"""Hinges at the corners, square to both edges that meet."""
SECTION = 0.1
"""Width of the rods [m]; each has 1 kg."""
_STEP = 1e-30


class _Shape(NamedTuple):
    corners: list[Any]
    metric: Any
    """m(s) [kg m²]."""
    potential: Any


def slopes(a: Any, b: Any) -> tuple[Any, Any]:
    """F_a and F_b."""
    return np.cos(a) * (1.0 + np.sin(b)), np.cos(b) * (1.0 + np.sin(a))


def _rotation(n: Floats, q: Any) -> Any:
    K = cross_matrix(n)
    return np.eye(3) + np.sin(q) * K + (1.0 - np.cos(q)) * K @ K


def shape(a: Any, b: Any) -> _Shape:
    """Corners, kinetic energy at ṡ = 1 (twice) and potential of the five rods."""
    f_a, f_b = slopes(a, b)
    R, at = np.eye(3), CORNERS[0] + 0.0 * a
    omega, corners = np.zeros(3), [at]
    velocity, metric, potential = np.zeros(3), 0.0, 0.0
    for k in range(5):
        angle, rate = (a, f_b) if k % 2 == 0 else (b, -f_a)
        omega = omega + R @ AXES[k] * rate
        R = R @ _rotation(AXES[k], angle)
        own = CORNERS[k + 1] - CORNERS[k]
        edge = R @ own
        v = velocity + 0.5 * np.cross(omega, edge)
        J = (np.eye(3) * (1.0 + SECTION**2) - np.outer(own, own) * (1.0 - SECTION**2)) / 12.0
        local_omega = R.T @ omega
        metric = metric + v @ v + local_omega @ J @ local_omega
        potential = potential + GRAVITY * (at + 0.5 * edge)[1]
        at, velocity = at + edge, velocity + np.cross(omega, edge)
        corners.append(at)
    return _Shape(corners, metric, potential)


def motion_of_corner(t: Floats) -> Floats:
    """(times, 3): the corner opposite to the ground [m], released at rest as six edges of a cube."""

    def rates(_: float, y: Floats) -> tuple[float, float, float]:
        a, b, speed = y
        f_a, f_b = slopes(a, b)
        shifted = shape(a + 1j * _STEP * f_b, b - 1j * _STEP * f_a)
        m, m_slope, v_slope = shifted.metric.real, shifted.metric.imag / _STEP, shifted.potential.imag / _STEP
        return f_b * speed, -f_a * speed, -(0.5 * m_slope * speed**2 + v_slope) / m

    y = solved(rates, (0.0, 0.0, 0.0), t, rtol=1e-12, atol=1e-13)
    return np.array([shape(a, b).corners[3] for a, b in y[:2].T])
