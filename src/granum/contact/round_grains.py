"""Round grains where they touch, for all solvers."""

from __future__ import annotations

from granum.base.kernels import Floats, inlined
from granum.state.table import SX, SY, SZ, VX, VY, VZ


@inlined
def relative(v: Floats, i: int, j: int, nx: float, ny: float, nz: float) -> tuple[float, float, float]:
    """u = v_j - v_i - (s_i + s_j) × n, the velocity of j against i where they touch."""
    sx, sy, sz = v[i, SX] + v[j, SX], v[i, SY] + v[j, SY], v[i, SZ] + v[j, SZ]
    return (v[j, VX] - v[i, VX] - (sy * nz - sz * ny), v[j, VY] - v[i, VY] - (sz * nx - sx * nz),
            v[j, VZ] - v[i, VZ] - (sx * ny - sy * nx))
