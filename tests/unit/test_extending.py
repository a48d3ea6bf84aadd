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
from messages import refused, says

PAGE = (Path(__file__).parents[2] / "docs/dev/extending.md").read_text("utf-8")
SECTIONS = {part.partition("\n")[0]: code[1] for part in PAGE.split("\n## ")
            if (code := re.search(r"```python\n(.*?)```", part, re.DOTALL))}
COMMAND = SECTIONS.pop("A package")
"""The file of a package that test_extensions.py installs."""


def run(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A script outside the package."""
    (folder / "extension.py").write_text(code, "utf-8")
    return subprocess.run([sys.executable, "extension.py"], cwd=folder, capture_output=True, text=True, timeout=600,
                          check=False)


def test_the_page_has_its_sections() -> None:
    assert list(SECTIONS) == ["A body", "A joint", "A pattern of links", "A boundary shape", "A region",
                              "A load on bodies", "A load with a kernel", "A load on grains", "A contact law",
                              "A contact solver",
                              "A probe", "A solver", "A formulation", "A plot"]


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
    says(found["message"], "two-half-shell, tube")
    says(found["twice"], "body", "'tube'", "Tube", "Again")
    assert found["schema"] == "Radius of the wall [m]."
    assert "| `radius` | number | m | required | Radius of the wall. |" in found["page"]
    assert '**`kind = "tube"`** A thin-walled tube along its x axis;' in found["page"]


OWN_LOADS = """
from typing import Literal

import numpy as np

import granum as gr
from granum.algebra import symbol
from granum.algebra.vectors import vector
from granum.loads import spring, torque
from granum.loads.load import BodyLoad, LoadFormula
from granum.loads.registry import register


class Coil(gr.Spring):
    kind: Literal["coil"] = "coil"


class Push(gr.Torque):
    kind: Literal["push"] = "push"


class Hum(gr.Force):
    kind: Literal["hum"] = "hum"


register(Coil, spring.build, spring.formula)
register(Push, torque.build, torque.formula)
register(Hum, lambda name, entry, scene: BodyLoad(name, entry, (scene.end(entry.on),)),
         lambda load, scene: LoadFormula(forces=(vector([c * symbol("t") for c in load.entry.force]),)))
"""

SAME = OWN_LOADS + """
def scene(coil, push):
    return gr.Scene(
        body={"nail": gr.FixedPoint(position=(0.0, 0.0, 0.0)),
              "block": gr.Block(size=(0.1, 0.2, 0.5), mass=2.0, points={"top": (0.02, 0.0, 0.25)}),
              "other": gr.Block(size=(0.3, 0.2, 0.1), mass=1.0, points={"side": (0.15, 0.0, 0.01)})},
        start={"block": {"position": (0.0, 0.1, -0.6), "angular_velocity": (2.0, 1.0, 0.5)},
               "other": {"position": (0.5, 0.0, -0.2), "velocity": (0.0, 0.3, 0.1)}},
        load={"one": coil(between=("nail", "block.top"), stiffness=30.0, damping=0.4),
              "two": coil(between=("other.side", "block"), stiffness=20.0, rest_length=0.2, damping=0.3),
              "twist": push(on="other", torque=(0.01, 0.02, 0.03)),
              "gravity": gr.Gravity(acceleration=(0.0, 0.0, -9.81))})


for way in ("newton-euler", "fundamental"):
    one, other = (gr.simulate(s, until=1.0, tolerance=1e-10, formulation=way)
                  for s in (scene(gr.Spring, gr.Torque), scene(Coil, Push)))
    for body in ("block", "other"):
        assert np.abs(one.position(body) - other.position(body)).max() < 1e-8
        assert np.abs(one.orientation(body) - other.orientation(body)).max() < 1e-8
    for agent in ("one", "one damper", "two", "two damper", "twist", "gravity"):
        assert np.abs(one.energy.work[agent] - other.energy.work[agent]).max() < 1e-7, agent
    assert other.energy.relative_error.max() < 1e-8

hummed = gr.Scene(body={"block": gr.Block(size=(0.1, 0.2, 0.5), mass=2.0)}, start={"block": {"position": (0, 0, 0)}},
                  load={"hum": Hum(on="block", force=(3.0, 0.0, 0.0))})
for way in ("newton-euler", "lagrange", "fundamental"):
    run = gr.simulate(hummed, until=1.0, tolerance=1e-10, formulation=way)
    assert np.abs(run.position("block")[:, 0] - 0.25 * run.t**3).max() < 1e-8  # x'' = 1.5 t
"""


def test_loads_from_outside_act_like_those_of_the_package(tmp_path: Path) -> None:
    """The formula of a spring, registered as another kind, moves bodies as its kernel does; forces may depend on t."""
    done = run(SAME, tmp_path)
    assert done.returncode == 0, done.stderr


REFUSED = OWN_LOADS + """
import json


def message(scene, **settings):
    try:
        gr.simulate(scene, until=0.1, **settings)
    except gr.GranumError as error:
        return str(error)
    return ""


points = gr.Scene(body={"nail": gr.FixedPoint(position=(0.0, 0.0)), "bob": gr.PointMass(mass=1.0)},
                  link={"rod": gr.Link(between=("nail", "bob"))}, start={"bob": {"position": (1.0, 0.0)}},
                  load={"hum": Hum(on="bob", force=(0.0, 3.0))})
found = {way: message(points, formulation=way) for way in ("newton-euler", "lagrange", "scalar")}
assert message(points, formulation="fundamental") == ""
grains = gr.Scene(material={"steel": gr.Material(density=7800.0)}, body={"ball": gr.Disk(radius=0.1)},
                  start={"ball": {"position": (0.0, 0.0)}}, load={"hum": Hum(on="ball", force=(3.0, 0.0))})
found["grains"] = message(grains)
print(json.dumps(found))
"""


def test_loads_from_outside_are_refused_by_name_where_nothing_takes_them(tmp_path: Path) -> None:
    done = run(REFUSED, tmp_path)
    assert done.returncode == 0, done.stderr
    for way, text in json.loads(done.stdout).items():
        says(text, *(("load.hum.kind", "hum") if way == "grains" else ("load.hum", '"hum"', way)))


def test_kinds_need_a_name_of_their_own() -> None:
    with refused(TypeError, "'spring'", "Spring", "_Twice"):
        class _Twice(gr.Load):
            kind: Literal["spring"] = "spring"
    with refused(TypeError, "_Nameless"):
        class _Nameless(gr.Load):
            kind: str = "nameless"
    assert "nameless" not in gr.Load.kinds


def test_choices_grow_and_refuse_what_they_have() -> None:
    choices = Choices("solver", {"a": "one"})
    choices.register("b", "two")
    assert dict(choices) == {"a": "one", "b": "two"}
    with refused(gr.GranumError, "solver", "'b'"):
        choices.register("b", "again")
