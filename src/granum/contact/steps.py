"""The time step of grains: what is proposed, what is the limit, and why."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.errors import Problem, SceneError
from granum.base.kernels import Floats
from granum.grains.generation.kinds import fastest_velocity
from granum.grains.geometry.boundaries import Elements
from granum.grains.state import Grains
from granum.grains.tables import Tables
from granum.model.loads import Drag
from granum.model.scene import Scene
from granum.state.table import R

IMPACT = 0.1
"""Largest distance in radii that a grain is meant to move in a step at the expected speed of impact after a fall."""

SPRINGS = 0.1
"""Proposed step in 1/√(k w) of the stiffest spring: some sixty to a period."""


class StepChoice(NamedTuple):
    """The time step and what it is measured against [s]."""

    step: float
    proposed: float
    limit: float
    reason: str
    """What the limit comes from."""


class FreeFlight(NamedTuple):
    """How far rigid grains are meant to move in a step without contact, and may move at most."""

    fall: tuple[float, float] = (0.01, 0.3)
    """In √(r/g): a grain falls 5e-5 and 0.045 of its radius in the first step."""
    passing: tuple[float, float] = (0.02, 0.5)
    """In radii, at the speeds that are known before."""


class StepBasis(NamedTuple):
    """What the step of a scene follows from."""

    scene: Scene
    grains: Grains
    """Those of the start, and the smallest ones that may come."""
    tables: Tables
    gravity: Floats
    elements: Elements
    springs: float = math.inf
    """The longest step that springs and dampers between bodies bear [s]."""
    impact: float = 0.0
    """The expected speed of impact after a fall [m/s]."""
    pushed: float = 0.0
    """The largest acceleration that gravity and loads together give a grain, where it starts or enters [m/s²]."""
    pushed_first: float = 0.0
    """The same when the run begins: a load may grow beyond all bounds later, where no grain is any more."""


class StepLimits(NamedTuple):
    """The step to propose, the largest one [s], and what that comes from."""

    proposed: float
    limit: float
    reason: str


def choose_step(basis: StepBasis, limits: StepLimits) -> StepChoice:
    """The step of a scene: as it says, or the proposed one; refused beyond the limit."""
    run, (proposed, limit, reason) = basis.scene.run, limits
    step = run.step if "step" in run.model_fields_set else min(proposed, run.until)
    try:
        run.refuse_endless(step)
    except ValueError as error:
        raise SceneError([Problem("run.step", f"{error}.", "" if step == run.step else
                                  f"The step is set by {reason}.")]) from None
    if step > limit:
        raise SceneError([Problem("run.step", f"{run.step:.3g} s is above the limit of {limit:.3g} s for {run.solver}, "
                                              f"set by {reason}.",
                                  f"Remove step, which then defaults to {proposed:.3g} s, or use at most half the "
                                  "limit.")])
    return StepChoice(step, proposed, limit, reason)


def rigid_step(basis: StepBasis, flight: FreeFlight) -> StepLimits:
    """Of rigid grains: from free flight, from the speed of impacts, and from springs between bodies."""
    proposed, limit, reason = _flying(basis, flight)
    r = _smallest_radius(basis.grains)
    proposed = min(proposed, SPRINGS * basis.springs, IMPACT * r / basis.impact if basis.impact > 0.0 else math.inf)
    if basis.springs < limit:
        limit, reason = basis.springs, "springs and dampers between bodies"
    return StepLimits(proposed, limit, reason)


def _smallest_radius(grains: Grains) -> float:
    return float(grains.x[:, R].min()) if grains.count else 1.0


def _flying(basis: StepBasis, flight: FreeFlight) -> StepLimits:
    """From free fall, and from the speeds that are known before."""
    r, until = _smallest_radius(basis.grains), basis.scene.run.until
    g, shaken = max(float(np.linalg.norm(basis.gravity)), basis.pushed_first), _shaken(basis.elements)
    largest = max(g, basis.pushed) + shaken
    speed = fastest(basis.scene, basis.grains, basis.elements)
    (fall, fall_limit), (pass_, pass_limit) = flight
    choices = []
    if g > 0.0:
        choices.append((fall * math.sqrt(r / g), fall_limit * math.sqrt(r / g),
                        f"free fall of grains of r = {r:.3g} m with {g:.3g} m/s²"))
    if speed > 0.0:
        choices.append((pass_ * r / speed, pass_limit * r / speed,
                        f"impacts of grains of r = {r:.3g} m at {speed:.3g} m/s"))
    if largest > g:  # foreseen for later: to be proposed, but no reason to refuse a step
        choices.append((fall * math.sqrt(r / largest), math.inf,
                        f"acceleration of grains of r = {r:.3g} m by {largest:.3g} m/s²"))
    if not choices:
        return StepLimits(until / 1000.0, until, "the length of the run")
    proposed = min(choice[0] for choice in choices)
    _, limit, reason = min(choices, key=lambda choice: choice[1])
    return StepLimits(proposed, limit if math.isfinite(limit) else until, reason)


def _shaken(elements: Elements) -> float:
    """The largest acceleration of prescribed motions of boundaries: a (2π f)² and Ω² times the reach [m/s²]."""
    motion = elements.motion
    reach = np.where(np.isfinite(elements.reach), elements.reach, 0.0)
    sways = np.linalg.norm(motion["amplitude"], axis=1) * motion["frequency"] ** 2
    turns = (motion["angular_velocity"] ** 2).sum(axis=1) * reach
    return float((sways + turns).max(initial=0.0))


def fastest(scene: Scene, grains: Grains, elements: Elements) -> float:
    """The largest speed known before a run: of grains at the start and from sources, of flows and of boundaries."""
    speeds = [float(np.sqrt((grains.v[:, :3] ** 2).sum(axis=1).max()))] if grains.count else []
    speeds += [float(np.linalg.norm(fastest_velocity(source))) for source in scene.source.values()]
    for load in scene.load.values():
        if isinstance(load, Drag) and load.velocity is not None:
            speeds.append(float(np.linalg.norm(load.velocity)) * (1.5 if load.profile is not None else 1.0))
    motion = elements.motion
    for e in range(elements.count):
        reach = elements.reach[e] if np.isfinite(elements.reach[e]) else 0.0
        velocity, sway, rotation = (float(np.linalg.norm(motion[name][e]))
                                    for name in ("velocity", "amplitude", "angular_velocity"))
        speeds.append(velocity + sway * float(motion["frequency"][e]) + rotation * reach)
    return max(speeds, default=0.0)
