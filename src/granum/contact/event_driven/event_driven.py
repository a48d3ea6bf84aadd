"""The solver `events`: located impacts and stick-slip of small systems, behind the interface of all solvers."""

from __future__ import annotations

import numpy as np

from granum.base.errors import GranumError, Problem, SceneError
from granum.base.kernels import Floats
from granum.contact.contact_solver import Solver
from granum.contact.event_driven.contacts import normals
from granum.contact.event_driven.events import Events
from granum.contact.event_driven.state import LEDGER
from granum.contact.steps import StepBasis, StepLimits
from granum.grains.measuring.measure import gaps
from granum.grains.search.neighbour_list import Contacts, NeighbourList
from granum.grains.state import FIRST, SECOND
from granum.grains.tables import Tables
from granum.model.loads import Force, Gravity
from granum.model.scene import Scene
from granum.state.table import R

MOST_GRAINS = 2000
"""Grains beyond which events are so many that nobody waits for them."""
_HEAD = 2 + len(LEDGER)


class EventDriven(Solver):
    """Advances grains from event to event; `step` says only how often progress is shown."""

    solves_contact = False  # impacts and closed contacts are solved by pivoting, or the run stops

    @classmethod
    def unsupported(cls, scene: Scene) -> dict[str, str]:
        """Bodies of several parts, sources, and loads that change as grains move."""
        entries = super().unsupported(scene)
        entries |= {f"source.{name}": "adds grains during the run" for name in scene.source}
        return entries | {f"load.{name}": f"is a {load.kind}" for name, load in scene.load.items()
                          if type(load) not in (Gravity, Force)}

    @classmethod
    def step_limits(cls, basis: StepBasis) -> StepLimits:
        """From event to event: the step says only how often progress is shown."""
        run = basis.scene.run
        return StepLimits(run.frame_interval, run.until, "the length of the run")

    def __init__(self, scene: Scene, neighbour_list: NeighbourList, tables: Tables, gravity: Floats) -> None:
        if neighbour_list.grains.count > MOST_GRAINS:
            raise SceneError([Problem("run.solver", f'"events" supports up to {MOST_GRAINS} grains, but there are '
                                                    f"{neighbour_list.grains.count}.", 'Use solver = "moreau".')])
        self.scene = scene
        super().__init__(scene, neighbour_list, tables, gravity)
        self._room = 8 * neighbour_list.grains.count + 64
        self.use(neighbour_list)

    def use(self, neighbour_list: NeighbourList) -> None:
        """Go on with another neighbour list."""
        self.neighbour_list = neighbour_list
        try:
            self.events = Events(neighbour_list.grains, self.tables, self.gravity, neighbour_list.elements,
                                 self.scene.run.impact_law)
        except SceneError:
            raise
        except GranumError as error:
            raise SceneError([Problem("run.solver", str(error))]) from None

    def advance(self, count: int, h: float, extra: Floats) -> int:
        """Go on for `count` steps' time."""
        if len(extra):
            self.events.push(extra / h)
        self.events.advance(self.neighbour_list.grains.t + count * h, self.notice)
        self.last_step = h
        return count

    def contacts(self, h: float) -> Contacts:
        """Closed contacts and their forces."""
        c, number = self.events.contacts, self.neighbour_list.grains.number
        # a new neighbour list may have sorted the grains since the last step, and sinks may have taken some
        order = np.argsort(number, kind="stable")
        at = np.minimum(np.searchsorted(number[order], self.events.number), len(number) - 1)
        row = np.where(number[order][at] == self.events.number, order[at], -1) if len(number) else at
        at_wall, i, j = c["i"] < 0, np.where(c["i"] < 0, 0, row[c["i"]]), row[c["j"]]
        kept = (i >= 0) & (j >= 0)
        pair = np.column_stack([np.where(at_wall, j, i), np.where(at_wall, -1 - c["e"], j)])[kept].astype(np.int32)
        return Contacts(pair.reshape(-1, 2), normals(c)[kept].reshape(-1, 3), c["F"][kept].reshape(-1, 3))

    def work(self) -> tuple[float, float, float, float]:
        """Work of impacts, friction, rolling friction (none) and boundaries since the start [J]."""
        ledger = self.events.ledger
        return -float(ledger[0]), -float(ledger[1]), 0.0, float(ledger[2])

    def largest_move(self) -> float:
        """Between events all motion is followed."""
        return 0.0

    def statistics(self) -> dict[str, float]:
        """Contacts and overlaps as they are."""
        grains, contacts = self.neighbour_list.grains, self.contacts(0.0)
        pairs = contacts.pair[contacts.pair[:, SECOND] >= 0]
        overlap = np.maximum(-gaps(grains.x[:, :3], grains.x[:, R], pairs), 0.0)
        overlap /= np.minimum(grains.x[pairs[:, FIRST], R], grains.x[pairs[:, SECOND], R])
        return {"contacts": float(len(contacts.pair)), "pushing": float(len(contacts.pair)),
                "mean_overlap": float(overlap.mean()) if len(overlap) else 0.0,
                "largest_overlap": float(overlap.max(initial=0.0)), "largest_move": 0.0}

    def checkpoint(self) -> Floats:
        """Ledger and closed contacts."""
        checkpoint, kept = np.zeros(_HEAD + self._room), self.events.checkpoint()
        if len(kept) > self._room:
            raise GranumError(f"{len(kept) // 3} contacts are closed, more than the run file has room for.")
        checkpoint[0] = len(kept)
        checkpoint[1 : 1 + len(LEDGER)] = self.events.ledger
        checkpoint[_HEAD : _HEAD + len(kept)] = kept
        return checkpoint

    def restore(self, checkpoint: Floats) -> None:
        """Go on with them."""
        kept = checkpoint[_HEAD : _HEAD + int(checkpoint[0])]
        self.events.restore(kept)
        self.events.ledger[:] = checkpoint[1 : 1 + len(LEDGER)]
