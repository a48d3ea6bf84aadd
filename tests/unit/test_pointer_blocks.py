"""Blocks of addresses: what is packed is read back by compiled code, and what does not fit is refused."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from granum.base.kernels import Floats, Ints
from granum.base.pointers import FloatGrid, block_reader, call, pack_block, right_hand_side


class Inner(NamedTuple):
    """Nested arrays."""

    weights: Floats
    grid: FloatGrid


class Outer(NamedTuple):
    """Arrays of both types."""

    counts: Ints
    inner: Inner
    last: Floats


read_outer = block_reader(Outer)


@right_hand_side
def summed(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """Writes into the first weight what it reads from all arrays."""
    outer = read_outer(data_)
    outer.inner.weights[0] = (outer.counts[1] + outer.inner.grid[1, 2] + outer.last[len(outer.last) - 1]
                              + 100.0 * outer.inner.grid.shape[1] + t)
    return 0


def example() -> Outer:
    return Outer(np.array([3, 4], dtype=np.int64), Inner(np.zeros(2), np.arange(6.0).reshape(2, 3)), np.ones(5))


def test_fields_are_read_in_their_order() -> None:
    group, nothing = example(), np.zeros(1)
    call(summed, 0.5, nothing, nothing, pack_block(group))
    assert group.inner.weights[0] == 4 + 5.0 + 1.0 + 300.0 + 0.5


@pytest.mark.parametrize(("change", "words"), [
    ({"counts": np.zeros(2)}, r"Outer\.counts is 1-D of float64, but 1-D of int64"),
    ({"counts": np.zeros(2, dtype=np.int32)}, "int32"),
    ({"inner": Inner(np.zeros(2), np.zeros(3))}, r"Outer\.inner\.grid is 1-D of float64, but 2-D"),
    ({"last": np.zeros(6)[::2]}, "not C-contiguous"),
    ({"last": None}, r"Outer\.last is NoneType")])
def test_what_does_not_fit_is_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        pack_block(example()._replace(**change))  # type: ignore[arg-type]


def test_a_missing_array_is_refused() -> None:
    group = example()
    with pytest.raises(TypeError, match="has 4 arrays, but 3 are given"):
        pack_block(Outer(group.counts, (np.zeros(2),), group.last))  # type: ignore[arg-type]


def test_a_field_that_is_no_array_is_refused() -> None:
    class Wrong(NamedTuple):
        count: int

    with pytest.raises(TypeError, match="a field of a block is Floats, Ints"):
        block_reader(Wrong)


def test_readers_are_named_after_what_they_read():
    """Kept machine code is linked by names, so that of two readers with one name the first would read for both."""
    readers = [block_reader(group).py_func for group in (Inner, Outer)]
    assert [(own.__module__, own.__qualname__) for own in readers] == [
        (__name__, "read_Inner"), (__name__, "read_Outer")]
