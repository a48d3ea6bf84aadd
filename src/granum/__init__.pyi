"""Public names as type checkers see them. Written by `make renew` (tools/generated/stub.py): do not edit."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from numpy.typing import NDArray

from granum import analytic as analytic
from granum import contact as contact
from granum import gym as gym
from granum.analytic import Equations as Equations
from granum.analytic.campbell import Campbell as Campbell
from granum.analytic.campbell import campbell as campbell
from granum.analytic.continuation import Branches as Branches
from granum.analytic.continuation import equilibria as equilibria
from granum.analytic.derive import derive as derive
from granum.analytic.derive import linearize as linearize
from granum.analytic.equilibrium import Equilibrium as Equilibrium
from granum.analytic.equilibrium import equilibrium as equilibrium
from granum.analytic.state_space import Linearization as Linearization
from granum.base.errors import GranumError as GranumError
from granum.base.errors import NotConvergedError as NotConvergedError
from granum.base.errors import RunFileError as RunFileError
from granum.base.errors import SceneError as SceneError
from granum.grains import measuring as measuring
from granum.io.examples import example as example
from granum.io.scenefile import load_scene as load
from granum.io.schema import schema as schema
from granum.model import actuators as _actuators
from granum.model import body_entries as _body_entries
from granum.model import bonds as _bonds
from granum.model import boundaries as _boundaries
from granum.model import clumps as _clumps
from granum.model import connections as _connections
from granum.model import formulas as _formulas
from granum.model import grains as _grains
from granum.model import loads as _loads
from granum.model import materials as _materials
from granum.model import patterns as _patterns
from granum.model import probes as _probes
from granum.model import regions as _regions
from granum.model import settings as _settings
from granum.model import solids as _solids
from granum.model import start as _start
from granum.model.actuators import Actuator as Actuator
from granum.model.body_entries import Body as Body
from granum.model.body_entries import Rigid as Rigid
from granum.model.boundaries import Boundary as Boundary
from granum.model.connections import Constraint as Constraint
from granum.model.kinds import Kind as Kind
from granum.model.loads import Load as Load
from granum.model.materials import MaterialKeys as MaterialKeys
from granum.model.patterns import Pattern as Pattern
from granum.model.probes import Probe as Probe
from granum.model.quantities import Entry as Entry
from granum.model.regions import Region as Region
from granum.model.scene import Scene as Scene
from granum.run import Run as Run
from granum.run import open_run as open_run
from granum.run import simulate as simulate
from granum.run.check import Description as Description
from granum.run.check import check as check
from granum.run.control.compiled import controller as controller
from granum.run.inverse import InverseDynamics as InverseDynamics
from granum.run.inverse import inverse_dynamics as inverse_dynamics
from granum.run.sensitivity import Sensitivity as Sensitivity
from granum.run.sensitivity import sensitivity as sensitivity
from granum.run.simulation import Simulation as Simulation
from granum.run.simulation import Snapshot as Snapshot
from granum.studies.definition import Study as Study
from granum.studies.definition import load_study as load_study
from granum.studies.result import StudyResult as StudyResult
from granum.studies.result import open_study as open_study
from granum.studies.study import study as study
from granum.view.export import export as export

Quantity = float | str
Quantities = Sequence[Quantity] | NDArray[Any]
__version__: str
__all__ = ["Actuator", "AppliedForces", "BallJoint", "Belt", "Block", "Body", "Bond", "Boundary", "Box", "BoxRegion",
    "Branches", "Cam", "Campbell", "Chain", "Clump", "Constraint", "Coupling", "Cylinder", "CylinderRegion",
    "Description", "Disk", "Drag", "Drive", "Ellipsoid", "EnergyConstraint", "Entry", "Equations", "Equilibrium",
    "FixedDisk", "FixedPoint", "FixedSphere", "FlowProbe", "Force", "ForceActuator", "ForceField", "FormulaConstraint",
    "FormulaLoad", "FormulaSystem", "FrictionConstraint", "Gear", "Glue", "Grains", "GranumError", "Gravity",
    "HalfShell", "HalfSpace", "Hinge", "Hopper", "ImplicitSurface", "InverseDynamics", "JamProbe", "JointFriction",
    "Kind", "Linearization", "Link", "LinkPattern", "Load", "MasslessBody", "MasslessPoint", "Material",
    "MaterialKeys", "Motion", "Net", "NoSpin", "NotConvergedError", "PackingProbe", "Pair", "Parametrisation", "Part",
    "Pattern", "Plane", "PointMass", "PositionServo", "Probe", "Profile", "Region", "Rigid", "RigidBody",
    "RigidityProbe", "Ring", "Rod", "Rolling", "RoundRegion", "Run", "RunFileError", "RunFrame", "RunSettings",
    "Scene", "SceneError", "SectionProbe", "Sensitivity", "Shape", "Simulation", "Sink", "Sizes", "Slider", "Sliding",
    "Snapshot", "Source", "Sphere", "Spring", "Stack", "Start", "Stop", "Study", "StudyResult", "Surface", "Torque",
    "TorqueActuator", "TorsionSpring", "Tree", "TwoHalfShell", "VelocityServo", "Wall", "analytic", "campbell",
    "check", "contact", "controller", "derive", "equilibria", "equilibrium", "example", "export", "gym",
    "inverse_dynamics", "linearize", "load", "load_study", "measuring", "open_run", "open_study", "schema",
    "sensitivity", "simulate", "study"]

class AppliedForces(_actuators.AppliedForces):
    """Forces and torques on any body, by a controller: `sim.apply`. A `Simulation` of a scene without one adds it."""
    def __init__(self, *, limit: Quantity | None = ..., kind: Literal["applied"] = ...) -> None: ...

class BallJoint(_connections.BallJoint):
    """Two points coincide."""
    def __init__(self, *, kind: Literal["ball-joint"] = ..., between: Sequence[str]) -> None: ...

class Belt(_connections.Belt):
    """A belt or chain over two pulleys, without slip. The reaction is the difference of the tensions of both sides."""
    def __init__(self, *, joints: Sequence[str], kind: Literal["belt"] = ..., radii: Quantities,
        crossed: bool = ...) -> None: ...

class Block(_solids.Block):
    """A homogeneous rectangular block; in 2-D, a plate of 1 m thickness."""
    def __init__(self, *, points: Mapping[str, Quantities] = ...,
        parametrisation: _body_entries.Parametrisation | Mapping[str, Any] | None = ...,
        mass: Quantity | None = ..., density: Quantity | None = ..., kind: Literal["block"] = ...,
        size: Quantities) -> None: ...

class Bond(_bonds.Bond):
    """Cement between touching grains of a group: they move as one rigid body until a bond breaks."""
    def __init__(self, *, among: str, tensile_strength: Quantity, shear_strength: Quantity,
        radius_ratio: float = ..., gap_ratio: float = ..., duration: Quantity | None = ...) -> None: ...

class Box(_boundaries.Box):
    """A box around the grains; each of its sides is an infinite plane."""
    def __init__(self, *, material: str | None = ...,
        motion: _boundaries.Motion | Mapping[str, Any] | None = ..., body: str | None = ...,
        kind: Literal["box"] = ..., lower: Quantities, upper: Quantities,
        open: Sequence[Literal["-x", "+x", "-y", "+y", "-z", "+z"]] = ...) -> None: ...

class BoxRegion(_regions.BoxRegion):
    """An axis-aligned box, given by two corners."""
    def __init__(self, *, kind: Literal["box"] = ..., lower: Quantities, upper: Quantities) -> None: ...

class Cam(_connections.Cam):
    """A follower whose motion is a function of that of a shaft. The reaction is the force or torque on the follower."""
    def __init__(self, *, joints: Sequence[str], kind: Literal["cam"] = ..., profile: str | float) -> None: ...

class Chain(_patterns.Chain):
    """A chain of `count` masses, each linked to the one before."""
    def __init__(self, *, mass: Quantity, bodies: str | None = ..., links: str | None = ...,
        from_: str | None = ..., position: Quantities | None = ..., kind: Literal["chain"] = ...,
        count: int, length: Quantity, angles: Quantity | Quantities | None = ...,
        direction: Quantities | None = ..., to: str | None = ..., velocity: Quantities | None = ...) -> None: ...

class Clump(_clumps.Clump):
    """A rigid assembly of spheres or disks (Vinogradov, §2); their centres are its points `1`, `2`, ..."""
    def __init__(self, *, points: Mapping[str, Quantities] = ...,
        parametrisation: _body_entries.Parametrisation | Mapping[str, Any] | None = ...,
        spheres: Sequence[_clumps.Part | Mapping[str, Any]] = ...,
        disks: Sequence[_clumps.Part | Mapping[str, Any]] = ..., kind: Literal["clump"] = ...,
        mass: Quantity | None = ..., density: Quantity | None = ..., material: str | None = ...) -> None: ...

class Coupling(_connections.Coupling):
    """A constraint by which the motion of one hinge or slider follows from that of another."""
    def __init__(self, *, joints: Sequence[str]) -> None: ...

class Cylinder(_boundaries.Cylinder):
    """A cylinder between two ends (3-D): a rod, or with negative radius a tube with grains inside (a drum, a silo)."""
    def __init__(self, *, material: str | None = ...,
        motion: _boundaries.Motion | Mapping[str, Any] | None = ..., body: str | None = ...,
        kind: Literal["cylinder"] = ..., ends: Sequence[Quantities], radius: Quantity,
        closed: Sequence[bool] = ...) -> None: ...

class CylinderRegion(_regions.CylinderRegion):
    """A circular cylinder (3-D)."""
    def __init__(self, *, kind: Literal["cylinder"] = ..., ends: Sequence[Quantities], radius: Quantity) -> None: ...

class Disk(_solids.Disk):
    """A homogeneous disk (2-D), or a thin disk such as a coin or a wheel (3-D), about its z axis."""
    def __init__(self, *, points: Mapping[str, Quantities] = ...,
        parametrisation: _body_entries.Parametrisation | Mapping[str, Any] | None = ...,
        mass: Quantity | None = ..., density: Quantity | None = ..., material: str | None = ...,
        kind: Literal["disk"] = ..., radius: Quantity,
        inertia: Quantity | Quantities | Sequence[Quantities] | None = ...) -> None: ...

class Drag(_loads.Drag):
    """Drag of a flow on every grain, F = ½ ρ A C_D C_A |u - v| (u - v) (Sun 1996, eq. 4.8)."""
    def __init__(self, *, kind: Literal["drag"] = ..., density: Quantity,
        drag_coefficient: float | None = ..., kinematic_viscosity: Quantity | None = ...,
        velocity: Quantities | None = ..., profile: _loads.Profile | Mapping[str, Any] | None = ...,
        velocity_field: str | None = ..., shadow: bool = ..., min_exposure: float = ...) -> None: ...

class Drive(_connections.Drive):
    """A hinge or slider with prescribed motion; its reaction is the driving torque or force."""
    def __init__(self, *, kind: Literal["drive"] = ..., joint: str, motion: str | float | None = ...,
        table: str | Sequence[Sequence[float]] | None = ...) -> None: ...

class Ellipsoid(_solids.Ellipsoid):
    """An ellipsoid (3-D): homogeneous, or with its own mass centre and inertia, such as a rattleback."""
    def __init__(self, *, points: Mapping[str, Quantities] = ...,
        parametrisation: _body_entries.Parametrisation | Mapping[str, Any] | None = ...,
        mass: Quantity | None = ..., density: Quantity | None = ..., kind: Literal["ellipsoid"] = ...,
        semi_axes: Quantities, mass_centre: Quantities | None = ...,
        inertia: Quantity | Quantities | Sequence[Quantities] | None = ...) -> None: ...

class EnergyConstraint(_connections.EnergyConstraint):
    """Conservation of the total energy as an extra row, consistent with the others: errors do not accumulate."""
    def __init__(self, *, kind: Literal["energy"] = ...) -> None: ...

class FixedDisk(_boundaries.FixedDisk):
    """A disk (2-D): an obstacle, or with negative radius a round container."""
    def __init__(self, *, material: str | None = ...,
        motion: _boundaries.Motion | Mapping[str, Any] | None = ..., body: str | None = ...,
        kind: Literal["disk"] = ..., centre: Quantities, radius: Quantity) -> None: ...

class FixedPoint(_body_entries.FixedPoint):
    """A point of the ground: zero velocity, infinite mass (Sun 1996, §2.3)."""
    def __init__(self, *, kind: Literal["fixed-point"] = ..., position: Quantities) -> None: ...

class FixedSphere(_boundaries.FixedSphere):
    """A sphere (3-D): an obstacle, or with negative radius a round container."""
    def __init__(self, *, material: str | None = ...,
        motion: _boundaries.Motion | Mapping[str, Any] | None = ..., body: str | None = ...,
        kind: Literal["sphere"] = ..., centre: Quantities, radius: Quantity) -> None: ...

class FlowProbe(_probes.FlowProbe):
    """Number and mass of the grains that have passed a section in the direction of its normal since the start."""
    def __init__(self, *, kind: Literal["flow"] = ..., position: Quantities, normal: Quantities,
        half_width: Quantity | None = ...) -> None: ...

class Force(_loads.Force):
    """A constant force on a body or on a point of it."""
    def __init__(self, *, kind: Literal["force"] = ..., on: str, force: Quantities) -> None: ...

class ForceActuator(_actuators.ForceActuator):
    """A force in a slider, from the first body on the second; on a point of a body; or on a coordinate of [system]."""
    def __init__(self, *, limit: Quantity | None = ..., kind: Literal["force"] = ...,
        joint: str | None = ..., body: str | None = ..., coordinate: str | None = ...,
        force: Quantity | str | Sequence[Quantity | str] = ...) -> None: ...

class ForceField(_loads.ForceField):
    """A force on every grain, as formulas."""
    def __init__(self, *, kind: Literal["force-field"] = ..., force: Sequence[str | float]) -> None: ...

class FormulaConstraint(_connections.FormulaConstraint):
    """Any constraint, as formulas in coordinates, rates (`x_dot`) and time `t` that stay zero, or as equations."""
    def __init__(self, *, kind: Literal["formula"] = ..., formula: str | float | None = ...,
        formulas: Sequence[str | float] = ...) -> None: ...

class FormulaLoad(_loads.FormulaLoad):
    """A force, a torque or a spring given by formulas of the state and the time."""
    def __init__(self, *, kind: Literal["formula"] = ..., on: str | None = ..., joint: str | None = ...,
        between: Sequence[str] | None = ...,
        force: Quantity | str | Sequence[Quantity | str] | None = ...,
        torque: Quantity | str | Sequence[Quantity | str] | None = ...,
        tension: Quantity | str | None = ...) -> None: ...

class FormulaSystem(_formulas.FormulaSystem):
    """Coordinates, energies and forces as formulas; constraints have their own section."""
    def __init__(self, *, coordinates: Sequence[str] = ..., parameters: Mapping[str, float] = ...,
        definitions: Mapping[str, str | float] = ..., kinetic: str | float | None = ...,
        potential: str | float = ..., mass: Sequence[Sequence[str | float]] = ...,
        forces: Mapping[str, str | float] = ..., start: Mapping[str, float] = ...,
        guess: Mapping[str, float] = ..., points: Mapping[str, Sequence[str | float]] = ...,
        lines: Sequence[Sequence[str]] = ...) -> None: ...

class FrictionConstraint(_connections.FrictionConstraint):
    """Coulomb friction at a contact given by a formula constraint (Souchet, example 1); for virtual-work only."""
    def __init__(self, *, kind: Literal["friction"] = ..., normal: str, slip: Sequence[str | float],
        friction: float, bilateral: bool = ...) -> None: ...

class Gear(_connections.Gear):
    """Two hinges turn in proportion; with a slider a rack and pinion. The reaction is the torque on the second
    joint.
    """
    def __init__(self, *, joints: Sequence[str], kind: Literal["gear"] = ..., ratio: float) -> None: ...

class Glue(_connections.Glue):
    """Two rigid bodies move as one; the reaction is the force and moment between them (Souchet, example 2)."""
    def __init__(self, *, kind: Literal["glue"] = ..., between: Sequence[str],
        relative_angle: Quantity | None = ..., relative_orientation: Sequence[float] | None = ...) -> None: ...

class Grains(_grains.Grains):
    """Grains present at the start, named `<name>-1`, `<name>-2`, ..."""
    def __init__(self, *, shape: str | None = ...,
        radius: Quantity | Quantities | _grains.Sizes | Mapping[str, Any] | None = ...,
        radii: Quantities | None = ..., material: str | None = ..., density: Quantity | None = ...,
        velocity: Quantities | None = ..., scatter_velocity: Quantities | None = ...,
        rotation: bool = ..., positions: Sequence[Quantities] | None = ...,
        scatter: Quantity | Quantities | None = ..., scatter_radius: float = ...,
        kind: Literal["grains"] = ..., count: int | None = ..., packing_fraction: float | None = ...,
        region: _regions.Region | Mapping[str, Any] | None = ...,
        arrangement: Literal["random", "lattice", "dense"] = ...) -> None: ...

class Gravity(_loads.Gravity):
    """Uniform gravity on every mass."""
    def __init__(self, *, kind: Literal["gravity"] = ..., acceleration: Quantities) -> None: ...

class HalfShell(_solids.HalfShell):
    """Half of a ball or spherical shell, at positive x; its axes have their origin at the centre of the sphere."""
    def __init__(self, *, points: Mapping[str, Quantities] = ...,
        parametrisation: _body_entries.Parametrisation | Mapping[str, Any] | None = ...,
        mass: Quantity | None = ..., density: Quantity | None = ..., kind: Literal["half-shell"] = ...,
        radius: Quantity, inner_radius: Quantity | None = ...) -> None: ...

class HalfSpace(_regions.HalfSpace):
    """The half-plane (2-D) or half-space (3-D) that the normal points into."""
    def __init__(self, *, kind: Literal["half-space"] = ..., position: Quantities, normal: Quantities) -> None: ...

class Hinge(_connections.Hinge):
    """Two bodies share a point and an axis."""
    def __init__(self, *, kind: Literal["hinge"] = ..., between: Sequence[str],
        axis: Quantities | None = ..., axis_in: Literal["scene", "body"] = ...,
        second_axis: Quantities | None = ..., assembly: Literal["open", "crossed"] | None = ...) -> None: ...

class Hopper(_boundaries.Hopper):
    """A funnel with an outlet at its lower end and vertical walls above."""
    def __init__(self, *, material: str | None = ...,
        motion: _boundaries.Motion | Mapping[str, Any] | None = ..., body: str | None = ...,
        kind: Literal["hopper"] = ..., position: Quantities, opening: Quantity, width: Quantity,
        funnel_height: Quantity = ..., height: Quantity) -> None: ...

class ImplicitSurface(_boundaries.ImplicitSurface):
    """A smooth surface Γ(X, Y, Z) = 0 (2-D: a curve Γ(X, Y) = 0); grains are where Γ is positive."""
    def __init__(self, *, material: str | None = ...,
        motion: _boundaries.Motion | Mapping[str, Any] | None = ..., body: str | None = ...,
        kind: Literal["implicit-surface"] = ..., equation: str | float) -> None: ...

class JamProbe(_probes.JamProbe):
    """Verdict on the flow through an opening: flowing, overloaded, waiting, drained, closed or jammed."""
    def __init__(self, *, kind: Literal["jam"] = ..., flow: str, window: Quantity,
        rest_fraction: float = ..., driving_speed: Quantity | None = ...,
        backed_up: _regions.Region | Mapping[str, Any] | None = ..., stop: bool = ...) -> None: ...

class JointFriction(_loads.JointFriction):
    """Dry friction in a hinge or slider: a constant torque or force against its motion, and up to that at rest."""
    def __init__(self, *, kind: Literal["joint-friction"] = ..., joint: str,
        torque: Quantity | None = ..., force: Quantity | None = ...) -> None: ...

class Link(_connections.Link):
    """A rigid massless rod between two bodies, |r_i - r_j| = length (Sun 1996, eq. 2.1)."""
    def __init__(self, *, between: Sequence[str], length: Quantity | None = ...,
        one_sided: Literal[False, True, "push", "pull"] = ..., restitution: float = ...) -> None: ...

class LinkPattern(_patterns.LinkPattern):
    """Point masses and links between them."""
    def __init__(self, *, mass: Quantity, bodies: str | None = ..., links: str | None = ...) -> None: ...

class MasslessBody(_body_entries.MasslessBody):
    """A massless rigid body, such as the cross of a universal joint: joints determine its motion."""
    def __init__(self, *, points: Mapping[str, Quantities] = ...,
        parametrisation: _body_entries.Parametrisation | Mapping[str, Any] | None = ...,
        kind: Literal["massless-body"] = ...) -> None: ...

class MasslessPoint(_body_entries.MasslessPoint):
    """A massless point: constraints determine its position, and other constraints may refer to it."""
    def __init__(self, *, kind: Literal["massless-point"] = ...) -> None: ...

class Material(_materials.Material):
    """Material of grains and boundaries; its coefficients apply to contact between two bodies of this material."""
    def __init__(self, *, friction: float = ..., restitution: float = ..., rolling_friction: float = ...,
        cohesion: Quantity = ..., density: Quantity | None = ..., stiffness: Quantity = ...,
        stiffness_ratio: float = ..., young_modulus: Quantity = ..., poisson_ratio: float = ...) -> None: ...

class Motion(_boundaries.Motion):
    """A prescribed motion: uniform, harmonic, rotation, or their sum."""
    def __init__(self, *, velocity: Quantities | None = ..., amplitude: Quantities | None = ...,
        frequency: Quantity = ..., phase: float = ...,
        angular_velocity: Quantity | Quantities | None = ..., centre: Quantities | None = ...,
        start_time: float = ..., until: float | None = ...) -> None: ...

class Net(_patterns.Net):
    """A grid of `rows` by `columns` masses, each linked to its neighbours; bodies are named row-column."""
    def __init__(self, *, mass: Quantity, bodies: str | None = ..., links: str | None = ...,
        kind: Literal["net"] = ..., rows: int, columns: int, spacing: Quantity, position: Quantities,
        across: Quantities, down: Quantities,
        fixed: Literal["none", "corners", "first-row", "border"] = ..., braced: bool = ...) -> None: ...

class NoSpin(_connections.NoSpin):
    """A rolling body does not rotate about the surface normal (Udwadia and Mogharabin 2022, eq. 39)."""
    def __init__(self, *, kind: Literal["no-spin"] = ..., body: str) -> None: ...

class PackingProbe(_probes.PackingProbe):
    """Packing fraction, coordination number, fabric and mean stress in a region."""
    def __init__(self, *, kind: Literal["packing"] = ..., region: _regions.Region | Mapping[str, Any]) -> None: ...

class Pair(_materials.Pair):
    """Contact coefficients between two materials; default: geometric means of the two materials' own."""
    def __init__(self, *, between: Sequence[str], friction: float | None = ...,
        restitution: float | None = ..., rolling_friction: float | None = ...,
        cohesion: Quantity | None = ..., stiffness: Quantity | None = ...,
        stiffness_ratio: float | None = ...) -> None: ...

class Parametrisation(_body_entries.Parametrisation):
    """Position and rotation of a body as formulas in the coordinates of `[system]` (Souchet)."""
    def __init__(self, *, position: Sequence[str | float],
        rotation: Sequence[Sequence[str | float]] = ..., rigidity: Sequence[str | float] = ...) -> None: ...

class Part(_clumps.Part):
    """One ball or disk of a clump."""
    def __init__(self, *, centre: Quantities, radius: Quantity, mass: Quantity | None = ...,
        density: Quantity | None = ...) -> None: ...

class Plane(_boundaries.Plane):
    """An infinite line (2-D) or plane (3-D); grains are on the side the normal points to."""
    def __init__(self, *, material: str | None = ...,
        motion: _boundaries.Motion | Mapping[str, Any] | None = ..., body: str | None = ...,
        kind: Literal["plane"] = ..., position: Quantities, normal: Quantities) -> None: ...

class PointMass(_body_entries.PointMass):
    """A point mass; `[start.NAME]` gives its initial state."""
    def __init__(self, *, kind: Literal["point-mass"] = ..., mass: Quantity,
        parametrisation: _body_entries.Parametrisation | Mapping[str, Any] | None = ...) -> None: ...

class PositionServo(_actuators.PositionServo):
    """A servo that holds a hinge, a slider or a point of a body at a target."""
    def __init__(self, *, limit: Quantity | None = ..., kind: Literal["position"] = ...,
        joint: str | None = ..., body: str | None = ...,
        position: Quantity | str | Sequence[Quantity | str] = ..., stiffness: Quantity,
        damping: Quantity = ...) -> None: ...

class Profile(_loads.Profile):
    """A parabolic velocity profile: fastest on an axis, zero at the walls, with the given mean velocity."""
    def __init__(self, *, position: Quantities, axis: Quantities | None = ..., half_width: Quantity,
        inlet: Quantities | None = ...) -> None: ...

class RigidBody(_body_entries.RigidBody):
    """A rigid body of any shape; its axes have their origin at the mass centre."""
    def __init__(self, *, points: Mapping[str, Quantities] = ...,
        parametrisation: _body_entries.Parametrisation | Mapping[str, Any] | None = ...,
        kind: Literal["rigid-body"] = ..., mass: Quantity,
        inertia: Quantity | Quantities | Sequence[Quantities]) -> None: ...

class RigidityProbe(_probes.RigidityProbe):
    """Size of the largest rigid cluster, redundant contacts and floppy modes at every frame."""
    def __init__(self, *, kind: Literal["rigidity"] = ...,
        region: _regions.Region | Mapping[str, Any] | None = ...) -> None: ...

class Ring(_patterns.Ring):
    """`count` masses on a circle, each linked to the next and the last to the first."""
    def __init__(self, *, mass: Quantity, bodies: str | None = ..., links: str | None = ...,
        kind: Literal["ring"] = ..., count: int, radius: Quantity, centre: Quantities,
        axis: Quantities | None = ..., angular_velocity: Quantity = ...) -> None: ...

class Rod(_solids.Rod):
    """A straight rod along its x axis, thin or a solid cylinder; its ends are the points `tail` and `head`."""
    def __init__(self, *, points: Mapping[str, Quantities] = ...,
        parametrisation: _body_entries.Parametrisation | Mapping[str, Any] | None = ...,
        mass: Quantity | None = ..., density: Quantity | None = ..., kind: Literal["rod"] = ...,
        length: Quantity, radius: Quantity | None = ...) -> None: ...

class Rolling(_connections.Rolling):
    """A body rolls without slipping on a surface, or a round body on another round body."""
    def __init__(self, *, kind: Literal["rolling"] = ..., body: str, on: str,
        friction: float | None = ...) -> None: ...

class RoundRegion(_regions.RoundRegion):
    """A disk (2-D) or ball (3-D)."""
    def __init__(self, *, kind: Literal["round"] = ..., centre: Quantities, radius: Quantity) -> None: ...

class RunFrame(_start.RunFrame):
    """A frame of an earlier run that a scene starts from."""
    def __init__(self, *, file: str | None = ..., frame: int = ...) -> None: ...

class RunSettings(_settings.RunSettings):
    """How to run a scene."""
    def __init__(self, *, until: Quantity = ..., formulation: str = ..., coordinates: Sequence[str] = ...,
        quasi: Mapping[str, str] | Sequence[str] = ..., solver: str = ..., tolerance: float = ...,
        step: Quantity = ..., max_step: Quantity | None = ..., interval: Quantity | None = ...,
        corrections: Sequence[Literal["position", "velocity", "energy"]] | None = ...,
        correct: Literal["end", "inside"] = ..., inner_solver: Literal["gauss-seidel", "direct"] = ...,
        adapt_step: bool = ..., project_start: bool = ..., max_sweeps: int = ..., impact_law: str = ...,
        merge_clusters: bool = ..., contact_law: str = ..., friction_model: str = ...,
        friction_velocity: Quantity | None = ..., seed: int = ...) -> None: ...

class SectionProbe(_probes.SectionProbe):
    """Force and moment across a plane cut through a rigid body or clump while it moves (Souchet)."""
    def __init__(self, *, kind: Literal["section"] = ..., body: str, position: Quantities,
        normal: Quantities) -> None: ...

class Shape(_clumps.Shape):
    """The shape of grains: a clump, scaled to the volume (area) of a sphere (disk) of the grain's radius."""
    def __init__(self, *, spheres: Sequence[_clumps.Part | Mapping[str, Any]] = ...,
        disks: Sequence[_clumps.Part | Mapping[str, Any]] = ...) -> None: ...

class Sink(_grains.Sink):
    """Removes grains whose centre is in the region."""
    def __init__(self, *, region: _regions.Region | Mapping[str, Any]) -> None: ...

class Sizes(_grains.Sizes):
    """A distribution of radii, by number of grains."""
    def __init__(self, *, minimum: Quantity | None = ..., maximum: Quantity | None = ...,
        mean: Quantity | None = ..., standard_deviation: Quantity | None = ...,
        values: Quantities | None = ..., weights: Sequence[float] | None = ...) -> None: ...

class Slider(_connections.Slider):
    """A point of the second body moves along a line fixed in the first."""
    def __init__(self, *, kind: Literal["slider"] = ..., between: Sequence[str], axis: Quantities,
        axis_in: Literal["scene", "body"] = ..., rotation: bool = ...,
        second_axis: Quantities | None = ..., relative_angle: Quantity | None = ...,
        relative_orientation: Sequence[float] | None = ...) -> None: ...

class Sliding(_connections.Sliding):
    """A round body slides with friction on a surface or on another round body (Sun 1996, eqs. 3.61-3.63)."""
    def __init__(self, *, kind: Literal["sliding"] = ..., body: str, on: str, friction: float = ...) -> None: ...

class Source(_grains.Source):
    """Grains that enter during a run, in batches or one by one, named `<name>-1`, `<name>-2`, ..."""
    def __init__(self, *, shape: str | None = ...,
        radius: Quantity | Quantities | _grains.Sizes | Mapping[str, Any] | None = ...,
        radii: Quantities | None = ..., material: str | None = ..., density: Quantity | None = ...,
        velocity: Quantities | None = ..., scatter_velocity: Quantities | None = ...,
        rotation: bool = ..., positions: Sequence[Quantities] | None = ...,
        scatter: Quantity | Quantities | None = ..., scatter_radius: float = ...,
        region: _regions.Region | Mapping[str, Any] | None = ..., interval: Quantity,
        scatter_interval: float = ..., count: int = ..., start_time: float = ...,
        until: float | None = ..., max_count: int | None = ...,
        overlap: Literal["wait", "allow", "skip"] = ...) -> None: ...

class Sphere(_solids.Sphere):
    """A homogeneous ball, or a spherical shell if `inner_radius` is given."""
    def __init__(self, *, points: Mapping[str, Quantities] = ...,
        parametrisation: _body_entries.Parametrisation | Mapping[str, Any] | None = ...,
        mass: Quantity | None = ..., density: Quantity | None = ..., material: str | None = ...,
        kind: Literal["sphere"] = ..., radius: Quantity, inner_radius: Quantity | None = ...) -> None: ...

class Spring(_loads.Spring):
    """A spring and damper: tension k (l - l₀) + c dl/dt along the line between two bodies."""
    def __init__(self, *, kind: Literal["spring"] = ..., between: Sequence[str], stiffness: Quantity,
        rest_length: Quantity | None = ..., damping: Quantity = ...) -> None: ...

class Stack(_patterns.Stack):
    """`count` masses one above the other: an upright, unstable chain (Sun 1996, §6.4)."""
    def __init__(self, *, mass: Quantity, bodies: str | None = ..., links: str | None = ...,
        from_: str | None = ..., position: Quantities | None = ..., kind: Literal["stack"] = ...,
        count: int, height: Quantity, tilt: Quantity = ..., scatter: Quantity = ...) -> None: ...

class Start(_start.Start):
    """Initial state of a body; bodies of a pattern have a position already."""
    def __init__(self, *, position: Quantities | None = ..., velocity: Quantities | None = ...,
        orientation: Sequence[float] | None = ..., angle: Quantity | None = ...,
        angular_velocity: Quantity | Quantities | None = ..., contact: Quantities | None = ...,
        spin: Quantity | None = ...,
        guess: Sequence[Literal["position", "angle", "orientation", "velocity", "angular_velocity"]] = ...) -> None: ...

class Stop(_loads.Stop):
    """Stops of a hinge or slider: beyond a limit, a spring and damper push back, and never pull."""
    def __init__(self, *, kind: Literal["stop"] = ..., joint: str, lower: Quantity | None = ...,
        upper: Quantity | None = ..., stiffness: Quantity, damping: Quantity = ...) -> None: ...

class Surface(_connections.Surface):
    """A smooth surface Γ(X, Y, Z) = 0; bodies are on the side where Γ is positive. In 2-D a straight line Γ(X, Y) =
    0.
    """
    def __init__(self, *, equation: str | float,
        motion: _boundaries.Motion | Mapping[str, Any] | None = ...) -> None: ...

class Torque(_loads.Torque):
    """A constant torque on a rigid body, in inertial axes."""
    def __init__(self, *, kind: Literal["torque"] = ..., on: str, torque: Quantity | Quantities) -> None: ...

class TorqueActuator(_actuators.TorqueActuator):
    """A torque in a hinge, from the first body on the second, or on a rigid body in inertial axes."""
    def __init__(self, *, limit: Quantity | None = ..., kind: Literal["torque"] = ...,
        joint: str | None = ..., body: str | None = ...,
        torque: Quantity | str | Sequence[Quantity | str] = ...) -> None: ...

class TorsionSpring(_loads.TorsionSpring):
    """A torsion spring and damper in a hinge: torque k (φ - φ₀) + c dφ/dt against its angle φ since the start."""
    def __init__(self, *, kind: Literal["torsion-spring"] = ..., hinge: str, stiffness: Quantity,
        rest_angle: Quantity = ..., damping: Quantity = ...) -> None: ...

class Tree(_patterns.Tree):
    """A tree of links: a stem, then `branching` links at the end of each link, `depth` levels in all."""
    def __init__(self, *, mass: Quantity, bodies: str | None = ..., links: str | None = ...,
        from_: str | None = ..., position: Quantities | None = ..., kind: Literal["tree"] = ...,
        depth: int, branching: int = ..., length: Quantity, direction: Quantities, spread: Quantity) -> None: ...

class TwoHalfShell(_solids.TwoHalfShell):
    """A spherical shell of two halves of different density (Udwadia and Mogharabin 2022, §3)."""
    def __init__(self, *, points: Mapping[str, Quantities] = ...,
        parametrisation: _body_entries.Parametrisation | Mapping[str, Any] | None = ...,
        kind: Literal["two-half-shell"] = ..., radius: Quantity, inner_radius: Quantity,
        density: Quantities) -> None: ...

class VelocityServo(_actuators.VelocityServo):
    """A servo that holds the rate of a hinge or slider, or the velocity of a point: gain · (target - rate)."""
    def __init__(self, *, limit: Quantity | None = ..., kind: Literal["velocity"] = ...,
        joint: str | None = ..., body: str | None = ...,
        velocity: Quantity | str | Sequence[Quantity | str] = ..., gain: Quantity) -> None: ...

class Wall(_boundaries.Wall):
    """A thin wall, solid from both sides."""
    def __init__(self, *, material: str | None = ...,
        motion: _boundaries.Motion | Mapping[str, Any] | None = ..., body: str | None = ...,
        kind: Literal["wall"] = ..., positions: Sequence[Quantities], radius: Quantity | None = ...) -> None: ...
