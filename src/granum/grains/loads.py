"""Loads on grains: forces on single ones, drag in a flow with shadows, fields of force; gravity for the stepper.

Every load changes velocities by itself, one after the other in the order of the scene, and its work is what it adds
to the kinetic energy: m (v⁺ - v)·(v⁺ + v)/2. So the ledger of energy closes to round-off at any step.

Drag is m dv/dt = m c |u - v| (u - v) with m c = ½ ρ A C_D C_A (002 eq 4.8). With u and c held for a step h the relative
velocity w = |u - v| keeps its direction and dw/dt = -c w², thus

    v⁺ = v + (u - v) · c h w/(1 + c h w),

which is exact for a flow at rest or uniform, in any dimension, and never overshoots u whatever the step.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from granum.algebra.compiled import Compiled
from granum.algebra.parse import parse
from granum.base.errors import GranumError, Problem, SceneError, did_you_mean
from granum.base.kernels import Flags, Floats, Ints, kernel
from granum.base.pointers import call_rates
from granum.grains.flow import Grid, grid_flow, profile_factor, read_grid
from granum.grains.state import IM, KM, VX, VY, VZ, Grains, Int32s, R, X, Y, Z
from granum.model.loads import Drag, Force, ForceField, Gravity, Load
from granum.model.scene import Scene

ON_ONE, DRAG, FIELD = 0, 1, 2
"""Kinds of loads."""
UNIFORM, PROFILE, GRID = 0, 1, 2
"""Kinds of flows."""
LEAST_FLOW = 1e-200
"""Square of a relative velocity [m²/s²] below which it has no direction."""
_ARGUMENTS = ("x", "y", "z", "vx", "vy", "vz", "m", "r")
"""What a formula is computed from, besides t."""


class LoadTable(NamedTuple):
    """Loads as kernels see them, one row for each; columns that do not belong to a kind are zero."""

    dimension: int
    kind: Ints
    number: Ints
    """Grain that a force acts on."""
    vector: Floats
    """(loads, 3): force [N], or velocity of the flow [m/s]."""
    coefficient: Floats
    """½ ρ C_D [kg/m³]."""
    shadow: Flags
    least: Floats
    """Least C_A."""
    flow: Ints
    axis: Floats
    """(loads, 3): a point of the axis of a profile [m]."""
    direction: Floats
    """(loads, 3): its direction."""
    half_width: Floats
    """[m]"""
    begin: Floats
    """Where the profile begins, along the direction [m]; minus infinity where it is everywhere."""
    lower: Floats
    """(loads, 3): lowest corner of a grid [m]; `spacing`, `size` and first row among `velocity` belong to it."""
    spacing: Floats
    size: Ints
    first: Ints
    velocity: Floats
    """(points, 3): velocities of all grids [m/s]."""
    address: Ints
    """Compiled formulas of a field."""
    arguments: Floats
    """(8,) and (3,): room for what formulas take and give."""
    result: Floats
    outside: Ints
    """(loads,): the most grains that were outside a grid at one time."""


@dataclass
class GrainLoads:
    """All loads of a scene on grains."""

    names: tuple[str, ...]
    """Loads that `kick` applies and books, in the order of their columns; gravity is not among them."""
    gravity: Floats
    """(3,): sum of all gravity [m/s²]; the stepper applies it."""
    table: LoadTable
    _formulas: list[Compiled] = field(default_factory=list)
    """Kept, so that the addresses in the table stay good."""
    _files: dict[str, str] = field(default_factory=dict)
    _relative: Floats = field(default_factory=lambda: np.zeros((0, 4)))

    @property
    def need_contacts(self) -> bool:
        """Does a load depend on which grains touch?"""
        return bool(np.any(self.table.shadow))

    def room(self, count: int) -> Floats:
        """(at least count, 4): room that `apply_loads` needs for so many grains."""
        if len(self._relative) < count:
            self._relative = np.zeros((count + count // 4, 4))
        return self._relative

    def kick(self, grains: Grains, pairs: Int32s, count: int, h: float, work: Floats) -> None:
        """Change velocities by h F/m at time `grains.t`, and add each load's work [J] to its column of `work`.

        The first `count` rows of `pairs` are the rows (i, j) of grains that touch. Raises if a formula has no value.
        """
        if not self.names:
            return
        status = apply_loads(self.table, grains.x, grains.v, grains.number, pairs, count, grains.t, h,
                             self.room(grains.count), work)
        if status >= 0:
            raise self.failure(status, grains)

    def failure(self, status: int, grains: Grains) -> GranumError:
        """What a status of `apply_loads` of zero or more says."""
        load, row = divmod(status, grains.count)
        x, v = grains.x[row], grains.v[row]
        at = ", ".join(f"{c:g}" for c in x[: self.table.dimension])
        moving = ", ".join(f"{c:g}" for c in v[: self.table.dimension])
        return GranumError(f"load.{self.names[load]}.force has no finite value at t = {grains.t:g} s for grain "
                           f"{grains.number[row]} at ({at}) m with velocity ({moving}) m/s, r = {x[R]:g} m.\n"
                           "  Change the formula so that it has one wherever grains come.")

    def notes(self) -> list[str]:
        """What a user should know after a run."""
        return [f"load.{name}: up to {most} grains at a time were outside the grid of {self._files[name]}; "
                "there they met the flow of its nearest edge."
                for name, most in zip(self.names, self.table.outside.tolist(), strict=True) if most]


def compile_loads(scene: Scene, dimension: int, folder: Path) -> GrainLoads:
    """Loads of a scene on its grains; files with velocities are looked for in `folder`. Raises SceneError."""
    compiler = _Compiler(scene, dimension, folder)
    if compiler.problems:
        raise SceneError(compiler.problems)
    return compiler.loads


class _Compiler:
    """Fills the table load by load, and collects what is wrong."""

    def __init__(self, scene: Scene, dimension: int, folder: Path) -> None:
        self.scene, self.dimension, self.folder = scene, dimension, folder
        self.problems: list[Problem] = []
        self.grids: list[Grid] = []
        kicking = {name: load for name, load in scene.load.items() if not isinstance(load, Gravity)}
        self.table = _empty(dimension, len(kicking))
        self.loads = GrainLoads(tuple(kicking), np.zeros(3), self.table)
        for name, load in scene.load.items():
            if isinstance(load, Gravity):
                self.loads.gravity += self.vector(f"load.{name}.acceleration", load.acceleration)
        for row, (name, load) in enumerate(kicking.items()):
            self.add(row, name, load)
        if self.grids:
            self.loads.table = self.table._replace(velocity=np.concatenate([grid.velocity for grid in self.grids]))

    def problem(self, place: str, finding: str, remedy: str = "") -> None:
        """Note a mistake."""
        self.problems.append(Problem(place, finding, remedy))

    def vector(self, place: str, value: Sequence[float]) -> Floats:
        """Three components; a problem if there are not as many as the scene has."""
        if len(value) != self.dimension:
            self.problem(place, f"has {len(value)} components, but the scene is {self.dimension}-D.",
                         "Give all vectors of a scene the same number of components.")
        return np.array([*value, 0.0][:3])

    def add(self, row: int, name: str, load: Load) -> None:
        """One load into its row."""
        if isinstance(load, Force):
            self.force(row, name, load)
        elif isinstance(load, Drag):
            self.drag(row, name, load)
        elif isinstance(load, ForceField):
            self.field(row, name, load)
        else:
            self.problem(f"load.{name}", f'kind "{load.kind}" does not act on grains.',
                         "Among grains there are gravity, force, drag and field.")

    def force(self, row: int, name: str, load: Force) -> None:
        """A constant force on the grain that a body is; bodies come first, so its number is that in the scene."""
        bodies = list(self.scene.body)
        body, _, point = load.on.partition(".")
        if body not in bodies:
            self.problem(f"load.{name}.on", f'there is no body "{body}".', did_you_mean(body, bodies, "body"))
        elif point:
            self.problem(f"load.{name}.on", f"found {load.on!r}, but a force on a grain acts at its centre.",
                         f'Write on = "{body}".')
        else:
            self.table.number[row] = bodies.index(body)
        self.table.kind[row] = ON_ONE
        self.table.vector[row] = self.vector(f"load.{name}.force", load.force)

    def drag(self, row: int, name: str, load: Drag) -> None:
        """Drag in a uniform flow, a profile or a grid."""
        table = self.table
        table.kind[row] = DRAG
        table.coefficient[row] = 0.5 * load.density * load.coefficient
        table.shadow[row], table.least[row] = load.shadow, load.least
        if load.velocity is not None:
            table.vector[row] = self.vector(f"load.{name}.velocity", load.velocity)
        if load.profile is not None:
            self.profile(row, name, load)
        if load.field is not None:
            self.grid(row, name, load.field)

    def profile(self, row: int, name: str, load: Drag) -> None:
        """The axis runs along the mean velocity."""
        assert load.profile is not None
        table, place = self.table, f"load.{name}.profile"
        speed = float(np.linalg.norm(table.vector[row]))
        if speed == 0.0:
            self.problem(f"load.{name}.velocity", "is zero, but a profile runs in the direction of the mean velocity.",
                         "Give a velocity, or leave the profile out.")
            return
        table.flow[row] = PROFILE
        table.direction[row] = table.vector[row] / speed
        table.axis[row] = self.vector(f"{place}.axis", load.profile.axis)
        table.half_width[row] = load.profile.half_width
        table.begin[row] = -math.inf
        if load.profile.begin is not None:
            table.begin[row] = self.vector(f"{place}.begin", load.profile.begin) @ table.direction[row]

    def grid(self, row: int, name: str, file: str) -> None:
        """Velocities from a file."""
        try:
            grid = read_grid(self.folder / file, self.dimension)
        except GranumError as error:
            self.problem(f"load.{name}.field", str(error))
            return
        table = self.table
        table.flow[row] = GRID
        table.lower[row], table.spacing[row], table.size[row] = grid.lower, grid.spacing, grid.size
        table.first[row] = sum(len(other.velocity) for other in self.grids)
        self.grids.append(grid)
        self.loads._files[name] = file

    def field(self, row: int, name: str, load: ForceField) -> None:
        """Formulas of the components of a force."""
        place = f"load.{name}.force"
        if len(load.force) != self.dimension:
            self.problem(place, f"has {len(load.force)} components, but the scene is {self.dimension}-D.",
                         "Give a formula for each component.")
            return
        known = (*_ARGUMENTS[: self.dimension], *_ARGUMENTS[3 : 3 + self.dimension], "t", "m", "r")
        components = []
        for k, formula in enumerate(load.force):
            try:
                components.append(parse(formula, known))
            except GranumError as error:
                self.problem(f"{place}.{k}", str(error))
        if len(components) == self.dimension:
            compiled = Compiled(_ARGUMENTS, (), components)
            self.loads._formulas.append(compiled)
            self.table.kind[row], self.table.address[row] = FIELD, compiled.address


def _empty(dimension: int, loads: int) -> LoadTable:
    """A table for so many loads."""
    def whole(*more: int) -> Ints:
        return np.zeros((loads, *more), dtype=np.int64)

    def real(*more: int) -> Floats:
        return np.zeros((loads, *more))

    return LoadTable(
        dimension, kind=whole(), number=whole(), vector=real(3), coefficient=real(),
        shadow=np.zeros(loads, dtype=bool), least=real(), flow=whole(), axis=real(3), direction=real(3),
        half_width=real(), begin=real(), lower=real(3), spacing=real(3), size=whole(3), first=whole(),
        velocity=np.zeros((0, 3)), address=whole(), arguments=np.zeros(len(_ARGUMENTS)), result=np.zeros(3),
        outside=whole())


@kernel
def apply_loads(
    table: LoadTable, x: Floats, v: Floats, number: Ints, pairs: Int32s, count: int, t: float, h: float,
    relative: Floats, work: Floats,
) -> int:
    """All loads, one after the other: velocities into v, work [J] added to work; called from kernels too.

    `relative` is room for as many rows as there are grains. Returns -1, or load · count of grains + row of the grain
    for which a formula has no finite value; that load has then changed the grains before it.
    """
    for load in range(len(table.kind)):
        if table.kind[load] == ON_ONE:
            _push_one(table, load, v, number, h, work)
        elif table.kind[load] == FIELD:
            row = _push_field(table, load, x, v, t, h, work)
            if row >= 0:
                return load * len(x) + row
        else:
            _relative_flow(table, load, x, v, relative)
            if table.shadow[load]:
                _add_shadows(table.dimension, x, pairs, count, relative)
            _drag(table, load, x, v, h, relative, work)
    return -1


@kernel
def _change(v: Floats, i: int, ax: float, ay: float, az: float) -> float:
    """Change the velocity of grain i; returns what that adds to its kinetic energy [J]."""
    vx, vy, vz = v[i, VX], v[i, VY], v[i, VZ]
    v[i, VX] += ax
    v[i, VY] += ay
    v[i, VZ] += az
    # from the velocities as they are rounded, so that the ledger does not see the rounding
    return 0.5 / v[i, IM] * ((v[i, VX] - vx) * (v[i, VX] + vx) + (v[i, VY] - vy) * (v[i, VY] + vy)
                             + (v[i, VZ] - vz) * (v[i, VZ] + vz))


@kernel
def _push_one(table: LoadTable, load: int, v: Floats, number: Ints, h: float, work: Floats) -> None:
    """A constant force on the grain with a given number, if it is still there."""
    for i in range(len(number)):
        if number[i] == table.number[load]:
            scale = h * v[i, IM]
            if scale > 0.0:
                work[load] += _change(v, i, scale * table.vector[load, 0], scale * table.vector[load, 1],
                                      scale * table.vector[load, 2])
            return


@kernel
def _push_field(table: LoadTable, load: int, x: Floats, v: Floats, t: float, h: float, work: Floats) -> int:
    """A force by formulas on every grain; returns -1, or the grain for which they have no finite value."""
    y, force = table.arguments, table.result
    done = 0.0
    for i in range(len(x)):
        if v[i, IM] == 0.0:
            continue
        y[0], y[1], y[2], y[7] = x[i, X], x[i, Y], x[i, Z], x[i, R]
        y[3], y[4], y[5], y[6] = v[i, VX], v[i, VY], v[i, VZ], 1.0 / v[i, IM]
        call_rates(table.address[load], t, y, force, y)
        # a sum of finite numbers may overflow, but then the velocity would too
        if not math.isfinite(force[0] + force[1] + force[2]):
            return i
        scale = h * v[i, IM]
        done += _change(v, i, scale * force[0], scale * force[1], scale * force[2])
    work[load] += done
    return -1


@kernel
def _relative_flow(table: LoadTable, load: int, x: Floats, v: Floats, relative: Floats) -> None:
    """u - v of every grain, u being the flow at its centre; the fourth column, its shadow k, is set to zero."""
    outside = 0
    ux, uy, uz = table.vector[load, 0], table.vector[load, 1], table.vector[load, 2]
    lower, spacing, size = table.lower[load], table.spacing[load], table.size[load]
    velocity = table.velocity[table.first[load]:]
    for i in range(len(x)):
        if table.flow[load] == PROFILE:
            factor = _profile(table, load, x, i)
            relative[i, 0] = factor * ux - v[i, VX]
            relative[i, 1] = factor * uy - v[i, VY]
            relative[i, 2] = factor * uz - v[i, VZ]
        elif table.flow[load] == GRID:
            gx, gy, gz, far = grid_flow(lower, spacing, size, velocity, x[i, X], x[i, Y], x[i, Z])
            outside += far
            relative[i, 0], relative[i, 1], relative[i, 2] = gx - v[i, VX], gy - v[i, VY], gz - v[i, VZ]
        else:
            relative[i, 0], relative[i, 1], relative[i, 2] = ux - v[i, VX], uy - v[i, VY], uz - v[i, VZ]
        relative[i, 3] = 0.0
    if outside > table.outside[load]:
        table.outside[load] = outside


@kernel
def _profile(table: LoadTable, load: int, x: Floats, i: int) -> float:
    """Velocity over mean velocity at a grain: 1 upstream of the beginning, then by the distance from the axis."""
    along, ahead, square = 0.0, 0.0, 0.0
    for k in range(3):
        along += x[i, k] * table.direction[load, k]
        ahead += (x[i, k] - table.axis[load, k]) * table.direction[load, k]
    if along <= table.begin[load]:
        return 1.0
    for k in range(3):
        square += (x[i, k] - table.axis[load, k] - ahead * table.direction[load, k]) ** 2
    return profile_factor(table.dimension, math.sqrt(square), table.half_width[load])


@kernel
def _add_shadows(dimension: int, x: Floats, pairs: Int32s, count: int, relative: Floats) -> None:
    """Add what each grain of a touching pair shades of the other to its shadow k (002 eq 4.12), in order of pairs."""
    for c in range(count):
        i, j = pairs[c, 0], pairs[c, 1]
        relative[j, 3] += shaded_part(dimension, x, relative, i, j)
        relative[i, 3] += shaded_part(dimension, x, relative, j, i)


@kernel
def shaded_part(dimension: int, x: Floats, relative: Floats, i: int, j: int) -> float:
    """Part of the projection of grain j that lies behind grain i, along the flow that j meets (002 eq 4.10).

    Widths of projections in the plane, areas in space. The thesis takes x and y one by one; here it is once, along
    u - v of grain j.
    """
    square, along, across = 0.0, 0.0, 0.0
    for k in range(3):
        square += relative[j, k] * relative[j, k]
        along += (x[j, k] - x[i, k]) * relative[j, k]
    if along <= 0.0 or square < LEAST_FLOW:  # i is not upstream of j, or there is no flow
        return 0.0
    for k in range(3):
        across += (x[j, k] - x[i, k] - along / square * relative[j, k]) ** 2
    offset = math.sqrt(across)
    if dimension == 2:
        return shaded_width(x[i, R], x[j, R], offset) / (2.0 * x[j, R])
    return shaded_area(x[i, R], x[j, R], offset) / (math.pi * x[j, R] * x[j, R])


@kernel
def shaded_width(a: float, b: float, offset: float) -> float:
    """Common width of the projections of two disks: min(a + b - offset, 2a, 2b) (002 eq 4.11 corrected)."""
    return max(0.0, min(a + b - offset, 2.0 * a, 2.0 * b))


@kernel
def shaded_area(a: float, b: float, offset: float) -> float:
    """Common area of two circles: two segments beyond their common chord."""
    if offset >= a + b:
        return 0.0
    if offset <= abs(a - b):
        return math.pi * min(a, b) ** 2
    return (_segment(a, (offset + (a - b) * (a + b) / offset) / 2.0)
            + _segment(b, (offset - (a - b) * (a + b) / offset) / 2.0))


@kernel
def _segment(r: float, distance: float) -> float:
    """Area of the part of a circle beyond a chord at a distance from its centre (negative: beyond the centre)."""
    cos = min(1.0, max(-1.0, distance / r))
    sin = math.sqrt((1.0 - cos) * (1.0 + cos))
    return r * r * (math.atan2(sin, cos) - sin * cos)


@kernel
def _drag(table: LoadTable, load: int, x: Floats, v: Floats, h: float, relative: Floats, work: Floats) -> None:
    """Drag on every grain: v⁺ = v + (u - v) · c h w/(1 + c h w), w = |u - v|, c = ½ ρ A C_D C_A/m."""
    done = 0.0
    for i in range(len(x)):
        square = relative[i, 0] ** 2 + relative[i, 1] ** 2 + relative[i, 2] ** 2
        if square == 0.0 or v[i, IM] == 0.0:
            continue
        attenuation = max(table.least[load], 1.0 - min(1.0, relative[i, 3]))  # C_A (002 eq 4.13)
        c = table.coefficient[load] * projected_area(table.dimension, x, v, i) * attenuation * v[i, IM]
        slowing = c * h * math.sqrt(square)
        factor = slowing / (1.0 + slowing)
        done += _change(v, i, factor * relative[i, 0], factor * relative[i, 1], factor * relative[i, 2])
    work[load] += done


@kernel
def projected_area(dimension: int, x: Floats, v: Floats, i: int) -> float:
    """π r² of a sphere, 2 r times the thickness of 1 m of a disk; a grain in the plane with m r²/I = 2 is a disk."""
    if dimension == 2 and abs(v[i, KM] - 2.0 * v[i, IM]) < 1e-9 * v[i, IM]:
        return 2.0 * x[i, R]
    return math.pi * x[i, R] * x[i, R]
