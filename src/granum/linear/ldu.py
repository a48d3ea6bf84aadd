"""H = L D U for matrices whose pattern is symmetric but whose numbers are not: constraints with sliding friction.

The same order, pattern and elimination tree as in `ldl`; L and U are kept beside each other, entry by entry.
"""

from __future__ import annotations

from granum.base.kernels import Floats, Ints, kernel
from granum.linear.ldl import Pattern


@kernel
def factor(
    pattern: Pattern, values: Floats, mirrored: Floats, lower: Floats, upper: Floats, pivot: Floats, row: Floats,
    column: Floats, filled: Ints, flag: Ints, path: Ints, kept: Ints,
) -> None:
    """Numbers of L, U and D⁻¹ (into pivot); `values` has H_ki of the later row k, `mirrored` H_ik."""
    count = len(pivot)
    for k in range(count):
        top = count
        flag[k] = k
        filled[k] = 0
        row[k] = 0.0
        for p in range(pattern.start[k], pattern.start[k + 1]):
            i = pattern.row[p]
            row[i] += values[p]
            column[i] += mirrored[p]
            depth = 0
            while flag[i] != k:
                path[depth] = i
                depth += 1
                flag[i] = k
                i = pattern.parent[i]
            while depth > 0:
                depth -= 1
                top -= 1
                path[top] = path[depth]
        value = row[k]
        row[k], column[k] = 0.0, 0.0
        for q in range(top, count):
            i = path[q]
            y, z = row[i], column[i]
            row[i], column[i] = 0.0, 0.0
            begin = pattern.factor_start[i]
            for p in range(begin, begin + filled[i]):
                row[pattern.factor_row[p]] -= upper[p] * y
                column[pattern.factor_row[p]] -= lower[p] * z
            value -= y * pivot[i] * z
            pattern.factor_row[begin + filled[i]] = k
            lower[begin + filled[i]], upper[begin + filled[i]] = y * pivot[i], z * pivot[i]
            filled[i] += 1
        pivot[k] = 1.0 / value if kept[k] else 0.0


@kernel
def solve(pattern: Pattern, lower: Floats, upper: Floats, pivot: Floats, b: Floats, right: Floats, y: Floats) -> None:
    """L D U y = b; a row that does not take part has no multiplier."""
    count = len(pivot)
    for k in range(count):
        right[k] = b[pattern.order[k]]
    for k in range(count):
        for p in range(pattern.factor_start[k], pattern.factor_start[k + 1]):
            right[pattern.factor_row[p]] -= lower[p] * right[k]
    for k in range(count - 1, -1, -1):
        value = right[k] * pivot[k]
        for p in range(pattern.factor_start[k], pattern.factor_start[k + 1]):
            value -= upper[p] * right[pattern.factor_row[p]]
        right[k] = value if pivot[k] != 0.0 else 0.0
    for k in range(count):
        y[pattern.order[k]] = right[k]
