"""The guard that ends a run which makes energy from no agent."""

from __future__ import annotations

from granum.base.errors import NotConvergedError
from granum.run.result import Run
from granum.run.warnings import remedy


class Guard:
    """Checks the energy of each new frame; keeps only the frames that matter, so that a check costs little."""

    def __init__(self, run: Run) -> None:
        self._run, self._kept = run, list(range(len(run.t) - 1))
        self.check()

    def check(self) -> None:
        """Refuse to go on from a frame most of whose energy no agent has supplied."""
        kept = [*self._kept, len(self._run.t) - 1]
        energy = self._run.energy_of(kept)
        if energy.exploded:
            raise NotConvergedError(
                f"at t = {self._run.t[-1]:g} s the kinetic energy is {energy.kinetic[-1]:.3g} J, of which "
                f"{energy.error[-1]:.3g} J came from no load, drive or contact: the computed motion is unstable; "
                f"{remedy(self._run.scene)}.")
        self._kept = [kept[k] for k in energy.extremes]
