"""Outlines of rigid bodies in pictures of configurations: rods, blocks, circles, and lines to named points."""

from __future__ import annotations

from itertools import product

import numpy as np

from granum.base.kernels import Floats
from granum.model.bodies import Rigid
from granum.model.clumps import Clump
from granum.model.solids import Block, Rod
from granum.run import Run
from granum.run.tracks import rotations

_TURN = np.linspace(0.0, 2.0 * np.pi, 41)


def outlines(run: Run, frame: int) -> list[Floats]:
    """(k, dimension) lines of all rigid bodies of a run at one instant [m]."""
    dimension = run.dimension
    lines = []
    for name, body in run.scene.body.items():
        if isinstance(body, Rigid):
            R, place = rotations(run.value("orientation", name, frame)[None])[0], np.zeros(3)
            place[:dimension] = run.value("position", name, frame)
            lines += [(place + line @ R.T)[:, :dimension] for line in shape(body, dimension)]
    return lines


def link_lines(run: Run, frame: int) -> list[Floats]:
    """(2, dimension) ends of all links of a run with rigid bodies, and the lines of a system of formulas [m]."""
    place = run.positions[frame]
    lines = [np.array([run.position(end)[frame] for end in link.between]) for link in run.scene.link.values()]
    return lines + [place[pair] for pair in run.line_ends]


def shape(body: Rigid, dimension: int) -> list[Floats]:
    """(k, 3) lines of a body in its axes, from the mass centre [m]."""
    points = {name: np.array(at) for name, at in body.fixed_points().items()}
    if isinstance(body, Rod):
        return [np.array([points["tail"], points["head"]])]
    if isinstance(body, Block):
        return _edges(0.5 * np.array((*body.size, 0.0)[:3]), dimension)
    if isinstance(body, Clump):
        return [points[str(k + 1)] + ring for k, part in enumerate(body.parts)
                for ring in _rings(part.radius, dimension)]
    properties = body.properties()
    if properties.radius is not None:
        centre = np.array(properties.centre)
        return [centre + ring for ring in _rings(properties.radius, dimension)]
    return [np.array([np.zeros(3), at]) for at in points.values()]


def _edges(half: Floats, dimension: int) -> list[Floats]:
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]
    rims = [half * np.array([(x, y, z) for x, y in corners]) for z in ((-1, 1) if dimension == 3 else (0,))]
    uprights = [half * np.array([(x, y, -1), (x, y, 1)]) for x, y in product((-1, 1), repeat=2)]
    return [*rims, *(uprights if dimension == 3 else [])]


def _rings(radius: float, dimension: int) -> list[Floats]:
    """A circle with a spoke that shows how it turns; in space one circle about each axis."""
    c, s, zero = np.cos(_TURN), np.sin(_TURN), 0.0 * _TURN
    flat = radius * np.column_stack([c, s, zero])
    if dimension == 2:
        return [np.vstack([flat, np.zeros(3)])]
    return [flat, *(np.roll(flat, k, axis=1) for k in (1, 2))]


def polyline(lines: list[Floats]) -> Floats:
    """All lines as one, with gaps: much faster to draw."""
    gap = np.full((1, lines[0].shape[1]), np.nan)
    return np.concatenate([part for line in lines for part in (line, gap)])
