"""Ball joints: two points stay together, r₂ - r₁ = 0."""

from __future__ import annotations

from granum.model.connections import BallJoint
from granum.rows.joint import AXES, FORCE, Connecting, Joint, meeting_points, two_ends


def build(name: str, entry: BallJoint, scene: Connecting) -> Joint:
    """Rows along all axes."""
    one, two = two_ends(name, entry.kind, entry.between, scene)
    return Joint(name, entry.kind, one, two, meeting_points(scene.dimension),
                 labels=[(f"{name}.{AXES[k]}", FORCE + k) for k in range(scene.dimension)])
