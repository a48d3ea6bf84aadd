"""A running system as a `Handle` reads and changes it between steps, whatever moves it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from granum.base.kernels import Floats
from granum.model.body_entries import FixedPoint
from granum.model.scene import Scene

if TYPE_CHECKING:
    from granum.integrate.one_sided_bodies import OneSidedBodies
    from granum.integrate.one_sided_points import OneSidedPoints
    from granum.rows.system import RowSystem
    from granum.run.control.compiled import CommandedLoads


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


class Violation(NamedTuple):
    """A link, joint or constraint that a state does not respect."""

    name: str
    text: str
    """How, such as "its error would be 0.1, and change by 0 per second"."""

    @classmethod
    def of_row(cls, name: str, value: float, rate: float) -> Violation:
        """From the value of a row and its rate."""
        return cls(name, f"its error would be {abs(value):.3g}, and change by {abs(rate):.3g} per second")

    @classmethod
    def wrong_side(cls, name: str, by: float, nearer: bool) -> Violation:
        """Of a one-sided link, and by how much [m]."""
        return cls(name, f"its ends would be {by:.3g} m {'nearer' if nearer else 'farther'} than this one-sided link "
                         "allows")


class Inputs(Mapping[str, float]):
    """Numbers that a controller may change between steps, such as commands of actuators: by name, at their places in
    arrays that compiled code reads.
    """

    def __init__(self, *arrays: tuple[Mapping[str, int], Floats], changed: Callable[[], None] | None = None) -> None:
        self._places = {name: (array, place) for places, array in arrays for name, place in places.items()}
        self._changed = changed

    def __getitem__(self, name: str) -> float:
        array, place = self._places[name]
        return float(array[place])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def set(self, values: Mapping[str, float]) -> None:
        """Change some of them."""
        for name, value in values.items():
            array, place = self._places[name]
            array[place] = value
        if self._changed is not None:
            self._changed()


class LiveSystem(ABC):
    """What a `Handle` asks of a system, whatever moves it: its bodies, coordinates, joints and inputs."""

    scene: Scene
    what: str
    """In words, such as "a scene of grains"."""
    inputs: Inputs = Inputs()
    """Numbers that a controller may change between steps."""
    coordinates: Sequence[str] = ()
    """Names of generalised coordinates, where formulas are solved in some."""
    one_sided: OneSidedPoints | OneSidedBodies | None = None
    """What opens and closes links, where some are one-sided."""

    @property
    @abstractmethod
    def body_names(self) -> Sequence[str]:
        """Names of all bodies as they are now, in the order of the run: fixed points and grains included."""

    @abstractmethod
    def body_state(self, name: str) -> BodyState | None:
        """State of a body; None where there is none of this name, and perhaps for fixed points of the scene."""

    def is_fixed(self, name: str) -> bool:
        """Is a body a fixed point?"""
        return isinstance(self.scene.body.get(name), FixedPoint)

    @abstractmethod
    def move(self, name: str, state: BodyState) -> Violation | None:
        """Give a body another state; what does not allow it, where that is so: then all stays as it is."""

    def push(self, name: str, force: Floats, torque: Floats) -> None:
        """Let a force and a torque (3,) act on a body from now on: by the inputs of the actuator `applied`."""
        from granum.loads.commanded import applied_values  # most runs need not wait for it

        self.inputs.set(applied_values(self.inputs, self.scene.applied, name, [*force, *torque]))

    def coordinate(self, name: str) -> tuple[float, float]:
        """One of `coordinates` and its rate."""
        raise NotImplementedError

    def move_coordinates(self, values: Mapping[str, float]) -> Violation | None:
        """Give coordinates and rates other values; what does not allow it, where that is so."""
        raise NotImplementedError

    def rows_now(self) -> RowSystem | None:
        """Rows of joints, with the bodies as they are now in their tables; None where there are no tables."""
        return None

    def measured(self, joint: str) -> tuple[float, float]:
        """Value and rate of a hinge or slider, where there are no tables to read it from."""
        raise NotImplementedError

    def commanded_loads(self) -> CommandedLoads | None:
        """Loads that a compiled controller may command; None where none can be."""
        return None
