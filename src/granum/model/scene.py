"""The scene: the whole description of a system, frozen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args, get_origin

from pydantic import Field, PrivateAttr, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from granum.base.choices import GRAIN_SOLVERS
from granum.base.errors import SHOWN, Problem, SceneError, did_you_mean
from granum.base.extensions import installed
from granum.base.notebook import properties
from granum.base.offers import offered
from granum.base.text import count, listed
from granum.model.actuators import Actuator, AppliedForces
from granum.model.body_entries import Body, FixedPoint, MasslessBody, MasslessPoint, PointMass, parametrisation_of
from granum.model.bonds import Bond
from granum.model.boundaries import Boundary
from granum.model.clumps import Shape
from granum.model.connections import (
    Constraint,
    Coupling,
    Drive,
    EnergyConstraint,
    FormulaConstraint,
    FrictionConstraint,
    Hinge,
    Link,
    NoSpin,
    Rolling,
    Slider,
    Surface,
)
from granum.model.dimension import dimension_of
from granum.model.formulas import FormulaSystem
from granum.model.grains import Grains, Sink, Source
from granum.model.kinds import Kind, all_entries, on_change
from granum.model.loads import BY_FORMULAS, Load
from granum.model.materials import Material, Pair
from granum.model.patterns import Pattern
from granum.model.probes import Probe
from granum.model.quantities import Entry, Name
from granum.model.settings import RunSettings
from granum.model.solids import Disk
from granum.model.start import RunFrame, Start
from granum.model.variation import Variation

_Of = TypeVar("_Of")
_Section = Mapping[str, _Of | Mapping[str, Any]]
"""Entries by name, each as an object or as a table of keys."""


class Scene(Entry):
    """A system to simulate: bodies, connections, loads, materials, grains, initial state and run settings.

    Sections are dictionaries by name, in Python as in a TOML file: `[body.bob]` there is
    `Scene(body={"bob": ...})` here.

    >>> scene = gr.Scene(
    ...     body={"nail": gr.FixedPoint(position=(0, 0)), "bob": gr.PointMass(mass="200 g")},
    ...     link={"rod": gr.Link(between=("nail", "bob"))}, start={"bob": gr.Start(position=(1, 0))},
    ...     load={"gravity": gr.Gravity(acceleration=(0, -9.81))})
    >>> heavier = scene.vary({"body.bob.mass": "300 g", "run.until": "2 s"})
    """

    title: str = Field(default="", max_length=200)
    body: dict[Name, Body] = {}
    pattern: dict[Name, Pattern] = {}
    link: dict[Name, Link] = {}
    surface: dict[Name, Surface] = {}
    constraint: dict[Name, Constraint] = {}
    system: FormulaSystem = FormulaSystem()
    material: dict[Name, Material] = {}
    pair: dict[Name, Pair] = {}
    shape: dict[Name, Shape] = {}
    bond: dict[Name, Bond] = {}
    boundary: dict[Name, Boundary] = {}
    source: dict[Name, Source] = {}
    sink: dict[Name, Sink] = {}
    probe: dict[Name, Probe] = {}
    load: dict[Name, Load] = {}
    actuator: dict[Name, Actuator] = {}
    start: dict[Name, Start] = {}
    start_frame: RunFrame | None = None
    """The frame of an earlier run that grains start from; see `start_from`."""
    run: RunSettings = RunSettings()
    _earlier: Any = PrivateAttr(default=None)
    """The run that `start_frame` is of, where it is open."""
    _file: Path | None = PrivateAttr(default=None)
    """The scene file, for the lines of problems that show later."""
    _compiled: dict[Any, Any] = PrivateAttr(default_factory=dict)
    """What was compiled from the scene, such as its assembly; copies with other run settings share it."""

    if TYPE_CHECKING:  # what entries take; those of files are tables

        def __init__(
            self, *, title: str = ..., body: _Section[Body] = ..., pattern: _Section[Pattern] = ...,
            link: _Section[Link] = ..., surface: _Section[Surface] = ..., constraint: _Section[Constraint] = ...,
            system: FormulaSystem | Mapping[str, Any] = ..., material: _Section[Material] = ...,
            pair: _Section[Pair] = ..., shape: _Section[Shape] = ..., bond: _Section[Bond] = ...,
            boundary: _Section[Boundary] = ..., source: _Section[Source] = ..., sink: _Section[Sink] = ...,
            probe: _Section[Probe] = ..., load: _Section[Load] = ..., actuator: _Section[Actuator] = ...,
            start: _Section[Start] = ..., start_frame: RunFrame | None = ...,
            run: RunSettings | Mapping[str, Any] = ...,
        ) -> None: ...

    @classmethod
    def _called(cls) -> str:
        return "scene"

    def __repr__(self) -> str:
        parts = [f"{section} {len(names)}" for section, names in self._listed().items()]
        return f'<Scene{f" {self.title!r}" if self.title else ""}: {", ".join(parts) or "empty"}>'

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        """Scenes are equal if their entries are, whatever file they were read from."""
        return isinstance(other, Scene) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    def _repr_html_(self) -> str:
        """What a notebook shows: names by section."""
        names = {section: listed(names) for section, names in self._listed().items()}
        return f"<div><b>{escape(self.title or 'Scene')}</b>{properties(names)}</div>"

    def _listed(self) -> dict[str, list[str]]:
        """Names of what a scene has, by section."""
        sections = {section: list(getattr(self, section)) for section in type(self).model_fields
                    if isinstance(getattr(self, section), dict)}
        sections["system"] = list(self.system.coordinates)
        return {section: names for section, names in sections.items() if names}

    @property
    def has_formulas(self) -> bool:
        """Whether the scene has rigid bodies, constraints, actuators or formulas, beyond point masses and links."""
        return next(self.beyond_links(), None) is not None

    def beyond_links(self) -> Iterator[str]:
        """Entries of the scene beyond point masses, links and loads on them, by their places."""
        if self.system.coordinates:
            yield "system"
        for section in ("constraint", "surface"):
            yield from (f"{section}.{name}" for name in getattr(self, section))
        for name, entry in self.actuator.items():
            if not isinstance(entry, AppliedForces):
                yield f"actuator.{name}"
        for name, load in self.load.items():
            if isinstance(load, BY_FORMULAS):
                yield f"load.{name}"
        for name, body in self.body.items():
            if not (isinstance(body, FixedPoint) or (isinstance(body, PointMass) and body.parametrisation is None)):
                yield f"body.{name}"

    @property
    def measured_joints(self) -> dict[str, Hinge | Slider]:
        """Hinges and sliders by name: joints with a value and a rate, which are read, driven and sprung."""
        return {name: entry for name, entry in self.constraint.items() if isinstance(entry, Hinge | Slider)}

    @property
    def drives(self) -> dict[str, Drive]:
        """Drives by name."""
        return {name: entry for name, entry in self.constraint.items() if isinstance(entry, Drive)}

    @property
    def rolling(self) -> dict[str, Rolling]:
        """Rolling constraints by name."""
        return {name: entry for name, entry in self.constraint.items() if isinstance(entry, Rolling)}

    @property
    def has_joints(self) -> bool:
        """Whether the scene consists of rigid bodies, joints and their contacts only, as newton-euler supports."""
        other = any(isinstance(body, MasslessPoint | MasslessBody) or parametrisation_of(body) is not None
                    for body in self.body.values())
        formulas = any(isinstance(entry, Coupling | FormulaConstraint | FrictionConstraint | EnergyConstraint | NoSpin)
                       for entry in self.constraint.values())
        return self.has_formulas and not (self.system.coordinates or (self.surface and self.dimension == 3) or other
                                          or formulas or self.has_grains)

    @property
    def has_grains(self) -> bool:
        """Whether the scene has grains: bodies in contact with each other and with boundaries."""
        return (bool(self.material or self.boundary or self.source or self.sink) or self.run.solver in GRAIN_SOLVERS
                or (any(isinstance(body, Disk) and body.parametrisation is None for body in self.body.values())
                    and not (self.link or self.constraint))
                or any(isinstance(pattern, Grains) for pattern in self.pattern.values()))

    @property
    def applied(self) -> str:
        """Name of the actuator by which a user applies forces to bodies, if it has one; empty otherwise."""
        return next((name for name, entry in self.actuator.items() if isinstance(entry, AppliedForces)), "")

    @property
    def dimension(self) -> int:
        """2 or 3, from the number of components of its vectors."""
        key = "dimension", self.run.solver  # where no vector tells, it is that of grains if the solver is for grains
        if key not in self._compiled:
            self._compiled[key] = dimension_of(self)
        dimension: int = self._compiled[key]
        return dimension

    @property
    def formulation(self) -> str:
        """Formulation of its equations: the one given, or the default for its contents."""
        if "formulation" not in self.run.model_fields_set and (self.run.coordinates or self.run.quasi):
            return "gibbs-appell" if self.run.quasi else "lagrange"
        if self.has_formulas and not self.has_joints and "formulation" not in self.run.model_fields_set:
            return "fundamental"
        return self.run.formulation

    @property
    def solver(self) -> str:
        """Solver: the one given, or the default for its contents."""
        if self.has_grains and "solver" not in self.run.model_fields_set:
            return "moreau"
        return self.run.solver

    @property
    def engine(self) -> str:
        """What computes its motion: scenes of one engine compile nearly the same kernels."""
        if not self.has_grains:
            return f"{self.formulation} {self.solver}" + (" joints" if self.has_joints else "")
        return f"grains {self.solver}" + (" joints" if self.link or self.constraint else "")

    def start_from(self, run: Any, frame: int = -1) -> Scene:
        """The scene with a frame of an earlier run as its initial state, at t = 0.

        Args:
            run: a Run, or the name of a run file.
            frame: number of the frame, counted from the end if negative.

        Bodies and grains are matched by name; those that do not match are refused. Positions, orientations and
        velocities of bodies move by the least that makes them fit the joints, for errors add up in a run. Grains, and
        clumps, joints and bonds among them, stay as they are with their overlaps, and with what contacts remember: all
        of it in the last two frames, forces of `moreau` in any.
        """
        started: Scene = offered("begun_from")(self, run, frame)
        return started

    def with_grain_solver(self) -> Scene:
        """The same scene with the solver of its grains written out; settings of smooth solvers are refused."""
        if self.run.max_step is not None:
            raise SceneError([Problem("run.max_step", "is for solvers of smooth motion that choose their steps, but "
                                                      f'this scene has grains and solver "{self.solver}".',
                                      "Remove it and give step.")])
        return self.with_run(solver=self.solver)

    def with_run(self, **settings: Any) -> Scene:
        """The same scene with other run settings; None keeps a setting."""
        changed = {key: value for key, value in settings.items() if value is not None}
        try:
            run = RunSettings.model_validate({**self.run.model_dump(exclude_unset=True), **changed})
        except ValidationError as error:
            raise SceneError(problems_of(error, ("run",)), source="run settings") from None
        copy = self.model_copy(update={"run": run})
        copy._compiled = self._compiled
        return copy

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Scene:
        """A copy with other entries; what was compiled from the scene stays behind."""
        copy = super().model_copy(update=update, deep=deep)
        copy._compiled = {}
        return copy

    def vary(self, changes: Mapping[str, Any]) -> Scene:
        """The same scene with other values, by their paths in the scene file.

        `scene.vary({"material.glass.friction": 0.4, "run.until": "2 s"})`. Values are checked as in a scene file.
        Entries of lists are counted from 0, as in `body.bean.parts.0`. Unknown names are refused, all
        mistakes at once.
        """
        variation = Variation(changes)
        fields = variation.of(self)
        problems = [*variation.problems,
                    *(problem for path, error in variation.refused for problem in problems_of(error, path))]
        if problems:
            raise SceneError(problems, source="varied scene")
        return Scene(**fields)


SECTIONS: dict[str, Any] = {name: get_args(field.annotation)[1] for name, field in Scene.model_fields.items()
                            if get_origin(field.annotation) is dict}
"""What the entries of a section are, by the section's name."""
WHOLE: dict[str, type[Entry]] = {name: field.annotation for name, field in Scene.model_fields.items()
                                 if isinstance(field.annotation, type) and issubclass(field.annotation, Entry)}
"""Sections without names of their own."""


@cache
def reader(section: str) -> TypeAdapter[Any]:
    """Checks single entries of a section."""
    # annotated, because the base of a section taken by itself is a class without keys and not any of its kinds
    entry: Any = Annotated[SECTIONS[section], section]
    return TypeAdapter(entry)


@cache
def section_reader(section: str) -> TypeAdapter[Any]:
    """Checks all entries of a section with their names."""
    entry: Any = Annotated[SECTIONS[section], section]
    return TypeAdapter(dict[Name, entry])


def _rebuild() -> None:
    """Let all entries know of a new kind: each holds the rules of those it is made of."""
    for entry in all_entries():
        if entry is not Scene and "section" not in entry.__dict__:
            entry.model_rebuild(force=True)
    Scene.model_rebuild(force=True)
    reader.cache_clear()
    section_reader.cache_clear()
    _keys.cache_clear()


on_change(_rebuild)


def kinds(annotation: Any) -> dict[str, type[Entry]]:
    """Entries that a section or a key takes, by kind; one that has no kind stands under an empty name."""
    if isinstance(annotation, type) and issubclass(annotation, Kind) and "section" in annotation.__dict__:
        return dict(annotation.kinds)
    if isinstance(annotation, type) and issubclass(annotation, Entry):
        kind = annotation.model_fields.get("kind")
        return {"" if kind is None else kind.default: annotation}
    return {kind: entry for part in get_args(annotation) for kind, entry in kinds(part).items()}


_NEEDED = {
    "tuple_type": "a list such as [..., ...]", "list_type": "a list such as [..., ...]",
    "dict_type": "a table of keys", "model_type": "a table of keys", "model_attributes_type": "a table of keys",
    "float_type": "a number", "float_parsing": "a number", "int_type": "an integer",
    "int_parsing": "an integer", "string_type": "a string", "bool_type": "true or false",
    "bool_parsing": "true or false",
}
"""What pydantic's types of errors ask for, in words."""
_BOUNDS = {"greater_than": ("gt", "a number greater than"), "greater_than_equal": ("ge", "a number of at least"),
           "less_than": ("lt", "a number less than"), "less_than_equal": ("le", "a number of at most")}
"""What its bounds of numbers ask for, and how it calls them."""


def problems_of(error: ValidationError, prefix: tuple[str, ...] = (), before: int = 0,
                root: type[Entry] | None = None) -> list[Problem]:
    """Pydantic's findings in Granum's words; names are suggested in as many as are shown.

    before: problems that are known already.
    root: what was read, if not a scene.
    """
    items: list[dict[str, Any]] = []
    for entry in error.errors(include_url=False):
        item: dict[str, Any] = dict(entry)
        short = item["type"] == "missing" and isinstance(item["loc"][-1], int)
        if short and items and items[-1].get("needed") and items[-1]["loc"][:-1] == item["loc"][:-1]:
            items[-1]["needed"] = item["loc"][-1] + 1  # one list that lacks several entries
        else:
            items.append({**item, "needed": item["loc"][-1] + 1} if short else item)
    return [_problem(item, _Place(prefix, error.title, item["loc"], root or Scene), suggest=before + number < SHOWN)
            for number, item in enumerate(items)]


class _Place:
    """Where a finding is: its path as the user wrote it, the entry it is in, and what else could stand there."""

    def __init__(self, prefix: tuple[str, ...], model: str, loc: tuple[int | str, ...],
                 root: type[Entry] | None) -> None:
        self.path: list[str] = []
        self._in_scene = root is Scene
        self.entry: type[Entry] | None = root
        """None where its kind is not known, or where there is none."""
        self.choice: dict[str, type[Entry]] = {}
        for part in prefix:
            self._enter(part)
        if self.entry is None:
            self.entry = next((entry for entry in self.choice.values() if entry.__name__ == model), None)
        for part in map(str, loc):
            self._enter(part)

    @property
    def keys(self) -> dict[str, FieldInfo]:
        """Keys of the entry, as a file has them."""
        return {} if self.entry is None else _keys(self.entry)

    def _enter(self, part: str) -> None:
        if self._in_scene and len(self.path) == 1 and self.path[0] in SECTIONS:
            self.path.append(part)  # a name, whatever it is
        elif part in self.keys:
            self.choice = kinds(self.keys[part].annotation)
            self.entry = self.choice.get("")
            self.path.append(part)
        # pydantic puts the chosen kind and the tried alternatives into the path; the user wrote neither
        elif self.entry is None and part in self.choice:
            self.entry = self.choice[part]
        elif len(self.path) < (3 if self._in_scene else 1) or not (part in ("float", "int") or "[" in part):
            self.path.append(part)


@cache
def _keys(entry: type[Entry]) -> dict[str, FieldInfo]:
    return {field.alias or name: field for name, field in entry.model_fields.items()}


def _problem(item: dict[str, Any], at: _Place, suggest: bool) -> Problem:
    path = at.path
    place = ".".join(path)
    kind, message, given = item["type"], item["msg"], item["input"]
    if kind == "extra_forbidden":
        return Problem(place, f"found the unknown key {path[-1]!r}.",
                       did_you_mean(path[-1], at.keys, "key") if suggest else "")
    if kind == "missing" and isinstance(item["loc"][-1], int):
        return Problem(".".join(path[:-1]),
                       f"found a list of {count(item['loc'][-1], 'entry')}, but {item['needed']} are needed.")
    if kind == "missing":
        return Problem(place, f"{path[-1]!r} is missing.")
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        known = ", ".join([*at.choice, *_of_packages(at.choice)])
        if kind == "union_tag_not_found" or not isinstance(given, dict):
            return Problem(place, f"kind is missing. Allowed kinds: {known}.")
        return Problem(f"{place}.kind",
                       f"found kind = {_short(given['kind'])}. Allowed kinds: {known}.")
    if kind in ("too_short", "too_long"):
        context = item.get("ctx", {})
        right = (f"at most {context.get('max_length')} are allowed" if kind == "too_long" else
                 f"at least {context.get('min_length')} are needed")
        return Problem(place, f"found a list of {count(context.get('actual_length', 0), 'entry')}, but {right}.")
    if kind == "value_error":
        return Problem(place, message.removeprefix("Value error, ").rstrip(".") + ".")
    if kind == "literal_error":
        return Problem(place, f"found {_short(given)}, but this key takes {item['ctx']['expected']}.")
    if kind == "string_too_long":
        return Problem(place, f"found a string of {len(given)} characters, but at most {item['ctx']['max_length']} are "
                              "allowed.")
    needed = needed_instead(item)
    return Problem(place, f"found {_short(given)}, but {needed} is needed." if needed else
                   f"found {_short(given)}: {message[0].lower()}{message[1:]}.")


def _of_packages(choice: Mapping[str, type[Entry]]) -> list[str]:
    """Kinds that installed packages add to a choice and that no scene has asked for yet."""
    sections = {entry.section for entry in choice.values() if issubclass(entry, Kind)}
    return [kind for section in sections for kind in installed().get(section, ()) if kind not in choice]


def needed_instead(item: Mapping[str, Any]) -> str:
    """What one of pydantic's findings asks for, in words; empty where there are none for it."""
    kind = item["type"]
    if kind == "finite_number":
        return "a finite number"
    if kind in _BOUNDS:
        key, words = _BOUNDS[kind]
        return f"{words} {item['ctx'][key]:g}"
    return _NEEDED.get(kind, "")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
