"""Runs of given configurations instead of computed motion: modes of small motions, equilibria."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from granum.analytic.build import Built, build
from granum.analytic.derive import as_formulas
from granum.analytic.equilibrium import Equilibrium
from granum.analytic.expressed import System
from granum.analytic.fundamental import Fundamental
from granum.analytic.starts import nearest
from granum.analytic.state_space import Linearization
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.text import count
from granum.integrate.stepper import StepStatistics, Watch
from granum.model.scene import Scene
from granum.run.formulas import SolvedFormulas, scene_of
from granum.run.restart import begun_from
from granum.run.result import Run
from granum.run.simulation import Simulation
from granum.run.smooth import SmoothSubject

PART = 0.1
"""Amplitude by default, relative to the size of the system."""


class ShownConfigurations(SolvedFormulas):
    """A system that is put into one configuration after the other."""

    def __init__(self, equations: Fundamental, scene: Scene, built: Built | None, q: Sequence[Floats],
                 v: Sequence[Floats], interval: float) -> None:
        super().__init__(equations, scene, built)
        self._q, self._v, self._interval = q, v, interval
        self._show(0.0)

    def _show(self, t: float) -> None:
        """The configuration of a time, closed on the constraints, with the rates nearest to those given."""
        frame = min(round(t / self._interval), len(self._q) - 1)
        motion, system = self.motion, self.system
        motion.t, motion.q = t, nearest(system, self._q[frame])
        held = [not (row.invariant or row.slips) for row in system.rows]
        _, rate, A = (part[held] for part in system.check(motion.q, self._v[frame], t))
        motion.v = self._v[frame] - (np.linalg.lstsq(A, rate, rcond=1e-10)[0] if len(A) else 0.0)

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Show the next configuration."""
        self._show(until)
        return StepStatistics()

    def description(self) -> dict[str, Any]:
        """As for runs; configurations have no energy balance."""
        return {**super().description(), "energy_balance": False}


def run_of(subject: Scene | System, q: Sequence[Floats], v: Sequence[Floats], interval: float,
           output: str | Path | None = None) -> Run:
    """A run that shows configurations, in the coordinates of formulas, in equal intervals; in memory, or in a file.

    The first is the start of a scene: what counts from there, such as the axes of hinges, is drawn right.
    """
    settings = {"until": interval * max(1, len(q) - 1), "interval": interval, "formulation": "fundamental",
                "solver": "dop853"}
    at = q[0], np.zeros(len(q[0]))
    if isinstance(subject, System):
        equations, built = Fundamental(subject, at), None
        scene = scene_of(subject, equations).with_run(**settings)
    else:
        scene = subject.with_run(**settings)
        built = build(scene)
        equations = Fundamental(built.system, at)
    file = None if output is None else Path(output)
    shown = SmoothSubject(ShownConfigurations(equations, scene, built, q, v, interval))
    return Simulation.of(shown, file, False, False, "", None).complete(None)


def starting_at(subject: Scene | System, q: Floats) -> tuple[Scene | System, Floats]:
    """The subject with another start, and what to add to its coordinates: angles of hinges count from the start."""
    equations = as_formulas(subject)
    if isinstance(subject, System) or np.allclose(equations.start[0], q, rtol=1e-12, atol=1e-14):
        return subject, np.zeros(len(q))
    still = np.zeros(len(q))
    moved = begun_from(subject, run_of(subject, [equations.start[0], q], [still, still], 1.0))
    counted = np.array([name in equations.system.measures for name in equations.coordinates])
    return moved, np.where(counted, equations.start[0] - q, 0.0)


def equilibrium_run(found: Equilibrium, output: str | Path | None = None) -> Run:
    """The initial state, then the equilibrium."""
    equations = as_formulas(found.subject)
    first = equations.start[0] if equations.has_start else found.q
    still = np.zeros(len(found.q))
    return run_of(found.subject, [first, found.q], [still, still], 1.0, output)


def mode_run(
    linear: Linearization, mode: int, amplitude: float | None, frames: int, periods: float,
    output: str | Path | None,
) -> Run:
    """δq = amplitude · Im(shape e^{iωt}); for arguments see `Linearization.mode_run`."""
    if not -len(linear.modes) <= mode < len(linear.modes):
        raise GranumError(f"there is no mode {mode}: this system has {count(len(linear.modes), 'mode')}, numbered from "
                          "0.")
    s, state = complex(linear.modes[mode]), linear.state
    shape = state.basis[:, mode]
    if not np.abs(shape).max() > 0.0:
        raise GranumError(f"mode {mode} changes no coordinate, so there is nothing to show.")
    oscillates, moves = abs(s.imag) > 1e-9 * abs(s), abs(s) > 1e-6 * np.abs(linear.modes).max()
    omega = abs(s.imag) if oscillates else abs(s) if moves else math.tau
    interval = math.tau / omega / frames
    wide = amplitude if amplitude is not None else PART * _size(state.subject, state.q, shape)
    moving = [-1j * wide * shape * np.exp(1j * omega * interval * k) for k in range(round(periods * frames) + 1)]
    subject, offset = starting_at(state.subject, state.q)
    return run_of(subject, [state.q + offset + z.real for z in moving], [(1j * omega * z).real for z in moving],
                  interval, output)


def _size(subject: Scene | System, q: Floats, shape: Floats) -> float:
    """Amplitude by which the point that moves farthest moves by the size of the system; 1 if it has no points."""
    still = np.zeros(len(q))
    places = q, q + 1e-4 * shape.real, q + 1e-4 * shape.imag
    shown = run_of(subject, places, [still] * 3, 1.0).positions
    if not shown[0].size:
        return 1.0
    size = float(np.ptp(shown[0], axis=0).max())
    moved = max(float(np.abs(other - shown[0]).max()) for other in shown[1:])
    return size * 1e-4 / moved if moved > 0.0 and size > 0.0 else 1.0
