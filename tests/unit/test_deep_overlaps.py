"""The largest overlap of a run is reported, with a warning, whether its contact pushes or not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import granum as gr
from granum.contact.world import World
from messages import says

R = 0.1
DISK = {"kind": "disk", "radius": R, "points": {"p": [0.25 * R, 0.0], "q": [-0.25 * R, 0.0]}}
CLUMP = {"kind": "clump", "disks": [{"centre": [0.0, 0.0], "radius": R}, {"centre": [0.0, 3.0 * R], "radius": R}],
         "points": {"p": [0.25 * R, 0.0], "q": [-0.25 * R, 0.0]}}


def two(body: dict[str, Any], solver: str = "moreau", **more: Any) -> gr.Scene:
    """Two bodies at rest whose centres are half a radius apart."""
    return gr.Scene(material={"m": {"density": 1000.0, "friction": 0.3}}, body={"a": body, "b": body},
                    start={"a": {"position": [0.0, 1.0]}, "b": {"position": [0.5 * R, 1.0]}},
                    run={"until": 0.02, "interval": 0.01, "step": 1e-3, "solver": solver}, **more)


@pytest.mark.parametrize(("body", "solver"), [(DISK, "moreau"), (CLUMP, "moreau"), (DISK, "unilateral")])
def test_bodies_that_a_joint_held_inside_each_other(body: dict[str, Any], solver: str) -> None:
    """Joined bodies do not touch. A run that starts from their frame without the joint finds them 1.5 radii deep in
    each other: 2 r - r/2. They are at rest, and nothing pushes.
    """
    joint = {"pin": {"kind": "ball-joint", "between": ["a.p", "b.q"]}}
    joined = gr.simulate(two(body, constraint=joint), progress=False)
    assert joined.summary["overlap"]["largest"] == 0.0
    run = gr.simulate(two(body, solver).start_from(joined), progress=False)
    assert run.summary["overlap"]["largest"] == pytest.approx(1.5, rel=1e-9)
    (warning,) = [note for note in run.summary["notes"] if "overlap" in note]
    says(warning, "1.5 radii", "t = 0 s", "0.01 s")


@pytest.mark.parametrize(("body", "height"), [(DISK, R), (CLUMP, 2.5 * R)], ids=["disk", "clump"])
def test_a_body_inside_a_boundary(body: dict[str, Any], height: float) -> None:
    """A start inside a boundary is refused; a body that gets there all the same is measured from the wall."""
    scene = gr.Scene(material={"m": {"density": 1000.0}}, body={"a": body}, start={"a": {"position": [0.0, height]}},
                     boundary={"floor": {"kind": "plane", "position": [0.0, 0.0], "normal": [0.0, 1.0]}},
                     run={"until": 0.01, "step": 1e-3, "solver": "moreau"})
    world = World(scene)
    world.begin()
    # both the grains and the bodies that they are parts of: whichever moves
    world.grains.x[:, 1] -= 0.7 * R
    if hasattr(world.grains, "bodies"):
        world.grains.bodies.pose[:, 1] -= 0.7 * R
    world.advance(1e-3, lambda t: None)
    assert world.solver.statistics()["largest_overlap"] == pytest.approx(0.7, rel=1e-9)
    assert np.isfinite(world.grains.x).all()
