"""Packages that add to Granum by entry points: found by Python and by the command line, each only when it is used."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from test_extending import COMMAND, PAGE, SECTIONS

import granum as gr
from granum.base.choices import Choices
from granum.base.extensions import GROUP, installed
from granum.base.offers import wing
from messages import naming, refused, says

TITLES = {"universal_joint": "A joint", "linear_drag": "A load on bodies", "cohesive": "A contact law",
          "tension": "A plot"}
"""Section of docs/dev/extending.md that has the file."""
SWING = """
[body.nail]
kind = "fixed-point"
position = [0, 0, 0]
[body.block]
kind = "block"
size = [0.1, 0.2, 0.5]
mass = 2.0
points = { top = [0, 0, 0.25] }
[constraint.cross]
kind = "universal-joint"
between = ["nail", "block.top"]
axis = [1, 0, 0]
second_axis = [0, 1, 0]
[start.block]
position = [0, 0, -0.25]
angular_velocity = [2, 1, 0]
[load.oil]
kind = "linear-drag"
on = "block"
damping = 5.0
[run]
until = 0.5
"""
HANGING = """
[material.putty]
stiffness = 1e4
adhesion = "600 mN"
[material.wax]
adhesion = "0.4 N"
[pair.both]
between = ["putty", "wax"]
adhesion = "0.7 N"
[body.ball]
kind = "disk"
radius = 0.1
mass = 0.05
material = "putty"
[boundary.ceiling]
kind = "plane"
position = [0, 1]
normal = [0, -1]
material = "wax"
[start.ball]
position = [0, 0.90000005]
[load.gravity]
kind = "gravity"
acceleration = [0, -10]
[run]
until = 0.05
solver = "soft"
contact_law = "cohesive"
"""
BOB = """
[body.nail]
kind = "fixed-point"
position = [0, 0]
[body.bob]
kind = "point-mass"
mass = 1
[link.rod]
between = ["nail", "bob"]
[start.bob]
position = [1, 0]
[load.gravity]
kind = "gravity"
acceleration = [0, -9.81]
[run]
until = 0.1
"""


def install(place: Path, name: str, version: str, points: dict[str, str]) -> None:
    """The metadata that pip writes when it installs a package."""
    info = place / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = ["[console_scripts]", "other = other:main", "", f"[{GROUP}]", *(f"{k} = {v}" for k, v in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines))


@pytest.fixture
def workshop(tmp_path: Path) -> Path:
    """The package of the page, installed into a folder of its own."""
    place = tmp_path / "site"
    own = place / "granum_workshop"
    own.mkdir(parents=True)
    (own / "__init__.py").touch()
    for name, title in TITLES.items():
        (own / f"{name}.py").write_text(SECTIONS[title].partition("\n\ndef test_")[0], "utf-8")
    (own / "peak.py").write_text(COMMAND, "utf-8")
    metadata = tomllib.loads(re.search(r"```text\n(# pyproject.toml\n.*?)```", PAGE, re.DOTALL)[1])  # type: ignore[index]
    project = metadata["project"]
    install(place, project["name"], project["version"], project["entry-points"][GROUP])
    return place


def python(place: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """A process that finds packages in a folder."""
    return subprocess.run([sys.executable, *map(str, arguments)], cwd=place.parent, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(place)}, timeout=600, check=False)


def granum(place: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """The command line in such a process."""
    done = python(place, "-m", "granum", *arguments)
    assert "Traceback" not in done.stderr
    return done


def test_the_command_line_finds_an_installed_package(workshop: Path) -> None:
    """Check, run, a command of its own, plots and the schema, each in a process that imports nothing by itself."""
    folder = workshop.parent
    for name, text in (("swing", SWING), ("hanging", HANGING), ("bob", BOB)):
        (folder / f"{name}.toml").write_text(text)
        done = granum(workshop, "run", f"{name}.toml", "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["finished"]
    assert "2 degrees of freedom" in granum(workshop, "check", "swing.toml").stdout
    naming(granum(workshop, "peak", "swing.h5").stdout, " J at t = 0 s")  # it only slows down
    naming(granum(workshop, "--help").stdout, "peak", "granum-workshop")
    assert "largest-tension" in granum(workshop, "plot", "bob.h5").stdout
    granum(workshop, "plot", "bob.h5", "largest-tension", "-o", "tension.svg")
    assert "<svg" in (folder / "tension.svg").read_text()[:600]
    schema = json.loads(granum(workshop, "schema").stdout)
    assert "UniversalJoint" in schema["$defs"] and "LinearDrag" in schema["$defs"]
    assert "cohesive" in schema["$defs"]["RunSettings"]["properties"]["contact_law"]["enum"]
    for entry in ("Material", "Pair"):
        naming(schema["$defs"][entry]["properties"]["adhesion"]["description"], "grains adhere", "[N]")


KEYS = """
import numpy as np
import granum as gr
from granum.io.reference import filled
from granum.io.scenefile import parse_scene
from granum.lammps.expressible import refuse_inexpressible

def refused(function, *arguments):
    try:
        function(*arguments)
    except gr.SceneError as error:
        print(error)
    else:
        raise AssertionError("not refused")

for good, bad in (('"600 mN"', '"600 mm"'), ('"0.4 N"', "-0.4"), ("adhesion", "adhesoin"), ("cohesive", "linear")):
    refused(parse_scene, TEXT.replace(good, bad))
scene = parse_scene(TEXT)
refused(refuse_inexpressible, scene)
for solver in ("moreau", "events", "unilateral"):
    refused(gr.check, scene.with_run(solver=solver))
print(filled("<!-- schema: material --><!-- end -->".replace("<!-- e", chr(10) + "<!-- e")))

def stop(moment):
    if moment.t > 0.02:
        raise KeyboardInterrupt

whole = gr.simulate(scene, interval=0.005, output="whole.h5", progress=False)
part = gr.simulate(scene, interval=0.005, output="part.h5", progress=stop)
assert len(part.t) < len(whole.t)
resumed = gr.simulate(scene, interval=0.005, output="part.h5", resume=True, progress=False)
assert np.array_equal(resumed.position("ball"), whole.position("ball"))
assert whole.position("ball")[-1, 1] > 0.899
again = gr.open_run("part.h5").scene
assert again.pair["both"].adhesion == 0.7 and again.material == scene.material
weak = scene.vary({"pair.both.adhesion": "0.3 N"})
assert gr.simulate(weak, progress=False).position("ball")[-1, 1] < 0.899
"""


def test_a_contact_law_of_a_package_has_keys_of_its_own(workshop: Path) -> None:
    """Units, ranges and spelling with their lines; reference; runs, resumed to the bit; refused by name elsewhere."""
    done = python(workshop, "-c", f"TEXT = {HANGING!r}\n{KEYS}")
    assert done.returncode == 0, done.stderr
    naming(done.stdout, "scene:4 material.putty.adhesion", "wrong unit", "scene:6 material.wax.adhesion", "negative",
           "scene:4 material.putty.adhesoin", 'Did you mean "adhesion"',
           'solver "soft" with contact_law "linear" does not support adhesion',
           'Use solver = "soft" with contact_law = "cohesive"', "scene:9 pair.both.adhesion",
           'material.wax.adhesion: is a key of contact_law = "cohesive", which LAMMPS does not have',
           'solver "moreau" does not support adhesion', 'solver "events" does not support adhesion',
           'solver "unilateral" does not support adhesion', "| `adhesion` | number | N | `0.0` |")


def test_nothing_is_imported_before_it_is_asked_for(workshop: Path) -> None:
    """Python finds the same names, one by one; scenes that need none import none, and help loads no module of it."""
    code = f"""
import sys
import granum as gr
from granum.cli.main import app
from granum.io.scenefile import parse_scene
def here():
    return sorted(name for name in sys.modules if name.startswith("granum_workshop."))
parse_scene({BOB!r})
try:
    app(["--help"])
except SystemExit:
    pass
assert here() == [], here()
oils = {{name: {{"kind": "linear-drag", "on": "b", "damping": 1}} for name in ("oil", "water")}}
assert [oil.damping for oil in gr.Scene(load=oils).load.values()] == [1, 1]  # the second one, too
assert here() == ["granum_workshop.linear_drag"], here()
try:
    gr.Scene(load={{"oil": {{"kind": "linear-drag", "on": "b", "dumping": 1}}}})
except gr.SceneError as error:
    print(error)
try:
    parse_scene('[load.oil]\\nkind = "linear-dra"\\n[constraint.c]\\nkind = "cross"')
except gr.SceneError as error:
    print(error)
"""
    done = python(workshop, "-c", code)
    assert done.returncode == 0, done.stderr
    naming(done.stdout, "peak", "granum-workshop", "load.oil.dumping", 'Did you mean "damping"',
           "scene:2 load.oil.kind", "linear-drag", "universal-joint")


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A package whose modules cannot be used, each in its own way."""
    place = tmp_path / "site"
    own = place / "granum_ruins"
    own.mkdir(parents=True)
    (own / "__init__.py").touch()
    (own / "lacking.py").write_text("import no_such_library\n")
    (own / "ending.py").write_text("raise SystemExit('no')\n")
    (own / "empty.py").write_text("")
    install(place, "granum-ruins", "0.3", {
        "load.magnet": "granum_ruins.lacking", "constraint.knot": "granum_ruins.empty",
        "contact-law.tar": "granum_ruins.ending", "plot.fog": "granum_ruins.lacking",
        "command.dig": "granum_ruins.empty", "command.fall": "granum_ruins.lacking"})
    return place


def test_a_broken_package_is_named_where_it_is_used(broken: Path) -> None:
    """With file and line in scenes, without a traceback, with its name and what to do; scenes without it are run."""
    (broken.parent / "bad.toml").write_text(
        BOB + 'contact_law = "tar"\n[load.m]\nkind = "magnet"\n[constraint.k]\nkind = "knot"\n')
    (broken.parent / "bob.toml").write_text(BOB)
    done = granum(broken, "check", "bad.toml")
    assert done.returncode == 2
    says(done.stderr, "bad.toml:17 run.contact_law", "contact-law.tar", "granum-ruins 0.3", "SystemExit",
         "bad.toml:18 load.m", "load.magnet", "no_such_library", "pip uninstall granum-ruins",
         "bad.toml:20 constraint.k", "constraint.knot", "granum_ruins.empty")
    for command in ("dig", "fall"):
        done = granum(broken, command)
        assert done.returncode == 2
        says(done.stderr, f"command.{command}", "granum-ruins 0.3")
    assert granum(broken, "--help").returncode == 0
    assert granum(broken, "run", "bob.toml").returncode == 0
    for arguments, name in ((("schema",), "load.magnet"), (("plot", "bob.h5"), "plot.fog")):
        done = granum(broken, *arguments)
        assert done.returncode == 0 and done.stdout
        says(done.stderr, name, "granum-ruins 0.3")


def test_two_packages_with_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither is preferred."""
    for package in ("one", "other"):
        install(tmp_path, f"granum-{package}", "1.0", {"load.magnet": f"granum_{package}"})
    monkeypatch.syspath_prepend(str(tmp_path))
    installed.cache_clear()
    try:
        with refused(gr.SceneError, "load.m", "granum-one", "granum-other"):
            gr.Scene(load={"m": {"kind": "magnet"}})  # type: ignore[dict-item]
    finally:
        installed.cache_clear()


def test_names_of_wings_are_taken() -> None:
    """Before they are loaded, too."""
    choices = Choices("sort", {"a": "one"}, section="sort")
    wing("sort", "b", "granum.historic.nothing", "two")
    assert dict(choices) == {"a": "one", "b": "two"}
    with refused(gr.GranumError, "sort", "'b'"):
        choices.register("b", "three")


OTHERS = """
from dataclasses import replace

import granum as gr
from granum.io.scenefile import parse_scene
from granum.validation.table_5_1 import CASE as KNOWN

CASE = replace(KNOWN, name="own-case")


def read(path):
    text = path.read_text().replace("%", "[run]\\nuntil = 0.1\\n")
    return parse_scene(text), text


def convert(asked):
    asked.new.write_text(read(asked.old[0])[1])
    return {"kind": "own"}, f"Written: {asked.new}"


def simulate(scene, *, ranks, output, **settings):
    return gr.simulate(scene, output=output, until=0.01 * ranks, progress=False)
"""


def test_engines_readers_conversions_and_cases_of_a_package(tmp_path: Path) -> None:
    """What the wings add, another package adds in the same way."""
    place = tmp_path / "site"
    (place / "granum_others").mkdir(parents=True)
    (place / "granum_others/__init__.py").write_text(OTHERS)
    install(place, "granum-others", "2.0", {f"{section}.{name}": "granum_others" for section, name in (
        ("engine", "twin"), ("reader", "mine"), ("conversion", "mine"), ("case", "own-case"))})
    (tmp_path / "a.mine").write_text(BOB.partition("[run]")[0] + "%")
    done = granum(place, "run", "a.mine", "--engine", "twin", "--ranks", "3", "--json")
    assert json.loads(done.stdout)["t"] == pytest.approx(0.03), done.stderr
    assert json.loads(granum(place, "convert", "a.mine", "a.toml", "--json").stdout)["kind"] == "own"
    assert "own-case" in granum(place, "reproduce", "--list").stdout
    naming(granum(place, "run", "a.mine", "--engine", "twi").stderr, '"twin"', "lammps")
    naming(granum(place, "convert", "a.min", "b.toml").stderr, '"min"', "mine", "urdf")
