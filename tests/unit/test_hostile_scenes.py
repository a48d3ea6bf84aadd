"""Scenes that would run for ever, read without end or answer at length are refused in words, with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

import granum as gr
from granum.base import errors
from granum.base.errors import SHOWN
from granum.io.scenefile import load_scene, parse_scene
from granum.model.settings import MOST_STEPS
from granum.run.check import check
from messages import naming, refused, says

EXAMPLES = Path(__file__).parents[2] / "examples"
HOPPER = (EXAMPLES / "hopper.toml").read_text("utf-8").replace("count = 400", "count = 4")
PENDULUM = (EXAMPLES / "pendulum.toml").read_text("utf-8")
LONG = "a" * 1_000_000


def refusal(text: str, folder: Path) -> str:
    """What is said about a scene when it is read and checked."""
    file = folder / "scene.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(gr.SceneError) as error:
        check(load_scene(file))
    return str(error.value)


@pytest.mark.parametrize(("text", "names"), [
    (HOPPER.replace("step = 3e-4", "step = 1e-300"), ["run.step", "1e-300"]),
    (HOPPER.replace("step = 3e-4", "step = 1e-14"), ["run.step", "7e+13 steps"]),
    (PENDULUM.replace('"dop853"', '"rk4"\nstep = 1e-13'), ["run", "2e+13 steps"]),
    (HOPPER.replace("friction = 0.4", "friction = 0.4\nstiffness = 1e300"), ["material.glass.stiffness", "1e+300"]),
    (HOPPER.replace("friction = 0.4", "friction = 0.4\nstiffness = 1e40").replace("step = 3e-4", 'solver = "soft"'),
     ["run.step", "steps"]),
    (HOPPER + "[start.grains-1]\norientation = [1e300, 0, 0, 0]\n", ["start.grains-1.orientation", "1e+300"]),
    (HOPPER.replace("friction = 0.4", "friction = 1e300"), ["material.glass.friction", "1e+300"]),
])
def test_numbers_beyond_what_can_be_computed_are_refused(text: str, names: list[str], tmp_path: Path) -> None:
    says(refusal(text, tmp_path), "scene.toml:", *names)


def test_as_many_steps_as_a_run_may_have() -> None:
    settings = gr.RunSettings(solver="rk4", until=1.0, step=1.0 / MOST_STEPS)
    assert settings.step == 1.0 / MOST_STEPS


@pytest.mark.parametrize("solver", ["dop853", "adams", "rk4", "rattle", "mixed"])
def test_a_smooth_solver_of_grains_is_refused_by_check(solver: str, tmp_path: Path) -> None:
    said = refusal(HOPPER.replace("step = 3e-4", f'solver = "{solver}"'), tmp_path)
    says(said, "scene.toml:37 run.solver", "moreau")


def test_a_spring_too_stiff_for_any_step_ends_the_run() -> None:
    """Steps a billion times shorter than the time to the next frame: a run that would stand still says so."""
    scene = gr.Scene(
        body={"a": gr.PointMass(mass=1e-30), "b": gr.FixedPoint(position=(0.0, 0.0))},
        start={"a": gr.Start(position=(1.0, 0.0), velocity=(0.0, 1.0))},
        load={"s": gr.Spring(between=("a", "b"), stiffness=1e10, rest_length=0.5)}, run={"until": 1.0})
    with refused(gr.NotConvergedError):
        gr.simulate(scene)


def test_a_shell_on_a_surface_with_gravity_in_the_plane(tmp_path: Path) -> None:
    text = (EXAMPLES / "rolling-shell.toml").read_text("utf-8").replace("[0.0, 0.0, -9.81]", "[0.0, -9.81]")
    says(refusal(text, tmp_path), "start.shell.contact", "3-D", "2 components")


def test_a_name_with_a_null_character_is_refused(tmp_path: Path) -> None:
    """The system does not even look for such a file."""
    for read in (load_scene, gr.load_study):
        with pytest.raises(gr.SceneError) as told:
            read(tmp_path / "no\0name.toml")
        naming(str(told.value), "null character")


def test_devices_are_not_read(tmp_path: Path) -> None:
    with refused(gr.SceneError, "/dev/zero"):
        load_scene("/dev/zero")
    wind = '\n[load.wind]\nkind = "drag"\ndensity = 1.0\ndrag_coefficient = 0.4\nvelocity_field = "/dev/zero"\n'
    says(refusal(HOPPER + wind, tmp_path), "load.wind.velocity_field", "zero")


def test_a_field_of_velocities_is_looked_for_beside_the_scene(tmp_path: Path) -> None:
    (tmp_path / "wind.csv").write_text("x,y,u,v\n-1,-1,0,1\n1,-1,0,1\n-1,1,0,1\n1,1,0,1\n")
    (tmp_path / "scene.toml").write_text(
        HOPPER + '\n[load.wind]\nkind = "drag"\ndensity = 1.0\ndrag_coefficient = 0.4\nvelocity_field = "wind.csv"\n')
    check(load_scene(tmp_path / "scene.toml"))


@pytest.mark.parametrize("text", [
    f"{LONG} = 1\n{HOPPER}", f"{HOPPER}\n{LONG} = 1\n", f"{HOPPER}\n[body.{LONG}]\nkind = 'disk'\n",
    HOPPER.replace('kind = "hopper"', f'kind = "{LONG}"'), HOPPER.replace("0.24", f'"{LONG}"'),
    HOPPER.replace("0.24", f'["{LONG}"]'), HOPPER.replace("count = 4", f'count = "{LONG}"'),
    PENDULUM.replace('"pivot"', f'"{LONG}"'),
])
def test_messages_are_short_whatever_is_in_a_scene(text: str, tmp_path: Path) -> None:
    assert len(refusal(text, tmp_path)) < 4000


def test_similar_names_are_looked_for_as_often_as_they_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    monkeypatch.setattr(errors, "get_close_matches", lambda name, *_: looked.append(name) or [])
    unknown = "\n".join(f"key{k} = 1" for k in range(1000))
    for text in (HOPPER + "\n" + unknown, unknown + "\n" + HOPPER,
                 HOPPER + "\n" + "\n".join(f"[material.m{k}]\nkey = 1" for k in range(1000))):
        looked.clear()
        with pytest.raises(gr.SceneError) as error:
            parse_scene(text)
        assert len(error.value.problems) == 1000
        says(str(error.value).splitlines()[-1], "950 more")
        assert len(looked) == SHOWN


def test_grains_do_not_enter_where_others_are(tmp_path: Path) -> None:
    """Two centres at one point have no contact direction: known before the run, or found in it."""
    source = '\n[source.tap]\nradius = 0.004\ninterval = 1e-3\noverlap = "allow"\n'
    says(refusal(HOPPER + source + "positions = [[0.0, 0.3], [0.0, 0.3]]\n", tmp_path), "source.tap")
    (tmp_path / "scene.toml").write_text(
        HOPPER.replace("9.81", "0.0").replace("until = 0.7", "until = 0.01") + source + "positions = [[0.0, 0.3]]\n")
    with refused(gr.SceneError, "scene.toml:39 source.tap", "t = 0.001", "(0, 0.3) m"):
        gr.simulate(load_scene(tmp_path / "scene.toml"))
