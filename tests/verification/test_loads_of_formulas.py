"""Loads in scenes of formulas do what they do among links: springs with their rest length, forces on points."""

from __future__ import annotations

import numpy as np
import pytest

import granum as gr


@pytest.mark.parametrize("damping", [0.0, 0.3])
@pytest.mark.parametrize("rest", [None, 0.2])
def test_spring_as_among_links(rest: float | None, damping: float) -> None:
    """The same masses, link and spring by newton-euler and by formulas: the same accelerations, to round-off."""
    spring = {"kind": "spring", "between": ("pivot", "lower"), "stiffness": 7.0, "damping": damping}
    scene = gr.Scene(
        body={"pivot": {"kind": "fixed-point", "position": (0.0, 0.0)}, "upper": {"kind": "point-mass", "mass": 2.0},
              "lower": {"kind": "point-mass", "mass": 1.5}},
        link={"rod": {"between": ("upper", "lower")}}, load={"spring": {**spring, "rest_length": rest}},
        start={"upper": {"position": (0.3, 0.1), "velocity": (0.0, 0.5)},
               "lower": {"position": (0.5, -0.4), "velocity": (1.25, 1.0)}})
    links, formulas = gr.derive(scene, "newton-euler"), gr.derive(scene, "fundamental")
    a = links.accelerations(*links.start).reshape(2, 2).T.ravel()  # all x, all y; formulas: body by body
    np.testing.assert_allclose(formulas.accelerations(*formulas.start), a, rtol=1e-12)
    np.testing.assert_allclose(formulas.reactions(*formulas.start)["rod"], links.reactions(*links.start)["rod"],
                               rtol=1e-12)


def test_force_on_a_point_turns_the_body() -> None:
    """F at an arm d from the mass centre: v̇ = F/m, I ω̇ = d × F, ü = ½ Eᵀ ω̇ at rest with body axes as they are."""
    arm, force, inertia = np.array([0.4, 0.1, -0.2]), np.array([1.0, -2.0, 0.5]), np.array([0.5, 0.6, 0.7])
    scene = gr.Scene(
        body={"brick": {"kind": "rigid-body", "mass": 3.0, "inertia": tuple(inertia), "points": {"tip": tuple(arm)}}},
        load={"push": {"kind": "force", "on": "brick.tip", "force": tuple(force)}},
        start={"brick": {"position": (0.0, 0.0, 0.0)}})
    equations = gr.derive(scene, "fundamental")
    turning = np.cross(arm, force) / inertia
    np.testing.assert_allclose(equations.accelerations(*equations.start), [*force / 3.0, 0.0, *turning / 2.0],
                               rtol=1e-13, atol=1e-15)
