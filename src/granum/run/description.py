"""What every description of a scene has: figures by name for programs, and lines for people."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

_SHOWN = 12
"""Names that a line lists."""


@dataclass(frozen=True)
class Description(ABC):
    """What `granum check` says about a scene."""

    title: str

    def as_json(self) -> dict[str, Any]:
        """All figures by name."""
        return asdict(self)

    @abstractmethod
    def summary_lines(self) -> list[str]:
        """The description in words."""

    @property
    def heading(self) -> str:
        """The title with a colon; nothing without one."""
        return f"{self.title}: " if self.title else ""


def counted(number: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many}"


def listed(names: Sequence[str]) -> str:
    """Names with commas; of many, the first."""
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


def together(names: Sequence[str]) -> str:
    """Names as the subject of a sentence."""
    if len(names) == 1:
        return names[0]
    return (f"{', '.join(names[:-1])} and {names[-1]}" if len(names) <= _SHOWN
            else f"{', '.join(names[:_SHOWN])} and others")


def start_line(start: dict[str, float]) -> str:
    """The start, as far as it fits a line."""
    values = ", ".join(f"{name} = {value:.6g}" for name, value in list(start.items())[:40])
    return f"The start, computed from what is given: {values}."
