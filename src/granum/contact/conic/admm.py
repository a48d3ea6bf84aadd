"""Alternating direction method of multipliers: a linear solution with kept factors, then a projection on the cones.

With a penalty ρ D, D = diag(tr W_cc/3), and over-relaxation α:

    (W + ρ D) r = ρ D (z - ξ) - q - φ,   r̂ = α r + (1 - α) z,   z = P_K(r̂ + ξ),   ξ ← ξ + r̂ - z,

where ρ D ξ tends to -û, so that De Saxcé's term φ_N = μ |u_T| follows from ξ. The penalty is adapted where one of the
two errors, |r - z| and |z - z⁻|, is much larger than the other, which needs new factors.

Boyd, S. et al. (2011), Found. Trends Mach. Learn. 3, 1-122, sections 3.4.1 and 3.4.3; for friction Tasora, A., Mangoni,
D., Benatti, S., Garziera, R. (2021), Int. J. Numer. Methods Eng. 122, 4093-4113.
"""

from __future__ import annotations

import math

import numpy as np

from granum.base.kernels import Floats, kernel
from granum.contact.conic.cone import project
from granum.contact.conic.problem import ContactProblem
from granum.contact.conic.solvers import Watch

RELAXATION = 1.6
"""α"""
PENALTY = 0.1
"""ρ at the start."""
UNBALANCED, FACTOR, ADAPTED = 5.0, 0.5, 20
"""Ratio of errors from which ρ is adapted, the power of that ratio by which it is, and iterations between adaptions,
which become rarer: each costs new factors."""
SAMPLED = 4
"""Iterations between two samples."""


@kernel
def alternate(weight: Floats, mu: Floats, r: Floats, z: Floats, xi: Floats) -> tuple[float, float]:
    """z and ξ after r; returns the squares of r - z and z - z⁻ in the metric D."""
    primal, dual = 0.0, 0.0
    for c in range(len(mu)):
        n, s, t = (RELAXATION * r[c, 0] + (1.0 - RELAXATION) * z[c, 0] + xi[c, 0],
                   RELAXATION * r[c, 1] + (1.0 - RELAXATION) * z[c, 1] + xi[c, 1],
                   RELAXATION * r[c, 2] + (1.0 - RELAXATION) * z[c, 2] + xi[c, 2])
        pn, ps, pt = project(n, s, t, mu[c])
        primal += weight[c] * ((r[c, 0] - pn) ** 2 + (r[c, 1] - ps) ** 2 + (r[c, 2] - pt) ** 2)
        dual += weight[c] * ((z[c, 0] - pn) ** 2 + (z[c, 1] - ps) ** 2 + (z[c, 2] - pt) ** 2)
        z[c, 0], z[c, 1], z[c, 2] = pn, ps, pt
        xi[c, 0], xi[c, 1], xi[c, 2] = n - pn, s - ps, t - pt
    return primal, dual


def admm(problem: ContactProblem, r: Floats, watch: Watch) -> None:
    """Iterate until the watch is done; z is what counts, as it is within the cones."""
    from scipy.sparse import diags
    from scipy.sparse.linalg import splu

    weight = problem.weights
    spread, z, xi, right = diags(np.repeat(weight, 3)), r.copy(), problem.start(), problem.start()
    penalty, count, due, pause = PENALTY, 0, ADAPTED, ADAPTED
    factors = splu((problem.square + penalty * spread).tocsc())
    while True:
        scale = penalty * weight
        np.subtract(z, xi, out=right)
        right *= scale[:, None]
        right -= problem.free
        right[:, 0] -= problem.mu * scale * np.hypot(xi[:, 1], xi[:, 2])
        r[:] = factors.solve(right.ravel()).reshape(r.shape)
        primal, dual = alternate(weight, problem.mu, r, z, xi)
        count += 1
        if count % SAMPLED == 0 and watch.done(z, count):
            return
        ratio = math.sqrt(primal / dual) if dual > 0.0 and primal > 0.0 else 1.0
        if count >= due and not 1.0 / UNBALANCED < ratio < UNBALANCED:
            change = ratio**FACTOR
            penalty *= change
            xi /= change
            factors = splu((problem.square + penalty * spread).tocsc())
            pause = int(1.5 * pause)
            due = count + pause
