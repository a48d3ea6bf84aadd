"""The benchmark of settling grains: its start, its judge, and Granum by the rules of its peers."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest

from benchmarks import grain_scaling, grains
from benchmarks.granum_settling import settle
from benchmarks.peers.settling import Clock, Task
from benchmarks.settling import (
    GRAVITY,
    RADIUS,
    RESTITUTION,
    Failure,
    Row,
    command,
    lattice,
    mean_overlap,
    run,
    task_values,
)
from granum.contact.nonsmooth.moreau import TOLERANCE
from granum.contact.problem import CORRECTED
from messages import says


def task(count: int, until: float, budget: float = 100.0) -> Task:
    """The benchmark's task with a few grains."""
    return Task(task_values(*lattice(count), until, budget))


@pytest.mark.parametrize("dimension", [2, 3])
def test_the_start_has_no_overlap(dimension: int) -> None:
    """Grains lie in the box, apart from each other, twice as high as wide."""
    centres, width = lattice(2000, dimension)
    assert centres.shape == (2000, dimension)
    assert mean_overlap(centres, width) == 0.0
    assert len(np.unique(np.round(centres, 9), axis=0)) == 2000
    assert centres.min() > RADIUS
    assert centres[:, :-1].max() < width - RADIUS
    assert centres[:, -1].max() == pytest.approx(2.0 * width, rel=0.1)


def test_overlaps_are_those_of_pairs_and_walls() -> None:
    """Two grains 1 % of a radius deep in each other, one 3 % in the floor, one 2 % in a side, one free."""
    r = RADIUS
    x = np.array([[3.0, 3.0, 3.0], [4.99, 3.0, 3.0], [3.0, 8.0, 0.97], [9.02, 5.0, 6.0], [6.0, 6.0, 9.0]]) * r
    assert mean_overlap(x, 10.0 * r) == pytest.approx(0.02, rel=1e-9)


def test_damping_gives_the_restitution() -> None:
    """A mass on spring and dashpot leaves with e times its speed after the time that the step is measured by."""
    given = task(10, 1.0)
    m = 0.5 * given.mass
    gamma = given.damping(m)
    duration = 25.0 * given.spring_step()
    omega = math.pi / duration
    assert omega**2 == pytest.approx(given.stiffness / m - (0.5 * gamma) ** 2, rel=1e-12)
    # x = e^(-γt/2) sin ωt, so the speed at the end of the contact is e^(-γT/2) of that at the beginning
    assert math.exp(-0.5 * gamma * duration) == pytest.approx(RESTITUTION, rel=1e-12)


def test_the_clock_stops_at_the_budget() -> None:
    """Pieces are made until the time is reached or the budget is spent."""
    made: list[int] = []
    assert Clock(task(10, 1.0), 1e-3, made.append).steps == sum(made) == 1000
    made.clear()
    assert Clock(task(10, 1.0, budget=0.0), 1e-3, made.append).steps == 0


def test_grains_come_to_rest() -> None:
    """Granum's grains fall to the floor, stay in the box, and hardly overlap."""
    given = task(200, 0.6)
    (x, v), figures = settle(given, "moreau", 2.0)
    assert figures["steps"] * figures["step"] == pytest.approx(0.6)
    assert x[:, 2].max() < given.centres[:, 2].max() - RADIUS
    # a step may leave the part TOLERANCE of the fastest approach unsolved, and every step corrects the part CORRECTED
    fastest = math.sqrt(2.0 * GRAVITY * given.centres[:, 2].max())
    assert RADIUS - x.min() < TOLERANCE * fastest * figures["step"] / CORRECTED
    assert 0.0 < mean_overlap(x, given.width) < 3e-4
    assert 0.5 * np.mean(np.sum(v * v, axis=1)) < 1e-3 * GRAVITY * RADIUS


def test_the_result_tells_rows_and_what_is_missing() -> None:
    """Without peers there are two rows of Granum in a process of its own, and the ratio is left out."""
    result = grains.measure((60,), with_scaling=False, peers=False)
    assert [type(row) for row in result.rows] == [Row, Row]
    assert result.fastest_springs(60) is None
    told = "\n".join(result.summary_lines())
    assert "N = 60 spheres" in told
    assert "2 times the step proposed" in told
    springs = Row("lammps", "1", "springs", 60, 3, 3e-5, 33334, 1.0, 2.0, 2.0, 3e-4, 1e-8)
    *told, missing = grains.Result([springs, *result.rows], ["yade"]).summary_lines()
    assert "1.00 of LAMMPS's speed" in "\n".join(told)
    says(missing, "YADE")


def test_a_program_that_fails_says_why() -> None:
    """Its last line is the reason; a module that is nowhere is not installed."""
    centres, width = lattice(10)
    found = run("lammps", [sys.executable, "-c", "raise SystemExit('no such force')"], centres, width, 1.0, 1.0)
    assert found == Failure("lammps", 10, "no such force")
    assert command("no_such_program_anywhere", sys.executable) is None


def test_cost_and_memory_are_measured() -> None:
    """A step of a thousand grains that stand on each other takes between 10 ns and 100 µs a grain."""
    cost = grain_scaling.cost(1000)
    assert 10.0 < cost.nanoseconds < 1e5
    assert 0.05 < cost.gigabytes < 8.0
