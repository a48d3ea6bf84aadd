"""The graph of a system as arrays: a spanning forest with cuts, kept up to date link by link.

Nodes are the bodies 0..N-1 and the ground N, which stands for all fixed points together. A component that
touches the ground is rooted there, a free one at one of its bodies. Every link is either a tree link, the
parent link of exactly one node, or a *cut* that closes a loop. Symbols of Sun (1996), §2.4: incidence matrix E with
E_iv = +1 where link v leaves body i and -1 where it points to it; path matrix P with E P = -I on a tree.
"""

from __future__ import annotations

import numpy as np
import scipy

from granum.base.kernels import Flags, Ints
from granum.topology import kernels
from granum.topology.kernels import Adjacency, Forest


class Topology:
    """Spanning forest, cuts and components of a changing graph.

    Args:
        node_count: number of bodies N; the ground is node N.
        tail, head: node at which each link begins and ends.

    Adding or removing a link costs the size of the smaller part that it joins or separates, never a rebuild.
    """

    def __init__(self, node_count: int, tail: Ints, head: Ints) -> None:
        self.node_count = node_count
        self.ground = node_count
        size = max(4, len(tail))
        self._link_count = len(tail)
        self._alive: Flags = np.zeros(size, dtype=np.bool_)
        self._alive[: len(tail)] = True
        self._graph = Adjacency(np.full(size, -1), np.full(size, -1), np.full(node_count + 1, -1),
                                np.full(2 * size, -1), np.full(2 * size, -1))
        self._graph.tail[: len(tail)], self._graph.head[: len(head)] = tail, head
        self.parent = np.full(node_count + 1, -1)
        """Parent node of each node in the forest; -1 at a root."""
        self.parent_link = np.full(node_count + 1, -1)
        """Tree link from each node to its parent; -1 at a root."""
        self.component = np.full(node_count + 1, -1)
        """Label of the component of each node."""
        self.component_size = np.zeros(node_count + 1, dtype=np.int64)
        """Nodes in the component with that label (the ground counted); 0 where a label is not in use."""
        self._forest = Forest(self.parent, self.parent_link, self.component, self.component_size,
                              np.zeros(node_count + 2, dtype=np.int64))
        kernels.build(self._graph, self._forest, self._link_count)
        self._joined = np.zeros(size, dtype=np.int64)
        """When each link appeared: 0 for those of the start, then counted. Lists of links at a node follow from it."""

    @property
    def links(self) -> Ints:
        """Numbers of the links there are."""
        return np.flatnonzero(self._alive)

    def ends(self, link: int) -> tuple[int, int]:
        """Tail and head node of a link."""
        return int(self._graph.tail[link]), int(self._graph.head[link])

    @property
    def is_tree_link(self) -> Flags:
        """For each link number: is it in the spanning forest?"""
        flags = np.zeros(len(self._alive), dtype=np.bool_)
        flags[self.parent_link[self.parent_link >= 0]] = True
        return flags

    @property
    def cuts(self) -> Ints:
        """Links outside the forest; each closes one independent loop (their number is Sun (1996), eq. 2.1)."""
        return np.flatnonzero(self._alive & ~self.is_tree_link)

    @property
    def component_count(self) -> int:
        """Number of separate parts; the ground counts only where something hangs on it."""
        lonely_ground = self.component_size[self.component[self.ground]] == 1
        return int(np.count_nonzero(self.component_size)) - int(lonely_ground)

    def add_link(self, tail: int, head: int, link: int | None = None) -> int:
        """A link appears; returns its number. It joins two components or becomes a cut.

        link: number of a link that was removed, to appear again under it.
        """
        if link is None:
            if self._link_count == len(self._alive):
                self._grow()
            link = self._link_count
            self._link_count += 1
        self._graph.tail[link], self._graph.head[link], self._alive[link] = tail, head, True
        self._joined[link] = self._joined.max() + 1
        kernels.insert(self._graph, link)
        if self.component[tail] != self.component[head]:
            kernels.join(self._graph, self._forest, link, self.ground)
        return link

    def remove_link(self, link: int) -> None:
        """A link disappears. A cut just goes; a tree link is replaced by a cut across the gap, if there is one."""
        self._alive[link] = False
        kernels.erase(self._graph, link)
        kernels.separate(self._graph, self._forest, link)

    def _grow(self) -> None:
        more, graph = len(self._alive), self._graph
        links, halves = np.full(more, -1), np.full(2 * more, -1)
        self._alive = np.concatenate([self._alive, np.zeros(more, dtype=np.bool_)])
        self._joined = np.concatenate([self._joined, np.zeros(more, dtype=np.int64)])
        self._graph = graph._replace(
            tail=np.concatenate([graph.tail, links]), head=np.concatenate([graph.head, links]),
            next=np.concatenate([graph.next, halves]), previous=np.concatenate([graph.previous, halves]))

    def renumbered(self, links: Ints) -> Topology:
        """A copy of the forest as it is, whose links are numbered 0, 1, ... in the order given: all there are.

        Nothing is built anew, so tree links stay tree links, and cuts stay cuts.
        """
        rank = np.full(len(self._alive) + 1, -1)  # the last entry answers for -1
        rank[links] = np.arange(len(links))
        other = Topology(self.node_count, *(np.zeros(0, dtype=np.int64),) * 2)
        other._link_count, size = len(links), max(4, len(links))
        other._alive, other._joined = np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.int64)
        other._alive[: len(links)], other._joined[: len(links)] = True, self._joined[links]
        halves = np.concatenate([2 * links, 2 * links + 1])

        def half_edges(old: Ints) -> Ints:
            return np.where(old >= 0, 2 * rank[old >> 1] + (old & 1), -1)

        ends, lists = np.full((2, size), -1), np.full((2, 2 * size), -1)
        for k, (of_links, of_halves) in enumerate(((self._graph.tail, self._graph.next),
                                                   (self._graph.head, self._graph.previous))):
            ends[k, : len(links)] = of_links[links]
            lists[k, half_edges(halves)] = half_edges(of_halves[halves])
        other._graph = Adjacency(ends[0], ends[1], half_edges(self._graph.first), lists[0], lists[1])
        for own, given in zip(other._forest, self._forest, strict=True):
            own[:] = given
        other.parent_link[:] = rank[self.parent_link]
        return other

    @property
    def record(self) -> Ints:
        """What `restored` needs beside the links: the tree link of each node, when each link appeared (-1: gone)."""
        joined = np.where(self._alive, self._joined, -1)[: self._link_count]
        return np.concatenate([self.parent_link, joined])

    @classmethod
    def restored(cls, node_count: int, tail: Ints, head: Ints, record: Ints) -> Topology:
        """The topology of a `record`, with the same forest, and the same one after any further change.

        Raises ValueError for a record that is not one of these links.
        """
        if len(record) != node_count + 1 + len(tail):
            raise ValueError("its length does not match the links")
        tree, joined = record[: node_count + 1], record[node_count + 1 :]
        other, alive = cls(node_count, tail, head), joined >= 0
        for link in np.flatnonzero(~alive):
            other.remove_link(int(link))
        later = np.flatnonzero(joined > 0)
        for link in later[np.argsort(joined[later], kind="stable")]:  # to the front of the lists of its ends
            kernels.erase(other._graph, int(link))
            kernels.insert(other._graph, int(link))
        other._joined[: len(tail)] = np.where(alive, joined, 0)
        below = np.flatnonzero(tree >= 0)
        of = tree[below]
        if np.any(of >= len(tail)) or not np.all(alive[of]) or len(np.unique(of)) != len(of) or \
                len(of) != np.count_nonzero(other.parent >= 0):
            raise ValueError("its tree links are not those of a spanning forest")
        at_head = head[of] == below
        if not np.all(at_head | (tail[of] == below)) or tree[node_count] >= 0:
            raise ValueError("its tree links do not end at their nodes")
        other.parent[:], other.parent_link[:] = -1, tree
        other.parent[below] = np.where(at_head, tail[of], head[of])
        edges = scipy.sparse.coo_array((np.ones(len(of)), (tail[of], head[of])), shape=(node_count + 1,) * 2)
        if scipy.sparse.csgraph.connected_components(edges, directed=False)[0] != node_count + 1 - len(of):
            raise ValueError("its tree links form a loop")
        return other

    def outward(self) -> Ints:
        """All nodes, each after its parent: the order from the roots to the leaves."""
        order = np.empty(self.node_count + 1, dtype=np.int64)
        kernels.outward(self.parent, order)
        return order

    def direction(self) -> Ints:
        """For each node: +1 if its parent link points from the parent to it, -1 if from it to the parent."""
        sign = np.zeros(self.node_count + 1, dtype=np.int64)
        below = np.flatnonzero(self.parent_link >= 0)
        sign[below] = np.where(self._graph.head[self.parent_link[below]] == below, 1, -1)
        return sign

    def incidence(self) -> scipy.sparse.csr_array:
        """The incidence matrix E (Sun 1996, eq. 2.4), bodies by links; the ground has no row."""
        links = self.links
        rows = np.concatenate([self._graph.tail[links], self._graph.head[links]])
        columns = np.concatenate([links, links])
        values = np.concatenate([np.ones(len(links)), -np.ones(len(links))])
        body = rows != self.ground
        shape = (self.node_count, self._link_count)
        return scipy.sparse.csr_array((values[body], (rows[body], columns[body])), shape=shape)

    def path(self) -> scipy.sparse.csr_array:
        """The path matrix P (Sun 1996, eq. 2.3), links by bodies: the tree links between each body and its root.

        P_vi is +1 where link v points outward on the way from the root to body i, -1 where it points inward;
        rows of cuts are empty. For inspection and tests: the equations use the parent arrays.
        """
        sign = self.direction()
        rows, columns, values = [], [], []
        for body in range(self.node_count):
            node = body
            while self.parent[node] >= 0:
                rows.append(self.parent_link[node])
                columns.append(body)
                values.append(float(sign[node]))
                node = int(self.parent[node])
        return scipy.sparse.csr_array((values, (rows, columns)), shape=(self._link_count, self.node_count))
