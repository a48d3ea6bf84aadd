"""Whole runs of grains: the ledger closes, energy is never made, heaps do not creep, every boundary works."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import MANY, G, closes, gravity

SAND = {"friction": 0.4, "restitution": 0.3, "density": 2500.0}
DOWN = {"gravity": gravity(0.0, -G)}
BOX = {"kind": "box", "lower": [0.0, 0.0], "upper": [0.4, 1.0]}


def sand(count: int, lower: Any, upper: Any, radius: Any = (0.01, 0.016), **more: Any) -> dict[str, Any]:
    """Grains at random in a box."""
    return {"kind": "grains", "count": count, "radius": list(radius),
            "region": {"kind": "box", "lower": lower, "upper": upper}, **more}


def settling() -> gr.Scene:
    return gr.Scene(material={"sand": SAND}, boundary={"box": BOX}, load=DOWN,
                    pattern={"sand": sand(150, [0.0, 0.0], [0.4, 0.6])}, run={"until": 1.0})


def shaken() -> gr.Scene:
    floor = {"kind": "plane", "position": [0.0, 0.0], "normal": [0.1, 1.0],
             "motion": {"amplitude": [0.003, 0.01], "frequency": 12.0, "phase": 0.4}}
    sides = {"kind": "box", "lower": [0.0, -1.0], "upper": [0.4, 1.0], "open": ["+y", "-y"]}
    return gr.Scene(material={"sand": SAND}, boundary={"floor": floor, "sides": sides}, load=DOWN,
                    pattern={"sand": sand(80, [0.0, 0.05], [0.4, 0.5])}, run={"until": 1.0})


def drum() -> gr.Scene:
    turning = {"kind": "disk", "centre": [0.1, 0.2], "radius": -0.2,
               "motion": {"angular_velocity": 6.0, "centre": [0.1, 0.2]}}
    return gr.Scene(material={"sand": {**SAND, "friction": 0.7}}, boundary={"drum": turning}, load=DOWN,
                    pattern={"sand": {"kind": "grains", "count": 80, "radius": [0.009, 0.013],
                                      "region": {"kind": "round", "centre": [0.1, 0.2], "radius": 0.2}}},
                    run={"until": 1.0})


def drum_in_space() -> gr.Scene:
    turning = {"kind": "cylinder", "ends": [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0]], "radius": -0.1, "closed": [True, True],
               "motion": {"angular_velocity": [8.0, 0.0, 0.0], "centre": [0.0, 0.0, 0.0]}}
    region = {"kind": "cylinder", "ends": [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0]], "radius": 0.1}
    return gr.Scene(material={"sand": {**SAND, "friction": 0.6, "rolling_friction": 0.05}}, boundary={"drum": turning},
                    load={"gravity": gravity(0.0, 0.0, -G)},
                    pattern={"sand": {"kind": "grains", "count": 150, "radius": [0.009, 0.012], "region": region}},
                    run={"until": 0.6})


def stream() -> gr.Scene:
    """A pipe with drag and shadows, grains that enter and leave, some of them with a great deal of energy."""
    walls = {"kind": "box", "lower": [0.0, 0.0], "upper": [2.0, 0.3], "open": ["-x", "+x"]}
    return gr.Scene(
        material={"sand": SAND}, boundary={"walls": walls, "post": {"kind": "disk", "centre": [0.7, 0.15],
                                                                   "radius": 0.03}},
        load={"stream": {"kind": "drag", "density": 1000.0, "drag_coefficient": 0.8, "velocity": [1.0, 0.0],
                         "shadow": True,
                         "profile": {"position": [0.0, 0.15], "half_width": 0.15}},
              "push": {"kind": "force-field", "force": ["0", "-2*m*vy + 0.5*m*sin(9*t)"]}, **DOWN},
        source={"tap": {"radius": [0.01, 0.02], "interval": 0.05, "count": 4, "velocity": [0.8, 0.1],
                        "region": {"kind": "box", "lower": [0.0, 0.0], "upper": [0.15, 0.3]}}},
        sink={"end": {"region": {"kind": "half-space", "position": [1.2, 0.0], "normal": [1.0, 0.0]}}},
        run={"until": 2.0})


def rolling() -> gr.Scene:
    return gr.Scene(material={"sand": {**SAND, "rolling_friction": 0.2}}, boundary={"box": {
        "kind": "box", "lower": [0.0, 0.0, 0.0], "upper": [0.15, 0.15, 0.5]}},
        load={"gravity": gravity(0.5, 0.0, -G)}, pattern={"sand": sand(150, [0.0] * 3, [0.15, 0.15, 0.4])},
        run={"until": 0.6})


def piston() -> gr.Scene:
    """A wall that presses a gas of hard disks together and stops."""
    push = {"kind": "plane", "position": [0.0, 0.0], "normal": [1.0, 0.0],
            "motion": {"velocity": [0.5, 0.0], "start_time": 0.1, "until": 0.4}}
    box = {"kind": "box", "lower": [0.0, 0.0], "upper": [0.6, 0.4], "open": ["-x"]}
    rng = np.random.default_rng(5)
    start = {f"sand-{k + 1}": {"velocity": rng.uniform(-1.0, 1.0, 2).tolist()} for k in range(40)}
    return gr.Scene(material={"sand": {**SAND, "friction": 0.0, "restitution": 1.0}},
                    boundary={"push": push, "box": box}, load={"none": gravity(0.0, 0.0)}, start=start,
                    pattern={"sand": sand(40, [0.0, 0.0], [0.6, 0.4])}, run={"until": 0.8})


SCENES = {"settling": settling, "shaken": shaken, "drum": drum, "drum in space": drum_in_space, "stream": stream,
           "rolling": rolling, "piston": piston}


@pytest.mark.parametrize("name", list(SCENES))
def test_who_does_work_on_grains(name):
    """What no agent explains is small, and from 1 % on it is reported."""
    run = gr.simulate(SCENES[name](), **({"tolerance": 1e-13} if name == "piston" else {}))
    assert run.energy_error < (1e-12 if name == "piston" else MANY)
    warned = any("Energy balance error" in note for note in run.summary["notes"])
    assert warned == (run.energy_error >= 0.01)
    work = {key: values[-1] for key, values in run.energy.work.items()}
    assert work["impact"] < 0.0 or name == "piston"
    assert work["friction"] <= 0.0 and work["rolling friction"] <= 0.0
    assert (work["rolling friction"] < 0.0) == (name in ("rolling", "drum in space"))
    assert (abs(work["boundaries"]) > 1e-3 * np.abs(run.energy.total).max()) == (
        name in ("shaken", "drum", "drum in space", "piston"))
    assert (abs(work["inflow and outflow"]) > 0.0) == (name == "stream")
    if name == "stream":
        assert work["stream"] != 0.0 and work["push"] != 0.0 and run.counts[-1] < run.sources["tap"]["entered"]
    if name == "piston":
        # elastic and without friction: all that is gained comes from the wall that moves
        gained = np.diff(run.energy.kinetic)
        still = (run.t[1:] < 0.1 - 1e-9) | (run.t[:-1] > 0.4 + 1e-9)
        assert np.abs(gained[still]).max() < 1e-12 * run.energy.kinetic[0]
        assert work["boundaries"] > 0.1 * run.energy.kinetic[0]


@pytest.mark.parametrize("name", ["rolling", pytest.param("drum in space", marks=pytest.mark.validate)])
def test_the_energy_error_of_grains_falls_with_the_step(name):
    """Where contact is solved, a quarter of the step leaves a quarter of the error (first order), here half at most.

    Beds differ, and so do their errors: three of them are taken together.
    """
    step = gr.simulate(SCENES[name](), until=1e-3).metadata["step"]["step"]
    fine, coarse = (np.sqrt(np.mean([gr.simulate(SCENES[name](), tolerance=1e-4, step=one, seed=seed).energy_error**2
                                     for seed in range(3)])) for one in (step, 4 * step))
    assert fine < 0.5 * coarse
    assert coarse < 0.01


def gas(seed: int, e: float, friction: float, falls: bool) -> gr.Scene:
    """Sixty disks that fly and turn in a closed box."""
    rng = np.random.default_rng(seed)
    start = {f"sand-{k + 1}": {"velocity": rng.uniform(-1.5, 1.5, 2).tolist(),
                               "angular_velocity": float(rng.uniform(-50.0, 50.0))} for k in range(60)}
    return gr.Scene(material={"sand": {"friction": friction, "restitution": e, "density": 2500.0}}, start=start,
                    boundary={"box": {"kind": "box", "lower": [0.0, 0.0], "upper": [0.4, 0.4]}},
                    load={"gravity": gravity(0.0, -G if falls else 0.0)},
                    pattern={"sand": sand(60, [0.0, 0.0], [0.4, 0.4], (0.01, 0.02))}, run={"until": 0.5, "seed": seed})


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("e", "friction"), [(1.0, 0.0), (1.0, 0.5), (0.5, 0.3), (0.0, 1.0)])
def test_energy_is_never_made_in_a_closed_box(seed, e, friction):
    """Without gravity kinetic energy never grows from frame to frame but by what the solution of contact misses."""
    run = gr.simulate(gas(seed, e, friction, False), tolerance=1e-9)
    kinetic, missed = run.energy.kinetic, run.metadata["contact_tolerance"]
    assert np.diff(kinetic).max() < missed * kinetic[0]
    assert kinetic[-1] < (0.9 if friction else 1.0 + missed) * kinetic[0]
    closes(run, missed)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("e", "friction"), [(1.0, 0.0), (1.0, 0.5), (0.5, 0.3), (0.0, 1.0)])
def test_contacts_never_make_energy_under_gravity(seed, e, friction):
    """Contacts take energy between any two frames, with friction too, where Newton's law alone would make some."""
    run = gr.simulate(gas(seed, e, friction, True))
    taken = sum(np.diff(run.energy.work[name]) for name in ("impact", "friction", "rolling friction"))
    # the work of an impulse p is known to p g h, because gravity acts during the step; p is at most 2 m v
    first = run.frame(0)
    hardest = 2.0 * 2500.0 * np.pi * np.max(first.radii**2 * np.linalg.norm(first.velocities, axis=1))
    assert taken.max() < G * run.metadata["step"]["step"] * hardest
    assert np.diff(run.energy.error).max() < 1e-3 * run.energy.kinetic.max()
    assert run.energy.total[-1] < run.energy.total[0]


@pytest.mark.parametrize("seed", range(3))
def test_a_gas_of_hard_disks_keeps_its_energy(seed):
    """Newton's law with one e for all contacts keeps energy to (1 - e²), where its sweeps have converged."""
    run = gr.simulate(gas(seed, 1.0, 0.0, False), max_sweeps=5000, tolerance=1e-13)
    assert np.abs(run.energy.kinetic / run.energy.kinetic[0] - 1.0).max() < 1e-10


def test_a_grain_hit_from_behind_while_it_parts():
    """One step holds two impacts: k hits i, which is about to touch j that runs away from it more slowly than i will.

    Newton's law u⁺ = -e u⁻ with the sign of u⁻ kept; a dead stop between i and j would make (2/3) w (1 - w) of energy.
    """
    w, near = 0.5, 1e-4
    run = gr.simulate(gr.Scene(
        material={"m": {"restitution": 1.0}}, load={"none": gravity(0.0, 0.0)},
        body={name: {"kind": "disk", "radius": 0.1, "mass": 1.0} for name in "kij"},
        start={"k": {"position": [0.0, 0.0], "velocity": [1.0, 0.0]}, "i": {"position": [0.2 + near, 0.0]},
               "j": {"position": [0.4 + 2.0 * near, 0.0], "velocity": [w, 0.0]}}), until=0.2, step=1e-3, max_sweeps=50)
    v = np.array([run.velocity(name)[-1, 0] for name in "kij"])
    assert v.sum() == pytest.approx(1.0 + w, rel=1e-14) and (v**2).sum() == pytest.approx(1.0 + w * w, rel=1e-12)
    assert np.all(np.diff(v) >= 0.0)


@pytest.mark.parametrize(("d", "settled", "until"), [
    (2, 5.0, 7.0), pytest.param(3, 2.0, 4.0, marks=pytest.mark.validate)])
def test_a_box_of_a_thousand_grains_does_not_creep(d, settled, until):
    """Once settled, in two seconds, 4000 steps, no grain moves by 1e-4 of its radius.

    In the plane none turns either; in space a grain may go on spinning about the normal of its only contact.
    """
    wide = 0.5 if d == 2 else 0.16
    lower, upper = [0.0] * d, [wide] * (d - 1) + [3.0]
    box = gr.Scene(material={"sand": {"friction": 0.5, "rolling_friction": 0.02, "density": 2500.0}},
                   boundary={"box": {"kind": "box", "lower": lower, "upper": upper}},
                   load={"gravity": gravity(*[0.0] * (d - 1), -G)},
                   pattern={"sand": sand(1000, lower, [*upper[:-1], 1.4 if d == 2 else 0.8], (0.008, 0.012))})
    run = gr.simulate(box, until=until, interval=1.0)
    before, after = run.frame(np.searchsorted(run.t, settled - 1e-9)), run.frame(-1)
    assert after.t - before.t == pytest.approx(until - settled)
    moved = np.linalg.norm(after.positions - before.positions, axis=1) / after.radii
    assert moved.max() < 1e-4
    assert np.linalg.norm(after.velocities, axis=1).max() < 1e-7
    assert d == 3 or np.abs(after.angular_velocities).max() < 1e-5
    # overlaps end at what a step leaves alone
    assert run.figures["largest_overlap"][-1] < 2e-5
    closes(run)


def everything(d: int) -> gr.Scene:
    """A scene with every kind of boundary, region, load, source, sink and probe."""
    stone = {**SAND, "rolling_friction": 0.05}
    if d == 2:
        boundary: dict[str, Any] = {
            "box": {"kind": "box", "lower": [0.0, 0.0], "upper": [1.0, 1.0], "open": ["+y"]},
            "ground": {"kind": "plane", "position": [0.0, 0.0], "normal": [0.05, 1.0]},
            "shelf": {"kind": "wall", "positions": [[0.0, 0.5], [0.2, 0.4]]},
            "cap": {"kind": "wall", "positions": [[0.7, 0.3], [0.9, 0.3]], "radius": 0.12},
            "bowl": {"kind": "wall", "positions": [[0.1, 0.15], [0.3, 0.15]], "radius": -0.12},
            "post": {"kind": "disk", "centre": [0.5, 0.3], "radius": 0.05,
                     "motion": {"angular_velocity": 3.0, "centre": [0.5, 0.3]}},
            "around": {"kind": "disk", "centre": [0.5, 0.5], "radius": -0.9},
            "funnel": {"kind": "hopper", "position": [0.6, 0.55], "opening": 0.1, "width": 0.3,
                       "funnel_height": 0.1,
                       "height": 0.2},
            "hill": {"kind": "implicit-surface", "equation": "Y - 0.04*sin(6*X)"}}
        region = {"kind": "box", "lower": [0.1, 0.92], "upper": [0.9, 1.2]}
        tap = {"kind": "round", "centre": [0.6, 0.83], "radius": 0.08}
    else:
        boundary = {
            "box": {"kind": "box", "lower": [0.0, 0.0, 0.0], "upper": [1.0, 1.0, 1.0], "open": ["+z"]},
            "ground": {"kind": "plane", "position": [0.0, 0.0, 0.02], "normal": [0.05, 0.0, 1.0]},
            "shelf": {"kind": "wall", "positions": [[0.0, 0.0, 0.5], [0.3, 0.0, 0.4], [0.3, 0.5, 0.4],
                                                    [0.0, 0.5, 0.5]]},
            "corner": {"kind": "wall", "positions": [[1.0, 1.0, 0.5], [0.7, 1.0, 0.4], [1.0, 0.7, 0.4]]},
            "ball": {"kind": "sphere", "centre": [0.5, 0.5, 0.2], "radius": 0.1,
                     "motion": {"angular_velocity": [0.0, 0.0, 5.0], "centre": [0.5, 0.5, 0.2]}},
            "around": {"kind": "sphere", "centre": [0.5, 0.5, 0.5], "radius": -1.2},
            "rod": {"kind": "cylinder", "ends": [[0.0, 0.8, 0.3], [1.0, 0.8, 0.3]], "radius": 0.05},
            "funnel": {"kind": "hopper", "position": [0.6, 0.5, 0.55], "opening": 0.15, "width": 0.4,
                       "funnel_height": 0.1,
                       "height": 0.2},
            "hill": {"kind": "implicit-surface", "equation": "Z - 0.04*sin(6*X)*cos(5*Y)"}}
        region = {"kind": "box", "lower": [0.1, 0.1, 0.9], "upper": [0.9, 0.9, 1.2]}
        tap = {"kind": "cylinder", "ends": [[0.6, 0.5, 0.8], [0.6, 0.5, 0.9]], "radius": 0.1}
    up = [0.0] * (d - 1) + [1.0]
    return gr.Scene(
        material={"sand": stone}, boundary=boundary,
        load={"gravity": gravity(*[0.0] * (d - 1), -G),
              "air": {"kind": "drag", "density": 1.2, "drag_coefficient": 0.5, "velocity": [0.5] + [0.0] * (d - 1)}},
        pattern={"sand": {"kind": "grains", "count": 80, "region": region,
                          "radius": {"values": [0.012, 0.02, 0.03], "weights": [3, 2, 1]}}},
        source={"tap": {"radius": [0.012, 0.015], "interval": 0.1, "count": 2, "region": tap}},
        sink={"hole": {"region": {"kind": "round", "centre": [0.95, *[0.05] * (d - 1)], "radius": 0.06}}},
        probe={"level": {"kind": "flow", "position": [0.5] * d, "normal": [-c for c in up]},
               "low": {"kind": "packing", "region": {"kind": "box", "lower": [0.0] * d,
                                                     "upper": [1.0] * (d - 1) + [0.3]}}},
        run={"until": 1.0})


@pytest.mark.parametrize("d", [2, 3])
def test_a_scene_with_every_kind_of_boundary_runs(d):
    run = gr.simulate(everything(d))
    assert run.finished and run.passed("level")[0][-1] > 20 and run.packing("low")[-1] > 0.003
    closes(run)
    last = run.frame()
    # nobody fell through: all are above the ground, the hill and inside of the box
    x, r = last.positions, last.radii
    hill = 0.04 * np.sin(6 * x[:, 0]) * (np.cos(5 * x[:, 1]) if d == 3 else 1.0)
    assert np.all(x[:, -1] > hill + 0.7 * r) and np.all(x > 0.99 * r[:, None])
    assert np.all(x[:, :-1] < 1.0 - 0.99 * r[:, None])
    assert run.summary["overlap"]["mean"] < 1e-3
    assert run.energy.total[-1] < run.energy.total[0]
