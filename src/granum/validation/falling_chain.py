"""The falling chain (Sun 1996, §6.3, figures 6.8-6.11): fifteen links between two pins.

Masses are at the joints (figures 6.10, 6.11), or the links are uniform rods (figure 6.9). Figure 6.8 with the initial
shape is missing. Natural shapes stand in for it, and `chain_search` looks for one that has both printed times.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from granum.base.kernels import Floats
from granum.validation.case import Case, Curve, Figure, Panel, Sheet
from granum.validation.chain_search import FOOT, REFLECTIONS, middle, search, turns
from granum.validation.chain_shapes import chain_shape
from granum.validation.runs import CORRECTIONS, PRECISE, converged, finish, mixed, solved
from granum.validation.scenes import GRAVITY, chain_angles, falling_chain, falling_rods, span

SOURCE = "Sun (1996), §6.3"
LINK = 1.0 / 3.0
"""Length of a link [m]: "3l = 1 m"; a span of 3 m is then nine links."""
THREE_BAYS = "three-bays"
"""Three bays of five links, each three links wide and in equilibrium, whose two inner supports are removed: as in the
tests of MBDyn (`tests/body/chain15`, after Franchi, Meccanica 30 (1995) 17). It is the one shape here whose span is 3 m
where 3l = 1 m."""

# Angles of the seven left links [deg].
SHAPES = {
    "w-fold": (-90.0, -90.0, -90.0, 90.0, 90.0, 90.0, 0.0),
    "trapezoid": (-120.0, -120.0, -120.0, -120.0, 0.0, 0.0, 0.0),
    "flat-top": (90.0, 90.0, 90.0, 0.0, 0.0, 0.0, 0.0),
    THREE_BAYS: tuple(math.degrees(angle) for angle in chain_shape("catenary", 9.0, bays=3)),
}
ROD_SHAPES = {"w-fold": SHAPES["w-fold"], "trapezoid": SHAPES["trapezoid"],
              "inverted-u": (90.0, 90.0, 90.0, 90.0, 90.0, 90.0, 0.0), THREE_BAYS: SHAPES[THREE_BAYS]}
"""Those of the rods: as above, and pins below a closed arch three links wide."""
LEFT = {shape: [math.radians(angle) for angle in angles] for shape, angles in {**SHAPES, **ROD_SHAPES}.items()}
"""The same angles [rad]."""
TIMES = (0.5, 1.0)
HEIGHT_ALLOWED = 1e-9
"""Height [m] in which two formulations, each at 1e-12 a step for some 300 steps, may differ at t = 1 s."""

ROD_ALLOWED = 1e-9
"""Height [m] in which both roads of the rods may differ at t = 1 s: errors of 1e-12 a step, some 350 steps."""

REFLECTION_UNTIL, REFLECTION_INTERVAL = 1.4, 0.002
"""End and frames [s] of runs that show reflections; a chain that is stretched turns back within a hundredth."""
PRINTED = 0.005
"""Half a unit [s] of the last digit of the printed times."""

STEP = 1e-3
TOLERANCE = 1e-3
MIXED_ALLOWED = 1e-3
"""Height [m] in which the mixed iteration may differ: 0.1 % of a span of 1 m, what shows in print."""
FIGURE_UNTIL = 1.2


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """Heights, printed reflections, a small search over shapes, corrections; all of it is quick."""
    with TemporaryDirectory(prefix="granum-") as folder:
        return _compute(sheet, False, Path(folder))


def compute_full(sheet: Sheet, tables: Path) -> list[Figure]:
    """The same with the whole search over shapes."""
    return _compute(sheet, True, tables)


CASE = Case("falling-chain",
            "15 links between two pins, masses at the joints or uniform rods: height of the middle link",
            "Sun (1996), §6.3, figs. 6.8-6.11", ("fig-6-8", "fig-6-9", "fig-6-9-search", "fig-6-10", "fig-6-11"),
            compute, compute_full)


def _compute(sheet: Sheet, full: bool, folder: Path) -> list[Figure]:
    heights = {shape: _heights(sheet, shape) for shape in SHAPES}
    for shape in SHAPES:
        run = finish(falling_chain(LEFT[shape], FOOT), until=REFLECTION_UNTIL, interval=REFLECTION_INTERVAL,
                     **PRECISE)
        _reflections(sheet, f"shape={shape}", turns(run.t, *middle(run)),
                     "Printed for rigid rods of one foot; the figure with the initial shape (6.8) is missing",
                     "link reverses; point masses, links of one foot")
    searched = search(sheet, full, folder)
    histories = {shape: _histories(sheet, shape, heights[shape]) for shape in SHAPES}
    rods = {shape: _rods(sheet, shape) for shape in ROD_SHAPES}
    for shape, (_, times) in rods.items():
        if shape == THREE_BAYS:
            _three_bays(sheet, times)
        else:
            _reflections(sheet, f"model=rods shape={shape}", times,
                         "The figure with the initial shape (6.8) is missing", "rod reverses; uniform rods of one foot")
    return [_figure_of_shapes(), _figure_of_rods({shape: curves for shape, (curves, _) in rods.items()}), searched,
            _figure("6.10", ("lark", "neit.nc", "neit.wc"), histories),
            _figure("6.11", ("lark", "neit.pv", "neit.en", "neit.wc"), histories)]


def _heights(sheet: Sheet, shape: str) -> Floats:
    """Height of the middle link at 0.5 and 1 s in two formulations; lagrange cuts the loop (3.19)."""
    scene = falling_chain(LEFT[shape], LINK)
    computed, reference = (
        middle(finish(scene, until=TIMES[-1], interval=TIMES[0], formulation=formulation, **PRECISE))[0][1:]
        for formulation in ("newton-euler", "lagrange")
    )
    for k, t in enumerate(TIMES):
        sheet.compare(
            f"centre-height shape={shape} t={t}", f"{SOURCE}, fig 6.10", computed[k], reference[k], HEIGHT_ALLOWED,
            f"Middle of link 8 above the pins, l = 1/3 m, span {span(LEFT[shape], LINK):.4g} m; newton-euler, dop853 "
            "at 1e-12. Reference: lagrange with the loop cut, dop853 at 1e-12. The figure with the initial shape is "
            "missing from the source.")
    return computed


def _reflections(sheet: Sheet, label: str, times: list[float], why: str, what: str) -> None:
    """The two printed times beside those at which the middle link turns."""
    for k, (ordinal, printed) in enumerate(REFLECTIONS.items()):
        sheet.doubt(f"reflection-time {ordinal} {label}", f"{SOURCE}, fig 6.9", times[k] if k < len(times) else None,
                    f"{why}, and no plausible shape gives both printed times. Computed: time at which the middle "
                    f"{what}.",
                    published=printed)


def _three_bays(sheet: Sheet, times: list[float]) -> None:
    """The printed times beside those of a shape that is not fitted to them."""
    for k, (ordinal, printed) in enumerate(REFLECTIONS.items()):
        sheet.compare_published(
            f"reflection-time {ordinal} model=rods shape={THREE_BAYS}", f"{SOURCE}, fig 6.9", times[k], printed,
            "Three bays of five rods of one foot in equilibrium, released at their two inner supports "
            "(MBDyn, after Franchi 1995; the document's own figure is missing). Computed: when the middle rod "
            "reverses.", unit="s", allowed=PRINTED)


def rod_heights(left: Sequence[float], link: float, t: Floats) -> Floats:
    """Height of the middle rod of a falling chain of rods of 1 kg at given times [m].

    Lagrange's equations with the last hinge cut and put back by two multipliers (Sun 1996, eq. 3.19): the mass centre
    of rod i is Σ B_ij e(θ_j), so that M_ij = Σ_k B_ki B_kj cos(θ_i - θ_j), and a rod adds m l²/12 on the diagonal.
    """
    start = np.array(chain_angles(left))
    n = len(start)
    B = link * (np.tril(np.ones((n, n)), -1) + 0.5 * np.eye(n))
    G, own, lever = B.T @ B, link**2 / 12.0 * np.eye(n), B.sum(axis=0)
    K = np.zeros((n + 2, n + 2))

    def rates(_: float, y: Floats) -> Floats:
        theta, omega = y[:n], y[n:]
        apart = theta[:, None] - theta
        K[:n, :n] = G * np.cos(apart) + own
        K[n, :n], K[n + 1, :n] = -link * np.sin(theta), link * np.cos(theta)
        K[:n, n:] = K[n:, :n].T
        right = np.concatenate([-(G * np.sin(apart)) @ omega**2 - GRAVITY * lever * np.cos(theta),
                                [link * np.cos(theta) @ omega**2, link * np.sin(theta) @ omega**2]])
        return np.concatenate([omega, np.linalg.solve(K, right)[:n]])

    middle: Floats = B[n // 2] @ np.sin(solved(rates, np.concatenate([start, np.zeros(n)]), t)[:n])
    return middle


def _rods(sheet: Sheet, shape: str) -> tuple[tuple[Curve, Curve], list[float]]:
    """Heights of rods at 0.5 and 1 s by two roads, both curves of figure 6.9, and when the middle rod turns."""
    left = LEFT[shape]
    run = finish(falling_rods(left, FOOT), until=REFLECTION_UNTIL, interval=REFLECTION_INTERVAL,
                 formulation="newton-euler", **PRECISE)
    height, velocity = middle(run)
    reference = rod_heights(left, FOOT, run.t)
    for t in TIMES:
        k = int(np.searchsorted(run.t, t - 1e-9))
        sheet.compare(
            f"centre-height model=rods shape={shape} t={t}", f"{SOURCE}, fig 6.9", height[k], reference[k], ROD_ALLOWED,
            f"Middle of rod 8 above the pins, uniform rods of 0.3048 m, span {span(left, FOOT):.4g} m; newton-euler of "
            "rigid bodies and hinges, dop853 at 1e-12. Reference: Lagrange's equations in fifteen angles with two "
            "multipliers (3.19), by SciPy's DOP853 at 1e-13. The figure with the initial shape is missing from the "
            "source.")
    return (Curve("ne", run.t, height), Curve("la", run.t, reference, "dashed")), turns(run.t, height, velocity)


def _histories(sheet: Sheet, shape: str, exact: Floats) -> dict[str, Curve]:
    """Figures 6.10-6.11: relative height over time of lark and of the mixed iteration with each correction."""
    scene, width = falling_chain(LEFT[shape], LINK), span(LEFT[shape], LINK)
    shown = {"until": FIGURE_UNTIL, "interval": 0.01}
    lark = finish(scene, **shown, formulation="lagrange", solver="rk4", step=STEP)
    curves = {"lark": Curve("lark", lark.t, middle(lark)[0] / width)}
    for suffix, corrections in CORRECTIONS.items():
        quantities = [f"centre-height shape={shape} t={t} mixed.{suffix}" for t in TIMES]
        source = f"{SOURCE}, fig {'6.11' if suffix in ('pv', 'en') else '6.10'}"
        settings = mixed(corrections, bool(corrections), STEP, TOLERANCE)
        run = converged(sheet, quantities, source, finish, scene, **shown, **settings)
        if run is None:
            continue
        height = middle(run)[0]
        curves[f"neit.{suffix}"] = Curve(f"neit.{suffix}", run.t, height / width, "dashed")
        for quantity, t, expected in zip(quantities, TIMES, exact, strict=True):
            sheet.compare(
                quantity, source, height[np.searchsorted(run.t, t - 1e-9)], expected, MIXED_ALLOWED,
                f"Mixed iteration, h = 1 ms, TOL = 0.001, corrected inside: {', '.join(corrections) or 'nothing'}. "
                "Reference: newton-euler, dop853 at 1e-12; the allowed error is what would be visible in print.")
    return curves


def _figure(number: str, labels: Sequence[str], histories: dict[str, dict[str, Curve]]) -> Figure:
    """Above, the height of the middle link for each shape; below, how far each method is from lark."""
    heights, errors = [], []
    for shape, curves in histories.items():
        shown = [curves[label] for label in labels if label in curves]
        heights.append(Panel("t [s]", "height of the middle link / span [-]", tuple(shown), title=shape))
        apart = tuple(replace(curve, x=curve.x[1:], y=np.abs(curve.y - shown[0].y)[1:]) for curve in shown[1:])
        errors.append(Panel("t [s]", "|height - reference| / span [-]", apart, log_y=True))
    name = "fig-" + number.replace(".", "-")
    return Figure(name, f"Figure {number}: falling chain of point masses", (*heights, *errors), rows=2)


def _figure_of_rods(curves: dict[str, tuple[Curve, Curve]]) -> Figure:
    """Figure 6.9 for each shape: newton-euler and lagrange, and the printed times at which the rod turns."""
    panels, at = [], np.array([*REFLECTIONS.values()])
    for shape, pair in curves.items():
        printed = Curve("printed reflection times", at, np.interp(at, pair[0].x, pair[0].y), "printed")
        panels.append(Panel("t [s]", "height of the middle rod [m]", (*pair, printed), title=shape))
    return Figure("fig-6-9", "Figure 6.9: falling chain of uniform rods of one foot", tuple(panels))


def _figure_of_shapes() -> Figure:
    """Figure 6.8 as far as it can be guessed: the initial shapes."""
    curves = []
    for shape, left in LEFT.items():
        angles = np.array(chain_angles(left))
        links = LINK * np.column_stack([np.cos(angles), np.sin(angles)])
        curves.append(Curve.along(shape, np.vstack([np.zeros(2), np.cumsum(links, axis=0)]), "points"))
    panel = Panel("x [m]", "y [m]", tuple(curves), equal=True)
    return Figure("fig-6-8", "Initial shapes, in place of the missing figure 6.8", (panel,))
