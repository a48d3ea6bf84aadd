"""The initial state of a body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import model_validator

from granum.base.errors import Problem
from granum.model.body_entries import Body, FixedPoint
from granum.model.quantities import (
    Angle,
    AngularVelocity,
    AngularVelocityVector,
    Entry,
    Position,
    Quaternion,
    Velocity,
    whole,
)

Guessed = Literal["position", "angle", "orientation", "velocity", "angular_velocity"]


class Start(Entry):
    """Initial state of a body; bodies of a pattern have a position already.

    Given values are kept. Values that are omitted or named in `guess` follow from the joints.

    >>> start = gr.Start(position=(0.5, 0), velocity=("20 cm/s", 0), angle="30 deg")
    """

    position: Position | None = None
    """Position [m]."""
    velocity: Velocity | None = None
    """Velocity [m/s]; default: at rest, or as given in the pattern. For a body that rolls on a
    surface two components suffice: those along X and Y of the centre of a sphere, or of the mass centre of others."""
    orientation: Quaternion | None = None
    """Unit quaternion of the rotation from body axes to inertial axes; default: axes coincide unless joints rotate the
    body."""
    angle: Angle | None = None
    """2-D: angle of the body's x axis from the inertial x axis [rad]; default: zero unless joints rotate the body."""
    angular_velocity: AngularVelocityVector | None = None
    """Angular velocity in inertial axes [rad/s]; default: follows from constraints, otherwise zero."""
    contact: Position | None = None
    """X and Y of the point where a rolling body touches the surface [m]."""
    spin: AngularVelocity | None = None
    """Angular velocity of a rolling body about the surface normal [rad/s]."""
    guess: tuple[Guessed, ...] = ()
    """Names of the values above that are approximate: starting points of the search for a configuration that fits the
    joints."""

    @model_validator(mode="after")
    def _fits_together(self) -> Start:
        for key in self.guess:
            if getattr(self, key) is None:
                raise ValueError(f'guess names "{key}", which is not given. Give {key} = ..., or remove it from guess')
        if self.spin is not None and self.holds("angular_velocity"):
            raise ValueError("spin and angular_velocity are both given, but angular_velocity includes the rotation "
                             "about the surface normal. Remove one of them, or name angular_velocity in guess")
        return self

    def holds(self, key: str) -> bool:
        """Is a value given, and not as a guess?"""
        return getattr(self, key) is not None and key not in self.guess


class RunFrame(Entry):
    """A frame of an earlier run that a scene starts from.

    >>> frame = gr.RunFrame(file="poured.h5", frame=-1)
    """

    file: str | None = None
    """The run file; None for a run in memory."""
    frame: Annotated[int, whole(-10_000_000, 10_000_000)] = -1
    """Index of the frame; negative indices count from the end."""


UNREAD = Start()
"""Stands for a start that is given but could not be read."""


def fixed_start_problems(starts: Mapping[str, Start], bodies: Mapping[str, Body]) -> list[Problem]:
    """Starts of fixed points, which every kind of scene refuses alike."""
    return [fixed_start(name) for name in starts if isinstance(bodies.get(name), FixedPoint)]


def fixed_start(name: str) -> Problem:
    """A start of a fixed point."""
    return Problem(f"start.{name}", f'body "{name}" is a fixed point and takes no start.',
                   f"Set its position in [body.{name}].")
