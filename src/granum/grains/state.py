"""The state of grains: structures of arrays, one cache line per grain for the contact solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from granum.base.kernels import Flags, Floats, Ints
from granum.state.table import IM, KM, SX, R

Int32s = NDArray[np.int32]
Indices = NDArray[np.uint32]
"""Numbers of rows that kernels jump to: without a sign, so that no code asks whether to count from the end."""

FIRST, SECOND = 0, 1
"""Columns of pairs of grains or bodies; the second of a contact with a boundary element e is -1 - e."""


@dataclass
class Grains:
    """All grains that are there now; rows are in the order that suits the solver, `number` says who is who."""

    t: float
    x: Floats
    """(count, 4): centre and radius [m]."""
    v: Floats
    """(count, 8): velocity, 1/m, r ω, κ/m."""
    material: Int32s
    """(count,): number of the material."""
    number: Ints
    """(count,): number of the grain, never given twice in a run."""
    group: Int32s
    """(count,): body, pattern or source it belongs to."""
    local_orientation: Floats = field(default_factory=lambda: np.zeros((0, 0)), kw_only=True)
    """(count, 1): angle [rad], counted through full turns, in 2-D; (count, 4): unit quaternion in 3-D; without
    columns where nobody asks. Of a part of a body: in the axes of the body."""

    def __post_init__(self) -> None:
        if not self.local_orientation.size:
            self.local_orientation = self.local_orientation.reshape(len(self.x), self.local_orientation.shape[1])

    @property
    def count(self) -> int:
        """How many grains there are."""
        return len(self.x)

    @property
    def mass(self) -> Floats:
        """Masses [kg]."""
        mass: Floats = 1.0 / self.v[:, IM]
        return mass

    @property
    def inertia(self) -> Floats:
        """Moments of inertia I = r²/(κ/m) [kg m²]; infinite for grains that do not rotate."""
        inertia = np.full(self.count, np.inf)
        np.divide(self.x[:, R] ** 2, self.v[:, KM], out=inertia, where=self.v[:, KM] > 0.0)
        return inertia

    @property
    def angular_velocity(self) -> Floats:
        """(count, 3) ω = s/r [rad/s]."""
        omega: Floats = self.v[:, SX:KM] / self.x[:, R:]
        return omega

    @property
    def orientation(self) -> Floats:
        """(count, 1): angles [rad], counted through full turns, or (count, 4): unit quaternions."""
        return self.local_orientation

    def kinetic_energy(self) -> float:
        """½ m v² + ½ I ω² = ½ m v² + ½ s²/(κ/m) [J]."""
        rotation = np.zeros(self.count)
        np.divide(np.sum(self.v[:, SX:KM] ** 2, axis=1), self.v[:, KM], out=rotation, where=self.v[:, KM] > 0.0)
        return float(0.5 * np.sum(np.sum(self.v[:, :IM] ** 2, axis=1) / self.v[:, IM] + rotation))

    def launch(self, rows: Ints, velocity: Floats) -> None:
        """Give what `owners` has in some rows velocities (n, 3) [m/s]."""
        self.v[rows, :IM] = velocity

    def rotate(self, rows: Ints, omega: Floats) -> None:
        """Give what `owners` has in some rows angular velocities (n, 3) [rad/s]."""
        self.v[rows, SX:KM] = self.x[rows, R:] * omega

    def face(self, rows: Ints, orientation: Floats) -> None:
        """Give what `owners` has in some rows angles (n, 1) or quaternions (n, 4)."""
        self.local_orientation[rows] = orientation

    def moment(self) -> Floats:
        """(3,) Σ m x [kg m]."""
        moment: Floats = np.sum(self.x[:, :3] / self.v[:, IM : IM + 1], axis=0)
        return moment

    @property
    def positions(self) -> Floats:
        """(count, 3): of what decides whether each is in a region: the centre [m]."""
        positions: Floats = self.x[:, :3]
        return positions

    def counted(self) -> tuple[Ints, Floats, Floats]:
        """Numbers, positions [m] and masses [kg] of what is counted when it passes a section."""
        return self.number, self.positions, self.mass

    def owner(self, row: int) -> tuple[int, int]:
        """Group and number of what the grain in a row is, or is part of."""
        return int(self.group[row]), int(self.number[row])

    def owners(self) -> tuple[Int32s, Ints]:
        """Groups and numbers of all that has a name."""
        return self.group, self.number

    def joined(self, lower: Int32s, upper: Int32s) -> Flags | None:
        """Which pairs of rows are parts of one body and do not touch each other; None where there are no parts."""
        return None

    def permute(self, order: Ints) -> None:
        """Put the grains into another order, or keep some of them."""
        self.x, self.v, self.local_orientation = self.x[order], self.v[order], self.local_orientation[order]
        self.material, self.number, self.group = self.material[order], self.number[order], self.group[order]

    def append(self, *others: Grains) -> None:
        """Add grains."""
        extend(self, ("x", "v", "local_orientation", "material", "number", "group"), others)


def extend(owner: Any, fields: Sequence[str], others: Sequence[Any]) -> None:
    """Add the rows of others to the arrays of an owner, which takes over the arrays of another if it has no rows."""
    for name in fields:
        own, added = getattr(owner, name), [array for other in others if len(array := getattr(other, name))]
        if added:
            setattr(owner, name, added[0] if len(added) == 1 and not len(own) else np.concatenate([own, *added]))
