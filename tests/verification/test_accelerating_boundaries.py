"""Contact of `moreau` with boundaries that accelerate: shaken floors, belts, planes that tilt.

Closed forms, and `events` as another method. Positions follow a shaken boundary to round-off, because a step moves a
contact that rests by what the boundary moves. The energy balance of such a grain misses the error of the trapezoidal
rule for g·Ḋ, summed m g h²/12 (D̈(t) - D̈(0)), at most (ω h)²/6 of m g a for an amplitude a: order two, and it does not
grow. A plane that tilts moves its normal too: order two.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import G, grain, scene

SMOOTH = {"restitution": 0.0, "friction": 0.0}
CLUMP = {"kind": "clump", "mass": 1.0, "spheres": [{"centre": [0.0, 0.0, 0.0], "radius": 0.1}]}
"""A single part in a body: the same motion, by the other mechanics."""


def shaken(dimension: int, along: int, gamma: float, frequency: float, clump: bool = False,
           material: dict[str, Any] | None = None, velocity: Any = None) -> tuple[gr.Scene, float, float]:
    """A round body at rest on a floor that swings along an axis; its amplitude and ω."""
    omega = 2.0 * math.pi * frequency
    amplitude, zeros = gamma * G / omega**2, [0.0] * (dimension - 1)
    motion = {"amplitude": [amplitude if k == along else 0.0 for k in range(dimension)], "frequency": frequency}
    floor = {"kind": "plane", "position": [*zeros, 0.0], "normal": [*zeros, 1.0], "motion": motion}
    start = [omega * amplitude if k == along else 0.0 for k in range(dimension)] if velocity is None else velocity
    body = grain((*zeros, 0.1), start)
    if clump:
        body["body"] = CLUMP
    return (scene({"a": body}, down=(*zeros, -G), boundary={"floor": floor}, material=material or SMOOTH), amplitude,
            omega)


@pytest.mark.parametrize(("dimension", "clump"), [(2, False), (3, False), (3, True)])
def test_a_body_rests_on_a_shaken_floor(dimension, clump):
    errors = []
    for h in (4e-4, 2e-4):
        there, a, omega = shaken(dimension, dimension - 1, 0.9, 20.0, clump)
        run = gr.simulate(there, until=1.0, step=h, interval=0.0123)
        phase = omega * run.t
        assert run.positions[:, 0, -1] == pytest.approx(0.1 + a * np.sin(phase), abs=1e-10 * a)
        assert run.velocities[:, 0, -1] == pytest.approx(a * omega * np.cos(phase), abs=1e-10 * a * omega)
        assert not run.summary["notes"]
        errors.append(run.energy_error)
        assert errors[-1] < (omega * h) ** 2 / 6.0
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.05)


def test_a_floor_that_starts_with_its_full_speed_hits_what_rests_on_it():
    """The disk is at rest where the floor moves with a ω: one plastic impact, then as above.

    In the step of the impact the disk moves by h a ω, but gravity acts on the mean of both velocities: m g h a ω/2 is
    missing once, ω h/2 of m g a, and no more after that.
    """
    there, a, omega = shaken(2, 1, 0.9, 20.0, velocity=(0.0, 0.0))
    run = gr.simulate(there, until=2.0, step=2e-4, interval=0.0123)
    assert run.positions[1:, 0, 1] == pytest.approx(0.1 + a * np.sin(omega * run.t[1:]), abs=1e-5 * 0.1)
    assert run.energy_error < 0.5 * omega * 2e-4
    assert not run.summary["notes"]


def test_a_belt_that_accelerates_carries_a_disk_along():
    """By `events`, which integrates the same laws to 1e-12: the disk rolls on the belt, or slips at times."""
    for mu, tolerance in ((0.5, 1e-12), (0.1, 1e-4)):
        there, _, _ = shaken(2, 0, 0.9, 3.0, material={"restitution": 0.0, "friction": mu})
        steps, located = (gr.simulate(there, until=1.0, step=2e-4, interval=0.05, solver=one)
                          for one in ("moreau", "events"))
        # friction changes where sticking becomes slipping, which is found to a step: by less than g h each time
        assert steps.positions[:, 0] == pytest.approx(located.positions[:, 0], abs=tolerance)
        assert steps.velocities[:, 0] == pytest.approx(located.velocities[:, 0], abs=G * 2e-4 if mu < 0.3 else 1e-12)
        assert steps.energy_error < 1e-12


def test_a_ball_bounces_on_a_shaken_plate():
    """Impacts at their own instant, of a boundary that accelerates within the step: `events` locates them exactly.

    Between two positions of the plate its velocity changes linearly in a step: (ω h)²/8 of a ω at most.
    """
    there, a, omega = shaken(2, 1, 2.0, 20.0, material={"restitution": 0.8, "friction": 0.0}, velocity=(0.0, 2.0))
    located = gr.simulate(there, until=0.6, interval=0.05, solver="events")
    for h in (4e-4, 1e-4):
        run = gr.simulate(there, until=0.6, step=h, interval=0.05)
        # 20 impacts, each of which is wrong by so much, for 0.6 s at most
        bound = 20.0 * (omega * h) ** 2 / 8.0 * a * omega * 0.6
        assert run.positions[:, 0, 1] == pytest.approx(located.positions[:, 0, 1], abs=bound)


@pytest.mark.parametrize("clump", [False, True])
def test_a_plane_that_tilts(clump):
    """A smooth disk on a plane that turns with Ω: r'' = Ω² r - g sin Ω t along the plane."""
    O, R, r, v, end = 0.8, 0.1, 1.0, 2.0, 0.8
    motion = {"angular_velocity": [0.0, -O, 0.0] if clump else O, "centre": [0.0] * (3 if clump else 2)}
    zeros = [0.0] * (2 if clump else 1)
    floor = {"kind": "plane", "position": [*zeros, 0.0], "normal": [*zeros, 1.0], "motion": motion}
    body = grain((r, *zeros[1:], R), (v - R * O, *zeros[1:], r * O))
    if clump:
        body["body"] = CLUMP
    there = scene({"a": body}, down=(*zeros, -G), boundary={"floor": floor}, material=SMOOTH)
    B, phase = (v - G / (2.0 * O)) / O, O * end
    along = r * math.cosh(phase) + B * math.sinh(phase) + G / (2.0 * O * O) * math.sin(phase)
    wanted = np.array([along * math.cos(phase) - R * math.sin(phase), along * math.sin(phase) + R * math.cos(phase)])
    errors = []
    for h in (4e-3, 2e-3, 1e-3):
        run = gr.simulate(there, until=end, step=h, interval=0.4)
        errors.append((np.abs(run.positions[-1, 0, [0, -1]] - wanted).max(), run.energy_error))
    ratios = np.array(errors[:-1]) / np.array(errors[1:])
    assert ratios == pytest.approx(np.full((2, 2), 4.0), rel=0.05)
    assert errors[-1][0] < 1e-5
