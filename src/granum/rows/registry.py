"""Which file builds the rows of which entry of a scene.

To add a joint, write a file with `build(name, entry, scene) -> Joint` and name it here, or call `register` from outside
the package. A joint that is made of elementary rows needs no kernel of its own, and every formulation takes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from granum.algebra import Expression
from granum.model.connections import (
    BallJoint,
    Belt,
    Cam,
    Drive,
    Gear,
    Glue,
    Hinge,
    Link,
    NoSpin,
    Rolling,
    Slider,
    Sliding,
)
from granum.rows import ball_joint, belt, cam, drive, gear, glue, hinge, link, no_spin, rolling, slider, sliding
from granum.rows.joint import Joint

Build = Callable[..., Joint]


class Builder(NamedTuple):
    """What makes the rows of a kind of connection."""

    build: Build
    refers: bool = False
    """Does it name other joints, so that they must be built before?"""
    contact: bool = False
    """Is it a contact, which solvers of grains find by themselves?"""


BUILDERS: dict[type[Any], Builder] = {
    Link: Builder(link.build), BallJoint: Builder(ball_joint.build), Hinge: Builder(hinge.build),
    Slider: Builder(slider.build), Glue: Builder(glue.build),
    Rolling: Builder(rolling.build, contact=True), Sliding: Builder(sliding.build, contact=True),
    Drive: Builder(drive.build, refers=True), NoSpin: Builder(no_spin.build, refers=True, contact=True)}
"""By the class of the schema entry."""

COUPLINGS: dict[type[Any], Callable[..., tuple[Expression, str]]] = {
    Gear: gear.row, Belt: belt.row, Cam: cam.row}
"""What gives the row of a coupling of two joints, and what its multiplier is called, by the class of the schema
entry."""


def register(entry: type[Any], build: Build, refers: bool = False) -> None:
    """Tell Granum how to build the rows of a new kind of connection.

    Args:
        entry: the class of the schema entry, with `kind: Literal["..."]`.
        build: takes name, entry and a `Connecting`; returns the Joint.
        refers: does it name other joints, so that they must be built before?
    """
    BUILDERS[entry] = Builder(build, refers)
