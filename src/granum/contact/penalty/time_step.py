"""The time step of soft contact: what the fastest contact of a scene asks for."""

from __future__ import annotations

import math

import numpy as np

from granum.base.kernels import Floats, Ints
from granum.contact.penalty.coefficients import SoftContact
from granum.grains.geometry.boundaries import Elements
from granum.grains.state import Grains
from granum.state.table import IM, KM, VX, VZ, R, X, Z

STEPS_OF_CONTACT = 25.0
"""Steps in the shortest contact for which a time step is proposed."""
FEWEST_STEPS_OF_CONTACT = 10.0
"""Steps in the shortest contact below which a time step is refused."""
WAVE = (0.2, 0.5)
"""Parts of the time a Rayleigh wave needs across a grain for which a step is proposed, and above which refused."""


def stable_step(grains: Grains, elements: Elements, contact: SoftContact, gravity: Floats) -> tuple[float, float]:
    """A time step that suits the fastest contact, and the limit above which steps are refused [s]; inf without grains.

    The fastest contact is that of the lightest grains of every two materials, without dashpots; where its duration
    depends on speed, with twice the largest speed and a fall through the height of all grains. Proposed are t_c/25 or
    0.2 of the time of a wave across a grain, refused is more than t_c/10, 0.5 of the wave, or what leapfrog with late
    dashpots bears in a dense packing, where the highest frequency is about twice that of a pair:
    ω h < √(1 + 4 ζ²) - 2 ζ.
    """
    proposed, limit = math.inf, math.inf
    law, free = contact.law, grains.v[:, IM] > 0.0
    speed = _impact_speed(grains, gravity) if law.nonlinear and np.any(free) else 0.0
    lightest = {}
    for a in np.unique(grains.material[free]):
        rows = np.nonzero(free & (grains.material == a))[0]
        # by the law of Hertz a pair's duration goes with m²/r
        key = grains.v[rows, IM] ** 2 * (grains.x[rows, R] if law.nonlinear else 1.0)
        lightest[int(a)] = rows[int(np.argmax(key))]
        wave = float(np.min(grains.x[rows, R] * np.sqrt(_density(grains, rows)))) * contact.wave_times[a]
        proposed, limit = min(proposed, WAVE[0] * wave), min(limit, WAVE[1] * wave)
    for a, i in lightest.items():
        pairs = [(b, grains.v[i, IM] + grains.v[j, IM], 1.0 / grains.x[i, R] + 1.0 / grains.x[j, R])
                 for b, j in lightest.items()]
        pairs += [(a if b < 0 else int(b), grains.v[i, IM], 1.0 / grains.x[i, R]) for b in np.unique(elements.material)]
        for b, w_n, curvature in pairs:
            duration, omega = law.duration(contact.pair(a, b), w_n, curvature, speed)
            zeta = contact.damping[a, b] / law.critical
            bears = (math.sqrt(1.0 + 4.0 * zeta**2) - 2.0 * zeta) / omega
            proposed = min(proposed, duration / STEPS_OF_CONTACT)
            limit = min(limit, duration / FEWEST_STEPS_OF_CONTACT, bears)
    return min(proposed, limit), limit


def _impact_speed(grains: Grains, gravity: Floats) -> float:
    """Twice the largest speed, and that after a fall through the height of all grains [m/s]."""
    g = float(np.linalg.norm(gravity))
    height = float(np.ptp(grains.x[:, X:Z + 1] @ gravity)) / g + float(grains.x[:, R].max()) if g else 0.0
    fastest = float(np.sqrt(np.max(np.sum(grains.v[:, VX:VZ + 1] ** 2, axis=1))))
    return max(2.0 * fastest + math.sqrt(2.0 * g * height), 1e-3)


def _density(grains: Grains, rows: Ints) -> Floats:
    """Density of spheres, or of disks of unit thickness [kg/m³]."""
    r, disk = grains.x[rows, R], grains.v[rows, KM] < 2.25 * grains.v[rows, IM]
    density: Floats = 1.0 / (grains.v[rows, IM] * np.where(disk, math.pi * r**2, 4.0 / 3.0 * math.pi * r**3))
    return density
