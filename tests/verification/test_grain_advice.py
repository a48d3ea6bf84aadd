"""Warnings about grains that give a remedy: who follows it gets rid of the warning, or of most of its number."""

from __future__ import annotations

import re
from typing import Any

import granum as gr
from grain_scenes import FLOOR, G, grain, gravity, scene


def note(run: gr.Run, word: str) -> str | None:
    """The warning that contains a word; None if there is none."""
    found = [line for line in run.summary["notes"] if word in line]
    assert len(found) <= 1
    return found[0] if found else None


def thrown(step: float) -> gr.Run:
    """A disk falls by 5 m onto a floor at a given step."""
    return gr.simulate(scene({"a": grain((0.0, 5.0), radius=1e-2)}, material={"restitution": 0.5},
                             run={"until": 1.2, "interval": 0.01, "step": step}))


def test_a_step_below_the_advised_one_shortens_moves() -> None:
    """9.9 m/s for 1 ms is a radius; the step that the warning names halves it."""
    warning = note(run := thrown(1e-3), "in one step")
    assert warning is not None and run.figures["largest_move"].max() > 0.9
    advised = float(re.findall(r"(\S+) s\.", warning)[-1])
    assert note(thrown(advised), "in one step") is None


def test_a_smaller_step_makes_overlaps_smaller() -> None:
    """What two bodies approach in a step is proportional to it, and so is how deep they may be found.

    In the hopper at eight times the usual step the largest and the mean overlap are warned of, at that step neither.
    """
    long, short = (gr.simulate(gr.example("hopper"), until=0.5, step=step) for step in (1.6e-3, 2e-4))
    for warning, figure in (("overlapped by", "largest_overlap"), ("mean overlap", "mean_overlap")):
        assert note(long, warning) is not None and note(short, warning) is None
        assert short.figures[figure].max() < 0.25 * long.figures[figure].max()


def test_a_source_with_more_room_or_time_does_not_wait() -> None:
    """Each of the three remedies by itself."""
    tight = {"interval": 0.05, "count": 12, "radius": 0.02, "material": "stone",
             "region": {"kind": "box", "lower": [0.0, 0.5], "upper": [0.1, 0.6]}}

    def fed(**changes: Any) -> gr.Run:
        return gr.simulate(gr.Scene(material={"stone": {"density": 2500.0}}, source={"tap": tight | changes},
                                    boundary={"floor": FLOOR}, load={"gravity": gravity(0.0, -G)},
                                    run={"until": 0.14, "interval": 0.02}))

    def waiting(run: gr.Run) -> int:
        return int(run.sources["tap"]["waiting"])

    assert note(crowded := fed(), "waiting for room") is not None
    wide = fed(region={"kind": "box", "lower": [0.0, 0.5], "upper": [1.0, 1.0]})
    assert note(wide, "waiting for room") is None and note(fed(radius=0.004), "waiting for room") is None
    assert waiting(fed(interval=0.13)) < waiting(crowded)
