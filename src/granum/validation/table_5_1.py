"""Table 5.1 of Sun (1996): seconds and energy errors of two formulations with two integrators, N = 100 to 400."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from granum.validation import dense
from granum.validation.case import Case, Curve, Figure, Panel, Sheet
from granum.validation.runs import CORRECTIONS, finish
from granum.validation.scenes import pendulum

SOURCE = "Sun (1996), table 5.1"


@dataclass(frozen=True)
class Entry:
    """A cell of the table."""

    seconds: float
    """CPU time [s] on the machine of 1996."""
    error: float
    """Relative error of the energy."""


# N: entries of one formulation and integrator, as printed.
TABLE_5_1 = {
    ("lagrange", "adams"): {100: Entry(613, 1.7e-4), 200: Entry(4703, 1.4e-4), 400: Entry(65878, 2.5e-4)},
    ("lagrange", "rk4"): {100: Entry(1010, 4.4e-6), 200: Entry(10388, 5.8e-5), 400: Entry(138892, 4.3e-5)},
    ("newton-euler", "adams"): {100: Entry(475, 2.2e-4), 200: Entry(3832, 1.3e-3), 400: Entry(54759, 8.0e-4)},
    ("newton-euler", "rk4"): {100: Entry(761, 2.2e-6), 200: Entry(8322, 1.7e-5), 400: Entry(117604, 1.6e-5)},
}
SIZES = (100, 200, 400)

UNTIL = 1.0
STEP = 1e-3
ADAMS_TOLERANCE = 1e-3
"""Leaves energy errors near the printed ones."""
SETTINGS: dict[str, dict[str, Any]] = {
    "adams": {"solver": "adams", "tolerance": ADAMS_TOLERANCE},
    "rk4": {"solver": "rk4", "step": STEP},
    "mixed": {"solver": "mixed", "step": STEP, "tolerance": 1e-6, "corrections": CORRECTIONS["pv"]},
}
ASSUMED = (
    f"The source gives neither the simulated time nor the step: {UNTIL:g} s of the 3 m pendulum from 30 degrees, rk4 "
    f"and mixed with {STEP:g} s, adams at {ADAMS_TOLERANCE:g}."
)
DENSE = "newton-euler-dense"
COLUMNS = (
    ("lagrange", "adams"), ("lagrange", "rk4"), (DENSE, "adams"), (DENSE, "rk4"), ("newton-euler", "adams"),
    ("newton-euler", "rk4"), ("newton-euler", "mixed"),
)
ABOUT = {
    "lagrange": "Dense mass matrix, as published.",
    DENSE: "H as a dense matrix, as published.",
    "newton-euler": "Granum eliminates H along the chain; the source used a dense matrix: see newton-euler-dense.",
}


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """All columns for all sizes, with the mixed iteration and a dense Newton-Euler; quick takes N = 100 only."""
    sizes = SIZES[:1] if quick else SIZES
    table: dict[tuple[str, str], dict[int, Entry]] = {}
    for column in COLUMNS:
        _solve(3, *column, until=2.0 * STEP)
        table[column] = {count: _entry(sheet, count, *column) for count in sizes}
    _savings(sheet, table)
    return [_figure(table)]


CASE = Case("table-5-1", "Lagrange and Newton-Euler with Adams, Runge-Kutta and mixed: seconds and energy errors",
            SOURCE, ("table-5-1",), compute)


def _solve(count: int, formulation: str, integrator: str, until: float = UNTIL) -> Entry:
    """Seconds and relative energy error of one run."""
    begin = time.perf_counter()
    if formulation == DENSE:
        model, start = dense.dense_model(pendulum(count))
        if integrator == "adams":
            end = dense.adams(model, start, until, ADAMS_TOLERANCE)
        else:
            end = dense.rk4(model, start, STEP, round(until / STEP))
        total = np.array([dense.energy(model, start), dense.energy(model, end)])
    else:
        run = finish(pendulum(count), until=until, interval=until, formulation=formulation, **SETTINGS[integrator])
        total = run.energy.total
    return Entry(time.perf_counter() - begin, float(abs(total[-1] / total[0] - 1.0)))


def _entry(sheet: Sheet, count: int, formulation: str, integrator: str) -> Entry:
    """Write the two rows of a cell."""
    entry = _solve(count, formulation, integrator)
    printed = TABLE_5_1.get((formulation.removesuffix("-dense"), integrator), {}).get(count)
    label, about = f"{formulation} {integrator} N={count}", f"{ABOUT[formulation]} {ASSUMED}"
    sheet.measure(f"seconds {label}", SOURCE, entry.seconds, f"Seconds on this machine. {about}",
                  None if printed is None else printed.seconds)
    sheet.measure(f"energy-error {label}", SOURCE, entry.error,
                  f"Relative change of energy from start to end. {about}", None if printed is None else printed.error)
    return entry


def _savings(sheet: Sheet, table: dict[tuple[str, str], dict[int, Entry]]) -> None:
    """What the table is about: the share of Lagrange's time that dense Newton-Euler equations take."""
    for integrator in ("adams", "rk4"):
        mine, other = table[DENSE, integrator], table["lagrange", integrator]
        for count in mine:
            printed = TABLE_5_1["newton-euler", integrator][count].seconds
            sheet.measure(
                f"seconds-ratio {DENSE}/lagrange {integrator} N={count}", SOURCE,
                mine[count].seconds / other[count].seconds,
                "Both dense, on one machine; the source concludes savings of 25 % at N = 100 and 15 % at N = 400.",
                printed / TABLE_5_1["lagrange", integrator][count].seconds)


def _figure(table: dict[tuple[str, str], dict[int, Entry]]) -> Figure:
    """Seconds and energy errors against N: measured as lines, printed as marks."""
    panels = []
    for label, part in (("time [s]", "seconds"), ("relative error of the energy [-]", "error")):
        curves = [Curve.over(" ".join(column), {n: getattr(entry, part) for n, entry in entries.items()}, "points")
                  for column, entries in table.items()]
        curves += [Curve.over(f"{' '.join(column)}, printed", {n: getattr(entry, part) for n, entry in entries.items()},
                         "printed") for column, entries in TABLE_5_1.items()]
        panels.append(Panel("number of masses N [-]", label, tuple(curves), log_x=True, log_y=True))
    return Figure("table-5-1", f"Table 5.1: printed (1996) and measured on this machine, {UNTIL:g} s simulated",
                  tuple(panels))
