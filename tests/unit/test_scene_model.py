"""The scene as data: frozen, strict about what it is given, and complete in its complaints."""

import sys
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import ValidationError

import granum as gr
import granum.studies.definition  # has entries of its own
from granum.assembly.points import compile_points
from messages import refused, says
from scenes import SCENES


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_survives_json(name: str) -> None:
    """What a run file keeps is the scene itself, to the last digit."""
    scene = SCENES[name]()
    assert gr.Scene.model_validate_json(scene.model_dump_json(by_alias=True)) == scene


def test_entries_are_frozen() -> None:
    scene = SCENES["sprung"]()
    for entry, key in ((scene, "title"), (scene.body["pivot"], "position"), (scene.pattern["chain"], "count"),
                       (scene.load["to-wall"], "stiffness"), (scene.run, "until")):
        with refused(gr.GranumError, key):
            setattr(entry, key, getattr(entry, key))


def test_python_and_dictionaries_say_the_same() -> None:
    typed = gr.Scene(
        body={"a": gr.PointMass(mass=0.2), "b": gr.FixedPoint(position=(0.0, 0.0))},
        link={"l": gr.Link(between=("a", "b"), length=0.5)},
        pattern={"c": gr.Chain(from_="b", count=2, length=1.0, angles=0.0, mass=1.0)},
    )
    plain = gr.Scene(
        body={"a": {"kind": "point-mass", "mass": "200 g"}, "b": {"kind": "fixed-point", "position": [0, 0]}},
        link={"l": {"between": ["a", "b"], "length": "50 cm"}},
        pattern={"c": {"kind": "chain", "from": "b", "count": 2, "length": 1, "angles": "0 deg", "mass": 1}},
    )
    assert plain == typed


def places(error: pytest.ExceptionInfo[gr.SceneError]) -> list[str]:
    """Where the problems of a scene are."""
    return sorted(problem.place for problem in error.value.problems)


def test_all_mistakes_within_entries_come_at_once() -> None:
    with pytest.raises(gr.SceneError) as error:
        gr.Scene(
            titel="x",
            body={"interior": {"kind": "point-mass", "mass": -1}, "float-1": {"kind": "fixed-point"},
                  "c": {"kind": "cube"}, "1": {"kind": "point-mass", "mass": 1}},
            load={"spring": {"kind": "spring", "between": ["a"], "stiffness": "soft"},
                  "force": {"kind": "force", "on": "a", "force": 3}},
            run={"interval": "never", "integrator": "rk4"},
        )
    assert places(error) == [
        "body.1.[key]", "body.c.kind", "body.float-1.position", "body.interior.mass", "load.force.force",
        "load.spring.between", "load.spring.stiffness", "run.integrator", "run.interval", "titel",
    ]


def test_all_mistakes_between_entries_come_at_once() -> None:
    scene = gr.Scene(
        body={"a": gr.PointMass(mass=1), "b": gr.PointMass(mass=1), "f": gr.FixedPoint(position=(0, 0)),
              "g": gr.FixedPoint(position=(1, 0)), "lost": gr.PointMass(mass=1)},
        start={"a": gr.Start(position=(0.5, 0.5)), "b": gr.Start(position=(0.5, 0.5), velocity=(1, 1, 1)),
               "f": gr.Start(velocity=(1, 0)), "nobody": gr.Start()},
        link={"same": gr.Link(between=("a", "a")), "none": gr.Link(between=("a", "c")),
              "point": gr.Link(between=("a", "b")), "rigid": gr.Link(between=("f", "g")),
              "quiet": gr.Link(between=("f", "lost"))},
        load={"g": gr.Gravity(acceleration=(0, 0, -9.81)), "p": gr.Force(on="f", force=(1, 0)),
              "s": gr.Spring(between=("a", "b"), stiffness=1, rest_length=1)},
    )
    with pytest.raises(gr.SceneError) as error:
        compile_points(scene)
    assert places(error) == [
        "body.lost", "link.none.between", "link.point", "link.rigid.between", "link.same.between",
        "load.g.acceleration", "load.p.on", "load.s", "start.b", "start.b.velocity", "start.f",
        "start.nobody",
    ]
    assert all(problem.remedy for problem in error.value.problems)


@pytest.mark.parametrize("scene", [{}, {"body": {"f": gr.FixedPoint(position=(0, 0))}}], ids=["nothing", "fixed"])
def test_a_scene_needs_something_that_moves(scene: dict[str, object]) -> None:
    with refused(gr.SceneError, "body"):
        compile_points(gr.Scene(**scene))


SETTINGS: list[tuple[dict[str, object], tuple[str, ...]]] = [
    ({"until": 0.0}, ("run.until", "0")),
    ({"until": "1 m"}, ("run.until", "'1 m'")),
    ({"util": 1.0}, ("'util'",)),
    ({"solver": "euler"}, ("run.solver", "dop853, radau, adams")),
    ({"formulation": "hamilton"}, ("run.formulation", "newton-euler, lagrange, scalar")),
    ({"tolerance": 0.5}, ("run.tolerance", "0.5", "1e-14 and 0.1")),
    ({"tolerance": 1e-16}, ("run.tolerance", "1e-16", "1e-14 and 0.1")),
    ({"corrections": ["position", "position"]}, ("run.corrections", "['position', 'position']")),
    ({"corrections": ["mass"]}, ("run.corrections", "'position', 'velocity' or 'energy'")),
    ({"formulation": "lagrange", "solver": "mixed"}, ('"mixed"', "lagrange", "dop853")),
    ({"formulation": "lagrange", "solver": "rattle"}, ('"rattle"', "lagrange", "dop853")),
    ({"formulation": "scalar", "solver": "mixed"}, ('"mixed"', "scalar", "dop853")),
    ({"solver": "rk4", "adapt_step": True}, ("adapt_step", '"mixed"', '"rk4"')),
    ({"solver": "rk4", "correct": "inside"}, ('correct = "inside"', '"mixed"', '"rk4"')),
    ({"until": 1.0, "interval": 1e-8}, ("interval 1e-08 s",)),
    ({"seed": -1}, ("run.seed", "-1", "0")),
    ({"seed": 1.5}, ("run.seed", "1.5")),
]


@pytest.mark.parametrize(("settings", "names"), SETTINGS, ids=[
    ", ".join(f"{key} = {value}" for key, value in settings.items()) for settings, _ in SETTINGS])
def test_run_settings_are_checked(settings: dict[str, object], names: tuple[str, ...]) -> None:
    with refused(gr.SceneError, *names):
        SCENES["pendulum"]().with_run(**settings)


def test_rattle_does_not_pretend_to_correct() -> None:
    """A setting that a solver does not use is refused, not ignored."""
    with refused(gr.SceneError, '"rattle"', "corrections"):
        SCENES["pendulum"]().with_run(solver="rattle", corrections=["energy"])


def test_settings_left_out_stay() -> None:
    scene = SCENES["pendulum"]().with_run(until=3.0, tolerance=None)
    assert (scene.run.until, scene.run.tolerance, scene.run.frame_interval) == (3.0, 1e-9, 3.0 / 200)
    assert scene.with_run(interval=5.0).run.frame_interval == 3.0


@pytest.mark.parametrize("mass", [1e-320, 5e-324])
def test_a_mass_whose_inverse_overflows_is_refused(mass: float) -> None:
    with refused(gr.SceneError, "body.a.mass"):
        gr.Scene(body={"a": {"kind": "point-mass", "mass": mass}})


def bed() -> gr.Scene:
    return gr.Scene(
        material={"glass": gr.Material(friction=0.3)}, body={"floor": gr.FixedPoint(position=(0.0, 0.0))},
        boundary={"base": {"kind": "plane", "position": (0.0, 0.0), "normal": (0.0, 1.0), "material": "glass"}},
        pattern={"c": gr.Chain(from_="floor", count=2, length=1.0, angles=0.0, mass=1.0)}, run={"until": 2.0})


def test_vary_replaces_values_by_their_paths() -> None:
    """Also fields that were left to their defaults, those with an alias, components of lists, whole sections, units."""
    scene = bed()
    varied = scene.vary({"material.glass.friction": 0.4, "material.glass.restitution": 0.1, "pattern.c.from": "post",
                         "boundary.base.position.1": "-2 cm", "run.until": "500 ms", "title": "Varied",
                         "body": {"post": {"kind": "fixed-point", "position": (0.0, 1.0)}}})
    assert scene == bed()
    glass, base, chain = varied.material["glass"], varied.boundary["base"], varied.pattern["c"]
    assert (glass.friction, glass.restitution, varied.run.until, varied.title) == (0.4, 0.1, 0.5, "Varied")
    assert isinstance(base, gr.Plane) and base.position == (0.0, -0.02)
    assert isinstance(chain, gr.Chain) and chain.from_ == "post"
    assert varied.body == {"post": gr.FixedPoint(position=(0.0, 1.0))}
    assert varied.run.model_fields_set == {"until"}  # what the scene leaves open stays open


def test_vary_refuses_all_mistakes_at_once() -> None:
    with pytest.raises(gr.SceneError) as error:
        bed().vary({"material.glass.frictoin": 0.4, "material.glas.friction": 0.4, "materail": {}, "run.until": -1.0,
                    "boundary.base.position.2": 1.0, "material.glass.friction.x": 1.0, "run.step.x": 1.0})
    assert places(error) == ["boundary.base.position.2", "materail", "material.glas", "material.glass.friction",
                             "material.glass.frictoin", "run.step", "run.until"]
    says(str(error.value), '"friction"', '"glass"', '"material"')
    with refused(gr.SceneError, "material.glass.friction"):
        bed().vary({"material.glass": {"friction": 0.1}, "material.glass.friction": 0.2})


def test_copies_refuse_unknown_names() -> None:
    with refused(gr.GranumError, "Material", '"frictoin"', '"friction"'):
        gr.Material().model_copy(update={"frictoin": 0.5})
    assert gr.Material().model_copy(update={"friction": 0.5}).friction == 0.5


def _entries(kind: type[gr.Entry]) -> Iterator[type[gr.Entry]]:
    for one in kind.__subclasses__():
        if getattr(sys.modules[one.__module__], one.__name__, None) is one and one.__module__.startswith("granum."):
            yield one
        yield from _entries(one)


def _takes_booleans(annotation: Any) -> bool:
    return annotation in (bool, Any, True) or any(_takes_booleans(part) for part in get_args(annotation))


@pytest.mark.parametrize("value", [True, False])
def test_booleans_are_no_numbers(value: bool) -> None:
    """Every key of every entry that is not a boolean refuses one, by its name: Python counts True as 1."""
    wrong = []
    for entry in set(_entries(gr.Entry)):
        for name, field in entry.model_fields.items():
            key = field.alias or name
            if _takes_booleans(field.annotation):
                continue
            try:
                entry.model_validate({key: value})
            except ValidationError as error:
                if any(one["loc"][:1] in ((key,), ()) for one in error.errors()):
                    continue
            wrong.append(f"{entry.__name__}.{key}")
    assert wrong == []
