"""How well contact is solved, as runs report it: imbalance of grains, lost power, residual and sweeps."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import granum as gr
from granum.base.kernels import Floats
from granum.contact import totals
from granum.contact.nonsmooth.moreau import Moreau
from granum.contact.world import World

R, MASS, G, STEP, ROWS = 0.01, 0.5, 9.81, 1e-4, 40


def column(**settings: object) -> gr.Scene:
    """Touching disks on a floor, one above the other."""
    names = [f"d{k}" for k in range(ROWS)]
    return gr.Scene.model_validate({
        "material": {"steel": {"friction": 0.3, "restitution": 0.0}},
        "boundary": {"floor": {"kind": "plane", "position": [0.0, 0.0], "normal": [0.0, 1.0]}},
        "body": {name: {"kind": "disk", "radius": R, "mass": MASS, "material": "steel"} for name in names},
        "start": {name: {"position": [0.0, (2 * k + 1) * R]} for k, name in enumerate(names)},
        "load": {"gravity": {"kind": "gravity", "acceleration": [0.0, -G]}},
        "run": {"until": 10 * STEP, "step": STEP, "interval": STEP, "solver": "moreau", **settings}})


def first_step(sweeps: int) -> tuple[Moreau, Floats, Floats]:
    """A step from nothing with so many sweeps, without the search for impulses of the start: solver, velocities and
    impulses of contacts, from the floor upwards.
    """
    world = World(column(max_sweeps=sweeps, tolerance=1e-8))
    world.single_step(STEP)
    solver = world.solver
    assert isinstance(solver, Moreau)
    problem, height = solver.problem, np.argsort(world.grains.x[:, 1])
    v = world.grains.v[height, 1]
    slab = problem.slab
    rows = np.concatenate([np.arange(begin, end) for begin, end in zip(slab["begin"], slab["listed"], strict=True)])
    upper = problem.j[rows].astype(int)
    above = np.argsort(np.where(problem.i[rows] < ROWS, np.maximum(world.grains.x[np.minimum(
        problem.i[rows], ROWS - 1), 1], world.grains.x[upper, 1]), world.grains.x[upper, 1]))
    return solver, v, problem.contact["p"][rows][above]


@pytest.mark.parametrize("sweeps", [1, 4, 30, 300])
def test_the_imbalance_of_a_column(sweeps: int) -> None:
    """A contact of a column lacks -u_n/W_n where it closes: W is 1/m at the floor and 2/m between disks."""
    solver, v, p = first_step(sweeps)
    assert len(p) == ROWS
    u, W = np.diff(v, prepend=0.0), np.r_[1.0, np.full(ROWS - 1, 2.0)] / MASS
    lacking = np.minimum(p * W, u) / W
    d = lacking - np.append(lacking[1:], 0.0)
    weights = np.abs(d) / (MASS * G * STEP)
    figures = solver.statistics()
    assert figures["imbalance"] == pytest.approx(math.sqrt(np.mean(weights**2)), rel=1e-6, abs=1e-12)
    assert figures["largest_imbalance"] == pytest.approx(weights.max(), rel=1e-6, abs=1e-12)
    # nothing slides and nothing hits: contacts turn nothing over, and gravity m (g h)² for each disk
    lost = abs(float(p @ u)) / (ROWS * MASS * (G * STEP) ** 2)
    assert figures["lost_power"] == pytest.approx(lost, rel=1e-3, abs=1e-9)


def test_a_column_that_sinks_cannot_hide() -> None:
    """Whatever the number of sweeps: a floor that does not carry the weight shows in a grain, or in the power.

    Where the floor carries the part s of the weight, the upper end sinks at (1 - s) g h or more: each of the contacts
    below misses a little of it. They lose about s (1 - s)/2 of the power, and a floor that carries nothing lacks the
    weight of a disk.
    """
    shares = []
    for sweeps in (1, 2, 5, 10, 20, 50, 100, 200, 1000):
        solver, _, p = first_step(sweeps)
        figures, share = solver.statistics(), p[0] / (ROWS * MASS * G * STEP)
        shares.append(share)
        assert figures["largest_imbalance"] + figures["lost_power"] > 0.1 * (1.0 - share), (sweeps, share)
    assert min(shares) < 0.1 < 0.9 < max(shares)


def test_the_residual_does_not_depend_on_the_tolerance() -> None:
    """Where sweeps end by their number, the same bits are judged alike."""
    found = []
    for tolerance in (9.6e-3, 3e-3, 1e-3):
        world = World(column(max_sweeps=1, tolerance=tolerance))
        world.single_step(STEP)
        found.append(world.solver.totals[[totals.RELATIVE, totals.WORST, totals.IMBALANCE, totals.POWER]])
    np.testing.assert_allclose(found[1:], found[:1] * 2, rtol=1e-12)
    assert found[0].min() > 1e-4


def test_a_smaller_tolerance_leaves_less_undone() -> None:
    errors = [gr.simulate(gr.example("hopper"), until=0.3, interval=0.05, tolerance=tolerance).contact_error
              for tolerance in (9e-3, 3e-3, 1e-3)]
    for looser, tighter in pairwise(errors):
        assert tighter.imbalance.max() < 0.7 * looser.imbalance.max()
        assert tighter.sweeps.max() > looser.sweeps.max()


def test_what_a_run_reports() -> None:
    """Worst step and last step of each frame, in the summary too; a step in equilibrium needs a sweep."""
    run = gr.simulate(column())
    error = run.contact_error
    assert np.all(error.imbalance[1:] < 1e-6) and np.all(error.last_imbalance <= error.imbalance)
    assert np.all(error.last_lost_power <= error.lost_power) and np.all(error.largest_imbalance >= error.imbalance)
    assert np.all(error.relative <= error.tolerance) and np.all(error.sweeps[1:] >= 1.0)
    assert run.statistics["iterations"][1:].sum() == run.summary["residual"]["sweeps"] > 0
    assert run.summary["residual"]["imbalance"] == error.imbalance.max()
    lines = gr.simulate(gr.example("hopper"), until=0.2).plot.contacts().axes
    assert len(lines) == 3


def test_others_say_what_they_do_not_record() -> None:
    with pytest.raises(gr.GranumError, match="residual"):
        gr.simulate(column(solver="soft", step=1e-6, until=1e-4, interval=1e-5)).contact_error  # noqa: B018
    old = gr.simulate(column(solver="unilateral", until=2e-4)).contact_error
    assert np.isnan(old.imbalance).all() and np.isfinite(old.relative).all()
