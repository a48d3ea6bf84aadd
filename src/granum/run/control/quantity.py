"""Single numbers of a running system by name: the names that formulas of actuators and loads use."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats
from granum.base.rotations import about_z, rotation_of
from granum.loads.measured import ANGLE, RATE
from granum.model.body_entries import Rigid
from granum.model.probes import FlowProbe
from granum.rows.symbolic import rate_name
from granum.rows.system import symbol_name
from granum.run.control.live_system import BodyState

if TYPE_CHECKING:
    from granum.run.simulation import Simulation

Reading = Callable[[], float]
"""Reads one number as it is now."""


def reading(sim: Simulation, name: str) -> Reading:
    """How a number is read: `t`, `hinge.angle`, `slider.displacement`, `body.vx`, `body.point.x`, `motor.force`, ..."""
    if name == "t":
        return lambda: sim.t
    if name in sim.commands:
        return lambda: sim.commands[name]
    owner, _, key = name.rpartition(".")
    for joint in sim.scene.measured_joints:
        if owner in (joint, symbol_name(joint)):
            return _of_joint(sim, joint, name, key)
    for probe, watched in sim.scene.probe.items():
        if isinstance(watched, FlowProbe) and owner in (probe, symbol_name(probe)) and key in _PASSED:
            return lambda: float(sim.passed(probe)[_PASSED.index(key)])
    for q in sim.scene.system.coordinates:
        if name in (q, rate_name(q)):
            return lambda: sim.coordinate(q)[name != q]
    body = next((body for body in sim.bodies if owner in (body, symbol_name(body))), None) if owner else None
    if body is None and (point := _point(sim, owner)) is not None:
        body, arm = point
        return _of_body(lambda: moved_to(sim.body(body), arm), owner, name, key)
    if body is None:
        known = ["t", *sim.commands, *(f"{joint}.{RATE}" for joint in sim.scene.measured_joints),
                 *(f"{body}.x" for body in sim.bodies[:50]), *(
                     f"{body}.{point}.x" for body, entry in list(sim.scene.body.items())[:50]
                     if isinstance(entry, Rigid) for point in entry.fixed_points()), *sim.scene.system.coordinates]
        raise GranumError(f'there is no quantity "{name}". {did_you_mean(name, known, "quantity")}')
    return _of_body(lambda: sim.body(body), body, name, key)


_PASSED = ("count", "mass")


def _of_joint(sim: Simulation, joint: str, name: str, key: str) -> Reading:
    known = [sim.scene.measured_joints[joint].measures, RATE]
    if key not in known:
        raise GranumError(f'there is no quantity "{name}". The {sim.joint(joint).kind} "{joint}" has '
                          f'{" and ".join(known)}.')
    return lambda: sim.joint(joint).rate if key == RATE else sim.joint(joint).value


def _point(sim: Simulation, owner: str) -> tuple[str, Floats] | None:
    """A point `body.point`: its body, and where it is from the mass centre in body axes; None where there is none."""
    own, _, point = owner.partition(".")
    for body, entry in sim.scene.body.items():
        if own in (body, symbol_name(body)) and isinstance(entry, Rigid):
            for name, arm in entry.fixed_points().items():
                if point in (name, symbol_name(name)):
                    return body, np.array(arm)
    return None


def moved_to(state: BodyState, arm: Floats) -> BodyState:
    """The state of a point of a body, whose angle and angular velocity are those of the body."""
    d = len(state.position)
    quaternion = state.orientation if state.angle is None else about_z(np.array([state.angle]))[0]
    assert quaternion is not None and state.angular_velocity is not None
    reach = rotation_of(quaternion) @ arm
    turning = np.zeros(3)
    turning[2 if d == 2 else slice(None)] = state.angular_velocity
    return state._replace(position=state.position + reach[:d], velocity=state.velocity + np.cross(turning, reach)[:d])


def _of_body(read: Callable[[], BodyState], owner: str, name: str, key: str) -> Reading:
    known = body_quantities(read())
    if key not in known:
        raise GranumError(f'there is no quantity "{name}". "{owner}" has {", ".join(known)}.')
    return lambda: body_quantities(read())[key]


def body_quantities(state: BodyState) -> dict[str, float]:
    """Position x, velocity vx, and if it rotates angle and wz in 2-D, quaternion u0, ... and wx, ... in 3-D."""
    axes = "xyz"[: len(state.position)]
    found = dict(zip(axes, state.position.tolist(), strict=True))
    found |= dict(zip((f"v{axis}" for axis in axes), state.velocity.tolist(), strict=True))
    if state.angle is not None:
        found[ANGLE] = state.angle
    if state.orientation is not None:
        found |= {f"u{k}": u for k, u in enumerate(state.orientation.tolist())}
    if state.angular_velocity is not None:
        turning = np.atleast_1d(state.angular_velocity).tolist()
        found |= dict(zip(("wx", "wy", "wz")[-len(turning):], turning, strict=True))
    return found
