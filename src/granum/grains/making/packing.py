"""Random dense packings by growth: soft repulsion pushes overlapping grains apart until none overlap.

Grains that overlap by δ repel each other and the sides of their room with energy δ²/2 (O'Hern, Silbert, Liu, Nagel,
Phys. Rev. E 68 (2003) 011306). Below random close packing the energy is brought to zero; where it can not, the
packing is jammed. Energy is minimised by FIRE (Bitzek et al., Phys. Rev. Lett. 97 (2006) 170201; with the half step
back of Guénolé et al., Comput. Mater. Sci. 175 (2020) 109584).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats, Ints, kernel
from granum.grains.geometry.rooms import Room
from granum.grains.making.placement import NO_GRAINS, Distance, check_possible, content
from granum.grains.search.buckets import NO_PERIOD, apart, overlapping
from granum.model.regions import BoxRegion

FREE, SETTLED, MOVED, TIRED = 0, 1, 2, 3
"""How a relaxation ends: no overlap is left, forces balance, a new neighbour list is needed, steps are used up."""
DT, ALPHA, UPHILL, DOWNHILL = 0, 1, 2, 3
"""Memory of FIRE: time step, mixing, steps against and along the force."""
WORST, TOTAL, CONTACTS, NET = 0, 1, 2, 3
"""Findings: largest overlap relative to the sum of radii, sum of overlaps, their number, largest net force."""

SLACK = 1e-6
"""Grains are grown by this much too large, so that overlaps of half of it, left by the relaxation, are none."""
FLAT_NONE, CURVED_NONE = np.zeros((0, 4)), np.zeros((0, 7))
LONGEST_STEP = 0.35
"""Time step of FIRE with unit stiffness and mass; some eight contacts of a grain make 0.5 unstable."""


@kernel
def _forces(x: Floats, r: Floats, movable: int, pairs: Ints, period: Floats, flat: Floats, curved: Floats,
            tangent: Floats, f: Floats, found: Floats) -> None:
    """Repulsion F = δ n of all overlapping grains, and what there is to say about it; only the first ones can move."""
    f[:] = 0.0
    worst, total, contacts = 0.0, 0.0, 0
    for k in range(len(pairs)):
        i, j = pairs[k, 0], pairs[k, 1]
        dx, dy = apart(x[j, 0] - x[i, 0], period[0]), apart(x[j, 1] - x[i, 1], period[1])
        dz = apart(x[j, 2] - x[i, 2], period[2])
        s = r[i] + r[j]
        d2 = dx * dx + dy * dy + dz * dz
        if d2 < s * s:
            d = np.sqrt(d2)
            overlap = s - d
            pull = overlap / d if d > 0.0 else 0.0
            f[i, 0] -= pull * dx
            f[i, 1] -= pull * dy
            f[i, 2] -= pull * dz
            f[j, 0] += pull * dx
            f[j, 1] += pull * dy
            f[j, 2] += pull * dz
            total += overlap
            contacts += 1
            worst = max(worst, overlap / s)
    f[movable:] = 0.0
    for i in range(movable):
        overlap = r[i] + tangent[i, 3] - x[i, 0] * tangent[i, 0] - x[i, 1] * tangent[i, 1] - x[i, 2] * tangent[i, 2]
        if overlap > 0.0:
            for c in range(3):
                f[i, c] += overlap * tangent[i, c]
            total += overlap
            contacts += 1
            worst = max(worst, overlap / r[i])
        for k in range(len(flat)):
            overlap = r[i] + flat[k, 3] - x[i, 0] * flat[k, 0] - x[i, 1] * flat[k, 1] - x[i, 2] * flat[k, 2]
            if overlap > 0.0:
                for c in range(3):
                    f[i, c] += overlap * flat[k, c]
                total += overlap
                contacts += 1
                worst = max(worst, overlap / r[i])
        for k in range(len(curved)):
            dx, dy, dz = x[i, 0] - curved[k, 0], x[i, 1] - curved[k, 1], x[i, 2] - curved[k, 2]
            along = dx * curved[k, 3] + dy * curved[k, 4] + dz * curved[k, 5]
            dx, dy, dz = dx - along * curved[k, 3], dy - along * curved[k, 4], dz - along * curved[k, 5]
            d = np.sqrt(dx * dx + dy * dy + dz * dz)
            overlap = r[i] + d - curved[k, 6]
            if overlap > 0.0:
                pull = overlap / d if d > 0.0 else 0.0
                f[i, 0] -= pull * dx
                f[i, 1] -= pull * dy
                f[i, 2] -= pull * dz
                total += overlap
                contacts += 1
                worst = max(worst, overlap / r[i])
    found[WORST], found[TOTAL], found[CONTACTS] = worst, total, contacts


@kernel
def _relax(x: Floats, v: Floats, f: Floats, origin: Floats, r: Floats, weight: Floats, movable: int, pairs: Ints,
           period: Floats, flat: Floats, curved: Floats, tangent: Floats, skin: float, free: float, balance: float,
           steps: int, fire: Floats, found: Floats) -> tuple[int, int]:
    """Minimise the energy from x by FIRE; how it ended, and steps taken.

    Args:
        origin: centres at which `pairs` was listed; when one has moved by skin/2, the list is used up.
        weight: mass of each grain, in the sense of FIRE only.
        tangent: (n, 4) normal and offset of the boundary next to each grain, as if it were flat.
        free: largest relative overlap that counts as none.
        balance: forces balance when no net force exceeds this part of the mean contact force.
    """
    n = movable
    for step in range(steps):
        _forces(x, r, movable, pairs, period, flat, curved, tangent, f, found)
        if found[WORST] <= free:
            return FREE, step
        power, ff, vv, net = 0.0, 0.0, 0.0, 0.0
        for i in range(n):
            g2 = f[i, 0] * f[i, 0] + f[i, 1] * f[i, 1] + f[i, 2] * f[i, 2]
            net = max(net, g2)
            for c in range(3):
                power += f[i, c] * v[i, c]
                vv += v[i, c] * v[i, c]
            ff += g2
        found[NET] = np.sqrt(net)
        if found[NET] <= balance * found[TOTAL] / found[CONTACTS]:
            return SETTLED, step
        dt = fire[DT]
        if power > 0.0:
            fire[DOWNHILL] += 1.0
            fire[UPHILL] = 0.0
            if fire[DOWNHILL] > 5.0:
                dt = min(1.1 * dt, LONGEST_STEP)
                fire[ALPHA] *= 0.99
        else:
            fire[DOWNHILL] = 0.0
            fire[UPHILL] += 1.0
            for i in range(n):
                for c in range(3):
                    x[i, c] -= 0.5 * dt * v[i, c]
                    v[i, c] = 0.0
            dt = max(0.5 * dt, 0.01 * LONGEST_STEP)
            fire[ALPHA] = 0.1
            vv = 0.0
        fire[DT] = dt
        alpha = fire[ALPHA]
        # the velocity is turned towards the force; v and f are compared as they are, weights only slow the heavy
        mix = alpha * np.sqrt(vv / ff) if ff > 0.0 else 0.0
        moved = 0.0
        for i in range(n):
            travel = 0.0
            for c in range(3):
                v[i, c] = (1.0 - alpha) * v[i, c] + mix * f[i, c] + dt * f[i, c] / weight[i]
                x[i, c] += dt * v[i, c]
                travel += (x[i, c] - origin[i, c]) ** 2
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

    def relax(self, scale: float, free: float, balance: float, most_steps: int) -> tuple[int, Floats, int]:
        """Push grains with radii times scale apart; how it ended, the findings, and steps taken."""
        r = self.radii.copy()
        r[:self.movable] *= scale
        weight = (r / r.min()) ** (self.dimension - 1)
        v, f, found = np.zeros_like(self.x), np.zeros_like(self.x), np.zeros(4)
        fire = np.array([0.1, 0.1, 0.0, 0.0])
        left, used = most_steps, 0
        while True:
            # grains fly at first and hardly move in the end, when short lists save work
            skin = (0.1 if used > 200 else 0.5) * float(r.min())
            if self.period.any():
                self.x -= np.where(self.period > 0.0, self.period * np.floor(
                    self.x / np.where(self.period > 0.0, self.period, 1.0)), 0.0)
            pairs = self.neighbours(r + 0.5 * skin)
            how, used = _relax(self.x, v, f, self.x.copy(), r, weight, self.movable, pairs, self.period, self.flat,
                               self.curved, self.tangents(r + skin), skin, free, balance, left, fire, found)
            left -= used
            # near a bent boundary an end counts only with its tangents taken there
            if left <= 0 or (how != MOVED and (self.distance is None or used == 0)):
                return (TIRED if how == MOVED else how), found, most_steps - left

    def neighbours(self, r: Floats) -> Ints:
        """Pairs closer than the sum of their r, at least one of them movable."""
        pairs = overlapping(np.column_stack([self.x, r]), self.dimension, self.period)
        return pairs[pairs.min(axis=1) < self.movable] if self.movable < len(r) else pairs

    def tangents(self, reach: Floats) -> Floats:
        """Normal and offset of the boundary next to each grain, where it is within reach."""
        tangent = np.zeros((len(self.x), 4))
        tangent[:, 3] = -np.inf
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
        tangent[near, :3], tangent[near, 3] = normal, np.sum(normal * x, axis=1) - d[near]
        return tangent


def place_densely(room: Room, radii: Floats, rng: np.random.Generator, *, others: Floats = NO_GRAINS,
                  distance: Distance | None = None) -> Floats:
    """Centres (n, 3) of grains at random in a room, up to random close packing and without overlap.

    Points at random grow to grains that push each other away. Where they jam, they are shaken, and what is less
    jammed than before is kept. An error says what fraction they could grow to.
    """
    fraction = check_possible(room, radii)
    lower, upper = room.bounds
    others = others[np.all((others[:, :3] > lower - others[:, 3:]) & (others[:, :3] < upper + others[:, 3:]), axis=1)]
    n = len(radii)
    soft = Softened(np.concatenate([room.draw(rng.random((n, 3)), radii), others[:, :3]]),
                    np.concatenate([radii * (1.0 + SLACK), others[:, 3]]), room.dimension, NO_PERIOD, *room.sides(), n,
                    distance)
    work = max(40_000, int(2e8 / max(n, 500)))
    least, best = np.inf, soft.x
    while work > 0:
        how, found, used = soft.relax(1.0, 0.5 * SLACK, 1e-3, 20_000)
        if how == FREE:
            return soft.x[:n]
        if found[TOTAL] < least:
            least, best = float(found[TOTAL]), soft.x
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
        f"{n} grains were to fill {fraction:.4f} of the region, but growing at random they jammed at "
        f"{fraction * scale**room.dimension:.4f}. Take a smaller fraction, sizes that differ more, or "
        'arrangement = "lattice"; a larger region holds a larger fraction, since fewer grains are at its sides.')


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
        carry = np.ones(len(self.positions), dtype=bool)
        while True:
            both = self.contacts[carry[self.contacts].all(axis=1)]
            number = np.bincount(both.ravel(), minlength=len(carry))
            loose = carry & (number < dimension + 1)
            if not loose.any():
                return float(number[carry].mean()) if carry.any() else 0.0, int(np.sum(~carry))
            carry &= ~loose


def close_packing(radii: Floats, lengths: Floats, rng: np.random.Generator, *, periodic: bool = True,
                  overlap: float = 1e-6) -> ClosePacking:
    """Random close packing of frictionless grains by O'Hern's protocol, in a box with edges `lengths` (2 or 3).

    From random points below the onset grains are compressed by small steps until their overlap energy can not be
    brought to zero, and then decompressed by halving the interval until overlaps are below `overlap`.
    """
    dimension = len(lengths)
    edges = np.zeros(3)
    edges[:dimension] = lengths
    room = Room(BoxRegion(lower=(0.0,) * dimension, upper=tuple(map(float, lengths))), dimension)
    sides = (FLAT_NONE, CURVED_NONE) if periodic else room.sides()
    soft = Softened(rng.random((len(radii), 3)) * edges, radii, dimension, edges if periodic else NO_PERIOD, *sides,
                    len(radii))
    unit, size = float(np.sum(content(radii, dimension))) / room.volume, 2.0 * float(radii.mean())
    low = ({2: 0.70, 3: 0.50}[dimension] / unit) ** (1.0 / dimension)
    free, balance, most = 0.1 * overlap, 1e-5, 100_000

    def jammed(scale: float, x: Floats) -> tuple[bool, float]:
        soft.x = x.copy()
        how, found, _ = soft.relax(scale, free, balance, most)
        return how != FREE, float(found[TOTAL] / max(1.0, found[CONTACTS])) / (size * scale)

    stuck, mean = jammed(low, soft.x)
    if stuck:
        raise GranumError(f"Grains jam below a packing fraction of {unit * low**dimension:.2f} already: the box is too "
                          "small for them; take more grains.")
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
