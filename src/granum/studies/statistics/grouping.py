"""Runs of one point of a study taken together: means or probabilities with their intervals."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from granum.base.errors import GranumError, pick
from granum.studies.statistics.intervals import Estimate, mean_interval, wilson

OWN = ("wall_time", "energy_error", "residual")
"""Numbers that every study has, whatever it measures."""


class Columns(Protocol):
    """What is asked of the result of a study."""

    @property
    def parameters(self) -> list[str]:
        """Names of what was varied."""

    @property
    def measures(self) -> list[str]:
        """Names of what was measured."""

    def column(self, name: str) -> NDArray[np.generic]:
        """One value for each run."""


class Group(NamedTuple):
    """The runs of one point."""

    values: dict[str, Any]
    """Of the parameters."""
    estimate: Estimate | None
    """Mean with Student's interval, or probability with Wilson's where the measure is true or false; None if all runs
    failed."""
    successes: int
    """Runs that answered true; of a measure that is a number, 0."""
    failed: int
    """Runs without an answer: they failed, and are not part of the estimate."""

    @property
    def runs(self) -> int:
        """Runs with an answer."""
        return self.estimate.runs if self.estimate else 0


def answers(result: Columns, measure: str) -> NDArray[np.float64]:
    """What each run answered, not a number where it failed; refuses measures that are texts."""
    column = result.column(pick(measure, [*result.measures, *OWN], "measure"))
    if column.dtype == object:
        raise GranumError(f'The measure "{measure}" is a string, which has no mean. Compare it: "... == '
                          "'VALUE'\".")
    return np.asarray(column, dtype=float)


def is_probability(result: Columns, measure: str) -> bool:
    """Did all runs answer true or false (1 or 0)?"""
    values = answers(result, measure)
    answered = values[np.isfinite(values)]
    return bool(len(answered) and np.isin(answered, (0.0, 1.0)).all())


def by_point(result: Columns, measure: str, level: float = 0.95,
             parameters: Sequence[str] | None = None) -> list[Group]:
    """The runs of each point taken together, in the order of the points' numbers.

    With `parameters`, points that differ in others alone are taken together too.
    """
    probability = is_probability(result, measure)
    values = answers(result, measure)
    varied = {name: result.column(name).tolist() for name in (result.parameters if parameters is None else parameters)}
    # runs of equal parameters belong together, also where an adaptive design came back to a value
    groups: dict[tuple[object, ...], list[int]] = {}
    for row in np.argsort(np.asarray(result.column("point")), kind="stable"):
        groups.setdefault(tuple(_key(column[row]) for column in varied.values()), []).append(int(row))
    return [_group({name: column[rows[0]] for name, column in varied.items()}, values[rows], probability, level)
            for rows in groups.values()]


def pooled(groups: Sequence[Group], over: str, fewest: int, level: float = 0.95) -> list[Group]:
    """Probabilities of neighbouring values of a parameter taken together, until each has enough runs.

    A search for a boundary makes few runs at each of many values. The value of a new group is the mean over its runs;
    what is left at the end joins the last group.
    """
    parts: list[list[Group]] = []
    for group in sorted(groups, key=lambda one: float(one.values[over])):
        if not parts or sum(one.runs for one in parts[-1]) >= fewest:
            parts.append([])
        parts[-1].append(group)
    if len(parts) > 1 and sum(one.runs for one in parts[-1]) < fewest:
        last = parts.pop()
        parts[-1] += last
    return [_together(part, over, level) for part in parts]


def _together(groups: Sequence[Group], over: str, level: float) -> Group:
    successes, runs = sum(one.successes for one in groups), sum(one.runs for one in groups)
    value = sum(float(one.values[over]) * one.runs for one in groups) / runs
    return Group({**groups[0].values, over: value}, wilson(successes, runs, level), successes,
                 sum(one.failed for one in groups))


def _key(value: Any) -> Hashable:
    """A value that can be looked up; lists and tables cannot."""
    return value if isinstance(value, Hashable) else repr(value)


def _group(at: dict[str, Any], values: NDArray[np.float64], probability: bool, level: float) -> Group:
    answered = values[np.isfinite(values)]
    failed = len(values) - len(answered)
    if not len(answered):
        return Group(at, None, 0, failed)
    if not probability:
        return Group(at, mean_interval(answered, level), 0, failed)
    successes = int(answered.sum())
    return Group(at, wilson(successes, len(answered), level), successes, failed)
