"""Run settings: end time, formulation, solver, accuracy and recording."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, model_validator

from granum.base.choices import CONTACT_LAWS, FORMULATIONS, GRAIN_SOLVERS, IMPACT_LAWS, SOLVERS
from granum.model.quantities import Check, Entry, OneOf, Plain, Seed, Sweeps, Time

MOST_STEPS = 1e12
"""Equal steps of a run: more take years, and far more do not even change the time."""

Correction = Literal["position", "velocity", "energy"]


def _tolerance(value: float) -> float:
    if not 1e-14 <= value <= 0.1:
        raise ValueError(f"found {value:g}, but a tolerance lies between 1e-14 and 0.1")
    return value


def _distinct(value: object) -> object:
    if isinstance(value, list | tuple) and len(set(map(str, value))) != len(value):
        raise ValueError(f"found {list(value)!r}, but each correction may be named only once")
    return value


class RunSettings(Entry):
    """How to run a scene.

    >>> settings = gr.RunSettings(until="2 s", solver="rattle", step="1 ms")
    """

    until: Time = 1.0
    """End time [s]."""
    formulation: Annotated[str, OneOf(FORMULATIONS)] = "newton-euler"
    """Formulation of the equations of motion; default: newton-euler for links, fundamental for everything else."""
    solver: Annotated[str, OneOf(SOLVERS, GRAIN_SOLVERS)] = "dop853"
    """Time integrator or contact solver; default: dop853, or moreau for scenes with grains."""
    tolerance: Annotated[Plain, Check(_tolerance, {"minimum": 1e-14, "maximum": 0.1})] = 1e-9
    """Relative error allowed per step (dop853, adams); relative change at which the iteration stops (mixed);
    constraint error left by corrections, relative to the length of a link (mixed: at most 1e-9); relative residual at
    which the sweeps over the contacts stop (moreau; default 0.01 (1 - e²) with the largest restitution e of the scene,
    but at least 0.001)."""
    step: Time = 1e-3
    """Largest time step (rk4, rattle), first time step (mixed), or time step (scenes with grains) [s]; default for
    grains: chosen to suit the solver."""
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
    """Maximum number of sweeps over the contacts per step of moreau; sweeping stops when the residual is below
    `tolerance`."""
    impact_law: Annotated[str, OneOf(IMPACT_LAWS)] = "newton"
    """How `events` resolves simultaneous impacts: all together by Newton's law, or as a sequence of binary impacts."""
    merge_clusters: bool = False
    """Scenes with grains (moreau): treat an over-determined cluster of grains at relative rest as one rigid body until
    a contact opens or slips."""
    contact_law: Annotated[str, OneOf(CONTACT_LAWS)] = "linear"
    """Contact law of `soft`."""
    seed: Seed = 0
    """Seed of everything random in the scene."""

    @model_validator(mode="after")
    def _fits_together(self) -> RunSettings:
        if self.formulation != "newton-euler" and self.solver in ("rattle", "mixed"):
            raise ValueError(f'solver "{self.solver}" needs formulation newton-euler; with {self.formulation} use '
                             "dop853, adams or rk4")
        if self.solver != "mixed" and (self.correct == "inside" or self.adapt_step):
            raise ValueError(f'correct = "inside" and adapt_step are for solver "mixed", not for "{self.solver}"')
        if self.solver == "rattle" and self.corrections:
            raise ValueError('solver "rattle" satisfies the links exactly and takes no corrections; remove corrections')
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
    def frame_interval(self) -> float:
        """Time between frames [s]."""
        return min(self.interval or self.until / 200.0, self.until)
