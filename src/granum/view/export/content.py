"""What a run holds, table by table: the same for every format it is exported to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from granum.base.kernels import Floats
from granum.run import Run
from granum.run.reactions import Reaction, unit_of
from granum.view.stage import Stage

AXES = "xyz"


class Column(NamedTuple):
    """One quantity of the rows of a table."""

    name: str
    unit: str
    """SI; empty for numbers without one, and for coordinates of formulas, whose unit only their author knows."""
    values: Any
    """(rows,), or (rows, components)"""
    heads: tuple[str, ...]
    """What the components are called in a table of text: x, y, z."""
    labels: Sequence[str] = ()
    """Names that the values are places of; -1 stands for none."""


class Table(NamedTuple):
    """Rows that belong together."""

    columns: tuple[Column, ...]
    names: Sequence[str] | None = None
    """Of the rows, where they are the same in every frame; None where rows come and go."""
    ends: Floats | None = None
    """(rows, 2, 3): ends of the lines that the rows are, where they are lines [m]."""

    def __len__(self) -> int:
        return len(self.columns[0].values)

    def __getitem__(self, name: Any) -> Any:
        """Values of a column by its name."""
        return next(column.values for column in self.columns if column.name == name)


Tables = dict[str, Table]


class Content(ABC):
    """Tables of a run: of frames, over the frames, and of what happened between them."""

    run: Run

    @cached_property
    def stage(self) -> Stage | None:
        """Where links, joints and solids are; formulas without points are nowhere."""
        return Stage(self.run) if self.run.has.bodies else None

    def held(self, index: int) -> Tables:
        """Links with their tension, and joints with what they do to their second end, of scenes that name them."""
        run, found = self.run, Tables()
        if self.stage is None or not (run.scene.link or run.scene.constraint):
            return found
        arrows, links = self.stage.reactions(index), list(run.link_names)
        if links:
            found["links"] = Table((scalar("tension", "N", self.stage.tensions(index)),), links,
                                   self.stage.links(index)[: len(links)])
        if joints := arrows.names[: len(arrows.names) - len(links)]:
            d, count = self.stage.dimension, len(joints)
            known = [self._joint_reactions[name] for name in joints]
            moments = np.array([reaction.moment[index] for reaction in known])
            columns = [vector("position", "m", arrows.origins[:count, :d]),
                       vector("force", "N", arrows.vectors[:count, :d], "F"),
                       scalar("moment", "N m", moments) if d == 2 else vector("moment", "N m", moments, "M")]
            unique = [reaction.unique for reaction in known]
            if all(one is not None for one in unique):
                columns.append(scalar("unique", "", [np.uint8(one[index]) for one in unique if one is not None]))
            found["joints"] = Table(tuple(columns), joints)
        return found

    @cached_property
    def _joint_reactions(self) -> dict[str, Reaction]:
        """Over the frames, by name."""
        return {name: self.run.reaction(name) for name in self.run.joint_names}

    def held_over_time(self) -> Tables:
        """Reactions, errors of constraints and loads across sections over the frames."""
        run, found = self.run, Tables()
        if run.has.constraints:
            errors = run.constraint_errors
            units = {"relative": "", "distance": "m", "angle": "rad", "rate": ""}
            found["errors"] = Table(tuple(scalar(name, unit, getattr(errors, name)) for name, unit in units.items()
                                          if np.isfinite(getattr(errors, name)).all()))
        if not run.has.joints:
            return found
        reactions = {name: run.reaction(name) for name in (*run.link_names, *run.joint_names)}
        listed = [(name, what) for name, one in reactions.items() for what in one.components]
        found["reactions"] = Table(tuple(
            scalar(f"{name}.{what}", unit_of(what), reactions[name].components[what]) for name, what in listed))
        known = [(name, what, one) for name, what in listed if (one := reactions[name].determined) is not None]
        if known:
            found["unique"] = Table(tuple(scalar(f"{name}.{what}", "", one[what].astype(np.uint8))
                                          for name, what, one in known))
        return found

    def sections(self) -> list[Column]:
        """Loads across the cuts of section probes over the frames."""
        found = []
        for name in self.run.probe_names("section"):
            force, moment = self.run.section(name)
            found += [vector(f"{name} force", "N", force, f"{name} F"),
                      scalar(f"{name} moment", "N m", moment) if moment.ndim == 1
                      else vector(f"{name} moment", "N m", moment, f"{name} M")]
        return found

    @abstractmethod
    def frame(self, index: int) -> Tables:
        """Tables with rows of their own at one instant; the first is what moves."""

    def drawn(self, index: int) -> Tables:
        """Lines that have nothing to tell but where they are."""
        return {}

    @abstractmethod
    def series(self) -> Tables:
        """Tables with one row for each frame of the run."""

    @abstractmethod
    def log(self) -> Tables:
        """Tables of what happened, each row with its time."""

    def notes(self) -> list[str]:
        """What a reader should know that tables do not say."""
        return []


def scalar(name: str, unit: str, values: Any, labels: Sequence[str] = ()) -> Column:
    """A quantity of one component."""
    return Column(name, unit, np.asarray(values), (name,), labels)


def vector(name: str, unit: str, values: Any, prefix: str = "") -> Column:
    """A quantity of one component along each axis, called `<prefix>x` and so on."""
    values = np.asarray(values)
    return Column(name, unit, values, tuple(f"{prefix}{axis}" for axis in AXES[: values.shape[1]]))


def turned(values: Any) -> Column:
    """Quaternions that turn body axes into inertial axes."""
    return Column("orientation", "", np.asarray(values), ("qw", "qx", "qy", "qz"))


def rotating(values: Any) -> Column:
    """Angular velocities: about z in 2-D, (n,), along the axes in 3-D, (n, 3)."""
    values = np.asarray(values)
    name, unit = "angular_velocity", "rad/s"
    return scalar(name, unit, values) if values.ndim == 1 else vector(name, unit, values, f"{name}_")


def energy_table(run: Run) -> Table:
    """The energy balance over the frames."""
    energy = run.energy
    found = {"kinetic": energy.kinetic, "potential": energy.potential, "total": energy.total,
             **{f"work of {name}": values for name, values in energy.work.items()},
             **{f"{name} corrections": values for name, values in energy.corrected.items()},
             "error": energy.error}
    return Table((*(scalar(name, "J", values) for name, values in found.items()),
                  scalar("relative error", "", energy.relative_error)))


def steps_table(run: Run) -> Table:
    """How the steps between the frames went."""
    units = {"smallest_step": "s", "largest_step": "s"}
    return Table(tuple(scalar(name, units.get(name, ""), values) for name, values in run.statistics.items()))


def in_space(vectors: Any) -> Any:
    """(n, 3) vectors, zero along what the plane does not have."""
    values = np.asarray(vectors)
    return np.pad(values, ((0, 0), (0, 3 - values.shape[1])))
