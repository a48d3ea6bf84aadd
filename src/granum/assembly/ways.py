"""Other ways in which the loops of a scene close, and how far guesses are from the way that was taken."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from granum.assembly.assembly import Assembly
from granum.assembly.axes import body_axis, carries_axis, first_body, start_rotation
from granum.assembly.loops import ALLOWED, FAR, descend, disturb
from granum.assembly.nearest import free_coordinates
from granum.base.kernels import Floats
from granum.base.text import listed
from granum.model.connections import Slider
from granum.model.scene import Scene
from granum.state.table import ROTATION, BodyTable, X, Z

SEARCHED = ("The path from the guesses ends at a fold, where the loops cannot be closed further, or far from them: the "
            "loops start in the nearest configuration that a search found.")
_ATTEMPTS = 24
"""Configurations from which the search for other ways begins."""
_LARGEST = 30
"""Bodies up to which other ways are looked for."""
_OTHER = 1e-3
"""Rotation [rad], or displacement relative to the size of the scene, that makes another way."""
_SHOWN = 4
"""Other ways, or axes, that are listed."""


def turned_from_guess(scene: Scene, rotation: Callable[[str], Floats]) -> dict[str, float]:
    """Angle [rad] between the guessed orientation of each body and the one it starts with."""
    return {name: angle_of(start_rotation(start).T @ rotation(name)) for name, start in scene.start.items()
            if {"angle", "orientation"} & {*start.guess}}


def angle_of(R: Floats) -> float:
    """Angle of a rotation, from 0 to π."""
    across = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return math.atan2(float(np.linalg.norm(across)), float(np.trace(R)) - 1.0)


def far_line(turned: dict[str, float]) -> list[str]:
    """Guesses far from the start, in words."""
    far = {name: angle for name, angle in turned.items() if angle > FAR}
    if not far:
        return []
    each = listed([f"{name} by {math.degrees(angle):.0f}°" for name, angle in far.items()])
    return [f"The loops close far from the guessed orientations: {each}. Run `granum check SCENE --picture FILE.png` "
            "to see the assembly, and give guesses nearer to the one you want."]


class Way(NamedTuple):
    """A configuration in which all joints fit."""

    turned: dict[str, float]
    """Rotation of each body that differs from the assembly [rad]."""
    moved: float
    """Largest displacement from the assembly [m]."""

    @property
    def text(self) -> str:
        """In words."""
        if not self.turned:
            return f"displaced by up to {self.moved:.3g} m"
        return listed([f"{name} turned by {math.degrees(angle):.0f}°" for name, angle in self.turned.items()])


def other_ways(assembly: Assembly) -> list[Way]:
    """Further configurations with the given values, the nearest in angle first; only where these are isolated points.

    The search begins at the same disturbed configurations each time, and may miss some.
    """
    rows, y = assembly.rows.copy(), assembly.y
    given = np.array([body.given[:2] for body in rows.bodies], dtype=float).reshape(-1, 2)
    given[:, 1] += [not body.rotates for body in rows.bodies]
    free = free_coordinates(rows, np.minimum(given, 1.0))
    used = rows.closing()
    rows.configure(y)
    J = rows.jacobian().toarray()[used > 0.0][:, free > 0.0]
    if len(rows.bodies) > _LARGEST or not J.size or np.linalg.matrix_rank(J, 1e-9) < J.shape[1]:
        return []
    rng, ways = np.random.default_rng(0), list[tuple[Floats, Way]]()
    for attempt in range(_ATTEMPTS):
        trial = y.copy()
        disturb(rows, trial, free, math.pi * (attempt + 1) / _ATTEMPTS, rng)
        if descend(rows, trial, free, used) > ALLOWED * rows.size():
            continue
        bodies = rows.tables.bodies
        own = np.hstack([bodies.pose[:, X : Z + 1], bodies.derived[:, ROTATION : ROTATION + 9]])
        way = _difference(assembly, bodies)
        if (way.turned or way.moved > _OTHER * rows.size()) and not any(
                np.allclose(poses, own, atol=_OTHER) for poses, _ in ways):
            ways.append((own, way))
    return sorted((way for _, way in ways), key=lambda way: max(way.turned.values(), default=0.0))


def _difference(assembly: Assembly, bodies: BodyTable) -> Way:
    """How the bodies of a table differ from the assembly."""
    turned, moved = {}, 0.0
    for body in assembly.rows.bodies:
        assert body.position is not None
        moved = max(moved, float(np.linalg.norm(bodies.pose[body.index, X : Z + 1] - body.position)))
        angle = angle_of(body.rotation.T @ bodies.rotation(body.index)) if body.rotates else 0.0
        if angle > _OTHER:
            turned[body.name] = angle
    return Way(turned, moved)


def assembly_lines(assembly: Assembly) -> Iterator[str]:
    """What a user should know about the way in which the loops of a scene close."""
    scene = assembly.scene
    if assembly.searched:
        yield SEARCHED
    turned = turned_from_guess(scene, lambda name: assembly.bodies[name].rotation)
    if turned:
        name = max(turned, key=lambda one: turned[one])
        yield f"Largest rotation from a guess: {math.degrees(turned[name]):.3g}° ({name})."
    yield from far_line(turned)
    ways = other_ways(assembly)
    if ways:
        shown = "; ".join(way.text for way in ways[:_SHOWN])
        more = f"; and {len(ways) - _SHOWN} more" if len(ways) > _SHOWN else ""
        yield f"With the given values the loops close in other ways too: {shown}{more}. Guesses choose between them."
    for name, entry in scene.constraint.items():
        if isinstance(entry, Slider) and carries_axis(entry, scene) and not assembly.bodies[
                first_body(entry)].parametrised:
            axis = _components(body_axis(scene, entry)[: scene.dimension])
            yield f"Slider {name} runs along {axis} in the axes of {first_body(entry)}."


def _components(axis: Floats) -> str:
    return f"({', '.join(f'{x + 0.0:.4g}' for x in np.round(axis, 12))})"
