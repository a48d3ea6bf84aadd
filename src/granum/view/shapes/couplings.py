"""Couplings at the start: pitch circles of gears, racks, belts around their pulleys, profiles of cams."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from granum.base.kernels import Floats
from granum.view.shapes.meshes import AROUND, Mesh, axes_along, circle, lines_only

_MARK = 0.75
"""Where the mark of a wheel begins, in its radius."""
_LARGEST = 4.0
"""Radius up to which a ring gear is drawn, in the distance of both axes."""
_APART = 0.8
"""Of wheels that do not touch, the sum of the radii in the distance of both axes."""
_TEETH = 24
"""Marks along a rack."""


def pitch_radii(ratio: float, distance: float, same_sense: bool) -> tuple[float, float]:
    """Radii of two gears [m] on parallel axes at a distance [m], of which the second turns `ratio` times as fast.

    Pitch circles roll on each other: r₁ = |ratio| r₂, and r₁ + r₂ is the distance, or |r₁ - r₂| where both turn in the
    same sense and one is a ring. Where the ring would be huge, other wheels are between the two: they do not touch.
    """
    q = abs(ratio)
    if not same_sense:
        return distance * q / (1.0 + q), distance / (1.0 + q)
    if max(1.0, q) <= _LARGEST * abs(q - 1.0):
        return distance * q / abs(q - 1.0), distance / abs(q - 1.0)
    return _APART * distance * q / (1.0 + q), _APART * distance / (1.0 + q)


def wheel_mesh(radius: float, axis: Floats) -> Mesh:
    """A gear or pulley as its circle about an axis (3,), with a mark that shows how far it has turned."""
    across = axes_along(axis)[:, 1:].T
    return lines_only([circle(radius, across, count=2 * AROUND), radius * np.array([[_MARK], [1.0]]) * across[0]])


def rack_mesh(foot: Floats, along: Floats, reach: tuple[float, float], out: Floats) -> Mesh:
    """A rack along a unit vector through its foot, between two distances from it, with teeth that point `out`."""
    rail = foot + np.array(reach)[:, None] * along
    teeth = [np.stack([root, root + out]) for root in np.linspace(rail[0], rail[1], _TEETH)]
    return lines_only([rail, *teeth])


def belt_mesh(way: Floats, radii: tuple[float, float], axis: Floats, crossed: bool) -> Mesh:
    """A belt around two pulleys, from the first to the second axis by `way` (3,): two tangents and the arcs they join.

    Nothing where one pulley is inside of the other, or where a crossed belt would have to cross in them.
    """
    distance, (first, second) = float(np.linalg.norm(way)), radii
    lean = first + second if crossed else first - second
    if not distance > abs(lean):
        return lines_only(())
    along = way / distance
    across = np.stack([along, np.cross(axis / np.linalg.norm(axis), along)])
    tangent = math.acos(lean / distance)
    on_first = _arc(first, tangent, 2.0 * math.pi - tangent) @ across
    turn = math.pi - tangent if crossed else -tangent
    on_second = way + _arc(second, turn, -turn) @ across
    return lines_only([np.concatenate([on_first, on_second, on_first[:1]])])


def _arc(radius: float, begin: float, end: float) -> Floats:
    """(k, 2)"""
    angle = np.linspace(begin, end, AROUND + 1)
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])


def cam_mesh(profile: Sequence[Floats]) -> Mesh:
    """The profile of a cam as a line through points (3,) from its axis, with a mark where the follower is at first."""
    line = np.array(profile)
    return lines_only([line, np.array([[_MARK], [1.0]]) * line[0]])
