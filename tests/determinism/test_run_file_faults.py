"""Faults while a run is written: processes that die, full disks, files that vanish, second writers, power cuts.

A fault loses no finished frame, is told in words, and a run that is resumed after it ends bit-identically.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from test_formula_runs import ball

import granum as gr
from granum.base.errors import RunFileWarning
from granum.io.runfile import open_run_file, provenance, writing
from granum.io.runfile.faults import STORE_POINTS, injected
from granum.run.progress import Moment
from messages import naming, refused, says, warned
from runs import assert_same_run, stop_at
from scenes import sprung

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="faults are injected in forked processes")

STEPS: dict[str, Any] = {"until": 0.5, "interval": 0.1, "solver": "rk4", "step": 0.01}
EVENT: dict[str, Any] = {"until": 3.0, "interval": 0.5, "formulation": "fundamental"}


def sprung_run(**options: Any) -> gr.Run:
    """Springs and links, six frames."""
    return gr.simulate(sprung(), progress=options.pop("progress", False), **(STEPS | options))


def event_run(**options: Any) -> gr.Run:
    """A ball that begins to slip, which ends its run."""
    return gr.simulate(ball(friction=0.1), progress=options.pop("progress", False), **(EVENT | options))


def at(point: str, number: int, then: Callable[[], None]) -> Callable[[str], None]:
    """A hook that does something when a point is reached for the n-th time."""
    left = [number]

    def hook(reached: str) -> None:
        if reached == point:
            left[0] -= 1
            if not left[0]:
                then()

    return hook


def in_child(work: Callable[[], Any]) -> int:
    """Exit code of a forked process: 0 if the work is done, 3 if Granum refuses, 7 for anything else."""
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 7
    try:
        work()
        code = 0
    except gr.RunFileError:
        code = 3
    finally:
        os._exit(code)


def die() -> None:
    os._exit(9)


def fail(code: int) -> Callable[[], None]:
    """A write that returns an error."""
    def then() -> None:
        raise OSError(code, os.strerror(code))

    return then


@pytest.mark.parametrize(("run", "points", "least"), [
    (sprung_run, tuple(STORE_POINTS), 20), (event_run, ("checksums", "barrier", "counted"), 5)])
def test_killed_at_every_store_a_run_resumes_to_the_same_bits(run: Callable[..., gr.Run], points: tuple[str, ...],
                                                              least: int, tmp_path: Path) -> None:
    """At each point the first, second, fourth, ... time until it is not reached any more."""
    whole, killed = run(), 0
    for point in points:
        number = 1
        while True:
            file = tmp_path / f"{point}-{number}" / "run.h5"
            file.parent.mkdir()

            def work(file: Path = file, point: str = point, number: int = number) -> None:
                with injected(at(point, number, die)):
                    run(output=file)

            code = in_child(work)
            if file.exists():
                found = gr.open_run(file)
                assert len(found.t) <= len(whole.t) and (not found.finished or len(found.t) == len(whole.t))
            assert_same_run(run(output=file, resume=True), whole)
            assert gr.open_run(file).event == whole.event
            assert [*file.parent.iterdir()] == [file]
            shutil.rmtree(file.parent)
            if code == 0:
                break
            assert code == 9
            killed, number = killed + 1, number * 2
    assert killed >= least


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT])
@pytest.mark.parametrize(("point", "number"), [("row", 3), ("row", 25), ("checksums", 2), ("barrier", 1), ("close", 1)])
def test_a_write_that_fails_is_told_and_resumed(code: int, point: str, number: int, tmp_path: Path) -> None:
    file, whole = tmp_path / "run.h5", sprung_run()
    with injected(at(point, number, fail(code))), pytest.raises(gr.RunFileError) as told:
        sprung_run(output=file)
    words = str(told.value)
    naming(words, os.strerror(code), str(file))
    assert (" MB " in words) == (code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
    # what the operating system says is not the same on all
    says(words.replace(os.strerror(code), "..."), "--resume", f"{len(gr.open_run(file).t)} of 6 frames")
    assert_same_run(sprung_run(output=file, resume=True), whole)


def test_a_limit_on_the_size_of_files(tmp_path: Path) -> None:
    """The operating system itself refuses to write on."""
    import resource

    file = tmp_path / "run.h5"
    sprung_run(output=file)
    size = file.stat().st_size
    file.unlink()

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size // 2, size // 2))
        sprung_run(output=file)

    assert in_child(work) == 3
    assert_same_run(sprung_run(output=file, resume=True), sprung_run())


FULL = """
set -e
mount -t tmpfs -o size=$3 none "$1"
cd "$1"
code=0; "$2" -m granum.cli run "$4" -o run.h5 || code=$?
echo "exit $code" >&2
mount -o remount,size=64m "$1"
"$2" -m granum.cli run "$4" -o run.h5 --resume --json
cp run.h5 "$5"
"""
SCENE = """
[pattern.rope]
kind = "chain"
count = 400
mass = 0.01
length = 0.01
position = [0.0, 0.0]
angles = "-60 deg"
[load.g]
kind = "gravity"
acceleration = [0.0, -9.81]
[run]
until = 0.4
interval = 0.002
solver = "rk4"
step = 0.002
"""


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a small file system")
def test_a_full_disk(tmp_path: Path) -> None:
    """A file system of 1 MB: the run says how much is missing, and goes on when there is room."""
    if subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", str(tmp_path)], check=False,
                      capture_output=True).returncode:
        pytest.skip("this user may not mount a file system")
    (tmp_path / "disk").mkdir()
    (tmp_path / "scene.toml").write_text(SCENE)
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", FULL, "sh", tmp_path / "disk", sys.executable, "1m", tmp_path / "scene.toml",
         tmp_path / "whole.h5"], capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    assert "exit 2" in done.stderr, done.stderr
    (told,) = (line for line in done.stderr.splitlines() if os.strerror(errno.ENOSPC) in line)
    says(told, "run.h5", " MB ", "--resume")
    assert "Traceback" not in done.stderr and "Written to" not in done.stdout
    assert done.returncode == 0, done.stderr
    assert_same_run(gr.open_run(tmp_path / "whole.h5"), gr.simulate(gr.load(tmp_path / "scene.toml"), progress=False))


def cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def replace(file: Path) -> None:
    file.with_name("other").write_text("precious")
    file.with_name("other").replace(file)


@pytest.mark.parametrize(("harm", "name"), [
    (Path.unlink, "deleted"), (lambda file: file.rename(file.with_name("moved.h5")), "moved"), (cut, "truncated"),
    (replace, "replaced"), (lambda file: shutil.rmtree(file.parent), "deleted"),
])
@pytest.mark.parametrize("when", [0.25, 0.5])
def test_a_file_that_is_harmed_while_it_is_written(harm: Callable[[Path], Any], name: str, when: float,
                                                  tmp_path: Path) -> None:
    """In the midst, and after the last frame: never a success for a file that is not there."""
    file = tmp_path / "folder" / "run.h5"

    def progress(moment: Moment) -> None:
        if moment.t >= when and file.exists() and file.stat().st_ino == number[0]:
            harm(file)

    number = [0]
    with injected(lambda point: number.__setitem__(0, file.stat().st_ino) if point == "created" else None), \
            refused(gr.RunFileError, str(file), name):
        sprung_run(output=file, progress=progress)
    if harm is replace:
        assert file.read_text() == "precious"


def test_one_writer(tmp_path: Path) -> None:
    """Also after this process has opened the file for reading; --overwrite is no way around; a dead lock is none."""
    file = tmp_path / "run.h5"
    sprung_run(output=file, progress=stop_at(0.25))

    def progress(moment: Moment) -> None:
        if moment.t >= 0.35 and not codes:
            gr.open_run(file), open_run_file(file).close()
            with h5py.File(file) as opened:
                assert opened["frames_done"][0] > 0
            codes.extend(in_child(lambda options=options: sprung_run(output=file, **options))
                         for options in ({"resume": True}, {"overwrite": True}, {}))
            with pytest.raises(gr.RunFileError) as told:
                sprung_run(output=file, overwrite=True)
            naming(str(told.value), str(file), f"process {os.getpid()}")

    codes: list[int] = []
    run = sprung_run(output=file, resume=True, progress=progress)
    assert codes == [3, 3, 3]
    assert_same_run(run, sprung_run())

    def begin_and_die() -> None:
        with injected(at("counted", 3, die)):
            sprung_run(output=file, overwrite=True)

    assert in_child(begin_and_die) == 9
    assert file.with_name("run.h5.lock").exists()
    assert_same_run(sprung_run(output=file, resume=True), sprung_run())
    assert [*tmp_path.iterdir()] == [file]


@pytest.mark.parametrize("lost", ["frames", "checkpoint", "counter", "all"])
@pytest.mark.parametrize("barriers", [0, 1, 3])
def test_a_power_cut_loses_what_came_after_the_last_barrier(lost: str, barriers: int, tmp_path: Path,
                                                            monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that had not been flushed when the machine stopped may be anything, though the frames are counted."""
    file = tmp_path / "run.h5"

    def hook(point: str) -> None:
        if point == "counted":
            counted.append(point)
            monkeypatch.setattr(writing, "BARRIER", 0.0 if len(counted) < barriers else 1e9)
            if len(counted) == 5:
                die()

    def work() -> None:
        monkeypatch.setattr(writing, "BARRIER", 0.0 if barriers else 1e9)
        with injected(hook):
            sprung_run(output=file)

    counted: list[str] = []
    assert in_child(work) == 9
    with h5py.File(file, "a") as opened:
        durable = int(opened["durable"][0])
        assert durable == barriers and opened["frames_done"][0] == 5
        if lost in ("frames", "all"):
            opened["position"][durable:] = 7.0
            opened["checksum"][durable:] = 0
        if lost in ("checkpoint", "all"):
            opened["checkpoint/next_step"][:2] = np.nan
            opened["checkpoint/gamma"][:2] = 3.0
        if lost in ("counter", "all"):
            opened["frames_done"][1] ^= 1
    with warned(RunFileWarning, str(file), f"frame {barriers - 1}" if barriers else "start"):
        run = sprung_run(output=file, resume=True)
    assert_same_run(run, sprung_run())


def test_a_flushed_frame_that_is_damaged_is_not_resumed(tmp_path: Path) -> None:
    file = tmp_path / "run.h5"
    sprung_run(output=file, progress=stop_at(0.25))
    with h5py.File(file, "a") as opened:
        opened["velocity"][1, 0, 0] += 1.0
    with refused(gr.RunFileError, str(file), "frame 1", "velocity"):
        sprung_run(output=file, resume=True)


def test_a_checkpoint_that_is_damaged_is_taken_from_its_copy(tmp_path: Path) -> None:
    """Nothing is lost, so nothing is said."""
    file = tmp_path / "run.h5"
    sprung_run(output=file, progress=stop_at(0.25))
    with h5py.File(file, "a") as opened:
        opened["checkpoint/next_step"][:2] = 0.5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = sprung_run(output=file, resume=True)
    assert_same_run(run, sprung_run())


def test_other_kernels_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "run.h5"
    run = sprung_run(output=file, progress=stop_at(0.25))
    assert run.metadata["provenance"]["kernels"] == provenance.kernel_hash()
    monkeypatch.setattr(provenance, "kernel_hash", lambda: "another")
    with warned(RunFileWarning, str(file)):
        sprung_run(output=file, resume=True)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    file = tmp_path / "run.h5"
    sprung_run(output=file, progress=stop_at(0.25))
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(gr.RunFileError) as told:
            sprung_run(output=file, resume=True)
        naming(str(told.value), str(file), "-o")
    finally:
        tmp_path.chmod(0o755)
