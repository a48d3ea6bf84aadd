"""Boundaries as elements: which there are, closed forms, motions, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from granum.base.errors import GranumError, SceneError
from granum.grains.geometry.boundaries import Elements, compile_boundaries
from granum.grains.geometry.elements import ARC, BALL, FACET, PLANE, RING, ROD, SEGMENT, SURFACE, TUBE
from granum.grains.geometry.motion import move_elements, moved_distance
from granum.grains.geometry.regions import geometry_of
from granum.model.regions import BoxRegion, CylinderRegion, HalfSpace, RoundRegion
from granum.model.scene import Scene
from messages import refused, says
from surfaces import contact, nearest


def compiled(dimension: int, materials: tuple[str, ...] = (), **boundary: dict[str, object]) -> Elements:
    return compile_boundaries(Scene(boundary=boundary), dimension, materials)


def point(*components: float) -> np.ndarray:
    return np.array([*components, 0.0, 0.0])[:3]


def test_each_boundary_becomes_its_elements():
    space = compiled(
        3, ("glass", "steel"),
        box={"kind": "box", "lower": [0, 0, 0], "upper": [1, 1, 1], "open": ["+z"], "material": "steel"},
        ball={"kind": "sphere", "centre": [0, 0, 0], "radius": 1, "material": "glass"},
        wall={"kind": "wall", "positions": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]},
        drum={"kind": "cylinder", "ends": [[0, 0, 0], [1, 0, 0]], "radius": -1, "closed": [True, True]},
        rod={"kind": "cylinder", "ends": [[0, 0, 0], [1, 0, 0]], "radius": 1, "closed": [True, True]},
        cup={"kind": "cylinder", "ends": [[0, 0, 0], [1, 0, 0]], "radius": -1, "closed": [True, False]},
        silo={"kind": "hopper", "position": [0, 0, 0], "opening": 0.1, "width": 1.0, "height": 2.0},
        hill={"kind": "implicit-surface", "equation": "Z - X*Y"})
    assert space.now["kind"].tolist() == [PLANE] * 5 + [BALL, FACET, TUBE, PLANE, PLANE, ROD] + [RING] * 4 + [SURFACE]
    assert space.boundary.tolist() == [0] * 5 + [1, 2, 3, 3, 3, 4, 5, 5, 6, 6, 7]
    assert space.material.tolist() == [1] * 5 + [0] + [-1] * 10
    assert space.names[7] == "hill" and space.now["formula"][-1] != 0 and not np.any(
        space.now["formula"][:-1])
    assert not space.moving
    plane = compiled(
        2, box={"kind": "box", "lower": [0, 0], "upper": [1, 1]}, hole={"kind": "disk", "centre": [0, 0], "radius": -1},
        funnel={"kind": "hopper", "position": [0, 0], "opening": 0.1, "width": 1.0, "funnel_height": 0.5,
                "height": 2.0},
        arc={"kind": "wall", "positions": [[0, 0], [1, 0]], "radius": 1})
    assert plane.now["kind"].tolist() == [PLANE] * 4 + [BALL] + [SEGMENT] * 4 + [ARC]
    assert compiled(2).count == 0


def test_a_box_is_solid_outside():
    box = compiled(2, box={"kind": "box", "lower": [0, 0], "upper": [2, 3]})
    assert [contact(box, e, point(0.5, 1.0))[0] for e in range(4)] == [0.5, 1.5, 1.0, 2.0]
    d, n = nearest(box, point(-0.1, 1.0))
    assert (d, n.tolist()) == (-0.1, [1.0, 0.0, 0.0])
    assert box.upper[0].tolist() == [0.0, math.inf, math.inf] and box.lower[0, 0] == -math.inf
    assert box.lower[1].tolist() == [2.0, -math.inf, -math.inf]


def test_the_sign_of_a_radius_says_where_grains_are():
    """Obstacle and hole; in the middle all directions are right, and one of them is given."""
    disks = compiled(2, obstacle={"kind": "disk", "centre": [1, 0], "radius": 0.5},
                     hole={"kind": "disk", "centre": [1, 0], "radius": -0.5})
    for e, sign in ((0, 1.0), (1, -1.0)):
        d, n, _ = contact(disks, e, point(1.0, 0.75))
        assert_allclose([d, *n], [sign * 0.25, 0.0, sign, 0.0])
        d, n, _ = contact(disks, e, point(1.0, 0.0))
        assert (d, np.linalg.norm(n)) == (-sign * 0.5, 1.0)
    assert disks.upper[0].tolist() == [1.5, 0.5, 0.5] and disks.upper[1, 0] == math.inf


@pytest.mark.parametrize("radius, top", [(5.0, 1.0), (-5.0, -1.0)])
def test_an_arc_bulges_to_the_left_for_positive_radius(radius: float, top: float):
    """Points 6 m apart on a circle of 5 m: the arc is 1 m high."""
    arc = compiled(2, it={"kind": "wall", "positions": [[-3, 0], [3, 0]], "radius": radius})
    for y, side in ((2.0, 1.0), (0.5, -1.0)):  # solid from both sides
        d, n, _ = contact(arc, 0, point(0.0, top * y))
        # lengths up to 5 m are rounded to 9e-16 m, in this and the next tests: ten roundings
        assert_allclose([d, *n], [abs(y - 1.0), 0.0, side * top, 0.0], atol=1e-14)
    d, n, _ = contact(arc, 0, point(7.0, -3.0 * top))  # round ends: 4 beside and 3 below
    assert_allclose([d, *n], [5.0, 0.8, -0.6 * top, 0.0], atol=1e-14)
    d, n, _ = contact(arc, 0, point(0.0, -4.0 * top))  # the centre
    assert_allclose(d, 5.0)
    assert_allclose(point(0.0, -4.0 * top) - d * n, [0.0, top, 0.0], atol=1e-14)
    assert_allclose([arc.lower[0], arc.upper[0]], [[-3.0, min(top, 0.0), 0.0], [3.0, max(top, 0.0), 0.0]], atol=1e-14)


def test_walls_have_round_edges_and_two_sides():
    wall = compiled(2, it={"kind": "wall", "positions": [[0, 0], [2, 0]]})
    assert contact(wall, 0, point(1.0, -0.3))[0] == 0.3
    assert contact(wall, 0, point(1.0, -0.3))[1].tolist() == [0.0, -1.0, 0.0]
    assert_allclose(contact(wall, 0, point(5.0, 4.0))[0], 5.0)
    assert_allclose(contact(wall, 0, point(5.0, 4.0))[1], [0.6, 0.8, 0.0])
    for x in (0.0, 1.0, 2.0):  # on the wall one of both normals is given
        d, n, _ = contact(wall, 0, point(x, 0.0))
        assert (d, abs(n[1])) == (0.0, 1.0)


def test_a_rod_is_solid_and_a_tube_is_not():
    cylinder = {"kind": "cylinder", "ends": [[0, 0, 0], [0, 0, 2]], "radius": 1.0}
    rod, tube = compiled(3, it={**cylinder, "closed": [True, True]}), compiled(3, it=cylinder)
    assert_allclose(contact(rod, 0, point(0.0, 0.9, 1.0))[0], -0.1)
    assert_allclose(contact(tube, 0, point(0.0, 0.9, 1.0))[0], 0.1)
    assert_allclose(contact(tube, 0, point(0.0, 0.9, 1.0))[1], [0.0, -1.0, 0.0])
    assert_allclose(contact(rod, 0, point(0.0, 0.0, 2.5))[0], 0.5)
    assert_allclose(contact(rod, 0, point(0.0, 0.0, 2.5))[1], [0.0, 0.0, 1.0])
    assert_allclose(contact(rod, 0, point(0.0, 4.0, 6.0))[0], 5.0)
    assert_allclose(contact(tube, 0, point(0.0, 0.0, 2.0))[0], 1.0)
    assert_allclose([rod.lower[0], rod.upper[0]], [[-1.0, -1.0, 0.0], [1.0, 1.0, 2.0]], atol=1e-14)


def test_where_a_formula_has_no_value_there_is_no_surface():
    surface = compiled(2, it={"kind": "implicit-surface", "equation": "Y - sqrt(X)"})
    d, n, velocity = contact(surface, 0, point(-1.0, 0.5))
    assert (d, n.tolist(), velocity.tolist()) == (math.inf, [1.0, 0.0, 0.0], [0.0, 0.0, 0.0])
    d, _, _ = contact(surface, 0, point(1.0, 3.0))
    # the distance to (s², s) is least where 2 s³ - s - 3 = 0
    s = float(np.roots([2.0, 0.0, -1.0, -3.0]).real.max())
    assert_allclose(d, math.hypot(1.0 - s * s, 3.0 - s), rtol=1e-12)


@pytest.mark.parametrize("x", [0.0, 1e-9, 1e-3, 1.0])
def test_a_point_where_the_gradient_vanishes_is_far_from_the_surface_too(x: float):
    hole = compiled(2, it={"kind": "implicit-surface", "equation": "1 - X^2 - Y^2"})
    d, n, _ = contact(hole, 0, point(x, 0.0))
    assert_allclose(d, 1.0 - x, atol=1e-14)
    assert_allclose(np.linalg.norm(n), 1.0)


def test_a_ring_far_away_is_not_felt_in_the_middle():
    """On the axis of a torus Γ has a valley, but no zero: nothing nearer than the torus is found."""
    ring = compiled(3, it={"kind": "implicit-surface", "equation": "(X^2 + Y^2 + Z^2 + 0.91)^2 - 4*(X^2 + Y^2)"})
    for x in (0.0, 0.04, 0.1):
        for z in (0.0, 0.3, 0.94, 4.0):
            true = math.hypot(1.0 - math.hypot(x, 0.01), z) - 0.3
            assert contact(ring, 0, point(x, 0.01, z))[0] > true - 1e-12
    assert_allclose(contact(ring, 0, point(1.0, 0.0, 0.4))[0], 0.1, rtol=1e-12)


@pytest.mark.parametrize("x, y", [(0.1, 4.0), (5.0, 0.3), (3.0, -3.0), (-1.8, 0.2), (0.3, 0.7), (-1.2, -0.5)])
def test_feet_on_an_ellipse_far_outside_and_near_its_evolute(x: float, y: float):
    """The foot (4 x/(4 + s), y/(1 + s)) of a point on X²/4 + Y² = 1, s the largest root of a quartic."""
    surface = compiled(2, it={"kind": "implicit-surface", "equation": "X^2/4 + Y^2 - 1"})
    quartic = np.polysub(np.polymul([1.0, 8.0, 16.0], [1.0, 2.0, 1.0]),
                         np.polyadd(4.0 * x**2 * np.array([1.0, 2.0, 1.0]), y**2 * np.array([1.0, 8.0, 16.0])))
    roots = np.roots(quartic)
    s = float(roots[np.abs(roots.imag) < 1e-9].real.max())
    foot = np.array([4.0 * x / (4.0 + s), y / (1.0 + s), 0.0])
    d, n, _ = contact(surface, 0, point(x, y))
    assert_allclose(point(x, y) - d * n, foot, rtol=0, atol=1e-12)
    assert math.copysign(1.0, d) == math.copysign(1.0, x**2 / 4.0 + y**2 - 1.0)


# ---- motion


def test_a_drum_turns_into_itself_to_the_last_bit():
    axis = np.array([0.3, -0.2, 0.9])
    drum = compiled(
        3, drum={"kind": "cylinder", "ends": [[0.1, 0.2, 0.3], (np.array([0.1, 0.2, 0.3]) + axis).tolist()],
                 "radius": -2.0, "closed": [True, True],
                 "motion": {"angular_velocity": (3.0 * axis).tolist(), "centre": [0.1, 0.2, 0.3]}})
    move_elements(drum.home, drum.motion, 12.345, drum.now)
    for name in ("point", "direction", "length"):
        assert np.array_equal(drum.now[name], drum.home[name])
    assert drum.moving
    # the wall's velocity is Ω R around the axis
    _, n, velocity = contact(drum, 0, point(0.2, 0.1, 0.5))
    assert_allclose(np.linalg.norm(velocity), 2.0 * np.linalg.norm(3.0 * axis), rtol=1e-13)
    assert_allclose(velocity @ n, 0.0, atol=1e-13)
    assert_allclose(velocity @ axis, 0.0, atol=1e-13)
    out = np.empty(drum.count)
    assert moved_distance(drum.motion, drum.reach, 10.0, 0.0, 1.0, out) == 0.0


def test_a_piston_begins_and_ends():
    piston = compiled(2, it={"kind": "plane", "position": [0, 0], "normal": [0, 2],
                             "motion": {"velocity": [0.0, 0.5], "start_time": 1.0, "until": 3.0}})
    for t, y, v in ((0.0, 0.0, 0.0), (1.0, 0.0, 0.5), (2.0, 0.5, 0.5), (3.0, 1.0, 0.0), (9.0, 1.0, 0.0)):
        move_elements(piston.home, piston.motion, t, piston.now)
        d, _, velocity = contact(piston, 0, point(0.0, 4.0))
        assert_allclose([d, velocity[1]], [4.0 - y, v], atol=1e-14)
    out = np.empty(1)
    assert_allclose(moved_distance(piston.motion, piston.reach, 1.0, 0.0, 2.0, out), 0.5)


def test_a_shaken_floor_begins_where_its_phase_says():
    floor = compiled(2, it={"kind": "plane", "position": [0, 0], "normal": [0, 1],
                            "motion": {"amplitude": [0.0, 0.1], "frequency": 2.0, "phase": math.pi / 6.0}})
    d, _, velocity = contact(floor, 0, point(0.0, 1.0))
    assert_allclose([d, velocity[1]], [0.95, 0.1 * 4.0 * math.pi * math.cos(math.pi / 6.0)])


def test_a_turning_wall_reaches_as_far_as_its_far_end():
    paddle = compiled(2, it={"kind": "wall", "positions": [[1, 0], [3, 0]],
                             "motion": {"angular_velocity": 2.0, "centre": [0, 0]}})
    assert_allclose(paddle.reach, 3.0)
    move_elements(paddle.home, paddle.motion, math.pi / 4.0, paddle.now)
    d, n, velocity = contact(paddle, 0, point(0.1, 2.0))
    assert_allclose([d, *n], [0.1, 1.0, 0.0, 0.0], atol=1e-14)
    assert_allclose(velocity, [-4.0, 0.0, 0.0], atol=1e-14)


# ---- what is refused

WALL = {"kind": "wall", "positions": [[0, 0], [2, 0]]}
REFUSED = [
    (3, {"kind": "plane", "position": [0, 0], "normal": [0, 1, 0]},
     ("boundary.it.position", "[0.0, 0.0]", "2 components", "3-D", "3 components")),
    (2, {"kind": "plane", "position": [0, 0], "normal": [0, 1, 0]}, ("boundary.it.normal", "[0.0, 1.0, 0.0]", "3")),
    (3, {"kind": "disk", "centre": [0, 0, 0], "radius": 1}, ("boundary.it.kind", "disk", "2-D")),
    (2, {"kind": "sphere", "centre": [0, 0], "radius": 1}, ("2-D", 'kind = "disk"')),
    (2, {"kind": "cylinder", "ends": [[0, 0], [1, 0]], "radius": 1}, ("boundary.it.kind", "cylinder", "3-D")),
    (3, {"kind": "cylinder", "ends": [[0, 0, 1], [0, 0, 1]], "radius": 1}, ("boundary.it.ends", "[0.0, 0.0, 1.0]")),
    (2, {"kind": "wall", "positions": [[0, 0], [1, 0], [1, 1]]}, ("boundary.it.positions", "3 points")),
    (2, {"kind": "wall", "positions": [[1, 0], [1, 0]]}, ("boundary.it.positions", "[1.0, 0.0]")),
    (2, {"kind": "wall", "positions": [[1, 0], [1, 0]], "radius": 1}, ('kind = "disk"',)),
    (2, {**WALL, "radius": 0.9}, ("boundary.it.radius", "0.9 m", "2 m", "1 m")),
    (3, {"kind": "wall", "positions": [[0, 0, 0], [1, 0, 0]]}, ("2 points", "3-D", "three or four")),
    (3, {"kind": "wall", "positions": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}, ("line",)),
    (3, {"kind": "wall", "positions": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "radius": 1}, ("3-D", "flat")),
    (3, {"kind": "wall", "positions": [[0, 0, 0], [1, 0, 0], [1, 1, 0.1], [0, 1, 0]]},
     ("boundary.it.positions", "coplanar", "0.0990148 m")),
    (3, {"kind": "wall", "positions": [[0, 0, 0], [1, 0, 0], [0.2, 0.2, 0], [0, 1, 0]]}, ("[0.2, 0.2, 0.0]",)),
    (3, {"kind": "wall", "positions": [[0, 0, 0], [2, 1, 0], [1, 0, 0], [0, 1, 0]]}, ("cross",)),
    (2, {"kind": "box", "lower": [0, 0], "upper": [1, 1], "open": ["+z"]},
     ("boundary.it.open", "['+z']", "2-D", "-x, +x, -y, +y")),
    (2, {"kind": "box", "lower": [0, 2], "upper": [1, 1]}, ("lower", "upper")),
    (2, {**WALL, "material": "stel"}, ("boundary.it.material", '"stel"', '"steel"')),
    (2, {"kind": "implicit-surface", "equation": "Y - height"}, ("boundary.it.equation", "column 5")),
    (2, {"kind": "implicit-surface", "equation": "Z - X"}, (">>Z<<",)),
    (3, {"kind": "implicit-surface", "equation": "2 + 2"}, ("X, Y, Z",)),
    (2, {**WALL, "motion": {"velocity": [0, 0, 1]}}, ("boundary.it.motion.velocity", "[0.0, 0.0, 1.0]", "3")),
    (2, {**WALL, "motion": {"angular_velocity": [0, 1, 0], "centre": [0, 0]}},
     ("boundary.it.motion.angular_velocity", "[0.0, 1.0, 0.0]", "2-D", "z")),
    (3, {"kind": "hopper", "position": [0, 0], "opening": 1, "width": 2, "height": 1}, ("boundary.it.position",)),
]


@pytest.mark.parametrize("dimension, boundary, names", REFUSED)
def test_refused_with_place_finding_and_remedy(dimension: int, boundary: dict[str, object], names: tuple[str, ...]):
    with refused(SceneError, *names):
        compiled(dimension, ("steel", "glass"), it=boundary)


def test_all_mistakes_are_said_at_once():
    with pytest.raises(SceneError) as error:
        compiled(2, ("steel",), a={"kind": "sphere", "centre": [0, 0], "radius": 1, "material": "wood"},
                 b={"kind": "wall", "positions": [[1, 0], [1, 0]]})
    assert [problem.place for problem in error.value.problems] == [
        "boundary.a.kind", "boundary.a.material", "boundary.b.positions"]


# ---- regions


REGIONS = [
    BoxRegion(lower=[-1, 0], upper=[1, 3]), BoxRegion(lower=[-1, 0, 1], upper=[1, 3, 2]),
    RoundRegion(centre=[0.5, 1], radius=1.5), RoundRegion(centre=[0.5, 1, -1], radius=1.5),
    CylinderRegion(ends=[[0, 0, 0], [1, 2, 2]], radius=0.7),
]


@pytest.mark.parametrize("region", REGIONS, ids=lambda region: f"{region.kind}-{geometry_of(region).dimension}")
def test_volume_of_a_region_is_its_part_of_the_box_around_it(region):
    """By a regular grid, whose error is its step times the border."""
    dimension = geometry_of(region).dimension
    lower, upper = geometry_of(region).extent()
    steps = 100 if dimension == 3 else 1000
    axes = [a + (np.arange(steps) + 0.5) / steps * (b - a) for a, b in zip(lower, upper, strict=True)]
    points = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, dimension)
    share = np.mean(geometry_of(region).inside(points))
    assert_allclose(share * np.prod(upper - lower), geometry_of(region).volume, rtol=0.003)
    # nothing is inside beyond the box, and something is near each of its sides
    wider = lower - 0.5 + np.random.default_rng(1).random((20_000, dimension)) * (upper - lower + 1.0)
    found = wider[geometry_of(region).inside(wider)]
    assert np.all((found >= lower) & (found <= upper))
    inside = points[geometry_of(region).inside(points)]
    assert_allclose(inside.min(axis=0), lower, atol=0.05)
    assert_allclose(inside.max(axis=0), upper, atol=0.05)


def test_a_half_space_has_no_end():
    region = HalfSpace(position=[1, 2], normal=[0, -3])
    grains = np.array([[0.0, 1.9, 0.0, 0.1], [0.0, 2.1, 0.0, 0.1], [5.0, 2.0, 0.0, 0.1]])
    assert geometry_of(region).inside(grains).tolist() == [True, False, True]
    assert geometry_of(region).volume == math.inf
    lower, upper = geometry_of(region).extent()
    assert lower.tolist() == [-math.inf, -math.inf] and upper.tolist() == [math.inf, 2.0]


def test_a_region_of_another_dimension_is_refused():
    assert geometry_of(BoxRegion(lower=[0, 0], upper=[1, 1])).problems(2, "sink.out.region") == []
    texts = [problem.text("scene") for problem in geometry_of(
        BoxRegion(lower=[0, 0], upper=[1, 1])).problems(3, "sink.out.region")]
    says(texts[0], "scene sink.out.region.lower", "[0.0, 0.0]", "2 components", "3-D", "3 components")
    tube = CylinderRegion(ends=[[0, 0, 0], [0, 0, 0]], radius=1)
    says(geometry_of(tube).problems(2, "x")[0].finding, "cylinder", "3-D")
    says(geometry_of(tube).problems(3, "x")[0].finding, "[0.0, 0.0, 0.0]")
    with refused(GranumError, "3-D"):
        _ = geometry_of(tube).volume
