"""Runs as files of VTK: read back with PyVista they give the same numbers, bit for bit."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import granum as gr
from exported import clumps, formulas, mechanism, stream
from granum.base.kernels import Floats
from messages import refused
from scenes import sprung

pyvista = pytest.importorskip("pyvista")


def read(folder: Path, name: str) -> list[tuple[float, Any]]:
    """Times and meshes of a collection."""
    reader = pyvista.get_reader(folder / f"{name}.pvd")
    found = []
    for t in reader.time_values:
        reader.set_active_time_value(t)
        found.append((t, reader.read()[0]))
    return found


def in_space(vectors: Floats) -> Floats:
    """With the component that the plane does not have."""
    return np.column_stack([vectors, np.zeros((len(vectors), 3 - vectors.shape[1]))])


@pytest.mark.parametrize("dimension", [2, 3])
def test_grains_that_come_and_go(dimension: int, tmp_path: Path) -> None:
    run = stream(dimension)
    assert np.diff(run.counts).max() > 0 > np.diff(run.counts).min()  # they do come and go
    assert gr.export(run, "vtk", tmp_path / "out").frames == len(run.t)
    found = read(tmp_path / "out", "grains")
    assert [t for t, _ in found] == run.t.tolist()
    for index, (t, mesh) in enumerate(found):
        shown, data = run.frame(index), mesh.point_data
        assert mesh.points.dtype == np.float64
        assert_array_equal(mesh.points, in_space(shown.positions))
        assert_array_equal(data["velocity"], in_space(shown.velocities))
        assert_array_equal(data["angular_velocity"], shown.angular_velocities)
        assert_array_equal(data["radius"], shown.radii)
        assert_array_equal(data["number"], shown.numbers)
        assert mesh.field_data["TimeValue"][0] == t
        assert mesh.field_data["energy/kinetic"][0] == run.energy.kinetic[index]
        assert mesh.field_data["probes/gone mass passed"][0] == run.passed("gone")[1][index]
    groups = np.asarray(found[-1][1].field_data["group_names"])[found[7][1].point_data["group"]]
    assert groups.tolist() == ["bed"] * 3 + ["tap"] * 12


@pytest.mark.parametrize("dimension", [2, 3])
def test_contacts_are_lines_with_their_forces(dimension: int, tmp_path: Path) -> None:
    run = stream(dimension)
    gr.export(run, "vtk", tmp_path / "out")
    contacts, grains = read(tmp_path / "out", "contacts"), read(tmp_path / "out", "grains")
    assert [mesh.n_cells for _, mesh in contacts] == run.contact_counts.tolist()
    assert 0 in run.contact_counts  # a frame without contacts has their fields too
    for index, (_, mesh) in enumerate(contacts):
        shown, data = run.frame(index), mesh.cell_data
        assert set(data.keys()) == {"first", "second", "boundary", "point", "normal", "force", "normal_force",
                                    "tangential_force", "sticks"}
        assert_array_equal(data["force"], in_space(shown.force))
        total, count = np.zeros((len(shown.radii), 3)), np.zeros(len(shown.radii))
        for c, ((i, j), force) in enumerate(zip(shown.pair, in_space(shown.force), strict=True)):
            normal, ends = in_space(shown.normal)[c], mesh.points[2 * c : 2 * c + 2]
            assert data["first"][c] == shown.numbers[i]
            assert data["second"][c] == (shown.numbers[j] if j >= 0 else -1)
            assert data["boundary"][c] == (-1 if j >= 0 else 0)
            assert data["normal_force"][c] == pytest.approx(
                force @ normal, abs=1e-12 * np.linalg.norm(force))
            assert data["tangential_force"][c] == pytest.approx(np.linalg.norm(np.cross(normal, force)), rel=1e-5,
                                                                abs=1e-6 * np.linalg.norm(force))
            assert bool(data["sticks"][c]) == shown.sticks[c]
            far = shown.positions[j] if j >= 0 else np.zeros(0)
            assert_array_equal(ends[0], in_space(shown.positions[[i]])[0])
            assert ends[1] == pytest.approx(in_space(far[None])[0] if j >= 0 else data["point"][c], abs=0.0)
            if j < 0:  # the point is on the post
                centre = np.array([*[0.0] * (dimension - 1), -0.06, *[0.0] * (3 - dimension)])
                assert np.linalg.norm(ends[1] - centre) == pytest.approx(0.05, abs=2e-4)
            total[i] += force if j < 0 else -force
            count[i] += 1
            if j >= 0:
                total[j] += force
                count[j] += 1
        at = grains[index][1].point_data
        assert at["contact_force"] == pytest.approx(total, rel=1e-13, abs=1e-12)
        assert_array_equal(at["coordination"], count)


def test_bodies_of_grains_and_a_boundary_that_moves(tmp_path: Path) -> None:
    """Every grain knows its body and how that is turned; the floor is where its sine puts it."""
    run = clumps()
    gr.export(run, "vtk", tmp_path / "out")
    grains, bodies, solids = (read(tmp_path / "out", name) for name in ("grains", "bodies", "solids"))
    for index, (t, mesh) in enumerate(bodies):
        assert_array_equal(mesh.points, in_space(run.frame(index).centres))
        for k in (1, 2):
            turned = mesh.point_data["orientation"][k - 1]
            assert_array_equal(turned, run.orientation(f"beans-{k}")[index])
            mine = grains[index][1].point_data["body"] == mesh.point_data["number"][k - 1]
            assert mine.sum() == 2
            assert_array_equal(grains[index][1].point_data["orientation"][mine], [turned] * 2)
        floor = solids[index][1]
        assert floor.n_cells == 1 and list(floor.field_data["solid_names"]) == ["floor"]
        assert floor.points[:, 1] == pytest.approx(0.004 * math.sin(10.0 * math.pi * t), abs=1e-15)
    assert not (tmp_path / "out" / "boundaries.vtp").exists()  # nothing is at rest


def test_boundaries_at_rest_are_one_file(tmp_path: Path) -> None:
    gr.export(stream(3), "vtk", tmp_path / "out", frames=-1)
    mesh = pyvista.read(tmp_path / "out" / "boundaries.vtp")
    assert np.linalg.norm(mesh.points - [0.0, 0.0, -0.06], axis=1) == pytest.approx(0.05, rel=1e-6)
    assert mesh.n_cells > 50 and set(mesh.cell_data["solid"]) == {0}
    assert not (tmp_path / "out" / "solids.pvd").exists()


def test_links_have_tensions(tmp_path: Path) -> None:
    run = gr.simulate(sprung(), until=0.1, interval=0.05)
    gr.export(run, "vtk", tmp_path / "out")
    links, bodies = read(tmp_path / "out", "links"), read(tmp_path / "out", "bodies")
    for index in range(len(run.t)):
        mesh = links[index][1]
        assert_array_equal(bodies[index][1].points, in_space(run.positions[index]))
        assert_array_equal(mesh.cell_data["tension"], run.tensions[index])
        assert_array_equal(mesh.points.reshape(-1, 2, 3), in_space(run.positions[index])[run.link_ends])
        assert list(mesh.field_data["name"]) == list(run.link_names)
        assert list(bodies[index][1].field_data["name"]) == list(run.body_names)


def test_joints_have_reactions_and_bodies_turn(tmp_path: Path) -> None:
    run = mechanism()
    gr.export(run, "vtk", tmp_path / "out")
    joints, bodies = read(tmp_path / "out", "joints"), read(tmp_path / "out", "bodies")
    for index in range(len(run.t)):
        mesh, places = joints[index][1], bodies[index][1].point_data
        for k, name in enumerate(mesh.field_data["name"]):
            reaction = run.reaction(name)
            assert_array_equal(mesh.point_data["force"][k, :2], reaction.force[index])
            assert mesh.point_data["moment"][k] == reaction.moment[index]
        names = list(bodies[index][1].field_data["name"])
        assert places["angle"][names.index("crank")] == run.angle("crank")[index]
        assert places["angular_velocity"][names.index("crank")] == run.angular_velocity("crank")[index]
        # the pin is at the end of the crank, which turns about the origin
        pin = mesh.points[list(mesh.field_data["name"]).index("pin")]
        assert pin == pytest.approx(2.0 * in_space(run.position("crank")[[index]])[0], abs=1e-12)


def test_formulas_have_points_lines_and_coordinates(tmp_path: Path) -> None:
    run = formulas()
    gr.export(run, "vtk", tmp_path / "out")
    for index, (_, mesh) in enumerate(read(tmp_path / "out", "bodies")):
        assert_array_equal(mesh.points, in_space(run.positions[index]))
        assert mesh.field_data["coordinates/q"][0] == run.coordinate("q")[index]
        assert mesh.field_data["coordinates/q_dot"][0] == run.rate("q")[index]
    (_, line), *_ = read(tmp_path / "out", "lines")
    assert_array_equal(line.points, in_space(run.positions[0]))


def test_formulas_without_points_have_field_data(tmp_path: Path) -> None:
    run = gr.simulate(gr.Scene(system={"coordinates": ["q"], "kinetic": "q_dot**2/2", "potential": "-cos(q)",
                                       "start": {"q": 1.0, "q_dot": 0.0}},
                               run={"formulation": "fundamental", "until": 0.2, "interval": 0.1}))
    gr.export(run, "vtk", tmp_path / "out")
    found = read(tmp_path / "out", "bodies")
    assert [mesh.field_data["coordinates/q"][0] for _, mesh in found] == run.coordinate("q").tolist()


def test_without_pyvista_words_say_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyvista", None)
    with refused(gr.GranumError, "pip install 'granum[view]'"):
        gr.export(formulas(), "vtk", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
