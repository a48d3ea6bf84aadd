"""Section loads of clumps and bonded bodies among grains, against closed forms and quadrature."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import G, gravity
from granum.model.cuts import beyond
from granum.model.unions import union_of_balls, union_of_disks
from messages import refused


@pytest.mark.parametrize("seed", range(4))
def test_what_lies_beyond_a_cut(seed: int) -> None:
    """All of a union beyond a far cut is the union, in closed form; both sides of a cut through it make the whole."""
    rng = np.random.default_rng(seed)
    c, r = 0.6 * rng.normal(size=(6, 3)), rng.uniform(0.4, 0.8, 6)
    for flat in (False, True):
        n = rng.normal(size=3)
        if flat:
            c, n = c * [1.0, 1.0, 0.0], n * [1.0, 1.0, 0.0]
        n /= np.linalg.norm(n)
        volume, centre, S = beyond(c, r, -9.0 * n, n, flat)
        if flat:
            area, middle, polar = union_of_disks(c[:, :2], r)
            expected = area, np.array([*middle, 0.0])
            assert np.trace(S) == pytest.approx(polar, rel=1e-9)
        else:
            whole, middle, inertia = union_of_balls(c, r)
            expected = whole, middle
            np.testing.assert_allclose(np.trace(S) * np.eye(3) - S, inertia, atol=1e-9)
        assert volume == pytest.approx(expected[0], rel=1e-10)
        np.testing.assert_allclose(centre, expected[1], atol=1e-10)
        near, far = beyond(c, r, 0.1 * n, n, flat), beyond(c, r, 0.1 * n, -n, flat)
        assert near[0] + far[0] == pytest.approx(volume, rel=1e-10)
        about = sum(part[2] + part[0] * np.outer(part[1] - centre, part[1] - centre) for part in (near, far))
        np.testing.assert_allclose(about, S, atol=1e-9)


def test_half_a_ball() -> None:
    """Volume 2π/3 r³ and centre 3/8 r, inertia of half a ball: ∫ x² dV = 2π/15 r⁵ about the centre of the ball."""
    n = np.array([0.0, 0.6, 0.8])
    volume, centre, S = beyond(np.zeros((1, 3)), np.ones(1), np.zeros(3), n, False)
    assert volume == pytest.approx(2.0 * math.pi / 3.0, rel=1e-13)
    np.testing.assert_allclose(centre, 0.375 * n, atol=1e-13)
    np.testing.assert_allclose(S + volume * np.outer(centre, centre), 2.0 * math.pi / 15.0 * np.eye(3), atol=1e-13)


R, L, RHO = 0.05, 0.3, 1000.0
BALL = RHO * 4.0 / 3.0 * math.pi * R**3


def dumbbell(d: int, point: list[float], **more: Any) -> gr.Scene:
    """Two balls (disks) far apart, as one body, cut across."""
    sort = "disks" if d == 2 else "spheres"
    rest = [0.0] * (d - 1)
    return gr.Scene(**{
        "material": {"steel": {"density": RHO}},
        "body": {"bell": {"kind": "clump", sort: [{"centre": [0.0, *rest], "radius": R},
                                                  {"centre": [L, *rest], "radius": R}]}},
        "load": {"gravity": gravity(*rest, -G)},
        "probe": {"cut": {"kind": "section", "body": "bell", "position": point, "normal": [1.0, *rest]}},
        "start": {"bell": {"position": [0.0, *rest]}},
        "run": {"until": 0.2, "step": 1e-3, "interval": 0.02}, **more})


def test_a_spinning_clump_pulls_with_m_w2_r() -> None:
    """m ω² L/2 along its axis, which turns; the cut is half way, so that free fall and gravity add nothing."""
    w = 7.0
    run = gr.simulate(dumbbell(3, [0.5 * L, 0.0, 0.0], start={"bell": {"position": [0.0, 0.0, 5.0],
                                                                       "angular_velocity": [0.0, 0.0, w]}}))
    along = np.column_stack([np.cos(w * run.t), np.sin(w * run.t), 0.0 * run.t])
    found = run.section("cut")
    # the midpoint rule turns by 2 arctan(h ω/2) in a step: 2e-7 less than h ω at the end
    np.testing.assert_allclose(found.force, BALL * w * w * 0.5 * L * along, rtol=0.0, atol=1e-5 * BALL * w * w * L)
    np.testing.assert_allclose(np.linalg.norm(found.force, axis=1), BALL * w * w * 0.5 * L, rtol=1e-12)
    np.testing.assert_allclose(found.moment, 0.0, atol=1e-12)


def test_a_cut_through_a_ball() -> None:
    """A cut off the middle of one ball of a spinning pair: mass and centre of the cap in closed form."""
    w, off = 7.0, 0.02
    run = gr.simulate(dumbbell(3, [L + off, 0.0, 0.0], start={"bell": {"position": [0.0, 0.0, 5.0],
                                                                       "angular_velocity": [0.0, 0.0, w]}}))
    height = R - off
    volume = math.pi * height**2 * (3.0 * R - height) / 3.0
    centre = 0.75 * (2.0 * R - height) ** 2 / (3.0 * R - height)  # from the middle of the ball
    expected = RHO * volume * w * w * (0.5 * L + centre)
    np.testing.assert_allclose(np.linalg.norm(run.section("cut").force, axis=1), expected, rtol=1e-11)


def test_a_clump_on_two_supports_bends() -> None:
    """Each end rests on a disk: half way the moment is that of half the weight at half the length."""
    supports = {name: {"kind": "disk", "centre": [x, -2.0 * R], "radius": R}
                for name, x in (("a", -0.5 * L), ("b", 0.5 * L))}
    run = gr.simulate(dumbbell(2, [0.25 * L, 0.0], boundary=supports))
    mass = RHO * math.pi * R**2
    found = run.section("cut")
    # between the disks there is no mass: weight and support of an end cancel, nothing is left to carry
    np.testing.assert_allclose(found.force[-1], [0.0, 0.0], atol=1e-9 * mass * G)
    np.testing.assert_allclose(found.moment[-1], [0.0], atol=1e-9 * mass * G * L)
    hung = gr.simulate(dumbbell(2, [0.5 * L, 0.0], boundary={"a": {"kind": "disk", "centre": [0.0, -2.0 * R],
                                                                   "radius": R}},
                                body={"bell": {"kind": "clump", "disks": [{"centre": [x, 0.0], "radius": R} for x in
                                                                          (0.0, 0.5 * L, L)]}}))
    found = hung.section("cut")
    # beyond a cut through the middle disk: half of that, and the end, both with nothing below them
    half = 0.5 * mass
    force = -(mass + half) * G
    moment = -G * (mass * 0.5 * L + half * 4.0 * R / (3.0 * math.pi))
    np.testing.assert_allclose(found.force[-1], [0.0, force], atol=1e-9 * mass * G)
    np.testing.assert_allclose(found.moment[-1], [moment], rtol=1e-9)


def test_a_bonded_beam_is_cut_between_its_grains() -> None:
    """Shear and moment by statics, in a beam on two supports."""
    count, bead = 11, RHO * math.pi * R**2
    cut = 2 * R * 3.5
    scene = gr.Scene(
        material={"stone": {"density": RHO}}, load={"gravity": gravity(0.0, -G)},
        pattern={"beam": {"kind": "grains", "positions": [[2 * R * k, 1.0] for k in range(count)], "radius": R}},
        bond={"cement": {"among": "beam", "tensile_strength": 1e9, "shear_strength": 1e9}},
        boundary={f"s{k}": {"kind": "disk", "centre": [2 * R * k, 1.0 - 2 * R], "radius": R} for k in (0, 10)},
        probe={"cut": {"kind": "section", "body": "beam", "position": [cut, 1.0], "normal": [1.0, 0.0]}},
        run={"until": 0.05, "step": 1e-3, "interval": 0.01})
    found = gr.simulate(scene).section("cut")
    shear = bead * G * (0.5 * count - 4)
    moment = bead * G * (0.5 * count * cut - sum(cut - 2 * R * k for k in range(4)))
    np.testing.assert_allclose(found.force[-1], [0.0, -shear], atol=1e-7 * bead * G)
    np.testing.assert_allclose(found.moment[-1], [moment], rtol=1e-7)


def test_bad_cuts_are_refused() -> None:
    with refused(gr.SceneError, "probe.cut.position"):
        gr.simulate(dumbbell(3, [2.0 * L, 0.0, 0.0]))
    with refused(gr.SceneError, "probe.cut.body", '"ball"'):
        gr.simulate(dumbbell(3, [0.0, 0.0, 0.0], probe={"cut": {"kind": "section", "body": "ball", "position":
                                                                [0.0, 0.0, 0.0], "normal": [1.0, 0.0, 0.0]}}))
