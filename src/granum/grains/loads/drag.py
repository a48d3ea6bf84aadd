"""Drag in a flow: uniform, a profile about an axis, or velocities on a grid.

Drag is m dv/dt = m c |w| w with w = u - v and m c = ½ ρ A C_D C_A (Sun 1996, eq. 4.8). With u and c held for a step
h, in which all else adds b to the velocity, it adds

    Δv = ½ c h (|w| w⁺ + |w⁺| w),    w⁺ = w - b - Δv,

which is symmetric in the beginning and the end of the step, and so of second order. Without anything else, b = 0, it is
exact and never overshoots u whatever the step. Where contact holds a grain, b = -Δv, it is c h |w| w: the drag at rest.
`moreau` knows b of single grains: gravity, other loads, and impulses of contacts that last. Elsewhere b is 0, and loads
act one after the other.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats, Ints, kernel
from granum.base.pointers import FloatGrid, block_reader, carray, right_hand_side
from granum.base.text import count
from granum.grains.loads.flow import grid_flow, profile_factor, read_grid
from granum.grains.loads.load import PAIRS, Compiler, GrainLoad, H, LoadedGrains, compiles, read_grains
from granum.grains.loads.shadows import SHADOW, add_shadows
from granum.grains.state import IM, KM, VX, VY, VZ, R, X, Y, Z
from granum.model.loads import Drag

COEFFICIENT, LEAST, DIMENSION, SHADED = range(4)
"""Numbers of a drag: ½ ρ C_D [kg/m³], the least exposure C_A, 2 or 3, and 1 where grains shade each other."""


class Uniform(NamedTuple):
    """A flow that is the same everywhere."""

    drag: Floats
    velocity: Floats


class Profile(NamedTuple):
    """A profile about an axis, which runs along the mean velocity."""

    drag: Floats
    velocity: Floats
    axis: Floats
    direction: Floats
    extent: Floats
    """HALF_WIDTH of the profile, and where it BEGINs along its direction [m]."""


class OnGrid(NamedTuple):
    """Velocities on a grid, as `Grid` has them."""

    drag: Floats
    lower: Floats
    spacing: Floats
    size: Ints
    velocity: FloatGrid
    outside: Ints
    """(1,): the most grains that were outside the grid at one time."""


HALF_WIDTH, BEGIN = 0, 1
read_uniform, read_profile, read_on_grid = block_reader(Uniform), block_reader(Profile), block_reader(OnGrid)


class DragOnGrains(GrainLoad):
    """Drag in a flow of one of these kinds."""

    last = True

    def __init__(self, function: right_hand_side, flow: Uniform | Profile | OnGrid) -> None:
        self.function, self.flow = function, flow
        self.needs_contacts = bool(flow.drag[SHADED])

    def own(self) -> Uniform | Profile | OnGrid:
        """The flow."""
        return self.flow


def outside_note(load: str, file: str, most: int) -> str:
    """That grains left the grid of a flow, as a user reads it."""
    return (f"load.{load}: up to {count(most, 'grain')} at a time outside the grid of {file}, where the velocity at "
            "the nearest edge was used.")


@compiles(Drag)
def compile_drag(compiler: Compiler, name: str, load: Drag, outside: Ints) -> GrainLoad | None:
    """Drag by the kind of its flow."""
    velocity = np.zeros(3) if load.velocity is None else compiler.vector(f"load.{name}.velocity", load.velocity)
    drag = np.array([0.5 * load.density * load.drag_coefficient, load.min_exposure, compiler.dimension, load.shadow])
    if load.velocity_field is not None:
        try:
            grid = read_grid(compiler.folder / load.velocity_field, compiler.dimension)
        except GranumError as error:
            compiler.problem(f"load.{name}.velocity_field", str(error))
            return None
        return DragOnGrains(drag_on_grid, OnGrid(drag, *grid, outside))
    if load.profile is None:
        return DragOnGrains(drag_in_uniform_flow, Uniform(drag, velocity))
    if not np.any(velocity):
        compiler.problem(f"load.{name}.velocity", "is zero, but a profile needs the direction of the mean velocity.",
                         "Give a velocity, or remove the profile.")
        return None
    key = f"load.{name}.profile"
    axis = compiler.vector(f"{key}.position", load.profile.position)
    direction = velocity / np.linalg.norm(velocity)
    begin = -math.inf
    if load.profile.inlet is not None:
        begin = float(compiler.vector(f"{key}.inlet", load.profile.inlet) @ direction)
    return DragOnGrains(drag_in_profile, Profile(drag, velocity, axis, direction,
                                                 np.array([load.profile.half_width, begin])))


@right_hand_side
def drag_in_uniform_flow(t: float, grains_: Any, step_: Any, own_: Any) -> int:
    """Drag where the flow is the same everywhere."""
    grains, step, flow = read_grains(grains_), carray(step_, 2), read_uniform(own_)
    add_uniform(grains.v, flow.velocity, grains.room)
    drag_grains(grains, flow.drag, step)
    return -1


@right_hand_side
def drag_in_profile(t: float, grains_: Any, step_: Any, own_: Any) -> int:
    """Drag by the distance from an axis."""
    grains, step, flow = read_grains(grains_), carray(step_, 2), read_profile(own_)
    add_profile(int(flow.drag[DIMENSION]), grains.x, grains.v, flow, grains.room)
    drag_grains(grains, flow.drag, step)
    return -1


@right_hand_side
def drag_on_grid(t: float, grains_: Any, step_: Any, own_: Any) -> int:
    """Drag with velocities that are interpolated, and those of the nearest edge outside of the grid."""
    grains, step, flow = read_grains(grains_), carray(step_, 2), read_on_grid(own_)
    flow.outside[0] = max(flow.outside[0], add_grid(grains.x, grains.v, flow, grains.room))
    drag_grains(grains, flow.drag, step)
    return -1


@kernel
def drag_grains(grains: LoadedGrains, numbers: Floats, step: Floats) -> None:
    """Drag by what each grain meets, which is in the room of the grains."""
    dimension = int(numbers[DIMENSION])
    if numbers[SHADED] != 0.0:
        add_shadows(dimension, grains.x, grains.pairs[: int(step[PAIRS])], grains.room)
    drag(dimension, numbers[COEFFICIENT], numbers[LEAST], grains.x, grains.v, step[H], grains.room, grains.others)


@kernel
def add_uniform(v: Floats, u: Floats, relative: Floats) -> None:
    """What grains meet: the flow relative to them, and no shadow yet."""
    for i in range(len(v)):
        meet(v, i, u[X], u[Y], u[Z], relative)


@kernel
def meet(v: Floats, i: int, ux: float, uy: float, uz: float, relative: Floats) -> None:
    """Grain i meets the flow u relative to it, and no shadow yet."""
    relative[i, X], relative[i, Y], relative[i, Z] = ux - v[i, VX], uy - v[i, VY], uz - v[i, VZ]
    relative[i, SHADOW] = 0.0


@kernel
def add_profile(dimension: int, x: Floats, v: Floats, flow: Profile, relative: Floats) -> None:
    """The mean velocity upstream of the beginning, then the profile by the distance from the axis."""
    u, axis, direction = flow.velocity, flow.axis, flow.direction
    for i in range(len(x)):
        px, py, pz = x[i, X] - axis[X], x[i, Y] - axis[Y], x[i, Z] - axis[Z]
        ahead = px * direction[X] + py * direction[Y] + pz * direction[Z]
        factor = 1.0
        if x[i, X] * direction[X] + x[i, Y] * direction[Y] + x[i, Z] * direction[Z] > flow.extent[BEGIN]:
            px, py, pz = px - ahead * direction[X], py - ahead * direction[Y], pz - ahead * direction[Z]
            factor = profile_factor(dimension, math.sqrt(px * px + py * py + pz * pz), flow.extent[HALF_WIDTH])
        meet(v, i, factor * u[X], factor * u[Y], factor * u[Z], relative)


@kernel
def add_grid(x: Floats, v: Floats, flow: OnGrid, relative: Floats) -> int:
    """The flow on a grid; returns how many grains are outside of it."""
    outside = 0
    for i in range(len(x)):
        ux, uy, uz, far = grid_flow(flow.lower, flow.spacing, flow.size, flow.velocity, x[i, X], x[i, Y], x[i, Z])
        outside += far
        meet(v, i, ux, uy, uz, relative)
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
        # C_A (Sun 1996, eq. 4.13); least is not negative, which clips k
        attenuation = max(least, 1.0 - relative[i, SHADOW])
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
