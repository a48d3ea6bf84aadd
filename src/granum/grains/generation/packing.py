"""Random dense packings by growth: soft repulsion pushes overlapping grains apart until none overlap.

Grains that overlap by δ repel each other and the sides of their room with energy δ²/2 (O'Hern, Silbert, Liu, Nagel,
Phys. Rev. E 68 (2003) 011306). Below random close packing the energy is brought to zero; where it can not, the
packing is jammed. Energy is minimised by FIRE (Bitzek et al., Phys. Rev. Lett. 97 (2006) 170201; with the half step
back of Guénolé et al., Comput. Mater. Sci. 175 (2020) 109584).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats, Ints, Record, kernel
from granum.base.space import NO_PERIOD, displacement, periodic_displacement
from granum.grains.generation.placement import NO_GRAINS, Distance, check_possible
from granum.grains.geometry.regions import Geometry, geometry_of
from granum.grains.geometry.regions.region import AXIS, OFFSET, RADIUS
from granum.grains.measuring.network import rattlers
from granum.grains.search.neighbours import overlapping
from granum.grains.state import FIRST, SECOND
from granum.model.body_entries import ball_volume
from granum.model.regions import BoxRegion
from granum.state.table import R, X, Y, Z

FREE, SETTLED, MOVED, TIRED = 0, 1, 2, 3
"""How a relaxation ends: no overlap is left, forces balance, a new neighbour list is needed, steps are used up."""
FIRE = np.dtype([("dt", float), ("mixing", float), ("uphill", float), ("downhill", float)])
"""State of FIRE: time step, mixing of velocity and force, steps against and along the force."""
OVERLAPS = np.dtype([("worst", float), ("total", float), ("contacts", float), ("net", float)])
"""Overlaps: largest relative to the sum of radii, sum, number; largest net force on a grain."""

SLACK = 1e-6
"""Grains are grown by this much too large, so that overlaps of half of it, left by the relaxation, are none."""
FLAT_NONE, CURVED_NONE = np.zeros((0, OFFSET + 1)), np.zeros((0, RADIUS + 1))
LONGEST_STEP = 0.35
"""Time step of FIRE with unit stiffness and mass; some eight contacts of a grain make 0.5 unstable."""


class Walls(NamedTuple):
    """What holds the grains in."""

    period: Floats
    """(3,): lengths of a periodic box, 0 where it has none [m]."""
    flat: Floats
    """(n, 4): flat sides of the room."""
    curved: Floats
    """(n, 7): curved ones."""
    tangent: Floats
    """(grains, 4): flat side in place of the boundary next to each grain."""


class Balls(NamedTuple):
    """Soft grains, of which the first `movable` can move."""

    x: Floats
    v: Floats
    f: Floats
    r: Floats
    weight: Floats
    """Mass of each grain, in the sense of FIRE only."""
    movable: int


@kernel
def _push_back(x: Floats, i: int, r: float, side: Floats, f: Floats, overlaps: Record) -> None:
    """Repulsion of grain i from a flat side."""
    overlap = r + side[OFFSET] - x[i, X] * side[X] - x[i, Y] * side[Y] - x[i, Z] * side[Z]
    if overlap > 0.0:
        for c in range(3):
            f[i, c] += overlap * side[c]
        overlaps.total += overlap
        overlaps.contacts += 1.0
        overlaps.worst = max(overlaps.worst, overlap / r)


@kernel
def _forces(balls: Balls, pairs: Ints, walls: Walls, overlaps: Record) -> None:
    """Repulsion F = δ n of all overlapping grains, and what there is to say about it; only the first ones can move."""
    x, r, f, period = balls.x, balls.r, balls.f, walls.period
    f[:] = 0.0
    overlaps.worst, overlaps.total, overlaps.contacts = 0.0, 0.0, 0.0
    for k in range(len(pairs)):
        i, j = pairs[k, FIRST], pairs[k, SECOND]
        dx, dy, dz = periodic_displacement(x[i, X], x[i, Y], x[i, Z], x[j, X], x[j, Y], x[j, Z], period)
        s = r[i] + r[j]
        d2 = dx * dx + dy * dy + dz * dz
        if d2 < s * s:
            d = np.sqrt(d2)
            overlap = s - d
            pull = overlap / d if d > 0.0 else 0.0
            f[i, X] -= pull * dx
            f[i, Y] -= pull * dy
            f[i, Z] -= pull * dz
            f[j, X] += pull * dx
            f[j, Y] += pull * dy
            f[j, Z] += pull * dz
            overlaps.total += overlap
            overlaps.contacts += 1.0
            overlaps.worst = max(overlaps.worst, overlap / s)
    f[balls.movable:] = 0.0
    for i in range(balls.movable):
        _push_back(x, i, r[i], walls.tangent[i], f, overlaps)
        for k in range(len(walls.flat)):
            _push_back(x, i, r[i], walls.flat[k], f, overlaps)
        for k in range(len(walls.curved)):
            point, axis = walls.curved[k], walls.curved[k, AXIS:RADIUS]
            dx, dy, dz = x[i, X] - point[X], x[i, Y] - point[Y], x[i, Z] - point[Z]
            along = dx * axis[X] + dy * axis[Y] + dz * axis[Z]
            dx, dy, dz = dx - along * axis[X], dy - along * axis[Y], dz - along * axis[Z]
            d = np.sqrt(dx * dx + dy * dy + dz * dz)
            overlap = r[i] + d - point[RADIUS]
            if overlap > 0.0:
                pull = overlap / d if d > 0.0 else 0.0
                f[i, X] -= pull * dx
                f[i, Y] -= pull * dy
                f[i, Z] -= pull * dz
                overlaps.total += overlap
                overlaps.contacts += 1.0
                overlaps.worst = max(overlaps.worst, overlap / r[i])


@kernel
def _relax(balls: Balls, pairs: Ints, origin: Floats, skin: float, walls: Walls, free: float, balance: float,
           steps: int, fire: Record, overlaps: Record) -> tuple[int, int]:
    """Minimise the energy from x by FIRE; how it ended, and steps taken.

    Args:
        pairs: neighbours, listed at the centres `origin`; when one has moved by skin/2, the list is used up.
        free: largest relative overlap that counts as none.
        balance: forces balance when no net force exceeds this part of the mean contact force.
    """
    x, v, f, n = balls.x, balls.v, balls.f, balls.movable
    for step in range(steps):
        _forces(balls, pairs, walls, overlaps)
        if overlaps.worst <= free:
            return FREE, step
        power, ff, vv, net = 0.0, 0.0, 0.0, 0.0
        for i in range(n):
            g2 = f[i, X] * f[i, X] + f[i, Y] * f[i, Y] + f[i, Z] * f[i, Z]
            net = max(net, g2)
            for c in range(3):
                power += f[i, c] * v[i, c]
                vv += v[i, c] * v[i, c]
            ff += g2
        overlaps.net = np.sqrt(net)
        if overlaps.net <= balance * overlaps.total / overlaps.contacts:
            return SETTLED, step
        dt = fire.dt
        if power > 0.0:
            fire.downhill += 1.0
            fire.uphill = 0.0
            if fire.downhill > 5.0:
                dt = min(1.1 * dt, LONGEST_STEP)
                fire.mixing *= 0.99
        else:
            fire.downhill = 0.0
            fire.uphill += 1.0
            for i in range(n):
                for c in range(3):
                    x[i, c] -= 0.5 * dt * v[i, c]
                    v[i, c] = 0.0
            dt = max(0.5 * dt, 0.01 * LONGEST_STEP)
            fire.mixing = 0.1
            vv = 0.0
        fire.dt = dt
        # the velocity is rotated towards the force; v and f are compared as they are, weights only slow the heavy
        mix = fire.mixing * np.sqrt(vv / ff) if ff > 0.0 else 0.0
        moved = 0.0
        for i in range(n):
            for c in range(3):
                v[i, c] = (1.0 - fire.mixing) * v[i, c] + mix * f[i, c] + dt * f[i, c] / balls.weight[i]
                x[i, c] += dt * v[i, c]
            dx, dy, dz = displacement(origin[i, X], origin[i, Y], origin[i, Z], x[i, X], x[i, Y], x[i, Z])
            travel = dx * dx + dy * dy + dz * dz
            moved = max(moved, travel)
        if moved > 0.25 * skin * skin:
            return MOVED, step + 1
    return TIRED, steps


@dataclass
class Softened:
    """Soft grains in a room or a periodic box, the first of them movable."""

    x: Floats
    """(n, 3) centres [m]."""
    radii: Floats
    dimension: int
    period: Floats
    flat: Floats
    curved: Floats
    movable: int
    distance: Distance | None = None

    def relax(self, scale: float, free: float, balance: float, most_steps: int) -> tuple[int, Record, int]:
        """Push grains with radii times scale apart; how it ended, the overlaps left, and steps taken."""
        r = self.radii.copy()
        r[:self.movable] *= scale
        weight = (r / r.min()) ** (self.dimension - 1)
        v, f = np.zeros_like(self.x), np.zeros_like(self.x)
        fire, overlaps = np.array([(0.1, 0.1, 0.0, 0.0)], FIRE)[0], np.zeros(1, OVERLAPS)[0]
        left, used = most_steps, 0
        while True:
            # grains fly at first and hardly move in the end, when short lists save work
            skin = (0.1 if used > 200 else 0.5) * float(r.min())
            if self.period.any():
                self.x -= np.where(self.period > 0.0, self.period * np.floor(
                    self.x / np.where(self.period > 0.0, self.period, 1.0)), 0.0)
            pairs = self.neighbours(r + 0.5 * skin)
            walls = Walls(self.period, self.flat, self.curved, self.tangents(r + skin))
            how, used = _relax(Balls(self.x, v, f, r, weight, self.movable), pairs, self.x.copy(), skin, walls, free,
                               balance, left, fire, overlaps)
            left -= used
            # near a bent boundary an end counts only with its tangents taken there
            if left <= 0 or (how != MOVED and (self.distance is None or used == 0)):
                return (TIRED if how == MOVED else how), overlaps, most_steps - left

    def neighbours(self, r: Floats) -> Ints:
        """Pairs closer than the sum of their r, at least one of them movable."""
        pairs = overlapping(np.column_stack([self.x, r]), self.period)
        return pairs[pairs.min(axis=1) < self.movable] if self.movable < len(r) else pairs

    def tangents(self, reach: Floats) -> Floats:
        """Normal and offset of the boundary next to each grain, where it is within reach."""
        tangent = np.zeros((len(self.x), OFFSET + 1))
        tangent[:, OFFSET] = -np.inf
        if self.distance is None:
            return tangent
        d = self.distance(self.x[:self.movable])
        near = np.flatnonzero(d < reach[:self.movable])
        x, h = self.x[near], 1e-6 * float(self.radii.min())
        normal = np.zeros((len(near), 3))
        for k, step in enumerate(h * np.eye(3)[:self.dimension]):
            normal[:, k] = self.distance(x + step) - self.distance(x - step)
        size = np.linalg.norm(normal, axis=1)
        normal[size > 0.0] /= size[size > 0.0, None]
        tangent[near, :OFFSET], tangent[near, OFFSET] = normal, np.sum(normal * x, axis=1) - d[near]
        return tangent


def place_densely(room: Geometry, radii: Floats, rng: np.random.Generator, *, others: Floats = NO_GRAINS,
                  distance: Distance | None = None) -> Floats:
    """Centres (n, 3) of grains at random in a room, up to random close packing and without overlap.

    Points at random grow to grains that push each other away. Where they jam, they are shaken, and what is less
    jammed than before is kept. An error says what fraction they could grow to.
    """
    fraction = check_possible(room, radii)
    lower, upper = room.bounds
    others = others[np.all((others[:, :R] > lower - others[:, R:]) & (others[:, :R] < upper + others[:, R:]), axis=1)]
    n = len(radii)
    soft = Softened(np.concatenate([room.draw(rng.random((n, 3)), radii), others[:, :R]]),
                    np.concatenate([radii * (1.0 + SLACK), others[:, R]]), room.dimension, NO_PERIOD, *room.sides(), n,
                    distance)
    work = max(40_000, int(2e8 / max(n, 500)))
    least, best = np.inf, soft.x
    while work > 0:
        how, overlaps, used = soft.relax(1.0, 0.5 * SLACK, 1e-3, 20_000)
        if how == FREE:
            return soft.x[:n]
        if overlaps["total"] < least:
            least, best = float(overlaps["total"]), soft.x
        work -= used + 500
        shake = 0.2 * float(radii.min()) * rng.standard_normal(best.shape)
        shake[:, room.dimension:] = 0.0
        shake[n:] = 0.0
        soft.x = best + shake
    soft.x, scale, how = best, 1.0, TIRED
    while how != FREE and scale > 0.1:
        scale *= 0.997
        how, _, _ = soft.relax(scale, 0.5 * SLACK, 1e-3, 4000)
    raise GranumError(
        f"{n} grains should fill {fraction:.4f} of the region, but jammed during growth at "
        f"{fraction * scale**room.dimension:.4f}. Use a smaller fraction, sizes that differ more, or arrangement = "
        '"lattice"; a larger region holds a larger fraction, because fewer grains touch its sides.')


@dataclass(frozen=True)
class ClosePacking:
    """A packing at the onset of jamming."""

    positions: Floats
    """(n, 3) centres [m]."""
    scale: float
    """Radii are the given ones times this."""
    fraction: float
    """Packing fraction."""
    contacts: Ints
    """(m, 2) pairs that touch."""
    overlap: float
    """Mean overlap of contacts, relative to the mean sum of radii: how far above the onset it is."""

    def coordination(self, dimension: int) -> tuple[float, int]:
        """Mean number of contacts of the grains that carry force, and the number of rattlers, which do not."""
        loose = rattlers(self.contacts.astype(np.int32), len(self.positions), dimension + 1)
        carried = self.contacts[~loose[self.contacts].any(axis=1)]
        number = np.bincount(carried.ravel(), minlength=len(loose))[~loose]
        return float(number.mean()) if len(number) else 0.0, int(np.sum(loose))


def close_packing(radii: Floats, lengths: Floats, rng: np.random.Generator, *, periodic: bool = True,
                  overlap: float = 1e-6) -> ClosePacking:
    """Random close packing of frictionless grains by O'Hern's protocol, in a box with edges `lengths` (2 or 3).

    From random points below the onset grains are compressed by small steps until their overlap energy can not be
    brought to zero, and then decompressed by halving the interval until overlaps are below `overlap`.
    """
    dimension = len(lengths)
    edges = np.zeros(3)
    edges[:dimension] = lengths
    room = geometry_of(BoxRegion(lower=(0.0,) * dimension, upper=tuple(map(float, lengths))))
    sides = (FLAT_NONE, CURVED_NONE) if periodic else room.sides()
    soft = Softened(rng.random((len(radii), 3)) * edges, radii, dimension, edges if periodic else NO_PERIOD, *sides,
                    len(radii))
    unit, size = float(np.sum(ball_volume(radii, dimension))) / room.volume, 2.0 * float(radii.mean())
    low = ({2: 0.70, 3: 0.50}[dimension] / unit) ** (1.0 / dimension)
    free, balance, most = 0.1 * overlap, 1e-5, 100_000

    def jammed(scale: float, x: Floats) -> tuple[bool, float]:
        soft.x = x.copy()
        how, left, _ = soft.relax(scale, free, balance, most)
        return how != FREE, float(left["total"] / max(1.0, left["contacts"])) / (size * scale)

    stuck, mean = jammed(low, soft.x)
    if stuck:
        raise GranumError(f"Grains jam below a packing fraction of {unit * low**dimension:.2f} : the box is too small "
                          "for them. Use more grains.")
    high = low
    while not stuck:
        low, high = high, high * 1.002
        stuck, mean = jammed(high, soft.x)
    x, scale = soft.x, high
    while mean > overlap and high - low > 1e-12 * high:
        middle = 0.5 * (low + high)
        stuck, mean_here = jammed(middle, x)
        if stuck:
            high, mean, x, scale = middle, mean_here, soft.x, middle
        else:
            low = middle
    soft.x = x
    return ClosePacking(x, scale, unit * scale**dimension, soft.neighbours(scale * radii), mean)
