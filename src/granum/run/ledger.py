"""The energy ledger: where the energy of a run is, and what every load and correction did to it."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats
from granum.integrate.corrections import CORRECTION_NAMES
from granum.model.loads import Force, Gravity, Spring
from granum.system import State, System
from granum.system.forces import kinetic_energy, spring_energy


def columns(system: System) -> list[str]:
    """Names of the columns: kinetic, potential, work of each load, what corrections added."""
    work = [f"work {name}" for name in system.scene.load]
    return ["kinetic", "potential", *work, *(f"corrected {name}" for name in CORRECTION_NAMES)]


class Ledger:
    """Entries of the ledger for any state of one run."""

    def __init__(self, system: System, start: State) -> None:
        self.system = system
        self._at_start = self._potentials(start)

    def entry(self, state: State) -> Floats:
        """One row [J]; work is counted from the start of the run."""
        potentials = self._potentials(state)
        work = self._at_start - potentials
        springs = [k for k, load in enumerate(self.system.scene.load.values()) if isinstance(load, Spring)]
        work[springs] += state.work
        kinetic = kinetic_energy(self.system.bodies, state.v)
        return np.concatenate([[kinetic, potentials.sum()], work, state.corrected])

    def _potentials(self, state: State) -> Floats:
        """Potential energy of each load [J]."""
        system, found, springs = self.system, [], 0
        mass = np.where(system.fixed, 0.0, system.bodies.mass)
        for load in system.scene.load.values():
            if isinstance(load, Gravity):
                found.append(-float(np.asarray(load.acceleration) @ (state.x @ mass)))
            elif isinstance(load, Force):
                body = system.body_rank[system.body_names.find(load.on)]
                found.append(-float(np.asarray(load.force) @ state.x[:, body]))
            else:
                found.append(float(spring_energy(system.loads, state.x, springs)))
                springs += 1
        return np.array(found, dtype=float)
