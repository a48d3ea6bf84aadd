"""The solver `soft`: spring-dashpot steps of grains, their neighbours, ledger and statistics."""

from __future__ import annotations

import numba
import numpy as np

from granum.base.kernels import Floats
from granum.contact.penalty import slab as soft
from granum.contact.penalty.laws import Laws, compile_laws
from granum.contact.solver import Solver
from granum.grains.geometry.motion import move_elements
from granum.grains.geometry.surfaces import OUT
from granum.grains.orientation import new_blocks
from granum.grains.search.history import as_numbers, no_slots
from granum.grains.search.neighbour_list import Contacts, NeighbourList
from granum.grains.tables import Tables
from granum.model.scene import Scene

PARALLEL_GRAINS = 8000
"""Grains from which several threads pay."""
STEPS = (80, 250)
"""Steps between new lists below which the skin grows and above which it shrinks; lists cost some ten steps."""


class Soft(Solver):
    """Advances grains by spring-dashpot steps; springs of contacts live in the neighbour list."""

    solves_contact = False

    def __init__(self, neighbour_list: NeighbourList, tables: Tables, laws: Laws, gravity: Floats) -> None:
        self.neighbour_list, self.tables, self.laws, self.gravity = neighbour_list, tables, laws, gravity
        self.table = np.stack([laws.stiffness, laws.shear, laws.damping, tables.friction, tables.rolling], axis=2)
        self.totals = np.zeros(soft.TOTALS)

    def _allot(self) -> None:
        """Arrays for the grains and contacts of the lists as they are now."""
        near, grains = self.neighbour_list.near, self.neighbour_list.grains
        self.middle, self.f = np.zeros((grains.count, 4)), np.zeros((grains.count, 8))
        self.held = np.any(as_numbers(near.pair) != 0.0, axis=1)
        self.wall_held = np.any(as_numbers(near.wall) != 0.0, axis=1)
        slabs = len(near.slabs) - 1
        self.sums, self.moves = np.zeros((slabs, soft.SUMS)), np.zeros((slabs, 8))
        self.scratch = np.zeros((slabs, OUT))
        self.boundaries = self.neighbour_list.elements.arrays()
        self.blocks = new_blocks(near.slabs, grains.local_orientation)
        self._made = self.neighbour_list.version

    def advance(self, count: int, h: float, extra: Floats) -> int:
        """Make up to `count` steps; the lists are renewed when they must be. Returns how many were made."""
        neighbours, grains, elements = self.neighbour_list, self.neighbour_list.grains, self.neighbour_list.elements
        if self._made != neighbours.version:
            self._allot()
        several = grains.count >= PARALLEL_GRAINS and len(neighbours.near.slabs) > 2 and numba.get_num_threads() > 1
        run = soft.parallel_steps if several else soft.steps
        done = run(
            count, grains.t, h, self.gravity, extra, grains.x, grains.v, grains.local_orientation, self.blocks,
            self.middle, self.f, grains.material, neighbours.near, self.held, self.wall_held, self.boundaries,
            self.laws.hertz, self.table, 0.5 * neighbours.skin, neighbours.extent, neighbours.built_t, self.sums,
            self.moves, self.scratch, self.totals)
        self.last_step = h
        neighbours.steps += abs(done)
        grains.t += abs(done) * h
        move_elements(elements.home, elements.motion, grains.t, elements.now)
        if done < 0:
            neighbours.renew(STEPS)
        return abs(done)

    def contacts(self, h: float) -> Contacts:
        """Contacts as they are now, with the forces of their springs and dashpots."""
        return self._look()[0]

    def stored(self) -> float:
        """What normal, tangential and rolling springs of all contacts hold now [J]."""
        return float(np.sum(self._look()[1]))

    def _look(self) -> tuple[Contacts, Floats]:
        """Contacts as they are now, and the energies of their springs [J]."""
        near, grains, elements = self.neighbour_list.near, self.neighbour_list.grains, self.neighbour_list.elements
        most = len(near.other) + len(near.wall_element)
        pair, normal, force = np.zeros((most, 2), np.int32), np.zeros((most, 3)), np.zeros((most, 3))
        energy = np.zeros(most)
        count = soft.look_at_contacts(
            grains.x, grains.v, grains.material, near, elements.now, self.laws.hertz, self.table,
            0.5 * self.last_step, np.zeros(OUT), no_slots(1), np.zeros(soft.SUMS), pair, normal, force, energy)
        return Contacts(pair[:count], normal[:count], force[:count]), energy[:count]


def make_soft(scene: Scene, neighbour_list: NeighbourList, tables: Tables, gravity: Floats) -> Soft:
    """The solver of a scene."""
    laws = compile_laws(list(scene.material.values()), tables, scene.run.contact_law)
    return Soft(neighbour_list, tables, laws, gravity)
