"""Contact history: impulses (rigid) or springs (soft) live in the slot of a pair and survive new neighbour lists."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats, Ints, Record, Records, inlined, kernel
from granum.grains.state import Int32s

SLOT = np.dtype([(name, np.float64) for name in ("fx", "fy", "fz", "tx", "ty", "tz", "sudden")])
"""What a contact remembers: a vector at the contact and a vector of rotation, both on the second of a pair, then the
part of the impulse that an impact gave, which is not applied again.

    moreau  impulse [N s] and angular impulse of rolling friction [N m s] of the last step
    soft    stretch of the tangential spring [m] and of the rolling spring [rad]
    mixed   impulse of the last step [N s] and force at its end [N]
"""
WIDTH = len(SLOT.names or ())
FX, FY, FZ, SUDDEN = 0, 1, 2, 6
"""Columns of slots as plain numbers."""


def as_numbers(slots: Records) -> Floats:
    """(n, WIDTH): a view as plain numbers."""
    return slots.view(np.float64).reshape(len(slots), WIDTH)


def as_slots(numbers: Floats) -> Records:
    """(n,) SLOT of plain numbers (n, WIDTH)."""
    slots: Records = np.ascontiguousarray(numbers).view(SLOT).reshape(len(numbers))
    return slots


def no_slots(count: int) -> Records:
    """Slots that hold nothing."""
    return np.zeros(count, SLOT)


@inlined
def holds(slot: Record) -> bool:
    """Does a slot hold anything?"""
    return (slot.fx != 0.0 or slot.fy != 0.0 or slot.fz != 0.0 or slot.tx != 0.0 or slot.ty != 0.0 or slot.tz != 0.0
            or slot.sudden != 0.0)


@inlined
def clear(slot: Record) -> None:
    """Forget everything."""
    slot.fx = slot.fy = slot.fz = slot.tx = slot.ty = slot.tz = slot.sudden = 0.0


@inlined
def copy_slot(source: Record, sign: float, target: Record) -> None:
    """Copy a slot, with its vectors times a sign."""
    target.fx, target.fy, target.fz = sign * source.fx, sign * source.fy, sign * source.fz
    target.tx, target.ty, target.tz = sign * source.tx, sign * source.ty, sign * source.tz
    target.sudden = source.sudden


@kernel
def count_held(slots: Records) -> int:
    """How many slots hold anything."""
    count = 0
    for k in range(len(slots)):
        count += 1 if holds(slots[k]) else 0
    return count


@kernel
def take_out(first: Ints, other: Int32s, partner: Ints, sign: float, number: Ints, slots: Records, owner: Ints,
             against: Ints, kept: Records) -> None:
    """Write what slots hold as (lower number, partner number, slot) in no particular order.

    `partner` gives the number of a partner; `sign` is -1 where exchanging the two reverses the vectors.
    """
    m = 0
    for i in range(len(first) - 1):
        for k in range(first[i], first[i + 1]):
            if holds(slots[k]):
                a, b = number[i], partner[other[k]]
                swapped = sign < 0.0 and a > b
                owner[m], against[m] = (b, a) if swapped else (a, b)
                copy_slot(slots[k], -1.0 if swapped else 1.0, kept[m])
                m += 1


@kernel
def order_of(owner: Ints, against: Ints, lowest: int, start: Ints, order: Ints) -> None:
    """Order by owners, and by partners for each; owner a has start[a - lowest]:start[a - lowest + 1]."""
    start[:] = 0
    for m in range(len(owner)):
        start[owner[m] - lowest + 1] += 1
    for a in range(len(start) - 1):
        start[a + 1] += start[a]
    # filling from the end leaves start[a + 1] at the beginning of owner a
    for m in range(len(owner) - 1, -1, -1):
        a = owner[m] - lowest + 1
        start[a] -= 1
        order[start[a]] = m
    for a in range(len(start) - 1):
        start[a] = start[a + 1]
    start[len(start) - 1] = len(owner)
    for a in range(len(start) - 1):
        for k in range(start[a] + 1, start[a + 1]):
            m, at = order[k], k
            while at > start[a] and against[order[at - 1]] > against[m]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = m


@kernel
def put_back(first: Ints, other: Int32s, partner: Ints, sign: float, number: Ints, lowest: int, start: Ints,
             against: Ints, kept: Records, slots: Records) -> None:
    """Fill the slots of a new list; what is kept is in the order of owners, see `order_of`."""
    for i in range(len(first) - 1):
        for k in range(first[i], first[i + 1]):
            a, b = number[i], partner[other[k]]
            swapped = sign < 0.0 and a > b
            if swapped:
                a, b = b, a
            clear(slots[k])
            a -= lowest
            if a < 0 or a >= len(start) - 1:
                continue
            for m in range(start[a], start[a + 1]):
                if against[m] == b:
                    copy_slot(kept[m], -1.0 if swapped else 1.0, slots[k])
                    break


class History:
    """What contacts remember between two neighbour lists, by the numbers of grains; a checkpoint holds it too."""

    def __init__(self, owner: Ints, against: Ints, kept: Records) -> None:
        # numbers grow for ever where grains come and go: count from the lowest that is there
        self._lowest = int(owner.min()) if len(owner) else 0
        self._start = np.zeros(int(owner.max()) - self._lowest + 2 if len(owner) else 1, np.int64)
        order = np.empty(len(owner), np.int64)
        order_of(owner, against, self._lowest, self._start, order)
        self.owner, self.against, self.kept = owner[order], against[order], kept[order]

    @classmethod
    def empty(cls) -> History:
        """Nothing."""
        return cls(np.zeros(0, np.int64), np.zeros(0, np.int64), no_slots(0))

    @classmethod
    def of(cls, first: Ints, other: Int32s, partner: Ints, sign: float, number: Ints, slots: Records) -> History:
        """What the slots of a list hold."""
        count = count_held(slots)
        owner, against, kept = np.zeros(count, np.int64), np.zeros(count, np.int64), no_slots(count)
        take_out(first, other, partner, sign, number, slots, owner, against, kept)
        return cls(owner, against, kept)

    @classmethod
    def restored(cls, who: Ints, numbers: Floats) -> History:
        """From a checkpoint: (n, 2) numbers of owners and partners, (n, WIDTH) what `kept` held."""
        owner, against = who.T
        return cls(owner.copy(), against.copy(), as_slots(numbers))

    def with_more(self, owner: Ints, against: Ints, kept: Records) -> History:
        """The same and some more."""
        return History(np.concatenate([self.owner, owner]), np.concatenate([self.against, against]),
                       np.concatenate([self.kept, kept]))

    def put_back(self, first: Ints, other: Int32s, partner: Ints, sign: float, number: Ints) -> Records:
        """The slots of a new list, filled."""
        if not len(self.owner):
            return no_slots(int(first[-1]))
        slots = np.empty(int(first[-1]), SLOT)
        put_back(first, other, partner, sign, number, self._lowest, self._start, self.against, self.kept, slots)
        return slots
