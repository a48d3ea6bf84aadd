"""Values of one parameter of a study: a list, or a range, read by the rules of the scene's own key."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import Field

from granum.base.errors import Problem, SceneError
from granum.model.quantities import Entry, annotated_unit, whole
from granum.model.scene import Scene
from granum.model.variation import Found, look_up

MOST = 1_000_000
"""Points of a study: each is a run."""


class Range(Entry):
    """Values from one number to another."""

    from_: Any = Field(alias="from")
    """First value: a number in SI units, or a string with a unit."""
    to: Any
    """Last value."""
    points: Annotated[int, whole(2, MOST)] | None = None
    """How many values a grid takes, both ends included."""
    scale: Literal["linear", "log"] = "linear"
    """Equal differences, or equal ratios."""


class Levels(NamedTuple):
    """Values of one parameter, in SI units."""

    path: str
    unit: str
    values: list[Any]
    """Of a list, or of a range with `points`."""
    ends: tuple[float, float] | None = None
    """Of a range."""
    whole: bool = False
    """Does the key take whole numbers alone?"""
    log: bool = False

    @property
    def first(self) -> Any:
        """The first value."""
        return self.values[0] if self.ends is None else self.at(0.0)

    @property
    def numeric(self) -> bool:
        """Are all values numbers?"""
        return self.ends is not None or all(_is_number(value) for value in self.values)

    def at(self, part: float) -> Any:
        """The value at a part of the range in [0, 1), or of the list."""
        if self.ends is None:
            return self.values[int(part * len(self.values))]
        low, high = self.ends
        if self.whole:
            return int(low) + int(part * (int(high) - int(low) + 1))
        return low * (high / low) ** part if self.log else low + part * (high - low)


Reader = Callable[[str, Any], Found]
"""What a value of a parameter is in SI units, with its unit; raises SceneError."""


def key_of(scene: Scene) -> Reader:
    """Parameters that are keys of a scene."""
    return lambda path, value: look_up(scene.vary({path: value}), path)


def argument_of(make: Callable[..., Scene] | None) -> Reader:
    """Parameters that are arguments of a function that makes the scene: taken as they are, with the units of their
    types (such as `Speed` of `model.quantities`); None where the function is not at hand.
    """
    try:
        arguments = inspect.signature(make, eval_str=True).parameters if make else {}
    except (NameError, TypeError, ValueError):  # types that are known to type checkers alone, or no signature at all
        arguments = {}

    def read(name: str, value: Any) -> Found:
        if not isinstance(value, str | bool) and not _is_number(value):
            raise SceneError([Problem(name, f"found {value!r}, but an argument of the scene's function is a number, "
                                      "true or false, or a text.")], "study")
        return Found(value, annotated_unit(arguments[name].annotation) if name in arguments else "")

    return read


def read_levels(path: str, written: list[Any] | Range, read: Reader, grid: bool) -> tuple[Levels | None, list[Problem]]:
    """The values of a parameter, or what is wrong with them.

    grid: does a grid take them, so that a range needs a number of points?
    """
    place = f"vary.{path}"
    given = written if isinstance(written, list) else [written.from_, written.to]
    if not given:
        return None, [Problem(place, "found an empty list, but at least one value is needed.")]
    values: list[Any] = []
    problems: list[Problem] = []
    unit = ""
    for value in given:
        try:
            value, unit = read(path, value)
            values.append(value)
        except SceneError as error:
            problems += [Problem(place, _at(problem, path), problem.remedy) for problem in error.problems
                         if problem.finding not in {known.finding for known in problems}]
    if problems:
        return None, problems
    if isinstance(written, list):
        if len({repr(value) for value in values}) < len(values):
            return None, [Problem(place, f"found {written!r}, which contains a value twice.", "Give each value once.")]
        return Levels(path, unit, values), []
    return _range(place, path, unit, written, values, grid)


def _at(problem: Problem, path: str) -> str:
    """A finding, which names its entry where that is not the parameter itself."""
    return problem.finding if problem.place == path else f"{problem.place}: {problem.finding}"


def _range(place: str, path: str, unit: str, written: Range, ends: list[Any],
           grid: bool) -> tuple[Levels | None, list[Problem]]:
    """The values of a range whose ends are read."""
    if not all(map(_is_number, ends)):
        return None, [Problem(place, f"found a range from {written.from_!r} to {written.to!r}, but a range needs "
                                     "numbers.", "Give a list of values.")]
    low, high = map(float, ends)
    if not low < high:
        return None, [Problem(place, f"found a range from {written.from_!r} to {written.to!r}, which is empty.",
                              "`from` must be smaller than `to`.")]
    if written.scale == "log" and low <= 0.0:
        return None, [Problem(place, f"found a logarithmic range from {written.from_!r}, but a logarithmic range needs "
                                     "positive numbers.")]
    if grid and written.points is None:
        return None, [Problem(place, "found a range without points, but a grid needs them.", "Add points = 5.")]
    integer, log = isinstance(ends[0], int) and isinstance(ends[1], int), written.scale == "log"
    spaced = (np.geomspace if log else np.linspace)(low, high, written.points or 0)
    # the ends exactly as they are written; the rounded ones of numpy may lie beyond what a key takes
    values: list[Any] = [low, *(float(value) for value in spaced[1:-1]), high] if len(spaced) else []
    if integer:
        values = [round(value) for value in values]
        if len(set(values)) < len(values):
            return None, [Problem(place, f"found {written.points} points, but there are fewer integers from {int(low)} "
                                         f"to {int(high)} at this scale.", "Use fewer points.")]
    return Levels(path, unit, values, (low, high), integer, log), []


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
