"""What contacts remember: impulses (rigid) or springs (soft) live in the place of a pair and survive new lists."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats, Ints, kernel
from granum.grains.state import Int32s

VECTORS, SUDDEN, WIDTH = 6, 6, 7
"""Numbers kept per contact: two vectors, one across or along the contact and one of rotation; then the part of an
impulse that an impact gave, which is not applied again."""


@kernel
def remembered(first: Ints, memory: Floats) -> int:
    """How many places hold anything."""
    count = 0
    for k in range(first[len(first) - 1]):
        for c in range(WIDTH):
            if memory[k, c] != 0.0:
                count += 1
                break
    return count


@kernel
def take_out(first: Ints, other: Int32s, partner: Ints, sign: float, number: Ints, memory: Floats, owner: Ints,
             against: Ints, kept: Floats) -> None:
    """Write what is remembered as (lower number, partner number, vector) in no particular order.

    `partner` gives the number of a partner; `sign` is -1 where exchanging the two turns the vectors around.
    """
    m = 0
    for i in range(len(first) - 1):
        for k in range(first[i], first[i + 1]):
            held = False
            for c in range(WIDTH):
                held = held or memory[k, c] != 0.0
            if held:
                a, b = number[i], partner[other[k]]
                turned = sign < 0.0 and a > b
                owner[m], against[m] = (b, a) if turned else (a, b)
                for c in range(WIDTH):
                    kept[m, c] = sign * memory[k, c] if turned and c < VECTORS else memory[k, c]
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
            m, place = order[k], k
            while place > start[a] and against[order[place - 1]] > against[m]:
                order[place] = order[place - 1]
                place -= 1
            order[place] = m


@kernel
def put_back(first: Ints, other: Int32s, partner: Ints, sign: float, number: Ints, lowest: int, start: Ints,
             against: Ints, kept: Floats, memory: Floats) -> int:
    """Find for each pair of new lists what it remembers; returns how many were found.

    What is kept is in the order of owners, see `order_of`.
    """
    found = 0
    for i in range(len(first) - 1):
        for k in range(first[i], first[i + 1]):
            a, b = number[i], partner[other[k]]
            turned = sign < 0.0 and a > b
            if turned:
                a, b = b, a
            for c in range(WIDTH):
                memory[k, c] = 0.0
            a -= lowest
            if a < 0 or a >= len(start) - 1:
                continue
            for m in range(start[a], start[a + 1]):
                if against[m] == b:
                    for c in range(WIDTH):
                        memory[k, c] = sign * kept[m, c] if turned and c < VECTORS else kept[m, c]
                    found += 1
                    break
    return found


class Memory:
    """What is remembered between two lists, by the numbers of grains, and what a checkpoint holds."""

    def __init__(self, owner: Ints, against: Ints, kept: Floats) -> None:
        # numbers grow for ever where grains come and go: count from the lowest that is there
        self._lowest = int(owner.min()) if len(owner) else 0
        self._start = np.zeros(int(owner.max()) - self._lowest + 2 if len(owner) else 1, np.int64)
        order = np.empty(len(owner), np.int64)
        order_of(owner, against, self._lowest, self._start, order)
        self.owner, self.against, self.kept = owner[order], against[order], kept[order]

    @classmethod
    def of(cls, first: Ints, other: Int32s, partner: Ints, sign: float, number: Ints, memory: Floats) -> Memory:
        """What the places of a list hold."""
        count = remembered(first, memory)
        owner, against, kept = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros((count, WIDTH))
        take_out(first, other, partner, sign, number, memory, owner, against, kept)
        return cls(owner, against, kept)

    def with_more(self, owner: Ints, against: Ints, kept: Floats) -> Memory:
        """The same and some more."""
        return Memory(np.concatenate([self.owner, owner]), np.concatenate([self.against, against]),
                      np.concatenate([self.kept, kept]))

    def put_back(self, first: Ints, other: Int32s, partner: Ints, sign: float, number: Ints) -> Floats:
        """The places of a new list, filled."""
        memory = np.empty((int(first[-1]), WIDTH))
        put_back(first, other, partner, sign, number, self._lowest, self._start, self.against, self.kept, memory)
        return memory
