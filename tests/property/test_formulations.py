"""Lagrange and Newton-Euler are written from different coordinates; they and plain Newton must agree."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import assume, given
from numpy.testing import assert_allclose

import granum as gr
from dense import Dense, dense
from granum.base.kernels import Floats
from messages import refused
from scenes import PLANAR, SCENES, net, pendulum
from trusses import Shape, shapes, truss, well_posed

ACCURACY = 1e-10
"""The agreement that the design asks of any two formulations, relative to the largest value."""


def assert_agree(found: Floats, expected: Floats) -> None:
    assert_allclose(found, expected, rtol=0, atol=ACCURACY * (1e-3 + np.abs(expected).max(initial=0.0)))


def angular(found: Dense, a: Floats, coordinates: tuple[str, ...]) -> Floats:
    """Second derivatives of Lagrange's coordinates from the accelerations of the bodies.

    θ = atan2(Y, X) of a link gives θ̈ = (X Ÿ - Y Ẍ)/l², as long as its length does not change.
    """
    link = {found.system.link_name(k): k for k in range(found.system.link_count)}
    body = {found.system.body_name(k): k for k in range(found.system.body_count)}
    values = []
    for name in coordinates:
        kind, of = name[0], name[2:-1]
        if kind == "θ":
            i, j = found.system.links.tail[link[of]], found.system.links.head[link[of]]
            (X, Y), (A, B) = found.state.x[:, j] - found.state.x[:, i], a[:, j] - a[:, i]
            values.append((X * B - Y * A) / (X * X + Y * Y))
        else:
            values.append(a["xy".index(kind), body[of]])
    return np.array(values)


def assert_all_agree(scene: gr.Scene) -> None:
    """Accelerations and link forces of both formulations are those of Newton's law."""
    found = dense(scene)
    gamma = found.forces()
    a = found.accelerations(gamma)
    for formulation in ("newton-euler", "lagrange"):
        equations = gr.derive(scene, formulation)
        q, v = equations.start
        expected = a[:, ~found.system.fixed].ravel()
        if formulation == "lagrange":
            expected = angular(found, a, equations.coordinates)
        assert_agree(equations.accelerations(q, v), expected)
        assert_agree(equations.link_forces(q, v), gamma)


@given(shapes(dimensions=(2,), extra=0, springs=4))
def test_trees_with_springs(shape: Shape) -> None:
    scene = truss(shape)
    assume(well_posed(scene))
    assert_all_agree(scene)


@given(shapes(dimensions=(2,), extra=5, springs=4))
def test_closed_loops_with_springs(shape: Shape) -> None:
    """Also where there are more links than freedoms: forces of least norm from both."""
    scene = truss(shape)
    found = dense(scene)
    assume(np.linalg.eigvalsh(found.H)[len(found.b) - found.rank :].min(initial=1.0) > 1e-2)
    assert_all_agree(scene)


@pytest.mark.parametrize("name", PLANAR)
def test_known_scenes(name: str) -> None:
    assert_all_agree(SCENES[name]())


@given(shapes(dimensions=(2,), springs=0))
def test_kinetic_energy_is_in_the_mass_matrix(shape: Shape) -> None:
    """½ wᵀ M(q) w = ½ Σ m v², and states go to coordinates and back."""
    scene = truss(shape)
    found = dense(scene)
    mass = np.where(found.system.fixed, 0.0, found.system.bodies.mass)
    kinetic = 0.5 * float((mass * found.state.v**2).sum())
    for formulation in ("newton-euler", "lagrange"):
        equations = gr.derive(scene, formulation)
        q, w = equations.start
        assert w @ equations.mass_matrix(q) @ w / 2.0 == pytest.approx(kinetic, rel=1e-11, abs=1e-14)
        back = equations.to_state(q, w)
        assert_allclose(back.x, found.state.x, rtol=0, atol=1e-13)
        assert_allclose(back.v, found.state.v, rtol=0, atol=1e-12)


@given(shapes(dimensions=(2,), springs=0))
def test_angles_are_those_of_the_links(shape: Shape) -> None:
    """θ of a tree link is its direction from tail to head, counted from the x axis."""
    found = dense(truss(shape))
    equations = gr.derive(found.system.scene, "lagrange")
    q, _ = equations.start
    arm = found.state.x[:, found.system.links.head] - found.state.x[:, found.system.links.tail]
    for name, value in zip(equations.coordinates, q, strict=True):
        if name.startswith("θ"):
            link = found.system.link_names.find(name[2:-1])
            X, Y = arm[:, found.system.link_rank[link]]
            assert value == pytest.approx(np.arctan2(Y, X), abs=1e-14)


def test_what_a_formulation_cannot_do_it_says() -> None:
    with refused(gr.GranumError, "lagrange", "2-D"):
        gr.derive(net(), "lagrange")
    with refused(gr.GranumError, '"lagrang"', '"lagrange"'):
        gr.derive(pendulum(), "lagrang")
    equations = gr.derive(pendulum(3))
    with refused(gr.GranumError, "6 numbers"):
        equations.accelerations(np.zeros(5), np.zeros(6))


@pytest.mark.parametrize(("formulation", "lines"), [("newton-euler", 9), ("lagrange", 3)])
def test_latex_has_an_equation_for_every_unknown(formulation: str, lines: int) -> None:
    """Newton-Euler: one per component of a body and one per link; Lagrange: one per angle."""
    text = gr.derive(pendulum(3), formulation).latex()
    assert text.count("=") == lines
    assert text.count("{") == text.count("}")
    assert set(re.findall(r"\\(?:gamma|theta)_\{(\d+)\}", text)) == {"1", "2", "3"}
