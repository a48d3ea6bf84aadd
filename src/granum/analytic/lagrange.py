"""lagrange: angles of the tree links as coordinates, path matrix P, loops cut and closed by multipliers.

For a planar system rooted at the ground (Sun 1996, §3.3; rows multiplied by l_i, so that the matrix is symmetric):

    Σ_j U_ij l_i l_j cos(θ_i - θ_j) θ̈_j + Σ_j U_ij l_i l_j sin(θ_i - θ_j) θ̇_j² = Q_i - Σ_c G_ci γ_c     (3.4), (3.19)
    U = P M Pᵀ,   Q_i = l_i (-sin θ_i (P f_x)_i + cos θ_i (P f_y)_i)                          (A.3), (3.9) corrected

P_ik = ±1 where tree link i lies on the path from the root to body k. The multiplier of a cut is the force γ_c of the
cut link, G_ci = ∂(distance of its ends)/∂θ_i (3.20), corrected for unequal lengths. A component without a fixed point
has the two coordinates of its root body in front.

θ_i goes from the tail of a link to its head. Counted from the near end instead, it is the angle α_i of `scalar` in the
plane, and (3.4) is (24) of Vinogradov row by row: both are computed by one set of kernels.
"""

from __future__ import annotations

import math

import numpy as np

from granum.analytic import lagrange_formulas
from granum.analytic.code import Formulas
from granum.analytic.lagrange_formulas import tree_of
from granum.analytic.scalar.cluster import FIRST
from granum.analytic.scalar.equations import Scalar
from granum.assembly.points import PointSystem
from granum.base.errors import GranumError
from granum.base.kernels import Floats


class Lagrange(Scalar):
    """Equations in the angles of the tree links (Sun 1996, §3.3)."""

    formulation = "lagrange"

    def __init__(self, system: PointSystem) -> None:
        if system.dimension != 2:
            raise GranumError("lagrange supports 2-D scenes only (one angle per link), but this scene is 3-D. Use "
                              "newton-euler.")
        super().__init__(system)
        self.tree = tree_of(system)
        names: list[str] = []
        places: list[int] = []
        backward: list[bool] = []
        for body in self.tree.outward:
            first, link = int(self.cluster.tree[FIRST, body]), int(self.tree.link[body])
            if link >= 0:
                names.append(f"θ({system.link_name(link)})")
            else:
                names += [f"x({system.body_name(int(body))})", f"y({system.body_name(int(body))})"]
            count = len(names) - len(places)
            places += range(first, first + count)
            backward += [bool(self.tree.sign[body] < 0.0)] * count
        self.coordinates = tuple(names)
        self._places, self._half_turns = np.array(places, dtype=np.int64), math.pi * np.array(backward)
        self._same = places == list(range(len(names))) and not any(backward)

    def to_kernels(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """In the order of `scalar`, with angles from the near end of a link."""
        if self._same:
            return q, v
        inner, rates = np.empty_like(q), np.empty_like(v)
        inner[self._places], rates[self._places] = q + self._half_turns, v
        return inner, rates

    def from_kernels(self, q: Floats) -> Floats:
        """Angles of links that point inward are taken from the other end, from -π to π."""
        own = q[self._places]
        return own - np.copysign(self._half_turns, own)

    def reordered(self, rates: Floats) -> Floats:
        """As they are listed here."""
        return rates if self._same else rates[self._places]

    def rates(self, q: Floats, v: Floats, qdd: Floats, gamma: Floats, power: Floats) -> int:
        """q̈, link forces and the power of dampers into arrays; returns the redundant links."""
        if self._same:
            return super().rates(q, v, qdd, gamma, power)
        second = np.empty_like(qdd)
        redundant = super().rates(*self.to_kernels(q, v), second, gamma, power)
        qdd[:] = second[self._places]
        return redundant

    def mass_matrix(self, q: Floats, t: float = 0.0) -> Floats:
        """L A L of (3.7): U_ij l_i l_j cos(θ_i - θ_j)."""
        return super().mass_matrix(q, t)[np.ix_(self._places, self._places)]

    @property
    def formulas(self) -> Formulas:
        """(3.4) as formulas of the same coordinates, with a row for each link outside the tree."""
        return lagrange_formulas.formulas(self.system, self.tree, self._rest.x)
