"""Which rows restrain something new: the rank of J, and a set of rows that carries it.

Rows are compared by their angles: the pivot of a row in J W Jᵀ, as a part of its diagonal, is the squared sine of its
angle to the span of those before it. W measures velocities of a body by those of its own points, v² + (l ω)² with l the
length that its joints span. Masses have no part in it: with those, a slender rod, which rotates easily about its own
axis, makes rows seem to depend on each other that do not.

Rows are first taken in the order of elimination. Where some are left out and others, which are taken, are nearly
dependent, the order chose badly: as a mechanism turns, a row along one axis of inertial space takes over what the row
along another one restrains, and at the change both would be wrong. Then all rows are compared, the most independent
first (Cholesky with pivoting), so that what is left is small for the position, not for the order.
"""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats, Ints, kernel
from granum.base.vectors import at, plus, put, times
from granum.linear import ldl
from granum.rows.body import Body
from granum.rows.elimination import Elimination, fill
from granum.rows.joint import Joint
from granum.rows.tables import JOINT, J
from granum.state.rotation import accept

DEPENDENT = 1e-8
"""A pivot below this part of its diagonal counts as zero: the row lies within d = 1e-4 rad of the span of the others.

Rows that stay in carry the rounding of their right-hand sides into the accelerations, enlarged by 1/d; once that
exceeds the tolerance, steps collapse. A row that is out lets the bodies accelerate across it for 2d/ω, and the
correction of the velocities leaves a part d of what they gain: an error of the order d² = DEPENDENT. Forty
parallelograms in a row at a tolerance of 1e-11, 10 s through their singular positions: with 1e-9 31 000 steps and an
error of 9e-6 rad, with 1e-8 800 steps and 1e-9 rad, with 1e-7 700 steps and 9e-9 rad. Five of them: 2e-9, 2e-8 and
3e-7 rad with 1e-9, 1e-8 and 1e-7."""
RETURNS = 4.0 * DEPENDENT
"""A row that is out comes back from twice the distance, so that a rank does not change to and fro."""
POOR = 1e-2
"""Pivot below which a row that is taken while others are left out is reason to compare all rows. Rounding of the
pivots left out is then 1e-16 / POOR at most, far below DEPENDENT."""


def metric(bodies: list[Body], joints: list[Joint], planar: bool) -> Floats:
    """(2 joints, 3): W of both bodies of each joint: that of v; of ω; and by how much I⁻¹ is multiplied for ω.

    The last is for thin bodies, which do not rotate about their own axis. The ground has none.
    """
    weights = np.zeros((len(bodies) + 1, 3))
    for body in bodies:
        arms = [float(np.linalg.norm(end.arm)) for joint in joints for end in (joint.one, joint.two)
                if end.body is body]
        moment = float(body.inertia[2, 2] if planar else np.linalg.eigvalsh(body.inertia)[-1])
        length = max([np.sqrt(moment / body.mass), *arms])
        weights[body.index, 0] = 1.0
        if body.rotates and body.thin and not planar:
            weights[body.index, 2] = moment / length**2
        elif body.rotates:
            weights[body.index, 1] = 1.0 / length**2
    return weights[[end.body.index for joint in joints for end in (joint.one, joint.two)]].reshape(-1, 3)


@kernel
def _measure(motion: Floats, ends: Ints, rows: Floats, which: Ints, half: int, weights: Floats) -> None:
    """W of the row blocks of J, into the second set of blocks."""
    for r in range(len(which)):
        j = which[r, JOINT]
        for side in range(2):
            i, o, to = ends[j, side], J + side * half, J + (2 + side) * half
            along, about, thin = at(weights, 2 * j + side, 0)
            if half == 3:
                rows[r, to], rows[r, to + 1] = along * rows[r, o], along * rows[r, o + 1]
                rows[r, to + 2] = about * rows[r, o + 2]
            else:
                turning = at(rows, r, o + 3)
                put(rows, r, to, times(along, at(rows, r, o)))
                put(rows, r, to + 3, plus(times(about, turning), times(thin, accept(motion, i, turning))))


@kernel
def _is_poor(e: Elimination) -> bool:
    """Is a row that was taken nearly dependent?"""
    for k in range(len(e.factors.pivot)):
        diagonal = e.values[e.pattern.start[k + 1] - 1]
        if e.factors.pivot[k] * diagonal * POOR > 1.0:
            return True
    return False


@kernel
def _compare_all(e: Elimination, least: float) -> int:
    """Take rows by the size of their pivots, the largest first, of a diagonal of one; returns how many are left out."""
    pattern, kept, left, G = e.pattern, e.factors.kept, e.column, e.dense
    m = len(kept)
    G[:, :] = 0.0
    for k in range(m):
        for p in range(pattern.start[k], pattern.start[k + 1]):
            i = pattern.row[p]
            size = e.values[pattern.start[i + 1] - 1] * e.values[pattern.start[k + 1] - 1]
            if size > 0.0:
                G[i, k] = G[k, i] = e.values[p] / np.sqrt(size)
        kept[k], left[k] = 0, G[k, k]
    taken = 0
    while taken < m:
        best = -1
        for k in range(m):
            # of equal pivots the first is taken, so that rounding does not decide
            if kept[k] == 0 and (best < 0 or left[k] > (1.0 + 1e-6) * left[best]):
                best = k
        if not left[best] > least:
            break
        kept[best] = 1
        taken += 1
        for i in range(m):
            factor = G[i, best] / left[best]
            if kept[i] == 0 and factor != 0.0:
                for j in range(m):
                    if kept[j] == 0:
                        G[i, j] -= factor * G[best, j]
                left[i] = G[i, i]
    for k in range(m):
        left[k] = 0.0
    return m - taken


@kernel
def choose(motion: Floats, ends: Ints, rows: Floats, which: Ints, half: int, e: Elimination, least: float) -> int:
    """Choose the rows that take part, those left out having pivots below `least`; returns how many are left out.

    It follows from the state in the tables alone. H is to be factored then (`elimination.factor`).
    """
    _measure(motion, ends, rows, which, half, e.metric)
    fill(rows, half, e.share_entry, e.share_first, e.share_second, e.values)
    dropped = ldl.factor(e.pattern, e.values, e.factors, least)
    if dropped > 0 and len(e.dense) > 0 and _is_poor(e):
        dropped = _compare_all(e, least)
    return dropped
