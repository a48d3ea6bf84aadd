"""The solver `unilateral`: links that open under tension, inside the integration of a step (Sun 1996, chapters 4, 5).

Equations are in `granum.historic.unilateral.stepping`. Contacts do not rotate grains, as in the document; rolling
friction has nothing to act on.
"""

from __future__ import annotations

import numpy as np

from granum.base.choices import GRAIN_SOLVERS
from granum.base.errors import NotConvergedError
from granum.base.kernels import Floats
from granum.contact.contact_solver import Solver, register
from granum.contact.steps import FreeFlight
from granum.contact.totals import STEPS, TOTALS
from granum.contact.validity import Validity
from granum.grains.geometry.elements import OUT
from granum.grains.search.neighbour_list import NeighbourList
from granum.grains.tables import Tables
from granum.historic.unilateral import data, stepping
from granum.historic.unilateral.data import Coefficients, Limits, Moments, State, new_workspace
from granum.historic.unilateral.friction import LAWS
from granum.historic.unilateral.stepping import OUTDATED, STUCK, STUCK_AT_START
from granum.model.scene import Scene

TOLERANCE = 1e-3
"""Change of contact forces at which rounds stop where the scene gives none (published: 3e-3 to 5e-3). Forces of
dense beds with friction settle slowly, and the correction of velocities does not wait for them."""
PATIENCE = 10
"""By how much a step that does not converge exceeds `max_sweeps` before it is divided: forces that wedge grains
(Painlevé's paradox) grow slowly with the sweeps, and are the larger the shorter the step is."""
MOST_HALVINGS = 6
"""How often a step that does not converge is halved."""


class UnilateralLinks(Solver):
    """Advances grains by mixed iteration with unilateral links; angular velocities stay as they are."""

    keys = ("friction", "restitution", "cohesion")
    free_flight = FreeFlight((0.01, 0.1), (0.05, 0.2))

    def __init__(self, scene: Scene, neighbour_list: NeighbourList, tables: Tables, gravity: Floats) -> None:
        super().__init__(scene, neighbour_list, tables, gravity)
        self.tolerance = scene.run.tolerance if "tolerance" in scene.run.model_fields_set else TOLERANCE
        self.friction = LAWS[scene.run.friction_model], scene.run.friction_velocity or 0.0
        self.limits = Limits(self.tolerance, scene.run.max_sweeps)
        self.totals = np.zeros(data.OWN_TOTALS)

    def _allot(self) -> None:
        """Arrays for the contacts of the lists as they are now."""
        neighbours, grains, elements = self.neighbour_list, self.neighbour_list.grains, self.neighbour_list.elements
        walls, pairs = len(neighbours.near.wall_element), len(neighbours.near.other)
        self.state = State(grains.x, self._with_boundary_rows(), grains.local_orientation)
        self.validity = Validity(0.5 * (neighbours.skin - data.NEAR * self._smallest), neighbours.built_t,
                                 neighbours.extent)
        self.boundaries = Moments(elements.arrays(), elements.now.copy(), elements.now.copy())
        self.coefficients = Coefficients(self.gravity, self.tables["friction"], self.tables["restitution"],
                                         self.tables["cohesion"], grains.material, *self.friction)
        self.workspace = new_workspace(grains.count, pairs, walls, OUT)

    def advance(self, count: int, h: float, extra: Floats) -> int:
        """Make up to `count` steps; one that does not converge gets more sweeps, and then is made in parts. Returns how
        many were made.
        """
        grains, t = self.neighbour_list.grains, self.neighbour_list.grains.t
        status, done = self._run(count, h, extra, self.limits)
        if status in (STUCK_AT_START, STUCK):
            grains.t = t + done * h
            status, more = self._run(1, h, extra, self.limits._replace(sweeps=PATIENCE * self.limits.sweeps))
            if more == 0:
                self._divide(h, extra)
                status = stepping.DONE
            done += 1
        self.last_step = h
        grains.t = t + done * h
        self._follow(status, done)
        return done

    def _run(self, count: int, h: float, extra: Floats, limits: Limits) -> tuple[int, int]:
        self._prepare()
        return stepping.steps(count, self.neighbour_list.grains.t, h, limits, extra, self.state,
                              self.neighbour_list.near, self.validity, self.boundaries, self.coefficients,
                              self.workspace, self.totals)

    def _follow(self, status: int, done: int) -> None:
        """Renew the lists if they must be."""
        self.neighbour_list.steps += done
        if status == OUTDATED:
            self.neighbour_list.renew()

    def _divide(self, h: float, extra: Floats) -> None:
        """Make one step in parts, each time half as long as the one that did not converge."""
        grains, part, left = self.neighbour_list.grains, 0.5, 1.0
        number = grains.number.copy()
        self.totals[data.DIVIDED] += 1.0
        while left > 0.0:
            if len(extra) and not np.array_equal(number, grains.number):
                # new lists have put the grains into another order: loads follow them
                rank = np.argsort(number)[np.searchsorted(np.sort(number), grains.number)]
                extra, number = extra[rank], grains.number.copy()
            status, done = self._run(round(left / part), part * h, part * extra, self.limits)
            left -= done * part
            grains.t += done * part * h
            if status in (STUCK_AT_START, STUCK):
                part *= 0.5
                if part < 0.5**MOST_HALVINGS:
                    raise self._failure(2.0 * part * h, status)
            self._follow(status, done)

    def _failure(self, h: float, status: int) -> NotConvergedError:
        """What did not converge, and where."""
        grains = self.neighbour_list.grains
        i, j = self.workspace.worst.tolist()
        with_ = (f"grain {grains.number[i]}" if i < grains.count else
                 f"boundary {self._boundary_name(i - grains.count)!r}")
        at = ", ".join(f"{c:.4g}" for c in grains.x[j, : self.neighbour_list.dimension])
        when = "the beginning" if status == STUCK_AT_START else "the end"
        return NotConvergedError(
            f"unilateral: at t = {grains.t:.6g} s contact forces at {when} of a step of {h:.3g} s (halved "
            f"{MOST_HALVINGS} times) did not converge to {self.tolerance:g} in {self.limits.sweeps} sweeps; worst "
            f"between grain {grains.number[j]} at ({at}) m and {with_}.\n  Use a larger max_sweeps or tolerance, or "
            'solver = "moreau", which suits dense beds.')

    def _boundary_name(self, k: int) -> str:
        """The name of the boundary in slot k of the neighbour list."""
        elements = self.neighbour_list.elements
        return elements.names[elements.boundary[self.neighbour_list.near.wall_element[k]]]

    def statistics(self) -> dict[str, float]:
        """As of every solver, and rounds per step, the most of a step, unsettled corrections, divided steps."""
        t = self.totals
        own = {"rounds": float(t[data.ROUNDS] / max(t[STEPS], 1.0)), "most_rounds": float(t[data.MOST]),
               "unsettled": float(t[data.UNSETTLED]), "divided": float(t[data.DIVIDED])}
        values = super().statistics() | own
        t[TOTALS :] = 0.0
        return values


register("unilateral", GRAIN_SOLVERS["unilateral"], UnilateralLinks)
