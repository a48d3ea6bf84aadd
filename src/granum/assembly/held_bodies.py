"""Bodies among grains that joints and loads hold: connected, with masses and poses from the packing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np

from granum.algebra.expression import free_symbols
from granum.algebra.parse import parse_equation
from granum.assembly.assembler import Assembler
from granum.assembly.connected import finish, start_of
from granum.assembly.initial_bodies import start_body
from granum.assembly.loops import axis_now
from granum.base.errors import GranumError, Problem, SceneError, did_you_mean
from granum.base.kernels import Floats
from granum.grains.aggregates.parts import Parts
from granum.grains.generation.finder import jointed_bodies, named_grains, texts
from granum.grains.generation.generate import Groups, Names
from granum.grains.orientation import from_angle
from granum.loads.registry import KINDS as LOADS
from granum.model.actuators import AppliedForces
from granum.model.body_entries import FixedPoint, PointMass
from granum.model.loads import Gravity, Load
from granum.model.scene import Scene
from granum.model.start import Start
from granum.rows import tables
from granum.rows.body import Body
from granum.rows.joint import refuse_thin
from granum.rows.system import symbol_name
from granum.state.rotation import world_inertia
from granum.state.table import DOUBLE_TURNS, KM, QA, WX, WZ, Z


class JointedStart:
    """Bodies at the start of a run where joints hold them, before grains are placed around them."""

    def __init__(self, groups: Groups, bodies: Parts, start: Mapping[str, Start], fitting: bool = False) -> None:
        """Join the bodies, unless joints are attached to grains of patterns, which are placed later.

        Args:
            bodies: as they are given; joints move them.
            fitting: are they where joints of an earlier run have left them, and stay there?
        """
        self._groups, self._start, self._fitting = groups, start, fitting
        self._axes: Mapping[str, Floats] | None = None
        self._joints: HeldBodies | None = None
        names = Names(groups.scene, bodies)
        if all(names.number(name) is not None for name in named_grains(groups.scene)):
            self._joints = self._joined(bodies)
        elif self._unplaced():
            known = self._joined(bodies, known_only=True)
            self._start, self._axes = known.poses(), known.carried_axes()

    @property
    def held(self) -> Collection[str]:
        """Bodies whose start the joints have found."""
        return () if self._joints is None else self._joints.held

    def among(self, grains: Parts) -> HeldBodies:
        """The bodies that joints hold, when all grains are placed."""
        return self._joined(grains) if self._joints is None else self._joints

    def _joined(self, parts: Parts, known_only: bool = False) -> HeldBodies:
        fitting = self._fitting and not known_only
        return HeldBodies(self._groups.scene, parts, self._groups.dimension, self._start, fitting, self._axes,
                          known_only)

    def _unplaced(self) -> bool:
        """Is there a body whose position or orientation follows from joints?"""
        scene, key = self._groups.scene, "angle" if self._groups.dimension == 2 else "orientation"
        starts = (self._start.get(name, Start()) for name in jointed_bodies(scene)
                  if name in scene.body and not isinstance(scene.body[name], FixedPoint))
        return any(not (start.holds("position") and start.holds(key)) for start in starts)


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


class HeldBodies:
    """Bodies of a scene of grains that joints and loads hold, connected: made once, and shared by its runs."""

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
        self.connected = finish(Assembler(scene, bodies, axes, known_only=known_only, start=start),
                               tuple(loads_on_bodies), fitting)
        self.drive_names = tuple(joint.name for joint in self.connected.rows.joints if joint.driven)
        self._refuse_rolling()
        self._refuse_thin()
        if self.held and not fitting:
            self._enter_start(parts)

    def carried_axes(self) -> dict[str, Floats]:
        """Axes of the joints as the bodies have them at the start, by name."""
        rows = self.connected.rows.copy()
        rows.configure(self.connected.y)
        return {joint.name: axis_now(rows, joint) for joint in rows.joints if joint.axis is not None}

    def poses(self) -> dict[str, Start]:
        """The given start of each body with the position and orientation that the joints leave it."""
        key = "angle" if self.dimension == 2 else "orientation"
        found = {body.name: start_of(body, self.dimension) for body in self.connected.rows.bodies}
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
        formulas = [name for text in _formulas_of(entry) if isinstance(text, str)
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
                        for joint in self.connected.joints if any(row.element not in tables.HOLONOMIC
                                                                 for row in joint.rows)]:
            raise SceneError(problems)

    def _refuse_thin(self) -> None:
        """Refuse joints and torques about axes without inertia."""
        problems = []
        for joint in self.connected.joints if self.dimension == 3 else ():
            try:
                refuse_thin(joint)
            except GranumError as error:
                problems.append(Problem(joint.place, str(error)))
        if problems:
            raise SceneError(problems)

    def _enter_start(self, parts: Parts) -> None:
        """Positions and velocities that fit the joints, into the packing."""
        bodies, d = parts.bodies, self.dimension
        for body in self.connected.rows.bodies:
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


def _formulas_of(entry: Any) -> list[str]:
    """All formulas of an entry, as the scene has them."""
    keys = ("force", "torque", "tension", "position", "velocity")
    given = [value for key in keys if (value := getattr(entry, key, None)) is not None]
    return [text for value in given for text in (value if isinstance(value, tuple) else (value,))]
