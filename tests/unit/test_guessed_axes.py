"""A guess never changes a mechanism: axes and relative rotations are those in the bodies, whatever is guessed.

Loops lie in a plane that is tilted in 3-D, and the axes of each body are rotated against its shape, so that no axis is
the same in two bodies or in inertial axes. Orientations have closed forms.
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from test_initial_configuration import A, B, C, D, freudenstein

import granum as gr
from granum.assembly.assembly import Assembly, assembly_of
from granum.base.kernels import Floats
from granum.base.rotations import quaternion_of, rotation_of
from messages import refused

CRANK = 1.1
"""Given angle of the crank [rad]."""
ACCURATE = 1e-11
"""Orientations follow from points that meet to 1e-15 m of 2 m and directions to 1e-15; loops lose three digits."""
KINDS = [("hinge", 2), ("glue", 2), ("slider", 2), ("hinge", 3), ("glue", 3), ("slider", 3), ("cylinder", 3)]


def turn(vector: Floats) -> Floats:
    """The rotation by a vector [rad]."""
    angle = float(np.linalg.norm(vector))
    return rotation_of((math.cos(0.5 * angle), *(0.5 * np.sinc(0.5 * angle / math.pi) * vector)))


def about_z(angle: float) -> Floats:
    """A rotation in the plane."""
    return turn(np.array([0.0, 0.0, angle]))


class Loop:
    """A closed loop of a given crank and bodies whose orientation is known, to be guessed.

    Four-bar (hinge; glue: its coupler consists of two halves), or a crank on a telescope (slider, cylinder).
    """

    def __init__(self, kind: str, dimension: int) -> None:
        self.kind, self.dimension = kind, dimension
        rng = np.random.default_rng(5)
        self.plane = turn(np.array([0.5, -0.3, 0.4])) if dimension == 3 else np.eye(3)
        tip = A * np.array([math.cos(CRANK), math.sin(CRANK)])
        if kind in ("hinge", "glue"):
            coupler, rocker = freudenstein(CRANK, "open")
            middle = {"coupler": coupler} if kind == "hinge" else {"half": coupler, "other": coupler}
            angles = {"crank": CRANK, **middle, "rocker": rocker}
        else:
            strut = math.atan2(tip[1], tip[0] - D)
            angles = {"crank": CRANK, "barrel": strut, "ram": strut}
        skew = {name: turn(rng.uniform(-1.0, 1.0, 3)) if dimension == 3 else about_z(rng.uniform(-1.0, 1.0))
                for name in angles}
        self.skew = skew
        """From axes of the body to axes along its shape: x along it, z across the plane."""
        self.rotation = {name: self.plane @ about_z(angle) @ skew[name] for name, angle in angles.items()}
        self.guessed = [name for name in angles if name != "crank"]

    def given(self, vector: Floats) -> tuple[float, ...]:
        """A vector of the scene, or of a body."""
        return tuple(vector[: self.dimension].tolist())

    def own(self, name: str, *shape: float) -> tuple[float, ...]:
        """A vector along the shape of a body, in the axes of the body."""
        return self.given(self.skew[name].T @ np.array([*shape, 0.0, 0.0])[:3])

    def body(self, name: str, length: float) -> dict[str, Any]:
        """A body with a head and a tail."""
        inertia = self.skew[name].T @ np.diag([0.02, 0.1, 0.11]) @ self.skew[name]
        return {"kind": "rigid-body", "mass": 1.0, "inertia": inertia.tolist() if self.dimension == 3 else 0.11,
                "points": {"tail": self.own(name, -0.5 * length), "head": self.own(name, 0.5 * length)}}

    def hinge(self, one: str, two: str) -> dict[str, Any]:
        """A hinge across the plane, in the axes of the bodies that are guessed."""
        entry: dict[str, Any] = {"kind": "hinge", "between": (one, two)}
        if self.dimension == 3:
            first, second = (end.partition(".")[0] for end in (one, two))
            entry["second_axis"] = self.own(second, 0.0, 0.0, 1.0)
            entry |= {"axis": self.given(self.plane[:, 2])} if first not in self.guessed else {
                "axis": self.own(first, 0.0, 0.0, 1.0), "axis_in": "body"}
        return entry

    def relative(self, one: str, two: str) -> dict[str, Any]:
        """The relative rotation of two bodies whose shapes are parallel."""
        R = self.skew[one].T @ self.skew[two]
        return {"relative_angle": math.atan2(R[1, 0], R[0, 0])} if self.dimension == 2 else {
            "relative_orientation": tuple(quaternion_of(R).tolist())}

    def scene(self, guess: dict[str, Floats] | None = None, **more: Any) -> gr.Scene:
        """Of orientations that are guessed; left out, all are given."""
        fixed = {name: {"kind": "fixed-point", "position": self.given(self.plane @ np.array([x, 0.0, 0.0]))}
                 for name, x in (("left", 0.0), ("right", D))}
        joints = {"O": self.hinge("left", "crank.tail")}
        if self.kind == "hinge":
            lengths = {"crank": A, "coupler": B, "rocker": C}
            joints |= {"A": self.hinge("crank.head", "coupler.tail"), "B": self.hinge("coupler.head", "rocker.head"),
                       "D": self.hinge("right", "rocker.tail")}
        elif self.kind == "glue":
            lengths = {"crank": A, "half": 0.5 * B, "other": 0.5 * B, "rocker": C}
            joints |= {"A": self.hinge("crank.head", "half.tail"), "B": self.hinge("other.head", "rocker.head"),
                       "D": self.hinge("right", "rocker.tail"),
                       "seam": {"kind": "glue", "between": ("half.head", "other.tail"),
                                **self.relative("half", "other")}}
        else:
            lengths = {"crank": A, "barrel": 1.0, "ram": 0.8}
            line: dict[str, Any] = {"kind": "slider", "between": ("barrel", "ram"), "axis": self.own("barrel", 1.0),
                                    "axis_in": "body"}
            line |= self.relative("barrel", "ram") if self.kind == "slider" else {
                "rotation": True, "second_axis": self.own("ram", 1.0)}
            joints |= {"A": self.hinge("crank.head", "ram.head"), "B": self.hinge("right", "barrel.tail"),
                       "line": line}
        start: dict[str, Any] = {}
        for name, R in self.rotation.items():
            shown = R if guess is None or name == "crank" else guess[name]
            start[name] = {"angle": math.atan2(shown[1, 0], shown[0, 0])} if self.dimension == 2 else {
                "orientation": tuple(quaternion_of(shown).tolist())}
            if name != "crank" and guess is not None:
                start[name]["guess"] = tuple(start[name])
        return gr.Scene(
            body={**fixed, **{name: self.body(name, length) for name, length in lengths.items()}}, constraint=joints,
            start=start, load={"gravity": {"kind": "gravity", "acceleration": self.given(
                self.plane @ np.array([0.0, -9.81, 0.0]))}}, **more)

    def off(self, largest: float, seed: int) -> dict[str, Floats]:
        """Guesses that are rotated by as much as `largest` [rad] about any axis; in 2-D about z."""
        rng = np.random.default_rng(seed)
        guess = {}
        for name in self.guessed:
            axis = rng.normal(size=3) if self.dimension == 3 else np.array([0.0, 0.0, rng.choice([-1.0, 1.0])])
            guess[name] = turn(largest * axis / np.linalg.norm(axis)) @ self.rotation[name]
        return guess


def largest_error(found: Assembly, loop: Loop) -> float:
    """Of the orientations."""
    return max(float(np.abs(found.bodies[name].rotation - R).max()) for name, R in loop.rotation.items())


@pytest.mark.parametrize(("kind", "dimension"), KINDS)
@pytest.mark.parametrize("degrees", [2.0, 10.0, 25.0])
def test_guesses_leave_the_mechanism_as_it_is(kind: str, dimension: int, degrees: float) -> None:
    """All bodies but the crank are guessed as much as 25° off, each about another axis: orientations, and with them all
    axes in the bodies, are those of the closed form.
    """
    loop = Loop(kind, dimension)
    for seed in range(4):
        found = assembly_of(loop.scene(loop.off(math.radians(degrees), seed)))
        assert largest_error(found, loop) < ACCURATE
        for joint in found.joints:
            for one, two in joint.same:
                R1, R2 = joint.one.body.rotation, joint.two.body.rotation
                np.testing.assert_allclose(R1 @ one, R2 @ two, rtol=0, atol=ACCURATE)
            if joint.kind == "hinge" and dimension == 3:
                assert joint.axis is not None
                np.testing.assert_allclose(joint.axis, loop.plane[:, 2], rtol=0, atol=ACCURATE)
        if kind in ("slider", "cylinder"):
            (line,) = (joint for joint in found.joints if joint.name == "line")
            assert line.axis is not None
            np.testing.assert_allclose(line.one.body.carried(line.axis)[:dimension], loop.own("barrel", 1.0), rtol=0,
                                       atol=ACCURATE)


@pytest.mark.parametrize(("kind", "dimension"), KINDS)
def test_guesses_leave_the_motion_as_it_is(kind: str, dimension: int) -> None:
    """The loop falls as with orientations that are given exactly; a run goes on from a frame as without a stop."""
    loop, run = Loop(kind, dimension), {"run": {"until": 0.4, "interval": 0.1}}
    exact = gr.simulate(loop.scene(**run), progress=False)
    scene = loop.scene(loop.off(0.4, 1), **run)
    near = gr.simulate(scene, progress=False)
    np.testing.assert_allclose(near.positions, exact.positions, rtol=0, atol=1e-8)
    later = gr.simulate(scene.start_from(near, 2), until=0.2, progress=False)
    np.testing.assert_allclose(later.positions[-1], near.positions[-1], rtol=0, atol=1e-7)


def test_a_hinge_closes_with_its_axes_the_same_way() -> None:
    """An arm that is guessed upside down is turned over; its axis does not point the other way."""
    axis = np.array([0.6, 0.0, 0.8])
    for angle in (0.5, 1.5, 2.5, 3.0, math.pi):
        guess = tuple(quaternion_of(turn(np.array([angle, 0.0, 0.0]))).tolist())
        scene = gr.Scene(
            body={"post": {"kind": "fixed-point", "position": (0.0, 0.0, 0.0)},
                  "arm": {"kind": "block", "size": (1.0, 0.1, 0.1), "mass": 1.0}},
            start={"arm": {"position": (0.0, 0.0, 0.0), "orientation": guess, "guess": ["orientation"]}},
            constraint={"pin": {"kind": "hinge", "between": ("post", "arm"), "axis": (0.0, 0.0, 1.0),
                                "second_axis": tuple(axis.tolist())}})
        np.testing.assert_allclose(assembly_of(scene).bodies["arm"].rotation @ axis, [0.0, 0.0, 1.0], rtol=0, atol=1e-9)
        held = scene.model_copy(update={"start": {"arm": gr.Start(position=(0.0, 0.0, 0.0), orientation=(
            0.0, math.sqrt(0.1), 0.0, math.sqrt(0.9)))}})
    down = gr.Start(position=(0.0, 0.0, 0.0), orientation=(0.0, 1.0, 0.0, 0.0))
    pin = gr.Hinge(between=("post", "arm"), axis=(0, 0, 1), second_axis=(0, 0, 1))
    with refused(gr.SceneError, "constraint.pin", "start.arm.orientation"):
        gr.check(held.model_copy(update={"start": {"arm": down}, "constraint": {"pin": pin}}))


def drop(scene: gr.Scene, name: str, **values: Any) -> gr.Scene:
    """A scene with other values of a constraint."""
    entry = scene.constraint[name].model_copy(update=values)
    return scene.model_copy(update={"constraint": {**scene.constraint, name: entry}})


@pytest.mark.parametrize(("kind", "dimension", "name", "key"), [
    ("hinge", 3, "A", "second_axis"), ("hinge", 3, "D", "second_axis"), ("hinge", 3, "B", "second_axis"),
    ("cylinder", 3, "line", "second_axis"), ("slider", 3, "line", "relative_orientation"),
    ("glue", 3, "seam", "relative_orientation"), ("slider", 2, "line", "relative_angle"),
    ("glue", 2, "seam", "relative_angle")])
def test_what_a_guess_would_decide_is_refused(kind: str, dimension: int, name: str, key: str) -> None:
    """The remedy is what the guess says: at the exact orientations it is the mechanism itself."""
    loop = Loop(kind, dimension)
    whole = loop.scene(loop.rotation)
    lacking = drop(whole, name, **{key: None})
    with refused(gr.SceneError, f"constraint.{name}", key):
        gr.check(lacking)
    with pytest.raises(gr.SceneError) as error:
        gr.check(lacking)
    found = re.search(rf"{key} = (\[[^]]*\]|[-+.e0-9]+)", str(error.value))
    assert found is not None
    remedy = tuple(map(float, found[1].strip("[]").split(", "))) if "[" in found[1] else float(found[1])
    assert largest_error(assembly_of(drop(whole, name, **{key: remedy})), loop) < ACCURATE


def test_an_axis_of_the_scene_in_a_guessed_body_is_refused() -> None:
    """Between two guessed bodies the remedy names both axes."""
    loop = Loop("hinge", 3)
    scene = drop(loop.scene(loop.rotation), "B", axis=loop.given(loop.plane[:, 2]), axis_in="scene", second_axis=None)
    with refused(gr.SceneError, "constraint.B", 'axis_in = "body"', "second_axis"):
        gr.check(scene)


@pytest.mark.parametrize("start", [
    {"orientation": (math.cos(0.5), 0.0, 0.0, math.sin(0.5)), "guess": ["orientation"]},
    {"orientation": (math.cos(0.05), math.sin(0.05), 0.0, 0.0)}, {}])
def test_an_axis_that_no_guess_decides_is_as_given(start: dict[str, Any]) -> None:
    """About the axis itself a guess decides nothing; neither does an orientation that is given or left out."""
    scene = gr.Scene(
        body={"post": {"kind": "fixed-point", "position": (0.0, 0.0, 0.0)},
              "arm": {"kind": "block", "size": (1.0, 0.1, 0.1), "mass": 1.0}},
        start={"arm": {"position": (0.0, 0.0, 0.0), **start}},
        constraint={"pin": {"kind": "hinge", "between": ("post", "arm"), "axis": (0.0, 0.0, 1.0)}})
    (pin,) = assembly_of(scene).joints
    given = rotation_of(start["orientation"]) if "orientation" in start else np.eye(3)
    np.testing.assert_allclose(pin.same[0][1], given.T @ [0.0, 0.0, 1.0], rtol=0, atol=1e-15)


@pytest.mark.parametrize(("entry", "dimension", "key"), [
    ({"kind": "glue", "relative_angle": 0.1}, 3, "relative_angle"),
    ({"kind": "glue", "relative_orientation": (1.0, 0.0, 0.0, 0.0)}, 2, "relative_orientation"),
    ({"kind": "hinge", "second_axis": (0.0, 0.0, 1.0)}, 2, "second_axis")])
def test_keys_of_the_other_dimension_are_refused(entry: dict[str, Any], dimension: int, key: str) -> None:
    axis = {"axis": (0.0, 0.0, 1.0)} if entry["kind"] == "hinge" else {}
    scene = gr.Scene(body={name: {"kind": "block", "size": (0.1,) * dimension, "mass": 1.0} for name in "ab"},
                     start={name: {"position": (0.0,) * dimension} for name in "ab"},
                     constraint={"pin": {"between": ("a", "b"), **axis, **entry}})
    with refused(gr.SceneError, "constraint.pin", key):
        gr.check(scene)


@pytest.mark.parametrize("entry", [{"rotation": True, "relative_angle": 0.1}, {"second_axis": (0.0, 0.0, 1.0)}])
def test_keys_of_other_sliders_are_refused(entry: dict[str, Any]) -> None:
    with refused(gr.SceneError, next(key for key in entry if key != "rotation")):
        gr.Scene(constraint={"line": {"kind": "slider", "between": ("a", "b"), "axis": (1.0, 0.0), **entry}})
