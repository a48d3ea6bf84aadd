"""Numbers of a run file that point somewhere: a file whose checksums are right may still have been made to mislead.

Each check takes rows of one array, the frames they are of and the file, and says which frames are right. What is
refused here would lead compiled code, which does not check its indices, out of an array, or has no meaning: a position
that is not a number, half a step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from granum.io.runfile.layout import TRANSITIONS, Layout

Flags = NDArray[np.bool_]
Frames = NDArray[np.int64]


class Rows(Protocol):
    """What a check may ask."""

    layout: Layout
    metadata: dict[str, Any]

    def rows(self, name: str, first: int, after: int) -> NDArray[Any]:
        """An array with these rows, verified."""


Check = Callable[[NDArray[Any], Frames, Rows], Flags]


def _within(rows: NDArray[Any], least: Any, below: Any) -> Flags:
    """Frames all of whose numbers are at least one number and below another, which may differ from frame to frame."""
    flat = rows.reshape(len(rows), -1)
    if not flat.shape[1]:
        return np.ones(len(rows), np.bool_)
    return np.asarray((flat.min(axis=1) >= least) & (flat.max(axis=1) < below))


def _of(name: str, frames: Frames, file: Rows) -> NDArray[Any]:
    """Rows of another array of the same frames."""
    return file.rows(name, int(frames[0]), int(frames[-1]) + 1)[frames]


def _times(rows: NDArray[Any], frames: Frames, file: Rows) -> Flags:
    """Times are finite, and later ones larger."""
    after = np.ones(len(rows), np.bool_)
    after[1:] = rows[1:] >= rows[:-1]
    return np.asarray(np.isfinite(rows) & after)


def _count(room: str) -> Check:
    """A count of rows of another array."""
    return lambda rows, frames, file: _within(rows, 0, file.layout[room][0][1] + 1)


def _group(rows: NDArray[Any], frames: Frames, file: Rows) -> Flags:
    """Numbers of groups."""
    return _within(rows, 0, max(len(file.metadata["grains"]), 1))


def _pairs(rows: NDArray[Any], frames: Frames, file: Rows) -> Flags:
    """Grains that are there, the second perhaps an element of the boundary."""
    count = np.maximum(_of("grain_count", frames, file), 1)
    return _within(rows[..., 0], 0, count) & _within(rows[..., 1], -len(file.metadata["elements"]), count)


def _parts(rows: NDArray[Any], frames: Frames, file: Rows) -> Flags:
    """Each grain is part of a body that is there."""
    grains, bodies = _of("grain_count", frames, file), _of("body_count", frames, file)
    numbers = _of("body_number", frames, file)
    return np.array([np.isin(row[:n], number[:m]).all() for row, n, number, m in zip(
        rows, grains, numbers, bodies, strict=True)], np.bool_)


_COUNTS = ("steps", "evaluations", "iterations", "energy_uncorrected", "redundant", "rank_changes")
"""Statistics that are counts; others may be unknown."""


def _bounded(rows: NDArray[Any], frames: Frames, file: Rows) -> Flags:
    """Finite numbers."""
    return _within(np.abs(rows), 0.0, np.inf)


def _bounded_or_unknown(rows: NDArray[Any], frames: Frames, file: Rows) -> Flags:
    """Finite numbers, or none where a quantity is not determined."""
    return _within(np.abs(np.nan_to_num(rows, posinf=np.inf, neginf=-np.inf)), 0.0, np.inf)


def _orientations(rows: NDArray[Any], frames: Frames, file: Rows) -> Flags:
    """Finite numbers, unless another engine made the run that reports none."""
    return (_bounded if file.metadata.get("orientation", True) else _bounded_or_unknown)(rows, frames, file)


def _statistics(rows: NDArray[Any], frames: Frames, file: Rows) -> Flags:
    """Counts are counts."""
    columns = file.metadata["statistics_columns"]
    return _within(rows[:, [columns.index(name) for name in _COUNTS if name in columns]], 0, 1 << 53)


def _contact_count(rows: NDArray[Any], frames: Frames, file: Rows) -> Flags:
    """Contacts of grains that are there."""
    return np.asarray(_within(rows, 0, 1 << 40) & ((rows == 0) | (_of("grain_count", frames, file) > 0)))


def _verdicts(rows: NDArray[Any], frames: Frames, file: Rows) -> Flags:
    """Numbers of jam probes."""
    return _within(rows[..., 0], 0, max(len(file.metadata.get("jam_probes", ())), 1))


def _event(rows: NDArray[Any], frames: Frames, file: Rows) -> Flags:
    """The number of an event that is known, from one, and its time."""
    known = _within(rows[:, 0], 0, len(file.metadata.get("events", ())) + 1)
    return np.asarray(known & np.isfinite(rows).all(axis=1) & (rows[:, 0] == np.rint(rows[:, 0])))


def _checkpoint(rows: NDArray[Any], frames: Frames, file: Rows) -> Flags:
    """Grains, and contacts of grains and of boundaries."""
    grains, contacts = (file.layout[f"checkpoint/{name}"][0][1] for name in ("x", "owner"))
    return np.asarray(_within(rows, 0, 1 << 40) & (rows[:, 0] <= grains) & (rows[:, 1:].sum(axis=1) <= contacts))


def _transitions(rows: NDArray[Any], frames: Frames, file: Rows) -> Flags:
    """Numbers of frictions or one-sided links, and of what they do."""
    changing = len(file.metadata.get("frictions") or file.metadata.get("one_sided", ()))
    whole = (rows[..., 1:] == np.rint(rows[..., 1:])).all(axis=(1, 2))
    return np.asarray(whole & np.isfinite(rows).all(axis=(1, 2)) & _within(rows[..., 1], 0, max(changing, 1))
                      & _within(rows[..., 2], 0, len(TRANSITIONS) if changing else 1))


CHECKS: dict[str, Check] = {
    "time": _times, "event": _event, "grain_count": _count("number"), "body_count": _count("body_number"),
    "contact_count": _contact_count, "contact_pair": _pairs, "group": _group,
    "body_group": _group, "part_of": _parts, "transition": _transitions, "checkpoint/count": _checkpoint,
    "statistics": _statistics, "log/verdicts": _verdicts, "link_force": _bounded_or_unknown,
    "orientation": _orientations,
    **dict.fromkeys(("position", "velocity", "angular_velocity", "energy", "radius", "body_position",
                     "body_velocity", "body_orientation", "coordinate", "rate"), _bounded),
    "checkpoint/group": _group, "checkpoint/body_group": _group,
    "checkpoint/body_count": _count("checkpoint/pose"), "checkpoint/held_count": _count("checkpoint/held_pair"),
    "checkpoint/waiting_count": _count("checkpoint/waiting"), "log/verdict_count": _count("log/verdicts"),
    "log/merge_count": lambda rows, frames, file: _within(rows, 0, 1 << 40),
    "checkpoint/part_body": lambda rows, frames, file: _within(rows, 0, max(file.layout["checkpoint/pose"][0][1], 1)),
    "checkpoint/material": lambda rows, frames, file: _within(rows, 0, max(len(file.metadata["scene"].get(
        "material", ())), 1)),
}
