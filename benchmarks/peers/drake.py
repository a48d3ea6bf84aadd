"""Drake on the chain benchmark."""

from __future__ import annotations

import time
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.comparison import (
    CHAIN_LENGTH,
    GRAVITY,
    Array,
    ChainState,
    Peer,
    Setting,
    Simulation,
    explicit_steps,
    fixed_steps,
    start_angles,
    state_of_joints,
    tolerances,
)
from benchmarks.peers.common import LONGEST_ADAPTIVE_STEP, simulation_of_rates, version_of


class Drake(Peer):
    """Drake: a MultibodyPlant alone in its Simulator, or its time derivatives in an RK4 loop."""

    name = "Drake"

    _LOOP = "RK4 loop"
    _DISCRETE = "discrete"

    def version(self) -> str | None:
        """Version of the installed Drake, None where it cannot be imported."""
        return version_of("pydrake.multibody.plant", "drake", "MultibodyPlant")

    def candidates(self, count: int) -> tuple[Setting, ...]:
        """Drake has no fourth-order rule of its own; its discrete mode is of first order."""
        return (
            *explicit_steps(self._LOOP, count),
            *explicit_steps("runge_kutta5", count),
            *fixed_steps("runge_kutta3", 2.0 * count, 1.5, 10),
            *tolerances("runge_kutta5", 2, 9),
            *tolerances("runge_kutta3", 1, 9),
            *fixed_steps(self._DISCRETE, 1e4, 2.0, 12),
        )

    def prepare(self, count: int, setting: Setting) -> Simulation:
        """Build the plant, so that the simulation's wall time [s] is that of the stepping alone."""
        if setting.integrator == self._LOOP:
            return self._loop(count, setting)
        discrete = setting.integrator == self._DISCRETE
        plant = self._plant(count, (setting.step or 0.0) if discrete else 0.0)
        analysis: Any = import_module("pydrake.systems.analysis")

        def simulate(duration: float) -> tuple[float, ChainState]:
            simulator = analysis.Simulator(plant)
            context = simulator.get_mutable_context()
            plant.SetPositions(context, start_angles(count))
            if not discrete:
                _set_drake_integrator(analysis, simulator, setting, duration)
            simulator.Initialize()
            started = time.perf_counter()
            try:
                simulator.AdvanceTo(duration)
            except RuntimeError:
                # Drake reports a motion that blew up instead of stepping on with it.
                plant.SetPositions(context, np.full(count, np.nan))
            seconds = time.perf_counter() - started
            return seconds, state_of_joints(plant.GetPositions(context), plant.GetVelocities(context))

        return simulate

    def _loop(self, count: int, setting: Setting) -> Simulation:
        """Simulation by a loop in Python around the plant's time derivatives [rad/s, rad/s2]."""
        plant = self._plant(count, 0.0)
        context = plant.CreateDefaultContext()
        set_state, derivatives = context.SetContinuousState, plant.EvalTimeDerivatives

        def rates(state: Array, result: Array) -> None:
            set_state(state)
            result[:] = derivatives(context).CopyToVector()

        return simulation_of_rates(rates, count, setting)

    @staticmethod
    def _plant(count: int, time_step: float) -> Any:
        """The chain in Drake's joint coordinates, lengths in m; a time step [s] of 0 is continuous time."""
        multibody: Any = import_module("pydrake.multibody.tree")
        transform: Any = import_module("pydrake.math").RigidTransform
        plant = import_module("pydrake.multibody.plant").MultibodyPlant(time_step)
        plant.mutable_gravity_field().set_gravity_vector([0.0, -GRAVITY, 0.0])
        rod = CHAIN_LENGTH / count
        point = multibody.UnitInertia(rod**2, 0.0, rod**2)
        mass = multibody.SpatialInertia(1.0, [0.0, -rod, 0.0], point)
        frame = plant.world_frame()
        for index in range(count):
            body = plant.AddRigidBody(f"body{index}", mass)
            joint = multibody.RevoluteJoint(f"joint{index}", frame, body.body_frame(), [0.0, 0.0, 1.0], 0.0)
            plant.AddJoint(joint)
            end = multibody.FixedOffsetFrame(f"end{index}", body.body_frame(), transform([0.0, -rod, 0.0]))
            frame = plant.AddFrame(end)
        plant.Finalize()
        return plant


def _set_drake_integrator(analysis: Any, simulator: Any, setting: Setting, duration: float) -> None:
    """Give the simulator a fixed step [s] that fills the duration [s], or a target accuracy."""
    fixed = setting.step is not None
    longest = duration / setting.step_count(duration) if fixed else LONGEST_ADAPTIVE_STEP
    analysis.ResetIntegratorFromFlags(simulator, setting.integrator, longest)
    integrator = simulator.get_mutable_integrator()
    integrator.set_fixed_step_mode(fixed)
    if setting.tolerance is not None:
        integrator.set_target_accuracy(setting.tolerance)
