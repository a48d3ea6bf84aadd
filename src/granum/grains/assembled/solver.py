"""The solver `moreau` for bodies of several parts: rigid steps, their lists, ledger and statistics."""

from __future__ import annotations

import numba
import numpy as np

from granum.base.kernels import Floats, Ints
from granum.grains.assembled import contacts, stepping
from granum.grains.assembled.balance import gather, load_parts
from granum.grains.assembled.bonds import Cement, fall_apart
from granum.grains.assembled.parts import Parts
from granum.grains.assembled.sections import Sections
from granum.grains.geometry.surfaces import OUT
from granum.grains.rigid.moreau import NEAR, SUMS
from granum.grains.rigid.solver import FIRST_SWEEPS, PARALLEL_GRAINS
from granum.grains.rigid.stepping import TOTALS
from granum.grains.search.lists import Lists
from granum.grains.solvers import Solver
from granum.grains.state import R
from granum.grains.tables import Tables
from granum.model.scene import Scene


class Assembled(Solver):
    """Advances bodies by rigid steps; contacts of their parts live in `lists`."""

    def __init__(self, scene: Scene, lists: Lists, tables: Tables, gravity: Floats) -> None:
        self.lists, self.gravity, self.sweeps = lists, gravity, scene.run.sweeps
        self.table = stepping.Coefficients(tables.friction, tables.restitution, tables.rolling)
        self._g = float(np.linalg.norm(gravity))
        self.rolls = bool(np.any(tables.rolling))
        self.totals = np.zeros(TOTALS)
        self.sections = Sections([], lists.dimension)
        self.cement = Cement(list(scene.bond.values()), lists.dimension) if scene.bond else None

    def take_up(self, lists: Lists) -> None:
        """Go on with other lists."""
        super().take_up(lists)
        if self.cement is not None:
            self.cement.forget()

    @property
    def parts(self) -> Parts:
        """The grains of the lists, which are parts of bodies."""
        grains = self.lists.grains
        assert isinstance(grains, Parts)
        return grains

    def _allot(self) -> None:
        """Arrays for the contacts of the lists as they are now."""
        lists, parts, elements = self.lists, self.parts, self.lists.elements
        own = parts.bodies
        walls, pairs = len(lists.wall_element), len(lists.other)
        # rows behind the bodies stand for boundaries, one per near boundary: velocity of the surface, no mass
        motion = np.zeros((own.count + walls, 16))
        motion[: own.count] = own.motion
        own.motion = motion[: own.count]
        slabs = np.searchsorted(parts.first, lists.slabs)
        slabs[-1] = own.count
        self.bodies = stepping.BodyArrays(
            own.pose, motion, own.inertia, np.zeros((len(motion), 12)), np.zeros((len(motion), 8)),
            np.zeros(len(motion), np.bool_), parts.first, slabs.astype(np.int64))
        self.near = stepping.PartArrays(
            parts.x, parts.v, parts.arm, parts.body, parts.material, lists.slabs, lists.first, lists.other,
            lists.pair_memory, lists.wall_first, lists.wall_element, lists.wall_memory, lists.built_at)
        self.walls = stepping.Walls(
            elements.kind, elements.data, elements.home, elements.motion, elements.address, elements.material,
            np.full(elements.count, -1), elements.reach, np.zeros(elements.count))
        count, most = len(lists.slabs) - 1, pairs + walls
        self.space = stepping.Workspace(
            np.zeros(most, np.int32), np.zeros(most, np.int32), np.zeros(most, np.int32),
            np.zeros((most, contacts.WIDTH)), np.zeros(count, np.int64), np.zeros((count, SUMS)), np.zeros((count, 4)),
            np.zeros((count, OUT)))
        self.after = np.zeros((parts.count, 3))
        self._made = lists.made

    def begin(self, h: float) -> None:
        """Find the impulses that hold closed contacts at the start: a step in place with many sweeps."""
        parts, sweeps, totals = self.parts, self.sweeps, self.totals.copy()
        self.sweeps = max(sweeps, min(5000, FIRST_SWEEPS // (parts.count + 1)))
        pose, motion = parts.bodies.pose.copy(), parts.bodies.motion.copy()
        self._run(1, h, np.zeros((0, 3)))
        self._cut(h, np.zeros((0, 3)))
        parts.bodies.pose[:], parts.bodies.motion[:] = pose, motion
        parts.follow()
        self.sweeps, self.totals = sweeps, totals

    def advance(self, count: int, h: float, extra: Floats) -> int:
        """Make up to `count` steps; the lists are renewed when they must be. Returns how many were made."""
        lists, parts = self.lists, self.parts
        done = self._run(1 if self._looks else count, h, extra)
        lists.steps += abs(done)
        parts.t += abs(done) * h
        parts.follow()
        self._cut(h, extra)
        torn = self._break(h, extra)
        if len(torn):
            lists.remember()
            fall_apart(parts, parts.bonds, torn, lists.dimension)
            lists.make()
        elif done < 0:
            lists.renew()
        return abs(done)

    @property
    def _looks(self) -> bool:
        """Is there a bond to be looked at after every step?"""
        return self.cement is not None and bool(self.parts.bonds.whole.any())

    def _break(self, h: float, extra: Floats) -> Ints:
        """Break bonds that cannot bear what the last step loads them with; returns rows of bodies that may be torn."""
        parts = self.parts
        if self.cement is None or not self._looks:
            return np.zeros(0, np.int64)
        return self.cement.look(parts, parts.bonds, self.lists.made, *self.loads(h, extra), h)

    def _cut(self, h: float, extra: Floats) -> None:
        """Force and moment across all cuts in the last step."""
        if self.sections.cuts:
            self.sections.look(self.parts, gather(self.near, self.space, h), self.bodies.before, self.bodies.motion,
                               extra, h)

    def loads(self, h: float, extra: Floats) -> tuple[Floats, Floats, Floats]:
        """(parts, 3) each: force, moment about the centre, angular velocity in the last step, all in body axes."""
        force, moment, omega = (np.empty((self.parts.count, 3)) for _ in range(3))
        load_parts(self.near, self.space, self.bodies.before, self.bodies.motion, extra, h, force, moment, omega)
        return force, moment, omega

    def velocities(self) -> Floats:
        """Of the places where loads pushed in the last step, at its end [m/s]."""
        return self.after

    def _run(self, count: int, h: float, extra: Floats) -> int:
        lists, parts = self.lists, self.parts
        if self._made != lists.made:
            self._allot()
        several = parts.count >= PARALLEL_GRAINS and len(lists.slabs) > 2 and numba.get_num_threads() > 1
        run = stepping.parallel_steps if several else stepping.steps
        smallest = float(parts.x[:, R].min()) if parts.count else 0.0
        ratio = h / self.last_step if self.last_step else 1.0
        self.last_step = h
        return run(
            count, parts.t, h, ratio, self.gravity, extra, self.after, self.bodies, self.near, self.walls, self.table,
            self.space, self.rolls, self.sweeps, self._g * h, 0.5 * (lists.skin - NEAR * smallest), lists.extent,
            lists.built_t, self.totals)
