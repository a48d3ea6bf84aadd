"""Drives: a hinge or slider is where a formula of time says; the multiplier is the torque or force that this takes."""

from __future__ import annotations

from collections.abc import Sequence

from granum.algebra import Expression, symbol
from granum.algebra.expression import ZERO
from granum.base.errors import GranumError
from granum.model.actuators import AppliedForces
from granum.model.connections import Drive
from granum.rows.joint import FIRST, Connecting, Joint, movable_joint


def build(name: str, entry: Drive, scene: Connecting) -> Joint:
    """The row of what the joint measures, with the motion."""
    joint = movable_joint(entry.joint, scene, "a drive")
    for other_name, other in scene.scene.constraint.items():
        if other_name != name and isinstance(other, Drive) and other.joint == entry.joint:
            raise GranumError(f'"{other_name}" also drives "{entry.joint}", but a joint takes only one drive. Remove '
                              "one.")
    steering = steered(name) if any(isinstance(other, AppliedForces) for other in scene.scene.actuator.values()) else ()
    if entry.motion is not None:
        number, motion = scene.add_motion(name, entry.motion, _further(steering))
    else:
        assert entry.table is not None
        number, motion = scene.add_table(name, entry.table, _further(steering))
    assert joint.measure is not None
    label = "torque" if joint.kind == "hinge" else "force"
    return Joint(name, "drive", joint.one, joint.two, [joint.measure._replace(drive=number)],
                 labels=[(f"{name}.{label}", FIRST)], motion=motion, steering=steering)


def steered(name: str) -> tuple[str, str, str, str]:
    """Names of what a user adds to the motion of a drive: value, rate and acceleration since a time."""
    return f"{name}.motion.value", f"{name}.motion.rate", f"{name}.motion.acceleration", f"{name}.motion.since"


def _further(steering: Sequence[str]) -> Expression:
    """value + rate τ + ½ acceleration τ², τ = t - since."""
    if not steering:
        return ZERO
    value, rate, acceleration, since = map(symbol, steering)
    later = symbol("t") - since
    return value + rate * later + 0.5 * acceleration * later * later
