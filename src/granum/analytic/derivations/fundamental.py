"""fundamental as it is derived: M, Q, A, b and the equation of constrained motion of Udwadia and Kalaba."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from granum.algebra import Expression
from granum.algebra.expression import ONE, ZERO
from granum.algebra.polynomial import UNKNOWN
from granum.algebra.show import text
from granum.algebra.vectors import dot, total
from granum.analytic.derivations.blocks import IDENTITY, Block, diagonal, named_block, scalar, stacked
from granum.analytic.derivations.common import (
    acceleration_lines,
    constraint_lines,
    coordinates_step,
    derivation,
    forces_of_constraints,
    named_entries,
    scaled_links,
)
from granum.analytic.derivations.derivation import Derivation, Grid, Label, Line, Step
from granum.analytic.derivations.independent import link_squares
from granum.analytic.derivations.notation import Notation, notation_of
from granum.analytic.derivations.positions import kinetic_step, position_steps
from granum.analytic.derivations.spatial import spatial
from granum.analytic.derivations.spatial_parts import Spatial
from granum.analytic.derivations.spatial_steps import (
    constraint_step,
    coordinate_steps,
    energy_step,
    hinge_step,
    inertia_lines,
    letters_of,
    link_step,
    load_step,
    outline_step,
    point_step,
    surface_step,
)
from granum.analytic.fundamental import Fundamental

_PRINCIPLE = ("The fundamental equation of constrained motion (Udwadia and Kalaba 1992; Udwadia and Phohomsiri 2006; "
              "Udwadia and Mogharabin 2022): `M q_ddot = Q` without constraints; with `A q_ddot = b` the acceleration "
              "is the one nearest to it in the metric of `M`.")
_FEW = 4
"""Constraints whose matrix K is written entry by entry."""


def of_formulas(equations: Fundamental) -> Derivation:
    """The matrices, and the equation in them."""
    n = notation_of(equations)
    if (m := spatial(n)) is not None:
        return _in_vectors(m)
    M = [[n.shown(entry) for entry in row] for row in n.system.mass_formulas]
    Q = [n.shown(entry) for entry in n.system.force_formulas]
    A, b = [[n.shown(entry) for entry in row.A] for row in n.system.rows], [n.shown(row.b) for row in n.system.rows]
    parted = all(entry.is_zero != (i == j) for i, row in enumerate(M) for j, entry in enumerate(row))
    matrices = [*_mass(n, M, parted), *named_entries(n, n.letter("Q"), [[entry] for entry in Q])]
    restrained = [*named_entries(n, n.letter("A"), A), *named_entries(n, n.letter("b"), [[entry] for entry in b])]
    solved = _together(n, M, Q)
    if parted and A:
        parts = len(A) <= _FEW and not _redundant(equations)
        solved = _by_parts(n, M, Q, A, b) if parts else _by_matrices(n)
    return derivation(n, "fundamental", _PRINCIPLE, [
        coordinates_step(n), *position_steps(n), kinetic_step(n),
        Step("Unconstrained system" if A else "Mass matrix and forces", "`M q_ddot = Q`, " + (
            "as if there were no constraints" if A else "since there are no constraints") + "; `Q` holds applied "
            "forces, those of the potential energy and the velocity terms of inertia.", tuple(matrices), True),
        Step("Constraints", f"Each is differentiated along the motion until accelerations appear: `A q_ddot = b`."
             f"{scaled_links(n)}", (*constraint_lines(n, n.system.rows), *restrained), True) if A else None,
        Step("Constrained acceleration", "The superscript + is the Moore-Penrose inverse. " + (
            "`M` is positive definite, and `a = M^-1 Q`." if parted else "This form needs no inverse of `M`, which "
            "may be singular."), (_formula(n, parted),), True) if A else None, *solved])


def _redundant(equations: Fundamental) -> bool:
    """Do constraints depend on each other at the start, so that K λ = e has no single solution?"""
    if not equations.has_start:
        return False
    A = equations.system.check(*equations.start)[2]
    return bool(np.linalg.matrix_rank(A, 1e-9 * np.abs(A).max()) < len(A))


def _formula(n: Notation, parted: bool) -> Line:
    """The equation of Udwadia and Kalaba (1992), or that of Udwadia and Phohomsiri (2006) for a singular M; to read."""
    q, M, Q, A, b, a = (named_block(n.letter(name)) for name in ("q", "M", "Q", "A", "b", "a"))
    right = stacked([(IDENTITY - A.pseudo * A) * M, A]).pseudo * stacked([Q, b])
    if parted:
        root = Block(f"{M.text}^(-1/2)", rf"{M.latex}^{{-1/2}}")
        right = a + root * (A * root).pseudo * (b - A * a)
    return Line(Label(q.second.text, q.second.latex), Label(right.text.replace("*", " "), right.latex))


def _mass(n: Notation, M: Sequence[Sequence[Expression]], on_a_line: bool) -> list[Line]:
    """M, on a line if it is diagonal."""
    if not on_a_line:
        return named_entries(n, n.letter("M"), M)
    return [Line(named_block(n.letter("M")), diagonal(scalar(row[i]) for i, row in enumerate(M)))]


def _by_matrices(n: Notation) -> list[Step]:
    """q̈ of many constraints, by the matrices."""
    q, M, Q, A, b, a = (named_block(n.letter(name)) for name in ("q", "M", "Q", "A", "b", "a"))
    inner = (A * M.inverse * A.T).pseudo
    return [Step("Equations of motion", "The free acceleration `a`, and that of all coordinates `q` in the order in "
                 "which they are listed, by `M^(-1/2) (A M^(-1/2))^+ = M^-1 A^T (A M^-1 A^T)^+`.", (
                     Line(a, M.inverse * Q), Line(q.second, a + M.inverse * A.T * inner * (b - A * a))), True, True)]


def _in_vectors(m: Spatial) -> Derivation:
    """M, Q, A and b by blocks, (43), and the reactions (51)-(56)."""
    q, M, Q, A, b = letters_of(m)
    moved = ((IDENTITY - A.pseudo * A) * M) if m.rows else M
    solved = Line(q.second, stacked([moved, A]).pseudo * stacked([Q, b]))
    return derivation(m.n, "fundamental", _PRINCIPLE, [
        *coordinate_steps(m, q), energy_step(m), point_step(m), hinge_step(m), link_step(m), load_step(m),
        Step("Unconstrained system", f"`{M.text} q_ddot = {Q.text}`, as if there were no constraints" + (
            f": Lagrange's equations of {'the body' if len(m.solids) == 1 else 'each body'} with `d/dt dT/d(u_dot) = 4 "
            "E^T J E u_ddot + 4 E_dot^T J E u_dot` and `dT/du = -4 E_dot^T J E u_dot`.") + (
            " Massless points have neither inertia nor forces." if m.contacts else ""),
            tuple(inertia_lines(m, M, Q)), True),
        surface_step(m), outline_step(m), constraint_step(m, m.rows, A, b),
        Step("Equations of motion", f"The superscript + is the Moore-Penrose inverse. The acceleration is unique, "
             f"though `{M.text}` is singular, because `{M.text}` and `{A.text}` one above the other have rank "
             f"{len(m.n.q)}.", (solved,), True, True),
        _reactions(m)])


def _reactions(m: Spatial) -> Step | None:
    """Force of the surface on a rolling body, its normal part and friction: (51) and below."""
    lines, joined = list[Line](), {solid for row in m.rows for solid, _, _ in row.between}
    for c in (one for one in m.contacts if one.solid not in joined):
        tail = c.solid.w.text.removeprefix("w").replace("_C", "")
        P = m.define([f"F_P{tail}"], f"3-vector, force of the surface on {c.solid.name}", "N")
        N = m.define([f"N{tail}"], f"normal force on {c.solid.name}", "N")
        T = m.define([f"F_T{tail}"], f"3-vector, friction force on {c.solid.name}", "N")
        lines += [Line(P, c.solid.mass * c.solid.w.second - c.solid.force), Line(N, c.normal.T * P),
                  Line(T, (IDENTITY - c.normal * c.normal.T) * P)]
    return Step("Reactions", "Mass times acceleration less the applied forces is the force of the surface at the "
                "contact. Rolling needs a coefficient of friction of at least the magnitude of friction over the "
                "normal force.", tuple(lines)) if lines else None


def _by_parts(n: Notation, M: Sequence[Sequence[Expression]], Q: Sequence[Expression],
              A: Sequence[Sequence[Expression]], b: Sequence[Expression]) -> list[Step]:
    """Free acceleration a, its violation e of the constraints, K λ = e with K = A M⁻¹ Aᵀ, and q̈ = a + M⁻¹ Aᵀ λ."""
    masses, shorts = [M[i][i] for i in range(len(M))], [n.row_names()[row.name] for row in n.system.rows]
    moved_freely = [n.simple(force / mass) for force, mass in zip(Q, masses, strict=True)]
    a = [one if _plain(one) else n.new([f"a_{q.name}"], f"acceleration of {q.name} without constraints",
                                       n.quantities[s.name].unit, UNKNOWN)
         for one, q, s in zip(moved_freely, n.q, n.a, strict=True)]
    forces = [n.quantities[multiplier.name].unit == "N" for multiplier in n.multipliers]
    e = [n.new([f"e_{short}"], f"error of the free acceleration in the constraint {row.name}",
               "m/s^2" if force else "") for short, row, force in zip(shorts, n.system.rows, forces, strict=True)]
    free = [*(Line(one, value) for one, value in zip(a, moved_freely, strict=True) if one is not value),
            Line(named_block(n.letter("a")), Grid(tuple((one,) for one in a)))]
    lacks = [Line(one, n.simple(right - dot(row, a))) for one, right, row in zip(e, b, A, strict=True)]
    simple = n.simplifier(link_squares(n))
    K, entries = [[ONE] * len(A) for _ in A], []
    for i, one in enumerate(A):
        for j, two in enumerate(A[: i + 1]):
            K[i][j] = K[j][i] = min(simple(total(p * q / mass for p, q, mass in zip(one, two, masses, strict=True)
                                                 if not (p.is_zero or q.is_zero))),
                                    _factored(two, one, masses), key=lambda value: len(text(value)))
            if not K[i][j].is_zero and K[i][j].kind != "number":
                entry = n.new([f"K_{shorts[j]}_{shorts[i]}"], f"entry of K for {n.system.rows[j].name}" + (
                    f" and {n.system.rows[i].name}" if i != j else ""), "1/kg" if forces[i] and forces[j] else "")
                entries.append(Line(entry, K[i][j]))
                K[i][j] = K[j][i] = entry
    solved = [Line(dot(row, n.multipliers), right) for row, right in zip(K, e, strict=True)]
    moved = [Line(second, n.simple(one + total(row[i] * multiplier for row, multiplier in zip(
        A, n.multipliers, strict=True)) / masses[i])) for i, (second, one) in enumerate(zip(n.a, a, strict=True))]
    return [
        Step("Free acceleration and its error", "`e = b - A a` is how far the free acceleration `a` is from "
             "satisfying the constraints.", (*free, *lacks), True),
        Step("Matrix of the constraints", "`K = A M^-1 A^T`." if entries else "`K = A M^-1 A^T` is a matrix of "
             "numbers.", tuple(entries), True),
        Step("Equations of motion", "For independent constraints the formula is `q_ddot = a + M^-1 A^T lambda` with `K "
             "lambda = e`; `A^T lambda` is the force of the constraints.", (*solved, *moved), True, True)]


def _factored(one: Sequence[Expression], two: Sequence[Expression], masses: Sequence[Expression]) -> Expression:
    """Σ p q/m with one divisor for each mass, as ((x₁ - x₂)(x₁ - x₃) + ...)/(m l₂ l₃)."""
    by_divisor = dict[Expression, Expression]()
    for p, q, mass in zip(one, two, masses, strict=True):
        (above, below), (above_too, below_too) = map(_parted, (p, q))
        if not (p.is_zero or q.is_zero):
            divisor = mass * below * below_too
            by_divisor[divisor] = by_divisor.get(divisor, ZERO) + above * above_too
    return total(sum_ / divisor for divisor, sum_ in by_divisor.items())


def _parted(value: Expression) -> tuple[Expression, Expression]:
    """What is divided, and by what."""
    return (value.arguments[0], value.arguments[1]) if value.kind == "/" else (value, ONE)


def _plain(value: Expression) -> bool:
    """Is it zero, a symbol, or minus one, which need no name?"""
    return value.is_zero or (value.arguments[0] if value.kind == "neg" else value).kind == "symbol"


def _together(n: Notation, M: Sequence[Sequence[Expression]], Q: Sequence[Expression]) -> list[Step]:
    """M q̈ = Q + Aᵀ λ and A q̈ = b."""
    lines = [Line(n.simple(dot(row, n.a)), n.simple(force + forces_of_constraints(n, i)))
             for i, (row, force) in enumerate(zip(M, Q, strict=True))]
    prose = "`M q_ddot = Q`"
    if n.system.rows:
        prose = ("The same as a linear system: `M q_ddot = Q + A^T lambda`, where `A^T lambda` is the force of the "
                 "constraints, and `A q_ddot = b`")
    return [Step("Equations of motion", f"{prose}.", (*lines, *acceleration_lines(n)), True, True)]


