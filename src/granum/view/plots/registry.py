"""The registry of plots: a plot is one function with a decorator that says which runs, or studies, have it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from matplotlib.figure import Figure

from granum.base.errors import GranumError
from granum.run import Run
from granum.studies.result import StudyResult

Draw = TypeVar("Draw", bound=Callable[..., Figure])
Test = Callable[[Run], bool]


class Plot(NamedTuple):
    """A plot, which runs or studies have it, and what others lack."""

    draw: Callable[..., Figure]
    available: Callable[[Any], bool]
    needs: str

    @property
    def name(self) -> str:
        """As on the command line."""
        return self.draw.__name__.replace("_", "-")

    @property
    def description(self) -> str:
        """In one line."""
        return inspect.getdoc(self.draw).splitlines()[0]  # type: ignore[union-attr]

    @property
    def options(self) -> dict[str, inspect.Parameter]:
        """What it takes beside the run, by name."""
        return dict(list(inspect.signature(self.draw).parameters.items())[1:])


PLOTS: dict[str, Plot] = {}
"""All plots of runs by name, in the order in which they were registered."""
STUDY_PLOTS: dict[str, Plot] = {}
"""All plots of studies."""


def plot(has: str | Test = "", *, probe: str = "", needs: str = "") -> Callable[[Draw], Draw]:
    """Register a function as a plot; its name, its first line and its parameters are those of the plot.

    Args:
        has: what a run must have, by its name in `run.has`, or a test of the run; left out, all runs have the plot.
        probe: kind of the probes that a run must have.
        needs: what runs without the plot lack, in words; left out, it follows from `has` or `probe`.

    The function takes a run, then names of what it shows (`*names`) and options, and returns a figure.
    """
    def available(run: Run) -> bool:
        if probe:
            return bool(run.probe_names(probe))
        return has(run) if callable(has) else not has or bool(getattr(run.has, has))

    lacking = needs or (f'a probe: add [probe.NAME] with kind = "{probe}" to the scene' if probe else str(has))

    return _register(PLOTS, available, lacking)


def study_plot(available: Callable[[StudyResult], bool], needs: str) -> Callable[[Draw], Draw]:
    """Register a function as a plot of studies: it takes a StudyResult, then names of measures, and options."""
    return _register(STUDY_PLOTS, available, needs)


def _register(plots: dict[str, Plot], available: Callable[[Any], bool], needs: str) -> Callable[[Draw], Draw]:
    def register(draw: Draw) -> Draw:
        made = Plot(draw, available, needs)
        if made.name in plots:
            raise GranumError(f'There is already a plot "{made.name}". Give the function another name.')
        if not inspect.getdoc(draw):
            raise GranumError(f'The plot "{made.name}" has no docstring, whose first line is its description.')
        plots[made.name] = made
        return draw

    return register
