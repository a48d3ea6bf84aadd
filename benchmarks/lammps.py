"""`python -m benchmarks lammps`: a settled bed by LAMMPS and by `soft`, and what a million spheres take on two ranks.

The first part settles the same random beds by `soft` and by LAMMPS on one and on two ranks. Their grains take different
paths after a few impacts, so that means over seeds are compared with the standard error of their difference. The
second part hands beds to LAMMPS as a cluster gets them (`granum convert`, `mpiexec`), and measures time and memory.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil

import granum as gr
from granum.base.kernels import Floats
from granum.lammps.installation import command, environment, release
from granum.lammps.running import simulate as simulate_by_lammps
from granum.lammps.running import write_input
from granum.run import Run

RADIUS, DENSITY = 0.005, 2500.0
MATERIAL = {"friction": 0.5, "restitution": 0.2, "density": DENSITY, "stiffness": 5000.0}
GRAVITY = {"g": {"kind": "gravity", "acceleration": (0.0, 0.0, -9.81)}}
SETTLED = 0.4
"""Time after which grains are at rest [s]."""
ENGINES = ("soft", "LAMMPS, 1 rank", "LAMMPS, 2 ranks")
BEYOND = 2.0
"""Forces beyond so many means are counted: the tail of their distribution."""
POLL = 0.1


@dataclass(frozen=True)
class Bed:
    """A settled bed."""

    engine: str
    seed: int
    height: float
    """Below which 95 % of the centres are [m]."""
    coordination: float
    """Contacts per grain without rattlers."""
    width: float
    """Mean square of contact forces over the square of their mean."""
    tail: float
    """Part of the contacts that push with more than twice the mean."""
    seconds: float


@dataclass(frozen=True)
class Load:
    """What LAMMPS takes for a bed."""

    grains: int
    ranks: int
    steps: int
    nanoseconds: float
    """Processor time of the loop on all ranks, waiting for each other included, per grain and step."""
    seconds: float
    """Wall time of the loop [s]."""
    megabytes: float
    """Largest resident memory of all ranks together."""
    allocated: float
    """What LAMMPS says it has allocated on all ranks [MB]."""
    contacts: float
    """Contacts between grains per grain at the end."""


@dataclass(frozen=True)
class Report:
    """Both parts."""

    version: str
    beds: list[Bed]
    loads: list[Load]

    def as_json(self) -> dict[str, Any]:
        """All numbers."""
        return asdict(self)

    def summary_lines(self) -> list[str]:
        """Means with standard errors, differences in units of theirs, and the costs."""
        lines = [self.version]
        for name in ("height", "coordination", "width", "tail") if self.beds else ():
            own = self._of("soft", name)
            lines.append(f"{name:13}" + "   ".join(f"{engine} {_mean(self._of(engine, name))}" for engine in ENGINES))
            lines += [f"{'':13}{engine} - soft: {_sigmas(self._of(engine, name), own):+.1f} standard errors; bed by "
                      f"bed {_mean(self._of(engine, name) - own)}" for engine in ENGINES[1:]]
        lines += [f"{load.grains:>8} spheres, {load.ranks} ranks: {load.nanoseconds:.0f} ns of processor time per "
                  f"grain and step, {load.steps} steps in {load.seconds:.1f} s, peak memory {load.megabytes:.0f} MB "
                  f"({1e6 * load.megabytes / load.grains:.0f} B per grain), of which LAMMPS allocated "
                  f"{load.allocated:.0f} MB; {load.contacts:.2f} contacts per grain" for load in self.loads]
        return lines

    def _of(self, engine: str, name: str) -> Floats:
        return np.array([getattr(bed, name) for bed in self.beds if bed.engine == engine])


def _mean(values: Floats) -> str:
    return f"{values.mean():.5g} ± {values.std(ddof=1) / np.sqrt(len(values)):.2g}"


def _sigmas(values: Floats, others: Floats) -> float:
    """A difference of means over its standard error."""
    error = np.sqrt(values.var(ddof=1) / len(values) + others.var(ddof=1) / len(others))
    return float((values.mean() - others.mean()) / error)


def measure(count: int, seeds: int, large: tuple[int, ...], steps: int, tell: Callable[[str], None]) -> Report:
    """Settle `count` spheres for each seed; then `steps` steps of larger beds on two ranks, the first on one too."""
    beds = []
    for seed in range(seeds):
        for engine in ENGINES:
            beds.append(settle(count, seed, engine))
            tell(f"{beds[-1]}")
    loads = []
    for grains in large:
        for ranks in (1, 2) if grains == large[0] else (2,):
            loads.append(load_of(grains, ranks, steps))
            tell(f"{loads[-1]}")
    return Report(release(), beds, loads)


def settle(count: int, seed: int, engine: str) -> Bed:
    """A bed about as high as wide, from a loose random start."""
    width = 2.0 * RADIUS * round((0.9 * count) ** (1.0 / 3.0))
    height = count * 4.0 / 3.0 * np.pi * RADIUS**3 / width**2 / 0.28
    scene = gr.Scene(
        title="bed", material={"glass": MATERIAL}, load=GRAVITY, boundary={"box": _box(width, height)},
        pattern={"g": {"kind": "grains", "count": count, "radius": (0.9 * RADIUS, 1.1 * RADIUS),
                       "region": {"kind": "box", "lower": (0, 0, 0), "upper": (width, width, height)}}},
        run={"until": SETTLED, "interval": SETTLED, "solver": "soft", "seed": seed})
    began = time.perf_counter()
    run = gr.simulate(scene, progress=False) if engine == "soft" else \
        simulate_by_lammps(scene, ranks=int(engine.split()[1]), progress=False)
    return bed_of(run, engine, seed, time.perf_counter() - began)


def bed_of(run: Run, engine: str, seed: int, seconds: float) -> Bed:
    """What a bed is like at the end."""
    last = run.frame()
    force = np.linalg.norm(last.force, axis=1)
    force = force[force > 0.0] / force[force > 0.0].mean()
    return Bed(engine, seed, float(np.quantile(last.positions[:, 2], 0.95)), run.coordination().backbone,
               float((force**2).mean()), float((force > BEYOND).mean()), seconds)


def _box(width: float, height: float) -> dict[str, Any]:
    return {"kind": "box", "lower": (0.0, 0.0, 0.0), "upper": (width, width, height), "open": ("+z",)}


def load_of(count: int, ranks: int, steps: int) -> Load:
    """Steps of a lattice of spheres that touches itself from the first step on, in a folder of its own."""
    layers = 40 if count > 100_000 else 20
    width = 2.0 * RADIUS * (np.sqrt(0.9 * count / layers) + 2.0)
    height = 2.0 * RADIUS * (layers + 6)
    duration = np.pi * np.sqrt(0.5 * DENSITY * 4.0 / 3.0 * np.pi * RADIUS**3 / MATERIAL["stiffness"])
    until = steps * duration / 25.0
    scene = gr.Scene(
        title="large bed", material={"glass": MATERIAL}, load=GRAVITY, boundary={"box": _box(width, height)},
        pattern={"g": {"kind": "grains", "count": count, "radius": RADIUS, "arrangement": "lattice",
                       "velocity": (0.0, 0.0, -1.0),
                       "region": {"kind": "box", "lower": (0, 0, 0), "upper": (width, width, height)}}},
        run={"until": until, "interval": until, "solver": "soft", "step": duration / 25.0})
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "in.lammps")
        script = write_input(scene, file, _keep)
        told, peak = _run_watched(ranks, Path(folder), file.read_bytes())
        last = script.frame_steps()[-1]
        contacts = _entries(Path(folder, f"dump.contacts.{last}"))
    loop = re.search(r"Loop time of ([0-9.]+) on \d+ procs for (\d+) steps", told)
    busy = re.search(r"([0-9.]+)% CPU use", told)
    memory = re.search(r"memory allocation \(min/avg/max\) = [0-9.]+ \| ([0-9.]+)", told)
    if loop is None or busy is None or memory is None:
        raise RuntimeError(told[-2000:])
    seconds, made = float(loop[1]), int(loop[2])
    processor = ranks * seconds * float(busy[1]) / 100.0
    return Load(count, ranks, made, 1e9 * processor / made / count, seconds, peak, ranks * float(memory[1]),
                contacts / count)


def _keep(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def _entries(dump: Path) -> int:
    """How many rows a dump announces."""
    with dump.open() as file:
        for line in file:
            if line.startswith("ITEM: NUMBER OF"):
                return int(file.readline())
    raise RuntimeError(f"{dump} announces no rows")


def _run_watched(ranks: int, folder: Path, script: bytes) -> tuple[str, float]:
    """Output of LAMMPS, and the largest memory of all its ranks together [MB]."""
    with (folder / "in").open("wb+") as given, (folder / "out").open("wb+") as out:
        given.write(script)
        given.seek(0)
        with psutil.Popen(command(ranks), cwd=folder, env=environment(), stdin=given, stdout=out,
                          stderr=subprocess.STDOUT) as child:
            peak = 0.0
            while child.poll() is None:
                time.sleep(POLL)
                peak = max(peak, _resident(child))
        out.seek(0)
        return out.read().decode(errors="replace"), peak / 1e6


def _resident(process: Any) -> float:
    """Memory of LAMMPS among a process and its children [B]."""
    total = 0.0
    for one in [process, *process.children(recursive=True)]:
        try:
            total += one.memory_info().rss if "lmp" in one.name() else 0.0
        except psutil.Error:
            continue
    return total
