"""Design "boundary": runs are spent where a probability crosses 1/2.

A search goes along the one parameter that has a range, once for every combination of the others. Its rule:

1. The first batch is spread evenly over the range, ends included.
2. While all runs have the same outcome, batches go to both ends. Where Wilson's intervals at both ends exclude 1/2, the
   probability does not cross it within the range (if it is monotonic), and the search ends.
3. Else the logistic curve is fitted (`statistics.logistic`), and the runs of the next batch are chosen one after the
   other, each where it most reduces the variance of x50 that Fisher's information predicts (c-optimal design: Silvey
   1980, Optimal Design). x50 itself being uncertain, that variance is a mean over the middle and the ends of its
   interval, with the weights of Gauss and Hermite (a mean over what is uncertain: Chaloner and Larntz 1989, J. Stat.
   Plan. Inference 21:191). So runs bisect at first, and later are at x50 and beside it.
4. The search ends when the confidence interval of x50 is no longer than `width`; where outcomes are separated, only
   after runs at both ends of the gap exclude 1/2 there by Wilson's interval (four alike). All searches end when the
   runs of the study are used.

Runs that are placed by earlier outcomes, and ended by the interval itself, make plain intervals too short: they hold
x50 in 85 to 94 of 100 searches where they should in 95, most often because the width of the curve is underestimated.
The interval of a search is therefore longer by the relative standard error of that width.

Values are on a lattice of a quarter of `width`, so that runs gather at few points. What is proposed depends on the rows
of finished batches alone, in any order: a study that is resumed proposes the same again.

n runs at x50 give a variance of 4 w²/n (w: width of the curve); spread evenly over a range R they give R w/n. So no
design needs fewer runs than the even grid by more than R / (4 w); docs/studies-statistics.md says what this one
reaches.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.units import si
from granum.studies.definition import Study
from granum.studies.statistics.intervals import wilson
from granum.studies.statistics.logistic import Crossing, logistic_boundary
from granum.studies.table import Row

BATCH = 8
"""Runs of a search that are proposed at a time."""
_PER_WIDTH = 4
"""Steps of the lattice in the wanted interval."""
_DEFAULT = 0.02
"""The wanted interval in the range, where the study does not say."""
_PRIOR = 1e-3
"""Information before any run, in that of one run: keeps the predicted variance finite."""
_ASCII = str.maketrans({"²": "^2", "³": "^3", "·": "*"})
"""Units as they are shown, in the letters in which they are read."""
_NODES = np.array([1.0, 4.0, 1.0]) / 6.0
"""Weights of Gauss and Hermite for the ends and the middle: nodes at √3 deviations, the 95 % interval ending at
1.96."""


@dataclass(frozen=True)
class Search:
    """The search for x50 along one parameter."""

    low: float
    high: float
    width: float
    """Length of the confidence interval at which the search ends."""
    whole: bool = False
    """Does the parameter take whole numbers alone?"""
    level: float = 0.95

    def __post_init__(self) -> None:
        if not 0.0 < self.width < self.high - self.low:
            raise GranumError(f"found width = {self.width:g}, but the interval at which the search ends must be "
                              f"positive and smaller than the range, {self.high - self.low:g}.")

    def crossing(self, x: Floats, outcome: Floats) -> Crossing:
        """What outcomes (0 or 1) say about x50, the interval made longer as the module says."""
        if not len(x):
            return Crossing(math.nan, math.nan, -math.inf, math.inf, np.full((2, 2), np.nan), self.level, 0, "constant")
        found = logistic_boundary(x, outcome, self.level)
        if found.state not in ("fitted", "separated"):
            return found
        longer = 1.0 + math.sqrt(found.covariance[1, 1]) / abs(found.width)
        return found._replace(low=found.x50 - longer * (found.x50 - found.low),
                              high=found.x50 + longer * (found.high - found.x50))

    def ended(self, x: Floats, outcome: Floats) -> bool:
        """Is x50 known well enough, or not within the range?"""
        found = self.crossing(x, outcome)
        if found.state == "constant":
            return self._decided(x, outcome, self._lattice()[[0, -1]])
        # one run on the wrong side of the boundary makes a gap that is narrow and elsewhere
        sure = found.state != "separated" or self._decided(x, outcome, _gap(x, found.x50))
        return sure and found.high - found.low <= self.width

    def propose(self, x: Floats, outcome: Floats, count: int = BATCH) -> Floats:
        """Values of the next runs; none at the end of the search."""
        lattice = self._lattice()
        if not len(x):
            return np.asarray(lattice[np.linspace(0, len(lattice) - 1, count).round().astype(int)])
        if self.ended(x, outcome):
            return np.zeros(0)
        found = self.crossing(x, outcome)
        if found.state == "constant":
            return np.asarray(lattice[-(np.arange(count) % 2)])
        return self._informative(x, found, lattice, count)

    def _lattice(self) -> Floats:
        """Values that are run."""
        steps = math.ceil(_PER_WIDTH * (self.high - self.low) / self.width)
        values = np.linspace(self.low, self.high, steps + 1)
        return np.unique(values.round()) if self.whole else values

    def _decided(self, x: Floats, outcome: Floats, ends: Iterable[float]) -> bool:
        """Do runs at both ends exclude that the probability is 1/2 there?"""
        for end in ends:
            there = outcome[x == end]
            limits = wilson(int(there.sum()), len(there), self.level) if len(there) else None
            if limits is None or limits.low <= 0.5 <= limits.high:
                return False
        return True

    def _informative(self, x: Floats, found: Crossing, lattice: Floats, count: int) -> Floats:
        """Values of the lattice that most reduce the variance of x50, one after the other."""
        supposed = np.clip([found.low, found.x50, found.high], self.low, self.high)[:, None]
        width = abs(found.width)
        if found.state == "separated":  # the curve is no wider than the gap, whatever the penalty says
            below, above = _gap(x, found.x50)
            width = min(width, max(0.5 * (above - below), float(np.diff(lattice).min())))
        # in z = (x - x50) / w the curve has β = (0, 1), and the variance of x50 is w² (I⁻¹)₀₀
        known, gained = (_information((at - supposed) / width) for at in (x, lattice))
        total = known.sum(axis=-1) + _PRIOR * np.array([1.0, 0.0, 1.0])[:, None]
        chosen = []
        for _ in range(count):
            m0, m1, m2 = total[..., None] + gained
            best = int((_NODES @ (m2 / (m0 * m2 - m1**2))).argmin())
            total = total + gained[..., best]
            chosen.append(lattice[best])
        return np.array(chosen)


def _gap(x: Floats, x50: float) -> tuple[float, float]:
    """The values next to x50 on both sides."""
    return float(x[x <= x50].max()), float(x[x >= x50].min())


def _information(z: Floats) -> Floats:
    """(3, ...): Fisher's information of one run at z, p (1 − p) times 1, z and z²."""
    weight = expit(z) * expit(-z)
    return np.stack([weight, weight * z, weight * z**2])


def _width(written: float | str | None, unit: str, span: float) -> float:
    """The wanted length of the interval in SI units."""
    if written is None:
        return _DEFAULT * span
    try:
        return si(written, unit.translate(_ASCII))
    except ValueError as error:
        raise GranumError(str(error)) from None


class Boundary:
    """The searches of a study: one for each combination of the parameters that have no range."""

    def __init__(self, study: Study) -> None:
        searched = next(level for level in study.levels if level.ends is not None)
        assert searched.ends is not None and study.design.measure is not None and study.design.runs is not None
        low, high = searched.ends
        self.parameter, self.measure, self.runs = searched.path, study.design.measure, study.design.runs
        self.search = Search(low, high, _width(study.design.width, searched.unit, high - low), searched.whole)
        others = [level for level in study.levels if level is not searched]
        self.others = [dict(zip((level.path for level in others), values, strict=True))
                       for values in itertools.product(*(level.values for level in others))]

    def propose(self, rows: Sequence[Row]) -> list[dict[str, Any]]:
        """Values of the next runs: a batch for each search that is not at its end."""
        return [{**others, self.parameter: int(value) if self.search.whole else float(value)} for others in self.others
                for value in self.search.propose(*self._outcomes(rows, others))]

    def finished(self, rows: Sequence[Row]) -> bool:
        """Are all searches at their end, or all runs used?"""
        return len(rows) >= self.runs or all(self.search.ended(*self._outcomes(rows, others)) for others in self.others)

    def crossings(self, rows: Sequence[Row]) -> list[tuple[dict[str, Any], Crossing]]:
        """What each search found so far: values of the other parameters, and the crossing."""
        return [(others, self.search.crossing(*self._outcomes(rows, others))) for others in self.others]

    def _outcomes(self, rows: Sequence[Row], others: dict[str, Any]) -> tuple[Floats, Floats]:
        """Values and outcomes of the runs of one search that answered."""
        pairs = sorted((float(row.values[self.parameter]), self._outcome(row)) for row in rows
                       if self.measure in row.measures
                       and all(row.values[name] == value for name, value in others.items()))
        x, outcome = np.array(pairs).reshape(-1, 2).T
        return x, outcome

    def _outcome(self, row: Row) -> float:
        value = row.measures[self.measure]
        if value not in (0.0, 1.0):
            raise GranumError(f'design.measure = "{self.measure}" gave {value!r}, but kind = "boundary" needs a '
                              'measure that is true or false, such as "verdict exit == '
                              "'jam'\".")
        return float(value)
