"""From a scene or a system of formulas to its equations, rigid bodies and joints as arrays among them."""

from __future__ import annotations

from typing import Any

from granum.analytic import derive as by_formulas
from granum.analytic.derive import by_links
from granum.analytic.expressed import System
from granum.analytic.result import Equations
from granum.base.offers import offered
from granum.mechanisms.equations import MechanismEquations
from granum.mechanisms.initial_configuration import assembled
from granum.model.scene import Scene


def by_joints(scene: Scene, formulation: str) -> bool:
    """Are the equations those of rigid bodies and joints as arrays?"""
    return formulation == "newton-euler" and scene.has_formulas


def derive(subject: Scene | System, formulation: str | None = None, **options: Any) -> Equations:
    """The equations of motion of a scene or a system of formulas.

    Args:
        subject: a scene, or a `gr.analytic.System`.
        formulation: one of newton-euler, lagrange, scalar, fundamental, gibbs-appell, virtual-work; left out, as the
            scene says, or fundamental for a system of formulas.
        options: of the formulation; gibbs-appell takes `quasi`, formulas of quasi-velocities by name.
    """
    if not isinstance(subject, Scene):
        return by_formulas(subject, formulation, **options)
    chosen = formulation or subject.formulation
    with offered("naming")(subject._file):
        if by_joints(subject, chosen):
            return MechanismEquations(subject)
        return by_formulas(subject if by_links(subject, chosen) else assembled(subject), formulation, **options)
