"""Published cases: numbers against independent ones, and rows that say what they mean."""

import json
import math
import re
from functools import cache
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from typer.testing import CliRunner

from commands import granum
from granum.base.errors import GranumError
from granum.cli.main import app
from granum.validation.case import Case, Panel, Sheet, judged, last_digit
from granum.validation.cases import PUBLISHED_VERDICTS, REFERENCE_VERDICTS, Result, Row, all_cases, find_case
from granum.validation.falling_chain import ROD_SHAPES, SHAPES
from granum.validation.pipe_jam import LARGE, SMALL, SPEED, WIDTH, rows_scene
from granum.validation.table_5_1 import TABLE_5_1
from granum.view import style
from messages import refused, says
from plotted import is_empty, unlabelled

KEYS = {"case", "quantity", "source", "published", "reference", "computed", "published_error", "published_allowed",
        "reference_error", "reference_allowed", "published_verdict", "reference_verdict", "note"}
SOURCES = re.compile(r"Vinogradov|Nguyen Van Khang|Souchet|.*\b(1[89]|20)\d\d\b")
"""A document of the project, or authors and year."""
LONG = ("pipe-jam",)
"""Cases that take a minute even in small; the scene of the pipe runs in test_examples."""
NAMES = [pytest.param(case.name, marks=pytest.mark.validate) if case.name in LONG else case.name
         for case in all_cases()]


SAVE = style.save


@cache
def case(name: str) -> Case:
    return find_case(name)


@cache
def result(name: str) -> Result:
    return case(name).run(quick=True)


def row(case: str, quantity: str) -> Row:
    found = [row for row in result(case).rows if row.quantity == quantity]
    assert len(found) == 1, f"{case} has {len(found)} rows {quantity!r}"
    return found[0]


def computed(case: str, quantity: str) -> float:
    value = row(case, quantity).computed
    assert value is not None
    return value


# End mass at t = 2 s, quadruple precision. dop853 at 1e-12 in 234 steps leaves 234e-12 relative at most.
@pytest.mark.parametrize(("axis", "truth"), [("x", -0.7933772863890878), ("y", -2.8922067418233555)])
def test_pendulum_of_ten_ends_where_quadruple_precision_says(axis: str, truth: float) -> None:
    assert computed("pendulum", f"end-{axis} N=10") == pytest.approx(truth, rel=234e-12)


@pytest.mark.parametrize("count", [50, 100])
@pytest.mark.parametrize("axis", ["x", "y"])
def test_pendulum_ends_alike_in_both_formulations(axis: str, count: int) -> None:
    """The looser of the two is lagrange at 1e-10 a step; errors of steps that have either sign do not add up."""
    found = row("pendulum", f"end-{axis} N={count}")
    assert found.reference_error is not None and found.reference_error < 1e-9
    assert found.reference_verdict == "agrees"


def test_corrections_make_the_pendulum_follow_the_benchmark() -> None:
    """Figures 6.3 and 6.4: without corrections the loose iteration leaves the curve of lark, with them it stays."""
    assert row("pendulum", "largest-distance nc.002 N=50").reference_verdict == "differs"
    assert row("pendulum", "largest-distance wc1.003 N=50").reference_verdict == "agrees"


# Computed independently, six digits each: half a unit of the last one.
@pytest.mark.parametrize(("count", "truth"), [(10, 0.695589), (60, 0.137059)])
def test_tilted_stack_falls_when_it_should(count: int, truth: float) -> None:
    assert computed("stack", f"time-to-instability N={count} tilt=1e-8") == pytest.approx(truth, abs=5e-7)


@pytest.mark.parametrize("count", [20, 30, 40, 50])
def test_stacks_fall_at_the_same_time_in_both_formulations(count: int) -> None:
    """Both are interpolated between the same frames, so only the errors of dop853 at 1e-12 are left, times 400."""
    found = row("stack", f"time-to-instability N={count} tilt=1e-8")
    assert found.reference_error is not None and found.reference_error < 4e-10


@pytest.mark.parametrize("count", [10, 60])
def test_upright_stack_never_moves_sideways(count: int) -> None:
    """Where x = 0 every sideways term is an exact zero in floating point."""
    assert computed("stack", f"sideways-motion N={count} upright newton-euler t=10") == 0.0
    assert row("stack", f"time-to-instability N={count} upright newton-euler").computed is None


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("t", [0.5, 1.0])
def test_falling_chain_agrees_in_both_formulations(shape: str, t: float) -> None:
    """Each at 1e-12 a step for at most 315 steps, on heights up to 2.3 m."""
    found = row("falling-chain", f"centre-height shape={shape} t={t}")
    assert found.reference_error is not None and found.reference_error < 2 * 315e-12 * 2.3
    assert found.reference_verdict == "agrees"


@pytest.mark.parametrize("shape", ROD_SHAPES)
@pytest.mark.parametrize("t", [0.5, 1.0])
def test_falling_chain_of_rods_agrees_with_lagrange_in_angles(shape: str, t: float) -> None:
    """newton-euler of bodies and hinges at 1e-12 a step for at most 380 steps, on heights up to 2.1 m."""
    found = row("falling-chain", f"centre-height model=rods shape={shape} t={t}")
    assert found.reference_error is not None and found.reference_error < 380e-12 * 2.1
    assert found.reference_verdict == "agrees"


def test_printed_reflections_agree_where_they_are_met_by_a_shape_that_is_not_fitted() -> None:
    """Three bays have the first printed time (0.471 s) and not the second (0.899 s); the rest confirms nothing."""
    verdicts = {found.quantity: found.published_verdict for found in result("falling-chain").rows
                if found.published is not None}
    bays = {ordinal: f"reflection-time {ordinal} model=rods shape=three-bays" for ordinal in ("first", "second")}
    assert verdicts.pop(bays["first"]) == "agrees"
    assert verdicts.pop(bays["second"]) == "differs"
    assert set(verdicts.values()) == {"not reproducible"}
    assert computed("falling-chain", bays["first"]) == pytest.approx(0.4711, abs=3e-4)
    assert sum("nearest" in quantity for quantity in verdicts) == 16


def test_rods_come_after_all_rows_of_point_masses() -> None:
    """Those that read the rows by place find the earlier ones where they were."""
    names = [found.quantity for found in result("falling-chain").rows]
    first = next(k for k, name in enumerate(names) if "model=rods" in name)
    assert all("model=rods" in name for name in names[first:])
    assert names[first : first + 2] == [f"centre-height model=rods shape=w-fold t={t}" for t in (0.5, 1.0)]


@pytest.mark.parametrize(("case", "quantity", "truth"), [
    ("incline", "acceleration solid alpha=30 gibbs-appell", 5.0 / 7.0 * 9.81 * 0.5),
    ("incline", "least-friction solid alpha=45 fundamental", 2.0 / 7.0),
    ("wheel", "v a=20 k=0.3 v0=0 w0=0", -2.0 / 3.0 * 9.81 * math.sin(math.radians(20.0))),
    ("wheel", "omega a=50 k=0.3 v0=0 w0=0", 2.0 * 0.3 * 9.81 * math.cos(math.radians(50.0))),
    ("divided-body", "frequency mode=1", math.sqrt(50.0 / 3.0)),  # ω⁴ - 250/3 ω² + 10000/9 = 0
    ("divided-body", "frequency mode=2", math.sqrt(200.0 / 3.0)),
    ("divided-body", "cut-force t=0", -7.5),  # -(m2 k0 q1 + m1 k3 q3)/(m1 + m2)
])
def test_wheels_and_divided_bodies_have_their_closed_forms(case: str, quantity: str, truth: float) -> None:
    assert computed(case, quantity) == pytest.approx(truth, rel=1e-10)


@pytest.mark.parametrize("case", ["incline", "wheel", "divided-body"])
def test_every_row_of_a_closed_form_agrees(case: str) -> None:
    assert {found.reference_verdict for found in result(case).rows} == {"agrees"}


@pytest.mark.parametrize(("case", "panel"), [("beverloo", 0), ("beverloo", 1), ("column-collapse", 0)])
def test_wider_outlets_and_taller_columns_let_grains_go_farther(case: str, panel: int) -> None:
    """First and last of the computed points; the laws say 1.7 times as much and more, here there are few grains."""
    points = result(case).figures[0].panels[panel].curves[0]
    assert points.y[-1] > 1.2 * points.y[0] > 0.0


def test_table_5_1_is_as_printed() -> None:
    """§5.2.2 concludes from it: "from 25 % at N = 100 to 15 % at N = 400" (Runge-Kutta)."""
    saved = {count: 1.0 - TABLE_5_1["newton-euler", "rk4"][count].seconds
             / TABLE_5_1["lagrange", "rk4"][count].seconds for count in (100, 400)}
    assert round(saved[100], 2) == 0.25
    assert round(saved[400], 2) == 0.15


def test_dense_and_eliminated_newton_euler_are_the_same_motion() -> None:
    """Same equations, same integrator, same step: the energy errors agree as far as rounding lets them."""
    dense = computed("table-5-1", "energy-error newton-euler-dense rk4 N=100")
    assert dense == pytest.approx(computed("table-5-1", "energy-error newton-euler rk4 N=100"), rel=1e-2)


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_whole(name: str) -> None:
    rows = result(name).rows
    assert len({row.quantity for row in rows}) == len(rows)
    for found in rows:
        data = json.loads(json.dumps(found.as_json(), allow_nan=False))
        assert set(data) == KEYS
        assert data["case"] == name and SOURCES.match(data["source"]) and data["note"]
        for key in KEYS - {"case", "quantity", "source", "published_verdict", "reference_verdict", "note"}:
            assert data[key] is None or math.isfinite(data[key])


@pytest.mark.parametrize("name", NAMES)
def test_verdicts_follow_from_numbers(name: str) -> None:
    for found in result(name).rows:
        assert found.published_verdict in PUBLISHED_VERDICTS and found.reference_verdict in REFERENCE_VERDICTS
        scale = abs(found.reference or 0.0) if "Error: relative" in found.note else 1.0
        for value, error, allowed, verdict, size in (
            (found.published, found.published_error, found.published_allowed, found.published_verdict, 1.0),
            (found.reference, found.reference_error, found.reference_allowed, found.reference_verdict, scale),
        ):
            assert (error is not None) == (verdict in ("agrees", "differs"))
            if error is not None:
                assert found.computed is not None and value is not None and allowed is not None
                assert error == pytest.approx(abs(found.computed - value) / size)
                assert (error <= allowed * (1.0 + 1e-9)) == (verdict == "agrees")
                assert f"at most {allowed:g}." in found.note
        assert (found.computed is None) or found.reference_verdict != "not converged"
        if found.published_verdict in ("not printed", "corrected", "not comparable"):
            assert (found.published is not None) == (found.published_verdict == "not comparable")


def test_sheet_judges_by_the_allowed_error() -> None:
    sheet = Sheet("example")
    sheet.compare("near", "Sun (1996)", 1.0, 1.1, 0.2, "")
    sheet.compare("far", "Sun (1996)", 1.0, 1.1, 0.05, "")
    sheet.compare("relative", "Sun (1996)", 90.0, 100.0, 0.2, "", relative=True)
    assert [row.reference_verdict for row in sheet.rows] == ["agrees", "differs", "agrees"]
    assert {row.published_verdict for row in sheet.rows} == {"not printed"}
    assert sheet.rows[2].reference_error == pytest.approx(0.1)


@pytest.mark.parametrize(("computed", "printed", "published", "reference"), [
    (0.2034926, "0.23", "differs", "agrees"),  # the printed friction of the shell: confirmed by us, not by the paper
    (0.2264, "0.23", "agrees", "agrees"),
    (0.225, "0.23", "agrees", "agrees"),  # a tie
    (0.2034926, "0.20", "agrees", "agrees"),
    (0.207, "0.20", "differs", "agrees"),
    (0.207, "0.2", "agrees", "agrees"),  # one digit says less
    (0.31, "0.31", "agrees", "differs"),
])
def test_printed_values_have_a_verdict_of_their_own(computed: float, printed: str, published: str,
                                                    reference: str) -> None:
    """A value that our reference confirms and that the source prints otherwise is never simply in agreement."""
    sheet = Sheet("example")
    sheet.compare("friction", "Sun (1996)", computed, 0.2, 0.05, "", published=printed)
    (found,) = sheet.rows
    assert (found.published_verdict, found.reference_verdict) == (published, reference)
    assert [words.split(" (")[0] for words in judged(found)] == [published, reference]


@pytest.mark.parametrize(("printed", "half"), [
    ("0.23", 0.005), ("0.20", 0.005), (0.2, 0.05), (13, 0.5), ("1e-9", 5e-10)])
def test_a_printed_number_is_as_good_as_its_last_digit(printed: float | str, half: float) -> None:
    assert last_digit(printed) == pytest.approx(half)


def test_nan_is_refused() -> None:
    with refused(ValueError, "example seconds", "nan", "None"):
        Sheet("example").measure("seconds", "Sun (1996)", math.nan, "")


@pytest.mark.parametrize("name", NAMES)
def test_figures_are_drawn(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each figure is there once, under a name that the case announces and the page lists, with units on all axes."""
    drawn: list[Figure] = []
    monkeypatch.setattr(style, "save", lambda figure, file: drawn.append(figure) or SAVE(figure, file))
    done = result(name)
    files = case(name).draw(done, tmp_path)
    assert files and all(file.stat().st_size > 10_000 for file in files)
    assert len(set(files)) == len(files) == len(drawn)
    announced = [case(name).stem(figure) for figure in case(name).figures]
    assert {file.stem for file in files} <= set(announced)
    page = (Path(__file__).parents[2] / "docs" / "figures.md").read_text()
    assert all(f"`{stem}`" in page for stem in announced)
    for file, figure in zip(files, drawn, strict=True):
        assert unlabelled(figure) == [] and not is_empty(figure), file.name


def test_a_label_without_unit_is_refused() -> None:
    with refused(ValueError, "'time'", "[-]"):
        Panel("time", "x [m]", ())


def test_full_runs_go_into_a_folder_of_their_own(tmp_path: Path) -> None:
    """A case that has more to do does it there; another one is as usual."""
    seen: list[Path] = []
    full = Case("many", "", "", (), lambda sheet, quick: [], lambda sheet, tables: seen.append(tables) or [])
    full.run(tables=tmp_path / "tables")
    assert seen == [tmp_path / "tables"] and seen[0].is_dir()
    full.run()
    find_case("divided-body").run(tables=tmp_path / "none")
    assert len(seen) == 1 and not (tmp_path / "none").exists()


def test_full_says_where_there_is_nothing_more() -> None:
    runner = CliRunner()
    done = runner.invoke(app, ["reproduce", "divided-body", "--full"])
    assert done.exit_code == 0
    says(done.stderr, "divided-body", "--full")
    assert "frequency mode=1" in done.stdout
    listed = [line for line in runner.invoke(app, ["reproduce", "--list"]).stdout.splitlines() if "--full" in line]
    says("\n".join(listed), "falling-chain", "pipe-jam-fig-6-17", "--full")
    assert isinstance(runner.invoke(app, ["reproduce", "--quick", "--full"]).exception, GranumError)


def test_a_page_of_the_rows(tmp_path: Path) -> None:
    """The block of a page has every row with its verdict, and notes by number; the rest of the page stays."""
    page = tmp_path / "page.md"
    page.write_text("# Mine\n\n<!-- reproduce: all -->\nstale\n<!-- end -->\nmine\n")
    done = granum("reproduce", "divided-body", "--quick", "--page", page)
    assert done.returncode == 0, done.stderr
    text = page.read_text()
    assert text.startswith("# Mine\n\n<!-- reproduce: all -->\n") and text.endswith("<!-- end -->\nmine\n")
    rows = result("divided-body").rows
    assert "stale" not in text and f"{len(rows)} values of 1 case." in text
    for found in rows:
        (line,) = (line for line in text.splitlines() if line.startswith(f"| {found.quantity} |"))
        assert tuple(line.split(" | ")[4:6]) == judged(found)


@pytest.mark.parametrize("grain", [LARGE, SMALL])
@pytest.mark.parametrize("speed", [0.025, 0.1])
def test_pipes_have_their_density_at_any_speed(grain: tuple[float, int, float, int], speed: float) -> None:
    """Area of a batch over that of the stretch of pipe that flows by until the next; times go with 1/V."""
    scene, usual = (rows_scene(0.47, v, grain=grain) for v in (speed, SPEED))
    source = scene.source["inflow"]
    area = math.pi * math.fsum(r * r for r in source.radii)
    assert area / (WIDTH * source.interval * speed) == pytest.approx(0.47, rel=1e-12)
    assert scene.load["stream"].velocity == source.velocity == (speed, 0.0)
    for one, other in ((scene.run.until, usual.run.until), (scene.probe["jam"].window, usual.probe["jam"].window)):
        assert one * speed == pytest.approx(other * SPEED, rel=1e-12)


@pytest.mark.parametrize("name", ["contact-1", "contact-2", "contact-3"])
def test_contacts_of_the_three_spheres_that_pull_are_reported(name: str) -> None:
    """They hang on each other for two seconds: forces from both formulations, and a row that says it."""
    least, share = row("three-spheres", f"least-tension {name}"), row("three-spheres", f"share-of-time-pulling {name}")
    assert least.reference_verdict == "agrees" and computed("three-spheres", f"least-tension {name}") > 0.0
    assert share.computed == 1.0 and "pulls throughout" in share.note and "would open" in share.note


def test_unknown_case_is_answered_with_the_nearest() -> None:
    with refused(GranumError, '"stak"', '"stack"'):
        find_case("stak")
