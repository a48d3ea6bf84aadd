"""Meshes of the stage against areas and volumes in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import granum as gr
from granum.model.boundaries import Box, Cylinder, FixedDisk, Hopper, Plane, Wall
from granum.view.shapes.body_shapes import body_mesh
from granum.view.shapes.boundaries import boundary_mesh
from granum.view.shapes.joints import drive_mesh
from granum.view.shapes.meshes import AROUND, box, clipped, cylinder, half_shell, polygon, sphere, tube
from granum.view.shapes.surfaces import surface_mesh
from granum.view.stage import Mesh

CIRCLE = 0.5 * AROUND * math.sin(2.0 * math.pi / AROUND)
"""Area of the polygon that stands for a circle of radius 1."""
LOW, HIGH = np.zeros(3), np.ones(3)


def area(mesh: Mesh) -> float:
    a, b, c = mesh.vertices[mesh.faces].transpose(1, 0, 2)
    return 0.5 * float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())


def volume(mesh: Mesh) -> float:
    """Inside a closed mesh; positive where its faces look outward."""
    a, b, c = mesh.vertices[mesh.faces].transpose(1, 0, 2)
    return float(np.einsum("ni,ni->", a, np.cross(b, c))) / 6.0


def length(mesh: Mesh) -> float:
    return sum(float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()) for line in mesh.lines)


def test_simple_solids_are_closed_and_face_outward() -> None:
    block = box(np.array([0.5, 1.0, 1.5]))
    assert math.isclose(volume(block), 6.0)
    assert math.isclose(area(block), 22.0)
    assert math.isclose(length(block), 24.0)
    rod = cylinder(3.0, 0.2)
    assert math.isclose(volume(rod), CIRCLE * 0.04 * 3.0)
    assert math.isclose(area(tube(np.array([1.0, 2.0, 3.0]), np.array([4.0, 2.0, 3.0]), 0.2)), area(rod))
    ball = sphere(0.7)
    assert_allclose(np.linalg.norm(ball.vertices, axis=1), 0.7, rtol=1e-12)
    assert_allclose(volume(ball), 4.0 / 3.0 * math.pi * 0.7**3, rtol=0.01)
    assert_allclose(volume(half_shell(1.0, 0.6)), 2.0 / 3.0 * math.pi * (1.0 - 0.6**3), rtol=0.01)
    assert_allclose(volume(half_shell(1.0, 0.0)), 2.0 / 3.0 * math.pi, rtol=0.01)


def test_drives_are_closed_arrows_about_and_along_their_axis() -> None:
    """In 3-D an arrow has the volume of its flat one times its thickness, wherever the axis points to."""
    axis = np.array([1.0, 2.0, -2.0]) / 3.0
    for turns in (True, False):
        flat, thick = (drive_mesh(np.array([0.0, 0.0, 1.0]) if turns else np.array([1.0, 0.0, 0.0]), turns, 0.1, 2),
                       drive_mesh(axis, turns, 0.1, 3))
        assert_allclose(flat.vertices[:, 2], 0.0, atol=1e-15)
        assert math.isclose(volume(thick), 0.08 * area(flat))
        assert thick.tones is not None and thick.tones.all()
    assert_allclose(np.abs(drive_mesh(axis, True, 0.1, 3).vertices @ axis), 0.04)  # half of its thickness


def test_two_tones_part_a_ball_in_halves() -> None:
    ball = sphere(1.0)
    assert ball.tones is not None
    middle = ball.vertices[ball.faces].mean(axis=1)[:, 0]
    assert np.array_equal(ball.tones == 1, middle > 0.0)


def test_a_shell_is_about_its_own_centre() -> None:
    """Body axes begin in the mass centre, 3/8 (a⁴ - b⁴)/(a³ - b³) into the half."""
    half = gr.HalfShell(radius=1.0, inner_radius=0.5, mass=1.0)
    x = 0.375 * (1.0 - 0.5**4) / (1.0 - 0.5**3)
    mesh = body_mesh(half, 3, 0.01)
    assert_allclose([mesh.vertices[:, 0].min(), mesh.vertices[:, 0].max()], [-x, 1.0 - x], atol=1e-12)
    two = body_mesh(gr.TwoHalfShell(radius=1.0, inner_radius=0.5, density=(3.0, 1.0)), 3, 0.01)
    assert_allclose(two.vertices.mean(axis=0)[0], 0.5 * x, rtol=0.02)  # the heavy half is at negative x


def test_bodies_without_shape_reach_their_points() -> None:
    body = gr.RigidBody(mass=1.0, inertia=0.1, points={"tip": (0.3, 0.4), "foot": (0.0, -1.0)})
    tip, foot = body_mesh(body, 2, 0.01).lines
    assert_allclose(tip, [[0.0, 0.0, 0.0], [0.3, 0.4, 0.0]])
    assert_allclose(foot[1], [0.0, -1.0, 0.0])
    assert not len(body_mesh(body, 2, 0.01).faces)
    arms = body_mesh(body, 3, 0.01)
    assert_allclose(arms.vertices[:, 1].min(), -1.0)
    bare = body_mesh(gr.RigidBody(mass=2.0, inertia=0.5), 2, 0.01)
    assert math.isclose(length(bare), 2 * 2 * math.sqrt(0.5 / 2.0))


def test_a_plane_is_cut_at_the_box() -> None:
    """x + y + z = 3/2 cuts the unit cube in a regular hexagon of area 3√3/4."""
    corners = clipped(np.full(3, 0.5), np.ones(3), LOW, HIGH)
    assert len(corners) == 6
    assert math.isclose(area(polygon(corners)), 0.75 * math.sqrt(3.0))
    assert len(clipped(np.full(3, 5.0), np.ones(3), LOW, HIGH)) == 0
    line = boundary_mesh(Plane(position=(0.0, 0.25), normal=(0.0, 2.0)), 2, LOW, HIGH * [1.0, 1.0, 0.0])
    assert not len(line.faces)
    assert_allclose(sorted(line.lines[0].tolist()), [[0.0, 0.25, 0.0], [1.0, 0.25, 0.0]], atol=1e-12)


def test_boundaries_in_space() -> None:
    crate = boundary_mesh(Box(lower=(0, 0, 0), upper=(1, 2, 3), open=("+z", "-x")), 3, LOW, HIGH)
    assert math.isclose(area(crate), 22.0 - 2.0 - 6.0)
    silo = boundary_mesh(Cylinder(ends=((0, 0, 1), (0, 0, 3)), radius=-0.5, closed=(True, False)), 3, LOW, HIGH)
    around = 2.0 * AROUND * math.sin(math.pi / AROUND) * 0.5 * 2.0
    assert math.isclose(area(silo), around + CIRCLE * 0.25)
    assert_allclose([silo.vertices[:, 2].min(), silo.vertices[:, 2].max()], [1.0, 3.0])
    cone = boundary_mesh(Hopper(position=(1, 2, 3), opening=0.2, width=1.0, funnel_height=0.3, height=0.5), 3, LOW,
                         HIGH)
    assert_allclose([cone.vertices.min(axis=0), cone.vertices.max(axis=0)], [[0.5, 1.5, 3.0], [1.5, 2.5, 3.8]])
    lowest = cone.vertices[cone.vertices[:, 2] == 3.0]
    assert_allclose(np.linalg.norm(lowest[:, :2] - [1.0, 2.0], axis=1), 0.1)
    piece = boundary_mesh(Wall(positions=((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0))), 3, LOW, HIGH)
    assert math.isclose(area(piece), 1.0)


def test_boundaries_in_the_plane_are_lines_and_obstacles_are_filled() -> None:
    hole = boundary_mesh(FixedDisk(centre=(0, 0), radius=-1.0), 2, LOW, HIGH)
    disk = boundary_mesh(FixedDisk(centre=(0, 0), radius=1.0), 2, LOW, HIGH)
    assert not len(hole.faces)
    assert_allclose(area(disk), math.pi, rtol=1e-3)
    assert_allclose(length(hole), 2.0 * math.pi, rtol=1e-3)


def test_surfaces_that_are_heights() -> None:
    """Every vertex is on the surface, and the base of the box is covered."""
    mesh = surface_mesh("Z - 0.1*sin(3*X)*cos(2*Y) - 0.2*X**2", 3, LOW, HIGH)
    x, y, z = mesh.vertices.T
    assert_allclose(z, 0.1 * np.sin(3.0 * x) * np.cos(2.0 * y) + 0.2 * x**2, atol=1e-14)
    flat = mesh._replace(vertices=mesh.vertices * [1.0, 1.0, 0.0])
    assert math.isclose(area(flat), 1.0)


def test_other_surfaces_are_marched() -> None:
    """A ball of radius 0.4: its area, and faces that look to where Γ is positive; the error goes with (h/R)²."""
    mesh = surface_mesh("(X - 0.5)**2 + (Y - 0.5)**2 + (Z - 0.5)**2 = 0.16", 3, LOW, HIGH)
    assert_allclose(np.linalg.norm(mesh.vertices - 0.5, axis=1), 0.4, atol=1e-3)
    assert_allclose(area(mesh), 4.0 * math.pi * 0.16, rtol=0.01)
    assert_allclose(volume(mesh), 4.0 / 3.0 * math.pi * 0.4**3, rtol=0.01)
    edges = np.sort(mesh.faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    assert set(np.unique(edges, axis=0, return_counts=True)[1].tolist()) == {2}  # closed
    hole = surface_mesh("0.16 - (X - 0.5)**2 - (Y - 0.5)**2 - (Z - 0.5)**2", 3, LOW, HIGH)
    assert_allclose(volume(hole), -volume(mesh), rtol=1e-9)


def test_curves_in_the_plane() -> None:
    mesh = surface_mesh("(X - 0.5)**2 + (Y - 0.5)**2 - 0.09", 2, LOW, HIGH)
    assert_allclose(length(mesh), 2.0 * math.pi * 0.3, rtol=1e-3)
    assert not len(surface_mesh("X + 5", 2, LOW, HIGH).lines)


@pytest.mark.parametrize("equation", ["sqrt(X - 0.5) - Y", "log(X - 0.5) + Z**2"])
def test_surfaces_with_places_that_have_no_value(equation: str) -> None:
    """Where Γ has no value there is no surface, and nothing warns."""
    mesh = surface_mesh(equation, 3, LOW, HIGH)
    assert np.isfinite(mesh.vertices).all()
    assert mesh.vertices[:, 0].min() >= 0.5
