"""newton-euler: rectangular coordinates, link forces γ from H γ = b (Sun 1996, §3.4 and §3.5.4).

    H γ = L⁻¹ ((Eᵀẋ)² + (Eᵀẏ)² + (Eᵀż)²) - Fⁿ                  (3.52), (3.94), corrected: squared differences
    M ẍ = E C γ + f                                            (3.50)-(3.51), (3.95)-(3.97)

with C the direction cosines of the links (3.46, corrected sign: from tail to head), Fⁿ = C Eᵀ M⁻¹ f (3.33, 3.90)
and γ > 0 for tension. Any graph, plane and space.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from granum.assembly.points import PointSystem
from granum.assembly.points.forces import external_forces
from granum.assembly.points.point_system import Bodies, Links, Loads
from granum.base.kernels import Floats, kernel
from granum.linear import Elimination, Workspace, chain, choose, factor, solve
from granum.linear.conjugate import link_pull
from granum.linear.method import CHAIN


class Model(NamedTuple):
    """Everything constant that the kernels of a linked system need."""

    bodies: Bodies
    links: Links
    loads: Loads
    elimination: Elimination


class Scratch(NamedTuple):
    """Everything the kernels write on the way; allocated once."""

    n: Floats
    """(dimension, links): unit vector of each link, tail to head."""
    distance: Floats
    """Distance of the ends of each link [m]."""
    b: Floats
    """Right-hand side of H γ = b."""
    f: Floats
    """(dimension, bodies): external forces [N]."""
    power: Floats
    """Power of each damper [W]."""
    linear: Workspace


def prepare(system: PointSystem) -> tuple[Model, Scratch]:
    """Model and scratch arrays of a system."""
    elimination, workspace = choose(
        system.graph, system.dimension, system.chains, None if system.is_chain else system.topology)
    links, dimension = system.link_count, system.dimension
    scratch = Scratch(
        n=np.zeros((dimension, links)), distance=np.zeros(links), b=np.zeros(links),
        f=np.zeros((dimension, system.body_count)), power=np.zeros(len(system.loads.stiffness)), linear=workspace,
    )
    return Model(system.bodies, system.links, system.loads, elimination), scratch


@kernel
def directions(links: Links, x: Floats, n: Floats, distance: Floats) -> None:
    """Unit vectors and distances of the links (3.44)-(3.46); x is (dimension, bodies)."""
    spatial = x.shape[0] == 3
    for v in range(len(links.tail)):
        i, j = links.tail[v], links.head[v]
        X, Y = x[0, j] - x[0, i], x[1, j] - x[1, i]
        Z = x[2, j] - x[2, i] if spatial else 0.0
        length = math.sqrt(X * X + Y * Y + Z * Z)
        distance[v] = length
        inverse = 1.0 / length
        n[0, v], n[1, v] = X * inverse, Y * inverse
        if spatial:
            n[2, v] = Z * inverse


@kernel
def right_hand_side(
    model: Model, v: Floats, n: Floats, distance: Floats, f: Floats, b: Floats,
) -> None:
    """B of (3.52): square of the relative velocity over the length, minus the external part Fⁿ."""
    spatial = v.shape[0] == 3
    weight = model.bodies.weight
    for u in range(len(distance)):
        i, j = model.links.tail[u], model.links.head[u]
        U, V = v[0, j] - v[0, i], v[1, j] - v[1, i]
        square = U * U + V * V
        outer = n[0, u] * (weight[i] * f[0, i] - weight[j] * f[0, j])
        outer += n[1, u] * (weight[i] * f[1, i] - weight[j] * f[1, j])
        if spatial:
            W = v[2, j] - v[2, i]
            square += W * W
            outer += n[2, u] * (weight[i] * f[2, i] - weight[j] * f[2, j])
        b[u] = square / distance[u] - outer


@kernel
def accelerate(model: Model, n: Floats, gamma: Floats, f: Floats, a: Floats) -> None:
    """A = M⁻¹ (E C γ + f) (3.50)-(3.51) [m/s²]; fixed points stay."""
    link_pull(model.elimination.graph, n, gamma, a)
    for k in range(a.shape[0]):
        for body in range(a.shape[1]):
            a[k, body] = model.bodies.weight[body] * (a[k, body] + f[k, body])


@kernel
def chain_scratch(scratch: Scratch) -> chain.ChainScratch:
    """The arrays that an evaluation of chains writes."""
    return chain.ChainScratch(scratch.n, scratch.b, scratch.linear.pivot, scratch.linear.off)


@kernel
def accelerations(model: Model, scratch: Scratch, x: Floats, v: Floats, a: Floats, gamma: Floats) -> int:
    """Accelerations and link forces of a state; returns how many links were redundant there.

    Args:
        x, v: (dimension, bodies) [m], [m/s].
        a: result (dimension, bodies) [m/s²].
        gamma: result [N]; conjugate gradients start from what it holds.
    """
    external_forces(model.loads, x, v, scratch.f, scratch.power)
    if model.elimination.kind == CHAIN:
        return chain.all_accelerations(model.elimination.chain, chain_scratch(scratch), x, v, scratch.f, a, gamma)
    directions(model.links, x, scratch.n, scratch.distance)
    right_hand_side(model, v, scratch.n, scratch.distance, scratch.f, scratch.b)
    redundant = factor(model.elimination, scratch.linear, scratch.n)
    solve(model.elimination, scratch.linear, scratch.n, scratch.b, gamma)
    accelerate(model, scratch.n, gamma, scratch.f, a)
    return redundant


def evaluator(model: Model, scratch: Scratch) -> Callable[[Floats, Floats, Floats, Floats], int]:
    """`accelerations` as a function of (x, v, a, gamma) for callers in Python.

    Handing over all of model and scratch takes longer than evaluating some hundred bodies; chains without springs
    get by with a few arrays.
    """
    if model.elimination.kind != CHAIN or len(scratch.power):
        return lambda x, v, a, gamma: accelerations(model, scratch, x, v, a, gamma)
    chains, force = model.elimination.chain, model.loads.force
    work = chain.ChainScratch(scratch.n, scratch.b, scratch.linear.pivot, scratch.linear.off)
    return lambda x, v, a, gamma: chain.all_accelerations(chains, work, x, v, force, a, gamma)


@kernel
def constraint_errors(links: Links, x: Floats, v: Floats, errors: Floats) -> None:
    """Largest violation over all links: position |Δ|/l (5.8) into errors[0], velocity |η| (5.20) into errors[1].

    The position error is relative to the length of the link, the velocity error is in m/s.
    """
    errors[0], errors[1] = 0.0, 0.0
    for u in range(len(links.tail)):
        i, j = links.tail[u], links.head[u]
        square, rate = 0.0, 0.0
        for k in range(x.shape[0]):
            X = x[k, j] - x[k, i]
            square += X * X
            rate += X * (v[k, j] - v[k, i])
        length = math.sqrt(square)
        errors[0] = max(errors[0], abs(length - links.length[u]) / links.length[u])
        errors[1] = max(errors[1], abs(rate) / length)
