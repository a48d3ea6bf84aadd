"""Drag in a flow: uniform, a profile about an axis, or velocities on a grid.

Drag is m dv/dt = m c |w| w with w = u - v and m c = ½ ρ A C_D C_A (Sun 1996, eq. 4.8). With u and c held for a step
h, in which all else adds b to the velocity, it adds

    Δv = ½ c h (|w| w⁺ + |w⁺| w),    w⁺ = w - b - Δv,

which is symmetric in the beginning and the end of the step, and so of second order. Without anything else, b = 0, it is
exact and never overshoots u whatever the step. Where contact holds a grain, b = -Δv, it is c h |w| w: the drag at rest.
`moreau` knows b of single grains: gravity, other loads, and impulses of contacts that last. Elsewhere b is 0, and loads
act one after the other.

With a viscosity ν, C_D depends on the Reynolds number Re = |w| d/ν (4.9), and m dv/dt = m k w with k = c |w|. For a k
that is held for the step,

    Δv = k h φ w - (1 - φ) b,    w⁺ = exp(-k h) w - φ b,    φ = (1 - exp(-k h))/(k h).

With k at w this gives w⁺, and k at w and that w⁺, in the mean, gives Δv. That is of second order, never overshoots u,
and is exact at any step where k is constant (Stokes), where contact holds a grain and at the terminal velocity: there
w⁺ = w.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats, Ints, kernel
from granum.base.pointers import FloatGrid, block_reader, carray, right_hand_side
from granum.base.text import count
from granum.grains.loads.flow import grid_flow, profile_factor, read_grid
from granum.grains.loads.load import PAIRS, Compiler, GrainLoad, H, LoadedGrains, compiles, read_grains
from granum.grains.loads.shadows import SHADOW, add_shadows
from granum.model.loads import Drag
from granum.model.loads import Profile as FlowProfile
from granum.state.table import IM, KM, VX, VY, VZ, R, X, Y, Z

COEFFICIENT, LEAST, DIMENSION, SHADED, VISCOSITY = range(5)
"""Numbers of a drag: ½ ρ C_D [kg/m³], or ½ ρ where C_D is a function of Re; the least exposure C_A; 2 or 3; 1 where
grains shade each other; and the kinematic viscosity [m²/s] or 0."""
LARGEST_REYNOLDS = 2e5
"""Up to which the drag curves hold: above, the boundary layer becomes turbulent and C_D drops."""


class Uniform(NamedTuple):
    """A flow that is the same everywhere."""

    drag: Floats
    velocity: Floats
    outside: Ints
    """(1,): the most grains beyond the drag curve at one time."""


class Profile(NamedTuple):
    """A profile about an axis."""

    drag: Floats
    velocity: Floats
    across: Floats
    """The part of the velocity across the axis, the same everywhere [m/s]."""
    axis: Floats
    direction: Floats
    extent: Floats
    """HALF_WIDTH of the profile, and where it BEGINs along its direction [m]."""
    outside: Ints
    """(1,): the most grains beyond the drag curve at one time."""


class OnGrid(NamedTuple):
    """Velocities on a grid, as `Grid` has them."""

    drag: Floats
    lower: Floats
    spacing: Floats
    size: Ints
    velocity: FloatGrid
    outside: Ints
    """(1,): the most grains that were outside the grid or beyond the drag curve at one time."""


HALF_WIDTH, BEGIN = 0, 1
read_uniform, read_profile, read_on_grid = block_reader(Uniform), block_reader(Profile), block_reader(OnGrid)


class DragOnGrains(GrainLoad):
    """Drag in a flow of one of these kinds."""

    last = True

    def __init__(self, function: right_hand_side, flow: Uniform | Profile | OnGrid) -> None:
        self.function, self.flow = function, flow
        self.needs_contacts = bool(flow.drag[SHADED])

    def copy(self, outside: Ints) -> GrainLoad:
        """With a counter of its own."""
        assert self.function is not None
        return DragOnGrains(self.function, self.flow._replace(outside=outside))

    def own(self) -> Uniform | Profile | OnGrid:
        """The flow."""
        return self.flow


def outside_notes(name: str, load: Drag, most: int) -> list[str]:
    """That grains left the grid of a flow or the range of the drag curve, as a user reads it."""
    beyond = (f"a Reynolds number above {LARGEST_REYNOLDS:g}, beyond which the drag curve does not hold. Give "
              "drag_coefficient instead of kinematic_viscosity")
    at_a_time = f"load.{name}: up to {count(most, 'grain')} at a time"
    if not most or (load.velocity_field is None and load.kinematic_viscosity is None):
        return []
    if load.velocity_field is None:
        return [f"{at_a_time} had {beyond}."]
    outside = (f"outside the grid of {Path(load.velocity_field).name}, where the velocity at the nearest edge was "
               "used")
    return [f"{at_a_time} {outside}." if load.kinematic_viscosity is None else f"{at_a_time} {outside}, or with "
            f"{beyond}."]


@compiles(Drag)
def compile_drag(compiler: Compiler, name: str, load: Drag, outside: Ints) -> GrainLoad | None:
    """Drag by the kind of its flow."""
    velocity = np.zeros(3) if load.velocity is None else compiler.vector(f"load.{name}.velocity", load.velocity)
    coefficient = 1.0 if load.drag_coefficient is None else load.drag_coefficient
    drag = np.array([0.5 * load.density * coefficient, load.min_exposure, compiler.dimension, load.shadow,
                     load.kinematic_viscosity or 0.0])
    if load.velocity_field is not None:
        try:
            grid = read_grid(compiler.folder / load.velocity_field, compiler.dimension)
        except GranumError as error:
            compiler.problem(f"load.{name}.velocity_field", str(error))
            return None
        return DragOnGrains(drag_on_grid, OnGrid(drag, *grid, outside))
    if load.profile is None:
        return DragOnGrains(drag_in_uniform_flow, Uniform(drag, velocity, outside))
    return _profile(compiler, f"load.{name}", load.profile, drag, velocity, outside)


def _profile(compiler: Compiler, key: str, profile: FlowProfile, drag: Floats, velocity: Floats,
             outside: Ints) -> GrainLoad | None:
    """Drag in a profile about an axis; what the velocity has across the axis is the same everywhere."""
    along, across = velocity, np.zeros(3)
    if profile.axis is None:
        direction = velocity
    else:
        direction = compiler.vector(f"{key}.profile.axis", profile.axis)
        along = direction * (velocity @ direction) / (direction @ direction)
        across = velocity - along
    if not np.any(along):
        compiler.problem(f"{key}.velocity", "is zero, but a profile needs the direction of the mean velocity."
                         if profile.axis is None else "is zero along the axis of the profile.",
                         "Give a velocity, or remove the profile.")
        return None
    direction = direction / np.linalg.norm(direction)
    position, begin = compiler.vector(f"{key}.profile.position", profile.position), -math.inf
    if profile.inlet is not None:
        begin = float(compiler.vector(f"{key}.profile.inlet", profile.inlet) @ direction)
    return DragOnGrains(drag_in_profile, Profile(drag, along, across, position, direction,
                                                 np.array([profile.half_width, begin]), outside))


@right_hand_side
def drag_in_uniform_flow(t: float, grains_: Any, step_: Any, own_: Any) -> int:
    """Drag where the flow is the same everywhere."""
    grains, step, flow = read_grains(grains_), carray(step_, 2), read_uniform(own_)
    add_uniform(grains.v, flow.velocity, grains.room)
    note_outside(flow.outside, drag_grains(grains, flow.drag, step))
    return -1


@right_hand_side
def drag_in_profile(t: float, grains_: Any, step_: Any, own_: Any) -> int:
    """Drag by the distance from an axis."""
    grains, step, flow = read_grains(grains_), carray(step_, 2), read_profile(own_)
    add_profile(int(flow.drag[DIMENSION]), grains.x, grains.v, flow, grains.room)
    note_outside(flow.outside, drag_grains(grains, flow.drag, step))
    return -1


@right_hand_side
def drag_on_grid(t: float, grains_: Any, step_: Any, own_: Any) -> int:
    """Drag with velocities that are interpolated, and those of the nearest edge outside of the grid."""
    grains, step, flow = read_grains(grains_), carray(step_, 2), read_on_grid(own_)
    far = add_grid(grains.x, grains.v, flow, grains.room)
    note_outside(flow.outside, far + drag_grains(grains, flow.drag, step))
    return -1


@kernel
def note_outside(outside: Ints, now: int) -> None:
    """Keep the largest number of grains so far."""
    outside[0] = max(outside[0], now)


@kernel
def drag_grains(grains: LoadedGrains, numbers: Floats, step: Floats) -> int:
    """Drag by what each grain meets, which is in the room of the grains; returns how many are beyond the drag curve."""
    dimension = int(numbers[DIMENSION])
    if numbers[SHADED] != 0.0:
        add_shadows(dimension, grains.x, grains.pairs[: int(step[PAIRS])], grains.room)
    return drag(dimension, numbers, grains.x, grains.v, step[H], grains.room, grains.others)


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
    u, across, axis, direction = flow.velocity, flow.across, flow.axis, flow.direction
    for i in range(len(x)):
        px, py, pz = x[i, X] - axis[X], x[i, Y] - axis[Y], x[i, Z] - axis[Z]
        ahead = px * direction[X] + py * direction[Y] + pz * direction[Z]
        factor = 1.0
        if x[i, X] * direction[X] + x[i, Y] * direction[Y] + x[i, Z] * direction[Z] > flow.extent[BEGIN]:
            px, py, pz = px - ahead * direction[X], py - ahead * direction[Y], pz - ahead * direction[Z]
            factor = profile_factor(dimension, math.sqrt(px * px + py * py + pz * pz), flow.extent[HALF_WIDTH])
        meet(v, i, factor * u[X] + across[X], factor * u[Y] + across[Y], factor * u[Z] + across[Z], relative)


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
def drag(dimension: int, numbers: Floats, x: Floats, v: Floats, h: float, relative: Floats, others: Floats) -> int:
    """Drag on every grain: Δv of the equations above with w = u - v and c = ½ ρ A C_D C_A/m.

    Returns how many are beyond the drag curve.
    """
    ox, oy, oz, beyond = 0.0, 0.0, 0.0, 0
    viscosity = numbers[VISCOSITY]
    for i in range(len(x)):
        wx, wy, wz = relative[i, X], relative[i, Y], relative[i, Z]
        square = wx**2 + wy**2 + wz**2
        if (square == 0.0 and viscosity == 0.0) or v[i, IM] == 0.0:
            continue
        # C_A (Sun 1996, eq. 4.13); least is not negative, which clips k
        attenuation = max(numbers[LEAST], 1.0 - relative[i, SHADOW])
        cylinder = is_cylinder(dimension, v[i, IM], v[i, KM])
        c = numbers[COEFFICIENT] * projected_area(cylinder, x[i, R]) * attenuation * v[i, IM]
        if len(others) > 0:
            ox, oy, oz = others[i, X], others[i, Y], others[i, Z]
        if viscosity > 0.0:
            along, across = viscous_parts(cylinder, c, viscosity, 2.0 * x[i, R], h, (wx, wy, wz), (ox, oy, oz))
            v[i, VX] += along * wx - across * ox
            v[i, VY] += along * wy - across * oy
            v[i, VZ] += along * wz - across * oz
            beyond += math.sqrt(square) * 2.0 * x[i, R] > LARGEST_REYNOLDS * viscosity
            continue
        slowing = c * h * math.sqrt(square)
        # |w| w⁺ alone gives w⁺ to first order, and is exact where it keeps its direction
        px, py, pz = wx - ox, wy - oy, wz - oz
        later = c * h * math.sqrt(px * px + py * py + pz * pz) / (1.0 + slowing)
        along, across = 0.5 * slowing / (1.0 + 0.5 * slowing), 0.5 * later / (1.0 + 0.5 * slowing)
        v[i, VX] += along * px + across * wx
        v[i, VY] += along * py + across * wy
        v[i, VZ] += along * pz + across * wz
    return beyond


@kernel
def viscous_parts(cylinder: bool, c: float, viscosity: float, d: float, h: float, w: tuple[float, float, float],
                  b: tuple[float, float, float]) -> tuple[float, float]:
    """Factors of w and -b in Δv where C_D depends on the Reynolds number: k h φ and 1 - φ."""
    scale, per_speed = c * h * viscosity / d, d / viscosity
    first = scale * drag_curve(cylinder, per_speed * math.sqrt(w[X] ** 2 + w[Y] ** 2 + w[Z] ** 2))
    decay, phi = math.exp(-first), mean_decay(first)
    px, py, pz = decay * w[X] - phi * b[X], decay * w[Y] - phi * b[Y], decay * w[Z] - phi * b[Z]
    z = 0.5 * (first + scale * drag_curve(cylinder, per_speed * math.sqrt(px * px + py * py + pz * pz)))
    phi = mean_decay(z)
    return z * phi, 1.0 - phi


@kernel
def mean_decay(z: float) -> float:
    """φ(z) = (1 - exp(-z))/z."""
    return -math.expm1(-z) / z if z > 0.0 else 1.0


@kernel
def drag_curve(cylinder: bool, re: float) -> float:
    """C_D Re, measured up to Re = 2e5: of spheres by Clift and Gauvin (1971), which is 24 for Re → 0 (Stokes), of
    cylinders across the flow by Sucker and Brauer (1975).
    """
    if cylinder:
        return 1.18 * re + 6.8 * re**0.11 + 1.96 * math.sqrt(re) - 0.0004 * re * re / (1.0 + 3.64e-7 * re * re)
    return 24.0 + 3.6 * re**0.687 + 0.42 * re**2.16 / (re**1.16 + 42500.0)


@kernel
def is_cylinder(dimension: int, im: float, km: float) -> bool:
    """Is a grain a disk? In 2-D one with κ = m r²/I = 2 is."""
    return dimension == 2 and abs(km - 2.0 * im) < 1e-9 * im


@kernel
def projected_area(cylinder: bool, r: float) -> float:
    """π r² of a sphere, 2 r times the thickness of 1 m of a disk."""
    return 2.0 * r if cylinder else math.pi * r * r
