"""The scalar equations of a cluster of rigid bodies and points as expressions, in the symbols of the document.

Body j hangs on body i by s_j = u_j + c_j + e_j (1). Derivatives of these vectors are what the kernels compute: an angle
that rotates a body about an axis n gives ∂p/∂q = n × p, and second derivatives follow in the same way (16), (17). Then

    ζ_i = Σ_j M_ij Σ_b ∂s_j/∂q_b q̈_b (27),   γ_i = Σ_j M_ij b_j (25),   Q_i = Σ_k p_ik F_k (31),
    Σ_i ∂s_i/∂q_a · (ζ_i + γ_i) + ∂ω_k/∂q̇_a · L̇_k = Σ_i ∂s_i/∂q_a · Q_i + ∂ω_k/∂q̇_a · M_k - Σ_c G_ca f_c     (24)-(33)

all corrected: ζ_i stands for ζ_iᵀ ẍ of the document, γ_i for γ_iᵀ ẋ². Each row is linear in q̈. Links that close loops
have the tension f_c, and G_ca = n · ∂s_c/∂q_a for their chord s_c (34), (35).

`Inline` leaves all expressions as they are, for programs; derivations give names to those that a reader wants to see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from granum.algebra import Expression, along, function, gradient, number, symbol
from granum.algebra.expression import ONE, ZERO, Scalar, rebuild
from granum.algebra.vectors import Matrix, Vector, cross, dot, minus, plus, times, total, turned, vector
from granum.analytic.code import Formulas
from granum.analytic.scalar.cluster import (
    ABOVE,
    ANGLES,
    EULER,
    PARENT,
    Cluster,
    Scratch,
)
from granum.base.kernels import Ints
from granum.loads.expressed import (
    ANGLE,
    ANGULAR_VELOCITY,
    ORIENTATION,
    POSITION,
    VELOCITY,
    Acting,
    Wrench,
    entry,
)

NOTHING: Vector = (ZERO, ZERO, ZERO)
UNITS: tuple[Vector, ...] = ((ONE, ZERO, ZERO), (ZERO, ONE, ZERO), (ZERO, ZERO, ONE))
ROTATION = ("psi", "theta", "phi")
"""Euler angles, z-x-z."""


class Inline:
    """Names for parts of the equations: none here."""

    def vector(self, letter: str, body: int, value: Vector, by: str = "") -> Vector:
        """A vector of a body, or its derivative by one of the angles."""
        return value

    def scalar(self, letter: str, body: int, value: Expression, part: str = "") -> Expression:
        """A number of a body."""
        return value

    def measures(self, loads: Acting, table: Mapping[Expression, Scalar]) -> dict[int, dict[Expression, Scalar]]:
        """Lengths and rates that each load measures, and their names; `table` gives what they are expressions of."""
        return {}


@dataclass(frozen=True)
class Cut:
    """What closes a loop: a link, or one row of a joint at a point."""

    ends: tuple[int, int]
    arms: tuple[Vector, Vector]
    """From the mass centres, body axes [m]; zero at a fixed point."""
    length: Expression
    axis: int
    """Along which a joint keeps two points together; -1 for a link, which keeps its length."""


@dataclass(frozen=True)
class Parts:
    """Coordinates and constants of a cluster as expressions, by body."""

    coordinates: dict[int, list[str]]
    """Of each movable body: positions of a free root or angles of its connecting vector, then angles of rotation."""
    mass: dict[int, Expression]
    inertia: dict[int, Matrix]
    length: dict[int, Expression]
    u: dict[int, Vector]
    e: dict[int, Vector]
    anchors: dict[int, Vector]
    """Positions of fixed points [m]."""
    cuts: list[Cut]


@dataclass(frozen=True)
class Chord:
    """A cut as expressions: what stays zero, its derivatives by the coordinates, and the right side of G q̈ = b."""

    slopes: dict[str, Expression]
    """G."""
    right: Expression


def number_parts(cluster: Cluster, scratch: Scratch, labels: Sequence[str], lengths: Sequence[float]) -> Parts:
    """Numbers of a cluster, with labels of its bodies (alpha_1, beta_1, psi_1) and the lengths of its cuts."""
    bodies = [int(body) for body in cluster.outward]
    fixed = [int(body) for body in set(range(len(cluster.mass))) - set(bodies)]
    dimension = cluster.force.shape[0]
    return Parts(
        {body: [f"{kind}_{labels[body]}" for kind in kinds(cluster, body)] for body in bodies},
        {body: number(cluster.mass[body]) for body in bodies},
        {body: tuple(tuple(map(number, row)) for row in cluster.inertia[body].tolist()) for body in bodies},
        {body: number(cluster.length[body]) for body in bodies}, _vectors(cluster.u, bodies),
        _vectors(cluster.e, bodies), {body: vector(scratch.x[:dimension, body].tolist()) for body in fixed},
        [Cut((int(tail), int(head)), (vector(one.tolist()), vector(two.tolist())), number(length), int(axis))
         for (tail, head, _, axis), (one, two), length in zip(cluster.cuts.T, cluster.arms, lengths, strict=True)])


def _vectors(table: Iterable[Sequence[float]], bodies: Sequence[int]) -> dict[int, Vector]:
    rows = list(table)
    return {body: vector([float(c) for c in rows[body]]) for body in bodies}


def kinds(cluster: Cluster, body: int) -> list[str]:
    """What the coordinates of a body are: x, y, z of a free root; alpha, beta of a link; psi, theta, phi."""
    dimension = cluster.force.shape[0]
    own = list("xyz"[:dimension]) if cluster.tree[PARENT, body] < 0 else ["alpha", "beta"][: cluster.tree[ANGLES, body]]
    if cluster.tree[EULER, body] < 0:
        return own
    return own + (["phi"] if dimension == 2 else list(ROTATION))


class ClusterFormulas:
    """Vectors, derivatives and equations of a cluster.

    Args:
        cluster: its tree.
        parts: coordinates and constants.
        loads: what the loads do to the bodies of a table.
        own: number in the cluster of each body of that table.
        names: names of parts.
        charts: of the direction of each connecting vector; left out, that of the document (37).
    """

    def __init__(self, cluster: Cluster, parts: Parts, loads: Acting, own: dict[int, int],
                 names: Inline | None = None, charts: Ints | None = None) -> None:
        self.cluster, self.parts, self.names = cluster, parts, names or Inline()
        self.charts = np.zeros(len(cluster.mass), dtype=np.int64) if charts is None else charts
        self.planar = cluster.force.shape[0] == 2
        self.bodies = [int(body) for body in cluster.outward]
        self.coordinates = [name for body in self.bodies for name in parts.coordinates[body]]
        self.owner = {name: body for body in self.bodies for name in parts.coordinates[body]}
        self.q, self.v, self.a = ([symbol(name + ending) for name in self.coordinates]
                                  for ending in ("", "_dot", "_ddot"))
        self.rotation: dict[int, Matrix] = {}
        self.axes: dict[int, list[Vector]] = {}
        """Axes about which the angles of rotation rotate a body."""
        for body in self.bodies:
            if cluster.tree[EULER, body] >= 0:
                self._orient(body)
        self.slopes: dict[int, dict[str, Vector]] = {}
        """∂s_j/∂q by body and coordinate (10)."""
        self.bias: dict[int, Vector] = {}
        """Second derivatives of s_j times rates, b_j (16), (17)."""
        self.position: dict[int, Vector] = dict(parts.anchors)
        for body in self.bodies:
            self._hang(body)
        self._loads, self._own = loads, own

    # ---- kinematics

    def angles(self, body: int) -> list[str]:
        """Names of the angles of rotation of a body; none of a point."""
        if self.cluster.tree[EULER, body] < 0:
            return []
        return self.parts.coordinates[body][-1 if self.planar else -3 :]

    def _orient(self, body: int) -> None:
        """Body axes as columns, and the axes of ψ, θ, φ."""
        names = self.angles(body)
        cosines, sines = ([function(kind, symbol(name)) for name in names] for kind in ("cos", "sin"))
        if self.planar:
            (c,), (s,) = cosines, sines
            self.rotation[body], self.axes[body] = ((c, -s, ZERO), (s, c, ZERO), UNITS[2]), [UNITS[2]]
            return
        (cp, ct, cf), (sp, st, sf) = cosines, sines
        columns = [(cp * cf - sp * ct * sf, sp * cf + cp * ct * sf, st * sf),
                   (-(cp * sf) - sp * ct * cf, cp * ct * cf - sp * sf, st * cf), (sp * st, -(cp * st), ct)]
        named = [self.names.vector("R", body, column, axis) for column, axis in zip(columns, "xyz", strict=True)]
        self.rotation[body] = tuple(zip(*named, strict=True))
        self.axes[body] = [UNITS[2], (cp, sp, ZERO), named[2]]

    def _hang(self, body: int) -> None:
        """s_j with its derivatives, and the position r_j (7)."""
        near, dimension = int(self.cluster.tree[PARENT, body]), 2 if self.planar else 3
        slopes: dict[str, Vector] = {}
        s, bias = NOTHING, NOTHING
        if near < 0:
            root = self.parts.coordinates[body][:dimension]
            slopes.update(zip(root, UNITS, strict=False))
            s = vector([symbol(name) for name in root])
        pieces = []
        if near >= 0:
            pieces += [self._carried("u", body, near, self.parts.u[body]), self._connecting(body),
                       self._carried("e", body, body, self.parts.e[body])]
        for value, own, second in pieces:
            s, bias = plus(s, value), plus(bias, second)
            for name, slope in own.items():
                slopes[name] = plus(slopes.get(name, NOTHING), slope)
        self.slopes[body] = slopes
        self.bias[body] = self.names.vector("b", body, bias)
        self.position[body] = self.names.vector("r", body, plus(self.position.get(near, NOTHING), s))

    def _carried(self, letter: str, body: int, owner: int, arm: Vector) -> tuple[Vector, dict[str, Vector], Vector]:
        """A vector fixed in a body: it, its derivatives by the angles of rotation, its second derivatives times rates.

        Each angle rotates what the later angles have oriented: ∂²p/∂a∂b = a × (b × p) for a before b.
        """
        if owner not in self.rotation or all(c.is_zero for c in arm):
            return NOTHING, {}, NOTHING
        value, names = self.names.vector(letter, body, turned(self.rotation[owner], arm)), self.angles(owner)
        slopes = [self.names.vector(letter, body, cross(axis, value), name)
                  for axis, name in zip(self.axes[owner], names, strict=True)]
        bias = NOTHING
        for k, axis in enumerate(self.axes[owner]):
            inner = times(self._rate(names[k]), slopes[k])
            for later in range(k + 1, len(names)):
                inner = plus(inner, times(2.0 * self._rate(names[later]), slopes[later]))
            bias = plus(bias, times(self._rate(names[k]), cross(axis, inner)))
        return value, dict(zip(names, slopes, strict=True)), bias

    def _connecting(self, body: int) -> tuple[Vector, dict[str, Vector], Vector]:
        """The same of c (37), (46), (47); chart p measures β from axis p - 1 in place of z."""
        count, length = int(self.cluster.tree[ANGLES, body]), self.parts.length[body]
        if count == 0:
            return NOTHING, {}, NOTHING
        names, p = self.parts.coordinates[body][:count], int(self.charts[body])
        alpha, polar = symbol(names[0]), UNITS[(p + 2) % 3]
        sa, ca, sb, cb = function("sin", alpha), function("cos", alpha), ONE, ZERO
        if count == 2:
            sb, cb = (function(kind, symbol(names[1])) for kind in ("sin", "cos"))

        def charted(e: Vector) -> Vector:
            return times(length, (e[-p % 3], e[(1 - p) % 3], e[(2 - p) % 3]))

        value = self.names.vector("c", body, charted((sb * ca, sb * sa, cb)))
        slopes = {names[0]: self.names.vector("c", body, cross(polar, value), names[0])}
        rate = self._rate(names[0])
        if count == 1:
            return value, slopes, times(rate * rate, cross(polar, slopes[names[0]]))
        down = self.names.vector("c", body, charted((cb * ca, cb * sa, -sb)), names[1])
        slopes[names[1]], falling = down, self._rate(names[1])
        inner = plus(times(rate, slopes[names[0]]), times(2.0 * falling, down))
        return value, slopes, minus(times(rate, cross(polar, inner)), times(falling * falling, value))

    def _rate(self, name: str) -> Expression:
        return symbol(f"{name}_dot")

    def path(self, body: int) -> list[int]:
        """Movable bodies from a body to its root."""
        found = []
        while body >= 0:
            found.append(body)
            body = int(self.cluster.tree[ABOVE, body])
        return found

    def beyond(self, body: int) -> list[int]:
        """A body and all that hang on it."""
        return [k for k in self.bodies if body in self.path(k)]

    def slope_of(self, body: int) -> dict[str, Vector]:
        """∂r_k/∂q by coordinate; none of a fixed point."""
        found: dict[str, Vector] = {}
        for near in self.path(body) if body in self.slopes else []:
            for name, slope in self.slopes[near].items():
                found[name] = plus(found.get(name, NOTHING), slope)
        return found

    def _moving(self, slopes: dict[str, Vector], endings: str) -> Vector:
        moved = NOTHING
        for name, slope in slopes.items():
            moved = plus(moved, times(symbol(name + endings), slope))
        return moved

    def angular_velocity(self, body: int) -> Vector:
        """ω in inertial axes."""
        omega = NOTHING
        for name, axis in zip(self.angles(body), self.axes.get(body, []), strict=True):
            omega = plus(omega, times(self._rate(name), axis))
        return omega

    # ---- inertia

    @cached_property
    def masses(self) -> dict[tuple[int, int], Expression]:
        """M_ij (29), (48) of bodies on one path."""
        M = {}
        for n, i in enumerate(self.bodies):
            for j in self.bodies[n:]:
                far = [k for k in self.beyond(i) if k in self.beyond(j)]
                if far:
                    M[i, j] = M[j, i] = self.names.scalar("M", i, total(self.parts.mass[k] for k in far), str(j))
        return M

    @cached_property
    def inertial(self) -> dict[int, Vector]:
        """ζ_i + γ_i (25)-(28) of each body."""
        sums = {}
        for i in self.bodies:
            zeta, gamma = NOTHING, NOTHING
            for j in self.bodies:
                if (i, j) in self.masses:
                    zeta = plus(zeta, times(self.masses[i, j], self._moving(self.slopes[j], "_ddot")))
                    gamma = plus(gamma, times(self.masses[i, j], self.bias[j]))
            sums[i] = plus(self.names.vector("zeta", i, zeta), self.names.vector("gamma", i, gamma))
        return sums

    @cached_property
    def rotational(self) -> dict[str, list[Expression]]:
        """Terms of ∂ω/∂q̇ · L̇ of the angles of rotation, L̇ = I ω̇ + ω × I ω in body axes (3)-(5)."""
        rows = {}
        for body in self.axes:
            names = self.angles(body)
            by_rate = self._by_rate(names)
            explicit = NOTHING
            for name, slope in zip(names, by_rate, strict=True):
                explicit = plus(explicit, times(self._rate(name), slope))
            omega = self.names.vector("omega", body, explicit)
            direction: dict[Expression, Scalar] = {**dict(zip(self.q, self.v, strict=True)),
                                                   **dict(zip(self.v, self.a, strict=True))}
            x, y, z = along(explicit, direction)
            change = self.names.vector("omega_dot", body, (x, y, z))
            inertia = self.parts.inertia[body]
            L = plus(turned(inertia, change), cross(omega, turned(inertia, omega)))
            L = self.names.vector("L_dot", body, L)
            for name, slope in zip(names, by_rate, strict=True):
                rows[name] = [a * b for a, b in zip(slope, L, strict=True)]
        return rows

    def _by_rate(self, names: Sequence[str]) -> list[Vector]:
        """∂ω/∂(ψ̇, θ̇, φ̇) in body axes (4)."""
        if self.planar:
            return [UNITS[2]]
        theta, phi = symbol(names[1]), symbol(names[2])
        st, ct, sf, cf = function("sin", theta), function("cos", theta), function("sin", phi), function("cos", phi)
        return [(st * sf, st * cf, ct), (cf, -sf, ZERO), UNITS[2]]

    def left(self, name: str) -> list[Expression]:
        """Terms of -T of a coordinate (24), linear in q̈."""
        return [*self._along(name, self.inertial), *self.rotational.get(name, [])]

    def _along(self, name: str, vectors: Mapping[int, Vector]) -> list[Expression]:
        """Terms of Σ_i ∂s_i/∂q · vector_i."""
        return [a * b for i in self.bodies if name in self.slopes[i]
                for a, b in zip(self.slopes[i][name], vectors[i], strict=True)]

    # ---- loads

    @cached_property
    def wrenches(self) -> dict[int, Wrench]:
        """Force F_k and moment M_k on each body, inertial axes."""
        found: dict[int, Wrench] = dict.fromkeys(self.bodies, (NOTHING, NOTHING))
        table = self._table()
        measured = self.names.measures(self._loads, table)
        for (body, _, wrench), load in zip(self._loads.wrenches, self._loads.owners, strict=True):
            own = self._own[body.index]
            values = iter(rebuild([c for part in wrench for c in part], {**table, **measured.get(load, {})}))
            force, moment = ((next(values), next(values), next(values)) for _ in range(2))
            found[own] = plus(found[own][0], force), plus(found[own][1], moment)
        return {k: (self.names.vector("F", k, force), self.names.vector("moment", k, moment))
                for k, (force, moment) in found.items()}

    def _table(self) -> dict[Expression, Scalar]:
        """Entries of the table of bodies by the coordinates."""
        values: dict[Expression, Scalar] = {}
        for index, body in self._own.items():
            velocity = self.names.vector("v", body, self._moving(self.slope_of(body), "_dot"))
            columns = [*zip(POSITION, self.position[body], strict=True), *zip(VELOCITY, velocity, strict=True),
                       *zip(ANGULAR_VELOCITY, self.angular_velocity(body), strict=True)]
            if body in self.rotation:
                columns += zip(ORIENTATION, [c for row in self.rotation[body] for c in row], strict=True)
                columns.append((ANGLE, symbol(self.angles(body)[-1])))
            values.update({entry(index, column): value for column, value in columns})
        return values

    @cached_property
    def outer(self) -> dict[int, Vector]:
        """Q_i (31): forces on a body and all beyond it."""
        sums = {}
        for body in self.bodies:
            force = NOTHING
            for k in self.beyond(body):
                force = plus(force, self.wrenches[k][0])
            sums[body] = self.names.vector("Q", body, force)
        return sums

    def right(self, name: str) -> Expression:
        """Q of a coordinate (30), (33), without the forces of cuts."""
        owner = self.owner[name]
        terms = self._along(name, self.outer)
        if name in self.angles(owner):
            axis = self.axes[owner][self.angles(owner).index(name)]
            terms += [a * b for a, b in zip(axis, self.wrenches[owner][1], strict=True)]
        return total(terms)

    # ---- loops

    @cached_property
    def chords(self) -> list[Chord]:
        """Of each cut: n · ∂s/∂q, and what n · s̈ at q̈ = 0 and the change of n leave on the right (34), (35)."""
        return [self._chord(k, cut) for k, cut in enumerate(self.parts.cuts)]

    def _chord(self, number_: int, cut: Cut) -> Chord:
        ends = [self._end(f"{number_}.{side}", body, arm) for side, (body, arm) in enumerate(zip(
            cut.ends, cut.arms, strict=True))]
        (tail, before, one), (head, after, two) = ends
        s = self.names.vector("s", number_, minus(head, tail))
        slopes = {name: minus(after.get(name, NOTHING), before.get(name, NOTHING)) for name in (*before, *after)}
        bias = minus(two, one)
        if cut.axis >= 0:
            return Chord({name: slope[cut.axis] for name, slope in slopes.items()}, -bias[cut.axis])
        rate = self.names.vector("s_dot", number_, self._moving(slopes, "_dot"))
        return Chord({name: dot(s, slope) / cut.length for name, slope in slopes.items()},
                     -((dot(s, bias) + dot(rate, rate)) / cut.length))

    def _end(self, place: str, body: int, arm: Vector) -> tuple[Vector, dict[str, Vector], Vector]:
        """An end of a cut: where it is, its derivatives, its acceleration at q̈ = 0."""
        slopes, bias = self.slope_of(body), NOTHING
        for near in self.path(body) if body in self.slopes else []:
            bias = plus(bias, self.bias[near])
        reach, own, second = self._carried(f"d {place}", body, body, arm)
        for name, slope in own.items():
            slopes[name] = plus(slopes.get(name, NOTHING), slope)
        return plus(self.position[body], reach), slopes, plus(bias, second)

    # ---- as matrices

    def program(self, title: str, parameters: dict[str, float], rows: Sequence[str]) -> Formulas:
        """M, f, A and b of M q̈ = f + Aᵀ λ, A q̈ = b, with the names of the rows."""
        rest: dict[Expression, Scalar] = dict.fromkeys(self.a, ZERO)
        left = [total(self.left(name)) for name in self.coordinates]
        M = [gradient(row, self.a) for row in left]
        f = [self.right(name) - row for name, row in zip(self.coordinates, rebuild(left, rest), strict=True)]
        A = [[chord.slopes.get(name, ZERO) for name in self.coordinates] for chord in self.chords]
        return Formulas(title, tuple(self.coordinates), parameters, M, f, tuple(rows), A,
                        [chord.right for chord in self.chords])
