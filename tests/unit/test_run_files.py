"""Run files: what is written is read back; what is not a run, or not this run, is refused and kept."""

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import granum as gr
from granum.io.runfile import FORMAT, resume_run_file
from granum.io.runfile.checksums import digest
from granum.run.smooth import SmoothSubject
from messages import naming, refused
from runs import assert_same_run, recount, stop_at
from scenes import SCENES, pendulum, sprung


def run_to(file: Path, **settings: Any) -> gr.Run:
    """A short run of a scene with springs, recorded in a file."""
    given: dict[str, Any] = {"until": 0.5, "interval": 0.1, "solver": "rk4", "step": 0.01} | settings
    return gr.simulate(sprung(), output=file, **given)


@pytest.fixture
def unfinished(tmp_path: Path) -> Path:
    """A run that was stopped after two of its five intervals."""
    file = tmp_path / "unfinished.h5"
    run = run_to(file, progress=stop_at(0.25))
    assert (len(run.t), run.finished) == (3, False)
    return file


@pytest.mark.parametrize("name", SCENES)
def test_a_run_is_read_back_as_it_was(name: str, tmp_path: Path) -> None:
    scene = SCENES[name]().with_run(until=0.1, interval=0.05, solver="rk4", step=0.01)
    written = gr.simulate(scene, output=tmp_path / "run.h5", scene_text="# the text")
    found = gr.open_run(tmp_path / "run.h5")
    assert_same_run(found, written)
    assert_same_run(found, gr.simulate(scene))
    assert (found.scene, found.finished, found.path) == (scene, True, tmp_path / "run.h5")
    assert found.metadata["scene_text"] == "# the text"
    assert found.metadata["versions"]["numpy"] == np.__version__
    assert found.summary == written.summary
    assert list(tmp_path.iterdir()) == [tmp_path / "run.h5"]


def test_a_run_is_read_by_name(tmp_path: Path) -> None:
    run = run_to(tmp_path / "run.h5")
    number = run.body_names.find("bob-3")
    assert_array_equal(run.position("bob-3"), run.positions[:, number])
    assert_array_equal(run.velocity("bob-3"), run.velocities[:, number])
    assert_array_equal(run.reaction("rod-2").tension, run.tensions[:, run.link_names.find("rod-2")])
    tail, head = run.link_ends[run.link_names.find("rod-2")]
    assert (run.body_names[tail], run.body_names[head]) == ("bob-1", "bob-2")
    with refused(gr.GranumError, '"bob-9"', '"bob-'):
        run.position("bob-9")
    with refused(gr.GranumError, '"rod"', '"rod-'):
        run.reaction("rod")


def test_plain_h5py_reads_a_run(tmp_path: Path) -> None:
    run = run_to(tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5") as file:
        assert_array_equal(file["position"], run.positions)
        assert file["frames_done"][0] == len(run.t)


def no_run(file: Path, *names: str) -> None:
    """A file is refused by name."""
    with refused(gr.RunFileError, str(file), *names):
        gr.open_run(file)


def test_files_that_are_no_runs_are_refused(tmp_path: Path) -> None:
    no_run(tmp_path / "missing.h5")
    no_run(tmp_path)
    text = tmp_path / "text.h5"
    text.write_text("not HDF5")
    no_run(text)
    empty = tmp_path / "empty.h5"
    empty.touch()
    no_run(empty)
    foreign = tmp_path / "foreign.h5"
    with h5py.File(foreign, "w") as file:
        file["position"] = np.zeros(3)
    no_run(foreign)
    with h5py.File(foreign, "a") as file:
        file.attrs["format"] = FORMAT
    no_run(foreign)
    with h5py.File(foreign, "a") as file:
        file["metadata"] = np.frombuffer(b"{", np.uint8)
    no_run(foreign, "metadata", "checksum")
    for text, name in ((b"{", "metadata"), (b"{}", "title")):
        with h5py.File(foreign, "a") as file:
            del file["metadata"]
            file["metadata"] = np.frombuffer(text, np.uint8)
            file["metadata"].attrs["checksum"] = np.uint64(digest(text))
        no_run(foreign, name)


def test_a_run_without_one_of_its_arrays_is_refused(tmp_path: Path) -> None:
    run_to(tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5", "a") as file:
        del file["energy"]
    no_run(tmp_path / "run.h5", "energy")


def test_a_copy_that_was_cut_short_is_refused_at_any_length(tmp_path: Path) -> None:
    run_to(tmp_path / "run.h5")
    whole = (tmp_path / "run.h5").read_bytes()
    cut = tmp_path / "cut.h5"
    for size in np.linspace(0, len(whole) - 1, 60).astype(int):
        cut.write_bytes(whole[:size])
        with pytest.raises(gr.RunFileError) as error:
            gr.open_run(cut)
        naming(str(error.value), str(cut), "truncated")


def test_a_run_without_a_frame_opens_and_says_so(tmp_path: Path) -> None:
    """Killed between its creation and its first frame."""
    run_to(tmp_path / "run.h5")
    recount(tmp_path / "run.h5", 0)
    run = gr.open_run(tmp_path / "run.h5")
    assert (len(run.t), run.finished) == (0, False)
    with refused(gr.GranumError, "run.h5", "--resume"):
        _ = run.summary
    assert_same_run(run_to(tmp_path / "run.h5", resume=True), run_to(tmp_path / "other.h5"))


def test_an_unfinished_run_is_not_overwritten(unfinished: Path) -> None:
    before = unfinished.read_bytes()
    with refused(gr.RunFileError, "3 of 6 frames", "--resume", "--overwrite"):
        run_to(unfinished)
    assert unfinished.read_bytes() == before
    assert run_to(unfinished, overwrite=True).finished


def test_another_file_is_not_overwritten_but_a_finished_run_is(tmp_path: Path) -> None:
    precious = tmp_path / "thesis.h5"
    precious.write_text("ten years of work")
    with refused(gr.RunFileError, "thesis.h5"):
        run_to(precious)
    assert precious.read_text() == "ten years of work"
    run_to(tmp_path / "run.h5")
    assert run_to(tmp_path / "run.h5", until=0.2).t[-1] == 0.2


def test_a_folder_is_made_and_what_is_no_folder_refused(tmp_path: Path) -> None:
    assert run_to(tmp_path / "new" / "run.h5").finished
    (tmp_path / "file").write_text("not a folder")
    with refused(gr.RunFileError, "file/run.h5"):
        run_to(tmp_path / "file" / "run.h5")


@pytest.mark.parametrize(
    ("change", "differs"),
    [({"step": 0.02}, "run"), ({"solver": "rattle"}, "run"), ({"seed": 1}, "run"),
     ({"interval": 0.05}, "run"), ({"scene": pendulum(4, total=2.0)}, "body, load, title"),
     ({"scene": sprung(damping=0.4)}, "load")],
)
def test_resuming_another_scene_is_refused(unfinished: Path, change: dict[str, Any], differs: str) -> None:
    before = unfinished.read_bytes()
    given: dict[str, Any] = {"scene": sprung(), "until": 0.5, "interval": 0.1, "solver": "rk4", "step": 0.01}
    with refused(gr.RunFileError, "unfinished.h5", f"{differs}."):
        gr.simulate(**(given | change), output=unfinished, resume=True)
    assert unfinished.read_bytes() == before


def test_resuming_ends_in_the_same_bits(unfinished: Path, tmp_path: Path) -> None:
    assert_same_run(run_to(unfinished, resume=True), run_to(tmp_path / "whole.h5"))


def test_resuming_a_finished_run_changes_nothing(tmp_path: Path) -> None:
    run_to(tmp_path / "run.h5")
    before = (tmp_path / "run.h5").read_bytes()
    assert run_to(tmp_path / "run.h5", resume=True).finished
    assert (tmp_path / "run.h5").read_bytes() == before


@pytest.mark.parametrize("end", [0.4, 0.45, 0.3])
@pytest.mark.parametrize("solver", ["rk4", "dop853"])
def test_a_longer_run_goes_on_to_the_same_bits(tmp_path: Path, end: float, solver: str) -> None:
    """Also where the first run ended between two frames of the longer one (0.45, and 0.3 by rounding)."""
    file = tmp_path / "run.h5"
    run_to(file, until=end, solver=solver)
    longer = run_to(file, until=1.0, solver=solver, resume=True)
    assert_same_run(longer, run_to(tmp_path / "whole.h5", until=1.0, solver=solver))
    assert_same_run(gr.open_run(file), longer)


def test_an_unfinished_run_can_be_lengthened_and_resumed_again(unfinished: Path, tmp_path: Path) -> None:
    run_to(unfinished, until=1.0, resume=True, progress=stop_at(0.65))
    assert_same_run(run_to(unfinished, until=1.0, resume=True), run_to(tmp_path / "whole.h5", until=1.0))


def test_a_longer_run_keeps_the_interval_it_had(tmp_path: Path) -> None:
    """Left out, the interval is a part of the run; a longer run keeps the one it was begun with."""
    file = tmp_path / "run.h5"
    run_to(file, until=0.2, interval=None)
    longer = run_to(file, until=0.4, interval=None, resume=True)
    assert len(longer.t) == 401
    assert run_to(file, until=0.4, interval=None, resume=True).finished


def test_lengthening_loses_nothing_when_the_process_dies(
    unfinished: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At the instant when the longer file takes its name it has all frames of the old one."""
    replace = os.replace

    def replace_and_die(source: Path, target: Path) -> None:
        replace(source, target)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", replace_and_die)
    with pytest.raises(KeyboardInterrupt):
        run_to(unfinished, until=1.0, resume=True)
    run = gr.open_run(unfinished)
    assert (len(run.t), run._recording.frame_count) == (3, 11)


def test_two_processes_do_not_write_one_run(unfinished: Path) -> None:
    """A child process resumes the run while this one holds it."""
    held = resume_run_file(unfinished)
    code = "import sys, pathlib; from granum.io.runfile import *; resume_run_file(pathlib.Path(sys.argv[1]))"
    told = subprocess.run([sys.executable, "-c", code, unfinished], capture_output=True, text=True,
                          check=False, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    held.close()
    naming(told.stderr, str(unfinished), f"process {os.getpid()} on {platform.node()}")


@pytest.mark.parametrize("solver", ["rk4", "mixed"])
def test_numbers_that_are_not_finite_never_reach_a_file(tmp_path: Path, solver: str,
                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    """A force too large for so small a mass: only frames before are counted; at the first frame, none."""
    scene = gr.Scene(
        body={"a": gr.PointMass(mass=1e-40), "b": gr.FixedPoint(position=(0.0, 0.0))},
        start={"a": gr.Start(position=(1e40, 0.0))}, link={"l": gr.Link(between=("a", "b"))},
        load={"s": gr.Spring(between=("a", "b"), stiffness=1e50, rest_length=0.0)},
    )
    file = tmp_path / "run.h5"
    with refused(gr.NotConvergedError):
        gr.simulate(scene, output=file, solver=solver, until=0.1)
    run = gr.open_run(file)
    assert not run.finished and all(np.isfinite(run._frames(name)).all() for name in ("position", "velocity", "energy"))
    sample = SmoothSubject.sample
    monkeypatch.setattr(SmoothSubject, "sample", lambda self: sample(self) | {"link_force": [np.inf]})
    with refused(gr.NotConvergedError, "link_force"):
        gr.simulate(scene, output=file, overwrite=True, solver=solver, until=0.1)
    assert len(gr.open_run(file).t) == 0


def test_the_step_that_fails_is_not_recorded(tmp_path: Path) -> None:
    """Frames before a failure stay; the failure is raised with its time and a remedy."""
    with refused(gr.NotConvergedError, "mixed", "t = ", "step"):
        gr.simulate(pendulum(50), output=tmp_path / "run.h5", solver="mixed", inner_solver="gauss-seidel",
                    tolerance=1e-11, step=0.001, until=0.1, interval=0.001)
    run = gr.open_run(tmp_path / "run.h5")
    assert not run.finished
    assert np.isfinite(run.positions).all()


def test_resuming_does_not_shorten_a_run(tmp_path: Path) -> None:
    """A smaller end time is refused, not ignored."""
    file = tmp_path / "run.h5"
    run_to(file)
    with refused(gr.RunFileError, "run.h5"):
        run_to(file, until=0.05, resume=True)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no locks of open files on ranges of bytes")
@pytest.mark.parametrize("how", ["resume", "overwrite"])
def test_a_deleted_lock_file_lets_nobody_in(tmp_path: Path, how: str) -> None:
    """The writer holds the run file itself too; it goes on, and who comes after it may write."""
    file = tmp_path / "run.h5"
    simulation = gr.Simulation(sprung(), output=file, until=0.5, interval=0.1, solver="rk4", step=0.01)
    simulation.step()
    file.with_name("run.h5.lock").unlink()
    with refused(gr.RunFileError, "run.h5", "run.h5.lock", "-o"):
        run_to(file, **{how: True})
    assert len(gr.open_run(file).t) == 2
    simulation.step()
    simulation.finish()
    assert len(run_to(file, overwrite=True).t) == 6
