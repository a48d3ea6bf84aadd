"""Run: the result of a simulation, read by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from granum.base.arguments import check_methods, checked
from granum.base.errors import RunFileError
from granum.base.kernels import Floats
from granum.base.offers import offered
from granum.base.text import count
from granum.io.runfile import TRANSITIONS, open_run_file
from granum.run import show
from granum.run.grain_result import GrainMeasures
from granum.run.summary import summarize

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from granum.run.extremes import Maximum


class Event(NamedTuple):
    """Something that happened at an instant."""

    t: float
    """[s]"""
    name: str
    """The friction, link, jam probe, bond or cluster it happened to; "run" for what ended the run."""
    what: str
    """Such as sticks, slides, leaves, opens, closes, rebounds, jammed, breaks, merges."""


class Run(GrainMeasures):
    """The result of any simulation.

    A quantity has the same name, shape and unit whatever solved it: `position`, `velocity`, `orientation`,
    `angular_velocity`, `reaction`, `constraint_errors`, `energy`, `events`. `run.has` says what a run has; anything
    else raises an error that says so.

    >>> run = gr.simulate(gr.example("pendulum"), until=0.1, progress=False)
    >>> run.position("bob-50").shape, run.reaction("rod-3").tension.shape
    ((201, 2), (201,))
    """

    def __repr__(self) -> str:
        return show.in_a_line(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return show.as_html(self)

    @property
    def statistics(self) -> dict[str, Floats]:
        """Statistics of the steps between frames, by name; see `StepStatistics`."""
        return self._table("statistics", "statistics_columns")

    @property
    def energy_error(self) -> float:
        """Largest error of the energy balance, relative to the largest energy of the run; see `Energy`."""
        return self.energy.largest_error

    @property
    def vital_signs(self) -> list[str]:
        """Its state at the last frame, in a few words each, the most telling first."""
        if not len(self.t):
            return []
        signs = []
        if self.has.grains:
            bodies = self.other_bodies()
            counts = {"grain": int(self.body_counts[-1]) - bodies, "body": bodies}
            signs = [count(n, what) for what, n in counts.items() if n] + [count(self.contact_counts[-1], "contact")]
        if len(self.t) < 2:
            return signs
        if self.scene.run.solver != "events":
            signs.append(f"step {self.statistics['largest_step'][-1]:.2g} s")
        if self.has.energy_balance:
            signs.append(f"energy error {self.energy_error:.0e}")
        if self.has.grains:
            last = {name: float(values[-1]) for name, values in self.figures.items()}
            signs.append(f"overlap {last['largest_overlap']:.0e} r")
            return [*signs, f"residual {last['residual']:.0e}" if "residual" in last else "no residual"]
        worst = float(self.constraint_errors.relative.max()) if self.has.constraints else 0.0
        return [*signs, f"constraint error {worst:.0e}"]

    def minimum_friction(self, constraint: str) -> Maximum:
        """The friction coefficient that a rolling body needs, and when; located also between frames."""
        from granum.run.extremes import minimum_friction

        return minimum_friction(self, constraint)

    @property
    def event(self) -> str | None:
        """The event that ended the run early, or None."""
        ended = self._recording.event
        if ended is None:
            return None
        if self.has.grains:
            ending = [one for one in self.verdicts if one.verdict == "jammed" or one.backed_up is not None]
            if not ending:
                raise RunFileError(f"{self.path or 'The run'} says that an event ended the run, but its probes "
                                   "recorded none: its numbers were changed. Repeat the run.")
            return show.in_words(ending[-1])
        return f"At t = {ended[1]:.9g} s {self.metadata['events'][ended[0]]}"

    @property
    def events(self) -> list[Event]:
        """All events in order: stick and slip, one-sided links, verdicts on flows, bonds, clusters, the end."""
        names, logged = self.changing, self._recording.arrays.get("transition")
        happened = [Event(t, names[int(k)], TRANSITIONS[int(code)])
                    for t, k, code in (() if logged is None else logged.tolist()) if code]
        happened += [Event(one.begin, one.probe, one.verdict) for one in self.verdicts]
        happened += [Event(one.t, f"bond of grains {one.pair[0]} and {one.pair[1]}", "breaks")
                     for one in (self.breaks if self.has.bonds else ())]
        happened += [Event(one.t, f"cluster of grain {one.number}", "merges" if one.grains > 0 else "splits")
                     for one in self.merges]
        happened.sort(key=lambda one: one.t)
        if self._recording.event is not None and self.event is not None:
            happened.append(Event(self._recording.event[1], "run", self.event))
        return happened

    @property
    def changing(self) -> list[str]:
        """Names of the frictions that stick and slide, or of the one-sided links that open and close."""
        return list(self.metadata.get("frictions") or self.metadata.get("one_sided", []))

    @property
    def plot(self) -> Any:
        """Plots of this run, one method each, such as `run.plot.energy()`; `dir(run.plot)` lists them."""
        return offered("plots")(self)

    def to_pandas(self, table: str | None = None) -> pd.DataFrame:
        """One table of the run as a pandas data frame, with the units of its columns in `attrs["units"]`.

        Args:
            table: a name such as "energy", "links" or "reactions"; the tables are those of `granum export --to csv`.
                Left out, that of what moves: "bodies", or "grains".

        Rows of bodies, links, joints, grains and contacts have the index (t, name), or (t, number of the row) where
        they have no name; those of time series have the index t. Needs pandas: `pip install "granum[study]"`.
        """
        frame: pd.DataFrame = offered("to_pandas")(self, table)
        return frame

    def to_xarray(self) -> xr.Dataset:
        """The run as an xarray dataset, each variable with its unit in `attrs["units"]`.

        `position` and `velocity` have the dimensions t, body and axis, `tension` t and link; time series are called
        by their table and column, such as "energy kinetic". Needs xarray: `pip install "granum[study]"`.
        """
        dataset: xr.Dataset = offered("to_xarray")(self)
        return dataset

    def animate(self, file: str | Path | None = None, **options: Any) -> Any:
        """A film of this run: as the last line of a notebook cell it plays there.

        Args:
            file: write it to this .mp4, .gif or .webp as well; `animate().save(file)` does the same later.
            options: `colour`, `forces`, `traces`, `seconds`, `rate`, `start`, `until` and `size`, as in
                `granum.view.films.film`.
        """
        return offered("animation")(self, file, **options)

    @property
    def summary(self) -> dict[str, Any]:
        """The main results of the run as numbers, and warnings."""
        self.refuse_empty()
        return summarize(self)


check_methods(Run, "granum.")


@checked
def open_run(path: str | Path) -> Run:
    """Open a run file, also of an interrupted run or of one that is still running.

    The run has the frames that are in the file when it is opened; open it again to see later ones.

    >>> _ = gr.simulate(gr.example("pendulum"), until=0.1, output="swing.h5", overwrite=True, progress=False)
    >>> gr.open_run("swing.h5").finished
    True
    """
    return Run(open_run_file(Path(path)))
