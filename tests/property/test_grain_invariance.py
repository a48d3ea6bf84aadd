"""What must not matter: a common velocity, the order of grains, which side is left, which axis is down."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import G, gravity

COUNT = 40


def grains(seed: int, d: int) -> dict[str, np.ndarray]:
    """Some grains in a box of side 0.5 that fly about and turn."""
    rng = np.random.default_rng(seed)
    x, r = np.zeros((0, d)), np.zeros(0)
    while len(x) < COUNT:
        at, size = rng.uniform(0.05, 0.45, d), rng.uniform(0.012, 0.025)
        if np.all(np.linalg.norm(x - at, axis=1) > r + size + 1e-3):
            x, r = np.vstack([x, at]), np.append(r, size)
    return {"x": x, "r": r, "v": rng.uniform(-1.0, 1.0, (COUNT, d)), "w": rng.uniform(-20.0, 20.0, (COUNT, 2 * d - 3))}


def run(state: dict[str, np.ndarray], boundary: dict[str, Any], down: Any, kind: str = "") -> gr.Run:
    """Their run; bodies have their names by their place in `state`."""
    d = state["x"].shape[1]
    names = [f"g{k}" for k in state.get("name", np.arange(COUNT))]
    spin = [w[0] if d == 2 else w.tolist() for w in state["w"]]
    return gr.simulate(gr.Scene(
        material={"m": {"friction": 0.3, "restitution": 0.7, "density": 2500.0}}, boundary=boundary,
        load={"gravity": gravity(*down)},
        body={name: {"kind": kind or ("disk" if d == 2 else "sphere"), "radius": r, "density": 2500.0}
              for name, r in zip(names, state["r"].tolist(), strict=True)},
        start={name: {"position": x, "velocity": v, "angular_velocity": w}
               for name, x, v, w in zip(names, state["x"].tolist(), state["v"].tolist(), spin, strict=True)}),
        until=0.15, step=1e-4, interval=0.05)


def box(d: int) -> dict[str, Any]:
    return {"box": {"kind": "box", "lower": [0.0] * d, "upper": [0.5] * d}}


def impacts(found: gr.Run) -> float:
    """Energy taken by contacts, over that of the start: something must have happened."""
    work = found.energy.work
    return -float(work["impact"][-1] + work["friction"][-1]) / float(found.energy.kinetic[0])


# Impacts spread the light: an error grows by a factor of ten or so in each impact of a grain, of which there are few
SPREAD = 1e-10


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_a_common_velocity_changes_nothing(d: int, seed: int) -> None:
    """Galilean invariance, without boundaries and with ones that move along."""
    state, wind = grains(seed, d), np.array([0.7, -0.4, 0.3][:d])
    moving = {"box": {**box(d)["box"], "motion": {"velocity": wind.tolist()}}}
    for still, along in (({}, {}), (box(d), moving)):
        rest = run(state, still, [0.0] * d)
        moved = run(state | {"v": state["v"] + wind}, along, [0.0] * d)
        assert impacts(rest) > 0.02
        for k in range(len(rest.t)):
            a, b = rest.frame(k), moved.frame(k)
            np.testing.assert_allclose(b.positions - wind * rest.t[k], a.positions, atol=SPREAD)
            np.testing.assert_allclose(b.velocities - wind, a.velocities, atol=SPREAD * 1e3)
            np.testing.assert_allclose(b.angular_velocities, a.angular_velocities, atol=SPREAD * 1e5)


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_grains_changes_nothing(d: int, seed: int) -> None:
    """Names stay with the grains; contacts are few at a time, so the order of sweeps does not matter either."""
    state = grains(seed, d)
    order = np.random.default_rng(seed).permutation(COUNT)
    one = run(state, box(d), [0.0] * d)
    other = run({key: value[order] for key, value in state.items()} | {"name": order}, box(d), [0.0] * d)
    assert impacts(one) > 0.05
    for k in range(COUNT):
        np.testing.assert_allclose(other.position(f"g{k}"), one.position(f"g{k}"), atol=SPREAD)
        np.testing.assert_allclose(other.velocity(f"g{k}"), one.velocity(f"g{k}"), atol=SPREAD * 1e3)


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_a_mirror_shows_the_same_motion(d: int, seed: int) -> None:
    """Reflected in x: velocities along x and spins that turn in planes with x change their sign."""
    state = grains(seed, d)
    flip = np.array([-1.0] + [1.0] * (d - 1))
    spin = np.array([-1.0]) if d == 2 else np.array([1.0, -1.0, -1.0])
    down = [0.0] * (d - 1) + [-G]
    image = {"box": {"kind": "box", "lower": [-0.5] + [0.0] * (d - 1), "upper": [0.0] + [0.5] * (d - 1)}}
    one = run(state, box(d), down)
    other = run(state | {"x": state["x"] * flip, "v": state["v"] * flip, "w": state["w"] * spin}, image, down)
    assert impacts(one) > 0.05
    for k in range(len(one.t)):
        a, b = one.frame(k), other.frame(k)
        np.testing.assert_allclose(b.positions * flip, a.positions, atol=SPREAD)
        np.testing.assert_allclose(b.angular_velocities * spin, a.angular_velocities, atol=SPREAD * 1e5)


@pytest.mark.parametrize("seed", range(3))
def test_no_axis_is_special(seed: int) -> None:
    """Axes exchanged in a circle: down is another axis, sorting and slabs are others."""
    state = grains(seed, 3)
    one = run(state, box(3), (0.0, 0.0, -G))
    turned = {key: np.roll(value, 1, axis=1) if value.ndim == 2 else value for key, value in state.items()}
    other = run(turned, box(3), (-G, 0.0, 0.0))
    for k in range(len(one.t)):
        np.testing.assert_allclose(np.roll(other.frame(k).positions, -1, axis=1), one.frame(k).positions, atol=SPREAD)
        np.testing.assert_allclose(np.roll(other.frame(k).angular_velocities, -1, axis=1),
                                   one.frame(k).angular_velocities, atol=SPREAD * 1e5)


@pytest.mark.parametrize("seed", range(3))
def test_spheres_in_a_plane_are_a_motion_in_the_plane(seed: int) -> None:
    """Balls of which all centres and velocities lie in a plane stay in it, and move as balls of a plane scene do."""
    state = grains(seed, 2)
    flat = run(state, box(2), (0.0, -G), "sphere")
    wide = {"x": np.column_stack([state["x"], np.full(COUNT, 0.25)]), "r": state["r"],
            "v": np.column_stack([state["v"], np.zeros(COUNT)]),
            "w": np.column_stack([np.zeros((COUNT, 2)), state["w"]])}
    space = run(wide, box(3), (0.0, -G, 0.0))
    last = space.frame()
    assert np.all(last.positions[:, 2] == 0.25) and np.all(last.velocities[:, 2] == 0.0)
    assert np.all(last.angular_velocities[:, :2] == 0.0) and impacts(flat) > 0.02
    for k in range(len(flat.t)):
        np.testing.assert_allclose(space.frame(k).positions[:, :2], flat.frame(k).positions, atol=SPREAD)
        np.testing.assert_allclose(space.frame(k).angular_velocities[:, 2], flat.frame(k).angular_velocities,
                                   atol=SPREAD * 1e5)


def test_scale_of_mass_and_length():
    """Units do not matter: ten times the length and gravity, a thousand times the density, in the same time."""
    state = grains(1, 2)
    one = run(state, box(2), (0.0, -G))
    large = {"box": {"kind": "box", "lower": [0.0, 0.0], "upper": [5.0, 5.0]}}
    other = run(state | {"x": 10.0 * state["x"], "r": 10.0 * state["r"], "v": 10.0 * state["v"]}, large,
                (0.0, -10.0 * G))
    for k in range(len(one.t)):
        np.testing.assert_allclose(other.frame(k).positions / 10.0, one.frame(k).positions, atol=SPREAD)
        np.testing.assert_allclose(other.frame(k).angular_velocities, one.frame(k).angular_velocities,
                                   atol=SPREAD * 1e5)
