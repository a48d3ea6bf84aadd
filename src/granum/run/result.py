"""Run: the result of a simulation, read by name."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats, Ints
from granum.base.offers import offered
from granum.io.runfile import TRANSITIONS, Recording, open_run_file
from granum.mechanisms.places import about_z
from granum.model.bodies import FixedPoint, Rigid
from granum.model.scene import Scene
from granum.run import show
from granum.run.energy import NOTICEABLE, RESTING, Energy
from granum.system import Names, assemble
from granum.system.assembly import Assembly

if TYPE_CHECKING:
    from granum.run.extremes import Maximum


class Run:
    """Frames, link forces, energy balance, constraint errors and statistics of one run.

    Frames that were not reached are not there: an interrupted run is simply shorter.
    """

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self.metadata = recording.metadata
        self.path = recording.path

    def __repr__(self) -> str:
        return show.in_a_line(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return show.as_html(self)

    def _frames(self, name: str) -> Floats:
        return self._recording.arrays[name][: self._recording.frames_done]

    @cached_property
    def scene(self) -> Scene:
        """The scene that was run, with the settings that were used."""
        return Scene.model_validate(self.metadata["scene"])

    @cached_property
    def _assembly(self) -> Assembly:
        return assemble(self.scene)

    @property
    def by_formulas(self) -> bool:
        """Is it a run of a system of formulas, with coordinates and reactions of constraints?"""
        return "coordinates" in self.metadata

    @cached_property
    def body_names(self) -> Names:
        """Names of the bodies, in the order of `positions`."""
        return listed_names(self.metadata["bodies"]) if self.by_formulas else self._assembly.body_names

    @cached_property
    def link_names(self) -> Names:
        """Names of the links, or of the reactions of constraints, in the order of `reactions`."""
        return listed_names(self.metadata["reactions"]) if self.by_formulas else self._assembly.link_names

    @cached_property
    def coordinate_names(self) -> Names:
        """Names of the coordinates of a system of formulas."""
        return listed_names(self.metadata.get("coordinates", []))

    @cached_property
    def link_ends(self) -> Ints:
        """(links, 2): numbers of the bodies each link joins."""
        if not self.by_formulas:
            return np.column_stack([self._assembly.tail, self._assembly.head])
        names = list(self.body_names)
        ends = [[name.partition(".")[0] for name in link.between] for link in self.scene.link.values()]
        ends += [list(pair) for line in self.scene.system.lines for pair in pairwise(line)]
        return np.array([[names.index(a), names.index(b)] for a, b in ends], dtype=np.int64).reshape(-1, 2)

    @property
    def fixed_count(self) -> int:
        """How many of the bodies are fixed points."""
        if self.by_formulas:
            return sum(isinstance(body, FixedPoint) for body in self.scene.body.values())
        return int(np.count_nonzero(self._assembly.fixed))

    @property
    def event(self) -> str | None:
        """What ended the run before its time, if anything."""
        found = self._recording.event
        return None if found is None else f"At t = {found[1]:.9g} s {self.metadata['events'][found[0]]}"

    @property
    def finished(self) -> bool:
        """Did the run reach its end?"""
        return self._recording.finished

    @property
    def planned(self) -> int:
        """How many frames the run has when it has reached its end."""
        return self._recording.frame_count

    def refuse_empty(self) -> None:
        """Raise if no frame is there to look at."""
        if not len(self.t):
            raise GranumError(f"{self.path or 'The run'} has no frame yet: it was stopped before its start, or has "
                              "just been started. Wait for it, or continue it with granum run SCENE.toml --resume.")

    def frame_number(self, index: int) -> int:
        """Number of a frame counted from the start, or by a negative number from the end; refuses one not there."""
        self.refuse_empty()
        if not -len(self.t) <= index < len(self.t):
            raise GranumError(f"{self.path or 'The run'} has no frame {index}: it has {len(self.t)} frames, 0 to "
                              f"{len(self.t) - 1}, or counted from the end -1 to {-len(self.t)}.")
        return index % len(self.t)

    @property
    def t(self) -> Floats:
        """Times of the frames [s]."""
        return self._frames("time")

    @property
    def positions(self) -> Floats:
        """(frames, bodies, dimension) [m]."""
        return self._frames("position")

    @property
    def velocities(self) -> Floats:
        """(frames, bodies, dimension) [m/s]."""
        return self._frames("velocity")

    @property
    def reactions(self) -> Floats:
        """(frames, links) [N], tension positive; of least norm where they are not unique."""
        return self._frames("link_force")

    @property
    def constraint_errors(self) -> Floats:
        """(frames, 2): largest length error relative to the link, largest rate of a length [m/s]."""
        return self._frames("constraint_error")

    @property
    def statistics(self) -> dict[str, Floats]:
        """How the steps between frames went, by name; see `StepStatistics`."""
        table = self._frames("statistics")
        return {name: table[:, k] for k, name in enumerate(self.metadata["statistics_columns"])}

    @property
    def energy(self) -> Energy:
        """The energy balance."""
        return self.energy_of(slice(None))

    def energy_of(self, frames: slice | list[int]) -> Energy:
        """The energy balance of some frames, the first of the run being the first of them."""
        table = self._frames("energy")[frames]
        by_name = {name: table[:, k] for k, name in enumerate(self.metadata["energy_columns"])}
        unit = float(self.metadata.get("energy_unit", 0.0))
        return Energy(
            by_name["kinetic"], by_name["potential"],
            {name[5:]: column for name, column in by_name.items() if name.startswith("work ")},
            {name[10:]: column for name, column in by_name.items() if name.startswith("corrected ")},
            RESTING * unit, NOTICEABLE * unit,
        )

    @property
    def energy_error(self) -> float:
        """Largest energy that no agent supplied or took, in parts of the largest energy of the run; see `Energy`."""
        return self.energy.largest_error

    @property
    def vital_signs(self) -> list[str]:
        """How it is doing by its last frame, in a few words each, the most telling first."""
        if len(self.t) < 2:
            return []
        return [f"step {self.statistics['largest_step'][-1]:.2g} s", f"energy error {self.energy_error:.0e}",
                f"constraint error {self.constraint_errors[:, 0].max(initial=0.0):.0e}"]

    @property
    def coordinates(self) -> Floats:
        """(frames, coordinates) of a system of formulas."""
        return self._frames("coordinate")

    @property
    def rates(self) -> Floats:
        """(frames, coordinates): their rates."""
        return self._frames("rate")

    def minimum_friction(self, constraint: str) -> Maximum:
        """The friction coefficient that a rolling body needs, and when; located between frames."""
        from granum.run.extremes import minimum_friction

        return minimum_friction(self, constraint)

    @property
    def transitions(self) -> list[tuple[float, str, str]]:
        """Time [s], friction, and what it does from then on (sticks, slides, leaves)."""
        names = self.metadata.get("frictions", [])
        table = self._recording.arrays.get("transition", np.zeros((0, 3)))
        return [(t, names[int(k)], TRANSITIONS[int(code)]) for t, k, code in table.tolist() if code]

    def angle(self, body: str) -> Floats:
        """(frames,): angle of a rigid body in the plane, counted through full turns [rad]."""
        if self.positions.shape[2] != 2:
            raise GranumError(f'"{body}" turns in space: an angle is of the plane. Take orientation.')
        return self.coordinate(f"{_symbol(body)}.angle")

    def orientation(self, body: str) -> Floats:
        """(frames, 4): quaternion that turns the axes of a rigid body into inertial axes."""
        if self.positions.shape[2] == 2:
            return about_z(self.angle(body))
        return np.column_stack([self.coordinate(f"{_symbol(body)}.u{k}") for k in range(4)])

    def orientations(self, index: int = -1) -> Floats:
        """(bodies, 4): quaternions of all bodies in a frame; points do not turn."""
        found = np.tile([1.0, 0.0, 0.0, 0.0], (self.positions.shape[1], 1))
        rigid = {name for name, body in self.scene.body.items() if isinstance(body, Rigid)}
        for k, name in enumerate(self.body_names) if self.by_formulas else ():
            if name in rigid:
                found[k] = self.orientation(name)[index]
        return found

    def coordinate(self, name: str) -> Floats:
        """(frames,): a coordinate of a system of formulas."""
        return self._frames("coordinate")[:, find_name(self.coordinate_names, name, "coordinate")]

    def rate(self, name: str) -> Floats:
        """(frames,): rate of a coordinate of a system of formulas."""
        return self._frames("rate")[:, find_name(self.coordinate_names, name, "coordinate")]

    def row_errors(self, name: str) -> tuple[Floats, Floats]:
        """(frames,) value and rate of a constraint row of a system of formulas."""
        rows = listed_names(self.metadata.get("rows", []))
        k = find_name(rows, name, "constraint row")
        return self._frames("constraint_value")[:, k], self._frames("constraint_rate")[:, k]

    def position(self, body: str) -> Floats:
        """(frames, dimension): path of a body [m]."""
        return self.positions[:, find_name(self.body_names, body, "body")]

    def velocity(self, body: str) -> Floats:
        """(frames, dimension): velocity of a body [m/s]."""
        return self.velocities[:, find_name(self.body_names, body, "body")]

    def reaction(self, link: str) -> Floats:
        """(frames,): force of a link [N], tension positive."""
        return self.reactions[:, find_name(self.link_names, link, "link")]

    @property
    def plot(self) -> Any:
        """Plots of this run, one method each: `run.plot.energy()`; `dir(run.plot)` says which there are."""
        return offered("plots")(self)

    @property
    def summary(self) -> dict[str, Any]:
        """The run in a few figures, and what was noticed."""
        self.refuse_empty()
        from granum.run.summary import summarize

        return summarize(self)


def _symbol(body: str) -> str:
    """A body's name in formulas, where `-` is a sign."""
    return body.replace("-", "_")


def listed_names(names: list[str]) -> Names:
    """A list of names that finds each of them."""
    found = Names()
    for name in names:
        found.add(name)
    return found


def find_name(names: Names, name: str, what: str) -> int:
    """Number of a name; refuses one that is not there."""
    number = names.find(name)
    if number is None:
        raise GranumError(f'There is no {what} "{name}". {did_you_mean(name, names.some(), what)}')
    return number


def open_run(path: str | Path) -> Run:
    """Open a run file; an interrupted or still running run opens too."""
    return as_run(open_run_file(Path(path)))


def as_run(recording: Recording) -> Run:
    """A recording as the kind of run it is."""
    if "grains" in recording.metadata:
        from granum.run.grain_result import GrainRun

        return GrainRun(recording)
    if "mechanism" in recording.metadata:
        from granum.run.mechanism_result import MechanismRun

        return MechanismRun(recording)
    return Run(recording)
