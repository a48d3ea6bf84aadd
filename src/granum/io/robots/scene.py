"""A robot as the text of a scene: one rigid body for each link that moves, one joint for each of its joints."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence

import numpy as np

from granum.base.errors import Problem, SceneError
from granum.base.kernels import Floats
from granum.io.robots.elements import LeftOut
from granum.io.robots.names import Names
from granum.io.robots.tree import GROUND, Closure, Joint, Link, Robot, merged, placed_links

_OPEN = 1e-9
"""Distance [m] up to which a loop counts as closed; beyond, positions are guesses."""


class SceneText:
    """The tables of a scene, as they are collected."""

    def __init__(self, robot: Robot, left_out: Sequence[LeftOut], source: str) -> None:
        self.robot, self.left_out, self.source = merged(robot), list(left_out), source
        self.links = self.robot.links
        self.placed = placed_links(self.links)
        _refuse_masses(self.links, source)
        self.points: list[dict[str, Floats]] = [
            {_point_name(name): at for name, at in link.points.items()} for link in self.links]
        """Named points of each body, in the axes of its link."""
        self.fixed: dict[str, Floats] = {}
        self.body_names = Names(link.name for link in self.links)
        self.constraints: list[str] = []
        self.loads: list[str] = []
        self.massless = [link.name for link in self.links if link.inertial is None]
        for k, link in enumerate(self.links):
            if link.joint is not None:
                self._joint(k, link.joint)
        gaps = [self._closure(closure) for closure in self.robot.closures]
        self.guess = max(gaps, default=0.0) > _OPEN

    # ---- joints

    def end(self, link: int | None, name: str, place: Floats) -> str:
        """The name of a point, given in inertial axes at the start."""
        if link is None:
            own = self.body_names.unique(f"{name}-ground")
            self.fixed[own] = place
            return own
        self.points[link][name] = self.placed[link].pose.inside(place)
        return f"{self.links[link].name}.{name}"

    def _joint(self, k: int, joint: Joint) -> None:
        """The joint of a link, with its spring and limits; a free link has none."""
        if joint.kind == "free":
            return
        pose = self.placed[k].pose
        place, axis = pose.point(joint.anchor), pose.rotation @ joint.axis
        ends = [self.end(self.links[k].parent, joint.name, place), self.end(k, joint.name, place)]
        self.constraints += [f"[constraint.{joint.name}]",
                             f'kind = "{"ball-joint" if joint.kind == "ball" else joint.kind}"',
                             f"between = {json.dumps(ends)}"]
        if joint.kind != "ball":
            self.constraints.append(f"axis = {_vector(axis)}")
        self.constraints.append("")
        self._spring(joint)
        if joint.limits is not None:
            low, high = joint.limits
            self.left_out.append(LeftOut("joint range", f"{joint.name} = {low:g} to {high:g}", joint.line,
                                         "joint limits have no counterpart"))

    def _spring(self, joint: Joint) -> None:
        """Stiffness and damping of a joint."""
        if joint.stiffness == 0.0 and joint.damping == 0.0:
            return
        if joint.kind == "slider":
            for name in ("stiffness", "damping"):
                if value := getattr(joint, name):
                    self.left_out.append(LeftOut(f"joint {name}", f"{joint.name} = {value:g}", joint.line,
                                                 f"{name} of a slider has no counterpart"))
            return
        self.loads += [f"[load.{joint.name}-spring]", 'kind = "torsion-spring"', f"hinge = {json.dumps(joint.name)}",
                       f"stiffness = {_plain(joint.stiffness)}"]
        if joint.stiffness != 0.0 and joint.spring_reference != joint.start:
            self.loads.append(f"rest_angle = {_plain(joint.spring_reference - joint.start)}")
        self.loads += [f"damping = {_plain(joint.damping)}", ""]

    def _closure(self, closure: Closure) -> float:
        """A connection that closes a loop; returns how far it is open at the start [m]."""
        places = [(GROUND if link is None else self.placed[link]).pose.point(at) for link, at in closure.ends]
        ends = [self.end(link, closure.name, place) for (link, _), place in zip(closure.ends, places, strict=True)]
        self.constraints += [f"[constraint.{closure.name}]", f'kind = "{closure.kind}"',
                             f"between = {json.dumps(ends)}", ""]
        return float(np.linalg.norm(places[1] - places[0]))

    # ---- text

    def text(self, head: Sequence[str]) -> str:
        """The scene file."""
        return "\n".join([
            *head, *self._comments(), f"title = {json.dumps(self.robot.title[:200], ensure_ascii=False)}", "",
            *self._bodies(), *self.constraints, *self._gravity(), *self.loads, *self._run()])

    def _comments(self) -> list[str]:
        """What a reader must know, and what was left out."""
        lines = [line for note in self.robot.notes for line in _wrapped(note)]
        if self.massless:
            lines += _wrapped(f"Links without mass, which only carry joints: {', '.join(self.massless)}. Granum takes "
                              "the formulation fundamental for them.")
        if self.guess:
            lines += _wrapped("Loops are open at the start: positions are guesses, from which Granum closes them.")
        grouped: dict[tuple[str, str], list[LeftOut]] = {}
        for entry in self.left_out:
            grouped.setdefault((entry.what, entry.why), []).append(entry)
        if grouped:
            lines.append("# Not converted:")
        for (what, why), entries in grouped.items():
            named = ", ".join(f"{entry.name} (line {entry.line})".strip() for entry in entries)
            lines += _wrapped(f"{what}: {named}: {why}.", "#   ")
        return lines

    def _bodies(self) -> list[str]:
        """Fixed points, bodies and their start."""
        lines: list[str] = []
        for name, place in self.fixed.items():
            lines += [f"[body.{name}]", 'kind = "fixed-point"', f"position = {_vector(place)}", ""]
        for k, link in enumerate(self.links):
            origin, placed = link.centre, self.placed[k]
            lines += [f"[body.{link.name}]", *_mass(link)]
            lines += [f"points.{name} = {_vector(at - origin)}" for name, at in self.points[k].items()]
            centre = placed.pose.point(origin)
            lines += ["", f"[start.{link.name}]", f"position = {_vector(centre)}",
                      f"orientation = {_vector(placed.pose.quaternion)}"]
            if self.guess:
                lines.append('guess = ["position", "orientation"]')
            if any(entry.joint is not None and entry.joint.velocity is not None for entry in self.links):
                lines += [f"velocity = {_vector(placed.velocity_at(centre))}",
                          f"angular_velocity = {_vector(placed.angular_velocity)}"]
            lines.append("")
        return lines

    def _gravity(self) -> list[str]:
        if not np.any(self.robot.gravity):
            return []
        return ["[load.gravity]", 'kind = "gravity"', f"acceleration = {_vector(self.robot.gravity)}", ""]

    def _run(self) -> list[str]:
        return ["[run]", "until = 1.0", ""]


def _refuse_masses(links: Sequence[Link], source: str) -> None:
    """Raise SceneError where the inertia of a link is impossible, or where nothing that a link carries has mass."""
    problems = [Problem(f'"{link.name}"', finding, remedy, link.line) for link in links
                for finding, remedy in _defects(link)]
    carries = [link.inertial is not None for link in links]
    for k in reversed(range(len(links))):
        parent = links[k].parent
        if parent is not None:
            carries[parent] = carries[parent] or carries[k]
        if not carries[k]:
            problems.append(Problem(f'"{links[k].name}"', "moves, but neither it nor what it carries has mass.",
                                    "Give it a mass and inertia, or fix it.", links[k].line))
    if problems:
        raise SceneError(sorted(problems, key=lambda p: p.line or 0), source)


def _mass(link: Link) -> list[str]:
    """Kind of the body of a link, its mass and inertia."""
    own = link.inertial
    if own is None:
        return ['kind = "massless-body"']
    return ['kind = "rigid-body"', f"mass = {_plain(own.mass)}", f"inertia = {_inertia(own.inertia)}"]


def _defects(link: Link) -> list[tuple[str, str]]:
    """What is wrong with the inertia of a link."""
    if link.inertial is None:
        return []
    moments = np.linalg.eigvalsh(link.inertial.inertia)
    shown = ", ".join(f"{moment:.6g}" for moment in moments)
    if moments[0] <= 0.0:
        return [(f"has the principal moments of inertia {shown} kg m², but all must be positive for a link that moves.",
                 "Give its inertia.")]
    if moments[2] > (moments[0] + moments[1]) * (1.0 + 1e-12):
        return [(f"has the principal moments of inertia {shown} kg m², but no body has one that exceeds the sum of the "
                 "others.", "Correct its inertia.")]
    return []


def _point_name(name: str) -> str:
    return Names().unique(name)


def _inertia(matrix: Floats) -> str:
    """Three moments, or the matrix."""
    even = 0.5 * (matrix + matrix.T)
    if not np.any(even - np.diag(np.diag(even))):
        return _vector(np.diag(even))
    return "[" + ", ".join(_vector(row) for row in even) + "]"


def _vector(values: Floats) -> str:
    return "[" + ", ".join(_plain(float(value)) for value in values) + "]"


def _plain(value: float) -> str:
    return repr(float(value) + 0.0)


def _wrapped(text: str, indent: str = "# ") -> list[str]:
    """A comment of several lines, whatever it contains."""
    clean = "".join(c if c.isprintable() else "?" for c in text)
    return textwrap.wrap(clean, 116, initial_indent=indent, subsequent_indent="# " if indent == "# " else "#     ",
                         break_on_hyphens=False)

