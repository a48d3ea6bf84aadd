"""Joints of boundary elements are no obstacles: a grain touches what the elements are together (`contact.seams`).

All closed forms: on a flat floor of many pieces, in any direction and at any offset from a joint, a grain rests without
a push to the side, sinks in by m g/k as on one piece, and slides or rolls on as on one piece, to rounding.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import G, grain, scene

SOLVERS = ("moreau", "soft", "unilateral", "events")
RADIUS, STIFFNESS, SPEED = 0.1, 1e5, 1.0
FRICTIONLESS = {"friction": 0.0, "restitution": 0.0, "stiffness": STIFFNESS}
OFFSETS = (0.0, 1e-12, 1e-7, 1e-4, 3e-3, 0.03)
"""From a joint [m]: on it, within rounding, within and beyond the overlap of soft grains."""


def walls(points: Any, **more: Any) -> dict[str, Any]:
    """A wall from each point to the next."""
    return {f"wall-{k}": {"kind": "wall", "positions": [list(map(float, a)), list(map(float, b))], **more}
            for k, (a, b) in enumerate(pairwise(points))}


def plates(edges: Any, triangles: bool = False) -> dict[str, Any]:
    """A level floor of rectangles, or of triangles, between these coordinates along both axes."""
    pieces = {}
    for m, (a, b) in enumerate(pairwise(edges)):
        for n, (c, d) in enumerate(pairwise(edges)):
            corners = [[a, c, 0.0], [b, c, 0.0], [b, d, 0.0], [a, d, 0.0]]
            halves = [corners[:3], [corners[0], *corners[2:]]] if triangles else [corners]
            pieces |= {f"plate-{m}-{n}-{k}": {"kind": "wall", "positions": half} for k, half in enumerate(halves)}
    return pieces


def after(boundary: dict[str, Any], solver: str, at: Any, until: float, *, material: dict[str, Any] | None = None,
          down: Any = None, velocity: Any = None, spin: Any = None, mass: float = 1.0) -> gr.Run:
    """A run of one grain."""
    down = [0.0] * (len(at) - 1) + [-G] if down is None else down
    one = grain(at, velocity, spin, radius=RADIUS, mass=mass)
    there = scene({"a": one}, boundary=boundary, material=material or FRICTIONLESS, down=down)
    return gr.simulate(there, solver=solver, until=until, interval=0.5 * until)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("offset", OFFSETS)
def test_a_disk_rests_beside_a_joint(solver, offset):
    run = after(walls([(-1.0, 0.0), (0.0, 0.0), (1.0, 0.0)]), solver, (offset, RADIUS), 0.2)
    assert run.velocities[-1, 0, 0] == 0.0
    assert run.positions[-1, 0, 0] == offset
    if solver == "soft":
        # critically damped, 60 periods: at rest to rounding, on one spring and not on two
        assert RADIUS - run.positions[-1, 0, 1] == pytest.approx(G / STIFFNESS, rel=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("degrees", [0.0, 30.0])
@pytest.mark.parametrize("speed", [SPEED, 5.0 * SPEED])
def test_a_disk_slides_over_many_joints(solver, degrees, speed):
    """Gravity turns with the floor; the points of a tilted one are not exactly on a line. With v² < g r a disk could
    roll around an end of a wall, with v² > g r it would lift off.
    """
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    floor = walls([(0.1 * k * c, 0.1 * k * s) for k in range(-2, 22)])
    start = (-RADIUS * s, RADIUS * c)
    run = after(floor, solver, start, 1.5 / speed, velocity=(speed * c, speed * s), down=(G * s, -G * c))
    along = run.velocities[-1, 0, 0] * c + run.velocities[-1, 0, 1] * s
    assert along == pytest.approx(speed, abs=1e-11 * speed)


def test_a_clump_slides_over_many_joints():
    """Two disks of one body pass each joint one after the other."""
    body = {"kind": "clump", "disks": [{"centre": [0.0, 0.0], "radius": RADIUS}, {"centre": [0.15, 0.0],
                                                                                "radius": RADIUS}]}
    there = gr.Scene(material={"m": FRICTIONLESS | {"density": 1000.0}}, body={"c": body},
                     start={"c": {"position": [0.0, RADIUS], "velocity": [SPEED, 0.0]}},
                     load={"g": {"kind": "gravity", "acceleration": [0.0, -G]}},
                     boundary=walls([(0.1 * k, 0.0) for k in range(-3, 20)]))
    run = gr.simulate(there, until=1.0, interval=0.5)
    assert run.velocities[-1, 0, 0] == pytest.approx(SPEED, abs=1e-11)


@pytest.mark.parametrize("solver", ["moreau", "soft", "events"])
@pytest.mark.parametrize("spin", [0.0, -SPEED / RADIUS])
def test_friction_goes_on_over_joints(solver, spin):
    """A disk that slides is braked by μ g and rolls in the end, one that rolls goes on: as on one wall.

    In `soft` the tangential spring is handed over to the next wall; the contact there has begun a step before.
    """
    mu, until = 0.5, 0.1
    many, one = ([(length * k, 0.0) for k in range(-count, count)] for length, count in ((0.01, 20), (1.0, 2)))
    pieces, whole = (after(walls(points), solver, (0.0, RADIUS), until, material=FRICTIONLESS | {"friction": mu},
                           velocity=(SPEED, 0.0), spin=spin) for points in (many, one))
    assert pieces.velocities[-1, 0, 0] == pytest.approx(whole.velocities[-1, 0, 0], abs=1e-6)
    if solver != "soft":
        expected = max(SPEED - mu * G * until, 2.0 / 3.0 * SPEED) if spin == 0.0 else SPEED
        assert whole.velocities[-1, 0, 0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("solver", ["moreau", "soft"])
def test_a_floor_of_pieces_moves_under_a_disk(solver):
    """Joints pass below at 1 m/s while the floor rises at 0.1 m/s: without friction the disk rises and stays."""
    floor = walls([(0.1 * k, 0.0) for k in range(-15, 15)], motion={"velocity": [1.0, 0.1]})
    run = after(floor, solver, (0.0, RADIUS), 1.0, velocity=(0.0, 0.1))
    assert run.velocities[-1, 0, 0] == pytest.approx(0.0, abs=1e-12)
    assert run.velocities[-1, 0, 1] == pytest.approx(0.1, abs=1e-9)


def test_on_a_ridge_two_walls_are_one_contact():
    """On the edge that two walls share, a soft disk sinks in by m g/k, not by half of that."""
    run = after(walls([(-1.0, -0.5), (0.0, 0.0), (1.0, -0.5)]), "soft", (0.0, RADIUS), 0.2)
    assert RADIUS - run.positions[-1, 0, 1] == pytest.approx(G / STIFFNESS, rel=1e-9)
    assert run.velocities[-1, 0, 0] == 0.0


@pytest.mark.parametrize("solver", ["moreau", "events", "unilateral"])
def test_a_valley_takes_the_part_of_the_velocity_into_it(solver):
    """Concave joint, without gravity: a plastic impact on the face of the second wall leaves v cos α along it."""
    alpha = math.radians(20.0)
    floor = walls([(-1.0, 0.0), (0.0, 0.0), (2.0 * math.cos(alpha), 2.0 * math.sin(alpha))])
    run = after(floor, solver, (-0.3, RADIUS), 0.8, velocity=(SPEED, 0.0), down=(0.0, 0.0))
    expected = SPEED * math.cos(alpha) * np.array([math.cos(alpha), math.sin(alpha)])
    assert run.velocities[-1, 0, :2] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("solver", ["moreau", "soft"])
def test_over_a_ridge_no_energy_is_lost(solver):
    """Convex joint: the disk slides up 10° and flies off at the ridge, where v²/r > g; E is that of free motion.

    Soft grains have the energy of their spring, (m g)²/2k, and give it back with the dashpot's part lost. `moreau`
    takes the normal of the beginning of a step: at the ridge by up to v h/r, so that m g v h v h/r is gained or lost.
    """
    alpha = math.radians(10.0)
    c, s = math.cos(alpha), math.sin(alpha)
    floor = walls([(-c, -s), (-0.5 * c, -0.5 * s), (0.0, 0.0), (c, -s)])
    start = np.array([-0.6 * c - RADIUS * s, -0.6 * s + RADIUS * c])
    run = after(floor, solver, start, 0.4, velocity=(2.0 * c, 2.0 * s))
    energy = 0.5 * np.sum(run.velocities[:, 0, :2] ** 2, axis=1) + G * run.positions[:, 0, 1]
    assert run.positions[-1, 0, 0] > 0.03
    moved = 2.0 * run.metadata["step"]["step"]
    allowed = {"soft": 2.0 * G**2 / STIFFNESS, "moreau": G * moved * 2.0 * moved / RADIUS}[solver]
    assert energy[-1] == pytest.approx(energy[0], abs=allowed)


@pytest.mark.parametrize("triangles", [False, True])
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_ball_rests_on_the_seams_of_plates(solver, triangles):
    """Over edges and corners that up to eight plates share, on them and beside them."""
    floor = plates([-1.0, 0.0, 1.0], triangles)
    for offset in ((0.0, 0.0), (1e-7, 0.0), (3e-3, 0.0), (3e-3, 2e-3), (2e-3, 2e-3), (0.3, 0.3 + 1e-4)):
        run = after(floor, solver, (*offset, RADIUS), 0.1)
        assert np.abs(run.velocities[-1, 0, :2]).max() <= 1e-15
        if solver == "soft":
            assert RADIUS - run.positions[-1, 0, 2] == pytest.approx(G / STIFFNESS, rel=1e-6)


@pytest.mark.parametrize("triangles", [False, True])
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_ball_slides_over_plates(solver, triangles):
    floor = plates([-0.2 + 0.2 * k for k in range(9)], triangles)
    run = after(floor, solver, (0.03, 0.05, RADIUS), 1.0, velocity=(SPEED, 0.7 * SPEED, 0.0))
    assert run.velocities[-1, 0, :2] == pytest.approx([SPEED, 0.7 * SPEED], abs=1e-11)


@pytest.mark.parametrize("solver", ["moreau", "soft", "events"])
@pytest.mark.parametrize("radius", [-1.0, 1.0])
def test_cylinders_end_to_end(solver, radius):
    """A ball in the bottom of two open tubes, or on top of two rods, that meet: it slides on along the axis."""
    closed = [False, False] if radius < 0.0 else [True, True]
    pieces = {f"piece-{k}": {"kind": "cylinder", "ends": [[0.5 * k, 0.0, 0.0], [0.5 * k + 0.5, 0.0, 0.0]],
                             "radius": radius, "closed": closed} for k in range(-1, 3)}
    height = RADIUS - 1.0 if radius < 0.0 else 1.0 + RADIUS
    run = after(pieces, solver, (-0.2, 0.0, height), 1.0, velocity=(SPEED, 0.0, 0.0))
    assert run.velocities[-1, 0, 0] == pytest.approx(SPEED, abs=1e-11)


@pytest.mark.parametrize("solver", ["moreau", "soft", "unilateral"])
def test_an_edge_that_nothing_covers_is_a_contact(solver):
    """Two walls with a slit between them carry a disk by both edges; a disk falls on the single end of a wall."""
    slit = walls([(-1.0, 0.0), (-0.05, 0.0)]) | {"right": {"kind": "wall", "positions": [[0.05, 0.0], [1.0, 0.0]]}}
    height = math.sqrt(RADIUS**2 - 0.05**2)
    run = after(slit, solver, (0.0, height), 0.2)
    assert run.positions[-1, 0, :2] == pytest.approx([0.0, height], abs=2.0 * G / STIFFNESS)
    assert np.abs(run.velocities[-1, 0, :2]).max() < 1e-9


def test_a_wall_that_ends_on_a_plane_is_no_edge():
    """A ramp that begins on the floor: the disk before it touches the floor alone."""
    floor = {"floor": {"kind": "plane", "position": [0.0, 0.0], "normal": [0.0, 1.0]}} | walls([(0.0, 0.0), (1.0, 0.1)])
    for solver in SOLVERS:
        run = after(floor, solver, (-3e-3 - 0.05 * RADIUS, RADIUS), 0.2)
        assert run.velocities[-1, 0, 0] == 0.0
