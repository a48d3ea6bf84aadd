"""What a system is: frozen, typed data. The same names build a scene in Python and in a file."""

from granum.model.bodies import (
    Clump,
    ClumpSphere,
    Disk,
    FixedPoint,
    MasslessPoint,
    PointMass,
    RigidBody,
    Sphere,
    TwoHalfShell,
)
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
from granum.model.connections import (
    BallJoint,
    EnergyConstraint,
    FormulaConstraint,
    FrictionConstraint,
    Glue,
    Hinge,
    Link,
    NoSpin,
    Rolling,
    Surface,
)
from granum.model.formulas import FormulaSystem
from granum.model.grains import Grains, Sink, Sizes, Source
from granum.model.loads import Drag, Force, ForceField, Gravity, Profile, Spring
from granum.model.materials import Material, Pair
from granum.model.patterns import Chain, Net, Ring, Stack, Tree
from granum.model.probes import FlowProbe, JamProbe, PackingProbe, RigidityProbe
from granum.model.regions import BoxRegion, CylinderRegion, HalfSpace, RoundRegion
from granum.model.scene import Scene
from granum.model.settings import RunSettings
from granum.model.start import Start

__all__ = [
    "BallJoint", "Box", "BoxRegion", "Chain", "Clump", "ClumpSphere", "Cylinder", "CylinderRegion", "Disk", "Drag",
    "EnergyConstraint", "FixedDisk", "FixedPoint", "FixedSphere", "FlowProbe", "Force", "ForceField",
    "FormulaConstraint", "FormulaSystem", "FrictionConstraint", "Glue", "Grains", "Gravity", "HalfSpace", "Hinge",
    "Hopper", "ImplicitSurface", "JamProbe", "Link", "MasslessPoint", "Material", "Motion", "Net", "NoSpin",
    "PackingProbe", "Pair", "Plane", "PointMass", "Profile", "RigidBody", "RigidityProbe", "Ring", "Rolling",
    "RoundRegion", "RunSettings", "Scene", "Sink", "Sizes", "Source", "Sphere", "Spring", "Stack", "Start", "Surface",
    "Tree", "TwoHalfShell", "Wall",
]
