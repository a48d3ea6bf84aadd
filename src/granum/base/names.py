"""Names by number without one string per body: a million bodies of a pattern cost a few bytes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Any, SupportsIndex, overload


@dataclass(frozen=True, slots=True)
class _Series:
    """Names `<prefix>-1 ... <prefix>-count`, or `<prefix>-row-column` where columns are given."""

    prefix: str
    count: int
    columns: int = 0

    def name(self, k: int) -> str:
        if self.columns:
            return f"{self.prefix}-{k // self.columns + 1}-{k % self.columns + 1}"
        return f"{self.prefix}-{k + 1}"

    def find(self, name: str) -> int | None:
        if not name.startswith(self.prefix + "-"):
            return None
        numbers = name[len(self.prefix) + 1 :].split("-")
        if not all(part.isdecimal() and len(part) < 12 for part in numbers):
            return None
        indices = [int(part) for part in numbers]
        if self.columns and len(indices) == 2 and 1 <= indices[1] <= self.columns:
            k = (indices[0] - 1) * self.columns + indices[1] - 1
        elif not self.columns and len(indices) == 1:
            k = indices[0] - 1
        else:
            return None
        return k if 0 <= k < self.count and self.name(k) == name else None


@dataclass
class Names(Sequence[str]):
    """Names of bodies or links in the order of the scene."""

    _blocks: list[_Series | str] = field(default_factory=list)
    _offsets: list[int] = field(default_factory=list)
    _single: dict[str, int] = field(default_factory=dict)
    _series: list[tuple[_Series, int]] = field(default_factory=list)
    _count: int = 0

    def add(self, name: str) -> None:
        """Append one name."""
        self._single[name] = self._count
        self._append(name, 1)

    def add_series(self, prefix: str, count: int, columns: int = 0) -> None:
        """Append `<prefix>-1 ... <prefix>-count`, by row and column where columns are given."""
        if count:
            series = _Series(prefix, count, columns)
            self._series.append((series, self._count))
            self._append(series, count)

    def blocks(self) -> list[str | list[str | int]]:
        """The names in short: each by itself, or a series by its prefix, count and columns."""
        return [block if isinstance(block, str) else [block.prefix, block.count, block.columns]
                for block in self._blocks]

    @classmethod
    def of_blocks(cls, blocks: Iterable[Any]) -> Names:
        """The names that `blocks` wrote."""
        names = cls()
        for block in blocks:
            if isinstance(block, str):
                names.add(block)
            else:
                names.add_series(*block)
        return names

    def taken(self, prefix: str, count: int, columns: int = 0) -> str | None:
        """A name that a series would give a second time, or None."""
        series = _Series(prefix, count, columns)
        if self.find(series.name(0)) is not None:
            return series.name(0)
        # two series that share a name share the first of one of them
        first = (block if isinstance(block, str) else block.name(0) for block in self._blocks)
        return next((name for name in first if series.find(name) is not None), None)

    def _append(self, block: _Series | str, count: int) -> None:
        self._blocks.append(block)
        self._offsets.append(self._count)
        self._count += count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, number: SupportsIndex) -> str: ...

    @overload
    def __getitem__(self, number: slice) -> list[str]: ...

    def __getitem__(self, number: SupportsIndex | slice) -> str | list[str]:
        if isinstance(number, slice):
            return [self._name(k) for k in range(*number.indices(self._count))]
        k = index(number)
        if not -self._count <= k < self._count:
            raise IndexError(f"there is no name {k}: there are {self._count}")
        return self._name(k % self._count)

    def _name(self, number: int) -> str:
        position = bisect_right(self._offsets, number) - 1
        block = self._blocks[position]
        return block if isinstance(block, str) else block.name(number - self._offsets[position])

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.find(name) is not None

    def __iter__(self) -> Iterator[str]:
        return map(self._name, range(self._count))

    def find(self, name: str) -> int | None:
        """Number of a name, or None."""
        if name in self._single:
            return self._single[name]
        for series, offset in self._series:
            if (k := series.find(name)) is not None:
                return offset + k
        return None

    def some(self, limit: int = 200) -> list[str]:
        """The first names, for messages."""
        return self[:limit]
