"""Glue: two bodies move as one, r₂ - r₁ = 0 and the relative rotation of the start (Souchet, example 2)."""

from __future__ import annotations

from granum.model.connections import Glue
from granum.rows.joint import Connecting, Joint, forces, hold_rotation, meeting_points, moments, two_ends


def build(name: str, entry: Glue, scene: Connecting) -> Joint:
    """Rows of the point and of the rotation; the reactions are the loads across the cut."""
    one, two = two_ends(name, entry.kind, entry.between, scene)
    joint = Joint(name, entry.kind, one, two, meeting_points(scene.dimension),
                  labels=[*forces(name, scene.dimension), *moments(name, scene.dimension)])
    hold_rotation(joint, scene.relative(entry), scene.dimension)
    return joint
