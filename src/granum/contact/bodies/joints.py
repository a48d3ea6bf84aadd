"""Joints and loads on bodies among grains, in a run."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from granum.assembly.held_bodies import HeldBodies
from granum.base.kernels import Floats, Ints
from granum.base.pointers import call, pack_block
from granum.contact.bodies import jointed
from granum.grains.aggregates.parts import Parts
from granum.loads.commanded import gains
from granum.loads.expressed import express
from granum.loads.load import ONE, TWO, BodyLoad
from granum.loads.measured import ANGLE
from granum.loads.registry import with_kernels, without_kernels
from granum.loads.tables import load_tables
from granum.loads.torsion import counter
from granum.model.actuators import PositionServo, VelocityServo
from granum.model.loads import Force, Spring, TorsionSpring, agent_names, damper
from granum.rows import tables
from granum.rows.body import Body
from granum.rows.elimination import factor, make_elimination
from granum.rows.independence import DEPENDENT, choose, metric
from granum.rows.reactions import JointReactions
from granum.rows.redundancy import find_redundancy
from granum.state.table import DERIVED, IM, INVERSE_IN_BODY, ROTATION, BodyTable, matrix_of


class Joints:
    """Joints and loads on bodies of a scene of grains in a run; what it adds up is in `sums`."""

    def __init__(self, assembled: HeldBodies, parts: Parts) -> None:
        """Prepare to run with the joints and loads of an assembly."""
        self.scene, self.dimension, self.assembly = assembled.scene, assembled.dimension, assembled.connected
        self.load_names, self.drive_names, self._held = assembled.load_names, assembled.drive_names, assembled.held
        dimension = self.dimension
        self.expressed = express(without_kernels(self.assembly.loads), self.assembly.rows.bodies, dimension == 2)
        """Loads without a kernel, and actuators."""
        counters = [counter(joint, dimension == 2) for joint in self.expressed.counted]
        loads = [*self.assembly.loads, *counters]
        turns = 0 if dimension == 2 else sum(load.joint is not None for load in with_kernels(loads))
        self.rows = self.assembly.rows.copy(turns)
        self.numbers = np.array([held.number for held in self._held.values()], np.int64)
        n, m, own = len(self.numbers), self.rows.row_count, self.rows.tables
        self._elimination = make_elimination(n, own.ends, own.which[:, tables.JOINT].copy(), False,
                                             metric(self.rows.bodies, self.rows.joints, dimension == 2))
        which, tabled = self._which(loads), load_tables(loads, n, dimension == 3, self.expressed)
        first, thrusting = jointed.SUMS + len(which) + len(self.drive_names), self._booked()
        impulse, begin, moved, close, after, off, right = np.zeros((7, m))
        self._numbered = jointed.Jointed(
            own, own.bodies, own.body_block, tabled, self._elimination, np.arange(n), which, np.zeros((len(which), 12)),
            impulse, np.zeros(len(impulse)), begin, moved, close, after, off, right,
            np.concatenate([self.assembly.y, np.zeros(turns)]),
            np.zeros(first + len(self.expressed.works) + len(self.expressed.stores)),
            np.zeros(len(which) + len(self.expressed.stores)), np.zeros((len(thrusting), 6)), first + thrusting)
        """With bodies in the order of the assembly, for what is asked between steps."""
        self.jointed = self._numbered._replace(
            tables=own._replace(ends=own.ends.copy()), held=np.zeros(n, np.int64), which=which.copy(),
            loads=tabled._replace(load=tabled.load.copy(), expressed_body=tabled.expressed_body.copy(),
                                  reading=tabled.reading.copy()))
        """With bodies by their rows in the table of all, for steps."""
        self._first_stored = self.stored(parts)

    @property
    def names(self) -> list[str]:
        """Names of the joints."""
        return [joint.name for joint in self.rows.joints]

    @property
    def any(self) -> bool:
        """Is there a joint or a load?"""
        return bool(len(self.numbers))

    @property
    def lengths(self) -> dict[str, float]:
        """Lengths of the links by name [m]."""
        return {joint.name: joint.length for joint in self.rows.joints if joint.length is not None}

    def _which(self, listed: list[BodyLoad]) -> Ints:
        """Row of each load in its table, and the bodies it acts on."""
        ground, rows = len(self.numbers), {load.name: k for k, load in enumerate(with_kernels(listed))}
        loads = {load.name: load for load in listed}
        ends = [[end.body.index % (ground + 1) for end in loads[name].ends] for name in self.load_names]
        return np.array([[rows[name], *own, *[ground] * (2 - len(own))]
                         for name, own in zip(self.load_names, ends, strict=True)], np.int64).reshape(-1, 3)

    def _booked(self) -> Ints:
        """Entry of the sums, behind those of kernels and drives, for the work of each force of a load by its formula:
        what has no potential energy first.
        """
        own = self.expressed
        loads = [load.name for load in without_kernels(self.assembly.loads)]
        return np.array([agent if agent >= 0 else len(own.works) + own.stores.index(loads[owner])
                         for agent, owner in zip(own.agents, own.owners, strict=True)], np.int64)

    # ---- running

    def _rows(self, parts: Parts) -> Ints:
        """Rows of the held bodies, which are sorted whenever lists are made."""
        order = np.argsort(parts.bodies.number, kind="stable")
        at = np.searchsorted(parts.bodies.number[order], self.numbers)
        rows: Ints = order[at] if len(at) else at
        return rows

    def calls(self, parts: Parts, state: Any, pose: Floats) -> jointed.JointCalls:
        """What the loop of steps takes, for the bodies as it has them.

        pose: of the bodies of `state` and, in the last row, of the ground.
        """
        own, numbered, numbers = self.jointed, self._numbered, np.zeros(jointed.NUMBERS)
        if self.any:
            rows = np.append(self._rows(parts), len(pose) - 1)
            own.held[:], own.tables.ends[:] = rows[:-1], rows[numbered.tables.ends]
            own.which[:, jointed.FIRST_BODY :] = rows[numbered.which[:, jointed.FIRST_BODY :]]
            own.loads.load[:, [ONE, TWO]] = rows[numbered.loads.load[:, [ONE, TWO]].astype(np.int64)]
            own.loads.expressed_body[:] = rows[numbered.loads.expressed_body]
            own.loads.reading[:] = rows[:-1]
            derived = np.zeros((len(pose), DERIVED))
            derived[-1, ROTATION : ROTATION + 9] = np.eye(3).ravel()
            begin = BodyTable(pose, state.before, state.inertia, derived)
            middle = begin._replace(pose=np.zeros_like(pose))
            own = self.jointed = own._replace(tables=own.tables._replace(bodies=begin, body_block=pack_block(begin)),
                                              middle=middle, middle_block=pack_block(middle))
        return jointed.joint_calls(jointed.Moving(
            own, state.v, state.shift, state.contact_count, state.changed, numbers))

    def name_of(self, number: int) -> str | None:
        """Name of a held body by its number."""
        return next((name for name, held in self._held.items() if held.number == number), None)

    def joints_of(self, name: str) -> list[str]:
        """Joints and loads that hold a body."""
        return sorted({joint.place for joint in self.rows.joints
                       if name in (joint.one.body.name, joint.two.body.name)})

    def checkpoint(self) -> Floats:
        """Numbers that a resumed run needs: work, other sums, and the turns that angles are in."""
        own = self.jointed
        return np.concatenate([own.sums, np.zeros(len(self.numbers) + 1), own.y, own.impulse])

    def restore(self, checkpoint: Floats) -> None:
        """Go on with them. Earlier versions had angles of the bodies behind the sums, which follow from their poses."""
        own = self.jointed
        for array in (own.sums, np.zeros(len(self.numbers) + 1), own.y, own.impulse):
            array[:] = checkpoint[: len(array)]
            checkpoint = checkpoint[len(array) :]

    def restore_impulses(self, checkpoint: Floats) -> None:
        """Restore the multipliers of the last step alone: work counts from the start, angles are those of the start."""
        self.jointed.impulse[:] = checkpoint[len(checkpoint) - len(self.jointed.impulse) :]

    def stored(self, parts: Parts) -> Floats:
        """(loads,): what each spring holds now [J]."""
        bodies, numbers, unused = self.rows.tables.bodies, np.zeros(jointed.NUMBERS), np.zeros(0, np.int32)
        if self.any:
            rows = self._rows(parts)
            bodies.pose[:-1], bodies.motion[:-1] = parts.bodies.pose[rows], parts.bodies.motion[rows]
            numbers[jointed.PHASE] = jointed.STORE
            call(jointed.program, 0.0, numbers, numbers, pack_block(jointed.Moving(
                self._numbered, bodies.motion, bodies.motion, unused, unused, numbers)))
        return self.jointed.stored.copy()

    def work(self, parts: Parts) -> dict[str, float]:
        """Work since the start of each load, each damper and each drive [J]."""
        found, loads = {}, {load.name: load for load in self.assembly.loads if load.section == "load"}
        sums, given = self.jointed.sums[jointed.SUMS :].tolist(), (self._first_stored - self.stored(parts)).tolist()
        for name, done in zip(self.load_names, sums, strict=False):
            load = loads[name]
            released, elastic = given.pop(0), load.stores and not isinstance(load.entry, Force)
            found[name] = released if elastic else done
            if elastic and load.damping > 0.0:
                found[damper(name)] = done
        found |= dict(zip(self.drive_names, sums[len(self.load_names) :], strict=False))
        works, stores = self.expressed.works, self.expressed.stores
        names = agent_names([*(("load", name) for name in (*found, *stores)), *works])[len(found) + len(stores) :]
        by_formula = sums[len(sums) - len(works) - len(stores) :]
        found |= dict(zip(names, by_formula, strict=False))
        for name, done, released in zip(stores, by_formula[len(works) :], given, strict=True):
            found[name] = released
            if damper(name) in found:
                found[damper(name)] = done - released
        return found

    @property
    def reaction_names(self) -> tuple[str, ...]:
        """Names of all reactions."""
        return self._reactions.names

    @cached_property
    def _reactions(self) -> JointReactions:
        return JointReactions(self.rows, self.assembly.rows.length())

    def reaction_values(self, h: float) -> tuple[Floats, Floats]:
        """Reactions by `reaction_names`, as means over the last step, and whether the joints determine them."""
        redundant = bool(self.jointed.sums[jointed.DROPPED])
        return self._reactions.settled(self.jointed.impulse / h, (
            lambda: find_redundancy(self.rows, self._elimination)) if redundant else None)

    def errors(self) -> tuple[float, float]:
        """The largest error of a distance [m] and of an angle [rad] of the joints since this was asked last."""
        sums = self.jointed.sums
        found = float(sums[jointed.OFF]), float(sums[jointed.TURNED])
        sums[[jointed.OFF, jointed.TURNED]] = 0.0
        return found

    @cached_property
    def redundant(self) -> list[str]:
        """Which joints restrain the same motion at the start, in words."""
        if not self.names:
            return []
        own = self.rows.tables
        self.rows.configure(self.jointed.y)
        args = own.bodies.motion, own.ends, own.rows, own.which, self.rows.half, self._elimination
        choose(*args, DEPENDENT)
        factor(*args)
        return find_redundancy(self.rows, self._elimination).summary_lines()

    def stable_step(self) -> float:
        """The longest step that springs and dampers bear: 1/√(k w) and 1/(c w), w what a unit impulse gives [s]."""
        steps = [np.inf]
        for load in self.assembly.loads:
            if isinstance(load.entry, Spring | TorsionSpring):
                whole = isinstance(load.entry, TorsionSpring)
                w = sum(self._rotates(end.body) if whole else self._yields(end.body, end.arm) for end in load.ends)
                steps += _stable(load.entry.stiffness * w, load.entry.damping * w)
        for load in self.assembly.loads:
            if load.joint is None and isinstance(load.entry, PositionServo | VelocityServo):
                w, entry = self._yields(load.ends[0].body, load.ends[0].arm), load.entry
                steps += _stable(entry.stiffness * w, entry.damping * w) if isinstance(
                    entry, PositionServo) else _stable(0.0, entry.gain * w)
            if load.joint is not None and load.efforts:
                whole = load.joint.measured == ANGLE
                w = sum(self._rotates(end.body) if whole else self._yields(end.body, end.arm) for end in load.ends)
                stiffness, damping = gains(load)
                steps += _stable(stiffness * w, damping * w)
        return float(min(steps))

    def _rotates(self, body: Body) -> float:
        """The largest angular velocity that a unit angular impulse gives [1/(kg m²)]."""
        inverse = matrix_of(self.rows.tables.bodies.inertia[body.index, INVERSE_IN_BODY:])
        return float(np.linalg.eigvalsh(inverse)[-1])

    def _yields(self, body: Body, arm: Floats) -> float:
        """The largest velocity that a unit impulse at a point gives it [1/kg]."""
        if body.kind == "ground":
            return 0.0
        return float(self.rows.tables.bodies.motion[body.index, IM]) + self._rotates(body) * float(arm @ arm)


def _stable(stiffness: float, damping: float) -> list[float]:
    """Steps that a spring and a damper bear, from k w and c w [s]."""
    return [*([1.0 / np.sqrt(stiffness)] if stiffness > 0.0 else []), *([1.0 / damping] if damping > 0.0 else [])]
