"""scalar for rigid bodies: clusters of bodies whose spheres touch, slide and roll on each other (Vinogradov).

The motion is computed in the angles of `scalar` (two for each connecting vector, three Euler angles for each body
with inertia) and given in the coordinates of the scene's formulas, so that it stands beside the other formulations.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from granum.analytic import scalar
from granum.analytic.build import Built
from granum.analytic.expressed_equations import ExpressedEquations
from granum.analytic.row_equations import SINGULAR
from granum.analytic.scalar.cluster import EULER, Cluster, Scratch
from granum.analytic.shown.derivation import Derivation
from granum.analytic.singular_positions import WeakestRows
from granum.assembly.assembly import Assembly
from granum.base.callbacks import UNCHANGED, Callback
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.rotations import quaternion_of, rotation_of
from granum.loads import force
from granum.model.connections import BallJoint
from granum.model.loads import Force, Gravity

_POLE = 0.02
"""sin² of a polar angle below which the charts are left within a run; the best of three has 2/3 at least."""
_AT_POLE = 10


@dataclass(frozen=True)
class Connection:
    """A link between points of two bodies; of length 0 it is a ball joint."""

    name: str
    ends: tuple[int, int]
    arms: tuple[Floats, Floats]
    """From the mass centres to the points, body axes [m]."""
    length: float


class ClusterEquations(ExpressedEquations):
    """Scalar equations of a tree of rigid bodies and points, cut links closing its loops."""

    formulation = "scalar"
    chooses_again = True

    def __init__(self, built: Built, start: tuple[Floats, Floats]) -> None:
        super().__init__(built.system, start)
        assembly = built.assembly
        self.names = list(assembly.scene.body)
        connections = connections_of(assembly, self.names)
        self.cluster, self.scratch = prepare(assembly, self.names, connections)
        self._run = scalar.evaluator(self.cluster, self.scratch)
        self.size = self.cluster.rows.shape[1]
        self._gamma = np.zeros(max(1, len(self.names) + self.cluster.cuts.shape[1]))
        index = {name: k for k, name in enumerate(self.coordinates)}
        self._x = [[index.get(f"{n.replace('-', '_')}.{axis}", -1) for axis in "xyz"] for n in self.names]
        self._u = [[index.get(f"{n.replace('-', '_')}.u{k}", -1) for k in range(4)] for n in self.names]
        self._block = np.zeros(1)
        self.rates = Callback(self._rates, 2 * self.size)
        self._follow = Callback(self._passed, 2 * self.size)
        self._weakest = WeakestRows(self._free_rows(*start)) if self.cluster.cuts.shape[1] else None
        self._shortest = min((c.length for c in connections if c.length > 0.0), default=1.0)
        self._met: float | None = None
        """Time of a singular position."""

    @property
    def block(self) -> Floats:
        """Nothing: the right-hand side knows its arrays."""
        return self._block

    def angles(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Angles and their rates of a state, in charts chosen there."""
        s = self.scratch
        for body in self.cluster.outward:
            for k in range(3):
                s.x[k, body], s.v[k, body] = q[self._x[body][k]], v[self._x[body][k]]
            if self.cluster.tree[EULER, body] >= 0:
                u, rate = q[self._u[body]], v[self._u[body]]
                s.R[body] = rotation_of(u.tolist())
                s.omega[body] = s.R[body] @ (2.0 * _rate_matrix(u) @ rate)
        scalar.choose_charts(self.cluster, s)
        angles, rates = np.zeros(self.size), np.zeros(self.size)
        scalar.coordinates(self.cluster, s, angles, rates)
        return angles, rates

    def pack(self, q: Floats, v: Floats, t: float, work: Floats) -> Floats:
        """(angles, their rates) of a state; loads and joints here have potentials or do no work."""
        if self._weakest is not None:
            self._weakest.begin(self._free_rows(q, v, t), t)
        return np.concatenate([*self.angles(q, v), work])

    def unpack(self, y: Floats, t: float) -> tuple[Floats, Floats, Floats]:
        """Coordinates and rates of the formulas, and no works."""
        s, n = self.scratch, self.size
        scalar.kinematics(self.cluster, s, y[:n], y[n : 2 * n])
        q, v = np.zeros(len(self.coordinates)), np.zeros(len(self.coordinates))
        for body in self.cluster.outward:
            for k in range(3):
                q[self._x[body][k]], v[self._x[body][k]] = s.x[k, body], s.v[k, body]
            if self.cluster.tree[EULER, body] >= 0:
                u = quaternion_of(s.R[body])
                q[self._u[body]] = u
                v[self._u[body]] = 0.5 * _rate_matrix(u).T @ (s.R[body].T @ s.omega[body])
        return q, v, y[2 * n :].copy()

    def _rates(self, t: float, y: Floats, dy: Floats) -> int:
        n = self.size
        if scalar.near_pole(self.cluster, y[:n], _POLE):
            return _AT_POLE
        dy[:n] = y[n:]
        self._run(y[:n], y[n:], dy[n:], self._gamma)
        return 0

    def reraise(self) -> None:
        """Raise what went wrong in a function that compiled code called."""
        self.rates.reraise()
        self._follow.reraise()

    def correcting(self, positions: bool, velocities: bool) -> int:
        """Angles need no corrections; where there are cuts, every step is examined for singular positions."""
        return 0 if self._weakest is None else self._follow.address

    def _free_rows(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """Constraint rows by velocities and angular velocities, which do not depend on the sign of a quaternion."""
        silent = {constraint.name for constraint in self.system.constraints if constraint.silent}
        A = self.system.check(q, v, t)[2][[row.constraint not in silent for row in self.system.rows]]
        columns = [A[:, [k for k in self._x[body] if k >= 0]] for body in self.cluster.outward]
        columns += [A[:, self._u[body]] @ (0.5 * _rate_matrix(q[self._u[body]]).T) for body in self.cluster.outward
                    if self.cluster.tree[EULER, body] >= 0]
        return np.hstack(columns)

    def _passed(self, t: float, y: Floats, dy: Floats) -> int:
        """After a step: has it met or passed a singular position?"""
        assert self._weakest is not None
        q, v, _ = self.unpack(y, t)
        value, _, A = self.system.check(q, v, t)
        off = np.abs(value) / np.maximum(np.linalg.norm(A, axis=1), 1e-300)  # as a displacement [m]
        self._met = self._weakest.passed(self._free_rows(q, v, t), float(off.max()) / self._shortest, t)
        return UNCHANGED if self._met is None else SINGULAR

    def is_singular(self, q: Floats, v: Floats, t: float) -> bool:
        """A position that `_passed` has met is."""
        return self._met is not None

    def singular_position(self, q: Floats, v: Floats, t: float) -> str:
        """As everywhere, with the time at which the step passed the position."""
        return super().singular_position(q, v, t if self._met is None else self._met)

    def accelerations(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """q̈ of the formulas' coordinates from the second derivatives of the angles."""
        s, qdd = self.scratch, np.zeros(self.size)
        angles, rates = self.angles(np.asarray(q, dtype=float), np.asarray(v, dtype=float))
        self._run(angles, rates, qdd, self._gamma)
        second = np.zeros(len(self.coordinates))
        for body in self.cluster.outward:
            second[self._x[body]] = s.a[:, body]
            first = self.cluster.tree[EULER, body]
            if first >= 0:
                u, rate = q[self._u[body]], v[self._u[body]]
                change = s.R[body].T @ _angular_acceleration(s.axes[body], rates[first:], qdd[first:])
                omega = s.R[body].T @ s.omega[body]
                second[self._u[body]] = 0.5 * (_rate_matrix(u).T @ change + _rate_matrix(rate).T @ omega)
        return second

    def angle_mass_matrix(self, q: Floats, v: Floats) -> Floats:
        """Generalised masses in the angles of the state: Σ M_ij ∂s_i/∂q_a · ∂s_j/∂q_b and the inertia of rotation."""
        M = np.zeros((self.size, self.size))
        angles, rates = self.angles(q, v)
        scalar.mass_matrix(self.cluster, self.scratch, angles, rates, M)
        return M

    def derivation(self) -> Derivation:
        """Explicit scalar equations are written for spheres without rotation."""
        raise GranumError("explicit scalar equations are available for point masses and links only, but this scene has "
                          "bodies that rotate. Use fundamental, gibbs-appell or lagrange.")

    def program(self, form: str) -> str:
        """See `derivation`."""
        return self.derivation().text()


def _rate_matrix(u: Floats) -> Floats:
    """E of ω = 2 E u̇ (Udwadia and Mogharabin 2022, eq. 1)."""
    a, b, c, d = u
    return np.array([[-b, a, d, -c], [-c, -d, a, b], [-d, c, -b, a]])


def _angular_acceleration(axes: Floats, w: Floats, qdd: Floats) -> Floats:
    """ω̇ of ω = ψ̇ a₁ + θ̇ a₂ + φ̇ a₃, where a₂ rotates with ψ and a₃ with ψ and θ."""
    gyroscopic = w[0] * np.cross(axes[0], axes[1]) * w[1] + np.cross(w[0] * axes[0] + w[1] * axes[1], axes[2]) * w[2]
    acceleration: Floats = qdd[:3] @ axes + gyroscopic
    return acceleration


def prepare(assembly: Assembly, names: list[str], connections: list[Connection]) -> tuple[Cluster, Scratch]:
    """Arrays of an assembly of points and rigid bodies joined by links and ball joints."""
    count = len(names)
    mass, inertia, anchors = np.full(count, np.inf), np.zeros((count, 3, 3)), np.zeros((3, count))
    for k, name in enumerate(names):
        if name in assembly.fixed:
            anchors[:, k] = assembly.fixed[name]
        else:
            mass[k], inertia[k] = assembly.bodies[name].mass, assembly.bodies[name].inertia
    parent, tree, cuts = _spanning(connections, np.isinf(mass))
    length, u, e = np.zeros(count), np.zeros((count, 3)), np.zeros((count, 3))
    for k, connection in tree.items():
        near = 0 if connection.ends[1] == k else 1
        length[k], u[k], e[k] = connection.length, connection.arms[near], -connection.arms[1 - near]
    if any(cut.length == 0.0 for cut in cuts):
        raise GranumError("a ball joint closes a loop, but scalar can cut loops only at links. Use fundamental.")
    return scalar.prepare_cluster(
        parent, mass, length, inertia=inertia, u=u, e=e, force=_forces(assembly, names, mass), anchors=anchors,
        cuts=np.array([[c.ends[0] for c in cuts], [c.ends[1] for c in cuts], [count + k for k in range(len(cuts))]],
                      dtype=np.int64), arms=np.array([c.arms for c in cuts]).reshape(-1, 2, 3))


def connections_of(assembly: Assembly, names: list[str]) -> list[Connection]:
    """Links and ball joints of an assembly; anything else is refused by name."""
    scene = assembly.scene
    if assembly.dimension != 3:
        raise GranumError("scalar supports rigid bodies in 3-D only. Give vectors of 3 components.")
    other = [name for name, entry in scene.constraint.items() if not isinstance(entry, BallJoint)]
    massless = [name for name, body in assembly.bodies.items() if body.massless]
    if other or massless or scene.system.coordinates or scene.surface:
        what = ", ".join([*other, *massless]) or "formulas or surfaces"
        raise GranumError(f"scalar supports bodies joined by links and ball joints, but this scene has {what}. Use "
                          "fundamental, gibbs-appell or lagrange.")
    connections = []
    for joint in assembly.joints:
        one, two = ((names.index(end.name.partition(".")[0]), np.zeros(3) if end.body.kind == "ground" else end.arm)
                    for end in (joint.one, joint.two))
        connections.append(Connection(joint.name, (one[0], two[0]), (one[1], two[1]),
                                      joint.rows[0].offset if joint.kind == "link" else 0.0))
    return connections


def _spanning(
    connections: list[Connection], fixed: np.ndarray,
) -> tuple[list[int], dict[int, Connection], list[Connection]]:
    """Parents, the connection into each body, and the connections that close loops; ball joints join the tree first."""
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


def _forces(assembly: Assembly, names: list[str], mass: Floats) -> Floats:
    total = np.zeros((3, len(names)))
    movable = np.isfinite(mass)
    for load in assembly.loads:
        if isinstance(load.entry, Gravity):
            total[:, movable] += np.outer(load.numbers, mass[movable])
        elif isinstance(load.entry, Force) and not load.ends[0].arm.any():
            total[:, names.index(load.ends[0].body.name)] += load.numbers[force.FORCE :]
        else:
            raise GranumError(f"{load.name}: scalar equations of rigid bodies use gravity and constant forces on mass "
                              "centres. Use fundamental.")
    return total
