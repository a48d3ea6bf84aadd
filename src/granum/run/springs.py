"""Springs over the frames of a run: one type for every run, computed from the recorded motion and energy balance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats
from granum.model.connections import Hinge
from granum.model.loads import Spring, TorsionSpring, damper
from granum.run.axes import hinge_angle
from granum.run.energy import Energy
from granum.run.reactions import Reactions


@dataclass(frozen=True, repr=False)
class SpringHistory:
    """What a spring with its damper does over the frames of a run.

    A spring between two bodies has `length`, `tension` and `force`, a torsion spring in a hinge `angle` and `torque`;
    both have `rate`, `work` and `damper_work`. What the other kind has is refused in words.
    """

    name: str
    quantities: dict[str, Floats]
    """All of it by name."""

    @property
    def length(self) -> Floats:
        """(frames,): distance of its ends [m]."""
        return self._quantity("length")

    @property
    def angle(self) -> Floats:
        """(frames,): angle of the hinge of a torsion spring, counted from the start [rad]."""
        return self._quantity("angle")

    @property
    def rate(self) -> Floats:
        """(frames,): rate of the length [m/s], or of the angle [rad/s]."""
        return self._quantity("rate")

    @property
    def tension(self) -> Floats:
        """(frames,): k (l - l₀) + c dl/dt, positive where it pulls [N]."""
        return self._quantity("tension")

    @property
    def torque(self) -> Floats:
        """(frames,): -k (φ - φ₀) - c dφ/dt of a torsion spring, on the second body of its hinge [N m]."""
        return self._quantity("torque")

    @property
    def force(self) -> Floats:
        """(frames, dimension): what it does to its second body [N]."""
        return self._quantity("force")

    @property
    def work(self) -> Floats:
        """(frames,): work of the spring since the start, which is the energy that it has given up [J]."""
        return self._quantity("work")

    @property
    def damper_work(self) -> Floats:
        """(frames,): work of its damper since the start, never positive [J]; zero without damping."""
        return self._quantity("damper_work")

    def _quantity(self, name: str) -> Floats:
        if name not in self.quantities:
            raise GranumError(f'"{self.name}" has no {name}. It has {", ".join(self.quantities)}.')
        return self.quantities[name]

    def __repr__(self) -> str:
        return f"<SpringHistory {self.name!r}: {', '.join(self.quantities)}; {len(self.rate)} frames>"


class Springs(Reactions):
    """Springs and the work of every agent, by name."""

    @property
    def energy(self) -> Energy:
        """The energy balance."""
        return Energy.recorded(self.energy_table(), self.metadata)

    def work(self, agent: str) -> Floats:
        """(frames,): work since the start of a load, a drive, a friction, or a damper such as `"shock damper"` [J].

        Where a load and a constraint share a name, they are `"load NAME"` and `"constraint NAME"`.
        """
        self.needs("energy_balance")
        work = self.energy.work
        if agent not in work:
            raise GranumError(f'There is no work of "{agent}" in this run. {did_you_mean(agent, work, "agent")}')
        return work[agent]

    def command(self, name: str) -> Floats:
        """(frames,): command of an actuator, such as `"motor.torque"`, that held until each frame.

        Commands that are formulas in the scene are not recorded.
        """
        known = self.metadata.get("commands", [])
        if name not in known:
            raise GranumError(f'There is no command "{name}" in this run. {did_you_mean(name, known, "command")}')
        return self._frames("command")[:, known.index(name)]

    def spring(self, name: str) -> SpringHistory:
        """Length, tension, force and work of a spring, or angle, torque and work of a torsion spring; see
        `SpringHistory`.
        """
        springs = {key: load for key, load in self.scene.load.items() if isinstance(load, Spring | TorsionSpring)}
        if name not in springs:
            raise GranumError(f'There is no spring "{name}". {did_you_mean(name, springs, "spring")}')
        entry = springs[name]
        quantities = self._stretched(entry) if isinstance(entry, Spring) else self._twisted(entry)
        if self.has.energy_balance:
            none = np.zeros(len(self.t))
            quantities["work"] = self._load_work(name) if entry.stiffness > 0.0 else none
            quantities["damper_work"] = self._load_work(damper(name)) if entry.damping > 0.0 else none
        return SpringHistory(name, quantities)

    def _load_work(self, agent: str) -> Floats:
        """Work of a load, which has its section in its name if a constraint is called the same."""
        work = self.energy.work
        return self.work(agent if agent in work else f"load {agent}")

    def _stretched(self, spring: Spring) -> dict[str, Floats]:
        """From the positions and velocities of both ends; a rest length that is left out is that of the start."""
        one, two = spring.between
        apart = self.position(two) - self.position(one)
        length = np.linalg.norm(apart, axis=1)
        along = np.divide(apart, length[:, None], out=np.zeros_like(apart), where=length[:, None] > 0.0)
        rate = np.einsum("fk,fk->f", along, self.velocity(two) - self.velocity(one))
        rest = length[0] if spring.rest_length is None else spring.rest_length
        tension = spring.stiffness * (length - rest) + spring.damping * rate
        return {"length": length, "rate": rate, "tension": tension, "force": -tension[:, None] * along}

    def _twisted(self, spring: TorsionSpring) -> dict[str, Floats]:
        """From the orientations and angular velocities of both bodies of the hinge."""
        hinge = self.scene.constraint[spring.hinge]
        assert isinstance(hinge, Hinge)
        angle, rate = hinge_angle(self, hinge)
        return {"angle": angle, "rate": rate,
                "torque": -spring.stiffness * (angle - spring.rest_angle) - spring.damping * rate}
