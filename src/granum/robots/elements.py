"""XML with line numbers: elements, their attributes as numbers, and a note of every part that nothing has read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

import numpy as np

from granum.base.errors import Problem, SceneError, did_you_mean
from granum.base.kernels import Floats
from granum.base.units import LARGEST_NUMBER
from granum.io.scenefile import read_text

DEEPEST = 200
"""Nesting of elements; no robot comes near, and readers follow the nesting by calls within calls."""


@dataclass(eq=False)
class Element:
    """One element of a file, with what has been read of it."""

    tag: str
    attributes: dict[str, str]
    line: int
    file: str
    children: list[Element] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    """Attributes that were asked for."""
    visited: bool = False
    """Was it converted, or listed as a whole?"""

    @property
    def name(self) -> str:
        """Its name, or an empty string."""
        return self.attributes.get("name", "")

    def all(self, *tags: str) -> list[Element]:
        """Children with one of these tags; they count as visited."""
        found = [child for child in self.children if child.tag in tags]
        for child in found:
            child.visited = True
        return found

    def first(self, tag: str) -> Element | None:
        """The first child with this tag; further ones stay unread."""
        found = next((child for child in self.children if child.tag == tag), None)
        if found is not None:
            found.visited = True
        return found

    def cover(self) -> None:
        """Count it and everything inside as read: it is listed, or it has nothing to convert."""
        self.visited = True
        self.read.update(self.attributes)
        for child in self.children:
            child.cover()

    def walk(self) -> Iterator[Element]:
        """It and everything inside."""
        yield self
        for child in self.children:
            yield from child.walk()


class LeftOut(NamedTuple):
    """A part of the file that has no counterpart in a scene."""

    what: str
    """Kind of element and attribute, such as `joint armature`."""
    name: str
    """Name of the element, or its value where it has none."""
    line: int
    why: str
    file: str = ""
    """The included file that it stands in, if it is not the robot's own."""

    @property
    def place(self) -> str:
        """Name, line and file."""
        inside = f" of {Path(self.file).name}" if self.file else ""
        return f"{self.name} (line {self.line}{inside})".strip()


def summarised(left_out: Sequence[LeftOut]) -> list[str]:
    """One line for each kind of part and reason, with all names."""
    grouped: dict[tuple[str, str], list[str]] = {}
    for entry in left_out:
        grouped.setdefault((entry.what, entry.why), []).append(entry.place)
    return [f"{what}: {', '.join(places)}: {why}." for (what, why), places in grouped.items()]


class Reading:
    """One reading of a file: problems, and what was left out."""

    def __init__(self, file: Path, what: str) -> None:
        self.file, self.what = file, what
        self.problems: list[Problem] = []
        self.left_out: list[LeftOut] = []

    def problem(self, element: Element, finding: str, remedy: str = "") -> None:
        """Note a mistake."""
        place = f"<{element.tag}>" + (f' "{element.name}"' if element.name else "")
        if element.file != str(self.file):
            place = f"{place} of the included {element.file}"
        self.problems.append(Problem(place, finding, remedy, element.line))

    def stop(self) -> None:
        """Raise SceneError if there are problems."""
        if self.problems:
            raise SceneError(sorted(self.problems, key=lambda p: p.line or 0), str(self.file))

    def leave_out(self, element: Element, why: str, attribute: str = "") -> None:
        """List an element, or one attribute of it."""
        if attribute:
            element.read.add(attribute)
        else:
            element.cover()
        what = f"{element.tag} {attribute}".strip()
        self.note(element, what, element.name or element.attributes.get(attribute, ""), why)

    def note(self, element: Element, what: str, name: str, why: str) -> None:
        """List a part under a name of its own."""
        file = "" if element.file == str(self.file) else element.file
        self.left_out.append(LeftOut(what, name, element.line, why, file))

    def root(self, path: Path | None = None) -> Element:
        """The outermost element of the file, or of one that it includes."""
        file = path or self.file
        return parse(read_text(file, self.what), str(file))


def parse(text: str, file: str) -> Element:
    """The elements of an XML text; raises SceneError where it is none."""
    document = Element("", {}, 0, file)
    open_elements = [document]
    parser = expat.ParserCreate()

    def refuse(finding: str, remedy: str) -> SceneError:
        return SceneError([Problem("", finding, remedy, parser.CurrentLineNumber)], file)

    def begin(tag: str, attributes: dict[str, str]) -> None:
        if len(open_elements) > DEEPEST:
            raise refuse(f"elements are nested more than {DEEPEST} deep.", "Give a description of a robot.")
        element = Element(tag, attributes, parser.CurrentLineNumber, file)
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def doctype(*_: object) -> None:
        raise refuse("found a document type declaration, which is not read here.", "Remove the line <!DOCTYPE ...>.")

    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda tag: open_elements.pop() and None
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        raise SceneError([Problem("", f"this is not XML: {expat.errors.messages[error.code]}.",
                                  "Give a URDF or MJCF file.", error.lineno)], file) from None
    return document.children[0]


class View:
    """Attributes of an element, with those of the defaults behind it; what is read is noted."""

    def __init__(self, reading: Reading, element: Element, defaults: Sequence[Element] = ()) -> None:
        self.reading, self.element, self.chain = reading, element, (element, *defaults)

    def has(self, *names: str) -> bool:
        """Is one of these given, here or in the defaults?"""
        return any(name in element.attributes for element in self.chain for name in names)

    def text(self, name: str, default: str = "") -> str:
        """An attribute as it stands."""
        for element in self.chain:
            element.read.add(name)
        return next((element.attributes[name] for element in self.chain if name in element.attributes), default)

    def choice(self, name: str, choices: Sequence[str], default: str) -> str:
        """One of several words."""
        found = self.text(name, default)
        if found in choices:
            return found
        self.reading.problem(self.element, f'{name} = "{found[:40]}" is not known.', did_you_mean(found, choices, name))
        return default

    def flag(self, name: str, default: bool) -> bool:
        """True or false."""
        return self.choice(name, ("true", "false"), "true" if default else "false") == "true"

    def numbers(self, name: str, count: int | tuple[int, ...], default: Sequence[float] | None = None) -> Floats | None:
        """Numbers between blanks, as many as `count` allows; a mistake is noted and the default taken."""
        fallback = None if default is None else np.array(default, dtype=float)
        if not self.has(name):
            return fallback
        given, counts = self.text(name), (count,) if isinstance(count, int) else count
        try:
            found = [float(cell) for cell in given.split()]
        except ValueError:
            found = [math.nan]
        if len(found) in counts and all(abs(value) <= LARGEST_NUMBER for value in found):
            return np.array(found)
        need = " or ".join(str(n) for n in counts) + (" number" if counts == (1,) else " numbers")
        self.reading.problem(self.element, f'{name} = "{given[:60]}", but {need} of at most {LARGEST_NUMBER:g} must '
                             "stand there.")
        return fallback

    def vector(self, name: str, default: Sequence[float] = (0.0, 0.0, 0.0)) -> Floats:
        """Three numbers."""
        found = self.numbers(name, 3, default)
        assert found is not None
        return found

    def number(self, name: str, default: float = 0.0) -> float:
        """One number."""
        found = self.numbers(name, 1, [default])
        assert found is not None
        return float(found[0])

    def required(self, name: str, what: str) -> str:
        """A name that must be there."""
        found = self.text(name)
        if not found:
            self.reading.problem(self.element, f"has no {name}.", f"Give {name} = \"...\", {what}.")
        return found
