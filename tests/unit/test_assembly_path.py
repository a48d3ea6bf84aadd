"""Loops close near to what is guessed, on the branch that a study began on, and axes stay where they are in bodies."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_initial_configuration import ROUNDING, coordinates, four_bar, freudenstein

import granum as gr
from commands import granum
from granum.assembly.assembly import Assembly, assembly_of
from granum.assembly.branch import follow_branch
from granum.assembly.ways import other_ways
from granum.run.warnings import warnings_of
from messages import naming, refused, says

ARMS = ("a1", "b1", "a2", "b2")
THETA = math.radians(35.0)
"""Angle of the arms."""


def lift(guess: dict[str, float], length: float = 1.0, base: float = 0.4, cylinder: float = 0.2, heavy: float = 1.0,
         bore: dict[str, Any] | None = None, first: str = "eye", **more: Any) -> gr.Scene:
    """A scissor lift of two stages; a cylinder of two bodies from the ground to the pin of the upper stage.

    Args:
        first: whether the cylinder is placed from the ground ("eye") or from the pin ("pin").
        heavy: mass of the cylinder beside the arms.
    """
    def hinge(one: str, two: str) -> dict[str, Any]:
        return {"kind": "hinge", "between": (one, two)}

    cylinder_joints = {"eye": hinge("base", "barrel.tail"), "pin": hinge("ram.head", "a2")}
    return gr.Scene(
        body={"pivot": {"kind": "fixed-point", "position": (0.0, 0.0)},
              "base": {"kind": "fixed-point", "position": (base, 0.0)},
              **{name: {"kind": "rod", "length": length, "mass": 1.0} for name in ARMS},
              **{name: {"kind": "rod", "length": cylinder, "mass": heavy} for name in ("barrel", "ram")}},
        constraint={"foot": hinge("pivot", "a1.tail"), "lower": hinge("a1", "b1"),
                    "track": {"kind": "slider", "between": ("pivot", "b1.tail"), "axis": (1.0, 0.0), "rotation": True},
                    "left": hinge("b1.head", "a2.tail"), "right": hinge("a1.head", "b2.tail"),
                    "upper": hinge("a2", "b2"), first: cylinder_joints[first],
                    "bore": bore or {"kind": "slider", "between": ("barrel", "ram"), "axis": (1.0, 0.0),
                                     "axis_in": "body"}, **cylinder_joints},
        start={"a1": {"angle": THETA}, **{name: {"angle": angle, "guess": ["angle"]} for name, angle in guess.items()}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, -9.81)}}, **more)


def closed_form(length: float = 1.0, base: float = 0.4) -> dict[str, float]:
    """Arms cross at the same angle; the cylinder points from its eye to the middle of the upper stage."""
    pin = 0.5 * length * math.cos(THETA), 1.5 * length * math.sin(THETA)
    cylinder = math.atan2(pin[1], pin[0] - base)
    return {"a1": THETA, "b1": math.pi - THETA, "a2": THETA, "b2": math.pi - THETA, "barrel": cylinder, "ram": cylinder}


def largest_error(assembly: Assembly, expected: dict[str, float]) -> float:
    """Of the angles of all bodies [rad]."""
    return max(abs(math.remainder(assembly.bodies[name].angle - angle, 2.0 * math.pi))
               for name, angle in expected.items())


@pytest.mark.parametrize("first", ["eye", "pin"])
@pytest.mark.parametrize("heavy", [0.02, 5.0])
@pytest.mark.parametrize("off", [-30.0, -2.0, 2.0, 20.0, 30.0])
def test_a_guess_is_never_turned_over(off: float, heavy: float, first: str) -> None:
    """Cylinder, upper stage and one lower arm are guessed up to 30° off, from both ends and with any masses."""
    expected = closed_form(base=0.9)
    guess = {name: expected[name] + math.radians(off) for name in ("b1", "a2", "b2", "barrel", "ram")}
    found = assembly_of(lift(guess, base=0.9, heavy=heavy, first=first))
    assert largest_error(found, expected) < ROUNDING
    assert found.bodies["a1"].angle == THETA and not found.searched


@pytest.mark.parametrize("base", [0.0, 0.9])
def test_link_lengths_of_a_study_close_the_same_way(base: float) -> None:
    """15 lengths from 0.3 to 1.7 m with the angles of 1 m as guesses: none is upside down."""
    guess = {name: angle for name, angle in closed_form().items() if name != "a1"}
    for length in np.linspace(0.3, 1.7, 15):
        assert largest_error(assembly_of(lift(guess, length, base)), closed_form(length, base)) < ROUNDING


def test_the_nearest_way_is_taken_and_a_search_reported() -> None:
    """Guesses of a four-bar, also where no path leads to the nearest configuration: it is taken, and said."""
    crank, searched = 1.1, []
    both = [freudenstein(crank, assembly) for assembly in ("open", "crossed")]
    for coupler, rocker in np.radians([(60.0 * i, 60.0 * k) for i, k in ((0, 1), (1, 0), (0, 3), (2, 5), (3, 0))]):
        scene = four_bar({"crank": {"angle": crank}, "coupler": {"angle": coupler, "guess": ["angle"]},
                          "rocker": {"angle": rocker, "guess": ["angle"]}})
        found = assembly_of(scene)

        def away(angles: tuple[float, float], guesses: tuple[float, float] = (coupler, rocker)) -> float:
            return max(abs(math.remainder(a - b, 2.0 * math.pi)) for a, b in zip(angles, guesses, strict=True))

        at = found.bodies["coupler"].angle, found.bodies["rocker"].angle
        assert away(at) < min(map(away, both)) + 1e-9
        if found.searched:
            searched.append(scene)
    says(str(gr.check(searched[0])), "search", "fold")
    run = gr.simulate(searched[0], until=1e-3, interval=1e-3, progress=False)
    assert any("search" in warning for warning in warnings_of(run))


def test_other_ways_are_listed() -> None:
    """A four-bar with a given crank closes in two ways; the other is as far as Freudenstein says."""
    crank, (coupler, rocker), other = 1.1, freudenstein(1.1, "open"), freudenstein(1.1, "crossed")
    scene = four_bar({"crank": {"angle": crank}, "rocker": {"angle": rocker + 0.1, "guess": ["angle"]}})
    (way,) = other_ways(assembly_of(scene))
    for name, here, there in (("coupler", coupler, other[0]), ("rocker", rocker, other[1])):
        assert way.turned[name] == pytest.approx(abs(math.remainder(there - here, 2.0 * math.pi)), abs=1e-6)
    says(str(gr.check(scene)), f"rocker turned by {math.degrees(way.turned['rocker']):.0f}°", "5.73° (rocker)")
    assert other_ways(assembly_of(four_bar({}))) == []  # with a crank that is free there is a continuum of them


def test_far_guesses_are_reported_by_runs() -> None:
    crank, (_, rocker) = 1.1, freudenstein(1.1, "open")
    near, far = (four_bar({"crank": {"angle": crank}, "rocker": {"angle": rocker + off, "guess": ["angle"]}})
                 for off in (0.5, 1.2))
    assert not warnings_of(gr.simulate(near, until=1e-3, interval=1e-3, progress=False))
    (warning,) = warnings_of(gr.simulate(far, until=1e-3, interval=1e-3, progress=False))
    says(warning, "rocker by 69°", "--picture")


# ---- axes

@pytest.mark.parametrize("way", ["newton-euler", "lagrange"])
def test_a_guess_does_not_change_an_axis(way: str) -> None:
    """The line of a slider in its first body, and the relative rotation of both, are those without any guess."""
    expected = closed_form()
    arms = {name: expected[name] for name in ("b1", "a2", "b2")}
    for guess in ({}, {"barrel": 1.2}, {"barrel": 1.9}, {"ram": 1.9}):
        found = coordinates(lift({**arms, **guess}), way)
        for name, angle in expected.items():
            assert math.remainder(found[f"{name}.angle"] - angle, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-11)


def test_an_axis_that_a_guess_would_decide_is_refused() -> None:
    expected = closed_form()
    guess = {name: angle for name, angle in expected.items() if name != "a1"}
    line = {"kind": "slider", "between": ("barrel", "ram"), "axis": (0.0, 2.0)}
    at_guess = math.sin(expected["barrel"]), math.cos(expected["barrel"])
    with refused(gr.SceneError, "constraint.bore", "barrel", 'axis_in = "body"',
                 f"axis = [{at_guess[0]:.12g}, {at_guess[1]:.12g}]"):
        gr.check(lift(guess, bore=line))


def test_an_axis_turns_with_a_body_whose_orientation_is_omitted() -> None:
    """The cylinder is described along x, and its angle omitted: the line is along the barrel wherever that is."""
    expected = closed_form()
    arms = {name: expected[name] for name in ("b1", "a2", "b2")}
    found = assembly_of(lift(arms, bore={"kind": "slider", "between": ("barrel", "ram"), "axis": (1.0, 0.0)}))
    assert abs(math.sin(found.bodies["barrel"].angle - expected["barrel"])) < ROUNDING


def test_reactions_follow_the_assembled_axis() -> None:
    """The force of a drive acts along the cylinder as assembled; so does the start of another run from its end."""
    expected = closed_form()
    guess = {name: expected[name] + 0.2 for name in ("b1", "a2", "b2", "barrel")}
    scene = lift(guess)
    scene = gr.Scene(**{**{key: getattr(scene, key) for key in ("body", "load", "start")}, "constraint": {
        **scene.constraint, "pump": {"kind": "drive", "joint": "bore", "motion": "0.2*t"}}})
    scene = scene.model_copy(update={"start": {**scene.start, "a1": gr.Start(angle=THETA + 0.1, guess=("angle",))}})
    run = gr.simulate(scene, until=0.2, interval=0.1, progress=False)
    force, angle = run.reaction("pump").force, run.angle("barrel")
    assert np.abs(force).max() > 1.0
    np.testing.assert_allclose(force[:, 0] * np.sin(angle), force[:, 1] * np.cos(angle), rtol=0, atol=1e-9)
    later = assembly_of(scene.start_from(run))
    assert later.bodies["barrel"].angle == pytest.approx(angle[-1], abs=1e-9)
    (joint,) = (joint for joint in later.joints if joint.name == "bore")
    assert joint.axis is not None
    np.testing.assert_allclose(joint.axis[:2], [math.cos(angle[-1]), math.sin(angle[-1])], rtol=0, atol=1e-9)


def test_axes_stay_in_bodies_among_grains() -> None:
    """A lever turns by 1 rad to meet a slider of a block: the line along the lever turns with it."""
    scene = gr.Scene(
        body={"pivot": {"kind": "fixed-point", "position": (0.0, 0.0)},
              "nail": {"kind": "fixed-point", "position": (math.cos(1.0), math.sin(1.0))},
              "lever": {"kind": "rod", "length": 0.4, "mass": 1.0},
              "block": {"kind": "rod", "length": 0.2, "mass": 1.0}},
        constraint={"hinge": {"kind": "hinge", "between": ("pivot", "lever.tail")},
                    "line": {"kind": "slider", "between": ("lever", "block"), "axis": (1.0, 0.0)},
                    "end": {"kind": "hinge", "between": ("nail", "block.head")}},
        start={"lever": {"angle": 0.8, "guess": ["angle"]}}, material={"m": {}},
        boundary={"floor": {"kind": "plane", "position": (0.0, -3.0), "normal": (0.0, 1.0)}})
    with refused(gr.SceneError, "constraint.line", 'axis_in = "body"'):
        gr.check(scene)
    line = scene.constraint["line"].model_copy(update={"axis_in": "body"})
    scene = scene.model_copy(update={"constraint": {**scene.constraint, "line": line}})
    run = gr.simulate(scene, until=1e-3, interval=1e-3, progress=False)
    assert run.angle("lever")[0] == pytest.approx(1.0, abs=1e-9)
    assert run.angle("block")[0] == pytest.approx(1.0, abs=1e-9)
    assert run.constraint_errors.relative.max() < 1e-9


# ---- studies

def rocker_start(run: gr.Run) -> float:
    """Angle of the rocker in the first frame [rad]."""
    return float(run.angle("rocker")[0])


def test_a_study_follows_the_branch_of_its_scene() -> None:
    """Crank angles through half a revolution, angles of the others omitted: all points close as the scene does."""
    base = four_bar({"crank": {"angle": 1.0}}, until=1e-3, interval=1e-3)
    way = "open" if assembly_of(base).bodies["rocker"].angle > 0.0 else "crossed"
    cranks = [1.0, -1.2, 0.1, 1.8, 2.6]
    table = gr.study(base, vary={"start.crank.angle": cranks}, measure={"rocker": rocker_start}, on="serial",
                     progress=False)
    for row, crank in zip(table.table, cranks, strict=True):
        assert row.status == "done"
        off = math.remainder(float(row.measures["rocker"]) - freudenstein(crank, way)[1], 2.0 * math.pi)
        assert off == pytest.approx(0.0, abs=1e-9)


def switched(x: float) -> gr.Scene:
    """A four-bar whose assembly changes at x = 0.5."""
    return four_bar({"crank": {"angle": 1.0 + 0.1 * x}}, assembly="open" if x < 0.5 else "crossed", until=1e-3,
                    interval=1e-3)


def test_a_study_reports_a_jump() -> None:
    table = gr.study(switched, vary={"x": [0.0, 0.4, 1.0]}, measure={"rocker": rocker_start}, on="serial",
                     progress=False).table
    assert [len(row.warnings) for row in table] == [0, 0, 1]
    says(table[2].warnings[0], "jumps at x = 0.5", "turns by")
    with refused(gr.SceneError, "constraint.O"):
        follow_branch(lambda part: four_bar({"crank": {"angle": 1.0, "position": (3.0, 3.0)}}))


def test_the_end_of_a_branch_is_reported() -> None:
    """Frames of 2.2 to 5 m: beyond 4.5 m the links cannot reach; at 3.4 m the crank at 180° cannot."""
    def reaching(x: float) -> gr.Scene:
        return four_bar({"crank": {"angle": 1.0 + math.pi * x}}, until=1e-3, interval=1e-3).vary(
            {"body.right.position": [2.2 + 4.0 * x * (1.0 - x), 0.0]})

    table = gr.study(reaching, vary={"x": [0.0, 1.0]}, measure={"rocker": rocker_start}, on="serial",
                     progress=False).table
    assert [row.status for row in table] == ["done", "done"]
    says(" ".join(table[1].warnings), "ends at x = ", "by itself")


# ---- pictures

def test_check_draws_the_assembly(tmp_path: Path) -> None:
    file = Path(__file__).parents[2] / "examples" / "scissor-lift.toml"
    done = granum("check", file, "--picture", "lift.png", folder=tmp_path)
    naming(done.stdout, "Largest rotation from a guess", "Drawn: lift.png", "bore runs along (1, 0)")
    assert (tmp_path / "lift.png").read_bytes().startswith(b"\x89PNG")
    refusal = granum("check", "lift.h5", "--picture", "lift.png", folder=tmp_path)
    assert refusal.returncode == 2
    says(refusal.stderr, "granum export lift.h5 --to png")
