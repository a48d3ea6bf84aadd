"""`unilateral` where friction wedges grains: sweeps that must not be over-relaxed, Painlevé's paradox, and impacts that
Newton's law cannot satisfy, each in closed form for two disks; and the pipe of Sun (1996) with the laws of its program.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from grain_beds import FLOOR, NOTHING, G, disks, energy, gap_of_ledger, make
from granum.historic.pipe_input import read_legacy
from granum.historic.unilateral.links import accelerate, sweep
from granum.historic.unilateral.relaxation import OVER
from granum.io.examples import example_file
from granum.run import simulate

RADIUS = 0.01


def sweeps_shrink(kappa: float, omega: float) -> bool:
    """Whether sweeps over two links with the matrix [[1, κ], [-κ, 1]] converge: eigenvalues of their matrix."""
    lower, upper = np.array([[1.0, 0.0], [-omega * kappa, 1.0]]), np.array([[1.0 - omega, -omega * kappa],
                                                                          [0.0, 1.0 - omega]])
    return bool(np.abs(np.linalg.eigvals(np.linalg.solve(lower, upper))).max() < 1.0)


@pytest.mark.parametrize("omega", [1.0, 1.5, OVER])
def test_over_relaxation_converges_up_to_a_coupling(omega: float) -> None:
    """ω < 2/(1 + κ)."""
    limit = 2.0 / omega - 1.0
    assert sweeps_shrink(0.999 * limit, omega)
    assert not sweeps_shrink(1.001 * limit, omega)


def leaning(degrees: float, ratio: float, speed: float, wall_friction: float, **run: Any) -> Any:
    """A light disk 0 on the floor and a heavy one, 1, that leans on it, behind it and above, at the same velocity."""
    angle, large = math.radians(degrees), RADIUS * math.sqrt(ratio)
    reach = RADIUS + large
    x = [(0.0, RADIUS), (-reach * math.cos(angle), RADIUS + reach * math.sin(angle))]
    return make("unilateral", disks(x, [(speed, 0.0)] * 2, [RADIUS, large]), FLOOR, wall_friction=wall_friction, **run)


def velocities(solver: Any) -> Any:
    """Of both disks [m/s]; lists may have changed their order."""
    grains = solver.neighbour_list.grains
    return grains.v[np.argsort(grains.number), :2]


@pytest.mark.parametrize("friction", [0.3, 0.9])
def test_links_of_a_sliding_disk(friction: float) -> None:
    """A disk is pressed obliquely on another of the same mass, which slides on the floor.

    With s and c of the slope of the line of centres and the accelerations g and b of gravity and of the press along it,
    links push with γ₁ = m g + s γ₂ and 2 γ₂/m = (s - μ c) γ₁/m + b. The largest coupling of all slopes,
    κ² = (√(1 + μ²) - 1)/4, is beyond what sweeps with ω = 1.7 bear for μ > 0.51: from zero they reach these forces with
    μ = 0.3 only.
    """
    degrees, h, b, mu = 21.0, 1e-4, 10.0, friction
    s, c = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    n = np.array([-c, s])
    solver = leaning(degrees, 1.0, -1.0, mu, tolerance=1e-9)
    press = np.zeros((2, 3))
    press[solver.neighbour_list.grains.number == 1, :2] = -b * n
    solver.advance(1, h, press * h)
    second = ((s - mu * c) * G + b) / (2.0 - s * (s - mu * c))
    first = G + s * second
    below, above = (velocities(solver) - np.array([-1.0, 0.0])) / h
    assert below == pytest.approx([mu * first + c * second, 0.0], rel=1e-3, abs=1e-4)
    assert above == pytest.approx(np.array([0.0, -G]) - b * n + second * n, rel=1e-3)
    kappa = math.sqrt(max(0.0, 0.5 * s * (mu * c - s)))
    for omega in (1.0, OVER):
        forces = swept(solver, h, omega) / float(solver.neighbour_list.grains.mass[0])
        converges = sorted(forces) == pytest.approx([second, first], rel=1e-3)
        assert converges == (omega < 2.0 / (1.0 + kappa)) == (mu == 0.3 or omega == 1.0)


def swept(solver: Any, h: float, omega: float) -> Any:
    """Normal forces of both links after 400 sweeps that begin without forces [N]."""
    work, v = solver.workspace, solver.state.v
    work.link["normal_force"][:2], work.link["friction_force"][:2] = 0.0, 0.0
    work.base[:] = 0.0
    work.base[:2] = v[:2, :3]
    accelerate(2, v, work)
    for _ in range(400):
        sweep(2, h, omega, True, v, work)
    return work.link["normal_force"][:2].copy()


@pytest.mark.parametrize(("degrees", "ratio"), [(60.0, 20.0), (60.0, 100.0), (65.0, 40.0)])
def test_painleve(degrees: float, ratio: float) -> None:
    """No finite forces exist for 1 + m/M < s² + μ s c: the light disk stops at once, and the heavy one goes over it.

    The shock p₂ = M V c, p₁ = s p₂ leaves the light disk at rest, and V s (s, c) to the heavy one. Sun's limit of
    friction, what stops a contact within a step, finds it, with an error that goes with the step.
    """
    mu, speed, errors = 0.9, 1.0, []
    s, c = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    assert 1.0 + 1.0 / ratio < s * s + mu * s * c
    for h in (4e-4, 2e-4, 1e-4):
        solver = leaning(degrees, ratio, speed, mu, tolerance=1e-6)
        before = energy(solver)
        solver.advance(1, h, NOTHING)
        light, heavy = velocities(solver)
        assert np.abs(light).max() < 10.0 * G * h
        errors.append(float(np.abs(heavy - speed * s * np.array([s, c])).max()))
        # the friction of the shock takes all that is lost
        assert abs(gap_of_ledger(solver, before)) < 10.0 * (G + speed**2 / RADIUS) * h / speed * before
    assert errors[-1] < 0.01 * speed
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.2)
    assert errors[1] / errors[2] == pytest.approx(2.0, abs=0.2)


@pytest.mark.parametrize("restitution", [0.3, 0.9])
def test_impacts_without_room_to_rebound_are_plastic(restitution: float) -> None:
    """Two disks that fill a channel and meet: v₂ - v₁ = 2 e V and v₁ ≥ 0 ≥ v₂ contradict each other, so both stop."""
    speed, h = 0.1, 4e-6  # short, so that both still touch the walls where they meet
    room = 2.0 * speed * h
    channel = FLOOR | {"lid": {"kind": "plane", "position": (0.0, 4.0 * RADIUS + room), "normal": (0.0, -1.0)}}
    solver = make("unilateral", disks([(0.0, RADIUS), (0.0, 3.0 * RADIUS + room)], [(0.0, speed), (0.0, -speed)],
                                      RADIUS), channel, (0.0, 0.0), restitution=restitution)
    before = energy(solver)
    solver.advance(1, h, NOTHING)
    assert np.abs(velocities(solver)).max() < 1e-3 * speed
    values = solver.statistics()
    assert values["plastic_impacts"] == 1.0
    assert values["unsettled"] == 0.0
    assert solver.work()[0] == pytest.approx(-before, rel=1e-3)


@pytest.mark.parametrize("seed", [2, 4])
def test_pipe_with_the_laws_of_the_program(seed: int) -> None:
    """The example of the thesis, with which sweeps did not end at 53 s (seed 2): grains back up as by moreau."""
    scene, _ = read_legacy(example_file("pipe-jam.inp"), False, "program")
    jam = scene.probe["jam"].model_copy(update={"stop": False})
    scene = scene.model_copy(update={"probe": {**scene.probe, "jam": jam}})
    found = {}
    for solver in ("unilateral", "moreau"):
        run = simulate(scene, solver=solver, until=70.0, interval=10.0, seed=seed)
        assert run.finished
        assert run.summary["energy"]["relative_error"] < 0.005
        found[solver] = run.verdicts[-1].backed_up
    assert all(when is not None and 50.0 <= when <= 60.0 for when in found.values())
