"""What a run file may hold: the arrays of the format with type, rank and shape.

A file that has anything else under these names is refused before a byte of it is used. A new array of a subject is one
line in `ARRAYS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

FORMAT = "granum-run-4"

Shape = tuple[int, ...]
Layout = dict[str, tuple[Shape, str]]
"""Shape and type of each array."""

SLOTS = 4
"""Copies of what a resumed run needs: 0 and 1 in turn at every frame, 2 and 3 in turn whenever frames are flushed to
disk. So a process that dies leaves one whole in the first pair, and a power cut one in the second."""

TRANSITIONS = ("", "sticks", "slides", "leaves", "opens", "closes", "rebounds")
"""What a friction or a one-sided link does from a transition on, by the code in the array `transition`; 0 is an empty
place."""

LARGEST_METADATA = 1 << 28
"""Bytes."""

ARRAYS = {
    # of every run
    "time": "f8 F", "energy": "f8 F energy_columns", "statistics": "f8 F statistics_columns", "event": "f8 F 2",
    "position": "f4|f8 F n d", "velocity": "f4|f8 F n d", "checkpoint/next_step": "f8 S",
    # of actuators and of forces that a user applies
    "command": "f8 F commands", "checkpoint/applied": "f8 S *", "checkpoint/booked": "f8 S",
    # of bodies with an orientation, links, joints and formulas
    "orientation": "f4|f8 F o q", "angular_velocity": "f4|f8 F o w",
    "link_force": "f8 F r", "unique": "f8 F r", "constraint_error": "f8 F 2", "constraint_units": "f8 F 2",
    "coordinate": "f8 F coordinates", "rate": "f8 F coordinates", "constraint_value": "f8 F rows",
    "constraint_rate": "f8 F rows", "section": "f8 F section_probes 6", "transition": "f8 S * 3",
    "needed_friction": "f8 F rolling 2",
    "checkpoint/gamma": "f8 S *", "checkpoint/work": "f8 S *", "checkpoint/state": "f8 S *",
    "checkpoint/one_sided": "f8 S 3 one_sided", "checkpoint/forest": "i8 S *",
    # of grains
    "radius": "f4|f8 F n", "number": "i8 F n", "group": "i4 F n", "grain_count": "i8 F",
    "contact_count": "i8 F", "contact_pair": "i4 L c 2", "contact_normal": "f4 L c d", "contact_force": "f4 L c d",
    "contact_sticks": "u1 L c", "figures": "f8 F figure_columns", "passed": "f8 F flow_probes 2",
    "packing": "f8 F packing_probes", "rigidity": "i8 F rigidity_probes 3", "probe/": "f8 F *",
    "log/sources": "i8 S * 3", "log/outside": "i8 S loads",
    "log/verdicts": "f8 S * *", "log/verdict_count": "i8 S 1",
    "checkpoint/x": "f8 S n 4", "checkpoint/v": "f8 S n 8", "checkpoint/local_orientation": "f8 S n q",
    "checkpoint/material": "i4 S n", "checkpoint/number": "i8 S n", "checkpoint/group": "i4 S n",
    "checkpoint/count": "i8 S 3", "checkpoint/skin": "f8 S", "checkpoint/owner": "i8 S c 2",
    "checkpoint/kept": "f8 S c *", "checkpoint/waiting": "i8 S * 3", "checkpoint/waiting_count": "i8 S",
    "checkpoint/totals": "f8 S *",
    # of bodies of several parts, bonds and merged clusters
    "body_position": "f8 F b d", "body_orientation": "f8 F b 4", "body_velocity": "f8 F b d",
    "body_angular_velocity": "f8 F b w", "body_number": "i8 F b", "body_group": "i4 F b", "body_count": "i8 F",
    "body_angle": "f8 F b", "part_of": "i8 F n",
    "checkpoint/pose": "f8 S b 8", "checkpoint/motion": "f8 S b 16", "checkpoint/inertia": "f8 S b 12",
    "checkpoint/body_number": "i8 S b", "checkpoint/body_group": "i4 S b", "checkpoint/body_count": "i8 S",
    "checkpoint/part_body": "i4 S n", "checkpoint/arm": "f8 S n 3",
    "bonds_left": "i8 F", "log/bond_pair": "i8 S k 2", "log/bond_broke": "f8 S k", "checkpoint/bond_broke": "f8 S k",
    "checkpoint/bond_mean": "f8 S k 6",
    "merged": "i8 F 2", "log/merges": "f8 S * 3", "log/merge_count": "i8 S 1", "checkpoint/held_count": "i8 S",
    "checkpoint/held_pair": "i8 S c 2", "checkpoint/held_force": "f8 S c 6",
    # of the previous layout, which is still read: reactions of joints among grains
    "joint_reaction": "f8 F joints 8",
}
"""Types and axes of each array; `probe/` stands for all that begin so. Axes: F frames, L frames or none, S slots, a
number, a key of the metadata (as many as it lists), `*` any length, another letter: the same length everywhere."""

_TOGETHER: tuple[tuple[str, ...], ...] = (
    ("time", "energy", "statistics", "event", "position", "velocity", "checkpoint/next_step"),
    ("contact_pair", "contact_normal", "contact_force", "contact_sticks"),
    ("body_count", "body_position", "body_orientation", "body_velocity", "body_angular_velocity", "body_number",
     "body_group", "part_of"),
    ("bonds_left", "log/bond_pair", "log/bond_broke"), ("merged", "log/merges", "log/merge_count"),
    ("checkpoint/count", "checkpoint/x", "checkpoint/v", "checkpoint/local_orientation", "checkpoint/material",
     "checkpoint/number", "checkpoint/group", "checkpoint/skin", "checkpoint/owner", "checkpoint/kept",
     "checkpoint/waiting", "checkpoint/waiting_count", "checkpoint/totals"),
    ("log/verdicts", "log/verdict_count"), ("constraint_error", "constraint_units"),
)
"""Arrays of which a file has all or none; of the first it has all."""
_OF_KEYS = {
    "grains": ("radius", "number", "group", "orientation", "angular_velocity", "grain_count", "contact_count",
               "contact_pair", "figures", "passed", "packing", "rigidity", "log/sources", "log/outside"),
    "coordinates": ("coordinate", "rate", "link_force", "constraint_value", "constraint_rate", "transition"),
    "one_sided": ("transition", "checkpoint/one_sided", "checkpoint/forest"),
    "oriented": ("orientation", "angular_velocity", "link_force"),
}
"""Arrays that belong to a key of the metadata."""
_OF_JOINTS = ("unique", "section")
"""Arrays of bodies without coordinates of formulas."""


def in_slots(name: str) -> bool:
    """Is an array kept in slots, for resuming, rather than frame by frame?"""
    return name.startswith(("checkpoint/", "log/")) or name == "transition"


def is_log(name: str) -> bool:
    """Does an array say what has happened until the last frame?"""
    return in_slots(name) and not name.startswith("checkpoint/")


def with_slots(layout: Mapping[str, tuple[Shape, str]]) -> Layout:
    """Shapes in a file of what a subject lays out: it gives checkpoints two slots, and logs none."""
    def shape_of(name: str, shape: Shape) -> Shape:
        own = (SLOTS, *(shape if is_log(name) else shape[1:])) if in_slots(name) else shape
        return tuple(int(length) for length in own)

    return {name: (shape_of(name, shape), dtype) for name, (shape, dtype) in layout.items()}


def size_of(shape: Shape, dtype: str) -> int:
    """Bytes of an array; exact for any shape."""
    size = np.dtype(dtype).itemsize
    for length in shape:
        size *= length
    return size


def problem_of(layout: Layout, metadata: Mapping[str, Any]) -> str | None:
    """What is wrong with the arrays that a file declares, if anything."""
    frames = layout["time"][0][0] if "time" in layout and layout["time"][0] else 0
    lengths: dict[str, int] = {}
    for name, (shape, dtype) in layout.items():
        form = ARRAYS.get("probe/" if name.startswith("probe/") else name)
        if form is None:
            return f"no run has an array {name!r:.80}"
        types, *axes = form.split()
        if dtype not in types.split("|"):
            return f"{name} is of type {dtype}, not {types.replace('|', ' or ')}"
        if len(shape) != len(axes) or not all(_fits(axis, length, frames, lengths, metadata)
                                              for axis, length in zip(axes, shape, strict=True)):
            return f"{name} has the shape {list(shape)}, which does not match the others"
    return _missing(layout, metadata) or _wrong_dimension(lengths, metadata) or _wrong_names(lengths, metadata)


def _fits(axis: str, length: int, frames: int, lengths: dict[str, int], metadata: Mapping[str, Any]) -> bool:
    """Has an axis the length it must have? A letter that is met first takes it."""
    if axis in ("F", "L", "S", "*"):
        return length in {"F": (frames,), "L": (0, frames), "S": (SLOTS,), "*": (length,)}[axis]
    if axis.isdigit():
        return length == int(axis)
    if len(axis) > 1:
        return length == len(metadata.get(axis) or ())
    return lengths.setdefault(axis, length) == length


def _missing(layout: Layout, metadata: Mapping[str, Any]) -> str | None:
    """Arrays that are not there without which others mean nothing."""
    needed = {name for group in _TOGETHER if group is _TOGETHER[0] or set(group) & set(layout) for name in group}
    needed |= {name for key, group in _OF_KEYS.items() if key in metadata for name in group}
    needed |= set(_OF_JOINTS) if "oriented" in metadata and "coordinates" not in metadata else set()
    missing = sorted(needed - set(layout))
    return f"it lacks {', '.join(missing)}" if missing else None


def _wrong_names(lengths: dict[str, int], metadata: Mapping[str, Any]) -> str | None:
    """Names of points and links that do not belong to as many columns."""
    if (points := metadata.get("points")) is None:
        return None
    counts = {key: sum(1 if isinstance(block, str) else block[1] for block in points[key])
              for key in ("bodies", "links")}
    if counts != {"bodies": lengths["n"], "links": lengths.get("r", 0)} or any(
            number >= lengths["n"] for number in points["fixed"]):
        return "its arrays do not agree with the names of bodies and links"
    return None


def _wrong_dimension(lengths: dict[str, int], metadata: Mapping[str, Any]) -> str | None:
    d = lengths["d"]
    allowed = {"d": (2, 3), "w": (2 * d - 3,), "q": (1,) if d == 2 else (4,),
               "o": (lengths["n"] if "grains" in metadata else len(metadata.get("oriented") or ()),),
               "r": (len(metadata["reactions"]) if "reactions" in metadata else lengths.get("r", 0),)}
    wrong = [axis for axis, values in allowed.items() if lengths.get(axis, values[0]) not in values]
    return "its arrays do not agree about dimension, bodies and reactions" if wrong else None
