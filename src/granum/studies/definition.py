"""What a study is: its scene, what varies, which points are run, what is measured; read from TOML or made in Python."""

from __future__ import annotations

import csv
import inspect
import re
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PrivateAttr, ValidationError

from granum.base.arguments import checked
from granum.base.errors import GranumError, Problem, SceneError, did_you_mean
from granum.base.notebook import properties
from granum.base.text import count
from granum.io.changes import value_of
from granum.io.scenefile import load_scene_and_text, located, parse_toml, read_text
from granum.model.quantities import Entry, Name, Plain, Seed, Time, whole
from granum.model.scene import Scene, problems_of
from granum.studies.levels import MOST, Levels, Range, Reader, argument_of, key_of, read_levels
from granum.studies.measures import Measure, check_measures

RESERVED = ("point", "repeat", "seed", "status", "reason", "warnings", "wall_time", "energy_error", "residual")
"""Columns that every study has."""
_FUNCTION = "function "
"""How `scene` begins in a study whose scenes a function makes."""
Maker = Callable[..., Scene]
"""Makes the scene of a point from its parameters, which are arguments."""
_MEMORY = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kMGT]i?)?B\s*")


def _bytes(value: Any) -> int:
    """A number of bytes, or a string such as "2 GB"."""
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    match = _MEMORY.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError(f"found {value!r}, but an amount of memory is needed, such as \"2 GB\"")
    prefix = match[2] or ""
    return int(float(match[1]) * (1024 if prefix.endswith("i") else 1000) ** " kMGT".index(prefix[:1] or " "))


class Design(Entry):
    """Which points of the ranges are run."""

    kind: Literal["grid", "latin-hypercube", "sobol", "list", "boundary"] = "grid"
    """All combinations; a sample of the ranges; the rows of a file; or points where a probability crosses 1/2."""
    points: Annotated[int, whole(1, MOST)] | None = None
    """How many points a sample has (latin-hypercube), or blocks of as many points as there are parameters and two more
    (sobol: Saltelli's design, from which Sobol's indices of sensitivity follow)."""
    file: str | None = None
    """The CSV file of a list: a column for each parameter, named by its path."""
    measure: str | None = None
    """The measure whose probability crosses 1/2 at the boundary; it must be true or false."""
    runs: Annotated[int, whole(1, MOST)] | None = None
    """The most runs that a search for a boundary may take."""
    width: Plain | str | None = None
    """Length of the confidence interval of the boundary at which a search ends, in the unit of the parameter that has a
    range; left out, a fiftieth of that range."""


class Limit(Entry):
    """What one run may take; a run that takes more is ended and recorded with the reason."""

    time: Time | None = None
    """Wall time [s]."""
    memory: Annotated[int, BeforeValidator(_bytes)] | None = None
    """Memory of the process [bytes], or a string such as "2 GB"."""


class Study(Entry):
    """Many runs of one scene over parameters.

    >>> from granum.io.examples import example_file
    >>> list(gr.load_study(example_file("hopper-study")).measure)[0]
    'rate'
    """

    title: str = Field(default="", max_length=200)
    scene: str = ""
    """The scene file, beside the study file; empty for a scene made in Python, "function NAME" where one is made for
    each point."""
    repeats: Annotated[int, whole(1, MOST)] = 1
    """Runs of each point, each with a seed of its own."""
    seed: Seed = 0
    """The seed from which all others follow."""
    vary: dict[str, list[Any] | Range] = {}
    """Values by path in the scene file: a list, or a range."""
    design: Design = Design()
    measure: dict[Name, str] = {}
    """What is asked of each run, by the name of its column."""
    keep: Literal["none", "failed", "all"] = "none"
    """Which run files are kept, in a folder beside the table."""
    limit: Limit = Limit()
    _scene: Scene | None = PrivateAttr(default=None)
    _make: Maker | None = PrivateAttr(default=None)
    _levels: list[Levels] = PrivateAttr(default_factory=list)
    _rows: list[dict[str, Any]] = PrivateAttr(default_factory=list)
    _measures: list[Measure] = PrivateAttr(default_factory=list)

    def __repr__(self) -> str:
        varied = ", ".join(self.vary) or "nothing"
        return (f"<Study{f' {self.title!r}' if self.title else ''}: {self.design.kind} over {varied}, repeats "
                f"{self.repeats}, measures {', '.join(self.measure) or 'nothing'}>")

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        varied = {path: str(values) if isinstance(values, Range) else ", ".join(map(str, values))
                  for path, values in self.vary.items()}
        shown = properties({"design": self.design.kind, **varied, **self.measure})
        return f"<div><b>{escape(self.title or 'Study')}</b>{shown}</div>"

    @property
    def scene_used(self) -> Scene:
        """The scene that is run; where a function makes one for each point, that of the first values."""
        if self._scene is None:
            raise GranumError("This study has no scene: it was read from a table.")
        return self._scene

    @property
    def make(self) -> Maker | None:
        """The function that makes the scene of a point, if there is one."""
        return self._make

    def keeping(self, keep: str) -> Study:
        """The same study, with other run files kept."""
        if keep not in ("none", "failed", "all"):
            raise GranumError(f'found keep = "{keep}", but the choices are none, failed and all.')
        return self.model_copy(update={"keep": keep})

    @property
    def levels(self) -> list[Levels]:
        """What varies, with units."""
        return self._levels

    @property
    def listed(self) -> list[dict[str, Any]]:
        """The points of a list, as its file has them, in SI units."""
        return self._rows

    @property
    def measures(self) -> list[Measure]:
        """What is asked of each run."""
        return self._measures


@checked
def load_study(path: str | Path) -> Study:
    """Read a study file and its scene; raises SceneError with every mistake found.

    >>> from granum.io.examples import example_file
    >>> gr.load_study(example_file("hopper-study")).title
    'Discharge of a hopper over its opening'
    """
    file = Path(path)
    return parse_study(read_text(file, "a TOML file, such as examples/hopper-study.toml"), str(path), file.parent)


def parse_study(text: str, source: str = "study", folder: Path | None = None) -> Study:
    """Read a study from TOML text; `source` names it in messages, files it names are looked for in `folder`."""
    try:
        study = Study.model_validate(parse_toml(text, source))
    except ValidationError as error:
        raise located(problems_of(error, root=Study), text, source) from None
    if not study.scene:
        raise located([Problem("scene", "'scene' is missing.", 'Write scene = "SCENE.toml".')], text, source)
    scene, _ = load_scene_and_text((folder or Path()) / study.scene)
    if problems := prepare(study, scene, {}, folder or Path()):
        raise located(problems, text, source)
    return study


def make_study(scene: Scene | Maker, measure: Mapping[str, str | Callable[..., Any]], **keys: Any) -> Study:
    """A study made in Python; a measure may be a function of a Run, and the scene one of what varies."""
    functions = {name: one for name, one in measure.items() if callable(one)}
    texts = {name: f"function {getattr(one, '__name__', 'measure')}" if callable(one) else one
             for name, one in measure.items()}
    try:
        made = {} if isinstance(scene, Scene) else {"scene": f"{_FUNCTION}{getattr(scene, '__name__', 'scene')}"}
        study = Study.model_validate({**keys, **made, "measure": texts})
    except ValidationError as error:
        raise SceneError(problems_of(error, root=Study), "study") from None
    if problems := prepare(study, scene, functions, Path()):
        raise SceneError(problems, "study")
    return study


def prepare(study: Study, scene: Scene | Maker, functions: Mapping[str, Callable[..., Any]],
            folder: Path) -> list[Problem]:
    """Read a study against its scene: what varies, in SI units, and what is measured. Returns what is wrong."""
    problems = _design_problems(study)
    if not isinstance(scene, Scene):
        read = argument_of(scene)
    else:  # the scene of a table was perhaps made by a function, which a table does not have
        read = argument_of(None) if study.scene.startswith(_FUNCTION) else key_of(scene)
    if study.design.kind == "list":
        problems += _read_list(study, read, folder)
    else:
        for path, written in study.vary.items():
            levels, wrong = read_levels(path, written, read, study.design.kind == "grid")
            problems += wrong
            if levels is not None:
                study._levels.append(levels)
    if "run.seed" in (*study.vary, *(level.path for level in study.levels)) and study.repeats > 1:
        problems.append(Problem("repeats", "found repeats, but run.seed is varied, so all repeats would be identical.",
                                "Remove repeats or run.seed: each repeat has its own seed."))
    if study.design.kind == "boundary" and not problems:
        problems += _width_problems(study)
    if not isinstance(scene, Scene):
        if problems:
            return problems  # there is no scene to ask yet
        study._make, scene = scene, first_scene(scene, study.levels)
    study._scene = scene
    study._measures, wrong = check_measures(study.measure, functions, scene)
    problems += wrong
    problems += [Problem(f"measure.{name}", f"found the name {name!r}, which is reserved for a column of every study.",
                         "Use another name.") for name in study.measure if name in RESERVED]
    if not study.measure:
        problems.append(Problem("measure", "there is no measure.", 'Add [measure] with NAME = "flow_rate PROBE" or '
                                                                   "another answer of a run."))
    return problems


def first_scene(make: Maker, levels: list[Levels]) -> Scene:
    """The scene of the first values; raises where the function does not take them, or gives no scene."""
    values = {level.path: level.first for level in levels}
    try:
        inspect.signature(make).bind(**values)
    except TypeError as error:
        raise SceneError([Problem("vary", f"found {', '.join(values) or 'nothing'}, but the arguments of the scene's "
                                  f"function are others: {error}.", "Name the arguments of the function.")], "study"
                         ) from None
    scene = make(**values)
    if not isinstance(scene, Scene):
        raise GranumError(f"The function of this study gave {type(scene).__name__}, but a Scene is needed.")
    return scene


_NEEDS = {"latin-hypercube": {"points"}, "sobol": {"points"}, "list": {"file"}, "boundary": {"measure", "runs"}}
"""Keys that a kind of design needs; no other kind takes them."""


def _design_problems(study: Study) -> list[Problem]:
    design, problems = study.design, []
    needed = _NEEDS.get(design.kind, set())
    for key in sorted(set().union(*_NEEDS.values())):
        given = getattr(design, key) is not None
        if key in needed and not given:
            problems.append(Problem(f"design.{key}", f"'{key}' is missing, which a design of kind = \"{design.kind}\" "
                                    "needs."))
        elif given and key not in needed:
            kinds = " or ".join(f'"{kind}"' for kind, keys in _NEEDS.items() if key in keys)
            problems.append(Problem(f"design.{key}", f"found '{key}', which a design of kind = \"{design.kind}\" does "
                                    "not take.", f"It belongs to kind = {kinds}."))
    if design.kind == "list" and study.vary:
        problems.append(Problem("vary", "found values to vary, but the list of points already contains all values.",
                                "Remove [vary], or the file of the design."))
    if design.kind == "sobol" and design.points is not None and design.points & (design.points - 1):
        near = 1 << (design.points.bit_length())
        problems.append(Problem("design.points", f"found {design.points}, but a Sobol sequence needs a power of "
                                                 "two.", f"Use {near // 2} or {near}."))
    if design.kind == "boundary" and design.measure is not None and design.measure not in study.measure:
        problems.append(Problem("design.measure", f'there is no measure "{design.measure}".',
                                did_you_mean(design.measure, study.measure, "measure")))
    if design.width is not None and design.kind != "boundary":
        problems.append(Problem("design.width", f"found 'width', which a design of kind = \"{design.kind}\" does not "
                                "take.", 'It belongs to kind = "boundary".'))
    if design.kind == "boundary" and (wrong := _search_problem(study)):
        problems.append(Problem("vary", *wrong))
    if design.kind in ("latin-hypercube", "sobol", "boundary") and not study.vary:
        problems.append(Problem("vary", f'there is nothing to vary, but kind = "{design.kind}" needs it. Add [vary].'))
    return problems


def _width_problems(study: Study) -> list[Problem]:
    """What is wrong with the length of the interval at which a search ends."""
    from granum.studies.boundary import Boundary

    try:
        Boundary(study)
    except GranumError as error:
        return [Problem("design.width", str(error))]
    return []


def _search_problem(study: Study) -> tuple[str, str] | None:
    """What keeps a study from searching for a boundary along one parameter: what was found, and what to do."""
    ranges = [values for values in study.vary.values() if isinstance(values, Range)]
    if len(ranges) != 1:
        return (f"found {count(len(ranges), 'range')}, but kind = "
                '"boundary" needs exactly one.',
                "Give one parameter a range { from = ..., to = ... }, and the others lists.")
    if ranges[0].scale == "log":
        return 'found a logarithmic range, but kind = "boundary" needs a linear one.', 'Remove scale = "log".'
    return None


def _read_list(study: Study, read: Reader, folder: Path) -> list[Problem]:
    """Points from a CSV file, in SI units."""
    if study.design.file is None:
        return []
    text = read_text(folder / study.design.file, "a CSV file with a column for each parameter")
    header, *rows = [row for row in csv.reader(text.splitlines()) if any(cell.strip() for cell in row)] or [[]]
    paths = [cell.strip() for cell in header]
    place = "design.file"
    if not rows or not paths:
        return [Problem(place, f"{study.design.file} has no points.", "Give it a header of parameter paths and one row "
                                                                      "for each point.")]
    if wrong := [number for number, row in enumerate(rows, 2) if len(row) != len(paths)]:
        return [Problem(place, f"row {wrong[0]} of {study.design.file} has another number of columns than its header.")]
    columns = {path: [value_of(row[k].strip()) for row in rows] for k, path in enumerate(paths)}
    problems: list[Problem] = []
    for path, values in columns.items():
        distinct = list({repr(value): value for value in values}.values())
        levels, wrong_values = read_levels(path, distinct, read, False)
        problems += [Problem(place, f"{study.design.file}, {path}: {problem.finding}", problem.remedy)
                     for problem in wrong_values]
        if levels is not None:
            study._levels.append(levels)
            known = dict(zip(map(repr, distinct), levels.values, strict=True))
            columns[path] = [known[repr(value)] for value in values]
    study._rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return problems
