"""Closed contacts: the forces that keep them closed, and the motion of all grains under these forces.

A contact that sticks keeps u = 0 by a force of three components; one that slides keeps n·u = 0 by λ (n - μ e), with e
the direction of slip. Equations are rows p·u̇ = 0, unknown forces columns q; stick: p = q = n, t₁, t₂; slide: p = n,
q = n - μ e. Then

    p·W q = Σ σ_k σ_l p·q / m + (κ/m) (n_k × p)·(n_l × q)     over the grains that contacts k and l share,

σ = 1 for j and -1 for i.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints, Records, instance, kernel
from granum.base.vectors import Vector
from granum.contact.event_driven.contacts import (
    SLIDES,
    STICKS,
    Bodies,
    free_rates,
    kinematics,
    slip_direction,
)
from granum.contact.event_driven.elimination import solve
from granum.contact.event_driven.touching import WIDTH, Ground
from granum.contact.problem import normal, slip
from granum.integrate import dop853
from granum.integrate.dop853 import Workspace, error_norm
from granum.integrate.driver import DONE, Accuracy, Progress
from granum.integrate.tableau import STAGES, A, B
from granum.state.table import X, Y, Z

NORMAL, TANGENT, SIDEWAYS = 0, 1, 2
"""Components of a force at a contact: along the normal and two directions across it."""
FORCES, VELOCITIES, POSITIONS = 0, 1, 2
"""What rows are for."""


class Rows(NamedTuple):
    """Work space of the equations of m ≤ 3 · count rows."""

    contact: Ints
    p: Floats
    q: Floats
    np: Floats
    """n × p."""
    nq: Floats
    """n × q."""
    A: Floats
    b: Floats
    solution: Floats
    lu: Floats
    order: Ints
    work: Floats
    space: Floats
    """(2, WIDTH): for `touch_along`."""
    worst: Floats
    """(1,): the largest residual of the forces in a step."""


def new_rows(count: int) -> Rows:
    """Space for `count` contacts."""
    m = 3 * count
    p, q, n_p, n_q = np.zeros((4, m, 3))
    return Rows(np.zeros(m, np.int64), p, q, n_p, n_q, np.zeros((m, m)), np.zeros(m), np.zeros(m), np.zeros((m, m)),
                np.zeros(m, np.int64), np.zeros((2, m)), np.zeros((2, WIDTH)), np.zeros(1))


@kernel
def _tangents(n: Vector, first: Floats, second: Floats) -> None:
    """An orthonormal frame with n; for n in the plane z = 0 the second is the z axis."""
    if abs(n[Z]) < 0.9:
        size = math.sqrt(n[X] * n[X] + n[Y] * n[Y])
        first[X], first[Y], first[Z] = -n[Y] / size, n[X] / size, 0.0
    else:
        size = math.sqrt(n[Y] * n[Y] + n[Z] * n[Z])
        first[X], first[Y], first[Z] = 0.0, -n[Z] / size, n[Y] / size
    second[X] = n[Y] * first[Z] - n[Z] * first[Y]
    second[Y] = n[Z] * first[X] - n[X] * first[Z]
    second[Z] = n[X] * first[Y] - n[Y] * first[X]


@kernel
def _cross(a: Vector, b: Floats, out: Floats) -> None:
    out[X] = a[Y] * b[Z] - a[Z] * b[Y]
    out[Y] = a[Z] * b[X] - a[X] * b[Z]
    out[Z] = a[X] * b[Y] - a[Y] * b[X]


@kernel
def keep_forces(contacts: Records, space: Floats) -> None:
    """Note the forces as those found last; space has two rows."""
    first, second = space[0, :3], space[1, :3]
    for k in range(len(contacts)):
        c = contacts[k]
        n, F = normal(c), c.F
        _tangents(n, first, second)
        c.known[NORMAL] = n[X] * F[X] + n[Y] * F[Y] + n[Z] * F[Z]
        c.known[TANGENT] = first[X] * F[X] + first[Y] * F[Y] + first[Z] * F[Z]
        c.known[SIDEWAYS] = second[X] * F[X] + second[Y] * F[Y] + second[Z] * F[Z]


@kernel
def set_rows(contacts: Records, rows: Rows, purpose: int, slow: float) -> int:
    """Rows and columns for forces, or for corrections of velocities or gaps (then p = q); returns their number."""
    m, p, q = 0, rows.p, rows.q
    for k in range(len(contacts)):
        c = contacts[k]
        n = normal(c)
        for a in range(3):
            p[m, a] = n[a]
        if purpose == FORCES and c.mode == SLIDES:
            slip_direction(contacts, k, slow, q[m])
            for a in range(3):
                q[m, a] = n[a] - c.friction * q[m, a]
        else:
            for a in range(3):
                q[m, a] = n[a]
        rows.contact[m] = k
        m += 1
        if purpose != POSITIONS and c.mode == STICKS:
            _tangents(n, p[m], p[m + 1])
            for a in range(3):
                q[m, a], q[m + 1, a] = p[m, a], p[m + 1, a]
            rows.contact[m], rows.contact[m + 1] = k, k
            m += 2
    for r in range(m):
        n = normal(contacts[rows.contact[r]])
        _cross(n, p[r], rows.np[r])
        _cross(n, q[r], rows.nq[r])
    return m


@kernel
def _assemble(
    contacts: Records, im: Floats, km: Floats, contact: Ints, p: Floats, q: Floats, n_p: Floats, n_q: Floats, m: int,
    A: Floats,
) -> None:
    """A = p·W q of all rows and columns."""
    for r in range(m):
        i, j = contacts[contact[r]].i, contacts[contact[r]].j
        for l in range(m):
            other_i, other_j = contacts[contact[l]].i, contacts[contact[l]].j
            moving, rotation = 0.0, 0.0
            if j == other_j:
                moving, rotation = moving + im[j], rotation + km[j]
            if i >= 0 and i == other_i:
                moving, rotation = moving + im[i], rotation + km[i]
            if i == other_j:
                moving, rotation = moving - im[i], rotation + km[i]
            if j == other_i:
                moving, rotation = moving - im[j], rotation + km[j]
            if rotation != 0.0:
                moving *= p[r, X] * q[l, X] + p[r, Y] * q[l, Y] + p[r, Z] * q[l, Z]
                rotation *= n_p[r, X] * n_q[l, X] + n_p[r, Y] * n_q[l, Y] + n_p[r, Z] * n_q[l, Z]
            A[r, l] = moving + rotation


@kernel
def solve_rows(contacts: Records, bodies: Bodies, rows: Rows, m: int) -> float:
    """The solution of A f = b from the one given, and F of every contact from it; returns the relative residual."""
    _assemble(contacts, bodies.im, bodies.km, rows.contact, rows.p, rows.q, rows.np, rows.nq, m, rows.A)
    residual = solve(rows.A, m, rows.b, rows.solution, rows.lu, rows.order, rows.work)
    for k in range(len(contacts)):
        for a in range(3):
            contacts[k].F[a] = 0.0
    for r in range(m):
        for a in range(3):
            contacts[rows.contact[r]].F[a] += rows.solution[r] * rows.q[r, a]
    return residual


@kernel
def apply(contacts: Records, bodies: Bodies, v: Floats, s: Floats) -> None:
    """Add F/m and -(κ/m) n × F to v and s of the grains."""
    for k in range(len(contacts)):
        c = contacts[k]
        i, j, n, F = c.i, c.j, normal(c), c.F
        tx, ty, tz = n[Y] * F[Z] - n[Z] * F[Y], n[Z] * F[X] - n[X] * F[Z], n[X] * F[Y] - n[Y] * F[X]
        for a in range(3):
            v[j, a] += F[a] * bodies.im[j]
        s[j, X] -= bodies.km[j] * tx
        s[j, Y] -= bodies.km[j] * ty
        s[j, Z] -= bodies.km[j] * tz
        if i >= 0:
            for a in range(3):
                v[i, a] -= F[a] * bodies.im[i]
            s[i, X] -= bodies.km[i] * tx
            s[i, Y] -= bodies.km[i] * ty
            s[i, Z] -= bodies.km[i] * tz


@kernel
def rates(
    t: float, y: Floats, dy: Floats, bodies: Bodies, g: Ground, contacts: Records, rows: Rows, slow: float,
) -> float:
    """ẏ of y = (x, v, s, heat of friction, work of boundaries) with the modes given; returns the residual."""
    count = len(bodies.im)
    for k in range(3 * count):
        dy[k] = y[3 * count + k]
        dy[6 * count + k] = 0.0
    v_dot, s_dot = dy[3 * count:6 * count].reshape(count, 3), dy[6 * count:9 * count].reshape(count, 3)
    for k in range(count):
        for a in range(3):
            v_dot[k, a] = bodies.free[k, a]
    kinematics(t, y, bodies, g, contacts, rows.space)
    m = set_rows(contacts, rows, FORCES, slow)
    b = rows.space[0]
    last, row = -1, 0
    for r in range(m):
        k = rows.contact[r]
        last, row = k, row + 1 if k == last else 0
        rows.solution[r] = contacts[k].known[row]
        free_rates(y, bodies, contacts, k, b)
        rows.b[r] = -(rows.p[r, X] * b[X] + rows.p[r, Y] * b[Y] + rows.p[r, Z] * b[Z])
    residual = solve_rows(contacts, bodies, rows, m)
    apply(contacts, bodies, v_dot, s_dot)
    heat, work = 0.0, 0.0
    for k in range(len(contacts)):
        c, along = contacts[k], 0.0
        n, u = normal(c), slip(c)
        for a in range(3):
            along += n[a] * u[a]
            work += c.F[a] * c.V[a]
        if c.mode == SLIDES:
            for a in range(3):
                heat -= c.F[a] * (u[a] - along * n[a])
    dy[9 * count], dy[9 * count + 1] = heat, work
    return residual


@kernel
def event_functions(contacts: Records, faint: float, slow: float, out: Floats) -> None:
    """What turns negative at an event (2, count): the normal force; room in the cone, or slip as it was.

    A force may be `faint` [N] and slip `slow` [m/s] for rounding not to matter.
    """
    for k in range(len(contacts)):
        c, force, shear, forward = contacts[k], 0.0, 0.0, 0.0
        n, u = normal(c), slip(c)
        for a in range(3):
            force += c.F[a] * n[a]
            forward += u[a] * c.d[a]
        for a in range(3):
            shear += (c.F[a] - force * n[a]) ** 2
        out[0, k] = force + faint
        out[1, k] = c.friction * force - math.sqrt(shear) + faint if c.mode == STICKS else forward - slow
        if c.friction == 0.0:
            out[1, k] = np.inf


INTEGRAL_WEIGHTS = B @ A[:STAGES, :STAGES]
"""h² times the stages' rates of s with these weights is the integral of s - s(0) over a step."""


class Closed(NamedTuple):
    """A motion with closed contacts, as dop853 takes it in the place of `driver.Problem`."""

    bodies: Bodies
    ground: Ground
    contacts: Records
    rows: Rows
    slow: float


@kernel
def evaluate(p: Closed, t: float, y: Floats, dy: Floats) -> int:
    """The rates as dop853 asks for them; notes the largest residual of the forces."""
    residual = rates(t, y, dy, p.bodies, p.ground, p.contacts, p.rows, p.slow)
    p.rows.worst[0] = max(p.rows.worst[0], residual)
    return DONE


# the stages of dop853, with these rates in the place of a function that is called by its address
predict = kernel(instance(dop853.predict.py_func, {  # type: ignore[attr-defined]
    **vars(dop853), "evaluate": evaluate, "__file__": __file__}, "closed"))


@kernel
def step(p: Closed, t: float, h: float, y: Floats, accuracy: Accuracy, work: Workspace,
         progress: Progress) -> tuple[float, float]:
    """One step of dop853 from y with the rates work.f: its error, and the largest residual of the forces."""
    p.rows.worst[0] = 0.0
    predict(p, t, y, h, work, work.y_new, progress)
    evaluate(p, t + h, work.y_new, work.f_new)
    progress.evaluations += 1
    return error_norm(y, h, accuracy, work), p.rows.worst[0]
