"""Runs of grains: what of them is recorded, and what a resumed run needs."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from granum.base.errors import NotConvergedError, Problem, SceneError
from granum.base.kernels import Flags, Floats
from granum.contact.world import World
from granum.grains.generation.clumps import counted_once, template_of
from granum.grains.generation.generate import largest_coordination, size_range
from granum.grains.generation.sources import BatchTimes
from granum.grains.measuring.rigidity import MOST_IN_SPACE, sticking
from granum.grains.probes.frames import FrameProbe, FrameView
from granum.grains.search.history import WIDTH, as_numbers
from granum.grains.search.neighbour_list import Contacts, NeighbourList
from granum.grains.state import FIRST, SECOND
from granum.integrate import StepStatistics
from granum.integrate.stepper import Watch
from granum.io.runfile import Arrays
from granum.model.probes import PackingProbe, RigidityProbe
from granum.model.scene import Scene
from granum.run.control.population import Population
from granum.run.energy import Energies, Ledger, energy_at_rest
from granum.run.grain_records import records_of, restored_grains, restored_histories, section_probes
from granum.run.subject import Layout, Subject
from granum.state.table import R, Z

EXACT_GRAINS = 20_000
"""Grains up to which frames are recorded in double precision; checkpoints always are."""
NETWORK_NUMBERS = 30_000_000
"""Frames times contacts up to which the network of contacts is recorded in every frame."""
CONTACTS = {2: 3.2, 3: 6.5}
"""Contacts per grain that storage is made for: half of 6 and 13 (Sun 1996, eqs. 4.3-4.6), and walls."""
SOURCE_COLUMNS = ("entered", "skipped", "waiting")


class GrainSubject(Subject):
    """Grains of a scene; frames hold them in the order of their numbers."""

    population: Population
    remedy = "Use a smaller step."

    def __init__(self, scene: Scene, room: int = 0) -> None:
        """Make the grains of a scene; `room` is for so many more that a user adds between steps."""
        self.room = room
        earlier = None
        if scene.start_frame is not None:
            from granum.run.restart import earlier_grains

            earlier = earlier_grains(scene)
        self.scene, self.world = scene, World(scene, earlier)
        self._once = counted_once(scene, self.world.dimension)
        self.capacity = self.world.grains.count + room + sum(most_parts(scene, self.world.dimension))
        owners = len(self.world.grains.owners()[1])
        # where bodies fall apart or merge, each part may be one, and those without parts remain
        changing = bool(scene.bond) or scene.run.merge_clusters
        self.body_capacity = owners + (self.capacity if changing else room + most_entering(scene))
        self._sizes = size_range(scene, self.world.grains)
        self.joints = self.world.joints.names if self.world.joints is not None else []
        if self.joints:
            assert self.world.joints is not None
            self.reaction_names = self.world.joints.reaction_names
        self.figures = self.world.solver.statistics()
        self.statistics = tuple(self.figures)
        agents, grains = list(self.world.work), self.world.grains
        extent = np.ptp(grains.x[:, :R], axis=0).max() + grains.x[:, R].max() if grains.count else 0.0
        self.ledger = Ledger(agents, np.zeros(len(agents)), floor=energy_at_rest(
            float(grains.mass.sum()), float(extent), scene.run.until))
        self._refuse_too_many()
        self.records = records_of(self)
        self.system = self.population = Population(self)
        self.world.begin()

    @property
    def next_step(self) -> float:
        """The step [s]: it stays as it is."""
        return self.world.solver.last_step

    @next_step.setter
    def next_step(self, step: float) -> None:
        self.world.solver.last_step = step

    @property
    def contact_capacity(self) -> int:
        """Contacts there is room for."""
        dimension = self.world.dimension
        most = largest_coordination(*self._sizes, dimension)
        return int(min(0.5 * most + 1.0, CONTACTS[dimension]) * self.capacity) + 64

    def own_layout(self, frames: int) -> Layout:
        """Frames of grains, their contacts where there is room for them, figures of the steps and probes."""
        n, d, c = self.capacity, self.world.dimension, self.contact_capacity
        q = self.world.grains.local_orientation.shape[1]
        number = "f8" if n <= EXACT_GRAINS else "f4"
        listed = frames if frames * c <= NETWORK_NUMBERS else 0
        return {
            "position": ((frames, n, d), number), "velocity": ((frames, n, d), number),
            "angular_velocity": ((frames, n, 2 * d - 3), number),
            "orientation": ((frames, n, q), "f8" if d == 2 else "f4"),
            "radius": ((frames, n), number), "number": ((frames, n), "i8"),
            "group": ((frames, n), "i4"), "grain_count": ((frames,), "i8"),
            "contact_count": ((frames,), "i8"), "contact_pair": ((listed, c, 2), "i4"),
            "contact_normal": ((listed, c, d), "f4"), "contact_force": ((listed, c, d), "f4"),
            "contact_sticks": ((listed, c), "u1"),
            "figures": ((frames, len(self.statistics)), "f8"),
            "passed": ((frames, len(self.world.probes.names), 2), "f8"),
            "packing": ((frames, len(self.packings)), "f8"), "rigidity": ((frames, len(self.rigidities), 3), "i8"),
            **{f"probe/{name}": ((frames, len(probe.columns)), "f8") for name, probe in self.other_probes.items()},
            "log/sources": ((len(self.scene.source), 3), "i8"), "log/outside": ((len(self.world.loads.names),), "i8"),
            "checkpoint/x": ((2, n, 4), "f8"), "checkpoint/v": ((2, n, 8), "f8"),
            "checkpoint/local_orientation": ((2, n, q), "f8"), "checkpoint/material": ((2, n), "i4"),
            "checkpoint/number": ((2, n), "i8"), "checkpoint/group": ((2, n), "i4"),
            "checkpoint/count": ((2, 3), "i8"), "checkpoint/skin": ((2,), "f8"), "checkpoint/owner": ((2, c, 2), "i8"),
            "checkpoint/kept": ((2, c, WIDTH), "f8"),
            "checkpoint/waiting": ((2, most_entering(self.scene), 3), "i8"), "checkpoint/waiting_count": ((2,), "i8"),
            "checkpoint/totals": ((2, len(self.world.totals())), "f8"),
            **{name: shape for records in self.records for name, shape in records.layout(frames).items()},
        }

    @property
    def packings(self) -> dict[str, PackingProbe]:
        """Packing probes by name."""
        return {name: probe for name, probe in self.scene.probe.items() if isinstance(probe, PackingProbe)}

    @property
    def other_probes(self) -> dict[str, FrameProbe]:
        """Probes of other kinds that are measured at every frame, by name."""
        return {name: probe for name, probe in self.world.frame_probes.items()
                if name not in self.packings and name not in self.rigidities}

    @property
    def rigidities(self) -> dict[str, RigidityProbe]:
        """Rigidity probes by name."""
        return {name: probe for name, probe in self.scene.probe.items() if isinstance(probe, RigidityProbe)}

    def _refuse_too_many(self) -> None:
        """Rank takes the cube of the size, at every frame: refuse probes of more grains than it is examined for."""
        most = MOST_IN_SPACE[bool(np.any(self.world.tables["friction"] > 0.0))]
        if self.rigidities and self.world.dimension == 3 and self.capacity > most:
            raise SceneError([Problem(
                f"probe.{name}", f"{self.capacity} grains in 3-D, but rigidity in 3-D is computed for up to {most} "
                                 "such "
                                 "grains.", "Remove it, or use a smaller scene; in 2-D there is no limit.")
                for name in self.rigidities])

    def own_description(self) -> dict[str, Any]:
        """Names of columns and groups, and the step against its limit."""
        world = self.world
        return {
            "grains": world.groups, "dimension": world.dimension,
            "figure_columns": list(self.statistics), "joints": self.joints, "flow_probes": world.probes.names,
            "section_probes": section_probes(self), "packing_probes": list(self.packings),
            "rigidity_probes": list(self.rigidities),
            "probe_columns": {name: list(probe.columns) for name, probe in self.other_probes.items()},
            "link_lengths": world.joints.lengths if world.joints is not None else {},
            "homes": {name: pose.tolist() for name, pose in world.homes.items()},
            "loads": list(world.loads.names), "step": world.choice._asdict(),
            "contact_tolerance": world.solver.tolerance if world.solver.solves_contact else None,
            "elements": [int(b) for b in world.elements.boundary], "jam_probes": list(world.probes.jams),
            "events": ["the flow has jammed.", "the flow has backed up."],
            # Σ m g r at the start [J]: a unit of energy where nothing moves
            "lift": float(np.linalg.norm(world.gravity) * np.sum(world.grains.mass * world.grains.x[:, R])),
        }

    @property
    def time(self) -> float:
        """Time reached [s]."""
        return self.world.grains.t

    def advance(self, until: float, watch: Watch) -> StepStatistics:
        """Advance to a time, or to a verdict that ends the run."""
        made = self.world.advance(until, watch)
        self._refuse_overflow()
        self.figures = self.world.solver.statistics()
        statistics = self.no_steps()
        statistics.note_step(self.world.solver.last_step, made)
        statistics.iterations = round(made * self.figures.get("sweeps", 0.0))
        statistics.most_iterations = int(self.figures.get("most_sweeps", 0.0))
        return statistics

    def no_steps(self) -> StepStatistics:
        """Without a residual where contact is not solved for, rather than with zero."""
        return StepStatistics(residual=self.figures.get("residual", math.nan))

    def ended(self) -> Floats | None:
        """A jam, or grains that are backed up."""
        ended = self.world.probes.ended
        return None if ended is None else np.array([float(ended.backed_up), ended.t])

    def finite(self, content: dict[str, Any]) -> list[str]:
        """The energies; positions and velocities are refused by the name of the grain."""
        return ["energy"]

    def sample(self) -> dict[str, Any]:
        """The grains in the order of their numbers, and all that is measured."""
        world, grains = self.world, self.world.grains
        self._refuse_nonfinite()
        self.population.note()
        order, d = np.argsort(grains.number, kind="stable"), world.dimension
        angular_velocity = grains.angular_velocity[order]
        frame: dict[str, Any] = {
            "position": grains.x[order, :d], "velocity": grains.v[order, :d],
            "angular_velocity": angular_velocity if d == 3 else angular_velocity[:, Z:],
            "orientation": grains.orientation[order], "radius": grains.x[order, R], "number": grains.number[order],
            "group": grains.group[order], "grain_count": grains.count,
            "figures": [self.figures[name] for name in self.statistics], "passed": world.probes.passed,
        }
        for records in self.records:
            frame |= records.sample(order)
        contacts = self.contacts()
        sticks = self._sticks(contacts)
        view = FrameView(grains, d, contacts, sticks, self._once[grains.group])
        measured = {name: probe.measure(view) for name, probe in world.frame_probes.items()}
        frame["packing"] = [measured[name][0] for name in self.packings]
        frame["rigidity"] = np.array([measured[name] for name in self.rigidities], np.int64).reshape(-1, 3)
        frame |= {f"probe/{name}": measured[name] for name in self.other_probes}
        return {**self._padded(frame | self._network(order, contacts, sticks)), "energy": self.energies()}

    def reaction_values(self) -> tuple[Floats, Floats]:
        """Means over the last step."""
        joints = self.world.joints
        return super().reaction_values() if joints is None else joints.reaction_values(self.world.solver.last_step)

    def contacts(self) -> Contacts:
        """Contacts as they are now, by rows of the grains."""
        return self.world.solver.contacts(self.world.solver.last_step or self.world.step)

    def _sticks(self, contacts: Contacts) -> Flags:
        """Contacts that do not slide; in `unilateral` grains do not rotate, and all count as sliding."""
        world = self.world
        if self.scene.run.solver == "unilateral":
            return np.zeros(len(contacts.pair), np.bool_)
        return sticking(contacts.pair, contacts.normal, contacts.force, world.grains.material, world.elements.material,
                        world.tables["friction"])

    def _network(self, order: Any, contacts: Contacts, sticks: Flags) -> dict[str, Any]:
        """Contacts by rows of the frame, the strongest first where there is not room for all."""
        room = self.contact_capacity
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        pair = contacts.pair.astype(np.int64)
        pair[:, FIRST] = place[pair[:, FIRST]]
        grain = pair[:, SECOND] >= 0
        pair[grain, SECOND] = place[pair[grain, SECOND]]
        kept = np.arange(len(pair))
        if len(pair) > room:
            kept = np.sort(np.argsort(-np.linalg.norm(contacts.force, axis=1), kind="stable")[:room])
        d = self.world.dimension
        return {"contact_count": len(pair), "contact_pair": pair[kept], "contact_normal": contacts.normal[kept, :d],
                "contact_force": contacts.force[kept, :d], "contact_sticks": sticks[kept].astype(np.uint8)}

    @cached_property
    def _room(self) -> dict[str, tuple[int, ...]]:
        """Shapes of one frame, checkpoint or log, by array."""
        return {name: shape if name.startswith("log/") else shape[1:] for name, (shape, _) in self.layout(1).items()}

    def _padded(self, content: dict[str, Any]) -> dict[str, Any]:
        """Arrays with zeros behind them where there is room for more."""
        filled = {}
        for name, value in content.items():
            array = np.asarray(value)
            if array.shape != self._room[name] and array.ndim:
                if len(array) > self._room[name][0]:
                    raise NotConvergedError(f"at t = {self.time:g} s sources have brought more grains than this run "
                                            f"has room for: it was made to end at t = {self.scene.run.until:g} s. Give "
                                            "a later until to the simulation.")
                longer = np.zeros(self._room[name], array.dtype)
                longer[: len(array)] = array
                array = longer
            filled[name] = array
        return filled

    def energies(self) -> Energies:
        """The solver adds up all work, that of gravity from how the mass centre has moved."""
        world = self.world
        with np.errstate(over="ignore", invalid="ignore"):
            done = np.array(list(world.work.values()))
            kinetic, potential = world.grains.kinetic_energy(), world.potential_energy()
        self.refuse_overflow("energy", [kinetic, potential, *done])
        return Energies(kinetic, potential, np.zeros(len(done)), done)

    def _refuse_overflow(self) -> None:
        """Refuse a state that steps of a given size have lost, before a frame does."""
        with np.errstate(over="ignore", invalid="ignore"):
            kinetic = self.world.grains.kinetic_energy()
        if not math.isfinite(kinetic):
            self._refuse_nonfinite()
            self.refuse_overflow("energy", kinetic)

    def _refuse_nonfinite(self) -> None:
        grains = self.world.grains
        bad = np.flatnonzero(~(np.isfinite(grains.x).all(axis=1) & np.isfinite(grains.v).all(axis=1)))
        if len(bad):
            raise NotConvergedError(f'at t = {self.time:g} s grain "{self.world.name(int(bad[0]))}" (and '
                                    f"{len(bad) - 1} more) has no finite position or velocity. Use a smaller step; the "
                                    f"recommended one is {self.world.choice.proposed:.3g} s.")

    def own_checkpoint(self) -> dict[str, Any]:
        """Grains in the order of the solver, what contacts remember, and all that is added up."""
        grains, neighbours = self.world.grains, self.world.neighbour_list
        neighbours.save_history()
        pairs, walls = neighbours.pair_history, neighbours.wall_history
        c = self.contact_capacity
        held = len(pairs.owner) + len(walls.owner)
        if held > c:
            raise NotConvergedError(f"at t = {self.time:g} s there are {held} contacts, but room for only {c}: the "
                                    "grains overlap. Use a smaller step, or check for grains that start inside others.")
        owner = np.concatenate([np.column_stack([pairs.owner, pairs.against]),
                                np.column_stack([walls.owner, walls.against])])
        checkpoint = {
            "checkpoint/x": grains.x, "checkpoint/v": grains.v,
            "checkpoint/local_orientation": grains.local_orientation, "checkpoint/material": grains.material,
            "checkpoint/number": grains.number, "checkpoint/group": grains.group,
            "checkpoint/count": [grains.count, len(pairs.owner), len(walls.owner)], "checkpoint/skin": neighbours.skin,
            "checkpoint/owner": owner, "checkpoint/kept": as_numbers(np.concatenate([pairs.kept, walls.kept])),
            "checkpoint/waiting": self.world.sources.waiting,
            "checkpoint/waiting_count": len(self.world.sources.waiting), "checkpoint/totals": self.world.totals(),
        }
        for records in self.records:
            checkpoint |= records.checkpoint()
        return self._padded(checkpoint)

    def log(self) -> dict[str, Any]:
        """What sources brought, grains outside the grids of flows, and verdicts on flows."""
        world = self.world
        entries: dict[str, Any] = {"log/outside": world.loads.outside}
        if world.scene.source:
            entries["log/sources"] = [[counts[key] for key in SOURCE_COLUMNS]
                                      for counts in world.sources.report().values()]
        for records in self.records:
            entries |= records.log()
        return self._padded(entries)

    def own_restore(self, arrays: Arrays, frame: int, slot: int) -> None:
        """The grains of a frame, to the bit."""
        world, t = self.world, float(arrays["time"][frame])
        world.grains = restored_grains(arrays, t, slot)
        for records in self.records:
            records.restore(arrays, t, slot)
        neighbours = NeighbourList(world.grains, world.elements, world.dimension, world.neighbour_list.up)
        neighbours.skin = float(arrays["checkpoint/skin"][slot])
        neighbours.pair_history, neighbours.wall_history = restored_histories(arrays, slot)
        world.sources.waiting = np.array(arrays["checkpoint/waiting"][slot, : arrays["checkpoint/waiting_count"][slot]])
        world.resume(neighbours, np.array(arrays["checkpoint/totals"][slot]))
        self.population.note()


def most_parts(scene: Scene, dimension: int) -> list[int]:
    """Rows that the grains of each source can take during a run."""
    plain = "disk" if dimension == 2 else "sphere"
    return [len(template_of(scene, source.shape or plain).radii) * most
            for source, most in zip(scene.source.values(), _most(scene), strict=True)]


def most_entering(scene: Scene) -> int:
    """How many grains sources can bring during a run."""
    return sum(_most(scene))


def _most(scene: Scene) -> list[int]:
    most = []
    for name, source in scene.source.items():
        end = min(scene.run.until, scene.run.until if source.until is None else source.until)
        batches = BatchTimes(scene.run.seed, name, source).count(end)
        brought = batches * (source.count if source.positions is None else len(source.positions))
        most.append(brought if source.max_count is None else min(brought, source.max_count))
    return most
