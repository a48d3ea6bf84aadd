"""Impacts of one or two spheres as scenes, by the solvers of contact."""

from __future__ import annotations

from typing import Any

from granum.base.kernels import Floats
from granum.model.scene import Scene
from granum.run import Run
from granum.validation.runs import finish
from granum.validation.single_contacts.closed_forms import Ball, Hertz, Solid, hertz, reduced_mass

STEPS = 2000
"""Steps of `soft` in the duration of the elastic impact."""
RIGID_YOUNG = 1e30
"""Young's modulus of a rigid plane [Pa]: beside a sphere's it is none to round-off."""
GAP = 1e-3
"""Distance from which rigid spheres start, over the radius; soft ones start where they touch."""


def elastic_impact(solid: Solid, ball: Ball, other: Ball | None) -> Hertz:
    """Hertz's impact of two spheres of a material, or of one on a rigid plane."""
    closing = ball.vx - (0.0 if other is None else other.vx)
    radius = ball.radius if other is None else 1.0 / (1.0 / ball.radius + 1.0 / other.radius)
    return hertz(reduced_mass(ball, other), radius, (1.0 if other is None else 0.5) * solid.modulus, closing)


def impact_scene(solid: Solid, ball: Ball, other: Ball | None, restitution: float, friction: float,
                 gap: float) -> Scene:
    """A sphere left of a plane, or of another sphere, at a distance [m]."""
    surface = {"restitution": restitution, "friction": friction}
    material: dict[str, Any] = {"solid": {**surface, "young_modulus": solid.young, "poisson_ratio": solid.poisson}}
    bodies, starts, boundary = {"ball": ball}, {"ball": -ball.radius - gap}, {}
    if other is None:
        material["rigid"] = {**surface, "young_modulus": RIGID_YOUNG, "poisson_ratio": solid.poisson}
        boundary["plane"] = {"kind": "plane", "position": (0.0, 0.0, 0.0), "normal": (-1.0, 0.0, 0.0),
                             "material": "rigid"}
    else:
        bodies["other"], starts["other"] = other, other.radius
    return Scene(
        material=material, boundary=boundary,
        body={name: {"kind": "sphere", "radius": own.radius, "mass": own.mass, "material": "solid"}
              for name, own in bodies.items()},
        start={name: {"position": (starts[name], 0.0, 0.0), "velocity": (own.vx, own.vy, 0.0),
                      "angular_velocity": (0.0, 0.0, own.spin)} for name, own in bodies.items()})


def impact(solver: str, solid: Solid, ball: Ball, other: Ball | None, restitution: float, friction: float,
           steps: int = STEPS, frames: bool = False) -> Run:
    """The run of an impact until the bodies are apart; in `soft` with Hertz's law, every other step a frame if asked.

    Dashpots make a contact longer than an elastic one, up to three times at a restitution of 0.2.
    """
    if solver == "soft":
        duration = elastic_impact(solid, ball, other).duration
        until = (1.1 if restitution == 1.0 else 4.0) * duration
        scene = impact_scene(solid, ball, other, restitution, friction, 0.0)
        return finish(scene, solver="soft", contact_law="hertz", step=duration / steps, until=until,
                      interval=2.0 * duration / steps if frames else until)
    closing = ball.vx - (0.0 if other is None else other.vx)
    gap = GAP * ball.radius
    until = 4.0 * gap / closing
    scene = impact_scene(solid, ball, other, restitution, friction, gap)
    settings = {"step": until / 40.0} if solver == "moreau" else {}
    return finish(scene, solver=solver, until=until, interval=until, **settings)


def after(run: Run, name: str, before: Ball) -> Ball:
    """A ball as a run leaves it."""
    velocity, spin = run.velocity(name)[-1], run.angular_velocity(name)[-1]
    return Ball(before.radius, before.mass, float(velocity[0]), float(velocity[1]), float(spin[2]))


def overlaps(run: Run, ball: Ball, other: Ball | None) -> Floats:
    """(frames,): overlap [m], negative where the bodies are apart."""
    x = run.position("ball")[:, 0]
    found: Floats = x + ball.radius if other is None else x + ball.radius + other.radius - run.position("other")[:, 0]
    return found
