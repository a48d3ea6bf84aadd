"""What of a linked system is rigid, in one position."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.assembly.points.point_system import PointSystem
from granum.base.kernels import Flags, Floats, Ints
from granum.topology.rank import LARGEST, Bars, TooLargeError, rank_rigidity
from granum.topology.rigidity import Rigidity, pebble_game

PROMPT = 1200
"""Freedoms up to which a net in the plane is examined by rank too, in less than a second."""


class LinkRigidity(NamedTuple):
    """Rigid clusters of a linked system; its bodies are those of the scene in their order."""

    rigidity: Rigidity
    """Bonds are the links of the arrays, and behind them one for each fixed point, which holds it to the ground."""
    in_position: bool
    """Is it true of this position (rank), or of almost all positions of such a net (pebble game)?"""


def link_rigidity(system: PointSystem, x: Floats) -> LinkRigidity | None:
    """Rigid clusters in the position x (d, slots): by rank, in the plane beyond PROMPT freedoms by the pebble game.

    In 3-D the answer is None where a part that hangs together has more than LARGEST freedoms.
    """
    pair = np.column_stack([system.body_order[system.links.tail], system.body_order[system.links.head]])
    return net_rigidity(x[:, system.body_rank].T, system.fixed[system.body_rank], pair)


def net_rigidity(position: Floats, fixed: Flags, pair: Ints) -> LinkRigidity | None:
    """The same for points at `position` (N, d), some of them `fixed`, and links between each `pair` (B, 2) of them."""
    count, d = position.shape
    held = np.flatnonzero(fixed)
    bonds: Ints = np.concatenate([pair, np.column_stack([held, np.full(len(held), count)])]).astype(np.int64)
    freedoms = np.full(count, d)
    if d == 2 and 2 * count > PROMPT:
        rows = np.concatenate([np.ones(len(pair), np.int64), np.full(len(held), 2)])
        return LinkRigidity(pebble_game(freedoms, bonds, rows), False)
    arm = position[pair[:, 1]] - position[pair[:, 0]]
    distance = np.linalg.norm(arm, axis=1, keepdims=True)
    bars = Bars(
        np.concatenate([np.arange(len(pair)), np.repeat(len(pair) + np.arange(len(held)), d)]),
        np.concatenate([arm / np.where(distance > 0.0, distance, 1.0), np.tile(np.eye(d), (len(held), 1))]),
        np.concatenate([position[pair[:, 0]], np.repeat(position[held], d, axis=0)]))
    try:
        return LinkRigidity(rank_rigidity(position, freedoms, bonds, bars), True)
    except TooLargeError:
        return None


__all__ = ["LARGEST", "LinkRigidity", "link_rigidity", "net_rigidity"]
