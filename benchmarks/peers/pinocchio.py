"""Pinocchio on the chain benchmark."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.comparison import (
    CHAIN_LENGTH,
    GRAVITY,
    Array,
    Peer,
    Setting,
    Simulation,
    explicit_steps,
    tolerances,
)
from benchmarks.peers.common import require_memory, simulation_of_rates, version_of


class Pinocchio(Peer):
    """Pinocchio: revolute joints and its articulated-body algorithm, stepped from Python."""

    name = "Pinocchio"

    def version(self) -> str | None:
        """Version of the installed Pinocchio, None where it cannot be imported."""
        return version_of("pinocchio", "pin", "Convention")

    def candidates(self, count: int) -> tuple[Setting, ...]:
        """A lean RK4 loop and, where scipy is installed, DOP853."""
        steps = explicit_steps("RK4 loop", count)
        if version_of("scipy.integrate", "scipy", "DOP853") is None:
            return steps
        return steps + tolerances("scipy DOP853", 2, 10)

    def prepare(self, count: int, setting: Setting) -> Simulation:
        """Build the model, so that the simulation's wall time [s] is that of the loop alone."""
        pinocchio: Any = import_module("pinocchio")
        model = self._model(pinocchio, count)
        # Its data holds four N x N x N tensors of second derivatives; createData would even copy them.
        require_memory(4 * 8 * count**3)
        data = pinocchio.Data(model)
        forces = np.zeros(count)
        # The recursion in world coordinates is the faster of the two on a chain of single-axis joints.
        convention = pinocchio.Convention.WORLD
        accelerations = pinocchio.aba

        def rates(state: Array, result: Array) -> None:
            velocities = state[count:]
            result[:count] = velocities
            result[count:] = accelerations(model, data, state[:count], velocities, forces, convention)

        return simulation_of_rates(rates, count, setting)

    @staticmethod
    def _model(pinocchio: Any, count: int) -> Any:
        """The chain in Pinocchio's joint coordinates, lengths in m."""
        rod = CHAIN_LENGTH / count
        model = pinocchio.Model()
        model.gravity.linear = np.array([0.0, -GRAVITY, 0.0])
        mass = pinocchio.Inertia(1.0, np.array([0.0, -rod, 0.0]), np.zeros((3, 3)))
        joint = 0
        for index in range(count):
            placement = pinocchio.SE3(np.eye(3), np.array([0.0, -rod if index else 0.0, 0.0]))
            joint = model.addJoint(joint, pinocchio.JointModelRZ(), placement, f"joint{index}")
            model.appendBodyToJoint(joint, mass, pinocchio.SE3.Identity())
        return model
