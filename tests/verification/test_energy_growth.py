"""Energy from nowhere ends a run; a system at rest has an energy scale that is not round-off."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import granum as gr
from commands import granum
from granum.base.errors import NotConvergedError
from granum.run.energy import GROWN, Energy
from granum.run.show import summary_lines
from granum.run.warnings import Guard
from messages import refused, says

STIFF = """
title = "Stiff spring, step too large"
[body.wall]
kind = "fixed-point"
position = [0.0, 0.0]
[body.mass]
kind = "point-mass"
mass = 1.0
[start.mass]
position = [1.5, 0.0]
[load.spring]
kind = "spring"
between = ["wall", "mass"]
stiffness = 1e5
rest_length = 1.0
[run]
until = 1.0
interval = 0.02
solver = "rk4"
step = 0.01
"""
"""ω h = 3.16, beyond the limit 2.83 of rk4: the energy of 12.5 kJ grows without bound."""


def test_a_run_that_makes_energy_fails_and_keeps_its_frames(tmp_path: Path) -> None:
    (tmp_path / "stiff.toml").write_text(STIFF)
    done = granum("run", "stiff.toml", "--json", folder=tmp_path)
    assert done.returncode == 2
    says(done.stderr, "step", 'solver = "dop853"', "stiff.h5")
    run = gr.open_run(tmp_path / "stiff.h5")
    assert 2 <= len(run.t) < run.planned
    assert run.energy.exploded and not Energy.recorded(run.energy_table()[:-1], run.metadata).exploded
    assert run.energy.error[-1] > GROWN * run.energy.kinetic[-1]
    again = granum("run", "stiff.toml", "--resume", folder=tmp_path)
    assert again.returncode == 2
    says(again.stderr, 'solver = "dop853"')
    smaller = granum("run", "stiff.toml", "--step", "0.001", "--overwrite", folder=tmp_path)
    assert smaller.returncode == 0, smaller.stderr


def two_grains(solver: str) -> gr.Run:
    """A grain that flies against a wall and back, and one that waits."""
    scene = gr.Scene(
        body={name: {"kind": "disk", "radius": 0.1, "mass": 1.0, "material": "stone"} for name in "ab"},
        start={"a": {"position": (0.0, 0.0), "velocity": (1.0, 0.0)}, "b": {"position": (0.0, 1.0)}},
        material={"stone": {"restitution": 0.5}},
        boundary={"wall": {"kind": "plane", "position": (0.3, 0.0), "normal": (-1.0, 0.0)}})
    return gr.simulate(scene, solver=solver, until=0.4, interval=0.1)


def test_grains_are_guarded_too() -> None:
    """A last frame with twice the energy of the start, written over a sound one, is refused; the sound one is not."""
    run = two_grains("moreau")
    Guard(run)
    content = {name: array[-1] for name, array in run._recording.arrays.items() if name == "energy"}
    content["energy"] = [1.0 + run.energy.kinetic[0], *content["energy"][1:]]
    run._recording.store(len(run.t) - 1, content)
    with refused(NotConvergedError, "tolerance"):
        Guard(run)


@pytest.mark.parametrize(("solver", "solved"), [("moreau", True), ("soft", False), ("events", False)])
def test_a_solver_that_does_not_solve_for_contact_has_no_residual(solver: str, solved: bool) -> None:
    run = two_grains(solver)
    summary = {**run.summary, "seconds": 1.0, "file": "run.h5"}
    (line,) = (line for line in summary_lines(summary) if "residual" in line)
    assert (summary["residual"] is not None) == solved
    assert ("none" not in line) == solved
    says(line)
    says(", ".join(run.vital_signs), "residual")
    assert ("residual" in run.figures) == run.has.residual == solved
    assert np.isfinite(run.statistics["residual"]).tolist() == [solved] * len(run.t)
    assert solved or json.loads(json.dumps(run.summary, allow_nan=False))["residual"] is None
    assert (">none<" not in run._repr_html_()) == solved


def ramp() -> gr.Scene:
    """A rod that a drive starts smoothly, without loads: at first its energy is rounding error, all of it."""
    pivot, rod = {"kind": "fixed-point", "position": (0.0, 0.0)}, {"kind": "rod", "length": 1.0, "mass": 1.0}
    return gr.Scene(body={"pivot": pivot, "rod": rod}, run={"until": 0.6, "interval": 0.01}, constraint={
        "hinge": {"kind": "hinge", "between": ("pivot", "rod.tail")},
        "motor": {"kind": "drive", "joint": "hinge", "motion": "0.5*(1+tanh(30*(t-1)))"}})


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental", "lagrange", "virtual-work", "gibbs-appell"])
def test_energies_of_rounding_errors_are_no_explosion(formulation: str) -> None:
    run = gr.simulate(ramp(), formulation=formulation)
    assert run.finished and run.energy.kinetic[30] < 1e-30
    rate = 15.0 / np.cosh(30.0 * (0.6 - 1.0)) ** 2
    assert run.energy.kinetic[-1] == pytest.approx(0.5 * rate**2 / 3.0, rel=1e-5)  # 1 - tanh² loses digits


@pytest.mark.parametrize("kind", [{"kind": "point-mass"}, {"kind": "rigid-body", "inertia": 0.1}],
                         ids=["point", "body"])
def test_errors_within_the_tolerance_are_no_explosion(kind: dict[str, object]) -> None:
    """A long run of a mass at rest on a stiff spring, up to rounding: 1e-9 of the size times ω = 1000/s is a speed."""
    scene = gr.Scene(body={"nail": {"kind": "fixed-point", "position": (0.1, 0.7)}, "mass": {"mass": 1.0, **kind}},
                     load={"spring": gr.Spring(between=("nail", "mass"), stiffness=1e6, rest_length=np.nextafter(
                         0.37, 1.0))}, start={"mass": {"position": (0.1 + 0.37 * 0.6, 0.7 - 0.37 * 0.8)}})
    run = gr.Simulation(scene.with_run(until=4000.0, interval=40.0))
    run.step(80.0)
    assert run.run.energy.kinetic[-1] < 0.5 * (1e3 * 1e-9) ** 2


def test_the_error_is_relative_to_what_went_through() -> None:
    """A motor against a damper, at a constant rate: the work of the motor grows, the stored energy does not."""
    scene = gr.Scene(body={"pivot": {"kind": "fixed-point", "position": (0.0, 0.0)},
                           "rod": {"kind": "rod", "length": 1.0, "mass": 1.0}},
                     constraint={"hinge": {"kind": "hinge", "between": ("pivot", "rod.tail")},
                                 "motor": {"kind": "drive", "joint": "hinge", "motion": "2*t"}},
                     load={"brake": {"kind": "torsion-spring", "hinge": "hinge", "stiffness": 0.0, "damping": 3.0}})
    energy = gr.simulate(scene, until=5.0).energy
    assert energy.work["motor"][-1] == pytest.approx(3.0 * 2.0**2 * 5.0, rel=1e-9)  # c ω² t
    assert energy.scale[-1] == pytest.approx(60.0, rel=1e-9) and energy.kinetic.max() < 0.7
    assert energy.scale_name in ("work of motor", "work of brake")


def test_work_that_agents_do_is_no_explosion() -> None:
    """A body that a force drives from rest gains all its kinetic energy, and all of it has a source."""
    run = gr.simulate(gr.Scene(body={"a": {"kind": "point-mass", "mass": 1.0}}, start={"a": {"position": (0.0, 0.0)}},
                               load={"push": {"kind": "force", "on": "a", "force": (100.0, 0.0)}}), until=10.0)
    assert run.energy.kinetic[-1] == pytest.approx(0.5 * 1000.0**2, rel=1e-9)
    assert not run.energy.exploded and run.energy_error < 1e-9


def balanced(count: int = 12) -> gr.Scene:
    """A wheel of point masses with spokes, at rest on its pin: nothing moves, and weights cancel to round-off."""
    angles = 2.0 * np.pi * np.arange(count) / count
    return gr.Scene(
        body={"pin": {"kind": "fixed-point", "position": (0.0, 0.0)},
              **{f"m{k}": {"kind": "point-mass", "mass": 1.0} for k in range(count)}},
        start={f"m{k}": {"position": (float(np.cos(a)), float(np.sin(a)))} for k, a in enumerate(angles)},
        link={**{f"spoke-{k}": {"between": ("pin", f"m{k}")} for k in range(count)},
              **{f"rim-{k}": {"between": (f"m{k}", f"m{k + 1}")} for k in range(count - 1)}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, -9.81)}}, run={"until": 5.0})


@pytest.mark.parametrize("settings", [{}, {"solver": "rk4", "step": 0.01}, {"solver": "mixed", "step": 0.01},
                                      {"formulation": "fundamental", "until": 1.0}])
def test_a_balanced_wheel_at_rest_has_no_energy_error(settings: dict[str, object]) -> None:
    """Errors of 1e-12 J against 75 J that weights times heights make: 1e-14 of it, a floor of 1e-9 of it below."""
    run = gr.simulate(balanced(), **settings)
    assert run.energy.kinetic.max() < 1e-20
    assert run.energy.scale[-1] == pytest.approx(1e-9 * 9.81 * np.abs(run.positions[0, :, 1]).sum(), rel=1e-6)
    assert run.energy_error < 1e-3
    assert not [note for note in run.summary["notes"] if "Energy" in note]


def test_the_scale_is_the_largest_energy_so_far() -> None:
    """Hand-made frames: K and V by turns, an error of 1 J in the last one."""
    kinetic, potential = np.array([0.0, 3.0, 1.0, 2.0]), np.array([5.0, 2.0, 4.0, 4.0])
    energy = Energy(kinetic, potential, {"gravity": potential[0] - potential})
    assert energy.scale.tolist() == pytest.approx([5e-12, 3.0, 3.0, 3.0])
    assert energy.error.tolist() == [0.0, 0.0, 0.0, 1.0]
    assert energy.largest_error == pytest.approx(1.0 / 3.0)
    assert energy.extremes == [0, 1]
