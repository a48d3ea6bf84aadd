"""Definitions and points of systems of formulas: names for parts, their rates, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import granum as gr
from granum.base.errors import GranumError, SceneError
from messages import refused


def swing(**changes: Any) -> gr.Scene:
    """A pendulum whose kinetic energy is written by the rates of defined coordinates."""
    system: dict[str, Any] = {
        "coordinates": ["q"], "parameters": {"l": 0.7, "g": 9.81},
        "definitions": {"x": "l*sin(q)", "y": "-l*cos(q)", "speed": "sqrt(x_dot**2 + y_dot**2)"},
        "kinetic": "speed**2/2", "potential": "g*y", "start": {"q": 1.0, "q_dot": 0.3},
        "points": {"pivot": ("0", "0"), "bob": ("x", "y")}, "lines": (("pivot", "bob"),), **changes}
    return gr.Scene(system=gr.FormulaSystem(**system), run=gr.RunSettings(formulation="fundamental", tolerance=1e-11))


def test_definitions_stand_for_formulas_and_rates() -> None:
    """The same acceleration as with everything written out, -g/l sin q."""
    found = gr.derive(swing()).accelerations(np.array([0.8]), np.array([0.5]))
    assert found == pytest.approx(-9.81 / 0.7 * np.sin(0.8), rel=1e-13)


def test_points_are_recorded_and_joined() -> None:
    """A run knows positions and velocities of points, and which of them to join; from Python too."""
    system = gr.analytic.System("q", parameters={"l": 0.7, "g": 9.81}, definitions={"x": "l*sin(q)", "y": "-l*cos(q)"},
                                kinetic="(x_dot**2 + y_dot**2)/2", potential="g*y",
                                points={"pivot": (0.0, 0.0), "bob": ("x", "y")}, lines=[("pivot", "bob")])
    runs = [gr.simulate(swing()), gr.simulate(system, start={"q": 1.0, "q_dot": 0.3}, tolerance=1e-11)]
    for run in runs:
        q, w = run.coordinate("q"), run.rate("q")
        assert run.position("bob") == pytest.approx(0.7 * np.column_stack([np.sin(q), -np.cos(q)]), abs=1e-14)
        assert run.velocity("bob") == pytest.approx(0.7 * np.column_stack([np.cos(q) * w, np.sin(q) * w]), abs=1e-13)
        assert run.line_ends.tolist() == [[0, 1]]


@pytest.mark.parametrize(("changes", "name"), [
    ({"definitions": {"x": "l*sin(p)"}}, ">>p<<"),
    ({"definitions": {"x": "y", "y": "q"}, "kinetic": "q_dot**2/2"}, ">>y<<"),
    ({"definitions": {"q": "2"}}, '"q"'),
    ({"definitions": {"x": "q_dot"}, "kinetic": "q_dot**2/2 + x_dot", "potential": "0", "points": {},
      "lines": ()}, ">>x_dot<<"),
    ({"points": {"bob": ("x", "y"), "tip": ("x", "y", "0")}}, "points"),
    ({"points": {"bob": ("x",)}, "lines": ()}, "points"),
    ({"lines": (("pivot", "bib"),)}, '"bib"'),
])
def test_what_does_not_fit_is_named(changes: dict[str, Any], name: str) -> None:
    """Unknown names, later definitions, names used twice, rates of rates, points that do not fit."""
    with refused((SceneError, GranumError, ValueError), name):
        gr.derive(swing(**changes))
