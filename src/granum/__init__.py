"""Granum: the mechanics of many bodies.

    import granum as gr

    scene = gr.load("pendulum.toml")
    run = gr.simulate(scene, until=2.0, solver="mixed")
    run.t, run.position("bob-50"), run.energy, run.reaction("rod-3"), run.summary

    eqs = gr.derive(scene, formulation="lagrange")
    eqs.accelerations(q, v), eqs.reactions(q, v), eqs.latex()
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from granum.analytic import Equations, derive
    from granum.base.errors import GranumError, NotConvergedError, RunFileError, SceneError
    from granum.io.scenefile import load_scene as load
    from granum.model import (
        Chain,
        FixedPoint,
        Force,
        Gravity,
        Link,
        Net,
        PointMass,
        Ring,
        RunSettings,
        Scene,
        Spring,
        Stack,
        Start,
        Tree,
    )
    from granum.run import Run, describe, open_run, simulate

# loaded when first used, so that `granum --help` does not wait for a compiler
_PLACES = {
    "granum.analytic": ("Equations", "derive"),
    "granum.base.errors": ("GranumError", "NotConvergedError", "RunFileError", "SceneError"),
    "granum.model": ("Chain", "FixedPoint", "Force", "Gravity", "Link", "Net", "PointMass", "Ring", "RunSettings",
                     "Scene", "Spring", "Stack", "Start", "Tree"),
    "granum.run": ("Run", "describe", "open_run", "simulate"),
}
_WHERE = {name: place for place, names in _PLACES.items() for name in names}

__all__ = [
    "Chain", "Equations", "FixedPoint", "Force", "GranumError", "Gravity", "Link", "Net", "NotConvergedError",
    "PointMass", "Ring", "Run", "RunFileError", "RunSettings", "Scene", "SceneError", "Spring", "Stack", "Start",
    "Tree", "derive", "describe", "load", "open_run", "simulate",
]


def __getattr__(name: str) -> Any:
    if name == "load":
        return importlib.import_module("granum.io.scenefile").load_scene
    if name in _WHERE:
        return getattr(importlib.import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'granum' has no attribute {name!r}")
