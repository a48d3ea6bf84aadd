"""Sliders: a point of the second body moves along a line in the first, (r₂ - r₁)·a₁ = 0 for a across the line."""

from __future__ import annotations

from granum.model.connections import Slider
from granum.rows.joint import Connecting, Joint, Row, forces, frame, hold_parallel, hold_rotation, moments, two_ends
from granum.rows.tables import CARRIED


def build(name: str, entry: Slider, scene: Connecting) -> Joint:
    """Rows across the line and what holds the relative rotation; a drive measures the way along the line."""
    one, two = two_ends(name, entry.kind, entry.between, scene)
    n, a, b = frame(scene.axis(name, entry))
    across = (b,) if scene.dimension == 2 else (a, b)
    joint = Joint(name, entry.kind, one, two, [Row(CARRIED, one.body.carried(side)) for side in across],
                  labels=forces(name, scene.dimension), axis=n)
    if not entry.rotation:
        hold_rotation(joint, scene.relative(entry), scene.dimension)
    elif scene.dimension == 3:
        hold_parallel(joint, n, scene.second_axis(name, entry), (a, b))
    if scene.dimension == 3 or not entry.rotation:
        joint.labels += moments(name, scene.dimension)
    placed = one.body.position is not None and two.body.position is not None
    begun = float((two.start - one.start) @ n) if placed else 0.0
    joint.measure = Row(CARRIED, one.body.carried(n), offset=begun)
    return joint
