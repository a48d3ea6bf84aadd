"""Discharge of a flat-bottomed silo over its outlet, in the plane and in space.

Beverloo, Leniger, van de Velde, Chem. Eng. Sci. 15 (1961) 260: Q ∝ (D - k d)^(5/2) in space with k near 1.4, whatever
the height of filling; in the plane the same argument gives (D - k d)^(3/2). Mankoc et al., Granular Matter 9 (2007)
407, discuss k (1 ... 2 in what others fitted) and small outlets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.model.scene import Scene
from granum.validation.case import Case, Curve, Figure, Panel, Sheet
from granum.validation.granular.common import DENSITY, D, line, lively, material, radii
from granum.validation.scenes import GRAVITY, gravity

SOURCE = ("Beverloo, Leniger, van de Velde, Chem. Eng. Sci. 15 (1961) 260; Mankoc et al., Granular Matter 9 (2007) "
          "407")
EXPONENT = {2: 1.5, 3: 2.5}
K = 1.4
FRICTION, SPREAD = 0.5, 0.1
RESTITUTION = 0.0
"""Of the grains; 0.5 gives the same rates within their errors."""
FRACTION = {2: 0.79, 3: 0.56}
OUTLETS = {2: (5.0, 6.5, 8.0, 10.0, 12.0), 3: (4.5, 5.5, 6.5, 8.0)}
"""Diameters of outlets, in diameters of grains."""
WIDTH, HEIGHT = {2: 30.0, 3: 18.0}, {2: 45.0, 3: 18.0}
"""Of the silo and of its filling, in diameters of grains."""
PART = {2: 0.25, 3: 0.4}
"""How much of the filling is let out: in the plane it stays above 1.1 widths."""
SEEDS = {2: 6, 3: 1}
"""Packings of which the mean is taken: with 2 in the plane, exponents of the same code scatter from 1.59 to 1.69."""
TWICE = {2: (8.0, 30.0, 45.0), 3: (5.5, 14.0, 20.0)}
"""Outlet, width and filling of the silo that is filled twice as high too."""
START = 0.2
"""Time until the flow is steady [s]."""
FACTOR = {2: 1.0, 3: 0.6}
"""Rate in √(g/d) (D/d - k)^n that durations of runs are planned with; nothing else depends on it."""


class Discharge(NamedTuple):
    """A steady discharge."""

    outlet: float
    """D/d."""
    rate: float
    """Grains of mean mass per √(d/g)."""
    error: float
    """Standard error of it, from quarters of the time and from seeds."""
    clogged: int
    """Runs that an arch stopped; they are left out."""


def silo(dimension: int, outlet: float, width: float, height: float) -> Scene:
    """Grains in a silo with an open outlet; what has fallen through is taken away."""
    low, centre = -3.0 * D, (0.0,) * (dimension - 1)
    half = 0.5 * width * D
    region = ({"kind": "box", "lower": (-half, 0.0), "upper": (half, height * D)} if dimension == 2 else
              {"kind": "cylinder", "ends": ((0.0, 0.0, 0.0), (0.0, 0.0, height * D)), "radius": half})
    down = (*centre, -1.0)
    return Scene(
        title=f"Silo with an outlet of {outlet:g} diameters", load=gravity(dimension),
        material={"grain": material(FRICTION, RESTITUTION)},
        boundary={"silo": {"kind": "hopper", "position": (*centre, 0.0), "opening": outlet * D, "width": width * D,
                           "height": (height + 2.0) * D}},
        pattern={"grain": {"kind": "grains", "packing_fraction": FRACTION[dimension], "radius": radii(SPREAD),
                           "arrangement": "dense", "region": region}},
        probe={"outlet": {"kind": "flow", "position": (*centre, -0.5 * D), "normal": down}},
        sink={"below": {"region": {"kind": "half-space", "position": (*centre, low), "normal": down}}},
    )


def discharge(dimension: int, outlet: float, width: float, height: float, part: float, seeds: int) -> Discharge:
    """Let about a part of the grains out, and take the rate after the start, as a mean over seeds.

    A run in which nothing passes in the last quarter of the time has clogged and says nothing of a steady rate.
    """
    unit = float(np.sqrt(D / GRAVITY))
    area = width * height if dimension == 2 else np.pi / 4.0 * width**2 * height
    count = FRACTION[dimension] * area / {2: np.pi / 4.0, 3: np.pi / 6.0}[dimension]
    expected = FACTOR[dimension] * (outlet - K) ** EXPONENT[dimension] / unit
    until = START + min(part * count / expected, 1.0)
    quarters, rates = [], []
    for seed in range(seeds):
        run = lively(silo(dimension, outlet, width, height), until, until / 60.0, seed)
        _, mass = run.passed("outlet")
        r = run.frame(0).radii
        mean = DENSITY * float(np.mean(np.pi * r**2 if dimension == 2 else 4.0 / 3.0 * np.pi * r**3))
        t, passed = run.t[run.t > START] / unit, mass[run.t > START] / mean
        if passed[-1] == passed[-1 - len(passed) // 4]:
            continue
        rates.append(line(t, passed).slope)
        quarters += [line(a, b).slope for a, b in zip(np.array_split(t, 4), np.array_split(passed, 4), strict=True)]
    if not rates:
        raise GranumError(f"An outlet of {outlet:g} diameters clogged in all {seeds} runs: use a wider one.")
    error = float(np.std(quarters, ddof=1) / np.sqrt(len(quarters)))
    return Discharge(outlet, float(np.mean(rates)), error, seeds - len(rates))


def law(outlet: Floats, factor: float, k: float, exponent: float) -> Floats:
    """C (D/d - k)^n."""
    return factor * np.maximum(outlet - k, 1e-9) ** exponent


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """The law in the plane and in space, and two heights of filling."""
    panels = []
    for dimension in (2, 3):
        outlets, width, height = OUTLETS[dimension], WIDTH[dimension], HEIGHT[dimension]
        if quick:
            outlets, width, height = ((6.0, 8.0), 14.0, 12.0) if dimension == 2 else ((5.0, 6.5), 10.0, 6.0)
        part, seeds = (0.4, 1) if quick else (PART[dimension], SEEDS[dimension])
        discharges = [discharge(dimension, outlet, width, height, part, seeds) for outlet in outlets]
        panels.append(_rows(sheet, dimension, discharges, width, height))
        _heights(sheet, dimension, TWICE[dimension] if not quick else (outlets[0], width, height), 0.25, seeds)
    return [Figure("beverloo", "Discharge of a silo with a flat bottom", tuple(panels))]


CASE = Case("beverloo",
            "Discharge of a flat-bottomed silo: power law in the outlet, independence of the filling height",
            "Beverloo et al. 1961", ("beverloo",), compute)


def _rows(sheet: Sheet, dimension: int, discharges: list[Discharge], width: float, height: float) -> Panel:
    """k with the published exponent, and the exponent with the published k."""
    outlet, rate, error = (np.array([getattr(one, of) for one in discharges]) for of in ("outlet", "rate", "error"))
    n = EXPONENT[dimension]
    what = (f"Silo {width:g} wide, filled {height:g} high, outlets {outlet[0]:g} to {outlet[-1]:g} (diameters); "
            f"friction {FRICTION:g}, restitution {RESTITUTION:g}; {sum(one.clogged for one in discharges)} clogged "
            f"runs are excluded; rates have errors of {100.0 * float(np.mean(error / rate)):.1f} %. ")
    straight = line(outlet, rate ** (1.0 / n))
    k = -straight.constant / straight.slope
    power = line(np.log(outlet - K), np.log(rate))
    place = f"{dimension}-D"
    sheet.compare_published(
        f"exponent {place}", SOURCE, power.slope, n,
        what + f"Slope of log Q against log(D - {K:g} d); standard error {power.error:.2f}.", unit="1",
        allowed=0.1 * n)
    sheet.compare_published(
        f"k {place}", SOURCE, k, 1.5,
        what + f"Zero of the line through Q^(1/{n:g}) against D. Printed: the middle of published fits, which lie "
               f"between 1 and 2; Beverloo's is {K:g}.", unit="1", allowed=0.5)
    curve = np.linspace(outlet[0], outlet[-1], 50)
    return Panel("outlet D/d [-]", "rate [grains per √(d/g)]", (
        Curve("computed", outlet, rate, "marks"), Curve(f"(D - k d)^{n:g}", curve, law(curve, straight.slope**n, k, n)),
    ), title=f"{dimension}-D: k = {k:.2f}")


def _heights(sheet: Sheet, dimension: int, silo: tuple[float, float, float], part: float, seeds: int) -> None:
    """Twice the filling, the same rate."""
    outlet, width, height = silo
    low, high = (discharge(dimension, outlet, width, times * height, part / times, seeds) for times in (1.0, 2.0))
    error = float(np.hypot(low.error / low.rate, high.error / high.rate))
    sheet.compare_published(
        f"rate at twice the filling {dimension}-D", SOURCE, high.rate / low.rate, 1.0,
        f"Relative to the rate at the simple filling; outlet {outlet:g}, fillings {height:g} and {2.0 * height:g} "
        f"high, {width:g} wide (diameters). A liquid would give 1.41. Statistical error {error:.3f}.", unit="1",
        allowed=0.1)
