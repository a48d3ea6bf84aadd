"""Grains as a frame of an earlier run left them: whose they are is matched by name, and their contacts come along."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from granum.base.errors import Problem, SceneError
from granum.base.kernels import Floats, Ints
from granum.grains.aggregates.parts import Held
from granum.grains.orientation import from_angle, full_angle, product, unrotated
from granum.grains.search.history import History
from granum.model.scene import Scene
from granum.model.start import Start

QUATERNION = 3
"""First column of the quaternion in the pose of a body of a frame, behind its mass centre."""
SETTLED = 0.05
"""How far grains of an earlier run may reach into a boundary, in radii: contact solvers leave overlaps."""


class ExactMasses(NamedTuple):
    """Masses of bodies and their parts as the run had them; computed again from a scene the last digits may differ."""

    inverse: Floats
    """(m,) [1/kg]"""
    reach: Floats
    """(m,): distance of the farthest point of a body from its mass centre [m]."""
    inertia: Floats
    """(m, 12): inertia and its inverse in body axes, as in `Bodies`."""
    of_parts: Floats
    """(n, 2): 1/m and κ/m of grains, as in `Grains`, in the order of their numbers."""


@dataclass
class EarlierBodies:
    """Bodies of one frame of a run with clumps, joints or bonds, in any order."""

    number: Ints
    group: Ints
    pose: Floats
    """(m, 7): mass centre [m] and unit quaternion."""
    velocity: Floats
    """(m, 3) [m/s]"""
    angular_velocity: Floats
    """(m, 3) [rad/s]"""
    double_turns: Floats
    """(m,): double turns that the quaternion does not show, in 2-D."""
    of_part: Ints
    """(n,): row of the body of each grain."""
    arm: Floats
    """(n, 3): centre of each grain from the mass centre of its body, in body axes [m]."""
    exact: ExactMasses | None = None
    """Masses to the last digit, where both scenes say the same about them."""

    @property
    def angle(self) -> Floats:
        """(m,): in 2-D, counted through full turns [rad]."""
        return full_angle(self.pose[:, QUATERNION:], self.double_turns)

    @property
    def sizes(self) -> Ints:
        """(m,): how many grains each body is made of."""
        return np.bincount(self.of_part, minlength=len(self.number))


@dataclass
class EarlierGrains:
    """Grains of one frame, in any order."""

    groups: list[str]
    """Names of the bodies, patterns and sources that `group` counts."""
    group: Ints
    number: Ints
    x: Floats
    """(n, 4): centre and radius [m]."""
    velocity: Floats
    """(n, 3) [m/s]"""
    angular_velocity: Floats
    """(n, 3) [rad/s]"""
    local_orientation: Floats
    """(n, 1): angles [rad], or (n, 4): quaternions; of a part of a body in the axes of the body."""
    pairs: History | None = None
    """What contacts between grains remember, where the run has kept it."""
    walls: History | None = None
    """The same at boundaries."""
    bodies: EarlierBodies | None = None
    """Bodies that the grains are parts of; none in a run of single grains."""
    bonds: dict[str, tuple[Ints, Floats]] = field(default_factory=dict)
    """Bonds that hold, by what they are among: numbers of their grains (k, 2), and loads as in `Bonds.mean`."""
    held: Held | None = None
    """Contacts inside merged clusters, where the run has kept them."""
    homes: dict[str, Floats] = field(default_factory=dict)
    """Poses (7,) of bodies for which the scene describes the boundaries that belong to them, by boundary."""
    given: Mapping[str, Start] = field(default_factory=dict)
    """Starts that the scene gives; they replace what the frame says."""
    keeps_joints: bool = False
    """Does the run have all joints of the scene, so that the frame fits them?"""
    order: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    """Numbers of the grains in the order of the solver, where the run has kept it."""
    skin: float | None = None
    """Of the neighbour lists [m], where the new run continues the old one bit by bit."""
    step: float = 0.0
    """The last step [s]."""
    checkpoint: Floats = field(default_factory=lambda: np.zeros(0))
    """What `Solver.checkpoint` returned, and other numbers behind it."""
    time: float = 0.0
    """When the grains begin [s]: boundaries and loads are those of that time."""

    def __post_init__(self) -> None:
        order = np.argsort(self.number, kind="stable")
        for name in ("group", "number", "x", "velocity", "angular_velocity", "local_orientation"):
            setattr(self, name, getattr(self, name)[order])
        if self.bodies is not None:
            self.bodies.of_part, self.bodies.arm = self.bodies.of_part[order], self.bodies.arm[order]
        self._index = {name: k for k, name in enumerate(self.groups)}

    @cached_property
    def _rows(self) -> list[Ints]:
        """Rows of each group, in the order of their numbers."""
        return by_group(self.group, len(self.groups))

    @cached_property
    def _body_rows(self) -> list[Ints]:
        """Rows of the bodies of each group that say it themselves."""
        assert self.bodies is not None
        return by_group(self.bodies.group, len(self.groups))

    @property
    def whole(self) -> bool:
        """Does the frame hold all that the run knew, so that a new one continues as if it had not stopped?"""
        return self.skin is not None

    def of(self, name: str) -> Ints:
        """Rows of a body, pattern or source by its name, in the order of their numbers."""
        return self._rows[self._index[name]] if name in self._index else np.zeros(0, np.int64)

    def body_rows(self, name: str) -> Ints:
        """Rows of the bodies of a body, pattern or source, those without grains too, in the order of their numbers."""
        bodies = self.bodies
        if bodies is None or name not in self._index:
            return np.zeros(0, np.int64)
        rows = np.unique(np.concatenate([bodies.of_part[self.of(name)], self._body_rows[self._index[name]]]))
        ordered: Ints = rows[np.argsort(bodies.number[rows], kind="stable")]
        return ordered

    def has(self, name: str) -> bool:
        """Was a body, pattern or source there?"""
        return bool(len(self.of(name)) or len(self.body_rows(name)))

    @property
    def orientation(self) -> Floats:
        """(n, 1) or (n, 4): of each grain in inertial axes."""
        if self.bodies is None:
            return self.local_orientation
        own = self.bodies.of_part
        if self.local_orientation.shape[1] == 1:
            return self.bodies.angle[own, None] + self.local_orientation
        return product(self.bodies.pose[own, QUATERNION:], self.local_orientation)

    def with_bodies(self) -> EarlierGrains:
        """The same with a body for each grain, where the run had single grains."""
        if self.bodies is not None:
            return self
        local, n = self.local_orientation, len(self.number)
        quaternion, turns = from_angle(local[:, 0]) if local.shape[1] == 1 else (local, np.zeros(n))
        self.bodies = EarlierBodies(self.number, self.group, np.column_stack([self.x[:, :3], quaternion]),
                                    self.velocity, self.angular_velocity, turns, np.arange(n), np.zeros((n, 3)))
        self.local_orientation = unrotated(n, 2 if local.shape[1] == 1 else 3)
        return self

    def refuse_unknown(self, known: list[str]) -> None:
        """Refuse grains of bodies, patterns or sources that the scene does not have."""
        problems = [Problem("start.from", f'the run has {max(len(self.of(name)), len(self.body_rows(name)))} grains of '
                            f'"{name}", which this scene does not have.', "Add a body, pattern or source of this name; "
                                                                          f"known: {', '.join(known)}.")
                    for name in self.groups if self.has(name) and name not in known]
        if problems:
            raise SceneError(problems)


def by_group(group: Ints, count: int) -> list[Ints]:
    """Rows of each of the groups 0, ..., count - 1, ascending."""
    order = np.argsort(group, kind="stable")
    return np.split(order, np.searchsorted(group[order], np.arange(1, count)))


def starts_of(scene: Scene, earlier: EarlierGrains | None, dimension: int) -> Mapping[str, Start]:
    """Starts by name: those of the scene, and of bodies of an earlier run those of the frame, unless the scene gives
    them itself.
    """
    if earlier is None or earlier.bodies is None:
        return scene.start
    start, bodies = dict(scene.start), earlier.bodies
    for name in scene.body:
        rows = earlier.body_rows(name)
        if not len(rows):
            continue
        k, given = rows[0], scene.start.get(name, Start())
        own = {key: getattr(given, key) for key in given.model_fields_set if getattr(given, key) is not None}
        orientation = {"angle": float(bodies.angle[k])} if dimension == 2 else {
            "orientation": tuple(bodies.pose[k, QUATERNION:].tolist())}
        start[name] = Start(**{
            "position": tuple(bodies.pose[k, :dimension].tolist()),
            "velocity": tuple(bodies.velocity[k, :dimension].tolist()),
            "angular_velocity": tuple(bodies.angular_velocity[k].tolist()), **orientation, **own})
    return start
