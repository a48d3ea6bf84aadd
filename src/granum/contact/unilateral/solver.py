"""The solver `unilateral`: links that open under tension, inside the integration of a step (002 chapters 4, 5).

Kernels and equations are in `granum.contact.unilateral.links`. Grains do not turn, as in the document; rolling friction
has nothing to act on.
"""

from __future__ import annotations

import numpy as np

from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats
from granum.contact.nonsmooth import stepping
from granum.contact.solver import Solver
from granum.contact.unilateral import links as opening
from granum.contact.unilateral.links import Bounds, Law, Near, Room
from granum.grains.geometry.surfaces import OUT
from granum.grains.search.lists import Lists
from granum.grains.state import Int32s, R
from granum.grains.tables import Tables
from granum.model.scene import Scene

TOLERANCE = 1e-3
"""Change of contact forces at which rounds stop where the scene gives none (published: 3e-3 to 5e-3). Forces of
dense beds with friction settle slowly, and the correction of velocities does not wait for them."""
MOST_HALVINGS = 6
"""How often a step that does not converge is halved."""


class OneSided(Solver):
    """Advances grains by mixed iteration with one-sided links; contacts live in `lists`. Spins are left as they are."""

    def __init__(self, scene: Scene, lists: Lists, tables: Tables, gravity: Floats) -> None:
        self.lists, self.tables, self.gravity = lists, tables, gravity
        self.tolerance = scene.run.tolerance if "tolerance" in scene.run.model_fields_set else TOLERANCE
        self.totals = np.zeros(opening.OWN_TOTALS)

    def _allot(self) -> None:
        """Arrays for the contacts of the lists as they are now."""
        lists, grains, elements = self.lists, self.lists.grains, self.lists.elements
        walls, pairs = len(lists.wall_element), len(lists.other)
        # rows behind the grains stand for boundaries, one per near boundary: velocity of the surface, no mass
        v = np.zeros((grains.count + walls, 8))
        v[: grains.count] = grains.v
        self.v, grains.v = v, v[: grains.count]
        smallest = float(grains.x[:, R].min()) if grains.count else 0.0
        self.near = Near(lists.first, lists.other, lists.pair_memory, lists.wall_first, lists.wall_element,
                         lists.wall_memory, lists.built_at, lists.built_t,
                         0.5 * (lists.skin - opening.NEAR * smallest), lists.extent)
        self.bounds = Bounds(elements.kind, elements.data, elements.data.copy(), elements.data.copy(), elements.home,
                             elements.motion, elements.address, elements.material, elements.reach)
        self.law = Law(self.gravity, self.tables.friction, self.tables.restitution, grains.material)

        def room(count: int) -> Floats:
            return np.zeros((count, 3))

        def numbers() -> Int32s:
            return np.zeros(pairs + walls, np.int32)

        self.room = Room(
            x1=room(grains.count), v1=room(grains.count), a1=room(grains.count), a=room(len(v)),
            a_before=room(grains.count), base=room(len(v)), load=room(grains.count), li=numbers(), lj=numbers(),
            lplace=numbers(), link=np.zeros((pairs + walls, opening.LINK)), link_of=numbers(), ci=numbers(),
            cj=numbers(), cplace=numbers(), contact=np.zeros((pairs + walls, opening.CONTACT)), out=np.zeros(OUT),
            out_ahead=np.zeros(OUT), shifts=np.zeros(elements.count), worst=np.zeros(2, np.int64))
        self._made = lists.made

    def advance(self, count: int, h: float, extra: Floats) -> int:
        """Make up to `count` steps; a step that does not converge is made in parts. Returns how many were made."""
        grains, t = self.lists.grains, self.lists.grains.t
        status, done = self._run(count, h, extra)
        if status in (opening.STUCK_AT_START, opening.STUCK):
            grains.t = t + done * h
            self._divide(h, extra)
            status, done = opening.DONE, done + 1
        self.last_step = h
        grains.t = t + done * h
        self._follow(status, done)
        return done

    def _run(self, count: int, h: float, extra: Floats) -> tuple[int, int]:
        if self._made != self.lists.made:
            self._allot()
        return opening.steps(count, self.lists.grains.t, h, self.tolerance, extra, self.lists.grains.x, self.v,
                             self.lists.grains.turned, self.near, self.bounds, self.law, self.room, self.totals)

    def _follow(self, status: int, done: int) -> None:
        """Renew the lists if they must be."""
        self.lists.steps += done
        if status == opening.OUTDATED:
            self.lists.renew()

    def _divide(self, h: float, extra: Floats) -> None:
        """Make one step in parts, each time half as long as the one that did not converge."""
        grains, part, left = self.lists.grains, 0.5, 1.0
        number = grains.number.copy()
        self.totals[opening.DIVIDED] += 1.0
        while left > 0.0:
            if len(extra) and not np.array_equal(number, grains.number):
                # new lists have put the grains into another order: loads follow them
                rank = np.argsort(number)[np.searchsorted(np.sort(number), grains.number)]
                extra, number = extra[rank], grains.number.copy()
            status, done = self._run(round(left / part), part * h, part * extra)
            left -= done * part
            grains.t += done * part * h
            if status in (opening.STUCK_AT_START, opening.STUCK):
                part *= 0.5
                if part < 0.5**MOST_HALVINGS:
                    raise self._failure(2.0 * part * h, status)
            self._follow(status, done)

    def _failure(self, h: float, status: int) -> NotConvergedError:
        """What did not converge, and where."""
        grains, lists = self.lists.grains, self.lists
        i, j = self.room.worst.tolist()
        with_ = (f"grain {grains.number[i]}" if i < grains.count else
                 f"boundary {lists.elements.names[lists.elements.boundary[lists.wall_element[i - grains.count]]]!r}")
        at = ", ".join(f"{c:.4g}" for c in grains.x[j, : lists.dimension])
        when = "the beginning" if status == opening.STUCK_AT_START else "the end"
        return NotConvergedError(
            f"unilateral: at t = {grains.t:.6g} s contact forces at {when} of a step of {h:.3g} s, halved "
            f"{MOST_HALVINGS} times, did not settle to {self.tolerance:g} in {opening.MOST_ROUNDS} rounds; worst "
            f"between grain {grains.number[j]} at ({at}) m and {with_}.\n"
            '  Take a larger tolerance, or solver = "moreau", which is made for dense beds.')

    def statistics(self) -> dict[str, float]:
        """As of every solver, and rounds per step, the most of a step, unsettled corrections, divided steps."""
        t = self.totals
        own = {"rounds": float(t[opening.ROUNDS] / max(t[stepping.STEPS], 1.0)), "most_rounds": float(t[opening.MOST]),
               "unsettled": float(t[opening.UNSETTLED]), "divided": float(t[opening.DIVIDED])}
        found = super().statistics() | own
        t[stepping.TOTALS :] = 0.0
        return found
