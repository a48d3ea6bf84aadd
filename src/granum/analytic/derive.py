"""From a scene or a system of formulas to its equations, in the formulation of choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from granum.base.arguments import checked
from granum.base.choices import FORMULATIONS
from granum.base.errors import GranumError, Problem, SceneError, did_you_mean, pick
from granum.base.errors import at as located
from granum.base.extensions import found
from granum.base.kernels import Floats
from granum.base.offers import load, offered
from granum.base.text import listed
from granum.model.one_sided import refuse_one_sided
from granum.model.scene import Scene
from granum.model.settings import RunSettings
from granum.rows.system import symbol_name

if TYPE_CHECKING:
    from granum.analytic.build import Built
    from granum.analytic.equations import LinkEquations
    from granum.analytic.expressed import System
    from granum.analytic.expressed_equations import ExpressedEquations
    from granum.analytic.expressed_parts import Formula
    from granum.analytic.result import Equations
    from granum.analytic.state_space import Linearization

# loaded when used: kernels of one formulation need not wait for those of the others
_LINKS = {
    "newton-euler": "granum.analytic.equations:NewtonEuler", "lagrange": "granum.analytic.lagrange:Lagrange",
    "scalar": "granum.analytic.scalar.equations:Scalar",
}
_FORMULAS: dict[str, str | type[ExpressedEquations]] = {
    "lagrange": "granum.analytic.lagrange_multipliers:Multipliers",
    "fundamental": "granum.analytic.fundamental:Fundamental",
    "gibbs-appell": "granum.analytic.gibbs_appell:GibbsAppell",
    "virtual-work": "granum.analytic.virtual_work:VirtualWork",
}


def register(name: str, meaning: str, equations: type[ExpressedEquations]) -> None:
    """Add a formulation of systems of formulas: scenes and `derive` choose it by name."""
    FORMULATIONS.register(name, meaning)
    _FORMULAS[name] = equations


_HELD = "Remove one_sided to take the link as closed, or remove the link to take it as open."


@checked
def derive(
    subject: Scene | System, formulation: str | None = None, *, coordinates: Sequence[str] | None = None,
    quasi: Mapping[str, Formula] | Sequence[str] | None = None, **options: Any,
) -> Equations:
    """The equations of motion of a scene or a system of formulas.

    Args:
        subject: a scene, or a `gr.analytic.System`; one-sided links are taken as closed.
        formulation: newton-euler, lagrange, scalar, fundamental, gibbs-appell or virtual-work; default: that of the
            scene, or fundamental for a system of formulas.
        coordinates: coordinates of a scene, such as ["cart.x", "arm.angle"]: joints that form a tree then hold by
            construction; default: those that the scene chooses, or all coordinates of all bodies.
        quasi: formulas of quasi-velocities by name, for gibbs-appell; default: those of the scene, or Granum chooses.
        options: further options of the formulation.

    >>> equations = gr.derive(gr.example("pendulum"), "lagrange")
    >>> q, v = equations.start
    >>> equations.accelerations(q, v).shape
    (50,)
    """
    if not isinstance(subject, Scene):
        if coordinates is not None:
            raise GranumError("coordinates are chosen for scenes, but a system of formulas has its own. Remove "
                              "coordinates.")
        chosen = formulation or "fundamental"
        if not found(_FORMULAS, FORMULATIONS.section, chosen):
            pick(chosen, _FORMULAS, "formulation of formulas")
        own, options = _of_formulas(chosen), _with_quasi(options, quasi, chosen)
        _refuse_options(options, ["start", *_options_of_class(own)], chosen)
        return own(subject, **options)
    if subject.has_grains:
        raise GranumError("scenes with grains have no fixed equations of motion to derive, because contacts open and "
                          "close. Run the scene instead, or remove its grains.")
    chosen = FORMULATIONS.pick(formulation or subject.with_run(coordinates=coordinates).formulation)
    scene = subject.with_run(coordinates=coordinates, formulation=chosen)
    if quasi is not None:
        options = _with_quasi(options, quasi, chosen)
    with offered("naming")(subject._file):
        if by_joints(scene, chosen) or by_links(scene, chosen):
            _refuse_options(options, (), chosen)
        if by_joints(scene, chosen):
            from granum.analytic.rigid_bodies.equations import BodyEquations

            return BodyEquations(scene)
        if by_links(scene, chosen):
            return of_links(scene)
        from granum.analytic.build import build

        return from_built(build(scene), chosen, **{**options_of(scene), **options})


def options_of(scene: Scene) -> dict[str, Any]:
    """Options of the formulation that a scene names: quasi-velocities, which no other formulation has."""
    own = scene.run.formulation == "gibbs-appell" and scene.run.quasi
    return {"quasi": scene.run.quasi} if own else {}


def _with_quasi(options: dict[str, Any], quasi: Mapping[str, Formula] | Sequence[str] | None,
                formulation: str) -> dict[str, Any]:
    """Options with quasi-velocities, read as scenes do; refuses them where a formulation has none."""
    if quasi is None:
        return options
    if formulation != "gibbs-appell":
        raise GranumError(f"{formulation} has no quasi-velocities. Remove quasi, or use gibbs-appell.")
    return {**options, "quasi": quasi if isinstance(quasi, Mapping) else RunSettings.model_validate(
        {"quasi": list(quasi)}).quasi}


def _options_of_class(equations: type[ExpressedEquations]) -> list[str]:
    """Options of a formulation: what its class takes beside the system and its start."""
    return [name for name in signature(equations).parameters if name not in ("system", "start")]


def _refuse_options(options: Mapping[str, Any], allowed: Sequence[str], formulation: str) -> None:
    """Refuse an option that a formulation does not have."""
    for name in options:
        if name not in allowed:
            what = f"It has {listed(allowed)}." if allowed else "It has none."
            raise GranumError(f'{formulation} has no option "{name}". {what} Remove {name}.')


def of_links(scene: Scene) -> LinkEquations:
    """Equations of point masses and links, in the formulation that the scene names."""
    from granum.assembly.points import compile_points

    with located("run.formulation"):
        equations: LinkEquations = load(_LINKS[scene.run.formulation])(compile_points(scene)[0])
        return equations


@checked
def linearize(
    subject: Scene | System, q: Floats | None = None, v: Floats | None = None, t: float = 0.0,
    formulation: str | None = None, *, at: str | Mapping[str, float] = "start", inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | Mapping[str, str] | None = None,
) -> Linearization:
    """Small motions of a scene or system about an equilibrium or a steady motion.

    Args:
        subject: a scene, or a `gr.analytic.System`.
        q, v: coordinates and rates in the order of `derive(subject, formulation).coordinates`, instead of `at`;
            without v at rest.
        t: time [s], for systems that depend on it.
        formulation: as in `derive`. With `at` other than "start", formulations of arrays become "fundamental".
        at: "start", the initial state; "equilibrium", the one that `gr.equilibrium` finds from there; or coordinates
            and rates (`x_dot`) by name, from which the others follow.
        inputs: parameters of the system that are inputs u, for B and D; default: the commands of all actuators.
        outputs: what C and D look at: coordinates, rates, `hinge.angle`, `slider.displacement`, `body.vx`, `arm.tip.x`
            or formulas; a dictionary gives them names; default: all coordinates.

    >>> system = gr.analytic.System("theta", kinetic="theta_dot**2/2", potential="-9.81*cos(theta)")
    >>> gr.linearize(system, at={"theta": 0.0})
    <Linearization of 1 coordinate: angular frequencies 3.13209 rad/s>
    """
    if q is None and at != "start":
        equations = as_formulas(subject, formulation)
        q, v = state_at(equations, at, t)
        return equations.linearize(q, v, t, inputs, outputs)
    if isinstance(subject, Scene):
        refuse_one_sided(subject, "linearize", _HELD)
    if at != "start":
        raise GranumError("linearize takes a state by at = ... or by q = ..., not by both.")
    return derive(subject, formulation).linearize(q, v, t, inputs, outputs)


def as_formulas(subject: Scene | System, formulation: str | None = None) -> ExpressedEquations:
    """Equations in the coordinates of formulas: in the formulation asked for, or in "fundamental"."""
    from granum.analytic.expressed_equations import ExpressedEquations

    own = formulation or (subject.formulation if isinstance(subject, Scene) else "fundamental")
    if isinstance(subject, Scene):
        refuse_one_sided(subject, "this analysis", _HELD)
    if isinstance(subject, Scene) and not subject.has_grains and (by_joints(subject, own) or by_links(subject, own)):
        own = "fundamental"
    equations = derive(subject, own)
    assert isinstance(equations, ExpressedEquations)
    return equations


def state_at(equations: ExpressedEquations, at: str | Mapping[str, float], t: float = 0.0) -> tuple[Floats, Floats]:
    """Coordinates and rates of a state that `linearize` is asked for; what is not given is near the start."""
    from granum.analytic.starts import consistent

    if at == "start":
        return equations.start
    if at == "equilibrium":
        from granum.analytic.equilibrium import find_equilibrium

        q = find_equilibrium(equations, t=t)
        return q, np.zeros(len(q))
    guess = dict(zip(equations.coordinates, equations.start[0].tolist(), strict=True)) if equations.has_start else {}
    return consistent(equations.system, named_values(at), guess=guess, t=t)


def position_near(equations: ExpressedEquations, at: str | Mapping[str, float]) -> Floats:
    """Coordinates from which an equilibrium is searched for: the start, with those that are given by name."""
    if at == "start":
        return equations.start[0]
    q = equations.start[0].copy() if equations.has_start else np.zeros(len(equations.coordinates))
    for name, value in named_values(at).items():
        if name not in equations.coordinates:
            raise GranumError(f'there is no coordinate "{name}". '
                              f'{did_you_mean(name, equations.coordinates, "coordinate")}')
        q[equations.coordinates.index(name)] = value
    return q


def named_values(at: str | Mapping[str, float]) -> dict[str, float]:
    """Values by the names that formulas use."""
    if isinstance(at, str):
        raise GranumError(f'at = "{at}" is not a state. Use "start", "equilibrium", or coordinates by name.')
    return {symbol_name(name): float(value) for name, value in at.items()}


def by_joints(scene: Scene, formulation: str) -> bool:
    """Are the equations those of rigid bodies and joints as arrays?"""
    return formulation == "newton-euler" and scene.has_formulas


def by_links(scene: Scene, formulation: str) -> bool:
    """Does the formulation work on the arrays of point masses and links of this scene?"""
    return formulation in _LINKS and not (scene.has_formulas or scene.run.coordinates)


def from_built(built: Built, formulation: str, **options: Any) -> ExpressedEquations:
    """Equations of a scene that is built, with its start computed from what it gives."""
    if formulation not in (*_FORMULAS, "scalar"):
        raise SceneError([Problem("run.formulation", f"{formulation} supports point masses and links only, but this "
                                                     "scene has rigid bodies, surfaces, constraints or formulas.",
                                  f"Use one of {', '.join(_FORMULAS)}.")])
    from granum.analytic.build import initial_state
    from granum.analytic.parametrised import refuse_start
    from granum.assembly.parametrised import parametrised_bodies

    start = initial_state(built)
    bodies = sorted(parametrised_bodies(built.scene))
    if bodies:
        refuse_start(built.assembly, built.system, start[0])
    with located("run.formulation"):  # what a formulation cannot do
        if formulation == "scalar":
            if bodies:
                raise GranumError(f"scalar does not support bodies with a parametrisation, which this scene has: "
                                  f"{listed(bodies)}. Use one of {', '.join(_FORMULAS)}.")
            from granum.analytic.scalar.cluster_equations import ClusterEquations

            _refuse_options(options, (), formulation)
            equations: ExpressedEquations = ClusterEquations(built, start)
        else:
            own = _of_formulas(formulation)
            _refuse_options(options, _options_of_class(own), formulation)
            equations = own(built.system, start, **options)
    equations.scene = built.scene
    return equations.of_scene(built.assembly)


def _of_formulas(formulation: str) -> type[ExpressedEquations]:
    """The formulation of a name, for systems of formulas."""
    equations = _FORMULAS[formulation]
    return cast("type[ExpressedEquations]", load(equations)) if isinstance(equations, str) else equations
