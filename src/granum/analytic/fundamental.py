"""The compiled right-hand side of M q̈ = Q + Rᵀ λ, A q̈ = b (001 eqs 43-51), its events and its corrections.

Everything a system needs lies in one block of numbers: a header, the parameters, what its formulas give (M, Q, A, b,
c, powers, slips), a table of frictions, and workspace. A block and an address are all that compiled code is handed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from granum.algebra import Expression
from granum.algebra.expression import ZERO, number
from granum.analytic.constrained import _backward, _multipliers, solve
from granum.analytic.expressed import System
from granum.base.kernels import Floats, kernel
from granum.base.pointers import call_rates, carray, right_hand_side

HEADER = 13
ADDRESS, SIZE, ROWS, PARAMETERS, FRICTIONS, MISMATCH, UNDETERMINED, EVENTS, VALUES, POSITIONS, VELOCITIES, \
    WORKS, WATCHED = range(13)
"""Header: address of the formulas, n, m, numbers of parameters and frictions; worst mismatch of dependent rows and the
undetermined coordinate, if any; addresses of the events and of the values of rows; whether to correct each; agents
whose work is integrated; whether to look for singular positions."""

NORMAL, FIRST, COUNT, COEFFICIENT, SLIDES, DIRECTION, RUBS = 0, 1, 2, 3, 4, 5, 8
FRICTION = 9
"""A friction in its table: row of the normal force, first of its slip rows, their number, coefficient, whether it
sticks (0), slides (1) or is open (2), the direction of slip (3 numbers) while there is none to see, and the power it
takes per normal force."""
OPEN = 2.0
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


def formulas(system: System, mass: list[list[Expression]], force: list[Expression]) -> list[Expression]:
    """M, Q, A, b, c, powers of agents, the agent of each row (-1: none), slips: what follows the parameters."""
    rows, working = system.rows, {agent.constraint: k for k, agent in enumerate(system.working) if agent.constraint}
    return [
        *(entry for row in mass for entry in row), *force, *(entry for row in rows for entry in row.A),
        *(row.b for row in rows), *(-row.drift for row in rows), *(agent.power for agent in system.working),
        *(number(float(working.get(row.constraint, -1))) for row in rows),
        *(row.rate if row.slips else ZERO for row in rows),
    ]


def values(system: System) -> list[Expression]:
    """What corrections need: positions rows, velocity rows (zero where there is none), and which are which."""
    rows = system.rows
    return [
        *(row.value if row.holonomic else ZERO for row in rows), *(ZERO if row.invariant else row.rate for row in rows),
        *(number(float(row.holonomic)) for row in rows), *(number(float(not row.invariant)) for row in rows),
    ]


@kernel
def _layout(n: int, m: int, p: int, works: int, frictions: int) -> tuple[int, int, int, int]:
    """Where formulas, frictions and workspace begin, and where all ends."""
    start = HEADER + p
    table = start + n * n + n + m * n + 4 * m + works
    work = table + frictions * FRICTION
    return start, table, work, work + n + m + n * n + 3 * m * n + m * m + 6 * m + n + m


@kernel
def _sizes(data: Floats) -> tuple[int, int, int, int, int]:
    """n, m, and the numbers of parameters, agents and frictions of a block."""
    return int(data[SIZE]), int(data[ROWS]), int(data[PARAMETERS]), int(data[WORKS]), int(data[FRICTIONS])


def layout(system: System) -> tuple[int, int, int, int]:
    """Where formulas, frictions and workspace begin in the block of a system, and where all ends."""
    found: tuple[int, int, int, int] = _layout(
        len(system.q), len(system.rows), len(system.parameters), len(system.working), len(system.frictions))
    return found


def block(system: System, address: int) -> Floats:
    """The data block of a system."""
    n, m, p = len(system.q), len(system.rows), len(system.parameters)
    _, table, _, end = layout(system)
    data = np.zeros(end)
    data[[ADDRESS, SIZE, ROWS, PARAMETERS, FRICTIONS, UNDETERMINED]] = address, n, m, p, len(system.frictions), -1
    data[WORKS] = len(system.working)
    data[HEADER : HEADER + p] = system.parameter_values
    names = [(row.constraint, row.number) for row in system.rows]
    for k, friction in enumerate(system.frictions):
        entry = data[table + k * FRICTION : table + (k + 1) * FRICTION]
        entry[NORMAL], entry[FIRST] = names.index(friction.normal), names.index((friction.name, 0))
        entry[COUNT], entry[COEFFICIENT] = len(friction.slip), friction.coefficient
    return data


def friction_table(data: Floats) -> Floats:
    """The table of frictions of a block, a row each, as a view."""
    n, m, p, works, f = _sizes(data)
    table = _layout(n, m, p, works, f)[1]
    return data[table : table + f * FRICTION].reshape(f, FRICTION)


def block_symbols(system: System, multipliers: Sequence[str]) -> list[str]:
    """Names of the numbers of a block after its header, as far as formulas of events use them."""
    start, _, work, _ = layout(system)
    return [*system.parameters, *(f"#{k}" for k in range(work - start + len(system.q))), *multipliers]


@kernel
def accelerations(t: float, y: Floats, data: Floats) -> int:
    """Evaluate the formulas and solve; q̈ and the multipliers are left in the block. Returns 0, or 10."""
    n, m, p, works, frictions = _sizes(data)
    o, table, w, _ = _layout(n, m, p, works, frictions)
    call_rates(int(data[ADDRESS]), t, y, data[o:], data[HEADER:])
    M = data[o : o + n * n].reshape(n, n)
    o += n * n
    Q = data[o : o + n]
    o += n
    A = data[o : o + m * n].reshape(m, n)
    o += m * n
    b = data[o : o + m]
    qdd = data[w : w + n]
    w += n
    multipliers = data[w : w + m]
    w += m
    S = data[w : w + n * n].reshape(n, n)
    w += n * n
    Y = data[w : w + m * n].reshape(m, n)
    w += m * n
    Z = data[w : w + m * n].reshape(m, n)
    w += m * n
    R = data[w : w + m * n].reshape(m, n)
    w += m * n
    G = data[w : w + m * m].reshape(m, m)
    w += m * m
    if frictions > 0:
        slips = data[o + 3 * m + works : o + 4 * m + works]
        R[:, :] = A
        for k in range(frictions):
            _slide(data[table + k * FRICTION : table + (k + 1) * FRICTION], slips, A, R, b, y[n:])
        found = solve(M, Q, A, R, b, qdd, multipliers, S, Y, Z, G, data[w : w + m], data[w + m : w + 2 * m],
                      data[w + 2 * m : w + 3 * m])
    else:
        found = solve(M, Q, A, A, b, qdd, multipliers, S, Y, Z, G, data[w : w + m], data[w + m : w + 2 * m],
                      data[w + 2 * m : w + 3 * m])
    if found < 0.0:
        data[UNDETERMINED] = -1.0 - found
        return 10
    data[MISMATCH] = max(data[MISMATCH], found)
    return 0


@kernel
def _slide(entry: Floats, slips: Floats, A: Floats, R: Floats, b: Floats, v: Floats) -> None:
    """A sliding friction: its slip rows hold nothing, and the normal force drags against the slip (004, corrected).

    Of an open contact no row holds.
    """
    entry[RUBS] = 0.0
    if entry[SLIDES] == 0.0:
        return
    first, count, normal = int(entry[FIRST]), int(entry[COUNT]), int(entry[NORMAL])
    if entry[SLIDES] == OPEN:
        b[normal] = 0.0
        for j in range(A.shape[1]):
            A[normal, j] = 0.0
            R[normal, j] = 0.0
    dragged = 0 if entry[SLIDES] == OPEN else count
    speed = 0.0
    for k in range(count):
        speed += slips[first + k] ** 2
    speed = math.sqrt(speed)
    for k in range(dragged):
        # one component keeps its direction until the event that ends it; several turn with the slip
        unit = entry[DIRECTION + k] if count == 1 or speed < SLOW else slips[first + k] / speed
        for j in range(A.shape[1]):
            drag = entry[COEFFICIENT] * unit * A[first + k, j]
            R[normal, j] -= drag
            entry[RUBS] += drag * v[j]
    for k in range(count):
        b[first + k] = 0.0
        for j in range(A.shape[1]):
            A[first + k, j] = 0.0
            R[first + k, j] = 0.0


@kernel
def _powers(data: Floats, power: Floats) -> None:
    """Power of every agent after an evaluation: of formulas, of moving constraints, of sliding frictions."""
    n, m, p, works, frictions = _sizes(data)
    o, table, w, _ = _layout(n, m, p, works, frictions)
    o += n * n + n + m * n + m
    multipliers = data[w + n : w + n + m]
    for k in range(works):
        power[k] = data[o + m + k]
    for k in range(m):
        agent = int(data[o + m + works + k])
        if agent >= 0:
            power[agent] += multipliers[k] * data[o + k]
    for k in range(frictions):
        entry = data[table + k * FRICTION : table + (k + 1) * FRICTION]
        power[works - frictions + k] -= multipliers[int(entry[NORMAL])] * entry[RUBS]


@kernel
def results(data: Floats) -> tuple[Floats, Floats]:
    """q̈ and multipliers of the last evaluation, as views of the block."""
    n, m, p, works, frictions = _sizes(data)
    w = _layout(n, m, p, works, frictions)[2]
    return data[w : w + n], data[w + n : w + n + m]


@kernel
def remember_sizes(data: Floats) -> None:
    """Keep the scales of the rows of the last evaluation, at the end of the block, to see rows that vanish later."""
    n, m, p, works, frictions = _sizes(data)
    kept = _layout(n, m, p, works, frictions)[2] + n + m + n * n + 3 * m * n + m * m + m
    for k in range(m):
        data[len(data) - m + k] = data[kept + k]


@kernel
def _singular(data: Floats, start: int, m: int) -> bool:
    """Is a row that is not passed over nearly dependent after an elimination, or has one all but vanished?"""
    for k in range(m):
        pivot, scale, before = abs(data[start + k * m + k]), data[start + m * m + m + k], data[len(data) - m + k]
        if 0.0 < pivot < NEARLY_DEPENDENT or (before > 0.0 and scale * VANISHED > before):
            return True
    return False


@kernel
def _correct(t: float, y: Floats, data: Floats, part: int) -> int:
    """One Newton step of the position (part 0) or velocity rows (part 1), in the metric of the masses.

    Positions come first: rows that depend on others only where all loops are closed are passed over by then, and what
    remains small is of a singular position.
    """
    n, m, p, works, frictions = _sizes(data)
    status = accelerations(t, y, data)
    if status != 0:
        return status
    w = _layout(n, m, p, works, frictions)[2] + n + m
    if part == 1 and data[WATCHED] != 0.0 and _singular(data, w + n * n + 3 * m * n, m):
        return SINGULAR
    S, Y = data[w : w + n * n].reshape(n, n), data[w + n * n : w + n * n + m * n].reshape(m, n)
    w += n * n + 3 * m * n
    G = data[w : w + m * m].reshape(m, m)
    w += m * m
    right, kept, found = data[w : w + m], data[w + m : w + 2 * m], data[w + 2 * m : w + 6 * m]
    call_rates(int(data[VALUES]), t, y, found, data[HEADER:])
    shift = data[w + 6 * m : w + 6 * m + n]
    for k in range(m):
        right[k] = found[part * m + k] * kept[k]
        for l in range(m):
            total = 0.0
            if found[(2 + part) * m + k] != 0.0 and found[(2 + part) * m + l] != 0.0:
                for i in range(n):
                    total += Y[k, i] * Y[l, i]
            G[k, l] = total
    x = found[:m]
    _multipliers(G, right, x, found[m : 2 * m], m)
    for i in range(n):
        shift[i] = 0.0
        for k in range(m):
            shift[i] += Y[k, i] * x[k]
    _backward(S, shift, n)
    for i in range(n):
        y[part * n + i] -= shift[i]
    return 0


@kernel
def _views(y_: Any, data_: Any) -> tuple[Floats, Floats]:
    """The arrays behind the pointers of a right-hand side."""
    n, m, p, works, f = _sizes(carray(data_, HEADER))
    return carray(y_, 2 * n + works), carray(data_, _layout(n, m, p, works, f)[3])


@kernel
def correct(t: float, y: Floats, data: Floats) -> int:
    """Bring positions and velocities back to their constraints, as far as the block asks for it."""
    if data[POSITIONS] != 0.0:
        status = _correct(t, y, data, 0)
        if status != 0:
            return status
    if data[VELOCITIES] != 0.0:
        return _correct(t, y, data, 1)
    return 0


@right_hand_side
def corrections(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """`correct`, at the end of a step."""
    y, data = _views(y_, data_)
    return correct(t, y, data)


@right_hand_side
def rates(t, y_, dy_, data_):  # type: ignore[no-untyped-def]
    """d/dt of (q, q̇, work of each agent)."""
    y, data = _views(y_, data_)
    n = int(data[SIZE])
    dy = carray(dy_, len(y))
    status = accelerations(t, y, data)
    qdd, _ = results(data)
    for i in range(n):
        dy[i] = y[n + i]
        dy[n + i] = qdd[i]
    _powers(data, dy[2 * n :])
    return status


@right_hand_side
def events(t, y_, g_, data_):  # type: ignore[no-untyped-def]
    """Values of the events of a state, which may depend on its multipliers."""
    y, data = _views(y_, data_)
    status = accelerations(t, y, data)
    call_rates(int(data[EVENTS]), t, y, carray(g_, 1), data[HEADER:])
    return status
