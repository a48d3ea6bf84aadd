"""Outlines of rigid bodies in pictures: where their rods, edges and rims are."""

from __future__ import annotations

import math

import numpy as np
from numpy.testing import assert_allclose

import granum as gr
from granum.view.pictures.outlines import outlines
from granum.view.shapes.body_shapes import body_outline


def test_outlines_move_with_their_bodies() -> None:
    """A rod and a block that turn: ends and corners where kinematics put them."""
    scene = gr.Scene(
        body={"pin": gr.FixedPoint(position=(1.0, 2.0)), "arm-1": gr.Rod(length=2.0, mass=1.0),
              "box": gr.Block(size=(0.4, 0.2), mass=1.0)},
        constraint={"hinge": gr.Hinge(between=("pin", "arm-1.tail")), "motor": gr.Drive(joint="hinge", motion="pi*t"),
                    "weld": gr.Glue(between=("arm-1.head", "box"))},
        start={"arm-1": gr.Start(position=(2.0, 2.0)), "box": gr.Start(position=(3.0, 2.0))})
    run = gr.simulate(scene, until=0.5, interval=0.5)
    rod, box = outlines(run, 1)
    assert_allclose(rod, [[1.0, 2.0], [1.0, 4.0]], atol=1e-9)
    assert_allclose([box.min(axis=0), box.max(axis=0)], [[0.9, 3.8], [1.1, 4.2]], atol=1e-9)


def test_outlines_of_every_shape() -> None:
    """Rims have the radius of their parts about the centres; in space a block has twelve edges."""
    clump = gr.Clump(disks=[{"centre": (0.0, 0.0), "radius": 0.1, "mass": 1.0},
                            {"centre": (1.0, 0.0), "radius": 0.2, "mass": 1.0}])
    small, large = body_outline(clump, 2)
    assert_allclose(np.linalg.norm(small[:-1] - [-0.5, 0.0, 0.0], axis=1), 0.1, rtol=1e-12)
    assert_allclose(np.linalg.norm(large[:-1] - [0.5, 0.0, 0.0], axis=1), 0.2, rtol=1e-12)
    edges = body_outline(gr.Block(size=(1.0, 2.0, 3.0), mass=1.0), 3)
    length = sum(float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()) for line in edges)
    assert math.isclose(length, 4.0 * 6.0)
    assert len(body_outline(gr.Sphere(radius=0.3, mass=1.0), 3)) == 3
    (arm,) = body_outline(gr.RigidBody(mass=1.0, inertia=0.1, points={"tip": (0.3, 0.4)}), 2)
    assert_allclose(arm, [[0.0, 0.0, 0.0], [0.3, 0.4, 0.0]])


def test_outlines_in_space() -> None:
    """A rod turned by a quarter about y points down."""
    half = math.sqrt(0.5)
    scene = gr.Scene(body={"rod": gr.Rod(length=2.0, mass=1.0, radius=0.1)},
                     start={"rod": gr.Start(position=(0.0, 1.0, 0.0), orientation=(half, 0.0, half, 0.0))})
    (line,) = outlines(gr.simulate(scene, until=0.1, interval=0.1), 1)
    assert_allclose(line, [[0.0, 1.0, 1.0], [0.0, 1.0, -1.0]], atol=1e-12)
