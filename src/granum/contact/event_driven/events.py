"""Solver `events`: every impact, opening, sticking and sliding of a small system is located, none is smoothed.

Between events motion is smooth: parabolas in flight, dop853 where contacts are closed. At an event all contacts that
touch are judged anew: first impacts (`impacts`), then who holds, sticks and slides (`cones`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from granum.base.errors import GranumError, NotConvergedError
from granum.base.kernels import Flags, Floats, Ints
from granum.contact.event_driven import impacts as impact_laws
from granum.contact.event_driven.closed import (
    POSITIONS,
    SLIDES,
    STAGES,
    STICKS,
    VELOCITIES,
    Bodies,
    Touches,
    apply,
    free_rates,
    kinematics,
    new_contacts,
    new_rows,
    rates,
    remember,
    set_rows,
    solve_rows,
    some,
    step,
    watch,
)
from granum.contact.event_driven.cones import Cones
from granum.contact.event_driven.flight import bows, first_touch, parabolas, touching_now
from granum.contact.event_driven.touching import WIDTH, breaks, ground
from granum.contact.event_driven.turning import turn_freely, turn_over
from granum.grains.geometry.boundaries import Elements
from granum.grains.state import IM, KM, SX, Grains, R
from granum.grains.tables import Tables
from granum.integrate.stepper import StepStatistics, Watch

LEDGER = ("impact", "friction", "boundary", "corrections")
"""Heat of impacts and of friction, work of boundaries on the grains, energy added by corrections [J]."""
REST = 1e-9
"""Approach as a part of the scale of velocity from which an impact ends without rebound."""
ROUNDING = 32.0 * float(np.finfo(float).eps)
"""Of positions: a rebound lower than this part of the largest coordinate cannot be told from none."""
SLOW = 1e-12
"""Slip as a part of the scale of velocity at which sliding ends."""
FADE = 1e-7
"""Slip as a part of the scale of velocity below which its direction is taken from before: rounding turns it."""
CLOSE = 1e-11
"""Gap of a closed contact as a part of the smallest radius."""
FAINT = 1e-9
"""Force as a part of the largest that a contact may lack before it opens, or breaks away."""
MOST_EVENTS = 200_000
"""In one call of `advance`."""
MOST_AT_ONCE = 200
"""Events within INSTANT of the time scale from which contacts are taken never to settle."""
INSTANT = 1e-12
_TRIALS = 80


@dataclass(frozen=True)
class Event:
    """What happened when, between which grains; a boundary's element e is number -1 - e."""

    time: float
    kind: Literal["impact", "opens", "sticks", "slides"]
    first: int
    second: int


@dataclass(frozen=True)
class _Step:
    """A smooth step that is good enough."""

    h: float
    y: Floats
    f: Floats
    g: Floats
    stages: Floats


class Events:
    """Located impacts and stick-slip of grains, whose state changes in place.

    Args:
        grains: their state.
        tables: coefficients of contact; rolling friction has to be 0.
        gravity: acceleration (3,) [m/s²].
        elements: of boundaries.
        impacts: at one instant, all together by Newton's law or a sequence of binary ones.
        tolerance: relative error of a smooth step.
        forces: constant forces on the grains, (count, 3) [N].
        memory: of a former run (see `memory`).
    """

    def __init__(
        self, grains: Grains, tables: Tables, gravity: Floats, elements: Elements,
        impacts: str = "newton", tolerance: float = 1e-12, *, forces: Floats | None = None,
        memory: Floats | None = None,
    ) -> None:
        if np.any(tables.rolling != 0.0):
            raise GranumError("run.solver: events does not know rolling friction. Set it to 0, or use moreau.")
        self.grains, self.elements, self.impacts, self.tolerance = grains, elements, impacts, tolerance
        self._friction, self._restitution = tables.friction, tables.restitution
        self._ground, self._breaks = ground(elements), breaks(elements)
        self._gravity, self._forces = np.asarray(gravity, float), forces
        self.ledger: Floats = np.zeros(len(LEDGER))
        self.log: list[Event] = []
        self.t = grains.t
        speed = float(np.max(np.linalg.norm(grains.v[:, :3], axis=1), initial=0.0))
        fall = math.sqrt(float(np.linalg.norm(self._gravity)) * float(np.max(grains.x[:, R], initial=0.0)))
        self.velocity_scale = max(speed, fall)
        self._modes: dict[tuple[int, int], int] = {}
        if memory is not None:
            self.remember(memory)
        self._load()

    def remember(self, memory: Floats) -> None:
        """Go on with the closed contacts of a former run."""
        self.velocity_scale = float(memory[0])
        self._modes = {(int(a), int(b)): int(mode) for a, b, mode in memory[1:].reshape(-1, 3)}

    def push(self, acceleration: Floats) -> None:
        """Let constant forces give these accelerations [m/s²], (count, 3) in the order of the rows, from now on."""
        self._forces = acceleration / self.grains.v[:, IM:IM + 1]

    @property
    def contacts(self) -> Touches:
        """Closed contacts, by rows of the grains, with the forces of this instant: a step ends with a correction, which
        leaves its impulses in their place.
        """
        if len(self._contacts.j):
            self._rates(np.empty_like(self._y))
        return self._contacts

    @property
    def memory(self) -> Floats:
        """What a run needs besides the grains to go on to the same bits: scale of velocity and closed contacts."""
        rows = [number for key, mode in self._modes.items() for number in (*key, mode)]
        return np.array([self.velocity_scale, *rows], float)

    @property
    def closed(self) -> dict[tuple[int, int], str]:
        """Closed contacts by the numbers of their grains (see `Event`), and whether each sticks or slides."""
        return {key: ("sticks", "slides")[mode] for key, mode in self._modes.items()}

    @property
    def forces(self) -> Floats:
        """Forces of the closed contacts on the grain named last in each, (count, 3) [N], in the order of `closed`."""
        c, number = self.contacts, self.grains.number
        swapped = (c.i >= 0) & (number[c.i] > number[c.j])
        forces: Floats = np.where(swapped[:, None], -c.F, c.F)
        return forces

    # ------------------------------------------------------------------ state

    def _load(self) -> None:
        """Take over the state of the grains."""
        grains = self.grains
        self.t = grains.t
        free = np.tile(self._gravity, (grains.count, 1))
        if self._forces is not None:
            free += self._forces * grains.v[:, IM:IM + 1]
        self.bodies = Bodies(grains.v[:, IM].copy(), grains.v[:, KM].copy(), grains.x[:, R].copy(), free)
        self._y = np.concatenate([grains.x[:, :3].ravel(), grains.v[:, :3].ravel(), grains.v[:, SX:KM].ravel(),
                                  np.zeros(2)])
        self._contacts = self._between(np.zeros((0, 3), np.int64))
        self._space = np.zeros((4, WIDTH))
        self._found = np.zeros((max(64, 8 * grains.count), 3), np.int64)
        self._at_once, self._since = 0, self.t
        # contacts whose force was used up, for places where forces are not determined (see `Cones`)
        self._opening: tuple[int, int] | None = None
        self._yielding: set[tuple[int, int]] = set()
        self._next = 0.0

    def _store(self) -> None:
        """Give the state back to the grains."""
        x, v, s = self._parts(self._y)
        self.grains.x[:, :3], self.grains.v[:, :3], self.grains.v[:, SX:KM] = x, v, s
        self.grains.t = self.t

    def _parts(self, y: Floats) -> tuple[Floats, Floats, Floats]:
        x, v, s = y[:-2].reshape(3, len(self.bodies.im), 3)
        return x, v, s

    def _energy(self) -> float:
        """Kinetic energy less the work loads could have done [J]."""
        x, v, s = self._parts(self._y)
        return float(np.sum((0.5 * np.sum(v * v, axis=1) - np.sum(self.bodies.free * x, axis=1)) / self.bodies.im)
                     + 0.5 * np.sum(np.sum(s * s, axis=1) / self.bodies.km))

    @property
    def rest(self) -> float:
        """Approach [m/s] from which an impact ends without rebound."""
        height = ROUNDING * float(np.max(np.abs(self._parts(self._y)[0]) + self.bodies.r[:, None], initial=0.0))
        pull = float(np.max(np.linalg.norm(self.bodies.free, axis=1), initial=0.0))
        return max(REST * self.velocity_scale, math.sqrt(2.0 * pull * height))

    @property
    def _close(self) -> float:
        """Gap [m] of a closed contact."""
        return CLOSE * float(np.min(self.bodies.r, initial=np.inf)) + 1e-15 * float(np.max(np.abs(self._parts(
            self._y)[0]), initial=0.0))

    def _between(self, found: Ints) -> Touches:
        """Contacts of rows (i, j, e) with their coefficients."""
        i, j, e = (np.ascontiguousarray(column) for column in found.T)
        material = self.grains.material
        own = material[j]
        other = np.where(i >= 0, material[i], own)
        if self.elements.count:
            other = np.where((i < 0) & (self.elements.material[e] >= 0), self.elements.material[e], other)
        return new_contacts(i, j, e, self._friction[other, own].astype(float),
                            self._restitution[other, own].astype(float))

    def _keys(self, c: Touches) -> list[tuple[int, int]]:
        """Names of contacts: numbers of grains, the lower one first."""
        number = self.grains.number
        return [(-1 - int(e), int(number[j])) if i < 0 else (
            min(int(number[i]), int(number[j])), max(int(number[i]), int(number[j])))
            for i, j, e in zip(c.i, c.j, c.e, strict=True)]

    # ------------------------------------------------------------------ events

    def advance(self, until: float, notice: Watch) -> StepStatistics:
        """Go on to `until` exactly through all events on the way."""
        statistics = StepStatistics()
        self._load()
        begun = len(self.log)
        try:
            goal = min(until, self._enter_window())
            self._settle()
            while self.t < until:
                notice(self.t)
                happened = self._slide(goal, statistics) if len(self._contacts.j) else self._fly(goal, statistics)
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
        recent = [(event.first, event.second) for event in self.log[-20:]]
        who = ", ".join(f"{a}-{b}" for a, b in sorted(set(recent))[:8])
        if self._at_once > MOST_AT_ONCE + 10 * len(self._contacts.j):
            raise NotConvergedError(f"t = {self.t:.12g} s: contacts do not settle after {self._at_once} events at one "
                                    f"instant (lately {who}). Use solver moreau, or change friction slightly.")
        if len(self.log) - begun > MOST_EVENTS:
            raise NotConvergedError(f"t = {self.t:.12g} s: more than {MOST_EVENTS} events in one interval (lately "
                                    f"{who}). Record more often, or use solver moreau.")

    def _near(self) -> Touches:
        """All contacts that touch, with their motion; lowest numbers first."""
        while True:
            count = touching_now(self.t, self._y, self.bodies.r, self._ground, self._close, self._space[0],
                                 self._found)
            if count <= len(self._found):
                break
            self._found = np.zeros((2 * count, 3), np.int64)
        c = self._between(self._found[:count].copy())
        keys = self._keys(c)
        c = some(c, np.array(sorted(range(count), key=keys.__getitem__), np.int64))
        kinematics(self.t, self._y, self.bodies, self._ground, c, self._space)
        return c

    def _settle(self) -> None:
        """Impacts of all that approach, then which contacts hold, stick and slide."""
        rest, slow = self.rest, SLOW * self.velocity_scale
        self._next = 0.0
        c = self._near()
        if np.any(np.sum(c.n * c.u, axis=1) < -1e-3 * rest):
            self._impact(c, rest)
            kinematics(self.t, self._y, self.bodies, self._ground, c, self._space)
        c = some(c, np.flatnonzero(np.abs(np.sum(c.n * c.u, axis=1)) <= rest))
        self._rows = new_rows(len(c.j))
        b = np.zeros((len(c.j), 3))
        for k in range(len(c.j)):
            free_rates(self._y, self.bodies, c, k, b[k])
        slip = c.u - np.sum(c.n * c.u, axis=1)[:, None] * c.n
        speed = np.linalg.norm(slip, axis=1)
        known: Flags = (speed > 2.0 * slow) & (c.mu > 0.0)
        c.d[known] = slip[known] / speed[known, None]
        cones = Cones(c, self.bodies, b, known, self._rows)
        keys = self._keys(c)
        self._yielding &= {key for key, slides in zip(keys, known, strict=True) if not slides}
        cones.opening[:] = [key == self._opening for key in keys]
        cones.yielding[:] = [key in self._yielding for key in keys]
        cones.solve(f"t = {self.t:.12g} s")
        self._force_scale = max(cones.size, float(np.max(np.abs(c.F), initial=0.0)))
        self._contacts = some(c, np.flatnonzero(cones.holds))
        remember(self._contacts, self._space)
        self._mark_closed()
        self._note_changes()
        self._correct()

    def _impact(self, c: Touches, rest: float) -> None:
        """Impulses of all contacts that touch."""
        _, v, s = self._parts(self._y)
        approach = -np.sum(c.n * c.u, axis=1)
        law = impact_laws.newton if self.impacts == "newton" else impact_laws.sequence
        rows = new_rows(len(c.j))
        self.ledger[:3] += law(c, self.bodies, rows, v, s, rest, f"impact at t = {self.t:.12g} s")
        hit = (np.sum(c.F * c.n, axis=1) > 0.0) & (approach > rest)
        for k, key in enumerate(self._keys(c)):
            if hit[k]:
                self.log.append(Event(self.t, "impact", *key))

    def _note_changes(self) -> None:
        """Log who opens, sticks or slides now and did not before."""
        keys, mode = self._keys(self._contacts), self._contacts.mode
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
        both = c.i >= 0
        self._pairs[c.i[both], c.j[both]] = self._pairs[c.j[both], c.i[both]] = True
        self._walls[c.j[~both], c.e[~both]] = True
        self._free[c.j] = self._free[c.i[both]] = False

    def _correct(self) -> None:
        """Close the gaps of closed contacts and take away what velocity they must not have."""
        c, rows = self._contacts, self._rows
        if not len(c.j):
            return
        before = self._energy()
        x, v, s = self._parts(self._y)
        nothing = np.zeros_like(x)
        m = set_rows(c, rows, POSITIONS, 0.0)
        rows.b[:m], rows.solution[:m] = -c.gap, 0.0
        solve_rows(c, self.bodies, rows, m)
        apply(c, self.bodies, x, nothing)
        kinematics(self.t, self._y, self.bodies, self._ground, c, rows.space)
        m = set_rows(c, rows, VELOCITIES, 0.0)
        rows.b[:m], rows.solution[:m] = -np.sum(rows.p[:m] * c.u[rows.contact[:m]], axis=1), 0.0
        solve_rows(c, self.bodies, rows, m)
        apply(c, self.bodies, v, s)
        work = float(np.sum(c.F * c.V))  # what a moving boundary gives by these impulses is its work
        self.ledger[2:] += work, self._energy() - before - work

    # ------------------------------------------------------------------ smooth motion

    def _touch(self, h: float, paths: Floats, fastest: Floats) -> tuple[float, int, int, int]:
        """The first touch of contacts that are not closed, within h."""
        found = np.zeros(3)
        tau = first_touch(
            self.t, h, paths, self.bodies.r, fastest, self._free, self._pairs, self._walls, self._ground, self._close,
            self.rest, self._space, found)
        return tau, int(found[0]), int(found[1]), int(found[2])

    def _fly(self, goal: float, statistics: StepStatistics) -> bool:
        """All grains on parabolas to the goal or to the first touch; whether there was one."""
        count, h = len(self.bodies.im), goal - self.t
        paths, fastest = np.zeros((count, 6, 3)), np.zeros(count)
        parabolas(self._y, self.bodies.free, paths, fastest)
        tau = self._touch(h, paths, fastest)[0]
        happened = tau < h
        h = min(h, tau)
        x, v, s = self._parts(self._y)
        x += h * (v + 0.5 * h * self.bodies.free)
        v += h * self.bodies.free
        turn_freely(h, s, self.bodies.r, self.grains.local_orientation)
        self.t = self.t + h if happened else goal
        statistics.note_step(h)
        return happened

    def _slide(self, goal: float, statistics: StepStatistics) -> bool:
        """One smooth step with closed contacts towards the goal, cut at the first event; whether there was one."""
        f = np.empty_like(self._y)
        self._rates(f)
        self._allowed = self._scale()
        statistics.evaluations += 1
        start = self._watched()
        shift = np.where(start[1] <= 0.0, 3.0 * SLOW * self.velocity_scale, 0.0)
        shift[self._contacts.mode == STICKS] = 0.0
        start[1] += shift
        good = self._good_step(goal, f, shift, statistics)
        self._opening = None
        happened = bool(np.any(good.g < 0.0))
        if happened:
            good = self._first_change(good, f, start, shift, statistics)
        touched = self._first_contact(good, f, shift, statistics)
        good = touched or good
        turn_over(good.h, self._y, f, good.y, good.f, good.stages, self.bodies.r, self.grains.local_orientation)
        self._y = good.y
        self.ledger[1:3] += self._y[-2:]
        self._y[-2:] = 0.0
        cut = happened or touched is not None
        self.t = goal if not cut and good.h == goal - self.t else self.t + good.h
        statistics.note_step(good.h)
        if not cut:
            self._turn()
            remember(self._contacts, self._space)
            kinematics(self.t, self._y, self.bodies, self._ground, self._contacts, self._rows.space)
            self._correct()
        return cut

    def _rates(self, f: Floats) -> None:
        residual = rates(self.t, self._y, f, self.bodies, self._ground, self._contacts, self._rows,
                         FADE * self.velocity_scale)
        if not residual < 1e-6:
            raise NotConvergedError(f"t = {self.t:.12g} s: forces of {len(self._contacts.j)} closed contacts cannot "
                                    f"keep them closed (left: {residual:.1e}). Use solver moreau.")

    def _turn(self) -> None:
        """Take over the direction of slip for the next step."""
        c = self._contacts
        slip = c.u - np.sum(c.n * c.u, axis=1)[:, None] * c.n
        speed = np.linalg.norm(slip, axis=1)
        moving = (c.mode == SLIDES) & (speed > FADE * self.velocity_scale)
        c.d[moving] = slip[moving] / speed[moving, None]

    def _watched(self) -> Floats:
        """What turns negative at an event (see `closed.watch`)."""
        found = np.empty((2, len(self._contacts.j)))
        watch(self._contacts, FAINT * self._force_scale, SLOW * self.velocity_scale, found)
        return found

    def _try(self, h: float, f: Floats, shift: Floats) -> tuple[_Step, float, float]:
        """A step of any size from here, its error and the residual of its forces."""
        y, f_new, stages = np.empty_like(f), np.empty_like(f), np.empty((STAGES, len(f)))
        error, residual = step(self.t, h, self._y, f, y, f_new, stages, self._allowed, self.bodies, self._ground,
                               self._contacts, self._rows, FADE * self.velocity_scale)
        g = self._watched()
        g[1] += shift
        return _Step(h, y, f_new, g, stages), error, residual

    def _scale(self) -> Floats:
        """Errors allowed in each number of the state."""
        count, r, speed = len(self.bodies.im), self.bodies.r, max(self.velocity_scale, 1e-300)
        x, v, s = self._parts(np.abs(self._y))
        size = np.concatenate([(x + r[:, None]).ravel(), (v + speed).ravel(), (s + speed).ravel(), np.zeros(2)])
        size[-2:] = float(np.sum(1.0 / self.bodies.im)) * speed**2 if count else 1.0
        return self.tolerance * size

    def _good_step(self, goal: float, f: Floats, shift: Floats, statistics: StepStatistics) -> _Step:
        """Try steps until one is accurate enough."""
        left = goal - self.t
        h = min(left, self._next or self._guess(f))
        wanted = h
        while h > 1e-15 * max(abs(self.t), left):
            good, error, residual = self._try(h, f, shift)
            statistics.evaluations += STAGES
            if error < 1.0 and residual < 1e-6:
                grown = h * min(10.0, 0.9 * error ** -0.125 if error > 0.0 else 10.0)
                self._next = max(grown, wanted) if h == left else grown
                return good
            h *= max(0.2, 0.9 * error ** -0.125) if np.isfinite(error) and error > 1.0 else 0.2
            statistics.rejected += 1
        raise NotConvergedError(f"t = {self.t:.12g} s: no step is small enough with {len(self._contacts.j)} closed "
                                "contacts. Allow a larger tolerance, or use solver moreau.")

    def _guess(self, f: Floats) -> float:
        """A first step, from how long grains need for a part of their radius."""
        _, v, s = self._parts(self._y)
        a = self._parts(f)[1]
        r = self.bodies.r
        fastest = np.max((np.linalg.norm(v, axis=1) + np.linalg.norm(s, axis=1)) / r
                         + np.sqrt(np.linalg.norm(a, axis=1) / r))
        return 0.2 / float(fastest) if fastest > 0.0 else np.inf

    def _first_change(
        self, last: _Step, f: Floats, start: Floats, shift: Floats, statistics: StepStatistics,
    ) -> _Step:
        """The step to the first time at which a force or a slip turns negative."""
        crossed = [(float(start[row, k] / max(start[row, k] - last.g[row, k], 1e-300)), int(row), int(k))
                   for row, k in zip(*np.nonzero(last.g < 0.0), strict=True)]
        cause = crossed[0][1:]
        for part, row, k in sorted(crossed):  # those first that seem to be: most others are then no longer crossed
            if part <= 0.0:
                last, cause = self._try(0.0, f, shift)[0], (row, k)
                break
            if last.g[row, k] < 0.0:
                last, cause = self._locate(last, row, k, float(start[row, k]), f, shift, statistics), (row, k)
        row, k = cause
        key = self._keys(some(self._contacts, np.array([k])))[0]
        if row == 0:
            self._opening = key
        elif self._contacts.mode[k] == STICKS:
            self._yielding.add(key)
        return last

    def _locate(
        self, last: _Step, row: int, k: int, before: float, f: Floats, shift: Floats, statistics: StepStatistics,
    ) -> _Step:
        """The step to where a number of `_watched` vanishes, by regula falsi that halves an end kept twice."""
        low, after, side = 0.0, float(last.g[row, k]), 0
        enough = 1e-14 * (before - after)
        for _ in range(_TRIALS):
            if last.h - low <= 1e-13 * last.h:
                break
            h = (low * after - last.h * before) / (after - before)
            middle = self._try(h if low < h < last.h else 0.5 * (low + last.h), f, shift)[0]
            statistics.evaluations += STAGES
            value = float(middle.g[row, k])
            if abs(value) <= enough:
                return middle
            if value < 0.0:
                last, after, before, side = middle, value, 0.5 * before if side < 0 else before, -1
            else:
                low, before, after, side = middle.h, value, 0.5 * after if side > 0 else after, 1
        return last

    def _first_contact(self, last: _Step, f: Floats, shift: Floats, statistics: StepStatistics) -> _Step | None:
        """The step to the first touch within the last one, if there is any."""
        count = len(self.bodies.im)
        if last.h == 0.0:
            return None
        paths, fastest = np.zeros((count, 6, 3)), np.zeros(count)
        bows(self._y, f, last.y, last.f, last.h, paths, fastest)
        tau, grain, other, e = self._touch(last.h, paths, fastest)
        if not tau < last.h:
            return None
        contact = self._between(np.array([[grain, other, -1] if e < 0 else [-1, grain, e]]))
        for _ in range(8):
            found = self._try(tau, f, shift)[0]
            statistics.evaluations += STAGES
            kinematics(self.t + tau, found.y, self.bodies, self._ground, contact, self._space)
            u = float(np.sum(contact.n * contact.u))
            if -self._close <= contact.gap[0] <= 1e-3 * self._close or u >= -self.rest:
                break
            tau = min(max(tau - float(contact.gap[0]) / u, 0.0), last.h)
        return found
