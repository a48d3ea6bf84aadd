"""One Run for every formulation and solver: the same scene by all that accept it, compared through one interface.

Bounds: integrators with a tolerance agree to `CLOSE`, some thousand steps of that tolerance. A solver with a fixed step
h is of first order at least: each quantity is as it would be within one step of the frame, h times its largest rate.
Impulses of a step are given as its mean force, so that holds for reactions too.
"""

from __future__ import annotations

import inspect
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import G, grain, scene
from granum.base.choices import FORMULATIONS, GRAIN_SOLVERS
from granum.base.choices import SOLVERS as LINK_SOLVERS
from granum.base.kernels import Floats
from granum.run.summary import count_in_words
from mechanisms import GRAVITY, four_bar, pendulum_of_rods
from messages import naming, refused, says

SOLVERS = [*LINK_SOLVERS, *GRAIN_SOLVERS]
BY_FORMULAS = ("lagrange", "fundamental", "gibbs-appell", "virtual-work")
EXACT = ("newton-euler", "dop853")
MECHANISM = {*product(("newton-euler", *BY_FORMULAS), ("dop853", "radau")), ("newton-euler", "moreau")}
TOLERANCE, CLOSE = 1e-11, 1e-7
STEP, UNTIL, INTERVAL = 5e-4, 0.5, 0.02
LENGTH, MASS, ANGLE = 1.2, 2.0, -0.4


def hinged_rod(spatial: bool) -> gr.Scene:
    """A rod on a hinge, in 3-D about an inclined axis, so that the hinge bears a moment; cut in two by a probe."""
    if not spatial:
        flat = pendulum_of_rods([LENGTH], [MASS], [ANGLE])
        return flat.model_copy(update={"constraint": {"hinge": flat.constraint["hinge-1"]}})
    return gr.Scene(
        body={"pivot": {"kind": "fixed-point", "position": (0.1, 0.2, 0.3)},
              "rod-1": {"kind": "rod", "length": LENGTH, "mass": MASS, "radius": 0.05}},
        constraint={"hinge": {"kind": "hinge", "between": ("pivot", "rod-1.tail"), "axis": (0.2, 1.0, 0.5)}},
        start={"rod-1": {"angular_velocity": (0.1, 0.5, 0.25)}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, 0.0, -GRAVITY)}})


MECHANISMS = {
    "rod": lambda: hinged_rod(False),
    "rod in 3-D": lambda: hinged_rod(True),
    "double pendulum": lambda: pendulum_of_rods([1.0, 0.7], [2.0, 1.0], [-0.5, -1.0]),
    "four-bar": lambda: four_bar(False),
    "four-bar in 3-D": lambda: four_bar(True),
}


def accepting(name: str) -> set[tuple[str, str]]:
    """What runs a mechanism; scalar takes hinges in 2-D."""
    return MECHANISM if name.endswith("3-D") else MECHANISM | {("scalar", "dop853"), ("scalar", "radau")}


def ball(restitution: float) -> gr.Scene:
    """A ball above a floor."""
    return scene({"ball": grain((0.0, 0.3), radius=0.1, mass=MASS)}, material={"restitution": restitution})


@cache
def run_of(name: str, formulation: str, solver: str) -> gr.Run:
    """A mechanism by one formulation and solver."""
    settings: dict[str, Any] = {"step": STEP} if solver == "moreau" else {"tolerance": TOLERANCE}
    return gr.simulate(MECHANISMS[name](), formulation=formulation, solver=solver, until=UNTIL, interval=INTERVAL,
                       **settings)


def refusal(subject: gr.Scene, formulation: str, solver: str) -> gr.SceneError | None:
    """The refusal of a formulation with a solver, if it is refused."""
    try:
        gr.simulate(subject, formulation=formulation, solver=solver, until=0.01)
    except gr.SceneError as error:
        return error
    return None


@pytest.mark.parametrize(("name", "accepted"), [
    *((name, accepting(name)) for name in MECHANISMS),
    ("ball", {("newton-euler", solver) for solver in ("moreau", "soft", "events", "unilateral")}),
])
def test_all_others_are_refused_by_name(name: str, accepted: set[tuple[str, str]]) -> None:
    """What does not run a scene names the setting it is refused for, or the entry that the solver does not support."""
    subject = ball(0.5) if name == "ball" else MECHANISMS[name]()
    told: dict[str, None] = {}
    for way in product(FORMULATIONS, SOLVERS):
        error = refusal(subject, *way)
        assert (error is None) == (way in accepted), (way, error)
        if error is not None:
            for problem in error.problems:
                if problem.place not in ("run", "run.formulation", "run.solver"):
                    naming(problem.finding, f'solver "{way[1]}"')
                    told[problem.finding] = None
            assert any(word in str(error) for word in way), (way, error)
    if told:
        says("\n".join(told))


def largest_rate(values: Floats) -> float:
    """Of a quantity over the frames."""
    return float(np.abs(np.gradient(values, INTERVAL, axis=0)).max())


def assert_same(way: tuple[str, str], found: Floats, expected: Floats, what: str, first: int = 0) -> None:
    """Equal to the order or tolerance of the solver, and of the same shape."""
    assert found.shape == expected.shape, (what, found.shape, expected.shape)
    scale = max(1.0, float(np.abs(expected).max()))
    bound = max(STEP * largest_rate(expected), 1e-9 * scale) if way[1] == "moreau" else CLOSE * scale
    assert np.abs(found - expected)[first:].max() < bound, (way, what)


ALL = [(name, *way) for name in MECHANISMS for way in sorted(accepting(name) - {EXACT})]


@pytest.mark.parametrize(("name", "formulation", "solver"), ALL)
def test_motion_and_reactions_agree(name: str, formulation: str, solver: str) -> None:
    way, run, exact = (formulation, solver), run_of(name, formulation, solver), run_of(name, *EXACT)
    assert list(run.body_names) == list(exact.body_names) == list(exact.scene.body)
    assert run.fixed_count == exact.fixed_count
    assert run.joint_names == exact.joint_names and not len(run.link_names)
    for body in run.body_names:
        for ends in (body, f"{body}.head") if body in exact.scene.start else (body,):
            assert_same(way, run.position(ends), exact.position(ends), f"position of {ends}")
            assert_same(way, run.velocity(ends), exact.velocity(ends), f"velocity of {ends}")
        k, j = run.body_names.find(body), exact.body_names.find(body)
        assert_same(way, run.positions[:, k], exact.positions[:, j], "positions")
        assert_same(way, run.velocities[:, k], exact.velocities[:, j], "velocities")
    for body in exact.scene.start:
        assert run.orientation(body).shape == (len(run.t), 4)
        assert_same(way, run.rotation(body).reshape(-1, 9), exact.rotation(body).reshape(-1, 9), "orientation")
        assert_same(way, run.angular_velocity(body), exact.angular_velocity(body), f"angular velocity of {body}")
        if run.dimension == 2:
            assert_same(way, run.angle(body), exact.angle(body), "angle")
    for joint in run.joint_names:
        one, other = run.reaction(joint), exact.reaction(joint)
        assert list(one.components) == list(other.components)
        # a solver of steps has made none at the start
        assert_same(way, one.force, other.force, f"force of {joint}", first=1 if solver == "moreau" else 0)
        assert_same(way, one.moment, other.moment, f"moment of {joint}", first=1 if solver == "moreau" else 0)


@pytest.mark.parametrize(("name", "bodies"), [("rod", "1 body, 1 joint"), ("four-bar", "3 bodies, 4 joints")])
def test_a_body_is_called_a_body_whatever_solved_it(name: str, bodies: str) -> None:
    for way in MECHANISM:
        words = count_in_words(run_of(name, *way).summary)
        assert words == bodies or way[0] in BY_FORMULAS
    assert "1 body" in repr(run_of("rod", "newton-euler", "moreau"))
    assert count_in_words(gr.simulate(ball(0.5), until=0.01).summary) == "1 grain"


@pytest.mark.parametrize(("name", "formulation", "solver"), [*ALL, *((name, *EXACT) for name in MECHANISMS)])
def test_errors_energy_and_events_agree(name: str, formulation: str, solver: str) -> None:
    """The gap of every joint, computed from positions, is within the recorded distance; energies are the same."""
    way, run, exact = (formulation, solver), run_of(name, formulation, solver), run_of(name, *EXACT)
    errors, fastest = run.constraint_errors, max(np.abs(exact.angular_velocity(b)).max() for b in exact.scene.start)
    gaps = [np.abs(run.position(two) - run.position(one)).max(axis=1) for one, two in
            (entry.between for entry in run.scene.constraint.values())]  # type: ignore[union-attr]
    arm = 0.5 * max(body.length for body in run.scene.body.values() if isinstance(body, gr.Rod))
    bound = arm * (fastest * STEP) ** 2 if solver == "moreau" else CLOSE * arm
    # in 3-D `moreau` records up to 0.7 % less than the gap at the end of its step
    assert np.max(gaps) <= (1.1 if solver == "moreau" else 1.0) * errors.distance.max() + 1e-14
    assert errors.distance.max() < bound
    np.testing.assert_allclose(errors.relative, np.maximum(errors.distance / arm, errors.angle), rtol=1e-12, atol=1e-15)
    assert np.isnan(errors.rate).all() if solver == "moreau" else errors.rate.max() < CLOSE * max(1.0, fastest)
    assert_same(way, run.energy.kinetic, exact.energy.kinetic, "kinetic energy")
    assert_same(way, run.energy.work["gravity"], exact.energy.work["gravity"], "work of gravity")
    assert_same(way, -np.diff(run.energy.potential), -np.diff(exact.energy.potential), "potential energy")
    assert not any(work.any() for agent, work in run.energy.work.items() if agent != "gravity")
    assert run.energy_error < (STEP * fastest if solver == "moreau" else CLOSE) and run.events == []


@pytest.mark.parametrize("way", sorted(MECHANISM))
def test_a_hinge_bears_what_newton_says(way: tuple[str, str]) -> None:
    """F = m (a - g), the mass centre moving on a circle with θ̈ = -3 g cos θ/2 L; on the rod, by the pivot."""
    run = run_of("rod", *way)
    theta, w = run.angle("rod-1"), run.angular_velocity("rod-1")
    along, across = (np.column_stack(e) for e in ((np.cos(theta), np.sin(theta)), (-np.sin(theta), np.cos(theta))))
    alpha = -1.5 * GRAVITY / LENGTH * np.cos(theta)
    a = 0.5 * LENGTH * (alpha[:, None] * across - (w**2)[:, None] * along)
    expected = MASS * (a + np.array([0.0, GRAVITY]))
    assert_same(way, run.reaction("hinge").force, expected, "force", first=1)
    assert run.reaction("hinge").moment.shape == (len(run.t),) and not run.reaction("hinge").moment.any()
    unique = run.reaction("hinge").unique
    assert unique is None or unique.all()


@pytest.mark.parametrize("spatial", [False, True])
@pytest.mark.parametrize("solver", ["dop853", "moreau"])
def test_a_section_bears_what_holds_half_a_body_on_its_circle(solver: str, spatial: bool) -> None:
    """m ω² r of the part beyond the cut, outward on the part behind. Rods are cut by newton-euler, clumps by moreau."""
    w, zero = 3.0, [0.0] * (2 if spatial else 1)
    parts = [{"centre": [side * 0.25 * LENGTH, *zero], "radius": 0.05} for side in (-1.0, 1.0)]
    clump = {"kind": "clump", "spheres" if spatial else "disks": parts, "mass": MASS}
    rod = {"kind": "rod", "length": LENGTH, "mass": MASS, "radius": 0.05}
    run = gr.simulate(gr.Scene(
        body={"half": clump if solver == "moreau" else rod},
        start={"half": {"position": [0.0, *zero], "angular_velocity": [0.0, 0.0, w] if spatial else w}},
        probe={"cut": {"kind": "section", "body": "half", "position": [0.0, *zero], "normal": [1.0, *zero]}}),
        solver=solver, until=UNTIL, interval=INTERVAL, **({"step": STEP} if solver == "moreau" else {}))
    expected = np.zeros((len(run.t), run.dimension))
    expected[:, :2] = 0.5 * MASS * 0.25 * LENGTH * w * w * np.column_stack([np.cos(w * run.t), np.sin(w * run.t)])
    assert_same(("newton-euler", solver), run.section("cut").force, expected, "force")
    assert_same(EXACT, run.section("cut").moment, np.zeros((len(run.t), 3) if spatial else len(run.t)), "moment")


FALL = float(np.sqrt(2.0 * 0.2 / G))
"""Time of the first impact [s]."""


@pytest.mark.parametrize("solver", ["moreau", "soft", "events", "unilateral"])
def test_a_ball_rebounds(solver: str) -> None:
    """Two parabolas. Steps shift an impact by one of them, springs by the time of contact π δ/v of an overlap δ."""
    e, speed = 0.6, G * FALL
    run = gr.simulate(ball(e), solver=solver, until=0.4, interval=INTERVAL)
    late = np.maximum(run.t - FALL, 0.0)
    y = np.where(run.t < FALL, 0.3 - 0.5 * G * run.t**2, 0.1 + e * speed * late - 0.5 * G * late**2)
    v = np.where(run.t < FALL, -G * run.t, e * speed - G * late)
    overlap = 0.1 * float(run.figures["largest_overlap"].max())
    apart = speed * (run.metadata["step"]["step"] if solver == "unilateral" else 0.0) + 2.0 * np.pi * overlap
    assert np.abs(run.position("ball")[:, 1] - y).max() < apart + 1e-9
    away = np.abs(run.t - FALL) > 2.0 * np.pi * overlap / speed  # springs take time to turn a velocity round
    assert np.abs(run.velocity("ball")[away, 1] - v[away]).max() < G * apart / speed + 1e-9
    assert run.angular_velocity("ball").shape == run.angle("ball").shape == run.t.shape
    assert run.orientation("ball").shape == (len(run.t), 4) and run.fixed_count == 0 and run.events == []
    assert run.energy.kinetic[0] == 0.0 and run.energy.work["gravity"].shape == run.t.shape
    with refused(gr.GranumError, "constraints"):
        _ = run.constraint_errors


@pytest.mark.parametrize("solver", ["moreau", "soft", "events", "unilateral"])
def test_a_floor_bears_the_ball(solver: str) -> None:
    """At rest the floor pushes with the weight; `events` recorded no force at all. Forces are in single precision."""
    run = gr.simulate(ball(0.0), solver=solver, until=0.6, interval=INTERVAL)
    floor = run.reaction("floor")
    np.testing.assert_allclose(floor.force[-1], [0.0, MASS * G], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(floor.moment[-1], 0.0, atol=1e-6)
    np.testing.assert_allclose(floor.force[0], 0.0, atol=0.0)


def linked() -> gr.Scene:
    """Two masses on links."""
    return gr.Scene(
        body={"nail": {"kind": "fixed-point", "position": (0.0, 0.0)}, "a": {"kind": "point-mass", "mass": 1.0},
              "b": {"kind": "point-mass", "mass": 2.0}},
        link={"upper": {"between": ("nail", "a")}, "lower": {"between": ("a", "b")}},
        start={"a": {"position": (0.6, -0.8)}, "b": {"position": (1.6, -0.8)}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, -GRAVITY)}})


LINKED = [(formulation, "dop853") for formulation in FORMULATIONS] + [
    (formulation, solver) for formulation in ("newton-euler", "lagrange", "scalar") for solver in ("adams", "rk4")] + [
    ("newton-euler", solver) for solver in ("rattle", "mixed")]


@pytest.mark.parametrize("way", LINKED)
def test_links_agree(way: tuple[str, str]) -> None:
    """Tension, force on the second end towards the first, errors over the lengths; by every formulation and solver."""
    settings: dict[str, Any] = {"step": 1e-3} if way[1] in ("rk4", "rattle", "mixed") else {}
    runs = [gr.simulate(linked(), formulation=f, solver=s, until=0.2, interval=INTERVAL, tolerance=1e-10, **extra)
            for (f, s), extra in ((way, settings), (EXACT, {}))]
    close = 1e-4 if way[1] in ("rattle", "mixed") else 1e-7  # second order: (h ω)² with ω = 10/s
    run, exact = runs
    for link, (one, two) in {"upper": ("nail", "a"), "lower": ("a", "b")}.items():
        reaction, pull = run.reaction(link), run.position(one) - run.position(two)
        np.testing.assert_allclose(reaction.tension, exact.reaction(link).tension, atol=close * 100.0)
        np.testing.assert_allclose(reaction.force, reaction.tension[:, None] * pull /
                                   np.linalg.norm(pull, axis=1)[:, None], rtol=1e-12, atol=1e-12)
        assert not reaction.moment.any() and reaction.moment.shape == run.t.shape
        assert (run.tensions[:, list(run.link_names).index(link)] == reaction.tension).all()
    np.testing.assert_allclose(run.position("b"), exact.position("b"), atol=close)
    lengths = np.array([np.linalg.norm(run.position(two) - run.position(one), axis=1)
                        for one, two in (("nail", "a"), ("a", "b"))])
    np.testing.assert_allclose(run.constraint_errors.distance, np.abs(lengths - 1.0).max(axis=0), atol=1e-9)
    np.testing.assert_allclose(run.constraint_errors.relative, run.constraint_errors.distance, atol=1e-15)


LAYOUTS = {
    "links": lambda: gr.simulate(linked(), until=0.04, interval=INTERVAL),
    "formulas": lambda: run_of("rod", "fundamental", "dop853"),
    "mechanism": lambda: run_of("rod in 3-D", *EXACT),
    "joints among grains": lambda: run_of("rod", "newton-euler", "moreau"),
    "grains": lambda: gr.simulate(ball(0.0), until=0.3, interval=INTERVAL),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_a_run_does_not_have_is_refused_in_words(layout: str) -> None:
    """Everything that a Run offers gives a value or a GranumError, never a bare KeyError."""
    run = LAYOUTS[layout]()
    assert type(run) is gr.Run
    for name in (one for one in dir(gr.Run) if not one.startswith("_")):
        try:
            offer = getattr(run, name)
            if callable(offer) and name != "plot":
                takes = [one for one in inspect.signature(offer).parameters.values() if one.default is one.empty]
                offer(*("position" if one.name == "quantity" else [0] if one.name == "frames" else
                        0 if one.annotation == "int" else "grains"
                        if one.name == "what" else "unknown" for one in takes))
        except gr.GranumError as error:
            assert len(str(error)) > 20, name
    for what in vars(run.has):
        if not getattr(run.has, what):
            with refused(gr.GranumError, what):
                run.needs(what)


def test_a_gate_has_one_fixed_point() -> None:
    """It was counted among the point masses and links of a scene that has neither."""
    run = gr.simulate(gr.load("examples/gate.toml"), until=0.02)
    assert run.fixed_count == 1 and run.position("post").tolist() == [[0.0, 0.32]] * len(run.t)
    assert "gate" in run.body_names and "heap-210" in run.body_names and len(run.body_names) == 212
    assert run.positions.shape == (len(run.t), 212, 2) and np.isfinite(run.positions).all()
    for name in ("gate", "heap-7", "post"):
        np.testing.assert_array_equal(run.positions[:, run.body_names.find(name)], run.position(name))
        np.testing.assert_array_equal(run.velocities[:, run.body_names.find(name)], run.velocity(name))
