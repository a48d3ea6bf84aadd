"""Kernels that draw spheres, tubes and triangles into a picture with depth, and light them.

A sphere has a closed form, so that it needs no triangles, and these kernels need no graphics card, display or driver.
What VTK takes without a card is in docs/dev/architecture.md.

The camera looks along z; x points right and y down in the picture. A pixel (row, column) looks along
((column + 1/2 - W/2)/focal, (row + 1/2 - H/2)/focal, 1), and `depth` (H, W) is z of what it sees. `colour` and `normal`
(H, W, 3) hold the rest until `light` makes a picture of them.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from granum.base.kernels import Floats, Ints, inlined, kernel

Buffer: TypeAlias = NDArray[np.float32]


@kernel
def draw_spheres(
    centre: Floats, radius: Floats, tint: Floats, order: Ints, focal: float, colour: Buffer, normal: Buffer,
    depth: Buffer,
) -> None:
    """Spheres, each pixel by the intersection of its ray; drawn fastest from the nearest to the farthest."""
    height, width = depth.shape
    for k in order:
        x, y, z = centre[k, 0], centre[k, 1], centre[k, 2]
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
                    depth[row, column] = t
                    for i in range(3):
                        colour[row, column, i] = tint[k, i]
                    normal[row, column, 0] = (t * a - x) / r
                    normal[row, column, 1] = (t * b - y) / r
                    normal[row, column, 2] = (t - z) / r


@kernel
def draw_tubes(
    start: Floats, end: Floats, radius: Floats, tint: Floats, least: float, focal: float, colour: Buffer,
    normal: Buffer, depth: Buffer,
) -> None:
    """Round tubes between points, at least 2 · `least` pixels wide."""
    height, width = depth.shape
    for k in range(len(start)):
        if start[k, 2] <= 0.0 or end[k, 2] <= 0.0:
            continue
        ax, ay = (focal * start[k, 0] / start[k, 2] + 0.5 * width, focal * start[k, 1] / start[k, 2] + 0.5 * height)
        bx, by = (focal * end[k, 0] / end[k, 2] + 0.5 * width, focal * end[k, 1] / end[k, 2] + 0.5 * height)
        half = max(least, focal * radius[k] / min(start[k, 2], end[k, 2]))
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
                z = 1.0 / ((1.0 - part) / start[k, 2] + part / end[k, 2])
                own = max(least, focal * radius[k] / z)
                off = (ux * ux + uy * uy) / (own * own)
                if off >= 1.0:
                    continue
                bulge = math.sqrt(1.0 - off)
                t = z - bulge * own * z / focal
                if t < depth[row, column]:
                    depth[row, column] = t
                    for i in range(3):
                        colour[row, column, i] = tint[k, i]
                    normal[row, column, 0], normal[row, column, 1] = ux / own, uy / own
                    normal[row, column, 2] = -bulge


@kernel
def _span(corner: Floats, focal: float, height: int, width: int, box: Floats) -> bool:
    """Corners of a triangle (3, 3) in the picture, its area and the box of it (11,); is there anything of it?"""
    for k in range(3):
        if corner[k, 2] <= 0.0:
            return False
        box[2 * k] = focal * corner[k, 0] / corner[k, 2] + 0.5 * width
        box[2 * k + 1] = focal * corner[k, 1] / corner[k, 2] + 0.5 * height
    box[6] = (box[2] - box[0]) * (box[5] - box[1]) - (box[4] - box[0]) * (box[3] - box[1])
    box[7] = max(0.0, math.floor(min(box[0], box[2], box[4])))
    box[8] = min(float(width), math.ceil(max(box[0], box[2], box[4])) + 1.0)
    box[9] = max(0.0, math.floor(min(box[1], box[3], box[5])))
    box[10] = min(float(height), math.ceil(max(box[1], box[3], box[5])) + 1.0)
    return bool(abs(box[6]) > 1e-9)


@inlined
def _shares(box: Floats, x: float, y: float) -> tuple[float, float, float]:
    """Shares of the three corners that `_span` found at a point of the picture; all positive inside."""
    u = ((box[2] - x) * (box[5] - y) - (box[4] - x) * (box[3] - y)) / box[6]
    v = ((box[4] - x) * (box[1] - y) - (box[0] - x) * (box[5] - y)) / box[6]
    return u, v, 1.0 - u - v


@kernel
def draw_triangles(
    corner: Floats, facing: Floats, tint: Floats, focal: float, box: Floats, n: Floats, colour: Buffer, normal: Buffer,
    depth: Buffer,
) -> None:
    """Triangles (n, 3, 3) with normals at their corners, seen from both sides; box (11,) and n (3,) are scratch."""
    height, width = depth.shape
    for k in range(len(corner)):
        if not _span(corner[k], focal, height, width, box):
            continue
        for row in range(int(box[9]), int(box[10])):
            y = row + 0.5
            for column in range(int(box[7]), int(box[8])):
                x = column + 0.5
                u, v, w = _shares(box, x, y)
                if u < 0.0 or v < 0.0 or w < 0.0:
                    continue
                u, v, w = u / corner[k, 0, 2], v / corner[k, 1, 2], w / corner[k, 2, 2]
                t = 1.0 / (u + v + w)
                if t >= depth[row, column]:
                    continue
                depth[row, column] = t
                for i in range(3):
                    colour[row, column, i] = tint[k, i]
                    n[i] = u * facing[k, 0, i] + v * facing[k, 1, i] + w * facing[k, 2, i]
                size = math.sqrt(n[0] ** 2 + n[1] ** 2 + n[2] ** 2)
                away = (x - 0.5 * width) * n[0] + (y - 0.5 * height) * n[1] + focal * n[2] > 0.0
                for i in range(3):
                    normal[row, column, i] = (-n[i] if away else n[i]) / size


@kernel
def draw_glass(
    corner: Floats, tint: Floats, opacity: Floats, focal: float, box: Floats, picture: Buffer, depth: Buffer,
) -> None:
    """Triangles (n, 3, 3) that one looks through, over a picture that is lit already; the farthest come first."""
    height, width = depth.shape
    for k in range(len(corner)):
        if not _span(corner[k], focal, height, width, box):
            continue
        for row in range(int(box[9]), int(box[10])):
            y = row + 0.5
            for column in range(int(box[7]), int(box[8])):
                x = column + 0.5
                u, v, w = _shares(box, x, y)
                # the last edge of a triangle is the first of its neighbour: no pixel is tinted twice
                if u < 0.0 or v <= 0.0 or w <= 0.0:
                    continue
                t = 1.0 / (u / corner[k, 0, 2] + v / corner[k, 1, 2] + w / corner[k, 2, 2])
                if t < depth[row, column]:
                    for i in range(3):
                        picture[row, column, i] += opacity[k] * (tint[k, i] - picture[row, column, i])


@kernel
def shadow(
    depth: Buffer, normal: Buffer, focal: float, reach: float, turns: Floats, step: int, shade: Buffer,
) -> None:
    """How open to the sky each `step`-th pixel is, from 0 to 1: what near it rises above its tangent plane darkens it.

    Args:
        reach: distance up to which things darken each other [m].
        turns: (samples, 2) places in the unit disk.
        shade: (H/step, W/step)
    """
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
                m = row + int(far * (s * turns[k, 0] + c * turns[k, 1]))
                n = column + int(far * (c * turns[k, 0] - s * turns[k, 1]))
                if m < 0 or n < 0 or m >= height or n >= width or depth[m, n] == np.inf:
                    continue
                q = depth[m, n]
                dx, dy = q * (n + 0.5 - 0.5 * width) / focal - x, q * (m + 0.5 - 0.5 * height) / focal - y
                dz = q - z
                above = dx * normal[row, column, 0] + dy * normal[row, column, 1] + dz * normal[row, column, 2]
                size = dx * dx + dy * dy + dz * dz
                if above > 0.02 * reach and size < 4.0 * reach * reach:
                    closed += above / math.sqrt(size) * (1.0 - size / (4.0 * reach * reach))
            shade[i, j] = max(0.3, 1.0 - 1.1 * closed / len(turns))


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
def light(colour: Buffer, normal: Buffer, depth: Buffer, shade: Buffer, step: int, picture: Buffer) -> None:
    """Light from above on the left and a little from the right, with a highlight; nothing is white."""
    height, width = depth.shape
    for row in range(height):
        for column in range(width):
            if depth[row, column] == np.inf:
                for k in range(3):
                    picture[row, column, k] = 1.0
                continue
            open_ = shade[row // step, column // step]
            x, y, z = normal[row, column, 0], normal[row, column, 1], normal[row, column, 2]
            key = max(0.0, -0.40 * x - 0.68 * y - 0.614 * z)
            fill = max(0.0, 0.84 * x + 0.05 * y - 0.54 * z)
            shine = max(0.0, -0.22 * x - 0.38 * y - 0.898 * z) ** 4
            shine *= shine * shine
            shine *= shine * shine
            for k in range(3):
                own = colour[row, column, k]
                picture[row, column, k] = min(1.0, own * (0.58 + 0.60 * key + 0.16 * fill) * open_
                                              + 0.22 * shine * open_)


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
        size = math.sqrt(own[f, 0] ** 2 + own[f, 1] ** 2 + own[f, 2] ** 2)
        for corner in range(3):
            normals[f, corner, :] = 0.0
            vertex = faces[f, corner]
            for k in range(first[vertex], first[vertex + 1]):
                g = around[k]
                other = math.sqrt(own[g, 0] ** 2 + own[g, 1] ** 2 + own[g, 2] ** 2)
                inner = own[f, 0] * own[g, 0] + own[f, 1] * own[g, 1] + own[f, 2] * own[g, 2]
                if inner >= crease * size * other:
                    for i in range(3):
                        normals[f, corner, i] += own[g, i]
            total = math.sqrt(normals[f, corner, 0] ** 2 + normals[f, corner, 1] ** 2 + normals[f, corner, 2] ** 2)
            for i in range(3):
                normals[f, corner, i] /= total if total > 0.0 else 1.0
