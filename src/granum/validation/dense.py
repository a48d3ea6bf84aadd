"""Newton-Euler equations solved densely, as Sun (1996) did before its iteration: what table 5.1 timed.

Granum eliminates H along the graph and never forms it; a comparison with the document's Newton-Euler column is fair
only with a full matrix, compiled and solved by the same library as the matrix of Lagrange's equations. So these kernels
share nothing with those they are measured against.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.integrate import ode

from granum.assembly.points import compile_points
from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats, Ints, kernel
from granum.model.scene import Scene
from granum.validation.scenes import GRAVITY


class DenseModel(NamedTuple):
    """Masses in gravity on links: H γ = b (3.52) with H = (Cᵀ C + Sᵀ S) ∘ (Eᵀ M⁻¹ E) as a full matrix."""

    weight: Floats
    """Inverse masses, zero for fixed points [1/kg]."""
    tail: Ints
    head: Ints
    coupling: Floats
    """(links, links): Eᵀ M⁻¹ E of (3.33), constant."""


def dense_model(scene: Scene) -> tuple[DenseModel, Floats]:
    """The model of a scene, and its start y = (x, ẋ) as a vector."""
    system, state = compile_points(scene)
    every = np.arange(system.link_count)
    E = np.zeros((system.body_count, system.link_count))
    E[system.links.tail, every], E[system.links.head, every] = 1.0, -1.0
    weight = system.bodies.weight
    model = DenseModel(weight, system.links.tail, system.links.head, E.T @ (weight[:, None] * E))
    return model, np.concatenate([state.x.ravel(), state.v.ravel()])


@kernel
def derivative(model: DenseModel, y: Floats) -> Floats:
    """(ẋ, ẍ) of y = (x, ẋ): γ from (3.52), then M ẍ = E C γ + f (3.50), in the corrected form of the errata."""
    bodies, links = len(model.weight), len(model.tail)
    x, v = y[: 2 * bodies].reshape(2, bodies), y[2 * bodies :].reshape(2, bodies)
    n, b, H = np.empty((2, links)), np.empty(links), np.empty((links, links))
    for u in range(links):
        i, j = model.tail[u], model.head[u]
        X, Y = x[0, j] - x[0, i], x[1, j] - x[1, i]
        U, V = v[0, j] - v[0, i], v[1, j] - v[1, i]
        length = math.hypot(X, Y)
        n[0, u], n[1, u] = X / length, Y / length
        # gravity accelerates both ends alike, except where one of them is fixed
        fixed = (model.weight[j] == 0.0) * 1.0 - (model.weight[i] == 0.0) * 1.0
        b[u] = (U * U + V * V) / length + GRAVITY * n[1, u] * fixed
    for u in range(links):
        for w in range(links):
            H[u, w] = (n[0, u] * n[0, w] + n[1, u] * n[1, w]) * model.coupling[u, w]
    gamma = np.linalg.solve(H, b)
    result = np.zeros_like(y)
    result[: 2 * bodies] = y[2 * bodies :]
    a = result[2 * bodies :].reshape(2, bodies)
    for u in range(links):
        i, j = model.tail[u], model.head[u]
        for k in range(2):
            a[k, i] += model.weight[i] * n[k, u] * gamma[u]
            a[k, j] -= model.weight[j] * n[k, u] * gamma[u]
    for body in range(bodies):
        a[1, body] -= GRAVITY * (model.weight[body] > 0.0)
    return result


@kernel
def rk4(model: DenseModel, y: Floats, h: float, count: int) -> Floats:
    """`count` steps of size h [s] by classical Runge-Kutta."""
    for _ in range(count):
        k1 = derivative(model, y)
        k2 = derivative(model, y + 0.5 * h * k1)
        k3 = derivative(model, y + 0.5 * h * k2)
        k4 = derivative(model, y + h * k3)
        y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return y


def adams(model: DenseModel, y: Floats, until: float, tolerance: float) -> Floats:
    """Adams' method of variable order (VODE), with the tolerances of Granum's own; y after the time `until` [s]."""
    solver = ode(lambda t, y: derivative(model, y)).set_integrator(
        "vode", method="adams", rtol=tolerance, atol=1e-3 * tolerance * float(np.abs(y).max()), nsteps=1_000_000)
    solver.set_initial_value(y, 0.0)
    reached: Floats = solver.integrate(until)
    if not solver.successful():
        raise NotConvergedError(f"adams stopped at t = {solver.t:g} s before reaching {until:g} s.")
    return reached


def energy(model: DenseModel, y: Floats) -> float:
    """Kinetic plus potential energy [J]."""
    x, v = y.reshape(2, 2, -1)
    movable = model.weight > 0.0
    per_body = 0.5 * (v * v).sum(axis=0) + GRAVITY * x[1]
    return float((per_body[movable] / model.weight[movable]).sum())
