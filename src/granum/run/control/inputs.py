"""Inputs: numbers of a running system that a controller may change between steps, such as commands of actuators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from granum.base.kernels import Floats


class Inputs(Mapping[str, float]):
    """Numbers by name, at their places in arrays that compiled code reads."""

    def __init__(self, *arrays: tuple[Mapping[str, int], Floats], changed: Callable[[], None] | None = None) -> None:
        self._places = {name: (array, place) for places, array in arrays for name, place in places.items()}
        self._changed = changed

    def __getitem__(self, name: str) -> float:
        array, place = self._places[name]
        return float(array[place])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def set(self, values: Mapping[str, float]) -> None:
        """Change some of them."""
        for name, value in values.items():
            array, place = self._places[name]
            array[place] = value
        if self._changed is not None:
            self._changed()
