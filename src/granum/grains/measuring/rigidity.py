"""Which parts of a network of contacts are floppy, rigid or over-determined.

A contact that sticks restrains all relative motion there, one that slides only that along its normal. A grain with a
contact that sticks can rotate; one whose contacts all slide rotates freely and counts as a point. In the plane
the pebble game counts (Henkes et al. 2016), in space the rank decides. The boundary is the ground, one rigid body.
"""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Flags, Floats, Ints
from granum.grains.state import FIRST, SECOND, Int32s
from granum.topology.rank import LARGEST, Bars, rank_rigidity
from granum.topology.rigidity import Rigidity, pebble_game

SLIDING = 1e-6
"""A contact slides if its friction is less than this part below μ F_n."""
MOST_IN_SPACE = {False: LARGEST // 3, True: LARGEST // 6}
"""Grains in space that hang together up to which their rigidity is found, without and with friction."""


def sticking(
    pair: Int32s, normal: Floats, force: Floats, material: Int32s, boundary_material: Ints, friction: Floats,
) -> Flags:
    """(C,): contacts with |F_t| < μ F_n.

    Args:
        pair, normal, force: contacts as in `granum.grains.measuring.network`.
        material: (N,) of the grains; `boundary_material` (E,) of the elements, -1 for that of the grain.
        friction: (materials, materials) coefficients μ.
    """
    own = material[pair[:, FIRST]]
    wall = pair[:, SECOND] < 0
    other = material[np.where(wall, 0, pair[:, SECOND])] if len(material) else own
    if len(boundary_material):
        of_wall = boundary_material[np.where(wall, -1 - pair[:, SECOND], 0)]
        other = np.where(wall, np.where(of_wall < 0, own, of_wall), other)
    pressing = np.sum(force * normal, axis=1)
    across = np.linalg.norm(force - pressing[:, None] * normal, axis=1)
    sticks: Flags = across < (1.0 - SLIDING) * friction[own, other] * pressing
    return sticks


def contact_rigidity(position: Floats, radii: Floats, pair: Int32s, normal: Floats, sticks: Flags) -> Rigidity:
    """Rigid clusters of grains at `position` (N, d); the bonds are the contacts, the ground is body N.

    In space it raises TooLargeError where more grains hang together than MOST_IN_SPACE.
    """
    n, d = position.shape
    first, second = pair.T.astype(np.int64)
    bonds = np.column_stack([first, np.where(second < 0, n, second)])
    turns = np.zeros(n + 1, np.bool_)
    turns[bonds[sticks].ravel()] = True
    freedoms = np.where(turns[:n], 3 * (d - 1), d)
    if d == 2:
        return pebble_game(freedoms, bonds, 1 + sticks)
    place = position[first] + np.where(second < 0, -1.0, 1.0)[:, None] * radii[first, None] * normal
    return rank_rigidity(position, freedoms, bonds, _bars(normal, place, sticks))


def _bars(normal: Floats, place: Floats, sticks: Flags) -> Bars:
    """Normals of all contacts in space, and two directions across those that stick."""
    held = np.flatnonzero(sticks)
    n = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    least = np.eye(3)[np.abs(n[held]).argmin(axis=1)]
    one = np.cross(n[held], least)
    one /= np.linalg.norm(one, axis=1, keepdims=True)
    bond = np.concatenate([np.arange(len(n)), held, held])
    return Bars(bond, np.concatenate([n, one, np.cross(n[held], one)]), place[bond])


def within(pair: Int32s, chosen: Flags) -> tuple[Flags, Int32s]:
    """Contacts of the chosen grains among themselves and with the boundary, by rows among the chosen."""
    place = np.cumsum(chosen) - 1
    wall = pair[:, SECOND] < 0
    kept = chosen[pair[:, FIRST]] & (wall | chosen[np.where(wall, pair[:, FIRST], pair[:, SECOND])])
    among = pair[kept].copy()
    among[:, FIRST] = place[among[:, FIRST]]
    between = among[:, SECOND] >= 0
    among[between, SECOND] = place[among[between, SECOND]]
    return kept, among
