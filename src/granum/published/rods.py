"""A chain of uniform rods in the angles of its rods: the other road to what newton-euler of rigid bodies computes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.integrate import solve_ivp

from granum.base.kernels import Floats
from granum.published.scenes import GRAVITY, chain_angles


def angles_of_chain(left: Sequence[float], link: float, t: Floats) -> Floats:
    """Height of the middle rod of a falling chain of rods of 1 kg at given times [m].

    Lagrange's equations with the last hinge cut and put back by two multipliers (002 eq 3.19): the mass centre of rod i
    is Σ B_ij e(θ_j), so that M_ij = Σ_k B_ki B_kj cos(θ_i - θ_j), and a rod adds m l²/12 on the diagonal.
    """
    start = np.array(chain_angles(left))
    n = len(start)
    B = link * (np.tril(np.ones((n, n)), -1) + 0.5 * np.eye(n))
    G, own, lever = B.T @ B, link**2 / 12.0 * np.eye(n), B.sum(axis=0)
    K = np.zeros((n + 2, n + 2))

    def rates(_: float, y: Floats) -> Floats:
        theta, omega = y[:n], y[n:]
        apart = theta[:, None] - theta
        K[:n, :n] = G * np.cos(apart) + own
        K[n, :n], K[n + 1, :n] = -link * np.sin(theta), link * np.cos(theta)
        K[:n, n:] = K[n:, :n].T
        right = np.concatenate([-(G * np.sin(apart)) @ omega**2 - GRAVITY * lever * np.cos(theta),
                                [link * np.cos(theta) @ omega**2, link * np.sin(theta) @ omega**2]])
        return np.concatenate([omega, np.linalg.solve(K, right)[:n]])

    angles = solve_ivp(rates, (0.0, float(t[-1])), np.concatenate([start, np.zeros(n)]), "DOP853", t,
                       rtol=1e-13, atol=1e-14).y[:n]
    middle: Floats = B[n // 2] @ np.sin(angles)
    return middle
