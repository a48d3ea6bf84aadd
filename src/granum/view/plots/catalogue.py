"""Plots of a run or a study by name, behind `run.plot` and `granum plot`. Importing this registers Granum's own."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from granum.base.errors import GranumError
from granum.base.extensions import found, load_all
from granum.run import Run, open_run
from granum.studies.result import StudyResult, open_study
from granum.studies.table import is_table
from granum.view import style
from granum.view.plots.registry import PLOTS, STUDY_PLOTS, Plot

for _room in ("energy", "motion", "surfaces", "reactions", "commands", "constraints", "grains", "contacts", "flow",
              "rigidity"):
    import_module(f"granum.view.plots.{_room}")  # registers its plots, listed in this order

Shown = Run | StudyResult
"""What can be drawn."""


class NoPlotError(GranumError, AttributeError):
    """A plot that this run or study does not have."""


def opened_file(path: Path) -> Shown:
    """A run or a study, as its file says."""
    return open_study(path) if is_table(path) else open_run(path)


def plots_of(run: Shown) -> dict[str, Plot]:
    """All plots that a run or a study can draw, by name."""
    run.refuse_empty()
    section, known = _registered(run)
    load_all([section])
    return {name: plot for name, plot in known.items() if plot.available(run)}


def _registered(run: Shown) -> tuple[str, dict[str, Plot]]:
    """Plots of runs or of studies, and what packages that add some call them."""
    if not isinstance(run, StudyResult):
        return "plot", PLOTS
    for room in ("curves", "maps", "laws", "parallel", "sensitivity"):
        import_module(f"granum.view.studies.{room}")  # runs are drawn without their fits
    return "study-plot", STUDY_PLOTS


def find(run: Shown, name: str) -> Plot:
    """A plot of a run or a study by name; what it does not have is answered with what it has."""
    run.refuse_empty()
    section, known = _registered(run)
    if found(known, section, name) and known[name].available(run):
        return known[name]
    own = plots_of(run)
    if name in known:
        what = "study" if isinstance(run, StudyResult) else "run"
        why = f'This {what} has no plot "{name}", which needs {known[name].needs}.'
    else:
        near = get_close_matches(name, own, 1)
        why = f'There is no plot "{name}".' + (f' Did you mean "{near[0]}"?' if near else "")
    raise NoPlotError(f"{why} Available: {', '.join(own) or 'none'}.")


def draw(run: Shown, what: str, file: Path | None = None, names: Sequence[str] = (), **options: Any) -> Figure:
    """Draw one plot of a run or a study, into a file if one is given.

    Args:
        names: of what is shown: bodies, links, joints, coordinates or probes, as plots have them; of studies, measures.
        options: of the plot, such as frame, colour, volume or window; over and by of a study.
    """
    plot = find(run, what)
    takes = plot.options
    if names and not any(option.kind is option.VAR_POSITIONAL for option in takes.values()):
        raise GranumError(f'found {names[0]}, but the plot "{what}" takes no names. Remove them.')
    for option in options:
        if option not in takes:
            has = [name for name, one in takes.items() if one.kind is not one.VAR_POSITIONAL]
            raise GranumError(f'The plot "{what}" has no option {option}. Available: {", ".join(has) or "none"}.')
    with style.house():
        drawn = plot.draw(run, *names, **options)
    if file is not None:
        style.save(drawn, Path(file))
    return drawn


class Plots:
    """Plots of a run or a study: `run.plot.energy()`, `run.plot.path("bob", file="path.svg")`; dir() lists them."""

    def __init__(self, run: Shown) -> None:
        self._run = run

    def __dir__(self) -> list[str]:
        return [name.replace("-", "_") for name in plots_of(self._run)]

    def __getattr__(self, name: str) -> Callable[..., Figure]:
        if name.startswith("_"):  # what notebooks and copies look for is not a plot
            raise AttributeError(name)
        plot, run = find(self._run, name.replace("_", "-")), self._run

        @functools.wraps(plot.draw)
        def drawn(*names: str, file: str | Path | None = None, **options: Any) -> Figure:
            return draw(run, plot.name, None if file is None else Path(file), names, **options)

        own = inspect.signature(plot.draw)
        file = inspect.Parameter("file", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="str | Path | None")
        drawn.__signature__ = own.replace(  # type: ignore[attr-defined]
            parameters=[*list(own.parameters.values())[1:], file])
        return drawn

    def __repr__(self) -> str:
        return "\n".join(listed(self._run))


def listed(run: Shown) -> list[str]:
    """A line for each plot that a run or a study has."""
    own = plots_of(run)
    width = max(map(len, own), default=0)
    return [f"{name:{width}}  {plot.description}" for name, plot in own.items()]
