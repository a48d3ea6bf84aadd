"""What a run records of its one-sided links: what happened to them, which are closed, and the spanning forest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.base.kernels import Floats, Ints
from granum.integrate.one_sided import LinkEvent
from granum.io.runfile import TRANSITIONS, Arrays

if TYPE_CHECKING:
    from granum.integrate.one_sided_bodies import OneSidedBodies
    from granum.integrate.one_sided_points import OneSidedPoints

    Motion = OneSidedBodies | OneSidedPoints


def one_sided_events(motion: Motion) -> Iterator[tuple[float, int, str]]:
    """Links that opened, closed and rebounded: time, number of the link, and what it did."""
    names = list(motion.names)
    return ((event.time, names.index(event.link), event.what) for event in motion.link_events)


def one_sided_checkpoint(motion: Motion | None) -> dict[str, Any]:
    """What a resumed run needs."""
    return {} if motion is None else {
        "checkpoint/one_sided": motion.record, "checkpoint/forest": motion.topology.record}


def restored_one_sided(motion: Motion, arrays: Arrays, slot: int, t: float) -> tuple[Floats, Ints, list[LinkEvent]]:
    """Record, forest and events until the time t, as they were recorded."""
    names = motion.names
    events = [LinkEvent(when, names[int(k)], TRANSITIONS[int(code)]) for when, k, code in arrays["transition"].tolist()
              if code and when <= t]
    return np.array(arrays["checkpoint/one_sided"][slot]), np.array(arrays["checkpoint/forest"][slot]), events
