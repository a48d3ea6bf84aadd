"""Clusters of rigid bodies and points, 2-D and 3-D, trees and loops, with every load that acts on bodies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import granum as gr
from granum.analytic.linearization import null_space
from granum.base.kernels import Floats

EXAMPLES = Path(__file__).parents[1] / "examples"


def loaded_cluster() -> gr.Scene:
    """The example with a torque, a force at a point, and a damped spring between points of two bodies."""
    scene = gr.load(EXAMPLES / "cluster.toml")
    return scene.model_copy(update={"load": {
        **scene.load, "twist": gr.Torque(on="triple", torque=(0.3, -0.2, 0.4)),
        "push": gr.Force(on="triple.3", force=(0.5, 1.0, -2.0)),
        "spring": gr.Spring(between=("pair.1", "triple.2"), stiffness=40.0, rest_length=0.3, damping=1.5)}})


def spatial_loop() -> gr.Scene:
    """Two clumps and a bead on a fixed point: a link and a ball joint in the tree, a link that closes the loop."""
    return gr.Scene(
        title="Loop", body={
            "ground": gr.FixedPoint(position=(0.1, 0.0, 0.2)),
            "a": gr.Clump(spheres=[{"centre": (0, 0, 0), "radius": 0.1, "mass": 1.0},
                                   {"centre": (0.3, 0.1, 0), "radius": 0.1, "mass": 0.5}]),
            "b": gr.Clump(spheres=[{"centre": (0, 0, 0), "radius": 0.1, "mass": 0.7},
                                   {"centre": (0, 0.2, 0.2), "radius": 0.1, "mass": 0.9}]),
            "bead": gr.PointMass(mass=0.4)},
        link={"hang": gr.Link(between=("ground", "a.1")), "rod": gr.Link(between=("a.2", "bead")),
              "close": gr.Link(between=("bead", "b.2"))},
        constraint={"ball": gr.BallJoint(between=("a.2", "b.1"))},
        load={"gravity": gr.Gravity(acceleration=(0.5, 0.0, -9.81)),
              "twist": gr.Torque(on="b", torque=(0.1, 0.2, 0.3))},
        start={"a": gr.Start(position=(0.4, 0.3, -0.3), orientation=_unit(0.8, 0.3, 0.4, 0.2)),
               "b": gr.Start(position=(0.8, 0.5, -0.2), orientation=_unit(0.6, -0.3, 0.5, 0.3), guess=("position",)),
               "bead": gr.Start(position=(0.9, 0.9, -0.6))})


def rods(closed: bool = False) -> gr.Scene:
    """Rods in 2-D, hinged and linked, with a torque, a force at a tip and springs; closed, a rod back to the ground."""
    link = {"rope": gr.Link(between=("lower.head", "bob"))}
    if closed:
        link["stay"] = gr.Link(between=("lower.head", "post"))
    return gr.Scene(
        title="Rods", body={
            "pin": gr.FixedPoint(position=(0.1, 0.2)), "post": gr.FixedPoint(position=(1.5, -0.4)),
            "upper": gr.Rod(length=0.8, mass=1.2), "lower": gr.Rod(length=0.6, mass=0.7),
            "bob": gr.PointMass(mass=0.3)},
        constraint={"shoulder": gr.Hinge(between=("pin", "upper.tail")),
                    "elbow": gr.Hinge(between=("upper.head", "lower.tail"))}, link=link,
        load={"gravity": gr.Gravity(acceleration=(0.0, -9.81)), "motor": gr.Torque(on="upper", torque=0.8),
              "push": gr.Force(on="lower.head", force=(1.0, 0.4)),
              "coil": gr.TorsionSpring(hinge="elbow", stiffness=2.0, damping=0.1),
              "spring": gr.Spring(between=("upper.head", "post"), stiffness=15.0, rest_length=0.5, damping=0.6)},
        start={"upper": gr.Start(angle=-0.5), "lower": gr.Start(angle=0.4), "bob": gr.Start(position=(1.6, -0.9))})


def four_bar() -> gr.Scene:
    """Three rods between two pins, 2-D: a hinge closes the loop."""
    return gr.Scene(
        title="Four-bar", body={
            "left": gr.FixedPoint(position=(0.0, 0.0)), "right": gr.FixedPoint(position=(1.0, 0.0)),
            "crank": gr.Rod(length=0.4, mass=0.5), "coupler": gr.Rod(length=0.9, mass=0.8),
            "rocker": gr.Rod(length=0.7, mass=0.6)},
        constraint={"a": gr.Hinge(between=("left", "crank.tail")),
                    "b": gr.Hinge(between=("crank.head", "coupler.tail")),
                    "c": gr.Hinge(between=("coupler.head", "rocker.head")),
                    "d": gr.Hinge(between=("right", "rocker.tail"))},
        load={"gravity": gr.Gravity(acceleration=(0.0, -9.81)), "motor": gr.Torque(on="crank", torque=0.5)},
        start={"crank": gr.Start(angle=1.1)})


def free_pair() -> gr.Scene:
    """Two clumps that no fixed point holds, with a spring between them."""
    scene = spatial_loop()
    return gr.Scene(
        title="Free", body={name: scene.body[name] for name in ("a", "b")},
        link={"rod": gr.Link(between=("a.2", "b.1"))},
        load={"spring": gr.Spring(between=("a.1", "b.2"), stiffness=20.0, rest_length=0.4)},
        start={"a": scene.start["a"], "b": gr.Start(position=(0.9, 0.6, 0.1), orientation=_unit(0.6, -0.3, 0.5, 0.3))})


CLUSTERS = {"cluster": lambda: gr.load(EXAMPLES / "cluster.toml"), "loaded cluster": loaded_cluster,
            "spatial loop": spatial_loop, "free pair": free_pair, "rods": rods, "closed rods": lambda: rods(True),
            "four-bar": four_bar}


def moving_state(scene: gr.Scene, seed: int) -> tuple[Floats, Floats]:
    """A state of the formulas that its constraints allow: near the start, with random rates."""
    from printed import consistent_states

    reference: Any = gr.derive(scene, "fundamental")
    ((q, _),) = consistent_states(reference.system, reference.start[0], 1, seed)
    basis = null_space(reference.constraint_rows(q, 0.0 * q))
    return q, basis @ np.random.default_rng(seed).normal(size=basis.shape[1])


def _unit(*u: float) -> tuple[float, ...]:
    return tuple((np.array(u) / np.linalg.norm(u)).tolist())
