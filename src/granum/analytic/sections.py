"""Divided bodies: a rigid body as two parts glued together, and what one part does to the other (004 example 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from granum.analytic.expressed_equations import ExpressedEquations
from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats

ROUNDING = 1e-12
"""Of moments of inertia, relative to those of the whole, that may lack to those of a possible body."""


class Part(NamedTuple):
    """Mass properties of a body or of a part of it, all in the same axes."""

    mass: float
    """[kg]"""
    centre: Floats
    """Mass centre [m]."""
    inertia: Floats
    """(3, 3), about its own mass centre [kg m²]."""


class Section(NamedTuple):
    """What the first part does to the second across a cut, in inertial axes."""

    force: Floats
    """[N], at the glued point."""
    moment: Floats
    """About the glued point [N m]."""


def part(mass: float, centre: Sequence[float], inertia: Sequence[float] | Sequence[Sequence[float]] | Floats) -> Part:
    """A part from plain numbers; three moments of inertia stand for a diagonal."""
    given = np.array(inertia, dtype=float)
    return Part(float(mass), np.array(centre, dtype=float), np.diag(given) if given.ndim == 1 else given)


def divide(whole: Part, first: Part) -> Part:
    """The other part of a body: masses and first moments are what is left, second moments follow by Steiner."""
    mass = whole.mass - first.mass
    if not 0.0 < first.mass < whole.mass:
        raise GranumError(f"a part of {first.mass:g} kg cannot be cut from a body of {whole.mass:g} kg: both parts "
                          "need mass.")
    centre = (whole.mass * whole.centre - first.mass * first.centre) / mass
    about = whole.inertia - first.inertia - _steiner(first.mass, first.centre - whole.centre)
    inertia = about - _steiner(mass, centre - whole.centre)
    # ∫ρ X Xᵀ = ½ tr(I) 1 - I of real matter has no negative eigenvalue
    least = float(np.linalg.eigvalsh(0.5 * np.trace(inertia) * np.eye(3) - inertia).min())
    if least < -ROUNDING * float(np.trace(whole.inertia)):
        raise GranumError(f"what is left after cutting off {first.mass:g} kg is no possible body: its second moment of "
                          f"mass would be {least:g} kg m² along some axis. The part is too large for the whole.")
    return Part(mass, centre, inertia)


def _steiner(mass: float, arm: Floats) -> Floats:
    """M (|d|² 1 - d dᵀ)."""
    shift: Floats = mass * (float(arm @ arm) * np.eye(3) - np.outer(arm, arm))
    return shift


def section_loads(equations: ExpressedEquations, glue: str, q: Floats, v: Floats, t: float = 0.0) -> Section:
    """Force and moment across the cut that a constraint of kind `glue` closes: on its second body by its first."""
    names = equations.reaction_names
    glued = [name.removesuffix(".moment.z") for name in names if name.endswith(".moment.z")]
    if glue not in glued:
        raise GranumError(f'there is no cut "{glue}". {did_you_mean(glue, glued, "glue constraint")}')
    reactions = equations.reactions(q, v, t)
    # in 2-D some are zero
    force, moment = (np.array([reactions.get(f"{glue}.{kind}.{axis}", 0.0) for axis in "xyz"])
                     for kind in ("force", "moment"))
    return Section(force, moment)
