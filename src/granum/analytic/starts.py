"""Consistent initial conditions: what is given is held, the rest follows from the constraints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from granum.algebra import Expression, gradient
from granum.algebra.compiled import Compiled
from granum.algebra.expression import free_symbols, function, walk
from granum.analytic.expressed import System
from granum.analytic.expressed_parts import Formula
from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats, Ints
from granum.rows.symbolic import rate_name

CLOSE = 1e-12
"""Residual, relative to the size of what makes it up, at which a constraint counts as met."""
FINE = 1e-6
"""A length, in the units of coordinates, at the rounding errors of which residuals are not looked at any more."""
PART = 1e-3
"""The same as a part of the largest coordinate or rate: each has the rounding errors of the others in it."""
ROUNDS = 60
SIDESTEPS = 6
"""How often the search begins again beside a point where it cannot go on."""


def consistent(
    system: System, given: Mapping[str, float], conditions: Sequence[tuple[str, Formula]] = (),
    guess: Mapping[str, float] | None = None, t: float = 0.0, rounding: float = 0.0,
) -> tuple[Floats, Floats]:
    """Coordinates and rates that meet all constraints.

    Args:
        given: coordinates and rates (`x_dot`) that are known; they are held.
        conditions: further formulas that must vanish at the start, with names; those with rates are met by the rates.
        guess: where the search for coordinates that are not given begins; zero otherwise.
        rounding: error of given rates that is put down to rounding.

    Among several solutions one near the guess (rates: near rest) is taken. What cannot be met is named.
    """
    names = [*system.coordinates, *map(rate_name, system.coordinates)]
    for name in {**given, **(guess or {})}:
        if name not in names:
            raise GranumError(f'the start gives "{name}". {did_you_mean(name, names, "coordinate or rate")}')
    for name, value in {**given, **(guess or {})}.items():
        if not math.isfinite(value):
            raise GranumError(f"the start gives {name} = {value}, which is not finite.")
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
    _meet(system, moving, y, held, slice(n, 2 * n), t, rounding)
    return y[:n], y[n:]


def nearest(system: System, q: Floats, t: float = 0.0) -> Floats:
    """Coordinates near q that satisfy all constraints on positions."""
    n = len(system.q)
    y = np.concatenate([q, np.zeros(n)])
    _meet(system, [(row.name, row.value) for row in system.rows if row.holonomic], y, np.zeros(2 * n, dtype=bool),
          slice(0, n), t)
    return y[:n]


def _meet(
    system: System, rows: Sequence[tuple[str, Expression]], y: Floats, held: np.ndarray, part: slice, t: float,
    rounding: float = 0.0,
) -> None:
    """Newton's method for the free entries of one half of y, least change where they are not determined."""
    if not rows:
        return
    by = (system.q, system.v)[part.start > 0]
    sizes = magnitudes([value for _, value in rows])
    program = system.compile([f for (_, value), size in zip(rows, sizes, strict=True)
                              for f in (value, size, *gradient(value, by))])
    free = np.flatnonzero(~held[part]) + part.start
    began, rng = y.copy(), np.random.default_rng(0)
    first = solution = _newton(system, program, len(rows), y, free, part, t, rounding)
    for step in range(SIDESTEPS if len(free) else 0):
        if solution[0]:
            return
        # rows without slope stop Newton's method: at x = 0 the circle x² + y² = 1 shows no way to its y
        wide = (float(np.abs(began[part]).max()) or 1.0) * 10.0 ** -(step % 3)
        y[:] = began
        y[free] += wide * rng.uniform(0.1, 0.5, len(free))
        solution = _newton(system, program, len(rows), y, free, part, t, rounding)
    if not solution[0]:
        _refuse(system, rows, first[1], first[2], held, part)


def _newton(
    system: System, program: Compiled, count: int, y: Floats, free: Ints, part: slice, t: float, rounding: float,
) -> tuple[bool, Floats, Floats]:
    """Are all rows met in the end, and how far each is off: relative to its size, and as it is."""
    columns = free - part.start
    best, since = np.inf, 0
    for _ in range(ROUNDS):
        table = program(t, y, system.parameter_values).reshape(count, -1)
        if not np.isfinite(table).all():
            raise GranumError("the constraints have no finite value at the start. Give a start, or a better guess.")
        least = max(FINE, PART * float(np.abs(y[part]).max()))
        slope = np.abs(table[:, 2:]).sum(axis=1)
        size = np.maximum(table[:, 1], least * slope)
        off = np.maximum(0.0, np.abs(table[:, 0]) - rounding * slope) / np.where(size > 0.0, size, 1.0)
        since = 0 if off.max() < 0.5 * best else since + 1
        best = min(best, float(off.max()))
        if off.max() <= CLOSE and since >= 1:
            return True, off, table[:, 0]
        if since > 8:
            break
        y[free] -= np.linalg.lstsq(table[:, 2 + columns], table[:, 0], rcond=1e-11)[0]
    return bool(off.max() <= 1e3 * CLOSE), off, table[:, 0]


def magnitudes(formulas: Sequence[Expression]) -> list[Expression]:
    """For each formula the size of the terms it is made of: what its rounding errors are relative to."""
    size: dict[int, Expression] = {}
    for node in walk(formulas):
        of = [size[id(argument)] for argument in node.arguments]
        if node.kind in ("+", "-"):
            size[id(node)] = of[0] + of[1]
        elif node.kind == "*":
            size[id(node)] = of[0] * of[1]
        elif node.kind == "/":
            size[id(node)] = of[0] / function("abs", node.arguments[1])
        else:
            size[id(node)] = of[0] if node.kind == "neg" else function("abs", node)
    return [size[id(formula)] for formula in formulas]


def _refuse(
    system: System, rows: Sequence[tuple[str, Expression]], off: Floats, value: Floats, held: np.ndarray, part: slice,
) -> None:
    bad = [f"{rows[k][0]} (error {value[k]:.3g})" for k in np.argsort(-off) if off[k] > 1e3 * CLOSE]
    names = [*system.coordinates, *map(rate_name, system.coordinates)]
    kept = [names[k] for k in range(part.start, part.stop) if held[k]]
    what = "rates" if part.start else "coordinates"
    remedy = f"Given values: {', '.join(kept)}. Give fewer or other values, or a guess for the rest." if kept else \
        "They contradict one another, or the guess is too far away."
    raise GranumError(f"no initial {what} satisfy {', '.join(bad[:6])}{', ...' if len(bad) > 6 else ''}. {remedy}")
