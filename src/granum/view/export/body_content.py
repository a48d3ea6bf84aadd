"""Tables of runs of links, mechanisms and systems of formulas: bodies, links, reactions, coordinates."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from granum.base.kernels import Ints
from granum.model.bodies import Rigid
from granum.run import Run
from granum.view.export.content import (
    Column,
    Content,
    Table,
    Tables,
    energy_table,
    in_space,
    rotating,
    scalar,
    steps_table,
    turned,
    vector,
)


class BodyContent(Content):
    """Tables of a run whose bodies have names and stay."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def frame(self, index: int) -> Tables:
        """Bodies, links and joints."""
        run = self.run
        position, velocity = run.positions[index], run.velocities[index]
        found = {"bodies": Table((vector("position", "m", position), vector("velocity", "m/s", velocity, "v"),
                                  *self._turning(index)), self._bodies)}
        if run.has.orientation or run.has.joints:
            return found | self.held(index)
        if not run.has.links:
            return found
        tension = scalar("tension", "N", run.tensions[index])
        found["links"] = Table((*self._joined(run.link_ends), tension), self._links, in_space(position)[run.link_ends])
        return found

    def drawn(self, index: int) -> Tables:
        """Lines that a scene draws between points of formulas."""
        run = self.run
        ends = run.line_ends
        if not len(ends):
            return {}
        return {"lines": Table(self._joined(ends), ends=in_space(run.positions[index])[ends])}

    def _joined(self, ends: Ints) -> tuple[Column, ...]:
        return scalar("first", "", ends[:, 0], self._bodies), scalar("second", "", ends[:, 1], self._bodies)

    @cached_property
    def _bodies(self) -> list[str]:
        return list(self.run.body_names)

    @cached_property
    def _links(self) -> list[str]:
        return list(self.run.link_names)

    def _turning(self, index: int) -> tuple[Column, ...]:
        """How bodies are turned and turn; points are not turned."""
        run, count = self.run, len(self._bodies)
        if not self._rigid:
            return ()
        turns = turned(run.orientations(index))
        if run.dimension == 2:
            angle = np.zeros(count)
            for place, name in self._rigid.items():
                angle[place] = run.angle(name)[index]
            turns = scalar("angle", "rad", angle)
        w = np.zeros(count) if run.dimension == 2 else np.zeros((count, 3))
        for place, name in self._rigid.items():
            w[place] = run.angular_velocity(name)[index]
        return turns, rotating(w)

    @cached_property
    def _rigid(self) -> dict[int, str]:
        """Bodies that turn, by place."""
        return {k: name for k, name in enumerate(self._bodies) if isinstance(self.run.scene.body.get(name), Rigid)}

    def series(self) -> Tables:
        """The energy balance, how well constraints hold, reactions and coordinates by name."""
        run = self.run
        found = {"energy": energy_table(run), "steps": steps_table(run)} | self.held_over_time()
        if run.has.coordinates:
            found |= self._formulas()
        if probes := self.sections():
            found["probes"] = Table(tuple(probes))
        return found

    def _formulas(self) -> Tables:
        run = self.run
        names, rows = list(run.coordinate_names), run.metadata["rows"]
        found = {"coordinates": Table((*(scalar(name, "", run.coordinate(name)) for name in names),
                                       *(scalar(f"{name}_dot", "", run.rate(name)) for name in names)))}
        if rows:
            found["constraints"] = Table(tuple(
                scalar(label, "", values) for row in rows
                for label, values in zip((f"{row}", f"{row} rate"), run.row_errors(row), strict=True)))
        return found

    def log(self) -> Tables:
        """What frictions did."""
        changes = [event for event in self.run.events if event.name != "run"]
        if not changes:
            return {}
        t, frictions, done = zip(*changes, strict=True)
        names, states = sorted(set(frictions)), sorted(set(done))
        return {"transitions": Table((
            scalar("t", "s", t), scalar("friction", "", [names.index(name) for name in frictions], names),
            scalar("does", "", [states.index(state) for state in done], states)))}
