"""Touching of two round bodies, or of one and a plane: what rolling and sliding have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from granum.base.errors import GranumError, Problem, did_you_mean
from granum.base.kernels import Floats
from granum.model.clumps import Clump
from granum.model.connections import Rolling, Sliding
from granum.rows.body import Body, End
from granum.rows.joint import FRICTION, NORMAL, Connecting, Joint, Row, forces
from granum.rows.tables import DISTANCE, FIXED

LYING = 1e-6
"""Lean of a disk [rad] below which it lies flat."""


def touching(name: str, entry: Rolling | Sliding, scene: Connecting) -> tuple[Joint, Floats | None]:
    """The row of the distance with the reactions of a contact, and the normal of a plane."""
    two, normal = scene.round_end(entry.body), None
    assert two.radius is not None
    if entry.on in scene.scene.surface:
        normal, point = scene.plane(entry.on)
        one, presses = End(entry.on, scene.ground, point), 1.0
        row = Row(FIXED, normal, p=(0.0, -two.radius, 0.0), offset=two.radius)
    else:
        one = scene.round_end(entry.on)
        near, far, presses = _reaches(one, two)
        row = Row(DISTANCE, p=(near, far, 0.0), offset=near - far)
    if one.body is two.body:
        raise GranumError(f'both belong to "{one.body.name}". Give parts of two different bodies.')
    return Joint(name, entry.kind, one, two, [row], labels=contact_labels(name, scene.dimension),
                 presses=presses, contact=True), normal


def contact_labels(name: str, dimension: int) -> list[tuple[str, int]]:
    """Labels of the reactions of a contact."""
    return [*forces(name, dimension), (f"{name}.normal", NORMAL), (f"{name}.friction", FRICTION)]


def refuse_unknown(entry: Rolling | Sliding, scene: Connecting) -> None:
    """Refuse names of bodies and surfaces that are not there."""
    scene.end(entry.body)
    if entry.on not in scene.scene.surface and entry.on.partition(".")[0] not in scene.scene.body:
        known = {**scene.scene.surface, **scene.scene.body}
        raise GranumError(f'there is no surface or body "{entry.on}". '
                          f'{did_you_mean(entry.on, known, "surface or body")}')


def refuse_lying(body: Body, semi_axes: tuple[float, float, float], normal: Floats, on: str) -> None:
    """Refuse a disk that lies flat on a plane at the start: it has no lowest point."""
    along = np.abs(body.carried(normal)[np.array(semi_axes) > 0.0]).max()
    if along < LYING:
        raise GranumError(f'"{body.name}" lies flat on "{on}" at the start, but a disk rolls on its edge. Give '
                          f"start.{body.name}.orientation so that its axis, z, is not along the normal.")


def undetermined_normal(contact: str, body: str, on: str) -> Problem:
    """What is said of friction that a normal force limits which the joints leave open."""
    return Problem(f"constraint.{contact}.friction", f"the normal force between {body} and {on} is not determined, "
                                                     "because other constraints also fix their distance.",
                   "Remove friction: they then roll without slip.")


def not_round(name: str, entry: Any) -> GranumError:
    """What is said of a body that neither rolls nor slides."""
    hint = f' Give one of its parts, such as "{name.partition(".")[0]}.1".' if isinstance(entry, Clump) else ""
    return GranumError(f'"{name}" is not round. Only a sphere, disk (2-D), half-shell, two-half-shell or a part of a '
                       "clump can slide, or roll on such a body. On a surface, disks, ellipsoids and rods with a "
                       f"radius roll too.{hint}")


def _reaches(one: End, two: End) -> tuple[float, float, float]:
    """Signed radii along the line of centres, and the sign of pressing: outside each other, or one within the other."""
    assert one.radius is not None and two.radius is not None
    a, b = one.radius, two.radius
    if one.body.position is None or two.body.position is None:
        return a, -b, 1.0
    apart = float(np.linalg.norm(two.start - one.start))
    if abs(apart - (a + b)) <= abs(apart - abs(a - b)):
        return a, -b, 1.0
    return (a, b, -1.0) if a > b else (-a, -b, -1.0)
