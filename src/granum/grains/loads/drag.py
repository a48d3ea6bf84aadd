"""Drag in a flow: uniform, a profile about an axis, or velocities on a grid.

Drag is m dv/dt = m c |w| w with w = u - v and m c = ½ ρ A C_D C_A (002 eq 4.8). With u and c held for a step h, in
which all else adds b to the velocity, it adds

    Δv = ½ c h (|w| w⁺ + |w⁺| w),    w⁺ = w - b - Δv,

which is symmetric in the beginning and the end of the step, and so of second order. Without anything else, b = 0, it is
exact and never overshoots u whatever the step. Where contact holds a grain, b = -Δv, it is c h |w| w: the drag at rest.
`moreau` knows b of single grains: gravity, other loads, and impulses of contacts that last. Elsewhere b is 0, and loads
act one after the other.
"""

from __future__ import annotations

import math

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats, Ints, kernel
from granum.grains.loads.flow import Grid, grid_flow, profile_factor, read_grid
from granum.grains.loads.load import Compiler, GrainLoad, Moment, compiles
from granum.grains.loads.shadows import SHADOW, add_shadows
from granum.grains.state import IM, KM, VX, VY, VZ, R, X, Y, Z
from granum.model.loads import Drag


class DragOnGrains(GrainLoad):
    """Drag in a uniform flow; profiles and grids have other velocities."""

    last = True

    def __init__(self, load: Drag, velocity: Floats, dimension: int) -> None:
        self.velocity, self.dimension = velocity, dimension
        self.coefficient = 0.5 * load.density * load.drag_coefficient
        self.least, self.needs_contacts = load.min_exposure, load.shadow
        self._relative = np.zeros((0, 4))

    def apply(self, moment: Moment) -> int:
        """Δv of the flow that each grain meets."""
        if len(self._relative) < len(moment.x):
            self._relative = np.zeros((len(moment.x) + len(moment.x) // 4, 4))
        relative = self._relative
        relative[: len(moment.x), :SHADOW], relative[: len(moment.x), SHADOW] = -moment.v[:, VX:VZ + 1], 0.0
        self.add_flow(moment.x, relative)
        if self.needs_contacts:
            add_shadows(self.dimension, moment.x, moment.pairs, relative)
        drag(self.dimension, self.coefficient, self.least, moment.x, moment.v, moment.h, relative, moment.others)
        return -1

    def add_flow(self, x: Floats, relative: Floats) -> None:
        """Add the flow at the centre of every grain to its row."""
        relative[: len(x), :SHADOW] += self.velocity


class ProfileDrag(DragOnGrains):
    """Drag in a profile about an axis, which runs along the mean velocity."""

    def __init__(self, load: Drag, velocity: Floats, dimension: int, axis: Floats, inlet: Floats | None) -> None:
        super().__init__(load, velocity, dimension)
        assert load.profile is not None
        self.axis, self.half_width = axis, load.profile.half_width
        self.direction = velocity / np.linalg.norm(velocity)
        self.begin = -math.inf if inlet is None else float(inlet @ self.direction)

    def add_flow(self, x: Floats, relative: Floats) -> None:
        """By the distance from the axis."""
        add_profile(self.dimension, x, self.velocity, self.axis, self.direction, self.half_width, self.begin, relative)


class GridDrag(DragOnGrains):
    """Drag with velocities on a grid."""

    def __init__(self, load: Drag, velocity: Floats, dimension: int, grid: Grid, outside: Ints) -> None:
        super().__init__(load, velocity, dimension)
        self.grid, self.outside = grid, outside

    def add_flow(self, x: Floats, relative: Floats) -> None:
        """Interpolated, and at the nearest edge outside of the grid."""
        grid = self.grid
        outside = add_grid(x, grid.lower, grid.spacing, grid.size, grid.velocity, relative)
        self.outside[0] = max(outside, self.outside[0])


def outside_note(load: str, file: str, most: int) -> str:
    """That grains left the grid of a flow, as a user reads it."""
    return (f"load.{load}: up to {most} grains at a time were outside the grid of {file}; there they met the flow of "
            "its nearest edge.")


@compiles(Drag)
def compile_drag(compiler: Compiler, name: str, load: Drag, outside: Ints) -> GrainLoad | None:
    """Drag by the kind of its flow."""
    velocity = np.zeros(3) if load.velocity is None else compiler.vector(f"load.{name}.velocity", load.velocity)
    if load.velocity_field is not None:
        try:
            grid = read_grid(compiler.folder / load.velocity_field, compiler.dimension)
        except GranumError as error:
            compiler.problem(f"load.{name}.velocity_field", str(error))
            return None
        return GridDrag(load, velocity, compiler.dimension, grid, outside)
    if load.profile is None:
        return DragOnGrains(load, velocity, compiler.dimension)
    if not np.any(velocity):
        compiler.problem(f"load.{name}.velocity", "is zero, but a profile runs in the direction of the mean velocity.",
                         "Give a velocity, or leave the profile out.")
        return None
    key = f"load.{name}.profile"
    axis = compiler.vector(f"{key}.position", load.profile.position)
    inlet = None if load.profile.inlet is None else compiler.vector(f"{key}.inlet", load.profile.inlet)
    return ProfileDrag(load, velocity, compiler.dimension, axis, inlet)


@kernel
def add_profile(
    dimension: int, x: Floats, u: Floats, axis: Floats, direction: Floats, half_width: float, begin: float,
    relative: Floats,
) -> None:
    """The mean velocity upstream of the beginning, then the profile by the distance from the axis."""
    for i in range(len(x)):
        px, py, pz = x[i, X] - axis[X], x[i, Y] - axis[Y], x[i, Z] - axis[Z]
        ahead = px * direction[X] + py * direction[Y] + pz * direction[Z]
        factor = 1.0
        if x[i, X] * direction[X] + x[i, Y] * direction[Y] + x[i, Z] * direction[Z] > begin:
            px, py, pz = px - ahead * direction[X], py - ahead * direction[Y], pz - ahead * direction[Z]
            factor = profile_factor(dimension, math.sqrt(px * px + py * py + pz * pz), half_width)
        relative[i, X] += factor * u[X]
        relative[i, Y] += factor * u[Y]
        relative[i, Z] += factor * u[Z]


@kernel
def add_grid(x: Floats, lower: Floats, spacing: Floats, size: Ints, velocity: Floats, relative: Floats) -> int:
    """The flow on a grid; returns how many grains are outside of it."""
    outside = 0
    for i in range(len(x)):
        ux, uy, uz, far = grid_flow(lower, spacing, size, velocity, x[i, X], x[i, Y], x[i, Z])
        outside += far
        relative[i, X] += ux
        relative[i, Y] += uy
        relative[i, Z] += uz
    return outside


@kernel
def drag(
    dimension: int, coefficient: float, least: float, x: Floats, v: Floats, h: float, relative: Floats, others: Floats,
) -> None:
    """Drag on every grain, Δv of the equation above with w = u - v and c = ½ ρ A C_D C_A/m."""
    ox, oy, oz = 0.0, 0.0, 0.0
    for i in range(len(x)):
        wx, wy, wz = relative[i, X], relative[i, Y], relative[i, Z]
        square = wx**2 + wy**2 + wz**2
        if square == 0.0 or v[i, IM] == 0.0:
            continue
        attenuation = max(least, 1.0 - relative[i, SHADOW])  # C_A (002 eq 4.13); least is not negative, which clips k
        c = coefficient * projected_area(dimension, x[i, R], v[i, IM], v[i, KM]) * attenuation * v[i, IM]
        slowing = c * h * math.sqrt(square)
        if len(others) > 0:
            ox, oy, oz = others[i, X], others[i, Y], others[i, Z]
        # |w| w⁺ alone gives w⁺ to first order, and is exact where it keeps its direction
        px, py, pz = wx - ox, wy - oy, wz - oz
        later = c * h * math.sqrt(px * px + py * py + pz * pz) / (1.0 + slowing)
        along, across = 0.5 * slowing / (1.0 + 0.5 * slowing), 0.5 * later / (1.0 + 0.5 * slowing)
        v[i, VX] += along * px + across * wx
        v[i, VY] += along * py + across * wy
        v[i, VZ] += along * pz + across * wz


@kernel
def projected_area(dimension: int, r: float, im: float, km: float) -> float:
    """π r² of a sphere, 2 r times the thickness of 1 m of a disk; in the plane a grain with κ = m r²/I = 2 is one."""
    if dimension == 2 and abs(km - 2.0 * im) < 1e-9 * im:
        return 2.0 * r
    return math.pi * r * r
