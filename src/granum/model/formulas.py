"""A system given by formulas instead of bodies."""

from __future__ import annotations

from pydantic import model_validator

from granum.model.quantities import Entry, Formula, Identifier, Number


class FormulaSystem(Entry):
    """Coordinates, energies and forces as formulas; constraints have their own section.

    >>> system = gr.FormulaSystem(coordinates=["x"], kinetic="x_dot**2/2", potential="50*x**2", start={"x": 0.1})
    """

    coordinates: tuple[Identifier, ...] = ()
    """Names of the coordinates; the rate of `x` is `x_dot`."""
    parameters: dict[Identifier, Number] = {}
    """Named constants."""
    definitions: dict[Identifier, Formula] = {}
    """Named expressions; later ones may use earlier ones. `z_dot` is the rate of a defined `z`."""
    kinetic: Formula | None = None
    """Kinetic energy [J]; needed unless bodies with a `parametrisation` give it."""
    potential: Formula = "0"
    """Potential energy [J]."""
    mass: tuple[tuple[Formula, ...], ...] = ()
    """Mass matrix, instead of the kinetic energy."""
    forces: dict[Identifier, Formula] = {}
    """Generalised non-potential forces, by coordinate."""
    start: dict[Identifier, Number] = {}
    """Coordinates and rates at t = 0; the others follow from the constraints."""
    guess: dict[Identifier, Number] = {}
    """Starting values of the search for coordinates that are not given."""

    points: dict[Identifier, tuple[Formula, ...]] = {}
    """Points to record and draw, with two (2-D) or three (3-D) coordinates each."""
    lines: tuple[tuple[Identifier, ...], ...] = ()
    """Lists of points that pictures join by lines."""

    @model_validator(mode="after")
    def _fits_together(self) -> FormulaSystem:
        if self.kinetic is not None and self.mass:
            raise ValueError("give the kinetic energy or the mass matrix, not both")
        if {len(point) for point in self.points.values()} not in (set(), {2}, {3}):
            raise ValueError("all points need two coordinates, or all three")
        for name in {name for line in self.lines for name in line} - set(self.points):
            raise ValueError(f'lines join "{name}", which is not among the points')
        return self
