"""Grains, and bodies among them, while they run: they touch, enter and leave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.text import count
from granum.grains.aggregates.parts import Parts
from granum.grains.generation.clumps import random_orientations
from granum.grains.generation.finder import Finder
from granum.grains.generation.generate import group_names
from granum.grains.generation.kinds import check_kind
from granum.grains.generation.placement import stream
from granum.grains.loads.applied import AppliedToGrains
from granum.grains.state import FIRST, SECOND
from granum.model.body_entries import FixedPoint, PointMass
from granum.run.control.handle import Contact, find
from granum.run.control.live_system import BodyState, Inputs, LiveSystem
from granum.run.recorded import scene_order
from granum.run.trajectories import GrainTracks
from granum.state.table import KM, QA, WX, Z

if TYPE_CHECKING:
    from granum.rows.system import RowSystem
    from granum.run.control.compiled import CommandedLoads
    from granum.run.grains import GrainSubject
    from granum.run.result import Run


class Population(LiveSystem):
    """Grains and bodies of a GrainSubject."""

    what = "a scene of grains"

    def __init__(self, subject: GrainSubject) -> None:
        self.subject, self.scene, self.world = subject, subject.scene, subject.world
        if (joints := self.world.joints) is not None:
            expressed = joints.expressed
            names = [name for load in joints.assembly.loads for name in load.inputs]
            self.inputs = Inputs(({name: expressed.inputs[name] for name in names}, expressed.data),
                                 (joints.rows.steering, joints.rows.tables.steering))
        self._groups = group_names(self.scene)
        self._name: dict[int, str] = {}
        self._number: dict[str, int] = {}
        self._counted = [0] * len(self._groups)
        self._noted = -1, -1
        """Next number and number of bodies when the names were brought up to date."""

    def note(self) -> None:
        """Give names to all that is new: bodies of the scene have their own, others are `<group>-1`, `<group>-2`, ...

        Names are never given twice, so that they are those of the run, which knows all that was ever there.
        """
        groups, numbers = self.world.grains.owners()
        if self._noted == (self.world.next_number, len(numbers)):
            return
        if self.world.next_number < self._noted[0]:  # a snapshot was restored: what came after it was never there
            self._forget(self.world.next_number)
        self._give(dict(zip(numbers.tolist(), groups.tolist(), strict=True)))
        self._noted = self.world.next_number, len(numbers)

    def recall(self, run: Run) -> None:
        """Names of all that a run has recorded: of one that is continued here."""
        self._forget(0)
        self._give(run._tracks.group_by_number(bodies=run.has.parts) if isinstance(run._tracks, GrainTracks) else {})
        self._noted = -1, -1
        self.note()

    def _give(self, group_of: Mapping[int, int]) -> None:
        """Give names to the numbers that have none, by their groups."""
        for number in sorted(group_of.keys() - self._name.keys()):
            group = group_of[number]
            self._counted[group] += 1
            single = group < len(self.scene.body)
            self._name[number] = name = self._groups[group] if single else (
                f"{self._groups[group]}-{self._counted[group]}")
            self._number.setdefault(name, number)

    def _forget(self, first: int) -> None:
        """Take the names of a number and all after it back."""
        for number in [number for number in self._name if number >= first]:
            name = self._name.pop(number)
            if self._number.get(name) == number:
                del self._number[name]
            group = name if name in self.scene.body else name.rpartition("-")[0]
            self._counted[self._groups.index(group)] -= 1

    @property
    def names(self) -> list[str]:
        """Names of bodies and grains, in the order of their numbers."""
        self.note()
        return [self._name[number] for number in sorted(self.world.grains.owners()[1].tolist())]

    @property
    def body_names(self) -> Sequence[str]:
        """Bodies of the scene, fixed points among them, then grains of patterns and sources."""
        names = [*self.names, *(name for name in self.scene.body if self.is_fixed(name))]
        return [names[k] for k in scene_order(self.scene, names)]

    def _place(self, name: str) -> tuple[int, int] | None:
        """Row and number of a body or grain, if it is there."""
        self.note()
        number = self._number.get(name)
        rows = np.flatnonzero(self.world.grains.owners()[1] == (-1 if number is None else number))
        return None if number is None or not len(rows) else (int(rows[0]), number)

    def _row(self, name: str) -> tuple[int, int]:
        """The same; refuses a name that is not there."""
        if (place := self._place(name)) is None:
            find(name, [known for known in self.names if known != name], "body")
            raise AssertionError
        return place

    def body_state(self, name: str) -> BodyState | None:
        """State of a body or grain, if it is there."""
        if (place := self._place(name)) is None:
            return None
        row, _ = place
        grains, d = self.world.grains, self.world.dimension
        if isinstance(grains, Parts):
            own = grains.bodies
            position, velocity, omega = own.pose[row, :d], own.motion[row, :d], own.motion[row, WX:KM]
            angle, orientation = float(own.angle[row]) if d == 2 else None, own.pose[row, QA:]
        else:
            position, velocity, omega = grains.x[row, :d], grains.v[row, :d], grains.angular_velocity[row]
            turned = grains.orientation[row]
            angle, orientation = float(turned[0]) if d == 2 and len(turned) else None, turned
        if isinstance(self.scene.body.get(name), PointMass):
            return BodyState(position.copy(), velocity.copy())
        if d == 2:
            return BodyState(position.copy(), velocity.copy(), None, angle, float(omega[Z]))
        return BodyState(position.copy(), velocity.copy(), orientation.copy() if len(orientation) else None, None,
                         omega.copy())

    def move(self, name: str, state: BodyState) -> None:
        """Give a body or grain another state, if no joint holds it."""
        row, number = self._row(name)
        grains, d, rows = self.world.grains, self.world.dimension, np.array([row])
        self._refuse_held(name, number, "Bodies of joints among grains are moved by drives and actuators.")
        place = np.array([*state.position, 0.0][:3])
        if isinstance(grains, Parts):
            grains.bodies.pose[row, :3] = place
        else:
            grains.x[row, :3] = place
        grains.launch(rows, np.array([[*state.velocity, 0.0][:3]]))
        omega = [0.0, 0.0, state.angular_velocity] if d == 2 else state.angular_velocity
        grains.rotate(rows, np.array([omega], dtype=float))
        turned = [state.angle] if d == 2 else state.orientation
        if turned is not None and turned[0] is not None:
            grains.face(rows, np.array([turned], dtype=float))
        self.world.neighbour_list.save_history()
        self.world.neighbour_list.rebuild()

    def _refuse_held(self, name: str, number: int, remedy: str) -> None:
        joints = self.world.joints
        if joints is not None and joints.name_of(number) is not None and joints.names:
            raise GranumError(f'"{name}" is held by {", ".join(joints.joints_of(name)) or "a load"}. {remedy}')

    def contacts(self) -> list[Contact]:
        """Contacts of the last step; a boundary is the second of the two."""
        contacts, d = self.subject.contacts(), self.world.dimension
        boundaries, elements = list(self.scene.boundary), self.world.elements.boundary
        found = []
        self.note()
        for (i, j), normal, force in zip(contacts.pair.tolist(), contacts.normal, contacts.force, strict=True):
            one = self._name[self.world.grains.owner(i)[1]]
            if j < 0:
                found.append(Contact((one, boundaries[int(elements[-1 - j])]), normal[:d], force[:d]))
            else:
                found.append(Contact((self._name[self.world.grains.owner(j)[1]], one), normal[:d], force[:d]))
        return found

    def contact_force(self, name: str) -> Floats:
        """Sum of the forces of contacts on a body, a grain or a boundary in the last step [N]."""
        contacts, d, grains = self.subject.contacts(), self.world.dimension, self.world.grains
        boundaries = list(self.scene.boundary)
        pair, force = contacts.pair, contacts.force
        wall = pair[:, SECOND] < 0
        if name in boundaries:
            elements = self.world.elements.boundary[-1 - pair[wall, SECOND]]
            pushed: Floats = -force[wall][elements == boundaries.index(name)].sum(axis=0)
            return pushed[:d]
        if isinstance(self.scene.body.get(name), FixedPoint):
            return np.zeros(d)  # a point touches nothing
        row, _ = self._row(name)
        owner = grains.body if isinstance(grains, Parts) else np.arange(grains.count)
        first, second = owner[pair[:, FIRST]] == row, np.zeros(len(pair), bool)
        second[~wall] = owner[pair[~wall, SECOND]] == row
        own = [k for k, boundary in enumerate(self.scene.boundary.values()) if boundary.body == name]
        carried = np.isin(self.world.elements.boundary[-1 - pair[wall, SECOND]], own)
        total: Floats = force[(first & wall) | second].sum(axis=0) - force[first & ~wall].sum(axis=0) - force[wall][
            carried].sum(axis=0)
        return total[:d]

    def passed(self, probe: str) -> tuple[int, float]:
        """Grains that a flow probe has counted since the start, and their mass [kg]."""
        names = self.world.probes.names
        count, mass = self.world.probes.passed[names.index(probe)].tolist()
        return int(count), float(mass)

    def rows_now(self) -> RowSystem | None:
        """Rows of joints among the grains."""
        joints, grains = self.world.joints, self.world.grains
        if joints is None or not isinstance(grains, Parts):
            return None
        joints.stored(grains)  # reads the bodies as they are now into its table
        return joints.rows

    def commanded_loads(self) -> CommandedLoads | None:
        """Those of joints among the grains."""
        if (joints := self.world.joints) is None:
            return None
        from granum.run.control.compiled import CommandedLoads  # most runs need not wait for it

        return CommandedLoads(joints.jointed.loads, joints.expressed, joints.rows.bodies, joints.assembly.connecting)

    def push(self, name: str, force: Floats, torque: Floats) -> None:
        """Let a force act on a grain by its number, on a body by the inputs of the actuator `applied`."""
        _, number = self._row(name)
        load = self.world.loads.loads.get(self.scene.applied)
        if isinstance(load, AppliedToGrains):
            if torque.any():
                raise GranumError(f'"{name}" is a single grain, to which forces can be applied but no torques.')
            load.push(number, force)
            return
        joints = self.world.joints
        if joints is None or joints.name_of(number) is None:
            raise GranumError(f'"{name}" is a grain of a pattern or source among bodies and joints. Forces can be '
                              "applied to the bodies of [body]; for grains use a load of kind force-field.")
        super().push(name, force, torque)

    def applied(self) -> list[Floats]:
        """Numbers of grains and the forces on them."""
        load = self.world.loads.loads.get(self.scene.applied)
        return [array.astype(float) for array in load.numbers] if isinstance(load, AppliedToGrains) else []

    def restore_applied(self, arrays: Sequence[Floats]) -> None:
        """Write them back."""
        load = self.world.loads.loads.get(self.scene.applied)
        if isinstance(load, AppliedToGrains):
            for array, kept in zip(load.numbers, arrays, strict=True):
                array[:] = kept

    def add(self, group: str, positions: Floats, radii: Floats, velocity: Floats) -> list[str]:
        """Put grains of a pattern or source in, and return their names."""
        world, scene, d = self.world, self.scene, self.world.dimension
        kinds: dict[str, Any] = {**scene.pattern, **scene.source}
        find(group, list(kinds), "pattern or source of grains")
        section = "pattern" if group in scene.pattern else "source"
        kind = check_kind(Finder(scene, d, world.tables.names), f"{section}.{group}", kinds[group])
        centres = np.zeros((len(positions), 3))
        centres[:, :d] = positions
        gaps = np.linalg.norm(centres[:, None] - world.grains.x[None, :, :3], axis=2) - (
            kind.template.reach * radii[:, None] + world.grains.x[None, :, 3])
        if gaps.size and gaps.min() < 0.0:
            new, old = np.unravel_index(int(gaps.argmin()), gaps.shape)
            raise GranumError(f'the new grain at {positions[new].tolist()} would overlap "{world.name(int(old))}" by '
                              f"{-gaps.min():.3g} m. Put it where there is room.")
        room = self.subject.capacity - world.grains.count
        if (parts := len(centres) * len(kind.template.radii)) > room:
            raise GranumError(f"found {count(parts, 'part')} of grains to add, but this run has room for {room}. "
                              "Create the simulation with a larger `room`.")
        rng = stream(scene.run.seed, "added", group, world.next_number)
        new_grains = kind.made(world.grains.t, centres, radii, velocity, len(scene.body) + list(kinds).index(group),
                               world.next_number, partial(random_orientations, len(centres), d, rng))
        first = world.next_number
        world.exchange(np.zeros(0, np.int64), new_grains)
        self.note()
        return [self._name[number] for number in sorted(world.grains.owners()[1].tolist()) if number >= first]

    def remove(self, names: Sequence[str]) -> None:
        """Take grains or bodies out."""
        grains = self.world.grains
        if fixed := [name for name in names if isinstance(self.scene.body.get(name), FixedPoint)]:
            raise GranumError(f'"{fixed[0]}" is a fixed point, which cannot be removed.')
        numbers = [self._row(name)[1] for name in names]
        for name, number in zip(names, numbers, strict=True):
            self._refuse_held(name, number, "Bodies of joints among grains cannot be removed.")
        owner = grains.bodies.number[grains.body] if isinstance(grains, Parts) else grains.number
        gone = np.flatnonzero(np.isin(owner, numbers))
        self.world._refuse_taken(gone)
        self.world.exchange(gone, None)
