"""What every solver of contact between grains offers, and which one a scene names."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod

from granum.base.kernels import Floats
from granum.grains.lists import Contacts, Lists
from granum.grains.tables import Tables
from granum.model.scene import Scene


class Solver(ABC):
    """Advances the grains of `lists` by equal steps."""

    lists: Lists
    last_step: float = 0.0

    def begin(self, h: float) -> None:  # noqa: B027 (only rigid contact has something to do)
        """Before the first step of a run."""

    def take_up(self, lists: Lists) -> None:
        """Go on with other lists."""
        self.lists = lists

    @abstractmethod
    def advance(self, count: int, h: float, extra: Floats) -> int:
        """Make up to `count` steps h; returns how many were made. `extra` are velocities that loads add in a step."""

    @abstractmethod
    def contacts(self, h: float) -> Contacts:
        """The contacts as they are now."""

    @abstractmethod
    def work(self) -> tuple[float, float, float, float]:
        """Work since the start of impacts, friction, rolling friction and boundaries [J]."""

    @abstractmethod
    def corrected(self) -> float:
        """Energy that corrections added since the start [J]."""

    @abstractmethod
    def stored(self) -> float:
        """Energy that contacts hold now [J]."""

    @abstractmethod
    def largest_move(self) -> float:
        """Largest move in a step, in radii, since this was asked last."""

    @abstractmethod
    def statistics(self) -> dict[str, float]:
        """Figures over the steps since this was asked last."""

    @abstractmethod
    def memory(self) -> Floats:
        """Numbers that a resumed run needs beyond what contacts remember."""

    @abstractmethod
    def recall(self, memory: Floats) -> None:
        """Take such numbers up again."""


def make_solver(scene: Scene, lists: Lists, tables: Tables, gravity: Floats) -> Solver:
    """The solver that a scene names."""
    place, name = _SOLVERS[scene.run.solver]
    made: Solver = getattr(importlib.import_module(place), name)(scene, lists, tables, gravity)
    return made


_SOLVERS = {
    "moreau": ("granum.grains.rigid", "Moreau"),
    "soft": ("granum.grains.springs", "Soft"),
    "mixed": ("granum.grains.one_sided", "OneSided"),
    "events": ("granum.grains.located", "Located"),
}
