"""The recording behind a run: its frames, times and scene."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats
from granum.base.names import Names
from granum.io.runfile import Recording, Shape
from granum.model.scene import Scene
from granum.run.has import Has, lacking, lacking_array


class Recorded(ABC):
    """Frames of a run as they were recorded.

    Frames that were not reached are not there: an interrupted run is simply shorter.
    """

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self.metadata = recording.metadata
        self.path = recording.path

    @property
    @abstractmethod
    def has(self) -> Has:
        """What this run has."""

    def needs(self, what: str) -> None:
        """Refuse, in words, what this run does not have."""
        if not getattr(self.has, what):
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
        """Did the run reach its end?"""
        return self._recording.finished

    @property
    def planned(self) -> int:
        """How many frames the run has when it has reached its end."""
        return self._recording.frame_count

    def refuse_empty(self) -> None:
        """Raise if no frame is there to look at."""
        if not len(self.t):
            raise GranumError(f"{self.path or 'The run'} has no frame yet: it was stopped before its start, or has "
                              "just been started. Wait for it, or continue it with granum run SCENE.toml --resume.")

    def frame_number(self, index: int) -> int:
        """Number of a frame counted from the start, or by a negative number from the end; refuses one not there."""
        self.refuse_empty()
        if not -len(self.t) <= index < len(self.t):
            raise GranumError(f"{self.path or 'The run'} has no frame {index}: it has {len(self.t)} frames, 0 to "
                              f"{len(self.t) - 1}, or counted from the end -1 to {-len(self.t)}.")
        return index % len(self.t)

    def probe_names(self, kind: str) -> list[str]:
        """Probes of a kind: flow, packing, rigidity, section or jam."""
        return list(self.metadata.get(f"{kind}_probes", []))

    def _probe(self, name: str, kind: str) -> int:
        """Number of a probe among those of its kind."""
        names = self.probe_names(kind)
        if not names:
            raise GranumError(f'This run has no {kind} probe. Give the scene [probe.NAME] with kind = "{kind}".')
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
