"""Exports that cannot be: each refusal says what to do, nothing is lost, nothing half-written stays."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import granum as gr
from commands import granum
from exported import formulas
from messages import naming, refused, says
from runs import recount, stop_at
from scenes import sprung


@pytest.fixture
def run(tmp_path: Path) -> gr.Run:
    """A short run in a file."""
    return gr.simulate(sprung(), output=tmp_path / "run.h5", until=0.2, interval=0.1, solver="rk4", step=0.01)


@pytest.mark.parametrize(("to", "options", "names"), [
    ("vtkk", {}, ('"vtkk"', '"vtk"', "vtk, csv, npz, html, mp4, gif, webp, png")),
    ("csv", {"colour": "speed"}, ("--colour", "csv", "html, mp4, gif, webp, png")),
    ("html", {"frames": "1:2"}, ("--frames", "html")), ("png", {"every": 2}, ("--every",)),
    ("html", {"forces": True}, ("--forces", "html")), ("png", {"frame": 3}, ("frame 3",)),
    ("html", {"colour": "sped"}, ('"sped"', '"speed"')),
    ("csv", {"every": 0}, ("--every 0", "1")), ("csv", {"every": 2, "frames": "1:2"}, ("--every", "--frames")),
    ("csv", {"frames": "5:9"}, ("5:9", "3 frames")), ("csv", {"frames": "a:b"}, ("a:b", "A:B:C")),
    ("csv", {"frames": "::0"}, ("::0", "A:B:C")), ("csv", {"frames": ""}, ("A:B:C",)),
    ("csv", {"frames": 3}, ("frame 3", "3 frames", "0 to 2")),
    ("npz", {"path": "out.txt"}, (".npz",)), ("csv", {"path": "out.csv"}, ("out.csv",)),
    ("vtk", {"path": "out.pvd"}, ("out.pvd",)),
])
def test_requests_that_make_no_sense(run: gr.Run, to: str, options: dict[str, Any], names: tuple[str, ...],
                                     tmp_path: Path) -> None:
    with refused(gr.GranumError, *names):
        gr.export(run, to, **options)
    assert [*tmp_path.iterdir()] == [tmp_path / "run.h5"]


def test_a_run_in_memory_needs_a_path() -> None:
    with refused(gr.GranumError):
        gr.export(formulas(), "csv")


def test_a_run_without_frames_is_refused(run: gr.Run, tmp_path: Path) -> None:
    recount(tmp_path / "run.h5", 0)
    for arguments in (("export", tmp_path / "run.h5", "--to", "csv"), ("plot", tmp_path / "run.h5", "energy")):
        told = granum(*arguments)
        assert told.returncode == 2
        says(told.stderr, "run.h5", "--resume")


def test_what_is_there_of_a_run_is_exported_and_said(tmp_path: Path) -> None:
    """A run that was stopped, or is still going on, in its file."""
    gr.simulate(sprung(), output=tmp_path / "run.h5", until=0.5, interval=0.1, solver="rk4", step=0.01,
                progress=stop_at(0.25))
    told = granum("export", tmp_path / "run.h5", "--to", "npz")
    assert (told.returncode, told.stderr) == (0, "")
    says(told.stdout, "3 of 6 frames")
    told = granum("export", tmp_path / "run.h5", "--to", "npz", "--json")
    found = json.loads(told.stdout)
    assert (found["frames"], found["finished"]) == (3, False)
    with np.load(tmp_path / "run.npz") as arrays:
        assert len(arrays["t"]) == 3


def test_an_export_replaces_one_of_its_kind(run: gr.Run, tmp_path: Path) -> None:
    for to, name in (("csv", "run-csv"), ("npz", "run.npz")):
        assert gr.export(run, to).path == tmp_path / name
        gr.export(run, to, frames=0)
    assert (tmp_path / "run-csv" / "energy.csv").read_text().count("\n") == 2
    with np.load(tmp_path / "run.npz") as arrays:
        assert len(arrays["t"]) == 1
    assert {file.name for file in tmp_path.iterdir()} == {"run.h5", "run-csv", "run.npz"}


def test_files_of_others_are_kept(run: gr.Run, tmp_path: Path) -> None:
    thesis = tmp_path / "thesis.npz"
    thesis.write_text("ten years of work")
    with refused(gr.GranumError, "thesis.npz", "npz", "-o", "--overwrite"):
        gr.export(run, "npz", thesis)
    assert thesis.read_text() == "ten years of work"
    gr.export(run, "npz", thesis, overwrite=True)
    with np.load(thesis) as arrays:
        assert len(arrays["t"]) == 3


@pytest.mark.parametrize("overwrite", [False, True])
def test_folders_of_others_are_kept_in_any_case(run: gr.Run, tmp_path: Path, overwrite: bool) -> None:
    with refused(gr.GranumError, "run.h5"):
        gr.export(run, "csv", tmp_path, overwrite=overwrite)
    gr.export(run, "csv", tmp_path / "out")
    (tmp_path / "out" / "figures").mkdir()
    (tmp_path / "out" / "figures" / "mine.pvsm").write_text("an hour of work")
    with refused(gr.GranumError, "figures/mine.pvsm"):
        gr.export(run, "csv", tmp_path / "out", overwrite=overwrite)
    assert (tmp_path / "out" / "figures" / "mine.pvsm").read_text() == "an hour of work"


def test_an_export_to_another_format_is_replaced_if_that_is_wanted(run: gr.Run, tmp_path: Path) -> None:
    gr.export(run, "csv", tmp_path / "out")
    (tmp_path / "empty").mkdir()
    gr.export(run, "csv", tmp_path / "empty")
    (tmp_path / "out.npz").mkdir()
    pytest.importorskip("pyvista")
    with refused(gr.GranumError, "out", "csv"):
        gr.export(run, "vtk", tmp_path / "out")
    gr.export(run, "vtk", tmp_path / "out", overwrite=True)
    assert not (tmp_path / "out" / "energy.csv").exists()
    with refused(gr.GranumError, "out.npz", "npz"):
        gr.export(run, "npz", tmp_path / "out.npz", overwrite=True)
    (tmp_path / "notes").write_text("mine")
    with refused(gr.GranumError, "notes", "csv"):
        gr.export(run, "csv", tmp_path / "notes", overwrite=True)
    assert (tmp_path / "notes").read_text() == "mine"


@pytest.mark.parametrize("to", ["csv", "npz", "vtk"])
def test_an_export_that_is_stopped_leaves_what_was_there(run: gr.Run, to: str, tmp_path: Path) -> None:
    if to == "vtk":
        pytest.importorskip("pyvista")

    def stop(done: int, total: int) -> None:
        assert total == 3
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gr.export(run, to, progress=stop)
    assert [*tmp_path.iterdir()] == [tmp_path / "run.h5"]
    path = gr.export(run, to).path
    before = {file: file.read_bytes() for file in [path, *path.rglob("*")] if file.is_file()}
    with pytest.raises(KeyboardInterrupt):
        gr.export(run, to, every=1, progress=stop)
    assert {file: file.read_bytes() for file in [path, *path.rglob("*")] if file.is_file()} == before
    assert {*tmp_path.iterdir()} == {tmp_path / "run.h5", path}


@pytest.mark.parametrize(("to", "path"), [("csv", "/proc/out"), ("npz", "/proc/out.npz"), ("vtk", "/proc/out"),
                                          ("csv", "{}/run.h5/out"), ("npz", "{}/run.h5/out.npz")])
def test_where_nothing_can_be_written(run: gr.Run, to: str, path: str, tmp_path: Path) -> None:
    if to == "vtk":
        pytest.importorskip("pyvista")
    with pytest.raises(gr.GranumError) as caught:
        gr.export(run, to, path.format(tmp_path))
    naming(str(caught.value), path.format(tmp_path), "-o")


def foreign(file: Path) -> None:
    """HDF5 of another program."""
    with h5py.File(file, "w") as opened:
        opened["position"] = np.zeros(3)


def older(file: Path) -> None:
    """A run of another version."""
    foreign(file)
    with h5py.File(file, "a") as opened:
        opened.attrs["format"] = "granum-run-1"


def half_made(file: Path) -> None:
    """The process died while it made the file."""
    file.with_name(f"{file.name}.part").write_bytes(b"\x89HDF")


def cut_short(file: Path) -> None:
    """A copy that ended early."""
    whole = file.with_name("whole.h5")
    gr.simulate(sprung(), output=whole, until=0.1, interval=0.05)
    file.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])


def miscounted(file: Path) -> None:
    """Damage that HDF5 does not see."""
    gr.simulate(sprung(), output=file, until=0.1, interval=0.05)
    with h5py.File(file, "a") as opened:
        opened["frames_done"][0] = 1 << 40


@pytest.mark.parametrize("command", [("export", "--to", "csv"), ("plot", "energy")])
@pytest.mark.parametrize(("make", "name"), [
    (lambda file: None, "`granum run SCENE.toml -o"), (lambda file: file.mkdir(), "folder"),
    (lambda file: file.write_text("words"), "`granum run"), (lambda file: file.touch(), "empty"),
    (lambda file: file.write_bytes(b"\x89HD"), "truncated"), (foreign, "`granum run"), (older, "granum-run-1"),
    (half_made, "some.h5"), (cut_short, "some.h5"), (miscounted, "checksum"),
])
def test_files_that_are_no_runs(command: tuple[str, ...], make: Callable[[Path], Any], name: str,
                                tmp_path: Path) -> None:
    """Missing, foreign, half-written: the same words whatever was to be done with them."""
    file = tmp_path / "some.h5"
    make(file)
    before = {*tmp_path.iterdir()}
    told = granum(command[0], file, *command[1:])
    assert (told.returncode, told.stdout) == (2, "")
    says(told.stderr, str(file), name)
    assert {*tmp_path.iterdir()} == before


def test_a_scene_is_told_from_a_run(tmp_path: Path) -> None:
    (tmp_path / "scene.toml").write_text("[run]\n")
    with refused(gr.RunFileError, "scene.toml", "`granum run"):
        gr.open_run(tmp_path / "scene.toml")


def test_frames_that_are_not_there_are_not_drawn(run: gr.Run, tmp_path: Path) -> None:
    told = granum("plot", tmp_path / "run.h5", "rigidity", "--frame", "7")
    assert told.returncode == 2
    says(told.stderr, "frame 7", "3 frames")


def test_a_run_that_may_not_be_read(run: gr.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with refused(gr.RunFileError, "run.h5", "Permission denied"):
        gr.open_run(tmp_path / "run.h5")


@pytest.mark.parametrize(("to", "options", "frames", "begins"), [
    ("html", {"colour": "force"}, 3, b"<!DOCTYPE html>"), ("html", {"every": 2}, 2, b"<!DOCTYPE html>"),
    ("png", {"frame": 0, "forces": True}, 1, b"\x89PNG"), ("gif", {"every": 2}, 2, b"GIF8"),
    ("mp4", {"every": 1, "colour": "force"}, 3, b"\x00\x00\x00"),
])
def test_what_is_seen_replaces_its_kind_and_nothing_else(
    run: gr.Run, to: str, options: dict[str, Any], frames: int, begins: bytes, tmp_path: Path,
) -> None:
    """Pages, films and pictures."""
    if to == "mp4":
        pytest.importorskip("imageio_ffmpeg")
    for _ in range(2):  # the second replaces the first
        done = gr.export(run, to, **options)
        assert (done.path, done.frames, done.notes) == (tmp_path / f"run.{to}", frames, [])
        assert done.path.read_bytes().startswith(begins)
    done.path.write_text("a novel")
    with refused(gr.GranumError, f"run.{to}", f"{to} format"):
        gr.export(run, to, **options)
    assert {*tmp_path.iterdir()} == {tmp_path / "run.h5", done.path}
