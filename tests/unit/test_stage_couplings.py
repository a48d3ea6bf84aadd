"""Gears, belts and cams on a stage: circles that touch, tangents, profiles under their followers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from granum.base.kernels import Floats
from granum.view.pictures.outlines import outlines
from granum.view.shapes.couplings import belt_mesh, pitch_radii
from granum.view.stage import Stage
from granum.view.stage.poses import placed


def lines_of(stage: Stage, name: str, frame: int) -> list[list[Floats]]:
    """Lines of the solids of a coupling in a frame."""
    poses = stage.poses(frame)
    return [[placed(poses[k], line) for line in solid.mesh.lines]
            for k, solid in enumerate(stage.solids) if solid.name == name]


def circle_of(line: Floats) -> tuple[Floats, float]:
    """Centre and radius of a closed circle."""
    centre = line[:-1].mean(axis=0)
    return centre, float(np.linalg.norm(line[0] - centre))


def example(name: str, **run: Any) -> gr.Run:
    """A bundled example, run for a while."""
    return gr.simulate(gr.example(name), progress=False, **run)


def test_pitch_circles_of_a_planetary_gear_touch_and_turn_with_their_bodies() -> None:
    run = example("planetary-gear", until=0.2)
    stage = Stage(run)
    for frame in (0, -1):
        (sun, _), (planet, mark) = lines_of(stage, "outer", frame)
        (ring, fixed), (same, _) = lines_of(stage, "inner", frame)
        (s, a), (p, b), (r, c) = circle_of(sun), circle_of(planet), circle_of(ring)
        assert_allclose([a, b, c], [0.02, 0.03, 0.08], rtol=1e-12)
        assert_allclose(circle_of(same)[1], b, rtol=1e-12)
        assert_allclose([np.linalg.norm(p - s), np.linalg.norm(p - r)], [a + b, c - b], rtol=1e-9)
        assert_allclose(p[:2], run.position("planet")[frame], atol=1e-12)
        turned = np.arctan2(*(mark[1] - p)[1::-1]) - np.arctan2(*(lines_of(stage, "outer", 0)[1][1][1] - circle_of(
            lines_of(stage, "outer", 0)[1][0])[0])[1::-1])
        assert math.cos(turned - (run.angle("planet")[frame] - run.angle("planet")[0])) > 1.0 - 1e-12
        assert_allclose(fixed, lines_of(stage, "inner", 0)[0][1])
    low, high = stage.box()
    assert low[0] < -0.08 and high[1] > 0.08, "the ring is in the picture"
    assert stage.describe_solid(0, [solid.name for solid in stage.solids].index("outer"))["between"] \
        == "sun-bearing and planet-bearing"
    assert any(np.isclose(np.linalg.norm(line, axis=1), 0.08).all() for line in outlines(run, 0))


def test_the_valve_stands_on_its_cam_and_the_belt_touches_both_pulleys() -> None:
    """The path of the valve's end, seen from the cam, passes through that end in every frame."""
    run = example("camshaft", until=0.06)
    stage = Stage(run)
    for frame in range(0, len(run.t), 5):
        ((profile, _),) = lines_of(stage, "lobe", frame)
        end = np.array([*run.position("valve")[frame], 0.0]) - [0.0, 0.04, 0.0]
        chord = np.linalg.norm(np.diff(profile, axis=0), axis=1).max()
        sag = 0.5 * chord**2 / 0.06  # of a chord of a circle, with a margin of four
        assert _distance(profile, end) < sag
        pulleys, loop = lines_of(stage, "belt", frame)[:2], lines_of(stage, "belt", frame)[2][0]
        for centre, radius in (circle_of(wheel[0]) for wheel in pulleys):
            assert_allclose(np.linalg.norm(loop - centre, axis=1).min(), radius, rtol=1e-12)
        assert_allclose(loop, lines_of(stage, "belt", 0)[2][0])


def _distance(line: Floats, point: Floats) -> float:
    """From a point to a polyline."""
    start, way = line[:-1], np.diff(line, axis=0)
    part = np.clip(np.einsum("ij,ij->i", point - start, way) / np.einsum("ij,ij->i", way, way), 0.0, 1.0)
    return float(np.linalg.norm(start + part[:, None] * way - point, axis=1).min())


@pytest.mark.parametrize("crossed", [False, True])
def test_length_of_a_belt(crossed: bool) -> None:
    """2 √(d² - s²) + (π + 2 asin(s/d)) r₁ + (π ± 2 asin(s/d)) r₂, s = r₁ ∓ r₂, open or crossed."""
    r, R, d = 0.03, 0.07, 0.25
    s = r + R if crossed else r - R
    tilt = math.asin(s / d)
    exact = 2.0 * math.sqrt(d * d - s * s) + (math.pi + 2.0 * tilt) * r + (
        math.pi + (2.0 if crossed else -2.0) * tilt) * R
    (loop,) = belt_mesh(np.array([0.0, d, 0.0]), (r, R), np.array([0.0, 0.0, 1.0]), crossed).lines
    length = np.linalg.norm(np.diff(loop, axis=0), axis=1).sum()
    assert exact * (1.0 - 1e-3) < length < exact  # arcs of 48 chords are shorter by (π/48)²/6 = 7e-4 at most
    assert not belt_mesh(np.array([0.03, 0.0, 0.0]), (r, R), np.array([0.0, 0.0, 1.0]), crossed).lines


def test_wheels_between_which_others_are_do_not_touch() -> None:
    for ratio in (1.0, 1.05, 0.95):
        r, R = pitch_radii(ratio, 1.0, same_sense=True)
        assert r + R < 1.0 and math.isclose(r / R, ratio)


@pytest.mark.parametrize(("ratio", "first"), [(0.05, "pin"), (-0.05, "pin"), (20.0, "rail")])
def test_a_rack_moves_with_the_rim_of_its_pinion(ratio: float, first: str) -> None:
    """Where they touch, the velocity of the pinion's rim is that of the rack."""
    joints = (first, "rail" if first == "pin" else "pin")
    run = gr.simulate(gr.Scene(
        body={"o": {"kind": "fixed-point", "position": [0.0, 0.0]},
              "g": {"kind": "fixed-point", "position": [0.0, 0.3]},
              "pinion": {"kind": "disk", "radius": 0.05, "mass": 1.0},
              "bar": {"kind": "block", "size": [0.1, 0.01], "mass": 1.0}},
        start={"pinion": {"angular_velocity": 2.0}, "bar": {
            "position": [0.0, 0.3], "velocity": [2.0 * (ratio if first == "pin" else 1.0 / ratio), 0.0]}},
        constraint={"pin": {"kind": "hinge", "between": ["o", "pinion"]},
                    "rail": {"kind": "slider", "between": ["g", "bar"], "axis": [1.0, 0.0]},
                    "teeth": {"kind": "gear", "joints": joints, "ratio": ratio}}), until=0.1, interval=0.05)
    stage = Stage(run)
    for frame in range(len(run.t)):
        (wheel, _), (rail, *teeth) = lines_of(stage, "teeth", frame)
        centre, radius = circle_of(wheel)
        assert_allclose(radius, 0.05, rtol=1e-12)
        offset = rail[0, 1] - centre[1]
        assert_allclose(abs(offset), radius, rtol=1e-12)
        assert rail[:, 0].min() < centre[0] < rail[:, 0].max()
        assert_allclose(-run.angular_velocity("pinion")[frame] * offset, run.velocity("bar")[frame, 0], rtol=1e-9)
        assert_allclose(rail[0, 0] - lines_of(stage, "teeth", 0)[1][0][0, 0],
                        run.position("bar")[frame, 0] - run.position("bar")[0, 0], atol=1e-12)
        assert len(teeth) > 1


def test_joints_without_a_common_carrier_are_not_drawn() -> None:
    """Their distance changes, so that no wheels could touch."""
    rod = {"kind": "rod", "length": 1.0, "mass": 1.0}
    run = gr.simulate(gr.Scene(
        body={"o": {"kind": "fixed-point", "position": [0.0, 0.0]}, "a": rod, "b": rod, "c": rod},
        start={name: {"angle": 0.3} for name in "abc"},
        constraint={"one": {"kind": "hinge", "between": ["o", "a.tail"]},
                    "two": {"kind": "hinge", "between": ["a.head", "b.tail"]},
                    "three": {"kind": "hinge", "between": ["b.head", "c.tail"]},
                    "tendon": {"kind": "gear", "joints": ["one", "three"], "ratio": 2.0}}), until=0.01)
    assert "tendon" not in [solid.name for solid in Stage(run).solids]
