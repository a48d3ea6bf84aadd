"""Massless points between springs and dampers: series of springs, Maxwell elements, nets, against closed forms."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
from messages import refused

WALL = {"wall": gr.FixedPoint(position=(0.0, 0.0, 0.0))}
EXAMPLES = Path(__file__).parents[2] / "examples"
FORMULATIONS = pytest.mark.parametrize("formulation", ["fundamental", "gibbs-appell", "lagrange", "virtual-work"])


def series(one: gr.Spring, two: gr.Spring, bob: gr.Start, node: tuple[float, ...] = (1.0, 0.0, 0.0)) -> gr.Scene:
    """A mass of 1 kg on two springs in a row."""
    return gr.Scene(body={**WALL, "node": gr.MasslessPoint(), "bob": gr.PointMass(mass=1.0)},
                    load={"one": one, "two": two}, start={"node": gr.Start(position=node), "bob": bob})


def spring(one: str, two: str, stiffness: float, damping: float = 0.0) -> gr.Spring:
    return gr.Spring(between=(one, two), stiffness=stiffness, rest_length=1.0 if stiffness else None, damping=damping)


def simulate(scene: gr.Scene, until: float, formulation: str = "fundamental", **settings: Any) -> gr.Run:
    return gr.simulate(scene, until=until, formulation=formulation, tolerance=1e-11, **settings)


@FORMULATIONS
def test_two_springs_in_series_are_one_of_k1_k2_over_their_sum(formulation: str) -> None:
    """Along the line, also through zero force; the node has its share of the stretch."""
    k1, k2, stretch = 100.0, 300.0, 0.2
    run = simulate(series(spring("wall", "node", k1), spring("node", "bob", k2), gr.Start(
        position=(2.0 + stretch, 0.0, 0.0))), 2.0, formulation, interval=0.05)
    rate = math.sqrt(k1 * k2 / (k1 + k2))
    x = 2.0 + stretch * np.cos(rate * run.t)
    np.testing.assert_allclose(run.position("bob")[:, 0], x, rtol=0, atol=1e-9)
    np.testing.assert_allclose(run.position("node")[:, 0], 1.0 + (x - 2.0) * k2 / (k1 + k2), rtol=0, atol=1e-9)
    assert run.energy_error < 1e-10


def test_two_springs_swing_as_one() -> None:
    """Also across: a pendulum on two springs in series moves as on one of the length of both."""
    load = {"gravity": gr.Gravity(acceleration=(0.0, 0.0, -9.81))}
    start = gr.Start(position=(1.6, 0.0, -1.3), velocity=(0.0, 0.5, 0.0))
    two = series(spring("wall", "node", 200.0), spring("node", "bob", 200.0), start, (0.8, 0.1, -0.6))
    one = gr.Scene(body={**WALL, "bob": gr.PointMass(mass=1.0)}, start={"bob": start}, load={
        **load, "spring": gr.Spring(between=("wall", "bob"), stiffness=100.0, rest_length=2.0)})
    two = two.model_copy(update={"load": {**two.load, **load}})
    runs = [simulate(scene, 2.0, interval=0.1) for scene in (two, one)]
    np.testing.assert_allclose(runs[0].position("bob"), runs[1].position("bob"), rtol=0, atol=1e-8)


@FORMULATIONS
def test_a_maxwell_element_relaxes(formulation: str) -> None:
    """Spring and damper in series, held at a length by a heavy bob: F = F₀ e^(-k t/c); the damper takes the energy."""
    k, c, stretch = 50.0, 20.0, 0.3
    scene = series(spring("wall", "node", k), spring("node", "bob", 0.0, c), gr.Start(position=(2.5, 0.0, 0.0)),
                   (1.0 + stretch, 0.0, 0.0))
    held = scene.model_copy(update={"body": {**scene.body, "bob": gr.FixedPoint(position=(2.5, 0.0, 0.0)),
                                             "weight": gr.PointMass(mass=1.0)},
                                    "start": {"node": scene.start["node"], "weight": gr.Start(
                                        position=(0.0, 1.0, 0.0))}})
    run = simulate(held, 1.5, formulation, interval=0.1)
    np.testing.assert_allclose(run.position("node")[:, 0] - 1.0, stretch * np.exp(-k / c * run.t), rtol=0, atol=1e-9)
    stored = 0.5 * k * stretch**2
    assert run.energy.total[0] == pytest.approx(stored)
    assert run.spring("two").damper_work[-1] == pytest.approx(-stored * (1.0 - math.exp(-2.0 * k / c * 1.5)), rel=1e-8)
    assert run.energy_error < 1e-9


def test_a_mass_on_a_maxwell_element() -> None:
    """m ẍ = -F, Ḟ = k ẋ - k F/c: the roots of s³ + (k/c) s² + (k/m) s, against the sum of their exponentials."""
    k, c, v = 80.0, 6.0, 0.4
    run = simulate(series(spring("wall", "node", k), spring("node", "bob", 0.0, c), gr.Start(
        position=(2.0, 0.0, 0.0), velocity=(v, 0.0, 0.0))), 2.0, interval=0.05)
    matrix = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [0.0, k, -k / c]])
    values, vectors = np.linalg.eig(matrix)
    weights = np.linalg.solve(vectors, [0.0, v, 0.0])
    x = np.real((vectors[0] * weights * np.exp(np.outer(run.t, values))).sum(axis=1))
    np.testing.assert_allclose(run.position("bob")[:, 0] - 2.0, x, rtol=0, atol=1e-9)
    assert run.energy_error < 1e-9


def test_a_node_of_three_springs_hangs_where_they_balance() -> None:
    """A net in 2-D: forces at the node cancel at every frame."""
    anchors = {"a": (-1.0, 1.0), "b": (1.2, 1.1)}
    body: dict[str, gr.Body] = {name: gr.FixedPoint(position=at) for name, at in anchors.items()}
    scene = gr.Scene(
        body={**body, "node": gr.MasslessPoint(), "bob": gr.PointMass(mass=1.0)},
        load={"gravity": gr.Gravity(acceleration=(0.0, -9.81)), **{name: gr.Spring(
            between=(name, "node"), stiffness=200.0, rest_length=1.0) for name in anchors},
            "string": gr.Spring(between=("node", "bob"), stiffness=500.0, rest_length=0.5)},
        start={"node": gr.Start(position=(0.1, 0.8)), "bob": gr.Start(position=(0.3, 0.33))})
    run = simulate(scene, 2.0, interval=0.1)
    node, bob = run.position("node"), run.position("bob")
    force = np.zeros_like(node)
    for at, k, rest in (*((np.array(at), 200.0, 1.0) for at in anchors.values()), (bob, 500.0, 0.5)):
        d = at - node
        size = np.linalg.norm(d, axis=1, keepdims=True)
        force += k * (size - rest) * d / size
    assert np.abs(force).max() < 1e-8
    assert np.ptp(bob[:, 0]) > 0.1 and run.energy_error < 1e-10


def test_a_chain_of_nodes_is_one_spring() -> None:
    """n springs of stiffness n k, through n - 1 nodes."""
    n = 4
    names = ["wall", *(f"node-{k}" for k in range(1, n)), "bob"]
    scene = gr.Scene(
        body={**WALL, **{name: gr.MasslessPoint() for name in names[1:-1]}, "bob": gr.PointMass(mass=1.0)},
        load={f"spring-{k}": spring(names[k], names[k + 1], 100.0 * n) for k in range(n)},
        start={**{name: gr.Start(position=(float(k), 0.0, 0.0)) for k, name in enumerate(names[1:-1], 1)},
               "bob": gr.Start(position=(n + 0.2, 0.0, 0.0))})
    run = simulate(scene, 1.0, interval=0.1)
    np.testing.assert_allclose(run.position("bob")[:, 0], n + 0.2 * np.cos(10.0 * run.t), rtol=0, atol=1e-9)


def test_nodes_that_nothing_determines_are_still_refused() -> None:
    """No load at all; one spring alone; a point on a rail with a spring, whose reaction the balance does not know."""
    bob = gr.Start(position=(2.0, 0.0, 0.0))
    for load, names in (({}, "node.x, node.y, node.z"), ({"one": spring("wall", "node", 100.0)}, "node.y, node.z")):
        scene = gr.Scene(body={**WALL, "node": gr.MasslessPoint(), "bob": gr.PointMass(mass=1.0)}, load=load,
                         start={"node": gr.Start(position=(1.5, 0.0, 0.0)), "bob": bob})
        with refused(gr.SceneError, names):
            simulate(scene, 0.1)


def test_forces_on_the_massless_points_of_the_example_balance() -> None:
    """Hooke's law with the recorded positions: nothing is left over on the knot and on the joint, in any frame, and the
    weight comes to rest where its springs carry it.
    """
    run = gr.simulate(gr.load(EXAMPLES / "massless-points.toml"), until=4.0, tolerance=1e-10)
    load = run.scene.load

    def pull(name: str, on: str) -> Any:
        """(frames, 2): force of a spring on one of its ends."""
        spring = load[name]
        assert isinstance(spring, gr.Spring) and on in spring.between
        other = next(end for end in spring.between if end != on)
        apart, rate = run.position(other) - run.position(on), run.velocity(other) - run.velocity(on)
        length = np.linalg.norm(apart, axis=1)
        tension = spring.damping * (apart * rate).sum(axis=1) / length
        if spring.rest_length is not None:
            tension = tension + spring.stiffness * (length - spring.rest_length)
        return (tension / length)[:, None] * apart

    knot = pull("upper-left", "knot") + pull("upper-right", "knot") + pull("lower", "knot")
    joint = pull("coil", "joint") + pull("damper", "joint")
    for left, part in ((knot, "lower"), (joint, "coil")):
        scale = np.abs(pull(part, "weight")).max()
        assert scale > 5.0 and np.abs(left).max() < 1e-7 * scale
    weight = pull("lower", "weight") + pull("coil", "weight") + [0.0, -2.0 * 9.81]
    assert np.abs(weight[0]).max() > 20.0 and np.abs(weight[-1, 1]) < 0.1
    assert run.energy_error < 1e-8
