"""Loads, flow probes and sinks inside the compiled loop of steps, beside the same applied from Python step by step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import granum as gr
from granum.base.errors import NotConvergedError
from granum.contact.nonsmooth.moreau import Moreau
from granum.model.scene import Scene
from messages import refused

STREAM = {"kind": "drag", "density": 1000.0, "drag_coefficient": 0.5}
CHANNEL = {"left": {"kind": "wall", "positions": [[-0.5, 0.12], [0.8, 0.12]]},
           "right": {"kind": "wall", "positions": [[-0.5, -0.12], [0.8, -0.12]]}}


def channel(**load: dict[str, Any]) -> Scene:
    """Grains that enter a short channel in batches, pass two sections and leave through two sinks."""
    return Scene(
        material={"grain": {"friction": 0.5, "restitution": 0.3, "density": 1100.0}}, boundary=CHANNEL,
        body={"first": {"kind": "disk", "radius": 0.02}},
        start={"first": {"position": [0.1, 0.0], "velocity": [0.3, 0.1]}},
        source={"inflow": {"shape": "sphere", "radius": [0.02, 0.03], "count": 6, "interval": 0.3, "max_count": 24,
                           "velocity": [0.5, 0.0],
                           "region": {"kind": "box", "lower": [-0.4, -0.12], "upper": [-0.1, 0.12]}}},
        load=load,
        sink={"end": {"region": {"kind": "half-space", "position": [0.6, 0.0], "normal": [1.0, 0.0]}},
              "hole": {"region": {"kind": "round", "centre": [0.5, 0.1], "radius": 0.05}}},
        probe={"middle": {"kind": "flow", "position": [0.2, 0.0], "normal": [1.0, 0.0]},
               "side": {"kind": "flow", "position": [0.3, 0.1], "normal": [1.0, 0.0], "half_width": 0.05}})


LOADS: dict[str, dict[str, dict[str, Any]]] = {
    "none": {},
    "drag": {"stream": {**STREAM, "velocity": [0.8, 0.0]}},
    "shadows": {"stream": {**STREAM, "velocity": [0.8, 0.0], "shadow": True}},
    "several": {
        "stream": {**STREAM, "velocity": [0.8, 0.0],
                   "profile": {"position": [0.0, 0.0], "half_width": 0.12}},
        "field": {"kind": "force-field", "force": ["-m*x", "m*sin(5*t) - 0.1*m*vy"]},
        "push": {"kind": "force", "on": "first", "force": [0.2, -0.1]},
        "gravity": {"kind": "gravity", "acceleration": [0.5, 0.0]}},
}


@pytest.mark.parametrize("loads", LOADS)
def test_the_loop_does_what_python_does_step_by_step(loads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Motion, passages and what enters and leaves agree to the bit where loads act; work sums up in another order."""
    settings = {"until": 1.2, "step": 1e-3, "interval": 0.1}
    here = gr.simulate(channel(**LOADS[loads]), **settings)
    monkeypatch.setattr(Moreau, "calls_agents", False)
    there = gr.simulate(channel(**LOADS[loads]), **settings)
    assert here.passed("middle")[0][-1] > 2
    assert np.array_equal(here.passed("middle"), there.passed("middle"))
    assert np.array_equal(here.passed("side"), there.passed("side"))
    for frame in range(len(here.t)):
        one, other = here.frame(frame), there.frame(frame)
        assert np.array_equal(one.numbers, other.numbers)
        assert np.array_equal(one.positions, other.positions) and np.array_equal(one.velocities, other.velocities)
    for name, work in here.energy.work.items():
        np.testing.assert_allclose(work, there.energy.work[name], rtol=1e-11, atol=1e-14)


def test_a_force_without_a_finite_value_stops_the_loop_where_it_has_none() -> None:
    """1/(0.5 - t) at t = 0.5 s, in the middle of a frame."""
    scene = channel(field={"kind": "force-field", "force": ["m*0.001/(0.5 - t)", "0"]})
    with refused(NotConvergedError, "load.field.force", "t = 0.5 s", "grain"):
        gr.simulate(scene, until=1.0, step=1.0 / 1024.0, interval=1.0)
