"""`unilateral` (Sun 1996, chapters 4 and 5, one-sided) against closed forms, conservation laws and `moreau`."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from grain_beds import FLOOR, NOTHING, G, advance, disks, energy, gap_of_ledger, make
from granum.base.errors import NotConvergedError
from granum.grains.search.history import as_numbers
from messages import refused

TOLERANCE = 1e-10


def block(angle: float, friction: float, speed: float = 0.0) -> Any:
    """A disk that does not turn on a plane inclined by `angle`; x points down the slope."""
    return make("unilateral", disks((0.0, 0.1), (speed, 0.0), 0.1), FLOOR, (G * math.sin(angle), -G * math.cos(angle)),
                friction=friction, tolerance=TOLERANCE)


def order(errors: list[float]) -> list[float]:
    """Orders from errors at steps that halve each time."""
    return [math.log2(a / b) for a, b in pairwise(errors)]


@pytest.mark.parametrize("friction", [0.0, 0.1, 0.3, 0.5])
def test_block_slides_down(friction: float) -> None:
    """a = g (sin α - μ cos α) is constant, so that the scheme is exact."""
    angle = math.radians(30.0)
    grains = advance(block(angle, friction), 1.0, 1e-3)
    a = G * (math.sin(angle) - friction * math.cos(angle))
    assert grains.v[0, 0] == pytest.approx(a, rel=1e-9)
    assert grains.x[0, 0] == pytest.approx(0.5 * a, rel=1e-9)
    assert grains.x[0, 1] == pytest.approx(0.1, abs=1e-12)


def test_block_rests() -> None:
    """Below the angle of friction the block stays where it is, without creep of the smoothed sign (4.16)."""
    friction = 0.5
    for angle in (0.1, 0.3, math.atan(friction) - 1e-6):
        grains = advance(block(angle, friction), 1.0, 1e-3)
        assert abs(grains.v[0, 0]) < 1e-12
        assert abs(grains.x[0, 0]) < 1e-12


@pytest.mark.parametrize("part", [0.25, 0.5, 0.9])
def test_stopping_distance(part: float) -> None:
    """v²/2μg; the last step, of which motion takes a part θ, adds μ g h² θ (1 - θ)/2."""
    mu, errors = 0.3, []
    for h in (8e-3, 4e-3, 2e-3):
        # a speed that is used up after 100, 200, 400 steps and a part
        speed = mu * G * h * (round(0.8 / h) + part)
        grains = advance(block(0.0, mu, speed), 1.0, h)
        assert abs(grains.v[0, 0]) < 1e-12
        errors.append(grains.x[0, 0] - speed**2 / (2.0 * mu * G))
        assert errors[-1] == pytest.approx(0.5 * mu * G * h * h * part * (1.0 - part), rel=1e-5)
    assert order(errors) == pytest.approx([2.0, 2.0], abs=1e-4)


def test_bounce_heights() -> None:
    """e^(2n) H: the n-th highest point of the centre, found at most g h²/8 too low."""
    e, height = 0.8, 1.0
    for h in (4e-3, 1e-3):
        solver = make("unilateral", disks((0.0, height + 0.1), (0.0, 0.0), 0.1), FLOOR, restitution=e)
        start, tops, before = energy(solver), [], 0.0
        for _ in range(round(3.0 / h)):
            solver.advance(1, h, NOTHING)
            grains = solver.neighbour_list.grains
            if before > 0.0 >= grains.v[0, 1]:
                tops.append(float(grains.x[0, 1]) - 0.1)
            before = grains.v[0, 1]
        assert len(tops) > 4
        for n, top in enumerate(tops[:5], 1):
            # free flight is exact, and approach is taken back to the touch: what is left is NEAR, and the search
            assert top == pytest.approx(e ** (2 * n) * height, abs=0.5 * G * h * h + 4e-5)
        # approach is taken back to the touch after the step: up to h v of height in each bounce
        assert abs(gap_of_ledger(solver, start)) < start * h * math.sqrt(2.0 * G * height) * len(tops)


def off_the_top(h: float) -> tuple[float, float]:
    """Error of cos θ where a disk leaves a fixed one, and of its energy, in m g R."""
    solver = make("unilateral", disks((0.0, 1.1), (0.1, 0.0), 0.1), {"dome": {"kind": "disk", "centre": (0.0, 0.0),
                                                                         "radius": 1.0}}, tolerance=TOLERANCE)
    start = energy(solver)
    mass = float(solver.neighbour_list.grains.mass[0])
    for _ in range(round(2.0 / h)):
        solver.advance(1, h, NOTHING)
        if not np.any(as_numbers(solver.neighbour_list.near.wall)[:, 3:6]):
            break
    x = solver.neighbour_list.grains.x[0]
    cosine = (2.0 + 0.1**2 / (G * 1.1)) / 3.0
    return x[1] / math.hypot(x[0], x[1]) - cosine, gap_of_ledger(solver, start) / (mass * G * 1.1)


def test_link_opens_on_top_of_a_disk() -> None:
    """Without friction a disk leaves another at cos θ = 2/3 (and v²/3gR for a start with v); the ledger is of order 2.

    The link opens in the step in which its force vanishes: it is found open at most a step late, h θ' sin θ.
    """
    energies = []
    for h in (4e-3, 2e-3, 1e-3, 5e-4):
        late, gap = off_the_top(h)
        rate = math.sqrt(G / 1.1 * 2.0 / 3.0)
        assert -1.05 * h * rate * math.sqrt(5.0) / 3.0 < late < 1e-5
        energies.append(abs(gap))
    assert order(energies) == pytest.approx([2.0, 2.0, 2.0], abs=0.05)
    assert energies[0] < 1e-5


def test_link_between_grains_opens() -> None:
    """Two disks that turn about each other without anything that holds them fly apart straight away."""
    solver = make("unilateral", disks([(0.0, 0.0), (0.2, 0.0)], [(0.0, -1.0), (0.0, 1.0)], 0.1), {}, (0.0, 0.0))
    grains = advance(solver, 0.1, 1e-3)
    assert grains.v[:, :2] == pytest.approx(np.array([[0.0, -1.0], [0.0, 1.0]]), abs=1e-14)


def test_stack_stands() -> None:
    """Ten disks on top of each other, for 2 s."""
    count = 10
    x = np.column_stack([np.zeros(count), 0.1 + 0.2 * np.arange(count)])
    solver = make("unilateral", disks(x, np.zeros((count, 2)), 0.1), FLOOR, friction=0.3)
    grains = advance(solver, 2.0, 1e-3)
    assert np.abs(grains.v[:, :3]).max() < 1e-9
    assert grains.x[:, :2] == pytest.approx(x, abs=1e-9)
    forces = solver.contacts(1e-3)
    carried = np.sort(np.linalg.norm(forces.force, axis=1))
    assert carried == pytest.approx(grains.mass[0] * G * np.arange(1, count + 1), rel=1e-6)


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_oblique_collision(friction: float) -> None:
    """Newton's law along the normal, Coulomb's across; momentum to round-off."""
    e = 0.7
    start = disks([(0.0, 0.0), (0.5, 0.05)], [(1.0, 0.2), (-0.5, 0.0)], [0.1, 0.15])
    mass, v = start.mass.copy(), start.v[:, :2].copy()
    solver = make("unilateral", start, {}, (0.0, 0.0), friction=friction, restitution=e)
    before, h = energy(solver), 1e-4
    while not solver.work()[0]:
        solver.advance(1, h, NOTHING)
    grains = solver.neighbour_list.grains
    row = np.argsort(grains.number)
    x, after = grains.x[row, :2], grains.v[row, :2]
    n = (x[1] - x[0]) / np.linalg.norm(x[1] - x[0])
    t = np.array([-n[1], n[0]])
    u, w = v[1] - v[0], after[1] - after[0]
    assert w @ n == pytest.approx(-e * (u @ n), rel=1e-9)
    reduced = 1.0 / (1.0 / mass[0] + 1.0 / mass[1])
    push, rub = reduced * (w - u) @ n, reduced * (w - u) @ t
    # without turning, the whole reduced mass resists: friction slides, or stops the sliding
    assert rub == pytest.approx(-math.copysign(min(friction * push, reduced * abs(u @ t)), u @ t), abs=1e-12)
    assert mass @ after == pytest.approx(mass @ v, abs=1e-13)
    assert abs(gap_of_ledger(solver, before)) < 1e-12 * before


HOLE = {"hole": {"kind": "disk", "centre": (0.0, 0.0), "radius": -1.0}}


def bowl(h: float, until: float) -> tuple[float, float]:
    """A disk slides with friction in a round hole, from 45° below the horizontal: gap of the ledger, and its angle."""
    solver = make("unilateral", disks((0.9 * math.sqrt(0.5), -0.9 * math.sqrt(0.5)), (0.0, 0.0), 0.1), HOLE,
                  friction=0.1,
                  tolerance=TOLERANCE)
    start = energy(solver)
    x = advance(solver, until, h).x[0]
    return gap_of_ledger(solver, start), math.atan2(-x[1], x[0])


def angle_in_bowl(until: float) -> float:
    """θ'' = g/R cos θ - sign(θ') μ (θ'² + g/R sin θ), θ from the horizontal downward, by SciPy."""
    R, mu, sign = 0.9, 0.1, 1.0

    def rate(_: float, y: Any) -> list[float]:
        return [y[1], G / R * math.cos(y[0]) - sign * mu * (y[1] ** 2 + G / R * math.sin(y[0]))]

    def turns(_: float, y: Any) -> float:
        return float(y[1])

    turns.terminal = True  # type: ignore[attr-defined]
    t, y = 0.0, np.array([0.25 * math.pi, 1e-300])
    while t < until:
        turns.direction = -sign  # type: ignore[attr-defined]
        part = solve_ivp(rate, (t, until), y, rtol=1e-12, atol=1e-13, events=turns, first_step=1e-4)
        t, y, sign = part.t[-1], np.array([part.y[0, -1], -sign * 1e-300]), -sign
    return float(y[0])


def test_sliding_in_a_bowl() -> None:
    """Motion and ledger are of order 2 while the disk slides one way."""
    exact, errors, gaps = angle_in_bowl(0.8), [], []
    for h in (4e-3, 2e-3, 1e-3):
        gap, angle = bowl(h, 0.8)
        errors.append(abs(angle - exact))
        gaps.append(abs(gap))
    assert order(errors) == pytest.approx([2.0, 2.0], abs=0.1)
    assert order(gaps) == pytest.approx([2.0, 2.0], abs=0.1)


def test_turning_back_in_a_bowl() -> None:
    """A turn of friction within a step is not located: its impulse is wrong by 2 μ g h at most, the ledger is not."""
    exact, gaps = angle_in_bowl(1.5), []
    for h in (4e-3, 2e-3, 1e-3):
        gap, angle = bowl(h, 1.5)
        assert abs(angle - exact) < 2.0 * 0.1 * G * h * 0.7 / 0.9
        gaps.append(abs(gap))
    assert min(order(gaps)) > 1.7


def test_moving_boundaries_do_work() -> None:
    """A floor that rises drives a disk up; a belt drags one along until it keeps pace. What they give is booked."""
    lift = {"lift": {**FLOOR["floor"], "motion": {"amplitude": (0.0, 0.05), "frequency": 1.0}}}
    gaps = []
    for h in (4e-3, 2e-3, 1e-3):
        solver = make("unilateral", disks((0.0, 0.1), (0.0, 0.05 * 2.0 * math.pi), 0.1), lift, tolerance=TOLERANCE)
        start = energy(solver)
        grains = advance(solver, 0.7, h)
        assert grains.x[0, 1] == pytest.approx(0.1 + 0.05 * math.sin(2.0 * math.pi * 0.7), abs=2e-6)
        gaps.append(abs(gap_of_ledger(solver, start)))
    assert min(order(gaps)) > 1.8
    belt = {"belt": {**FLOOR["floor"], "motion": {"velocity": (1.0, 0.0)}}}
    solver = make("unilateral", disks((0.0, 0.1), (0.0, 0.0), 0.1), belt, friction=0.25)
    start, time = energy(solver), 1.0 / (0.25 * G)
    grains = advance(solver, 1.0, 1e-3)
    mass = float(grains.mass[0])
    assert grains.v[0, 0] == pytest.approx(1.0, rel=1e-12)
    assert grains.x[0, 0] == pytest.approx(1.0 - 0.5 * time, abs=1e-6)
    _, friction, _, boundary = solver.work()
    assert (friction, boundary) == pytest.approx((-0.5 * mass, mass), rel=1e-9)
    assert abs(gap_of_ledger(solver, start)) < 1e-9 * mass


def test_loads_act_as_accelerations() -> None:
    """Velocities that loads add in a step are accelerations for it: a disk pushed along a floor with friction."""
    mu, push, h = 0.2, 5.0, 1e-3
    solver = make("unilateral", disks((0.0, 0.1), (0.0, 0.0), 0.1), FLOOR, friction=mu)
    for _ in range(500):
        solver.advance(1, h, np.array([[push * h, 0.0, 0.0]]))
    grains = solver.neighbour_list.grains
    assert grains.v[0, 0] == pytest.approx(0.5 * (push - mu * G), rel=1e-9)
    assert grains.x[0, 0] == pytest.approx(0.125 * (push - mu * G), rel=1e-9)


def poured(solver: str, until: float, seed: int = 2) -> Any:
    """50 disks fall into a box of five columns, without friction; the seed moves them a little, their radii stay."""
    rng, moves = np.random.default_rng(2), np.random.default_rng(seed)
    x = np.array([((i % 4 + 0.5) / 4.0 + moves.uniform(-0.02, 0.02), 0.12 + 0.23 * (i // 4)) for i in range(50)])
    rng.uniform(size=50)
    box = {"box": {"kind": "box", "lower": (0.0, 0.0), "upper": (1.0, 9.0), "open": ("+y",)}}
    made = make(solver, disks(x, np.zeros((50, 2)), rng.uniform(0.08, 0.1, 50)), box, restitution=0.3,
                **({"tolerance": 1e-6} if solver == "unilateral" else {}))
    start = energy(made)
    advance(made, until, 1e-3)
    return made, start


def mean_height(solver: Any) -> float:
    grains = solver.neighbour_list.grains
    return float(grains.x[:, 1] @ grains.mass / grains.mass.sum())


def test_poured_as_by_moreau() -> None:
    """Without friction turning plays no part: the height of a heap is one of those that moreau makes.

    A heap of 50 disks comes to rest in one of many ways, and a small move at the start decides in which: the tolerance
    is three times the scatter of heaps by moreau.
    """
    mixed, start = poured("unilateral", 3.0)
    heights = [mean_height(poured("moreau", 5.0, seed)[0]) for seed in range(2, 10)]
    assert np.std(heights) < 0.02 * np.mean(heights)
    assert mean_height(mixed) == pytest.approx(np.mean(heights), abs=3.0 * float(np.std(heights, ddof=1)))
    assert mixed.statistics()["largest_overlap"] < 0.02  # where a heap collapses, corrections take some steps
    assert np.abs(mixed.neighbour_list.grains.v[:, :3]).max() < 1e-4
    advance(mixed, 0.1, 1e-3)
    assert mixed.statistics()["largest_overlap"] < 1e-4
    impact, friction, _, boundary = mixed.work()
    assert friction == boundary == 0.0
    assert impact < 0.0
    # nothing is pumped: the error, corrections included, stays below a percent of what impacts take
    assert abs(gap_of_ledger(mixed, start)) < 0.01 * abs(impact)


def test_spins_take_no_part() -> None:
    """Spins are kept, and do not rub."""
    grains = disks((0.0, 0.1), (0.0, 0.0), 0.1)
    grains.v[0, 6] = 3.0
    after = advance(make("unilateral", grains, FLOOR, friction=0.5), 0.5, 1e-3)
    assert after.v[0, 6] == 3.0
    assert abs(after.v[0, 0]) < 1e-12


def test_step_that_does_not_converge() -> None:
    """Differences of a curved boundary's normal are not good to 1e-14: the error says what did not settle, where."""
    solver = make("unilateral", disks((0.9, 0.0), (0.0, -3.0), 0.1), HOLE, tolerance=1e-14)
    with refused(NotConvergedError, "t = 0", "6 times", "grain 0 at (0.", "'hole'", "tolerance"):
        advance(solver, 0.5, 1e-3)
    grains = solver.neighbour_list.grains
    # the state is that before the step that failed
    assert energy(solver) == pytest.approx(4.5 * grains.mass[0], rel=1e-5)
    assert math.hypot(*grains.x[0, :2]) == pytest.approx(0.9, abs=1e-6)

