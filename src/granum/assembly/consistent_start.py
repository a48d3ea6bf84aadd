"""A start that fits: what is given is held, what is left out follows from the joints, contradictions are named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from granum.assembly.loops import ALLOWED, choose_assembly, close_loops, close_near, turned_over
from granum.assembly.nearest import free_coordinates, nearest, push
from granum.base.errors import ContradictingStartError, GranumError, Problem
from granum.base.kernels import Floats
from granum.base.text import listed
from granum.model.start import Start
from granum.rows import tables
from granum.rows.body import Body
from granum.rows.joint import Joint, acts_on_thin
from granum.rows.system import RowSystem
from granum.state.table import VX, VZ, WX, WZ

_SHOWN = 6
"""Given values that a message lists."""
_KEYS = ("position", "orientation", "velocity", "angular_velocity")


class Given(NamedTuple):
    """What is given of a start."""

    start: Mapping[str, Start]
    """By body."""
    project: bool
    """May positions that are given move, if there is no other way?"""


def consistent_start(system: RowSystem, given: Given, near: Mapping[str, Body] | None = None) -> tuple[Floats, bool]:
    """The state at the start, and whether it had to be searched for; raises SceneError where what is given contradicts
    the joints.

    Positions and orientations that are left out or guessed move to where the joints fit; with `project_start`
    positions that are given move too, if there is no other way. Velocities that are left out have the least kinetic
    energy that the given ones and the joints allow (Kelvin's theorem). With `near` all that is not given is guessed to
    be as these bodies have it.
    """
    y = system.start()
    if near is not None:
        _move_near(system, y, near)
    searched = _fit_positions(system, given, y, near is not None)
    _fit_velocities(system, given, y)
    return y, searched


def _held(system: RowSystem) -> Floats:
    """(n, 4): what is held of each body."""
    return np.array([body.held for body in system.bodies], dtype=float).reshape(-1, 4)


def _guessed(system: RowSystem, start: Mapping[str, Start]) -> Floats:
    """1 for each velocity (v, ω) of a position or an orientation that the scene guesses."""
    guesses = [{*start[body.name].guess} if body.name in start else set() for body in system.bodies]
    return 1.0 - free_coordinates(system, np.array([["position" in names, bool(names & {"angle", "orientation"})]
                                                    for names in guesses], dtype=float).reshape(-1, 2))


def _move_near(system: RowSystem, y: Floats, near: Mapping[str, Body]) -> None:
    """Put what is not held of a state where other bodies are."""
    d = system.dimension
    for body in system.bodies:
        if (there := near.get(body.name)) is None or there.position is None:
            continue
        own = system.own(y, body)
        if not body.held[0]:
            own[:d] = there.position[:d]
        if not body.held[1]:
            own[d : 3 if d == 2 else 7] = there.angle if d == 2 else there.quaternion


def _fit_positions(system: RowSystem, given: Given, y: Floats, on_branch: bool = False) -> bool:
    """Move what is not held of a state until all joints fit; raises SceneError where they cannot.

    on_branch: is the state a guess of all that is not held, from which only a path may lead on? Returns whether the
    path from the guesses ended, so that a search took its place.
    """
    system.configure(y)
    if not system.joints:
        return False
    used, small, rounding = system.closing(), ALLOWED * system.size(), 1e-15 * system.size()
    value, held, searched = system.tables.value, _held(system)[:, :2], False
    if np.abs(value * used).max(initial=0.0) <= rounding and not turned_over(system) and all(
            joint.assembly is None for joint in system.joints):
        return False
    released = np.column_stack([np.zeros(len(held)), held[:, 1]])
    free = free_coordinates(system, held)
    guessed = np.ones_like(free) if on_branch else _guessed(system, given.start)
    for choice in (held, released) if given.project else (held,):
        free = free_coordinates(system, choice)
        if free.any() and (np.abs(value * used).max(initial=0.0) > rounding or turned_over(system)):
            way = close_near(system, y, free, used, guessed, not on_branch) if (free * guessed).any() else None
            searched = bool(way)
            if way is None and not on_branch:
                close_loops(system, y, free, used)
        if np.abs(value * used).max(initial=0.0) <= small and not turned_over(system):
            break
    _refuse_positions(system, given, used, bool(free.any()))
    for joint in system.joints:
        if joint.assembly is not None:
            try:
                choose_assembly(system, joint, y, free, used)
            except GranumError as error:
                raise ContradictingStartError([Problem(f"{joint.place}.assembly", str(error))]) from None
    if np.abs(value * used).max(initial=0.0) > rounding:  # what is given is rounded
        close_loops(system, y, np.ones_like(free), used)
    return searched


def _fit_velocities(system: RowSystem, given: Given, y: Floats) -> None:
    rate, held = system.tables.rate, _held(system)[:, 2:]
    used = np.ones(len(rate))
    choices = (held, np.zeros_like(held)) if given.project else (held,)
    for choice in choices:
        if not rate.any():
            return
        push(system, y, nearest(system, rate, free_coordinates(system, choice), used))
        if not _velocity_problems(system, given):
            return
    raise ContradictingStartError(_lost_rotations(system, given) or _velocity_problems(system, given))


def _lost_rotations(system: RowSystem, given: Given) -> list[Problem]:
    """Thin bodies that violated joints rotate about their own axes, where no momentum holds a rotation."""
    places = {problem.place for problem in _velocity_problems(system, given)}
    thin = dict.fromkeys(end.body.name for joint in system.joints if joint.place in places and acts_on_thin(joint)
                         for end in (joint.one, joint.two) if end.body.thin)
    if system.dimension == 2 or not thin:
        return []
    first, *others = thin
    also = f" The same holds for {listed(others)}." if others else ""
    return [Problem(f"body.{first}", "is thin and has no moment of inertia about its own axis, but with the velocities "
                                     f"of the start its joints rotate it about that axis.{also}", "Give it a radius.")]


def _refuse_positions(system: RowSystem, given: Given, used: Floats, movable: bool) -> None:
    """Name the joints that do not fit, by how much, and which given values hold them apart."""
    own_tables, problems, size, turned = system.tables, [], system.size(), turned_over(system)
    for k, joint in enumerate(system.joints):
        own = slice(system.first[k], system.first[k + 1])
        value = np.abs(own_tables.value[own] * used[own])
        if value.max(initial=0.0) <= ALLOWED * size and joint not in turned:
            continue
        apart = float(np.linalg.norm(own_tables.joints[k, tables.APART : tables.APART + 3]))
        values = _given(system, given.start, joint, (1,) if given.project else (0, 1))
        held = (f" {'However the other bodies move, these values' if movable else 'These values'} prevent it: "
                f"{values}.") if values else ""
        problems.append(Problem(joint.place, _finding(joint, value, apart) + held, _remedy(values, given.project)))
    if problems:
        raise ContradictingStartError(problems)


def _remedy(given: str, projected: bool) -> str:
    """What to do about values that are held; positions are not where the start is projected."""
    if not given:
        return "No configuration of the bodies satisfies it: check the lengths, points and other joints of the loop."
    if projected:
        return ("project_start adjusts positions and keeps angles. Give consistent angles, omit some so that they "
                "follow from the joints, or mark approximate ones in guess = [...].")
    return ("Give consistent values, omit some so that they follow from the joints, mark approximate ones in guess = "
            "[...], or set [run] project_start = true to adjust the positions.")


def _given(system: RowSystem, starts: Mapping[str, Start], joint: Joint, which: Sequence[int]) -> str:
    """Values that are held of the bodies of a joint, and of those that further joints connect to it."""
    near, parts = {joint.one.body.name, joint.two.body.name}, []
    while True:
        more = {name for other in system.joints for name in (other.one.body.name, other.two.body.name)
                if near & ({other.one.body.name, other.two.body.name} - {"ground"})}
        if more <= near:
            break
        near |= more
    for body in system.bodies:
        if body.name not in near:
            continue
        start = starts.get(body.name)
        for k in which:
            if start is not None and body.given[k]:
                key = "angle" if k == 1 and start.angle is not None else _KEYS[k]
                parts.append(f"start.{body.name}.{key} = {_shown(getattr(start, key))}")
    return ", ".join(parts[:_SHOWN]) + (", ..." if len(parts) > _SHOWN else "")


def _shown(value: float | tuple[float, ...]) -> str:
    return f"{value:.6g}" if isinstance(value, float) else f"[{', '.join(f'{c:.6g}' for c in value)}]"


def _finding(joint: Joint, value: Floats, apart: float) -> str:
    """How a joint is violated, from the absolute values of its rows and the distance of its points."""
    one, two, worst = joint.one.name, joint.two.name, float(value.max())
    if worst <= ALLOWED:
        return (f'"{two}" is turned over relative to "{one}" at the start: the axes that this {joint.kind} holds '
                "together point to opposite sides.")
    if joint.meets and apart > 0.0:
        return (f'the points "{one}" and "{two}" are {apart:.3g} m apart at the start, but the joint makes them '
                "coincide.")
    if joint.measured == "displacement":
        moved = [size for row, size in zip(joint.rows, value, strict=True) if row.element not in tables.ROTATIONS]
        beside = float(np.linalg.norm(moved))
        if beside > 0.1 * worst:
            return f'"{two}" is {beside:.3g} m off the line through "{one}" along axis at the start.'
        return (f'"{two}" is rotated by {worst:.3g} rad relative to "{one}" at the start, but the slider prevents '
                "rotation.")
    if joint.length is not None:
        return (f"the distance of its ends differs from its length by {abs(apart - joint.length):.3g} m at the "
                "start.")
    if joint.contact:
        flat = joint.rows[0].element in tables.ON_PLANE
        gap = worst if flat else abs(apart - joint.rows[0].offset)
        return f'"{two}" and "{one}" do not touch at the start: the gap is {gap:.3g} m.'
    return f"the start violates it by {worst:.3g}."


def _velocity_problems(system: RowSystem, given: Given) -> list[Problem]:
    own_tables, problems = system.tables, []
    speed = max(float(np.abs(own_tables.bodies.motion[:, VX : VZ + 1]).max(initial=0.0)),
                float(np.abs(own_tables.bodies.motion[:, WX : WZ + 1]).max(initial=0.0)) * system.size(),
                float(np.abs(own_tables.drive).max(initial=0.0)))
    for k, joint in enumerate(system.joints):
        worst = float(np.abs(own_tables.rate[system.first[k] : system.first[k + 1]]).max(initial=0.0))
        if worst > ALLOWED * max(speed, 1e-9):
            values = "" if given.project else _given(system, given.start, joint, (2, 3))
            what = "the motion contradicts the other joints" if joint.driven else \
                "the initial velocities violate it"
            held = f" Given values: {values}." if values else ""
            problems.append(Problem(
                joint.place, f"{what}: the error is {worst:.3g} m/s or rad/s.{held}",
                "No velocities of the bodies satisfy all joints and drives: check them." if given.project else
                "Give consistent velocities, omit some so that they follow, or set [run] project_start = true to "
                "adjust them."))
    return problems
