"""Materials: friction, restitution, rolling friction, cohesion and stiffness of contacts."""

from __future__ import annotations

from typing import Annotated

from pydantic import model_validator

from granum.model.quantities import Check, Coefficient, Density, Entry, Name, Plain, Pressure, SpringStiffness
from granum.model.quantities import Force as _Tension  # as Force it would hide the load of that name


def _restitution(value: float) -> float:
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"found {value:g}, but the coefficient of restitution must lie between 0 (no rebound) and 1")
    return value


def _poisson(value: float) -> float:
    if not -1.0 < value <= 0.5:
        raise ValueError(f"found {value:g}, but Poisson's ratio must lie between -1 and 0.5")
    return value


Restitution = Annotated[Plain, Check(_restitution, {"minimum": 0, "maximum": 1})]


class Material(Entry):
    """Material of grains and boundaries; its coefficients apply to contact between two bodies of this material.

    >>> glass = gr.Material(density=2500.0, friction=0.4, restitution=0.9)
    """

    friction: Coefficient = 0.0
    """Coefficient of Coulomb friction."""
    restitution: Restitution = 0.0
    """Newton's coefficient of restitution, from 0 to 1 (Sun 1996, eq. 4.19)."""
    rolling_friction: Coefficient = 0.0
    """Coefficient of rolling friction: the resisting torque is at most this times reduced radius times normal force."""
    cohesion: _Tension = 0.0
    """Tension that a contact bears before it opens [N]; only with `unilateral` (FMAX of Sun 1996, Appendix E)."""
    density: Density | None = None
    """Density of grains [kg/m³]."""
    stiffness: SpringStiffness = 1e5
    """Contact stiffness between two grains in `soft` with the linear law [N/m]."""
    young_modulus: Pressure = 1e7
    """Young's modulus in `soft` with the Hertz law [Pa]."""
    poisson_ratio: Annotated[Plain, Check(_poisson, {"exclusiveMinimum": -1, "maximum": 0.5})] = 0.3
    """Poisson's ratio in `soft` with the Hertz law."""


class Pair(Entry):
    """Contact coefficients between two materials; default: geometric means of the two materials' own.

    >>> pair = gr.Pair(between=("glass", "steel"), friction=0.2)
    """

    between: tuple[Name, Name]
    """The two materials."""
    friction: Coefficient | None = None
    """Coefficient of friction between them."""
    restitution: Restitution | None = None
    """Coefficient of restitution between them."""
    rolling_friction: Coefficient | None = None
    """Coefficient of rolling friction between them."""
    cohesion: _Tension | None = None
    """Tension that a contact between them bears before it opens [N]; only with `unilateral`."""

    @model_validator(mode="after")
    def _says_something(self) -> Pair:
        if self.friction is None and self.restitution is None and self.rolling_friction is None \
                and self.cohesion is None:
            raise ValueError("gives no coefficient; give friction, restitution, rolling_friction or cohesion, or "
                             "remove it")
        return self
