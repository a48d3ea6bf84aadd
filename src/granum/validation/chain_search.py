"""The falling chain of Sun (1996), §6.3: a search over initial shapes for the two printed times of reflection.

The shape is in a figure that is missing from the document. All shapes of `chain_shapes` are released from rest, of
rods and of point masses on links of one foot. Lengths only set the scale of time, t ~ √(l/g): what has to be found is a
shape whose second reflection comes 0.68/0.47 = 1.447 times as late as its first.

A study runs them: on all cores, with a table that survives an interrupt.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from granum.base.kernels import Floats
from granum.base.text import count
from granum.model.scene import Scene
from granum.run import Run
from granum.studies.result import StudyResult
from granum.studies.study import study
from granum.validation.case import Curve, Figure, Panel, Sheet
from granum.validation.chain_shapes import FAMILIES, chain_shape, sag
from granum.validation.scenes import falling_chain, falling_rods

SOURCE = "Sun (1996), §6.3, fig 6.9"
REFLECTIONS = {"first": 0.47, "second": 0.68}
"""When the middle link turns back, as printed [s]."""
FOOT = 0.3048
"""Length of a link [m] to which the printed times belong."""
LEAST = 0.1
"""Rise or fall, in lengths of a link, by which a figure shows a reflection."""
UNTIL, INTERVAL, TOLERANCE = 1.0, 0.005, 1e-9


class Shape(NamedTuple):
    """A chain that is released."""

    family: str
    bays: int
    hanging: bool
    model: str
    """rods, or points: masses at the joints."""
    span: float
    """In lengths of a link."""

    def __str__(self) -> str:
        depth = sag(chain_shape(self.family, self.span, self.bays, self.hanging))
        model = "uniform rods" if self.model == "rods" else "point masses"
        bays = "one bay" if self.bays == 1 else f"{self.bays} bays"
        return (f"{model}, {bays}, span {self.span:.4g} links, {'sag' if depth > 0.0 else 'height'} {abs(depth):.3g} "
                "links")


class Nearest(NamedTuple):
    """The shape of a family that comes nearest to both printed times."""

    shape: Shape
    times: tuple[float, float]
    """[s]"""
    apart: float
    """The larger of its two errors [s]."""


QUICK = ((6.0, 10.5), (1, 3), (True,), ("rods",))
FULL = (tuple(np.arange(1.0, 15.0, 0.5)), (1, 3), (True, False), ("rods", "points"))
"""Spans, bays, hanging or standing, models."""
FINER = (0.25, 0.1, 0.05)
"""Steps of the span with which a full search goes on around the nearest shape of each family."""


def search(sheet: Sheet, full: bool, folder: Path) -> Figure:
    """Rows with the nearest shape of each family, and the times of all shapes as a figure."""
    times = released_times(_shapes(*(FULL if full else QUICK)), folder / "shapes.h5", full)
    for k, step in enumerate(FINER if full else ()):
        finer = [shape._replace(span=round(shape.span + sign * step, 9)) for shape, *_ in nearest(times)
                 for sign in (-1, 1)]
        new = [shape for shape in finer if shape not in times and _exists(shape)]
        times |= released_times(new, folder / f"shapes-finer-{k + 1}.h5", full)
    found = {one.shape.family: one for one in nearest(times)}
    for family in FAMILIES:
        _rows(sheet, family, found.get(family), sum(shape.family == family for shape in times))
    return _figure(times)


def _rows(sheet: Sheet, family: str, best: Nearest | None, among: int) -> None:
    """The printed times beside those of the nearest shape of a family; never more than a coincidence."""
    why = "The figure with the initial shape is missing."
    if best is None:
        note = f"None of {count(among, 'shape')} of this family turns back twice within {UNTIL:g} s. {why}"
    else:
        note = (f"Nearest of {count(among, 'shape')} of this family: {best.shape}; {best.apart:.3f} s from the printed "
                f"times. {why} The span was chosen to meet the printed times, so that it confirms nothing if they are "
                "met.")
    for k, (ordinal, printed) in enumerate(REFLECTIONS.items()):
        computed = best.times[k] if best else None
        sheet.doubt(f"reflection-time {ordinal} nearest {family}", SOURCE, computed, note, printed)


def nearest(times: dict[Shape, tuple[float, float]]) -> list[Nearest]:
    """The nearest shape of each family that has two reflections."""
    found = []
    for family in FAMILIES:
        own = {shape: pair for shape, pair in times.items() if shape.family == family}
        turning = {shape: max(abs(pair[0] - REFLECTIONS["first"]), abs(pair[1] - REFLECTIONS["second"]))
                   for shape, pair in own.items() if math.isfinite(pair[1])}
        if turning:
            best = min(turning, key=lambda shape: turning[shape])
            found.append(Nearest(best, own[best], turning[best]))
    return found


def _shapes(spans: Iterable[float], bays: Sequence[int], sides: Sequence[bool], models: Sequence[str]) -> list[Shape]:
    """All shapes that there are; a catenary that hangs in one bay is in equilibrium and does not move."""
    shapes = [Shape(family, bay, hanging, model, float(span))
              for family, bay, hanging, model, span in product(FAMILIES, bays, sides, models, spans)]
    return [shape for shape in shapes if _exists(shape)]


def _exists(shape: Shape) -> bool:
    """Whether a shape has its span, and moves."""
    try:
        chain_shape(shape.family, shape.span, shape.bays)
    except ValueError:
        return False
    return not (shape.family == "catenary" and shape.bays == 1 and shape.hanging)


def released(family: str, bays: int, hanging: bool, model: str, span: float) -> Scene:
    """The scene of a shape."""
    make = {"rods": falling_rods, "points": falling_chain}[model]
    return make(chain_shape(family, span, bays, hanging), FOOT).with_run(
        until=UNTIL, interval=INTERVAL, solver="dop853", formulation="newton-euler", tolerance=TOLERANCE)


def released_times(shapes: Sequence[Shape], table: Path, parallel: bool) -> dict[Shape, tuple[float, float]]:
    """Times of the first two reflections of each shape [s], by a study; those of a run that fails are no numbers."""
    if not shapes:
        return {}
    points = table.with_suffix(".points.csv")
    with points.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(Shape._fields)
        writer.writerows([one.family, one.bays, str(one.hanging).lower(), one.model, one.span] for one in shapes)
    result = study(released, design={"kind": "list", "file": str(points.resolve())}, title="Shapes of a falling chain",
                   measure={"first": first_reflection, "second": second_reflection}, output=table, resume=True,
                   on="local" if parallel and find_spec("distributed") else "serial", progress=parallel)
    if not result.finished:
        raise KeyboardInterrupt
    return _times(shapes, result)


def _times(shapes: Sequence[Shape], result: StudyResult) -> dict[Shape, tuple[float, float]]:
    """What a study found for each shape."""
    first, second = (result.column(name) for name in REFLECTIONS)
    return {shapes[row.point]: (float(first[k]), float(second[k])) for k, row in enumerate(result.table)}


def first_reflection(run: Run) -> float:
    """When the middle link first turns back [s]; not a number where it does not."""
    return [*middle_reflections(run), math.nan][0]


def second_reflection(run: Run) -> float:
    """When it turns back once more [s]."""
    return [*middle_reflections(run), math.nan, math.nan][1]


def middle_reflections(run: Run) -> list[float]:
    """When the middle link of a chain turns back, as far as a figure shows it [s]."""
    height, velocity = middle(run)
    return reflections(run.t, height, velocity, LEAST * FOOT)


def middle(run: Run) -> tuple[Floats, Floats]:
    """Height of the middle of link 8 above the pins [m] and its velocity [m/s], at all frames."""
    own = ("rod-8",) if "rod-8" in run.body_names else ("joint-7", "joint-8")
    height, velocity = (np.mean([values(name)[:, 1] for name in own], axis=0)
                        for values in (run.position, run.velocity))
    return height, velocity


def turns(t: Floats, height: Floats, velocity: Floats) -> list[float]:
    """When a height turns between falling and rising [s]."""
    roots = CubicHermiteSpline(t, height, velocity).derivative().roots(extrapolate=False)
    return [float(root) for root in roots if root > t[1]]


def reflections(t: Floats, height: Floats, velocity: Floats, least: float) -> list[float]:
    """Turns between a rise and a fall of more than `least` [m] each; smaller ones are not told apart from a line."""
    at = np.array([t[0], *turns(t, height, velocity), t[-1]])
    heights = CubicHermiteSpline(t, height, velocity)(at)
    found, extreme, way = list[float](), 0, 0.0
    for k in range(1, len(at)):
        change = heights[k] - heights[extreme]
        if way * change > 0.0 or (way == 0.0 and abs(change) > least):
            extreme, way = k, math.copysign(1.0, change)
        elif way != 0.0 and abs(change) > least:
            found.append(float(at[extreme]))
            extreme, way = k, math.copysign(1.0, change)
    return found


def _figure(times: dict[Shape, tuple[float, float]]) -> Figure:
    """Second time over the first of all shapes, trapezoids together, and the printed pair."""
    curves = []
    for label in dict.fromkeys(family.partition("-")[0] for family in FAMILIES):
        pairs = np.array([pair for shape, pair in times.items()
                          if shape.family.partition("-")[0] == label and math.isfinite(pair[1])])
        if len(pairs):
            curves.append(Curve.along(label, pairs, "marks"))
    printed = Curve.along("printed", np.array([[*REFLECTIONS.values()]]), "printed")
    panel = Panel("first reflection [s]", "second reflection [s]", (*curves, printed))
    return Figure("fig-6-9-search", "Figure 6.9: reflections of all shapes that were searched", (panel,))
