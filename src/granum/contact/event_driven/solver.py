"""The solver `events`: located impacts and stick-slip of small systems, behind the interface of all solvers."""

from __future__ import annotations

import numpy as np

from granum.base.errors import GranumError, Problem, SceneError
from granum.base.kernels import Floats
from granum.contact.event_driven.events import Events
from granum.contact.event_driven.state import LEDGER
from granum.contact.solver import Solver
from granum.grains.measuring.measure import gaps
from granum.grains.search.lists import Contacts, Lists
from granum.grains.state import R
from granum.grains.tables import Tables
from granum.model.scene import Scene

MOST_GRAINS = 2000
"""Grains beyond which events are so many that nobody waits for them."""
_HEAD = 2 + len(LEDGER)


class EventDriven(Solver):
    """Advances grains from event to event; `step` says only how often progress is shown."""

    solves_contact = False  # impacts and closed contacts are solved by pivoting, or the run stops

    def __init__(self, scene: Scene, lists: Lists, tables: Tables, gravity: Floats) -> None:
        if lists.grains.count > MOST_GRAINS:
            raise SceneError([Problem("run.solver", f'"events" takes up to {MOST_GRAINS} grains, and there are '
                                      f"{lists.grains.count}.", 'Use solver = "moreau".')])
        self.scene, self.tables, self.gravity = scene, tables, gravity
        self._room = 8 * lists.grains.count + 64
        self.take_up(lists)

    def take_up(self, lists: Lists) -> None:
        """Go on with other lists."""
        self.lists = lists
        try:
            self.events = Events(lists.grains, self.tables, self.gravity, lists.elements, self.scene.run.impact_law)
        except SceneError:
            raise
        except GranumError as error:
            raise SceneError([Problem("run.solver", str(error))]) from None

    def advance(self, count: int, h: float, extra: Floats) -> int:
        """Go on for `count` steps' time."""
        if len(extra):
            self.events.push(extra / h)
        self.events.advance(self.lists.grains.t + count * h, lambda t: None)
        self.last_step = h
        return count

    def contacts(self, h: float) -> Contacts:
        """Closed contacts and their forces."""
        c, number = self.events.contacts, self.lists.grains.number
        # new lists may have sorted the grains since the last step, and sinks may have taken some
        order = np.argsort(number, kind="stable")
        at = np.minimum(np.searchsorted(number[order], self.events.number), len(number) - 1)
        row = np.where(number[order][at] == self.events.number, order[at], -1) if len(number) else at
        i, j = np.where(c.i < 0, 0, row[c.i]), row[c.j]
        kept = (i >= 0) & (j >= 0)
        pair = np.column_stack([np.where(c.i < 0, j, i), np.where(c.i < 0, -1 - c.e, j)])[kept].astype(np.int32)
        return Contacts(pair.reshape(-1, 2), c.n[kept].reshape(-1, 3), c.F[kept].reshape(-1, 3))

    def work(self) -> tuple[float, float, float, float]:
        """Work of impacts, friction, rolling friction (none) and boundaries since the start [J]."""
        ledger = self.events.ledger
        return -float(ledger[0]), -float(ledger[1]), 0.0, float(ledger[2])

    def largest_move(self) -> float:
        """Between events all motion is followed."""
        return 0.0

    def statistics(self) -> dict[str, float]:
        """Contacts and overlaps as they are."""
        grains, contacts = self.lists.grains, self.contacts(0.0)
        pairs = contacts.pair[contacts.pair[:, 1] >= 0]
        overlap = np.maximum(-gaps(grains.x[:, :3], grains.x[:, R], pairs), 0.0)
        overlap /= np.minimum(grains.x[pairs[:, 0], R], grains.x[pairs[:, 1], R])
        return {"contacts": float(len(contacts.pair)), "pushing": float(len(contacts.pair)),
                "mean_overlap": float(overlap.mean()) if len(overlap) else 0.0,
                "largest_overlap": float(overlap.max(initial=0.0)), "largest_move": 0.0}

    def memory(self) -> Floats:
        """Ledger and closed contacts."""
        memory, kept = np.zeros(_HEAD + self._room), self.events.checkpoint()
        if len(kept) > self._room:
            raise GranumError(f"{len(kept) // 3} contacts are closed, more than there is room for.")
        memory[0] = len(kept)
        memory[1 : 1 + len(LEDGER)] = self.events.ledger
        memory[_HEAD : _HEAD + len(kept)] = kept
        return memory

    def recall(self, memory: Floats) -> None:
        """Take them up again."""
        kept = memory[_HEAD : _HEAD + int(memory[0])]
        self.events.restore(kept)
        self.events.ledger[:] = memory[1 : 1 + len(LEDGER)]
