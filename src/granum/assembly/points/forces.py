"""Forces and energies of the loads: kernels over the arrays of a PointSystem."""

from __future__ import annotations

import math

from granum.assembly.points.point_system import Bodies, Loads
from granum.base.kernels import Floats, kernel


@kernel
def external_forces(loads: Loads, x: Floats, v: Floats, f: Floats, power: Floats) -> None:
    """Force on every body [N] into f, power of every damper [W] into power.

    A spring pulls with k (l - l₀) + c dl/dt along its line; at zero length it has no direction and no force.
    """
    dimension = x.shape[0]
    for k in range(dimension):
        for body in range(x.shape[1]):
            f[k, body] = loads.force[k, body]
    for s in range(len(loads.stiffness)):
        i, j = loads.tail[s], loads.head[s]
        square, rate = 0.0, 0.0
        for k in range(dimension):
            square += (x[k, j] - x[k, i]) ** 2
            rate += (x[k, j] - x[k, i]) * (v[k, j] - v[k, i])
        length = math.sqrt(square)
        power[s] = 0.0
        if length > 0.0:
            rate /= length
            power[s] = -loads.damping[s] * rate * rate
            pull = (loads.stiffness[s] * (length - loads.rest_length[s]) + loads.damping[s] * rate) / length
            for k in range(dimension):
                f[k, i] += pull * (x[k, j] - x[k, i])
                f[k, j] -= pull * (x[k, j] - x[k, i])


@kernel
def kinetic_energy(bodies: Bodies, v: Floats) -> float:
    """½ Σ m v² [J]; fixed points do not count."""
    energy = 0.0
    for body in range(v.shape[1]):
        if bodies.weight[body] > 0.0:
            square = 0.0
            for k in range(v.shape[0]):
                square += v[k, body] * v[k, body]
            energy += 0.5 * bodies.mass[body] * square
    return energy


@kernel
def potential_energy(loads: Loads, x: Floats) -> float:
    """Potential of gravity, constant forces and springs [J], zero at the origin and at rest length."""
    energy = 0.0
    for k in range(x.shape[0]):
        for body in range(x.shape[1]):
            energy -= loads.force[k, body] * x[k, body]
    for s in range(len(loads.stiffness)):
        energy += spring_energy(loads, x, s)
    return energy


@kernel
def spring_energy(loads: Loads, x: Floats, s: int) -> float:
    """½ k (l - l₀)² of spring s [J]."""
    square = 0.0
    for k in range(x.shape[0]):
        square += (x[k, loads.head[s]] - x[k, loads.tail[s]]) ** 2
    stretch = math.sqrt(square) - loads.rest_length[s]
    energy: float = 0.5 * loads.stiffness[s] * stretch * stretch
    return energy
