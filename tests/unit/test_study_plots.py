"""Plots and reports of studies: every plot of real tables, what they show, and files that ask nobody."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose
from typer.testing import CliRunner

import granum as gr
from granum.base.errors import GranumError
from granum.cli.main import app
from granum.studies.statistics import by_point, logistic_boundary, mean_interval, wilson
from granum.studies.statistics.grouping import pooled
from granum.studies.table import is_table
from granum.view.export.studies import export_study
from granum.view.plots.registry import STUDY_PLOTS
from granum.view.studies.choosing import heading
from granum.view.studies.curves import POOLED
from messages import refused
from plotted import is_empty, unlabelled
from study_scenes import pendulum

GRAVITY, MASS = "load.gravity.acceleration.1", "body.bob.mass"
NAMED = ("sensitivity", "parallel_coordinates")
"""Plots with an axis on which names stand."""
MEASURES = {"fall": "0 - position bob y", "fast": "abs(velocity bob y) > 0.5"}


def noisy(run: gr.Run) -> float:
    """A measure that differs from seed to seed, and fails for the strongest gravity and some seeds."""
    seed = run.scene.run.seed
    if run.scene.load["gravity"].acceleration[1] < -9.9 and seed % 2:
        raise ValueError("<b>this seed</b> fails")
    return float(1.0 + seed % 7)


@pytest.fixture(scope="module")
def grid(tmp_path_factory: pytest.TempPathFactory) -> gr.StudyResult:
    """Two parameters, three repeats, two of the runs failed, all run files kept."""
    output = tmp_path_factory.mktemp("grid") / "grid.h5"
    return gr.study(pendulum(), vary={GRAVITY: {"from": -10.0, "to": -1.0, "points": 5}, MASS: [0.5, 2.0]}, repeats=3,
                    measure={**MEASURES, "noise": noisy}, title="Swings & <falls>", on="serial", output=output,
                    keep="all", progress=False)


@pytest.fixture(scope="module")
def sobol(tmp_path_factory: pytest.TempPathFactory) -> gr.StudyResult:
    output = tmp_path_factory.mktemp("sobol") / "sobol.h5"
    return gr.study(pendulum(), vary={GRAVITY: {"from": -10.0, "to": -1.0}, MASS: {"from": 0.5, "to": 2.0}},
                    design={"kind": "sobol", "points": 16}, measure=MEASURES, on="serial", output=output,
                    progress=False)


@pytest.fixture(scope="module")
def boundary(tmp_path_factory: pytest.TempPathFactory) -> gr.StudyResult:
    output = tmp_path_factory.mktemp("boundary") / "boundary.h5"
    return gr.study(pendulum(), vary={GRAVITY: {"from": -10.0, "to": -1.0}, MASS: [0.5, 2.0]},
                    design={"kind": "boundary", "measure": "fast", "runs": 200, "width": "0.2 m/s^2"}, measure=MEASURES,
                    on="serial", output=output, progress=False)


def test_every_plot_is_drawn_with_units(grid: gr.StudyResult, sobol: gr.StudyResult) -> None:
    drawn = set()
    for result in (grid, sobol):
        for name in dir(result.plot):
            figure = getattr(result.plot, name)()
            assert isinstance(figure, Figure) and not is_empty(figure), name
            assert unlabelled(figure) == [] or name in NAMED, name
            drawn.add(name.replace("_", "-"))
    assert drawn == set(STUDY_PLOTS)
    assert "sensitivity" not in dir(grid.plot) and "heat_map" not in dir(sobol.plot)


def test_a_curve_shows_means_and_bands(grid: gr.StudyResult) -> None:
    panel = grid.plot.curve("noise", by=MASS).axes[0]
    line = panel.lines[0]
    values = grid.column("noise")[(grid.column(GRAVITY) == -1.0) & (grid.column(MASS) == 0.5)]
    expected = mean_interval(values)
    assert_allclose(line.get_ydata()[-1], expected.value)
    band = panel.collections[0].get_paths()[0].vertices
    assert_allclose([band[:, 1][band[:, 0] == -1.0].min(), band[:, 1][band[:, 0] == -1.0].max()],
                    [expected.low, expected.high])
    assert [text.get_text() for text in panel.get_legend().get_texts()] == ["mass = 0.5 kg", "mass = 2 kg"]
    assert panel.get_xlabel() == f"{GRAVITY} [m/s²]"


def test_runs_that_are_taken_together_are_named(grid: gr.StudyResult) -> None:
    """A heat map of two parameters is of all there are; a title that leaves one out says that it is pooled."""
    assert "pooled" not in grid.plot.heat_map("fall").axes[0].get_title()
    assert heading(grid, "fall", [MASS]).replace("\n", " ").endswith(f"(all values of {GRAVITY} pooled)")


def test_the_boundary_of_a_picture_is_that_of_the_statistics(grid: gr.StudyResult) -> None:
    chosen = grid.column(MASS) == 0.5
    found = logistic_boundary(grid.column(GRAVITY)[chosen], grid.column("fast")[chosen])
    texts = [text.get_text() for text in grid.plot.probability("fast").axes[0].get_legend().get_texts()]
    assert any(f"{found.x50:.1f}" in text and "separated" in text for text in texts)


def test_a_search_finds_where_gravity_is_fast_enough(boundary: gr.StudyResult) -> None:
    """A bob at rest beside its pivot falls freely at first: after 0.1 s it is faster than 0.5 m/s from g = 5 on."""
    assert boundary.finished and boundary.rows < 200
    ((_, light), (_, heavy)) = boundary.boundary.crossings(boundary.table)
    for found in (light, heavy):
        assert found.low <= -5.0 <= found.high and found.high - found.low <= 0.2
    assert gr.open_study(boundary.path).finished
    assert not is_empty(boundary.plot.jam_diagram())


def test_the_picture_of_a_search_takes_neighbours_together(boundary: gr.StudyResult) -> None:
    """A search makes few runs at each of many values; each mark stands for four at least, and none is lost."""
    groups = [group for group in by_point(boundary, "fast") if group.values[MASS] == 0.5]
    together = pooled(groups, GRAVITY, POOLED)
    assert len(together) < len(groups) and min(group.runs for group in together) >= POOLED
    assert sum(group.runs for group in together) == sum(group.runs for group in groups)
    assert sum(group.successes for group in together) == sum(group.successes for group in groups)
    for group in together:
        assert group.estimate == wilson(group.successes, group.runs)
    drawn = boundary.plot.probability("fast")
    assert len(drawn.axes[0].containers) == 2 and "neighbouring\nvalues together" in drawn.axes[0].get_title()


def test_columns_that_every_study_has_are_drawn_too(grid: gr.StudyResult) -> None:
    """Over decades the axis is logarithmic."""
    panel = grid.plot.curve("wall_time").axes[0]
    assert panel.get_ylabel() == "wall_time [s]" and panel.get_xscale() == "linear"
    curves = [line.get_ydata() for line in panel.lines]
    assert_allclose(curves[0][0], grid.column("wall_time")[(grid.column("point") == 0)].mean())
    wide = gr.study(pendulum(), vary={"run.tolerance": [1e-9, 1e-6]}, measure={"y": "position bob y"}, on="serial",
                    progress=False)
    assert wide.plot.curve("y").axes[0].get_xscale() == "log"


def test_wrong_searches_are_refused_before_anything_runs() -> None:
    ranged = {"from": -10.0, "to": -1.0}
    for vary, width, name in (({GRAVITY: ranged}, "1 kg", "design.width"), ({GRAVITY: ranged}, 20.0, "design.width"),
                              ({GRAVITY: [-9.0, -2.0]}, None, "0 ranges"),
                              ({GRAVITY: ranged, MASS: {"from": 1.0, "to": 2.0}}, None, "2 ranges"),
                              ({MASS: {"from": 1.0, "to": 2.0, "scale": "log"}}, None, "logarithmic")):
        with refused(gr.SceneError, name):
            gr.study(pendulum(), vary=vary, measure=MEASURES, on="serial", progress=False,
                     design={"kind": "boundary", "measure": "fast", "runs": 50, "width": width})


def test_wrong_names_are_answered_with_the_right_ones(grid: gr.StudyResult, sobol: gr.StudyResult) -> None:
    for call, name in ((lambda: grid.plot.curve("fal"), "fall"), (lambda: grid.plot.probability("fall"), "fast"),
                       (lambda: grid.plot.curve(over="mass"), MASS), (lambda: grid.plot.sensitivity(), "sobol"),
                       (lambda: sobol.plot.heat_map(), "grid"),
                       (lambda: grid.plot.curve("fall", "fast"), "2 measures")):
        with refused(GranumError, name):
            call()


def test_report_is_one_file_that_asks_nobody(grid: gr.StudyResult, tmp_path: Path) -> None:
    file = export_study(grid, "html", tmp_path / "report.html")
    text = file.read_text("utf-8")
    assert not re.search(r'(src|href)="(?!data:)|url\(|https?://|<script', re.sub(r"base64,[A-Za-z0-9+/=]+", "", text))
    assert "Swings &amp; &lt;falls&gt;" in text and "<falls>" not in text
    assert "&lt;b&gt;this seed&lt;/b&gt; fails" in text  # what runs said is text, not HTML
    failed = int((grid.column("status") != "done").sum())
    assert failed and f"{failed} failed" in text
    one = mean_interval(grid.column("fall")[(grid.column(GRAVITY) == -1.0) & (grid.column(MASS) == 2.0)])
    assert f"{one.value:.4g}" in text
    assert text.count("<img") >= 6 and "Example run" in text and "Provenance" in text


def test_the_run_of_a_report_can_be_chosen(grid: gr.StudyResult, tmp_path: Path) -> None:
    file = export_study(grid, "html", tmp_path / "report.html", shown="3/1")
    assert "point 3, repeat 1" in file.read_text("utf-8")
    for wrong, names in (("3", ("--run 3", "POINT/REPEAT")), ("99/0", ("point 99, repeat 0", 'keep = "all"')),
                         ("a/b", ("--run a/b", "POINT/REPEAT"))):
        with refused(GranumError, *names):
            export_study(grid, "html", tmp_path / "report.html", shown=wrong)
    with refused(GranumError, "--every"):
        export_study(grid, "html", tmp_path / "report.html", every=2)
    with refused(GranumError, "vtk"):
        export_study(grid, "vtk")


def test_the_command_line_recognises_a_study(grid: gr.StudyResult, tmp_path: Path) -> None:
    assert is_table(grid.path) and not is_table(tmp_path / "nothing.h5")
    run = next((grid.path.parent / "grid-runs").glob("*.h5"))
    assert not is_table(run)
    told = CliRunner().invoke(app, ["plot", str(grid.path), "--json"])
    assert set(json.loads(told.stdout)) == {name.replace("_", "-") for name in dir(grid.plot)}
    file = tmp_path / "curve.svg"
    CliRunner().invoke(app, ["plot", str(grid.path), "curve", "fall", "--over", GRAVITY, "-o", str(file)],
                       catch_exceptions=False)
    assert file.read_text().startswith("<?xml")
    assert np.isfinite(grid.column("fall")).all()
