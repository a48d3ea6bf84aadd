"""The angle of repose of a heap of disks: it grows with friction.

Zhou, Xu, Yu, Zulli, Phys. Rev. E 64 (2001) 021301, and Powder Technol. 125 (2002) 45: spheres drain on both sides of
a plate, and a heap stays on it; its angle grows with sliding and with rolling friction, and lies between 15° and 30°
for coarse spheres. Half of that arrangement is computed here in the plane: a smooth wall is the mirror, grains drain
beyond the edge of a rough plate.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from granum.base.kernels import Floats
from granum.model.scene import Scene
from granum.validation.case import Case, Curve, Figure, Panel, Sheet
from granum.validation.granular.common import D, dense, line, lively, material, plane, surface
from granum.validation.scenes import gravity

SOURCE = "Zhou et al., Phys. Rev. E 64 (2001) 021301 and Powder Technol. 125 (2002) 45"
FRICTIONS = (0.1, 0.3, 0.6)
ROLLING = 0.1
"""Coefficient of rolling friction, which the published heaps have too; one more heap has none."""
SEEDS = 3
PLATE, SLOT, HEIGHT = 32, 8, 26
"""Length of the plate, width of the outlet beside it, height of filling, in diameters."""
FRACTION = 0.8
UNTIL = 3.0
BIN = 2.0
"""The surface is the highest grain of every so many diameters."""


class Heap(NamedTuple):
    """What stays on the plate."""

    angle: float
    """[°]"""
    x: Floats
    top: Floats
    """Its surface [m]."""
    speed: float
    """Root of the mean squared velocity of grains on the plate at the end [m/s]."""


def drain(friction: float, rolling: float, plate: int, height: int) -> Scene:
    """Disks above a rough plate and an outlet beside it, between a smooth wall and a rough one."""
    width = (plate + SLOT) * D
    bumps: dict[str, Any] = {f"bump-{k}": {"kind": "disk", "centre": ((k + 0.5) * D, -0.5 * D), "radius": 0.5 * D,
                                           "material": "grain"} for k in range(plate)}
    return Scene(
        title=f"Draining beside a plate, friction {friction:g}", load=gravity(2),
        material={"grain": {**material(friction), "rolling_friction": rolling}, "smooth": material(0.0)},
        boundary={"left": plane((0.0, 0.0), (1.0, 0.0), "smooth"), "right": plane((width, 0.0), (-1.0, 0.0), "smooth"),
                  **bumps},
        pattern={"disk": dense((0.0, 0.0), (width, height * D), packing_fraction=FRACTION)},
        sink={"below": {"region": {"kind": "half-space", "position": (0.0, -5.0 * D), "normal": (0.0, -1.0)}}},
    )


def heap(friction: float, rolling: float, seed: int, plate: int, height: int, until: float) -> Heap:
    """Drain, wait, and lay a line through the surface, without its ends at the mirror and at the edge."""
    end = lively(drain(friction, rolling, plate, height), until, 0.25, seed).frame(-1)
    on = (end.positions[:, 1] > 0.0) & (end.positions[:, 0] < (plate - 1) * D)
    edges = np.arange(2.0, plate - 1.0, BIN) * D
    top = surface(end.positions[on], end.radii[on], edges)
    x = 0.5 * (edges[1:] + edges[:-1])
    fit = line(x, top)
    speed = float(np.sqrt(np.mean(np.sum(end.velocities[on] ** 2, axis=1))))
    return Heap(-math.degrees(math.atan(fit.slope)), x, top, speed)


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """Heaps of three frictions, and one without rolling friction."""
    plate, height, until, seeds = (12, 8, 0.6, 1) if quick else (PLATE, HEIGHT, UNTIL, SEEDS)
    frictions = (0.1, 0.6) if quick else FRICTIONS
    heaps = {(friction, rolling): [heap(friction, rolling, seed, plate, height, until) for seed in range(seeds)]
             for friction, rolling in [*((friction, ROLLING) for friction in frictions), (frictions[-1], 0.0)]}
    angles = [_row(sheet, friction, rolling, own, plate) for (friction, rolling), own in heaps.items()]
    rough = {friction: heaps[friction, ROLLING] for friction in frictions}
    k = int(np.argmin(np.diff(angles[:-1])))
    least = angles[k + 1] - angles[k]
    error = math.hypot(*(_error(rough[friction]) for friction in frictions[k : k + 2]))
    sheet.compare_published(
        "largest decrease with friction", SOURCE, min(least, 0.0), 0.0,
        "Printed: the angle grows with friction, so no angle is below the previous one (smallest increase "
        f"{least:.1f}°, standard error {error:.1f}°).", unit="°", allowed=0.0)
    return [_figure(angles[:-1], rough)]


CASE = Case("repose", "Heaps of disks on a plate: angle of repose as a function of friction",
            "Zhou et al. 2001, 2002", ("repose",), compute)


def _error(heaps: list[Heap]) -> float:
    """Standard error of the mean angle; 0 of a single heap [°]."""
    return float(np.std([one.angle for one in heaps], ddof=min(1, len(heaps) - 1)) / math.sqrt(len(heaps)))


def _row(sheet: Sheet, friction: float, rolling: float, heaps: list[Heap], plate: int) -> float:
    """One mean angle [°] beside the published range."""
    quantity, angle = f"angle friction={friction:g} rolling={rolling:g}", float(np.mean([one.angle for one in heaps]))
    spread = max(one.angle for one in heaps) - min(one.angle for one in heaps)
    note = (f"Disks on a rough plate of {plate} diameters, mean of {len(heaps)} seeds with a range of {spread:.1f}°; "
            f"remaining r.m.s. velocity {max(one.speed for one in heaps):.1e} m/s. ")
    if friction == 0.1:
        sheet.measure(quantity, SOURCE, angle, note + "Smoother than the spheres of the published range of 15° to 30°.")
    else:
        sheet.compare_published(quantity, SOURCE, angle, 22.5, note + "Printed: the middle of the published range of "
                                "15° to 30°.", unit="°", allowed=7.5)
    return angle


def _figure(angles: list[float], heaps: dict[float, list[Heap]]) -> Figure:
    """Angle over friction, and surfaces of heaps."""
    every = np.array([(friction, one.angle) for friction, own in heaps.items() for one in own])
    return Figure("repose", "Angle of repose of disks", (
        Panel("friction [-]", "angle of repose [°]", (Curve.along("seeds", every, "marks"),
                                                  Curve("mean", np.array([*heaps]), np.array(angles)))),
        Panel("x [m]", "height [m]", tuple(Curve(f"friction {friction:g}", own[0].x, own[0].top)
                                           for friction, own in heaps.items()), title="surfaces", equal=True)))
