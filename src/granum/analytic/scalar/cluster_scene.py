"""From a scene to a cluster: which bodies hang on which, what closes loops, and what the loads do to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from granum.analytic import scalar
from granum.analytic.scalar.cluster import Cluster, Scratch
from granum.assembly.assembly import Assembly
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.loads.expressed import arguments_of, express
from granum.model.connections import BallJoint, Hinge
from granum.rows.joint import Joint
from granum.state.table import ANGLE_Z, ROTATION, VX, WX, X, body_table

_JOINS = {2: (BallJoint, Hinge), 3: (BallJoint,)}
"""Constraints that let two bodies share a point and do nothing else, by dimension."""


@dataclass(frozen=True)
class Connection:
    """A link between points of two bodies; of length 0 it is a joint at which they share a point."""

    joint: Joint
    ends: tuple[int, int]
    arms: tuple[Floats, Floats]
    """From the mass centres to the points, body axes [m]; zero at a fixed point."""
    length: float


@dataclass(frozen=True)
class Layout:
    """The spanning tree of a scene and what closes its loops."""

    names: tuple[str, ...]
    """Bodies and fixed points, as the cluster numbers them."""
    parent: list[int]
    tree: dict[int, Connection]
    """The connection into each body that hangs on another."""
    cuts: list[Connection]

    def outer_end(self, body: int) -> int:
        """Which end of the connection into a body is at the body: 0 or 1."""
        return 1 if self.tree[body].ends[1] == body else 0

    def cut_rows(self, dimension: int) -> list[tuple[Connection, int]]:
        """What closes loops, row by row: a link has the axis -1, a joint one row for each axis."""
        return [(cut, axis) for cut in self.cuts for axis in (range(dimension) if cut.length == 0.0 else [-1])]

    def row_names(self, dimension: int) -> list[str]:
        """Names of these rows."""
        return [cut.joint.name if axis < 0 else f"{cut.joint.name}.{'xyz'[axis]}"
                for cut, axis in self.cut_rows(dimension)]


def layout_of(assembly: Assembly) -> Layout:
    """Spanning tree and cuts; anything but links and joints at points is refused by name."""
    names = tuple(assembly.scene.body)
    parent, tree, cuts = _spanning(_connections(assembly, names), [name in assembly.fixed for name in names])
    return Layout(names, parent, tree, cuts)


def _connections(assembly: Assembly, names: Sequence[str]) -> list[Connection]:
    scene, system = assembly.scene, assembly.scene.system
    other = [name for name, entry in scene.constraint.items() if not isinstance(entry, _JOINS[assembly.dimension])]
    massless = [name for name, body in assembly.bodies.items() if body.massless]
    formulas = bool(system.coordinates or system.forces or system.kinetic or system.mass) or system.potential != "0"
    if other or massless or formulas or scene.surface:
        what = ", ".join([*other, *massless]) or "formulas or surfaces"
        points = "hinges" if assembly.dimension == 2 else "ball joints"
        raise GranumError(f"scalar supports bodies joined by links and {points}, but this scene has {what}. Use "
                          "fundamental, gibbs-appell or lagrange.")
    connections = []
    for joint in assembly.joints:
        one, two = ((names.index(end.name.partition(".")[0]), np.zeros(3) if end.body.kind == "ground" else end.arm)
                    for end in (joint.one, joint.two))
        connections.append(Connection(joint, (one[0], two[0]), (one[1], two[1]),
                                      joint.length or 0.0))
    return connections


def _spanning(
    connections: list[Connection], fixed: Sequence[bool],
) -> tuple[list[int], dict[int, Connection], list[Connection]]:
    """Parents, the connection into each body, and those that close loops; joints at points join the tree first."""
    count = len(fixed)
    parent, tree, left = [-1] * count, dict[int, Connection](), sorted(connections, key=lambda c: c.length > 0.0)
    reached = set(np.flatnonzero(fixed).tolist())
    for root in [-1, *range(count)]:
        if root >= 0 and root not in reached:
            reached.add(root)
        growing = True
        while growing:
            growing = False
            for connection in left:
                i, j = connection.ends
                if (i in reached) != (j in reached):
                    near, far = (i, j) if i in reached else (j, i)
                    parent[far], tree[far] = near, connection
                    reached.add(far)
                    left.remove(connection)
                    growing = True
                    break
    return parent, tree, left


def prepare(assembly: Assembly, layout: Layout) -> tuple[Cluster, Scratch]:
    """Arrays of points and rigid bodies joined by links and joints at points; `ClusterLoads` writes their loads."""
    count, dimension = len(layout.names), assembly.dimension
    mass, inertia, anchors = np.full(count, np.inf), np.zeros((count, 3, 3)), np.zeros((dimension, count))
    for k, name in enumerate(layout.names):
        if name in assembly.fixed:
            anchors[:, k] = assembly.fixed[name][:dimension]
        else:
            mass[k] = assembly.bodies[name].mass
            inertia[k] = assembly.bodies[name].inertia if assembly.bodies[name].rotates else 0.0
    _refuse_without_inertia(assembly, layout)
    length, u, e = np.zeros(count), np.zeros((count, 3)), np.zeros((count, 3))
    for k, connection in layout.tree.items():
        far = layout.outer_end(k)
        length[k], u[k], e[k] = connection.length, connection.arms[1 - far], -connection.arms[far]
    rows = layout.cut_rows(dimension)
    cuts = [[*cut.ends, count + k, axis] for k, (cut, axis) in enumerate(rows)]
    return scalar.prepare_cluster(
        layout.parent, mass, length, dimension=dimension, inertia=inertia, u=u, e=e, force=np.zeros((dimension, count)),
        moment=np.zeros((count, 3)), anchors=anchors, cuts=np.array(cuts, dtype=np.int64).reshape(-1, 4).T,
        arms=np.array([cut.arms for cut, _ in rows]).reshape(-1, 2, 3))


def _refuse_without_inertia(assembly: Assembly, layout: Layout) -> None:
    """Refuse what cannot have the angles of this formulation, by name."""
    for name, body in assembly.bodies.items():
        if assembly.dimension == 3 and body.thin:
            raise GranumError(f"{name} has no inertia about its axis, so that its Euler angles are not determined. "
                              "Give it a radius, or use fundamental.")
    for k, connection in layout.tree.items():
        if connection.length == 0.0 and not assembly.bodies[layout.names[k]].rotates:
            raise GranumError(f"{connection.joint.name} holds the point mass {layout.names[k]} at a point of another "
                              "body, which leaves it no angle. Make it a sphere of a clump, or use fundamental.")


class ClusterLoads:
    """Forces on the mass centres and moments on the bodies of a cluster, from the formulas of all loads."""

    def __init__(self, assembly: Assembly, layout: Layout, cluster: Cluster, scratch: Scratch) -> None:
        bodies = assembly.rows.bodies
        self._cluster, self._scratch = cluster, scratch
        self._own = [layout.names.index(body.name) for body in bodies]
        """Number in the cluster of each body of the table."""
        self._expressed = express(assembly.loads, bodies, assembly.dimension == 2)
        self._table = body_table(len(bodies))
        self.powers = np.zeros(len(self._expressed.works))
        """Power of each agent whose work is integrated, in the state of the last evaluation [W]."""
        self.apply(0.0, np.zeros(len(layout.names)))

    @property
    def varies(self) -> bool:
        """Have they to be applied in every state, or do they stay as they are?"""
        return self._expressed.varies

    def take(self, values: dict[str, float]) -> None:
        """Take new values of what may change between steps."""
        for name, place in self._expressed.inputs.items():
            self._expressed.data[place] = values.get(name, self._expressed.data[place])

    def apply(self, t: float, angle: Floats) -> None:
        """Write forces, moments and powers for positions and velocities in scratch; `angle` by body, in 2-D."""
        expressed, s, own, dimension = self._expressed, self._scratch, self._own, self._scratch.x.shape[0]
        if expressed.program is None:
            return
        table, total, n = self._table, np.zeros((len(own), 6)), len(own)
        table.pose[:n, X : X + dimension], table.motion[:n, VX : VX + dimension] = s.x[:, own].T, s.v[:, own].T
        table.derived[:n, ROTATION : ROTATION + 9] = s.R[own].reshape(-1, 9)
        table.motion[:n, WX : WX + 3], table.derived[:n, ANGLE_Z] = s.omega[own], angle[own]
        values = expressed.program(t, arguments_of(table, n), expressed.data)
        first = len(expressed.stores)
        self.powers[:] = values[first : first + len(self.powers)]
        np.add.at(total, expressed.bodies, values[first + len(self.powers) :].reshape(-1, 6))
        self._cluster.force[:, own] = total[:, :dimension].T
        self._cluster.moment[own] = total[:, 3:]
