"""Kernels that draw spheres, tubes and triangles into a picture with depth, and light them.

A sphere has a closed form, so that it needs no triangles, and these kernels need no graphics card, display or driver.
What VTK takes without a card is in docs/dev/decisions.md.

The camera looks along z; x points right and y down in the picture. A pixel (row, column) looks along
((column + 1/2 - W/2)/focal, (row + 1/2 - H/2)/focal, 1), and `depth` (H, W) is z of what it sees. `colour` and `normal`
(H, W, 3) hold the rest until `light` makes a picture of them.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from granum.base.kernels import Floats, Ints, inlined, kernel

Buffer: TypeAlias = NDArray[np.float32]
X, Y, Z = 0, 1, 2
"""Components of points and normals."""
LAMP = (-0.400, -0.680, -0.614)
"""Unit vector to the lamp, in the axes of the camera."""


class Target(NamedTuple):
    """What is drawn into, and how far 1 is in the picture at a distance of 1 [pixels]."""

    colour: Buffer
    normal: Buffer
    depth: Buffer
    focal: float


class Triangle(NamedTuple):
    """Corners of a triangle in the picture, twice its area, and the pixels it may cover."""

    ax: float
    ay: float
    bx: float
    by: float
    cx: float
    cy: float
    area: float
    left: int
    right: int
    top: int
    low: int


@inlined
def _paint(
    target: Target, row: int, column: int, t: float, tint: Floats, k: int, nx: float, ny: float, nz: float,
) -> None:
    """One pixel that sees something at the depth t."""
    target.depth[row, column] = t
    for i in range(3):
        target.colour[row, column, i] = tint[k, i]
    target.normal[row, column, X] = nx
    target.normal[row, column, Y] = ny
    target.normal[row, column, Z] = nz


@kernel
def draw_spheres(target: Target, centre: Floats, radius: Floats, tint: Floats, order: Ints) -> None:
    """Spheres, each pixel by the intersection of its ray; drawn fastest from the nearest to the farthest."""
    depth, focal = target.depth, target.focal
    height, width = depth.shape
    for k in order:
        x, y, z = centre[k, X], centre[k, Y], centre[k, Z]
        r = radius[k]
        if z <= 1.01 * r:
            continue
        flat = z * z - r * r  # tangents from the eye bound the ellipse that is seen
        reach_x, reach_y = r * math.sqrt(x * x + flat), r * math.sqrt(y * y + flat)
        left = max(0, int(focal * (x * z - reach_x) / flat + 0.5 * width - 0.5))
        right = min(width, int(focal * (x * z + reach_x) / flat + 0.5 * width + 1.5))
        top = max(0, int(focal * (y * z - reach_y) / flat + 0.5 * height - 0.5))
        low = min(height, int(focal * (y * z + reach_y) / flat + 0.5 * height + 1.5))
        beyond = x * x + y * y + flat
        for row in range(top, low):
            b = (row + 0.5 - 0.5 * height) / focal
            for column in range(left, right):
                a = (column + 0.5 - 0.5 * width) / focal
                ray, along = a * a + b * b + 1.0, a * x + b * y + z
                inside = along * along - ray * beyond
                if inside < 0.0:
                    continue
                t = (along - math.sqrt(inside)) / ray
                if t < depth[row, column]:
                    _paint(target, row, column, t, tint, k, (t * a - x) / r, (t * b - y) / r, (t - z) / r)


@kernel
def draw_tubes(target: Target, start: Floats, end: Floats, radius: Floats, tint: Floats, least: float) -> None:
    """Round tubes between points, at least 2 · `least` pixels wide."""
    depth, focal = target.depth, target.focal
    height, width = depth.shape
    for k in range(len(start)):
        if start[k, Z] <= 0.0 or end[k, Z] <= 0.0:
            continue
        ax, ay = (focal * start[k, X] / start[k, Z] + 0.5 * width, focal * start[k, Y] / start[k, Z] + 0.5 * height)
        bx, by = (focal * end[k, X] / end[k, Z] + 0.5 * width, focal * end[k, Y] / end[k, Z] + 0.5 * height)
        half = max(least, focal * radius[k] / min(start[k, Z], end[k, Z]))
        length = math.hypot(bx - ax, by - ay)
        ex, ey = ((bx - ax) / length, (by - ay) / length) if length > 1e-9 else (1.0, 0.0)
        for row in range(max(0, int(min(ay, by) - half)), min(height, int(max(ay, by) + half) + 1)):
            left, right = min(ax, bx) - half, max(ax, bx) + half
            if abs(ey) > 1e-6:  # only what is near the line, not all of the box around it
                middle, reach = ax + (row + 0.5 - ay) * ex / ey, half / abs(ey) + 1.0
                left, right = max(left, middle - reach), min(right, middle + reach)
            for column in range(max(0, int(left)), min(width, int(right) + 1)):
                px, py = column + 0.5 - ax, row + 0.5 - ay
                s = min(max(px * ex + py * ey, 0.0), length)
                ux, uy = px - s * ex, py - s * ey
                part = s / length if length > 1e-9 else 0.0
                z = 1.0 / ((1.0 - part) / start[k, Z] + part / end[k, Z])
                own = max(least, focal * radius[k] / z)
                off = (ux * ux + uy * uy) / (own * own)
                if off >= 1.0:
                    continue
                bulge = math.sqrt(1.0 - off)
                t = z - bulge * own * z / focal
                if t < depth[row, column]:
                    _paint(target, row, column, t, tint, k, ux / own, uy / own, -bulge)


@inlined
def _pixel(at: float, count: int) -> int:
    """The pixel at a place in a picture, or the nearest to a place beside it."""
    return int(min(max(at, 0.0), float(count)))


@inlined
def _in_picture(corner: Floats, k: int, focal: float, height: int, width: int) -> Triangle:
    """A triangle of (n, 3, 3) as it is seen; nothing of it, and no area, where a corner is behind the eye."""
    if corner[k, 0, Z] <= 0.0 or corner[k, 1, Z] <= 0.0 or corner[k, 2, Z] <= 0.0:
        return Triangle(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0)
    ax, ay = focal * corner[k, 0, X] / corner[k, 0, Z], focal * corner[k, 0, Y] / corner[k, 0, Z]
    bx, by = focal * corner[k, 1, X] / corner[k, 1, Z], focal * corner[k, 1, Y] / corner[k, 1, Z]
    cx, cy = focal * corner[k, 2, X] / corner[k, 2, Z], focal * corner[k, 2, Y] / corner[k, 2, Z]
    ax, bx, cx = ax + 0.5 * width, bx + 0.5 * width, cx + 0.5 * width
    ay, by, cy = ay + 0.5 * height, by + 0.5 * height, cy + 0.5 * height
    return Triangle(ax, ay, bx, by, cx, cy, (bx - ax) * (cy - ay) - (cx - ax) * (by - ay),
                    _pixel(min(ax, bx, cx), width), min(width, _pixel(max(ax, bx, cx), width) + 2),
                    _pixel(min(ay, by, cy), height), min(height, _pixel(max(ay, by, cy), height) + 2))


@kernel
def draw_triangles(target: Target, corner: Floats, facing: Floats, tint: Floats, opacity: Floats) -> None:
    """Triangles (n, 3, 3), seen from both sides.

    Args:
        facing: (n, 3, 3) normals at their corners, of those that are opaque.
        opacity: (n,) 1 where they hide what is behind. Through others one looks: they tint a picture that is lit
            already, and leave its depth; the farthest come first.
    """
    colour, depth, focal = target.colour, target.depth, target.focal
    height, width = depth.shape
    for k in range(len(corner)):
        seen = _in_picture(corner, k, focal, height, width)
        if abs(seen.area) <= 1e-9:
            continue
        glass = opacity[k] < 1.0
        for row in range(seen.top, seen.low):
            y = row + 0.5
            for column in range(seen.left, seen.right):
                x = column + 0.5
                u = ((seen.bx - x) * (seen.cy - y) - (seen.cx - x) * (seen.by - y)) / seen.area
                v = ((seen.cx - x) * (seen.ay - y) - (seen.ax - x) * (seen.cy - y)) / seen.area
                w = 1.0 - u - v
                # the last edge of a triangle of glass is the first of its neighbour: no pixel is tinted twice
                if u < 0.0 or v < 0.0 or w < 0.0 or (glass and (v == 0.0 or w == 0.0)):
                    continue
                u, v, w = u / corner[k, 0, Z], v / corner[k, 1, Z], w / corner[k, 2, Z]
                t = 1.0 / (u + v + w)
                if t >= depth[row, column]:
                    continue
                if glass:
                    for i in range(3):
                        colour[row, column, i] += opacity[k] * (tint[k, i] - colour[row, column, i])
                    continue
                nx = u * facing[k, 0, X] + v * facing[k, 1, X] + w * facing[k, 2, X]
                ny = u * facing[k, 0, Y] + v * facing[k, 1, Y] + w * facing[k, 2, Y]
                nz = u * facing[k, 0, Z] + v * facing[k, 1, Z] + w * facing[k, 2, Z]
                size = math.sqrt(nx**2 + ny**2 + nz**2)
                if (x - 0.5 * width) * nx + (y - 0.5 * height) * ny + focal * nz > 0.0:  # it faces away
                    size = -size
                _paint(target, row, column, t, tint, k, nx / size, ny / size, nz / size)


@kernel
def shadow(target: Target, reach: float, turns: Floats, step: int, shade: Buffer) -> None:
    """How open to the sky each `step`-th pixel is, from 0 to 1: what near it rises above its tangent plane darkens it.

    Args:
        reach: distance up to which things darken each other [m].
        turns: (samples, 2) places in the unit disk.
        shade: (H/step, W/step)
    """
    normal, depth, focal = target.normal, target.depth, target.focal
    height, width = depth.shape
    for i in range(shade.shape[0]):
        for j in range(shade.shape[1]):
            row, column = i * step, j * step
            z = depth[row, column]
            shade[i, j] = 1.0
            if z == np.inf:
                continue
            x, y = z * (column + 0.5 - 0.5 * width) / focal, z * (row + 0.5 - 0.5 * height) / focal
            far = min(max(focal * reach / z, 3.0), 0.08 * height)
            turn = 2.399963 * ((7 * (i % 4) + 3 * (j % 4)) % 16)  # neighbours look at other places
            c, s = math.cos(turn), math.sin(turn)
            closed = 0.0
            for k in range(len(turns)):
                m = row + int(far * (s * turns[k, X] + c * turns[k, Y]))
                n = column + int(far * (c * turns[k, X] - s * turns[k, Y]))
                if m < 0 or n < 0 or m >= height or n >= width or depth[m, n] == np.inf:
                    continue
                q = depth[m, n]
                dx, dy = q * (n + 0.5 - 0.5 * width) / focal - x, q * (m + 0.5 - 0.5 * height) / focal - y
                dz = q - z
                above = dx * normal[row, column, X] + dy * normal[row, column, Y] + dz * normal[row, column, Z]
                size = dx * dx + dy * dy + dz * dz
                if above > 0.02 * reach and size < 4.0 * reach * reach:
                    closed += above / math.sqrt(size) * (1.0 - size / (4.0 * reach * reach))
            shade[i, j] = max(0.3, 1.0 - 1.1 * closed / len(turns))


@kernel
def cast_shadow(
    target: Target, rotation: Floats, shift: Floats, lamp: Target, thick: float, wide: float, turns: Floats, step: int,
    lit: Buffer,
) -> None:
    """How much of the lamp each `step`-th pixel sees, from 0 to 1: a shadow map with a soft rim.

    Args:
        rotation, shift: (3, 3) and (3,): from the axes of the camera to those of the lamp.
        lamp: what the lamp sees, as another camera.
        thick: how far above its surface a point looks for the lamp [m]: more than a pixel of the lamp.
        wide: half the width of the rim of a shadow [m].
        turns: (samples, 2) places in the unit disk.
        lit: (H/step, W/step)
    """
    normal, depth, focal = target.normal, target.depth, target.focal
    height, width = depth.shape
    rows, columns = lamp.depth.shape
    for i in range(lit.shape[0]):
        for j in range(lit.shape[1]):
            row, column = i * step, j * step
            z = depth[row, column]
            lit[i, j] = 1.0
            if z == np.inf:
                continue
            x = z * (column + 0.5 - 0.5 * width) / focal + thick * normal[row, column, X]
            y = z * (row + 0.5 - 0.5 * height) / focal + thick * normal[row, column, Y]
            z += thick * normal[row, column, Z]
            far = rotation[Z, X] * x + rotation[Z, Y] * y + rotation[Z, Z] * z + shift[Z]
            right = rotation[X, X] * x + rotation[X, Y] * y + rotation[X, Z] * z + shift[X]
            down = rotation[Y, X] * x + rotation[Y, Y] * y + rotation[Y, Z] * z + shift[Y]
            reach = max(lamp.focal * wide / far, 1.0)
            turn = 2.399963 * ((7 * (i % 4) + 3 * (j % 4)) % 16)
            c, s = math.cos(turn), math.sin(turn)
            hidden = 0
            for k in range(len(turns)):
                m = int(lamp.focal * down / far + 0.5 * rows + reach * (s * turns[k, X] + c * turns[k, Y]))
                n = int(lamp.focal * right / far + 0.5 * columns + reach * (c * turns[k, X] - s * turns[k, Y]))
                if 0 <= m < rows and 0 <= n < columns and lamp.depth[m, n] < far:
                    hidden += 1
            lit[i, j] = 1.0 - hidden / len(turns)


@kernel
def lay_over(over: Target, depth: Buffer, fade: float, least: float, picture: Buffer) -> None:
    """Lay what is drawn into `over` over a picture that is lit already: fully where it is in front, fainter the deeper
    it is behind what the picture shows.

    Args:
        depth: (H, W) of what the picture shows.
        fade: depth over which it falls to 1/e [m].
        least: part that is left of it however deep it is.
    """
    height, width = depth.shape
    for row in range(height):
        for column in range(width):
            if over.depth[row, column] == np.inf:
                continue
            behind = max(0.0, over.depth[row, column] - depth[row, column])
            part = max(least, math.exp(-behind / fade))
            x, y, z = over.normal[row, column, X], over.normal[row, column, Y], over.normal[row, column, Z]
            bright = 0.62 + 0.55 * max(0.0, LAMP[X] * x + LAMP[Y] * y + LAMP[Z] * z)
            for k in range(3):
                own = min(1.0, bright * over.colour[row, column, k])
                picture[row, column, k] += part * (own - picture[row, column, k])


@kernel
def blurred(shade: Buffer, out: Buffer) -> None:
    """Means of 4 × 4 neighbours, which together have looked everywhere."""
    rows, columns = shade.shape
    for i in range(rows):
        for j in range(columns):
            total, count = 0.0, 0
            for m in range(max(0, i - 2), min(rows, i + 2)):
                for n in range(max(0, j - 2), min(columns, j + 2)):
                    total += shade[m, n]
                    count += 1
            out[i, j] = total / count


@kernel
def light(target: Target, shade: Buffer, lit: Buffer, step: int, picture: Buffer) -> None:
    """A lamp above on the left with a highlight, the sky, and a little light from the right; nothing is white.

    Args:
        shade: (H/step, W/step) how open to the sky pixels are.
        lit: (H/step, W/step) how much of the lamp they see.
    """
    colour, normal, depth = target.colour, target.normal, target.depth
    height, width = depth.shape
    for row in range(height):
        for column in range(width):
            if depth[row, column] == np.inf:
                for k in range(3):
                    picture[row, column, k] = 1.0
                continue
            open_, lamp = shade[row // step, column // step], lit[row // step, column // step]
            x, y, z = normal[row, column, X], normal[row, column, Y], normal[row, column, Z]
            key = lamp * max(0.0, LAMP[X] * x + LAMP[Y] * y + LAMP[Z] * z)
            fill = max(0.0, 0.84 * x + 0.05 * y - 0.54 * z)
            sky = 0.5 - 0.5 * y
            shine = max(0.0, -0.22 * x - 0.38 * y - 0.898 * z) ** 4
            shine *= shine * shine
            shine *= shine * shine
            for k in range(3):
                own = colour[row, column, k]
                picture[row, column, k] = min(1.0, own * (0.46 + 0.20 * sky + 0.62 * key + 0.14 * fill) * open_
                                              + 0.20 * lamp * shine * open_)


@kernel
def shrink(picture: Buffer, step: int, out: NDArray[np.uint8]) -> None:
    """Mean colours of step × step pixels."""
    for row in range(out.shape[0]):
        for column in range(out.shape[1]):
            for k in range(3):
                total = 0.0
                for i in range(step):
                    for j in range(step):
                        total += picture[row * step + i, column * step + j, k]
                out[row, column, k] = int(255.0 * total / (step * step) + 0.5)


@kernel
def corner_normals(own: Floats, faces: Ints, first: Ints, around: Ints, crease: float, normals: Floats) -> None:
    """(faces, 3, 3) normals at the corners of faces: means over neighbours that are not across an edge.

    Args:
        own: (faces, 3) normals of the faces, as long as these are large.
        first, around: faces around each vertex, as rows of a compressed table.
        crease: cosine of the angle between faces from which it is an edge.
    """
    for f in range(len(faces)):
        size = math.sqrt(own[f, X] ** 2 + own[f, Y] ** 2 + own[f, Z] ** 2)
        for corner in range(3):
            normals[f, corner, :] = 0.0
            vertex = faces[f, corner]
            for k in range(first[vertex], first[vertex + 1]):
                g = around[k]
                other = math.sqrt(own[g, X] ** 2 + own[g, Y] ** 2 + own[g, Z] ** 2)
                inner = own[f, X] * own[g, X] + own[f, Y] * own[g, Y] + own[f, Z] * own[g, Z]
                if inner >= crease * size * other:
                    for i in range(3):
                        normals[f, corner, i] += own[g, i]
            total = math.sqrt(normals[f, corner, X] ** 2 + normals[f, corner, Y] ** 2 + normals[f, corner, Z] ** 2)
            for i in range(3):
                normals[f, corner, i] /= total if total > 0.0 else 1.0
