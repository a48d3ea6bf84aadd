"""Names to choose from, for scenes and for the command line, whose help must not wait for heavy libraries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

Formulation = Literal["newton-euler", "lagrange", "scalar", "fundamental", "gibbs-appell", "virtual-work"]
LinkSolver = Literal["dop853", "adams", "rk4", "rattle", "mixed"]
GrainSolver = Literal["moreau", "soft", "events", "unilateral"]
"""Solvers of contact between grains."""
Solver = Literal[LinkSolver, GrainSolver]
Format = Literal["text", "latex", "python", "c"]
"""How equations are written."""

FORMULATIONS: tuple[str, ...] = get_args(Formulation)
SOLVERS: tuple[str, ...] = get_args(LinkSolver)
GRAIN_SOLVERS: tuple[str, ...] = get_args(GrainSolver)
FORMATS: tuple[str, ...] = get_args(Format)


def one_of(names: Sequence[str]) -> str:
    """The choice in words: `text, latex or c`."""
    return f"{', '.join(names[:-1])} or {names[-1]}"
