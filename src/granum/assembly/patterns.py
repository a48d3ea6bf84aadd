"""Patterns of links written out as bodies and links of their own."""

from __future__ import annotations

from granum.assembly.points.collect import PointArrays
from granum.base.errors import SceneError
from granum.model.body_entries import FixedPoint, PointMass
from granum.model.connections import Link
from granum.model.scene import Scene
from granum.model.start import Start


def explicit(scene: Scene, arrays: PointArrays) -> Scene:
    """The scene with its patterns written out as bodies and links."""
    if arrays.problems and not scene.has_formulas:
        raise SceneError(arrays.problems)
    fixed, names = arrays.fixed, list(arrays.body_names)
    body = {name: FixedPoint(position=tuple(x)) if still else PointMass(mass=m) for name, x, still, m in zip(
        names, arrays.position.tolist(), fixed, arrays.mass.tolist(), strict=True)}
    start = {name: Start(position=tuple(x), velocity=tuple(v)) for name, x, v, still in zip(
        names, arrays.position.tolist(), arrays.velocity.tolist(), fixed, strict=True) if not still}
    link = {name: Link(between=(names[i], names[j]), length=size) for name, i, j, size in zip(
        arrays.link_names, arrays.tail.tolist(), arrays.head.tolist(), arrays.length.tolist(), strict=True)}
    return scene.model_copy(update={"body": {**body, **scene.body}, "start": {**start, **scene.start}, "link": link,
                                    "pattern": {}})
