"""Kernels of the changing graph: adjacency as linked half-edges, forest as parent arrays.

Half-edge 2v belongs to the tail of link v and 2v+1 to its head; first[node] and next[half] chain the
half-edges of a node, previous[half] lets one be taken out without a search. Components carry labels;
spare[1..spare[0]] are the labels not in use.
"""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Ints, kernel


@kernel
def insert(link: int, tail: Ints, head: Ints, first: Ints, next_: Ints, previous: Ints) -> None:
    """Put both half-edges of a link at the front of the lists of its ends."""
    for side in range(2):
        half = 2 * link + side
        node = tail[link] if side == 0 else head[link]
        next_[half] = first[node]
        previous[half] = -1
        if first[node] >= 0:
            previous[first[node]] = half
        first[node] = half


@kernel
def erase(link: int, tail: Ints, head: Ints, first: Ints, next_: Ints, previous: Ints) -> None:
    """Take both half-edges of a link out of the lists of its ends."""
    for side in range(2):
        half = 2 * link + side
        node = tail[link] if side == 0 else head[link]
        if previous[half] >= 0:
            next_[previous[half]] = next_[half]
        else:
            first[node] = next_[half]
        if next_[half] >= 0:
            previous[next_[half]] = previous[half]


@kernel
def other_end(half: int, tail: Ints, head: Ints) -> int:
    """The node at the far side of a half-edge."""
    link = half >> 1
    return head[link] if half & 1 == 0 else tail[link]


@kernel
def build(
    tail: Ints, head: Ints, link_count: int, first: Ints, next_: Ints, previous: Ints,
    parent: Ints, parent_link: Ints, component: Ints, component_size: Ints, spare: Ints,
) -> None:
    """Adjacency and a breadth-first spanning forest, the ground first, then free components by first body."""
    # backwards, so that the lists (filled at the front) give the links in their order
    for link in range(link_count - 1, -1, -1):
        insert(link, tail, head, first, next_, previous)
    count = len(first)
    queue = parent.copy()
    for k in range(count):
        root = count - 1 if k == 0 else k - 1
        if component[root] >= 0:
            continue
        component[root] = root
        queue[0] = root
        done, size = 0, 1
        while done < size:
            node = queue[done]
            done += 1
            half = first[node]
            while half >= 0:
                far = other_end(half, tail, head)
                if component[far] < 0:
                    component[far] = root
                    parent[far] = node
                    parent_link[far] = half >> 1
                    queue[size] = far
                    size += 1
                half = next_[half]
        component_size[root] = size
    spare[0] = 0
    for root in range(count):
        if component_size[root] == 0:
            spare[0] += 1
            spare[spare[0]] = root


@kernel
def hang(node: int, link: int, under: int, parent: Ints, parent_link: Ints) -> None:
    """Make `node` the child of `under` by `link`, turning round the path above it."""
    while node >= 0:
        above, above_link = parent[node], parent_link[node]
        parent[node], parent_link[node] = under, link
        under, link, node = node, above_link, above


@kernel
def label(
    start: int, old: int, new: int, tail: Ints, head: Ints, first: Ints, next_: Ints, component: Ints,
) -> int:
    """Give the nodes reachable from `start` that carry the label `old` the label `new`; returns their number."""
    stack = [start]
    component[start] = new
    size = 1
    while len(stack) > 0:
        node = stack.pop()
        half = first[node]
        while half >= 0:
            far = other_end(half, tail, head)
            if component[far] == old:
                component[far] = new
                size += 1
                stack.append(far)
            half = next_[half]
    return size


@kernel
def join(
    link: int, tail: Ints, head: Ints, first: Ints, next_: Ints, ground: int,
    parent: Ints, parent_link: Ints, component: Ints, component_size: Ints, spare: Ints,
) -> None:
    """Join the two components at the ends of a new link: the smaller one takes the label of the larger.

    The one with the ground never hangs under the other, so the ground stays a root.
    """
    a, b = tail[link], head[link]
    if component_size[component[a]] < component_size[component[b]]:
        a, b = b, a
    large, small = component[a], component[b]
    if component[ground] == small:
        hang(a, link, b, parent, parent_link)
    else:
        hang(b, link, a, parent, parent_link)
    component_size[large] += label(b, small, large, tail, head, first, next_, component)
    component_size[small] = 0
    spare[0] += 1
    spare[spare[0]] = small


@kernel
def tree_neighbours(
    node: int, nodes: list[int], came_from: list[int], origin: int, tail: Ints, head: Ints, first: Ints,
    next_: Ints, parent_link: Ints,
) -> None:
    """Append the neighbours of `node` along tree links, except the one it was reached from."""
    half = first[node]
    while half >= 0:
        far, link = other_end(half, tail, head), half >> 1
        if link != origin and (parent_link[far] == link or parent_link[node] == link):
            nodes.append(far)
            came_from.append(link)
        half = next_[half]


@kernel
def smaller_side(
    below: int, above: int, tail: Ints, head: Ints, first: Ints, next_: Ints, parent_link: Ints,
) -> tuple[bool, list[int]]:
    """Walk both sides of a gap in turn; returns whether the one below was exhausted first, and its nodes."""
    low, low_link, high, high_link = [below], [-1], [above], [-1]
    k = 0
    while True:
        if k == len(low):
            return True, low
        if k == len(high):
            return False, high
        tree_neighbours(low[k], low, low_link, low_link[k], tail, head, first, next_, parent_link)
        tree_neighbours(high[k], high, high_link, high_link[k], tail, head, first, next_, parent_link)
        k += 1


@kernel
def separate(
    link: int, tail: Ints, head: Ints, first: Ints, next_: Ints,
    parent: Ints, parent_link: Ints, component: Ints, component_size: Ints, spare: Ints,
) -> None:
    """Mend the forest after `link` has left the adjacency.

    A tree link leaves a gap. Its smaller side is found by walking both in turn; a cut that crosses the gap
    becomes a tree link, and without one the smaller side becomes a component of its own.
    """
    below = head[link] if parent_link[head[link]] == link else tail[link]
    if parent_link[below] != link:
        return
    above = parent[below]
    parent[below], parent_link[below] = -1, -1
    below_is_smaller, nodes = smaller_side(below, above, tail, head, first, next_, parent_link)
    old = component[below]
    new = spare[spare[0]]
    for node in nodes:
        component[node] = new
    for node in nodes:
        half = first[node]
        while half >= 0:
            far = other_end(half, tail, head)
            if component[far] == old:
                for back in nodes:
                    component[back] = old
                if below_is_smaller:
                    hang(node, half >> 1, far, parent, parent_link)
                else:
                    hang(far, half >> 1, node, parent, parent_link)
                return
            half = next_[half]
    spare[0] -= 1
    component_size[old] -= len(nodes)
    component_size[new] = len(nodes)


@kernel
def outward(parent: Ints, order: Ints) -> None:
    """List all nodes so that each comes after its parent: roots first, then level by level."""
    count = len(parent)
    first = np.full(count, -1)
    sibling = np.full(count, -1)
    size = 0
    for node in range(count - 1, -1, -1):
        if parent[node] >= 0:
            sibling[node] = first[parent[node]]
            first[parent[node]] = node
    for node in range(count):
        if parent[node] < 0:
            order[size] = node
            size += 1
    for k in range(count):
        child = first[order[k]]
        while child >= 0:
            order[size] = child
            size += 1
            child = sibling[child]
