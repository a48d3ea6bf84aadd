"""Studies whose processes die: no row is lost, none is there twice, and the table ends as if nothing had happened."""

from __future__ import annotations

import errno
import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
from granum.io.runfile.faults import injected
from granum.studies.definition import load_study
from granum.studies.study import run_study
from messages import naming, refused, says
from study_scenes import assert_same_table, pendulum, write_study

pytest.importorskip("distributed")


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "granum", "study", *map(str, arguments)]


def reference(folder: Path, **keys: int) -> tuple[Path, gr.StudyResult]:
    """A study file and its table from one process."""
    file = write_study(folder, **keys)
    return file, run_study(load_study(file), folder / "reference.h5", on="serial", progress=False)


def rows_in(table: Path) -> int:
    """Rows that a table counts; none where there is no table yet."""
    return gr.open_study(table).rows if table.exists() else 0


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[Any], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while process.poll() is None and not condition() and time.monotonic() < end:
        time.sleep(0.005)


@pytest.mark.parametrize("rows", [1, 17])
def test_killed_at_any_instant_it_opens_and_resumes(rows: int, tmp_path: Path) -> None:
    """The process that writes the table is killed; what is counted is whole, and the rest follows."""
    file, whole = reference(tmp_path, points=15, repeats=1)
    table = tmp_path / "killed.h5"
    process = subprocess.Popen(command(file, "-o", table, "--on", "serial"), stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    wait_for(lambda: rows_in(table) >= rows, process)
    process.kill()
    process.wait()
    part = gr.open_study(table)
    assert rows <= part.rows < whole.rows and not part.finished
    expected = {row.key: row for row in whole.table}
    assert all(row.measures == expected[row.key].measures for row in part.table)
    done = subprocess.run(command(file, "-o", table, "--on", "serial", "--resume", "--json"), capture_output=True,
                          text=True, check=True)
    assert json.loads(done.stdout)["finished"]
    assert_same_table(gr.open_study(table), whole)


@pytest.mark.parametrize("point", ["row", "frame", "checksums", "counted"])
def test_a_full_disk_keeps_what_is_done(point: str, tmp_path: Path) -> None:
    """The error says how many rows are kept, and --resume goes on."""
    file, whole = reference(tmp_path)
    study, table, reached = load_study(file), tmp_path / "full.h5", []

    most = 40 if point == "row" else 4  # a row has many writes

    def full(at: str) -> None:
        if at == point and table.exists():
            reached.append(at)
            if len(reached) > most:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with injected(full), refused(gr.RunFileError, os.strerror(errno.ENOSPC), " of 12 rows", "--resume"):
        run_study(study, table, on="serial", progress=False)
    assert 0 < rows_in(table) < whole.rows
    assert_same_table(run_study(load_study(file), table, on="serial", resume=True, progress=False), whole)


def test_runs_that_kill_their_worker_are_rows(tmp_path: Path) -> None:
    """With the reason; all others are done, also those that waited on the same worker."""
    def deadly(run: gr.Run) -> float:
        if run.scene.load["gravity"].acceleration[1] == -5.0:
            os.kill(os.getpid(), signal.SIGKILL)
        return float(run.t[-1])

    result = gr.study(pendulum(), vary={"load.gravity.acceleration.1": [-3.0, -4.0, -5.0, -6.0, -7.0]}, repeats=2,
                      measure={"t": deadly}, output=tmp_path / "deadly.h5", progress=False)
    assert result.finished and result.rows == 10
    g, status = result.column("load.gravity.acceleration.1"), result.column("status")
    assert (status[g == -5.0] == "lost").all() and (status[g != -5.0] == "done").all()
    (reason,) = {*result.column("reason")[g == -5.0]}
    assert reason in str(result)
    says(reason)
    assert np.isnan(result.column("t")[g == -5.0]).all() and (result.column("t")[g != -5.0] == 0.1).all()


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a Dask scheduler; it and its workers, each started by its own command, on loopback."""
    dask = [sys.executable, "-m", "dask"]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    address = folder / "scheduler.json"
    processes = [subprocess.Popen([*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                                   "--scheduler-file", str(address)], **quiet)]
    try:
        wait_for(lambda: address.exists() and bool(address.read_text()), processes[0])
        contact = json.loads(address.read_text())["address"]
        processes += [subprocess.Popen([*dask, "worker", contact, "--nthreads", "1", "--no-nanny", "--no-dashboard",
                                        "--host", "127.0.0.1"], **quiet) for _ in range(workers)]
        from distributed import Client

        with Client(contact) as client:
            client.wait_for_workers(workers, timeout=60)
        yield contact, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.mark.validate
def test_a_worker_of_four_is_killed(tmp_path: Path) -> None:
    """Nothing is lost, nothing is counted twice, and the table is that of one process."""
    file, whole = reference(tmp_path, points=60, repeats=5)
    table = tmp_path / "many.h5"
    with cluster(tmp_path, 4) as (address, (_, *workers)):
        process = subprocess.Popen(command(file, "-o", table, "--on", address, "--json"), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        wait_for(lambda: rows_in(table) >= 40, process)
        workers[1].kill()
        assert rows_in(table) < whole.rows
        output, errors = process.communicate(timeout=120)
    assert errors == ""
    summary = json.loads(output)
    assert process.returncode == 0 and summary["runs"] == 600 and summary["failed"] == 0
    assert_same_table(gr.open_study(table), whole)


@pytest.mark.validate
def test_a_scheduler_that_goes_leaves_a_table_to_resume(tmp_path: Path) -> None:
    file, whole = reference(tmp_path, points=60, repeats=5)
    table = tmp_path / "left.h5"
    with cluster(tmp_path, 2) as (address, _):
        process = subprocess.Popen(command(file, "-o", table, "--on", address), stderr=subprocess.PIPE, text=True)
        wait_for(lambda: rows_in(table) >= 20, process)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 2, errors
    only_ours(errors)
    assert_same_table(run_study(load_study(file), table, on="serial", resume=True, progress=False), whole)


@pytest.mark.validate
@pytest.mark.parametrize("fault", ["frozen scheduler", "no workers"])
def test_a_cluster_that_is_silent_is_left(fault: str, tmp_path: Path) -> None:
    """Dask would wait without end; the study ends in words, and its table can be resumed."""
    file, whole = reference(tmp_path, points=60, repeats=5)
    table = tmp_path / "left.h5"
    impatient = [sys.executable, "-c", "import sys; from granum.studies import executor; executor.PATIENCE = 3.0; "
                 "executor.ABANDONED = 2.0; from granum.cli.__main__ import main; main()"]
    with cluster(tmp_path, 2) as (address, (scheduler, *workers)):
        process = subprocess.Popen([*impatient, "study", str(file), "-o", str(table), "--on", address],
                                   stderr=subprocess.PIPE, text=True)
        wait_for(lambda: rows_in(table) >= 20, process)
        if fault == "no workers":
            for worker in workers:
                worker.kill()
        else:
            scheduler.send_signal(signal.SIGSTOP)
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 2, errors
    only_ours(errors)
    assert_same_table(run_study(load_study(file), table, on="serial", resume=True, progress=False), whole)


def only_ours(errors: str) -> None:
    """What stands on the terminal is progress and at last one sentence that says how to go on."""
    *progress, said = errors.strip().splitlines()
    naming(said, "granum: ", "--resume")
    assert all(line.startswith("granum: ") and " of 600 runs" in line for line in progress), errors


def test_dask_says_nothing_of_its_own() -> None:
    """Also its loggers that have a level of their own; afterwards they have it again."""
    import distributed  # noqa: F401 (which makes its loggers)

    from granum.studies.executor import _quiet

    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    levels = [logger.level for logger in loggers]
    assert any(levels[k] and loggers[k].name == "distributed.client" for k in range(len(loggers)))
    with _quiet():
        assert not any(logger.isEnabledFor(logging.CRITICAL) for logger in loggers)
    assert [logger.level for logger in loggers] == levels


@pytest.mark.validate
def test_tasks_that_the_scheduler_drops_are_handed_out_again(tmp_path: Path) -> None:
    """Another client cancels all that is waiting; as long as the scheduler answers, nothing is lost."""
    from distributed import Client, Future

    file, whole = reference(tmp_path, points=60, repeats=2)
    table = tmp_path / "dropped.h5"
    with cluster(tmp_path, 2) as (address, _):
        process = subprocess.Popen(command(file, "-o", table, "--on", address, "--json"), stdout=subprocess.PIPE)
        wait_for(lambda: rows_in(table) >= 20, process)
        with Client(address) as other:
            keys = other.run_on_scheduler(
                lambda dask_scheduler: [key for key in dask_scheduler.tasks if key.startswith("granum-")])
            other.cancel([Future(key, other) for key in keys], force=True)
        assert keys and rows_in(table) < whole.rows
        output, _ = process.communicate(timeout=120)
    assert process.returncode == 0 and json.loads(output)["failed"] == 0
    assert_same_table(gr.open_study(table), whole)


def test_workers_of_another_version_are_refused(tmp_path: Path) -> None:
    """Before anything runs, by name; so are workers with several threads."""
    file = write_study(tmp_path)
    other = tmp_path / "other"
    with cluster(tmp_path, 1) as (address, _):
        dask = [sys.executable, "-c", "import granum.io.runfile.provenance as p, runpy, sys; p.kernel_hash = lambda: "
                "'other'; sys.argv[0] = 'dask'; runpy.run_module('dask', run_name='__main__')"]
        other.mkdir()
        worker = subprocess.Popen([*dask, "worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
                                   "--host", "127.0.0.1"], cwd=other, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        try:
            from distributed import Client

            with Client(address) as client:
                client.wait_for_workers(2, timeout=60)
            table = tmp_path / "refused.h5"
            with pytest.raises(gr.GranumError) as told:
                run_study(load_study(file), table, on=address, progress=False)
            naming(str(told.value), "1 of 2 workers", "kernels other")
            assert not table.exists()
        finally:
            worker.kill()
            worker.wait()


@pytest.mark.parametrize("on", ["serial", "local"])
def test_ctrl_c_keeps_what_is_done(on: str, tmp_path: Path) -> None:
    """With the exit code of runs; sent to all processes of the terminal, as a terminal does."""
    file, whole = reference(tmp_path, points=200, repeats=1)  # 40 may be done before the signal on a busy machine
    table = tmp_path / "stopped.h5"
    process = subprocess.Popen(command(file, "-o", table, "--on", on), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, start_new_session=True)
    wait_for(lambda: rows_in(table) >= 3, process)
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    says(output, "not finished", "--resume")
    assert "Traceback" not in errors
    assert 3 <= rows_in(table) < whole.rows
    assert_same_table(run_study(load_study(file), table, on="serial", resume=True, progress=False), whole)
