"""From a scene or a system of formulas to what runs it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from granum.base.compiling import expect
from granum.base.errors import GranumError
from granum.model.one_sided import refuse_by_formulas
from granum.model.scene import Scene
from granum.run.subject import Subject, refuse_entries_of_grains, refuse_short_tables

if TYPE_CHECKING:
    from granum.analytic.expressed import System


def subject_of(scene: Scene, room: int = 0) -> Subject:
    """A scene as something that runs; loads only the engine that it needs.

    room: grains that may be added between steps.
    """
    expect(scene.engine)
    refuse_short_tables(scene)
    if scene.has_grains:
        return _grains(scene, room)
    refuse_entries_of_grains(scene)
    scene = scene.with_run(formulation=scene.formulation)
    from granum.analytic.derive import by_joints, by_links, from_built, of_links, options_of

    if by_joints(scene, scene.run.formulation):
        from granum.run.rigid_bodies import BodySubject

        return BodySubject(scene)
    if by_links(scene, scene.run.formulation):
        from granum.run.linked import LinkedSubject

        return LinkedSubject(of_links(scene), scene)
    refuse_by_formulas(scene)
    from granum.analytic.build import build
    from granum.run.formulas import FormulaSubject

    built = build(scene)
    return FormulaSubject(from_built(built, scene.run.formulation, **options_of(scene)), scene, built)


def _grains(scene: Scene, room: int) -> Subject:
    """Grains, by moreau unless the scene says otherwise."""
    from granum.run.grains import GrainSubject

    return GrainSubject(scene.with_grain_solver(), room)


def subject_of_system(system: System, start: Mapping[str, float] | None, settings: dict[str, Any]) -> Subject:
    """A system of formulas with a start computed from what is given."""
    from granum.analytic.derive import derive
    from granum.analytic.expressed import System
    from granum.analytic.expressed_equations import ExpressedEquations
    from granum.analytic.starts import consistent
    from granum.run.formulas import FormulaSubject, scene_of

    if not isinstance(system, System):
        raise GranumError(f"found {system!r:.80}, but a gr.Scene or a gr.analytic.System is simulated. Read a scene "
                          "file with gr.load.")
    if start is not None and not isinstance(start, Mapping):
        raise GranumError(f"found start = {start!r:.80}, but it gives coordinates and rates by name, such as "
                          '{"x": 0.1, "x_dot": 0.0}.')
    settings.setdefault("formulation", "fundamental")
    equations = derive(system, settings["formulation"], start=consistent(system, start or {}))
    assert isinstance(equations, ExpressedEquations)
    return FormulaSubject(equations, scene_of(system, equations).with_run(**settings))


def refuse_start(start: object) -> None:
    """Refuse a start beside a scene, which has its own and would ignore this one."""
    if start is not None:
        raise GranumError(f"found start = {start!r:.80}, but a scene has its start in [start.NAME] or [system.start]. "
                          "Give start with a gr.analytic.System only.")
