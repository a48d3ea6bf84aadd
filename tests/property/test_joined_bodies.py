"""Random trees and loops of rigid bodies on joints of all kinds: all formulations agree, and plane with space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import granum as gr
from granum.analytic import consistent
from granum.base.kernels import Floats

WAYS = ("fundamental", "lagrange", "gibbs-appell", "virtual-work")
ACCURACY = 1e-10
G = 9.81
SEEDS = st.integers(0, 2**32 - 1)
FLAT = ("hinge", "hinge", "slider", "slot", "glue", "ball", "link")
SPATIAL = ("hinge", "slider", "turning", "glue", "ball", "link")


def turn(dimension: int, rng: np.random.Generator) -> tuple[dict[str, Any], Floats]:
    """A random attitude as the start of a body says it, and its matrix."""
    if dimension == 2:
        a = float(rng.uniform(-3.0, 3.0))
        return {"angle": a}, np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    u = rng.normal(size=4)
    u /= np.linalg.norm(u)
    a, v = u[0], u[1:]
    skew = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    return {"orientation": tuple(u)}, (a * a - v @ v) * np.eye(3) + 2.0 * np.outer(v, v) + 2.0 * a * skew


def body(dimension: int, rng: np.random.Generator, points: dict[str, Any]) -> Any:
    """A body of any kind."""
    kind = rng.integers(4)
    mass = float(rng.uniform(0.5, 2.0))
    if kind == 0:
        return gr.Rod(length=float(rng.uniform(0.5, 1.5)), mass=mass, radius=0.1, points=points)
    if kind == 1:
        return gr.Block(size=tuple(rng.uniform(0.2, 1.0, dimension)), mass=mass, points=points)
    if kind == 2:
        parts = [{"centre": tuple(rng.normal(size=dimension)), "radius": 0.2, "mass": mass} for _ in range(3)]
        return gr.Clump(**{"disks" if dimension == 2 else "spheres": parts}, points=points)
    return gr.RigidBody(mass=mass, inertia=0.3 if dimension == 2 else (0.3, 0.4, 0.5), points=points)


def connected(kind: str, ends: tuple[str, str], axis: Sequence[float], dimension: int) -> Any:
    """A joint of a kind between two ends."""
    if kind in ("slider", "slot", "turning"):
        return gr.Slider(between=ends, axis=tuple(axis), rotation=kind != "slider")
    if kind == "hinge":
        return gr.Hinge(between=ends, axis=None if dimension == 2 else tuple(axis))
    return gr.Glue(between=ends) if kind == "glue" else gr.BallJoint(between=ends)


def mechanism(seed: int, dimension: int, kinds: Sequence[str], closed: bool) -> gr.Scene:
    """A tree of bodies from the ground, each on one before it; `closed`: the last is hinged to the ground as well."""
    rng = np.random.default_rng(seed)
    zero = np.zeros(dimension)
    bodies: dict[str, Any] = {"ground": gr.FixedPoint(position=tuple(zero))}
    start, constraint, link = {}, {}, {}
    centre, R, away = {}, {}, {}
    for k, kind in enumerate(kinds):
        before = f"b{rng.integers(max(0, k - 2), k)}" if k else "ground"
        own, here = f"b{k}", zero if k == 0 else centre[before] + R[before] @ away[before]
        points = {"in": tuple(rng.normal(size=dimension) * 0.5), "out": tuple(rng.normal(size=dimension) * 0.5)}
        said, R[own] = turn(dimension, rng)
        made = body(dimension, rng, points)
        fixed = {name: np.array(at[:dimension]) for name, at in made.fixed_points().items()}
        axis = rng.normal(size=dimension)
        ends = ("ground" if k == 0 else f"{before}.out", f"{own}.in")
        apart = zero
        if kind in ("slider", "slot", "turning"):
            apart = axis * rng.uniform(0.2, 0.8)
        elif kind == "link":
            apart = rng.normal(size=dimension)
        centre[own], away[own] = here + apart - R[own] @ fixed["in"], fixed["out"]
        bodies[own], start[own] = made, gr.Start(position=tuple(centre[own]), **said)
        if kind == "link":
            link[f"j{k}"] = gr.Link(between=ends)
        else:
            constraint[f"j{k}"] = connected(kind, ends, axis, dimension)
    last = f"b{len(kinds) - 1}"
    if closed:
        bodies["far"] = gr.FixedPoint(position=tuple(centre[last] + R[last] @ away[last]))
        constraint["closing"] = gr.BallJoint(between=("far", f"{last}.out"))
    down = (*np.zeros(dimension - 1), -G)
    load: dict[str, Any] = {
        "gravity": gr.Gravity(acceleration=down),
        "twist": gr.Torque(on="b0", torque=0.7 if dimension == 2 else (0.2, -0.4, 0.7)),
        "spring": gr.Spring(between=("ground", f"{last}.out"), stiffness=20.0, rest_length=0.3, damping=0.8)}
    hinges = [name for name, entry in constraint.items() if isinstance(entry, gr.Hinge)]
    if hinges:
        load["torsion"] = gr.TorsionSpring(hinge=hinges[0], stiffness=3.0, rest_angle=0.4, damping=0.2)
    return gr.Scene(body=bodies, start=start, constraint=constraint, link=link, load=load)


def assert_all_agree(scene: gr.Scene, seed: int) -> None:
    """Accelerations and reactions of all formulations in a random state of motion."""
    ways = {way: gr.derive(scene, way) for way in WAYS}
    first = ways["fundamental"]
    q, _ = first.start
    rng = np.random.default_rng(seed)
    rates = {f"{name}_dot": float(rng.normal()) for name in first.coordinates}
    system = first.system  # type: ignore[attr-defined]
    q, v = consistent(system, dict(zip(first.coordinates, q.tolist(), strict=True)), guess=rates)
    expected, forces = first.accelerations(q, v), first.reactions(q, v)
    for name, equations in ways.items():
        found = equations.accelerations(q, v)
        assert_allclose(found, expected, rtol=0, atol=ACCURACY * (1.0 + np.abs(expected).max()), err_msg=name)
        reactions = np.array([equations.reactions(q, v)[label] for label in forces])
        size = np.abs(list(forces.values())).max(initial=0.0)
        assert_allclose(reactions, list(forces.values()), rtol=0, atol=10 * ACCURACY * (1.0 + size), err_msg=name)


@settings(max_examples=8)
@given(SEEDS, st.lists(st.sampled_from(FLAT), min_size=1, max_size=4), st.booleans())
def test_plane(seed: int, kinds: list[str], closed: bool) -> None:
    assert_all_agree(mechanism(seed, 2, ["hinge", *kinds], closed), seed)


@settings(max_examples=3)
@given(SEEDS, st.lists(st.sampled_from(SPATIAL), min_size=1, max_size=2), st.booleans())
def test_space(seed: int, kinds: list[str], closed: bool) -> None:
    assert_all_agree(mechanism(seed, 3, ["hinge", *kinds], closed and len(kinds) > 1), seed)


def flat_loop(seed: int, space: bool) -> gr.Scene:
    """Bodies on hinges and a slider in a closed loop, as a planar scene or the same in space."""
    rng = np.random.default_rng(seed)

    def lifted(x: Floats) -> tuple[float, ...]:
        return (*x, 0.0) if space else tuple(x)

    z = (0.0, 0.0, 1.0) if space else None
    bodies: dict[str, Any] = {"ground": gr.FixedPoint(position=lifted(np.zeros(2)))}
    start, constraint, here = {}, {}, np.zeros(2)
    for k in range(4):
        a, tail, head, mass, inertia = rng.uniform(-3, 3), *rng.normal(size=(2, 2)), *rng.uniform(0.5, 2.0, 2)
        R = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        bodies[f"b{k}"] = gr.RigidBody(
            mass=mass, inertia=(0.7 * inertia, 0.6 * inertia, inertia) if space else inertia,
            points={"tail": lifted(tail), "head": lifted(head)})
        ends = ("ground" if k == 0 else f"b{k - 1}.head", f"b{k}.tail")
        if k == 2:
            axis = rng.normal(size=2)
            constraint["j2"] = gr.Slider(between=ends, axis=lifted(axis))
            here = here + 0.3 * axis
        else:
            constraint[f"j{k}"] = gr.Hinge(between=ends, axis=z)
        centre = here - R @ tail
        turned: dict[str, Any] = {"orientation": (np.cos(a / 2), 0.0, 0.0, np.sin(a / 2))} if space else {"angle": a}
        # one freedom is left beside the drive: were it not given, the rates nearest to rest would differ
        start[f"b{k}"] = gr.Start(position=lifted(centre), angular_velocity=0.8 if k == 1 else None, **turned)
        here = centre + R @ head
    bodies["far"] = gr.FixedPoint(position=lifted(here))
    constraint["closing"] = gr.Hinge(between=("far", "b3.head"), axis=z)
    constraint["motor"] = gr.Drive(joint="j0", motion="0.5*sin(2*t)")
    return gr.Scene(body=bodies, start=start, constraint=constraint, load={
        "gravity": gr.Gravity(acceleration=lifted(np.array([1.0, -G]))),
        "torsion": gr.TorsionSpring(hinge="j1", stiffness=2.0, damping=0.3, rest_angle=0.2)})


@pytest.mark.parametrize("seed", range(3))
def test_plane_is_space_of_parallel_axes(seed: int) -> None:
    """Hinges that are redundant in space change neither the motion nor the forces in the plane, nor the drive's."""
    flat, space = gr.derive(flat_loop(seed, False)), gr.derive(flat_loop(seed, True))
    a = dict(zip(flat.coordinates, flat.accelerations(*flat.start), strict=True))
    b = dict(zip(space.coordinates, space.accelerations(*space.start), strict=True))
    size = max(map(abs, a.values()))
    one, two = flat.reactions(*flat.start), space.reactions(*space.start)
    for k in range(4):
        for axis in "xy":
            assert b[f"b{k}.{axis}"] == pytest.approx(a[f"b{k}.{axis}"], abs=ACCURACY * size)
    largest = max(map(abs, one.values()))
    for label, value in one.items():
        assert two[label] == pytest.approx(value, abs=10 * ACCURACY * largest), label
    assert {"motor.torque", "j2.force.x", "j2.moment.z", "closing.force.y"} <= one.keys()
