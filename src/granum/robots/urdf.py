"""URDF, the robot descriptions of ROS, as a tree of links.

Source of what elements mean: the URDF specification (wiki.ros.org/urdf/XML). The root link is fixed to the ground, as
URDF has no word for it, unless a free base is asked for.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from granum.base.errors import did_you_mean
from granum.base.kernels import Floats
from granum.base.rotations import product
from granum.robots.elements import Element, LeftOut, Reading, View
from granum.robots.mjcf_settings import axis_of
from granum.robots.names import Names
from granum.robots.tree import ZERO, Actuator, Coupling, Inertial, Joint, Link, Pose, Robot, Shape, about
from granum.robots.unread import list_unread

MODEL = "a URDF file, such as robot.urdf"
KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical")
WHY = {
    "visual": "appearance", "collision": "contacts between bodies without grains are not simulated",
    "material": "appearance", "gazebo": "settings of Gazebo", "mimic": "only hinges and sliders follow others",
    "safety_controller": "settings of controllers", "calibration": "settings of controllers",
    "limit velocity": "limits of speed have no counterpart",
    "transmission": "a joint of an actuator has no counterpart", "contact": "settings of contacts",
    "sensor": "sensors have no counterpart"}
_INERT = ("name", "version", "xmlns:xacro", "xmlns")


def read_urdf(path: Path, free_base: bool = False) -> tuple[Robot, list[LeftOut]]:
    """The robot of a URDF file; raises SceneError with every problem found."""
    reading = Reading(path, MODEL)
    root = reading.root()
    if root.tag != "robot":
        reading.problem(root, "is not URDF: its outermost element must be <robot>.", "Give a URDF or MJCF file.")
        reading.stop()
    root.visited = True
    for element in root.walk():
        if element.tag.startswith("xacro:"):
            reading.problem(element, "is a macro of xacro.", "Expand it first: xacro robot.urdf.xacro > robot.urdf")
            reading.stop()
    reader = _Reader(reading, root)
    reading.stop()
    base = reader.order()
    reading.stop()
    if free_base:
        reader.links[0].joint = Joint(reader.joint_names.unique("free-base"), "free", root.line)
    robot = Robot(View(reading, root).text("name") or path.stem, reader.links, np.array([0.0, 0.0, -9.81]),
                  actuators=reader.actuators)
    reader.couple(robot)
    reading.stop()
    state = "is free (--free-base)" if free_base else "is fixed to the ground; --free-base sets it free"
    robot.notes = ["URDF does not give gravity: it is taken as 9.81 m/s² along -z.", f'The root link "{base}" {state}.']
    list_unread(reading, root, WHY, _INERT)
    return robot, reading.left_out


class _Reader:
    """Links and joints as they stand in the file, then in the order of the tree."""

    def __init__(self, reading: Reading, root: Element) -> None:
        self.reading, self.root = reading, root
        self.links: list[Link] = []
        self.names, self.joint_names = Names(), Names()
        self.actuator_names = Names()
        self.actuators: list[Actuator] = []
        self.mimics: list[tuple[Element, Joint]] = []
        """What joints follow others."""
        self.motors = self._motors(root)
        """Names of the actuators of joints."""
        self.elements = self._by_name(root.all("link"))
        self.joints = self._by_name(root.all("joint"))
        if not self.elements:
            reading.problem(root, "has no link.", "Give a robot with links.")

    def _motors(self, root: Element) -> dict[str, str]:
        """Names of actuators by joint, from the transmissions; ratios count at the motor, efforts at the joint."""
        found: dict[str, str] = {}
        for transmission in root.all("transmission"):
            joints, motors = transmission.all("joint"), transmission.all("actuator")
            simple = len(joints) == 1 and len(motors) == 1
            if simple:
                found[joints[0].name] = motors[0].name or transmission.name
                self.reading.leave_out(transmission, "its motor acts at the joint, without reduction")
            else:
                self.reading.leave_out(transmission, "transmissions of several joints have no counterpart")
        return found

    def _by_name(self, elements: list[Element]) -> dict[str, Element]:
        """Elements by their names, each of which must be there once."""
        found: dict[str, Element] = {}
        for element in elements:
            name = View(self.reading, element).required("name", f"the name of the {element.tag}")
            if name in found:
                self.reading.problem(element, f"the name is already used in line {found[name].line}.",
                                     "Use each name once.")
            found.setdefault(name, element)
        return found

    def order(self) -> str:
        """Put the links in the order of the tree, the root first; returns its name."""
        below: dict[str, list[tuple[str, Element]]] = {}
        parent_of: dict[str, int] = {}
        for element in self.joints.values():
            ends = [self._end(element, tag) for tag in ("parent", "child")]
            if not all(ends):
                continue
            if ends[1] in parent_of:
                self.reading.problem(element, f'its child "{ends[1]}" is already that of the joint in line '
                                     f"{parent_of[ends[1]]}: loops are not part of URDF.", "Remove one of them.")
                continue
            parent_of[ends[1]] = element.line
            below.setdefault(ends[0], []).append((ends[1], element))
        self.reading.stop()
        roots = [name for name in self.elements if name not in parent_of]
        if len(roots) != 1:
            named = ", ".join(roots[:5])
            self.reading.problem(self.root, f"found {len(roots)} root links{': ' if roots else ''}{named}, but a robot "
                                 "is a tree with one.", "Connect all links by joints, without loops.")
            return ""
        waiting: list[tuple[str, int | None, Element | None]] = [(roots[0], None, None)]
        while waiting:
            name, parent, joint = waiting.pop()
            own = self.link(name, parent, joint)
            waiting += [(child, own, element) for child, element in reversed(below.get(name, []))]
        for name, element in self.elements.items():
            if name not in self.names.given:
                self.reading.problem(element, f'no joints lead from the root "{roots[0]}" to it.',
                                     "Connect all links by joints, without loops.")
        return roots[0]

    def _end(self, element: Element, tag: str) -> str:
        """The link at one end of a joint."""
        end = element.first(tag)
        if end is None:
            self.reading.problem(element, f"has no <{tag}>.", f'Give <{tag} link="..."/>.')
            return ""
        name = View(self.reading, end).required("link", "the name of a link")
        if name and name not in self.elements:
            self.reading.problem(end, f'link = "{name[:80]}", but there is no such link.',
                                 did_you_mean(name, self.elements, "link"))
            return ""
        return name

    def link(self, name: str, parent: int | None, connection: Element | None) -> int:
        """A link and what connects it to its parent; returns its index."""
        element, own = self.elements[name], self.names.unique(name)
        pose, joints = (Pose(), []) if connection is None else self.joint(connection)
        for joint in joints[:-1]:
            self.links.append(Link(self.names.unique(f"{own}-{joint.name}"), element.line, parent, pose, joint))
            parent, pose = len(self.links) - 1, Pose()
        self.links.append(Link(own, element.line, parent, pose, joints[-1] if joints else None,
                               self.inertial(element), shape=self.shape(element)))
        for shape in (*element.all("visual"), *element.all("collision")):
            self.reading.note(shape, shape.tag, shape.name or f"of {name}", WHY[shape.tag])
            shape.cover()
        return len(self.links) - 1

    def inertial(self, element: Element) -> Inertial | None:
        """Mass properties of a link."""
        given = element.first("inertial")
        if given is None:
            return None
        mass, inertia = given.first("mass"), given.first("inertia")
        if mass is None:
            self.reading.problem(given, "has no <mass>.", 'Give <mass value="..."/>.')
            return None
        weight = View(self.reading, mass).number("value")
        if weight < 0.0:
            self.reading.problem(mass, f"value = {weight:g} kg, but a mass must not be negative.")
        view = None if inertia is None else View(self.reading, inertia)
        xx, yy, zz, xy, xz, yz = (0.0 if view is None else view.number(name)
                                  for name in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
        own = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        pose = self.origin(given)
        return Inertial(weight, ZERO, own).seen_from(pose) if weight > 0.0 or own.any() else None

    def shape(self, element: Element) -> Shape | None:
        """The only simple shape of a link: what collides, or what is seen."""
        for tag in ("collision", "visual"):
            outer = element.all(tag)
            solids = [solid for part in outer if (geometry := part.first("geometry")) is not None
                      for solid in geometry.all("box", "sphere", "cylinder")]
            if len(outer) == len(solids) == 1:
                view, pose = View(self.reading, solids[0]), self.origin(outer[0])
                if view.element.tag == "box":
                    return Shape("box", 0.5 * view.vector("size"), pose)
                size = [view.number("radius"), *([0.5 * view.number("length")] if view.has("length") else [])]
                return Shape(view.element.tag, np.array(size), pose)
        return None

    def origin(self, element: Element) -> Pose:
        """<origin xyz rpy>: roll, pitch and yaw are about the fixed axes x, y and z, one after the other."""
        given = element.first("origin")
        if given is None:
            return Pose()
        view = View(self.reading, given)
        roll, pitch, yaw = view.vector("rpy")
        x, y, z = np.eye(3)
        turned: Floats = product(product(about(z, float(yaw)), about(y, float(pitch))), about(x, float(roll)))
        return Pose(view.vector("xyz"), turned)

    def joint(self, element: Element) -> tuple[Pose, list[Joint]]:
        """Pose of the child in its parent, and its joints: none for a fixed one, three for a planar one."""
        view, pose = View(self.reading, element), self.origin(element)
        kind = view.choice("type", KINDS, "fixed")
        if kind == "fixed":
            return pose, []
        name, line = self.joint_names.unique(element.name), element.line
        if kind in ("floating", "spherical"):
            return pose, [Joint(name, "free" if kind == "floating" else "ball", line)]
        given = element.first("axis")
        axis = np.eye(3)[0] if given is None else axis_of(View(self.reading, given), (1.0, 0.0, 0.0), "xyz")
        if kind == "planar":  # moves across its axis and rotates about it
            across = np.linalg.svd(axis[None, :])[2][1:]
            return pose, [*(Joint(self.joint_names.unique(f"{name}-{letter}"), "slider", line, side)
                            for letter, side in zip("xy", across, strict=True)), Joint(name, "hinge", line, axis)]
        joint = Joint(name, "slider" if kind == "prismatic" else "hinge", line, axis)
        self.dynamics(element, joint, bounded=kind != "continuous")
        if (mimic := element.first("mimic")) is not None:
            self.mimics.append((mimic, joint))
        return pose, [joint]

    def couple(self, robot: Robot) -> None:
        """<mimic>: a joint is at multiplier times the position of another, plus offset."""
        joints = robot.joints()
        for element, joint in self.mimics:
            view = View(self.reading, element)
            name = view.required("joint", "the name of the joint to follow")
            leader = joints.get(self.joint_names.given.get(name, ""))
            if leader is None or leader.kind not in ("hinge", "slider"):
                self.reading.note(element, "mimic", f"of {joint.name}", f"it follows {name[:80]}, which does not turn "
                                  "or slide about one axis")
                continue
            robot.couplings.append(Coupling(
                self.joint_names.unique(f"{joint.name}-mimic"), (leader.name, joint.name),
                view.number("multiplier", 1.0), view.number("offset"), element.line))
        elements = {joint.name: element for element, joint in self.mimics}
        for coupling in robot.follow():
            self.reading.problem(elements[coupling.joints[1]], f'the joint "{coupling.joints[1]}" follows itself.',
                                 "Let it follow another joint.")

    def dynamics(self, element: Element, joint: Joint, bounded: bool) -> None:
        """Damping, dry friction, limits and the largest effort of a joint."""
        dynamics, limit = element.first("dynamics"), element.first("limit")
        if dynamics is not None:
            view = View(self.reading, dynamics)
            joint.damping, joint.friction = view.number("damping"), view.number("friction")
            for name, value in (("damping", joint.damping), ("friction", joint.friction)):
                if value < 0.0:
                    self.reading.problem(dynamics, f"{name} = {value:g}, but it must not be negative.")
        if limit is None:
            return
        view = View(self.reading, limit)
        lower, upper, effort = view.number("lower"), view.number("upper"), view.number("effort", math.inf)
        if bounded and lower < upper:
            joint.limits = lower, upper
        if 0.0 < effort < math.inf:
            name = self.motors.get(element.name, f"{joint.name}-motor")
            self.actuators.append(Actuator(self.actuator_names.unique(name), joint.name, 1.0, (0.0, 0.0, 0.0), 0.0,
                                           effort))
        if view.number("velocity") != 0.0:
            self.reading.note(limit, "joint limit velocity", f"{element.name} = {view.text('velocity')}",
                              WHY["limit velocity"])
