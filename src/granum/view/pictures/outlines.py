"""Outlines of boundaries: lines in pictures of 2-D, and of 3-D seen along y."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import Polygon

from granum.algebra.compiled import Compiled
from granum.algebra.parse import parse_equation
from granum.base.kernels import Floats
from granum.model.boundaries import Boundary, ImplicitSurface, Plane
from granum.model.scene import Scene
from granum.model.solids import Block, Rod
from granum.view.shapes.bodies import body_outline
from granum.view.shapes.boundaries import ENDLESS, Outline, moved, outline_of, vector3

_LINE: dict[str, Any] = {"color": "#303030", "linewidth": 1.3, "zorder": 3}
_SOLID: dict[str, Any] = {"facecolor": "#D0D0D0", "edgecolor": "#303030", "linewidth": 1.0, "zorder": 2}
_MESH = 160
"""Points along each side of the grid on which an implicit surface is looked for."""

Limits = tuple[float, float, float, float]
"""Left, right, low, high end of a picture [m]."""


class Pose(NamedTuple):
    """Where a body is, against where it started."""

    centre: Floats
    """(3,) mass centre now [m]."""
    start: Floats
    """(3,) mass centre at the start [m]."""
    rotation: Floats
    """(3, 3): rotates its axes of the start into those of now."""
    axes: Floats
    """(3, 3): rotates body axes into inertial ones, now."""


Poses = Mapping[str, Pose]
"""Of bodies by name."""
NOWHERE: Poses = {}


def seen(points: Floats, dimension: int) -> Floats:
    """(k, 2) positions in the picture of points (k, 3): x and y in 2-D, x and z in 3-D."""
    return points[:, [0, 1]] if dimension == 2 else points[:, [0, 2]]


def draw_boundaries(axis: Axes, scene: Scene, dimension: int, t: float = 0.0, depth: float = 0.0,
                    poses: Poses = NOWHERE) -> None:
    """Draw all boundaries of a scene at time t into the limits that the axis has, and its rods.

    In 3-D they are seen along y; what has no end and implicit surfaces are cut at y = depth. Boundaries of bodies are
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
            own = outline_of(boundary, dimension)
            outline = Outline([placed(line, boundary, t, poses) for line in own.lines], own.solid)
        flat = [seen(line, dimension) for line in outline.lines]
        if outline.solid:
            axis.add_patch(Polygon(flat.pop(0), closed=True, **_SOLID))
        lines += flat
    axis.add_collection(LineCollection([*lines], **_LINE), autolim=False)
    axis.set(xlim=(left, right), ylim=(low, high))


def skeletons(scene: Scene, poses: Poses) -> list[Floats]:
    """Lines from tail to head of rods and along the edges of blocks, of bodies that are somewhere."""
    lines = []
    for name, body in scene.body.items():
        if name in poses and isinstance(body, Rod | Block):
            dimension = 3 if isinstance(body, Block) and len(body.size) == 3 else 2
            lines += [poses[name].centre + line @ poses[name].axes.T for line in body_outline(body, dimension)]
    return lines


def extent(scene: Scene, dimension: int, t: float = 0.0, poses: Poses = NOWHERE, moving: bool = False) -> Floats:
    """(k, 2) points in the picture of boundaries that have an end: those of bodies with `moving`, else the others."""
    points = [np.zeros((0, 2))]
    if moving:
        points += [seen(line, dimension) for line in skeletons(scene, poses)]
    for boundary in scene.boundary.values():
        if not isinstance(boundary, ENDLESS) and (boundary.body in poses) == moving:
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


def _plane(plane: Plane, dimension: int, t: float, depth: float, limits: Limits, poses: Poses) -> list[Floats]:
    """The line of a plane through the picture; none if the plane is parallel to it."""
    point = vector3(plane.position)
    point, tip = placed(np.array([point, point + vector3(plane.normal)]), plane, t, poses)
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
    gamma = np.array([value(t, point, none)[0] for point in placed(points, surface, t, poses, back=True)])
    if gamma.min() < 0.0 < gamma.max():
        axis.contour(x, y, gamma.reshape(x.shape), levels=[0.0], colors=_LINE["color"],
                     linewidths=_LINE["linewidth"], zorder=_LINE["zorder"])
