"""The residual of contact: zero for exact solutions of one contact, and each kind of violation shows with its size."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import granum as gr
from granum.base.kernels import Floats
from granum.contact.residual import Residual, residual
from granum.contact.world import World

N = np.array([0.6, 0.8, 0.0])
T = np.array([-0.8, 0.6, 0.0])
W = (2.0, 7.0)
"""Effective inverse masses of a disk of 0.5 kg against a wall in units that are no ones."""


def judged(u: Floats, P: Floats, before: float = 0.0, mu: float = 0.5, e: float = 0.0, room: float = 0.0,
           scale: float | None = 1.0) -> Residual:
    """The residual of one contact."""
    return residual(N[None], u[None], np.array([before]), P[None], np.array([mu]), np.array([e]), np.array([W]),
                    np.array([room]), scale)


def solved(u_free: Floats, before: float, mu: float, e: float) -> tuple[Floats, Floats]:
    """Exact u and P of one contact of a disk with a wall: u = u_free + w_n p n + w_t P_t, by cases."""
    u_n, u_t = float(u_free @ N), u_free - (u_free @ N) * N
    target = -e * min(before, 0.0)
    if u_n >= target:
        return u_free, np.zeros(3)
    p = (target - u_n) / W[0]
    stick = -u_t / W[1]
    size = float(np.linalg.norm(stick))
    P_t = stick if size <= mu * p else stick * (mu * p / size)
    return target * N + u_t + W[1] * P_t, p * N + P_t


EXACT = {
    "stick": (-1.0 * N + 0.5 * T, 0.0, 0.5, 0.0),
    "slip": (-1.0 * N - 3.0 * T, 0.0, 0.5, 0.0),
    "slip in space": (-1.0 * N - 3.0 * T + np.array([0.0, 0.0, 2.0]), 0.0, 0.5, 0.0),
    "frictionless": (-1.0 * N - 3.0 * T, 0.0, 0.0, 0.0),
    "open": (0.3 * N - 3.0 * T, 0.0, 0.5, 0.0),
    "impact": (-2.0 * N + 0.1 * T, -2.0, 0.5, 0.7),
    "impact with slip": (-2.0 * N + 20.0 * T, -2.0, 0.5, 1.0),
    "opening after approach": (3.0 * N, -2.0, 0.5, 0.7),
    "at rest": (np.zeros(3), 0.0, 0.5, 0.7),
}


@pytest.mark.parametrize("name", EXACT)
def test_exact_solutions_have_none(name: str) -> None:
    u_free, before, mu, e = EXACT[name]
    u, P = solved(u_free, before, mu, e)
    assert judged(u, P, before, mu, e).largest < 1e-14


VIOLATIONS = {
    # what is wrong: u, P, before, μ, e, and the velocity by which it is wrong
    "penetrating": (-0.3 * N, 0.0 * N, 0.0, 0.5, 0.0, 0.3),
    "pulling": (0.0 * N, -0.1 * N, 0.0, 0.5, 0.0, 0.1 * W[0]),
    "pressing while it opens": (0.2 * N, 0.4 * N, 0.0, 0.5, 0.0, 0.2),
    "too little rebound": (0.5 * N, 1.0 * N, -1.0, 0.5, 0.7, 0.2),
    "too much rebound": (0.9 * N, 1.0 * N, -1.0, 0.5, 0.7, 0.2),
    "outside of the cone": (0.0 * N, 1.0 * N + 0.8 * T, 0.0, 0.5, 0.0, 0.3 * W[1]),
    "sliding without friction": (0.4 * T, 1.0 * N, 0.0, 0.5, 0.0, 0.4),
    "friction that pushes on": (0.4 * T, 1.0 * N + 0.5 * T, 0.0, 0.5, 0.0, 0.4),
    "friction of an open contact": (0.4 * N, 0.1 * T, 0.0, 0.5, 0.0, 0.1 * W[1]),
}


@pytest.mark.parametrize("name", VIOLATIONS)
def test_each_violation_shows_with_its_velocity(name: str) -> None:
    u, P, before, mu, e, size = VIOLATIONS[name]
    assert judged(u, P, before, mu, e).largest == pytest.approx(size, rel=1e-13)


def test_it_is_among_the_measures() -> None:
    """`gr.measuring` has it, though it is that of the solvers."""
    assert gr.measuring.residual is residual and gr.measuring.Residual is Residual
    assert {"residual", "Residual", "stress"} <= set(dir(gr.measuring))
    with pytest.raises(AttributeError, match="resdiual"):
        _ = gr.measuring.resdiual


def test_a_gap_may_close_but_not_more() -> None:
    assert judged(-0.3 * N, 0.0 * N, room=0.3).largest < 1e-15  # n·n is 1 to some 1e-16, times 0.3
    assert judged(-0.3 * N, 1.0 * N, room=0.3).largest < 1e-15
    assert judged(-0.5 * N, 0.0 * N, room=0.3).largest == pytest.approx(0.2)
    assert judged(0.1 * N, 1.0 * N, room=0.3).largest == pytest.approx(0.4)


def random_contacts(count: int, seed: int) -> tuple[Floats, ...]:
    rng = np.random.default_rng(seed)
    n = rng.normal(size=(count, 3))
    n /= np.linalg.norm(n, axis=1)[:, None]
    return (n, rng.normal(size=(count, 3)), rng.normal(size=count), rng.normal(size=(count, 3)) + n,
            rng.uniform(0.0, 1.0, count), rng.uniform(0.0, 1.0, count), rng.uniform(0.5, 4.0, (count, 2)))


def test_relative_residual_does_not_know_units() -> None:
    """In other units of mass and time, u, P and w change together, and what is relative stays."""
    n, u, before, P, mu, e, w = random_contacts(200, 1)
    here = residual(n, u, before, P, mu, e, w)
    there = residual(n, 60.0 * u, 60.0 * before, 60.0 * 1e3 * P, mu, e, w / 1e3)
    assert there.rms == pytest.approx(60.0 * here.rms, rel=1e-12)
    assert there.relative_rms == pytest.approx(here.relative_rms, rel=1e-12)
    assert there.relative_largest == pytest.approx(here.relative_largest, rel=1e-12)
    assert there.worst == here.worst


def test_statistics_are_those_of_the_single_contacts() -> None:
    n, u, before, P, mu, e, w = random_contacts(50, 2)
    single = np.array([residual(n[c:c + 1], u[c:c + 1], before[c:c + 1], P[c:c + 1], mu[c:c + 1], e[c:c + 1],
                                w[c:c + 1]).largest for c in range(50)])
    found = residual(n, u, before, P, mu, e, w, scale=2.0)
    assert found.rms == pytest.approx(math.sqrt(np.mean(single**2)), rel=1e-13)
    assert (found.largest, found.worst) == (single.max(), single.argmax())
    assert found.relative_largest == found.largest / 2.0


def test_zero_only_where_the_law_holds() -> None:
    """Newton's iteration would stop there: the residual along a line to the solution falls to zero at its end only."""
    u_free, before, mu, e = EXACT["slip in space"]
    u, P = solved(u_free, before, mu, e)
    sizes = [judged(u + s * (u_free - u), P * (1.0 - s), before, mu, e).largest for s in (1.0, 0.5, 0.1, 0.01, 0.0)]
    assert all(a > b for a, b in pairwise(sizes))


def test_nothing_has_no_residual() -> None:
    none = np.zeros((0, 3))
    found = residual(none, none, np.zeros(0), none, np.zeros(0), np.zeros(0), np.zeros((0, 2)))
    assert (found.rms, found.largest, found.worst) == (0.0, 0.0, -1)


def test_rigid_steps_report_this_residual() -> None:
    """The figure of a step of moreau, computed inside its kernels, is the residual of its contacts."""
    scene = gr.Scene(
        material={"m": {"friction": 0.3, "restitution": 0.5, "density": 1000.0}},
        boundary={"box": {"kind": "box", "lower": (0.0, 0.0), "upper": (1.0, 9.0), "open": ("+y",)}},
        pattern={"p": {"kind": "grains", "count": 40, "radius": (0.05, 0.07),
                       "region": {"kind": "box", "lower": (0.0, 0.0), "upper": (1.0, 1.5)}}},
        load={"g": {"kind": "gravity", "acceleration": (0.0, -9.81)}}, run={"solver": "moreau"})
    world, h = World(scene), 1e-3
    solver = world.solver
    none = np.zeros((0, 3))
    for _ in range(400):
        solver.advance(1, h, none)
    solver.neighbour_list.save_history()
    solver.neighbour_list.rebuild()  # so that the step to be looked at leaves its contacts in place
    solver.statistics()
    solver.advance(1, h, none)
    reported = solver.statistics()
    problem, v = solver.problem, solver.state.v
    kept = np.flatnonzero(problem.contact["gap"][: problem.slab["listed"][-1]] <= 0.0)
    ci, cj, c = problem.i[kept], problem.j[kept], problem.contact[kept]
    n, q = (np.column_stack([c[f"{vector}{axis}"] for axis in "xyz"]) for vector in "nq")
    u = v[cj, :3] - v[ci, :3] - np.cross(v[ci, 4:7] + v[cj, 4:7], n)
    P = c["p"][:, None] * n + q
    W = np.column_stack([1.0 / c["mass_n"], 1.0 / c["mass_t"]])
    found = residual(n, u, np.full(len(c), -1.0), P, c["friction"], c["target"], W)
    assert len(c) > 20  # 40 grains, some still in the air
    assert found.largest == pytest.approx(reported["largest_residual"], rel=1e-9)
