"""The benchmark of hinged rods: one state is judged alike for all programs."""

from __future__ import annotations

import math
import os
import venv
from pathlib import Path

import numpy as np
import pytest

from benchmarks import rods
from messages import naming


def test_start_has_no_error_of_energy() -> None:
    energy, tip = rods.judged(np.full(7, rods.ANGLE), np.zeros(7))
    assert energy < 1e-14  # sums of 7 rods in another order: some ten roundings, 1e-15
    assert tip == pytest.approx(rods.LENGTH * np.array([math.sin(rods.ANGLE), -math.cos(rods.ANGLE)]))


def test_energy_of_one_rod_that_swings() -> None:
    """m l²/3 ω²/2 - m g l/2 cos θ."""
    theta, w = 0.3, 1.7
    energy, _ = rods.judged(np.array([theta]), np.array([w]))
    start = -rods.GRAVITY * 1.5 * math.cos(rods.ANGLE)
    now = 9.0 / 6.0 * w * w - rods.GRAVITY * 1.5 * math.cos(theta)
    assert energy == pytest.approx(abs((now - start) / start))


def test_granum_runs_the_chain_and_is_judged_accurate() -> None:
    chain = rods.GranumRods(10)
    cpu, angles, rates, evaluations = chain.run(1e-10)
    energy, tip = rods.judged(angles, rates)
    assert energy < 1e-9 and evaluations > 0 and cpu >= 0.0
    assert tip[0] < rods.LENGTH * math.sin(rods.ANGLE)


def test_a_peer_that_is_not_there_is_told(tmp_path: Path) -> None:
    """An interpreter without MuJoCo leaves no ratio, and says why."""
    venv.create(tmp_path, symlinks=os.name != "nt")
    bare = next(tmp_path.glob("*/python*"))
    found = rods.compare(4, str(bare), 60.0)
    assert found.granum is not None and found.granum.accurate
    assert found.mujoco is None and found.ratio is None
    naming(found.reason, "MuJoCo")
