"""What impulses, forces and moves add to rows of a table, for all solvers.

Positions, velocities and forces are in columns 0-2 of any table, angular velocities (of round grains r ω) and torques
in columns 4-6.
"""

from __future__ import annotations

from granum.base.kernels import Floats, inlined
from granum.base.vectors import Vector
from granum.state.table import SX, SY, SZ, VX, VY, VZ


@inlined
def add_linear(table: Floats, i: int, scale: float, a: Vector) -> None:
    """Add a vector times a scale to position, velocity or force of row i."""
    table[i, VX] += scale * a[0]
    table[i, VY] += scale * a[1]
    table[i, VZ] += scale * a[2]


@inlined
def add_angular(table: Floats, i: int, scale: float, a: Vector) -> None:
    """Add a vector times a scale to angular velocity or torque of row i."""
    table[i, SX] += scale * a[0]
    table[i, SY] += scale * a[1]
    table[i, SZ] += scale * a[2]
