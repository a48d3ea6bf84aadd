"""Joints among grains: the same bits stopped and resumed, and on one thread or two."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from test_grain_bits import SAND, assert_same

import granum as gr
from grain_scenes import FLOOR, MANY, G, gravity
from runs import stop_at

CLUMP = {"kind": "clump", "disks": [{"centre": [-0.02, 0.0], "radius": 0.02}, {"centre": [0.02, 0.0], "radius": 0.02}],
         "points": {"a": [-0.04, 0.0], "b": [0.04, 0.0]}}


def works() -> gr.Scene:
    """A paddle that a drive turns through several turns, a gate with a torsion spring, a chain of clumps on a spring,
    grains of a pattern on a link, a source and a sink.
    """
    return gr.Scene(
        material={"sand": SAND},
        boundary={"floor": FLOOR, "left": {"kind": "plane", "position": [-0.3, 0.0], "normal": [1.0, 0.0]},
                  "blade": {"kind": "wall", "positions": [[-0.1, 0.15], [0.1, 0.15]], "body": "paddle"},
                  "leaf": {"kind": "wall", "positions": [[0.3, 0.02], [0.3, 0.25]], "body": "gate"}},
        body={"axle": {"kind": "fixed-point", "position": [0.0, 0.15]},
              "post": {"kind": "fixed-point", "position": [0.3, 0.3]},
              "paddle": {"kind": "rod", "length": 0.2, "mass": 1.0, "points": {"middle": [0.0, 0.0]}},
              "gate": {"kind": "block", "size": [0.01, 0.28], "mass": 1.0, "points": {"top": [0.0, 0.15]}},
              **{f"c{k}": CLUMP for k in range(3)}},
        constraint={"shaft": {"kind": "hinge", "between": ["axle", "paddle.middle"]},
                    "motor": {"kind": "drive", "joint": "shaft", "motion": "30*t + 0.1*sin(40*t)"},
                    "hinge": {"kind": "hinge", "between": ["post", "gate.top"]},
                    **{f"k{k}": {"kind": "hinge", "between": [f"c{k}.b", f"c{k + 1}.a"]} for k in range(2)}},
        link={"bar": {"between": ["bed-9", "bed-38"]}},
        pattern={"bed": {"kind": "grains", "count": 40, "radius": [0.012, 0.018],
                         "region": {"kind": "box", "lower": [-0.28, 0.0], "upper": [0.28, 0.13]}}},
        source={"tap": {"radius": 0.012, "interval": 0.1, "count": 3, "region": {
            "kind": "box", "lower": [-0.25, 0.35], "upper": [-0.1, 0.4]}}},
        sink={"right": {"region": {"kind": "half-space", "position": [0.8, 0.0], "normal": [1.0, 0.0]}}},
        start={**{f"c{k}": {"position": [0.05 + 0.08 * k, 0.3]} for k in range(3)}, "paddle": {"position": [0.0, 0.15]},
               "gate": {"position": [0.3, 0.15]}},
        load={"gravity": gravity(0.0, -G),
              "closer": {"kind": "torsion-spring", "hinge": "hinge", "stiffness": 2.0, "damping": 0.1},
              "rubber": {"kind": "spring", "between": ["axle", "c0.a"], "stiffness": 30.0, "damping": 0.5}},
        run={"until": 0.6, "interval": 0.03, "seed": 5})


def ropes() -> gr.Scene:
    """In space: a door with a counted angle, hit by balls, one of which hangs on a link."""
    return gr.Scene(
        material={"sand": {**SAND, "restitution": 0.8}},
        boundary={"leaf": {"kind": "wall", "body": "door", "positions": [
            [0.0, 0.0, -0.5], [0.8, 0.0, -0.5], [0.8, 0.0, 0.5], [0.0, 0.0, 0.5]]}},
        body={"post": {"kind": "fixed-point", "position": [0.0, 0.0, 0.0]},
              "nail": {"kind": "fixed-point", "position": [0.5, -0.4, 1.0]},
              "door": {"kind": "block", "size": [0.8, 0.02, 1.0], "mass": 1.0, "points": {"edge": [-0.4, 0.0, 0.0]}},
              "bob": {"kind": "sphere", "radius": 0.1, "mass": 2.0}},
        constraint={"hinge": {"kind": "hinge", "between": ["post", "door.edge"], "axis": [0.0, 0.0, 1.0]}},
        link={"rope": {"between": ["nail", "bob"]}},
        pattern={"shot": {"kind": "grains", "radius": 0.05, "positions": [[0.7, -0.3, 0.2], [0.6, 0.5, -0.1]],
                          "velocity": [0.0, 1.5, 0.0]}},
        start={"door": {"position": [0.4, 0.0, 0.0], "angular_velocity": [0.0, 0.0, 20.0]},
               "bob": {"position": [0.5, -0.8, 0.3], "velocity": [0.0, 1.4, -0.8]}},
        load={"gravity": gravity(0.0, 0.0, -G),
              "closer": {"kind": "torsion-spring", "hinge": "hinge", "stiffness": 0.2, "damping": 0.01}},
        run={"until": 0.6, "interval": 0.05})


SCENES = {"works": works, "ropes": ropes}
_WHOLE: dict[str, gr.Run] = {}


def _whole(name: str) -> gr.Run:
    if name not in _WHOLE:
        _WHOLE[name] = gr.simulate(SCENES[name]())
    return _WHOLE[name]


@pytest.mark.parametrize("name", list(SCENES))
@pytest.mark.parametrize("part", [0.2, 0.5, 0.85])
def test_stopped_and_resumed_gives_the_same_bits(name: str, part: float, tmp_path: Path) -> None:
    """Ctrl-C in the midst of a frame."""
    whole, file = _whole(name), tmp_path / "run.h5"
    stopped = gr.simulate(SCENES[name](), output=file, progress=stop_at(part * float(whole.t[-1])))
    assert 0 < len(stopped.t) < len(whole.t)
    assert_same(stopped, whole)
    assert_same(gr.simulate(SCENES[name](), output=file, resume=True), whole)


def test_the_scenes_do_what_they_are_for() -> None:
    """The paddle turns through several turns with the drive, the door too; all is counted."""
    run, door = _whole("works"), _whole("ropes")
    angle = 2.0 * np.arctan2(*run.orientation("paddle")[-1, [3, 0]])
    told = 30.0 * 0.6 + 0.1 * np.sin(40.0 * 0.6)
    assert abs(np.sin(0.5 * (angle - told))) < 1e-4
    assert run.sources["tap"]["entered"] > 10 and run.figures["pushing"].max() > 10
    assert door.figures["pushing"].max() > 0.0
    for one in (run, door):
        assert one.energy_error < MANY
        assert one.summary["constraint_errors"]["distance"] < 1e-4


@pytest.fixture
def threads() -> Iterator[None]:
    """Leave the number of threads as it was."""
    before = numba.get_num_threads()
    yield
    numba.set_num_threads(before)


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads")
def test_one_and_two_threads_give_the_same_bits(threads: None) -> None:
    """Grains of far apart slabs on links and a spring, among more of them than make threads pay."""
    wide: list[Any] = [3.6, 0.85]
    scene = gr.Scene(
        material={"sand": SAND}, boundary={"box": {"kind": "box", "lower": [0.0, 0.0], "upper": wide}},
        pattern={"sand": {"kind": "grains", "count": 9000, "radius": [0.006, 0.009], "arrangement": "lattice",
                          "velocity": [0.1, -1.0],
                          "region": {"kind": "box", "lower": [0.01, 0.01], "upper": [3.59, 0.84]}}},
        link={f"l{k}": {"between": [f"sand-{900 * k + 1}", f"sand-{900 * k + 451}"]} for k in range(9)},
        load={"gravity": gravity(0.3, -G), "rubber": {"kind": "spring", "between": ["sand-5", "sand-8999"],
                                                      "stiffness": 5.0}})
    one, two = (gr.simulate(scene, threads=count, until=0.03, interval=0.01) for count in (1, 2))
    assert one.counts[-1] == 9000 and one.figures["pushing"][-1] > 500
    assert_same(one, two)
