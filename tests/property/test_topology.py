"""The changing graph against a library of graphs and against E P = -I, under random additions and removals."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse import csgraph

from granum.topology import Topology


@st.composite
def histories(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]], list[tuple[str, int, int]]]:
    """A number of bodies, some links, and what happens to them; node `count` is the ground."""
    count = draw(st.integers(1, 9))
    node = st.integers(0, count)
    pair = st.tuples(node, node).filter(lambda ends: ends[0] != ends[1])
    links = draw(st.lists(pair, max_size=12))
    change = st.tuples(st.sampled_from(["add", "remove"]), pair, st.integers(0, 1000))
    changes = draw(st.lists(change, max_size=20))
    return count, links, [(what, *ends) if what == "add" else (what, which, 0) for what, ends, which in changes]


def check(topology: Topology, count: int) -> None:
    """Everything the arrays claim, checked from the links alone."""
    links = topology.links
    ends = np.array([topology.ends(int(link)) for link in links]).reshape(-1, 2)
    graph = sparse.coo_array((np.ones(len(links)), (ends[:, 0], ends[:, 1])), shape=(count + 1, count + 1))
    parts, labels = csgraph.connected_components(graph, directed=False)
    together = labels[:, None] == labels[None, :]
    assert np.array_equal(together, topology.component[:, None] == topology.component[None, :])
    assert np.array_equal(np.bincount(topology.component, minlength=count + 1), topology.component_size)
    assert topology.parent[topology.ground] == -1
    # cyclomatic number: links - nodes + parts
    assert len(topology.cuts) == len(links) - (count + 1 - parts)
    order = topology.outward()
    place = np.argsort(order)
    assert sorted(order) == list(range(count + 1))
    for node in range(count + 1):
        above = topology.parent[node]
        if above >= 0:
            assert place[above] < place[node]
            assert set(topology.ends(int(topology.parent_link[node]))) == {node, int(above)}
    below = [body for body in range(count) if topology.parent[body] >= 0]
    tree = topology.is_tree_link[: topology.incidence().shape[1]]
    product = topology.incidence().toarray()[:, tree] @ topology.path().toarray()[tree]
    # (2.7): free roots have no path, so their rows and columns say nothing
    assert np.array_equal(product[np.ix_(below, below)], -np.eye(len(below)))


@given(histories())
def test_forest_follows_links_as_they_come_and_go(
    history: tuple[int, list[tuple[int, int]], list[tuple[str, int, int]]],
) -> None:
    """After every change the updated forest is a spanning forest, and components and cuts are right."""
    count, links, changes = history
    ends = np.array(links, dtype=np.int64).reshape(-1, 2)
    topology = Topology(count, ends[:, 0].copy(), ends[:, 1].copy())
    check(topology, count)
    for what, first, second in changes:
        if what == "add":
            topology.add_link(first, second)
        elif len(topology.links):
            topology.remove_link(int(topology.links[first % len(topology.links)]))
        check(topology, count)


def test_matrices_of_the_document() -> None:
    """(3.15) and (3.41): ground - 1, 1 - 2, 1 - 3; E P = -I with the printed entries."""
    topology = Topology(3, np.array([3, 0, 0]), np.array([0, 1, 2]))
    assert np.array_equal(topology.incidence().toarray(), [[-1, 1, 1], [0, -1, 0], [0, 0, -1]])
    assert np.array_equal(topology.path().toarray(), [[1, 1, 1], [0, 1, 0], [0, 0, 1]])


def test_a_leaf_far_out_changes_only_its_own_part() -> None:
    """Updating, not rebuilding: of a chain of 10⁵ bodies only the leaf's own entries change."""
    count = 100_000
    nodes = np.arange(count)
    topology = Topology(count, np.r_[count, nodes[:-1]], nodes)
    before = topology.parent.copy(), topology.component.copy()
    topology.remove_link(count - 1)
    assert np.flatnonzero(topology.parent != before[0]).tolist() == [count - 1]
    assert np.flatnonzero(topology.component != before[1]).tolist() == [count - 1]
    topology.add_link(count - 2, count - 1)
    assert np.array_equal(topology.parent, before[0])
