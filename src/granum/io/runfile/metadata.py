"""What a file says about itself, validated before anything follows from it, and the kinds of files that say it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from granum.integrate.stepper import StepStatistics
from granum.io.runfile.layout import FORMAT, Layout, problem_of
from granum.model.scene import needed_instead

Length = Annotated[int, Field(strict=True, ge=0, le=1 << 48)]
Texts = list[str]


STATISTICS = set(StepStatistics.names())
BALANCE = {"kinetic", "potential"}
FIGURES = {"contacts", "pushing", "mean_overlap", "largest_overlap", "largest_move"}
RESIDUALS = {"residual", "largest_residual", "plastic_impacts"}
"""Columns that are read by name: of every run, of grains, and of solvers that know how well contact was solved."""


class Provenance(BaseModel):
    """Where the numbers come from."""

    kernels: str
    commit: str | None = None
    features: str


class StepChoice(BaseModel):
    """The time step of grains and what it is measured against [s]."""

    step: float
    proposed: float
    limit: float
    reason: str


NameBlocks = list[str | tuple[str, Annotated[int, Field(strict=True, ge=1, le=1 << 48)], Length]]
"""Names, and series of names by prefix, count and columns."""


class Points(BaseModel):
    """Names of point masses and links, in the order of their columns, and which bodies are fixed points."""

    bodies: NameBlocks
    links: NameBlocks
    fixed: list[Length]


class Metadata(BaseModel):
    """Keys that are read by name; others are kept and nothing follows from them."""

    model_config = ConfigDict(extra="allow", strict=True, allow_inf_nan=True)

    title: str
    scene: dict[str, Any]
    scene_text: str
    seed: int
    versions: dict[str, str]
    provenance: Provenance
    layout: dict[str, tuple[list[Length], Literal["f4", "f8", "i4", "i8", "u1"]]]
    statistics_columns: Texts
    energy_columns: Texts
    energy_unit: float
    energy_floor: float = 0.0
    lift: float = 0.0
    # of runs by an external engine: its name and version, and what it does not report
    engine: str | None = None
    orientation: bool = True
    energy_balance: bool = True
    # of point masses and links; files of before do not have it
    points: Points | None = None
    # of bodies, joints and formulas
    searched: bool = False
    bodies: Texts = []
    oriented: Texts = []
    coordinates: Texts = []
    reactions: Texts = []
    rows: Texts = []
    frictions: Texts = []
    events: Texts = []
    joints: Texts | dict[str, str] = []
    # of grains
    grains: Texts = []
    dimension: Literal[2, 3] = 2
    figure_columns: Texts = []
    flow_probes: Texts = []
    section_probes: Texts = []
    packing_probes: Texts = []
    rigidity_probes: Texts = []
    jam_probes: Texts = []
    probe_columns: dict[str, Texts] = {}
    loads: Texts = []
    elements: list[int] = []
    homes: dict[str, list[float]] = {}
    link_lengths: dict[str, float] = {}
    step: StepChoice | None = None
    contact_tolerance: float | None = None

    @model_validator(mode="after")
    def _has_columns(self) -> Metadata:
        grains = "grains" in self.model_fields_set
        figures = (FIGURES if self.contact_tolerance is None else FIGURES | RESIDUALS) if grains else set()
        for key, needed in (("statistics_columns", STATISTICS), ("energy_columns", BALANCE),
                            ("figure_columns", figures)):
            if missing := needed - set(getattr(self, key)):
                raise ValueError(f"{key} lacks {min(missing)}")
        if grains and self.step is None:
            raise ValueError("a run of grains has a step")
        return self


def encoded(metadata: dict[str, Any]) -> NDArray[np.uint8]:
    """Metadata as the bytes of a dataset."""
    return np.frombuffer(json.dumps(metadata).encode(), np.uint8)


def wrong_metadata(error: ValidationError) -> str:
    """The first finding about metadata, in words."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])[:80]
    needed = needed_instead(first)
    finding = ("it is missing" if first["type"] == "missing" else f"{needed} is needed" if needed else
               str(first["msg"]).removeprefix("Value error, ")[:120])
    return f"its metadata are wrong{f' at {place}' if place else ''}: {finding}"


def decoded(data: bytes) -> tuple[dict[str, Any], Layout]:
    """Metadata and the arrays they declare; raises ValueError with what is wrong."""
    try:
        metadata = json.loads(data)
        model = Metadata.model_validate_json(data)
    except ValidationError as error:
        raise ValueError(wrong_metadata(error)) from None
    except (ValueError, RecursionError):
        raise ValueError("its metadata cannot be read") from None
    layout: Layout = {name: (tuple(shape), dtype) for name, (shape, dtype) in model.layout.items()}
    if (problem := problem_of(layout, metadata)) is not None:
        raise ValueError(problem)
    return metadata, layout


class Format(NamedTuple):
    """A kind of file: its name in the file, its words in messages, and how its metadata are read."""

    name: str
    """With a version at its end, such as `granum-run-4`."""
    thing: str
    """What is in a file: a run, a study."""
    row: str
    """What its rows are: frames, rows."""
    makes: str
    """The command that makes such a file, without its output."""
    again: str
    """What to do about a file that is damaged."""
    decode: Callable[[bytes], tuple[dict[str, Any], Layout]]
    """Metadata and the arrays they declare; raises ValueError with what is wrong."""

    @property
    def made(self) -> str:
        """How such a file is made, as a sentence."""
        return f"`{self.makes} -o {self.thing.upper()}.h5` writes a {self.thing} file."


RUN = Format(FORMAT, "run", "frame", "granum run SCENE.toml", "Copy it again, or run its scene again.", decoded)
KINDS = {"run": "granum run", "study": "granum study"}
"""Commands that write files, by what is in them."""
