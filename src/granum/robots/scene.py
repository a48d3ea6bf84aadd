"""A robot as the text of a scene: one rigid body for each link that moves, one joint for each of its joints."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from granum.base.errors import Problem, SceneError
from granum.base.kernels import Floats
from granum.robots.acting import actuator, carried, friction, inertia_of, remark, spring, stop
from granum.robots.elements import LeftOut, summarised
from granum.robots.names import Names
from granum.robots.text import comment, plain, printable, symmetric, vector
from granum.robots.tree import GROUND, Closure, Joint, Link, Pose, Robot, merged, placed_links

_OPEN = 1e-9
"""Distance [m] up to which a loop counts as closed; beyond, positions are guesses."""


class SceneText:
    """The tables of a scene, as they are collected."""

    def __init__(self, robot: Robot, left_out: Sequence[LeftOut], source: str) -> None:
        self.robot, self.left_out, self.source = merged(robot), list(left_out), source
        self.links = self.robot.links
        self.placed = placed_links(self.links)
        self.carried = carried(self.links, self.placed)
        if not self.links:
            raise SceneError([Problem("", "nothing in it moves: it has no joints.", "For a URDF, --free-base sets the "
                                      "root link free.")], source)
        _refuse_masses(self.links, source)
        self.point_names = [Names() for _ in self.links]
        self.points: list[dict[str, Floats]] = [
            {names.unique(name): at for name, at in link.points.items()}
            for link, names in zip(self.links, self.point_names, strict=True)]
        """Named points of each body, in the axes of its link."""
        self.fixed: dict[str, Floats] = {}
        self.body_names = Names(link.name for link in self.links)
        self.constraints: list[str] = []
        self.loads: list[str] = []
        self.massless = [link.name for link in self.links if link.inertial is None]
        self.guess = any(np.linalg.norm(np.diff(self._closing_points(closure), axis=0)) > _OPEN
                         for closure in self.robot.closures)
        for k, link in enumerate(self.links):
            if link.joint is not None:
                self._joint(k, link.joint)
        for closure in self.robot.closures:
            self._closure(closure)
        for coupling in self.robot.couplings:
            self.constraints += [f"[constraint.{coupling.name}]", 'kind = "gear"',
                                 f"joints = {json.dumps(coupling.joints)}", f"ratio = {plain(coupling.ratio)}", ""]
        self.notes = [*self.robot.notes, *self._commands()]
        """What a reader of the scene must know."""

    # ---- joints

    def end(self, link: int | None, name: str, place: Floats) -> str:
        """The name of a point, given in inertial axes at the start."""
        if link is None:
            own = self.body_names.unique(f"{name}-ground")
            self.fixed[own] = place
            return own
        point = self.point_names[link].unique(name)
        self.points[link][point] = self.placed[link].pose.inside(place)
        return f"{self.links[link].name}.{point}"

    def _joint(self, k: int, joint: Joint) -> None:
        """The joint of a link, with its spring and stops; a free link has none."""
        if joint.kind == "free":
            return
        pose = self.placed[k].pose
        place, axis = pose.point(joint.anchor), pose.rotation @ joint.axis
        ends = [self.end(self.links[k].parent, joint.name, place), self.end(k, joint.name, place)]
        self.constraints += [f"[constraint.{joint.name}]",
                             f'kind = "{"ball-joint" if joint.kind == "ball" else joint.kind}"',
                             f"between = {json.dumps(ends)}",
                             *([] if joint.kind == "ball" else self._axis(k, joint, axis)), ""]
        if joint.kind != "ball":
            self.loads += spring(joint)
            self.loads += friction(joint)
            self.loads += stop(joint, inertia_of(joint, pose, self.carried[k]))

    def _axis(self, k: int, joint: Joint, axis: Floats) -> list[str]:
        """The axis of the joint of a link, given in inertial axes; in those of its bodies where they are guesses."""
        if not self.guess:
            return [f"axis = {vector(axis)}"]
        one, two = self._axes(self.links[k].parent), self._axes(k)
        return [f"axis = {vector(one.rotation.T @ axis)}", 'axis_in = "body"',
                f"second_axis = {vector(two.rotation.T @ axis)}" if joint.kind == "hinge" else _relative(one, two)]

    def _axes(self, link: int | None) -> Pose:
        """Where the axes of a body are at the start."""
        return GROUND.pose if link is None else self.placed[link].pose.then(self.links[link].body_axes)

    def _closing_points(self, closure: Closure) -> list[Floats]:
        """Where both points of a connection are at the start."""
        return [(GROUND if link is None else self.placed[link]).pose.point(at) for link, at in closure.ends]

    def _closure(self, closure: Closure) -> None:
        """A connection that closes a loop."""
        places = self._closing_points(closure)
        ends = [self.end(link, closure.name, place) for (link, _), place in zip(closure.ends, places, strict=True)]
        self.constraints += [f"[constraint.{closure.name}]", f'kind = "{closure.kind}"',
                             f"between = {json.dumps(ends)}"]
        if self.guess and closure.kind == "glue":
            one, two = (self._axes(link) for link, _ in closure.ends)
            self.constraints.append(_relative(one, two))
        self.constraints.append("")

    # ---- text

    def text(self, head: Sequence[str]) -> str:
        """The scene file."""
        title = json.dumps(printable(self.robot.title)[:200], ensure_ascii=False)
        return "\n".join([
            *head, *self._comments(), f"title = {title}", "", *self._bodies(), *self.constraints, *self._gravity(),
            *self.loads, *self._actuators(), "[run]", "until = 1.0", ""])

    def _comments(self) -> list[str]:
        """What a reader must know, and what was left out."""
        lines = [line for note in self.notes for line in comment(note)]
        if self.massless:
            lines += comment(f"Links without mass, which only carry joints: {', '.join(self.massless)}. Granum takes "
                              "the formulation fundamental for them.")
        if self.guess:
            lines += comment("Loops are open at the start: positions are guesses, from which Granum closes them.")
        if any(link.joint is not None and link.joint.limits is not None for link in self.links):
            lines += comment("Stops are springs and dampers that stop what the joint carries within some 20 ms, as "
                             "MuJoCo's do; set them to what the robot has.")
        if self.left_out:
            lines.append("# Not converted:")
        return [*lines, *(line for entry in summarised(self.left_out) for line in comment(entry, "  "))]

    def _bodies(self) -> list[str]:
        """Fixed points, bodies and their start."""
        lines: list[str] = []
        moves = any(link.joint is not None and link.joint.velocity is not None for link in self.links)
        for name, place in self.fixed.items():
            lines += [f"[body.{name}]", 'kind = "fixed-point"', f"position = {vector(place)}", ""]
        for k, link in enumerate(self.links):
            axes, placed = link.body_axes, self.placed[k]
            lines += [f"[body.{link.name}]", *_mass(link)]
            lines += [f"points.{name} = {vector(axes.inside(at))}" for name, at in self.points[k].items()]
            centre, orientation = placed.pose.then(axes)
            lines += ["", f"[start.{link.name}]", f"position = {vector(centre)}",
                      f"orientation = {vector(orientation)}"]
            if self.guess:
                lines.append('guess = ["position", "orientation"]')
            if moves:
                lines += [f"velocity = {vector(placed.velocity_at(centre))}",
                          f"angular_velocity = {vector(placed.angular_velocity)}"]
            lines.append("")
        return lines

    def _gravity(self) -> list[str]:
        if not np.any(self.robot.gravity):
            return []
        return ["[load.gravity]", 'kind = "gravity"', f"acceleration = {vector(self.robot.gravity)}", ""]

    def _joints(self) -> dict[str, Joint]:
        return {link.joint.name: link.joint for link in self.links if link.joint is not None}

    def _actuators(self) -> list[str]:
        joints = self._joints()
        return [line for entry in self.robot.actuators for line in actuator(entry, joints[entry.joint])]

    def _commands(self) -> list[str]:
        """What commands have to do with the controls of the model, where they differ in unit, sign or zero."""
        joints = self._joints()
        remarks = [text for entry in self.robot.actuators if (text := remark(entry, joints[entry.joint]))]
        return ["Commands act at the joints, behind their gears, and positions count from the start. For a control u "
                f"of the model: {'; '.join(remarks)}."] if remarks else []


def _relative(one: Pose, two: Pose) -> str:
    """The orientation of the second body relative to the first."""
    inverse = one.quaternion * np.array([1.0, -1.0, -1.0, -1.0])
    return f"relative_orientation = {vector(Pose(quaternion=inverse).then(two).quaternion)}"


def _refuse_masses(links: Sequence[Link], source: str) -> None:
    """Raise SceneError where the inertia of a link is impossible, or where nothing that a link carries has mass."""
    problems = [Problem(f'"{link.name}"', finding, remedy, link.line) for link in links
                for finding, remedy in _defects(link)]
    carries = [link.inertial is not None for link in links]
    for k in reversed(range(len(links))):
        parent = links[k].parent
        if parent is not None:
            carries[parent] = carries[parent] or carries[k]
        joint = links[k].joint
        if links[k].inertial is None and joint is not None and joint.kind == "free":
            problems.append(Problem(f'"{links[k].name}"', "is free, but has no mass.", "Give it a mass and inertia.",
                                    links[k].line))
        elif not carries[k]:
            problems.append(Problem(f'"{links[k].name}"', "moves, but neither it nor what it carries has mass.",
                                    "Give it a mass and inertia, or fix it.", links[k].line))
    if problems:
        raise SceneError(sorted(problems, key=lambda p: p.line or 0), source)


def _mass(link: Link) -> list[str]:
    """Kind of the body of a link, its mass, and its shape or inertia."""
    own, solid = link.inertial, link.solid
    if own is None:
        return ['kind = "massless-body"']
    mass = f"mass = {plain(own.mass)}"
    if solid is not None and solid.kind == "sphere":
        return ['kind = "sphere"', mass, f"radius = {plain(solid.size[0])}"]
    if solid is not None and solid.kind == "ellipsoid":
        return ['kind = "ellipsoid"', mass, f"semi_axes = {vector(solid.size)}"]
    if solid is not None and solid.kind == "box":
        return ['kind = "block"', mass, f"size = {vector(2.0 * solid.size)}"]
    if solid is not None and solid.kind == "cylinder":
        return ['kind = "rod"', mass, f"length = {plain(2.0 * solid.size[1])}", f"radius = {plain(solid.size[0])}"]
    return ['kind = "rigid-body"', mass, f"inertia = {symmetric(own.inertia)}"]


def _defects(link: Link) -> list[tuple[str, str]]:
    """What is wrong with the inertia of a link."""
    if link.inertial is None:
        return []
    if link.inertial.mass <= 0.0:
        return [("has moments of inertia, but no mass.", "Give it a mass.")]
    moments = np.linalg.eigvalsh(link.inertial.inertia)
    shown = ", ".join(f"{moment:.6g}" for moment in moments)
    if moments[0] <= 0.0:
        return [(f"has the principal moments of inertia {shown} kg m², but all must be positive for a link that moves.",
                 "Give its inertia.")]
    if moments[2] > (moments[0] + moments[1]) * (1.0 + 1e-12):
        return [(f"has the principal moments of inertia {shown} kg m², but no body has one that exceeds the sum of the "
                 "others.", "Correct its inertia.")]
    return []
