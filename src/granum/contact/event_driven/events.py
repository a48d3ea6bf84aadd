"""Solver `events`: every impact, opening, sticking and sliding of a small system is located, none is smoothed.

Between events motion is smooth (`smooth`). At an event all contacts that touch are judged anew: first impacts
(`impacts`), then who holds, sticks and slides (`cones`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from granum.base.errors import NotConvergedError
from granum.base.kernels import Flags, Records
from granum.contact.event_driven import impacts as impact_laws
from granum.contact.event_driven.closed import keep_forces, new_rows
from granum.contact.event_driven.cones import Cones
from granum.contact.event_driven.contacts import (
    SLIDES,
    STICKS,
    TOUCH,
    free_rates,
    kinematics,
    normals,
    slips,
    subset,
)
from granum.contact.event_driven.gathering import Surfaces, find_touching
from granum.contact.event_driven.smooth import SLOW, SmoothMotion
from granum.contact.event_driven.touching import place
from granum.integrate.stepper import StepStatistics, Watch

MOST_EVENTS = 200_000
"""In one call of `advance`."""
MOST_AT_ONCE = 200
"""Events within INSTANT of the time scale from which contacts are taken never to settle."""
INSTANT = 1e-12


@dataclass(frozen=True)
class Event:
    """What happened when, between which grains; a boundary's element e is number -1 - e."""

    time: float
    kind: Literal["impact", "opens", "sticks", "slides"]
    first: int
    second: int


class Events(SmoothMotion):
    """Located impacts and stick-slip of grains."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.log: list[Event] = []
        self._touching = np.zeros(max(64, 8 * self.grains.count), TOUCH)

    def advance(self, until: float, notice: Watch) -> StepStatistics:
        """Go on to `until` exactly through all events on the way."""
        statistics = StepStatistics()
        self._load()
        self._at_once, self._since, self._settled = 0, self.t, 0
        self._opening, self._yielding, self._next = None, set(), 0.0
        begun = len(self.log)
        try:
            goal = min(until, self._enter_window())
            self._settle()
            while self.t < until:
                notice(self.t)
                happened = self._slide(goal, statistics) if len(self._contacts) else self._fly(goal, statistics)
                if happened or (self.t == goal and goal != until):
                    goal = min(until, self._enter_window())
                    self._note_progress(begun)
                    self._settle()
        finally:
            self._store()
        return statistics

    def _enter_window(self) -> float:
        """Let motions of boundaries be as they are from now on; returns the time at which one begins or ends."""
        before, after = self._breaks[self._breaks <= self.t], self._breaks[self._breaks > self.t]
        window = self._ground.window
        window[0] = before[-1] if len(before) else -np.inf
        window[1] = np.nextafter(after[0], -np.inf) if len(after) else np.inf
        return float(after[0]) if len(after) else np.inf

    def _note_progress(self, begun: int) -> None:
        """Refuse to go on for ever."""
        pace = float(np.min(self.bodies.r)) / self.velocity_scale if self.velocity_scale > 0.0 else 1.0
        if self.t > self._since + INSTANT * pace:
            self._since, self._at_once = self.t, 0
        self._at_once += 1
        self._settled += 1
        recent = [(event.first, event.second) for event in self.log[-20:]]
        who = ", ".join(f"{a}-{b}" for a, b in sorted(set(recent))[:8])
        if self._at_once > MOST_AT_ONCE + 10 * len(self._contacts):
            raise NotConvergedError(f"t = {self.t:.12g} s: contacts do not settle after {self._at_once} simultaneous "
                                    f'events (last: {who}). Use solver = "moreau", or change friction slightly.')
        if max(len(self.log) - begun, self._settled) > MOST_EVENTS:  # touches that change nothing are not logged
            raise NotConvergedError(f"t = {self.t:.12g} s: more than {MOST_EVENTS} events in one interval (last: "
                                    f'{who}). Use a shorter interval, or solver = "moreau".')

    def _near(self) -> Records:
        """All contacts that touch, with their motion; lowest numbers first."""
        x, v, _ = self._parts(self._y)
        surfaces, x = Surfaces(self.bodies.r, v, self.grains.material), np.column_stack([x, self.bodies.r])
        place(self._ground, self.t)
        boundaries = self.elements.arrays()._replace(element=self._ground.now)
        while True:
            count = find_touching(x, surfaces, self._candidates, boundaries, self._law, self._close, self._touching,
                                  self._space[0])
            if count <= len(self._touching):
                break
            self._touching = np.zeros(2 * count, TOUCH)
        keys = self._keys(self._touching[:count])
        c = subset(self._touching, np.array(sorted(range(count), key=keys.__getitem__), np.int64))
        kinematics(self.t, self._y, self.bodies, self._ground, c, self._space)
        return c

    def _settle(self) -> None:
        """Impacts of all that approach, then which contacts hold, stick and slide."""
        rest, slow = self.rest, SLOW * self.velocity_scale
        self._next = 0.0
        c = self._near()
        if np.any(np.sum(normals(c) * slips(c), axis=1) < -1e-3 * rest):
            self._impact(c, rest)
            kinematics(self.t, self._y, self.bodies, self._ground, c, self._space)
        c = subset(c, np.flatnonzero(np.abs(np.sum(normals(c) * slips(c), axis=1)) <= rest))
        n, u = normals(c), slips(c)
        self._rows = new_rows(len(c))
        b = np.zeros((len(c), 3))
        for k in range(len(c)):
            free_rates(self._y, self.bodies, c, k, b[k])
        slip = u - np.sum(n * u, axis=1)[:, None] * n
        speed = np.linalg.norm(slip, axis=1)
        known: Flags = (speed > 2.0 * slow) & (c["friction"] > 0.0)
        c["d"][known] = slip[known] / speed[known, None]
        cones = Cones(c, self.bodies, b, known, self._rows)
        keys = self._keys(c)
        self._yielding &= {key for key, slides in zip(keys, known, strict=True) if not slides}
        cones.opening[:] = [key == self._opening for key in keys]
        cones.yielding[:] = [key in self._yielding for key in keys]
        cones.solve(f"t = {self.t:.12g} s")
        self._force_scale = max(cones.size, float(np.max(np.abs(c["F"]), initial=0.0)))
        self._contacts = subset(c, np.flatnonzero(cones.holds))
        keep_forces(self._contacts, self._space)
        self._mark_closed()
        self._note_changes()
        self._correct()
        self._part(c, np.asarray(~cones.holds & (c["gap"] < -0.5 * self._close)))

    def _part(self, c: Records, sunk: Flags) -> None:
        """Let contacts that carry nothing touch without overlap, and approach no further.

        Grains that roll side by side approach by rounding alone. No force stops them, and once they overlap by as much
        as closed contacts may, each step would end at once in another touch.
        """
        if not np.any(sunk):
            return
        keys, held = set(self._keys(self._contacts)), self._contacts
        both = subset(c, np.flatnonzero(sunk | np.array([key in keys for key in self._keys(c)])))
        both["mode"][[key not in keys for key in self._keys(both)]] = SLIDES
        for each in (both, held):  # closed contacts once more, exactly
            self._contacts = each
            kinematics(self.t, self._y, self.bodies, self._ground, each, self._space)
            self._correct()

    def _impact(self, c: Records, rest: float) -> None:
        """Impulses of all contacts that touch."""
        _, v, s = self._parts(self._y)
        approach = -np.sum(normals(c) * slips(c), axis=1)
        law = impact_laws.newton if self.impacts == "newton" else impact_laws.sequence
        rows = new_rows(len(c))
        self.ledger[:3] += law(c, self.bodies, rows, v, s, rest, f"impact at t = {self.t:.12g} s")
        hit = (np.sum(c["F"] * normals(c), axis=1) > 0.0) & (approach > rest)
        for k, key in enumerate(self._keys(c)):
            if hit[k]:
                self.log.append(Event(self.t, "impact", *key))

    def _note_changes(self) -> None:
        """Log who opens, sticks or slides now and did not before."""
        keys, mode = self._keys(self._contacts), self._contacts["mode"]
        now = {key: int(mode[k]) for k, key in enumerate(keys)}
        for key, before in self._modes.items():
            if key not in now:
                self.log.append(Event(self.t, "opens", *key))
            elif now[key] != before:
                self.log.append(Event(self.t, "sticks" if now[key] == STICKS else "slides", *key))
        self._modes = now

    def _mark_closed(self) -> None:
        """Flags of closed contacts, for the search of others."""
        c, count = self._contacts, len(self.bodies.im)
        self._pairs, self._walls = np.zeros((count, count), bool), np.zeros((count, self.elements.count), bool)
        self._free = np.ones(count, bool)
        i, j, both = c["i"], c["j"], c["i"] >= 0
        self._pairs[i[both], j[both]] = self._pairs[j[both], i[both]] = True
        self._walls[j[~both], c["e"][~both]] = True
        self._free[j] = self._free[i[both]] = False
