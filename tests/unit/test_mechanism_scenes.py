"""Scenes of joints that are wrong say where, what and what would be right; runs resume to the same bits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
import mechanisms
from messages import refused, says


def _changed(spatial: bool, **sections: Any) -> gr.Scene:
    scene = mechanisms.four_bar(spatial)
    merged = {name: {**getattr(scene, name), **entries} for name, entries in sections.items()}
    return gr.Scene(**{**{name: getattr(scene, name) for name in ("body", "constraint", "start", "load")}, **merged})


HINGE = {"kind": "hinge"}
WRONG: dict[str, tuple[bool, dict[str, Any], list[str]]] = {
    "points-apart": (False, {"start": {"coupler": {"position": (1.0, 1.0), "angle": 0.0}}},
                     ["constraint.hinge-2", "project_start"]),
    "unknown-body": (False, {"constraint": {"hinge-1": {**HINGE, "between": ("left", "crnk.tail")}}},
                     ['"crnk"', '"crank"']),
    "unknown-point": (False, {"constraint": {"hinge-1": {**HINGE, "between": ("left", "crank.tale")}}},
                      ['"tale"', '"tail"']),
    "unknown-joint": (False, {"constraint": {"motor": {"kind": "drive", "joint": "hinge-9", "motion": "t"}}},
                      ["constraint.motor", '"hinge-9"', '"hinge-']),
    "no-axis": (True, {"constraint": {"hinge-1": {**HINGE, "between": ("left", "crank.tail")}}},
                ["constraint.hinge-1", "axis = [0, 0, 1]"]),
    "thin": (True, {"body": {"crank": {"kind": "rod", "length": 1.0, "mass": 1.0}}},
             ['"crank"', "radius"]),
    "massless": (False, {"body": {"p": {"kind": "massless-point"}}, },
                 ["body.p", "fundamental"]),
    "two-and-three": (False, {"load": {"gravity": {"kind": "gravity", "acceleration": (0.0, -9.81, 0.0)}}},
                      ["load.gravity.acceleration", "3 components", "2-D"]),
    "late-drive": (False, {"constraint": {"motor": {"kind": "drive", "joint": "hinge-1", "motion": "t + 1"}}},
                   ["constraint.motor", "1 at t = 0"]),
    "two-drives": (False, {"constraint": {"one": {"kind": "drive", "joint": "hinge-1", "motion": "t"},
                                          "two": {"kind": "drive", "joint": "hinge-4", "motion": "5*t"}}},
                   ["constraint.one", "constraint.two"]),
    "no-position": (False, {"body": {"far": {"kind": "rod", "length": 1.0, "mass": 1.0}}},
                    ["body.far", "[start.far]"]),
    "itself": (False, {"constraint": {"h": {**HINGE, "between": ("crank.tail", "crank.head")}}},
               ["constraint.h"]),
    "angle-in-space": (True, {"start": {"crank": {"angle": 1.0}}}, ["start.crank.angle", "orientation"]),
    "not-round": (False, {"constraint": {"r": {"kind": "rolling", "body": "crank", "on": "rocker"}}},
                  ['"crank"']),
}


@pytest.mark.parametrize("name", WRONG)
def test_mistakes_are_told(name: str) -> None:
    spatial, sections, names = WRONG[name]
    with refused(gr.SceneError, *names):
        gr.derive(_changed(spatial, **sections), "newton-euler")


def test_project_start_closes_a_gap() -> None:
    """Points that are 1 cm apart are brought together, with every joint satisfied."""
    scene = mechanisms.four_bar(False)
    at = np.array(gr.derive(scene).start[0][:2])
    start = {**scene.start, "crank": gr.Start(position=(at[0] + 0.01, at[1]), angle=1.1)}
    moved = scene.model_copy(update={"start": start})
    with refused(gr.SceneError, "0.01 m"):
        gr.derive(moved)
    run = gr.simulate(moved.with_run(project_start=True), until=0.1)
    assert np.max(run.constraint_errors) < 1e-13


def test_left_out_velocities_follow_from_a_drive() -> None:
    """A driven four-bar starts with the velocities that the drive asks for."""
    scene = _changed(False, constraint={"motor": {"kind": "drive", "joint": "hinge-1", "motion": "2*t"}})
    run = gr.simulate(scene, until=0.1)
    assert run.angular_velocity("crank") == pytest.approx(2.0, abs=1e-12)
    assert np.max(run.constraint_errors) < 1e-12


def test_torsion_spring_counts_full_turns() -> None:
    """A wheel on a torsion spring wound by three turns swings as one in the plane: φ = 6π cos ωt, in space too."""
    for spatial in (False, True):
        zero = (0.0,) if spatial else ()
        axis = {"axis": (0.0, 0.0, 1.0)} if spatial else {}
        scene = gr.Scene(
            body={"o": {"kind": "fixed-point", "position": (0.0, 0.0, *zero)},
                  "wheel": {"kind": "rigid-body", "mass": 1.0, "inertia": (0.3, 0.3, 0.5)}},
            constraint={"axle": {"kind": "hinge", "between": ("o", "wheel"), **axis}},
            load={"spring": {"kind": "torsion-spring", "hinge": "axle", "stiffness": 2.0, "rest_angle": 6 * np.pi}},
            run={"tolerance": 1e-11})
        run = gr.simulate(scene, until=10.0)
        expected = 6 * np.pi * 2.0 * np.sin(2.0 * run.t)
        found = run.angular_velocity("wheel")
        assert (found[:, 2] if spatial else found) == pytest.approx(expected, abs=1e-7)


def test_resumed_run_has_the_same_bits(tmp_path: Path) -> None:
    scene = mechanisms.four_bar(True, tolerance=1e-9)
    whole = gr.simulate(scene, until=1.0, interval=0.1)
    gr.simulate(scene, until=0.5, interval=0.1, output=tmp_path / "run.h5")
    rest = gr.simulate(scene, until=1.0, interval=0.1, output=tmp_path / "run.h5", resume=True)
    assert (whole.positions == rest.positions).all()
    for name in whole.joint_names:
        assert (whole.reaction(name).force == rest.reaction(name).force).all()
    opened = gr.open_run(tmp_path / "run.h5")
    assert (opened.orientation("crank") == whole.orientation("crank")).all()


def test_check_counts_freedoms_and_names_joints() -> None:
    _, freedoms, redundant, *_ = gr.check(mechanisms.four_bar(True)).summary_lines()
    says(freedoms, "1 degree of freedom", "-2")
    says(redundant, "hinge-1, hinge-2, hinge-3 and hinge-4", "3 redundant rows")
