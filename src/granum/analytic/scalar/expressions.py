"""The scalar equations of a tree of spheres as expressions: one explicit expression per coupling, no matrix inverse.

Row a of body i and every body j on one path with it give one term of (49)-(52), corrected:

    M_ij c_i c_j (Σ_b η_ab q̈_b + Σ_bc μ_abc q̇_b q̇_c),   η_ab = ε_i,a · ε_j,b,   μ_abc = ε_i,a · ε_j,bc (×2 for b ≠ c)

with ε of (37), and the terms of a row add up to Q_a = c_i ε_i,a · Σ_k p_ik F_k (39). Angles are those of the document,
β from the z axis; in the plane β = π/2. Symbols: alpha_j, beta_j, alpha_j_dot, x_j (free roots), m_j, c_j, F_j_x.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from granum.algebra import Expression, function, number, symbol
from granum.algebra.expression import ONE, ZERO, free_symbols
from granum.algebra.vectors import dot
from granum.analytic.scalar.cluster import ABOVE, DIRECTION, EULER, PARENT, Cluster
from granum.base.errors import GranumError

Vector = tuple[Expression, Expression, Expression]
AXES = "xyz"


@dataclass(frozen=True)
class Term:
    """What body j contributes to a row: weight (Σ η q̈ + Σ μ q̇ q̇)."""

    weight: Expression
    """M_ij c_i c_j"""
    eta: dict[str, Expression]
    """By coordinate of j."""
    mu: dict[tuple[str, str], Expression]
    """By pair of coordinates of j; the factor 2 of mixed derivatives is not in it."""


@dataclass(frozen=True)
class ScalarExpressions:
    """Explicit equations: for each coordinate Σ weight (Σ η q̈ + Σ μ q̇ q̇) = Q."""

    coordinates: tuple[str, ...]
    rows: dict[str, tuple[Term, ...]]
    """Terms of each row, by coordinate."""
    force: dict[str, Expression]
    """Q, by coordinate."""
    cuts: int
    """Links that close loops; their forces γ are left to multipliers."""

    @cached_property
    def mass(self) -> dict[tuple[str, str], Expression]:
        """Entries of the mass matrix that are not zero."""
        return {(row, b): term.weight * eta for row, terms in self.rows.items() for term in terms
                for b, eta in term.eta.items()}

    @cached_property
    def velocity(self) -> dict[str, Expression]:
        """Velocity terms, on the side of q̈."""
        by_row = {}
        for row, terms in self.rows.items():
            total = ZERO
            for term in terms:
                inside = ZERO
                for (b, c), mu in term.mu.items():
                    times = 1.0 if b == c else 2.0
                    inside = inside + times * (mu * (symbol(f"{b}_dot") * symbol(f"{c}_dot")))
                total = total + term.weight * inside
            by_row[row] = total
        return by_row

    @property
    def symbols(self) -> set[str]:
        """Names of all symbols."""
        return free_symbols([*self.mass.values(), *self.velocity.values(), *self.force.values()])


def scalar_expressions(cluster: Cluster, symbolic: bool = True, *, charts: bool = False) -> ScalarExpressions:
    """The equations of a tree of spheres without self-rotation.

    Args:
        cluster: points; a body of inertia is refused.
        symbolic: masses, lengths and forces as symbols m_j, c_j, F_j_x; else as numbers. Forces of springs depend on
            all positions: where there are springs forces stay symbols.
        charts: measure the angles in the charts of the cluster, as its state does; else β from the z axis (37).
    """
    if np.any(cluster.tree[EULER] >= 0):
        raise GranumError("explicit equations are available for non-rotating spheres only, but this cluster has bodies "
                          "with inertia.")
    return _Writer(cluster, symbolic, charts).expressions


class _Writer:
    """Numbers the bodies from the roots, 1 first, and writes their rows."""

    def __init__(self, cluster: Cluster, symbolic: bool, charts: bool) -> None:
        self.cluster, self.dimension = cluster, cluster.force.shape[0]
        self.chart = cluster.charts[DIRECTION] if charts else np.zeros_like(cluster.charts[DIRECTION])
        self.label = {int(body): n + 1 for n, body in enumerate(cluster.outward)}
        bodies = list(self.label)
        self.root = {body: cluster.tree[PARENT, body] < 0 for body in bodies}
        self.beyond = {body: symbol(f"m_{n}") if symbolic else number(cluster.mass[body])
                       for body, n in self.label.items()}
        named = symbolic or cluster.springs.shape[1] > 0
        self.outer = {
            body: [symbol(f"F_{n}_{AXES[k]}") if named else number(cluster.force[k, body])
                   for k in range(self.dimension)] for body, n in self.label.items()
        }
        for body in reversed(bodies):
            for child in (c for c in bodies if cluster.tree[ABOVE, c] == body):
                self.beyond[body] = self.beyond[body] + self.beyond[child]
                self.outer[body] = [a + b for a, b in zip(self.outer[body], self.outer[child], strict=True)]
        self.length = {
            body: ONE if self.root[body] else symbol(f"c_{n}") if symbolic else number(cluster.length[body])
            for body, n in self.label.items()
        }
        self.rows: dict[str, list[Term]] = {a: [] for body in bodies for a in self.names(body)}
        self._terms()
        self.expressions = ScalarExpressions(
            tuple(self.rows), {a: tuple(terms) for a, terms in self.rows.items()}, self._forces(),
            cluster.cuts.shape[1],
        )

    def names(self, body: int) -> list[str]:
        """Coordinates of a body."""
        kinds = AXES[: self.dimension] if self.root[body] else ("alpha", "beta")[: self.dimension - 1]
        return [f"{kind}_{self.label[body]}" for kind in kinds]

    def _terms(self) -> None:
        for j in self.label:
            i = j
            while i >= 0:
                weight = self.beyond[j] * (self.length[i] * self.length[j])
                self._term(i, j, weight)
                if i != j:
                    self._term(j, i, weight)
                i = int(self.cluster.tree[ABOVE, i])

    def _term(self, i: int, j: int, weight: Expression) -> None:
        """What body j contributes to the rows of body i."""
        if self.root[i] or self.root[j]:
            products = self._by_component(i, j)
        else:
            products = self._products(i, j) if self.chart[i] == self.chart[j] else self._across(i, j)
        for a in self.names(i):
            eta = {b: products[a[0], b[0]] for b in self.names(j)}
            mu = {} if self.root[j] else {(b, c): products[a[0], b[0] + c[0]] for b, c in self._pairs(j)}
            term = Term(weight, {b: value for b, value in eta.items() if value is not ZERO},
                        {pair: value for pair, value in mu.items() if value is not ZERO})
            if term.eta or term.mu:
                self.rows[a].append(term)

    def _pairs(self, body: int) -> Iterator[tuple[str, str]]:
        names = self.names(body)
        for n, b in enumerate(names):
            for c in names[n:]:
                yield b, c

    def _products(self, i: int, j: int) -> dict[tuple[str, str], Expression]:
        """ε_i,a · ε_j,b and ε_i,a · ε_j,bc by initials of a and b, bc, in the form of (53)-(60), corrected."""
        (sine_i, cosine_i), (sine_j, cosine_j) = self._beta(i), self._beta(j)

        def product(of_i: Expression, of_j: Expression) -> Expression:
            return of_i * of_j if self.label[i] <= self.label[j] else of_j * of_i  # the sphere nearer to the root first

        ss, sc = product(sine_i, sine_j), product(sine_i, cosine_j)
        cs, cc = product(cosine_i, sine_j), product(cosine_i, cosine_j)
        if i == j:
            return {("a", "a"): sine_i**2, ("a", "b"): ZERO, ("a", "aa"): ZERO, ("a", "ab"): sc, ("a", "bb"): ZERO,
                    ("b", "a"): ZERO, ("b", "b"): ONE, ("b", "aa"): -sc, ("b", "ab"): ZERO, ("b", "bb"): ZERO}
        alpha_i, alpha_j = (symbol(f"alpha_{self.label[body]}") for body in (i, j))
        sine, cosine = function("sin", alpha_i - alpha_j), function("cos", alpha_i - alpha_j)
        sss, csc = ss * sine, cs * cosine
        return {("a", "a"): ss * cosine, ("a", "b"): sc * function("sin", alpha_j - alpha_i), ("a", "aa"): sss,
                ("a", "ab"): sc * cosine, ("a", "bb"): sss, ("b", "a"): cs * sine, ("b", "b"): cc * cosine + ss,
                ("b", "aa"): -csc, ("b", "ab"): cc * sine, ("b", "bb"): sc - csc}

    def _across(self, i: int, j: int) -> dict[tuple[str, str], Expression]:
        """The same products where the two directions are measured from different axes."""
        return {(a, by): dot(one, two) for a, one in self._derivatives(i).items() if len(a) == 1
                for by, two in self._derivatives(j).items()}

    def _by_component(self, i: int, j: int) -> dict[tuple[str, str], Expression]:
        """The same where one of the bodies is a free root, whose derivatives are unit vectors."""
        if self.root[i] and self.root[j]:
            return {(a, b): ONE if a == b else ZERO for a in AXES for b in AXES}
        if self.root[i]:
            return {(a, by): value for by, vector in self._derivatives(j).items()
                    for a, value in zip(AXES, vector, strict=True)}
        return {(a, b): value for a, vector in self._derivatives(i).items()
                for b, value in zip(AXES, vector, strict=True)}

    def _beta(self, body: int) -> tuple[Expression, Expression]:
        """The pair sin β, cos β."""
        if self.dimension == 2:
            return ONE, ZERO
        beta = symbol(f"beta_{self.label[body]}")
        return function("sin", beta), function("cos", beta)

    def _derivatives(self, body: int) -> dict[str, Vector]:
        """Derivatives of ε (37) by the angles, by their initials; a chart p measures from axis p - 1 in place of z."""
        alpha = symbol(f"alpha_{self.label[body]}")
        (sb, cb), sa, ca = self._beta(body), function("sin", alpha), function("cos", alpha)
        in_chart_0 = {
            "a": (-(sb * sa), sb * ca, ZERO), "b": (cb * ca, cb * sa, -sb), "aa": (-(sb * ca), -(sb * sa), ZERO),
            "ab": (-(cb * sa), cb * ca, ZERO), "bb": (-(sb * ca), -(sb * sa), -cb)}
        p = int(self.chart[body])
        return {by: (e[-p % 3], e[(1 - p) % 3], e[(2 - p) % 3]) for by, e in in_chart_0.items()}

    def _forces(self) -> dict[str, Expression]:
        """Q (39), (61)-(64)."""
        forces = {}
        for body in self.label:
            for a in self.names(body):
                total = ZERO
                if self.root[body]:
                    total = self.outer[body][AXES.index(a[0])]
                else:
                    for component, force in zip(self._derivatives(body)[a[0]], self.outer[body], strict=False):
                        total = total + self.length[body] * (component * force)
                forces[a] = total
        return forces
