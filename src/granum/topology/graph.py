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

    def add_link(self, tail: int, head: int) -> int:
        """A link appears; returns its number. It joins two components or becomes a cut."""
        if self._link_count == len(self._alive):
            self._grow()
        link = self._link_count
        self._link_count += 1
        self._graph.tail[link], self._graph.head[link], self._alive[link] = tail, head, True
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
        self._graph = graph._replace(
            tail=np.concatenate([graph.tail, links]), head=np.concatenate([graph.head, links]),
            next=np.concatenate([graph.next, halves]), previous=np.concatenate([graph.previous, halves]))

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
