"""Dry friction in joints among the reactions of a run: what holds a joint at rest is not known from its motion."""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats
from granum.integrate.stepper import Stepper
from granum.model.loads import JointFriction, agent_names
from granum.model.scene import Scene


class JointFrictions:
    """The dry frictions of a scene."""

    def __init__(self, scene: Scene) -> None:
        entries = {name: load for name, load in scene.load.items() if isinstance(load, JointFriction)}
        self._loads = list(entries)
        others = [("constraint", name) for name in (*scene.constraint, *scene.link)]
        self.names = agent_names([("load", name) for name in entries] + others)[: len(entries)]
        """Names of their reactions: `load NAME` where a constraint or link has the same name."""
        self.labels = [f"{name}.{'torque' if entry.torque is not None else 'force'}"
                       for name, entry in zip(self.names, entries.values(), strict=True)]
        self._sizes = np.array([entry.torque if entry.torque is not None else entry.force
                                for entry in entries.values()], dtype=float)

    def values(self, motion: Stepper) -> tuple[Floats, Floats]:
        """Torque [N m] or force [N] of each on the second body of its joint along the axis, and if it is unique.

        The motion must be asked about its state (`sampling`).
        """
        shares, unique = motion.shares(self._loads)
        return 0.0 - self._sizes * shares, unique
