"""Arrays that only some runs of grains have: of bodies, bonds, merged clusters, joints, cuts and verdicts on flows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.base.kernels import Ints
from granum.grains.aggregates.bonds import rows_of
from granum.grains.aggregates.parts import Bodies, Bonds, Held, Parts
from granum.grains.probes.flows import HISTORY, VERDICTS
from granum.grains.search.history import History
from granum.grains.state import Grains
from granum.io.runfile import Arrays
from granum.model.probes import SectionProbe
from granum.rows.errors import arm_length
from granum.run.subject import Layout, errors_frame, errors_layout
from granum.state.table import KM, QA, WX, WZ

if TYPE_CHECKING:
    from granum.run.grains import GrainSubject

MERGES = 10_000
"""Merges and splits of clusters that are logged; later ones are counted only."""


class Records:
    """Arrays about one thing: their shapes, and what frames, checkpoints and the log hold of it.

    Values may be shorter than the room there is for them.
    """

    def __init__(self, subject: GrainSubject) -> None:
        self.subject, self.scene, self.world = subject, subject.scene, subject.world

    @property
    def parts(self) -> Parts:
        """The grains as parts of bodies."""
        assert isinstance(self.world.grains, Parts)
        return self.world.grains

    def layout(self, frames: int) -> Layout:
        """Shapes of the arrays, in SI units."""
        return {}

    def sample(self, order: Ints) -> dict[str, Any]:
        """Their values in a frame, whose grains are in this order of those of the solver."""
        return {}

    def checkpoint(self) -> dict[str, Any]:
        """What a resumed run needs beyond the frame."""
        return {}

    def log(self) -> dict[str, Any]:
        """What does not belong to frames, as it stands now."""
        return {}

    def restore(self, arrays: Arrays, t: float, slot: int) -> None:
        """Restore them at a time [s], once the grains are restored."""


class BodyRecords(Records):
    """Bodies of which grains are parts: positions, orientations and motion."""

    def __init__(self, subject: GrainSubject) -> None:
        super().__init__(subject)
        self._apart, self._whole = self.parts.apart, self.parts.whole

    def layout(self, frames: int) -> Layout:
        """Room for all bodies that there can be at once."""
        bodies, parts, d = self.subject.body_capacity, self.subject.capacity, self.world.dimension
        return {
            "body_position": ((frames, bodies, d), "f8"), "body_orientation": ((frames, bodies, 4), "f8"),
            "body_velocity": ((frames, bodies, d), "f8"), "body_angular_velocity": ((frames, bodies, 2 * d - 3), "f8"),
            "body_number": ((frames, bodies), "i8"), "body_group": ((frames, bodies), "i4"),
            "body_count": ((frames,), "i8"), "part_of": ((frames, parts), "i8"),
            **({"body_angle": ((frames, bodies), "f8")} if d == 2 else {}),
            "checkpoint/pose": ((2, bodies, 8), "f8"), "checkpoint/motion": ((2, bodies, 16), "f8"),
            "checkpoint/inertia": ((2, bodies, 12), "f8"), "checkpoint/body_number": ((2, bodies), "i8"),
            "checkpoint/body_group": ((2, bodies), "i4"), "checkpoint/body_count": ((2,), "i8"),
            "checkpoint/part_body": ((2, parts), "i4"), "checkpoint/arm": ((2, parts, 3), "f8"),
        }

    def sample(self, order: Ints) -> dict[str, Any]:
        """Bodies in the order of their numbers, and the number of the body of each part in the order of the frame."""
        own, d = self.parts.bodies, self.world.dimension
        by_number = np.argsort(own.number, kind="stable")
        pose, motion = own.pose[by_number], own.motion[by_number]
        return {
            "body_position": pose[:, :d], "body_orientation": pose[:, QA:], "body_velocity": motion[:, :d],
            "body_angular_velocity": motion[:, WX:KM] if d == 3 else motion[:, WZ : WZ + 1],
            "body_number": own.number[by_number], "body_group": own.group[by_number], "body_count": own.count,
            "part_of": own.number[self.parts.body[order]], **({"body_angle": own.angle[by_number]} if d == 2 else {}),
        }

    def checkpoint(self) -> dict[str, Any]:
        """Bodies and parts in the order of the solver."""
        own = self.parts.bodies
        return {
            "checkpoint/pose": own.pose, "checkpoint/motion": own.motion, "checkpoint/inertia": own.inertia,
            "checkpoint/body_number": own.number, "checkpoint/body_group": own.group,
            "checkpoint/body_count": own.count, "checkpoint/part_body": self.parts.body,
            "checkpoint/arm": self.parts.arm,
        }

    def restore(self, arrays: Arrays, t: float, slot: int) -> None:
        """Parts of bodies instead of single grains; joined as at the start."""
        grains = self.world.grains
        body, arm = (np.array(arrays[f"checkpoint/{name}"][slot, : grains.count]) for name in ("part_body", "arm"))
        self.world.grains = Parts(
            t, grains.x, grains.v, grains.material, grains.number, grains.group, body, arm,
            restored_bodies(arrays, slot), self._apart, self._whole, local_orientation=grains.local_orientation)


def restored_grains(arrays: Arrays, t: float, slot: int) -> Grains:
    """Grains of a checkpoint, in the order of the solver."""
    n = int(arrays["checkpoint/count"][slot][0])
    x, v, material, number, group, orientation = (
        np.array(arrays[f"checkpoint/{name}"][slot, :n])
        for name in ("x", "v", "material", "number", "group", "local_orientation"))
    return Grains(t, x, v, material, number, group, local_orientation=orientation)


def restored_histories(arrays: Arrays, slot: int) -> tuple[History, History]:
    """What contacts between grains, and with boundaries, remembered at a checkpoint."""
    _, pairs, walls = arrays["checkpoint/count"][slot].tolist()
    owner, kept = (np.array(arrays[f"checkpoint/{name}"][slot, : pairs + walls]) for name in ("owner", "kept"))
    return History.restored(owner[:pairs], kept[:pairs]), History.restored(owner[pairs:], kept[pairs:])


def restored_bodies(arrays: Arrays, slot: int) -> Bodies:
    """Bodies of a checkpoint, in the order of the solver."""
    count = int(arrays["checkpoint/body_count"][slot])
    return Bodies(*(np.array(arrays[f"checkpoint/{name}"][slot, :count])
                    for name in ("pose", "motion", "inertia", "body_number", "body_group")))


class BondRecords(Records):
    """Bonds between grains: how many hold, which broke when; which there are follows from the scene."""

    def __init__(self, subject: GrainSubject) -> None:
        super().__init__(subject)
        self._start = self.parts.bonds

    def layout(self, frames: int) -> Layout:
        """Room for all bonds of the start."""
        bonds = len(self._start.pair)
        return {"bonds_left": ((frames,), "i8"), "log/bond_pair": ((bonds, 2), "i8"),
                "log/bond_broke": ((bonds,), "f8"), "checkpoint/bond_broke": ((2, bonds), "f8"),
                "checkpoint/bond_mean": ((2, bonds, 6), "f8")}

    def sample(self, order: Ints) -> dict[str, Any]:
        """How many hold."""
        return {"bonds_left": np.count_nonzero(self.parts.bonds.whole)}

    def checkpoint(self) -> dict[str, Any]:
        """When they broke, and the mean of their loads."""
        return {"checkpoint/bond_broke": self.parts.bonds.broke, "checkpoint/bond_mean": self.parts.bonds.mean}

    def log(self) -> dict[str, Any]:
        """Their grains, and when they broke."""
        return {"log/bond_pair": self.parts.bonds.pair, "log/bond_broke": self.parts.bonds.broke}

    def restore(self, arrays: Arrays, t: float, slot: int) -> None:
        """As they were at the checkpoint."""
        self.parts.bonds = Bonds(self._start.pair, self._start.entry, np.array(arrays["checkpoint/bond_broke"][slot]),
                                 np.array(arrays["checkpoint/bond_mean"][slot]))


class MergeRecords(Records):
    """Clusters of grains that are merged into bodies: how many there are, and when they merged and came apart."""

    def layout(self, frames: int) -> Layout:
        """Room for the contacts inside clusters, and for the log."""
        contacts = self.subject.contact_capacity
        return {"merged": ((frames, 2), "i8"), "log/merges": ((MERGES, 3), "f8"), "log/merge_count": ((1,), "i8"),
                "checkpoint/held_count": ((2,), "i8"), "checkpoint/held_pair": ((2, contacts, 2), "i8"),
                "checkpoint/held_force": ((2, contacts, 6), "f8")}

    def sample(self, order: Ints) -> dict[str, Any]:
        """Merged bodies and the grains in them."""
        rows = rows_of(self.parts, np.unique(self.parts.held.pair))
        return {"merged": [len(np.unique(self.parts.body[rows])), len(rows)]}

    def checkpoint(self) -> dict[str, Any]:
        """What contacts inside merged clusters hold."""
        held = self.parts.held
        return {"checkpoint/held_count": len(held.pair), "checkpoint/held_pair": held.pair,
                "checkpoint/held_force": np.concatenate([held.base, held.last], axis=1)}

    def log(self) -> dict[str, Any]:
        """When clusters merged and came apart."""
        merges = self.world.solver.merges()
        return {} if merges is None else {"log/merges": merges[:MERGES], "log/merge_count": len(merges)}

    def restore(self, arrays: Arrays, t: float, slot: int) -> None:
        """What contacts hold, and the log as far as that time."""
        self.parts.held = restored_held(arrays, slot)
        merges = np.array(arrays["log/merges"][: int(arrays["log/merge_count"][0])])
        when = merges[:, 0]
        self.world.solver.restore_merges(merges[when <= t])


def restored_held(arrays: Arrays, slot: int) -> Held:
    """What contacts inside merged clusters held at a checkpoint."""
    n = int(arrays["checkpoint/held_count"][slot])
    base, last = np.split(np.array(arrays["checkpoint/held_force"][slot, :n]), 2, axis=1)
    return Held(np.array(arrays["checkpoint/held_pair"][slot, :n]), base.copy(), last.copy())


class JointRecords(Records):
    """Links, joints and drives among grains: their reactions and errors."""

    def layout(self, frames: int) -> Layout:
        """Errors; nothing of them is needed to go on."""
        return errors_layout(frames)

    def sample(self, order: Ints) -> dict[str, Any]:
        """Reactions as means over the last step, and the largest errors since the last frame."""
        distance, angle = self.subject.figures["joint_error"], self.subject.figures["joint_turn"]
        errors = np.array([max(distance / arm_length(self.scene), angle), math.nan, distance, angle])
        return {**self.subject.reaction_frame(), **errors_frame(errors)}


class SectionRecords(Records):
    """Force and moment across the cuts of section probes."""

    def layout(self, frames: int) -> Layout:
        """Six numbers for each cut."""
        return {"section": ((frames, len(section_probes(self.subject)), 6), "f8")}

    def sample(self, order: Ints) -> dict[str, Any]:
        """As the solver has them."""
        assert self.world.solver.sections is not None
        return {"section": self.world.solver.sections.values}


class VerdictRecords(Records):
    """Verdicts of jam probes on flows."""

    def layout(self, frames: int) -> Layout:
        """Room for the latest verdicts."""
        return {"log/verdicts": ((VERDICTS, HISTORY), "f8"), "log/verdict_count": ((1,), "i8")}

    def log(self) -> dict[str, Any]:
        """All verdicts until now."""
        history = self.world.probes.history()
        return {"log/verdicts": history, "log/verdict_count": len(history)}

    def restore(self, arrays: Arrays, t: float, slot: int) -> None:
        """Those that began before that time."""
        self.world.probes.restore_history(np.array(arrays["log/verdicts"][: int(arrays["log/verdict_count"][0])]), t)


def section_probes(subject: GrainSubject) -> list[str]:
    """Names of section probes."""
    return [name for name, probe in subject.scene.probe.items() if isinstance(probe, SectionProbe)]


def records_of(subject: GrainSubject) -> list[Records]:
    """What there is to record of a subject beyond its grains and their contacts, in the order of restoring."""
    kinds = {BodyRecords: isinstance(subject.world.grains, Parts), BondRecords: bool(subject.scene.bond),
             MergeRecords: subject.scene.run.merge_clusters, JointRecords: bool(subject.joints),
             SectionRecords: bool(section_probes(subject)), VerdictRecords: bool(subject.world.probes.jams)}
    return [kind(subject) for kind, there in kinds.items() if there]
