"""Positions in which constraints lose their independence: a run passes them rightly, or stops and names them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from granum.base.errors import NotConvergedError

FORMULATIONS = ("fundamental", "lagrange", "gibbs-appell", "virtual-work")
ANGLE = 1.0
"""Of both cranks of a parallelogram at the start; they turn by -1 rad/s, so that all bars are in line at t = 1 s."""


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


def rods(dimension: int, driven: bool = False) -> dict[str, Any]:
    """The same of rigid rods on hinges, in 3-D the bar on ball joints. Driven, the crank is too long to turn round."""
    flat, long = dimension == 2, 1.5 if driven else 1.0
    c, s = long * math.cos(ANGLE), long * math.sin(ANGLE)
    head = np.array([3.0, 1.2]) if driven else np.array([2.0 + c, s])
    ends = {"crank": (np.zeros(2), np.array([c, s])), "bar": (np.array([c, s]), head),
            "rocker": (np.array([2.0, 0.0]), head)}

    def start(one: Any, two: Any) -> gr.Start:
        middle, angle = (one + two) / 2, math.atan2(*(two - one)[::-1])
        if flat:
            return gr.Start(position=tuple(middle), angle=angle)
        return gr.Start(position=(*middle, 0.0), orientation=(math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2)))

    axis: dict[str, Any] = {} if flat else {"axis": (0.0, 0.0, 1.0)}
    joint = gr.Hinge if flat else gr.BallJoint
    lengths = {name: float(np.linalg.norm(two - one)) for name, (one, two) in ends.items()}
    constraint: dict[str, Any] = {
        "h1": gr.Hinge(between=("p", "crank.tail"), **axis), "h2": joint(between=("crank.head", "bar.tail")),
        "h3": joint(between=("bar.head", "rocker.head")), "h4": gr.Hinge(between=("q", "rocker.tail"), **axis)}
    if driven:
        constraint["motor"] = gr.Drive(joint="h1", motion="-t")
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
        assert "the system passes a singular position: the constraints" in str(error)
        assert 0.99 < float(str(error).split("t = ")[1].split(" ")[0]) <= 1.01
        return
    angle = ANGLE - run.t
    expected = np.column_stack([2.0 + radius * np.cos(angle), radius * np.sin(angle)])
    assert_allclose(run.position(body)[:, :2], expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("case", ["points, 2-D", "points, 3-D", "rods, 2-D", "rods, 3-D", "formulas"])
def test_gibbs_appell_stops_at_every_one(case: str) -> None:
    """It took another branch without a word; quasi-velocities chosen anew lead it to the very position."""
    scene = gr.Scene(**PARALLELOGRAMS[case][0],
                     run=gr.RunSettings(until=2.0, interval=0.05, formulation="gibbs-appell"))
    with pytest.raises(NotConvergedError, match="passes a singular position"):
        gr.simulate(scene, progress=False)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_a_drive_beyond_what_the_bars_allow_is_named(dimension: int, formulation: str, tmp_path: Any) -> None:
    """The crank is driven to where bar and rocker are in line; they cannot follow, in 2-D and in 3-D alike."""
    scene = gr.Scene(**rods(dimension, driven=True),
                     run=gr.RunSettings(until=4.0, interval=0.05, formulation=formulation))
    with pytest.raises(NotConvergedError, match=r"passes a singular position: the constraints .*motor"):
        gr.simulate(scene, output=tmp_path / "run.h5", progress=False)
    assert len(gr.open_run(tmp_path / "run.h5").t) > 1
