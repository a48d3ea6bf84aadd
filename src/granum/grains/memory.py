"""What contacts remember: impulses (rigid) or springs (soft) live in the place of a pair and survive new lists."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats, Ints, kernel
from granum.grains.state import Int32s

WIDTH = 6
"""Numbers kept per contact: a vector across or along the contact, and one of turning."""


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
                    kept[m, c] = sign * memory[k, c] if turned else memory[k, c]
                m += 1


@kernel
def put_back(first: Ints, other: Int32s, partner: Ints, sign: float, number: Ints, start: Ints, against: Ints,
             kept: Floats, memory: Floats) -> int:
    """Find for each pair of new lists what it remembers; returns how many were found.

    What is kept is in the order of owners: start[owner]:start[owner + 1] are the places of one.
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
            for m in range(start[a], start[a + 1]):
                if against[m] == b:
                    for c in range(WIDTH):
                        memory[k, c] = sign * kept[m, c] if turned else kept[m, c]
                    found += 1
                    break
    return found


class Memory:
    """What is remembered between two lists, by the numbers of grains, and what a checkpoint holds."""

    def __init__(self, owner: Ints, against: Ints, kept: Floats) -> None:
        order = np.lexsort([against, owner])
        self.owner, self.against, self.kept = owner[order], against[order], np.ascontiguousarray(kept[order])

    @classmethod
    def of(cls, first: Ints, other: Int32s, partner: Ints, sign: float, number: Ints, memory: Floats) -> Memory:
        """What the places of a list hold."""
        count = remembered(first, memory)
        owner, against, kept = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros((count, WIDTH))
        take_out(first, other, partner, sign, number, memory, owner, against, kept)
        return cls(owner, against, kept)

    def put_back(self, first: Ints, other: Int32s, partner: Ints, sign: float, number: Ints) -> Floats:
        """The places of a new list, filled."""
        memory = np.zeros((int(first[-1]), WIDTH))
        if len(self.owner) and len(number):
            # numbers grow for ever where grains come and go: count from the lowest that is there
            lowest = int(min(self.owner[0], number.min()))
            highest = int(max(self.owner[-1], number.max()))
            start = np.searchsorted(self.owner, np.arange(lowest, highest + 2))
            put_back(first, other, partner - lowest if sign < 0.0 else partner, sign, number - lowest, start,
                     self.against - lowest if sign < 0.0 else self.against, self.kept, memory)
        return memory
