"""The solver `moreau` for bodies of several parts: rigid steps, their lists, ledger and statistics."""

from __future__ import annotations

import numba
import numpy as np

from granum.base.kernels import Floats
from granum.grains.assembled import contacts, jointed, stepping
from granum.grains.assembled.arrays import BodyArrays, Coefficients, PartArrays, Walls, Workspace
from granum.grains.assembled.joints import Joints
from granum.grains.assembled.parts import Parts
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

    def __init__(self, scene: Scene, lists: Lists, tables: Tables, gravity: Floats, joints: Joints) -> None:
        self.joints = joints
        self.lists, self.gravity, self.sweeps = lists, gravity, scene.run.sweeps
        self.table = Coefficients(tables.friction, tables.restitution, tables.rolling)
        self._g = float(np.linalg.norm(gravity))
        self.rolls = bool(np.any(tables.rolling))
        self.totals = np.zeros(TOTALS)

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
        self.bodies = BodyArrays(
            own.pose, motion, own.inertia, np.zeros((len(motion), 12)), np.zeros((len(motion), 8)),
            np.zeros(len(motion), np.bool_), parts.first, slabs.astype(np.int64))
        self.near = PartArrays(
            parts.x, parts.v, parts.arm, parts.body, parts.material, lists.slabs, lists.first, lists.other,
            lists.pair_memory, lists.wall_first, lists.wall_element, lists.wall_memory, lists.built_at)
        self.walls = Walls(
            elements.kind, elements.data, elements.home, elements.motion, elements.address, elements.material,
            elements.row, elements.own, elements.span, lists.built_pose, elements.reach, np.zeros(elements.count))
        count, most = len(lists.slabs) - 1, pairs + walls
        self.space = Workspace(
            np.zeros(most, np.int32), np.zeros(most, np.int32), np.zeros(most, np.int32),
            np.zeros((most, contacts.WIDTH)), np.zeros((most, contacts.RARE)), np.zeros(count, np.int64),
            np.zeros((count, SUMS)), np.zeros((count, 4)), np.zeros((count, OUT)))
        self.joints.place(parts)
        self.after = np.zeros((parts.count, 3))
        self._made = lists.made

    def begin(self, h: float) -> None:
        """Find the impulses that hold closed contacts at the start: a step in place with many sweeps."""
        parts, sweeps, totals, sums = self.parts, self.sweeps, self.totals.copy(), self.joints.jointed.sums.copy()
        self.sweeps = max(sweeps, min(5000, FIRST_SWEEPS // (parts.count + 1)))
        pose, motion = parts.bodies.pose.copy(), parts.bodies.motion.copy()
        self._run(1, h, np.zeros((0, 3)))
        parts.bodies.pose[:], parts.bodies.motion[:] = pose, motion
        parts.follow()
        self.sweeps, self.totals, self.joints.jointed.sums[: jointed.DROPPED] = sweeps, totals, sums[: jointed.DROPPED]
        self.joints.jointed.sums[jointed.SUMS :] = sums[jointed.SUMS :]

    def advance(self, count: int, h: float, extra: Floats) -> int:
        """Make up to `count` steps; the lists are renewed when they must be. Returns how many were made."""
        done = self._run(count, h, extra)
        self.lists.steps += abs(done)
        self.lists.grains.t += abs(done) * h
        self.parts.follow()
        if done < 0:
            self.lists.renew()
        return abs(done)

    def memory(self) -> Floats:
        """Totals, and what joints add up."""
        return np.concatenate([self.totals, self.joints.memory()])

    def recall(self, memory: Floats) -> None:
        """Take them up again."""
        self.totals[:] = memory[:TOTALS]
        self.joints.recall(memory[TOTALS:])

    def statistics(self) -> dict[str, float]:
        """With the largest errors of joints."""
        found = super().statistics()
        if self.joints.names:
            found["joint_error"], found["joint_turn"] = self.joints.errors()
        return found

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
            count, parts.t, h, ratio, self.gravity, extra, self.after, self.bodies, self.near, self.walls,
            self.joints.jointed, self.table, self.space, self.rolls, self.sweeps, self._g * h,
            0.5 * (lists.skin - NEAR * smallest), lists.extent, lists.built_t, self.totals)
