"""Bonds: what holds the parts of an agglomerate together until it is too much."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from granum.model.quantities import Coefficient, Entry, Name, Pressure, Time


class Bond(Entry):
    """Cement between all grains of a group that touch: they move as one rigid body until a bond breaks.

    A bond is a short beam of round section (2-D: rectangular, 1 m thick) with the radius R. It breaks where the
    largest tension F_n/A + |M_b| R/I exceeds `tensile_strength`, or the largest shear |F_t|/A + |M_t| R/J exceeds
    `shear_strength`.
    """

    among: Name
    """A pattern of grains, or a clump."""
    tensile_strength: Pressure
    """Strength in tension [Pa]."""
    shear_strength: Pressure
    """Strength in shear [Pa]."""
    radius_ratio: Annotated[float, Field(gt=0.0, le=1.0)] = 1.0
    """Radius of a bond, in radii of the smaller grain."""
    gap_ratio: Coefficient = 1e-3
    """Gap, in radii of the smaller grain, up to which two grains count as touching."""
    duration: Time | None = None
    """Time over which loads are averaged [s]: an impact, which takes no time between rigid bodies, loads bonds as if it
    took so long. Left out, a step of the run."""
