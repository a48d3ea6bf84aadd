"""Drives: a hinge or slider is where a formula of time says; the multiplier is the torque or force that this takes."""

from __future__ import annotations

from granum.base.errors import GranumError
from granum.model.connections import Drive
from granum.rows.joint import FIRST, Connecting, Joint, movable_joint


def build(name: str, entry: Drive, scene: Connecting) -> Joint:
    """The row of what the joint measures, with the motion."""
    joint = movable_joint(entry.joint, scene, "a drive")
    for other_name, other in scene.scene.constraint.items():
        if other_name != name and isinstance(other, Drive) and other.joint == entry.joint:
            raise GranumError(f'"{other_name}" also drives "{entry.joint}", but a joint takes only one drive. Remove '
                              "one.")
    number, motion = scene.add_motion(name, entry.motion)
    assert joint.measure is not None
    label = "torque" if joint.kind == "hinge" else "force"
    return Joint(name, "drive", joint.one, joint.two, [joint.measure._replace(drive=number)],
                 labels=[(f"{name}.{label}", FIRST)], motion=motion)
