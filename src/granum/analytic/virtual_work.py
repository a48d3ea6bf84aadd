"""virtual-work: bodies whose parameters need not be those of a rigid motion, and Coulomb friction (004).

A body moves as x = T(q) + R(q) X, X from its mass centre, where R is any matrix function of the parameters. The
virtual work of acceleration for v = (T'_i + R'_i X) w_i is

    L_i w_i = ∫ρ a·v = [m T̈·T'_i + tr(R̈ Ē R'_iᵀ)] w_i,      Ē = ∫ρ X Xᵀ = ½ tr(I) 1 - I,

affine in q̈: L = M q̈ + h. The stresses of the body do no work if the strain rate of w vanishes,

    S_i w_i = 0,      S_i = sym(R'_i R⁻¹),

so (L_i - Q_i) w_i = 0 for all w with S_i w_i = 0 and A w = 0. Neither an angular velocity nor an energy is needed:
an independent road to the same motion.

Friction is the inequality T·(v - u) + k|N| (|v| - |u|) ≥ 0 for all virtual slips v (Duvaut and Lions; 004 corrected):
with slip u it drags against it, without slip it holds as long as |T| ≤ k|N|.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

import numpy as np

from granum.algebra import Expression, as_expression, function, gradient, jacobian, symbol
from granum.algebra.compiled import Compiled
from granum.algebra.show import latex, shared, text
from granum.algebra.vectors import Matrix, dot, total
from granum.analytic.constrained import inertias
from granum.analytic.expressed import Body, System
from granum.analytic.result import as_vector
from granum.analytic.row_equations import (
    COEFFICIENT,
    COUNT,
    DIRECTION,
    FRICTION,
    OPEN,
    SLIDES,
    SLOW,
    RowEquations,
)
from granum.base.errors import GranumError, NotConvergedError
from granum.base.kernels import Floats
from granum.rows.symbolic import multiplier

STRAINS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
"""Components of a strain rate: xx, yy, zz, xy, yz, zx."""
REST = 1e-9
"""Slip, relative to the velocities it is made of, below which there is none."""
LIMIT = 1e-12
"""By how much, relative to k|N|, a friction force may exceed it and still hold."""
BEGINS = 1e-10
"""Rate of slip against its direction, relative to what friction does to it, that is rounding."""
MOST_AT_REST = 8
"""Frictions without slip of which all combinations of sticking and sliding are tried."""
MOST_EXAMINED = 256
"""Combinations that are examined for a second solution."""
ANOTHER = 1e-6
"""Difference of accelerations, relative to what all forces make, from which they are of another motion."""
NO_STRAIN = 1e-14
"""Strain rate, relative to the rate of R that it is a part of, that is rounding: of a rotation by angles it all is."""
STRAINED = 1e-7
"""Strain rate of an allowed displacement, relative to the largest of its body, from which it counts."""


def affine_formulas(system: System) -> tuple[list[list[Expression]], list[Expression]]:
    """M and h of the virtual work of acceleration, L = M q̈ + h."""
    M = jacobian(gradient(system.bodiless, system.v), system.v)
    h = system.inertial(system.bodiless)
    for body in system.bodies:
        _add(system, M, h, body.position, [[body.mass]])
        if body.rotation is not None:
            E = euler_tensor(body.inertia)
            for row in body.rotation:
                _add(system, M, h, row, [[float(entry) for entry in line] for line in E])
    return M, h


def euler_tensor(inertia: Floats) -> Floats:
    """Ē = ∫ρ X Xᵀ = ½ tr(I) 1 - I."""
    tensor: Floats = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    return tensor


def _add(
    system: System, M: list[list[Expression]], h: list[Expression], moving: Sequence[Expression],
    weights: Sequence[Sequence[Expression | float]],
) -> None:
    """Add the virtual work of quantities z(q, t): z̈ᵀ W z'_i; one weight alone stands for a multiple of 1."""
    slopes, bias = jacobian(moving, system.q), system.rates(system.rates(moving))

    def heavy(z: Sequence[Expression]) -> list[Expression]:
        if len(weights) == 1:
            return [weights[0][0] * entry for entry in z]
        return [total(w * entry for w, entry in zip(line, z, strict=True) if not isinstance(w, float) or w != 0.0)
                for line in weights]

    n = len(system.q)
    columns = [[row[i] for row in slopes] for i in range(n)]
    moves = [i for i in range(n) if any(not entry.is_zero for entry in columns[i])]
    weighted, pushed = {j: heavy(columns[j]) for j in moves}, heavy(bias)
    for i in moves:
        h[i] = h[i] + dot(columns[i], pushed)
        for j in moves:
            M[i][j] = M[i][j] + dot(columns[i], weighted[j])


def compatibility(system: System) -> list[tuple[str, list[list[Expression]]]]:
    """S_i of every body that turns: its name and six rows (xx, yy, zz, xy, yz, zx), an entry for each coordinate."""
    return [(body.name, _strain_rates(system, body)) for body in system.bodies if body.rotation is not None]


def _strain_rates(system: System, body: Body) -> list[list[Expression]]:
    assert body.rotation is not None
    R, inverse = body.rotation, _inverse(body.rotation)
    slopes = [jacobian(row, system.q) for row in R]
    columns = []
    for i in range(len(system.q)):
        rate = [[slopes[a][k][i] for k in range(3)] for a in range(3)]

        def entry(a: int, b: int, rate: list[list[Expression]] = rate) -> Expression:
            return total(rate[a][k] * inverse[k][b] for k in range(3) if not rate[a][k].is_zero)

        columns.append([entry(a, a) if a == b else 0.5 * (entry(a, b) + entry(b, a)) for a, b in STRAINS])
    return [[column[row] for column in columns] for row in range(len(STRAINS))]


def _sizes(system: System, body: Body) -> list[Expression]:
    """|R'_i|² for each coordinate: what strain rates are the cancelling parts of."""
    assert body.rotation is not None
    slopes = jacobian([entry for row in body.rotation for entry in row], system.q)
    return [total(row[i] * row[i] for row in slopes) for i in range(len(system.q))]


def _inverse(R: Matrix) -> list[list[Expression]]:
    """R⁻¹ as adjugate over determinant."""
    def cofactor(i: int, j: int) -> Expression:
        a, b, c, d = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
        return R[a][c] * R[b][d] - R[a][d] * R[b][c]

    determinant = total(R[0][j] * cofactor(0, j) for j in range(3))
    return [[cofactor(j, i) / determinant for j in range(3)] for i in range(3)]


EVENTS = ("slow", "turned", "breaks", "opens")
LATE = 1e-11
"""By how much, relative to k|N|, the force needed exceeds it where sticking ends: clearly more than LIMIT."""


def friction_events(system: System) -> list[Expression]:
    """Of each friction: slip becoming slow (of two components), slip turned against its direction, sticking that
    breaks, and a normal force that ends.
    """
    events: list[Expression] = []
    for k, friction in enumerate(system.frictions):
        entry = [symbol(f"frictions {k * FRICTION + place}") for place in range(FRICTION)]
        slides, N = entry[SLIDES], multiplier(*friction.normal)
        T = [multiplier(friction.name, j) for j in range(len(friction.slip))]
        size = abs(friction.coefficient) * function("abs", N) * (1.0 + LATE) + 1e-300
        slow = dot(friction.slip, friction.slip) - SLOW**2 if len(T) > 1 else as_expression(1.0)
        along = dot(friction.slip, entry[DIRECTION : DIRECTION + len(T)])
        events += [
            slides * slow + (1.0 - slides), slides * along + (1.0 - slides),
            (1.0 - slides) * (size - function("sqrt", dot(T, T))) + slides,
            N * function("sign", entry[COEFFICIENT]) if friction.bilateral else N,
        ]
    return events


@dataclass(frozen=True)
class Mode:
    """What a friction does: it sticks, it slides in a direction, or its contact opens and there is none."""

    slides: bool
    direction: tuple[float, ...] = ()
    """Unit vector of slip, or of the slip that begins."""
    sign: float = 1.0
    """Of the normal force: -1 where a bilateral contact pulls."""
    opens: bool = False

    @property
    def name(self) -> str:
        """For people."""
        return "leaves" if self.opens else "slides" if self.slides else "sticks"


@dataclass(frozen=True)
class Touch:
    """A friction in a state."""

    name: str
    mode: Mode
    normal: float
    """N, positive where the bodies press [N]."""
    force: Floats
    """T, along the components of the slip [N]."""
    slip: Floats
    """u [m/s]."""
    change: Floats
    """Rate of the slip [m/s²]."""
    gap: float
    """Acceleration with which the bodies part [m/s²]: zero while the contact is closed."""


STICKS = Mode(False)
OPENS = Mode(False, opens=True)


class VirtualWork(RowEquations):
    """The virtual work principle with compatibility conditions, and Coulomb friction (004)."""

    formulation = "virtual-work"
    takes_friction = True

    def __init__(self, system: System, start: tuple[Floats, Floats] | None = None) -> None:
        super().__init__(system, start)
        self._checked = False
        if start is not None:
            self.check_rigidity(*start)

    @cached_property
    def _affine(self) -> tuple[list[list[Expression]], list[Expression]]:
        return affine_formulas(self.system)

    @cached_property
    def mass_formulas(self) -> list[list[Expression]]:
        """M of L = M q̈ + h."""
        return self._affine[0]

    @cached_property
    def force_formulas(self) -> list[Expression]:
        """Q - h."""
        return [Q - h for Q, h in zip(self.system.applied, self._affine[1], strict=True)]

    def pack(self, q: Floats, v: Floats, t: float, work: Floats) -> Floats:
        """The vector that is integrated, of a state in which the parameters describe rigid bodies."""
        self.check_rigidity(q, v, t)
        return super().pack(q, v, t, work)

    # ---- compatibility

    @cached_property
    def conditions(self) -> list[tuple[str, list[list[Expression]]]]:
        """S_i by body (`compatibility`)."""
        return compatibility(self.system)

    @cached_property
    def _strains(self) -> Compiled:
        strains = [entry for _, rows in self.conditions for row in rows for entry in row]
        return self.system.compile([*strains, *(size for body in self.system.bodies if body.rotation is not None
                                                for size in _sizes(self.system, body))])

    def strain_rates(self, q: Floats, t: float = 0.0) -> dict[str, Floats]:
        """S of each body that turns in a state: six rows, a column for each coordinate."""
        n = len(self.coordinates)
        y = np.concatenate([as_vector(q, n), np.zeros(n)])
        out = self._strains(t, y, self.system.parameter_values)
        count = len(self.conditions) * len(STRAINS) * n
        table, size = out[:count].reshape(-1, len(STRAINS), n), np.sqrt(out[count:]).reshape(-1, 1, n)
        table = np.where(np.abs(table) <= NO_STRAIN * size, 0.0, table)
        if not np.isfinite(table).all():
            names = [name for (name, _), S in zip(self.conditions, table, strict=True) if not np.isfinite(S).all()]
            raise GranumError(f"the parameters of {', '.join(names)} flatten the body: its matrix R has no inverse.")
        return {name: S for (name, _), S in zip(self.conditions, table, strict=True)}

    def admissible(self, q: Floats, t: float = 0.0) -> tuple[int, Floats]:
        """Rank of the conditions S_i w_i = 0 in a state, and a basis of the w they allow, as columns."""
        n = len(self.coordinates)
        S = np.vstack([np.zeros((0, n)), *map(_scaled, self.strain_rates(q, t).values())])
        _, sizes, V = np.linalg.svd(S, full_matrices=True)
        rank = int(np.count_nonzero(sizes > STRAINED))
        return rank, np.ascontiguousarray(V[rank:].T)

    def check_rigidity(self, q: Floats, v: Floats, t: float = 0.0) -> None:
        """Refuse bodies that the constraints would let change their shape, by name."""
        holds = [not (row.invariant or row.slips) for row in self.system.rows]
        N = _allowed(np.zeros((0, len(q))), self.matrices(q, v, t)[2][holds])
        bad = [name for name, S in self.strain_rates(q, t).items()
               if np.abs(_scaled(S) @ N).max(initial=0.0) > STRAINED]
        if bad:
            raise GranumError(
                f"the parameters of {', '.join(bad)} can change its shape: the constraints allow displacements with a "
                "strain rate S_i w_i ≠ 0 (004). Add the constraint that makes R a rotation, such as a quaternion of "
                "unit length, or a start that meets it.")
        self._checked = True

    def compatibility_text(self) -> str:
        """The conditions S_i w_i = 0 as lines of text, shared parts first."""
        definitions, kept = self._written()
        lines = [f"{name} = {text(formula)}" for name, formula in definitions]
        return "\n".join([*lines, *(f"{label}: {text(total(terms))} = 0" for label, terms in kept)])

    def compatibility_latex(self) -> str:
        r"""The conditions S_i w_i = 0 in LaTeX, as the lines of an `aligned`."""
        definitions, kept = self._written()
        lines = [f"{latex(symbol(name))} &= {latex(formula)}" for name, formula in definitions]
        lines += [f"{latex(total(terms))} &= 0" for _, terms in kept]
        return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"

    def _written(self) -> tuple[list[tuple[str, Expression]], list[tuple[str, list[Expression]]]]:
        """Definitions and conditions as sums of coefficients times w."""
        rows = [(f"{body}.{'xyz'[a]}{'xyz'[b]}", row) for body, table in self.conditions
                for (a, b), row in zip(STRAINS, table, strict=True) if any(not entry.is_zero for entry in row)]
        definitions, roots = shared([entry for _, row in rows for entry in row])
        n = len(self.coordinates)
        w = [symbol(f"w_{name.replace('.', '_')}") for name in self.coordinates]
        return definitions, [
            (label, [c * x for c, x in zip(roots[k * n : (k + 1) * n], w, strict=True) if not c.is_zero])
            for k, (label, _) in enumerate(rows)]

    # ---- accelerations

    def accelerations(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """q̈ from (L_i - Q_i) w_i = 0 for all allowed w, with A q̈ = b; frictions stick or slide as they must.

        The normal force of a sliding friction does work in w through the friction it causes, so its row is released
        and its multiplier is an unknown beside q̈.
        """
        n = len(self.coordinates)
        q, v = as_vector(q, n), as_vector(v, n)
        if not self._checked:
            self.check_rigidity(q, v, t)
        modes = self.decide(q, v, t)
        M, Q, A, b = self.matrices(q, v, t)
        friction_rows = self._friction_rows
        slides = [k for k, mode in enumerate(modes) if mode.slides]
        free = {r for k, mode in enumerate(modes) if mode.slides or mode.opens for r in friction_rows[k][1]}
        free |= {friction_rows[k][0] for k, mode in enumerate(modes) if mode.opens}
        held = [r for r in range(len(A)) if r not in free]
        normals = sorted({friction_rows[k][0] for k in slides})
        pushes = A[normals].copy()
        for k in slides:
            normal, rows = friction_rows[k]
            drag = self.system.frictions[k].coefficient * modes[k].sign * np.array(modes[k].direction)
            pushes[normals.index(normal)] -= drag @ A[rows]
        S = np.vstack([np.zeros((0, n)), *map(_scaled, self.strain_rates(q, t).values())])
        W = _allowed(S, A[[r for r in held if r not in normals]])
        system = np.block([[W.T @ M, -(W.T @ pushes.T)], [A[held], np.zeros((len(held), len(normals)))]])
        return self._solved(system, np.concatenate([W.T @ Q, b[held]]), q, v, t)

    def _solved(self, system: Floats, right: Floats, q: Floats, v: Floats, t: float) -> Floats:
        """Least squares for q̈ (first) and normal forces, with rows of unit length; refused if not determined."""
        size = np.linalg.norm(system, axis=1)
        size[size == 0.0] = 1.0
        scaled = system / size[:, None]
        columns = np.linalg.norm(scaled, axis=0)
        columns[columns == 0.0] = 1.0
        U, sizes, V = np.linalg.svd(scaled / columns, full_matrices=True)
        n, rank = len(self.coordinates), int(np.count_nonzero(sizes > 1e-11 * sizes.max(initial=0.0)))
        weight = np.linalg.norm(V[rank:], axis=0)[:n]
        names = [name for name, w in zip(self.coordinates, weight, strict=True) if w > 1e-6]
        if names:
            raise GranumError(
                f"the accelerations of {', '.join(names)} are not determined at t = {t:g} s: neither the virtual work "
                "principle nor the constraints speak of them. Give them mass, or constraints that tie them to "
                "something that has.")
        x = V[:rank].T @ ((U[:, :rank].T @ (right / size)) / sizes[:rank])
        miss = scaled @ (x / columns) - right / size
        if np.abs(miss).max(initial=0.0) > 1e-6 * max(1.0, float(np.abs(right / size).max(initial=0.0))):
            self.refuse_contradiction(q, v, t)
            raise GranumError(f"the constraints contradict one another at t = {t:g} s: no acceleration meets them all.")
        solution: Floats = (x / columns)[:n]
        return solution

    # ---- friction

    @cached_property
    def _friction_rows(self) -> list[tuple[int, list[int]]]:
        """Of each friction: the row of its normal force and the rows of its slip."""
        names = [(row.constraint, row.number) for row in self.system.rows]
        for friction in self.system.frictions:
            if friction.normal not in names:
                raise GranumError(f'friction "{friction.name}": there is no row {friction.normal[1]} of a constraint '
                                  f'"{friction.normal[0]}" for its normal force.')
            if not 1 <= len(friction.slip) <= 2 or not friction.coefficient >= 0.0:
                raise GranumError(f'friction "{friction.name}" needs a coefficient that is not negative and one or two '
                                  f"components of slip along perpendicular tangents; found {friction.coefficient:g} "
                                  f"and {len(friction.slip)}.")
        return [(names.index(f.normal), [names.index((f.name, k)) for k in range(len(f.slip))])
                for f in self.system.frictions]

    @property
    def modes(self) -> list[Mode]:
        """What the compiled right-hand side takes each friction to do."""
        return [OPENS if entry[SLIDES] == OPEN else
                Mode(True, tuple(entry[DIRECTION : DIRECTION + int(entry[COUNT])].tolist()),
                     -1.0 if entry[COEFFICIENT] < 0.0 else 1.0) if entry[SLIDES] else STICKS
                for entry in self.data.formulas.frictions]

    @modes.setter
    def modes(self, modes: Sequence[Mode]) -> None:
        for entry, mode, friction in zip(self.data.formulas.frictions, modes, self.system.frictions, strict=True):
            entry[SLIDES] = OPEN if mode.opens else float(mode.slides)
            entry[COEFFICIENT] = friction.coefficient * mode.sign
            if mode.slides:
                entry[DIRECTION : DIRECTION + len(mode.direction)] = mode.direction

    def slips(self, q: Floats, v: Floats, t: float = 0.0) -> list[Floats]:
        """Slip velocity of each friction."""
        rates = self._program(t, np.concatenate([q, v]), self.system.parameter_values)[-len(self.system.rows) :]
        return [rates[rows] for _, rows in self._friction_rows]

    def touches(self, q: Floats, v: Floats, t: float = 0.0, resting: Collection[int] | None = None) -> list[Touch]:
        """Every friction in a state: sticking or sliding, and its forces."""
        if not self.system.frictions:
            return []
        search = _Search(self, as_vector(q, len(self.coordinates)), as_vector(v, len(self.coordinates)), t, resting)
        kept = self.modes
        try:
            return search.found()
        finally:
            self.modes = kept

    def decide(self, q: Floats, v: Floats, t: float = 0.0, resting: Collection[int] | None = None) -> list[Mode]:
        """What each friction does; `resting` names by number those known to have no slip.

        Raises NotConvergedError where Coulomb's law has no solution for rigid bodies, or several (Painlevé).
        """
        return [touch.mode for touch in self.touches(q, v, t, resting)]

    def refuse_open(self, q: Floats, v: Floats, t: float = 0.0) -> None:
        """Refuse a start in which a contact opens at once."""
        opening = ", ".join(f'"{touch.name}"' for touch in self.touches(q, v, t) if touch.mode.opens)
        if opening:
            raise GranumError(f"the contact of friction {opening} would have to pull at t = {t:g} s: the bodies leave "
                              "each other. Give another start, or bilateral = true if the contact holds in both "
                              "directions.")

    @cached_property
    def events(self) -> Compiled:
        """Numbers that fall through zero where a friction changes, four for each: see `friction_events`."""
        return self.compile_events(friction_events(self.system))

    @cached_property
    def reaction_names(self) -> tuple[str, ...]:
        """Names of all reactions, friction forces last."""
        return (*super().reaction_names, *(row.name for row in self.system.rows if row.slips))

    def reaction_values(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """Reactions in the order of `reaction_names`."""
        values = super().reaction_values(q, v, t)
        forces = [touch.force for touch in self.touches(q, v, t)]
        return np.concatenate([values, *forces])


def _scaled(rows: Floats) -> Floats:
    """Rows over the largest entry of all of them."""
    size = np.abs(rows).max(initial=0.0)
    return rows / size if size > 0.0 else rows


def _allowed(S: Floats, A: Floats) -> Floats:
    """Basis of the w that the rows of A and the strain rates S allow, as columns.

    Where the parameters are those of rigid bodies S w = 0 follows from A w = 0; so the rank is that of A, which
    keeps the basis steady in states near by, as differences need them.
    """
    A = A / np.maximum(np.linalg.norm(A, axis=1, keepdims=True), 1e-300)
    rank = int(np.count_nonzero(np.linalg.svd(A, compute_uv=False) > 1e-10)) if len(A) else 0
    return np.ascontiguousarray(np.linalg.svd(np.vstack([S, A]), full_matrices=True)[2][rank:].T)


@dataclass(frozen=True)
class _Solution:
    """A combination of modes that agrees with Coulomb's law."""

    touches: list[Touch]
    qdd: Floats
    forces: Floats
    """Sizes of all forces on each coordinate, which rounding errors of q̈ are measured by."""


class _Search:
    """The combination of sticking and sliding that agrees with Coulomb's law in one state."""

    def __init__(
        self, equations: VirtualWork, q: Floats, v: Floats, t: float, resting: Collection[int] | None,
    ) -> None:
        self.equations, self.q, self.v, self.t = equations, q, v, t
        self.frictions, self.friction_rows = equations.system.frictions, equations._friction_rows
        self.M, self.Q, self.A, self.b = equations.matrices(q, v, t)
        self.slip = equations.slips(q, v, t)
        moved = [np.abs(self.A[rows]) @ np.abs(v) for _, rows in self.friction_rows]
        self.resting = {k for k in range(len(self.friction_rows))
                        if np.linalg.norm(self.slip[k]) <= REST * np.linalg.norm(moved[k])} \
            if resting is None else set(resting)

    def found(self) -> list[Touch]:
        """The first consistent combination: those with the fewest open contacts first, then those that stick most.

        A second one with another motion, or none at all, is refused: rigid bodies do not say how they go on (Painlevé).
        """
        if len(self.resting) > MOST_AT_REST:
            raise GranumError(f"{len(self.resting)} frictions are without slip at t = {self.t:g} s; at most "
                              f"{MOST_AT_REST} can be decided at once.")
        first = next(self._consistent(self._combinations()), None)
        if first is None:
            names = ", ".join(f'"{friction.name}"' for friction in self.frictions)
            raise NotConvergedError(
                f"friction {names}: no solution exists at t = {self.t:g} s. Neither sticking, sliding nor leaving "
                "agrees with Coulomb's law for rigid bodies, because sliding friction presses them together more "
                "strongly than the normal force that causes it (Painlevé's paradox, inconsistent case). Use a smaller "
                "coefficient or another start.")
        for other in self._consistent(self._alternatives([touch.mode for touch in first.touches])):
            self._refuse_another(first, other)
        return first.touches

    def _consistent(self, combinations: Iterable[list[Mode]]) -> Iterator[_Solution]:
        """Those combinations that agree with the law, with their motions."""
        for modes in combinations:
            touches = self._touches(modes)
            if touches is not None and all(map(self._agrees, range(len(touches)), touches)):
                found = self.equations.data.formulas
                yield _Solution(touches, found.qdd.copy(), np.abs(self.Q) + np.abs(found.multipliers) @ np.abs(self.A))

    def _refuse_another(self, first: _Solution, other: _Solution) -> None:
        weight = np.sqrt(inertias(self.M))
        size = float((np.maximum(first.forces, other.forces) / weight).max())
        if float((np.abs(first.qdd - other.qdd) * weight).max()) <= ANOTHER * size:
            return
        said = [" and ".join(f'"{touch.name}" {touch.mode.name}' for touch in one.touches) for one in (first, other)]
        raise NotConvergedError(
            f"friction: several solutions exist at t = {self.t:g} s. {said[0]}, or {said[1]}: each agrees with "
            "Coulomb's law for rigid bodies, with another motion (Painlevé's paradox, indeterminate case). Use a "
            "smaller coefficient or another start.")

    def _combinations(self) -> Iterator[list[Mode]]:
        options = [[*self._options(k), *([] if self.frictions[k].bilateral else [OPENS])]
                   for k in range(len(self.frictions))]
        ordered = sorted(product(*options), key=lambda modes: (
            sum(mode.opens for mode in modes), sum(mode.slides for mode in modes)))
        return map(list, filter(self._open_together, ordered))

    def _open_together(self, modes: Sequence[Mode]) -> bool:
        """Frictions of one normal force open together."""
        opens = [{mode.opens for (normal, _), mode in zip(self.friction_rows, modes, strict=True) if normal == one}
                 for one in {normal for normal, _ in self.friction_rows}]
        return all(len(each) == 1 for each in opens)

    def _alternatives(self, taken: list[Mode]) -> Iterator[list[Mode]]:
        """Other combinations than the one taken; where they are many, those that differ in one friction.

        A slip of two components that begins has one direction here, that of the combination taken.
        """
        options = [[mode for mode in (*self._options(k), OPENS) if mode.direction or not mode.slides]
                   for k in range(len(taken))]
        options = [[mode, *(other for other in listed if other != mode and not (
            other.opens and self.frictions[k].bilateral))] for k, (mode, listed) in enumerate(
                zip(taken, options, strict=True))]
        others: Iterator[list[Mode]] = map(list, product(*options))
        if prod(map(len, options)) > MOST_EXAMINED:
            others = ([*taken[:k], mode, *taken[k + 1 :]] for k, listed in enumerate(options) for mode in listed)
        return (modes for modes in others if modes != taken and self._open_together(modes))

    def _options(self, k: int) -> list[Mode]:
        """What a closed contact may do."""
        signs = (1.0, -1.0) if self.frictions[k].bilateral else (1.0,)
        if k not in self.resting:
            direction = self.slip[k] / np.linalg.norm(self.slip[k])
            return [Mode(True, tuple(direction.tolist()), sign) for sign in signs]
        if len(self.slip[k]) == 1:
            return [STICKS, *(Mode(True, (d,), sign) for sign in signs for d in (1.0, -1.0))]
        return [STICKS, *(Mode(True, (), sign) for sign in signs)]

    def _touches(self, modes: list[Mode]) -> list[Touch] | None:
        """Forces of given modes; a direction left open is that in which slip begins. None if there is none."""
        if any(mode.slides and not mode.direction for mode in modes):
            return self._begun(modes)
        self.equations.modes = modes
        if self.equations.evaluate(self.q, self.v, self.t) != 0:
            raise GranumError(f"the accelerations of {self.equations.undetermined} are not determined at t = "
                              f"{self.t:g} s.")
        qdd, multipliers = self.equations.data.formulas[-2:]
        touches = []
        for k, (normal, rows) in enumerate(self.friction_rows):
            N, mode = float(multipliers[normal]), modes[k]
            drag = -self.frictions[k].coefficient * mode.sign * N * np.array(mode.direction)
            touches.append(Touch(self.frictions[k].name, mode, N, drag if mode.slides else multipliers[rows].copy(),
                                 self.slip[k], self.A[rows] @ qdd - self.b[rows],
                                 float(self.A[normal] @ qdd - self.b[normal])))
        return touches

    def _begun(self, modes: list[Mode]) -> list[Touch] | None:
        """Directions d in which slip begins: u̇(d) = c d with c > 0, |d| = 1, found from that of the force needed."""
        from scipy.optimize import root

        unknown = [k for k, mode in enumerate(modes) if mode.slides and not mode.direction]
        stuck = self._touches([STICKS if k in unknown else mode for k, mode in enumerate(modes)])
        assert stuck is not None

        def trial(x: Floats) -> list[Touch]:
            chosen = list(modes)
            for k, (a, b, _) in zip(unknown, x.reshape(-1, 3), strict=True):
                chosen[k] = Mode(True, (float(a), float(b)), modes[k].sign)
            touches = self._touches(chosen)
            assert touches is not None
            return touches

        def residual(x: Floats) -> Floats:
            touches = trial(x)
            return np.concatenate([[*(touches[k].change - c * scale * np.array([a, b])) / scale, a * a + b * b - 1.0]
                                   for k, (a, b, c) in zip(unknown, x.reshape(-1, 3), strict=True)])

        guess = np.concatenate([[*(-stuck[k].force / max(1e-300, float(np.linalg.norm(stuck[k].force)))), 0.0]
                                for k in unknown])
        # what friction does to u̇: where sticking has just ended, u̇ itself is next to nothing
        reverse = guess * np.tile([-1.0, -1.0, 1.0], len(unknown))
        there, back = trial(guess), trial(reverse)
        scale = max(1e-300, *(float(np.linalg.norm(there[k].change - back[k].change)) for k in unknown))
        guess[2::3] = [float(np.linalg.norm(there[k].change)) / scale for k in unknown]
        solution = root(residual, guess, tol=1e-13)
        x = solution.x.reshape(-1, 3)
        if np.abs(residual(solution.x)).max() > 1e-8 or x[:, 2].min() <= -BEGINS:
            return None
        x[:, :2] /= np.linalg.norm(x[:, :2], axis=1, keepdims=True)
        return trial(x.ravel())

    def _size(self, touch: Touch) -> float:
        return max(abs(touch.normal), float(np.linalg.norm(touch.force)))

    def _agrees(self, k: int, touch: Touch) -> bool:
        """Does a friction without slip hold, or slip in the direction it is taken to; does N have the sign taken?

        A contact that is taken to open must part, one that is taken to be closed must press.
        """
        k_N = self.frictions[k].coefficient * abs(touch.normal)
        qdd, normal = self.equations.data.formulas.qdd, self.friction_rows[k][0]
        if touch.mode.opens:
            return touch.gap >= -LIMIT * float(np.abs(self.A[normal]) @ np.abs(qdd) + abs(self.b[normal]))
        if not self.frictions[k].bilateral and touch.normal < -LIMIT * self._size(touch):
            return False
        if not touch.mode.slides:
            return float(np.linalg.norm(touch.force)) <= k_N * (1.0 + LIMIT)
        if self.frictions[k].bilateral and touch.normal * touch.mode.sign < -LIMIT * self._size(touch):
            return False
        if k not in self.resting or len(self.slip[k]) == 2:
            return True  # there is slip, or it was found together with its direction
        rows = self.friction_rows[k][1]
        made_of = float((np.abs(self.A[rows]) @ np.abs(qdd) + np.abs(self.b[rows])).max())
        return float(np.dot(touch.change, touch.mode.direction)) > -LIMIT * made_of
