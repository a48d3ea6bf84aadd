"""Run: the result of a simulation, read by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from granum.base.kernels import Floats
from granum.base.offers import offered
from granum.io.runfile import TRANSITIONS, open_run_file
from granum.run import show
from granum.run.energy import Energy
from granum.run.grain_result import GrainMeasures
from granum.run.summary import count, summarize

if TYPE_CHECKING:
    from granum.run.extremes import Maximum


class Event(NamedTuple):
    """Something that happened at an instant."""

    t: float
    """[s]"""
    name: str
    """The friction, jam probe, bond or cluster it happened to; "run" for what ended the run."""
    what: str
    """Such as sticks, slides, leaves, jammed, breaks, merges."""


class Run(GrainMeasures):
    """The result of any simulation.

    A quantity has the same name, shape and unit whatever solved it: `position`, `velocity`, `orientation`,
    `angular_velocity`, `reaction`, `constraint_errors`, `energy`, `events`. `run.has` says what a run has; anything
    else is refused in words.
    """

    def __repr__(self) -> str:
        return show.in_a_line(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return show.as_html(self)

    @property
    def statistics(self) -> dict[str, Floats]:
        """How the steps between frames went, by name; see `StepStatistics`."""
        return self._table("statistics", "statistics_columns")

    @property
    def energy(self) -> Energy:
        """The energy balance."""
        return Energy.recorded(self.energy_table(), self.metadata)

    def energy_table(self) -> Floats:
        """(frames, columns): energies as they are recorded [J]."""
        return self._frames("energy")

    @property
    def energy_error(self) -> float:
        """Largest energy that no agent supplied or took, in parts of the largest energy of the run; see `Energy`."""
        return self.energy.largest_error

    @property
    def vital_signs(self) -> list[str]:
        """How it is doing by its last frame, in a few words each, the most telling first."""
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
            return [*signs, f"residual {last['residual']:.0e}" if "residual" in last else "residual none"]
        worst = float(self.constraint_errors.relative.max()) if self.has.constraints else 0.0
        return [*signs, f"constraint error {worst:.0e}"]

    def minimum_friction(self, constraint: str) -> Maximum:
        """The friction coefficient that a rolling body needs, and when; located between frames."""
        from granum.run.extremes import minimum_friction

        return minimum_friction(self, constraint)

    @property
    def event(self) -> str | None:
        """What ended the run before its time, if anything."""
        ended = self._recording.event
        if ended is None:
            return None
        if self.has.grains:
            ending = [one for one in self.verdicts if one.verdict == "jammed" or one.backed_up is not None]
            return show.in_words(ending[-1])
        return f"At t = {ended[1]:.9g} s {self.metadata['events'][ended[0]]}"

    @property
    def events(self) -> list[Event]:
        """All that happened at instants, in order: frictions, verdicts on flows, bonds, clusters, the end."""
        names, logged = self.metadata.get("frictions", []), self._recording.arrays.get("transition")
        happened = [Event(t, names[int(k)], TRANSITIONS[int(code)])
                    for t, k, code in (() if logged is None else logged.tolist()) if code]
        happened += [Event(one.begin, one.probe, one.verdict) for one in self.verdicts]
        happened += [Event(one.t, f"bond of grains {one.pair[0]} and {one.pair[1]}", "breaks")
                     for one in (self.breaks if self.has.bonds else ())]
        happened += [Event(one.t, f"cluster of grain {one.number}", "merges" if one.grains > 0 else "comes apart")
                     for one in self.merges]
        happened.sort(key=lambda one: one.t)
        if self._recording.event is not None and self.event is not None:
            happened.append(Event(self._recording.event[1], "run", self.event))
        return happened

    @property
    def plot(self) -> Any:
        """Plots of this run, one method each: `run.plot.energy()`; `dir(run.plot)` says which there are."""
        return offered("plots")(self)

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
        """The run in a few numbers, and warnings."""
        self.refuse_empty()
        return summarize(self)


def open_run(path: str | Path) -> Run:
    """Open a run file; an interrupted or still running run opens too."""
    return Run(open_run_file(Path(path)))
