"""Classics of the IFToMM library of multibody benchmarks (M. González et al. 2006), by bodies and joints.

Each runs by newton-euler and stands beside an independent computation in as few coordinates as it has freedoms. The
library's own files of reference motion are not at hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import ellipj, ellipk

from granum.analytic.derive import derive
from granum.analytic.rigid_bodies.equations import BodyEquations
from granum.base.kernels import Floats
from granum.model.scene import Scene
from granum.run import Run
from granum.validation.bricard import AXES, CORNERS, SECTION, motion_of_corner
from granum.validation.case import Case, Curve, Figure, Panel, Sheet
from granum.validation.governor import governor, governor_heights
from granum.validation.runs import PRECISE, finish, solved
from granum.validation.scenes import GRAVITY, fixed_point, gravity, hinge, rod
from granum.validation.squeezer import REFERENCE, squeezer, squeezer_angles

LIBRARY = "González et al. 2006"
UNTIL = 10.0
"""[s], as the library says."""
KEPT = 1e-6
"""Part of the energy between the highest and the level position that may be lost or gained."""


Problem = Callable[[Sheet, bool], tuple[Panel, list[Curve]]]
"""Writes the rows of one benchmark; a panel, and how the energy changes, where it must be kept."""


def simple_pendulum() -> Scene:
    """A01: 1 kg on a link of 1 m, released level at (-1, 0)."""
    return Scene(body={"pivot": fixed_point(0.0, 0.0),
                       "bob": {"kind": "point-mass", "mass": 1.0}},
                 link={"rod": {"between": ("pivot", "bob")}}, start={"bob": {"position": (-1.0, 0.0)}}, load=gravity())


def level_pendulum(t: Floats) -> Floats:
    """(times, 2): where that pendulum is: sin(θ/2) = k sn(K(k) - √g t), k = sin 45°."""
    m = 0.5
    sn, *_ = ellipj(ellipk(m) - math.sqrt(GRAVITY) * t, m)
    theta = -2.0 * np.arcsin(math.sqrt(m) * sn)  # from the vertical, toward -x at first
    return np.column_stack([np.sin(theta), -np.cos(theta)])


def four_bars(count: int) -> Scene:
    """A02: `count` windows of rods of 1 m and 1 kg, upright; the top moves with 1 m/s, so every crank turns."""
    body: dict[str, Any] = {}
    hinges, start = {}, {}
    for k in range(count + 1):
        body[f"base-{k}"] = fixed_point(float(k), 0.0)
        body[f"crank-{k}"] = rod()
        start[f"crank-{k}"] = {"angle": math.pi / 2.0, "angular_velocity": -1.0}
        hinges[f"foot-{k}"] = hinge(f"base-{k}", f"crank-{k}.tail")
    for k in range(count):
        body[f"coupler-{k}"] = rod()
        hinges[f"left-{k}"] = hinge(f"crank-{k}.head", f"coupler-{k}.tail")
        hinges[f"right-{k}"] = hinge(f"crank-{k + 1}.head", f"coupler-{k}.head")
    return Scene(body=body, constraint=hinges, start=start, load=gravity())


def crank_angle(count: int, t: Floats) -> Floats:
    """Angle of the cranks of N windows: (N + 1)/3 + N kg m² and a weight at ((N + 1)/2 + N) m kg, one freedom."""
    pull = GRAVITY * ((count + 1) / 2.0 + count) / ((count + 1) / 3.0 + count)
    angle: Floats = solved(lambda _, y: (y[1], -pull * math.cos(y[0])), (math.pi / 2.0, -1.0), t)[0]
    return angle


def bricard() -> Scene:
    """A04: five rods of 1 m and 1 kg with a square section of 0.1 m, six hinges: Grübler counts 5·6 - 6·5 = 0."""
    body: dict[str, Any] = {"A": fixed_point(0.0, 0.0, 0.0),
                            "B": fixed_point(0.0, 0.0, 1.0)}
    start, hinges, before = {}, {}, "A"
    for k in range(5):
        edge, middle = CORNERS[k + 1] - CORNERS[k], 0.5 * (CORNERS[k + 1] + CORNERS[k])
        body[f"rod-{k + 1}"] = {"kind": "block", "mass": 1.0, "size": tuple(np.where(edge == 0.0, SECTION, 1.0)),
                                "points": {"tail": tuple(-0.5 * edge), "head": tuple(0.5 * edge)}}
        start[f"rod-{k + 1}"] = {"position": tuple(middle.tolist())}
        hinges[f"hinge-{k + 1}"] = hinge(before, f"rod-{k + 1}.tail", AXES[k])
        before = f"rod-{k + 1}.head"
    hinges["hinge-6"] = hinge(before, "B", AXES[5].tolist())
    return Scene(body=body, constraint=hinges, start=start,
                 load=gravity(3, axis=1))


def _pendulum(sheet: Sheet, quick: bool) -> tuple[Panel, list[Curve]]:
    run = finish(simple_pendulum(), until=UNTIL, interval=0.05, formulation="newton-euler", **PRECISE)
    place, exact = run.position("bob"), level_pendulum(run.t)
    sheet.compare("A01 largest-distance", LIBRARY, float(np.abs(place - exact).max()), 0.0, 1e-8,
                  "Simple pendulum, 10 s, dop853 at 1e-12. Largest distance from the reference: elliptic functions.")
    curves = Curve("x", run.t, place[:, 0]), Curve("y", run.t, place[:, 1])
    return Panel("t [s]", "x, y [m]", curves, title="A01 simple pendulum"), [_energy(sheet, "A01", run, GRAVITY)]


def _energy(sheet: Sheet, name: str, run: Run, scale: float) -> Curve:
    """Largest change of the mechanical energy, as a part of a given one [J]; and the change over time."""
    total = run.energy.kinetic + run.energy.potential
    change = np.abs(total - total[0]) / scale
    sheet.compare(f"{name} energy-change", LIBRARY, float(change.max()), 0.0, KEPT,
                  f"Largest change over {run.t[-1]:g} s, relative to {scale:.4g} J.", unit="-")
    return Curve(name, run.t[1:], np.maximum(change[1:], 1e-17))


def _four_bars(sheet: Sheet, quick: bool) -> tuple[Panel, list[Curve]]:
    curves, energies = [], []
    for count in (2,) if quick else (2, 40):
        run = finish(four_bars(count), until=UNTIL, interval=0.05, formulation="newton-euler", tolerance=1e-8)
        angle, exact = run.angle("crank-0"), crank_angle(count, run.t)
        away = np.hypot(np.cos(angle) - np.cos(exact), np.sin(angle) - np.sin(exact))
        sheet.compare(
            f"A02 largest-distance N={count}", LIBRARY, float(away.max()), 0.0, 1e-5,
            "Largest distance of the top of the first crank over 10 s from the solution of one equation in the angle "
            "(SciPy's DOP853 at 1e-13). All rods are collinear twice per revolution, where the mechanism gains N "
            "degrees of freedom for an instant.")
        energies.append(_energy(sheet, f"A02 N={count}", run, GRAVITY * ((count + 1) / 2.0 + count)))
        curves.append(Curve(f"N = {count}", run.t, np.cos(angle)))
    return Panel("t [s]", "x of the first crank's top [m]", tuple(curves), title="A02 N four-bars"), energies


def _squeezer(sheet: Sheet, quick: bool) -> tuple[Panel, list[Curve]]:
    run = finish(squeezer(), until=0.03, interval=0.0005, formulation="newton-euler", tolerance=1e-12)
    angles = squeezer_angles(run)
    for name, reference in REFERENCE.items():
        sheet.compare(f"A03 {name} t=0.03", "Test Set for IVP Solvers 2008", float(angles[name][-1]), reference, 1e-8,
                      "Andrews' squeezer from seven bodies, hinges, a spring and a torque, dop853 at "
                      "1e-12.", unit="rad",
                      published=reference, published_allowed=1e-8)
    shown = ("Phi", "gamma", "delta")
    curves = (*(Curve(name, run.t, angles[name]) for name in shown), Curve(
        "published", np.full(len(shown), 0.03), np.array([REFERENCE[name] for name in shown]), "printed"))
    return Panel("t [s]", "angle [rad]", curves, title="A03 Andrews' squeezer"), []


def _bricard(sheet: Sheet, quick: bool) -> tuple[Panel, list[Curve]]:
    scene = bricard()
    equations = derive(scene, "newton-euler")
    assert isinstance(equations, BodyEquations)
    equations.evaluate(equations.y0)
    bodies, rows = len(equations.rows.bodies), equations.rows.row_count
    redundancy = equations.redundancy()
    sheet.compare("A04 freedoms", LIBRARY, 6 * bodies - rows + len(redundancy.rows), 1.0, 0.0,
                  f"Six for each body minus independent rows. Grübler's count is {6 * bodies - rows}. "
                  f"{' '.join(redundancy.summary_lines())}", unit="-")
    run = finish(scene, until=UNTIL, interval=0.05, formulation="newton-euler", tolerance=1e-10)
    tip = run.position("rod-3") + run.rotation("rod-3") @ (0.5 * (CORNERS[3] - CORNERS[2]))
    exact = motion_of_corner(run.t)
    sheet.compare("A04 largest-distance", LIBRARY, float(np.abs(tip - exact).max()), 0.0, 1e-7,
                  "Largest distance of the corner opposite the ground over 10 s from the solution of one equation in "
                  "the hinge angle (SciPy's DOP853 at 1e-12).")
    curves = tuple(Curve(axis, run.t, tip[:, k]) for k, axis in enumerate("xyz"))
    return (Panel("t [s]", "corner opposite the ground [m]", curves, title="A04 Bricard"),
            [_energy(sheet, "A04", run, 5.0 * GRAVITY)])


def _governor(sheet: Sheet, quick: bool) -> tuple[Panel, list[Curve]]:
    until = 1.0 if quick else UNTIL
    run = finish(governor(), until=until, interval=0.02, formulation="newton-euler", tolerance=1e-8)
    height, exact = run.position("slider")[:, 2], governor_heights(run.t)
    sheet.compare(f"A05 largest-distance t={until:g}", LIBRARY, float(np.abs(height - exact).max()), 0.0, 1e-8,
                  "Largest distance of the slider height from the solution of two equations (arm and slider, with "
                  "constant angular momentum about the shaft) by SciPy's Radau at 1e-10. Dampers dissipate energy, so "
                  "no energy is compared.")
    return Panel("t [s]", "height of the slider [m]", (Curve("z", run.t, height),), title="A05 flyball governor"), []


PROBLEMS: tuple[Problem, ...] = (_pendulum, _four_bars, _squeezer, _bricard, _governor)


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """Problems A01-A05 of the library; `quick` leaves N = 40 out and ends the governor early."""
    panels, changes = zip(*(problem(sheet, quick) for problem in PROBLEMS), strict=True)
    energies = tuple(curve for own in changes for curve in own)
    energy = Panel("t [s]", "change of energy [-]", energies, title="energy", log_y=True)
    return [Figure("benchmark-library", "Multibody benchmarks A01-A05", (*panels, energy), rows=2)]


CASE = Case("benchmark-library",
            "Simple pendulum, N four-bars, Andrews' squeezer, Bricard's mechanism, flyball governor: A01-A05",
            "IFToMM multibody benchmarks, González et al. 2006", ("benchmark-library",), compute)
