"""Outlines of boundaries: lines in the picture of the plane, or of space seen along y."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import Polygon

from granum.algebra.compiled import Compiled
from granum.algebra.parse import parse_equation
from granum.base.kernels import Floats
from granum.model.boundaries import (
    Boundary,
    Box,
    Cylinder,
    FixedDisk,
    FixedSphere,
    Hopper,
    ImplicitSurface,
    Motion,
    Plane,
    Wall,
)
from granum.model.scene import Scene
from granum.model.solids import Block, Rod

_LINE: dict[str, Any] = {"color": "#303030", "linewidth": 1.3, "zorder": 3}
_SOLID: dict[str, Any] = {"facecolor": "#D0D0D0", "edgecolor": "#303030", "linewidth": 1.0, "zorder": 2}
_MESH = 160
"""Points along each side of the grid on which an implicit surface is looked for."""

Limits = tuple[float, float, float, float]
"""Left, right, low, high end of a picture [m]."""


class Outline(NamedTuple):
    """What is drawn of a boundary: lines in space, and whether the first of them is the rim of something solid."""

    lines: list[Floats]
    solid: bool = False


class Pose(NamedTuple):
    """Where a body is, against where it started."""

    centre: Floats
    """(3,) mass centre now [m]."""
    start: Floats
    """(3,) mass centre at the start [m]."""
    rotation: Floats
    """(3, 3): turns its axes of the start into those of now."""
    axes: Floats
    """(3, 3): turns body axes into inertial ones, now."""


Poses = Mapping[str, Pose]
"""Of bodies by name."""
NOWHERE: Poses = {}


def seen(points: Floats, dimension: int) -> Floats:
    """(k, 2) places in the picture of points (k, 3): x and y in the plane, x and z in space."""
    return points[:, [0, 1]] if dimension == 2 else points[:, [0, 2]]


def draw_boundaries(axis: Axes, scene: Scene, dimension: int, t: float = 0.0, depth: float = 0.0,
                    poses: Poses = NOWHERE) -> None:
    """Draw all boundaries of a scene at time t into the limits that the axis has, and its rods.

    In space they are seen along y; what has no end and implicit surfaces are cut at y = depth. Boundaries of bodies are
    where these are.
    """
    left, right = axis.get_xlim()
    low, high = axis.get_ylim()
    lines = [seen(line, dimension) for line in skeletons(scene, poses)]
    for boundary in scene.boundary.values():
        if isinstance(boundary, ImplicitSurface):
            _draw_surface(axis, boundary, dimension, t, depth, poses)
            continue
        if isinstance(boundary, Plane):
            outline = Outline(_plane(boundary, dimension, t, depth, (left, right, low, high), poses))
        else:
            found = outline_of(boundary, dimension)
            outline = Outline([placed(line, boundary, t, poses) for line in found.lines], found.solid)
        flat = [seen(line, dimension) for line in outline.lines]
        if outline.solid:
            axis.add_patch(Polygon(flat.pop(0), closed=True, **_SOLID))
        lines += flat
    axis.add_collection(LineCollection([*lines], **_LINE), autolim=False)
    axis.set(xlim=(left, right), ylim=(low, high))


def skeletons(scene: Scene, poses: Poses) -> list[Floats]:
    """Lines from tail to head of rods and along the edges of blocks, of bodies that are somewhere."""
    found = []
    for name, body in scene.body.items():
        if name not in poses:
            continue
        lines = []
        if isinstance(body, Rod):
            lines = [np.array([[-0.5 * body.length, 0.0, 0.0], [0.5 * body.length, 0.0, 0.0]])]
        elif isinstance(body, Block):
            a, b, c = 0.5 * _in_space(body.size)
            around = np.array([[-a, -b, c], [a, -b, c], [a, b, c], [-a, b, c], [-a, -b, c]])
            lines = [around] if c == 0.0 else [around, around - [0.0, 0.0, 2.0 * c], *(
                np.array([corner, corner - [0.0, 0.0, 2.0 * c]]) for corner in around[:4])]
        found += [poses[name].centre + line @ poses[name].axes.T for line in lines]
    return found


def extent(scene: Scene, dimension: int, t: float = 0.0, poses: Poses = NOWHERE, moving: bool = False) -> Floats:
    """(k, 2) points in the picture of boundaries that have an end: those of bodies with `moving`, else the others."""
    points = [np.zeros((0, 2))]
    if moving:
        points += [seen(line, dimension) for line in skeletons(scene, poses)]
    for boundary in scene.boundary.values():
        if not isinstance(boundary, Plane | ImplicitSurface) and (boundary.body in poses) == moving:
            points += [seen(placed(line, boundary, t, poses), dimension) for line in
                       outline_of(boundary, dimension).lines]
    return np.concatenate(points)


def placed(points: Floats, boundary: Boundary, t: float, poses: Poses, back: bool = False) -> Floats:
    """Where points (k, 3) of a boundary are at time t, with its body or as prescribed; `back` asks where they were."""
    if boundary.body is None or boundary.body not in poses:
        return moved(points, boundary.motion, t, back)
    pose = poses[boundary.body]
    return ((points - pose.centre) @ pose.rotation + pose.start if back
            else (points - pose.start) @ pose.rotation.T + pose.centre)


def moved(points: Floats, motion: Motion | None, t: float, back: bool = False) -> Floats:
    """Where points (k, 3) of a boundary are at time t: C + D(t) + R(t)(x - C); `back` asks where they came from."""
    if motion is None:
        return points
    elapsed = max(0.0, min(t, math.inf if motion.until is None else motion.until) - motion.start_time)
    D = elapsed * _in_space(motion.velocity or (0.0, 0.0))
    D += math.sin(2.0 * math.pi * motion.frequency * t + motion.phase) * _in_space(motion.amplitude or (0.0, 0.0))
    C = _in_space(motion.centre or (0.0, 0.0))
    R = _rotation(elapsed * _in_space(motion.angular_velocity or (0.0, 0.0)))
    return (points - C - D) @ R + C if back else (points - C) @ R.T + C + D


def _rotation(angle: Floats) -> Floats:
    """Rotation about a vector by its length (Rodrigues)."""
    size = float(np.linalg.norm(angle))
    if size == 0.0:
        return np.eye(3)
    x, y, z = angle / size
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turned: Floats = np.eye(3) + math.sin(size) * K + (1.0 - math.cos(size)) * (K @ K)
    return turned


def _in_space(vector: Sequence[float]) -> Floats:
    full = np.zeros(3)
    full[: len(vector)] = vector
    return full


def outline_of(boundary: Boundary, dimension: int) -> Outline:
    """Lines of a boundary that has an end, where the scene puts it."""
    match boundary:
        case Wall():
            return Outline([_wall(boundary)])
        case FixedDisk() | FixedSphere():
            across = np.eye(3)[1 if dimension == 2 else 2]
            return Outline([_circle(_in_space(boundary.centre), abs(boundary.radius), np.eye(3)[0], across)],
                           boundary.radius > 0.0)
        case Box():
            return Outline(_box(boundary, dimension))
        case Cylinder():
            return Outline(_cylinder(boundary))
        case Hopper():
            return Outline(_hopper(boundary, dimension))
        case _:
            return Outline([])


def _circle(centre: Floats, radius: float, e1: Floats, e2: Floats, count: int = 181) -> Floats:
    angle = np.linspace(0.0, 2.0 * np.pi, count)[:, None]
    return centre + radius * (np.cos(angle) * e1 + np.sin(angle) * e2)


def _wall(wall: Wall) -> Floats:
    """A straight line, an arc, or the rim of a flat piece."""
    points = np.array([_in_space(point) for point in wall.positions])
    if len(points) > 2:
        return np.concatenate([points, points[:1]])
    if wall.radius is None:
        return points
    half = 0.5 * (points[1] - points[0])
    bulge = np.array([-half[1], half[0], 0.0]) / np.linalg.norm(half) * math.copysign(1.0, wall.radius)
    R, a = abs(wall.radius), float(np.linalg.norm(half))
    centre = points.mean(axis=0) - bulge * math.sqrt(max(R * R - a * a, 0.0))
    angle = np.linspace(-1.0, 1.0, 61)[:, None] * math.asin(min(a / R, 1.0))
    arc: Floats = centre + R * (np.cos(angle) * bulge + np.sin(angle) * half / a)
    return arc


def _box(box: Box, dimension: int) -> list[Floats]:
    """The sides of a box, those that are open left out."""
    up = dimension - 1
    low, high = _in_space(box.lower), _in_space(box.upper)
    sides = []
    for k, other in ((0, up), (up, 0)):
        for sign, at in (("-", low[k]), ("+", high[k])):
            if sign + "xyz"[k] not in box.open:
                ends = np.array([low, high])
                ends[:, k] = at
                ends[:, 1 if dimension == 3 else 2] = 0.0
                ends[:, other] = low[other], high[other]
                sides.append(ends)
    return sides


def _cylinder(cylinder: Cylinder) -> list[Floats]:
    """Both rims, and the lines that join them on the left and right as seen along y."""
    first, last = np.array(cylinder.ends)
    along = (last - first) / np.linalg.norm(last - first)
    aside = np.cross(along, [0.0, 1.0, 0.0])
    if np.linalg.norm(aside) < 1e-9:
        aside = np.array([1.0, 0.0, 0.0])
    aside /= np.linalg.norm(aside)
    R, other = abs(cylinder.radius), np.cross(along, aside)
    rims = [_circle(end, R, aside, other) for end in (first, last)]
    return [*rims, *(np.array([first + side * R * aside, last + side * R * aside]) for side in (-1.0, 1.0))]


def _hopper(hopper: Hopper, dimension: int) -> list[Floats]:
    """The profile on both sides, in space as cut through its axis."""
    outlet, across, up = _in_space(hopper.position), np.eye(3)[0], np.eye(3)[dimension - 1]
    profile = [(0.5 * hopper.opening, 0.0), (0.5 * hopper.width, float(hopper.funnel_height)),
               (0.5 * hopper.width, hopper.funnel_height + hopper.height)]
    return [np.array([outlet + side * a * across + h * up, outlet + side * b * across + k * up])
            for side in (-1.0, 1.0) for (a, h), (b, k) in pairwise(profile)]


def _plane(plane: Plane, dimension: int, t: float, depth: float, limits: Limits, poses: Poses) -> list[Floats]:
    """The line of a plane through the picture; none if the plane is parallel to it."""
    point = _in_space(plane.position)
    point, tip = placed(np.array([point, point + _in_space(plane.normal)]), plane, t, poses)
    normal = tip - point
    view = np.eye(3)[2 if dimension == 2 else 1]
    along = np.cross(normal, view)
    if np.linalg.norm(along) <= 1e-9 * np.linalg.norm(normal):
        return []
    along /= np.linalg.norm(along)
    # the point of the plane in the picture's own plane that is nearest to the middle of the picture
    left, right, low, high = limits
    middle = np.zeros(3)
    middle[0], middle[1 if dimension == 2 else 2] = 0.5 * (left + right), 0.5 * (low + high)
    if dimension == 3:
        middle[1] = depth
    steep = np.cross(view, along)
    foot = middle + steep * float((point - middle) @ normal) / float(steep @ normal)
    reach = math.hypot(right - left, high - low) + math.dist(foot, middle)
    return [np.array([foot - reach * along, foot + reach * along])]


def _draw_surface(axis: Axes, surface: ImplicitSurface, dimension: int, t: float, depth: float, poses: Poses) -> None:
    """The curve Γ = 0 in the picture."""
    value = Compiled("XYZ", (), [parse_equation(surface.equation, "XYZ")])
    x, y = np.meshgrid(np.linspace(*axis.get_xlim(), _MESH), np.linspace(*axis.get_ylim(), _MESH))
    points = np.stack([x, y, 0.0 * x] if dimension == 2 else [x, np.full_like(x, depth), y], axis=-1).reshape(-1, 3)
    none = np.zeros(0)
    found = np.array([value(t, point, none)[0] for point in placed(points, surface, t, poses, back=True)])
    if found.min() < 0.0 < found.max():
        axis.contour(x, y, found.reshape(x.shape), levels=[0.0], colors=_LINE["color"],
                     linewidths=_LINE["linewidth"], zorder=_LINE["zorder"])
