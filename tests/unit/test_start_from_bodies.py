"""Starting from a frame of an earlier run with clumps, joints, bonds, merged clusters and boundaries of bodies.

Times are sums of powers of two: then a run that starts at t = 0 makes the same steps as the one it continues, and a
frame that holds the whole state must give the same bits.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import G, gravity
from granum.base.offers import offered
from messages import refused

SAND = {"density": 2500.0, "friction": 0.4, "restitution": 0.2}
TICK = 2.0**-6
CLUMP = {"kind": "clump", "disks": [{"centre": [-0.02, 0.0], "radius": 0.02},
                                    {"centre": [0.02, 0.01], "radius": 0.015}],
         "points": {"a": [-0.04, 0.0], "b": [0.04, 0.0]}}


def run_of(ticks: int, **run: Any) -> dict[str, Any]:
    return {"until": ticks * TICK, "interval": TICK, "step": 2.0**-10, **run}


def clumps(space: bool) -> gr.Scene:
    """Clumps of a pattern and one by name, which fall on one another in a box."""
    d = 3 if space else 2
    key = "spheres" if space else "disks"
    parts = [{"centre": [0.0, 0.0, 0.0][:d], "radius": 1.0}, {"centre": [1.2, 0.3, 0.2][:d], "radius": 0.8}]
    size = 0.14 if space else 0.2
    return gr.Scene(
        material={"sand": SAND}, shape={"bean": {key: parts}},
        boundary={"box": {"kind": "box", "lower": [0.0] * d, "upper": [size] * d}},
        body={"big": {"kind": "clump", key: [{"centre": [0.02 * k] + [0.0] * (d - 1), "radius": 0.015} for k in (-1,
                                                                                                                 1)]}},
        pattern={"beans": {"kind": "grains", "shape": "bean", "count": 16, "radius": [0.008, 0.011],
                           "region": {"kind": "box", "lower": [0.0] * d, "upper": [size] * (d - 1) + [0.09]}}},
        start={"big": {"position": [0.06] * (d - 1) + [0.12], "angular_velocity": 9.0 if d == 2 else [3.0, 9.0, 1.0]}},
        load={"gravity": gravity(*[0.0] * (d - 1), -G)}, run=run_of(16))


def chain() -> gr.Scene:
    """A hinged chain of clumps and a gate with a wall, on a bed of grains, two of which a link holds."""
    return gr.Scene(
        material={"sand": SAND},
        boundary={"floor": {"kind": "plane", "position": [0.0, 0.0], "normal": [0.0, 1.0]},
                  "left": {"kind": "plane", "position": [-0.2, 0.0], "normal": [1.0, 0.0]},
                  "leaf": {"kind": "wall", "positions": [[0.2, 0.02], [0.2, 0.25]], "body": "gate"}},
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
              "brake": {"kind": "torsion-spring", "hinge": "hinge", "stiffness": 0.0, "damping": 0.05}}, run=run_of(16))


def carousel() -> gr.Scene:
    """3-D: an arm on an upright axle that carries a paddle on an axis of its own, which the arm turns; balls hit it."""
    return gr.Scene(
        material={"sand": SAND},
        boundary={"floor": {"kind": "plane", "position": [0.0, 0.0, -0.3], "normal": [0.0, 0.0, 1.0]},
                  "blade": {"kind": "wall", "body": "paddle", "positions": [
                      [0.4, 0.0, -0.1], [0.6, 0.0, -0.1], [0.6, 0.0, 0.1], [0.4, 0.0, 0.1]]}},
        body={"post": {"kind": "fixed-point", "position": [0.0, 0.0, 0.0]},
              "arm": {"kind": "block", "size": [0.4, 0.03, 0.03], "mass": 1.0,
                      "points": {"in": [-0.2, 0.0, 0.0], "out": [0.2, 0.0, 0.0]}},
              "paddle": {"kind": "block", "size": [0.2, 0.2, 0.02], "mass": 0.5, "points": {"rim": [-0.1, 0.0, 0.0]}}},
        constraint={"axle": {"kind": "hinge", "between": ["post", "arm.in"], "axis": [0.0, 0.0, 1.0]},
                    "wrist": {"kind": "hinge", "between": ["arm.out", "paddle.rim"], "axis": [1.0, 0.0, 0.0]}},
        pattern={"balls": {"kind": "grains", "radius": 0.03, "positions": [[0.3, 0.34, 0.2], [0.45, 0.0, 0.18]]}},
        start={"arm": {"position": [0.2, 0.0, 0.0], "angular_velocity": [0.0, 0.0, 4.0]},
               "paddle": {"position": [0.5, 0.0, 0.0], "angular_velocity": [5.0, 0.0, 4.0],
                          "velocity": [0.0, 2.0, 0.0]}},
        load={"gravity": gravity(0.0, 0.0, -G)}, run=run_of(16, step=2.0**-11))


def cement(space: bool, duration: float | None = None) -> gr.Scene:
    """A cemented lump that hits the floor and breaks, and whose pieces hit a wall and break again."""
    d, strength = (3, 1e5) if space else (2, 1.2e5)
    return gr.Scene(
        material={"stone": {"density": 2000.0, "friction": 0.5, "restitution": 0.1}},
        boundary={"floor": {"kind": "plane", "position": [0.0] * d, "normal": [0.0] * (d - 1) + [1.0]},
                  "wall": {"kind": "plane", "position": [0.2] + [0.0] * (d - 1), "normal": [-1.0] + [0.0] * (d - 1)}},
        pattern={"lump": {"kind": "grains", "count": 19, "radius": 0.01, "arrangement": "lattice",
                          "velocity": [3.0] + [0.0] * (d - 2) + [-3.0],
                          "region": {"kind": "box", "lower": [0.0] * (d - 1) + [0.02],
                                     "upper": [0.1 if d == 2 else 0.07] * (d - 1) + [0.12]}}},
        bond={"cement": {"among": "lump", "tensile_strength": strength, "shear_strength": strength, "gap_ratio": 0.01,
                         **({"duration": duration} if duration else {})}},
        load={"gravity": gravity(*[0.0] * (d - 1), -G)}, run=run_of(8))


def merged() -> gr.Scene:
    """Grains at rest that merge into clusters, which a ball breaks up."""
    r, wide = 0.01, 6
    at = [[r + 2 * r * k + r * (row % 2), r + row * r * math.sqrt(3.0)] for row in range(3)
          for k in range(wide - row % 2)]
    return gr.Scene(
        material={"sand": {"density": 1000.0, "friction": 0.6}},
        boundary={"floor": {"kind": "plane", "position": [0.0, 0.0], "normal": [0.0, 1.0]},
                  "left": {"kind": "plane", "position": [0.0, 0.0], "normal": [1.0, 0.0]},
                  "right": {"kind": "plane", "position": [2 * r * wide, 0.0], "normal": [-1.0, 0.0]}},
        body={"ball": {"kind": "disk", "radius": 1.5 * r}}, start={"ball": {"position": [6.3 * r, 0.2]}},
        pattern={"bed": {"kind": "grains", "positions": at, "radius": r}},
        load={"gravity": gravity(0.0, -G)}, run=run_of(16, merge_clusters=True))


def later(scene: gr.Scene, run: gr.Run, ticks: int, frame: int = -1) -> gr.Run:
    return gr.simulate(scene.start_from(run, frame), until=ticks * TICK, progress=False)


def assert_same_frames(one: gr.Run, k: int, two: gr.Run, m: int) -> None:
    for name in ("position", "velocity", "angular_velocity", "orientation", "number", "group", "body_position",
                 "body_orientation", "body_velocity", "body_angular_velocity", "body_number", "part_of"):
        first, second = one._recording.arrays[name][k], two._recording.arrays[name][m]
        short = min(len(first), len(second))
        assert (first[:short] == second[:short]).all(), name


BITS = {"clumps-2d": (clumps(False), 16, 9), "clumps-3d": (clumps(True), 16, 9), "chain": (chain(), 16, 9),
        "cement-2d": (cement(False), 6, 2), "cement-3d": (cement(True), 6, 2),
        "averaged": (cement(False, 5e-4), 6, 2), "merged": (merged(), 16, 7)}


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
    grains = gr.simulate(merged(), progress=False)._recording.arrays["merged"][:, 1]
    assert grains[7] > 2 and grains[7:].min() < grains[7]


def test_joints_in_space_go_on_within_their_error() -> None:
    """The wrist turns about an axis that the arm has carried along by half a radian: taken in inertial axes as the
    scene gives it, it would be another one. The new run begins without the errors of the angles of the old one
    (`joint_turn`). A hit between bodies of some cm, with arms of 0.6 m, magnifies such an error by less than 100.
    """
    scene = carousel()
    whole = gr.simulate(scene, progress=False)
    half = gr.simulate(scene, until=9 * TICK, progress=False)
    columns, figures = whole.metadata["figure_columns"], whole._recording.arrays["figures"]
    error = max(float(figures[:, columns.index(name)].max()) for name in ("joint_error", "joint_turn"))
    assert error < 1e-6 and whole.rotation("arm")[9, 0, 0] < 0.9 and abs(whole.velocity("balls-1")[-1, 0]) > 0.1
    once = later(scene, half, 3)
    for again in (later(scene, half, 7), later(scene, once, 4), later(scene, whole, 7, 9)):
        for name in ("arm", "paddle", "balls-1", "balls-2"):
            for key in ("position", "rotation"):
                found, wanted = getattr(again, key)(name)[-1], getattr(whole, key)(name)[-1]
                np.testing.assert_allclose(found, wanted, rtol=0, atol=100.0 * error, err_msg=f"{name} {key}")


def test_a_mechanism_keeps_axes_that_its_bodies_carry() -> None:
    """The same arm and paddle as a mechanism of its own: errors of a tolerance of 1e-11 stay below 1e-8."""
    scene = carousel()
    alone = gr.Scene(body=scene.body, constraint=scene.constraint, start=scene.start, load=scene.load)
    settings: dict[str, Any] = {"tolerance": 1e-11, "interval": 0.125, "progress": False}
    whole = gr.simulate(alone, until=1.0, **settings)
    again = gr.simulate(alone.start_from(whole, 4), until=0.5, **settings)
    twice = gr.simulate(alone.start_from(again, 2), until=0.25, **settings)
    for name in ("arm", "paddle"):
        for run in (again, twice):
            np.testing.assert_allclose(run.position(name)[-1], whole.position(name)[-1], rtol=0, atol=1e-8)


TIGHT = {"tolerance": 1e-9, "max_sweeps": 10_000}
OLDER = {"clumps-2d": (clumps(False).with_run(**TIGHT), 10), "clumps-3d": (clumps(True).with_run(**TIGHT), 10),
         "chain": (chain().with_run(**TIGHT), 10), "cement-2d": (cement(False), 2), "cement-3d": (cement(True), 2)}


@pytest.mark.parametrize("case", OLDER)
def test_any_other_frame_goes_on_too(case: str) -> None:
    """Older frames have positions, orientations and velocities, but not the impulses that contacts remember. The run
    solves for them anew, where friction leaves a choice with another result; for bodies at rest on each other such
    impulses are those of one step of gravity. So after a time T positions may differ by g h T, and by three times that
    after an impact: at 1 m/s bodies move by one radius in T, and an oblique impact magnifies by 1 + 2 paths over radii.
    """
    scene, frame = OLDER[case]
    whole = gr.simulate(scene, progress=False)
    again = later(scene, whole, 1, frame)
    a, b = whole._recording.arrays, again._recording.arrays
    m, n = int(b["body_count"][0]), int(b["grain_count"][0])
    assert m == a["body_count"][frame]
    for name in ("body_position", "body_orientation", "body_velocity", "body_angular_velocity", "body_number"):
        assert (a[name][frame, :m] == b[name][0, :m]).all()
    np.testing.assert_allclose(b["position"][0, :n], a["position"][frame, :n], rtol=0, atol=1e-15)
    np.testing.assert_allclose(b["position"][1, :n], a["position"][frame + 1, :n], rtol=0,
                               atol=3.0 * G * 2.0**-10 * TICK)
    if scene.bond:
        assert (b["bonds_left"][:2] == a["bonds_left"][frame : frame + 2]).all()


def test_what_cannot_go_on_is_refused_by_name() -> None:
    averaged = cement(False, 5e-4)
    run = gr.simulate(averaged, until=4 * TICK, progress=False)
    with refused(gr.SceneError, "bond.cement.duration"):
        later(averaged, run, 1, 1)
    lump: dict[str, Any] = {"kind": "clump", "disks": [{"centre": [0.02 * k, 0.0], "radius": 0.01} for k in range(4)]}
    fields: dict[str, Any] = {
        "material": {"stone": SAND}, "body": {"lump": lump}, "load": {"gravity": gravity(0.0, -G)},
        "boundary": {"floor": {"kind": "plane", "position": [0.0, 0.0], "normal": [0.0, 1.0]}},
        "start": {"lump": {"position": [0.0, 0.05], "velocity": [0.0, -4.0], "angle": 0.5}}, "run": run_of(4)}
    bonds = {"cement": {"among": "lump", "tensile_strength": 1e3, "shear_strength": 1e3, "gap_ratio": 0.01}}
    broken = gr.simulate(gr.Scene(**fields, bond=bonds), progress=False)
    with refused(gr.SceneError, "body.lump", "pieces"):
        later(gr.Scene(**fields), broken, 1)
    assert later(gr.Scene(**fields, bond=bonds), broken, 1)._recording.arrays["body_count"][0] > 1
    other = {**lump, "disks": lump["disks"][:3]}
    whole = gr.simulate(gr.Scene(**fields), progress=False)
    with refused(gr.SceneError, "body.lump"):
        later(gr.Scene(**{**fields, "body": {"lump": other}}), whole, 1)


def test_single_grains_become_parts_of_bodies_and_back() -> None:
    """A bed of single grains goes on with a link between two of them, and without it again; masses are of the scene."""
    fields: dict[str, Any] = {
        "material": {"sand": SAND}, "load": {"gravity": gravity(0.0, -G)}, "run": run_of(4),
        "boundary": {"floor": {"kind": "plane", "position": [0.0, 0.0], "normal": [0.0, 1.0]}},
        "pattern": {"bed": {"kind": "grains", "radius": 0.02, "positions": [[0.0, 0.1], [0.1, 0.1]],
                            "velocity": [0.0, 1.0]}}}
    single, linked = gr.Scene(**fields), gr.Scene(**fields, link={"bar": {"between": ["bed-1", "bed-2"]}})
    first = gr.simulate(single, progress=False)
    second = later(linked, first, 4)
    third = later(single, second, 4)
    # free flight: y = v t - g t²/2, of whatever the grains are parts
    for run, t in ((second, 8 * TICK), (third, 12 * TICK)):
        np.testing.assert_allclose(run.position("bed-1")[-1], [0.0, 0.1 + t - 0.5 * G * t * t], rtol=0, atol=1e-12)


def test_starts_beside_from_hold_among_grains(tmp_path: Path) -> None:
    """What `[start.NAME]` gives beside `from` replaces the value of the frame, the rest stays."""
    scene = clumps(False)
    run = gr.simulate(scene, until=4 * TICK, progress=False, output=tmp_path / "run.h5")
    begun = offered("begun_from")(gr.Scene(**{**{key: getattr(scene, key) for key in scene.model_fields_set},
                                              "start": {"big": {"velocity": [0.1, 0.2]}}}), run, -1, given_hold=True)
    again = gr.simulate(begun, until=TICK, progress=False)
    np.testing.assert_allclose(again.velocity("big")[0], [0.1, 0.2], rtol=0, atol=1e-15)
    assert (again.position("big")[0] == run.position("big")[-1]).all()
    assert again.angle("big")[0] == run.angle("big")[-1]
    assert (again.velocity("beans-3")[0] == run.velocity("beans-3")[-1]).all()


GATE = """
title = "gate"
{start}
[material.sand]
density = 2500.0
friction = 0.4
[boundary.floor]
kind = "plane"
position = [0.0, 0.0]
normal = [0.0, 1.0]
[boundary.leaf]
kind = "wall"
positions = [[0.0, 0.02], [0.0, 0.3]]
body = "gate"
[pattern.heap]
kind = "grains"
count = 12
radius = 0.01
region = {{kind = "box", lower = [-0.1, 0.0], upper = [-0.005, 0.1]}}
[body]
post = {{kind = "fixed-point", position = [0.0, 0.32]}}
gate = {{kind = "block", size = [0.01, 0.3], mass = 0.1, points = {{top = [0.0, 0.15]}}}}
[constraint.hinge]
kind = "hinge"
between = ["post", "gate.top"]
[load.gravity]
kind = "gravity"
acceleration = [0.0, -9.81]
[run]
until = 0.25
interval = 0.015625
step = 0.0009765625
"""


def test_a_scene_file_starts_from_a_run_with_joints(tmp_path: Path) -> None:
    """`from` alone says where bodies are; the gate stays open, and its wall with it."""
    (tmp_path / "first.toml").write_text(GATE.format(
        start="[start.gate]\nposition = [0.0, 0.17]\nangular_velocity = 4.0"))
    (tmp_path / "next.toml").write_text(GATE.format(start='[start]\nfrom = "first.h5"'))
    whole = gr.simulate(gr.load(tmp_path / "first.toml"), progress=False)
    gr.simulate(gr.load(tmp_path / "first.toml"), until=8 * TICK, progress=False, output=tmp_path / "first.h5")
    again = gr.simulate(gr.load(tmp_path / "next.toml"), until=8 * TICK, progress=False)
    assert again.angle("gate")[0] == whole.angle("gate")[8] > 0.1
    assert_same_frames(whole, 16, again, 8)
