"""The command line as a user meets it: real processes, exit codes, what goes where."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import h5py
import pytest

from commands import granum
from messages import naming, says

EXAMPLES = Path(__file__).parents[2] / "examples"

SCENE = """
title = "Test"
[body.pivot]
kind = "fixed-point"
position = [0.0, 0.0]
[body.bob]
kind = "point-mass"
mass = "500 g"
[start.bob]
position = [1.0, 0.0]
[link.rod]
between = ["pivot", "bob"]
[load.gravity]
kind = "gravity"
acceleration = [0.0, -9.81]
[run]
until = 0.1
"""

BAD = {
    "unknown-key": ("mass =", "mas =", "mas"),
    "missing-body": ('"pivot", "bob"', '"pivot", "bib"', "bib"),
    "zero-length": ('"bob"]\n', '"bob"]\nlength = 0\n', "length"),
    "negative-mass": ('"500 g"', "-1.0", "mass"),
    "coincident": ("[1.0, 0.0]", "[0.0, 0.0]", "rod"),
    "wrong-unit": ('"500 g"', '"5 cm"', "unit"),
    "wrong-type": ('"500 g"', "[1, 2]", "mass"),
    "broken-toml": ("[run]", "[run", "TOML"),
    "nan": ('"500 g"', "nan", "finite"),
    "self-link": ('"pivot", "bob"', '"bob", "bob"', '"bob"'),
    "unknown-solver": ("until = 0.1", 'solver = "euler"', "solver"),
    "violated-start": ('"bob"]\n', '"bob"]\nlength = 2.0\n', "length"),
}


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    file = tmp_path / "scene.toml"
    file.write_text(SCENE)
    return file


def test_help_loads_no_heavy_library(tmp_path: Path) -> None:
    """`granum --help` must be instant: neither NumPy nor anything built on it is imported."""
    code = (
        "import sys, granum.cli.main as m\n"
        "try:\n    m.app(['--help'])\nexcept SystemExit: pass\n"
        "heavy = {'numpy', 'scipy', 'numba', 'h5py', 'pydantic', 'matplotlib'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for command in ("run", "check", "plot", "reproduce"):
        assert command in done.stdout


BALL = """
[material.rubber]
density = 1000.0
[body.ball]
kind = "disk"
radius = 0.05
[start.ball]
position = [0, 0]
[boundary.floor]
kind = "plane"
position = [0, -0.05]
normal = [0, 1]
[run]
solver = "moreau"
until = 0.1
"""
NEVER = {"sympy", "matplotlib", "scipy.sparse", "scipy.integrate", "scipy.optimize", "scipy.spatial", "pyvista",
         "granum.view", "granum.validation"}


@pytest.mark.parametrize(("text", "unused"), [
    (SCENE, {"granum.contact", "granum.grains.search", "granum.grains.geometry", "granum.analytic.build",
             "granum.analytic.rigid_bodies", "granum.analytic.scalar", "granum.integrate.rk4"}),
    (BALL, {"granum.analytic", "granum.assembly.connected", "granum.assembly.points", "granum.integrate.dop853",
            "granum.contact.penalty", "granum.historic.unilateral", "granum.contact.event_driven"}),
], ids=["links", "grains"])
def test_run_loads_only_what_the_scene_needs(text: str, unused: set[str], scene: Path, tmp_path: Path) -> None:
    """Heavy libraries and other families stay unloaded. Of SciPy only `linalg` may be there, which Numba loads."""
    scene.write_text(text)
    code = (
        "import sys, granum.cli.main as m\n"
        "try:\n    m.app(['run', 'scene.toml', '--json'])\nexcept SystemExit: pass\n"
        f"loaded = sorted({NEVER | unused!r} & set(sys.modules))\n"
        "sys.exit(f'imported {loaded}' if loaded else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["finished"]


def test_it_is_a_program(scene: Path, tmp_path: Path) -> None:
    """As a process of its own, by either name; the other tests run commands within their own process."""
    for program in ([sys.executable, "-m", "granum"], [str(Path(sys.executable).with_name("granum"))]):
        done = subprocess.run([*program, "check", scene.name], cwd=tmp_path, capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0 and "1 degree of freedom" in done.stdout
        done = subprocess.run([*program, "check", "no.toml"], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 2 and "Traceback" not in done.stderr
        says(done.stderr, "no.toml")


@pytest.mark.parametrize("mistake", BAD)
def test_bad_scene_is_told_in_words(mistake: str, scene: Path, tmp_path: Path) -> None:
    """Exit code 2, file and line, the culprit's name, no traceback, and one JSON object with --json."""
    old, new, name = BAD[mistake]
    text = SCENE.replace(old, new, 1)
    assert text != SCENE
    scene.write_text(text)
    done = granum("run", scene.name, "--json", folder=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    says(done.stderr, "scene.toml:", name)
    problems = json.loads(done.stdout)["problems"]
    assert problems and all(problem["line"] for problem in problems)
    assert not (tmp_path / "scene.h5").exists()


def test_run_check_and_plot(scene: Path, tmp_path: Path) -> None:
    """The whole path: check in words and JSON, run, every plot, each reporting the file it wrote."""
    assert "1 degree of freedom" in granum("check", scene.name, folder=tmp_path).stdout
    assert json.loads(granum("check", scene.name, "--json", folder=tmp_path).stdout)["degrees_of_freedom"] == 1
    summary = json.loads(granum("run", scene.name, "--json", folder=tmp_path).stdout)
    assert summary["finished"] and summary["file"] == "scene.h5"
    assert summary["end"]["bob"][1] == pytest.approx(-0.5 * 9.81 * 0.1**2, rel=1e-2)
    for what in ("energy", "constraint-errors", "reactions", "path", "phase"):
        done = granum("plot", "scene.h5", what, "-o", f"{what}.svg", "--json", folder=tmp_path)
        assert json.loads(done.stdout)["file"] == f"{what}.svg", done.stderr
        assert "<svg" in (tmp_path / f"{what}.svg").read_text()[:600]


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("plot", "scene.h5", "enrgy"), '"energy"'),
        (("plot", "scene.h5", "grains"), "energy, path, phase"),
        (("plot", "scene.h5", "energy", "bob"), "energy"),
        (("plot", "scene.h5", "energy", "--frame", "3"), "frame"),
        (("plot", "none.h5", "energy"), "none.h5"),
        (("plot", "scene.toml", "energy"), "scene.toml"),
        (("plot", "scene.h5", "path", "-o", "picture.bmp"), ".png"),
        (("plot", "scene.h5", "phase", "bib"), '"bob"'),
        (("run", "scene.toml", "--solver", "euler"), "solver"),
        (("run", "none.toml"), "none.toml"),
        (("reproduce", "pendullum"), '"pendulum"'),
    ],
)
def test_refusals(arguments: tuple[str, ...], name: str, scene: Path, tmp_path: Path) -> None:
    """What cannot be done is answered with exit code 2 and a remedy."""
    granum("run", scene.name, folder=tmp_path)
    done = granum(*arguments, folder=tmp_path)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    says(done.stderr, name)


@pytest.mark.parametrize("arguments", [("plot", "scene.h5", "path", "-o", "/proc/picture.png"),
                                       ("run", "scene.toml", "-o", "/proc/run.h5")])
def test_where_nothing_can_be_written(arguments: tuple[str, ...], scene: Path, tmp_path: Path) -> None:
    """The reason is that of the system, which is not the same for every user."""
    granum("run", scene.name, folder=tmp_path)
    done = granum(*arguments, folder=tmp_path)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    naming(done.stderr, arguments[-1], "-o")


def test_interrupt_keeps_what_is_done_and_resume_finishes(scene: Path, tmp_path: Path) -> None:
    """Ctrl-C: exit code 130, a file with some frames; a new run is refused, --resume completes it."""
    scene.write_text(SCENE.replace("until = 0.1", 'until = 20.0\ninterval = 0.1\nsolver = "rk4"\nstep = 1e-5'))
    process = subprocess.Popen(
        [sys.executable, "-m", "granum.cli", "run", "scene.toml", "--json"], cwd=tmp_path, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )
    file = tmp_path / "scene.h5"
    done, began = 0, time.monotonic()
    while process.poll() is None and done < 2 and time.monotonic() - began < 150.0:  # 2 of 201: far from the end
        time.sleep(0.01)
        if file.exists():
            with contextlib.suppress(OSError), h5py.File(file) as opened:  # it may be half made
                done = int(opened["frames_done"][0])
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    kept = json.loads(out)
    assert not kept["finished"] and 0 < kept["t"] < 20.0
    told = granum("run", "scene.toml", folder=tmp_path)
    assert told.returncode == 2
    says(told.stderr, "--resume")
    resumed = granum("run", "scene.toml", "--resume", "--json", folder=tmp_path)
    assert resumed.returncode == 0 and json.loads(resumed.stdout)["finished"]


def test_plots_and_figures_are_listed(scene: Path, tmp_path: Path) -> None:
    """`granum plot RUN` says what there is, a line each; `granum reproduce --list` names the figures."""
    granum("run", scene.name, folder=tmp_path)
    lines = granum("plot", "scene.h5", folder=tmp_path).stdout.splitlines()
    told = json.loads(granum("plot", "scene.h5", "--list", "--json", folder=tmp_path).stdout)
    assert [line.split()[0] for line in lines] == list(told) and "energy" in told and "grains" not in told
    assert "pendulum-fig-6-1, pendulum-fig-6-2" in granum("reproduce", "--list", folder=tmp_path).stdout


def test_quiet_when_not_on_a_terminal(scene: Path, tmp_path: Path) -> None:
    """No progress bar reaches a pipe."""
    done = granum("run", scene.name, folder=tmp_path)
    assert done.stderr == ""


def test_runs_of_formulas_are_drawn(tmp_path: Path) -> None:
    """Coordinates can be drawn of any system of formulas; without points there is no path, and words say so."""
    (tmp_path / "swing.toml").write_text(
        '[system]\ncoordinates = ["q"]\nkinetic = "q_dot**2/2"\npotential = "-cos(q)"\n'
        '[system.start]\nq = 1.0\nq_dot = 0.0\n[run]\nformulation = "fundamental"\n')
    assert granum("run", "swing.toml", folder=tmp_path).returncode == 0
    assert granum("plot", "swing.h5", "coordinates", "q", folder=tmp_path).returncode == 0
    assert (tmp_path / "swing-coordinates.png").stat().st_size > 10_000
    assert granum("plot", "swing.h5", "phase", folder=tmp_path).returncode == 0
    told = granum("plot", "swing.h5", "path", folder=tmp_path)
    assert told.returncode == 2
    says(told.stderr, "[system.points]")
