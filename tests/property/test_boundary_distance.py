"""Distances from boundaries, their normals and velocities, against search over points of surfaces and differences."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from granum.base.kernels import Floats
from granum.grains.geometry.boundaries import Elements, compile_boundaries
from granum.grains.geometry.motion import bound, move_elements, moved_distance
from granum.model.scene import Scene
from surfaces import Patch, contact, distance_to, frame, line, nearest, revolved, triangle, within

SEARCHED = 1e-7
"""Where the search ends between two points its distance is too large by the square of its last grid's width, which is
far below; near a kink of the surface it may stop earlier."""
DIFFERENCES = 1e-6
seeds = st.integers(0, 10**6)


def compiled(dimension: int, **boundary: dict[str, object]) -> Elements:
    return compile_boundaries(Scene(boundary=boundary), dimension, [])


def vector(rng: np.random.Generator, dimension: int = 3) -> list[float]:
    return [float(c) for c in rng.uniform(-1.0, 1.0, dimension)]


def wall_in_plane(rng: np.random.Generator) -> tuple[int, dict[str, object], list[Patch]]:
    a, b = vector(rng, 2), vector(rng, 2)
    return 2, {"kind": "wall", "positions": [a, b]}, [line(np.array([*a, 0.0]), np.array([*b, 0.0]))]


def arc(rng: np.random.Generator) -> tuple[int, dict[str, object], list[Patch]]:
    """An arc by centre and angles; from its begin to its end counter-clockwise it bulges to the right."""
    centre, R, first = np.array(vector(rng, 2)), rng.uniform(0.3, 2.0), rng.uniform(0.0, 2.0 * math.pi)
    angle = rng.uniform(0.2, math.pi)
    turns = rng.random() < 0.5

    def points(u: Floats, v: Floats) -> Floats:
        phi = first + within(u) * angle
        return np.column_stack([centre[0] + R * np.cos(phi), centre[1] + R * np.sin(phi), 0.0 * u])

    ends = points(np.array([0.0, 1.0]), np.zeros(2))[:, :2].tolist()
    wall = {"kind": "wall", "positions": ends[::-1] if turns else ends, "radius": R if turns else -R}
    return 2, wall, [points]


def triangle_wall(rng: np.random.Generator) -> tuple[int, dict[str, object], list[Patch]]:
    corners = [vector(rng) for _ in range(3)]
    return 3, {"kind": "wall", "positions": corners}, [triangle(*map(np.array, corners))]


def quadrilateral(rng: np.random.Generator) -> tuple[int, dict[str, object], list[Patch]]:
    """Corners on a circle are convex and in order; made in a random plane."""
    e_1, e_2, _ = frame(rng.normal(size=3))
    angles = np.cumsum(rng.uniform(0.6, 1.5, 4))
    corners = [np.cos(phi) * e_1 + np.sin(phi) * e_2 for phi in angles]
    patches = [triangle(corners[0], corners[1], corners[2]), triangle(corners[0], corners[2], corners[3])]
    return 3, {"kind": "wall", "positions": [c.tolist() for c in corners]}, patches


def open_cylinder(rng: np.random.Generator) -> tuple[int, dict[str, object], list[Patch]]:
    a, b, R = np.array(vector(rng)), np.array(vector(rng)), rng.uniform(0.1, 0.8)
    length = float(np.linalg.norm(b - a))
    closed = bool(rng.random() < 0.5)
    patches = [revolved(a, b - a, (R, 0.0), (R, length))]
    if closed:
        patches.append(revolved(a, b - a, (0.0, 0.0), (R, 0.0)))
    sign = rng.choice([-1.0, 1.0])
    return 3, {"kind": "cylinder", "ends": [a.tolist(), b.tolist()], "radius": float(sign * R),
               "closed": [closed, False]}, patches


def hopper(rng: np.random.Generator) -> tuple[int, dict[str, object], list[Patch]]:
    dimension = int(rng.choice([2, 3]))
    outlet, opening = vector(rng, dimension), rng.uniform(0.05, 0.5)
    width, height = opening + rng.uniform(0.1, 1.0), rng.uniform(0.1, 1.0)
    slope = float(rng.choice([0.0, rng.uniform(0.1, 1.0)]))
    profile = [(opening / 2.0, 0.0), (width / 2.0, slope), (width / 2.0, slope + height)]
    pieces = [(profile[0], profile[1]), (profile[1], profile[2])]
    if dimension == 3:
        patches = [revolved(np.array(outlet), np.array([0.0, 0.0, 1.0]), *piece) for piece in pieces]
    else:
        base = np.array([*outlet, 0.0])
        patches = [line(*(base + np.array([side * rho, h, 0.0]) for rho, h in piece))
                   for piece in pieces for side in (-1.0, 1.0)]
    return dimension, {"kind": "hopper", "position": outlet, "opening": opening, "width": width,
                       "funnel_height": slope,
                       "height": height}, patches


@pytest.mark.parametrize("kind", [wall_in_plane, arc, triangle_wall, quadrilateral, open_cylinder, hopper])
@settings(max_examples=25)
@given(seed=seeds)
def test_thin_boundaries_are_as_far_as_a_search_over_their_points_finds(kind, seed: int) -> None:
    rng = np.random.default_rng(seed)
    dimension, boundary, patches = kind(rng)
    elements = compiled(dimension, it=boundary)
    point = np.zeros(3)
    point[:dimension] = rng.uniform(-1.5, 1.5, dimension)
    d, n = nearest(elements, point)
    assert d >= 0.0
    assert_allclose(d, min(distance_to(patch, point) for patch in patches), rtol=0, atol=SEARCHED)
    # the normal leads from the surface to the point
    assert_allclose(np.linalg.norm(n), 1.0, rtol=1e-14)
    assert min(distance_to(patch, point - d * n) for patch in patches) < SEARCHED
    box_low, box_high = elements.lower.min(axis=0), elements.upper.max(axis=0)
    for patch in patches:
        inside = patch(rng.random(200), rng.random(200))
        assert np.all(inside >= box_low - 1e-12)
        assert np.all(inside <= box_high + 1e-12)


ALL = {
    "plane": (3, {"kind": "plane", "position": [0.1, 0.2, 0.3], "normal": [1.0, -2.0, 0.5]}),
    "line": (2, {"kind": "plane", "position": [0.1, 0.2], "normal": [1.0, -2.0]}),
    "disk": (2, {"kind": "disk", "centre": [0.1, 0.2], "radius": 0.4}),
    "hole": (2, {"kind": "disk", "centre": [0.1, 0.2], "radius": -3.0}),
    "ball": (3, {"kind": "sphere", "centre": [0.1, 0.2, 0.3], "radius": 0.4}),
    "bowl": (3, {"kind": "sphere", "centre": [0.1, 0.2, 0.3], "radius": -3.0}),
    "box": (3, {"kind": "box", "lower": [-1.0, -1.1, -1.2], "upper": [1.3, 1.4, 1.5], "open": ["+z"]}),
    "straight": (2, {"kind": "wall", "positions": [[-0.5, 0.1], [0.4, 0.3]]}),
    "arc": (2, {"kind": "wall", "positions": [[-0.5, 0.1], [0.4, 0.3]], "radius": 0.7}),
    "triangle": (3, {"kind": "wall", "positions": [[-0.5, 0.1, 0.0], [0.4, 0.3, 0.2], [0.0, 0.9, -0.3]]}),
    "square": (3, {"kind": "wall", "positions": [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.5, 0.0]]}),
    "tube": (3, {"kind": "cylinder", "ends": [[0.0, 0.1, 0.2], [0.5, 0.3, 0.1]], "radius": 0.3}),
    "drum": (3, {"kind": "cylinder", "ends": [[0.0, 0.1, 0.2], [0.5, 0.3, 0.1]], "radius": -2.0,
                 "closed": [True, True]}),
    "rod": (3, {"kind": "cylinder", "ends": [[0.0, 0.1, 0.2], [0.5, 0.3, 0.1]], "radius": 0.3, "closed": [True, True]}),
    "funnel": (3, {"kind": "hopper", "position": [0.1, 0.0, -0.5], "opening": 0.2, "width": 0.9,
                   "funnel_height": 0.4,
                   "height": 0.6}),
    "flat silo": (2, {"kind": "hopper", "position": [0.1, -0.5], "opening": 0.2, "width": 0.9, "height": 0.6}),
    "waves": (3, {"kind": "implicit-surface", "equation": "Z - 0.1*sin(2*X)*cos(3*Y) - 0.1*X"}),
    "curve": (2, {"kind": "implicit-surface", "equation": "Y = 0.2*cos(2*X)"}),
}


@pytest.mark.parametrize("name", ALL)
@given(seed=seeds)
def test_the_normal_is_the_gradient_of_the_distance(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    dimension, boundary = ALL[name]
    elements = compiled(dimension, it=boundary)
    e = int(rng.integers(elements.count))
    point = np.zeros(3)
    point[:dimension] = rng.uniform(-0.8, 0.8, dimension)
    d, n, velocity = contact(elements, e, point)
    h = 1e-6
    differences = np.zeros(3)
    for i in range(dimension):
        step = h * np.eye(3)[i]
        differences[i] = (contact(elements, e, point + step)[0] - contact(elements, e, point - step)[0]) / (2.0 * h)
    assert_allclose(np.linalg.norm(n), 1.0, rtol=1e-14)
    # central differences are off by h² times third derivatives of the distance, which grow with the curvature of its
    # level surfaces; across a kink (two feet) they are no gradient at all, and shorter than 1
    if abs(d) > 1e-3 and np.linalg.norm(differences) > 1.0 - 1e-3:
        assert_allclose(n, differences, rtol=0, atol=DIFFERENCES)
    assert np.all(velocity == 0.0)
    # the foot is on the surface
    assert abs(contact(elements, e, point - d * n)[0]) < 1e-12


@pytest.mark.parametrize("equation, radius", [("X**2 + Y**2 + Z**2 - 0.25", 0.5), ("0.25 - X^2 - Y^2 - Z^2", -0.5)])
@given(seed=seeds)
def test_an_implicit_sphere_is_a_sphere(equation: str, radius: float, seed: int) -> None:
    point = np.random.default_rng(seed).uniform(-1.0, 1.0, 3)
    elements = compiled(3, formula={"kind": "implicit-surface", "equation": equation},
                        ball={"kind": "sphere", "centre": [0.0, 0.0, 0.0], "radius": radius})
    d, n, _ = contact(elements, 0, point)
    expected, normal, _ = contact(elements, 1, point)
    assert_allclose(d, expected, rtol=1e-12, atol=1e-15)
    assert_allclose(n, normal, rtol=0, atol=1e-12)


def gamma(x: Floats) -> float:
    """An ellipsoid with a wave on it."""
    return x[0] ** 2 + 2.0 * x[1] ** 2 + 3.0 * x[2] ** 2 + 0.1 * math.sin(3.0 * x[0]) * x[1] - 1.0


@given(seed=seeds)
def test_the_foot_on_an_implicit_surface_is_the_nearest_point(seed: int) -> None:
    rng = np.random.default_rng(seed)
    elements = compiled(3, it={"kind": "implicit-surface", "equation": "X^2 + 2*Y^2 + 3*Z^2 + 0.1*sin(3*X)*Y - 1"})
    # where grains are: within 0.2 of the surface, whose radius of curvature is above that
    direction = rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    low, high = 0.0, 3.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if gamma(middle * direction) < 0.0 else (low, middle)
    point = direction * (low + rng.uniform(-0.15, 0.2))
    d, n, _ = contact(elements, 0, point)
    assert math.copysign(1.0, d) == math.copysign(1.0, gamma(point))
    found = minimize(lambda p: np.sum((p - point) ** 2), low * direction, method="SLSQP",
                     jac=lambda p: 2.0 * (p - point), constraints={"type": "eq", "fun": gamma},
                     options={"ftol": 1e-16, "maxiter": 300})
    # SLSQP ends where the square of the distance changes by 1e-16 or so
    assert_allclose(abs(d), math.sqrt(found.fun), rtol=0, atol=1e-6)
    assert abs(gamma(point - d * n)) < 1e-13


# ---- motion

MOTIONS = {
    "piston": {"velocity": [0.3, -0.2, 0.1], "start_time": 0.2, "until": 0.9},
    "shaken": {"amplitude": [0.01, 0.0, 0.05], "frequency": 3.0, "phase": 0.4},
    "turning": {"angular_velocity": [0.5, 1.0, -2.0], "centre": [0.2, 0.1, -0.3]},
    "all": {"velocity": [0.3, -0.2, 0.1], "amplitude": [0.01, 0.0, 0.05], "frequency": 3.0,
            "angular_velocity": [0.5, 1.0, -2.0], "centre": [0.2, 0.1, -0.3], "start_time": 0.1},
}


def in_dimension(motion: dict[str, object], dimension: int) -> dict[str, object]:
    if dimension == 3:
        return motion
    flat = {key: value[:2] if isinstance(value, list) else value for key, value in motion.items()}
    if "angular_velocity" in motion:
        flat["angular_velocity"] = -1.5
    return flat


def at(elements: Elements, t: float) -> None:
    move_elements(elements.home, elements.motion, t, elements.now)


@pytest.mark.parametrize("name", ALL)
@given(seed=seeds)
def test_a_moving_boundary_is_the_boundary_seen_from_a_moving_frame(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    dimension, boundary = ALL[name]
    motion = in_dimension(MOTIONS[str(rng.choice(list(MOTIONS)))], dimension)
    still, moving = compiled(dimension, it=boundary), compiled(dimension, it={**boundary, "motion": motion})
    e, t = int(rng.integers(still.count)), float(rng.uniform(0.0, 2.0))
    point = np.zeros(3)
    point[:dimension] = rng.uniform(-0.8, 0.8, dimension)
    at(moving, t)
    where = carried(motion, dimension, point, t)
    d, n, velocity = contact(moving, e, where)
    expected, normal, _ = contact(still, e, point)
    assert_allclose(d, expected, rtol=0, atol=1e-13)
    assert_allclose(n, carried(motion, dimension, point + normal, t) - where, rtol=0, atol=1e-11)
    # the velocity of the material point of the surface, by differences of the motion
    foot, h = point - expected * normal, 1e-6
    rate = (carried(motion, dimension, foot, t + h) - carried(motion, dimension, foot, t - h)) / (2.0 * h)
    # third derivatives of the harmonic part are (2π 3)³ 0.05 = 335, times h²/6
    if all(abs(t - float(motion.get(key, -1.0))) > h for key in ("start_time", "until")):
        assert_allclose(velocity, rate, rtol=0, atol=1e-8)


def carried(motion: dict[str, object], dimension: int, point: Floats, t: float) -> Floats:
    """Where a point fixed to a moving boundary is at time t, by SciPy's rotations."""
    def of(key: str) -> Floats:
        value = np.atleast_1d(motion.get(key, [0.0, 0.0, 0.0]))
        if key == "angular_velocity" and len(value) == 1:
            return np.array([0.0, 0.0, value[0]])
        return np.array([*value, 0.0])[:3]

    begin, end = float(motion.get("start_time", 0.0)), float(motion.get("until", math.inf))
    tau = min(max(t, begin), end) - begin
    shift = of("velocity") * tau + of("amplitude") * math.sin(
        2.0 * math.pi * float(motion.get("frequency", 0.0)) * t + float(motion.get("phase", 0.0)))
    return of("centre") + shift + Rotation.from_rotvec(of("angular_velocity") * tau).apply(point - of("centre"))


@pytest.mark.parametrize("name", ALL)
@given(seed=seeds)
def test_no_distance_changes_by_more_than_moved_says(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    dimension, boundary = ALL[name]
    motion = in_dimension(MOTIONS[str(rng.choice(list(MOTIONS)))], dimension)
    elements = compiled(dimension, it={**boundary, "motion": motion})
    t0, t1 = rng.uniform(0.0, 1.5, 2)
    points = np.zeros((20, 3))
    points[:, :dimension] = rng.uniform(-1.0, 1.0, (20, dimension))
    radius = 2.0 * math.sqrt(3.0) + 2.0  # of all these points from the centre of turning, wherever it goes
    bounds = np.empty(elements.count)
    largest = moved_distance(elements.motion, elements.reach, radius, t0, t1, bounds)
    assert largest == bounds.max()
    distances = []
    for t in (t0, t1):
        at(elements, t)
        distances.append([[contact(elements, e, p)[0] for p in points] for e in range(elements.count)])
        lower, upper = np.empty((elements.count, 3)), np.empty((elements.count, 3))
        bound(elements.now, lower, upper)
        assert not np.any(np.isnan(lower)) and np.all(lower <= upper + 1e-15)
    change = np.abs(np.array(distances[1]) - np.array(distances[0])).max(axis=1)
    assert np.all(change <= bounds + 1e-12)
