"""Grains carried through a corrugated pipe (002 §6.5, figs 6.15-6.17): when they back up, over density and speed.

The document gives geometry, data and an example of input (Appendix E); figure 6.15 with the limits is missing from the
text. Its program calls it a jam when, at the instant a batch enters, a grain of an earlier one is still behind the
buffer. That is counted here under the name "backed up", and a run is stopped there, as in the program. The text says
more: that "the discharge was zero or close to zero". What the flow really does at that instant is the verdict of the
jam probe, which is reported beside it.

Batches come without overlap, in rows of alternately n and n - 1 grains whose distance gives the density; and, for
comparison, as the program brings them, each 1.7 cm into the one before, with all radii scaled to the density.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from granum.base.kernels import Floats
from granum.grains.measuring import froude_number
from granum.grains.measuring.jam import Verdict
from granum.io.examples import example_file
from granum.io.legacy import parse_input, read_legacy
from granum.model.scene import Scene
from granum.published.case import Case, Curve, Figure, Panel, Sheet
from granum.published.scenes import GRAVITY
from granum.run import Run, simulate

if TYPE_CHECKING:
    from matplotlib.figure import Figure as FigureOfMatplotlib

    from granum.view.plots.several import Tried

SOURCE = "002 §6.5"
WIDTH = 0.4
"""D [m]."""
FIRST = -0.21
"""Where the first row of a batch begins [m]."""
LARGE, SMALL = (0.0337, 5, 0.08, 8), (0.020, 9, 0.043, 10)
"""Mean radius [m], grains of a full row, their distance [m], rows of a batch: d/D = 0.17 and 0.1."""
SPREAD = 0.02
"""Half width of the radii relative to their mean, as in the example."""
SPEED = 0.05
"""Mean velocity of the flow in the example [m/s]."""
GENERATION, BUFFER, CONTROL = 1.25 * WIDTH, 0.5 * WIDTH, 3.75 * WIDTH
"""L_G, L_B, L_C: lengths of the areas [m]; the pipe begins at 0."""
LIMIT = 0.5
"""Relative density below which rigid runs with insertion as published did not back up, outside of this project."""
PERIODS = 30
"""Batches after which a run that has not backed up ends."""


def example(as_published: bool) -> Scene:
    """The scene of the document's example of input."""
    return read_legacy(example_file("pipe-jam.inp"), as_published)[0]


def at_speed(scene: Scene, speed: float) -> Scene:
    """The same with another mean velocity of the flow [m/s]."""
    source, load, jam = scene.source["inflow"], scene.load["stream"], scene.probe["jam"]
    ratio = load.velocity[0] / speed  # type: ignore[attr-defined]
    return scene.model_copy(update={
        "source": {"inflow": source.model_copy(update={"velocity": (speed, 0.0), "interval": source.interval * ratio})},
        "load": {"stream": load.model_copy(update={"velocity": (speed, 0.0)})},
        "probe": {**scene.probe, "jam": jam.model_copy(update={"window": jam.window * ratio})},  # type: ignore[attr-defined]
    })


def rows_scene(density: float, grain: tuple[float, int, float, int] = LARGE, rotation: bool = True) -> Scene:
    """Batches without overlap: rows at the distance that gives the relative density."""
    mean, most, apart, rows = grain
    rng = np.random.default_rng(6)
    pitch = (most - 0.5) * math.pi * mean**2 * (1.0 + SPREAD**2 / 3.0) / (WIDTH * density)
    at, radii = [], []
    for row in range(rows):
        count = most - row % 2
        for k in range(count):
            at.append((FIRST - row * pitch, (k - 0.5 * (count - 1)) * apart))
            radii.append(float(mean * (1.0 + SPREAD * rng.uniform(-1.0, 1.0))))
    scale = math.sqrt(density * WIDTH * rows * pitch / (math.pi * sum(r * r for r in radii)))
    scene = example(False)
    speed = scene.load["stream"].velocity[0]  # type: ignore[attr-defined]
    source = scene.source["inflow"].model_copy(update={
        "positions": tuple(at), "radii": tuple(scale * r for r in radii), "interval": rows * pitch / speed,
        "rotation": rotation})
    return scene.model_copy(update={"source": {"inflow": source},
                                    "title": f"Pipe, density {density:.3g}, grains of {mean * 1e3:.3g} mm"})


def published_scene(density: float) -> Scene:
    """Batches as the program brings them; radii are scaled to the density."""
    scene = example(True)
    source = scene.source["inflow"]
    assert source.radii is not None
    own = math.pi * sum(r * r for r in source.radii) / (WIDTH * 0.5)
    scale = math.sqrt(density / own)
    changed = source.model_copy(update={"radii": tuple(scale * r for r in source.radii)})
    return scene.model_copy(update={"source": {"inflow": changed}})


def run_until_backed_up(scene: Scene, seed: int) -> Run:
    """A run until grains are backed up, or PERIODS batches have come."""
    every = scene.source["inflow"].interval
    return simulate(scene, seed=seed, until=PERIODS * every, interval=every)


@dataclass(frozen=True)
class Scan:
    """How runs end, over densities."""

    densities: tuple[float, ...]
    verdicts: dict[float, list[Verdict]]

    @classmethod
    def of(cls, make: Callable[[float], Scene], densities: tuple[float, ...], seeds: int) -> Scan:
        """Runs at each density, from several seeds."""
        return cls(densities, {d: [run_until_backed_up(make(d), seed).verdict() for seed in range(1, seeds + 1)]
                               for d in densities})

    def times(self, density: float) -> list[float]:
        """When runs were backed up [s]."""
        return [one.backed_up for one in self.verdicts[density] if one.backed_up is not None]

    def part(self, density: float) -> float:
        """Part of the runs that backed up."""
        return len(self.times(density)) / len(self.verdicts[density])

    @property
    def none(self) -> float:
        """The largest density up to which no run backed up."""
        return max((d for d in self.densities if all(self.part(e) == 0.0 for e in self.densities if e <= d)),
                   default=0.0)

    @property
    def all(self) -> float:
        """The smallest density from which on every run backed up."""
        return min((d for d in self.densities if all(self.part(e) == 1.0 for e in self.densities if e >= d)),
                   default=1.0)

    def tried(self, speed: float) -> list[Tried]:
        """Rows of a diagram at a mean velocity [m/s]."""
        from granum.view.plots.several import Tried

        froude, times = froude_number(speed, GRAVITY, WIDTH), {d: self.times(d) for d in self.densities}
        return [Tried(d, froude, len(own), len(self.verdicts[d]), float(np.mean(own)) if own else None)
                for d, own in times.items()]

    def points(self) -> tuple[Floats, Floats]:
        """Densities and times of all runs that backed up."""
        pairs = [(d, t) for d in self.densities for t in self.times(d)]
        return np.array([d for d, _ in pairs]), np.array([t for _, t in pairs])


def told(verdicts: list[Verdict]) -> str:
    """How the flows were judged, and at what rates, in a sentence."""
    kinds = [one.verdict for one in verdicts]
    counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    inflow, discharge = (float(np.mean([getattr(one, rate) for one in verdicts]))
                         for rate in ("inflow", "discharge"))
    return f"Verdicts: {counts}; on average {inflow:.2f} grains per second enter and {discharge:.2f} pass."


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """The example, densities without and with overlap, both sizes, three velocities."""
    shown = {"fig-6-16": _example(sheet, 2 if quick else 6)}
    wide = (0.40, 0.60) if quick else (0.40, 0.45, 0.475, 0.50, 0.525, 0.55, 0.60)
    apart = scanned(sheet, "batches without overlap", rows_scene, wide, 1 if quick else 4)
    large, small = {"without overlap": apart}, dict[str, Scan]()
    tried = {"large": [*apart.tried(SPEED), *_speeds(sheet, quick)]}
    if not quick:
        large["as published"] = scanned(
            sheet, "batches as published", published_scene, (0.40, 0.45, 0.50, 0.5503, 0.60), 3)
        large["without rotation"] = scanned(
            sheet, "without overlap, grains that do not turn", lambda d: rows_scene(d, rotation=False),
            (0.50, 0.55, 0.60), 2)
        small["without overlap"] = scanned(
            sheet, "without overlap, small grains (d/D = 0.1)", lambda d: rows_scene(d, SMALL), (0.40, 0.50, 0.60), 2)
        tried["small"] = small["without overlap"].tried(SPEED)
        for speed in (0.5 * SPEED, 2.0 * SPEED):
            moved = Scan.of(lambda d, v=speed: at_speed(rows_scene(d), v), (0.50, 0.55), 2)  # type: ignore[misc]
            tried["large"] += moved.tried(speed)
        shown["fig-6-17"] = run_until_backed_up(rows_scene(0.60, SMALL), 1)
    figures = [_figure("fig-6-15-large-times", "Large grains, d/D = 0.17", large)]
    if small:
        figures.append(_figure("fig-6-15-small-times", "Small grains, d/D = 0.1", small))
    return [*figures, *_pictures(shown, tried)]


CASE = Case("pipe-jam", "grains in a corrugated pipe: backed up or not, and when, over density and velocity",
            "002 §6.5, figs 6.14-6.17, Appendix E",
            ("fig-6-14", "fig-6-15-large", "fig-6-15-small", "fig-6-15-large-times", "fig-6-15-small-times",
             "fig-6-16", "fig-6-17"), compute)


def _example(sheet: Sheet, seeds: int) -> Run:
    """The document's own input, from several seeds; returns the first run."""
    given = parse_input(example_file("pipe-jam.inp").read_text("utf-8"))
    sheet.compare("relative density of the example", "002 Appendix E", given.relative_density, 0.5503, 5e-5,
                  "Area of the disks over that of the generation area.", unit="-")
    first = []
    for published in (False, True):
        runs = [run_until_backed_up(example(published), seed) for seed in range(1, seeds + 1)]
        first.append(runs[0])
        verdicts = [run.verdict() for run in runs]
        times = [one.backed_up for one in verdicts if one.backed_up is not None]
        how = "as published" if published else "without overlap"
        sheet.compare(f"example {how}: part of seeds backed up", SOURCE, len(times) / len(runs), 1.0, 0.5,
                      f"{len(runs)} seeds, V = 5 cm/s, friction 0.3; the thesis calls this a jam, and most seeds are "
                      "to show it.", unit="-")
        sheet.measure(f"example {how}: part of seeds jammed", SOURCE,
                      sum(one.verdict == "jammed" for one in verdicts) / len(runs),
                      f"At rest behind an arch when the run ends. {told(verdicts)}")
        if times:
            sheet.doubt(f"example {how}: mean time until backed up [s]", "002 fig 6.15", float(np.mean(times)),
                        f"{min(times):.0f} to {max(times):.0f} s. The document's times are in a figure that is "
                        "missing; a rigid run outside of this project gave 140 to 310 s as published.")
    return first[0]


def _pictures(shown: dict[str, Run], tried: dict[str, list[Tried]]) -> list[Figure]:
    """The pipe at the beginning and backed up, its areas, and the limits over density and velocity."""
    from granum.view.pictures.grains import before_and_after, snapshot
    from granum.view.plots.several import jam_diagram

    pictures = [Figure(name, "", picture=partial(before_and_after, snapshot(run, 1), snapshot(run, -1), run.scene))
                for name, run in shown.items()]
    pictures.append(Figure("fig-6-14", "", picture=partial(_areas, shown["fig-6-16"])))
    return pictures + [
        Figure(f"fig-6-15-{size}", "", picture=partial(
            jam_diagram, rows, "Froude number v/√(gD) [-]", f"Figure 6.15: {size} grains in a corrugated pipe",
            "backed up")) for size, rows in tried.items()]


def _areas(run: Run) -> FigureOfMatplotlib:
    """Figure 6.14: where grains are generated, the buffer and the pipe, with the first grains."""
    from granum.view.pictures.grains import picture, snapshot

    ends = (-BUFFER - GENERATION, -BUFFER, 0.0, CONTROL)
    drawn = picture(snapshot(run, 1), run.scene, colour="none", title="Figure 6.14: simulation area",
                    limits=(ends[0] - 0.05, ends[-1] + 0.05, -0.7 * WIDTH, 0.7 * WIDTH))
    axis = drawn.axes[0]
    for name, left, right in zip(("generation", "buffer", "control"), ends[:-1], ends[1:], strict=True):
        axis.axvline(left, color="#707070", linestyle="--", linewidth=1.0)
        axis.text(0.5 * (left + right), 0.72 * WIDTH, name, ha="center", va="bottom", fontsize="small")
    axis.axvline(CONTROL, color="#707070", linestyle="--", linewidth=1.0)
    axis.set_title(axis.get_title(), pad=16.0)
    return drawn


def scanned(sheet: Sheet, how: str, make: Callable[[float], Scene], densities: tuple[float, ...], seeds: int) -> Scan:
    """Runs over density, and the rows that say between which densities grains begin to back up."""
    scan = Scan.of(make, densities, seeds)
    for density in densities:
        times = scan.times(density)
        sheet.measure(f"{how}, density {density:g}: part backed up", "002 fig 6.15", scan.part(density),
                      f"{seeds} seeds" + (f"; after {min(times):.0f} to {max(times):.0f} s. " if times else ". ")
                      + told(scan.verdicts[density]))
    middle, half = 0.5 * (scan.none + scan.all), 0.5 * (scan.all - scan.none)
    if scan.none > 0.0 and scan.all < 1.0:
        sheet.compare(f"{how}: density from which grains back up", "002 fig 6.15", middle, LIMIT, 0.1,
                      f"None backs up to {scan.none:g}, all from {scan.all:g} on: ± {half:.3g}. Outside of this "
                      "project, as published: none below 0.5, all above 0.6.", unit="-")
    return scan


def _speeds(sheet: Sheet, quick: bool) -> list[Tried]:
    """Forces go with V², so the time until backed up goes as 1/V, and density does not depend on V; the runs made."""
    from granum.view.plots.several import Tried

    scene, products, tried = rows_scene(0.60), [], []
    for speed in (0.05, 0.10) if quick else (0.025, 0.05, 0.10):
        when = run_until_backed_up(at_speed(scene, speed), 1).verdict().backed_up
        froude = froude_number(speed, GRAVITY, WIDTH)
        if speed != SPEED:  # at that one there are more runs already
            tried.append(Tried(0.60, froude, int(when is not None), 1, when))
        if when is None:
            sheet.measure(f"V = {speed:g} m/s, density 0.6: backed up", SOURCE, 0.0, "It did not back up.")
            continue
        products.append(when * speed)
        sheet.compare(f"Froude number {froude:.4f}: time until backed up times V", SOURCE, products[-1], products[0],
                      0.15, "Almost in inverse proportion to V, says the document of the time to its jam. The same "
                      "seed; chaos makes them differ.", relative=True)
    return tried


def _figure(name: str, title: str, scans: dict[str, Scan]) -> Figure:
    """Part of runs that back up, and when, over density."""
    parts = tuple(Curve(how, np.array(scan.densities), np.array([scan.part(d) for d in scan.densities]), "points")
                  for how, scan in scans.items())
    times = tuple(Curve(how, *scan.points(), "points") for how, scan in scans.items())
    return Figure(name, title, (Panel("relative density [-]", "part of runs backed up [-]", parts),
                                Panel("relative density [-]", "time until backed up at V = 5 cm/s [s]", times)))
