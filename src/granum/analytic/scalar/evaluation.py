"""q̈ and link forces of a state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from granum.analytic.scalar.cluster import (
    ANGLES,
    DAMPING,
    FORCE,
    HEAD,
    LINK,
    REST_LENGTH,
    STIFFNESS,
    TAIL,
    Cluster,
    Scratch,
)
from granum.analytic.scalar.kinematics import along_path, kinematics
from granum.analytic.scalar.loops import close_loops
from granum.analytic.scalar.mass_matrix import assemble, factor, solve, sum_inward
from granum.assembly.points.forces import external_forces
from granum.assembly.points.point_system import Loads
from granum.base.arrays import copy, copy_rows
from granum.base.kernels import Floats, kernel

_FIELDS = len(Cluster._fields)


@kernel
def _tree_forces(cluster: Cluster, s: Scratch, qdd: Floats, gamma: Floats) -> None:
    """Accelerations of the bodies, then γ along each c from what the bodies beyond it need."""
    tree = cluster.tree
    for body in cluster.outward:
        along_path(cluster, s, body, qdd, s.a)
    for body in cluster.outward:
        s.outer[body, 2] = 0.0
        for k in range(s.a.shape[0]):
            s.a[k, body] += s.bias[body, k]
            s.outer[body, k] = cluster.mass[body] * s.a[k, body] - s.f[k, body]
    for c in range(cluster.cuts.shape[1]):
        i, j, force = cluster.cuts[TAIL, c], cluster.cuts[HEAD, c], gamma[cluster.cuts[FORCE, c]]
        for k in range(3):
            s.outer[i, k] -= force * s.units[c, k]
            s.outer[j, k] += force * s.units[c, k]
    sum_inward(cluster, s)
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
        loads = Loads(cluster.force, ends[TAIL], ends[HEAD], springs[STIFFNESS], springs[REST_LENGTH], springs[DAMPING])
        external_forces(loads, s.x, s.v, s.f, s.power)
    else:
        copy_rows(cluster.force, s.f)
    assemble(cluster, s, w)
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
    copy(s.right[0], qdd)
    _tree_forces(cluster, s, qdd, gamma)
    return 0


@kernel
def _loops(q: Floats, w: Floats, qdd: Floats, gamma: Floats, *arrays: Any) -> int:
    """Evaluate with cuts: apart, because what a tree does not need would double the time it takes to compile."""
    cluster, s = _views(arrays)
    _solve_tree(cluster, s, q, w)
    redundant = close_loops(cluster, s, w, gamma)
    copy(s.right[0], qdd)
    _tree_forces(cluster, s, qdd, gamma)
    return redundant


@kernel
def _kinematics(q: Floats, w: Floats, *arrays: Any) -> None:
    cluster, s = _views(arrays)
    kinematics(cluster, s, q, w)


def _handed_over(cluster: Cluster, s: Scratch) -> tuple[Any, ...]:
    """Arrays that kernels called from Python get one by one."""
    return (*cluster, s.x.base, s.outer.base, s.R.base, s.power, s.beyond, s.d, s.moment, s.H, s.right, s.units)


def mover(cluster: Cluster, scratch: Scratch) -> Callable[[Floats, Floats], None]:
    """A function of (q, q̇) that writes positions, velocities and orientations of the bodies to scratch."""
    arrays = _handed_over(cluster, scratch)
    return lambda q, w: _kinematics(q, w, *arrays)


def evaluator(cluster: Cluster, scratch: Scratch) -> Callable[[Floats, Floats, Floats, Floats], int]:
    """A function of (q, q̇, q̈, γ) that writes q̈ and γ and returns the number of redundant cuts.

    Afterwards scratch holds positions, velocities, accelerations and forces of the bodies.
    """
    evaluate, arrays = _loops if cluster.cuts.shape[1] else _tree, _handed_over(cluster, scratch)
    return lambda q, w, qdd, gamma: evaluate(q, w, qdd, gamma, *arrays)
