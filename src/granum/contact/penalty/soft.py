"""The solver `soft`: spring-dashpot steps of grains, their neighbours, ledger and statistics."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from granum.base.kernels import Floats
from granum.contact.contact_solver import Solver
from granum.contact.penalty import stepping
from granum.contact.penalty.coefficients import SoftContact, compile_soft_contact
from granum.contact.penalty.contacts import Sample, sample_contacts
from granum.contact.penalty.forces import SLAB_SUMS, compile_law
from granum.contact.penalty.gathering import State, Workspace
from granum.contact.penalty.laws.law import contact_law
from granum.contact.penalty.stepping import SLAB_MOVES, Loads
from granum.contact.penalty.time_step import stable_step
from granum.contact.steps import StepBasis, StepLimits
from granum.contact.validity import Validity
from granum.grains.geometry.elements import OUT
from granum.grains.geometry.motion import move_elements
from granum.grains.orientation import new_blocks
from granum.grains.search.history import as_numbers, no_slots
from granum.grains.search.neighbour_list import Contacts, NeighbourList
from granum.grains.tables import Tables
from granum.model.scene import Scene

if TYPE_CHECKING:
    from granum.contact.bodies.joints import Joints

STEPS = (80, 250)
"""Steps between new lists below which the skin grows and above which it shrinks; lists cost some ten steps."""


class Soft(Solver):
    """Advances grains by spring-dashpot steps; springs of contacts live in the neighbour list."""

    keys = ("friction", "restitution", "rolling_friction")
    solves_contact = False  # forces follow from overlaps: there is no problem to solve, and no residual

    @classmethod
    def supported_keys(cls, scene: Scene) -> Collection[str]:
        """Those of every law, and of the law of the scene."""
        return (*cls.keys, *contact_law(scene.run.contact_law).keys)

    @classmethod
    def step_limits(cls, basis: StepBasis) -> StepLimits:
        """A part of the duration of a contact."""
        contact = _law(basis.scene, basis.tables)
        return StepLimits(*stable_step(basis.grains, basis.elements, contact, basis.gravity),
                          "the contact duration of the lightest grains")

    @classmethod
    def make(cls, scene: Scene, neighbour_list: NeighbourList, tables: Tables, gravity: Floats,
             joints: Joints | None = None) -> Soft:
        """With the contact law of the scene."""
        return cls(neighbour_list, tables, _law(scene, tables), gravity)

    def __init__(self, neighbour_list: NeighbourList, tables: Tables, contact: SoftContact, gravity: Floats) -> None:
        self.neighbour_list, self.tables, self.contact, self.gravity = neighbour_list, tables, contact, gravity
        self._law = compile_law(contact, tables)
        self.totals = np.zeros(stepping.TOTALS)

    def _allot(self) -> None:
        """Named groups of arrays for the grains and contacts of the neighbour list as it is now."""
        neighbours, near, grains = self.neighbour_list, self.neighbour_list.near, self.neighbour_list.grains
        slabs, orientation = len(near.slabs) - 1, grains.local_orientation
        self._state = State(grains.x, grains.v, grains.material, orientation, new_blocks(near.slabs, orientation))
        self._boundaries = neighbours.elements.arrays()
        self._validity = Validity(0.5 * neighbours.skin, neighbours.built_t, neighbours.extent)
        self._workspace = Workspace(
            np.zeros((grains.count, 4)), np.zeros((grains.count, 8)), np.any(as_numbers(near.pair) != 0.0, axis=1),
            np.any(as_numbers(near.wall) != 0.0, axis=1), np.zeros(slabs, SLAB_SUMS), np.zeros(slabs, SLAB_MOVES),
            np.zeros((slabs, OUT)))

    def advance(self, count: int, h: float, extra: Floats) -> int:
        """Make up to `count` steps; the list is renewed when it must be. Returns how many were made."""
        neighbours, grains, elements = self.neighbour_list, self.neighbour_list.grains, self.neighbour_list.elements
        self._prepare()
        run = stepping.parallel_steps if self._several else stepping.steps
        done = run(count, grains.t, h, self._state, neighbours.near, self._validity, self._boundaries, self._law,
                   Loads(self.gravity, extra), self._workspace, self.totals)
        self._note_steps(abs(done), h)
        move_elements(elements.home, elements.motion, grains.t, elements.now)
        if done < 0:
            neighbours.renew(STEPS)
        return abs(done)

    def contacts(self, h: float) -> Contacts:
        """Contacts as they are now, with the forces of their springs and dashpots."""
        return self._sample()[0]

    def stored(self) -> float:
        """What normal, tangential and rolling springs of all contacts hold now [J]."""
        return float(np.sum(self._sample()[1]))

    def _sample(self) -> tuple[Contacts, Floats]:
        """Contacts as they are now, and the energies of their springs [J]."""
        near = self.neighbour_list.near
        self._prepare()
        most = len(near.other) + len(near.wall_element)
        sample = Sample(np.zeros((most, 2), np.int32), np.zeros((most, 3)), np.zeros((most, 3)), np.zeros(most),
                        no_slots(1), np.zeros(OUT))
        count = sample_contacts(self._state, near, self._boundaries, self._law, 0.5 * self.last_step, sample)
        return Contacts(sample.pair[:count], sample.normal[:count], sample.force[:count]), sample.energy[:count]


def _law(scene: Scene, tables: Tables) -> SoftContact:
    """The contact law of a scene with its coefficients."""
    return compile_soft_contact(tables, scene.run.contact_law)
