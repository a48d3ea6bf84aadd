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
from granum.run.grain_result import Frame
from granum.validation.case import Case, Curve, Figure, Look, Panel, Sheet
from granum.validation.granular.common import (
    D,
    Line,
    again,
    connected,
    dense,
    line,
    lively,
    material,
    plane,
    surface,
)
from granum.validation.scenes import GRAVITY, gravity

DISKS = "Staron, Hinch, J. Fluid Mech. 545 (2005) 1"
SOURCE = (f"Lube et al., Phys. Rev. E 72 (2005) 041301; Lajeunesse et al., Phys. Fluids 17 (2005) 103302; {DISKS}")
LOW, HIGH = (0.5, 0.7, 1.0, 1.4, 2.0), (3.0, 4.5, 7.0, 11.0)
"""Aspect ratios on both sides of the change between 2 and 3."""
COUNT, SEEDS = (800, 1200), 2
"""Disks of low and of high columns."""
FRICTION = 0.5
FRACTION = 0.8
"""Part of the column's area that disks fill before they settle."""
NEAR = 0.1
"""Grains belong to the heap where they are at most so many diameters apart."""
REST = 6.0
"""Runs end after so many √(2H/g); fronts stop after some three (Staron, Hinch)."""
_MATERIALS = {"grain": material(FRICTION), "smooth": material(0.0)}
_KEPT = {"floor": plane((0.0, 0.0), (0.0, 1.0), "grain"), "left": plane((0.0, 0.0), (1.0, 0.0), "smooth")}
"""Boundaries that stay when the column collapses."""


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
    creep: float
    """How far its front moved in the last sixth of the time, in L."""


def column(aspect: float, count: int) -> Scene:
    """Disks between two smooth walls."""
    length = _length(aspect, count)
    return Scene(
        title=f"Column of {count} disks, a = {aspect:g}", material=_MATERIALS,
        boundary={**_KEPT, "right": plane((length, 0.0), (-1.0, 0.0), "smooth")},
        pattern={"disk": dense((0.0, 0.0), (length, 1.02 * aspect * length), count=count)}, load=gravity(2),
    )


def collapse(aspect: float, count: int, seed: int) -> Deposit:
    """Settle a column, take one wall away, and wait until what is left rests; the smooth wall stays as a mirror."""
    length = _length(aspect, count)
    filled = lively(column(aspect, count), 0.4, 0.05, seed)
    settled = filled.frame(-1)
    top = surface(settled.positions, settled.radii, np.linspace(0.0, length, max(4, int(length / (4.0 * D)))))
    height = float(np.mean(top))
    scene = Scene(title=f"Collapse, a = {aspect:g}", material=_MATERIALS, load=gravity(2), boundary=_KEPT,
                  pattern={"disk": {**again(filled), "material": "grain"}})
    run = lively(scene, REST * math.sqrt(2.0 * height / GRAVITY), 0.1, seed)
    end = run.frame(-1)
    heap = connected(end.positions, end.radii, NEAR * D)
    front, before = _front(end), _front(run.frame(-1 - len(run.t) // 6))
    edges = np.arange(0.0, front + 2.0 * D, 2.0 * D)
    return Deposit(height / length, length, front / length - 1.0, edges,
                   surface(end.positions[heap], end.radii[heap], edges), (front - before) / length)


def _front(frame: Frame) -> float:
    """How far the heap reaches; grains that rolled away from it do not count [m]."""
    heap = connected(frame.positions, frame.radii, NEAR * D)
    return float(np.max(frame.positions[heap, 0] + frame.radii[heap]))


def _length(aspect: float, count: int) -> float:
    """Length of a column of given aspect ratio [m]."""
    area = count * math.pi / 4.0 * D * D * (1.0 + 0.2**2 / 3.0) / FRACTION
    return math.sqrt(area / aspect)


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """Run-out at some aspect ratios, and its exponents below and above a = 2."""
    low, high = ((0.5, 2.0), (3.0, 8.0)) if quick else (LOW, HIGH)
    counts, seeds = ((60, 60), 1) if quick else (COUNT, SEEDS)
    parts = [[collapse(aspect, count, seed) for aspect in aspects for seed in range(seeds)]
             for aspects, count in zip((low, high), counts, strict=True)]
    fits = [_exponent(sheet, "low", parts[0], counts[0], 1.0, 0.15, "1 in all three sources"),
            _exponent(sheet, "high", parts[1], counts[1], 0.7, 0.1, "0.7 for disks, 2/3 in channels")]
    sheet.measure("factor low a", DISKS, math.exp(fits[0].constant),
                  "Run-out at a = 1 from the fit; published: 2.5 for disks, 1.2 in channels (Lube).", 2.5)
    return [_figure(parts, fits)]


CASE = Case("column-collapse", "Collapse of a column of disks: exponents of the run-out as a function of aspect ratio",
            "Staron, Hinch 2005", ("column-collapse",), compute)


def _exponent(sheet: Sheet, which: str, deposits: list[Deposit], count: int, exponent: float, allowed: float,
              published: str) -> Line:
    """The slope of the run-out over the aspect ratio in logarithms."""
    a, runout = np.array([one.aspect for one in deposits]), np.array([one.runout for one in deposits])
    fit = line(np.log(a), np.log(runout))
    sheet.compare_published(
        f"exponent {which} a", SOURCE, fit.slope, exponent,
        f"Run-out (L∞ - L)/L ∝ a^n for a = {a.min():.2g} ... {a.max():.2g}; published {published}. "
        f"{len(deposits)} columns of {count} disks, friction {FRICTION:g}; standard error of the fit {fit.error:.2f}; "
        f"in the last sixth of the time the front moved by at most {max(abs(one.creep) for one in deposits):.2f} L.",
        unit="1", allowed=allowed)
    return fit


def _figure(parts: list[list[Deposit]], fits: list[Line]) -> Figure:
    """Run-out in logarithmic axes with both power laws, and the surfaces of some deposits."""
    deposits = [one for part in parts for one in part]
    curves = [Curve("computed", np.array([one.aspect for one in deposits]),
                    np.array([one.runout for one in deposits]), "marks")]
    looks: tuple[Look, Look] = ("line", "dashed")
    for part, fit, look in zip(parts, fits, looks, strict=True):
        a = np.array(sorted(one.aspect for one in part))[[0, -1]]
        curves.append(Curve(f"∝ a^{fit.slope:.2f}", a, np.exp(fit.constant) * a**fit.slope, look))
    shapes = tuple(Curve(f"a = {one.aspect:.2g}", 0.5 * (one.edges[1:] + one.edges[:-1]) / one.length,
                         one.heights / one.length) for one in deposits[:: max(1, len(deposits) // 3)])
    return Figure("column-collapse", "Collapse of a column of disks", (
        Panel("a = H/L [-]", "run-out (L∞ - L)/L [-]", tuple(curves), log_x=True, log_y=True),
        Panel("x/L [-]", "height of the deposit h/L [-]", shapes, title="deposits")))
