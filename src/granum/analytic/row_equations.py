"""Equations in all coordinates with a multiplier for every row, M q̈ = Q + Rᵀ λ, A q̈ = b, compiled.

Source: Udwadia and Mogharabin (2022), eqs. 43-51.

What the compiled right-hand side, its events and its corrections read and write is one named tuple of arrays
(`Constrained`), which they get as a block of addresses (`base/pointers.py`). The formulas of a system write one field
of `Formulas` behind the other, and those of events read all of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from granum.algebra import Expression
from granum.algebra.compiled import Compiled
from granum.algebra.expression import ZERO, number
from granum.analytic.constrained import backward, multipliers_of, solve
from granum.analytic.expressed import System
from granum.analytic.expressed_equations import ExpressedEquations
from granum.base.kernels import Floats, Ints, kernel, small_kernel
from granum.base.pointers import (
    FloatGrid,
    block_reader,
    call,
    call_rates,
    carray,
    contiguous,
    pack_block,
    right_hand_side,
)
from granum.rows.symbolic import multiplier

(PROGRAM, VALUES, EVENTS, EVALUATE, SLOPES, SWITCHES, POSITIONS, VELOCITIES, WATCHED, UNDETERMINED, HOLD,
 HEAD) = range(12)
"""Entries of `head`: addresses of the formulas, of the values of rows, of the events, of `evaluation`, of the block
of the Jacobian (`row_slopes`), of the arguments of modes (`switches`); whether to correct positions and velocities, and
to look for singular positions; the undetermined coordinate, if any; whether the rows that take part are those of an
earlier evaluation."""
NORMAL, FIRST, COUNT, COEFFICIENT, SLIDES, DIRECTION, RUBS, FRICTION = 0, 1, 2, 3, 4, 5, 8, 9
"""Columns of `frictions`: row of the normal force, first of its slip rows, their number, coefficient, whether it
sticks (0), slides (1) or is open (2), the direction of slip (3 numbers) while there is none to see, and the power it
takes per normal force."""
OPEN = 2.0
NOT_DETERMINED = 10
"""Status where a coordinate is undetermined."""
SINGULAR = 12
"""Status where a row has all but lost its independence. Another may have gained it, as in overclosed linkages: whether
the rank falls is for `dependence` of the equations to say."""
NEARLY_DEPENDENT = 1e-8
"""Pivot of a row, of a diagonal near one, from which the position counts as singular. Pivots fall with the square of
the distance, so that this is 1e-4 of a radian or of a length before it; rows that always depend on others are passed
over and do not count."""
VANISHED = 1e-4
"""Length of a row, as a part of that at the start, from which it counts as vanished: a singular position too."""
SLOW = 1e-9
"""Slip [m/s] of several components below which its direction is not seen: friction along it would be stiff."""


def row_values(system: System) -> list[Expression]:
    """What corrections need: positions rows, velocity rows (zero where there is none), and which are which."""
    rows = system.rows
    return [
        *(row.value if row.holonomic else ZERO for row in rows), *(ZERO if row.invariant else row.rate for row in rows),
        *(number(float(row.holonomic)) for row in rows), *(number(float(not row.invariant)) for row in rows),
    ]


class Formulas(NamedTuple):
    """What compiled formulas write and read; of n coordinates, m rows, f frictions, and w agents that work."""

    parameters: Floats
    modes: Floats
    """Modes of formulas that jump (`algebra.switches`), read while a motion follows them."""
    M: FloatGrid
    Q: Floats
    A: FloatGrid
    b: Floats
    c: Floats
    """A q̇ of a motion that the rows allow."""
    power: Floats
    agent: Floats
    """Agent of each row, or -1."""
    slip: Floats
    frictions: FloatGrid
    qdd: Floats
    multipliers: Floats


class Work(NamedTuple):
    """Workspace of elimination and corrections."""

    S: FloatGrid
    Y: FloatGrid
    Z: FloatGrid
    R: FloatGrid
    G: FloatGrid
    right: Floats
    kept: Floats
    """Scales of the rows."""
    size: Floats
    began: Floats
    """Scales of the rows at the start, to see rows that vanish later."""
    values: FloatGrid
    """(4, m): what `row_values` gives."""
    shift: Floats
    order: Floats
    """Rows in the order of elimination, and how many of them take part."""
    moved: Floats
    """The same of corrections."""
    mismatch: Floats
    """The worst mismatch of dependent rows."""


class Constrained(NamedTuple):
    """All that the compiled functions read and write."""

    head: Ints
    formulas: Formulas
    work: Work


read_constrained = block_reader(Constrained)


def make_constrained(system: System, program: Compiled, values: Compiled, modes: int) -> tuple[Floats, Constrained]:
    """The numbers of a system, those of `Formulas` also as one array."""
    n, m, works, frictions = len(system.q), len(system.rows), len(system.working), len(system.frictions)
    memory, formulas = contiguous(Formulas, {
        "parameters": (len(system.parameters),), "modes": (modes,), "M": (n, n), "Q": (n,), "A": (m, n), "b": (m,),
        "c": (m,),
        "power": (works,), "agent": (m,), "slip": (m,), "frictions": (frictions, FRICTION), "qdd": (n,),
        "multipliers": (m,)})
    _, work = contiguous(Work, {
        "S": (n, n), "Y": (m, n), "Z": (m, n), "R": (m, n), "G": (m, m), "right": (m,), "kept": (m,), "size": (m,),
        "began": (m,), "values": (4, m), "shift": (n,), "order": (m + 1,), "moved": (m + 1,)})
    formulas.parameters[:] = system.parameter_values
    names = [(row.constraint, row.number) for row in system.rows]
    for entry, friction in zip(formulas.frictions, system.frictions, strict=True):
        entry[NORMAL], entry[FIRST] = names.index(friction.normal), names.index((friction.name, 0))
        entry[COUNT], entry[COEFFICIENT] = len(friction.slip), friction.coefficient
    head = np.zeros(HEAD, np.int64)
    head[[PROGRAM, VALUES, EVALUATE, UNDETERMINED]] = program.address, values.address, evaluation.address, -1
    return memory, Constrained(head, formulas, work)


def symbols(system: System, formulas: Formulas) -> list[str]:
    """Names of all numbers of `Formulas` in formulas of events."""
    multipliers = [multiplier(row.constraint, row.number).name for row in system.rows]
    listed = [f"{name} {k}" for name, array in zip(Formulas._fields[1:-1], formulas[1:-1], strict=True)
              for k in range(array.size)]
    return [*system.parameters, *listed, *multipliers]


@kernel
def _accelerate(model: Constrained, t: float, y: Floats) -> int:
    """Evaluate the formulas and solve; q̈ and the multipliers are left in the block. Returns 0, or 10."""
    f, w = model.formulas, model.work
    n = len(f.qdd)
    call_rates(model.head[PROGRAM], t, y, f.M, f.parameters)
    different = len(f.frictions) > 0
    if different:
        for k in range(len(f.b)):
            for j in range(n):
                w.R[k, j] = f.A[k, j]
        for k in range(len(f.frictions)):
            _slide(f.frictions, k, f.slip, f.A, w.R, f.b, y, n)
    mismatch = solve(f.M, f.Q, f.A, w.R if different else f.A, f.b, f.qdd, f.multipliers, w.S, w.Y, w.Z, w.G, w.right,
                     w.kept, w.size, w.order, model.head[HOLD] != 0)
    if mismatch < 0.0:
        model.head[UNDETERMINED] = int(-1.0 - mismatch)
        return NOT_DETERMINED
    model.head[UNDETERMINED] = -1
    w.mismatch[0] = max(w.mismatch[0], mismatch)
    return 0


@small_kernel
def _slide(
    frictions: Floats, f: int, slips: Floats, A: Floats, R: Floats, b: Floats, y: Floats, n: int,
) -> None:
    """A sliding friction: its slip rows hold nothing, and the normal force drags against the slip (Souchet, corrected).

    Of an open contact no row holds.
    """
    frictions[f, RUBS] = 0.0
    if frictions[f, SLIDES] == 0.0:
        return
    first, count, normal = int(frictions[f, FIRST]), int(frictions[f, COUNT]), int(frictions[f, NORMAL])
    if frictions[f, SLIDES] == OPEN:
        b[normal] = 0.0
        for j in range(A.shape[1]):
            A[normal, j] = 0.0
            R[normal, j] = 0.0
    dragged = 0 if frictions[f, SLIDES] == OPEN else count
    speed = 0.0
    for k in range(count):
        speed += slips[first + k] ** 2
    speed = math.sqrt(speed)
    for k in range(dragged):
        # one component keeps its direction until the event that ends it; several turn with the slip
        unit = frictions[f, DIRECTION + k] if count == 1 or speed < SLOW else slips[first + k] / speed
        for j in range(A.shape[1]):
            drag = frictions[f, COEFFICIENT] * unit * A[first + k, j]
            R[normal, j] -= drag
            frictions[f, RUBS] += drag * y[n + j]
    for k in range(count):
        b[first + k] = 0.0
        for j in range(A.shape[1]):
            A[first + k, j] = 0.0
            R[first + k, j] = 0.0


@small_kernel
def _powers(f: Formulas, power: Floats, o: int) -> None:
    """Power of every agent after an evaluation, from entry o on: of formulas, moving constraints, sliding frictions."""
    works, count = len(f.power), len(f.frictions)
    for k in range(works):
        power[o + k] = f.power[k]
    for k in range(len(f.agent)):
        agent = int(f.agent[k])
        if agent >= 0:
            power[o + agent] += f.multipliers[k] * f.c[k]
    for k in range(count):
        power[o + works - count + k] -= f.multipliers[int(f.frictions[k, NORMAL])] * f.frictions[k, RUBS]


@small_kernel
def _singular(w: Work) -> bool:
    """Is a row that is not passed over nearly dependent after an elimination, or has one all but vanished?"""
    for k in range(len(w.kept)):
        pivot = abs(w.G[k, k])
        if 0.0 < pivot < NEARLY_DEPENDENT or (w.began[k] > 0.0 and w.kept[k] * VANISHED > w.began[k]):
            return True
    return False


@kernel
def _correct(model: Constrained, t: float, y: Floats, data: Floats, part: int) -> int:
    """One Newton step of the position (part 0) or velocity rows (part 1), in the metric of the masses.

    Positions come first: rows that depend on others only where all loops are closed are passed over by then, and what
    remains small is of a singular position.
    """
    w, shift, values = model.work, model.work.shift, model.work.values
    n, m = len(shift), len(w.kept)
    held = model.head[HOLD]
    if part == 1:  # on the constraints it shows which rows depend on others, for the stages of the next step as well
        model.head[HOLD] = 0
    status = call_rates(model.head[EVALUATE], t, y, y, data)
    model.head[HOLD] = held
    if status != 0:
        return status
    if part == 1 and model.head[WATCHED] != 0 and _singular(w):
        return SINGULAR
    call_rates(model.head[VALUES], t, y, values, model.formulas.parameters)
    for k in range(m):
        w.right[k] = values[part, k] * w.kept[k]
        for l in range(m):
            total = 0.0
            if values[2 + part, k] != 0.0 and values[2 + part, l] != 0.0:
                for i in range(n):
                    total += w.Y[k, i] * w.Y[l, i]
            w.G[k, l] = total
    x = values[0]
    multipliers_of(w.G, w.right, x, values[1], w.moved, False, m)
    for i in range(n):
        shift[i] = 0.0
        for k in range(m):
            shift[i] += w.Y[k, i] * x[k]
    backward(w.S, shift, n)
    for i in range(n):
        y[part * n + i] -= shift[i]
    return 0


@right_hand_side
def evaluation(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """q̈ and multipliers of a state (q, q̇), left in the block. Returns 0, or 10 where a coordinate is undetermined."""
    model = read_constrained(data_)
    return _accelerate(model, t, carray(y_, 2 * len(model.formulas.qdd)))


@right_hand_side
def rates(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """d/dt of (q, q̇, work of each agent)."""
    model = read_constrained(data_)
    qdd = model.formulas.qdd
    n = len(qdd)
    y, dy = carray(y_, 2 * n), carray(dy_, 2 * n + len(model.formulas.power))
    status = call_rates(model.head[EVALUATE], t, y, dy, carray(data_, 1))
    if status == NOT_DETERMINED:  # perhaps only in a stage that went too far: a shorter step is tried
        dy[0] = math.nan
        return 0
    for i in range(n):
        dy[i] = y[n + i]
        dy[n + i] = qdd[i]
    _powers(model.formulas, dy, 2 * n)
    return status


@right_hand_side
def corrections(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """Bring positions and velocities back to their constraints, as far as the block asks for it."""
    model = read_constrained(data_)
    y, data = carray(y_, 2 * len(model.formulas.qdd)), carray(data_, 1)
    for part in range(2):
        if model.head[POSITIONS + part] != 0:
            status = _correct(model, t, y, data, part)
            if status != 0:
                return status
    return 0


@right_hand_side
def events(t, y_, g_, data_):  # type: ignore[no-untyped-def]
    """Values of the events of a state, which may depend on its multipliers."""
    model = read_constrained(data_)
    y, g = carray(y_, 2 * len(model.formulas.qdd)), carray(g_, 1)
    status = call_rates(model.head[EVALUATE], t, y, y, carray(data_, 1))
    call_rates(model.head[EVENTS], t, y, g, model.formulas.parameters)
    return status


class RowEquations(ExpressedEquations):
    """Equations that are run in all their coordinates, with a multiplier for every row."""

    rates = rates

    @cached_property
    def _values(self) -> Compiled:
        return self.system.compile(row_values(self.system))

    @cached_property
    def _made(self) -> tuple[Floats, Constrained]:
        return make_constrained(self.system, self._program, self._values,
                                0 if self.in_modes is None else len(self.in_modes.arguments))

    def take_parameters(self) -> None:
        """Copy the parameters of the system."""
        self.data.formulas.parameters[:] = self.system.parameter_values

    @property
    def data(self) -> Constrained:
        """What the compiled functions read and write."""
        return self._made[1]

    @cached_property
    def block(self) -> Floats:
        """The same as a block of addresses."""
        return pack_block(self.data)

    def evaluate(self, q: Floats, v: Floats, t: float) -> int:
        """Compute q̈ and multipliers of a state as runs do, into `data`; returns the status."""
        y = np.concatenate([q, v])
        return call(evaluation, t, y, y, self.block)

    def correct(self, y: Floats, t: float) -> int:
        """Bring a state back to its constraints; returns the status."""
        return call(corrections, t, y, y, self.block)

    def compile_events(self, formulas: Sequence[Expression]) -> Compiled:
        """Formulas of the coordinates, rates and multipliers that `events` then evaluates along a motion."""
        compiled = Compiled([s.name for s in (*self.system.q, *self.system.v)],
                            symbols(self.system, self.data.formulas), formulas)
        self.data.head[EVENTS] = compiled.address
        return compiled

    def event_values(self, compiled: Compiled, q: Floats, v: Floats, t: float) -> Floats:
        """Values of such formulas in a state."""
        self.evaluate(q, v, t)
        return compiled(t, np.concatenate([q, v]), self._made[0])

    def hold_rows(self, y: Floats, t: float) -> None:
        """Let the rows that take part be those of a state on the constraints until corrections, after each step, choose
        anew. Stages of a step leave the constraints, and rows that depend on others would seem independent there.

        Rows of frictions come and go; with them, and without corrections, every evaluation chooses.
        """
        head, n = self.data.head, len(self.coordinates)
        head[HOLD] = 0
        if head[POSITIONS] and head[VELOCITIES] and not self.system.frictions:
            head[HOLD] = self.evaluate(y[:n], y[n : 2 * n], t) == 0

    def choose_rows(self) -> None:
        """Let every evaluation choose the rows that take part."""
        self.data.head[HOLD] = 0

    def watch(self, guard: ExpressedEquations) -> int:
        """The address of the function of their own events."""
        return int(events.address)

    def watch_positions(self, watched: bool) -> None:
        """Let corrections look for singular positions, or pass them over."""
        self.data.head[WATCHED] = watched

    @property
    def is_undetermined(self) -> bool:
        """Did the last evaluation leave a coordinate undetermined?"""
        return bool(self.data.head[UNDETERMINED] >= 0)

    @property
    def undetermined(self) -> str:
        """The coordinate whose acceleration the last evaluation did not determine."""
        return self.coordinates[int(self.data.head[UNDETERMINED])]

    def correcting(self, positions: bool, velocities: bool) -> int:
        """Address of what brings a state back to its constraints after every step, 0 for nothing."""
        self.data.head[[POSITIONS, VELOCITIES]] = positions, velocities
        if self.evaluate(*self.start, 0.0) == 0:
            self.data.work.began[:] = self.data.work.kept
        rows = [row for row in self.system.rows if not row.invariant]
        return int(corrections.address) if rows and (positions or velocities) else 0
