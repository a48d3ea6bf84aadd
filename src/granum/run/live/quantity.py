"""Single numbers of a running system by name: the names that formulas of actuators and loads use."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from granum.base.errors import GranumError, did_you_mean
from granum.loads.measured import ANGLE, DISPLACEMENT, RATE
from granum.model.connections import Hinge, Slider
from granum.model.probes import FlowProbe
from granum.rows.symbolic import rate_name
from granum.rows.system import symbol_name
from granum.run.live.handle import BodyState

if TYPE_CHECKING:
    from granum.run.simulation import Simulation

Reading = Callable[[], float]
"""Reads one number as it is now."""


def reading(sim: Simulation, name: str) -> Reading:
    """How a number is read: `t`, `hinge.angle`, `slider.displacement`, `body.vx`, `motor.force`, `outlet.mass`, ..."""
    if name == "t":
        return lambda: sim.t
    if name in sim.commands:
        return lambda: sim.commands[name]
    owner, _, key = name.rpartition(".")
    for joint, entry in sim.scene.constraint.items():
        if isinstance(entry, Hinge | Slider) and owner in (joint, symbol_name(joint)):
            return _of_joint(sim, joint, name, key)
    for probe, watched in sim.scene.probe.items():
        if isinstance(watched, FlowProbe) and owner in (probe, symbol_name(probe)) and key in _PASSED:
            return lambda: float(sim.passed(probe)[_PASSED.index(key)])
    for q in sim.scene.system.coordinates:
        if name in (q, rate_name(q)):
            return lambda: sim.coordinate(q)[name != q]
    body = next((body for body in sim.bodies if owner in (body, symbol_name(body))), None) if owner else None
    if body is None:
        known = ["t", *sim.commands, *(f"{joint}.{RATE}" for joint, entry in sim.scene.constraint.items()
                                       if isinstance(entry, Hinge | Slider)),
                 *(f"{body}.x" for body in sim.bodies[:50]), *sim.scene.system.coordinates]
        raise GranumError(f'there is no quantity "{name}". {did_you_mean(name, known, "quantity")}')
    return _of_body(sim, body, name, key)


_PASSED = ("count", "mass")


def _of_joint(sim: Simulation, joint: str, name: str, key: str) -> Reading:
    known = [ANGLE if sim.joint(joint).kind == "hinge" else DISPLACEMENT, RATE]
    if key not in known:
        raise GranumError(f'there is no quantity "{name}". The {sim.joint(joint).kind} "{joint}" has '
                          f'{" and ".join(known)}.')
    return lambda: sim.joint(joint).rate if key == RATE else sim.joint(joint).value


def _of_body(sim: Simulation, body: str, name: str, key: str) -> Reading:
    if key not in body_quantities(sim.body(body)):
        raise GranumError(f'there is no quantity "{name}". "{body}" has '
                          f'{", ".join(body_quantities(sim.body(body)))}.')
    return lambda: body_quantities(sim.body(body))[key]


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
