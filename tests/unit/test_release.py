"""What a release says of itself: one version everywhere, licences packed, workflows that only call make."""

import re
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import granum as gr

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def test_one_version_everywhere() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    released = re.findall(r"^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$", (ROOT / "CHANGELOG.md").read_text("utf-8"),
                          re.MULTILINE)
    assert released[0] == (PROJECT["version"], str(citation["date-released"]))
    assert str(citation["version"]) == PROJECT["version"]
    assert [number for number, _ in released] == ["0.2.0", "0.1.0"]
    assert gr.__version__ == version("granum")


def test_citation_has_what_the_format_asks_for() -> None:
    """Keys and types of the Citation File Format 1.2.0."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= citation.keys()
    assert citation["authors"] == [{"name": author["name"]} for author in PROJECT["authors"]]
    assert citation["license"] == PROJECT["license"] and citation["type"] == "software"


def test_licences_of_what_is_bundled_are_packed() -> None:
    files = PROJECT["license-files"]
    assert "LICENSE" in files and all((ROOT / file).is_file() for file in files)
    libraries = (ROOT / "tools/generated/page/package.json").read_text("utf-8")
    licences = (ROOT / next(file for file in files if file.endswith("LICENSES.md"))).read_text("utf-8")
    named = re.findall(r'"([\w@/-]+)": "(\d[\w.]*)"', libraries)
    assert named
    for library, number in named:
        if not library.startswith("esbuild"):
            assert f"## {library} {number}" in licences, library


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda file: file.name)
def test_workflows_only_call_make(workflow: Path) -> None:
    jobs = yaml.safe_load(workflow.read_text("utf-8"))["jobs"]
    commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert commands
    for command in commands:
        assert re.fullmatch(r"make [\w-]+", command)
        assert command.removeprefix("make ") in targets | {"docs"}


def test_templates_are_forms() -> None:
    for file in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"):
        form = yaml.safe_load(file.read_text("utf-8"))
        if file.name != "config.yml":
            assert {"name", "description", "body"} <= form.keys()
            assert all({"type", "id", "attributes"} <= field.keys() for field in form["body"])


def test_every_package_of_development_has_its_version_in_the_lock() -> None:
    """A clone of today can be set up in a year; `make lock` renews the versions."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name
    from packaging.version import Version

    lines = [line for line in (ROOT / "tools/constraints.txt").read_text("utf-8").splitlines() if line[:1] != "#"]
    locked = {canonicalize_name(name): Version(number) for name, number in (line.split("==") for line in lines)}
    extras = PROJECT["optional-dependencies"]
    asked = [*PROJECT["dependencies"], *(one for name, listed in extras.items() if name != "peers" for one in listed)]
    for requirement in map(Requirement, asked):
        assert locked[canonicalize_name(requirement.name)] in requirement.specifier, requirement
    assert "hatchling" in locked


def test_security_names_tests_that_exist() -> None:
    text = (ROOT / "SECURITY.md").read_text("utf-8")
    files = set(re.findall(r"(?:tests/unit/)?(test_\w+\.py)", text))
    assert files and all((ROOT / "tests/unit" / file).is_file() for file in files)
