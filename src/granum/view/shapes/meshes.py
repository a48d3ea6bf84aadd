"""Meshes of simple shapes: triangles with their normals outward, and the lines one would draw with a pen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints

AROUND = 48
"""Corners of a circle."""


NO_FACES: Ints = np.zeros((0, 3), np.int64)
NO_POINTS: Floats = np.zeros((0, 3))


class Mesh(NamedTuple):
    """Triangles, and lines worth drawing."""

    vertices: Floats
    """(v, 3) in its own axes [m]."""
    faces: Ints
    """(f, 3); none where there are only lines."""
    lines: tuple[Floats, ...] = ()
    """Edges and rims, (k, 3) each; in 2-D the first is the rim of the faces, where there are any."""
    tones: Ints | None = None
    """(f,) 0 or 1: faces of two tones, so that rotation is seen."""


def lines_only(lines: Sequence[Floats]) -> Mesh:
    """Lines without faces."""
    return Mesh(NO_POINTS, NO_FACES, tuple(lines))


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Several meshes as one."""
    if not meshes:
        return lines_only(())
    offsets = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes[:-1])])
    faces = [mesh.faces + offset for mesh, offset in zip(meshes, offsets, strict=True)]
    tones = None
    if any(mesh.tones is not None for mesh in meshes):
        tones = np.concatenate([np.zeros(len(mesh.faces), np.int64) if mesh.tones is None else mesh.tones
                                for mesh in meshes])
    return Mesh(np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(faces),
                tuple(line for mesh in meshes for line in mesh.lines), tones)


def shifted(mesh: Mesh, by: Floats) -> Mesh:
    """The mesh moved by a vector."""
    return mesh._replace(vertices=mesh.vertices + by, lines=tuple(line + by for line in mesh.lines))


def rotated(mesh: Mesh, rotation: Floats) -> Mesh:
    """The mesh turned by a rotation (3, 3)."""
    return mesh._replace(vertices=mesh.vertices @ rotation.T, lines=tuple(line @ rotation.T for line in mesh.lines))


def polygon(corners: Floats) -> Mesh:
    """A flat convex piece with its rim."""
    k = np.arange(1, len(corners) - 1)
    faces = np.column_stack([np.zeros_like(k), k, k + 1])
    return Mesh(corners, faces, (np.concatenate([corners, corners[:1]]),))


def extruded(outline: Floats, faces: Ints, height: float) -> Mesh:
    """A flat piece with its rim (k, 3), closed, in the plane x = 0; with a height, as thick as that along x."""
    corners = outline[:-1]
    if height == 0.0:
        return Mesh(corners, faces, (outline,))
    lift, count = np.array([0.5 * height, 0.0, 0.0]), len(corners)
    k = np.arange(count)
    after = (k + 1) % count
    sides = np.concatenate([np.column_stack([k, after, count + after]), np.column_stack([k, count + after, count + k])])
    return Mesh(np.concatenate([corners - lift, corners + lift]),
                np.concatenate([faces[:, ::-1], faces + count, sides]), (outline - lift, outline + lift))


def circle(radius: float, axes: Floats | None = None, count: int = AROUND) -> Floats:
    """(count + 1, 3): a closed circle in the plane of two axes (2, 3); x and y, if none are given."""
    angle = 2.0 * np.pi * (np.arange(count + 1) % count) / count
    flat = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    points: Floats = flat @ (np.eye(3)[:2] if axes is None else axes)
    return points


def box(half: Floats) -> Mesh:
    """A box of half edges (3,) about the origin; without a third edge a rectangle."""
    a, b, c = half
    around = np.array([[-a, -b, 0.0], [a, -b, 0.0], [a, b, 0.0], [-a, b, 0.0]])
    if c == 0.0:
        return polygon(around)
    upright = np.array([0.0, 0.0, c])
    low, high = around - upright, around + upright
    sides = [_quad(k, (k + 1) % 4, 4 + (k + 1) % 4, 4 + k) for k in range(4)]
    faces = np.array([face for quad in [_quad(0, 3, 2, 1), _quad(4, 5, 6, 7), *sides] for face in quad])
    rims = tuple(np.concatenate([rim, rim[:1]]) for rim in (low, high))
    return Mesh(np.concatenate([low, high]), faces, (*rims, *(np.array([low[k], high[k]]) for k in range(4))))


def _quad(a: int, b: int, c: int, d: int) -> list[tuple[int, int, int]]:
    return [(a, b, c), (a, c, d)]


def revolved(profile: Floats, tones: Sequence[int] | None = None) -> Mesh:
    """A surface of revolution about x from points (k, 2) of its profile (x, distance), its faces outward where x grows.

    Args:
        tones: of the k - 1 bands.
    """
    ring = circle(1.0, np.eye(3)[1:])[:-1]
    vertices = np.concatenate([[x, 0.0, 0.0] + r * ring for x, r in profile])
    k = np.arange(AROUND)
    after = (k + 1) % AROUND
    faces, tone = [], []
    for band, ((_, r), (_, s)) in enumerate(pairwise(profile)):
        low, high = band * AROUND, (band + 1) * AROUND
        if r > 0.0:
            faces.append(np.column_stack([low + k, low + after, high + k]))
        if s > 0.0:
            faces.append(np.column_stack([low + after, high + after, high + k]))
        tone += [0 if tones is None else tones[band]] * (AROUND * (int(r > 0.0) + int(s > 0.0)))
    return Mesh(vertices, np.concatenate(faces), (), None if tones is None else np.array(tone))


def rim(x: float, radius: float) -> Floats:
    """A closed circle about the x axis."""
    around: Floats = circle(radius, np.eye(3)[1:]) + np.array([x, 0.0, 0.0])
    return around


def cylinder(length: float, radius: float, closed: tuple[bool, bool] = (True, True)) -> Mesh:
    """A cylinder along x from 0 to its length, with lids where it is closed."""
    profile = [(0.0, radius), (length, radius)]
    profile = [*([(0.0, 0.0)] if closed[0] else []), *profile, *([(length, 0.0)] if closed[1] else [])]
    return revolved(np.array(profile))._replace(lines=(rim(0.0, radius), rim(length, radius)))


def sphere(radius: float, bands: int = 24) -> Mesh:
    """A ball about the origin, its halves at negative and positive x of two tones, with three great circles."""
    angle = np.linspace(np.pi, 0.0, bands + 1)
    profile = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    profile[[0, -1], 1] = 0.0
    made = revolved(profile, [int(k >= bands // 2) for k in range(bands)])
    return made._replace(lines=tuple(great_circles(radius)))


def great_circles(radius: float) -> list[Floats]:
    """Closed circles about x, y and z."""
    return [np.roll(circle(radius), k, axis=1) for k in (1, 2, 0)]


def half_shell(outer: float, inner: float, bands: int = 12) -> Mesh:
    """Half of a hollow ball at positive x, closed by a flat ring (a disk, if there is no hole)."""
    angle = np.linspace(0.0, 0.5 * np.pi, bands + 1)
    inside = inner * np.column_stack([np.cos(angle), np.sin(angle)])
    outside = outer * np.column_stack([np.cos(angle), np.sin(angle)])[::-1]
    inside[0, 1] = outside[-1, 1] = 0.0
    outside[0, 0] = inside[-1, 0] = 0.0
    start = inside if inner > 0.0 else np.zeros((1, 2))
    tones = [1] * (len(start) - 1) + [1] + [0] * bands
    rims = [rim(0.0, radius) for radius in (outer, inner) if radius > 0.0]
    arch = outer * np.column_stack([np.cos(2.0 * angle - 0.5 * np.pi), np.sin(2.0 * angle - 0.5 * np.pi)])
    flat = np.zeros(len(arch))
    meridians = (np.column_stack([arch[:, 0], arch[:, 1], flat]), np.column_stack([arch[:, 0], flat, arch[:, 1]]))
    return revolved(np.concatenate([start, outside]), tones)._replace(lines=(*rims, *meridians))


def axes_along(direction: Floats) -> Floats:
    """(3, 3) rotation that turns x into a direction."""
    e1 = direction / np.linalg.norm(direction)
    e2 = np.cross(np.eye(3)[int(np.abs(e1).argmin())], e1)
    e2 /= np.linalg.norm(e2)
    return np.column_stack([e1, e2, np.cross(e1, e2)])


def tube(start: Floats, end: Floats, radius: float) -> Mesh:
    """A closed cylinder from one point to another."""
    return shifted(rotated(cylinder(math.dist(start, end), radius), axes_along(end - start)), start)


def clipped(plane_point: Floats, normal: Floats, low: Floats, high: Floats) -> Floats:
    """(k, 3) corners of the part of a plane inside a box; none where it misses the box."""
    e1, e2 = axes_along(normal).T[1:]
    middle = 0.5 * (low + high)
    foot = middle - normal * float((middle - plane_point) @ normal) / float(normal @ normal)
    reach = 2.0 * float(np.linalg.norm(high - low)) + math.dist(foot, middle)
    corners = foot + reach * np.array([-e1 - e2, e1 - e2, e1 + e2, e2 - e1])
    for k in range(3):
        for sign, at in ((1.0, low[k]), (-1.0, high[k])):
            corners = _cut(corners, sign * (corners[:, k] - at))
    return corners


def _cut(corners: Floats, inside: Floats) -> Floats:
    """The part of a convex polygon where values at its corners are not negative (Sutherland and Hodgman)."""
    kept = []
    for k in range(len(corners)):
        a, b = inside[k - 1], inside[k]
        if (a < 0.0) != (b < 0.0):
            kept.append(corners[k - 1] + (corners[k] - corners[k - 1]) * (a / (a - b)))
        if b >= 0.0:
            kept.append(corners[k])
    return np.array(kept).reshape(-1, 3)


def grid_faces(rows: int, columns: int) -> Ints:
    """Triangles of a grid of rows × columns points."""
    k = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    return np.concatenate([np.column_stack([k, k + columns, k + columns + 1]),
                           np.column_stack([k, k + columns + 1, k + 1])])
