"""What the proposed step of grains gives: overlaps as documented, and rates that do not depend on it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import G, gravity


def boxed(load: dict[str, Any], motion: dict[str, Any] | None = None) -> gr.Scene:
    """80 disks in a box, which may move."""
    walls: dict[str, Any] = {"kind": "box", "lower": [0.0, 0.0], "upper": [0.2, 0.4]}
    return gr.Scene(
        material={"sand": {"friction": 0.4, "restitution": 0.3, "density": 2500.0}},
        boundary={"box": walls | ({} if motion is None else {"motion": motion})}, load=load,
        pattern={"bed": {"kind": "grains", "count": 80, "radius": [4e-3, 6e-3],
                         "region": {"kind": "box", "lower": [0.01, 0.01], "upper": [0.19, 0.39]}}},
        run={"until": 0.3, "interval": 0.01, "seed": 1})


DOWN = gravity(0.0, -G)


@pytest.mark.parametrize("scene", [
    boxed({"gravity": DOWN}), boxed({"field": {"kind": "force-field", "force": ["0", "-300*m"]}}),
    boxed({"gravity": DOWN, "field": {"kind": "force-field", "force": ["50*m*sin(40*t)", "0"]}}),
    boxed({"gravity": DOWN}, {"amplitude": [0.0, 2e-3], "frequency": 20.0})],
    ids=["gravity", "field", "changing field", "shaken"])
def test_overlaps_are_as_documented(scene: gr.Scene) -> None:
    """docs/theory/contact.md: the mean below 0.01 radii, the largest below 0.2, which two grains reach head-on."""
    run = gr.simulate(scene)
    assert run.metadata["step"]["step"] == run.metadata["step"]["proposed"]
    assert run.figures["mean_overlap"].max() < 0.01 and run.figures["largest_overlap"].max() < 0.2
    assert run.figures["largest_move"].max() < 0.2  # the expected speed of impact is that of a fall, IMPACT of a radius


@pytest.mark.validate
def test_the_rate_of_a_hopper_does_not_depend_on_the_step() -> None:
    """At the proposed step, four times it and a quarter of it, eight seeds each: within three standard errors."""
    hopper = gr.example("hopper")
    proposed = gr.simulate(hopper, until=0.01).metadata["step"]["proposed"]
    rates: dict[float, list[float]] = {0.25: [], 1.0: [], 4.0: []}
    for part, found in rates.items():
        for seed in range(1, 9):
            run = gr.simulate(hopper, seed=seed, step=part * proposed, interval=0.005, until=0.9)
            passed = run.passed("outlet")[0]
            begin, end = np.interp([80.0, 240.0], passed, run.t)
            found.append(160.0 / (end - begin))
    mean = {part: float(np.mean(found)) for part, found in rates.items()}
    square = {part: float(np.var(found, ddof=1)) / len(found) for part, found in rates.items()}
    for part in (0.25, 4.0):
        assert abs(mean[part] - mean[1.0]) < 3.0 * math.sqrt(square[part] + square[1.0]), (mean, square)
    assert math.sqrt(square[1.0]) < 0.04 * mean[1.0]  # so that a difference of 15 % would be seen
