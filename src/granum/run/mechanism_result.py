"""Results of runs of rigid bodies and joints, by name."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Flags, Floats, Ints
from granum.mechanisms.places import about_z
from granum.run.result import Run, find_name, listed_names
from granum.system import Names

_AXES = "xyz"


class Reaction(NamedTuple):
    """What a joint does to its second body, at the joint, in inertial axes."""

    force: Floats
    """(frames, dimension) [N]."""
    moment: Floats
    """(frames, 3) about the joint [N m]; in the plane (frames,) about z."""
    unique: Flags
    """(frames,): do the joints determine all of it? Where they do not, what is given has the least norm."""


class MechanismRun(Run):
    """A run of rigid bodies and joints as arrays."""

    @cached_property
    def body_names(self) -> Names:
        """Names of the bodies, in the order of `positions`; fixed points last."""
        return listed_names(self.metadata["bodies"])

    @cached_property
    def link_names(self) -> Names:
        """Names of the reactions, in the order of `reactions`."""
        return listed_names(self.metadata["reactions"])

    @property
    def link_ends(self) -> Ints:
        """(links and joints, 2): numbers of the bodies each joins."""
        names = list(self.body_names)
        entries = [*self.scene.link.values(), *self.scene.constraint.values()]
        ends = [[end.partition(".")[0] for end in entry.between] for entry in entries if hasattr(entry, "between")]
        return np.array([[names.index(a), names.index(b)] for a, b in ends], dtype=np.int64).reshape(-1, 2)

    @property
    def fixed_count(self) -> int:
        """How many of the bodies are fixed points."""
        return int(self.metadata["fixed"])

    def _turning(self, body: str) -> int:
        return find_name(listed_names(self.metadata["turning"]), body, "body that turns")

    def orientation(self, body: str) -> Floats:
        """(frames, 4): quaternion that turns body axes into inertial axes."""
        found = self._frames("orientation")[:, self._turning(body)]
        return about_z(found[:, 0]) if found.shape[1] == 1 else found

    def orientations(self, index: int = -1) -> Floats:
        """(bodies, 4): quaternions of all bodies in a frame; points do not turn."""
        found = np.tile([1.0, 0.0, 0.0, 0.0], (self.positions.shape[1], 1))
        turned = self._frames("orientation")[index]
        found[: len(turned)] = about_z(turned[:, 0]) if turned.shape[1] == 1 else turned
        return found

    def angle(self, body: str) -> Floats:
        """(frames,): angle of a body in the plane, counted through full turns [rad]."""
        found = self._frames("orientation")[:, self._turning(body)]
        if found.shape[1] != 1:
            raise GranumError(f'"{body}" turns in space: an angle is of the plane. Take orientation.')
        return found[:, 0]

    def angular_velocity(self, body: str) -> Floats:
        """(frames, 3) in inertial axes; in the plane (frames,) [rad/s]."""
        found = self._frames("angular_velocity")[:, self._turning(body)]
        return found[:, 0] if found.shape[1] == 1 else found

    def reaction(self, link: str) -> Floats:
        """(frames,): tension of a link, torque or force of a drive, or one reaction such as `knee.force.x`."""
        kind = self.metadata["joints"].get(link)
        if kind == "drive":
            names = [name for name in self.link_names if name in (f"{link}.torque", f"{link}.force")]
            return self.reactions[:, find_name(self.link_names, names[0], "reaction")]
        if kind is not None and kind != "link":
            raise GranumError(f'"{link}" has several reactions: take joint_reaction("{link}"), or one of '
                              f"{', '.join(name for name in self.link_names if name.startswith(f'{link}.'))}.")
        return super().reaction(link)

    def joint_reaction(self, joint: str) -> Reaction:
        """Force and moment at a joint, on its second body."""
        joints = self.metadata["joints"]
        if joint not in joints:
            raise GranumError(f'There is no joint "{joint}". {did_you_mean(joint, joints, "joint")}')
        dimension, names = self.positions.shape[2], {name: k for k, name in enumerate(self.link_names)}
        values, unique = self.reactions, self._frames("unique") > 0.5
        force, moment = np.zeros((len(values), dimension)), np.zeros((len(values), 3))
        mine = [k for name, k in names.items() if name == joint or name.startswith(f"{joint}.")]
        for a, axis in enumerate(_AXES):
            for name in (f"{joint}.force.{axis}", f"{joint}.{axis}"):
                if name in names:
                    force[:, a] = values[:, names[name]]
            for name in (f"{joint}.moment.{axis}", f"{joint}.torque.{axis}"):
                if name in names:
                    moment[:, a] = values[:, names[name]]
        all_unique: Flags = np.all(unique[:, mine], axis=1)
        return Reaction(force, moment[:, 2] if dimension == 2 else moment, all_unique)

    def unique(self, reaction: str) -> Flags:
        """(frames,): do the joints determine a reaction, or do some restrain the same motion?"""
        found: Flags = self._frames("unique")[:, find_name(self.link_names, reaction, "reaction")] > 0.5
        return found

    def section(self, probe: str) -> tuple[Floats, Floats]:
        """(frames, 3) force and (frames, 3) moment across a cut, on the part behind it, in inertial axes [N, N m]."""
        table = self._frames("section")[:, find_name(listed_names(self.metadata["sections"]), probe, "section")]
        return table[:, :3], table[:, 3:]
