"""Large input: work that grows with the size of a file and not with its square, or a refusal. Work is counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import granum as gr
from granum.algebra import calculus, compiled
from granum.algebra.compiled import Compiled
from granum.algebra.expression import Expression, evaluate, function, symbol
from granum.analytic import expressed_equations
from granum.analytic.expressed import System
from granum.analytic.fundamental import Fundamental
from granum.robots.reading import read_robot
from granum.robots.tree import Inertial
from messages import refused


def _chain_of_operations(n: int) -> list[Expression]:
    """Some of n expressions that build on one another, on constants and on zeros."""
    x, y = symbol("x"), symbol("y")
    made = [x, y]
    for k in range(n):
        made.append(0.5 * function("sin", made[-1]) + 0.1 * made[k // 2] * y)
    zero = x - x
    return [zero, zero, made[-1], x, zero, symbol("t"), made[n // 2], made[3], zero]


@pytest.mark.parametrize("largest", [1, 7, 40, 10**6])
def test_programs_in_parts_compute_the_same(monkeypatch: pytest.MonkeyPatch, largest: int) -> None:
    monkeypatch.setattr(compiled, "LARGEST_FUNCTION", largest)
    outputs = _chain_of_operations(60)
    program = Compiled(["x"], ["y"], outputs)
    expected = evaluate(outputs, {"x": 0.3, "y": 0.8, "t": 2.0})
    np.testing.assert_allclose(program(2.0, np.array([0.3]), np.array([0.8])), expected, rtol=1e-13, atol=0.0)


def test_the_code_of_a_sparse_mass_matrix_grows_with_its_entries() -> None:
    def lines(n: int) -> int:
        system = System([f"x{i}" for i in range(n)], kinetic=" + ".join(f"x{i}_dot**2" for i in range(n)))
        entries = [entry for row in system.mass_formulas for entry in row]
        return compiled._assembly("f", [s.name for s in (*system.q, *system.v)], [], entries).count("\n")

    assert lines(80) < 2.2 * lines(40)


def _definitions(n: int) -> dict[str, str]:
    return {"d0": "x", **{f"d{i}": f"sin(d{i - 1}) + {i}*x + t" for i in range(1, n)}}


def test_chained_definitions_are_differentiated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    partials = calculus.partials
    monkeypatch.setattr(calculus, "partials", lambda node: calls.append(node) or partials(node))

    def work(n: int) -> int:
        calls.clear()
        System(["x"], kinetic="x_dot**2/2", definitions=_definitions(n))
        return len(calls)

    assert 0 < work(400) < 4.2 * work(100)


def test_rates_of_chained_definitions_are_right() -> None:
    system = System(["x"], kinetic="x_dot**2/2",
                    definitions={**_definitions(5), "speed": "2*x_dot", "again": "speed + d4", "rate": "d4_dot*x"})
    values = {"x": 0.4, "x_dot": 0.7, "t": 0.2}
    rate, = evaluate([system.read("d4_dot", "here")], values)
    step = 1e-6
    later, = evaluate([system.read("d4", "here")], {"x": 0.4 + 0.7 * step, "x_dot": 0.7, "t": 0.2 + step})
    earlier, = evaluate([system.read("d4", "here")], {"x": 0.4 - 0.7 * step, "x_dot": 0.7, "t": 0.2 - step})
    assert rate == pytest.approx((later - earlier) / (2 * step), rel=1e-8)
    product, = evaluate([system.read("rate", "here")], values)
    assert product == pytest.approx(0.4 * rate, rel=1e-14)
    with pytest.raises(gr.GranumError, match="again_dot"):  # contains a rate of a coordinate, so it has none itself
        system.read("again_dot", "here")


def test_too_many_coordinates_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expressed_equations, "MOST_COORDINATES", 2)
    system = System(["x", "y", "z"], kinetic="x_dot**2 + y_dot**2 + z_dot**2")
    with refused(gr.GranumError, "3 coordinates", "at most 2", "fundamental", "newton-euler"):
        Fundamental(system)


def _robot(n: int) -> str:
    links = "".join(
        f'<link name="l{i}"><inertial><origin xyz="0.1 0 -0.5"/><mass value="{1 + i % 3}"/>'
        '<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.01"/></inertial></link>' for i in range(n))
    joints = "".join(
        f'<joint name="j{i}" type="revolute"><parent link="l{i - 1}"/><child link="l{i}"/><origin xyz="0 0 -1"/>'
        '<axis xyz="0 1 0"/><limit effort="1" velocity="1" lower="-1" upper="1"/></joint>' for i in range(1, n))
    return f'<robot name="chain">{links}{joints}</robot>'


def test_robots_are_read_link_by_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    seen_from = Inertial.seen_from
    monkeypatch.setattr(Inertial, "seen_from", lambda self, pose: calls.append(pose) or seen_from(self, pose))

    def work(n: int) -> int:
        calls.clear()
        file = tmp_path / "chain.urdf"
        file.write_text(_robot(n))
        read_robot(file)
        return len(calls)

    assert 0 < work(80) < 4.2 * work(20)
