"""A simulation is read and changed in one way, whatever solves it: one scene by all that accept it, method by method.

The same names, types, shapes and signs everywhere, the same values where the physics is the same, and refusals in the
same words. Bounds: integrators with a tolerance agree to `CLOSE`; `moreau` is of first order in its step, over the
times, forces and speeds of these scenes, which are of order one second, twenty newtons and one metre per second.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import FLOOR, G, grain, gravity, scene
from mechanisms import four_bar, slider_crank

STEP, CLOSE, FIRST_ORDER = 2e-4, 1e-7, 0.05
NAIL = {"kind": "fixed-point", "position": [0.0, 0.0]}
POINT = {"kind": "point-mass", "mass": 2.0}
DISK = {"kind": "disk", "radius": 0.1, "mass": 2.0}
FORMULAS = ("fundamental", "lagrange", "gibbs-appell", "virtual-work", "scalar")
GRAIN_SOLVERS = ("moreau", "soft", "unilateral", "events")


def pendulum(bob: dict[str, Any]) -> gr.Scene:
    """A mass on a link."""
    return gr.Scene(body={"nail": NAIL, "bob": bob}, link={"wire": {"between": ["nail", "bob"]}},
                    start={"bob": {"position": [0.6, -0.8], "velocity": [0.4, 0.3]}},
                    load={"gravity": gravity(0.0, -G)})


def rod(**more: Any) -> gr.Scene:
    """A rod on a hinge."""
    return gr.Scene(body={"nail": NAIL, "rod": {"kind": "rod", "length": 1.2, "mass": 2.0}},
                    constraint={"pin": {"kind": "hinge", "between": ["nail", "rod.tail"]}, **more},
                    start={"rod": {"angle": -0.4, "angular_velocity": 0.5}}, load={"gravity": gravity(0.0, -G)})


def block() -> gr.Scene:
    """A block on a ball joint, in 3-D."""
    return gr.Scene(
        body={"nail": {"kind": "fixed-point", "position": [0.0, 0.0, 0.0]},
              "block": {"kind": "block", "size": [0.4, 0.2, 0.1], "mass": 2.0, "points": {"corner": [0.2, 0.1, 0.05]}}},
        constraint={"ball": {"kind": "ball-joint", "between": ["nail", "block.corner"]}},
        start={"block": {"position": [-0.2, -0.1, -0.05], "angular_velocity": [0.3, -0.2, 0.4]}},
        load={"gravity": gravity(0.0, 0.0, -G)})


SCENES: dict[str, tuple[Callable[[], gr.Scene], tuple[str, ...]]] = {
    "point on a link": (lambda: pendulum(POINT), ("newton-euler", *FORMULAS, "moreau")),
    "disk on a link": (lambda: pendulum(DISK), ("newton-euler", *FORMULAS, "moreau")),
    "rod": (rod, ("newton-euler", *FORMULAS, "moreau")),
    "driven rod": (lambda: rod(motor={"kind": "drive", "joint": "pin", "motion": "0.5*t"}),
                   ("newton-euler", "fundamental", "moreau")),
    "slider-crank": (lambda: slider_crank(0.2, 0.5, 1.0), ("newton-euler", "fundamental", "moreau")),
    "block": (block, ("newton-euler", "fundamental", "moreau")),
    "redundant four-bar": (lambda: four_bar(True), ("newton-euler", "fundamental", "moreau")),
}
"""Scenes, and what runs them; newton-euler is what the others are compared with."""
ALL = [(name, way) for name, (_, ways) in SCENES.items() for way in ways[1:]]


def begun(name: str, way: str) -> gr.Simulation:
    """A scene by a formulation, or a solver of contacts."""
    settings: dict[str, Any] = {"solver": way, "step": STEP} if way == "moreau" else {
        "formulation": way, "tolerance": 1e-11}
    return gr.Simulation(SCENES[name][0](), until=0.1, interval=0.05, **settings)


@cache
def after(name: str, way: str) -> gr.Simulation:
    """The same after 0.1 s; read only."""
    sim = begun(name, way)
    sim.step(0.1)
    return sim


def bound(way: str) -> float:
    """Of differences to newton-euler, in SI units."""
    return FIRST_ORDER if way == "moreau" else CLOSE


def same(found: Any, expected: Any, way: str, what: str) -> None:
    """Of one type and shape, and of one value within the accuracy of the solver."""
    assert type(found) is type(expected), (way, what, found, expected)
    if expected is not None:
        assert np.shape(found) == np.shape(expected), (way, what)
        assert np.abs(np.asarray(found) - np.asarray(expected)).max(initial=0.0) < bound(way), (way, what, found)


def refusal(call: Callable[[], Any]) -> str:
    """The words in which a call is refused."""
    with pytest.raises(gr.GranumError) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize(("name", "way"), ALL)
def test_bodies_are_listed_and_read_alike(name: str, way: str) -> None:
    one, other = after(name, way), after(name, "newton-euler")
    assert list(one.bodies) == list(other.bodies) == list(one.run.body_names) == list(one.scene.body)
    for body in other.bodies:
        for key, expected in other.body(body)._asdict().items():
            same(getattr(one.body(body), key), expected, way, f"{key} of {body}")
        assert one.run.has_orientation(body) == other.run.has_orientation(body) == (
            other.body(body).angular_velocity is not None)
        same(one.value(f"{body}.x"), other.value(f"{body}.x"), way, f"{body}.x")


@pytest.mark.parametrize(("name", "way"), ALL)
def test_reactions_have_the_same_names_and_values(name: str, way: str) -> None:
    """While it runs and as recorded; those that are not unique have the least norm everywhere."""
    one, other = after(name, way), after(name, "newton-euler")
    for owner in (*other.scene.link, *other.scene.constraint):
        found, expected = one.reaction(owner), other.reaction(owner)
        assert list(found) == list(expected), (way, owner)
        for key, value in expected.items():
            same(found[key], value, way, key)
        recorded, reference = one.run.reaction(owner), other.run.reaction(owner)
        assert list(recorded.components) == list(reference.components)
        assert [column[-1] for column in recorded.components.values()] == pytest.approx(list(found.values()), abs=1e-12)
        same(recorded.force, reference.force, way, f"force of {owner}")
        same(recorded.moment, reference.moment, way, f"moment of {owner}")
        assert recorded.determined is not None and reference.determined is not None and recorded.unique is not None
        assert recorded.determined.keys() == recorded.components.keys()
        for key, flags in reference.determined.items():
            assert (recorded.determined[key] == flags).all(), (way, owner, key)
    assert one.not_unique == other.not_unique
    assert one.run.not_unique == other.run.not_unique
    assert list(one.run.link_names) == list(other.run.link_names) and one.run.joint_names == other.run.joint_names
    assert one.run.tensions.shape == other.run.tensions.shape


@pytest.mark.parametrize(("name", "way"), ALL)
def test_joints_and_energies_are_read_alike(name: str, way: str) -> None:
    one, other = after(name, way), after(name, "newton-euler")
    for joint, entry in other.scene.constraint.items():
        if entry.kind in ("hinge", "slider"):
            found, expected = one.joint(joint), other.joint(joint)
            assert found.kind == expected.kind
            same(found.value, expected.value, way, joint)
            same(found.rate, expected.rate, way, joint)
            same(one.value(f"{joint}.rate"), expected.rate, way, joint)
    works = [key for key in other.energy if not key.startswith("corrected")]
    assert set(works) <= set(one.energy), way
    for key in works:
        same(one.energy[key], other.energy[key], way, key)
    assert {key: float(column[-1]) for key, column in one.run.energy.work.items()} == {
        key.removeprefix("work "): value for key, value in one.energy.items() if key.startswith("work ")}


CALLS: dict[str, Callable[[gr.Simulation], Any]] = {
    "unknown body": lambda sim: sim.body("nobody"),
    "unknown reaction": lambda sim: sim.reaction("nothing"),
    "unknown joint": lambda sim: sim.joint("nothing"),
    "unknown flow probe": lambda sim: sim.passed("nothing"),
    "force on a fixed point": lambda sim: sim.apply("nail", force=(1.0, 0.0)),
    "force on nobody": lambda sim: sim.apply("nobody", force=(1.0, 0.0)),
    "state of a fixed point": lambda sim: sim.set_body("nail", position=(1.0, 0.0)),
    "state of nobody": lambda sim: sim.set_body("nobody", position=(1.0, 0.0)),
    "unknown quantity": lambda sim: sim.value("nobody.x"),
}


@pytest.mark.parametrize("name", ["point on a link", "rod"])
def test_what_is_not_there_is_refused_in_the_same_words(name: str) -> None:
    told = {way: {what: refusal(lambda way=way, call=call: call(after(name, way)))  # type: ignore[misc]
                  for what, call in CALLS.items()} for way in SCENES[name][1]}
    for way, words in told.items():
        assert words == told["newton-euler"], way
    assert '"nail"' in told["moreau"]["force on a fixed point"] and "fixed point" in told["moreau"][
        "state of a fixed point"]


@pytest.mark.parametrize("name", ["point on a link", "disk on a link"])
def test_a_state_that_a_link_does_not_allow_is_refused_and_changes_nothing(name: str) -> None:
    """Among grains bodies of joints are not moved at all; elsewhere the link is named, with its error."""
    told = set()
    for way in SCENES[name][1]:
        sim = begun(name, way)
        before = sim.body("bob")
        words = refusal(lambda sim=sim: sim.set_body("bob", position=(0.0, -0.5)))  # type: ignore[misc]
        assert "wire" in words
        if way != "moreau":
            told.add(words)
        now = sim.body("bob")
        assert (now.position == before.position).all() and (now.velocity == before.velocity).all()
        assert sim.energy["work applied"] == 0.0
    assert len(told) == 1, told


@pytest.mark.parametrize("name", ["point on a link", "disk on a link"])
def test_a_point_of_a_link_is_not_taken_out(name: str) -> None:
    """Neither silently, nor with words about a sink that nobody has."""
    for way in SCENES[name][1]:
        words = refusal(lambda way=way: after(name, way).remove("bob"))  # type: ignore[misc]
        assert "sink" not in words
        assert ("wire" in words) == (way == "moreau")


@pytest.mark.parametrize("name", ["point on a link", "disk on a link", "rod"])
def test_applied_forces_do_the_same_work(name: str) -> None:
    found = {}
    for way in SCENES[name][1]:
        sim = begun(name, way)
        body = sim.bodies[-1]
        sim.apply(body, force=(3.0, 9.0))
        sim.step(0.1)
        found[way] = sim.body(body).position, sim.energy["work applied"]
    for way, (position, work) in found.items():
        same(position, found["newton-euler"][0], way, "position")
        same(work, found["newton-euler"][1], way, "work")
    assert found["newton-euler"][1] > 0.01


@pytest.mark.parametrize(("name", "way"), [
    *((name, way) for name in ("point on a link", "disk on a link") for way in ("newton-euler", *FORMULAS[:4])),
    *(("ball", solver) for solver in GRAIN_SOLVERS)])
def test_energy_of_a_state_that_is_set_is_work_of_applied(name: str, way: str) -> None:
    """A body that gets another speed v: ½ m v² more, booked under one name everywhere, and the balance closes."""
    sim = ball(way) if name == "ball" else begun(name, way)
    body, before = sim.bodies[-1], sim.energy
    sim.set_body(body, velocity=(0.8, 0.6))
    now = sim.energy
    gained = 0.5 * 2.0 * 1.0 - before["kinetic"]
    assert now["kinetic"] - before["kinetic"] == pytest.approx(gained, rel=1e-9)
    assert now["work applied"] == pytest.approx(gained, rel=1e-9)
    assert all(now[key] == pytest.approx(before[key], abs=1e-12) for key in now if key not in (
        "kinetic", "work applied"))
    kept = sim.snapshot()
    sim.step(0.01)
    later = sim.energy
    sim.restore(kept)
    assert sim.energy == now
    sim.step(0.01)
    assert sim.energy == later and later["work applied"] == pytest.approx(gained, rel=1e-9)


def ball(solver: str) -> gr.Simulation:
    """A ball above a floor."""
    made = scene({"ball": grain((0.0, 0.4), mass=2.0)}, material={"restitution": 0.5})
    return gr.Simulation(made, until=0.6, interval=0.05, solver=solver, step=None if solver == "events" else STEP)


def test_solvers_of_contacts_are_read_alike() -> None:
    """A ball that falls by h = 0.3 m onto a floor, in the air and on it."""
    found = {}
    for solver in GRAIN_SOLVERS:
        sim = ball(solver)
        sim.step(0.1)
        found[solver] = sim
        assert list(sim.bodies) == list(sim.run.body_names) == ["ball"]
        assert sim.contacts == [] and sim.contact_force("floor").tolist() == [0.0, 0.0]
        assert sim.not_unique == ()
    falls = found["moreau"].body("ball")
    for solver, sim in found.items():
        state = sim.body("ball")
        assert state.position == pytest.approx([0.0, 0.4 - 0.5 * G * 0.1**2], abs=2.0 * STEP)
        assert [type(one) for one in state] == [type(one) for one in falls], solver
        assert {key for key in sim.energy if "work" not in key} == {"kinetic", "potential"}
        assert sim.energy["work gravity"] == pytest.approx(0.5 * 2.0 * (G * 0.1) ** 2, rel=0.01)
        assert sim.energy["work applied"] == 0.0
    words = {refusal(lambda sim=sim: sim.reaction("floor")) for sim in found.values()}  # type: ignore[misc]
    assert len(words) == 1
    words = {refusal(lambda sim=sim: sim.body("nobody")) for sim in found.values()}  # type: ignore[misc]
    assert words == {refusal(lambda: after("rod", "newton-euler").body("nobody")).replace("nail, rod", "ball")}


def test_a_grain_keeps_its_name_when_others_leave_and_enter() -> None:
    """The same in the list of bodies, among the contacts and in the run; restoring a snapshot takes names back."""
    sim = gr.Simulation(gr.Scene(
        material={"stone": {"density": 1000.0, "restitution": 0.0}}, boundary={"floor": FLOOR},
        pattern={"bead": {"kind": "grains", "radius": 0.1, "positions": ((0.0, 0.1), (1.0, 0.1), (2.0, 0.1))}},
        load={"gravity": gravity(0.0, -G)}), until=0.1, interval=0.01, solver="moreau", step=1e-3, room=4)
    sim.step(0.01)
    sim.remove("bead-1")
    kept = sim.snapshot()
    assert sim.add("bead", [(9.0, 0.1)], 0.1) == ["bead-4"]
    sim.restore(kept)
    assert sim.add("bead", [(4.0, 0.1), (5.0, 0.1)], 0.1) == ["bead-4", "bead-5"]
    sim.step(0.02)
    places = {"bead-2": 1.0, "bead-3": 2.0, "bead-4": 4.0, "bead-5": 5.0}
    assert {name: round(float(sim.body(name).position[0]), 9) for name in sim.bodies} == places
    assert {one for contact in sim.contacts for one in contact.names} == {*places, "floor"}
    assert {name: round(float(sim.run.position(name)[-1, 0]), 9) for name in places} == places
    assert "bead-1" in refusal(lambda: sim.body("bead-1"))
    sim.remove("bead-5")
    sim.step(0.01)
    assert sim.branch().add("bead", [(9.0, 0.1)], 0.1) == sim.add("bead", [(9.0, 0.1)], 0.1) == ["bead-6"]
