"""A robot as a tree of links: what URDF and MJCF have in common, and where its links are.

Every link has at most one joint, which connects it to its parent. A link without a joint is fixed to its parent; one
without mass only carries the next joint.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from granum.base.kernels import Floats
from granum.base.rotations import IDENTITY, product, rotation_of
from granum.robots.shapes import SOLIDS

ZERO = np.zeros(3)
BODIES = ("sphere", "ellipsoid", "box", "cylinder")
"""Shapes that bodies of a scene can have."""


class Pose(NamedTuple):
    """Where a frame is in another: p_AB [m] and the unit quaternion of R_AB."""

    position: Floats = ZERO
    quaternion: Floats = np.array(IDENTITY)

    @property
    def rotation(self) -> Floats:
        """R_AB."""
        return rotation_of(self.quaternion)

    def point(self, own: Floats) -> Floats:
        """A point of frame B, seen from A."""
        moved: Floats = self.position + self.rotation @ own
        return moved

    def inside(self, outer: Floats) -> Floats:
        """A point given in A, seen from B."""
        own: Floats = self.rotation.T @ (outer - self.position)
        return own

    def then(self, inner: Pose) -> Pose:
        """X_AC from X_AB and X_BC."""
        turned = product(self.quaternion, inner.quaternion)
        return Pose(self.point(inner.position), turned / np.linalg.norm(turned))


def about(axis: Floats, angle: float) -> Floats:
    """The quaternion of a rotation about a unit vector."""
    return np.array([math.cos(0.5 * angle), *(math.sin(0.5 * angle) * axis)])


def turned_about(anchor: Floats, quaternion: Floats) -> Pose:
    """A rotation that leaves a point where it is."""
    return Pose(anchor - rotation_of(quaternion) @ anchor, quaternion)


@dataclass(frozen=True)
class Inertial:
    """Mass properties of a link, in its own axes."""

    mass: float
    """[kg]"""
    centre: Floats
    """Mass centre, from the origin of the link [m]."""
    inertia: Floats
    """(3, 3) about the mass centre [kg m²]."""

    def seen_from(self, pose: Pose) -> Inertial:
        """The same in the axes of another link, where this one is at `pose`."""
        R = pose.rotation
        return Inertial(self.mass, pose.point(self.centre), R @ self.inertia @ R.T)


def combined(parts: Sequence[Inertial]) -> Inertial | None:
    """One body of several in the same axes, by the parallel axis theorem; None of none."""
    if len(parts) <= 1:
        return parts[0] if parts else None
    mass = math.fsum(part.mass for part in parts)
    centre = sum((part.mass * part.centre for part in parts), np.zeros(3)) / (mass or 1.0)
    inertia = np.zeros((3, 3))
    for part in parts:
        d = part.centre - centre
        inertia += part.inertia + part.mass * (d @ d * np.eye(3) - np.outer(d, d))
    return Inertial(mass, centre, inertia)


class Shape(NamedTuple):
    """A simple shape of a link."""

    kind: str
    """One of `shapes.SOLIDS`."""
    size: Floats
    """Radius and half the length, or halves of the edges [m]."""
    pose: Pose
    """In the axes of the link."""

    def filled(self, mass: float) -> Inertial:
        """Mass properties at uniform density, in the axes of the link."""
        moments = SOLIDS[self.kind][1](self.size)[1]
        return Inertial(mass, ZERO, mass * np.diag(moments)).seen_from(self.pose)

    @property
    def body_axes(self) -> Pose:
        """Axes of the body of this shape in the link: the axis of a cylinder is x there, and z here."""
        if self.kind != "cylinder":
            return self.pose
        return self.pose.then(Pose(ZERO, about(np.array([0.0, 1.0, 0.0]), -0.5 * math.pi)))


@dataclass
class Joint:
    """How a link moves against its parent."""

    name: str
    kind: Literal["hinge", "slider", "ball", "free"]
    line: int
    axis: Floats = field(default_factory=lambda: np.zeros(3))
    """Unit vector in the axes of the link; of a hinge or slider."""
    anchor: Floats = field(default_factory=lambda: np.zeros(3))
    """A point of the axis, from the origin of the link [m]."""
    reference: float = 0.0
    """Value of the coordinate where the link is at its `pose` [rad, m]."""
    stiffness: float = 0.0
    """[N m/rad, N/m]"""
    spring_reference: float = 0.0
    """Value of the coordinate where the spring is at rest [rad, m]."""
    damping: float = 0.0
    """[N m s/rad, N s/m]"""
    friction: float = 0.0
    """Dry friction [N m, N]."""
    limits: tuple[float, float] | None = None
    """Smallest and largest value of the coordinate [rad, m]."""
    stop_response: tuple[float, float] = (0.02, 1.0)
    """Time constant [s] and damping ratio of the limits."""
    position: Floats | None = None
    """At the start: angle or distance; the quaternion of a ball joint; position and quaternion of a free link."""
    velocity: Floats | None = None
    """At the start: its rate; ω of a ball joint in axes of the link; v, and ω in axes of the link, of a free link."""

    @property
    def size(self) -> tuple[int, int]:
        """How many numbers describe position and velocity."""
        return {"hinge": (1, 1), "slider": (1, 1), "ball": (4, 3), "free": (7, 6)}[self.kind]

    @property
    def turns(self) -> bool:
        """Is its coordinate an angle?"""
        return self.kind == "hinge"

    @property
    def start(self) -> float:
        """Coordinate of a hinge or slider at the start."""
        return self.reference if self.position is None else float(self.position[0])


@dataclass
class Link:
    """A part of the robot with its own axes."""

    name: str
    line: int
    parent: int | None
    """Index of the link it is connected to; None: the ground."""
    pose: Pose
    """In the axes of the parent, with the joint at its reference."""
    joint: Joint | None = None
    inertial: Inertial | None = None
    points: dict[str, Floats] = field(default_factory=dict)
    """Named points, from the origin of the link [m]."""

    shape: Shape | None = None
    """A shape that its mass may fill."""

    @property
    def solid(self) -> Shape | None:
        """The shape, if a body of a scene can have it and the link has its mass centre and inertia."""
        if self.inertial is None or self.shape is None or self.shape.kind not in BODIES:
            return None
        own, filled = self.inertial, self.shape.filled(self.inertial.mass)
        near = 1e-9 * float(np.trace(own.inertia))
        fits = np.allclose(own.inertia, filled.inertia, rtol=0.0, atol=near) and np.allclose(
            own.centre, filled.centre, rtol=0.0, atol=1e-9 * float(self.shape.size.max()))
        return self.shape if fits else None

    @property
    def body_axes(self) -> Pose:
        """Axes of its body, which have their origin in the mass centre: those of the link, or of the shape.

        A link without mass has them in its joint.
        """
        if (shape := self.solid) is not None:
            return shape.body_axes
        if self.inertial is not None:
            return Pose(self.inertial.centre)
        return Pose() if self.joint is None else Pose(self.joint.anchor)


@dataclass
class Closure:
    """A connection that closes a loop."""

    name: str
    kind: Literal["ball-joint", "glue"]
    ends: tuple[tuple[int | None, Floats], tuple[int | None, Floats]]
    """A point of two links, each in the axes of its link; None: the ground."""
    line: int


@dataclass
class Coupling:
    """One joint follows another: q₂ - q₂₀ = constant + ratio (q₁ - q₁₀), each from its reference."""

    name: str
    joints: tuple[str, str]
    """The leading one and the one that follows, hinges or sliders."""
    ratio: float
    """[rad/rad, m/rad, rad/m, m/m]"""
    constant: float
    """[rad, m]"""
    line: int

    def misfit(self, joints: Mapping[str, Joint]) -> float:
        """How far the second joint starts from where the first one puts it [rad, m]."""
        one, two = (joints[name] for name in self.joints)
        return two.start - two.reference - self.constant - self.ratio * (one.start - one.reference)

    def slip(self, joints: Mapping[str, Joint]) -> float:
        """How much faster the second joint starts than the first one lets it [rad/s, m/s]."""
        one, two = (0.0 if (rate := joints[name].velocity) is None else float(rate[0]) for name in self.joints)
        return two - self.ratio * one


@dataclass
class Actuator:
    """Force or torque of a joint: gain u + bias₀ + bias₁ q + bias₂ q̇ for a control u, along its coordinate."""

    name: str
    joint: str
    gain: float
    bias: tuple[float, float, float]
    control: float = 0.0
    """u at the start."""
    limit: float | None = None
    """Largest torque or force [N m, N]."""


@dataclass
class Robot:
    """Links in an order in which parents come first, and what acts on them."""

    title: str
    links: list[Link]
    gravity: Floats
    closures: list[Closure] = field(default_factory=list)
    actuators: list[Actuator] = field(default_factory=list)
    couplings: list[Coupling] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What a reader of the scene must know."""

    def joints(self) -> dict[str, Joint]:
        """All joints by name."""
        return {link.joint.name: link.joint for link in self.links if link.joint is not None}

    def follow(self) -> list[Coupling]:
        """Start joints where those that they follow put them; returns couplings of joints that follow themselves, and
        those that contradict others.
        """
        joints, bound = self.joints(), {coupling.joints[1]: coupling for coupling in self.couplings}
        settled: set[str] = set()
        wrong: list[Coupling] = []
        for coupling in self.couplings:
            chain: list[Coupling] = []
            before: Coupling | None = coupling
            while before is not None and before.name not in settled:
                settled.add(before.name)
                chain.append(before)
                before = bound.get(before.joints[0])
            wrong += [one for one in chain if one is before]  # the chain is a circle
            for one in reversed(chain):
                follower = joints[one.joints[1]]
                follower.position = np.array([follower.start - one.misfit(joints)])
        return wrong or [one for one in self.couplings if abs(one.misfit(joints)) > 1e-9]


class Placed(NamedTuple):
    """Position and velocity of a link."""

    pose: Pose
    """In inertial axes."""
    velocity: Floats
    """Of its origin [m/s]."""
    angular_velocity: Floats
    """In inertial axes [rad/s]."""

    def velocity_at(self, point: Floats) -> Floats:
        """Of a point given in inertial axes [m/s]."""
        moved: Floats = self.velocity + np.cross(self.angular_velocity, point - self.pose.position)
        return moved


GROUND = Placed(Pose(), ZERO, ZERO)


def placed_links(links: Sequence[Link]) -> list[Placed]:
    """Where all links are at the start, and how they move."""
    placed: list[Placed] = []
    for link in links:
        parent = GROUND if link.parent is None else placed[link.parent]
        placed.append(_placed(link, parent))
    return placed


def _placed(link: Link, parent: Placed) -> Placed:
    """One link, from its parent."""
    at_reference, joint = parent.pose.then(link.pose), link.joint
    if joint is None:
        return Placed(at_reference, parent.velocity_at(at_reference.position), parent.angular_velocity)
    rate = np.zeros(joint.size[1]) if joint.velocity is None else joint.velocity
    if joint.kind == "free":
        pose = at_reference if joint.position is None else Pose(joint.position[:3], joint.position[3:])
        return Placed(pose, rate[:3], pose.rotation @ rate[3:])
    if joint.kind == "slider":
        pose = at_reference.then(Pose((joint.start - joint.reference) * joint.axis))
        along = pose.rotation @ joint.axis
        return Placed(pose, parent.velocity_at(pose.position) + rate[0] * along, parent.angular_velocity)
    if joint.turns:
        turn, own = about(joint.axis, joint.start - joint.reference), rate[0] * joint.axis
    else:
        turn, own = np.array(IDENTITY) if joint.position is None else joint.position, rate
    pose = at_reference.then(turned_about(joint.anchor, turn))
    anchor, w = pose.point(joint.anchor), parent.angular_velocity + pose.rotation @ own
    return Placed(pose, parent.velocity_at(anchor) + np.cross(w, pose.position - anchor), w)


def merged(robot: Robot) -> Robot:
    """The same robot with links that have no joint made part of their parents; the ground takes up what is fixed."""
    kept: list[Link] = []
    hosts: list[tuple[int | None, Pose]] = []
    shares: list[list[Inertial]] = []
    for link in robot.links:
        host, inner = (None, Pose()) if link.parent is None else hosts[link.parent]
        pose = inner.then(link.pose)
        if link.joint is None:
            hosts.append((host, pose))
            if host is None:
                continue
            kept[host].points[link.name] = pose.position
            kept[host].points.update({name: pose.point(at) for name, at in link.points.items()})
            shares[host] += [] if link.inertial is None else [link.inertial.seen_from(pose)]
            continue
        hosts.append((len(kept), Pose()))
        kept.append(Link(link.name, link.line, host, pose, link.joint, None, dict(link.points), link.shape))
        shares.append([] if link.inertial is None else [link.inertial])
    for link, parts in zip(kept, shares, strict=True):
        link.inertial = combined(parts)
    closures = [Closure(c.name, c.kind, (_moved(c.ends[0], hosts), _moved(c.ends[1], hosts)), c.line)
                for c in robot.closures]
    return Robot(robot.title, kept, robot.gravity, closures, robot.actuators, robot.couplings, robot.notes)


def _moved(end: tuple[int | None, Floats], hosts: Sequence[tuple[int | None, Pose]]) -> tuple[int | None, Floats]:
    """A point of a link as a point of the link that took it up."""
    link, at = end
    if link is None:
        return end
    host, pose = hosts[link]
    return host, pose.point(at)
