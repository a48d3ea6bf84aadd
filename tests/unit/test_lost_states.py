"""A state that steps have lost is refused by the step that lost it: no numbers that are not finite between frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import granum as gr
from tests.fuzz.small_runs import chain, falling, hinged

SCENES: dict[str, tuple[Callable[..., gr.Scene], str, dict[str, Any]]] = {
    **{solver: (chain, "chain-2", {"solver": solver}) for solver in ("rattle", "mixed", "dop853", "adams")},
    "rk4": (chain, "chain-2", {"solver": "rk4", "formulation": "lagrange"}),
    "hinged": (hinged, "rod", {}),
    **{solver: (falling, "few-1", {"solver": solver, "step": 1e-4})
       for solver in ("moreau", "soft", "unilateral", "events")},
}
"""Scene, body and settings of each kind of integrator."""


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
@pytest.mark.parametrize("kind", SCENES)
def test_a_force_that_overflows_is_refused_by_the_step(kind: str) -> None:
    """Whether a step takes it or not, what can be read is finite, unless the step has said that it is not."""
    scene, body, run = SCENES[kind]
    for size in (1e160, 1e300):
        simulation = gr.Simulation(scene(until=0.01, interval=0.01, **run))
        simulation.apply(body, force=(size, size))
        try:
            simulation.step(1e-4)
        except gr.NotConvergedError as error:
            assert "t = " in str(error)
            continue
        state = simulation.body(body)
        assert np.abs(state.velocity).max() > 1.0, "a force of this size leaves nothing where it is"
        assert np.isfinite([*state.position, *state.velocity, *simulation.energy.values()]).all()
