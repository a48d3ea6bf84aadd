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

from typing import Any

from granum.base.offers import load as _load
from granum.base.offers import offer, wing

# runs draw themselves, though drawing is a floor above them
offer("thumbnail", "granum.view.pictures.thumbnail:thumbnail")
offer("plots", "granum.view.plots.catalogue:Plots")
offer("to_pandas", "granum.view.export.labelled:to_pandas")
offer("to_xarray", "granum.view.export.labelled:to_xarray")
offer("animation", "granum.view.films.animation:Animation")
offer("mode_run", "granum.run.configurations:mode_run")
offer("branch_plot", "granum.view.plots.branches:branch_plot")
offer("campbell_plot", "granum.view.plots.campbell:campbell_plot")
offer("equilibrium_run", "granum.run.configurations:equilibrium_run")
offer("residual", "granum.contact.residual")
# and scenes begin from runs, and know their file
offer("naming", "granum.io.scenefile:naming")
offer("begun_from", "granum.run.restart:begun_from")

# wings: what the core does not need, named as other packages name theirs (docs/dev/extending.md, A package)
wing("command", "reproduce", "granum.validation.command")
wing("solver", "mixed", "granum.historic.mixed", "mixed iteration of Sun (1996) for links")
wing("grain-solver", "unilateral", "granum.historic.unilateral.unilateral_links",
     "unilateral links of Sun (1996), which open under tension")
wing("reader", "inp", "granum.historic.conversion", "input of the program in Sun (1996), Appendix E")
wing("conversion", "inp", "granum.historic.conversion")
for _suffix in ("urdf", "xml", "mjcf"):
    wing("conversion", _suffix, "granum.robots.conversion")
wing("conversion", "lammps", "granum.lammps.conversion")
wing("conversion", "h5", "granum.lammps.conversion")
wing("engine", "lammps", "granum.lammps.running", "grains of solver soft, on several processes")

# loaded when first used, so that `granum --help` does not wait for a compiler; what scenes are made of is in the model.
# Type checkers read __init__.pyi instead, which `make renew` writes
_PLACES = {
    "Campbell": "granum.analytic.campbell:Campbell", "campbell": "granum.analytic.campbell:campbell",
    "Description": "granum.run.check:Description", "Equations": "granum.analytic:Equations",
    "GranumError": "granum.base.errors:GranumError", "Linearization": "granum.analytic.state_space:Linearization",
    "NotConvergedError": "granum.base.errors:NotConvergedError", "Run": "granum.run:Run",
    "RunFileError": "granum.base.errors:RunFileError", "SceneError": "granum.base.errors:SceneError",
    "analytic": "granum.analytic", "check": "granum.run.check:check", "contact": "granum.contact",
    "controller": "granum.run.control.compiled:controller", "derive": "granum.analytic.derive:derive",
    "Equilibrium": "granum.analytic.equilibrium:Equilibrium", "equilibrium": "granum.analytic.equilibrium:equilibrium",
    "Branches": "granum.analytic.continuation:Branches", "equilibria": "granum.analytic.continuation:equilibria",
    "example": "granum.io.examples:example", "export": "granum.view.export:export", "gym": "granum.gym",
    "InverseDynamics": "granum.run.inverse:InverseDynamics",
    "inverse_dynamics": "granum.run.inverse:inverse_dynamics", "linearize": "granum.analytic.derive:linearize",
    "load": "granum.io.scenefile:load_scene",
    "load_study": "granum.studies.definition:load_study", "measuring": "granum.grains.measuring",
    "open_run": "granum.run:open_run", "Simulation": "granum.run.simulation:Simulation",
    "Sensitivity": "granum.run.sensitivity:Sensitivity", "sensitivity": "granum.run.sensitivity:sensitivity",
    "Snapshot": "granum.run.simulation:Snapshot", "schema": "granum.io.schema:schema",
    "simulate": "granum.run:simulate",
    "Study": "granum.studies.definition:Study", "StudyResult": "granum.studies.result:StudyResult",
    "open_study": "granum.studies.result:open_study", "study": "granum.studies.study:study",
}


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return _load(_PLACES[name])
    if name == "__version__":
        return _load("importlib.metadata:version")("granum")
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
