"""What of a net of bonds is floppy, rigid or over-determined.

Bodies are the nodes 0..N-1, the ground is node N and one rigid body. A bond (link, contact, joint) between two of them
has rows: motions that it restrains. Points in the plane have 2 freedoms, rigid bodies 3. The pebble game counts
*generic* rigidity: what holds for almost all positions of the same net. `granum.topology.rank` considers the
positions too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Flags, Ints
from granum.topology import pebbles


@dataclass(frozen=True)
class Rigidity:
    """Freedoms, redundant rows and rigid clusters of a net."""

    freedoms: int
    """Independent velocities that the bonds leave to all bodies together (floppy modes). A part free of the ground has
    at least those of one rigid body."""
    redundant: Ints
    """(bonds,): how many of its rows restrain nothing that others do not (one choice of several)."""
    stressed: Flags
    """(bonds,): can it carry force without any load? Then one row of it can go and all is as rigid as before."""
    label: Ints
    """(bonds,): number of its rigid cluster, 0 has the most bodies; -1 where the two ends move against each other.
    In space a link can be the hinge of several clusters; it has the number of the largest."""
    bodies: int
    """How many there are; the ground is the one behind them."""
    first: Ints
    """(clusters + 1,): where the members of each cluster begin."""
    member: Ints
    """Bodies of all clusters, the ground among them; a body can be the pivot of several."""

    @property
    def count(self) -> int:
        """How many rigid clusters there are; in nets of points each has two bodies at least."""
        return len(self.first) - 1

    def members(self, cluster: int) -> Ints:
        """Bodies of a cluster, ascending; the ground is the last if it is in it."""
        return self.member[self.first[cluster] : self.first[cluster + 1]]

    def holds_ground(self, cluster: int) -> bool:
        """Is the ground part of it? Then it cannot move at all."""
        return bool(self.members(cluster)[-1] == self.bodies)

    @cached_property
    def sizes(self) -> Ints:
        """(clusters,): bodies of each, the ground not counted."""
        total = np.concatenate([[0], np.cumsum(self.member < self.bodies)])
        sizes: Ints = np.diff(total[self.first])
        return sizes

    @property
    def largest(self) -> int:
        """Bodies of the largest cluster; 0 if nothing is rigid."""
        return int(self.sizes[0]) if self.count else 0

    @cached_property
    def overdetermined(self) -> Flags:
        """(clusters,): are all bonds of it stressed? Then any one row can go, and it is as rigid as before."""
        all_stressed: Flags = self._bonds(~self.stressed) == 0
        return all_stressed

    @cached_property
    def isostatic(self) -> Flags:
        """(clusters,): is none of its bonds stressed? Then each row is needed."""
        none_stressed: Flags = self._bonds(self.stressed) == 0
        return none_stressed

    def _bonds(self, which: Flags) -> Ints:
        """(clusters,): how many bonds of each are of that sort."""
        return np.bincount(self.label[which & (self.label >= 0)], minlength=self.count)


def pebble_game(freedoms: Ints, pair: Ints, rows: Ints | int = 1, l: int = 3) -> Rigidity:
    """Generic rigidity of a net by the (k, l) pebble game, with k of every node its own.

    Args:
        freedoms: (N,) of each body: 2 for a point in the plane, 3 for a rigid body.
        pair: (B, 2) the bodies that each bond joins; N is the ground, a body like others that does not move.
        rows: of each bond: link or sliding contact 1, hinge, slider or sticking contact 2, glue 3.
        l: freedoms of a rigid body, 3 in the plane. With 6 for all bodies and l = 6 it is the game of bodies and bars
            in space (Tay's theorem), exact for generic bars; points in space have no such game.

    A fixed point that several links share is a point joined to the ground by two rows: that keeps them at one point.
    """
    tail, head, row_count = _checked(freedoms, pair, rows, l)
    k = np.append(freedoms, l).astype(np.int64)
    n = len(k)
    board = _board(k)
    condensing = 2 * l <= int(np.sort(k)[:3].sum()) or n < 3
    redundant, stressed = np.zeros(len(tail), np.int64), np.zeros(len(tail), np.bool_)
    pebbles.play(board, tail, head, row_count, l, condensing, redundant, stressed)
    left = int(board.free.sum()) - l
    begin, incident = _incidence(tail, head, n)
    label = np.empty(len(tail), np.int64)
    pebbles.clusters(board, tail, head, row_count, l, condensing, begin, incident, label)
    held = label >= 0
    member = np.concatenate([np.column_stack([label[held], end[held]]) for end in (tail, head)])
    return labelled(left, redundant, stressed, label, member, n - 1)


def labelled(freedoms: int, redundant: Ints, stressed: Flags, label: Ints, member: Ints, bodies: int) -> Rigidity:
    """Number clusters by size, the largest first; `label` is that of bonds, `member` (M, 2) has cluster and body."""
    member = np.unique(member, axis=0)
    count = int(member[:, 0].max(initial=-1)) + 1
    size = np.bincount(member[member[:, 1] < bodies, 0], minlength=count)
    order = np.argsort(-size, kind="stable")
    rank = np.empty(count + 1, np.int64)
    rank[order], rank[count] = np.arange(count), -1  # the last is for the label -1
    member[:, 0] = rank[member[:, 0]]
    member = member[np.lexsort((member[:, 1], member[:, 0]))]
    first = np.searchsorted(member[:, 0], np.arange(count + 1))
    return Rigidity(freedoms, redundant, stressed, rank[label], bodies, first, member[:, 1])


def _board(k: Ints) -> pebbles.Board:
    """All pebbles free."""
    n, total = len(k), int(k.sum())
    slot = np.concatenate([[0], np.cumsum(k)])
    empty = np.full(total, -1)
    seen, came, via, queue, searches = (np.zeros(size, np.int64) for size in (n, n, n, n, 1))
    return pebbles.Board(slot, empty, empty.copy(), k.copy(), seen, came, via, queue, np.full(n, -1), np.zeros_like(k),
                         searches)


def _incidence(tail: Ints, head: Ints, n: int) -> tuple[Ints, Ints]:
    """Bonds at each node: where they begin in a list, and the list."""
    ends = np.concatenate([tail, head])
    begin = np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=n))])
    return begin, np.argsort(ends, kind="stable") % max(len(tail), 1)


def _checked(freedoms: Ints, pair: Ints, rows: Ints | int, l: int) -> tuple[Ints, Ints, Ints]:
    """Ends and rows of the bonds, or an error: a kernel would read beyond its arrays."""
    n = len(freedoms)
    ends = np.asarray(pair, np.int64).reshape(-1, 2)
    count = np.broadcast_to(np.asarray(rows, np.int64), len(ends)).copy()
    bad = np.flatnonzero((ends < 0).any(axis=1) | (ends > n).any(axis=1) | (ends[:, 0] == ends[:, 1]))
    if len(bad):
        raise GranumError(f"bond {bad[0]} joins {ends[bad[0], 0]} and {ends[bad[0], 1]}, but a bond joins two "
                          f"different bodies of 0 to {n - 1}, or one of them and the ground {n}.")
    if len(freedoms) and 2 * int(np.min(freedoms)) <= l:
        raise GranumError(f"a body has {int(np.min(freedoms))} freedoms, but with l = {l} each needs more than "
                          f"{l / 2:g} for a bond between two of them to restrain anything.")
    if len(freedoms) and int(np.max(freedoms)) > l:
        raise GranumError(f"a body has {int(np.max(freedoms))} freedoms, but a rigid body has only l = {l}.")
    if count.min(initial=1) < 1:
        raise GranumError(f"bond {count.argmin()} has {count.min()} rows; remove bonds that restrain nothing.")
    return ends[:, 0].copy(), ends[:, 1].copy(), count
