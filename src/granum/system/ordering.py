"""Numbering along chains: where every mass has at most two links, the links follow each other in memory."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Flags, Ints, kernel


def chain_order(fixed: Flags, tail: Ints, head: Ints) -> tuple[Ints, Ints, bool]:
    """Order of bodies and links along the chains of a system.

    Returns:
        bodies: body numbers in their new order.
        links: link numbers + 1 in their new order, negative where the link is turned round so that the head of
            one is the tail of the next.
        is_chain: False if some mass has more than two links or links form a loop among masses; then the
            orders are those given.
    """
    bodies, links = np.arange(len(fixed)), np.arange(1, len(tail) + 1)
    degree = np.bincount(np.concatenate([tail, head]), minlength=len(fixed))
    if np.any(degree[~fixed] > 2):
        return bodies, links, False
    new_bodies, new_links = np.empty_like(bodies), np.empty_like(links)
    placed = _walk(fixed, tail, head, new_bodies, new_links)
    if placed < len(tail):
        return bodies, links, False
    return new_bodies, new_links, True


@kernel
def _walk(fixed: Flags, tail: Ints, head: Ints, bodies: Ints, links: Ints) -> int:
    """Follow every chain from one of its ends; returns the number of links reached (loops are not)."""
    count, link_count = len(fixed), len(tail)
    incident = np.full((count, 2), -1)
    for link in range(link_count):
        for body in (tail[link], head[link]):
            if not fixed[body]:
                incident[body, 0 if incident[body, 0] < 0 else 1] = link
    done = np.zeros(link_count, dtype=np.bool_)
    listed = np.zeros(count, dtype=np.bool_)
    body_count, placed = 0, 0
    # chains begin at a link with a fixed end, else at a mass with a single link
    for free_ends in (False, True):
        for start in range(link_count):
            link = start
            begins_at = -1
            for body in (tail[link], head[link]):
                if begins_at < 0 and (fixed[body] if not free_ends else incident[body, 1] < 0):
                    begins_at = body
            if done[link] or begins_at < 0:
                continue
            body = begins_at
            while link >= 0:
                if not listed[body]:
                    listed[body] = True
                    bodies[body_count] = body
                    body_count += 1
                done[link] = True
                links[placed] = link + 1 if tail[link] == body else -(link + 1)
                placed += 1
                body = head[link] if tail[link] == body else tail[link]
                after = -1
                if not fixed[body]:
                    after = incident[body, 0] if incident[body, 0] != link else incident[body, 1]
                link = after if after >= 0 and not done[after] else -1
            if not listed[body]:
                listed[body] = True
                bodies[body_count] = body
                body_count += 1
    for body in range(count):
        if not listed[body]:
            bodies[body_count] = body
            body_count += 1
    return placed
