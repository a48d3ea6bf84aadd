"""Energy from no agent: the end of a run that makes it, and the warning where it is no longer small."""

from __future__ import annotations

import numpy as np

from granum.base.errors import NotConvergedError
from granum.model.scene import Scene
from granum.run.energy import WARNING
from granum.run.result import Run


class Guard:
    """Looks at the energy of each new frame; keeps only the frames that matter, so that a look costs little."""

    def __init__(self, run: Run) -> None:
        self._run, self._kept = run, list(range(len(run.t) - 1))
        self.look()

    def look(self) -> None:
        """Refuse to go on from a frame most of whose energy no agent has supplied."""
        kept = [*self._kept, len(self._run.t) - 1]
        energy = self._run.energy_of(kept)
        if energy.exploded:
            raise NotConvergedError(
                f"at t = {self._run.t[-1]:g} s the kinetic energy is {energy.kinetic[-1]:.3g} J, of which "
                f"{energy.error[-1]:.3g} J came from no load, drive or contact: the computed motion is unstable; "
                f"{remedy(self._run.scene)}.")
        self._kept = [kept[k] for k in energy.extremes]


def energy_warnings(run: Run) -> list[str]:
    """What the reader of a run with an energy error of 1 % or more must know."""
    energy = run.energy
    if energy.largest_error < WARNING:
        return []
    worst = int(np.abs(energy.error).argmax())
    return [f"Energy balance error {energy.error[worst]:+.3g} J at t = {run.t[worst]:g} s, {energy.largest_error:.1%} "
            f"of {energy.scale[-1]:.3g} J: no load, drive or contact explains it; {remedy(run.scene)}."]


def remedy(scene: Scene) -> str:
    """What makes the energy error of a run of this scene smaller, to follow on a colon."""
    settings = scene.run
    if settings.solver in ("dop853", "adams"):
        return f"take a tolerance smaller than {settings.tolerance:g}"
    if settings.solver == "events":
        return "check the start for grains that overlap, and loads that change within a flight"
    if scene.has_grains:
        return "take a smaller step" if settings.solver == "soft" else "take a smaller tolerance or a smaller step"
    return 'take a smaller step, or solver = "dop853"'
