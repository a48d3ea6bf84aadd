"""Three spheres on a grounded one (Vinogradov, §5, figure 3): the paths, and equations (49)-(52) corrected.

The document prints equations, not numbers. Here they move: spheres 2 and 3 sit on sphere 1, which sits on the grounded
sphere (path matrix (36)); self-rotation is neglected, as it is there. The connecting vectors keep their lengths, as the
document assumes between two events: rows say where a contact would have to pull, which spheres that touch cannot do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from granum.algebra.expression import evaluate
from granum.analytic import derive
from granum.analytic.scalar.equations import Scalar
from granum.base.kernels import Floats
from granum.model.scene import Scene
from granum.run import Run
from granum.validation.case import Case, Curve, Figure, Panel, Sheet
from granum.validation.runs import finish
from granum.validation.scenes import GRAVITY, fixed_point, gravity

SOURCE = "Vinogradov, §5, fig. 3"
MASS, LENGTH = (1.0, 2.0, 3.0), (1.0, 0.8, 1.2)
ALPHA, BETA = (0.1, 0.5, -0.7), (1.9, 2.2, 1.7)
ALPHA_RATE, BETA_RATE = (0.5, -0.4, 0.3), (0.2, 0.1, -0.3)
RAISED_ALPHA, RAISED_BETA = (0.1, 0.5, -2.4), (0.15, 0.5, 0.4)
"""A start on top of the grounded sphere, where all contacts press."""
PARENT = (None, 0, 0)
"""Body before each on the path; None is the grounded sphere (36)."""
UNTIL, INTERVAL, TIMES = 2.0, 0.01, (0.5, 1.0, 2.0)
ALLOWED = 1e-8
"""dop853 keeps 1e-12 (reference: 1e-13) in each of some 400 steps; neighbouring paths part by less than 100 in 2 s."""
FORCE_ALLOWED = 2e-6
"""[N]: 6 kg at 5 rad/s, with errors of 1e-8 m."""
EQUATIONS = {"(49)": "alpha_1", "(50)": "beta_1", "(51)": "alpha_2", "(52)": "beta_2"}
RESIDUAL_ALLOWED = 1e-12
"""Some hundred products of numbers up to 60 N m, each rounded to 1e-16 of itself."""


def three_spheres(alpha: Sequence[float] = ALPHA, beta: Sequence[float] = BETA, one_sided: bool = False) -> Scene:
    """Spheres 1, 2, 3 as in figure 3, moving."""
    positions: list[Floats] = []
    velocities: list[Floats] = []
    for k, near in enumerate(PARENT):
        sa, ca, sb, cb = math.sin(alpha[k]), math.cos(alpha[k]), math.sin(beta[k]), math.cos(beta[k])
        arm = np.array([sb * ca, sb * sa, cb])
        rate = ALPHA_RATE[k] * np.array([-sb * sa, sb * ca, 0.0]) + BETA_RATE[k] * np.array([cb * ca, cb * sa, -sb])
        positions.append(LENGTH[k] * arm + (0.0 if near is None else positions[near]))
        velocities.append(LENGTH[k] * rate + (0.0 if near is None else velocities[near]))
    names = [f"sphere-{k + 1}" for k in range(3)]
    return Scene(
        title="Three spheres",
        body={"ground": fixed_point(0.0, 0.0, 0.0),
              **{name: {"kind": "point-mass", "mass": MASS[k]} for k, name in enumerate(names)}},
        start={name: {"position": tuple(positions[k].tolist()), "velocity": tuple(velocities[k].tolist())}
               for k, name in enumerate(names)},
        link={f"contact-{k + 1}": {"between": ("ground" if near is None else names[near], names[k]),
                                   "length": LENGTH[k], "one_sided": one_sided} for k, near in enumerate(PARENT)},
        load=gravity(3),
    )


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """Positions at three times, residuals of the explicit equations, paths."""
    scene = three_spheres()
    run, reference = (
        finish(scene, until=UNTIL, interval=INTERVAL, solver="dop853", formulation=formulation, tolerance=tolerance)
        for formulation, tolerance in (("scalar", 1e-12), ("newton-euler", 1e-13)))
    for t in TIMES:
        frame = round(t / INTERVAL)
        for k in range(3):
            position, expected = (one.position(f"sphere-{k + 1}")[frame] for one in (run, reference))
            for axis, value, other in zip("xyz", position, expected, strict=True):
                sheet.compare(f"position body={k + 1} axis={axis} t={t:g}", SOURCE, value, other, ALLOWED,
                              "scalar, dop853 at 1e-12. Reference: newton-euler, dop853 at 1e-13.")
    _residuals(sheet, scene)
    _contacts(sheet, run, reference)
    _openings(sheet)
    return [_paths(run)]


CASE = Case("three-spheres",
            "Three spheres on a fixed one: scalar against newton-euler, equations (49)-(52) corrected", SOURCE,
            ("fig-3",), compute)


def _residuals(sheet: Sheet, scene: Scene) -> None:
    """Left side less right side of (49)-(52), corrected, with accelerations from newton-euler."""
    scalar = derive(scene, "scalar")
    assert isinstance(scalar, Scalar)
    formulas = scalar.expressions()
    values, second = _start_values(), _second_derivatives(scene)
    for place, row in EQUATIONS.items():
        entries = [(b, entry) for (a, b), entry in formulas.mass.items() if a == row]
        numbers = evaluate([*(entry for _, entry in entries), formulas.velocity[row], formulas.force[row]], values)
        left = sum(value * second[b] for (b, _), value in zip(entries, numbers, strict=False))
        sheet.compare(f"residual equation={place} t=0", f"Vinogradov, {place}", left + numbers[-2] - numbers[-1], 0.0,
                      RESIDUAL_ALLOWED, "Explicit equation, corrected, with the accelerations of newton-euler.",
                      unit="N m", corrected=True)


def _openings(sheet: Sheet) -> None:
    """When contacts that can only push open, started on top of the grounded sphere."""
    raised = three_spheres(RAISED_ALPHA, RAISED_BETA, one_sided=True)
    run, reference = (
        finish(raised, until=1.0, interval=INTERVAL, solver="dop853", formulation=formulation, tolerance=tolerance)
        for formulation, tolerance in (("scalar", 1e-12), ("newton-euler", 1e-13)))
    for one, other in zip(run.events, reference.events, strict=True):
        sheet.compare(f"time at which {one.name} {one.what}", SOURCE, one.t, other.t, ALLOWED,
                      "One-sided contacts, started on top of the grounded sphere: scalar, dop853 at 1e-12. Reference: "
                      "newton-euler, dop853 at 1e-13.", unit="s")


def _contacts(sheet: Sheet, run: Run, reference: Run) -> None:
    """Forces of the contacts over the run: a contact that pulls would open, but the equations keep its length."""
    for name in (f"contact-{k + 1}" for k in range(3)):
        tension, expected = (np.asarray(one.reaction(name).tension) for one in (run, reference))
        for which, of in (("least", np.min), ("largest", np.max)):
            sheet.compare(f"{which}-tension {name}", SOURCE, float(of(tension)), float(of(expected)), FORCE_ALLOWED,
                          "scalar, over all frames; positive where the contact pulls. Reference: newton-euler.",
                          unit="N")
        share, low, high = float(np.mean(tension > 0.0)), float(tension.min()), float(tension.max())
        told = ("pulls throughout" if share == 1.0 else "presses throughout" if share == 0.0 else
                "pulls part of the time")
        meaning = "The document's equations hold between two events and keep its length." if share == 0.0 else (
            "Spheres that touch can only press: this contact would open. The document's equations hold between two "
            "events and keep its length, as a two-sided link does; one_sided = true lets it open.")
        sheet.measure(f"share-of-time-pulling {name}", SOURCE, share,
                      f"This contact {told}: {low:.4g} to {high:.4g} N, tension positive. {meaning}")


def _start_values() -> dict[str, float]:
    """Symbols of the equations at t = 0."""
    values: dict[str, float] = {}
    for k in range(3):
        n = k + 1
        values |= {f"alpha_{n}": ALPHA[k], f"beta_{n}": BETA[k], f"alpha_{n}_dot": ALPHA_RATE[k],
                   f"beta_{n}_dot": BETA_RATE[k], f"m_{n}": MASS[k], f"c_{n}": LENGTH[k], f"F_{n}_x": 0.0,
                   f"F_{n}_y": 0.0, f"F_{n}_z": -GRAVITY * MASS[k]}
    return values


def _second_derivatives(scene: Scene) -> dict[str, float]:
    """α̈ and β̈ at t = 0 from the accelerations of newton-euler: the rate of (37), twice, along ε_α and ε_β."""
    equations = derive(scene, "newton-euler")
    q, v = equations.start
    accelerations = equations.accelerations(q, v).reshape(3, 3)
    place = {name[2:-1]: n for n, name in enumerate(equations.coordinates[:3])}
    a: list[Floats] = [accelerations[:, place[f"sphere-{k + 1}"]] for k in range(3)]
    second = {}
    for k, near in enumerate(PARENT):
        A = (a[k] - (0.0 if near is None else a[near])) / LENGTH[k]
        sa, ca, sb, cb = math.sin(ALPHA[k]), math.cos(ALPHA[k]), math.sin(BETA[k]), math.cos(BETA[k])
        across, down = ca * A[1] - sa * A[0], cb * (ca * A[0] + sa * A[1]) - sb * A[2]
        second[f"alpha_{k + 1}"] = float(across - 2.0 * cb * ALPHA_RATE[k] * BETA_RATE[k]) / sb
        second[f"beta_{k + 1}"] = float(down) + sb * cb * ALPHA_RATE[k] ** 2
    return second


def _paths(run: Run) -> Figure:
    """The three paths from the side and from above."""
    panels = []
    for other, seen in ((2, "from the side"), (1, "from above")):
        curves = tuple(Curve(f"sphere {k}", run.position(f"sphere-{k}")[:, 0], run.position(f"sphere-{k}")[:, other])
                       for k in (1, 2, 3))
        panels.append(Panel("x [m]", f"{'xyz'[other]} [m]", curves, title=seen, equal=True))
    return Figure("fig-3", "Figure 3: three spheres on a fixed one, paths over 2 s", tuple(panels))
