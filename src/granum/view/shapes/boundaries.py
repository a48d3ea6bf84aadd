"""What boundaries look like where the scene puts them: an outline for pictures and a mesh, side by side for each kind.

A new kind of boundary registers its own: `@outline_of.register` for lines and `@mesh_of.register` for a mesh.
"""

from __future__ import annotations

import math
from functools import singledispatch
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats
from granum.base.rotations import three
from granum.model.boundaries import (
    Boundary,
    Box,
    Cylinder,
    FixedDisk,
    FixedSphere,
    Hopper,
    ImplicitSurface,
    Plane,
    Wall,
)
from granum.view.shapes.meshes import (
    Mesh,
    axes_along,
    circle,
    clipped,
    cylinder,
    joined,
    lines_only,
    polygon,
    revolved,
    rim,
    rotated,
    shifted,
    sphere,
)
from granum.view.shapes.surfaces import surface_mesh

_X_TO_Z = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
"""Rotates x into z."""
_FINE = 180
"""Corners of circles in outlines."""
ENDLESS = (Plane, ImplicitSurface)
"""Kinds that fill whatever box they are seen in."""


class Outline(NamedTuple):
    """What is drawn of a boundary: lines (k, 3), and whether the first of them is the rim of something solid."""

    lines: list[Floats]
    solid: bool = False


@singledispatch
def outline_of(boundary: object, dimension: int) -> Outline:
    """Lines of a boundary that has an end, where the scene puts it; of 3-D as seen along y."""
    return Outline([])


@singledispatch
def mesh_of(boundary: object, dimension: int, low: Floats, high: Floats) -> Mesh:
    """A boundary in 3-D; what has no end, also in 2-D, is cut at the box from low to high."""
    return lines_only(())


def boundary_mesh(boundary: Boundary, dimension: int, low: Floats, high: Floats) -> Mesh:
    """A boundary as it is at the start: in 2-D lines, and faces of obstacles."""
    if dimension == 3 or isinstance(boundary, ENDLESS):
        return mesh_of(boundary, dimension, low, high)
    lines, solid = outline_of(boundary, dimension)
    return polygon(lines[0][:-1]) if solid else lines_only(lines)


@mesh_of.register
def _plane_mesh(plane: Plane, dimension: int, low: Floats, high: Floats) -> Mesh:
    """The part of a plane in a box; in 2-D the part of a line in a rectangle."""
    point, normal = three(plane.position), three(plane.normal)
    thick = np.array([0.0, 0.0, 1.0 if dimension == 2 else 0.0])  # a rectangle has no volume to cut in
    corners = clipped(point, normal, low - thick, high + thick)
    if len(corners) < 3:
        return lines_only(())
    if dimension == 3:
        return polygon(corners)
    along = corners @ np.cross(normal, [0.0, 0.0, 1.0])
    return lines_only([corners[[along.argmin(), along.argmax()]] * [1.0, 1.0, 0.0]])


@mesh_of.register
def _surface_mesh(surface: ImplicitSurface, dimension: int, low: Floats, high: Floats) -> Mesh:
    return surface_mesh(surface.equation, dimension, low, high)


@outline_of.register
def _wall_outline(wall: Wall, dimension: int) -> Outline:
    """A straight line, an arc, or the rim of a flat piece."""
    points = np.array([three(point) for point in wall.positions])
    if len(points) > 2:
        return Outline([np.concatenate([points, points[:1]])])
    if wall.radius is None:
        return Outline([points])
    half = 0.5 * (points[1] - points[0])
    bulge = np.array([-half[1], half[0], 0.0]) / np.linalg.norm(half) * math.copysign(1.0, wall.radius)
    R, a = abs(wall.radius), float(np.linalg.norm(half))
    centre = points.mean(axis=0) - bulge * math.sqrt(max(R * R - a * a, 0.0))
    angle = np.linspace(-1.0, 1.0, 61)[:, None] * math.asin(min(a / R, 1.0))
    return Outline([centre + R * (np.cos(angle) * bulge + np.sin(angle) * half / a)])


@mesh_of.register
def _wall_mesh(wall: Wall, dimension: int, low: Floats, high: Floats) -> Mesh:
    return polygon(np.array(wall.positions))


@outline_of.register
def _ball_outline(ball: FixedDisk | FixedSphere, dimension: int) -> Outline:
    """A circle; obstacles are solid, holes are not."""
    axes = np.eye(3)[[0, 1 if dimension == 2 else 2]]
    return Outline([three(ball.centre) + circle(abs(ball.radius), axes, _FINE)], ball.radius > 0.0)


@mesh_of.register
def _sphere_mesh(ball: FixedSphere, dimension: int, low: Floats, high: Floats) -> Mesh:
    return shifted(sphere(abs(ball.radius)), np.array(ball.centre))._replace(tones=None)


@outline_of.register
def _box_outline(box: Box, dimension: int) -> Outline:
    """The sides of a box, those that are open left out."""
    up = dimension - 1
    low, high = three(box.lower), three(box.upper)
    sides = []
    for k, other in ((0, up), (up, 0)):
        for sign, at in (("-", low[k]), ("+", high[k])):
            if sign + "xyz"[k] not in box.open:
                ends = np.array([low, high])
                ends[:, k] = at
                ends[:, 1 if dimension == 3 else 2] = 0.0
                ends[:, other] = low[other], high[other]
                sides.append(ends)
    return Outline(sides)


@mesh_of.register
def _box_mesh(box: Box, dimension: int, low: Floats, high: Floats) -> Mesh:
    """Its sides, the open ones left out."""
    lower, upper = np.array(box.lower), np.array(box.upper)
    sides = []
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        for sign, at in (("-", lower), ("+", upper)):
            if sign + "xyz"[k] not in box.open:
                corners = np.repeat(at[None], 4, axis=0)
                corners[:, i] = lower[i], upper[i], upper[i], lower[i]
                corners[:, j] = lower[j], lower[j], upper[j], upper[j]
                sides.append(polygon(corners))
    return joined(sides)


@outline_of.register
def _cylinder_outline(tube: Cylinder, dimension: int) -> Outline:
    """Both rims, and the lines that join them on the left and right as seen along y."""
    first, last = np.array(tube.ends)
    along = (last - first) / np.linalg.norm(last - first)
    aside = np.cross(along, [0.0, 1.0, 0.0])
    if np.linalg.norm(aside) < 1e-9:
        aside = np.array([1.0, 0.0, 0.0])
    aside /= np.linalg.norm(aside)
    R, other = abs(tube.radius), np.cross(along, aside)
    rims = [end + circle(R, np.array([aside, other]), _FINE) for end in (first, last)]
    sides = [np.array([first + side * R * aside, last + side * R * aside]) for side in (-1.0, 1.0)]
    return Outline([*rims, *sides])


@mesh_of.register
def _cylinder_mesh(tube: Cylinder, dimension: int, low: Floats, high: Floats) -> Mesh:
    first, last = np.array(tube.ends)
    made = cylinder(float(np.linalg.norm(last - first)), abs(tube.radius), tube.closed)
    return shifted(rotated(made, axes_along(last - first)), first)


@outline_of.register
def _hopper_outline(hopper: Hopper, dimension: int) -> Outline:
    """The profile on both sides, in 3-D as cut through its axis."""
    outlet, across, up = three(hopper.position), np.eye(3)[0], np.eye(3)[dimension - 1]
    return Outline([np.array([outlet + side * a * across + h * up, outlet + side * b * across + k * up])
                    for side in (-1.0, 1.0) for (a, h), (b, k) in pairwise(hopper.profile)])


@mesh_of.register
def _hopper_mesh(hopper: Hopper, dimension: int, low: Floats, high: Floats) -> Mesh:
    """A cone below a cylinder."""
    made = revolved(np.array([(h, r) for r, h in hopper.profile]))
    made = made._replace(lines=tuple(rim(h, r) for r, h in hopper.profile))
    return shifted(rotated(made, _X_TO_Z), np.array(hopper.position))
