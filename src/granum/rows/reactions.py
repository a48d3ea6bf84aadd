"""Reactions of joints by name, from the multipliers of their rows: in every formulation and solver that has tables."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from granum.base.kernels import Floats
from granum.rows import tables
from granum.rows.joint import FIRST, FORCE, FRICTION, NORMAL, REACTIONS, TENSION
from granum.rows.redundancy import Redundancy, least_norm, norm_weights
from granum.rows.system import RowSystem


class JointReactions:
    """What the joints of a system do to their second bodies, in the state of its tables."""

    def __init__(self, rows: RowSystem, length: float) -> None:
        """length: by which moments are compared with forces where reactions are not unique [m]."""
        self.rows, self._length = rows, length
        listed = [(name, k, column) for k, joint in enumerate(rows.joints) for name, column in joint.labels]
        self.names = tuple(name for name, _, _ in listed)
        self._joints, self._columns = [k for _, k, _ in listed], [column for _, _, column in listed]

    def values(self, multiplier: Floats) -> Floats:
        """Reactions in the order of the names."""
        return self._table(multiplier)[self._joints, self._columns]

    def settled(self, multiplier: Floats, redundancy: Callable[[], Redundancy] | None) -> tuple[Floats, Floats]:
        """The same, of least norm where they are not unique, and whether each is unique (1.0).

        redundancy: finds the rows that restrain nothing new, where there are some.
        """
        least, unique = self.least(multiplier, redundancy)
        return self.values(least), unique

    def least(self, multiplier: Floats, redundancy: Callable[[], Redundancy] | None) -> tuple[Floats, Floats]:
        """Multipliers whose reactions have the least norm, and whether each reaction is unique (1.0)."""
        if redundancy is None:
            return multiplier, np.ones(len(self.names))
        return least_norm(redundancy().stresses, multiplier, self.values, norm_weights(self.names, self._length))

    def _table(self, multiplier: Floats) -> Floats:
        """(joints, 10): force and moment on the second body at its point, first multiplier, normal force, friction,
        tension of every joint.
        """
        rows, own = self.rows, self.rows.tables
        total = np.zeros((len(rows.joints), REACTIONS))
        if not len(multiplier):
            return total
        total[:, :FIRST] = rows.wrenches(multiplier, rows.slides)
        total[:, FIRST] = multiplier[rows.first[:-1]]
        total[:, TENSION] = -total[:, FIRST]
        total[:, NORMAL] = total[:, FIRST] * [joint.presses for joint in rows.joints]
        normal = np.zeros((len(total), 3))
        d, begin = rows.dimension, tables.J + rows.half
        normal[:, :d] = own.rows[rows.first[:-1], begin : begin + d]
        along = total[:, FORCE : FORCE + 3] - total[:, FIRST, None] * normal
        total[:, FRICTION] = np.linalg.norm(along, axis=1)
        return total
