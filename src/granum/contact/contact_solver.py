"""What every solver of contact between grains offers, and which one a scene names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, ClassVar, cast

import numba
import numpy as np

from granum.base.choices import GRAIN_SOLVERS
from granum.base.extensions import found
from granum.base.kernels import Floats
from granum.base.offers import load
from granum.contact import totals
from granum.contact.agents import Surroundings
from granum.contact.steps import FreeFlight, StepBasis, StepLimits, rigid_step
from granum.grains.generation.finder import bodily_entries
from granum.grains.search.neighbour_list import Contacts, NeighbourList
from granum.grains.tables import Tables
from granum.model.scene import Scene
from granum.state.table import R

PARALLEL_GRAINS = 8000
"""Grains from which several threads pay."""

if TYPE_CHECKING:
    from granum.contact.bodies.joints import Joints
    from granum.grains.aggregates.sections import Sections


class Solver(ABC):
    """Advances the grains of a neighbour list. What it adds up over steps is in `totals`, named in `contact.totals`."""

    free_flight: ClassVar[FreeFlight] = FreeFlight()
    """How far grains may fall and fly in a step."""
    keys: ClassVar[tuple[str, ...]] = ("friction", "restitution")
    """Keys of materials that its contacts honour; others are refused where a scene gives them (`MaterialKeys`)."""
    neighbour_list: NeighbourList
    totals: Floats
    last_step: float = 0.0
    sections: Sections | None = None
    """Cuts through bodies, where there are any."""
    solves_contact: bool = True
    """Are impulses of contact found by solving a problem, so that there is a residual?"""
    tolerance: float = 0.0
    """Relative residual at which it is solved."""
    impulses_last: bool = False
    """Do contacts remember the impulses of a step, which the next one begins with?"""
    calls_agents: bool = False
    """Does its loop of steps call the `surroundings`: loads, and a look at probes, sources and sinks?"""
    surroundings: Surroundings
    notice: Callable[[float], None] = staticmethod(lambda t: None)
    """Called with the time now and then by a solver whose steps may take long."""
    _made: int = -1
    """Version of the neighbour list that its arrays are made for."""

    def __init__(self, scene: Scene, neighbour_list: NeighbourList, tables: Tables, gravity: Floats) -> None:
        self.neighbour_list, self.tables, self.gravity = neighbour_list, tables, gravity
        self.totals, self.surroundings = np.zeros(totals.TOTALS), Surroundings()

    @classmethod
    def make(cls, scene: Scene, neighbour_list: NeighbourList, tables: Tables, gravity: Floats,
             joints: Joints | None = None) -> Solver:
        """The solver of a scene; joints are there where it supports bodies of several parts."""
        return cls(scene, neighbour_list, tables, gravity)

    @classmethod
    def unsupported(cls, scene: Scene) -> dict[str, str]:
        """Keys of a scene that it does not support, and what each of them is: by default all beyond single grains."""
        return bodily_entries(scene)

    @classmethod
    def supported_keys(cls, scene: Scene) -> Collection[str]:
        """Keys of materials that it honours in a scene: by default `keys`, in any."""
        return cls.keys

    @classmethod
    def step_limits(cls, basis: StepBasis) -> StepLimits:
        """The step to propose and the largest one [s]: by default those of rigid grains in free flight."""
        return rigid_step(basis, cls.free_flight)

    def use(self, neighbour_list: NeighbourList) -> None:
        """Go on with another neighbour list."""
        self.neighbour_list, self._made = neighbour_list, -1

    def _allot(self) -> None:  # noqa: B027 (some keep no arrays of their own)
        """Make arrays for the grains and contacts of the neighbour list as it is now."""

    def _prepare(self) -> None:
        """Make arrays where the neighbour list is another one than they are made for."""
        if self._made != self.neighbour_list.version:
            self._allot()
            self._made = self.neighbour_list.version

    def _with_boundary_rows(self) -> Floats:
        """Velocities of the grains with rows behind them, one for each near boundary: velocity of the surface, without
        mass. The grains keep theirs there.
        """
        grains = self.neighbour_list.grains
        v = np.zeros((grains.count + len(self.neighbour_list.near.wall_element), grains.v.shape[1]))
        v[: grains.count] = grains.v
        grains.v = v[: grains.count]
        return v

    @property
    def _smallest(self) -> float:
        """The smallest radius [m]; 0 without grains."""
        grains = self.neighbour_list.grains
        return float(grains.x[:, R].min()) if grains.count else 0.0

    @property
    def _several(self) -> bool:
        """Are there grains enough for several threads?"""
        neighbours = self.neighbour_list
        return neighbours.grains.count >= PARALLEL_GRAINS and len(neighbours.near.slabs) > 2 \
            and numba.get_num_threads() > 1

    def _note_steps(self, count: int, h: float) -> None:
        """So many steps are made."""
        self.last_step = h
        self.neighbour_list.steps += count
        self.neighbour_list.grains.t += count * h

    def begin(self, h: float) -> None:  # noqa: B027 (only rigid contact has something to do)
        """Before the first step of a run."""

    @abstractmethod
    def advance(self, count: int, h: float, extra: Floats) -> int:
        """Make up to `count` steps h; returns how many were made. `extra` are velocities that loads add in a step."""

    def velocities(self) -> Floats:
        """(grains, 3 or more) of what loads pushed in the last step, at its end [m/s]."""
        return self.neighbour_list.grains.v

    def contacts(self, h: float) -> Contacts:
        """Contacts with an impulse in the last step, and the mean force it stands for."""
        return self.neighbour_list.remembered_forces(h)

    def merges(self) -> Floats | None:
        """(n, 3): times [s], grains of clusters that merged (negative: came apart) and their numbers, if any can."""
        return None

    def restore_merges(self, merges: Floats) -> None:  # noqa: B027 (only bodies merge)
        """Go on with such a log."""

    def work(self) -> tuple[float, float, float, float]:
        """Work since the start of impacts, friction, rolling friction and boundaries [J]."""
        impact, friction, rolling, boundary = self.totals[totals.IMPACT : totals.RELATIVE].tolist()
        return impact, friction, rolling, boundary

    def stored(self) -> float:
        """Energy that contacts hold now [J]; rigid ones hold none."""
        return 0.0

    def largest_move(self) -> float:
        """Largest move in a step, in radii, since statistics were asked for."""
        return float(self.totals[totals.MOVE])

    def statistics(self) -> dict[str, float]:
        """Over the steps since this was asked last: contacts and pushing ones per step, overlaps in smaller radii, the
        largest move in radii, and where contact is a problem that is solved, its largest relative residual, the
        largest residual of a contact [m/s], and impacts that were made plastic, because friction beside them would have
        made energy.
        """
        t = self.totals
        steps, pushing = max(t[totals.STEPS], 1.0), t[totals.PUSHING]
        values = {
            "contacts": float(t[totals.CONTACTS] / steps), "pushing": float(pushing / steps),
            "mean_overlap": float(t[totals.OVERLAP] / max(pushing, 1.0)),
            "largest_overlap": float(t[totals.DEEPEST]), "largest_move": float(t[totals.MOVE]),
        }
        if self.solves_contact:
            values |= {"residual": float(t[totals.RELATIVE]), "largest_residual": float(t[totals.WORST]),
                       "plastic_impacts": float(t[totals.PLASTIC])}
        t[totals.RELATIVE : totals.TOTALS] = 0.0
        t[totals.STEPS] = 0.0
        return values

    def checkpoint(self) -> Floats:
        """Numbers that a resumed run needs beyond the contact history."""
        return self.totals

    def restore(self, checkpoint: Floats) -> None:
        """Go on with such numbers."""
        self.totals[:] = checkpoint

    def continue_from(self, step: float, checkpoint: Floats) -> None:
        """Begin where an earlier run of the same scene left off, from its last step [s] and checkpoint."""
        self.last_step = step


def solver_class(name: str) -> type[Solver]:
    """The solver of a name."""
    found(_SOLVERS, GRAIN_SOLVERS.section, name)
    solver = _SOLVERS[name]
    return cast("type[Solver]", load(solver)) if isinstance(solver, str) else solver


def register(name: str, meaning: str, solver: type[Solver]) -> None:
    """Add a solver of contact between grains: scenes choose it by name."""
    GRAIN_SOLVERS.register(name, meaning)
    _SOLVERS[name] = solver


# loaded when used: kernels of one solver need not wait for those of the others
_SOLVERS: dict[str, str | type[Solver]] = {
    "moreau": "granum.contact.nonsmooth.moreau:Moreau",
    "soft": "granum.contact.penalty.soft:Soft",
    "events": "granum.contact.event_driven.event_driven:EventDriven",
}
