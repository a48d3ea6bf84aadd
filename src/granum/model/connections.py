"""Links, joints and other constraints."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from granum.model.boundaries import Motion
from granum.model.kinds import Kind
from granum.model.materials import Restitution
from granum.model.quantities import (
    Angle,
    Coefficient,
    Direction,
    Ends,
    Entry,
    Formula,
    Length,
    MotionTable,
    Name,
    Number,
    PointName,
    Quaternion,
)


class Link(Entry):
    """A rigid massless rod between two bodies, |r_i - r_j| = length (Sun 1996, eq. 2.1).

    It pulls and pushes, unless it is one-sided.

    >>> rod = gr.Link(between=("nail", "bob"), length="50 cm")
    """

    between: Ends
    """The two bodies; the link points from the first to the second."""
    length: Length | None = None
    """Length [m]; default: the distance at the start."""
    one_sided: Literal[False, True, "push", "pull"] = False
    """Make the link one-sided. "push", or true: a contact or strut that only pushes, so its ends may move apart.
    "pull": a rope that only pulls, so its ends may come nearer. Default: the link pushes and pulls."""
    restitution: Restitution = 0.0
    """Newton's coefficient of restitution where the ends of a one-sided link meet, from 0 (no rebound) to 1."""

    @model_validator(mode="after")
    def _fits_together(self) -> Link:
        if self.restitution and not self.one_sided:
            raise ValueError("restitution is for one-sided links; add one_sided = true, or remove restitution")
        return self

    @property
    def sense(self) -> int:
        """Where the distance of the ends may be: +1 at least the length (push), -1 at most (pull), 0 equal to it."""
        return {False: 0, True: 1, "push": 1, "pull": -1}[self.one_sided]


class Surface(Entry):
    """A smooth surface Γ(X, Y, Z) = 0; bodies are on the side where Γ is positive. In 2-D a straight line Γ(X, Y) = 0.

    Source: Udwadia and Mogharabin (2022), eq. 13.

    >>> bowl = gr.Surface(equation="Z - 0.03*(X**2 + Y**2)")
    """

    equation: Formula
    """Γ in X, Y and Z [m]; of a surface in motion, as it is at t = 0."""
    motion: Motion | None = None
    """Prescribed motion of the surface with its material, such as a turntable; default: at rest."""


class Constraint(Kind, section="constraint"):
    """A restriction of the motion of bodies, such as a joint.

    >>> isinstance(gr.Hinge(between=("a", "b")), gr.Constraint)
    True
    """


class Rolling(Constraint):
    """A body rolls without slipping on a surface, or a round body on another round body.

    Sources: Udwadia and Mogharabin (2022), eqs. 17-31; Sun (1996), eq. 3.64.

    >>> roll = gr.Rolling(body="shell", on="bowl", friction=0.5)
    """

    kind: Literal["rolling"] = "rolling"
    body: PointName
    """The body that rolls. On a surface: a sphere, a half-shell or a two-half-shell, a disk on its edge, an ellipsoid,
    or a rod with a radius on its side; in 2-D a disk or a part of a clump on a straight line. On another body: a
    sphere, a disk (2-D), a shell, or a part of a clump (`clump.1`)."""
    on: PointName
    """The surface, or another round body."""
    friction: Coefficient | None = None
    """Coefficient of friction; if rolling needs more, the run ends with the event that the body slips."""


class Sliding(Constraint):
    """A round body slides with friction on a surface or on another round body (Sun 1996, eqs. 3.61-3.63).

    >>> slide = gr.Sliding(body="disk", on="drum", friction=0.2)
    """

    kind: Literal["sliding"] = "sliding"
    body: PointName
    """The body that slides: a sphere, a disk (2-D), a shell, or a part of a clump (`clump.1`)."""
    on: PointName
    """The surface, or another such body."""
    friction: Coefficient = 0.0
    """Coefficient of friction μ: the friction force is μ times the normal force, opposite to the slip velocity."""


class NoSpin(Constraint):
    """A rolling body does not rotate about the surface normal (Udwadia and Mogharabin 2022, eq. 39).

    >>> no_spin = gr.NoSpin(body="shell")
    """

    kind: Literal["no-spin"] = "no-spin"
    body: Name
    """The body; it needs a rolling constraint too."""


class BallJoint(Constraint):
    """Two points coincide.

    >>> ball = gr.BallJoint(between=("post", "arm.tail"))
    """

    kind: Literal["ball-joint"] = "ball-joint"
    between: Ends
    """Two bodies or points of bodies."""


class Hinge(Constraint):
    """Two bodies share a point and an axis.

    >>> pin = gr.Hinge(between=("post", "arm.tail"), axis=(0, 0, 1))
    """

    measures: ClassVar[str] = "angle"
    """What its value is called: the angle of its second body relative to the first since the start [rad]."""
    kind: Literal["hinge"] = "hinge"
    between: Ends
    """Two points of rigid bodies, or a fixed point and one of them."""
    axis: Direction | None = None
    """Direction of the axis in inertial axes, for the bodies oriented as in [start]. The angle of the hinge is that of
    the second body relative to the first, right-handed about it. In 2-D omit it for an angle counted anticlockwise, or
    give (0, 0, -1) for one counted clockwise."""
    axis_in: Literal["scene", "body"] = "scene"
    """Axes in which `axis` is given: "scene", inertial axes, or "body", those of the first body. Use "body" where the
    orientation of the first body is a guess."""
    second_axis: Direction | None = None
    """3-D: direction of the axis in the axes of the second body, where the orientation of a body is a guess; default:
    the direction that coincides with `axis` for the bodies oriented as in [start]."""
    assembly: Literal["open", "crossed"] | None = None
    """Which of the two ways to close the loop at this hinge; default: the one nearest to the given start."""


class Slider(Constraint):
    """A point of the second body moves along a line fixed in the first.

    >>> guide = gr.Slider(between=("frame", "piston"), axis=(1, 0))
    """

    measures: ClassVar[str] = "displacement"
    """What its value is called: how far the point has moved along the line since the start [m]."""
    kind: Literal["slider"] = "slider"
    between: Ends
    """Two points of rigid bodies, or a fixed point and one of them."""
    axis: Direction
    """Direction of the line in inertial axes, for the first body oriented as in [start]; the line passes through the
    first point."""
    axis_in: Literal["scene", "body"] = "scene"
    """Axes in which `axis` is given: "scene", inertial axes, or "body", those of the first body. Use "body" where the
    orientation of the first body is a guess."""
    rotation: bool = False
    """Whether the second body may rotate: in 2-D about its point (a pin in a slot), in 3-D about the line (a
    cylindrical joint)."""
    second_axis: Direction | None = None
    """3-D, with rotation: direction of the line in the axes of the second body, where the orientation of a body is a
    guess; default: the direction that coincides with `axis` for the bodies oriented as in [start]."""
    relative_angle: Angle | None = None
    """2-D, without rotation: angle of the second body relative to the first [rad]; default: as in [start]."""
    relative_orientation: Quaternion | None = None
    """3-D, without rotation: unit quaternion of the rotation from the axes of the second body to those of the first;
    default: as in [start]."""

    @model_validator(mode="after")
    def _fits_together(self) -> Slider:
        if self.second_axis is not None and not self.rotation:
            raise ValueError("second_axis is for sliders with rotation = true; give relative_orientation, or remove "
                             "second_axis")
        if self.rotation and (self.relative_angle is not None or self.relative_orientation is not None):
            raise ValueError("relative_angle and relative_orientation are for sliders without rotation; remove them, "
                             "or remove rotation = true")
        return self


class Drive(Constraint):
    """A hinge or slider with prescribed motion; its reaction is the driving torque or force.

    >>> motor = gr.Drive(joint="pin", motion="2*pi*t")
    >>> cam = gr.Drive(joint="pin", table=[[0, 0], [0.5, 0.2], [1, 0.1], [1.5, 0.3]])
    """

    kind: Literal["drive"] = "drive"
    joint: Name
    """The hinge or slider."""
    motion: Formula | None = None
    """Angle [rad] or distance [m] of the second body relative to the first since t = 0, as a formula in t, or ..."""
    table: MotionTable | None = None
    """... as rows of time [s] and value, joined by a cubic spline: a list, or the name of a text file with two columns
    (CSV). The motion begins at t = 0 with 0; the run must not be longer than the table."""

    @model_validator(mode="after")
    def _one_motion(self) -> Drive:
        if (self.motion is None) == (self.table is None):
            raise ValueError('needs motion = "..." or table = "...", not both')
        return self


class Coupling(Constraint):
    """A constraint by which the motion of one hinge or slider follows from that of another.

    >>> isinstance(gr.Gear(joints=("a", "b"), ratio=-3.0), gr.Coupling)
    True
    """

    joints: tuple[Name, Name]
    """Two hinges or sliders, the driving one first. Their motion counts from the start, positive about or along their
    axes."""

    @model_validator(mode="after")
    def _two_joints(self) -> Coupling:
        if self.joints[0] == self.joints[1]:
            raise ValueError(f'joints names "{self.joints[0]}" twice; give two different joints')
        return self


class Gear(Coupling):
    """Two hinges turn in proportion; with a slider a rack and pinion. The reaction is the torque on the second joint.

    >>> pair = gr.Gear(joints=("input", "output"), ratio=-3.0)
    """

    kind: Literal["gear"] = "gear"
    ratio: Number
    """Motion of the second joint per motion of the first: dimensionless between two hinges, negative for external
    gears whose axes point the same way; between a hinge and a slider in m/rad, or rad/m."""


class Belt(Coupling):
    """A belt or chain over two pulleys, without slip. The reaction is the difference of the tensions of both sides.

    >>> belt = gr.Belt(joints=("motor", "fan"), radii=("4 cm", "12 cm"))
    """

    kind: Literal["belt"] = "belt"
    radii: tuple[Length, Length]
    """Radii of the pulleys on both hinges [m]."""
    crossed: bool = False
    """Whether the belt is crossed, so that the pulleys turn in opposite directions."""


class Cam(Coupling):
    """A follower whose motion is a function of that of a shaft. The reaction is the force or torque on the follower.

    The follower neither lifts off nor bounces: where the force is negative, a spring would have to hold it on the cam.

    >>> cam = gr.Cam(joints=("shaft", "valve"), profile="0.01*(1 - cos(angle))")
    """

    kind: Literal["cam"] = "cam"
    profile: Formula
    """Displacement [m] or angle [rad] of the follower as a formula in `angle` [rad] of the shaft, or `displacement` [m]
    of a slider; zero where it is zero. Parameters of [system] may be used."""


class Glue(Constraint):
    """Two rigid bodies move as one; the reaction is the force and moment between them (Souchet, example 2).

    >>> glue = gr.Glue(between=("left", "right"))
    """

    kind: Literal["glue"] = "glue"
    between: Ends
    """Two points of rigid bodies that coincide at the start; force and moment refer to this point."""
    relative_angle: Angle | None = None
    """2-D: angle of the second body relative to the first [rad]; default: as in [start]."""
    relative_orientation: Quaternion | None = None
    """3-D: unit quaternion of the rotation from the axes of the second body to those of the first; default: as in
    [start]."""


class FormulaConstraint(Constraint):
    """Any constraint, as formulas in coordinates, rates (`x_dot`) and time `t` that stay zero, or as equations.

    Bodies have the names `arm.x`, `arm.vx` and `arm.wz` (position, velocity and angular velocity in inertial axes), and
    their points `arm.tip.x` and `arm.tip.vx`.

    >>> circle = gr.FormulaConstraint(formula="x**2 + y**2 - 1")
    """

    kind: Literal["formula"] = "formula"
    formula: Formula | None = None
    """A formula; for several rows use `formulas`."""
    formulas: tuple[Formula, ...] = ()
    """Several formulas, instead of `formula`."""

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
    """Coulomb friction at a contact given by a formula constraint (Souchet, example 1); for virtual-work only.

    >>> rub = gr.FrictionConstraint(normal="contact", slip=["x_dot"], friction=0.3)
    """

    kind: Literal["friction"] = "friction"
    normal: Name
    """The contact constraint, a single formula; its multiplier is the normal force, positive in compression."""
    slip: tuple[Formula, ...] = Field(min_length=1, max_length=2)
    """Slip velocity, as one component or two perpendicular components [m/s]."""
    friction: Coefficient
    """Coefficient of friction."""
    bilateral: bool = False
    """Whether the contact holds in both directions, so that the normal force may be tensile."""


class EnergyConstraint(Constraint):
    """Conservation of the total energy as an extra row, consistent with the others: errors do not accumulate.

    >>> energy = gr.EnergyConstraint()
    """

    kind: Literal["energy"] = "energy"

