"""The result of a run of grains, read by name, number or frame."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Flags, Floats, Ints
from granum.grains.geometry.filling import box_volume, filled_part
from granum.grains.geometry.regions import volume as region_volume
from granum.grains.measuring import measure, network
from granum.grains.measuring.arch import Arch, find_arch
from granum.grains.measuring.passing import FlowRate, flow_rate
from granum.grains.measuring.rigidity import contact_rigidity
from granum.grains.probes import opening
from granum.grains.search.lists import Contacts
from granum.grains.state import Int32s
from granum.io.runfile import Recording
from granum.mechanisms.places import about_z, rotation_of
from granum.model.connections import Drive, Link
from granum.model.loads import Gravity
from granum.model.probes import FlowProbe, JamProbe, PackingProbe
from granum.model.regions import Region
from granum.run.energy import LIFT, Energy
from granum.run.mechanism_result import Reaction
from granum.run.result import Run
from granum.run.verdicts import Verdict, in_words, read_verdicts
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
    bodies: Ints
    """(n,): place among the bodies of the frame of the one each is part of; its own place where all are single."""
    centres: Floats
    """(bodies, d): mass centres of these [m]."""
    turning: Floats | None
    """(n, 4): unit quaternions that turn axes of the grains into inertial ones; None where the run is of a version that
    did not record them."""


class SectionLoads(NamedTuple):
    """What the part of a body beyond a cut does to the part behind it."""

    force: Floats
    """(frames, d) [N]"""
    moment: Floats
    """(frames, 1) in the plane, (frames, 3) in space: about the point of the cut [N m]."""


class Merge(NamedTuple):
    """A cluster that merged into one body, or came apart."""

    t: float
    """[s]"""
    grains: int
    """How many; negative where it came apart."""
    number: int
    """Lowest number of its grains."""


class Break(NamedTuple):
    """A bond that broke."""

    t: float
    """[s]"""
    pair: tuple[int, int]
    """Numbers of the two grains."""


class GrainRun(Run):
    """Frames, contacts, energy balance and probes of a run of grains."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(recording)
        self._named: tuple[int, dict[str, int]] = -1, {}

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return int(self.metadata["dimension"])

    @property
    def counts(self) -> Ints:
        """(frames,): how many grains there are."""
        found: Ints = self._frames("grain_count").astype(np.int64)
        return found

    @property
    def contact_counts(self) -> Ints:
        """(frames,): how many contacts there are."""
        found: Ints = self._frames("contact_count").astype(np.int64)
        return found

    @property
    def body_counts(self) -> Ints:
        """(frames,): how many bodies there are; single grains are bodies too."""
        found: Ints = self._frames("body_count" if self.bodily else "grain_count").astype(np.int64)
        return found

    @property
    def contact_room(self) -> int:
        """How many contacts of a frame are recorded at most: the strongest if there are more."""
        return int(self._recording.arrays["contact_pair"].shape[1])

    @property
    def groups(self) -> list[str]:
        """Names of the bodies, patterns and sources that grains are from."""
        found: list[str] = self.metadata["grains"]
        return found

    def frame(self, index: int = -1) -> Frame:
        """All grains and contacts of a frame."""
        index = self.frame_number(index)
        position, velocity, spin, radius, number, pair, normal, force, sticks = (
            self.recorded(name, index) for name in
            ("position", "velocity", "spin", "radius", "number", *(f"contact_{name}" for name in
                                                                   ("pair", "normal", "force", "sticks"))))
        return Frame(float(self.t[index]), position, velocity, spin, radius, number, pair, normal.astype(float),
                     force.astype(float), sticks.astype(np.bool_), self.owners(index),
                     self.recorded("body_position", index) if self.bodily else position, self.turning(index))

    def recorded(self, array: str, index: int = -1) -> NDArray[Any]:
        """One array of a frame alone, as it is in the file: of grains, or `contact_...` and `body_...`."""
        index, values = self.frame_number(index), self._recording.arrays[array]
        if array.startswith("contact_") and not len(values):  # a network that was too large to be recorded
            return np.zeros((0, *values.shape[2:]), values.dtype)
        what = array.partition("_")[0]
        count = self._frames(f"{what if what in ('contact', 'body') else 'grain'}_count")[index]
        return np.array(values[index, : int(count)])

    def turning(self, index: int = -1) -> Floats | None:
        """(n, 4): quaternions of all grains of a frame; None in a run file from before they were recorded."""
        there = "orientation" in self._recording.arrays
        return quaternions(self.recorded("orientation", index)) if there else None

    def owners(self, index: int = -1) -> Ints:
        """(n,): place among the bodies of a frame of the one each grain is part of."""
        if not self.bodily:
            return np.arange(int(self.counts[index]))
        found: Ints = np.searchsorted(self.recorded("body_number", index), self.recorded("part_of", index))
        return found

    @property
    def networked(self) -> bool:
        """Is the network of contacts recorded? Where it is too large it is not."""
        return len(self._recording.arrays["contact_pair"]) > 0

    @property
    def names(self) -> dict[str, int]:
        """Numbers of all grains by name: bodies by their own, others `<group>-1`, `<group>-2`, ..."""
        if self._named[0] != len(self.t):  # a run that goes on may have brought new ones
            self._named = len(self.t), self._numbers_by_name()
        return self._named[1]

    def _numbers_by_name(self) -> dict[str, int]:
        found: dict[str, int] = {}
        counted = [0] * len(self.metadata["grains"])
        for number, place in sorted(self._groups(bodies=self.bodily).items()):
            group = self.metadata["grains"][place]
            if group in self.scene.body:
                found.setdefault(group, number)  # a clump that falls apart is where its first part is
            elif not self.followed_by_grains(place):
                counted[place] += 1
                found[f"{group}-{counted[place]}"] = number
        for number, place in sorted(self._groups(bodies=False).items()) if self.bodily else ():
            if self.followed_by_grains(place):
                counted[place] += 1
                found[f"{self.metadata['grains'][place]}-{counted[place]}"] = number
        return found

    def _groups(self, bodies: bool) -> dict[int, int]:
        """Group of each number, of bodies or of grains."""
        what = {"count": "grain_count", "number": "number", "group": "group"}
        names = [f"body_{name}" if bodies else what[name] for name in what]
        counts, numbers, groups = (self._frames(name) for name in names)
        seen: dict[int, int] = {}
        last = np.zeros((2, 0))
        for index in range(len(self.t)):
            n = int(counts[index])
            now = np.stack([numbers[index, :n], groups[index, :n]])
            if not np.array_equal(now, last):  # mostly the same grains are there still
                seen |= dict(now.T.tolist())
                last = now
        return seen

    def followed_by_grains(self, group: int) -> bool:
        """Is a group followed grain by grain though bodies may hold several of them: disks and balls of a pattern?"""
        name = self.metadata["grains"][group]
        kind = self.scene.pattern.get(name) or self.scene.source.get(name)
        return self.bodily and name not in self.scene.body and (getattr(kind, "shape", None) or "disk") in (
            "disk", "sphere")

    def _found(self, array: str, name: str) -> tuple[Floats, NDArray[Any], NDArray[Any], int]:
        """Values, numbers and counts of frames that a name is followed in, and its number."""
        if name not in self.names:
            raise GranumError(f'There is no grain "{name}". {did_you_mean(name, self.names, "grain")}')
        group = name if name in self.scene.body else name.rpartition("-")[0]
        single = self.followed_by_grains(self.metadata["grains"].index(group))
        of = self._own if self.bodily and not single else _of_grains
        if of(array) not in self._recording.arrays:
            raise GranumError(f"{self.path or 'The run'} is of a version of Granum that did not record how \"{name}\" "
                              "turned. Run its scene again.")
        return self._frames(of(array)), self._frames(of("number")), self._frames(of("count")), self.names[name]

    def _follow(self, array: str, name: str) -> Floats:
        """One grain over all frames; not a number where it is not there."""
        values, numbers, counts, number = self._found(array, name)
        found = np.full((len(self.t), *values.shape[2:]), np.nan)
        for index, count in enumerate(counts):
            place = int(np.searchsorted(numbers[index, :count], number))
            if place < count and numbers[index, place] == number:
                found[index] = values[index, place]
        return found

    def value(self, array: str, name: str, index: int = -1) -> Floats:
        """Position, velocity, spin or orientation of a grain or body in one frame; not a number if it is not there."""
        values, numbers, counts, number = self._found(array, name)
        index = range(len(self.t))[index]
        place = int(np.searchsorted(numbers[index, : counts[index]], number))
        if place == counts[index] or numbers[index, place] != number:
            return np.full(values.shape[2:], np.nan)
        return np.array(values[index, place], dtype=float)

    @property
    def bodily(self) -> bool:
        """Are its grains parts of bodies?"""
        return "body_count" in self._recording.arrays

    def _own(self, array: str) -> str:
        """The array of what has a name: bodies where there are any, else grains."""
        return f"body_{array}" if self.bodily else _of_grains(array)

    def orientation(self, body: str) -> Floats:
        """(frames, 4): quaternion of a grain or body; not a number where it is not there."""
        recorded = self._found("orientation", body)[0].dtype
        return quaternions(self._follow("orientation", body).astype(recorded))

    def angle(self, body: str) -> Floats:
        """(frames,): angle of a grain or body in the plane, counted through full turns [rad]; not a number where it is
        not there.
        """
        if self.dimension != 2:
            raise GranumError(f'"{body}" turns in space: an angle is of the plane. Take orientation.')
        return self._follow("angle", body).reshape(len(self.t))

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

    def energy_of(self, frames: slice | list[int]) -> Energy:
        """The energy balance of some frames, the first of the run being the first of them."""
        values, names = self._frames("energy")[frames], self.metadata["energy_columns"]
        work = {name: np.array(values[:, 2 + k]) for k, name in enumerate(names)}
        return Energy(np.array(values[:, 0]), np.array(values[:, 1]), work, least=LIFT * self.metadata["lift"])

    @property
    def vital_signs(self) -> list[str]:
        """How it is doing by its last frame, in a few words each, the most telling first."""
        if not len(self.t):
            return []
        found = [f"{self.body_counts[-1]} grains", f"{self.contact_counts[-1]} contacts"]
        if len(self.t) < 2:
            return found
        if self.scene.run.solver != "events":
            found.append(f"step {self.statistics['largest_step'][-1]:.2g} s")
        figures = {name: float(values[-1]) for name, values in self.figures.items()}
        found += [f"energy error {self.energy_error:.0e}", f"overlap {figures['largest_overlap']:.0e} r"]
        return [*found, f"residual {figures['residual']:.0e}" if "residual" in figures else "residual none"]

    @property
    def figures(self) -> dict[str, Floats]:
        """Means and extremes over the steps of each frame: contacts, overlaps and moves [radii], the relative residual
        of contact and the largest of a contact [m/s] where there is one, errors of joints [m, rad].
        """
        values = self._frames("figures")
        return {name: values[:, k] for k, name in enumerate(self.metadata["figure_columns"])}

    def coordination(self, index: int = -1, friction: bool | None = None) -> network.Coordination:
        """Coordination number of grains, or of the bodies they are parts of, with and without rattlers, of a frame."""
        shown = self.frame(index)
        rough = any(material.friction > 0.0 for material in self.scene.material.values())
        grain = shown.pair[:, 1] >= 0
        pair = shown.pair.copy()
        pair[:, 0], pair[grain, 1] = shown.bodies[pair[:, 0]], shown.bodies[pair[grain, 1]]
        return network.coordination(pair, len(shown.centres), self.dimension, rough if friction is None else friction,
                                    in_space(shown.force), self._gravity)

    @property
    def _gravity(self) -> Floats:
        """(3,): sum of all gravity of the scene [m/s²]."""
        loads = [load.acceleration for load in self.scene.load.values() if isinstance(load, Gravity)]
        found: Floats = in_space(np.array(loads).reshape(-1, self.dimension)).sum(axis=0)
        return found

    def force_chains(self, index: int = -1) -> network.ForceChains:
        """Contacts above the mean force, of a frame, and the part of the forces that they carry."""
        shown = self.frame(index)
        return network.force_chains(shown.pair, in_space(shown.force), len(shown.radii))

    def rigidity(self, index: int = -1) -> Rigidity:
        """Floppy modes, redundant contacts and rigid clusters of a frame, by the contacts that stick and slide in it.

        Bonds are the contacts of the frame, bodies its grains; the boundary is the ground behind them.
        """
        shown = self.frame(index)
        if not self.networked:
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

    def force_distribution(self, index: int = -1, bins: int = 30) -> tuple[Floats, Floats]:
        """Density of contact forces over their mean, f/⟨f⟩, of a frame, and the edges of its bins."""
        shown = self.frame(index)
        if not np.any(shown.force):
            raise GranumError(f"No contact pushes at t = {shown.t:.4g} s, so forces have no distribution. "
                              "Choose another frame.")
        return network.force_distribution(in_space(shown.force), bins)

    def stress(self, volume: float | None = None, index: int = -1, probe: str | None = None) -> measure.Stress:
        """Mean stress tensor of a frame; compression is positive [Pa, in the plane N/m].

        Args:
            volume: that the grains are in [m³, m²]; left out, that of the upright box around them.
            probe: a packing probe: the stress in its region, grains counted as far as they are in it.
        """
        shown = self.frame(index)
        radii = shown.radii.astype(float)
        part = np.ones(len(radii))
        if probe is not None:
            region = self._region(probe)
            part = filled_part(in_space(shown.positions), radii, region, self.dimension)
            volume = region_volume(region)
        if volume is None:
            volume = box_volume(shown.positions, radii)
        found = measure.stress(in_space(shown.positions), radii, shown.pair, in_space(shown.normal),
                               in_space(shown.force), self.dimension, volume, part)
        # branch vectors go to the mass centre of the body that a grain is part of
        (i, j), beyond = shown.pair.T, part[:, None] * (shown.centres[shown.bodies] - shown.positions)
        branch = np.where(j[:, None] >= 0, beyond[np.maximum(j, 0)] - beyond[i], beyond[i])
        return measure.Stress(found.tensor + shown.force.T @ branch / volume)

    def _region(self, probe: str) -> Region:
        """The region of a packing probe that has an end."""
        entry = self.scene.probe[self.metadata["packing_probes"][
            _place(probe, self.metadata["packing_probes"], "packing probe")]]
        assert isinstance(entry, PackingProbe)
        if not np.isfinite(region_volume(entry.region)):
            raise GranumError(f'The region of "{probe}" has no end, so it has no volume. Give it a box or a round one.')
        return entry.region

    def flow_rate(self, probe: str, window: float | None = None) -> FlowRate:
        """Grains per second through a flow probe, in windows of time, with their mean and its standard error."""
        return flow_rate(self.t, self.passed(probe)[0], window)

    @property
    def bonds_left(self) -> Ints:
        """(frames,): how many bonds hold."""
        if "bonds_left" not in self._recording.arrays:
            raise GranumError("This run has no bonds. Give the scene [bond.NAME] with among = a pattern or clump.")
        found: Ints = self._frames("bonds_left").astype(np.int64)
        return found

    def bonds(self, index: int = -1) -> Ints:
        """(n, 2): numbers of the grains that bonds hold together in a frame."""
        left, arrays = int(self.bonds_left[index]), self._recording.arrays
        broke = arrays["log/bond_broke"]
        found: Ints = np.array(arrays["log/bond_pair"])[broke > self.t[index]]
        assert len(found) == left
        return found

    @property
    def breaks(self) -> list[Break]:
        """Bonds that broke, in the order in which they did."""
        pair, broke = (np.array(self._recording.arrays[f"log/bond_{name}"]) for name in ("pair", "broke"))
        order = np.argsort(broke, kind="stable")
        return [Break(float(broke[k]), (int(pair[k, 0]), int(pair[k, 1]))) for k in order
                if 0.0 <= broke[k] <= self.t[-1]]

    @property
    def merged(self) -> Ints:
        """(frames, 2): bodies of merged grains and how many grains are in them."""
        if "merged" not in self._recording.arrays:
            raise GranumError("No grains were merged in this run. Give the scene merge_clusters = true under [run].")
        found: Ints = self._frames("merged").astype(np.int64)
        return found

    @property
    def merges(self) -> list[Merge]:
        """Clusters that merged and came apart, in the order in which they did."""
        arrays = self._recording.arrays
        if "log/merges" not in arrays:
            return []
        logged = arrays["log/merges"][: int(arrays["log/merge_count"][0])]
        return [Merge(float(t), int(grains), int(number)) for t, grains, number in logged]

    def fragments(self, index: int = -1) -> Ints:
        """Sizes in grains of the bodies that bonded grains are in, the largest first, in a frame."""
        index, arrays = range(len(self.t))[index], self._recording.arrays
        n = int(self.counts[index])
        bonded = np.isin(arrays["number"][index, :n], np.unique(arrays["log/bond_pair"]))
        sizes = np.unique(arrays["part_of"][index, :n][bonded], return_counts=True)[1]
        found: Ints = np.sort(sizes)[::-1]
        return found

    def passed(self, probe: str) -> tuple[Floats, Floats]:
        """Grains and mass [kg] that have passed a flow probe by each frame."""
        place = _place(probe, self.metadata["flow_probes"], "flow probe")
        values = self._frames("passed")[:, place]
        return values[:, 0], values[:, 1]

    def section(self, probe: str) -> SectionLoads:
        """Force and moment across the cut of a section probe at each frame, in inertial axes."""
        place, d = _place(probe, self.metadata["section_probes"], "section probe"), self.dimension
        values = self._frames("section")[:, place]
        return SectionLoads(values[:, :d], values[:, 3:] if d == 3 else values[:, 5:])

    def packing(self, probe: str) -> Floats:
        """Packing fraction in the region of a packing probe, at each frame."""
        return self._frames("packing")[:, _place(probe, self.metadata["packing_probes"], "packing probe")]

    @property
    def verdicts(self) -> list[Verdict]:
        """Verdicts of all jam probes, in the order in which they began to hold; the latest thousand."""
        arrays = self._recording.arrays
        if "log/verdicts" not in arrays:
            return []
        rows = arrays["log/verdicts"][: int(arrays["log/verdict_count"][0])]
        return read_verdicts(rows, self.scene, self.metadata["jam_probes"], self.dimension)

    def verdict(self, probe: str | None = None) -> Verdict:
        """The last verdict of a jam probe; left out, of the only one."""
        name = self._jam_probe(probe)
        found = [one for one in self.verdicts if one.probe == name]
        if not found:
            raise GranumError(f'The jam probe "{name}" has not judged the flow yet: the run has made no step. '
                              "Let it go on with --resume.")
        return found[-1]

    @property
    def jam(self) -> Verdict | None:
        """The first jam of the run, if there was one."""
        return next((found for found in self.verdicts if found.verdict == "jammed"), None)

    def arch(self, index: int = -1, probe: str | None = None) -> Arch | None:
        """The arch over the opening that a jam probe watches, in a frame; rows of its bodies, None if nothing bridges.

        It is looked for in the contacts of the frame, whatever the verdict is.
        """
        entry = self.scene.probe[self._jam_probe(probe)]
        assert isinstance(entry, JamProbe)
        flow = self.scene.probe[entry.flow]
        assert isinstance(flow, FlowProbe)
        if not self.networked:
            raise GranumError("The network of contacts is too large to be recorded in this run, so no arch can be "
                              "found in it. Record fewer frames; the run's verdicts say where an arch was.")
        shown = self.frame(index)
        contacts = Contacts(shown.pair, in_space(shown.normal), in_space(shown.force))
        return find_arch(opening(flow), in_space(shown.positions), shown.radii.astype(float), contacts, shown.bodies)

    def arched(self, index: int = -1) -> Flags:
        """(n,): grains of the arches behind which flows are jammed in a frame; none where no verdict says so then."""
        shown = self.owners(index)
        found = np.zeros(len(shown), dtype=np.bool_)
        holding = {one.probe: one for one in self.verdicts if one.begin <= self.t[index]}
        for one in holding.values() if self.networked else ():
            if one.verdict == "jammed" and (arch := self.arch(index, one.probe)) is not None:
                found |= np.isin(shown, arch.bodies)
        return found

    def _jam_probe(self, probe: str | None) -> str:
        names: list[str] = self.metadata.get("jam_probes", [])
        if probe is None and len(names) == 1:
            return names[0]
        if probe is None:
            raise GranumError(f"This run has {len(names)} jam probes. " + (
                f"Name one of them: {', '.join(names)}." if names else
                'Give the scene [probe.NAME] with kind = "jam".'))
        return names[_place(probe, names, "jam probe")]

    @property
    def sources(self) -> dict[str, dict[str, int]]:
        """Grains of each source that have entered, were left out (skipped) and still wait for room."""
        return {name: dict(zip(("entered", "skipped", "waiting"), map(int, row), strict=True))
                for name, row in zip(self.scene.source, self._recording.arrays["log/sources"], strict=True)}

    @property
    def event(self) -> str | None:
        """What ended the run before its time, if anything."""
        if self._recording.event is None:
            return None
        ended = [found for found in self.verdicts if found.verdict == "jammed" or found.backed_up is not None]
        return in_words(ended[-1])

    @property
    def summary(self) -> dict[str, Any]:
        """The run in a few figures, and what was noticed."""
        self.refuse_empty()
        from granum.run.grain_summary import summarize

        return summarize(self)


def _place(name: str, names: list[str], what: str) -> int:
    if name not in names:
        raise GranumError(f'There is no {what} "{name}". {did_you_mean(name, names, what)}')
    return names.index(name)


def _of_grains(array: str) -> str:
    """The array of grains: in the plane `orientation` is the angle."""
    return {"count": "grain_count", "angle": "orientation"}.get(array, array)


def quaternions(orientation: NDArray[Any]) -> Floats:
    """(n, 4): of unit length, from what is recorded: angles (n, 1) or quaternions, of grains in single precision."""
    if orientation.shape[1] == 1:
        found = about_z(orientation[:, 0].astype(float))
        found[np.isnan(orientation[:, 0])] = np.nan
        return found
    exact = orientation.astype(float)
    if orientation.dtype == np.float32:
        exact /= np.linalg.norm(exact, axis=1)[:, None]
    return exact


def in_space(vectors: Floats) -> Floats:
    """Vectors of the plane with a third component."""
    padded = np.zeros((len(vectors), 3))
    padded[:, : vectors.shape[1]] = vectors
    return padded
