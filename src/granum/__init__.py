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
    from granum import analytic
    from granum.analytic import Equations, derive
    from granum.base.errors import GranumError, NotConvergedError, RunFileError, SceneError
    from granum.io.scenefile import load_scene as load
    from granum.model import (
        BallJoint,
        Chain,
        Clump,
        ClumpSphere,
        EnergyConstraint,
        FixedPoint,
        Force,
        FormulaConstraint,
        FormulaSystem,
        FrictionConstraint,
        Glue,
        Gravity,
        Hinge,
        Link,
        MasslessPoint,
        Net,
        NoSpin,
        PointMass,
        RigidBody,
        Ring,
        Rolling,
        RunSettings,
        Scene,
        Sphere,
        Spring,
        Stack,
        Start,
        Surface,
        Tree,
        TwoHalfShell,
    )
    from granum.run import Run, describe, open_run, simulate

# loaded when first used, so that `granum --help` does not wait for a compiler
_PLACES = {
    "granum.analytic": ("Equations", "derive"),
    "granum.base.errors": ("GranumError", "NotConvergedError", "RunFileError", "SceneError"),
    "granum.model": ("BallJoint", "Chain", "Clump", "ClumpSphere", "EnergyConstraint", "FixedPoint", "Force",
                     "FormulaConstraint", "FormulaSystem", "FrictionConstraint", "Glue", "Gravity", "Hinge", "Link",
                     "MasslessPoint", "Net", "NoSpin", "PointMass", "RigidBody", "Ring", "Rolling", "RunSettings",
                     "Scene", "Sphere", "Spring", "Stack", "Start", "Surface", "Tree", "TwoHalfShell"),
    "granum.run": ("Run", "describe", "open_run", "simulate"),
}
_WHERE = {name: place for place, names in _PLACES.items() for name in names}

__all__ = [
    "BallJoint", "Chain", "Clump", "ClumpSphere", "EnergyConstraint", "Equations", "FixedPoint", "Force",
    "FormulaConstraint", "FormulaSystem", "FrictionConstraint", "Glue", "GranumError", "Gravity", "Hinge", "Link",
    "MasslessPoint", "Net", "NoSpin", "NotConvergedError", "PointMass", "RigidBody", "Ring", "Rolling", "Run",
    "RunFileError", "RunSettings", "Scene", "SceneError", "Sphere", "Spring", "Stack", "Start", "Surface", "Tree",
    "TwoHalfShell", "analytic", "derive", "describe", "load", "open_run", "simulate",
]


def __getattr__(name: str) -> Any:
    if name == "analytic":
        return importlib.import_module("granum.analytic")
    if name == "load":
        return importlib.import_module("granum.io.scenefile").load_scene
    if name in _WHERE:
        return getattr(importlib.import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'granum' has no attribute {name!r}")
