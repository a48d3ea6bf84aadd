"""Rotors that spin steadily: nutation, whirl, Campbell diagrams and critical speeds against closed forms.

Derivatives are exact, so what is left is the rounding of an eigenvalue problem of a dozen unknowns: 1e-11 is 50 000
times the unit of rounding, 10 times as much as without rotation: modes of 1 rad/s stand beside some of 1000 rad/s.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import eigvals

import granum as gr
from commands import granum
from granum.analytic.campbell import _in_order
from messages import refused, says

EXACT = 1e-11
MASS, ACROSS, AXIAL, STIFFNESS, LOWER, UPPER = 2.0, 0.12, 0.2, 2e4, -0.3, 0.5
FORMULATIONS = ("newton-euler", "lagrange", "fundamental", "gibbs-appell", "virtual-work")
BEARINGS = [f"load.bearing-{k}.damping" for k in (1, 2, 3, 4)]


def rotor(damping: float = 0.0, spin: float = 200.0, **changes: Any) -> gr.Scene:
    """The shipped rotor with another damping and spin."""
    return gr.example("jeffcott-rotor").vary({**dict.fromkeys(BEARINGS, damping),
                                              "start.rotor.angular_velocity": (0.0, 0.0, spin), **changes})


def whirls(spin: float, damping: float = 0.0, mass: float = MASS, across: float = ACROSS) -> np.ndarray:
    """Eigenvalues of the whirl in w = x + iy and β = θ_y - iθ_x, with the displacement w + zβ of a bearing at z:

    m ẅ + Σ(c d/dt + k)(w + zβ) = 0,  I_t β̈ - i I_p Ω β̇ + Σ z (c d/dt + k)(w + zβ) = 0.

    Forward whirls have Im s > 0. Real coordinates add the complex conjugates.
    """
    z = np.array([LOWER, UPPER])
    lever = np.array([[2.0, z.sum()], [z.sum(), z @ z]])
    M, C, K = np.diag([mass, across]), damping * lever - np.diag([0.0, 1j * AXIAL * spin]), STIFFNESS * lever
    Z, one = np.zeros((2, 2)), np.eye(2)
    return np.asarray(eigvals(np.block([[Z, one], [-K, -C]]), np.block([[one, Z], [Z, M]])))


def swings(modes: np.ndarray) -> np.ndarray:
    """Those with Im s > 0, in the order of their frequencies."""
    own = modes[modes.imag > 1e-6 * np.abs(modes).max()]
    return np.asarray(own[np.argsort(own.imag)])


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_free_symmetric_body_nutates(formulation: str, axis: int) -> None:
    """The axis of a free symmetric body nutates with (I_p/I_t) Ω in the inertial frame; nothing else oscillates."""
    inertia, spin = [0.2] * 3, np.zeros(3)
    inertia[axis], spin[axis] = 0.3, -30.0
    scene = gr.Scene(body={"top": gr.RigidBody(mass=3.0, inertia=tuple(inertia))}, start={"top": gr.Start(
        position=(0.3, 0.1, 0.0), angular_velocity=tuple(spin.tolist()))})
    linear = gr.linearize(scene, formulation=formulation)
    assert_allclose(linear.frequencies, [45.0], rtol=EXACT)
    assert len(linear.modes) == 12 and linear.unstable == 0


def test_unsymmetric_bodies_are_not_steady() -> None:
    """In inertial axes the linear equations of a body with three moments of inertia change as it rotates."""
    scene = gr.Scene(body={"slab": gr.RigidBody(mass=3.0, inertia=(0.2, 0.25, 0.3))}, start={"slab": gr.Start(
        position=(0.0, 0.0, 0.0), angular_velocity=(0.0, 0.0, 30.0))})
    with refused(gr.GranumError, "steady"):
        gr.linearize(scene)
    with refused(gr.GranumError, "steady"):
        gr.linearize(rotor(**{"load.bearing-1.stiffness": 1e4, "body.rotor.inertia": (0.12, 0.13, 0.2)}))


@pytest.mark.parametrize("damping", [0.0, 40.0])
@pytest.mark.parametrize("spin", [0.0, 1.0, 200.0, -200.0, 3000.0])
def test_gyroscopic_rotor_on_springs(spin: float, damping: float) -> None:
    """Forward and backward whirls of the shipped rotor, and its axial oscillation √(k/m)."""
    closed = whirls(spin, damping)
    modes = np.concatenate([closed, closed.conj()])
    expected = swings(np.append(modes, 1j * np.sqrt(2e5 / MASS)))
    found = swings(gr.linearize(rotor(damping, spin)).modes)
    assert_allclose(found, expected, atol=EXACT * np.abs(expected).max())


@pytest.mark.parametrize("spatial", [False, True])
@pytest.mark.parametrize("spin", [3.0, 10.0, 300.0])
def test_jeffcott_rotor_whirls_at_its_natural_frequency(spatial: bool, spin: float) -> None:
    """A disk in the middle of its springs: √(k/m) in the fixed frame at any spin, also at the critical speed itself."""
    z = (0.0,) if spatial else ()
    ends = {"x": (1.0, 0.0, *z), "y": (0.0, 1.0, *z)}
    scene = gr.Scene(
        body={**{name: gr.FixedPoint(position=at) for name, at in ends.items()},
              "disk": gr.RigidBody(mass=2.0, inertia=(0.1, 0.1, 0.2) if spatial else 0.2)},
        start={"disk": gr.Start.model_validate({
            "position": (0.0, 0.0, *z), "angular_velocity": (0.0, 0.0, spin) if spatial else spin})},
        load={f"k-{name}": gr.Spring(between=(name, "disk"), stiffness=200.0) for name in ends})
    frequencies = gr.linearize(scene).frequencies
    assert_allclose(frequencies, [10.0, 10.0] if not spatial else np.sort([10.0, 10.0, 2.0 * spin]), rtol=EXACT)


def test_rotor_in_a_housing() -> None:
    """A hinge between rotor and housing, and the springs on the housing: masses and moments across the axis add up."""
    base = rotor()
    box = gr.RigidBody(mass=0.5, inertia=(0.03, 0.03, 0.05), points={"lower": (0, 0, LOWER), "upper": (0, 0, UPPER)})
    load = {name: spring.model_copy(update={"between": (spring.between[0], spring.between[1].replace("rotor", "box"))})
            for name, spring in base.load.items()}
    shaft = {"shaft": gr.Hinge(between=("box", "rotor"), axis=(0.0, 0.0, 1.0))}
    start = {**base.start, "box": gr.Start(position=(0.0, 0.0, 0.0))}
    scene = gr.Scene(body={**base.body, "box": box}, load=load, start=start, constraint=shaft)
    closed = whirls(200.0, mass=MASS + 0.5, across=ACROSS + 0.03)
    expected = swings(np.concatenate([closed, closed.conj(), [1j * np.sqrt(2e5 / 2.5)]]))
    assert_allclose(swings(gr.linearize(scene).modes).imag, expected.imag, rtol=EXACT)
    linear = gr.linearize(gr.Scene(body=scene.body, load=load, start=start, constraint={
        **shaft, "motor": gr.Drive(joint="shaft", motion="200*t")}))
    assert_allclose(swings(linear.modes).imag, expected.imag, rtol=EXACT)
    assert len(linear.modes) == 12  # without the angle of the rotor


def test_critical_speeds() -> None:
    """s = ±iΩ in the equations of the whirl: det(K - Ω² diag(m, I_t ∓ I_p)) = 0, and Ω = √(k/m) along the axis."""
    found = gr.campbell(rotor(), (0.0, 600.0), points=31)
    z = np.array([LOWER, UPPER])
    K = STIFFNESS * np.array([[2.0, z.sum()], [z.sum(), z @ z]])
    expected = [(np.sqrt(2e5 / MASS), "")]
    for sign, direction in ((-1.0, "forward"), (1.0, "backward")):
        squares = eigvals(K, np.diag([MASS, ACROSS + sign * AXIAL])).real
        expected += [(np.sqrt(square), direction) for square in squares if square > 0.0]
    speeds, directions = zip(*sorted(expected), strict=True)
    assert_allclose([one.speed for one in found.critical_speeds], speeds, rtol=1e-10)
    assert tuple(one.whirl for one in found.critical_speeds) == directions
    assert found.stable.all() and len(found.directions) == 5
    for k, direction in enumerate(found.directions):  # each column is one mode throughout
        for speed, frequency in zip(found.speeds, found.frequencies[:, k], strict=True):
            closed = {"forward": 1, "backward": -1, "": 0}[direction] * whirls(speed).imag
            assert np.abs((closed if direction else np.array([np.sqrt(1e5)])) - frequency).min() < 1e-8 * frequency


def test_half_speed_whirl() -> None:
    """Order 2: where a frequency is twice the spin, by the closed form at the speed that is found."""
    found = gr.campbell(rotor(), (10.0, 300.0), points=21, orders=(2.0,)).critical_speeds
    assert len(found) == 5
    for one in found:
        expected = {"forward": 1, "backward": -1, "": 0}[one.whirl] * whirls(one.speed).imag
        closest = expected if one.whirl else np.array([np.sqrt(1e5)])
        assert np.abs(closest - 2.0 * one.speed).min() < 1e-8 * one.speed


def test_internal_damping_makes_a_fast_rotor_unstable() -> None:
    """m ẅ + (c + c_i) ẇ + (k - i c_i Ω) w = 0: damping in the rotor drives a forward whirl beyond Ω = ω (1 + c/c_i)."""
    k, m, c, inner = 200.0, 2.0, 0.6, 0.4
    scene = gr.Scene(
        body={"rotor": gr.RigidBody(mass=m, inertia=0.1)},
        start={"rotor": gr.Start(position=(0.0, 0.0), angular_velocity=1.0)},
        load={"shaft": gr.FormulaLoad(on="rotor", force=(
            f"-{k}*x - {c}*vx - {inner}*(vx + wz*y)", f"-{k}*y - {c}*vy - {inner}*(vy - wz*x)"))})
    found = gr.campbell(scene, (0.0, 50.0), points=11)
    limit = np.sqrt(k / m) * (1.0 + c / inner)
    assert limit == pytest.approx(25.0)
    away = np.abs(found.speeds - limit) > 1e-6
    assert (found.stable == (found.speeds < limit))[away].all()
    for speed, modes in zip(found.speeds, found.modes, strict=True):
        closed = np.roots([m, c + inner, k - 1j * inner * speed])
        expected = swings(np.concatenate([closed, closed.conj()]))
        assert_allclose(np.sort(swings(modes).real), np.sort(expected.real), atol=1e-9)


def test_sleeping_top() -> None:
    """A top on its tip: A φ̈ - i C Ω φ̇ - m g l φ = 0 is stable for C² Ω² > 4 A m g l."""
    scene = gr.Scene(
        body={"floor": gr.FixedPoint(position=(0.0, 0.0, 0.0)),
              "top": gr.RigidBody(mass=2.0, inertia=(0.02, 0.02, 0.03), points={"tip": (0.0, 0.0, -0.3)})},
        constraint={"ball": gr.BallJoint(between=("floor", "top.tip"))},
        start={"top": gr.Start(angular_velocity=(0.0, 0.0, 10.0))},
        load={"gravity": gr.Gravity(acceleration=(0.0, 0.0, -9.81))})
    found = gr.campbell(scene, (10.0, 200.0), points=12)
    A, heavy = 0.02 + 2.0 * 0.3**2, 2.0 * 9.81 * 0.3
    limit = np.sqrt(4.0 * A * heavy) / 0.03
    assert (found.stable == (found.speeds > limit)).all() and 0 < found.stable.sum() < 12
    fast = gr.linearize(scene.vary({"start.top.angular_velocity": (0.0, 0.0, 200.0)}))
    expected = np.sort(np.abs(np.roots([A, -1j * 0.03 * 200.0, -heavy]).imag))
    assert_allclose(fast.frequencies, expected, rtol=EXACT)


def test_what_does_not_spin_is_refused() -> None:
    still = rotor(spin=0.0)
    with refused(gr.GranumError, "angular_velocity"):
        gr.campbell(still, (0.0, 10.0))
    with refused(gr.GranumError, '"thrust"'):
        gr.campbell(rotor(), (0.0, 10.0), spin="thrust")
    with refused(gr.GranumError, "over = (10, 10)"):
        gr.campbell(rotor(), (10.0, 10.0))


def test_rounding_does_not_decide_the_order_of_equal_modes() -> None:
    """A rotor at rest has equal frequencies in two planes, which rounding tells apart one way or the other."""
    last = np.array([150.0j, 90.0j, 320.0j])
    for split in (1e-13, -1e-13):
        first = np.array([135.0j * (1.0 + split), 135.0j * (1.0 - split), 316.0j])
        assert _in_order(np.array([first, last])).tolist() == [1, 0, 2]


def test_command(tmp_path: Path) -> None:
    """The shipped rotor in the terminal and as a picture."""
    file, scene = tmp_path / "campbell.svg", Path(__file__).parents[2] / "examples" / "jeffcott-rotor.toml"
    command = ("campbell", scene, "--over", "0", "300", "--points", "7")
    answer = json.loads(granum(*command, "--json", "-o", file).stdout)
    assert answer["rotor"] == "rotor" and len(answer["speeds"]) == 7 and all(answer["stable"])
    assert [one["whirl"] for one in answer["critical_speeds"]] == ["backward", "forward", "backward"]
    assert "forward whirl" in file.read_text() and "Campbell" in file.read_text()
    says(granum(*command).stdout, "critical speed", "forward", "rotor")
