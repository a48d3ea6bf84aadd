"""Scene files: TOML in, Scene out, every mistake with its line, and all of them at once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from granum.assembly.assembly import assembly_of
from granum.base.arguments import checked
from granum.base.compiling import expect
from granum.base.errors import SHOWN, ContradictingStartError, GranumError, Problem, SceneError, did_you_mean
from granum.base.extensions import extension, function_of
from granum.base.garbage import without_collections
from granum.base.offers import offered
from granum.io.lines import Lines
from granum.model.loads import Drag
from granum.model.quantities import Entry, Name
from granum.model.scene import SECTIONS, WHOLE, Scene, problems_of, reader, section_reader
from granum.model.start import UNREAD

LARGEST_FILE = 4_000_000
"""Bytes; a scene of a million bodies is a pattern of ten lines."""

_LONG_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){30}""")
"""A key of more than 30 parts: no scene has one, and the parser's time grows with the square of their number."""
_NAME: TypeAdapter[Any] = TypeAdapter(Name)


@checked
def load_scene(path: str | Path) -> Scene:
    """Read a scene file; raises SceneError with all problems found in it.

    >>> from granum.io.examples import example_file
    >>> gr.load(example_file("four-bar")).title
    'Four-bar linkage'
    """
    return _loaded(path)[0]


def _loaded(path: str | Path) -> tuple[Scene, str]:
    file = Path(path)
    text = read_text(file)
    scene = parse_scene(text, str(path), file.parent)
    scene._file = file
    return scene, text


def load_scene_and_text(path: Path) -> tuple[Scene, str]:
    """A scene and its TOML text, from a scene file or from one of the formats that wings and packages read."""
    suffix = path.suffix.lower().removeprefix(".")
    own = extension("reader", suffix) if suffix not in ("", "toml") else None
    if own is not None:
        read: tuple[Scene, str] = function_of(own, "read")(path)
        return read
    return _loaded(path)


def parse_scene(text: str, source: str = "scene", folder: Path | None = None) -> Scene:
    """Read a scene from TOML text; `source` names it in messages, files it names are looked for in `folder`."""
    with without_collections():
        document = parse_toml(text, source)
        if {"scene", "measure"} <= document.keys():
            raise SceneError([Problem("", "is a study, not a scene.", f"Run it with `granum study {source}`.")], source)
        reader = _Reader(document, folder or Path())
    if reader.problems:
        raise located(reader.problems, text, source)
    return reader.scene


@contextmanager
def naming(path: Path | None) -> Iterator[None]:
    """Give problems that show only when a scene is compiled or started the file and line they belong to, if any."""
    try:
        yield
    except SceneError as error:
        if any(problem.line is not None for problem in error.problems) or not error.about_scene or (
                path is None):
            raise
        raise located(error.problems, read_text(path), str(path)) from None


def located(problems: Iterable[Problem], text: str, source: str) -> SceneError:
    """The problems with their lines, in the order of the file."""
    lines = Lines(text)
    located = [Problem(p.place, p.finding, p.remedy, lines.find(p.place)) for p in problems]
    return SceneError(sorted(located, key=lambda p: p.line or len(text)), source)


def read_text(file: Path, what: str = "a TOML file, such as examples/pendulum.toml") -> str:
    """The text of a file of reasonable size; `what` says in messages which file to name instead."""
    def refuse(finding: str, remedy: str) -> SceneError:
        return SceneError([Problem("", finding, remedy)], str(file))

    try:
        size = file.stat().st_size
        if file.is_dir():
            raise refuse("is a folder.", f"Give {what}.")
        if not file.is_file():  # a device or a pipe may never end
            raise refuse("is not a regular file.", f"Give {what}.")
        if size > LARGEST_FILE:
            raise refuse(f"has {size} bytes, but a scene has at most {LARGEST_FILE}.",
                         f"Use a pattern instead of writing bodies one by one; or give {what}.")
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise refuse("there is no such file.", "Check the name and the folder.") from None
    except UnicodeDecodeError as error:
        raise refuse(f"is not text: byte {error.start} is not UTF-8.", f"Give {what}.") from None
    except ValueError:  # of the name itself
        raise refuse("is not the name of a file: it contains a null character.", f"Give {what}.") from None
    except OSError as error:
        raise refuse(f"cannot be read: {error.strerror}.", "Check the path and its permissions.") from None


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """The tables of a TOML text; raises SceneError with the line where it is none."""
    dotted = any(line.count(".") >= 30 for line in text.split("\n"))  # many times as fast as the search
    if dotted and (long := _LONG_KEY.search(text)):
        line = text.count("\n", 0, long.start()) + 1
        raise SceneError([Problem("", "this is not a scene: a key has more than 30 parts.", "", line)], source)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = re.search(r"\(at line (\d+)", message)
        line = int(place[1]) if place else text.count("\n") + 1
        written = text.split("\n")[line - 1].strip()[:60]
        finding = message.split(" (at ")[0]
        raise SceneError([Problem("", f"this is not TOML: {finding[0].lower()}{finding[1:]}.",
                                  f"Found: {written}" if written else "", line)], source) from None
    except RecursionError:
        raise SceneError([Problem("", "this is not a scene: it is nested too deeply.", "")], source) from None
    except ValueError:
        raise SceneError([Problem("", "this is not a scene: an integer has thousands of digits.", "")],
                         source) from None


def _find_tables(constraints: Any, folder: Path) -> None:
    """Files of tables are looked for beside the scene file."""
    for entry in constraints.values() if isinstance(constraints, dict) else ():
        if isinstance(entry, dict) and isinstance(entry.get("table"), str):
            entry["table"] = str(folder / entry["table"])


class _Reader:
    """Reads entry by entry, so that a mistake in one does not hide those of the others."""

    def __init__(self, document: dict[str, Any], folder: Path) -> None:
        self.problems: list[Problem] = []
        self.broken: set[str] = set()
        sections: dict[str, Any] = {"title": self._title(document.get("title", ""))}
        for name in document:
            if name not in (*SECTIONS, *WHOLE, "title"):
                remedy = did_you_mean(name, [*SECTIONS, *WHOLE, "title"], "section") if len(
                    self.problems) < SHOWN else ""
                self.problems.append(Problem(name, f"found {name!r}, which is not a section of a scene.", remedy))
        earlier = self._earlier(document, folder)
        _find_tables(document.get("constraint"), folder)
        for section in SECTIONS:
            sections[section] = self._section(section, document.get(section, {}))
        for section in WHOLE:
            sections[section] = self._whole(section, document.get(section, {}))
        for name, load in sections["load"].items():
            if isinstance(load, Drag) and load.velocity_field is not None:
                sections["load"][name] = load.model_copy(update={"velocity_field": str(folder / load.velocity_field)})
        self.scene = Scene.model_construct(**sections)
        if earlier is not None and not self.problems:
            self._begin_from(*earlier)
        written = "system" in document
        if not self.problems or not (self.scene.has_grains or self.scene.has_formulas or written):
            self.problems += problems_between(self.scene, self.broken, written)

    def _earlier(self, document: dict[str, Any], folder: Path) -> tuple[Path, int] | None:
        """The run and frame of `[start] from = ..., frame = ...`, taken out of the section."""
        section = document.get("start")
        if not isinstance(section, dict):
            return None
        # tables are starts of bodies of these names
        given = {key: section[key] for key in ("from", "frame") if not isinstance(section.get(key, {}), dict)}
        if not given:
            return None
        document["start"] = {name: entry for name, entry in section.items() if name not in given}
        file, frame = given.get("from"), given.get("frame", -1)
        if not isinstance(file, str):
            self.problems.append(Problem("start.from", f"found {file!r}, but the name of a run file is needed.",
                                         'Write from = "RUN.h5".'))
            return None
        if isinstance(frame, bool) or not isinstance(frame, int):
            self.problems.append(Problem("start.frame", f"found {frame!r}, but the index of a frame is needed.",
                                         "Count from 0, or from the end: -1, -2, ..."))
            return None
        return folder / file, frame

    def _begin_from(self, file: Path, frame: int) -> None:
        try:
            self.scene = offered("begun_from")(self.scene, file, frame, given_hold=True)
        except SceneError as error:
            self.problems += error.problems
        except GranumError as error:
            self.problems.append(Problem("start.from", str(error)))

    def _title(self, title: object) -> str:
        if isinstance(title, str) and len(title) <= 200:
            return title
        self.problems.append(Problem("title", f"found {str(title)[:40]!r}, but a title must be a short string."))
        return ""

    def _section(self, section: str, entries: object) -> dict[str, Any]:
        if not isinstance(entries, dict) or not all(isinstance(entry, dict) for entry in entries.values()):
            self.problems.append(Problem(section, f"entries of {section!r} need a name.",
                                         f"Write [{section}.NAME] and the keys of the entry below it."))
            return {}
        try:
            read: dict[str, Any] = section_reader(section).validate_python(entries)
        except ValidationError:
            return self._sound_entries(section, entries)
        return read

    def _sound_entries(self, section: str, entries: dict[str, Any]) -> dict[str, Any]:
        """Entries of a section that has mistakes, as far as they can be read."""
        keys = {}
        for name, entry in entries.items():
            try:
                _NAME.validate_python(name)
                keys[name] = reader(section).validate_python(entry)
            except ValidationError as error:
                self.problems += problems_of(error, (section, name), len(self.problems))
                if section == "start":
                    keys[name] = UNREAD
                elif section == "body":
                    self.broken.add(name)
                elif section == "pattern":
                    self._broken_pattern(name, entry)
                elif (rest := _sound_part(section, entry, error)) is not None:
                    keys[name] = rest  # good enough to check what it refers to
        return keys

    def _broken_pattern(self, name: str, entry: dict[str, Any]) -> None:
        """Bodies of a pattern that could not be read may be named anywhere: do not report those names."""
        self.broken = _AnyBeginningWith(self.broken, f"{entry.get('bodies', name)}-")

    def _whole(self, section: str, entry: object) -> Entry:
        try:
            return WHOLE[section].model_validate(entry)
        except ValidationError as error:
            self.problems += problems_of(error, (section,), len(self.problems))
            return WHOLE[section]()


def problems_between(scene: Scene, broken: Collection[str] = (), formulas: bool = False) -> list[Problem]:
    """What is wrong between the entries of a scene each of which is right.

    broken: bodies that could not be read, which links of point masses may name all the same.
    formulas: treat the scene as a system of formulas, though it may lack all coordinates.
    """
    if scene.has_grains:
        return grain_problems(scene)
    if scene.has_formulas or formulas:
        return build_problems(scene)
    if broken:
        from granum.assembly.points.collect import collect_points

        return collect_points(scene, broken).problems
    return list(assembly_of(scene).points.problems)


def grain_problems(scene: Scene) -> list[Problem]:
    """What is wrong between the entries of a scene of grains, short of placing the grains."""
    from granum.contact.refusals import foreign  # takes a second, and most scenes have links alone

    expect(scene.engine)
    problems = foreign(scene)
    try:
        grains = assembly_of(scene).grains
        if not problems:
            _ = grains.jointed
    except ContradictingStartError:
        pass  # reported when the scene runs: settings that are given then may let the start move
    except SceneError as error:
        problems += error.problems
    return problems


def build_problems(scene: Scene) -> list[Problem]:
    """What is wrong between the entries of a scene of rigid bodies, constraints and formulas."""
    try:
        if scene.formulation == "newton-euler":
            from granum.analytic.rigid_bodies.system import refuse_unknown

            refuse_unknown(assembly_of(scene))
        else:
            from granum.analytic.build import build

            build(scene)
    except ContradictingStartError as error:
        # reported when the scene runs: settings that are given then may let the start move
        return [] if scene.formulation == "newton-euler" else list(error.problems)
    except SceneError as error:
        return list(error.problems)
    except GranumError as error:
        return [Problem("", str(error))]
    return []


def _sound_part(section: str, entry: dict[str, Any], error: ValidationError) -> Any | None:
    """The entry without the keys that are wrong, if that is an entry; else None."""
    wrong = {str(part) for item in error.errors() for part in item["loc"]}
    try:
        return reader(section).validate_python({key: value for key, value in entry.items() if key not in wrong})
    except ValidationError:
        return None


class _AnyBeginningWith(set[str]):
    """A set of names that also holds every name with a given beginning."""

    def __init__(self, names: set[str], beginning: str) -> None:
        super().__init__(names)
        self.beginnings = (*getattr(names, "beginnings", ()), beginning)

    def __bool__(self) -> bool:
        return True

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or str(name).startswith(self.beginnings)
