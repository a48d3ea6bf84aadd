"""Equations take any sequences of numbers, and generated programs any numbers: those of Python and those of NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import granum as gr
from granum.algebra import function, symbols
from granum.algebra.emit import python_function
from granum.io.scenefile import parse_scene

SCENE = """
[body]
base = { kind = "fixed-point", position = [0, 0] }
arm = { kind = "rod", length = 1, mass = 2 }
[start.arm]
angle = 0.3
[constraint.pivot]
kind = "hinge"
between = ["base", "arm.tail"]
[load.stop]
kind = "stop"
joint = "pivot"
upper = 0.1
stiffness = 50
damping = 1
[load.rub]
kind = "formula"
joint = "pivot"
torque = "-0.4*sign(rate)"
[actuator.motor]
kind = "torque"
joint = "pivot"
torque = "-20*angle"
limit = 3
"""
ASKED = ("accelerations", "reactions", "constraint_rows")


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental", "lagrange", "virtual-work", "gibbs-appell",
                                         "scalar"])
def test_lists_give_what_arrays_give(formulation: str) -> None:
    equations = gr.derive(parse_scene(SCENE, "arm.toml"), formulation)
    q, v = equations.start
    for name in ASKED:
        answers = [getattr(equations, name)(a, b) for a, b in ((q, v), (q.tolist(), v.tolist()))]
        if isinstance(answers[0], dict):
            answers = [np.array(list(answer.values())) for answer in answers]
        assert np.array_equal(*answers)
    assert np.array_equal(equations.mass_matrix(q), equations.mass_matrix(q.tolist()))


@pytest.mark.parametrize("number", [float, int, np.float64, np.float32, np.int64, np.array])
@pytest.mark.parametrize("x", [-2, 0, 3])
def test_a_generated_sign_of_any_number(number: type, x: int) -> None:
    a, b = symbols("a b")
    scope: dict[str, object] = {}
    exec(python_function("f", {"y": ["a", "b"]}, {"out": [function("sign", a) * b]}), scope)
    out = np.zeros(1)
    scope["f"]([number(x), number(5)], out)  # type: ignore[operator]
    assert out[0] == 5 * np.sign(x)


@pytest.mark.parametrize("numbers", [list, tuple, np.array])
def test_a_generated_program_of_a_stop_a_limit_and_a_sign(numbers: type) -> None:
    equations = gr.derive(parse_scene(SCENE, "arm.toml"), "fundamental")
    scope: dict[str, object] = {}
    exec(equations.code("python"), scope)
    q, v = equations.start
    a, _ = scope["accelerations"](numbers(q.tolist()), numbers(v.tolist()))  # type: ignore[operator]
    assert a == pytest.approx(equations.accelerations(q, v), rel=1e-12, abs=1e-12)
