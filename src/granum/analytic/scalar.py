"""scalar: explicit scalar equations of a tree of rigid bodies made of spheres, straight from the path matrix (000).

Body j hangs on its parent i by s_j = u_j + c_j + e_j (1): u_j is fixed in the parent, e_j in the body itself, and c_j,
which joins the centres of the two spheres that touch, has a constant length and a direction of two angles (α_j, β_j)
in inertial axes (37). A body with inertia has the Euler angles (ψ, θ, φ), z-x-z. With r_k = Σ_i p_ik s_i (7):

    Σ_b Σ_ij M_ij (∂s_i/∂q_a · ∂s_j/∂q_b) q̈_b + Σ_ij M_ij ∂s_i/∂q_a · b_j + rotation = Σ_i ∂s_i/∂q_a · Q_i    (24)-(30)
    M_ij = Σ_k m_k p_ik p_jk (29),   Q_i = Σ_k p_ik F_k (31),   b_j = s̈_j at q̈ = 0 (13)

all corrected. M_ij is the mass beyond the farther of i and j where one is on the path of the other, else zero. So P is
never formed: the sums run over parent arrays, and Σ_j M_ij b_j is the sum of m_k r̈_k beyond i. The matrix is
stored by depth: row b holds its entries with the coordinates on the path of b, root first. Eliminated from the leaves
it has no fill, and all rows that are combined share the beginning of their paths: inner loops run through memory.

Charts keep away from the poles sin β = 0 and sin θ = 0: chart p of a direction measures β from inertial axis
(p + 2) mod 3 (0: the z axis of the document), chart p of an orientation counts the body axes from p.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from granum.assembly.points.forces import external_forces
from granum.assembly.points.point_system import Loads
from granum.base.errors import GranumError
from granum.base.kernels import Flags, Floats, Ints, kernel

PARENT, ABOVE, FIRST, ANGLES, TURN, COUNT, LINK = range(7)
"""Rows of Cluster.tree."""


class Cluster(NamedTuple):
    """All that is constant, as plain arrays; over bodies (fixed points included) unless said otherwise."""

    tree: Ints
    """(7, bodies): PARENT the body before (-1: none); ABOVE likewise, but -1 also where that is fixed; the FIRST
    coordinate; ANGLES of the direction of c (0, 1 in the plane, 2); TURN the first Euler angle (-1: none); COUNT of
    coordinates; LINK the place of its force in γ (-1: none)."""
    outward: Ints
    """Movable bodies, each after its parent."""
    rows: Ints
    """(2, coordinates): the coordinate before on the path to the root (-1: none), and the number of those before."""
    charts: Ints
    """(2, bodies): chart of the direction, chart of the orientation. Changed by choose_charts alone."""
    mass: Floats
    """[kg]; infinite for fixed points."""
    inertia: Floats
    """(bodies, 3, 3), central, body axes [kg m²]; zero for a point."""
    length: Floats
    """|c| [m]."""
    u: Floats
    """(bodies, 3): from the parent's mass centre to the centre of its sphere, parent's axes [m]."""
    e: Floats
    """(bodies, 3): from the centre of the own sphere to the mass centre, own axes [m]."""
    force: Floats
    """(dimension, bodies): gravity and constant forces [N]."""
    spring_ends: Ints
    """(2, springs)"""
    springs: Floats
    """(3, springs): stiffness [N/m], rest length [m], damping [N s/m]."""
    cuts: Ints
    """(3, cuts): tail, head, place in γ of the links that close loops."""
    arms: Floats
    """(cuts, 2, 3): from the mass centres of tail and head to the ends of the cut link, their axes [m]."""


_FIELDS = len(Cluster._fields)


class Scratch(NamedTuple):
    """All that the kernels write on the way, over bodies unless said otherwise."""

    x: Floats
    """(dimension, bodies) [m]; fixed points keep theirs."""
    v: Floats
    a: Floats
    f: Floats
    power: Floats
    beyond: Floats
    """Mass of each body and all beyond it: M_jj (29) [kg]."""
    outer: Floats
    """(bodies, 3): sums over each body and all beyond it [N]."""
    bias: Floats
    """(bodies, 3): acceleration at q̈ = 0 [m/s²]."""
    c: Floats
    """(bodies, 3): the connecting vectors [m]."""
    R: Floats
    """(bodies, 3, 3): body axes as columns."""
    axes: Floats
    """(bodies, 3, 3): rows are the axes about which ψ, θ, φ turn."""
    omega: Floats
    """(bodies, 3): angular velocity, inertial axes [rad/s]."""
    by_rate: Floats
    """(bodies, 3, 3): rows ∂ω/∂(ψ̇, θ̇, φ̇) in body axes (4)."""
    du: Floats
    """(bodies, 3, 3): ∂u_j/∂(ψ, θ, φ of the parent)."""
    d: Floats
    """(coordinates, 3): ∂s_j/∂q_a of the body j that has the coordinate."""
    moment: Floats
    """(coordinates, 3): Σ_i M_ii ∂s_i/∂q_a [kg m]."""
    H: Floats
    """(coordinates, depth): mass matrix, then its factors, by depth."""
    right: Floats
    """(1 + cuts, coordinates): right-hand side and then q̈, M⁻¹ Gᵀ of the cuts."""
    units: Floats
    """(cuts, 3): directions of the cut links."""


def prepare_cluster(
    parent: Sequence[int] | Ints, mass: Sequence[float] | Floats, length: Sequence[float] | Floats, *,
    dimension: int = 3, inertia: Floats | None = None, u: Floats | None = None, e: Floats | None = None,
    force: Floats | None = None, anchors: Floats | None = None, springs: Loads | None = None,
    links: Ints | None = None, cuts: Ints | None = None, arms: Floats | None = None,
) -> tuple[Cluster, Scratch]:
    """Arrays of a tree of rigid bodies (points where the inertia is zero).

    Args:
        parent: body before each on the path from the root; -1 for a fixed point and for the root of a free tree.
        mass: [kg]; infinite for a fixed point.
        length: |c| [m]; 0 where two spheres have one centre (a ball joint: then the direction has no angles).
        dimension: 2 (points only) or 3.
        inertia: (bodies, 3, 3), central, body axes [kg m²].
        u, e: (bodies, 3), axes of the parent and of the body [m].
        force: (dimension, bodies), gravity and constant forces [N].
        anchors: (dimension, bodies), positions of the fixed points [m]; left out, all in the origin.
        springs: springs between mass centres; their `force` is not read.
        links: place of the force of each connection in γ; left out, that of the body.
        cuts: (3, cuts): tail, head, place in γ of links that close loops.
        arms: (cuts, 2, 3): ends of the cut links in the axes of their bodies [m]; left out, the mass centres.
    """
    count = len(parent)
    inertia = np.zeros((count, 3, 3)) if inertia is None else np.array(inertia, dtype=float)
    turning: Flags = np.any(inertia != 0.0, axis=(1, 2))
    masses, before = np.array(mass, dtype=float), np.array(parent, dtype=np.int64)
    vectors = [np.zeros((count, 3)) if given is None else np.array(given, dtype=float) for given in (u, e)]
    closing = np.zeros((3, 0), dtype=np.int64) if cuts is None else np.array(cuts, dtype=np.int64)
    ends = np.zeros((closing.shape[1], 2, 3)) if arms is None else np.array(arms, dtype=float)
    _check(before, masses, np.asarray(length, dtype=float), dimension, inertia, *vectors)
    tree, outward, rows = _layout(before, masses, np.asarray(length, dtype=float), dimension, turning)
    if links is not None:
        tree[LINK] = links
    loads = springs or Loads(np.zeros((dimension, count)), *np.zeros((2, 0), dtype=np.int64), *np.zeros((3, 0)))
    cluster = Cluster(
        tree=tree, outward=outward, rows=rows, charts=np.zeros((2, count), dtype=np.int64), mass=masses,
        inertia=inertia, length=np.array(length, dtype=float), u=vectors[0], e=vectors[1],
        force=np.zeros((dimension, count)) if force is None else np.array(force, dtype=float),
        spring_ends=np.array([loads.tail, loads.head]),
        springs=np.array([loads.stiffness, loads.rest_length, loads.damping]), cuts=closing, arms=ends,
    )
    return cluster, _scratch(cluster, dimension, anchors)


def _scratch(cluster: Cluster, dimension: int, anchors: Floats | None) -> Scratch:
    bodies, size, springs = len(cluster.mass), cluster.rows.shape[1], cluster.springs.shape[1]
    deepest = int(cluster.rows[1].max(initial=-1)) + 1
    # arrays of one shape lie together, so that `evaluator` hands over few of them
    moving, vectors, frames = np.zeros((4, dimension, bodies)), np.zeros((4, bodies, 3)), np.zeros((4, bodies, 3, 3))
    if anchors is not None:
        moving[0] = anchors
    frames[0] = np.eye(3)
    return Scratch(
        x=moving[0], v=moving[1], a=moving[2], f=moving[3], power=np.zeros(springs), beyond=np.zeros(bodies),
        outer=vectors[0], bias=vectors[1], c=vectors[2], R=frames[0], axes=frames[1], omega=vectors[3],
        by_rate=frames[2], du=frames[3], d=_unit_rows(cluster, dimension), moment=np.zeros((size, 3)),
        H=np.zeros((size, deepest)), right=np.zeros((1 + cluster.cuts.shape[1], size)),
        units=np.zeros((cluster.cuts.shape[1], 3)),
    )


def _unit_rows(cluster: Cluster, dimension: int) -> Floats:
    """∂s/∂q, where so far only the positions of free roots are known: unit vectors, for good."""
    d = np.zeros((cluster.rows.shape[1], 3))
    for body in cluster.outward:
        if cluster.tree[PARENT, body] < 0:
            first = cluster.tree[FIRST, body]
            d[first : first + dimension] = np.eye(3)[:dimension]
    return d


def _check(parent: Ints, mass: Floats, length: Floats, dimension: int, inertia: Floats, u: Floats, e: Floats) -> None:
    """Refuse what has no equations."""
    for body in range(len(parent)):
        place, near, fixed = f"body {body} of the cluster", parent[body], np.isinf(mass[body])
        turning, tensor = inertia[body].any(), inertia[body]
        if not mass[body] > 0.0:
            raise GranumError(f"{place}: mass {mass[body]:g}, but a mass is positive (infinite for a fixed point).")
        if fixed and near >= 0:
            raise GranumError(f"{place} is fixed and cannot hang on body {near}. Give it the parent -1.")
        if turning and (dimension == 2 or fixed):
            raise GranumError(f"{place} has inertia, but in the plane and where fixed bodies are points.")
        if turning and (not np.allclose(tensor, tensor.T) or np.linalg.eigvalsh(tensor)[0] <= 0.0):
            raise GranumError(f"{place}: its inertia must be symmetric and positive definite, or zero for a point.")
        if not turning and e[body].any():
            raise GranumError(f"{place} is a point and has no e. Give it inertia, or e = 0.")
        if near >= 0 and u[body].any() and not inertia[near].any():
            raise GranumError(f"{place} hangs on a point, which has no u. Give body {near} inertia, or u = 0.")
        if near >= 0 and not (length[body] > 0.0 or (length[body] == 0.0 and turning)):
            raise GranumError(f"{place}: length {length[body]:g}; it must be positive (a rigid body may have 0).")


def _layout(
    parent: Ints, mass: Floats, length: Floats, dimension: int, turning: Flags
) -> tuple[Ints, Ints, Ints]:
    """Tree arrays, order from the roots, and the path of each coordinate."""
    count = len(parent)
    depth = np.full(count, -1)
    for body in range(count):
        path: list[int] = []
        at = body
        while at >= 0 and depth[at] < 0 and len(path) <= count:
            path.append(at)
            at = int(parent[at])
        if len(path) > count:
            raise GranumError(f"body {body} of the cluster is on a path that never ends at a root.")
        for n, met in enumerate(reversed(path)):
            depth[met] = n + (0 if at < 0 else depth[at] + 1)
    order = np.argsort(depth, kind="stable")
    outward = order[np.isfinite(mass[order])]
    tree = np.full((7, count), -1)
    tree[PARENT], tree[LINK], tree[ANGLES], tree[COUNT] = parent, np.arange(count), 0, 0
    before: list[int] = []
    size = 0
    for body in outward:
        near = parent[body]
        if near >= 0 and np.isfinite(mass[near]):
            tree[ABOVE, body] = near
        tree[FIRST, body] = size
        tree[ANGLES, body] = dimension - 1 if near >= 0 and length[body] > 0.0 else 0
        own = dimension if near < 0 else tree[ANGLES, body]
        if turning[body]:
            tree[TURN, body] = size + own
            own += 3
        tree[COUNT, body] = own
        above = tree[ABOVE, body]
        before += [tree[FIRST, above] + tree[COUNT, above] - 1 if above >= 0 else -1] if own else []
        before += range(size, size + own - 1)
        size += own
    levels = np.zeros(size, dtype=np.int64)
    for a, previous in enumerate(before):
        levels[a] = levels[previous] + 1 if previous >= 0 else 0
    return tree, outward, np.array([before, levels], dtype=np.int64).reshape(2, size)


@kernel
def _cross(a: Floats, X: float, Y: float, Z: float) -> tuple[float, float, float]:
    """The vector product a × (X, Y, Z)."""
    return a[1] * Z - a[2] * Y, a[2] * X - a[0] * Z, a[0] * Y - a[1] * X


@kernel
def _rotated(R: Floats, X: float, Y: float, Z: float) -> tuple[float, float, float]:
    """R (X, Y, Z)."""
    return (R[0, 0] * X + R[0, 1] * Y + R[0, 2] * Z, R[1, 0] * X + R[1, 1] * Y + R[1, 2] * Z,
            R[2, 0] * X + R[2, 1] * Y + R[2, 2] * Z)


@kernel
def _unrotated(R: Floats, X: float, Y: float, Z: float) -> tuple[float, float, float]:
    """Rᵀ (X, Y, Z)."""
    return (R[0, 0] * X + R[1, 0] * Y + R[2, 0] * Z, R[0, 1] * X + R[1, 1] * Y + R[2, 1] * Z,
            R[0, 2] * X + R[1, 2] * Y + R[2, 2] * Z)


@kernel
def _attached(R: Floats, arms: Floats, k: int) -> tuple[float, float, float]:
    """R times row k of body-fixed vectors."""
    return _rotated(R, arms[k, 0], arms[k, 1], arms[k, 2])


@kernel
def _turn(axes: Floats, w: Floats, X: float, Y: float, Z: float, D: Floats) -> tuple[float, float, float]:
    """Derivatives of a body-fixed vector by ψ, θ, φ into D; returns its second derivatives times rates (16), (17).

    Each angle turns what the later angles have placed: ∂p/∂a = a × p, ∂²p/∂a∂b = a × (b × p) for a before b.
    """
    for k in range(3):
        D[k, 0], D[k, 1], D[k, 2] = _cross(axes[k], X, Y, Z)
    A, B, C = 0.0, 0.0, 0.0
    for k in range(3):
        P, Q, S = w[k] * D[k, 0], w[k] * D[k, 1], w[k] * D[k, 2]
        for later in range(k + 1, 3):
            P += 2.0 * w[later] * D[later, 0]
            Q += 2.0 * w[later] * D[later, 1]
            S += 2.0 * w[later] * D[later, 2]
        P, Q, S = _cross(axes[k], P, Q, S)
        A, B, C = A + w[k] * P, B + w[k] * Q, C + w[k] * S
    return A, B, C


@kernel
def _orient(chart: int, q: Floats, w: Floats, R: Floats, axes: Floats, omega: Floats) -> None:
    """Body axes, axes of the Euler angles and angular velocity from ψ, θ, φ (z-x-z) and their rates."""
    cp, sp, ct, st, cf, sf = (math.cos(q[0]), math.sin(q[0]), math.cos(q[1]), math.sin(q[1]), math.cos(q[2]),
                              math.sin(q[2]))
    i, j, k = chart, (chart + 1) % 3, (chart + 2) % 3
    R[0, i], R[0, j], R[0, k] = cp * cf - sp * ct * sf, -cp * sf - sp * ct * cf, sp * st
    R[1, i], R[1, j], R[1, k] = sp * cf + cp * ct * sf, -sp * sf + cp * ct * cf, -cp * st
    R[2, i], R[2, j], R[2, k] = st * sf, st * cf, ct
    axes[0, 0], axes[0, 1], axes[0, 2] = 0.0, 0.0, 1.0
    axes[1, 0], axes[1, 1], axes[1, 2] = cp, sp, 0.0
    axes[2, 0], axes[2, 1], axes[2, 2] = sp * st, -cp * st, ct
    for m in range(3):
        omega[m] = w[0] * axes[0, m] + w[1] * axes[1, m] + w[2] * axes[2, m]


@kernel
def _point(cluster: Cluster, s: Scratch, q: Floats, w: Floats, body: int) -> tuple[float, float, float]:
    """The vector c (37) and its derivatives by α, β; returns its second derivatives times rates (47)."""
    a, chart, length, c, d = cluster.tree[FIRST, body], cluster.charts[0, body], cluster.length[body], s.c, s.d
    ca, sa, cb, sb, wa, wb = math.cos(q[a]), math.sin(q[a]), 0.0, 1.0, w[a], 0.0
    i, j, k = chart, (chart + 1) % 3, (chart + 2) % 3
    if cluster.tree[ANGLES, body] == 2:
        cb, sb, wb = math.cos(q[a + 1]), math.sin(q[a + 1]), w[a + 1]
        d[a + 1, i], d[a + 1, j], d[a + 1, k] = length * cb * ca, length * cb * sa, -length * sb
    X, Y, Z = length * sb * ca, length * sb * sa, length * cb
    c[body, i], c[body, j], c[body, k] = X, Y, Z
    d[a, i], d[a, j], d[a, k] = -Y, X, 0.0
    inward, turning = wa * wa + wb * wb, 2.0 * wa * wb * length * cb
    X, Y, Z = -inward * X - turning * sa, -inward * Y + turning * ca, -wb * wb * Z
    if chart == 0:
        return X, Y, Z
    return (Z, X, Y) if chart == 1 else (Y, Z, X)


@kernel
def kinematics(cluster: Cluster, s: Scratch, q: Floats, w: Floats) -> None:
    """Positions, velocities, first derivatives and accelerations at q̈ = 0 along the paths (7)-(17)."""
    tree, dimension = cluster.tree, s.x.shape[0]
    for body in cluster.outward:
        near, c, turn = tree[PARENT, body], tree[FIRST, body], tree[TURN, body]
        x, y, z, X, Y, Z = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0  # (x, y, z) of the body, (X, Y, Z) at q̈ = 0
        if near >= 0:
            x, y, X, Y, Z = s.x[0, near], s.x[1, near], s.bias[near, 0], s.bias[near, 1], s.bias[near, 2]
            if dimension == 3:
                z = s.x[2, near]
            if tree[TURN, near] >= 0:
                t = tree[TURN, near]
                U, V, W = _attached(s.R[near], cluster.u, body)
                A, B, C = _turn(s.axes[near], w[t : t + 3], U, V, W, s.du[body])
                x, y, z, X, Y, Z = x + U, y + V, z + W, X + A, Y + B, Z + C
            if tree[ANGLES, body] > 0:
                A, B, C = _point(cluster, s, q, w, body)
                x, y, z = x + s.c[body, 0], y + s.c[body, 1], z + s.c[body, 2]
                X, Y, Z = X + A, Y + B, Z + C
        else:
            x, y = q[c], q[c + 1]
            if dimension == 3:
                z = q[c + 2]
        if turn >= 0:
            _orient(cluster.charts[1, body], q[turn:], w[turn:], s.R[body], s.axes[body], s.omega[body])
            U, V, W = 0.0, 0.0, 0.0
            if near >= 0:
                U, V, W = _attached(s.R[body], cluster.e, body)
            A, B, C = _turn(s.axes[body], w[turn:], U, V, W, s.d[turn:])
            x, y, z, X, Y, Z = x + U, y + V, z + W, X + A, Y + B, Z + C
        s.x[0, body], s.x[1, body] = x, y
        if dimension == 3:
            s.x[2, body] = z
        s.bias[body, 0], s.bias[body, 1], s.bias[body, 2] = X, Y, Z
        _follow(cluster, s, body, w, s.v)


@kernel
def _follow(cluster: Cluster, s: Scratch, body: int, rate: Floats, result: Floats) -> None:
    """Σ_a ∂r/∂q_a rate_a of a body from that of its parent: velocity for q̇, acceleration less bias for q̈."""
    tree = cluster.tree
    near, first = tree[PARENT, body], tree[FIRST, body]
    for k in range(result.shape[0]):
        total = 0.0
        if near >= 0:
            total = result[k, near]
            t = tree[TURN, near]
            if t >= 0:
                total += rate[t] * s.du[body, 0, k] + rate[t + 1] * s.du[body, 1, k] + rate[t + 2] * s.du[body, 2, k]
        for a in range(first, first + tree[COUNT, body]):
            total += rate[a] * s.d[a, k]
        result[k, body] = total


@kernel
def _sum_inward(cluster: Cluster, s: Scratch) -> None:
    """Add to each body what lies beyond it: P times outer."""
    for n in range(len(cluster.outward) - 1, -1, -1):
        body = cluster.outward[n]
        near = cluster.tree[ABOVE, body]
        if near >= 0:
            for k in range(3):
                s.outer[near, k] += s.outer[body, k]


@kernel
def _assemble(cluster: Cluster, s: Scratch, w: Floats) -> None:
    """Mass matrix by depth, and Q less the velocity terms into the first right-hand side (24)-(31)."""
    tree, above, depth, right, d, H = cluster.tree, cluster.rows[0], cluster.rows[1], s.right[0], s.d, s.H
    rigid = False
    for body in cluster.outward:
        s.beyond[body] = cluster.mass[body]
        s.outer[body, 2] = 0.0
        for k in range(s.f.shape[0]):
            s.outer[body, k] = s.f[k, body] - cluster.mass[body] * s.bias[body, k]
    for n in range(len(cluster.outward) - 1, -1, -1):
        body = cluster.outward[n]
        if tree[ABOVE, body] >= 0:
            s.beyond[tree[ABOVE, body]] += s.beyond[body]
    _sum_inward(cluster, s)
    for body in cluster.outward:
        mass, X, Y, Z = s.beyond[body], s.outer[body, 0], s.outer[body, 1], s.outer[body, 2]
        for a in range(tree[FIRST, body], tree[FIRST, body] + tree[COUNT, body]):
            s.moment[a, 0], s.moment[a, 1], s.moment[a, 2] = mass * d[a, 0], mass * d[a, 1], mass * d[a, 2]
            right[a] = d[a, 0] * X + d[a, 1] * Y + d[a, 2] * Z
        near = tree[ABOVE, body]
        if near >= 0 and tree[TURN, near] >= 0:
            for k in range(3):
                a, U, V, W = tree[TURN, near] + k, s.du[body, k, 0], s.du[body, k, 1], s.du[body, k, 2]
                s.moment[a, 0] += mass * U
                s.moment[a, 1] += mass * V
                s.moment[a, 2] += mass * W
                right[a] += U * X + V * Y + W * Z
    for b in range(len(above)):
        X, Y, Z, a = s.moment[b, 0], s.moment[b, 1], s.moment[b, 2], b
        while a >= 0:
            H[b, depth[a]] = d[a, 0] * X + d[a, 1] * Y + d[a, 2] * Z
            a = above[a]
    for body in cluster.outward:
        near = tree[ABOVE, body]
        if near >= 0 and tree[TURN, near] >= 0:
            _add_sphere(s, tree[TURN, near], depth, body)
        if tree[TURN, body] >= 0:
            _add_rotation(cluster, s, tree[TURN, body], body, w)
            rigid = True
    if rigid:
        _add_spheres_above(cluster, s)


@kernel
def _add_spheres_above(cluster: Cluster, s: Scratch) -> None:
    """Terms of u on the path of each body with the coordinates of the body."""
    tree = cluster.tree
    for body in cluster.outward:
        below, near = body, tree[ABOVE, body]
        while near >= 0:
            t, D = tree[TURN, near], s.du[below]
            if t >= 0:
                for b in range(tree[FIRST, body], tree[FIRST, body] + tree[COUNT, body]):
                    X, Y, Z = s.moment[b, 0], s.moment[b, 1], s.moment[b, 2]
                    for k in range(3):
                        s.H[b, cluster.rows[1, t + k]] += D[k, 0] * X + D[k, 1] * Y + D[k, 2] * Z
            below, near = near, tree[ABOVE, near]


@kernel
def _add_sphere(s: Scratch, t: int, depth: Ints, child: int) -> None:
    """Terms of u_child with itself and with e in the block of the Euler angles of the parent."""
    mass, D = s.beyond[child], s.du[child]
    for b in range(3):
        for a in range(b + 1):
            total = 0.0
            for k in range(3):
                total += D[a, k] * (s.d[t + b, k] + D[b, k])
            s.H[t + b, depth[t + a]] += mass * total


@kernel
def _add_rotation(cluster: Cluster, s: Scratch, t: int, body: int, w: Floats) -> None:
    """Self-rotation: ∂ωᵀ/∂q̇_a (J ω̇ + ω × J ω) in body axes (3)-(5); R of the chart gives ω of (4)."""
    J, R, axes, depth, W = cluster.inertia[body], s.R[body], s.axes[body], cluster.rows[1], s.by_rate[body]
    psi, theta, phi = w[t], w[t + 1], w[t + 2]
    for a in range(3):
        W[a, 0], W[a, 1], W[a, 2] = _unrotated(R, axes[a, 0], axes[a, 1], axes[a, 2])
    # ω̇ at q̈ = 0: each axis is turned by the angles before it
    A, B, C = _cross(W[0], theta * W[1, 0] + phi * W[2, 0], theta * W[1, 1] + phi * W[2, 1],
                     theta * W[1, 2] + phi * W[2, 2])
    D, E, F = _cross(W[1], phi * W[2, 0], phi * W[2, 1], phi * W[2, 2])
    A, B, C = _rotated(J, psi * A + theta * D, psi * B + theta * E, psi * C + theta * F)
    X = psi * W[0, 0] + theta * W[1, 0] + phi * W[2, 0]
    Y = psi * W[0, 1] + theta * W[1, 1] + phi * W[2, 1]
    Z = psi * W[0, 2] + theta * W[1, 2] + phi * W[2, 2]
    D, E, F = _rotated(J, X, Y, Z)
    A, B, C = A + Y * F - Z * E, B + Z * D - X * F, C + X * E - Y * D
    for b in range(3):
        s.right[0, t + b] -= W[b, 0] * A + W[b, 1] * B + W[b, 2] * C
        D, E, F = _rotated(J, W[b, 0], W[b, 1], W[b, 2])
        for a in range(b + 1):
            s.H[t + b, depth[t + a]] += W[a, 0] * D + W[a, 1] * E + W[a, 2] * F


@kernel
def factor(rows: Ints, H: Floats) -> None:
    """M = Lᵀ D L from the leaves to the roots, in place: no fill, D on the diagonal."""
    above, depth = rows[0], rows[1]
    for k in range(len(above) - 1, -1, -1):
        row, inverse, i = H[k], 1.0 / H[k, depth[k]], above[k]
        while i >= 0:
            n = depth[i]
            scale, target = row[n] * inverse, H[i]
            for j in range(n + 1):
                target[j] -= scale * row[j]
            row[n] = scale
            i = above[i]


@kernel
def solve(rows: Ints, H: Floats, b: Floats) -> None:
    """Replace b by M⁻¹ b with the factors of M."""
    above, depth = rows[0], rows[1]
    for k in range(len(above) - 1, -1, -1):
        i, value = above[k], b[k]
        while i >= 0:
            b[i] -= H[k, depth[i]] * value
            i = above[i]
    for k in range(len(above)):
        total, i = b[k] / H[k, depth[k]], above[k]
        while i >= 0:
            total -= H[k, depth[i]] * b[i]
            i = above[i]
        b[k] = total


@kernel
def _end_of_cut(cluster: Cluster, s: Scratch, w: Floats, cut: int, end: int, P: Floats, D: Floats) -> None:
    """Position, velocity and acceleration at q̈ = 0 of an end of a cut link into rows of P; by Euler angles into D."""
    body = cluster.cuts[end, cut]
    for k in range(3):
        P[0, k], P[1, k], P[2, k] = 0.0, 0.0, s.bias[body, k]
    for k in range(s.x.shape[0]):
        P[0, k], P[1, k] = s.x[k, body], s.v[k, body]
    t = cluster.tree[TURN, body]
    if t >= 0:
        U, V, W = _attached(s.R[body], cluster.arms[cut], end)
        A, B, C = _turn(s.axes[body], w[t : t + 3], U, V, W, D)
        P[0, 0], P[0, 1], P[0, 2] = P[0, 0] + U, P[0, 1] + V, P[0, 2] + W
        P[2, 0], P[2, 1], P[2, 2] = P[2, 0] + A, P[2, 1] + B, P[2, 2] + C
        for k in range(3):
            P[1, k] += w[t] * D[0, k] + w[t + 1] * D[1, k] + w[t + 2] * D[2, k]


@kernel
def _gradient(cluster: Cluster, s: Scratch, body: int, D: Floats, n: Floats, scale: float, column: Floats) -> None:
    """Add scale n · ∂(end)/∂q to a column: the path from the body to its root."""
    tree = cluster.tree
    if not math.isfinite(cluster.mass[body]):
        return
    while body >= 0:
        t = tree[TURN, body]
        for a in range(tree[FIRST, body], tree[FIRST, body] + tree[COUNT, body]):
            total = s.d[a, 0] * n[0] + s.d[a, 1] * n[1] + s.d[a, 2] * n[2]
            if a >= t >= 0:
                total += D[a - t, 0] * n[0] + D[a - t, 1] * n[1] + D[a - t, 2] * n[2]
            column[a] += scale * total
        D, body = s.du[body], tree[ABOVE, body]


@kernel
def _close_loops(cluster: Cluster, s: Scratch, w: Floats, gamma: Floats) -> int:
    """Forces γ of the cut links that keep their lengths (34), (35); adds their pull to q̈, returns the redundant."""
    cuts, size, free = cluster.cuts.shape[1], len(w), s.right[0]
    G, S, force, order = np.zeros((cuts, size)), np.empty((cuts, cuts)), np.zeros(cuts), np.arange(cuts)
    tail, head, D, E, n = np.empty((3, 3)), np.empty((3, 3)), np.zeros((3, 3)), np.zeros((3, 3)), np.empty(3)
    for c in range(cuts):
        _end_of_cut(cluster, s, w, c, 0, tail, D)
        _end_of_cut(cluster, s, w, c, 1, head, E)
        square = 0.0
        for k in range(3):
            n[k] = head[0, k] - tail[0, k]
            square += n[k] * n[k]
        length = math.sqrt(square)
        for k in range(3):
            n[k] /= length
            s.units[c, k] = n[k]
            force[c] -= (head[1, k] - tail[1, k]) ** 2 / length + n[k] * (head[2, k] - tail[2, k])
        _gradient(cluster, s, cluster.cuts[1, c], E, n, 1.0, G[c])
        _gradient(cluster, s, cluster.cuts[0, c], D, n, -1.0, G[c])
        for a in range(size):
            s.right[1 + c, a] = G[c, a]
            force[c] -= G[c, a] * free[a]
        solve(cluster.rows, s.H, s.right[1 + c])
    for c in range(cuts):
        force[c] = -force[c]  # G q̈ must change by -S γ
        for e in range(c + 1):
            total = 0.0
            for a in range(size):
                total += G[c, a] * s.right[1 + e, a]
            S[c, e] = S[e, c] = total
    rank = solve_dependent(S, order, force)
    for c in range(cuts):
        gamma[cluster.cuts[2, c]] = force[c]
        for a in range(size):
            free[a] -= force[c] * s.right[1 + c, a]
    return cuts - rank


@kernel
def solve_dependent(S: Floats, order: Ints, b: Floats) -> int:
    """Replace b by a solution of S x = b for S symmetric, not negative, perhaps singular; returns the rank.

    Elimination takes the largest pivot left; rows whose pivot is rounding depend on those before and get x = 0.
    """
    size, rank, largest = len(b), 0, 0.0
    for k in range(size):
        largest = max(largest, S[k, k])
    for k in range(size):
        p = k
        for i in range(k + 1, size):
            if S[i, i] > S[p, p]:
                p = i
        if S[p, p] <= 1e-12 * largest:
            break
        if p != k:
            order[k], order[p], b[k], b[p] = order[p], order[k], b[p], b[k]
            for i in range(size):
                S[k, i], S[p, i] = S[p, i], S[k, i]
            for i in range(size):
                S[i, k], S[i, p] = S[i, p], S[i, k]
        for i in range(k + 1, size):
            scale = S[i, k] / S[k, k]
            for j in range(k + 1, size):
                S[i, j] -= scale * S[k, j]
            b[i] -= scale * b[k]
        rank += 1
    for k in range(size - 1, -1, -1):
        if k >= rank:
            b[k] = 0.0
            continue
        for j in range(k + 1, rank):
            b[k] -= S[k, j] * b[j]
        b[k] /= S[k, k]
    for k in range(size):
        S[0, order[k]] = b[k]
    for k in range(size):
        b[k] = S[0, k]
    return rank


@kernel
def _tree_forces(cluster: Cluster, s: Scratch, qdd: Floats, gamma: Floats) -> None:
    """Accelerations of the bodies, then γ along each c from what the bodies beyond it need."""
    tree = cluster.tree
    for body in cluster.outward:
        _follow(cluster, s, body, qdd, s.a)
    for body in cluster.outward:
        s.outer[body, 2] = 0.0
        for k in range(s.a.shape[0]):
            s.a[k, body] += s.bias[body, k]
            s.outer[body, k] = cluster.mass[body] * s.a[k, body] - s.f[k, body]
    for c in range(cluster.cuts.shape[1]):
        i, j, force = cluster.cuts[0, c], cluster.cuts[1, c], gamma[cluster.cuts[2, c]]
        for k in range(3):
            s.outer[i, k] -= force * s.units[c, k]
            s.outer[j, k] += force * s.units[c, k]
    _sum_inward(cluster, s)
    for body in cluster.outward:
        if tree[ANGLES, body] > 0 and tree[LINK, body] >= 0:
            along = s.c[body, 0] * s.outer[body, 0] + s.c[body, 1] * s.outer[body, 1] + s.c[body, 2] * s.outer[body, 2]
            gamma[tree[LINK, body]] = -along / cluster.length[body]


@kernel
def _solve_tree(cluster: Cluster, s: Scratch, q: Floats, w: Floats) -> None:
    """q̈ of the tree, without what the cut links pull, into the first right-hand side."""
    kinematics(cluster, s, q, w)
    if len(s.power):
        ends, springs = cluster.spring_ends, cluster.springs
        external_forces(Loads(cluster.force, ends[0], ends[1], springs[0], springs[1], springs[2]), s.x, s.v, s.f,
                        s.power)
    else:
        s.f[:, :] = cluster.force
    _assemble(cluster, s, w)
    factor(cluster.rows, s.H)
    solve(cluster.rows, s.H, s.right[0])


@kernel
def _views(arrays: Any) -> tuple[Cluster, Scratch]:
    """The named tuples of what `evaluator` hands over."""
    moving, vectors, frames, power, beyond, d, moment, H, right, units = arrays[_FIELDS:]
    return Cluster(*arrays[:_FIELDS]), Scratch(
        moving[0], moving[1], moving[2], moving[3], power, beyond, vectors[0], vectors[1], vectors[2], frames[0],
        frames[1], vectors[3], frames[2], frames[3], d, moment, H, right, units)


@kernel
def _tree(q: Floats, w: Floats, qdd: Floats, gamma: Floats, *arrays: Any) -> int:
    """Evaluate where there are no cuts. Handing over named tuples from Python would take longer than the work."""
    cluster, s = _views(arrays)
    _solve_tree(cluster, s, q, w)
    qdd[:] = s.right[0]
    _tree_forces(cluster, s, qdd, gamma)
    return 0


@kernel
def _loops(q: Floats, w: Floats, qdd: Floats, gamma: Floats, *arrays: Any) -> int:
    """Evaluate with cuts: apart, because what a tree does not need would double the time it takes to compile."""
    cluster, s = _views(arrays)
    _solve_tree(cluster, s, q, w)
    redundant = _close_loops(cluster, s, w, gamma)
    qdd[:] = s.right[0]
    _tree_forces(cluster, s, qdd, gamma)
    return redundant


def evaluator(cluster: Cluster, scratch: Scratch) -> Callable[[Floats, Floats, Floats, Floats], int]:
    """A function of (q, q̇, q̈, γ) that writes q̈ and γ and returns the number of redundant cuts.

    Afterwards scratch holds positions, velocities, accelerations and forces of the bodies.
    """
    s, evaluate = scratch, _loops if cluster.cuts.shape[1] else _tree
    arrays = (*cluster, s.x.base, s.outer.base, s.R.base, s.power, s.beyond, s.d, s.moment, s.H, s.right, s.units)
    return lambda q, w, qdd, gamma: evaluate(q, w, qdd, gamma, *arrays)


@kernel
def mass_matrix(cluster: Cluster, s: Scratch, q: Floats, w: Floats, M: Floats) -> None:
    """M(q), dense; for looking, not for solving."""
    kinematics(cluster, s, q, w)
    _assemble(cluster, s, w)
    M[:, :] = 0.0
    for b in range(len(q)):
        a = b
        while a >= 0:
            M[a, b] = M[b, a] = s.H[b, cluster.rows[1, a]]
            a = cluster.rows[0, a]


@kernel
def _connect(cluster: Cluster, s: Scratch, body: int, c: Floats, rate: Floats) -> None:
    """The connecting vector c of a body and its rate, from positions, orientations and their rates in scratch."""
    near = cluster.tree[PARENT, body]
    for k in range(s.x.shape[0]):
        c[k], rate[k] = s.x[k, body] - s.x[k, near], s.v[k, body] - s.v[k, near]
    if cluster.tree[TURN, near] >= 0:
        U, V, W = _attached(s.R[near], cluster.u, body)
        A, B, C = _cross(s.omega[near], U, V, W)
        c[0], c[1], c[2], rate[0], rate[1], rate[2] = (c[0] - U, c[1] - V, c[2] - W, rate[0] - A, rate[1] - B,
                                                       rate[2] - C)
    if cluster.tree[TURN, body] >= 0:
        U, V, W = _attached(s.R[body], cluster.e, body)
        A, B, C = _cross(s.omega[body], U, V, W)
        c[0], c[1], c[2], rate[0], rate[1], rate[2] = (c[0] - U, c[1] - V, c[2] - W, rate[0] - A, rate[1] - B,
                                                       rate[2] - C)


@kernel
def choose_charts(cluster: Cluster, s: Scratch) -> None:
    """For x and R in scratch the charts whose polar axes are nearest to a right angle; the first of equals."""
    c, rate = np.zeros(3), np.zeros(3)
    for body in cluster.outward:
        if cluster.tree[ANGLES, body] == 2:
            _connect(cluster, s, body, c, rate)
            best = 0
            for p in range(1, 3):
                if abs(c[(p + 2) % 3]) < abs(c[(best + 2) % 3]):
                    best = p
            cluster.charts[0, body] = best
        if cluster.tree[TURN, body] >= 0:
            best = 0
            for p in range(1, 3):
                if abs(s.R[body, 2, (p + 2) % 3]) < abs(s.R[body, 2, (best + 2) % 3]):
                    best = p
            cluster.charts[1, body] = best


@kernel
def coordinates(cluster: Cluster, s: Scratch, q: Floats, w: Floats) -> None:
    """Coordinates and rates in the charts as they are, from x, v, R and ω in scratch."""
    tree, c, V = cluster.tree, np.zeros(3), np.zeros(3)
    for body in cluster.outward:
        a, t = tree[FIRST, body], tree[TURN, body]
        if tree[PARENT, body] < 0:
            for k in range(s.x.shape[0]):
                q[a + k], w[a + k] = s.x[k, body], s.v[k, body]
        elif tree[ANGLES, body] > 0:
            _connect(cluster, s, body, c, V)
            p = cluster.charts[0, body]
            i, j, k = p, (p + 1) % 3, (p + 2) % 3
            flat = math.hypot(c[i], c[j])
            q[a] = math.atan2(c[j], c[i])
            w[a] = (c[i] * V[j] - c[j] * V[i]) / (flat * flat)
            if tree[ANGLES, body] == 2:
                q[a + 1] = math.atan2(flat, c[k])
                outward = (c[i] * V[i] + c[j] * V[j]) / flat
                w[a + 1] = (c[k] * outward - flat * V[k]) / (flat * flat + c[k] * c[k])
        if t >= 0:
            R, omega, p = s.R[body], s.omega[body], cluster.charts[1, body]
            i, j, k = p, (p + 1) % 3, (p + 2) % 3
            flat = math.hypot(R[2, i], R[2, j])
            q[t], q[t + 1] = math.atan2(R[0, k], -R[1, k]), math.atan2(flat, R[2, k])
            q[t + 2] = math.atan2(R[2, i], R[2, j])
            w[t + 1] = omega[0] * math.cos(q[t]) + omega[1] * math.sin(q[t])
            # across both the line of nodes and the body's polar axis: only ψ̇ sin θ turns there
            along = omega[0] * R[0, k] + omega[1] * R[1, k] + omega[2] * R[2, k]
            w[t] = (omega[2] - along * R[2, k]) / (flat * flat)
            w[t + 2] = along - w[t] * R[2, k]


@kernel
def rechart(cluster: Cluster, s: Scratch, q: Floats, w: Floats) -> None:
    """Go to the best charts: (q, q̇) in the old ones are replaced by those in the new."""
    kinematics(cluster, s, q, w)
    choose_charts(cluster, s)
    coordinates(cluster, s, q, w)


@kernel
def near_pole(cluster: Cluster, q: Floats, least: float) -> bool:
    """Is any sin² β or sin² θ smaller than `least`?"""
    for body in cluster.outward:
        if cluster.tree[ANGLES, body] == 2 and math.sin(q[cluster.tree[FIRST, body] + 1]) ** 2 < least:
            return True
        if cluster.tree[TURN, body] >= 0 and math.sin(q[cluster.tree[TURN, body] + 1]) ** 2 < least:
            return True
    return False
