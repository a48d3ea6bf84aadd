"""The solver `soft`: spring-dashpot steps of grains, their lists, ledger and statistics."""

from __future__ import annotations

import numba
import numpy as np

from granum.base.kernels import Floats
from granum.contact.penalty import slab as soft
from granum.contact.penalty.laws import Laws, compile_laws
from granum.contact.solver import Solver
from granum.grains.geometry.surfaces import OUT, place
from granum.grains.search.lists import Contacts, Lists
from granum.grains.search.memory import WIDTH
from granum.grains.tables import Tables
from granum.grains.turning import new_blocks
from granum.model.scene import Scene

PARALLEL_GRAINS = 8000
"""Grains from which several threads pay."""
STEPS = (80, 250)
"""Steps between new lists below which the skin grows and above which it shrinks; lists cost some ten steps."""


class Soft(Solver):
    """Advances grains by spring-dashpot steps; springs of contacts live in `lists`."""

    solves_contact = False

    def __init__(self, lists: Lists, tables: Tables, laws: Laws, gravity: Floats) -> None:
        self.lists, self.tables, self.laws, self.gravity = lists, tables, laws, gravity
        self.table = np.stack([laws.stiffness, laws.shear, laws.damping, tables.friction, tables.rolling], axis=2)
        self.totals = np.zeros(soft.TOTALS)

    def _allot(self) -> None:
        """Arrays for the grains and contacts of the lists as they are now."""
        lists, grains = self.lists, self.lists.grains
        self.middle, self.f = np.zeros((grains.count, 4)), np.zeros((grains.count, 8))
        self.held = np.any(lists.pair_memory != 0.0, axis=1)
        self.wall_held = np.any(lists.wall_memory != 0.0, axis=1)
        slabs = len(lists.slabs) - 1
        self.sums, self.moves = np.zeros((slabs, soft.SUMS)), np.zeros((slabs, 8))
        self.scratch = np.zeros((slabs, OUT))
        self.shifts = np.zeros(lists.elements.count)
        self.blocks = new_blocks(lists.slabs, grains.turned)
        self._made = lists.made

    def advance(self, count: int, h: float, extra: Floats) -> int:
        """Make up to `count` steps; the lists are renewed when they must be. Returns how many were made."""
        lists, grains, elements = self.lists, self.lists.grains, self.lists.elements
        if self._made != lists.made:
            self._allot()
        several = grains.count >= PARALLEL_GRAINS and len(lists.slabs) > 2 and numba.get_num_threads() > 1
        run = soft.parallel_steps if several else soft.steps
        done = run(
            count, grains.t, h, self.gravity, extra, grains.x, grains.v, grains.turned, self.blocks, self.middle,
            self.f, grains.material, lists.slabs, lists.first, lists.other, lists.pair_memory, self.held,
            lists.wall_first, lists.wall_element, lists.wall_memory, self.wall_held, lists.built_at, elements.kind,
            elements.data, elements.home, elements.motion, elements.address, elements.material, self.laws.hertz,
            self.table, 0.5 * lists.skin, elements.reach, lists.extent, lists.built_t, self.sums, self.moves,
            self.scratch, self.shifts, self.totals)
        self.last_step = h
        lists.steps += abs(done)
        grains.t += abs(done) * h
        place(elements.home, elements.motion, elements.kind, grains.t, elements.data)
        if done < 0:
            lists.renew(STEPS)
        return abs(done)

    def contacts(self, h: float) -> Contacts:
        """Contacts as they are now, with the forces of their springs and dashpots."""
        return self._look()[0]

    def stored(self) -> float:
        """What normal, tangential and rolling springs of all contacts hold now [J]."""
        return float(np.sum(self._look()[1]))

    def _look(self) -> tuple[Contacts, Floats]:
        """Contacts as they are now, and the energies of their springs [J]."""
        lists, grains, elements = self.lists, self.lists.grains, self.lists.elements
        most = len(lists.other) + len(lists.wall_element)
        pair, normal, force = np.zeros((most, 2), np.int32), np.zeros((most, 3)), np.zeros((most, 3))
        energy = np.zeros(most)
        count = soft.look_at_contacts(
            grains.x, grains.v, grains.material, lists.first, lists.other, lists.pair_memory, lists.wall_first,
            lists.wall_element, lists.wall_memory, elements.kind, elements.data, elements.address, elements.material,
            self.laws.hertz, self.table, 0.5 * self.last_step, np.zeros(OUT), np.zeros((1, WIDTH)),
            np.zeros(soft.SUMS), pair, normal, force, energy)
        return Contacts(pair[:count], normal[:count], force[:count]), energy[:count]


def make_soft(scene: Scene, lists: Lists, tables: Tables, gravity: Floats) -> Soft:
    """The solver of a scene."""
    return Soft(lists, tables, compile_laws(list(scene.material.values()), tables, scene.run.contact_law), gravity)
