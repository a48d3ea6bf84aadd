"""The reader of run files trusts nothing: what it gives is what was written, or it refuses in words."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import granum as gr
from commands import Told, granum
from grain_scenes import grain, scene
from granum.io.runfile import FORMAT, verify_run_file
from granum.io.runfile.provenance import kernel_hash
from messages import refused, says
from run_file_corpus import content_of, judge_flips, judged, repacked, with_metadata, with_values
from scenes import sprung

SHAPE = (6, 6, 2)
"""Of `position` in the run of `original`."""
OPTIONS: dict[str, Any] = {"until": 0.5, "interval": 0.1, "solver": "rk4", "step": 0.01}


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("original") / "run.h5"
    gr.simulate(sprung(), output=file, **OPTIONS)
    return file


@pytest.fixture
def file(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(original, tmp_path / "run.h5"))


@pytest.fixture(scope="module")
def grains(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two disks on a floor."""
    file = tmp_path_factory.mktemp("grains") / "run.h5"
    disks = {"low": grain((0.0, 0.1)), "high": grain((0.01, 0.301))}
    gr.simulate(scene(disks), output=file, until=0.05, interval=0.01)
    return file


def test_a_flipped_bit_is_never_silent(original: Path) -> None:
    """Somewhere in the file: either it does not matter, and all that is read is identical, or it is refused."""
    counts = judge_flips(original, 250, seed=4)
    assert set(counts) == {"identical", "refused"}, counts


@pytest.mark.parametrize("storage", [
    {"compression": "gzip"}, {"compression": "gzip", "shuffle": True, "fletcher32": True}, {"compression": "lzf"},
    {"chunks": True}, {},
], ids=["gzip", "gzip-shuffle-fletcher", "lzf", "chunked", "contiguous"])
def test_a_repacked_copy_is_read_as_the_original(grains: Path, tmp_path: Path, storage: dict[str, Any]) -> None:
    copy = tmp_path / "copy.h5"
    repacked(grains, copy, **storage)
    assert judged(copy, content_of(grains)) == "identical"
    whole, packed = gr.open_run(grains), gr.open_run(copy)
    assert packed.summary == whole.summary
    np.testing.assert_array_equal(packed.frame(2).positions, whole.frame(2).positions)
    assert gr.export(packed, "npz", tmp_path / "a.npz").path.exists()
    if storage:
        with refused(gr.RunFileError, "copy.h5", "h5repack -f NONE -l CONTI"):
            gr.simulate(whole.scene, output=copy, resume=True)


def swap(file: Path, name: str, make: Callable[[h5py.File], None]) -> None:
    with h5py.File(file, "a") as opened:
        del opened[name]
        make(opened)


def external(opened: h5py.File) -> None:
    opened.create_dataset("position", SHAPE, "f8", external=[("elsewhere.bin", 0, 576)])


def virtual(opened: h5py.File) -> None:
    layout = h5py.VirtualLayout(SHAPE, "f8")
    layout[:] = h5py.VirtualSource("elsewhere.h5", "position", SHAPE)
    opened.create_virtual_dataset("position", layout)


def strings(opened: h5py.File) -> None:
    opened.create_dataset("position", SHAPE, h5py.string_dtype())


def objects(opened: h5py.File) -> None:
    opened.create_dataset("position", SHAPE, h5py.ref_dtype)


@pytest.mark.parametrize(("make", "names"), [
    (external, ()), (virtual, ()), (strings, ("f8",)), (objects, ("f8",)),
    (lambda opened: opened.create_dataset("position", data=np.zeros(SHAPE, ">f8")), ("f8",)),
    (lambda opened: opened.create_dataset("position", data=np.zeros(SHAPE, "f4")), ("f8",)),
    (lambda opened: opened.create_dataset("position", data=np.zeros((*SHAPE[:2], 3))), ("[6, 6, 2]",)),
    (lambda opened: opened.create_dataset("position", data=np.zeros((6, 10))), ("[6, 6, 2]",)),
    (lambda opened: opened.create_dataset("position", dtype="f8", data=h5py.Empty("f8")), ("[6, 6, 2]",)),
    (lambda opened: opened.__setitem__("position", h5py.SoftLink("/velocity")), ()),
    (lambda opened: opened.__setitem__("position", h5py.ExternalLink("other.h5", "/position")), ()),
    (lambda opened: opened.create_group("position"), ()), (lambda opened: None, ()),
    (lambda opened: opened.create_dataset("position", SHAPE, "f8"), ()),
], ids=["external", "virtual", "strings", "objects", "big-endian", "f4", "wider", "flat", "empty", "soft-link",
        "external-link", "group", "missing", "unwritten"])
def test_arrays_of_another_kind_are_refused_by_name(file: Path, make: Callable[[h5py.File], None],
                                                    names: tuple[str, ...]) -> None:
    swap(file, "position", make)
    with refused(gr.RunFileError, "position", str(file), *names):
        gr.open_run(file).positions.sum()


@pytest.mark.parametrize(("change", "name"), [
    (lambda m: m.pop("scene"), "scene"), (lambda m: m.update(title=3), "title"),
    (lambda m: m.update(energy_columns=m["energy_columns"][:-1]), "energy"),
    (lambda m: m["layout"].pop("velocity"), "velocity"),
    (lambda m: m["layout"].update(other=[[6], "f8"]), "'other'"),
    (lambda m: m["layout"].update(position=[[6, 6, 2], "i8"]), "i8"),
    (lambda m: m["layout"].update(position=[[-6, 5, 2], "f8"]), "layout.position"),
    (lambda m: m["layout"].update(position=[[6, 6, 1 << 47], "f8"]), "velocity"),
    (lambda m: m["layout"].update(position=[[6, 6, 4], "f8"], velocity=[[6, 6, 4], "f8"]), "run.h5"),
    (lambda m: m["layout"].update({"checkpoint/next_step": [[2], "f8"]}), "checkpoint/next_step"),
    (lambda m: m.update(grains=[]), "figure_columns"), (lambda m: m["scene"].update(body={"a": 1}), "scene"),
    (lambda m: m.update(scene={}, versions={"numpy": 2}), "versions"),
], ids=["no-scene", "title", "energy-columns", "no-velocity", "other-array", "integers", "negative", "huge",
        "two-arrays", "checkpoint", "grains", "scene", "versions"])
def test_metadata_that_contradict_the_arrays_are_refused(file: Path, change: Callable[[dict[str, Any]], None],
                                                         name: str) -> None:
    """Also where their checksum is right."""
    with_metadata(file, change)
    with refused(gr.RunFileError, str(file), name):
        _ = gr.open_run(file).summary


@pytest.mark.parametrize(("name", "change"), [
    ("grain_count", lambda row: row.fill(1 << 40)), ("grain_count", lambda row: row.fill(-1)),
    ("contact_pair", lambda row: row.fill(1 << 30)), ("contact_pair", lambda row: row.fill(-(1 << 30))),
    ("group", lambda row: row.fill(7)), ("time", lambda row: row.fill(np.nan)), ("event", lambda row: row.fill(99.0)),
    ("contact_count", lambda row: row.fill(-5)),
])
def test_numbers_that_lead_out_of_an_array_are_refused(grains: Path, tmp_path: Path, name: str,
                                                       change: Callable[[Any], None]) -> None:
    """With checksums that are right: compiled code does not check its indices."""
    copy = Path(shutil.copy(grains, tmp_path / "run.h5"))
    with_values(copy, name, 2, change)
    with refused(gr.RunFileError, f"{name} of frame 2"):
        run = gr.open_run(copy)
        run.frame(2), run._frames(name)


@pytest.mark.parametrize("name", ["checkpoint/count", "checkpoint/waiting_count", "checkpoint/material",
                                  "checkpoint/group"])
def test_a_checkpoint_that_leads_out_of_an_array_is_refused(grains: Path, tmp_path: Path, name: str) -> None:
    copy = Path(shutil.copy(grains, tmp_path / "run.h5"))
    with_values(copy, name, 5, lambda row: row.fill(1 << 20))
    for use in (lambda: gr.simulate(gr.open_run(copy).scene, output=copy, resume=True), lambda: verify_run_file(copy)):
        with refused(gr.RunFileError, f"{name} of frame 5"):
            use()


def test_a_bomb_is_refused_before_it_is_unpacked(file: Path) -> None:
    """An array of 3 TB in a file of some kB."""
    with_metadata(file, lambda m: m["layout"].update({"checkpoint/gamma": [[4, 10**11], "f8"]}))
    swap(file, "checkpoint/gamma", lambda opened: opened.create_dataset(
        "checkpoint/gamma", (4, 10**11), "f8", chunks=(1, 10**6), compression="gzip"))
    with refused(gr.RunFileError, "checkpoint/gamma", "3200000000000 bytes"):
        gr.open_run(file)


def test_the_format_is_told_by_name(file: Path) -> None:
    with h5py.File(file, "a") as opened:
        opened.attrs["format"] = "granum-run-3"
    with refused(gr.RunFileError, "granum-run-3", FORMAT):
        gr.open_run(file)


def test_check_on_the_command_line(file: Path, tmp_path: Path) -> None:
    """Exit code 0 for an intact file, 1 for damaged frames, 2 for what is no run file."""
    def check(*arguments: str) -> Told:
        return granum("check", file, *arguments)

    code, told, _ = check("--json")
    found = json.loads(told)
    assert (code, found["intact"], found["frames"], found["planned"]) == (0, True, 6, 6)
    assert found["provenance"]["kernels"] == kernel_hash() and found["versions"]["numpy"] == np.__version__
    with h5py.File(file, "a") as opened:
        opened["velocity"][1:4, 0, 0] += 1.0
        opened["energy"][2, 0] += 1.0
    code, told, _ = check()
    assert code == 1
    says("\n".join(told.splitlines()[2:]), "frames 1 to 3", "3 other frames", "frame 2: velocity, energy")
    damaged = json.loads(check("--json")[1])["damaged"]
    assert damaged == {"1": ["velocity"], "2": ["velocity", "energy"], "3": ["velocity"]}
    file.write_bytes(file.read_bytes()[:1000])
    code, told, error = check()
    assert (code, told) == (2, "")
    says(error, str(file))


def test_damaged_frames_are_named_and_others_stay_readable(grains: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(grains, tmp_path / "run.h5"))
    whole = gr.open_run(grains)
    with h5py.File(copy, "a") as opened:
        opened["position"][2, 0, 0] += 1e-9
    run = gr.open_run(copy)
    with refused(gr.RunFileError, "frame 2 of position", "granum check"):
        run.frame(2)
    with refused(gr.RunFileError, "frame 2 of position"):
        _ = run.positions
    np.testing.assert_array_equal(run.frame(3).positions, whole.frame(3).positions)
    np.testing.assert_array_equal(run.frame(2 - 1).velocities, whole.frame(1).velocities)
    assert run.energy.summary == whole.energy.summary
    with refused(gr.RunFileError, "frame 2 of position"):
        gr.simulate(whole.scene, output=copy, resume=True)


def test_a_reader_sees_one_state_of_a_run_that_goes_on(tmp_path: Path) -> None:
    """All arrays have the frames of the time of opening; a checkpoint that was overwritten is no damage."""
    sim = gr.Simulation(scene({"low": grain((0.0, 0.3))}), output=(file := tmp_path / "run.h5"), until=0.05,
                        interval=0.01)
    sim.step()
    early = gr.open_run(file)
    assert early._recording.has_checkpoint(1)
    sim.advance(0.03)
    assert len(early.t) == len(early.energy.kinetic) == len(early.figures["contacts"]) == 2
    assert not early.finished and early.summary["frames"] == 2
    with refused(gr.RunFileError, str(file), "checkpoint/x", "Open the file again"):
        early._recording.arrays["checkpoint/x"]
    assert verify_run_file(file).intact
    sim.advance(0.05)
    run = sim.finish()
    assert (len(early.t), early.planned) == (2, 6)
    np.testing.assert_array_equal(early._frames("position"), run._frames("position")[:2])
