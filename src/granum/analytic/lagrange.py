"""lagrange: angles of the tree links as coordinates, path matrix P, loops cut and closed by multipliers.

For a planar system rooted at the ground (002 §3.3; rows multiplied by l_i, so that the matrix is symmetric):

    Σ_j U_ij l_i l_j cos(θ_i - θ_j) θ̈_j + Σ_j U_ij l_i l_j sin(θ_i - θ_j) θ̇_j² = Q_i - Σ_c G_ci γ_c     (3.4), (3.19)
    U = P M Pᵀ,   Q_i = l_i (-sin θ_i (P f_x)_i + cos θ_i (P f_y)_i)                          (A.3), (3.9) corrected

P_ik = ±1 where tree link i lies on the path from the root to body k. So U_ij is non-zero only where one link is on
the path of the other, and is then the mass beyond the farther one: matrix and sums come from the parent arrays.
The multiplier of a cut is the force γ_c of the cut link, G_ci = ∂(distance of its ends)/∂θ_i (3.20), corrected
for unequal lengths. A component without a fixed point has the two coordinates of its root body in front.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.assembly.points import PointSystem
from granum.assembly.points.forces import external_forces
from granum.assembly.points.point_system import Bodies, Links, Loads
from granum.base.errors import GranumError
from granum.base.kernels import Floats, Ints, kernel


class Tree(NamedTuple):
    """The spanning forest as the kernels see it; all arrays over bodies unless said otherwise."""

    outward: Ints
    """Movable bodies, each after its parent."""
    parent: Ints
    """Body at the near end of the tree link (a fixed point or a mass); -1 for a free root."""
    link: Ints
    """Tree link to the parent; -1 for a free root."""
    above: Ints
    """Like parent, but -1 also where it is a fixed point: the next body on the path that has coordinates."""
    sign: Floats
    """+1 where the link points outward (tail at the parent), else -1: the entries of P."""
    coordinate: Ints
    """Index of the angle of the tree link, or of the first of the two coordinates of a free root."""
    cuts: Ints
    """Cut links."""
    size: int
    """Number of coordinates."""


class Model(NamedTuple):
    """Everything constant that the kernels need."""

    bodies: Bodies
    links: Links
    loads: Loads
    tree: Tree


class Scratch(NamedTuple):
    """Everything the kernels write on the way."""

    x: Floats
    v: Floats
    a: Floats
    f: Floats
    power: Floats
    beyond: Floats
    """Mass of each body and all beyond it [kg]."""
    outer: Floats
    """(2, bodies): force on each body and all beyond it [N]."""
    M: Floats
    """Mass matrix."""
    right: Floats
    """(size, 1 + cuts): right-hand side of the equations of motion, then -Gᵀ."""


def prepare(system: PointSystem) -> tuple[Model, Scratch]:
    """Model and scratch arrays of a planar system."""
    if system.dimension != 2:
        raise GranumError("lagrange is planar (one angle per link), and this scene is 3-D. Use newton-euler.")
    tree = _tree(system)
    bodies = system.body_count
    scratch = Scratch(
        x=np.zeros((2, bodies)), v=np.zeros((2, bodies)), a=np.zeros((2, bodies)), f=np.zeros((2, bodies)),
        power=np.zeros(len(system.loads.stiffness)), beyond=np.zeros(bodies), outer=np.zeros((2, bodies)),
        M=np.zeros((tree.size, tree.size)), right=np.zeros((tree.size, 1 + len(tree.cuts))),
    )
    return Model(system.bodies, system.links, system.loads, tree), scratch


def _tree(system: PointSystem) -> Tree:
    topology, nodes = system.topology, system.nodes
    body_of_node = np.flatnonzero(~system.fixed)
    movable = topology.outward()
    movable = movable[movable != topology.ground]
    count = system.body_count
    parent, link, above = np.full(count, -1), np.full(count, -1), np.full(count, -1)
    sign, coordinate = np.zeros(count), np.zeros(count, dtype=np.int64)
    size = 0
    for node in movable:
        body, tree_link = body_of_node[node], topology.parent_link[node]
        coordinate[body] = size
        size += 1 if tree_link >= 0 else 2
        if tree_link >= 0:
            tail, head = system.links.tail[tree_link], system.links.head[tree_link]
            parent[body] = tail if head == body else head
            sign[body] = 1.0 if head == body else -1.0
            link[body] = tree_link
            if nodes[parent[body]] != topology.ground:
                above[body] = parent[body]
    return Tree(body_of_node[movable], parent, link, above, sign, coordinate, topology.cuts, size)


@kernel
def coordinates(model: Model, x: Floats, v: Floats, q: Floats, w: Floats) -> None:
    """Angles of the tree links and coordinates of free roots, and their rates, from positions and velocities."""
    tree = model.tree
    for body in tree.outward:
        c, near = tree.coordinate[body], tree.parent[body]
        if tree.link[body] < 0:
            q[c], q[c + 1], w[c], w[c + 1] = x[0, body], x[1, body], v[0, body], v[1, body]
            continue
        X, Y = tree.sign[body] * (x[0, body] - x[0, near]), tree.sign[body] * (x[1, body] - x[1, near])
        U, V = tree.sign[body] * (v[0, body] - v[0, near]), tree.sign[body] * (v[1, body] - v[1, near])
        q[c] = math.atan2(Y, X)
        w[c] = (X * V - Y * U) / (X * X + Y * Y)


@kernel
def positions(model: Model, q: Floats, w: Floats, x: Floats, v: Floats) -> None:
    """Positions and velocities of the masses from angles and rates; fixed points keep theirs."""
    tree = model.tree
    for body in tree.outward:
        c, link, near = tree.coordinate[body], tree.link[body], tree.parent[body]
        if link < 0:
            x[0, body], x[1, body], v[0, body], v[1, body] = q[c], q[c + 1], w[c], w[c + 1]
            continue
        arm = tree.sign[body] * model.links.length[link]
        cosine, sine = math.cos(q[c]), math.sin(q[c])
        x[0, body] = x[0, near] + arm * cosine
        x[1, body] = x[1, near] + arm * sine
        v[0, body] = v[0, near] - arm * sine * w[c]
        v[1, body] = v[1, near] + arm * cosine * w[c]


@kernel
def _sum_inward(tree: Tree, value: Floats) -> None:
    """Add to each body what lies beyond it: the product P value, without the signs."""
    for k in range(len(tree.outward) - 1, -1, -1):
        body = tree.outward[k]
        if tree.above[body] >= 0:
            value[tree.above[body]] += value[body]


@kernel
def _assemble(model: Model, q: Floats, w: Floats, scratch: Scratch) -> None:
    """Mass matrix, and Q minus the velocity terms into the first right-hand side (3.4)."""
    tree, lengths = model.tree, model.links.length
    beyond, outer, M, right = scratch.beyond, scratch.outer, scratch.M, scratch.right
    for body in tree.outward:
        beyond[body] = model.bodies.mass[body]
        outer[0, body], outer[1, body] = scratch.f[0, body], scratch.f[1, body]
    _sum_inward(tree, beyond)
    _sum_inward(tree, outer[0])
    _sum_inward(tree, outer[1])
    M[:, :] = 0.0
    for body in tree.outward:
        i, link = tree.coordinate[body], tree.link[body]
        if link < 0:
            M[i, i] = M[i + 1, i + 1] = beyond[body]
            right[i, 0], right[i + 1, 0] = outer[0, body], outer[1, body]
            continue
        arm = tree.sign[body] * lengths[link]
        cosine, sine = math.cos(q[i]), math.sin(q[i])
        M[i, i] = beyond[body] * arm * arm
        right[i, 0] = arm * (cosine * outer[1, body] - sine * outer[0, body])
    for body in tree.outward:
        i = tree.coordinate[body]
        if tree.link[body] < 0:
            continue
        arm = tree.sign[body] * lengths[tree.link[body]]
        cosine, sine = math.cos(q[i]), math.sin(q[i])
        near = tree.above[body]
        while near >= 0:
            j = tree.coordinate[near]
            if tree.link[near] < 0:
                across, up = -beyond[body] * arm * sine, beyond[body] * arm * cosine
                M[i, j] = M[j, i] = across
                M[i, j + 1] = M[j + 1, i] = up
                right[j, 0] += up * w[i] * w[i]
                right[j + 1, 0] -= across * w[i] * w[i]
            else:
                U = beyond[body] * arm * tree.sign[near] * lengths[tree.link[near]]
                coupling, centripetal = U * math.cos(q[i] - q[j]), U * math.sin(q[i] - q[j])
                M[i, j] = M[j, i] = coupling
                right[i, 0] -= centripetal * w[j] * w[j]
                right[j, 0] += centripetal * w[i] * w[i]
            near = tree.above[near]


@kernel
def _gradient(model: Model, q: Floats, body: int, X: float, Y: float, column: Floats) -> None:
    """Add (X, Y)·∂r_body/∂q to a column: the path from the body to its root."""
    tree = model.tree
    while body >= 0:
        c = tree.coordinate[body]
        if tree.link[body] < 0:
            column[c] += X
            column[c + 1] += Y
        else:
            arm = tree.sign[body] * model.links.length[tree.link[body]]
            column[c] += arm * (Y * math.cos(q[c]) - X * math.sin(q[c]))
        body = tree.above[body]


@kernel
def _bias(model: Model, q: Floats, w: Floats, a: Floats) -> None:
    """Accelerations at zero q̈: the centripetal part of each link, summed along the paths."""
    tree = model.tree
    for body in tree.outward:
        a[0, body] = a[1, body] = 0.0
        if tree.link[body] >= 0:
            c, near = tree.coordinate[body], tree.parent[body]
            pull = tree.sign[body] * model.links.length[tree.link[body]] * w[c] * w[c]
            a[0, body] = a[0, near] - pull * math.cos(q[c])
            a[1, body] = a[1, near] - pull * math.sin(q[c])


@kernel
def _close_loops(model: Model, q: Floats, w: Floats, scratch: Scratch, qdd: Floats, gamma: Floats) -> int:
    """Solve with cuts: q̈ such that the cut links keep their length, and their forces γ; returns the redundant cuts."""
    tree, x, v, a, right = model.tree, scratch.x, scratch.v, scratch.a, scratch.right
    cuts = len(tree.cuts)
    target = np.zeros(cuts)
    _bias(model, q, w, a)
    for c in range(cuts):
        cut = tree.cuts[c]
        i, j = model.links.tail[cut], model.links.head[cut]
        X, Y = x[0, j] - x[0, i], x[1, j] - x[1, i]
        length = math.hypot(X, Y)
        X, Y = X / length, Y / length
        column = right[:, 1 + c]
        column[:] = 0.0
        if model.bodies.weight[j] > 0.0:
            _gradient(model, q, j, -X, -Y, column)
        if model.bodies.weight[i] > 0.0:
            _gradient(model, q, i, X, Y, column)
        U, V = v[0, j] - v[0, i], v[1, j] - v[1, i]
        target[c] = -(U * U + V * V) / length - X * (a[0, j] - a[0, i]) - Y * (a[1, j] - a[1, i])
    solved = np.linalg.solve(scratch.M, right)
    G = -np.ascontiguousarray(right[:, 1:].T)
    free, pulls = np.ascontiguousarray(solved[:, 0]), np.ascontiguousarray(solved[:, 1:])
    forces, _, rank, _ = np.linalg.lstsq(G @ pulls, target - G @ free, 1e-12)
    for c in range(cuts):
        gamma[tree.cuts[c]] = forces[c]
    qdd[:] = free + pulls @ forces
    return cuts - int(rank)


@kernel
def _tree_forces(model: Model, q: Floats, w: Floats, qdd: Floats, scratch: Scratch, gamma: Floats) -> None:
    """Accelerations of the bodies, then γ of the tree links from what the bodies beyond each link need."""
    tree, a, outer, x = model.tree, scratch.a, scratch.outer, scratch.x
    for body in tree.outward:
        c, near = tree.coordinate[body], tree.parent[body]
        if tree.link[body] < 0:
            a[0, body], a[1, body] = qdd[c], qdd[c + 1]
        else:
            arm = tree.sign[body] * model.links.length[tree.link[body]]
            cosine, sine = math.cos(q[c]), math.sin(q[c])
            a[0, body] = a[0, near] - arm * (sine * qdd[c] + cosine * w[c] * w[c])
            a[1, body] = a[1, near] + arm * (cosine * qdd[c] - sine * w[c] * w[c])
        for k in range(2):
            outer[k, body] = model.bodies.mass[body] * a[k, body] - scratch.f[k, body]
    for cut in tree.cuts:
        i, j = model.links.tail[cut], model.links.head[cut]
        pull = gamma[cut] / math.hypot(x[0, j] - x[0, i], x[1, j] - x[1, i])
        for k in range(2):
            outer[k, i] -= pull * (x[k, j] - x[k, i])
            outer[k, j] += pull * (x[k, j] - x[k, i])
    _sum_inward(tree, outer[0])
    _sum_inward(tree, outer[1])
    for body in tree.outward:
        if tree.link[body] >= 0:
            c = tree.coordinate[body]
            inward = -(math.cos(q[c]) * outer[0, body] + math.sin(q[c]) * outer[1, body])
            gamma[tree.link[body]] = tree.sign[body] * inward


@kernel
def accelerations(model: Model, scratch: Scratch, q: Floats, w: Floats, qdd: Floats, gamma: Floats) -> int:
    """Angular accelerations (and those of free roots) and link forces of a state; returns the redundant links.

    Args:
        q, w: coordinates and their rates [rad], [rad/s] (roots: [m], [m/s]).
        qdd: result.
        gamma: result [N], all links; scratch.a then holds the accelerations of the bodies [m/s²].
    """
    positions(model, q, w, scratch.x, scratch.v)
    external_forces(model.loads, scratch.x, scratch.v, scratch.f, scratch.power)
    _assemble(model, q, w, scratch)
    redundant = 0
    if len(model.tree.cuts):
        redundant = _close_loops(model, q, w, scratch, qdd, gamma)
    else:
        qdd[:] = np.linalg.solve(scratch.M, scratch.right)[:, 0]
    _tree_forces(model, q, w, qdd, scratch, gamma)
    return redundant
