"""Run settings: end time, formulation, solver, accuracy and recording."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import BeforeValidator, model_validator

from granum.base.choices import CONTACT_LAWS, FORMULATIONS, FRICTION_MODELS, GRAIN_SOLVERS, IMPACT_LAWS, SOLVERS
from granum.model.quantities import Check, Entry, OneOf, Plain, Seed, Speed, Sweeps, Time

MOST_STEPS = 1e12
"""Equal steps of a run: more take years, and far more do not even change the time."""

_OWN_COORDINATES = ("newton-euler", "scalar")
"""Formulations whose coordinates cannot be chosen."""
_CHOOSES_STEPS = ("dop853", "radau", "adams")
"""Solvers that choose their steps."""
Correction = Literal["position", "velocity", "energy"]


def _tolerance(value: float) -> float:
    if not 1e-14 <= value <= 0.1:
        raise ValueError(f"found {value:g}, but a tolerance lies between 1e-14 and 0.1")
    return value


def _distinct(value: object) -> object:
    if isinstance(value, list | tuple) and len(set(map(str, value))) != len(value):
        raise ValueError(f"found {list(value)!r}, but each correction may be named only once")
    return value


def _listed(value: object) -> object:
    """Names in a list; one text may list them with commas."""
    if isinstance(value, str):
        value = [name.strip() for name in value.split(",") if name.strip()]
    return value


def _quasi(value: object) -> object:
    """Quasi-velocities by name, from a table or from a list of `name = formula`."""
    if not isinstance(value, list | tuple):
        return value
    named: dict[str, str] = {}
    for entry in value:
        name, equals, formula = (part.strip() for part in str(entry).partition("="))
        name, formula = (name, formula) if equals else (name.replace("-", "_").replace(".", "_"), name)
        if not name or not formula or name in named:
            raise ValueError(f'found "{entry}", but each quasi-velocity is a formula with a name of its own, such as '
                             '"w = arm.angle_dot - cart.angle_dot", or a rate')
        named[name] = formula
    return named


class RunSettings(Entry):
    """How to run a scene.

    >>> settings = gr.RunSettings(until="2 s", solver="rattle", step="1 ms")
    """

    until: Time = 1.0
    """End time [s]."""
    formulation: Annotated[str, OneOf(FORMULATIONS)] = "newton-euler"
    """Formulation of the equations of motion; default: newton-euler for links, fundamental for everything else."""
    coordinates: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()
    """Coordinates of the equations, such as ["cart.x", "arm.angle"]: positions and angles of bodies, `HINGE.angle`,
    `SLIDER.displacement`, `LINK.angle`; joints that form a tree then hold by construction. Default: all coordinates of
    all bodies, with multipliers; with coordinates the default formulation is lagrange."""
    quasi: Annotated[dict[str, str], BeforeValidator(_quasi, dict[str, str] | list[str])] = {}
    """Quasi-velocities of gibbs-appell: formulas by name, or a list such as ["w = arm.wz - cart.wz", "cart.x_dot"];
    default: chosen by Granum."""
    solver: Annotated[str, OneOf(SOLVERS, GRAIN_SOLVERS)] = "dop853"
    """Time integrator or contact solver; default: dop853, or moreau for scenes with grains."""
    tolerance: Annotated[Plain, Check(_tolerance, {"minimum": 1e-14, "maximum": 0.1})] = 1e-9
    """Relative error allowed per step (dop853, radau, adams); relative change at which the iteration stops (mixed);
    constraint error left by corrections, relative to the length of a link (mixed: at most 1e-9); relative residual at
    which the sweeps over the contacts stop (moreau; default 0.01 (1 - e²) with the largest restitution e of the scene,
    but at least 0.001)."""
    step: Time = 1e-3
    """Largest time step (rk4, rattle), first time step (mixed), or time step (scenes with grains) [s]; default for
    grains: chosen to suit the solver."""
    max_step: Time | None = None
    """Largest step that dop853, radau and adams may take [s]; default: as long as the tolerance allows, bounded where a
    formula of time changes quickly."""
    interval: Time | None = None
    """Time between recorded frames [s]; default: 1/200 of the run."""
    corrections: Annotated[tuple[Correction, ...] | None, BeforeValidator(_distinct)] = None
    """Errors to correct: any of "position", "velocity", "energy"; default: none for links, position and velocity for
    systems of formulas."""
    correct: Literal["end", "inside"] = "end"
    """When to correct: at the end of a step, or inside the iteration (mixed only)."""
    inner_solver: Literal["gauss-seidel", "direct"] = "direct"
    """How `mixed` solves for the link forces: Gauss-Seidel sweeps as published (Sun 1996, §5.3), or elimination."""
    adapt_step: bool = False
    """Let `mixed` choose its step from the number of iterations (Sun 1996, §5.3.4)."""
    project_start: bool = False
    """If given values contradict each other, change the given positions and velocities as little as possible until they
    fit, instead of refusing them; given angles and orientations are kept."""
    max_sweeps: Sweeps = 5000
    """Maximum number of sweeps over the contacts per step of moreau, where they stop when the residual is below
    `tolerance`, or per solve of unilateral, where they stop when the change is."""
    impact_law: Annotated[str, OneOf(IMPACT_LAWS)] = "newton"
    """How `events` resolves simultaneous impacts: all together by Newton's law, or as a sequence of binary impacts."""
    merge_clusters: bool = False
    """Scenes with grains (moreau): treat an over-determined cluster of grains at relative rest as one rigid body until
    a contact opens or slips."""
    contact_law: Annotated[str, OneOf(CONTACT_LAWS)] = "linear"
    """Contact law of `soft`."""
    friction_model: Annotated[str, OneOf(FRICTION_MODELS)] = "coulomb"
    """How friction depends on sliding in `unilateral` (Sun 1996, fig. 4.4): Coulomb's law, or smoothed, so that
    contacts at rest creep."""
    friction_velocity: Speed | None = None
    """Sliding velocity ε at which smoothed friction reaches μ times the normal force [m/s]."""
    seed: Seed = 0
    """Seed of everything random in the scene."""

    @model_validator(mode="after")
    def _fits_together(self) -> RunSettings:
        if self.formulation != "newton-euler" and self.solver in ("rattle", "mixed"):
            raise ValueError(f'solver "{self.solver}" needs formulation newton-euler; with {self.formulation} use '
                             "dop853, radau, adams or rk4")
        if self.coordinates and "formulation" in self.model_fields_set and self.formulation in _OWN_COORDINATES:
            raise ValueError(f"{self.formulation} has coordinates of its own and takes no others; remove coordinates "
                             "(coordinates = []), or use lagrange, fundamental, gibbs-appell or virtual-work")
        if self.solver != "mixed" and (self.correct == "inside" or self.adapt_step):
            raise ValueError(f'correct = "inside" and adapt_step are for solver "mixed", not for "{self.solver}"')
        if self.solver == "rattle" and self.corrections:
            raise ValueError('solver "rattle" satisfies the links exactly and takes no corrections; remove corrections')
        if self.max_step is not None and self.solver not in _CHOOSES_STEPS:
            raise ValueError(f'max_step is for solvers that choose their steps ({", ".join(_CHOOSES_STEPS)}), not for '
                             f'"{self.solver}"; remove it and give step')
        if self.max_step is not None:
            self.refuse_endless(self.max_step)
        if self.friction_model != "coulomb" and self.solver != "unilateral":
            raise ValueError(f'friction_model = "{self.friction_model}" is for solver "unilateral", not for '
                             f'"{self.solver}", which has Coulomb friction; remove it')
        if self.friction_model == "coulomb" and self.friction_velocity is not None:
            raise ValueError("friction_velocity is for smoothed friction; remove it, or give friction_model")
        if self.friction_model != "coulomb" and self.friction_velocity is None:
            raise ValueError(f'friction_model = "{self.friction_model}" needs friction_velocity, the sliding velocity '
                             "at which friction is fully developed")
        if self.solver in ("rk4", "rattle", "mixed"):
            self.refuse_endless(self.step)
        if self.until / self.frame_interval > 10_000_000:
            raise ValueError(f"interval {self.interval:g} s gives more than ten million frames; use a larger one")
        return self

    def refuse_endless(self, step: float) -> None:
        """Refuse more steps than a run can take; raises ValueError."""
        if self.until / step > MOST_STEPS:
            raise ValueError(f"{self.until:g} s in steps of {step:.3g} s are {self.until / step:.3g} steps, but a run "
                             f"may have at most {MOST_STEPS:g}; use a larger step or a shorter run")

    @property
    def largest_step(self) -> float:
        """Largest step of solvers that choose their steps [s]; infinite where there is no bound."""
        return math.inf if self.max_step is None else self.max_step

    @property
    def frame_interval(self) -> float:
        """Time between frames [s]."""
        return min(self.interval or self.until / 200.0, self.until)
