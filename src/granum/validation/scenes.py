"""Entries that scenes of published cases share, and the systems of Sun (1996), chapter 6: masses of 1 kg on massless
links, and rods; g = 9.81 m/s².
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from granum.base.kernels import Floats
from granum.model.scene import Scene

LENGTH = 3.0
"""Length of the pendulum and height of the stack [m] (Sun 1996, §6.2, §6.4)."""
START_ANGLE = math.radians(30.0)
"""Angle of the pendulum from the vertical at the start (Sun 1996, §6.2)."""
GRAVITY = 9.81
"""[m/s²]; the document does not print it."""
CHAIN_LINKS = 15
"""Links of the falling chain (Sun 1996, §6.3)."""


def fixed_point(*position: float) -> dict[str, Any]:
    """A point of the ground [m]."""
    return {"kind": "fixed-point", "position": position}


def rod(length: float = 1.0, mass: float = 1.0) -> dict[str, Any]:
    """A thin uniform rod [m, kg]."""
    return {"kind": "rod", "length": length, "mass": mass}


def hinge(first: str, second: str, axis: Sequence[float] | None = None) -> dict[str, Any]:
    """A hinge between two points; in 3-D about an axis."""
    return {"kind": "hinge", "between": (first, second), **({} if axis is None else {"axis": tuple(axis)})}


def gravity(dimension: int = 2, axis: int = -1) -> dict[str, Any]:
    """Loads that are gravity alone: downward along the last axis, or along another."""
    acceleration = [0.0] * dimension
    acceleration[axis] = -GRAVITY
    return {"gravity": {"kind": "gravity", "acceleration": tuple(acceleration)}}


def rotated(angle: float, arm: Sequence[float]) -> Floats:
    """An arm in the axes of a body as it is in inertial axes, in 2-D."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * arm[0] - s * arm[1], s * arm[0] + c * arm[1]])


def cross_matrix(u: Floats) -> Floats:
    """K with K v = u × v."""
    matrix: Floats = np.cross(u, np.eye(3)).T
    return matrix


def pendulum(count: int) -> Scene:
    """`count` masses bob-1 ... on links of 3/count m, displaced toward +x by 30° and at rest (figure 5.1, §6.2)."""
    chain = {"kind": "chain", "from": "pivot", "count": count, "length": LENGTH / count, "mass": 1.0,
             "angles": START_ANGLE - math.pi / 2.0}
    return Scene(title=f"Pendulum of {count} masses", body={"pivot": fixed_point(0.0, 0.0)}, pattern={"bob": chain},
                 load=gravity())


def stack(count: int, tilt: float = 0.0, scatter: float = 0.0, seed: int = 0) -> Scene:
    """`count` masses disk-1 ... upright on links of 3/count m (figure 6.12), tilted by angles [rad]."""
    pile = {"kind": "stack", "from": "base", "count": count, "height": LENGTH, "mass": 1.0, "tilt": tilt,
            "scatter": scatter}
    return Scene(title=f"Stack of {count} masses", body={"base": fixed_point(0.0, 0.0)}, pattern={"disk": pile},
                 load=gravity(), run={"seed": seed})


def lying_stack(angles: Sequence[float]) -> Scene:
    """A stack with gravity along -x, so that a link that stands has the angle zero.

    A tilt of 1e-8 then keeps all of its digits as a coordinate; as an angle near π/2 it keeps half of them.
    """
    count = len(angles)
    pile = {"kind": "chain", "from": "base", "count": count, "length": LENGTH / count, "mass": 1.0,
            "angles": tuple(angles)}
    return Scene(title=f"Stack of {count} masses, lying", body={"base": fixed_point(0.0, 0.0)}, pattern={"disk": pile},
                 load=gravity(axis=0))


def falling_chain(left: Sequence[float], link: float) -> Scene:
    """Fifteen links with masses joint-1 ... joint-14 at their joints, pinned at both ends, symmetric, at rest.

    Args:
        left: angles of the seven left links from the horizontal [rad]; link 8 is level, the rest mirrors.
        link: length of a link [m].

    The figure with the shape (6.8) is missing from the document: hence a parameter.
    """
    angles = chain_angles(left)
    chain = {"kind": "chain", "from": "left", "to": "right", "count": CHAIN_LINKS - 1, "length": link, "mass": 1.0,
             "angles": tuple(angles[:-1])}
    return Scene(title="Falling chain", body=_pins(left, link),
                 pattern={"joint": chain}, load=gravity())


def falling_rods(left: Sequence[float], link: float) -> Scene:
    """The same chain of rods rod-1 ... rod-15 with hinges: "fifteen identical rigid bars" (Sun 1996, §6.3)."""
    body = _pins(left, link)
    hinges, start, before = {}, {}, "left"
    for k, angle in enumerate(chain_angles(left), 1):
        body[f"rod-{k}"] = rod(link)
        start[f"rod-{k}"] = {"angle": angle}
        hinges[f"hinge-{k}"] = hinge(before, f"rod-{k}.tail")
        before = f"rod-{k}.head"
    hinges[f"hinge-{CHAIN_LINKS + 1}"] = hinge(before, "right")
    return Scene(title="Falling chain of rods", body=body, constraint=hinges, start=start, load=gravity())


def _pins(left: Sequence[float], link: float) -> dict[str, Any]:
    return {"left": fixed_point(0.0, 0.0), "right": fixed_point(span(left, link), 0.0)}


def chain_angles(left: Sequence[float]) -> list[float]:
    """Angles of all fifteen links [rad]: the left half, link 8 level, the mirrored half."""
    angles = [*left, 0.0, *(-angle for angle in reversed(left))]
    if len(angles) != CHAIN_LINKS:
        raise ValueError(f"The left half has 7 links, found {len(left)} angles.")
    return angles


def span(left: Sequence[float], link: float) -> float:
    """Distance between the two pins of a falling chain [m]."""
    return link * (1.0 + 2.0 * sum(math.cos(angle) for angle in left))
