"""What chosen coordinates leave out: coordinates of all bodies by the chosen ones, and reactions of eliminated joints.

The system in all coordinates of the bodies, with a row for everything that the joints hold, is kept beside the one in
the chosen coordinates. A state of the latter is a state of the former, where the multipliers of all rows follow from
M q̈ - Q = Aᵀ λ: the reactions are those of the other formulations.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from granum.algebra import Expression, symbol
from granum.algebra.compiled import Compiled
from granum.analytic.expressed import System
from granum.analytic.fundamental import Fundamental
from granum.analytic.minimal_coordinates import Solved
from granum.assembly.assembly import Assembly
from granum.base.kernels import Floats
from granum.base.rotations import quaternion_of, quaternion_rates
from granum.rows.joint import AXES
from granum.rows.system import symbol_name


class Eliminated:
    """The bodies of a system in chosen coordinates, in all their coordinates.

    Args:
        assembly: the bodies.
        full: the equations in all coordinates.
        names: the coordinates that are chosen.
        chosen: the system in these coordinates.
        solved: poses by them.
    """

    def __init__(self, assembly: Assembly, full: Fundamental, names: Sequence[str], chosen: System,
                 solved: Solved) -> None:
        self._assembly, self.full, self.names, self._chosen, self._solved = assembly, full, tuple(names), chosen, solved
        self.rigid = [body.name for body in assembly.bodies.values() if body.kind == "rigid"]
        """Names of the bodies that rotate."""

    @property
    def reaction_names(self) -> tuple[str, ...]:
        """Names of all reactions, those of eliminated joints included."""
        return self.full.reaction_names

    def reactions(self, q: Floats, v: Floats, t: float, parameters: Floats) -> tuple[Floats, Floats]:
        """Reactions in a state of the chosen coordinates, in the order of their names, and whether they are unique."""
        own = self.full.system.parameter_values
        own[:] = parameters[: len(own)]
        self.full.take_parameters()
        return self.full.reaction_values(*self.state(q, v, t), t)

    def state(self, q: Floats, v: Floats, t: float) -> tuple[Floats, Floats]:
        """All coordinates and their rates in a state of the chosen coordinates."""
        out = self._program(t, np.concatenate([q, v]), self._chosen.parameter_values)
        places, n = [self._place(name) for name in self._formulas], len(self.full.coordinates)
        m = len(places)
        everything, rates = np.zeros(n), np.zeros(n)
        everything[places], rates[places] = out[:m], out[m : 2 * m]
        for name, pose in zip(self._rotations, out[2 * m :].reshape(-1, 12), strict=True):
            u = quaternion_of(pose[:9].reshape(3, 3))
            place = self._place(f"{symbol_name(name)}.u0")
            everything[place : place + 4], rates[place : place + 4] = u, quaternion_rates(u.tolist(), pose[9:])
        return everything, rates

    def _place(self, name: str) -> int:
        return self.full.coordinates.index(name)

    @cached_property
    def _formulas(self) -> dict[str, Expression]:
        """Coordinates of the full system by the chosen ones, without those of quaternions that are not chosen."""
        known = {f"{symbol_name(name)}.angle": theta for name, theta in self._solved.angles.items()}
        for body in self._assembly.bodies.values():
            own, pose = symbol_name(body.name), self._solved.poses[body.name]
            known |= {f"{own}.{axis}": c for axis, c in zip(AXES, pose.position, strict=True)}
            if body.kind == "rigid" and self._assembly.dimension == 2:
                known[f"{own}.angle"] = pose.angle
        known |= {name: symbol(name) for name in self._chosen.coordinates}
        return {name: known[name] for name in self.full.coordinates if name in known}

    @cached_property
    def _rotations(self) -> list[str]:
        """Bodies whose quaternion follows from their rotation."""
        return [name for name in self.rigid if f"{symbol_name(name)}.u0" in self.full.coordinates
                and f"{symbol_name(name)}.u0" not in self._formulas]

    @cached_property
    def _program(self) -> Compiled:
        listed = list(self._formulas.values())
        poses = [self._solved.poses[name] for name in self._rotations]
        return self._chosen.compile([*listed, *self._chosen.rates(listed), *(
            entry for pose in poses for row in (*(pose.rotation or ()), pose.angular_velocity) for entry in row)])
