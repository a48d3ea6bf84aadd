"""The energy balance of rigid bodies: all that does work on its bodies, by name.

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


class Balance:
    """Work of each agent since the start, for a system whose tables hold the start."""

    def __init__(self, system: BodySystem) -> None:
        self.system = system
        weights = {load.name: load.numbers for load in system.loads if type(load.entry) is Gravity}
        self.names = agent_names([*(("load", name) for name in (*weights, *system.storing)), *system.working])
        self._gravity = np.array(list(weights.values())).reshape(-1, 3)
        self._at_start = self._potentials(system)

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
        masses: Floats = 1.0 / self.system.rows.tables.bodies[: len(self.system.rows.bodies), tables.MASS]
        return masses

    def work(self, y: Floats, system: BodySystem) -> Floats:
        """Work of each agent [J], in the order of `names`; the tables of the system hold the state y."""
        given_up: Floats = self._at_start - self._potentials(system)
        return np.concatenate([given_up, y[len(y) - len(self.system.working) :]])

    def _potentials(self, system: BodySystem) -> Floats:
        """Potential energy of each load that has one [J]."""
        own = system.rows.tables
        n = own.shape[tables.BODIES]
        moment = (own.bodies[:n, tables.X : tables.X + 3] / own.bodies[:n, tables.MASS, None]).sum(axis=0)
        held = own.figures[tables.FIGURES : len(own.figures) - len(self.system.working)]
        return np.concatenate([-self._gravity @ moment, held])
