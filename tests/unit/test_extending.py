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

grains = gr.Scene(material={"steel": gr.Material()}, body={"ball": gr.Disk(radius=0.1, mass=2.0)},
                  start={"ball": {"position": (0.0, 0.0)}}, load={"hum": Hum(on="ball", force=(3.0, 0.0))})
run = gr.simulate(grains, until=1.0, step=1e-2)
assert np.abs(run.position("ball")[:, 0] - 0.25 * run.t**3).max() < 1e-4  # h²/12 of its mean acceleration: 2e-5
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
print(json.dumps(found))
"""


def test_loads_from_outside_are_refused_by_name_where_nothing_takes_them(tmp_path: Path) -> None:
    done = run(REFUSED, tmp_path)
    assert done.returncode == 0, done.stderr
    for way, text in json.loads(done.stdout).items():
        says(text, "load.hum", '"hum"', way)


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


SPRING = """
from typing import Literal

import numpy as np

import granum as gr
from granum.algebra.vectors import length as size
from granum.algebra.vectors import minus
from granum.loads.load import BodyLoad, LoadFormula
from granum.loads.registry import register
from granum.model.quantities import PointName


class HardSpring(gr.Load):
    kind: Literal["hard-spring"] = "hard-spring"
    one: PointName
    other: PointName


def formula(load, scene):
    (a, _), (b, _) = (scene.pose(end.body).point(end.arm) for end in load.ends)
    apart = minus(b, a)
    length = size(apart)
    return LoadFormula(100.0 * (length - 0.5) ** 4 + 20.0 * (length - 0.5) ** 2, measure=length, damping=0.5)


register(HardSpring, lambda name, entry, scene: BodyLoad(
    name, entry, (scene.end(entry.one), scene.end(entry.other)), damping=0.5), formula)
scene = gr.Scene(
    body={"nail": gr.FixedPoint(position=(0.0, 0.0)), "rod": gr.Rod(mass=2.0, length=0.5),
          "block": gr.Block(size=(0.1, 0.1), mass=0.5)},
    constraint={"pin": gr.Hinge(between=("nail", "rod.tail"))},
    start={"rod": {"angle": 0.3, "angular_velocity": 1.0}, "block": {"position": (0.9, -0.5)}},
    load={"gravity": gr.Gravity(acceleration=(0.0, -9.81)),
          "rubber": {"kind": "hard-spring", "one": "rod.head", "other": "block"}})
exact = gr.simulate(scene, until=0.4, tolerance=1e-11)
for h in (2e-3, 1e-3):
    run = gr.simulate(scene, until=0.4, solver="moreau", step=h)
    work = run.energy.work
    print(np.abs(run.position("block")[-1] - exact.position("block")[-1]).max(), run.energy_error,
          *(work[name][-1] for name in ("rubber", "rubber damper")))
potential = exact.energy.potential
print(-(potential[-1] - potential[0]) - sum(
    mass * 9.81 * (exact.position(name)[0, 1] - exact.position(name)[-1, 1]) for name, mass in (
        ("rod", 2.0), ("block", 0.5))), exact.energy.work["rubber damper"][-1])
"""


def test_a_potential_energy_acts_among_grains_as_it_does_smoothly(tmp_path: Path) -> None:
    """A registered load without a kernel whose keys are names of its own: motion O(h) with a damper, the balance and
    both parts of its work as by newton-euler.
    """
    done = run(SPRING, tmp_path)
    assert done.returncode == 0, done.stderr
    coarse, fine, exact = ([float(number) for number in line.split()] for line in done.stdout.splitlines())
    assert 1.6 < coarse[0] / fine[0] < 4.5
    assert fine[0] < 1e-3
    assert fine[1] < 1e-3
    for part in range(2):  # extrapolated, the error of O(h) is gone
        extrapolated = 2.0 * fine[2 + part] - coarse[2 + part]
        assert abs(extrapolated - exact[part]) < 5e-3 * abs(exact[part])
