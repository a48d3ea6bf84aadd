"""Columns and tables: quantities with names and units, the same for every format a run is exported to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from granum.base.kernels import Floats

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


@dataclass(frozen=True)
class Table:
    """Rows that belong together."""

    columns: tuple[Column, ...]
    names: Sequence[str] | None = None
    """Of the rows, where they are the same in every frame; None where grains enter and leave."""
    ends: Floats | None = None
    """(rows, 2, 3): ends of the lines that the rows are, where they are lines [m]."""

    def __len__(self) -> int:
        return len(self.columns[0].values)

    def __getitem__(self, name: Any) -> Any:
        """Values of a column by its name."""
        return next(column.values for column in self.columns if column.name == name)


Tables = dict[str, Table]
Tell = Callable[[int], None]
"""Called with the number of frames that are written."""


def scalar(name: str, unit: str, values: Any, labels: Sequence[str] = ()) -> Column:
    """A quantity of one component."""
    return Column(name, unit, np.asarray(values), (name,), labels)


def scalars(values: Mapping[str, Any], units: Mapping[str, str] | None = None) -> Table:
    """A table of quantities of one component each, by name."""
    return Table(tuple(scalar(name, (units or {}).get(name, ""), value) for name, value in values.items()))


def vector(name: str, unit: str, values: Any, prefix: str = "") -> Column:
    """A quantity of one component along each axis, called `<prefix>x` and so on."""
    values = np.asarray(values)
    return Column(name, unit, values, tuple(f"{prefix}{axis}" for axis in AXES[: values.shape[1]]))


def orientation(values: Any) -> Column:
    """Quaternions that rotate body axes into inertial axes."""
    return Column("orientation", "", np.asarray(values), ("qw", "qx", "qy", "qz"))


def angular_velocity(values: Any) -> Column:
    """Angular velocities: about z in 2-D, (n,), along the axes in 3-D, (n, 3)."""
    values = np.asarray(values)
    name, unit = "angular_velocity", "rad/s"
    return scalar(name, unit, values) if values.ndim == 1 else vector(name, unit, values, f"{name}_")
