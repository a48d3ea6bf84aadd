"""The result type of all formulations: coordinates there and back, mass matrix, LaTeX, refusals."""

from __future__ import annotations

import numpy as np
import pytest

import granum as gr
import scenes
from messages import refused

FORMULATIONS = ["newton-euler", "lagrange", "scalar"]


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("name", scenes.PLANAR)
def test_coordinates_there_and_back(name: str, formulation: str) -> None:
    """Coordinates give the state they came from, to round-off of angles and sums along paths."""
    equations = gr.derive(scenes.SCENES[name](), formulation)
    q, v = equations.start
    assert len(q) == len(v) == len(equations.coordinates)
    state = equations.to_state(q, v)
    again, rates = equations.from_state(state)
    assert np.exp(1j * again) == pytest.approx(np.exp(1j * q), abs=1e-12)
    assert rates == pytest.approx(v, abs=1e-12)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("name", ["pendulum", "tree", "components", "hanging-ring"])
def test_mass_matrix_is_that_of_the_kinetic_energy(name: str, formulation: str) -> None:
    """½ vᵀ M v is the kinetic energy of the bodies, for any rates."""
    equations = gr.derive(scenes.SCENES[name](), formulation)
    q, v = equations.start
    v = v + np.random.default_rng(5).normal(size=len(v))
    state, movable = equations.to_state(q, v), ~equations.system.fixed
    kinetic = 0.5 * (equations.system.bodies.mass[movable] * state.v[:, movable] ** 2).sum()
    assert 0.5 * v @ equations.mass_matrix(q) @ v == pytest.approx(kinetic, rel=1e-12)


def test_three_disks_of_the_document() -> None:
    """(3.18) corrected: the example of section 3.3.2 term by term, unequal masses and lengths."""
    scene = gr.Scene(
        body=scenes.PIVOT | {f"m{k}": gr.PointMass(mass=float(k)) for k in (1, 2, 3)},
        start={"m1": gr.Start(position=(0.8, -0.6)), "m2": gr.Start(position=(2.0, -1.1)),
               "m3": gr.Start(position=(0.3, -2.0))},
        link={"a": gr.Link(between=("pivot", "m1")), "b": gr.Link(between=("m1", "m2")),
              "c": gr.Link(between=("m1", "m3"))},
        load=scenes.DOWN,
    )
    equations = gr.derive(scene, "lagrange")
    assert equations.coordinates == ("θ(a)", "θ(b)", "θ(c)")
    q, _ = equations.start
    w = np.array([0.3, -0.7, 1.1])
    a = equations.accelerations(q, w)
    length = {"a": 1.0, "b": 1.3, "c": np.hypot(0.5, 1.4)}
    l1, l2, l3 = length.values()
    m1, m2, m3, g = 1.0, 2.0, 3.0, scenes.G
    rows = [
        (m1 + m2 + m3) * l1 * a[0] + m2 * l2 * np.cos(q[0] - q[1]) * a[1] + m3 * l3 * np.cos(q[0] - q[2]) * a[2]
        + m2 * l2 * np.sin(q[0] - q[1]) * w[1] ** 2 + m3 * l3 * np.sin(q[0] - q[2]) * w[2] ** 2
        + (m1 + m2 + m3) * g * np.cos(q[0]),
        m2 * l1 * np.cos(q[1] - q[0]) * a[0] + m2 * l2 * a[1] + m2 * l1 * np.sin(q[1] - q[0]) * w[0] ** 2
        + m2 * g * np.cos(q[1]),
        m3 * l1 * np.cos(q[2] - q[0]) * a[0] + m3 * l3 * a[2] + m3 * l1 * np.sin(q[2] - q[0]) * w[0] ** 2
        + m3 * g * np.cos(q[2]),
    ]
    assert rows == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_latex_has_a_row_for_every_equation(formulation: str) -> None:
    """Three masses: three angle equations, or six components of motion and three of link forces."""
    rows = gr.derive(scenes.pendulum(3), formulation).latex().count("=")
    assert rows == (9 if formulation == "newton-euler" else 3)


def test_reactions_by_name() -> None:
    """A chain at rest: the first rod carries all three masses."""
    equations = gr.derive(scenes.pendulum(3, angle=0.0))
    assert equations.reactions(*equations.start) == pytest.approx(
        {"rod-1": 3 * scenes.G, "rod-2": 2 * scenes.G, "rod-3": scenes.G}
    )


def test_refusals() -> None:
    """An unknown formulation and a vector of the wrong size are answered in words."""
    with refused(gr.GranumError, '"lagrange"'):
        gr.derive(scenes.pendulum(2), "lagrang")
    equations = gr.derive(scenes.pendulum(2))
    with refused(gr.GranumError, "4 numbers"):
        equations.accelerations(np.zeros(3), np.zeros(4))


@pytest.mark.parametrize("formulation", ["newton-euler", "lagrange", "scalar", "fundamental", "gibbs-appell"])
def test_modes_are_those_that_links_allow(formulation: str) -> None:
    """A double pendulum of equal masses and links: ω² = (2 ± √2) g/l, no mode along the links in any formulation."""
    scene = gr.Scene(
        body={"pivot": {"kind": "fixed-point", "position": (0.0, 0.0)}, "a": {"kind": "point-mass", "mass": 1.5},
              "b": {"kind": "point-mass", "mass": 1.5}},
        link={"upper": {"between": ("pivot", "a")}, "lower": {"between": ("a", "b")}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, -9.81)}},
        start={"a": {"position": (0.0, -0.4)}, "b": {"position": (0.0, -0.8)}})
    equations = gr.derive(scene, formulation)
    found = equations.linearize(*equations.start)
    assert len(found.modes) == 4
    expected = np.sqrt((2.0 + np.sqrt(2.0) * np.array([-1.0, 1.0])) * 9.81 / 0.4)
    np.testing.assert_allclose(found.frequencies, expected, rtol=1e-7)
