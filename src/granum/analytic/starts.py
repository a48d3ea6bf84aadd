"""Consistent initial conditions: what is given is held, the rest follows from the constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from granum.algebra import Expression, gradient
from granum.algebra.expression import free_symbols
from granum.analytic.expressed import Formula, System, rate_name
from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats

CLOSE = 1e-12
"""Residual, relative to the size of what makes it up, at which a constraint counts as met."""
ROUNDS = 60


def consistent(
    system: System, given: Mapping[str, float], conditions: Sequence[tuple[str, Formula]] = (),
    guess: Mapping[str, float] | None = None, t: float = 0.0,
) -> tuple[Floats, Floats]:
    """Coordinates and rates that meet all constraints.

    Args:
        given: coordinates and rates (`x_dot`) that are known; they are held.
        conditions: further formulas that must vanish at the start, with names; those with rates are met by the rates.
        guess: where the search for coordinates that are not given begins; zero otherwise.

    Among several solutions the one nearest to the guess (rates: to rest) is taken. What cannot be met is named.
    """
    names = [*system.coordinates, *map(rate_name, system.coordinates)]
    for name in {**given, **(guess or {})}:
        if name not in names:
            raise GranumError(f'the start gives "{name}". {did_you_mean(name, names, "coordinate or rate")}')
    n = len(system.q)
    y = np.array([{**(guess or {}), **given}.get(name, 0.0) for name in names])
    held = np.array([name in given for name in names])
    rates = set(names[n:])
    read = [(name, system.read(formula, name)) for name, formula in conditions]
    fixed = [(row.name, row.value) for row in system.rows if row.holonomic]
    fixed += [(name, f) for name, f in read if not free_symbols([f]) & rates]
    _meet(system, fixed, y, held, slice(0, n), t)
    moving = [(row.name, row.rate) for row in system.rows if not (row.invariant or row.slips)]
    moving += [(name, f) for name, f in read if free_symbols([f]) & rates]
    _meet(system, moving, y, held, slice(n, 2 * n), t)
    return y[:n], y[n:]


def _meet(
    system: System, rows: Sequence[tuple[str, Expression]], y: Floats, held: np.ndarray, part: slice, t: float,
) -> None:
    """Newton's method for the free entries of one half of y, least change where they are not determined."""
    if not rows:
        return
    by = (system.q, system.v)[part.start > 0]
    program = system.compile([f for _, value in rows for f in (value, *gradient(value, by))])
    free = np.flatnonzero(~held[part]) + part.start
    columns = free - part.start
    best, since = np.inf, 0
    for _ in range(ROUNDS):
        table = program(t, y, system.parameter_values).reshape(len(rows), 1 + len(by))
        if not np.isfinite(table).all():
            raise GranumError("constraints have no finite value at the start. Give a start, or a guess nearer to it.")
        size = np.maximum(1.0, np.abs(table[:, 1:]) @ np.abs(y[part]))
        off = np.abs(table[:, 0]) / size
        since = 0 if off.max() < 0.5 * best else since + 1
        best = min(best, float(off.max()))
        if off.max() <= CLOSE and since >= 1:
            return
        if since > 8:
            break
        y[free] -= np.linalg.lstsq(table[:, 1 + columns], table[:, 0], rcond=1e-11)[0]
    if best > 1e3 * CLOSE:
        _refuse(system, rows, off, table[:, 0], held, part)


def _refuse(
    system: System, rows: Sequence[tuple[str, Expression]], off: Floats, value: Floats, held: np.ndarray, part: slice,
) -> None:
    bad = [f"{rows[k][0]} (off by {value[k]:.3g})" for k in np.argsort(-off) if off[k] > 1e3 * CLOSE]
    names = [*system.coordinates, *map(rate_name, system.coordinates)]
    kept = [names[k] for k in range(part.start, part.stop) if held[k]]
    what = "rates" if part.start else "coordinates"
    remedy = f"Given and held: {', '.join(kept)}; give fewer of them, others, or a guess of the rest." if kept else \
        "They contradict one another, or the guess is too far off."
    raise GranumError(f"no {what} at the start meet {', '.join(bad[:6])}{', ...' if len(bad) > 6 else ''}. {remedy}")
