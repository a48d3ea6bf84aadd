"""What a system is: frozen, typed data. The same names build a scene in Python and in a file."""

from granum.model.bodies import FixedPoint, PointMass
from granum.model.connections import Link
from granum.model.loads import Force, Gravity, Spring
from granum.model.patterns import Chain, Net, Ring, Stack, Tree
from granum.model.scene import Scene
from granum.model.settings import RunSettings
from granum.model.start import Start

__all__ = [
    "Chain", "FixedPoint", "Force", "Gravity", "Link", "Net", "PointMass", "Ring", "RunSettings", "Scene",
    "Spring", "Stack", "Start", "Tree",
]
