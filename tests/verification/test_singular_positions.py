"""Positions in which constraints lose their independence: a run passes them rightly, or stops and names them."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad, solve_ivp

import granum as gr
from granum.base.errors import NotConvergedError
from messages import naming, refused

FORMULATIONS = ("fundamental", "lagrange", "gibbs-appell", "virtual-work")
CRANK = 1.5
"""Length of a crank that cannot turn round [m]."""
ANGLE = 1.0
"""Of both cranks of a parallelogram at the start; they turn by -1 rad/s, so that all bars are in line at t = 1 s."""


def time_of(error: BaseException) -> float:
    """The time that a message names."""
    return float(str(error).split("t = ")[1].split(" ")[0])


def points(dimension: int) -> dict[str, Any]:
    """Two masses on rods of 1 m, joined by one of 2 m."""
    def at(*place: float) -> tuple[float, ...]:
        return (*place, 0.0)[:dimension]

    c, s = math.cos(ANGLE), math.sin(ANGLE)
    return {
        "body": {"p": gr.FixedPoint(position=at(0.0, 0.0)), "q": gr.FixedPoint(position=at(2.0, 0.0)),
                 "a": gr.PointMass(mass=1.0), "b": gr.PointMass(mass=1.0)},
        "link": {"left": gr.Link(between=("p", "a")), "bar": gr.Link(between=("a", "b")),
                 "right": gr.Link(between=("b", "q"))},
        "start": {"a": gr.Start(position=at(c, s), velocity=at(s, -c)),
                  "b": gr.Start(position=at(2.0 + c, s), velocity=at(s, -c))}}


def rods(
    dimension: int, driven: bool = False, motion: str = "-t", corner: tuple[float, float] = (3.0, 1.2),
    hinges: bool = False,
) -> dict[str, Any]:
    """The same of rigid rods on hinges, in 3-D the bar on ball joints. Driven, the crank is too long to turn round."""
    flat, long = dimension == 2, CRANK if driven else 1.0
    c, s = long * math.cos(ANGLE), long * math.sin(ANGLE)
    head = np.array(corner) if driven else np.array([2.0 + c, s])
    ends = {"crank": (np.zeros(2), np.array([c, s])), "bar": (np.array([c, s]), head),
            "rocker": (np.array([2.0, 0.0]), head)}

    def start(one: Any, two: Any) -> gr.Start:
        middle, angle = (one + two) / 2, math.atan2(*(two - one)[::-1])
        if flat:
            return gr.Start(position=tuple(middle), angle=angle)
        return gr.Start(position=(*middle, 0.0), orientation=(math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2)))

    axis: dict[str, Any] = {} if flat else {"axis": (0.0, 0.0, 1.0)}
    joint: Any = gr.Hinge if flat else partial(gr.Hinge, **axis) if hinges else gr.BallJoint
    lengths = {name: float(np.linalg.norm(two - one)) for name, (one, two) in ends.items()}
    constraint: dict[str, Any] = {
        "h1": gr.Hinge(between=("p", "crank.tail"), **axis), "h2": joint(between=("crank.head", "bar.tail")),
        "h3": joint(between=("bar.head", "rocker.head")), "h4": gr.Hinge(between=("q", "rocker.tail"), **axis)}
    if driven:
        constraint["motor"] = gr.Drive(joint="h1", motion=motion)
    begin = {name: start(*pair) for name, pair in ends.items()}
    if not driven:
        spin, v = -1.0, np.array([s, -c])
        for name, velocity, w in (("crank", v / 2, spin), ("bar", v, 0.0), ("rocker", v / 2, spin)):
            begin[name] = begin[name].model_copy(update={
                "velocity": tuple(velocity) if flat else (*velocity, 0.0),
                "angular_velocity": (0.0, 0.0, w)})
    return {
        "body": {"p": gr.FixedPoint(position=(0.0, 0.0) if flat else (0.0, 0.0, 0.0)),
                 "q": gr.FixedPoint(position=(2.0, 0.0) if flat else (2.0, 0.0, 0.0)),
                 **{name: gr.Rod(length=size, mass=1.0, **({} if flat else {"radius": 0.05}))
                    for name, size in lengths.items()}},
        "constraint": constraint, "start": begin}


def formulas() -> dict[str, Any]:
    """The same with equal inertia of all angles; in line, the row of x has no gradient at all."""
    return {"system": {"coordinates": ("a", "b", "c"), "kinetic": "0.5*(a_dot**2 + b_dot**2 + c_dot**2)",
                       "start": {"a": ANGLE, "b": 0.0, "a_dot": -1.0}, "guess": {"c": ANGLE},
                       "points": {"tip": ("cos(a)", "sin(a)"), "far": ("2 + cos(c)", "sin(c)")}},
            "constraint": {"x": gr.FormulaConstraint(formula="cos(a) + 2*cos(b) - cos(c) - 2"),
                           "y": gr.FormulaConstraint(formula="sin(a) + 2*sin(b) - sin(c)")}}


PARALLELOGRAMS: dict[str, tuple[dict[str, Any], str, float]] = {
    "points, 2-D": (points(2), "b", 1.0), "points, 3-D": (points(3), "b", 1.0), "rods, 2-D": (rods(2), "rocker", 0.5),
    "rods, 3-D": (rods(3), "rocker", 0.5), "formulas": (formulas(), "far", 1.0)}


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("case", PARALLELOGRAMS)
def test_the_branch_is_kept_or_the_position_is_named(case: str, formulation: str) -> None:
    """Without loads the cranks turn evenly, θ = 1 - t, past the line at t = 1 s; the other branch is crossed bars.

    A run that goes on must be there to 1e-6 m: the error of 1e-9 a step, magnified near the line.
    """
    entries, body, radius = PARALLELOGRAMS[case]
    if case == "points, 2-D" and formulation == "lagrange":
        pytest.skip("angles of links, without rows for them")
    if case == "points, 3-D" and formulation == "lagrange":
        pytest.skip("refused: planar")
    try:
        run = gr.simulate(gr.Scene(**entries, run=gr.RunSettings(until=2.0, interval=0.05, formulation=formulation)),
                          progress=False)
    except NotConvergedError as error:
        naming(str(error), "singular position", "constraints")
        assert 0.99 < time_of(error) <= 1.01
        return
    angle = ANGLE - run.t
    expected = np.column_stack([2.0 + radius * np.cos(angle), radius * np.sin(angle)])
    assert_allclose(run.position(body)[:, :2], expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("case", ["points, 2-D", "points, 3-D", "rods, 2-D", "rods, 3-D", "formulas"])
def test_gibbs_appell_stops_at_every_one(case: str) -> None:
    """It took another branch without a word; quasi-velocities chosen anew lead it to the very position."""
    scene = gr.Scene(**PARALLELOGRAMS[case][0],
                     run=gr.RunSettings(until=2.0, interval=0.05, formulation="gibbs-appell"))
    with refused(NotConvergedError, "singular position"):
        gr.simulate(scene, progress=False)


LIMITS = {"folded": ("-t", (3.0, 1.2), -1), "stretched": ("t", (2.2, 1.5), 1)}
"""Motion of the crank, end of bar and rocker at the start, and sign: bar and rocker in line have the length b ± c."""


def limit(corner: tuple[float, float], sign: int) -> float:
    """Angle of the crank where bar and rocker are in line, by the cosine rule in the triangle with the frame."""
    tip = CRANK * np.array([math.cos(ANGLE), math.sin(ANGLE)])
    b, c = np.linalg.norm(np.array(corner) - tip), np.linalg.norm(np.array(corner) - [2.0, 0.0])
    return math.acos(float(CRANK**2 + 2.0**2 - (b + sign * c) ** 2) / (2.0 * CRANK * 2.0))


@pytest.mark.parametrize("formulation", ["newton-euler", *FORMULATIONS])
@pytest.mark.parametrize("case", LIMITS)
@pytest.mark.parametrize("dimension, hinges", [(2, False), (3, False), (3, True)])
def test_a_drive_beyond_what_the_bars_allow_is_named(
    dimension: int, hinges: bool, case: str, formulation: str, tmp_path: Any,
) -> None:
    """The crank is driven to where bar and rocker are in line; they cannot follow, in 2-D and in 3-D alike.

    A singular position is one within 1e-4 rad of bar or rocker. The crank is then within 1e-8 rad, as the square; its
    speed is 1 rad/s. gibbs-appell, which has no corrections, comes within 1e-4 s. newton-euler ran on to the end.
    """
    motion, corner, sign = LIMITS[case]
    scene = gr.Scene(**rods(dimension, True, motion, corner, hinges),
                     run=gr.RunSettings(until=4.0, interval=0.05, formulation=formulation))
    with refused(NotConvergedError, "singular position", "motor") as stopped:
        gr.simulate(scene, output=tmp_path / "run.h5", progress=False)
    assert abs(time_of(stopped.value) - abs(limit(corner, sign) - ANGLE)) < 1e-4
    run = gr.open_run(tmp_path / "run.h5")
    assert len(run.t) > 1
    assert run.constraint_errors.relative.max() < 1e-6


def test_a_drive_that_turns_back_before_the_limit_goes_on() -> None:
    """It comes within 1 % of the angle that is left, and no row of the joints is left out."""
    _, corner, sign = LIMITS["folded"]
    left = ANGLE - limit(corner, sign)
    scene = gr.Scene(**rods(2, True, f"{-0.99 * left!r}*sin(t)", corner), run=gr.RunSettings(until=6.0, interval=0.05))
    run = gr.simulate(scene, progress=False)
    assert run.t[-1] == 6.0
    assert run.constraint_errors.relative.max() < 1e-6


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("case", LIMITS)
def test_a_free_crank_turns_back_at_the_limit(case: str, dimension: int) -> None:
    """Bar and rocker pass the line by their inertia: the constraints stay independent, and energy is kept.

    The crank reaches its extreme angle to what a parabola leaves between two frames, and never goes beyond it.
    """
    motion, corner, sign = LIMITS[case]
    entries = rods(dimension, True, motion, corner)
    del entries["constraint"]["motor"]
    way = -1.0 if motion == "-t" else 1.0
    entries["start"]["crank"] = entries["start"]["crank"].model_copy(update={"angular_velocity": (0.0, 0.0, way)})
    run = gr.simulate(gr.Scene(**entries, run=gr.RunSettings(until=3.0, interval=0.005)), progress=False)
    x, y = run.position("crank")[:, :2].T
    beyond = way * (np.arctan2(y, x) - limit(corner, sign))
    assert -1e-3 < beyond.max() < 1e-8
    assert_allclose(run.energy.kinetic, run.energy.kinetic[0], rtol=1e-7)
    assert run.constraint_errors.relative.max() < 1e-9


LINKED = [*(("newton-euler", solver) for solver in ("dop853", "adams", "rk4", "rattle", "mixed")),
          *((formulation, solver) for formulation in ("lagrange", "scalar") for solver in ("dop853", "adams", "rk4")),
          *((formulation, "dop853") for formulation in ("fundamental", "virtual-work", "gibbs-appell"))]
GRAVITY = {"down": (0.0, -9.81, 0.0)}


@pytest.mark.parametrize("formulation, solver", LINKED)
@pytest.mark.parametrize("dimension", [2, 3])
def test_falling_points_keep_their_branch_or_stop(dimension: int, formulation: str, solver: str) -> None:
    """Under gravity the cranks turn as a pendulum, θ̈ = -g cos θ, past the line once within 0.8 s.

    A run that stops names links and time; between the ends of a step (0.037 s at most, in which the speed changes by
    a tenth) the time is found to 1e-3 s, where a step of rattle or mixed fails to one step of 0.005 s.
    """
    if formulation == "lagrange" and dimension == 3:
        pytest.skip("refused: planar")
    entries = points(dimension)
    entries["body"]["b"] = gr.PointMass(mass=1.7)
    entries["load"] = {"down": gr.Gravity(acceleration=(0.0, -9.81, 0.0)[:dimension])}
    settings: dict[str, Any] = {} if solver in ("dop853", "adams") else {"step": 0.005 if solver == "rattle" else 1e-3}
    scene = gr.Scene(**entries, run=gr.RunSettings(until=0.8, interval=0.037, formulation=formulation, solver=solver,
                                                   **settings))
    passage = quad(lambda angle: 1.0 / math.sqrt(1.0 + 2.0 * 9.81 * (math.sin(ANGLE) - math.sin(angle))), 0.0, ANGLE)[0]
    try:
        run = gr.simulate(scene, progress=False)
    except NotConvergedError as error:
        naming(str(error), "singular position", "left, bar, right")
        assert abs(time_of(error) - passage) < 0.006
        return
    assert formulation in ("fundamental", "virtual-work", "gibbs-appell")
    angle = solve_ivp(lambda t, y: [y[1], -9.81 * math.cos(y[0])], (0.0, run.t[-1]), [ANGLE, -1.0], t_eval=run.t,
                      rtol=1e-12, atol=1e-13).y[0]
    expected = np.column_stack([2.0 + np.cos(angle), np.sin(angle)])
    assert_allclose(run.position("b")[:, :2], expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("tolerance", [1e-9, 1e-6, 1e-4])
@pytest.mark.parametrize("formulation", ["newton-euler", "lagrange", "scalar"])
@pytest.mark.parametrize("angle", [0.9, 1.0, 1.1])
def test_no_start_lets_links_change_the_branch(
    angle: float, formulation: str, tolerance: float, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Steps end at other distances from the line, which the cranks pass several times in 2 s.

    Of 21 runs from seven angles of 0.9 to 1.1 rad, 5 of newton-euler and 7 of lagrange ended more than 1 cm off.
    """
    monkeypatch.setattr(f"{__name__}.ANGLE", angle)
    entries = points(2)
    entries["body"]["b"] = gr.PointMass(mass=1.7)
    entries["load"] = {"down": gr.Gravity(acceleration=(0.0, -9.81))}
    scene = gr.Scene(**entries, run=gr.RunSettings(until=2.0, interval=0.037, formulation=formulation,
                                                   tolerance=tolerance))
    with refused(NotConvergedError, "singular position", "left, bar, right"):
        gr.simulate(scene, progress=False)


@pytest.mark.parametrize("formulation, solver", [pair for pair in LINKED if pair[1] in ("dop853", "adams", "rk4")])
def test_links_that_pass_near_a_singular_position_go_on(formulation: str, solver: str) -> None:
    """A bar that is 1 % longer never comes in line with both cranks: the motion is smooth, and all agree."""
    def run(formulation: str, solver: str) -> Any:
        entries = points(2)
        del entries["start"]["b"]
        c, s = math.cos(ANGLE), math.sin(ANGLE)
        entries["link"] = {"left": gr.Link(between=("p", "a"), length=1.0),
                           "bar": gr.Link(between=("a", "b"), length=2.02),
                           "right": gr.Link(between=("b", "q"), length=1.0)}
        entries["start"]["b"] = gr.Start(position=(2.0 + c, s), guess=("position",))
        entries["start"]["a"] = gr.Start(position=(c, s), velocity=(s, -c))
        return gr.simulate(gr.Scene(**entries, run=gr.RunSettings(
            until=2.0, interval=0.05, formulation=formulation, solver=solver, step=1e-3)), progress=False)

    expected = run("fundamental", "dop853").position("b")
    assert_allclose(run(formulation, solver).position("b"), expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("load", [{}, GRAVITY])
def test_scalar_of_rigid_bodies_stops(load: dict[str, Any]) -> None:
    """Two rods on ball joints with a link between their ends; under gravity the branch was another one."""
    entries = rods(3)
    del entries["body"]["bar"], entries["start"]["bar"]
    entries["link"] = {"tie": gr.Link(between=("crank.head", "rocker.head"))}
    entries["constraint"] = {"h1": gr.BallJoint(between=("p", "crank.tail")),
                             "h4": gr.BallJoint(between=("q", "rocker.tail"))}
    entries["load"] = {name: gr.Gravity(acceleration=value) for name, value in load.items()}
    scene = gr.Scene(**entries, run=gr.RunSettings(until=2.0, interval=0.037, formulation="scalar"))
    with refused(NotConvergedError, "singular position", "tie"):
        gr.simulate(scene, progress=False)
