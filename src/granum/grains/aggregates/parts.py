"""The state of bodies and of their parts: disks and balls that touch, each fixed in a body.

Rows of parts are grains to everything that asks for positions: lists, boundaries, probes, pictures. What moves are the
bodies; a single grain is a body of one part.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from granum.base.kernels import Flags, Floats, Ints
from granum.grains.orientation import from_angle, full_angle, product, unrotated
from granum.grains.search.neighbours import solver_order
from granum.grains.state import FIRST, SECOND, Grains, Int32s, extend
from granum.state.rotation import pose_parts, rotational_energy, world_inertia
from granum.state.table import DOUBLE_TURNS, IM, KM, QA, SYMMETRIC, WX, R, Z

WHOLE = np.inf
"""Time of breaking of a bond that holds."""


@dataclass
class Bodies:
    """Rigid bodies in the order of their parts; those without parts come last."""

    pose: Floats
    """(count, 8): mass centre [m], distance of the farthest point of a part from it [m], unit quaternion."""
    motion: Floats
    """(count, 16): velocity [m/s], 1/m [1/kg], angular velocity [rad/s], how far its points move in a step [m], inverse
    inertia in inertial axes [1/(kg m²)] as xx, yy, zz, xy, xz, yz, double turns made in 2-D, 0."""
    inertia: Floats
    """(count, 12): inertia [kg m²] and its inverse in body axes, six numbers each; no rotation: inverse 0."""
    number: Ints
    """(count,): number of the body, never given twice in a run."""
    group: Int32s
    """(count,): body, pattern or source it belongs to."""

    @property
    def count(self) -> int:
        """How many bodies there are."""
        return len(self.pose)

    @property
    def mass(self) -> Floats:
        """Masses [kg]."""
        mass: Floats = 1.0 / self.motion[:, IM]
        return mass

    @property
    def angle(self) -> Floats:
        """(count,): in 2-D, counted through full turns [rad]; a quaternion knows it but for double turns."""
        return full_angle(self.pose[:, QA:], self.motion[:, DOUBLE_TURNS])

    def permute(self, order: Ints) -> None:
        """Put the bodies into another order, or keep some of them."""
        self.pose, self.motion, self.inertia = self.pose[order], self.motion[order], self.inertia[order]
        self.number, self.group = self.number[order], self.group[order]

    def append(self, *others: Bodies) -> None:
        """Add bodies."""
        extend(self, ("pose", "motion", "inertia", "number", "group"), others)


@dataclass
class Bonds:
    """Bonds of a run by the numbers of the parts they join; none comes later, but they break."""

    pair: Ints
    """(n, 2): numbers of parts, ascending."""
    entry: Int32s
    """(n,): which bond of the scene says its strength."""
    broke: Floats
    """(n,): when it broke [s]; infinite while it holds, negative if it left the scene with its body."""
    mean: Floats
    """(n, 6): load that it was last tested with: force [N] and moment [N m], along the normal and across."""

    @property
    def whole(self) -> Flags:
        """Which of them hold."""
        whole: Flags = self.broke == WHOLE
        return whole


@dataclass
class Held:
    """Contacts inside bodies of merged grains."""

    pair: Ints
    """(n, 2): numbers of the grains, ascending."""
    base: Floats
    """(n, 3): force on the first of each pair that loads on the body do not change, in body axes [N]."""
    last: Floats
    """(n, 3): all of it, in the last step [N]."""


def nothing_held() -> Held:
    """No contact."""
    return Held(np.zeros((0, 2), np.int64), np.zeros((0, 3)), np.zeros((0, 3)))


def no_bonds() -> Bonds:
    """None."""
    return Bonds(np.zeros((0, 2), np.int64), np.zeros(0, np.int32), np.zeros(0), np.zeros((0, 6)))


def make_bodies(centres: Floats, quaternions: Floats, mass: Floats, inertia: Floats, reach: Floats, velocity: Floats,
                angular_velocity: Floats, number: Ints, group: Int32s, dimension: int) -> Bodies:
    """Bodies from matrices of inertia (count, 3, 3) in body axes; in 2-D they rotate about z only.

    A body without moments of inertia does not rotate.
    """
    count = len(mass)
    inertia = inertia.copy()
    if dimension == 2:
        moment = inertia[:, Z, Z].copy()
        inertia[:] = 0.0
        inertia[:, Z, Z] = moment
    table = np.zeros((count, 12))
    for k, (i, j) in enumerate(SYMMETRIC):
        table[:, k] = inertia[:, i, j]
    rotating = np.flatnonzero(np.einsum("kii->k", inertia) > 0.0)
    inverse = np.linalg.pinv(inertia[rotating], hermitian=True)
    for k, (i, j) in enumerate(SYMMETRIC):
        table[rotating, 6 + k] = inverse[:, i, j]
    pose, motion = np.zeros((count, 8)), np.zeros((count, 16))
    pose[:, :3], pose[:, R], pose[:, QA:] = centres, reach, quaternions
    motion[:, :3], motion[:, IM], motion[:, WX:KM] = velocity, 1.0 / mass, angular_velocity
    world_inertia(pose, table, motion)
    return Bodies(pose, motion, table, number, group)


@dataclass
class Parts(Grains):
    """Disks and balls that are fixed in bodies; rows of one body follow each other."""

    body: Int32s
    """(count,): row of the body."""
    arm: Floats
    """(count, 3): centre of the part from the mass centre, in body axes [m]."""
    bodies: Bodies
    apart: Ints = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    """(n, 2): numbers of bodies that are joined at a point and do not touch each other, the lower one first."""
    whole: bool = False
    """Are all parts in one slab, because boundaries of bodies may touch any of them?"""
    bonds: Bonds = field(default_factory=no_bonds)
    held: Held = field(default_factory=nothing_held)

    @property
    def first(self) -> Ints:
        """(bodies + 1,): the rows at which the parts of each body begin."""
        return np.searchsorted(self.body, np.arange(self.bodies.count + 1)).astype(np.int64)

    @property
    def positions(self) -> Floats:
        """(count, 3): mass centre of the body of each part [m]."""
        positions: Floats = self.bodies.pose[self.body, :3]
        return positions

    def counted(self) -> tuple[Ints, Floats, Floats]:
        """Numbers, mass centres [m] and masses [kg] of the bodies."""
        return self.bodies.number, self.bodies.pose[:, :3], self.bodies.mass

    @property
    def orientation(self) -> Floats:
        """As of single grains: that of the body of each part, with the part's own in it, from before it joined."""
        if self.local_orientation.shape[1] == 1:
            return self.bodies.angle[self.body, None] + self.local_orientation
        return product(self.bodies.pose[self.body, QA:], self.local_orientation)

    @property
    def angular_velocity(self) -> Floats:
        """(count, 3) of the body of each part [rad/s]."""
        omega: Floats = self.bodies.motion[self.body, WX:KM]
        return omega

    def kinetic_energy(self) -> float:
        """½ m v² + ½ ω·I ω of all bodies [J]."""
        bodies = self.bodies
        v, rotation = bodies.motion[:, :3], np.zeros(1)
        rotational_energy(bodies.pose, bodies.inertia, bodies.motion, rotation)
        return float(0.5 * np.sum(np.sum(v**2, axis=1) / bodies.motion[:, IM]) + rotation[0])

    def moment(self) -> Floats:
        """(3,) Σ m x of the bodies [kg m]."""
        moment: Floats = np.sum(self.bodies.pose[:, :3] / self.bodies.motion[:, IM : IM + 1], axis=0)
        return moment

    def arrange(self, up: int, dimension: int, skin: float) -> Ints:
        """Put bodies and their parts into an order that suits the solver; returns the rows at which slabs begin.

        A slab takes whole bodies and is as wide as two of them reach, so that contacts of one touch bodies of it and
        of the next only.
        """
        bodies = self.bodies
        held = int(self.body.max()) + 1 if self.count else 0
        if not held:
            return np.zeros(2, np.int64)
        radius = float(bodies.pose[:held, R].max())
        order, slabs = solver_order(bodies.pose[:held, :3], radius, up, dimension, 2.0 * radius + skin)
        if self.whole:  # walls that move with a body may touch grains of any slab
            slabs = np.array([0, held])
        first = self.first
        sizes = np.diff(first)[order]
        ends = np.cumsum(sizes)
        self.permute(np.arange(ends[-1]) + np.repeat(first[order] - ends + sizes, sizes))
        begins: Ints = self.first[slabs]
        return begins

    def permute(self, order: Ints) -> None:
        """Put the parts into another order, or keep some of them; bodies follow, those without parts stay."""
        super().permute(order)
        body, self.arm = self.body[order], self.arm[order]
        has_parts = np.zeros(self.bodies.count, np.bool_)
        has_parts[self.body] = True
        bare = np.flatnonzero(~has_parts)
        # rows of a body follow each other
        seen = body[np.flatnonzero(np.r_[True, body[1:] != body[:-1]])] if len(body) else body
        rank = np.zeros(self.bodies.count, np.int32)
        rank[seen] = np.arange(len(seen), dtype=np.int32)
        self.body = rank[body]
        self.bodies.permute(np.concatenate([seen, bare]))

    def append(self, *others: Grains) -> None:
        """Add bodies with their parts; bodies without parts stay last."""
        added = [other for other in others if isinstance(other, Parts)]
        begin = np.cumsum([0, self.bodies.count, *(other.bodies.count for other in added)])
        body = np.concatenate([parts.body + first for parts, first in zip((self, *added), begin[:-1], strict=True)])
        super().append(*others)
        extend(self, ("arm",), added)
        self.bodies.append(*(other.bodies for other in added))
        bare = np.ones(begin[-1], np.bool_)
        bare[body] = False
        order = np.argsort(bare, kind="stable")
        rank = np.empty(begin[-1], np.int32)
        rank[order] = np.arange(begin[-1], dtype=np.int32)
        self.body = rank[body]
        self.bodies.permute(order)

    def follow(self) -> None:
        """Put the parts where their bodies are, with the velocities they have there."""
        pose_parts(self.bodies.pose, self.bodies.motion, self.body, self.arm, self.x, self.v)

    def launch(self, rows: Ints, velocity: Floats) -> None:
        """Give bodies velocities (n, 3) [m/s]."""
        self.bodies.motion[rows, :IM] = velocity
        self.follow()

    def rotate(self, rows: Ints, omega: Floats) -> None:
        """Give bodies angular velocities (n, 3) [rad/s]."""
        self.bodies.motion[rows, WX:KM] = omega
        self.follow()

    def face(self, rows: Ints, orientation: Floats) -> None:
        """Rotate bodies to angles (n, 1), which may be more than a turn, or to quaternions (n, 4)."""
        pose, motion = self.bodies.pose, self.bodies.motion
        if orientation.shape[1] == 1:
            pose[rows, QA:], motion[rows, DOUBLE_TURNS] = from_angle(orientation[:, 0])
        else:
            pose[rows, QA:] = orientation
        world_inertia(pose, self.bodies.inertia, motion)
        self.follow()

    def owner(self, row: int) -> tuple[int, int]:
        """Group and number of the body of a part."""
        return int(self.bodies.group[self.body[row]]), int(self.bodies.number[self.body[row]])

    def owners(self) -> tuple[Int32s, Ints]:
        """Groups and numbers of the bodies."""
        return self.bodies.group, self.bodies.number

    def joined(self, lower: Int32s, upper: Int32s) -> Flags | None:
        """Which pairs of rows belong to one body."""
        same: Flags = self.body[lower] == self.body[upper]
        number = self.bodies.number
        return same | self.held_apart(number[self.body[lower]], number[self.body[upper]])

    def held_apart(self, one: Ints, two: Ints) -> Flags:
        """Which pairs of bodies, by number, are joined at a point and do not touch."""
        if not len(self.apart):
            return np.zeros(len(one), np.bool_)
        size = 1 + max(int(self.apart.max()), int(self.bodies.number.max(initial=0)))
        key = np.minimum(one, two) * size + np.maximum(one, two)
        apart: Flags = np.isin(key, self.apart[:, FIRST] * size + self.apart[:, SECOND])
        return apart


def make_parts(t: float, bodies: Bodies, body: Int32s, arm: Floats, radii: Floats, share: Floats, material: Int32s,
               first: int, flat: bool, dimension: int) -> Parts:
    """Parts of bodies, numbered from `first`; share is the part of its body's mass that each stands for in loads."""
    count = len(radii)
    x, v = np.zeros((count, 4)), np.zeros((count, 8))
    x[:, R] = radii
    v[:, IM] = bodies.motion[body, IM] / share
    v[:, KM] = (2.0 if flat else 2.5) * v[:, IM]
    parts = Parts(t, x, v, material, np.arange(first, first + count, dtype=np.int64), bodies.group[body], body, arm,
                  bodies, local_orientation=unrotated(count, dimension))
    parts.follow()
    return parts


