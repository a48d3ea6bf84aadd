"""Inputs: numbers of a running system that a controller may change between steps, such as commands of actuators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from granum.base.kernels import Floats


class Inputs(Mapping[str, float]):
    """Numbers by name, at their places in an array that compiled code reads."""

    def __init__(self, places: Mapping[str, int], data: Floats, changed: Callable[[], None] | None = None) -> None:
        self._places, self._data, self._changed = dict(places), data, changed

    def __getitem__(self, name: str) -> float:
        return float(self._data[self._places[name]])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def set(self, values: Mapping[str, float]) -> None:
        """Change some of them."""
        for name, value in values.items():
            self._data[self._places[name]] = value
        if self._changed is not None:
            self._changed()
