"""The recording behind a run: its frames, times and scene, and what it has."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from numpy.typing import NDArray

from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats
from granum.base.names import Names
from granum.base.text import count
from granum.io.runfile import Recording, Shape
from granum.model.body_entries import Rigid
from granum.model.scene import Scene


@dataclass(frozen=True)
class Has:
    """What a run has, by name: `run.has.contacts` is true where contacts can be read."""

    bodies: bool
    """Bodies, grains or points with a position."""
    orientation: bool
    """Bodies or grains with an orientation and an angular velocity."""
    coordinates: bool
    """Generalised coordinates and their rates: a formulation of formulas solved it."""
    links: bool
    joints: bool
    """Joints, drives, rolling and other constraints with reactions."""
    reactions: bool
    """Recorded reactions of links, joints or constraints."""
    constraints: bool
    """Links, joints or constraint rows whose errors are recorded."""
    sections: bool
    """Force and moment across the cuts of section probes."""
    grains: bool
    """A solver of contacts ran it: bodies touch, and may enter and leave."""
    parts: bool
    """Grains that are parts of bodies, such as clumps."""
    contacts: bool
    """The contacts of every frame with their forces."""
    residual: bool
    """How well contact was solved: solvers with forces from overlaps, and those that locate events, cannot say."""
    rigidity: bool
    """Links of point masses, or contacts, whose rigid clusters can be found."""
    bonds: bool
    merging: bool
    """Clusters of grains that merge into one body."""
    energy_balance: bool
    """The work of every agent, and with it the error of the energy balance: an external engine may not report it."""

    def __str__(self) -> str:
        return ", ".join(field.name for field in fields(self) if getattr(self, field.name)) or "nothing"


_REMEDIES = {
    "bodies": "Add bodies to the scene, or [system.points] to a system of formulas.",
    "orientation": "Rigid bodies, disks and spheres have one; point masses and points have none.",
    "coordinates": 'Run the scene with formulation = "fundamental", "lagrange", "gibbs-appell" or "virtual-work".',
    "links": "Add [link.NAME] to the scene.",
    "joints": "Add [constraint.NAME] to the scene.",
    "reactions": "Add links, joints or other constraints to the scene.",
    "constraints": "Add links, joints or other constraints to the scene.",
    "sections": 'Add [probe.NAME] with kind = "section" to the scene, and run it again.',
    "grains": 'Add grains or boundaries to the scene, or run it with solver = "moreau".',
    "parts": "Add clumps, bonds or joints to the scene.",
    "contacts": 'Add grains or boundaries to the scene, or run it with solver = "moreau".',
    "residual": 'Run the scene with solver = "moreau" or "unilateral".',
    "rigidity": "Rigid clusters are defined for contacts, or for point masses and links.",
    "bonds": "Add [bond.NAME] with among = a pattern or clump to the scene.",
    "merging": "Set merge_clusters = true under [run].",
    "energy_balance": "Run the scene without --engine: only Granum's own solvers report all work.",
}
_OF_ARRAYS = {"coordinate": "coordinates", "rate": "coordinates", "constraint": "constraints", "contact": "contacts",
              "section": "sections", "body": "parts", "part": "parts", "bonds": "bonds", "log/bond": "bonds",
              "merged": "merging", "log/merge": "merging", "joint": "joints", "link": "reactions",
              "orientation": "orientation", "angular": "orientation"}
"""What a run without an array lacks, by the first word of its name."""


def find_out(recording: Recording, scene: Scene, links: int, joints: int) -> Has:
    """What a recording has, whose scene has so many links and joints."""
    arrays, metadata = recording.layout, recording.metadata
    grains = "grains" in metadata
    contacts = grains and arrays["contact_pair"][0][0] > 0
    rigid = any(isinstance(body, Rigid) for body in scene.body.values())
    return Has(
        bodies=arrays["position"][0][1] > 0 or "body_count" in arrays,
        orientation=(grains and metadata.get("orientation", True)) or rigid,
        coordinates="coordinate" in arrays, links=links > 0, joints=joints > 0, reactions=links + joints > 0,
        constraints=bool(metadata["rows"]) if "rows" in metadata else
        links + joints > 0 and "constraint_error" in arrays,
        sections=bool(metadata.get("section_probes")), grains=grains,
        parts="body_count" in arrays, contacts=contacts,
        residual=metadata.get("contact_tolerance") is not None,
        rigidity=contacts or (links > 0 and not {"grains", "bodies"} & metadata.keys()),
        bonds="bonds_left" in arrays, merging="merged" in arrays,
        energy_balance=metadata.get("energy_balance", True))


def lacking(what: str, has: Has) -> GranumError:
    """The refusal of what a run does not have: what it has, and what would give it."""
    if what == "contacts" and has.grains:
        return GranumError("The contact network is too large to record in this run. Record fewer frames, with a longer "
                           "interval under [run].")
    return GranumError(f"This run has no {what}. It has {has}. {_REMEDIES[what]}")


def find_quantity(what: str) -> str:
    """A name of what runs may have; refuses others."""
    if what not in _REMEDIES:
        raise GranumError(f'there is no quantity "{what:.80}". {did_you_mean(what, _REMEDIES, "quantity")}')
    return what


def lacking_array(name: str, has: Has) -> GranumError:
    """The same for an array of the recording."""
    return lacking(next((what for word, what in _OF_ARRAYS.items() if name.startswith(word)), "grains"), has)


class Recorded(ABC):
    """Frames of a run as they were recorded.

    Frames that were not reached are not there: an interrupted run is simply shorter.
    """

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self.metadata = recording.metadata
        self.path = recording.path
        self._listed: dict[str, Names] = {}

    @property
    @abstractmethod
    def has(self) -> Has:
        """What this run has."""

    def needs(self, what: str) -> None:
        """Raise if this run does not have a quantity."""
        if not getattr(self.has, find_quantity(what)):
            raise lacking(what, self.has)

    def _shape(self, name: str) -> Shape:
        """Shape of an array; refuses one that the run does not have."""
        if name not in self._recording.layout:
            raise lacking_array(name, self.has)
        return self._recording.layout[name][0]

    def _array(self, name: str) -> NDArray[Any]:
        """A log as it stands, or an array of frames with room for those still to come."""
        self._shape(name)
        return self._recording.arrays[name]

    def _frames(self, name: str, rows: slice = slice(None)) -> NDArray[Any]:
        """An array of all frames, or of successive ones; no others are read."""
        self._shape(name)
        return self._recording.frames(name, rows)

    def energy_table(self) -> NDArray[Any]:
        """(frames, columns): energies as they are recorded [J]."""
        return self._frames("energy")

    def _table(self, array: str, key: str) -> dict[str, NDArray[Any]]:
        """(frames,) each: columns of an array by the names that the metadata lists under a key."""
        table = self._frames(array)  # refused in words where there is none
        return dict(zip(self.metadata[key], table.T, strict=True))

    def _column(self, array: str, key: str, name: str, what: str) -> NDArray[Any]:
        """(frames,): one of them; refuses a name that is not there."""
        table = self._frames(array)
        return table[:, find_name(self._names_of(key), name, what)]

    def _names_of(self, key: str) -> Names:
        """Names that the metadata lists under a key; none where it does not."""
        if key not in self._listed:
            self._listed[key] = listed_names(self.metadata.get(key, []))
        return self._listed[key]

    @property
    def scene(self) -> Scene:
        """The scene that was run, with the settings that were used."""
        return self._recording.scene

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._shape("position")[2]

    @property
    def t(self) -> Floats:
        """Times of the frames [s]."""
        return self._frames("time")

    @property
    def finished(self) -> bool:
        """Whether the run reached its end."""
        return self._recording.finished

    @property
    def planned(self) -> int:
        """Number of frames of the finished run."""
        return self._recording.frame_count

    def refuse_empty(self) -> None:
        """Raise if the run has no frame."""
        if not len(self.t):
            raise GranumError(f"{self.path or 'The run'} has no frame yet: it has just been started, or was stopped "
                              "before its first frame. Wait for it, or continue it with granum run SCENE.toml "
                              "--resume.")

    def frame_number(self, index: int) -> int:
        """Index of a frame from the start; negative indices count from the end. Raises if there is no such frame."""
        self.refuse_empty()
        if not -len(self.t) <= index < len(self.t):
            raise GranumError(f"{self.path or 'The run'} has no frame {index}: it has {count(len(self.t), 'frame')}, 0 "
                              f"to {len(self.t) - 1}, or -1 to {-len(self.t)} from the end.")
        return index % len(self.t)

    def probe_names(self, kind: str) -> list[str]:
        """Probes of a kind: flow, packing, rigidity, section or jam."""
        return list(self.metadata.get(f"{kind}_probes", []))

    def _probe(self, name: str, kind: str) -> int:
        """Number of a probe among those of its kind."""
        names = self.probe_names(kind)
        if not names:
            raise GranumError(f'This run has no {kind} probe. Add [probe.NAME] with kind = "{kind}" to the scene.')
        if name not in names:
            raise GranumError(f'There is no {kind} probe "{name}". {did_you_mean(name, names, f"{kind} probe")}')
        return names.index(name)


def scene_order(scene: Scene, names: Sequence[str]) -> list[int]:
    """Which names come first, second, ...: those of the bodies of the scene in its order, then all others in theirs."""
    rank = {name: k for k, name in enumerate(scene.body)}
    return sorted(range(len(names)), key=lambda k: (rank.get(names[k], len(rank)), k))


def listed_names(names: list[str]) -> Names:
    """A list of names that finds each of them."""
    listed = Names()
    for name in names:
        listed.add(name)
    return listed


def find_name(names: Names, name: str, what: str) -> int:
    """Number of a name; refuses one that is not there."""
    number = names.find(name)
    if number is None:
        raise GranumError(f'There is no {what} "{name}". {did_you_mean(name, names.some(), what)}')
    return number
