"""Names of what bodies do, for the formulas of a scene: `arm.vx`, `arm.wz`, `arm.tip.x`, `arm.tip.vx`."""

from __future__ import annotations

from collections.abc import Collection

from granum.algebra import Expression
from granum.algebra.vectors import Vector
from granum.assembly.assembly import Assembly
from granum.rows.symbolic import Pose, rate_name
from granum.rows.system import symbol_name

AXES = "xyz"


def body_quantities(
    assembly: Assembly, poses: dict[str, Pose], coordinates: Collection[str],
) -> dict[str, Expression]:
    """Velocities and angular velocities in inertial axes, and points of bodies, by the names that formulas use.

    Coordinates keep their names: `arm.x` and `arm.x_dot` are no quantities but coordinates and rates.
    """
    named: dict[str, Expression] = {}
    for name, pose in poses.items():
        own, body = symbol_name(name), assembly.bodies.get(name)
        named |= _point(own, pose.position, pose.velocity, assembly.dimension)
        if pose.rotation is None or body is None:
            continue
        turning = range(3) if assembly.dimension == 3 else (2,)
        named |= {f"{own}.w{AXES[k]}": pose.angular_velocity[k] for k in turning}
        for point, arm in body.points.items():
            named |= _point(f"{own}.{symbol_name(point)}", *pose.point(arm), assembly.dimension)
    taken = {*coordinates, *map(rate_name, coordinates)}
    return {name: value for name, value in named.items() if name not in taken}


def _point(own: str, position: Vector, velocity: Vector, dimension: int) -> dict[str, Expression]:
    """Position and velocity of a point; `x_dot` and `vx` are the same."""
    named: dict[str, Expression] = {}
    for k, axis in enumerate(AXES[:dimension]):
        named |= {f"{own}.{axis}": position[k], rate_name(f"{own}.{axis}"): velocity[k], f"{own}.v{axis}": velocity[k]}
    return named
