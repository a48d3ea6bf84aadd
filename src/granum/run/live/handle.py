"""What can be read and changed of any running system; what a family of systems does not have is refused by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats
from granum.base.names import Names

if TYPE_CHECKING:
    from granum.run.live.compiled import CompiledController
    from granum.run.subject import Subject

APPLIED = "applied"
"""Name of the actuator by which forces are applied to bodies, and of the agent in the energy balance."""


class BodyState(NamedTuple):
    """Where a body is and how it moves."""

    position: Floats
    """Of its mass centre [m]."""
    velocity: Floats
    """[m/s]"""
    orientation: Floats | None = None
    """Unit quaternion in 3-D; None for a point, and in 2-D."""
    angle: float | None = None
    """In 2-D, counted through full turns [rad]; None for a point, and in 3-D."""
    angular_velocity: Floats | float | None = None
    """In inertial axes [rad/s]; one number in 2-D; None for a point."""


class JointState(NamedTuple):
    """What a hinge or slider measures since the start."""

    kind: str
    value: float
    """Angle [rad] or displacement [m]."""
    rate: float
    """[rad/s] or [m/s]"""

    @property
    def angle(self) -> float:
        """Angle of a hinge [rad]; in 3-D within ±π, unless an actuator or a spring counts it."""
        return self._as("hinge", "angle")

    @property
    def displacement(self) -> float:
        """Displacement of a slider [m]."""
        return self._as("slider", "displacement")

    def _as(self, kind: str, what: str) -> float:
        if self.kind != kind:
            raise GranumError(f"a {self.kind} has no {what}; read value, or its "
                              f"{'displacement' if kind == 'hinge' else 'angle'}.")
        return self.value


class Contact(NamedTuple):
    """A contact between two bodies, or between a body and a boundary."""

    names: tuple[str, str]
    normal: Floats
    """Unit vector from the second to the first."""
    force: Floats
    """On the first [N]."""


class Handle(ABC):
    """A running system as its user reads and changes it."""

    subject: Subject
    what: str
    """Such as "a scene of grains"."""

    @property
    @abstractmethod
    def bodies(self) -> Sequence[str]:
        """Names of the bodies."""

    @abstractmethod
    def body(self, name: str) -> BodyState:
        """State of a body."""

    def set_body(self, name: str, state: BodyState) -> None:
        """Give a body another state."""
        raise self._refused("setting the state of a body")

    def joint(self, name: str) -> JointState:
        """State of a hinge or slider."""
        raise self._refused("a hinge or slider")

    def coordinate(self, name: str) -> tuple[float, float]:
        """A coordinate and its rate."""
        raise self._refused("a coordinate of [system]")

    def set_coordinates(self, values: dict[str, float]) -> None:
        """Give coordinates and rates (`x_dot`) other values."""
        raise self._refused("a coordinate of [system]")

    def reaction(self, name: str) -> dict[str, float]:
        """Reactions of a link, joint or constraint, by name."""
        names, (values, _) = self.subject.reaction_names or (), self.subject.reaction_values()
        if isinstance(names, Names) and (number := names.find(name)) is not None:
            return {name: float(values[number])}
        found = {own: float(value) for own, value in zip(names, values, strict=True)
                 if own == name or own.startswith(f"{name}.")}
        if not found:
            find(name, list(dict.fromkeys(own.partition(".")[0] for own in names)), "link, joint or constraint")
        return found

    def not_unique(self) -> tuple[str, ...]:
        """Names of the reactions that the joints leave open: they are given with the least norm."""
        names, (_, unique) = self.subject.reaction_names or (), self.subject.reaction_values()
        return tuple(name for name, one in zip(names, unique, strict=True) if not one)

    def contacts(self) -> list[Contact]:
        """Contacts with their forces in the last step."""
        raise self._refused("contacts that open and close")

    def contact_force(self, name: str) -> Floats:
        """Sum of the contact forces on a body, grain or boundary in the last step [N]."""
        raise self._refused("contacts that open and close")

    def passed(self, probe: str) -> tuple[int, float]:
        """Grains that a flow probe has counted since the start, and their mass [kg]."""
        raise self._refused("flow probes")

    def add(self, group: str, positions: Floats, radii: Floats, velocity: Floats) -> list[str]:
        """Put grains in, and return their names."""
        raise self._refused("grains")

    def remove(self, names: Sequence[str]) -> None:
        """Take grains or bodies out."""
        raise self._refused("grains")

    def apply(self, name: str, force: Floats, torque: Floats) -> None:
        """Let a force and a torque (3,) act on a body at its mass centre, until they are changed."""
        raise self._refused("applied forces")

    def install(self, controller: CompiledController) -> None:
        """Let a compiled controller command the actuators."""
        raise GranumError(f"this is {self.what}, which takes no compiled controller. Give the command as a formula in "
                          "the scene, or a controller of Python.")

    def applied(self) -> list[Floats]:
        """Applied forces that are not among the inputs, for a snapshot."""
        return []

    def restore_applied(self, arrays: Sequence[Floats]) -> None:  # noqa: B027 (most have none)
        """Let them act again."""

    @abstractmethod
    def book(self, energy: float) -> None:
        """Enter energy that setting a state has added into the balance, as work of `applied` [J]."""

    def _refused(self, what: str) -> GranumError:
        return GranumError(f"this is {self.what}, which does not have {what}.")


def named(name: object, what: str) -> str:
    """A name; refuses what is not a string."""
    if not isinstance(name, str):
        raise GranumError(f"found {shown(name)} as the name of a {what}, but names are strings.")
    return name


def find(name: str, known: Sequence[str], what: str) -> None:
    """Refuse a name that is not there."""
    if named(name, what) not in known:
        raise GranumError(f'there is no {what} "{name:.80}". {did_you_mean(name, known, what)}')


def numbers(values: object, what: str) -> Floats:
    """An array of finite numbers; refuses strings, booleans, lists of lists of different lengths and other objects."""
    try:
        given = np.asarray(values)
        if given.dtype.kind == "O" and all(isinstance(one, Real) and not isinstance(one, bool) for one in given.flat):
            given = given.astype(float)  # whole numbers of any length, fractions
    except (TypeError, ValueError, OverflowError):
        given = np.array(None)
    if given.dtype.kind not in "iuf":
        raise GranumError(f"found {shown(values)} for {what}, but it takes numbers.")
    found = given.astype(float)
    if not np.isfinite(found).all():
        raise GranumError(f"found {shown(found.tolist())} for {what}, but numbers must be finite.")
    return found


def number(value: object, what: str) -> float:
    """One finite number."""
    found = numbers(value, what)
    if found.shape:
        raise GranumError(f"found {shown(value)} for {what}, but it takes one number.")
    return float(found)


def three(values: object, dimension: int, what: str) -> Floats:
    """Three components of a finite vector of a scene."""
    vector = np.atleast_1d(numbers(values, what))
    if vector.shape != (dimension,):
        raise GranumError(f"found {shown(vector.tolist())} for {what}, but in {dimension}-D it has {dimension} "
                          "components.")
    return np.array([*vector, 0.0][:3])


def shown(value: object) -> str:
    """What a user gave, in a message: not more than fits in a line."""
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."


LONGEST = 80
"""Characters of a value in a message."""
