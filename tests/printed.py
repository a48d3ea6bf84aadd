"""Equations of motion as a reader of the printed text has them: parsed, and solved for the accelerations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

import granum as gr
from granum.algebra.expression import Expression, evaluate, free_symbols
from granum.algebra.parse import parse
from granum.analytic.derivations.blocks import Block
from granum.base.kernels import Floats

Equation = tuple[Expression, Expression]


def equations_in(text: str) -> list[Equation]:
    """All lines `left = right` of a text in which both sides are expressions."""
    found = []
    for line in re.findall(r"^ {6}(?! )(.+)$", text.partition("\nSymbols\n")[0], re.M):
        left, sign, right = line.partition(" = ")
        try:
            found.append((parse(left), parse(right)) if sign else None)
        except gr.GranumError:  # derivatives, matrices and inequalities are for people
            continue
    return [equation for equation in found if equation is not None]


def accelerations_of(text: str, known: Mapping[str, float], coordinates: tuple[str, ...]) -> Floats:
    """Second derivatives that the printed equations give in a state: definitions are inserted, the rest is solved."""
    values, left = dict(known), list[Equation]()
    for one, other in equations_in(text):
        if one.kind == "symbol" and one.name not in values and free_symbols([other]) <= set(values):
            values[one.name] = evaluate([other], values)[0]
        else:
            left.append((one, other))
    if all(f"{q}_ddot" in values for q in coordinates):
        return np.array([values[f"{q}_ddot"] for q in coordinates])
    residuals = [a - b for a, b in left]
    unknown = sorted(free_symbols(residuals) - set(values))
    start = _residuals(residuals, values, dict.fromkeys(unknown, 0.0))
    matrix = np.column_stack([_residuals(residuals, values, {**dict.fromkeys(unknown, 0.0), name: 1.0}) - start
                              for name in unknown])
    size = np.abs(matrix).max(axis=1)
    assert np.abs(start[size == 0.0]).max(initial=0.0) < 1e-10, "a constraint that is printed does not hold"
    matrix, start = matrix[size > 0.0] / size[size > 0.0, None], start[size > 0.0] / size[size > 0.0]
    solution = np.linalg.lstsq(matrix, -start, rcond=1e-12)[0]
    assert np.abs(matrix @ solution + start).max() <= 1e-9 * (1.0 + np.abs(start).max()), "the equations contradict"
    by_name = dict(zip(unknown, solution, strict=True))
    return np.array([values[f"{q}_ddot"] if f"{q}_ddot" in values else by_name[f"{q}_ddot"] for q in coordinates])


def _residuals(residuals: list[Expression], values: dict[str, float], guess: dict[str, float]) -> Floats:
    return np.array(evaluate(residuals, {**values, **guess}))


def in_state(shown: Any, q: Floats, v: Floats, t: float = 0.0) -> dict[str, float]:
    """Numbers of constants, coordinates and rates of a derivation."""
    names = shown.coordinates
    return {**shown.values, "t": t, **dict(zip(names, q.tolist(), strict=True)),
            **{f"{name}_dot": rate for name, rate in zip(names, v.tolist(), strict=True)}}


def consistent_states(system: gr.analytic.System, q: Floats, count: int, seed: int = 0) -> list[tuple[Floats, Floats]]:
    """States near q that satisfy all constraints: perturbed, and projected by Newton's method."""
    states, random = [], np.random.default_rng(seed)
    for _ in range(count):
        near, rates = q + random.normal(0.0, 0.1, len(q)), random.normal(0.0, 1.0, len(q))
        for _ in range(20):
            value, _, A = system.check(near, rates)
            holonomic = np.array([row.holonomic for row in system.rows], bool)
            if holonomic.any():
                near = near - np.linalg.pinv(A[holonomic]) @ value[holonomic]
        for _ in range(3):
            _, rate, A = system.check(near, rates)
            rates = rates - np.linalg.pinv(A) @ rate if len(A) else rates
        states.append((near, rates))
    return states


def explained(shown: Any) -> None:
    """Every symbol of every line has a row in the table, is part of a vector that has one, or is defined by a line."""
    rows = {quantity.name for quantity in shown.used(True)}
    rows |= {line.left.text for step in shown.steps for line in step.lines if isinstance(line.left, Block)}
    rows |= {quantity.name for quantity in shown.quantities if quantity.part_of in rows}
    for step in shown.steps:
        for line in step.lines:
            lacking = {name for name in line.names - rows
                       if not {re.sub("_d?dot$", "", name), name.replace("_ddot", "_dot")} & rows}
            assert not lacking, (step.heading, lacking)
    assert all(quantity.meaning for quantity in shown.used(True))
