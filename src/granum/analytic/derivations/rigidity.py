"""Rigidity in virtual-work as it is derived: the stress of bodies given by any R(q), and its elimination (Souchet)."""

from __future__ import annotations

from collections.abc import Sequence

from granum.algebra import Expression, jacobian
from granum.algebra.expression import ZERO, rebuild
from granum.algebra.show import latex, text
from granum.algebra.vectors import dot, total
from granum.analytic.derivations.common import reduced
from granum.analytic.derivations.derivation import Grid, Label, Line, Step
from granum.analytic.derivations.notation import Notation
from granum.analytic.expressed_parts import Body
from granum.analytic.parametrised import RIGIDITY, dual_vector
from granum.analytic.virtual_work import adjugate, strain_rates

_WITH_STRESS = Line(Label("[-L_i + R(f).T'_i + M(f).a_i] w_i - (sigma : S_i) w_i",
                          r"\left[-L_i + R(f) \cdot T'_i + M(f) \cdot a_i\right] w_i - (\sigma : S_i)\, w_i"),
                    Label("0", "0"))
_WITHOUT = Line(Label("[-L_i + R(f).T'_i + M(f).a_i] w_i", r"\left[-L_i + R(f) \cdot T'_i + M(f) \cdot a_i\right] w_i"),
                Label("0  for all w with S_i w_i = 0", r"0 \quad \forall w: \; S_i w_i = 0"))


def strained_bodies(n: Notation) -> list[Body]:
    """Bodies that are given by R alone, with a constraint that keeps it a rotation."""
    held = {constraint.name for constraint in n.system.constraints}
    return [body for body in n.system.bodies if body.spin is None and f"{body.name}.{RIGIDITY}" in held]


def stress_steps(n: Notation, w: Sequence[Expression]) -> list[Step]:
    """What the bodies may do, the principle with their stress, and the displacements in which it does no work."""
    bodies = strained_bodies(n)
    if not bodies:
        return []
    names = " and ".join(body.name for body in bodies)
    return [
        Step("Motion of the bodies", "A body moves as `x = T + R X`, with `X` measured from its mass centre. The "
             f"matrix `R` of {names} need not be a rotation: nothing rigid is assumed.",
             tuple(line for body in bodies for line in _motion(n, body))),
        Step("Virtual work with stress", "A virtual displacement is `v = (T'_i + R'_i X) w_i`, where the prime and `i` "
             "denote the derivative by parameter `i`. Its gradient `R'_i R^-1 w_i` has the symmetric part `S_i w_i`, "
             "a strain, on which the stress `sigma` does work, and the antisymmetric part `A_i w_i`, a rotation by "
             "`a_i w_i`. All other forces `f` enter by their resultant `R(f)` and their moment `M(f)` about the mass "
             "centre. The dual vectors `a_i` of `A_i` are written with `R^-1 = R^T`, where `R` is a rotation.",
             (_WITH_STRESS, *(line for body in bodies for line in _dual_vectors(n, body)))),
        Step("Elimination of the stress", "The stress is unknown. It does no work in displacements that do not strain "
             "the body, `S_i w_i = 0`. Multiplied by `Delta`, these conditions are",
             (*(line for body in bodies for line in _conditions(n, body, w)), _WITHOUT), essential=True),
        Step("Rigidity", "The parameters are those of a rigid body, for which `R` is a rotation. Displacements that "
             "keep this condition satisfy `S_i w_i = 0`:",
             tuple(line for body in bodies for line in _rigid(n, body, w)), essential=True)]


def _motion(n: Notation, body: Body) -> list[Line]:
    size = _size(n)
    assert body.rotation is not None
    T = [n.shown(component) for component in body.position[:size]]
    position = Label(f"({', '.join(map(text, T))})", rf"\left({', '.join(map(latex, T))}\right)")
    return [Line(_of("T", body), position),
            Line(_of("R", body), Grid(tuple(tuple(n.shown(entry) for entry in row[:size])
                                            for row in body.rotation[:size])))]


def _dual_vectors(n: Notation, body: Body) -> list[Line]:
    """a_i of the parameters that rotate the body; in 2-D about z."""
    assert body.rotation is not None
    slopes = [jacobian(row, n.system.q) for row in body.rotation]
    lines = []
    for i, q in enumerate(n.q):
        vector = dual_vector([[entry[i] for entry in row] for row in slopes], body.rotation)
        shown = [n.shown(component) for component in (vector[2:] if _size(n) == 2 else vector)]
        if any(not component.is_zero for component in shown):
            right = shown[0] if len(shown) == 1 else Label(
                f"({', '.join(map(text, shown))})", rf"\left({', '.join(map(latex, shown))}\right)")
            lines.append(Line(Label(f"a[{text(q)}]", rf"a_{{{latex(q)}}}"), right))
    return lines


def _conditions(n: Notation, body: Body, w: Sequence[Expression]) -> list[Line]:
    """Δ S_i w_i = 0 with Δ = det R, each condition once."""
    assert body.rotation is not None
    adjoint = adjugate(body.rotation)
    determinant = n.shown(total(body.rotation[0][k] * adjoint[k][0] for k in range(3)))
    apart = rebuild([determinant], dict.fromkeys(n.q, ZERO))[0]  # 1 + 4 q² (p² + q² - 1), as the source has it
    determinant = min(determinant, apart + n.simple(determinant - apart), key=lambda value: len(text(value)))
    simple = n.simplifier()  # which knows the order of w
    values = [simple(dot([n.show(entry) for entry in row], w))
              for row in strain_rates(n.system, body, adjoint)]
    return [Line(Label(f"Delta = det R[{body.name}]", rf"\Delta = \det R_{{\mathrm{{{body.name}}}}}"), determinant),
            *(Line(value, ZERO) for value in dict.fromkeys(values) if not value.is_zero)]


def _rigid(n: Notation, body: Body, w: Sequence[Expression]) -> list[Line]:
    """The rigidity condition and what it says about displacements, without a common factor."""
    lines = []
    for row in n.system.rows:
        if row.constraint == f"{body.name}.{RIGIDITY}":
            kept = total(n.shown(slope) * x for slope, x in zip(row.A, w, strict=True))
            lines += [Line(n.shown(row.value), ZERO), reduced(n, n.simple(kept))]
    return lines


def _size(n: Notation) -> int:
    """2 or 3 dimensions."""
    return 3 if n.assembly is None else n.assembly.dimension


def _of(letter: str, body: Body) -> Label:
    return Label(f"{letter}[{body.name}]", rf"{letter}_{{\mathrm{{{body.name}}}}}")
