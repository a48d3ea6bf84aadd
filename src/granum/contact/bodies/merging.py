"""Over-determined clusters of grains at rest against each other, merged into one body while they last.

Contacts that stick restrain as many motions as there are dimensions. Where that is more than a cluster of grains needs
to be rigid (pebble game in the plane, rank in space), the grains move as one body: nothing is gained by solving
contacts between them again and again. Each contact inside keeps the force it had, and takes what changes of the loads
bring it, distributed with the least energy of equal springs along and across the contacts. A cluster comes apart as
soon as a contact inside would open or slip, or something hits it: that step is taken back and made again with single
grains.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Flags, Floats, Ints, Records
from granum.contact.bodies.loading import impulse_of, pushing, vectors_of, velocities_of
from granum.contact.nonsmooth.rigid_bodies import Bodies
from granum.contact.problem import Problem
from granum.grains.aggregates.balance import balance
from granum.grains.aggregates.bonds import rows_of
from granum.grains.aggregates.networks import Net, components
from granum.grains.aggregates.parts import Held, Parts
from granum.grains.aggregates.regrouping import own_inertia, to_inertial_axes
from granum.grains.search.history import no_slots
from granum.grains.search.neighbour_list import Neighbours
from granum.state.table import QA, R
from granum.topology.rank import Bars, rank_rigidity
from granum.topology.rigidity import Rigidity, pebble_game

EVERY = 16
"""Steps between two looks for clusters."""
PAUSE = 48
"""Steps more until the next test after a cluster came apart."""
GROWN = 1.2
"""A merged body is not touched for a few grains more: a cluster around it must be larger than it by this factor."""
STILL = 1e-3
"""Relative velocity and change of velocity in a step that count as rest, in g h."""
STICKS = 0.99
"""Part of Coulomb's limit up to which a contact is sure to stick."""
HIT = 2.0
"""Speed of approach that is a hit, in g h."""
SLACK = 0.02
"""Force by which contacts inside may leave their cone before the cluster comes apart, in weights of the lighter one."""
BY_RANK = 600
"""Freedoms in space up to which the rank is looked at; beyond, the game of bodies and bars."""
BALANCED = 1e-6
"""A net that leaves more than this part of its loads unbalanced is not rigid as it lies."""


class Touching(NamedTuple):
    """Contacts of pairs in the last step that pushed."""

    pair: Ints
    """(n, 2): numbers of the parts, ascending."""
    rows: Ints
    """(n, 2): rows of the same."""
    force: Floats
    """(n, 3): on the first of them, in inertial axes [N]."""
    arm: Floats
    """(n, 2, 3): where they touch, from the mass centres of both bodies [m]."""
    rest: Flags
    """Do they stick and stay where they are against each other?"""


def touching(parts: Parts, near: Neighbours, problem: Problem, state: Bodies, h: float, slow: float) -> Touching:
    """What touched in the last step."""
    held = pushing(problem)
    held = held[problem.slot[held] >= 0]
    c, k = problem.contact[held], problem.slot[held]
    rows = np.column_stack([np.searchsorted(near.first, k, side="right") - 1, near.other[k]])
    P = impulse_of(problem, held)
    arm = np.stack([vectors_of(problem, held, "i"), vectors_of(problem, held, "j")], axis=1)
    u = velocities_of(problem, held, state.v)
    across = np.sqrt(c["qx"] ** 2 + c["qy"] ** 2 + c["qz"] ** 2)
    sticks = across < STICKS * c["friction"] * c["p"]
    rest = sticks & (np.linalg.norm(u, axis=1) <= STILL * slow) & (c["arm"] == 0.0)
    number = parts.number[rows]
    swapped = number[:, 0] > number[:, 1]
    return Touching(np.sort(number, axis=1), np.where(swapped[:, None], rows[:, ::-1], rows),
                    np.where(swapped[:, None], P, -P) / h, np.where(swapped[:, None, None], arm[:, ::-1], arm), rest)


class Inside:
    """The net of contacts inside merged bodies, nodes in the order of their numbers, in body axes."""

    def __init__(self, parts: Parts, pair: Ints, friction: Floats, dimension: int, place: Floats) -> None:
        self.number, places = np.unique(pair, return_inverse=True)
        self.pair, self.dimension = places.reshape(-1, 2), dimension
        rows = rows_of(parts, self.number)
        self.place, radii = place[rows], parts.x[rows, R]
        self.mass, self.own = parts.mass[rows], own_inertia(parts, rows)
        a, b = self.pair.T
        between = self.place[b] - self.place[a]
        length = np.linalg.norm(between, axis=1)
        middle = radii[a] + 0.5 * (length - radii[a] - radii[b])
        self.normal = between / length[:, None]
        stiffness = np.zeros((len(pair), 6))
        stiffness[:, :3] = 1.0
        self.net = Net(self.place, self.pair, self.place[a] + middle[:, None] * self.normal, stiffness, dimension)
        kind = parts.material[rows]
        self.friction = friction[kind[a], kind[b]]

    def forces(self, rows: Ints, force: Floats, moment: Floats, omega: Floats) -> Floats:
        """(n, 3): on the first of each pair, from loads on all parts, in body axes [N]."""
        f, tau = np.empty((len(rows), 3)), np.empty((len(rows), 3))
        label = self.net.label
        balance(label, self.mass, self.own, self.place, rows, force, moment, omega, self.dimension == 2,
                np.empty((int(label.max()) + 1, 16)), f, tau)
        load = self.net.carry(f, tau)
        found: Floats = np.einsum("mij,mi->mj", self.net.axes, load[:, :3])
        return found

    def fails(self, force: Floats, g: float) -> Flags:
        """Contacts that would open or slip under the force on the first of each pair."""
        along = np.sum(force * self.normal, axis=1)  # negative where the second pushes the first away
        across = np.linalg.norm(force - along[:, None] * self.normal, axis=1)
        slack = SLACK * g * np.minimum(self.mass[self.pair[:, 0]], self.mass[self.pair[:, 1]])
        found: Flags = (along > slack) | (across > -self.friction * along + slack)
        return found


class Merger:
    """Merges and dissolves clusters of a running scene."""

    def __init__(self, friction: Floats, g: float, dimension: int) -> None:
        self.friction, self.g, self.dimension = friction, g, dimension
        self.log: list[tuple[float, float, float]] = []
        """Time [s], grains of the cluster (negative where it came apart) and its number."""
        self.since = 0
        self._inside: Inside | None = None
        self._rows: Ints = np.zeros(0, np.int64)
        self._made = -1

    def forget(self) -> None:
        """Another run is taken up, or clusters changed."""
        self._inside, self._made = None, -1

    def note(self, parts: Parts, numbers: Ints, sign: float) -> None:
        """Log that bodies merged, or come apart (-1)."""
        size = np.bincount(parts.body, minlength=parts.bodies.count)
        for number in numbers.tolist():
            body = int(np.flatnonzero(parts.bodies.number == number)[0])
            self.log.append((parts.t, sign * float(size[body]), float(number)))

    def test(self, parts: Parts, held: Held, made: int, force: Floats, moment: Floats, omega: Floats,
             hit: Ints) -> Ints:
        """Numbers of the merged bodies that come apart: `hit` are rows of parts that something has hit."""
        if self._inside is None:
            self._inside = Inside(parts, held.pair, self.friction, self.dimension, parts.arm)
        inside = self._inside
        if self._made != made:
            self._rows, self._made = rows_of(parts, inside.number), made
        found = held.base + inside.forces(self._rows, force, moment, omega)
        failing = self._rows[inside.pair[inside.fails(found, self.g), 0]]
        merged = np.unique(parts.body[self._rows])
        apart: Ints = np.intersect1d(merged, parts.body[np.concatenate([failing, hit])])
        if not len(apart):
            held.last = found
        return parts.bodies.number[apart]

    def clusters(self, parts: Parts, held: Held, contacts: Touching, still: Flags) -> tuple[Ints, Ints]:
        """Rows of single grains to be merged with the number of their cluster, and merged bodies to come apart first.

        A cluster that has grown around merged bodies is merged as a whole at the next test, when contacts inside have
        been solved again.
        """
        pair = np.concatenate([contacts.rows[contacts.rest], rows_of(parts, held.pair).reshape(-1, 2)])
        pair = pair[still[pair].all(axis=1)]
        none = np.zeros(0, np.int64)
        if not len(pair):
            return np.zeros((0, 2), np.int64), none
        rows, node = np.unique(pair, return_inverse=True)
        net = self._rigidity(parts.x[rows, :3], parts.x[rows, R], node.reshape(-1, 2))
        redundant = np.bincount(net.label[net.stressed & (net.label >= 0)], minlength=net.count) > 0
        found, grown = [np.zeros((0, 2), np.int64)], [none]
        size = np.bincount(parts.body, minlength=parts.bodies.count)
        for k in np.flatnonzero(redundant & (net.sizes > 2)).tolist():
            own = rows[net.members(k)]
            homes = np.unique(parts.body[own])
            if len(homes) > 1 and np.all(size[homes] == 1):
                found.append(np.column_stack([own, np.full(len(own), len(found) - 1)]))
            elif len(own) >= GROWN * size[homes].max():
                grown.append(parts.bodies.number[homes[size[homes] > 1]])
        return np.concatenate(found), np.concatenate(grown)

    def _rigidity(self, place: Floats, radii: Floats, pair: Ints) -> Rigidity:
        """Of grains that turn, with contacts that stick."""
        flat = self.dimension == 2
        if flat:
            return pebble_game(np.full(len(place), 3), pair, 2)
        largest = int(np.bincount(components(len(place), pair)).max())
        if 6 * largest > BY_RANK:
            return pebble_game(np.full(len(place), 6), pair, 3, 6)
        at = place[pair[:, 0]] + (place[pair[:, 1]] - place[pair[:, 0]]) * (
            radii[pair[:, 0]] / (radii[pair[:, 0]] + radii[pair[:, 1]]))[:, None]
        bond = np.repeat(np.arange(len(pair)), 3)
        bars = Bars(bond, np.tile(np.eye(3), (len(pair), 1)), at[bond])
        return rank_rigidity(place, np.full(len(place), 6), pair, bars)

    def hold(self, parts: Parts, cluster: Ints, contacts: Touching, force: Floats, moment: Floats) -> Held | None:
        """What contacts inside new clusters hold; None where their net is not rigid as it lies.

        Args:
            cluster: (parts,) number of the cluster of each, -1 for none.
            force, moment: (parts, 3) of all contacts and loads on each grain and about its centre, in inertial axes.
        """
        label = cluster[contacts.rows]
        new = contacts.rest & (label[:, 0] == label[:, 1]) & (label[:, 0] >= 0)
        order = np.flatnonzero(new)[np.lexsort((contacts.pair[new, 1], contacts.pair[new, 0]))]
        pair, own, rows = contacts.pair[order], contacts.force[order], contacts.rows[order]
        force, moment = force.copy(), moment.copy()
        for side, sign in ((0, 1.0), (1, -1.0)):
            np.subtract.at(force, rows[:, side], sign * own)
            np.subtract.at(moment, rows[:, side], sign * np.cross(contacts.arm[order, side], own))
        inside = Inside(parts, pair, self.friction, self.dimension, parts.x[:, :3])
        found = inside.forces(rows_of(parts, inside.number), force, moment, np.zeros((parts.count, 3)))
        return Held(pair, own - found, own) if inside.net.unbalanced <= BALANCED else None


def impulses(parts: Parts, held: Held, which: Flags, h: float) -> Records:
    """(n,) SLOT: what contacts inside would remember: impulses on the second of each pair in inertial axes."""
    rows = rows_of(parts, held.pair[which, 0])
    slots = no_slots(len(rows))
    impulse = -h * to_inertial_axes(parts.bodies.pose[parts.body[rows], QA:], held.last[which])
    slots["fx"], slots["fy"], slots["fz"] = impulse.T
    return slots
