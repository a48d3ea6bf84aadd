"""The energy balance of a run: kinetic and potential energy, the work of every agent, and what none explains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from granum.base.kernels import Floats

ROUND_OFF = 1e-12
"""Part of the potential energy that counts as exchanged where nothing is: differences below it are rounding errors."""
RESTING = 1e-9
"""Part of Σ |Q q|, the applied forces times the coordinates at the start, that counts as exchanged by a system at rest:
the potential energy that a relative error of 1e-9 in the coordinates makes."""
NOTICEABLE = 1e-3
"""Part of the same sum below which energy from no agent does not end a run: frames may all fall on moments of rest."""
SLOWEST = 1e-6
"""Part of its own size that a system covers during a run if it moves at all: energy of slower motion is rounding error,
and does not end a run whatever its scale."""
LIFT = 0.1
"""Part of the energy that lifts every grain by its radius, which counts as exchanged by grains at rest."""
WARNING = 0.01
"""Relative error from which a run warns."""
GROWN = 0.5
"""Part of the largest energy of a run which, coming from no agent and found as kinetic energy, ends the run."""

_WORK, _CORRECTED = "work ", "corrected "
"""How the names of columns begin that hold the work of an agent, or what a correction added."""


def work_of(agent: str) -> str:
    """Name of the column with the work of an agent."""
    return f"{_WORK}{agent}"


def energy_at_rest(mass: float, size: float, duration: float) -> float:
    """Kinetic energy of a mass that covers SLOWEST of the size of its system in the duration of a run [J]."""
    return 0.5 * mass * (SLOWEST * size / duration) ** 2


class Energies(NamedTuple):
    """What a system says of its energy at one time [J]; its agents are those of its `Ledger`, in their order."""

    kinetic: float
    potential: float
    held: Floats
    """Potential energy of each agent that has one: gravity, springs, constant forces. Others have zero."""
    done: Floats
    """Work of each agent that is added up along the motion: dampers, drives, friction, impacts. Others have zero."""
    corrected: Floats | tuple[()] = ()
    """What each kind of correction of the integrator has added."""


class Ledger:
    """The energy balance of one run as it is recorded: kinetic and potential energy, and the work of every agent since
    the start, whatever is simulated.
    """

    def __init__(self, agents: Iterable[str], held: Floats, *, corrections: Iterable[str] = (), unit: float = 0.0,
                 floor: float = 0.0) -> None:
        """Open the books.

        Args:
            agents: names of all that does work.
            held: potential energy of each of them at the start, see `Energies` [J].
            corrections: kinds of corrections of the integrator.
            unit: Σ |Q q| over the applied forces and the coordinates at the start [J]: a scale where nothing moves.
            floor: kinetic energy that counts as rest [J]; see `energy_at_rest`.
        """
        self.agents, self._start, self.unit, self.floor = list(agents), np.asarray(held, dtype=float), unit, floor
        self.columns = ["kinetic", "potential", *map(work_of, self.agents),
                        *(f"{_CORRECTED}{name}" for name in corrections)]
        self.booked = 0.0
        """Energy that a user has added by setting states [J]: work of `applied`."""

    def row(self, now: Energies, applied: str) -> Floats:
        """One row of the balance [J]; `applied` is the agent that booked energy is of."""
        work = self._start - now.held + now.done
        if self.booked:
            work[self.agents.index(applied)] += self.booked
        return np.array([now.kinetic, now.potential, *work, *now.corrected], dtype=float)


@dataclass(frozen=True, repr=False)
class Energy:
    """Energies over the frames of a run [J].

    Kinetic energy changes by the work of agents: gravity, springs, dampers, forces, drives, impacts, friction, grains
    that enter and leave. All else is error: position corrections, work of ideal joints, truncation of the integrator,
    contact problems that were solved only in part.
    """

    kinetic: Floats
    potential: Floats
    """Of gravity and of all springs."""
    work: dict[str, Floats]
    """Work of each agent since the start, by name; that of gravity and springs is what they have given up."""
    corrected: dict[str, Floats] = field(default_factory=dict)
    """The part of the error that each kind of correction of the integrator made, where that is known."""
    least: float = 0.0
    """Energy that counts as exchanged at least."""
    noticeable: float = 0.0
    """Error up to which a run goes on, whatever its scale."""
    complete: bool = True
    """Is the work of every agent known? If not, the error of the balance is not known either: NaN."""

    @classmethod
    def recorded(cls, table: Floats, metadata: Mapping[str, Any]) -> Energy:
        """The balance from rows of a table of energies, that of the first frame being the first of them.

        Of the metadata of a run, `energy_columns` names the columns, `energy_unit` is Σ |Q q| over applied forces and
        coordinates at the start [J], `lift` Σ m g r over the grains at the start [J], and `energy_floor` the kinetic
        energy of what counts as rest (see `energy_at_rest`). `energy_balance` says whether the work of every agent is
        among them.
        """
        unit, lift = metadata["energy_unit"], metadata.get("lift", 0.0)
        named = {name: table[:, k] for k, name in enumerate(metadata["energy_columns"])}
        work, corrected = ({name.removeprefix(kind): column for name, column in named.items() if name.startswith(kind)}
                           for kind in (_WORK, _CORRECTED))
        return cls(named["kinetic"], named["potential"], work, corrected, RESTING * unit + LIFT * lift,
                   max(NOTICEABLE * unit, metadata.get("energy_floor", 0.0)), metadata.get("energy_balance", True))

    def __repr__(self) -> str:
        if not len(self.kinetic):
            return "<Energy: no frame yet>"
        error = f"{self.largest_error:.1e}" if self.complete else "not known"
        return (f"<Energy: {self.total[0]:.6g} J at the start, {self.total[-1]:.6g} J at the end, relative error "
                f"{error}; work of {', '.join(self.work) or 'no agent'}>")

    @property
    def total(self) -> Floats:
        """Kinetic plus potential."""
        return self.kinetic + self.potential

    @property
    def error(self) -> Floats:
        """Energy that no agent supplied (positive) or took; NaN where not all work is known."""
        if not self.complete:
            return np.full_like(self.kinetic, np.nan)
        gained = self.kinetic - self.kinetic[0]
        error: Floats = gained - sum(self.work.values(), np.zeros_like(gained))
        return error

    @property
    def _scales(self) -> dict[str, Floats]:
        """What the error may be relative to, in the frames so far, by name.

        Work is that of one agent since the start. Energy that a motor supplies and friction takes is never stored, but
        went through the system and its error with it.
        """
        V = self.potential
        least = max(self.least, ROUND_OFF * float(np.abs(V).max(initial=0.0)))
        return {"kinetic energy": np.maximum.accumulate(self.kinetic),
                "potential energy exchanged": np.maximum.accumulate(V) - np.minimum.accumulate(V),
                **{f"work of {name}": np.maximum.accumulate(np.abs(work)) for name, work in self.work.items()},
                "energy of a system at rest": np.full_like(V, least)}

    @property
    def scale(self) -> Floats:
        """The largest of kinetic energy, exchanged potential energy and work of an agent in the frames so far."""
        scale: Floats = np.max(list(self._scales.values()), axis=0)
        return scale

    @property
    def scale_name(self) -> str:
        """Which of these the scale of the whole run is."""
        return max(((name, scale[-1]) for name, scale in self._scales.items()), key=lambda pair: float(pair[1]))[0]

    @property
    def relative_error(self) -> Floats:
        """The error in parts of the scale so far; zero where nothing has moved."""
        return self.relative(self.error)

    def relative(self, energy: Floats) -> Floats:
        """Energies of the frames in parts of the scale so far; zero where nothing has moved."""
        scale = self.scale
        return np.divide(energy, scale, out=np.zeros_like(scale), where=scale > 0.0)

    @property
    def largest_error(self) -> float:
        """The largest error of the run in parts of its scale."""
        scale = float(self.scale[-1]) if len(self.kinetic) else 0.0
        return float(np.abs(self.error).max()) / scale if scale else 0.0

    @property
    def summary(self) -> dict[str, Any]:
        """Energies at both ends, works, the largest error (None where it is not known), its scale [J] and what that
        is, and the corrections known to be in it.
        """
        return {
            "start": float(self.total[0]), "end": float(self.total[-1]),
            "work": {name: float(work[-1]) for name, work in self.work.items()},
            "error": float(np.abs(self.error).max()) if self.complete else None, "scale": float(self.scale[-1]),
            "scale_name": self.scale_name,
            "relative_error": self.largest_error if self.complete else None,
            "corrected": {name: float(added[-1]) for name, added in self.corrected.items()},
        }

    @property
    def exploded(self) -> bool:
        """Is most of the energy in the last frame motion that no agent has supplied?"""
        limit = max(GROWN * float(self.scale[-1]), self.noticeable)
        return bool(self.error[-1] > limit and self.kinetic[-1] > limit > 0.0)

    @property
    def extremes(self) -> list[int]:
        """The frames that decide whether a later one has exploded: the first, and those of the largest energies."""
        return sorted({0, int(self.kinetic.argmax()), int(self.potential.argmax()), int(self.potential.argmin()),
                       *(int(np.abs(work).argmax()) for work in self.work.values())})
