"""Cams: the follower is where the profile says, z₂ = f(z₁), each counted since the start."""

from __future__ import annotations

import numpy as np

from granum.algebra import Expression, symbol
from granum.algebra.expression import evaluate, rebuild
from granum.algebra.parse import parse_equation
from granum.base.errors import GranumError
from granum.model.connections import Cam
from granum.rows.coupling import Coupled, effort_of


def row(entry: Cam, coupled: Coupled) -> tuple[Expression, str]:
    """z₂ - f(z₁); its multiplier is the force or torque on the follower."""
    own = "angle" if coupled.first.kind == "hinge" else "displacement"
    profile = parse_equation(entry.profile, [own, *coupled.parameters])
    begins = evaluate([profile], {**coupled.parameters, own: 0.0})[0]
    if not np.abs(begins) <= 1e-12:
        raise GranumError(f"profile is {begins:.6g} where {own} = 0, but the follower is measured from the start: "
                          "subtract this value so that it begins at 0.")
    return coupled.two - rebuild([profile], {symbol(own): coupled.one})[0], effort_of(coupled.second)
