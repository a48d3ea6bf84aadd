"""Loads: forces from outside and between bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field, model_validator

from granum.model.kinds import Kind
from granum.model.quantities import (
    Acceleration,
    Angle,
    Coefficient,
    Damping,
    Density,
    Ends,
    Entry,
    ForceVector,
    Formula,
    Length,
    Name,
    PointName,
    Position,
    RestLength,
    Stiffness,
    TorqueVector,
    TorsionDamping,
    TorsionStiffness,
    Velocity,
)


class Load(Kind, section="load"):
    """A force from outside, or between bodies."""


class Gravity(Load):
    """Uniform gravity on every mass."""

    kind: Literal["gravity"] = "gravity"
    acceleration: Acceleration
    """Acceleration of free fall [m/s²], such as [0, -9.81]."""


class Force(Load):
    """A constant force on one body, or on a point of it."""

    kind: Literal["force"] = "force"
    on: PointName
    """A body, or a point of a rigid body."""
    force: ForceVector
    """Force [N]."""


class Torque(Load):
    """A constant torque on a rigid body, in inertial axes."""

    kind: Literal["torque"] = "torque"
    on: Name
    """The body."""
    torque: TorqueVector
    """Torque in inertial axes [N m]; 2-D: one number."""


class Spring(Load):
    """A spring with damper: tension k (l - l₀) + c dl/dt along the line between two bodies."""

    kind: Literal["spring"] = "spring"
    between: Ends
    """Two bodies, or points of bodies."""
    stiffness: Stiffness
    """Stiffness k [N/m]."""
    rest_length: RestLength | None = None
    """Rest length l₀ [m]; left out, it is the distance at the start."""
    damping: Damping = 0.0
    """Damping c [N s/m]."""


class TorsionSpring(Load):
    """A spring with damper in a hinge: torque k (φ - φ₀) + c dφ/dt against its angle φ, which is 0 at the start."""

    kind: Literal["torsion-spring"] = "torsion-spring"
    hinge: Name
    """The hinge it acts in."""
    stiffness: TorsionStiffness
    """Stiffness k [N m/rad]."""
    rest_angle: Angle = 0.0
    """Rest angle φ₀, counted from the start [rad]."""
    damping: TorsionDamping = 0.0
    """Damping c [N m s/rad]."""


class Profile(Entry):
    """A parabolic profile of a flow: fastest on an axis, zero at the walls, with the given mean velocity."""

    position: Position
    """A point of the axis [m]; it runs in the direction of the mean velocity."""
    half_width: Length
    """Distance of the walls from the axis [m]."""
    inlet: Position | None = None
    """Upstream of this point the flow is uniform [m]; left out, it has the profile everywhere."""


class Drag(Load):
    """Drag of a flow on every grain, F = ½ ρ A C_D C_A |u - v| (u - v) (002 eq 4.8)."""

    kind: Literal["drag"] = "drag"
    density: Density
    """Density ρ of the fluid [kg/m³]."""
    drag_coefficient: Coefficient
    """Drag coefficient C_D."""
    velocity: Velocity | None = None
    """Velocity of the flow, or its mean with a profile [m/s]."""
    profile: Profile | None = None
    """Profile of the flow across a pipe; left out, the flow is uniform."""
    velocity_field: str | None = Field(default=None, max_length=500)
    """File with velocities on a grid: lines x, y, u, v in the plane and x, y, z, u, v, w in space, with commas."""
    shadow: bool = False
    """Grains upstream that touch a grain shade it: C_A = 1 - k (002 eqs 4.10-4.13)."""
    min_exposure: Annotated[float, Field(ge=0.0, le=1.0)] = 0.0
    """Smallest value of C_A (the thesis' program has 0.1)."""

    @model_validator(mode="after")
    def _one_flow(self) -> Drag:
        if (self.velocity is None) == (self.velocity_field is None):
            raise ValueError("needs exactly one of velocity and velocity_field")
        if self.profile is not None and self.velocity is None:
            raise ValueError("a profile needs the mean velocity")
        return self


class ForceField(Load):
    """A force on every grain, given by formulas."""

    kind: Literal["force-field"] = "force-field"
    force: tuple[Formula, ...] = Field(min_length=2, max_length=3)
    """Components [N], in x, y, z, vx, vy, vz, t, the mass m and the radius r of the grain."""


def damper(load: str) -> str:
    """Name of the damper of a spring in the energy balance."""
    return f"{load} damper"


def agent_names(agents: Sequence[tuple[str, str]]) -> list[str]:
    """Names in the energy balance of agents given by section and name: the name, with its section if two share it."""
    names = [name for _, name in agents]
    return [f"{section} {name}" if names.count(name) > 1 else name for section, name in agents]

