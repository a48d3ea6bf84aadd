"""Meshes of implicit surfaces Γ(X, Y, Z) = 0 inside a box, and curves Γ(X, Y) = 0 in 2-D."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from granum.algebra.expression import Expression, walk
from granum.algebra.parse import parse_equation
from granum.base.kernels import Floats, Ints
from granum.view.shapes.meshes import Mesh, grid_faces, lines_only

_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "^": np.power,
    "neg": operator.neg, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2,
    **{name: getattr(np, name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs",
                                            "sign")},
}
_HEIGHTS = 81
"""Points along each side of a surface that is a height over the plane."""
_LINES = 20
"""Lines along each side that are drawn on it."""
_CELLS = 40
"""Cells along the longest side of the box in which other surfaces are looked for."""
_CURVE = 201
"""Points along each side of the grid for curves in 2-D."""


def surface_mesh(equation: str, dimension: int, low: Floats, high: Floats, t: float = 0.0) -> Mesh:
    """What of a surface is inside a box; heights Z = f(X, Y) are shown over the whole base of the box."""
    gamma = parse_equation(equation, "XYZ")
    if dimension == 2:
        return _curve(gamma, low, high, t)
    x, y = np.meshgrid(*(np.linspace(low[k], high[k], _HEIGHTS) for k in (0, 1)), indexing="ij")
    at = [values_of(gamma, np.stack([x, y, np.full_like(x, z)], axis=-1), t) for z in (0.0, 1.0, 2.0)]
    if np.isfinite(at).all():
        slope = at[1] - at[0]
        scale = np.abs(slope).max()
        if scale > 0.0 and np.ptp(slope) <= 1e-9 * scale and np.abs(at[2] - at[1] - slope).max() <= 1e-9 * scale:
            return _heights(np.stack([x, y, -at[0] / slope], axis=-1))
    return _marched(gamma, low, high, t)


def values_of(expression: Expression, points: Floats, t: float) -> Floats:
    """An expression in X, Y, Z and t at points (..., 3); not a number where it has no value."""
    known: dict[Expression, Any] = {}
    named = {"X": points[..., 0], "Y": points[..., 1], "Z": points[..., 2], "t": t}
    with np.errstate(all="ignore"):
        for node in walk([expression]):
            if node.kind == "number":
                known[node] = node.value
            elif node.kind == "symbol":
                known[node] = named[node.name]
            else:
                known[node] = _OPERATIONS[node.kind](*(known[argument] for argument in node.arguments))
    return np.broadcast_to(np.asarray(known[expression], dtype=float), points.shape[:-1])


def _curve(gamma: Expression, low: Floats, high: Floats, t: float) -> Mesh:
    """The curve Γ = 0, as lines."""
    from contourpy import contour_generator

    x, y = np.meshgrid(*(np.linspace(low[k], high[k], _CURVE) for k in (0, 1)))
    value = np.ma.masked_invalid(values_of(gamma, np.stack([x, y, 0.0 * x], axis=-1), t))
    lines: list[Floats] = contour_generator(x, y, value, line_type="Separate").lines(0.0)  # type: ignore[assignment]
    return lines_only([np.column_stack([line, np.zeros(len(line))]) for line in lines])


def _heights(points: Floats) -> Mesh:
    """A grid of points (m, n, 3), with some of its lines."""
    rows, columns = points.shape[:2]
    step = (rows - 1) // _LINES
    lines = [*points[::step], *points.transpose(1, 0, 2)[::step]]
    return Mesh(points.reshape(-1, 3), grid_faces(rows, columns), tuple(lines))


# a cube as six tetrahedra around its diagonal, by the numbers of its corners (x + 2 y + 4 z)
_TETRAHEDRA = np.array([[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]])


def _marched(gamma: Expression, low: Floats, high: Floats, t: float) -> Mesh:
    """Γ = 0 by marching tetrahedra: each is cut in a triangle or a quadrilateral where Γ changes its sign."""
    cell = float((high - low).max()) / _CELLS
    counts = np.maximum(np.ceil((high - low) / cell).astype(int), 1) + 1
    sides = [np.linspace(low[k], high[k], counts[k]) for k in range(3)]
    points = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, 3)
    value = values_of(gamma, points, t).copy()
    value[value == 0.0] = np.finfo(float).tiny
    strides = np.array([counts[1] * counts[2], counts[2], 1])
    base = (np.indices(counts - 1).reshape(3, -1).T @ strides)[:, None]
    corner = np.array([[k & 1, k >> 1 & 1, k >> 2 & 1] for k in range(8)]) @ strides
    corners = (base + corner)[:, _TETRAHEDRA].reshape(-1, 4)
    edges = _cut_edges(corners[np.isfinite(value[corners]).all(axis=1)], value)
    pairs, faces = np.unique(edges.reshape(-1, 2), axis=0, return_inverse=True)
    a, b = pairs.T
    part = value[a] / (value[a] - value[b])
    vertices = points[a] + part[:, None] * (points[b] - points[a])
    faces = faces.reshape(-1, 3)
    return Mesh(vertices, _facing(vertices, faces, gamma, cell, t))


def _cut_edges(corners: Ints, value: Floats) -> Ints:
    """(triangles, 3, 2): ends of the edges of tetrahedra (n, 4) that triangles have their corners on."""
    order = np.argsort(value[corners] < 0.0, axis=1, kind="stable")  # positive corners first
    p = np.take_along_axis(corners, order, axis=1)
    below = (value[corners] < 0.0).sum(axis=1)
    triangles = []
    one, two, three = p[below == 1], p[below == 2], p[below == 3]
    triangles.append(np.stack([one[:, [k, 3]] for k in (0, 1, 2)], axis=1))
    triangles.append(np.stack([three[:, [0, k]] for k in (1, 2, 3)], axis=1))
    triangles += [np.stack([two[:, list(edge)] for edge in cut], axis=1)
                  for cut in (((0, 2), (0, 3), (1, 3)), ((0, 2), (1, 3), (1, 2)))]
    edges: Ints = np.sort(np.concatenate(triangles), axis=2)
    return edges


def _facing(vertices: Floats, faces: Ints, gamma: Expression, cell: float, t: float) -> Ints:
    """Triangles turned so that they face the side where Γ is positive."""
    a, b, c = vertices[faces].transpose(1, 0, 2)
    normal = np.cross(b - a, c - a)
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    step = 0.1 * cell * normal / np.where(size > 0.0, size, 1.0)
    middle = (a + b + c) / 3.0
    back = values_of(gamma, middle + step, t) < values_of(gamma, middle - step, t)
    return np.where(back[:, None], faces[:, ::-1], faces)
