"""Joints in the contact solve, against closed forms of mechanics and runs of the same mechanisms by newton-euler."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import granum as gr
from grain_scenes import FLOOR, G, gravity
from granum.run.check import check
from mechanisms import four_bar, pendulum_of_rods, slider_crank
from messages import says

SMOOTH = {"stone": {"density": 2500.0}}
ROUGH = {"stone": {"density": 2500.0, "friction": 0.8}}


def ledger_error(run: gr.Run) -> float:
    """Energy that no agent supplied or took, relative to the largest energy so far."""
    return run.energy_error


def moreau(scene: gr.Scene, step: float, until: float = 0.5) -> gr.Run:
    """The same scene in the solver of grains."""
    return gr.simulate(scene, solver="moreau", step=step, until=until, interval=until / 5)


def exact(scene: gr.Scene, until: float = 0.5) -> gr.Run:
    """The same scene by newton-euler, as exactly as it goes."""
    return gr.simulate(scene, solver="dop853", tolerance=1e-12, until=until, interval=until / 5)


def box_on_a_ball_joint() -> gr.Scene:
    """A block that hangs on a corner and spins: its momentum does not follow its angular velocity."""
    return gr.Scene(
        body={"nail": {"kind": "fixed-point", "position": [0.0, 0.0, 0.0]},
              "block": {"kind": "block", "size": [0.4, 0.2, 0.1], "mass": 2.0, "points": {"corner": [0.2, 0.1, 0.05]}}},
        constraint={"joint": {"kind": "ball-joint", "between": ["nail", "block.corner"]}},
        start={"block": {"position": [-0.2, -0.1, -0.05], "angular_velocity": [3.0, -2.0, 4.0]}},
        load={"gravity": gravity(0.0, 0.0, -G)})


def door(damping: float) -> gr.Scene:
    """A block on an inclined axis, with a spring to a point mass, and a torsion spring."""
    return gr.Scene(
        body={"post": {"kind": "fixed-point", "position": [0.0, 0.0, 0.0]},
              "leaf": {"kind": "block", "size": [1.0, 0.05, 2.0], "mass": 3.0,
                       "points": {"edge": [-0.5, 0.0, 0.0], "knob": [0.5, 0.0, 0.3]}},
              "bob": {"kind": "point-mass", "mass": 0.5}},
        constraint={"hinge": {"kind": "hinge", "between": ["post", "leaf.edge"], "axis": [0.1, 0.3, 1.0]}},
        start={"leaf": {"position": [0.5, 0.0, 0.0]},
               "bob": {"position": [0.9, -0.5, 0.3], "velocity": [0.5, 0.0, 0.0]}},
        load={"gravity": gravity(0.0, 0.0, -G),
              "spring": {"kind": "spring", "between": ["leaf.knob", "bob"], "stiffness": 40.0, "damping": damping},
              "closer": {"kind": "torsion-spring", "hinge": "hinge", "stiffness": 5.0, "rest_angle": 0.3,
                         "damping": damping}})


def ball_on_a_link() -> gr.Scene:
    """A spherical pendulum with a ball that has a velocity across."""
    return gr.Scene(
        body={"nail": {"kind": "fixed-point", "position": [0.0, 0.0, 0.0]},
              "ball": {"kind": "sphere", "radius": 0.1, "mass": 1.0}},
        link={"rope": {"between": ["nail", "ball"]}},
        start={"ball": {"position": [0.6, 0.0, -0.8], "velocity": [0.0, 1.5, 0.0]}},
        load={"gravity": gravity(0.0, 0.0, -G)})


MECHANISMS: dict[str, tuple[Any, str]] = {
    "pendulum": (lambda: pendulum_of_rods([1.0], [1.0], [0.3]), "rod-1"),
    "double pendulum": (lambda: pendulum_of_rods([1.0, 0.7], [1.0, 2.0], [0.3, -0.5]), "rod-2"),
    "slider-crank": (lambda: slider_crank(0.2, 0.5, 1.0), "piston"),
    "four-bar": (lambda: four_bar(False), "coupler"),
    "four-bar of parallel hinges in space": (lambda: four_bar(True), "coupler"),
    "ball on a link": (ball_on_a_link, "ball"),
    "block on a ball joint": (box_on_a_ball_joint, "block"),
    "door with springs": (lambda: door(0.0), "leaf"),
    "door with dampers": (lambda: door(0.3), "leaf"),
}


@pytest.mark.parametrize("name", list(MECHANISMS))
def test_a_mechanism_alone_moves_as_by_newton_euler_with_errors_of_second_order(name: str) -> None:
    """Rows at the middle of the step: halving the step quarters the error; energy is kept to the same order."""
    make, body = MECHANISMS[name]
    scene = make()
    expected = exact(scene).position(body)
    errors, drift = [], []
    for step in (2e-3, 1e-3):
        found = moreau(scene, step)
        errors.append(float(np.abs(found.position(body) - expected).max()))
        drift.append(ledger_error(found))
    assert errors[0] < 2e-4
    part = 0.6 if name == "door with dampers" else 0.3  # dampers see the velocity at the beginning of the step
    assert errors[1] < part * errors[0]
    assert drift[1] < 0.3 * drift[0] + 1e-12


def test_redundant_hinges_are_named_and_reactions_that_are_not_unique_marked() -> None:
    """Four parallel hinges in space have three rows too many; in the plane of the bars the reactions are unique.

    Those of a step are its mean, half a step back.
    """
    runs = [moreau(four_bar(True), step) for step in (1e-3, 5e-4)]
    for hinge in ("hinge-2", "hinge-4"):
        expected = exact(four_bar(True)).reaction(hinge).force[1:]
        errors = [float(np.abs(run.reaction(hinge).force[1:] - expected).max()) for run in runs]
        assert errors[0] < 1e-2 * np.abs(expected).max()
        assert errors[1] < 0.6 * errors[0]
        assert not runs[0].reaction(hinge).unique.any()
    assert moreau(four_bar(False), 1e-3).reaction("hinge-2").unique.all()
    (said,) = (line for line in check(four_bar(True).with_run(solver="moreau")).summary_lines() if "hinge" in line)
    says(said, "hinge-1, hinge-2, hinge-3 and hinge-4", "3 times")


def test_a_drive_moves_as_told_and_its_torque_is_that_of_newton_euler() -> None:
    """The crank's angle follows the formula to round-off; the torque of the last step is its mean, half a step back."""
    scene = slider_crank(0.2, 0.5, 1.0)
    scene = scene.model_copy(update={"constraint": {**scene.constraint, "motor": gr.Drive(
        joint="main", motion="3*t + 0.4*sin(5*t)")}})
    expected, errors, drift = exact(scene), [], []
    for step in (2e-3, 1e-3):
        found = moreau(scene, step)
        angle = 2.0 * np.arctan2(*found.orientation("crank")[:, [3, 0]].T)
        assert np.abs(np.sin(angle - 1.0 - 3.0 * found.t - 0.4 * np.sin(5.0 * found.t))).max() < 1e-5
        errors.append(np.abs(found.reaction("motor").effort - expected.reaction("motor").effort)[1:].max())
        done, power = found.energy.work["motor"][-1], expected.energy.work
        drift.append(ledger_error(found))
    assert errors[0] < 0.05 * np.abs(expected.reaction("motor").effort).max()
    assert errors[1] < 0.6 * errors[0]
    assert drift[0] < 1e-4 and drift[1] < 0.3 * drift[0] + 1e-12
    gained = expected.energy.kinetic + expected.energy.potential
    assert done == pytest.approx(gained[-1] - gained[0], rel=1e-4), power


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_two_balls_on_a_link_hit_a_floor_as_one_rigid_body(restitution: float) -> None:
    """P = (1 + e) v / (1/M + x²/I) with M = 2 m, I = m l²/2, x = l cos φ/2 of the ball that touches first."""
    m, l, angle, v, r = 1.0, 1.0, 0.5, 2.0, 0.1
    across, up = 0.5 * l * math.cos(angle), 0.5 * l * math.sin(angle)
    scene = gr.Scene(
        material={"stone": {"restitution": restitution}}, boundary={"floor": FLOOR},
        body={"low": {"kind": "disk", "radius": r, "mass": m}, "high": {"kind": "disk", "radius": r, "mass": m}},
        link={"bar": {"between": ["low", "high"]}},
        start={"low": {"position": [-across, 0.1037], "velocity": [0.0, -v]},
               "high": {"position": [across, 0.1037 + 2.0 * up], "velocity": [0.0, -v]}},
        load={"still": gravity(0.0, 0.0)}, run={"until": 0.004, "step": 1e-4, "interval": 0.004, "tolerance": 1e-10})
    run = gr.simulate(scene)
    P = (1.0 + restitution) * v / (0.5 / m + across**2 / (0.5 * m * l * l))
    turning = P * across / (0.5 * m * l * l)
    after = {name: run.velocity(name)[-1] for name in ("low", "high")}
    centre = 0.5 * (after["low"] + after["high"])
    assert centre == pytest.approx([0.0, -v + 0.5 * P / m], abs=1e-6)
    # the bar turns by 2 milliradians until the end, and its rate with it
    spin = (after["high"] - after["low"])[1] / (2.0 * across)
    assert spin == pytest.approx(-turning, rel=5e-3)
    # the floor is reached within a step, and the bar has turned by h ω² less then
    assert ledger_error(run) < 1e-3


def shelf(motion: str | None, **more: Any) -> gr.Scene:
    """A plate of 1 m and 3 kg that is hinged at its left end and held level by a drive; grains lie on it."""
    return gr.Scene(
        material=ROUGH, boundary={"top": {"kind": "wall", "positions": [[0.0, 0.0], [1.0, 0.0]], "body": "plate"}},
        body={"post": {"kind": "fixed-point", "position": [0.0, 0.0]},
              "plate": {"kind": "block", "size": [1.0, 0.02], "mass": 3.0, "points": {"left": [-0.5, 0.0]}},
              "one": {"kind": "disk", "radius": 0.05, "mass": 2.0},
              "two": {"kind": "disk", "radius": 0.08, "mass": 5.0}},
        constraint={"hinge": {"kind": "hinge", "between": ["post", "plate.left"]},
                    **({"stop": {"kind": "drive", "joint": "hinge", "motion": motion}} if motion else {})},
        start={"plate": {"position": [0.5, 0.0]}, "one": {"position": [0.3, 0.05]}, "two": {"position": [0.8, 0.08]}},
        load={"gravity": gravity(0.0, -G)}, run={"until": 0.5, "interval": 0.1}, **more)


def test_the_torque_that_holds_a_shelf_is_that_of_the_weights_on_it() -> None:
    """Torque of the drive = g (3 · 0.5 + 2 · 0.3 + 5 · 0.8), force of the hinge = all weight; nothing moves."""
    run = gr.simulate(shelf("0*t"))
    assert run.reaction("stop").effort[-1] == pytest.approx(G * (1.5 + 0.6 + 4.0), rel=1e-6)
    hinge = run.reaction("hinge")
    np.testing.assert_allclose(hinge.force[-1], [0.0, 10.0 * G], atol=1e-4)
    assert np.abs(run.position("one") - run.position("one")[0]).max() < 1e-6
    assert np.abs(run.velocity("two")[-1]).max() < 1e-6
    assert ledger_error(run) < 1e-9


def test_weights_that_balance_about_a_hinge_hold_each_other() -> None:
    """2 kg at -0.45 m and 3 kg at 0.3 m: no torque is needed, the hinge bears 8 kg; without a drive the plate stays."""
    plate = {"kind": "block", "size": [1.2, 0.02], "mass": 3.0}
    scene = gr.Scene(
        material=ROUGH, boundary={"top": {"kind": "wall", "positions": [[-0.6, 0.0], [0.6, 0.0]], "body": "plate"}},
        body={"post": {"kind": "fixed-point", "position": [0.0, 0.0]}, "plate": plate,
              "left": {"kind": "disk", "radius": 0.05, "mass": 2.0},
              "right": {"kind": "disk", "radius": 0.05, "mass": 3.0}},
        constraint={"hinge": {"kind": "hinge", "between": ["post", "plate"]}},
        start={"plate": {"position": [0.0, 0.0]}, "left": {"position": [-0.45, 0.05]},
               "right": {"position": [0.3, 0.05]}},
        load={"gravity": gravity(0.0, -G)}, run={"until": 0.3, "interval": 0.1})
    run = gr.simulate(scene)
    assert np.abs(run.angular_velocity("plate")).max() < 1e-6
    np.testing.assert_allclose(run.reaction("hinge").force[-1], [0.0, 8.0 * G], atol=1e-3)


def test_an_empty_shelf_that_is_let_go_falls_as_a_compound_pendulum() -> None:
    """½ I ω² = m g l sin φ/2 with I about the hinge."""
    scene = shelf(None)
    scene = scene.model_copy(update={"body": {name: scene.body[name] for name in ("post", "plate")},
                                     "start": {"plate": scene.start["plate"]}})
    run = gr.simulate(scene, step=5e-4, until=0.4)
    angle = -2.0 * np.arctan2(*run.orientation("plate")[:, [3, 0]].T)
    inertia = 3.0 * (1.0 + 0.02**2) / 12.0 + 3.0 * 0.25
    np.testing.assert_allclose(run.angular_velocity("plate") ** 2, 2.0 * 3.0 * G * 0.5 * np.sin(angle) / inertia,
                               rtol=1e-4, atol=1e-6)


def test_chains_and_grains_that_collide_keep_momentum() -> None:
    """Clumps on hinges, a spring and free grains without gravity: Σ m v and Σ (x × m v + I ω) stay, to round-off."""
    clump = {"kind": "clump", "disks": [{"centre": [-0.1, 0.0], "radius": 0.1}, {"centre": [0.1, 0.0], "radius": 0.1}],
             "points": {"a": [-0.2, 0.0], "b": [0.2, 0.0]}}
    scene = gr.Scene(
        material={"stone": {"density": 100.0, "friction": 0.5, "restitution": 0.5}},
        body={**{f"c{k}": clump for k in range(4)}, "bob": {"kind": "disk", "radius": 0.1}},
        constraint={f"h{k}": {"kind": "hinge", "between": [f"c{k}.b", f"c{k + 1}.a"]} for k in range(3)},
        pattern={"dust": {"kind": "grains", "radius": 0.07, "velocity": [0.1, -2.0],
                          "positions": [[x, y] for x in (-0.1, 0.4, 0.9, 1.3) for y in (0.6, 0.9)]}},
        start={**{f"c{k}": {"position": [0.4 * k, 0.0]} for k in range(4)}, "bob": {"position": [0.5, -0.6]}},
        load={"spring": {"kind": "spring", "between": ["c1", "bob"], "stiffness": 60.0, "damping": 0.5},
              "still": gravity(0.0, 0.0)}, run={"until": 1.0, "interval": 0.1, "step": 1e-3})
    run = gr.simulate(scene)
    mass, moment = masses_of(scene)
    linear, angular = [], []
    for k in range(len(run.t)):
        p, spin = np.zeros(2), 0.0
        for name, m in mass.items():
            x, v = run.position(name)[k], run.velocity(name)[k]
            p += m * v
            spin += m * (x[0] * v[1] - x[1] * v[0]) + moment[name] * run.angular_velocity(name)[k]
        linear.append(p)
        angular.append(spin)
    scale = sum(mass.values()) * 2.0
    assert np.abs(np.array(linear) - linear[0]).max() < 1e-12 * scale
    # moves against overlaps and errors of joints shift mass centres, and with them angular momentum, a little
    assert np.abs(np.array(angular) - angular[0]).max() < 1e-4 * scale
    assert ledger_error(run) < 0.01  # contact problems are solved to a tolerance; from 1 % on a run warns
    assert run.summary["constraint_errors"]["distance"] < 1e-4


def masses_of(scene: gr.Scene) -> tuple[dict[str, float], dict[str, float]]:
    """Masses and moments of inertia of all bodies of the scene of chains, by name."""
    from granum.contact.world import World

    world = World(scene.with_run(solver="moreau"))
    bodies, mass, moment = world.grains.bodies, {}, {}
    for k in range(bodies.count):
        group = world.groups[int(bodies.group[k])]
        own = np.sort(bodies.number[bodies.group == bodies.group[k]])
        name = group if group in scene.body else f"{group}-{int(np.searchsorted(own, bodies.number[k])) + 1}"
        mass[name], moment[name] = float(bodies.mass[k]), float(bodies.inertia[k, 2])
    return mass, moment


def test_a_gate_that_holds_a_column_of_grains_bears_its_pressure() -> None:
    """Grains in a row press a gate with their weight: the drive's torque is the sum of contact forces times levers."""
    scene = gr.Scene(
        material=SMOOTH, boundary={
            "floor": FLOOR, "back": {"kind": "plane", "position": [0.0, 0.0], "normal": [1.0, 0.0]},
            "leaf": {"kind": "wall", "positions": [[0.45, 0.01], [0.45, 1.0]], "body": "gate"}},
        pattern={"heap": {"kind": "grains", "count": 30, "radius": [0.03, 0.05],
                          "region": {"kind": "box", "lower": [0.0, 0.0], "upper": [0.44, 0.9]}}},
        body={"post": {"kind": "fixed-point", "position": [0.45, 1.0]},
              "gate": {"kind": "block", "size": [0.01, 1.0], "mass": 2.0, "points": {"top": [0.0, 0.5]}}},
        constraint={"hinge": {"kind": "hinge", "between": ["post", "gate.top"]},
                    "stop": {"kind": "drive", "joint": "hinge", "motion": "0*t"}},
        start={"gate": {"position": [0.45, 0.5]}}, load={"gravity": gravity(0.0, -G)},
        run={"until": 1.5, "interval": 0.5, "seed": 4})
    run = gr.simulate(scene)
    last, elements = run.frame(), np.array(run.metadata["elements"])
    leaf = [c for c, (_, j) in enumerate(last.pair) if j < 0 and elements[-1 - j] == 2]
    assert leaf
    grain = last.pair[leaf, 0]
    at = last.positions[grain] - last.radii[grain, None] * last.normal[leaf] - [0.45, 1.0]
    torque = -np.sum(at[:, 0] * last.force[leaf][:, 1] - at[:, 1] * last.force[leaf][:, 0])
    assert run.reaction("stop").effort[-1] == pytest.approx(-torque, rel=1e-4)
    assert abs(torque) > 1.0
    assert ledger_error(run) < 0.01
