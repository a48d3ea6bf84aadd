"""What does work on rigid bodies, by name, and what it holds and has done.

Gravity, constant forces and springs do the work that their potential energy gives up. The work of torques, dampers,
drives and sliding friction is integrated along with the motion; it stands behind the bodies in the state, in that
order.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from granum.analytic.rigid_bodies.system import BodySystem
from granum.base.kernels import Floats
from granum.model.loads import Force, Gravity, agent_names
from granum.rows import tables
from granum.state.table import IM, X, Z


class Agents:
    """All that does work on the bodies of a system: those that hold potential energy, then those whose work is
    integrated.
    """

    def __init__(self, system: BodySystem) -> None:
        self.system = system
        weights = {load.name: load.numbers for load in system.loads if type(load.entry) is Gravity}
        self.names = agent_names([*(("load", name) for name in (*weights, *system.storing)), *system.working])
        self._gravity = np.array(list(weights.values())).reshape(-1, 3)

    @cached_property
    def unit(self) -> float:
        """Σ |m g x| + Σ |F x| over axes, at the start [J]: the terms that the potential energy is made of."""
        positions, masses = self._positions, self._masses
        weights = masses[:, None] * self.system.model.loads.gravity[: positions.shape[1]]
        pushed = np.array([np.abs(load.entry.force * positions[load.ends[0].body.index]) for load in self.system.loads
                           if type(load.entry) is Force])
        return float(np.abs(weights * positions).sum() + pushed.sum())

    @property
    def mass(self) -> float:
        """Of all bodies [kg]."""
        return float(self._masses.sum())

    @property
    def extent(self) -> float:
        """Largest distance between mass centres along an axis, at the start [m]."""
        return float(np.ptp(self._positions, axis=0).max())

    @property
    def _positions(self) -> Floats:
        rows = self.system.rows
        at_start = self.system.y0[: len(rows.bodies) * rows.stride]
        return at_start.reshape(-1, rows.stride)[:, : rows.dimension]

    @property
    def _masses(self) -> Floats:
        masses: Floats = 1.0 / self.system.rows.tables.bodies.motion[: len(self.system.rows.bodies), IM]
        return masses

    def held(self, system: BodySystem) -> Floats:
        """Potential energy of each agent [J], for the state in the tables of a system; zero for those that have none.

        system: that of the start, or one of the same bodies with links that have opened.
        """
        own = system.rows.tables
        n, working = own.shape[tables.BODIES], len(self.system.working)
        moment = (own.bodies.pose[:n, X : Z + 1] / own.bodies.motion[:n, IM, None]).sum(axis=0)
        stored = own.figures[tables.FIGURES : len(own.figures) - working]
        return np.concatenate([-self._gravity @ moment, stored, np.zeros(working)])

    def done(self, y: Floats) -> Floats:
        """Work of each agent that is integrated, from a state [J]; zero for the others."""
        working = len(self.system.working)
        return np.concatenate([np.zeros(len(self.names) - working), y[len(y) - working :]])
