"""Tables of runs of links, mechanisms and systems of formulas: bodies, links, reactions, coordinates."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from granum.base.kernels import Ints
from granum.model.bodies import Rigid
from granum.model.connections import EnergyConstraint, FormulaConstraint
from granum.run import Run
from granum.run.mechanism_result import MechanismRun
from granum.view.export.content import (
    Column,
    Content,
    Table,
    Tables,
    energy_table,
    in_space,
    scalar,
    spinning,
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
        if not self.linked:
            return found | self.held(index)
        tension = scalar("tension", "N", run.reactions[index])
        found["links"] = Table((*self._joined(run.link_ends), tension), self._links, in_space(position)[run.link_ends])
        return found

    def drawn(self, index: int) -> Tables:
        """Lines that a scene draws between points of formulas."""
        run = self.run
        if not (run.by_formulas and run.scene.system.lines):
            return {}
        ends = run.link_ends[len(run.scene.link) :]
        return {"lines": Table(self._joined(ends), ends=in_space(run.positions[index])[ends])}

    def _joined(self, ends: Ints) -> tuple[Column, ...]:
        return scalar("first", "", ends[:, 0], self._bodies), scalar("second", "", ends[:, 1], self._bodies)

    @property
    def linked(self) -> bool:
        """Is it a run of point masses and links as arrays?"""
        return not self.run.by_formulas and not isinstance(self.run, MechanismRun)

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
        if run.positions.shape[2] == 2:
            angle = np.zeros(count)
            for place, name in self._rigid.items():
                angle[place] = run.angle(name)[index]
            turns = scalar("angle", "rad", angle)
        if not isinstance(run, MechanismRun):
            return (turns,)
        spin = np.zeros((count, 2 * run.positions.shape[2] - 3))
        for place, name in self._rigid.items():
            spin[place] = run.angular_velocity(name)[index]
        return turns, spinning(spin)

    @cached_property
    def _rigid(self) -> dict[int, str]:
        """Bodies that turn, by place."""
        return {k: name for k, name in enumerate(self._bodies) if isinstance(self.run.scene.body.get(name), Rigid)}

    def series(self) -> Tables:
        """The energy balance, how well constraints hold, reactions and coordinates by name."""
        run = self.run
        errors = run.constraint_errors
        found = {"energy": energy_table(run), "steps": steps_table(run)}
        if self.linked:
            found["errors"] = Table((scalar("relative_length", "", errors[:, 0]), scalar("rate", "m/s", errors[:, 1])))
            return found
        found["errors"] = Table((scalar("value", "", errors[:, 0]), scalar("rate", "1/s", errors[:, 1])))
        if len(run.link_names):
            found["reactions"] = Table(tuple(scalar(name, self._unit(name), run.reactions[:, k])
                                             for k, name in enumerate(run.link_names)))
        if run.by_formulas:
            found |= self._formulas()
        if isinstance(run, MechanismRun):
            found |= self._mechanism(run)
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

    def _mechanism(self, run: MechanismRun) -> Tables:
        found = {}
        if len(run.link_names):
            found["unique"] = Table(tuple(scalar(name, "", run.unique(name).astype(np.uint8))
                                          for name in run.link_names))
        if probes := run.metadata["sections"]:
            found["probes"] = Table(tuple(
                vector(f"{name} {what}", unit, values, f"{name} {letter}") for name in probes
                for what, unit, letter, values in zip(("force", "moment"), ("N", "N m"), "FM", run.section(name),
                                                      strict=True)))
        return found

    def log(self) -> Tables:
        """What frictions did."""
        if not (changes := self.run.transitions):
            return {}
        t, frictions, done = zip(*changes, strict=True)
        names, states = sorted(set(frictions)), sorted(set(done))
        return {"transitions": Table((
            scalar("t", "s", t), scalar("friction", "", [names.index(name) for name in frictions], names),
            scalar("does", "", [states.index(state) for state in done], states)))}

    def _unit(self, reaction: str) -> str:
        """Unit of a reaction by its name; that of a formula is known to its author alone."""
        if isinstance(self.run.scene.constraint.get(reaction.partition(".")[0]), FormulaConstraint | EnergyConstraint):
            return ""
        return "N m" if ".moment" in reaction or ".torque" in reaction else "N"
