"""Prescribed motions, as formulas and tables, and the forces they take: closed forms, and the way back.

Forces follow from a state without integration where the motion is prescribed: what is left is the tolerance of the
corrections of positions, some 1e-12.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.interpolate import CubicSpline

import granum as gr
from granum.algebra import Expression, symbol
from granum.algebra.compiled import Compiled
from granum.algebra.piecewise import spline
from granum.analytic import System
from messages import refused

G = 9.81
EXACT = 1e-9


def values(formula: Expression, t: np.ndarray) -> np.ndarray:
    program = Compiled([], [], [formula])
    return np.array([program(float(x), np.zeros(0), np.zeros(0))[0] for x in t])


@pytest.mark.parametrize("rows", [2, 3, 4, 9, 100])
def test_spline_is_that_of_scipy(rows: int) -> None:
    """Value, rate and acceleration, also at the knots and ends; afterwards along the tangent."""
    from granum.algebra import gradient

    rng = np.random.default_rng(rows)
    t = np.concatenate([[0.0], np.cumsum(rng.uniform(0.1, 1.0, rows - 1))])
    table = np.column_stack([t, rng.normal(size=rows)])
    peer, x = CubicSpline(*table.T), np.concatenate([t, rng.uniform(0.0, t[-1], 50)])
    value = spline(symbol("t"), table)
    rate = gradient(value, [symbol("t")])[0]
    for order, formula in enumerate((value, rate, gradient(rate, [symbol("t")])[0])):
        assert_allclose(values(formula, x), peer(x, order), rtol=1e-10, atol=1e-10)
    assert values(value, np.array([t[-1] + 2.0]))[0] == pytest.approx(peer(t[-1]) + 2.0 * peer(t[-1], 1), rel=1e-10)


def pendulum() -> System:
    return System("theta", parameters={"m": 2.0, "l": 0.5, "g": G}, kinetic="m*l**2*theta_dot**2/2",
                  potential="-m*g*l*cos(theta)")


def test_torque_of_a_pendulum() -> None:
    """m l² θ̈ + m g l sin θ, for a formula and for a table of a cubic, which its spline repeats exactly."""
    needed = gr.inverse_dynamics(pendulum(), {"theta": "0.7*sin(3*t)"}, until=2.0, interval=0.1)
    theta = 0.7 * np.sin(3.0 * needed.t)
    assert_allclose(needed.forces["theta"], 0.5 * -9.0 * theta + 2.0 * G * 0.5 * np.sin(theta), atol=EXACT)
    t = np.linspace(0.0, 2.0, 9)
    needed = gr.inverse_dynamics(pendulum(), {"theta": np.column_stack([t, t**2 - t**3 / 3])}, until=2.0, interval=0.1)
    theta = needed.t**2 - needed.t**3 / 3
    assert_allclose(needed.forces["theta"], 0.5 * (2.0 - 2.0 * needed.t) + G * np.sin(theta), atol=EXACT)
    assert needed.run.energy_error < 1e-9


def test_the_way_back() -> None:
    """Driven by the computed torque, a pendulum repeats the motion; splines of frames h apart are good to h⁴."""
    needed = gr.inverse_dynamics(pendulum(), {"theta": "0.7*(1 - cos(3*t))"}, until=1.0, interval=0.01)
    torque = spline(symbol("t"), np.column_stack([needed.t, needed.forces["theta"]]))
    driven = System("theta", parameters={"m": 2.0, "l": 0.5, "g": G}, kinetic="m*l**2*theta_dot**2/2",
                    potential="-m*g*l*cos(theta)", forces={"theta": torque})
    run = gr.simulate(driven, start={"theta": 0.0, "theta_dot": 0.0}, until=1.0, progress=False)
    assert_allclose(run.coordinate("theta"), 0.7 * (1.0 - np.cos(3.0 * run.t)), atol=1e-6)


def test_the_rest_moves_freely() -> None:
    """A cart is moved, its pendulum follows: the force on the cart is that of both masses' momentum."""
    system = System("x theta", parameters={"M": 1.0, "m": 0.5, "l": 0.4, "g": G},
                    kinetic="M*x_dot**2/2 + m/2*((x_dot + l*theta_dot*cos(theta))**2 + (l*theta_dot*sin(theta))**2)",
                    potential="-m*g*l*cos(theta)")
    needed = gr.inverse_dynamics(system, {"x": "0.1*t**2"}, until=1.0, interval=0.01, tolerance=1e-12)
    theta, rate = needed.run.coordinate("theta"), needed.run.rate("theta")
    momentum = 1.5 * 0.2 * needed.t + 0.5 * 0.4 * rate * np.cos(theta)
    pushed = np.concatenate([[0.0], np.cumsum(0.5 * 0.01 * (needed.forces["x"][1:] + needed.forces["x"][:-1]))])
    assert np.abs(theta).max() > 0.01
    assert_allclose(momentum, pushed, atol=1e-5)  # the trapezoidal rule: h²/12 F'' t


def arm(**drive: object) -> gr.Scene:
    return gr.Scene(
        body={"post": gr.FixedPoint(position=(0.0, 0.0)), "arm": gr.Rod(length=0.6, mass=1.5)},
        constraint={"pin": gr.Hinge(between=("post", "arm.tail")),
                    **({"motor": gr.Drive(joint="pin", **drive)} if drive else {})},  # type: ignore[arg-type]
        start={"arm": gr.Start(angle=0.0)}, load={"gravity": gr.Gravity(acceleration=(0.0, -G))},
        run={"until": 1.0, "interval": 0.05})


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental"])
def test_drive_by_a_table(formulation: str, tmp_path: Path) -> None:
    """A rod driven by the table of a cubic: J φ̈ + m g l/2 cos φ, in every formulation, and by inverse dynamics."""
    t = np.linspace(0.0, 1.0, 6)
    (tmp_path / "motion.csv").write_text("t, angle\n# a cubic\n" + "\n".join(f"{x},{x**2 - x**3 / 2}" for x in t))
    scene = arm(table=str(tmp_path / "motion.csv"))
    run = gr.simulate(scene, formulation=formulation, progress=False)
    phi = run.t**2 - run.t**3 / 2
    torque = 1.5 * 0.36 / 3 * (2.0 - 3.0 * run.t) + 1.5 * G * 0.3 * np.cos(phi)
    assert_allclose(run.angle("arm"), phi, atol=EXACT)
    assert_allclose(run.reaction("motor").component("torque"), torque, atol=1e-7)
    needed = gr.inverse_dynamics(arm(), {"pin.angle": str(tmp_path / "motion.csv")})
    assert_allclose(needed.forces["pin.angle"], torque, atol=1e-7)


def test_tables_of_scene_files(tmp_path: Path) -> None:
    """A file is looked for beside the scene, its rows become part of the scene, and errors name line and remedy."""
    text = ('[body]\npost = { kind = "fixed-point", position = [0, 0] }\narm = { kind = "rod", length = 1, mass = 1 }\n'
            '[constraint]\npin = { kind = "hinge", between = ["post", "arm.tail"] }\n'
            'motor = { kind = "drive", joint = "pin", table = "motion.csv" }\n[run]\nuntil = 1\n')
    (tmp_path / "scene.toml").write_text(text)
    (tmp_path / "motion.csv").write_text("0; 0\n0.5; 0.1\n1; 0.4\n")
    drive = gr.load(tmp_path / "scene.toml").constraint["motor"]
    assert isinstance(drive, gr.Drive) and drive.table == ((0.0, 0.0), (0.5, 0.1), (1.0, 0.4))
    (tmp_path / "motion.csv").write_text("0 0\n0.5 much\n")
    with refused(gr.SceneError, "scene.toml:6 constraint.motor.table", "motion.csv, line 2", "0.5 much"):
        gr.load(tmp_path / "scene.toml")


@pytest.mark.parametrize(("drive", "names"), [
    ({"table": [[0, 0], [1, 1]], "motion": "t"}, ("motion = ", "table")),
    ({"table": [[0, 0], [0, 1]]}, ("table", "times")),
    ({"table": [[0.1, 0], [1, 1]]}, ("table", "0 s")),
    ({"table": [[0, 0], [1, float("nan")]]}, ("table", "finite")),
    ({"table": [[0, 0, 0], [1, 1, 1]]}, ("table", "rows")),
])
def test_wrong_tables(drive: dict[str, object], names: tuple[str, ...]) -> None:
    with refused(gr.SceneError, *names):
        arm(**drive)


def test_tables_that_do_not_fit() -> None:
    with refused(gr.SceneError, "motor.table", "0.5 s", "1 s"):
        gr.simulate(arm(table=[[0, 0], [0.5, 1]]), progress=False)
    with refused(gr.SceneError, "motor.table", "0.2", "t = 0"):
        gr.simulate(arm(table=[[0, 0.2], [2, 1]]), progress=False)
    with refused(gr.GranumError, '"theta"'):
        gr.inverse_dynamics(pendulum(), {"theta": "sin(z)"}, until=1.0)
