"""The residual of contact: one function, by which solvers end their sweeps and all solutions are judged.

The law at a contact with normal n, end-of-step relative velocity u, and impulse P = p n + P_t:

    0 <= p  ⟂  c = u_n + e u_n⁻ >= 0,              |P_t| <= μ p,  and where it slides, P_t = -μ p u_t/|u_t|.

It holds exactly where the natural map vanishes (Alart and Curnier; De Saxcé): with the effective inverse masses w_n
and w_t of the contact, in velocity units,

    r_n = w_n p - max(0, w_n p - c) = min(w_n p, c),      r_t = w_t (P_t - proj_{μ p}(P_t - u_t/w_t)),

where proj_{μ p} takes the nearest point of the disc of radius μ max(p, 0). A contact of magnitude √(r_n² + |r_t|²) is
wrong by about that velocity. A contact with room left before it closes may approach: there c = u_n + room.

How well a step is solved is told by two numbers that depend on no tolerance and no size:

    imbalance   the impulse d = Σ ± (m_n r_n n + m_t r_t) that the contacts of a grain lack together, relative to its
                weight times the step, m g h with loads, and PART of the impulses of impacts on it; where there is no
                weight, to PART of the mean impulse of a contact. Of a step, the root of the mean square over the grains
                that touch something, and the largest.
    lost power  |Σ P·û| with û = (u_n + e u_n⁻ + μ |u_t|, u_t), which vanishes at each contact that obeys its law,
                relative to Σ m (g h)² and the work of impacts and friction in the step.

Sweeps pass a change on by one contact each, so a deep bed may miss its law by little at each contact and yet sink as a
whole: P·û adds up what all rows miss, weighted by what they carry.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, inlined, kernel
from granum.grains.cones import limit_friction
from granum.state.table import X, Y, Z

PART = 0.01
"""Of the impulse of an impact: what counts like the weight of a grain."""
ALONG, ACROSS = 0, 1
"""Columns of effective inverse masses: along and across the normal."""


class Residual(NamedTuple):
    """How far contacts are from the law."""

    rms: float
    """Root of the mean square over contacts [m/s]."""
    largest: float
    """[m/s]"""
    scale: float
    """The velocity that the following are relative to [m/s]."""
    relative_rms: float
    relative_largest: float
    worst: int
    """Row of the contact with the largest; -1 if there are no contacts."""


@inlined
def natural_map(p: float, mu: float, wn: float, wt: float, law: float, qx: float, qy: float, qz: float,
                ux: float, uy: float, uz: float) -> tuple[float, float, float, float]:
    """r_n and r_t of one contact [m/s]: p and q are its normal and friction impulse, u is the slip, law = c."""
    qx, qy, qz = qx * wt, qy * wt, qz * wt
    tx, ty, tz = qx - ux, qy - uy, qz - uz
    tx, ty, tz, _ = limit_friction(tx, ty, tz, mu * max(p, 0.0) * wt)
    return min(p * wn, law), qx - tx, qy - ty, qz - tz


@inlined
def natural_residual(p: float, mu: float, wn: float, wt: float, law: float, qx: float, qy: float, qz: float,
                     ux: float, uy: float, uz: float) -> float:
    """Squared residual of one contact [m²/s²], from the same."""
    normal, tx, ty, tz = natural_map(p, mu, wn, wt, law, qx, qy, qz, ux, uy, uz)
    return normal * normal + tx * tx + ty * ty + tz * tz


@kernel
def contact_residuals(
    n: Floats, u: Floats, before: Floats, P: Floats, mu: Floats, e: Floats, w: Floats, room: Floats, out: Floats,
) -> float:
    """Residual of each contact into `out` [m/s]; returns the largest of |u|, |u_n⁻| and w_n |P|, a scale for them.

    Args:
        n: (C, 3) unit normals.
        u: (C, 3) relative velocities at the end of the step [m/s].
        before: (C,) normal relative velocities at its beginning, approach negative [m/s].
        P: (C, 3) impulses of the step [N s].
        mu, e: (C,) friction and restitution.
        w: (C, 2) effective inverse masses along and across the normal [1/kg]; 1/m_i + 1/m_j, and the same with the
            sum of κ/m added.
        room: (C,) gap per time of the step where it is open, else zero [m/s].
    """
    scale = 0.0
    for c in range(len(out)):
        u_n = u[c, X] * n[c, X] + u[c, Y] * n[c, Y] + u[c, Z] * n[c, Z]
        p = P[c, X] * n[c, X] + P[c, Y] * n[c, Y] + P[c, Z] * n[c, Z]
        law = u_n + (room[c] if room[c] > 0.0 else e[c] * before[c])
        square = natural_residual(
            p, mu[c], w[c, ALONG], w[c, ACROSS], law,
            P[c, X] - p * n[c, X], P[c, Y] - p * n[c, Y], P[c, Z] - p * n[c, Z],
            u[c, X] - u_n * n[c, X], u[c, Y] - u_n * n[c, Y], u[c, Z] - u_n * n[c, Z])
        out[c] = math.sqrt(square)
        speed = math.sqrt(u[c, X] * u[c, X] + u[c, Y] * u[c, Y] + u[c, Z] * u[c, Z])
        pushed = w[c, ALONG] * math.sqrt(P[c, X] * P[c, X] + P[c, Y] * P[c, Y] + P[c, Z] * P[c, Z])
        scale = max(scale, speed, abs(before[c]), pushed)
    return scale


def residual(
    n: Floats, u: Floats, before: Floats, P: Floats, mu: Floats, e: Floats, w: Floats, room: Floats | None = None,
    scale: float | None = None,
) -> Residual:
    """Statistics of `contact_residuals`, relative to `scale` [m/s], such as g h (left out: the one they give)."""
    out = np.empty(len(n))
    sums = contact_residuals(n, u, before, P, mu, e, w, np.zeros(len(n)) if room is None else room, out)
    return summarize(out, sums if scale is None else scale)


def summarize(out: Floats, scale: float) -> Residual:
    """Statistics of residuals of contacts."""
    if not len(out):
        return Residual(0.0, 0.0, scale, 0.0, 0.0, -1)
    worst = int(np.argmax(out))
    rms, largest = math.sqrt(float(np.mean(out**2))), float(out[worst])
    # where nothing moves and nothing pushes, the residual is zero, too
    return Residual(rms, largest, scale, rms / scale if scale else 0.0, largest / scale if scale else 0.0, worst)
