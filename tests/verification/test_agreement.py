"""Whole runs of the two formulations against each other, and what happens where a method fails."""

from __future__ import annotations

import numpy as np
import pytest

import granum as gr
import scenes
from messages import refused, says


@pytest.mark.parametrize("name", [name for name in scenes.PLANAR if name != "truss"])
def test_formulations_agree_on_every_planar_scene(name: str) -> None:
    """Half a second of every planar scene: positions to 1e-9, link forces to 1e-7 of the largest."""
    scene = scenes.SCENES[name]()
    one, other = (
        gr.simulate(scene, until=0.5, solver="dop853", tolerance=1e-12, formulation=formulation)
        for formulation in ("newton-euler", "lagrange")
    )
    assert one.positions == pytest.approx(other.positions, abs=1e-9)
    assert one.tensions == pytest.approx(other.tensions, abs=1e-7 * np.abs(one.tensions).max(initial=1.0))


def test_nothing_that_is_not_finite_is_recorded() -> None:
    """An explicit step beyond the stability limit blows up: an error with time, body and remedy, and no NaN."""
    with np.errstate(all="ignore"), refused(gr.NotConvergedError, "t = 0.2 s", '"bob-1"', "dop853"):
        gr.simulate(scenes.pendulum(100), until=1.0, interval=0.2, solver="rk4", step=0.02)


def test_a_taut_row_is_named_where_a_run_fails() -> None:
    """A row of links straight between fixed points is singular: the failure names them and the remedy."""
    net = gr.Net(rows=3, columns=4, spacing=0.1, position=(0.0, 0.0, 0.0), across=(1.0, 0.0, 0.0),
                 down=(0.0, 1.0, 0.0), fixed="corners", mass=0.1)
    scene = gr.Scene(pattern={"net": net}, load=scenes.DOWN_3D)
    assert gr.check(scene).redundant_links
    with np.errstate(all="ignore"), pytest.raises(gr.NotConvergedError) as stopped:
        gr.simulate(scene, until=0.1, solver="rk4", step=1e-3, corrections=("position", "velocity"))
    says(str(stopped.value).splitlines()[-1], "4 links", "net-link-2")
