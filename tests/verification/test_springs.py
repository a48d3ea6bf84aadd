"""Springs, dampers and drives by name, on every family of scenes: closed forms of damped oscillations.

x(t) = a e^(-ζt) (cos ωt + ζ/ω sin ωt), ζ = c/2m, ω² = k/m - ζ². The smooth integrators run at a tolerance of 1e-9 per
step of quantities near 1, for some hundred steps: 1e-6 leaves a margin. `moreau` is of first order for dampers: its
error is bounded by some ω h, with h = 1e-4 s.
"""

from typing import Any

import numpy as np
import pytest

import granum as gr
from messages import refused

STIFFNESS, DAMPING, MASS, SHIFT = 40.0, 0.5, 2.0, 0.3
EXACT, FIRST_ORDER = 1e-6, 2e-3
Settings = dict[str, Any]
POINTS: dict[str, Settings] = {"newton-euler": {}, "lagrange": {"formulation": "lagrange"}, "rk4": {"solver": "rk4"}}
BODIES: dict[str, Settings] = {
    "newton-euler": {}, "moreau": {"solver": "moreau", "step": 1e-4},
    **{name: {"formulation": name} for name in ("fundamental", "lagrange", "gibbs-appell", "virtual-work")}}


def motion(t: Any, stiffness: float, damping: float, inertia: float, shift: float) -> tuple[Any, Any]:
    """Displacement from rest and its rate."""
    zeta = damping / (2.0 * inertia)
    w = np.sqrt(stiffness / inertia - zeta**2)
    fading = shift * np.exp(-zeta * t)
    return (fading * (np.cos(w * t) + zeta / w * np.sin(w * t)),
            -fading * stiffness / inertia / w * np.sin(w * t))


def sprung(body: gr.Body, settings: Settings) -> gr.Run:
    scene = gr.Scene(
        body={"wall": gr.FixedPoint(position=(0.0, 0.0)), "mass": body},
        load={"shock": gr.Spring(between=("wall", "mass"), stiffness=STIFFNESS, damping=DAMPING, rest_length=1.0)},
        start={"mass": {"position": (1.0 + SHIFT, 0.0)}}, run={"until": 1.0, **settings})
    return gr.simulate(scene, progress=False)


def compare(run: gr.Run, tolerance: float) -> None:
    spring = run.spring("shock")
    x, v = motion(run.t, STIFFNESS, DAMPING, MASS, SHIFT)
    pull = STIFFNESS * x + DAMPING * v
    scale = STIFFNESS * SHIFT
    assert np.abs(spring.length - 1.0 - x).max() < tolerance
    assert np.abs(spring.tension - pull).max() < tolerance * scale
    assert np.abs(spring.force - np.column_stack([-pull, 0.0 * pull])).max() < tolerance * scale
    assert np.abs(spring.work - 0.5 * STIFFNESS * (SHIFT**2 - x**2)).max() < tolerance * scale
    # what the spring has given up less what the damper took is kinetic energy
    assert np.abs(spring.work + spring.damper_work - 0.5 * MASS * v**2).max() < tolerance * scale
    assert spring.damper_work[-1] < -0.1 and (run.work("shock damper") == spring.damper_work).all()
    with refused(gr.GranumError, '"shock"', "torque", "length, rate, tension"):
        _ = spring.torque


@pytest.mark.parametrize("way", POINTS)
def test_springs_of_point_masses(way: str) -> None:
    compare(sprung(gr.PointMass(mass=MASS), POINTS[way]), EXACT)


@pytest.mark.parametrize("way", BODIES)
def test_springs_of_bodies(way: str) -> None:
    if way == "moreau":
        compare(sprung(gr.Disk(radius=0.1, mass=MASS), BODIES[way]), FIRST_ORDER)
    else:
        compare(sprung(gr.RigidBody(mass=MASS, inertia=1.0), BODIES[way]), EXACT)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("way", BODIES)
def test_torsion_springs(way: str, dimension: int) -> None:
    """A rod about its end, I = m l²/3 + m r²/4, from 90 degrees off rest."""
    z = (0.0,) * (dimension - 2)
    hinge = gr.Hinge(between=("post", "arm.tail"), axis=None if dimension == 2 else (0.0, 0.0, 1.0))
    scene = gr.Scene(
        body={"post": gr.FixedPoint(position=(0.0, 0.0, *z)), "arm": gr.Rod(length=1.0, mass=3.0, radius=0.01)},
        constraint={"pin": hinge},
        load={"coil": gr.TorsionSpring(hinge="pin", stiffness=5.0, damping=0.2, rest_angle="90 deg")},
        start={"arm": {"position": (0.5, 0.0, *z)}}, run={"until": 1.0, **BODIES[way]})
    run = gr.simulate(scene, progress=False)
    coil, tolerance = run.spring("coil"), FIRST_ORDER if way == "moreau" else EXACT
    x, v = motion(run.t, 5.0, 0.2, 1.0 + 3.0 * 0.01**2 / 4.0, -np.pi / 2.0)
    scale = 5.0 * np.pi
    assert np.abs(coil.angle - np.pi / 2.0 - x).max() < tolerance * np.pi
    assert np.abs(coil.rate - v).max() < tolerance * scale
    assert np.abs(coil.torque + 5.0 * x + 0.2 * v).max() < tolerance * scale
    assert np.abs(coil.work - 2.5 * (np.pi**2 / 4.0 - x**2)).max() < tolerance * scale
    with refused(gr.GranumError, '"coil"', "length"):
        _ = coil.length


def test_a_torsion_spring_follows_its_hinge_through_revolutions() -> None:
    """Both bodies move: the angle is that between them, about the axis that the first carries, beyond 360 degrees."""
    scene = gr.Scene(
        body={"hub": gr.RigidBody(mass=1.0, inertia=(1.0, 1.0, 1.0)), "arm": gr.RigidBody(mass=1.0, inertia=(1, 1, 1))},
        constraint={"pin": gr.Hinge(between=("hub", "arm"), axis=(1.0, 2.0, 2.0))},
        load={"coil": gr.TorsionSpring(hinge="pin", stiffness=0.0)},
        start={"hub": {"position": (0, 0, 0), "angular_velocity": (-1.0, -2.0, -2.0)},
               "arm": {"position": (0, 0, 0), "angular_velocity": (2.0, 4.0, 4.0)}}, run={"until": 2.0})
    coil = gr.simulate(scene, progress=False).spring("coil")
    assert np.allclose(coil.rate, 9.0, rtol=1e-8)  # 3 rad/s against 6 rad/s the other way
    assert np.allclose(coil.angle, 9.0 * np.linspace(0.0, 2.0, len(coil.angle)), atol=1e-7)


@pytest.mark.parametrize("way", ["newton-euler", "fundamental", "lagrange", "gibbs-appell", "virtual-work"])
def test_motors_and_dampers_have_their_work(way: str) -> None:
    """The work of a motor is the integral of torque times angular velocity: trapezoids over the frames, error ~ Δt²."""
    run = gr.simulate(gr.example("slider-crank"), formulation=way, until=0.5, interval=5e-4, progress=False)
    power = run.reaction("motor").effort * run.angular_velocity("crank")
    integral = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(run.t))])
    work = run.work("motor")
    assert np.abs(work - integral).max() < 1e-4 * np.abs(work).max()
    assert np.abs(work).max() > 0.01
    assert run.spring("gas").damper_work[-1] < 0.0
    total = sum(run.energy.work.values(), np.zeros(len(run.t)))
    assert np.allclose(total, run.energy.kinetic - run.energy.kinetic[0], atol=1e-7 * np.abs(work).max())


def test_what_a_run_does_not_have_is_refused_in_words() -> None:
    run = sprung(gr.PointMass(mass=MASS), {})
    with refused(gr.GranumError, '"shok"', '"shock"'):
        run.spring("shok")
    with refused(gr.GranumError, '"motor"', "shock, shock damper"):
        run.work("motor")
    with refused(gr.GranumError, 'spring "x"'):
        gr.simulate(gr.example("pendulum"), until=0.01, progress=False).spring("x")


def test_a_spring_and_a_joint_of_one_name_are_told_apart() -> None:
    scene = gr.Scene(
        body={"post": gr.FixedPoint(position=(0.0, 0.0)), "arm": gr.Rod(length=1.0, mass=3.0)},
        constraint={"pin": gr.Hinge(between=("post", "arm.tail")), "swing": gr.Drive(joint="pin", motion="t")},
        load={"swing": gr.Spring(between=("post", "arm.head"), stiffness=1.0, rest_length=0.5)},
        start={"arm": {"position": (0.5, 0.0)}}, run={"until": 0.1})
    run = gr.simulate(scene, progress=False)
    assert (run.spring("swing").work == run.work("load swing")).all()
    assert "constraint swing" in run.energy.work
