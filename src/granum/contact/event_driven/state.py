"""The state of an event-driven motion: grains, closed contacts and the scales that decide what is at rest."""

from __future__ import annotations

import math

import numpy as np

from granum.base.errors import GranumError, NotConvergedError
from granum.base.kernels import Floats, Records
from granum.base.text import count
from granum.contact.event_driven.closed import (
    POSITIONS,
    VELOCITIES,
    Rows,
    apply,
    new_rows,
    rates,
    set_rows,
    solve_rows,
)
from granum.contact.event_driven.contacts import Bodies, kinematics, no_contacts, slips
from granum.contact.event_driven.gathering import all_near
from granum.contact.event_driven.touching import WIDTH, breaks, ground
from granum.contact.problem import Coefficients
from granum.grains.geometry.boundaries import Elements
from granum.grains.state import Grains
from granum.grains.tables import Tables
from granum.state.table import IM, KM, SX, VX, VZ, R, X, Z

LEDGER = ("impact", "friction", "boundary", "corrections")
"""Heat of impacts and of friction, work of boundaries on the grains, energy added by corrections [J]."""
REST = 1e-9
"""Approach as a part of the scale of velocity from which an impact ends without rebound."""
ROUNDING = 32.0 * float(np.finfo(float).eps)
"""Of positions: a rebound lower than this part of the largest coordinate cannot be told from none."""
FADE = 1e-7
"""Slip as a part of the scale of velocity below which its direction is taken from before: rounding turns it."""
CLOSE = 1e-11
"""Gap of a closed contact as a part of the smallest radius."""


class EventState:
    """Grains whose state changes in place, and their closed contacts.

    Args:
        grains: their state.
        tables: coefficients of contact; rolling friction has to be 0.
        gravity: acceleration (3,) [m/s²].
        elements: of boundaries.
        impacts: at one instant, all together by Newton's law or a sequence of binary ones.
        tolerance: relative error of a smooth step.
        forces: constant forces on the grains, (count, 3) [N].
        checkpoint: of an earlier run (see `checkpoint`).
    """

    def __init__(
        self, grains: Grains, tables: Tables, gravity: Floats, elements: Elements,
        impacts: str = "newton", tolerance: float = 1e-12, *, forces: Floats | None = None,
        checkpoint: Floats | None = None,
    ) -> None:
        if np.any(tables["rolling_friction"] != 0.0):
            raise GranumError('run.solver: "events" does not support rolling friction. Set it to 0, or use solver = '
                              '"moreau".')
        self.grains, self.elements, self.impacts, self.tolerance = grains, elements, impacts, tolerance
        self._law = Coefficients(tables["friction"], tables["restitution"], tables["rolling_friction"])
        self._candidates = all_near(grains.count, elements.count)
        self._ground, self._breaks = ground(elements), breaks(elements)
        self._gravity, self._forces = np.asarray(gravity, float), forces
        self.ledger: Floats = np.zeros(len(LEDGER))
        self.t = grains.t
        speed = float(np.max(np.linalg.norm(grains.v[:, VX:VZ + 1], axis=1), initial=0.0))
        fall = math.sqrt(float(np.linalg.norm(self._gravity)) * float(np.max(grains.x[:, R], initial=0.0)))
        self.velocity_scale = max(speed, fall)
        self._modes: dict[tuple[int, int], int] = {}
        if checkpoint is not None:
            self.restore(checkpoint)
        self._load()

    def restore(self, checkpoint: Floats) -> None:
        """Go on with the closed contacts of an earlier run."""
        self.velocity_scale = float(checkpoint[0])
        self._modes = {(int(a), int(b)): int(mode) for a, b, mode in checkpoint[1:].reshape(-1, 3)}

    def push(self, acceleration: Floats) -> None:
        """Let constant forces give these accelerations [m/s²], (count, 3) in the order of the rows, from now on."""
        self._forces = acceleration / self.grains.v[:, IM:IM + 1]

    @property
    def contacts(self) -> Records:
        """Closed contacts, by rows of the grains, with the forces of this instant: a step ends with a correction, which
        leaves its impulses in their place.
        """
        if len(self._contacts):
            self._rates(np.empty_like(self._y))
        return self._contacts

    def checkpoint(self) -> Floats:
        """What a run needs besides the grains to go on bit-identically: scale of velocity and closed contacts."""
        rows = [number for key, mode in self._modes.items() for number in (*key, mode)]
        return np.array([self.velocity_scale, *rows], float)

    @property
    def closed(self) -> dict[tuple[int, int], str]:
        """Closed contacts by the numbers of their grains (see `Event`), and whether each sticks or slides."""
        return {key: ("sticks", "slides")[mode] for key, mode in self._modes.items()}

    @property
    def forces(self) -> Floats:
        """Forces of the closed contacts on the grain named last in each, (count, 3) [N], in the order of `closed`."""
        c, number = self.contacts, self.grains.number
        swapped = (c["i"] >= 0) & (number[c["i"]] > number[c["j"]])
        forces: Floats = np.where(swapped[:, None], -c["F"], c["F"])
        return forces

    def _load(self) -> None:
        """Take over the state of the grains."""
        grains = self.grains
        self.t, self.number = grains.t, grains.number.copy()
        free = np.tile(self._gravity, (grains.count, 1))
        if self._forces is not None:
            free += self._forces * grains.v[:, IM:IM + 1]
        self.bodies = Bodies(grains.v[:, IM].copy(), grains.v[:, KM].copy(), grains.x[:, R].copy(), free)
        parts = grains.x[:, X:Z + 1], grains.v[:, VX:VZ + 1], grains.v[:, SX:KM]
        self._y = np.concatenate([*(part.ravel() for part in parts), np.zeros(2)])
        self._contacts = no_contacts()
        if len(self._candidates.first) != grains.count + 1:
            self._candidates = all_near(grains.count, self.elements.count)
        self._space = np.zeros((4, WIDTH))
        self._rows: Rows = new_rows(0)

    def _store(self) -> None:
        """Give the state back to the grains."""
        x, v, s = self._parts(self._y)
        self.grains.x[:, X:Z + 1], self.grains.v[:, VX:VZ + 1], self.grains.v[:, SX:KM] = x, v, s
        self.grains.t = self.t

    def _parts(self, y: Floats) -> tuple[Floats, Floats, Floats]:
        x, v, s = y[:-2].reshape(3, len(self.bodies.im), 3)
        return x, v, s

    def _energy(self) -> float:
        """Kinetic energy less the work loads could have done [J]."""
        x, v, s = self._parts(self._y)
        return float(np.sum((0.5 * np.sum(v * v, axis=1) - np.sum(self.bodies.free * x, axis=1)) / self.bodies.im)
                     + 0.5 * np.sum(np.sum(s * s, axis=1) / self.bodies.km))

    @property
    def rest(self) -> float:
        """Approach [m/s] from which an impact ends without rebound."""
        height = ROUNDING * float(np.max(np.abs(self._parts(self._y)[0]) + self.bodies.r[:, None], initial=0.0))
        pull = float(np.max(np.linalg.norm(self.bodies.free, axis=1), initial=0.0))
        return max(REST * self.velocity_scale, math.sqrt(2.0 * pull * height))

    @property
    def _close(self) -> float:
        """Gap [m] of a closed contact."""
        return CLOSE * float(np.min(self.bodies.r, initial=np.inf)) + 1e-15 * float(np.max(np.abs(self._parts(
            self._y)[0]), initial=0.0))

    def _keys(self, c: Records) -> list[tuple[int, int]]:
        """Names of contacts: numbers of grains, the lower one first."""
        number = self.grains.number
        return [(-1 - int(e), int(number[j])) if i < 0 else (
            min(int(number[i]), int(number[j])), max(int(number[i]), int(number[j])))
            for i, j, e in zip(c["i"], c["j"], c["e"], strict=True)]

    def _rates(self, f: Floats) -> None:
        residual = rates(self.t, self._y, f, self.bodies, self._ground, self._contacts, self._rows,
                         FADE * self.velocity_scale)
        if not residual < 1e-6:
            raise NotConvergedError(f"t = {self.t:.12g} s: the forces at "
                                    f"{count(len(self._contacts), 'closed contact')} cannot keep them closed "
                                    f'(residual {residual:.1e}). Use solver = "moreau".')

    def _correct(self) -> None:
        """Close the gaps of closed contacts and take away what velocity they must not have."""
        c, rows = self._contacts, self._rows
        if not len(c):
            return
        before = self._energy()
        x, v, s = self._parts(self._y)
        nothing = np.zeros_like(x)
        m = set_rows(c, rows, POSITIONS, 0.0)
        rows.b[:m], rows.solution[:m] = -c["gap"], 0.0
        solve_rows(c, self.bodies, rows, m)
        apply(c, self.bodies, x, nothing)
        kinematics(self.t, self._y, self.bodies, self._ground, c, rows.space)
        m = set_rows(c, rows, VELOCITIES, 0.0)
        rows.b[:m], rows.solution[:m] = -np.sum(rows.p[:m] * slips(c)[rows.contact[:m]], axis=1), 0.0
        solve_rows(c, self.bodies, rows, m)
        apply(c, self.bodies, v, s)
        work = float(np.sum(c["F"] * c["V"]))  # what a moving boundary gives by these impulses is its work
        self.ledger[2:] += work, self._energy() - before - work
