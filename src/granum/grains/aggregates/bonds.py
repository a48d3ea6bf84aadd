"""Bonds between parts: which there are, what they bear, and bodies that crumble when it is too much.

In every step the loads on the parts, balanced by their inertia (`balance`), are carried by the bonds with the least
elastic energy (`networks`). The bond of a body that is farthest above its strength breaks, with those nearly as far,
and what is left is tested again. Where the body is in pieces, these become bodies and the step is made again: so no
bond ever passes on more than it can bear.
"""

from __future__ import annotations

import math

import numpy as np

from granum.base.kernels import Floats, Ints
from granum.grains.aggregates.balance import SUMS, balance
from granum.grains.aggregates.networks import Net, components
from granum.grains.aggregates.parts import Bonds, Parts
from granum.grains.aggregates.regrouping import own_inertia, regroup
from granum.grains.state import FIRST
from granum.model.bonds import Bond
from granum.state.table import R

SHEAR = 2.5
"""E/G of bonds: Poisson's ratio 1/4."""
ALIKE = 0.1
"""Bonds beyond their strength whose load is within this part of the worst one break with it: symmetry is not decided by
round-off, and a crack through a large body takes some tens of nets, not hundreds."""
LEFT = -1.0
"""Time of breaking of a bond that left the scene with its body."""


def rows_of(parts: Parts, numbers: Ints) -> Ints:
    """Rows of parts by their numbers; -1 where there is no such part."""
    order = np.argsort(parts.number, kind="stable")
    place = np.searchsorted(parts.number, numbers, sorter=order)
    inside = place < parts.count
    rows = order[np.where(inside, place, 0)] if parts.count else np.zeros(numbers.shape, np.int64)
    known: Ints = np.where(inside & (parts.number[rows] == numbers), rows, -1) if parts.count else rows - 1
    return known


class Section:
    """The section of bonds: a disk of radius R; in the plane a rectangle, 2 R wide and 1 m thick."""

    def __init__(self, radius: Floats, dimension: int) -> None:
        flat = dimension == 2
        self.radius = radius
        self.area = 2.0 * radius if flat else math.pi * radius**2
        self.bending = 2.0 / 3.0 * radius**3 if flat else 0.25 * math.pi * radius**4
        self.twisting = 0.5 * math.pi * radius**4

    def stiffness(self, length: Floats) -> Floats:
        """(n, 6): EA, GA, GA, GJ, EI, EI over the length, E = 1."""
        axial, shear = self.area / length, self.area / length / SHEAR
        bend = self.bending / length
        return np.column_stack([axial, shear, shear, self.twisting / length / SHEAR, bend, bend])

    def stress(self, load: Floats) -> tuple[Floats, Floats]:
        """Largest tension F_n/A + |M_b| R/I and shear |F_t|/A + |M_t| R/J of loads (n, 6) [Pa]."""
        normal, across, along, torsion, bending, sideways = load.T
        tension = normal / self.area + np.hypot(bending, sideways) * self.radius / self.bending
        shear = np.hypot(across, along) / self.area + np.abs(torsion) * self.radius / self.twisting
        return tension, shear


class _Bonded:
    """Some bonds that hold, their parts as nodes of a net in body axes, in the order of their numbers."""

    def __init__(self, parts: Parts, bonds: Bonds, which: Ints, entries: list[Bond], dimension: int) -> None:
        self.which, self.dimension, kind = which, dimension, bonds.entry[which]
        self.number, pair = np.unique(bonds.pair[which], return_inverse=True)
        self.pair, rows = pair.reshape(-1, 2), rows_of(parts, self.number)
        self.place, radii = parts.arm[rows], parts.x[rows, R]
        self.mass, self.own = parts.mass[rows], own_inertia(parts, rows)
        a, b = self.pair.T
        between = self.place[b] - self.place[a]
        length = np.linalg.norm(between, axis=1)
        middle = radii[a] + 0.5 * (length - radii[a] - radii[b])
        thick = np.array([entry.radius_ratio for entry in entries])[kind] * np.minimum(radii[a], radii[b])
        self.section = Section(thick, dimension)
        self.tension = np.array([entry.tensile_strength for entry in entries])[kind]
        self.shear = np.array([entry.shear_strength for entry in entries])[kind]
        self.duration = np.array([entry.duration or 0.0 for entry in entries])[kind]
        self.net = Net(self.place, self.pair, self.place[a] + (middle / length)[:, None] * between,
                       self.section.stiffness(length), dimension)

    @property
    def piece(self) -> Ints:
        """(n,): number of the body or piece that each bond is in."""
        piece: Ints = self.net.label[self.pair[:, FIRST]]
        return piece

    def loads(self, rows: Ints, force: Floats, moment: Floats, omega: Floats) -> Floats:
        """(n, 6): what bonds carry, from forces and moments on all parts and angular velocities, in body axes."""
        f, tau = np.empty((len(rows), 3)), np.empty((len(rows), 3))
        label = self.net.label
        balance(label, self.mass, self.own, self.place, rows, force, moment, omega, self.dimension == 2,
                np.empty((int(label.max()) + 1, SUMS)), f, tau)
        return self.net.carry(f, tau)

    def averaged(self, load: Floats, mean: Floats, h: float) -> Floats:
        """(n, 6): the running mean of loads with that of a step h, which weighs 1 - exp(-h/T)."""
        with np.errstate(divide="ignore"):
            weight = -np.expm1(-h / self.duration)
        average: Floats = mean + weight[:, None] * (load - mean)
        return average

    def ratio(self, load: Floats) -> Floats:
        """(n,): stress over strength, of tension or shear, whichever is worse."""
        tension, shear = self.section.stress(load)
        ratio: Floats = np.maximum(tension / self.tension, shear / self.shear)
        return ratio


class Cement:
    """Tests the bonds of a running scene step by step."""

    def __init__(self, entries: list[Bond], dimension: int) -> None:
        self.entries, self.dimension = entries, dimension
        self._bonded: _Bonded | None = None
        self._rows: Ints = np.zeros(0, np.int64)
        self._made = -1

    def test(self, parts: Parts, bonds: Bonds, made: int, force: Floats, moment: Floats, omega: Floats,
             h: float) -> Ints:
        """Break what cannot bear its load; returns the rows of bodies in which something broke if one is in pieces.

        Args:
            made: changes whenever rows do.
            force, moment, omega: on and of every part, in the axes of its body.
        """
        none = np.zeros(0, np.int64)
        if not self._follow(parts, bonds, made) or self._bonded is None:
            return none
        bonded, whole, before = self._bonded, bonds.whole, bonds.mean.copy()
        load = bonded.averaged(bonded.loads(self._rows, force, moment, omega), before[bonded.which], h)
        bonds.mean[bonded.which] = load
        if not (ratio := bonded.ratio(load)).max() > 1.0:
            return none
        self._bonded = None
        if not self._crack(parts, bonds, bonded, ratio, before, force, moment, omega, h):
            return none
        bonds.mean[:] = before  # the step is made again
        torn = parts.body[rows_of(parts, bonds.pair[whole & ~bonds.whole, FIRST])]
        rows: Ints = np.flatnonzero(np.isin(parts.body, torn))
        return rows

    def forget(self) -> None:
        """The bonds of another state follow."""
        self._bonded, self._made = None, -1

    def _follow(self, parts: Parts, bonds: Bonds, made: int) -> bool:
        """Find the rows of bonded parts after new lists; is there any bond left?"""
        if self._bonded is not None and self._made == made:
            return True
        gone = bonds.whole & (rows_of(parts, bonds.pair) < 0).any(axis=1)
        if gone.any():
            bonds.broke[gone] = LEFT
            self._bonded = None
        if self._bonded is None:
            if not bonds.whole.any():
                return False
            self._bonded = _Bonded(parts, bonds, np.flatnonzero(bonds.whole), self.entries, self.dimension)
        self._rows, self._made = rows_of(parts, self._bonded.number), made
        return True

    def _crack(self, parts: Parts, bonds: Bonds, bonded: _Bonded, ratio: Floats, before: Floats, force: Floats,
               moment: Floats, omega: Floats, h: float) -> bool:
        """Break the worst bond of each body that has one above its strength, until all hold or a body is in pieces."""
        while True:
            piece = bonded.piece
            worst = np.zeros(int(piece.max()) + 1)
            np.maximum.at(worst, piece, ratio)
            broken = ratio > np.maximum(1.0, (1.0 - ALIKE) * worst[piece])
            if not broken.any():
                return False
            bonds.broke[bonded.which[broken]] = parts.t + 0.5 * h
            if components(len(bonded.number), bonded.pair[~broken]).max() > bonded.net.label.max():
                return True
            left = bonded.which[~broken]
            bonded = _Bonded(parts, bonds, left, self.entries, self.dimension)
            load = bonded.loads(rows_of(parts, bonded.number), force, moment, omega)
            bonds.mean[left] = bonded.averaged(load, before[left], h)
            ratio = bonded.ratio(bonds.mean[left])


def fall_apart(parts: Parts, bonds: Bonds, rows: Ints, dimension: int) -> None:
    """Regroup the bodies of some rows into the pieces that bonds still hold together."""
    place = np.full(parts.count, -1)
    place[rows] = np.arange(len(rows))
    pair = place[rows_of(parts, bonds.pair[bonds.whole])]
    label, home = components(len(rows), pair[(pair >= 0).all(axis=1)]), parts.body[rows]
    first = np.full(parts.bodies.count, -1)
    first[home[::-1]] = label[::-1]
    torn = np.isin(home, home[label != first[home]])
    if torn.any():
        regroup(parts, rows[torn], np.unique(label[torn], return_inverse=True)[1], dimension)
