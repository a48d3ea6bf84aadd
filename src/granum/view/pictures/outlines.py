"""Outlines of boundaries and bodies: lines in pictures of 2-D, and of 3-D seen along y."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import Polygon

from granum.algebra.parse import parse_equation
from granum.base.kernels import Floats
from granum.base.rotations import three
from granum.model.body_entries import Rigid
from granum.model.boundaries import ImplicitSurface, Plane
from granum.model.scene import Scene
from granum.model.solids import Block, Rod
from granum.run import Run
from granum.view.shapes.body_shapes import body_outline
from granum.view.shapes.boundaries import ENDLESS, outline_of
from granum.view.shapes.surfaces import values_of
from granum.view.stage.actors import Actors
from granum.view.stage.couplings import coupling_solids
from granum.view.stage.poses import STILL, brought_back, placed

LINE = "#303030"
_LINE: dict[str, Any] = {"color": LINE, "linewidth": 1.3, "zorder": 3}
_SOLID: dict[str, Any] = {"facecolor": "#D0D0D0", "edgecolor": LINE, "linewidth": 1.0, "zorder": 2}
_MESH = 160
"""Points along each side of the grid on which an implicit surface is looked for."""

Limits = tuple[float, float, float, float]
"""Left, right, low, high end of a picture [m]."""


class Poses(NamedTuple):
    """(7,) by name, of what does not rest where the scene puts it."""

    boundaries: Mapping[str, Floats] = {}
    bodies: Mapping[str, Floats] = {}


NOWHERE = Poses()


def poses_of(actors: Actors, frame: int) -> Poses:
    """Where boundaries that move are, and rods and blocks."""
    scene = actors.scene
    return Poses({name: actors.boundary_pose(name, frame) for name, boundary in scene.boundary.items()
                  if boundary.body is not None or boundary.motion is not None},
                 {name: actors.pose(name, frame) for name, body in scene.body.items() if isinstance(body, Rod | Block)})


def seen(points: Floats, dimension: int) -> Floats:
    """(..., 2) positions in the picture of points (..., 3): x and y in 2-D, x and z in 3-D."""
    return points[..., [0, 1 if dimension == 2 else 2]]


def draw_boundaries(axis: Axes, scene: Scene, dimension: int, poses: Poses = NOWHERE, t: float = 0.0,
                    depth: float = 0.0) -> None:
    """Draw all boundaries of a scene into the limits that the axis has, and its rods and blocks.

    In 3-D they are seen along y; what has no end and implicit surfaces at time t are cut at y = depth.
    """
    limits: Limits = (*axis.get_xlim(), *axis.get_ylim())
    lines = [seen(line, dimension) for line in skeletons(scene, poses)]
    for name, boundary in scene.boundary.items():
        pose = poses.boundaries.get(name, STILL)
        if isinstance(boundary, ImplicitSurface):
            _draw_surface(axis, boundary, dimension, t, depth, pose)
        elif isinstance(boundary, Plane):
            lines += [seen(line, dimension) for line in _plane(boundary, dimension, depth, limits, pose)]
        else:
            outline = outline_of(boundary, dimension)
            flat = [seen(placed(pose, line), dimension) for line in outline.lines]
            if outline.solid:
                axis.add_patch(Polygon(flat.pop(0), closed=True, **_SOLID))
            lines += flat
    axis.add_collection(LineCollection([*lines], **_LINE), autolim=False)
    axis.set(xlim=limits[:2], ylim=limits[2:])


def skeletons(scene: Scene, poses: Poses) -> list[Floats]:
    """Lines from tail to head of rods and along the edges of blocks, of bodies that are somewhere."""
    lines = []
    for name, pose in poses.bodies.items():
        body = scene.body[name]
        assert isinstance(body, Rod | Block)
        dimension = 3 if isinstance(body, Block) and len(body.size) == 3 else 2
        lines += [placed(pose, line) for line in body_outline(body, dimension)]
    return lines


def extent(scene: Scene, dimension: int, poses: Poses = NOWHERE, moving: bool = False) -> Floats:
    """(k, 2) points in the picture of boundaries that have an end: those of bodies with `moving`, else the others."""
    points = [np.zeros((0, 2))]
    if moving:
        points += [seen(line, dimension) for line in skeletons(scene, poses)]
    for name, boundary in scene.boundary.items():
        if not isinstance(boundary, ENDLESS) and (boundary.body is not None) == moving:
            points += [seen(placed(poses.boundaries.get(name, STILL), line), dimension)
                       for line in outline_of(boundary, dimension).lines]
    return np.concatenate(points)


def _plane(plane: Plane, dimension: int, depth: float, limits: Limits, pose: Floats) -> list[Floats]:
    """The line of a plane through the picture; none if the plane is parallel to it."""
    point = three(plane.position)
    point, tip = placed(pose, np.array([point, point + three(plane.normal)]))
    normal = tip - point
    view = np.eye(3)[2 if dimension == 2 else 1]
    along = np.cross(normal, view)
    if np.linalg.norm(along) <= 1e-9 * np.linalg.norm(normal):
        return []
    along /= np.linalg.norm(along)
    # the point of the plane in the picture's own plane that is nearest to the middle of the picture
    left, right, low, high = limits
    across, up = 0.5 * (left + right), 0.5 * (low + high)
    middle = np.array([across, up, 0.0] if dimension == 2 else [across, depth, up])
    steep = np.cross(view, along)
    foot = middle + steep * float((point - middle) @ normal) / float(steep @ normal)
    reach = math.hypot(right - left, high - low) + math.dist(foot, middle)
    return [np.array([foot - reach * along, foot + reach * along])]


def _draw_surface(axis: Axes, surface: ImplicitSurface, dimension: int, t: float, depth: float, pose: Floats) -> None:
    """The curve Γ = 0 in the picture."""
    x, y = np.meshgrid(np.linspace(*axis.get_xlim(), _MESH), np.linspace(*axis.get_ylim(), _MESH))
    points = np.stack([x, y, 0.0 * x] if dimension == 2 else [x, np.full_like(x, depth), y], axis=-1)
    gamma = values_of(parse_equation(surface.equation, "XYZ"), brought_back(pose, points), t)
    if gamma.min() < 0.0 < gamma.max():
        axis.contour(x, y, gamma, levels=[0.0], colors=LINE, linewidths=_LINE["linewidth"], zorder=_LINE["zorder"])


def outlines(run: Run, frame: int) -> list[Floats]:
    """(k, dimension) lines of all rigid bodies, gears, belts and cams of a run at one instant [m]."""
    actors, dimension = Actors(run), run.dimension
    bodies = [placed(actors.pose(name, frame), line)[:, :dimension] for name, body in run.scene.body.items()
              if isinstance(body, Rigid) for line in body_outline(body, dimension)]
    return bodies + [placed(pose(frame), line)[:, :dimension] for solid, pose in coupling_solids(actors)
                     for line in solid.mesh.lines]


def polyline(lines: Sequence[Floats]) -> Floats:
    """All lines as one, with gaps: much faster to draw."""
    gap = np.full((1, lines[0].shape[1]), np.nan)
    return np.concatenate([part for line in lines for part in (line, gap)])
