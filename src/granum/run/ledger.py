"""The energy balance of point masses and links: energies, the work of every load and damper, what corrections added."""

from __future__ import annotations

import numpy as np

from granum.assembly.points import PointState, PointSystem
from granum.assembly.points.forces import kinetic_energy, spring_energy
from granum.base.kernels import Floats
from granum.integrate.corrections import CORRECTION_NAMES
from granum.model.loads import Force, Gravity, Load, Spring, agent_names, damper
from granum.run.energy import energy_columns


def columns(system: PointSystem) -> list[str]:
    """Names of the columns: kinetic, potential, work of each load and damper, what corrections added."""
    loads = [("load", name) for name in system.scene.load]
    dampers = [("load", damper(name)) for name, load in system.scene.load.items() if _damps(load)]
    return energy_columns(agent_names([*loads, *dampers]), CORRECTION_NAMES)


def _damps(load: Load) -> bool:
    return isinstance(load, Spring) and load.damping > 0.0


class Ledger:
    """Rows of the energy balance for any state of one run."""

    def __init__(self, system: PointSystem, start: PointState) -> None:
        self.system, self._start = system, start
        self._at_start = self._potentials(start)

    def entry(self, state: PointState) -> Floats:
        """One row [J]; work is counted from the start of the run."""
        potentials = self._potentials(state)
        damping = [_damps(load) for load in self.system.scene.load.values() if isinstance(load, Spring)]
        kinetic = kinetic_energy(self.system.bodies, state.v)
        return np.concatenate([[kinetic, potentials.sum()], self._at_start - potentials,
                               state.work[np.array(damping, dtype=bool)], state.corrected])

    @property
    def unit(self) -> float:
        """Σ |F x| over constant forces and their axes, at the start [J]."""
        force = np.where(self.system.fixed, 0.0, self.system.loads.force)
        return float(np.abs(force * self._start.x).sum())

    def _potentials(self, state: PointState) -> Floats:
        """Potential energy of each load [J]."""
        system, potentials, springs = self.system, [], 0
        mass = np.where(system.fixed, 0.0, system.bodies.mass)
        for load in system.scene.load.values():
            if isinstance(load, Gravity):
                potentials.append(-float(np.asarray(load.acceleration) @ (state.x @ mass)))
            elif isinstance(load, Force):
                body = system.body_rank[system.body_names.find(load.on)]
                potentials.append(-float(np.asarray(load.force) @ state.x[:, body]))
            else:
                potentials.append(float(spring_energy(system.loads, state.x, springs)))
                springs += 1
        return np.array(potentials, dtype=float)
