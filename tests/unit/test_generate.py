"""How grains come into being: sizes, the start of a scene, and what is refused."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq

from grain_scenes import placed_grains
from granum.base.errors import GranumError, SceneError
from granum.base.kernels import Floats
from granum.grains.generation.generate import Names, group_names, largest_coordination
from granum.grains.generation.placement import draw_radii, stream
from granum.model.grains import Sizes
from granum.model.scene import Scene
from messages import refused, says

STEEL = {"density": 7800.0, "friction": 0.3}
BOX = {"kind": "box", "lower": [0.0, 0.0], "upper": [1.0, 1.0]}


def floor_at_zero(points: Floats) -> Floats:
    return points[:, 1]


def sand(**more: object) -> dict[str, object]:
    return {"kind": "grains", "radius": 0.01, "region": BOX, "count": 100, **more}


def make(dimension: int = 2, **sections: object):
    scene = Scene(**{"material": {"steel": STEEL}, **sections})
    return placed_grains(scene, dimension)


def problems(dimension: int = 2, **sections: object) -> dict[str, str]:
    with pytest.raises(SceneError) as caught:
        make(dimension, **sections)
    return {problem.place: problem.finding for problem in caught.value.problems}


def test_uniform_radii_are_uniform():
    radii = draw_radii(Sizes(minimum=1.0, maximum=3.0), 4000, stream(1, "pattern", "a"))
    assert stats.kstest(radii, stats.uniform(1.0, 2.0).cdf).pvalue > 1e-3


def test_normal_radii_are_cut_at_three_deviations_by_drawing_again():
    radii = draw_radii(Sizes(mean=1.0, standard_deviation=0.3), 20_000, stream(1, "pattern", "a"))
    assert stats.kstest(radii, stats.truncnorm(-3.0, 3.0, 1.0, 0.3).cdf).pvalue > 1e-3
    assert np.all(np.abs(radii - 1.0) <= 0.9)


def test_values_come_as_often_as_their_weights_say():
    radii = draw_radii(Sizes(values=(1.0, 2.0, 5.0), weights=(1.0, 3.0, 0.0)), 8000, stream(1, "pattern", "a"))
    assert set(radii) == {1.0, 2.0}
    # three standard deviations of a binomial count, and one more
    assert abs(np.sum(radii == 1.0) - 2000) < 4.0 * math.sqrt(8000 * 0.25 * 0.75)


def test_a_pattern_more_leaves_the_others_as_they_are():
    left = {"kind": "box", "lower": [0.0, 0.0], "upper": [0.5, 1.0]}
    right = {"kind": "box", "lower": [0.5, 0.0], "upper": [1.0, 1.0]}
    alone = make(pattern={"b": sand(region=right)})
    both = make(pattern={"a": sand(region=left), "b": sand(region=right)})
    assert both.x[both.group == 1].tobytes() == alone.x.tobytes()
    assert make(pattern={"b": sand(region=right)}, run={"seed": 1}).x.tobytes() != alone.x.tobytes()


def test_spheres_and_disks_have_the_density_of_their_material():
    """Without mass or density of their own; a hollow one is filled with it between its radii."""
    grains = make(body={"coin": {"kind": "disk", "radius": 0.1}, "ball": {"kind": "sphere", "radius": 0.2},
                        "shell": {"kind": "sphere", "radius": 0.1, "inner_radius": 0.05}},
                  start={name: {"position": [x, 0.0]} for x, name in enumerate(("coin", "ball", "shell"))})
    volumes = [math.pi * 0.01, 4.0 / 3.0 * math.pi * 0.008, 4.0 / 3.0 * math.pi * (0.1**3 - 0.05**3)]
    assert grains.mass == pytest.approx(7800.0 * np.array(volumes), rel=1e-14)
    assert grains.inertia[2] == pytest.approx(0.4 * grains.mass[2] * (0.1**5 - 0.05**5) / (0.1**3 - 0.05**3), rel=1e-14)


def test_bodies_come_first_with_mass_and_start():
    grains = make(body={"coin": {"kind": "disk", "radius": 0.1}, "ball": {"kind": "sphere", "radius": 0.2, "mass": 3.0},
                        "shell": {"kind": "sphere", "radius": 0.1, "inner_radius": 0.05, "mass": 1.0}},
                  pattern={"sand": sand(velocity=[1.0, 2.0], density=1000.0)},
                  start={"coin": {"position": [2.0, 0.0], "velocity": [3.0, 0.0], "angular_velocity": 7.0},
                         "ball": {"position": [3.0, 0.0]}, "shell": {"position": [4.0, 0.0]},
                         "sand-2": {"velocity": [0.0, 9.0]}})
    assert grains.count == 103
    assert np.array_equal(grains.number, np.arange(103))
    assert grains.x[0].tolist() == [2.0, 0.0, 0.0, 0.1]
    assert grains.angular_velocity[0] == pytest.approx([0.0, 0.0, 7.0], rel=1e-15)
    assert grains.mass[0] == pytest.approx(7800.0 * math.pi * 0.01, rel=1e-14)
    assert grains.inertia[0] == pytest.approx(0.5 * grains.mass[0] * 0.01, rel=1e-14)
    assert grains.inertia[1] == pytest.approx(0.4 * 3.0 * 0.04, rel=1e-14)
    assert grains.inertia[2] == pytest.approx(0.4 * (0.1**5 - 0.05**5) / (0.1**3 - 0.05**3), rel=1e-14)
    assert grains.mass[3] == pytest.approx(1000.0 * math.pi * 1e-4, rel=1e-14)
    assert grains.v[3, :3].tolist() == [1.0, 2.0, 0.0] and grains.v[4, :3].tolist() == [0.0, 9.0, 0.0]
    assert grains.v[0, :3].tolist() == [3.0, 0.0, 0.0]
    assert np.all(grains.group[3:] == 3)


def test_spheres_of_the_plane_have_the_mass_of_balls():
    grains = make(pattern={"sand": sand(shape="sphere")})
    assert grains.mass[0] == pytest.approx(7800.0 * 4.0 / 3.0 * math.pi * 1e-6, rel=1e-14)
    assert grains.inertia[0] == pytest.approx(0.4 * grains.mass[0] * 1e-4, rel=1e-14)


def test_groups_and_names():
    scene = Scene(material={"steel": STEEL}, body={"a": {"kind": "disk", "radius": 0.1}},
                  pattern={"p": {"kind": "grains", "radius": 0.1, "positions": [[1.0, 0.0], [2.0, 0.0]]}},
                  source={"s": {"radius": 0.1, "positions": [[5.0, 0.0]], "interval": 1.0}},
                  start={"a": {"position": [0.0, 0.0]}})
    assert group_names(scene) == ["a", "p", "s"]
    grains = placed_grains(scene, 2)
    names = Names(scene, grains)
    assert [names.name(*grains.owner(row)) for row in range(grains.count)] == ["a", "p-1", "p-2"]
    assert [names.number(name) for name in ("a", "p-1", "p-2", "p-3", "b")] == [0, 1, 2, None, None]


def test_scatter_stays_in_its_width():
    at = [[float(k), 0.0] for k in range(200)]
    grains = make(pattern={"p": {"kind": "grains", "radius": 0.1, "positions": at, "scatter": [0.2, 0.05],
                                 "scatter_radius": 0.02}})
    away = grains.x[:, :3] - [[k, 0.0, 0.0] for k in range(200)]
    assert np.all(np.abs(away) <= [0.2, 0.05, 0.0])
    assert stats.kstest(away[:, 0], stats.uniform(-0.2, 0.4).cdf).pvalue > 1e-3
    assert stats.kstest(grains.x[:, 3], stats.uniform(0.08, 0.04).cdf).pvalue > 1e-3


def test_what_is_missing_or_unknown_is_named_all_at_once():
    found = problems(material={"steel": STEEL, "felt": {}}, body={"coin": {"kind": "disk", "radius": 0.1},
                                                                  "mass": {"kind": "point-mass", "mass": 1.0}},
                     pattern={"sand": sand(material="stel"), "dust": sand(material="felt"),
                              "space": sand(material="steel", velocity=[0.0, 0.0, 1.0])})
    assert {"body.coin.material", "start.coin.position", "body.mass.kind", "pattern.sand.material",
            "pattern.dust.density", "pattern.space.velocity"} <= set(found)


def test_dimensions_shapes_and_starts_must_fit():
    found = problems(dimension=3, body={"coin": {"kind": "disk", "radius": 0.1}},
                     start={"coin": {"position": [0.0, 0.0]}},
                     pattern={"sand": sand(), "points": {"kind": "grains", "radius": 0.1, "positions": [[0.0, 0.0]]}})
    assert {"body.coin.kind", "start.coin.position", "pattern.sand.region.lower",
            "pattern.points.positions.0"} <= set(found)
    found = problems(pattern={"sand": sand()}, start={"snad": {"position": [0.0, 0.0]}, "sand-101": {},
                                                      "sand-1": {"position": [0.0, 0.0]}})
    assert set(found) == {"start.snad", "start.sand-101", "start.sand-1.position"}
    assert "pattern.sand.region" in problems(pattern={"sand": sand(region={
        "kind": "half-space", "position": [0.0, 0.0], "normal": [0.0, 1.0]})})
    for key in ("scatter", "scatter_velocity"):
        assert f"pattern.p.{key}" in problems(pattern={"p": {
            "kind": "grains", "radius": 0.1, "positions": [[0.0, 0.0]], key: [0.1, -0.2]}})
    assert "pattern.p.scatter_radius" in problems(pattern={"p": {
        "kind": "grains", "radius": 0.1, "positions": [[0.0, 0.0]], "scatter_radius": 0.1}})
    assert "pattern.p.positions" in problems(pattern={"p": {"kind": "grains", "radius": 0.1, "positions": []}})
    assert "start.coin.angular_velocity" in problems(
        body={"coin": {"kind": "disk", "radius": 0.1}},
        start={"coin": {"position": [0.0, 0.0], "angular_velocity": [1.0, 0.0, 0.0]}})


def test_overlapping_pairs_are_named_worst_first():
    at = [[0.0, 0.0], [1.0, 0.0], [1.15, 0.0], [5.0, 0.0], [5.19, 0.0], [9.0, 0.0], [9.2 - 1e-8, 0.0]]
    with pytest.raises(SceneError) as caught:
        make(pattern={"p": {"kind": "grains", "radius": 0.1, "positions": at}})
    worst, other = (problem.finding for problem in caught.value.problems)  # 1e-7 of a radius is let pass
    says(worst, "p-2 and p-3", "0.05 m", "0.5 of")
    says(other, "p-4 and p-5", "0.01 m")


def test_of_many_overlaps_five_are_shown_and_counted():
    at = [[0.15 * k, 0.0] for k in range(21)]
    with pytest.raises(SceneError) as caught:
        make(pattern={"p": {"kind": "grains", "radius": 0.1, "positions": at}})
    *worst, more = caught.value.problems
    assert len(worst) == 5
    says(more.finding, "15 more pairs")


def test_grains_in_a_boundary_are_named():
    scene = Scene(material={"steel": STEEL}, pattern={"p": {"kind": "grains", "radius": 0.1,
                                                            "positions": [[0.0, 0.1], [1.0, 0.04], [2.0, -1.0]]}})
    with pytest.raises(SceneError) as caught:
        placed_grains(scene, 2, floor_at_zero)
    worst, other = (problem.finding for problem in caught.value.problems)
    says(worst, "p-3", "(2, -1) m")
    says(other, "p-2", "0.06 m")


@pytest.mark.parametrize(("fraction", "figure"), [(0.92, "0.9069"), (0.56, "0.547")])
def test_impossible_densities_are_refused_at_once(fraction, figure):
    radius = 0.01 if fraction > 0.9 else 0.005
    with refused(SceneError, figure):
        make(pattern={"sand": sand(count=None, packing_fraction=fraction + 0.02, radius=radius)})


def test_a_random_filling_that_fails_says_how_far_it_came():
    with refused(SceneError, "random", "dense") as caught:
        make(pattern={"sand": sand(count=None, packing_fraction=0.56, radius=0.05, region={
            "kind": "box", "lower": [0.0, 0.0], "upper": [2.0, 2.0]})})
    assert re.search(r" 0\.5[0-4]\d\d\b", str(caught.value))


def test_a_grain_larger_than_its_region_is_refused():
    with refused(SceneError, "pattern.sand"):
        make(pattern={"sand": sand(radius=0.6, count=1)})


def test_lattice_fills_from_below_and_says_what_fits():
    grains = make(pattern={"sand": sand(radius=0.05, count=25, arrangement="lattice")})
    assert np.all(np.diff(grains.x[:, 1]) >= 0.0)
    assert np.sum(grains.x[:, 1] < 0.06) == 10  # ten diameters fit exactly, in spite of round-off
    # rows of 10 and 9 at a distance of √3/2 diameters: 1 + floor((1 - 0.1)/0.0866) = 11 rows
    with refused(SceneError, "105"):
        make(pattern={"sand": sand(radius=0.05, count=106, arrangement="lattice")})


def test_lattice_in_space_is_close_packed():
    region = {"kind": "box", "lower": [0.0, 0.0, 0.0], "upper": [1.0, 1.0, 1.0]}
    grains = make(3, pattern={"sand": sand(radius=0.02, region=region, count=None, packing_fraction=0.6,
                                           arrangement="lattice")})
    inner = np.all(np.abs(grains.x[:, :3] - [0.5, 0.5, 0.3]) < 0.2, axis=1)
    touching = [np.sum(np.linalg.norm(grains.x[:, :3] - c, axis=1) < 0.04 * 1.0001) - 1 for c in grains.x[inner, :3]]
    assert set(touching) == {12}


def test_lattice_leaves_out_what_is_there():
    grains = make(body={"coin": {"kind": "disk", "radius": 0.2}}, start={"coin": {"position": [0.5, 0.5]}},
                  pattern={"sand": sand(radius=0.05, count=70, arrangement="lattice")})
    assert grains.count == 71


def test_fraction_gives_the_count():
    region = {"kind": "round", "centre": [0.0, 0.0], "radius": 0.5}
    grains = make(pattern={"sand": sand(region=region, radius=[0.005, 0.015], count=None, packing_fraction=0.4)})
    # to within half of the largest grain
    assert abs(np.sum(grains.x[:, 3] ** 2) / 0.25 - 0.4) <= 0.5 * 0.015**2 / 0.25
    assert np.all(np.hypot(grains.x[:, 0], grains.x[:, 1]) + grains.x[:, 3] <= 0.5 * (1.0 + 1e-12))


def test_largest_coordination():
    assert [largest_coordination(1.0, 1.0, d) for d in (2, 3)] == [6, 13]
    # disks: where n small ones just close the ring, r_max/r_min = 1/sin(π/n) - 1
    for n in range(4, 40):
        ratio = 1.0 / math.sin(math.pi / n) - 1.0
        assert largest_coordination(1.0, ratio, 2) == n
        assert largest_coordination(1.0, ratio * (1.0 - 1e-6), 2) == n - 1
    # spheres: around the hole of a tetrahedron, octahedron and icosahedron 4, 6 and 12 touch each other
    for n, ratio in ((4, math.sqrt(1.5) - 1.0), (6, math.sqrt(2.0) - 1.0),
                     (12, math.sqrt(10.0 + 2.0 * math.sqrt(5.0)) / 2.0 - 1.0)):
        assert largest_coordination(1.0, ratio, 3) == n
        assert largest_coordination(1.0, ratio * (1.0 - 1e-6), 3) == n - 1


def law_of_cosines(angle: float, c: float) -> float:
    """Law of cosines for sides of an equilateral spherical triangle."""
    return c - c * c - (1.0 - c * c) * math.cos(angle)


def test_coordination_of_spheres_from_the_areas_of_spherical_triangles():
    for ratio in (1.0, 2.0, 5.0, 20.0):
        side = 2.0 * math.asin(1.0 / (1.0 + ratio))
        # the triangle between three small spheres that touch has area A + B + C - π (Girard)
        angle = brentq(law_of_cosines, 0.0, math.pi, args=(math.cos(side),))
        assert largest_coordination(1.0, ratio, 3) == math.floor(2.0 + 2.0 * math.pi / (3.0 * angle - math.pi) + 1e-9)


def test_too_many_grains_for_a_fraction_are_refused():
    with refused(GranumError, "20 million"):
        make(pattern={"sand": sand(radius=1e-5, count=None, packing_fraction=0.5)})
