"""Gymnasium environments: Gymnasium's own checker, seeds, the return of a known feedback, and what is refused."""

from __future__ import annotations

import runpy
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from scipy.integrate import solve_ivp

import granum as gr
from messages import refused, says

EXAMPLES = Path(__file__).parents[2] / "examples"
M, m, L, g = 1.0, 0.2, 0.8, 9.81
"""Of the cart and its pole."""
GAINS = np.array([2.6, 4.4, -41.7, -9.4])
"""Feedback of displacement, its rate, angle from upright and its rate that balances the pole."""
STATE = ["track.displacement", "track.rate", "pivot.angle", "pivot.rate"]


def upright(angle: str = "90 deg") -> gr.Scene:
    """The cart with its pole, commanded from outside."""
    return gr.example("cart-pole").vary({"actuator.motor.force": 0, "start.pole.angle": angle})


def balancing(**keys: Any) -> Any:
    """An environment for it."""
    given: dict[str, Any] = {
        "observe": STATE, "act": ["motor"], "reward": "1 - pivot.angle**2 - 0.01*motor.force**2",
        "terminated": {"pivot.angle": (-0.5, 0.5)}, "every": "20 ms", **keys}
    return gr.gym.Env(given.pop("scene", upright()), **given)


@pytest.mark.parametrize("keys", [
    {"vary": {"start.pole.angle": ("85 deg", "95 deg"), "body.pole.mass": (0.15, "250 g")}},
    {"observe": lambda sim: [sim.t, *sim.body("pole").position], "reward": lambda sim: -sim.t,
     "terminated": lambda sim: sim.t > 0.1, "render_mode": "rgb_array", "size": (160, 120)},
])
def test_the_checker_of_gymnasium_passes(keys: dict[str, Any]) -> None:
    env = balancing(**keys)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice on bounds that are infinite or not ±1
        check_env(env, skip_render_check="render_mode" not in keys)
    env.reset(seed=1)
    picture = env.render()
    assert (picture is None) == ("render_mode" not in keys)
    assert picture is None or (picture.shape == (120, 160, 3) and picture.std() > 1.0)


def test_the_checker_passes_among_grains() -> None:
    """A blade in a small bed: contact forces observed, the rate of a drive commanded, and bit-identical resets."""
    bed = runpy.run_path(str(EXAMPLES / "digging-blade.py"))["scene"](0.1, 0.4, 0.05)
    env = gr.gym.Env(bed, observe=lambda sim: [sim.value("lift.displacement"), *sim.contact_force("blade")],
                     act={"jack": (-0.3, 0.3)}, reward=lambda sim: -abs(sim.contact_force("blade")[0]), every=0.01)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)
    episodes = []
    for _ in range(2):
        env.reset(seed=1)
        episodes.append([env.step([-0.3])[0] for _ in range(5)])
    assert (np.array(episodes[0]) == np.array(episodes[1])).all() and np.abs(episodes[0][-1][1:]).max() > 0.0


def episode(env: Any, seed: int | None) -> np.ndarray:
    """Observations and rewards of some steps under the feedback."""
    observation, _ = env.reset(seed=seed)
    rows = []
    for _ in range(10):
        observation, reward, *_ = env.step([GAINS @ observation])
        rows.append([*observation, reward])
    return np.array(rows)


def kick(sim: gr.Simulation, rng: np.random.Generator) -> None:
    """Push the cart for some time."""
    sim.actuate("motor", force=rng.uniform(-5.0, 5.0))
    sim.step(0.1)


@pytest.mark.parametrize("keys", [{"vary": {"start.pole.angle": ("85 deg", "95 deg")}}, {"start": kick}])
def test_a_seed_determines_an_episode(keys: dict[str, Any]) -> None:
    """Bit-identical for the same seed, also in another environment, and different for another seed."""
    env = balancing(**keys)
    first, again, other = episode(env, 3), episode(env, 3), episode(balancing(**keys), 3)
    assert (first == again).all() and (first == other).all() and (episode(env, 4) != first).any()


def test_starts_differ_between_seeds_and_stay_between_their_limits() -> None:
    env = balancing(observe=["pole.angle"], vary={"start.pole.angle": ("85 deg", 1.6)})
    angles = [float(env.reset(seed=seed)[0][0]) for seed in range(8)]
    assert len(set(angles)) == 8 and np.radians(85.0) <= min(angles) and max(angles) <= 1.6


def test_the_return_of_a_linear_feedback() -> None:
    """Beside the textbook equations, with the force held over each step, integrated by SciPy at 1e-11."""
    env = balancing(scene=upright("93 deg"), until=1.0, interval=0.05,
                    observe=["track.displacement", "track.rate", "pole.angle", "pole.wz"],
                    reward="1 - (pole.angle - pi/2)**2 - 0.01*motor.force**2", terminated=None)
    observation, _ = env.reset()
    y, total, expected, truncated, steps = np.array([0.0, 0.0, np.radians(93.0), 0.0]), 0.0, 0.0, False, 0
    shift = np.array([0.0, 0.0, 0.5 * np.pi, 0.0])
    while not truncated:
        observation, reward, terminated, truncated, _ = env.step([GAINS @ (observation - shift)])
        total, steps = total + reward, steps + 1
        force = float(np.clip(GAINS @ (y - shift), -15.0, 15.0))
        y = solve_ivp(textbook, (0.0, 0.02), y, args=(force,), rtol=1e-11, atol=1e-13, method="DOP853").y[:, -1]
        expected += 1.0 - (y[2] - 0.5 * np.pi) ** 2 - 0.01 * force**2
        assert not terminated
    assert steps == 50
    assert observation == pytest.approx(y, abs=1e-8) and total == pytest.approx(expected, abs=1e-7)
    assert env.run.t == pytest.approx(np.arange(21) * 0.05)


def textbook(t: float, y: np.ndarray, force: float) -> list[float]:
    """(M + m) ẍ - m l (φ̈ sin φ + φ̇² cos φ) = F and m L²/3 φ̈ - m l ẍ sin φ = -m g l cos φ, φ from the horizontal."""
    _, v, phi, w = y
    l = 0.5 * L
    a, alpha = np.linalg.solve([[M + m, -m * l * np.sin(phi)], [-m * l * np.sin(phi), m * L * L / 3.0]],
                               [force + m * l * np.cos(phi) * w * w, -m * g * l * np.cos(phi)])
    return [v, a, w, alpha]


def test_an_episode_ends_where_a_range_is_left() -> None:
    """Without a force the pole falls: from 91° beyond 0.3 rad before a second is over, and not earlier."""
    env = balancing(scene=upright("91 deg"), terminated={"abs(pole.angle - pi/2)": (0.0, 0.3)}, until=5.0)
    env.reset()
    terminated, angles = False, []
    while not terminated:
        observation, _, terminated, truncated, info = env.step([0.0])
        angles.append(abs(float(observation[2]) + np.radians(1.0)))
        assert not truncated
    assert angles[-1] > 0.3 >= angles[-2] and info["t"] < 2.0


def test_a_drive_takes_its_rate_from_the_action() -> None:
    """The rate is reached at the end of the step, at constant acceleration: displacements ½ v h, then v h."""
    scene = upright().vary({"run.until": 1.0})
    scene = scene.model_copy(update={"actuator": {}, "constraint": {
        **scene.constraint, "winch": gr.Drive(joint="track", motion="0")}})
    env = balancing(scene=scene, act={"winch": (-0.5, 0.5)}, reward="-track.displacement", terminated=None)
    env.reset()
    assert env.step([9.0])[0][:2] == pytest.approx([0.005, 0.5], abs=1e-9)  # cut to the bound
    assert env.step([0.5])[1] == pytest.approx(-0.015, abs=1e-9)


@pytest.mark.parametrize(("keys", "names"), [
    ({"observe": ["pivot.angel"]}, ('"pivot"', "angle and rate")),
    ({"reward": "pivot.angle +"}, ("reward", "column")),
    ({"reward": "pendulum.angle"}, ("reward", '"pendulum.angle"')),
    ({"act": ["moter"]}, ('"motor"',)),
    ({"act": {"motor": (1.0, -1.0)}}, ("motor",)),
    ({"act": []}, ("act",)),
    ({"scene": gr.example("cart-pole"), "reward": "1"}, ("motor", "formula")),
    ({"scene": gr.example("cart-pole").vary({"actuator.motor.force": 0, "actuator.motor.limit": None})},
     ("motor", "bounds")),
    ({"every": -1.0}, ("every", "-1")),
    ({"render_mode": "human"}, ("rgb_array",)),
])
def test_what_is_wrong_is_named(keys: dict[str, Any], names: tuple[str, ...]) -> None:
    with refused(gr.GranumError, *names):
        balancing(**keys)


def test_what_is_wrong_later_is_named_too() -> None:
    env = balancing(vary={"start.pole": (0.0, 1.0)})
    with refused(gr.GranumError, "start.pole"):
        env.reset()
    env = balancing()
    env.reset()
    with refused(gr.GranumError, "1 number", "motor"):
        env.step([1.0, 2.0])
    with refused(gr.GranumError, "finite"):
        env.step([np.nan])


def test_without_gymnasium_the_extra_is_named() -> None:
    """The package loads; the class says what to install."""
    code = ("import sys; sys.modules['gymnasium'] = None\nimport granum as gr\ngym = gr.gym\n"
            "try:\n    gym.Env\nexcept gr.GranumError as error:\n    print(error)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    says(done.stdout, 'pip install "granum[gym]"')
