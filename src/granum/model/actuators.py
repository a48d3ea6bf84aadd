"""Actuators: what acts on joints, bodies and coordinates by a command that a controller or a formula gives."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from granum.model.kinds import Kind
from granum.model.quantities import (
    Force,
    ForceFormulas,
    Identifier,
    JointDamping,
    JointStiffness,
    MotionFormulas,
    Name,
    PointName,
    RateFormulas,
    Torque,
    TorqueFormulas,
    TorqueOrForce,
)


class Actuator(Kind, section="actuator"):
    """A motor, a thruster or a servo: its command is a number that a controller may change, or a formula.

    Formulas know the time t, parameters of [system], and the state: `angle` or `displacement` and `rate` of the joint
    it acts on, `hinge.angle`, `hinge.rate`, `slider.displacement`, `slider.rate` of other joints, and `body.x`,
    `body.vx`, `body.angle`, `body.wz`, ... of bodies.

    >>> isinstance(gr.VelocityServo(joint="axle", gain=2.0), gr.Actuator)
    True
    """

    limit: TorqueOrForce | None = None
    """Largest torque [N m] or force [N], of each component; default: none."""


class TorqueActuator(Actuator):
    """A torque in a hinge, from the first body on the second, or on a rigid body in inertial axes.

    >>> motor = gr.TorqueActuator(joint="knee", torque="-40*angle - 5*rate", limit=50.0)
    """

    kind: Literal["torque"] = "torque"
    joint: Name | None = None
    """The hinge, or ..."""
    body: Name | None = None
    """... the rigid body."""
    torque: TorqueFormulas = ("0",)
    """Torque [N m]: a number, a formula, or on a body in 3-D three of them."""
    limit: Torque | None = None
    """Largest torque [N m], of each component; default: none."""

    @model_validator(mode="after")
    def _one_place(self) -> TorqueActuator:
        if (self.joint is None) == (self.body is None):
            raise ValueError("needs either joint or body")
        return self


class ForceActuator(Actuator):
    """A force in a slider, from the first body on the second; on a point of a body; or on a coordinate of [system].

    >>> thruster = gr.ForceActuator(body="ship.stern", force=("200 N", 0))
    """

    kind: Literal["force"] = "force"
    joint: Name | None = None
    """The slider, or ..."""
    body: PointName | None = None
    """... a body or a point of it, or ..."""
    coordinate: Identifier | None = None
    """... a coordinate of [system]."""
    force: ForceFormulas = ("0",)
    """Force [N]: a number or a formula, and on a body a list of components in inertial axes."""
    limit: Force | None = None
    """Largest force [N], of each component; default: none."""

    @model_validator(mode="after")
    def _one_place(self) -> ForceActuator:
        if sum(place is not None for place in (self.joint, self.body, self.coordinate)) != 1:
            raise ValueError("needs one of joint, body and coordinate")
        return self


class PositionServo(Actuator):
    """A servo that holds a hinge, a slider or a point of a body at a target.

    Its torque or force is stiffness · (target - position) - damping · rate.

    >>> servo = gr.PositionServo(joint="elbow", position="90 deg", stiffness=40.0, damping=2.0)
    """

    kind: Literal["position"] = "position"
    joint: Name | None = None
    """The hinge or slider, or ..."""
    body: PointName | None = None
    """... a body or a point of it."""
    position: MotionFormulas = ("0",)
    """Target: angle [rad] or displacement [m] of a joint since the start, a number or a formula; position of a point in
    inertial axes [m], a list of them."""
    stiffness: JointStiffness = Field()
    """Stiffness [N m/rad] or [N/m]."""
    damping: JointDamping = 0.0
    """Damping [N m s/rad] or [N s/m]."""

    @model_validator(mode="after")
    def _one_place(self) -> PositionServo:
        if (self.joint is None) == (self.body is None):
            raise ValueError("needs either joint or body")
        return self


class VelocityServo(Actuator):
    """A servo that holds the rate of a hinge or slider, or the velocity of a point: gain · (target - rate).

    >>> wheel = gr.VelocityServo(joint="axle", velocity="30 rpm", gain=5.0, limit=2.0)
    """

    kind: Literal["velocity"] = "velocity"
    joint: Name | None = None
    """The hinge or slider, or ..."""
    body: PointName | None = None
    """... a body or a point of it."""
    velocity: RateFormulas = ("0",)
    """Target: angular velocity [rad/s] or velocity [m/s] of a joint, a number or a formula; velocity of a point in
    inertial axes [m/s], a list of them."""
    gain: JointDamping = Field()
    """Gain [N m s/rad] or [N s/m]."""

    @model_validator(mode="after")
    def _one_place(self) -> VelocityServo:
        if (self.joint is None) == (self.body is None):
            raise ValueError("needs either joint or body")
        return self


class AppliedForces(Actuator):
    """Forces and torques on any body, by a controller: `sim.apply`. A `Simulation` of a scene without one adds it.

    >>> hand = gr.AppliedForces()
    """

    kind: Literal["applied"] = "applied"
