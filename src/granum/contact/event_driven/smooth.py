"""Smooth motion between events: parabolas in flight, dop853 where contacts are closed, and where it ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from granum.base.errors import NotConvergedError
from granum.base.kernels import Flags, Floats
from granum.base.text import count
from granum.contact.event_driven.closed import Closed, event_functions, keep_forces, step
from granum.contact.event_driven.contacts import SLIDES, STICKS, TOUCH, kinematics, normals, slips, subset
from granum.contact.event_driven.flight import Flight, first_touch, parabolas, quintics
from granum.contact.event_driven.orientation import rotate_freely, rotate_over
from granum.contact.event_driven.state import FADE, EventState
from granum.integrate.dop853 import Workspace, step_factor, workspace
from granum.integrate.driver import Accuracy, new_progress
from granum.integrate.stepper import StepStatistics

SLOW = 1e-12
"""Slip as a part of the scale of velocity at which sliding ends."""
FAINT = 1e-9
"""Force as a part of the largest that a contact may lack before it opens, or breaks away."""
_TRIALS = 80


@dataclass(frozen=True)
class SmoothStep:
    """A smooth step that is good enough."""

    h: float
    g: Floats
    """What `_event_values` gives at its end."""
    work: Workspace
    """Stages of dop853, the state at the end, and the rates at both ends."""


class SmoothMotion(EventState):
    """Motion with the contacts that are closed, up to the first event."""

    _free: Flags
    """Grains without a closed contact; `_pairs` and `_walls` say which contacts are closed."""
    _pairs: Flags
    _walls: Flags
    _force_scale: float = 0.0
    _next: float = 0.0
    """The step to try next [s]."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # contacts whose force was used up, for states where forces are not determined (see `Cones`)
        self._opening: tuple[int, int] | None = None
        self._yielding: set[tuple[int, int]] = set()

    def _touch(self, h: float, paths: Floats, fastest: Floats) -> tuple[float, int, int, int]:
        """The first touch of contacts that are not closed, within h."""
        touch = np.zeros(3)
        tau = first_touch(
            self.t, h, Flight(paths, self.bodies.r, fastest, self._free), self._pairs, self._walls, self._ground,
            self._close, self.rest, self._space, touch)
        return tau, int(touch[0]), int(touch[1]), int(touch[2])

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
        rotate_freely(h, s, self.bodies.r, self.grains.local_orientation)
        self.t = self.t + h if happened else goal
        statistics.note_step(h)
        return happened

    def _slide(self, goal: float, statistics: StepStatistics) -> bool:
        """One smooth step with closed contacts towards the goal, cut at the first event; whether there was one."""
        f = np.empty_like(self._y)
        self._rates(f)
        self._accuracy = Accuracy(0.0, self._scale())
        statistics.evaluations += 1
        start = self._event_values()
        shift = np.where(start[1] <= 0.0, 3.0 * SLOW * self.velocity_scale, 0.0)
        shift[self._contacts["mode"] == STICKS] = 0.0
        start[1] += shift
        good = self._good_step(goal, f, shift, statistics)
        self._opening = None
        happened = bool(np.any(good.g < 0.0))
        if happened:
            good = self._first_change(good, f, start, shift, statistics)
        touched = self._first_contact(good, f, shift, statistics)
        good = touched or good
        rotate_over(good.h, self._y, good.work, self.bodies.r, self.grains.local_orientation)
        self._y = good.work.y_new
        self.ledger[1:3] += self._y[-2:]
        self._y[-2:] = 0.0
        cut = happened or touched is not None
        self.t = goal if not cut and good.h == goal - self.t else self.t + good.h
        statistics.note_step(good.h)
        if not cut:
            self._update_slip()
            keep_forces(self._contacts, self._space)
            kinematics(self.t, self._y, self.bodies, self._ground, self._contacts, self._rows.space)
            self._correct()
        return cut

    def _update_slip(self) -> None:
        """Take over the direction of slip for the next step."""
        c = self._contacts
        n, u = normals(c), slips(c)
        slip = u - np.sum(n * u, axis=1)[:, None] * n
        speed = np.linalg.norm(slip, axis=1)
        moving = (c["mode"] == SLIDES) & (speed > FADE * self.velocity_scale)
        c["d"][moving] = slip[moving] / speed[moving, None]

    def _event_values(self) -> Floats:
        """What turns negative at an event (see `closed.event_functions`)."""
        values = np.empty((2, len(self._contacts)))
        event_functions(self._contacts, FAINT * self._force_scale, SLOW * self.velocity_scale, values)
        return values

    def _try(self, h: float, f: Floats, shift: Floats,
             statistics: StepStatistics) -> tuple[SmoothStep, float, float]:
        """A step of any size from here, its error and the residual of its forces."""
        work, progress = workspace(len(f))._replace(f=f), new_progress()
        closed = Closed(self.bodies, self._ground, self._contacts, self._rows, FADE * self.velocity_scale)
        error, residual = step(closed, self.t, h, self._y, self._accuracy, work, progress)
        statistics.evaluations += int(progress.evaluations)
        g = self._event_values()
        g[1] += shift
        return SmoothStep(h, g, work), error, residual

    def _scale(self) -> Floats:
        """Errors allowed in each number of the state."""
        count, r, speed = len(self.bodies.im), self.bodies.r, max(self.velocity_scale, 1e-300)
        x, v, s = self._parts(np.abs(self._y))
        size = np.concatenate([(x + r[:, None]).ravel(), (v + speed).ravel(), (s + speed).ravel(), np.zeros(2)])
        size[-2:] = float(np.sum(1.0 / self.bodies.im)) * speed**2 if count else 1.0
        return self.tolerance * size

    def _good_step(self, goal: float, f: Floats, shift: Floats, statistics: StepStatistics) -> SmoothStep:
        """Try steps until one is accurate enough."""
        left = goal - self.t
        h = min(left, self._next or self._guess(f))
        wanted = h
        while h > 1e-15 * max(abs(self.t), left):
            good, error, residual = self._try(h, f, shift, statistics)
            if error < 1.0 and residual < 1e-6:
                grown = h * min(10.0, step_factor(error))
                self._next = max(grown, wanted) if h == left else grown
                return good
            h *= max(0.2, step_factor(error)) if np.isfinite(error) and error > 1.0 else 0.2
            statistics.rejected += 1
        raise NotConvergedError(f"t = {self.t:.12g} s: no step is small enough with "
                                f"{count(len(self._contacts), 'closed contact')}. Use a larger tolerance, or solver "
                                '= "moreau".')

    def _guess(self, f: Floats) -> float:
        """A first step, from how long grains need for a part of their radius."""
        _, v, s = self._parts(self._y)
        a = self._parts(f)[1]
        r = self.bodies.r
        fastest = np.max((np.linalg.norm(v, axis=1) + np.linalg.norm(s, axis=1)) / r
                         + np.sqrt(np.linalg.norm(a, axis=1) / r))
        return 0.2 / float(fastest) if fastest > 0.0 else np.inf

    def _first_change(
        self, last: SmoothStep, f: Floats, start: Floats, shift: Floats, statistics: StepStatistics,
    ) -> SmoothStep:
        """The step to the first time at which a force or a slip turns negative."""
        crossed = [(float(start[row, k] / max(start[row, k] - last.g[row, k], 1e-300)), int(row), int(k))
                   for row, k in zip(*np.nonzero(last.g < 0.0), strict=True)]
        cause = crossed[0][1:]
        for part, row, k in sorted(crossed):  # those first that seem to be: most others are then no longer crossed
            if part <= 0.0:
                last, cause = self._try(0.0, f, shift, statistics)[0], (row, k)
                break
            if last.g[row, k] < 0.0:
                last, cause = self._locate(last, row, k, float(start[row, k]), f, shift, statistics), (row, k)
        row, k = cause
        key = self._keys(subset(self._contacts, np.array([k])))[0]
        if row == 0:
            self._opening = key
        elif self._contacts["mode"][k] == STICKS:
            self._yielding.add(key)
        return last

    def _locate(
        self, last: SmoothStep, row: int, k: int, before: float, f: Floats, shift: Floats, statistics: StepStatistics,
    ) -> SmoothStep:
        """The step to where a number of `_event_values` vanishes, by regula falsi that halves an end kept twice."""
        low, after, side = 0.0, float(last.g[row, k]), 0
        enough = 1e-14 * (before - after)
        for _ in range(_TRIALS):
            if last.h - low <= 1e-13 * last.h:
                break
            h = (low * after - last.h * before) / (after - before)
            middle = self._try(h if low < h < last.h else 0.5 * (low + last.h), f, shift, statistics)[0]
            value = float(middle.g[row, k])
            if abs(value) <= enough:
                return middle
            if value < 0.0:
                last, after, before, side = middle, value, 0.5 * before if side < 0 else before, -1
            else:
                low, before, after, side = middle.h, value, 0.5 * after if side > 0 else after, 1
        return last

    def _first_contact(
        self, last: SmoothStep, f: Floats, shift: Floats, statistics: StepStatistics,
    ) -> SmoothStep | None:
        """The step to the first touch within the last one, if there is any."""
        count = len(self.bodies.im)
        if last.h == 0.0:
            return None
        paths, fastest = np.zeros((count, 6, 3)), np.zeros(count)
        quintics(self._y, f, last.work.y_new, last.work.f_new, last.h, paths, fastest)
        tau, grain, other, e = self._touch(last.h, paths, fastest)
        if not tau < last.h:
            return None
        contact = np.zeros(1, TOUCH)
        contact["i"], contact["j"], contact["e"] = (grain, other, -1) if e < 0 else (-1, grain, e)
        for _ in range(8):
            touching = self._try(tau, f, shift, statistics)[0]
            kinematics(self.t + tau, touching.work.y_new, self.bodies, self._ground, contact, self._space)
            u, gap = float(np.sum(normals(contact) * slips(contact))), float(contact["gap"][0])
            if -self._close <= gap <= 1e-3 * self._close or u >= -self.rest:
                break
            tau = min(max(tau - gap / u, 0.0), last.h)
        return touching
