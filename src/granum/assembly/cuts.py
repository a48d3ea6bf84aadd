"""Cuts through bodies that a scene asks for: mass, centre and inertia of the part behind each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from granum.base.errors import GranumError, Problem, SceneError, did_you_mean
from granum.base.kernels import Floats
from granum.base.rotations import three
from granum.loads.load import BodyLoad
from granum.model.clumps import Clump
from granum.model.cuts import beyond
from granum.model.probes import SectionProbe
from granum.model.scene import Scene
from granum.model.solids import Block, Disk, Rod, Sphere
from granum.rows.body import Body

_STRAIGHT = 1e-9
"""How far a normal may be from an axis and still count as along it."""


class Cut(NamedTuple):
    """A cut through a body, and the part behind it; from the mass centre, in body axes."""

    name: str
    body: Body
    point: Floats
    normal: Floats
    mass: float
    centre: Floats
    inertia: Floats
    """(3, 3) of the part about its own centre [kg m²]."""


def cuts_of(scene: Scene, bodies: Sequence[Body], loads: Sequence[BodyLoad]) -> list[Cut]:
    """The cuts that a scene asks for; raises SceneError where one cannot be made."""
    cuts, problems = [], []
    for name, probe in scene.probe.items():
        try:
            if not isinstance(probe, SectionProbe):
                raise GranumError(f'kind "{probe.kind}" is for grains, but the scene has none.')
            cuts.append(_cut(name, probe, bodies, loads))
        except GranumError as error:
            problems.append(Problem(f"probe.{name}", str(error)))
    if problems:
        raise SceneError(problems)
    return cuts


def _cut(name: str, probe: SectionProbe, bodies: Sequence[Body], loads: Sequence[BodyLoad]) -> Cut:
    known = {body.name: body for body in bodies}
    if probe.body not in known:
        raise GranumError(f'there is no body "{probe.body}". {did_you_mean(probe.body, known, "body")}')
    body = known[probe.body]
    whole = [load.name for load in loads if load.twists and load.joint is None and any(
        end.body is body for end in load.ends)]
    if whole:
        raise GranumError(f'"{whole[0]}" is a torque on "{probe.body}" as a whole, so it is not known on which side of '
                          "the cut it acts. Let it act in a hinge, or remove the load or the probe.")
    normal, entry = three(probe.normal), body.entry
    normal /= np.linalg.norm(normal)
    point = three(probe.position)
    if isinstance(entry, Disk) and (len(probe.normal) == 3 or entry.inertia is not None):
        raise GranumError(f'"{probe.body}" is a disk in 3-D or has an inertia of its own, so it cannot be cut.')
    if isinstance(entry, Clump | Disk) or (isinstance(entry, Sphere) and entry.inner_radius is None):
        return _round_part(name, body, point - np.array(entry.origin()), normal, entry)
    if isinstance(entry, Rod):
        size = np.array([entry.length, 0.0, 0.0])
    elif isinstance(entry, Block):
        size = three(entry.size)
    else:
        raise GranumError(f'"{probe.body}" is not a rod, block, clump, disk or sphere, so it cannot be cut.')
    axis = int(np.abs(normal).argmax())
    thin = isinstance(entry, Rod) and entry.radius is None
    oblique = abs(normal[axis]) < 1.0 - _STRAIGHT and not thin
    if oblique or (isinstance(entry, Rod) and axis != 0):
        raise GranumError("the cut must be perpendicular to an axis of the rod or block: give such a normal.")
    return _part(name, body, point, normal, axis, size)


def _part(name: str, body: Body, point: Floats, normal: Floats, axis: int, size: Floats) -> Cut:
    """Mass, centre and inertia of what is behind: a shorter rod, or a block with a shorter edge."""
    behind = -np.sign(normal[axis]) * size[axis] / 2.0
    length = abs(point[axis] - behind)
    if not 0.0 < length < size[axis] or abs(point[axis]) > size[axis] / 2.0:
        raise GranumError(f"the position {point[axis]:g} m is outside the body, which extends from {-size[axis] / 2:g} "
                          f"m to {size[axis] / 2:g} m along that axis.")
    share = length / size[axis]
    mass, centre = body.mass * share, np.zeros(3)
    centre[axis] = 0.5 * (point[axis] + behind)
    second = 0.5 * np.trace(body.inertia) * np.eye(3) - body.inertia  # ∫ρ x xᵀ, whose terms scale one by one
    second[axis, axis] *= share**2
    second *= share
    return Cut(name, body, point, normal, mass, centre, np.trace(second) * np.eye(3) - second)


def _round_part(name: str, body: Body, point: Floats, normal: Floats, entry: Clump | Disk | Sphere) -> Cut:
    """Mass, centre and inertia of what is behind, of one density: the union of disks or balls beyond a plane."""
    if isinstance(entry, Clump):
        if entry.weights() is not None:
            raise GranumError(f'the parts of "{body.name}" have masses of their own, so the mass distribution is not '
                              "known. Give one mass or density for the whole body.")
        centres, radii, flat = entry.centres() - np.array(entry.origin()), entry.radii(), entry.flat
    else:
        centres, radii, flat = np.zeros((1, 3)), np.array([entry.radius]), isinstance(entry, Disk)
    both = [beyond(centres, radii, point, side * normal, flat) for side in (-1.0, 1.0)]
    volume, centre, second = both[0]
    if not (volume > 0.0 and both[1][0] > 0.0):
        raise GranumError("the cut does not pass through the body. Move its position.")
    density = body.mass / (volume + both[1][0])
    return Cut(name, body, point, normal, density * volume, centre,
               density * (np.trace(second) * np.eye(3) - second))
