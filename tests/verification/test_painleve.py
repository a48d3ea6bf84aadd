"""Rigid bodies with friction: where Coulomb's law has one solution, none or several, and where contacts open."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import granum as gr
from granum.analytic.virtual_work import VirtualWork
from granum.base.errors import NotConvergedError
from messages import naming, refused, says

G = 9.81


def rod(angle: float, friction: float, slip: float, rate: float, **run: Any) -> gr.Scene:
    """Painlevé's rod: mass 1 kg, half length 1 m, J = 1/3 kg m², its lower end on the floor with the given slip."""
    return gr.Scene(
        system={"coordinates": ("x", "y", "a"), "kinetic": "0.5*(x_dot**2 + y_dot**2) + a_dot**2/6",
                "potential": f"{G}*y", "start": {"x": 0.0, "a": angle, "x_dot": slip - math.sin(angle) * rate,
                                                 "a_dot": rate}},
        constraint={"floor": gr.FormulaConstraint(formula="y - sin(a)"),
                    "tip": gr.FrictionConstraint(normal="floor", slip=("x_dot + sin(a)*a_dot",), friction=friction)},
        run=gr.RunSettings(formulation="virtual-work", **run))


def outcome(angle: float, friction: float, slip: float, rate: float) -> tuple[str, float]:
    """From p N + b = gap acceleration, worked out by hand: what the law allows, and N where that is one motion.

    With the normal (0, 1, -cos a) and the tangent (1, 0, sin a), p = 1 + 3 cos² a + 3 μ sign(slip) sin a cos a and
    b = -g + ȧ² sin a. N ≥ 0 and gap ≥ 0, one of them zero, has one solution for p > 0; for p < 0 none where b < 0 and
    two where b > 0 (Génot and Brogliato 1999).
    """
    sine, cosine = math.sin(angle), math.cos(angle)
    p = 1.0 + 3.0 * cosine**2 + 3.0 * friction * math.copysign(1.0, slip) * sine * cosine
    b = -G + rate**2 * sine
    if p > 0.0:
        return ("leaves", 0.0) if b > 0.0 else ("slides", -b / p)
    return ("several", math.nan) if b > 0.0 else ("none", math.nan)


RANDOM = np.random.default_rng(1895)
STATES = [(1.0, 1.5, -1.0, 0.0), (1.0, 1.5, -1.0, 4.0), (1.0, 1.5, 1.0, 0.0), *zip(
    RANDOM.uniform(0.2, 1.4, 24).tolist(), RANDOM.uniform(0.5, 3.0, 24).tolist(), RANDOM.normal(0, 2, 24).tolist(),
    RANDOM.normal(0, 4, 24).tolist(), strict=True)]


@pytest.mark.parametrize("state", STATES, ids=lambda state: "{:.2f} {:.2f} {:.2f} {:.2f}".format(*state))
def test_every_case_is_told_apart(state: tuple[float, float, float, float]) -> None:
    expected, normal = outcome(*state)
    equations = gr.derive(rod(*state))
    assert isinstance(equations, VirtualWork)
    q, v = equations.start
    if expected == "none":
        with refused(NotConvergedError, '"tip"', "no solution", "inconsistent"):
            equations.touches(q, v)
    elif expected == "several":
        with refused(NotConvergedError, "several", '"tip" slides', '"tip" leaves'):
            equations.touches(q, v)
    else:
        (touch,) = equations.touches(q, v)
        assert touch.mode.name == expected
        assert touch.normal == pytest.approx(normal, rel=1e-12, abs=1e-12)
        assert equations.accelerations(q, v)[1] == pytest.approx(normal - G, rel=1e-10, abs=1e-10)


def test_all_four_cases_were_met() -> None:
    assert {outcome(*state)[0] for state in STATES} == {"slides", "leaves", "none", "several"}


@pytest.mark.parametrize("state", [*STATES[:2], next(s for s in STATES if outcome(*s)[0] == "leaves")])
def test_a_start_without_one_motion_is_refused(state: tuple[float, float, float, float]) -> None:
    word = {"none": "no solution", "several": "several", "leaves": "tensile"}[outcome(*state)[0]]
    for act in (gr.simulate, gr.check):
        with refused(gr.SceneError, word):
            act(rod(*state))


@pytest.mark.parametrize("friction", [0.0, 0.2])
def test_an_opening_contact_ends_the_run_as_an_event(friction: float, tmp_path: Any) -> None:
    """A mass leaves the ball it slides on; the angle from energy, or d(v²)/dφ = 2 R g sin φ - 2 μ (g R cos φ - v²)."""
    R, speed = 1.5, 2.0
    scene = gr.Scene(
        system={"coordinates": ("x", "z"), "kinetic": "0.35*(x_dot**2 + z_dot**2)",
                "potential": f"0.7*{G}*z",
                "parameters": {"R": R}, "start": {"x": 0.0, "z": R, "x_dot": speed}},
        constraint={"ball": gr.FormulaConstraint(formula="(x**2 + z**2 - R**2)/(2*R)"),
                    "rub": gr.FrictionConstraint(normal="ball", slip=("(z*x_dot - x*z_dot)/R",), friction=friction)},
        run=gr.RunSettings(until=5.0, interval=0.05, formulation="virtual-work", tolerance=1e-11))

    def rates(angle: float, square: np.ndarray) -> np.ndarray:
        return 2 * R * G * math.sin(angle) - 2 * friction * (G * R * math.cos(angle) - square)

    def pressing(angle: float, square: np.ndarray) -> float:
        return float(G * R * math.cos(angle) - square[0])

    pressing.terminal = True  # type: ignore[attr-defined]
    truth = solve_ivp(rates, (0.0, 1.5), [speed**2], "DOP853", rtol=1e-12, atol=1e-12, events=pressing, max_step=0.02)
    run = gr.simulate(scene, output=tmp_path / "run.h5", progress=False)
    assert run.finished and run.event is not None
    says(run.event, "rub")
    assert len(run.t) > 5 and run.events[-2] == (run.t[-1], "rub", "leaves")
    angle = math.atan2(run.coordinate("x")[-1], run.coordinate("z")[-1])
    assert angle == pytest.approx(truth.t[-1], abs=1e-9)  # ten steps' errors of 1e-11, and what the event is found to
    assert run.reaction("ball").multiplier[-1] == pytest.approx(0.0, abs=1e-7)
    again = gr.open_run(tmp_path / "run.h5")
    assert again.event == run.event and len(again.t) == len(run.t)


def test_a_rod_that_runs_into_the_paradox_keeps_its_frames(tmp_path: Any) -> None:
    """Sliding the safe way, friction turns the slip round; where the other way has no solution the run stops there.

    A push along x reverses the slip of a rod at a = 1 with μ = 2, and it can neither stick nor slide back.
    """
    scene = rod(1.0, 2.0, 0.05, 0.0, until=1.0, interval=0.001)
    scene = scene.model_copy(update={"system": scene.system.model_copy(update={"forces": {"x": "-60"}})})
    with pytest.raises(NotConvergedError) as stopped:
        gr.simulate(scene, output=tmp_path / "run.h5", progress=False)
    naming(str(stopped.value), "solution", "t = 0.0")
    kept = gr.open_run(tmp_path / "run.h5")
    assert len(kept.t) >= 1 and not kept.finished
