"""Starting from a frame of an earlier run with clumps, joints, bonds, merged clusters and boundaries of bodies.

Times are sums of powers of two: then a run that starts at t = 0 makes the same steps as the one it continues, and a frame
that holds the whole state must give the same bits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import G, gravity

SAND = {"density": 2500.0, "friction": 0.4, "restitution": 0.2}
TICK = 2.0**-6
CLUMP = {"kind": "clump", "disks": [{"at": [-0.02, 0.0], "radius": 0.02}, {"at": [0.02, 0.01], "radius": 0.015}],
         "points": {"a": [-0.04, 0.0], "b": [0.04, 0.0]}}


def run_of(ticks: int, **run: Any) -> dict[str, Any]:
    return {"until": ticks * TICK, "interval": TICK, "step": 2.0**-10, **run}


def clumps(space: bool) -> gr.Scene:
    """Clumps of a pattern and one by name, which fall on one another in a box."""
    d = 3 if space else 2
    key = "spheres" if space else "disks"
    parts = [{"at": [0.0, 0.0, 0.0][:d], "radius": 1.0}, {"at": [1.2, 0.3, 0.2][:d], "radius": 0.8}]
    size = 0.14 if space else 0.2
    return gr.Scene(
        material={"sand": SAND}, shape={"bean": {key: parts}},
        boundary={"box": {"kind": "box", "lower": [0.0] * d, "upper": [size] * d}},
        body={"big": {"kind": "clump", key: [{"at": [0.02 * k] + [0.0] * (d - 1), "radius": 0.015} for k in (-1, 1)]}},
        pattern={"beans": {"kind": "grains", "shape": "bean", "count": 16, "radius": [0.008, 0.011],
                           "region": {"kind": "box", "lower": [0.0] * d, "upper": [size] * (d - 1) + [0.09]}}},
        start={"big": {"position": [0.06] * (d - 1) + [0.12], "angular_velocity": 9.0 if d == 2 else [3.0, 9.0, 1.0]}},
        load={"gravity": gravity(*[0.0] * (d - 1), -G)}, run=run_of(16))


def chain() -> gr.Scene:
    """A hinged chain of clumps and a gate with a wall, on a bed of grains, two of which a link holds."""
    return gr.Scene(
        material={"sand": SAND},
        boundary={"floor": {"kind": "plane", "point": [0.0, 0.0], "normal": [0.0, 1.0]},
                  "left": {"kind": "plane", "point": [-0.2, 0.0], "normal": [1.0, 0.0]},
                  "leaf": {"kind": "wall", "points": [[0.2, 0.02], [0.2, 0.25]], "body": "gate"}},
        body={"post": {"kind": "fixed-point", "position": [0.2, 0.3]},
              "gate": {"kind": "block", "size": [0.01, 0.28], "mass": 1.0, "points": {"top": [0.0, 0.15]}},
              **{f"c{k}": CLUMP for k in range(3)}},
        constraint={"hinge": {"kind": "hinge", "between": ["post", "gate.top"]},
                    **{f"k{k}": {"kind": "hinge", "between": [f"c{k}.b", f"c{k + 1}.a"]} for k in range(2)}},
        link={"bar": {"between": ["bed-2", "bed-3"]}},
        pattern={"bed": {"kind": "grains", "count": 25, "radius": [0.012, 0.018],
                         "region": {"kind": "box", "lower": [-0.18, 0.0], "upper": [0.18, 0.13]}}},
        start={**{f"c{k}": {"position": [-0.1 + 0.08 * k, 0.2]} for k in range(3)}, "gate": {"position": [0.2, 0.15]}},
        load={"gravity": gravity(0.0, -G),
              "brake": {"kind": "torsion", "hinge": "hinge", "stiffness": 0.0, "damping": 0.05}}, run=run_of(16))


def carousel() -> gr.Scene:
    """3-D: an arm on an upright axle that carries a paddle on an axis of its own, which the arm turns; balls hit it."""
    return gr.Scene(
        material={"sand": SAND},
        boundary={"floor": {"kind": "plane", "point": [0.0, 0.0, -0.3], "normal": [0.0, 0.0, 1.0]},
                  "blade": {"kind": "wall", "body": "paddle", "points": [
                      [0.5, -0.1, -0.1], [0.5, 0.1, -0.1], [0.5, 0.1, 0.1], [0.5, -0.1, 0.1]]}},
        body={"post": {"kind": "fixed-point", "position": [0.0, 0.0, 0.0]},
              "arm": {"kind": "block", "size": [0.4, 0.03, 0.03], "mass": 1.0,
                      "points": {"in": [-0.2, 0.0, 0.0], "out": [0.2, 0.0, 0.0]}},
              "paddle": {"kind": "block", "size": [0.2, 0.2, 0.02], "mass": 0.5, "points": {"rim": [-0.1, 0.0, 0.0]}}},
        constraint={"axle": {"kind": "hinge", "between": ["post", "arm.in"], "axis": [0.0, 0.0, 1.0]},
                    "wrist": {"kind": "hinge", "between": ["arm.out", "paddle.rim"], "axis": [1.0, 0.0, 0.0]}},
        pattern={"balls": {"kind": "grains", "radius": 0.03, "at": [[0.45, 0.25, 0.0], [0.1, 0.5, 0.05]]}},
        start={"arm": {"position": [0.2, 0.0, 0.0], "angular_velocity": [0.0, 0.0, 4.0]},
               "paddle": {"position": [0.5, 0.0, 0.0], "angular_velocity": [5.0, 0.0, 4.0],
                          "velocity": [0.0, 2.0, 0.0]}},
        load={"gravity": gravity(0.0, 0.0, -G)}, run=run_of(16, step=2.0**-11))


def cement(space: bool, duration: float | None = None) -> gr.Scene:
    """A cemented lump that hits the floor and breaks, and whose pieces hit a wall and break again."""
    d = 3 if space else 2
    return gr.Scene(
        material={"stone": {"density": 2000.0, "friction": 0.5, "restitution": 0.1}},
        boundary={"floor": {"kind": "plane", "point": [0.0] * d, "normal": [0.0] * (d - 1) + [1.0]},
                  "wall": {"kind": "plane", "point": [0.2] + [0.0] * (d - 1), "normal": [-1.0] + [0.0] * (d - 1)}},
        pattern={"lump": {"kind": "grains", "count": 19, "radius": 0.01, "arrangement": "lattice",
                          "velocity": [3.0] + [0.0] * (d - 2) + [-3.0],
                          "region": {"kind": "box", "lower": [0.0] * (d - 1) + [0.02],
                                     "upper": [0.1 if d == 2 else 0.07] * (d - 1) + [0.12]}}},
        bond={"cement": {"among": "lump", "tension": 1e5, "shear": 1e5, "reach": 0.01,
                         **({"duration": duration} if duration else {})}},
        load={"gravity": gravity(*[0.0] * (d - 1), -G)}, run=run_of(8))


def merged() -> gr.Scene:
    """Grains that settle and merge into clusters."""
    return gr.Scene(
        material={"sand": {"density": 2500.0, "friction": 0.5, "restitution": 0.0}},
        boundary={"box": {"kind": "box", "lower": [0.0, 0.0], "upper": [0.1, 0.3]}},
        pattern={"bed": {"kind": "grains", "count": 25, "radius": [0.006, 0.008],
                         "region": {"kind": "box", "lower": [0.0, 0.0], "upper": [0.1, 0.08]}}},
        load={"gravity": gravity(0.0, -G)}, run=run_of(40, merge_clusters=True))


def later(scene: gr.Scene, run: gr.Run, ticks: int, frame: int = -1) -> gr.Run:
    return gr.simulate(scene.start_from(run, frame), until=ticks * TICK, progress=False)


def assert_same_frames(one: gr.Run, k: int, two: gr.Run, m: int) -> None:
    for name in ("position", "velocity", "spin", "orientation", "number", "group", "body_position",
                 "body_orientation", "body_velocity", "body_spin", "body_number", "part_of"):
        first, second = one._recording.arrays[name][k], two._recording.arrays[name][m]
        short = min(len(first), len(second))
        assert (first[:short] == second[:short]).all(), name


BITS = {"clumps-2d": (clumps(False), 16, 9), "clumps-3d": (clumps(True), 16, 9), "chain": (chain(), 16, 9),
        "cement-2d": (cement(False), 6, 2), "cement-3d": (cement(True), 6, 2),
        "averaged": (cement(False, 5e-4), 6, 2), "merged": (merged(), 40, 33)}


@pytest.mark.parametrize("case", BITS)
def test_the_last_frame_of_a_run_continues_it_bit_by_bit(case: str, tmp_path: Path) -> None:
    scene, ticks, stop = BITS[case]
    whole = gr.simulate(scene, until=ticks * TICK, progress=False)
    half = gr.simulate(scene, until=stop * TICK, progress=False, output=tmp_path / "half.h5")
    assert_same_frames(whole, stop, half, -1)
    again = later(scene, half, ticks - stop)
    assert_same_frames(half, -1, again, 0)
    assert_same_frames(whole, -1, again, -1)


def test_the_scenes_above_break_and_merge() -> None:
    """Otherwise the test above would show little: bonds break before and after the frame, and clusters are merged."""
    left = gr.simulate(cement(False), until=6 * TICK, progress=False)._recording.arrays["bonds_left"]
    assert left[0] > left[2] > left[6] > 0
    assert gr.simulate(merged(), until=33 * TICK, progress=False)._recording.arrays["merged"][33, 1] > 2


def test_joints_in_space_go_on_within_their_error() -> None:
    """The wrist turns about an axis that the arm has carried along by more than half a turn. Joints are taken over with the
    error that they have, 1e-9 m and rad per step at worst, which turning bodies carry on for as long as the run lasts.
    """
    scene = carousel()
    whole = gr.simulate(scene, progress=False)
    half = gr.simulate(scene, until=9 * TICK, progress=False)
    again = later(scene, half, 7)
    assert abs(whole.rotation("arm")[9, 0, 0]) < 0.9
    for name in ("arm", "paddle", "balls-1", "balls-2"):
        print(name, np.abs(again.position(name)[-1] - whole.position(name)[-1]).max(), np.abs(again.rotation(name)[-1] - whole.rotation(name)[-1]).max())
