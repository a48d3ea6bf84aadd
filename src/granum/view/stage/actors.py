"""What moves on a stage: the same questions to all kinds of runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.model.bodies import FixedPoint, Rigid
from granum.model.scene import Scene
from granum.run import Run
from granum.run.grain_result import in_space
from granum.view.stage.items import NO_POINTS, Arrows, Balls, Chains, Quantity
from granum.view.stage.poses import STILL, placed

NO_CHAINS = Chains(NO_POINTS, NO_POINTS, np.zeros(0), np.zeros((0, 2), np.int64))


class Actors(ABC):
    """Bodies and grains of a run; frames are counted from 0."""

    run: Run
    scene: Scene
    dimension: int
    kinds: tuple[str, ...]
    """Names of the kinds of balls."""
    meshed: tuple[str, ...]
    """Bodies of the scene that are seen as meshes."""
    point_radius: float
    """Radius that suits the picture of what has none [m]."""

    @abstractmethod
    def quantities(self) -> dict[str, Quantity]:
        """What balls can be coloured by."""

    @abstractmethod
    def balls(self, frame: int) -> Balls:
        """All balls of a frame."""

    @abstractmethod
    def values(self, frame: int, quantity: str) -> Floats:
        """(n,) of the balls of a frame, for one of `quantities`."""

    @abstractmethod
    def pose(self, name: str, frame: int) -> Floats:
        """(7,) of a body by name; not a number where it is not there."""

    @abstractmethod
    def links(self, frame: int) -> Floats:
        """(k, 2, 3): ends of links, bonds and lines."""

    def chains(self, frame: int) -> Chains:
        """Contact forces; most runs have no contacts."""
        return NO_CHAINS

    def joint_force(self, joint: str, frame: int) -> Floats | None:
        """(3,) force of a joint on its second body [N], if it is recorded."""
        if joint not in self.run.joint_names or "force.x" not in (reaction := self.run.reaction(joint)).components:
            return None
        force = np.zeros(3)
        force[: self.dimension] = reaction.force[frame]
        return force

    def link_forces(self, frame: int) -> Floats:
        """(links,): tensions of the first rows of `links` [N]."""
        return np.asarray(self.run.tensions[frame])

    def link_names(self) -> list[str]:
        """Of these links, those of patterns included."""
        return list(self.run.link_names)

    def trace(self, name: str) -> Floats:
        """(frames, 3): path of a body or grain; not a number where it is not there."""
        return in_space(self.run.position(name))

    def names(self) -> list[str]:
        """All that can be traced."""
        return list(self.run.body_names)

    def about(self, frame: int, name: str) -> dict[str, str]:
        """Position, velocity, speed and, of what turns, angular velocity of a body by name."""
        velocity = self.run.value("velocity", name, frame)
        if not np.all(np.isfinite(velocity)):
            raise GranumError(f'"{name}" is not there at t = {self.run.t[frame]:.4g} s.')
        known = {"name": name, "position": words(self.run.value("position", name, frame), "m"),
                 "velocity": words(velocity, "m/s"), "speed": words(np.linalg.norm(velocity), "m/s")}
        if self.run.has_orientation(name):
            known["angular velocity"] = words(self.run.value("angular_velocity", name, frame), "rad/s")
        return known

    @abstractmethod
    def ball_name(self, frame: int, k: int) -> str:
        """Name of a ball, or of the body it is part of."""

    def point(self, name: str, frame: int) -> Floats:
        """(3,): where a body, a point of a body (`arm.tip`) or a fixed point is."""
        own, _, point = name.partition(".")
        body = self.scene.body.get(own)
        if isinstance(body, FixedPoint):
            return np.array((*body.position, 0.0)[:3])
        pose = self.pose(own, frame)
        if point and isinstance(body, Rigid):
            pose = placed(pose, np.array([body.fixed_points()[point]]))[0]
        return pose[:3]

    def carrier(self, name: str, frame: int) -> Floats:
        """(7,) pose of the body that an end of a joint belongs to; fixed points stay."""
        own = name.partition(".")[0]
        body = self.scene.body.get(own)
        if isinstance(body, Rigid):
            return self.pose(own, frame)
        if isinstance(body, FixedPoint):
            return STILL
        return np.concatenate([self.point(own, frame), STILL[3:]])

    def reactions(self, frame: int) -> Arrows:
        """What joints and links do to their second ends."""
        found = []
        for name, joint in self.scene.constraint.items():
            force = self.joint_force(name, frame)
            at = self._acts_at(name, joint, frame) if force is not None else None
            if force is not None and at is not None:
                found.append((name, at, force))
        links, names = self.links(frame)[: len(self.link_names())], self.link_names()
        along = links[:, 1] - links[:, 0]
        size = np.linalg.norm(along, axis=1, keepdims=True)
        pulls = -self.link_forces(frame)[:, None] * along / np.where(size > 0.0, size, 1.0)
        return Arrows(np.concatenate([np.array([at for _, at, _ in found]).reshape(-1, 3), links[:, 1]]),
                      np.concatenate([np.array([force for *_, force in found]).reshape(-1, 3), pulls]),
                      (*(name for name, *_ in found), *names))

    def _acts_at(self, name: str, joint: object, frame: int) -> Floats | None:
        """Where a joint acts: at the point of its second end, or where a round body touches."""
        between = getattr(joint, "between", None)
        return self.point(between[1], frame) if between is not None else self.contact(name, frame)

    def contact(self, joint: str, frame: int) -> Floats | None:
        """Where a rolling or sliding body touches, if it is known."""
        return None


def kind_of(body: object, otherwise: str) -> str:
    """A word for what a body is; `otherwise` for what is no body of the scene by itself."""
    if body is None:
        return otherwise
    return str(getattr(body, "kind", "body")).replace("-", " ")


def refuse_nowhere(places: int) -> None:
    """Refuse to show what has no places."""
    if not places:
        raise GranumError("This run has no bodies to show, only coordinates: draw these (granum plot RUN coordinates), "
                          "or give the scene [system.points].")


def words(values: Any, unit: str) -> str:
    """Numbers with a unit, as text."""
    listed = ", ".join(f"{value:.4g}" for value in np.atleast_1d(values))
    return f"({listed}) {unit}" if np.size(values) > 1 else f"{listed} {unit}"
