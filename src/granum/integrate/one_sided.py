"""One-sided links: located events of opening and closing, impacts, and what stays closed after them.

A one-sided link has a gap g = s (|r| - l), r from its first end to its second, that stays at least zero: s = 1 for a
contact or strut that pushes, s = -1 for a rope that pulls. It carries a force f ≥ 0 that opens the gap, and only while
it is closed:

    f ≥ 0,  g̈ = S f + c ≥ 0,  fᵀ g̈ = 0                                 of all links that touch
    p ≥ 0,  ġ⁺ + e ġ⁻ = S p + (1 + e) ġ⁻ ≥ 0,  pᵀ (ġ⁺ + e ġ⁻) = 0       where some of them meet (Newton's law)

S = J P M⁻¹ Jᵀ is the response of the gaps to forces along them, with all other links and joints kept (P), and c is g̈
without the one-sided links. Both problems are solved together for all links that touch, so that none ever pulls. An
impact of the impulse p works p (ġ⁻ + ġ⁺)/2, link by link: -p (1 - e) |ġ⁻|/2 where ends meet, nothing where they rest.

A step of the integrator is examined where it ends and between its ends. Where a force or a gap has become negative, the
step is made again with other sizes until the event is enclosed: its time and state have the order of the integrator.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np

from granum.base.errors import NotConvergedError
from granum.base.kernels import Flags, Floats
from granum.integrate import driver
from granum.integrate.adaptive_stepper import failure_reason
from granum.integrate.complementarity import complementary
from granum.integrate.pace import Pace
from granum.integrate.stepper import Stepper, StepStatistics, Watch

TOUCH = 1e-9
"""Gap, as a part of the length of the link, up to which its ends touch. A rebound that would rise no higher than this
is none: the link closes, so that bounces which become ever shorter come to an end."""
ENCLOSED = 1e-13
"""How closely an event is enclosed, as a part of the step it happens in."""
AT_REST = 1e-10
"""Rate of a gap after an impact, as a part of the largest rate in it, that is rounding."""
CLOSING = 1e-6
"""Acceleration, as a part of the largest, with which a link that has just opened would have to close for it not to."""
SHORTEST = 64
"""Least step, in units of the last place of the time."""
BETWEEN = np.arange(1, 16) / 16.0
"""Where gaps are looked at within a step, on the cubics through its ends."""
MOST_AT_ONCE = 100
"""Events at one time after which the links will never agree."""


@dataclass(frozen=True)
class LinkEvent:
    """A one-sided link that changes what it does."""

    time: float
    link: str
    what: str
    """`opens`, `closes` or `rebounds`."""


class Problem(NamedTuple):
    """The links that may act at one time."""

    rows: Flags
    """Which of the one-sided links they are."""
    S: Floats
    """Rates of their gaps by unit impulses of each."""
    moved: Any
    """What `push` needs: velocities by unit impulses of each."""


class OneSidedMotion(Stepper):
    """Carries a system from event to event of its one-sided links; a family of systems says how it is moved.

    What it needs to go on bit-identically, beside the state, is `record`.
    """

    names: Sequence[str]
    length: Floats
    senses: Floats
    """s of each link."""
    restitution: Floats
    end: float
    """Time at which the run ends [s]."""
    interior: Sequence[float] = ()
    """Parts of a step at which forces are looked at too."""
    inner: Any
    """What moves the system with the links that are closed."""

    def begin(self) -> None:
        """No link is closed yet, and nothing has happened."""
        count = len(self.names)
        self.closed = np.zeros(count, dtype=bool)
        self.offset = np.zeros(count)
        """Gap at which each open link touches [m]: negative where it opened with a length error."""
        self.work = np.zeros(count)
        """Work of the impacts of each link so far [J]."""
        self.link_events: list[LinkEvent] = []
        self.statistics = StepStatistics()
        self._limit = math.inf

    # ---- the system

    @property
    def next_step(self) -> float:
        """Step to try next [s]."""
        step: float = self.inner.next_step
        return step

    @next_step.setter
    def next_step(self, step: float) -> None:
        self.inner.next_step = step

    def sampling(self) -> AbstractContextManager[None]:
        """Of what is closed."""
        return cast("Stepper", self.inner).sampling()

    def shares(self, loads: Sequence[str]) -> tuple[Floats, Floats]:
        """Of what is closed."""
        return cast("Stepper", self.inner).shares(loads)

    @property
    def equations(self) -> Any:
        """Those of the links that are closed."""
        return self.inner.equations

    @property
    @abstractmethod
    def time(self) -> float:
        """Time reached [s]."""

    @abstractmethod
    def arms(self) -> tuple[Floats, Floats]:
        """(links, dimension): from the first end of each link to its second, and the rate of that."""

    @abstractmethod
    def forces(self, between: tuple[Any, float] | None = None) -> Floats:
        """f of each link [N], zero for open ones: now, or after a part of the step from a kept state to now."""

    @abstractmethod
    def free_accelerations(self) -> Floats:
        """(links, dimension): second derivatives of the arms without any one-sided link."""

    @abstractmethod
    def problem(self, rows: Flags) -> Problem:
        """The response to impulses of some links in the position reached."""

    @abstractmethod
    def push(self, problem: Problem, impulse: Floats) -> None:
        """Change the velocities by impulses of these links."""

    @abstractmethod
    def book_correction(self, energy: float) -> None:
        """Note the energy that a correction of velocities has added [J]."""

    @abstractmethod
    def link_up(self, closed: Flags) -> None:
        """Go on with these links closed, and the others open."""

    @abstractmethod
    def keep(self) -> Any:
        """The state reached, to come back to."""

    @abstractmethod
    def put(self, kept: Any) -> None:
        """Come back to a state."""

    @abstractmethod
    def step(self, until: float) -> StepStatistics:
        """One step of the integrator, of its own size but not beyond a time."""

    @property
    def over(self) -> bool:
        """Has another event ended the motion?"""
        return False

    # ---- time

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Steps to a time exactly, with all events on the way."""
        self.statistics = StepStatistics()
        self.settle()
        at_once, last, pace = 0, self.time, Pace(self.time, max(until, self.end))
        while self.time < until and not self.over:
            kept, begin, arms = self.keep(), self.time, self.arms()
            self._near = ~self.closed & (self._gap(arms[0]) <= TOUCH * self.length)
            self.statistics.follow(self.step(min(until, begin + self._limit)))
            self._limit = math.inf
            if (violated := self._event(kept, begin, arms)) is not None:
                at_once = at_once + 1 if self.time - last <= 4.0 * math.ulp(self.time) else 0
                last = self.time
                if at_once == MOST_AT_ONCE:
                    names = ", ".join(name for name, bad in zip(self.names, violated, strict=True) if bad)
                    raise NotConvergedError(f"at t = {self.time:g} s one-sided links do not agree on what is open and "
                                            f"what is closed ({names}). Check whether they are redundant.")
                self.resolve(violated)
            watch(self.time)
            if pace.stalls(self.time, 1):
                raise NotConvergedError(f"the motion does not get beyond t = {self.time:g} s: "
                                        f"{failure_reason(driver.STALLED)}. Check whether one-sided links open and "
                                        "close again and again there, or use a larger tolerance.")
        return self.statistics

    def gaps(self) -> tuple[Floats, Floats]:
        """Gap of each link, less the offset, and its rate [m, m/s]."""
        arm, rate = self.arms()
        return self._gap(arm), self.senses * np.einsum("kd,kd->k", arm, rate) / _lengths(arm)

    def _gap(self, arm: Floats) -> Floats:
        """Gaps of arms, less the offset [m]."""
        gap: Floats = self.senses * (_lengths(arm) - self.length) - self.offset
        return gap

    def settle(self) -> None:
        """Resolve what is not as it should be now: at the start, and after a change from outside."""
        gap, rate = self.gaps()
        wrong = (self.closed & (self.forces() < 0.0)) | (~self.closed & (gap < -TOUCH * self.length))
        meeting = ~self.closed & (gap <= TOUCH * self.length) & (rate < -self._rounding())
        if wrong.any() or meeting.any():
            self.resolve(wrong)
        else:
            self._limit_first_step()

    def close_touching(self, were_closed: Flags | None = None) -> None:
        """Of the links whose ends touch and do not move apart, close those that carry a force; all others are open.

        were_closed: links that were closed until now; without it, at the start, those whose ends touch at rest. What
        changes is an event, and so is an impact.
        """
        self.closed = np.zeros(len(self.names), dtype=bool)
        self.link_up(self.closed)
        self.offset[:] = 0.0
        gap, rate = self.gaps()
        touching = np.abs(gap) <= TOUCH * self.length
        self.offset = np.where(touching, np.minimum(gap, 0.0), 0.0)
        if were_closed is None:
            were_closed = touching & (np.abs(rate) <= self._rounding())
        before = len(self.link_events)
        self.resolve(np.zeros(len(self.names), dtype=bool))
        self.link_events[before:] = [event for event in self.link_events[before:] if event.what == "rebounds"]
        self.link_events += [LinkEvent(self.time, name, "opens" if was else "closes") for name, was, now in zip(
            self.names, were_closed, self.closed, strict=True) if was != now]

    def _rounding(self) -> float:
        """Rate of a gap that is rounding [m/s]."""
        return AT_REST * float(np.abs(self.arms()[1]).max(initial=0.0))

    # ---- location

    def _values(self) -> Floats:
        """A number for each link that is negative where it is not as it should be: a force, or a gap over the length.

        Links that have just opened, or are about to leave, must first leave zero.
        """
        gap = self._gap(self.arms()[0]) + np.where(self._near, TOUCH * self.length, 0.0)
        return np.where(self.closed, self.forces(), gap) if self.closed.any() else gap

    def _event(self, kept: Any, begin: float, arms: tuple[Floats, Floats]) -> Flags | None:
        """Links that are not as they should be, at the first event of the step just made from a kept state and its
        arms; None where there is none.

        The state is then that of the event, on the side where it has happened.
        """
        after, at_end = self.time, self._values()
        if np.isnan(at_end).any():
            return None  # what is wrong with the state is said elsewhere
        first = self._first_violation(kept, arms, after - begin)
        high, g_high = after, float(at_end.min())
        if first is None and g_high >= 0.0:
            return None
        end = self.keep()

        def value(target: float) -> float:
            self.put(kept)
            while self.time < target:
                self.statistics.follow(self.step(target))
            return float(self._values().min())

        low, g_low = begin, value(begin)
        if g_low < 0.0:
            return self._values() < 0.0
        if first is not None:
            middle = begin + first * (after - begin)
            if (g := value(middle)) < 0.0:
                high, g_high = middle, g
            elif g_high >= 0.0:  # the cubic was mistaken
                self.put(end)
                return None
            else:
                low, g_low = middle, g
        return self._enclose(value, low, g_low, high, g_high, ENCLOSED * (after - begin))

    def _enclose(self, value: Callable[[float], float], low: float, g_low: float, high: float, g_high: float,
                 width: float) -> Flags:
        """Regula falsi in the Illinois form, with bisection where it is slow; ends at the upper end."""
        side, reached = 0, high
        for number in range(200):
            if high - low <= max(width, 2.0 * math.ulp(high)):
                break
            guess = high - g_high * (high - low) / (g_high - g_low)
            if number % 3 == 2 or not low < guess < high:
                guess = low + 0.5 * (high - low)
            g = value(guess)
            reached = guess
            if g < 0.0:
                high, g_high, g_low, side = guess, g, 0.5 * g_low if side == -1 else g_low, -1
            else:
                low, g_low, g_high, side = guess, g, 0.5 * g_high if side == 1 else g_high, 1
        if reached != high:
            value(high)
        return self._values() < 0.0

    def _first_violation(self, kept: Any, arms: tuple[Floats, Floats], span: float) -> float | None:
        """The first part of the step at which a gap or a force seems negative, if any.

        Gaps are looked at on the cubics of the arms through both ends of the step.
        """
        parts, watched = [], ~self.closed & ~self._near
        if watched.any():
            (arm0, rate0), (arm1, rate1), s = arms, self.arms(), BETWEEN[:, None, None]
            arm = ((1.0 + 2.0 * s) * (1.0 - s) ** 2 * arm0 + s**2 * (3.0 - 2.0 * s) * arm1
                   + span * s * (1.0 - s) * ((1.0 - s) * rate0 - s * rate1))
            bad = np.flatnonzero((self._gap(arm)[:, watched] < 0.0).any(axis=1))
            parts += [float(BETWEEN[bad[0]])] if len(bad) else []
        if self.closed.any():
            parts += [part for part in self.interior if self.forces((kept, part))[self.closed].min() < 0.0][:1]
        return min(parts, default=None)

    # ---- what happens

    def resolve(self, violated: Flags) -> None:
        """Impacts of links that meet, then which of those that touch are closed; `violated` are known to be wrong."""
        gap, rate = self.gaps()
        touching = self.closed | violated | (gap <= TOUCH * self.length)
        problem = self.problem(touching)
        before = self.closed.copy()
        struck, resting = np.zeros(len(self.names), dtype=bool), touching & before
        meeting = touching & ~before & (rate < -self._rounding())
        if meeting.any():
            struck, resting = self._strike(problem, rate, meeting)
        else:
            resting |= touching & (np.abs(rate) <= self._rounding())
        resting |= self._hold(problem, touching & ~resting, resting)
        pulling = violated & before & resting
        self.closed = self._carrying(problem, resting, pulling)
        opened = before & ~self.closed
        self._release(problem, opened)
        gap += self.offset
        self.offset = np.where(opened, np.minimum(gap, 0.0), np.where(self.closed, 0.0, self.offset))
        self.offset = np.where(~self.closed & violated, np.minimum(self.offset, gap), self.offset)
        for k, name in enumerate(self.names):
            what = "opens" if opened[k] else "closes" if self.closed[k] and not before[k] else \
                "rebounds" if struck[k] and not self.closed[k] else None
            if what is not None:
                self.link_events.append(LinkEvent(self.time, name, what))
        if not np.array_equal(before, self.closed) or struck.any():
            self.link_up(self.closed)
        self._limit_first_step()

    def _strike(self, problem: Problem, rate: Floats, meeting: Flags) -> tuple[Flags, Flags]:
        """Newton's law for the links that meet, through all that touch; who rebounds, and who is at rest after it."""
        rows, S = problem.rows, problem.S
        e = np.where(meeting, self.restitution, 0.0)
        pressing = -self._accelerations(problem, np.where(self.closed, np.maximum(self.forces(), 0.0), 0.0)[rows])
        height = (e[rows] * rate[rows]) ** 2 / (2.0 * np.maximum(pressing, 1e-300))
        e[rows] = np.where(height < TOUCH * self.length[rows], 0.0, e[rows])
        held = self.closed[rows]
        # what holds has no rate but that of its error
        wanted = np.where(held, 0.0, np.where(meeting[rows], (1.0 + e[rows]) * rate[rows], rate[rows]))
        impulse, _ = complementary(S, wanted)
        change = S @ impulse
        self.push(problem, impulse)
        self.work[rows] += impulse * (rate[rows] + 0.5 * change)
        largest = max(float(np.abs(change).max()), float(np.abs(rate[rows]).max()))
        rests = np.zeros(len(rows), dtype=bool)
        rests[rows] = np.where(held, change, rate[rows] + change) <= AT_REST * largest
        hit = np.zeros(len(rows), dtype=bool)
        hit[rows] = meeting[rows] & (impulse > 0.0)
        return hit, rests

    def _hold(self, problem: Problem, leaving: Flags, resting: Flags) -> Flags:
        """Links of those that leave whose bounce would rise no higher than TOUCH: they are brought to rest.

        An impact at one link lifts another one a little, whose impact lifts the first: without an end to this the links
        would take turns for ever.
        """
        rows, rate = problem.rows, self.gaps()[1]
        low = leaving & (rate > 0.0)
        if not low.any():
            return low
        free, at_rest = self._free(problem)[0], resting[rows]
        force = np.zeros(len(free))
        force[at_rest] = complementary(problem.S[np.ix_(at_rest, at_rest)], free[at_rest])[0]
        falling = np.maximum(-(problem.S @ force + free), 0.0)
        low[rows] &= rate[rows] ** 2 < 2.0 * falling * TOUCH * self.length[rows]
        if low.any():
            held = (low | resting)[rows]
            wanted = np.where(low, rate, 0.0)[rows]
            impulse = np.zeros(len(free))
            impulse[held] = np.linalg.lstsq(problem.S[np.ix_(held, held)], -wanted[held], rcond=None)[0]
            self.push(problem, impulse)
            self.work[rows] += impulse * (wanted + 0.5 * problem.S @ impulse)
        return low

    def _release(self, problem: Problem, opened: Flags) -> None:
        """Take from the velocities the error by which links that open would still close; it is a correction."""
        rows = problem.rows
        rate = np.where(opened, np.minimum(self.gaps()[1], 0.0), 0.0)[rows]
        if rate.min(initial=0.0) < -self._rounding():
            impulse, _ = complementary(problem.S, rate)
            self.push(problem, impulse)
            self.book_correction(float(impulse @ (rate + 0.5 * problem.S @ impulse)))

    def _free(self, problem: Problem) -> tuple[Floats, float]:
        """c: second derivatives of the gaps without one-sided links, and the largest of their terms."""
        arm, rate = (each[problem.rows] for each in self.arms())
        second, senses = self.free_accelerations()[problem.rows], self.senses[problem.rows]
        distance = _lengths(arm)
        n = arm / distance[:, None]
        # the rate of a closed gap is an error, which the equations of motion do not know
        along = np.where(self.closed[problem.rows], 0.0, np.einsum("kd,kd->k", n, rate))
        forced, turning = np.einsum("kd,kd->k", n, second), ((rate**2).sum(axis=1) - along**2) / distance
        largest = max(float(np.abs(forced).max(initial=0.0)), float(np.abs(turning).max(initial=0.0)))
        return senses * (forced + turning), largest

    def _accelerations(self, problem: Problem, forces: Floats) -> Floats:
        """g̈ of the links of a problem under given forces of theirs."""
        second: Floats = problem.S @ forces + self._free(problem)[0]
        return second

    def _carrying(self, problem: Problem, resting: Flags, pulling: Flags) -> Flags:
        """Which links at rest carry a force. Links known to pull are left out, unless they would then close again."""
        (free, largest), rows = self._free(problem), problem.rows
        candidates = (resting & ~pulling)[rows]
        for _ in range(2):
            force, active = complementary(problem.S[np.ix_(candidates, candidates)], free[candidates])
            every = np.zeros(len(candidates))
            every[candidates] = force
            second = problem.S @ every + free
            closing = pulling[rows] & (second < -CLOSING * largest)
            if not closing.any():
                break
            candidates = candidates | closing
        carrying = np.zeros(len(rows), dtype=bool)
        places = np.flatnonzero(rows)[candidates]
        carrying[places] = active
        return carrying

    def _limit_first_step(self) -> None:
        """A link that has just rebounded is first carried no farther than to the top of its bounce, so that its gap is
        positive after a step, and its return is seen.
        """
        self._limit = math.inf
        gap, rate = self.gaps()
        leaving = ~self.closed & (gap <= TOUCH * self.length) & (rate > self._rounding())
        if leaving.any():
            problem = self.problem(self.closed | leaving)
            second = self._accelerations(problem, np.where(self.closed, self.forces(), 0.0)[problem.rows])
            back = leaving[problem.rows] & (second < 0.0)
            if back.any():
                top = float((rate[problem.rows][back] / -second[back]).min())
                self._limit = max(top, SHORTEST * math.ulp(self.time))

    # ---- records

    @property
    def record(self) -> Floats:
        """(3, links): which are closed, offsets, works of impacts."""
        return np.array([self.closed, self.offset, self.work], dtype=float)

    def restore(self, record: Floats, happened: Sequence[LinkEvent]) -> None:
        """Be as the record says, with a state that is put already."""
        self.closed, self.offset, self.work = record[0] > 0.5, record[1].copy(), record[2].copy()
        self.link_events = list(happened)
        self._limit = math.inf


def _lengths(arm: Floats) -> Floats:
    """Lengths of arms."""
    length: Floats = np.sqrt((arm * arm).sum(axis=-1))
    return length
