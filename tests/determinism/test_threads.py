"""Threads and processes: simulations beside each other, in forked workers, and settings that stay as they were."""

from __future__ import annotations

import multiprocessing
import threading

import numba
import numpy as np
import pytest
from test_grain_bits import assert_same, heap

import granum as gr

SETTINGS = {"until": 0.01, "interval": 0.005}
TWO = pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads")


def final_positions(threads: int) -> bytes:
    """All bits of where grains of a parallel run end."""
    return np.ascontiguousarray(gr.simulate(heap(2, 9000), threads=threads, **SETTINGS).frame().positions).tobytes()


def test_the_number_of_threads_is_put_back() -> None:
    before = numba.get_num_threads()
    gr.simulate(heap(2, 50), threads=1, **SETTINGS)
    assert numba.get_num_threads() == before


@TWO
def test_processes_forked_after_a_parallel_run() -> None:
    """The workers of a pool run on several threads too, though their parent already did."""
    expected = final_positions(2)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(final_positions, [2, 2]) == [expected, expected]


@TWO
def test_two_simulations_in_two_threads() -> None:
    """Both use all processors in turn, and give the bits that each gives alone."""
    scenes = [heap(2, 9000), heap(3, 9000)]
    alone = [gr.simulate(scene, threads=2, **SETTINGS) for scene in scenes]
    together: dict[int, gr.Run] = {}

    def run(number: int) -> None:
        together[number] = gr.simulate(scenes[number], threads=2, **SETTINGS)

    threads = [threading.Thread(target=run, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, expected in enumerate(alone):
        assert_same(together[number], expected)
