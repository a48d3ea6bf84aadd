"""Force and moment across a cut through a body while it moves (004): D'Alembert on the part behind the cut.

m' a' = F + (what acts on the part), and the same of moments about the point of the cut. Loads and joints act on the
part that has their point.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.errors import GranumError, Problem, SceneError, did_you_mean
from granum.base.kernels import Floats
from granum.mechanisms import tables
from granum.mechanisms.build import Mechanism
from granum.mechanisms.places import Place, three
from granum.model.clumps import Clump
from granum.model.cuts import beyond
from granum.model.probes import SectionProbe
from granum.model.solids import Block, Disk, Rod, Sphere

_STRAIGHT = 1e-9
"""How far a normal may be from an axis and still count as along it."""


class Cut(NamedTuple):
    """A cut through a body, and the part behind it; from the mass centre, in body axes."""

    name: str
    place: Place
    point: Floats
    normal: Floats
    mass: float
    centre: Floats
    inertia: Floats
    """(3, 3) of the part about its own centre [kg m²]."""


def cuts_of(mechanism: Mechanism) -> list[Cut]:
    """The cuts that a scene asks for; raises SceneError where one cannot be made."""
    found, problems = [], []
    for name, probe in mechanism.scene.probe.items():
        try:
            if not isinstance(probe, SectionProbe):
                raise GranumError(f'kind "{probe.kind}" looks at grains, and there are none.')
            found.append(_cut(mechanism, name, probe))
        except GranumError as error:
            problems.append(Problem(f"probe.{name}", str(error)))
    if problems:
        raise SceneError(problems)
    return found


def _cut(mechanism: Mechanism, name: str, probe: SectionProbe) -> Cut:
    known = {place.name: place for place in mechanism.places}
    if probe.body not in known:
        raise GranumError(f'there is no body "{probe.body}". {did_you_mean(probe.body, known, "body")}')
    place = known[probe.body]
    loads = mechanism.model.loads
    if place.index in loads.torque_body or place.index in loads.torsion_body:
        raise GranumError(f'a torque or torsion spring acts on "{probe.body}" as a whole: on which side of the cut is '
                          "not said.")
    normal, body = three(probe.normal), place.body
    normal /= np.linalg.norm(normal)
    point = three(probe.position)
    if isinstance(body, Clump | Disk) or (isinstance(body, Sphere) and body.inner_radius is None):
        return _round_part(name, place, point - np.array(body.origin()), normal, body)
    if isinstance(body, Rod):
        size = np.array([body.length, 0.0, 0.0])
    elif isinstance(body, Block):
        size = three(body.size)
    else:
        raise GranumError(f'"{probe.body}" is no rod, block, clump, disk or ball: what is behind a cut is not known.')
    axis = int(np.abs(normal).argmax())
    thin = isinstance(body, Rod) and body.radius is None
    oblique = abs(normal[axis]) < 1.0 - _STRAIGHT and not thin
    if oblique or (isinstance(body, Rod) and axis != 0):
        raise GranumError("a cut is square to an axis of the rod or block: give such a normal.")
    return _part(name, place, point, normal, axis, size)


def _part(name: str, place: Place, point: Floats, normal: Floats, axis: int, size: Floats) -> Cut:
    """Mass, centre and inertia of what is behind: a shorter rod, or a block with a shorter edge."""
    behind = -np.sign(normal[axis]) * size[axis] / 2.0
    length = abs(point[axis] - behind)
    if not 0.0 < length < size[axis] or abs(point[axis]) > size[axis] / 2.0:
        raise GranumError(f"the point at {point[axis]:g} m is not inside, which reaches from {-size[axis] / 2:g} m to "
                          f"{size[axis] / 2:g} m along that axis.")
    share = length / size[axis]
    mass, centre = place.mass * share, np.zeros(3)
    centre[axis] = 0.5 * (point[axis] + behind)
    second = 0.5 * np.trace(place.inertia) * np.eye(3) - place.inertia  # ∫ρ x xᵀ, whose terms scale one by one
    second[axis, axis] *= share**2
    second *= share
    return Cut(name, place, point, normal, mass, centre, np.trace(second) * np.eye(3) - second)


def _round_part(name: str, place: Place, point: Floats, normal: Floats, body: Clump | Disk | Sphere) -> Cut:
    """Mass, centre and inertia of what is behind, of one density: the union of disks or balls beyond a plane."""
    if isinstance(body, Clump):
        if body.weights() is not None:
            raise GranumError(f'the parts of "{place.name}" have masses of their own. Give one mass or density of the '
                              "whole, which says what is where.")
        centres, radii, flat = body.centres() - np.array(body.origin()), body.radii(), body.flat
    else:
        centres, radii, flat = np.zeros((1, 3)), np.array([body.radius]), isinstance(body, Disk)
    both = [beyond(centres, radii, point, side * normal, flat) for side in (-1.0, 1.0)]
    volume, centre, second = both[0]
    if not (volume > 0.0 and both[1][0] > 0.0):
        raise GranumError("the cut does not go through the body.")
    density = place.mass / (volume + both[1][0])
    return Cut(name, place, point, normal, density * volume, centre,
               density * (np.trace(second) * np.eye(3) - second))


def section_loads(mechanism: Mechanism, cut: Cut) -> tuple[Floats, Floats]:
    """Force and moment about the point of the cut, on the part behind, in inertial axes; of the state in the tables."""
    own = mechanism.model.tables.bodies[cut.place.index]
    R = own[tables.R : tables.R + 9].reshape(3, 3)
    x, w, a = (own[k : k + 3] for k in (tables.X, tables.W, tables.A))
    turning = own[tables.A + 3 : tables.A + 6]
    arm, point = R @ cut.centre, x + R @ cut.point
    acceleration = a + np.cross(turning, arm) + np.cross(w, np.cross(w, arm))
    inertia = R @ cut.inertia @ R.T
    gravity = mechanism.model.loads.gravity
    force = cut.mass * (acceleration - gravity)
    moment = inertia @ turning + np.cross(w, inertia @ w) + np.cross(x + arm - point, force)
    for at, push, torque in _actions(mechanism, cut.place):
        if (R.T @ (at - x) - cut.point) @ cut.normal < 0.0:
            force = force - push
            moment = moment - torque - np.cross(at - point, push)
    return force, moment


def _actions(mechanism: Mechanism, place: Place) -> list[tuple[Floats, Floats, Floats]]:
    """Point, force and moment about that point of every load and joint on a body, gravity left out."""
    found = _joint_actions(mechanism, place)
    bodies = mechanism.model.tables.bodies

    def where(index: int, arm: Floats) -> tuple[Floats, Floats]:
        own = bodies[index]
        reach = own[tables.R : tables.R + 9].reshape(3, 3) @ arm
        moving = own[tables.V : tables.V + 3] + np.cross(own[tables.W : tables.W + 3], reach)
        return own[tables.X : tables.X + 3] + reach, moving

    loads = mechanism.model.loads
    for k in np.flatnonzero(loads.force_body == place.index):
        found.append((where(place.index, loads.force[k, :3])[0], loads.force[k, 3:], np.zeros(3)))
    for k in np.flatnonzero((loads.spring_body == place.index).any(axis=1)):
        ends = [where(int(loads.spring_body[k, side]), loads.spring[k, 3 * side : 3 * side + 3]) for side in (0, 1)]
        d, rate = ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]
        size = float(np.linalg.norm(d))
        n = d / size if size > 0.0 else d
        pull = (loads.spring[k, 6] * (size - loads.spring[k, 7]) + loads.spring[k, 8] * float(n @ rate)) * n
        side = int(loads.spring_body[k, 1] == place.index)
        found.append((ends[side][0], (1.0 - 2.0 * side) * pull, np.zeros(3)))
    return found


def _joint_actions(mechanism: Mechanism, place: Place) -> list[tuple[Floats, Floats, Floats]]:
    """What joints do to a body."""
    found, kept = mechanism.model.tables, []
    half = 3 if mechanism.dimension == 2 else 6
    rubbing = 4 if len(mechanism.model.frictions.row) else 0
    x = found.bodies[place.index, tables.X : tables.X + 3]
    for k, joint in enumerate(mechanism.joints):
        for side in (0, 1):
            if found.ends[k, side] != place.index:
                continue
            rows = slice(int(mechanism.first[k]), int(mechanism.first[k + 1]))
            begin = tables.J + (rubbing + side) * half
            acting = found.multiplier[rows] @ found.rows[rows, begin : begin + half]
            force, torque = (np.array([*acting[:2], 0.0]), np.array([0.0, 0.0, acting[2]])) if half == 3 \
                else (acting[:3], acting[3:])
            arm = found.joints[k, tables.REACH + 3 * side : tables.REACH + 3 * side + 3]
            if joint.kind == "slider" and side == 0:  # the line pushes where the second body is
                arm = arm + found.joints[k, tables.APART : tables.APART + 3]
            kept.append((x + arm, force, torque - np.cross(arm, force)))
    return kept
