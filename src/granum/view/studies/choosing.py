"""What plots of studies share: which measure over which parameters, labels with units, runs taken together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import fill
from typing import Any

import numpy as np

from granum.base.errors import GranumError, pick
from granum.base.kernels import Floats
from granum.studies.result import StudyResult
from granum.studies.statistics import Crossing, Group, by_point, logistic_boundary
from granum.studies.statistics.grouping import OWN, answers, is_probability
from granum.view import style

_DECADES = 100.0
"""Ratio of the largest to the smallest value from which an axis is logarithmic."""
_WIDE = 74
"""Letters in a line of a title."""


def varied(result: StudyResult, numeric: bool = True) -> list[str]:
    """Parameters that have more than one value; numbers alone, or all."""
    columns = {name: result.column(name) for name in result.parameters}
    return [name for name, column in columns.items()
            if (not numeric or column.dtype != object) and len({repr(value) for value in column}) > 1]


def measured(result: StudyResult) -> list[str]:
    """Measures that are numbers, or true or false, and that some run answered."""
    columns = {name: result.column(name) for name in result.measures}
    return [name for name, column in columns.items() if column.dtype != object and np.isfinite(column).any()]


def probabilities(result: StudyResult) -> list[str]:
    """Measures that are true or false."""
    return [name for name in measured(result) if is_probability(result, name)]


def quantities(result: StudyResult) -> list[str]:
    """Measures that are numbers; where there are none, all."""
    return [name for name in measured(result) if not is_probability(result, name)] or measured(result)


def one_measure(result: StudyResult, names: Sequence[str], known: Callable[[StudyResult], list[str]]) -> str:
    """The measure asked for, or the first of its kind."""
    if len(names) > 1:
        raise GranumError(f"found {len(names)} measures, but this plot shows one. Give one of "
                          f"{', '.join(known(result))}.")
    if not names:
        return known(result)[0]
    return pick(names[0], known(result) if known is probabilities else [*measured(result), *OWN],
                "measure of this kind")


def one_parameter(result: StudyResult, name: str | None, besides: Sequence[str] = ()) -> str:
    """The parameter asked for, or the first that varies."""
    there = [one for one in varied(result) if one not in besides]
    return there[0] if name is None else pick(name, there, "numeric parameter that varies")


def second_parameter(result: StudyResult, name: str | None, over: str) -> str | None:
    """The parameter of which each value has a curve of its own: the one asked for, or the next with few values."""
    others = [one for one in varied(result, numeric=False) if one != over]
    if name is not None:
        return pick(name, others, "other parameter that varies")
    few = [one for one in others if len({repr(value) for value in result.column(one)}) <= style.MOST_CURVES]
    return few[0] if few else None


def axis_scale(result: StudyResult, name: str) -> str:
    """Logarithmic where the values of a parameter are spread over decades."""
    values = np.asarray(result.column(name), dtype=float)
    return "log" if values.min() > 0.0 and values.max() >= _DECADES * values.min() else "linear"


def label(result: StudyResult, name: str) -> str:
    """A name with its unit."""
    return f"{name} [{result.units.get(name) or '-'}]"


def value_label(result: StudyResult, name: str, value: Any) -> str:
    """A value of a parameter in words; the last part of its path is enough."""
    unit = result.units.get(name, "")
    shown = f"{value:.4g}" if isinstance(value, int | float | np.number) else str(value)
    return f"{name.rpartition('.')[2]} = {shown}{' ' * bool(unit)}{unit}"


def heading(result: StudyResult, what: str, shown: Sequence[str], note: str = "") -> str:
    """Title of the study, what is drawn, and over which parameters runs were taken together."""
    pooled = [name for name in varied(result, numeric=False) if name not in shown]
    notes = [*([note] if note else []), *([f"all values of {', '.join(pooled)} pooled"] if pooled else [])]
    titled = f"{result.title}: {what}" if result.title else what.capitalize()
    return fill(f"{titled} ({'; '.join(notes)})" if notes else titled, _WIDE)


def curves_of(result: StudyResult, measure: str, over: str, by: str | None) -> dict[str, list[Group]]:
    """Runs of each value of one parameter taken together, sorted by it, for each value of another, by label."""
    curves: dict[str, list[Group]] = {}
    groups = [group for group in by_point(result, measure, parameters=[over, *([by] if by else [])]) if group.estimate]
    if by and result.column(by).dtype != object:
        groups.sort(key=lambda group: float(group.values[by]))
    for group in groups:
        curves.setdefault(value_label(result, by, group.values[by]) if by else measure, []).append(group)
    if not curves:
        raise GranumError(f'No run has a value of "{measure}", so there is nothing to draw.')
    return {name: sorted(groups, key=lambda group: float(group.values[over])) for name, groups in curves.items()}


def crossing_of(result: StudyResult, measure: str, over: str, chosen: Floats | slice = slice(None)) -> Crossing:
    """Where the probability of a measure crosses 1/2 in some rows; of a search, its own longer interval."""
    x, outcome = np.asarray(result.column(over), dtype=float)[chosen], answers(result, measure)[chosen]
    x, outcome = x[np.isfinite(outcome)], outcome[np.isfinite(outcome)]
    design = result.study.design
    if design.kind == "boundary" and design.measure == measure and result.boundary.parameter == over:
        return result.boundary.search.crossing(x, outcome)
    return logistic_boundary(x, outcome)


def rows_at(result: StudyResult, name: str, value: Any) -> Floats:
    """Which rows have a value of a parameter, as an array of truth values."""
    return np.array([repr(one) == repr(value) for one in result.column(name).tolist()])
