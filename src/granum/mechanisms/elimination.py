"""H λ = b with H = J M⁻¹ Jᵀ on the pattern of the graph; with sliding friction H = J M⁻¹ Dᵀ, which is not symmetric."""

from __future__ import annotations

from granum.base.kernels import Floats, kernel
from granum.linear import ldl, ldu
from granum.linear.ldl import Pattern
from granum.mechanisms.tables import DROPPED, PLANAR, Model, Work


@kernel
def pattern_of(model: Model) -> Pattern:
    """Where the entries of H and L are."""
    return Pattern(model.order, model.start, model.row, model.parent, model.factor_start, model.factor_row)


@kernel
def weigh(model: Model, work: Work, D: Floats) -> None:
    """B = M⁻¹ Dᵀ, row by row."""
    planar, half = model.shape[PLANAR], D.shape[1] // 2
    for r in range(len(D)):
        j = model.row_joint[r]
        for side in range(2):
            i, o = model.body[j, side], side * half
            weight = model.inverse_mass[i]
            if planar:
                work.B[r, o], work.B[r, o + 1] = weight * D[r, o], weight * D[r, o + 1]
                work.B[r, o + 2] = work.inverse[i, 8] * D[r, o + 2]
            else:
                for k in range(3):
                    work.B[r, o + k] = weight * D[r, o + k]
                    work.B[r, o + 3 + k] = work.inverse[i, 3 * k] * D[r, o + 3] \
                        + work.inverse[i, 3 * k + 1] * D[r, o + 4] + work.inverse[i, 3 * k + 2] * D[r, o + 5]


@kernel
def _fill(model: Model, J: Floats, B: Floats, first: Floats, second: Floats, values: Floats) -> None:
    half = J.shape[1] // 2
    for p in range(len(values)):
        values[p] = 0.0
    for s in range(len(model.share_entry)):
        a, b = first[s], second[s]
        r, q, o, u = a >> 1, b >> 1, (a & 1) * half, (b & 1) * half
        total = 0.0
        for k in range(half):
            total += J[r, o + k] * B[q, u + k]
        values[model.share_entry[s]] += total


@kernel
def factor(model: Model, work: Work, choose: bool) -> None:
    """Factor J M⁻¹ Jᵀ; rows that restrain nothing new are found where `choose` is set, else they stay as they are."""
    weigh(model, work, work.J)
    _fill(model, work.J, work.B, model.share_first, model.share_second, work.values)
    work.figures[DROPPED] = ldl.factor(
        pattern_of(model), work.values, work.lower, work.pivot, work.line, work.filled, work.flag, work.path, work.kept,
        choose)


@kernel
def solve(model: Model, work: Work, b: Floats, y: Floats) -> None:
    """J M⁻¹ Jᵀ y = b."""
    ldl.solve(pattern_of(model), work.lower, work.pivot, b, work.right, y)


@kernel
def factor_sliding(model: Model, work: Work) -> None:
    """Factor J M⁻¹ Dᵀ with the rows that take part as they are."""
    weigh(model, work, work.D)
    _fill(model, work.J, work.B, model.share_first, model.share_second, work.values)
    _fill(model, work.J, work.B, model.share_second, model.share_first, work.upper_values)
    ldu.factor(pattern_of(model), work.values, work.upper_values, work.lower, work.upper, work.pivot, work.line,
               work.column, work.filled, work.flag, work.path, work.kept)


@kernel
def solve_sliding(model: Model, work: Work, b: Floats, y: Floats) -> None:
    """J M⁻¹ Dᵀ y = b."""
    ldu.solve(pattern_of(model), work.lower, work.upper, work.pivot, b, work.right, y)
