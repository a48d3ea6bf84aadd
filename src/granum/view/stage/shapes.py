"""What bodies and joints look like, in their own axes."""

from __future__ import annotations

import math

import numpy as np

from granum.base.kernels import Floats
from granum.model.bodies import Rigid
from granum.model.clumps import Clump
from granum.model.connections import BallJoint, Glue, Hinge
from granum.model.solids import Block, Disk, HalfShell, Rod, Sphere, TwoHalfShell
from granum.view.stage.items import Mesh
from granum.view.stage.meshes import (
    axes_along,
    box,
    cylinder,
    half_shell,
    joined,
    lines_only,
    polygon,
    shifted,
    sphere,
    tube,
    turned,
)

ROUND = (Sphere, Disk, Clump)
"""Bodies that are seen as balls."""

def parts(body: Rigid) -> tuple[Floats, Floats]:
    """(n, 3) centres from the mass centre and (n,) radii of a body that is seen as balls."""
    if isinstance(body, Clump):
        x, y, z = body.origin()
        return body.centres() - [x, y, z], body.radii()
    assert isinstance(body, Sphere | Disk)
    return np.zeros((1, 3)), np.array([body.radius])


def body_mesh(body: Rigid, dimension: int, thin: float) -> Mesh:
    """A body that is not seen as balls, in its axes from the mass centre; `thin` is half as wide as a thin rod [m]."""
    match body:
        case Rod():
            return _rod(body, dimension, thin)
        case Block():
            return box(0.5 * np.array((*body.size, 0.0)[:3]))
        case HalfShell():
            return shifted(half_shell(body.radius, body.inner_radius or 0.0), np.array(body.properties().centre))
        case TwoHalfShell():
            return shifted(sphere(body.radius), np.array(body.properties().centre))
        case _:
            return _arms(body, dimension, thin)


def _rod(rod: Rod, dimension: int, thin: float) -> Mesh:
    """A cylinder from tail to head, in the plane a ribbon."""
    r, half = rod.radius or thin, 0.5 * rod.length
    if dimension == 2:
        return box(np.array([half, r, 0.0]))
    return shifted(cylinder(rod.length, r), np.array([-half, 0.0, 0.0]))


def _arms(body: Rigid, dimension: int, thin: float) -> Mesh:
    """Arms from the mass centre to all named points; without any, a cross as large as the radius of gyration."""
    ends = [np.array(at) for at in body.fixed_points().values() if np.any(at)]
    if not ends:
        properties = body.properties()
        size = math.sqrt(float(np.max(properties.inertia)) / properties.mass)
        return lines_only([np.array([-size * axis, size * axis]) for axis in np.eye(3)[:dimension]])
    centre = np.zeros(3)
    if dimension == 2:
        return lines_only([np.array([centre, end]) for end in ends])
    return joined([tube(centre, end, thin) for end in ends])._replace(lines=())


def rail_mesh(axis: Floats, travel: tuple[float, float], size: float, dimension: int) -> Mesh:
    """What a slider slides on, along its axis as far as it goes: two lines in the plane, a rod in space."""
    along = axes_along(axis)
    least, most = travel[0] - 3.0 * size, travel[1] + 3.0 * size
    if dimension == 2:
        rail = np.array([least, most])[:, None] * along[:, 0]
        across = np.array([-along[1, 0], along[0, 0], 0.0]) * size
        return lines_only([rail + across, rail - across])
    return turned(shifted(cylinder(most - least, 0.4 * size), np.array([least, 0.0, 0.0])), along)


def joint_mesh(joint: BallJoint | Hinge | Glue, axis: Floats | None, size: float, dimension: int) -> Mesh:
    """A joint about its point: a pin along its axis, a ball, a small cube.

    Args:
        axis: (3,) direction in the axes of the mesh, where the joint has one.
        size: radius of a pin [m].
    """
    if isinstance(joint, Glue):
        return box(0.8 * size * np.array([1.0, 1.0, float(dimension == 3)]))
    if dimension == 2:
        angle = np.linspace(0.0, 2.0 * np.pi, 32, endpoint=False)
        return polygon(size * np.column_stack([np.cos(angle), np.sin(angle), 0.0 * angle]))
    if isinstance(joint, Hinge) and axis is not None:
        return turned(shifted(cylinder(5.0 * size, size), np.array([-2.5 * size, 0.0, 0.0])), axes_along(axis))
    return sphere(1.3 * size)._replace(lines=(), tones=None)
