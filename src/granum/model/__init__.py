"""What a system is: frozen, typed data. The same names build a scene in Python and in a file."""

from granum.model.bodies import (
    Clump,
    ClumpSphere,
    FixedPoint,
    MasslessPoint,
    PointMass,
    RigidBody,
    Sphere,
    TwoHalfShell,
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
from granum.model.loads import Force, Gravity, Spring
from granum.model.patterns import Chain, Net, Ring, Stack, Tree
from granum.model.scene import Scene
from granum.model.settings import RunSettings
from granum.model.start import Start

__all__ = [
    "BallJoint", "Chain", "Clump", "ClumpSphere", "EnergyConstraint", "FixedPoint", "Force", "FormulaConstraint",
    "FormulaSystem", "FrictionConstraint", "Glue", "Gravity", "Hinge", "Link", "MasslessPoint", "Net", "NoSpin",
    "PointMass", "RigidBody", "Ring", "Rolling", "RunSettings", "Scene", "Sphere", "Spring", "Stack", "Start",
    "Surface", "Tree", "TwoHalfShell",
]
