"""What springs and dampers between two points look like: zigzags in 2-D, coils in 3-D, and dashpots.

The page draws the same shapes with its own code, since they stretch in every frame.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats
from granum.model.loads import Spring
from granum.view.shapes.meshes import axes_along

_TURNS, _STEPS = 7, 12
_LEAD = 0.12
"""Straight part at each end, in the length of the spring."""
_PISTON, _POT = 0.38, 0.66
"""Where the pot of a dashpot begins and ends, in the length of the spring."""


class SpringShape(NamedTuple):
    """Lines of a spring, and the pot of its damper."""

    lines: list[Floats]
    """(k, 3) each [m]"""
    pot: Floats | None
    """(2, 3) axis of the pot [m]; it is 0.7 of the spring's width wide."""


def spring_width(ends: Floats, size: float) -> float:
    """How wide springs with these ends (n, 2, 3) are drawn [m]: a fifth of the shortest of them, but no giants."""
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    return min(0.2 * float(lengths[lengths > 0.0].min(initial=np.inf)), 0.04 * size)


def spring_shape(spring: Spring, ends: Floats, width: float, dimension: int) -> SpringShape:
    """A spring between its ends (2, 3), beside its damper where it has both; nothing where the ends meet."""
    start, end = ends
    way = end - start
    if not np.isfinite(ends).all() or not way.any():
        return SpringShape([], None)
    aside, up = (np.cross([0.0, 0.0, 1.0], way / np.linalg.norm(way)), np.array([0.0, 0.0, 1.0])) \
        if dimension == 2 else axes_along(way).T[1:]

    def at(along: Floats, off: Floats, lift: Floats | float = 0.0) -> Floats:
        along, off, lift = np.broadcast_arrays(along, off, lift)
        points: Floats = start + along[:, None] * way + off[:, None] * aside + lift[:, None] * up
        return points

    damped = spring.damping > 0.0 or spring.stiffness == 0.0
    both = spring.stiffness > 0.0 and damped
    away, one = 0.6 * width if both else 0.0, np.ones(2)
    lines = [at(np.array([0.0, _LEAD]), 0.0 * one), at(np.array([1.0 - _LEAD, 1.0]), 0.0 * one)]
    if both:
        lines += [at(np.full(2, part), np.array([away, -away])) for part in (_LEAD, 1.0 - _LEAD)]
    if spring.stiffness > 0.0:
        lines.append(at(*_coil(away, 0.5 * width, dimension)))
    if not damped:
        return SpringShape(lines, None)
    lines += [at(np.array(part), -away * one) for part in ([_LEAD, _PISTON], [_POT, 1.0 - _LEAD])]
    return SpringShape(lines, at(np.array([_PISTON, _POT]), -away * one))


def _coil(away: float, radius: float, dimension: int) -> tuple[Floats, Floats, Floats]:
    """Parts of the way, distances aside and upward of a coil, or of a zigzag in 2-D."""
    room = 1.0 - 2.0 * _LEAD
    if dimension == 2:
        part, off = (np.arange(2 * _TURNS) + 0.5) / (2 * _TURNS), radius * (-1.0) ** np.arange(2 * _TURNS)
        lift = np.zeros_like(off)
    else:
        part = np.linspace(0.0, 1.0, _TURNS * _STEPS + 1)
        angle = 2.0 * np.pi * _TURNS * part
        off, lift = radius * np.cos(angle), radius * np.sin(angle)
    along = np.concatenate([[_LEAD], _LEAD + room * part, [1.0 - _LEAD]])
    return along, away + np.concatenate([[0.0], off, [0.0]]), np.concatenate([[0.0], lift, [0.0]])
