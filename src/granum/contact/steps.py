"""The time step of grains: what is proposed, what is the limit, and why."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.errors import Problem, SceneError
from granum.base.kernels import Floats
from granum.contact.penalty.coefficients import compile_soft_contact
from granum.contact.penalty.time_step import stable_step
from granum.grains.geometry.boundaries import Elements
from granum.grains.state import Grains, R
from granum.grains.tables import Tables
from granum.model.loads import Drag
from granum.model.scene import Scene

FALL = {"moreau": (0.01, 0.3), "unilateral": (0.01, 0.1)}
"""Step and its limit in √(r/g). With moreau's, a grain falls 5e-5 and 0.045 of its radius in the first step."""
PASS = {"moreau": (0.02, 0.5), "unilateral": (0.05, 0.2)}
"""Largest distance a grain is meant to move in a step, and may move, in radii."""
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


def choose_step(
    scene: Scene, grains: Grains, tables: Tables, gravity: Floats, elements: Elements, springs: float = math.inf,
    impact: float = 0.0,
) -> StepChoice:
    """The step of a scene: as it says, or the proposed one; refused beyond the limit.

    grains: those of the start, and the smallest ones that may come. springs: the longest step that springs and dampers
    between bodies bear [s]. impact: the expected speed of impact after a fall [m/s].
    """
    r = float(grains.x[:, R].min()) if grains.count else 1.0
    if scene.run.solver == "soft":
        contact = compile_soft_contact(list(scene.material.values()), tables, scene.run.contact_law)
        proposed, limit = stable_step(grains, elements, contact, gravity)
        reason = "the duration of a contact of the lightest grains"
    elif scene.run.solver == "events":
        # from event to event: the step says only how often progress is shown
        proposed, limit, reason = scene.run.frame_interval, scene.run.until, "the length of the run"
    else:
        proposed, limit, reason = _rigid(scene, grains, r, gravity, elements)
        proposed = min(proposed, SPRINGS * springs, IMPACT * r / impact if impact > 0.0 else math.inf)
        if springs < limit:
            limit, reason = springs, "springs and dampers between bodies"
    if "step" not in scene.run.model_fields_set:
        return StepChoice(min(proposed, scene.run.until), proposed, limit, reason)
    if scene.run.step > limit:
        raise SceneError([Problem("run.step", f"{scene.run.step:.3g} s is beyond the limit of {limit:.3g} s for "
                                  f"{scene.run.solver}, from {reason}.",
                                  f"Leave step out, which gives {proposed:.3g} s, or take at most half the limit.")])
    return StepChoice(scene.run.step, proposed, limit, reason)


def _rigid(scene: Scene, grains: Grains, r: float, gravity: Floats,
           elements: Elements) -> tuple[float, float, str]:
    """Proposed step, limit and reason of rigid steps: from free fall, and from the speeds that are known before."""
    g = float(np.linalg.norm(gravity))
    speed = fastest(scene, grains, elements)
    (fall, fall_limit), (pass_, pass_limit) = FALL[scene.run.solver], PASS[scene.run.solver]
    choices = []
    if g > 0.0:
        choices.append((fall * math.sqrt(r / g), fall_limit * math.sqrt(r / g),
                        f"free fall of grains of r = {r:.3g} m with {g:.3g} m/s²"))
    if speed > 0.0:
        choices.append((pass_ * r / speed, pass_limit * r / speed,
                        f"grains of r = {r:.3g} m meeting at {speed:.3g} m/s"))
    if not choices:
        return scene.run.until / 1000.0, scene.run.until, "the length of the run"
    proposed = min(choice[0] for choice in choices)
    _, limit, reason = min(choices, key=lambda choice: choice[1])
    return proposed, limit, reason


def fastest(scene: Scene, grains: Grains, elements: Elements) -> float:
    """The largest speed known before a run: of grains at the start and from sources, of flows and of boundaries."""
    speeds = [float(np.sqrt((grains.v[:, :3] ** 2).sum(axis=1).max()))] if grains.count else []
    speeds += [float(np.linalg.norm(source.velocity)) for source in scene.source.values() if source.velocity]
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
