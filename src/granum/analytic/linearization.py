"""Small motions about an equilibrium or a steady motion, by exact derivatives (docs/theory/linearization.md).

A state y = (q, q̇) with q̈ = 0 is perturbed. The first variation of M q̈ = f + Aᵀλ, A q̈ = b is

    M δq̈ = ∂(f + Aᵀλ)/∂y δy + Aᵀ δλ,      A δq̈ = ∂b/∂y δy,                                                     (1)

with the derivatives of M and A gone because q̈ = 0. Constraints φ(q, t) = 0 and ψ(q, q̇, t) = 0 leave the tangent space

    A_h δq = 0,      A δq̇ + ∂(A q̇ - c)/∂q δq = 0,                                                            (2)

A_h the rows that hold positions. The eigenvalues s of (1) on (2) are those of motions e^{st}.

All is computed with each coordinate scaled to unit inertia and each row to unit length, so units decide nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from granum.algebra import Expression, jacobian
from granum.algebra.expression import free_symbols
from granum.algebra.vectors import total
from granum.analytic.constrained import equilibrated, refuse_undetermined
from granum.analytic.expressed import TIME, System
from granum.analytic.kinks import Kinks
from granum.analytic.ports import Ports
from granum.analytic.state_space import FREE, LinearMotion
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.text import listed
from granum.rows.symbolic import multiplier

NEAR = 1e-6
"""How far a state may be from equilibrium: displacement relative to max(1, |q|), and relative change of the matrix."""
BALANCED = 1e-9
"""Acceleration that no displacement balances, relative to that of the applied forces, from which a state is refused."""
ROUNDING = 1e-13
"""Stiffness, relative to the terms it is the sum of, that is rounding."""
DEPENDENT = 1e-10
"""Singular value of the scaled rows below which they depend on one another."""
_LATER = (0.137, 0.71, 2.3, 9.7)
"""Times at which a steady motion is examined again, in units of its shortest time."""


@dataclass(frozen=True)
class Scaled:
    """M, f, A, ... of a state with q = light · (scaled q) and rows divided by `size`."""

    light: Floats
    size: Floats
    M: Floats
    f: Floats
    A: Floats
    value: Floats
    """φ, or ψ."""
    rate: Floats
    """A q̇ - c."""
    b: Floats
    df: Floats
    """∂(f + Aᵀλ)/∂(q, q̇)"""
    db: Floats
    drate: Floats
    """∂(A q̇ - c)/∂q"""


@dataclass(frozen=True)
class Reduced:
    """The linear equations of one state and how far it is from balance."""

    scaled: Scaled
    acceleration: Floats
    """Scaled q̈."""
    positions: Floats
    """N_h, orthonormal basis of A_h δq = 0, as columns, scaled."""
    velocities: Floats
    """N, orthonormal basis of A δq̇ = 0, as columns, scaled."""
    along: Floats
    """-A⁺ ∂(A q̇ - c)/∂q N_h: what rates follow from ξ, scaled."""
    violation: Floats
    """Displacement that brings the positions back to their constraints, scaled."""
    slope: Floats
    """(n, 2n): ∂q̈/∂(q, q̇), scaled."""
    matrix: Floats
    """Of the motions that the constraints allow: δq = N_h ξ, δq̇ = -A⁺ ∂(A q̇ - c)/∂q δq + N η."""

    @property
    def basis(self) -> Floats:
        """(2n, k): (δq, δq̇) by (ξ, η), not scaled."""
        free = np.zeros(self.velocities.shape)
        return np.asarray(np.tile(self.scaled.light, 2)[:, None] * np.block(
            [[self.positions, free], [self.along, self.velocities]]))


class Linearizer:
    """Exact derivatives of one system, M and f as its formulation has them; `values` are those of its parameters."""

    def __init__(self, system: System, mass: Sequence[Sequence[Expression]], force: Sequence[Expression]) -> None:
        if system.frictions:
            names = ", ".join(friction.name for friction in system.frictions)
            raise GranumError(f"{names}: Coulomb friction is discontinuous at zero slip, so it cannot be linearised. "
                              "Remove the friction, or replace it by a rolling constraint.")
        self.system, self.values = system, system.parameter_values.copy()
        rows = [row for row in system.rows if not row.invariant]  # an invariant holds by itself
        y, n, m = (*system.q, *system.v), len(system.q), len(rows)
        multipliers = [multiplier(row.constraint, row.number) for row in rows]
        pushed = [f + total(row.A[k] * own for row, own in zip(rows, multipliers, strict=True) if not row.A[k].is_zero)
                  for k, f in enumerate(force)]
        tables = (mass, [force], [row.A for row in rows], [[row.value for row in rows]], [[row.rate for row in rows]],
                  [[row.b for row in rows]], [pushed])
        self.kinks = Kinks(system, [entry for table in tables for line in table for entry in line], y)
        outputs, ends = self.kinks.formulas, np.cumsum([n * n, n, m * n, m, m, m]).tolist()
        rate, b, pushed = outputs[ends[3] : ends[4]], outputs[ends[4] : ends[5]], outputs[ends[5] :]
        self._shapes = ((n, n), (n,), (m, n), (m,), (m,), (m,), (n, 2 * n), (m, 2 * n), (m, n))
        outputs = [*outputs[: ends[5]], *(entry for table in (jacobian(pushed, y), jacobian(b, y), jacobian(
            rate, system.q)) for line in table for entry in line)]
        self._program = system.compile(outputs, [*(own.name for own in multipliers), *self.kinks.names])
        self._sides = np.zeros(0)
        """Signs of arguments of abs and sign that are prescribed; nan, or none at all: as they are in a state."""
        self._timed = TIME.name in free_symbols(outputs)
        self.holonomic = np.array([row.holonomic for row in rows], dtype=bool)
        self._row_names = [row.name for row in rows]

    def linearize(self, q: Floats, v: Floats, t: float, ports: Ports) -> LinearMotion:
        """The linear equations about a state, which has to be an equilibrium or part of a steady motion."""
        here = self.reduced(q, v, t)
        try:
            self._sides = self._smooth_side(here, q, v, t)  # first: dry friction may balance what formulas do not
            self._refuse_unbalanced(here, q, v, t)
            here = self.reduced(q, v, t) if len(self._sides) else here
            self._refuse_unsteady(here, q, v, t)
        finally:
            self._sides = np.zeros(0)
        n, light, N_h, N = len(q), here.scaled.light, here.positions, here.velocities
        whole = np.zeros((2 * n, 2 * n))
        whole[:n, n:], whole[n:] = np.eye(n), light[:, None] * here.slope / np.tile(light, 2)
        basis = here.basis
        at = ports.evaluate(q, v, t, basis)
        mass = N.T @ here.scaled.M @ N
        pushed = N.T @ (light[:, None] * at.force)
        drive = np.zeros((len(here.matrix), pushed.shape[1]))
        drive[N_h.shape[1] :] = np.linalg.solve(mass, pushed) if mass.size else pushed
        return LinearMotion(whole, here.matrix, basis, light, N_h.shape[1], mass, drive, at.observe @ basis, at.direct,
                            ports.inputs, tuple(ports.outputs))

    def scaled(self, q: Floats, v: Floats, t: float, multipliers: Floats) -> Scaled:
        """Everything about a state, in scaled coordinates and rows; multipliers are those of the scaled rows."""
        out = self._evaluate(q, v, t, np.zeros(len(multipliers)))
        M, f, A = out[:3]
        _, rows, light = equilibrated(M, A)
        size = np.linalg.norm(A * light, axis=1)
        size[size == 0.0] = 1.0
        if multipliers.any():
            out = self._evaluate(q, v, t, multipliers / size)
        value, rate, b, df, db, drate = out[3:]
        both = np.tile(light, 2)
        return Scaled(light, size, M * np.outer(light, light), f * light, rows, value / size, rate / size, b / size,
                       light[:, None] * df * both, db * both / size[:, None], drate * light / size[:, None])

    def _evaluate(self, q: Floats, v: Floats, t: float, multipliers: Floats) -> list[Floats]:
        """M, f, A, φ, A q̇ - c, b, ∂(f + Aᵀλ)/∂(q, q̇), ∂b/∂(q, q̇), ∂(A q̇ - c)/∂q in a state."""
        y = np.concatenate([q, v])
        sides = self.kinks.sides(t, y, self.values)
        if len(self._sides):
            sides = np.where(np.isnan(self._sides), sides, self._sides)
        out = self._program(t, y, np.concatenate([self.values, multipliers, sides]))
        if not np.isfinite(out).all():
            raise GranumError(f"the equations or their derivatives have no finite value at t = {t:g} s in this state. "
                              "Linearise about another state, or in coordinates that are regular there.")
        parts = np.split(out, np.cumsum([math.prod(shape) for shape in self._shapes])[:-1])
        return [part.reshape(shape) for part, shape in zip(parts, self._shapes, strict=True)]

    def reduced(self, q: Floats, v: Floats, t: float) -> Reduced:
        """Solve (1) for δq̈ and project it on (2)."""
        n = len(q)
        free = self.scaled(q, v, t, np.zeros(len(self.holonomic)))
        M, A = free.M, free.A
        refuse_undetermined(self.system.coordinates, *self._evaluate(q, v, t, np.zeros(len(A)))[0:3:2])
        inverse, N = pseudo_inverse(A), null_space(A)
        N_h = N if self.holonomic.all() else null_space(A[self.holonomic])
        W = N @ np.linalg.solve(N.T @ M @ N, N.T)
        particular = inverse @ free.b
        acceleration = particular + W @ (free.f - M @ particular)
        held = self.scaled(q, v, t, inverse.T @ (M @ acceleration - free.f))
        self._refuse_singular(free, N_h, q, v, t)
        slope = inverse @ held.db + W @ (held.df - M @ inverse @ held.db)
        drift = -inverse @ held.drate
        along, bent = drift @ N_h, slope[:, n:] - drift
        K, D = N.T @ (slope[:, :n] @ N_h + bent @ along), N.T @ bent @ N
        terms = float(np.linalg.norm(W, 2)) * (np.abs(free.df) + np.abs(held.df - free.df))
        K[np.abs(K) < ROUNDING * terms[:, :n].max(initial=0.0)] = 0.0
        D[np.abs(D) < ROUNDING * terms[:, n:].max(initial=0.0)] = 0.0
        violation = -pseudo_inverse(A[self.holonomic]) @ free.value[self.holonomic]
        return Reduced(held, acceleration, N_h, N, along, violation, slope,
                        np.block([[N_h.T @ along, N_h.T @ N], [K, D]]))

    def _refuse_singular(self, free: Scaled, N_h: Floats, q: Floats, v: Floats, t: float) -> None:
        """Refuse positions where rows depend on one another at this instant alone, such as a dead point.

        Rows that depend on one another along the whole motion, Aᵀs = 0, have N_hᵀ ∂(Aᵀs)/∂q N_h = 0 there. If not,
        displacements along N_h are blocked at second order, and there are no linear equations.
        """
        n = len(q)
        for stress in null_space(free.A.T).T:
            if np.abs(stress[~self.holonomic]).max(initial=0.0) > 1e-6:
                continue
            bent = self.scaled(q, v, t, stress).df[:, :n] - free.df[:, :n]
            if np.abs(N_h.T @ bent @ N_h).max(initial=0.0) > 1e-6 * np.abs(bent).max(initial=0.0):
                names = [name for name, part in zip(self._row_names, stress, strict=True) if abs(part) > 1e-6]
                raise GranumError(f"this position is singular: the constraints {', '.join(names)} are dependent here "
                                  "but not nearby, so the motion cannot be linearised. Choose another position, or "
                                  "remove an unnecessary constraint.")

    def _refuse_unbalanced(self, here: Reduced, q: Floats, v: Floats, t: float) -> None:
        """Refuse a state that is neither an equilibrium nor a motion without acceleration, with the nearest one."""
        scaled, n = here.scaled, len(q)
        speed = np.abs(scaled.A * (v / scaled.light)).sum(axis=1)
        moving = np.flatnonzero(np.abs(scaled.rate) > BALANCED * speed + ROUNDING)
        if len(moving):
            raise GranumError(f"the rates violate the constraint {self._row_names[moving[0]]}: it changes at "
                              f"{scaled.rate[moving[0]] * scaled.size[moving[0]]:.3g} per second. Give rates that "
                              "satisfy all constraints.")
        balance = here.positions.T @ here.acceleration
        K = here.positions.T @ here.slope[:, :n] @ here.positions
        step = np.linalg.lstsq(K, -balance, rcond=1e-9)[0] if K.size else np.zeros(len(balance))
        displacement = scaled.light * (here.positions @ step + here.violation)
        left = float(np.linalg.norm(balance + K @ step))
        rounding = ROUNDING * float(np.linalg.norm(here.slope[:, :n], 2) * np.linalg.norm(q / scaled.light))
        nowhere = left > BALANCED * float(np.linalg.norm(scaled.f)) + rounding
        far = float(np.abs(displacement).max(initial=0.0)) > NEAR * max(1.0, float(np.abs(q).max(initial=0.0)))
        if not nowhere and (not displacement.any() or (
                not far and _change(here, self.reduced(q + displacement, v, t)) <= NEAR)):
            return
        acceleration = scaled.light * here.acceleration
        k = int(np.abs(acceleration).argmax())
        finding = (f"the state is not an equilibrium: {self.system.coordinates[k]} = {q[k]:.6g} has the acceleration "
                   f"{acceleration[k]:.4g} per s²")
        if v.any():
            raise GranumError(f"{finding}. It is not part of a steady motion with constant rates either. Linearise "
                              "about a state at rest, or in coordinates in which the motion is steady.")
        k = int(np.abs(displacement).argmax())
        if nowhere or abs(displacement[k]) > max(1.0, float(np.abs(q).max())):
            raise GranumError(f"{finding}, and there is no equilibrium nearby. Linearise about a state in which all "
                              "forces balance.")
        raise GranumError(f"{finding}. Newton's method estimates an equilibrium at {self.system.coordinates[k]} = "
                          f"{q[k] + displacement[k]:.6g}. Linearise there.")

    def _smooth_side(self, here: Reduced, q: Floats, v: Floats, t: float) -> Floats:
        """Signs to take where arguments of abs and sign are zero; none without such.

        Refuses a state where they make the motions on two sides different: neither is e^{st} across it.
        """
        patterns = self.kinks.around(t, np.concatenate([q, v]), self.values, here.basis)
        if len(patterns) < 2:
            return np.zeros(0)
        sides = []
        for self._sides in patterns:
            sides.append(self.reduced(q, v, t))
        size = max(float(np.linalg.norm(side.scaled.f)) for side in sides) + 1e-300
        jumps = any(float(np.linalg.norm(side.acceleration - sides[0].acceleration)) > NEAR * size for side in sides)
        if not jumps and all(_change(sides[0], side) <= NEAR for side in sides):
            return np.where(np.ptp(patterns, axis=0) > 0.0, patterns[0], np.nan)
        finding, where = self.kinks.described(patterns)
        if jumps:
            k = int(np.argmax(np.ptp([side.acceleration for side in sides], axis=0)))
            held = [f"the acceleration of {self.system.coordinates[k]} is "
                    f"{side.scaled.light[k] * side.acceleration[k]:.6g} per s²" for side in sides]
        else:
            held = [_motion_in_words(side.matrix) for side in sides]
        each = dict(zip(where, held, strict=True))
        raise GranumError(
            f"{finding}, so that there are no modes e^(st): {'; '.join(f'where {a}, {b}' for a, b in each.items())}. "
            "Linearise about a state away from the kink, or use a formula that is smooth there.")

    def _refuse_unsteady(self, here: Reduced, q: Floats, v: Floats, t: float) -> None:
        """Refuse a motion along which the linear equations change: e^{st} does not solve those."""
        if not v.any() and not self._timed:
            return
        rate = float(np.abs(v).max(initial=0.0) + np.abs(np.linalg.eigvals(here.matrix)).max(initial=0.0))
        # where forces vanish, as of a free rotor, what is left of them is rounding beside the forces of inertia
        inertia = rate * float(np.linalg.norm(v / here.scaled.light)) + 1e-300
        for part in _LATER:
            τ = part / rate if rate > 0.0 else part
            later = self.reduced(q + τ * v, v, t + τ)
            change = max(_change(here, later), float(np.linalg.norm(later.acceleration - here.acceleration)) / (
                float(np.linalg.norm(later.scaled.f)) + inertia))
            if change > NEAR:
                raise GranumError(f"the motion through this state is not steady: its linear equations change by "
                                  f"{change:.2g} (relative) within {τ:.3g} s, so there are no modes e^(st). Linearise "
                                  "about an equilibrium, or in coordinates in which the motion is steady.")


def _motion_in_words(matrix: Floats) -> str:
    """Frequencies of linear equations, or their eigenvalues where nothing oscillates."""
    modes = np.linalg.eigvals(matrix).astype(complex)
    least = FREE * float(np.abs(modes).max(initial=0.0))
    swings = np.sort(modes.imag[modes.imag > least])
    if len(swings):
        return f"angular frequencies are {listed([f'{frequency:.6g}' for frequency in swings])} rad/s"
    return f"eigenvalues are {listed([f'{s:.6g}' for s in np.sort(modes.real)])} 1/s"


def _change(one: Reduced, other: Reduced) -> float:
    """Relative change of ∂q̈/∂(q, q̇) on what the constraints allow between two states; rates count by the time scale."""
    n = len(one.slope)
    if other.positions.shape != one.positions.shape:
        return math.inf
    rate = float(np.abs(np.linalg.eigvals(one.matrix)).max(initial=0.0))
    if rate == 0.0:
        return 0.0 if not other.matrix.any() or not np.linalg.eigvals(other.matrix).any() else math.inf
    both = np.diag(np.repeat([1.0, rate], n)) / rate**2
    own = one.positions @ one.positions.T
    bases = np.kron(np.eye(2), own)
    return float(np.linalg.norm(own @ (one.slope - other.slope) @ both @ bases, 2))


def pseudo_inverse(A: Floats) -> Floats:
    """A⁺ with the same rank as `null_space` finds."""
    return np.asarray(np.linalg.pinv(A, rcond=DEPENDENT)) if A.size else np.zeros(A.shape[::-1])


def null_space(A: Floats, tolerance: float = DEPENDENT) -> Floats:
    """Orthonormal basis of A x = 0, as columns."""
    if not A.shape[0]:
        return np.eye(A.shape[1])
    _, sizes, V = np.linalg.svd(A, full_matrices=True)
    rank = int(np.count_nonzero(sizes > tolerance * max(1e-300, float(sizes.max(initial=0.0)))))
    return np.ascontiguousarray(V[rank:].T)
