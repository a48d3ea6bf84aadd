"""Which parts of a net are floppy, rigid, over-determined: pebble game and rank against dense ranks, by definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from granum.topology import Rigidity, pebble_game
from granum.topology.rank import rank_rigidity
from rigid_nets import Net, Truth, random_net, truth


def assert_is_true(found: Rigidity, net: Net, true: Truth) -> None:
    """Freedoms, redundancy, stress and clusters are what the definitions say."""
    assert found.freedoms == true.freedoms
    assert found.redundant.sum() == true.redundant
    assert np.array_equal(found.stressed, true.stressed)
    assert np.all(found.stressed[found.redundant > 0]) and np.all(found.redundant <= net.rows)
    held = np.array([true.rigid(ends) for ends in net.pair], dtype=bool)
    assert np.array_equal(found.label >= 0, held)
    for c in range(found.count):
        members = found.members(c)
        assert true.rigid(members)
        # as large as can be: nobody else that a rigid bond holds has a fixed place in it
        assert not any(true.rigid(np.append(members, other)) for other in np.setdiff1d(net.pair[held], members))
        assert np.isin(net.pair[found.label == c], members).all()
        stress = found.stressed[found.label == c]
        assert found.overdetermined[c] == stress.all() and found.isostatic[c] == (not stress.any())
    assert np.all(np.diff(found.sizes) <= 0) and found.largest == found.sizes.max(initial=0)


@pytest.mark.parametrize("kinds", ["points", "bodies", "both"])
@given(seed=st.integers(0, 10**9))
@settings(max_examples=150, deadline=None)
def test_pebbles_see_generic_rigidity(kinds: str, seed: int) -> None:
    """Points, bodies that turn and both, with several bars between two of them and some to the ground."""
    rng = np.random.default_rng(seed)
    net = random_net(rng, 2, kinds)
    assert_is_true(pebble_game(net.freedoms, net.pair, net.rows), net, truth(net))


@pytest.mark.parametrize("grid", [False, True], ids=["anywhere", "grid"])
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("kinds", ["points", "bodies", "both"])
@given(seed=st.integers(0, 10**9))
@settings(max_examples=60, deadline=None)
def test_rank_sees_what_is_there(kinds: str, d: int, grid: bool, seed: int) -> None:
    """In plane and space, and on grids, where bars in line restrain more or less than their number."""
    rng = np.random.default_rng(seed)
    net = random_net(rng, d, kinds, grid)
    found = rank_rigidity(net.position, net.freedoms, net.pair, net.bars)
    assert_is_true(found, net, truth(net))


@given(seed=st.integers(0, 10**9))
@settings(max_examples=60, deadline=None)
def test_bodies_and_bars_in_space(seed: int) -> None:
    """Tay's theorem: with six freedoms and l = 6 the game is exact for bodies joined by generic bars."""
    rng = np.random.default_rng(seed)
    net = random_net(rng, 3, "bodies")
    assert_is_true(pebble_game(net.freedoms, net.pair, net.rows, l=6), net, truth(net))


@given(seed=st.integers(0, 10**9))
@settings(max_examples=60, deadline=None)
def test_the_order_of_bonds_does_not_matter(seed: int) -> None:
    """Larger nets near the threshold of rigidity, where condensing happens in many ways."""
    rng = np.random.default_rng(seed)
    n = 60
    pair = np.array([(i, j) for i, j in rng.integers(0, n + 1, (int(rng.integers(80, 160)), 2)) if i != j])
    freedoms, rows = rng.choice([2, 3], n), rng.integers(1, 3, len(pair))
    one, order = pebble_game(freedoms, pair, rows), rng.permutation(len(pair))
    other = pebble_game(freedoms, pair[order][:, ::-1], rows[order])
    assert one.freedoms == other.freedoms and one.redundant.sum() == other.redundant.sum()
    assert np.array_equal(one.stressed[order], other.stressed) and np.array_equal(one.sizes, other.sizes)
    pairs = {*zip(one.label[order].tolist(), other.label.tolist(), strict=True)}
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
