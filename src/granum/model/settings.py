"""Run settings: how long, by which equations and solver, how accurately, what is recorded."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, model_validator

from granum.base.choices import CONTACT_LAWS, FORMULATIONS, GRAIN_SOLVERS, IMPACT_LAWS, SOLVERS
from granum.model.quantities import Check, Entry, OneOf, Seed, Sweeps, Time

MOST_STEPS = 1e12
"""Equal steps of a run: more take years, and far more do not even change the time."""

Correction = Literal["position", "velocity", "energy"]


def _tolerance(value: float) -> float:
    if not 1e-14 <= value <= 0.1:
        raise ValueError(f"found {value:g}, but a tolerance lies between 1e-14 and 0.1")
    return value


def _distinct(value: object) -> object:
    if isinstance(value, list | tuple) and len(set(map(str, value))) != len(value):
        raise ValueError(f"found {list(value)!r}, but each correction is named once")
    return value


class RunSettings(Entry):
    """How a scene is run; every setting has a sensible default except the end time."""

    until: Time = 1.0
    """End time [s]."""
    formulation: Annotated[str, OneOf(FORMULATIONS)] = "newton-euler"
    """How equations are written; left out, newton-euler for links and fundamental for everything else."""
    solver: Annotated[str, OneOf(SOLVERS, GRAIN_SOLVERS)] = "dop853"
    """How time advances; left out, dop853, and moreau for grains."""
    tolerance: Annotated[float, Check(_tolerance, {"minimum": 1e-14, "maximum": 0.1})] = 1e-9
    """Relative error a step may make (dop853, adams); relative change at which an iteration stops (mixed);
    constraint error that corrections leave, relative to the length of a link (mixed: 1e-9 at most). In moreau the
    relative residual at which sweeps over the contacts end; left out, 0.01 (1 - e²) with the largest restitution e of
    the scene, at least 0.001."""
    step: Time = 1e-3
    """Largest time step of rk4 and rattle, first step of mixed [s]; of grains, the time step, and left out one that
    suits the solver."""
    interval: Time | None = None
    """Time between recorded frames [s]; left out, 1/200 of the run."""
    corrections: Annotated[tuple[Correction, ...] | None, BeforeValidator(_distinct)] = None
    """Which errors are corrected: any of "position", "velocity", "energy"; left out, none of links, and position and
    velocity of systems of formulas."""
    correct: Literal["end", "inside"] = "end"
    """Where: at the end of a step, or inside the iteration (mixed only)."""
    inner_solver: Literal["gauss-seidel", "direct"] = "direct"
    """How `mixed` solves for the link forces: sweeps as published (002 §5.3), or elimination."""
    adapt_step: bool = False
    """Let `mixed` choose its step from the number of iterations (002 §5.3.4)."""
    project_start: bool = False
    """Where given values contradict each other, move given positions and velocities by the least that fits, instead of
    refusing them; given angles and orientations stay."""
    max_sweeps: Sweeps = 5000
    """Most sweeps over the contacts in a step of moreau; fewer are made where the residual falls below `tolerance`."""
    impact_law: Annotated[str, OneOf(IMPACT_LAWS)] = "newton"
    """Impacts at one instant in `events`: all together by Newton's law, or as a sequence of binary ones."""
    merge_clusters: bool = False
    """Among grains (moreau): let over-determined clusters of grains at rest against each other move as one rigid body
    until a contact opens or slips."""
    contact_law: Annotated[str, OneOf(CONTACT_LAWS)] = "linear"
    """Law of contact of `soft`."""
    seed: Seed = 0
    """Seed of everything random in the scene."""

    @model_validator(mode="after")
    def _fits_together(self) -> RunSettings:
        if self.formulation != "newton-euler" and self.solver in ("rattle", "mixed"):
            raise ValueError(f'solver "{self.solver}" works on newton-euler; with {self.formulation} use dop853, '
                             "adams or rk4")
        if self.solver != "mixed" and (self.correct == "inside" or self.adapt_step):
            raise ValueError(f'correct = "inside" and adapt_step belong to solver "mixed", not "{self.solver}"')
        if self.solver == "rattle" and self.corrections:
            raise ValueError('solver "rattle" keeps links exactly by itself and takes no corrections; leave them out')
        if self.solver in ("rk4", "rattle", "mixed"):
            self.refuse_endless(self.step)
        if self.until / self.frame_interval > 10_000_000:
            raise ValueError(f"interval {self.interval:g} s gives more than ten million frames; take a larger one")
        return self

    def refuse_endless(self, step: float) -> None:
        """Refuse more steps than a run can take; raises ValueError."""
        if self.until / step > MOST_STEPS:
            raise ValueError(f"{self.until:g} s in steps of {step:.3g} s are {self.until / step:.3g} steps, but a run "
                             f"has at most {MOST_STEPS:g}; take a larger step or a shorter run")

    @property
    def frame_interval(self) -> float:
        """Time between frames [s]."""
        return min(self.interval or self.until / 200.0, self.until)
