"""A tree of rigid bodies made of spheres as arrays, and what the kernels of `scalar` write on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from granum.assembly.points.point_system import Loads
from granum.base.errors import GranumError
from granum.base.kernels import Flags, Floats, Ints, kernel

PARENT, ABOVE, FIRST, ANGLES, EULER, COUNT, LINK = range(7)
"""Rows of Cluster.tree."""
BEFORE, DEPTH = range(2)
"""Rows of Cluster.rows."""
DIRECTION, ORIENTATION = range(2)
"""Rows of Cluster.charts."""
TAIL, HEAD, FORCE, AXIS = range(4)
"""Rows of Cluster.cuts; the first two also of Cluster.spring_ends."""
STIFFNESS, REST_LENGTH, DAMPING = range(3)
"""Rows of Cluster.springs."""


@kernel
def angles_of_rotation(dimension: int) -> int:
    """How many angles orient a body: ψ, θ, φ in 3-D, one in 2-D."""
    return 2 * dimension - 3


class Cluster(NamedTuple):
    """All that is constant, as plain arrays; over bodies (fixed points included) unless said otherwise."""

    tree: Ints
    """(7, bodies): PARENT the body before (-1: none); ABOVE likewise, but -1 also where that is fixed; the FIRST
    coordinate; ANGLES of the direction of c (0, 1 in 2-D, 2); EULER the first angle of rotation (-1: none); COUNT of
    coordinates; LINK the index of its force in γ (-1: none)."""
    outward: Ints
    """Movable bodies, each after its parent."""
    rows: Ints
    """(2, coordinates): the coordinate BEFORE on the path to the root (-1: none), and the DEPTH, the number of those
    before."""
    charts: Ints
    """(2, bodies): chart of the DIRECTION, chart of the ORIENTATION. Changed by choose_charts alone."""
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
    """(dimension, bodies): forces on the mass centres [N]; springs between points come on top."""
    moment: Floats
    """(bodies, 3): moments about the mass centres, inertial axes [N m]."""
    spring_ends: Ints
    """(2, springs): TAIL and HEAD."""
    springs: Floats
    """(3, springs): STIFFNESS [N/m], REST_LENGTH [m], DAMPING [N s/m]."""
    cuts: Ints
    """(4, cuts): TAIL and HEAD of what closes loops, the index of its FORCE in γ, and the AXIS along which it keeps two
    points together (-1: a link, which keeps its length)."""
    arms: Floats
    """(cuts, 2, 3): from the mass centres of tail and head to the ends of the cut link, their axes [m]."""


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
    """(bodies, 3, 3): rows are the axes about which ψ, θ, φ rotate."""
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
    force: Floats | None = None, moment: Floats | None = None, anchors: Floats | None = None,
    springs: Loads | None = None, links: Ints | None = None, cuts: Ints | None = None, arms: Floats | None = None,
) -> tuple[Cluster, Scratch]:
    """Arrays of a tree of rigid bodies (points where the inertia is zero).

    Args:
        parent: body before each on the path from the root; -1 for a fixed point and for the root of a free tree.
        mass: [kg]; infinite for a fixed point.
        length: |c| [m]; 0 where two spheres have one centre (a ball joint: then the direction has no angles).
        dimension: 2 or 3.
        inertia: (bodies, 3, 3), central, body axes [kg m²]; in 2-D only that about z counts.
        u, e: (bodies, 3), axes of the parent and of the body [m].
        force: (dimension, bodies), forces on the mass centres [N]; shared, so that they may change between steps.
        moment: (bodies, 3), moments on the bodies in inertial axes [N m]; shared likewise.
        anchors: (dimension, bodies), positions of the fixed points [m]; left out, all in the origin.
        springs: springs between mass centres; their `force` is not read.
        links: index of the force of each connection in γ; left out, that of the body.
        cuts: (4, cuts): tail and head of what closes loops, the index of its force in γ, and the axis along which it
            keeps two points together, -1 for a link.
        arms: (cuts, 2, 3): ends of the cut links in the axes of their bodies [m]; left out, the mass centres.
    """
    count = len(parent)
    inertia = np.zeros((count, 3, 3)) if inertia is None else np.array(inertia, dtype=float)
    rigid: Flags = np.any(inertia != 0.0, axis=(1, 2))
    masses, before = np.array(mass, dtype=float), np.array(parent, dtype=np.int64)
    vectors = [np.zeros((count, 3)) if given is None else np.array(given, dtype=float) for given in (u, e)]
    closing = np.zeros((4, 0), dtype=np.int64) if cuts is None else np.array(cuts, dtype=np.int64)
    ends = np.zeros((closing.shape[1], 2, 3)) if arms is None else np.array(arms, dtype=float)
    _check(before, masses, np.asarray(length, dtype=float), dimension, inertia, *vectors)
    tree, outward, rows = _layout(before, masses, np.asarray(length, dtype=float), dimension, rigid)
    if links is not None:
        tree[LINK] = links
    loads = springs or Loads(np.zeros((dimension, count)), *np.zeros((2, 0), dtype=np.int64), *np.zeros((3, 0)))
    cluster = Cluster(
        tree=tree, outward=outward, rows=rows, charts=np.zeros((2, count), dtype=np.int64), mass=masses,
        inertia=inertia, length=np.array(length, dtype=float), u=vectors[0], e=vectors[1],
        force=np.zeros((dimension, count)) if force is None else np.ascontiguousarray(force, dtype=float),
        moment=np.zeros((count, 3)) if moment is None else np.ascontiguousarray(moment, dtype=float),
        spring_ends=np.array([loads.tail, loads.head]),
        springs=np.array([loads.stiffness, loads.rest_length, loads.damping]), cuts=closing, arms=ends,
    )
    return cluster, _scratch(cluster, dimension, anchors)


def _scratch(cluster: Cluster, dimension: int, anchors: Floats | None) -> Scratch:
    bodies, size, springs = len(cluster.mass), cluster.rows.shape[1], cluster.springs.shape[1]
    deepest = int(cluster.rows[DEPTH].max(initial=-1)) + 1
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
        where, near, fixed = f"body {body} of the cluster", parent[body], np.isinf(mass[body])
        rigid, tensor = inertia[body].any(), inertia[body]
        if not mass[body] > 0.0:
            raise GranumError(f"{where}: found mass {mass[body]:g}, but a mass must be positive (infinite for a fixed "
                              "point).")
        if fixed and near >= 0:
            raise GranumError(f"{where} is fixed and cannot hang on body {near}. Give it the parent -1.")
        if rigid and fixed:
            raise GranumError(f"{where} has inertia, but bodies that are fixed are points here. Use zero inertia.")
        if rigid and dimension == 2 and not tensor[2, 2] > 0.0:
            raise GranumError(f"{where}: found inertia {tensor[2, 2]:g} about z, but it must be positive in 2-D, or "
                              "all zero for a point.")
        if rigid and dimension == 3 and (not np.allclose(tensor, tensor.T) or np.linalg.eigvalsh(tensor)[0] <= 0.0):
            raise GranumError(f"{where}: its inertia must be symmetric and positive definite, or zero for a point.")
        if not rigid and e[body].any():
            raise GranumError(f"{where} is a point and has no e. Give it inertia, or e = 0.")
        if near >= 0 and u[body].any() and not inertia[near].any():
            raise GranumError(f"{where} hangs on a point, which has no u. Give body {near} inertia, or u = 0.")
        if near >= 0 and not (length[body] > 0.0 or (length[body] == 0.0 and rigid)):
            raise GranumError(f"{where}: found length {length[body]:g}; it must be positive (a rigid body may have 0).")


def _layout(
    parent: Ints, mass: Floats, length: Floats, dimension: int, rigid: Flags
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
            raise GranumError(f"body {body} of the cluster is on a path without a root.")
        for n, met in enumerate(reversed(path)):
            depth[met] = n + (0 if at < 0 else depth[at] + 1)
    order = np.argsort(depth, kind="stable")
    outward = order[np.isfinite(mass[order])]
    tree = np.full((LINK + 1, count), -1)
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
        if rigid[body]:
            tree[EULER, body] = size + own
            own += angles_of_rotation(dimension)
        tree[COUNT, body] = own
        above = tree[ABOVE, body]
        before += [tree[FIRST, above] + tree[COUNT, above] - 1 if above >= 0 else -1] if own else []
        before += range(size, size + own - 1)
        size += own
    levels = np.zeros(size, dtype=np.int64)
    for a, previous in enumerate(before):
        levels[a] = levels[previous] + 1 if previous >= 0 else 0
    return tree, outward, np.array([before, levels], dtype=np.int64).reshape(2, size)
