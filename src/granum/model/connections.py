"""Connections: what holds bodies together, and what else constrains their motion."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from granum.model.quantities import Axis, Coefficient, Ends, Entry, Formula, Length, Name


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


class Rolling(Entry):
    """A round body touches a surface and does not slip on it (001 eqs 17-31)."""

    kind: Literal["rolling"] = "rolling"
    body: Name
    """The body that rolls: a sphere or a two-half-shell."""
    on: Name
    """The surface."""
    friction: Coefficient | None = None
    """Coefficient of friction; where rolling needs more, the body slips: an event."""


class NoSpin(Entry):
    """A body that rolls does not turn about the normal of the surface (001 eq 39)."""

    kind: Literal["no-spin"] = "no-spin"
    body: Name
    """The body; it has a rolling constraint too."""


class BallJoint(Entry):
    """Two points stay together."""

    kind: Literal["ball-joint"] = "ball-joint"
    between: Ends
    """Two bodies or points of bodies."""


class Hinge(Entry):
    """Two bodies share a point and an axis."""

    kind: Literal["hinge"] = "hinge"
    between: Ends
    """Two points of rigid bodies, or a fixed point and one of them."""
    axis: Axis
    """Direction of the axis at the start, in inertial axes."""


class Glue(Entry):
    """Two rigid bodies move as one; the reactions are the force and the moment across the cut (004, example 2)."""

    kind: Literal["glue"] = "glue"
    between: Ends
    """Two points of rigid bodies that coincide at the start: the force and the moment are given there."""


class FormulaConstraint(Entry):
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


class FrictionConstraint(Entry):
    """Coulomb friction at a contact that a formula constraint describes (004, example 1); for virtual-work."""

    kind: Literal["friction"] = "friction"
    normal: Name
    """The constraint of the contact, one formula: its multiplier is the normal force, positive where bodies press."""
    slip: tuple[Formula, ...] = Field(min_length=1, max_length=2)
    """The slip velocity, in one or two components at right angles [m/s]."""
    coefficient: Coefficient
    """Coefficient of friction."""
    bilateral: bool = False
    """Does the contact hold in both directions, so that the normal force may pull?"""


class EnergyConstraint(Entry):
    """The total energy is held as an extra row: consistent with the others, it keeps their errors from adding up."""

    kind: Literal["energy"] = "energy"


Constraint = Annotated[
    Rolling | NoSpin | BallJoint | Hinge | Glue | FormulaConstraint | FrictionConstraint |
    EnergyConstraint, Field(discriminator="kind")]
