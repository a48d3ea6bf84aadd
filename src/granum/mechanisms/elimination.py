"""H λ = b with H = J M⁻¹ Jᵀ on the pattern of the graph; with sliding friction H = J M⁻¹ Dᵀ, which is not symmetric."""

from __future__ import annotations

from granum.base.kernels import Floats, Ints, kernel
from granum.linear import ldl
from granum.linear.ldl import Factors, Pattern
from granum.mechanisms.tables import INVERSE, JOINT, MASS, Elimination, J

DEPENDENT = 1e-8
"""A pivot below this part of its diagonal counts as zero: the row lies within d = 1e-4 rad of the span of the others.

Rows that stay in carry the rounding of their right-hand sides into the accelerations, enlarged by 1/d; once that
exceeds the tolerance, steps collapse. A row that is out lets the bodies accelerate across it for 2d/ω, and the
correction of the velocities leaves a part d of what they gain: an error of the order d² = DEPENDENT. Forty
parallelograms in a row at a tolerance of 1e-11, 10 s through their singular positions: with 1e-9 31 000 steps and an
error of 9e-6 rad, with 1e-8 800 steps and 1e-9 rad, with 1e-7 700 steps and 9e-9 rad. Five of them: 2e-9, 2e-8 and
3e-7 rad with 1e-9, 1e-8 and 1e-7."""


@kernel
def _pattern(e: Elimination) -> Pattern:
    return Pattern(e.order, e.start, e.row, e.parent, e.factor_start, e.factor_row)


@kernel
def _factors(e: Elimination) -> Factors:
    return Factors(e.lower, e.pivot, e.kept, e.filled, e.line, e.flag, e.path, e.right)


@kernel
def weigh(bodies: Floats, ends: Ints, rows: Floats, which: Ints, half: int, source: int) -> None:
    """M⁻¹ of the row blocks that begin at column `source`, into the second set of blocks."""
    for r in range(len(which)):
        j = which[r, JOINT]
        for side in range(2):
            i, o, to = ends[j, side], source + side * half, J + (2 + side) * half
            weight = bodies[i, MASS]
            if half == 3:
                rows[r, to], rows[r, to + 1] = weight * rows[r, o], weight * rows[r, o + 1]
                rows[r, to + 2] = bodies[i, INVERSE + 8] * rows[r, o + 2]
            else:
                for k in range(3):
                    m = INVERSE + 3 * k
                    rows[r, to + k] = weight * rows[r, o + k]
                    rows[r, to + 3 + k] = bodies[i, m] * rows[r, o + 3] + bodies[i, m + 1] * rows[r, o + 4] \
                        + bodies[i, m + 2] * rows[r, o + 5]


@kernel
def _fill(rows: Floats, half: int, entry: Ints, first: Ints, second: Ints, values: Floats) -> None:
    """Entries of H: row blocks of one row times weighed row blocks of another, at each body they share."""
    for p in range(len(values)):
        values[p] = 0.0
    for s in range(len(entry)):
        r, q, o, u = first[s] >> 1, second[s] >> 1, J + (first[s] & 1) * half, J + (2 + (second[s] & 1)) * half
        total = 0.0
        for k in range(half):
            total += rows[r, o + k] * rows[q, u + k]
        values[entry[s]] += total


@kernel
def factor(bodies: Floats, ends: Ints, rows: Floats, which: Ints, half: int, e: Elimination, choose: bool) -> int:
    """Factor J M⁻¹ Jᵀ; rows that restrain nothing new are found where `choose` is set, else they stay as they are."""
    weigh(bodies, ends, rows, which, half, J)
    _fill(rows, half, e.share_entry, e.share_first, e.share_second, e.values)
    return ldl.factor(_pattern(e), e.values, _factors(e), DEPENDENT if choose else 0.0)


@kernel
def solve(e: Elimination, b: Floats, y: Floats) -> None:
    """J M⁻¹ Jᵀ y = b."""
    ldl.solve(_pattern(e), _factors(e), b, y)


@kernel
def solve_sliding(
    bodies: Floats, ends: Ints, rows: Floats, which: Ints, half: int, e: Elimination, b: Floats, y: Floats,
) -> None:
    """J M⁻¹ Dᵀ y = b, with the rows that take part as they are."""
    weigh(bodies, ends, rows, which, half, J + 4 * half)
    _fill(rows, half, e.share_entry, e.share_first, e.share_second, e.values)
    _fill(rows, half, e.share_entry, e.share_second, e.share_first, e.upper_values)
    ldl.factor_unsymmetric(_pattern(e), e.values, e.upper_values, _factors(e), e.upper, e.column)
    ldl.solve_unsymmetric(_pattern(e), _factors(e), e.upper, b, y)
