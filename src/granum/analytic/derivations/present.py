"""Which file presents which formulation."""

from __future__ import annotations

from dataclasses import replace

from granum.analytic.derivations.derivation import Derivation
from granum.analytic.result import Equations
from granum.base.offers import load

_PRESENTERS = {
    "NewtonEuler": "granum.analytic.derivations.newton_euler:of_links",
    "BodyEquations": "granum.analytic.derivations.newton_euler:of_joints",
    "Lagrange": "granum.analytic.derivations.lagrange:of_links",
    "Scalar": "granum.analytic.derivations.scalar:of_links",
    "ClusterEquations": "granum.analytic.derivations.clusters:of_cluster",
    "Multipliers": "granum.analytic.derivations.lagrange:of_formulas",
    "Fundamental": "granum.analytic.derivations.fundamental:of_formulas",
    "GibbsAppell": "granum.analytic.derivations.gibbs_appell:of_formulas",
    "VirtualWork": "granum.analytic.derivations.virtual_work:of_formulas",
}
"""By the class of equations; those of other packages are shown as their nearest class here."""


def derivation_of(equations: Equations) -> Derivation:
    """How a formulation derives its equations."""
    names = [kind.__name__ for kind in type(equations).__mro__ if kind.__name__ in _PRESENTERS]
    shown: Derivation = load(_PRESENTERS[(*names, "Multipliers")[0]])(equations)
    return replace(shown, formulation=equations.formulation)
