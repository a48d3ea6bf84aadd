"""Names of what bodies do, for the formulas of a scene: `arm.vx`, `arm.wz`, `arm.tip.x`, `arm.tip.vx`.

They are those that formulas of loads and actuators read (`loads.measured`), with rates of positions besides.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from granum.algebra import Expression
from granum.assembly.assembly import Assembly
from granum.loads.load import Expressing
from granum.loads.measured import ANGLE, point_names, point_value
from granum.rows.body import Body, End
from granum.rows.symbolic import rate_name
from granum.rows.system import symbol_name


def body_quantities(assembly: Assembly, scene: Expressing, coordinates: Collection[str]) -> dict[str, Expression]:
    """Positions, velocities and angular velocities of bodies and their points by the names that formulas use.

    Coordinates keep their names: `arm.x` and `arm.x_dot` are no quantities but coordinates and rates.
    """
    named: dict[str, Expression] = {}
    for end in _ends(assembly):
        own = ".".join(map(symbol_name, end.name.split(".")))
        for name in point_names(assembly.dimension, end.body):
            value = named[f"{own}.{name}"] = point_value(end, name, scene)
            if name.startswith("v"):
                named[rate_name(f"{own}.{name[1:]}")] = value
            elif name == "wz" and assembly.dimension == 2 and not end.body.parametrised:  # those have no angle
                named[rate_name(f"{own}.{ANGLE}")] = value
    taken = {*coordinates, *map(rate_name, coordinates)}
    return {name: value for name, value in named.items() if name not in taken}


def _ends(assembly: Assembly) -> list[End]:
    """All bodies, their points, and fixed points."""
    ends = [End(name, Body("ground"), position) for name, position in assembly.fixed.items()]
    for name, body in assembly.bodies.items():
        ends.append(End(name, body, np.zeros(3)))
        ends += [End(f"{name}.{point}", body, np.array(arm)) for point, arm in body.points.items()]
    return ends
