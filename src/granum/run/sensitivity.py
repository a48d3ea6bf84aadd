"""Sensitivities: how results change with parameters, with the error of each derivative (docs/theory/sensitivity.md).

Central differences (y(p + h) - y(p - h))/2h have an error c₂ h² + c₄ h⁴ + ..., which Richardson's extrapolation over
halved steps removes term by term. Ridders' method keeps, of each number, the extrapolation that differs least from
those it is made of, and takes that difference as its error: rounding ends the improvement, and shows in it.

Source: Ridders (1982).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from granum.analytic.derive import linearize
from granum.analytic.equilibrium import equilibrium
from granum.analytic.mode_sensitivity import frequency_slopes
from granum.analytic.state_space import Linearization
from granum.base.arguments import checked
from granum.base.errors import GranumError, did_you_mean
from granum.base.kernels import Floats
from granum.base.notebook import table
from granum.base.text import count
from granum.model.quantities import Entry
from granum.model.scene import Scene
from granum.run.result import Run
from granum.run.simulate import simulate

if TYPE_CHECKING:
    from granum.analytic.expressed import System

HALVINGS = 5
"""Steps that are tried: the first, and halves of it."""
STEP = 0.02
"""First step relative to the value of the parameter."""

Answer = Callable[[Any], Any]


@dataclass(frozen=True, repr=False)
class Sensitivity:
    """Derivatives of results by parameters, each with its error.

    >>> system = gr.analytic.System("x", parameters={"m": 2.0, "k": 50.0}, kinetic="m*x_dot**2/2", potential="k*x**2/2")
    >>> found = gr.sensitivity(system, "frequencies", ["k", "m"], at={"x": 0.0})
    >>> found.derivative["k"].round(9), found.elasticity["m"].round(9)
    (array([0.05]), array([-0.5]))
    """

    value: Floats
    """The result with the parameters as they are."""
    parameters: Mapping[str, float]
    """Their values."""
    derivative: Mapping[str, Floats]
    """∂value/∂parameter by parameter, shaped like `value`."""
    error: Mapping[str, Floats]
    """Estimated error of each derivative."""

    @property
    def elasticity(self) -> dict[str, Floats]:
        """Relative change of the result by relative change of each parameter, (p/y) ∂y/∂p; nan where y = 0."""
        return {name: np.divide(p * self.derivative[name], self.value, out=np.full_like(self.value, np.nan),
                                where=self.value != 0.0) for name, p in self.parameters.items()}

    def __repr__(self) -> str:
        worst = max(float(error.max(initial=0.0)) for error in self.error.values())
        return (f"<Sensitivity of {count(self.value.size, 'value')} to {', '.join(self.parameters)}: errors of "
                f"derivatives up to {worst:.1g}>")

    def _repr_html_(self) -> str:
        """What a notebook shows: the derivatives of the first values."""
        rows = [(name, f"{p:.6g}", f"{self.derivative[name].ravel()[0]:.6g}", f"{self.error[name].ravel()[0]:.1g}")
                for name, p in self.parameters.items()]
        return f"<div>{table(('parameter', 'value', 'derivative of the first value', 'error'), rows)}</div>"


@checked
def sensitivity(
    subject: Scene | System, of: str | Answer, to: Sequence[str], *, at: str | Mapping[str, float] | None = None,
    step: float = STEP, start: Mapping[str, float] | None = None, **settings: Any,
) -> Sensitivity:
    """Derivatives of results by parameters.

    Args:
        subject: a scene, or a `gr.analytic.System`.
        of: "frequencies" of small motions; "equilibrium" (coordinates) or "reactions" of the equilibrium, by name; a
            quantity of a run over its frames, such as `bob.x`, `theta` or `rod.tension`; or a function of the scene
            that returns numbers.
        to: parameters: paths in the scene (`body.bob.mass`, `system.parameters.k`), or names of a System.
        at: state of "frequencies", as in `gr.linearize` (default: the equilibrium), or where an equilibrium is searched
            for (default: the start).
        step: first step, relative to the parameter; smaller ones follow.
        start: initial state of the runs of a System.
        settings: run settings, such as `until` and `tolerance`, for quantities of runs.

    >>> ball = gr.analytic.System("y", parameters={"g": 9.81}, kinetic="y_dot**2/2", potential="g*y")
    >>> fall = gr.sensitivity(ball, "y", ["g"], start={"y": 0.0}, until=2.0)     # y = -g t²/2
    >>> fall.derivative["g"][-1].round(6).item()
    -2.0
    """
    parameters = {name: _value(subject, name) for name in to}
    swings = of == "frequencies"  # by the linear equations: equal frequencies cross, so that differences mix them up
    answer = _answer("matrix" if swings else of, at, start, settings)
    derivative, error = {}, {}
    for name, p in parameters.items():
        derivative[name], error[name] = ridders(
            lambda x, name=name: np.asarray(answer(_changed(subject, name, x)), dtype=float),  # type: ignore[misc]
            p, step * (abs(p) or 1.0))
    if not swings:
        return Sensitivity(np.asarray(answer(subject), dtype=float), parameters, derivative, error)
    linear = _linear(subject, at)
    for name in parameters:
        derivative[name], error[name] = frequency_slopes(linear, derivative[name], error[name])
    return Sensitivity(linear.frequencies, parameters, derivative, error)


def ridders(f: Callable[[float], Floats], x: float, h: float) -> tuple[Floats, Floats]:
    """df/dx and its error: central differences with halved steps, extrapolated to zero step."""
    before: list[Floats] = []
    best, error = np.zeros(0), np.zeros(0)
    for k in range(HALVINGS):
        upper, lower = f(x + h), f(x - h)
        if upper.shape != lower.shape:
            raise GranumError(f"the result has {upper.size} values at {x + h:.6g}, but {lower.size} at {x - h:.6g}: it "
                              "has no derivative between them. Use a smaller step.")
        row = [(upper - lower) / (2.0 * h)]
        for j in range(1, k + 1):
            factor = 4.0**j
            row.append((factor * row[j - 1] - before[j - 1]) / (factor - 1.0))
            off = np.maximum(np.abs(row[j] - row[j - 1]), np.abs(row[j] - before[j - 1]))
            if j == k == 1:
                best, error = row[1], off
            better = off < error
            best, error = np.where(better, row[j], best), np.where(better, off, error)
        before, h = row, 0.5 * h
    return best, error


def _answer(of: str | Answer, at: str | Mapping[str, float] | None, start: Mapping[str, float] | None,
            settings: Mapping[str, Any]) -> Answer:
    if not isinstance(of, str):
        return of
    if of == "matrix":
        return lambda scene: _linear(scene, at).matrix
    if of in ("equilibrium", "reactions"):
        def rest(scene: Any) -> Any:
            found = equilibrium(scene, at="start" if at is None else at)
            return found.q if of == "equilibrium" else list(found.reactions.values())

        return rest
    return lambda scene: _recorded(simulate(scene, start=start, progress=False, **settings), of)


def _linear(subject: Scene | System, at: str | Mapping[str, float] | None) -> Linearization:
    """The linear equations that frequencies are those of."""
    return linearize(subject, at="equilibrium" if at is None else at)


def _recorded(run: Run, name: str) -> Floats:
    """A quantity of a run over its frames, by name."""
    owner, _, last = name.rpartition(".")
    if run.has.coordinates and name in list(run.coordinate_names):
        return run.coordinate(name)
    axis = {f"{kind}{axis}": (kind, k) for kind in ("", "v") for k, axis in enumerate("xyz"[: run.dimension])}
    if last in axis and owner:
        kind, k = axis[last]
        return (run.velocity(owner) if kind else run.position(owner))[:, k]
    if last == "angle" and owner:
        return run.angle(owner)
    if owner and run.has.reactions:
        return run.reaction(owner).component(last)
    raise GranumError(f'"{name}" is not recorded in this run. Use a coordinate, body.x, body.vx, body.angle, or a '
                      "component of a reaction such as rod.tension.")


def _value(subject: Scene | System, name: str) -> float:
    """The value of a parameter."""
    if not isinstance(subject, Scene):
        if name not in subject.parameters:
            raise GranumError(f'there is no parameter "{name}". {did_you_mean(name, subject.parameters, "parameter")}')
        return subject.parameters[name]
    value: Any = subject
    for part in name.split("."):
        known = list(value) if isinstance(value, Mapping) else (
            list(type(value).model_fields) if isinstance(value, Entry) else [str(k) for k in range(
                len(value) if isinstance(value, list | tuple) else 0)])
        if part not in known:
            raise GranumError(f'"{name}": there is no "{part}". {did_you_mean(part, known, "name")}')
        value = value[part] if isinstance(value, Mapping) else (
            getattr(value, part) if isinstance(value, Entry) else value[int(part)])
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise GranumError(f'"{name}" is {value!r}, but a derivative needs a number. Name a number of the scene.')
    return float(value)


def _changed(subject: Scene | System, name: str, value: float) -> Scene | System:
    return subject.vary({name: value}) if isinstance(subject, Scene) else subject.with_parameters({name: value})
