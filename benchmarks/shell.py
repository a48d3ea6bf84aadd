"""`python -m benchmarks shell`: 25 s of the rolling shell against the same integrator on a NumPy right-hand side."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.integrate import DOP853

from granum.analytic.build import build
from granum.analytic.constrained import moore_penrose
from granum.analytic.derive import from_built
from granum.analytic.fundamental import Fundamental
from granum.base.kernels import Floats
from granum.integrate.motion import Motion
from granum.model.scene import Scene

RELATIVE, ABSOLUTE = 1e-12, 1e-15
BOWL = "Z - 0.04*sin(1.2*sqrt(2)*pi*X)/(1+X**2) - 0.05*sin(1.6*pi*Y)/(1+Y**2) - 0.03*(X**2+Y**2)"


def scene() -> Scene:
    """Example 1, case A of Udwadia and Mogharabin (2022), §3: with the energy as a row (36)."""
    return Scene(
        surface={"bowl": {"equation": BOWL}},
        body={"shell": {"kind": "two-half-shell", "radius": 0.09, "inner_radius": 0.08,
                        "density": (10490.0, 7874.0)}},
        constraint={"roll": {"kind": "rolling", "body": "shell", "on": "bowl"}, "energy": {"kind": "energy"}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, 0.0, -9.81)}},
        start={"shell": {"contact": (-1.5, -0.75), "velocity": (1.5, 1.0), "spin": 0.0}},
        run={"formulation": "fundamental"})


@dataclass(frozen=True)
class Result:
    """Seconds per run: once with compiled code, once with pinv in NumPy (Udwadia and Mogharabin 2022, eq. 43)."""

    until: float
    compiled: float
    evaluations: int
    pinv: float
    pinv_evaluations: int
    distance: float
    """Of the contact points at the end [m]."""

    @property
    def ratio(self) -> float:
        """How many times faster compiled code is."""
        return self.pinv / self.compiled

    def as_json(self) -> dict[str, Any]:
        """All figures by name."""
        return {**asdict(self), "ratio": self.ratio}

    def summary_lines(self) -> list[str]:
        """The result as text."""
        return [
            f"Rolling shell (Udwadia and Mogharabin 2022, Example 1, case A), {self.until:g} s by dop853 "
            "at 1e-12 and 1e-15:",
            f"  compiled elimination       {self.compiled:8.3f} s, {self.evaluations} evaluations, "
            f"{self.compiled / self.evaluations * 1e6:.2f} µs each with all steps",
            f"  SciPy DOP853, NumPy pinv   {self.pinv:8.3f} s, {self.pinv_evaluations} evaluations, "
            f"{self.pinv / self.pinv_evaluations * 1e6:.0f} µs each",
            f"  The whole run is {self.ratio:.0f} times as fast; the contact points end {self.distance:.1e} m apart.",
        ]


def measure(until: float = 25.0, repeats: int = 3) -> Result:
    """Run both; the compiled one several times, the best counts (the other takes long enough for one)."""
    case = scene()
    equations = from_built(build(case), "fundamental")
    assert isinstance(equations, Fundamental)
    q, v = equations.start
    settings = case.with_run(until=until, tolerance=RELATIVE, corrections=()).run
    best, motion, evaluations = np.inf, Motion(equations, settings, q, v), 0
    for _ in range(repeats + 1):  # the first loads compiled code
        motion = Motion(equations, settings, q, v)
        began = time.perf_counter()
        evaluations = motion.advance(until, lambda t: None).evaluations
        best = min(best, time.perf_counter() - began)
    seconds, count, end = _by_numpy(equations, q, v, until)
    place = [equations.coordinates.index(f"shell.contact.{axis}") for axis in "xyz"]
    return Result(until, float(best), evaluations, seconds, count, float(np.linalg.norm(end[place] - motion.q[place])))


def _by_numpy(equations: Fundamental, q: Floats, v: Floats, until: float) -> tuple[float, int, Floats]:
    """SciPy's DOP853 on (43), evaluated as written; M, Q, A and b still come from compiled formulas."""
    n = len(q)

    def rates(t: float, y: Floats) -> Floats:
        M, Q, A, b = equations.matrices(y[:n], y[n:], t)
        return np.concatenate([y[n:], moore_penrose(M, Q, A, b)])

    began = time.perf_counter()
    solver = DOP853(rates, 0.0, np.concatenate([q, v]), until, rtol=RELATIVE, atol=ABSOLUTE)
    while solver.status == "running":
        solver.step()
    return time.perf_counter() - began, int(solver.nfev), solver.y[:n]
