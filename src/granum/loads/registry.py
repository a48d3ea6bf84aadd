"""Which file builds which load on bodies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from granum.loads import force, gravity, spring, torque, torsion
from granum.loads.load import BodyLoad
from granum.model.loads import Force, Gravity, Spring, Torque, TorsionSpring

BUILDERS: dict[type[Any], Callable[..., BodyLoad]] = {
    Gravity: gravity.build, Force: force.build, Torque: torque.build, Spring: spring.build,
    TorsionSpring: torsion.build}
"""By the class of the schema entry."""


def register(entry: type[Any], build: Callable[..., BodyLoad]) -> None:
    """Tell Granum how to build a new kind of load on bodies, by the class of its schema entry."""
    BUILDERS[entry] = build
