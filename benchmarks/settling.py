"""The benchmark of settling grains: what is simulated, how every program is run, and how the end is judged.

Equal grains on a jittered cubic lattice in a box without lid, twice as high as wide, fall for 1 s. Every program gets
the same centres in a file and writes its centres and velocities of the end to another; overlaps are measured from
these, in the same way for all. Programs run on one thread in processes of their own and report CPU seconds: on a
machine that does other work too they say more than seconds by the clock.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from benchmarks import ROOT
from benchmarks.peers import settling as peers
from granum.base.kernels import Floats

RADIUS, DENSITY, FRICTION, RESTITUTION, STIFFNESS, GRAVITY = 0.01, 2500.0, 0.3, 0.3, 1e5, 9.81
SPACING, JITTER = 2.15, 0.07
"""Distance of lattice points, and largest displacement from them in each direction, in radii."""
SPRINGS = ("lammps", "liggghts", "yade")
"""Spring-dashpot peers."""
NAMES = {"lammps": "LAMMPS", "liggghts": "LIGGGHTS", "yade": "YADE", "mujoco": "MuJoCo", "pybullet": "PyBullet",
         "pymunk": "Pymunk", "moreau": "Granum moreau", "soft": "Granum soft"}


@dataclass(frozen=True)
class Row:
    """One program on one task."""

    program: str
    version: str
    setting: str
    grains: int
    dimension: int
    step: float
    """[s]"""
    steps: int
    time: float
    """Simulated time that was reached [s]."""
    seconds: float
    cpu: float
    """Both for the simulated time that was reached."""
    overlap: float | None
    """Mean overlap of touching grains and walls at the end, in radii; None where the end was not reached."""
    energy: float
    """Kinetic energy of translation at the end, per grain, in m g r."""

    @property
    def per_second(self) -> float:
        """CPU seconds per simulated second."""
        return self.cpu / self.time

    @property
    def rate(self) -> float:
        """Grain steps per CPU second."""
        return self.steps * self.grains / self.cpu

    def as_json(self) -> dict[str, Any]:
        """All figures by name."""
        return {**asdict(self), "cpu_per_simulated_second": self.per_second, "grain_steps_per_second": self.rate}


@dataclass(frozen=True)
class Failure:
    """A program that gave no figures, and why."""

    program: str
    grains: int
    reason: str


def lattice(count: int, dimension: int = 3, spacing: float = SPACING, jitter: float = JITTER) -> tuple[Floats, float]:
    """Centres of the start [m] and the width of the box [m]: about (N/2)^(1/d) grains wide and twice as high."""
    side = max(2, round((count / 2.0) ** (1.0 / dimension)))
    place = np.stack(np.unravel_index(np.arange(count), (count, *(side,) * (dimension - 1))), axis=1)[:, ::-1]
    displaced = np.random.default_rng(1).uniform(-jitter, jitter, (count, dimension))
    return (spacing * (place + 0.5) + displaced) * RADIUS, side * spacing * RADIUS


def task_values(centres: Floats, width: float, until: float, budget: float, warm: float = 0.0) -> dict[str, Any]:
    """What programs are told, see `peers.Task`."""
    return {"centres": centres, "width": width, "radius": RADIUS, "density": DENSITY, "friction": FRICTION,
            "restitution": RESTITUTION, "stiffness": STIFFNESS, "gravity": GRAVITY, "until": until, "warm": warm,
            "budget": budget}


def mean_overlap(x: Floats, width: float) -> float:
    """Mean overlap over grains that overlap each other or a side of the box, in radii."""
    pairs = cKDTree(x).query_pairs(2.0 * RADIUS, output_type="ndarray")
    deep = 2.0 * RADIUS - np.linalg.norm(x[pairs[:, 0]] - x[pairs[:, 1]], axis=1)
    sides = np.concatenate([RADIUS - x.ravel(), (x[:, :-1] - (width - RADIUS)).ravel()])
    found = np.concatenate([deep, sides[sides > 0.0]])
    return float(found.mean() / RADIUS) if len(found) else 0.0


def command(program: str, python: str) -> list[str] | None:
    """How to start a program, or None where it is not installed.

    Args:
        python: the interpreter that has the peers from PyPI.
    """
    script = str(Path(peers.__file__))
    if program in ("yade", "liggghts"):
        if shutil.which(program) is None:
            return None
        return ["yade", "-x", "-n", "-j1", script] if program == "yade" else [sys.executable, "-I", script]
    found = subprocess.run([python, "-I", "-c", f"import importlib.util as u; exit(u.find_spec('{program}') is None)"],
                           capture_output=True, check=False)
    return [python, "-I", script] if found.returncode == 0 else None


def run(program: str, how: list[str], centres: Floats, width: float, until: float, budget: float, warm: float = 0.0,
        limit: float | None = None) -> Row | Failure:
    """One program in a process of its own, on one thread, stopped after `limit` seconds.

    Left out, that is four times the budget, for a busy machine, and ten minutes to read and write.
    """
    count, dimension = centres.shape
    limit = 600.0 + 4.0 * min(budget, 3600.0) if limit is None else limit
    with tempfile.TemporaryDirectory() as folder:
        task, end = Path(folder, "task.npz"), Path(folder, "end.npz")
        np.savez(task, **task_values(centres, width, until, budget, warm))
        single = {**os.environ, "NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        try:
            done = subprocess.run([*how, program, str(task), str(end)], capture_output=True, text=True, env=single,
                                  timeout=limit, check=True, cwd=ROOT)
        except subprocess.TimeoutExpired:
            return Failure(program, count, f"not within {limit:g} s")
        except subprocess.CalledProcessError as error:
            told = (error.stderr or error.stdout).strip().splitlines()
            return Failure(program, count, told[-1] if told else f"stopped with {error.returncode}")
        figures = json.loads(done.stdout.strip().splitlines()[-1])
        state = np.load(end)
        x, v = state["x"], state["v"]
    reached = figures["steps"] * figures["step"]
    complete = reached > 0.999 * until
    return Row(program, figures["version"], figures["setting"], count, dimension, figures["step"], figures["steps"],
               reached, figures["seconds"], figures["cpu"], mean_overlap(x, width) if complete else None,
               float(0.5 * np.mean(np.sum(v * v, axis=1)) / (GRAVITY * RADIUS)))


def own(solver: str, factor: float, centres: Floats, width: float, until: float, warm: float = 0.0) -> Row | Failure:
    """Granum with `factor` times the step it proposes."""
    return run(solver, [sys.executable, "-m", "benchmarks.granum_settling", str(factor)], centres, width, until,
               1e9, warm)
