"""Equations: the one result of every formulation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from granum.base.choices import FORMATS, PROGRAMS
from granum.base.errors import GranumError, pick
from granum.base.kernels import Floats
from granum.base.notebook import properties
from granum.base.text import count, listed

if TYPE_CHECKING:
    from granum.analytic.derivations.derivation import Derivation
    from granum.analytic.expressed import System
    from granum.analytic.ports import Ports
    from granum.analytic.state_space import Linearization
    from granum.assembly.assembly import Assembly

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

    @property
    def assembly(self) -> Assembly | None:
        """The assembled scene that they are derived from; none of a system of formulas."""
        return None

    def __repr__(self) -> str:
        return (f"<{type(self).__name__} ({self.formulation}): {count(len(self.coordinates), 'coordinate')}, "
                f"{listed(self.coordinates)}>")

    def _repr_html_(self) -> str:
        """What a notebook shows: the coordinates, and the equations where they are short."""
        shown = properties({"formulation": self.formulation, "coordinates": listed(self.coordinates)})
        latex = self._typeset()
        return f"<div>{shown}{f'$$ {escape(latex, quote=False)} $$' if latex else ''}</div>"

    def _repr_latex_(self) -> str | None:
        """The equations of motion for MathJax, where they are short."""
        latex = self._typeset()
        return f"$\\displaystyle {latex}$" if latex else None

    def _typeset(self) -> str:
        """The equations in LaTeX; nothing where they are long, or have no formulas."""
        if len(self.coordinates) > _TYPESET:
            return ""
        try:
            latex = self.latex()
        except GranumError:
            return ""
        return latex if len(latex) <= _LONGEST_TEXT else ""

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
    def not_unique(self, q: Floats, v: Floats, t: float = 0.0) -> tuple[str, ...]:
        """Names of the reactions that the constraints leave open, because some restrain the same motion."""

    @abstractmethod
    def mass_matrix(self, q: Floats, t: float = 0.0) -> Floats:
        """M(q), dense; for inspection, not for solving."""

    def derivation(self) -> Derivation:
        """How the formulation gets to its equations: steps, equations, and a table of symbols."""
        from granum.analytic.derivations.present import derivation_of

        return derivation_of(self)

    def derivation_in_angles(self) -> Derivation:
        """The same by the angles of links instead of rectangular coordinates: newton-euler of links in 2-D has it."""
        raise GranumError(f"{self.formulation} of this scene has no form in angles; newton-euler of point masses and "
                          "links has one. Leave out angles.")

    def latex(self) -> str:
        """The equations of motion in LaTeX, for display mathematics."""
        from granum.analytic.derivations.latex import aligned

        shown = self.derivation()
        return aligned(shown.equations, shown.latex_names)

    def code(self, form: str, *, steps: bool = False, shared: bool = False, angles: bool = False) -> str:
        """The equations in one of the formats of `granum derive`.

        Args:
            form: text, latex (a document), html (a page), python or c; the latter two are self-contained programs.
            steps: write all steps of the derivation, in text, latex and html.
            shared: define common subexpressions once, in text, latex and html; programs always do.
            angles: write `derivation_in_angles`, in text, latex and html.
        """
        if pick(form, FORMATS, "format") in PROGRAMS:
            if angles:
                raise GranumError(f"{form} programs are written in the coordinates of the equations, not in angles. "
                                  "Leave out angles, or use the formulation lagrange.")
            return self.program(form)
        shown = self.derivation_in_angles() if angles else self.derivation()
        shown = shown.with_shared_parts(steps) if shared else shown
        return {"text": shown.text, "latex": shown.latex, "html": shown.html}[form](steps)

    @abstractmethod
    def program(self, form: str) -> str:
        """A self-contained program of the accelerations, python or c."""

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
                                Ports.read(self.formula_system, inputs, outputs))

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
