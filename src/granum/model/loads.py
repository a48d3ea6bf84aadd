"""Loads: external forces and forces between bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from granum.model.kinds import Kind
from granum.model.quantities import (
    Acceleration,
    Angle,
    AngleOrLength,
    Coefficient,
    Damping,
    Density,
    Direction,
    Ends,
    Entry,
    ForceFormulas,
    ForceVector,
    Formula,
    JointDamping,
    JointStiffness,
    KinematicViscosity,
    Length,
    Name,
    Plain,
    PointName,
    Position,
    RestLength,
    Stiffness,
    TensionFormula,
    TorqueFormulas,
    TorqueVector,
    TorsionDamping,
    TorsionStiffness,
    Velocity,
)
from granum.model.quantities import Force as ForceMagnitude
from granum.model.quantities import Torque as TorqueMagnitude


class Load(Kind, section="load"):
    """An external force, or a force between bodies.

    >>> isinstance(gr.Gravity(acceleration=(0, -9.81)), gr.Load)
    True
    """


class Gravity(Load):
    """Uniform gravity on every mass.

    >>> gravity = gr.Gravity(acceleration=(0, "-9.81 m/s^2"))
    """

    kind: Literal["gravity"] = "gravity"
    acceleration: Acceleration
    """Gravitational acceleration [m/s²], such as [0, -9.81]."""


class Force(Load):
    """A constant force on a body or on a point of it.

    >>> push = gr.Force(on="arm.head", force=("2 N", 0))
    """

    kind: Literal["force"] = "force"
    on: PointName
    """A body, or a point of a rigid body."""
    force: ForceVector
    """Force [N]."""


class Torque(Load):
    """A constant torque on a rigid body, in inertial axes.

    >>> twist = gr.Torque(on="arm", torque=0.5)
    """

    kind: Literal["torque"] = "torque"
    on: Name
    """The body."""
    torque: TorqueVector
    """Torque in inertial axes [N m]; 2-D: one number."""


class Spring(Load):
    """A spring and damper: tension k (l - l₀) + c dl/dt along the line between two bodies.

    >>> shock = gr.Spring(between=("frame", "wheel"), stiffness="20 N/cm", damping=50.0)
    """

    kind: Literal["spring"] = "spring"
    between: Ends
    """Two bodies, or points of bodies."""
    stiffness: Stiffness
    """Stiffness k [N/m]."""
    rest_length: RestLength | None = None
    """Rest length l₀ [m]; default: the distance at the start."""
    damping: Damping = 0.0
    """Damping c [N s/m]."""


class TorsionSpring(Load):
    """A torsion spring and damper in a hinge: torque k (φ - φ₀) + c dφ/dt against its angle φ since the start.

    >>> coil = gr.TorsionSpring(hinge="pin", stiffness=5.0, rest_angle="90 deg")
    """

    kind: Literal["torsion-spring"] = "torsion-spring"
    hinge: Name
    """The hinge it acts in."""
    stiffness: TorsionStiffness
    """Stiffness k [N m/rad]."""
    rest_angle: Angle = 0.0
    """Rest angle φ₀, counted from the start [rad]."""
    damping: TorsionDamping = 0.0
    """Damping c [N m s/rad]."""


class Stop(Load):
    """Stops of a hinge or slider: beyond a limit, a spring and damper push back, and never pull.

    >>> stop = gr.Stop(joint="knee", lower="-120 deg", upper=0.0, stiffness=500.0, damping=5.0)
    """

    kind: Literal["stop"] = "stop"
    joint: Name
    """The hinge or slider."""
    lower: AngleOrLength | None = None
    """Smallest angle [rad] or displacement [m] since the start; default: none."""
    upper: AngleOrLength | None = None
    """Largest angle [rad] or displacement [m] since the start; default: none."""
    stiffness: JointStiffness
    """Stiffness [N m/rad] or [N/m]."""
    damping: JointDamping = 0.0
    """Damping [N m s/rad] or [N s/m]."""

    @model_validator(mode="after")
    def _limits(self) -> Stop:
        if self.lower is None and self.upper is None:
            raise ValueError("needs lower, upper or both")
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
            raise ValueError(f"lower {self.lower:g} must not exceed upper {self.upper:g}")
        return self


class JointFriction(Load):
    """Dry friction in a hinge or slider: a constant torque or force against its motion, and up to that at rest.

    At rest it is what holds the joint, and the joint slips where that would take more.

    >>> rub = gr.JointFriction(joint="elbow", torque="0.5 N*m")
    """

    kind: Literal["joint-friction"] = "joint-friction"
    joint: Name
    """The hinge or slider."""
    torque: TorqueMagnitude | None = None
    """Friction torque of a hinge [N m], or ..."""
    force: ForceMagnitude | None = None
    """... friction force of a slider [N]."""

    @model_validator(mode="before")
    @classmethod
    def _constant(cls, given: Any) -> Any:
        law = next((key for key in ("coefficient", "friction", "radius") if key in given), None) if isinstance(
            given, dict) else None
        if law is not None:
            raise ValueError(f"found {law}, but friction that grows with the reaction of a joint is not supported; "
                             "give torque (hinge) or force (slider), a constant")
        return given

    @model_validator(mode="after")
    def _one_size(self) -> JointFriction:
        if (self.torque is None) == (self.force is None):
            raise ValueError("needs either torque (hinge) or force (slider)")
        return self


class FormulaLoad(Load):
    """A force, a torque or a spring given by formulas of the state and the time.

    Formulas know t, parameters of [system], `x`, `vx`, `angle`, `wz`, ... of the body it acts on, `angle`,
    `displacement` and `rate` of the joint, `length` and `rate` of the line between two points, and all this of other
    joints and bodies by name, such as `hinge.angle` and `body.vx`.

    >>> wind = gr.FormulaLoad(on="kite", force=("2*sin(t) - 0.1*vx", "-0.1*vy"))
    >>> cubic = gr.FormulaLoad(between=("frame", "mass"), tension="50*(length - 1)**3 + 2*rate")
    """

    kind: Literal["formula"] = "formula"
    on: PointName | None = None
    """A body, or a point of a rigid body, or ..."""
    joint: Name | None = None
    """... a hinge or slider, or ..."""
    between: Ends | None = None
    """... two points of bodies."""
    force: ForceFormulas | None = None
    """Components of the force on the point [N]; in a slider one."""
    torque: TorqueFormulas | None = None
    """Torque on the body in inertial axes [N m], in 3-D three components; in a hinge one."""
    tension: TensionFormula | None = None
    """Force that pulls the two points together [N]."""

    @model_validator(mode="after")
    def _one_place(self) -> FormulaLoad:
        if sum(place is not None for place in (self.on, self.joint, self.between)) != 1:
            raise ValueError("needs one of on, joint and between")
        given = [key for key in ("force", "torque", "tension") if getattr(self, key) is not None]
        between = self.between is not None
        if len(given) != 1 or (given[0] == "tension") != between:
            raise ValueError("needs tension with between, and neither force nor torque" if between else
                             "needs either force or torque with on or joint; tension goes with between")
        return self


BY_FORMULAS = (FormulaLoad, Stop, JointFriction)
"""Loads whose forces are formulas of the state, in joints and on bodies."""


class Profile(Entry):
    """A parabolic velocity profile: fastest on an axis, zero at the walls, with the given mean velocity.

    >>> profile = gr.Profile(position=(0, 0), half_width="5 cm")
    """

    position: Position
    """A point on the axis [m]."""
    axis: Direction | None = None
    """Direction of the axis; default: that of the mean velocity. A velocity across it is the same everywhere."""
    half_width: Length
    """Distance from the axis to the walls [m]."""
    inlet: Position | None = None
    """Upstream of this point the flow is uniform [m]; default: the profile applies everywhere."""


class Drag(Load):
    """Drag of a flow on every grain, F = ½ ρ A C_D C_A |u - v| (u - v) (Sun 1996, eq. 4.8).

    >>> wind = gr.Drag(density=1.2, drag_coefficient=0.47, velocity=("3 m/s", 0))
    >>> water = gr.Drag(density=1000.0, kinematic_viscosity="1 mm^2/s", velocity=(0, 0))
    """

    kind: Literal["drag"] = "drag"
    density: Density
    """Density ρ of the fluid [kg/m³]."""
    drag_coefficient: Coefficient | None = None
    """Drag coefficient C_D, a constant; alternative: `kinematic_viscosity`."""
    kinematic_viscosity: KinematicViscosity | None = None
    """Kinematic viscosity ν of the fluid [m²/s]: C_D follows the measured drag curve of spheres, or in 2-D of cylinders
    for disks, at the Reynolds number Re = |u - v| d/ν of each grain (Sun 1996, eq. 4.9)."""
    velocity: Velocity | None = None
    """Flow velocity; with a profile, the mean velocity [m/s]."""
    profile: Profile | None = None
    """Velocity profile across a pipe; default: uniform flow."""
    velocity_field: str | None = Field(default=None, max_length=500)
    """CSV file of velocities on a regular grid: columns x, y, u, v in 2-D; x, y, z, u, v, w in 3-D."""
    shadow: bool = False
    """Touching grains upstream shield a grain from the flow: C_A = 1 - k (Sun 1996, eqs. 4.10-4.13)."""
    min_exposure: Annotated[Plain, Field(ge=0.0, le=1.0)] = 0.0
    """Smallest value of C_A (0.1 in the program of Sun 1996)."""

    @model_validator(mode="after")
    def _one_flow(self) -> Drag:
        if (self.velocity is None) == (self.velocity_field is None):
            raise ValueError("needs either velocity or velocity_field")
        if self.profile is not None and self.velocity is None:
            raise ValueError("a profile needs velocity, the mean velocity of the flow")
        if (self.drag_coefficient is None) == (self.kinematic_viscosity is None):
            raise ValueError("needs either drag_coefficient or kinematic_viscosity")
        return self


class ForceField(Load):
    """A force on every grain, as formulas.

    >>> pull = gr.ForceField(force=("-m*x", "-m*y"))
    """

    kind: Literal["force-field"] = "force-field"
    force: tuple[Formula, ...] = Field(min_length=2, max_length=3)
    """Components [N], as formulas in x, y, z, vx, vy, vz, t, the mass m and the radius r of the grain."""


def damper(load: str) -> str:
    """Name of the damper of a spring in the energy balance."""
    return f"{load} damper"


def agent_names(agents: Sequence[tuple[str, str]]) -> list[str]:
    """Names in the energy balance of agents given by section and name: the name, with its section if two share it."""
    names = [name for _, name in agents]
    return [f"{section} {name}" if names.count(name) > 1 else name for section, name in agents]

