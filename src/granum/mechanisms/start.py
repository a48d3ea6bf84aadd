"""A start that fits: what is given is held, what is left out follows from the joints, contradictions are named."""

from __future__ import annotations

import numpy as np

from granum.base.errors import GranumError, Problem, SceneError
from granum.base.kernels import Floats
from granum.mechanisms import tables
from granum.mechanisms.build import Mechanism
from granum.mechanisms.joints import Joint
from granum.mechanisms.loops import ALLOWED, choose_assembly, close_loops, closing_rows
from granum.mechanisms.nearest import configured, free_coordinates, nearest, push, scene_size

_SHOWN = 6
"""Given values that a message lists."""
_KEYS = ("position", "orientation", "velocity", "angular_velocity")


def consistent_start(mechanism: Mechanism) -> Floats:
    """The state at the start; raises SceneError where what is given contradicts the joints.

    Positions and orientations that are left out or guessed move to where the joints fit; with `project_start`
    positions that are given move too, if there is no other way. Velocities that are left out have the least kinetic
    energy that the given ones and the joints allow (Kelvin's theorem).
    """
    y = mechanism.y.copy()
    configured(mechanism, y)
    _refuse_late_drives(mechanism)
    fit_positions(mechanism, y)
    _fit_velocities(mechanism, y)
    return y


def fit_positions(mechanism: Mechanism, y: Floats) -> None:
    """Move what is not held of a state until all joints fit; raises SceneError where they cannot."""
    configured(mechanism, y)
    used, small = closing_rows(mechanism), ALLOWED * scene_size(mechanism)
    value, held = mechanism.model.tables.value, mechanism.held[:, :2]
    released = np.column_stack([np.zeros(len(held)), held[:, 1]])
    free = free_coordinates(mechanism, held)
    for choice in (held, released) if mechanism.scene.run.project_start else (held,):
        free = free_coordinates(mechanism, choice)
        if np.abs(value * used).max(initial=0.0) > 1e-15 * scene_size(mechanism) and free.any():
            close_loops(mechanism, y, free, used)
        if np.abs(value * used).max(initial=0.0) <= small:
            break
    _refuse_positions(mechanism, used, bool(free.any()))
    for joint in mechanism.joints:
        if joint.assembly is not None:
            try:
                choose_assembly(mechanism, joint, y, free, used)
            except GranumError as error:
                raise SceneError([Problem(f"{joint.place}.assembly", str(error))]) from None
    if np.abs(value * used).max(initial=0.0) > 1e-15 * scene_size(mechanism):  # what is given is rounded
        close_loops(mechanism, y, np.ones_like(free), used)


def _fit_velocities(mechanism: Mechanism, y: Floats) -> None:
    rate, held = mechanism.model.tables.rate, mechanism.held[:, 2:]
    used = np.ones(len(rate))
    choices = (held, np.zeros_like(held)) if mechanism.scene.run.project_start else (held,)
    for choice in choices:
        if not rate.any():
            return
        push(mechanism, y, nearest(mechanism, rate, free_coordinates(mechanism, choice), used))
        if not _velocity_problems(mechanism):
            return
    raise SceneError(_velocity_problems(mechanism))


def _refuse_late_drives(mechanism: Mechanism) -> None:
    found = mechanism.model.tables
    problems = [Problem(joint.place, f"the motion starts {found.drive[3 * row.drive]:.3g} (rad or m) away from where "
                        "the joint is, which counts as 0.", "Subtract that, so that the motion begins with 0.")
                for joint in mechanism.joints for row in joint.rows
                if row.drive >= 0 and abs(found.drive[3 * row.drive]) > ALLOWED]
    if problems:
        raise SceneError(problems)


def _refuse_positions(mechanism: Mechanism, used: Floats, movable: bool) -> None:
    """Name the joints that do not fit, by how much, and which given values hold them apart."""
    found, problems, size = mechanism.model.tables, [], scene_size(mechanism)
    for k, joint in enumerate(mechanism.joints):
        own = slice(mechanism.first[k], mechanism.first[k + 1])
        worst = float(np.abs(found.value[own] * used[own]).max(initial=0.0))
        if worst <= ALLOWED * size:
            continue
        apart = float(np.linalg.norm(found.joints[k, tables.APART : tables.APART + 3]))
        given = _given(mechanism, joint, (0, 1))
        held = f" {'Wherever the others are moved, these' if movable else 'These'} hold it: {given}." if given else ""
        finding = _finding(joint.kind, worst, apart, joint.one.name, joint.two.name)
        problems.append(Problem(joint.place, finding + held, _remedy(given)))
    if problems:
        raise SceneError(problems)


def _remedy(given: str) -> str:
    if not given:
        return "No configuration of the bodies fits it: check the lengths, points and other joints of the loop."
    return ("Give values that fit, leave some out so that they follow from the joints, mark approximate ones in "
            'guess = [...], or let [run] project_start = true move the positions.')


def _given(mechanism: Mechanism, joint: Joint, which: tuple[int, int]) -> str:
    """Values that are held of the bodies of a joint, and of those that further joints connect to it."""
    near, parts = {joint.one.place.name, joint.two.place.name}, []
    while True:
        more = {name for other in mechanism.joints for name in (other.one.place.name, other.two.place.name)
                if near & ({other.one.place.name, other.two.place.name} - {"ground"})}
        if more <= near:
            break
        near |= more
    for place in mechanism.places:
        if place.name not in near:
            continue
        start = mechanism.scene.start.get(place.name)
        for k in which:
            if start is not None and mechanism.held[place.index, k]:
                key = "angle" if k == 1 and start.angle is not None else _KEYS[k]
                parts.append(f"start.{place.name}.{key} = {_shown(getattr(start, key))}")
    return ", ".join(parts[:_SHOWN]) + (", ..." if len(parts) > _SHOWN else "")


def _shown(value: float | tuple[float, ...]) -> str:
    return f"{value:.6g}" if isinstance(value, float) else f"[{', '.join(f'{c:.6g}' for c in value)}]"


def _finding(kind: str, worst: float, apart: float, one: str, two: str) -> str:
    if kind in ("ball-joint", "hinge", "glue") and apart > 0.0:
        return f'the points "{one}" and "{two}" are {apart:.3g} m apart at the start, but they are joined.'
    if kind == "slider":
        return f'"{two}" is {worst:.3g} m (or rad) beside the line at the start, which goes through "{one}" along axis.'
    if kind == "link":
        return f"its ends start {worst:.3g} m farther or nearer than its length allows."
    if kind in ("rolling", "sliding"):
        return f'"{two}" and "{one}" start {worst:.3g} m away from touching.'
    return f"the start violates it by {worst:.3g}."


def _velocity_problems(mechanism: Mechanism) -> list[Problem]:
    found, problems = mechanism.model.tables, []
    speed = max(float(np.abs(found.bodies[:, tables.V : tables.V + 3]).max(initial=0.0)),
                float(np.abs(found.bodies[:, tables.W : tables.W + 3]).max(initial=0.0)) * scene_size(mechanism),
                float(np.abs(found.drive).max(initial=0.0)))
    for k, joint in enumerate(mechanism.joints):
        worst = float(np.abs(found.rate[mechanism.first[k] : mechanism.first[k + 1]]).max(initial=0.0))
        if worst > ALLOWED * max(speed, 1e-9):
            given = _given(mechanism, joint, (2, 3))
            what = "the motion contradicts the other joints" if joint.kind == "drive" else \
                "the start velocities contradict it"
            held = f" Given: {given}." if given else ""
            problems.append(Problem(
                joint.place, f"{what}: they miss it by {worst:.3g} m/s or rad/s.{held}",
                "Give velocities that fit, leave some out so that they follow, or let [run] project_start = true "
                "change them by the least."))
    return problems
