"""The proposed time step of grains: from the speeds at which they will meet, and what is said if that was too long."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import granum as gr
from grain_scenes import FLOOR, G, grain, gravity, scene
from granum.contact.steps import IMPACT
from granum.contact.world import World
from granum.grains.impacts import impact_speed
from messages import refused, says

DOWN = np.array([0.0, -G, 0.0])


def floor(points: np.ndarray) -> np.ndarray:
    """Signed distance from y = 0."""
    found: np.ndarray = points[:, 1].copy()
    return found


def expected(x: list[list[float]], v: list[list[float]] | None = None, until: float = 100.0) -> float:
    rows = np.array(x)
    speeds = np.zeros((len(x), 3)) if v is None else np.array(v)
    return impact_speed(rows, speeds, rows, DOWN, until, floor, 2)


def test_speed_after_a_fall() -> None:
    """√(v₀² + 2 g L) with L from the lowest point of the grain, at most v₀ + g T; the floor is found to 1e-3 radii."""
    exact = math.sqrt(9.0 + 2 * G * 19.9)
    assert expected([[0.0, 20.0, 0.0, 0.1]], [[0.0, 3.0, 0.0]]) == pytest.approx(exact, rel=1e-5)
    assert expected([[0.0, 20.0, 0.0, 0.1]], [[0.0, -3.0, 0.0]], until=0.9) == 0.0  # 6.7 m: it meets nothing in time
    assert expected([[0.0, 0.1, 0.0, 0.1]]) == 0.0  # at rest on the floor
    assert expected([[0.0, -1.0, 0.0, 0.1]]) == 0.0  # below it


def test_grains_on_each_other_do_not_fall() -> None:
    """A tower at rest falls by nothing."""
    assert expected([[0.0, 0.1 + 0.2 * k, 0.0, 0.1] for k in range(100)]) == 0.0


def test_rain_falls_by_the_room_it_leaves() -> None:
    """Half as dense as a packing, the top of 40 m falls by half of that, 20 m.

    A line through it crosses some 104 disks, so that a height varies by a tenth, and the largest of 200 by a third.
    """
    rng, count = np.random.default_rng(1), int(0.41 * 40.0 * 10.0 / (math.pi * 0.1**2))
    x = np.column_stack([rng.uniform(0, 10, count), rng.uniform(0, 40, count), np.zeros(count), np.full(count, 0.1)])
    drop = expected(x.tolist()) ** 2 / (2 * G)
    assert 20.0 < drop < 20.0 * 4 / 3 * 1.1


def test_a_grain_from_high_above_lands() -> None:
    """r = 1 cm from 5 m: 9.9 m/s. Restitution 0.5 makes it rise to L/4 again, but for frames at 0.01 s."""
    high = scene({"a": grain((0.0, 5.0), radius=1e-2)}, material={"restitution": 0.5},
                 run={"until": 1.6, "interval": 0.01})
    choice = World(high.with_run(solver="moreau")).choice
    assert choice.step == pytest.approx(IMPACT * 1e-2 / math.sqrt(2 * G * (5.0 - 1e-2)), rel=1e-4)
    run = gr.simulate(high)
    landed = math.sqrt(2 * 4.99 / G)
    # it is seen up to half a frame from its highest point, and hits up to 0.1 radii beside the floor
    assert run.position("a")[run.t > landed, 1].max() == pytest.approx(0.01 + 4.99 / 4, abs=0.5 * G * 0.005**2 + 1e-3)
    assert run.figures["largest_overlap"].max() <= IMPACT
    assert not run.summary["notes"]


def test_sources_fall_too() -> None:
    source = {"interval": 1.0, "radius": 1e-3, "material": "stone", "positions": [[0.0, 20.0]]}
    poured = gr.Scene(material={"stone": {"density": 2500.0}}, source={"rain": source}, run={"until": 3.0},
                      boundary={"floor": {"kind": "plane", "position": [0.0, 0.0], "normal": [0.0, 1.0]}},
                      load={"gravity": {"kind": "gravity", "acceleration": [0.0, -G]}})
    step = World(poured.with_run(solver="moreau")).choice.step
    assert step == pytest.approx(IMPACT * 1e-3 / math.sqrt(2 * G * (20.0 - 1e-3)), rel=1e-4)


def test_a_failed_run_recommends_a_shorter_step() -> None:
    """Falling 5 m at a given step the grain moves by more than 3 radii in one: a step 30 times shorter is advised."""
    high = scene({"a": grain((0.0, 5.0), radius=1e-3)}, run={"until": 1.1, "interval": 0.1, "step": 2e-3})
    with refused(gr.NotConvergedError, "step") as error:
        gr.simulate(high)
    recommended = float(re.findall(r"(\S+) s\b", str(error.value))[-1])
    assert recommended < 2e-3 / 30
    assert gr.simulate(high, step=recommended).finished


def test_the_largest_overlap_is_mentioned() -> None:
    """Of a row of disks two enter inside each other: the note says how deep, when and what to do."""
    at = [[0.3 * k, 0.1] for k in range(10)] + [[0.05, 0.1]]
    tap = {"interval": 1.0, "radius": 0.1, "material": "stone", "positions": at, "overlap": "allow"}
    row = gr.Scene(material={"stone": {"density": 2500.0}}, source={"tap": tap}, load={"gravity": gravity(0.0, -G)},
                   boundary={"floor": FLOOR}, run={"until": 0.01, "interval": 0.005, "solver": "soft"})
    run = gr.simulate(row)
    [note] = [note for note in run.summary["notes"] if "radii" in note]
    says(note, "1.5 radii", "t = 0 s", "0.005 s", "step", "stiffness")


def in_field(force: list[str], height: float = 0.3, down: tuple[float, float] = (0.0, 0.0)) -> gr.Scene:
    """Disks of r = 3 mm above a floor, in a field of force."""
    return scene({"a": grain((0.0, height), radius=3e-3), "b": grain((0.1, height), radius=3e-3)}, down=down,
                 load={"field": {"kind": "force-field", "force": force}, "gravity": gravity(*down)},
                 run={"until": 0.05, "interval": 0.005, "solver": "moreau"})


@pytest.mark.parametrize(("force", "down", "largest", "first"), [
    (["0", "-1000*m"], (0.0, 0.0), 1000.0, 1000.0), (["1000*m", "0"], (0.0, 0.0), 1000.0, 1000.0),
    (["0", "-990.19*m"], (0.0, -G), 1000.0, 1000.0),
    (["0", f"{G}*m"], (0.0, -G), G, G),  # they cancel; gravity alone may act where a grain goes
    (["0", "1000*m*sin(2*pi*t/0.2)"], (0.0, -G), 1000.0 - G, G),  # largest at the end
    (["0", "-1/x"], (0.0, -G), G, G)])  # not finite at x = 0: the run reports it
def test_the_step_follows_from_all_that_pushes_grains(force: list[str], down: tuple[float, float], largest: float,
                                                      first: float) -> None:
    """0.01 √(r/a), with a from gravity and fields together at any time; its limit, 0.3 √(r/a), with those of the
    beginning. The start is at rest on the floor.
    """
    choice = World(in_field(force, height=3e-3, down=down)).choice
    assert choice.proposed == pytest.approx(0.01 * math.sqrt(3e-3 / largest), rel=1e-6)
    assert choice.limit == pytest.approx(0.3 * math.sqrt(3e-3 / first), rel=1e-6)


def test_a_field_of_force_hurls_grains_as_gravity_does() -> None:
    """After 0.297 m at 1000 m/s² a grain hits at 24.4 m/s: it moves by 0.1 radii in a step, and overlaps by no more."""
    hurled = in_field(["0", "-1000*m"])
    step = World(hurled).choice.step
    assert step == pytest.approx(IMPACT * 3e-3 / math.sqrt(2.0 * 1000.0 * 0.297), rel=1e-3)
    run = gr.simulate(hurled)
    assert run.figures["largest_move"].max() <= IMPACT * 1.01
    assert run.figures["largest_overlap"].max() <= IMPACT and not run.summary["notes"]


def test_a_shaken_floor_accelerates_grains() -> None:
    """a (2π f)² adds to gravity: 1 mm at 100 Hz is 395 m/s²."""
    shaken = {**FLOOR, "motion": {"amplitude": [0.0, 1e-3], "frequency": 100.0}}
    still, moving = (World(scene({"a": grain((0.0, 0.1))}, boundary={"floor": floor}, run={
        "until": 0.5, "solver": "moreau"})).choice for floor in (FLOOR, shaken))
    assert moving.proposed / still.proposed == pytest.approx(math.sqrt(G / (G + 1e-3 * (200.0 * math.pi) ** 2)))
    assert moving.limit == still.limit
