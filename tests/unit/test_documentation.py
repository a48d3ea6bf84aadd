"""What the documentation says is so: its code runs, its scenes load, its words are those of the model."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import documented
import granum as gr
from documented import ROOT
from granum import model
from granum.base.extensions import wings
from granum.cli.main import COMMANDS
from granum.io.scenefile import parse_scene
from granum.io.schema import meanings
from granum.model.quantities import Entry
from granum.model.scene import SECTIONS, WHOLE
from granum.studies.answers import ANSWERS
from granum.studies.definition import parse_study
from granum.validation.cases import all_cases

QUICK = ("README.md", "docs/export.md", "docs/howto/energy-balance.md", "docs/howto/close-a-loop.md",
         "docs/howto/control.md", "docs/howto/actuators.md", "docs/howto/solver-and-step.md",
         "docs/reference/python.md", "docs/reference/run.md")
"""Pages whose Python is run here; all of it, and every command, by `make validate`."""


def blocks(page: str, language: str) -> list[str]:
    """Code blocks of one language in a page."""
    return [block.code for block in documented.blocks(ROOT / page) if block.language == language]


def run_code(code: str, folder: Path) -> dict[str, Any]:
    """Run a block as the script it would be; returns its names."""
    script = folder / "block.py"
    script.write_text(code)
    return runpy.run_path(str(script))


@pytest.mark.parametrize("page", QUICK)
def test_python_of_a_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python blocks of a page run one after the other."""
    documented.prepare(ROOT / page, tmp_path)
    monkeypatch.chdir(tmp_path)
    run_code(documented.script(ROOT / page), tmp_path)


@pytest.mark.validate
@pytest.mark.parametrize("page", documented.pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_runs(page: Path, tmp_path: Path) -> None:
    """All of a page: its Python and its commands."""
    documented.run_page(page, tmp_path)


def test_blocks_say_what_they_are() -> None:
    """Every block has a language, so that none escapes the tests; what is not run has a reason."""
    known = {"python", "sh", "toml", "xml", "text", "{toctree}", "{include} ../CHANGELOG.md",
             "{include} ../CONTRIBUTING.md", "{include} ../benchmarks/README.md"}
    for page in documented.pages():
        assert {block.language for block in documented.blocks(page)} <= known, page.name


@pytest.mark.parametrize("page", sorted((ROOT / "docs/tutorials").glob("*.md")), ids=lambda page: page.stem)
def test_notebooks_are_short(page: Path) -> None:
    """At most ten cells; `make docs` runs them."""
    cells = [block for block in documented.blocks(page) if block.language.startswith("{code-cell}")]
    assert 3 <= len(cells) <= 10


def test_python_reference_has_every_public_name() -> None:
    """Each public name is used in an example of the page, which another test runs."""
    code = "\n".join(blocks("docs/reference/python.md", "python"))
    missing = set(gr.__all__) - set(re.findall(r"\bgr\.(\w+)", code))
    assert not missing, f"add examples of {', '.join(sorted(missing))} to docs/reference/python.md"


def test_command_reference_has_every_command() -> None:
    page = (ROOT / "docs/reference/cli.md").read_text("utf-8")
    assert re.findall(r"<!-- cli: (\w+) -->", page) == [*COMMANDS, *wings("command")]


def test_validation_page_has_every_case() -> None:
    """The page was written by `granum reproduce --page docs/validation.md` with all the cases there are."""
    page = (ROOT / "docs/validation.md").read_text("utf-8")
    assert re.findall(r"^### (\S+)$", page, re.MULTILINE) == [case.name for case in all_cases()]
    assert re.search(r"with Granum \S+ on \d{4}-\d\d-\d\d: \d+ values", page)


def test_tutorial_scene_and_python_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tutorial's scene is described as printed there, and its Python runs."""
    scene_text = blocks("docs/tutorial.md", "toml")[0]
    (tmp_path / "swing.toml").write_text(scene_text)
    printed = (ROOT / "docs/tutorial.md").read_text()
    for sentence in gr.check(parse_scene(scene_text)).summary_lines():
        assert sentence in printed
    monkeypatch.chdir(tmp_path)
    assert run_code(blocks("docs/tutorial.md", "python")[0], tmp_path)["run"].finished


def test_studies_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its study file is the example but for its limits, its Python runs, and its table lists all that runs answer."""
    (tmp_path / "hopper.toml").write_text((ROOT / "examples/hopper.toml").read_text())
    study = parse_study(blocks("docs/studies.md", "toml")[0], "studies.md", tmp_path)
    example = gr.load_study(ROOT / "examples/hopper-study.toml")
    assert (study.vary, study.repeats, study.title) == (example.vary, example.repeats, example.title)
    pytest.importorskip("distributed")
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "script.py"
    script.write_text(blocks("docs/studies.md", "python")[0] + "\n    assert result.rows == 6 and len(table) == 6\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "6 of 6 runs (finished)" in done.stdout, done.stderr
    page = (ROOT / "docs/studies.md").read_text()
    assert all(re.search(rf"`{name}\b", page) for name in ANSWERS)


def test_gallery_shows_what_there_is() -> None:
    """Every picture of the gallery exists and every command in it names an example; systems of formulas are all in."""
    page = (ROOT / "docs/gallery.md").read_text()
    pictures, examples = re.findall(r"\]\((pictures/[^\s)]+)\)", page), re.findall(r"examples/([\w.-]+)", page)
    assert pictures and all((ROOT / "docs" / picture).exists() for picture in pictures)
    assert all((ROOT / "examples" / example).exists() for example in examples)
    for file in (ROOT / "examples").iterdir():
        if file.suffix == ".py" or "[system]" in file.read_text():
            assert file.name in examples, f"{file.name} is not in docs/gallery.md"


def test_derive_page_runs_and_says_what_comes_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of the page on deriving run one after the other, and its figures are those that come out."""
    (tmp_path / "pendulum.toml").write_text(blocks("docs/derive.md", "toml")[0])
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    names = run_code("\n".join(blocks("docs/derive.md", "python")), tmp_path)
    assert names["run"].reaction("rod").multiplier[0] == pytest.approx(-7.848, abs=1e-9)
    assert names["linked"].reaction("rod").tension[0] == pytest.approx(7.848, abs=1e-9)
    assert (names["needed"].value, names["needed"].t) == pytest.approx((0.167, 0.566), abs=5e-4)
    assert names["rolling"].event is None
    assert names["appell"].accelerations(names["q"], names["v"])[1] == pytest.approx(3.359, abs=5e-4)
    assert [*names["accelerations"], *names["multipliers"]] == pytest.approx([-4.7088, -3.5316, -7.848], abs=1e-9)


def test_errata_name_tests_that_exist() -> None:
    """Every test that the errata call upon is there."""
    tests = "".join(file.read_text() for file in (ROOT / "tests/verification").glob("test_errata_*.py"))
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "docs/theory/errata.md").read_text()))
    assert len(named) > 30
    assert not {name for name in named if f"def {name}(" not in tests}


def test_links_between_pages_lead_somewhere() -> None:
    """Every relative link of a page of the documentation is a file."""
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for target in re.findall(r"\]\(([^)#:\s]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} leads to {target}"


def test_source_files_that_pages_name_exist() -> None:
    named = {file: page.name for page in (ROOT / "docs").rglob("*.md")
             for file in re.findall(r"`([a-z_]+(?:/[a-z_]+)+\.py)`", page.read_text())}
    assert named
    assert not {file: page for file, page in named.items()
                if not (ROOT / "src" / "granum" / file).exists() and not (ROOT / file).exists()}


def test_scene_reference_has_every_section() -> None:
    """The page has a table for every section of the schema."""
    page = (ROOT / "docs/reference/scene.md").read_text()
    blocks = set(re.findall(r"<!-- schema: (\S+) -->", page))
    nested = {"Motion", "Parametrisation", "Part", "Profile", "Sizes"}
    assert blocks == {*SECTIONS, *WHOLE, *nested, "region", "run.formulation", "run.solver"}


@pytest.mark.parametrize("entry", [getattr(model, name) for name in model.__all__ if name != "Scene"])
def test_every_key_has_a_meaning(entry: type[Entry]) -> None:
    """Every key of every entry is explained where it is defined, and stands in the reference of scenes."""
    page, known = (ROOT / "docs/reference/scene.md").read_text(), meanings(entry)
    for name, field in entry.model_fields.items():
        key = field.alias or name
        assert key == "kind" or (known[key] and f"| `{key}` |" in page) or entry is model.RunFrame


def test_package_offers_what_it_lists() -> None:
    """Every public name can be had, though most are loaded late."""
    for name in gr.__all__:
        assert getattr(gr, name) is not None
    with pytest.raises(AttributeError):
        _ = gr.nonsense


def test_page_on_plots_tells_of_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pictures are there, its file is drawn, and it names every plot of the catalogue."""
    from granum.view.plots.catalogue import PLOTS

    page = (ROOT / "docs/plots.md").read_text()
    assert all((ROOT / "docs" / picture).exists() for picture in re.findall(r"\]\((pictures/\S+)\)", page))
    assert all(f"`{plot.name}`" in page for plot in PLOTS.values())
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    run_code(blocks("docs/plots.md", "python")[0], tmp_path)
    assert (tmp_path / "forces.svg").exists()
