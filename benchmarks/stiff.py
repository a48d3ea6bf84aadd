"""`python -m benchmarks stiff`: stiff smooth systems by radau and dop853 beside SciPy's Radau and BDF.

Each problem is given twice: as a scene, and as a right-hand side written by hand in NumPy for SciPy. All methods get
the same relative tolerance. Errors are of the state at the end, against SciPy's Radau at 1e-11. CPU time is that of
the integration alone, the best of several runs; compiling and deriving are left out, as is writing the right-hand side.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from granum.base.kernels import Floats
from granum.model.scene import Scene
from granum.run.formulas import SolvedFormulas
from granum.run.linked import LinkedPoints
from granum.run.rigid_bodies import JointedBodies
from granum.run.subject import subject_of

GRAVITY = 9.81
REFERENCE = 1e-11
SCIPY = ("Radau", "BDF")
LONGEST_EXPLICIT = 20.0
"""CPU seconds after which dop853 is given up."""
Rates = Callable[[float, Floats], Any]


@dataclass(frozen=True)
class Problem:
    """One system, for Granum and for SciPy."""

    name: str
    scene: Scene
    rates: Rates
    start: Sequence[float] | Floats
    until: float
    compared: Callable[[Any], Floats]
    """From a system at the end: what is compared with the first components of SciPy's vector."""
    formulations: tuple[str, ...] = ("fundamental",)

    @cached_property
    def exact(self) -> Floats:
        """The state at the end, by SciPy's Radau at REFERENCE."""
        found: Floats = self._scipy("Radau", REFERENCE).y[:, -1]
        return found

    def _scipy(self, method: str, tolerance: float) -> Any:
        return solve_ivp(self.rates, (0.0, self.until), self.start, method=method, rtol=tolerance,
                         atol=1e-3 * tolerance, t_eval=[self.until])

    def error(self, found: Floats) -> float:
        """Largest error of a component, relative to its size."""
        exact = self.exact[: len(found)]
        return float(np.max(np.abs(found - exact) / np.maximum(np.abs(exact), 1e-3)))

    def by_scipy(self, method: str, tolerance: float) -> Timed:
        """Once: it takes long enough."""
        began = time.process_time()
        done = self._scipy(method, tolerance)
        seconds = time.process_time() - began
        return Timed(self.name, f"SciPy {method}", tolerance, seconds, int(done.nfev),
                     self.error(done.y[:, -1]) if done.success else math.inf)

    def by_granum(self, solver: str, formulation: str, tolerance: float, repeats: int = 3) -> Timed:
        """The best of several."""
        best, evaluations, error = math.inf, 0, math.inf
        scene = self.scene.with_run(until=self.until, interval=self.until, solver=solver, tolerance=tolerance,
                                    formulation=formulation)
        for _ in range(repeats + 1):  # the first loads compiled code
            subject = subject_of(scene)
            began = time.process_time()
            steps = subject.advance(self.until, partial(_watch, began + LONGEST_EXPLICIT))
            best = min(best, time.process_time() - began)
            evaluations, error = steps.evaluations, self.error(self.compared(subject.system))
        return Timed(self.name, f"Granum {solver}, {formulation}", tolerance, best, evaluations, error)

    def explicitly(self, formulation: str, tolerance: float) -> Timed:
        """By dop853, once, unless it takes too long."""
        try:
            return self.by_granum("dop853", formulation, tolerance, repeats=0)
        except TooSlowError:
            return Timed(self.name, f"Granum dop853, {formulation}", tolerance, math.inf, 0, math.inf)


class TooSlowError(Exception):
    """A method that does not come to an end."""


def _watch(latest: float, t: float) -> None:
    if time.process_time() > latest:
        raise TooSlowError


@dataclass(frozen=True)
class Timed:
    """One run."""

    problem: str
    method: str
    tolerance: float
    seconds: float
    """CPU time [s]; infinite if it was given up."""
    evaluations: int
    error: float


@dataclass(frozen=True)
class Result:
    """All runs, problem by problem and tolerance by tolerance."""

    runs: list[Timed]

    def as_json(self) -> dict[str, Any]:
        """All numbers by name; none for runs that were given up."""
        return {"runs": [{key: None if value == math.inf else value for key, value in asdict(run).items()}
                         for run in self.runs]}

    def summary_lines(self) -> list[str]:
        """One table per problem."""
        lines = ["Stiff systems, CPU time of the integration, error of the state at the end:"]
        for name in dict.fromkeys(run.problem for run in self.runs):
            own = [run for run in self.runs if run.problem == name]
            lines.append(f"  {name}")
            for tolerance in dict.fromkeys(run.tolerance for run in own):
                at = [run for run in own if run.tolerance == tolerance]
                lines += [f"    {tolerance:.0e}  {run.method:27} {_numbers(run)}" for run in at]
                best = min(run.seconds for run in at if "radau" in run.method)
                peer = min(run.seconds for run in at if "SciPy" in run.method)
                lines.append(f"           radau takes {best / peer:.2f} of the time of the faster of SciPy's methods.")
        return lines


def _numbers(run: Timed) -> str:
    if run.seconds == math.inf:
        return f"given up after {LONGEST_EXPLICIT:g} s"
    return f"{1e3 * run.seconds:9.2f} ms  {run.evaluations:8} evaluations  error {run.error:.1e}"


def van_der_pol() -> Problem:
    """μ = 1000: a relaxation oscillation (Test Set for IVP Solvers, vdpol)."""
    mu = 1000.0
    scene = Scene(system={"coordinates": ("x",), "parameters": {"mu": mu}, "kinetic": "x_dot**2/2",
                          "potential": "x**2/2", "forces": {"x": "mu*(1 - x**2)*x_dot"},
                          "start": {"x": 2.0, "x_dot": 0.0}})
    return Problem("van der Pol, mu = 1000, 2000 s", scene, lambda _, y: (y[1], mu * (1.0 - y[0] ** 2) * y[1] - y[0]),
                   (2.0, 0.0), 2000.0, _state_of_formulas)


def robertson() -> Problem:
    """Robertson's reaction to 1e4 s, in a scene by rows of velocity; SciPy gets the three equations themselves."""
    rates = {"a": "s - r", "b": "r - s - p", "c": "p"}
    scene = Scene(
        system={"coordinates": tuple(rates), "definitions": {"r": "0.04*a", "s": "1e4*b*c", "p": "3e7*b**2"},
                "start": {"a": 1.0, "b": 0.0, "c": 0.0}, "kinetic": "(a_dot**2 + b_dot**2 + c_dot**2)/2"},
        constraint={name: {"kind": "formula", "formula": f"{name}_dot = {rate}"} for name, rate in rates.items()})

    def reaction(_: float, y: Floats) -> tuple[float, float, float]:
        r, s, p = 0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] ** 2
        return s - r, r - s - p, p

    return Problem("Robertson's reaction, 1e4 s", scene, reaction, (1.0, 0.0, 0.0), 1e4,
                   lambda system: np.asarray(system.motion.q))


def _state_of_formulas(system: SolvedFormulas) -> Floats:
    return np.concatenate([system.motion.q, system.motion.v])


def _points(system: LinkedPoints | SolvedFormulas) -> Floats:
    """Positions body by body, without those that are fixed."""
    if isinstance(system, SolvedFormulas):
        return system.motion.q
    return np.asarray(system.motion.state.x[:, system.equations.system.bodies.weight > 0.0].T.ravel())


def _spring_forces(x: Floats, v: Floats, stiffness: float, damping: float, length: float) -> Floats:
    """Forces of springs and dampers from each mass to the one before it, the first to the origin; (n, 2)."""
    before, rate_before = np.vstack([np.zeros(2), x[:-1]]), np.vstack([np.zeros(2), v[:-1]])
    apart, rate = x - before, v - rate_before
    distance = np.hypot(*apart.T)
    along = apart / distance[:, None]
    tension = stiffness * (distance - length) + damping * np.sum(rate * along, axis=1)
    pull = tension[:, None] * along
    force: Floats = -pull
    force[:-1] += pull[1:]
    return force


def chain(count: int, stiffness: float = 1e6, damping: float = 1e3, until: float = 1.0) -> Problem:
    """Masses of 0.1 kg on springs of 0.1 m that are as stiff as rods, with dampers, let go at 30 degrees."""
    mass, length = 0.1, 0.1
    names = [f"mass-{k + 1}" for k in range(count)]
    at = length * np.arange(1, count + 1)[:, None] * [math.cos(math.pi / 6.0), -math.sin(math.pi / 6.0)]
    springs = {f"spring-{k + 1}": {"kind": "spring", "between": (("pivot", *names)[k], names[k]), "damping": damping,
                                   "stiffness": stiffness, "rest_length": length} for k in range(count)}
    scene = Scene(
        body={"pivot": {"kind": "fixed-point", "position": (0.0, 0.0)},
              **{name: {"kind": "point-mass", "mass": mass} for name in names}},
        start={name: {"position": tuple(place)} for name, place in zip(names, at.tolist(), strict=True)},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, -GRAVITY)}, **springs})

    def falls(_: float, y: Floats) -> Floats:
        x, v = y[: 2 * count].reshape(count, 2), y[2 * count :].reshape(count, 2)
        return np.concatenate([y[2 * count :], (_spring_forces(x, v, stiffness, damping, length) / mass
                                                - [0.0, GRAVITY]).ravel()])

    what = "Pendulum on a stiff spring" if count == 1 else f"Chain of {count} stiff springs"
    return Problem(f"{what}, {stiffness:.0e} N/m and {damping:.0e} N s/m, {until:g} s", scene, falls,
                   np.concatenate([at.ravel(), np.zeros(2 * count)]), until, _points, ("fundamental", "newton-euler"))


def rods() -> Problem:
    """A rod on a hinge, with a second one on a stiff bushing at its head: rigid bodies and joints.

    SciPy gets both rods in the angle of the first, the place and the angle of the second.
    """
    stiffness, damping, gap = 1e6, 1e4, 0.1
    rod = {"kind": "rod", "length": 1.0, "mass": 1.0, "radius": 1e-9}
    scene = Scene(
        body={"pivot": {"kind": "fixed-point", "position": (0.0, 0.0)}, "upper": rod, "lower": rod},
        constraint={"hinge": {"kind": "hinge", "between": ("pivot", "upper.tail")}},
        start={"upper": {"angle": 0.0}, "lower": {"position": (1.5 + gap, 0.0)}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, -GRAVITY)},
              "bushing": {"kind": "spring", "between": ("upper.head", "lower.tail"), "stiffness": stiffness,
                          "damping": damping, "rest_length": gap}})

    def swing(_: float, y: Floats) -> tuple[float, ...]:
        a, x, z, b, da, dx, dz, db = y
        sa, ca, sb, cb = math.sin(a), math.cos(a), math.sin(b), math.cos(b)
        rx, rz = x - 0.5 * cb - ca, z - 0.5 * sb - sa  # from the head of the upper to the tail of the lower
        vx, vz = dx + 0.5 * sb * db + sa * da, dz - 0.5 * cb * db - ca * da
        distance = math.hypot(rx, rz)
        nx, nz = rx / distance, rz / distance
        pull = stiffness * (distance - gap) + damping * (vx * nx + vz * nz)
        return (da, dx, dz, db, 3.0 * (pull * (ca * nz - sa * nx) - 0.5 * GRAVITY * ca), -pull * nx,
                -pull * nz - GRAVITY, 12.0 * 0.5 * pull * (cb * nz - sb * nx))

    return Problem("Two rods with a stiff bushing, 1e6 N/m and 1e4 N s/m, 1 s", scene, swing,
                   (0.0, 1.5 + gap, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), 1.0, _rods, ("newton-euler",))


def _rods(system: JointedBodies) -> Floats:
    """Angle of the upper rod, place and angle of the lower one."""
    rows, y = system.equations.rows, system.motion.y
    upper, lower = (rows.own(y, body) for body in rows.bodies)
    return np.array([upper[2], *lower[:3]])


def problems(quick: bool = False) -> list[Problem]:
    """What is measured; `quick` is for tests."""
    return [chain(1, until=0.1)] if quick else [van_der_pol(), robertson(), chain(1), chain(10), rods()]


def measure(tolerances: Sequence[float] = (1e-4, 1e-6, 1e-8), quick: bool = False) -> Result:
    """All methods on all problems."""
    runs = []
    for problem in problems(quick):
        for tolerance in tolerances:
            runs += [problem.by_granum("radau", formulation, tolerance) for formulation in problem.formulations]
            runs.append(problem.explicitly(problem.formulations[0], tolerance))
            runs += [problem.by_scipy(method, tolerance) for method in SCIPY]
    return Result(runs)
