"""Grains in a corrugated pipe (Sun 1996, §6.5, figs. 6.14-6.17): when they back up, over density and velocity.

The document gives geometry, data and an example of input (Appendix E); figure 6.15 with the limits is missing from the
text. Its program calls it a jam when, at the instant a batch enters, a grain of an earlier one is still behind the
buffer. That is counted here under the name "backed up", and a run is stopped there, as in the program. The text says
more: that "the discharge was zero or close to zero". What the flow really does at that instant is the verdict of the
jam probe, which is reported beside it.

Batches come without overlap, in rows of alternately n and n - 1 grains whose distance gives the density; and, for
comparison, as the program brings them, each 1.7 cm into the one before, with all radii scaled to the density.

All runs are studies: on all cores, with a table that survives an interrupt.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.grains.measuring import froude_number
from granum.io.examples import example_file
from granum.io.legacy import parse_input, read_legacy
from granum.model.quantities import Speed
from granum.model.scene import Scene
from granum.published.case import Case, Curve, Figure, Panel, Sheet
from granum.published.scenes import GRAVITY
from granum.run import Run, simulate
from granum.studies.definition import Maker
from granum.studies.result import StudyResult
from granum.studies.statistics import Crossing, Estimate, by_point, logistic_boundary, mean_interval
from granum.studies.study import study

if TYPE_CHECKING:
    from matplotlib.figure import Figure as FigureOfMatplotlib

SOURCE, LIMITS = "Sun (1996), §6.5", "Sun (1996), fig. 6.15"
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
MEASURES = {"backed_up": "backed_up jam", "jammed": "verdict jam == 'jammed'", "time": "t", "verdict": "verdict jam",
            "inflow": "inflow jam", "discharge": "discharge jam"}
"""What is asked of each run; one that is backed up ends at that time."""


class Grid(NamedTuple):
    """Densities and velocities that are run, and how often."""

    densities: tuple[float, ...]
    speeds: tuple[float, ...]
    """[m/s]"""
    seeds: int


class Extent(NamedTuple):
    """How much is run."""

    example: int
    """Seeds of the document's own input."""
    large: Grid
    small: Grid | None
    published: Grid | None
    """Batches that overlap."""
    smooth: Grid | None
    """Grains that do not rotate."""


QUICK = Extent(2, Grid((0.40, 0.60), (0.05, 0.10), 1), None, None, None)
MODERATE = Extent(6, Grid((0.36, 0.40, 0.44, 0.50, 0.60), (0.025, 0.05, 0.10), 3), Grid((0.36, 0.44, 0.60), (0.05,), 2),
                  Grid((0.36, 0.40, 0.45, 0.5503, 0.60), (0.05,), 3), Grid((0.36, 0.44, 0.60), (0.05,), 2))
FULL = Extent(10, Grid((0.38, 0.40, 0.42, 0.44, 0.50), (0.025, 0.05, 0.10), 8),
              Grid((0.46, 0.52, 0.60), (0.05,), 4), Grid((0.42, 0.46, 0.50, 0.5503), (0.05,), 6),
              Grid((0.42, 0.50, 0.60), (0.05,), 4))


def example(as_published: bool) -> Scene:
    """The scene of the document's example of input."""
    return _for_periods(read_legacy(example_file("pipe-jam.inp"), as_published)[0])


def _for_periods(scene: Scene) -> Scene:
    """A run until grains are backed up, or PERIODS batches have come; a frame for each."""
    every = scene.source["inflow"].interval
    return scene.with_run(until=PERIODS * every, interval=every)


def at_speed(scene: Scene, speed: float) -> Scene:
    """The same with another mean velocity of the flow [m/s]."""
    source, load, jam = scene.source["inflow"], scene.load["stream"], scene.probe["jam"]
    ratio = load.velocity[0] / speed  # type: ignore[attr-defined]
    return _for_periods(scene.model_copy(update={
        "source": {"inflow": source.model_copy(update={"velocity": (speed, 0.0), "interval": source.interval * ratio})},
        "load": {"stream": load.model_copy(update={"velocity": (speed, 0.0)})},
        "probe": {**scene.probe, "jam": jam.model_copy(update={"window": jam.window * ratio})},  # type: ignore[attr-defined]
    }))


def rows_scene(density: float, speed: Speed = SPEED, grain: tuple[float, int, float, int] = LARGE,
               rotation: bool = True) -> Scene:
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
    source = scene.source["inflow"].model_copy(update={
        "positions": tuple(at), "radii": tuple(scale * r for r in radii), "interval": rows * pitch / SPEED,
        "rotation": rotation})
    return at_speed(scene.model_copy(update={
        "source": {"inflow": source}, "title": f"Pipe, density {density:.3g}, grains of {mean * 1e3:.3g} mm"}), speed)


def published_scene(density: float, speed: Speed = SPEED) -> Scene:
    """Batches as the program brings them; radii are scaled to the density."""
    scene = example(True)
    source = scene.source["inflow"]
    assert source.radii is not None
    own = math.pi * sum(r * r for r in source.radii) / (WIDTH * 0.5)
    scale = math.sqrt(density / own)
    changed = source.model_copy(update={"radii": tuple(scale * r for r in source.radii)})
    return at_speed(scene.model_copy(update={"source": {"inflow": changed}}), speed)


def run_until_backed_up(scene: Scene, seed: int) -> Run:
    """One run, for a picture."""
    return simulate(scene, seed=seed)


def studied(scene: Scene | Maker, name: str, title: str, folder: Path, seeds: int,
            **vary: Sequence[float]) -> StudyResult:
    """Runs from several seeds, over what varies; a table that is in the folder is continued."""
    result = study(scene, vary=vary, repeats=seeds, measure=MEASURES, title=title, output=folder / f"{name}.h5",
                   resume=True, on="local" if find_spec("distributed") else "serial")
    if not result.finished:
        raise KeyboardInterrupt
    if failed := [row for row in result.table if row.status != "done"]:
        raise GranumError(f"{len(failed)} of {result.rows} runs in {result.path} failed; the first: "
                          f"{failed[0].reason}")
    return result


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """The example, densities without and with overlap, both sizes, three velocities."""
    with TemporaryDirectory(prefix="granum-") as folder:
        return _compute(sheet, QUICK if quick else MODERATE, Path(folder))


def compute_full(sheet: Sheet, tables: Path) -> list[Figure]:
    """The same with enough seeds for figure 6.15 as probabilities."""
    return _compute(sheet, FULL, tables)


CASE = Case("pipe-jam", "grains in a corrugated pipe: backed up or not, and when, over density and velocity",
            "Sun (1996), §6.5, figs. 6.14-6.17, Appendix E",
            ("fig-6-14", "fig-6-15-large", "fig-6-15-small", "fig-6-15-large-probability",
             "fig-6-15-small-probability", "fig-6-15-large-times", "fig-6-15-small-times", "fig-6-16", "fig-6-17"),
            compute, compute_full)


def _compute(sheet: Sheet, extent: Extent, folder: Path) -> list[Figure]:
    shown = {"fig-6-16": _example(sheet, extent.example, folder)}
    apart = scanned(sheet, "batches without overlap", rows_scene, extent.large, folder)
    _velocities(sheet, apart)
    large, small = {"without overlap": apart}, dict[str, StudyResult]()
    if extent.published:
        large["as published"] = scanned(sheet, "batches as published", published_scene, extent.published, folder)
    if extent.smooth:
        large["without rotation"] = scanned(sheet, "without overlap, grains that do not turn",
                                            partial(rows_scene, rotation=False), extent.smooth, folder)
    if extent.small:
        small["without overlap"] = scanned(sheet, "without overlap, small grains (d/D = 0.1)",
                                           partial(rows_scene, grain=SMALL), extent.small, folder)
        shown["fig-6-17"] = run_until_backed_up(rows_scene(0.60, grain=SMALL), 1)
    figures = _pictures(shown)
    for size, title, results in (("large", "Large grains, d/D = 0.17", large),
                                 ("small", "Small grains, d/D = 0.1", small)):
        figures += _figures(size, title, results)
    return figures


def _example(sheet: Sheet, seeds: int, folder: Path) -> Run:
    """The document's own input, from several seeds; returns a run."""
    given = parse_input(example_file("pipe-jam.inp").read_text("utf-8"))
    sheet.compare("relative density of the example", "Sun (1996), Appendix E", given.relative_density, 0.5503, 5e-5,
                  "Area of the disks over that of the generation area.", unit="-")
    for published, how in ((False, "without overlap"), (True, "as published")):
        result = studied(example(published), f"example-{how.replace(' ', '-')}", f"Example {how}", folder, seeds)
        (backed_up,), (jammed,) = by_point(result, "backed_up"), by_point(result, "jammed")
        assert backed_up.estimate and jammed.estimate
        sheet.compare(f"example {how}: part of seeds backed up", SOURCE, backed_up.estimate.value, 1.0, 0.5,
                      f"{_fraction(backed_up.estimate)}; V = 5 cm/s, friction 0.3; the thesis calls this a jam, and "
                      "most seeds are to show it.", unit="-")
        sheet.measure(f"example {how}: part of seeds jammed", SOURCE, jammed.estimate.value,
                      f"{_fraction(jammed.estimate)}, at rest behind an arch when the run ends. "
                      f"{told(result, np.ones(result.rows, bool))}")
        if len(times := _times(result, np.ones(result.rows, bool))):
            sheet.doubt(f"example {how}: mean time until backed up [s]", LIMITS, float(times.mean()),
                        f"{times.min():.0f} to {times.max():.0f} s. The document's times are in a figure that is "
                        "missing; a rigid run outside of this project gave 140 to 310 s as published.")
    return run_until_backed_up(example(False), 1)


def _fraction(estimate: Estimate) -> str:
    """A probability in words."""
    return (f"{round(estimate.value * estimate.runs)} of {estimate.runs} seeds; 95 % interval {estimate.low:.2f} to "
            f"{estimate.high:.2f} (Wilson)")


def _times(result: StudyResult, chosen: Any) -> Floats:
    """When those of the chosen runs that backed up did so [s]."""
    times: Floats = result.column("time")[chosen & (result.column("backed_up") > 0.0)]
    return times


def told(result: StudyResult, chosen: Any) -> str:
    """How the flows of some runs were judged, and at what rates, in a sentence."""
    counts = ", ".join(f"{count} {kind}" for kind, count in Counter(result.column("verdict")[chosen].tolist()).items())
    inflow, discharge = (float(result.column(rate)[chosen].mean()) for rate in ("inflow", "discharge"))
    return f"Verdicts: {counts}; on average {inflow:.2f} grains per second enter and {discharge:.2f} pass."


def scanned(sheet: Sheet, how: str, make: Maker, grid: Grid, folder: Path) -> StudyResult:
    """Runs over density and velocity, and the rows that say between which densities grains begin to back up."""
    name = how.partition(" (")[0].replace(",", "").replace(" ", "-")
    result = studied(make, name, f"Pipe, {how}", folder, grid.seeds, density=grid.densities, speed=grid.speeds)
    pairs = zip(by_point(result, "backed_up"), by_point(result, "jammed"), strict=True)
    for backed_up, jammed in pairs:
        density, speed = backed_up.values["density"], backed_up.values["speed"]
        chosen = (result.column("density") == density) & (result.column("speed") == speed)
        assert backed_up.estimate and jammed.estimate
        times, place = _times(result, chosen), f"{how}, density {density:g}, V = {speed:g} m/s"
        sheet.measure(f"{place}: part backed up", LIMITS, backed_up.estimate.value, _fraction(backed_up.estimate)
                      + (f"; after {times.min():.0f} to {times.max():.0f} s." if len(times) else "."))
        sheet.measure(f"{place}: part jammed", LIMITS, jammed.estimate.value,
                      f"{_fraction(jammed.estimate)}. {told(result, chosen)}")
    for speed in grid.speeds:
        _boundary(sheet, how, speed, crossing(result, speed))
    return result


def crossing(result: StudyResult, speed: float) -> Crossing:
    """The density at which half of the runs at a velocity back up."""
    chosen = result.column("speed") == speed
    return logistic_boundary(result.column("density")[chosen], result.column("backed_up")[chosen])


def _known(found: Crossing) -> bool:
    return bool(np.isfinite([found.x50, found.low, found.high]).all())


def _boundary(sheet: Sheet, how: str, speed: float, found: Crossing) -> None:
    """Where the probability of backing up is 1/2, if the runs show it."""
    if _known(found):
        width = ("outcomes are separated" if found.state == "separated"
                 else f"from 10 to 90 % within {2.0 * math.log(9.0) * abs(found.width):.3f}")
        sheet.compare(f"{how}, V = {speed:g} m/s: density at which half back up", LIMITS, found.x50, LIMIT, 0.1,
                      f"95 % interval {found.low:.3f} to {found.high:.3f} of a logistic fit; {width}. Outside of this "
                      "project, as published: none below 0.5, all above 0.6.", unit="-")


def _velocities(sheet: Sheet, result: StudyResult) -> None:
    """All forces go with V²: the boundary does not depend on V, and the time until backed up goes as 1/V."""
    speeds, density = sorted(set(result.column("speed").tolist())), float(result.column("density").max())
    first, *others = (crossing(result, speed) for speed in speeds)
    products = [mean_interval(times * speed) if len(times := _times(
        result, (result.column("speed") == speed) & (result.column("density") == density))) else None
        for speed in speeds]
    for speed, found, product in zip(speeds[1:], others, products[1:], strict=True):
        froude = froude_number(speed, GRAVITY, WIDTH)
        if _known(first) and _known(found):
            sheet.compare(f"Froude number {froude:.4f}: density at which half back up", LIMITS, found.x50, first.x50,
                          math.hypot(found.high - found.low, first.high - first.low) / 2.0,
                          f"Reference: that at V = {speeds[0]:g} m/s. Forces go with V², so it is the same; allowed is "
                          "what both 95 % intervals leave open.", unit="-")
        if product is not None and products[0] is not None:
            least = products[0]
            allowed = max(0.15, math.hypot(_half(product), _half(least)) / least.value)
            sheet.compare(f"Froude number {froude:.4f}: time until backed up times V", SOURCE, product.value,
                          least.value, allowed, f"Mean of {product.runs} runs at density {density:g}; reference: that "
                          f"at V = {speeds[0]:g} m/s. Almost in inverse proportion to V, says the document of the time "
                          "to its jam.", relative=True)


def _half(one: Estimate) -> float:
    return one.half_width if math.isfinite(one.half_width) else 0.0


def _pictures(shown: dict[str, Run]) -> list[Figure]:
    """The pipe at the beginning and backed up, and its areas."""
    from granum.view.pictures.grains import before_and_after, snapshot

    pictures = [Figure(name, "", picture=partial(before_and_after, snapshot(run, 1), snapshot(run, -1), run.scene))
                for name, run in shown.items()]
    return [*pictures, Figure("fig-6-14", "", picture=partial(_areas, shown["fig-6-16"]))]


def _figures(size: str, title: str, results: dict[str, StudyResult]) -> list[Figure]:
    """Figure 6.15 of one size: counts over density and Froude number, probabilities by both criteria, and times."""
    if not results:
        return []
    apart = results["without overlap"]
    probability = partial(_probabilities, apart, title)
    times = []
    for how, result in results.items():
        chosen = (result.column("speed") == SPEED) & (result.column("backed_up") > 0.0)
        times.append(Curve(how, result.column("density")[chosen], result.column("time")[chosen], "marks"))
    return [Figure(f"fig-6-15-{size}", "", picture=partial(_counts, apart, size)),
            Figure(f"fig-6-15-{size}-probability", "", picture=probability),
            Figure(f"fig-6-15-{size}-times", title, (
                Panel("relative density [-]", "time until backed up at V = 5 cm/s [s]", tuple(times)),))]


def _counts(result: StudyResult, size: str) -> FigureOfMatplotlib:
    """How many runs backed up, as the document draws it."""
    from granum.view.plots.several import Tried, jam_diagram

    rows = []
    for group in by_point(result, "backed_up"):
        chosen = ((result.column("density") == group.values["density"])
                  & (result.column("speed") == group.values["speed"]))
        times = _times(result, chosen)
        rows.append(Tried(group.values["density"], froude_number(group.values["speed"], GRAVITY, WIDTH),
                          group.successes, group.runs, float(times.mean()) if len(times) else None))
    return jam_diagram(rows, "Froude number v/√(gD) [-]", f"Figure 6.15: {size} grains in a corrugated pipe",
                       "backed up")


def _probabilities(result: StudyResult, title: str) -> FigureOfMatplotlib:
    """Both criteria over density, with intervals."""
    from granum.view import style
    from granum.view.studies.curves import draw_probability

    drawn, panels = style.figure(1, 2, width=9.6, height=4.6, sharey=True)
    for panel, measure, heading in zip(panels[0], ("backed_up", "jammed"), (
            "backed up to the entrance (criterion of the document)", "jammed: at rest behind an arch"), strict=True):
        draw_probability(panel, result, measure, "density", "speed" if len(set(result.column("speed"))) > 1 else None)
        panel.set(title=heading, xlabel="relative density [-]")
        panel.legend(fontsize="x-small", loc="upper center", bbox_to_anchor=(0.5, -0.14))
    drawn.suptitle(f"{title}: {result.study.repeats} seeds a point, 95 % Wilson intervals")
    return drawn


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
