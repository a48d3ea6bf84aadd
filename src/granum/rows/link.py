"""Links: |r₂ - r₁| = l (Sun 1996, eq. 2.1)."""

from __future__ import annotations

import numpy as np

from granum.base.errors import GranumError
from granum.model.connections import Link
from granum.rows.joint import TENSION, Connecting, Joint, Row
from granum.rows.tables import DISTANCE


def build(name: str, entry: Link, scene: Connecting) -> Joint:
    """The distance of two points; its reaction is the tension."""
    one, two = scene.end(entry.between[0]), scene.end(entry.between[1])
    if one.body is two.body:
        raise GranumError("joins two fixed points. Remove it." if one.body.kind == "ground" else
                          f'joins "{one.body.name}" to itself.')
    apart = None if one.body.position is None or two.body.position is None else float(
        np.linalg.norm(two.start - one.start))
    size = entry.length if entry.length is not None else apart or 0.0
    if size <= 0.0 or (apart == 0.0 and "massless" not in (one.body.kind, two.body.kind)):
        raise GranumError("its ends coincide at the start, so it has no direction. Start them apart.")
    return Joint(name, "link", one, two, [Row(DISTANCE, offset=size)], labels=[(name, TENSION)],
                 by_start=entry.length is None, sense=entry.sense, restitution=entry.restitution)
