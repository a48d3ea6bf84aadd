"""Scenes of grains for tests: a few bodies by name, a floor, a box of many."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import granum as gr
from granum.grains.generation.generate import compile_groups, place_grains
from granum.grains.generation.placement import Distance
from granum.grains.state import Grains

G = 9.81
DISK, SPHERE = 2.0, 2.5
"""κ = m r²/I of homogeneous disks and balls."""
FLOOR = {"kind": "plane", "position": [0.0, 0.0], "normal": [0.0, 1.0]}
STILL = {"kind": "gravity", "acceleration": [0.0, 0.0]}


def gravity(*acceleration: float) -> dict[str, Any]:
    """A load."""
    return {"kind": "gravity", "acceleration": list(acceleration)}


def grain(at: Any, velocity: Any = None, spin: Any = None, radius: float = 0.1, mass: float = 1.0) -> dict[str, Any]:
    """One body and its start: a disk in the plane, a ball in space."""
    at = [float(c) for c in at]
    start: dict[str, Any] = {"position": at}
    if velocity is not None:
        start["velocity"] = [float(c) for c in velocity]
    if spin is not None:
        start["angular_velocity"] = spin
    return {"body": {"kind": "disk" if len(at) == 2 else "sphere", "radius": radius, "mass": mass}, "start": start}


def scene(grains: dict[str, dict[str, Any]], *, down: Any = (0.0, -G), boundary: dict[str, Any] | None = None,
          material: dict[str, Any] | None = None, **more: Any) -> gr.Scene:
    """Bodies of one material above a floor, or above other boundaries."""
    return gr.Scene(**{
        "material": {"stone": material or {}}, "boundary": {"floor": FLOOR} if boundary is None else boundary,
        "load": {"gravity": gravity(*down)}, "body": {name: one["body"] for name, one in grains.items()},
        "start": {name: one["start"] for name, one in grains.items()}, **more})


def on_slope(angle: float, kappa: float, material: dict[str, Any], **start: Any) -> gr.Scene:
    """A round body on a plane; gravity is turned by the angle instead of the plane, so x runs down the slope."""
    if kappa == DISK:
        return scene({"a": grain((0.0, 0.1), **start)}, down=(G * math.sin(angle), -G * math.cos(angle)),
                     material=material)
    floor = {"kind": "plane", "position": [0.0, 0.0, 0.0], "normal": [0.0, 0.0, 1.0]}
    return scene({"a": grain((0.0, 0.0, 0.1), **start)}, down=(G * math.sin(angle), 0.0, -G * math.cos(angle)),
                 material=material, boundary={"floor": floor})


MANY = 0.02
"""Energy error that beds of many contacts may have: corrections of overlaps and contact problems that are solved to a
tolerance of 1 % of the speeds of impact, 2 % of their energy."""


def closes(run: gr.Run, part: float = MANY, least: float = 0.0) -> float:
    """Energy that no agent supplied or took, relative to the largest energy so far; must be below `part`.

    `least` [J] counts as exchanged where all is at rest.
    """
    error, scale = float(np.abs(run.energy.error).max()), max(float(run.energy.scale[-1]), least)
    assert scale > 0.0 and error < part * scale, f"{error / scale:.1e} of {scale:g} J"
    return error / scale


def placed_grains(scene: gr.Scene, dimension: int, distance: Distance | None = None) -> Grains:
    """The grains of a scene at its start."""
    groups = compile_groups(scene, dimension, list(scene.material))
    return place_grains(groups, groups.bodies, scene.start, scene.run.seed, distance)
