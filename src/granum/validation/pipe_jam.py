"""Grains in a corrugated pipe (Sun 1996, §6.5, figs. 6.14-6.17): when they back up and jam, over density and velocity.

The document gives geometry, data and an example of input (Appendix E); figure 6.15 with the limits is missing from the
text. Two criteria are told apart. The program calls it a jam when, at the instant a batch enters, a grain of an earlier
one is still behind the buffer: "backed up" here. The text says that "the discharge was zero or close to zero": that is
a true jam, the verdict of the jam probe at the end of a run, with grains at rest behind an arch. Runs go on after
grains have backed up, so that both are seen.

Three sets of laws are compared. Those of the program, which made the figures, and those of the text have disks that do
not rotate; the program has three times the friction at walls (`historic.pipe_input` has the reasons). Under the third,
grains rotate, as free disks do. All runs are by `moreau`; the example by the laws of the program is also run by
`unilateral`, the method of the document.

Batches come without overlap, in rows of alternately n and n - 1 grains whose distance gives the density; and, for
comparison, as the program brings them, each 1.7 cm into the one before, with all radii scaled to the density. Such
runs end when grains have backed up, as those of the program do: a batch that is pushed into grains at rest explodes.

All runs are studies: on all cores, with a table that survives an interrupt.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.grains.measuring import froude_number
from granum.historic.pipe_input import parse_input, read_legacy
from granum.io.examples import example_file
from granum.model.quantities import Speed
from granum.model.scene import Scene
from granum.run import Run, simulate
from granum.studies.definition import Maker
from granum.studies.result import StudyResult
from granum.studies.statistics import Crossing, Estimate, by_point, logistic_boundary, mean_interval
from granum.studies.study import study
from granum.validation.case import Case, Curve, Figure, Panel, Sheet
from granum.validation.scenes import GRAVITY

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
MOST = 0.499
"""Part of the seeds that may do otherwise where the document says that its example jams: more than half must."""
PERIODS = 30
"""Batches after which a run that has not backed up ends."""
LAWS = {"program": "laws of the program", "text": "laws of the text", "rotating": "laws of the text, but grains rotate"}

CRITERIA = {"backed_up": "program means that grains back up to the inlet",
            "jammed": "text means that nothing passes any more"}
"""What the document calls a jam, by how it is measured here."""


def backed_up_time(run: Run) -> float:
    """When grains first backed up [s]; the end of the run if they never did."""
    return min((one.backed_up for one in run.verdicts if one.backed_up is not None), default=float(run.t[-1]))


def jam_time(run: Run) -> float:
    """When the last verdict of a run began [s]: that of the jam, if it ends in one."""
    return float(run.verdicts[-1].begin)


MEASURES: dict[str, str | Callable[[Run], float]] = {
    "backed_up": "backed_up jam", "jammed": "verdict jam == 'jammed'", "backed_up_time": backed_up_time,
    "jam_time": jam_time, "verdict": "verdict jam", "inflow": "inflow jam", "discharge": "discharge jam"}
"""What is asked of each run."""


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
    program: Grid
    """Figure 6.15, large grains, by the laws of the program."""
    others: Grid | None
    """The same by the other laws."""
    small: Grid | None
    """Figure 6.15, small grains, by the laws of the program."""
    published: Grid | None
    """Batches that overlap, by the laws of the program."""


QUICK = Extent(2, Grid((0.40, 0.60), (0.05, 0.10), 1), None, None, None)
MODERATE = Extent(6, Grid((0.32, 0.36, 0.40, 0.44, 0.50, 0.60), (0.025, 0.05, 0.10), 3),
                  Grid((0.36, 0.40, 0.44, 0.50, 0.60), (0.05,), 3), Grid((0.36, 0.44, 0.60), (0.05,), 2),
                  Grid((0.36, 0.40, 0.45, 0.5503, 0.60), (0.05,), 3))
FULL = Extent(10, Grid((0.32, 0.36, 0.38, 0.40, 0.44, 0.50, 0.60), (0.025, 0.05, 0.10), 8),
              Grid((0.36, 0.40, 0.44, 0.50, 0.60), (0.05,), 6), Grid((0.40, 0.46, 0.52, 0.60), (0.05,), 4),
              Grid((0.36, 0.42, 0.46, 0.50, 0.5503), (0.05,), 6))


def example(as_published: bool, laws: str = "program") -> Scene:
    """The scene of the document's example of input; one as published ends where grains have backed up."""
    scene, _ = read_legacy(example_file("pipe-jam.inp"), as_published, "text" if laws == "rotating" else laws)
    source = scene.source["inflow"].model_copy(update={"rotation": laws == "rotating"})
    jam = scene.probe["jam"].model_copy(update={"stop": as_published})
    return _for_periods(scene.model_copy(update={
        "source": {"inflow": source}, "probe": {**scene.probe, "jam": jam}}))


def _for_periods(scene: Scene) -> Scene:
    """A run until PERIODS batches have come; a frame for each."""
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
               laws: str = "program") -> Scene:
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
    scene = example(False, laws)
    source = scene.source["inflow"].model_copy(update={
        "positions": tuple(at), "radii": tuple(scale * r for r in radii), "interval": rows * pitch / SPEED})
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
    """The example by three sets of laws; densities, both sizes and three velocities."""
    with TemporaryDirectory(prefix="granum-") as folder:
        return _compute(sheet, QUICK if quick else MODERATE, Path(folder))


def compute_full(sheet: Sheet, tables: Path) -> list[Figure]:
    """The same with enough seeds for figure 6.15 as probabilities."""
    return _compute(sheet, FULL, tables)


CASE = Case("pipe-jam", "grains in a corrugated pipe: backed up or truly jammed, and when, over density and velocity",
            "Sun (1996), §6.5, figs. 6.14-6.17, Appendix E",
            ("fig-6-14", "fig-6-15-large", "fig-6-15-small", "fig-6-15-large-probability",
             "fig-6-15-small-probability", "fig-6-15-large-times", "fig-6-15-small-times", "fig-6-16", "fig-6-17"),
            compute, compute_full)


def _compute(sheet: Sheet, extent: Extent, folder: Path) -> list[Figure]:
    _example(sheet, extent.example, folder)
    shown = {"fig-6-16": simulate(example(False), seed=1)}
    program = scanned(sheet, LAWS["program"], rows_scene, extent.program, folder)
    _velocities(sheet, program)
    large, small = {LAWS["program"]: program}, dict[str, StudyResult]()
    if extent.others:
        for laws in ("text", "rotating"):
            large[LAWS[laws]] = scanned(sheet, LAWS[laws], partial(rows_scene, laws=laws), extent.others, folder, LIMIT)
    if extent.published:
        name = f"{LAWS['program']}, batches as published"
        large[name] = scanned(sheet, name, published_scene, extent.published, folder, stops=True)
    if extent.small:
        small[LAWS["program"]] = scanned(sheet, f"{LAWS['program']}, small grains (d/D = 0.1)",
                                         partial(rows_scene, grain=SMALL), extent.small, folder)
        shown["fig-6-17"] = simulate(rows_scene(0.60, grain=SMALL), seed=1)
    figures = _pictures(shown)
    for size, title, results in (("large", "Large grains, d/D = 0.17", large),
                                 ("small", "Small grains, d/D = 0.1", small)):
        figures += _figures(size, title, results)
    return figures


def _example(sheet: Sheet, seeds: int, folder: Path) -> None:
    """The document's own input, from several seeds, by each set of laws."""
    given = parse_input(example_file("pipe-jam.inp").read_text("utf-8"))
    sheet.compare("relative density of the example", "Sun (1996), Appendix E", given.relative_density, 0.5503, 5e-5,
                  "Area of the disks over that of the generation area.", unit="-")
    backing_up = []
    for laws, solver in (*((laws, "moreau") for laws in LAWS), ("program", "unilateral")):
        how = LAWS[laws] + (", by unilateral" if solver == "unilateral" else "")
        result = studied(example(False, laws).with_run(solver=solver), f"example-{laws}-{solver}", f"Example, {how}",
                         folder, seeds)
        (backed_up,), (jammed,) = by_point(result, "backed_up"), by_point(result, "jammed")
        assert backed_up.estimate and jammed.estimate
        every = np.ones(result.rows, bool)
        for measure, what, estimate in (("backed_up", "backed up", backed_up.estimate),
                                        ("jammed", "truly jammed", jammed.estimate)):
            quantity = f"example, {how}: part of seeds {what}"
            note = f"{_fraction(estimate)}; V = 5 cm/s, {PERIODS} batches. {told(result, every)}"
            if laws == "rotating":
                sheet.measure(quantity, SOURCE, estimate.value, f"{note} The disks of the thesis do not rotate.")
            else:
                sheet.compare_published(
                    quantity, SOURCE, estimate.value, 1.0,
                    f"{note} The thesis says that its example jams, which by its {CRITERIA[measure]}: most seeds are "
                    "to show it.", unit="-", allowed=MOST)
            if len(times := _times(result, every, measure)):
                sheet.doubt(f"example, {how}: mean time until {what} [s]", LIMITS, float(times.mean()),
                            f"{times.min():.0f} to {times.max():.0f} s. The document's times are in a figure that is "
                            "missing; a rigid run outside of this project gave 140 to 310 s as published.")
        if laws == "program":
            backing_up.append(float(_times(result, every).mean()))
    by_moreau, by_unilateral = backing_up
    sheet.compare("example, laws of the program: mean time until backed up, by unilateral", SOURCE, by_unilateral,
                  by_moreau, GENERATION / SPEED, "Reference: the same by moreau. Batches come every 10 s, and only "
                  "then is a pipe seen to be backed up.", unit="s")


def _fraction(estimate: Estimate) -> str:
    """A probability in words."""
    return (f"{round(estimate.value * estimate.runs)} of {estimate.runs} seeds; 95 % interval {estimate.low:.2f} to "
            f"{estimate.high:.2f} (Wilson)")


def _times(result: StudyResult, chosen: Any, measure: str = "backed_up") -> Floats:
    """When those of the chosen runs that backed up, or jammed, did so [s]."""
    column = {"backed_up": "backed_up_time", "jammed": "jam_time"}[measure]
    times: Floats = result.column(column)[chosen & (result.column(measure) > 0.0)]
    return times


def told(result: StudyResult, chosen: Any) -> str:
    """How the flows of some runs were judged, and at what rates, in a sentence."""
    counts = ", ".join(f"{count} {kind}" for kind, count in Counter(result.column("verdict")[chosen].tolist()).items())
    inflow, discharge = (float(result.column(rate)[chosen].mean()) for rate in ("inflow", "discharge"))
    return f"Verdicts: {counts}; on average {inflow:.2f} grains per second enter and {discharge:.2f} pass."


def scanned(sheet: Sheet, how: str, make: Maker, grid: Grid, folder: Path, limit: float | None = None,
            stops: bool = False) -> StudyResult:
    """Runs over density and velocity, and the rows that say from which density on grains back up and jam.

    `limit` is that density as known from elsewhere; of runs that stop when grains have backed up no jam is told.
    """
    name = how.partition(" (")[0].replace(",", "").replace(" ", "-")
    result = studied(make, name, f"Pipe, {how}", folder, grid.seeds, density=grid.densities, speed=grid.speeds)
    pairs = zip(by_point(result, "backed_up"), by_point(result, "jammed"), strict=True)
    for backed_up, jammed in pairs:
        density, speed = backed_up.values["density"], backed_up.values["speed"]
        chosen = (result.column("density") == density) & (result.column("speed") == speed)
        assert backed_up.estimate and jammed.estimate
        place = f"{how}, density {density:g}, V = {speed:g} m/s"
        criteria = [("backed_up", "backed up", backed_up.estimate), ("jammed", "truly jammed", jammed.estimate)]
        for measure, what, estimate in criteria[:1] if stops else criteria:
            times = _times(result, chosen, measure)
            after = f"; after {times.min():.0f} to {times.max():.0f} s" if len(times) else ""
            sheet.measure(f"{place}: part {what}", LIMITS, estimate.value,
                          f"{_fraction(estimate)}{after}. {told(result, chosen)}")
    for speed in grid.speeds:
        _boundary(sheet, f"{how}, V = {speed:g} m/s: density at which half back up", crossing(result, speed), limit)
    return result


def crossing(result: StudyResult, speed: float) -> Crossing:
    """The density at which half of the runs at a velocity back up."""
    chosen = result.column("speed") == speed
    return logistic_boundary(result.column("density")[chosen], result.column("backed_up")[chosen])


def _known(found: Crossing) -> bool:
    return bool(np.isfinite([found.x50, found.low, found.high]).all())


def _boundary(sheet: Sheet, quantity: str, found: Crossing, limit: float | None) -> None:
    """Where the probability of backing up is 1/2, if the runs show it; that of jams does not rise with density."""
    if _known(found):
        width = ("outcomes are separated" if found.state == "separated"
                 else f"from 10 to 90 % within {2.0 * math.log(9.0) * abs(found.width):.3f}")
        note = f"95 % interval {found.low:.3f} to {found.high:.3f} of a logistic fit; {width}."
        if limit is None:
            sheet.measure(quantity, LIMITS, found.x50, note)
        else:
            sheet.compare(quantity, LIMITS, found.x50, limit, 0.1, f"{note} Outside of this project, with friction 0.3 "
                          "everywhere and batches as published: none below 0.5, all above 0.6.", unit="-")


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
    program = results[LAWS["program"]]
    probability = partial(_probabilities, program, f"{title}, laws of the program")
    panels = []
    for measure, what in (("backed_up", "backed up"), ("jammed", "truly jammed")):
        curves = []
        for how, result in results.items():
            chosen = (result.column("speed") == SPEED) & (result.column(measure) > 0.0)
            if chosen.any():
                curves.append(Curve(how, result.column("density")[chosen], _times(result, chosen, measure), "marks"))
        if curves:
            panels.append(Panel("relative density [-]", f"time until {what} at V = 5 cm/s [s]", tuple(curves)))
    return [Figure(f"fig-6-15-{size}", "", picture=partial(_counts, program, size)),
            Figure(f"fig-6-15-{size}-probability", "", picture=probability),
            *([Figure(f"fig-6-15-{size}-times", title, tuple(panels))] if panels else [])]


def _counts(result: StudyResult, size: str) -> FigureOfMatplotlib:
    """How many runs jammed, as the document draws it, by the laws of its program."""
    from granum.view.plots.several import Tried, jam_diagram

    rows = []
    for group in by_point(result, "jammed"):
        chosen = ((result.column("density") == group.values["density"])
                  & (result.column("speed") == group.values["speed"]))
        times = _times(result, chosen, "jammed")
        rows.append(Tried(group.values["density"], froude_number(group.values["speed"], GRAVITY, WIDTH),
                          group.successes, group.runs, float(times.mean()) if len(times) else None))
    return jam_diagram(rows, "Froude number v/√(gD) [-]", f"Figure 6.15: {size} grains in a corrugated pipe",
                       "truly jammed")


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
