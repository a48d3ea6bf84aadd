"""Joints and loads on bodies among grains: the held bodies as an assembly, with masses and poses from the packing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from granum.algebra.expression import free_symbols
from granum.algebra.parse import parse_equation
from granum.assembly.assembler import Assembler
from granum.assembly.assembly import finish, start_of
from granum.assembly.initial_bodies import start_body
from granum.assembly.loops import axis_now
from granum.base.errors import GranumError, Problem, SceneError, did_you_mean
from granum.base.kernels import Floats, Ints
from granum.base.pointers import call, pack_block
from granum.contact.bodies import jointed
from granum.grains.aggregates.parts import Parts
from granum.grains.generation.finder import texts
from granum.grains.generation.generate import Names
from granum.grains.orientation import from_angle
from granum.loads.commanded import formulas_of, gains
from granum.loads.expressed import express
from granum.loads.load import ONE, TWO, BodyLoad
from granum.loads.measured import ANGLE
from granum.loads.registry import KINDS as LOADS
from granum.loads.registry import with_kernels, without_kernels
from granum.loads.tables import load_tables
from granum.loads.torsion import counter
from granum.model.actuators import AppliedForces, PositionServo, VelocityServo
from granum.model.body_entries import FixedPoint, PointMass
from granum.model.loads import Force, Gravity, Load, Spring, TorsionSpring, agent_names, damper
from granum.model.scene import Scene
from granum.model.start import Start
from granum.rows import tables
from granum.rows.body import Body
from granum.rows.elimination import factor, make_elimination
from granum.rows.independence import DEPENDENT, choose, metric
from granum.rows.joint import refuse_thin
from granum.rows.reactions import JointReactions
from granum.rows.redundancy import find_redundancy
from granum.rows.system import symbol_name
from granum.state.rotation import world_inertia
from granum.state.table import (
    DERIVED,
    DOUBLE_TURNS,
    IM,
    INVERSE_IN_BODY,
    KM,
    QA,
    ROTATION,
    WX,
    WZ,
    BodyTable,
    Z,
    matrix_of,
)

POINTS = ("between", "on", "body")
"""Keys of an entry whose values are points of bodies."""


class Held(NamedTuple):
    """A body that joints or loads hold."""

    number: int
    """Never given twice in a run."""
    row: int
    """Its row at the start."""


def body_loads(scene: Scene) -> dict[str, Load]:
    """Loads on single bodies and between them."""
    return {name: load for name, load in scene.load.items() if type(load) in LOADS and not isinstance(load, Gravity)}


class JointAssembly:
    """Bodies of a scene of grains that joints and loads hold, as an assembly: made once, and shared by its runs."""

    def __init__(self, scene: Scene, parts: Parts, dimension: int, start: Mapping[str, Start], fitting: bool = False,
                 axes: Mapping[str, Floats] | None = None, known_only: bool = False) -> None:
        """Assemble the held bodies, and put them into the packing where they start.

        Args:
            parts: bodies of the scene, with masses and with the poses that are given.
            start: what is given of their start, by name.
            fitting: are the bodies where joints of an earlier run have left them, and stay there?
            axes: of joints that bodies have carried along since the scene gave them, by name.
            known_only: leave out joints of grains that are not placed yet, drives and loads.
        """
        self.scene, self.dimension, self._start, self._known_only = scene, dimension, start, known_only
        loads_on_bodies = body_loads(scene)
        self.load_names = tuple(name for name, load in loads_on_bodies.items() if LOADS[type(load)].kernel is not None)
        """Loads with a kernel."""
        self.held = self._find(parts)
        bodies = {name: self._body(parts, name, index) for index, name in enumerate(self.held)}
        self.assembly = finish(Assembler(scene, bodies, axes, known_only=known_only, start=start),
                               tuple(loads_on_bodies), fitting)
        self.drive_names = tuple(joint.name for joint in self.assembly.rows.joints if joint.driven)
        self._refuse_rolling()
        self._refuse_thin()
        if self.held and not fitting:
            self._enter_start(parts)

    def carried_axes(self) -> dict[str, Floats]:
        """Axes of the joints as the bodies have them at the start, by name."""
        rows = self.assembly.rows.copy()
        rows.configure(self.assembly.y)
        return {joint.name: axis_now(rows, joint) for joint in rows.joints if joint.axis is not None}

    def poses(self) -> dict[str, Start]:
        """The given start of each body with the position and orientation that the joints leave it."""
        key = "angle" if self.dimension == 2 else "orientation"
        found = {body.name: start_of(body, self.dimension) for body in self.assembly.rows.bodies}
        return {**self._start, **{name: self._start.get(name, Start()).model_copy(update={
            "position": own.position, key: getattr(own, key), "guess": ()}) for name, own in found.items()}}

    def _ends(self) -> list[tuple[str, str]]:
        """All names of points that something is attached to, with their places in the scene."""
        found = [(f"link.{name}.between", end) for name, link in self.scene.link.items() for end in link.between]
        for name, entry in self.scene.constraint.items():
            found += [(f"constraint.{name}.between", end) for end in self._named_points(entry)]
        for section, entries in (("load", body_loads(self.scene)), ("actuator", self.scene.actuator)):
            found += [(f"{section}.{name}", point) for name, entry in entries.items()
                      for point in self._named_points(entry)]
        return found

    def _named_points(self, entry: Any) -> list[str]:
        """Points that a joint, load or actuator is attached to, and bodies that its formulas name."""
        if isinstance(entry, AppliedForces):
            return [name for name, body in self.scene.body.items() if not isinstance(body, FixedPoint)]
        points = [point for key in POINTS for point in texts(getattr(entry, key, None))]
        others = [text for key in type(entry).model_fields if key not in POINTS for text in texts(getattr(entry, key))]
        named = {symbol_name(name): name for name in self.scene.body}
        formulas = [name for text in formulas_of(entry) if isinstance(text, str)
                    for name in free_symbols([parse_equation(text)])]
        return [*points, *(text for text in others if text.partition(".")[0] in self.scene.body),
                *(named[owner] for text in formulas if (owner := text.partition(".")[0]) in named)]

    def _find(self, parts: Parts) -> dict[str, Held]:
        """Bodies that joints and loads name, by name."""
        found: dict[str, Held] = {}
        problems = []
        names, rows = Names(self.scene, parts), {int(number): row for row, number in enumerate(parts.bodies.number)}
        for place, end in self._ends():
            name = end.partition(".")[0]
            if isinstance(self.scene.body.get(name), FixedPoint):
                continue
            if (number := names.number(name)) is not None:
                found.setdefault(name, Held(number, rows[number]))
            elif self._known_only and name.rpartition("-")[0] in self.scene.pattern:
                continue
            elif name.rpartition("-")[0] in self.scene.source:
                problems.append(Problem(place, f'"{name}" comes from a source, whose grains enter and leave during the '
                                               "run.",
                                        "Give a body, or a grain of a pattern, which exists from the start."))
            else:
                known = [*self.scene.body, *(f"{pattern}-1" for pattern in self.scene.pattern)]
                problems.append(Problem(place, f'there is no body "{name}".', did_you_mean(name, known, "body")))
        if problems:
            raise SceneError(problems)
        return found

    def _body(self, parts: Parts, name: str, index: int) -> Body:
        """A held body: mass, inertia and pose of the packing, points and start of the scene."""
        own, row = parts.bodies, self.held[name].row
        inertia = np.zeros((3, 3))
        for k, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))):
            inertia[i, j] = inertia[j, i] = own.inertia[row, k]
        body = Body(name, "rigid", index, self.scene.body.get(name), float(own.mass[row]), inertia)
        given = self._start.get(name, Start())
        position: Any = tuple(own.pose[row, : self.dimension].tolist())
        if body.entry is None:  # a grain of a pattern
            rotation = {"angle": float(own.angle[row])} if self.dimension == 2 else {
                "orientation": tuple(own.pose[row, QA:].tolist())}
            start = Start(position=position, velocity=tuple(own.motion[row, : self.dimension].tolist()), **rotation)
        else:
            start = given if given.position is None else given.model_copy(update={"position": position})
        if isinstance(body.entry, PointMass):
            body.kind, body.inertia = "point", np.zeros((3, 3))
        elif body.entry is not None:
            body.points = body.entry.fixed_points()
        if problems := start_body(body, start, self.dimension):
            raise SceneError(problems)
        return body

    def _refuse_rolling(self) -> None:
        """Refuse joints with rows that are no restraints of positions, such as rolling."""
        if problems := [Problem(joint.place, f"{joint.kind} has rows that hold velocities, or contacts, which is not "
                                             "supported in scenes with grains.", "Remove it.")
                        for joint in self.assembly.joints if any(row.element not in tables.HOLONOMIC
                                                                 for row in joint.rows)]:
            raise SceneError(problems)

    def _refuse_thin(self) -> None:
        """Refuse joints and torques about axes without inertia."""
        problems = []
        for joint in self.assembly.joints if self.dimension == 3 else ():
            try:
                refuse_thin(joint)
            except GranumError as error:
                problems.append(Problem(joint.place, str(error)))
        if problems:
            raise SceneError(problems)

    def _enter_start(self, parts: Parts) -> None:
        """Positions and velocities that fit the joints, into the packing."""
        bodies, d = parts.bodies, self.dimension
        for body in self.assembly.rows.bodies:
            row = self.held[body.name].row
            assert body.position is not None
            bodies.pose[row, :d], bodies.motion[row, :d] = body.position[:d], body.velocity[:d]
            if d == 2:
                quaternion, turns = from_angle(np.array([body.angle]))
                bodies.pose[row, QA:], bodies.motion[row, DOUBLE_TURNS] = quaternion[0], turns[0]
                bodies.motion[row, WZ] = body.angular_velocity[Z]
            else:
                bodies.pose[row, QA:], bodies.motion[row, WX:KM] = body.quaternion, body.angular_velocity
        world_inertia(bodies.pose, bodies.inertia, bodies.motion)
        parts.follow()


class Joints:
    """Joints and loads on bodies of a scene of grains in a run; what it adds up is in `sums`."""

    def __init__(self, assembled: JointAssembly, parts: Parts) -> None:
        """Prepare to run with the joints and loads of an assembly."""
        self.scene, self.dimension, self.assembly = assembled.scene, assembled.dimension, assembled.assembly
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
            impulse, begin, moved, close, after, off, right, np.concatenate([self.assembly.y, np.zeros(turns)]),
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
