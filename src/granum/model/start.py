"""The start: where a body is and how it moves at t = 0."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from granum.model.quantities import (
    Angle,
    AngularVelocity,
    AngularVelocityVector,
    Entry,
    Position,
    Quaternion,
    Velocity,
)

Guessed = Literal["position", "angle", "orientation", "velocity", "angular_velocity"]


class Start(Entry):
    """State of one body at t = 0; bodies of a pattern have a position already.

    Values that are given are held. Those left out, or named in `guess`, follow from the joints.
    """

    position: Position | None = None
    """Position [m]."""
    velocity: Velocity | None = None
    """Velocity [m/s]; left out, at rest (or as the pattern says). Two components for a body that rolls: its
    centre's along X and Y."""
    orientation: Quaternion | None = None
    """Quaternion that turns body axes into inertial axes; left out, they coincide unless joints turn the body."""
    angle: Angle | None = None
    """2-D: angle of the body's x axis from the inertial one [rad]; left out, zero unless joints turn the body."""
    angular_velocity: AngularVelocityVector | None = None
    """Angular velocity in inertial axes [rad/s]; left out, it follows from constraints or is zero."""
    contact: Position | None = None
    """X and Y of the point where a rolling body touches the surface [m]."""
    spin: AngularVelocity | None = None
    """Angular velocity of a rolling body about the normal of the surface [rad/s]."""
    guess: tuple[Guessed, ...] = ()
    """Which of these values are approximate: the search for a configuration that fits the joints begins with them."""

    @model_validator(mode="after")
    def _guesses_are_given(self) -> Start:
        for key in self.guess:
            if getattr(self, key) is None:
                raise ValueError(f'guess names "{key}", which is not given. Give {key} = ..., or leave it out of guess')
        return self

    def holds(self, key: str) -> bool:
        """Is a value given, and not as a guess?"""
        return getattr(self, key) is not None and key not in self.guess


class RunFrame(Entry):
    """A frame of an earlier run that grains start from."""

    file: str | None = None
    """The run file; none for a run in memory."""
    frame: int = -1
    """Number of the frame, counted from the end if negative."""


UNREAD = Start()
"""Stands for a start that is given but could not be read."""
