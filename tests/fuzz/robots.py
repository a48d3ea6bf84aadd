"""Mutated URDF and MJCF files: converted to a scene that can be checked, or refused by line."""

from __future__ import annotations

import random
import shutil
import tempfile
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import granum as gr
from granum.robots.reading import read_robot
from tests.fuzz.campaign import SEED, Campaign, no_warning_of_numpy
from tests.fuzz.scene_files import refused, scratch, tried

FOLDER = Path(__file__).parents[1] / "robots"
INCLUDED = "leg-defaults.xml"
"""A part of other models, no model itself."""
VALUES = [
    "", " ", "0", "-1", "1", "2", "0.5", "1e-9", "1e9", "1e-60", "1e60", "1e300", "1e999", "-1e300", "nan", "inf",
    "NaN 0 0", "0 0 0", "1 0 0", "0 0", "1 2 3 4", "0 0 0 0", "1e-200 0 0", "1e200 1e200 1e200", "x", "true", "false",
    "9" * 400, "1 " * 3000, "a" * 5000, "\u202e", "é", "../../../etc/passwd", "/dev/zero", ".", "__import__('os')",
    "world", "hinge", "slide", "ball", "free", "fixed", "revolute", "continuous", "prismatic", "floating", "planar",
    "sphere", "capsule", "box", "mesh", "cylinder", "ellipsoid", "plane", "degree", "radian", "global", "local", "zyx",
    "XYZ", "XYX",
]
DEEP = 400
"""Levels of nesting that no robot has."""


@cache
def corpus() -> list[tuple[str, str]]:
    """Names and texts of small robots."""
    return [(file.name, file.read_text("utf-8")) for file in sorted(FOLDER.iterdir()) if file.name != INCLUDED]


def mutate(root: ElementTree.Element, rng: random.Random) -> None:
    """One change, of a kind drawn at random."""
    elements = list(root.iter())
    element, other = rng.choice(elements), rng.choice(elements)
    inner = [one for one in elements if len(one)]
    match rng.randrange(11):
        case 0 | 1 if element.attrib:
            element.set(rng.choice(list(element.attrib)), rng.choice(VALUES))
        case 2 if element.attrib:
            del element.attrib[rng.choice(list(element.attrib))]
        case 3 | 4:
            _scale(rng.choice(elements), rng)
        case 5 if inner:  # twice, under the same name
            holder = rng.choice(inner)
            holder.append(_copied(rng.choice(list(holder))))
        case 6 if inner:
            holder = rng.choice(inner)
            holder.remove(rng.choice(list(holder)))
        case 7:  # within itself, too
            element.append(_copied(other))
        case 8 if other.attrib:  # a name or a reference of another: cycles, and joints between a body and itself
            key = rng.choice(list(other.attrib))
            names = [one.attrib[word] for one in elements for word in ("name", "link", "joint") if word in one.attrib]
            other.set(key, rng.choice(names or ["x"]))
        case 9 if rng.random() < 0.2:
            _nest(element, rng)
        case _:
            donor = rng.choice([*elements, *ElementTree.fromstring(rng.choice(corpus())[1]).iter()])
            if rng.random() < 0.5:
                element.tag = donor.tag
            element.attrib.update(rng.sample(list(donor.attrib.items()), rng.randrange(len(donor.attrib) + 1)))


def _scale(element: ElementTree.Element, rng: random.Random) -> None:
    """One number of an element, by a factor that may be anything."""
    for key, text in rng.sample(list(element.attrib.items()), len(element.attrib)):
        words = text.split()
        try:
            at = rng.randrange(len(words))
            words[at] = repr(float(words[at]) * rng.choice([-1.0, 0.0, 1e-30, 1e-9, 1e-3, 0.5, 2.0, 1e3, 1e9, 1e30]))
        except ValueError:
            continue
        element.set(key, " ".join(words))
        return


def _copied(element: ElementTree.Element) -> ElementTree.Element:
    return ElementTree.fromstring(ElementTree.tostring(element))


def _nest(element: ElementTree.Element, rng: random.Random) -> None:
    """The same element in itself, again and again, each with a name of its own or all with one."""
    named, inner = rng.random() < 0.5, element
    for level in range(rng.choice([3, 30, DEEP])):
        keys = dict(element.attrib)
        if named and "name" in keys:
            keys["name"] = f"{keys['name']}-{level}"
        inner = ElementTree.SubElement(inner, element.tag, keys)


def robot_text(number: int) -> str:
    """The input of a number."""
    rng = random.Random(f"{SEED} robots {number}")
    root = ElementTree.fromstring(corpus()[number % len(corpus())][1])
    for _ in range(rng.choice([1, 1, 1, 2, 3, 6])):
        mutate(root, rng)
    text = ElementTree.tostring(root, encoding="unicode")
    return scratch(text, rng) if rng.random() < 0.15 else text


def attack(number: int) -> str:
    """Read a mutated robot; in one of twenty cases check and run what it was converted to."""
    name, _ = corpus()[number % len(corpus())]
    with tempfile.TemporaryDirectory() as folder, no_warning_of_numpy():
        shutil.copy(FOLDER / INCLUDED, folder)
        file = Path(folder) / name
        file.write_text(robot_text(number), "utf-8", newline="")
        try:
            robot = read_robot(file, free_base=number % 3 == 0)
        except gr.GranumError as error:
            return refused(error, "read")
    return tried(robot.text) if number // len(corpus()) % 20 == 0 else "read"


ROBOTS = Campaign("robots", attack, 800, least=60, prepare=corpus)
