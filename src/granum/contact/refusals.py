"""What each solver of contact does not support: refused with solver and key, never left out silently."""

from __future__ import annotations

from granum.base.choices import GRAIN_SOLVERS
from granum.base.errors import Problem, SceneError
from granum.contact.solver import solver_class
from granum.grains.loads.load import KINDS as GRAIN_LOADS
from granum.model.loads import Gravity, JointFriction
from granum.model.scene import Scene

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
    if not solver_class(scene.solver).cohesive:
        problems += [Problem(key, f'solver "{scene.solver}" does not support cohesion.',
                             'Use solver = "unilateral", or remove it.') for key in cohesion(scene)]
    return problems


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


def rolling_friction(scene: Scene) -> dict[str, str]:
    """Rolling friction of materials and pairs."""
    return dict.fromkeys(_given(scene, "rolling_friction"), "is rolling friction")


def cohesion(scene: Scene) -> list[str]:
    """Keys of cohesion of materials and pairs."""
    return _given(scene, "cohesion")


def _given(scene: Scene, coefficient: str) -> list[str]:
    """Keys of a coefficient of contact that is not zero, of materials and pairs."""
    return [f"{section}.{name}.{coefficient}"
            for section, entries in (("material", scene.material), ("pair", scene.pair))
            for name, entry in entries.items() if getattr(entry, coefficient, None)]
