"""Fixed steps in batches: long enough to be fast, short enough for progress and Ctrl-C."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from granum.assembly.points import PointState
from granum.integrate.stepper import Watch

_BATCH_SECONDS = 0.1


def in_batches(
    state: PointState, until: float, step: float, watch: Watch, run: Callable[[float, int], None]
) -> tuple[float, int]:
    """Advance to `until` by equal steps not larger than `step`, calling run(h, count) for each batch.

    Returns the step and the number of steps. How steps are batched does not touch their arithmetic.
    """
    span = until - state.t
    count = max(1, math.ceil(span / step * (1.0 - 1e-12)))
    h = span / count
    start, done, batch = state.t, 0, 1
    while done < count:
        batch = min(batch, count - done)
        began = time.perf_counter()
        run(h, batch)
        took = time.perf_counter() - began
        done += batch
        state.t = until if done == count else start + done * h
        watch(state.t)
        if took < _BATCH_SECONDS:
            batch = min(4 * batch, max(batch, int(batch * _BATCH_SECONDS / max(took, 1e-9))))
        else:
            batch = max(1, batch // 2)
    return h, count
