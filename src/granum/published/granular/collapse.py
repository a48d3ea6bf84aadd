"""A column of disks that collapses onto a plane: how far it runs out, over its aspect ratio a = H/L.

Lube, Huppert, Sparks, Freundt, Phys. Rev. E 72 (2005) 041301, and Lajeunesse, Monnier, Homsy, Phys. Fluids 17 (2005)
103302, in channels: (L∞ - L)/L grows as a below a of 2 or 3, and as a^(2/3) above. Staron, Hinch, J. Fluid Mech. 545
(2005) 1, disks by contact dynamics: as a below 2, and as a^0.7 above. Disks have larger factors than the grains of
the channels, which the side walls slow down; the exponents are the same.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats
from granum.model.scene import Scene
from granum.published.case import Case, Curve, Figure, Panel, Result, Sheet
from granum.published.granular.common import (
    GRAVITY,
    D,
    again,
    connected,
    gravity,
    line,
    lively,
    material,
    plane,
    radii,
    surface,
)

SOURCE = "Lube 2005; Lajeunesse 2005; Staron, Hinch 2005"
LOW, HIGH = (0.5, 0.7, 1.0, 1.4, 2.0), (3.0, 4.0, 5.5, 8.0)
"""Aspect ratios on both sides of the change between 2 and 3."""
COUNT, SEEDS = 800, 1
FRICTION = 0.5
FRACTION = 0.8
"""Part of the column's area that disks fill before they settle."""
REST = 6.0
"""Runs end after so many √(2H/g); fronts stop after some three (Staron, Hinch)."""


class Deposit(NamedTuple):
    """What a column left."""

    aspect: float
    """H/L of the settled column."""
    length: float
    """L [m]."""
    runout: float
    """(L∞ - L)/L."""
    edges: Floats
    heights: Floats
    """Its surface: heights between edges [m]."""
    energy: float
    """Kinetic energy left, as part of the potential energy at the start."""


def column(aspect: float, count: int) -> Scene:
    """Disks between two smooth walls."""
    length = _length(aspect, count)
    return Scene(
        title=f"Column of {count} disks, a = {aspect:g}", material=_materials(),
        boundary={"floor": plane((0.0, 0.0), (0.0, 1.0), "grain"), "left": plane((0.0, 0.0), (1.0, 0.0), "smooth"),
                  "right": plane((length, 0.0), (-1.0, 0.0), "smooth")},
        pattern={"disk": {"kind": "grains", "count": count, "radius": radii(), "material": "grain",
                          "arrangement": "dense",
                          "region": {"kind": "box", "lower": (0.0, 0.0), "upper": (length, 1.02 * aspect * length)}}},
        load=gravity(2),
    )


def collapse(aspect: float, count: int, seed: int) -> Deposit:
    """Settle a column, take one wall away, and wait until what is left rests; the smooth wall stays as a mirror."""
    length = _length(aspect, count)
    filled = lively(column(aspect, count), 0.4, 0.05, seed)
    settled = filled.frame(-1)
    top = surface(settled.positions, settled.radii, np.linspace(0.0, length, max(4, int(length / (4.0 * D)))))
    height = float(np.mean(top))
    scene = Scene(title=f"Collapse, a = {aspect:g}", material=_materials(), load=gravity(2),
                  boundary={"floor": plane((0.0, 0.0), (0.0, 1.0), "grain"),
                            "left": plane((0.0, 0.0), (1.0, 0.0), "smooth")},
                  pattern={"disk": {**again(filled), "material": "grain"}})
    run = lively(scene, REST * math.sqrt(2.0 * height / GRAVITY), 0.1, seed)
    end = run.frame(-1)
    heap = connected(end.positions, end.radii, 0.1 * D)
    front = float(np.max(end.positions[heap, 0] + end.radii[heap]))
    edges = np.arange(0.0, front + 2.0 * D, 2.0 * D)
    return Deposit(height / length, length, front / length - 1.0, edges,
                   surface(end.positions[heap], end.radii[heap], edges),
                   float(run.energy.kinetic[-1] / run.energy.potential[0]))


def _length(aspect: float, count: int) -> float:
    """Length of a column of given aspect ratio [m]."""
    area = count * math.pi / 4.0 * D * D * (1.0 + 0.2**2 / 3.0) / FRACTION
    return math.sqrt(area / aspect)


def _materials() -> dict[str, dict[str, float]]:
    return {"grain": material(FRICTION), "smooth": material(0.0)}


class Collapse(Case):
    """Run-out over aspect ratio."""

    name = "column-collapse"
    description = "A column of disks collapses: exponents of its run-out over its aspect ratio"
    source = SOURCE

    def run(self, quick: bool = False) -> Result:
        """Run-out at some aspect ratios, and its exponents below and above a = 2."""
        sheet = Sheet(self.name)
        low, high = ((0.5, 2.0), (3.0, 8.0)) if quick else (LOW, HIGH)
        count, seeds = (60, 1) if quick else (COUNT, SEEDS)
        deposits = [collapse(aspect, count, seed) for aspect in (*low, *high) for seed in range(seeds)]
        cut = len(low) * seeds
        fits = []
        for part, exponent, allowed, who, where in (
            (deposits[:cut], 1.0, 0.15, "1 in all three", f"a = {low[0]:g} ... {low[-1]:g}"),
            (deposits[cut:], 0.7, 0.1, "2/3 in channels, 0.7 for disks", f"a = {high[0]:g} ... {high[-1]:g}"),
        ):
            a, runout = np.array([one.aspect for one in part]), np.array([one.runout for one in part])
            fit = line(np.log(a), np.log(runout))
            fits.append(fit)
            sheet.compare(f"exponent {where}", SOURCE, fit.slope, exponent, allowed,
                          f"Run-out (L∞ - L)/L ∝ a^n; published {who}. {count} disks, friction {FRICTION:g}, "
                          f"{len(part)} columns; standard error of the fit {fit.error:.2f}.", unit="1",
                          published=exponent)
        sheet.measure("factor low a", "Staron, Hinch 2005", math.exp(fits[0].constant),
                      f"Run-out at a = 1 by the fit; published for disks 2.5, in channels 1.2 (Lube). Friction "
                      f"{FRICTION:g} here; the kinetic energy left at the end is at most "
                      f"{max(one.energy for one in deposits):.1e} of the potential energy at the start.", 2.5)
        return Result(sheet.rows, [_figure(deposits, cut, [fit[:2] for fit in fits])])


def _figure(deposits: list[Deposit], cut: int, fits: list[tuple[float, float]]) -> Figure:
    """Run-out in logarithmic axes with both power laws, and the surfaces of some deposits."""
    curves = [Curve("computed", np.array([one.aspect for one in deposits]),
                    np.array([one.runout for one in deposits]), "marks")]
    for part, (slope, constant), look in zip((deposits[:cut], deposits[cut:]), fits, ("line", "dashed"), strict=True):
        a = np.array(sorted(one.aspect for one in part))[[0, -1]]
        curves.append(Curve(f"∝ a^{slope:.2f}", a, np.exp(constant) * a**slope, "line" if look == "line" else "dashed"))
    shown = deposits[:: max(1, len(deposits) // 3)]
    shapes = tuple(Curve(f"a = {one.aspect:.2g}", 0.5 * (one.edges[1:] + one.edges[:-1]) / one.length,
                         one.heights / one.length) for one in shown)
    return Figure("column-collapse", "Collapse of a column of disks", (
        Panel("a = H/L", "run-out (L∞ - L)/L", tuple(curves), log_x=True, log_y=True),
        Panel("x/L", "height of the deposit h/L", shapes, title="deposits")))
