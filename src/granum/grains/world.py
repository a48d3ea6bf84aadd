"""A scene of grains, compiled and running: grains, boundaries, loads, lists and a solver, and who comes and goes."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from granum.base.errors import NotConvergedError, Problem, SceneError
from granum.base.kernels import Floats
from granum.grains.assembled.parts import Parts
from granum.grains.geometry.boundaries import compile_boundaries
from granum.grains.geometry.surfaces import OUT
from granum.grains.loads import compile_loads
from granum.grains.making.cutting import make_sections
from granum.grains.making.finder import Finder
from granum.grains.making.generate import check_groups, group_names, make_grains, next_number
from granum.grains.making.sources import Sinks, Sources
from granum.grains.probes import Probes
from granum.grains.search.lists import Lists, nearest, touching_pairs
from granum.grains.solvers import Solver, make_solver
from granum.grains.state import Grains, Int32s
from granum.grains.steps import choose_step
from granum.grains.tables import compile_tables
from granum.model.scene import Scene

CHECK = 8
"""Steps between looks at sources, sinks and probes."""
BUSY = 1_000_000
"""Grain steps between two signs of life."""
RUNAWAY = 3.0
"""A grain that moves by more than so many radii in a step has been shot off by an error."""
WORKS = ("gravity", "impact", "friction", "rolling friction", "boundaries", "springs", "grains that come and go")
"""What does work on grains besides the loads of the scene."""

Watch = Callable[[float], None]


class World:
    """Everything of a scene of grains; its state is in `grains`, `lists`, `work` and what sources and probes count."""

    def __init__(self, scene: Scene) -> None:
        refuse_foreign(scene)
        self.scene, self.dimension = scene, scene_dimension(scene)
        self.tables = compile_tables(scene)
        self.elements = compile_boundaries(scene, self.dimension, self.tables.names)
        self.loads = compile_loads(scene, self.dimension, Path())
        self.gravity = self.loads.gravity
        self.grains = make_grains(scene, self.dimension, self.tables.names, self.distance)
        self.groups = group_names(scene)
        self._at_start = tuple(array.copy() for array in self.grains.owners())
        self.sources = Sources(scene, self.dimension, self.tables.names)
        self.sinks = Sinks(scene, self.dimension)
        self.next_number = next_number(self.grains)
        self.settled_number = self.next_number
        """Grains with lower numbers came with an earlier batch, and ought to be on their way."""
        self.probes = Probes(scene, self.dimension)
        self.choice = choose_step(scene, self._all_kinds(), self.tables, self.gravity, self.elements)
        up = int(np.argmax(np.abs(self.gravity))) if np.any(self.gravity) else self.dimension - 1
        self.lists = Lists(self.grains, self.elements, self.dimension, up)
        self.solver = make_solver(scene, self.lists, self.tables, self.gravity)
        if isinstance(self.grains, Parts):
            self.solver.sections = make_sections(Finder(scene, self.dimension, self.tables.names, []), self.grains,
                                                 self.groups)
        self.load_work = np.zeros(len(self.loads.names))
        self.entered = np.zeros(2)
        """Kinetic and potential energy that sources brought and sinks took [J]."""
        self.first_potential = self.potential_energy()
        self.step = self.choice.step
        self._shaded = self.loads.need_contacts
        self._busy = bool(scene.source or scene.sink or scene.probe)

    def _all_kinds(self) -> Grains:
        """The grains of the start, and the smallest one of each source."""
        grains = self.grains
        found = Grains(grains.t, grains.x, grains.v, grains.material, grains.number, grains.group)
        for smallest in self.sources.smallest():
            found.append(smallest)
        return found

    def take_up(self, lists: Lists, totals: Floats) -> None:
        """Go on with grains and lists of a frame, and all that was added up until then."""
        self.lists, self.grains = lists, lists.grains
        lists.make()
        self.solver.take_up(lists)
        for part in self._parts():
            size = len(part.memory())
            part.recall(totals[:size])
            totals = totals[size:]
        self.probes.settle(self.grains)

    def memory(self) -> Floats:
        """Numbers of its own that a resumed run needs."""
        return np.concatenate([self.sources.counts.ravel(), self.loads.table.outside, self.load_work, self.entered,
                               [self.next_number, self.settled_number]])

    def recall(self, memory: Floats) -> None:
        """Take them up again."""
        for counts in (self.sources.counts, self.loads.table.outside):
            counts[:] = memory[: counts.size].reshape(counts.shape).astype(np.int64)
            memory = memory[counts.size :]
        self.load_work[:], self.entered[:] = memory[:-4], memory[-4:-2]
        self.next_number, self.settled_number = int(memory[-2]), int(memory[-1])

    def _parts(self) -> tuple[Solver, World, Probes]:
        return self.solver, self, self.probes

    def totals(self) -> Floats:
        """All numbers that a resumed run needs beyond grains and lists."""
        return np.concatenate([part.memory() for part in self._parts()])

    def distance(self, points: Floats) -> Floats:
        """Signed distance of points (n, 3) from the nearest boundary [m]."""
        found, elements = np.empty(len(points)), self.elements
        nearest(elements.kind, elements.data, elements.address, np.ascontiguousarray(points), np.zeros(OUT), found)
        return found

    def potential_energy(self) -> float:
        """-Σ m g·x [J]."""
        return self.grains.potential_energy(self.gravity)

    def begin(self) -> None:
        """Before the first step: impulses of contacts that are closed at the start."""
        self.solver.begin(self.step)

    def advance(self, until: float, watch: Watch) -> int:
        """Advance to a time exactly, in equal steps of at most `step`; returns how many were made.

        Lists are made anew at the beginning, so that a run taken up from a frame makes the same ones.
        """
        grains = self.grains
        count = max(1, math.ceil((until - grains.t) / self.step * (1.0 - 1e-9)))
        h = (until - grains.t) / count
        self.lists.remember()
        self.lists.make()
        done = 0
        while done < count:
            if self._busy:
                self._come_and_go(h)
                if self.probes.jam is not None:
                    return done
            most = 1 if self.loads.names else min(CHECK if self._busy else count, 1 + BUSY // (grains.count + 1))
            for _ in range(CHECK if self._busy and self.loads.names else 1):
                if done < count:
                    done += self._steps(min(most, count - done), h)
            watch(grains.t)
        grains.t = until
        self.probes.settle(grains)
        return done

    def _steps(self, count: int, h: float) -> int:
        """Some steps with the loads that act in them."""
        grains, t = self.grains, self.grains.t
        if not self.loads.names:
            made = self.solver.advance(count, h, np.zeros((0, 3)))
            self._refuse_runaways(t)
            return made
        change = self._changes(h)
        number, before, mass, lists = grains.number, grains.v[:, :3].copy(), grains.mass, self.lists.made
        made = self.solver.advance(count, h, change.sum(axis=0))
        self._refuse_runaways(t)
        after = self.solver.velocities()
        if self.lists.made != lists and after is grains.v:  # new lists have sorted the grains
            rank = np.empty(len(number), np.int64)
            rank[np.argsort(number, kind="stable")] = np.argsort(grains.number, kind="stable")
            after = after[rank]
        self.load_work += np.einsum("lij,ij->l", change, 0.5 * mass[:, None] * (before + after[:, :3]))
        return made

    def _changes(self, h: float) -> Floats:
        """(loads, grains, 3): velocities that loads add in a step."""
        pairs = self.touching() if self._shaded else np.zeros((0, 2), np.int32)
        return self.loads.changes(self.grains, pairs, h)

    def touching(self, near: float = 1e-3) -> Int32s:
        """(contacts, 2): rows of grains that touch."""
        pairs = np.empty((len(self.lists.other), 2), np.int32)
        return pairs[: touching_pairs(self.grains.x, self.lists.first, self.lists.other, near, pairs)]

    def _come_and_go(self, h: float) -> None:
        """Probes look first, then sinks take and sources bring grains."""
        grains = self.grains
        due = self.sources.next_time <= grains.t + 0.5 * h
        batch = self.sources.next_batch <= grains.t + 0.5 * h
        settled = grains.number < self.settled_number if batch or not self.scene.source else None
        self.probes.look(grains, lambda: self.solver.contacts(h), settled)
        if self.probes.jam is not None:
            return
        gone = self.sinks.leaving(grains.places)
        new = self.sources.release(grains.t + 0.5 * h, grains, self.next_number, self.distance) if due else None
        if batch:
            self.settled_number = self.next_number + (0 if new is None else new.count)
        if not len(gone) and (new is None or not new.count):
            return
        kinetic, potential = grains.kinetic_energy(), self.potential_energy()
        self.lists.remember()
        if len(gone):
            grains.permute(np.setdiff1d(np.arange(grains.count), gone))
        if new is not None and new.count:
            grains.append(new)
            self.next_number += new.count
        self.lists.make()
        self.entered += grains.kinetic_energy() - kinetic, self.potential_energy() - potential

    def _refuse_runaways(self, t: float) -> None:
        """Stop where a step has shot a grain off."""
        move = self.solver.largest_move()
        if move <= RUNAWAY:
            return
        grains = self.grains
        speed = np.where(np.isfinite(grains.v[:, :3]).all(axis=1), np.abs(grains.v[:, :3]).max(axis=1), np.inf)
        worst = int(np.argmax(speed))
        x = ", ".join(f"{c:.4g}" for c in grains.x[worst, : self.dimension])
        raise NotConvergedError(
            f'between t = {t:.6g} s and {grains.t:.6g} s grain "{self.name(worst)}" moved by {move:.3g} of its radii '
            f"in one step of {self.solver.last_step:.3g} s; it is at ({x}) m with {speed[worst]:.3g} m/s.\n"
            f"  Take a smaller step (the proposed one is {self.choice.proposed:.3g} s), or look for overlaps, "
            "loads or boundaries that drive it.")

    def name(self, row: int) -> str:
        """The name of the grain in a row."""
        group, number = self.grains.owner(row)
        name = self.groups[group]
        if name in self.scene.body:
            return name
        groups, numbers = self._at_start
        own = np.sort(numbers[groups == group])
        return f"{name}-{int(np.searchsorted(own, number)) + 1}" if number in own else f"{name}, number {number}"

    @property
    def work(self) -> dict[str, float]:
        """Work done on the grains since the start, by what did it [J]."""
        gravity = -(self.potential_energy() - self.first_potential) + float(self.entered[1])
        own = self.solver.work()
        return {**dict(zip(self.loads.names, self.load_work.tolist(), strict=True)),
                **dict(zip(WORKS, (gravity, *own, -self.solver.stored(), float(self.entered[0])), strict=True))}


def refuse_foreign(scene: Scene) -> None:
    """Refuse what grains know nothing of, instead of leaving it out."""
    found = [f"{section}.{name}" for section in ("link", "constraint", "surface") for name in getattr(scene, section)]
    found += [f"boundary.{name}.body" for name, boundary in scene.boundary.items() if boundary.body is not None]
    found += ["system"] if scene.system.coordinates else []
    problems = [Problem(place, "means nothing among grains, which touch and are not joined.",
                        "Leave it out, or leave out materials, boundaries, sources, sinks and disks.")
                for place in found]
    if scene.solver != "moreau":
        problems += [Problem(place, f'is for solver "moreau", but the scene is run by "{scene.solver}".',
                             'Take solver = "moreau", or leave it out.')
                     for place in (*(f"bond.{name}" for name in scene.bond),
                                   *(["run.merge_clusters"] if scene.run.merge_clusters else ()))]
    if problems:
        raise SceneError(problems)


def check(scene: Scene) -> None:
    """Compile everything of a scene short of placing its grains; raises SceneError with what does not fit."""
    dimension = scene_dimension(scene)
    problems: list[Problem] = []
    for compile_ in (lambda: refuse_foreign(scene),
                     lambda: compile_boundaries(scene, dimension, compile_tables(scene).names),
                     lambda: compile_loads(scene, dimension, Path()), lambda: Probes(scene, dimension),
                     lambda: Sinks(scene, dimension),
                     lambda: check_groups(scene, dimension, compile_tables(scene).names)):
        try:
            compile_()
        except SceneError as error:
            problems += error.problems
    if problems:
        raise SceneError(problems)


def scene_dimension(scene: Scene) -> int:
    """2 or 3: as many components as the first vector of the scene has."""
    groups = [*scene.pattern.values(), *scene.source.values(), *scene.sink.values()]
    regions = [region for group in groups if (region := getattr(group, "region", None)) is not None]
    for entry in (*scene.load.values(), *scene.start.values(), *regions, *groups, *scene.boundary.values()):
        for key in ("acceleration", "velocity", "position", "lower", "centre", "point", "outlet"):
            if (value := getattr(entry, key, None)) is not None:
                return len(value)
        for key in ("ends", "points", "at"):
            if value := getattr(entry, key, None):
                return len(value[0])
    return 2
