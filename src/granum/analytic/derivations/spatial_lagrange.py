"""lagrange of a 3-D scene in vectors: energies, their derivatives, and a multiplier for every constraint."""

from __future__ import annotations

from granum.analytic.derivations.derivation import Label, Line, Step
from granum.analytic.derivations.prose import formula
from granum.analytic.derivations.spatial_parts import Spatial
from granum.analytic.derivations.spatial_steps import (
    coordinate_steps,
    energy_step,
    hinge_step,
    holding_step,
    link_step,
    load_step,
    multiplier_lines,
    outline_step,
    point_step,
    surface_step,
)


def vector_steps(m: Spatial) -> list[Step | None]:
    """T, its derivatives (5) and (6), the constraints, and the equations by vectors of coordinates."""
    q = m.letter("q", f"{len(m.n.q)}-vector of all coordinates")
    derivatives = list[Line]()
    for solid in m.solids.values():
        derivatives.append(Line(_label(f"d/dt dT/d({solid.w.text}_dot)"), solid.mass * solid.w.second))
        if solid.rotates:
            u, inner = solid.u, solid.E.T * solid.J * solid.E
            derivatives += [
                Line(_label(f"dT/d({u.text}_dot)"), 4 * inner * u.rate),
                Line(_label(f"d/dt dT/d({u.text}_dot)"), 4 * inner * u.second + 4 * solid.E.rate.T * solid.J * solid.E
                     * u.rate),
                Line(_label(f"dT/d{u.text}"), -(4 * solid.E.rate.T * solid.J * solid.E * u.rate))]
    rows = [row for row in m.rows if not row.invariant]
    return [
        *coordinate_steps(m, q), energy_step(m),
        Step("Derivatives of T", "Terms with `E_dot u_dot = 0` are left out." + (
            " Massless points have no inertia." if m.contacts else ""), tuple(derivatives)),
        point_step(m), hinge_step(m), link_step(m), load_step(m), surface_step(m), outline_step(m),
        holding_step(m),
        Step("Equations of motion", "One for each vector of coordinates, and each constraint differentiated along the "
             "motion until accelerations appear.", tuple(multiplier_lines(m, rows)), True, True)]


def _label(text: str) -> Label:
    return Label(text, formula(text))
