"""Runs in tests: stopping them as a user would, and comparing them bit by bit."""

from __future__ import annotations

from pathlib import Path

import h5py
from numpy.testing import assert_array_equal

import granum as gr
from granum.io.runfile.checksums import counter
from granum.run.progress import Moment, Progress

NOT_OF_FRAMES = ("checkpoint/", "log/", "transition")


def stop_at(time: float) -> Progress:
    """A progress callback that presses Ctrl-C once a time is reached [s]."""

    def progress(moment: Moment) -> None:
        if moment.t >= time:
            raise KeyboardInterrupt

    return progress


def recount(file: Path, frames: int) -> None:
    """Leave a file as a process does that is killed before it has counted any more frames."""
    with h5py.File(file, "a") as opened:
        opened["frames_done"][:] = counter(frames)
        opened["durable"][:] = counter(0, 3)


def assert_same_bits(found: gr.Run, expected: gr.Run) -> None:
    """Every recorded number of the frames that `found` has is equal, to the last bit."""
    assert set(found._recording.arrays) == set(expected._recording.arrays)
    names = [name for name in found._recording.arrays if not name.startswith(NOT_OF_FRAMES)]
    assert {"time", "energy", "statistics"} <= set(names)
    for name in names:
        assert_array_equal(found._frames(name), expected._frames(name)[: len(found.t)], err_msg=name)


def assert_same_run(found: gr.Run, expected: gr.Run) -> None:
    """The same frames with the same bits."""
    assert len(found.t) == len(expected.t)
    assert_same_bits(found, expected)
