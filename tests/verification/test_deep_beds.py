"""Beds of many rows: impulses have to get from the uppermost grain to the floor within a step.

A sweep passes a change on by one row. Sweeps in one direction need the square of the number of rows, so that a bed of
some rows tells whether accelerated ones do their work: the floor has to carry all weight from the first step on.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import nnls

import granum as gr
from granum.base.kernels import Floats

R, DENSITY, G, STEP = 0.005, 2500.0, 9.81, 1e-4
SHARE = 1e-2
"""Part of the weight by which forces may be wrong."""
CREEP = 1e-3
"""Velocity of the fastest grain after a step, in what gravity gives."""


def positions(rows: int, across: int) -> Floats:
    """Touching disks, every second row between those of the row below."""
    return np.array([(R + (row % 2) * R + 2.0 * R * k, R + row * math.sqrt(3.0) * R)
                     for row in range(rows) for k in range(across - row % 2)])


def bed(x: Floats, friction: float, walls: bool = True, **settings: object) -> gr.Scene:
    """Disks at rest on a floor, between walls."""
    names, width, top = [f"d{k}" for k in range(len(x))], float(x[:, 0].max()) + R, 2.0 * float(x[:, 1].max())
    boundary = {"floor": {"kind": "wall", "positions": [[-1.0, 0.0], [2.0, 0.0]]}}
    if walls:
        boundary |= {"left": {"kind": "wall", "positions": [[0.0, top], [0.0, 0.0]]},
                     "right": {"kind": "wall", "positions": [[width, 0.0], [width, top]]}}
    return gr.Scene.model_validate({
        "material": {"steel": {"friction": friction, "restitution": 0.0, "density": DENSITY}},
        "boundary": boundary, "body": {name: {"kind": "disk", "radius": R, "material": "steel"} for name in names},
        "start": {name: {"position": place} for name, place in zip(names, x.tolist(), strict=True)},
        "load": {"gravity": {"kind": "gravity", "acceleration": [0.0, -G]}},
        "run": {"until": 10 * STEP, "step": STEP, "interval": STEP, **settings}})


def carried(run: gr.Run, frame: int, disks: float) -> float:
    """What boundaries carry, in weights of so many disks."""
    own = run.frame(frame)
    return float(own.force[own.pair[:, 1] < 0, 1].sum()) / (disks * DENSITY * math.pi * R**2 * G)


@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_the_floor_carries_a_bed_from_the_first_step(friction: float) -> None:
    """40 rows: plain sweeps would need more than a thousand to carry half of it."""
    x = positions(40, 8)
    run = gr.simulate(bed(x, friction))
    for frame in range(1, 11):
        assert_allclose(carried(run, frame, len(x)), 1.0, atol=SHARE)
        assert np.abs(run.frame(frame).velocities).max() < CREEP * G * STEP * frame


def test_a_heavy_disk_on_light_ones() -> None:
    """A mass ratio of a thousand: what carries it is the same, but changes go through a much softer chain."""
    scene = bed(positions(10, 6), 0.5)
    top = f"d{len(scene.body) - 3}"
    heavy = scene.model_copy(update={"body": {**scene.body, top: scene.body[top].model_copy(update={
        "mass": 1000.0 * DENSITY * math.pi * R**2})}})
    run = gr.simulate(heavy)
    assert_allclose(carried(run, 1, len(scene.body) + 999.0), 1.0, atol=SHARE)
    assert np.abs(run.frame(10).velocities).max() < CREEP * G * STEP * 10


def test_velocities_of_a_pile_that_gives_way() -> None:
    """Without friction, velocities after a step solve min |v - v₀|² over u_n >= 0, here by non-negative least squares.

    Nothing holds the outer disks of the pile, so that contacts open and impulses are not those of a bed at rest.
    """
    x = positions(6, 6)
    run = gr.simulate(bed(x, 0.0, walls=False, tolerance=1e-12, until=STEP))
    touching = [(i, j) for i in range(len(x)) for j in range(i) if np.hypot(*(x[i] - x[j])) < 2.0 * R * (1.0 + 1e-9)]
    floor = np.flatnonzero(x[:, 1] < 1.5 * R)
    H = np.zeros((len(touching) + len(floor), 2 * len(x)))
    for row, (i, j) in enumerate(touching):
        n = (x[i] - x[j]) / np.hypot(*(x[i] - x[j]))
        H[row, 2 * i : 2 * i + 2], H[row, 2 * j : 2 * j + 2] = n, -n
    H[np.arange(len(touching), len(H)), 2 * floor + 1] = 1.0
    free = np.tile([0.0, -G * STEP], len(x))
    impulses, _ = nnls(H.T, -free, maxiter=10_000)
    expected = (free + H.T @ impulses).reshape(-1, 2)
    # sweeps end where no contact misses its law by 2.5e-10 of g h; what is left adds up over the contacts of a pile
    assert_allclose(run.frame(1).velocities[:, :2], expected, atol=1e-6 * G * STEP)
