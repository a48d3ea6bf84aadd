"""Kernels that are compiled by Granum's own driver of Numba mean what the same Python code means."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core import event

from granum.base import compiling
from granum.base.kernels import instance, kernel, small_kernel
from messages import says

RECORD = np.dtype([("a", np.float64), ("b", np.int64), ("c", np.float64, (2, 3))], align=True)


@small_kernel
def _scaled(x, k, factor):
    return factor * x[k]


@kernel
def _sum_of_all(x, index, factor):
    total = _scaled(x, 0, 1.0)
    for k in range(len(index)):
        total += _scaled(x, index[k], factor) + _scaled(x, -1, 2.0) + _scaled(x, k, factor)
    return total


@kernel
def _pick(x, i, k):
    return x[i, k]


@kernel
def _put(x, i, k, value):
    x[i, k] = value


@kernel
def _third(x, i, j, k):
    return x[i, j, k], x[0, -1, k], x.shape[1]


@kernel
def _records(x, i):
    x[i].c[1, 2] += x[i].a
    x[i].b = x[-1].b + 1
    return x[i].c[1, -1]


@pytest.mark.parametrize("dtype", [np.int32, np.uint32])
def test_literals_and_short_integers_do_not_compile_a_callee_again(dtype):
    with event.install_recorder("numba:compile") as compiled:
        total = _sum_of_all(np.arange(4.0), np.array([1, 2], dtype=dtype), 3.0)
    assert total == 0.0 + 3.0 * (1.0 + 2.0) + 2 * 2.0 * 3.0 + 3.0 * (0.0 + 1.0)
    names = [record.data["dispatcher"].py_func.__name__ for _, record in compiled.buffer if record.is_start]
    assert names.count("_scaled") <= 1 and names.count("_sum_of_all") <= 1


LAYOUTS = {
    "contiguous": lambda x: x, "every other column": lambda x: x[:, ::2], "reversed rows": lambda x: x[::-1],
    "transposed": lambda x: x.T, "columns in order": np.asfortranarray,
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [np.float64, np.int32, np.int64, np.bool_])
def test_elements_of_arrays_are_those_of_numpy(layout, dtype):
    x = LAYOUTS[layout](np.random.default_rng(1).integers(0, 9, (5, 6)).astype(dtype))
    for i in range(-x.shape[0], x.shape[0]):
        for k in range(-x.shape[1], x.shape[1]):
            assert _pick(x, i, k) == x[i, k]
            expected = x.copy()
            expected[i, k] = dtype(1)
            _put(x, i, k, dtype(1))
            assert np.array_equal(x, expected)


@settings(deadline=None, max_examples=50)
@given(st.tuples(*3 * [st.integers(1, 4)]), st.data())
def test_elements_of_arrays_in_three_dimensions(shape, data):
    x = np.arange(float(np.prod(shape))).reshape(shape)
    i, j, k = (data.draw(st.integers(-n, n - 1)) for n in shape)
    assert _third(x, i, j, k) == (x[i, j, k], x[0, -1, k], shape[1])


def test_records_and_the_arrays_in_them():
    x = np.zeros(3, RECORD)
    x["a"], x["b"], x["c"] = [1.0, 2.0, 3.0], [4, 5, 6], 0.5
    assert _records(x, 1) == 2.5
    assert x["c"][1, 1, 2] == 2.5 and x["b"][1] == 7 and np.all(x["c"][0] == 0.5)


def test_a_template_is_compiled_for_each_scope():
    def template(x):
        return _law(x)  # noqa: F821

    def double(x):
        return 2.0 * x

    def square(x):
        return x * x

    kernels = [kernel(instance(template, {"_law": kernel(law)}, law.__name__)) for law in (double, square)]
    assert [each(3.0) for each in kernels] == [6.0, 9.0]


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes on by a second whenever it is read."""
    ticks = iter(range(10_000))
    monkeypatch.setattr(compiling.time, "perf_counter", lambda: float(next(ticks)))


def _compile(count: int, expected: int) -> compiling.Waiting:
    waiting = compiling.Waiting()
    waiting.expected = expected
    with waiting.timed():
        for k in range(count):
            waiting.began(f"room.kernel_{k}")
    return waiting


def test_lines_of_a_pipe_say_which_how_many_and_how_long(monkeypatch, clock):
    monkeypatch.setattr("sys.stderr", io.StringIO())
    waiting = _compile(20, 40)
    lines = compiling.sys.stderr.getvalue().splitlines()
    # one in five seconds; at the first, a second has passed for one of 40, so 39 are left
    assert len(lines) == 4
    says(lines[0], "1 of about 40", "39 s", "room.kernel_0")
    assert waiting.count == 20 and waiting.seconds == 21.0


def test_a_terminal_has_one_line_that_is_cleared(monkeypatch, clock):
    monkeypatch.setattr("sys.stderr", _Terminal())
    _compile(3, 2)
    shown = compiling.sys.stderr.getvalue()
    assert "\n" not in shown and shown.count("\r\x1b[K") == 4 and shown.endswith("\r\x1b[K")
    # more than were expected: nothing is said about the rest
    says(shown.split("\r\x1b[K")[-2], "3 kernels", "room.kernel_2")


def test_silence(monkeypatch, clock):
    monkeypatch.setattr("sys.stderr", io.StringIO())
    with compiling.silence():
        assert compiling.waiting.silent
    assert not compiling.waiting.silent
    waiting = compiling.Waiting()
    waiting.silent = True
    with waiting.timed():
        waiting.began("room.kernel")
        waiting.began("room.other")
    assert compiling.sys.stderr.getvalue() == ""
