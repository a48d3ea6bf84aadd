"""Actions: numbers that become commands of actuators and rates of drives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats
from granum.run.simulation import Simulation

Bounds: TypeAlias = tuple[float, float]


class Command(NamedTuple):
    """What one number of an action commands."""

    name: str
    """Of the actuator or drive."""
    key: str | None
    """What is commanded, such as `force`; None for the rate of a drive."""
    bounds: Bounds


def commands_of(sim: Simulation, act: Sequence[str] | Mapping[str, Bounds]) -> list[Command]:
    """What actions command, with bounds; those of torques and forces default to the limit of the actuator."""
    given = dict(act) if isinstance(act, Mapping) else dict.fromkeys(act)
    if not given:
        raise GranumError("act: found no names, but an action commands at least one actuator or drive.")
    return [_command(sim, name, bounds) for name, bounds in given.items()]


def _command(sim: Simulation, name: str, bounds: Bounds | None) -> Command:
    entry = sim.scene.actuator.get(name)
    if entry is None:
        drives = list(sim.scene.drives)
        if name not in drives:
            known = [*(own for own, entry in sim.scene.actuator.items() if entry.kind != "applied"), *drives]
            raise GranumError(f'act: there is no actuator or drive "{name}". '
                              f'{did_you_mean(name, known, "actuator or drive")}')
        if bounds is None:
            raise GranumError(f'act: the drive "{name}" has no bounds. Give those of its rate: '
                              f'act = {{"{name}": (-1.0, 1.0)}}.')
        return Command(name, None, _ordered(name, bounds))
    if f"{name}.{entry.kind}" not in sim.commands:
        raise GranumError(f'act: actuator "{name}" does not take one number as a command: it follows a formula, or has '
                          "several components. Give each component an actuator of its own, with a number.")
    if bounds is None and (entry.limit is None or entry.kind not in ("torque", "force")):
        raise GranumError(f'act: the {entry.kind} of actuator "{name}" has no bounds. Give them: '
                          f'act = {{"{name}": (-1.0, 1.0)}}.')
    limit = entry.limit or 0.0
    return Command(name, entry.kind, _ordered(name, bounds or (-limit, limit)))


def _ordered(name: str, bounds: Bounds) -> Bounds:
    low, high = map(float, bounds)
    if not low < high:
        raise GranumError(f"act: found the bounds {low:g} and {high:g} of {name}, but the first must be the lower one.")
    return low, high


def give(sim: Simulation, commands: Sequence[Command], values: Floats) -> None:
    """Give the commands of an action, each within its bounds."""
    for (name, key, (low, high)), given in zip(commands, values.tolist(), strict=True):
        value = min(max(given, low), high) if given == given else given  # what is not a number is refused below
        if key is None:
            sim.drive(name, value)
        else:
            sim.actuate(name, **{key: value})
