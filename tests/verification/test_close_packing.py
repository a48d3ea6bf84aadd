"""A small packing at the onset of jamming; large ones are a published case (`close-packing`)."""

from __future__ import annotations

import numpy as np
import pytest

from granum.grains.generation.packing import ClosePacking, close_packing
from granum.grains.generation.placement import stream
from granum.model.body_entries import ball_volume


def packed(dimension: int, n: int, seed: int, overlap: float) -> ClosePacking:
    radii = np.ones(n) if dimension == 3 else np.array([1.0, 1.4] * (n // 2))
    edge = float(np.sum(ball_volume(radii, dimension))) ** (1.0 / dimension)
    return close_packing(radii, np.full(dimension, edge), stream(seed, "packing", "close"), overlap=overlap)


def test_a_small_packing_is_at_the_onset_of_jamming():
    found = packed(2, 128, 0, 1e-6)
    # Z = 2d - 2d/N + 2/N at the onset (N counts force carriers); each contact more than that is one of overlap
    coordination, rattlers = found.coordination(2)
    carriers = 128 - rattlers
    assert 4.0 - 4.0 / carriers <= coordination <= 4.0 + 6.0 / carriers
    assert 0.0 < found.overlap <= 1e-6
    # finite systems jam over a range of width about 0.16 N^(-1/2) around 0.842 (O'Hern 2003)
    assert found.fraction == pytest.approx(0.84, abs=3.0 * 0.16 / np.sqrt(128.0))
