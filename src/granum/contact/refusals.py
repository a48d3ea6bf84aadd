"""What each solver of contact does not support: refused with solver and key, never left out silently."""

from __future__ import annotations

from granum.base.choices import GRAIN_SOLVERS, one_of
from granum.base.errors import Problem, SceneError
from granum.contact.contact_solver import solver_class
from granum.grains.generation.finder import foreign_bodies, held_bodies, needs_bodies
from granum.grains.loads.load import KINDS as GRAIN_LOADS
from granum.model.loads import Gravity, JointFriction
from granum.model.materials import Material
from granum.model.one_sided import one_sided_problems
from granum.model.probes import RigidityProbe, SectionProbe
from granum.model.scene import Scene
from granum.model.start import fixed_start_problems

MOST_NAMED = 10
"""Entries of a scene that are named one by one."""


def unsupported(scene: Scene) -> list[Problem]:
    """Entries of a scene that its solver does not support, as the class of the solver says."""
    if scene.solver not in GRAIN_SOLVERS:
        return []  # it is refused as a whole
    entries = solver_class(scene.solver).unsupported(scene)
    remedy = 'Use solver = "moreau", or remove it.'
    problems = [Problem(key, f'{what}, which solver "{scene.solver}" does not support.', remedy)
                for key, what in list(entries.items())[:MOST_NAMED]]
    if (more := len(entries) - len(problems)) > 0:
        problems.append(Problem("run.solver", f'"{scene.solver}" does not support {more} more entries of the scene.',
                                'Use solver = "moreau".'))
    return problems + unsupported_keys(scene)


def foreign_connections(scene: Scene) -> list[Problem]:
    """Constraints that are no joints of bodies, and loads that act neither on grains nor on bodies."""
    unknown = {name: load for name, load in scene.load.items() if not isinstance(load, Gravity)
               and type(load) not in GRAIN_LOADS}
    if not scene.constraint and not unknown:
        return []
    from granum.loads.registry import KINDS as LOADS  # single grains need neither these nor joints
    from granum.rows.registry import BUILDERS

    joints = {entry for entry, builder in BUILDERS.items() if not builder.contact}
    problems = [Problem(f"constraint.{name}.kind", f"{entry.kind} is not supported in scenes with grains.",
                        "Supported are joints that hold positions of bodies, such as ball-joint, hinge, slider, glue, "
                        "and drives; remove others.")
                for name, entry in scene.constraint.items() if type(entry) not in joints]
    return problems + [Problem(f"load.{name}.kind", f"is {load.kind}, which is not supported in scenes with grains.",
                               "Remove it.") for name, load in unknown.items()
                       # steps of contact would shake a joint that dry friction holds
                       if type(load) not in LOADS or isinstance(load, JointFriction)]


def refuse_smooth(scene: Scene) -> None:
    """Refuse formulations and solvers of smooth motion, which know no contact."""
    for key in ("coordinates", "quasi"):
        if getattr(scene.run, key):
            raise SceneError([Problem(f"run.{key}", f"equations of smooth motion take {key}, but this scene has "
                                                    "grains or a contact solver.", f"Remove {key}.")])
    if scene.run.formulation != "newton-euler":
        raise SceneError([Problem("run.formulation", f'"{scene.run.formulation}" does not support contact, but this '
                                                     "scene has grains, materials or boundaries.",
                                  "Remove it: grain solvers have their own equations.")])
    if scene.solver not in GRAIN_SOLVERS:
        raise SceneError([Problem("run.solver", f'"{scene.solver}" does not support contact between grains.',
                                  f"Use one of: {', '.join(GRAIN_SOLVERS)}.")])


def refuse_foreign(scene: Scene) -> None:
    """Refuse what grains or their solver know nothing of, instead of leaving it out."""
    if problems := foreign(scene):
        raise SceneError(problems)


def foreign(scene: Scene) -> list[Problem]:
    """What grains or their solver know nothing of."""
    places = [f"surface.{name}" for name in scene.surface]
    places += ["system"] if scene.system.coordinates else []
    places += foreign_bodies(scene).values()
    problems = [Problem(place, "is not supported in scenes with grains.",
                        "Remove it, or remove all materials, boundaries, sources, sinks and disks.")
                for place in places]
    problems += unsupported(scene) + foreign_connections(scene)
    problems += fixed_start_problems(scene.start, scene.body)
    if scene.link:
        problems += one_sided_problems(scene, "a scene with grains", "Remove the link: grains and bodies with a radius "
                                   "touch on one side by themselves, with the restitution of their material.")
    if needs_bodies(scene):
        problems += loaded_by_joints(scene)
        problems += [Problem(f"probe.{name}", "counts degrees of freedom of single grains, but the scene has bodies of "
                                              "several parts.", "Remove it.")
                     for name, probe in scene.probe.items() if isinstance(probe, RigidityProbe)]
    return problems


def loaded_by_joints(scene: Scene) -> list[Problem]:
    """Bonds, cuts and merged clusters of bodies that joints hold: loads across them leave out what joints do."""
    held, remedy = held_bodies(scene), "Remove the joints or this entry."
    groups = held | {name.rpartition("-")[0] for name in held}
    problems = [Problem(f"bond.{name}.among", f'"{bond.among}" is also held by joints, which bonds do not '
                                              "support.", remedy)
                for name, bond in scene.bond.items() if bond.among in groups]
    problems += [Problem(f"probe.{name}.body", f'"{probe.body}" is also held by joints, which a section probe does not '
                                               "support.",
                         remedy) for name, probe in scene.probe.items()
                 if isinstance(probe, SectionProbe) and probe.body in groups]
    if scene.run.merge_clusters and (scene.link or scene.constraint):
        problems.append(Problem("run.merge_clusters", "is not supported in scenes with joints.", remedy))
    return problems


def unsupported_keys(scene: Scene) -> list[Problem]:
    """Keys of materials and pairs that stand for an effect which the solver, or its contact law, does not have."""
    supported = solver_class(scene.solver).supported_keys(scene)
    effects = [key for key, field in Material.model_fields.items() if field.default == 0.0 and key not in supported]
    who = f'solver "{scene.solver}"'
    who += f' with contact_law "{scene.run.contact_law}"' if scene.solver == "soft" else ""
    return [Problem(place, f"{who} does not support {key}.", _remedy(key)) for key in effects
            for place in given_keys(scene, key)]


def _remedy(key: str) -> str:
    """The settings that support a key of materials."""
    settings = [f'solver = "{name}"' for name in GRAIN_SOLVERS if key in solver_class(name).keys]
    from granum.contact.penalty.laws.law import laws_with

    settings += [f'solver = "soft" with contact_law = "{law}"' for law in laws_with(key)]
    return f"Use {one_of(settings)}, or remove it." if settings else "Remove it."


def given_keys(scene: Scene, key: str) -> list[str]:
    """Where materials and pairs give a key that is not zero."""
    return [f"{section}.{name}.{key}" for section, entries in (("material", scene.material), ("pair", scene.pair))
            for name, entry in entries.items() if getattr(entry, key, None)]
