"""Coulomb's cone K = {r : |r_T| ≤ μ r_N}: projection, natural map, and one contact solved exactly.

Find r with u = W r + q, û = u + (μ |u_T|, 0, 0) and K* ∋ û ⊥ r ∈ K at each contact (De Saxcé and Feng 1998, Math.
Comput. Modelling 28, 225-245). That holds exactly where the natural map r - P_K(r - û) vanishes. Components are (N, T1,
T2).
"""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Ints, inlined, kernel
from granum.grains.cones import limit_friction

ROOT_STEPS = 60
"""Iterations for the multiplier of slip, at most; three to six are usual."""
SAME = 4e-16
"""Relative change at which they end."""


@inlined
def project(n: float, s: float, t: float, mu: float) -> tuple[float, float, float]:
    """The nearest point of K."""
    size = math.sqrt(s * s + t * t)
    if size <= mu * n:
        return n, s, t
    if mu * size <= -n:
        return 0.0, 0.0, 0.0
    n = (mu * size + n) / (1.0 + mu * mu)
    s, t, _, _ = limit_friction(s, t, 0.0, mu * n)
    return n, s, t


@kernel
def multiply(begin: Ints, column: Ints, block: Floats, q: Floats, r: Floats, u: Floats) -> None:
    """u = W r + q, block by block."""
    for c in range(len(u)):
        n, s, t = q[c, 0], q[c, 1], q[c, 2]
        for k in range(begin[c], begin[c + 1]):
            d = column[k]
            n += block[k, 0, 0] * r[d, 0] + block[k, 0, 1] * r[d, 1] + block[k, 0, 2] * r[d, 2]
            s += block[k, 1, 0] * r[d, 0] + block[k, 1, 1] * r[d, 1] + block[k, 1, 2] * r[d, 2]
            t += block[k, 2, 0] * r[d, 0] + block[k, 2, 1] * r[d, 1] + block[k, 2, 2] * r[d, 2]
        u[c, 0], u[c, 1], u[c, 2] = n, s, t


@kernel
def natural_map(mu: Floats, r: Floats, u: Floats, out: Floats) -> float:
    """r - P_K(r - û) into `out`; returns its square."""
    square = 0.0
    for c in range(len(u)):
        lift = mu[c] * math.sqrt(u[c, 1] * u[c, 1] + u[c, 2] * u[c, 2])
        n, s, t = project(r[c, 0] - u[c, 0] - lift, r[c, 1] - u[c, 1], r[c, 2] - u[c, 2], mu[c])
        n, s, t = r[c, 0] - n, r[c, 1] - s, r[c, 2] - t
        out[c, 0], out[c, 1], out[c, 2] = n, s, t
        square += n * n + s * s + t * t
    return square


@inlined
def slipping(cn: float, cs: float, ct: float, gn: float, hs: float, ht: float, a: float, b: float, c: float, d: float,
             x: float) -> tuple[float, float, float]:
    """(r_N, r_T) with r_T = -(A + x)⁻¹ c and r_N = g + h·r_T; `cn` is not zero where A + x is singular."""
    det = (a + x) * (d + x) - b * c
    det = det if det != 0.0 else cn
    s = -((d + x) * cs - b * ct) / det
    t = -((a + x) * ct - c * cs) / det
    return gn + hs * s + ht * t, s, t


@inlined
def solve_one(W: Floats, k: int, bn: float, bs: float, bt: float, mu: float) -> tuple[float, float, float]:
    """The exact impulse of one contact with u = W_k r + b.

    It takes off (b_N ≥ 0), sticks (u = 0) or slips: u_N = 0, |r_T| = μ r_N, r_T = -u_T/x with x > 0. With r_N
    eliminated by u_N = 0 slip is (A + x) r_T = -c, A = W_TT - W_TN W_NT/W_NN, c = b_T - W_TN b_N/W_NN, and x is the
    root of μ r_N(x)/|r_T(x)| - 1, which is linear in x where A is a multiple of unity: Newton's method within an
    interval that contains the root. Same roots as those of the quartic of Bonnefon and Daviet (2011, INRIA RT-0400).
    """
    wn = W[k, 0, 0]
    if bn >= 0.0 or wn <= 0.0:
        return 0.0, 0.0, 0.0
    gn = -bn / wn
    if mu == 0.0:
        return gn, 0.0, 0.0
    hs, ht, ks, kt = -W[k, 0, 1] / wn, -W[k, 0, 2] / wn, W[k, 1, 0], W[k, 2, 0]
    a, b, c, d = W[k, 1, 1] + ks * hs, W[k, 1, 2] + ks * ht, W[k, 2, 1] + kt * hs, W[k, 2, 2] + kt * ht
    cs, ct = bs + ks * gn, bt + kt * gn
    scale = abs(a) + abs(d)
    scale = scale if scale > 0.0 else wn
    tiny = 1e-32 * scale * scale
    low, high, x = 0.0, -1.0, 0.0
    n, s, t = slipping(tiny, cs, ct, gn, hs, ht, a, b, c, d, 0.0)
    length = math.sqrt(s * s + t * t)
    if length <= mu * n:
        return n, s, t
    # the root for A = scale/2 and constant r_N
    x = max(math.sqrt(cs * cs + ct * ct) / (mu * gn) - 0.5 * scale, 0.01 * scale)
    for _ in range(ROOT_STEPS):
        n, s, t = slipping(tiny, cs, ct, gn, hs, ht, a, b, c, d, x)
        length = math.sqrt(s * s + t * t)
        value = mu * n - length
        if value < 0.0:
            low = x
        else:
            high = x
        # dr_T/dx = -(A + x)⁻¹ r_T
        _, ds, dt = slipping(tiny, s, t, 0.0, 0.0, 0.0, a, b, c, d, x)
        turn = (s * ds + t * dt) / (length * length) if length > 0.0 else 0.0
        slope = mu * (hs * ds + ht * dt - n * turn) / length if length > 0.0 else 0.0
        new = x - (value / length) / slope if slope > 0.0 else -1.0
        if not low < new or (high >= 0.0 and not new < high):
            new = 0.5 * (low + high) if high >= 0.0 else 4.0 * x + scale
        if abs(new - x) <= SAME * (scale + new):
            break
        x = new
    n = max(n, 0.0)
    s, t, _, _ = limit_friction(s, t, 0.0, mu * n)
    return n, s, t
