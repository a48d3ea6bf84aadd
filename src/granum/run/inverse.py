"""Inverse dynamics: what forces a prescribed motion takes (docs/theory/inverse-dynamics.md).

Each prescribed quantity z is held by a row z(q) - p(t) = 0 of its own. The multiplier of the row is the generalised
force along z: a torque for an angle, a force for a length. If the rows determine the motion, nothing is left to
integrate; otherwise the rest moves freely.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from granum.algebra import Expression, symbol
from granum.algebra.parse import parse_equation
from granum.algebra.piecewise import spline
from granum.analytic.build import build
from granum.analytic.derive import as_formulas
from granum.analytic.fundamental import Fundamental
from granum.analytic.ports import quantity
from granum.analytic.starts import consistent
from granum.base.arguments import checked
from granum.base.csvtable import checked_table, read_table
from granum.base.errors import GranumError
from granum.base.kernels import Floats
from granum.base.text import listed
from granum.model.scene import Scene
from granum.rows.symbolic import Constraint, rate_name
from granum.run.formulas import SolvedFormulas, scene_of
from granum.run.result import Run
from granum.run.simulation import Simulation
from granum.run.smooth import SmoothSubject

if TYPE_CHECKING:
    from granum.analytic.expressed import System


@dataclass(frozen=True, repr=False)
class InverseDynamics:
    """Forces that a prescribed motion takes.

    >>> arm = gr.analytic.System("theta", parameters={"m": 2.0, "l": 0.5, "g": 9.81},
    ...                          kinetic="m*l**2*theta_dot**2/2", potential="m*g*l*sin(theta)")
    >>> needed = gr.inverse_dynamics(arm, {"theta": "0"}, until=1.0)
    >>> needed.forces["theta"][-1].round(6).item()
    9.81
    """

    forces: Mapping[str, Floats]
    """(frames,) of each prescribed quantity: torque along an angle [N m], force along a length [N]."""
    run: Run
    """The motion, with reactions and the energy balance; the prescribed motions are among its agents."""

    @property
    def t(self) -> Floats:
        """(frames,) [s]"""
        return self.run.t

    def __repr__(self) -> str:
        return f"<InverseDynamics of {listed(list(self.forces))}: {len(self.t)} frames to t = {self.t[-1]:g} s>"


@checked
def inverse_dynamics(
    subject: Scene | System, motion: Mapping[str, Any], *, until: float | None = None, interval: float | None = None,
    start: Mapping[str, float] | None = None, **settings: Any,
) -> InverseDynamics:
    """The forces that prescribed motions take.

    Args:
        subject: a scene, or a `gr.analytic.System`.
        motion: what is prescribed: coordinates, `hinge.angle`, `slider.displacement`, `arm.tip.x`, ... with a formula
            in t, a table of rows (t, value), or the name of a CSV file with these two columns.
        until, interval: end and interval of the frames [s]; default: those of the scene.
        start: where the search for an initial state begins, for a System.
        settings: further run settings, such as `tolerance`.

    What is not prescribed moves by the equations of motion. The initial state is the one nearest to the start that the
    prescribed motion allows.

    >>> mass = gr.analytic.System("x", kinetic="x_dot**2", potential="0")
    >>> gr.inverse_dynamics(mass, {"x": [[0, 0], [1, 1], [2, 4]]}, until=2.0).forces["x"].round(6)[[0, -1]]
    array([4., 4.])
    """
    if not motion:
        raise GranumError("motion names nothing to prescribe. Give coordinates with formulas or tables.")
    given = {key: value for key, value in {"until": until, "interval": interval}.items() if value is not None}
    settings = {"formulation": "fundamental", "solver": "dop853", **given, **settings}
    free = as_formulas(subject, "fundamental")
    names = {name: f"motion_{name.replace('.', '_').replace('-', '_')}" for name in motion}
    rows = [Constraint(names[name], (quantity(free.system, name, "motion") - _prescribed(free.system, name, value),))
            for name, value in motion.items()]
    system = free.system.with_constraints(rows)
    guess = dict(start or {})
    if free.has_start:
        known = [*free.coordinates, *map(rate_name, free.coordinates)]
        guess = dict(zip(known, [*free.start[0].tolist(), *free.start[1].tolist()], strict=True)) | guess
    equations = Fundamental(system, consistent(system, {}, guess=guess))
    scene = (subject if isinstance(subject, Scene) else scene_of(subject, equations)).with_run(**settings)
    moving = SolvedFormulas(equations, scene, build(scene) if isinstance(subject, Scene) else None)
    run = Simulation.of(SmoothSubject(moving), None).complete(None)
    return InverseDynamics({name: run.reaction(own).multiplier for name, own in names.items()}, run)


def _prescribed(system: System, name: str, value: Any) -> Expression:
    """A motion as an expression of t."""
    place = f'motion of "{name}"'
    try:
        if isinstance(value, str) and value.lower().endswith((".csv", ".txt", ".dat")):
            return spline(symbol("t"), read_table(value))
        if not isinstance(value, str | int | float):
            return spline(symbol("t"), checked_table(value))
    except ValueError as error:
        raise GranumError(f"{place}: {error}.") from None
    try:
        return parse_equation(str(value), ["t", *system.parameters])
    except GranumError as error:
        raise GranumError(f"{place}: {error}") from None
