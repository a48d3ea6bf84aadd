"""What a system is: frozen, typed data. The same names build a scene in Python and in a file."""

from granum.model.bodies import FixedPoint, MasslessPoint, PointMass, RigidBody
from granum.model.bonds import Bond
from granum.model.boundaries import (
    Box,
    Cylinder,
    FixedDisk,
    FixedSphere,
    Hopper,
    ImplicitSurface,
    Motion,
    Plane,
    Wall,
)
from granum.model.clumps import Clump, Part, Shape
from granum.model.connections import (
    BallJoint,
    Drive,
    EnergyConstraint,
    FormulaConstraint,
    FrictionConstraint,
    Glue,
    Hinge,
    Link,
    NoSpin,
    Rolling,
    Slider,
    Sliding,
    Surface,
)
from granum.model.formulas import FormulaSystem
from granum.model.grains import Grains, Sink, Sizes, Source
from granum.model.loads import Drag, Force, ForceField, Gravity, Profile, Spring, Torque, TorsionSpring
from granum.model.materials import Material, Pair
from granum.model.patterns import Chain, Net, Ring, Stack, Tree
from granum.model.probes import FlowProbe, JamProbe, PackingProbe, RigidityProbe, SectionProbe
from granum.model.regions import BoxRegion, CylinderRegion, HalfSpace, RoundRegion
from granum.model.scene import Scene
from granum.model.settings import RunSettings
from granum.model.solids import Block, Disk, HalfShell, Rod, Sphere, TwoHalfShell
from granum.model.start import Start

__all__ = [
    "BallJoint", "Block", "Bond", "Box", "BoxRegion", "Chain", "Clump", "Cylinder", "CylinderRegion", "Disk", "Drag",
    "Drive", "EnergyConstraint", "FixedDisk", "FixedPoint", "FixedSphere", "FlowProbe", "Force", "ForceField",
    "FormulaConstraint", "FormulaSystem", "FrictionConstraint", "Glue", "Grains", "Gravity", "HalfShell", "HalfSpace",
    "Hinge", "Hopper", "ImplicitSurface", "JamProbe", "Link", "MasslessPoint", "Material", "Motion", "Net", "NoSpin",
    "PackingProbe", "Pair", "Part", "Plane", "PointMass", "Profile", "RigidBody", "RigidityProbe", "Ring", "Rod",
    "Rolling", "RoundRegion", "RunSettings", "Scene", "SectionProbe", "Shape", "Sink", "Sizes", "Slider", "Sliding",
    "Source", "Sphere", "Spring", "Stack", "Start", "Surface", "Torque", "TorsionSpring", "Tree", "TwoHalfShell",
    "Wall",
]
