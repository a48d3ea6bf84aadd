"""Probes that are measured at every frame, by their schema classes.

To add a kind, write one file with a subclass of `FrameProbe`, decorated with `measures(SchemaClass)`. What it measures
is recorded with the frame, a column for each name in `columns`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from granum.base.errors import Problem, SceneError
from granum.base.kernels import Flags, Floats
from granum.grains.geometry.regions import geometry_of
from granum.grains.search.neighbour_list import Contacts
from granum.grains.state import Grains
from granum.model.scene import Scene


class FrameView(NamedTuple):
    """What a probe sees at a frame."""

    grains: Grains
    dimension: int
    contacts: Contacts
    sticks: Flags
    """(C,): contacts that do not slide."""
    shares: Floats
    """(N,): volume of the body of each grain over that of all its parts; 1 where none overlap."""


class FrameProbe(ABC):
    """A probe of a scene."""

    columns: tuple[str, ...]
    """What is measured, by name."""

    def __init__(self, entry: Any) -> None:
        self.entry = entry

    def problems(self, key: str, dimension: int) -> list[Problem]:
        """What is wrong with the entry; a region must have the dimension of the scene."""
        region = getattr(self.entry, "region", None)
        return geometry_of(region).problems(dimension, f"{key}.region") if region is not None else []

    @abstractmethod
    def measure(self, view: FrameView) -> Sequence[float]:
        """A number for each column."""


KINDS: dict[type, type[FrameProbe]] = {}
Kind = TypeVar("Kind", bound=type[FrameProbe])


def measures(schema: type) -> Callable[[Kind], Kind]:
    """Register the class that measures entries of a schema class."""
    def register(kind: Kind) -> Kind:
        KINDS[schema] = kind
        return kind

    return register


def frame_probes(scene: Scene, dimension: int) -> dict[str, FrameProbe]:
    """Probes of a scene that are measured at every frame, by name. Raises SceneError."""
    probes = {name: KINDS[type(entry)](entry) for name, entry in scene.probe.items() if type(entry) in KINDS}
    problems = [problem for name, probe in probes.items() for problem in probe.problems(f"probe.{name}", dimension)]
    if problems:
        raise SceneError(problems)
    return probes
