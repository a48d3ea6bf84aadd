"""Joints and walls of bodies among grains: what cannot be is refused with its place, figure and remedy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import FLOOR, G, gravity
from granum.base.errors import NotConvergedError, SceneError
from messages import refused

ROD = {"kind": "rod", "length": 1.0, "mass": 1.0}
PIVOT = {"kind": "fixed-point", "position": [0.0, 2.0]}
HINGE = {"kind": "hinge", "between": ["pivot", "rod.tail"]}


def base(**more: Any) -> gr.Scene:
    """A rod on a hinge above two grains and a floor; sections are replaced."""
    return gr.Scene(**{
        "material": {"sand": {"density": 2500.0}}, "boundary": {"floor": FLOOR},
        "pattern": {"sand": {"kind": "grains", "radius": 0.1, "positions": [[0.0, 0.1], [0.5, 0.1]]}},
        "body": {"pivot": PIVOT, "rod": ROD}, "constraint": {"hinge": HINGE},
        "start": {"rod": {"position": [0.5, 2.0]}},
        "load": {"gravity": gravity(0.0, -G)}, "run": {"until": 0.01}, **more})


REFUSED: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "unknown body": ({"link": {"rope": {"between": ["sand-1", "rodd.head"]}}},
                     ("link.rope.between", '"rodd"', "rod")),
    "unknown point": ({"constraint": {"hinge": {**HINGE, "between": ["pivot", "rod.tali"]}}},
                      ("constraint.hinge", '"rod"', '"tali"', "tail")),
    "points apart": ({"start": {"rod": {"position": [0.6, 2.0]}}},
                     ("constraint.hinge", '"pivot" and "rod.tail"', "0.1 m")),
    "a grain that is not there": ({"link": {"rope": {"between": ["pivot", "sand-3"]}}},
                                  ("link.rope.between", '"sand-3"')),
    "a grain of a source": ({"link": {"rope": {"between": ["pivot", "tap-1"]}}, "source": {
        "tap": {"radius": 0.05, "interval": 1.0, "positions": [[1.0, 1.0]]}}}, ("link.rope", "tap-1", "source")),
    "soft": ({"run": {"until": 0.01, "solver": "soft"}},
             ("constraint.hinge", '"soft"', "moreau")),
    "rolling": ({"constraint": {"hinge": HINGE, "roll": {"kind": "rolling", "body": "rod", "on": "floor"}}},
                ("constraint.roll.kind", "rolling")),
    "a velocity that contradicts": ({"start": {"rod": {"position": [0.5, 2.0], "velocity": [1.0, 0.0],
                                                       "angular_velocity": 0.0}}},
                                    ("constraint.hinge", "1 m/s")),
    "a wall of nothing": ({"boundary": {"leaf": {"kind": "wall", "positions": [[0.0, 1.0], [1.0, 1.0]],
                                                 "body": "gate"}}},
                          ("boundary.leaf.body", '"gate"')),
    "a wall of a fixed point": ({"boundary": {"leaf": {"kind": "wall", "positions": [[0.0, 1.0], [1.0, 1.0]],
                                                       "body": "pivot"}}},
                                ("boundary.leaf.body", "fixed-point")),
    "a body that nothing holds": ({"constraint": {}, "body": {"rod": ROD}},
                                  ("body.rod.kind", "rod")),
    "a step too long for a spring": ({"run": {"until": 0.1, "step": 0.02}, "load": {
        "gravity": gravity(0.0, -G), "spring": {"kind": "spring", "between": ["pivot", "sand-1"], "stiffness": 1e8}}},
        ("run.step", "0.02 s")),
    "a torque on a point mass": ({"body": {"pivot": PIVOT, "rod": ROD, "bob": {"kind": "point-mass", "mass": 1.0}},
                                  "link": {"rope": {"between": ["rod.head", "bob"]}},
                                  "start": {"rod": {"position": [0.5, 2.0]}, "bob": {"position": [1.0, 1.0]}},
                                  "load": {"twist": {"kind": "torque", "on": "bob", "torque": 1.0},
                                           "gravity": gravity(0.0, -G)}}, ("load.twist", "bob")),
}


@pytest.mark.parametrize("name", list(REFUSED))
def test_refused_with_place_and_figure(name: str) -> None:
    """Each mistake is named where it is."""
    changes, names = REFUSED[name]
    with refused(SceneError, *names):
        gr.simulate(base(**changes))


def test_a_sink_that_takes_a_held_body_stops_the_run() -> None:
    """A grain on a link swings into a sink."""
    scene = base(link={"rope": {"between": ["pivot", "sand-2"]}}, run={"until": 1.0}, boundary={},
                 pattern={"sand": {"kind": "grains", "radius": 0.1, "positions": [[0.0, 0.1], [1.0, 2.0]]}},
                 sink={"below": {"region": {"kind": "half-space", "position": [0.0, 1.5], "normal": [0.0, -1.0]}}})
    with refused(NotConvergedError, "sink", '"sand-2"', "link.rope"):
        gr.simulate(scene)


def test_bodies_without_a_start_are_where_joints_hold_them() -> None:
    """As in scenes of joints alone."""
    run = gr.simulate(base(start={"rod": {"angle": np.pi / 2}}))
    np.testing.assert_allclose(run.position("rod")[0], [0.0, 2.5], atol=1e-12)


def test_a_load_named_like_a_column_of_the_ledger_has_one_of_its_own() -> None:
    """Nothing is counted under a name twice."""
    run = gr.simulate(base(load={"gravity": gravity(0.0, -G), "friction": {"kind": "torsion-spring", "hinge": "hinge",
                                                                           "stiffness": 1.0}}), until=0.2)
    assert "load friction" in run.energy.work and "friction" in run.energy.work
    assert run.energy_error < 1e-6  # of second order in the step


def test_joined_bodies_do_not_touch_but_linked_ones_do() -> None:
    """Two disks that overlap on a ball joint are let pass; on a link they are refused."""
    disks = {name: {"kind": "disk", "radius": 0.2, "points": {"side": [0.15 * sign, 0.0]}}
             for name, sign in (("a", 1.0), ("b", -1.0))}
    start = {"a": {"position": [0.0, 1.0]}, "b": {"position": [0.3, 1.0]}}
    both = {"body": disks, "start": start, "pattern": {}}
    pin = {"kind": "ball-joint", "between": ["a.side", "b.side"]}
    run = gr.simulate(base(**both, constraint={"pin": pin}), until=0.1)
    assert run.figures["contacts"].max() == 0.0
    with refused(SceneError, "a and b", "0.1 m"):
        gr.simulate(base(**both, constraint={}, link={"bar": {"between": ["a", "b"]}}))
