"""Printed derivations in vectors are true: read back and evaluated with NumPy, they give the engine's accelerations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from messages import refused
from printed import consistent_states, explained, in_state
from printed_vectors import Page

EXAMPLES = Path(__file__).parents[2] / "examples"
MANY_BODIES = {"bicycle", "bricard", "cluster"}
FORMULAS = ("lagrange", "fundamental", "gibbs-appell", "virtual-work")


def example(name: str) -> gr.Scene:
    return gr.load(EXAMPLES / f"{name}.toml")


def no_spin() -> gr.Scene:
    """The shell that may not spin about the normal: example 3 of Udwadia and Mogharabin."""
    scene = example("rolling-shell")
    return scene.model_copy(update={"constraint": {**scene.constraint, "straight": gr.NoSpin(body="shell")}})


def two_rods() -> gr.Scene:
    """Two bodies in a row on ball joints, with a force at a point and a torque; neither has its principal axes."""
    body = {"kind": "rigid-body", "points": {"top": [0.0, 0.1, 0.5], "end": [0.0, 0.0, -0.4]}}
    return gr.Scene.model_validate({
        "title": "Two rods", "body": {
            "hook": {"kind": "fixed-point", "position": [0.1, 0.0, 0.2]},
            "rod-1": {**body, "mass": 2.0, "inertia": [0.06, 0.05, 0.02]},
            "rod-2": {**body, "mass": 1.0, "inertia": [0.03, 0.04, 0.01]}},
        "constraint": {"upper": {"kind": "ball-joint", "between": ["hook", "rod-1.top"]},
                       "lower": {"kind": "ball-joint", "between": ["rod-1.end", "rod-2.top"]}},
        "load": {"gravity": {"kind": "gravity", "acceleration": [0.0, 0.0, -9.81]},
                 "push": {"kind": "force", "on": "rod-2.end", "force": [1.0, 2.0, 0.5]},
                 "twist": {"kind": "torque", "on": "rod-1", "torque": [0.1, 0.0, 0.3]}},
        "start": {"rod-1": {"position": [0.1, -0.1, -0.3]}, "rod-2": {"position": [0.1, -0.2, -1.2]}},
        "run": {"formulation": "fundamental"}})


def two_balls() -> gr.Scene:
    """A uniform ball and one whose mass centre is beside its centre, on two planes; one of them inclined."""
    ball = {"kind": "sphere", "radius": 0.1, "mass": 2.0}
    return gr.Scene.model_validate({
        "surface": {"floor": {"equation": "Z"}, "slope": {"equation": "Z + 0.5*Y + 3"}},
        "body": {"one": ball, "two": {"kind": "two-half-shell", "radius": 0.2, "inner_radius": 0.1,
                                      "density": [2000.0, 1000.0]}},
        "constraint": {"a": {"kind": "rolling", "body": "one", "on": "floor"},
                       "b": {"kind": "rolling", "body": "two", "on": "slope"}},
        "load": {"gravity": {"kind": "gravity", "acceleration": [0.0, 0.0, -9.81]}},
        "start": {"one": {"contact": [0.0, 0.0]}, "two": {"contact": [1.0, 0.0]}},
        "run": {"formulation": "fundamental"}})


def driven_ball() -> gr.Scene:
    """A ball with a torque on it and a spring to its centre, on a plane."""
    return gr.Scene.model_validate({
        "surface": {"floor": {"equation": "Z"}},
        "body": {"ball": {"kind": "sphere", "radius": 0.1, "mass": 2.0},
                 "hook": {"kind": "fixed-point", "position": [0.5, 0.2, 0.4]}},
        "constraint": {"a": {"kind": "rolling", "body": "ball", "on": "floor"}},
        "load": {"twist": {"kind": "torque", "on": "ball", "torque": [0.1, 0.2, 0.3]},
                 "coil": {"kind": "spring", "between": ["hook", "ball"], "stiffness": 30.0, "damping": 0.5}},
        "start": {"ball": {"contact": [0.0, 0.0]}}, "run": {"formulation": "fundamental"}})


def ovals() -> gr.Scene:
    """An ellipsoid whose mass centre is beside its middle on a turntable, and a disk on a slope."""
    return gr.Scene.model_validate({
        "surface": {"table": {"equation": "Z", "motion": {"angular_velocity": [0.0, 0.0, 2.0], "centre": [0.0] * 3}},
                    "slope": {"equation": "Z + 0.5*Y + 3"}},
        "body": {"stone-1": {"kind": "ellipsoid", "semi_axes": [0.2, 0.1, 0.15], "mass": 1.0,
                           "mass_centre": [0.01, 0.0, -0.02], "inertia": [0.01, 0.02, 0.015]},
                 "coin-2": {"kind": "disk", "radius": 0.1, "mass": 0.5}},
        "constraint": {"a": {"kind": "rolling", "body": "stone-1", "on": "table"},
                       "b": {"kind": "rolling", "body": "coin-2", "on": "slope"}},
        "load": {"gravity": {"kind": "gravity", "acceleration": [0.0, 0.0, -9.81]}},
        "start": {"stone-1": {"position": [0.3, 0.1, 0.15], "guess": ["position"]},
                  "coin-2": {"position": [0.0, 0.0, -2.9], "guess": ["position"],
                             "orientation": [0.86, 0.51, 0.0, 0.0]}},
        "run": {"formulation": "fundamental"}})


def round_and_oval() -> gr.Scene:
    """A shell that may not spin, on a slope, and an ellipsoid; their mass centres, beside their middles, are given."""
    return gr.Scene.model_validate({
        "surface": {"floor": {"equation": "Z"}, "slope": {"equation": "Z + 0.5*Y + 3"}},
        "body": {"stone-1": {"kind": "ellipsoid", "semi_axes": [0.2, 0.1, 0.15], "mass": 1.0,
                             "mass_centre": [0.01, 0.0, -0.02], "inertia": [0.01, 0.02, 0.015]},
                 "shell-2": {"kind": "two-half-shell", "radius": 0.2, "inner_radius": 0.1,
                             "density": [2000.0, 1000.0]}},
        "constraint": {"a": {"kind": "rolling", "body": "stone-1", "on": "floor"},
                       "b": {"kind": "rolling", "body": "shell-2", "on": "slope"},
                       "c": {"kind": "no-spin", "body": "shell-2"}},
        "load": {"gravity": {"kind": "gravity", "acceleration": [0.0, 0.0, -9.81]}},
        "start": {"stone-1": {"position": [0.3, 0.1, 0.15], "guess": ["position"]},
                  "shell-2": {"position": [1.0, 0.0, -2.8], "guess": ["position"]}},
        "run": {"formulation": "fundamental"}})


def sprung_pair() -> gr.Scene:
    """Two bodies with gravity, a spring without and one with a damper between points of them, and one to a hook."""
    body = {"kind": "rigid-body", "inertia": [0.06, 0.05, 0.02],
            "points": {"top": [0.0, 0.1, 0.5], "end": [0.0, 0.0, -0.4]}}
    return gr.Scene.model_validate({
        "body": {"hook": {"kind": "fixed-point", "position": [0.1, 0.0, 1.2]}, "rod-1": {**body, "mass": 2.0},
                 "rod-2": {**body, "mass": 1.0}},
        "load": {"gravity": {"kind": "gravity", "acceleration": [0.0, 0.0, -9.81]},
                 "coil-1": {"kind": "spring", "between": ["hook", "rod-1.top"], "stiffness": 200.0, "damping": 3.0},
                 "coil-2": {"kind": "spring", "between": ["rod-1.end", "rod-2.top"], "stiffness": 100.0},
                 "coil-3": {"kind": "spring", "between": ["rod-2", "rod-1"], "stiffness": 50.0, "damping": 1.0,
                            "rest_length": 0.0}},
        "start": {"rod-1": {"position": [0.1, -0.1, -0.3]}, "rod-2": {"position": [0.1, -0.2, -1.5]}},
        "run": {"formulation": "fundamental"}})


SCENES = {"jeffcott-rotor": lambda: example("jeffcott-rotor"), "sprung pair": sprung_pair,
          "bicycle": lambda: example("bicycle"), "bricard": lambda: example("bricard"),
          "cluster": lambda: example("cluster"),
          "driven ball": driven_ball,
          "coin": lambda: example("coin"), "round and oval": round_and_oval,
          "rattleback-body": lambda: example("rattleback-body"), "ovals": ovals,
          "rolling-shell": lambda: example("rolling-shell"), "incline": lambda: example("incline"),
          "turntable": lambda: example("turntable"), "spherical-pendulum": lambda: example("spherical-pendulum"),
          "no spin": no_spin, "two rods": two_rods, "two balls": two_balls}


@pytest.mark.parametrize("formulation", FORMULAS)
@pytest.mark.parametrize("name", SCENES)
def test_printed_vectors_give_the_accelerations_of_the_engine(name: str, formulation: str) -> None:
    """Pseudo-inverses of matrices with condition numbers up to 1e5 leave 1e-10; elsewhere rounding is far less.

    Rates that are printed, as n_dot and J_f^-1 beta_dot, are those of the state, within rounding.
    """
    equations = gr.derive(SCENES[name](), formulation)
    shown = equations.derivation()
    explained(shown)
    text = shown.text(steps=True)
    longest, size = (600, 30_000) if name in MANY_BODIES else (240, 16_000)
    assert max(map(len, text.splitlines())) < longest and len(text) < size, "nobody reads that"
    for q, v in consistent_states(equations.system, equations.start[0], 2):  # type: ignore[attr-defined]
        page = Page(text, in_state(shown, q, v), shown.coordinates)
        found, wanted = page.accelerations(), equations.accelerations(q, v)
        given = np.isfinite(found)  # massless points follow the body; some formulations leave them out
        assert given[: 7].all()
        assert_allclose(found[given], wanted[given], rtol=0.0, atol=1e-10 * np.abs(wanted).max())
        for rate, printed, true in page.rates_that_are_printed():
            assert_allclose(printed, true, rtol=0.0, atol=1e-12 * (1.0 + np.abs(true).max()), err_msg=rate)


@pytest.mark.parametrize("name", ["bicycle", "bricard", "cluster", "coin", "jeffcott-rotor", "rattleback-body",
                                  "round and oval", "spherical-pendulum", "sprung pair", "two rods"])
def test_printed_laws_of_newton_and_euler_give_the_accelerations_of_the_engine(name: str) -> None:
    """Of bodies that roll on planes, and with hinges, links, springs and ball joints, by fundamental, which has the
    contacts as coordinates; Bricard's hinges leave one of their multipliers open.
    """
    equations, formulas = gr.derive(SCENES[name](), "newton-euler"), gr.derive(SCENES[name](), "fundamental")
    shown = equations.derivation()
    explained(shown)
    own = [formulas.coordinates.index(one) for one in equations.coordinates]
    for q, v in consistent_states(formulas.system, formulas.start[0], 2):  # type: ignore[attr-defined]
        page = Page(shown.text(steps=True), in_state(shown, q[own], v[own]), shown.coordinates)
        found, wanted = page.accelerations(), formulas.accelerations(q, v)[own]
        assert_allclose(found, wanted, rtol=0.0, atol=1e-10 * np.abs(wanted).max())
        assert_allclose(equations.accelerations(q[own], v[own]), wanted, rtol=0.0, atol=1e-9 * np.abs(wanted).max())
        for rate, printed, true in page.rates_that_are_printed():
            assert_allclose(printed, true, rtol=0.0, atol=1e-12 * (1.0 + np.abs(true).max()), err_msg=rate)


def test_newton_euler_names_what_it_cannot_write() -> None:
    """A motor has no formulas in vectors, and a wheel that rolls none in components."""
    scene = example("bicycle")
    motor = gr.Drive(joint="steering", motion="0.1*t**2")
    driven = scene.model_copy(update={"constraint": {**scene.constraint, "motor": motor}})
    with refused(gr.SceneError, "constraint.rear-contact", "fundamental"):
        gr.derive(driven, "newton-euler").derivation()


def test_the_reactions_that_are_printed_are_those_of_the_engine() -> None:
    equations = gr.derive(example("rolling-shell"))
    shown = equations.derivation()
    ((q, v),) = consistent_states(equations.system, equations.start[0], 1)  # type: ignore[attr-defined]
    page = Page(shown.text(steps=True), in_state(shown, q, v), shown.coordinates)
    page.guess["w_C_ddot"] = page.accelerations()[:3]
    wanted = equations.reactions(q, v)
    assert page.value("N").a.real.item() == pytest.approx(wanted["roll.normal"], rel=1e-9)
    assert np.linalg.norm(page.value("F_T").a.real) == pytest.approx(wanted["roll.friction"], rel=1e-9)


def test_the_incline_ends_in_the_equations_of_the_source() -> None:
    """Nguyen Van Khang, equations 3.8 and 3.11, with +y down the slope: 5/7 g sin(30 deg)."""
    equations = gr.derive(example("incline"))
    shown = equations.derivation()
    text = shown.text()
    for line in ("G = 1/2*(m*a**2 + I)*pi_1_ddot**2 + 1/2*(m*a**2 + I)*pi_2_ddot**2 + 1/2*I*pi_3_ddot**2",
                 "(m*a**2 + I)*pi_1_ddot = -m*g*a*sin(alpha)", "(m*a**2 + I)*pi_2_ddot = 0", "I*pi_3_ddot = 0"):
        assert f"      {line}\n" in text
    q, v = equations.start
    page = Page(text, in_state(shown, q, v), shown.coordinates)
    assert page.accelerations()[1] == pytest.approx(5.0 / 7.0 * 9.81 * 0.5, rel=1e-12)
    # what is written twice, in vectors and in components, is the same
    for k, w in enumerate(page.value("omega").a.ravel(), 1):
        page.known[f"pi_{k}_dot"] = w.real
    for name in ("G", "omega"):
        both = [page.evaluate(right).a.real for left, right in page.lines if left == name]
        assert_allclose(both[0], both[1], atol=1e-12)


def test_the_shell_has_the_symbols_of_the_source() -> None:
    """Udwadia and Mogharabin, equations 1-43 and appendix A, corrected."""
    text = gr.derive(example("rolling-shell")).code("text", steps=True)
    for line in ("omega = 2*E*u_dot", "T = 1/2*m*w_C_dot^T*w_C_dot + 2*u_dot^T*E^T*J*E*u_dot", "J_f = I + r*Delta*K",
                 "Delta = (I - k*k^T/(k^T*k))/(k^T*k)**(1/2)", "n = k/(k^T*k)**(1/2)", "A_1 = [ 0, u^T, 0, 0 ]",
                 "A_3 = [ 0, 0, J_f, -I ]", "A_4 = [ -I, C_1, 0, I ]", "b_4 = -C_2*u_dot",
                 "beta_dot + r*tilde(n)*S*omega = 0", "A_5 = [ 0, 2*r*tilde(n)*S*E, 0, I ]",
                 "b_5 = -2*r*tilde(n_dot)*S*E*u_dot", "q_ddot = [(I - A^+*A)*M; A]^+*[Q; b]"):
        assert f"      {line}\n" in text, line
