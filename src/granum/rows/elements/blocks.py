"""Row blocks: what a unit multiplier of a row does to both of its bodies."""

from __future__ import annotations

from granum.base.kernels import Floats, small_kernel
from granum.base.vectors import Vector, cross, put, times
from granum.rows.tables import J

_NOTHING = (0.0, 0.0, 0.0)


@small_kernel
def _block(rows: Floats, planar: int, r: int, side: int, force: Vector, torque: Vector) -> None:
    """One row block: force and torque about the mass centre of a body."""
    if planar:
        o = J + 3 * side
        rows[r, o], rows[r, o + 1], rows[r, o + 2] = force[0], force[1], torque[2]
    else:
        put(rows, r, J + 6 * side, force)
        put(rows, r, J + 6 * side + 3, torque)


@small_kernel
def opposed_forces(rows: Floats, planar: int, r: int, e: Vector, arm1: Vector, arm2: Vector) -> None:
    """A unit force along e on the second body, its opposite on the first."""
    _block(rows, planar, r, 0, times(-1.0, e), cross(e, arm1))
    _block(rows, planar, r, 1, e, cross(arm2, e))


@small_kernel
def couple(rows: Floats, planar: int, r: int, e: Vector) -> None:
    """A unit torque about e on the second body, its opposite on the first."""
    _block(rows, planar, r, 0, _NOTHING, times(-1.0, e))
    _block(rows, planar, r, 1, _NOTHING, e)
