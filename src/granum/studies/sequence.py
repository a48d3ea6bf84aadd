"""The order in which points are run: all at once, or in batches of which each follows from what is known."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from granum.studies.definition import Study
from granum.studies.points import Point, points_of, repeats_of
from granum.studies.table import Row

Rows = Mapping[tuple[int, int], Row]
"""Rows by point and repeat."""


class Adaptive(Protocol):
    """A design that proposes points from the rows so far, which are sorted and complete up to its last proposal."""

    def propose(self, rows: Sequence[Row]) -> Sequence[Mapping[str, Any]]:
        """Values of the points to run next."""

    def finished(self, rows: Sequence[Row]) -> bool:
        """Is nothing left to run?"""


def boundary_of(study: Study) -> Adaptive:
    """The search for a boundary of a study."""
    from granum.studies.boundary import Boundary

    return Boundary(study)


class Batches(ABC):
    """Batches of runs."""

    most: int
    """Runs that there can be."""

    @abstractmethod
    def next(self, rows: Rows) -> list[Point] | None:
        """The next batch, whether or not some of it is done; None after the last. All of the batch before is done."""


class AllAtOnce(Batches):
    """One batch of all points."""

    def __init__(self, study: Study) -> None:
        self._points: list[Point] | None = points_of(study)
        self.most = len(self._points)

    def next(self, rows: Rows) -> list[Point] | None:
        """All points, once."""
        points, self._points = self._points, None
        return points


class InBatches(Batches):
    """Batches that an adaptive design proposes.

    A proposal that repeats the values of an earlier point is a further repeat of it. A study that is resumed goes
    through the same proposals again, because each follows from the rows of those before.
    """

    def __init__(self, study: Study) -> None:
        assert study.design.runs is not None
        self.most = study.design.runs
        self._study, self._design = study, boundary_of(study)
        self._proposed: list[Point] = []
        self._numbers: dict[str, int] = {}
        self._counts: dict[int, int] = {}

    def next(self, rows: Rows) -> list[Point] | None:
        """The batch after those that are done."""
        known = sorted((rows[point.number, point.repeat] for point in self._proposed), key=lambda row: row.key)
        if self._design.finished(known) or len(self._proposed) >= self.most:
            return None
        batch: list[Point] = []
        for values in self._design.propose(known):
            number = self._numbers.setdefault(repr(sorted(values.items())), len(self._numbers))
            first = self._counts.get(number, 0)
            batch += repeats_of(self._study, number, dict(values), first)
            self._counts[number] = first + self._study.repeats
        batch = batch[: self.most - len(self._proposed)]
        self._proposed += batch
        return batch or None


def sequence_of(study: Study) -> Batches:
    """The order in which the points of a study are run."""
    return InBatches(study) if study.design.kind == "boundary" else AllAtOnce(study)
