"""Bodies and the rows between them as tables, with the operations that all formulations and solvers need."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy

from granum.algebra.compiled import Compiled
from granum.base.kernels import Floats, Ints
from granum.base.pointers import call, pack_block
from granum.rows import tables
from granum.rows.body import Body
from granum.rows.evaluation import configuration
from granum.rows.joint import AXES, Joint
from granum.rows.tables import Tables
from granum.state.table import IM, IN_BODY, INVERSE, INVERSE_IN_BODY, BodyTable, body_table, matrix_of, six_of


@dataclass
class RowSystem:
    """Bodies, joints and their rows, with tables that hold one state at a time."""

    dimension: int
    bodies: list[Body]
    """Movable bodies, in the order of the state."""
    joints: list[Joint]
    motions: Compiled | None
    """Formulas of the drives; they must live as long as their address is used."""
    first: Ints
    """First row of each joint, and the number of rows."""
    tables: Tables
    block: Floats

    @property
    def steering(self) -> dict[str, int]:
        """Places in `tables.steering` of what a user may add to the motions of drives, by name."""
        names = [name for joint in self.joints for name in joint.steering]
        return {name: k for k, name in enumerate(names)}

    @property
    def row_count(self) -> int:
        """Number of rows."""
        return len(self.tables.which)

    def closing(self) -> Floats:
        """1 for each row that the initial configuration must fit: not drives, which count from it, nor links as long
        as it makes them.
        """
        own = [not (joint.driven or joint.by_start) for joint in self.joints]
        rows: Floats = np.repeat(np.array(own, dtype=float), np.diff(self.first))
        return rows

    @property
    def stride(self) -> int:
        """Numbers of state per body."""
        return tables.PLANE if self.dimension == 2 else tables.SPACE

    @property
    def half(self) -> int:
        """Velocities per body: three in 2-D, six in 3-D."""
        return 3 if self.dimension == 2 else 6

    @property
    def slides(self) -> bool:
        """Is there sliding friction, so that D differs from J?"""
        return any(joint.friction is not None for joint in self.joints)

    def configure(self, y: Floats, t: float = 0.0) -> None:
        """Bodies and rows of a state into the tables."""
        if self.bodies:  # without bodies nothing is compiled
            call(configuration, t, y, y, self.block)

    def own(self, y: Floats, body: Body) -> Floats:
        """Numbers of a body in a state."""
        return y[body.index * self.stride : (body.index + 1) * self.stride]

    def start(self) -> Floats:
        """The state of the start of all bodies."""
        states: list[list[float]] = []
        for body in self.bodies:
            assert body.position is not None
            x, v, w = body.position, body.velocity, body.angular_velocity
            if self.dimension == 2:
                states.append([*x[:2], body.angle, *v[:2], body.inertia[2, 2] * w[2]])
            else:
                momentum = body.rotation @ body.inertia @ body.rotation.T @ w
                states.append([*x, *body.quaternion, *v, *momentum])
        return np.array(states, dtype=float).ravel()

    def size(self) -> float:
        """A length of the scene [m]."""
        arms = float(np.abs(self.tables.joints[:, tables.ARM : tables.REACH]).max(initial=0.0))
        return max([1e-3, arms, *(float(np.abs(body.position).max()) for body in self.bodies
                                  if body.position is not None)])

    def length(self) -> float:
        """The length by which moments are compared with forces [m]: the largest distance of a joint or a mass centre
        from their mean position, at the start; 1 m where all are in one point.
        """
        points = [body.position for body in self.bodies if body.position is not None]
        points += [end.start for joint in self.joints for end in (joint.one, joint.two)
                   if end.body.position is not None]
        if not points:
            return 1.0
        apart = np.array(points) - np.mean(points, axis=0)
        return float(np.linalg.norm(apart, axis=1).max()) or 1.0

    def copy(self, turns: int = 0, stores: int = 0, works: int = 0) -> RowSystem:
        """The same with tables of its own, and room for counted angles, potential energies and works."""
        bodies = BodyTable._make(group.copy() for group in self.tables.bodies)
        arrays = {name: array.copy() for name, array in self.tables._asdict().items() if name != "bodies"}
        own = Tables(**{**arrays, "bodies": bodies, "body_block": pack_block(bodies),
                        "figures": np.zeros(tables.FIGURES + stores + works)})
        own.shape[tables.TURNS], own.shape[tables.WORKS] = turns, works
        return replace(self, tables=own, block=pack_block(own))

    def jacobian(self, weighed: bool = False) -> scipy.sparse.csr_array:
        """J of the state in the tables: rows by velocities (v, ω) of the bodies; in 2-D (v_x, v_y, ω).

        With `weighed` J M⁻¹, as the last elimination has made it.
        """
        own, half = self.tables, self.half
        n, m = len(self.bodies), len(own.which)
        ends = own.ends[own.which[:, tables.JOINT]]
        columns = (ends[:, :, None] * half + np.arange(half)).reshape(m, 2 * half)
        begin = tables.J + (2 * half if weighed else 0)
        values = own.rows[:, begin : begin + 2 * half]
        inside = columns < n * half
        rows = np.broadcast_to(np.arange(m)[:, None], columns.shape)
        return scipy.sparse.csr_array((values[inside], (rows[inside], columns[inside])), shape=(m, n * half))

    def masses(self, missing: float = 0.0) -> scipy.sparse.csr_array:
        """M of the state in the tables, block by block.

        `missing` [m²] times the mass stands for moments of inertia that are not there.
        """
        blocks = []
        for body in self.bodies:
            R = self.tables.bodies.rotation(body.index)
            inertia = R @ body.inertia @ R.T
            if not body.rotates:
                inertia = inertia + missing * body.mass * np.eye(3)
            elif body.thin:  # about its own axis alone: the other moments count
                axis = R @ np.linalg.eigh(body.inertia)[1][:, 0]
                inertia = inertia + missing * body.mass * np.outer(axis, axis)
            blocks.append(self._block(body.mass, inertia))
        return scipy.sparse.block_diag(blocks, format="csr")

    def inverse_masses(self) -> scipy.sparse.csr_array:
        """M⁻¹ of the state in the tables."""
        rows = (self.tables.bodies.motion[body.index] for body in self.bodies)
        return scipy.sparse.block_diag([
            self._block(own[IM], matrix_of(own[INVERSE : INVERSE + 6])) for own in rows], format="csr")

    def _block(self, mass: float, inertia: Floats) -> Floats:
        if self.dimension == 2:
            return np.diag([mass, mass, inertia[2, 2]])
        return np.block([[mass * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), inertia]])

    def wrenches(self, multiplier: Floats, sliding: bool = False) -> Floats:
        """(joints, 6): force and moment on the second bodies at their points, of the state in the tables.

        With `sliding` those of D, which friction is part of.
        """
        half, own = self.half, self.tables
        total = np.zeros((len(self.joints), 6))
        if not len(multiplier):
            return total
        begin = tables.J + (5 if sliding else 1) * half
        acting = np.zeros((len(multiplier), 6))
        acting[:, [0, 1, 5] if half == 3 else range(6)] = own.rows[:, begin : begin + half] * multiplier[:, None]
        total[:] = np.add.reduceat(acting, self.first[:-1], axis=0)
        total[:, 3:] -= np.cross(own.joints[:, tables.REACH + 3 : tables.REACH + 6], total[:, :3])
        return total

    def coordinate_names(self) -> list[str]:
        """Positions and quaternions, or angles, as formulas call them."""
        names = []
        for body in self.bodies:
            own = symbol_name(body.name)
            names += [f"{own}.{axis}" for axis in AXES[: self.dimension]]
            if body.rotates:
                names += [f"{own}.angle"] if self.dimension == 2 else [f"{own}.u{k}" for k in range(4)]
        return names


def symbol_name(name: str) -> str:
    """A body's name in formulas, where `-` is a sign: `bob-1` is `bob_1`."""
    return name.replace("-", "_")


def make_row_system(dimension: int, bodies: list[Body], joints: list[Joint], motions: Compiled | None) -> RowSystem:
    """Tables of bodies and joints."""
    rows = [row for joint in joints for row in joint.rows]
    n, m, planar = len(bodies), len(rows), dimension == 2
    first = np.concatenate([[0], np.cumsum([len(joint.rows) for joint in joints])]).astype(np.int64)
    ends = np.array([[joint.one.body.index % (n + 1), joint.two.body.index % (n + 1)] for joint in joints],
                    dtype=np.int64).reshape(-1, 2)
    row_joint = np.repeat(np.arange(len(joints)), np.diff(first))
    which = np.column_stack([row_joint, [row.element for row in rows], [row.drive for row in rows]]).astype(np.int64)
    sets = 6 if any(joint.friction is not None for joint in joints) else 4
    numbers = np.zeros((m, tables.J + sets * (3 if planar else 6)))
    numbers[:, : tables.J] = np.array([[*row.u, *row.w, *row.p, row.offset] for row in rows]).reshape(m, tables.J)
    arms = np.zeros((len(joints), tables.JOINT_WIDTH))
    arms[:, : tables.REACH] = np.array([[*joint.one.arm, *joint.two.arm] for joint in joints]).reshape(-1, 6)
    shape = np.zeros(tables.SHAPE, dtype=np.int64)
    shape[tables.BODIES], shape[tables.PLANAR] = n, planar
    drives = 0
    if motions is not None:
        shape[tables.DRIVES], drives = motions.address, sum(row.drive >= 0 for row in rows)
    table = _body_table(bodies, planar)
    own = Tables(shape, np.zeros(tables.FIGURES), table, pack_block(table), arms, ends, numbers, which, np.zeros(m),
                 np.zeros(m), np.zeros(m), np.zeros(m), np.zeros(max(1, tables.DRIVE_WIDTH * drives)),
                 np.zeros(1 + sum(len(joint.steering) for joint in joints)))
    return RowSystem(dimension, bodies, joints, motions, first, own, pack_block(own))


def _body_table(bodies: list[Body], planar: bool) -> BodyTable:
    """Constants of all bodies, with the ground at rest in the last row."""
    table = body_table(len(bodies))
    for body in bodies:
        inverse = six_of(body.inverse_inertia(planar))
        table.motion[body.index, IM] = 1.0 / body.mass
        table.motion[body.index, INVERSE : INVERSE + 6] = inverse
        table.inertia[body.index, IN_BODY : IN_BODY + 6] = six_of(body.inertia)
        table.inertia[body.index, INVERSE_IN_BODY : INVERSE_IN_BODY + 6] = inverse
    return table
