"""What a campaign is: numbered inputs, each of which is made from its number alone, and what came of them."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

SEED = 20261117
"""Of all campaigns; with the name of the campaign and the number of an input it determines that input."""


class Finding(Exception):  # noqa: N818 (what a campaign looks for, not a mistake of its own)
    """Something that must not happen, in words."""


@contextmanager
def no_warning_of_numpy() -> Iterator[None]:
    """What NumPy warns of, such as an overflow, is an error meanwhile; Granum's own warnings are of other kinds."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        yield


@dataclass
class Outcome:
    """What came of the inputs of a campaign."""

    inputs: int = 0
    kills: int = 0
    seconds: float = 0.0
    findings: dict[str, list[int]] = field(default_factory=dict)
    """What must not happen, and the inputs that made it happen."""
    notes: dict[str, int] = field(default_factory=dict)
    """How often inputs ended in which way."""


@dataclass(frozen=True)
class Campaign:
    """One kind of attack."""

    name: str
    attack: Callable[[int], str]
    """Makes the input of a number and tries it; returns in a word how it ended, or raises what must not happen."""
    inputs: int
    """How many inputs `make fuzz` tries; a hundredth of them in `make test`, but at least `least`."""
    least: int = 3
    kills: int = 0
    """How often an input kills a process."""
    patience: float = 300.0
    """Seconds after which an input counts as endless."""
    prepare: Callable[[], object] = lambda: None
    """What all inputs share, made once before the workers start."""

    def count(self, factor: float) -> int:
        """Inputs of a campaign that is so many times as long."""
        return max(self.least, round(self.inputs * factor))


def described(error: BaseException) -> str:
    """An error by its type and the innermost line of Granum, so that the same cause is counted once."""
    if isinstance(error, Finding):
        return str(error)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "granum" in frame.filename]
    at = f"{frames[-1].filename.rpartition('granum/')[2]}:{frames[-1].lineno}" if frames else "outside of Granum"
    return f"{type(error).__name__} at {at}: {str(error)[:160]}"
