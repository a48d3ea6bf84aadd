"""Sliding: two round bodies touch, or one and a plane, and slip against friction (Sun 1996, eqs. 3.61-3.63)."""

from __future__ import annotations

from granum.model.connections import Sliding
from granum.rows.contact import refuse_unknown, touching
from granum.rows.joint import Connecting, Joint


def build(name: str, entry: Sliding, scene: Connecting) -> Joint:
    """The distance alone; friction drags with the normal force."""
    refuse_unknown(entry, scene)
    joint, _ = touching(name, entry, scene)
    if entry.friction:
        near, far, _ = joint.rows[0].p
        joint.friction = joint.presses * entry.friction, near, far
    return joint
