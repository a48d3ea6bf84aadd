"""Clusters of grains that are merged while they last: the same motion, fewer contacts, momentum kept."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_bonds import momenta

import granum as gr
from grain_scenes import MANY, G, closes, gravity
from granum.contact.world import World
from granum.grains.aggregates.parts import Parts
from granum.grains.aggregates.regrouping import regroup
from runs import stop_at

R = 0.01


def bed(merge: bool, wide: int, rows: int, motion: dict[str, Any] | None = None, ball: bool = False,
        **run: Any) -> gr.Scene:
    """Disks in a hexagonal bed between two walls, of which the left may be a piston."""
    at = [[R + 2 * R * k + R * (row % 2), R + row * R * math.sqrt(3.0)] for row in range(rows)
          for k in range(wide - row % 2)]
    walls: dict[str, Any] = {"floor": {"kind": "plane", "position": [0.0, 0.0], "normal": [0.0, 1.0]},
                             "left": {"kind": "plane", "position": [0.0, 0.0], "normal": [1.0, 0.0]},
                             "right": {"kind": "plane", "position": [2 * R * wide, 0.0], "normal": [-1.0, 0.0]}}
    if motion is not None:
        walls["left"]["motion"] = motion
    more: dict[str, Any] = {}
    if ball:
        more = {"body": {"ball": {"kind": "disk", "radius": 1.5 * R}},
                "start": {"ball": {"position": [R * (wide + 0.3), 0.3]}}}
    return gr.Scene(material={"m": {"density": 1000.0, "friction": 0.6}}, boundary=walls,
                    pattern={"bed": {"kind": "grains", "positions": at, "radius": R}},
                    load={"gravity": gravity(0.0, -G)},
                    run={"solver": "moreau", "until": 0.4, "interval": 0.02, "merge_clusters": merge,
                         **run}, **more)


def apart(a: gr.Run, b: gr.Run) -> float:
    """Root mean square distance of the grains of two runs at their end, in radii."""
    return float(np.sqrt(np.mean(np.sum((a.frame().positions - b.frame().positions) ** 2, axis=1)))) / R


def test_a_bed_at_rest_becomes_one_body() -> None:
    """A tenth of the contacts is left, nothing moves: grains stay where they are to 1e-4 radii."""
    plain, merged = (gr.simulate(bed(merge, 12, 5)) for merge in (False, True))
    assert merged.merged[-1, 0] == 1 and merged.merged[-1, 1] > 45
    assert merged.figures["contacts"][-1] < 0.25 * plain.figures["contacts"][-1]
    assert apart(plain, merged) < 1e-4
    assert merged.merges[0].grains > 0
    closes(merged, least=1e-3)
    assert merged.summary["merged"]["bodies"] == 1


@pytest.mark.parametrize("velocity", [-0.01, 0.01])
def test_a_bed_that_a_piston_moves(velocity: float) -> None:
    """Merged until the piston begins to move, it then goes as without merging, as near as other steps make it."""
    motion = {"velocity": [velocity, 0.0], "start_time": 0.2}
    plain, merged = (gr.simulate(bed(merge, 12, 5, motion)) for merge in (False, True))
    step = plain.metadata["step"]["step"]
    scatter = max(apart(plain, gr.simulate(bed(False, 12, 5, motion, step=part * step))) for part in (0.97, 0.9, 0.8))
    split = [one for one in merged.merges if one.grains < 0]
    assert merged.merged[9, 1] > 45 and any(one.t == pytest.approx(0.2, abs=1e-3) for one in split)
    assert apart(plain, merged) < 2.0 * scatter + 1e-3
    closes(merged, MANY + plain.energy_error)  # merging adds no more than contact problems may miss


def test_a_bed_that_is_hit() -> None:
    """A disk falls on it: the cluster comes apart before the blow, so the blow is that on single grains."""
    plain, merged = (gr.simulate(bed(merge, 12, 5, ball=True)) for merge in (False, True))
    hit = math.sqrt(2.0 * (0.3 - 0.1) / G)  # to within a tenth of a second
    assert any(one.grains < 0 and abs(one.t - hit) < 0.05 for one in merged.merges)
    assert apart(plain, merged) < 0.1
    closes(merged)


def test_merging_keeps_momentum_and_loses_relative_motion() -> None:
    """Grains with any velocities: a body of them has their momentum and angular momentum, and less energy."""
    world, rng = World(bed(True, 6, 4)), np.random.default_rng(2)
    parts = world.grains
    assert isinstance(parts, Parts)
    parts.bodies.motion[:, :2] = rng.normal(size=(parts.count, 2))
    parts.bodies.motion[:, 6] = rng.normal(size=parts.count)
    before, energy = momenta(parts), parts.kinetic_energy()
    regroup(parts, np.arange(parts.count), np.arange(parts.count) % 3, 2)
    after = momenta(parts)
    assert parts.bodies.count == 3 and parts.kinetic_energy() < energy
    for found, expected in zip(after, before, strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-12 * np.abs(expected).max())


def test_splitting_keeps_momentum_and_energy() -> None:
    """To round-off, also angular momentum, of a merged cluster that moves and turns."""
    world = World(bed(True, 12, 5))
    world.begin()
    parts, solver = world.grains, world.solver
    assert isinstance(parts, Parts)
    while not len(parts.held.pair):
        world.advance(parts.t + world.step, lambda t: None)
    parts.bodies.motion[:, :3] += [0.3, 0.2, 0.0]
    parts.bodies.motion[:, 6] += 0.5
    merged, energy = momenta(parts), parts.kinetic_energy()
    solver._dissolve(parts.bodies.number, world.step)
    after = momenta(parts)
    assert parts.bodies.count == parts.count
    np.testing.assert_allclose(after[0], merged[0], rtol=1e-12, atol=1e-12 * np.abs(merged[0]).max())
    np.testing.assert_allclose(after[1], merged[1], rtol=1e-12, atol=1e-12 * np.abs(merged[1]).max())
    assert parts.kinetic_energy() == pytest.approx(energy, rel=1e-12)


def test_resumed_runs_have_the_same_bits(tmp_path: Path) -> None:
    """Stopped while merged, and after the piston."""
    scene = bed(True, 12, 5, {"velocity": [-0.01, 0.0], "start_time": 0.2})
    whole, file = gr.simulate(scene), tmp_path / "run.h5"
    for until in (0.05, 0.15, 0.31):
        gr.simulate(scene, output=file, resume=True, progress=stop_at(until))
    found = gr.simulate(scene, output=file, resume=True)
    assert len(found.merges) > 0
    for name, array in whole._recording.arrays.items():
        np.testing.assert_array_equal(found._recording.arrays[name], array, err_msg=name)


def test_a_pile_of_balls_in_space_merges() -> None:
    """Balls in a box, by rank: a close-packed bed becomes one body."""
    at = [[R * (1 + 2 * i), R * (1 + 2 * j), R] for i in range(4) for j in range(4)]
    at += [[R * (2 + 2 * i), R * (2 + 2 * j), R + R * math.sqrt(2.0)] for i in range(3) for j in range(3)]
    scene = gr.Scene(material={"m": {"density": 1000.0, "friction": 0.6}},
                     boundary={"box": {"kind": "box", "lower": [0.0] * 3, "upper": [8 * R, 8 * R, 0.2]}},
                     pattern={"bed": {"kind": "grains", "positions": at, "radius": R}},
                     load={"gravity": gravity(0.0, 0.0, -G)},
                     run={"solver": "moreau", "until": 0.2, "interval": 0.02, "merge_clusters": True})
    run = gr.simulate(scene)
    assert run.merged[:, 1].max() > 12
    moved = run.frame().positions - run.frame(0).positions
    assert np.abs(moved).max() < 1e-3 * R
