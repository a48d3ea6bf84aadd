"""Runs that show a mode of small motions: configurations displaced along its shape."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from granum.analytic.build import Built, build
from granum.analytic.expressed import System
from granum.analytic.fundamental import Fundamental
from granum.analytic.starts import nearest
from granum.analytic.state_space import Linearization, LinearState
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.text import count
from granum.integrate.stepper import StepStatistics, Watch
from granum.model.scene import Scene
from granum.run.formulas import FormulaSubject, scene_of
from granum.run.result import Run
from granum.run.simulate import record

PART = 0.1
"""Amplitude by default, relative to the size of the system."""


class ModeSubject(FormulaSubject):
    """A system that is moved along a mode instead of by its equations of motion."""

    def __init__(self, equations: Fundamental, scene: Scene, built: Built | None, place: Floats, shape: Floats,
                 omega: float) -> None:
        super().__init__(equations, scene, built)
        self._place, self._shape, self._omega = place, shape, omega
        self._show(0.0)

    def _show(self, t: float) -> None:
        """δq = Re(shape e^{iωt}), on the constraints; the rates are those of the same mode."""
        turned = self._shape * np.exp(1j * self._omega * t)
        motion = self.motion
        motion.t, motion.v = t, (1j * self._omega * turned).real
        motion.q = nearest(self.system, self._place + turned.real)

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Show the next configuration."""
        self._show(until)
        return StepStatistics()

    def own_description(self) -> dict[str, Any]:
        """As for runs; a picture of a mode has no energy balance."""
        return {**super().own_description(), "energy_balance": False}


def mode_run(linear: Linearization, mode: int, amplitude: float | None, frames: int, periods: float) -> Run:
    """For arguments see `Linearization.mode_run`."""
    if not -len(linear.modes) <= mode < len(linear.modes):
        raise GranumError(f"there is no mode {mode}: this system has {count(len(linear.modes), 'mode')}, numbered from "
                          "0.")
    s, state = complex(linear.modes[mode]), linear.state
    shape = state.basis[:, mode]
    if not np.abs(shape).max() > 0.0:
        raise GranumError(f"mode {mode} changes no coordinate, so there is nothing to show.")
    oscillates, moves = abs(s.imag) > 1e-9 * abs(s), abs(s) > 1e-6 * np.abs(linear.modes).max()
    omega = abs(s.imag) if oscillates else abs(s) if moves else math.tau
    period = math.tau / omega
    run = {"until": periods * period, "interval": period / frames, "formulation": "fundamental", "solver": "dop853"}
    equations, scene, built = _equations(state, run)
    wide = amplitude if amplitude is not None else PART * _size(equations, built, state, shape)
    subject = ModeSubject(equations, scene, built, state.q, wide * shape, omega)
    return record(subject, None, False, False, "", None)


def _equations(state: LinearState, run: dict[str, Any]) -> tuple[Fundamental, Scene, Built | None]:
    at = state.q, np.zeros(len(state.q))
    if isinstance(state.subject, System):
        equations = Fundamental(state.subject, at)
        return equations, scene_of(state.subject, equations).with_run(**run), None
    scene = state.subject.with_run(**run)
    built = build(scene)
    return Fundamental(built.system, at), scene, built


def _size(equations: Fundamental, built: Built | None, state: LinearState, shape: Floats) -> float:
    """Amplitude by which the point that moves farthest moves by the size of the system; 1 if it has no points."""
    positions = built.positions if built is not None else equations.system.points
    system = equations.system
    program = system.compile([c for position in positions.values() for c in position])
    at = [program(state.t, np.concatenate([q, np.zeros(len(q))]), system.parameter_values)[: 3 * len(positions)]
          for q in (state.q, state.q + 1e-6 * shape.real, state.q + 1e-6 * shape.imag)]
    if not positions:
        return 1.0
    points = at[0].reshape(len(positions), -1)
    moved = np.abs(at[1] - at[0]).max() + np.abs(at[2] - at[0]).max()
    size = float(np.ptp(points, axis=0).max())
    return size * 1e-6 / moved if moved > 0.0 and size > 0.0 else 1.0
