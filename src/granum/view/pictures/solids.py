"""Outlines of the rigid bodies and links of a run, for pictures of configurations."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats
from granum.model.bodies import Rigid
from granum.run import Run
from granum.run.tracks import rotations
from granum.view.shapes.bodies import body_outline


def outlines(run: Run, frame: int) -> list[Floats]:
    """(k, dimension) lines of all rigid bodies of a run at one instant [m]."""
    dimension = run.dimension
    lines = []
    for name, body in run.scene.body.items():
        if isinstance(body, Rigid):
            R, place = rotations(run.value("orientation", name, frame)[None])[0], np.zeros(3)
            place[:dimension] = run.value("position", name, frame)
            lines += [(place + line @ R.T)[:, :dimension] for line in body_outline(body, dimension)]
    return lines


def link_lines(run: Run, frame: int) -> list[Floats]:
    """(2, dimension) ends of all links of a run with rigid bodies, and the lines of a system of formulas [m]."""
    place = run.positions[frame]
    lines = [np.array([run.position(end)[frame] for end in link.between]) for link in run.scene.link.values()]
    return lines + [place[pair] for pair in run.line_ends]


def polyline(lines: list[Floats]) -> Floats:
    """All lines as one, with gaps: much faster to draw."""
    gap = np.full((1, lines[0].shape[1]), np.nan)
    return np.concatenate([part for line in lines for part in (line, gap)])
