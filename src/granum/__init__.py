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

import importlib
from typing import TYPE_CHECKING, Any

from granum.base.offers import offer

if TYPE_CHECKING:
    from granum import analytic
    from granum.analytic import Equations
    from granum.base.errors import GranumError, NotConvergedError, RunFileError, SceneError
    from granum.grains import measuring
    from granum.io.scenefile import load_scene as load
    from granum.mechanisms.derive import derive, linearize
    from granum.model import (
        BallJoint,
        Block,
        Bond,
        Box,
        BoxRegion,
        Chain,
        Clump,
        Cylinder,
        CylinderRegion,
        Disk,
        Drag,
        Drive,
        EnergyConstraint,
        FixedDisk,
        FixedPoint,
        FixedSphere,
        FlowProbe,
        Force,
        ForceField,
        FormulaConstraint,
        FormulaSystem,
        FrictionConstraint,
        Glue,
        Grains,
        Gravity,
        HalfShell,
        HalfSpace,
        Hinge,
        Hopper,
        ImplicitSurface,
        JamProbe,
        Link,
        MasslessPoint,
        Material,
        Motion,
        Net,
        NoSpin,
        PackingProbe,
        Pair,
        Part,
        Plane,
        PointMass,
        Profile,
        RigidBody,
        RigidityProbe,
        Ring,
        Rod,
        Rolling,
        RoundRegion,
        RunSettings,
        Scene,
        SectionProbe,
        Shape,
        Sink,
        Sizes,
        Slider,
        Sliding,
        Source,
        Sphere,
        Spring,
        Stack,
        Start,
        Surface,
        Torque,
        TorsionSpring,
        Tree,
        TwoHalfShell,
        Wall,
    )
    from granum.run import Run, describe, open_run, simulate
    from granum.view.export import export

# runs draw themselves, though drawing is a floor above them
offer("thumbnail", "granum.view.pictures.thumbnail:thumbnail")
offer("plots", "granum.view.plots.catalogue:Plots")
# and scenes begin from runs, and know their file
offer("naming", "granum.io.scenefile:naming")
offer("begun_from", "granum.run.earlier:begun_from")

# loaded when first used, so that `granum --help` does not wait for a compiler
_PLACES = {
    "granum.analytic": ("Equations",),
    "granum.base.errors": ("GranumError", "NotConvergedError", "RunFileError", "SceneError"),
    "granum.model": ("BallJoint", "Block", "Bond", "Box", "BoxRegion", "Chain", "Clump", "Cylinder", "CylinderRegion",
                     "Disk", "Drag", "Drive", "EnergyConstraint", "FixedDisk", "FixedPoint", "FixedSphere",
                     "FlowProbe", "Force", "ForceField", "FormulaConstraint", "FormulaSystem", "FrictionConstraint",
                     "Glue", "Grains", "Gravity", "HalfShell", "HalfSpace", "Hinge", "Hopper", "ImplicitSurface",
                     "JamProbe", "Link", "MasslessPoint", "Material", "Motion", "Net", "NoSpin", "PackingProbe",
                     "Pair", "Part", "Plane", "PointMass", "Profile", "RigidBody", "RigidityProbe", "Ring", "Rod",
                     "Rolling", "RoundRegion", "RunSettings", "Scene", "SectionProbe", "Shape", "Sink", "Sizes",
                     "Slider", "Sliding", "Source", "Sphere", "Spring", "Stack", "Start", "Surface", "Torque",
                     "TorsionSpring", "Tree", "TwoHalfShell", "Wall"),
    "granum.mechanisms.derive": ("derive", "linearize"),
    "granum.run": ("Run", "describe", "open_run", "simulate"),
    "granum.view.export": ("export",),
}
_WHERE = {name: place for place, names in _PLACES.items() for name in names}

__all__ = [
    "BallJoint", "Block", "Bond", "Box", "BoxRegion", "Chain", "Clump", "Cylinder", "CylinderRegion", "Disk", "Drag",
    "Drive", "EnergyConstraint", "Equations", "FixedDisk", "FixedPoint", "FixedSphere", "FlowProbe", "Force",
    "ForceField", "FormulaConstraint", "FormulaSystem", "FrictionConstraint", "Glue", "Grains", "GranumError",
    "Gravity", "HalfShell", "HalfSpace", "Hinge", "Hopper", "ImplicitSurface", "JamProbe", "Link", "MasslessPoint",
    "Material", "Motion", "Net", "NoSpin", "NotConvergedError", "PackingProbe", "Pair", "Part", "Plane", "PointMass",
    "Profile", "RigidBody", "RigidityProbe", "Ring", "Rod", "Rolling", "RoundRegion", "Run", "RunFileError",
    "RunSettings", "Scene", "SceneError", "SectionProbe", "Shape", "Sink", "Sizes", "Slider", "Sliding", "Source",
    "Sphere", "Spring", "Stack", "Start", "Surface", "Torque", "TorsionSpring", "Tree", "TwoHalfShell", "Wall",
    "analytic", "derive", "describe", "export", "linearize", "load", "measuring", "open_run", "simulate",
]


def __getattr__(name: str) -> Any:
    if name == "analytic":
        return importlib.import_module("granum.analytic")
    if name == "measuring":
        return importlib.import_module("granum.grains.measuring")
    if name == "load":
        return importlib.import_module("granum.io.scenefile").load_scene
    if name in _WHERE:
        return getattr(importlib.import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'granum' has no attribute {name!r}")
