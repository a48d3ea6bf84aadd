"""Input files of the program in Sun (1996), Appendix E: read, refused with their lines, written as scenes."""

from __future__ import annotations

import itertools
import json
import math
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from commands import granum
from granum.base.errors import GranumError, SceneError
from granum.grains.loads.compile import compile_loads
from granum.grains.state import Grains
from granum.grains.tables import compile_tables
from granum.historic.pipe_input import (
    PARA,
    parse_input,
    read_legacy,
    respaced,
    smallest_gap,
    to_toml,
)
from granum.io.scenefile import load_scene_and_text
from granum.model.boundaries import FixedDisk
from granum.model.loads import Drag
from granum.model.probes import FlowProbe, JamProbe
from granum.model.regions import HalfSpace
from granum.model.scene import Scene
from granum.run import simulate
from messages import refused, says

EXAMPLE = Path(__file__).parents[2] / "examples" / "pipe-jam.inp"
SMALL = """REM a pipe
PARA
0.0 100.0 1.0 0.0001 5.0 0.0 2.5 0.0 0.7 0.3 0.00001
END PARA
RAND
1 2 0.1 0.2 0.04
END RAND
DISK
1 3.0 -21.0 -4.0 5.0 0.0
2 3.5 -36.0 4.0 5.0 0.0
END DISK
ROOT
1 4.0 25.0 -23.0
2 4.0 25.0 23.0
END ROOT
"""


def test_example_is_that_of_the_thesis() -> None:
    """31 disks, 72 roots, density 0.5503 as the program prints it, a batch every 10 s."""
    given = parse_input(EXAMPLE.read_text())
    assert (len(given.disks), len(given.roots)) == (31, 72)
    assert given.relative_density == pytest.approx(0.5503, abs=5e-5)
    assert given.every == 10.0
    assert tuple(given.para) == PARA
    assert [given.para[name] for name in PARA] == [0.0, 500.0, 1.0, 5e-5, 5.0, 0.0, 2.5, 0.0, 0.7, 0.3, 1e-5]
    assert given.scatter == (0.1, 0.02, 0.0)
    rows = [sum(disk["X"] == x for disk in given.disks) for x in (-21.0, -28.5, -36.0, -43.5, -51.0, -58.5, -66.0)]
    assert rows == [4, 5, 4, 5, 4, 5, 4]


def test_scene_of_the_example() -> None:
    """Every quantity of the input stands in the scene, in SI units."""
    scene, text = read_legacy(EXAMPLE, as_published=True)
    assert scene == Scene(**tomllib.loads(text))
    material, (source,) = scene.material["grain"], scene.source.values()
    assert (material.friction, material.restitution, material.density) == (0.3, 0.7, 1100.0)
    assert (source.shape, source.interval, source.velocity, source.overlap) == ("sphere", 10.0, (0.05, 0.0), "allow")
    assert (source.scatter, source.scatter_radius) == ((0.0005, 0.0001), 0.0)
    given = parse_input(EXAMPLE.read_text())
    np.testing.assert_allclose(source.positions, [[d["X"] / 100, d["Y"] / 100] for d in given.disks], rtol=1e-15)
    np.testing.assert_allclose(source.radii, [d["R"] / 100 for d in given.disks], rtol=1e-15)
    roots = [b for b in scene.boundary.values() if isinstance(b, FixedDisk)]
    np.testing.assert_allclose([[*b.centre, b.radius] for b in roots],
                               [[r["X"] / 100, r["Y"] / 100, r["R"] / 100] for r in given.roots], rtol=1e-15)
    drag, jam, discharge = scene.load["stream"], scene.probe["jam"], scene.probe["discharge"]
    assert isinstance(drag, Drag) and isinstance(jam, JamProbe) and isinstance(discharge, FlowProbe)
    assert (drag.density, drag.drag_coefficient, drag.shadow, drag.min_exposure) == (1000.0, 0.1, True, 0.1)
    assert drag.velocity == (0.05, 0.0)
    assert drag.profile is not None
    assert (drag.profile.position, drag.profile.half_width, drag.profile.inlet) == ((0.0, 0.0), 0.2, (-0.1, 0.0))
    assert discharge.position == (1.5, 0.0)
    assert jam.flow == "discharge"
    assert isinstance(jam.backed_up, HalfSpace) and isinstance(region := scene.sink["end"].region, HalfSpace)
    assert (jam.backed_up.position, jam.backed_up.normal) == ((-0.21, 0.0), (-1.0, 0.0))
    assert (region.position, region.normal) == ((1.5, 0.0), (1.0, 0.0))
    assert (scene.run.until, scene.run.interval, scene.run.solver, scene.run.seed) == (500.0, 1.0, "moreau", 2)


@pytest.mark.parametrize(("laws", "walls"), [("program", 0.9), ("text", 0.3)])
def test_contact_laws_are_those_of_the_program_or_of_the_text(laws: str, walls: float) -> None:
    """No disk rotates (§4.3.2); friction is U between grains, and at walls 3 U in the program (loop 39) or U."""
    scene, text = read_legacy(EXAMPLE, laws=laws)
    (source,) = scene.source.values()
    assert not source.rotation and f"# Contact laws of {'that program' if laws == 'program' else 'the text'}" in text
    table = compile_tables(scene)
    (material,) = {boundary.material or "grain" for boundary in scene.boundary.values()}
    grain, wall = table.names.index("grain"), table.names.index(material)
    assert table["friction"][grain, grain] == pytest.approx(0.3, rel=1e-15)
    assert table["friction"][grain, wall] == pytest.approx(walls, rel=1e-15)
    assert table["restitution"][grain, wall] == pytest.approx(0.7, rel=1e-15)


def test_a_start_time_shortens_the_run() -> None:
    """X0 is the time 0 of a scene: what comes after it is the same, and lasts XEND - X0."""
    (later, text), (plain, _) = read_legacy_text(SMALL.replace("0.0 100.0", "3.5 100.1")), read_legacy_text(SMALL)
    assert later.run.until == 96.6 and "X0 = 3.5" in text
    assert later.model_copy(update={"run": plain.run, "title": ""}) == plain.model_copy(update={"title": ""})


def test_flow_across_the_pipe() -> None:
    """VY is the same everywhere, before and in the pipe and beside its walls; the profile is along x (DRAG of the
    listing). Drag acts for so long that grains move with the flow.
    """
    scene, _ = read_legacy_text(SMALL.replace("5.0 0.0 2.5", "5.0 -0.7 2.5"))
    loads = compile_loads(scene.model_copy(update={"load": {"stream": scene.load["stream"].model_copy(
        update={"shadow": False})}}), 2, Path())
    x = np.array([[-0.5, 0.1], [0.3, 0.0], [0.3, 0.1], [0.3, 0.25]])
    grains = Grains(0.0, np.column_stack([x, np.zeros(4), np.full(4, 0.01)]),
                    np.tile([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0], (4, 1)), np.zeros(4, np.int32), np.arange(4),
                    np.zeros(4, np.int32))
    (change,) = loads.changes(grains, np.zeros((0, 2), np.int32), 1e15)
    along = [0.05, 0.075, 0.05 * (1.5 - 0.00375 * 10.0**2), 0.0]
    np.testing.assert_allclose(change[:, :2], [[u, -0.007] for u in along], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("laws", ["program", "text"])
def test_cohesion_is_read(laws: str, tmp_path: Path) -> None:
    """FMAX in g cm/s² becomes a cohesion in N of all contacts, those with walls too, and needs the thesis' method."""
    (tmp_path / "wet.inp").write_text(SMALL.replace("2.5 0.0 0.7", "2.5 250.0 0.7"))
    scene, text = read_legacy(tmp_path / "wet.inp", laws=laws)
    tables = compile_tables(scene)
    np.testing.assert_allclose(tables["cohesion"], 0.0025, rtol=1e-14)
    assert scene.run.solver == "unilateral" and "# FMAX" in text and "TOL" in text
    dry, _ = read_legacy_text(SMALL)
    assert not compile_tables(dry)["cohesion"].any() and dry.run.solver == "moreau"
    run = simulate(scene.with_run(until=0.3, interval=0.1), progress=False)
    assert run.sources["inflow"]["entered"] == 2


def test_other_laws_are_refused() -> None:
    with refused(GranumError, '"txt"', '"text"', "program, text"):
        read_legacy(EXAMPLE, laws="txt")


def test_what_has_no_counterpart_is_kept_as_a_comment() -> None:
    """Each of the eleven parameters and every remark stands in the text."""
    comments = [line for line in read_legacy(EXAMPLE)[1].split("\n") if "#" in line]
    for wanted in ("DH = 0.00005", "TH = 2.5", "FMAX = 0.0", "TOL = 0.00001", "X0 = 0.0", "XEND", "XIN", "# E", "# U",
                   "VX, VY", "ISEED = 2", "REM IG, ISEED, RI, XI, YI", "0.5503"):
        assert any(wanted in line for line in comments), wanted


def brute_force_gap(at: np.ndarray, radii: np.ndarray) -> float:
    """The smallest gap between a batch and three before it, all pairs one by one."""
    return min(math.hypot(a[0] - b[0] - 0.5 * k, a[1] - b[1]) - r - s
               for k in (1, 2, 3) for a, r in zip(at, radii, strict=True) for b, s in zip(at, radii, strict=True))


def test_published_batches_overlap_and_respaced_ones_do_not() -> None:
    """As published 1.8 cm of overlap between batches; moved apart, none, neither with walls nor within a batch."""
    published, moved = (next(iter(read_legacy(EXAMPLE, flag)[0].source.values())) for flag in (True, False))
    assert brute_force_gap(np.array(published.positions), np.array(published.radii)) == pytest.approx(-0.0180, abs=1e-4)
    at, radii = np.array(moved.positions), np.array(moved.radii)
    assert brute_force_gap(at, radii) > 0.001 and moved.overlap == "wait"
    assert np.diff(np.unique(at[:, 0])) == pytest.approx(0.5 / 7, abs=2e-6)
    gaps = [math.dist(at[i], at[j]) - radii[i] - radii[j] for i in range(31) for j in range(i)]
    assert min(gaps) > 0.001
    for boundary in read_legacy(EXAMPLE)[0].boundary.values():
        assert isinstance(boundary, FixedDisk)
        assert min(np.linalg.norm(at - boundary.centre, axis=1) - radii - boundary.radius) > 0.001


def test_smallest_gap_counts_chance() -> None:
    """Without chance it is that of brute force; with chance the worst of all ends of the ranges."""
    disks = respaced(parse_input(EXAMPLE.read_text()).disks)
    at, radii = (np.array([[d[c] / 100 for c in names] for d in disks]) for names in ("XY", "R"))
    assert smallest_gap(disks, (0.0, 0.0, 0.0)) / 100 == pytest.approx(brute_force_gap(at, radii[:, 0]), abs=1e-12)
    pair = [{"X": 0.0, "Y": 0.0, "R": 24.0}]
    d = np.array(list(itertools.product((-0.5, 0.0, 0.5), repeat=6))).reshape(-1, 2, 3) * (1.0, 2.0, 0.5)
    drawn = np.hypot(50.0 + d[:, 0, 0] - d[:, 1, 0], d[:, 0, 1] - d[:, 1, 1]) - 48.0 - d[:, 0, 2] - d[:, 1, 2]
    assert smallest_gap(pair, (1.0, 2.0, 0.5)) == pytest.approx(drawn.min(), abs=1e-12)


def test_batches_that_fit_stay_where_they_are() -> None:
    scene, text = read_legacy_text(SMALL)
    (source,) = scene.source.values()
    assert source.positions == ((-0.21, -0.04), (-0.36, 0.04)) and source.overlap == "wait"
    assert (source.scatter, source.scatter_radius) == ((0.001, 0.0002), 0.0005)
    assert "moved" not in text


def test_rows_that_cannot_be_helped_wait() -> None:
    """Two grains side by side of 30 cm radius overlap with the next batch wherever they are."""
    scene, text = read_legacy_text(SMALL.replace("1 3.0", "1 30.0").replace("2 3.5", "2 30.0"))
    (source,) = scene.source.values()
    assert source.positions == ((-0.21, -0.04), (-0.36, 0.04)) and source.overlap == "wait"
    assert "wait for room" in text


def test_without_chance() -> None:
    """IG other than 1, or no RAND at all: nothing is scattered, and what is not used is said."""
    scene, text = read_legacy_text(SMALL.replace("1 2 0.1", "0 2 0.1"))
    assert next(iter(scene.source.values())).scatter is None
    assert "IG = 0" in text and "XI = 0.2" in text
    start, end = SMALL.index("RAND"), SMALL.index("DISK")
    scene, text = read_legacy_text(SMALL[:start] + SMALL[end:])
    assert next(iter(scene.source.values())).scatter is None and "RAND" not in text


def test_grains_of_several_velocities_are_several_sources() -> None:
    scene, _ = read_legacy_text(SMALL.replace("4.0 5.0 0.0\nEND DISK", "4.0 4.0 0.5\nEND DISK"))
    assert {name: source.velocity for name, source in scene.source.items()} == {
        "inflow-1": (0.05, 0.0), "inflow-2": (0.04, 0.005)}


def test_fortran_numbers_commas_order_and_case() -> None:
    """Numbers as Fortran writes them, commas, small letters, disks in any order."""
    changed = SMALL.replace("0.0001 5.0 0.0 2.5", "1.D-4, 5.0d0,0, 2.5").replace("DISK\n1 ", "disk\n2 ", 1)
    changed = changed.replace("\n2 3.5", "\n1 3.5").replace("END DISK", "end").replace("\n", "\r\n")
    given = parse_input(changed)
    assert given.para["DH"] == 1e-4 and given.para["VX"] == 5.0
    assert [disk["R"] for disk in given.disks] == [3.5, 3.0]


def read_legacy_text(text: str) -> tuple[Scene, str]:
    """The scene of a text."""
    written = to_toml(parse_input(text), "small.inp")
    return Scene(**tomllib.loads(written)), written


MISTAKES = {
    "too few": ("0.3 0.00001", "0.3", 3, "10 numbers, but PARA has 11"),
    "too many": ("0.3 0.00001", "0.3 0.00001 7", 3, "12 numbers"),
    "no number": ("-21.0 -4.0", "-21.0 -4,O", 9, "'O'"),
    "infinite": ("3.0 -21.0", "1e999 -21.0", 9, "'1e999'"),
    "twice": ("END PARA", "0 1 1 1 1 0 1 0 0 0 0\nEND PARA", 4, "PARA"),
    "unknown section": ("\nROOT\n", "\nROTO\n", 12, '"ROOT"'),
    "no end": ("END ROOT\n", "", 12, "ROOT"),
    "inside": ("END PARA\nRAND", "RAND", 4, "line 2"),
    "remark inside": ("END DISK", "REM more\nEND DISK", 11, "DISK"),
    "wrong end": ("END DISK", "END ROOT", 11, "DISK of line 8"),
    "end of nothing": ("DISK\n1", "END\nDISK\n1", 8, "END"),
    "empty": ("1 2 0.1 0.2 0.04\n", "", 6, "RAND"),
    "section again": ("ROOT\n1", "PARA\n0 1 1 1 1 0 1 0 0 0 0\nEND\nROOT\n1", 12, "line 2"),
    "after the root": ("END ROOT\n", "END ROOT\nRAND\n1 1 0 0 0\nEND\n", 16, "RAND"),
    "number again": ("\n2 3.5", "\n1 3.5", 10, "line 9"),
    "number beyond": ("\n2 3.5", "\n7 3.5", 10, "DISK has 2 lines"),
    "number broken": ("\n2 3.5", "\n1.5 3.5", 10, "whole number"),
    "radius": ("2 4.0 25", "2 -4.0 25", 14, "R = -4 cm"),
    "radius by chance": ("1 2 0.1", "1 2 7.0", 10, "3.5 cm"),
    "width": ("0.2 0.04", "-0.2 0.04", 6, "XI = -0.2"),
    "start": ("0.0 100.0", "300.0 100.0", 3, "X0 = 300"),
    "end": ("0.0 100.0", "0.0 -1.0", 3, "XEND = -1"),
    "output": ("100.0 1.0", "100.0 0", 3, "XIN = 0"),
    "outputs": ("100.0 1.0", "100.0 1e-9", 3, "ten million"),
    "flow": ("0.0001 5.0", "0.0001 0", 3, "VX = 0"),
    "pull": ("2.5 0.0 0.7", "2.5 -1.0 0.7", 3, "FMAX = -1"),
    "restitution": ("0.7 0.3", "1.7 0.3", 3, "E = 1.7"),
    "friction": ("0.7 0.3", "0.7 -0.3", 3, "U = -0.3"),
    "huge seed": ("1 2 0.1", "1 1e20 0.1", 6, "ISEED = 1e20"),
    "no disks": ("DISK\n1 3.0 -21.0 -4.0 5.0 0.0\n2 3.5 -36.0 4.0 5.0 0.0\nEND DISK\n", "", 11, "DISK"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_refused_with_their_line(mistake: str) -> None:
    before, after, line, name = MISTAKES[mistake]
    assert SMALL.count(before) == 1
    with refused(SceneError, f"small.inp:{line}: ") as caught:
        parse_input(SMALL.replace(before, after), "small.inp")
    found = [(problem.line, str(problem.finding + problem.remedy)) for problem in caught.value.problems]
    assert any(where == line and name in said for where, said in found), found
    assert len(found) <= 2, found  # one mistake, one message, and at most one that follows from it


def test_all_mistakes_at_once() -> None:
    wrong = SMALL.replace("0.7 0.3", "1.7 -0.3").replace("2 4.0 25", "2 -4.0 25")
    with pytest.raises(SceneError) as caught:
        parse_input(wrong)
    assert [problem.line for problem in caught.value.problems] == [3, 3, 14]


def test_files_that_are_none(tmp_path: Path) -> None:
    for name, named in (("none.inp", "none.inp"), (".", "folder")):
        with refused(SceneError, named):
            read_legacy(tmp_path / name)
    (tmp_path / "b.inp").write_bytes(b"\xff\xfe")
    with refused(SceneError, "b.inp"):
        read_legacy(tmp_path / "b.inp")
    (tmp_path / "e.inp").write_text("")
    with refused(SceneError, "e.inp", "PARA"):
        read_legacy(tmp_path / "e.inp")


@given(st.lists(st.one_of(
    st.sampled_from(SMALL.split("\n")), st.text(max_size=20),
    st.lists(st.one_of(st.integers(-3, 5), st.floats()), max_size=12).map(lambda row: " ".join(map(str, row)))),
    max_size=25))
def test_any_text_is_read_or_refused(lines: list[str]) -> None:
    """No text leads to anything but an input or a refusal in words."""
    try:
        given = parse_input("\n".join(lines))
    except SceneError as error:
        assert error.problems
    else:
        assert given.disks


finite = st.floats(-1e3, 1e3).map(lambda x: round(x, 3))


@given(st.lists(st.tuples(st.floats(0.5, 5.0).map(lambda r: round(r, 3)), finite, finite), min_size=1, max_size=9),
       st.floats(0.1, 50.0).map(lambda v: round(v, 3)), st.text(max_size=40), st.booleans())
def test_round_trip(disks: list[tuple[float, float, float]], vx: float, name: str, as_published: bool) -> None:
    """What stands in an input stands in its scene: radii, places across, velocity and period, under any file name."""
    assume(not as_published or len({(x, y) for _, x, y in disks}) == len(disks))  # disks at one point are refused
    rows = "\n".join(f"{k + 1} {r} {x} {y} {vx} 0" for k, (r, x, y) in enumerate(disks))
    text = (f"PARA\n0 10 1 1e-4 {vx} 0 1 0 0.5 0.2 1e-3\nEND\nDISK\n{rows}\nEND\nROOT\n1 180 -20 -200\nEND\n")
    scene = Scene(**tomllib.loads(to_toml(parse_input(text), name, as_published)))
    (source,) = scene.source.values()
    assert source.radii == pytest.approx([r / 100 for r, _, _ in disks], rel=1e-15)
    assert source.positions is not None
    assert [y for _, y in source.positions] == pytest.approx([y / 100 for _, _, y in disks], rel=1e-15)
    if as_published:
        assert [x for x, _ in source.positions] == pytest.approx([x / 100 for _, x, _ in disks], rel=1e-15)
    assert source.velocity == (pytest.approx(vx / 100, rel=1e-15), 0.0)
    assert source.interval * vx == pytest.approx(50.0, rel=1e-15)


def test_run_reads_both_kinds(tmp_path: Path) -> None:
    """What `granum run` reads: an input by its suffix, everything else as a scene."""
    scene, text = load_scene_and_text(EXAMPLE)
    assert len(scene.boundary) == 72 and text.startswith("# Grains carried by a flow")
    pendulum = EXAMPLE.with_name("pendulum.toml")
    assert load_scene_and_text(pendulum)[1] == pendulum.read_text()


def test_convert_command(tmp_path: Path) -> None:
    """It writes the scene, says so, does not replace a file unasked, and tells mistakes with their line."""
    done = granum("convert", EXAMPLE, "pipe.toml", folder=tmp_path)
    assert done.returncode == 0
    says(done.stdout, "31 grains", "10 s", "72 boundaries", "program")
    assert (tmp_path / "pipe.toml").read_text() == read_legacy(EXAMPLE)[1]
    again = granum("convert", EXAMPLE, "pipe.toml", "--as-published", folder=tmp_path)
    assert again.returncode == 2
    says(again.stderr, "pipe.toml", "--overwrite")
    third = granum("convert", EXAMPLE, "pipe.toml", "--as-published", "--laws", "text", "--overwrite", "--json",
                   folder=tmp_path)
    told = json.loads(third.stdout)
    assert told["as_published"] and told["laws"] == "text"
    assert 'overlap = "allow"' in (tmp_path / "pipe.toml").read_text()
    (tmp_path / "bad.inp").write_text(SMALL.replace("0.7 0.3", "1.7 0.3"))
    bad = granum("convert", "bad.inp", "x.toml", folder=tmp_path)
    assert bad.returncode == 2 and not (tmp_path / "x.toml").exists()
    says(bad.stderr, "bad.inp:3: E = 1.7")
    (tmp_path / "good.inp").write_text(SMALL)
    same = granum("convert", "good.inp", "good.inp", "--overwrite", folder=tmp_path)
    assert same.returncode == 2 and (tmp_path / "good.inp").read_text() == SMALL
