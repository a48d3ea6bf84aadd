"""What a published case is: rows of numbers side by side, figures as data, and how a verdict is reached."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from granum.base.kernels import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

Verdict = Literal["agrees", "differs", "measured", "not printed", "not converged", "not reproducible"]

Look = Literal["line", "dashed", "points", "dashed points", "marks", "printed"]
"""Points are joined by a line, marks are not; what a document prints has marks of its own."""

VERDICTS: dict[Verdict, str] = {
    "agrees": "the computed value is within the allowed error of the reference",
    "differs": "the computed value differs from the reference by more than the allowed error",
    "measured": "computed beside a printed number that no reference can confirm, such as seconds on another machine or "
                "a step that is not given",
    "not printed": "the source shows at most a curve, and there is no reference",
    "not converged": "the solver did not converge; the note says where, and there is no computed value",
    "not reproducible": "the source lacks data needed to compute it, or shows round-off; the note says which",
}
"""What each verdict means."""


def plain(value: float) -> str:
    """A number as people write it in the name of a quantity: 1e-8, not 1e-08."""
    return f"{value:g}".replace("e-0", "e-")


def number(value: float | None) -> str:
    """A number of a row with as many digits as tell it from its reference; a dash for none."""
    if value is None:
        return "-"
    return f"{value:.10g}" if value == 0.0 or abs(value) >= 1e-3 else f"{value:.2e}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One quantity: what is printed, what an independent computation gives, what Granum computes."""

    case: str
    quantity: str
    source: str
    """Where the document shows it."""
    published: float | None = None
    """What the document prints; None where it shows only a curve."""
    reference: float | None = None
    """An independent value: from outside of the project, or from the other formulation."""
    computed: float | None = None
    error: float | None = None
    """|computed - reference|, relative where the note says so."""
    verdict: Verdict
    note: str

    def __post_init__(self) -> None:
        for name in ("published", "reference", "computed", "error"):
            value = getattr(self, name)
            if value is not None and not math.isfinite(value):
                raise ValueError(f"{self.case} {self.quantity}: {name} is {value}; use None for unknown values.")

    def as_json(self) -> dict[str, Any]:
        """The row as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows of one case, each written with a verdict that follows from its numbers."""

    case: str
    rows: list[Row] = field(default_factory=list)

    def compare(
        self, quantity: str, source: str, computed: float, reference: float, allowed: float, note: str, *,
        unit: str = "m", relative: bool = False, published: float | None = None,
    ) -> None:
        """A value beside its reference; it agrees if the error is at most `allowed`."""
        error = abs(computed - reference) / (abs(reference) if relative else 1.0)
        meaning = "relative" if relative else f"absolute [{unit}]"
        self._add("agrees" if error <= allowed else "differs", quantity, source,
                  f"{note} Error: {meaning}, at most {allowed:g}.", published=published, reference=reference,
                  computed=computed, error=error)

    def measure(self, quantity: str, source: str, computed: float, note: str, published: float | None = None) -> None:
        """A value without a reference: seconds of this machine, an effect that only a curve shows."""
        self._add("not printed" if published is None else "measured", quantity, source, note, published=published,
                  computed=computed)

    def give_up(self, quantity: str, source: str, note: str) -> None:
        """A run that did not converge: shown, never hidden."""
        self._add("not converged", quantity, source, note)

    def doubt(
        self, quantity: str, source: str, computed: float | None, note: str, published: float | None = None,
    ) -> None:
        """Something that the document does not determine, with what comes nearest, if anything does."""
        self._add("not reproducible", quantity, source, note, published=published, computed=computed)

    def _add(self, verdict: Verdict, quantity: str, source: str, note: str, **numbers: float | None) -> None:
        known = {name: float(value) for name, value in numbers.items() if value is not None}
        self.rows.append(Row(case=self.case, quantity=quantity, source=source, verdict=verdict, note=note, **known))


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a panel."""

    label: str
    x: Floats
    y: Floats
    look: Look = "line"
    z: Floats | None = None
    """Third coordinate, in panels that have one."""

    @classmethod
    def over(cls, label: str, values: Mapping[int, float], look: Look) -> Curve:
        """Values over sizes."""
        return cls(label, np.array(list(values)), np.array(list(values.values())), look)

    @classmethod
    def along(cls, label: str, points: Floats, look: Look = "line") -> Curve:
        """A path through points (n, 2) or (n, 3)."""
        x, y, *z = points.T
        return cls(label, x, y, look, z[0] if z else None)


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes; labels end in a unit, [-] where there is none."""

    x_label: str
    y_label: str
    curves: tuple[Curve, ...]
    title: str = ""
    log_x: bool = False
    log_y: bool = False
    equal: bool = False
    """One metre is as long upward as sideways."""
    z_label: str = ""
    """Given, the panel is drawn in space."""
    surface: str = ""
    """Γ(X, Y, Z) of the surface under the curves: shown by its contours, or as it is in space."""
    reach: float = 0.0
    """How far the surface is shown from the origin [m]; 0 where it is shown around the curves."""
    ticks: tuple[str, ...] = ()
    """Names at x = 0, 1, 2, ..."""

    def __post_init__(self) -> None:
        for label in (self.x_label, self.y_label, self.z_label):
            if label and not label.endswith("]"):
                raise ValueError(f"{label!r} has no unit; write [-] where there is none.")


@dataclass(frozen=True, slots=True)
class Figure:
    """A published figure drawn again; `name` is that of its file."""

    name: str
    title: str
    panels: tuple[Panel, ...] = ()
    rows: int = 1
    """Rows in which the panels are laid out."""
    picture: Callable[[], Picture] | None = None
    """Draws it, where it shows no curves but bodies."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a case computed."""

    rows: list[Row]
    figures: list[Figure]


@dataclass(frozen=True, slots=True)
class Case:
    """A published case: computed once, then printed as rows and drawn as figures."""

    name: str
    description: str
    source: str
    figures: tuple[str, ...]
    """Names of all figures, as a full run draws them."""
    compute: Callable[[Sheet, bool], list[Figure]]
    """Writes all rows and returns the figures; where the flag is set, with smaller systems and fewer of them."""
    compute_full: Callable[[Sheet, Path], list[Figure]] | None = None
    """The same with many more runs, whose tables are kept in a folder and continued there; None where there is nothing
    more to do."""

    def run(self, quick: bool = False, tables: Path | None = None) -> Result:
        """Compute all rows and figures; `quick` takes smaller systems and fewer of them.

        With a folder for tables, a case that has more runs to make makes all of them.
        """
        sheet = Sheet(self.name)
        if tables is None or self.compute_full is None:
            figures = self.compute(sheet, quick)
        else:
            tables.mkdir(parents=True, exist_ok=True)
            figures = self.compute_full(sheet, tables)
        return Result(sheet.rows, figures)

    def draw(self, result: Result, folder: Path, suffix: str = ".png") -> list[Path]:
        """Draw the figures of a result into a folder; returns the files."""
        from granum.published.drawing import draw

        return [draw(figure, Path(folder) / f"{self.stem(figure.name)}{suffix}") for figure in result.figures]

    def stem(self, figure: str) -> str:
        """Name of the file of a figure, without its ending: case and number."""
        return figure if figure.startswith(self.name) else f"{self.name}-{figure}"
