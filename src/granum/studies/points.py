"""Points of a study: which values are run, how often, and with which seeds."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from granum.base.errors import GranumError
from granum.studies.definition import Study
from granum.studies.levels import MOST


class Point(NamedTuple):
    """One run of a study."""

    number: int
    """Of the point, from 0; repeats share it."""
    values: dict[str, Any]
    """By path, in SI units."""
    repeat: int
    """From 0."""
    seed: int
    """Of everything random in the run."""


def points_of(study: Study) -> list[Point]:
    """All runs of a study whose points are known before any is run, in their order."""
    values = _values(study)
    if len(values) * study.repeats > MOST:
        raise GranumError(f"This study has {len(values)} points with {study.repeats} runs each, but at most {MOST} "
                          "runs are supported. Use fewer points or repeats, or another design.")
    return [point for number, value in enumerate(values) for point in repeats_of(study, number, value)]


def repeats_of(study: Study, number: int, values: dict[str, Any], first: int = 0) -> Iterable[Point]:
    """The runs of a point, counted from a first repeat."""
    for repeat in range(first, first + study.repeats):
        yield Point(number, values, repeat, int(values.get("run.seed", seed_of(study.seed, number, repeat))))


def seed_of(seed: int, number: int, repeat: int) -> int:
    """The seed of a run: it follows from the study's seed, the point and the repeat alone."""
    state = np.random.SeedSequence([seed, number, repeat]).generate_state(1, np.uint64)
    return int(state[0] >> np.uint64(1))  # scenes take 63 bits


def _values(study: Study) -> list[dict[str, Any]]:
    """The values of all points."""
    kind = study.design.kind
    if kind == "list":
        return study.listed
    if kind == "grid":
        count = int(np.prod([len(level.values) for level in study.levels], dtype=object))
        if count > MOST:
            raise GranumError(f"This grid has {count} points, but at most {MOST} are supported. Use fewer points for "
                              'each parameter, or kind = "latin-hypercube" or "sobol".')
        paths = [level.path for level in study.levels]
        return [dict(zip(paths, values, strict=True))
                for values in itertools.product(*(level.values for level in study.levels))]
    if kind in ("latin-hypercube", "sobol"):
        return _sample(study)
    raise GranumError(f'design.kind = "{kind}" has no points until its first runs are finished.')


def _sample(study: Study) -> list[dict[str, Any]]:
    """Points that fill the ranges evenly: a sample of the unit cube, stretched over them."""
    from scipy.stats import qmc

    count, dimension = study.design.points, len(study.levels)
    assert count is not None
    seed = np.random.default_rng(np.random.SeedSequence([study.seed]))
    if study.design.kind == "sobol":
        cube = _saltelli(qmc.Sobol(2 * dimension, seed=seed).random(count))
    else:
        cube = qmc.LatinHypercube(dimension, seed=seed).random(count)
    return [{level.path: level.at(float(part)) for level, part in zip(study.levels, row, strict=True)} for row in cube]


def _saltelli(base: NDArray[np.float64]) -> NDArray[np.float64]:
    """Saltelli's blocks, from which Sobol's indices follow: A, A with each column in turn taken from B, and B."""
    dimension = base.shape[1] // 2
    first, second = base[:, None, :dimension], base[:, None, dimension:]
    mixed = np.where(np.eye(dimension, dtype=bool), second, first)
    return np.concatenate([first, mixed, second], axis=1).reshape(-1, dimension)
