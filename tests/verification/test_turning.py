"""How round grains are turned: closed forms of rolling and spinning, SciPy's rotations, bodies that merge and split."""

from __future__ import annotations

import math
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import granum as gr
from grain_scenes import DISK, SPHERE, STILL, G, grain, gravity, on_slope, scene
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.contact.event_driven.events import Events
from granum.contact.world import World
from granum.grains.aggregates.parts import Parts
from granum.grains.aggregates.regrouping import regroup
from granum.grains.geometry.boundaries import compile_boundaries
from granum.grains.orientation import new_blocks, pack_blocks, rotate_grain, rotate_slab, unpack_blocks, unrotated
from granum.grains.state import Grains
from granum.grains.tables import Tables
from granum.model.boundaries import Plane
from messages import refused

SINGLE = 1.5 * 2.0**-24
"""Error of a number that is recorded in single precision, as quaternions are."""
RADIUS = 0.1
SOLVERS = ("moreau", "soft", "events", "unilateral")


def rotation(quaternion: Floats) -> Rotation:
    """SciPy's, which has the scalar last."""
    return Rotation.from_quat(np.roll(quaternion, -1, axis=-1))


def apart(first: Floats, second: Floats) -> float:
    """Largest angle between orientations [rad]."""
    return float(np.max((rotation(first) * rotation(second).inv()).magnitude()))


@pytest.mark.parametrize("large", [False, True])
def test_turns_are_those_of_scipy(large: bool) -> None:
    """Many turns about axes that change, of grains in slabs of odd sizes; some turns are larger than series reach."""
    rng, count, h = np.random.default_rng(3), 37, 0.5
    x, slabs = rng.uniform(0.5, 2.0, (count, 4)), np.array([0, 5, 5, 21, 37])
    turned, alone = unrotated(count, 3), unrotated(count, 3)
    blocks, expected = new_blocks(slabs, turned), Rotation.identity(count)
    for s in range(4):
        pack_blocks(slabs[s], slabs[s + 1], s, x, turned, blocks)
    for _ in range(300):
        theta = rng.normal(0.0, 0.02, (count, 3))
        if large:
            theta[rng.random(count) < 0.3] *= 50.0
        omega = theta / h
        for s in range(4):
            for i in range(slabs[s], slabs[s + 1]):
                place = i - slabs[s]
                blocks[slabs[s] // 8 + s + place // 8, 32 + place % 8 :: 8][:3] = x[i, 3] * omega[i]
            rotate_slab(slabs[s], slabs[s + 1], s, blocks, h)
        for i in range(count):
            rotate_grain(alone, i, *theta[i])
        expected = Rotation.from_rotvec(theta) * expected
    for s in range(4):
        unpack_blocks(slabs[s], slabs[s + 1], s, blocks, turned)
    for found in (turned, alone):
        assert np.max((rotation(found) * expected.inv()).magnitude()) < 300 * 4e-16
        # made unit length in every turn: some five roundings, 1e-15, here and in the norm; 10 for another order
        assert np.abs(np.linalg.norm(found, axis=1) - 1.0).max() < 1e-14


@pytest.mark.parametrize("solver", ["moreau", "soft", "events"])
def test_a_disk_that_rolls_is_turned_by_its_way(solver: str) -> None:
    """angle = -x/r for several turns; on springs but for their stretch, F_t/(k_t r) with F_t = m g sin α/(1 + κ)."""
    alpha, stiffness = 0.3, 1e7
    run = gr.simulate(on_slope(alpha, DISK, {"friction": 0.5, "stiffness": stiffness}), until=1.5, interval=0.1,
                      solver=solver)
    way = run.position("a")[:, 0]
    allowed = G * math.sin(alpha) / (1.0 + DISK) / (2.0 / 7.0 * stiffness) / RADIUS if solver == "soft" else 0.0
    assert way[-1] > 2 * 2.0 * math.pi * RADIUS
    assert np.abs(run.angle("a") + way / RADIUS).max() < 1.01 * allowed + 1e-13 * way[-1] / RADIUS
    half = -0.5 * way / RADIUS
    closed = np.column_stack([np.cos(half), 0.0 * half, 0.0 * half, np.sin(half)])
    assert np.abs(run.orientation("a") - closed).max() < 1.01 * allowed + 1e-12
    assert run.frame().orientations == pytest.approx(run.orientation("a")[-1:], abs=1e-14)  # rounding of unit vectors


@pytest.mark.parametrize("solver", ["moreau", "soft", "events"])
def test_a_ball_that_rolls_straight(solver: str) -> None:
    """It turns about y by x/r."""
    alpha, stiffness = 0.3, 1e7
    run = gr.simulate(on_slope(alpha, SPHERE, {"friction": 0.5, "stiffness": stiffness}), until=1.0, interval=0.1,
                      solver=solver)
    half = 0.5 * run.position("a")[:, 0] / RADIUS
    closed = np.column_stack([np.cos(half), 0.0 * half, np.sin(half), 0.0 * half])
    allowed = G * math.sin(alpha) / (1.0 + SPHERE) / (2.0 / 7.0 * stiffness) / RADIUS if solver == "soft" else 0.0
    assert half[-1] > math.pi
    assert np.abs(run.orientation("a") - closed).max() < allowed + SINGLE


@pytest.mark.parametrize("spin", [3.0, 4000.0])
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_disk_that_spins_freely(solver: str, spin: float) -> None:
    """angle = angle at the start + ω t through all turns, to round-off."""
    one = grain((0.0, 0.0), (1.0, 0.5), spin)
    one["start"]["angle"] = 1.0
    run = gr.simulate(scene({"a": one}, down=(0.0, 0.0), boundary={}, run={"step": 1e-4}), until=1.0,
                      interval=0.25, solver=solver)
    assert run.angle("a") == pytest.approx(1.0 + spin * run.t, rel=1e-12)


@pytest.mark.parametrize("spin", [3.0, 4000.0])
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_ball_that_spins_freely(solver: str, spin: float) -> None:
    """q = exp(ω t/2) q(0), about an axis at a slant and after a start that is turned."""
    axis, start = np.array([1.0, -2.0, 2.0]) / 3.0, np.array([0.5, 0.1, -0.7, 0.5])
    start /= np.linalg.norm(start)
    one = grain((0.0, 0.0, 0.0), (1.0, 0.5, 0.0), (spin * axis).tolist())
    one["start"]["orientation"] = start.tolist()
    run = gr.simulate(scene({"a": one}, down=(0.0, 0.0, 0.0), boundary={}, run={"step": 1e-4}), until=1.0,
                      interval=0.25, solver=solver)
    expected = Rotation.from_rotvec(np.outer(spin * run.t, axis)) * rotation(start)
    found = run.orientation("a")
    assert np.max((rotation(found) * expected.inv()).magnitude()) < 4.0 * SINGLE
    with refused(GranumError, '"a"', "3-D"):
        run.angle("a")


@pytest.mark.parametrize("solver", ["moreau", "soft"])
@pytest.mark.parametrize("d", [2, 3])
def test_turns_stay_with_their_grains(solver: str, d: int) -> None:
    """Smooth grains fly about in a box and are sorted many times; each keeps its own spin, and is turned by ω t."""
    rng, count = np.random.default_rng(5), 40
    spins = [float(w) for w in rng.uniform(-60.0, 60.0, count)]
    start = {f"p-{k + 1}": {"velocity": rng.normal(0.0, 1.0, d).tolist(),
                            "angular_velocity": w if d == 2 else [0.0, 0.6 * w, 0.8 * w]} for k, w in enumerate(spins)}
    run = gr.simulate(gr.Scene(
        material={"glass": {"restitution": 1.0, "density": 1000.0}},
        boundary={"box": {"kind": "box", "lower": [0.0] * d, "upper": [1.0] * d}},
        pattern={"p": {"kind": "grains", "count": count, "radius": 0.03,
                       "region": {"kind": "box", "lower": [0.0] * d, "upper": [1.0] * d}}},
        load={"none": gravity(*[0.0] * d)}, start=start, run={"solver": solver, "until": 1.0, "interval": 0.5}))
    axis = np.array([0.0, 0.0, 1.0] if d == 2 else [0.0, 0.6, 0.8])
    for k, w in enumerate(spins):
        off = rotation(run.orientation(f"p-{k + 1}")) * Rotation.from_rotvec(np.outer(w * run.t, axis)).inv()
        assert np.max(off.magnitude()) < 4.0 * SINGLE
    assert np.linalg.norm(run.position("p-1")[-1] - run.position("p-1")[0]) > 0.06


def test_a_disk_that_bounces_with_events() -> None:
    """Its spin changes at each impact and stays in flight: the angle is Σ ω Δt with the times of the impacts."""
    height, e = 0.5, 0.8
    run = gr.simulate(scene({"a": grain((0.0, RADIUS + height), (1.0, 0.0), 30.0)},
                            material={"friction": 0.2, "restitution": e}), until=1.75, interval=0.05, solver="events")
    speed, fall = math.sqrt(2.0 * G * height), math.sqrt(2.0 * height / G)
    impacts = fall + np.cumsum([0.0, *(2.0 * speed * e**k / G for k in range(1, 5))])
    ends = np.array([0.0, *impacts])
    spins = np.array([run.angular_velocity("a")[(run.t > low) & (run.t < high)][0]
                      for low, high in pairwise(ends)])
    assert len(np.unique(spins)) > 2 and run.t[-1] < impacts[-1]
    lasting = np.clip(run.t[:, None] - ends[None, :-1], 0.0, np.diff(ends)[None])
    assert run.angle("a") == pytest.approx(lasting @ spins, abs=1e-10)


def test_a_ball_that_slides_with_spin_about_another_axis() -> None:
    """Friction turns the axis of rotation, ω changes evenly until the ball rolls; against SciPy's dop853, q̇ = ω q/2."""
    mu, v, omega = 0.3, np.array([2.0, 0.0, 0.0]), np.array([30.0, 5.0, 20.0])
    n = np.array([0.0, 0.0, 1.0])
    state = Grains(0.0, np.array([[0.0, 0.0, RADIUS, RADIUS]]), np.zeros((1, 8)), np.zeros(1, np.int32), np.arange(1),
                   np.zeros(1, np.int32), local_orientation=unrotated(1, 3))
    state.v[0] = [*v, 1.0, *(RADIUS * omega), SPHERE]
    plane = Plane(position=(0.0, 0.0, 0.0), normal=(0.0, 0.0, 1.0))
    floor = compile_boundaries(SimpleNamespace(boundary={"floor": plane}), 3, ["stone"])
    table = {"friction": np.full((1, 1), mu), "restitution": np.zeros((1, 1)), "rolling_friction": np.zeros((1, 1))}
    events = Events(state, Tables(["stone"], table), -G * n, floor)
    slip = v - np.cross(RADIUS * omega, n)
    pull = -mu * G * slip / np.linalg.norm(slip)
    rate, rolls = -SPHERE * np.cross(n, pull) / RADIUS, np.linalg.norm(slip) / ((1.0 + SPHERE) * mu * G)

    def turning(t: float, q: Floats) -> Floats:
        x, y, z = omega + rate * min(t, rolls)
        a, b, c, d = q
        return 0.5 * np.array([-x * b - y * c - z * d, x * a + y * d - z * c, y * a + z * b - x * d,
                               z * a + x * c - y * b])

    q = np.array([1.0, 0.0, 0.0, 0.0])
    for low, high in ((0.0, rolls), (rolls, 1.2)):
        q = solve_ivp(turning, (low, high), q, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    for until in np.linspace(0.1, 1.2, 12):
        events.advance(float(until), lambda _: None)
    assert 0.2 < rolls < 1.0 and np.linalg.norm(np.cross(omega, omega + rate * rolls)) > 100.0
    assert apart(state.local_orientation, q[None]) < 1e-8


def test_steps_of_moreau_and_soft_turn_as_events_do() -> None:
    """The same slide: the error of a step goes with its square."""
    start = {"velocity": (2.0, 0.0, 0.0), "spin": [30.0, 5.0, 20.0]}
    slide = on_slope(0.0, SPHERE, {"friction": 0.3, "stiffness": 1e6}, **start)
    exact = gr.simulate(slide, until=0.3, interval=0.1, solver="events").orientation("a")
    coarse, fine = (apart(gr.simulate(slide, until=0.3, interval=0.1, solver="moreau", step=h).orientation("a"), exact)
                    for h in (2e-3, 1e-3))
    assert 1e-6 < fine < 1e-4 and coarse / fine == pytest.approx(4.0, rel=0.3)
    assert apart(gr.simulate(slide, until=0.3, interval=0.1, solver="soft").orientation("a"), exact) < 2e-3


def a_few(d: int) -> Parts:
    """Single grains and a pair of the engine of bodies, all turned."""
    shape: dict[str, Any] = {"disks" if d == 2 else "spheres": [
        {"centre": [0.0] * d, "radius": 1.0}, {"centre": [1.2] + [0.0] * (d - 1), "radius": 1.0}]}
    world = World(gr.Scene(
        material={"stone": {"density": 1000.0}}, shape={"pair": shape}, load={"none": gravity(*[0.0] * d)},
        run={"solver": "moreau"}, pattern={name: {"kind": "grains", "shape": kind, "radius": 0.1,
                        "positions": [[x + k] + [0.0] * (d - 1) for k in range(3)]}
                 for name, kind, x in (("ones", "disk" if d == 2 else "sphere", 0.0), ("twos", "pair", 10.0))},
        start={"ones-2": {"angle": 40.0}} if d == 2 else {}))
    assert isinstance(world.grains, Parts)
    return world.grains


def ordered(parts: Parts) -> Floats:
    """Orientations by number."""
    found: Floats = parts.orientation[np.argsort(parts.number)]
    return found


@pytest.mark.parametrize("d", [2, 3])
def test_bodies_that_merge_and_split_do_not_turn_their_parts(d: int) -> None:
    """Parts are turned as before when they join a body, with it while they are in it, and go on from there."""
    parts = a_few(d)
    before = ordered(parts)
    regroup(parts, np.arange(parts.count), np.zeros(parts.count, np.int64), d)
    assert parts.bodies.count == 1 and ordered(parts) == pytest.approx(before, abs=1e-14)
    if d == 2:
        parts.face(np.array([0]), np.array([[70.0]]))
        assert ordered(parts) == pytest.approx(before + 70.0, abs=1e-12)
        turned = before + 70.0
    else:
        parts.face(np.array([0]), np.array([[0.5, 0.5, -0.5, 0.5]]))
        turned = np.roll((Rotation.from_quat([0.5, -0.5, 0.5, 0.5]) * rotation(before)).as_quat(), 1, axis=1)
        assert apart(ordered(parts), turned) < 1e-14
    regroup(parts, np.arange(parts.count), np.arange(parts.count), d)
    assert parts.bodies.count == parts.count
    assert apart(ordered(parts), turned) < 1e-14 if d == 3 else ordered(parts) == pytest.approx(turned, abs=1e-12)


def test_angles_of_bodies_among_grains_count_full_turns() -> None:
    """A clump and a disk spin by more than four turns to either side; Cayley's map turns by 2 atan(h ω/2) in a step."""
    h, spins = 1e-3, {"c": 31.0, "a": -29.0}
    one = grain((1.0, 0.0), None, spins["a"])
    run = gr.simulate(gr.Scene(
        material={"stone": {}}, load={"none": STILL},
        body={"c": {"kind": "clump", "disks": [{"centre": [-0.1, 0.0], "radius": 0.1, "mass": 1.0},
                                               {"centre": [0.1, 0.0], "radius": 0.1, "mass": 1.0}]}, "a": one["body"]},
        start={"c": {"position": [0.0, 0.0], "angle": 0.5, "angular_velocity": spins["c"]}, "a": one["start"]}),
        until=1.0, interval=0.1, step=h)
    for name, spin in spins.items():
        first = 0.5 if name == "c" else 0.0
        assert run.angle(name) == pytest.approx(first + 2.0 * np.arctan(0.5 * h * spin) * run.t / h, abs=1e-10)
        half = 0.5 * run.angle(name)
        assert run.orientation(name)[:, 0] == pytest.approx(np.cos(half), abs=1e-12)
        assert run.orientation(name)[:, 3] == pytest.approx(np.sin(half), abs=1e-12)
    assert run.frame().orientations is not None
    assert run.frame().orientations == pytest.approx(
        np.array([run.orientation(name)[-1] for name in ("c", "c", "a")]), abs=1e-12)


def test_orientation_at_the_start_must_fit_the_dimension() -> None:
    disk, ball = grain((0.0, 0.5)), grain((0.0, 0.0, 0.5))
    disk["start"]["orientation"], ball["start"]["angle"] = [1.0, 0.0, 0.0, 0.0], 1.0
    with refused(GranumError, "start.a.orientation", "2-D"):
        World(scene({"a": disk}))
    with refused(GranumError, "start.a.angle", "2-D", "3-D"):
        World(scene({"a": ball}, down=(0.0, 0.0, -G), boundary={}))
