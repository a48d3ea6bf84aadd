"""The upright stack (Sun 1996, §6.4, figures 6.12-6.13): how long until it falls.

Exactly upright the stack is in equilibrium, and nothing makes it fall but rounding. Tilted by a given angle it falls
at a time that can be computed to ten digits; how fast depends on the logarithm of the tilt.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats
from granum.model.scene import Scene
from granum.run import Run
from granum.run.instability import SUNK, first_below
from granum.validation.case import Case, Curve, Figure, Panel, Sheet, plain
from granum.validation.runs import CORRECTIONS, PRECISE, converged, finish, mixed
from granum.validation.scenes import LENGTH, lying_stack, stack

SOURCE = "Sun (1996), §6.4, fig. 6.13"
COUNTS = (10, 20, 30, 40, 50, 60)
TILT = 1e-8
"""Tilt of every link [rad]; the document has none."""
# Time to instability [s] with every link tilted by 1e-8 rad, computed outside of this project; six digits.
INDEPENDENT = {10: 0.695589, 60: 0.137059}
LAST_DIGIT = 5e-7
"""Half a unit of the sixth digit of those."""
FORMULATIONS_ALLOWED = 1e-9
"""Interpolation between frames [s]; the two formulations themselves are nearer, as a tilt that is off by a factor
1 + e changes the time by e/σ with a growth rate σ > 10/s."""
STEP = 1e-3
"""Step of the mixed iteration [s]; its times are allowed to be off by as much."""
TOLERANCE = 1e-3
SEED = 1
FRAMES = 400
"""Frames of a precise run: interpolation between them is good to 1e-9 s (800 frames change 2e-10 s)."""


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """Tilted, scattered, upright, then with corrections."""
    counts = (10, 60) if quick else COUNTS
    tilted = {count: _tilted(sheet, count) for count in COUNTS}
    scattered = {count: _scattered(sheet, count) for count in counts}
    _upright(sheet)
    corrected = {suffix: _corrected(sheet, counts, tilted, suffix) for suffix in CORRECTIONS}
    return [_shapes(tilted[10]), _times(tilted, scattered, corrected)]


CASE = Case("stack", "Upright stack of N masses: time until the top has sunk by 0.1 %, from tilted, random and exactly "
                     "upright starts",
            "Sun (1996), §6.4, figs. 6.12-6.13", ("fig-6-12", "fig-6-13"), compute)


def fall_time(run: Run, count: int, axis: int = 1) -> float | None:
    """When the top mass has sunk by 0.1 % of the height [s]; None if it never did."""
    return first_below(run, f"disk-{count}", axis, LENGTH * (1.0 - SUNK))


def expected_until(count: int) -> float:
    """An end time [s] behind the fall of a stack tilted by 1e-8: the growth rate goes as N."""
    return 9.0 / count


def _precise_time(scene: Scene, count: int, formulation: str, axis: int = 1) -> float:
    """Time to instability by dop853 at 1e-12 [s].

    Frames are dense because they bound the steps: the relative tolerance of a step is that of the height, and a
    displacement of 1e-9 m in a long step is off by more than that.
    """
    until = expected_until(count)
    run = finish(scene, until=until, interval=until / FRAMES, formulation=formulation, **PRECISE)
    return _fallen(fall_time(run, count, axis))


def _by_lagrange(scene: Scene, count: int) -> float:
    """The same start in angles from the upright, gravity along -x: another formulation in another frame."""
    steps = np.diff(_outline(finish(scene, until=1e-6, interval=1e-6), count, 0), axis=1)
    lying = lying_stack([float(angle) for angle in np.arctan2(*steps)])
    return _precise_time(lying, count, "lagrange", axis=0)


def _fallen(time: float | None) -> float:
    if time is None:
        raise NotConvergedError("A tilted stack still stands long after it should have fallen.")
    return time


def _tilted(sheet: Sheet, count: int) -> float:
    """Time to instability with every link tilted alike."""
    scene = stack(count, tilt=TILT)
    time = _precise_time(scene, count, "newton-euler")
    if count in INDEPENDENT:
        reference, allowed, origin = INDEPENDENT[count], LAST_DIGIT, "computed independently, six digits"
    else:
        reference, allowed, origin = _by_lagrange(scene, count), FORMULATIONS_ALLOWED, "lagrange, dop853 at 1e-12"
    sheet.compare(
        f"time-to-instability N={count} tilt={plain(TILT)}", SOURCE, time, reference, allowed,
        f"Every link tilted by 1e-8 rad; newton-euler, dop853 at 1e-12. Reference: {origin}.", unit="s")
    return time


def _scattered(sheet: Sheet, count: int) -> float:
    """The same with a random tilt of each link, seeded."""
    scene = stack(count, scatter=TILT, seed=SEED)
    time = _precise_time(scene, count, "newton-euler")
    sheet.compare(
        f"time-to-instability N={count} scatter={plain(TILT)} seed={SEED}", SOURCE, time, _by_lagrange(scene, count),
        FORMULATIONS_ALLOWED, "Each link tilted by a random angle within 1e-8 rad; newton-euler, dop853 at 1e-12. "
        "Reference: lagrange, dop853 at 1e-12.", unit="s")
    return time


UPRIGHT_UNTIL = 10.0
ROUNDED_COUNT, ROUNDED_UNTIL = 20, 1.5
ROUNDED_INTERVALS = (0.05, 0.01)


def _upright(sheet: Sheet) -> None:
    """Exactly upright: an equilibrium, which newton-euler keeps to the last bit and angles near π/2 do not."""
    for count in (COUNTS[0], COUNTS[-1]):
        run = finish(stack(count), until=UPRIGHT_UNTIL, interval=0.1, formulation="newton-euler", **PRECISE)
        time = fall_time(run, count)
        fate = f"stands for {UPRIGHT_UNTIL:g} s and would stand forever" if time is None else f"falls at {time:.3g} s"
        sheet.doubt(f"time-to-instability N={count} upright newton-euler", SOURCE, time,
                    f"The exactly upright stack is in equilibrium: it {fate}. The published times measure round-off.")
        sheet.compare(
            f"sideways-motion N={count} upright newton-euler t={UPRIGHT_UNTIL:g}", SOURCE,
            float(np.abs(run.positions[:, :, 0]).max()), 0.0, 0.0,
            "Largest |x| of any mass at any time: exactly zero, as every term of the equations is.")
    for interval in ROUNDED_INTERVALS:
        run = finish(stack(ROUNDED_COUNT), until=ROUNDED_UNTIL, interval=interval, formulation="lagrange", **PRECISE)
        time = fall_time(run, ROUNDED_COUNT)
        fate = f"It stands for {ROUNDED_UNTIL:g} s" if time is None else f"It falls at {time:.3g} s"
        sheet.doubt(
            f"time-to-instability N={ROUNDED_COUNT} upright lagrange interval={interval:g}", SOURCE, time,
            f"{fate} when frames are recorded every {interval:g} s, although nothing pushes it: π/2 is not a "
            "floating-point number (its cosine is 6e-17), and steps of different size round differently.")


def _corrected(sheet: Sheet, counts: Sequence[int], exact: dict[int, float], suffix: str) -> dict[int, float]:
    """Figure 6.13: the mixed iteration with a choice of corrections, from the same tilt."""
    times: dict[int, float] = {}
    corrections = CORRECTIONS[suffix]
    settings = mixed(corrections, bool(corrections), STEP, TOLERANCE)
    for count in counts:
        quantity = f"time-to-instability N={count} tilt={plain(TILT)} mixed.{suffix}"
        run = converged(sheet, [quantity], SOURCE, finish, stack(count, tilt=TILT), until=expected_until(count),
                        interval=2.0 * STEP, **settings)
        if run is not None:
            times[count] = _fallen(fall_time(run, count))
            sheet.compare(quantity, SOURCE, times[count], exact[count], STEP, _judgement(suffix, run), unit="s")
    return times


# §6.4 on figure 6.13, where runs start upright and rounding makes them fall; a given tilt says otherwise
CLAIMS = {
    "pv": "The source finds these corrections useless here; from a given tilt they are the ones that help. ",
    "en": "The source finds this correction very important here; from a given tilt it only delays the fall. ",
}


def _judgement(suffix: str, run: Run) -> str:
    """What a row of figure 6.13 says."""
    corrections = CORRECTIONS[suffix]
    note = (f"Mixed iteration, h = 1 ms, TOL = 0.001, corrected: {', '.join(corrections) or 'nothing'}. "
            f"{CLAIMS.get(suffix, '')}Reference: newton-euler, dop853; the allowed error is one step.")
    skipped = int(run.statistics["energy_uncorrected"].sum())
    if skipped:
        note += (f" The energy could not be corrected in {skipped} of {int(run.statistics['steps'].sum())} steps, in "
                 "which the kinetic energy is below round-off.")
    return note


def _shapes(fall: float) -> Figure:
    """Figure 6.12: the stack of ten before and while it falls."""
    run = finish(stack(10, tilt=TILT), until=1.12 * fall, interval=0.04 * fall, **PRECISE)
    curves = tuple(Curve.along(f"t = {run.t[k]:.3f} s", _outline(run, 10, k).T, "points") for k in (0, 25, 26, 27, 28))
    return Figure("fig-6-12", "Figure 6.12: N = 10, every link tilted by 1e-8 rad", (Panel("x [m]", "y [m]", curves),))


def _outline(run: Run, count: int, frame: int) -> Floats:
    """(2, count + 1): x and y of the base and of all masses [m]."""
    names = ["base", *(f"disk-{k + 1}" for k in range(count))]
    return np.array([run.position(name)[frame] for name in names]).T


def _times(tilted: dict[int, float], scattered: dict[int, float], corrected: dict[str, dict[int, float]]) -> Figure:
    """Figure 6.13: time to instability against N."""
    curves = [Curve.over("dop853, tilt 1e-8", tilted, "points"),
              Curve.over(f"dop853, random tilt 1e-8 (seed {SEED})", scattered, "points")]
    curves += [Curve.over(f"mixed.{suffix}", times, "dashed points") for suffix, times in corrected.items()]
    late = [Curve.over(f"mixed.{suffix}", {count: 1e3 * (time - tilted[count]) for count, time in times.items()},
                  "dashed points") for suffix, times in corrected.items()]
    return Figure("fig-6-13", "Figure 6.13: time to instability from a tilted start (upright is an equilibrium)", (
        Panel("number of disks N [-]", "time to instability [s]", tuple(curves)),
        Panel("number of disks N [-]", "delay relative to dop853 [ms]", tuple(late)),
    ))
