"""Starts of fixed points, which every kind of scene refuses alike."""

from __future__ import annotations

from granum.base.errors import Problem
from granum.model.body_entries import FixedPoint
from granum.model.scene import Scene


def fixed_start_problems(scene: Scene) -> list[Problem]:
    """Starts of fixed points."""
    return [fixed_start(name) for name in scene.start if isinstance(scene.body.get(name), FixedPoint)]


def fixed_start(name: str) -> Problem:
    """A start of a fixed point."""
    return Problem(f"start.{name}", f'body "{name}" is a fixed point and takes no start.',
                   f"Set its position in [body.{name}].")
