"""Never silently wrong: what cannot be is refused with its place and figure, what went wrong is said afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import G, gravity
from granum.base.errors import GranumError, NotConvergedError, SceneError
from messages import refused, says

SAND = {"friction": 0.3, "density": 2500.0}
BOX = {"kind": "box", "lower": [0.0, 0.0], "upper": [1.0, 1.0]}


def some(**more: Any) -> dict[str, Any]:
    """A pattern in the box."""
    return {"kind": "grains", "radius": 0.02, "region": BOX, **more}


def base(**more: Any) -> dict[str, Any]:
    """A scene of ten grains in a box; sections are replaced."""
    return {"material": {"sand": SAND}, "boundary": {"box": BOX}, "load": {"gravity": gravity(0.0, -G)},
            "pattern": {"p": some(count=10)}, "run": {"until": 0.1}, **more}


REFUSED: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "overlap": (base(pattern={"p": {"kind": "grains", "radius": 0.1,
                                    "positions": [[0.3, 0.3], [0.45, 0.3], [0.7, 0.7]]}}),
                ("p-1 and p-2", "0.05 m", "0.5 of")),
    "two bodies": (base(body={"a": {"kind": "disk", "radius": 0.1}, "b": {"kind": "disk", "radius": 0.1}}, pattern={},
                        start={"a": {"position": [0.5, 0.5]}, "b": {"position": [0.6, 0.5]}}),
                   ("a and b", "0.1 m")),
    "outside the box": (base(pattern={"p": {"kind": "grains", "radius": 0.1, "positions": [[1.3, 0.3]]}}),
                        ("p-1", "(1.3, 0.3) m", "0.4 m")),
    "too dense": (base(pattern={"p": some(packing_fraction=0.95)}),
                  ("pattern.p", "0.9500", "0.9069")),
    "too dense to grow": (base(pattern={"p": some(packing_fraction=0.95, arrangement="dense")}), ("0.9069",)),
    "too dense for a lattice": (base(pattern={"p": some(packing_fraction=0.95, arrangement="lattice")}),
                                ("0.9069",)),
    "too many at random": (base(pattern={"p": some(packing_fraction=0.75)}), ("pattern.p", "0.75")),
    "negative friction": (base(material={"sand": {"friction": -0.1}}),
                          ("material.sand.friction", "-0.1")),
    "restitution": (base(material={"sand": {"restitution": 1.2}}), ("material.sand.restitution", "1.2", "and 1")),
    "restitution of a pair": (base(material={"sand": SAND, "clay": SAND},
                                   pair={"x": {"between": ["sand", "clay"], "restitution": 1.2}}),
                              ("pair.x.restitution", "1.2")),
    "not a number": (base(material={"sand": {"friction": float("nan")}}), ("material.sand.friction",)),
    "rolling friction": (base(material={"sand": {"rolling_friction": -1.0}}), ("rolling_friction", "-1")),
    "step": (base(run={"step": 0.5}), ("run.step", "0.5 s", "0.0135 s", "0.000452 s")),
    "step of a flow": (base(load={"stream": {"kind": "drag", "density": 1000.0, "drag_coefficient": 1.0,
                                             "velocity": [2.0, 0.0]}}, run={"step": 0.01}),
                       ("run.step", "0.005 s", "2 m/s")),
    "material": (base(pattern={"p": some(count=3, material="snad")}), ("pattern.p", '"snad"', '"sand"')),
    "material of a boundary": (base(boundary={"box": {**BOX, "material": "snad"}}), ("boundary.box", '"snad"')),
    "material of a pair": (base(pair={"x": {"between": ["sand", "gravel"], "friction": 0.1}}),
                           ("pair.x.between", '"gravel"')),
    "which material": (base(material={"sand": SAND, "clay": SAND}), ("pattern.p.material", "2 materials")),
    "no density": (base(material={"sand": {}}), ("pattern.p.density", "kg/m³")),
    "dimension of a boundary": (base(boundary={"box": {"kind": "box", "lower": [0, 0, 0], "upper": [1, 1, 1]}}),
                                ("boundary.box.lower", "3 components", "2-D")),
    "dimension of gravity": (base(load={"gravity": gravity(0.0, 0.0, -G)}),
                             ("load.gravity.acceleration", "3 components", "2-D")),
    "dimension of a source": (base(source={"s": {"radius": 0.1, "positions": [[0.5, 0.5, 0.5]], "interval": 1.0}}),
                              ("source.s.positions", "3 components")),
    "dimension of a sink": (base(sink={"s": {"region": {"kind": "round", "centre": [0, 0, 0], "radius": 1.0}}}),
                            ("sink.s", "3 components")),
    "radius": (base(pattern={"p": some(count=3, radius=-0.1)}), ("pattern.p.radius", "-0.1")),
    "solver": (base(run={"solver": "rk4"}), ('"rk4"', "moreau")),
    "link": (base(link={"l": {"between": ["p-1", "p-99"]}}), ("link.l.between", '"p-99"')),
    "spring": (base(load={"s": {"kind": "spring", "between": ["p-1", "p-2"], "stiffness": 1.0}},
                    run={"solver": "soft"}), ("load.s", "spring", '"soft"')),
    "no such grain": (base(start={"p-99": {"velocity": [0.0, 0.0]}}), ('"p-99"',)),
    "force on no grain": (base(load={"f": {"kind": "force", "on": "q-1", "force": [1.0, 0.0]}}), ("load.f", "q-1")),
    "jam without flow": (base(probe={"j": {"kind": "jam", "flow": "out", "window": 1.0}}),
                         ("probe.j.flow", '"out"')),
    "jam across": (base(probe={"f": {"kind": "flow", "position": [0, 0], "normal": [1, 1]},
                               "j": {"kind": "jam", "flow": "f", "window": 1.0}}),
                   ("probe.f.normal", "axis")),
    "flat wall": (base(boundary={"w": {"kind": "wall", "positions": [[0.8, 0.0], [0.8, 0.0]]}}),
                  ("boundary.w.positions",)),
    "small arc": (base(boundary={"w": {"kind": "wall", "positions": [[0.0, -1.0], [1.0, -1.0]], "radius": 0.1}}),
                  ("boundary.w.radius", "0.5 m")),
    "hopper": (base(boundary={"h": {"kind": "hopper", "position": [0, 0], "opening": 1, "width": 0.5,
                                    "height": 1}}),
               ("opening 1 m", "width 0.5 m")),
    "half a motion": (base(boundary={"box": {**BOX, "motion": {"amplitude": [0.0, 0.01]}}}), ("frequency",)),
    "surface": (base(boundary={"w": {"kind": "implicit-surface", "equation": "X + q"}}), ("boundary.w.equation", "q")),
    "source in a half-space": (base(source={"s": {"radius": 0.1, "interval": 1.0, "region": {
        "kind": "half-space", "position": [0, 0], "normal": [0, 1]}}}), ("source.s.region", "infinite")),
}


ROD = {"kind": "rod", "length": 0.1, "mass": 1.0}
PAIR = {"shape": {"pair": {"disks": [{"radius": 1.0, "centre": [-0.5, 0.0]},
                                     {"radius": 1.0, "centre": [0.5, 0.0]}]}}}
FOR_MOREAU: dict[str, dict[str, Any]] = {
    "pattern.p.shape": {**PAIR, "pattern": {"p": some(count=3, shape="pair")}},
    "body.rod.kind": {"body": {"rod": ROD}, "start": {"rod": {"position": [0.5, 0.5]}}},
    "bond.b": {"bond": {"b": {"among": "p", "tensile_strength": 1e6, "shear_strength": 1e6}}},
    "link.l": {"link": {"l": {"between": ["p-1", "p-2"]}}},
    "constraint.c": {"constraint": {"c": {"kind": "ball-joint", "between": ["p-1", "p-2"]}}},
    "load.t": {"load": {"t": {"kind": "torque", "on": "p-1", "torque": 1.0}}},
    "run.merge_clusters": {"run": {"until": 0.1, "merge_clusters": True}},
}
"""Entries that `moreau` alone supports, by key."""


@pytest.mark.parametrize("solver", ["soft", "unilateral", "events"])
@pytest.mark.parametrize("key", list(FOR_MOREAU))
def test_what_moreau_alone_supports_is_refused_by_solver_and_key(key: str, solver: str) -> None:
    content = base(**FOR_MOREAU[key])
    scene = gr.Scene(**{**content, "run": {**content["run"], "solver": solver}})
    for call in (gr.check, gr.simulate):
        with pytest.raises(SceneError) as raised:
            call(scene)
        says(str(raised.value))
        assert any(line.removeprefix("scene ").startswith(key) and f'"{solver}"' in line
                   for line in str(raised.value).splitlines())


@pytest.mark.parametrize(("solver", "key", "more"), [
    ("events", "source.tap", {"source": {"tap": {"radius": 0.02, "interval": 0.1, "positions": [[0.5, 0.5]]}}}),
    ("events", "load.wind", {"load": {"wind": {"kind": "drag", "density": 1.0, "drag_coefficient": 1.0,
                                               "velocity": [1.0, 0.0]}}}),
    ("events", "load.f", {"load": {"f": {"kind": "force-field", "force": ["m", "0"]}}}),
    ("events", "material.sand.rolling_friction", {"material": {"sand": {**SAND, "rolling_friction": 0.1}}}),
    ("unilateral", "material.sand.rolling_friction", {"material": {"sand": {**SAND, "rolling_friction": 0.1}}}),
    ("unilateral", "pair.x.rolling_friction", {"pair": {"x": {"between": ["sand", "sand"], "rolling_friction": 0.1}}}),
])
def test_what_a_solver_does_not_support_is_refused_by_key(solver: str, key: str, more: dict[str, Any]) -> None:
    with refused(SceneError, key, f'"{solver}"'):
        gr.simulate(gr.Scene(**base(**more, run={"until": 0.1, "solver": solver})))


def test_only_some_of_many_entries_are_named() -> None:
    rods = {f"rod{k}": ROD for k in range(15)}
    start = {name: {"position": [0.5, 0.05 * k]} for k, name in enumerate(rods)}
    with refused(SceneError, '"soft"', "5 more"):
        gr.simulate(gr.Scene(**base(body=rods, start=start, run={"until": 0.1, "solver": "soft"})))


@pytest.mark.parametrize("name", list(REFUSED))
def test_refused_with_place_figure_and_remedy(name):
    content, names = REFUSED[name]
    with refused(SceneError, *names):
        gr.simulate(gr.Scene(**content))


@pytest.mark.parametrize(("text", "names"), [
    (None, ("flow.csv",)), ("0,0,1,abc\n", ("line 1", "'abc'")), ("", ("flow.csv",)),
    ("0,0,1,0\n1,0,1,0\n0,1,1,0\n", ("3 points", "2 by 2", "(1, 1) m")), ("0,0,1\n", ("line 1",)),
    ("0,0,nan,0\n1,0,1,0\n0,1,1,0\n1,1,1,1\n", ("line 1", "finite"))])
def test_a_flow_from_a_file_that_is_none(tmp_path: Path, text: str | None, names: tuple[str, ...]) -> None:
    file = tmp_path / "flow.csv"
    if text is not None:
        file.write_text(text)
    drag = {"kind": "drag", "density": 1000.0, "drag_coefficient": 1.0, "velocity_field": str(file)}
    with refused(SceneError, "load.stream.velocity_field", *names):
        gr.simulate(gr.Scene(**base(load={"stream": drag})))


def test_every_problem_is_named_at_once():
    """A user mends a scene in one go; of overlaps the five worst are named, and how many more there are."""
    at = [[0.1 + 0.1 * k, 0.5] for k in range(8)]
    with pytest.raises(SceneError) as raised:
        gr.simulate(gr.Scene(**base(pattern={"p": {"kind": "grains", "radius": 0.06, "positions": at}})))
    *worst, more = raised.value.problems
    assert len(worst) == 5
    says(more.finding, "2 more pairs")
    # a millionth of a radius is let pass
    gr.simulate(gr.Scene(**base(pattern={"p": {"kind": "grains", "radius": 0.05 * (1.0 + 4e-7), "positions": at}})))


@pytest.mark.parametrize(("overlap", "count"), [("wait", "waiting"), ("skip", "skipped")])
def test_a_source_that_cannot_place_its_grains_is_noted(overlap: str, count: str) -> None:
    blocked = base(pattern={"p": {"kind": "grains", "radius": 0.1, "positions": [[0.5, 0.1]]}}, source={"tap": {
        "radius": 0.05, "positions": [[0.5, 0.15]], "interval": 0.04, "overlap": overlap}})
    run = gr.simulate(gr.Scene(**blocked))
    assert run.sources == {"tap": {"entered": 0, "skipped": 0, "waiting": 0, count: 3}}
    [note] = run.summary["notes"]
    says(note, "source.tap", "0 grains", "3", count, "region")
    assert run.summary["sources"] == run.sources


def test_grains_outside_the_grid_of_a_flow_are_noted(tmp_path: Path) -> None:
    file = tmp_path / "flow.csv"
    file.write_text("0,0,1,0\n0.5,0,1,0\n0,0.5,1,0\n0.5,0.5,1,0\n")
    drag = {"kind": "drag", "density": 1.0, "drag_coefficient": 1.0, "velocity_field": str(file)}
    run = gr.simulate(gr.Scene(**base(load={"stream": drag}, pattern={
        "p": {"kind": "grains", "radius": 0.02, "positions": [[0.2, 0.2], [0.8, 0.2]]}})))
    [note] = run.summary["notes"]
    says(note, "load.stream", "1 grain", "flow.csv")


def test_a_run_that_blows_up_keeps_its_last_good_frame(tmp_path: Path) -> None:
    """The force grows without end: grain and time are named, and all frames before are whole."""
    file = tmp_path / "run.h5"
    wild = base(boundary={}, load={"wild": {"kind": "force-field", "force": ["1e3 * m * x * exp(100*t)", "0"]}},
                pattern={"p": {"kind": "grains", "radius": 0.02, "positions": [[0.0, 0.0], [0.1, 0.0]]}},
                run={"until": 1.0, "interval": 0.01, "step": 1e-3})
    with refused(NotConvergedError, '"p-2"', "t = ", "of 101 frames") as raised:
        gr.simulate(gr.Scene(**wild), output=file)
    text = str(raised.value)
    run = gr.open_run(file)
    assert 2 <= len(run.t) < 100 and f"{len(run.t)} of 101 frames" in text
    assert np.all(np.isfinite(run.frame().positions)) and np.all(run.frame(-1).positions[0] == 0.0)
    assert run.frame(-1).positions[1, 0] > 0.1
    assert run.t[-1] < float(text.split("t = ")[1].split(" s")[0]) + 1e-9 < run.t[-1] + 0.01


def test_a_force_without_value_stops_with_grain_and_time(tmp_path: Path) -> None:
    file = tmp_path / "run.h5"
    with refused(GranumError, "load.f.force", "t = 0.051 s", "grain 9", "6 of 11 frames"):
        gr.simulate(gr.Scene(**base(load={"f": {"kind": "force-field", "force": ["sqrt(0.05 - t)", "0"]}},
                                    run={"until": 0.1, "interval": 0.01, "step": 1e-3})), output=file)
    assert len(gr.open_run(file).t) == 6


def test_a_fast_grain_is_noted():
    """Sped up by a force that no one knew before: passes through a thin wall are possible, and that is said."""
    run = gr.simulate(gr.Scene(**base(
        boundary={}, load={"push": {"kind": "force-field", "force": ["100 * m", "0"]}},
        run={"until": 1.5, "step": 1e-3},
        pattern={"p": {"kind": "grains", "radius": 0.2, "positions": [[0.0, 0.0]]}})))
    # 150 m/s in steps of h = 1.5/1600 s, against 0.2 m; the mean velocity of the last step is half of 100 h less
    h = 1.5 / 1600.0
    assert run.figures["largest_move"][-1] == pytest.approx((150.0 - 50.0 * h) * h / 0.2, rel=1e-12)
    (note,) = (note for note in run.summary["notes"] if "radius" in note)
    says(note, "0.7 of its radius")


@pytest.mark.parametrize(("body", "key"), [
    ('kind = "disk"\nradius = 0.02\nparametrisation.position = ["sin(phi)", "-cos(phi)"]', ".parametrisation"),
    ('kind = "point-mass"\nmass = 1.0\nparametrisation.position = ["sin(phi)", "-cos(phi)"]', ".parametrisation"),
    ('kind = "massless-body"', ""),
])
def test_of_a_body_that_grains_do_not_know_no_start_is_asked(body: str, key: str, tmp_path: Path) -> None:
    """Other bodies that lack one are named all the same."""
    path = tmp_path / "scene.toml"
    path.write_text(f"""
        [material.sand]
        density = 2500.0
        [body.bobbin]
        kind = "disk"
        radius = 0.02
        [body.bob]
        {body}
        [system]
        {'coordinates = ["phi"]' if key else ""}
        """, "utf-8")
    with pytest.raises(SceneError) as caught:
        gr.load(path)
    places = {problem.place for problem in caught.value.problems}
    assert places == {f"body.bob{key}", "start.bobbin.position"} | ({"system"} if key else set())
