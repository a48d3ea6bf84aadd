"""Runs as tables of text and as arrays: read back they give the same numbers, to the last bit."""

from __future__ import annotations

import csv
import json
import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import granum as gr
from exported import clumps, formulas, mechanism, stream
from scenes import sprung


def read(file: Path) -> dict[str, list[str]]:
    """Columns of a table by their heads."""
    with file.open(newline="") as opened:
        heads, *rows = csv.reader(opened)
    assert len(set(heads)) == len(heads) and all(len(row) == len(heads) for row in rows)
    return {head: [row[k] for row in rows] for k, head in enumerate(heads)}


def numbers(table: dict[str, list[str]], *heads: str) -> np.ndarray:
    """(rows, columns) of some heads."""
    return np.array([[float(text) for text in table[head]] for head in heads]).T


@pytest.mark.parametrize("dimension", [2, 3])
def test_grains_as_text(dimension: int, tmp_path: Path) -> None:
    run = stream(dimension)
    gr.export(run, "csv", tmp_path / "out")
    table, axes = read(tmp_path / "out" / "grains.csv"), "xyz"[:dimension]
    shown = [run.frame(k) for k in range(len(run.t))]
    assert_array_equal(numbers(table, "t [s]")[:, 0], np.repeat(run.t, run.counts))
    assert [int(number) for number in table["number"]] == np.concatenate([one.numbers for one in shown]).tolist()
    assert_array_equal(numbers(table, *(f"{a} [m]" for a in axes)), np.concatenate([one.positions for one in shown]))
    assert_array_equal(numbers(table, *(f"v{a} [m/s]" for a in axes)),
                       np.concatenate([one.velocities for one in shown]))
    assert_array_equal(numbers(table, "radius [m]")[:, 0], np.concatenate([one.radii for one in shown]))
    spins = ["angular_velocity [rad/s]"] if dimension == 2 else [f"angular_velocity_{a} [rad/s]" for a in axes]
    assert_array_equal(numbers(table, *spins), np.concatenate([one.angular_velocities.reshape(-1, len(spins))
                                                               for one in shown]))
    assert table["group"][: 3 + 7] == ["bed"] * 3 + ["bed"] * 3 + ["tap"] * 4


def test_contacts_ledger_and_probes_as_text(tmp_path: Path) -> None:
    run = stream(2)
    gr.export(run, "csv", tmp_path / "out")
    contacts = read(tmp_path / "out" / "contacts.csv")
    assert_array_equal(numbers(contacts, "t [s]")[:, 0], np.repeat(run.t, run.contact_counts))
    assert_array_equal(numbers(contacts, "Fx [N]", "Fy [N]"),
                       np.concatenate([run.frame(k).force for k in range(len(run.t))]))
    at_post = np.array(contacts["boundary"]) == "post"
    assert_array_equal(at_post, np.array(contacts["second"]) == "-1")
    assert 0 < at_post.sum() < len(at_post)
    energy = read(tmp_path / "out" / "energy.csv")
    assert_array_equal(numbers(energy, "t [s]", "kinetic [J]", "work of gravity [J]"),
                       np.column_stack([run.t, run.energy.kinetic, run.energy.work["gravity"]]))
    probes = read(tmp_path / "out" / "probes.csv")
    assert_array_equal(numbers(probes, "gone grains passed", "gone mass passed [kg]").T, run.passed("gone"))
    counts = read(tmp_path / "out" / "counts.csv")
    assert_array_equal(numbers(counts, "grains", "contacts").T, [run.counts, run.contact_counts])


def test_bodies_of_grains_as_text(tmp_path: Path) -> None:
    run = clumps()
    gr.export(run, "csv", tmp_path / "out")
    table = read(tmp_path / "out" / "bodies.csv")
    assert_array_equal(numbers(table, "qw", "qx", "qy", "qz")[::2], run.orientation("beans-1"))
    assert_array_equal(numbers(table, "x [m]", "y [m]")[1::2], run.position("beans-2"))


def test_bodies_links_and_reactions_as_text(tmp_path: Path) -> None:
    run = gr.simulate(sprung(), until=0.1, interval=0.05)
    gr.export(run, "csv", tmp_path / "linked")
    bodies, links = read(tmp_path / "linked" / "bodies.csv"), read(tmp_path / "linked" / "links.csv")
    mine = np.array(bodies["name"]) == "bob-3"
    assert_array_equal(numbers(bodies, "x [m]", "y [m]")[mine], run.position("bob-3"))
    assert_array_equal(numbers(bodies, "vx [m/s]", "vy [m/s]")[mine], run.velocity("bob-3"))
    mine = np.array(links["name"]) == "rod-2"
    assert_array_equal(numbers(links, "tension [N]")[mine, 0], run.reaction("rod-2").tension)
    assert {*zip(np.array(links["first"])[mine], np.array(links["second"])[mine], strict=True)} == {("bob-1", "bob-2")}
    joined = mechanism()
    gr.export(joined, "csv", tmp_path / "joined")
    reactions = read(tmp_path / "joined" / "reactions.csv")
    assert_array_equal(numbers(reactions, "pin.force.x [N]", "motor.torque [N m]").T,
                       [joined.reaction("pin").force[:, 0], joined.reaction("motor").effort])
    joints = read(tmp_path / "joined" / "joints.csv")
    mine = np.array(joints["name"]) == "cylinder"
    assert_array_equal(numbers(joints, "moment [N m]")[mine, 0], joined.reaction("cylinder").moment)


def test_coordinates_as_text(tmp_path: Path) -> None:
    run = formulas()
    gr.export(run, "csv", tmp_path / "out")
    table = read(tmp_path / "out" / "coordinates.csv")
    assert_array_equal(numbers(table, "t [s]", "q", "q_dot").T, [run.t, run.coordinate("q"), run.rate("q")])


def test_units_and_scene_stand_beside_the_tables(tmp_path: Path) -> None:
    gr.export(stream(2), "csv", tmp_path / "out")
    about = json.loads((tmp_path / "out" / "about.json").read_text())
    assert about["units"]["grains"]["velocity"] == "m/s" and about["units"]["energy"]["kinetic"] == "J"
    assert about["scene"] == "# stream" and about["title"] == "Stream"
    assert {*about["files"], "about.json"} == {file.name for file in (tmp_path / "out").iterdir()}


@pytest.mark.parametrize("dimension", [2, 3])
def test_grains_as_arrays(dimension: int, tmp_path: Path) -> None:
    run = stream(dimension)
    gr.export(run, "npz", tmp_path / "out.npz")
    with np.load(tmp_path / "out.npz", allow_pickle=False) as found:
        assert_array_equal(found["t"], run.t)
        assert str(found["scene"]) == "# stream"
        assert_array_equal(np.diff(found["grains/offsets"]), run.counts)
        assert_array_equal(np.diff(found["contacts/offsets"]), run.contact_counts)
        for index in range(len(run.t)):
            shown = run.frame(index)
            mine = slice(*found["grains/offsets"][index : index + 2])
            assert_array_equal(found["grains/position"][mine], shown.positions)
            assert_array_equal(found["grains/velocity"][mine], shown.velocities)
            assert_array_equal(found["grains/number"][mine], shown.numbers)
            mine = slice(*found["contacts/offsets"][index : index + 2])
            assert_array_equal(found["contacts/force"][mine], shown.force)
        assert found["grains/group_names"].tolist() == ["bed", "tap"]
        assert_array_equal(found["energy/kinetic"], run.energy.kinetic)
        assert_array_equal(found["probes/gone mass passed"], run.passed("gone")[1])


def test_bodies_as_arrays_over_the_frames(tmp_path: Path) -> None:
    """Where bodies stay, arrays have a place for each of them in each frame."""
    run = mechanism()
    gr.export(run, "npz", tmp_path / "out.npz", frames="1:4:2")
    with np.load(tmp_path / "out.npz", allow_pickle=False) as found:
        assert found["frames"].tolist() == [1, 3]
        assert_array_equal(found["bodies/position"], run.positions[[1, 3]])
        assert found["bodies/name"].tolist() == list(run.body_names)
        assert "bodies/offsets" not in found
        assert_array_equal(found["reactions/motor.torque"], run.reaction("motor").effort[[1, 3]])


@pytest.mark.parametrize(("choice", "expected"), [
    ({}, [0, 1, 2, 3, 4]), ({"every": 2}, [0, 2, 4]), ({"every": 9}, [0]), ({"frames": "1:"}, [1, 2, 3, 4]),
    ({"frames": ":-3"}, [0, 1]), ({"frames": "-2"}, [3]), ({"frames": "1:5:3"}, [1, 4]), ({"frames": 0}, [0]),
    ({"frames": slice(2, 99)}, [2, 3, 4]),
])
def test_frames_are_chosen(choice: dict[str, int], expected: list[int], tmp_path: Path) -> None:
    run = formulas()
    assert gr.export(run, "csv", tmp_path / "out", **choice).frames == len(expected)
    assert read(tmp_path / "out" / "energy.csv")["t [s]"] == [repr(float(t)) for t in run.t[expected]]
    assert {*read(tmp_path / "out" / "bodies.csv")["t [s]"]} == {repr(float(t)) for t in run.t[expected]}


def test_the_python_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[2]
    (code,) = re.findall(r"```python\n(.*?)```", (root / "docs/export.md").read_text(), re.DOTALL)
    (tmp_path / "examples").symlink_to(root / "examples")
    (tmp_path / "page.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    run = runpy.run_path("page.py")["run"]
    with np.load("several.npz") as found:
        assert_array_equal(found["t"], run.t[::5])


@pytest.mark.parametrize("form", ["csv", "npz", "vtk"])
def test_bonds_are_exported(form: str, tmp_path: Path) -> None:
    run = gr.simulate(gr.example("crumbling"), until=2e-3)
    gr.export(run, form, tmp_path / {"csv": "out", "npz": "out.npz", "vtk": "out"}[form])
    if form == "csv":
        assert len(read(tmp_path / "out" / "bonds.csv")["first"]) == sum(
            len(run.bonds(k)) for k in range(len(run.t))) > 0
