"""The start: where a body is and how it moves at t = 0."""

from __future__ import annotations

from granum.model.quantities import Angle, AngularVelocity, Entry, Position, Quaternion, Turning, Velocity


class Start(Entry):
    """State of one body at t = 0; bodies of a pattern have a position already."""

    position: Position | None = None
    """Position [m]."""
    velocity: Velocity | None = None
    """Velocity [m/s]; left out, at rest (or as the pattern says). Two components for a body that rolls: its
    centre's along X and Y."""
    orientation: Quaternion | None = None
    """Quaternion that turns body axes into inertial axes; left out, they coincide."""
    angle: Angle | None = None
    """In the plane: angle of the body's x axis from the inertial one [rad]; left out, zero."""
    angular_velocity: Turning | None = None
    """Angular velocity in inertial axes [rad/s]; left out, it follows from constraints or is zero."""
    contact: Position | None = None
    """X and Y of the point where a rolling body touches the surface [m]."""
    spin: AngularVelocity | None = None
    """Angular velocity of a rolling body about the normal of the surface [rad/s]."""


UNREAD = Start()
"""Stands for a start that is given but could not be read."""
