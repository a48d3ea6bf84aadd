"""Cuts through bodies among grains at the start: what of them lies beyond, and what cannot be cut."""

from __future__ import annotations

import numpy as np

from granum.base.errors import did_you_mean
from granum.base.kernels import Floats
from granum.grains.aggregates.parts import Parts
from granum.grains.aggregates.sections import Cut, Sections
from granum.grains.generation.finder import Finder
from granum.model.clumps import Clump
from granum.model.cuts import beyond
from granum.model.probes import SectionProbe
from granum.model.solids import Disk, Sphere
from granum.state.table import R


def check_sections(find: Finder) -> None:
    """Note cuts through what cannot be cut among grains."""
    scene = find.scene
    bonded = {bond.among for bond in scene.bond.values()}
    for name, probe in _probes(find).items():
        place, body = f"probe.{name}", scene.body.get(probe.body)
        known = [*scene.body, *(bonded & set(scene.pattern))]
        if probe.body not in known:
            find.problem(f"{place}.body", f'there is no body "{probe.body}", and no pattern of that name with bonds.',
                         did_you_mean(probe.body, known, "body"))
        elif body is not None and not isinstance(body, Clump | Disk | Sphere):
            find.problem(f"{place}.body", f'"{probe.body}" is a {body.kind}; in scenes with grains only clumps, disks, '
                                          "spheres and bonded grains can be "
                                          "cut.", "Use a clump, or remove materials and boundaries.")
        elif isinstance(body, Sphere) and body.inner_radius is not None:
            find.problem(f"{place}.body", f'"{probe.body}" is a shell, which cannot be cut in scenes with grains.',
                         "Use a solid sphere.")
        find.vector(f"{place}.position", probe.position)
        find.vector(f"{place}.normal", probe.normal)


def _probes(find: Finder) -> dict[str, SectionProbe]:
    return {name: probe for name, probe in find.scene.probe.items() if isinstance(probe, SectionProbe)}


def make_sections(find: Finder, parts: Parts, groups: list[str]) -> Sections:
    """The cuts of a scene at its start."""
    check_sections(find)
    find.raise_if_any()
    cuts, bonded = [], {bond.among for bond in find.scene.bond.values()}
    for name, probe in _probes(find).items():
        body, group = find.scene.body.get(probe.body), groups.index(probe.body)
        point, normal = find.vector("", probe.position), find.vector("", probe.normal)
        normal = normal / np.linalg.norm(normal)
        rows = np.flatnonzero(parts.group == group)
        first = rows[np.argmin(parts.number[rows])]
        b, nothing = int(parts.body[first]), np.zeros((3, 3))
        number = int(parts.bodies.number[b])
        if probe.body in bonded:
            # the axes that describe grains are those of the scene at the start, those of a clump its own
            centre = body.centres()[0] - parts.arm[first] if isinstance(body, Clump) else parts.bodies.pose[b, :3]
            cuts.append(Cut(number, point - centre, normal, np.nan, parts.arm[first].copy(), nothing))
            continue
        assert isinstance(body, Clump | Disk | Sphere)
        cuts.append(_cut(find, f"probe.{name}", parts, b, body, point, normal))
    return Sections(cuts, find.dimension)


def _cut(find: Finder, place: str, parts: Parts, b: int, body: Clump | Disk | Sphere, point: Floats,
         normal: Floats) -> Cut:
    """A cut through a body of one density, or of parts with masses of their own."""
    flat = body.flat if isinstance(body, Clump) else isinstance(body, Disk)
    rows = np.flatnonzero(parts.body == b)
    rows = rows[np.argsort(parts.number[rows])]
    arms, radii = parts.arm[rows], parts.x[rows, R]
    point = point - (body.centres()[0] - arms[0] if isinstance(body, Clump) else 0.0)
    pieces = [(arms, radii)]
    weights = body.weights() if isinstance(body, Clump) else None
    if weights is not None:
        pieces = [(arms[k : k + 1], radii[k : k + 1]) for k in range(len(radii))]
    mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
    for k, (at, sizes) in enumerate(pieces):
        whole = beyond(at, sizes, at[0] - 10.0 * np.ptp(at, axis=0).max(initial=sizes.max()) * normal, normal, flat)[0]
        density = (parts.bodies.mass[b] if weights is None else weights[k]) / whole
        volume, centre, spread = beyond(at, sizes, point, normal, flat)
        mass, first = mass + density * volume, first + density * volume * centre
        second += density * (spread + volume * np.outer(centre, centre))
    if not 0.0 < mass < parts.bodies.mass[b] * (1.0 - 1e-12):
        find.problem(f"{place}.position", "the cut does not pass through the body.",
                     "Move its position into the body.")
        find.raise_if_any()
    centre = first / mass
    second -= mass * np.outer(centre, centre)
    inertia = np.trace(second) * np.eye(3) - second
    return Cut(int(parts.bodies.number[b]), point, normal, mass, centre, inertia)
