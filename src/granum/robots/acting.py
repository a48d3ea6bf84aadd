"""What acts in the joints of a robot, as entries of a scene: springs and dampers, dry friction, stops, actuators.

Positions of a scene count from the start, those of a robot from where its coordinates are zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from granum.robots.text import plain, table
from granum.robots.tree import Actuator, Inertial, Joint, Link, Placed, Pose, combined


def spring(joint: Joint) -> list[str]:
    """Stiffness and damping of a hinge or slider."""
    if joint.stiffness == 0.0 and joint.damping == 0.0:
        return []
    name, rest = f"{joint.name}-spring", joint.spring_reference - joint.start
    if joint.turns:
        resting = {"rest_angle": rest} if joint.stiffness and rest else {}
        return table("load", name, {"kind": "torsion-spring", "hinge": joint.name, "stiffness": joint.stiffness,
                                    **resting, "damping": joint.damping})
    force = _linear(joint.stiffness * rest, -joint.stiffness, -joint.damping, "displacement")
    return table("load", name, {"kind": "formula", "joint": joint.name, "force": force})


def friction(joint: Joint) -> list[str]:
    """Dry friction of a hinge or slider."""
    if joint.friction == 0.0:
        return []
    return table("load", f"{joint.name}-friction", {
        "kind": "joint-friction", "joint": joint.name, "torque" if joint.turns else "force": joint.friction})


def stop(joint: Joint, inertia: float) -> list[str]:
    """Limits of a hinge or slider, as springs and dampers that stop what moves in a given time.

    With the inertia J of what the joint carries: k = J/(τ ζ)² and c = 2 J/τ, the reference acceleration of MuJoCo's
    constraints (chapter "Computation", Reference acceleration) at full impedance.
    """
    if joint.limits is None:
        return []
    time, ratio = joint.stop_response
    lower, upper = (limit - joint.start for limit in joint.limits)
    return table("load", f"{joint.name}-stop", {
        "kind": "stop", "joint": joint.name, "lower": lower, "upper": upper,
        "stiffness": float(f"{inertia / (time * ratio) ** 2:.3g}"), "damping": float(f"{2.0 * inertia / time:.3g}")})


def carried(links: Sequence[Link], placed: Sequence[Placed]) -> list[Inertial | None]:
    """Each link and all that it carries as one body, in inertial axes, where they are."""
    parts: list[list[Inertial]] = [[] for _ in links]
    whole: list[Inertial | None] = [None for _ in links]
    for k in reversed(range(len(links))):  # parents come first
        own, parent = links[k].inertial, links[k].parent
        whole[k] = one = combined([*([own.seen_from(placed[k].pose)] if own is not None else []), *parts[k]])
        if one is not None and parent is not None:
            parts[parent].append(one)
    return whole


def inertia_of(joint: Joint, pose: Pose, body: Inertial | None) -> float:
    """Inertia of what a joint carries about or along it [kg m², kg]; `pose` is that of its link."""
    if body is None:
        return 0.0
    if joint.kind == "slider":
        return body.mass
    axis = pose.rotation @ joint.axis
    arm = np.cross(axis, body.centre - pose.point(joint.anchor))
    return float(axis @ body.inertia @ axis + body.mass * arm @ arm)


def actuator(entry: Actuator, joint: Joint) -> list[str]:
    """A motor, a servo, or a formula of what is linear in the coordinate and its rate."""
    measure = "angle" if joint.turns else "displacement"
    _, b1, b2 = entry.bias
    key, value = command(entry, joint, entry.control)
    keys: dict[str, str | float] = {"kind": key, "joint": joint.name, key: value}
    if key == "position":
        keys |= {"stiffness": -b1, "damping": -b2}
    elif key == "velocity":
        keys |= {"gain": -b2}
    elif not _commanded(entry):
        keys[key] = _linear(value + b1 * joint.start, b1, b2, measure)
    if entry.limit is not None and math.isfinite(entry.limit):
        keys["limit"] = entry.limit
    return table("actuator", entry.name, keys)


def command(entry: Actuator, joint: Joint, control: float) -> tuple[str, float]:
    """What an actuator of the scene is commanded by, and its value for a control of the model.

    Of an actuator that follows a formula it is the part that does not change with the coordinate and its rate.
    """
    b0, b1, b2 = entry.bias
    effort = entry.gain * control + b0
    if b1 < 0.0 and b2 <= 0.0:
        return "position", effort / -b1 - joint.start
    if b1 == 0.0 and b2 < 0.0:
        return "velocity", effort / -b2
    return "torque" if joint.turns else "force", effort


def _commanded(entry: Actuator) -> bool:
    """Does it take a command, or does it follow a formula?"""
    return entry.bias[1] <= 0.0 and entry.bias[2] <= 0.0


def remark(entry: Actuator, joint: Joint) -> str:
    """How the command of an actuator follows from the control u of the model; empty where it is u itself."""
    (key, constant), (_, one) = command(entry, joint, 0.0), command(entry, joint, 1.0)
    slope = one - constant
    if not _commanded(entry):
        return f"{entry.name} follows a formula, with u = {entry.control:g}, and takes no commands"
    if slope == 1.0 and constant == 0.0:
        return ""
    shown = f" {'-' if constant < 0.0 else '+'} {abs(constant):.6g}" if constant else ""
    return f"{entry.name}.{key} = {slope:.6g} u{shown}"


def _linear(constant: float, slope: float, rate: float, measure: str) -> str:
    """constant + slope · measure + rate · d/dt measure, without what is zero."""
    terms = [plain(constant)] if constant else []
    terms += [f"{plain(slope)}*{measure}"] if slope else []
    terms += [f"{plain(rate)}*rate"] if rate else []
    return " + ".join(terms).replace("+ -", "- ") or "0"
