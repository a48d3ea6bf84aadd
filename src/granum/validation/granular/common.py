"""What the cases of granular matter share: materials, runs, fits with their errors, surfaces of heaps."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints
from granum.model.scene import Scene
from granum.run import Run
from granum.validation.runs import finish

D = 0.01
"""Mean diameter of a grain [m]; nothing below depends on it but the unit of length."""
DENSITY = 2500.0
SPREAD = 0.2
"""Radii are uniform within this part of the mean, so that disks do not form a crystal."""


def lively(scene: Scene, until: float, interval: float, seed: int) -> Run:
    """A scene of grains run to its end with rigid contact and the proposed step."""
    return finish(scene, until=until, interval=interval, solver="moreau", seed=seed)


def material(friction: float, restitution: float = 0.5) -> dict[str, float]:
    """A material of grains."""
    return {"friction": friction, "restitution": restitution, "density": DENSITY}


def radii(spread: float = SPREAD) -> list[float]:
    """Lowest and highest radius [m]."""
    return [0.5 * D * (1.0 - spread), 0.5 * D * (1.0 + spread)]


def plane(point: tuple[float, float], normal: tuple[float, float], material: str | None = None) -> dict[str, Any]:
    """A line without end that grains lie on or lean against."""
    return {"kind": "plane", "position": point, "normal": normal, "material": material}


def dense(lower: tuple[float, float], upper: tuple[float, float], **amount: Any) -> dict[str, Any]:
    """Disks that fill a box densely, by their `count` or `packing_fraction`."""
    return {"kind": "grains", **amount, "radius": radii(), "material": "grain", "arrangement": "dense",
            "region": {"kind": "box", "lower": lower, "upper": upper}}


def again(run: Run) -> dict[str, Any]:
    """The grains at the end of a run as the start of another scene.

    Radii shrink by the largest overlap of late, because a scene that starts with overlaps is refused.
    """
    frame, scale = run.frame(-1), 1.0 - float(run.figures["largest_overlap"][-1])
    return {"kind": "grains", "positions": [tuple(point) for point in frame.positions.tolist()],
            "radii": tuple((scale * frame.radii).tolist())}


def surface(positions: Floats, size: Floats, edges: Floats) -> Floats:
    """Height of the highest grain in each interval between edges [m]; 0 where there is none."""
    place = np.digitize(positions[:, 0], edges) - 1
    top = np.zeros(len(edges) - 1)
    inside = (place >= 0) & (place < len(top))
    np.maximum.at(top, place[inside], (positions[:, 1] + size)[inside])
    return top


def connected(positions: Floats, size: Floats, near: float) -> Ints:
    """Rows of the largest heap of grains that are at most `near` apart."""
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    from granum.grains.search.neighbours import overlapping

    x = np.zeros((len(size), 4))
    x[:, : positions.shape[1]], x[:, 3] = positions, size + 0.5 * near
    i, j = overlapping(x).T
    _, label = connected_components(sparse.coo_matrix((np.ones(len(i)), (i, j)), shape=(len(size), len(size))),
                                    directed=False)
    return np.flatnonzero(label == np.argmax(np.bincount(label)))


class Line(NamedTuple):
    """A straight line through points, by least squares."""

    slope: float
    constant: float
    error: float
    """Standard error of the slope."""


def line(x: Floats, y: Floats) -> Line:
    """y = constant + slope x; the error of the slope is estimated from the residuals."""
    away = x - x.mean()
    spread = float(np.sum(away**2))
    slope = float(np.sum(away * (y - y.mean()))) / spread
    constant = float(y.mean() - slope * x.mean())
    left = y - constant - slope * x
    return Line(slope, constant, float(np.sqrt(np.sum(left**2) / max(1, len(x) - 2) / spread)))
