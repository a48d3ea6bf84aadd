"""From a scene or a system of formulas to its equations, rigid bodies and joints as arrays among them."""

from __future__ import annotations

from typing import Any

from granum.analytic import derive as by_formulas
from granum.analytic.derive import by_links
from granum.analytic.expressed import System
from granum.analytic.linearization import Linearization
from granum.analytic.result import Equations
from granum.base.errors import GranumError
from granum.base.kernels import Floats
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
    if subject.has_grains:
        raise GranumError("scenes with grains have no equations of motion to derive: their contacts open and close. "
                          "Run the scene instead, or remove its grains.")
    chosen = formulation or subject.formulation
    with offered("naming")(subject._file):
        if by_joints(subject, chosen):
            return MechanismEquations(subject)
        return by_formulas(subject if by_links(subject, chosen) else assembled(subject), formulation, **options)


def linearize(
    subject: Scene | System, q: Floats | None = None, v: Floats | None = None, t: float = 0.0,
    formulation: str | None = None,
) -> Linearization:
    """Small motions of a scene or system about an equilibrium or a steady motion.

    Args:
        subject: a scene, or a `gr.analytic.System`.
        q, v: coordinates and rates in the order of `derive(subject, formulation).coordinates`; without q the start of
            the scene, without v at rest.
        t: time [s], for systems that depend on it.
        formulation: as in `derive`.
    """
    return derive(subject, formulation).linearize(q, v, t)
