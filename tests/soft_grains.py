"""Grains on springs for tests: a scene's materials and boundaries, and grains given one by one."""

from __future__ import annotations

from typing import Any

import numpy as np

import granum as gr
from granum.base.kernels import Floats
from granum.contact.penalty.coefficients import compile_soft_contact
from granum.contact.penalty.soft import Soft
from granum.grains.geometry.boundaries import compile_boundaries
from granum.grains.search.neighbour_list import NeighbourList
from granum.grains.state import Grains
from granum.grains.tables import compile_tables

NO_LOADS = np.zeros((0, 3))


def grains_of(x: Any, r: Any, v: Any = 0.0, spin: Any = 0.0, density: float = 2500.0, disks: bool = False) -> Grains:
    """Spheres, or disks of unit thickness, of material 0."""
    x = np.atleast_2d(np.asarray(x, float))
    n = len(x)
    radii = np.broadcast_to(np.asarray(r, float), n)
    mass = density * (np.pi * radii**2 if disks else 4.0 / 3.0 * np.pi * radii**3)
    rows, state = np.zeros((n, 4)), np.zeros((n, 8))
    rows[:, :3], rows[:, 3] = x, radii
    state[:, :3] = v
    state[:, 4:7] = np.broadcast_to(np.asarray(spin, float), (n, 3)) * radii[:, None]
    state[:, 3], state[:, 7] = 1.0 / mass, (2.0 if disks else 2.5) / mass
    return Grains(0.0, rows, state, np.zeros(n, np.int32), np.arange(n), np.zeros(n, np.int32))


def soft_grains(grains: Grains, material: dict[str, Any] | None = None, boundary: dict[str, Any] | None = None,
                gravity: Any = (0.0, 0.0, 0.0), law: str = "linear", dimension: int = 3, **sections: Any) -> Soft:
    """A solver for these grains; the first material is theirs."""
    materials = {"stuff": material or {}, **sections.pop("more", {})}
    scene = gr.Scene(material=materials, boundary=boundary or {}, **sections)
    tables = compile_tables(scene)
    elements = compile_boundaries(scene, dimension, tables.names)
    contact = compile_soft_contact(tables, law)
    down = np.asarray(gravity, float)
    up = int(np.argmax(np.abs(down))) if np.any(down) else dimension - 1
    return Soft(NeighbourList(grains, elements, dimension, up), tables, contact, down)


def run(solver: Soft, count: int, h: float, extra: Floats = NO_LOADS) -> None:
    """So many steps."""
    while count > 0:
        count -= solver.advance(count, h, extra)


def energy(solver: Soft) -> float:
    """Kinetic and potential energy, and that of springs [J]."""
    grains = solver.neighbour_list.grains
    return grains.kinetic_energy() - float(grains.mass @ (grains.x[:, :3] @ solver.gravity)) + solver.stored()
