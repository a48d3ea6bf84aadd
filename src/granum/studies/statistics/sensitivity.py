"""Sobol's indices: which part of the variance of a measure each parameter makes (SALib).

They need Saltelli's design (Saltelli et al. 2010, Comput. Phys. Commun. 181:259): blocks of D + 2 points for D
parameters, first a point A, then A with one parameter after the other taken from B, then B. A grid, a Latin hypercube
and plain Sobol points are refused, because SALib would compute numbers from them that mean nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.studies.statistics.intervals import Estimate, refuse_level

_RESAMPLED = 200
"""Bootstrap samples behind the intervals."""


class Sensitivity(NamedTuple):
    """Sobol's indices of a measure, by parameter."""

    first: dict[str, Estimate]
    """Part of the variance that a parameter makes on its own."""
    total: dict[str, Estimate]
    """Part with all interactions that the parameter has a share in."""
    blocks: int
    """Blocks of the design that were used."""
    dropped: int
    """Blocks that were left out because one of their runs failed."""


def is_saltelli(points: Floats) -> bool:
    """Are these the blocks of Saltelli's design: A, A with each parameter from B, B?"""
    d = points.shape[1]
    if not len(points) or len(points) % (d + 2):
        return False
    blocks = points.reshape(-1, d + 2, d)
    first, last = blocks[:, 0], blocks[:, -1]
    mixed = np.where(np.eye(d, dtype=bool), last[:, None], first[:, None])
    # of other designs, a column that never changes would pass
    return bool((blocks[:, 1:-1] == mixed).all() and (first != last).any(axis=0).all())


def sobol_indices(names: Sequence[str], points: ArrayLike, values: ArrayLike, level: float = 0.95,
                  seed: int = 0) -> Sensitivity:
    """Sobol's indices of first order and in total, with intervals by bootstrap over blocks.

    Args:
        names: of the parameters.
        points: (blocks (D + 2), D) in the order of the design, which `design.kind = "sobol"` makes.
        values: of the measure, one for each point, the mean of its repeats; NaN where the run failed.
        level: of confidence.
        seed: of the bootstrap.
    """
    refuse_level(level)
    at, y = np.asarray(points, dtype=float).reshape(-1, len(names)), np.asarray(values, dtype=float)
    if not is_saltelli(at):
        raise GranumError(f"Sobol's indices need Saltelli's design: blocks of {len(names) + 2} points for {len(names)} "
                          f"parameters. These {len(at)} points have another design (a grid, a Latin hypercube, a list "
                          'or a search for a boundary). Use design.kind = "sobol".')
    blocks = y.reshape(-1, len(names) + 2)
    whole = np.isfinite(blocks).all(axis=1)
    if whole.sum() < 2 or np.ptp(blocks[whole]) == 0.0:
        raise GranumError("Sobol's indices need values that vary, in at least 2 blocks without a failed run; there "
                          f"are {int(whole.sum())} of {len(blocks)}.")
    from SALib.analyze import sobol

    found = sobol.analyze({"num_vars": len(names), "names": list(names)}, blocks[whole].ravel(),
                          calc_second_order=False, num_resamples=_RESAMPLED, conf_level=level, seed=seed)
    first, total = (
        {name: Estimate(float(v), float(v - h), float(v + h), int(whole.sum()))
         for name, v, h in zip(names, found[key], found[f"{key}_conf"], strict=True)} for key in ("S1", "ST"))
    return Sensitivity(first, total, int(whole.sum()), int((~whole).sum()))
