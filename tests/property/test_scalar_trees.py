"""Scalar equations of random trees against Newton's law in rectangular coordinates, points and rigid bodies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import granum as gr
import rigid
from dense import dense
from granum.analytic import scalar
from granum.analytic.scalar.mass_matrix import factor, solve
from granum.base.kernels import Floats
from messages import refused
from scenes import SCENES
from trusses import Shape, shapes, truss, well_posed

ACCURACY = 1e-10
"""The agreement that the design asks of any two formulations, relative to the largest value."""


def assert_agree(found: Floats, expected: Floats) -> None:
    assert_allclose(found, expected, rtol=0, atol=ACCURACY * (1e-3 + np.abs(expected).max(initial=0.0)))


def assert_is_newton(scene: gr.Scene) -> None:
    """Accelerations of the bodies and link forces are those of Newton's law; states go there and back."""
    found = dense(scene)
    gamma = found.forces()
    equations = gr.derive(scene, "scalar")
    q, v = equations.start
    back = equations.to_state(q, v)
    assert_allclose(back.x, found.state.x, rtol=0, atol=1e-13)
    assert_allclose(back.v, found.state.v, rtol=0, atol=1e-12)
    assert_agree(equations.body_accelerations(q, v), found.accelerations(gamma))
    assert_agree(equations.link_forces(q, v), gamma)


@given(shapes(extra=0, springs=4))
def test_trees_with_springs(shape: Shape) -> None:
    scene = truss(shape)
    assume(well_posed(scene))
    assert_is_newton(scene)


@given(shapes(extra=5, springs=4))
def test_closed_loops_with_springs(shape: Shape) -> None:
    """Cut links by multipliers (34), (35), also where there are more links than freedoms."""
    scene = truss(shape)
    found = dense(scene)
    assume(np.linalg.eigvalsh(found.H)[len(found.b) - found.rank :].min(initial=1.0) > 1e-2)
    assert_is_newton(scene)


@pytest.mark.parametrize("name", SCENES)
def test_known_scenes(name: str) -> None:
    assert_is_newton(SCENES[name]())


@given(shapes(springs=0))
def test_kinetic_energy_is_in_the_mass_matrix(shape: Shape) -> None:
    scene = truss(shape)
    found = dense(scene)
    mass = np.where(found.system.fixed, 0.0, found.system.bodies.mass)
    equations = gr.derive(scene, "scalar")
    q, w = equations.start
    kinetic = 0.5 * float((mass * found.state.v**2).sum())
    assert w @ equations.mass_matrix(q) @ w / 2.0 == pytest.approx(kinetic, rel=1e-11, abs=1e-14)


@dataclass(frozen=True)
class Bodies:
    """A random tree of rigid bodies and points; body 0 is fixed or a free root."""

    parent: list[int]
    mass: Floats
    inertia: Floats
    u: Floats
    e: Floats
    length: Floats
    force: Floats

    @property
    def movable(self) -> list[int]:
        """Bodies that are not fixed."""
        return [int(body) for body in np.flatnonzero(np.isfinite(self.mass))]

    def prepared(self, **more: Any) -> tuple[scalar.Cluster, scalar.Scratch]:
        """The arrays of Granum."""
        return scalar.prepare_cluster(self.parent, self.mass, self.length, inertia=self.inertia, u=self.u, e=self.e,
                                      force=self.force, **more)

    def joints(self) -> list[rigid.Joint]:
        """The joints of the other side."""
        place = {body: n for n, body in enumerate(self.movable)}
        return [rigid.Joint(place.get(self.parent[b], -1), place[b], self.u[b], -self.e[b], self.length[b] == 0.0)
                for b in self.movable if self.parent[b] >= 0]


def bodies(rng: np.random.Generator, count: int, free: bool) -> Bodies:
    """Three of four are rigid, one of five of those sits on a ball joint."""
    parent = [-1] + [int(rng.integers(k)) for k in range(1, count + 1)]
    mass = np.concatenate([[rng.uniform(0.5, 2.0) if free else np.inf], rng.uniform(0.5, 2.0, count)])
    inertia, u, e = np.zeros((count + 1, 3, 3)), np.zeros((count + 1, 3)), np.zeros((count + 1, 3))
    length = np.concatenate([[0.0], rng.uniform(0.3, 1.2, count)])
    for k in range(0 if free else 1, count + 1):
        if rng.random() < 0.75:
            A = rng.normal(size=(3, 3))
            inertia[k] = A @ A.T + 0.2 * np.eye(3)
            if k > 0:
                e[k] = 0.4 * rng.normal(size=3)
                length[k] *= rng.random() < 0.8
    for k in range(1, count + 1):
        if inertia[parent[k]].any():
            u[k] = 0.5 * rng.normal(size=3)
    force = np.where(np.isfinite(mass), rng.normal(size=(3, count + 1)), 0.0)
    return Bodies(parent, mass, inertia, u, e, length, force)


def moving(cluster: scalar.Cluster, scratch: scalar.Scratch, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Random coordinates and rates, in the charts that suit them."""
    q, w = rng.uniform(-3.0, 3.0, cluster.rows.shape[1]), rng.normal(size=cluster.rows.shape[1])
    scalar.rechart(cluster, scratch, q, w)
    return q, w


def motion(scratch: scalar.Scratch, movable: list[int]) -> rigid.Motion:
    return rigid.Motion(scratch.x[:, movable].T, scratch.R[movable], scratch.v[:, movable].T, scratch.omega[movable])


@given(st.integers(0, 10**6), st.integers(1, 7), st.booleans())
def test_rigid_bodies(seed: int, count: int, free: bool) -> None:
    """Accelerations and forces along c against rotation matrices, rods and ball joints in one dense system."""
    rng = np.random.default_rng(seed)
    some = bodies(rng, count, free)
    cluster, scratch = some.prepared()
    q, w = moving(cluster, scratch, rng)
    qdd, gamma = np.zeros_like(q), np.zeros(count + 1)
    assert scalar.evaluator(cluster, scratch)(q, w, qdd, gamma) == 0
    movable = some.movable
    a, _, forces = rigid.accelerations(some.mass[movable], some.inertia[movable], some.joints(),
                                       motion(scratch, movable), some.force[:, movable].T)
    assert_agree(scratch.a[:, movable].T, a)
    rods = [b for b in movable if some.length[b] > 0.0]
    hung = [b for b in movable if some.parent[b] >= 0]
    assert_agree(gamma[rods], np.array([forces[hung.index(b)][0] for b in rods]))


@given(st.integers(0, 10**6), st.integers(3, 6))
def test_rigid_loops(seed: int, count: int) -> None:
    """A rod between spheres of two bodies closes a loop (34); rates are made to fit it."""
    rng = np.random.default_rng(seed)
    some = bodies(rng, count, True)
    ends = rng.permutation(count + 1)[:2]
    arms = np.where(some.inertia[ends].any(axis=(1, 2))[:, None], 0.5 * rng.normal(size=(2, 3)), 0.0)
    cut = np.array([[ends[0]], [ends[1]], [count + 1], [-1]])
    cluster, scratch = some.prepared(cuts=cut, arms=arms[None])
    q, w = moving(cluster, scratch, rng)
    rates = np.array([_rate(cluster, scratch, q, unit, ends, arms) for unit in np.eye(len(q))])
    assume(rates @ rates > 1e-2)
    w -= rates * (rates @ w) / (rates @ rates)
    qdd, gamma = np.zeros_like(q), np.zeros(count + 2)
    scalar.evaluator(cluster, scratch)(q, w, qdd, gamma)
    joint = rigid.Joint(int(ends[0]), int(ends[1]), arms[0], arms[1])
    a, _, forces = rigid.accelerations(some.mass, some.inertia, [*some.joints(), joint],
                                       motion(scratch, some.movable), some.force.T)
    assert_agree(scratch.a.T, a)
    assert_agree(gamma[-1:], forces[-1])


def _rate(cluster: scalar.Cluster, s: scalar.Scratch, q: Floats, w: Floats, ends: Floats, arms: Floats) -> float:
    """Rate at which the two ends of a cut part."""
    scalar.kinematics(cluster, s, q, w)
    (i, j), turned = ends, [s.R[end] @ arm for end, arm in zip(ends, arms, strict=True)]
    d = s.x[:, j] + turned[1] - s.x[:, i] - turned[0]
    rate = s.v[:, j] + np.cross(s.omega[j], turned[1]) - s.v[:, i] - np.cross(s.omega[i], turned[0])
    return float(d @ rate / np.linalg.norm(d))


@given(st.integers(0, 10**6), st.integers(1, 6), st.booleans())
def test_charts_describe_the_same_motion(seed: int, count: int, free: bool) -> None:
    """Going from any charts to the best ones moves nothing; the best have sin² of at least 2/3."""
    rng = np.random.default_rng(seed)
    cluster, s = bodies(rng, count, free).prepared()
    size = cluster.rows.shape[1]
    cluster.charts[:] = rng.integers(0, 3, cluster.charts.shape)
    q, w = rng.uniform(0.3, 2.8, size), rng.normal(size=size)
    scalar.kinematics(cluster, s, q, w)
    before = [part.copy() for part in (s.x, s.v, s.R, s.omega)]
    scalar.rechart(cluster, s, q, w)
    assert not scalar.near_pole(cluster, q, 2.0 / 3.0 - 1e-9)
    scalar.kinematics(cluster, s, q, w)
    for part, old in zip((s.x, s.v, s.R, s.omega), before, strict=True):
        # rates in the first charts may be 1/sin 0.3 times as large as they need be
        assert_allclose(part, old, rtol=0, atol=1e-11)


@given(st.integers(0, 10**6), st.integers(1, 30))
def test_factors_solve(seed: int, count: int) -> None:
    """Lᵀ D L without fill solves what the dense matrix says, on random trees."""
    rng = np.random.default_rng(seed)
    some = bodies(rng, count, bool(rng.integers(2)))
    cluster, s = some.prepared()
    q, w = moving(cluster, s, rng)
    M = np.zeros((len(q), len(q)))
    scalar.mass_matrix(cluster, s, q, w, M)
    assert np.linalg.eigvalsh(M)[0] > 0.0
    b = rng.normal(size=len(q))
    x = b.copy()
    factor(cluster.rows, s.H)
    solve(cluster.rows, s.H, x)
    assert np.abs(M @ x - b).max() < 1e-13 * np.abs(M).sum(axis=1).max() * np.abs(x).max()


BAD: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "no mass": ({"mass": [np.inf, 0.0]}, ("body 1", "mass 0")),
    "fixed on another": ({"parent": [1, -1]}, ("body 0", "body 1", "parent -1")),
    "inertia that is none": ({"inertia": np.array([np.zeros((3, 3)), np.diag([1.0, 1.0, -1.0])])},
                             ("body 1", "inertia", "positive definite")),
    "e of a point": ({"e": np.ones((2, 3))}, ("body 0", "e = 0")),
    "u on a point": ({"u": np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])}, ("body 1", "body 0", "u = 0")),
    "no length": ({"length": [0.0, 0.0]}, ("body 1", "length 0")),
    "no root": ({"parent": [-1, 1]}, ("body 1", "root")),
    "no inertia about z in 2-D": ({"dimension": 2, "inertia": np.array([np.zeros((3, 3)), np.diag([1.0, 1.0, 0.0])])},
                                  ("body 1", "inertia", "2-D")),
}


@pytest.mark.parametrize("case", BAD)
def test_what_has_no_equations_is_refused(case: str) -> None:
    changes, names = BAD[case]
    given_ = {"parent": [-1, 0], "mass": [np.inf, 1.0], "length": [0.0, 1.0], **changes}
    with refused(gr.GranumError, *names):
        scalar.prepare_cluster(**given_)
