"""Boundaries of a scene as elements: planes, balls, segments, arcs, facets, tubes, rings, rods, implicit surfaces.

    box       → a plane for each side that is not open
    wall      → segment or arc in the plane, facet in space: thin, solid from both sides
    hopper    → segments in the plane, rings in space (cone or flat bottom, and cylinder): thin
    disk, sphere → ball
    cylinder  → closed at both ends: a tube and two planes that grains are in (radius < 0), or a solid rod
              → open at an end: rings, thin and solid from both sides, so that grains may come over the rim and rest
                outside; the radius' sign says no more then
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from granum.algebra.calculus import gradient
from granum.algebra.compiled import Compiled
from granum.algebra.expression import free_symbols, symbol
from granum.algebra.parse import parse_equation
from granum.base.errors import GranumError, Problem, SceneError, did_you_mean
from granum.base.kernels import Floats, Ints, Record, Records
from granum.base.rotations import three
from granum.grains.geometry.elements import (
    ARC,
    BALL,
    DIRECTIONS,
    ELEMENT,
    FACET,
    MOTION,
    PLANE,
    POINTS,
    REST,
    RING,
    ROD,
    SEGMENT,
    SLIDES,
    SURFACE,
    TUBE,
    TURNS,
    Boundaries,
)
from granum.grains.geometry.implicit import nearest
from granum.grains.geometry.motion import bound, carry_elements, move_elements
from granum.model.body_entries import Rigid
from granum.model.boundaries import (
    Boundary,
    Box,
    Cylinder,
    FixedDisk,
    FixedSphere,
    Hopper,
    ImplicitSurface,
    Motion,
    Plane,
    Wall,
)
from granum.model.scene import Scene

_FLAT = 1e-9
"""How far the corners of a flat quadrilateral may be from a plane, in its own sizes."""
_ROUND_OFF = 1e-12
_DIMENSIONS = {2: "2-D", 3: "3-D"}


@dataclass(frozen=True)
class Elements:
    """All boundaries of a scene as records of `granum.grains.geometry.elements`; rows are elements."""

    now: Records
    """(E,) ELEMENT: as they are now; `move_elements` writes them."""
    home: Records
    """(E,) ELEMENT: as the scene gives them, before any motion."""
    motion: Records
    """(E,) MOTION: prescribed motion."""
    boundary: Ints
    """(E,): number of the boundary in the scene."""
    lower: Floats
    """(E, 3): box around each element with what is solid behind it, at time 0; `bound` writes it anew."""
    upper: Floats
    """(E, 3)"""
    reach: Floats
    """(E,): largest distance of a point of the element from the axis it rotates about, ∞ without end."""
    owner: Ints
    """(E,): number of the body that each belongs to, -1 for none."""
    row: Ints
    """(E,): row of that body now, -1 for none."""
    own: Records
    """(E,) ELEMENT: those that belong to a body, in its axes from its mass centre."""
    span: Floats
    """(E,): largest distance of a point of such an element from the mass centre, ∞ without end."""
    names: tuple[str, ...] = ()
    """Names of the boundaries."""
    functions: tuple[Compiled, ...] = field(default=(), repr=False)
    """Code of the implicit surfaces, which lives as long as this."""

    @property
    def count(self) -> int:
        """How many elements there are."""
        return len(self.now)

    @property
    def material(self) -> Ints:
        """(E,): number of the material, -1 for none."""
        material: Ints = self.now["material"]
        return material

    @property
    def moving(self) -> bool:
        """Does any of them move?"""
        return bool(np.any(self.motion["kind"] != REST)) or self.attached

    def arrays(self) -> Boundaries:
        """What kernels work on."""
        return Boundaries(self.now, self.home, self.motion, self.reach, self.row, self.own, self.span,
                          np.zeros(self.count))

    @property
    def attached(self) -> bool:
        """Does any of them belong to a body?"""
        return bool(np.any(self.owner >= 0))

    def copy(self) -> Elements:
        """The same with arrays of its own, to run with."""
        return replace(self, now=self.now.copy(), lower=self.lower.copy(), upper=self.upper.copy(),
                       owner=self.owner.copy(), row=self.row.copy(), own=self.own.copy(), span=self.span.copy())

    def velocities(self, elements: Ints, points: Floats) -> Floats:
        """(n, 3): A + Ω × p of elements at points p (n, 3) of their surfaces, now [m/s]."""
        now = self.now[elements]
        found: Floats = now["velocity"] + np.cross(now["angular_velocity"], points)
        return found

    def attach(self, boundary: int, number: int, centre: Floats, rotation: Floats) -> None:
        """Let a boundary belong to the body of a number, whose centre and axes are given as they are at the start."""
        for e in np.flatnonzero(self.boundary == boundary):
            self.owner[e] = number
            self.own[e] = self.home[e]
            self.own["point"][e] = (self.home["point"][e] - centre) @ rotation
            self.own["direction"][e] = self.home["direction"][e] @ rotation
            self.span[e] = math.inf
            if np.all(np.isfinite([self.lower[e], self.upper[e]])):
                corners = np.array(np.meshgrid(*zip(self.lower[e], self.upper[e], strict=True))).reshape(3, -1).T
                self.span[e] = float(np.linalg.norm(corners - centre, axis=1).max())

    def follow(self, t: float, numbers: Ints, pose: Floats) -> None:
        """Put all elements that move where they are at time t, those of bodies where these are."""
        move_elements(self.home, self.motion, t, self.now)
        if self.attached:
            order = np.argsort(numbers, kind="stable")
            at = np.searchsorted(numbers[order], self.owner)
            self.row[:] = np.where(self.owner >= 0, order[np.minimum(at, len(order) - 1)], -1)
            carry_elements(self.own, self.row, pose, self.now)
        bound(self.now, self.lower, self.upper)


def compile_boundaries(scene: Scene, dimension: int, materials: Sequence[str]) -> Elements:
    """The elements of all boundaries of a scene, placed at time 0; raises with everything that does not fit."""
    build = _Build(dimension, materials)
    for number, (name, boundary) in enumerate(scene.boundary.items()):
        build.add(number, name, boundary)
        if boundary.body is not None and (wrong := _no_carrier(scene, boundary.body)):
            build.problems.append(Problem(f"boundary.{name}.body", *wrong))
    if build.problems:
        raise SceneError(build.problems)
    return build.elements(tuple(scene.boundary))


def _no_carrier(scene: Scene, name: str) -> tuple[str, str] | None:
    """Why a boundary cannot belong to a body, and what would help."""
    body = scene.body.get(name)
    if body is None:
        return f'there is no body "{name}".', did_you_mean(name, scene.body, "body", "The scene has no [body.NAME].")
    if not isinstance(body, Rigid):
        return f'"{name}" is a {body.kind}, which has no orientation that a boundary could follow.', (
            "Give a rigid body, or remove body if the boundary is at rest.")
    return None


def _unit(vector: Floats) -> Floats:
    scaled = vector / np.abs(vector).max()
    unit: Floats = scaled / np.linalg.norm(scaled)
    return unit


def _across(axis: Floats) -> Floats:
    """A unit vector at right angles to another one."""
    return _unit(np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))]))


class _Build:
    """Rows of elements while they are made, and what was wrong."""

    def __init__(self, dimension: int, materials: Sequence[str]) -> None:
        self.dimension, self.materials = dimension, list(materials)
        self.problems: list[Problem] = []
        self.home: list[Record] = []
        self.motion: list[Record] = []
        self.boundary: list[int] = []
        self.functions: list[Compiled] = []

    def add(self, number: int, name: str, boundary: Boundary) -> None:
        """All elements of one boundary."""
        self.name, before = f"boundary.{name}", len(self.home)
        with self.at(""):
            self.shape(boundary)
        motion, material = np.zeros((), MOTION), -1
        with self.at(".material"):
            material = self.number_of(boundary.material)
        with self.at(".motion"):
            motion = self.compiled_motion(boundary.motion)
        for home in self.home[before:]:
            home["material"] = material
            self.boundary.append(number)
            self.motion.append(_own_motion(home, motion))

    @contextmanager
    def at(self, key: str) -> Iterator[None]:
        """Collect what is wrong at a place, and go on."""
        try:
            yield
        except _WrongError as error:
            self.problems.append(Problem(self.name + (f".{error.key}" if error.key else key), error.finding,
                                         error.remedy))

    def elements(self, names: tuple[str, ...]) -> Elements:
        """What was collected, in arrays."""
        count = len(self.home)
        home, motion = np.zeros(count, ELEMENT), np.zeros(count, MOTION)
        for e in range(count):
            home[e], motion[e] = self.home[e], self.motion[e]
        now, lower, upper = home.copy(), np.empty((count, 3)), np.empty((count, 3))
        bound(home, lower, upper)
        reach = np.array([_reach(*row) for row in zip(motion, lower, upper, strict=True)])
        move_elements(home, motion, 0.0, now)
        bound(now, lower, upper)
        return Elements(
            now, home, motion, np.array(self.boundary, dtype=np.int64), lower, upper, reach, np.full(count, -1),
            np.full(count, -1), np.zeros(count, ELEMENT), np.zeros(count), names, tuple(self.functions))

    # ---- checks

    def components(self, vector: Sequence[float], key: str) -> Floats:
        """A vector of the scene, which has as many components as the scene has dimensions."""
        if len(vector) != self.dimension:
            raise _WrongError(key, f"found {list(vector)} with {len(vector)} components, but this scene is "
                         f"{_DIMENSIONS[self.dimension]}.", f"Give {self.dimension} components.")
        return three(vector)

    def only(self, dimension: int, what: str, instead: str) -> None:
        """Refuse a kind of boundary that the plane or space does not have."""
        if self.dimension != dimension:
            raise _WrongError("kind", f"{what} is {_DIMENSIONS[dimension]}, but this scene is "
                              f"{_DIMENSIONS[self.dimension]}.", instead)

    def number_of(self, material: str | None) -> int:
        """Number of a material, -1 for none."""
        if material is None:
            return -1
        if material not in self.materials:
            raise _WrongError("", f'there is no material "{material}".',
                              did_you_mean(material, self.materials, "material"))
        return self.materials.index(material)

    # ---- shapes

    def row(
        self, kind: int, points: Sequence[Floats], directions: Sequence[Floats] = (), lengths: Sequence[float] = (),
        formula: int = 0,
    ) -> None:
        """Add an element."""
        assert (len(points), len(directions)) == (POINTS[kind], DIRECTIONS[kind])
        home = np.zeros((), ELEMENT)
        home["kind"], home["formula"] = kind, formula
        home["nearest"] = nearest.address if formula else 0
        for field_, values in (("point", points), ("direction", directions), ("length", lengths)):
            home[field_][: len(values)] = np.reshape(values, (len(values), *home[field_].shape[1:]))
        self.home.append(home)

    def shape(self, boundary: Boundary) -> None:
        """The elements of a boundary, by its kind."""
        SHAPES[type(boundary)](self, boundary)

    def half_space(self, plane: Plane) -> None:
        """A plane without end."""
        self.plane(self.components(plane.position, "position"), self.components(plane.normal, "normal"))

    def disk(self, disk: FixedDisk) -> None:
        """A disk, or a round hole."""
        self.only(2, "a disk", 'In 3-D use kind = "sphere".')
        self.row(BALL, [self.components(disk.centre, "centre")], (), [disk.radius])

    def sphere(self, sphere: FixedSphere) -> None:
        """A ball, or a round hole."""
        self.only(3, "a sphere", 'In 2-D use kind = "disk".')
        self.row(BALL, [self.components(sphere.centre, "centre")], (), [sphere.radius])

    def plane(self, point: Floats, normal: Floats) -> None:
        """A plane that grains are in front of."""
        self.row(PLANE, [point], [_unit(normal)])

    def box(self, box: Box) -> None:
        """A plane for each side that is not open."""
        lower, upper = self.components(box.lower, "lower"), self.components(box.upper, "upper")
        for i in range(self.dimension):
            if lower[i] >= upper[i]:
                raise _WrongError("lower", f"found lower {list(box.lower)} and upper {list(box.upper)}, but lower must "
                                  "be below upper in every component.")
        if self.dimension == 2 and any("z" in side for side in box.open):
            raise _WrongError("open", f"found {list(box.open)}, but a box in 2-D has no sides along z.",
                              "Its sides are -x, +x, -y, +y.")
        for i, axis in enumerate("xyz"[:self.dimension]):
            for side, corner, sign in (("-", lower, 1.0), ("+", upper, -1.0)):
                if side + axis not in box.open:
                    self.plane(corner, sign * np.eye(3)[i])

    def wall(self, wall: Wall) -> None:
        """A straight or round piece of wall in the plane, a flat one in space."""
        points = [self.components(point, f"positions.{k}") for k, point in enumerate(wall.positions)]
        if self.dimension == 3:
            if wall.radius is not None:
                raise _WrongError("radius", "found a radius, but a wall in 3-D is flat.",
                                  "Remove it, or use a cylinder or sphere.")
            self.facet(points)
            return
        if len(points) != 2:
            raise _WrongError("positions", f"found {len(points)} points, but a wall in 2-D has two.",
                              "Give one wall for each segment.")
        if wall.radius is None:
            self.segment(points[0], points[1])
        else:
            self.arc(points[0], points[1], wall.radius)

    def segment(self, a: Floats, b: Floats) -> None:
        """A straight wall from a to b."""
        length = math.dist(a, b)
        if length == 0.0:
            raise _WrongError("positions", f"both points are {a[:2].tolist()}, but a wall needs two different points.")
        along = _unit(b - a)
        self.row(SEGMENT, [a, b], [along, np.array([-along[1], along[0], 0.0])], [length])

    def arc(self, a: Floats, b: Floats, radius: float) -> None:
        """The arc from a to b of at most a half circle that bulges to the left for positive radius."""
        half, size = 0.5 * math.dist(a, b), abs(radius)
        if half == 0.0:
            raise _WrongError("positions", f"both points are {a[:2].tolist()}, but an arc needs two different points.",
                              'For a full circle use kind = "disk".')
        if size < half * (1.0 - _ROUND_OFF):
            raise _WrongError("radius", f"found {radius:g} m, but no arc between points {2.0 * half:g} m apart has a "
                              "radius smaller than half of that.", f"Give at least {half:g} m.")
        along = _unit(b - a)
        middle = math.copysign(1.0, radius) * np.array([-along[1], along[0], 0.0])
        depth = math.sqrt(max(0.0, (size - half) * (size + half)))
        self.row(ARC, [0.5 * (a + b) - depth * middle, a, b], [middle], [size, depth / size])

    def facet(self, points: list[Floats]) -> None:
        """A triangle or a flat quadrilateral."""
        if len(points) == 2:
            raise _WrongError("positions", "found 2 points, but a wall in 3-D has three or four corners.")
        size = max(math.dist(a, b) for a in points for b in points)
        following = points[1:] + points[:1]
        edges = [q - p for p, q in zip(points, following, strict=True)]
        areas = [np.cross(edge, after) for edge, after in zip(edges, edges[1:] + edges[:1], strict=True)]
        normal = max(areas, key=lambda area: float(area @ area))
        if np.linalg.norm(normal) <= _FLAT * size**2:
            raise _WrongError("positions", f"the corners {[p.tolist() for p in points]} lie on a line.",
                              "Give corners that span an area.")
        normal = _unit(normal)
        off = max(abs(float((p - q) @ normal)) for p in points for q in points)
        if off > _FLAT * size:
            raise _WrongError("positions", f"the four corners are not coplanar: one is {off:g} m out of plane.",
                              "Give two triangles.")
        for corner, area in zip(following, areas, strict=True):
            if area @ normal <= _FLAT * size**2:
                raise _WrongError("positions", f"the quadrilateral has a corner at {corner.tolist()} that is straight "
                                  "or points inward, or its edges cross.",
                                  "Give the corners in order around it, or two triangles.")
        self.row(FACET, (points + points[-1:])[:4], [normal], [float(len(points))])

    def ring(self, base: Floats, axis: Floats, begin: tuple[float, float], end: tuple[float, float]) -> None:
        """The surface that a profile from (ρ, h) = begin to end makes about an axis."""
        length = math.dist(begin, end)
        t_rho, t_h = (end[0] - begin[0]) / length, (end[1] - begin[1]) / length
        self.row(RING, [base], [axis, _across(axis)], [*begin, t_rho, t_h, length])

    def cylinder(self, cylinder: Cylinder) -> None:
        """A drum, a rod or an open tube."""
        self.only(3, "a cylinder", "In 2-D use a disk (cross-section) or walls (longitudinal section).")
        a, b = (self.components(end, f"ends.{k}") for k, end in enumerate(cylinder.ends))
        length, R = math.dist(a, b), abs(cylinder.radius)
        if length == 0.0:
            raise _WrongError("ends", f"both ends are {a.tolist()}, but a cylinder needs two different ends.")
        axis = _unit(b - a)
        if cylinder.closed == (True, True):
            if cylinder.radius < 0.0:
                self.row(TUBE, [a], [axis, _across(axis)], [-R])
                self.plane(a, axis)
                self.plane(b, -axis)
            else:
                self.row(ROD, [0.5 * (a + b)], [axis, _across(axis)], [R, 0.5 * length])
            return
        self.ring(a, axis, (R, 0.0), (R, length))
        for closed, h in zip(cylinder.closed, (0.0, length), strict=True):
            if closed:
                self.ring(a, axis, (0.0, h), (R, h))

    def hopper(self, hopper: Hopper) -> None:
        """Funnel and upright part: the same profile, on both sides in the plane, rotated about the axis in 3-D."""
        outlet = self.components(hopper.position, "position")
        for begin, end in pairwise(hopper.profile):
            if self.dimension == 3:
                self.ring(outlet, np.array([0.0, 0.0, 1.0]), begin, end)
            else:
                for side in (-1.0, 1.0):
                    self.segment(*(outlet + np.array([side * across, up, 0.0]) for across, up in (begin, end)))

    def surface(self, boundary: ImplicitSurface) -> None:
        """Γ with first and second derivatives, as machine code."""
        names = "XYZ"[:self.dimension]
        try:
            formula = parse_equation(boundary.equation, list(names))
            if not free_symbols([formula]):
                raise GranumError(f"depends on none of {', '.join(names)}, so it is not a surface.")
            symbols = [symbol(name) for name in "XYZ"]
            first = gradient(formula, symbols)
            second = [gradient(slope, symbols) for slope in first]
            function = Compiled("XYZ", (), [formula, *first, *(second[i][j] for i in range(3) for j in range(i, 3))])
        except GranumError as error:
            raise _WrongError("equation", str(error)) from None
        self.functions.append(function)
        self.row(SURFACE, [np.zeros(3)], list(np.eye(3)), (), function.address)

    # ---- motion

    def compiled_motion(self, motion: Motion | None) -> Record:
        """The record of a motion, as if it rotated everything."""
        row = np.zeros((), MOTION)
        row["end"] = math.inf
        if motion is None:
            return row
        row["begin"], row["kind"] = motion.start_time, SLIDES
        if motion.until is not None:
            row["end"] = motion.until
        for key in ("velocity", "amplitude", "centre"):
            if (vector := getattr(motion, key)) is not None:
                row[key] = self.components(vector, f"motion.{key}")
        row["frequency"], row["phase"] = 2.0 * math.pi * motion.frequency, motion.phase
        if motion.angular_velocity is not None:
            if self.dimension == 2 and any(motion.angular_velocity[:2]):
                raise _WrongError("motion.angular_velocity", f"found {list(motion.angular_velocity)}, but in 2-D a "
                                                             "boundary rotates about z only.", "Give one number.")
            row["angular_velocity"] = motion.angular_velocity
        if np.any(row["angular_velocity"]):
            row["kind"] = TURNS
        elif not (np.any(row["velocity"]) or np.any(row["amplitude"])):
            row["kind"] = REST
        return row


SHAPES: dict[type[Boundary], Callable[[Any, Any], None]] = {
    Plane: _Build.half_space, Box: _Build.box, Wall: _Build.wall, FixedDisk: _Build.disk, FixedSphere: _Build.sphere,
    Cylinder: _Build.cylinder, Hopper: _Build.hopper, ImplicitSurface: _Build.surface}
"""What adds the elements of a boundary, by the class of its entry."""


def register(entry: type[Boundary], shape: Callable[[Any, Any], None]) -> None:
    """Say how a new kind of boundary is made of elements: planes, segments, arcs, facets and others.

    Args:
        entry: the class of the schema entry.
        shape: takes the builder, whose methods add elements, and an entry of the scene.
    """
    SHAPES[entry] = shape



class _WrongError(GranumError):
    """Something wrong at a key of a boundary."""

    def __init__(self, key: str, finding: str, remedy: str = "") -> None:
        self.key, self.finding, self.remedy = key, finding, remedy
        super().__init__(key, finding, remedy)


def _own_motion(home: Record, motion: Record) -> Record:
    """The motion of one element; one that the rotation maps to itself stays as it is, to the last bit."""
    own = motion.copy()
    if motion["kind"] != TURNS:
        return own
    kind, first, axis = home["kind"], home["point"][0], home["direction"][0]
    rotation_axis = _unit(motion["angular_velocity"])
    scale = np.abs(first).max() + np.abs(motion["centre"]).max()
    centred = np.linalg.norm(np.cross(rotation_axis, first - motion["centre"])) <= _ROUND_OFF * scale
    parallel = np.linalg.norm(np.cross(rotation_axis, axis)) <= _ROUND_OFF
    if (kind == PLANE and parallel) or (kind == BALL and centred) or (
            kind in (TUBE, RING, ROD) and centred and parallel):
        own["kind"] = SLIDES
    return own


def _reach(motion: Record, lower: Floats, upper: Floats) -> float:
    """Largest distance of a corner of a box from the axis of rotation."""
    if not np.all(np.isfinite([lower, upper])):
        return math.inf
    corners = np.array(np.meshgrid(*zip(lower, upper, strict=True))).reshape(3, -1).T - motion["centre"]
    if not np.any(motion["angular_velocity"]):
        return float(np.linalg.norm(corners, axis=1).max())
    return float(np.linalg.norm(np.cross(corners, _unit(motion["angular_velocity"])), axis=1).max())
