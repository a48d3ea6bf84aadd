"""Drives: a hinge or slider is where a formula of time says; the multiplier is the torque or force that this takes."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from granum.algebra import Expression, symbol
from granum.algebra.parse import parse_equation
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
    number, motion = scene.add_motion(name, entry, steering)
    assert joint.measure is not None
    label = "torque" if joint.kind == "hinge" else "force"
    return Joint(name, "drive", joint.one, joint.two, [joint.measure._replace(drive=number)],
                 labels=[(f"{name}.{label}", FIRST)], motion=motion, steering=steering)


def scene_motion(entry: Drive, parameters: Collection[str]) -> Expression:
    """The motion that a scene gives to a drive, an expression of t and parameters of [system]."""
    if entry.motion is not None:
        return parse_equation(entry.motion, ["t", *parameters])
    from granum.algebra.piecewise import spline  # few scenes have tables

    assert entry.table is not None
    return spline(symbol("t"), entry.table)


def steered(name: str) -> tuple[str, str, str, str, str]:
    """Names of what a user sets of the motion of a drive: value, rate and acceleration at a time since when they
    count, and whether they replace the motion of the scene (1) or not yet (0).
    """
    own = f"{name}.motion"
    return f"{own}.value", f"{own}.rate", f"{own}.acceleration", f"{own}.since", f"{own}.replaced"


def steer(motion: Expression, steering: Sequence[str]) -> Expression:
    """The motion of a scene, or in its place value + rate τ + ½ acceleration τ², τ = t - since."""
    if not steering:
        return motion
    value, rate, acceleration, since, replaced = map(symbol, steering)
    later = symbol("t") - since
    return (1.0 - replaced) * motion + value + rate * later + 0.5 * acceleration * later * later
