"""Gears, belts and cams on a stage: where their wheels are, and on which bodies.

A wheel is on the body of its joint that does not carry both joints: the carrier of a planetary gear holds the bearings
of sun and planet, and the ring is fixed to what the carrier turns about. Joints without a common carrier have no fixed
distance, so no wheels touch: such couplings, and gears between two sliders, are not drawn.
"""

from __future__ import annotations

import math
from itertools import product
from typing import NamedTuple

import numpy as np

from granum.algebra import Expression
from granum.algebra.expression import evaluate
from granum.algebra.parse import parse_equation
from granum.base.kernels import Floats
from granum.base.rotations import IDENTITY, rotate_quaternion
from granum.model.body_entries import FixedPoint, Rigid
from granum.model.connections import Belt, Cam, Coupling, Gear, Hinge, Slider
from granum.run.axes import joint_motion, start_axis
from granum.view.shapes.body_shapes import body_outline
from granum.view.shapes.couplings import belt_mesh, cam_mesh, pitch_radii, rack_mesh, wheel_mesh
from granum.view.shapes.meshes import AROUND, Mesh, shifted
from granum.view.stage.actors import Actors
from granum.view.stage.items import Solid
from granum.view.stage.poses import Pose, placed, rotation

_PARALLEL = 1e-6
_TOOTH = 0.06
"""Teeth of a rack, in the radius of its pinion."""
_FLAT = 0.5
"""Least distance of the profile of a cam from its axis, in the lift."""
_SAMPLES = 4 * AROUND


class Wheel(NamedTuple):
    """One side of a coupling."""

    joint: Hinge | Slider
    part: str
    """The end of the joint that turns or slides, seen from the carrier, ..."""
    base: str
    """... and the one on the carrier."""
    point: Floats
    """(3,) at the start [m]."""
    axis: Floats
    """(3,) unit vector about or along which the part moves where the joint does so positively, at the start."""

    @property
    def turns(self) -> bool:
        """Is it on a hinge?"""
        return isinstance(self.joint, Hinge)


def coupling_solids(actors: Actors) -> list[tuple[Solid, Pose]]:
    """All couplings of a run that can be drawn."""
    solids = list[tuple[Solid, Pose]]()
    for name, one in actors.scene.constraint.items():
        wheels = _wheels(actors, one) if isinstance(one, Coupling) else None
        if wheels is None:
            continue
        match one:
            case Gear() if wheels[0].turns and wheels[1].turns:
                shapes = _gears(actors, one, *wheels)
            case Gear() if wheels[0].turns or wheels[1].turns:
                shapes = _rack(actors, one, *wheels)
            case Belt():
                shapes = _belt(one, *wheels)
            case Cam():
                shapes = _cam(actors, one, *wheels)
            case _:
                shapes = []
        solids += [actors.at_joint(name, mesh, end) for mesh, end in shapes if mesh.lines]
    return solids


def _wheels(actors: Actors, coupling: Coupling) -> tuple[Wheel, Wheel] | None:
    """Both sides, seen from the body that carries both joints; None where there is none."""
    first, second = (actors.scene.measured_joints[name] for name in coupling.joints)
    for j, i in product((0, 1), (0, 1)):
        if _owner(actors, first.between[i]) == _owner(actors, second.between[j]):
            return _wheel(actors, first, i), _wheel(actors, second, j)
    return None


def _owner(actors: Actors, end: str) -> str:
    """The body of an end; all fixed points are one."""
    own = end.partition(".")[0]
    return "" if isinstance(actors.scene.body.get(own), FixedPoint) else own


def _wheel(actors: Actors, joint: Hinge | Slider, carrier: int) -> Wheel:
    part, axis = joint.between[1 - carrier], start_axis(actors.run, joint)
    return Wheel(joint, part, joint.between[carrier], actors.point(part, 0), axis if carrier == 0 else -axis)


Shapes = list[tuple[Mesh, str]]
"""Meshes with the directions of the start, each from the end of a joint that carries it."""


def _gears(actors: Actors, gear: Gear, first: Wheel, second: Wheel) -> Shapes:
    """Pitch circles in one plane; wheels on axes that are not parallel, or on one line, have the ratio of their radii
    only.
    """
    apart = second.point - first.point
    along = float(apart @ first.axis) * first.axis
    parallel = np.linalg.norm(np.cross(first.axis, second.axis)) < _PARALLEL
    distance = float(np.linalg.norm(apart - along if parallel else apart))
    beside = parallel and distance > _PARALLEL * actors.point_radius
    same = bool(beside and gear.ratio * float(first.axis @ second.axis) > 0.0)
    radii = pitch_radii(gear.ratio, distance if beside else max(distance, 10.0 * actors.point_radius), same)
    meshes = [wheel_mesh(radius, wheel.axis) for radius, wheel in zip(radii, (first, second), strict=True)]
    return [(meshes[0], first.part), (shifted(meshes[1], -along) if beside else meshes[1], second.part)]


def _rack(actors: Actors, gear: Gear, first: Wheel, second: Wheel) -> Shapes:
    """A pinion and the rack that touches it where both have the same velocity."""
    pinion, rack = (first, second) if first.turns else (second, first)
    per_angle = gear.ratio if first.turns else 1.0 / gear.ratio if gear.ratio else 0.0
    out = per_angle * np.cross(rack.axis, pinion.axis)
    radius = float(np.linalg.norm(out))
    if radius < _PARALLEL * abs(per_angle) or not radius:
        return []
    touches = pinion.point + out
    motion = joint_motion(actors.run, rack.joint)
    most, least = float(motion.max()), float(motion.min())
    teeth = rack_mesh(touches - rack.point, rack.axis, (-most - radius, -least + radius), _TOOTH * out)
    return [(wheel_mesh(radius, pinion.axis), pinion.part), (teeth, rack.part)]


def _belt(belt: Belt, first: Wheel, second: Wheel) -> Shapes:
    """Pulleys that turn, and the belt around them, in the plane of the first."""
    apart = second.point - first.point
    along = float(apart @ first.axis) * first.axis
    parallel = np.linalg.norm(np.cross(first.axis, second.axis)) < _PARALLEL
    one, two = belt.radii
    loop = [(belt_mesh(apart - along, (one, two), first.axis, belt.crossed), first.base)] if parallel else []
    return [(wheel_mesh(one, first.axis), first.part),
            (shifted(wheel_mesh(two, second.axis), -along if parallel else np.zeros(3)), second.part), *loop]


def _cam(actors: Actors, cam: Cam, shaft: Wheel, follower: Wheel) -> Shapes:
    """The path of the follower's tip, seen from the cam: the profile of a cam that touches it there."""
    own = "angle" if shaft.turns else "displacement"
    profile = parse_equation(cam.profile, [own, *actors.scene.system.parameters])
    turns = np.linspace(0.0, 2.0 * math.pi, _SAMPLES + 1)
    known = {**actors.scene.system.parameters}
    lifts = [_lift(profile, {**known, own: z}) for z in turns]
    again = [_lift(profile, {**known, own: z + 2.0 * math.pi}) for z in turns]
    if not shaft.turns or not np.allclose(lifts, again, rtol=0.0, atol=1e-9 * (1.0 + np.ptp(lifts))):
        motion = joint_motion(actors.run, shaft.joint)  # what the run has used of a profile that does not close
        turns = np.linspace(motion.min(), motion.max(), _SAMPLES + 1)
        lifts = [_lift(profile, {**known, own: z}) for z in turns]
    tip = _tip(actors, shaft, follower, float(np.ptp([lift for lift in lifts if math.isfinite(lift)] or [0.0])))
    line = [_seen_from(shaft, z, _moved(follower, lift, tip)) for z, lift in zip(turns, lifts, strict=True)
            if math.isfinite(lift)]
    return [(cam_mesh(line), shaft.part)] if line else []


def _lift(profile: Expression, values: dict[str, float]) -> float:
    """Value of a profile; not a number where it has none."""
    try:
        return evaluate([profile], values)[0]
    except (ArithmeticError, ValueError):
        return math.nan


def _tip(actors: Actors, shaft: Wheel, follower: Wheel, lift: float) -> Floats:
    """(3,): the point of the follower that touches the cam, at the start.

    Of a follower that slides it is its end towards the shaft; of one that rocks, its point nearest to the shaft. What
    would be within the shaft is moved out of it.
    """
    own = follower.part.partition(".")[0]
    body = actors.scene.body.get(own)
    pose = actors.pose(own, 0) if isinstance(body, Rigid) else None
    if follower.turns:
        points = [] if pose is None or not isinstance(body, Rigid) else [
            *placed(pose, np.array([*body.fixed_points().values(), (0.0, 0.0, 0.0)]))]
        points = [point for point in points if np.linalg.norm(point - follower.point) > _PARALLEL * actors.point_radius]
        return min(points, key=lambda point: float(np.linalg.norm(point - shaft.point)),
                   default=0.5 * (shaft.point + follower.point))
    height = float((follower.point - shaft.point) @ follower.axis)
    inward = -math.copysign(1.0, height) * follower.axis
    outline = np.zeros((1, 3)) + follower.point if pose is None or not isinstance(body, Rigid) else placed(
        pose, np.concatenate(body_outline(body, actors.dimension)))
    reach = float(((outline - follower.point) @ inward).max())
    away = abs(height) - (reach if reach < abs(height) else 0.0)
    return follower.point + (abs(height) - max(away, _FLAT * lift)) * inward


def _moved(wheel: Wheel, motion: float, point: Floats) -> Floats:
    """Where a point of the part of a joint gets by a motion of the joint."""
    if not wheel.turns:
        return point + motion * wheel.axis
    quaternion = np.array(IDENTITY)
    rotate_quaternion(quaternion, motion * wheel.axis)
    return wheel.point + rotation(quaternion) @ (point - wheel.point)


def _seen_from(wheel: Wheel, motion: float, point: Floats) -> Floats:
    """A point from that of a joint, in the axes of its part at the start, when the joint has moved so far."""
    return _moved(wheel, -motion, point) - wheel.point
