"""Bonds: cement between grains that breaks at its strength."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from granum.model.quantities import Coefficient, Entry, Name, Plain, Pressure, Time


class Bond(Entry):
    """Cement between touching grains of a group: they move as one rigid body until a bond breaks.

    A bond is a short beam of round section (2-D: rectangular, 1 m thick) with the radius R. It breaks where the
    largest tension F_n/A + |M_b| R/I exceeds `tensile_strength`, or the largest shear |F_t|/A + |M_t| R/J exceeds
    `shear_strength`.

    >>> cement = gr.Bond(among="sand", tensile_strength="1 MPa", shear_strength="2 MPa")
    """

    among: Name
    """A pattern of grains, or a clump."""
    tensile_strength: Pressure
    """Tensile strength [Pa]."""
    shear_strength: Pressure
    """Shear strength [Pa]."""
    radius_ratio: Annotated[Plain, Field(gt=0.0, le=1.0)] = 1.0
    """Radius of a bond, relative to the radius of the smaller grain."""
    gap_ratio: Coefficient = 1e-3
    """Largest gap at which two grains count as touching, relative to the radius of the smaller grain."""
    duration: Time | None = None
    """Averaging time of bond loads [s]: an impact, instantaneous between rigid bodies, loads a bond as if it took this
    long; default: one time step."""
