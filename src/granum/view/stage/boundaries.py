"""What boundaries and surfaces look like where the scene puts them."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats
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
from granum.view.pictures.outlines import outline_of
from granum.view.stage.items import Mesh
from granum.view.stage.meshes import (
    axes_along,
    clipped,
    cylinder,
    joined,
    lines_only,
    polygon,
    revolved,
    rim,
    shifted,
    sphere,
    turned,
)
from granum.view.stage.surfaces import surface_mesh

_UPWARD = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
"""Turns x into z."""


def ends(boundary: Boundary) -> bool:
    """Has it an end, or does it fill whatever box it is seen in?"""
    return not isinstance(boundary, Plane | ImplicitSurface)


def boundary_mesh(boundary: Boundary, dimension: int, low: Floats, high: Floats) -> Mesh:
    """A boundary as it is at the start; what has no end is cut at the box from low to high."""
    if isinstance(boundary, ImplicitSurface):
        return surface_mesh(boundary.equation, dimension, low, high)
    if isinstance(boundary, Plane):
        return _plane(boundary, dimension, low, high)
    return _flat(boundary, dimension) if dimension == 2 else _solid(boundary)


def _flat(boundary: Boundary, dimension: int) -> Mesh:
    """In the plane: lines, and faces of obstacles."""
    lines, solid = outline_of(boundary, dimension)
    return polygon(lines[0][:-1]) if solid else lines_only(lines)


def _plane(plane: Plane, dimension: int, low: Floats, high: Floats) -> Mesh:
    """The part of a plane in a box; of a line in the plane the part in a rectangle."""
    point, normal = (np.array((*vector, 0.0)[:3]) for vector in (plane.position, plane.normal))
    thick = np.array([0.0, 0.0, 1.0 if dimension == 2 else 0.0])  # a rectangle has no volume to cut in
    corners = clipped(point, normal, low - thick, high + thick)
    if len(corners) < 3:
        return lines_only(())
    if dimension == 3:
        return polygon(corners)
    along = corners @ np.cross(normal, [0.0, 0.0, 1.0])
    return lines_only([corners[[along.argmin(), along.argmax()]] * [1.0, 1.0, 0.0]])


def _solid(boundary: Boundary) -> Mesh:
    """In space."""
    match boundary:
        case Wall():
            return polygon(np.array(boundary.positions))
        case FixedSphere():
            return shifted(sphere(abs(boundary.radius)), np.array(boundary.centre))._replace(tones=None)
        case Box():
            return _box(boundary)
        case Cylinder():
            first, last = np.array(boundary.ends)
            made = cylinder(float(np.linalg.norm(last - first)), abs(boundary.radius), boundary.closed)
            return shifted(turned(made, axes_along(last - first)), first)
        case Hopper():
            return _hopper(boundary)
        case FixedDisk() | _:  # disks are of the plane
            return lines_only(())


def _box(box: Box) -> Mesh:
    """Its sides, the open ones left out."""
    low, high = np.array(box.lower), np.array(box.upper)
    sides = []
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        for sign, at in (("-", low), ("+", high)):
            if sign + "xyz"[k] not in box.open:
                corners = np.repeat(at[None], 4, axis=0)
                corners[:, i] = low[i], high[i], high[i], low[i]
                corners[:, j] = low[j], low[j], high[j], high[j]
                sides.append(polygon(corners))
    return joined(sides)


def _hopper(hopper: Hopper) -> Mesh:
    """A cone below a cylinder."""
    a, b = 0.5 * hopper.opening, 0.5 * hopper.width
    heights = np.array([0.0, hopper.funnel_height, hopper.funnel_height + hopper.height])
    made = revolved(np.column_stack([heights, [a, b, b]]))
    made = made._replace(lines=tuple(rim(h, r) for h, r in zip(heights, (a, b, b), strict=True)))
    return shifted(turned(made, _UPWARD), np.array(hopper.position))
