"""Grains as a data file of LAMMPS (`atom_style sphere`).

A density there stands for a sphere; that of a disk is chosen such that the mass is Granum's, for a thickness of 1 m.
Numbers of grains begin at 0 in Granum, those of atoms at 1 in LAMMPS.
"""

from __future__ import annotations

import math

import numpy as np

from granum.base.kernels import Floats
from granum.grains.state import Grains
from granum.state.table import R

MARGIN = 4.0
"""Room around the grains in radii of the largest: the simulation box grows with them, and never shrinks below this."""
FLAT = 0.5
"""Half width along z of the box of a 2-D scene [m]; nothing depends on it."""


def bounds(grains: Grains, dimension: int) -> Floats:
    """(3, 2): a box around the grains [m]."""
    largest = float(grains.x[:, R].max())
    box = np.column_stack([grains.x[:, :3].min(axis=0), grains.x[:, :3].max(axis=0)])
    box += MARGIN * largest * np.array([-1.0, 1.0])
    if dimension == 2:
        box[2] = -FLAT, FLAT
    return box


def data_text(grains: Grains, materials: int, box: Floats) -> str:
    """The data file of some grains."""
    ids, types = (grains.number + 1).tolist(), (grains.material + 1).tolist()
    diameter = 2.0 * grains.x[:, R]
    density = (grains.mass / (math.pi / 6.0 * diameter**3)).tolist()
    rows = zip(ids, types, diameter.tolist(), density, *grains.x[:, :3].T.tolist(), strict=True)
    motion = zip(ids, *grains.v[:, :3].T.tolist(), *grains.angular_velocity.T.tolist(), strict=True)
    lines = ["Grains of a scene of Granum", "", f"{grains.count} atoms", f"{materials} atom types", ""]
    lines += [f"{low!r} {high!r} {axis}lo {axis}hi" for axis, (low, high) in zip("xyz", box.tolist(), strict=True)]
    lines += ["", "Atoms # sphere", ""]
    lines += [f"{i} {t} {d!r} {rho!r} {x!r} {y!r} {z!r}" for i, t, d, rho, x, y, z in rows]
    lines += ["", "Velocities", ""]
    lines += [f"{i} {vx!r} {vy!r} {vz!r} {wx!r} {wy!r} {wz!r}" for i, vx, vy, vz, wx, wy, wz in motion]
    return "\n".join([*lines, ""])
