"""virtual-work: bodies whose parameters need not be those of a rigid motion, and Coulomb friction (Souchet).

A body moves as x = T(q) + R(q) X, X from its mass centre, where R is any matrix function of the parameters. The
virtual work of acceleration for v = (T'_i + R'_i X) w_i is

    L_i w_i = ∫ρ a·v = [m T̈·T'_i + tr(R̈ Ē R'_iᵀ)] w_i,      Ē = ∫ρ X Xᵀ = ½ tr(I) 1 - I,

affine in q̈: L = M q̈ + h. The stresses of the body do no work if the strain rate of w vanishes,

    S_i w_i = 0,      S_i = sym(R'_i R⁻¹),

so (L_i - Q_i) w_i = 0 for all w with S_i w_i = 0 and A w = 0. Neither an angular velocity nor an energy is needed:
an independent road to the same motion.
Frictions stick, slide or open as `friction` finds.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

import numpy as np

from granum.algebra import Expression, gradient, jacobian, symbol
from granum.algebra.compiled import Compiled
from granum.algebra.show import latex, shared, text
from granum.algebra.vectors import Matrix, total
from granum.analytic.expressed import System
from granum.analytic.expressed_parts import Body
from granum.analytic.friction import OPENS, STICKS, FrictionSearch, Mode, Touch, friction_events
from granum.analytic.inertia import add_inertia, euler_tensor
from granum.analytic.result import as_vector
from granum.analytic.row_equations import (
    COEFFICIENT,
    COUNT,
    DIRECTION,
    OPEN,
    SLIDES,
    RowEquations,
)
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.rows.redundancy import CARRIES

STRAINS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
"""Components of a strain rate: xx, yy, zz, xy, yz, zx."""
NO_STRAIN = 1e-14
"""Strain rate, relative to the rate of R that it is a part of, that is rounding: of a rotation by angles it all is."""
STRAINED = 1e-7
"""Strain rate of an allowed displacement, relative to the largest of its body, from which it counts."""


def affine_formulas(system: System) -> tuple[list[list[Expression]], list[Expression]]:
    """M and h of the virtual work of acceleration, L = M q̈ + h."""
    M = jacobian(gradient(system.bodiless, system.v), system.v)
    h = system.inertial(system.bodiless)
    for body in system.bodies:
        add_inertia(M, h, jacobian(body.position, system.q), system.rates(system.rates(body.position)), [[body.mass]])
        if body.rotation is not None:
            for row in body.rotation:
                add_inertia(M, h, jacobian(row, system.q), system.rates(system.rates(row)), euler_tensor(body.moments))
    return M, h


def compatibility(system: System) -> list[tuple[str, list[list[Expression]]]]:
    """S_i of every body that turns: its name and six rows (xx, yy, zz, xy, yz, zx), an entry for each coordinate."""
    return [(body.name, strain_rates(system, body, _inverse(body.rotation)))
            for body in system.bodies if body.rotation is not None]


def strain_rates(system: System, body: Body, inverse: Sequence[Sequence[Expression]]) -> list[list[Expression]]:
    """sym(R'_i R⁻¹) of a body with the inverse of its R, or with what stands for it."""
    assert body.rotation is not None
    slopes = [jacobian(row, system.q) for row in body.rotation]
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


def adjugate(R: Matrix) -> list[list[Expression]]:
    """det(R) R⁻¹."""
    def cofactor(i: int, j: int) -> Expression:
        a, b, c, d = (i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3
        return R[a][c] * R[b][d] - R[a][d] * R[b][c]

    return [[cofactor(j, i) for j in range(3)] for i in range(3)]


def _inverse(R: Matrix) -> list[list[Expression]]:
    """R⁻¹ as adjugate over determinant."""
    adjoint = adjugate(R)
    determinant = total(R[0][j] * adjoint[j][0] for j in range(3))
    return [[entry / determinant for entry in row] for row in adjoint]


class VirtualWork(RowEquations):
    """The virtual work principle with compatibility conditions, and Coulomb friction (Souchet)."""

    formulation = "virtual-work"
    takes_friction = True
    contact_events: Sequence[Expression] = ()
    """Numbers that fall through zero where other contacts end, watched beside those of friction."""
    contact_quotients: Sequence[Expression] = ()
    """Friction force and normal force of each of these contacts."""

    def __init__(self, system: System, start: tuple[Floats, Floats] | None = None) -> None:
        super().__init__(system, start)
        self._checked = False
        if start is not None:
            self.check_rigidity(*start)

    @cached_property
    def inertia(self) -> tuple[list[list[Expression]], list[Expression]]:
        """M and h of L = M q̈ + h."""
        return affine_formulas(self.system)

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
            raise GranumError(f"the parameters of {', '.join(names)} collapse the body: its matrix R is singular.")
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
                f"the parameters of {', '.join(bad)} can deform it: the constraints allow displacements with a "
                "non-zero strain rate. Add the constraint that makes R a rotation, such as unit length of a "
                "quaternion, or give a start that satisfies it.")
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
        friction_rows = self.friction_rows
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
                f"the accelerations of {', '.join(names)} are not determined at t = {t:g} s: neither virtual work nor "
                "constraints determine them. Give them mass, or constraints that connect them to something with mass.")
        x = V[:rank].T @ ((U[:, :rank].T @ (right / size)) / sizes[:rank])
        miss = scaled @ (x / columns) - right / size
        if np.abs(miss).max(initial=0.0) > 1e-6 * max(1.0, float(np.abs(right / size).max(initial=0.0))):
            self.refuse_contradiction(q, v, t)
            raise GranumError(f"the constraints contradict one another at t = {t:g} s: no acceleration satisfies them "
                              "all. Remove or correct one of them.")
        solution: Floats = (x / columns)[:n]
        return solution

    # ---- friction

    @cached_property
    def friction_rows(self) -> list[tuple[int, list[int]]]:
        """Of each friction: the row of its normal force and the rows of its slip."""
        names = [(row.constraint, row.number) for row in self.system.rows]
        for friction in self.system.frictions:
            if friction.normal not in names:
                raise GranumError(f'friction "{friction.name}": there is no row {friction.normal[1]} of a constraint '
                                  f'"{friction.normal[0]}" for its normal force.')
            if not 1 <= len(friction.slip) <= 2 or not friction.coefficient >= 0.0:
                raise GranumError(f'friction "{friction.name}" needs a non-negative coefficient and one or two '
                                  f"perpendicular components of slip; found {friction.coefficient:g} and "
                                  f"{len(friction.slip)}.")
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
        return [rates[rows] for _, rows in self.friction_rows]

    def touches(self, q: Floats, v: Floats, t: float = 0.0, resting: Collection[int] | None = None) -> list[Touch]:
        """Every friction in a state: sticking or sliding, and its forces."""
        if not self.system.frictions:
            return []
        n = len(self.coordinates)
        search = FrictionSearch(self, as_vector(q, n), as_vector(v, n), t, resting)
        kept = self.modes
        try:
            return search.touches()
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
            raise GranumError(f"the contact of friction {opening} would need a tensile normal force at t = {t:g} s: "
                              "the bodies separate. Give another start, or set bilateral = true if the contact holds "
                              "in both directions.")

    @cached_property
    def events(self) -> Compiled:
        """Numbers that fall through zero where a friction changes, four for each (`friction_events`), then those of
        contacts, and their quotients.
        """
        return self.compile_events([*friction_events(self.system), *self.contact_events, *self.contact_quotients])

    @cached_property
    def reaction_names(self) -> tuple[str, ...]:
        """Names of all reactions, friction forces last."""
        return (*super().reaction_names, *(row.name for row in self.system.rows if row.slips))

    def reaction_values(self, q: Floats, v: Floats, t: float = 0.0) -> tuple[Floats, Floats]:
        """Reactions in the order of `reaction_names`, and whether they are unique."""
        values, unique = super().reaction_values(q, v, t)
        forces = [touch.force for touch in self.touches(q, v, t)]
        slips = np.array([row.slips for row in self.system.rows], dtype=bool)
        carried = np.abs(self._settled(q, v, t)[2][slips]).max(axis=1, initial=0.0) if slips.any() else np.zeros(0)
        return np.concatenate([values, *forces]), np.concatenate([unique, carried <= CARRIES])


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
