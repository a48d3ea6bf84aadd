"""Studies: their files, points, seeds, measures, tables and failures."""

from __future__ import annotations

import contextlib
import csv
import itertools
import json
import math
import pickle
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import commands
import granum as gr
from commands import Told
from granum.model.quantities import Mass
from granum.studies.definition import load_study, make_study, parse_study
from granum.studies.measures import MeasureError, parsed
from granum.studies.points import points_of, seed_of
from granum.studies.study import run_study
from messages import naming, refused, says
from study_scenes import PENDULUM, assert_same_table, pendulum, write_study

GRAVITY = "load.gravity.acceleration.1"


def study(folder: Path, **keys: Any) -> gr.StudyResult:
    """Three pendulums in this process."""
    given: dict[str, Any] = {"vary": {GRAVITY: [-1.0, -2.0, -3.0]}, "measure": {"y": "position bob y"}, "on": "serial",
                             "output": folder / "study.h5", "progress": False}
    return gr.study(pendulum(), **given | keys)


def granum(*arguments: object, folder: Path) -> Told:
    """Run `granum study` in a folder."""
    return commands.granum("study", *arguments, folder=folder)


def test_each_run_is_what_simulate_gives(tmp_path: Path) -> None:
    """Values, seeds and measures of every row, against runs made one by one."""
    result = study(tmp_path, repeats=2, vary={GRAVITY: [-1.0, -9.81], "body.bob.mass": ["500 g", 2.0]},
                   measure={"y": "position bob y", "fast": "abs(velocity bob y) > 0.5", "t2": "2 * t"})
    assert result.finished and result.rows == 8 and result.parameters == [GRAVITY, "body.bob.mass"]
    assert result.units == {"wall_time": "s", GRAVITY: "m/s²", "body.bob.mass": "kg", "y": "m", "fast": "", "t2": ""}
    expected = [(g, m, repeat) for g, m in itertools.product((-1.0, -9.81), (0.5, 2.0)) for repeat in (0, 1)]
    assert list(zip(result.column(GRAVITY), result.column("body.bob.mass"), result.column("repeat"), strict=True)
                ) == expected
    for row in result.table:
        run = gr.simulate(pendulum().vary({**row.values, "run.seed": row.seed}), progress=False)
        assert row.measures == {"y": run.position("bob")[-1, 1], "fast": abs(run.velocity("bob")[-1, 1]) > 0.5,
                                "t2": 0.2}
        assert row.energy_error == run.energy_error and row.seed == seed_of(0, row.point, row.repeat)
    assert len(set(result.column("seed"))) == 8


def test_frame_dataset_and_csv_have_the_same_numbers(tmp_path: Path) -> None:
    pytest.importorskip("pandas"), pytest.importorskip("xarray")
    result = study(tmp_path, repeats=2)
    frame, dataset = result.frame(), result.dataset()
    assert list(frame.columns) == result.columns and (frame["y"] == result.column("y")).all()
    assert dict(dataset.sizes) == {GRAVITY: 3, "repeat": 2} and dataset["y"].attrs["units"] == "m"
    assert dataset["y"].sel({GRAVITY: -2.0, "repeat": 1}) == result.column("y")[3]
    with (tmp_path / "study.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["y"]) for row in rows] == result.column("y").tolist()
    assert [int(row["seed"]) for row in rows] == result.column("seed").tolist()
    with refused(gr.GranumError, '"latin-hypercube"', "to_pandas()"):
        study(tmp_path / "list", vary={GRAVITY: {"from": -2, "to": -1}},
              design={"kind": "latin-hypercube", "points": 2}).to_xarray()


def test_values_that_are_no_numbers(tmp_path: Path) -> None:
    """Names and vectors vary, and measures may be texts."""
    result = study(tmp_path, vary={"run.solver": ["rk4", "dop853"], "start.bob.position": [(1.0, 0.0), (0.0, -2.0)]},
                   measure={"word": lambda run: run.scene.run.solver, "y": lambda run: run.position("bob")[-1, 1]})
    assert result.column("run.solver").tolist() == ["rk4", "rk4", "dop853", "dop853"] == result.column("word").tolist()
    assert result.column("start.bob.position").tolist() == [[1.0, 0.0], [0.0, -2.0]] * 2
    assert result.column("y")[1] == -2.0 and gr.open_study(tmp_path / "study.h5").column("word")[0] == "rk4"


def points(**keys: Any) -> list[dict[str, float]]:
    made = make_study(pendulum(), {"y": "t"}, **keys)
    return [point.values for point in points_of(made)]


def test_ranges_keep_their_ends_and_scales() -> None:
    linear = [one["run.until"] for one in points(vary={"run.until": {"from": "100 ms", "to": 0.3, "points": 3}})]
    log = [one["run.until"] for one in points(vary={"run.until": {"from": 0.01, "to": 1, "points": 3, "scale": "log"}})]
    assert linear == [0.1, pytest.approx(0.2), 0.3] and log == [0.01, pytest.approx(0.1), 1.0]


def test_samples_fill_their_ranges() -> None:
    """One value in each stratum of a Latin hypercube; Saltelli's blocks; the same points for the same seed."""
    vary = {"run.until": {"from": 1.0, "to": 2.0}, "body.bob.mass": {"from": 0.1, "to": 10.0, "scale": "log"},
            "run.solver": ["rk4", "dop853"]}
    cube = points(vary=vary, design={"kind": "latin-hypercube", "points": 10}, seed=3)
    assert sorted(int(10.0 * (one["run.until"] - 1.0)) for one in cube) == list(range(10))
    assert sorted(int(5.0 * (math.log10(one["body.bob.mass"]) + 1.0)) for one in cube) == list(range(10))
    assert [one["run.solver"] for one in cube].count("rk4") == 5
    assert cube == points(vary=vary, design={"kind": "latin-hypercube", "points": 10}, seed=3)
    assert cube != points(vary=vary, design={"kind": "latin-hypercube", "points": 10}, seed=4)
    del vary["run.solver"]
    blocks = np.array([list(one.values()) for one in points(vary=vary, design={"kind": "sobol", "points": 8})])
    first, one, two, last = blocks.reshape(8, 4, 2).transpose(1, 0, 2)
    assert (one[:, 0] == last[:, 0]).all() and (one[:, 1] == first[:, 1]).all()
    assert (two[:, 0] == first[:, 0]).all() and (two[:, 1] == last[:, 1]).all()
    assert sorted((8.0 * (first[:, 0] - 1.0)).astype(int)) == list(range(8))


def test_a_list_of_points(tmp_path: Path) -> None:
    """Rows of a CSV file, with units; what is wrong in it is named."""
    (tmp_path / "pendulum.toml").write_text(PENDULUM)
    (tmp_path / "points.csv").write_text("run.until,body.bob.mass\n0.1,500 g\n200 ms,2\n0.1,2\n")
    text = 'scene = "pendulum.toml"\n[design]\nkind = "list"\nfile = "points.csv"\n[measure]\ny = "t"\n'
    found = [tuple(point.values.values()) for point in points_of(parse_study(text, "s.toml", tmp_path))]
    assert found == [(0.1, 0.5), (0.2, 2.0), (0.1, 2.0)]
    (tmp_path / "points.csv").write_text("run.until,body.bob.mas\n0.1,1\n-1,2\n")
    with refused(gr.SceneError, "s.toml:4 design.file", "points.csv, run.until", "points.csv, body.bob.mas"):
        parse_study(text, "s.toml", tmp_path)


def test_whole_numbers_stay_whole() -> None:
    scene = gr.Scene(body={"a": gr.FixedPoint(position=(0.0, 0.0))}, pattern={"c": gr.Chain(
        from_="a", count=2, length=1.0, mass=1.0, direction=(1.0, 0.0))}, run={"until": 0.01})
    made = make_study(scene, {"t": "t"}, vary={"pattern.c.count": {"from": 2, "to": 6, "points": 3}})
    assert [point.values["pattern.c.count"] for point in points_of(made)] == [2, 4, 6]
    with refused(gr.SceneError, "vary.pattern.c.count", "9 points", "2 to 4"):
        make_study(scene, {"t": "t"}, vary={"pattern.c.count": {"from": 2, "to": 4, "points": 9}})


BAD = """
scene = "pendulum.toml"
repeats = 2
[vary]
"body.bib.mass" = [1.0]
"body.bob.mass" = ["5 cm"]
"load.gravity.acceleration.1" = { from = -1, to = -2, points = 3 }
"run.until" = []
"run.seed" = [1, 2]
"run.step" = { from = 0.1, to = 0.2 }
[measure]
a = "position bib y"
b = "flow_rate outlet"
c = "1 +"
status = "t"
[design]
points = 3
"""


def test_all_mistakes_of_a_file_at_once(tmp_path: Path) -> None:
    """With their lines, before anything runs."""
    write_study(tmp_path)
    (tmp_path / "bad.toml").write_text(BAD)
    done = granum("bad.toml", folder=tmp_path)
    assert done.returncode == 2 and not (tmp_path / "bad.h5").exists()
    says(done.stderr, "bad.toml:5 vary.body.bib.mass", '"bob"', "bad.toml:6 vary.body.bob.mass", "bad.toml:7",
         "bad.toml:8", "bad.toml:3 repeats", "bad.toml:10", "bad.toml:12 measure.a", "bad.toml:13 measure.b",
         "bad.toml:14 measure.c", "bad.toml:15 measure.status", "bad.toml:17 design.points")


@pytest.mark.parametrize(("text", "name"), [
    ("[vary]\n", "'scene'"), ('scene = "no.toml"\n[measure]\na = "t"\n', "no.toml"),
    ('scene = "pendulum.toml"\n', "[measure]"), ('scene = "pendulum.toml"\nrepeat = 2\n', '"repeats"'),
    ('scene = "pendulum.toml"\n[measure]\nt = "t"\n[limit]\nmemory = "much"\n', "2 GB"),
    ('scene = "pendulum.toml"\n[measure]\nt = "t"\n[design]\nkind = "sobol"\npoints = 6\n', "4 or 8"),
    ('scene = "pendulum.toml"\n[measure]\nt = "t"\n[design]\nkind = "boundary"\nmeasure = "x"\nruns = 9\n', '"x"'),
], ids=["scene", "file", "measure", "key", "memory", "sobol", "boundary"])
def test_what_a_file_lacks(text: str, name: str, tmp_path: Path) -> None:
    write_study(tmp_path)
    with refused(gr.SceneError, name):
        parse_study(text, "s.toml", tmp_path)


@pytest.mark.parametrize("text", [
    "__import__('os')", "t.real", "t()", "open('x')", "flow_rate", "t if t else t", "t = 3", "verdict x == 'clogged'",
    "t t", "t + 'a'", "not t", "t and t", "sqrt(t", "sqrt(t, t)", "(" * 300, "2" + "**2" * 200, "9" * 3000, "'a' < 'b'",
    "", "min(t)", "lambda: 1", "t[0]", "velocity bob",
])
def test_texts_that_are_no_measures(text: str) -> None:
    with pytest.raises(MeasureError):
        parsed(text)


def test_bodies_and_links_of_patterns_are_asked_for_by_their_names() -> None:
    """Also where a pattern names them otherwise than itself."""
    scene = gr.example("pendulum").with_run(until=0.01, interval=0.01)
    measure = {"x": "position bob-50 x", "tension": "largest_tension rod-1"}
    result = gr.study(scene, measure=measure, on="serial", progress=False)
    run = gr.simulate(scene, progress=False)
    assert result.column("x")[0] == run.position("bob-50")[-1, 0]
    assert result.column("tension")[0] == run.reaction("rod-1").tension.max()
    with refused(gr.SceneError, "measure.x", '"pendulum-50"'):
        gr.study(scene, measure={"x": "position pendulum-50 x"}, on="serial", progress=False)


def test_a_jam_is_asked_for_by_its_noun_too() -> None:
    run = gr.simulate(gr.example("pipe-jam"), progress=False)
    assert run.verdict("jam").verdict == "jammed"
    for text in ("verdict jam == 'jam'", "'jammed' == verdict jam", "verdict jam != 'flowing'"):
        assert parsed(text).part.evaluate(run) is True
    assert parsed("verdict jam != 'jam'").part.evaluate(run) is False


@pytest.mark.parametrize(("text", "value"), [
    ("2 + 3 * 4 - 6 / 2", 11.0), ("-2**2", -4.0), ("2**-1", 0.5), ("2**3**2", 512.0), ("(1 + 2) * 3", 9.0),
    ("log(exp(2))", 2.0),
    ("min(3, 1, 2) + max(1, 2)", 3.0), ("abs(-3)", 3.0), ("1 < 2 and not 2 < 1", True), ("1 == 2 or 1 != 2", True),
    ("not not true", True), ("'a' == 'a'", True), ("2 >= 2", True), ("--1", 1.0),
])
def test_what_measures_compute(text: str, value: float | bool) -> None:
    found = parsed(text).part.evaluate(None)
    assert type(found) is type(value) and found == value


@pytest.mark.parametrize(("text", "what"), [
    ("1 / (t - t)", "1 / 0"), ("log(-1)", "log(-1)"), ("sqrt(-t)", "sqrt(-0.1)"), ("9**9**9**9", "9 **"),
    ("(-8)**0.5", "-8 ** 0.5"), ("1e308 * 10", "1e308 * 10"), ("1 / 0 > 2", "1 / 0"),
    (lambda run: float("nan"), "the function"), (lambda run: -np.inf, "the function"),
])
def test_measures_without_a_value_are_failures(text: Any, what: str, tmp_path: Path) -> None:
    """With the reason in the row: a comparison with what is not a number would be false without a word."""
    result = study(tmp_path, vary={"run.until": [0.1]}, measure={"t": "t", "it": text})
    assert result.column("status").tolist() == ["failed"] and result.column("t").tolist() == [0.1]
    says(result.column("reason")[0], "it was not measured", what)


def test_names_with_hyphens_and_units() -> None:
    """A minus sign behind a name stands free."""
    asked = parsed("passed out-let - passed 'b'").asked
    assert [words for _, words in asked] == [("out-let",), ("b",)]
    assert parsed("position a x - position b x").part.unit == "m" and parsed("t * t").part.unit == ""


def test_failures_are_rows(tmp_path: Path) -> None:
    """A scene that is refused, a motion that does not converge, a measure that fails; the others go on."""
    def fussy(run: gr.Run) -> float:
        if run.scene.run.until == 0.2:
            raise ValueError("not this one")
        return run.t[-1]

    result = study(tmp_path, vary={"run.until": [0.1, 0.2], "link.rod.length": [1.0, 5.0]}, measure={"t": fussy})
    assert result.finished and result.column("status").tolist() == ["done", "failed", "failed", "failed"]
    reasons = result.column("reason")
    says(reasons[1], "rod")
    says(reasons[2], "t ", "ValueError: not this one")
    assert result.column("t")[0] == 0.1 and np.isnan(result.column("t")[1:]).all()
    summary = result.summary()
    assert summary["failed"] == 3 and summary["statuses"] == {"done": 1, "failed": 3}
    assert "3 failed" in str(result)


def test_limits_end_runs(tmp_path: Path) -> None:
    """Over time and over memory, each with what it took."""
    late = study(tmp_path, vary={"run.until": [0.1, 4000.0]}, limit={"time": "0.5 s"})
    assert late.column("status").tolist() == ["done", "over time"]
    says(late.column("reason")[1], "0.5 s")
    large = study(tmp_path, limit={"memory": "1 MB"}, output=tmp_path / "large.h5")
    assert (large.column("status") == "over memory").all()
    says(large.column("reason")[0], "1 MB")


@pytest.mark.parametrize("apart", [False, True], ids=["main thread", "another thread"])
@pytest.mark.parametrize("kind", ["measure", "scene"])
def test_the_limit_of_time_covers_functions_of_the_user(tmp_path: Path, kind: str, apart: bool) -> None:
    """One that never ends, and catches every Exception: in a worker of Dask, runs are not in the main thread."""
    def endless(value: float) -> float:
        while value > 1.5:
            with contextlib.suppress(Exception):
                time.sleep(1e-3)
        return value

    def of_a_run(run: gr.Run) -> float:
        return endless(run.scene.run.until * 10.0)

    def of_a_scene(until: float) -> gr.Scene:
        endless(until * 10.0)
        return pendulum().with_run(until=until)

    vary = {"run.until" if kind == "measure" else "until": [0.1, 0.2]}
    done = []

    def run() -> None:
        done.append(gr.study(pendulum() if kind == "measure" else of_a_scene, vary=vary, limit={"time": "0.5 s"},
                             measure={"x": of_a_run if kind == "measure" else "t"}, on="serial", progress=False,
                             output=tmp_path / "study.h5"))

    thread = threading.Thread(target=run) if apart else None
    if thread is None:
        run()
    else:
        thread.start()
        thread.join()
    assert done[0].column("status").tolist() == ["done", "over time"]


def test_retry_does_failed_runs_again(tmp_path: Path) -> None:
    """And only those; limits are not part of what a study is."""
    keys: dict[str, Any] = {"vary": {"run.until": [0.1, 30.0]}}
    first = study(tmp_path, limit={"time": "1 ms"}, **keys)
    assert "over time" in first.column("status")
    resumed = study(tmp_path, resume=True, **keys)
    assert resumed.column("status").tolist() == first.column("status").tolist()
    again = study(tmp_path, retry="failed", **keys)
    assert (again.column("status") == "done").all()
    kept = first.column("status") == "done"
    assert (again.column("wall_time")[kept] == first.column("wall_time")[kept]).all()
    with refused(gr.GranumError, "all", "failed"):
        study(tmp_path, retry="all", **keys)


def test_more_repeats_are_added(tmp_path: Path) -> None:
    few = study(tmp_path, repeats=1)
    more = study(tmp_path, repeats=3, resume=True)
    assert few.rows == 3 and more.rows == 9 and more.finished
    assert (more.column("wall_time")[::3] == few.column("wall_time")).all()
    assert_same_table(more, study(tmp_path / "new", repeats=3))
    with refused(gr.RunFileError, "study.h5", "repeats"):
        study(tmp_path, repeats=2, resume=True)


def test_tables_of_other_studies_are_refused(tmp_path: Path) -> None:
    study(tmp_path)
    with refused(gr.RunFileError, "study.h5", "--resume"):
        study(tmp_path)
    with refused(gr.RunFileError, "study.h5", "vary."):
        study(tmp_path, vary={GRAVITY: [-1.0]}, resume=True)
    with refused(gr.RunFileError, "study.h5", "scene"):
        gr.study(pendulum().with_run(until=0.2), vary={GRAVITY: [-1.0, -2.0, -3.0]}, measure={"y": "position bob y"},
                 on="serial", output=tmp_path / "study.h5", resume=True)
    with refused(gr.RunFileError, "study.h5", "granum run"):
        gr.open_run(tmp_path / "study.h5")
    gr.simulate(pendulum(), output=tmp_path / "run.h5", progress=False)
    with refused(gr.RunFileError, "run.h5", "granum study"):
        gr.open_study(tmp_path / "run.h5")


def test_damage_is_found(tmp_path: Path) -> None:
    """A bit that changes on the disk is no row."""
    import h5py

    study(tmp_path)
    with h5py.File(tmp_path / "study.h5", "r+") as file:
        file["measure"][1, 0] += 1e-12
    with refused(gr.RunFileError, "study.h5", "row 1 of measure"):
        gr.open_study(tmp_path / "study.h5")
    done = commands.granum("check", "study.h5", folder=tmp_path)
    assert done.returncode == 1
    says("\n".join(done.stdout.splitlines()[2:]), "row 1: measure")


def test_run_files_are_kept_as_asked(tmp_path: Path) -> None:
    keys: dict[str, Any] = {"vary": {"run.until": [0.1, 4000.0]}, "limit": {"time": "0.5 s"}}
    for keep, names in (("none", []), ("failed", ["point-0001-repeat-000.h5"]),
                        ("all", ["point-0000-repeat-000.h5", "point-0001-repeat-000.h5"])):
        folder = tmp_path / keep
        study(folder, keep=keep, **keys)
        assert sorted(file.name for file in folder.glob("study-runs/*")) == names
    run = gr.open_run(tmp_path / "all" / "study-runs" / "point-0000-repeat-000.h5")
    assert run.finished and run.scene.run.seed == seed_of(0, 0, 0)


def test_functions_that_cannot_travel_are_refused(tmp_path: Path) -> None:
    """Before any process starts; in one process they may be anything."""
    pytest.importorskip("distributed")
    lock = threading.Lock()

    def stuck(run: gr.Run) -> float:
        with lock:
            return float(run.t[-1])

    with pytest.raises(gr.GranumError) as caught:
        study(tmp_path, measure={"t": stuck}, on="local")
    naming(str(caught.value), "measure.t", 'on="serial"')
    assert not (tmp_path / "study.h5").exists()
    assert study(tmp_path, measure={"t": stuck}).finished


def test_places_that_are_not_there(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with refused(gr.GranumError, "nowhere", '"serial", "local"'):
        study(tmp_path, on="nowhere")
    with pytest.raises(gr.GranumError) as caught:
        study(tmp_path, on="tcp://127.0.0.1:9")
    naming(str(caught.value), "tcp://127.0.0.1:9", "`dask scheduler`", "--on local")  # and the error of the connection
    assert not (tmp_path / "study.h5").exists()


@pytest.mark.parametrize("wrong", [{"measure": "position bob y"}, {"vary": [1.0]}, {"vary": ""}, {"limit": 3},
                                   {"design": 7}, {"vary": {"run.until": 0.1}}])
def test_arguments_of_another_type_are_refused_by_name(tmp_path: Path, wrong: dict[str, Any]) -> None:
    (key, value), = wrong.items()
    with pytest.raises(gr.GranumError) as caught:
        gr.study(pendulum(), **{"measure": {"t": "t"}, "on": "serial", "output": tmp_path / "study.h5", **wrong})
    naming(str(caught.value), key, repr(value) if not isinstance(value, dict) else "run.until: found 0.1")
    assert not (tmp_path / "study.h5").exists()


def swing(pull: float, mass: Mass = 0.5) -> gr.Scene:
    """A scene that needs more than one key changed."""
    return pendulum().vary({GRAVITY: -pull, "body.bob.mass": mass, "start.bob.position": [2.0, 0.0],
                            "run.until": 0.1 / pull})


def test_a_function_makes_the_scene_of_each_point(tmp_path: Path) -> None:
    """Its arguments are the parameters, with the units of their types; tables are resumed, others are refused."""
    given: dict[str, Any] = {"vary": {"pull": [1.0, 2.0], "mass": {"from": 0.5, "to": 2.0, "points": 2}}, "repeats": 2,
                             "measure": {"y": "position bob y", "seed_used": lambda run: run.scene.run.seed},
                             "on": "serial", "output": tmp_path / "study.h5", "progress": False}
    result = gr.study(swing, **given)
    assert result.parameters == ["pull", "mass"] and (result.units["pull"], result.units["mass"]) == ("", "kg")
    assert result.rows == 8 and (result.column("seed_used") == result.column("seed")).all()
    for row in result.table:
        run = gr.simulate(swing(**row.values), progress=False)
        assert row.measures["y"] == run.position("bob")[-1, 1]
    assert_same_table(gr.study(swing, **given, resume=True), result)
    with refused(gr.RunFileError, "study.h5", "scene"):
        gr.study(lambda pull, mass: swing(pull + 1.0, mass), **given, resume=True)


@pytest.mark.parametrize(("scene", "vary", "names"), [
    (swing, {"push": [1.0]}, ("vary", "push", "pull")), (swing, {"pull": [[1.0, 2.0]]}, ("pull", "[1.0, 2.0]")),
    (lambda pull: pull, {"pull": [1.0]}, ("float", "Scene")),
    (lambda pull: swing(pull, -1.0), {"pull": [1.0]}, ("body.bob.mass", "-1")),
], ids=["argument", "list", "number", "scene"])
def test_functions_that_make_no_scene_are_refused(scene: Any, vary: dict[str, Any], names: tuple[str, ...],
                                                  tmp_path: Path) -> None:
    with refused(gr.GranumError, *names):
        gr.study(scene, vary=vary, measure={"t": "t"}, on="serial", output=tmp_path / "s.h5", progress=False)
    assert not (tmp_path / "s.h5").exists()


def test_a_search_along_an_argument(tmp_path: Path) -> None:
    """Which is found again in the table, where the function is not at hand: y passes −0.4 m at 4 g."""
    given: dict[str, Any] = {"vary": {"pull": {"from": 1.0, "to": 9.0}}, "on": "serial", "progress": False}
    result = gr.study(lambda pull: pendulum().vary({GRAVITY: -pull, "run.until": 0.2}), **given,
                      measure={"low": "velocity bob y < -0.8"}, output=tmp_path / "s.h5",
                      design={"kind": "boundary", "measure": "low", "runs": 100, "width": 0.5})
    ((_, found),) = gr.open_study(result.path).boundary.crossings(result.table)
    assert result.finished and found.low < 4.0 < found.high


def test_local_workers_give_the_table_of_one_process(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    file = write_study(tmp_path, points=4, repeats=3)
    one = run_study(load_study(file), tmp_path / "one.h5", on="serial", progress=False)
    assert_same_table(run_study(load_study(file), tmp_path / "many.h5", progress=False), one)


def test_the_command_line(tmp_path: Path) -> None:
    """Table and CSV beside it, a summary in words and as JSON, the state of a table, nothing replaced unasked."""
    write_study(tmp_path)
    done = granum("swings.toml", "--on", "serial", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    says(done.stdout, "Swings", "12 of 12 runs", "6 points", "swings.h5", "granum plot swings.h5")
    status = json.loads(granum("--status", "swings.toml", "--json", folder=tmp_path).stdout)
    assert status["finished"] and status["runs"] == 12
    again = granum("swings.toml", "--on", "serial", folder=tmp_path)
    assert again.returncode == 2
    says(again.stderr, "swings.h5", "--resume")
    (tmp_path / "swings.csv").unlink()
    assert granum("--status", "swings.h5", "--csv", folder=tmp_path).returncode == 0
    assert len((tmp_path / "swings.csv").read_text().splitlines()) == 13
    summary = json.loads(granum("swings.toml", "--on", "serial", "--overwrite", "--json", folder=tmp_path).stdout)
    assert summary["file"] == "swings.h5" and summary["csv"] == "swings.csv" and summary["statuses"] == {"done": 12}


def test_a_study_is_no_scene(tmp_path: Path) -> None:
    file = write_study(tmp_path)
    with refused(gr.SceneError, "swings.toml", "granum study"):
        gr.load(file)


def test_scenes_travel_between_processes() -> None:
    """What they leave open stays open, and nothing compiled goes along."""
    scene = pendulum()
    gr.simulate(scene, progress=False)
    copy = pickle.loads(pickle.dumps(scene.model_copy()))
    assert copy == scene and copy.run.model_fields_set == scene.run.model_fields_set and not copy._compiled
