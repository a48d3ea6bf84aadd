"""Loads on grains: forces on single ones, drag in a flow with shadows, fields of force; gravity for the stepper.

Every load changes velocities by itself, one after the other in the order of the scene, and its work is what it adds
to the kinetic energy: m (v⁺ - v)·(v⁺ + v)/2. So the ledger of energy closes to round-off at any step.

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
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from granum.algebra.compiled import Compiled
from granum.algebra.parse import parse
from granum.base.errors import GranumError, NotConvergedError, Problem, SceneError, did_you_mean
from granum.base.kernels import Flags, Floats, Ints, kernel
from granum.base.pointers import call_rates
from granum.grains.flow import Grid, grid_flow, profile_factor, read_grid
from granum.grains.making.clumps import needs_bodies
from granum.grains.state import IM, KM, VX, VY, VZ, Grains, Int32s, R, X, Y, Z
from granum.model.loads import Drag, Force, ForceField, Gravity, Load, Spring, Torque, TorsionSpring
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
    gravities: dict[str, Floats]
    """(3,) each: gravity by the name of its load [m/s²]; the stepper applies their sum."""
    table: LoadTable
    _formulas: list[Compiled] = field(default_factory=list)
    """Kept, so that the addresses in the table stay good."""
    _files: dict[str, str] = field(default_factory=dict)
    _relative: Floats = field(default_factory=lambda: np.zeros((0, 4)))

    @property
    def gravity(self) -> Floats:
        """(3,): sum of all gravity [m/s²]."""
        return sum(self.gravities.values(), np.zeros(3))

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

    def changes(self, grains: Grains, pairs: Int32s, h: float, others: Floats | None = None) -> Floats:
        """(loads, grains, 3): the velocity each load adds in a step h; the grains are left as they are.

        Args:
            others: (grains, 3) velocity that gravity and contacts are expected to add in the step, where that is known;
                loads are added to it.
        """
        v, change = grains.v.copy(), np.empty((len(self.names), grains.count, 3))
        status = load_changes(self.table, grains.x, v, grains.number, pairs, len(pairs), grains.t, h,
                              self.room(grains.count), np.zeros(len(self.names)),
                              np.zeros((0, 3)) if others is None else others, change)
        if status >= 0:
            raise self.failure(status, grains)
        return change

    def failure(self, status: int, grains: Grains) -> NotConvergedError:
        """What a status of `apply_loads` of zero or more says."""
        load, row = divmod(status, grains.count)
        x, v = grains.x[row], grains.v[row]
        at = ", ".join(f"{c:g}" for c in x[: self.table.dimension])
        moving = ", ".join(f"{c:g}" for c in v[: self.table.dimension])
        return NotConvergedError(
            f"load.{self.names[load]}.force has no finite value at t = {grains.t:g} s for grain {grains.number[row]} "
            f"at ({at}) m with velocity ({moving}) m/s, r = {x[R]:g} m.\n"
            "  Change the formula so that it has one wherever grains come.")

    def notes(self) -> list[str]:
        """What a user should know after a run."""
        return [outside_note(name, self._files[name], most)
                for name, most in zip(self.names, self.table.outside.tolist(), strict=True) if most]


def outside_note(load: str, file: str, most: int) -> str:
    """That grains left the grid of a flow, as a user reads it."""
    return (f"load.{load}: up to {most} grains at a time were outside the grid of {file}; there they met the flow of "
            "its nearest edge.")


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
        # loads on single bodies act with the joints where there are bodies of several parts
        others = (Gravity, Force, Torque, Spring, TorsionSpring) if needs_bodies(scene) else (Gravity,)
        kicking = {name: load for name, load in scene.load.items() if not isinstance(load, others)}
        self.table = _empty(dimension, len(kicking))
        gravities = {name: self.vector(f"load.{name}.acceleration", load.acceleration)
                     for name, load in scene.load.items() if isinstance(load, Gravity)}
        self.loads = GrainLoads(tuple(kicking), gravities, self.table)
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

    def force(self, row: int, name: str, load: Force) -> None:
        """A constant force on the grain that a body is; bodies come first, so its number is that in the scene."""
        bodies = list(self.scene.body)
        if load.on not in bodies:
            self.problem(f"load.{name}.on", f'there is no body "{load.on}".', did_you_mean(load.on, bodies, "body"))
        else:
            self.table.number[row] = bodies.index(load.on)
        self.table.kind[row] = ON_ONE
        self.table.vector[row] = self.vector(f"load.{name}.force", load.force)

    def drag(self, row: int, name: str, load: Drag) -> None:
        """Drag in a uniform flow, a profile or a grid."""
        table = self.table
        table.kind[row] = DRAG
        table.coefficient[row] = 0.5 * load.density * load.drag_coefficient
        table.shadow[row], table.least[row] = load.shadow, load.min_exposure
        if load.velocity is not None:
            table.vector[row] = self.vector(f"load.{name}.velocity", load.velocity)
        if load.profile is not None:
            self.profile(row, name, load)
        if load.velocity_field is not None:
            self.grid(row, name, load.velocity_field)

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
        table.axis[row] = self.vector(f"{place}.position", load.profile.position)
        table.half_width[row] = load.profile.half_width
        table.begin[row] = -math.inf
        if load.profile.inlet is not None:
            table.begin[row] = self.vector(f"{place}.inlet", load.profile.inlet) @ table.direction[row]

    def grid(self, row: int, name: str, file: str) -> None:
        """Velocities from a file."""
        try:
            grid = read_grid(self.folder / file, self.dimension)
        except GranumError as error:
            self.problem(f"load.{name}.velocity_field", str(error))
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
        row = _apply(table, load, x, v, number, pairs, count, t, h, relative, work, np.zeros((0, 3)))
        if row >= 0:
            return load * len(x) + row
    return -1


@kernel
def load_changes(
    table: LoadTable, x: Floats, v: Floats, number: Ints, pairs: Int32s, count: int, t: float, h: float,
    relative: Floats, work: Floats, others: Floats, change: Floats,
) -> int:
    """As `apply_loads`, and write what each load has changed.

    With `others` drag comes last. It sees the velocities of the beginning of the step, and what all else adds to them.
    """
    begin = v[:, :3].copy()
    for last in range(2):
        for load in range(len(table.kind)):
            late = len(others) > 0 and table.kind[load] == DRAG
            if late != (last == 1):
                continue
            if late:
                v[:, :3] = begin
            change[load] = v[:, :3]
            row = _apply(table, load, x, v, number, pairs, count, t, h, relative, work, others)
            if row >= 0:
                return load * len(x) + row
            change[load] = v[:, :3] - change[load]
            if len(others) > 0:
                others += change[load]
    return -1


@kernel
def _apply(
    table: LoadTable, load: int, x: Floats, v: Floats, number: Ints, pairs: Int32s, count: int, t: float, h: float,
    relative: Floats, work: Floats, others: Floats,
) -> int:
    """One load; -1, or the row of the grain for which its formula has no finite value."""
    if table.kind[load] == ON_ONE:
        _push_one(table, load, v, number, h, work)
    elif table.kind[load] == FIELD:
        row, done = _push_field(table.address[load], table.arguments, table.result, x, v, t, h)
        work[load] += done
        return row
    else:
        _relative_flow(table, load, x, v, relative)
        if table.shadow[load]:
            _add_shadows(table.dimension, x, pairs, count, relative)
        work[load] += _drag(table.dimension, table.coefficient[load], table.least[load], x, v, h, relative, others)
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
def _push_field(
    address: int, y: Floats, force: Floats, x: Floats, v: Floats, t: float, h: float,
) -> tuple[int, float]:
    """A force by formulas on every grain; returns -1, or the grain without a finite value of them; and the work."""
    done = 0.0
    for i in range(len(x)):
        if v[i, IM] == 0.0:
            continue
        y[0], y[1], y[2], y[7] = x[i, X], x[i, Y], x[i, Z], x[i, R]
        y[3], y[4], y[5], y[6] = v[i, VX], v[i, VY], v[i, VZ], 1.0 / v[i, IM]
        call_rates(address, t, y, force, y)
        # a sum of finite numbers may overflow, but then the velocity would too
        if not math.isfinite(force[0] + force[1] + force[2]):
            return i, done
        scale = h * v[i, IM]
        done += _change(v, i, scale * force[0], scale * force[1], scale * force[2])
    return -1, done


@kernel
def _relative_flow(table: LoadTable, load: int, x: Floats, v: Floats, relative: Floats) -> None:
    """u - v of every grain, u being the flow at its centre; the fourth column, its shadow k, is set to zero."""
    for i in range(len(x)):
        relative[i, 0], relative[i, 1], relative[i, 2], relative[i, 3] = -v[i, VX], -v[i, VY], -v[i, VZ], 0.0
    if table.flow[load] == PROFILE:
        _add_profile(table.dimension, x, table.vector[load], table.axis[load], table.direction[load],
                     table.half_width[load], table.begin[load], relative)
    elif table.flow[load] == GRID:
        outside = _add_grid(x, table.lower[load], table.spacing[load], table.size[load],
                            table.velocity[table.first[load]:], relative)
        table.outside[load] = max(outside, table.outside[load])
    else:
        u = table.vector[load]
        for i in range(len(x)):
            relative[i, 0] += u[0]
            relative[i, 1] += u[1]
            relative[i, 2] += u[2]


@kernel
def _add_profile(
    dimension: int, x: Floats, u: Floats, axis: Floats, direction: Floats, half_width: float, begin: float,
    relative: Floats,
) -> None:
    """The mean velocity upstream of the beginning, then the profile by the distance from the axis."""
    for i in range(len(x)):
        px, py, pz = x[i, X] - axis[0], x[i, Y] - axis[1], x[i, Z] - axis[2]
        ahead = px * direction[0] + py * direction[1] + pz * direction[2]
        factor = 1.0
        if x[i, X] * direction[0] + x[i, Y] * direction[1] + x[i, Z] * direction[2] > begin:
            px, py, pz = px - ahead * direction[0], py - ahead * direction[1], pz - ahead * direction[2]
            factor = profile_factor(dimension, math.sqrt(px * px + py * py + pz * pz), half_width)
        relative[i, 0] += factor * u[0]
        relative[i, 1] += factor * u[1]
        relative[i, 2] += factor * u[2]


@kernel
def _add_grid(x: Floats, lower: Floats, spacing: Floats, size: Ints, velocity: Floats, relative: Floats) -> int:
    """The flow on a grid; returns how many grains are outside of it."""
    outside = 0
    for i in range(len(x)):
        ux, uy, uz, far = grid_flow(lower, spacing, size, velocity, x[i, X], x[i, Y], x[i, Z])
        outside += far
        relative[i, 0] += ux
        relative[i, 1] += uy
        relative[i, 2] += uz
    return outside


@kernel
def _add_shadows(dimension: int, x: Floats, pairs: Int32s, count: int, relative: Floats) -> None:
    """Add what each grain of a touching pair shades of the other to its shadow k (002 eq 4.12), in order of pairs."""
    for c in range(count):
        i, j = pairs[c, 0], pairs[c, 1]
        dx, dy, dz = x[j, X] - x[i, X], x[j, Y] - x[i, Y], x[j, Z] - x[i, Z]
        a, b = x[i, R], x[j, R]
        relative[j, 3] += shaded_part(dimension, dx, dy, dz, relative[j, 0], relative[j, 1], relative[j, 2], a, b)
        relative[i, 3] += shaded_part(dimension, -dx, -dy, -dz, relative[i, 0], relative[i, 1], relative[i, 2], b, a)


@kernel
def shaded_part(
    dimension: int, dx: float, dy: float, dz: float, wx: float, wy: float, wz: float, a: float, b: float,
) -> float:
    """Part of the projection of a grain of radius b that lies behind one of radius a (002 eq 4.10).

    It is at d from that one, and w = u - v is the flow that it meets. Widths of projections in the plane, areas in
    space. The thesis takes x and y one by one; here it is once, along w.
    """
    square = wx * wx + wy * wy + wz * wz
    along = dx * wx + dy * wy + dz * wz
    if along <= 0.0 or square < LEAST_FLOW:  # not downstream, or there is no flow
        return 0.0
    part = along / square
    px, py, pz = dx - part * wx, dy - part * wy, dz - part * wz
    offset = math.sqrt(px * px + py * py + pz * pz)
    if dimension == 2:
        return shaded_width(a, b, offset) / (2.0 * b)
    return shaded_area(a, b, offset) / (math.pi * b * b)


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
def _drag(
    dimension: int, coefficient: float, least: float, x: Floats, v: Floats, h: float, relative: Floats, others: Floats,
) -> float:
    """Drag on every grain, Δv of the equation above with w = u - v and c = ½ ρ A C_D C_A/m; returns its work."""
    done, ox, oy, oz = 0.0, 0.0, 0.0, 0.0
    for i in range(len(x)):
        wx, wy, wz = relative[i, 0], relative[i, 1], relative[i, 2]
        square = wx**2 + wy**2 + wz**2
        if square == 0.0 or v[i, IM] == 0.0:
            continue
        attenuation = max(least, 1.0 - relative[i, 3])  # C_A (002 eq 4.13); least is not negative, which clips k
        c = coefficient * projected_area(dimension, x[i, R], v[i, IM], v[i, KM]) * attenuation * v[i, IM]
        slowing = c * h * math.sqrt(square)
        if len(others) > 0:
            ox, oy, oz = others[i, 0], others[i, 1], others[i, 2]
        # |w| w⁺ alone gives w⁺ to first order, and is exact where it keeps its direction
        px, py, pz = wx - ox, wy - oy, wz - oz
        later = c * h * math.sqrt(px * px + py * py + pz * pz) / (1.0 + slowing)
        along, across = 0.5 * slowing / (1.0 + 0.5 * slowing), 0.5 * later / (1.0 + 0.5 * slowing)
        done += _change(v, i, along * px + across * wx, along * py + across * wy, along * pz + across * wz)
    return done


@kernel
def projected_area(dimension: int, r: float, im: float, km: float) -> float:
    """π r² of a sphere, 2 r times the thickness of 1 m of a disk; in the plane a grain with κ = m r²/I = 2 is one."""
    if dimension == 2 and abs(km - 2.0 * im) < 1e-9 * im:
        return 2.0 * r
    return math.pi * r * r
