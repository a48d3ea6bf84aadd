"""Measurements on grains: fabric, stress, flow through a section, numbers of the flow, overlaps, g(r).

Contacts are given as in `network`. Tensors are (d, d) in the plane (d = 2) and in space (d = 3).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy

from granum.base.errors import GranumError
from granum.base.kernels import Floats, kernel
from granum.base.space import displacement, displacements
from granum.grains.state import FIRST, SECOND, Int32s
from granum.model.body_entries import ball_volume

COUNT, MASS = 0, 1
"""Columns of what has passed a section: how many grains, their mass [kg]."""


class Fabric(NamedTuple):
    """The directions of contacts."""

    tensor: Floats
    """F = ⟨n ⊗ n⟩, of trace 1."""
    deviator: Floats
    """D = F - I/d."""
    anisotropy: float
    """√(d/(d - 1) D:D): 0 if all directions are equal, 1 if all normals are parallel; F_1 - F_2 in the plane."""
    direction: Floats
    """(d,) principal direction, its largest component positive."""


def fabric(normal: Floats, dimension: int) -> Fabric:
    """Fabric tensor F = ⟨n ⊗ n⟩ of contacts with unit normals (C, 3)."""
    if not len(normal):
        raise GranumError("There are no contacts, so there is no fabric tensor. Measure where grains touch.")
    n = normal[:, :dimension]
    tensor: Floats = n.T @ n / len(n)
    deviator = tensor - np.eye(dimension) / dimension
    direction: Floats = np.linalg.eigh(tensor)[1][:, -1]
    direction *= np.sign(direction[np.argmax(np.abs(direction))])
    return Fabric(tensor, deviator, math.sqrt(dimension / (dimension - 1) * float(np.sum(deviator**2))), direction)


class Stress(NamedTuple):
    """A mean stress; compression is positive."""

    tensor: Floats
    """σ [Pa] in space; in the plane [N/m], which is [Pa] for disks of unit thickness."""

    @property
    def pressure(self) -> float:
        """tr σ/d [Pa]."""
        return float(np.trace(self.tensor)) / len(self.tensor)

    @property
    def deviator(self) -> float:
        """√(s:s/2) of the symmetric s = σ - p I [Pa]: half the difference of principal stresses in the plane."""
        s = 0.5 * (self.tensor + self.tensor.T) - self.pressure * np.eye(len(self.tensor))
        return math.sqrt(0.5 * float(np.sum(s**2)))

    @property
    def asymmetry(self) -> float:
        """|σ - σᵀ|/|σ|: what is left of the balance of moments; zero for grains in equilibrium."""
        size = float(np.linalg.norm(self.tensor))
        return float(np.linalg.norm(self.tensor - self.tensor.T)) / size if size else 0.0


@kernel
def _moments(x: Floats, radius: Floats, pair: Int32s, normal: Floats, force: Floats, moment: Floats) -> None:
    """Add -f ⊗ (contact - centre) of each contact to its grains; the contact divides a branch as the radii do."""
    d = moment.shape[1]
    for c in range(len(pair)):
        i, j = pair[c, FIRST], pair[c, SECOND]
        if j < 0:
            for a in range(d):
                for b in range(d):
                    moment[i, a, b] += force[c, a] * radius[i] * normal[c, b]
        else:
            part = radius[i] / (radius[i] + radius[j])
            # positions of the plane have two components
            branch = displacement(x[i, 0], x[i, 1], x[i, d - 1], x[j, 0], x[j, 1], x[j, d - 1])
            for a in range(d):
                for b in range(d):
                    product = force[c, a] * branch[b]
                    moment[i, a, b] += part * product
                    moment[j, a, b] += (1.0 - part) * product


def grain_moments(
    positions: Floats, radii: Floats, pair: Int32s, normal: Floats, force: Floats, dimension: int,
) -> Floats:
    """(N, d, d) internal moment of each grain, Σ f ⊗ l over its contacts [N m].

    f acts from outside to the grain, l runs from the contact to its centre, so that pressing is positive. Divided by a
    grain's own volume it is the mean stress in the grain.
    """
    moment = np.zeros((len(positions), dimension, dimension))
    _moments(positions, radii, pair, normal, force, moment)
    return moment


def stress(
    positions: Floats, radii: Floats, pair: Int32s, normal: Floats, force: Floats, dimension: int, volume: float,
    part: Floats | None = None,
) -> Stress:
    """Mean stress σ = (1/V) Σ f ⊗ l over contacts (Love and Weber), compression positive.

    l is the branch vector from centre i to centre j, at the boundary from the contact to the centre.

    Args:
        volume: of the region that the grains are in [m³, in the plane m²].
        part: (N,) how much of each grain is in that region, from 0 to 1; left out, all of all.
    """
    moment = grain_moments(positions, radii, pair, normal, force, dimension)
    total: Floats = moment.sum(axis=0) if part is None else np.tensordot(part, moment, 1)
    return Stress(total / volume)


def kinetic_stress(
    velocities: Floats, masses: Floats, dimension: int, volume: float, part: Floats | None = None,
) -> Stress:
    """(1/V) Σ m v' ⊗ v', v' against the mean velocity of the mass: the part of stress that moving grains carry."""
    m = masses if part is None else masses * part
    v = _fluctuations(velocities[:, :dimension], m)
    return Stress((m[:, None] * v).T @ v / volume)


def granular_temperature(velocities: Floats, masses: Floats, dimension: int) -> float:
    """T = Σ m |v'|²/(d Σ m) [m²/s²]; density times T is the kinetic pressure."""
    v = _fluctuations(velocities[:, :dimension], masses)
    return float(np.sum(masses * np.sum(v**2, axis=1)) / (dimension * np.sum(masses)))


def _fluctuations(v: Floats, m: Floats) -> Floats:
    if not np.sum(m) > 0.0:
        raise GranumError("There are no grains here, so there is no mean velocity. Measure where there are grains.")
    return v - (m @ v) / np.sum(m)


def froude_number(v: float, gravity: float, diameter: float) -> float:
    """v/√(g D) of a flow with mean velocity v through a pipe of diameter D (Sun 1996, eq. 6.2)."""
    return v / math.sqrt(gravity * diameter)


def inertial_number(shear_rate: float, diameter: float, pressure: float, density: float) -> float:
    """γ̇ d √(ρ/P) of grains of diameter d and density ρ: slow below 1e-3, a gas above 1."""
    if not pressure > 0.0:
        raise GranumError(f"the inertial number needs a pressure greater than zero, found {pressure:g} Pa.")
    return abs(shear_rate) * diameter * math.sqrt(density / pressure)


@kernel
def crossings(
    before: Floats, after: Floats, mass: Floats, point: Floats, normal: Floats, half_width: float, passed: Floats,
) -> None:
    """Add to `passed` (2,) the number of grains and the mass [kg] that went through a section.

    A grain passes where its centre goes from the back to the front of the plane, and counts negative on its way back;
    one that arrives on the plane is through. Where it passes (on the straight way between both positions) must not be
    farther than half_width from the point. Rows of before and after are the same grains; `normal` is a unit vector.
    """
    for i in range(len(before)):
        a = b = 0.0
        for k in range(3):
            a += (before[i, k] - point[k]) * normal[k]
            b += (after[i, k] - point[k]) * normal[k]
        if (a < 0.0) == (b < 0.0):
            continue
        s, far = a / (a - b), 0.0
        for k in range(3):
            far += (before[i, k] + s * (after[i, k] - before[i, k]) - point[k]) ** 2
        if far <= half_width * half_width:
            way = 1.0 if a < 0.0 else -1.0
            passed[COUNT] += way
            passed[MASS] += way * mass[i]


class Penetration(NamedTuple):
    """Overlaps of contacts, relative to the smaller radius of the two."""

    mean: float
    """Over the contacts that touch or overlap."""
    rms: float
    largest: float
    closed: int
    """Contacts that touch or overlap."""


def gaps(positions: Floats, radii: Floats, pair: Int32s) -> Floats:
    """(C,): distance - r_i - r_j of grains in a pair [m]; rows with the boundary are refused."""
    if np.any(pair < 0):
        raise GranumError("rows with a negative number are contacts with the boundary; remove them.")
    i, j = pair.T
    return np.linalg.norm(displacements(positions[i], positions[j]), axis=1) - radii[i] - radii[j]


def penetration(gap: Floats, pair: Int32s, radii: Floats) -> Penetration:
    """Statistics of overlaps -gap (C,), relative to the smaller radius; open contacts do not count."""
    closed = gap <= 0.0
    i, j = pair[closed].T
    least = np.where(j >= 0, np.minimum(radii[i], radii[np.maximum(j, 0)]), radii[i])
    overlap = -gap[closed] / least
    if not len(overlap):
        return Penetration(0.0, 0.0, 0.0, 0)
    return Penetration(float(overlap.mean()), float(np.sqrt(np.mean(overlap**2))), float(overlap.max()), len(overlap))


def radial_distribution(
    positions: Floats, lower: Floats, upper: Floats, largest: float, bins: int = 100, periodic: bool = False,
) -> tuple[Floats, Floats]:
    """Pair correlation g(r) of centres in a box, and the edges (bins + 1,) of its bins up to r = largest [m].

    Edges of the box are corrected pair by pair: a pair at offset h is weighed with 1/Π (L_k - |h_k|), the part of the
    box in which it could lie (Ohser and Stoyan), so that g = 1 for points at random. A periodic box needs none.
    """
    size = np.asarray(upper, dtype=float) - np.asarray(lower, dtype=float)
    d, count = len(size), len(positions)
    x = positions[:, :d] - np.asarray(lower, dtype=float)
    if np.any(x < 0.0) or np.any(x > size):
        raise GranumError("Some centres lie outside the box; give only those inside, or a larger box.")
    if not 0.0 < largest < (0.5 if periodic else 1.0) * size.min():
        raise GranumError(f"largest {largest:g} m must be positive and below {'half ' if periodic else ''}the smallest "
                          f"side {size.min():g} m of the box.")
    tree = scipy.spatial.cKDTree(np.mod(x, size) if periodic else x, boxsize=size if periodic else None)
    i, j = tree.query_pairs(largest, output_type="ndarray").T
    h = displacements(x[i], x[j])
    if periodic:
        h -= size * np.round(h / size)
    weight = np.ones(len(h)) / np.prod(size) if periodic else 1.0 / np.prod(size - np.abs(h), axis=1)
    counts, edges = np.histogram(np.linalg.norm(h, axis=1), bins, (0.0, largest), weights=weight)
    ball = ball_volume(edges, d)
    pairs = 0.5 * count * (count - 1) / np.prod(size) ** 2
    return counts / (np.diff(ball) * max(pairs, 1e-300)), edges
