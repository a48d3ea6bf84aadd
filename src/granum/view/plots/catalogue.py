"""All plots of runs in one table: by name, for which runs, and what they need; behind `run.plot` and `granum plot`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from matplotlib.figure import Figure

from granum.base.errors import GranumError
from granum.run import Run
from granum.view import style
from granum.view.plots import constraints, contacts, energy, flow, grains, motion, reactions, rigidity, surfaces


class NoPlotError(GranumError, AttributeError):
    """A plot that this run does not have."""


class Plot(NamedTuple):
    """A plot, for which runs it is, and what others lack."""

    draw: Callable[..., Figure]
    there: Callable[[Run], bool]
    needs: str

    @property
    def name(self) -> str:
        """As on the command line."""
        return self.draw.__name__.replace("_", "-")

    @property
    def about(self) -> str:
        """In one line."""
        return inspect.getdoc(self.draw).splitlines()[0]  # type: ignore[union-attr]

    @property
    def options(self) -> dict[str, inspect.Parameter]:
        """What it takes beside the run, by name."""
        return dict(list(inspect.signature(self.draw).parameters.items())[1:])


def _having(what: str) -> Callable[[Run], bool]:
    """Has a run something, by its name in `run.has`?"""
    return lambda run: bool(getattr(run.has, what))


def _probes(kind: str) -> Callable[[Run], bool]:
    """Has a run probes of a kind?"""
    return lambda run: bool(run.probe_names(kind))


def _needs_probe(kind: str) -> str:
    return f'a probe: give the scene [probe.NAME] with kind = "{kind}"'


_GRAINS = "grains"
CATALOGUE = (
    Plot(energy.energy, lambda run: True, ""),
    Plot(motion.path, _having("bodies"), "bodies or points: give a system of formulas [system.points]"),
    Plot(motion.phase, lambda run: run.has.coordinates or run.has.bodies, "bodies or coordinates"),
    Plot(motion.coordinates, _having("coordinates"), "a system of formulas"),
    Plot(surfaces.surface, lambda run: bool(surfaces.touching(run)),
         "a body that rolls or slides on a [surface.NAME], by fundamental or another formulation of formulas"),
    Plot(reactions.reactions, _having("reactions"), "links, constraints or joints"),
    Plot(reactions.sections, _having("sections"), _needs_probe("section")),
    Plot(constraints.constraint_errors, _having("constraints"), "links, constraints or joints"),
    Plot(grains.grains, _having("grains"), _GRAINS),
    Plot(grains.forces, _having("contacts"), "grains whose contacts are recorded"),
    Plot(grains.before_after, _having("grains"), _GRAINS),
    Plot(contacts.contacts, lambda run: run.has.grains and len(run.t) > 1, _GRAINS),
    Plot(contacts.coordination, _having("contacts"), "grains whose contacts are recorded"),
    Plot(contacts.force_distribution, contacts.any_push, "grains whose contacts are recorded and push"),
    Plot(contacts.stress, _having("contacts"), "grains whose contacts are recorded"),
    Plot(flow.flow, _probes("flow"), _needs_probe("flow")),
    Plot(flow.packing, _probes("packing"), _needs_probe("packing")),
    Plot(rigidity.rigidity, rigidity.has_clusters,
         "grains whose contacts are recorded (few of them in space), or point masses and links"),
    Plot(rigidity.rigidity_over_time, _probes("rigidity"), _needs_probe("rigidity")),
    Plot(contacts.bonds, _having("bonds"), "bonds: [bond.NAME]"),
    Plot(contacts.merged, _having("merging"),
         "merged clusters: merge_clusters = true under [run]"),
)


def plots_of(run: Run) -> dict[str, Plot]:
    """All plots that a run can draw, by name."""
    run.refuse_empty()
    return {plot.name: plot for plot in CATALOGUE if plot.there(run)}


def find(run: Run, name: str) -> Plot:
    """A plot of a run by name; what the run does not have is answered with what it has."""
    there = plots_of(run)
    if name in there:
        return there[name]
    known = {plot.name: plot for plot in CATALOGUE}
    if name in known:
        why = f'This run has no plot "{name}": that needs {known[name].needs}.'
    else:
        near = get_close_matches(name, there, 1)
        why = f'There is no plot "{name}".' + (f' Did you mean "{near[0]}"?' if near else "")
    raise NoPlotError(f"{why} It has {', '.join(there)}.")


def draw(run: Run, what: str, file: Path | None = None, names: Sequence[str] = (), **options: Any) -> Figure:
    """Draw one plot of a run, into a file if one is given.

    Args:
        names: of what is shown: bodies, links, joints, coordinates or probes, as the plot has them.
        options: of the plot, such as frame, colour, volume or window.
    """
    plot = find(run, what)
    takes = plot.options
    if names and not any(option.kind is option.VAR_POSITIONAL for option in takes.values()):
        raise GranumError(f'"{what}" takes no names, found {", ".join(names)}. Leave them out.')
    for option in options:
        if option not in takes:
            has = [name for name, one in takes.items() if one.kind is not one.VAR_POSITIONAL]
            raise GranumError(f'"{what}" has no option {option}. It has {", ".join(has) or "none"}.')
    with style.house():
        drawn = plot.draw(run, *names, **options)
    if file is not None:
        style.save(drawn, Path(file))
    return drawn


class Plots:
    """Plots of a run: `run.plot.energy()`, `run.plot.path("bob", file="path.svg")`; dir() says which there are."""

    def __init__(self, run: Run) -> None:
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


def listed(run: Run) -> list[str]:
    """A line for each plot that a run has."""
    there = plots_of(run)
    width = max(map(len, there))
    return [f"{name:{width}}  {plot.about}" for name, plot in there.items()]
