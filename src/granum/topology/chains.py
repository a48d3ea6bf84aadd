"""Numbering along chains: where every mass has at most two links, links and bodies follow each other in memory."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Flags, Ints, kernel


class Chains(NamedTuple):
    """Where each chain lies: bodies body .. body + size, links link .. link + size - 1, from one to the next."""

    body: Ints
    link: Ints
    size: Ints


class Ordering(NamedTuple):
    """An order of bodies and links for the arrays of a system."""

    bodies: Ints
    """Body of the scene in each slot; a fixed point on which several chains hang has a slot in each."""
    links: Ints
    """Link of the scene at each position."""
    tail: Ints
    """Slot at which each link begins; along a chain always one before the slot where it ends."""
    head: Ints
    chains: Chains
    is_chain: bool
    """False if some mass has more than two links or links form a loop among masses: orders are as given."""


def order_along_chains(fixed: Flags, tail: Ints, head: Ints) -> Ordering:
    """Order bodies and links along the chains of a system, if it is made of chains."""
    none = np.zeros(0, dtype=np.int64)
    given = Ordering(np.arange(len(fixed)), np.arange(len(tail)), tail, head, Chains(none, none, none), False)
    degree = np.bincount(np.concatenate([tail, head]), minlength=len(fixed))
    if np.any(degree[~fixed] > 2):
        return given
    # every chain brings at most two slots for fixed points
    bodies, links = np.empty(len(fixed) + 2 * len(tail), dtype=np.int64), np.empty_like(tail)
    slots, chains = np.empty((2, len(tail)), dtype=np.int64), np.empty((3, len(tail)), dtype=np.int64)
    placed, slot_count, chain_count = _walk(fixed, tail, head, bodies, links, slots, chains)
    if placed < len(tail):
        return given
    body, link, count = (np.ascontiguousarray(row[:chain_count]) for row in chains)
    return Ordering(bodies[:slot_count].copy(), links, slots[0], slots[1], Chains(body, link, count), True)


@kernel
def _walk(
    fixed: Flags, tail: Ints, head: Ints, bodies: Ints, links: Ints, slots: Ints, chains: Ints,
) -> tuple[int, int, int]:
    """Follow every chain from one of its ends; returns the number of links, slots and chains (loops not reached)."""
    count, link_count = len(fixed), len(tail)
    incident = np.full((count, 2), -1)
    for link in range(link_count):
        for body in (tail[link], head[link]):
            if not fixed[body]:
                incident[body, 0 if incident[body, 0] < 0 else 1] = link
    done = np.zeros(link_count, dtype=np.bool_)
    listed = np.zeros(count, dtype=np.bool_)
    slot, placed, chain = 0, 0, 0
    # chains begin at a link with a fixed end, else at a mass with a single link
    for free_ends in (False, True):
        for start in range(link_count):
            begin = -1
            for body in (head[start], tail[start]):
                if fixed[body] if not free_ends else (not fixed[body] and incident[body, 1] < 0):
                    begin = body
            if done[start] or begin < 0:
                continue
            body, link = begin, start
            bodies[slot] = body
            listed[body] = True
            chains[0, chain], chains[1, chain] = slot, placed
            while link >= 0:
                body = head[link] if tail[link] == body else tail[link]
                links[placed] = link
                slots[0, placed], slots[1, placed] = slot, slot + 1
                done[link] = True
                placed += 1
                slot += 1
                bodies[slot] = body
                listed[body] = True
                after = -1
                if not fixed[body]:
                    after = incident[body, 0] if incident[body, 0] != link else incident[body, 1]
                link = after if after >= 0 and not done[after] else -1
            slot += 1
            chains[2, chain] = placed - chains[1, chain]
            chain += 1
    for body in range(count):
        if not listed[body]:
            bodies[slot] = body
            slot += 1
    return placed, slot, chain
