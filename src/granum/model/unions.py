"""Mass, centre and inertia of overlapping disks or balls that make one rigid body, every point counted once.

The divergence theorem on the border of the union, D being 2 or 3 and f homogeneous of degree k (Euler: x · ∇f = k f):

    (D + k) ∫ f dV = ∮ f (x · n) dS,   f = 1, x, x xᵀ,

so that only integrals of 1, n, n nᵀ, n n nᵀ over the exposed part of each circle or sphere are wanted. On a circle they
are elementary. On a sphere they go to the border of the exposed part, arcs of the circles where two spheres meet, by
Green's identity for spherical harmonics, ∫ Y dS = -∮ ∂Y/∂ν ds / (l (l + 1)); what is left, the area (l = 0), is the
integral of (1 - cos θ) dφ over the same arcs. All of it is in closed form: there is no quadrature.

What makes it robust: numbers that several circles share (half the common chord of two circles, the two points where
three spheres meet) are found once for all of them. Where they are ill conditioned, at tangency and for centres in a
line, the arcs then still close, and their common ends slide only along all arcs that end there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from granum.base.errors import GranumError
from granum.base.kernels import Flags, Floats, Ints

_NESTED = 1e-15  # of the larger radius: a disk or ball that stands out less is inside
_POWERS = np.array([[[0, 1, 2], [1, 3, 4], [2, 4, 5]], [[1, 3, 4], [3, 6, 7], [4, 7, 8]],
                    [[2, 4, 5], [4, 7, 8], [5, 8, 9]]])  # place of b_a b_b b_c, b = (1, cos t, sin t), in `_primitives`
_BRUSHING = 1e-5  # of the smallest radius: three spheres with points in common nearer than that are taken to miss
_COAXAL = (3e-8, 1e-9, 1e-6, 0.0)  # of the smallest radius: three circles nearer than that are taken to be one
_CLOSED, _OPEN = 1e-12, 1e-9  # defect of a border that is surely good, surely bad


class _Meetings(NamedTuple):
    """Pairs of circles or spheres that cross, i the larger: u from i to j, at a distance of d; both centres are a_i and
    a_j from the common chord (negative: behind it), which is 2 h long.
    """

    i: Ints
    j: Ints
    u: Floats
    d: Floats
    a_i: Floats
    a_j: Floats
    h: Floats


def union_of_disks(centres: ArrayLike, radii: ArrayLike) -> tuple[float, Floats, float]:
    """Area, centre and polar moment about it of a union of disks, exact to round-off (Green's theorem on exposed arcs).

        2 A = Σ ∫ (x · n) r dt,   3 A x̄ = Σ ∫ x (x · n) r dt,   4 ∫ |x|² dA = Σ ∫ |x|² (x · n) r dt,   x = c + r n(t)

    Args:
        centres: (n, 2) [m].
        radii: (n,), positive [m].
    """
    area, centre, S = disk_moments(centres, radii)
    return area, centre, float(np.trace(S))


def disk_moments(centres: ArrayLike, radii: ArrayLike) -> tuple[float, Floats, Floats]:
    """Area, centre and second moment about it, (2, 2), of a union of disks: 4 ∫ x xᵀ dA = Σ ∫ x xᵀ (x · n) r dt."""
    c, r, origin, scale = _checked(centres, radii, 2)
    c, r, meet = _meetings(c, r)
    along = np.arctan2(meet.u[:, 1], meet.u[:, 0])
    circle, start, end = _uncovered(np.concatenate([meet.i, meet.j]), np.concatenate([along, along + np.pi]),
                                    np.concatenate([np.arctan2(meet.h, meet.a_i), np.arctan2(meet.h, meet.a_j)]),
                                    len(r))
    T = _trigonometric(circle, start, end, len(r))
    E1, E2, E3 = T[:, 1:, 0, 0], T[:, 1:, 1:, 0], T[:, 1:, 1:, 1:]
    flux = np.sum(c * E1, axis=1) + r * T[:, 0, 0, 0]  # ∫ x · n dt
    push = np.einsum("nab,nb->na", E2, c) + r[:, None] * E1  # ∫ n (x · n) dt
    area = r @ flux / 2.0
    centre = r @ (c * flux[:, None] + r[:, None] * push) / 3.0 / area
    spread = np.einsum("nabk,nk->nab", E3, c) + r[:, None, None] * E2  # ∫ n nᵀ (x · n) dt
    cross = np.einsum("n,na,nb->ab", r * r, c, push)
    S = (np.einsum("n,na,nb->ab", r * flux, c, c) + cross + cross.T + np.einsum("n,nab->ab", r**3, spread)) / 4.0
    S -= area * np.outer(centre, centre)
    return float(area * scale**2), origin + scale * centre, (S + S.T) / 2.0 * scale**4


def union_of_balls(centres: ArrayLike, radii: ArrayLike) -> tuple[float, Floats, Floats]:
    """Volume, centre and inertia about it (unit density) of a union of balls, exact to round-off (divergence theorem).

        3 V = ∮ x · n dS,   4 V x̄ = ∮ x (x · n) dS,   5 ∫ x xᵀ dV = ∮ x xᵀ (x · n) dS,   I = tr(S) 1 - S

    S is the second moment about the centre; x = c + r n on the exposed part of each sphere. Balls far apart lose a
    factor of their distance over their radius in accuracy, 1000 radii three digits of sixteen.

    Args:
        centres: (n, 3) [m].
        radii: (n,), positive [m].
    """
    c, r, origin, scale = _checked(centres, radii, 3)
    c, r, meet = _meetings(c, r)
    M0, M1, M2, M3 = _closed_border(c, r, meet)
    flux = np.sum(c * M1, axis=1) + r * M0  # ∫ x · n over the unit sphere
    push = np.einsum("nab,nb->na", M2, c) + r[:, None] * M1  # ∫ n (x · n)
    spread = np.einsum("nabk,nk->nab", M3, c) + r[:, None, None] * M2  # ∫ n nᵀ (x · n)
    w = r * r
    volume = w @ flux / 3.0
    centre = w @ (c * flux[:, None] + r[:, None] * push) / 4.0 / volume
    cross = np.einsum("n,na,nb->ab", w * r, c, push)
    S = (np.einsum("n,na,nb->ab", w * flux, c, c) + cross + cross.T + np.einsum("n,nab->ab", w * w, spread)) / 5.0
    S -= volume * np.outer(centre, centre)
    S = (S + S.T) / 2.0
    return float(volume * scale**3), origin + scale * centre, (np.trace(S) * np.eye(3) - S) * scale**5


def _checked(centres: ArrayLike, radii: ArrayLike, dimension: int) -> tuple[Floats, Floats, Floats, float]:
    """Centres and radii in units of the largest radius from an origin amid them; that origin and unit."""
    c, r = np.asarray(centres, dtype=np.float64), np.asarray(radii, dtype=np.float64)
    what = "disks" if dimension == 2 else "balls"
    if r.ndim != 1 or len(r) == 0 or c.shape != (len(r), dimension):
        raise GranumError(f"Union of {what}: centres have shape {c.shape} and radii {r.shape}; "
                          f"give (n, {dimension}) and (n,), n at least 1.")
    if not np.isfinite(c).all():
        raise GranumError(f"Union of {what}: the centre of number {np.argmin(np.isfinite(c).all(axis=1))} is not "
                          "finite; give numbers in metres.")
    if not (np.isfinite(r) & (r > 0.0)).all():
        bad = np.argmin(np.isfinite(r) & (r > 0.0))
        raise GranumError(f"Union of {what}: the radius of number {bad} is {r[bad]}; give a positive number in metres.")
    scale = float(r.max())
    origin = (r / scale) ** dimension @ c / np.sum((r / scale) ** dimension)
    return (c - origin) / scale, r / scale, origin, scale


def _meetings(c: Floats, r: Floats) -> tuple[Floats, Floats, _Meetings]:
    """Disks or balls that are in no other one, large ones first, and which of their borders cross."""
    order = np.argsort(-r, kind="stable")
    kept, C, R = 0, np.empty_like(c), np.empty_like(r)
    firsts, seconds, distances = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0)]
    for m in order:
        d = np.sqrt(np.sum((C[:kept] - c[m]) ** 2, axis=1))
        if np.any(d + r[m] <= R[:kept] * (1.0 + _NESTED)):
            continue
        near = np.flatnonzero(d < R[:kept] + r[m])
        firsts.append(near)
        seconds.append(np.full(len(near), kept))
        distances.append(d[near])
        C[kept], R[kept] = c[m], r[m]
        kept += 1
    i, j, d = np.concatenate(firsts), np.concatenate(seconds), np.concatenate(distances)
    C, R = C[:kept], R[:kept]
    larger, smaller = R[i], R[j]
    excess = larger - smaller
    # Heron's formula in Kahan's order: one half chord for both, to round-off of its square
    square = (d + larger + smaller) * (d + excess) * (d - excess) * (larger + smaller - d)
    h = np.sqrt(np.maximum(square, 0.0)) / (2.0 * d)
    a_i = (d * d + excess * (larger + smaller)) / (2.0 * d)
    a_j = np.where(smaller < 0.5 * larger, ((d - larger) * (d + larger) + smaller**2) / (2.0 * d),
                   (d * d - excess * (larger + smaller)) / (2.0 * d))
    return C, R, _Meetings(i, j, (C[j] - C[i]) / d[:, None], d, a_i, a_j, h)


def _uncovered(circle: Ints, middle: Floats, half: Floats, count: int) -> tuple[Ints, Floats, Floats]:
    """Arcs (circle, start, end) within [0, 2π] that no covering arc (circle, middle ± half) touches."""
    start = np.mod(middle - half, 2.0 * np.pi)
    end = start + 2.0 * half
    over = end > 2.0 * np.pi
    everyone, zeros, turns = np.arange(count), np.zeros(count), np.full(count, 2.0 * np.pi)
    owner = np.concatenate([circle, circle[over], everyone, everyone])
    start = np.concatenate([start, np.zeros(np.count_nonzero(over)), zeros, turns])
    end = np.concatenate([np.minimum(end, 2.0 * np.pi), end[over] - 2.0 * np.pi, zeros, turns])
    by_start = np.lexsort((start, owner))
    owner, start, end = owner[by_start], start[by_start], end[by_start]
    # ranks grow from circle to circle: their running maximum is the farthest end so far on the same circle
    by_end = np.lexsort((end, owner))
    rank = np.empty_like(by_end)
    rank[by_end] = np.arange(len(by_end))
    reach = end[by_end[np.maximum.accumulate(rank)]]
    gap = np.flatnonzero((owner[1:] == owner[:-1]) & (start[1:] > reach[:-1]))
    return owner[gap], reach[gap], start[gap + 1]


def _primitives(t: Floats) -> Floats:
    """Primitives of 1, c, s, c², cs, s², c³, c²s, cs², s³ with c = cos t, s = sin t."""
    c, s = np.cos(t), np.sin(t)
    return np.stack([t, s, -c, (t + s * c) / 2, s * s / 2, (t - s * c) / 2, s - s**3 / 3, -(c**3) / 3, s**3 / 3,
                     c**3 / 3 - c], axis=-1)


def _trigonometric(circle: Ints, start: Floats, end: Floats, count: int) -> Floats:
    """T[m, a, b, c] = ∫ b_a b_b b_c dt over all arcs of circle m, b = (1, cos t, sin t)."""
    sums = np.zeros((count, 10))
    np.add.at(sums, circle, _primitives(end) - _primitives(start))
    return sums[:, _POWERS]


def _across(u: Floats) -> tuple[Floats, Floats]:
    """Two unit vectors that make a right-handed frame (e1, e2, u) with each unit vector u."""
    e1 = np.zeros_like(u)
    np.put_along_axis(e1, np.argmin(np.abs(u), axis=1)[:, None], 1.0, axis=1)
    e1 -= np.sum(e1 * u, axis=1)[:, None] * u
    e1 /= np.linalg.norm(e1, axis=1)[:, None]
    return e1, np.cross(u, e1)


def _triples(meet: _Meetings, count: int) -> tuple[Ints, Ints, Ints]:
    """Numbers of the pairs (i, j), (i, k), (j, k), k the smallest, of all three spheres of which any two cross."""
    key = meet.i * count + meet.j
    order = np.argsort(key)
    key, first = key[order], meet.i[order]
    later = np.searchsorted(first, first, side="right") - np.arange(len(first)) - 1
    ij = np.repeat(np.arange(len(first)), later)
    ik = ij + 1 + np.arange(len(ij)) - np.repeat(np.cumsum(later) - later, later)
    wanted = meet.j[order[ij]] * count + meet.j[order[ik]]
    jk = np.minimum(np.searchsorted(key, wanted), max(len(key) - 1, 0))
    cross = key[jk] == wanted
    return order[ij[cross]], order[ik[cross]], order[jk[cross]]


def _covers(c: Floats, r: Floats, meet: _Meetings, e1: Floats, e2: Floats,
            tolerance: float) -> tuple[Ints, Floats, Floats]:
    """Arcs (pair, middle, half) of the circle of two spheres that are inside a third.

    Three spheres meet at F ± H N, N normal to the plane of their centres, F there: on the circle of i and j the third
    covers all beyond F in the direction v = N × u, F being b from the middle: half the arc is atan2(H, b).
    F, H, N are common to the three circles. For centres in a line any N across it will do, and b is ±∞.
    Two limits are taken as such, or four spheres would contradict each other by the round-off of H and b, large there:
    H → 0, where what is left out has a volume of order H³ and less; and three circles in one, b = 0/0, where the sphere
    between the two others is taken to be inside them, which is wrong by the square of what lies between the circles.
    """
    ij, ik, jk = _triples(meet, len(c))
    A, B, u = c[meet.j[ij]] - c[meet.i[ij]], c[meet.j[ik]] - c[meet.i[ik]], meet.u[ij]
    v = B - np.sum(B * u, axis=1)[:, None] * u
    size = np.linalg.norm(v, axis=1)
    v = np.where(size[:, None] > 0.0, v / np.where(size > 0.0, size, 1.0)[:, None], e1[ij])
    v -= np.sum(v * u, axis=1)[:, None] * u  # again: what is left of B may be round-off, not across u
    v /= np.linalg.norm(v, axis=1)[:, None]
    N = np.cross(u, v)
    a, h, along, aside = meet.a_i[ij], meet.h[ij], np.sum(B * u, axis=1), np.maximum(np.sum(B * v, axis=1), 1e-100)
    offset, small = meet.a_i[ik] * meet.d[ik] - a * along, r[meet.j[ik]]
    coaxal = np.abs(offset) + aside * small < tolerance * small * meet.d[ik]
    between = (along > 0.0) & (along < meet.d[ij])
    b = np.where(coaxal, np.where(between, 1e100, -1e100), offset / aside)
    F = a[:, None] * u + b[:, None] * v  # from the centre of i
    H = np.sqrt(np.maximum((h - b) * (h + b), 0.0))
    H[_BRUSHING * small > H] = 0.0
    pairs, middles, halves = [], [], []
    for pair, sign, foot in ((ij, 1.0, F), (ik, -1.0, F), (jk, 1.0, F - A)):
        w = sign * np.cross(N, meet.u[pair])
        pairs.append(pair)
        middles.append(np.arctan2(np.sum(w * e2[pair], axis=1), np.sum(w * e1[pair], axis=1)))
        halves.append(np.arctan2(H, np.sum(foot * w, axis=1)))
    return np.concatenate(pairs), np.concatenate(middles), np.concatenate(halves)


def _closed_border(c: Floats, r: Floats, meet: _Meetings) -> tuple[Floats, Floats, Floats, Floats]:
    """∫ 1, n, n nᵀ, n n nᵀ over the exposed part of each sphere, radius 1, all parts together being a closed border.

    Where four or more spheres nearly share a circle, a tolerance may take some of their circles for one and others not,
    and the border has gaps: then another one is tried. A closed border has ∮ n dS = 0, and areas that do not depend
    on the pole.
    """
    best, least = None, np.inf
    for tolerance in _COAXAL:
        *moments, defect = _exposed_moments(c, r, meet, tolerance)
        if defect < least:
            best, least = moments, defect
        if least < _CLOSED:
            break
    if best is None or least > _OPEN:
        raise GranumError(f"Union of {len(r)} balls: its border has gaps ({least:.1e} of its area), because many "
                          "spheres pass within round-off of the same points; resize some of them by a millionth.")
    return best[0], best[1], best[2], best[3]


def _exposed_moments(c: Floats, r: Floats, meet: _Meetings,
                     tolerance: float) -> tuple[Floats, Floats, Floats, Floats, float]:
    """∫ 1, n, n nᵀ, n n nᵀ over the exposed part of each sphere, radius 1, and how far the border is from closed.

    With the conormal ν that points out of the exposed part, into the other ball, by Green's identity as above:

        ∫ n = -½ ∮ ν,   ∫ n nᵀ = ⅓ 1 ∫ 1 - ⅙ ∮ (ν nᵀ + n νᵀ),   ∫ n n n = ⅙ sym(1 ∫ n) - 1/12 ∮ sym(ν n n),

    sym being the sum of the three different orders. On an arc n = cos α u + sin α e(t), ν = sin α u - cos α e(t).
    """
    e1, e2 = _across(meet.u)
    arcs = _uncovered(*_covers(c, r, meet, e1, e2, tolerance), len(meet.i))
    T = _trigonometric(*arcs, len(meet.i))
    J, K, L = np.zeros((len(c), 3)), np.zeros((len(c), 3, 3)), np.zeros((len(c), 3, 3, 3))
    for own, a, u in ((meet.i, meet.a_i, meet.u), (meet.j, meet.a_j, -meet.u)):
        cos, sin = (a / r[own])[:, None], (meet.h / r[own])[:, None]
        n = np.stack([cos * u, sin * e1, sin * e2], axis=2)
        nu = np.stack([sin * u, -cos * e1, -cos * e2], axis=2) * sin[:, :, None]  # times ds/dt
        nu_T = np.einsum("pxa,pabc->pxbc", nu, T)
        nu_n = np.einsum("pyb,pxbc->pxyc", n, nu_T)
        np.add.at(J, own, nu_T[:, :, 0, 0])
        np.add.at(K, own, nu_n[:, :, :, 0])
        np.add.at(L, own, np.einsum("pzc,pxyc->pxyz", n, nu_n))
    M0, other = (_exposed_areas(r, meet, e1, e2, arcs, *pole) for pole in _poles(len(r), meet))
    M1 = -J / 2.0
    M2 = np.eye(3) * M0[:, None, None] / 3.0 - (K + K.transpose(0, 2, 1)) / 6.0
    M3 = (np.einsum("ab,nc->ncab", np.eye(3), M1) - L / 2.0) / 6.0
    defect = max(np.abs(r**2 @ M1).max(), np.abs(r**2 * (M0 - other)).max()) / np.sum(r**2)
    return M0, M1, M2, M3 + M3.transpose(0, 2, 3, 1) + M3.transpose(0, 3, 1, 2), float(defect)


def _exposed_areas(r: Floats, meet: _Meetings, e1: Floats, e2: Floats, arcs: tuple[Ints, Floats, Floats],
                   q: Floats, exposed: Flags) -> Floats:
    """Area of the exposed part of each sphere, radius 1 (Stokes for dA = d((1 - cos θ) dφ), θ from a pole p = -q).

    The form is regular but for q: what it gives for the border is the area, less 4π if q is exposed. On an arc of a
    circle of half angle α about an axis at β from p, t from the plane of axis and pole,

        ∫ (1 - cos θ) dφ = [2 arctan(k tan(t/2)) - t cos α],   k = cos((α + β)/2) / cos((α - β)/2).
    """
    areas = np.where(exposed, 4.0 * np.pi, 0.0)
    circle, start, end = arcs
    # seen from j the axis is -u, the frame (e1, -e2), and t runs backwards, which leaves the integral as it is
    for own, a, sense in ((meet.i, meet.a_i, 1.0), (meet.j, meet.a_j, -1.0)):
        p = -q[own]
        cos, sin, cos_b = a / r[own], meet.h / r[own], sense * np.sum(p * meet.u, axis=1)
        x, y = np.sum(p * e1, axis=1), np.sum(p * e2, axis=1)
        k = (cos + cos_b) / (1.0 + cos * cos_b + sin * np.hypot(x, y))
        zero = np.arctan2(y, x)
        swept = _unwound(k[circle], end - zero[circle]) - _unwound(k[circle], start - zero[circle])
        np.subtract.at(areas, own[circle], swept - (end - start) * cos[circle])
    return areas


def _unwound(k: Floats, t: Floats) -> Floats:
    """2 arctan(k tan(t/2)), continuous in t."""
    turns = np.round(t / (2.0 * np.pi))
    half = t / 2.0 - np.pi * turns
    return 2.0 * np.arctan2(k * np.sin(half), np.cos(half)) + 2.0 * np.pi * turns * np.sign(k)


def _poles(count: int, meet: _Meetings) -> tuple[tuple[Floats, Flags], tuple[Floats, Flags]]:
    """For each sphere a point, of 48 spread over it, far from all circles on it, and if it is outside all caps.

    Then another one, covered if that is exposed and exposed if that is covered, where there is one off the circles.
    """
    z = (np.arange(48) + 0.5) / 24.0 - 1.0
    turn, rho = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(48), np.sqrt(1.0 - z * z)
    points = np.stack([rho * np.cos(turn), rho * np.sin(turn), z], axis=1)
    own, axis = np.concatenate([meet.i, meet.j]), np.concatenate([meet.u, -meet.u])
    alpha = np.concatenate([np.arctan2(meet.h, meet.a_i), np.arctan2(meet.h, meet.a_j)])
    clear, outside = np.ones((count, 48)), np.ones((count, 48), dtype=np.bool_)
    order = np.argsort(own, kind="stable")
    spheres, begin = np.unique(own[order], return_index=True)
    if len(spheres):
        beyond = np.arccos(np.clip(axis[order] @ points.T, -1.0, 1.0)) - alpha[order, None]  # angle to the border
        clear[spheres] = np.minimum.reduceat(np.abs(beyond), begin)
        outside[spheres] = np.minimum.reduceat(beyond, begin) > 0.0
    every = np.arange(count)
    first = np.argmax(clear, axis=1)
    opposite = (outside != outside[every, first][:, None]) & (clear > 1e-3)
    second = np.argmax(np.where(opposite, clear, clear - 10.0), axis=1)
    return (points[first], outside[every, first]), (points[second], outside[every, second])
