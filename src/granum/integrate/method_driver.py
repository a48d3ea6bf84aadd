"""The driver and its search for events, compiled for a method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from granum.base.kernels import Floats, instance, small_kernel
from granum.integrate import driver, event_search
from granum.integrate.driver import Accuracy, Problem, Progress, Work

_TEMPLATES: tuple[Callable[..., Any], ...] = (
    driver.first_step, driver.begin, driver.good_step, driver.take, driver.end_step, event_search.try_step,
    event_search.locate, event_search.earliest, event_search.lower, event_search.approach, event_search.bracket,
    event_search.locate_events, driver.advance)


class Advance(Protocol):
    """`driver.advance`, as it is compiled for a method."""

    def __call__(self, p: Problem, accuracy: Accuracy, until: float, y: Floats, work: Work, progress: Progress,
                 most_steps: int, /) -> int:
        """See `driver.advance`."""


def driver_of(method: dict[str, Any], name: str) -> Advance:
    """`advance` in the scope of a method's module: its `attempt`, `predict` and EXPONENT of its error estimate."""
    scope = {**vars(event_search), **vars(driver), **method}
    for each in _TEMPLATES:
        scope[each.__name__] = small_kernel(instance(each, scope, name))
    made: Advance = scope["advance"]
    return made
