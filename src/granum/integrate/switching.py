"""Motions whose formulas jump: events where the argument of a sign or an absolute value passes zero, and sliding modes.

The compiled functions below stand before those of a family of equations, which has its formulas in modes
(`granum.algebra.switches`). A mode that slides takes the value at which ġ = 0. As ġ is affine in the modes where these
enter the forces linearly, the values follow from one evaluation for each sliding mode and one more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import product
from typing import NamedTuple, Protocol

import numpy as np

from granum.base.callbacks import UNCHANGED
from granum.base.kernels import Floats, Ints, kernel
from granum.base.pointers import FloatGrid, block_reader, call, call_rates, carray, pack_block, right_hand_side
from granum.integrate.driver import Problem
from granum.integrate.equivalent_control import exchangeable, independent, many, shares

RATES, SWITCHES, EVENTS, END_OF_STEP, OWN_EVENTS, WATCHED, HEAD = range(7)
"""Entries of `head`: addresses of the functions of the family, the number of its own events, and how many
numbers of quotients follow them."""
NEAR = 1e-10
"""Part of the time to go within which an argument must reach zero to count as zero."""
MOST_NEAR = 6
"""Arguments at zero of which all combinations are tried; of more, one after the other is decided."""
ENDLESS = ((100, 1e-8), (1000, 1e-3))
"""Numbers of changes within a part of the run that end it: the first are of changes that come ever faster (Zeno), the
second of a million in all."""
WITHIN = 1.0 + 1e-12
"""Size of an equivalent control up to which a mode slides."""
SLIPS = (1.0 + 4e-12) ** 2
"""Its square with which sliding ends: beyond what begins to slide, so that an end is never missed where it begins."""
FOLLOWS, KEEPS = 1.0, 2.0
"""Modes that slide: with the value that holds their argument, or with a constant one, as others hold it too."""
_ROOM = 1e-9
"""What an equivalent control must leave to 1 where a mode goes on to slide after it reached 1, as others took over."""
_LATER = 1e-6
"""Part of the time to go over which the rate of an argument is compared with itself."""
_REST = 1e-3
"""Change of that rate, as a part of what its mode causes, that counts as none."""
_AGAIN, _GROWS = 3.7, 1e-3
"""Another value of a mode, for which its effect must be as much larger, to this part."""
_FREE = 1e-6
"""Share of a mode in what other modes could do as well, from which it is not unique."""
_ROUNDING = 64.0 * np.finfo(float).eps
"""Relative changes of a state within which an argument is not known."""
_AFFINE = 1e-6
"""Rate of an argument that a sliding mode leaves, relative to its effect, from which forces are not affine in it."""


class Switching(NamedTuple):
    """What the compiled functions read and write, of k modes and n numbers of state."""

    head: Ints
    inner: Floats
    """The block of the family."""
    modes: Floats
    slides: Floats
    """FOLLOWS for modes that slide, KEEPS for those whose arguments such modes hold too, else 0."""
    values: Floats
    """(2 k): g, and ġ."""
    base: Floats
    """(2 k): the same with all sliding modes at zero."""
    matrix: FloatGrid
    """(k, k): effect of each sliding mode on ġ of each."""
    right: Floats
    rates: FloatGrid
    """(k + 1, n): rates with all sliding modes at zero, and what each adds to them."""


read_switching = block_reader(Switching)


class Switchable(Protocol):
    """Equations in modes."""

    modes: Floats
    """Their modes, which its functions read."""
    switches: right_hand_side
    """(t, y, out, block): g and ġ of all modes in a state, for the modes as they are."""
    causes: list[str]
    """What each mode belongs to, for messages."""
    modes_in: dict[str, int]
    """The first mode of each load that has one."""

    def held(self) -> AbstractContextManager[None]:
        """Let the equations follow the modes."""


@kernel
def _solve(A: Floats, b: Floats, slides: Floats) -> bool:
    """Solve for the sliding ones by elimination with pivots, in place; the others are zero. False if singular."""
    n = len(b)
    for k in range(n):
        if slides[k] != FOLLOWS:
            for j in range(n):
                A[k, j] = 0.0
                A[j, k] = 0.0
            A[k, k], b[k] = 1.0, 0.0
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[best, k]):
                best = i
        if A[best, k] == 0.0:
            return False
        for j in range(n):
            A[k, j], A[best, j] = A[best, j], A[k, j]
        b[k], b[best] = b[best], b[k]
        for i in range(k + 1, n):
            factor = A[i, k] / A[k, k]
            for j in range(k, n):
                A[i, j] -= factor * A[k, j]
            b[i] -= factor * b[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            b[k] -= A[k, j] * b[j]
        b[k] /= A[k, k]
    return True


@kernel
def _respond(m: Switching, t: float, y: Floats) -> int:
    """ġ with all sliding modes at zero, into `base`, and what each of them adds to it, into `matrix`."""
    count = len(m.modes)
    for k in range(count):
        if m.slides[k] == FOLLOWS:
            m.modes[k] = 0.0
    status = call_rates(m.head[SWITCHES], t, y, m.base, m.inner)
    for k in range(count):
        if m.slides[k] == FOLLOWS and status == 0:
            m.modes[k] = 1.0
            status = call_rates(m.head[SWITCHES], t, y, m.values, m.inner)
            m.modes[k] = 0.0
            for j in range(count):
                m.matrix[j, k] = m.values[count + j] - m.base[count + j]
    return status


@kernel
def _settle(m: Switching, t: float, y: Floats) -> int:
    """Give sliding modes the values that hold their arguments."""
    count, sliding = len(m.modes), False
    for k in range(count):
        sliding |= m.slides[k] == FOLLOWS
    if not sliding:
        return 0
    status = _respond(m, t, y)
    if status != 0:
        return status
    for k in range(count):
        m.right[k] = -m.base[count + k]
    if not _solve(m.matrix, m.right, m.slides):
        for k in range(count):
            m.right[k] = 0.0
    for k in range(count):
        if m.slides[k] == FOLLOWS:
            m.modes[k] = m.right[k]
    return 0


@kernel
def _return(m: Switching, t: float, y: Floats) -> int:
    """Bring the arguments of sliding modes back to zero, along what the modes do to the state."""
    count, n = len(m.modes), m.rates.shape[1]
    status = _respond(m, t, y)
    if status == 0:
        status = call_rates(m.head[RATES], t, y, m.rates[0], m.inner)
    for k in range(count):
        if m.slides[k] == FOLLOWS and status == 0:
            m.modes[k] = 1.0
            status = call_rates(m.head[RATES], t, y, m.rates[k + 1], m.inner)
            m.modes[k] = 0.0
    if status != 0:
        return status
    for k in range(count):
        m.right[k] = -m.base[k]
    if _solve(m.matrix, m.right, m.slides):
        for k in range(count):
            if m.slides[k] == FOLLOWS:
                for i in range(n):
                    y[i] += m.right[k] * (m.rates[k + 1, i] - m.rates[0, i])
    return 0


@right_hand_side
def rates(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """Rates of the state, with the values that sliding modes take."""
    m = read_switching(data_)
    n = m.rates.shape[1]
    y = carray(y_, n)
    status = _settle(m, t, y)
    return status if status != 0 else call_rates(m.head[RATES], t, y, carray(dy_, n), m.inner)


@right_hand_side
def events(t, y_, g_, data_):  # type: ignore[no-untyped-def]
    """The events of the family, what stays positive while modes are what they are, and quotients of the family."""
    m = read_switching(data_)
    count, own, watched = len(m.modes), m.head[OWN_EVENTS], m.head[WATCHED]
    y, g = carray(y_, m.rates.shape[1]), carray(g_, own + count + watched)
    status = _settle(m, t, y)
    if status == 0 and own > 0:
        status = call_rates(m.head[EVENTS], t, y, g, m.inner)
    for k in range(watched - 1, -1, -1):
        g[own + count + k] = g[own + k]
    if status == 0:
        status = call_rates(m.head[SWITCHES], t, y, m.values, m.inner)
    for k in range(count):
        if m.slides[k] == KEEPS:
            g[own + k] = 1.0
        else:
            g[own + k] = SLIPS - m.modes[k] ** 2 if m.slides[k] == FOLLOWS else m.modes[k] * m.values[k]
    return status


@right_hand_side
def end_of_step(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """Corrections of the family, and arguments that are held brought back to zero."""
    m = read_switching(data_)
    n, status, sliding = m.rates.shape[1], UNCHANGED, False
    y = carray(y_, n)
    if m.head[END_OF_STEP] != 0:
        status = call_rates(m.head[END_OF_STEP], t, y, carray(dy_, n), m.inner)
    for k in range(len(m.modes)):
        sliding |= m.slides[k] == FOLLOWS
    if sliding and (status == 0 or status == UNCHANGED):
        status = _return(m, t, y)
        if status == 0:
            status = _settle(m, t, y)
    return status


class Switches:
    """The modes of one motion: which slide, and what an event does to them.

    Args:
        equations: what is moved.
        size: numbers of a state.
        small: change of a position within the tolerance of the motion.
    """

    def __init__(self, equations: Switchable, size: int, small: float) -> None:
        count = len(equations.modes)
        self.equations, self._small = equations, small
        self._own = 0
        self._data = Switching(
            np.zeros(HEAD, np.int64), np.zeros(1), equations.modes, np.zeros(count), np.zeros(2 * count),
            np.zeros(2 * count), np.zeros((count, count)), np.zeros(count), np.zeros((count + 1, size)))
        self._block, self._unique = np.zeros(0), np.ones(count)
        self._times: deque[float] = deque(maxlen=max(count for count, _ in ENDLESS))
        """Of the last events."""

    def problem(self, inner: Problem, quotients: int) -> Problem:
        """A problem of the family that watches a number of quotients, with events of the modes behind its own."""
        own, count = len(inner.directions), len(self._data.modes)
        self._data = self._data._replace(inner=inner.data)
        self._data.head[:] = inner.rates, self.equations.switches.address, inner.events, inner.end_of_step, own, (
            2 * quotients)
        self._own, self._block = own, pack_block(self._data)
        return Problem(rates.address, self._block, end_of_step.address, events.address,
                       np.concatenate([inner.directions, np.full(count, -1)]))

    @property
    def cause(self) -> str:
        """What the modes belong to whose arguments are at zero."""
        held = [name for name, slides in zip(self.equations.causes, self._data.slides, strict=True) if slides]
        return ", ".join(dict.fromkeys(held or self.equations.causes))

    def chatters(self, end: float) -> bool:
        """Have modes changed so often that the motion gets no further?"""
        return any(len(self._times) >= count and self._times[-1] - self._times[-count] < part * end
                   for count, part in ENDLESS)

    def shares(self, loads: Sequence[str]) -> tuple[Floats, Floats]:
        """The mode of each of some loads, after `release`, and whether it is unique: 1, or 0 where it is not."""
        of = [self.equations.modes_in.get(load, -1) for load in loads]  # a friction of zero has none
        return np.append(self._data.modes, 0.0)[of], np.append(self._unique, 1.0)[of]

    def release(self, t: float, y: Floats) -> None:
        """Let modes be zero that nothing decides about, as of arguments that a drive holds at zero.

        Neither they are unique, nor modes that hold their arguments together where others could take over their part.
        """
        m = self._data
        began, g = m.modes.copy(), self._values(t, y)[: len(m.modes)]
        idle = [int(k) for k in np.flatnonzero((m.slides == 0.0) & (g == 0.0)) if self._prescribed(int(k), t, y)]
        self._unique[:] = 1.0
        self._unique[idle] = 0.0
        if (m.slides == KEEPS).any():
            held = np.flatnonzero(m.slides)
            self._unique[held] = exchangeable(self._response(held.tolist(), t, y)[2]) <= _FREE
        m.modes[:] = began
        m.modes[idle] = 0.0

    def _prescribed(self, k: int, t: float, y: Floats) -> bool:
        """Is the rate of an argument zero, whatever its mode, but for rounding?"""
        _, rate, effect = self._response([k], t, y)
        self._data.modes[k] = 1.0
        rounding = abs(float(self._values(t, y)[len(self._data.modes) + k]) - rate[0])
        return effect[0, 0] == 0.0 and abs(float(rate[0])) <= rounding

    def own_event(self, event: int) -> bool:
        """Is it an event of the family?"""
        return event < self._own

    def change(self, event: int, t: float, y: Floats, until: float) -> None:
        """Decide about all modes where one of them ends."""
        self._times.append(t)
        m, k = self._data, event - self._own
        if not m.slides[k]:
            self.choose(t, y, until)
            return
        ends = {k: float(np.sign(m.modes[k]))}
        if (m.slides == KEEPS).any():  # others may take over
            held, began = np.flatnonzero(m.slides), m.modes.copy()
            taken = self._taken(*self._response(held.tolist(), t, y)[1:])
            m.modes[:] = began
            if taken is not None:
                ends = {int(i): float(np.sign(s)) for i, s in zip(held, taken, strict=True) if abs(s) >= 1.0 - _ROOM}
                ends = ends if k in ends else {}
        self.choose(t, y, until, ends)

    def choose(self, t: float, y: Floats, until: float, ends: dict[int, float] | None = None) -> None:
        """Decide about all modes from the state; `ends` has those that end to slide, and where they go."""
        m, count, ends = self._data, len(self._data.modes), ends or {}
        m.slides[:] = 0.0
        m.modes[m.modes == 0.0] = 1.0
        for _ in range(count + 1):  # an argument may depend on modes before it
            g = self._values(t, y)[:count]
            m.modes[:] = np.where(g == 0.0, np.sign(m.modes), np.sign(g))
        near = self._near(t, y, until)
        for k, way in ends.items():
            m.modes[k] = way
        undecided = [k for k in near if k not in ends]
        if undecided:
            self._decide(undecided, t, y, until)
        if m.slides.any():
            call(end_of_step, t, y, np.zeros_like(y), self._bare())

    def _bare(self) -> Floats:
        """The block without corrections of the family."""
        head = self._data.head.copy()
        head[END_OF_STEP] = 0
        self._kept = self._data._replace(head=head)
        return pack_block(self._kept)

    def _values(self, t: float, y: Floats) -> Floats:
        """g and ġ for the modes as they are."""
        call(self.equations.switches, t, y, self._data.values, self._data.inner)
        return self._data.values.copy()

    def _near(self, t: float, y: Floats, until: float) -> list[int]:
        """Arguments that are zero, or would be at once."""
        m, count = self._data, len(self._data.modes)
        near = []
        for k in range(count):
            taken = m.modes[k]
            rates, g = [], 0.0
            for way in (1.0, -1.0):
                m.modes[k] = way
                values = self._values(t, y)
                g = float(values[k])
                rates.append(float(values[count + k]))
            m.modes[k] = taken
            one, other = rates
            if g == 0.0 or abs(g) <= NEAR * (until - t) * max(abs(one), abs(other)) or (
                    one == other and self._turns(k, g, one, t, y, until)):
                near.append(k)
        return near

    def _turns(self, k: int, g: float, rate: float, t: float, y: Floats, until: float) -> bool:
        """Is an argument so small, and its rate, that its mode turns it about zero within the tolerance?

        The mode must act on the second derivative, as a relay of a position does: with an acceleration b, an argument
        that passes zero with the rate u goes as far as u²/2b.
        """
        small = max(self._small, abs(float(self._values(t, y * (1.0 + _ROUNDING * self._signs(y)))[k]) - g))
        return until > t and abs(g) <= small and rate * rate <= 2.0 * small * abs(self._second(k, t, y, until)[1])

    @staticmethod
    def _signs(y: Floats) -> Floats:
        """1 and -1 in turn."""
        signs: Floats = np.where(np.arange(len(y)) % 2 == 0, 1.0, -1.0)
        return signs

    def _second(self, k: int, t: float, y: Floats, until: float) -> tuple[float, float]:
        """The second derivative of an argument for the modes as they are, and what its own mode adds to it."""
        m, found = self._data, []
        began, slid = m.modes.copy(), m.slides.copy()
        for way in (None, 1.0, -1.0):
            if way is not None:
                m.slides[:], m.modes[:] = 0.0, began
                m.modes[k] = way
            found.append(self._changes(k, t, y, until))
        m.slides[:], m.modes[:] = slid, began
        return found[0], 0.5 * (found[1] - found[2])

    def _changes(self, k: int, t: float, y: Floats, until: float) -> float:
        """The rate of ġ, from its difference a little later."""
        later, f = _LATER * (until - t), np.zeros_like(y)
        before = float(self._values(t, y)[len(self._data.modes) + k])
        call(rates, t, y, f, self._block)
        return (float(self._values(t + later, y + later * f)[len(self._data.modes) + k]) - before) / later

    def _decide(self, group: Sequence[int], t: float, y: Floats, until: float) -> None:
        """The first combination of sliding and passing that agrees with the arguments and their rates."""
        m = self._data
        began = m.modes.copy()
        _, rate, effect = self._response(group, t, y)
        first = np.where(rate < 0.0, -1.0, 1.0)
        for ways in _combinations(first) if len(group) <= MOST_NEAR else [tuple(many(effect, rate).tolist())]:
            for k, way in zip(group, ways, strict=True):
                m.slides[k], m.modes[k] = FOLLOWS if way == 0.0 else 0.0, way
            held = [k for k in group if m.slides[k]]
            if (not held or self._holds(held, t, y, until)) and self._passes(group, t, y, until):
                return
        m.modes[:] = began
        m.slides[list(group)] = 0.0

    def _holds(self, held: Sequence[int], t: float, y: Floats, until: float) -> bool:
        """Are the arguments of sliding modes zero, the modes between -1 and 1, and do they attract?

        Where both sides lead away, only what the formula itself keeps there, with sign(0) = 0, stays.
        """
        m, own = self._data, len(self._data.modes) + np.array(held)
        g, rate, effect = self._response(held, t, y)
        size = np.abs(effect).sum(axis=1)
        direct = size > 0.0
        if np.any(direct & (np.abs(g) > NEAR * (until - t) * (np.abs(rate) + size))) or np.any(
                (np.diag(effect) > 0.0) & ((g != 0.0) | (rate != 0.0))):
            return False
        turning = [i for i in range(len(held)) if not direct[i]]
        taken = self._taken(rate, effect)
        if taken is None or np.abs(taken).max() > WITHIN or not all(
                self._turns(held[i], float(g[i]), float(rate[i]), t, y, until) for i in turning):
            return False
        m.modes[held] = taken
        m.slides[held] = KEEPS
        m.slides[np.array(held)[independent(effect)]] = FOLLOWS
        left = np.abs(self._values(t, y)[own])
        return bool(np.all(left[direct] <= _AFFINE * size[direct])) and all(
            self._rests(held[i], t, y, until) for i in turning)

    def _taken(self, rate: Floats, effect: Floats) -> Floats | None:
        """Values of sliding modes that hold all arguments, with their rates and effects."""
        follow = independent(effect)
        return shares(effect, -rate, follow) if follow else None

    def _rests(self, k: int, t: float, y: Floats, until: float) -> bool:
        """Does an argument stay where it is that its mode acts on by its second derivative, because others hold ġ?"""
        second, own = self._second(k, t, y, until)
        values = self._values(t, y)
        return abs(second) <= _REST * abs(own) and (
            own < 0.0 or (values[k] == 0.0 and values[len(self._data.modes) + k] == 0.0))

    def _passes(self, group: Sequence[int], t: float, y: Floats, until: float) -> bool:
        """Are the others on the side of zero that their modes say, or do they go there?"""
        m, count = self._data, len(self._data.modes)
        values = self._values(t, y)
        for k in group:
            g, rate = float(values[k]), float(values[count + k])
            at_zero = abs(g) <= NEAR * (until - t) * abs(rate)
            if not m.slides[k] and m.modes[k] * (rate if at_zero else g) < 0.0:
                return False
        return True

    def _response(self, held: Sequence[int], t: float, y: Floats) -> tuple[Floats, Floats, Floats]:
        """g and ġ of some modes with these at zero, and how each changes the ġ.

        What does not grow with the mode is rounding: a drive prescribes that rate.
        """
        m, own = self._data, len(self._data.modes) + np.array(held)
        m.modes[list(held)] = 0.0
        values = self._values(t, y)
        effect = np.zeros((len(held), len(held)))
        for j, k in enumerate(held):
            m.modes[k] = 1.0
            once = self._values(t, y)[own] - values[own]
            m.modes[k] = _AGAIN
            again = (self._values(t, y)[own] - values[own]) / _AGAIN
            effect[:, j] = np.where(np.abs(again - once) <= _GROWS * np.abs(once), once, 0.0)
            m.modes[k] = 0.0
        return values[list(held)], values[own], effect


def _combinations(first: Floats) -> Iterator[tuple[float, ...]]:
    """0 to slide, ±1 to pass: those that slide most first, and of two ways that of `first`, where both may be gone."""
    each = product(*((0.0, float(way), -float(way)) for way in first))
    return iter(sorted(each, key=lambda ways: -ways.count(0.0)))
