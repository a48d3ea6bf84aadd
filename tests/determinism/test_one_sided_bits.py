"""One-sided links: the same bits stopped and resumed, open and closed, with the spanning forest that history left."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import granum as gr
from granum.base.errors import GranumError
from granum.integrate.one_sided_points import OneSidedPoints
from runs import assert_same_run, stop_at

G = {"kind": "gravity", "acceleration": [0.0, -9.81]}


def net(formulation: str, solver: str) -> gr.Scene:
    """Four masses on ropes between two nails: ropes go slack and taut, loops open and close."""
    names = [f"m{k}" for k in range(4)]
    ropes = [("left", "m0"), ("m0", "m1"), ("m1", "m2"), ("m2", "m3"), ("m3", "right"), ("left", "m2"), ("m1", "right")]
    start = {"m0": (0.3, 0.2), "m1": (0.6, 0.4), "m2": (1.0, 0.5), "m3": (1.4, 0.1)}
    return gr.Scene(
        body={"left": {"kind": "fixed-point", "position": (0.0, 0.0)},
              "right": {"kind": "fixed-point", "position": (1.8, 0.0)},
              **{name: {"kind": "point-mass", "mass": 1.0 + 0.3 * k} for k, name in enumerate(names)}},
        start={name: {"position": at, "velocity": (0.5, 0.0)} for name, at in start.items()},
        link={f"r{k}": {"between": ends, "length": 0.75 if k < 5 else 1.3, "one_sided": "pull", "restitution": 0.2}
              for k, ends in enumerate(ropes)},
        load={"gravity": G}, run={"until": 1.2, "interval": 0.05, "formulation": formulation, "solver": solver,
                                  "step": 2e-3, "tolerance": 1e-9})


def gate(formulation: str, solver: str) -> gr.Scene:
    """Two bars on hinges, one above the other, that fall on a post and on each other."""
    bar = {"kind": "rod", "length": 1.0, "mass": 1.0, "points": {"end": (0.5, 0.0), "hinge": (-0.5, 0.0)}}
    return gr.Scene(
        body={"low": {"kind": "fixed-point", "position": (0.0, 0.0)},
              "high": {"kind": "fixed-point", "position": (0.0, 0.5)},
              "post": {"kind": "fixed-point", "position": (1.0, -0.7)}, "a": bar, "b": bar},
        start={"a": {"position": (0.5, 0.0), "angle": 0.0}, "b": {"position": (0.5, 0.5), "angle": 0.0}},
        constraint={"h1": {"kind": "hinge", "between": ("low", "a.hinge")},
                    "h2": {"kind": "hinge", "between": ("high", "b.hinge")}},
        link={"stop": {"between": ("post", "a.end"), "length": 0.5, "one_sided": True, "restitution": 0.3},
              "buffer": {"between": ("a.end", "b.end"), "length": 0.4, "one_sided": True, "restitution": 0.5}},
        load={"gravity": G}, run={"until": 0.8, "interval": 0.02, "formulation": formulation, "solver": solver})


CASES = [(net, "newton-euler", "dop853"), (net, "scalar", "dop853"), (net, "newton-euler", "rk4"),
         (net, "newton-euler", "mixed"), (gate, "newton-euler", "dop853")]


@pytest.mark.parametrize(("make", "formulation", "solver"), CASES,
                         ids=[f"{make.__name__}-{formulation}-{solver}" for make, formulation, solver in CASES])
def test_stopped_and_resumed_gives_the_same_bits(make: object, formulation: str, solver: str, tmp_path: Path) -> None:
    """Ctrl-C three times on the way, with other links open each time."""
    assert callable(make)
    scene, file = make(formulation, solver), tmp_path / "run.h5"
    whole = gr.simulate(scene)
    assert {"opens", "closes"} & {event.what for event in whole.events}
    end = float(whole.t[-1])
    gr.simulate(scene, output=file, progress=stop_at(0.3 * end))
    for part in (0.55, 0.8):
        gr.simulate(scene, output=file, resume=True, progress=stop_at(part * end))
    resumed = gr.simulate(scene, output=file, resume=True)
    assert_same_run(resumed, whole)
    assert resumed.events == whole.events and len(whole.events) > 3


def test_record_of_another_net() -> None:
    """A forest that is none of these links is refused: compiled code would run out of its arrays with it."""
    sim = gr.Simulation(net("newton-euler", "dop853"))
    motion = sim._subject.system.motion  # type: ignore[attr-defined]
    assert isinstance(motion, OneSidedPoints)
    wrong = np.full_like(motion.topology.record, 1)
    with pytest.raises(GranumError, match="topology"):
        motion.resume(motion.state.copy(), motion.record, wrong, [])
