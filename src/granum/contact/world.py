"""A scene of grains, compiled and running: grains, boundaries, loads, neighbours and a solver; inflow and outflow."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy

import numpy as np

from granum.assembly.assembly import assembly_of
from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats, Ints
from granum.base.rotations import rotation_of
from granum.contact.agents import CHECK, Surroundings
from granum.contact.contact_solver import Solver, solver_class
from granum.contact.refusals import refuse_foreign, refuse_smooth
from granum.contact.steps import IMPACT, StepBasis, choose_step
from granum.grains.aggregates.parts import Parts
from granum.grains.generation.cutting import make_sections
from granum.grains.generation.finder import joined_pairs
from granum.grains.generation.generate import Names, group_names, next_number, place_grains
from granum.grains.generation.restart import EarlierGrains
from granum.grains.generation.sources import Sources
from granum.grains.geometry.elements import OUT
from granum.grains.impacts import impact_speed
from granum.grains.loads.acting import TOUCHING, LoadsInLoop
from granum.grains.loads.compile import GrainLoads
from granum.grains.probes.flows import FlowProbes
from granum.grains.probes.watching import ProbesInLoop
from granum.grains.search.neighbour_list import NeighbourList, nearest, touching_pairs
from granum.grains.state import Grains
from granum.model.probes import SectionProbe
from granum.model.scene import Scene
from granum.state.table import PLACEMENT, POSE, R

BUSY = 1_000_000
"""Grain steps between two signs of life."""
LOAD_TIMES = 33
"""Times of a run at which loads are evaluated to propose a step."""
RUNAWAY = 3.0
"""A grain that moves by more than so many radii in a step has been shot off by an error."""
AGENTS = ("impact", "friction", "rolling friction", "boundaries", "contact springs", "inflow and outflow")
"""What does work on grains besides the loads and drives of the scene."""

Watch = Callable[[float], None]


class World:
    """Everything of a scene of grains; its state is in `grains`, `neighbour_list`, `work`, sources and probes."""

    def __init__(self, scene: Scene, earlier: EarlierGrains | None = None) -> None:
        refuse_smooth(scene)
        refuse_foreign(scene)  # the solver may be another one than that which the scene was read with
        assembly = assembly_of(scene).grains
        self.scene, self.dimension, self.tables = scene, scene.dimension, assembly.tables
        self.elements, self.loads = assembly.elements.copy(), assembly.loads.copy()
        self.gravity = self.loads.gravity
        self.groups = group_names(scene)
        self.homes: dict[str, Floats] = {}
        """Poses (7,) of bodies for which the scene describes the boundaries that belong to them, by boundary."""
        if earlier is not None:
            self._carry_boundaries(earlier)
        jointed, bodies, start = assembly.begin(earlier)
        self.grains = place_grains(assembly.groups, bodies, start, scene.run.seed, self.distance, self.gaps, earlier,
                                   () if jointed is None else jointed.held)
        if earlier is not None:
            self.grains.t = earlier.time
        if earlier is not None and earlier.whole:  # sorting keeps the order of grains that are near each other
            by_number = np.argsort(self.grains.number, kind="stable")
            self.grains.permute(by_number[np.searchsorted(self.grains.number[by_number], earlier.order)])
        self._attach_boundaries()
        self.joints: Joints | None = None
        if jointed is not None and isinstance(self.grains, Parts):
            from granum.contact.bodies.joints import Joints  # single grains need neither these nor the assembly

            self.joints = Joints(jointed.among(self.grains), self.grains)
        self._at_start = tuple(array.copy() for array in self.grains.owners())
        self.sources, self.sinks = Sources(assembly.groups, scene.run.seed), assembly.sinks
        self.next_number = next_number(self.grains)
        self.settled_number = self.next_number
        """Grains with lower numbers came with an earlier batch, and ought to be on their way."""
        self.probes = FlowProbes(scene)
        self.frame_probes = {name: copy(probe) for name, probe in assembly.frame_probes.items()}
        first, pushed = self._largest_pushes()
        basis = StepBasis(scene, self.all_kinds(), self.tables, self.gravity, self.elements,
                          math.inf if self.joints is None else self.joints.stable_step(), self._impact_speed(pushed),
                          float(np.linalg.norm(pushed)), float(np.linalg.norm(first)))
        self.choice = choose_step(basis, solver_class(scene.run.solver).step_limits(basis))
        up = int(np.argmax(np.abs(self.gravity))) if np.any(self.gravity) else self.dimension - 1
        self.neighbour_list = NeighbourList(self.grains, self.elements, self.dimension, up)
        if earlier is not None and earlier.pairs is not None:
            self.neighbour_list.pair_history = earlier.pairs
            self.neighbour_list.wall_history = earlier.walls or self.neighbour_list.wall_history
            self.neighbour_list.skin = earlier.skin or self.neighbour_list.skin
            self.neighbour_list.rebuild()
        self.solver = solver_class(scene.run.solver).make(scene, self.neighbour_list, self.tables, self.gravity,
                                                          self.joints)
        if earlier is not None and self.solver.impulses_last:
            self.solver.last_step = earlier.step  # of the impulses that contacts remember
        self._goes_on = earlier is not None and earlier.whole
        if earlier is not None and earlier.whole:
            self.solver.continue_from(earlier.step, earlier.checkpoint)
        self._cut = any(isinstance(probe, SectionProbe) for probe in scene.probe.values())
        """Are there cuts, whose loads are known from a step only?"""
        if self._cut and isinstance(self.grains, Parts):
            self.solver.sections = make_sections(assembly.groups.finder(), self.grains, self.groups)
        self.load_work = np.zeros(len(self.loads.names))
        self.entered = np.zeros(4)
        """Kinetic energy [J] and Σ m x [kg m] that sources brought and sinks took."""
        self._first_moment = self.grains.moment()
        self.step = self.choice.step
        self._busy = bool(scene.source or scene.sink or scene.probe)
        self._left = np.zeros(1, np.int64)
        """Steps until sources, sinks and probes are checked."""
        self._in_loop = self.solver.calls_agents and self.loads.compiled
        if self._in_loop:
            self.solver.surroundings = surroundings = Surroundings(
                LoadsInLoop(self.loads, self.load_work) if self.loads.names else None,
                ProbesInLoop(self.probes, self.sinks) if self._busy else None)
            self._left = surroundings.left

    def all_kinds(self) -> Grains:
        """The grains of the start, and the smallest one of each source."""
        grains = self.grains
        kinds = Grains(grains.t, grains.x, grains.v, grains.material, grains.number, grains.group,
                       local_orientation=grains.local_orientation)
        for smallest in self.sources.smallest():
            kinds.append(smallest)
        return kinds

    def _impact_speed(self, pushed: Floats) -> float:
        """The largest speed at which grains of the start or of sources are expected to hit something [m/s].

        They fall along gravity, or along the largest acceleration by loads (3,).
        """
        until, own = self.scene.run.until, self.grains
        return max(impact_speed(x, v, own.x, acceleration, until, self.distance, self.dimension)
                   for x, v in [(own.x, own.v), *self.sources.entries()]
                   for acceleration in ([self.gravity, pushed] if self.loads.names else [self.gravity]))

    def _largest_pushes(self) -> tuple[Floats, Floats]:
        """(3,) each: the largest acceleration that gravity and loads together give a grain of the start, or one that
        enters, at the beginning and at any of some times of the run [m/s²].

        Drag is left out, because it only brings grains to the speed of its flow; so are loads that depend on contacts.
        A formula that has no finite value there has none to judge by.
        """
        first = largest = self.gravity
        loads = GrainLoads({name: load for name, load in self.loads.copy().loads.items() if not load.needs_contacts
                            and not load.last and load.function is not None}, {}, self.loads.outside, self.dimension)
        for kinds in [self.grains, *self.sources.smallest()] if loads.loads else ():
            there = copy(kinds)
            for there.t in np.linspace(0.0, self.scene.run.until, LOAD_TIMES):
                with suppress(NotConvergedError):
                    added = loads.changes(there, np.zeros((0, 2), np.int64), 1.0).sum(axis=0) + self.gravity
                    if len(added):
                        largest = max(largest, added[np.argmax((added**2).sum(axis=1))], key=np.linalg.norm)
                        first = largest if there.t == 0.0 else first
        return first, largest

    def resume(self, neighbour_list: NeighbourList, totals: Floats) -> None:
        """Go on with the grains and neighbours of a frame, and all that was added up until then."""
        self.neighbour_list, self.grains = neighbour_list, neighbour_list.grains
        neighbour_list.rebuild()
        self.solver.use(neighbour_list)
        for part in self._parts():
            size = len(part.checkpoint())
            part.restore(totals[:size])
            totals = totals[size:]
        self.probes.settle(self.grains)

    def checkpoint(self) -> Floats:
        """Numbers of its own that a resumed run needs."""
        return np.concatenate([self.sources.counts.ravel(), self.loads.outside, self.load_work, self.entered,
                               [self.next_number, self.settled_number]])

    def restore(self, checkpoint: Floats) -> None:
        """Go on with them."""
        for counts in (self.sources.counts, self.loads.outside):
            counts[:] = checkpoint[: counts.size].reshape(counts.shape).astype(np.int64)
            checkpoint = checkpoint[counts.size :]
        self.load_work[:], self.entered[:] = checkpoint[:-6], checkpoint[-6:-2]
        self.next_number, self.settled_number = int(checkpoint[-2]), int(checkpoint[-1])

    def _parts(self) -> tuple[Solver, World, FlowProbes]:
        return self.solver, self, self.probes

    def totals(self) -> Floats:
        """All numbers that a resumed run needs beyond grains and neighbours."""
        return np.concatenate([part.checkpoint() for part in self._parts()])

    def distance(self, points: Floats, without: Sequence[int] = ()) -> Floats:
        """Signed distance of points (n, 3) from the nearest boundary, some left out by number [m]."""
        distances, elements = np.empty(len(points)), self.elements
        kept = elements.now[~np.isin(elements.boundary, without)] if without else elements.now
        nearest(kept, np.ascontiguousarray(points), np.zeros(OUT), distances)
        return distances

    def gaps(self, grains: Grains) -> Floats:
        """How far grains are from the nearest boundary they may touch [m]: none of their own body, nor of one that
        theirs is joined to.
        """
        gaps = self.distance(grains.x[:, :3]) - grains.x[:, R]
        own = [(number, boundary.body) for number, boundary in enumerate(self.scene.boundary.values())
               if boundary.body is not None]
        near = {frozenset(pair) for pair in joined_pairs(self.scene)}
        for group, name in enumerate(self.scene.body) if own else ():
            without = [number for number, body in own if body == name or frozenset((body, name)) in near]
            if without and len(rows := np.flatnonzero(grains.group == group)):
                gaps[rows] = self.distance(grains.x[rows, :3], without) - grains.x[rows, R]
        return gaps

    def _carry_boundaries(self, earlier: EarlierGrains) -> None:
        """Boundaries that the run has too are where its bodies have carried them."""
        if (bodies := earlier.bodies) is None:
            if earlier.time:
                self.elements.follow(earlier.time, np.zeros(0, np.int64), np.zeros((0, POSE)))
            return
        pose = np.insert(bodies.pose, 3, 0.0, axis=1)
        for place, (name, boundary) in enumerate(self.scene.boundary.items()):
            if boundary.body is not None and name in earlier.homes:
                self.homes[name] = home = earlier.homes[name]
                row = int(earlier.body_rows(boundary.body)[0])
                self.elements.attach(place, int(bodies.number[row]), home[:3], rotation_of(home[3:].tolist()))
        if self.elements.attached or earlier.time:
            self.elements.follow(earlier.time, bodies.number, pose)

    def _attach_boundaries(self) -> None:
        """Let boundaries move with the bodies they belong to."""
        for place, (name, boundary) in enumerate(self.scene.boundary.items()):
            if boundary.body is None:
                continue
            assert isinstance(self.grains, Parts)
            self.grains.whole = True
            if name not in self.homes:
                number, bodies = Names(self.scene, self.grains).number(boundary.body), self.grains.bodies
                assert number is not None
                row = int(np.flatnonzero(bodies.number == number)[0])
                self.homes[name] = home = bodies.pose[row, PLACEMENT]
                self.elements.attach(place, number, home[:3], rotation_of(home[3:].tolist()))

    def potential_energy(self) -> float:
        """-Σ m g·x, and what springs between bodies and at contacts hold [J]."""
        held = self.solver.stored()
        if isinstance(self.grains, Parts) and self.joints is not None:
            held += float(self.joints.stored(self.grains).sum())
        return held - float(self.gravity @ self.grains.moment())

    def begin(self) -> None:
        """Before the first step: impulses of contacts that are closed at the start.

        Where an earlier run has left them they stay, unless there are cuts.
        """
        if not self._goes_on or self._cut:
            self.solver.begin(self.step)

    def advance(self, until: float, watch: Watch) -> int:
        """Advance to a time exactly, in equal steps of at most `step`; returns how many were made.

        The neighbour list is rebuilt at the beginning, so that a run resumed from a frame has the same one.
        """
        grains = self.grains
        count = max(1, math.ceil((until - grains.t) / self.step * (1.0 - 1e-9)))
        h = (until - grains.t) / count
        self.solver.notice = watch
        self.neighbour_list.save_history()
        self.neighbour_list.rebuild()
        done = self._left[0] = 0
        while done < count:
            # without loads the grains are also checked where the list is new
            if self._busy and (self._left[0] <= 0 or not self.loads.names):
                self._exchange_grains(h)
                if self.probes.ended is not None:
                    return done
                self._left[0] = CHECK
            done += self._steps(min(count - done, 1 + BUSY // (grains.count + 1)), h)
            watch(grains.t)
        grains.t = until
        self.neighbour_list.shrink_skin()
        self.probes.settle(grains)
        return done

    def single_step(self, h: float) -> None:
        """One step with the loads that act in it, and nothing else: no inflow, no outflow, no look at probes."""
        self.neighbour_list.save_history()
        self.neighbour_list.rebuild()
        self._left[0] = CHECK
        self._steps(1, h)

    def _steps(self, count: int, h: float) -> int:
        """Up to `count` steps with the loads that act in them; fewer where the grains are to be checked."""
        t = self.grains.t
        if self._in_loop:
            made = self._steps_in_loop(count, h)
        elif self.loads.names:
            made = self._loaded_step(h)
        else:
            made = self.solver.advance(min(count, CHECK) if self._busy else count, h, np.zeros((0, 3)))
        if not self._in_loop:
            self._left[0] -= made
        self._refuse_runaways(t)
        if self._in_loop and (loads := self.solver.surroundings.loads) is not None:
            loads.refuse_failure(self.grains)
        return made

    def _steps_in_loop(self, count: int, h: float) -> int:
        """Steps of a loop that applies loads and looks at probes, sources and sinks by itself."""
        if (watch := self.solver.surroundings.watch) is not None:
            # without sources grains may be backed up at any time
            always = bool(self.probes.jams) and not self.scene.source
            watch.times[:] = self.sources.next_time, -math.inf if always else self.probes.next_sample, 0.5 * h
        return self.solver.advance(count, h, np.zeros((0, 3)))

    def _loaded_step(self, h: float) -> int:
        """One step with loads applied from Python."""
        grains = self.grains
        change = self._changes(h)
        number, before, mass, version = grains.number, grains.v[:, :3].copy(), grains.mass, self.neighbour_list.version
        made = self.solver.advance(1, h, change.sum(axis=0))
        after = self.solver.velocities()
        if self.neighbour_list.version != version and after is grains.v:  # a new list has sorted the grains
            rank = np.empty(len(number), np.int64)
            rank[np.argsort(number, kind="stable")] = np.argsort(grains.number, kind="stable")
            after = after[rank]
        self.load_work += np.einsum("lij,ij->l", change, 0.5 * mass[:, None] * (before + after[:, :3]))
        return made

    def _changes(self, h: float) -> Floats:
        """(loads, grains, 3): velocities that loads add in a step."""
        pairs = self.touching() if self.loads.need_contacts else np.zeros((0, 2), np.int64)
        others = None
        if self.solver.impulses_last and not isinstance(self.grains, Parts):
            last = self.solver.last_step
            others = self.neighbour_list.lasting_changes(h / last if last else 1.0) + h * self.gravity
        return self.loads.changes(self.grains, pairs, h, others)

    def touching(self, near: float = TOUCHING) -> Ints:
        """(contacts, 2): rows of grains that touch."""
        first, other = self.neighbour_list.near.first, self.neighbour_list.near.other
        pairs = np.empty((len(other), 2), np.int64)
        return pairs[: touching_pairs(self.grains.x, first, other, near, pairs)]

    def _exchange_grains(self, h: float) -> None:
        """Probes sample first, then sinks take and sources bring grains."""
        grains = self.grains
        due = self.sources.next_time <= grains.t + 0.5 * h
        batch = self.sources.next_batch <= grains.t + 0.5 * h
        settled = grains.number < self.settled_number if batch or not self.scene.source else None
        self.probes.sample(grains, lambda: self.solver.contacts(h), self.distance, self.elements.velocities,
                           settled)
        if self.probes.ended is not None:
            return
        gone = self.sinks.leaving(grains.positions)
        new = self.sources.release(grains.t + 0.5 * h, grains, self.next_number, self.distance) if due else None
        if batch:
            self.settled_number = self.next_number + (0 if new is None else new.count)
        self.exchange(gone, new)

    def exchange(self, gone: Ints, new: Grains | None) -> None:
        """Take the grains of some rows out and put others in; what they bring and take is booked."""
        grains = self.grains
        if not len(gone) and (new is None or not new.count):
            return
        kinetic, moment = grains.kinetic_energy(), grains.moment()
        self.neighbour_list.save_history()
        if len(gone):
            self._refuse_taken(gone)
            grains.permute(np.setdiff1d(np.arange(grains.count), gone))
        if new is not None and new.count:
            grains.append(new)
            self.probes.enter(new.counted()[1])
            self.next_number += new.count
        self.neighbour_list.rebuild()
        self.entered[0] += grains.kinetic_energy() - kinetic
        self.entered[1:] += grains.moment() - moment

    def _refuse_taken(self, gone: Ints) -> None:
        """Stop where a sink would take a body that joints hold."""
        for row in gone:
            number = self.grains.owner(int(row))[1]
            if self.joints is not None and (name := self.joints.name_of(number)) is not None:
                x = ", ".join(f"{c:.4g}" for c in self.grains.x[row, : self.dimension])
                raise NotConvergedError(
                    f'at t = {self.grains.t:.6g} s a sink would remove "{name}" at ({x}) m, which is held by '
                    f"{', '.join(self.joints.joints_of(name)) or 'a load'}.\n  Move the sink to where jointed bodies "
                    "do not go.")

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
            f"in one step of {self.solver.last_step:.3g} s; it is at ({x}) m with {speed[worst]:.3g} m/s.\n  Use a "
            f"step of at most {self._calmer_step(move):.2g} s, or check for overlaps, loads or boundaries that drive "
            "it.")

    def _calmer_step(self, move: float) -> float:
        """The proposed step, or the one at which the grain would have moved by IMPACT radii if that is shorter [s]."""
        step = self.solver.last_step
        return min(self.choice.proposed, step * IMPACT / move if math.isfinite(move) else 0.1 * step)

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
        moved = self.grains.moment() - self._first_moment - self.entered[1:]
        own = dict(zip(AGENTS, (*self.solver.work(), -self.solver.stored(), float(self.entered[0])), strict=True))
        loads = {name: float(acceleration @ moved) for name, acceleration in self.loads.gravities.items()}
        loads |= dict(zip(self.loads.names, self.load_work.tolist(), strict=True))
        if isinstance(self.grains, Parts) and self.joints is not None:
            loads |= self.joints.work(self.grains)
        return {f"load {name}" if name in own else name: done for name, done in loads.items()} | own
