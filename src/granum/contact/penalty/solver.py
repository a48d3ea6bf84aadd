"""The solver `soft`: spring-dashpot steps of grains, their lists, ledger and statistics."""

from __future__ import annotations

import numba
import numpy as np

from granum.base.kernels import Floats
from granum.contact.penalty import stepping
from granum.contact.penalty.coefficients import SoftContact, compile_soft_contact
from granum.contact.penalty.contacts import Sample, sample_contacts
from granum.contact.penalty.forces import PAIRING, SLAB_SUMS, Law
from granum.contact.penalty.stepping import SLAB_MOVES, Boundaries, Loads, Neighbours, State, Workspace
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

    solves_contact = False  # forces follow from overlaps: there is no problem to solve, and no residual

    def __init__(self, lists: Lists, tables: Tables, contact: SoftContact, gravity: Floats) -> None:
        self.lists, self.tables, self.contact, self.gravity = lists, tables, contact, gravity
        pairings = np.zeros(tables.friction.shape, PAIRING)
        for name, values in (("stiffness", contact.stiffness), ("shear", contact.shear), ("damping", contact.damping),
                             ("friction", tables.friction), ("rolling", tables.rolling)):
            pairings[name] = values
        self._law = Law(contact.law.code, contact.law.address, pairings)
        self.totals = np.zeros(stepping.TOTALS)

    def _allot(self) -> None:
        """Named groups of arrays for the grains and contacts of the lists as they are now."""
        lists, grains, elements = self.lists, self.lists.grains, self.lists.elements
        slabs = len(lists.slabs) - 1
        self._state = State(grains.x, grains.v, grains.material, grains.turned, new_blocks(lists.slabs, grains.turned))
        self._neighbours = Neighbours(
            lists.slabs, lists.first, lists.other, lists.pair_memory, np.any(lists.pair_memory != 0.0, axis=1),
            lists.wall_first, lists.wall_element, lists.wall_memory, np.any(lists.wall_memory != 0.0, axis=1),
            lists.built_at, lists.built_t, 0.5 * lists.skin, lists.extent)
        self._boundaries = Boundaries(elements.kind, elements.data, elements.home, elements.motion, elements.address,
                                      elements.material, elements.reach)
        self._workspace = Workspace(
            np.zeros((grains.count, 4)), np.zeros((grains.count, 8)), np.zeros(slabs, SLAB_SUMS),
            np.zeros(slabs, SLAB_MOVES), np.zeros((slabs, OUT)), np.zeros(elements.count))
        self._made = lists.made

    def advance(self, count: int, h: float, extra: Floats) -> int:
        """Make up to `count` steps; the lists are renewed when they must be. Returns how many were made."""
        lists, grains, elements = self.lists, self.lists.grains, self.lists.elements
        if self._made != lists.made:
            self._allot()
        several = grains.count >= PARALLEL_GRAINS and len(lists.slabs) > 2 and numba.get_num_threads() > 1
        run = stepping.parallel_steps if several else stepping.steps
        done = run(count, grains.t, h, self._state, self._neighbours, self._boundaries, self._law,
                   Loads(self.gravity, extra), self._workspace, self.totals)
        self.last_step = h
        lists.steps += abs(done)
        grains.t += abs(done) * h
        place(elements.home, elements.motion, elements.kind, grains.t, elements.data)
        if done < 0:
            lists.renew(STEPS)
        return abs(done)

    def contacts(self, h: float) -> Contacts:
        """Contacts as they are now, with the forces of their springs and dashpots."""
        return self._sample()[0]

    def stored(self) -> float:
        """What normal, tangential and rolling springs of all contacts hold now [J]."""
        return float(np.sum(self._sample()[1]))

    def _sample(self) -> tuple[Contacts, Floats]:
        """Contacts as they are now, and the energies of their springs [J]."""
        if self._made != self.lists.made:
            self._allot()
        most = len(self.lists.other) + len(self.lists.wall_element)
        sample = Sample(np.zeros((most, 2), np.int32), np.zeros((most, 3)), np.zeros((most, 3)), np.zeros(most),
                        np.zeros((1, WIDTH)), np.zeros(OUT))
        count = sample_contacts(self._state, self._neighbours, self._boundaries, self._law, 0.5 * self.last_step,
                                sample)
        return Contacts(sample.pair[:count], sample.normal[:count], sample.force[:count]), sample.energy[:count]


def make_soft(scene: Scene, lists: Lists, tables: Tables, gravity: Floats) -> Soft:
    """The solver of a scene."""
    contact = compile_soft_contact(list(scene.material.values()), tables, scene.run.contact_law)
    return Soft(lists, tables, contact, gravity)
