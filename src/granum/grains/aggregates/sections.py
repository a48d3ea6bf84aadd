"""Section loads: force and moment across a cut through a body, from what acts beyond the cut and its inertia there.

With F_c and T_c the contacts beyond the cut, m₂, c₂, J₂ mass, centre and inertia of what is there, in body axes,

    F = Σ F_c - m₂ (a + α × c₂ + ω × (ω × c₂)),
    M = Σ ((x_c - p) × F_c + T_c) - (c₂ - p) × m₂ a₂ - J₂ α - ω × J₂ ω,

act on the part behind the cut. Gravity gives both parts the same acceleration and is left out of a. Bodies of bonded
grains are cut between grains: those with their centre beyond the cut are beyond it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints
from granum.grains.aggregates.balance import Pushes
from granum.grains.aggregates.parts import Parts
from granum.grains.aggregates.regrouping import inertia_of, own_inertia, to_body_axes, to_inertial_axes
from granum.state.table import AXES, KM, QA, WX, matrix_of


class Cut(NamedTuple):
    """A cut through a body, in axes from its mass centre at the start."""

    number: int
    """Of the body."""
    point: Floats
    normal: Floats
    mass: float
    """Beyond the cut [kg]; not a number where grains are counted, which bonds hold together."""
    centre: Floats
    inertia: Floats
    """(3, 3), about that centre [kg m²]."""


class Sections:
    """Cuts of a running scene, and force and moment across each in the last step."""

    def __init__(self, cuts: list[Cut], dimension: int) -> None:
        self.cuts, self.dimension = cuts, dimension
        self.values = np.full((len(cuts), 6), np.nan)

    def sample(self, parts: Parts, pushes: Pushes, before: Floats, motion: Floats, extra: Floats, h: float) -> None:
        """Force and moment of the last step; not a number where a body is gone."""
        for k, cut in enumerate(self.cuts):
            rows = np.flatnonzero(parts.bodies.number == cut.number)
            self.values[k] = np.nan
            if len(rows):
                b = int(rows[0])
                load = self._across(parts, b, cut, pushes, before[b], motion[b], extra, h)
                axes = np.tile(parts.bodies.pose[b, QA:], (2, 1))
                self.values[k] = to_inertial_axes(axes, load.reshape(2, 3)).ravel()

    def _across(self, parts: Parts, b: int, cut: Cut, pushes: Pushes, before: Floats, motion: Floats, extra: Floats,
                h: float) -> Floats:
        """(6,): force and moment across the cut of body b, in body axes."""
        axes = before[AXES : AXES + 4]
        own = np.flatnonzero(parts.body[pushes.row] == b)
        at, force, moment = (to_body_axes(np.tile(axes, (len(own), 1)), array[own])
                             for array in (pushes.arm, pushes.force, pushes.moment))
        rows = np.flatnonzero(parts.body == b)
        point, grainy = cut.point, np.isnan(cut.mass)
        if grainy:  # pieces that broke off took some of the mass: axes begin in what is left
            first = rows[np.argmin(parts.number[rows])]
            point = cut.point + parts.arm[first] - cut.centre
        side = (parts.arm[pushes.row[own]] if grainy else at) - point
        if len(extra):
            own = np.concatenate([own, np.zeros(len(rows), np.int64)])
            push = to_body_axes(np.tile(axes, (len(rows), 1)), parts.mass[rows, None] * extra[rows] / h)
            at, force = np.concatenate([at, parts.arm[rows]]), np.concatenate([force, push])
            moment, side = np.concatenate([moment, 0.0 * push]), np.concatenate([side, parts.arm[rows] - point])
        far = side @ cut.normal > 0.0
        m, c, J = (self._grains(parts, rows, point, cut.normal) if grainy else (cut.mass, cut.centre, cut.inertia))
        omega = to_body_axes(axes[None], 0.5 * (before[WX:KM] + motion[WX:KM])[None])[0]
        inertia, inverse = (matrix_of(parts.bodies.inertia[b, k : k + 6]) for k in (0, 6))
        alpha = inverse @ ((np.cross(at, force) + moment).sum(axis=0) - np.cross(omega, inertia @ omega))
        a = force.sum(axis=0) / parts.bodies.mass[b] + np.cross(alpha, c) + np.cross(omega, np.cross(omega, c))
        F = force[far].sum(axis=0) - m * a
        M = (np.cross(at - point, force) + moment)[far].sum(axis=0) - np.cross(c - point, m * a)
        return np.concatenate([F, M - J @ alpha - np.cross(omega, J @ omega)])

    def _grains(self, parts: Parts, rows: Ints, point: Floats, normal: Floats) -> tuple[float, Floats, Floats]:
        """Mass, centre and inertia of the grains of a body beyond a cut."""
        far = rows[(parts.arm[rows] - point) @ normal > 0.0]
        if not len(far):
            return 0.0, point, np.zeros((3, 3))
        mass, none = parts.mass[far], np.zeros(len(far), np.int64)
        centre = mass @ parts.arm[far] / mass.sum()
        return float(mass.sum()), centre, inertia_of(none, 1, mass, own_inertia(parts, far), parts.arm[far] - centre,
                                                     self.dimension)[0]
