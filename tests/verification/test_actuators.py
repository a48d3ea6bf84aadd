"""Actuators, stops and loads by formulas: closed forms, other formulations, and the energy balance."""

from __future__ import annotations

import math

import numpy as np
import pytest

import granum as gr
from messages import refused

FORMULATIONS = ("newton-euler", "fundamental", "lagrange", "gibbs-appell")
INERTIA = 0.3


def rotor(dimension: int = 2, **actuator: gr.Actuator) -> gr.Scene:
    """A wheel on a hinge about z without gravity."""
    flat = dimension == 2
    return gr.Scene(
        body={"post": gr.FixedPoint(position=(0.0,) * dimension),
              "wheel": gr.RigidBody(mass=2.0, inertia=INERTIA if flat else (0.2, 0.25, INERTIA))},
        constraint={"axle": gr.Hinge(between=("post", "wheel"), axis=None if flat else (0, 0, 1))},
        start={"wheel": gr.Start(position=(0.0,) * dimension)}, actuator=actuator,
        run=gr.RunSettings(until=2.0, interval=0.05, tolerance=1e-12))


def angles(run: gr.Run) -> np.ndarray:
    """Angle of the wheel about z."""
    if run.scene.dimension == 2:
        return np.asarray(run.angle("wheel"))
    u = run.orientation("wheel")
    return np.unwrap(2.0 * np.arctan2(u[:, 3], u[:, 0]))


def run_of(scene: gr.Scene, formulation: str = "newton-euler") -> gr.Run:
    run = gr.simulate(scene, formulation=formulation, progress=False)
    assert run.energy_error < 1e-9
    return run


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_a_position_servo_is_a_damped_oscillator_about_its_target(dimension: int, formulation: str) -> None:
    """I φ'' = k (φ₀ - φ) - c φ'; the target is more than one turn away, so that the angle must be counted."""
    k, c, target = 5.0, 0.8, 7.0
    scene = rotor(dimension, servo=gr.PositionServo(joint="axle", position=target, stiffness=k, damping=c))
    run = run_of(scene, formulation)
    decay, omega = c / (2 * INERTIA), math.sqrt(k / INERTIA - (c / (2 * INERTIA)) ** 2)
    expected = target * (1 - np.exp(-decay * run.t) * (np.cos(omega * run.t) + decay / omega * np.sin(omega * run.t)))
    np.testing.assert_allclose(angles(run), expected, atol=1e-9 * target)
    wz = np.gradient(expected, run.t)  # only for the size of the energy: the work is checked by the balance
    assert run.energy.work["servo"][-1] == pytest.approx(run.energy.kinetic[-1] - run.energy.kinetic[0], abs=1e-9)
    assert np.abs(wz).max() > 1.0


def test_a_velocity_servo_reaches_its_target_exponentially() -> None:
    """I ω' = g (ω₀ - ω)."""
    gain, target = 0.6, 4.0
    run = run_of(rotor(servo=gr.VelocityServo(joint="axle", velocity=target, gain=gain)))
    speed = target * (1.0 - np.exp(-gain / INERTIA * run.t))
    np.testing.assert_allclose(np.asarray(run.angular_velocity("wheel")).ravel(), speed, atol=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_servos_hold_points_of_bodies(formulation: str) -> None:
    """Two free points: m x'' = k (x₀ - x) - c x' for each component, and m v' = g (v₀ - v)."""
    k, c, m = 8.0, 0.6, 2.0
    scene = gr.Scene(
        body={"held": gr.PointMass(mass=m), "towed": gr.PointMass(mass=m)},
        start={"held": gr.Start(position=(0, 0, 0)), "towed": gr.Start(position=(0, 0, 0))},
        actuator={"hold": gr.PositionServo(body="held", position=("30 cm", 0, "-0.1 m"), stiffness=k, damping=c),
                  "tow": gr.VelocityServo(body="towed", velocity=(1.5, 0, 0), gain=0.5)},
        run=gr.RunSettings(until=2.0, interval=0.1, tolerance=1e-12))
    run = run_of(scene, formulation)
    decay, omega = c / (2 * m), math.sqrt(k / m - (c / (2 * m)) ** 2)
    rise = 1 - np.exp(-decay * run.t) * (np.cos(omega * run.t) + decay / omega * np.sin(omega * run.t))
    np.testing.assert_allclose(run.position("held"), np.outer(rise, (0.3, 0.0, -0.1)), atol=1e-9)
    np.testing.assert_allclose(run.velocity("towed")[:, 0], 1.5 * (1 - np.exp(-0.5 / m * run.t)), atol=1e-9)


def test_a_limit_makes_the_acceleration_constant() -> None:
    """With a servo that asks for far more than its limit L, φ = ½ (L/I) t²."""
    servo = gr.PositionServo(joint="axle", position=1000.0, stiffness=1000.0, limit=0.9)
    run = run_of(rotor(servo=servo))
    np.testing.assert_allclose(angles(run), 0.5 * 0.9 / INERTIA * run.t**2, atol=1e-9)


def test_a_torque_acts_on_the_second_body_and_against_the_first() -> None:
    """Between two free rotors the angular momentum stays, and each gets τ/I."""
    scene = gr.Scene(
        body={"one": gr.RigidBody(mass=1.0, inertia=0.5), "two": gr.RigidBody(mass=1.0, inertia=0.2)},
        constraint={"pin": gr.Hinge(between=("one", "two"))},
        start={"one": gr.Start(position=(0, 0)), "two": gr.Start(position=(0, 0))},
        actuator={"motor": gr.TorqueActuator(joint="pin", torque="0.1*(1 + 0*rate)")},
        run=gr.RunSettings(until=1.0))
    run = run_of(scene)
    assert float(run.angular_velocity("two")[-1]) == pytest.approx(0.1 / 0.2, rel=1e-9)
    assert float(run.angular_velocity("one")[-1]) == pytest.approx(-0.1 / 0.5, rel=1e-9)
    assert run.energy.work["motor"][-1] == pytest.approx(0.5 * 0.1**2 * (1 / 0.2 + 1 / 0.5), rel=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_spring_as_a_formula_is_the_spring(formulation: str) -> None:
    """Tension k (l - l₀) + c dl/dt between points of two bodies, by both kinds of load."""
    def scene(load: gr.Load) -> gr.Scene:
        return gr.Scene(
            body={"post": gr.FixedPoint(position=(0, 0)),
                  "plate": gr.RigidBody(mass=2.0, inertia=0.1, points={"edge": (0.3, 0.1)})},
            start={"plate": gr.Start(position=(1.0, 0.2), velocity=(0.1, 0.5), angular_velocity=0.7)},
            load={"gravity": gr.Gravity(acceleration=(0, -1.0)), "spring": load},
            run=gr.RunSettings(until=1.0, interval=0.1, tolerance=1e-12))

    between = ("post", "plate.edge")
    one = run_of(scene(gr.Spring(between=between, stiffness=40.0, rest_length=0.9, damping=0.6)), formulation)
    two = run_of(scene(gr.FormulaLoad(between=between, tension="40*(length - 0.9) + 0.6*rate")), formulation)
    np.testing.assert_allclose(two.position("plate"), one.position("plate"), atol=1e-9)
    np.testing.assert_allclose(two.angle("plate"), one.angle("plate"), atol=1e-9)
    spring = one.energy.work["spring"][-1] + one.energy.work["spring damper"][-1]
    assert two.energy.work["spring"][-1] == pytest.approx(spring, abs=1e-9)


def test_a_force_by_formulas_of_the_state_of_other_bodies() -> None:
    """A body that is pulled towards another with a force proportional to their distance: a harmonic oscillator."""
    scene = gr.Scene(
        body={"leader": gr.PointMass(mass=1e6), "follower": gr.PointMass(mass=2.0)},
        start={"leader": gr.Start(position=(0, 0), velocity=(0.3, 0)), "follower": gr.Start(position=(1, 0))},
        load={"pull": gr.FormulaLoad(on="follower", force=("8*(leader.x - x) + 0*vy", "-8*y"))},
        run=gr.RunSettings(until=2.0, tolerance=1e-12))
    run = run_of(scene)
    away = run.position("follower")[:, 0] - 0.3 * run.t
    np.testing.assert_allclose(away, np.cos(2 * run.t) - 0.15 * np.sin(2 * run.t), atol=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_stop_without_damping_is_a_spring_while_it_is_pushed(formulation: str) -> None:
    """A slider that hits a stop with v leaves it with -v after a time π √(m/k), v √(m/k) deep."""
    mass, stiffness, speed = 2.0, 800.0, 1.5
    scene = gr.Scene(
        body={"rail": gr.FixedPoint(position=(0, 0)), "cart": gr.RigidBody(mass=mass, inertia=1.0)},
        constraint={"track": gr.Slider(between=("rail", "cart"), axis=(1, 0))},
        start={"cart": gr.Start(position=(0, 0), velocity=(speed, 0))},
        load={"buffer": gr.Stop(joint="track", upper="30 cm", stiffness=stiffness)},
        run=gr.RunSettings(until=0.6, interval=0.002, tolerance=1e-11))
    run = run_of(scene, formulation)
    inside = math.pi * math.sqrt(mass / stiffness)
    back = 0.3 - speed * (run.t - 0.2 - inside)
    after = run.t > 0.2 + inside
    np.testing.assert_allclose(run.position("cart")[after, 0], back[after], atol=1e-7)
    assert run.position("cart")[:, 0].max() == pytest.approx(0.3 + speed * math.sqrt(mass / stiffness), rel=1e-4)


def test_a_stop_never_pulls() -> None:
    """With a damper that would hold the cart back when it leaves, the force stays pushing: -(k z + c ż) ≤ 0."""
    scene = gr.Scene(
        body={"rail": gr.FixedPoint(position=(0, 0)), "cart": gr.RigidBody(mass=1.0, inertia=1.0)},
        constraint={"track": gr.Slider(between=("rail", "cart"), axis=(1, 0))},
        start={"cart": gr.Start(position=(0, 0), velocity=(-1.0, 0))},
        load={"buffer": gr.Stop(joint="track", lower=-0.1, stiffness=100.0, damping=30.0)},
        run=gr.RunSettings(until=2.0, interval=0.01))
    run = run_of(scene)
    acceleration = np.diff(run.velocity("cart")[:, 0])
    assert (acceleration > -1e-9).all()
    assert 0.0 < run.velocity("cart")[-1, 0] < 0.5


def test_an_actuator_on_a_coordinate_of_formulas() -> None:
    """θ'' = u of a system of formulas."""
    scene = gr.Scene(
        system={"coordinates": ["theta"], "kinetic": "theta_dot**2/2", "start": {"theta": 0.0, "theta_dot": 0.0}},
        actuator={"motor": gr.ForceActuator(coordinate="theta", force="3*cos(t)")}, run=gr.RunSettings(until=2.0))
    run = run_of(scene, "fundamental")
    np.testing.assert_allclose(run.coordinate("theta"), 3 * (1 - np.cos(run.t)), atol=1e-8)
    assert run.energy.work["motor"][-1] == pytest.approx(0.5 * (3 * math.sin(2.0)) ** 2, rel=1e-7)


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_servo_among_grains_converges_to_that_of_newton_euler(dimension: int) -> None:
    """Without any contact the solver of contact has the same motion, with an error of first order in the step.

    The servo takes the rate of the beginning of a step, h/2 too early: as if the inertia were greater by c h/2, which
    shifts the phase ω t by a quarter of that part of it. The amplitude at the start is the target.
    """
    servo = gr.PositionServo(joint="axle", position=7.0, stiffness=5.0, damping=0.4)
    exact = angles(run_of(rotor(dimension, servo=servo)))[-1]
    errors = []
    for step in (2e-3, 1e-3):
        scene = rotor(dimension, servo=servo).model_copy(update={
            "material": {"steel": gr.Material(density=7800.0)},
            "boundary": {"floor": gr.Plane(position=(0.0, -9.0, 0.0)[:dimension],
                                           normal=(0.0, 1.0, 0.0)[:dimension])}})
        run = gr.simulate(scene.with_run(solver="moreau", step=step), progress=False)
        turned = run.angle("wheel")[-1] if dimension == 2 else angles(run)[-1]
        errors.append(abs(float(turned) - exact))
        assert run.energy_error < 1e-3
    phase = math.sqrt(5.0 / INERTIA) * 2.0
    assert errors[0] < 7.0 * phase * 0.25 * (0.4 * 2e-3 / INERTIA)
    assert errors[1] == pytest.approx(0.5 * errors[0], rel=0.1)


ARM = {"post": gr.FixedPoint(position=(0, 0)), "arm": gr.Rod(mass=1.0, length=1.0)}
PIN = {"pin": gr.Hinge(between=("post", "arm.tail"))}


@pytest.mark.parametrize(("changes", "names"), [
    ({"actuator": {"motor": gr.TorqueActuator(joint="pim")}}, ('"pim"', '"pin"')),
    ({"actuator": {"motor": gr.ForceActuator(joint="pin", force=1.0)}}, ("hinge", "torque", "force")),
    ({"actuator": {"motor": gr.TorqueActuator(joint="pin", torque="-angel")}}, ('"angel"',)),
    ({"actuator": {"motor": gr.TorqueActuator(joint="pin", torque="knee.angle")}}, ('"knee"',)),
    ({"actuator": {"motor": gr.TorqueActuator(joint="pin", torque="arm.q")}}, ('"arm"', "x, y, vx, vy, angle, wz")),
    ({"actuator": {"jet": gr.ForceActuator(body="arm.head", force=(1, 2, 3))}}, ("3 components", "2-D")),
    ({"actuator": {"hold": gr.PositionServo(body="arm", position=1.0, stiffness=1.0)}},
     ("position", "1 component", "2-D", "needs 2")),
    ({"actuator": {"hold": gr.PositionServo(joint="pin", position=(1.0, 2.0), stiffness=1.0)}},
     ("position", "2 components", "hinge")),
    ({"actuator": {"jet": gr.ForceActuator(body="leg", force=(1, 2))}}, ('"leg"',)),
    ({"actuator": {"jet": gr.ForceActuator(coordinate="phi")}}, ('"phi"',)),
    ({"constraint": {**PIN, "drive": gr.Drive(joint="pin", motion="t")},
      "actuator": {"motor": gr.TorqueActuator(joint="pin")}}, ('"drive"',)),
    ({"actuator": {"servo": gr.PositionServo(joint="pin", position="5 cm", stiffness=1.0)}},
     ("position", "slider", "hinge")),
    ({"actuator": {"servo": gr.VelocityServo(joint="pin", gain="3 N*s/m")}}, ("gain", "slider")),
    ({"load": {"stop": gr.Stop(joint="pin", upper="3 mm", stiffness=1.0)}}, ("upper", "slider")),
    ({"load": {"stop": gr.Stop(joint="nothing", upper=1.0, stiffness=1.0)}}, ("hinge", "slider")),
])
def test_what_an_actuator_cannot_do_is_refused_by_name(changes: dict[str, object], names: tuple[str, ...]) -> None:
    scene = gr.Scene(body=ARM, constraint=PIN, start={"arm": gr.Start(angle=0.0)}).model_copy(update=changes)
    with refused(gr.GranumError, *names):
        gr.simulate(scene, until=0.1, progress=False)


@pytest.mark.parametrize(("make", "names"), [
    (lambda: gr.TorqueActuator(torque=1.0), ("joint", "body")),
    (lambda: gr.PositionServo(stiffness=1.0), ("joint", "body")),
    (lambda: gr.ForceActuator(joint="a", body="b"), ("joint", "body", "coordinate")),
    (lambda: gr.TorqueActuator(joint="a", torque="2 kg"), ("torque", "2 kg", "unit")),
    (lambda: gr.TorqueActuator(joint="a", torque="2*("), ("torque", "2*(", "column")),
    (lambda: gr.VelocityServo(joint="a", gain="3 kg"), ("gain", "3 kg", "unit")),
    (lambda: gr.PositionServo(joint="a", stiffness=-1.0), ("stiffness",)),
    (lambda: gr.Stop(joint="a", stiffness=1.0), ("lower", "upper")),
    (lambda: gr.Stop(joint="a", lower=2.0, upper=1.0, stiffness=1.0), ("lower", "upper")),
    (lambda: gr.FormulaLoad(on="a", tension="1"), ("force", "torque")),
    (lambda: gr.FormulaLoad(between=("a", "b"), force=("1", "2")), ("tension",)),
])
def test_entries_that_make_no_sense_are_refused(make: object, names: tuple[str, ...]) -> None:
    with refused(gr.SceneError, *names):
        make()  # type: ignore[operator]


def test_commands_take_units() -> None:
    assert gr.PositionServo(joint="a", position="90 deg", stiffness=1.0).position == (repr(math.pi / 2),)
    assert gr.PositionServo(joint="a", position="5 cm", stiffness=1.0).position == ("0.05",)
    assert gr.VelocityServo(joint="a", velocity="30 rpm", gain=1.0).velocity == (repr(math.pi),)
    assert gr.ForceActuator(body="a", force=("2 kN", 0)).force == ("2000.0", "0")
    servo = gr.PositionServo(joint="a", stiffness="40 N*m/rad", damping="2 N*m*s/rad", limit="5 N*m")
    assert (servo.stiffness, servo.damping, servo.limit) == (40.0, 2.0, 5.0)
    stop = gr.Stop(joint="a", upper="30 deg", stiffness="2 kN/m", damping="3 N*s/m")
    assert (stop.upper, stop.stiffness, stop.damping) == (pytest.approx(math.pi / 6), 2000.0, 3.0)
    assert gr.VelocityServo(joint="a", gain="3 N*s/m", limit="7 N").gain == 3.0
