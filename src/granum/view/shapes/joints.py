"""What joints look like, in their own axes."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats, Ints
from granum.model.connections import BallJoint, Glue, Hinge
from granum.model.loads import TorsionSpring
from granum.view.shapes.meshes import (
    Mesh,
    axes_along,
    box,
    circle,
    cylinder,
    extruded,
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


def drive_mesh(axis: Floats, turns: bool, size: float, dimension: int) -> Mesh:
    """A drive about the point of its joint, as an arrow of the second tone: around the axis, or along it."""
    outline, faces = _round_arrow(size) if turns else _straight_arrow(size)
    flat = extruded(outline, faces, 0.8 * size if dimension == 3 else 0.0)
    made = rotated(flat, axes_along(axis)) if turns or dimension == 3 else rotated(flat, _in_plane(axis))
    return made._replace(tones=np.ones(len(made.faces), np.int64))


def _in_plane(axis: Floats) -> Floats:
    """(3, 3) rotation that turns y into a direction of the plane z = 0, and x out of it."""
    e = axis / np.linalg.norm(axis)
    return np.column_stack([[0.0, 0.0, 1.0], e, np.cross([0.0, 0.0, 1.0], e)])


def _round_arrow(size: float) -> tuple[Floats, Ints]:
    """An arrow around x over three quarters of a circle: its closed rim (k, 3) and triangles."""
    angle = np.linspace(-0.75 * np.pi, 0.5 * np.pi, 25)
    inner, outer = (radius * size * _around(angle) for radius in (2.6, 3.4))
    wide = size * np.stack([4.2 * _around(angle[-1:])[0], 1.8 * _around(angle[-1:])[0]])
    tip = 3.0 * size * _around(angle[-1:] + 0.6)
    rim = np.concatenate([outer, wide[:1], tip, wide[1:], inner[::-1], outer[:1]])
    k, count = np.arange(len(angle) - 1), len(angle)
    back = 2 * count + 2 - k  # the inner corner that faces an outer one
    faces = np.concatenate([np.column_stack([k, k + 1, back]), np.column_stack([k + 1, back - 1, back]),
                            [[count, count + 1, count + 2]]])
    return rim, faces


def _around(angle: Floats) -> Floats:
    """(k, 3): points of the unit circle about x."""
    return np.column_stack([np.zeros_like(angle), np.cos(angle), np.sin(angle)])


def _straight_arrow(size: float) -> tuple[Floats, Ints]:
    """An arrow along y, beside the rail of its slider: its closed rim (8, 3) and triangles."""
    along, aside = np.array([-4.0, 2.0, 2.0, 4.0, 2.0, 2.0, -4.0]), np.array([-0.3, -0.3, -0.9, 0.0, 0.9, 0.3, 0.3])
    corners = size * np.column_stack([np.zeros(7), along, aside + 2.5])
    return np.concatenate([corners, corners[:1]]), np.array([[0, 1, 5], [0, 5, 6], [2, 3, 4]])


def torsion_mesh(spring: TorsionSpring, axis: Floats, size: float, dimension: int) -> Mesh:
    """A spring in a hinge as a spiral about its axis, in 3-D a coil along it; a damper alone as two rings."""
    part = np.linspace(0.0, 1.0, 73)
    if spring.stiffness == 0.0:
        return rotated(lines_only([circle(radius * size, np.eye(3)[1:]) for radius in (2.0, 2.6)]), axes_along(axis))
    radius = size * (1.5 + 2.0 * part if dimension == 2 else np.full_like(part, 1.8))
    coil = radius[:, None] * _around(6.0 * np.pi * part)
    coil[:, 0] = 0.0 if dimension == 2 else size * (4.0 * part - 2.0)
    return rotated(lines_only([coil]), axes_along(axis))
