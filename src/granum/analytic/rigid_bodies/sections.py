"""Force and moment across a cut through a body while it moves (004): D'Alembert on the part behind the cut.

m' a' = F + (what acts on the part), and the same of moments about the point of the cut. Loads and joints act on the
part that has their point.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.analytic.rigid_bodies.system import BodySystem
from granum.base.errors import GranumError, Problem, SceneError, did_you_mean
from granum.base.kernels import Floats
from granum.base.rotations import three
from granum.loads import force, spring
from granum.loads.tables import KERNELS
from granum.model.clumps import Clump
from granum.model.cuts import beyond
from granum.model.probes import SectionProbe
from granum.model.solids import Block, Disk, Rod, Sphere
from granum.rows import tables
from granum.rows.bodies import Body

_STRAIGHT = 1e-9
"""How far a normal may be from an axis and still count as along it."""


class Cut(NamedTuple):
    """A cut through a body, and the part behind it; from the mass centre, in body axes."""

    name: str
    body: Body
    point: Floats
    normal: Floats
    mass: float
    centre: Floats
    inertia: Floats
    """(3, 3) of the part about its own centre [kg m²]."""


def cuts_of(system: BodySystem) -> list[Cut]:
    """The cuts that a scene asks for; raises SceneError where one cannot be made."""
    cuts, problems = [], []
    for name, probe in system.scene.probe.items():
        try:
            if not isinstance(probe, SectionProbe):
                raise GranumError(f'kind "{probe.kind}" looks at grains, and there are none.')
            cuts.append(_cut(system, name, probe))
        except GranumError as error:
            problems.append(Problem(f"probe.{name}", str(error)))
    if problems:
        raise SceneError(problems)
    return cuts


def _cut(system: BodySystem, name: str, probe: SectionProbe) -> Cut:
    known = {body.name: body for body in system.rows.bodies}
    if probe.body not in known:
        raise GranumError(f'there is no body "{probe.body}". {did_you_mean(probe.body, known, "body")}')
    body = known[probe.body]
    loads = system.model.loads
    if body.index in loads.torque_body or body.index in loads.torsion_body:
        raise GranumError(f'a torque or torsion spring acts on "{probe.body}" as a whole: on which side of the cut is '
                          "not said.")
    if body.index in loads.expressed_body:
        names = ", ".join(load.name for load in system.loads if type(load.entry) not in KERNELS)
        raise GranumError(f'cuts do not know on which side of them a load on "{probe.body}" acts ({names}).')
    normal, entry = three(probe.normal), body.entry
    normal /= np.linalg.norm(normal)
    point = three(probe.position)
    if isinstance(entry, Clump | Disk) or (isinstance(entry, Sphere) and entry.inner_radius is None):
        return _round_part(name, body, point - np.array(entry.origin()), normal, entry)
    if isinstance(entry, Rod):
        size = np.array([entry.length, 0.0, 0.0])
    elif isinstance(entry, Block):
        size = three(entry.size)
    else:
        raise GranumError(f'"{probe.body}" is no rod, block, clump, disk or ball: what is behind a cut is not known.')
    axis = int(np.abs(normal).argmax())
    thin = isinstance(entry, Rod) and entry.radius is None
    oblique = abs(normal[axis]) < 1.0 - _STRAIGHT and not thin
    if oblique or (isinstance(entry, Rod) and axis != 0):
        raise GranumError("a cut is square to an axis of the rod or block: give such a normal.")
    return _part(name, body, point, normal, axis, size)


def _part(name: str, body: Body, point: Floats, normal: Floats, axis: int, size: Floats) -> Cut:
    """Mass, centre and inertia of what is behind: a shorter rod, or a block with a shorter edge."""
    behind = -np.sign(normal[axis]) * size[axis] / 2.0
    length = abs(point[axis] - behind)
    if not 0.0 < length < size[axis] or abs(point[axis]) > size[axis] / 2.0:
        raise GranumError(f"the point at {point[axis]:g} m is not inside, which reaches from {-size[axis] / 2:g} m to "
                          f"{size[axis] / 2:g} m along that axis.")
    share = length / size[axis]
    mass, centre = body.mass * share, np.zeros(3)
    centre[axis] = 0.5 * (point[axis] + behind)
    second = 0.5 * np.trace(body.inertia) * np.eye(3) - body.inertia  # ∫ρ x xᵀ, whose terms scale one by one
    second[axis, axis] *= share**2
    second *= share
    return Cut(name, body, point, normal, mass, centre, np.trace(second) * np.eye(3) - second)


def _round_part(name: str, body: Body, point: Floats, normal: Floats, entry: Clump | Disk | Sphere) -> Cut:
    """Mass, centre and inertia of what is behind, of one density: the union of disks or balls beyond a plane."""
    if isinstance(entry, Clump):
        if entry.weights() is not None:
            raise GranumError(f'the parts of "{body.name}" have masses of their own. Give one mass or density of the '
                              "whole, which says what is where.")
        centres, radii, flat = entry.centres() - np.array(entry.origin()), entry.radii(), entry.flat
    else:
        centres, radii, flat = np.zeros((1, 3)), np.array([entry.radius]), isinstance(entry, Disk)
    both = [beyond(centres, radii, point, side * normal, flat) for side in (-1.0, 1.0)]
    volume, centre, second = both[0]
    if not (volume > 0.0 and both[1][0] > 0.0):
        raise GranumError("the cut does not go through the body.")
    density = body.mass / (volume + both[1][0])
    return Cut(name, body, point, normal, density * volume, centre,
               density * (np.trace(second) * np.eye(3) - second))


def section_loads(system: BodySystem, cut: Cut) -> tuple[Floats, Floats]:
    """Force and moment about the point of the cut, on the part behind, in inertial axes; of the state in the tables."""
    own = system.rows.tables.bodies[cut.body.index]
    R = own[tables.R : tables.R + 9].reshape(3, 3)
    x, w, a = (own[k : k + 3] for k in (tables.X, tables.W, tables.A))
    angular = own[tables.A + 3 : tables.A + 6]
    arm, point = R @ cut.centre, x + R @ cut.point
    acceleration = a + np.cross(angular, arm) + np.cross(w, np.cross(w, arm))
    inertia = R @ cut.inertia @ R.T
    force_ = cut.mass * (acceleration - system.model.loads.gravity)
    moment = inertia @ angular + np.cross(w, inertia @ w) + np.cross(x + arm - point, force_)
    for at, push, torque in _actions(system, cut.body):
        if (R.T @ (at - x) - cut.point) @ cut.normal < 0.0:
            force_ = force_ - push
            moment = moment - torque - np.cross(at - point, push)
    return force_, moment


def _actions(system: BodySystem, body: Body) -> list[tuple[Floats, Floats, Floats]]:
    """Point, force and moment about that point of every load and joint on a body, gravity left out."""
    actions = _joint_actions(system, body)
    bodies = system.rows.tables.bodies

    def where(index: int, arm: Floats) -> tuple[Floats, Floats]:
        own = bodies[index]
        reach = own[tables.R : tables.R + 9].reshape(3, 3) @ arm
        moving = own[tables.V : tables.V + 3] + np.cross(own[tables.W : tables.W + 3], reach)
        return own[tables.X : tables.X + 3] + reach, moving

    loads = system.model.loads
    for k in np.flatnonzero(loads.force_body == body.index):
        actions.append((where(body.index, loads.force[k, : force.FORCE])[0], loads.force[k, force.FORCE :],
                        np.zeros(3)))
    for k in np.flatnonzero((loads.spring_body == body.index).any(axis=1)):
        row = loads.spring[k]
        ends = [where(int(loads.spring_body[k, side]), row[point : point + 3])
                for side, point in enumerate((spring.POINT_1, spring.POINT_2))]
        d, rate = ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]
        size = float(np.linalg.norm(d))
        n = d / size if size > 0.0 else d
        tension = row[spring.STIFFNESS] * (size - row[spring.REST]) + row[spring.DAMPING] * float(n @ rate)
        side = int(loads.spring_body[k, 1] == body.index)
        actions.append((ends[side][0], (1.0 - 2.0 * side) * tension * n, np.zeros(3)))
    return actions


def _joint_actions(system: BodySystem, body: Body) -> list[tuple[Floats, Floats, Floats]]:
    """What joints do to a body."""
    own, actions, rows, half = system.rows.tables, [], system.rows, system.rows.half
    skipped = 4 if rows.slides else 0
    x = own.bodies[body.index, tables.X : tables.X + 3]
    for k, joint in enumerate(rows.joints):
        for side in (0, 1):
            if own.ends[k, side] != body.index:
                continue
            part = slice(int(rows.first[k]), int(rows.first[k + 1]))
            begin = tables.J + (skipped + side) * half
            acting = own.multiplier[part] @ own.rows[part, begin : begin + half]
            push, torque = (np.array([*acting[:2], 0.0]), np.array([0.0, 0.0, acting[2]])) if half == 3 \
                else (acting[:3], acting[3:])
            arm = own.joints[k, tables.REACH + 3 * side : tables.REACH + 3 * side + 3]
            if joint.kind == "slider" and side == 0:  # the line pushes where the second body is
                arm = arm + own.joints[k, tables.APART : tables.APART + 3]
            actions.append((x + arm, push, torque - np.cross(arm, push)))
    return actions
