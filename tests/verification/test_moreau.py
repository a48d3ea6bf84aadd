"""Rigid steps against closed forms.

Tolerances are those of the scheme. One contact is solved exactly in every step, so velocities of a single impact, of
rolling and of sliding are right to round-off, and so are the positions of a single grain under constant forces. Many
contacts are solved by sweeps to a tolerance, and impulses are remembered from step to step, so forces at rest converge
while nothing moves.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import DISK, FLOOR, SPHERE, G, closes, grain, gravity, on_slope, scene

ROUND_OFF = 1e-13


# ------------------------------------------------------------------ impacts


def tops(e: float, step: float, bounces: int) -> tuple[np.ndarray, np.ndarray]:
    """Heights of a rebound of 60 disks from different heights, relative to e^(2n) h, and the heights h."""
    heights = np.linspace(0.9, 1.1, 60)
    drop = scene({f"a{k}": grain((float(k), 0.1 + h)) for k, h in enumerate(heights)}, material={"restitution": e})
    # the last top of the lowest and of the highest lie close together: all rise or fall slowly there
    fall = math.sqrt(2.0 / G)
    at = fall * (1.0 + 2.0 * sum(e**n for n in range(1, bounces)) + e**bounces)
    run = gr.simulate(drop, until=at, step=step, interval=at)
    last = run.frame()
    assert np.all(last.positions[:, 1] > 0.1 + 1e-3)
    closes(run)
    top = last.positions[:, 1] - 0.1 + last.velocities[:, 1] ** 2 / (2.0 * G)
    return top / (e ** (2 * bounces) * heights), heights


@pytest.mark.parametrize(("e", "bounces"), [(0.6, 1), (0.6, 3), (0.9, 4), (1.0, 4)])
def test_rebound_heights_are_e_to_the_2n_at_any_step(e, bounces):
    """Flight is an exact parabola and the impact is located within its step: what is left is round-off."""
    for step in (8e-4, 4e-4, 2e-4):
        found, _ = tops(e, step, bounces)
        np.testing.assert_allclose(found, 1.0, atol=1e-9)


@pytest.mark.parametrize("step", [1e-5, 1e-3, 0.02])
@pytest.mark.parametrize("e", [0.0, 0.3, 1.0])
def test_restitution_is_obeyed_at_any_step(e, step):
    """u⁺ = -e u⁻ at a floor and between unequal disks and balls; steps up to the limit of half a radius."""
    wall = scene({"a": grain((0.0, 0.13), (0.0, -2.0))}, down=(0.0, 0.0), material={"restitution": e})
    assert gr.simulate(wall, until=0.2, step=step).velocity("a")[-1] == pytest.approx([0.0, 2.0 * e], abs=1e-14)
    for n in ((1.0, 0.0), (0.6, 0.8), (0.0, 0.6, -0.8)):
        n = np.array(n)
        pair = scene({"a": grain(0.0 * n, 0.5 * n), "b": grain(0.27 * n, -1.5 * n, radius=0.15, mass=3.0)},
                     down=0.0 * n, boundary={}, material={"restitution": e})
        run = gr.simulate(pair, until=0.1, step=step)
        a, b = run.velocity("a")[-1] @ n, run.velocity("b")[-1] @ n
        assert b - a == pytest.approx(2.0 * e, abs=1e-14)
        assert a + 3.0 * b == pytest.approx(-4.0, abs=1e-14)


@pytest.mark.parametrize("kappa", [DISK, SPHERE])
@pytest.mark.parametrize("friction", [0.0, 0.1, 0.3, 0.35, 1.0])
def test_oblique_impact(kappa, friction):
    """P_t = min(μ (1 + e) m u_n, m u_t/(1 + κ)), s = κ P_t/m: slipping up to μ = 0.3 or so, sticking above."""
    e, m, u_t, u_n, r = 0.6, 2.0, 3.0, 2.0, 0.1
    start: dict[str, Any] = {"velocity": (u_t, -u_n), "spin": 4.0} if kappa == DISK else \
        {"velocity": (u_t, 0.0, -u_n), "spin": [0.0, -4.0, 0.0]}
    floor = FLOOR if kappa == DISK else {"kind": "plane", "position": [0.0, 0.0, 0.0], "normal": [0.0, 0.0, 1.0]}
    at = (0.0, 0.13) if kappa == DISK else (0.0, 0.0, 0.13)
    one = scene({"a": grain(at, **start, mass=m)}, down=[0.0] * len(at), boundary={"floor": floor},
                material={"friction": friction, "restitution": e})
    run = gr.simulate(one, until=0.1, step=1e-3)
    slip = u_t + 4.0 * r
    push = min(friction * (1.0 + e) * m * u_n, m * slip / (1.0 + kappa))
    v, s = run.velocity("a")[-1], r * run.angular_velocity("a")[-1]
    turned = s if kappa == DISK else -s[1]
    assert v[0] == pytest.approx(u_t - push / m, rel=ROUND_OFF)
    assert v[-1] == pytest.approx(e * u_n, rel=ROUND_OFF)
    assert turned == pytest.approx(4.0 * r - kappa * push / m, rel=ROUND_OFF, abs=1e-15)
    work = run.energy.work
    assert work["impact"][-1] == pytest.approx(-0.5 * m * (1.0 - e * e) * u_n**2, rel=ROUND_OFF)
    assert work["friction"][-1] == pytest.approx(-push * (slip - 0.5 * push * (1.0 + kappa) / m), rel=1e-12,
                                                 abs=1e-14)
    closes(run, 1e-14)


@pytest.mark.parametrize("friction", [0.05, 1.0])
def test_oblique_impact_of_unequal_balls_in_space(friction):
    """The same between two balls that turn: W_t = (1 + κ)(1/m + 1/M), direction of slip kept (true cone)."""
    e, m, big, n = 0.4, 1.0, 2.5, np.array([2.0, -1.0, 2.0]) / 3.0
    v_a, v_b = np.array([1.0, 0.4, -0.3]), np.array([-0.6, 0.9, 0.8])
    w_a, w_b = np.array([3.0, -2.0, 5.0]), np.array([-4.0, 1.0, 2.0])
    run = gr.simulate(scene(
        {"a": grain((0.0, 0.0, 0.0), v_a, w_a.tolist(), 0.1, m),
         "b": grain(0.1 * n + 0.2 * n, v_b, w_b.tolist(), 0.2, big)},
        down=(0.0, 0.0, 0.0), boundary={}, material={"friction": friction, "restitution": e}), until=0.02, step=1e-4)
    u = v_b - v_a - np.cross(0.1 * w_a + 0.2 * w_b, n)
    u_n, u_t = u @ n, u - (u @ n) * n
    p = -(1.0 + e) * u_n / (1.0 / m + 1.0 / big)
    stick = np.linalg.norm(u_t) / (3.5 * (1.0 / m + 1.0 / big))
    assert u_n < 0.0 and (friction * p < stick) == (friction < 0.5)
    impulse = p * n - min(friction * p, stick) * u_t / np.linalg.norm(u_t)
    turn = 2.5 * np.cross(n, impulse)
    tolerance = {"rtol": ROUND_OFF, "atol": 1e-14}
    np.testing.assert_allclose(run.velocity("b")[-1], v_b + impulse / big, **tolerance)
    np.testing.assert_allclose(run.velocity("a")[-1], v_a - impulse / m, **tolerance)
    np.testing.assert_allclose(0.2 * run.angular_velocity("b")[-1], 0.2 * w_b - turn / big, **tolerance)
    np.testing.assert_allclose(0.1 * run.angular_velocity("a")[-1], 0.1 * w_a - turn / m, **tolerance)
    closes(run, 1e-14)


def test_a_billiard_break_conserves_momentum():
    """Fifteen balls and a sixteenth, with friction: every impulse has its opposite."""
    r = 0.028575
    rack = [(0.0 + row * r * math.sqrt(3.0) * 1.0001, (2 * k - row) * r * 1.0002, 0.0) for row in range(5)
            for k in range(row + 1)]
    balls = {f"b{k}": grain(at, radius=r, mass=0.17) for k, at in enumerate(rack)}
    balls["cue"] = grain((-0.5, 0.003, 0.001), (8.0, 0.1, 0.0), [20.0, 0.0, 30.0], r, 0.17)
    run = gr.simulate(scene(balls, down=(0.0, 0.0, 0.0), boundary={}, material={"friction": 0.06, "restitution": 0.93}),
                      until=0.3, step=1e-5, interval=0.01)
    first, last = run.frame(0), run.frame(-1)
    assert np.sum(np.linalg.norm(last.velocities, axis=1) > 0.1) >= 10

    def momenta(frame: Any) -> tuple[np.ndarray, np.ndarray]:
        p, inertia = 0.17 * frame.velocities, 0.4 * 0.17 * r * r
        return p.sum(axis=0), (np.cross(frame.positions, p) + inertia * frame.angular_velocities).sum(axis=0)

    (p0, l0), (p1, l1) = momenta(first), momenta(last)
    assert np.abs(p1 - p0).max() < 1e-14 * 0.17 * 8.0 * 16.0
    # grains are pushed along the line of their centres at the beginning of a step: h |v| of arm in each impact
    assert np.abs(l1 - l0).max() < 1e-5 * 8.0 * 0.17 * 8.0
    closes(run)
    assert run.energy.kinetic[-1] < run.energy.kinetic[0]


# ------------------------------------------------------------------ rolling and sliding


@pytest.mark.parametrize("kappa", [DISK, SPHERE])
@pytest.mark.parametrize("part", [0.5, 0.97, 1.0, 1.03, 2.0])
def test_incline_about_the_limit_of_rolling(kappa, part):
    """Rolls with a = g sin α κ/(1 + κ) up to tan α = μ (1 + κ); above it slides with g (sin α - μ cos α)."""
    mu, until = 0.2, 1.0
    angle = math.atan(part * mu * (1.0 + kappa))
    run = gr.simulate(on_slope(angle, kappa, {"friction": mu}), until=until)
    rolls = G * math.sin(angle) * kappa / (1.0 + kappa)
    slides = G * (math.sin(angle) - mu * math.cos(angle))
    a = rolls if part <= 1.0 else slides
    turning = rolls if part <= 1.0 else kappa * mu * G * math.cos(angle)
    spin = -run.angular_velocity("a") if kappa == DISK else run.angular_velocity("a")[:, 1]
    np.testing.assert_allclose(run.velocity("a")[:, 0], a * run.t, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(0.1 * spin, turning * run.t, rtol=1e-10, atol=1e-12)
    assert np.abs(run.velocity("a")[:, 1:]).max() < 1e-12
    # constant forces move grains with the mean of old and new velocity
    assert run.position("a")[-1, 0] == pytest.approx(0.5 * a * until**2, rel=1e-10)
    friction = run.energy.work["friction"][-1]
    lost = (a + turning - 2.0 * turning) * mu * G * math.cos(angle) * 0.5 * until**2 if part > 1.0 else 0.0
    assert friction == pytest.approx(-lost, rel=1e-9, abs=1e-9)
    closes(run, 1e-12)


@pytest.mark.parametrize("kappa", [DISK, SPHERE])
def test_a_sliding_grain_slows_until_it_rolls(kappa):
    """v = v₀ - μ g t until t = v₀/(μ g (1 + κ)), then v₀ κ/(1 + κ) for ever."""
    v0, mu = 2.0, 0.3
    velocity = (v0, 0.0) if kappa == DISK else (v0, 0.0, 0.0)
    run = gr.simulate(on_slope(0.0, kappa, {"friction": mu}, velocity=velocity), until=0.5)
    rolling = v0 * kappa / (1.0 + kappa)
    np.testing.assert_allclose(run.velocity("a")[:, 0], np.maximum(v0 - mu * G * run.t, rolling), rtol=1e-12)
    assert run.energy.work["friction"][-1] == pytest.approx(-0.5 * v0**2 / (1.0 + kappa), rel=1e-12)
    closes(run, 1e-13)


def test_a_block_stops_after_v_squared_over_2_mu_g():
    """A disk that rolling friction keeps from turning slides like a block; only the step that stops it has an error.

    Friction and rolling friction of a contact are found in turn, so when both begin to hold the disk quivers for some
    steps with less than what friction gives in one.
    """
    v0, mu = 2.0, 0.4
    off = []
    for step in (2e-3, 1e-3, 5e-4):
        run = gr.simulate(on_slope(0.0, DISK, {"friction": mu, "rolling_friction": 1.0}, velocity=(v0, 0.0)),
                          until=0.8, step=step)
        v, end = run.velocity("a")[:, 0], v0 / (mu * G)
        slides, stands = run.t < end, run.t > end + 100.0 * step
        np.testing.assert_allclose(v[slides], v0 - mu * G * run.t[slides], atol=1e-12)
        assert np.abs(v[~slides]).max() < mu * G * step and np.abs(v[stands]).max(initial=0.0) < 1e-9
        assert np.abs(run.angular_velocity("a")[slides]).max() < 1e-12
        off.append(run.position("a")[-1, 0] - v0**2 / (2.0 * mu * G))
        assert run.energy.work["friction"][-1] == pytest.approx(-0.5 * v0**2, rel=1e-12)
        closes(run, 1e-12)
    # friction stops it within a step: up to μ g h in velocity, over h
    assert np.all(np.abs(off) <= mu * G * np.array([2e-3, 1e-3, 5e-4]) ** 2)


@pytest.mark.parametrize("kappa", [DISK, SPHERE])
@pytest.mark.parametrize("part", [0.5, 0.97, 1.03, 2.0])
def test_rolling_friction_on_an_incline(kappa, part):
    """Rest iff tan α ≤ μ_r; above, a = κ/(1 + κ) g (sin α - μ_r cos α)."""
    rolling = 0.1
    angle = math.atan(part * rolling)
    run = gr.simulate(on_slope(angle, kappa, {"friction": 0.8, "rolling_friction": rolling}), until=1.0)
    a = max(0.0, kappa / (1.0 + kappa) * G * (math.sin(angle) - rolling * math.cos(angle)))
    # the impulses of the start are found to 1e-12 radii per step
    still = 1e-12 * 0.1 / run.metadata["step"]["step"]
    np.testing.assert_allclose(run.velocity("a")[:, 0], a * run.t, rtol=1e-10, atol=still)
    if part < 1.0:
        assert np.ptp(run.position("a")[:, 0]) < 1e-12
    closes(run, least=G * 0.1)


def test_rolling_friction_slows_a_rolling_ball():
    """v = v₀ - κ/(1 + κ) μ_r g t, and it stops."""
    rolling, v0 = 0.05, 0.2
    run = gr.simulate(on_slope(0.0, SPHERE, {"friction": 0.8, "rolling_friction": rolling}, velocity=(v0, 0.0, 0.0),
                               spin=[0.0, v0 / 0.1, 0.0]), until=1.0)
    slowing = SPHERE / (1.0 + SPHERE) * rolling * G
    v, end, step = run.velocity("a")[:, 0], v0 / slowing, run.metadata["step"]["step"]
    np.testing.assert_allclose(v[run.t < end], v0 - slowing * run.t[run.t < end], atol=1e-12)
    assert np.abs(v[run.t > end]).max() < slowing * step and np.abs(v[run.t > end + 100.0 * step]).max() < 1e-12
    work = {name: values[-1] for name, values in run.energy.work.items()}
    assert work["rolling friction"] == pytest.approx(-0.7 * v0**2, rel=1e-6)
    assert sum(work.values()) == pytest.approx(-0.7 * v0**2, rel=1e-12)
    closes(run)


@pytest.mark.parametrize("d", [2, 3])
def test_rolling_friction_lets_what_turns_along_alone(d):
    """A grain that turns with its drum like one body has no velocity against it, nor an angular one."""
    turning, big, r, until = 5.0, 0.5, 0.1, 1.0
    spin, axis, rest = (turning, turning, []) if d == 2 else ([0.0, 0.0, turning], [0.0, 0.0, turning], [0.0])
    motion = {"angular_velocity": axis, "centre": [0.0, 0.0, *rest]}
    hole = {"kind": "disk" if d == 2 else "sphere", "centre": [0.0, 0.0, *rest], "radius": -big, "motion": motion}
    start = grain((big - r, 0.0, *rest), (0.0, turning * (big - r), *rest), spin, r)
    found = []
    for rolling in (0.0, 0.2):
        one = scene({"a": start}, down=[0.0] * d, boundary={"drum": hole},
                    material={"friction": 0.5, "rolling_friction": rolling})
        found.append(gr.simulate(one, until=until, step=1e-4))
        closes(found[-1], 1e-12)
    # of first order without rolling friction, and no worse with it
    without, own = (np.abs(run.angular_velocity("a") - spin).max() for run in found)
    assert own < 0.02 and own < 1.5 * without
    assert abs(found[1].energy.work["rolling friction"][-1]) < 1e-6


def test_rolling_friction_drives_a_grain_in_a_turning_drum():
    """In a hole that begins to turn, without slip: I dω/dt = μ_r r N on top of what friction does; ω ends at Ω."""
    turning, big, r = 5.0, 0.5, 0.1
    motion = {"angular_velocity": turning, "centre": [0.0, 0.0]}
    hole = {"kind": "disk", "centre": [0.0, 0.0], "radius": -big, "motion": motion}
    one = scene({"a": grain((big - r, 0.0), (0.0, 2.0), 0.0, r)}, down=(0.0, 0.0), boundary={"drum": hole},
                material={"friction": 0.5, "rolling_friction": 0.2})
    run = gr.simulate(one, until=4.0, step=2e-4)
    assert run.angular_velocity("a")[-1] == pytest.approx(turning, rel=0.01)
    assert np.linalg.norm(run.velocity("a")[-1]) == pytest.approx(turning * (big - r), rel=0.01)
    assert run.energy.work["rolling friction"][-1] < 0.0
    closes(run)


# ------------------------------------------------------------------ at rest


def test_a_stack_of_twenty_disks_stands_for_ten_seconds():
    r = 0.05
    run = gr.simulate(scene({f"d{k}": grain((0.0, r * (2 * k + 1)), radius=r) for k in range(20)},
                            material={"friction": 0.5}), until=10.0, interval=0.1)
    for index in range(len(run.t)):
        frame = run.frame(index)
        assert np.abs(frame.velocities).max() < 1e-6 and r * np.abs(frame.angular_velocities).max() < 1e-6
    # grains sink by what a step leaves alone, 1e-5 radii for each contact below
    sunk = run.frame(0).positions[:, 1] - run.frame(-1).positions[:, 1]
    assert np.all(sunk <= 1.001e-5 * r * np.arange(1, 21))
    last = run.frame(-1)
    floor = last.pair[:, 1] < 0
    assert last.force[floor].sum(axis=0) == pytest.approx([0.0, 20.0 * G], abs=1e-4)


@pytest.mark.parametrize(("between", "below", "stands"), [
    (1.03, 1.03, True), (0.97, 1.03, False), (1.03, 0.97, False), (3.0, 1.03, True), (3.0, 0.97, False),
    (0.97, 3.0, False)])
def test_three_cylinders_stand_iff_friction_suffices(between, below, stands):
    """tan 15° between the cylinders and (2 - √3)/3 at the floor, 3 % beside each limit."""
    r = 0.1
    grains = {"left": grain((-r, r)), "right": grain((r, r)), "top": grain((0.0, r * (1.0 + math.sqrt(3.0))))}
    bodies = {name: {**one["body"], "material": "wood"} for name, one in grains.items()}
    pile = gr.Scene(
        material={"wood": {"friction": between * math.tan(math.radians(15.0))}, "ground": {}},
        pair={"foot": {"between": ["wood", "ground"], "friction": below * (2.0 - math.sqrt(3.0)) / 3.0}},
        boundary={"floor": {**FLOOR, "material": "ground"}}, load={"gravity": gravity(0.0, -G)}, body=bodies,
        start={name: one["start"] for name, one in grains.items()})
    run = gr.simulate(pile, until=3.0)
    sunk = run.position("top")[0, 1] - run.position("top")[-1, 1]
    if stands:
        assert sunk < 1e-4 * r
        assert np.abs(run.frame().velocities).max() < 1e-6
    else:
        assert sunk > 0.5 * r
    closes(run, least=G * r)


@pytest.mark.parametrize("d", [2, 3])
def test_the_floor_carries_the_weight_at_rest(d):
    """The sum of forces on a settled heap from its box, in the plane and in space."""
    lower, upper, down = [0.0] * d, [0.12] * (d - 1) + [0.4], [0.0] * (d - 1) + [-G]
    heap = gr.Scene(material={"sand": {"friction": 0.4, "rolling_friction": 0.02, "density": 2500.0}},
                    boundary={"box": {"kind": "box", "lower": lower, "upper": upper, "open": [["+y"], ["+z"]][d - 2]}},
                    load={"gravity": gravity(*down)},
                    pattern={"sand": {"kind": "grains", "count": 30 if d == 2 else 100, "radius": [0.012, 0.016],
                                      "region": {"kind": "box", "lower": lower, "upper": upper}}})
    run = gr.simulate(heap, until=2.0, interval=0.5)
    last = run.frame()
    mass = 2500.0 * math.pi * (last.radii**2 if d == 2 else 4.0 / 3.0 * last.radii**3)
    force = last.force[last.pair[:, 1] < 0].sum(axis=0)
    np.testing.assert_allclose(force, -mass.sum() * np.array(down), atol=1e-4 * mass.sum() * G)
    assert np.abs(last.velocities).max() < 1e-5
    closes(run)
