"""Grains and contacts of a run, frame by frame, and what is measured on them.

Every run is such a class, whatever it has. So what would load kernels of grains is imported where it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Flags, Floats, Ints
from granum.base.text import count
from granum.grains.measuring import measure, network
from granum.grains.measuring.arch import Arch, Opening, find_arch
from granum.grains.measuring.jam import Verdict, from_row
from granum.grains.measuring.passing import FlowRate, flow_rate
from granum.grains.measuring.rigidity import contact_rigidity
from granum.grains.state import FIRST, SECOND, Int32s
from granum.model.loads import Gravity
from granum.model.probes import FlowProbe, JamProbe, PackingProbe
from granum.model.regions import Region
from granum.run.contact_errors import SolvedContacts
from granum.run.motion import flat
from granum.run.recorded import lacking
from granum.run.trajectories import GrainTracks, quaternions
from granum.topology import Rigidity

if TYPE_CHECKING:
    from granum.contact.conic.problem import ContactProblem


_MOST_BINS = 100_000
"""Of a distribution of forces."""


class Frame(NamedTuple):
    """Grains at one time, in the order of their numbers."""

    t: float
    """[s]"""
    positions: Floats
    """(n, d) [m]"""
    velocities: Floats
    """(n, d) [m/s]"""
    angular_velocities: Floats
    """(n, 3); in 2-D (n,) [rad/s]"""
    radii: Floats
    """(n,) [m]"""
    numbers: Ints
    """(n,)"""
    pair: Int32s
    """(contacts, 2): rows of the two grains here; the second is -1 - element at a boundary."""
    normal: Floats
    """(contacts, d): from the first grain to the second, or from the boundary to the grain."""
    force: Floats
    """(contacts, d): on the second grain, or on the grain at a boundary [N]."""
    sticks: Flags
    """(contacts,): is its friction below μ F_n?"""
    bodies: Ints
    """(n,): row of the body of the frame that each is part of; its own row where all are single."""
    centres: Floats
    """(bodies, d): mass centres of these [m]."""
    orientations: Floats
    """(n, 4): unit quaternions that rotate axes of the grains into inertial ones."""


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


class GrainMeasures(SolvedContacts):
    """Frames of grains, their contacts, and what is measured on them; refused in words where a run has none."""

    def _integers(self, name: str) -> Ints:
        """An array of frames as integers."""
        values: Ints = self._frames(name).astype(np.int64)
        return values

    @property
    def counts(self) -> Ints:
        """(frames,): number of grains."""
        return self._integers("grain_count")

    @property
    def contact_counts(self) -> Ints:
        """(frames,): number of contacts."""
        return self._integers("contact_count")

    @property
    def body_counts(self) -> Ints:
        """(frames,): number of bodies, including single grains."""
        return self._integers("body_count" if self.has.parts else "grain_count")

    def other_bodies(self, index: int = -1) -> int:
        """Number of bodies in a frame that are not grains, such as rods and blocks."""
        if not self.has.parts:
            return 0
        index = self.frame_number(index)
        return int(self.body_counts[index]) - len(np.unique(self.recorded("part_of", index)))

    @property
    def contact_room(self) -> int:
        """Largest number of contacts recorded per frame: the strongest ones if there are more."""
        return self._shape("contact_pair")[1]

    @property
    def grain_room(self) -> int:
        """Largest number of grains that can exist at once."""
        self.needs("grains")
        return self._shape("position")[1]

    @property
    def groups(self) -> list[str]:
        """Names of the bodies, patterns and sources of the grains; empty without grains."""
        return list(self.metadata.get("grains", []))

    @property
    def _grain_tracks(self) -> GrainTracks:
        if not isinstance(self._tracks, GrainTracks):
            raise lacking("grains", self.has)
        return self._tracks

    @property
    def numbers(self) -> dict[str, int]:
        """Numbers of all grains and bodies that ever moved, by name."""
        return self._grain_tracks.numbers

    def followed_by_grains(self, group: int) -> bool:
        """Is a group followed grain by grain though bodies may hold several of them: disks and balls of a pattern?"""
        return self._grain_tracks.by_grain(group)

    def frame(self, index: int = -1) -> Frame:
        """All grains and contacts of a frame."""
        self.needs("grains")
        index = self.frame_number(index)
        position, velocity, angular_velocity, radius, number, pair, normal, force, sticks = (
            self.recorded(name, index) for name in
            ("position", "velocity", "angular_velocity", "radius", "number", *(f"contact_{name}" for name in
                                                                   ("pair", "normal", "force", "sticks"))))
        return Frame(float(self.t[index]), position, velocity, flat(angular_velocity), radius, number, pair,
                     normal.astype(float), force.astype(float), sticks.astype(np.bool_), self.owners(index),
                     self.recorded("body_position", index) if self.has.parts else position,
                     self.grain_orientations(index))

    def recorded(self, array: str, index: int = -1) -> NDArray[Any]:
        """One array of a frame as in the file: of grains, or `contact_...` and `body_...`."""
        index, shape = self.frame_number(index), self._shape(array)
        if array.startswith("contact_") and not shape[0]:  # a network that was too large to be recorded
            return np.zeros((0, *shape[2:]), self._recording.layout[array][1])
        what = array.partition("_")[0]
        count = self._frames(f"{what if what in ('contact', 'body') else 'grain'}_count")[index]
        return np.array(self._recording.frame(array, index)[: int(count)])

    def grain_orientations(self, index: int = -1) -> Floats:
        """(n, 4): quaternions of all grains of a frame."""
        self.needs("grains")
        return quaternions(self.recorded("orientation", index))

    def owners(self, index: int = -1) -> Ints:
        """(n,): row of the body of a frame that each grain is part of."""
        index = self.frame_number(index)
        if not self.has.parts:
            return np.arange(int(self.counts[index]))
        rows: Ints = np.searchsorted(self.recorded("body_number", index), self.recorded("part_of", index))
        return rows

    @property
    def figures(self) -> dict[str, Floats]:
        """Means and extremes over the steps of each frame: contacts, overlaps and displacements [radii], contact
        errors (see `contact_error`) if the solver has them, errors of joints [m, rad].
        """
        return self._table("figures", "figure_columns")

    def coordination(self, index: int = -1, friction: bool | None = None) -> network.Coordination:
        """Coordination number of grains, or of the bodies they are parts of, with and without rattlers, of a frame."""
        shown = self.frame(index)
        rough = any(material.friction > 0.0 for material in self.scene.material.values())
        pair, grain = shown.pair.copy(), shown.pair[:, SECOND] >= 0
        pair[:, FIRST], pair[grain, SECOND] = shown.bodies[pair[:, FIRST]], shown.bodies[pair[grain, SECOND]]
        return network.coordination(pair, len(shown.centres), self.dimension, rough if friction is None else friction,
                                    in_space(shown.force), self._gravity)

    @property
    def _gravity(self) -> Floats:
        """(3,): sum of all gravity of the scene [m/s²]."""
        loads = [load.acceleration for load in self.scene.load.values() if isinstance(load, Gravity)]
        total: Floats = in_space(np.array(loads).reshape(-1, self.dimension)).sum(axis=0)
        return total

    def contact_problem(self, index: int = -1) -> ContactProblem:
        """The contact problem u = W r + q, K* ∋ û ⊥ r ∈ K of the first step *after* a frame (solver `moreau`).

        It is formed from the state of the frame: exact where the run has a checkpoint (its last two frames), else to
        the precision of recorded frames. `r` and `u` of the problem are impulses [N s] and velocities [m/s] with which
        `moreau` ends that step, each contact in its axes (n, t₁, t₂) and u_n less -e u_n⁻ after an impact. Impacts of
        bodies that touch nothing else happen at their own instants and are not part of it.
        `gr.contact.solve_problem` solves it; `gr.export(run, "fclib")` writes it.

        Args:
            index: number of the frame, from the end if negative.
        """
        from granum.run.contact_problems import contact_problem_after

        return contact_problem_after(self, index)

    def force_chains(self, index: int = -1) -> network.ForceChains:
        """Contacts above the mean force in a frame, and the fraction of the forces that they carry."""
        shown = self.frame(index)
        return network.force_chains(shown.pair, in_space(shown.force), len(shown.radii))

    def rigidity(self, index: int = -1) -> Rigidity:
        """Floppy modes, redundant contacts and rigid clusters of a frame, by the contacts that stick and slide in it.

        Bonds are the contacts of the frame, bodies its grains; the boundary is the ground behind them.
        """
        self.needs("contacts")
        shown = self.frame(index)
        return contact_rigidity(shown.positions, shown.radii, shown.pair, shown.normal, shown.sticks)

    def probe(self, name: str) -> dict[str, Floats]:
        """At each frame: what a probe of a kind from outside the package measured, by the names of its columns."""
        columns = self.metadata.get("probe_columns", {})
        if name not in columns:
            raise GranumError(f'there is no probe "{name}". {did_you_mean(name, list(columns), "probe")}')
        return dict(zip(columns[name], self._frames(f"probe/{name}").T, strict=True))

    def rigidity_probe(self, probe: str) -> dict[str, Ints]:
        """At each frame: grains in the largest rigid cluster, redundant contact rows, floppy modes."""
        values = self._integers("rigidity")[:, self._probe(probe, "rigidity")]
        return dict(zip(("largest", "redundant", "floppy_modes"), values.T, strict=True))

    def fabric(self, index: int = -1) -> measure.Fabric:
        """Fabric tensor ⟨n⊗n⟩ of a frame."""
        return measure.fabric(in_space(self.frame(index).normal), self.dimension)

    def force_distribution(self, index: int = -1, bins: int = 30) -> tuple[Floats, Floats]:
        """Probability density of contact forces relative to their mean, f/⟨f⟩, in a frame, and the bin edges."""
        if not 1 <= bins <= _MOST_BINS:
            raise GranumError(f"found {bins} bins, but the distribution has 1 to {_MOST_BINS}.")
        shown = self.frame(index)
        if not np.any(shown.force):
            raise GranumError(f"No contact carries a force at t = {shown.t:.4g} s, so there is no force distribution. "
                              "Choose another frame.")
        return network.force_distribution(in_space(shown.force), bins)

    def stress(self, volume: float | None = None, index: int = -1, probe: str | None = None) -> measure.Stress:
        """Mean stress tensor of a frame; compression is positive [Pa, in 2-D N/m].

        Args:
            volume: averaging volume [m³, 2-D: m²]; default: the axis-aligned box around the grains.
            probe: a packing probe: the stress in its region, grains counted as far as they are in it.
        """
        from granum.grains.geometry.filling import box_volume, filled_part
        from granum.grains.geometry.regions import geometry_of

        shown = self.frame(index)
        radii = shown.radii.astype(float)
        part = np.ones(len(radii))
        if probe is not None:
            region = self._region(probe)
            part = filled_part(in_space(shown.positions), radii, region, self.dimension)
            volume = geometry_of(region).volume
        if volume is None:
            volume = box_volume(shown.positions, radii)
        stress = measure.stress(in_space(shown.positions), radii, shown.pair, in_space(shown.normal),
                                in_space(shown.force), self.dimension, volume, part)
        # branch vectors go to the mass centre of the body that a grain is part of
        (i, j), beyond = shown.pair.T, part[:, None] * (shown.centres[shown.bodies] - shown.positions)
        branch = np.where(j[:, None] >= 0, beyond[np.maximum(j, 0)] - beyond[i], beyond[i])
        return measure.Stress(stress.tensor + shown.force.T @ branch / volume)

    def _region(self, probe: str) -> Region:
        """The region of a packing probe that has an end."""
        from granum.grains.geometry.regions import geometry_of

        entry = self.scene.probe[self.probe_names("packing")[self._probe(probe, "packing")]]
        assert isinstance(entry, PackingProbe)
        if not np.isfinite(geometry_of(entry.region).volume):
            raise GranumError(f'The region of "{probe}" is infinite and has no volume. Use a box or a round region.')
        return entry.region

    def flow_rate(self, probe: str, window: float | None = None) -> FlowRate:
        """Flow rate through a flow probe [grains/s], averaged over windows, with mean and standard error.

        The mean is from the first to the last passage; where a jam probe finds the flow blocked at the end, to the end
        of the recording, and `flowing` is the mean until the last passage.
        """
        verdicts = [found.verdict for found in self.verdicts
                    if isinstance(jam := self.scene.probe[found.probe], JamProbe) and jam.flow == probe]
        return flow_rate(self.t, self.passed(probe)[0], window, verdicts[-1] if verdicts else None)

    @property
    def bonds_left(self) -> Ints:
        """(frames,): number of intact bonds."""
        return self._integers("bonds_left")

    def bonds(self, index: int = -1) -> Ints:
        """(n, 2): numbers of the grains that bonds hold together in a frame."""
        pairs: Ints = np.array(self._array("log/bond_pair"))[self._array("log/bond_broke") > self.t[index]]
        assert len(pairs) == int(self.bonds_left[index])
        return pairs

    @property
    def breaks(self) -> list[Break]:
        """Broken bonds, in order of time."""
        pair, broke = (np.array(self._array(f"log/bond_{name}")) for name in ("pair", "broke"))
        order = np.argsort(broke, kind="stable")
        return [Break(float(broke[k]), tuple(pair[k].tolist())) for k in order if 0.0 <= broke[k] <= self.t[-1]]

    @property
    def merged(self) -> Ints:
        """(frames, 2): number of merged bodies and of the grains in them."""
        return self._integers("merged")

    @property
    def merges(self) -> list[Merge]:
        """Merges and splits of clusters, in order of time."""
        arrays = self._recording.arrays
        if "log/merges" not in arrays:
            return []
        logged = arrays["log/merges"][: int(arrays["log/merge_count"][0])]
        return [Merge(float(t), int(grains), int(number)) for t, grains, number in logged]

    def fragments(self, index: int = -1) -> Ints:
        """Sizes in grains of the bodies that bonded grains are in, the largest first, in a frame."""
        bonded = np.isin(self.recorded("number", index), np.unique(self._array("log/bond_pair")))
        sizes: Ints = np.sort(np.unique(self.recorded("part_of", index)[bonded], return_counts=True)[1])[::-1]
        return sizes

    def passed(self, probe: str) -> tuple[Floats, Floats]:
        """Number and mass [kg] of the grains that have passed a flow probe, at each frame."""
        grains, mass = self._frames("passed")[:, self._probe(probe, "flow")].T
        return grains, mass

    def packing(self, probe: str) -> Floats:
        """Packing fraction in the region of a packing probe, at each frame."""
        return self._frames("packing")[:, self._probe(probe, "packing")]

    @property
    def verdicts(self) -> list[Verdict]:
        """Verdicts of all jam probes in order of time; at most the latest thousand."""
        arrays = self._recording.arrays
        if "log/verdicts" not in arrays:
            return []
        names, verdicts = self.probe_names("jam"), []
        for number, *row in arrays["log/verdicts"][: int(arrays["log/verdict_count"][0])].tolist():
            probe = names[int(number)]
            verdicts.append(from_row(np.array(row), probe, self._opening(probe)))
        return verdicts

    def _opening(self, jam_probe: str) -> Opening:
        """The opening that a jam probe watches."""
        from granum.grains.probes.flows import opening

        entry = self.scene.probe[jam_probe]
        assert isinstance(entry, JamProbe)
        flow = self.scene.probe[entry.flow]
        assert isinstance(flow, FlowProbe)
        return opening(flow)

    def verdict(self, probe: str | None = None) -> Verdict:
        """The last verdict of a jam probe; the name may be omitted if there is only one."""
        name = self._jam_probe(probe)
        verdicts = [one for one in self.verdicts if one.probe == name]
        if not verdicts:
            raise GranumError(f'The jam probe "{name}" has no verdict yet: the run has made no step. Continue it with '
                              "--resume.")
        return verdicts[-1]

    @property
    def jam(self) -> Verdict | None:
        """The first jam of the run, or None."""
        return next((one for one in self.verdicts if one.verdict == "jammed"), None)

    def arch(self, index: int = -1, probe: str | None = None) -> Arch | None:
        """The arch across the opening of a jam probe in a frame: rows of its bodies, or None.

        It is searched for in the contacts of the frame, whatever the verdict.
        """
        from granum.grains.search.neighbour_list import Contacts

        watched = self._opening(self._jam_probe(probe))
        self.needs("contacts")
        shown = self.frame(index)
        contacts = Contacts(shown.pair, in_space(shown.normal), in_space(shown.force))
        return find_arch(watched, in_space(shown.positions), shown.radii.astype(float), contacts, shown.bodies)

    def arched(self, index: int = -1) -> Flags:
        """(n,): grains of the arches of jammed flows in a frame; empty without a jam."""
        index = self.frame_number(index)
        owners = self.owners(index)
        arched = np.zeros(len(owners), dtype=np.bool_)
        holding = {one.probe: one for one in self.verdicts if one.begin <= self.t[index]}
        for one in holding.values() if self.has.contacts else ():
            if one.verdict == "jammed" and (arch := self.arch(index, one.probe)) is not None:
                arched |= np.isin(owners, arch.bodies)
        return arched

    def _jam_probe(self, probe: str | None) -> str:
        names = self.probe_names("jam")
        if probe is None and len(names) == 1:
            return names[0]
        if probe is None:
            raise GranumError(f"This run has {count(len(names), 'jam probe')}. " + (
                f"Give one of them: {', '.join(names)}." if names else
                'Add [probe.NAME] with kind = "jam" to the scene.'))
        return names[self._probe(probe, "jam")]

    @property
    def sources(self) -> dict[str, dict[str, int]]:
        """Number of grains of each source that entered, were skipped, or are waiting for room."""
        return {name: dict(zip(("entered", "skipped", "waiting"), map(int, row), strict=True))
                for name, row in zip(self.scene.source, self._array("log/sources"), strict=True)
                } if self.scene.source else {}


def in_space(vectors: Floats) -> Floats:
    """Vectors of 2-D with a third component."""
    padded = np.zeros((len(vectors), 3))
    padded[:, : vectors.shape[1]] = vectors
    return padded
