"""Random close packing of frictionless grains, and the contacts that just hold it.

Scott, Kilgour, J. Phys. D 2 (1969) 863: 0.6366 for steel balls. O'Hern, Silbert, Liu, Nagel, Phys. Rev. E 68 (2003)
011306: 0.639 for equal spheres and 0.842 for disks of two sizes 1:1.4, half of each; at the onset of jamming a grain
that is no rattler has 2 d contacts.
"""

from __future__ import annotations

import numpy as np

from granum.base.kernels import Floats
from granum.grains.generation.packing import ClosePacking, close_packing
from granum.grains.generation.placement import stream
from granum.model.body_entries import ball_volume
from granum.validation.case import Case, Curve, Figure, Panel, Sheet

SOURCE = ("O'Hern, Silbert, Liu, Nagel, Phys. Rev. E 68 (2003) 011306; Scott, Kilgour, J. Phys. D 2 (1969) 863")
COUNT, SEEDS = 1000, 2
OVERLAP = 1e-6
"""How near to the onset: mean overlap of contacts, relative to the diameter."""
PUBLISHED = {2: 0.842, 3: 0.639}


def packed(dimension: int, count: int, seed: int) -> ClosePacking:
    """Equal spheres, or disks of two sizes, in a periodic box."""
    radii = np.ones(count) if dimension == 3 else np.array([1.0, 1.4] * (count // 2))
    edge = float(np.sum(ball_volume(radii, dimension))) ** (1.0 / dimension)
    return close_packing(radii, np.full(dimension, edge), stream(seed, "packing", "close"), overlap=OVERLAP)


def compute(sheet: Sheet, quick: bool) -> list[Figure]:
    """Packing fraction and coordination of spheres and disks at the onset of jamming."""
    panels = []
    count, seeds = (64, 1) if quick else (COUNT, SEEDS)
    for dimension, what in ((3, "spheres"), (2, "disks 1:1.4")):
        packings = [packed(dimension, count, seed) for seed in range(seeds)]
        _rows(sheet, dimension, what, packings)
        panels.append(_contacts(packings, dimension, what))
    return [Figure("close-packing", "Contacts of grains at random close packing", tuple(panels))]


CASE = Case("close-packing", "Random close packing of spheres and of disks of two sizes, and their coordination number",
            "O'Hern et al. 2003", ("close-packing",), compute)


def _rows(sheet: Sheet, dimension: int, what: str, packings: list[ClosePacking]) -> None:
    fractions = np.array([one.fraction for one in packings])
    contacts = [one.coordination(dimension) for one in packings]
    count = len(packings[0].positions)
    # finite packings jam over a width of about 0.16 N^(-1/2) (disks) and less (spheres): O'Hern 2003
    sheet.compare_published(
        f"packing fraction {what}", SOURCE, float(fractions.mean()), PUBLISHED[dimension],
        f"{count} grains in a periodic box, mean of {len(packings)} packings with a range of "
        f"{float(np.ptp(fractions)):.4f}, grown to a mean overlap of {OVERLAP:g}. Printed by O'Hern"
        + (", and 0.6366 by Scott and Kilgour." if dimension == 3 else "."), unit="1", allowed=0.01)
    mean = float(np.mean([one[0] for one in contacts]))
    rattlers = float(np.mean([one[1] for one in contacts])) / count
    sheet.compare_published(
        f"coordination number {what}", SOURCE, mean, 2.0 * dimension,
        f"Without rattlers, which are {100.0 * rattlers:.1f} % of the grains. Printed: 2 d; a finite periodic packing "
        "has 2 d/N less, and each contact made beyond the onset adds 2/N.", unit="1", allowed=0.02)


def _contacts(packings: list[ClosePacking], dimension: int, what: str) -> Panel:
    """How many grains have how many contacts."""
    most = 13 if dimension == 3 else 8
    share: Floats = np.mean([np.bincount(np.bincount(one.contacts.ravel(), minlength=len(one.positions)),
                                         minlength=most)[:most] / len(one.positions) for one in packings], axis=0)
    mean = float(np.mean([one.coordination(dimension)[0] for one in packings]))
    fraction = float(np.mean([one.fraction for one in packings]))
    return Panel("contacts of a grain [-]", "fraction of grains [-]", (
        Curve("computed", np.arange(float(most)), share, "points"),
        Curve("mean without rattlers", np.array([mean, mean]), np.array([0.0, float(share.max())]), "dashed"),
        Curve("published mean", np.array([2.0 * dimension]), np.array([0.5 * float(share.max())]), "printed")),
        title=f"{what}: {fraction:.4f}, mean {mean:.3f}")
