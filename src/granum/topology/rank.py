"""Rigidity in given positions, by the rank of the rigidity matrix.

A row restrains the velocity of one body against another along a direction at a point. Its entries are a force and its
moment about the origin, and those of a body its twist there: bodies that move as one have equal twists. Null vectors
are the motions left, left null vectors the self-stresses. Unlike the pebble game this sees special positions (three
links in line, gears), works in 3-D, and takes the cube of the size: each part that hangs together is decomposed
densely.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy

from granum.base.errors import GranumError
from granum.base.kernels import Flags, Floats, Ints
from granum.topology.rigidity import Rigidity, labelled

LARGEST = 3000
"""Freedoms of a part that hangs together up to which it is examined: some ten seconds."""
_ZERO = 1e-9
"""Singular values below this part of the largest are zero."""
_STILL = 1e-7
"""Relative velocities and self-stresses below this are zero, where motions and stresses are of the order one."""
_DRAWN = 6
"""Motions drawn at random from all that are left: what is still in all of them is still in all that there are."""


class TooLargeError(GranumError):
    """A net beyond the size that is examined by rank."""


class Bars(NamedTuple):
    """Rows with the points they act at."""

    bond: Ints
    """(R,): the bond that each row belongs to."""
    direction: Floats
    """(R, d): unit vector of the velocity that it restrains."""
    point: Floats
    """(R, d): where [m]; for a point it is the point itself."""


def rank_rigidity(position: Floats, freedoms: Ints, pair: Ints, bars: Bars) -> Rigidity:
    """Rigidity of bodies at `position` (N, d): d freedoms each for points, 3 (plane) or 6 (space) for rigid bodies.

    `pair` (B, 2) are the bodies that each bond joins; N is the ground. Which row of several is called redundant follows
    from pivots. Raises TooLargeError beyond LARGEST freedoms in one part.
    """
    n, d = position.shape
    middle = position.mean(axis=0) if n else np.zeros(d)
    scale = float(np.abs(position - middle).max(initial=0.0)) or 1.0
    x = (position - middle) / scale
    R = _matrix(freedoms, pair, bars._replace(point=(bars.point - middle) / scale))
    begin = np.concatenate([[0], np.cumsum(freedoms)])
    rng = np.random.default_rng(0)  # any draw will do, but the same each time
    motion = np.zeros((begin[-1], _DRAWN))
    redundant, stressed, rank = np.zeros(len(pair), np.int64), np.zeros(len(pair), np.bool_), 0
    for part in _parts(freedoms, pair):
        columns = np.concatenate([np.arange(begin[i], begin[i + 1]) for i in part])
        rows = np.flatnonzero(np.isin(pair[bars.bond], part).any(axis=1))
        own = _decompose(R[rows][:, columns].toarray(), rng)
        motion[columns] = own.motion
        rank += own.rank
        np.add.at(redundant, bars.bond[rows[own.dropped]], 1)
        stressed[bars.bond[rows[own.stressed]]] = True
    twists = [motion[begin[i] : begin[i + 1]] for i in range(n)]
    label, member = _Clusters(x, twists, pair).find()
    return labelled(int(begin[-1]) - rank, redundant, stressed, label, member, n)


def _matrix(freedoms: Ints, pair: Ints, bars: Bars) -> scipy.sparse.csr_array:
    """The rigidity matrix: rows by freedoms of the bodies, one body after the other; the ground has no columns."""
    f, p = bars.direction, bars.point
    moment = np.cross(p, f) if f.shape[1] == 3 else (p[:, 0] * f[:, 1] - p[:, 1] * f[:, 0])[:, None]
    wrench = np.concatenate([f, moment], axis=1)
    begin = np.concatenate([[0], np.cumsum(freedoms)])
    rows, columns, values = [], [], []
    for side, sign in ((0, -1.0), (1, 1.0)):
        body = pair[bars.bond, side]
        for k in range(wrench.shape[1]):
            has = np.flatnonzero(np.append(freedoms, 0)[body] > k)
            rows.append(has)
            columns.append(begin[body[has]] + k)
            values.append(sign * wrench[has, k])
    return scipy.sparse.csr_array((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))),
                            shape=(len(bars.bond), int(begin[-1])))


def _parts(freedoms: Ints, pair: Ints) -> list[Ints]:
    """Bodies that hang together otherwise than through the ground."""
    n = len(freedoms)
    inside = pair[(pair < n).all(axis=1)]
    graph = scipy.sparse.coo_array((np.ones(len(inside)), inside.T), shape=(n, n))
    count, label = scipy.sparse.csgraph.connected_components(graph, directed=False)
    size = np.bincount(label, freedoms, minlength=count)
    if size.max(initial=0.0) > LARGEST:
        raise TooLargeError(f"a connected part of the net has {int(size.max())} degrees of freedom, but the rank is "
                            f"computed for at most {LARGEST}. In 2-D the pebble game has no such limit.")
    return np.split(np.argsort(label, kind="stable"), np.cumsum(np.bincount(label, minlength=count))[:-1]) if n else []


class _Decomposition(NamedTuple):
    rank: int
    motion: Floats
    """(columns, _DRAWN): random motions that the rows leave, of the order one."""
    dropped: Ints
    """Rows that depend on the others (one choice)."""
    stressed: Flags
    """Rows with self-stress."""


def _decompose(R: Floats, rng: np.random.Generator) -> _Decomposition:
    """Rank, motions and self-stresses of one part, from R^T P = Q [T U; 0 0] with rows of R in order of importance."""
    m, n = R.shape
    if m == 0:
        return _Decomposition(0, rng.normal(size=(n, _DRAWN)), np.zeros(0, np.int64), np.zeros(0, np.bool_))
    (reflectors, tau), upper, order = scipy.linalg.qr(R.T, mode="raw", pivoting=True)
    pivot = np.abs(np.diag(upper))
    rank = int(np.count_nonzero(pivot > _ZERO * pivot[0]))
    # what Q makes of vectors without the first `rank` components is at right angles to all rows
    motion = np.zeros((n, _DRAWN))
    motion[rank:] = rng.normal(size=(n - rank, _DRAWN)) * np.sqrt(n / max(n - rank, 1))
    motion = scipy.linalg.lapack.dormqr("L", "N", reflectors[:, : len(tau)], tau, motion, 64 * _DRAWN)[0]
    stressed = np.zeros(m, np.bool_)
    if rank < m:
        shares = scipy.linalg.solve_triangular(upper[:rank, :rank], upper[:rank, rank:])
        stressed[order[:rank]] = np.abs(shares).max(axis=1, initial=0.0) > _STILL
        stressed[order[rank:]] = True
    return _Decomposition(rank, motion, order[rank:], stressed)


def carried(twist: Floats, x: Floats) -> Floats:
    """(n, d, motions): velocities at the points x (n, d) of a rigid body with these twists about the origin."""
    d = x.shape[1]
    omega = twist[d:]
    if d == 2:
        across = np.stack([-x[:, 1], x[:, 0]], axis=1)[:, :, None] * omega[0]
    else:
        across = np.cross(omega[None], x[:, :, None], axis=1)
    velocity: Floats = twist[:d] + across
    return velocity


class _Clusters:
    """Finds rigid clusters in motions: bodies whose velocities are those of one rigid body in all of them."""

    def __init__(self, x: Floats, twists: list[Floats], pair: Ints) -> None:
        self.n, self.d = x.shape
        self.x, self.pair = x, pair
        self.full = 3 * (self.d - 1)
        rigid = np.array([len(twist) == self.full for twist in twists], dtype=bool)
        self.bodies, self.points = np.flatnonzero(rigid), np.flatnonzero(~rigid)
        self.twist = np.array([twists[i] for i in self.bodies]).reshape(-1, self.full, _DRAWN)
        self.velocity = np.array([twists[i] for i in self.points]).reshape(-1, self.d, _DRAWN)
        self.index = np.zeros(self.n + 1, np.int64)
        self.index[self.bodies], self.index[self.points] = np.arange(len(self.bodies)), np.arange(len(self.points))
        self.rigid = np.append(rigid, True)
        self._with: dict[int, Flags] = {}

    def moving_with(self, body: int) -> Flags:
        """(n + 1,): who moves with a rigid body, or with the ground, which does not move."""
        if body not in self._with:
            twist = np.zeros((self.full, _DRAWN)) if body == self.n else self.twist[self.index[body]]
            self._with[body] = self.members(twist)
        return self._with[body]

    def members(self, twist: Floats) -> Flags:
        """(n + 1,): who moves with it; the last is the ground."""
        member = np.zeros(self.n + 1, np.bool_)
        member[self.bodies] = np.abs(self.twist - twist).max(axis=(1, 2), initial=0.0) < _STILL
        member[self.points] = np.abs(self.velocity - carried(twist, self.x[self.points])).max(
            axis=(1, 2), initial=0.0) < _STILL
        member[self.n] = bool(np.abs(twist).max() < _STILL)
        return member

    def find(self) -> tuple[Ints, Ints]:
        """Cluster of each bond (the largest where it is in several, -1 where its ends part), and members of each."""
        label = np.full(len(self.pair), -1)
        clusters: list[Ints] = []
        size = np.zeros(len(self.pair), np.int64)
        for b, (i, j) in enumerate(self.pair):
            if size[b]:
                continue
            for member in self.around(int(i), int(j)):
                inside = member[self.pair].all(axis=1) & (size < np.count_nonzero(member))
                label[inside], size[inside] = len(clusters), np.count_nonzero(member)
                clusters.append(np.flatnonzero(member))
        used, number = np.unique(label[label >= 0], return_inverse=True)
        label[label >= 0] = number
        members = [np.column_stack([np.full(len(clusters[c]), k), clusters[c]]) for k, c in enumerate(used)]
        return label, np.concatenate([np.zeros((0, 2), np.int64), *members])

    def around(self, i: int, j: int) -> list[Flags]:
        """All rigid clusters that hold both bodies: several where two points are a hinge in space."""
        for body in (i, j):
            if self.rigid[body]:
                member = self.moving_with(body)
                return [member] if member[i] and member[j] else []
        arm = self.x[j] - self.x[i]
        v_i, v_j = self.velocity[self.index[[i, j]]]
        if self.d == 2:
            omega = (arm[0] * (v_j - v_i)[1] - arm[1] * (v_j - v_i)[0]) / (arm @ arm)
            across = np.stack([-self.x[i, 1] * omega, self.x[i, 0] * omega])
            return [self.members(np.concatenate([v_i - across, omega[None]]))]
        return self.around_points(i, j, arm)

    def around_points(self, i: int, j: int, arm: Floats) -> list[Flags]:
        """The same for two points in space: with every third that keeps its distance to both, beside their line."""
        third = np.ones(self.n + 1, np.bool_)
        for end in (i, j):
            away = self.x[self.points] - self.x[end]
            rate = np.einsum("nd,ndm->nm", away, self.velocity - self.velocity[self.index[end]])
            third[self.points] &= np.abs(rate).max(axis=1, initial=0.0) < _STILL
        beside = np.linalg.norm(np.cross(arm, self.x - self.x[i]), axis=1) > _STILL * np.linalg.norm(arm)
        third[: self.n] &= beside
        # bodies and the ground have motions of their own to compare with
        third[self.bodies] = third[self.n] = False
        clusters: list[Flags] = []
        for body in (*self.bodies.tolist(), self.n):
            member = self.moving_with(body)
            if member[i] and member[j] and not any(np.array_equal(member, other) for other in clusters):
                clusters.append(member)
                third &= ~member
        while third.any():
            k = int(np.argmax(third))
            member = self.members(self.twist_through(np.array([i, j, k])))
            third &= ~member
            third[k] = False
            clusters.append(member)
        return clusters or [self.rod(i, j, arm)]

    def rod(self, i: int, j: int, arm: Floats) -> Flags:
        """Points in line with two that move as points of a rod do, where nothing beside the line moves with it."""
        member = np.zeros(self.n + 1, np.bool_)
        v_i, v_j = self.velocity[self.index[[i, j]]]
        along = (self.x[self.points] - self.x[i]) @ arm / (arm @ arm)
        off = self.x[self.points] - self.x[i] - along[:, None] * arm
        rest = self.velocity - v_i - along[:, None, None] * (v_j - v_i)
        member[self.points] = (np.abs(off).max(axis=1, initial=0.0) < _STILL) & (
            np.abs(rest).max(axis=(1, 2), initial=0.0) < _STILL)
        return member

    def twist_through(self, three: Ints) -> Floats:
        """The twist of a body that holds three points that are not in line."""
        x = self.x[three]
        unit = np.stack([carried(column[:, None], x)[:, :, 0].ravel() for column in np.eye(self.full)], axis=1)
        return np.asarray(np.linalg.lstsq(unit, self.velocity[self.index[three]].reshape(9, _DRAWN), rcond=None)[0])
