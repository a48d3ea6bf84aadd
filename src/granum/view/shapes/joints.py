"""What joints look like, in their own axes."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats
from granum.model.connections import BallJoint, Glue, Hinge
from granum.view.shapes.meshes import (
    Mesh,
    axes_along,
    box,
    circle,
    cylinder,
    lines_only,
    polygon,
    rotated,
    shifted,
    sphere,
)


def rail_mesh(axis: Floats, travel: tuple[float, float], size: float, dimension: int) -> Mesh:
    """What a slider slides on, along its axis as far as it goes: two lines in 2-D, a rod in 3-D."""
    along = axes_along(axis)
    least, most = travel[0] - 3.0 * size, travel[1] + 3.0 * size
    if dimension == 2:
        rail = np.array([least, most])[:, None] * along[:, 0]
        across = np.array([-along[1, 0], along[0, 0], 0.0]) * size
        return lines_only([rail + across, rail - across])
    return rotated(shifted(cylinder(most - least, 0.4 * size), np.array([least, 0.0, 0.0])), along)


def joint_mesh(joint: BallJoint | Hinge | Glue, axis: Floats | None, size: float, dimension: int) -> Mesh:
    """A joint about its point: a pin along its axis, a ball, a small cube.

    Args:
        axis: (3,) direction in the axes of the mesh, where the joint has one.
        size: radius of a pin [m].
    """
    if isinstance(joint, Glue):
        return box(0.8 * size * np.array([1.0, 1.0, float(dimension == 3)]))
    if dimension == 2:
        return polygon(circle(size, count=32)[:-1])
    if isinstance(joint, Hinge) and axis is not None:
        return rotated(shifted(cylinder(5.0 * size, size), np.array([-2.5 * size, 0.0, 0.0])), axes_along(axis))
    return sphere(1.3 * size)._replace(lines=(), tones=None)
