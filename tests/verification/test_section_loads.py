"""Force and moment across cuts, against closed forms of the part beyond."""

from __future__ import annotations

import numpy as np
import pytest

import granum as gr
import mechanisms
from messages import refused

G = mechanisms.GRAVITY


def test_swinging_rod_carries_what_its_outer_part_needs() -> None:
    """The part beyond a cut at s from the pivot: F = m'(g - a'), M = -(I' θ̈ + r × m'(a' - g)), θ̈ = -3 g cos θ / 2 l."""
    length, mass, s = 1.2, 0.8, 0.5
    scene = mechanisms.pendulum_of_rods([length], [mass], [0.4], tolerance=1e-11)
    cut = gr.SectionProbe(body="rod-1", position=(s - length / 2, 0.0), normal=(1.0, 0.0))
    run = gr.simulate(scene.model_copy(update={"probe": {"cut": cut}}), until=2.0)
    force, moment = run.section("cut")
    theta, rate = run.angle("rod-1"), run.angular_velocity("rod-1")
    turning = -1.5 * G / length * np.cos(theta)
    outer, beyond = mass * (1 - s / length), length - s
    along, across = np.stack([np.cos(theta), np.sin(theta)], 1), np.stack([-np.sin(theta), np.cos(theta)], 1)
    a = 0.5 * (s + length) * (turning[:, None] * across - (rate**2)[:, None] * along)
    need = outer * (a + np.array([0.0, G]))
    assert force == pytest.approx(-need, abs=1e-10)
    lever = beyond / 2 * (along[:, 0] * need[:, 1] - along[:, 1] * need[:, 0])
    assert moment == pytest.approx(-(outer * beyond**2 / 12 * turning + lever), abs=1e-10)


def test_both_sides_of_a_cut_carry_opposite_loads() -> None:
    """A coupler in a closed loop in space, cut from either side."""
    scene = mechanisms.four_bar(True)
    cuts = {name: gr.SectionProbe(body="coupler", position=(0.3, 0.0, 0.0), normal=(sign, 0.0, 0.0))
            for name, sign in (("there", 1.0), ("back", -1.0))}
    run = gr.simulate(scene.model_copy(update={"probe": cuts}), until=0.5)
    (f, m), (g, n) = run.section("there"), run.section("back")
    assert f == pytest.approx(-g, abs=1e-9 * np.abs(f).max())
    assert m == pytest.approx(-n, abs=1e-9 * np.abs(m).max())
    assert np.abs(f).max() > 1.0 and np.abs(m).max() > 0.1


def test_a_hanging_clump_carries_its_lower_ball() -> None:
    """Two balls one above the other, the upper one pinned: between them the weight of the lower one."""
    clump = gr.Clump(spheres=[gr.Part(centre=(0.0, 0.0, 0.0), radius=0.1),
                              gr.Part(centre=(0.0, 0.0, -0.5), radius=0.08)],
                     density=1000.0)
    below = 4.0 / 3.0 * np.pi * 0.08**3 * 1000.0
    scene = gr.Scene(
        body={"pin": gr.FixedPoint(position=(0.0, 0.0, 0.0)), "c": clump},
        constraint={"pin": gr.Hinge(between=("pin", "c.1"), axis=(0.0, 1.0, 0.0))},
        load={"g": gr.Gravity(acceleration=(0.0, 0.0, -G))},
        probe={"cut": gr.SectionProbe(body="c", position=(0.0, 0.0, -0.3), normal=(0.0, 0.0, 1.0))})
    force, moment = gr.simulate(scene, until=0.1).section("cut")
    assert force == pytest.approx(np.tile([0.0, 0.0, below * G], (len(force), 1)), abs=1e-9)
    assert np.abs(moment).max() < 1e-9


@pytest.mark.parametrize(("probe", "names"), [
    ({"body": "rod-9", "position": (0.0, 0.0), "normal": (1.0, 0.0)}, ("probe.cut", '"rod-9"')),
    ({"body": "rod-1", "position": (0.7, 0.0), "normal": (1.0, 0.0)}, ("probe.cut", "0.7 m")),
    ({"body": "rod-1", "position": (0.0, 0.0), "normal": (0.0, 1.0)}, ("probe.cut", "normal")),
])
def test_cuts_that_cannot_be_made_are_refused(probe: dict, names: tuple[str, ...]) -> None:
    scene = mechanisms.pendulum_of_rods([1.2], [0.8], [0.4])
    with refused(gr.SceneError, *names):
        gr.simulate(scene.model_copy(update={"probe": {"cut": gr.SectionProbe(**probe)}}), until=0.1)
