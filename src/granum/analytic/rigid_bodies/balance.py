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
from granum.loads import force
from granum.loads.load import BodyLoad
from granum.model.loads import Force, Gravity, Spring, TorsionSpring, agent_names
from granum.rows import tables


class Balance:
    """Work of each agent since the start, for a system whose tables hold the start."""

    def __init__(self, system: BodySystem) -> None:
        self.system = system
        self.names = agent_names([*storing(system.loads, system.expressed.stores), *system.working])
        self._gravity = np.array([load.numbers for load in system.loads if type(load.entry) is Gravity]
                                 ).reshape(-1, 3)
        self._at_start = self._potentials()

    @cached_property
    def unit(self) -> float:
        """Σ |m g x| + Σ |F x| over axes, at the start [J]: the terms that the potential energy is made of."""
        rows, loads, d = self.system.rows, self.system.model.loads, self.system.rows.dimension
        positions = self.system.y0[: len(rows.bodies) * rows.stride].reshape(-1, rows.stride)[:, :d]
        masses = 1.0 / rows.tables.bodies[: len(positions), tables.MASS]
        weights = masses[:, None] * loads.gravity[:d]
        pushed = loads.force[:, force.FORCE : force.FORCE + d] * positions[loads.force_body]
        return float(np.abs(weights * positions).sum() + np.abs(pushed).sum())

    def work(self, y: Floats) -> Floats:
        """Work of each agent [J], in the order of `names`; the tables hold the state y."""
        given_up: Floats = self._at_start - self._potentials()
        return np.concatenate([given_up, y[len(y) - len(self.system.working) :]])

    def _potentials(self) -> Floats:
        """Potential energy of each load that has one [J]."""
        own = self.system.rows.tables
        n = own.shape[tables.BODIES]
        moment = (own.bodies[:n, tables.X : tables.X + 3] / own.bodies[:n, tables.MASS, None]).sum(axis=0)
        held = own.figures[tables.FIGURES : len(own.figures) - len(self.system.working)]
        return np.concatenate([-self._gravity @ moment, held])


def storing(loads: list[BodyLoad], expressed: list[str]) -> list[tuple[str, str]]:
    """Section and name of each load with a potential energy: gravity first, then in the order of the figures."""
    kinds = Gravity, Force, Spring, TorsionSpring
    return [("load", name) for name in (
        *(load.name for kind in kinds for load in loads if type(load.entry) is kind), *expressed)]
