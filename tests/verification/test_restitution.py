"""Impacts, rest and springs of `moreau` over many steps: what a single impact in a single step does not show.

Energy is conserved by elastic impacts (closed form), decays as with located events (`events`, another solver), and is
lost by nothing but impacts. Tolerances: binary impacts are located within the step and are exact; a cluster of contacts
is solved to the relative residual `tolerance`, which bounds the energy it may miss.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import FLOOR, G, grain, gravity, scene
from messages import says


def box(dimension: int, side: float) -> dict[str, Any]:
    """Planes on all sides."""
    planes = {}
    for axis in range(dimension):
        for end, sign in ((0.0, 1.0), (side, -1.0)):
            normal = [sign if k == axis else 0.0 for k in range(dimension)]
            planes[f"wall-{axis}-{'lower' if sign > 0 else 'upper'}"] = {
                "kind": "plane", "position": [end if k == axis else 0.0 for k in range(dimension)], "normal": normal}
    return planes


def gas(dimension: int, e: float, seed: int, side: int, cell: float = 0.25) -> gr.Scene:
    """Frictionless grains of radius 0.05 m in the cells of a lattice, with random velocities, without gravity."""
    random = np.random.default_rng(seed)
    cells = np.stack(np.meshgrid(*[np.arange(side)] * dimension), axis=-1).reshape(-1, dimension)
    jitter = random.uniform(-1.0, 1.0, cells.shape) * 0.9 * (0.5 * cell - 0.0525)
    x, v = cell * (cells + 0.5) + jitter, random.normal(size=cells.shape)
    grains = {f"g{k}": grain(x[k], v[k], radius=0.05, mass=0.2) for k in range(len(x))}
    return scene(grains, down=[0.0] * dimension, boundary=box(dimension, side * cell),
                 material={"restitution": e, "friction": 0.0})


# 0.25 m cells fill a fifth of the box with disks, 0.13 m cells fill 0.46: clusters of several contacts in a step
@pytest.mark.parametrize(("dimension", "side", "cell"), [(2, 12, 0.25), (2, 10, 0.13), (3, 5, 0.25)])
def test_an_elastic_gas_keeps_its_energy(dimension, side, cell):
    run = gr.simulate(gas(dimension, 1.0, 1, side, cell), until=10.0, interval=1.0)
    assert np.abs(run.energy.kinetic / run.energy.kinetic[0] - 1.0).max() < 0.02
    assert run.energy_error < 0.02
    assert run.summary["residual"]["relative"] <= run.metadata["contact_tolerance"]


@pytest.mark.parametrize("e", [0.9, 0.99])
@pytest.mark.parametrize(("dimension", "side"), [(2, 8), (3, 4)])
def test_a_cooling_gas_decays_as_with_located_events(dimension, side, e):
    """Over five seeds: within 2 % of `events`, and by Haff's law √(E₀/E) = 1 + t/τ while the gas is uniform.

    The paths of two solvers diverge after some impacts per grain; means over seeds do not. Haff's law holds while
    little has changed; halves of the time then differ by noise and by the heating of the start (a tenth).
    """
    ratio, halves = [], []
    for seed in range(5):
        there = gas(dimension, e, seed, side)
        steps, located = (gr.simulate(there, until=1.5, interval=0.375, solver=one) for one in ("moreau", "events"))
        ratio.append(steps.energy.kinetic / located.energy.kinetic)
        halves.append(np.sqrt(steps.energy.kinetic[0] / steps.energy.kinetic) - 1.0)
    assert np.abs(np.mean(ratio, axis=0) - 1.0).max() < 0.02
    mean = np.mean(halves, axis=0)
    assert mean[4] / mean[2] == pytest.approx(2.0, rel=0.15)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("step", [1e-3, 4e-3])
def test_an_elastic_ball_keeps_its_energy_for_a_minute(dimension, step):
    """About 70 bounces; free flight and the located impact are exact, so what is lost is round-off."""
    zeros = [0.0] * (dimension - 1)
    floor = {"kind": "plane", "position": [*zeros, 0.0], "normal": [*zeros, 1.0]}
    run = gr.simulate(scene({"a": grain((*zeros, 1.1))}, down=(*zeros, -G), boundary={"floor": floor},
                            material={"restitution": 1.0}), until=63.0, step=step, interval=1.0)
    top = run.positions[:, 0, -1] + (run.velocities[:, 0, -1] ** 2) / (2.0 * G)
    assert top == pytest.approx(np.full(len(top), 1.1), rel=1e-9)
    assert run.energy_error < 1e-9


@pytest.mark.parametrize("dimension", [2, 3])
def test_frictionless_beds_come_to_rest(dimension):
    """Nothing but impacts takes energy. A step gives g h = 3 mm/s; corrections of overlaps must not keep this alive."""
    random = np.random.default_rng(0)
    across = 12 if dimension == 2 else 6
    count, cell = 240, 0.05
    grains = {}
    for k in range(count):
        at, left = [], k
        for _ in range(dimension - 1):
            at.append(cell * (left % across + 0.5) + random.uniform(-0.004, 0.004))
            left //= across
        grains[f"g{k}"] = grain((*at, cell * (left + 0.5)), radius=float(random.uniform(0.012, 0.02)), mass=0.1)
    walls = {name: one for name, one in box(dimension, across * cell).items()
             if name != f"wall-{dimension - 1}-upper"}
    bed = scene(grains, down=(*[0.0] * (dimension - 1), -G), boundary=walls,
                material={"restitution": 0.3, "friction": 0.0})
    run = gr.simulate(bed, until=10.0, interval=2.0)
    assert np.linalg.norm(run.frame().velocities, axis=1).max() < 1e-3
    assert run.figures["largest_overlap"][-1] < 2e-3


def test_a_heavy_grain_on_light_ones_does_not_sink():
    """A column with 10⁴ kg on ten disks of 1 kg between walls: sweeps converge instead of letting it pass."""
    column = {f"a{k}": grain((0.0, 0.1 + 0.2 * k)) for k in range(10)} | {"top": grain((0.0, 2.1), mass=1e4)}
    walls = {"floor": FLOOR, "left": {"kind": "plane", "position": [-0.1, 0.0], "normal": [1.0, 0.0]},
             "right": {"kind": "plane", "position": [0.1, 0.0], "normal": [-1.0, 0.0]}}
    run = gr.simulate(scene(column, boundary=walls, material={"restitution": 0.0, "friction": 0.0}), until=2.0,
                      interval=0.5)
    assert abs(run.position("top")[-1, 1] - 2.1) < 0.1 * 0.1


def cradle(e: float = 1.0) -> gr.Scene:
    """Four touching disks at rest, hit by a fifth with speed 1."""
    row = {"a0": grain((-0.3, 0.0), (1.0, 0.0))} | {f"a{k}": grain((0.2 * k, 0.0)) for k in range(1, 5)}
    return scene(row, down=(0.0, 0.0), boundary={}, material={"restitution": e, "friction": 0.0})


@pytest.mark.parametrize("e", [1.0, 0.9])
@pytest.mark.parametrize("solver", ["moreau", "unilateral", "events"])
def test_touching_balls_by_newtons_law(solver, e):
    """Contacts without approach speed stay closed: one mass hits four, u⁺ = (1 - 4 e)/5 and (1 + e)/5."""
    run = gr.simulate(cradle(e), until=0.5, interval=0.25, solver=solver, tolerance=1e-8)
    wanted = [(1.0 - 4.0 * e) / 5.0, *[(1.0 + e) / 5.0] * 4]
    assert run.frame().velocities[:, 0] == pytest.approx(wanted, abs=1e-6)
    impact = run.energy.work["impact"][-1]
    assert impact == pytest.approx(-0.5 * 0.8 * (1.0 - e * e), abs=1e-6)


def test_touching_balls_in_a_row_of_binary_impacts():
    run = gr.simulate(cradle(), until=0.5, interval=0.25, solver="events", impact_law="sequence")
    assert run.frame().velocities[:, 0] == pytest.approx([0.0, 0.0, 0.0, 0.0, 1.0], abs=1e-12)


def test_more_sweeps_are_asked_for_where_the_residual_stays():
    run = gr.simulate(cradle(), until=0.5, interval=0.25, max_sweeps=1)
    assert run.summary["residual"]["relative"] > run.metadata["contact_tolerance"]
    (note,) = (note for note in run.summary["notes"] if "residual" in note)
    says(note, "max_sweeps")


@pytest.mark.parametrize("solver", ["soft", "events"])
def test_solvers_without_a_contact_problem_report_no_residual(solver):
    run = gr.simulate(cradle(), until=0.5, interval=0.25, solver=solver)
    assert run.summary["residual"] is None


@pytest.mark.parametrize("stiffness", [1e3, 1e6])
@pytest.mark.parametrize("where", ["free", "floor", "floor in 3-D"])
def test_a_spring_keeps_its_amplitude_wherever_its_bodies_are(where, stiffness):
    """Two disks joined by a spring, free or on a frictionless floor: 16 periods.

    Position Verlet has a bounded energy error of (ω h)²/4 at most; the proposed step has ω h ≤ 0.1.
    """
    dimension = 3 if where == "floor in 3-D" else 2
    zeros = [0.0] * (dimension - 2)
    pair = {"a": grain((0.0, *zeros, 0.1)), "b": grain((1.1, *zeros, 0.1))}
    floor = {"floor": {"kind": "plane", "position": [0.0, *zeros, 0.0], "normal": [0.0, *zeros, 1.0]}}
    down = 0.0 if where == "free" else -G
    spring = {"kind": "spring", "between": ["a", "b"], "stiffness": stiffness, "rest_length": 1.0}
    period = 2.0 * math.pi * math.sqrt(0.5 / stiffness)
    there = scene(pair, boundary={} if where == "free" else floor, material={"friction": 0.0},
                  load={"gravity": gravity(0.0, *zeros, down), "spring": spring})
    run = gr.simulate(there, until=16.0 * period, interval=period / 20.0)
    stretch = run.position("b")[:, 0] - run.position("a")[:, 0] - 1.0
    assert np.abs(stretch[-20:]).max() == pytest.approx(0.1, rel=2e-3)
    assert run.energy_error < 0.25 * 0.1**2
