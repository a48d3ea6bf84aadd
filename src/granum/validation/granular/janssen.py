"""A silo whose walls carry the weight: the mass that the bottom feels saturates with the mass filled in.

Janssen, Z. Ver. dtsch. Ing. 39 (1895) 1045: with a pressure on the walls of K times that on the bottom and friction
μ mobilised upward along them, M_a = M∞ (1 - exp(-M/M∞)), in the plane M∞ = ρ W²/(2 μ K) with the width W. How much
of the friction is mobilised depends on the history; Vanel, Clément, Eur. Phys. J. B 11 (1999) 525, therefore lower
the bottom slowly while they weigh. So it is done here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import curve_fit

from granum.base.kernels import Floats
from granum.model.scene import Scene
from granum.validation.case import Case, Curve, Figure, Panel, Sheet
from granum.validation.granular.common import DENSITY, D, dense, lively, material, plane, surface
from granum.validation.scenes import GRAVITY, gravity

SOURCE = "Janssen, Z. Ver. dtsch. Ing. 39 (1895) 1045; Vanel, Clément, Eur. Phys. J. B 11 (1999) 525"
WIDTH = 14.0
"""Width of the silo, in diameters."""
HEIGHTS = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
"""Heights of filling, in widths."""
SEEDS = 2
FRICTION, WALL = 0.5, 0.3
"""Between disks, and of disks at the walls: less there, so that disks slide along walls rather than roll."""
FRACTION = 0.77
SETTLE, LOWER = 0.4, 1.0
"""The bottom rests, then sinks [s]."""
SPEED = 0.02
"""With which it sinks [m/s]: two diameters in a second, 0.06 √(g d)."""
INTERVAL = 0.01


class Weighed(NamedTuple):
    """One filling."""

    filled: float
    """Mass [kg]."""
    felt: float
    """Mean force on the sinking bottom over g [kg]."""
    error: float
    """Standard error of it, from four quarters of the time [kg]."""
    mobilised: float
    """Friction along the walls, over friction times pressure."""
    layer: float
    """Mass of a layer as high as wide, ρ W² [kg]."""


def silo(height: float, width: float) -> Scene:
    """Disks up to a height (in widths) between rough walls, on a bottom that sinks."""
    w = width * D
    bottom = {**plane((0.0, 0.0), (0.0, 1.0)), "motion": {"velocity": (0.0, -SPEED), "start_time": SETTLE}}
    return Scene(
        title=f"Silo, {height:g} widths", load=gravity(2),
        material={"grain": material(FRICTION), "wall": {"restitution": 0.5}},
        pair={"wall": {"between": ("grain", "wall"), "friction": WALL}},
        boundary={"bottom": bottom, "left": plane((0.0, 0.0), (1.0, 0.0), "wall"),
                  "right": plane((w, 0.0), (-1.0, 0.0), "wall")},
        pattern={"disk": dense((0.0, 0.0), (w, height * w), packing_fraction=FRACTION)},
    )


def weigh(height: float, width: float, seed: int, lower: float) -> Weighed:
    """Fill, settle, and weigh over the second half of the way down."""
    run = lively(silo(height, width), SETTLE + lower, INTERVAL, seed)
    boundary = np.array([*run.metadata["elements"], -1])
    force, across, along = np.zeros((3, len(run.t)))
    for k in range(len(run.t)):
        frame = run.frame(k)
        at = boundary[np.where(frame.pair[:, 1] < 0, -1 - frame.pair[:, 1], -1)]
        force[k] = frame.force[at == 0, 1].sum()
        across[k], along[k] = np.abs(frame.force[at > 0, 0]).sum(), frame.force[at > 0, 1].sum()
    sinking = run.t > SETTLE + 0.3 * lower
    late = force[sinking] / GRAVITY
    quarters = [float(part.mean()) for part in np.array_split(late, 4)]
    mass = DENSITY * np.pi * float(np.sum(run.frame(0).radii ** 2))
    still = run.frame(int(np.argmin(np.abs(run.t - SETTLE))))
    top = float(surface(still.positions, still.radii, np.linspace(0.0, width * D, int(0.5 * width) + 1)).mean())
    return Weighed(mass, float(late.mean()), float(np.std(quarters, ddof=1) / 2.0),
                   float(along[sinking].sum() / (WALL * across[sinking].sum())), mass * width * D / top)


def janssen(filled: Floats, most: float) -> Floats:
    """M∞ (1 - exp(-M/M∞))."""
    return most * (1.0 - np.exp(-filled / most))


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """Weigh fillings of several heights, and fit Janssen's law."""
    width, heights, seeds, lower = (8.0, (1.0, 2.0, 4.0), 1, 0.1) if quick else (WIDTH, HEIGHTS, SEEDS, LOWER)
    weights = [weigh(height, width, seed, lower) for height in heights for seed in range(seeds)]
    filled, felt = (np.array([getattr(one, mass) for one in weights]) for mass in ("filled", "felt"))
    (most,), covariance = curve_fit(janssen, filled, felt, p0=[felt.max()])
    text = (f"Silo {width:g} diameters wide, friction {WALL:g} at walls and {FRICTION:g} between disks, {len(weights)} "
            f"fillings; the bottom is lowered by {SPEED * lower / D:.2g} diameters. ")
    highest = weights[-seeds:]
    K = float(np.mean([one.layer for one in highest]) / (2.0 * WALL * most))
    part = float(np.mean([one.felt / one.filled for one in highest]))
    error = float(np.mean([one.error / one.filled for one in highest]))
    law = float(np.mean(janssen(filled, most)[-seeds:] / filled[-seeds:]))
    sheet.compare("apparent/filled weight at the largest filling", SOURCE, part, law, 0.05,
                  text + f"Reference: Janssen's law with the fitted M∞; a liquid would give 1. Statistical error "
                  f"{error:.3f}.", unit="1")
    sheet.compare("scatter about Janssen's law", SOURCE,
                  float(np.sqrt(np.mean((felt - janssen(filled, most)) ** 2))) / most, 0.0, 0.1,
                  text + "Root-mean-square deviation of the apparent masses from the law, relative to M∞.", unit="1")
    sheet.compare_published("pressure ratio K", SOURCE, K, 0.8,
                            text + "From M∞ = ρ W²/(2 μ K) assuming fully mobilised friction; actually "
                            f"{100.0 * float(np.mean([one.mobilised for one in weights])):.0f} %. Printed: the middle "
                            "of the published range, 0.5 to 1.1. Error of the fit "
                            f"{K * float(np.sqrt(covariance[0, 0])) / most:.2f}.", unit="1", allowed=0.3)
    return [_figure(filled, felt, float(most), K)]


CASE = Case("janssen", "Weight on the bottom of a silo as a function of the filled weight: saturation and pressure "
                       "ratio K",
            "Janssen 1895", ("janssen",), compute)


def _figure(filled: Floats, felt: Floats, most: float, K: float) -> Figure:
    """Mass felt over mass filled in."""
    curve = np.linspace(0.0, filled.max(), 60)
    low = curve[curve <= 1.3 * felt.max()]
    return Figure("janssen", "Mass on the bottom of a silo", (Panel("filled mass [kg]", "apparent mass [kg]", (
        Curve("computed", filled, felt, "marks"), Curve(f"Janssen, K = {K:.2f}", curve, janssen(curve, most)),
        Curve("a liquid", low, low, "dashed"))),))
