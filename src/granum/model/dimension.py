"""Is a scene 2-D or 3-D? Decided here alone, by what most of its vectors say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from granum.model.quantities import Entry
from granum.model.solids import Disk

if TYPE_CHECKING:
    from granum.model.scene import Scene

_ONE = ("position", "acceleration", "force", "lower", "centre", "direction", "across", "down")
"""Keys of vectors that have as many components as the scene has dimensions."""
_SEVERAL = ("ends", "positions")
"""Keys of lists of such vectors."""


def dimension_of(scene: Scene) -> int:
    """2 or 3: what most vectors say, the first of them where they are even.

    Where no vector tells, surfaces are of a 3-D scene, angles and disks of a 2-D one, rigid bodies and formulas of a
    3-D one, and anything else is 2-D.
    """
    sizes = list(_sizes(scene))
    if sizes:
        flat = 2 * sizes.count(2)
        return sizes[0] if flat == len(sizes) else 2 if flat > len(sizes) else 3
    if scene.surface:
        return 3
    if scene.system.points:
        return len(next(iter(scene.system.points.values())))
    disks = any(isinstance(body, Disk) for body in scene.body.values())
    if disks or any(start.angle is not None for start in scene.start.values()):
        return 2
    return 3 if scene.has_formulas and not scene.has_grains else 2


def _sizes(scene: Scene) -> Iterator[int]:
    """Components of every vector of a scene that tells its dimension."""
    groups = [*scene.pattern.values(), *scene.source.values(), *scene.sink.values()]
    regions = [region for group in groups if (region := getattr(group, "region", None)) is not None]
    for entry in (*scene.body.values(), *scene.start.values(), *scene.load.values(), *scene.actuator.values(),
                  *groups, *regions, *scene.boundary.values()):
        yield from _own(entry)


def _own(entry: Entry) -> Iterator[int]:
    for key in _keys(type(entry)):
        value = getattr(entry, key)
        if key == "angles":
            if value is not None:
                yield 2
        elif key == "parametrisation":
            if value is not None:
                yield len(value.position)
        elif isinstance(value, tuple) and value and isinstance(value[0], tuple) == (key in _SEVERAL):
            size = len(value[0] if key in _SEVERAL else value)
            if size > 1:  # a single formula of a force acts along the axis of a joint
                yield size


@cache
def _keys(kind: type[Entry]) -> tuple[str, ...]:
    """Keys of a kind of entry that tell the dimension: asking every entry for those it lacks takes far longer."""
    return tuple(key for key in (*_ONE, *_SEVERAL, "angles", "parametrisation") if key in kind.model_fields)
