"""Reactions that the joints leave open: the least norm √Σ(|F|² + |M|²/l²) in all formulations, and its mark."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import granum as gr
import mechanisms
from messages import naming
from scenes import truss

FORMULATIONS = ("newton-euler", "fundamental", "lagrange", "virtual-work", "gibbs-appell")
ALL = pytest.mark.parametrize("formulation", FORMULATIONS)


def door(**run: Any) -> gr.Scene:
    """A door that rotates freely on two hinges, 1 m apart."""
    return gr.Scene(
        body={"low": {"kind": "fixed-point", "position": (0.0, 0.0, 0.5)},
              "high": {"kind": "fixed-point", "position": (0.0, 0.0, 1.5)},
              "door": {"kind": "block", "size": (0.8, 0.04, 2.0), "mass": 20.0, "points": {
                  "low": (-0.4, 0.0, -0.5), "high": (-0.4, 0.0, 0.5)}}},
        constraint={f"{name}-hinge": {"kind": "hinge", "between": (name, f"door.{name}"), "axis": (0.0, 0.0, 1.0)}
                    for name in ("low", "high")},
        start={"door": {"position": (0.4, 0.0, 1.0), "angular_velocity": (0.0, 0.0, 1.5)}},
        load={"gravity": {"kind": "gravity", "acceleration": (0.0, 0.0, -mechanisms.GRAVITY)}}, run=run)


@ALL
def test_a_door_on_two_hinges(formulation: str) -> None:
    """Force F along the door and moment M across it balance its weight: Δ d/2 + 2 M = -m g r with the least norm.

    Δ = F_high - F_low = κ d/2 and M = κ l²/2 make ½ Δ² + 2 M²/l² least; κ = -m g r/(d²/4 + l²).
    """
    run = gr.simulate(door(until=1.0, interval=0.5, formulation=formulation))
    m, r, d, speed = 20.0, 0.4, 1.0, 1.5
    points = np.array([[r, 0.0, 0.0], *[[0.0, 0.0, 0.5 * side] for side in (-1, -1, 1, 1)]])  # mass centre, both ends
    l = np.linalg.norm(points - points.mean(axis=0), axis=1).max()
    kappa = -m * mechanisms.GRAVITY * r / (0.25 * d**2 + l**2)
    along = np.column_stack([np.cos(speed * run.t), np.sin(speed * run.t), 0.0 * run.t])
    for name, side in (("low-hinge", -1.0), ("high-hinge", 1.0)):
        found = run.reaction(name)
        force = (0.5 * (-m * speed**2 * r + side * 0.5 * kappa * d)) * along + [0.0, 0.0, 0.5 * m * mechanisms.GRAVITY]
        np.testing.assert_allclose(found.force, force, atol=1e-6)
        np.testing.assert_allclose(found.moment, 0.5 * kappa * l**2 * np.cross([0.0, 0.0, 1.0], along), atol=1e-6)
        assert found.determined is not None and found.determined["moment.z"].all()  # the axis is free
        assert not any(found.determined[name].any() for name in ("force.z", "moment.x"))
    assert run.not_unique == ["low-hinge", "high-hinge"]
    assert len(run.summary["notes"]) == 1
    naming(run.summary["notes"][0], "low-hinge", "high-hinge")


@pytest.mark.parametrize("formulation", FORMULATIONS[1:])
@pytest.mark.parametrize("scene", [mechanisms.four_bar(True), mechanisms.bricard()], ids=["four-bar", "bricard"])
def test_formulations_agree_about_reactions_and_marks(scene: gr.Scene, formulation: str) -> None:
    mine, other = gr.derive(scene, "newton-euler"), gr.derive(scene, formulation)
    expected, found = mine.reactions(*mine.start), other.reactions(*other.start)
    assert mine.not_unique(*mine.start) and set(mine.not_unique(*mine.start)) == set(other.not_unique(*other.start))
    largest = max(map(abs, expected.values()))
    assert found == pytest.approx(expected, abs=1e-9 * largest)


def planets(**run: Any) -> gr.Scene:
    """A sun driven by a torque, three equal planets on a loaded carrier, and a ring that is held."""
    sun, planet = 0.1, 0.05
    places = {f"planet-{k}": 0.15 * np.array([math.cos(0.2 + 2.0 * math.pi * k / 3.0),
                                              math.sin(0.2 + 2.0 * math.pi * k / 3.0)]) for k in range(3)}
    body: dict[str, Any] = {
        "centre": {"kind": "fixed-point", "position": (0.0, 0.0)},
        "sun": {"kind": "disk", "radius": sun, "mass": 2.0},
        "ring": {"kind": "disk", "radius": sun + 2.0 * planet, "mass": 3.0},
        "carrier": {"kind": "rigid-body", "mass": 1.0, "inertia": 0.01,
                    "points": {name: tuple(place.tolist()) for name, place in places.items()}}}
    constraint: dict[str, Any] = {
        "bearing": {"kind": "hinge", "between": ("centre", "sun")},
        "output": {"kind": "hinge", "between": ("centre", "carrier")},
        "housing": {"kind": "glue", "between": ("centre", "ring")}}
    for name in places:
        body[name] = {"kind": "disk", "radius": planet, "mass": 0.5}
        constraint |= {f"{name}-pin": {"kind": "hinge", "between": (f"carrier.{name}", name)},
                       f"{name}-sun": {"kind": "rolling", "body": name, "on": "sun"},
                       f"{name}-ring": {"kind": "rolling", "body": name, "on": "ring"}}
    return gr.Scene(body=body, constraint=constraint, run=run, load={
        "input": {"kind": "torque", "on": "sun", "torque": 1.0}, "brake": {"kind": "torque", "on": "carrier",
                                                                            "torque": -0.5}},
        start={"sun": {"position": (0.0, 0.0)}, "ring": {"position": (0.0, 0.0)}, "carrier": {"position": (0.0, 0.0)},
               **{name: {"position": tuple(place.tolist())} for name, place in places.items()}})


@ALL
def test_three_equal_planets_carry_equal_forces(formulation: str) -> None:
    run = gr.simulate(planets(until=0.2, interval=0.1, formulation=formulation))
    for contact in ("sun", "ring"):
        teeth = [run.reaction(f"planet-{k}-{contact}") for k in range(3)]
        for one in teeth:
            np.testing.assert_allclose(one.friction, teeth[0].friction, atol=1e-8)
            np.testing.assert_allclose(one.normal, teeth[0].normal, atol=1e-8)
            assert one.unique is not None and not one.unique.any()
    pulled = [np.linalg.norm(run.reaction(f"planet-{k}-pin").force, axis=1) for k in range(3)]
    np.testing.assert_allclose(pulled[1:], [pulled[0]] * 2, atol=1e-8)


def gears(friction: float | None = None, **run: Any) -> gr.Scene:
    """Two gears on hinges, which hold their distance as well as the teeth do."""
    mesh = {"kind": "rolling", "body": "large", "on": "small", **({} if friction is None else {"friction": friction})}
    return gr.Scene(
        body={"left": {"kind": "fixed-point", "position": (0.0, 0.0)},
              "right": {"kind": "fixed-point", "position": (0.3, 0.0)},
              "small": {"kind": "disk", "radius": 0.1, "mass": 1.0},
              "large": {"kind": "disk", "radius": 0.2, "mass": 4.0}},
        constraint={"left-hinge": {"kind": "hinge", "between": ("left", "small")},
                    "right-hinge": {"kind": "hinge", "between": ("right", "large")}, "mesh": mesh},
        start={"small": {"position": (0.0, 0.0)}, "large": {"position": (0.3, 0.0)}},
        load={"motor": {"kind": "torque", "on": "small", "torque": 0.5}}, run=run)


@ALL
def test_two_gears_on_hinges(formulation: str) -> None:
    """α = τ/(I₁ + I₂ r₁²/r₂²) = 20 rad/s², and the force of the teeth is I₂ α r₁/r₂² = 4 N."""
    run = gr.simulate(gears(until=1.0, interval=0.25, formulation=formulation))
    assert run.event is None
    np.testing.assert_allclose(run.angle("small"), 10.0 * run.t**2, atol=1e-8)
    mesh = run.reaction("mesh")
    np.testing.assert_allclose(mesh.friction, 4.0, rtol=1e-9)
    np.testing.assert_allclose(mesh.normal, 0.0, atol=1e-9)
    assert mesh.determined is not None and not mesh.determined["normal"].any()


@ALL
def test_friction_between_gears_on_hinges_has_no_limit_to_compare_with(formulation: str) -> None:
    with pytest.raises(gr.SceneError) as error:
        gr.simulate(gears(0.5, until=1.0, formulation=formulation))
    naming(str(error.value), "constraint.mesh.friction", "large", "small")


@pytest.mark.parametrize("formulation", ["newton-euler", "fundamental"])
def test_marks_are_live_in_run_files_and_exported(formulation: str, tmp_path: Path) -> None:
    scene = gears(until=0.2, interval=0.1, formulation=formulation)
    sim = gr.Simulation(scene, output=tmp_path / "run.h5")
    sim.step()
    assert "mesh.normal" in sim.not_unique and "mesh.force.x" in sim.not_unique
    sim.step()
    sim.finish()
    run = gr.open_run(tmp_path / "run.h5")
    assert run.not_unique == ["left-hinge", "right-hinge", "mesh"]
    gr.export(run, "npz", tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as stored:
        assert any("unique" in name for name in stored.files), stored.files


def test_links_are_marked_too() -> None:
    run = gr.simulate(truss(), until=0.02, interval=0.01)
    assert run.not_unique and run.reaction(run.not_unique[0]).unique is not None
    equations = gr.derive(truss())
    assert set(equations.not_unique(*equations.start)) == set(run.not_unique)
