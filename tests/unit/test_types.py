"""Types for users: the stub is that of the schema, and a strict type checker without plugins follows a script."""

import ast
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import granum as gr

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = '''
import granum as gr
import numpy as np

disk = gr.Disk(radius="5 cm", mass="1 kg")
radius: float = disk.radius
bodies = {"pin": gr.FixedPoint(position=["10 cm", 0.0]), "post": gr.FixedPoint(position=np.zeros(2))}
scene = gr.Scene(
    body={"bob": gr.PointMass(mass="200 g"), **bodies}, link={"rod": gr.Link(between=("pin", "bob"), length="1 m")},
    load={"gravity": gr.Gravity(acceleration=(0, "-9.81 m/s^2")),
          "spring": gr.Spring(between=["post", "bob"], stiffness="1 N/cm")},
    start={"bob": {"position": (1.1, 0.0)}}, run=gr.RunSettings(until="0.2 s"))


def largest(scene: gr.Scene) -> float:
    run: gr.Run = gr.simulate(scene.vary({"body.bob.mass": 0.3}), until=0.1)
    tension = run.reaction("rod").tension
    force = run.spring("spring").force[:, 0]
    return float(tension.max() + force.max() + run.work("gravity")[-1] + run.energy.total[0])


equations: gr.Equations = gr.derive(scene, "lagrange")
q, v = equations.start
accelerations: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]" = equations.accelerations(q, v)
lines: list[str] = gr.check(scene).summary_lines()
frequencies = gr.linearize(scene).frequencies.tolist()
table: gr.StudyResult = gr.study(scene, vary={"body.bob.mass": [0.1, 0.2]}, measure={"x": "position bob x"})
largest(gr.load("swing.toml"))
version: str = gr.__version__
'''
WRONG = {
    "gr.Disk(raduis=1.0)": 'Unexpected keyword argument "raduis"',
    "gr.Disk(mass=1.0)": 'Missing named argument "radius"',
    "gr.Disk(radius=[1.0])": 'incompatible type "list[float]"',
    "gr.Scene(bodies={})": 'Unexpected keyword argument "bodies"',
    "text: str = gr.simulate(gr.Scene()).t": "Incompatible types in assignment",
    "gr.simulate(gr.Scene()).positoin('x')": '"Run" has no attribute "positoin"',
}


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What mypy says about a script, as it is set up for users: no configuration, no plugin."""
    folder = tmp_path_factory.mktemp("user")
    wrong = "\n".join(f"{line}  # {number}" for number, line in enumerate(WRONG))
    (folder / "right.py").write_text(SCRIPT)
    (folder / "wrong.py").write_text(f"import granum as gr\n{wrong}\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--follow-imports=silent", "right.py", "wrong.py"],
        cwd=folder, capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(ROOT / "src")})
    return done.stdout + done.stderr


def test_a_strict_type_checker_accepts_strings_with_units(checked: str) -> None:
    assert "right.py" not in checked, checked


@pytest.mark.parametrize("line", WRONG)
def test_it_finds_mistakes(line: str, checked: str) -> None:
    number = list(WRONG).index(line) + 2
    assert any(found.startswith(f"wrong.py:{number}: error: ") and WRONG[line] in found
               for found in checked.splitlines()), checked


def test_the_stub_is_that_of_the_schema() -> None:
    """Change the schema, then run `make stub`."""
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import stub
    finally:
        sys.path.pop(0)
    assert stub.FILE.read_text("utf-8") == stub.stub()


def test_scenes_take_all_their_sections() -> None:
    """The constructor that type checkers see has every section: it stands in the source, beside them."""
    (tree,) = ast.parse(inspect.getsource(gr.Scene)).body
    init = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "__init__")
    assert {argument.arg for argument in init.args.kwonlyargs} == set(gr.Scene.model_fields)


def test_public_names_are_there_and_described() -> None:
    assert len(set(gr.__all__)) == len(gr.__all__) > 90
    for name in gr.__all__:
        assert getattr(gr, name).__doc__, name
