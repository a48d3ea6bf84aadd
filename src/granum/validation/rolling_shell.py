"""The shell on a dimpled bowl (Udwadia and Mogharabin 2022, §3, figs. 3-13): three examples, four orientations each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product

import numpy as np
from scipy.interpolate import make_interp_spline

from granum.analytic.derive import derive
from granum.analytic.expressed_equations import ExpressedEquations
from granum.base.kernels import Floats
from granum.model.scene import Scene
from granum.run import Run
from granum.run.extremes import Maximum
from granum.validation.case import Case, Curve, Figure, Look, Panel, Sheet
from granum.validation.runs import finish
from granum.validation.scenes import GRAVITY, cross_matrix, gravity

PAPER = "Udwadia and Mogharabin (2022)"
SOURCE = f"{PAPER}, §3"
RADIUS, INNER_RADIUS = 0.09, 0.08
DENSITIES = (10490.0, 7874.0)
H = (0.04, 1.2 * math.sqrt(2.0), 0.05, 1.6, 0.03)
"""h₁ ... h₅ of the surface (57)."""
_EQUATION = (f"Z - {H[0]}*sin({H[1]!r}*pi*X)/(1+X**2) - {H[2]}*sin({H[3]}*pi*Y)/(1+Y**2) "
             f"- {H[4]}*(X**2+Y**2)")
CONTACT, VELOCITY = (-1.5, -0.75), (1.5, 1.0)
"""X and Y of P [m], and of the velocity of O [m/s], at the start."""
SPIN = 3.0 * math.pi
"""λ(0) of Example 2 [rad/s]."""
UNTIL, INTERVAL = 25.0, 0.025
CASES = "ABCD"
EXAMPLES = {1: "no spin at the start", 2: "spin 3π rad/s at the start", 3: "spin prevented"}

TOLERANCE, REFERENCE_TOLERANCE = 1e-12, 1e-13
TIMES = {5: 1e-9, 10: 1e-8, 15: 1e-7, 20: 5e-7, 25: 1e-6}
"""Times of rows [s] and the distance allowed there [m]: a shift of the start grows by some 1e5 in 25 s."""
FRICTION_ALLOWED = 1e-5
"""Of two formulations, as the reference is interpolated between frames; half the last digit of independent values."""
ROW_ALLOWED, ENERGY_ALLOWED, TORQUE_ALLOWED = 1e-8, 1e-10, 1e-7
SAME = 1e-13

# §3.1.1-3.1.3: minimum friction; §3.1.2: energy that the spin of Example 2 adds [%]
PRINTED_FRICTION = {1: ("0.23", "0.19", "0.20", "0.17"), 2: ("0.26", "0.28", "0.22", "0.19"),
                    3: ("0.21", "0.19", "0.16", "0.17")}
PRINTED_INCREMENT = (3.6, 5.4, 4.9, 5.2)
# Computed outside of this project: Example 1 to five digits, properties of the shell to all.
INDEPENDENT_FRICTION = {"A": 0.20349, "B": 0.20842, "C": 0.22378, "D": 0.18496}
INDEPENDENT_SHELL = {"shell-mass": 8.346139350295655, "centre-offset": 0.006068186403572608,
                     "J1": 0.040432237468224906, "J2": 0.04012490852848173}
PRINTED_OFFSET = 0.0061
ERROR_CASES = {1: "A", 2: "B", 3: "C"}
"""Figures 7, 10 and 13 show one case of each example."""


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """Shell, ranks, then friction, paths, torques and constraint errors; `quick` leaves out Examples 2 and 3."""
    examples = (1,) if quick else tuple(EXAMPLES)
    _shell(sheet)
    _ranks(sheet)
    _friction(sheet, examples)
    if 2 in examples:
        _increments(sheet)
    for rows in (_path, _torque_rows):
        for example, case in product(examples, CASES):
            rows(sheet, example, case)
    for example in examples:
        _constraint_errors(sheet, example)
    return _figures(examples)


CASE = Case("rolling-shell", "Shell of two halves on a dimpled bowl: paths, friction, torque and constraint errors",
            f"{SOURCE}, figs. 3-13", (*(f"fig-{number:02}" for number in range(3, 14)), "friction"), compute)


def normal_at_start() -> tuple[Floats, Floats]:
    """Contact point P [m] and unit normal n there, from (57) by hand."""
    x, y = CONTACT
    h1, h2, h3, h4, h5 = H
    z = h1 * math.sin(h2 * math.pi * x) / (1 + x * x) + h3 * math.sin(h4 * math.pi * y) / (1 + y * y) \
        + h5 * (x * x + y * y)
    along_x, along_y = (
        h * (k * math.pi * math.cos(k * math.pi * s) / (1 + s * s) - 2 * s * math.sin(k * math.pi * s) / (1 + s * s)**2)
        + 2 * h5 * s for h, k, s in ((h1, h2, x), (h3, h4, y)))
    k = np.array([-along_x, -along_y, 1.0])
    return np.array([x, y, z]), k / np.linalg.norm(k)


def orientation(case: str) -> tuple[float, ...]:
    """The quaternion of Table 1."""
    r = math.sqrt(2.0)
    if case == "D":
        nx, ny, nz = normal_at_start()[1].tolist()
        return tuple(c / math.sqrt(2.0 * (1.0 + nx)) for c in (1.0 + nx, 0.0, -nz, ny))
    return {"A": (1.0, 0.0, 0.0, 0.0), "B": (math.sqrt(2 + r) / 2, 0.0, 0.0, math.sqrt(2 - r) / 2),
            "C": (r / 2, 0.0, -r / 2, 0.0)}[case]


def rolling_shell(example: int, case: str) -> Scene:
    """The shell of §3 in one of the three examples, from orientation A, B, C or D."""
    constraint = {"roll": {"kind": "rolling", "body": "shell", "on": "bowl"}, "energy": {"kind": "energy"}}
    if example == 3:
        constraint["spin"] = {"kind": "no-spin", "body": "shell"}
    return Scene(
        title=f"Rolling shell, example {example}, case {case}", surface={"bowl": {"equation": _EQUATION}},
        body={"shell": {"kind": "two-half-shell", "radius": RADIUS, "inner_radius": INNER_RADIUS,
                        "density": DENSITIES}},
        constraint=constraint, load=gravity(3),
        start={"shell": {"contact": CONTACT, "velocity": VELOCITY, "spin": SPIN if example == 2 else 0.0,
                         "orientation": orientation(case)}})


@cache
def motion(example: int, case: str, **settings: tuple[str, ...]) -> Run:
    """25 s by the fundamental equation (43), positions and velocities corrected; or with `corrections=()`, as the
    document ran it.
    """
    return finish(rolling_shell(example, case), until=UNTIL, interval=INTERVAL, formulation="fundamental",
                  tolerance=TOLERANCE, **settings)


@cache
def reference(example: int, case: str) -> Run:
    """The same by Appell's equations in quasi-velocities, ten times as accurate; of Example 1 only the rows' times."""
    return finish(rolling_shell(example, case), until=UNTIL, interval=min(TIMES) if example == 1 else INTERVAL,
                  formulation="gibbs-appell", tolerance=REFERENCE_TOLERANCE)


@cache
def friction(example: int, case: str) -> Maximum:
    """The minimum friction of the fundamental equation, located between frames."""
    return motion(example, case).minimum_friction("roll")


@cache
def interpolated_friction(example: int, case: str) -> float:
    """The minimum friction of Appell's equations: their forces in frames, interpolated by a polynomial spline.

    Order 9 on frames of 0.025 s is good to 1e-6: the sharpest peaks are 0.1 s wide.
    """
    run = reference(example, case)
    reaction = run.reaction("roll")
    spline = make_interp_spline(run.t, np.column_stack([reaction.force, reaction.normal]), k=9)
    values = spline(np.linspace(0.0, UNTIL, 200 * len(run.t)))
    pressing = values[:, 3]
    sliding = np.sqrt(np.maximum(0.0, np.sum(values[:, :3]**2, axis=1) - pressing**2))
    return float((sliding / pressing).max())


def start_energy(example: int, case: str) -> float:
    """Energy at the start [J] in closed form, from (37)-(38) and Table 1, without the engine."""
    P, n = normal_at_start()
    S = _rotation(orientation(case))
    m, offset, J1, J2 = INDEPENDENT_SHELL.values()
    arm = S @ [-offset, 0.0, 0.0]
    speed = np.array([*VELOCITY, -(n[:2] @ VELOCITY) / n[2]])
    omega = np.cross(n, speed) / RADIUS + (SPIN if example == 2 else 0.0) * n
    v, w = speed + np.cross(omega, arm), S.T @ omega
    height = (P + RADIUS * n + arm)[2]
    return float(0.5 * m * v @ v + 0.5 * w @ ([J1, J2, J2] * w) + m * GRAVITY * height)


def _rotation(quaternion: Sequence[float]) -> Floats:
    """Turns axes of the shell into inertial ones."""
    u0, u = quaternion[0], np.array(quaternion[1:])
    S: Floats = (u0 * u0 - u @ u) * np.eye(3) + 2.0 * np.outer(u, u) + 2.0 * u0 * cross_matrix(u)
    return S


def _point(run: Run, point: str) -> Floats:
    """(frames, 3): path of P ("contact") or of O ("centre") [m]."""
    return np.column_stack([run.coordinate(f"shell.{point}.{axis}") for axis in "xyz"])


def _at(run: Run, name: str, time: float) -> float:
    """A coordinate in the frame at a time."""
    return float(run.coordinate(name)[np.abs(run.t - time).argmin()])


def _torque(run: Run) -> Floats:
    """(frames, 3): torque about P [N m] that all constraints exert (55), the prevention of spin included."""
    torque = run.reaction("roll").moment
    return torque + run.reaction("spin").moment if "spin" in run.joint_names else torque


def _split(run: Run, vectors: Floats) -> tuple[Floats, Floats]:
    """Part along the normal and magnitude of the part along the surface."""
    n = (_point(run, "centre") - _point(run, "contact")) / RADIUS
    along = np.sum(vectors * n, axis=1)
    return along, np.linalg.norm(vectors - along[:, None] * n, axis=1)


def _shell(sheet: Sheet) -> None:
    """Mass, centre and moments of inertia of the shell."""
    shell = rolling_shell(1, "A").body["shell"].properties()  # type: ignore[attr-defined]
    values = {"shell-mass": (shell.mass, "kg"), "centre-offset": (abs(shell.centre[0]), "m"),
              "J1": (shell.inertia[0, 0], "kg m²"), "J2": (shell.inertia[1, 1], "kg m²")}
    for quantity, (value, unit) in values.items():
        sheet.compare(quantity, SOURCE, float(value), INDEPENDENT_SHELL[quantity], SAME,
                      f"In {unit}, from radii and densities. Reference: independent computation.", relative=True,
                      published=PRINTED_OFFSET if quantity == "centre-offset" else None)


def _ranks(sheet: Sheet) -> None:
    """Ranks of the constraint rows at the start, from singular values of rows of unit length."""
    for name, example, equation, expected in (("without-energy", 1, "eq. 32", 10), ("with-energy", 1, "eq. 36", 11),
                                              ("no-spin", 3, "eq. 42", 12)):
        equations = derive(rolling_shell(example, "A"), "fundamental")
        assert isinstance(equations, ExpressedEquations)
        q, v = equations.start
        M, _, A, _ = equations.matrices(q, v)
        rows = equations.constraint_rows(q, v) if name == "without-energy" else A
        sheet.compare(f"rank-A {name}", f"{PAPER}, {equation}", _rank(rows), expected, 0.0,
                      f"{len(rows)} rows and 13 columns, at the start: the normal component of no-slip repeats contact "
                      "and tangency. The paper does not say so. Reference: computed independently.", unit="1")
        sheet.compare(f"rank-M-A {name}", f"{PAPER}, eqs. 44-50", _rank(np.vstack([M, rows])), 13, 0.0,
                      "Rank of [M; A] at the start: the accelerations are unique. Printed: Result 1. Reference: the "
                      "13 coordinates.", unit="1", published=13, published_allowed=0.0)


def _rank(rows: Floats) -> int:
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    return int(np.linalg.matrix_rank(rows / np.where(sizes > 0.0, sizes, 1.0), 1e-9))


def _friction(sheet: Sheet, examples: Sequence[int]) -> None:
    """Minimum friction of every case, and the document's conclusion from it."""
    expected: dict[tuple[int, str], float] = {}
    for example in examples:
        for case, printed in zip(CASES, PRINTED_FRICTION[example], strict=True):
            if example == 1:
                expected[1, case], origin = INDEPENDENT_FRICTION[case], "computed independently, five digits"
            else:
                expected[example, case] = interpolated_friction(example, case)
                origin = "gibbs-appell, dop853 at 1e-13, its forces interpolated between frames"
            needed = friction(example, case)
            sheet.compare(
                f"min-friction example={example} case={case}", f"{PAPER}, §3.1.{example}", needed.value,
                expected[example, case], FRICTION_ALLOWED,
                f"Needed at t = {needed.t:.4f} s, by the data that the paper gives. Reference: {origin}.", unit="1",
                published=printed)
    if len(examples) == len(EXAMPLES):
        _conclusion(sheet, expected)


def _conclusion(sheet: Sheet, expected: dict[tuple[int, str], float]) -> None:
    """§3.1.3: Example 2 needs the most friction in each case, Example 3 the least."""
    for quantity, more, less in (("no-spin-needs-more-friction", 3, 1), ("spin-needs-less-friction", 1, 2)):
        count = sum(friction(more, case).value > friction(less, case).value for case in CASES)
        sheet.compare(quantity, f"{PAPER}, §3.1.3", count,
                      sum(expected[more, case] > expected[less, case] for case in CASES), 0.0,
                      f"Number of the four cases in which Example {more} needs more friction than Example {less}; the "
                      "paper says none. Reference: as for the friction.", unit="1", published=0, published_allowed=0.0)


def _increments(sheet: Sheet) -> None:
    """Energy that the spin of Example 2 adds at the start, in % of that of Example 1."""
    for case, printed in zip(CASES, PRINTED_INCREMENT, strict=True):
        first, second = (float(motion(example, case).energy.total[0]) for example in (1, 2))
        expected = 100.0 * (start_energy(2, case) / start_energy(1, case) - 1.0)
        sheet.compare(f"energy-increment case={case}", f"{PAPER}, §3.1.2", 100.0 * (second / first - 1.0), expected,
                      1e-9, "In %. Reference: closed form from the initial state.", unit="%", published=printed)


def _path(sheet: Sheet, example: int, case: str) -> None:
    """Where P is, against Appell's equations."""
    run, other = motion(example, case), reference(example, case)
    for (time, allowed), axis in product(TIMES.items(), "xy"):
        name = f"shell.contact.{axis}"
        sheet.compare(
            f"contact-{axis} example={example} case={case} t={time}", f"{PAPER}, §3.1.{example}", _at(run, name, time),
            _at(other, name, time), allowed, "Fundamental equation, dop853 at 1e-12, corrected. Reference: "
                                             "gibbs-appell, dop853 at 1e-13. A perturbation of the start grows by "
                                             "about 1e5 in 25 s, so the allowed error grows with time.")


def _torque_rows(sheet: Sheet, example: int, case: str) -> None:
    """Torque about P: none, but for what prevents the spin."""
    run = motion(example, case)
    name, source = f"torque-at-P example={example} case={case}", f"{PAPER}, §3.1.{example}"
    if example != 3:
        sheet.compare(name, source, float(np.abs(_torque(run)).max()), 0.0, TORQUE_ALLOWED,
                      "Largest component at any time [N m]: a point cannot exert a torque. The paper shows O(1e-9). "
                      "Reference: theory.", unit="N m")
        return
    along, across = _split(run, _torque(run))
    other = _split(reference(example, case), _torque(reference(example, case)))[0]
    sheet.compare(name, source, float(np.abs(along).max()), float(np.abs(other).max()), 1e-5,
                  "Largest component along the normal [N m]: it prevents the spin and is applied from outside. "
                  "Reference: gibbs-appell, dop853 at 1e-13.", unit="N m")
    sheet.compare(f"{name} tangential", source, float(across.max()), 0.0, TORQUE_ALLOWED,
                  "Largest component along the surface [N m]. Reference: theory.", unit="N m")


def row_names(example: int) -> dict[str, tuple[str, ...]]:
    """Rows of each constraint of the document, by its number."""
    parts = {"2": ("surface",), "3": ("tangency.x", "tangency.y", "tangency.z"),
             "4": ("centre.x", "centre.y", "centre.z"), "5": ("slip.x", "slip.y", "slip.z")}
    names = {"1": ("shell.unit",), **{phi: tuple(f"roll.{part}" for part in rows) for phi, rows in parts.items()}}
    return names | ({"NS": ("spin",)} if example == 3 else {})


def errors(run: Run, example: int) -> dict[str, dict[str, Floats]]:
    """|φ| of every row over the frames by constraint and row; the energy error is relative to that at the start."""
    by_row: dict[str, dict[str, Floats]] = {}
    for phi, names in row_names(example).items():
        moving = phi in ("5", "NS")
        by_row[phi] = {name: np.abs(run.row_errors(name)[1 if moving else 0]) for name in names}
    by_row["1-rate"] = {"shell.unit": np.abs(run.row_errors("shell.unit")[1])}
    total = run.energy.total
    by_row["E"] = {"energy": np.abs(total - total[0]) / abs(total[0])}
    return by_row


def _constraint_errors(sheet: Sheet, example: int) -> None:
    """Errors of all constraints without corrections, in the case that the document shows."""
    case = ERROR_CASES[example]
    for phi, rows in errors(motion(example, case, corrections=()), example).items():
        largest = max(float(values.max()) for values in rows.values())
        allowed, part = (ENERGY_ALLOWED, ", relative to the energy") if phi == "E" else (ROW_ALLOWED, "")
        sheet.compare(
            f"constraint-error example={example} case={case} phi={phi}", f"{PAPER}, fig. {_ERROR_FIGURES[example]}",
            largest, 0.0, allowed, f"Largest error at any time{part}; dop853 at 1e-12 without corrections, as "
            "published. The paper shows a curve. Reference: theory.", unit="SI")


_ERROR_FIGURES, _FORCE_FIGURES, _PATH_FIGURES = {1: 7, 2: 10, 3: 13}, {1: 6, 2: 9, 3: 12}, {2: 8, 3: 11}


def _figures(examples: Iterable[int]) -> list[Figure]:
    """Figures 3-13 and the friction, as far as their examples were computed."""
    figures = [_surface(), _orientations(), _surface_paths(), _needed_friction(examples)]
    for example in examples:
        figures += [_forces(example), _error_curves(example)]
        if example in _PATH_FIGURES:
            figures.append(_compared_paths(example))
    return sorted(figures, key=lambda figure: figure.name)


def _surface() -> Figure:
    """Figure 3: the surface in space and by its contours, and where the shell touches it at the start."""
    start = Curve.along("contact at the start", normal_at_start()[0][None], "marks")
    return Figure("fig-03", "Figure 3: the dimpled bowl (57)", (
        Panel("X [m]", "Y [m]", (start,), z_label="Z [m]", surface=_EQUATION, reach=3.5),
        Panel("X [m]", "Y [m]", (start,), equal=True, surface=_EQUATION, reach=3.5)))


def _orientations() -> Figure:
    """Figure 4: the halves of the shell at the start, the heavy one solid, and its axes from the surface outwards."""
    P, n = normal_at_start()
    O = P + RADIUS * n
    panels = []
    for case in CASES:
        S = _rotation(orientation(case))
        halves = (_half(f"heavy half, {DENSITIES[0]:g} kg/m³", O, S, -1.0, "solid"),
                  _half(f"light half, {DENSITIES[1]:g} kg/m³", O, S, 1.0, "glass"))
        axes = (Curve.along(f"{axis} of the shell", O + np.outer((1.0, 1.7), RADIUS * S[:, k]))
                for k, axis in enumerate("xyz"))
        panels.append(Panel("X [m]", "Y [m]", (*halves, *axes), f"Case {case}", equal=True, z_label="Z [m]"))
    return Figure("fig-04", "Figure 4: orientation of the shell at the start (Table 1)", tuple(panels), rows=2)


def _half(label: str, O: Floats, S: Floats, side: float, look: Look) -> Curve:
    """The half of the shell toward +x (1) or -x (-1) of its own axes."""
    away, around = np.meshgrid(np.linspace(0.0, 0.5 * math.pi, 13), np.linspace(0.0, 2.0 * math.pi, 49), indexing="ij")
    own = RADIUS * np.stack([side * np.cos(away), np.sin(away) * np.cos(around), np.sin(away) * np.sin(around)])
    x, y, z = np.einsum("ij,jkl->ikl", S, own) + O[:, None, None]
    return Curve(label, x, y, look, z)


def _needed_friction(examples: Iterable[int]) -> Figure:
    """The minimum friction of all cases: computed, and as printed in §3.1."""
    at, panels = np.arange(float(len(CASES))), []
    for example in examples:
        needed = np.array([friction(example, case).value for case in CASES])
        panels.append(Panel("case [-]", "minimum friction [-]", (
            Curve("computed", at, needed, "points"),
            Curve("printed", at, np.array(PRINTED_FRICTION[example], float), "printed")),
            f"Example {example}: {EXAMPLES[example]}", ticks=tuple(CASES)))
    return Figure("friction", "Friction needed for rolling (§3.1.1-3.1.3)", tuple(panels))


def _surface_paths() -> Figure:
    """Figure 5: paths of P and O in space and from above, over the surface."""
    panels = []
    for case in CASES:
        run = motion(1, case)
        curves = (Curve.along("contact P", _point(run, "contact")),
                  Curve.along("centre O", _point(run, "centre"), "dashed"))
        panels += [Panel("X [m]", "Y [m]", curves, f"Case {case}", z_label="Z [m]", surface=_EQUATION),
                   Panel("X [m]", "Y [m]", curves, f"Case {case}, from above", equal=True, surface=_EQUATION)]
    return Figure("fig-05", "Figure 5: Example 1, paths of the contact point and of the centre", tuple(panels), rows=4)


def _forces(example: int) -> Figure:
    """Figures 6, 9 and 12: normal and friction force, and the torque about P."""
    panels = []
    for case in CASES:
        run = motion(example, case)
        torque = _torque(run)
        if example == 3:
            parts = dict(zip(("along the normal", "along the surface"), _split(run, torque), strict=True))
        else:
            parts = {f"about {axis}": torque[:, k] for k, axis in enumerate("XYZ")}
        panels += [
            Panel("t [s]", "force at P [N]", (Curve("normal", run.t, run.reaction("roll").normal),
                                              Curve("friction", run.t, run.reaction("roll").friction)), f"Case {case}"),
            Panel("t [s]", "torque about P [N m]", tuple(Curve(part, run.t, y) for part, y in parts.items()),
                  f"Case {case}"),
        ]
    number = _FORCE_FIGURES[example]
    return Figure(f"fig-{number:02}", f"Figure {number}: Example {example} ({EXAMPLES[example]}), reaction of the "
                  "surface", tuple(panels), rows=4)


_ERROR_PANELS = {"1": ("unit quaternion", "φ₁ [-], its rate [1/s]"), "2": ("contact", "φ₂ [m]"),
                 "3": ("tangency", "φ₃ [m]"), "4": ("centre", "φ₄ [m]"), "5": ("no slip", "φ₅ [m/s]"),
                 "E": ("energy, relative", "φ_E [-]")}


def _error_curves(example: int) -> Figure:
    """Figures 7, 10 and 13: constraint errors over time; zeros are left out as the scale is logarithmic."""
    number, case = _ERROR_FIGURES[example], ERROR_CASES[example]
    run = motion(example, case, corrections=())
    all_errors = errors(run, example)
    panels = []
    for phi, (title, label) in _ERROR_PANELS.items():
        curves = {name.rpartition(".")[2]: values for name, values in all_errors[phi].items()}
        if len(curves) == 1:
            curves = {"φ": next(iter(curves.values()))}
        if phi == "1":
            curves["rate"] = all_errors["1-rate"]["shell.unit"]
        if phi == "5" and "NS" in all_errors:
            curves["no spin [1/s]"] = all_errors["NS"]["spin"]
        panels.append(Panel("t [s]", label, tuple(
            Curve(row, run.t[values > 0.0], values[values > 0.0]) for row, values in curves.items()), title,
            log_y=True))
    return Figure(f"fig-{number:02}", f"Figure {number}: Example {example}, Case {case}, constraint errors without "
                  "corrections", tuple(panels), rows=3)


def _compared_paths(example: int) -> Figure:
    """Figures 8 and 11: the path of P from above beside that of Example 1."""
    number = _PATH_FIGURES[example]
    panels = []
    for case in CASES:
        own, first = (_point(motion(other, case), "contact") for other in (example, 1))
        panels.append(Panel("X [m]", "Y [m]", (Curve.along(f"Example {example}", own),
                                               Curve.along("Example 1", first, "dashed")),
                            f"Case {case}", equal=True, surface=_EQUATION))
    return Figure(f"fig-{number:02}", f"Figure {number}: path of the contact point, Example {example} "
                  f"({EXAMPLES[example]}) and 1 ({EXAMPLES[1]})", tuple(panels), rows=2)
