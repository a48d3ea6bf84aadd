"""A scene is compiled once: reading, checking and running it share one assembly, and its start is computed once."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import granum as gr
from granum.contact.world import World
from granum.io.examples import example_file
from granum.io.scenefile import load_scene_and_text

ROOT = Path(gr.__file__).parent
COMPILERS = {
    "joints": ("assembly/assembler.py", "Assembler.connect"), "loads": ("assembly/assembler.py", "Assembler.loads"),
    "points": ("assembly/points/collect.py", "_Assembler.__init__"),
    "point system": ("assembly/points/point_system.py", "compile_points"),
    "formulas": ("analytic/build.py", "_Builder.built"), "materials": ("grains/tables.py", "compile_tables"),
    "boundaries": ("grains/geometry/boundaries.py", "compile_boundaries"),
    "loads on grains": ("grains/loads/compile.py", "compile_loads"),
    "probes": ("grains/probes/frames.py", "frame_probes"), "sinks": ("grains/generation/sources.py", "Sinks.__init__"),
    "groups": ("grains/generation/generate.py", "compile_groups"),
}
"""What turns entries of a scene into arrays and rows."""
STARTS = {
    "bodies": ("assembly/consistent_start.py", "consistent_start"), "formulas": ("analytic/starts.py", "consistent"),
    "links": ("run/linked.py", "consistent_start"), "grains": ("grains/generation/generate.py", "place_grains"),
}
"""What computes a start."""
SCENES = {
    "pendulum": ({"points", "point system"}, {"links"}),
    "hopper": ({"materials", "boundaries", "loads on grains", "probes", "sinks", "groups"}, {"grains"}),
    "rolling-shell": ({"joints", "loads", "formulas"}, {"bodies", "formulas"}),
    "gate": ({"joints", "loads", "materials", "boundaries", "loads on grains", "probes", "sinks", "groups"},
             {"bodies", "grains"}),
}
"""Compilers that a scene needs, and starts that it has."""


class Calls(Counter[tuple[str, str]]):
    """How often each function of Granum was called, by file and name; `with` counts."""

    def __enter__(self) -> Calls:
        self._before = sys.getprofile()
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self._before)

    def _note(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and (file := frame.f_code.co_filename).startswith(str(ROOT)):
            self[Path(file).relative_to(ROOT).as_posix(), frame.f_code.co_qualname] += 1

    def of(self, functions: dict[str, tuple[str, str]]) -> dict[str, int]:
        """How often those of a table were called that were called at all."""
        return {name: self[function] for name, function in functions.items() if function in self}


SHORT = {"until": 1e-3, "interval": 1e-3}
"""Settings of a run of one frame."""


def run_from_file(name: str, folder: Path) -> gr.Run:
    """As `granum run` does."""
    scene, text = load_scene_and_text(example_file(name))
    run = gr.simulate(scene, output=folder / "run.h5", scene_text=text, progress=False, overwrite=True, **SHORT)
    str(run)
    return run


@pytest.mark.parametrize("name", SCENES)
def test_a_run_compiles_its_scene_and_computes_its_start_once(name: str, tmp_path: Path) -> None:
    """From the scene file to the summary of the run file."""
    compilers, starts = SCENES[name]
    with Calls() as calls:
        run_from_file(name, tmp_path)
    assert calls.of(COMPILERS) == dict.fromkeys(compilers, 1)
    assert calls.of(STARTS) == dict.fromkeys(starts, 1)


@pytest.mark.parametrize("name", SCENES)
def test_checking_a_scene_is_the_compile_that_a_run_takes(name: str) -> None:
    """Load, check and two runs with other settings: one compile."""
    compilers, _ = SCENES[name]
    with Calls() as calls:
        scene = gr.load(example_file(name))
        gr.check(scene)
        gr.simulate(scene, progress=False, **SHORT)
        gr.simulate(scene, progress=False, **{**SHORT, "until": 2e-3})
    once = {key: count for key, count in calls.of(COMPILERS).items() if key != "point system"}
    assert once == dict.fromkeys(compilers - {"point system"}, 1)



def test_names_are_read_from_the_run_file(tmp_path: Path) -> None:
    """Without compiling its scene; a file that an earlier version wrote says them by its scene."""
    scene = gr.example("pendulum")
    run = gr.simulate(scene, output=tmp_path / "run.h5", progress=False, **SHORT)
    with Calls() as calls:
        opened = gr.open_run(tmp_path / "run.h5")
        names = list(opened.body_names), list(opened.link_names), opened.fixed_count
    assert "points" not in calls.of(COMPILERS)
    before = gr.simulate(scene, progress=False, **SHORT)
    del before._recording.metadata["points"]
    with Calls() as calls:
        assert (list(before.body_names), list(before.link_names), before.fixed_count) == names
    assert calls.of(COMPILERS) == {"points": 1}
    assert run.fixed_count == 1 and len(names[0]) == 51 and len(names[1]) == 50


def test_worlds_of_one_scene_share_nothing_that_changes() -> None:
    """Two that advance in turn end as one that is alone: moving walls, walls of a body, joints, loads and probes."""
    scene = gr.Scene(
        material={"sand": {"density": 2500.0, "friction": 0.3}},
        boundary={"floor": {"kind": "plane", "position": [0.0, 0.0], "normal": [0.0, 1.0],
                            "motion": {"amplitude": [0.0, 0.01], "frequency": 5.0}},
                  "leaf": {"kind": "wall", "positions": [[0.3, 0.1], [0.3, 0.5]], "body": "gate"}},
        pattern={"heap": {"kind": "grains", "radius": 0.03, "count": 20, "velocity": [1.0, 0.0],
                          "region": {"kind": "box", "lower": [-0.3, 0.05], "upper": [0.25, 0.6]}}},
        body={"post": {"kind": "fixed-point", "position": [0.3, 0.6]},
              "gate": {"kind": "rod", "length": 0.5, "mass": 1.0}},
        start={"gate": {"angle": -np.pi / 2}},
        constraint={"hinge": {"kind": "hinge", "between": ["post", "gate.tail"]}},
        load={"gravity": {"kind": "gravity", "acceleration": [0.0, -9.81]},
              "wind": {"kind": "force-field", "force": ["0.1*m*sin(20*t)", "0"]}},
        probe={"flow": {"kind": "flow", "position": [0.0, 0.2], "normal": [1.0, 0.0]}}, run={"solver": "moreau"})
    alone, one, two = (World(scene) for _ in range(3))
    for t in (0.05, 0.1, 0.15):
        alone.advance(t, lambda now: None)
    for t in (0.05, 0.1, 0.15):
        one.advance(t, lambda now: None)
        if t < 0.15:
            two.advance(t, lambda now: None)
    assert np.array_equal(one.grains.x, alone.grains.x) and np.array_equal(one.grains.v, alone.grains.v)
    assert np.array_equal(one.totals(), alone.totals()) and one.work == alone.work
    assert two.grains.t == 0.1 and not np.array_equal(two.elements.now, one.elements.now)
    assert alone.probes.passed.any() and alone.joints is not None and alone.joints.jointed.impulse.any()
