"""The result of a run of grains, read by name, number or frame."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Flags, Floats, Ints
from granum.grains.measuring import measure, network
from granum.grains.measuring.rigidity import contact_rigidity
from granum.grains.state import Int32s
from granum.mechanisms.places import rotation_of
from granum.model.connections import Drive, Link
from granum.run.mechanism_result import Reaction
from granum.run.result import Energy, Run
from granum.topology import Rigidity


class Frame(NamedTuple):
    """Grains at one time, in the order of their numbers."""

    t: float
    """[s]"""
    positions: Floats
    """(n, d) [m]"""
    velocities: Floats
    """(n, d) [m/s]"""
    spins: Floats
    """(n, 1) in the plane, (n, 3) in space [rad/s]"""
    radii: Floats
    """(n,) [m]"""
    numbers: Ints
    """(n,)"""
    pair: Int32s
    """(contacts, 2): places of the two grains here; the second is -1 - element at a boundary."""
    normal: Floats
    """(contacts, d): from the first grain to the second, or from the boundary to the grain."""
    force: Floats
    """(contacts, d): on the second grain, or on the grain at a boundary [N]."""
    sticks: Flags
    """(contacts,): is its friction below μ F_n?"""


class Jammed(NamedTuple):
    """A jam that ended a run."""

    t: float
    """Time of the last passage, or when a grain was found backed up [s]."""
    place: tuple[float, ...]
    """Centre farthest downstream in the arch [m]."""
    density: float
    """Part of the area (volume) upstream of it that grains fill."""
    arch: int
    """Grains of the cluster that holds; 0 if none reaches from side to side."""
    backed_up: bool


class GrainRun(Run):
    """Frames, contacts, energy ledger and probes of a run of grains."""

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return int(self.metadata["dimension"])

    @property
    def counts(self) -> Ints:
        """(frames,): how many grains there are."""
        found: Ints = self._frames("grain_count").astype(np.int64)
        return found

    def frame(self, index: int = -1) -> Frame:
        """All grains and contacts of a frame."""
        index = range(len(self.t))[index]
        n = int(self.counts[index])
        arrays, d = self._recording.arrays, self.dimension
        pair, normal, force = np.zeros((0, 2), np.int32), np.zeros((0, d)), np.zeros((0, d))
        sticks = np.zeros(0, np.uint8)
        if len(arrays["contact_pair"]):
            c = min(int(arrays["contact_count"][index]), arrays["contact_pair"].shape[1])
            pair, normal, force, sticks = (np.array(arrays[f"contact_{name}"][index, :c])
                                           for name in ("pair", "normal", "force", "sticks"))
        position, velocity, spin, radius, number = (np.array(arrays[name][index, :n]) for name in
                                                    ("position", "velocity", "spin", "radius", "number"))
        return Frame(float(self.t[index]), position, velocity, spin, radius, number, pair, normal.astype(float),
                     force.astype(float), sticks.astype(np.bool_))

    @cached_property
    def names(self) -> dict[str, int]:
        """Numbers of all grains by name: bodies by their own, others `<group>-1`, `<group>-2`, ..."""
        numbers, groups, counts = (self._frames(self._own(name)) for name in ("number", "group", "count"))
        seen: dict[int, int] = {}
        for index in range(len(self.t)):
            n = int(counts[index])
            seen |= dict(zip(numbers[index, :n].tolist(), groups[index, :n].tolist(), strict=True))
        counted = [0] * len(self.metadata["grains"])
        found = {}
        for number in sorted(seen):
            group = self.metadata["grains"][seen[number]]
            counted[seen[number]] += 1
            found[group if group in self.scene.body else f"{group}-{counted[seen[number]]}"] = number
        return found

    def _follow(self, array: str, name: str) -> Floats:
        """One grain over all frames; not a number where it is not there."""
        if name not in self.names:
            raise GranumError(f'There is no grain "{name}". {did_you_mean(name, self.names, "grain")}')
        values, numbers = self._frames(self._own(array)), self._frames(self._own("number"))
        found = np.full((len(self.t), *values.shape[2:]), np.nan)
        for index, count in enumerate(self._frames(self._own("count"))):
            place = int(np.searchsorted(numbers[index, :count], self.names[name]))
            if place < count and numbers[index, place] == self.names[name]:
                found[index] = values[index, place]
        return found

    @property
    def bodily(self) -> bool:
        """Are its grains parts of bodies?"""
        return "body_count" in self._recording.arrays

    def _own(self, array: str) -> str:
        """The array of what has a name: bodies where there are any, else grains."""
        if self.bodily:
            return f"body_{array}"
        return "grain_count" if array == "count" else array

    def orientation(self, body: str) -> Floats:
        """(frames, 4): quaternion of a body; not a number where it is not there."""
        if not self.bodily:
            raise GranumError("Round grains have no orientation that is recorded.")
        return self._follow("orientation", body)

    def rotation(self, body: str) -> Floats:
        """(frames, 3, 3): turns axes of a body into inertial ones."""
        return np.array([rotation_of(turned) for turned in self.orientation(body).tolist()])

    def position(self, body: str) -> Floats:
        """(frames, d): centre of a grain or body [m]; not a number where it is not there."""
        return self._follow("position", body)

    def velocity(self, body: str) -> Floats:
        """(frames, d) [m/s]."""
        return self._follow("velocity", body)

    def spin(self, body: str) -> Floats:
        """(frames, 1) in the plane, (frames, 3) in space [rad/s]."""
        return self._follow("spin", body)

    def _joint(self, name: str) -> Floats:
        """(frames, 8): what is recorded of a joint."""
        return self._frames("joint_reaction")[:, _place(name, self.metadata.get("joints", []), "joint")]

    def reaction(self, link: str) -> Floats:
        """(frames,): tension of a link [N], or force [N] or torque [N m] of a drive: means over the last step."""
        found = self._joint(link)
        entry = self.scene.link.get(link) or self.scene.constraint[link]
        if not isinstance(entry, Link | Drive):
            raise GranumError(f'"{link}" has several reactions: take joint_reaction("{link}").')
        return found[:, 6]

    def joint_reaction(self, joint: str) -> Reaction:
        """Force and moment of a joint on its second body, at its point: means over the last step."""
        found, d = self._joint(joint), self.dimension
        return Reaction(found[:, :d], found[:, 5] if d == 2 else found[:, 3:6], found[:, 7] > 0.5)

    @cached_property
    def energy(self) -> Energy:
        """The energy ledger."""
        values, names = self._frames("energy"), self.metadata["energy_columns"]
        work = {name: np.array(values[:, 2 + k]) for k, name in enumerate(names)}
        return Energy(np.array(values[:, 0]), np.array(values[:, 1]), work, {"position": np.array(values[:, -1])})

    @property
    def figures(self) -> dict[str, Floats]:
        """Means and extremes over the steps of each frame: contacts, overlaps (in radii), residuals [m/s], moves,
        and how far joints are off [m, rad].
        """
        values = self._frames("figures")
        return {name: values[:, k] for k, name in enumerate(self.metadata["figure_columns"])}

    def coordination(self, index: int = -1, friction: bool | None = None) -> network.Coordination:
        """Coordination number with and without rattlers, of a frame."""
        shown = self.frame(index)
        rough = any(material.friction > 0.0 for material in self.scene.material.values())
        return network.coordination(shown.pair, len(shown.radii), self.dimension, rough if friction is None else
                                    friction)

    def force_chains(self, index: int = -1) -> network.ForceChains:
        """Contacts above the mean force, of a frame, and the part of the forces that they carry."""
        shown = self.frame(index)
        return network.force_chains(shown.pair, in_space(shown.force), len(shown.radii))

    def rigidity(self, index: int = -1) -> Rigidity:
        """Floppy modes, redundant contacts and rigid clusters of a frame, by the contacts that stick and slide in it.

        Bonds are the contacts of the frame, bodies its grains; the boundary is the ground behind them.
        """
        shown = self.frame(index)
        if not len(self._recording.arrays["contact_pair"]):
            raise GranumError("The network of contacts is too large to be recorded in this run, so it has no clusters. "
                              'Record fewer frames, or give the scene [probe.NAME] with kind = "rigidity".')
        return contact_rigidity(shown.positions, shown.radii, shown.pair, shown.normal, shown.sticks)

    def rigidity_probe(self, probe: str) -> dict[str, Ints]:
        """At each frame: grains of the largest rigid cluster, redundant rows of contacts, floppy modes."""
        place = _place(probe, self.metadata["rigidity_probes"], "rigidity probe")
        values = self._frames("rigidity")[:, place].astype(np.int64)
        return {name: values[:, k] for k, name in enumerate(("largest", "redundant", "floppy_modes"))}

    def fabric(self, index: int = -1) -> measure.Fabric:
        """Fabric tensor ⟨n⊗n⟩ of a frame."""
        return measure.fabric(in_space(self.frame(index).normal), self.dimension)

    def stress(self, volume: float, index: int = -1) -> measure.Stress:
        """Mean stress tensor of a frame in a volume (area in the plane); compression is positive [Pa, N/m]."""
        shown = self.frame(index)
        return measure.stress(in_space(shown.positions), shown.radii, shown.pair, in_space(shown.normal),
                              in_space(shown.force), self.dimension, volume)

    def passed(self, probe: str) -> tuple[Floats, Floats]:
        """Grains and mass [kg] that have passed a flow probe by each frame."""
        place = _place(probe, self.metadata["flow_probes"], "flow probe")
        values = self._frames("passed")[:, place]
        return values[:, 0], values[:, 1]

    def packing(self, probe: str) -> Floats:
        """Packing fraction in the region of a packing probe, at each frame."""
        return self._frames("packing")[:, _place(probe, self.metadata["packing_probes"], "packing probe")]

    @property
    def jam(self) -> Jammed | None:
        """The jam that ended the run, if one did."""
        values = self._recording.arrays["log/jam"]
        if not values[0]:
            return None
        return Jammed(float(values[1]), tuple(values[2 : 2 + self.dimension].tolist()), float(values[5]),
                      int(values[6]), bool(values[7]))

    @property
    def sources(self) -> dict[str, dict[str, int]]:
        """Grains of each source that have entered, were left out (skipped) and still wait for room."""
        return {name: dict(zip(("entered", "skipped", "waiting"), map(int, row), strict=True))
                for name, row in zip(self.scene.source, self._recording.arrays["log/sources"], strict=True)}

    @property
    def event(self) -> str | None:
        """What ended the run before its time, if anything."""
        jam = self.jam
        if jam is None:
            return None
        place = ", ".join(f"{c:.3g}" for c in jam.place)
        return f"Jammed at t = {jam.t:.4g} s, ({place}) m, density {jam.density:.3f}."

    @property
    def summary(self) -> dict[str, Any]:
        """The run in a few figures, and what was noticed."""
        if not len(self.t):
            raise GranumError(f"{self.path or 'The run'} has no frame yet: it was stopped before its start.")
        from granum.run.grain_summary import summarize

        return summarize(self)


def _place(name: str, names: list[str], what: str) -> int:
    if name not in names:
        raise GranumError(f'There is no {what} "{name}". {did_you_mean(name, names, what)}')
    return names.index(name)


def in_space(vectors: Floats) -> Floats:
    """Vectors of the plane with a third component."""
    padded = np.zeros((len(vectors), 3))
    padded[:, : vectors.shape[1]] = vectors
    return padded
