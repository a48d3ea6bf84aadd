"""Joints and loads on bodies among grains: which bodies they hold, as tables of `mechanisms`."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from granum.base.errors import Problem, SceneError, did_you_mean
from granum.base.kernels import Floats, Ints
from granum.contact.bodies import jointed
from granum.grains.aggregates.parts import Parts
from granum.grains.making.generate import number_of
from granum.mechanisms import tables
from granum.mechanisms.build import Mechanism, build
from granum.mechanisms.rates import call, evaluation
from granum.mechanisms.redundancy import find_redundancy, least_norm
from granum.mechanisms.start import consistent_start
from granum.model.bodies import FixedPoint, RigidBody
from granum.model.clumps import Clump
from granum.model.connections import BallJoint, Drive, Glue, Hinge, Slider
from granum.model.loads import Force, Load, Spring, Torque, TorsionSpring, damper
from granum.model.scene import Scene
from granum.model.start import Start

HOLDING = (BallJoint, Hinge, Slider, Glue, Drive)
"""Constraints that hold bodies among grains."""
KINDS: dict[type, int] = {Force: jointed.FORCE, Torque: jointed.TORQUE, Spring: jointed.SPRING,
                          TorsionSpring: jointed.TORSION}
"""Loads on bodies, and what kernels call them."""


class Held(NamedTuple):
    """A body that joints or loads hold."""

    number: int
    """Never given twice in a run."""
    row: int
    """Its row at the start."""


def body_loads(scene: Scene) -> dict[str, Load]:
    """Loads on single bodies and between them."""
    return {name: load for name, load in scene.load.items() if isinstance(load, tuple(KINDS))}


class Joints:
    """Joints and loads on bodies of a scene of grains; what it adds up is in `sums`."""

    def __init__(self, scene: Scene, parts: Parts, dimension: int, fitting: bool = False) -> None:
        """Compile the joints of a scene.

        Args:
            fitting: are the bodies where joints of an earlier run have left them, and stay there?
        """
        self.scene, self.dimension = scene, dimension
        self.load_names = tuple(body_loads(scene))
        self.drive_names = tuple(name for name, entry in scene.constraint.items() if isinstance(entry, Drive))
        self._held = self._find(parts)
        self.mechanism: Mechanism = build(self._own_scene(parts))
        self.numbers = np.array([self._held[place.name].number for place in self.mechanism.places], np.int64)
        if len(self.numbers):
            self._start(parts, fitting)
        model, n, m = self.mechanism.model, len(self.numbers), self.mechanism.row_count
        which = self._which()
        impulse, begin, moved, close, after, off, right = np.zeros((7, m))
        self.jointed = jointed.Jointed(
            model.tables, model.loads, model.elimination, np.zeros(n, np.int64), which, np.zeros((len(which), 12)),
            impulse, begin, moved, close, after, off, right, self.mechanism.y.copy(),
            np.zeros(jointed.SUMS + len(which) + len(self.drive_names)))
        self.place(parts)
        self._first_stored = self.stored(parts)

    @property
    def names(self) -> list[str]:
        """Names of the joints."""
        return [joint.name for joint in self.mechanism.joints]

    @property
    def any(self) -> bool:
        """Is there a joint or a load?"""
        return bool(len(self.numbers))

    @property
    def lengths(self) -> dict[str, float]:
        """Lengths of the links by name [m]."""
        return {joint.name: joint.rows[0].offset for joint in self.mechanism.joints if joint.kind == "link"}

    # ---- compiling

    def _ends(self) -> list[tuple[str, str]]:
        """All names of points that something is attached to, with their places in the scene."""
        found = [(f"link.{name}.between", end) for name, link in self.scene.link.items() for end in link.between]
        for name, entry in self.scene.constraint.items():
            if not isinstance(entry, HOLDING):
                raise SceneError([Problem(
                    f"constraint.{name}.kind", f"{entry.kind} is not for bodies among grains, which touch where they "
                    "meet.", "Among grains there are ball-joint, hinge, slider, glue and drive; leave others out.")])
            found += [(f"constraint.{name}.between", end) for end in getattr(entry, "between", ())]
        for name, load in body_loads(self.scene).items():
            points = (load.on,) if isinstance(load, Force | Torque) else getattr(load, "between", ())
            found += [(f"load.{name}", point) for point in points]
        return found

    def _find(self, parts: Parts) -> dict[str, Held]:
        """Bodies that joints and loads name, by name."""
        found: dict[str, Held] = {}
        problems = []
        rows = {int(number): row for row, number in enumerate(parts.bodies.number)}
        for place, end in self._ends():
            name = end.partition(".")[0]
            if isinstance(self.scene.body.get(name), FixedPoint):
                continue
            if (number := number_of(self.scene, parts, name)) is not None:
                found.setdefault(name, Held(number, rows[number]))
            elif name.rpartition("-")[0] in self.scene.source:
                problems.append(Problem(place, f'"{name}" comes from a source, and its grains come and go.',
                                        "Name a body, or a grain of a pattern, which is there from the start."))
            else:
                known = [*self.scene.body, *(f"{pattern}-1" for pattern in self.scene.pattern)]
                problems.append(Problem(place, f'there is no body "{name}".', did_you_mean(name, known, "body")))
        if problems:
            raise SceneError(problems)
        return found

    def _own_scene(self, parts: Parts) -> Scene:
        """A scene of the held bodies alone, as they are at the start; gravity and what else acts on all is left out."""
        bodies, start = dict(self.scene.body), {}
        for name in list(bodies):
            if name not in self._held and not isinstance(bodies[name], FixedPoint):
                del bodies[name]
        own = parts.bodies
        for name, held in self._held.items():
            given = self.scene.start.get(name, Start())
            pose = own.pose[held.row]
            position = tuple(pose[: self.dimension].tolist())
            if name in bodies:
                body = bodies[name]
                own_parts = isinstance(body, Clump) and any(part.mass or part.density for part in body.parts)
                if getattr(body, "mass", 0.0) is None and getattr(body, "density", 0.0) is None and not own_parts:
                    bodies[name] = body.model_copy(update={"mass": float(own.mass[held.row])})
                start[name] = given.model_copy(update={"position": position})
                continue
            inertia = np.zeros((3, 3))
            for k, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))):
                inertia[i, j] = inertia[j, i] = own.inertia[held.row, k]
            bodies[name] = RigidBody(
                mass=float(own.mass[held.row]),
                inertia=float(inertia[2, 2]) if self.dimension == 2 else tuple(map(tuple, inertia.tolist())))
            turned = {"angle": float(own.angle[held.row])} if self.dimension == 2 else {
                "orientation": tuple(pose[4:].tolist())}
            motion = own.motion[held.row]
            start[name] = Start(position=position, velocity=tuple(motion[: self.dimension].tolist()), **turned)
        return self.scene.model_copy(update={
            "body": bodies, "start": start, "pattern": {}, "material": {}, "boundary": {}, "source": {}, "sink": {},
            "probe": {}, "shape": {}, "pair": {}, "bond": {}, "load": body_loads(self.scene)})

    def _start(self, parts: Parts, fitting: bool) -> None:
        """Places and velocities that fit the joints; what is given and does not fit is refused."""
        y, stride = self.mechanism.y.copy() if fitting else consistent_start(self.mechanism), self.mechanism.stride
        self._fitting = y
        bodies = parts.bodies
        for place in self.mechanism.places:
            if fitting:
                self.mechanism.model.tables.bodies[place.index, tables.ANGLE_Z] = (
                    y[place.index * stride + 2] if self.dimension == 2 else 0.0)
                continue
            own, row = y[place.index * stride : (place.index + 1) * stride], self._held[place.name].row
            if self.dimension == 2:
                self.mechanism.model.tables.bodies[place.index, tables.ANGLE_Z] = own[2]
                bodies.pose[row, :2], bodies.pose[row, [4, 7]] = own[:2], (np.cos(0.5 * own[2]), np.sin(0.5 * own[2]))
                bodies.motion[row, :2] = own[3:5]
                bodies.motion[row, 6] = own[5] * bodies.inertia[row, 8]
            else:
                found = self.mechanism.model.tables.bodies[place.index]
                bodies.pose[row, :3], bodies.pose[row, 4:] = own[:3], own[3:7]
                bodies.motion[row, :3], bodies.motion[row, 4:7] = own[7:10], found[tables.W : tables.W + 3]
        parts.follow()

    def _which(self) -> Ints:
        """Kind of each load, its place in its table, and the bodies it acts on."""
        loads, ground = self.mechanism.model.loads, len(self.numbers)
        bodies = (loads.force_body, loads.torque_body, loads.spring_body, loads.torsion_body)
        counts, found = [0, 0, 0, 0], []
        for load in body_loads(self.scene).values():
            kind = KINDS[type(load)]
            ends = np.atleast_1d(bodies[kind][counts[kind]]).tolist()
            found.append([kind, counts[kind], *ends, *[ground] * (2 - len(ends))])
            counts[kind] += 1
        return np.array(found, np.int64).reshape(-1, 4)

    # ---- running

    def place(self, parts: Parts) -> None:
        """Find the rows of the held bodies, which are sorted whenever lists are made."""
        order = np.argsort(parts.bodies.number, kind="stable")
        at = np.searchsorted(parts.bodies.number[order], self.numbers)
        self.jointed.row[:] = order[at] if len(at) else at

    def name_of(self, number: int) -> str | None:
        """Name of a held body by its number."""
        return next((name for name, held in self._held.items() if held.number == number), None)

    def joints_of(self, name: str) -> list[str]:
        """Joints and loads that hold a body."""
        return sorted({joint.place for joint in self.mechanism.joints
                       if name in (joint.one.place.name, joint.two.place.name)})

    def memory(self) -> Floats:
        """Numbers that a resumed run needs: work, figures, and the turns that angles are in."""
        own = self.jointed
        return np.concatenate([own.sums, own.tables.bodies[:, tables.ANGLE_Z], own.y, own.impulse])

    def recall(self, memory: Floats) -> None:
        """Take them up again."""
        own = self.jointed
        for array in (own.sums, own.tables.bodies[:, tables.ANGLE_Z], own.y, own.impulse):
            array[:] = memory[: len(array)]
            memory = memory[len(array) :]

    def recall_impulses(self, memory: Floats) -> None:
        """Take up the multipliers of the last step alone: work counts from the start, angles are those of the start."""
        self.jointed.impulse[:] = memory[len(memory) - len(self.jointed.impulse) :]

    def stored(self, parts: Parts) -> Floats:
        """(loads,): what each spring holds now [J]."""
        energy, bodies = np.zeros(len(self.load_names)), parts.bodies
        jointed.stored_energy(self.jointed, bodies.pose, bodies.inertia, bodies.motion, energy)
        return energy

    def work(self, parts: Parts) -> dict[str, float]:
        """Work since the start of each load, each damper and each drive [J]."""
        found, loads = {}, body_loads(self.scene)
        sums, stored = self.jointed.sums[jointed.SUMS :].tolist(), self._first_stored - self.stored(parts)
        for (name, load), done, given in zip(loads.items(), sums, stored.tolist(), strict=False):
            found[name] = given if isinstance(load, Spring | TorsionSpring) else done
            if isinstance(load, Spring | TorsionSpring) and load.damping > 0.0:
                found[damper(name)] = done
        return found | dict(zip(self.drive_names, sums[len(self.load_names) :], strict=True))

    def reactions(self, h: float) -> Floats:
        """(joints, 8): mean force [N] and moment [N m] on the second body of each joint at its point in the last step,
        tension of a link or force (torque) of a drive, and whether the joints determine them; of least norm elsewhere.
        """
        first, multiplier = self.mechanism.first[:-1], self.jointed.impulse / h
        found = np.ones((len(first), 8))
        if not len(first):
            return found
        if self.jointed.sums[jointed.DROPPED]:
            stresses = find_redundancy(self.mechanism).stresses
            multiplier = least_norm(stresses, multiplier)
            for stress in stresses.T:
                found[np.abs(self._wrenches(stress)).max(axis=1) > 1e-7 * np.abs(stress).max(), 7] = 0.0
        found[:, :6] = self._wrenches(multiplier)
        found[:, 6] = multiplier[first] * [-1.0 if joint.kind == "link" else 1.0 for joint in self.mechanism.joints]
        return found

    def _wrenches(self, multiplier: Floats) -> Floats:
        """(joints, 6): force and moment on the second bodies at their points."""
        own, half = self.mechanism.model.tables, 3 if self.dimension == 2 else 6
        acting = np.zeros((len(multiplier), 6))
        begin = tables.J + half
        acting[:, [0, 1, 5] if half == 3 else range(6)] = own.rows[:, begin : begin + half] * multiplier[:, None]
        found: Floats = np.add.reduceat(acting, self.mechanism.first[:-1], axis=0)
        found[:, 3:] -= np.cross(own.joints[:, tables.REACH + 3 : tables.REACH + 6], found[:, :3])
        return found

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
        call(evaluation, 0.0, self._fitting.copy(), np.zeros_like(self._fitting), self.mechanism.block)
        return find_redundancy(self.mechanism).summary_lines()

    def stable_step(self) -> float:
        """The longest step that springs and dampers bear: 1/√(k w) and 1/(c w), w what a unit impulse gives [s]."""
        found = [np.inf]
        bodies, loads = self.mechanism.model.tables.bodies, self.mechanism.model.loads
        for ends, rows, arms, turning in ((loads.spring_body, loads.spring, (0, 3), False),
                                          (loads.torsion_body, loads.torsion, (0, 0), True)):
            for (one, two), row in zip(ends, rows, strict=True):
                w = 0.0
                for body, arm in ((one, arms[0]), (two, arms[1])):
                    inverse = bodies[body, tables.INERTIA : tables.INERTIA + 9].reshape(3, 3)
                    most = float(np.linalg.eigvalsh(inverse)[-1])
                    w += most if turning else bodies[body, tables.MASS] + most * float(row[arm : arm + 3] @ row[
                        arm : arm + 3]) * (body < len(self.numbers))
                stiffness, damping = (row[9], row[11]) if turning else (row[6], row[8])
                found += [1.0 / np.sqrt(stiffness * w)] if stiffness * w > 0.0 else []
                found += [1.0 / (damping * w)] if damping * w > 0.0 else []
        return float(min(found))
