"""What is recorded of bodies among grains: places, orientations and motion, and what a resumed run needs of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from granum.grains.aggregates.bonds import rows_of
from granum.grains.aggregates.parts import Bodies, Bonds, Held, Parts
from granum.grains.state import Grains
from granum.io.runfile import Arrays
from granum.run.subject import Layout

MERGES = 10_000
"""Merges and splits of clusters that are logged; later ones are counted only."""


def body_layout(frames: int, bodies: int, parts: int, dimension: int) -> Layout:
    """Shapes of the arrays of bodies, in SI units."""
    d = dimension
    return {
        "body_position": ((frames, bodies, d), "f8"), "body_orientation": ((frames, bodies, 4), "f8"),
        "body_velocity": ((frames, bodies, d), "f8"), "body_angular_velocity": ((frames, bodies, 2 * d - 3), "f8"),
        "body_number": ((frames, bodies), "i8"), "body_group": ((frames, bodies), "i4"),
        "body_count": ((frames,), "i8"), "part_of": ((frames, parts), "i8"),
        **({"body_angle": ((frames, bodies), "f8")} if d == 2 else {}),
        "checkpoint/pose": ((2, bodies, 8), "f8"), "checkpoint/motion": ((2, bodies, 16), "f8"),
        "checkpoint/inertia": ((2, bodies, 12), "f8"), "checkpoint/body_number": ((2, bodies), "i8"),
        "checkpoint/body_group": ((2, bodies), "i4"), "checkpoint/body_count": ((2,), "i8"),
        "checkpoint/part_body": ((2, parts), "i4"), "checkpoint/arm": ((2, parts, 3), "f8"),
    }


def body_frame(parts: Parts, order: Any, dimension: int, bodies: int, room: int) -> dict[str, Any]:
    """Bodies in the order of their numbers, and the number of the body of each part in the order of the frame."""
    own, d = parts.bodies, dimension
    by_number = np.argsort(own.number, kind="stable")
    angular_velocity = own.motion[by_number, 4:7]
    return {
        "body_position": padded(own.pose[by_number, :d], bodies),
        "body_orientation": padded(own.pose[by_number, 4:], bodies),
        "body_velocity": padded(own.motion[by_number, :d], bodies),
        "body_angular_velocity": padded(angular_velocity if d == 3 else angular_velocity[:, 2:], bodies),
        "body_number": padded(own.number[by_number], bodies),
        "body_group": padded(own.group[by_number], bodies), "body_count": own.count,
        "part_of": padded(own.number[parts.body[order]], room),
        **({"body_angle": padded(own.angle[by_number], bodies)} if d == 2 else {}),
    }


def body_checkpoint(parts: Parts, bodies: int, room: int) -> dict[str, Any]:
    """Bodies and parts in the order of the solver."""
    own = parts.bodies
    return {
        "checkpoint/pose": padded(own.pose, bodies), "checkpoint/motion": padded(own.motion, bodies),
        "checkpoint/inertia": padded(own.inertia, bodies), "checkpoint/body_number": padded(own.number, bodies),
        "checkpoint/body_group": padded(own.group, bodies), "checkpoint/body_count": own.count,
        "checkpoint/part_body": padded(parts.body, room), "checkpoint/arm": padded(parts.arm, room),
    }


def restored_parts(grains: Grains, arrays: Arrays, slot: int, start: Parts) -> Parts:
    """The parts of a checkpoint, from what all grains have, with their bodies; joined as at the start."""
    count, n = int(arrays["checkpoint/body_count"][slot]), grains.count
    pose, motion, inertia, number, group = (
        np.array(arrays[f"checkpoint/{name}"][slot, :count])
        for name in ("pose", "motion", "inertia", "body_number", "body_group"))
    return Parts(grains.t, grains.x, grains.v, grains.material, grains.number, grains.group,
                 np.array(arrays["checkpoint/part_body"][slot, :n]), np.array(arrays["checkpoint/arm"][slot, :n]),
                 Bodies(pose, motion, inertia, number, group), start.apart, start.whole,
                 local_orientation=grains.local_orientation)


def bond_layout(frames: int, bonds: int) -> Layout:
    """Shapes of the arrays of bonds: how many hold, which broke when, and what a resumed run needs."""
    return {"bonds_left": ((frames,), "i8"), "log/bond_pair": ((bonds, 2), "i8"), "log/bond_broke": ((bonds,), "f8"),
            "checkpoint/bond_broke": ((2, bonds), "f8"), "checkpoint/bond_mean": ((2, bonds, 6), "f8")}


def restored_bonds(bonds: Bonds, arrays: Arrays, slot: int) -> Bonds:
    """Bonds as they were at a checkpoint; which there are follows from the scene."""
    return Bonds(bonds.pair, bonds.entry, np.array(arrays["checkpoint/bond_broke"][slot]),
                 np.array(arrays["checkpoint/bond_mean"][slot]))


def merge_layout(frames: int, contacts: int) -> Layout:
    """Shapes of the arrays of merged clusters: how many there are, the log, and what a resumed run needs."""
    return {"merged": ((frames, 2), "i8"), "log/merges": ((MERGES, 3), "f8"), "log/merge_count": ((1,), "i8"),
            "checkpoint/held_count": ((2,), "i8"), "checkpoint/held_pair": ((2, contacts, 2), "i8"),
            "checkpoint/held_force": ((2, contacts, 6), "f8")}


def merged_frame(parts: Parts) -> list[int]:
    """Merged bodies and the grains in them."""
    rows = rows_of(parts, np.unique(parts.held.pair))
    return [len(np.unique(parts.body[rows])), len(rows)]


def merge_checkpoint(held: Held, contacts: int) -> dict[str, Any]:
    """What contacts inside merged clusters hold."""
    return {"checkpoint/held_count": len(held.pair), "checkpoint/held_pair": padded(held.pair, contacts),
            "checkpoint/held_force": padded(np.concatenate([held.base, held.last], axis=1), contacts)}


def restored_held(arrays: Arrays, slot: int) -> Held:
    """The same from a checkpoint."""
    n = int(arrays["checkpoint/held_count"][slot])
    force = np.array(arrays["checkpoint/held_force"][slot, :n])
    return Held(np.array(arrays["checkpoint/held_pair"][slot, :n]), force[:, :3].copy(), force[:, 3:].copy())


def padded(array: Any, length: int) -> Any:
    """An array with zeros behind it, to a fixed length."""
    array = np.asarray(array)
    longer = np.zeros((length, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer
