"""Same scene and seed, same bits: on one thread or two, stopped and resumed, killed and resumed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py
import numba
import numpy as np
import pytest

import granum as gr
from grain_scenes import G, gravity
from runs import stop_at

SAND = {"friction": 0.4, "restitution": 0.3, "density": 2500.0}


def pour() -> gr.Scene:
    """Grains of three materials fall from a source through a shaken hopper into a sink; everything is counted."""
    return gr.Scene(
        material={"sand": SAND, "clay": {**SAND, "rolling_friction": 0.05}, "steel": {"friction": 0.2}},
        boundary={"hopper": {"kind": "hopper", "position": [0.0, 0.0], "opening": 0.12, "width": 0.4,
                             "funnel_height": 0.15,
                             "height": 0.6, "material": "steel",
                             "motion": {"amplitude": [0.003, 0.0], "frequency": 15.0}},
                  "stone": {"kind": "disk", "centre": [0.0, 0.25], "radius": 0.03, "material": "steel"}},
        pattern={"bed": {"kind": "grains", "count": 60, "radius": [0.01, 0.016], "material": "clay",
                         "region": {"kind": "box", "lower": [-0.15, 0.3], "upper": [0.15, 0.5]}}},
        source={"tap": {"radius": {"mean": 0.012, "standard_deviation": 0.001}, "material": "sand", "interval": 0.05,
                        "count": 8,
                        "velocity": [0.0, -0.2],
                        "region": {"kind": "box", "lower": [-0.06, 0.62], "upper": [0.06, 0.66]}},
                "spout": {"radii": [0.008, 0.009], "positions": [[-0.15, 0.7], [-0.13, 0.7]], "scatter": [0.002, 0.002],
                          "material": "clay", "interval": 0.13, "start_time": 0.1, "overlap": "skip",
                          "scatter_interval": 0.1, "scatter_velocity": [0.1, 0.2]}},
        sink={"below": {"region": {"kind": "half-space", "position": [0.0, -0.1], "normal": [0.0, -1.0]}}},
        probe={"out": {"kind": "flow", "position": [0.0, -0.02], "normal": [0.0, -1.0]},
               "full": {"kind": "packing", "region": {"kind": "box", "lower": [-0.1, 0.2], "upper": [0.1, 0.3]}},
               "jam": {"kind": "jam", "flow": "out", "window": 5.0}},
        load={"gravity": gravity(0.0, -G),
              "wind": {"kind": "drag", "density": 100.0, "drag_coefficient": 0.5, "velocity": [0.3, 0.0],
                       "shadow": True},
              "push": {"kind": "force-field", "force": ["0.5*m*sin(20*t)", "0"]}},
        run={"until": 0.8, "interval": 0.04, "seed": 7})


def jammed() -> gr.Scene:
    """Too narrow an outlet: the flow jams, and the run ends there."""
    return gr.Scene(
        material={"sand": {**SAND, "friction": 0.8}},
        boundary={"hopper": {"kind": "hopper", "position": [0.0, 0.0], "opening": 0.05, "width": 0.4,
                             "funnel_height": 0.1,
                             "height": 1.0}},
        pattern={"bed": {"kind": "grains", "count": 120, "radius": [0.01, 0.014],
                         "region": {"kind": "box", "lower": [-0.18, 0.15], "upper": [0.18, 0.6]}}},
        probe={"out": {"kind": "flow", "position": [0.0, -0.02], "normal": [0.0, -1.0]},
               "jam": {"kind": "jam", "flow": "out", "window": 0.6}},
        sink={"below": {"region": {"kind": "half-space", "position": [0.0, -0.2], "normal": [0.0, -1.0]}}},
        load={"gravity": gravity(0.0, -G)}, run={"until": 10.0, "interval": 0.1, "seed": 3})


def clumps() -> gr.Scene:
    """The pour with grains of a shape, from the pattern and from a source."""
    scene, bean = pour(), {"disks": [{"centre": [0.0, 0.0], "radius": 1.0}, {"centre": [1.3, 0.4], "radius": 0.8}]}
    pattern = {"bed": scene.pattern["bed"].model_copy(update={"shape": "bean", "count": 24})}
    source = {**scene.source, "tap": scene.source["tap"].model_copy(update={"shape": "bean", "count": 3})}
    return scene.model_copy(update={"shape": {"bean": gr.Shape(**bean)}, "pattern": pattern, "source": source})


def shower() -> gr.Scene:
    """Spheres fall from a source through a grid of bars into a sink, on springs: what turns them is friction."""
    bars = {f"bar-{k}": {"kind": "cylinder", "ends": [[x, -1.0, 0.0], [x, 1.0, 0.0]], "radius": 0.01}
            for k, x in enumerate((-0.12, -0.06, 0.0, 0.06, 0.12))}
    return gr.Scene(
        material={"sand": {**SAND, "stiffness": 5000.0}}, boundary=bars,
        source={"tap": {"radius": [0.01, 0.014], "interval": 0.05, "count": 6, "velocity": [0.3, 0.2, -1.0],
                        "region": {"kind": "box", "lower": [-0.1, -0.1, 0.06], "upper": [0.1, 0.1, 0.12]}}},
        sink={"below": {"region": {"kind": "half-space", "position": [0.0, 0.0, -0.1], "normal": [0.0, 0.0, -1.0]}}},
        load={"gravity": gravity(0.0, 0.0, -G)}, run={"until": 0.4, "interval": 0.02, "seed": 5, "solver": "soft"})


def bounces() -> gr.Scene:
    """A few balls that are thrown onto a slope and come to roll, by located impacts."""
    return gr.Scene(
        material={"sand": SAND},
        boundary={"floor": {"kind": "plane", "position": [0.0, 0.0, 0.0], "normal": [0.1, 0.0, 1.0]}},
        body={name: {"kind": "sphere", "radius": 0.1, "density": 1000.0} for name in ("a", "b")},
        start={"a": {"position": [0.0, 0.0, 0.5], "velocity": [1.0, 0.5, 0.0], "angular_velocity": [3.0, -2.0, 9.0]},
               "b": {"position": [0.5, 0.05, 0.2], "angular_velocity": [0.0, 5.0, 0.0]}},
        load={"gravity": gravity(0.0, 0.0, -G)}, run={"until": 1.0, "interval": 0.05, "solver": "events"})


SCENES = {"pour": pour, "jammed": jammed, "clumps": clumps, "shower": shower, "bounces": bounces}


def assert_same(found: gr.Run, expected: gr.Run) -> None:
    """Every number of the file is the same; frames that `found` has not reached are not looked at."""
    a, b, n = found._recording.arrays, expected._recording.arrays, len(found.t)
    assert set(a) == set(b)
    for name in a:
        last = name.startswith(("log/", "checkpoint/"))
        if not last or n == len(expected.t):
            # a checkpoint has copies of the last two frames, in turn; two more are of when the file was flushed
            rows = 2 if name.startswith("checkpoint/") else len(a[name]) if last else n
            left, right = a[name][:rows], b[name][:rows]
            np.testing.assert_array_equal(left, right, err_msg=name)


@pytest.mark.parametrize("name", list(SCENES))
@pytest.mark.parametrize("part", [0.15, 0.55, 0.9])
def test_stopped_and_resumed_gives_the_same_bits(name: str, part: float, tmp_path: Path) -> None:
    """Ctrl-C in the midst of a frame, with sources, sinks, probes, drag, waiting grains and a jam on the way."""
    whole, file = _whole(name), tmp_path / "run.h5"
    stopped = gr.simulate(SCENES[name](), output=file, progress=stop_at(part * float(whole.t[-1])))
    assert 0 < len(stopped.t) < len(whole.t) and not stopped.finished
    assert_same(stopped, whole)
    assert_same(gr.simulate(SCENES[name](), output=file, resume=True), whole)
    assert_same(gr.open_run(file), whole)


_WHOLE: dict[str, gr.Run] = {}


def _whole(name: str) -> gr.Run:
    """The run that nothing stopped."""
    if name not in _WHOLE:
        _WHOLE[name] = gr.simulate(SCENES[name]())
    return _WHOLE[name]


def test_the_scenes_do_what_they_are_for():
    run, jam = _whole("pour"), _whole("jammed")
    assert run.counts.max() > run.counts[0] and run.passed("out")[0][-1] > 10 and run.sources["tap"]["waiting"] > 0
    assert run.counts[-1] < 60 + run.sources["tap"]["entered"] + run.sources["spout"]["entered"]
    for name in ("pour", "shower", "bounces"):
        turning = _whole(name).frame().orientations
        assert turning is not None and np.median(np.linalg.norm(turning[:, 1:], axis=1)) > 0.1
    assert jam.jam is not None and 0.5 < jam.t[-1] < 10.0 and jam.passed("out")[0][-1] > 0


def test_resumed_many_times(tmp_path: Path) -> None:
    """Stopped after every frame."""
    whole, file = _whole("pour"), tmp_path / "run.h5"
    for k in range(1, 20):
        gr.simulate(pour(), output=file, resume=True, progress=stop_at(0.04 * k + 0.001))
    assert_same(gr.simulate(pour(), output=file, resume=True), whole)


def test_resumed_where_a_boundary_has_moved_far(tmp_path: Path) -> None:
    """A piston has pushed a row of grains by many radii when the run is stopped: grains near it are found there."""
    scene = gr.Scene(
        material={"sand": SAND},
        boundary={"floor": {"kind": "plane", "position": [0.0, 0.0], "normal": [0.0, 1.0]},
                  "piston": {"kind": "wall", "positions": [[-0.05, 0.0], [-0.05, 0.1]],
                             "motion": {"velocity": [1.0, 0.0]}}},
        pattern={"row": {"kind": "grains", "radius": 0.02, "positions": [[0.05 * k, 0.02] for k in range(6)]}},
        load={"gravity": gravity(0.0, -G)}, run={"until": 0.5, "interval": 0.05})
    whole, file = gr.simulate(scene), tmp_path / "run.h5"
    gr.simulate(scene, output=file, progress=stop_at(0.32))
    resumed = gr.simulate(scene, output=file, resume=True)
    assert_same(resumed, whole)
    assert whole.frame().positions[:, 0].min() > 0.45


def test_a_run_can_be_lengthened(tmp_path: Path) -> None:
    """Finished at 0.4 s and resumed to 0.8 s: the same frames as at once, though sources now bring more."""
    whole, file = _whole("pour"), tmp_path / "run.h5"
    half = gr.simulate(pour(), output=file, until=0.4)
    assert half.finished
    longer = gr.simulate(pour(), output=file, until=0.8, resume=True)
    for index in range(len(whole.t)):
        for found, expected in zip(longer.frame(index), whole.frame(index), strict=True):
            np.testing.assert_array_equal(found, expected)
    assert longer.sources == whole.sources


def test_another_seed_is_another_run():
    other = gr.simulate(pour(), seed=8, until=0.04)
    assert not np.array_equal(other.frame(0).positions, _whole("pour").frame(0).positions)


PROGRAM = """
import sys, granum as gr
from test_grain_bits import SCENES
gr.simulate(SCENES[sys.argv[1]](), output=sys.argv[2], resume=True)
"""


def test_killed_and_resumed_gives_the_same_bits(tmp_path: Path) -> None:
    """kill -9 in the midst of a frame."""
    whole, file = _whole("pour"), tmp_path / "run.h5"
    path = [str(Path(__file__).parent), *sys.path]
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, "pour", str(file)],
                               env=os.environ | {"PYTHONPATH": os.pathsep.join(path)})
    while process.poll() is None and _frames_in(file) < 8:
        time.sleep(0.002)
    process.kill()
    process.wait()
    found = gr.open_run(file)
    assert 8 <= len(found.t) < len(whole.t)
    assert_same(found, whole)
    assert_same(gr.simulate(pour(), output=file, resume=True), whole)


def _frames_in(file: Path) -> int:
    if not file.exists():
        return 0
    with h5py.File(file) as opened:
        return int(opened["frames_done"][0])


def heap(d: int, count: int) -> gr.Scene:
    """Many grains in a box that is shaken, with friction of all kinds; wide enough for several slabs."""
    wide = [3.6, 0.85] if d == 2 else [0.8, 0.3, 0.3]
    walls: dict[str, Any] = {"kind": "box", "lower": [0.0] * d, "upper": wide,
                             "motion": {"amplitude": [0.002] + [0.0] * (d - 1), "frequency": 10.0}}
    inside = {"kind": "box", "lower": [0.01] * d, "upper": [c - 0.01 for c in wide]}
    return gr.Scene(material={"sand": {**SAND, "rolling_friction": 0.02, "stiffness": 1000.0}}, boundary={"box": walls},
                    pattern={"sand": {"kind": "grains", "count": count, "radius": [0.006, 0.009],
                                      "arrangement": "lattice", "region": inside}},
                    load={"gravity": gravity(*[0.3] + [0.0] * (d - 2) + [-G])})


@pytest.fixture
def threads() -> Iterator[None]:
    """Leave the number of threads as it was."""
    before = numba.get_num_threads()
    yield
    numba.set_num_threads(before)


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads")
@pytest.mark.parametrize(("d", "solver"), [pytest.param(2, "moreau", marks=pytest.mark.validate), (3, "moreau"),
                                           (3, "soft")])
def test_one_and_two_threads_give_the_same_bits(d: int, solver: str, threads: None) -> None:
    """More grains than make threads pay, over many rebuilds of the lists."""
    scene = heap(d, 9000)
    one, two = (gr.simulate(scene, threads=count, until=0.08, interval=0.02, solver=solver) for count in (1, 2))
    assert np.linalg.norm(one.frame().orientations[:, 1:], axis=1).max() > 0.05
    assert one.counts[-1] == 9000 and one.figures["pushing"][-1] > 500
    assert_same(one, two)
