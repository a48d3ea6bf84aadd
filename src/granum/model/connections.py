"""Connections: what holds bodies together, and what else constrains their motion."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from granum.model.kinds import Kind
from granum.model.quantities import Coefficient, Direction, Ends, Entry, Formula, Length, Name, PointName


class Link(Entry):
    """A rigid massless rod between two bodies, |r_i - r_j| = length (002 eq 2.1); it pulls and pushes."""

    between: Ends
    """The two bodies; the link points from the first to the second."""
    length: Length | None = None
    """Length [m]; left out, it is the distance at the start."""


class Surface(Entry):
    """A smooth surface Γ(X, Y, Z) = 0; bodies are on the side where Γ is positive (001 eq 13)."""

    equation: Formula
    """Γ in X, Y and Z [m]."""


class Constraint(Kind, section="constraint"):
    """What holds bodies together or restricts how they move."""


class Rolling(Constraint):
    """A round body touches a surface or another round body and does not slip on it (001, eqs 17-31; 002, 3.64)."""

    kind: Literal["rolling"] = "rolling"
    body: PointName
    """The body that rolls: a sphere, a disk, a half-shell or a two-half-shell, or a part of a clump (`clump.1`)."""
    on: PointName
    """The surface, or another such body."""
    friction: Coefficient | None = None
    """Coefficient of friction; where rolling needs more, the body slips: an event."""


class Sliding(Constraint):
    """A round body touches a surface or another round body and slips on it, against friction (002 eqs 3.61-3.63)."""

    kind: Literal["sliding"] = "sliding"
    body: PointName
    """The body that slides: as for rolling."""
    on: PointName
    """The surface, or another such body."""
    friction: Coefficient = 0.0
    """Coefficient of friction: its force is this part of the normal force, against the velocity of slip."""


class NoSpin(Constraint):
    """A body that rolls does not turn about the normal of the surface (001 eq 39)."""

    kind: Literal["no-spin"] = "no-spin"
    body: Name
    """The body; it has a rolling constraint too."""


class BallJoint(Constraint):
    """Two points stay together."""

    kind: Literal["ball-joint"] = "ball-joint"
    between: Ends
    """Two bodies or points of bodies."""


class Hinge(Constraint):
    """Two bodies share a point and an axis."""

    kind: Literal["hinge"] = "hinge"
    between: Ends
    """Two points of rigid bodies, or a fixed point and one of them."""
    axis: Direction | None = None
    """Direction of the axis in inertial axes, with the bodies oriented as [start] says; left out in 2-D."""
    assembly: Literal["open", "crossed"] | None = None
    """Which of the two ways to close a loop at this hinge; left out, the one nearest to the start as given."""


class Slider(Constraint):
    """A point of the second body moves along a line that is fixed in the first."""

    kind: Literal["slider"] = "slider"
    between: Ends
    """Two points of rigid bodies, or a fixed point and one of them."""
    axis: Direction
    """Direction of the line in inertial axes, with the first body oriented as [start] says; it goes through the
    first point."""
    rotation: bool = False
    """May the second body rotate: in 2-D about its point (a pin in a slot), in 3-D about the line (a cylindrical
    joint)?"""


class Drive(Constraint):
    """A hinge or slider that moves as prescribed; its reaction is the torque or the force that this takes."""

    kind: Literal["drive"] = "drive"
    joint: Name
    """The hinge or slider."""
    motion: Formula
    """Angle [rad] or distance [m] since t = 0 of the second body against the first, in t."""


class Glue(Constraint):
    """Two rigid bodies move as one; the reactions are the force and the moment across the cut (004, example 2)."""

    kind: Literal["glue"] = "glue"
    between: Ends
    """Two points of rigid bodies that coincide at the start: the force and the moment are given there."""


class FormulaConstraint(Constraint):
    """Any constraint: formulas of coordinates, rates (`x_dot`) and time `t` that stay zero, or equations."""

    kind: Literal["formula"] = "formula"
    formula: Formula | None = None
    """One formula ..."""
    formulas: tuple[Formula, ...] = ()
    """... or several."""

    @model_validator(mode="after")
    def _fits_together(self) -> FormulaConstraint:
        if (self.formula is None) == (not self.formulas):
            raise ValueError('needs formula = "..." or formulas = ["...", "..."]')
        return self

    @property
    def rows(self) -> tuple[str, ...]:
        """All formulas."""
        return (self.formula,) if self.formula is not None else self.formulas


class FrictionConstraint(Constraint):
    """Coulomb friction at a contact that a formula constraint describes (004, example 1); for virtual-work."""

    kind: Literal["friction"] = "friction"
    normal: Name
    """The constraint of the contact, one formula: its multiplier is the normal force, positive where bodies press."""
    slip: tuple[Formula, ...] = Field(min_length=1, max_length=2)
    """The slip velocity, in one or two components at right angles [m/s]."""
    friction: Coefficient
    """Coefficient of friction."""
    bilateral: bool = False
    """Does the contact hold in both directions, so that the normal force may pull?"""


class EnergyConstraint(Constraint):
    """The total energy is held as an extra row: consistent with the others, it keeps their errors from adding up."""

    kind: Literal["energy"] = "energy"

