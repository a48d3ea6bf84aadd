"""A bed in equilibrium stays in equilibrium, whatever frame of its run it comes from."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import granum as gr
from granum.base.kernels import Floats

G, WIDTH, DENSITY = 9.81, 0.06, 2500.0
SHARE = 1e-2
"""Part of the weight by which forces may change."""


def column(**run: object) -> gr.Scene:
    """Disks with friction between two walls, which carry a part of them."""
    planes = {"floor": ([0.0, 0.0], [0.0, 1.0]), "left": ([0.0, 0.0], [1.0, 0.0]), "right": ([WIDTH, 0.0], [-1.0, 0.0])}
    return gr.Scene.model_validate({
        "material": {"glass": {"friction": 0.4, "restitution": 0.3, "density": DENSITY}},
        "boundary": {name: {"kind": "plane", "position": x, "normal": n} for name, (x, n) in planes.items()},
        "pattern": {"bed": {"kind": "grains", "count": 250, "radius": [0.0045, 0.0055],
                            "region": {"kind": "box", "lower": [0.0, 0.0], "upper": [WIDTH, 0.7]}}},
        "load": {"gravity": {"kind": "gravity", "acceleration": [0.0, -G]}},
        "run": {"until": 1.5, "interval": 0.05, "seed": 1, **run}})


@pytest.fixture(scope="module")
def settled() -> gr.Run:
    return gr.simulate(column())


def carried(run: gr.Run, frame: int) -> Floats:
    """Vertical forces of floor, left and right wall, in the weight of all grains."""
    own = run.frame(frame)
    weight = DENSITY * math.pi * G * float((own.radii**2).sum())
    return np.array([own.force[own.pair[:, 1] == -1 - wall, 1].sum() / weight for wall in range(3)])


@pytest.mark.parametrize("back", [-1, -2, -3, -6])
@pytest.mark.parametrize("step", [None, 5e-5])
def test_floor_and_walls_carry_what_they_did(settled: gr.Run, back: int, step: float | None) -> None:
    """Only the last two frames have a checkpoint; others have the forces, which friction leaves open otherwise."""
    before = carried(settled, back)
    assert before.sum() == pytest.approx(1.0, abs=SHARE) and np.abs(before[1:]).max() > 0.05
    changed = {} if step is None else {"step": step}
    run = gr.simulate(column(until=0.02, interval=0.005, **changed).start_from(settled, back))
    for frame in range(1, 5):
        assert carried(run, frame) == pytest.approx(before, abs=SHARE)
    fastest = np.linalg.norm(settled.frame(back).velocities, axis=1).max()
    assert np.linalg.norm(run.frame(-1).velocities, axis=1).max() < 2.0 * fastest + 1e-4


def test_a_file_gives_the_same(settled: gr.Run, tmp_path: Path) -> None:
    file = tmp_path / "bed.h5"
    gr.simulate(column(), output=file)
    scenes = [column(until=0.01).start_from(run, -3) for run in (settled, gr.open_run(file))]
    one, other = (gr.simulate(scene).frame(-1).positions for scene in scenes)
    assert np.array_equal(one, other)
