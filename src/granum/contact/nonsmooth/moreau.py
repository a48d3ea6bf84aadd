"""The solver `moreau`: rigid steps of grains, their neighbours, ledger and statistics."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.base.kernels import Floats
from granum.contact import totals
from granum.contact.agents import REACHED, SINCE, Surroundings
from granum.contact.contact_solver import Solver
from granum.contact.nonsmooth import stepping
from granum.contact.nonsmooth.acceleration import COLUMNS, TORQUE
from granum.contact.nonsmooth.spheres import Spheres
from granum.contact.problem import CONTACT, NEAR, Coefficients, Limits, Step, new_problem
from granum.grains.loads.acting import FAILED, FALL_X, FALL_Z, SIZE
from granum.grains.loads.load import H
from granum.grains.orientation import new_blocks
from granum.grains.search.neighbour_list import NeighbourList, Neighbours
from granum.grains.tables import Tables
from granum.model.scene import Scene

if TYPE_CHECKING:
    from granum.contact.bodies.joints import Joints
    from granum.contact.conic.problem import ContactProblem

FIRST_SWEEPS, MOST_FIRST_SWEEPS = 400_000_000, 20_000
"""Sweeps times grains with which the impulses of the start are found, and how many sweeps at most."""
FIRST_TOLERANCE = 1e-12
"""Relative residual at which these sweeps end."""
TOLERANCE, LEAST_TOLERANCE = 0.01, 1e-3
"""Relative residual at which the sweeps of a step end, of plastic and of elastic impacts."""

LEAST_REST, MOST_REST, REST_GRAINS, STILL = 0.25, 16.0, 500, 1e-12
"""Velocity by which contacts at rest may miss their law, in what gravity and loads give within a step: one for so many
grains, and in proportion to their number within limits; and at least so many radii per step. Sweeps carry a change on
by one contact each, so a large bed leaves more of it to the next steps, which start from the impulses of this one."""


class Moreau(Solver):
    """Advances round grains by rigid steps; contacts live in the neighbour list. `bodies` extends it."""

    impulses_last = True
    calls_agents = True
    loops = (stepping.sphere_steps, stepping.parallel_sphere_steps)
    """The loop for one thread and for several."""
    contact_type = CONTACT
    """The record of a contact."""
    state: Any
    """What the loop moves: named arrays, made anew with the neighbour list."""

    keys = ("friction", "restitution", "rolling_friction")

    @classmethod
    def unsupported(cls, scene: Scene) -> dict[str, str]:
        """Nothing: it supports all."""
        return {}

    @classmethod
    def make(cls, scene: Scene, neighbour_list: NeighbourList, tables: Tables, gravity: Floats,
             joints: Joints | None = None) -> Solver:
        """Bodies of several parts and their joints have arms and inertia, which single grains need not wait for."""
        if joints is None:
            return cls(scene, neighbour_list, tables, gravity)
        from granum.contact.bodies.moreau_of_bodies import Assembled

        return Assembled(scene, neighbour_list, tables, gravity, joints)

    def __init__(self, scene: Scene, neighbour_list: NeighbourList, tables: Tables, gravity: Floats) -> None:
        super().__init__(scene, neighbour_list, tables, gravity)
        self.sweeps = scene.run.max_sweeps
        self._usual_tolerance = usual_tolerance(tables)
        given = "tolerance" in scene.run.model_fields_set
        self.tolerance = scene.run.tolerance if given else self._usual_tolerance
        self.table = Coefficients(tables["friction"], tables["restitution"], tables["rolling_friction"])
        self._g = float(np.linalg.norm(gravity))

    def _allot(self) -> None:
        """Arrays for the contacts of the neighbour list as it is now."""
        near, columns = self.neighbour_list.near, COLUMNS if np.any(self.table.rolling) else TORQUE
        self.problem = new_problem(near, self.contact_type, columns)
        self.boundaries = self.neighbour_list.elements.arrays()
        self.state = self._new_state(near)
        self._agents = self.surroundings.agents(self.neighbour_list, self.state.v, self.state.before)

    def _new_state(self, near: Neighbours) -> Any:
        """The grains as the loop takes them."""
        grains, v = self.neighbour_list.grains, self._with_boundary_rows()
        return Spheres(near.slabs, grains.x, v, np.zeros_like(v), np.zeros_like(v), np.zeros(grains.count, np.int32),
                       np.zeros(len(v), np.int32), grains.material, grains.local_orientation,
                       new_blocks(near.slabs, grains.local_orientation), near.built_at)

    def _jointed(self) -> Any:
        """Joints as kernels take them: round grains have none."""
        return ()

    def begin(self, h: float) -> None:
        """Find the impulses that hold closed contacts at the start: a step in place with many sweeps.

        A heap at rest then stays at rest from the first step on, instead of sinking until its impulses have grown.
        """
        grains, usual, before = self.neighbour_list.grains, (self.sweeps, self.tolerance), self.totals.copy()
        number, restore = grains.number.copy(), self._keep_state()
        first = min(MOST_FIRST_SWEEPS, FIRST_SWEEPS // (grains.count + 1))
        self.sweeps, self.tolerance = max(self.sweeps, first), FIRST_TOLERANCE
        self._prepare()
        agents, self._agents = self._agents, Surroundings().agents(self.neighbour_list, self.state.v, self.state.before)
        self._run(1, h, np.zeros((0, 3)))
        self._agents = agents
        assert np.array_equal(number, grains.number)
        restore()
        (self.sweeps, self.tolerance), self.totals = usual, before

    def _keep_state(self) -> Callable[[], None]:
        """Keep what a step moves; what is returned puts it back."""
        grains = self.neighbour_list.grains
        x, v, orientation = grains.x.copy(), grains.v.copy(), grains.local_orientation.copy()

        def restore() -> None:
            grains.x[:], grains.v[:], grains.local_orientation[:] = x, v, orientation

        return restore

    def advance(self, count: int, h: float, extra: Floats) -> int:
        """Make up to `count` steps; the neighbour list is renewed when it must be. Returns how many were made."""
        done = self._run(count, h, extra)
        self._note_steps(abs(done), h)
        self.neighbour_list.grains.t = float(self._agents.clock[REACHED] + self._agents.clock[SINCE] * h)
        if done < 0:
            self.neighbour_list.renew()
        return abs(done)

    def statistics(self) -> dict[str, float]:
        """Also how well contact was solved in weights and power, in the last step too, and sweeps."""
        t = self.totals
        steps = max(t[totals.STEPS], 1.0)
        values = {"imbalance": float(t[totals.IMBALANCE]), "largest_imbalance": float(t[totals.MOST_IMBALANCE]),
                  "lost_power": float(t[totals.POWER]), "last_imbalance": float(t[totals.LAST_IMBALANCE]),
                  "last_lost_power": float(t[totals.LAST_POWER]), "sweeps": float(t[totals.SWEEPS] / steps),
                  "most_sweeps": float(t[totals.MOST_SWEEPS])}
        return super().statistics() | values

    def last_problem(self, name: str) -> ContactProblem:
        """The contact problem of the last step."""
        from granum.contact.nonsmooth.posed import posed_problem

        return posed_problem(self.state, self.problem, self.neighbour_list.dimension, name)

    def _run(self, count: int, h: float, extra: Floats) -> int:
        self._prepare()
        neighbours, grains, smallest = self.neighbour_list, self.neighbour_list.grains, self._smallest
        ratio = h / self.last_step if self.last_step else 1.0
        self.last_step = h
        gx, gy, gz = self.gravity.tolist()
        step = Step(h, ratio, gx, gy, gz, self._g * h)
        loads, numbers = self.surroundings.loads, self._agents.step
        numbers[H], numbers[FALL_X : FALL_Z + 1], numbers[FAILED] = h, h * self.gravity, -1.0
        # how large loads are decides when contacts rest
        numbers[SIZE] = math.sqrt(float(np.mean(np.sum(extra**2, axis=1)))) if len(extra) else 0.0
        if loads is not None and self._agents.apply_loads:
            extra = loads.total
        limits = Limits(self.sweeps, self.tolerance, *resting_limits(
            h, self.tolerance / self._usual_tolerance, smallest, grains.count),
                        bool(np.any(self.table.rolling)),
                        0.5 * (neighbours.skin - NEAR * smallest), neighbours.extent, neighbours.built_t)
        loop = self.loops[self._several]
        made: int = loop(count, grains.t, step, extra, self._agents, self.state, neighbours.near, self.boundaries,
                         self._jointed(), self.table, self.problem, limits, self.totals)
        return made


def usual_tolerance(tables: Tables) -> float:
    """Relative residual at which the sweeps of a step end, where the scene gives none: 1 % of the energy that an impact
    loses, 1 - e², with the largest e of the scene.
    """
    return max(LEAST_TOLERANCE, TOLERANCE * (1.0 - float(tables["restitution"].max(initial=0.0)) ** 2))


def resting_limits(h: float, part: float, radius: float, count: int) -> tuple[float, float]:
    """By which speed contacts at rest may miss their law before they are swept again: in what gravity and loads give
    within a step, and at least [m/s]. Residuals are measured by at least that over the tolerance, which does not depend
    on the tolerance, because what may be missed falls with it: `part` is the tolerance over the usual one.

    Loads press like gravity, but an impact is not slow because a load is strong elsewhere: what ends in rest is decided
    by gravity alone.
    """
    return min(max(count / REST_GRAINS, LEAST_REST), MOST_REST) * min(1.0, part), STILL * radius / h
