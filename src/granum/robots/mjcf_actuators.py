"""Actuators of MJCF: those whose force is linear in control, coordinate and rate of one joint."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from granum.base.errors import did_you_mean
from granum.robots.elements import Element, Reading, View
from granum.robots.mjcf_settings import Settings
from granum.robots.names import Names
from granum.robots.tree import Actuator, Joint, Link


def read_actuators(
    reading: Reading, settings: Settings, root: Element, links: Sequence[Link], given: dict[str, str],
) -> list[Actuator]:
    """Actuators of joints, which `given` has by their names in the file; others are listed."""
    joints = {link.joint.name: link.joint for link in links if link.joint is not None}
    known = {name: joints[own] for name, own in given.items()}
    names = Names()
    found: list[Actuator] = []
    for section in root.all("actuator"):
        for element in section.children:
            actuator = _actuator(reading, settings, settings.view(element, ""), known)
            if actuator is not None:
                actuator.name = names.unique(actuator.name)
                found.append(actuator)
    return found


def _actuator(reading: Reading, settings: Settings, view: View, known: dict[str, Joint]) -> Actuator | None:
    """One actuator, or None for one that is listed."""
    element = view.element
    joint = view.text("joint") or view.text("jointinparent")
    if not joint:
        reading.leave_out(element, "it does not act on a joint")
        return None
    if joint not in known:
        reading.problem(element, f'joint = "{joint[:80]}", but there is no such joint.',
                        did_you_mean(joint, known, "joint"))
        return None
    law = _law(view)
    kind = known[joint].kind
    if law is None or kind not in ("hinge", "slider"):
        reading.leave_out(element, "its law has no counterpart" if law is None else f"it acts on a {kind} joint")
        return None
    gear = view.numbers("gear", (1, 2, 3, 4, 5, 6), [1.0])
    assert gear is not None
    gain, bias = law
    scale = float(gear[0])
    # the force along the coordinate is gear times that of the actuator, whose length is gear times the coordinate
    own = Actuator(element.name or f"{joint}-{element.tag}", known[joint].name, scale * gain,
                   (scale * bias[0], scale * scale * bias[1], scale * scale * bias[2]))
    _limit(reading, view, own, scale, settings.auto_limits)
    return own


def _law(view: View) -> tuple[float, tuple[float, float, float]] | None:
    """Gain and bias of the force, gain u + b₀ + b₁ l + b₂ l̇; None for other laws."""
    tag = view.element.tag
    if tag == "motor":
        return 1.0, (0.0, 0.0, 0.0)
    if tag == "position":
        if view.has("dampratio", "inheritrange", "timeconst"):
            return None
        kp = view.number("kp", 1.0)
        return kp, (0.0, -kp, -view.number("kv"))
    if tag == "velocity":
        kv = view.number("kv", 1.0)
        return kv, (0.0, 0.0, -kv)
    if tag != "general":
        return None
    kinds = (view.choice("dyntype", ("none", "integrator", "filter", "filterexact", "muscle", "user"), "none"),
             view.choice("gaintype", ("fixed", "affine", "muscle", "user"), "fixed"),
             view.choice("biastype", ("none", "affine", "muscle", "user"), "none"))
    if kinds[0] != "none" or kinds[1] != "fixed" or kinds[2] not in ("none", "affine"):
        return None
    gains = view.numbers("gainprm", tuple(range(1, 11)), [1.0])
    given = view.numbers("biasprm", tuple(range(1, 11)), [0.0])
    assert gains is not None and given is not None
    bias = np.zeros(3)
    if kinds[2] == "affine":
        bias[: min(3, len(given))] = given[:3]
    return float(gains[0]), (float(bias[0]), float(bias[1]), float(bias[2]))


def _limit(reading: Reading, view: View, actuator: Actuator, scale: float, auto: bool) -> None:
    """The largest force along the coordinate, of `forcerange` or of a motor within its `ctrlrange`; other ranges of
    the control only move its first value.
    """
    force, control = _range(view, "forcerange", "forcelimited", auto), _range(view, "ctrlrange", "ctrllimited", auto)
    limits = []
    if force is not None:
        limits.append(abs(scale) * max(map(abs, force)))
        if force[0] != -force[1]:
            reading.leave_out(view.element, "limits of an actuator are the same in both directions", "forcerange")
    if control is not None:
        actuator.control = min(max(0.0, control[0]), control[1])
        if not any(actuator.bias):
            limits.append(abs(actuator.gain) * max(map(abs, control)))
        else:
            reading.leave_out(view.element, "targets have no limits", "ctrlrange")
    actuator.limit = min(limits, default=None)


def _range(view: View, name: str, limited: str, auto: bool) -> tuple[float, float] | None:
    """A range, if it applies."""
    given, applies = view.numbers(name, 2), view.choice(limited, ("true", "false", "auto"), "auto")
    if given is None or applies == "false" or (applies == "auto" and not auto):
        return None
    return float(given[0]), float(given[1])
