"""Boundary elements as regions of LAMMPS, and their prescribed motion as its variables.

A region has one rotation and one displacement, x = P + R(θ)(x₀ - P) + D, and flat or round shapes only along the axes.
Shapes that are turned are therefore described along the axes and rotated into place; where they also rotate about
another axis, LAMMPS cannot express them. A region with open faces is thin and solid from both sides, as rings of Granum
are; a block or a cylinder without thickness is a thin wall.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from granum.base.errors import GranumError
from granum.base.kernels import Floats, Record
from granum.grains.geometry.elements import ARC, BALL, FACET, PLANE, REST, RING, ROD, SEGMENT, SURFACE, TUBE, TURNS

ALIGNED = 1e-12
"""How far a unit vector may be from an axis, and a cosine from zero, for shapes along the axes."""
DEEP = 1.0
"""Half width along z of a wall of a 2-D scene, whose grains are at z = 0 [m]."""


class NotExpressibleError(GranumError):
    """A boundary that no region describes; its text follows the name of the boundary."""


@dataclass(frozen=True)
class Shape:
    """A region before its motion."""

    style: str
    """Style and numbers, such as `sphere 0 0 0 1`."""
    options: str
    """`side in`, `side out`, or open faces."""
    curved: bool = False
    """Does LAMMPS take its curvature into the reduced radius? Granum does not."""
    point: Floats = field(default_factory=lambda: np.zeros(3))
    """Point about which, axis and angle by which it is rotated into place."""
    axis: Floats = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    angle: float = 0.0


def numbers(*values: ArrayLike) -> str:
    """Numbers as LAMMPS reads them, to the last digit."""
    return " ".join(repr(float(value)) for value in np.concatenate([np.ravel(np.asarray(v)) for v in values]))


def _plane(home: Record, motion: Record) -> Shape:
    return Shape(f"plane {numbers(home['point'][0], home['direction'][0])}", "side in")


def _ball(home: Record, motion: Record) -> Shape:
    radius = float(home["length"][0])
    return Shape(f"sphere {numbers(home['point'][0], abs(radius))}", "side out" if radius > 0.0 else "side in", True)


def _segment(home: Record, motion: Record) -> Shape:
    """A block without thickness along x, rotated about z, which is the axis of any rotation in 2-D."""
    along, begin = home["direction"][0], home["point"][0]
    angle = math.atan2(along[1], along[0])
    point = motion["centre"] if motion["kind"] == TURNS else begin
    x, y, _ = point + _rotated(begin - point, np.array([0.0, 0.0, 1.0]), -angle)
    return Shape(f"block {numbers(x, x + home['length'][0], y, y, -DEEP, DEEP)}", "side out", point=point, angle=angle)


def _facet(home: Record, motion: Record) -> Shape:
    """A rectangle: a block without thickness in the plane of x and y, rotated into place."""
    corners, count = home["point"], int(home["length"][0])
    first, second = corners[1] - corners[0], corners[3] - corners[0]
    long, wide = float(np.linalg.norm(first)), float(np.linalg.norm(second))
    square = count == 4 and abs(first @ second) <= ALIGNED * long * wide and \
        np.allclose(corners[2] - corners[3], first, rtol=0.0, atol=ALIGNED * (long + wide))
    if not square:
        raise NotExpressibleError("is a triangle or a quadrilateral with oblique corners; LAMMPS has rectangles")
    axes = np.column_stack([first / long, second / wide, np.cross(first / long, second / wide)])
    axis, angle = _axis_and_angle(axes)
    x, y, z = corners[0]
    return Shape(f"block {numbers(x, x + long, y, y + wide, z, z)}", "side out", point=corners[0].copy(), axis=axis,
                 angle=angle)


def _about_axis(home: Record) -> tuple[str, Floats, float, Shape]:
    """Letter of the axis and centre across it, position and direction along it, and how it is rotated into place.

    Shapes along no axis are described along z.
    """
    base, axis = home["point"][0], home["direction"][0]
    k = int(np.argmax(np.abs(axis)))
    if abs(axis[k]) < 1.0 - ALIGNED:
        turn = np.cross([0.0, 0.0, 1.0], axis)
        placed = Shape("", "", point=base.copy(), axis=turn / np.linalg.norm(turn), angle=math.acos(axis[2]))
        return "z", base[:2], 1.0, placed
    return "xyz"[k], np.delete(base, k), math.copysign(1.0, axis[k]), Shape("", "", point=base.copy())


def _round(home: Record, profile: str, options: str, lower: float, upper: float, curved: bool = True) -> Shape:
    """A cylinder or a cone between two heights above the base along its axis."""
    letter, centre, sense, placed = _about_axis(home)
    style, *radii = profile.split()
    if math.isinf(lower):
        span = "INF INF"
    else:
        base = float(home["point"][0]["xyz".index(letter)])
        ends = [base + sense * lower, base + sense * upper]
        if ends[0] > ends[1]:
            ends, radii = ends[::-1], radii[::-1]
        span = numbers(ends)
    return Shape(f"{style} {letter} {numbers(centre)} {' '.join(radii)} {span}", options, curved, placed.point,
                 placed.axis, placed.angle)


def _tube(home: Record, motion: Record) -> Shape:
    radius = float(home["length"][0])
    return _round(home, f"cylinder {abs(radius)!r}", "side out" if radius > 0.0 else "side in", -math.inf, math.inf)


def _rod(home: Record, motion: Record) -> Shape:
    radius, half = (float(length) for length in home["length"][:2])
    return _round(home, f"cylinder {radius!r}", "side out", -half, half)


def _ring(home: Record, motion: Record) -> Shape:
    rho, h, t_rho, t_h, length = (float(value) for value in home["length"])
    end_rho, end_h = rho + length * t_rho, h + length * t_h
    if t_h == 0.0:
        if rho > 0.0 and end_rho > 0.0:
            raise NotExpressibleError("has a flat bottom with a hole, which no region of LAMMPS describes; give the "
                                      "funnel a height")
        return _round(home, f"cylinder {max(rho, end_rho)!r}", "side out", h, h, curved=False)
    if t_rho == 0.0:
        return _round(home, f"cylinder {rho!r}", "open 1 open 2", h, end_h)
    return _round(home, f"cone {rho!r} {end_rho!r}", "open 1 open 2", h, end_h)


def _arc(home: Record, motion: Record) -> Shape:
    raise NotExpressibleError("is an arc, which no region of LAMMPS describes")


def _surface(home: Record, motion: Record) -> Shape:
    raise NotExpressibleError("is an implicit surface, which no region of LAMMPS describes")


SHAPES: dict[int, Callable[[Record, Record], Shape]] = {
    PLANE: _plane, BALL: _ball, SEGMENT: _segment, ARC: _arc, FACET: _facet, TUBE: _tube, RING: _ring, ROD: _rod,
    SURFACE: _surface}


def shape_of(home: Record, motion: Record) -> Shape:
    """The region of an element; raises NotExpressibleError."""
    shape = SHAPES[int(home["kind"])](home, motion)
    rotates = bool(np.any(motion["angular_velocity"]))
    if rotates and shape.angle != 0.0 and home["kind"] != SEGMENT:
        raise NotExpressibleError("rotates and is not along the axes: LAMMPS rotates a region about one axis only")
    return shape


def region_lines(name: str, home: Record, motion: Record) -> list[str]:
    """The variables and the region of an element."""
    shape = shape_of(home, motion)
    lines, options = [], [shape.options, "units box"]
    if motion["kind"] != REST:
        lines.append(f"variable {name}_tau equal {_elapsed(motion)}")
        moves = [(axis, formula) for k, axis in enumerate("xyz") if (formula := _displacement(name, motion, k))]
        lines += [f"variable {name}_{axis} equal {formula}" for axis, formula in moves]
        if moves:
            moved = dict(moves)
            options.append(" ".join(["move", *(f"v_{name}_{axis}" if axis in moved else "NULL" for axis in "xyz")]))
    speed = float(np.linalg.norm(motion["angular_velocity"])) if motion["kind"] != REST else 0.0
    if speed > 0.0:
        axis = motion["angular_velocity"] / speed
        at_rest = shape.angle * float(np.sign(axis[2])) if shape.angle else 0.0  # in 2-D both are about z
        lines.append(f"variable {name}_angle equal {at_rest!r}+{speed!r}*v_{name}_tau")
        options.append(f"rotate v_{name}_angle {numbers(motion['centre'], axis)}")
    elif shape.angle != 0.0:
        lines.append(f"variable {name}_angle equal {shape.angle!r}")
        options.append(f"rotate v_{name}_angle {numbers(shape.point, shape.axis)}")
    return [*lines, f"region {name} {shape.style} {' '.join(options)}"]


def _elapsed(motion: Record) -> str:
    """For how long uniform velocity and rotation have been going on [s]."""
    begin, end = float(motion["begin"]), float(motion["end"])
    since = "time" if begin == 0.0 else f"ternary(time<{begin!r},0.0,time-{begin!r})"
    return since if math.isinf(end) else f"ternary(time>{end!r},{end - begin!r},{since})"


def _displacement(name: str, motion: Record, k: int) -> str:
    """D = V τ + a sin(2π f t + φ) along an axis, as a formula; empty where there is none."""
    velocity, amplitude = float(motion["velocity"][k]), float(motion["amplitude"][k])
    terms = [f"({velocity!r}*v_{name}_tau)"] if velocity else []
    if amplitude:
        terms.append(f"({amplitude!r}*sin({float(motion['frequency'])!r}*time+({float(motion['phase'])!r})))")
    return "+".join(terms)


def _rotated(vector: Floats, axis: Floats, angle: float) -> Floats:
    """A vector rotated about a unit vector (Rodrigues)."""
    c, s = math.cos(angle), math.sin(angle)
    rotated: Floats = c * vector + s * np.cross(axis, vector) + (1.0 - c) * (axis @ vector) * axis
    return rotated


def _axis_and_angle(matrix: Floats) -> tuple[Floats, float]:
    """Axis and angle of a rotation matrix."""
    from scipy.spatial.transform import Rotation

    vector = Rotation.from_matrix(matrix).as_rotvec()
    angle = float(np.linalg.norm(vector))
    return (vector / angle, angle) if angle > ALIGNED else (np.array([0.0, 0.0, 1.0]), 0.0)
