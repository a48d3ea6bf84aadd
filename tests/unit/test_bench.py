"""The peers simulate the benchmark's chain, and the search finds a run of theirs that is accurate."""

from __future__ import annotations

import dataclasses
import json
import math
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from benchmarks import ROOT, stiff
from benchmarks.comparison import Accuracy, ChainState, Fastest, Peer, PeerRun, Setting, Simulation, fastest
from benchmarks.peers import PEERS
from messages import naming, says

# Ten bodies, from an integration to 1e-12 that shares nothing with the peers.
TIP_AFTER_2_SECONDS = (-0.7933772863890878, -2.8922067418233555)
TIP_AFTER_1_SECOND = (-0.9250984328224168, -2.8135145579356826)
STRAIGHT_TIP = (3.0 * math.sin(math.radians(30.0)), -3.0 * math.cos(math.radians(30.0)))

# A fine setting of every integrator worth its name, and the tip error [m] it should stay under.
FINE_SETTINGS: dict[str, list[tuple[Setting, float]]] = {
    "MuJoCo": [
        (Setting("RK4", step=1e-3), 1e-10),
        (Setting("Euler", step=1e-4), 1e-3),
        (Setting("implicit", step=1e-4), 1e-3),
    ],
    "Pinocchio": [
        (Setting("RK4 loop", step=1e-3), 1e-10),
        (Setting("scipy DOP853", tolerance=1e-10), 1e-8),
    ],
    "Exudyn": [
        (Setting("kinematic tree RK44", step=1e-3), 1e-10),
        (Setting("kinematic tree DOPRI5", tolerance=1e-9), 1e-7),
        (Setting("kinematic tree ODE23", tolerance=1e-8), 1e-6),
        (Setting("point masses generalized-alpha, one Newton iteration", step=2e-4), 1e-6),
        (Setting("point masses trapezoidal index 2, one Newton iteration", step=2e-4), 1e-6),
        (Setting("point masses generalized-alpha, modified Newton", step=2e-4), 1e-5),
    ],
    "Drake": [
        (Setting("RK4 loop", step=1e-3), 1e-10),
        (Setting("runge_kutta5", step=1e-3), 1e-10),
        (Setting("runge_kutta3", step=1e-3), 1e-6),
        (Setting("runge_kutta5", tolerance=1e-9), 1e-7),
        (Setting("runge_kutta3", tolerance=1e-8), 1e-7),
        (Setting("discrete", step=1e-4), 1e-3),
    ],
}

FINE_CASES = [
    pytest.param(peer, setting, error, id=f"{peer.name}: {setting}")
    for peer in PEERS
    for setting, error in FINE_SETTINGS[peer.name]
]


def skip_if_missing(peer: Peer, setting: Setting | None = None) -> None:
    """Skip the test where the peer, or the scipy that the setting needs, is not installed."""
    if peer.version() is None:
        pytest.skip(f"{peer.name} is not installed")
    if setting is not None and setting.integrator.startswith("scipy"):
        pytest.importorskip("scipy")


@pytest.mark.parametrize(("peer", "setting", "error"), FINE_CASES)
def test_the_physics_is_right(peer: Peer, setting: Setting, error: float) -> None:
    """A fine setting puts the tip of ten bodies where it belongs after 2 s, and keeps energy and rods."""
    skip_if_missing(peer, setting)
    run = peer.run(10, setting, duration=2.0, repeats=1)
    assert run.tip_error(TIP_AFTER_2_SECONDS) < error
    assert run.energy_drift < error
    assert run.rod_error < 1e-7
    assert 0.0 < run.seconds < 60.0


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_every_candidate_is_tested(peer: Peer) -> None:
    """The integrators that are searched are those whose physics is tested, each from coarse to fine."""
    skip_if_missing(peer)
    candidates = peer.candidates(10)
    tested = {setting.ladder() for setting, _ in FINE_SETTINGS[peer.name]}
    assert {setting.ladder() for setting in candidates} <= tested
    for first, second in pairwise(candidates):
        if first.ladder() == second.ladder():
            assert (first.step or 0.0) > (second.step or -1.0)
            assert (first.tolerance or 0.0) > (second.tolerance or -1.0)


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_the_fastest_run_is_accurate(peer: Peer) -> None:
    """Every peer meets the accuracy with ten bodies, within 1 s of wall time."""
    skip_if_missing(peer)
    found = fastest(peer, 10, TIP_AFTER_1_SECOND, budget_seconds=1.0)
    assert found.run is not None, found.reason
    assert Accuracy().met_by(found.run, TIP_AFTER_1_SECOND)
    assert found.run in found.attempts


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_a_budget_too_small_is_a_reason(peer: Peer) -> None:
    """Without time the search gives up at once and says why."""
    skip_if_missing(peer)
    found = fastest(peer, 10, TIP_AFTER_1_SECOND, budget_seconds=1e-7)
    assert found.run is None
    naming(found.reason, *(setting.integrator for setting in peer.candidates(10)))


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_a_motion_that_blows_up_is_not_accurate(peer: Peer) -> None:
    """Steps far past the stability limit give a run, but not an accurate one."""
    skip_if_missing(peer)
    integrator = peer.candidates(100)[0].integrator
    run = peer.run(100, Setting(integrator, step=0.02), repeats=1)
    assert not Accuracy().met_by(run, TIP_AFTER_1_SECOND)


class Pretended(Peer):
    """A peer whose tip error is its step, whose time [s] is a thousandth over its step, with one ladder."""

    name = "Pretended"

    def version(self) -> str | None:
        """A version, so that it counts as installed."""
        return "1"

    def candidates(self, count: int) -> tuple[Setting, ...]:
        """Steps [s] from 1/10 to 1/10000."""
        return tuple(Setting("pretended", step=0.1**power) for power in range(1, 5))

    def prepare(self, count: int, setting: Setting) -> Simulation:
        """The straight chain, its tip moved by the step."""

        def simulate(duration: float) -> tuple[float, ChainState]:
            step = setting.step or math.nan
            positions = np.outer(np.arange(1, count + 1) / count, STRAIGHT_TIP)
            positions[-1, 0] += step
            return 1e-3 * duration / step, ChainState(positions, np.zeros((count, 2)))

        return simulate


class Missing(Pretended):
    """A peer that is not installed."""

    def version(self) -> str | None:
        """None, as for a program that cannot be imported."""
        return None


def search_pretended(tip_error: float, budget_seconds: float) -> Fastest:
    """Search the pretended peer for a tip error [m] within a budget [s]."""
    return fastest(Pretended(), 3, STRAIGHT_TIP, budget_seconds, Accuracy(1.0, 1.0, tip_error))


def test_the_search_ends_between_the_rungs() -> None:
    """Three halvings of the gap between rungs a factor of 10 apart leave a factor of 10**(1/8)."""
    run = search_pretended(tip_error=2.5e-3, budget_seconds=10.0).run
    assert run is not None
    assert run.setting.step is not None
    assert 2.5e-3 / 10**0.125 <= run.setting.step <= 2.5e-3


def test_the_search_stops_at_the_budget() -> None:
    """A step [s] that would meet the accuracy only past the budget [s] is not run."""
    found = search_pretended(tip_error=1e-3, budget_seconds=0.5)
    assert found.run is None
    assert [attempt.setting.step for attempt in found.attempts] == pytest.approx([0.1, 0.01])
    says(found.reason, "step 0.001 s", "1 s")


def test_a_ladder_that_is_never_accurate_is_a_reason() -> None:
    """The last rung is named where even it is too coarse."""
    found = search_pretended(tip_error=1e-9, budget_seconds=100.0)
    assert found.run is None
    says(found.reason, "step 0.0001 s")


def test_a_peer_that_is_not_installed_is_a_reason() -> None:
    """A missing program is told apart from one that is not accurate."""
    found = fastest(Missing(), 3, STRAIGHT_TIP, 1.0)
    assert found == Fastest(None, found.reason)
    says(found.reason, "Pretended")


def test_not_a_number_never_meets_the_accuracy() -> None:
    """A blown-up run compares as not accurate."""
    run = PeerRun(1.0, (math.nan, math.nan), math.nan, math.nan, Setting("any", step=1.0))
    assert not Accuracy().met_by(run, STRAIGHT_TIP)


def test_benchmarks_run_from_the_root_of_the_repository(tmp_path: Path) -> None:
    """One JSON object and the picture asked for; an option that means nothing to a benchmark is refused."""
    figure = tmp_path / "cost.svg"
    done = benchmark("derive", "--bodies", "2", "--figure", figure, "--json")
    assert done.returncode == 0, done.stderr
    assert {row["links"] for row in json.loads(done.stdout)["derivations"]} == {2} and figure.stat().st_size > 1000
    done = benchmark("shell", "--figure", figure)
    assert done.returncode == 2
    naming(done.stderr, "--figure")


def test_stiff_systems_are_those_of_their_peers() -> None:
    """A pendulum on a stiff spring for 0.1 s: scene and hand-written equations are one system, in both formulations."""
    done = stiff.measure((1e-6,), quick=True)
    errors = {run.method: run.error for run in done.runs}
    assert set(errors) == {"Granum radau, fundamental", "Granum radau, newton-euler", "Granum dop853, fundamental",
                           "SciPy Radau", "SciPy BDF"}
    assert max(error for method, error in errors.items() if "Granum" in method) < 1e-7
    assert all(run.seconds > 0.0 and run.evaluations > 0 for run in done.runs)
    assert json.loads(json.dumps(done.as_json()))["runs"][0]["tolerance"] == 1e-6
    assert sum("SciPy" in line for line in done.summary_lines()) == 3


@pytest.mark.parametrize("problem", [stiff.robertson, stiff.rods])
def test_stiff_scenes_agree_with_equations_by_hand(problem) -> None:
    """Both at 1e-8, for a short time."""
    short = dataclasses.replace(problem(), until=0.1)
    (formulation,) = short.formulations
    assert short.by_granum("radau", formulation, 1e-8, repeats=0).error < 1e-6


def benchmark(*arguments: object) -> subprocess.CompletedProcess[str]:
    """`python -m benchmarks` as a user calls it."""
    return subprocess.run([sys.executable, "-m", "benchmarks", *map(str, arguments)], cwd=ROOT, capture_output=True,
                          text=True, timeout=120, check=False)
