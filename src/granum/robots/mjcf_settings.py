"""What holds for a whole MJCF file: included files, `compiler`, classes of defaults, ways to give an orientation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.rotations import IDENTITY, product
from granum.robots.elements import Element, Reading, View
from granum.robots.tree import Pose, about

ORIENTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
ACTUATORS = ("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion",
             "plugin")
_MOST_FILES = 100


def read_document(reading: Reading) -> Element:
    """The file with everything that it includes in its place; raises SceneError where it is not MJCF."""
    root = reading.root()
    if root.tag != "mujoco":
        reading.problem(root, "is not MJCF: its outermost element must be <mujoco>.", "Give an MJCF or URDF file.")
        reading.stop()
    files: list[Path] = []
    _include(reading, root, reading.file.parent, files)
    reading.stop()
    root.visited = True
    return root


def _include(reading: Reading, element: Element, folder: Path, files: list[Path]) -> None:
    """Replace each <include> by the content of its file."""
    children: list[Element] = []
    for child in element.children:
        if child.tag != "include":
            _include(reading, child, folder, files)
            children.append(child)
            continue
        file = folder / View(reading, child).required("file", "the file to include")
        if file in files or len(files) >= _MOST_FILES:
            reading.problem(child, f"{file.name} is included a second time.", "Include each file once.")
            continue
        files.append(file)
        try:
            part = reading.root(file)
        except GranumError as error:
            reading.problem(child, f"cannot be included: {error}", "")
            continue
        _include(reading, part, folder, files)
        children += part.children
    element.children = children


class Settings:
    """`compiler` and the classes of defaults."""

    def __init__(self, reading: Reading, root: Element) -> None:
        self.reading = reading
        views = [View(reading, element) for element in reversed(root.all("compiler"))]
        view = View(reading, views[0].element, [v.element for v in views[1:]]) if views else View(
            reading, Element("compiler", {}, root.line, root.file))
        self.degrees = view.choice("angle", ("degree", "radian"), "degree") == "degree"
        self.sequence = view.text("eulerseq", "xyz")
        if len(self.sequence) != 3 or set(self.sequence) - set("xyzXYZ"):
            reading.problem(view.element, f'eulerseq = "{self.sequence[:20]}", but three of x, y, z, X, Y, Z must '
                            "stand there.")
            self.sequence = "xyz"
        self.auto_limits = view.flag("autolimits", True)
        self.from_geoms = view.choice("inertiafromgeom", ("true", "false", "auto"), "auto")
        groups = view.numbers("inertiagrouprange", 2, (0.0, 5.0))
        assert groups is not None
        self.groups = float(groups[0]), float(groups[1])
        self.least_mass, self.least_inertia = view.number("boundmass"), view.number("boundinertia")
        self.total_mass = view.number("settotalmass", -1.0)
        self.balance = view.flag("balanceinertia", False)
        if view.choice("coordinate", ("local", "global"), "local") == "global":
            reading.problem(view.element, "global coordinates are not supported.",
                            "Save the model with a MuJoCo older than 2.3.4, which writes local ones.")
        for name in ("fusestatic", "strippath", "discardvisual", "convexhull", "usethread", "meshdir", "texturedir",
                     "assetdir", "alignfree", "saveinertial", "fitaabb"):
            view.text(name)  # without influence on the mechanics
        self.classes: dict[str, Element] = {}
        self.parents: dict[str, str] = {}
        for top in root.all("default"):
            self._collect(top, "")

    def _collect(self, element: Element, parent: str) -> None:
        """A class of defaults and those inside it."""
        view = View(self.reading, element)
        name = view.text("class", "" if parent else "main")
        if not name:
            self.reading.problem(element, "has no class.", 'Give class = "...", the name of these defaults.')
            return
        if name in self.classes:  # the outermost one may be continued in a further file
            self.classes[name].children += element.children
        else:
            self.classes[name] = element
            if parent:
                self.parents[name] = parent
        for inner in element.all("default"):
            self._collect(inner, name)

    def view(self, element: Element, inherited: str) -> View:
        """An element with its defaults; `inherited` is the class that its body hands down."""
        element.visited = True
        element.read.add("class")
        name = element.attributes.get("class", inherited) or "main"
        if name not in self.classes and name != "main":
            self.reading.problem(element, f'class "{name[:80]}" is not defined.',
                                 f'Define it: <default class="{name[:80]}">.')
            return View(self.reading, element)
        tags = ACTUATORS if element.tag in ACTUATORS else (element.tag,)
        chain: list[Element] = []
        while name:
            if name in self.classes:
                chain += self.classes[name].all(*tags)
            name = self.parents.get(name, "")
        return View(self.reading, element, chain)

    def angle(self, value: float) -> float:
        """An angle of the file [rad]."""
        return math.radians(value) if self.degrees else value

    def pose(self, view: View) -> Pose:
        """`pos` and the orientation of an element."""
        return Pose(view.vector("pos"), self.orientation(view))

    def orientation(self, view: View) -> Floats:
        """The orientation of an element in one of the five ways to give it."""
        for element in view.chain:
            given = [name for name in ORIENTATIONS if name in element.attributes]
            if len(given) > 1:
                view.reading.problem(element, f"has {' and '.join(given)}.", "Give the orientation in one way only.")
            if given:
                return self._orientation(View(view.reading, element), given[0])
        return np.array(IDENTITY)

    def _orientation(self, view: View, name: str) -> Floats:
        """One of the five."""
        numbers = view.numbers(name, {"quat": 4, "axisangle": 4, "euler": 3, "xyaxes": 6, "zaxis": 3}[name])
        if numbers is None:
            return np.array(IDENTITY)
        if name == "euler":
            total: Floats = np.array(IDENTITY)
            for letter, value in zip(self.sequence, numbers, strict=True):
                turn = about(np.eye(3)["xyz".index(letter.lower())], self.angle(float(value)))
                total = product(total, turn) if letter.islower() else product(turn, total)
            return total
        if name == "xyaxes":
            x = unit(view, name, numbers[:3])
            y = unit(view, name, numbers[3:] - (numbers[3:] @ x) * x)
            return quaternion_of(np.column_stack([x, y, np.cross(x, y)]))
        if name == "zaxis":
            return quaternion_to(unit(view, name, numbers))
        if name == "axisangle":
            return about(unit(view, name, numbers[:3]), self.angle(float(numbers[3])))
        return unit(view, name, numbers)


def unit(view: View, name: str, vector: Floats) -> Floats:
    """A vector of length 1; one without direction is a problem."""
    size = float(np.linalg.norm(vector))
    if size < 1e-10:
        view.reading.problem(view.element, f'{name} = "{view.text(name)[:60]}" has no direction.',
                             "Give a vector that is not zero.")
        vector, size = np.eye(len(vector))[0], 1.0
    direction: Floats = vector / size
    return direction


def axis_of(view: View, default: Sequence[float], name: str = "axis") -> Floats:
    """The direction of a joint."""
    return unit(view, name, view.vector(name, default))


def quaternion_to(z: Floats) -> Floats:
    """The least rotation that takes the z axis to a unit vector."""
    across = np.array([-z[1], z[0], 0.0])
    sine = float(np.linalg.norm(across))
    axis = across / sine if sine > 1e-10 else np.array([1.0, 0.0, 0.0])
    return about(axis, math.atan2(sine, float(z[2])))


def quaternion_of(R: Floats) -> Floats:
    """The quaternion of a rotation matrix, from the largest of its four components."""
    trace = float(np.trace(R))
    squares = np.array([1.0 + trace, *(1.0 - trace + 2.0 * np.diag(R))])  # four times the squared components
    k = int(np.argmax(squares))
    x, y, z = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    a, b, c = R[1, 0] + R[0, 1], R[0, 2] + R[2, 0], R[2, 1] + R[1, 2]
    row = np.array([[squares[0], x, y, z], [x, squares[1], a, b], [y, a, squares[2], c], [z, b, c, squares[3]]])[k]
    quaternion: Floats = row / np.linalg.norm(row)
    return quaternion

