"""The solver `moreau` for bodies of several parts: rigid steps, their neighbours, ledger and statistics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from granum.base.kernels import Flags, Floats, Ints
from granum.contact.bodies import jointed
from granum.contact.bodies.joints import Joints
from granum.contact.bodies.loading import gather, load_parts
from granum.contact.bodies.merging import EVERY, HIT, PAUSE, STILL, Merger, impulses, touching
from granum.contact.nonsmooth import stepping
from granum.contact.nonsmooth.moreau import Moreau
from granum.contact.nonsmooth.rigid_bodies import BODY_CONTACT, Bodies
from granum.contact.totals import IMPACT, TOTALS
from granum.grains.aggregates.bonds import Cement, fall_apart, rows_of
from granum.grains.aggregates.parts import Held, Parts
from granum.grains.aggregates.regrouping import regroup, to_inertial_axes
from granum.grains.search.neighbour_list import NeighbourList, Neighbours
from granum.grains.tables import Tables
from granum.model.scene import Scene
from granum.state.table import AXES, MOTION, POSE, QA, VX, WX, R

TRIES = 500
"""Times that a step is made again because a body came apart; a crack that runs farther does in the next step."""


class Assembled(Moreau):
    """Advances bodies of several parts by rigid steps; contacts of their parts live in the neighbour list."""

    impulses_last = False
    calls_agents = False  # loads push at parts, which follow their bodies after the steps
    loops = (stepping.body_steps, stepping.parallel_body_steps)
    contact_type = BODY_CONTACT

    def __init__(self, scene: Scene, neighbour_list: NeighbourList, tables: Tables, gravity: Floats,
                 joints: Joints) -> None:
        super().__init__(scene, neighbour_list, tables, gravity)
        self.joints, dimension = joints, neighbour_list.dimension
        self.cement = Cement(list(scene.bond.values()), dimension) if scene.bond else None
        self.merger = Merger(tables["friction"], self._g, dimension) if scene.run.merge_clusters else None

    def use(self, neighbour_list: NeighbourList) -> None:
        """Go on with another neighbour list."""
        super().use(neighbour_list)
        for each in (self.cement, self.merger):
            if each is not None:
                each.forget()

    @property
    def parts(self) -> Parts:
        """The grains of the neighbours, which are parts of bodies."""
        grains = self.neighbour_list.grains
        assert isinstance(grains, Parts)
        return grains

    def _new_state(self, near: Neighbours) -> Any:
        """Rows behind the bodies stand for boundaries, one per near boundary: velocity of the surface, no mass.

        The last row is the ground, to which joints hold bodies.
        """
        parts = self.parts
        own = parts.bodies
        rows = own.count + len(near.wall_element) + 1
        v, self._pose = np.zeros((rows, MOTION)), np.zeros((rows, POSE))
        v[: own.count], self._pose[: own.count], self._pose[-1, QA] = own.motion, own.pose, 1.0
        own.motion, own.pose = v[: own.count], self._pose[: own.count]
        slabs = np.searchsorted(parts.first, near.slabs).astype(np.int64)
        slabs[-1] = own.count
        return Bodies(
            slabs, own.pose, v, np.zeros((len(v), 12)), np.zeros((len(v), 8)), np.zeros(len(v), np.int32),
            np.zeros(len(v), np.int32), own.inertia, np.zeros((len(v), 8)), parts.first, parts.x, parts.v,
            parts.arm, parts.body, parts.material, near.built_at, self.neighbour_list.built_pose,
            np.zeros((parts.count, 3)))

    def _allot(self) -> None:
        super()._allot()
        self._joint_calls = self.joints.calls(self.parts, self.state, self._pose)

    def _jointed(self) -> Any:
        return self._joint_calls

    def begin(self, h: float) -> None:
        """With the cuts of bodies, which a step in place loads too."""
        sums = self.joints.jointed.sums.copy()
        super().begin(h)
        self.parts.follow()
        self._cut(h, np.zeros((0, 3)))
        self.joints.jointed.sums[: jointed.DROPPED] = sums[: jointed.DROPPED]
        self.joints.jointed.sums[jointed.SUMS :] = sums[jointed.SUMS :]

    def _keep_state(self) -> Callable[[], None]:
        bodies = self.parts.bodies
        pose, motion = bodies.pose.copy(), bodies.motion.copy()

        def restore() -> None:
            bodies.pose[:], bodies.motion[:] = pose, motion

        return restore

    def advance(self, count: int, h: float, extra: Floats) -> int:
        """Make up to `count` steps; the neighbours are renewed when they must be. Returns how many were made."""
        neighbours, parts = self.neighbour_list, self.parts
        if self.merger is not None:
            self.merger.since += 1
        if self._looks:
            done = self._careful_step(h, extra)
        else:
            done = self._run(1 if self.merger is not None else count, h, extra)
            self.after = self.state.after
        self._note_steps(abs(done), h)
        parts.follow()
        if done < 0:
            neighbours.renew()
        elif self.merger is not None:
            self._merge(h, extra)
        return abs(done)

    def _careful_step(self, h: float, extra: Floats) -> int:
        """One step; where a body cannot bear it, the body comes apart and the step is made again."""
        neighbours, parts, number = self.neighbour_list, self.parts, self.parts.number.copy()
        order = np.argsort(number, kind="stable")
        for tries in range(TRIES):
            self._prepare()
            place = order[np.searchsorted(number, parts.number, sorter=order)]
            state = (parts.bodies.pose, parts.bodies.motion, parts.x, neighbours.near.pair, neighbours.near.wall,
                     self.totals, self.joints.jointed.sums)
            saved = tuple(array.copy() for array in state)
            own = extra[place] if len(extra) else extra
            done = self._run(1, h, own)
            apart, torn = self._held(h, own), self._break(h, own)
            if not (len(apart) or len(torn)) or tries == TRIES - 1:
                break
            for array, value in zip(state, saved, strict=True):
                array[:] = value
            if len(apart):
                self._dissolve(apart, h)
            else:
                neighbours.save_history()
                fall_apart(parts, parts.bonds, torn, neighbours.dimension)
                neighbours.rebuild()
        self._cut(h, own)
        if len(extra):
            self.after = np.empty_like(self.state.after)
            self.after[place] = self.state.after
        return done

    def _held(self, h: float, extra: Floats) -> Ints:
        """Numbers of merged bodies that something hits, or in which a contact would open or slip."""
        parts = self.parts
        if self.merger is None or not len(parts.held.pair):
            return np.zeros(0, np.int64)
        pushed = gather(self.neighbour_list.near, self.problem, self.state.before, h)
        hit = pushed.row[pushed.approach > HIT * self._g * h]
        return self.merger.test(parts, parts.held, self.neighbour_list.version, *self.loads(h, extra), hit)

    def _dissolve(self, numbers: Ints, h: float) -> None:
        """Merged bodies become single grains, whose contacts remember what they held."""
        neighbours, parts, merger = self.neighbour_list, self.parts, self.merger
        assert merger is not None
        neighbours.save_history()
        torn = np.isin(parts.bodies.number, numbers)
        held = parts.held
        out = torn[parts.body[rows_of(parts, held.pair[:, 0])]]
        neighbours.pair_history = neighbours.pair_history.with_more(held.pair[out, 0], held.pair[out, 1],
                                                                    impulses(parts, held, out, h))
        parts.held = Held(held.pair[~out], held.base[~out], held.last[~out])
        rows = np.flatnonzero(torn[parts.body])
        merger.note(parts, numbers, -1.0)
        merger.since = -PAUSE
        regroup(parts, rows, np.arange(len(rows)), neighbours.dimension)
        merger.forget()
        neighbours.rebuild()

    def _merge(self, h: float, extra: Floats) -> None:
        """Look for over-determined clusters of grains at rest, from time to time."""
        neighbours, parts, merger = self.neighbour_list, self.parts, self.merger
        assert merger is not None
        if merger.since < EVERY:
            return
        merger.since = 0
        found = touching(parts, self.neighbour_list.near, self.problem, self.state, h, self._g * h)
        cluster, grown = merger.clusters(parts, parts.held, found, self._still(h))
        label = np.full(parts.count, -1)
        label[cluster[:, 0]] = cluster[:, 1]
        held = None
        if len(cluster):
            force, moment, _ = self.loads(h, extra)
            axes = self.state.before[parts.body, AXES : AXES + 4]
            held = merger.hold(parts, label, found, to_inertial_axes(axes, force), to_inertial_axes(axes, moment))
        if held is not None:
            neighbours.save_history()
            before, kept = parts.kinetic_energy(), parts.held
            rows = np.flatnonzero(label >= 0)
            numbers = parts.number[rows]
            regroup(parts, rows, label[rows], neighbours.dimension)
            # what is lost is the energy of the motion of grains against each other
            self.totals[IMPACT] += parts.kinetic_energy() - before
            pair = np.concatenate([kept.pair, held.pair])
            order = np.lexsort((pair[:, 1], pair[:, 0]))
            parts.held = Held(pair[order], np.concatenate([kept.base, held.base])[order],
                              np.concatenate([kept.last, held.last])[order])
            merger.note(parts, np.unique(parts.bodies.number[parts.body[rows_of(parts, numbers)]]), 1.0)
            merger.forget()
            neighbours.rebuild()
        if len(grown):
            self._dissolve(np.unique(grown), h)

    def _still(self, h: float) -> Flags:
        """Parts of bodies whose velocity did not change in the last step, which turn and which no bond holds."""
        parts, own = self.parts, self.parts.bodies
        limit = STILL * self._g * h
        before = self.state.before[: own.count]
        change = np.linalg.norm(own.motion[:, VX : VX + 3] - before[:, VX : VX + 3], axis=1)
        rotation = np.linalg.norm(own.motion[:, WX : WX + 3] - before[:, WX : WX + 3], axis=1)
        size = np.bincount(parts.body, minlength=own.count)
        merged = np.zeros(own.count, bool)
        merged[parts.body[rows_of(parts, parts.held.pair[:, 0])]] = True
        still = ((change <= limit) & (rotation * own.pose[:, R] <= limit) & ((size == 1) | merged)
                 & (own.inertia[:, 8] > 0.0))
        of_parts: Flags = still[parts.body]
        return of_parts

    def merges(self) -> Floats | None:
        """Log of clusters that merged and came apart."""
        return None if self.merger is None else np.array(self.merger.log).reshape(-1, 3)

    def restore_merges(self, merges: Floats) -> None:
        """Go on with such a log."""
        if self.merger is not None:
            self.merger.log = [(float(t), float(size), float(number)) for t, size, number in merges]

    def checkpoint(self) -> Floats:
        """Totals, what joints add up, and steps since clusters were looked for."""
        since = 0.0 if self.merger is None else self.merger.since
        return np.concatenate([self.totals, self.joints.checkpoint(), [since]])

    def restore(self, checkpoint: Floats) -> None:
        """Go on with them."""
        self.totals[:] = checkpoint[:TOTALS]
        self.joints.restore(checkpoint[TOTALS:-1])
        if self.merger is not None:
            self.merger.since = int(checkpoint[-1])

    def continue_from(self, step: float, checkpoint: Floats) -> None:
        """With the multipliers of joints, and when clusters were looked for last."""
        super().continue_from(step, checkpoint)
        end = TOTALS + len(self.joints.checkpoint())
        self.joints.restore_impulses(checkpoint[TOTALS:end])
        if self.merger is not None:
            self.merger.since = int(checkpoint[end])

    @property
    def _looks(self) -> bool:
        """Is there anything to be looked at after every step: bonds, merged grains, cuts?"""
        parts = self.parts
        return self.sections is not None or len(parts.held.pair) > 0 or bool(parts.bonds.whole.any())

    def _break(self, h: float, extra: Floats) -> Ints:
        """Break bonds that cannot bear what the last step loads them with; returns rows of bodies that may be torn."""
        parts = self.parts
        if self.cement is None or not parts.bonds.whole.any():
            return np.zeros(0, np.int64)
        return self.cement.test(parts, parts.bonds, self.neighbour_list.version, *self.loads(h, extra), h)

    def _cut(self, h: float, extra: Floats) -> None:
        """Force and moment across all cuts in the last step."""
        if self.sections is not None:
            self.sections.sample(self.parts, gather(self.neighbour_list.near, self.problem, self.state.before, h),
                                 self.state.before, self.state.v, extra, h)

    def loads(self, h: float, extra: Floats) -> tuple[Floats, Floats, Floats]:
        """(parts, 3) each: force, moment about the centre, angular velocity in the last step, all in body axes."""
        force, moment, omega = (np.empty((self.parts.count, 3)) for _ in range(3))
        load_parts(self.state, self.neighbour_list.near, self.problem, extra, h, force, moment, omega)
        return force, moment, omega

    def statistics(self) -> dict[str, float]:
        """With the largest errors of joints."""
        values = super().statistics()
        if self.joints.names:
            values["joint_error"], values["joint_turn"] = self.joints.errors()
        return values

    def velocities(self) -> Floats:
        """Of the points where loads pushed in the last step, at its end [m/s]."""
        return self.after
