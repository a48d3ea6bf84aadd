"""What a published case is: rows of numbers side by side, figures as data, and how a verdict is reached."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from granum.base.kernels import Floats
from granum.base.text import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Picture

PublishedVerdict = Literal["agrees", "differs", "not comparable", "not reproducible", "corrected", "not printed"]
ReferenceVerdict = Literal["agrees", "differs", "no reference", "does not apply", "not converged"]

Look = Literal["line", "dashed", "points", "dashed points", "marks", "printed", "solid", "glass"]
"""Points are joined by a line, marks are not; what a document prints has marks of its own. In space, a grid of points
is a surface that hides what is behind it (solid) or lets it shine through (glass)."""

PUBLISHED_VERDICTS: dict[PublishedVerdict, str] = {
    "agrees": "the computed value is within the allowed error of the printed one: half a unit of its last digit, "
              "unless the note gives another",
    "differs": "the computed value differs from the printed one by more than that",
    "not comparable": "a number is printed, but it depends on what the source does not give, such as the step, or on "
                      "its machine",
    "not reproducible": "the source lacks data needed to compute it, or shows round-off; the note says which",
    "corrected": "the source prints an equation that does not hold; its corrected form is evaluated (see the errata)",
    "not printed": "the source prints no number: at most a curve or a formula",
}
"""What each verdict on the printed value means."""
REFERENCE_VERDICTS: dict[ReferenceVerdict, str] = {
    "agrees": "the computed value is within the allowed error of our reference",
    "differs": "the computed value differs from our reference by more than the allowed error",
    "no reference": "nothing independent of the source and of this computation is at hand",
    "does not apply": "the solver has no such quantity; the note says why, and there is no computed value",
    "not converged": "the solver did not converge; the note says where, and there is no computed value",
}
"""What each verdict on our reference means: a closed form, another formulation, or a computation outside of Granum."""


def plain(value: float) -> str:
    """A number as people write it in the name of a quantity: 1e-8, not 1e-08."""
    return f"{value:g}".replace("e-0", "e-")


def number(value: float | None, scale: float = 0.0) -> str:
    """A number of a row with as many digits as tell it from its reference; a dash for none.

    Beside the scale, the largest of what it is compared with and of the allowed errors, rounding is zero.
    """
    if value is None:
        return "-"
    value = visible(value, scale)
    return f"{value:.10g}" if value == 0.0 or abs(value) >= 1e-3 else f"{value:.2e}"


_NUMBERS = ("published", "reference", "computed", "published_error", "published_allowed", "reference_error",
            "reference_allowed")


def last_digit(printed: float | str) -> float:
    """Half a unit of the last digit of a printed number: 0.005 for 0.23; zeros at its end count in a string."""
    exponent = Decimal(str(printed)).as_tuple().exponent
    assert isinstance(exponent, int)
    return 0.5 * 10.0**exponent


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One quantity: what is printed, what an independent computation gives, what Granum computes.

    Each of the first two has a verdict of its own, so that a value that our reference confirms and the source does not
    print never counts as reproduced.
    """

    case: str
    quantity: str
    source: str
    """Where the document shows it."""
    published: float | None = None
    """What the document prints; None where it shows only a curve."""
    reference: float | None = None
    """An independent value: from outside of the project, or from the other formulation."""
    computed: float | None = None
    published_error: float | None = None
    """|computed - published|."""
    published_allowed: float | None = None
    reference_error: float | None = None
    """|computed - reference|, relative where the note says so."""
    reference_allowed: float | None = None
    published_verdict: PublishedVerdict
    reference_verdict: ReferenceVerdict
    note: str

    def __post_init__(self) -> None:
        for name in _NUMBERS:
            value = getattr(self, name)
            if value is not None and not math.isfinite(value):
                raise ValueError(f"{self.case} {self.quantity}: {name} is {value}; use None for unknown values.")

    def as_json(self) -> dict[str, Any]:
        """The row as plain data."""
        return asdict(self)


def row_numbers(row: Row) -> tuple[str, str, str]:
    """What is printed, our reference and what is computed, as a table shows them."""
    given = (row.published, row.reference, row.published_allowed, row.reference_allowed)
    scale = max((abs(value) for value in given if value is not None), default=0.0)
    return number(row.published), number(row.reference, scale), number(row.computed, scale)


def judged(row: Row) -> tuple[str, str]:
    """Both verdicts in words, each with its error where there is one: of the printed value, and of our reference."""
    pairs = ((row.published_verdict, row.published_error, row.published_allowed),
             (row.reference_verdict, row.reference_error, row.reference_allowed))
    printed, reference = (verdict if error is None else f"{verdict} ({visible(error, allowed or 1.0):.2g})"
                          for verdict, error, allowed in pairs)
    return printed, reference


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows of one case, each written with verdicts that follow from its numbers."""

    case: str
    rows: list[Row] = field(default_factory=list)

    def compare(
        self, quantity: str, source: str, computed: float, reference: float, allowed: float, note: str, *,
        unit: str = "m", relative: bool = False, published: float | str | None = None,
        published_allowed: float | None = None, corrected: bool = False,
    ) -> None:
        """A value beside our reference, with which it agrees if the error is at most `allowed`; and beside what is
        printed, if anything is (see `compare_published`), or an equation that the source prints with an error.
        """
        error = abs(computed - reference) / (abs(reference) if relative else 1.0)
        meaning = "relative" if relative else f"absolute [{unit}]"
        printed = self._against(computed, published, published_allowed)
        if corrected:
            printed["published_verdict"] = "corrected"
        self._add(quantity, source, f"{note} Error: {meaning}, at most {allowed:g}.{_allowed(printed, unit)}",
                  reference_verdict="agrees" if error <= allowed else "differs", reference=reference,
                  computed=computed, reference_error=error, reference_allowed=allowed, **printed)

    def compare_published(
        self, quantity: str, source: str, computed: float, published: float | str, note: str, *, unit: str = "m",
        allowed: float | None = None,
    ) -> None:
        """A value beside a printed one where there is no reference of ours.

        Printed as a string, zeros at the end count: "0.20". They agree within half a unit of the last printed digit,
        or within `allowed`, where the source says less than it prints: a fit, a range, a mean of few runs.
        """
        printed = self._against(computed, published, allowed)
        self._add(quantity, source, f"{note}{_allowed(printed, unit)}", reference_verdict="no reference",
                  computed=computed, **printed)

    def measure(self, quantity: str, source: str, computed: float, note: str,
                published: float | str | None = None) -> None:
        """A value that nothing can confirm: seconds of this machine, an effect that only a curve shows."""
        self._add(quantity, source, note, reference_verdict="no reference", computed=computed,
                  published=None if published is None else float(published),
                  published_verdict="not printed" if published is None else "not comparable")

    def leave_out(self, quantity: str, source: str, reason: str) -> None:
        """Something that a solver cannot show, and why."""
        self._add(quantity, source, reason, published_verdict="not printed", reference_verdict="does not apply")

    def give_up(self, quantity: str, source: str, note: str) -> None:
        """A run that did not converge: shown, never hidden."""
        self._add(quantity, source, note, published_verdict="not printed", reference_verdict="not converged")

    def doubt(
        self, quantity: str, source: str, computed: float | None, note: str, published: float | str | None = None,
    ) -> None:
        """Something that the document does not determine, with what comes nearest, if anything does."""
        self._add(quantity, source, note, published_verdict="not reproducible", reference_verdict="no reference",
                  published=None if published is None else float(published), computed=computed)

    @staticmethod
    def _against(computed: float, published: float | str | None, allowed: float | None) -> dict[str, Any]:
        """The columns of the printed value."""
        if published is None:
            return {"published_verdict": "not printed"}
        allowed = last_digit(published) if allowed is None else allowed
        error = abs(computed - float(published))
        within = error <= allowed * (1.0 + 1e-9)  # a tie, such as 0.225 beside 0.23, is not decided by rounding
        return {"published": float(published), "published_error": error, "published_allowed": allowed,
                "published_verdict": "agrees" if within else "differs"}

    def _add(self, quantity: str, source: str, note: str, **columns: Any) -> None:
        known: dict[str, Any] = {name: float(value) if name in _NUMBERS else value
                                 for name, value in columns.items() if value is not None}
        self.rows.append(Row(case=self.case, quantity=quantity, source=source, note=note, **known))


def _allowed(printed: Mapping[str, Any], unit: str) -> str:
    """The allowed error of a printed value, for the note."""
    allowed = printed.get("published_allowed")
    return "" if allowed is None else f" Error of the printed value: absolute [{unit}], at most {allowed:g}."


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a panel, or a surface: then its coordinates are grids (rows, columns)."""

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
        from granum.validation.drawing import draw

        return [draw(figure, Path(folder) / f"{self.stem(figure.name)}{suffix}") for figure in result.figures]

    def stem(self, figure: str) -> str:
        """Name of the file of a figure, without its ending: case and number."""
        return figure if figure.startswith(self.name) else f"{self.name}-{figure}"
