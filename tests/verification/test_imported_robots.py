"""Imported robots beside MuJoCo: the same state gives the same accelerations of every body."""

import math
from pathlib import Path

import numpy as np
import pytest

import granum as gr
from granum.analytic.derive import derive
from granum.robots import shapes
from granum.robots.mjcf_settings import quaternion_of, quaternion_to
from granum.robots.reading import read_robot
from granum.robots.tree import about, combined

ROBOTS = Path(__file__).parents[1] / "robots"
NEAR = 1e-8
"""Relative. Both programs round to 1e-14; loops are compared by differences of MuJoCo's Jacobian, which leave 1e-10."""


@pytest.mark.parametrize(("name", "keyframe"), [("arm.xml", ""), ("arm.xml", "bent"), ("four-bar.xml", ""),
                                                ("walker.xml", ""), ("arm.urdf", "")])
def test_accelerations_are_those_of_mujoco(name: str, keyframe: str) -> None:
    """At the start and in three random states with velocities; armature is zero in MuJoCo, loops are rigid."""
    pytest.importorskip("mujoco")
    from benchmarks.robots import compare

    found = compare(ROBOTS / name, states=3, keyframe=keyframe)
    assert found.position < 1e-12
    assert found.velocity < 1e-12
    assert found.acceleration < NEAR


@pytest.mark.validate
def test_public_models_have_the_accelerations_of_mujoco() -> None:
    """All models of the table in docs/howto/import-a-robot.md that are installed."""
    pytest.importorskip("mujoco")
    from benchmarks.robots import measure

    for found in measure().models:
        assert found.acceleration < NEAR, found.model


def test_a_fixed_link_is_part_of_its_parent() -> None:
    """A horizontal rod with a bob fixed to its end has the angular acceleration Σ m d g/J about its pin."""
    scene = read_robot(ROBOTS / "pendulum.urdf").scene
    rod, bob, g = 0.6, 1.5, 9.81  # mass of the rod [kg], of the bob fixed to its end [kg]
    inertia = rod * 0.4**2 / 3.0 + 4e-4 + bob * 0.4**2
    alpha = (rod * 0.2 + bob * 0.4) * g / inertia
    equations = derive(scene)
    q, v = equations.start
    by_name = dict(zip(equations.coordinates, equations.accelerations(q, v), strict=True))
    # at rest ü = ½ α u, α as a quaternion, and |u| = 1
    assert 2.0 * np.linalg.norm([by_name[f"rod.u{k}"] for k in range(4)]) == pytest.approx(alpha, rel=1e-12)


def test_a_joint_that_follows_another_loads_it() -> None:
    """q₂ = n q₁ + c: (J₁ + n² J₂) q̈₁ = τ₁ + n τ₂ with the weights' torques τ = m g d cos q about the pins."""
    n, angle, g = -1.5, 0.4, 9.81
    first, second = 0.05 + 2.0 * 0.3**2, 0.02 + 1.0 * 0.2**2
    alpha = (2.0 * g * 0.3 + n * 1.0 * g * 0.2 * math.cos(angle)) / (first + n**2 * second)
    equations = derive(read_robot(ROBOTS / "geared.urdf").scene)
    q, v = equations.start
    by_name = dict(zip(equations.coordinates, equations.accelerations(q, v), strict=True))
    for body, own in (("one", alpha), ("two", n * alpha)):
        assert 2.0 * np.linalg.norm([by_name[f"{body}.u{k}"] for k in range(4)]) == pytest.approx(abs(own), rel=1e-12)


def test_a_stop_holds_the_joint() -> None:
    """A slider with limits falls onto its stop and comes to rest where k z carries the weight."""
    scene = read_robot(ROBOTS / "drop.urdf").scene
    stop = scene.load["guide-stop"]
    assert isinstance(stop, gr.Stop) and (stop.lower, stop.upper) == (-0.1, 0.2)
    run = gr.simulate(scene, until=1.5)
    sunk = 2.0 * 9.81 / stop.stiffness
    assert run.position("weight")[-1, 2] == pytest.approx(1.0 - 0.1 - sunk, abs=1e-6)


@pytest.mark.parametrize(("kind", "size"), [("sphere", [0.3]), ("capsule", [0.2, 0.4]), ("cylinder", [0.2, 0.5]),
                                            ("ellipsoid", [0.1, 0.2, 0.4]), ("box", [0.1, 0.3, 0.2])])
def test_volume_and_inertia_of_shapes(kind: str, size: list[float]) -> None:
    """Against sums over slices across z: each is a disk, an ellipse or a rectangle. Midpoints of n slices: O(1/n²)."""
    n, half = 200_000, size[0] if kind == "sphere" else size[0] + size[1] if kind == "capsule" else size[-1]
    z = (np.arange(n) + 0.5) / n * 2.0 * half - half
    if kind == "box":
        a, b = np.full(n, size[0]), np.full(n, size[1])
        area, xx, yy = 4.0 * a * b, a**2 / 3.0, b**2 / 3.0
    else:
        if kind == "capsule":
            a = b = np.sqrt(np.clip(size[0] ** 2 - np.clip(np.abs(z) - size[1], 0.0, None) ** 2, 0.0, None))
        elif kind == "cylinder":
            a = b = np.full(n, size[0])
        else:
            scale = np.sqrt(1.0 - (z / half) ** 2)
            a, b = size[0] * scale, size[min(1, len(size) - 1)] * scale
        area, xx, yy = math.pi * a * b, a**2 / 4.0, b**2 / 4.0
    slices = area * 2.0 * half / n
    volume, moments = shapes.SOLIDS[kind][1](np.array(size))
    assert volume == pytest.approx(slices.sum(), rel=1e-9)
    mean = [(slices * of).sum() / slices.sum() for of in (yy + z**2, xx + z**2, xx + yy)]
    assert moments == pytest.approx(mean, rel=1e-9)


def test_orientations() -> None:
    """A matrix and its quaternion belong together for every largest component; z goes to where it is asked to go."""
    rng = np.random.default_rng(3)
    from granum.base.rotations import rotation_of

    for u in [*np.eye(4), *rng.normal(size=(20, 4))]:
        u = u / np.linalg.norm(u)
        assert rotation_of(quaternion_of(rotation_of(u))) == pytest.approx(rotation_of(u), abs=1e-14)
    for z in [np.array([0.0, 0.0, -1.0]), np.array([0.0, 0.0, 1.0]), *rng.normal(size=(5, 3))]:
        z = z / np.linalg.norm(z)
        assert rotation_of(quaternion_to(z))[:, 2] == pytest.approx(z, abs=1e-14)
    assert rotation_of(about(np.array([0.0, 0.0, 1.0]), 0.3))[1, 0] == pytest.approx(math.sin(0.3))
    assert combined([]) is None
