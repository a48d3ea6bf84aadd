"""Colours of balls by what they are coloured by, the same over a whole film."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import BoundaryNorm, ListedColormap, to_rgb

from granum.base.errors import pick
from granum.base.kernels import Floats
from granum.view import style
from granum.view.shapes.meshes import NO_POINTS
from granum.view.stage import Balls, Solid, Stage
from granum.view.stage.items import spread
from granum.view.stage.poses import placed

PLAIN = "#9EC9E2"
PALE = "#D8D8D8"
GREY = "#59626B"
FORCES = "#B2182B"
_SAMPLES = 12
"""Frames whose values say how far the colours reach."""
_ARROW_ROOM = 0.1
"""Room for arrows on each side, in the size of all that is seen."""
_MANY, _STRAY = 1000, 0.005
"""Of more balls than that, this part on each side may be outside of the picture."""
_BEYOND = 0.05
"""How far boundaries are shown beyond what moves, in the size of it."""
_MOST_COUNTED = 8
"""Contacts from which on all grains have the same colour."""


def outward(count: int) -> Floats:
    """(count, 3) unit vectors spread evenly over the sphere, along a golden spiral."""
    z = 1.0 - (2.0 * np.arange(count) + 1.0) / count
    angle = math.pi * (3.0 - math.sqrt(5.0)) * np.arange(count)
    r = np.sqrt(1.0 - z * z)
    return np.column_stack([r * np.cos(angle), r * np.sin(angle), z])


_OUTWARD = outward(300)
"""Directions in which the outermost points are looked for."""


def sampled(stage: Stage) -> list[int]:
    """Some frames, spread over the run, the last included."""
    return spread(len(stage.t), _SAMPLES)


class Scale:
    """Colours of the balls of all frames, and what a legend or a bar of colours says of them."""

    def __init__(self, stage: Stage, by: str) -> None:
        self.stage = stage
        self.by = pick(by, [*stage.quantities, "none"], "colouring")
        self.label, self.extend = "", "neither"
        self.names: tuple[str, ...] = ()
        self.shades: ScalarMappable | None = None
        self._fixed = stage.kinds.index("fixed point") if "fixed point" in stage.kinds else -1
        if by == "none" or self._nothing(by):
            self.by = "none"
            return
        quantity = stage.quantities[by]
        self.label = f"{quantity.label} [{quantity.unit}]" if quantity.unit else quantity.label
        if by == "kind":
            self.names = stage.kinds
        elif by == "coordination":
            colours = ListedColormap(style.VALUE_COLOURS(np.linspace(0.0, 1.0, _MOST_COUNTED + 1)))
            self.shades = ScalarMappable(BoundaryNorm(np.arange(_MOST_COUNTED + 2) - 0.5, _MOST_COUNTED + 1), colours)
            self.extend = "max"
        elif by != "cluster":
            self.shades = self._shades(0.0 if by in ("speed", "force") else math.inf)

    def _nothing(self, by: str) -> bool:
        """Are there no balls, or none that ever moves? Then there is nothing for colours to say."""
        frames, t = sampled(self.stage), self.stage.t
        if not any(len(self.stage.balls(frame).radii) for frame in frames):
            return True
        if by != "speed" or len(t) < 2:
            return False
        size = float(np.linalg.norm(np.diff(self.stage.box(), axis=0)))
        fastest = max(float(self.stage.values(frame, by).max(initial=0.0)) for frame in frames)
        return fastest < 1e-9 * size / float(t[-1] - t[0])

    def _shades(self, low: float) -> ScalarMappable:
        """From the least to nearly the greatest value: a few hard impacts would leave all others in one colour."""
        values = np.concatenate([self.stage.values(frame, self.by) for frame in sampled(self.stage)])
        least, most = min(low, float(values.min())), float(np.percentile(values, 99.0))
        if float(values.max()) > 1.05 * most > 0.0:
            self.extend = "max"
        return style.shades(least, most)

    def colours(self, frame: int) -> Floats:
        """(n, 3) of the balls of a frame, from 0 to 1; fixed points are grey unless kinds are shown."""
        kinds = self.stage.balls(frame).kinds
        if self.by in ("kind", "cluster"):
            return self._listed(self.stage.values(frame, self.by))
        if self.shades is None:
            tints = np.tile(to_rgb(PLAIN), (len(kinds), 1))
        else:
            tints = np.asarray(self.shades.to_rgba(self.stage.values(frame, self.by)))[:, :3].astype(float)
        tints[kinds == self._fixed] = to_rgb(GREY)
        return tints

    @staticmethod
    def _listed(values: Floats) -> Floats:
        """A colour for each number, and a pale one for -1."""
        palette = np.array([to_rgb(colour) for colour in style.COLOURS[:6]])
        label = values.astype(np.int64)
        return np.where(label[:, None] < 0, to_rgb(PALE), palette[label % len(palette)])

    def legend(self) -> list[tuple[str, str]]:
        """Colour and name of each kind, where these are shown."""
        return [(style.COLOURS[k % 6], name) for k, name in enumerate(self.names)]


def framed(stage: Stage, forces: bool) -> Floats:
    """(2, 3): box that a picture shows: that of the stage, with room for arrows of reactions."""
    box: Floats = stage.box()
    if not forces or not len(stage.reactions(0).names):
        return box
    room = _ARROW_ROOM * float(np.linalg.norm(box[1] - box[0])) * (np.arange(3) < stage.dimension)
    return np.array([box[0] - room, box[1] + room])


def contents(stage: Stage, frames: Sequence[int]) -> Floats:
    """(n, 3): the outermost points in many directions of all that is seen in some frames [m].

    Boundaries count as far as they are near what moves, but a drum counts as a whole.
    """
    moving, around = [NO_POINTS], [NO_POINTS]
    for frame in frames:
        moving.append(_hull(stage.balls(frame)))
        moving += [_outermost(points) for points in (stage.links(frame).reshape(-1, 3),
                                                     stage.spring_ends(frame).reshape(-1, 3))]
        for solid, pose in zip(stage.solids, stage.poses(frame), strict=True):
            (around if solid.kind == "boundary" else moving).append(_outermost(placed(pose, _points(solid))))
    there = np.concatenate(moving).clip(*stage.box())
    edges = np.concatenate(around).clip(*stage.box())
    if not len(there):
        return edges if len(edges) else stage.box()
    low, high = there.min(axis=0), there.max(axis=0)
    reach = _BEYOND * float((high - low).max())
    whole = [_outermost(_points(solid)) for solid in stage.solids if solid.name in stage.scene.boundary
             and stage.surrounds(solid.name, _points(solid), there)]
    return np.concatenate([there, edges.clip(low - reach, high + reach), *whole])


def _hull(balls: Balls) -> Floats:
    """(k, 3): points of balls that are farthest in some direction; of many, a few that stray from all others are left
    out.
    """
    positions, radii = balls.positions, balls.radii
    if len(radii) > _MANY:
        low, high = np.percentile(positions, [100.0 * _STRAY, 100.0 * (1.0 - _STRAY)], axis=0)
        crowd = ((positions >= low) & (positions <= high)).all(axis=1)
        positions, radii = positions[crowd], radii[crowd]
    if not len(radii):
        return NO_POINTS
    ahead = (positions @ _OUTWARD.T + radii[:, None]).argmax(axis=0)
    hull: Floats = positions[ahead] + radii[ahead, None] * _OUTWARD
    return hull


def _outermost(points: Floats) -> Floats:
    """(k, 3): those of points (n, 3) that are farthest in some direction; none that are nowhere."""
    known = points[np.isfinite(points).all(axis=1)]
    return known[(known @ _OUTWARD.T).argmax(axis=0)] if len(known) else NO_POINTS


def _points(solid: Solid) -> Floats:
    return np.concatenate([solid.mesh.vertices, *solid.mesh.lines])


def tick(stage: Stage) -> float:
    """Time between the first two frames [s]."""
    return float(stage.t[1] - stage.t[0]) if len(stage.t) > 1 else 0.0


def strongest(forces: list[Floats]) -> float:
    """A force that is drawn as wide as any: few are stronger, and they would hide all others."""
    every = np.concatenate([np.zeros(0), *forces])
    every = every[every > 0.0]
    return float(np.percentile(every, 97.0)) if len(every) else 1.0
