"""Granum on systems that are not POSIX, as far as one that is can show it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from messages import says

FOREIGN = """
import errno, mmap, os, signal, sys
from pathlib import Path
import numpy  # goes by sys.platform, and so may use what this system has

for module in ("fcntl", "grp", "pwd", "pty", "resource", "syslog", "termios", "tty"):
    sys.modules[module] = None
for name in ("alarm", "setitimer", "SIGALRM", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGUSR1"):
    delattr(signal, name)
for name in ("MAP_PRIVATE", "MAP_SHARED", "PROT_READ", "PROT_WRITE"):
    delattr(mmap, name)
for name in ("chown", "fchmod", "fdatasync", "fork", "getloadavg", "getuid", "geteuid", "killpg", "mkfifo",
             "posix_fadvise", "posix_fallocate", "pread", "preadv", "pwrite", "pwritev", "register_at_fork",
             "sched_getaffinity", "setsid", "sync", "sysconf", "uname"):
    if hasattr(os, name):
        delattr(os, name)


def used(path):
    # is the file open or mapped in this process? Windows neither replaces nor deletes such a file
    path = os.path.realpath(path)
    handles = [Path("/proc/self/fd", number) for number in os.listdir("/proc/self/fd")]
    opened = {os.readlink(handle) for handle in handles if handle.is_symlink()}
    return path in opened or any(line.endswith(path + "\\n") for line in open("/proc/self/maps"))


def refusing(change):
    def changed(*paths, **options):
        for path in paths:
            if "dir_fd" not in options and used(path):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return change(*paths, **options)
    return changed


for name in ("rename", "replace", "remove", "unlink"):
    setattr(os, name, refusing(getattr(os, name)))
"""

EVERY_MODULE = """
import importlib, pkgutil
import granum

for module in pkgutil.walk_packages(granum.__path__, "granum."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""

RUNS = """
import granum as gr
from granum.io.runfile import verify_run_file
from runs import assert_same_run, stop_at

file = Path("run.h5")
for scene in (gr.example("pendulum"), gr.example("hopper")):
    straight = gr.simulate(scene, until=0.04, interval=0.01)
    stopped = gr.simulate(scene, until=0.02, interval=0.01, output=file, progress=stop_at(0.01))
    assert not stopped.finished and 0 < len(stopped.t) < 3
    del stopped
    gr.simulate(scene, until=0.02, interval=0.01, output=file, resume=True)
    longer = gr.simulate(scene, until=0.04, interval=0.01, output=file, resume=True)
    assert_same_run(longer, straight)
    assert verify_run_file(file).intact
    try:
        gr.simulate(scene, until=0.01, output=file)
        raise SystemExit("a file that is mapped was replaced")
    except gr.RunFileError as error:
        print(error)
    del longer
    gr.simulate(scene, until=0.01, interval=0.01, output=file)
    assert len(gr.open_run(file).t) == 2 and os.listdir() == ["run.h5"]
"""


def foreign(program: str, folder: Path) -> str:
    """What a program prints on a Python without what only POSIX has."""
    done = subprocess.run([sys.executable, "-c", FOREIGN + program], cwd=folder, capture_output=True, text=True,
                          check=False, timeout=600, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.returncode == 0, done.stderr
    return done.stdout


needs_proc = pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="sees open files through /proc")


@needs_proc
def test_every_module_loads_without_posix(tmp_path: Path) -> None:
    foreign(EVERY_MODULE, tmp_path)


@needs_proc
def test_runs_are_written_and_resumed_without_posix(tmp_path: Path) -> None:
    """No `os.pwrite`, no `fcntl`, no replacing of open files, as on Windows: runs are resumed and lengthened."""
    says(foreign(RUNS, tmp_path), "run.h5")


def test_output_is_utf8_whatever_the_code_page(tmp_path: Path) -> None:
    """Redirected output on Windows has a code page in which titles of scenes may have no letters."""
    scene = Path(__file__).parents[2] / "examples" / "pendulum.toml"
    (tmp_path / "scene.toml").write_text(scene.read_text("utf-8").replace('title = "', 'title = "Ω → '), "utf-8")
    done = subprocess.run([sys.executable, "-m", "granum", "check", "scene.toml"], cwd=tmp_path, capture_output=True,
                          env={**os.environ, "PYTHONIOENCODING": "cp1252"}, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().startswith("Ω → Pendulum")
