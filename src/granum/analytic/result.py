"""Equations: the one result of every formulation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.notebook import properties
from granum.base.text import count, listed

if TYPE_CHECKING:
    from granum.analytic.expressed import System
    from granum.analytic.ports import Ports
    from granum.analytic.state_space import Linearization

_TYPESET, _LONGEST_TEXT = 8, 20_000
"""Coordinates and characters of equations that a notebook shows."""


class Equations(ABC):
    """Equations of motion M(q) q̈ = f(q, q̇) with constraints A q̈ = b: accelerations and reactions in any state.

    `q` and `v` are vectors of the coordinates named in `coordinates` and of their rates, SI units and radians.

    >>> gr.derive(gr.analytic.System("x", kinetic="x_dot**2/2", potential="50*x**2"))
    <Fundamental (fundamental): 1 coordinate, x>
    """

    formulation: str
    coordinates: tuple[str, ...]

    def __repr__(self) -> str:
        return (f"<{type(self).__name__} ({self.formulation}): {count(len(self.coordinates), 'coordinate')}, "
                f"{listed(self.coordinates)}>")

    def _repr_html_(self) -> str:
        """What a notebook shows: the coordinates, and the equations where they are short."""
        shown = properties({"formulation": self.formulation, "coordinates": listed(self.coordinates)})
        return f"<div>{shown}{self._typeset()}</div>"

    def _typeset(self) -> str:
        """The equations for MathJax; nothing where they are long, or have no text."""
        if len(self.coordinates) > _TYPESET:
            return ""
        try:
            latex = self.latex()
        except GranumError:
            return ""
        return escape(latex) if len(latex) <= _LONGEST_TEXT else ""

    @property
    @abstractmethod
    def start(self) -> tuple[Floats, Floats]:
        """Coordinates and rates at the start."""

    @abstractmethod
    def accelerations(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """Second derivatives of the coordinates."""

    @abstractmethod
    def reactions(self, q: Floats, v: Floats, t: float = 0.0) -> dict[str, float]:
        """Forces of links and constraints by name; of least norm where they are not unique."""

    @abstractmethod
    def mass_matrix(self, q: Floats, t: float = 0.0) -> Floats:
        """M(q), dense; for inspection, not for solving."""

    @abstractmethod
    def latex(self) -> str:
        """The equations in LaTeX."""

    @abstractmethod
    def code(self, form: str) -> str:
        """The equations as text, latex, python or c; the latter two are self-contained programs."""

    def constraint_rows(self, q: Floats, v: Floats, t: float = 0.0) -> Floats:
        """A of A q̈ = b; no rows without constraints."""
        return np.zeros((0, len(self.coordinates)))

    def linearize(
        self, q: Floats | None = None, v: Floats | None = None, t: float = 0.0, inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | Mapping[str, str] | None = None,
    ) -> Linearization:
        """Small motions about an equilibrium or a steady motion, by exact derivatives.

        Without q: about the start; without v: at rest. Any other state is refused, with its acceleration and the
        equilibrium that a step of Newton's method estimates. For inputs and outputs see `gr.linearize`.
        """
        from granum.analytic.ports import Ports

        n = len(self.coordinates)
        if q is None:
            q, v = self.start
        return self._linearized(as_vector(q, n), np.zeros(n) if v is None else as_vector(v, n), t,
                                Ports(self.formula_system, inputs, outputs))

    @property
    @abstractmethod
    def formula_system(self) -> System:
        """The system as formulas, in its own coordinates."""

    @abstractmethod
    def _linearized(self, q: Floats, v: Floats, t: float, ports: Ports) -> Linearization:
        """As `linearize`, of checked vectors."""


def as_vector(values: Floats, size: int) -> Floats:
    """`size` numbers as a contiguous array; anything else is refused."""
    vector = np.ascontiguousarray(values, dtype=float)
    if vector.shape != (size,):
        raise GranumError(f"found a vector of shape {vector.shape}, but {size} numbers are needed.")
    return vector
