"""Reactions of links, joints, constraints and boundaries, and loads across sections: one type for every run.

A reaction acts on the second body (of `between`, or the `body` that rolls, or the grains at a boundary), by the first.
Its force and moment are in inertial axes, the moment about the point of the joint on the second body.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Flags, Floats
from granum.model.connections import BallJoint, Link
from granum.model.loads import JointFriction
from granum.run.axes import carried_axis
from granum.run.motion import Motion
from granum.run.previous_layout import JOINT_REACTION, present_arrays, reaction_columns
from granum.run.recorded import find_name

_AXES = "xyz"
_MOMENT = slice(3, 6)
"""Columns of `section`; force stands before it."""
UNLIMITED = 1e9
"""Friction over normal force from which the normal force has vanished: no coefficient suffices."""
Wrench = tuple[Floats, Floats]
"""Force (frames, 3) and moment (frames, 3)."""


class SectionLoads(NamedTuple):
    """What the part of a body beyond a cut does to the part behind it, in inertial axes."""

    force: Floats
    """(frames, dimension) [N]."""
    moment: Floats
    """(frames, 3) about the point of the cut; in 2-D (frames,) about z [N m]."""


@dataclass(frozen=True, repr=False)
class Reaction:
    """What a link, joint, constraint or boundary does to its second body, in inertial axes."""

    name: str
    components: dict[str, Floats]
    """(frames,) each, by name: `tension` of a link; `force.x` ... `moment.z` of a joint; `force` or `torque` of a
    drive or of dry friction in a joint; `normal` and `friction` of a contact; `multiplier` of a formula."""
    determined: dict[str, Flags] | None = None
    """(frames,) each: do the joints determine a component? Where they do not, the reactions of the run have the least
    norm √Σ(|F|² + |M|²/l²), l being the size of the mechanism. None for boundaries, of which it is not known."""
    _dimension: int = 3
    _wrench: Callable[[], Wrench | None] = field(default=lambda: None, repr=False)

    def __repr__(self) -> str:
        frames = len(next(iter(self.components.values()), ()))
        return f"<Reaction {self.name!r}: {', '.join(self.components)}; {frames} frames>"

    @property
    def force(self) -> Floats:
        """(frames, dimension) [N]."""
        return self._vectors()[0][:, : self._dimension]

    @property
    def moment(self) -> Floats:
        """(frames, 3) about the point of the joint; in 2-D (frames,) about z [N m]."""
        moment = self._vectors()[1]
        about: Floats = moment[:, _AXES.index("z")] if self._dimension == 2 else moment
        return about

    def _vectors(self) -> Wrench:
        wrench = self._wrench()
        if wrench is None:
            raise GranumError(f'"{self.name}" has no force or moment vector. It has '
                              f"{', '.join(self.components)}.")
        return wrench

    @property
    def unique(self) -> Flags | None:
        """(frames,): do the joints determine all of it? None for boundaries."""
        if self.determined is None:
            return None
        all_of_it: Flags = np.all(list(self.determined.values()), axis=0)
        return all_of_it

    @property
    def tension(self) -> Floats:
        """(frames,): of a link, positive where it pulls [N]."""
        return self.component("tension")

    @property
    def effort(self) -> Floats:
        """(frames,): force [N] or torque [N m] of a drive or of dry friction along its joint, on the second body."""
        return self.component("torque" if "torque" in self.components else "force")

    @property
    def normal(self) -> Floats:
        """(frames,): of a contact, positive where it presses [N]."""
        return self.component("normal")

    @property
    def friction(self) -> Floats:
        """(frames,): friction force of a contact [N]."""
        return self.component("friction")

    @property
    def needed_friction(self) -> Floats:
        """(frames,): friction over normal force of a contact; infinite where the normal force has vanished and friction
        has not.
        """
        normal, friction = self.normal, np.abs(self.friction)
        pressed = friction < UNLIMITED * normal
        vanished = np.where(friction > normal.max(initial=0.0) / UNLIMITED, np.inf, 0.0)
        return np.divide(friction, normal, out=vanished, where=pressed)

    @property
    def multiplier(self) -> Floats:
        """(frames,): of a constraint of one formula, in the unit that the formula gives it."""
        return self.component("multiplier")

    def component(self, name: str) -> Floats:
        """(frames,): one of `components`; refuses one that is not there."""
        if name not in self.components:
            raise GranumError(f'"{self.name}" has no {name}. It has {", ".join(self.components)}.')
        return self.components[name]


def unit_of(component: str) -> str:
    """Unit of a component of a reaction; multipliers of formulas have none that is known."""
    word = component.partition(".")[0]
    return {"moment": "N m", "torque": "N m", "multiplier": ""}.get(word, "N")


class Reactions(Motion):
    """Forces and moments of links, joints, constraints and boundaries."""

    @property
    def tensions(self) -> Floats:
        """(frames, links): tension of each link in the order of `link_names` [N]; of least norm if not unique."""
        if self._by_links:
            return self._reaction_frames("link_force")
        columns = [self.reaction(name).tension for name in self.link_names]
        return np.array(columns).reshape(-1, len(self.t)).T

    @property
    def not_unique(self) -> list[str]:
        """Links, joints and constraints whose reactions the others leave open in some frame; see `Reaction`."""
        if not self._records_unique:
            return []
        columns = np.flatnonzero((self._reaction_frames("unique") < 0.5).any(axis=0)).tolist()
        if self._by_links:
            return [self.link_names[k] for k in columns]
        return list(dict.fromkeys(self._owner(self._reaction_names[k]) for k in columns))

    def open_links(self, frame: int = -1) -> list[str]:
        """One-sided links that are open in a frame: those that carry no force."""
        listed, number = self.metadata.get("one_sided", []), self.frame_number(frame)
        return [name for name in listed if self.reaction(name).tension[number] == 0.0]

    def reaction(self, name: str) -> Reaction:
        """Reaction of a link, joint, constraint, boundary or dry friction on its second body; see `Reaction`."""
        if self._by_links and (number := self.link_names.find(name)) is not None:
            return self._of_columns(name, {"tension": number})
        if not self._by_links and (
                name in self.joint_names or name in self.friction_names or name in self.scene.link):
            return self._of_columns(name, self._columns[name])
        if name in self.scene.boundary:
            return self._of_boundary(name)
        known = [*self.link_names.some(), *self.joint_names, *self.friction_names,
                 *(self.scene.boundary if self.has.contacts else ())]
        if not known:
            self.needs("reactions")
        raise GranumError(f'There is no reaction "{name}". '
                          f'{did_you_mean(name.partition(".")[0], known, "reaction")}')

    def _of_columns(self, name: str, columns: dict[str, int]) -> Reaction:
        """From the recorded reactions, by component and column."""
        table = self._reaction_frames("link_force")
        components = {what: table[:, k] for what, k in columns.items()}
        if self._records_unique:
            unique = self._reaction_frames("unique")
            determined = {what: unique[:, k] > 0.5 for what, k in columns.items()}
        else:
            determined = {what: np.ones(len(table), np.bool_) for what in columns}
        return Reaction(name, components, determined, self.dimension, lambda: self._wrench(name, components))

    @cached_property
    def _previous(self) -> dict[str, tuple[int, int]] | None:
        """Where reactions are in a file of the previous layout; None for all others."""
        if JOINT_REACTION not in self._recording.layout:
            return None
        return reaction_columns(self.scene, self.metadata["joints"], self.dimension)

    @property
    def _reaction_names(self) -> list[str]:
        """Names of the recorded reactions; of links in patterns they follow from the scene instead."""
        return list(self.metadata.get("reactions", ()) if self._previous is None else self._previous)

    @property
    def _records_unique(self) -> bool:
        """Does the run say which reactions are unique? If not, all are."""
        return self._previous is not None or "unique" in self._recording.layout

    def _reaction_frames(self, what: Literal["link_force", "unique"]) -> Floats:
        """(frames, reactions): all reactions, or whether they are unique."""
        if self._previous is None:
            return self._frames(what)
        return present_arrays(self._frames(JOINT_REACTION), self._previous)[what]

    @cached_property
    def _columns(self) -> dict[str, dict[str, int]]:
        """Columns of the recorded reactions, by owner and component."""
        columns: dict[str, dict[str, int]] = {}
        for k, recorded in enumerate(self._reaction_names):
            owner = self._owner(recorded)
            columns.setdefault(owner, {})[self._component(owner, recorded)] = k
        return columns

    def _component(self, name: str, recorded: str) -> str:
        """What a recorded reaction is: `knee.torque.x` and `moment.x` are moments, `ball.x` is a force."""
        rest, entry = recorded[len(name) + 1 :], self.scene.constraint.get(name)
        if name in self.scene.link:
            return "tension"
        if rest in _AXES and rest and isinstance(entry, BallJoint):
            return f"force.{rest}"
        if rest.startswith("torque."):
            return f"moment.{rest[7:]}"
        if not rest or rest.isdecimal():
            kind = "friction" if name in self.metadata.get("frictions", []) else "multiplier"
            return f"{kind}.{rest}" if rest else kind
        return rest

    def _wrench(self, name: str, components: dict[str, Floats]) -> Wrench | None:
        """Force and moment as vectors, from the components that are recorded."""
        entry = self.scene.link.get(name) or self.scene.constraint.get(name)
        if self._by_links or isinstance(entry, Link):
            return self._pull(find_name(self.link_names, name, "link"), components["tension"])
        if (drive := self.scene.drives.get(name)) is not None:
            return self._along_joint(drive.joint, components)
        if name in self.friction_names:
            friction = self.scene.load[name.removeprefix("load ")]
            assert isinstance(friction, JointFriction)
            return self._along_joint(friction.joint, components)
        none = np.zeros(len(self.t))
        force, moment = (np.column_stack([components.get(f"{what}.{axis}", none) for axis in _AXES])
                         for what in ("force", "moment"))
        known = any(component.startswith(("force.", "moment.")) for component in components)
        return (force, moment) if known else None

    def _pull(self, number: int, tension: Floats) -> Wrench:
        """The force of a link on its second end, towards the first."""
        ends = list(self.scene.link.values())[number].between if not self._by_links else [
            self.body_names[int(end)] for end in self.link_ends[number]]
        along = self.position(ends[0]) - self.position(ends[1])
        force = np.zeros((len(along), 3))
        force[:, : self.dimension] = tension[:, None] * along / np.linalg.norm(along, axis=1, keepdims=True)
        return force, np.zeros_like(force)

    def _along_joint(self, name: str, components: dict[str, Floats]) -> Wrench:
        """The effort of a drive or of dry friction along the axis of its joint, which the first body carries along."""
        joint = self.scene.measured_joints[name]
        from granum.assembly.axes import first_body  # runs of grains do not need it

        first, carried = first_body(joint), np.tile(carried_axis(self, joint), (len(self.t), 1))
        if self._tracks.has_orientation(first):
            carried = self.rotation(first) @ carried[0]
        (what, effort), = components.items()
        acting, none = effort[:, None] * carried, np.zeros((len(self.t), 3))
        return (none, acting) if what == "torque" else (acting, none)

    def _of_boundary(self, name: str) -> Reaction:
        """The sum of the contact forces of a boundary on grains, and their moment about the origin."""
        self.needs("contacts")
        d = self.dimension
        boundary = np.array([*self.metadata["elements"], -1])  # -1 for contacts between grains
        total = np.zeros((2, len(self.t), 3))
        for index, count in enumerate(self._frames("contact_count")):
            pair, normal, force = (self._array(f"contact_{what}")[index, :count] for what in
                                   ("pair", "normal", "force"))
            first, second = pair.T
            own = boundary[np.where(second < 0, -1 - second, -1)] == list(self.scene.boundary).index(name)
            i = first[own]
            at, push = np.zeros((2, len(i), 3))
            push[:, :d] = force[own]
            at[:, :d] = self._array("position")[index, i] - self._array("radius")[index, i, None] * normal[own]
            total[:, index] = push.sum(axis=0), np.cross(at, push).sum(axis=0)
        components = {f"force.{axis}": total[0, :, k] for k, axis in enumerate(_AXES[:d])}
        return Reaction(name, components, None, d, lambda: (total[0], total[1]))

    def section(self, probe: str) -> SectionLoads:
        """Section force and moment of a section probe; see `SectionLoads`."""
        table, d = self._frames("section")[:, self._probe(probe, "section")], self.dimension
        moment = table[:, _MOMENT]
        return SectionLoads(table[:, :d], moment if d == 3 else moment[:, _AXES.index("z")])
