"""What can be read and changed of any running system, in one way."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from granum.base.arguments import shown
from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats
from granum.base.names import Names
from granum.model.body_entries import FixedPoint
from granum.model.probes import FlowProbe
from granum.rows.symbolic import rate_name
from granum.run.control.live_system import BodyState, Violation

if TYPE_CHECKING:
    from granum.run.control.compiled import CompiledController
    from granum.run.control.joints import JointReader
    from granum.run.control.population import Population
    from granum.run.subject import Subject

APPLIED = "applied"
"""Name of the actuator by which forces are applied to bodies, and of the agent in the energy balance."""


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
        return self._as("hinge", "angle", "displacement")

    @property
    def displacement(self) -> float:
        """Displacement of a slider [m]."""
        return self._as("slider", "displacement", "angle")

    def _as(self, kind: str, what: str, other: str) -> float:
        if self.kind != kind:
            raise GranumError(f"a {self.kind} has no {what}; read value, or its {other}.")
        return self.value


class Contact(NamedTuple):
    """A contact between two bodies, or between a body and a boundary."""

    names: tuple[str, str]
    normal: Floats
    """Unit vector from the second to the first."""
    force: Floats
    """On the first [N]."""


class Handle:
    """A running system as its user reads and changes it, whatever solves it.

    What kinds of systems differ in is asked of the `LiveSystem`; of its `Subject`, reactions, energies, and the
    `Population` of grains that touch, enter and leave. What a kind does not have is refused by name.
    """

    def __init__(self, subject: Subject) -> None:
        self.subject, self.system, self.scene = subject, subject.system, subject.scene
        self._struck = 0.0
        """Work of impacts that a change of the state has caused [J]: it is booked already."""

    # ---- bodies

    @property
    def bodies(self) -> Sequence[str]:
        """Names of all bodies, fixed points and grains included."""
        return self.system.body_names

    def body(self, name: str) -> BodyState:
        """State of a body."""
        state = self.system.body_state(name)
        if state is not None:
            return state
        if isinstance(point := self.scene.body.get(name), FixedPoint):
            return BodyState(np.array(point.position, dtype=float), np.zeros(len(point.position)))
        find(name, self.bodies, "body")
        raise AssertionError

    def _refuse_fixed(self, name: str) -> None:
        self.body(name)
        if self.system.is_fixed(name):
            raise GranumError(f'"{name}" is a fixed point, which neither moves nor feels a force. Name a body with '
                              "mass.")

    def set_body(self, name: str, state: BodyState) -> None:
        """Give a body another state, if links and joints allow it."""
        self._refuse_fixed(name)
        self._refuse_violation(self.system.move(name, state))
        if (one_sided := self.system.one_sided) is not None:
            before = float(one_sided.work.sum())
            one_sided.close_touching(one_sided.closed)
            self._struck = float(one_sided.work.sum()) - before

    def _refuse_violation(self, violation: Violation | None) -> None:
        if violation is not None:
            raise GranumError(f'"{violation.name}" does not allow this: {violation.text}. Give a state that fits all '
                              "links and joints, or move it by actuators and drives.")

    def apply(self, name: str, force: Floats, torque: Floats) -> None:
        """Let a force and a torque (3,) act on a body at its mass centre, until they are changed."""
        if name in self.scene.system.coordinates:
            self.system.inputs.set({f"{self.scene.applied}.{name}.force": float(force[0])})
            return
        self._refuse_fixed(name)
        self.system.push(name, force, torque)

    def book(self, energy: float) -> None:
        """Enter energy that setting a state has added into the balance, as work of `applied` [J]."""
        self.subject.ledger.booked += energy - self._struck
        self._struck = 0.0

    # ---- coordinates

    def coordinate(self, name: str) -> tuple[float, float]:
        """A coordinate and its rate."""
        find(name, self.system.coordinates, "coordinate")
        return self.system.coordinate(name)

    def set_coordinates(self, values: dict[str, float]) -> None:
        """Give coordinates and rates (`x_dot`) other values."""
        names = self.system.coordinates
        for name in values:
            find(name, [*names, *map(rate_name, names)], "coordinate or rate")
        self._refuse_violation(self.system.move_coordinates(values))

    # ---- joints

    def joint(self, name: str) -> JointState:
        """State of a hinge or slider."""
        if name not in self._kinds:
            find(name, list(self._kinds), "hinge or slider")
        rows = self.system.rows_now()
        value, rate = self.system.measured(name) if rows is None else self._reader.read(name, rows.tables.bodies)
        return JointState(self._kinds[name], value, rate)

    @cached_property
    def _kinds(self) -> dict[str, str]:
        """Hinges and sliders of the scene."""
        return {name: entry.kind for name, entry in self.scene.measured_joints.items()}

    @cached_property
    def _reader(self) -> JointReader:
        from granum.run.control.joints import JointReader  # most simulations need not wait for it

        rows = self.system.rows_now()
        assert rows is not None
        return JointReader(rows.joints, rows.bodies, rows.dimension == 2)

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

    def install(self, controller: CompiledController) -> None:
        """Let a compiled controller command the actuators."""
        loads = self.system.commanded_loads()
        if loads is None:
            raise GranumError(f"this is {self.system.what}, which takes no compiled controller. Give the command as a "
                              "formula in the scene, or a controller of Python.")
        self._signals = controller.install(loads, self.subject.commands)

    # ---- contacts and grains

    def population(self, what: str) -> Population:
        """The grains; refuses by name what only they have."""
        if self.subject.population is None:
            raise GranumError(f"this is {self.system.what}, which does not have {what}.")
        return self.subject.population

    def passed(self, probe: str) -> tuple[int, float]:
        """Grains that a flow probe has counted since the start, and their mass [kg]."""
        find(probe, [name for name, entry in self.scene.probe.items() if isinstance(entry, FlowProbe)], "flow probe")
        return self.population("flow probes").passed(probe)

    def applied(self) -> list[Floats]:
        """Applied forces that are not among the inputs, for a snapshot."""
        return [] if self.subject.population is None else self.subject.population.applied()

    def restore_applied(self, arrays: Sequence[Floats]) -> None:
        """Let them act again."""
        if self.subject.population is not None:
            self.subject.population.restore_applied(arrays)


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
