"""What LAMMPS cannot honour: refused by name, all at once, before anything starts."""

from __future__ import annotations

import numpy as np

from granum.assembly.assembly import assembly_of
from granum.base.errors import Problem, SceneError
from granum.contact.penalty.laws.law import contact_law
from granum.contact.refusals import given_keys
from granum.grains.generation.finder import bodily_entries
from granum.grains.geometry.boundaries import Elements
from granum.grains.tables import Tables
from granum.lammps.walls import NotExpressibleError, shape_of
from granum.model.loads import Gravity
from granum.model.materials import Material
from granum.model.probes import PackingProbe, RigidityProbe
from granum.model.regions import BoxRegion, CylinderRegion, HalfSpace, Region, RoundRegion
from granum.model.scene import Scene

LAWS = ("linear", "hertz")
"""Contact laws that `pair_style granular` has."""
WITHOUT = "Remove it, or run the scene without --engine."


def refuse_inexpressible(scene: Scene, alone: bool = False) -> None:
    """Raise SceneError with all that LAMMPS cannot honour.

    Args:
        scene: with the settings of the run.
        alone: LAMMPS runs without Granum, from an input file.
    """
    if not scene.has_grains or scene.solver != "soft":
        raise SceneError([Problem("run.solver", f'is "{scene.solver}", but LAMMPS runs spheres and disks with springs '
                                                "and dashpots.",
                                  'Use solver = "soft", or run the scene without --engine.')])
    problems = _entries(scene) + _laws(scene)
    if alone:
        problems += [Problem(f"source.{name}", "places its grains while the scene runs, which a LAMMPS input file "
                                               "alone cannot do.", "Use granum run --engine lammps, or remove it.")
                     for name in scene.source]
    if not problems:  # elements of boundaries are compiled only where the rest is in order
        assembly = assembly_of(scene).grains
        problems = _boundaries(scene, assembly.tables, assembly.elements)
    if problems:
        raise SceneError(problems)


def _entries(scene: Scene) -> list[Problem]:
    """Bodies, loads, probes, sinks and starts."""
    found = {key: f"{what}; with LAMMPS only single spheres or disks are "
                  "supported" for key, what in bodily_entries(scene).items()}
    found |= {f"load.{name}": f"is a load of kind {load.kind}; with LAMMPS only gravity is supported"
              for name, load in scene.load.items() if not isinstance(load, Gravity)}
    found |= {f"probe.{name}": f"is a {probe.kind} probe, which is sampled between frames; LAMMPS writes frames only"
              for name, probe in scene.probe.items() if not isinstance(probe, PackingProbe | RigidityProbe)}
    found |= {f"sink.{name}.region": what for name, sink in scene.sink.items() if (what := _no_region(sink.region))}
    for section, kinds in (("pattern", scene.pattern), ("source", scene.source)):
        found |= {f"{section}.{name}.rotation": "is false; in LAMMPS all grains rotate" for name, kind in kinds.items()
                  if not getattr(kind, "rotation", True)}
    if scene.start_frame is not None:
        found["start_frame"] = "continues another run, whose contacts LAMMPS cannot restore"
    return [Problem(key, f"{what}.", WITHOUT) for key, what in found.items()]


def _laws(scene: Scene) -> list[Problem]:
    """Contact laws and rolling friction."""
    law = scene.run.contact_law
    if law not in LAWS:
        return [Problem("run.contact_law", f'is "{law}", which LAMMPS does not have.', f"Use {' or '.join(LAWS)}."),
                *(Problem(place, f'is a key of contact_law = "{law}", which LAMMPS does not have.', WITHOUT)
                  for key in contact_law(law).keys if Material.model_fields[key].default == 0.0
                  for place in given_keys(scene, key))]
    if not contact_law(law).nonlinear:
        return []
    return [Problem(key, f'is rolling friction with contact_law = "{law}": the rolling spring of LAMMPS has a constant '
                    "stiffness, that of Granum follows the overlap.", 'Use contact_law = "linear", or remove it.')
            for key in given_keys(scene, "rolling_friction")]


def _boundaries(scene: Scene, tables: Tables, elements: Elements) -> list[Problem]:
    """Shapes and motions that no region describes, and curved ones where curvature changes the law."""
    problems, names = [], list(scene.boundary)
    by_radius = contact_law(scene.run.contact_law).nonlinear or np.any(tables["rolling_friction"] > 0.0)
    for number, name in enumerate(names):
        for e in np.flatnonzero(elements.boundary == number):
            try:
                shape = shape_of(elements.home[e], elements.motion[e])
            except NotExpressibleError as error:
                problems.append(Problem(f"boundary.{name}", f"{error}.", WITHOUT))
                break
            if shape.curved and by_radius:
                problems.append(Problem(
                    f"boundary.{name}", "is curved: LAMMPS includes its curvature in the reduced radius of a contact, "
                                        "Granum does not, and the Hertz law and rolling friction depend on it.",
                    'Use contact_law = "linear" without rolling friction, or flat boundaries.'))
                break
    return problems


def _no_region(region: Region) -> str:
    """Why a region of a sink cannot be expressed; empty if it can."""
    if isinstance(region, CylinderRegion):
        one, two = (np.array(end) for end in region.ends)
        if np.count_nonzero(one != two) != 1:
            return "is a cylinder along none of the axes; LAMMPS has cylinders along x, y and z"
    elif not isinstance(region, BoxRegion | RoundRegion | HalfSpace):
        return f"is a region of kind {region.kind}, which LAMMPS does not have"
    return ""
