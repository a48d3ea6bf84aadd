"""Blocks of addresses: what is packed is read back by compiled code, and what does not fit is refused."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from granum.base.kernels import Floats, Ints
from granum.base.pointers import FloatGrid, block_reader, call, pack_block, right_hand_side
from messages import refused


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


@pytest.mark.parametrize(("change", "names"), [
    ({"counts": np.zeros(2)}, ("Outer.counts", "1-D of float64", "1-D of int64")),
    ({"counts": np.zeros(2, dtype=np.int32)}, ("Outer.counts", "int32")),
    ({"inner": Inner(np.zeros(2), np.zeros(3))}, ("Outer.inner.grid", "1-D of float64", "2-D")),
    ({"last": np.zeros(6)[::2]}, ("Outer.last", "C-contiguous")),
    ({"last": None}, ("Outer.last", "NoneType"))], ids=["floats", "int32", "rank", "strided", "none"])
def test_what_does_not_fit_is_refused(change: dict[str, object], names: tuple[str, ...]) -> None:
    with refused(TypeError, *names):
        pack_block(example()._replace(**change))  # type: ignore[arg-type]


def test_a_missing_array_is_refused() -> None:
    group = example()
    with refused(TypeError, "Outer", "4 arrays", "3"):
        pack_block(Outer(group.counts, (np.zeros(2),), group.last))  # type: ignore[arg-type]


def test_a_field_that_is_no_array_is_refused() -> None:
    class Wrong(NamedTuple):
        count: int

    with refused(TypeError, "Wrong.count", "Floats, Ints"):
        block_reader(Wrong)


read_inner = block_reader(Inner)


@right_hand_side
def copied(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """What two readers of one block have: one of them reads its beginning alone."""
    inner, double = read_inner(data_), read_doubled(data_)
    double.second[0] = inner.weights[1] + inner.grid[-1, -1] + double.first.grid[0, 1] + double.short[-1]
    return 0


class Doubled(NamedTuple):
    """Begins as `Inner` does."""

    first: Inner
    second: Floats
    short: NDArray[np.int32]


read_doubled = block_reader(Doubled)


def test_a_block_may_be_read_as_what_it_begins_with() -> None:
    inner, nothing = Inner(np.array([1.0, 2.0]), np.arange(6.0).reshape(3, 2)), np.zeros(1)
    group = Doubled(inner, np.zeros(1), np.array([7, -9], np.int32))
    call(copied, 0.0, nothing, nothing, pack_block(group))
    assert group.second[0] == 2.0 + 5.0 + 1.0 - 9.0
