"""Friction models of Sun (1996), fig. 4.4: how friction grows with sliding, up to μ γ.

    coulomb      all of μ γ at any sliding (4.17); at rest whatever holds, up to μ γ
    linear       μ γ u/ε up to u = ε (4.16)
    exponential  μ γ (1 - exp(-3 u/ε))/(1 - exp(-3)) up to u = ε (Threlfall 1978)

Smoothed friction at the beginning of a step goes with the sliding there, but is at most what stops the sliding within
the step, the limit (4.18). At the end of a step it goes with the sliding that it leaves, u = U - k f, with the sliding
U without the friction of this contact and k = s/m, and so never turns it back. Both together are of second order, and
no step is too long for a small ε.
"""

from __future__ import annotations

import math

from granum.base.kernels import Record, inlined, kernel
from granum.state.table import X, Y, Z

COULOMB, LINEAR, EXPONENTIAL = range(3)
LAWS = {"coulomb": COULOMB, "linear": LINEAR, "exponential": EXPONENTIAL}
_STEEP = 3.0
_FULL = 1.0 - math.exp(-_STEEP)
MOST_STEPS = 60
"""Steps of Newton's method, which approaches the root from below."""


@kernel
def developed(law: int, epsilon: float, sliding: float) -> float:
    """Part of μ γ at a sliding velocity."""
    if sliding >= epsilon:
        return 1.0
    return sliding / epsilon if law == LINEAR else (1.0 - math.exp(-_STEEP * sliding / epsilon)) / _FULL


@kernel
def smoothed_friction(law: int, epsilon: float, limit: float, k: float, sliding: float) -> float:
    """Size of the friction that goes with the sliding that it leaves: f = limit · part(sliding - k f) [N]."""
    if limit <= 0.0:
        return 0.0
    if sliding - k * limit >= epsilon:
        return limit
    if law == LINEAR:
        return sliding / (epsilon / limit + k)
    u, scale = 0.0, k * limit / _FULL
    for _ in range(MOST_STEPS):  # u + scale (1 - exp(-3 u/ε)) = sliding: concave, so that tangents are above
        left = math.exp(-_STEEP * u / epsilon)
        change = (sliding - u - scale * (1.0 - left)) / (1.0 + scale * left * _STEEP / epsilon)
        u += change
        if change <= 1e-15 * u:
            break
    return limit * developed(law, epsilon, u)


@kernel
def relaxed_friction(link: Record, first: bool, k: float, over: float, u: tuple[float, float, float],
                     start: tuple[float, float, float]) -> tuple[float, float, float]:
    """Smoothed friction of a link, over-relaxed: u is the sliding that it leaves now, `start` the velocity before."""
    f, n, limit = link.friction_force, link.normal, link.friction * max(link.normal_force, 0.0)
    dx, dy, dz = u[X] - k * f[X], u[Y] - k * f[Y], u[Z] - k * f[Z]
    size, force = math.sqrt(dx * dx + dy * dy + dz * dz), 0.0
    if first:
        along = n[X] * start[X] + n[Y] * start[Y] + n[Z] * start[Z]
        sx, sy, sz = start[X] - along * n[X], start[Y] - along * n[Y], start[Z] - along * n[Z]
        size = math.sqrt(sx * sx + sy * sy + sz * sz)
        if size > 0.0:
            stopping = (dx * sx + dy * sy + dz * sz) / (size * k)
            force = min(limit * developed(link.law, link.epsilon, size), max(stopping, 0.0))
        dx, dy, dz = sx, sy, sz
    else:
        force = smoothed_friction(link.law, link.epsilon, limit, k, size)
    ratio = force / size if size > 0.0 else 0.0
    return (f[X] - over * (f[X] + ratio * dx), f[Y] - over * (f[Y] + ratio * dy), f[Z] - over * (f[Z] + ratio * dz))


@inlined
def sliding_of(law: int, epsilon: float, part: float) -> float:
    """Sliding at which friction is a part (0 to 1) of its limit [m/s]; 0 for Coulomb's law, which rests."""
    if law == LINEAR:
        return epsilon * part
    if law == EXPONENTIAL:
        return -epsilon / _STEEP * math.log(1.0 - _FULL * min(part, 1.0))
    return 0.0
