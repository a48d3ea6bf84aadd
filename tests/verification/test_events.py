"""Located impacts and stick-slip against closed forms; tolerances are those of rounding and of located times."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from granum.base.errors import GranumError
from granum.contact.event_driven.events import Events
from granum.grains.geometry.boundaries import Elements, compile_boundaries
from granum.grains.state import Grains
from granum.grains.tables import Tables
from granum.model.boundaries import Boundary, FixedDisk, FixedSphere, Motion, Plane
from messages import refused

G = 9.81
DISK, SPHERE = 2.0, 2.5
DOWN = np.array([0.0, -G, 0.0])
NOTHING = np.zeros(3)


def quiet(_: float) -> None:
    """Nobody watches."""


def around(dimension: int = 2, **boundaries: Boundary) -> Elements:
    return compile_boundaries(SimpleNamespace(boundary=boundaries), dimension, ["stone"])


FLOOR = around(floor=Plane(position=(0.0, 0.0), normal=(0.0, 1.0)))
OPEN = around()


def grains(x, v=0.0, s=0.0, r=0.1, m=1.0, kappa=DISK) -> Grains:
    """Grains at x, (count, 2 or 3)."""
    x = np.atleast_2d(np.asarray(x, float))
    count = len(x)
    state = Grains(0.0, np.zeros((count, 4)), np.zeros((count, 8)), np.zeros(count, np.int32), np.arange(count),
                   np.zeros(count, np.int32))
    state.x[:, :x.shape[1]], state.x[:, 3] = x, r
    state.v[:, 3] = 1.0 / np.asarray(m)
    state.v[:, 7] = kappa / np.asarray(m)
    for columns, given in ((slice(0, 3), v), (slice(4, 7), s)):
        given = np.asarray(given, float)
        if given.ndim:
            given = np.atleast_2d(given)
            state.v[:, columns][:, :given.shape[1]] = given
    return state


def tables(friction=0.0, restitution=0.0, rolling=0.0) -> Tables:
    given = {"friction": friction, "restitution": restitution, "rolling_friction": rolling}
    return Tables(["stone"], {key: np.full((1, 1), float(value)) for key, value in given.items()})


class Books:
    """Energy of grains at the start, to see later whether the ledger closes."""

    def __init__(self, events: Events, gravity=DOWN) -> None:
        self.events, self.gravity, self.start = events, gravity, 0.0
        self.start = self.total()

    def total(self) -> float:
        """What must not change."""
        state, (impact, friction, boundary, corrections) = self.events.grains, self.events.ledger
        potential = -float(np.sum(state.mass * (state.x[:, :3] @ self.gravity)))
        return state.kinetic_energy() + potential + impact + friction - boundary - corrections

    def close(self, turned_over: float) -> None:
        """Check."""
        assert abs(self.total() - self.start) < 1e-9 * turned_over
        assert abs(self.events.ledger[3]) < 1e-9 * turned_over


# ------------------------------------------------------------------ impacts


@pytest.mark.parametrize("e", [0.5, 0.9])
def test_bounces_come_at_their_times_and_end(e):
    h, state = 1.0, grains((0.0, 1.1))
    events = Events(state, tables(0.3, e), DOWN, FLOOR)
    books = Books(events)
    top = []
    fall = math.sqrt(2.0 * h / G)
    for n in range(4):
        events.advance(fall * (1.0 + 2.0 * (1.0 - e**n) * e / (1.0 - e) + e ** (n + 1)), quiet)
        top.append(state.x[0, 1] - 0.1)
    assert np.allclose(top, [h * e ** (2 * (n + 1)) for n in range(4)], rtol=1e-12, atol=0.0)
    end = fall * (1.0 + 2.0 * e / (1.0 - e))
    events.advance(2.0 * end, quiet)
    times = np.array([event.time for event in events.log])
    expected = fall * (1.0 + 2.0 * e * (1.0 - e ** np.arange(len(times))) / (1.0 - e))
    assert np.allclose(times, expected, rtol=1e-13, atol=0.0)
    assert e ** len(times) <= events.rest / math.sqrt(2.0 * G * h) < e ** (len(times) - 1)
    assert 0.0 < end - times[-1] <= 2.0 * events.rest / G / (1.0 - e)
    assert events.rest < 2e-7
    assert np.all(state.v[:, :3] == 0.0)
    assert state.x[0, 1] == 0.1
    books.close(G * h)


@pytest.mark.parametrize("kappa", [DISK, SPHERE])
@pytest.mark.parametrize("friction", [0.0, 0.1, 0.2, 0.5, 1.0])
def test_oblique_impact(kappa, friction):
    """P_t = min(μ (1 + e) m u_n, m u_t / (1 + κ)), spin s = κ P_t / m."""
    e, m, u_t, u_n, spin = 0.6, 2.0, 3.0, 2.0, 0.4
    # an impact is some twenty operations on numbers of size 1 to 10: 1e-14, and 10 for another processor
    state = grains((0.0, 0.1 + 1e-3), (u_t, -u_n), (0.0, 0.0, spin), m=m, kappa=kappa)
    events = Events(state, tables(friction, e), NOTHING, FLOOR)
    books = Books(events, NOTHING)
    events.advance(1e-2, quiet)
    slip = u_t + spin
    push = min(friction * (1.0 + e) * m * u_n, m * slip / (1.0 + kappa))
    assert np.allclose(state.v[0, :3], [u_t - push / m, e * u_n, 0.0], rtol=1e-13, atol=1e-14)
    assert state.v[0, 6] == pytest.approx(spin - kappa * push / m, rel=1e-13, abs=1e-14)
    impact, heat = events.ledger[:2]
    assert impact == pytest.approx(0.5 * m * (1.0 - e * e) * u_n**2, rel=1e-13)
    assert heat == pytest.approx(push * (slip - 0.5 * push * (1.0 + kappa) / m), rel=1e-12, abs=1e-14)
    books.close(20.0)


@pytest.mark.parametrize("impacts", ["newton", "sequence"])
def test_oblique_impact_in_space_of_two_unequal_balls(impacts):
    """In the frame of the contact as in the plane: the masses are replaced by 1/w_n and 1/w_t."""
    rng = np.random.default_rng(1)
    n = rng.normal(size=3)
    n /= np.linalg.norm(n)
    v, s = rng.normal(size=(2, 3)), rng.normal(size=(2, 3))
    v[1] -= (n @ (v[1] - v[0]) + 1.5) * n
    m, e, friction = np.array([1.0, 3.0]), 0.7, 0.05
    state = grains([[0.0, 0.0, 0.0], 0.3 * n], v, s, r=[0.1, 0.2], m=m, kappa=SPHERE)
    events = Events(state, tables(friction, e), NOTHING, around(3), impacts)
    before = v[1] - v[0] - np.cross(s[0] + s[1], n)
    events.advance(1e-9, quiet)
    tangent = before + 1.5 * n
    p = 1.5 * (1.0 + e) / np.sum(1.0 / m)
    stick = np.linalg.norm(tangent) / np.sum((1.0 + SPHERE) / m)
    assert friction * p < stick  # slides
    P = p * n - friction * p * tangent / np.linalg.norm(tangent)
    assert np.allclose(state.v[:, :3], v + np.outer([-1.0, 1.0], P) / m[:, None], atol=1e-14)
    assert np.allclose(state.v[:, 4:7], s - SPHERE * np.cross(n, P) / m[:, None], atol=1e-14)


def test_newtons_cradle_in_sequence():
    state = grains([[0.2 * k - 0.3 * (k == 0), 0.0] for k in range(5)], [[1.0, 0.0]] + 4 * [[0.0, 0.0]])
    events = Events(state, tables(0.0, 1.0), NOTHING, OPEN, "sequence")
    events.advance(1.0, quiet)
    assert np.allclose(state.v[:, 0], [0.0, 0.0, 0.0, 0.0, 1.0], atol=1e-14)
    assert state.kinetic_energy() == pytest.approx(0.5, rel=1e-12)
    assert state.x[4, 0] == pytest.approx(0.8 + 0.7, rel=1e-13)
    assert [(event.first, event.second) for event in events.log if event.kind == "impact"][:1] == [(0, 1)]


def test_newtons_cradle_by_newtons_law():
    """All at once: balls 2 to 5 stay together, so one ball of mass m meets one of 4 m."""
    state = grains([[0.2 * k - 0.3 * (k == 0), 0.0] for k in range(5)], [[1.0, 0.0]] + 4 * [[0.0, 0.0]])
    events = Events(state, tables(0.0, 1.0), NOTHING, OPEN, "newton")
    events.advance(1.0, quiet)
    assert np.allclose(state.v[:, 0], [-0.6, 0.4, 0.4, 0.4, 0.4], atol=1e-14)
    assert state.kinetic_energy() == pytest.approx(0.5, rel=1e-12)


@pytest.mark.parametrize("impacts", ["newton", "sequence"])
@pytest.mark.parametrize("e", [1.0, 0.8])
def test_billiard_break(impacts, e):
    r = 0.03
    rack = [[math.sqrt(3.0) * r * row, r * (2 * k - row)] for row in range(5) for k in range(row + 1)]
    state = grains([[-0.5, 0.002], *rack], [[8.0, 0.0]] + 15 * [[0.0, 0.0]], r=r, m=0.17, kappa=SPHERE)
    events = Events(state, tables(0.0 if e == 1.0 else 0.1, e), NOTHING, OPEN, impacts)
    books = Books(events, NOTHING)
    events.advance(0.5, quiet)
    momentum = state.mass @ state.v[:, :3]
    assert np.allclose(momentum, [0.17 * 8.0, 0.0, 0.0], atol=1e-14)
    books.close(0.5 * 0.17 * 64.0)
    energy = state.kinetic_energy() / (0.5 * 0.17 * 64.0)
    assert energy == pytest.approx(1.0, rel=1e-12) if e == 1.0 else energy < 0.95
    x = state.x[:, :3]
    apart = np.linalg.norm(x[:, None] - x[None], axis=2)[np.triu_indices(16, 1)]
    assert apart.min() > 2.0 * r * (1.0 - 1e-12)


# ------------------------------------------------------------------ rolling and sliding


@pytest.mark.parametrize("kappa", [DISK, SPHERE])
@pytest.mark.parametrize("part", [0.5, 0.99, 1.0, 1.01, 2.0])
def test_incline(kappa, part):
    """Rolls with g sin a κ/(1 + κ) iff tan a ≤ μ (1 + κ), else slides with g (sin a - μ cos a) (Souchet)."""
    friction = 0.2
    a = math.atan(part * friction * (1.0 + kappa))
    pull = G * np.array([math.sin(a), -math.cos(a), 0.0])
    state = grains((0.0, 0.1), kappa=kappa)
    events = Events(state, tables(friction), pull, FLOOR)
    books = Books(events, pull)
    events.advance(2.0, quiet)
    rolls = part <= 1.0
    speed = 2.0 * (pull[0] * kappa / (1.0 + kappa) if rolls else pull[0] + friction * pull[1])
    spin = -speed if rolls else 2.0 * friction * kappa * pull[1]
    assert np.allclose(state.v[0, :3], [speed, 0.0, 0.0], rtol=1e-12, atol=1e-14)
    assert np.allclose(state.v[0, 4:7], [0.0, 0.0, spin], rtol=1e-12, atol=1e-14)
    assert state.x[0, 0] == pytest.approx(speed, rel=1e-12)
    assert part == 1.0 or events.closed == {(-1, 0): "sticks" if rolls else "slides"}
    books.close(0.5 * speed**2)


@pytest.mark.parametrize("kappa", [DISK, SPHERE])
def test_sliding_becomes_rolling(kappa):
    v0, friction = 3.0, 0.3
    state = grains((0.0, 0.1), (v0, 0.0), kappa=kappa)
    events = Events(state, tables(friction), DOWN, FLOOR)
    books = Books(events)
    events.advance(2.0, quiet)
    (event,) = events.log
    assert (event.kind, event.first, event.second) == ("sticks", -1, 0)
    assert event.time == pytest.approx(v0 / (friction * G * (1.0 + kappa)), rel=1e-10)
    assert state.v[0, 0] == pytest.approx(kappa / (1.0 + kappa) * v0, rel=1e-13)
    assert events.ledger[1] == pytest.approx(0.5 * v0**2 / (1.0 + kappa), rel=1e-12)
    books.close(0.5 * v0**2)


def test_ball_thrown_with_spin_turns_aside_until_it_rolls():
    """In space: u̇_t = -(1 + κ) μ g e keeps its direction, so slip ends at |u|/((1 + κ) μ g), v = v₀ - u₀/(1 + κ)."""
    floor = around(3, floor=Plane(position=(0.0, 0.0, 0.0), normal=(0.0, 0.0, 1.0)))
    v0, s0 = np.array([2.0, 0.0, 0.0]), np.array([3.0, 1.0, 0.7])
    state = grains((0.0, 0.0, 0.1), v0, s0, kappa=SPHERE)
    events = Events(state, tables(0.25), np.array([0.0, 0.0, -G]), floor)
    u0 = v0 - np.cross(s0, [0.0, 0.0, 1.0])
    events.advance(3.0, quiet)
    (event,) = events.log
    assert event.time == pytest.approx(np.linalg.norm(u0) / (3.5 * 0.25 * G), rel=1e-10)
    assert np.allclose(state.v[0, :3], v0 - u0 / 3.5, atol=1e-12)
    assert state.v[0, 6] == 0.7


def test_thrown_wheel_like_that_of_document_004():
    """Backspin up a slope: every throw of `granum reproduce wheel`, phase by phase."""
    from granum.validation.wheel import THROWS, phases
    for throw in THROWS:
        a = math.radians(throw.angle)
        state = grains((0.0, 1.0), (throw.speed, 0.0), (0.0, 0.0, throw.angular_velocity), r=1.0)
        events = Events(state, tables(throw.friction), G * np.array([-math.sin(a), -math.cos(a), 0.0]), FLOOR)
        events.advance(1.0, quiet)
        expected = phases(throw)
        x, v, omega = expected[-1].at(1.0)
        assert np.allclose([state.x[0, 0], state.v[0, 0], state.v[0, 6]], [x, v, omega], rtol=1e-11, atol=1e-11)
        changes = [event.time for event in events.log if event.kind in ("sticks", "slides")]
        assert len(changes) <= len(expected) - 1 or throw.angle == 45
        if changes:
            assert changes[0] == pytest.approx(expected[1].begin, rel=1e-10)


# ------------------------------------------------------------------ opening


@pytest.mark.parametrize(("friction", "cosine"), [(0.0, 2.0 / 3.0), (5.0, 4.0 / 7.0)])
@pytest.mark.parametrize("dimension", [2, 3])
def test_leaving_the_top_of_a_fixed_circle(friction, cosine, dimension):
    """From rest at angle θ₀: cos θ = 2/3 cos θ₀; a disk that rolls, 4/7; a ball, 10/17."""
    R, start = 1.0, 0.1
    round_ = FixedDisk(centre=(0.0, 0.0), radius=R) if dimension == 2 else FixedSphere(centre=(0.0, 0.0, 0.0), radius=R)
    if dimension == 3 and friction:
        cosine = 10.0 / 17.0
    state = grains((1.1 * math.sin(start), 1.1 * math.cos(start)), kappa=DISK if dimension == 2 else SPHERE)
    events = Events(state, tables(friction), DOWN, around(dimension, round=round_))
    books = Books(events)
    while not any(event.kind == "opens" for event in events.log):
        events.advance(state.t + 0.01, quiet)
    left, = (event.time for event in events.log if event.kind == "opens")
    back = left - state.t
    # along the parabola back to where it left
    x = state.x[0, :3] + back * state.v[0, :3] + 0.5 * back**2 * DOWN
    limit = cosine * math.cos(start)
    # rolling: friction large enough for all but the last of the way, where the force vanishes and it slips
    assert x[1] / 1.1 == pytest.approx(limit, rel=1e-8 if not friction else 2e-2)
    assert np.linalg.norm(x) == pytest.approx(1.1, rel=1e-11)
    events.advance(state.t + 0.3, quiet)
    books.close(G * 1.1)


def test_rolling_disk_leaves_where_friction_no_longer_matters():
    """With ever more friction a disk that rolls leaves at cos θ = 4/7 cos θ₀, located to 1e-8."""
    start = 0.1
    state = grains((1.1 * math.sin(start), 1.1 * math.cos(start)))
    events = Events(state, tables(1e7), DOWN, around(round=FixedDisk(centre=(0.0, 0.0), radius=1.0)))
    while not any(event.kind == "opens" for event in events.log):
        events.advance(state.t + 0.01, quiet)
    left, = (event.time for event in events.log if event.kind == "opens")
    back = left - state.t
    x = state.x[0, :3] + back * state.v[0, :3] + 0.5 * back**2 * DOWN
    assert x[1] / 1.1 == pytest.approx(4.0 / 7.0 * math.cos(start), rel=1e-8)


def test_swinging_in_a_hollow():
    """A frictionless disk in a round hole is a pendulum: it comes back after 4 K(k) √(l/g)."""
    from scipy.special import ellipk
    angle, length = 1.0, 0.9
    state = grains((length * math.sin(angle), -length * math.cos(angle)))
    events = Events(state, tables(), DOWN, around(hole=FixedDisk(centre=(0.0, 0.0), radius=-1.0)))
    books = Books(events)
    period = 4.0 * math.sqrt(length / G) * ellipk(math.sin(0.5 * angle) ** 2)
    for k in range(1, 5):
        events.advance(k * period / 4.0, quiet)
    assert np.allclose(state.x[0, :2], [length * math.sin(angle), -length * math.cos(angle)], atol=1e-10)
    assert np.allclose(state.v[0, :2], 0.0, atol=1e-9)
    books.close(G)


# ------------------------------------------------------------------ piles


def pyramid() -> Grains:
    return grains([[-0.1, 0.1], [0.1, 0.1], [0.0, 0.1 + 0.1 * math.sqrt(3.0)]])


@pytest.mark.parametrize(("between", "floor", "stands"), [
    (1.01, 1.01, True), (0.99, 1.01, False), (1.01, 0.99, False), (3.0, 3.0, True)])
def test_three_cylinders_stand_if_friction_suffices(between, floor, stands):
    """One on two: between them tan 15°, at the floor (2 - √3)/3."""
    mu = np.array([[between * math.tan(math.radians(15.0)), floor * (2.0 - math.sqrt(3.0)) / 3.0],
                   [floor * (2.0 - math.sqrt(3.0)) / 3.0, 0.0]])
    table = Tables(["stone", "ground"], {"friction": mu, "restitution": np.zeros((2, 2)),
                                         "rolling_friction": np.zeros((2, 2))})
    elements = compile_boundaries(SimpleNamespace(boundary={
        "floor": Plane(position=(0.0, 0.0), normal=(0.0, 1.0), material="ground")}), 2, ["stone", "ground"])
    state = pyramid()
    events = Events(state, table, DOWN, elements)
    books = Books(events)
    start = state.x.copy()
    events.advance(0.5, quiet)
    if stands:
        assert np.allclose(state.x, start, atol=1e-14)
        assert np.allclose(state.v[:, :3], 0.0, atol=1e-13)
    else:
        assert state.x[2, 1] < start[2, 1] - 1e-3
    books.close(3.0 * G * 0.1)


@pytest.mark.parametrize(("rows", "friction"), [
    (3, 0.5), (3, 0.35), (4, 0.3), (4, 0.5), (5, 0.45), (5, 0.55), (5, 1.0)])
def test_pile_stays_if_and_only_if_forces_within_friction_can_hold_it(rows, friction):
    """A triangle of disks, against a linear programme for forces in the cones (limit analysis)."""
    from scipy.optimize import linprog
    state = grains([[0.2 * k + 0.1 * row, 0.1 + 0.1 * row * math.sqrt(3.0)] for row in range(rows)
                    for k in range(rows - row)])
    count, ends = state.count, [(-1, k) for k in range(rows)]
    x = state.x[:, :3]
    ends += [(i, j) for j in range(count) for i in range(j) if np.linalg.norm(x[j] - x[i]) < 0.2001]
    balance, bounds = np.zeros((3 * count, 2 * len(ends))), np.zeros((2 * len(ends), 2 * len(ends)))
    for k, (i, j) in enumerate(ends):
        n = np.array([0.0, 1.0]) if i < 0 else (x[j] - x[i])[:2] / 0.2
        for column, force in ((2 * k, n), (2 * k + 1, np.array([-n[1], n[0]]))):
            balance[3 * j:3 * j + 3, column] += [*force, -(n[0] * force[1] - n[1] * force[0])]
            if i >= 0:
                balance[3 * i:3 * i + 3, column] += [*-force, -(n[0] * force[1] - n[1] * force[0])]
        bounds[2 * k:2 * k + 2, 2 * k:2 * k + 2] = [[-friction, 1.0], [-friction, -1.0]]
    weight = np.tile([0.0, G, 0.0], count)
    possible = linprog(np.zeros(2 * len(ends)), A_ub=bounds, b_ub=np.zeros(2 * len(ends)), A_eq=balance, b_eq=weight,
                       bounds=[(0.0, None), (None, None)] * len(ends)).status == 0
    Events(state, tables(friction), DOWN, FLOOR).advance(0.01, quiet)
    fastest = np.abs(state.v[:, [0, 1, 6]]).max()
    assert fastest < 1e-12 if possible else fastest > 1e-3


def test_stack_of_twenty_disks_stands_still():
    state = grains([[0.0, 0.1 + 0.2 * k] for k in range(20)])
    events = Events(state, tables(0.3, 0.5), DOWN, FLOOR)
    start = state.x.copy()
    events.advance(10.0, quiet)
    assert np.allclose(state.x, start, atol=1e-13)
    assert np.abs(state.v[:, :3]).max() < 1e-12


def test_disks_that_roll_side_by_side_need_no_events():
    """They approach by rounding alone, 5e-13 of their speed, and overlap by what closed contacts may after 1 s: from
    then on each 1e-9 s was another touch that changed nothing.
    """
    v = np.array([[1.0 + 5e-13, 0.0], [1.0, 0.0]])
    state = grains([[0.0, 0.1], [0.2, 0.1]], v=v, s=np.column_stack([np.zeros((2, 2)), -v[:, 0]]))
    events = Events(state, tables(friction=0.4, restitution=0.3), DOWN, FLOOR)
    statistics = events.advance(10.0, quiet)
    assert statistics.steps < 50
    assert state.x[1, 0] - state.x[0, 0] == pytest.approx(0.2, abs=2e-12)
    assert state.x[1, 0] == pytest.approx(10.2, abs=1e-10) and not events.log


@pytest.mark.parametrize("impacts", ["newton", "sequence"])
def test_grains_settle_in_a_box_and_the_ledger_closes(impacts):
    rng = np.random.default_rng(3)
    box = around(floor=Plane(position=(0.0, 0.0), normal=(0.0, 1.0)),
                 left=Plane(position=(0.0, 0.0), normal=(1.0, 0.0)),
                 right=Plane(position=(0.5, 0.0), normal=(-1.0, 0.0)))
    places = [[0.15 + 0.22 * (k % 2) + 0.01 * rng.random(), 0.2 + 0.25 * (k // 2)] for k in range(5)]
    state = grains(places, rng.normal(size=(5, 2)), r=rng.uniform(0.07, 0.1, 5))
    events = Events(state, tables(0.4, 0.2), DOWN, box, impacts)
    books = Books(events)
    for k in range(1, 31):
        events.advance(0.1 * k, quiet)
        x = state.x
        apart = np.linalg.norm(x[:, None, :3] - x[None, :, :3], axis=2) - x[:, 3] - x[:, None, 3]
        assert apart[np.triu_indices(5, 1)].min() > -1e-11
    books.close(5.0 * G * 0.5)
    assert np.abs(state.v[:, :3]).max() < 1e-12
    weight = G * np.sum(state.mass)
    lift = sum(force for (first, _), force in zip(events.closed, events.forces[:, 1], strict=True) if first == -1)
    lift += sum(force for (first, _), force in zip(events.closed, events.forces[:, 1], strict=True) if first < -1)
    assert lift == pytest.approx(weight, rel=1e-12)


# ------------------------------------------------------------------ moving boundaries


def test_piston_drives_a_ball_and_its_work_is_booked():
    """A wall at speed V meets a ball at rest, e = 1: it flies off with 2 V."""
    wall = around(wall=Plane(position=(-0.5, 0.0), normal=(1.0, 0.0), motion=Motion(velocity=(2.0, 0.0))))
    state = grains((0.0, 0.0))
    events = Events(state, tables(0.0, 1.0), NOTHING, wall)
    books = Books(events, NOTHING)
    events.advance(1.0, quiet)
    # a root and an impact: some twenty operations, 2e-15, and 50 for another processor
    assert events.log[0].time == pytest.approx(0.2, rel=1e-13)
    assert state.v[0, 0] == pytest.approx(4.0, rel=1e-13)
    assert events.ledger[2] == pytest.approx(8.0, rel=1e-13)
    books.close(8.0)


def test_conveyor_takes_a_disk_along_and_a_wall_that_stops():
    """A floor that begins to slide at t = 0.1: the disk rolls when its slip V is used up, with v = V/(1 + κ)."""
    floor = around(floor=Plane(position=(0.0, 0.0), normal=(0.0, 1.0),
                               motion=Motion(velocity=(3.0, 0.0), start_time=0.1)))
    state = grains((0.0, 0.1))
    events = Events(state, tables(0.3), DOWN, floor)
    books = Books(events)
    events.advance(2.0, quiet)
    assert [event.kind for event in events.log] == ["slides", "sticks"]
    assert events.log[0].time == 0.1
    assert events.log[1].time == pytest.approx(0.1 + 3.0 / (0.3 * G * 3.0), rel=1e-10)
    assert state.v[0, 0] == pytest.approx(1.0, rel=1e-12)
    books.close(4.5)


def test_ball_leaves_a_shaken_floor_when_it_falls_faster_than_g():
    """y = A sin ωt: the force vanishes when A ω² sin ωt = g."""
    A, omega = 0.05, 2.0 * math.pi * 3.0
    floor = around(floor=Plane(position=(0.0, 0.0), normal=(0.0, 1.0),
                               motion=Motion(amplitude=(0.0, A), frequency=3.0)))
    state = grains((0.0, 0.1), (0.0, A * omega))
    events = Events(state, tables(0.3, 0.2), DOWN, floor)
    books = Books(events)
    events.advance(2.0, quiet)
    first = next(event for event in events.log if event.kind == "opens")
    assert first.time == pytest.approx(math.asin(G / (A * omega**2)) / omega, rel=1e-8)
    lands = next(event for event in events.log if event.kind == "impact")
    left = first.time
    height = A * math.sin(omega * left) + A * omega * math.cos(omega * left) * (lands.time - left) \
        - 0.5 * G * (lands.time - left) ** 2
    assert height == pytest.approx(A * math.sin(omega * lands.time), abs=1e-11)
    books.close(max(1.0, events.ledger[2]))


def test_drum_carries_a_disk_up_to_where_it_rolls_in_place():
    """In a turning drum a disk may rest at the bottom and roll there; its slip is used up on the way, energy is not."""
    turning = Motion(angular_velocity=3.0, centre=(0.0, 0.0))
    drum = around(drum=FixedDisk(centre=(0.0, 0.0), radius=-0.5, motion=turning))
    state = grains((0.0, -0.4))
    events = Events(state, tables(0.3, 0.4), DOWN, drum)
    books = Books(events)
    for k in range(1, 11):
        events.advance(0.1 * k, quiet)
        assert math.hypot(*state.x[0, :2]) == pytest.approx(0.4, rel=1e-13)
    assert events.closed == {(-1, 0): "sticks"}
    n = -state.x[0, :3] / 0.4
    slip = state.v[0, :3] - np.cross(state.v[0, 4:7], n) - 3.0 * np.array([0.5 * n[1], -0.5 * n[0], 0.0])
    assert np.allclose(slip, 0.0, atol=1e-13)
    books.close(1.0)


# ------------------------------------------------------------------ going on


def test_another_order_and_another_frame_change_nothing():
    """Numbers and rows in another order, and all at a uniform velocity with the floor: the same motion."""
    x = np.array([[0.0, 0.1], [0.21, 0.5], [0.1, 0.9], [0.5, 0.3]])
    v = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, -1.0], [-1.0, 0.0]])
    found = []
    for order, speed in (([0, 1, 2, 3], 0.0), ([2, 0, 3, 1], 0.0), ([0, 1, 2, 3], 0.7)):
        floor = around(floor=Plane(position=(0.0, 0.0), normal=(0.0, 1.0), motion=Motion(velocity=(speed, 0.0))))
        state = grains(x[order], v[order] + [speed, 0.0])
        Events(state, tables(0.3, 0.5), DOWN, floor, tolerance=1e-13).advance(0.35, quiet)
        back = np.argsort(order)
        found.append(np.hstack([state.x[back, :2] - [0.35 * speed, 0.0], state.v[back, :2] - [speed, 0.0],
                                state.v[back, 6:7]]))
    assert np.allclose(found[1], found[0], atol=1e-10)
    assert np.allclose(found[2], found[0], atol=1e-10)


def test_resumed_run_has_the_same_bits():
    def start() -> Events:
        state = grains([[0.0, 0.1], [0.21, 0.5], [0.1, 0.9]], [[1.0, 0.0], [0.0, 0.0], [0.0, -1.0]])
        return Events(state, tables(0.3, 0.5), DOWN, FLOOR)
    through = start()
    for k in range(1, 9):
        through.advance(0.1 * k, quiet)
    first = start()
    for k in range(1, 5):
        first.advance(0.1 * k, quiet)
    copy = Grains(first.grains.t, first.grains.x.copy(), first.grains.v.copy(), first.grains.material,
                  first.grains.number, first.grains.group)
    second = Events(copy, tables(0.3, 0.5), DOWN, FLOOR, checkpoint=first.checkpoint())
    for k in range(5, 9):
        second.advance(0.1 * k, quiet)
    assert np.array_equal(copy.x, through.grains.x)
    assert np.array_equal(copy.v, through.grains.v)
    assert first.log + second.log == through.log


def test_rolling_friction_is_refused():
    with refused(GranumError, "rolling friction"):
        Events(grains((0.0, 0.1)), tables(0.3, 0.5, 0.1), DOWN, FLOOR)
