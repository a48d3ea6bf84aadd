"""Nonsmooth Gauss-Seidel: contact after contact, each solved exactly with the impulses of the others as they are.

Jean, M. (1999), Comput. Methods Appl. Mech. Eng. 177, 235-257.
"""

from __future__ import annotations

import math

from granum.base.kernels import Floats, Ints, kernel
from granum.contact.conic.cone import solve_one
from granum.contact.conic.problem import Blocks, ContactProblem
from granum.contact.conic.solvers import Watch

FIRST_ROUND, MOST = 2, 64
"""Sweeps before the first sample, and between two of them at most: each sample costs as much as a sweep."""
SAMPLED = 0.125
"""Part of the sweeps so far after which the next sample is due."""


@kernel
def sweep(begin: Ints, column: Ints, block: Floats, diagonal: Ints, q: Floats, mu: Floats, r: Floats,
          forward: bool) -> None:
    """Solve all contacts once, in their order or backwards."""
    count = len(mu)
    for index in range(count):
        c = index if forward else count - 1 - index
        n, s, t, own = q[c, 0], q[c, 1], q[c, 2], diagonal[c]
        for k in range(begin[c], begin[c + 1]):
            if k == own:
                continue
            d = column[k]
            n += block[k, 0, 0] * r[d, 0] + block[k, 0, 1] * r[d, 1] + block[k, 0, 2] * r[d, 2]
            s += block[k, 1, 0] * r[d, 0] + block[k, 1, 1] * r[d, 1] + block[k, 1, 2] * r[d, 2]
            t += block[k, 2, 0] * r[d, 0] + block[k, 2, 1] * r[d, 1] + block[k, 2, 2] * r[d, 2]
        r[c, 0], r[c, 1], r[c, 2] = solve_one(block, own, n, s, t, mu[c])


def sweep_once(blocks: Blocks, problem: ContactProblem, r: Floats, forward: bool = True) -> None:
    """One sweep over all contacts of a problem."""
    sweep(blocks.begin, blocks.column, blocks.block, blocks.diagonal, problem.free, problem.mu, r, forward)


def next_round(sweeps: int) -> int:
    """Sweeps until the next sample."""
    return min(max(FIRST_ROUND, int(SAMPLED * sweeps)), MOST)


def sampled_sweeps(problem: ContactProblem, r: Floats, watch: Watch, made: int, end: float) -> tuple[int, bool]:
    """Forward sweeps until there are `end` or the watch is done; returns how many there are, and if it is done."""
    blocks = problem.blocks
    while made < end:
        count = next_round(made)
        for _ in range(count):
            sweep_once(blocks, problem, r)
        made += count
        if watch.done(r, made):
            return made, True
    return made, False


def nsgs(problem: ContactProblem, r: Floats, watch: Watch) -> None:
    """Sweep forwards until the watch is done."""
    sampled_sweeps(problem, r, watch, 0, math.inf)
