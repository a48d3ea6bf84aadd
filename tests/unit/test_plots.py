"""Plots of runs: every one of every kind of run, what is drawn, and what they compute against other numbers."""

from __future__ import annotations

import math
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

import granum as gr
from benchmarks import chain as chain_bench
from benchmarks import derivation, grain_scaling, rods, scaling
from benchmarks import grains as grains_bench
from granum.grains.measuring import flow_rate
from granum.view import style
from granum.view.plots import catalogue, registry
from granum.view.plots.catalogue import PLOTS, plots_of
from granum.view.plots.several import Chart, Tried, cost, jam_diagram
from granum.view.plots.surfaces import heights
from messages import refused
from plotted import EVERY, HEIGHT, MASS, RADIUS, SCENES, G, is_empty, run_of, unlabelled

THERE = {
    "linked": {"energy", "path", "phase", "reactions", "constraint-errors", "rigidity"},
    "formulas": {"energy", "path", "phase", "coordinates", "reactions", "constraint-errors"},
    "rolling": {"energy", "path", "phase", "coordinates", "surface", "reactions", "constraint-errors"},
    "mechanism": {"energy", "path", "phase", "reactions", "sections", "constraint-errors"},
    "actuated": {"energy", "path", "phase", "reactions", "commands", "constraint-errors"},
    "column": {"energy", "path", "phase", "grains", "forces", "before-after", "contacts", "coordination",
               "force-distribution", "stress", "packing", "rigidity", "rigidity-over-time"},
    "stream": {"energy", "path", "phase", "grains", "forces", "before-after", "contacts", "coordination", "stress",
               "flow", "rigidity"},
    "joined": {"energy", "path", "phase", "reactions", "constraint-errors", "grains", "forces", "before-after",
               "contacts", "coordination", "force-distribution", "stress", "rigidity"},
    "bonded": {"energy", "path", "phase", "grains", "forces", "before-after", "contacts", "coordination",
               "force-distribution", "stress", "rigidity", "bonds"},
}


@pytest.mark.parametrize("kind", SCENES)
def test_every_plot_of_every_kind_is_drawn_with_units(kind: str) -> None:
    run = run_of(kind)
    assert set(plots_of(run)) == THERE[kind]
    for name in plots_of(run):
        drawn = getattr(run.plot, name.replace("-", "_"))()
        assert not is_empty(drawn), name
        assert unlabelled(drawn) == [], name


def test_all_plots_are_tried() -> None:
    assert set(PLOTS) == set.union(*THERE.values()) | {"merged"}


def test_a_plot_from_outside_the_package_is_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the name, description and options of its function, for runs that have what it needs."""
    monkeypatch.setattr(registry, "PLOTS", PLOTS.copy())
    for module in (registry, catalogue):
        monkeypatch.setattr(module, "PLOTS", registry.PLOTS)

    @registry.plot("links")
    def longest_link(run: gr.Run, factor: float = 1.0) -> Figure:
        """The tension of a link."""
        drawn, panels = style.figure()
        panels[0, 0].plot(run.t, factor * run.tensions[:, 0])
        return drawn

    assert run_of("linked").plot.longest_link(factor=2.0).axes[0].lines
    assert "longest-link" in repr(run_of("linked").plot) and "The tension of a link." in repr(run_of("linked").plot)
    with refused(gr.GranumError, '"longest-link"', "links"):
        _ = run_of("column").plot.longest_link
    with refused(gr.GranumError, '"longest-link"'):
        registry.plot()(longest_link)


def test_a_run_says_what_it_can_draw() -> None:
    run = run_of("linked")
    assert dir(run.plot) == sorted(name.replace("-", "_") for name in plots_of(run))
    assert repr(run.plot).splitlines()[0].startswith("energy")
    with refused(gr.GranumError, '"enrgy"', '"energy"', "energy, path, phase"):
        run.plot.enrgy  # noqa: B018
    with refused(AttributeError, "probe", 'kind = "flow"'):
        run.plot.flow  # noqa: B018
    assert not hasattr(run.plot, "_repr_html_")
    with refused(gr.GranumError, "bob-3", '"energy"'):
        run.plot.energy("bob-3")
    with refused(gr.GranumError, '"energy"', "frame"):
        run.plot.energy(frame=3)
    with refused(gr.GranumError, "frame 99"):
        run_of("column").plot.grains(frame=99)


def test_a_figure_shows_itself_and_leaves_the_users_own_alone(tmp_path: Path) -> None:
    backend, size = mpl.rcParams["backend"], mpl.rcParams["font.size"]
    drawn = run_of("linked").plot.energy(file=tmp_path / "energy.svg")
    assert drawn._repr_png_().startswith(b"\x89PNG")
    assert plt.get_fignums() == [] and mpl.rcParams["backend"] == backend and mpl.rcParams["font.size"] == size
    run_of("linked").plot.energy(file=tmp_path / "again.svg")
    assert (tmp_path / "energy.svg").read_bytes() == (tmp_path / "again.svg").read_bytes()
    run_of("linked").plot.energy(file=tmp_path / "energy.pdf")
    assert (tmp_path / "energy.pdf").read_bytes().startswith(b"%PDF")


def test_too_many_curves_are_chosen_and_counted() -> None:
    axis = run_of("linked").plot.reactions().axes[0]
    assert len(axis.lines) == 7 and "7 of 12 shown" in axis.get_title()


def test_reactions_are_those_of_the_joints() -> None:
    """Rods that hang at rest: the shoulder carries both, the elbow the lower one, the cut half of the upper too."""
    run = run_of("mechanism")
    curves = {line.get_label(): line.get_ydata()[-1] for line in run.plot.reactions().axes[0].lines}
    assert curves["shoulder.force.y"] == pytest.approx(4.0 * G) and curves["elbow.force.y"] == pytest.approx(3.0 * G)
    cut = {line.get_label(): line.get_ydata()[-1] for line in run.plot.sections("cut").axes[0].lines}
    assert abs(cut["cut y"]) == pytest.approx(3.5 * G)
    hinge = run_of("joined").plot.reactions("hinge").axes[0]
    assert max(abs(line.get_ydata()[-1]) for line in hinge.lines) == pytest.approx(2.0 * G, rel=1e-6)
    with refused(gr.GranumError, '"elbo"'):
        run.plot.reactions("elbo")


def test_stress_of_a_column_is_its_weight() -> None:
    """Contact k carries the disks above it: Σ f l = m g r N² over all contacts, in the box 2 r by 2 r N."""
    run = run_of("column")
    expected = MASS * G * RADIUS * HEIGHT**2 / (2.0 * RADIUS * 2.0 * RADIUS * HEIGHT)
    # a step of moreau leaves overlaps below 1e-4 of a radius, and with them the branches
    assert run.stress().tensor[1, 1] == pytest.approx(expected, rel=1e-4)
    assert run.stress(probe="core").tensor[1, 1] == pytest.approx(expected, rel=1e-3)
    assert run.stress(2.0).pressure == pytest.approx(0.5 * MASS * G * RADIUS * HEIGHT**2 / 2.0, rel=1e-4)
    top, bottom = run.plot.stress().axes
    drawn = {line.get_label(): line.get_ydata()[-1] for line in (*top.lines, *bottom.lines)}
    assert drawn["σ yy"] == pytest.approx(expected, rel=1e-4) and abs(drawn["σ xx"]) < 1e-9 * expected
    assert drawn["pressure p = tr σ/d"] == pytest.approx(0.5 * expected, rel=1e-4)
    assert drawn["deviator √(s:s/2)"] == pytest.approx(0.5 * expected, rel=1e-4)
    with refused(gr.GranumError, '"core"'):
        run.plot.stress("cor")


def test_stress_in_half_a_column_counts_the_grains_in_it() -> None:
    """The lower two of four disks: contacts at 0, 2 r and half of that at 4 r carry 4, 3 and 2 weights."""
    scene = SCENES["column"]()
    low = gr.PackingProbe(region=gr.BoxRegion(lower=(-RADIUS, 0.0), upper=(RADIUS, 4.0 * RADIUS)))
    run = gr.simulate(scene.model_copy(update={"probe": {"low": low}}), until=0.1)
    moment = MASS * G * RADIUS * (4 + 2 * 3 + 2)
    assert run.stress(probe="low").tensor[1, 1] == pytest.approx(moment / (8.0 * RADIUS**2), rel=1e-3)


def test_force_distribution_is_that_of_the_contacts() -> None:
    """Contacts of the column carry 4, 3, 2 and 1 weights: of their mean 1.6, 1.2, 0.8 and 0.4."""
    run = run_of("column")
    density, edges = run.force_distribution(bins=3)
    assert_allclose(edges, np.linspace(0.0, 1.6, 4), rtol=1e-5)
    assert_allclose(density * np.diff(edges), [0.25, 0.25, 0.5])
    axis = run.plot.force_distribution().axes[0]
    guides = [line for line in axis.lines if str(line.get_label()).startswith("guide: ")]
    assert len(guides) == 2 and axis.get_yscale() == "log"
    for line in guides:  # densities of mean one
        x: np.ndarray = np.linspace(0.0, 60.0, 200_001)
        y = np.exp(-x) if "exponential" in str(line.get_label()) else 2.0 / math.pi * np.exp(-x * x / math.pi)
        assert np.trapezoid(y, x) == pytest.approx(1.0) and np.trapezoid(x * y, x) == pytest.approx(1.0)
        assert_allclose(line.get_ydata(), np.interp(line.get_xdata(), x, y), rtol=1e-6)


def test_flow_rate_of_a_steady_stream_is_that_of_its_source() -> None:
    run = run_of("stream")
    found = run.flow_rate("below", window=4 * EVERY)
    assert found.mean == pytest.approx(1.0 / EVERY, rel=0.03) and found.window == pytest.approx(4 * EVERY)
    assert_allclose(found.rate, 1.0 / EVERY, rtol=1e-9)
    labels = [text.get_text() for text in run.plot.flow(window=4 * EVERY).axes[1].get_legend().get_texts()]
    assert any(label.startswith("mean") for label in labels)


def test_flow_rate_of_a_random_stream_has_the_error_of_counts() -> None:
    """Poisson's counts n in T: the rate is n/T, its standard error √n/T."""
    t = np.linspace(0.0, 1000.0, 20_001)
    counts = np.random.default_rng(5).poisson(0.2, len(t) - 1)
    found = flow_rate(t, np.concatenate([[0.0], np.cumsum(counts)]), window=5.0)
    assert found.mean == pytest.approx(counts.sum() / 1000.0, rel=1e-3)
    # 200 windows give the scatter to 1/√400
    assert found.error == pytest.approx(math.sqrt(counts.sum()) / 1000.0, rel=0.2)
    assert len(flow_rate(t, np.zeros(len(t))).t) == 0
    with refused(gr.GranumError, "0.01 s", "0.05 s"):
        flow_rate(t, np.concatenate([[0.0], np.cumsum(counts)]), window=0.01)


def test_heights_of_a_surface_are_those_of_its_formula() -> None:
    ground = heights("X**2 + Y**2 + (Z - 2)**2 - 4", np.array([-1.0, -1.0]), np.array([1.0, 1.0]), 0.1)
    assert_allclose(ground.z, 2.0 - np.sqrt(4.0 - ground.x**2 - ground.y**2), atol=1e-9)


def test_path_on_a_surface_is_that_of_the_contact() -> None:
    run = run_of("rolling")
    panel = next(axis for axis in run.plot.surface().axes if axis.get_title() == "ball, from above")
    line = next(line for line in panel.lines if line.get_label() == "contact P")
    assert_allclose(line.get_xdata(), run.coordinate("ball.contact.x"))
    assert_allclose(line.get_ydata(), run.coordinate("ball.contact.y"))
    assert panel.collections


def test_phase_of_coordinates_and_of_points() -> None:
    run = run_of("formulas")
    axis = run.plot.phase("x").axes[0]
    assert_allclose(axis.lines[0].get_xdata(), run.coordinate("x"))
    assert_allclose(axis.lines[0].get_ydata(), run.rate("x"))
    assert run.plot.phase("P").axes[0].get_xlabel() == "x [m]"


def test_jam_diagram_shows_counts() -> None:
    rows = [Tried(0.4, 0.02, 0, 4), Tried(0.5, 0.02, 2, 4, 120.0), Tried(0.6, 0.02, 4, 4, 50.0)]
    axis = jam_diagram(rows).axes[0]
    assert [line.get_fillstyle() for line in axis.lines] == ["none", "left", "full"]
    assert [text.get_text() for text in axis.texts] == ["0/4", "2/4\n(120 s)", "4/4\n(50 s)"]


def test_cost_guides_have_their_slopes() -> None:
    drawn = cost(Chart({"a": ([10, 100], [1.0, 90.0]), "b": ([10], [3.0])}, guides=(1.0, 2.0)), Chart({}))
    (axis,) = drawn.axes
    for line in axis.lines[2:]:
        (x0, x1), (y0, y1) = line.get_xdata(), line.get_ydata()
        assert math.log(y1 / y0) / math.log(x1 / x0) == pytest.approx(2.0 if "2" in str(line.get_label()) else 1.0)
    with refused(gr.GranumError):
        cost(Chart({}))


def test_benchmarks_draw_what_they_print() -> None:
    """Sizes and times of every table are in the chart; what was not measured is not."""
    chain = chain_bench.Result([], [scaling.Cost(10, 5.0, 1.0), scaling.Cost(100, 6.0, 1.0)])
    assert cost(*chain.charts()).axes[0].lines[0].get_ydata().tolist() == [5.0, 6.0]
    slow = [derivation.Derivation("Granum scalar", n, 0.1 * n, 2.0 * n) for n in (10, 40)]
    derived = derivation.Result([*slow, derivation.Derivation("SymPy KanesMethod", 40, None, None)])
    seconds, evaluations = cost(*derived.charts()).axes
    assert seconds.lines[0].get_ydata().tolist() == [1.0, 4.0]
    assert evaluations.lines[0].get_ydata().tolist() == [20.0, 80.0]
    told = [line.get_label() for line in seconds.lines]
    assert told == ["Granum scalar", "guide: ∝ N", "guide: ∝ N^3"]
    costs = [grain_scaling.Cost(1000, 300.0, 0.1), grain_scaling.Cost(10**6, 350.0, 2.0)]
    fell = grains_bench.Result([], [], [], costs)
    assert unlabelled(cost(*fell.charts())) == []
    chains = rods.Result([rods.Comparison(10, rods.Outcome("Granum", "1", "", 0.2, 0.0, 0.0), None, "")], [])
    assert cost(*chains.charts()).axes[0].lines[0].get_ydata().tolist() == [0.2]
