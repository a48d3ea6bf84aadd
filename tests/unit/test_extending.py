"""docs/dev/extending.md: each of its files, run from outside the package, in a process of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest

import granum as gr
from granum.base.choices import Choices

PAGE = (Path(__file__).parents[2] / "docs/dev/extending.md").read_text("utf-8")
SECTIONS = {part.partition("\n")[0]: code[1] for part in PAGE.split("\n## ")
            if (code := re.search(r"```python\n(.*?)```", part, re.DOTALL))}


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A script outside the package."""
    (folder / "extension.py").write_text(code, "utf-8")
    return subprocess.run([sys.executable, "extension.py"], cwd=folder, capture_output=True, text=True, timeout=600,
                          check=False)


def test_the_page_has_its_sections() -> None:
    assert list(SECTIONS) == ["A body", "A joint", "A pattern of links", "A boundary shape", "A load on grains",
                              "A contact law", "A probe", "A solver", "A formulation", "A plot"]


@pytest.mark.parametrize("title", SECTIONS)
def test_each_file_runs_with_its_test(title: str, tmp_path: Path) -> None:
    code = SECTIONS[title]
    assert len(re.findall(r"^def test_", code, re.MULTILINE)) == 1
    done = run(code, tmp_path)
    assert done.returncode == 0, done.stderr


REST = """
import json
import granum as gr
from granum.io.reference import filled
from granum.io.scenefile import parse_scene

found = {}
try:
    parse_scene('[body.b]\\nkind = "tub"')
except gr.SceneError as error:
    found["message"] = str(error)
try:
    class Again(gr.Rigid):
        kind: Literal["tube"] = "tube"
except TypeError as error:
    found["twice"] = str(error)
found["schema"] = gr.schema()["$defs"]["Tube"]["properties"]["radius"]["description"]
found["page"] = filled("<!-- schema: body -->\\n<!-- end -->")
print(json.dumps(found))
"""


def test_schema_messages_and_reference_follow(tmp_path: Path) -> None:
    done = run(SECTIONS["A body"] + REST, tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["message"].rstrip(".").endswith("two-half-shell, tube")
    assert found["twice"] == "There is a body of kind 'tube' already: Tube. Give Again another kind."
    assert found["schema"] == "Radius of the wall [m]."
    assert "| `radius` | number | m | required | Radius of the wall. |" in found["page"]
    assert '**`kind = "tube"`** A thin-walled tube along its x axis;' in found["page"]


def test_kinds_need_a_name_of_their_own() -> None:
    with pytest.raises(TypeError, match="another kind"):
        class _Twice(gr.Load):
            kind: Literal["spring"] = "spring"
    with pytest.raises(TypeError, match="needs its kind as"):
        class _Nameless(gr.Load):
            kind: str = "nameless"
    assert "nameless" not in gr.Load.kinds


def test_choices_grow_and_refuse_what_they_have() -> None:
    choices = Choices("solver", {"a": "one"})
    choices.register("b", "two")
    assert dict(choices) == {"a": "one", "b": "two"}
    with pytest.raises(gr.GranumError, match="There is a solver 'b' already"):
        choices.register("b", "again")
