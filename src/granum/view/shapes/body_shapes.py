"""What bodies look like in their own axes, from the mass centre: an outline for pictures and a mesh for each kind.

A new kind of body registers its own: `@body_outline.register` for lines and `@body_mesh.register` for a mesh.
"""

from __future__ import annotations

import math
from functools import singledispatch
from itertools import product

import numpy as np

from granum.base.kernels import Floats
from granum.base.rotations import three
from granum.model.body_entries import Body, Rigid
from granum.model.clumps import Clump
from granum.model.solids import Block, Disk, Ellipsoid, HalfShell, Rod, Sphere, TwoHalfShell
from granum.view.shapes.meshes import (
    Mesh,
    box,
    circle,
    cylinder,
    great_circles,
    half_shell,
    joined,
    lines_only,
    rotated,
    shifted,
    sphere,
    tube,
)


def seen_as_balls(body: Body | None, dimension: int) -> bool:
    """Is a body round, or made of round parts? A disk is only in 2-D."""
    return isinstance(body, Sphere | Clump) or (isinstance(body, Disk) and dimension == 2)


def parts(body: Rigid) -> tuple[Floats, Floats]:
    """(n, 3) centres from the mass centre and (n,) radii of a body that is seen as balls."""
    if isinstance(body, Clump):
        x, y, z = body.origin()
        return body.centres() - [x, y, z], body.radii()
    assert isinstance(body, Sphere | Disk)
    return np.zeros((1, 3)), np.array([body.radius])


@singledispatch
def body_outline(body: Rigid, dimension: int) -> list[Floats]:
    """(k, 3) lines of a body in its axes, from the mass centre [m]: rings of round ones, else lines to named points."""
    properties = body.properties()
    if properties.semi_axes is not None and dimension == 3:
        return [np.array(properties.centre) + ring * properties.semi_axes for ring in great_circles(1.0)]
    if properties.radius is not None:
        centre = np.array(properties.centre)
        return [centre + ring for ring in _rings(properties.radius, dimension)]
    return [np.array([np.zeros(3), at]) for at in body.fixed_points().values()]


@singledispatch
def body_mesh(body: Rigid, dimension: int, thin: float) -> Mesh:
    """A body that is not seen as balls, in its axes from the mass centre; `thin` is half as wide as a thin rod [m].

    Arms go from the mass centre to all named points; without any, a cross is as large as the radius of gyration.
    """
    ends = [np.array(at) for at in body.fixed_points().values() if np.any(at)]
    if not ends:
        properties = body.properties()
        size = math.sqrt(float(np.max(properties.inertia)) / properties.mass)
        return lines_only([np.array([-size * axis, size * axis]) for axis in np.eye(3)[:dimension]])
    centre = np.zeros(3)
    if dimension == 2:
        return lines_only([np.array([centre, end]) for end in ends])
    return joined([tube(centre, end, thin) for end in ends])._replace(lines=())


@body_outline.register
def _clump_outline(clump: Clump, dimension: int) -> list[Floats]:
    centres = clump.fixed_points()
    return [np.array(centres[str(k + 1)]) + ring for k, part in enumerate(clump.parts)
            for ring in _rings(part.radius, dimension)]


@body_outline.register
def _rod_outline(rod: Rod, dimension: int) -> list[Floats]:
    ends = rod.fixed_points()
    return [np.array([ends["tail"], ends["head"]])]


@body_mesh.register
def _rod_mesh(rod: Rod, dimension: int, thin: float) -> Mesh:
    """A cylinder from tail to head, in 2-D a ribbon."""
    r, half = rod.radius or thin, 0.5 * rod.length
    if dimension == 2:
        return box(np.array([half, r, 0.0]))
    return shifted(cylinder(rod.length, r), np.array([-half, 0.0, 0.0]))


@body_outline.register
def _block_outline(block: Block, dimension: int) -> list[Floats]:
    half = 0.5 * three(block.size)
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]
    rims = [half * np.array([(x, y, z) for x, y in corners]) for z in ((-1, 1) if dimension == 3 else (0,))]
    uprights = [half * np.array([(x, y, -1), (x, y, 1)]) for x, y in product((-1, 1), repeat=2)]
    return [*rims, *(uprights if dimension == 3 else [])]


@body_mesh.register
def _block_mesh(block: Block, dimension: int, thin: float) -> Mesh:
    return box(0.5 * three(block.size))


@body_mesh.register
def _ellipsoid_mesh(body: Ellipsoid, dimension: int, thin: float) -> Mesh:
    ball = sphere(1.0)
    stretched = ball._replace(vertices=ball.vertices * body.semi_axes, lines=tuple(
        line * body.semi_axes for line in ball.lines))
    return shifted(stretched, np.array(body.properties().centre))


@body_mesh.register
def _disk_mesh(disk: Disk, dimension: int, thin: float) -> Mesh:
    """A plate about z, with a spoke that shows its orientation."""
    half = min(thin, 0.05 * disk.radius)
    axle = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]).T  # from x to z
    plate = rotated(shifted(cylinder(2.0 * half, disk.radius), np.array([-half, 0.0, 0.0])), axle)
    spokes = [np.array([[0.0, 0.0, z], [disk.radius, 0.0, z]]) for z in (-half, half)]
    return plate._replace(lines=(*plate.lines, *spokes))


@body_mesh.register
def _half_shell_mesh(shell: HalfShell, dimension: int, thin: float) -> Mesh:
    return shifted(half_shell(shell.radius, shell.inner_radius or 0.0), np.array(shell.properties().centre))


@body_mesh.register
def _two_half_shell_mesh(shell: TwoHalfShell, dimension: int, thin: float) -> Mesh:
    return shifted(sphere(shell.radius), np.array(shell.properties().centre))


def _rings(radius: float, dimension: int) -> list[Floats]:
    """A circle with a spoke that shows its orientation; in 3-D one circle about each axis."""
    flat = circle(radius, count=40)
    if dimension == 2:
        return [np.vstack([flat, np.zeros(3)])]
    return [flat, *(np.roll(flat, k, axis=1) for k in (1, 2))]
