"""Random nets of points and bodies, and what of them is rigid by definition: dense ranks, one row at a time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import null_space

from granum.topology.rank import Bars


class Net(NamedTuple):
    """Bodies at places, joined by bars; the ground is the body behind the last."""

    position: np.ndarray
    freedoms: np.ndarray
    pair: np.ndarray
    rows: np.ndarray
    bars: Bars

    @property
    def d(self) -> int:
        """2 or 3."""
        return self.position.shape[1]

    def turns(self, body: int) -> bool:
        """Is it no point?"""
        return body == len(self.freedoms) or self.freedoms[body] == 3 * (self.d - 1)

    def row(self, i: int, j: int, place: np.ndarray, direction: np.ndarray) -> np.ndarray:
        """A bar from i to j as a row: velocity of j minus that of i at the place, along the direction."""
        begin, row = np.concatenate([[0], np.cumsum(self.freedoms)]), np.zeros(int(np.sum(self.freedoms)))
        for body, sign in ((i, -1.0), (j, 1.0)):
            if body == len(self.freedoms):
                continue
            at = slice(begin[body], begin[body + 1])
            if not self.turns(body):
                row[at] = sign * direction
                continue
            # every component of the twist by itself: its velocity at the place
            for k in range(self.freedoms[body]):
                velocity = np.eye(3)[k] if k < self.d else np.zeros(3)
                if k >= self.d:
                    axis = np.eye(3)[k - 3] if self.d == 3 else np.array([0.0, 0.0, 1.0])
                    velocity = np.cross(axis, np.append(place, np.zeros(3 - self.d)))
                row[begin[body] + k] = sign * velocity[: self.d] @ direction
        return row

    def matrix(self) -> np.ndarray:
        """All rows."""
        rows = [self.row(*self.pair[b], p, n) for b, n, p in zip(*self.bars, strict=True)]
        return np.array(rows).reshape(len(rows), int(np.sum(self.freedoms)))


def rank(matrix: np.ndarray) -> int:
    return int(np.linalg.matrix_rank(matrix, 1e-8)) if matrix.size else 0


def net(
    rng: np.random.Generator, position: np.ndarray, freedoms: np.ndarray, pair: np.ndarray, rows: np.ndarray,
) -> Net:
    """Bonds of bars in random lines; at a point a bar ends there."""
    bond = np.repeat(np.arange(len(pair)), rows)
    ends = rng.uniform(-1.0, 1.0, (2, len(bond), position.shape[1]))
    for side in range(2):
        for r, b in enumerate(bond):
            body = pair[b, side]
            if body < len(freedoms) and freedoms[body] == position.shape[1]:
                ends[side, r] = position[body]
    arm = ends[1] - ends[0]
    return Net(position, freedoms, pair, rows, Bars(bond, arm / np.linalg.norm(arm, axis=1, keepdims=True), ends[0]))


def random_net(rng: np.random.Generator, d: int, kinds: str, grid: bool = False) -> Net:
    """Up to 9 points, bodies or both, with some bonds to the ground; on a grid many bars are in line or parallel."""
    n = int(rng.integers(1, 10 if d == 2 else 8))
    full = 3 * (d - 1)
    freedoms = np.array({"points": [d] * n, "bodies": [full] * n, "both": rng.choice([d, full], n)}[kinds])
    places = np.stack(np.meshgrid(*[np.arange(3.0)] * d), axis=-1).reshape(-1, d) - 1.0
    position = places[rng.permutation(len(places))[:n]] if grid else rng.uniform(-1.0, 1.0, (n, d))
    chosen: dict[tuple[int, int], int] = {}
    for _ in range(int(rng.integers(0, (d + 1) * n + 3))):
        i, j = sorted(int(k) for k in rng.choice(n + 1, 2, replace=False))
        points = [freedoms[i] == d, j < n and freedoms[j] == d]
        # a bar between two points can be there only once; between a point and a body d times
        chosen[i, j] = int(rng.integers(1, {2: 1, 1: d, 0: full}[sum(points)] + 1))
    pair = np.array([*chosen], dtype=np.int64).reshape(-1, 2)
    return net(rng, position, freedoms, pair, np.array([*chosen.values()], dtype=np.int64))


class Truth(NamedTuple):
    """What definitions say."""

    freedoms: int
    redundant: int
    stressed: np.ndarray
    left: np.ndarray
    """(n + 1, 6, motions): all motions left, body by body, a point in its first components; the ground last."""
    alone: np.ndarray
    """(n + 1, 6, 6): the same for the six (three) motions of one rigid body that holds them all."""

    def rigid(self, bodies: np.ndarray) -> bool:
        """Do they move as one rigid body in all motions left?"""
        left, alone = (m[bodies].reshape(len(bodies) * m.shape[1], -1) for m in (self.left, self.alone))
        return bool(np.abs(left - alone @ np.linalg.lstsq(alone, left, rcond=None)[0]).max(initial=0.0) < 1e-8)


def truth(given: Net) -> Truth:
    """Every row taken away by itself, and all motions that the rows leave."""
    R = given.matrix()
    r, n, full = rank(R), len(given.freedoms), 3 * (given.d - 1)
    stressed = np.zeros(len(given.pair), dtype=bool)
    for k, b in enumerate(given.bars.bond):
        stressed[b] |= rank(np.delete(R, k, axis=0)) == r
    null = null_space(R, 1e-8) if len(R) else np.eye(R.shape[1])
    left, alone = np.zeros((n + 1, full, null.shape[1])), np.zeros((n + 1, full, full))
    begin = np.concatenate([[0], np.cumsum(given.freedoms)])
    alone[n] = np.eye(full)
    for i, k in enumerate(given.freedoms):
        left[i, :k] = null[begin[i] : begin[i + 1]]
        alone[i] = np.eye(full)
        if k < full:
            held = given._replace(freedoms=np.array([full]))
            alone[i] = 0.0
            alone[i, : given.d] = [held.row(1, 0, given.position[i], axis) for axis in np.eye(given.d)]
    return Truth(int(np.sum(given.freedoms)) - r, len(R) - r, stressed, left, alone)
