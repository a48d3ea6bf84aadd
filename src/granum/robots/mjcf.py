"""MJCF, the model files of MuJoCo, as a tree of links.

Source of what elements mean: the XML reference of MuJoCo (mujoco.readthedocs.io/en/stable/XMLreference.html). Parts
that have no counterpart in a scene are listed by name; what holds bodies and is not supported is refused.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeVar

import numpy as np

from granum.base.errors import did_you_mean
from granum.base.kernels import Floats
from granum.robots import shapes
from granum.robots.elements import Element, LeftOut, Reading, View
from granum.robots.mjcf_actuators import read_actuators
from granum.robots.mjcf_settings import Settings, axis_of, quaternion_to, read_document, unit
from granum.robots.names import Names
from granum.robots.tree import (
    ZERO,
    Closure,
    Coupling,
    Inertial,
    Joint,
    Link,
    Pose,
    Robot,
    Shape,
    combined,
    placed_links,
)
from granum.robots.unread import list_unread

_T = TypeVar("_T")
MODEL = "an MJCF file, such as arm.xml"
REFUSED = {
    "composite": "composite objects are not supported.", "flexcomp": "flexible bodies are not supported.",
    "attach": "attached models are not supported.", "replicate": "replicated elements are not supported.",
    "plugin": "plugins are not supported.", "deformable": "deformable bodies are not supported."}
"""Elements that hold bodies or forces and cannot be left out."""
WHY = {
    "sensor": "probes of a scene measure grains; a run records the motion of all bodies",
    "tendon": "tendons have no counterpart", "contact": "contacts between bodies without grains are not simulated",
    "visual": "appearance", "asset": "meshes, textures and materials", "statistic": "appearance", "size": "memory",
    "custom": "user data", "extension": "plugins", "camera": "appearance", "light": "appearance",
    "option": "settings of MuJoCo's solver", "flag": "settings of MuJoCo's solver",
    "joint armature": "rotor inertia has no counterpart",
    "body gravcomp": "gravity compensation has no counterpart", "geom": "contact and appearance",
    "compiler lengthrange": "muscles have no counterpart"}
_CONTACT = "its mass is part of the body; contact and appearance are not converted"
_INERT = ("name", "class", "group", "user", "sleep")
"""Attributes without influence on the mechanics."""


def read_mjcf(path: Path, keyframe: str = "") -> tuple[Robot, list[LeftOut]]:
    """The robot of an MJCF file, at its start or at a keyframe; raises SceneError with every problem found."""
    reading = Reading(path, MODEL)
    root = read_document(reading)
    reader = _Reader(reading, root)
    for world in root.all("worldbody"):
        reader.content(world, None, Pose(), "")
    reading.stop()
    reader.bound_masses()
    title = View(reading, root).text("model") or path.stem
    robot = Robot(title, reader.links, reader.gravity(root), notes=reader.notes)
    robot.closures = reader.closures(root, robot)
    robot.actuators = read_actuators(reading, reader.settings, root, robot.links,
                                     reader.joint_names.given)
    reader.keyframes(root, keyframe, robot)
    reading.stop()
    list_unread(reading, root, WHY, _INERT)
    return robot, reading.left_out


class _Reader:
    """Bodies and what is in them, from the outermost to the innermost."""

    def __init__(self, reading: Reading, root: Element) -> None:
        self.reading = reading
        self.settings = Settings(reading, root)
        self.links: list[Link] = []
        self.bodies: dict[str, int] = {}
        """Links by the names of their bodies in the file."""
        self.sites: dict[str, tuple[int | None, Floats]] = {}
        self.names, self.joint_names = Names(), Names()
        self.notes: list[str] = []

    # ---- bodies

    def content(self, element: Element, link: int | None, pose: Pose, inherited: str) -> None:
        """Everything inside a body, the world or a frame, which is at `pose` in the link."""
        for child in element.children:
            if child.tag in REFUSED:
                self.reading.problem(child, REFUSED[child.tag], "Give a model without it.")
            elif child.tag == "body":
                self.body(child, link, pose, inherited)
            elif child.tag == "frame":
                view = self.settings.view(child, "")
                own = pose.then(self.settings.pose(view))
                self.content(child, link, own, view.text("childclass") or inherited)
            elif child.tag == "site":
                self.site(child, link, pose, inherited)
            elif child.tag == "geom" and link is None:
                self.reading.leave_out(child, "contact and appearance of the ground are not converted")

    def body(self, element: Element, parent: int | None, outer: Pose, inherited: str) -> None:
        """A body: one link for each of its joints; all but the last have no mass."""
        view = View(self.reading, element)
        element.visited = True
        inherited = view.text("childclass") or inherited
        if element.name and element.name in self.bodies:
            self.reading.problem(element, "the name is already used.", "Use each name once.")
        name = self.names.unique(element.name or f"body-{len(self.links) + 1}")
        pose = outer.then(self.settings.pose(view))
        joints = self.joints(element, name, inherited)
        if view.flag("mocap", False):
            self.reading.leave_out(element, "a mocap body is moved by hand: it is fixed here", "mocap")
        if joints and joints[0].kind == "free" and (len(joints) > 1 or parent is not None):
            self.reading.problem(element, "has a free joint, but is not a child of the world, or has other joints too.",
                                 "Remove the free joint or the others.")
        for joint in joints[:-1]:
            between = self.names.unique(f"{name}-{joint.name}")
            self.links.append(Link(between, element.line, parent, pose, joint))
            parent, pose = len(self.links) - 1, Pose()
        self.links.append(Link(name, element.line, parent, pose, joints[-1] if joints else None))
        own = len(self.links) - 1
        self.bodies[element.name] = own
        self.weigh(self.links[own], element, inherited)
        self.content(element, own, Pose(), inherited)

    def site(self, element: Element, link: int | None, pose: Pose, inherited: str) -> None:
        """A named point."""
        own = pose.then(self.settings.pose(self.settings.view(element, inherited)))
        element.cover()
        self.sites[element.name] = link, own.position
        if element.name and link is not None:
            self.links[link].points[element.name] = own.position

    # ---- joints

    def joints(self, element: Element, body: str, inherited: str) -> list[Joint]:
        """Joints of a body, the outermost first; those inside frames are refused."""
        found = [self.joint(child, body, inherited) for child in element.all("joint", "freejoint")]
        for frame in element.all("frame"):
            for child in frame.all("joint", "freejoint", "inertial"):
                self.reading.problem(child, "stands in a frame.", "Put it directly into its body.")
        return found

    def joint(self, element: Element, body: str, inherited: str) -> Joint:
        """One joint."""
        view = self.settings.view(element, inherited)
        name = self.joint_names.unique(element.name or f"{body}-joint")
        if element.tag == "freejoint":
            view.text("align")
            return Joint(name, "free", element.line)
        kind = view.choice("type", ("free", "ball", "slide", "hinge"), "hinge")
        scale = math.radians(1.0) if kind == "hinge" and self.settings.degrees else 1.0
        damping, stiffness = self._first(view, "damping"), self._first(view, "stiffness")
        joint = Joint(
            name, "slider" if kind == "slide" else kind, element.line,  # type: ignore[arg-type]
            axis_of(view, (0.0, 0.0, 1.0)), view.vector("pos"), scale * view.number("ref"),
            stiffness, scale * view.number("springref"), damping, view.number("frictionloss"))
        if joint.friction < 0.0:
            self.reading.problem(element, f"frictionloss = {joint.friction:g}, but it must not be negative.")
        if kind == "free":
            joint.axis, joint.anchor = ZERO, ZERO
        self._limits(view, joint, scale)
        if kind in ("free", "ball"):
            for attribute, value in (("damping", damping), ("stiffness", stiffness), ("frictionloss", joint.friction)):
                if value != 0.0:
                    self.reading.leave_out(element, f"{attribute} of a {kind} joint has no counterpart", attribute)
            joint.damping = joint.stiffness = joint.friction = 0.0
        if view.number("armature") != 0.0:
            self.reading.note(element, "joint armature", f"{name} = {view.text('armature')}", WHY["joint armature"])
        return joint

    def _first(self, view: View, name: str) -> float:
        """A coefficient; further ones, of powers of the coordinate, are refused."""
        numbers = view.numbers(name, (1, 2, 3), [0.0])
        assert numbers is not None
        if np.any(numbers[1:]):
            self.reading.problem(view.element, f'{name} = "{view.text(name)[:60]}" is not linear.', "Give one number.")
        if numbers[0] < 0.0:
            self.reading.problem(view.element, f"{name} = {numbers[0]:g}, but it must not be negative.")
        return float(numbers[0])

    def _limits(self, view: View, joint: Joint, scale: float) -> None:
        """`range`, if it applies."""
        given, limited = view.numbers("range", 2), view.choice("limited", ("true", "false", "auto"), "auto")
        if given is None or limited == "false" or (limited == "auto" and not self.settings.auto_limits):
            return
        if joint.kind in ("free", "ball"):
            self.reading.leave_out(view.element, f"limits of a {joint.kind} joint have no counterpart", "range")
        elif given[0] < given[1]:
            joint.limits = scale * float(given[0]), scale * float(given[1])
            response = view.numbers("solreflimit", 2, joint.stop_response)
            assert response is not None
            if min(response) > 0.0:
                joint.stop_response = float(response[0]), float(response[1])
            else:
                self.reading.leave_out(view.element, "stops have the default response", "solreflimit")

    # ---- mass

    def weigh(self, link: Link, element: Element, inherited: str) -> None:
        """Mass properties of a link, from <inertial> or from the geoms."""
        given = element.first("inertial")
        use_geoms = self.settings.from_geoms == "true" or (self.settings.from_geoms == "auto" and given is None)
        parts = [part for geom, pose, handed in _geoms(self.settings, element, Pose(), inherited)
                 for part in self.geom(geom, pose, handed, use_geoms)]
        if given is not None and use_geoms:
            self.reading.leave_out(given, "the compiler's inertiafromgeom takes mass from the geoms instead")
        if use_geoms:
            link.inertial = combined([mass for mass, _ in parts])
            link.shape = parts[0][1] if len(parts) == 1 else None
        elif given is not None:
            link.inertial = self._given_inertial(given)

    def _given_inertial(self, element: Element) -> Inertial | None:
        """<inertial>."""
        view = View(self.reading, element)
        mass, pose = view.number("mass"), self.settings.pose(view)
        full, diagonal = view.numbers("fullinertia", 6), view.numbers("diaginertia", 3)
        if full is not None:
            xx, yy, zz, xy, xz, yz = full
            inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        else:
            inertia = np.diag(ZERO if diagonal is None else diagonal)
        if mass < 0.0:
            self.reading.problem(element, f"mass = {mass:g} kg, but a mass must not be negative.")
        return Inertial(mass, ZERO, inertia).seen_from(pose) if mass > 0.0 or inertia.any() else None

    def geom(self, element: Element, outer: Pose, inherited: str, needed: bool) -> list[tuple[Inertial, Shape]]:
        """Mass properties and shape of a geom in the axes of its body, if it has mass; the geom is listed."""
        view = self.settings.view(element, inherited)
        kind = view.choice("type", ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh",
                                    "sdf"), "sphere")
        group, mass = view.number("group"), view.number("mass", -1.0)
        density = view.number("density", 1000.0)
        pose, size = self._geom_frame(view, kind)
        shell = view.choice("shellinertia", ("true", "false"), "false") == "true"
        counts = needed and self.settings.groups[0] <= group <= self.settings.groups[1] and mass != 0.0 and (
            mass > 0.0 or density != 0.0) and kind not in ("plane", "hfield")
        self.reading.leave_out(element, _CONTACT if counts else "contact and appearance are not converted")
        if not counts:
            return []
        if kind in ("mesh", "sdf") or shell or view.has("mesh"):
            self.reading.problem(element, "the mass of a mesh or a shell is not computed here, but the body needs it.",
                                 "Give the body an <inertial>, or the geom mass=\"0\".")
            return []
        needs, solid = shapes.SOLIDS[kind]
        if len(size) < needs or np.any(size[:needs] <= 0.0):
            self.reading.problem(element, f'size = "{view.text("size")[:60]}", but a {kind} needs {needs} positive '
                                 f"{'number' if needs == 1 else 'numbers'}.")
            return []
        volume, moments = solid(size)
        if not (0.0 < volume < math.inf and np.isfinite(moments).all()):
            self.reading.problem(element, f'size = "{view.text("size")[:60]}", but the volume of this {kind} is beyond '
                                 "what numbers hold.", "Sizes are half lengths in metres.")
            return []
        weight, inner = mass if mass >= 0.0 else density * volume, outer.then(pose)
        return [(Inertial(weight, ZERO, weight * np.diag(moments)).seen_from(inner), Shape(kind, size[:needs], inner))]

    def _geom_frame(self, view: View, kind: str) -> tuple[Pose, Floats]:
        """Where a geom is in its body, and its size; `fromto` gives both ends of a long one."""
        size = view.numbers("size", (1, 2, 3), ())
        ends = view.numbers("fromto", 6) if kind in ("capsule", "cylinder", "ellipsoid", "box") else None
        assert size is not None
        if ends is None:
            return self.settings.pose(view), size
        along = ends[3:] - ends[:3]
        length = float(np.linalg.norm(along))
        if length == 0.0 or not len(size):
            self.reading.problem(view.element, "has no length or no size.", "Give two different points, and size.")
            return Pose(), np.ones(3)
        half = 0.5 * length
        sizes = np.array([size[0], half] if kind in ("capsule", "cylinder") else [size[0], size[0], half])
        return Pose(0.5 * (ends[:3] + ends[3:]), quaternion_to(along / length)), sizes

    def bound_masses(self) -> None:
        """`boundmass`, `boundinertia`, `balanceinertia` and `settotalmass` of the compiler, in this order."""
        own = self.settings
        for link in (link for link in self.links if link.inertial is not None):
            assert link.inertial is not None
            moments, axes = np.linalg.eigh(link.inertial.inertia)
            bounded = np.maximum(moments, own.least_inertia)
            if own.balance and bounded[0] + bounded[1] < bounded[2]:
                bounded = np.full(3, bounded.mean())
            if np.any(bounded != moments) or link.inertial.mass < own.least_mass:
                link.inertial = Inertial(max(link.inertial.mass, own.least_mass), link.inertial.centre,
                                         (axes * bounded) @ axes.T)
        total = math.fsum(link.inertial.mass for link in self.links if link.inertial is not None)
        if own.total_mass > 0.0 and total > 0.0:
            scale = own.total_mass / total
            for link in self.links:
                if link.inertial is not None:
                    link.inertial = Inertial(scale * link.inertial.mass, link.inertial.centre,
                                             scale * link.inertial.inertia)

    # ---- the whole model

    def gravity(self, root: Element) -> Floats:
        """Gravity, unless it is switched off; other options are listed."""
        gravity = np.array([0.0, 0.0, -9.81])
        for option in root.all("option"):
            view = View(self.reading, option)
            gravity = view.vector("gravity", gravity.tolist())
            for name in ("density", "viscosity"):
                if view.number(name) != 0.0:
                    self.reading.leave_out(option, "forces of a surrounding fluid have no counterpart", name)
            for flag in option.all("flag"):
                if View(self.reading, flag).choice("gravity", ("enable", "disable"), "enable") == "disable":
                    gravity = ZERO
        return gravity

    def couple(self, view: View, names: Names, robot: Robot) -> None:
        """A joint that follows another: q₁ - q₁₀ = Σ c_k (q₂ - q₂₀)^k, if that is linear; others are listed."""
        joints, element = robot.joints(), view.element
        own = [joints.get(self.joint_names.given.get(view.text(key), "")) for key in ("joint1", "joint2")]
        factors = view.numbers("polycoef", (1, 2, 3, 4, 5), [0.0, 1.0])
        assert factors is not None
        two, one = own
        if one is None or two is None or np.any(factors[2:]) or {one.kind, two.kind} - {"hinge", "slider"}:
            self.reading.leave_out(element, "only a hinge or slider that follows another in proportion has a "
                                            "counterpart")
            return
        element.read.update(("solref", "solimp"))
        c = [*map(float, factors), *([0.0, 1.0][len(factors):])]
        robot.couplings.append(Coupling(names.unique(element.name or f"{two.name}-coupling"), (one.name, two.name),
                                        c[1], c[0], element.line))

    def closures(self, root: Element, robot: Robot) -> list[Closure]:
        """Connections that close loops, where the model is at its reference."""
        placed = placed_links(self.links)
        found: list[Closure] = []
        names = Names(link.joint.name for link in self.links if link.joint is not None)
        for section in root.all("equality"):
            for element in section.children:
                view = self.settings.view(element, "")
                if not view.flag("active", True):
                    self.reading.leave_out(element, "it is not active")
                elif element.tag == "joint":
                    self.couple(view, names, robot)
                elif element.tag not in ("connect", "weld"):
                    self.reading.leave_out(element, "no counterpart")
                else:
                    name = names.unique(element.name or f"loop-{len(found) + 1}")
                    self.closure(view, name, [p.pose for p in placed], found)
        return found

    def closure(self, view: View, name: str, poses: list[Pose], found: list[Closure]) -> None:
        """A point that two bodies share, or a weld of both."""
        weld = view.element.tag == "weld"
        view.element.read.update(("solref", "solimp", "torquescale"))
        kind: Literal["glue", "ball-joint"] = "glue" if weld else "ball-joint"
        if view.has("site1") and weld:
            self.reading.problem(view.element, "welds sites, which is not supported.", "Weld their bodies.")
            return
        if view.has("site1"):
            ends = [self._known(view, key, self.sites, "site") for key in ("site1", "site2")]
            if ends[0] is not None and ends[1] is not None:
                found.append(Closure(name, kind, (ends[0], ends[1]), view.element.line))
            return
        one = self._known(view, "body1", self.bodies, "body")
        two = self._known(view, "body2", self.bodies, "body") if view.has("body2") else None
        relative = view.numbers("relpose", 7) if weld else None
        if relative is not None and relative[3:].any():
            self.reading.problem(view.element, "relpose is not supported.",
                                 "Leave it out: bodies stay as they are at the start.")
        anchor = view.vector("anchor")
        outer = [Pose() if link is None else poses[link] for link in (one, two)]
        place = outer[1 if weld else 0].point(anchor)  # of a weld in the second body, of a connection in the first
        found.append(Closure(name, kind, ((one, outer[0].inside(place)), (two, outer[1].inside(place))),
                             view.element.line))

    def _known(self, view: View, key: str, known: Mapping[str, _T], what: str) -> _T | None:
        """What a name stands for; an unknown one is a problem."""
        name = view.required(key, f"the name of a {what}")
        if what == "body" and name == "world":
            return None
        if name and name not in known:
            self.reading.problem(view.element, f'{key} = "{name[:80]}", but there is no such {what}.',
                                 did_you_mean(name, known, what))
        return known.get(name)

    def keyframes(self, root: Element, wanted: str, robot: Robot) -> None:
        """Put the robot where a keyframe says; other keyframes are listed."""
        keys = [key for section in root.all("keyframe") for key in section.all("key")]
        chosen = [key for k, key in enumerate(keys) if wanted and wanted in (key.name, str(k))]
        if wanted and not chosen:
            self.reading.problem(root, f'has no keyframe "{wanted[:80]}".',
                                 did_you_mean(wanted, [key.name or str(k) for k, key in enumerate(keys)], "keyframe"))
        for key in keys:
            if key not in chosen[:1]:
                self.reading.leave_out(key, "choose it with --keyframe")
        if not chosen:
            self._follow(root, robot.follow())
        if chosen:
            before = self._relative_rotations(robot)
            self._take_keyframe(View(self.reading, chosen[0]), robot)
            self.reading.stop()
            for closure, one, other in zip(robot.closures, before, self._relative_rotations(robot), strict=True):
                if closure.kind == "glue" and np.abs(one - other).max() > 1e-6:
                    self.reading.problem(chosen[0], f'rotates bodies against each other that the weld "{closure.name}" '
                                         f"of line {closure.line} holds.", "Choose a keyframe that fits the weld.")
            joints = robot.joints()
            self._follow(chosen[0], [one for one in robot.couplings
                                     if max(abs(one.misfit(joints)), abs(one.slip(joints))) > 1e-6])

    def _follow(self, element: Element, misfits: list[Coupling]) -> None:
        """Refuse a start that couplings of joints do not allow."""
        for coupling in misfits[:1]:
            self.reading.problem(element, f'starts where the coupling "{coupling.name}" of line {coupling.line} does '
                                 "not hold.", "Let joints start, and move, as those that they follow; none follows "
                                 "itself.")

    def _relative_rotations(self, robot: Robot) -> list[Floats]:
        """R₁ᵀ R₂ of the links of each closure, at the start."""
        placed = placed_links(robot.links)
        turned = [[np.eye(3) if link is None else placed[link].pose.rotation for link, _ in closure.ends]
                  for closure in robot.closures]
        return [one.T @ two for one, two in turned]

    def _take_keyframe(self, view: View, robot: Robot) -> None:
        """Positions, velocities and controls of a keyframe."""
        joints = [link.joint for link in robot.links if link.joint is not None]
        for name, k in (("qpos", 0), ("qvel", 1)):
            values = view.numbers(name, sum(joint.size[k] for joint in joints))
            for joint in joints if values is not None else ():
                own, values = values[:joint.size[k]], values[joint.size[k]:]  # type: ignore[index]
                if k == 0:
                    if joint.kind in ("ball", "free"):  # MuJoCo makes quaternions unit ones
                        own[-4:] = unit(view, name, own[-4:])
                    joint.position = own
                else:
                    joint.velocity = own
        controls = view.numbers("ctrl", len(robot.actuators)) if robot.actuators else None
        for actuator, value in zip(robot.actuators, () if controls is None else controls, strict=False):
            actuator.control = float(value)
        view.text("time")


def _geoms(settings: Settings, element: Element, outer: Pose, inherited: str) -> list[tuple[Element, Pose, str]]:
    """Geoms of a body, also those in frames, with the pose of the frame and the class handed down."""
    found = [(geom, outer, inherited) for geom in element.all("geom")]
    for frame in element.all("frame"):
        view = settings.view(frame, "")
        found += _geoms(settings, frame, outer.then(settings.pose(view)), view.text("childclass") or inherited)
    return found
