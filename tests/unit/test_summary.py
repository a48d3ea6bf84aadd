"""The summary of a run: its figures, and each note when it is due and not otherwise."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from granum.base.text import visible
from granum.run.check import FormulaDescription
from granum.run.progress import Moment
from granum.run.show import _of_energy, summary_lines
from messages import says
from scenes import SCENES, G, pendulum, spinning_ring, sprung, truss

NOTES = {  # a run that deserves this note and no other, and what the note names
    "stopped": (pendulum(3), {"until": 1.0, "interval": 0.25, "progress": True}, "of 1 s", "--resume"),
    "length error": (
        spinning_ring(spin=3.0), {"until": 5.0, "solver": "rk4", "step": 0.1, "interval": 1.0},
        "length error", 'corrections = ["position", "velocity"]', 'solver = "rattle"'),
    "energy error": (
        sprung(0.0), {"until": 2.0, "solver": "rattle", "step": 0.1, "interval": 0.4}, "Energy balance error", "step"),
    "energy not corrected": (
        pendulum(1, angle=0.1),
        {"until": 4.0, "solver": "mixed", "step": 0.02, "interval": 0.5, "corrections": ["energy"]}, "energy"),
    "slow sweeps": (
        pendulum(300, angle=1.5),
        {"until": 0.01, "interval": 0.005, "solver": "mixed", "inner_solver": "gauss-seidel", "tolerance": 1e-3},
        "tolerance 0.001", 'inner_solver = "direct"'),
    "redundant link": (truss(), {"until": 0.2}, "1 link", "granum check"),
    "work of dampers": (sprung(), {"until": 0.5, "solver": "rk4", "corrections": ["energy"]}, "dampers"),
}


def notes_of(scene: gr.Scene, settings: dict[str, Any]) -> list[str]:
    """Notes of a run; progress = True stops it half-way."""
    def stop(moment: Moment) -> None:
        if moment.t >= moment.until / 2:
            raise KeyboardInterrupt

    given = settings | {"progress": stop} if "progress" in settings else settings
    found: list[str] = gr.simulate(scene, **given).summary["notes"]
    return found


@pytest.mark.parametrize("case", NOTES)
def test_a_note_appears_where_it_is_due_and_alone(case: str) -> None:
    scene, settings, *names = NOTES[case]
    notes = notes_of(scene, settings)
    assert len(notes) == 1, notes
    says(notes[0], *names)


@pytest.mark.parametrize("name", [name for name in SCENES if name != "truss"])
def test_a_clean_run_has_no_notes(name: str) -> None:
    assert notes_of(SCENES[name](), {"until": 0.2, "tolerance": 1e-10}) == []


def test_energy_that_is_corrected_is_no_error() -> None:
    """Coarse steps make half a percent of the energy, and the correction takes all of it away again."""
    run = gr.simulate(pendulum(2, angle=1.5), until=3.0, interval=0.3, solver="rk4", step=0.1,
                      corrections=["position", "velocity", "energy"])
    assert np.abs(run.energy.corrected["energy"]).max() > 0.005 * run.energy.scale[-1]
    assert run.summary["energy"]["relative_error"] < 1e-13
    assert run.summary["notes"] == []


def test_the_figures_of_a_run() -> None:
    """A pendulum of one mass of 1 kg on 3 m, let go at 30°: the energies are known."""
    run = gr.simulate(pendulum(1), until=0.5, interval=0.1, tolerance=1e-11)
    summary = run.summary
    assert {key: summary[key] for key in ("title", "bodies", "links", "formulation", "solver")} == {
        "title": "Pendulum of 1", "bodies": 1, "links": 1, "formulation": "newton-euler", "solver": "dop853"}
    assert (summary["t"], summary["until"], summary["finished"], summary["frames"]) == (0.5, 0.5, True, 6)
    assert summary["steps"] == run.statistics["steps"].sum() > 0
    assert summary["evaluations"] >= 12 * summary["steps"]
    start = -G * 3.0 * np.cos(np.radians(30.0))
    assert_allclose([summary["energy"]["start"], summary["energy"]["end"]], start, rtol=1e-10)
    fallen = -G * (run.position("bob-1")[-1, 1] - run.position("bob-1")[0, 1])
    assert_allclose(summary["energy"]["work"]["gravity"], fallen, rtol=1e-12)
    assert_allclose(summary["end"]["bob-1"], run.position("bob-1")[-1])
    assert summary["constraint_errors"]["relative"] == run.constraint_errors.relative.max()


def test_the_ends_of_many_bodies_are_left_out() -> None:
    assert "end" not in gr.simulate(pendulum(250), until=0.01, interval=0.01, solver="rk4").summary


def leaving_ball() -> gr.Scene:
    """A ball that rolls down a dome until it lifts off, where the normal force vanishes and friction does not."""
    return gr.Scene(
        surface={"dome": {"equation": "X**2 + Y**2 + Z**2 - 1"}}, body={"ball": gr.Sphere(radius=0.1, mass=1.0)},
        constraint={"roll": {"kind": "rolling", "body": "ball", "on": "dome"}},
        load={"gravity": gr.Gravity(acceleration=(0.0, 0.0, -G))},
        start={"ball": {"contact": (0.6, 0.0, 0.8), "velocity": (0.0, 0.0)}}, run=gr.RunSettings(until=2.0))


def test_a_body_that_lifts_off_needs_unlimited_friction() -> None:
    run = gr.simulate(leaving_ball())
    assert run.event is not None and run.summary["minimum_friction"]["roll"] == {
        "coefficient": None, "t": run.t[-1], "along_steps": True}
    assert run.minimum_friction("roll").value == np.inf
    (line,) = (line for line in summary_lines(run.summary | {"seconds": 0.0}) if line.startswith("roll"))
    assert "unlimited" in line and "e+" not in line


def test_the_summary_of_a_rolling_shell_integrates_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it says of friction was kept along the steps: more than in any frame, and what is needed between them."""
    run = gr.simulate(gr.example("rolling-shell"), until=1.0, interval=0.25)
    needed = run.minimum_friction("roll")
    monkeypatch.setattr(type(run), "minimum_friction", None)
    found = run.summary["minimum_friction"]["roll"]
    assert found["coefficient"] == pytest.approx(needed.value, rel=1e-5)
    assert found["coefficient"] > 1.01 * run.reaction("roll").needed_friction.max()
    assert found["t"] == pytest.approx(needed.t, abs=2e-3)


def test_a_run_without_friction_along_its_steps_claims_that_of_its_frames_only() -> None:
    """A run file of an earlier version has no array of it."""
    run = gr.simulate(gr.example("rolling-shell"), until=0.5, interval=0.25)
    (line,) = (line for line in summary_lines(run.summary | {"seconds": 0.0}) if line.startswith("roll"))
    assert "along the steps" in line
    del run.metadata["rolling"]
    found = run.summary["minimum_friction"]["roll"]
    assert found["coefficient"] == run.reaction("roll").needed_friction.max() and not found["along_steps"]
    (line,) = (line for line in summary_lines(run.summary | {"seconds": 0.0}) if line.startswith("roll"))
    assert "at least" in line and "in a frame" in line and "steps" not in line


def test_check_counts_the_rows_that_a_run_counts() -> None:
    """The row of the energy holds by itself: it is independent of the others (rank 11) and removes no freedom."""
    scene = gr.example("rolling-shell")
    described, run = gr.check(scene), gr.simulate(scene, until=0.01, interval=0.01)
    assert isinstance(described, FormulaDescription)
    assert described.constraints == run.summary["constraints"] == 12
    assert (described.rank, described.degrees_of_freedom, described.invariants) == (11, 3, ("energy",))


@pytest.mark.parametrize(("value", "scale", "shown"), [
    (8.5e-34, 1.0, 0.0), (-6.5e-41, 1e-3, 0.0), (1e-13, 1.0, 1e-13), (8.5e-34, 1e-30, 8.5e-34), (0.0, 0.0, 0.0),
    (-3e-300, 0.0, -3e-300)])
def test_rounding_beside_a_scale_is_zero(value: float, scale: float, shown: float) -> None:
    assert visible(value, scale) == shown


def test_what_is_zero_is_printed_as_zero() -> None:
    """A ball at rest about the vertical: rates of 1e-46 at the start, work of 1e-30 J beside the energy."""
    line = gr.check(gr.example("turntable")).summary_lines()[-1]
    assert line.startswith("Initial state") and "e-" not in line
    energy = {"start": 2e-17, "end": 3.0, "work": {"gravity": 3.0, "drive": 8.5e-34}, "relative_error": 1e-12,
              "scale": 3.0, "scale_name": "work of gravity", "corrected": {"position": -6.5e-41}}
    words = " ".join(_of_energy(energy))
    assert "Energy 0 J at the start" in words and "drive" not in words and "corrections" not in words
