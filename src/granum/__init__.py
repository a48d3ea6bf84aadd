"""Granum: the mechanics of many bodies.

    import granum as gr

    scene = gr.load("pendulum.toml")
    run = gr.simulate(scene, until=2.0, solver="mixed")
    run.t, run.position("bob-50"), run.energy, run.reaction("rod-3").tension, run.summary
    run.plot.energy(), run.plot.path("bob-50", file="path.svg"), dir(run.plot)

    eqs = gr.derive(scene, formulation="lagrange")
    eqs.accelerations(q, v), eqs.reactions(q, v), eqs.latex()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from granum.base.offers import load as _load
from granum.base.offers import offer

if TYPE_CHECKING:
    from granum import analytic as analytic
    from granum.analytic import Equations as Equations
    from granum.analytic.derive import derive as derive
    from granum.analytic.derive import linearize as linearize
    from granum.base.errors import GranumError as GranumError
    from granum.base.errors import NotConvergedError as NotConvergedError
    from granum.base.errors import RunFileError as RunFileError
    from granum.base.errors import SceneError as SceneError
    from granum.grains import measuring as measuring
    from granum.io import scenefile
    from granum.io.examples import example as example
    from granum.io.schema import schema as schema
    from granum.model import *  # noqa: F403
    from granum.run import Run as Run
    from granum.run import open_run as open_run
    from granum.run import simulate as simulate
    from granum.run.check import check as check
    from granum.studies.definition import Study as Study
    from granum.studies.definition import load_study as load_study
    from granum.studies.result import StudyResult as StudyResult
    from granum.studies.result import open_study as open_study
    from granum.studies.study import study as study
    from granum.view.export import export as export

    load = scenefile.load_scene

# runs draw themselves, though drawing is a floor above them
offer("thumbnail", "granum.view.pictures.thumbnail:thumbnail")
offer("plots", "granum.view.plots.catalogue:Plots")
offer("animation", "granum.view.films.animation:Animation")
# and scenes begin from runs, and know their file
offer("naming", "granum.io.scenefile:naming")
offer("begun_from", "granum.run.earlier:begun_from")

# loaded when first used, so that `granum --help` does not wait for a compiler; what scenes are made of is in the model
_PLACES = {
    "Equations": "granum.analytic:Equations", "GranumError": "granum.base.errors:GranumError",
    "NotConvergedError": "granum.base.errors:NotConvergedError", "Run": "granum.run:Run",
    "RunFileError": "granum.base.errors:RunFileError", "SceneError": "granum.base.errors:SceneError",
    "analytic": "granum.analytic", "check": "granum.run.check:check", "derive": "granum.analytic.derive:derive",
    "example": "granum.io.examples:example", "export": "granum.view.export:export",
    "linearize": "granum.analytic.derive:linearize", "load": "granum.io.scenefile:load_scene",
    "load_study": "granum.studies.definition:load_study", "measuring": "granum.grains.measuring",
    "open_run": "granum.run:open_run", "schema": "granum.io.schema:schema", "simulate": "granum.run:simulate",
    "Study": "granum.studies.definition:Study", "StudyResult": "granum.studies.result:StudyResult",
    "open_study": "granum.studies.result:open_study", "study": "granum.studies.study:study",
}


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return _load(_PLACES[name])
    if name == "__all__" or not name.startswith("_"):
        model = _load("granum.model")
        if name == "__all__":
            return sorted([*_PLACES, *model.__all__])
        if name in model.__all__:
            # kept, because a program may ask for it once for every body
            return globals().setdefault(name, getattr(model, name))
    raise AttributeError(f"module 'granum' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
