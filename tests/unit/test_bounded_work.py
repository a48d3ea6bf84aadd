"""Runs that make no progress end soon, name what holds them up, and keep their file; endless ones are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
from granum.analytic.rigid_bodies.equations import BodyEquations
from granum.base.errors import NotConvergedError, SceneError
from granum.base.kernels import Floats
from granum.integrate import driver
from granum.integrate.pace import BATCH, ENDLESS, Driven, Pace, pole
from granum.integrate.rigid_bodies import BodyMotion
from messages import naming

FORMULATIONS = ("newton-euler", "fundamental", "lagrange", "virtual-work", "gibbs-appell")


def crank(motion: str, **run: object) -> gr.Scene:
    """A crank that follows a motion."""
    return gr.Scene(
        body={"base": gr.FixedPoint(position=(0, 0)), "crank": gr.Rod(length=1.0, mass=1.0)},
        constraint={"shaft": gr.Hinge(between=("base", "crank.tail")), "motor": gr.Drive(joint="shaft", motion=motion)},
        run=gr.RunSettings(**{"until": 2.0, "interval": 0.1, **run}))  # type: ignore[arg-type]


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_the_pole_of_a_drive_is_named_with_its_time(formulation: str, tmp_path: Path) -> None:
    scene = crank("0.1/(0.8 - t) - 0.125", formulation=formulation)
    with pytest.raises(NotConvergedError) as stopped:
        gr.simulate(scene, output=tmp_path / "run.h5", progress=False)
    naming(str(stopped.value), "motor", "t = 0.8 s", "without bound")
    run = gr.open_run(tmp_path / "run.h5")
    assert run.t[-1] == pytest.approx(0.7)


@pytest.mark.parametrize("power", [0.5, 1.0, 3.0])
def test_a_pole_is_found_from_three_derivatives(power: float) -> None:
    """x' = (1 - t)^-(p+1): the pole at t = 1, from 1e-4 before it, to the accuracy of a difference."""
    def prescribed(t: float) -> list[Driven]:
        left, p = 1.0 - t, power + 1.0
        return [Driven("still", 1.0, 0.0), Driven("motor", left**-p, p * left ** -(p + 1.0))]

    found = pole(1.0 - 1e-4, 10.0, prescribed)
    assert found is not None
    naming(found, "motor", "t = 1 s")


@pytest.mark.parametrize("motion", ["growth", "vibration"])
def test_fast_motions_without_a_pole_are_none(motion: str) -> None:
    def prescribed(t: float) -> list[Driven]:
        rate, acceleration = ((np.exp(1e5 * t), 1e5 * np.exp(1e5 * t)) if motion == "growth"
                              else (np.cos(1e6 * t), -1e6 * np.sin(1e6 * t)))
        return [Driven("motor", float(rate), float(acceleration))]

    assert all(pole(float(t), 10.0, prescribed) is None for t in np.linspace(0.0, 1e-3, 50))


def test_a_pause_is_no_end() -> None:
    """Short steps for fewer batches than that are let pass, and so is any pace that reaches the end."""
    pace, t = Pace(0.0, 1.0), 0.0
    for _ in range(3):
        for _ in range(ENDLESS - 1):
            t += 1e-9
            assert not pace.stalls(t, BATCH)
        t += 1e-3
        assert not pace.stalls(t, BATCH)
    assert [pace.stalls(t, BATCH) for _ in range(ENDLESS)][-1]


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental"])
def test_years_of_steps_are_refused_before_the_run(formulation: str) -> None:
    """A spring of 1e20 N/m and 1 kg vibrates at 1e10 rad/s; one of 1e6 N/m runs."""
    def scene(stiffness: float) -> gr.Scene:
        return gr.Scene(
            body={"base": gr.FixedPoint(position=(0, 0)), "ball": gr.RigidBody(mass=1.0, inertia=1.0)},
            start={"ball": gr.Start(position=(1.0, 0.0), velocity=(0.0, 1.0))},
            load={"spring": gr.Spring(between=("base", "ball"), stiffness=stiffness)},
            run=gr.RunSettings(until=1.0, interval=1.0, formulation=formulation))

    for refuse in (gr.check, lambda s: gr.simulate(s, progress=False)):
        with pytest.raises(SceneError) as refused:
            refuse(scene(1e20))
        naming(str(refused.value), "run.solver", "1e+10 steps", "radau")
    gr.check(scene(1e6))


def test_dry_friction_at_rest_is_not_taken_for_stiffness() -> None:
    """The slope of sign(rate) between two states is steep, but its modes are held."""
    scene = gr.Scene(
        body={"base": gr.FixedPoint(position=(0, 0)), "block": gr.RigidBody(mass=1e-6, inertia=1.0)},
        constraint={"rail": gr.Slider(between=("base", "block"), axis=(1, 0))},
        load={"rub": gr.FormulaLoad(joint="rail", force="-1000*sign(rate)")}, run=gr.RunSettings(until=10.0))
    gr.check(scene)


def test_so_many_steps_and_no_more_where_a_table_of_longest_steps_ends() -> None:
    """The first table ends amid a batch; batches of seven steps go the same way to the bit as one of all."""
    def batches(most: int | None) -> tuple[list[int], list[int], Floats]:
        scene = crank("0.3*sin(5*t)", formulation="newton-euler")
        motion, ends = BodyMotion(BodyEquations(scene), scene.run), list[int]()
        method, steps, status = motion.method, list[int](), driver.MORE

        def advance(*given: Any) -> int:
            ends.append(method.advance(*given))
            return ends[-1]

        motion.method = method._replace(advance=advance)
        while status == driver.MORE:
            status, progress = motion.integrate(motion.absolute, motion.y, 4.0, lambda t: None, most)
            steps.append(int(progress.steps))
        return steps, ends, motion.y

    (whole,), _, y = batches(None)
    steps, ends, same = batches(7)
    assert driver.TABLE_ENDS in ends
    assert sum(steps) == whole and set(steps[:-1]) == {7} and steps[-1] <= 7
    np.testing.assert_array_equal(same, y)
