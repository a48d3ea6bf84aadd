"""Rigid bodies in the plane and their joints, by formulas, against closed forms and equations in fewest coordinates."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import granum as gr
from granum.base.kernels import Floats
from granum.io.scenefile import load_scene
from messages import refused, says

G = 9.81
WAYS = ("fundamental", "lagrange", "gibbs-appell", "virtual-work")
EXAMPLES = Path(__file__).parents[2] / "examples"
GRAVITY = {"gravity": gr.Gravity(acceleration=(0.0, -G))}
FINE = {"tolerance": 1e-12}


def simulate(scene: gr.Scene, **settings: Any) -> gr.Run:
    """A run by formulas."""
    return gr.simulate(scene, **{"formulation": "fundamental", **settings})


def pendulum(angle: float, length: float = 0.8, mass: float = 1.7, **run: Any) -> gr.Scene:
    """A rod that hangs on its tail, `angle` from the x axis."""
    return gr.Scene(
        body={"pin": gr.FixedPoint(position=(0.3, -0.1)), "rod": gr.Rod(length=length, mass=mass)},
        constraint={"hinge": gr.Hinge(between=("pin", "rod.tail"))}, load=GRAVITY, run=run,
        start={"rod": gr.Start(position=(0.3 + length / 2 * math.cos(angle), -0.1 + length / 2 * math.sin(angle)),
                               angle=angle)})


@pytest.mark.parametrize("way", WAYS)
def test_compound_pendulum_at_an_instant(way: str) -> None:
    """φ̈ = -3 g cos φ/2l; at rest the hinge carries m (a + g)."""
    angle, length, mass = 0.4, 0.8, 1.7
    equations = gr.derive(pendulum(angle, length, mass), way)
    turning = -1.5 * G * math.cos(angle) / length
    a = length / 2 * turning * np.array([-math.sin(angle), math.cos(angle)])
    assert_allclose(equations.accelerations(*equations.start), [*a, turning], rtol=1e-12)
    found = equations.reactions(*equations.start)
    assert_allclose([found["hinge.force.x"], found["hinge.force.y"]], mass * (a + np.array([0.0, G])), rtol=1e-12)


def test_compound_pendulum_period() -> None:
    """4 √(2l/3g) K(sin² θ₀/2) for an amplitude of 120°."""
    amplitude, length = math.radians(120.0), 0.8
    period = 4.0 * math.sqrt(2.0 * length / (3.0 * G)) * ellipk(math.sin(amplitude / 2.0) ** 2)
    run = simulate(pendulum(amplitude - math.pi / 2, length), until=period, interval=period / 4, **FINE)
    assert_allclose(run.coordinate("rod.angle")[[0, 1, 2, 4]],
                    np.array([amplitude, 0.0, -amplitude, amplitude]) - math.pi / 2, atol=1e-9)
    assert run.energy_error < 1e-10


def double_rods(state: Floats, l1: float, l2: float, m1: float, m2: float) -> Floats:
    """Angles of two rods from the x axis and their rates: (3.4) of two rods, written down by hand."""
    a, b, wa, wb = state
    M = np.array([[(m1 / 3 + m2) * l1**2, m2 * l1 * l2 / 2 * math.cos(a - b)],
                  [m2 * l1 * l2 / 2 * math.cos(a - b), m2 * l2**2 / 3]])
    f = np.array([-m2 * l1 * l2 / 2 * math.sin(a - b) * wb**2 - (m1 / 2 + m2) * G * l1 * math.cos(a),
                  m2 * l1 * l2 / 2 * math.sin(a - b) * wa**2 - m2 * G * l2 / 2 * math.cos(b)])
    return np.array([wa, wb, *np.linalg.solve(M, f)])


def test_double_pendulum_of_rods() -> None:
    """Against the equations in two angles, over a second and a half of large motion."""
    l1, l2, m1, m2, a, b = 0.7, 0.5, 1.2, 0.9, 0.3, -0.8
    elbow = np.array([l1 * math.cos(a), l1 * math.sin(a)])
    scene = gr.Scene(
        body={"pin": gr.FixedPoint(position=(0.0, 0.0)), "upper": gr.Rod(length=l1, mass=m1),
              "lower": gr.Rod(length=l2, mass=m2)},
        constraint={"shoulder": gr.Hinge(between=("pin", "upper.tail")),
                    "elbow": gr.Hinge(between=("upper.head", "lower.tail"))}, load=GRAVITY,
        start={"upper": gr.Start(position=tuple(elbow / 2), angle=a, angular_velocity=1.1),
               "lower": gr.Start(position=tuple(elbow + l2 / 2 * np.array([math.cos(b), math.sin(b)])), angle=b,
                                 angular_velocity=-2.0)})
    run = simulate(scene, until=1.5, interval=0.1, **FINE)
    exact = solve_ivp(lambda t, y: double_rods(y, l1, l2, m1, m2), (0.0, 1.5), [a, b, 1.1, -2.0], method="DOP853",
                      rtol=1e-12, atol=1e-13, t_eval=run.t)
    assert_allclose([run.coordinate("upper.angle"), run.coordinate("lower.angle")], exact.y[:2], atol=1e-8)


CRANK, ROD = 0.1, 0.35
MASS = {"crank": 0.4, "rod": 0.6, "piston": 0.8}


def slider_crank(omega: float, **run: Any) -> gr.Scene:
    """A crank driven at a steady rate, from its inner dead point up; gravity acts down."""
    ends = (CRANK + ROD, 0.0)
    return gr.Scene(
        body={"frame": gr.FixedPoint(position=(0.0, 0.0)), "crank": gr.Rod(length=CRANK, mass=MASS["crank"]),
              "rod": gr.Rod(length=ROD, mass=MASS["rod"]), "piston": gr.Block(size=(0.08, 0.05), mass=MASS["piston"])},
        constraint={"main": gr.Hinge(between=("frame", "crank.tail")),
                    "pin": gr.Hinge(between=("crank.head", "rod.tail")),
                    "wrist": gr.Hinge(between=("rod.head", "piston")),
                    "cylinder": gr.Slider(between=("frame", "piston"), axis=(1.0, 0.0)),
                    "motor": gr.Drive(joint="main", motion=f"{omega}*t")},
        load=GRAVITY, run=run,
        start={"crank": gr.Start(position=(CRANK / 2, 0.0)), "rod": gr.Start(position=(CRANK + ROD / 2, 0.0)),
               "piston": gr.Start(position=ends)})


def crank_kinematics(theta: Any, omega: float) -> tuple[Any, Any, Any]:
    """Piston, kinetic and potential energy as functions of the crank angle (complex steps allowed)."""
    beta = -np.arcsin(CRANK / ROD * np.sin(theta))
    piston = CRANK * np.cos(theta) + ROD * np.cos(beta)
    turning = -CRANK / ROD * np.cos(theta) / np.cos(beta)  # dβ/dθ
    speed = -CRANK * np.sin(theta) - ROD * np.sin(beta) * turning
    x = -CRANK * np.sin(theta) - ROD / 2 * np.sin(beta) * turning
    y = CRANK * np.cos(theta) + ROD / 2 * np.cos(beta) * turning
    inertia = (MASS["crank"] * CRANK**2 / 3 + MASS["piston"] * speed**2
               + MASS["rod"] * (x**2 + y**2 + ROD**2 / 12 * turning**2))
    height = MASS["crank"] * CRANK / 2 * np.sin(theta) + MASS["rod"] * (CRANK * np.sin(theta) + ROD / 2 * np.sin(beta))
    return piston, 0.5 * inertia * omega**2, G * height


@pytest.mark.parametrize("way", WAYS)
def test_driven_slider_crank(way: str) -> None:
    """The piston is where kinematics say through two turns, and the torque of the drive is d(T + V)/dθ."""
    omega = 12.0
    until = 4.0 * math.pi / omega
    run = simulate(slider_crank(omega), formulation=way, until=until, interval=until / 40, **FINE)
    theta = omega * run.t
    piston, kinetic, potential = crank_kinematics(theta, omega)
    assert_allclose(run.position("piston")[:, 0], piston, atol=1e-9)
    assert_allclose(run.coordinate("crank.angle"), theta, atol=1e-9)
    step = 1e-30
    _, T, V = crank_kinematics(theta + 1j * step, omega)
    torque = np.imag(T + V) / step
    assert_allclose(run.reaction("motor").effort, torque, atol=1e-8 * np.abs(torque).max())
    assert_allclose(run.energy.kinetic, kinetic, rtol=1e-9)
    assert_allclose(run.energy.potential - run.energy.potential[0], potential - potential[0], atol=1e-9)
    assert run.energy_error < 1e-9  # the work of the drive is in the ledger


def test_guide_of_the_piston_carries_what_is_left() -> None:
    """Momentum: the forces of the frame on all bodies together are m a - m g."""
    run = simulate(slider_crank(9.0), until=0.5, **FINE)
    equations = gr.derive(slider_crank(9.0))
    for frame in (30, 90, 170):
        q, v, t = run.coordinates[frame], run.rates[frame], float(run.t[frame])
        a = dict(zip(equations.coordinates, equations.accelerations(q, v, t), strict=True))
        found = equations.reactions(q, v, t)
        for axis in "xy":
            inertial = sum(mass * (a[f"{name}.{axis}"] + (G if axis == "y" else 0.0)) for name, mass in MASS.items())
            assert found[f"main.force.{axis}"] + found[f"cylinder.force.{axis}"] == pytest.approx(inertial, abs=1e-9)
        assert found["cylinder.force.x"] == pytest.approx(0.0, abs=1e-12)  # a smooth guide pushes across
        assert found["cylinder.moment.z"] == pytest.approx(0.0, abs=1e-9)  # the wrist is at the mass centre


def test_four_bar_by_joints() -> None:
    """The linkage of the example, of rods and hinges instead of angles and formulas."""
    scene = load_scene(EXAMPLES / "four-bar.toml")
    first = simulate(scene, until=0.3, interval=0.05)
    a, b, c, d = (scene.system.parameters[k] for k in "abcd")
    theta, phi, psi = (float(first.coordinate(k)[0]) for k in ("theta", "phi", "psi"))

    def rod(size: float, tail: Floats, angle: float, omega: float | None = None) -> gr.Start:
        return gr.Start(position=tuple(tail + size / 2 * np.array([math.cos(angle), math.sin(angle)])), angle=angle,
                        angular_velocity=omega)

    hinge = gr.Hinge
    by_joints = gr.Scene(
        body={"A": gr.FixedPoint(position=(0.0, 0.0)), "D": gr.FixedPoint(position=(d, 0.0)),
              "crank": gr.Rod(length=a, mass=0.2), "coupler": gr.Rod(length=b, mass=0.5),
              "rocker": gr.Rod(length=c, mass=0.4)},
        constraint={"a": hinge(between=("A", "crank.tail")), "b": hinge(between=("crank.head", "coupler.tail")),
                    "c": hinge(between=("rocker.head", "coupler.head")), "d": hinge(between=("D", "rocker.tail"))},
        load=GRAVITY,
        start={"crank": rod(a, np.zeros(2), theta, 20.0),
               "coupler": rod(b, a * np.array([math.cos(theta), math.sin(theta)]), phi),
               "rocker": rod(c, np.array([d, 0.0]), psi)})
    second = simulate(by_joints, until=0.3, interval=0.05, **FINE)
    for name, angle in (("theta", "crank"), ("phi", "coupler"), ("psi", "rocker")):
        assert_allclose(second.coordinate(f"{angle}.angle"), first.coordinate(name), atol=1e-8)


# ---- loads

def torsion(space: bool, k: float, c: float = 0.0, rest: float = 0.0, omega: float = 0.0) -> gr.Scene:
    """A wheel on a fixed axis with a torsion spring."""
    pin: tuple[float, ...] = (0.0, 0.0, 0.0) if space else (0.0, 0.0)
    return gr.Scene(
        body={"pin": gr.FixedPoint(position=pin),
              "wheel": gr.RigidBody(mass=2.0, inertia=(0.03, 0.03, 0.05) if space else 0.05)},
        constraint={"axle": gr.Hinge(between=("pin", "wheel"), axis=(0.0, 0.0, 1.0) if space else None)},
        load={"spring": gr.TorsionSpring(hinge="axle", stiffness=k, damping=c, rest_angle=rest)},
        start={"wheel": gr.Start(position=pin, angular_velocity=omega)})


@pytest.mark.parametrize("space", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_torsion_pendulum_through_full_turns(way: str, space: bool) -> None:
    """φ = φ₀ (1 - e^(-δt) (cos ωt + δ/ω sin ωt)): it swings to 20 rad and back, over three turns either way."""
    k, c, rest, inertia = 0.8, 0.02, 10.0, 0.05
    delta = c / (2.0 * inertia)
    omega = math.sqrt(k / inertia - delta**2)
    run = simulate(torsion(space, k, c, rest), formulation=way, until=3.0, interval=0.1, **FINE)
    t = run.t
    exact = rest * (1.0 - np.exp(-delta * t) * (np.cos(omega * t) + delta / omega * np.sin(omega * t)))
    assert_allclose(run.coordinate("axle.angle" if space else "wheel.angle"), exact, atol=1e-8)
    assert run.energy_error < 1e-9


def test_torque_in_the_plane_and_in_space() -> None:
    """φ̈ = T/I; in space R I⁻¹ Rᵀ (T - ω × I ω), here by numbers."""
    flat = gr.Scene(body={"b": gr.RigidBody(mass=1.0, inertia=0.3, points={"p": (1.0, 0.0)})},
                    load={"twist": gr.Torque(on="b", torque=1.2)},
                    start={"b": gr.Start(position=(0.0, 0.0), angle=0.5)})
    for way in WAYS:
        equations = gr.derive(flat, way)
        assert_allclose(equations.accelerations(*equations.start), [0.0, 0.0, 4.0], atol=1e-12)
    u = np.array([0.5, -0.1, 0.7, 0.4])
    u /= np.linalg.norm(u)
    inertia, torque, omega = np.array([0.3, 0.4, 0.5]), np.array([1.0, -2.0, 0.5]), np.array([0.7, 0.2, -1.0])
    scene = gr.Scene(body={"b": gr.RigidBody(mass=1.0, inertia=tuple(inertia))},
                     load={"twist": gr.Torque(on="b", torque=tuple(torque))},
                     start={"b": gr.Start(position=(0.0, 0.0, 0.0), orientation=tuple(u),
                                          angular_velocity=tuple(omega))})
    a, v = u[0], u[1:]
    skew = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    R = (a * a - v @ v) * np.eye(3) + 2.0 * np.outer(v, v) + 2.0 * a * skew
    J = R @ np.diag(inertia) @ R.T
    alpha = np.linalg.solve(J, torque - np.cross(omega, J @ omega))
    for way in WAYS:
        equations = gr.derive(scene, way)
        q, rates = equations.start
        qdd = equations.accelerations(q, rates)
        E = np.array([[-u[1], u[0], u[3], -u[2]], [-u[2], -u[3], u[0], u[1]], [-u[3], u[2], -u[1], u[0]]])
        assert_allclose(R @ (2.0 * E @ qdd[3:]), alpha, rtol=1e-11)  # ω̇ = R 2 E ü


# ---- drives and sliders in space

def test_drive_of_a_hinge_in_space_turns_on_and_on() -> None:
    """An unbalanced wheel at a growing rate through five turns: torque I θ̈ + m g s cos θ, work in the ledger."""
    mass, arm, I = 2.0, 0.1, 0.05
    scene = gr.Scene(
        body={"pin": gr.FixedPoint(position=(0.0, 0.0, 0.0)),
              "wheel": gr.RigidBody(mass=mass, inertia=(I, I, I), points={"axle": (-arm, 0.0, 0.0)})},
        constraint={"axle": gr.Hinge(between=("pin", "wheel.axle"), axis=(0.0, 0.0, 2.0)),
                    "motor": gr.Drive(joint="axle", motion="a*t**2/2")},
        system={"parameters": {"a": 7.0}},
        load={"gravity": gr.Gravity(acceleration=(0.0, -G, 0.0))}, start={"wheel": gr.Start(position=(arm, 0.0, 0.0))})
    run = simulate(scene, until=3.0, interval=0.1, **FINE)
    theta = 3.5 * run.t**2
    assert theta[-1] > 10.0 * math.pi
    circle = np.column_stack([np.cos(theta), np.sin(theta), 0.0 * theta])
    assert_allclose(run.position("wheel"), arm * circle, atol=1e-9)
    torque = (I + mass * arm**2) * 7.0 + mass * G * arm * np.cos(theta)
    assert_allclose(run.reaction("motor").effort, torque, atol=1e-8)
    assert run.energy_error < 1e-9


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("turning", [False, True])
def test_driven_slider_in_space(way: str, turning: bool) -> None:
    """A block pushed along a slanted rail: force m (s̈ + g·n), and the rail carries weight and overhang."""
    mass, arm = 1.5, np.array([0.2, -0.1, 0.3])
    n = np.array([2.0, 1.0, 2.0]) / 3.0
    place = np.array([0.4, 0.2, 0.4]) - arm  # the shoe is on the rail
    scene = gr.Scene(
        body={"post": gr.FixedPoint(position=(0.0, 0.0, 0.0)),
              "block": gr.RigidBody(mass=mass, inertia=(0.1, 0.2, 0.25), points={"shoe": tuple(arm)})},
        constraint={"rail": gr.Slider(between=("post", "block.shoe"), axis=tuple(2.0 * n), rotation=turning),
                    "push": gr.Drive(joint="rail", motion="0.3*t**2 + 0.1*t")},
        load={"gravity": gr.Gravity(acceleration=(0.0, 0.0, -G))}, start={"block": gr.Start(position=tuple(place))})
    equations = gr.derive(scene, way)
    q, v = equations.start
    found = equations.reactions(q, v)
    weight = np.array([0.0, 0.0, -mass * G])
    force = np.array([found[f"rail.force.{axis}"] for axis in "xyz"])
    moment = np.array([found[f"rail.moment.{axis}"] for axis in "xyz"])
    assert_allclose(force @ n, 0.0, atol=1e-10)
    assert_allclose(v[:3], 0.1 * n, atol=1e-12)
    if not turning:
        total = mass * 0.6 * n - weight
        assert found["push.force"] == pytest.approx(total @ n, rel=1e-10)
        assert_allclose(force, total - (total @ n) * n, atol=1e-10)
        assert_allclose(moment, -np.cross(arm, total), atol=1e-10)  # about the mass centre nothing turns
    else:
        a = equations.accelerations(q, v)[:3]
        assert_allclose(force + found["push.force"] * n, mass * a - weight, atol=1e-10)
        assert_allclose(moment @ n, 0.0, atol=1e-10)  # it may turn about the rail


def test_pin_in_a_slot() -> None:
    """A bead on a rod that turns at a steady rate in the plane: r̈ = ω² r, by a slider that lets its body turn."""
    omega, r0 = 3.0, 0.2
    scene = gr.Scene(
        body={"pin": gr.FixedPoint(position=(0.0, 0.0)), "arm": gr.Rod(length=2.0, mass=1.0),
              "bead": gr.Disk(radius=0.02, mass=0.1)},
        constraint={"axle": gr.Hinge(between=("pin", "arm")), "motor": gr.Drive(joint="axle", motion=f"{omega}*t"),
                    "slot": gr.Slider(between=("arm", "bead"), axis=(1.0, 0.0), rotation=True)},
        start={"arm": gr.Start(position=(0.0, 0.0)),
               "bead": gr.Start(position=(r0, 0.0), velocity=(0.0, omega * r0), angular_velocity=5.0)})
    run = simulate(scene, until=0.6, interval=0.1, **FINE)
    r = r0 * np.cosh(omega * run.t)
    assert_allclose(np.linalg.norm(run.position("bead"), axis=1), r, rtol=1e-9)
    # the slot pushes with 2 m ṙ ω, the motor holds against it; the bead turns as it did
    assert_allclose(run.reaction("motor").effort, 0.2 * r0 * omega**2 * np.sinh(omega * run.t) * r, atol=1e-8)
    assert_allclose(run.rate("bead.angle"), 5.0, rtol=1e-12)


# ---- round bodies on one another

def disk_on_disk(angle: float, kind: str, friction: float | None = None, spin: float | None = None) -> gr.Scene:
    """A disk on top of a fixed one, `angle` from the vertical."""
    R, r = 0.5, 0.2
    entry = gr.Rolling(body="moving", on="ground", friction=friction) if kind == "rolling" else \
        gr.Sliding(body="moving", on="ground", friction=friction or 0.0)
    return gr.Scene(
        body={"post": gr.FixedPoint(position=(0.0, 0.0)), "ground": gr.Disk(radius=R, mass=1.0),
              "moving": gr.Disk(radius=r, mass=0.7)},
        constraint={"held": gr.Glue(between=("post", "ground")), "touch": entry}, load=GRAVITY,
        start={"ground": gr.Start(position=(0.0, 0.0)),
               "moving": gr.Start(position=((R + r) * math.sin(angle), (R + r) * math.cos(angle)),
                                  velocity=(0.0, 0.0), angular_velocity=spin)})


@pytest.mark.parametrize("way", WAYS)
def test_disk_rolls_on_a_fixed_disk(way: str) -> None:
    """θ̈ = 2 g sin θ/3(R + r), N = m g cos θ, friction m g sin θ/3 at rest."""
    angle, mass = 0.4, 0.7
    equations = gr.derive(disk_on_disk(angle, "rolling"), way)
    a = dict(zip(equations.coordinates, equations.accelerations(*equations.start), strict=True))
    found = equations.reactions(*equations.start)
    along = 2.0 * G * math.sin(angle) / 3.0
    assert_allclose([a["moving.x"], a["moving.y"], a["moving.angle"]],
                    [along * math.cos(angle), -along * math.sin(angle), -along / 0.2], rtol=1e-11)
    assert found["touch.normal"] == pytest.approx(mass * G * math.cos(angle), rel=1e-11)
    assert found["touch.friction"] == pytest.approx(mass * G * math.sin(angle) / 3.0, rel=1e-11)
    assert found["touch.force.x"] == pytest.approx(mass * a["moving.x"], rel=1e-11)
    assert found["held.force.y"] == pytest.approx(G + found["touch.force.y"], rel=1e-11)


@pytest.mark.parametrize(("kind", "part"), [("rolling", 4.0 / 7.0), ("sliding", 2.0 / 3.0)])
def test_disk_leaves_a_fixed_disk(kind: str, part: float) -> None:
    """Where cos θ = 4/7 cos θ₀ if it rolls, 2/3 cos θ₀ if it slides without friction: the run ends there."""
    run = simulate(disk_on_disk(0.3, kind), until=5.0, **FINE)
    assert run.event is not None
    says(run.event, "moving", "ground")
    x, y = run.position("moving")[-1]
    assert y / math.hypot(x, y) == pytest.approx(part * math.cos(0.3), abs=1e-9)


def test_disk_slips_where_rolling_needs_more() -> None:
    """Friction sin θ/3 by normal force (7 cos θ - 4 cos θ₀)/3 from rest at θ₀."""
    mu, angle = 0.4, 0.3
    run = simulate(disk_on_disk(angle, "rolling", mu), until=5.0, **FINE)
    assert run.event is not None
    says(run.event, "moving")
    x, y = run.position("moving")[-1]
    theta = math.atan2(x, y)
    assert math.sin(theta) == pytest.approx(mu * (7.0 * math.cos(theta) - 4.0 * math.cos(angle)), abs=1e-8)


def test_spinning_disk_slides_on_a_fixed_one() -> None:
    """At the top: N = m g, drag μ N against the slip, until the slip of its rim ends and it rolls."""
    mu, spin, mass, r = 0.2, 4.0, 0.7, 0.2
    scene = disk_on_disk(0.0, "sliding", mu, spin)
    equations = gr.derive(scene, "virtual-work")
    a = dict(zip(equations.coordinates, equations.accelerations(*equations.start), strict=True))
    found = equations.reactions(*equations.start)
    # spin to the left drags the ground to the right and the disk to the left
    assert_allclose([a["moving.x"], a["moving.y"], a["moving.angle"]],
                    [-mu * G, 0.0, -mu * mass * G * r / (mass * r * r / 2.0)], atol=1e-11)
    assert found["touch.normal"] == pytest.approx(mass * G, rel=1e-12)
    assert found["touch.friction"] == pytest.approx(mu * mass * G, rel=1e-12)
    run = simulate(scene, formulation="virtual-work", until=0.2, **FINE)
    assert [change[2] for change in run.events] == ["sticks"]
    with refused(gr.GranumError, "virtual-work"):
        gr.derive(scene, "fundamental")


@pytest.mark.parametrize("space", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_geared_pair(way: str, space: bool) -> None:
    """Two wheels on fixed axles that roll on each other: φ̈₁ = T/(I₁ + I₂ r₁²/r₂²), φ̇₂ = -r₁/r₂ φ̇₁."""
    r1, r2, I1, I2, torque = 0.3, 0.1, 0.02, 0.004, 0.6
    extra: tuple[float, ...] = (0.0,) if space else ()
    axis = (0.0, 0.0, 1.0) if space else None

    def wheel(radius: float, inertia: float) -> Any:
        mass = inertia / (0.4 if space else 0.5) / radius**2
        return gr.Sphere(radius=radius, mass=mass) if space else gr.Disk(radius=radius, mass=mass)

    scene = gr.Scene(
        body={"left": gr.FixedPoint(position=(0.0, 0.0, *extra)), "right": gr.FixedPoint(position=(0.4, 0.0, *extra)),
              "big": wheel(r1, I1), "small": wheel(r2, I2)},
        constraint={"a": gr.Hinge(between=("left", "big"), axis=axis),
                    "b": gr.Hinge(between=("right", "small"), axis=axis), "gears": gr.Rolling(body="small", on="big")},
        load={"twist": gr.Torque(on="big", torque=torque)},
        start={"big": gr.Start(position=(0.0, 0.0, *extra)), "small": gr.Start(position=(0.4, 0.0, *extra))})
    run = simulate(scene, formulation=way, until=1.0, interval=0.25, **FINE)
    expected = torque / (I1 + I2 * (r1 / r2) ** 2)
    force = I2 * (r1 / r2) * expected / r2
    assert run.energy_error < 1e-9
    assert run.finished  # hinges hold the wheels at their distance: nothing says that they press
    assert_allclose(run.reaction("gears").friction, force, rtol=1e-9)
    if not space:
        assert_allclose(run.rate("big.angle"), expected * run.t, atol=1e-9)
        assert_allclose(run.rate("small.angle"), -3.0 * expected * run.t, atol=1e-9)


def test_friction_between_gears_is_refused() -> None:
    """What presses wheels on fixed axles together is not said: a coefficient could not be checked."""
    scene = gr.Scene(
        body={"left": gr.FixedPoint(position=(0.0, 0.0)), "right": gr.FixedPoint(position=(0.4, 0.0)),
              "big": gr.Disk(radius=0.3, mass=1.0), "small": gr.Disk(radius=0.1, mass=1.0)},
        constraint={"a": gr.Hinge(between=("left", "big")), "b": gr.Hinge(between=("right", "small")),
                    "gears": gr.Rolling(body="small", on="big", friction=0.3)},
        start={"big": gr.Start(position=(0.0, 0.0)), "small": gr.Start(position=(0.4, 0.0))})
    with refused(gr.SceneError, "constraint.gears.friction"):
        simulate(scene, until=0.1)


def test_friction_that_rolling_needs() -> None:
    """From rest at θ₀ it is sin θ/(7 cos θ - 4 cos θ₀), here at the end of the run."""
    scene = disk_on_disk(0.3, "rolling")
    run = simulate(scene, until=0.4, **FINE)
    x, y = run.position("moving")[-1]
    theta = math.atan2(x, y)
    needed = run.minimum_friction("touch")
    assert needed.t == pytest.approx(0.4)
    assert needed.value == pytest.approx(math.sin(theta) / (7.0 * math.cos(theta) - 4.0 * math.cos(0.3)), rel=1e-8)


def test_chain_of_masses_hangs_on_a_beam() -> None:
    """A pattern of links on a rigid body in the plane: all of it at rest under a support that carries the weight."""
    scene = gr.Scene(
        body={"left": gr.FixedPoint(position=(-0.5, 0.0)), "beam": gr.Rod(length=1.0, mass=2.0),
              "hook": gr.PointMass(mass=0.1)},
        pattern={"chain": gr.Chain(from_="hook", count=3, length=0.2, mass=0.5, angles=-math.pi / 2)},
        constraint={"wall": gr.Glue(between=("left", "beam.tail")),
                    "shackle": gr.BallJoint(between=("beam.head", "hook"))},
        load=GRAVITY, start={"beam": gr.Start(position=(0.0, 0.0)), "hook": gr.Start(position=(0.5, 0.0))})
    for way in WAYS:
        equations = gr.derive(scene, way)
        found = equations.reactions(*equations.start)
        assert np.abs(equations.accelerations(*equations.start)).max() < 1e-10
        assert found["wall.force.y"] == pytest.approx(3.6 * G, rel=1e-11)
        assert found["wall.moment.z"] == pytest.approx((2.0 * 0.5 + 1.6) * G, rel=1e-11)  # arms of 0.5 m and 1 m
        assert found["shackle.y"] == pytest.approx(1.6 * G, rel=1e-11)


def test_part_of_a_clump_rolls() -> None:
    """A clump of two disks of one mass each, its upper one far off: rolling about the part that touches."""
    post = gr.FixedPoint(position=(0.0, 0.0))
    parts = [{"centre": (0.0, 0.0), "radius": 0.1, "mass": 1.0}, {"centre": (0.0, 0.3), "radius": 0.1, "mass": 1.0}]
    scene = gr.Scene(
        body={"post": post, "ground": gr.Disk(radius=0.4, mass=1.0), "clump": gr.Clump(disks=parts)},
        constraint={"held": gr.Glue(between=("post", "ground")), "touch": gr.Rolling(body="clump.1", on="ground")},
        load={"push": gr.Force(on="clump", force=(1.0, -30.0))},
        start={"ground": gr.Start(position=(0.0, 0.0)), "clump": gr.Start(position=(0.0, 0.65))})
    inertia = 2.0 * (0.5 * 0.01 + 0.15**2)
    height = 0.25  # of the mass centre over the contact, about which the clump turns at first
    turning = -1.0 * height / (inertia + 2.0 * height**2)
    for way in WAYS:
        equations = gr.derive(scene, way)
        a = dict(zip(equations.coordinates, equations.accelerations(*equations.start), strict=True))
        assert a["clump.angle"] == pytest.approx(turning, rel=1e-10)
