"""What acts in the joints of a robot, as entries of a scene: springs and dampers, stops, actuators.

Positions of a scene count from the start, those of a robot from where its coordinates are zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from granum.io.robots.text import plain, table
from granum.io.robots.tree import Actuator, Inertial, Joint, Link, Placed, Pose, combined

STOP_TIME = 0.02
"""Time constant of a stop [s] where the robot gives none: the default of MuJoCo's `solreflimit`."""


def spring(joint: Joint) -> list[str]:
    """Stiffness and damping of a hinge or slider."""
    if joint.stiffness == 0.0 and joint.damping == 0.0:
        return []
    name, rest = f"{joint.name}-spring", joint.spring_reference - joint.start
    if joint.kind == "hinge":
        resting = {"rest_angle": rest} if joint.stiffness and rest else {}
        return table("load", name, {"kind": "torsion-spring", "hinge": joint.name, "stiffness": joint.stiffness,
                                    **resting, "damping": joint.damping})
    force = _linear(joint.stiffness * rest, -joint.stiffness, -joint.damping, "displacement")
    return table("load", name, {"kind": "formula", "joint": joint.name, "force": force})


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
    measure = "angle" if joint.kind == "hinge" else "displacement"
    effort = "torque" if joint.kind == "hinge" else "force"
    b0, b1, b2 = entry.bias
    command = entry.gain * entry.control + b0
    if b1 < 0.0 and b2 <= 0.0:
        keys: dict[str, str | float] = {"kind": "position", "joint": joint.name,
                                        "position": command / -b1 - joint.start, "stiffness": -b1, "damping": -b2}
    elif b1 == 0.0 and b2 < 0.0:
        keys = {"kind": "velocity", "joint": joint.name, "velocity": command / -b2, "gain": -b2}
    elif b1 == b2 == 0.0:
        keys = {"kind": effort, "joint": joint.name, effort: command}
    else:
        keys = {"kind": effort, "joint": joint.name, effort: _linear(command + b1 * joint.start, b1, b2, measure)}
    if entry.limit is not None and math.isfinite(entry.limit):
        keys["limit"] = entry.limit
    return table("actuator", entry.name, keys)


def _linear(constant: float, slope: float, rate: float, measure: str) -> str:
    """constant + slope · measure + rate · d/dt measure, without what is zero."""
    terms = [plain(constant)] if constant else []
    terms += [f"{plain(slope)}*{measure}"] if slope else []
    terms += [f"{plain(rate)}*rate"] if rate else []
    return " + ".join(terms).replace("+ -", "- ") or "0"
