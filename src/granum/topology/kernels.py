"""Kernels of the changing graph: adjacency as linked half-edges, forest as parent arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Ints, kernel


class Adjacency(NamedTuple):
    """Links at each node. Half-edge 2v belongs to the tail of link v and 2v+1 to its head."""

    tail: Ints
    head: Ints
    first: Ints
    """First half-edge of each node; -1 for none."""
    next: Ints
    """The half-edge of the same node after each; -1 at the end."""
    previous: Ints
    """The one before, so that a half-edge is taken out without a search."""


class Forest(NamedTuple):
    """Spanning forest and components."""

    parent: Ints
    """Parent node of each node; -1 at a root."""
    parent_link: Ints
    """Tree link from each node to its parent; -1 at a root."""
    component: Ints
    """Label of the component of each node."""
    component_size: Ints
    """Nodes in the component with that label; 0 where a label is not in use."""
    spare: Ints
    """spare[1..spare[0]] are the labels not in use."""


@kernel
def insert(graph: Adjacency, link: int) -> None:
    """Put both half-edges of a link at the front of the lists of its ends."""
    first, next_, previous = graph.first, graph.next, graph.previous
    for side in range(2):
        half = 2 * link + side
        node = graph.tail[link] if side == 0 else graph.head[link]
        next_[half] = first[node]
        previous[half] = -1
        if first[node] >= 0:
            previous[first[node]] = half
        first[node] = half


@kernel
def erase(graph: Adjacency, link: int) -> None:
    """Take both half-edges of a link out of the lists of its ends."""
    first, next_, previous = graph.first, graph.next, graph.previous
    for side in range(2):
        half = 2 * link + side
        node = graph.tail[link] if side == 0 else graph.head[link]
        if previous[half] >= 0:
            next_[previous[half]] = next_[half]
        else:
            first[node] = next_[half]
        if next_[half] >= 0:
            previous[next_[half]] = previous[half]


@kernel
def other_end(graph: Adjacency, half: int) -> int:
    """The node at the far side of a half-edge."""
    link = half >> 1
    return graph.head[link] if half & 1 == 0 else graph.tail[link]


@kernel
def build(graph: Adjacency, forest: Forest, link_count: int) -> None:
    """Adjacency and a breadth-first spanning forest, the ground first, then free components by first body."""
    first, component, component_size, spare = graph.first, forest.component, forest.component_size, forest.spare
    # backwards, so that the lists (filled at the front) give the links in their order
    for link in range(link_count - 1, -1, -1):
        insert(graph, link)
    count = len(first)
    queue = forest.parent.copy()
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
            half = graph.first[node]
            while half >= 0:
                far = other_end(graph, half)
                if component[far] < 0:
                    component[far] = root
                    forest.parent[far] = node
                    forest.parent_link[far] = half >> 1
                    queue[size] = far
                    size += 1
                half = graph.next[half]
        component_size[root] = size
    spare[0] = 0
    for root in range(count):
        if component_size[root] == 0:
            spare[0] += 1
            spare[spare[0]] = root


@kernel
def hang(forest: Forest, node: int, link: int, under: int) -> None:
    """Make `node` the child of `under` by `link`, reversing the path above it."""
    parent, parent_link = forest.parent, forest.parent_link
    while node >= 0:
        above, above_link = parent[node], parent_link[node]
        parent[node], parent_link[node] = under, link
        under, link, node = node, above_link, above


@kernel
def label(graph: Adjacency, component: Ints, start: int, old: int, new: int) -> int:
    """Give the nodes reachable from `start` that carry the label `old` the label `new`; returns their number."""
    stack = [start]
    component[start] = new
    size = 1
    while len(stack) > 0:
        node = stack.pop()
        half = graph.first[node]
        while half >= 0:
            far = other_end(graph, half)
            if component[far] == old:
                component[far] = new
                size += 1
                stack.append(far)
            half = graph.next[half]
    return size


@kernel
def join(graph: Adjacency, forest: Forest, link: int, ground: int) -> None:
    """Join the two components at the ends of a new link: the smaller one takes the label of the larger.

    The one with the ground never hangs under the other, so the ground stays a root.
    """
    component, component_size, spare = forest.component, forest.component_size, forest.spare
    a, b = graph.tail[link], graph.head[link]
    if component_size[component[a]] < component_size[component[b]]:
        a, b = b, a
    large, small = component[a], component[b]
    if component[ground] == small:
        hang(forest, a, link, b)
    else:
        hang(forest, b, link, a)
    component_size[large] += label(graph, component, b, small, large)
    component_size[small] = 0
    spare[0] += 1
    spare[spare[0]] = small


@kernel
def tree_neighbours(
    graph: Adjacency, parent_link: Ints, node: int, nodes: list[int], came_from: list[int], origin: int,
) -> None:
    """Append the neighbours of `node` along tree links, except the one it was reached from."""
    half = graph.first[node]
    while half >= 0:
        far, link = other_end(graph, half), half >> 1
        if link != origin and (parent_link[far] == link or parent_link[node] == link):
            nodes.append(far)
            came_from.append(link)
        half = graph.next[half]


@kernel
def smaller_side(graph: Adjacency, parent_link: Ints, below: int, above: int) -> tuple[bool, list[int]]:
    """Walk both sides of a gap in turn; returns whether the one below was exhausted first, and its nodes."""
    low, low_link, high, high_link = [below], [-1], [above], [-1]
    k = 0
    while True:
        if k == len(low):
            return True, low
        if k == len(high):
            return False, high
        tree_neighbours(graph, parent_link, low[k], low, low_link, low_link[k])
        tree_neighbours(graph, parent_link, high[k], high, high_link, high_link[k])
        k += 1


@kernel
def separate(graph: Adjacency, forest: Forest, link: int) -> None:
    """Mend the forest after `link` has left the adjacency.

    A tree link leaves a gap. Its smaller side is found by walking both in turn; a cut that crosses the gap
    becomes a tree link, and without one the smaller side becomes a component of its own.
    """
    parent, parent_link, component = forest.parent, forest.parent_link, forest.component
    component_size, spare = forest.component_size, forest.spare
    below = graph.head[link] if parent_link[graph.head[link]] == link else graph.tail[link]
    if parent_link[below] != link:
        return
    above = parent[below]
    parent[below], parent_link[below] = -1, -1
    below_is_smaller, nodes = smaller_side(graph, parent_link, below, above)
    old = component[below]
    new = spare[spare[0]]
    for node in nodes:
        component[node] = new
    for node in nodes:
        half = graph.first[node]
        while half >= 0:
            far = other_end(graph, half)
            if component[far] == old:
                for back in nodes:
                    component[back] = old
                if below_is_smaller:
                    hang(forest, node, half >> 1, far)
                else:
                    hang(forest, far, half >> 1, node)
                return
            half = graph.next[half]
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
