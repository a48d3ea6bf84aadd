"""A system given by formulas instead of bodies."""

from __future__ import annotations

from pydantic import model_validator

from granum.model.quantities import Entry, Formula, Identifier, Number


class FormulaSystem(Entry):
    """Coordinates, energies and forces as formulas; constraints are in their own section."""

    coordinates: tuple[Identifier, ...] = ()
    """Names; the rate of `x` is written `x_dot`."""
    parameters: dict[Identifier, Number] = {}
    """Numbers by name."""
    definitions: dict[Identifier, Formula] = {}
    """Names for parts of formulas; later ones may use earlier ones. `z_dot` is the rate of `z` that is defined so."""
    kinetic: Formula | None = None
    """Kinetic energy [J]."""
    potential: Formula = "0"
    """Potential energy [J]."""
    mass: tuple[tuple[Formula, ...], ...] = ()
    """Mass matrix, where the kinetic energy is not given."""
    forces: dict[Identifier, Formula] = {}
    """Generalised forces without potential, by coordinate."""
    start: dict[Identifier, Number] = {}
    """Coordinates and rates at t = 0; the others follow from the constraints."""
    guess: dict[Identifier, Number] = {}
    """Where the search for coordinates that are not given begins."""

    points: dict[Identifier, tuple[Formula, ...]] = {}
    """Points to record and to draw, two (plane) or three coordinates each."""
    lines: tuple[tuple[Identifier, ...], ...] = ()
    """Which points pictures join by lines."""

    @model_validator(mode="after")
    def _fits_together(self) -> FormulaSystem:
        if self.kinetic is not None and self.mass:
            raise ValueError("give the kinetic energy or the mass matrix, not both")
        if self.coordinates and self.kinetic is None and not self.mass:
            raise ValueError("needs kinetic = \"...\" or a mass matrix")
        if {len(point) for point in self.points.values()} not in (set(), {2}, {3}):
            raise ValueError("points need two coordinates each, or three each")
        for name in {name for line in self.lines for name in line} - set(self.points):
            raise ValueError(f'lines join "{name}", which is not among the points')
        return self
