"""Orders of convergence, agreement of the two formulations, corrections, and the numbers held as truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import granum as gr
import scenes

# N = 10 masses, 3 m, 30 degrees, at t = 2 s; computed independently of this project, 14 digits
TRUTH_N10 = (-0.7933772863890878, -2.8922067418233555)
ORDERS = {"rk4": (4, {}), "rattle": (2, {}), "mixed": (2, {"tolerance": 1e-13})}


@pytest.mark.parametrize("formulation", ["newton-euler", "lagrange"])
def test_pendulum_of_ten_ends_where_it_must(formulation: str) -> None:
    """Error control at 1e-12 leaves less than 1e-10 after some hundred steps."""
    run = gr.simulate(scenes.pendulum(10), until=2.0, solver="dop853", tolerance=1e-12, formulation=formulation)
    assert run.position("bob-10")[-1] == pytest.approx(TRUTH_N10, abs=1e-10)


def test_two_formulations_one_motion() -> None:
    """N = 50 over 2 s: every position to 1e-11, energy to 1e-11, though they share no equation."""
    scene = scenes.pendulum(50)
    one = gr.simulate(scene, until=2.0, solver="dop853", tolerance=1e-12)
    other = gr.simulate(scene, until=2.0, solver="dop853", tolerance=1e-12, formulation="lagrange")
    assert np.abs(one.positions - other.positions).max() < 1e-11
    for run in (one, other):
        assert np.abs(run.energy.error).max() / run.energy.scale < 1e-11


@pytest.mark.parametrize("name", [name for name in scenes.PLANAR if name != "truss"])
def test_formulations_agree_on_every_planar_scene(name: str) -> None:
    """Half a second of every planar scene: positions to 1e-9, link forces to 1e-7 of the largest."""
    scene = scenes.SCENES[name]()
    one, other = (
        gr.simulate(scene, until=0.5, solver="dop853", tolerance=1e-12, formulation=formulation)
        for formulation in ("newton-euler", "lagrange")
    )
    assert one.positions == pytest.approx(other.positions, abs=1e-9)
    assert one.reactions == pytest.approx(other.reactions, abs=1e-7 * np.abs(one.reactions).max(initial=1.0))


@pytest.mark.parametrize("solver", ORDERS)
@pytest.mark.parametrize("name", ["pendulum", "hanging-ring", "net", "sprung"])
def test_order_of_convergence(solver: str, name: str) -> None:
    """The slope of the error against the step, over two halvings, is the order of the method within 5 %."""
    order, settings = ORDERS[solver]
    scene = scenes.SCENES[name]()
    until = 0.4
    exact = gr.simulate(scene, until=until, interval=until, solver="dop853", tolerance=1e-13).positions[-1]
    coarsest = 4e-3 if solver == "rk4" else 1e-3
    errors = [
        np.abs(gr.simulate(scene, until=until, interval=until, solver=solver, step=coarsest / 2**k, **settings)
               .positions[-1] - exact).max()
        for k in range(3)
    ]
    slopes = np.diff(-np.log2(errors))
    assert slopes == pytest.approx(order, rel=0.05), errors


def test_adams_follows_its_tolerance() -> None:
    """A hundred times smaller tolerance gives at least a ten times smaller error."""
    scene = scenes.pendulum(10)
    errors = [
        np.abs(gr.simulate(scene, until=2.0, interval=0.5, solver="adams", tolerance=tolerance)
               .position("bob-10")[-1] - TRUTH_N10).max()
        for tolerance in (1e-6, 1e-8, 1e-10)
    ]
    assert errors[1] < 0.1 * errors[0] and errors[2] < 0.1 * errors[1]


CORRECTED: list[dict[str, Any]] = [
    {"solver": "rk4", "tolerance": 1e-10},
    {"solver": "mixed", "tolerance": 1e-10},
    {"solver": "mixed", "tolerance": 1e-10, "correct": "inside"},
]
# coarse enough to drift in 10 s, fine enough to be stable without corrections
COARSE = {("rk4", "pendulum"): 1.6e-2, ("rk4", "hanging-ring"): 8e-3, ("mixed", "pendulum"): 2e-3,
          ("mixed", "hanging-ring"): 2e-3}


@pytest.mark.parametrize("settings", CORRECTED, ids=lambda s: f"{s['solver']}-{s.get('correct', 'end')}")
@pytest.mark.parametrize("name", ["pendulum", "hanging-ring"])
def test_corrections_hold_what_drifts_without_them(settings: dict[str, Any], name: str) -> None:
    """10 s: lengths and their rates at the tolerance, energy to round-off, against drift of 1e-4 and more without."""
    scene = scenes.SCENES[name]()
    settings = {**settings, "step": COARSE[settings["solver"], name], "interval": 0.08}
    uncorrected = {key: value for key, value in settings.items() if key != "correct"}
    drifting = gr.simulate(scene, until=10.0, **uncorrected)
    assert drifting.constraint_errors[-1, 0] > 1e-4
    held = gr.simulate(scene, until=10.0, corrections=("position", "velocity", "energy"), **settings)
    assert held.constraint_errors[:, 0].max() <= 1e-10
    assert held.constraint_errors[:, 1].max() <= 1.1e-10 * np.abs(held.velocities).max()
    gained = np.abs(held.energy.total - held.energy.total[0]) / held.energy.scale
    assert gained.max() < 1e-9
    # the ledger says what the corrections did, and nothing else is unaccounted for beyond what they took out
    assert sum(abs(added[-1]) for added in held.energy.corrected.values()) > 0.0
    balance = held.energy.total - held.energy.total[0] - sum(held.energy.corrected.values()) - held.energy.error
    assert np.abs(balance).max() / held.energy.scale < 1e-12


def test_each_correction_by_itself() -> None:
    """Position corrects lengths, velocity their rates, energy the total; each leaves the others' errors."""
    scene = scenes.pendulum(10)
    settings: dict[str, Any] = {"until": 5.0, "solver": "rk4", "step": 8e-3, "tolerance": 1e-10}
    runs = {kind: gr.simulate(scene, corrections=(kind,), **settings) for kind in ("position", "velocity", "energy")}
    assert runs["position"].constraint_errors[:, 0].max() <= 1e-10
    assert runs["position"].constraint_errors[:, 1].max() > 1e-8
    assert runs["velocity"].constraint_errors[:, 1].max() < 1e-9
    assert runs["velocity"].constraint_errors[:, 0].max() > 1e-8
    energy = runs["energy"].energy
    assert np.abs(energy.total - energy.total[0]).max() / energy.scale < 1e-12
    assert runs["energy"].constraint_errors[:, 0].max() > 1e-8


def test_energy_correction_says_when_it_cannot() -> None:
    """A stack that hardly begins to fall has less kinetic energy than its potential is rounded: noted, not forced."""
    stack = gr.Stack(from_="pivot", count=5, height=3.0, tilt=1e-10, mass=1.0)
    scene = gr.Scene(body=scenes.PIVOT, pattern={"stack": stack}, load=scenes.DOWN)
    run = gr.simulate(scene, until=0.01, solver="rk4", step=1e-4, corrections=("energy",))
    assert run.statistics["energy_uncorrected"].sum() > 0
    assert any("could not be corrected" in note for note in run.summary["notes"])


@pytest.mark.parametrize("name", ["pendulum", "spinning-ring", "tree", "net", "components", "suspended"])
def test_rattle_keeps_rods_to_round_off(name: str) -> None:
    """Length errors stay at some units of round-off of the coordinates, whatever the motion."""
    run = gr.simulate(scenes.SCENES[name](), until=1.0, solver="rattle", step=1e-3)
    assert run.constraint_errors[:, 0].max() < 1e-13
    assert np.abs(run.energy.error).max() / run.energy.scale < 1e-4


def test_gauss_seidel_and_direct_agree() -> None:
    """Sweeps until the change is 1e-11 give the link forces of elimination to about that times the slowness."""
    scene = scenes.pendulum(6)
    direct, swept = (
        gr.simulate(scene, until=0.5, solver="mixed", step=1e-3, tolerance=1e-11, inner=inner)
        for inner in ("direct", "gauss-seidel")
    )
    assert swept.positions == pytest.approx(direct.positions, abs=1e-8)
    assert swept.statistics["iterations"].sum() > direct.statistics["iterations"].sum()


def test_step_follows_the_rate_of_convergence() -> None:
    """Easy steps lengthen (rounds below the lower bound), so fewer are taken than with a fixed step."""
    scene = scenes.pendulum(10)
    settings: dict[str, Any] = {"until": 1.0, "interval": 0.1, "solver": "mixed", "step": 5e-4, "tolerance": 1e-6}
    fixed, adapted = gr.simulate(scene, **settings), gr.simulate(scene, adapt_step=True, **settings)
    assert adapted.statistics["steps"].sum() < 0.7 * fixed.statistics["steps"].sum()
    assert adapted.statistics["largest_step"].max() > 5e-4


def test_divergence_shortens_the_step_or_is_told() -> None:
    """A step far too large: with adapt_step it shrinks and the run ends; without, the error names a remedy."""
    scene = scenes.pendulum(50)
    settings: dict[str, Any] = {"until": 0.1, "interval": 0.05, "solver": "mixed", "step": 0.05, "tolerance": 1e-8}
    run = gr.simulate(scene, adapt_step=True, **settings)
    assert run.finished and run.statistics["rejected"].sum() > 0
    with pytest.raises(gr.NotConvergedError, match="smaller step"):
        gr.simulate(scene, **settings)


def test_nothing_that_is_not_finite_is_recorded() -> None:
    """An explicit step beyond the stability limit blows up: an error with time, body and remedy, and no NaN."""
    with np.errstate(all="ignore"), pytest.raises(gr.NotConvergedError, match="step is too large"):
        gr.simulate(scenes.pendulum(100), until=1.0, interval=0.2, solver="rk4", step=0.02)
