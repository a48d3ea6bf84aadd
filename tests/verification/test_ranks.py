"""Rank of constraints that depend on one another: redundant mechanisms, rolling on surfaces, singular positions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import granum as gr
from granum.base.kernels import Floats
from mechanisms import GRAVITY, Governor

FORMULAS = ("fundamental", "lagrange", "virtual-work", "gibbs-appell")


@pytest.mark.parametrize("thickness", [0.02, 0.002])
def test_a_redundant_governor_moves_by_its_closed_form_without_a_change_of_rank(thickness: float) -> None:
    """Slender arms rotate easily about their own axes, and every half turn other rows carry the load.

    Steps grow shorter with the arms (see the limits of mechanisms), here to 10 000 evaluations in a second.
    """
    governor = Governor(thickness)
    run = gr.simulate(governor.scene(until=1.0, interval=0.05, tolerance=1e-10))
    assert set(run.statistics["redundant"][1:]) == {6}
    assert run.statistics["rank_changes"].sum() == 0 and not any("singular" in note for note in run.summary["notes"])
    assert run.statistics["evaluations"].sum() < 20_000
    theta, phi = governor.motion(run.t)
    np.testing.assert_allclose(run.position("sleeve")[:, 2], governor.sleeve(theta), rtol=0, atol=1e-9)
    out = governor.offset + governor.arm * np.sin(theta)
    np.testing.assert_allclose(run.position("ball-1")[:, 0], out * np.cos(phi), rtol=0, atol=2e-9)


@pytest.mark.parametrize("thickness", [1e-5, 0.02])
def test_the_rank_of_a_mechanism_does_not_depend_on_how_slender_it_is(thickness: float) -> None:
    said = gr.check(Governor(thickness, speed=0.0).scene())
    assert said.degrees_of_freedom == 2 and said.redundant[0][1] == 6


def test_a_redundant_governor_that_rotates_at_the_start_has_an_equilibrium() -> None:
    """On a spring, at rest; the angle from the slope of the potential alone."""
    stiffness, rest_length = 300.0, 0.5
    governor = Governor(0.001)
    scene = governor.scene(spring={"kind": "spring", "between": ("foot", "sleeve"), "stiffness": stiffness,
                                   "rest_length": rest_length})
    rest = gr.equilibrium(scene)

    def slope(theta: float) -> float:
        z = float(governor.sleeve(theta))
        return governor.potential_slope(theta) + stiffness * (z - rest_length) * 2.0 * governor.arm * math.sin(theta)

    assert rest.stable
    assert rest["sleeve.z"] == pytest.approx(float(governor.sleeve(brentq(slope, 0.1, 1.5))), abs=1e-9)


def test_a_parallelogram_that_passes_its_flat_position_changes_its_rank() -> None:
    """A true singular position: rows are left out for some steps, and return."""
    bars = {name: {"kind": "rod", "length": length, "mass": 1.0}
            for name, length in (("crank", 1.0), ("coupler", 2.0), ("rocker", 1.0))}
    scene = gr.Scene(
        body={"left": {"kind": "fixed-point", "position": (0.0, 0.0)},
              "right": {"kind": "fixed-point", "position": (2.0, 0.0)}, **bars},
        start={"crank": {"angle": 1.0, "angular_velocity": 5.0}, "coupler": {"angle": 0.0},
               "rocker": {"angle": 1.0, "angular_velocity": 5.0}},
        constraint={"a": {"kind": "hinge", "between": ("left", "crank.tail")},
                    "b": {"kind": "hinge", "between": ("crank.head", "coupler.tail")},
                    "c": {"kind": "hinge", "between": ("coupler.head", "rocker.head")},
                    "d": {"kind": "hinge", "between": ("right", "rocker.tail")}},
        run={"until": 1.0, "interval": 0.5})
    run = gr.simulate(scene)  # without loads: at constant speed, from 1 rad through π to 6 rad
    np.testing.assert_allclose(run.angle("rocker"), 1.0 + 5.0 * run.t, atol=1e-6)
    assert run.statistics["rank_changes"].sum() == 2 and any("singular" in note for note in run.summary["notes"])


# ---- a disk that rolls in a bowl


def bowl(formulation: str, tolerance: float, interval: float) -> gr.Scene:
    """A disk that leans rolls on its edge in a paraboloid; slip along the normal follows from the other rows."""
    lean = 0.5 * (0.5 * math.pi - 0.3)
    return gr.Scene(
        body={"disk": {"kind": "disk", "radius": 0.1, "mass": 1.0}},
        surface={"bowl": {"equation": "Z - (X**2 + Y**2)/4"}},
        constraint={"roll": {"kind": "rolling", "body": "disk", "on": "bowl"}},
        start={"disk": {"position": (0.3, 0.0, 0.2), "guess": ("position",), "angular_velocity": (0.0, 0.5, 6.0),
                        "orientation": (math.cos(lean), math.sin(lean), 0.0, 0.0)}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, 0.0, -GRAVITY)}},
        run={"until": 0.5, "interval": interval, "tolerance": tolerance, "formulation": formulation})


@pytest.fixture(scope="module")
def rolled() -> tuple[Floats, Floats]:
    """Position and normal force at the end, by gibbs-appell to many digits."""
    run = gr.simulate(bowl("gibbs-appell", 1e-13, 0.5))
    return run.position("disk")[-1], run.reaction("roll").normal[-1:]


@pytest.mark.parametrize("interval", [0.005, 0.5])
@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-11])
@pytest.mark.parametrize("formulation", FORMULAS)
def test_a_disk_rolls_in_a_bowl_at_any_tolerance_and_interval(
    rolled: tuple[Floats, Floats], formulation: str, tolerance: float, interval: float,
) -> None:
    """Off the constraints a row that depends on others seems independent, by the square of the error of the stage."""
    run = gr.simulate(bowl(formulation, tolerance, interval))
    assert run.t[-1] == 0.5 and run.event is None
    np.testing.assert_allclose(run.position("disk")[-1], rolled[0], rtol=0, atol=3e3 * tolerance)
    np.testing.assert_allclose(run.reaction("roll").normal[-1:], rolled[1], rtol=1e5 * tolerance)
    assert run.energy.largest_error < 300.0 * tolerance
    assert run.reaction("roll").unique is not None and run.reaction("roll").unique.all()
