"""Bodies: point masses, massless points, fixed points, and the base of all rigid bodies."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from granum.base.kernels import Floats
from granum.model.kinds import Kind
from granum.model.quantities import Entry, Formula, Inertia, Mass, Name, Position


def ball_volume(radius: Any, dimension: int) -> Any:
    """Area π r² of a disk [m²] or volume 4/3 π r³ of a ball [m³]; of a number or of an array."""
    return math.pi * radius**2 if dimension == 2 else 4.0 / 3.0 * math.pi * radius**3


class Parametrisation(Entry):
    """Position and rotation of a body as formulas in the coordinates of `[system]` (Souchet).

    `rotation` may be any matrix R of the coordinates. It need not be a rotation for all of them: the rigidity
    condition, RᵀR = 1 unless `rigidity` states it otherwise, is a constraint.

    >>> spin = gr.Parametrisation(position=("x", "y"), rotation=(("1 - 2*q**2", "-2*p*q"), ("2*p*q", "1 - 2*q**2")),
    ...                           rigidity=["p**2 + q**2 = 1"])
    """

    position: tuple[Formula, ...] = Field(min_length=2, max_length=3)
    """Position of the mass centre [m], two formulas (2-D) or three (3-D)."""
    rotation: tuple[tuple[Formula, ...], ...] = ()
    """Matrix R from body axes to inertial axes, 2 by 2 (2-D) or 3 by 3 (3-D); default: the body does not rotate."""
    rigidity: tuple[Formula, ...] = ()
    """Conditions on the coordinates under which R is a rotation, such as unit length of a quaternion; default: RᵀR = 1.
    Needed where RᵀR = 1 has no slope at the start, so that it cannot restrain the coordinates."""

    @model_validator(mode="after")
    def _square(self) -> Parametrisation:
        size = len(self.position)
        if self.rotation and [len(row) for row in self.rotation] != [size] * size:
            raise ValueError(f"rotation must be a matrix of {size} rows and {size} columns, because position has "
                             f"{size} components")
        if self.rigidity and not self.rotation:
            raise ValueError("rigidity needs rotation: a body that does not rotate is rigid")
        return self


class Body(Kind, section="body"):
    """Something that has a position: a mass, a rigid body, or a point.

    >>> isinstance(gr.PointMass(mass=1.0), gr.Body)
    True
    """


class PointMass(Body):
    """A point mass; `[start.NAME]` gives its initial state.

    >>> bob = gr.PointMass(mass="200 g")
    """

    kind: Literal["point-mass"] = "point-mass"
    mass: Mass
    """Mass [kg]."""
    parametrisation: Parametrisation | None = None
    """Position as formulas in the coordinates of `[system]`; default: coordinates of its own."""

    @model_validator(mode="after")
    def _no_rotation(self) -> PointMass:
        if self.parametrisation is not None and self.parametrisation.rotation:
            raise ValueError("the parametrisation has a rotation, but a point mass does not rotate. Remove rotation, "
                             "or use a rigid body")
        return self


class FixedPoint(Body):
    """A point of the ground: zero velocity, infinite mass (Sun 1996, §2.3).

    >>> nail = gr.FixedPoint(position=(0, "1.5 m"))
    """

    kind: Literal["fixed-point"] = "fixed-point"
    position: Position
    """Position [m]."""


class MasslessPoint(Body):
    """A massless point: constraints determine its position, and other constraints may refer to it.

    A point that only springs, dampers and forces hold is where these balance at every instant.

    Source: Udwadia and Mogharabin (2022), §2.1.

    >>> contact = gr.MasslessPoint()
    """

    kind: Literal["massless-point"] = "massless-point"


def parametrisation_of(body: Body) -> Parametrisation | None:
    """The formulas of a body that has no coordinates of its own."""
    return body.parametrisation if isinstance(body, PointMass | Rigid) else None


def inertia_matrix(given: Any) -> Floats:
    """The matrix of one moment about z (2-D), three principal moments or a matrix [kg m²]."""
    inertia: Floats = np.array(given, dtype=float)
    if inertia.ndim == 0:  # a flat body: the moment across the plane is the sum of those in it
        inertia = float(inertia) * np.array([0.5, 0.5, 1.0])
    return np.diag(inertia) if inertia.ndim == 1 else inertia


class MassProperties(NamedTuple):
    """Mass properties in body axes, which have their origin at the mass centre."""

    mass: float
    """[kg]"""
    inertia: Floats
    """(3, 3) about the mass centre [kg m²]; in 2-D only the last entry counts."""
    centre: tuple[float, float, float]
    """The geometric centre of a round body, from the mass centre [m]."""
    radius: float | None = None
    """Radius of a round body [m]."""
    semi_axes: tuple[float, float, float] | None = None
    """Semi-axes of a body that rolls in 3-D as an ellipsoid about `centre` [m]: one is zero for a thin disk, and
    infinite for a cylinder."""


class Rigid(Body):
    """Base of all rigid bodies: mass, mass centre, inertia, and points fixed in the body.

    >>> isinstance(gr.Disk(radius=1.0), gr.Rigid)
    True
    """

    points: dict[Name, Position] = Field(default_factory=dict)  # a default of {} is copied by Python for every body
    """Named points of the body in its own axes [m], where joints, links, springs and forces can act."""
    parametrisation: Parametrisation | None = None
    """Position and rotation as formulas in the coordinates of `[system]`; default: coordinates of its own."""

    @abstractmethod
    def properties(self) -> MassProperties:
        """Mass, inertia and geometric centre."""

    def origin(self) -> tuple[float, float, float]:
        """Mass centre in the axes that describe the body [m]; for most bodies it is their origin."""
        return 0.0, 0.0, 0.0

    def own_points(self) -> dict[str, tuple[float, ...]]:
        """Points that every body of this kind has, in the axes that describe it [m]."""
        return {}

    def fixed_points(self) -> dict[str, tuple[float, float, float]]:
        """All named points, from the mass centre [m]."""
        x, y, z = self.origin()
        padded = {name: (*at, 0.0)[:3] for name, at in {**self.own_points(), **self.points}.items()}
        return {name: (at[0] - x, at[1] - y, at[2] - z) for name, at in padded.items()}


METRIC = 1e-9
"""Mass [kg] and moments of inertia [kg m²] by which a massless body counts where the initial configuration weighs
changes of bodies; equations of motion have none of it."""


class MasslessBody(Rigid):
    """A massless rigid body, such as the cross of a universal joint: joints determine its motion.

    >>> cross = gr.MasslessBody(points={"arm": (0.0, 0.1, 0.0)})
    """

    kind: Literal["massless-body"] = "massless-body"

    def properties(self) -> MassProperties:
        """The metric of the initial configuration."""
        return MassProperties(METRIC, METRIC * np.eye(3), (0.0, 0.0, 0.0))


class RigidBody(Rigid):
    """A rigid body of any shape; its axes have their origin at the mass centre.

    >>> plate = gr.RigidBody(mass=2.0, inertia=(0.1, 0.2, 0.3), points={"corner": (0.3, 0.2, 0.0)})
    """

    kind: Literal["rigid-body"] = "rigid-body"
    mass: Mass
    """Mass [kg]."""
    inertia: Inertia
    """Moments of inertia about the mass centre [kg m²]: three principal moments, a matrix, or in 2-D one number."""

    def properties(self) -> MassProperties:
        """As given."""
        return MassProperties(self.mass, inertia_matrix(self.inertia), (0.0, 0.0, 0.0))
