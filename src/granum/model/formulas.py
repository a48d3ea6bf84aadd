"""A system given by formulas instead of bodies."""

from __future__ import annotations

from pydantic import model_validator

from granum.model.quantities import Entry, Formula, Identifier


class FormulaSystem(Entry):
    """Coordinates, energies and forces as formulas; constraints are in their own section."""

    coordinates: tuple[Identifier, ...] = ()
    """Names; the rate of `x` is written `x_dot`."""
    parameters: dict[Identifier, float] = {}
    """Numbers by name."""
    kinetic: Formula | None = None
    """Kinetic energy [J]."""
    potential: Formula = "0"
    """Potential energy [J]."""
    mass: tuple[tuple[Formula, ...], ...] = ()
    """Mass matrix, where the kinetic energy is not given."""
    forces: dict[Identifier, Formula] = {}
    """Generalised forces without potential, by coordinate."""
    start: dict[Identifier, float] = {}
    """Coordinates and rates at t = 0; the others follow from the constraints."""
    guess: dict[Identifier, float] = {}
    """Where the search for coordinates that are not given begins."""

    @model_validator(mode="after")
    def _fits_together(self) -> FormulaSystem:
        if self.kinetic is not None and self.mass:
            raise ValueError("give the kinetic energy or the mass matrix, not both")
        if self.coordinates and self.kinetic is None and not self.mass:
            raise ValueError("needs kinetic = \"...\" or a mass matrix")
        return self
