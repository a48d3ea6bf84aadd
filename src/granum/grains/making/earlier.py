"""Grains as a frame of an earlier run left them: whose they are is matched by name, and their contacts come along."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.errors import Problem, SceneError
from granum.base.kernels import Floats, Ints
from granum.grains.search.memory import Memory

SETTLED = 0.05
"""How far grains of an earlier run may reach into a boundary, in radii: contact solvers leave overlaps."""


class EarlierGrains(NamedTuple):
    """Grains of one frame, in any order."""

    groups: list[str]
    """Names of the bodies, patterns and sources that `group` counts."""
    group: Ints
    number: Ints
    x: Floats
    """(n, 4): centre and radius [m]."""
    velocity: Floats
    """(n, 3) [m/s]"""
    angular_velocity: Floats
    """(n, 3) [rad/s]"""
    turned: Floats
    """(n, 1): angles [rad], or (n, 4): quaternions."""
    pairs: Memory | None = None
    """What contacts between grains remember, where the run has kept it."""
    walls: Memory | None = None
    """The same at boundaries."""

    def of(self, name: str) -> Ints:
        """Rows of a body, pattern or source by its name."""
        rows: Ints = np.flatnonzero(self.group == self.groups.index(name)) if name in self.groups else np.zeros(0, int)
        return rows

    def refuse_unknown(self, known: list[str]) -> None:
        """Refuse grains of bodies, patterns or sources that the scene does not have."""
        used = [name for k, name in enumerate(self.groups) if np.any(self.group == k)]
        problems = [Problem("start.from", f'the run has {len(self.of(name))} grains of "{name}", which this scene does '
                            "not have.", f"Give the scene a body, pattern or source of this name; known: "
                            f"{', '.join(known)}.") for name in used if name not in known]
        if problems:
            raise SceneError(problems)
