"""The graph under random additions and removals of links, against SciPy and against its own definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from granum.topology import Topology


def assert_is_the_graph(found: Topology, links: dict[int, tuple[int, int]]) -> None:
    """Everything the topology says about the graph with these links is true."""
    n = found.node_count
    assert {int(v): found.ends(int(v)) for v in found.links} == links
    tail, head = np.array([*links.values()], dtype=int).reshape(-1, 2).T
    graph = sparse.coo_array((np.ones(len(links)), (tail, head)), shape=(n + 1, n + 1))
    count, label = connected_components(graph, directed=False)

    # components: the same partition, with their sizes
    pairs = {*zip(label.tolist(), found.component.tolist(), strict=True)}
    assert len(pairs) == count == len({*found.component.tolist()})
    assert np.array_equal(np.bincount(found.component, minlength=n + 1), found.component_size)
    lonely = np.count_nonzero(label == label[n]) == 1
    assert found.component_count == count - lonely

    # forest: the ground is a root, each parent link joins node and parent, every component has one root
    assert found.parent[n] == -1
    below = np.flatnonzero(found.parent >= 0)
    for node in below:
        assert {*found.ends(int(found.parent_link[node]))} == {int(node), int(found.parent[node])}
    assert len({*found.parent_link[below]}) == len(below) == n + 1 - count
    place = np.argsort(found.outward())
    assert np.array_equal(np.sort(found.outward()), np.arange(n + 1))
    assert np.all(place[found.parent[below]] < place[below])

    # cuts: one for each independent loop (Sun 1996, eq. 2.1)
    assert len(found.cuts) == len(links) - (n + 1 - count)
    assert {*found.cuts.tolist()} | {*found.parent_link[below].tolist()} == {*links}

    # E P = -I on the forest: rows and columns of bodies that hang on a root (Sun 1996, eq. 2.7)
    E, P = found.incidence().toarray(), found.path().toarray()
    hanging = below[below < n]
    product = E @ P
    assert np.array_equal(product[np.ix_(hanging, hanging)], -np.eye(len(hanging)))
    assert np.count_nonzero(P[found.cuts]) == 0


@st.composite
def histories(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]], list[tuple[int, int, int]]]:
    """A graph and a list of changes: two ends and a number that picks what is removed, or negative to add."""
    n = draw(st.integers(1, 11))
    ends = st.tuples(st.integers(0, n), st.integers(0, n)).filter(lambda pair: pair[0] != pair[1])
    first = draw(st.lists(ends, max_size=14))
    change = st.tuples(ends, st.integers(-40, 40)).map(lambda drawn: (*drawn[0], drawn[1]))
    return n, first, draw(st.lists(change, max_size=30))


@given(histories())
def test_links_come_and_go(history: tuple[int, list[tuple[int, int]], list[tuple[int, int, int]]]) -> None:
    """Double links, free components, the ground alone: after every change all of the above holds."""
    n, first, changes = history
    tail, head = np.array(first, dtype=np.int64).reshape(-1, 2).T
    found, links = Topology(n, tail, head), dict(enumerate(first))
    assert_is_the_graph(found, links)
    for i, j, which in changes:
        if which >= 0 and links:
            link = sorted(links)[which % len(links)]
            found.remove_link(link)
            del links[link]
        else:
            links[found.add_link(i, j)] = (i, j)
        assert_is_the_graph(found, links)


def same(one: Topology, other: Topology) -> bool:
    """Have two topologies the same forest?"""
    return bool(np.array_equal(one.parent, other.parent) and np.array_equal(one.parent_link, other.parent_link)
                and np.array_equal(one.cuts, other.cuts))


@given(histories())
def test_links_return_under_their_numbers(
        history: tuple[int, list[tuple[int, int]], list[tuple[int, int, int]]]) -> None:
    """Links that open and close keep their numbers, and a record has the same forest then and after any change."""
    n, first, changes = history
    tail, head = np.array(first, dtype=np.int64).reshape(-1, 2).T
    found, links = Topology(n, tail, head), dict(enumerate(first))
    kept: Topology | None = None
    for number, (_, _, which) in enumerate(changes if first else []):
        link = which % len(first)
        for topology in (found,) if kept is None else (found, kept):
            if link in links:
                topology.remove_link(link)
            else:
                assert topology.add_link(*first[link], link) == link
        if link in links:
            del links[link]
        else:
            links[link] = first[link]
        assert_is_the_graph(found, links)
        assert kept is None or same(found, kept)
        if number % 5 == 0:
            kept = Topology.restored(n, tail, head, found.record)
            assert same(found, kept)
        numbers = np.array(sorted(links), dtype=np.int64)
        compact = found.renumbered(numbers)
        assert_is_the_graph(compact, {k: links[int(link)] for k, link in enumerate(numbers)})
        assert np.array_equal(compact.parent, found.parent)
        if links:  # it can be changed like any other
            compact.remove_link(0)
            assert_is_the_graph(compact, {k: links[int(link)] for k, link in enumerate(numbers) if k})


@pytest.mark.parametrize(("record", "wrong"), [
    ([9, 0, -1, 0, 0, 0], "spanning forest"), ([0, 0, -1, 0, 0, 0], "spanning forest"),
    ([1, 0, -1, 0, 0, 0], "end at their nodes"), ([0, 1, -1, 0, 0, 0], "loop"), ([0, 1], "length")])
def test_records_of_other_links(record: list[int], wrong: str) -> None:
    """A record that is no spanning forest of the links is refused: kernels would run out of their arrays with it."""
    tail, head = np.array([2, 0, 0]), np.array([0, 1, 1])
    if wrong == "loop":  # 0 and 1 are joined twice
        tail, head = np.array([0, 0, 2]), np.array([1, 1, 0])
    with pytest.raises(ValueError, match=wrong):
        Topology.restored(2, tail, head, np.array(record))


def test_a_leaf_comes_and_goes_without_a_look_at_the_rest() -> None:
    """In a tree of 100 000 bodies everything farther than three links from the leaf is made unreadable.

    An update that walked, relabelled or rebuilt the large part would end in another forest or other labels.
    """
    n = 100_000
    node = np.arange(1, n - 1)
    found = Topology(n, np.concatenate([[n], (node - 1) // 2]), np.concatenate([[0], node]))
    leaf, under = n - 1, n - 2
    near, at = {leaf}, under
    for _ in range(3):
        near |= {at, *range(2 * at + 1, min(2 * at + 3, n - 1))}
        at = (at - 1) // 2
    far = np.array(sorted({*range(n + 1)} - near - {at}))
    graph = found._graph
    unread = np.array([v for v in range(len(graph.tail)) if not {*found.ends(v)} & near])
    graph.first[far] = -1
    graph.tail[unread] = graph.head[unread] = 0
    parent, component = found.parent.copy(), found.component.copy()

    link = found.add_link(under, leaf)
    joined = parent.copy()
    joined[leaf] = under
    assert np.array_equal(found.parent, joined)
    assert found.parent_link[leaf] == link
    assert np.array_equal(found.component, np.full(n + 1, component[n]))
    assert found.component_size[component[n]] == n + 1

    found.remove_link(link)
    assert np.array_equal(found.parent, parent)
    assert np.count_nonzero(found.component != component[n]) == 1
    assert found.component_size[found.component[leaf]] == 1
    assert found.component_size[component[n]] == n


def test_matrices_of_the_document() -> None:
    """(3.15) and (3.41): ground - 1, 1 - 2, 1 - 3, with the printed entries; E P = -I (2.7)."""
    found = Topology(3, np.array([3, 0, 0]), np.array([0, 1, 2]))
    E, P = found.incidence().toarray(), found.path().toarray()
    assert np.array_equal(E, [[-1, 1, 1], [0, -1, 0], [0, 0, -1]])
    assert np.array_equal(P, [[1, 1, 1], [0, 1, 0], [0, 0, 1]])
    assert np.array_equal(E @ P, -np.eye(3))
