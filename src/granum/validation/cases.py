"""Published cases: the documents' results computed again, behind `granum reproduce`."""

from __future__ import annotations

from importlib import import_module

from granum.base.errors import pick
from granum.base.extensions import installed, loaded
from granum.validation.case import PUBLISHED_VERDICTS, REFERENCE_VERDICTS, Case, Result, Row

__all__ = ["PUBLISHED_VERDICTS", "REFERENCE_VERDICTS", "Case", "Result", "Row", "all_cases", "find_case"]

_MODULES = ("rigid_bodies", "table_5_1", "pendulum", "falling_chain", "stack", "pipe_jam", "three_spheres",
            "rolling_shell", "incline", "wheel", "divided_body", "library", "granular.close_packing",
            "granular.janssen", "granular.beverloo", "granular.repose", "granular.collapse",
            "single_contacts.cases")
"""Those of Sun (1996) in its order, those of the other sources, multibody benchmarks, granular matter, contacts."""


def all_cases() -> list[Case]:
    """Every case, from the `CASE` of its module; those of installed packages follow."""
    return [*(import_module(f"granum.validation.{name}").CASE for name in _MODULES),
            *(loaded(own).CASE for own in installed().get("case", {}).values())]


def find_case(name: str) -> Case:
    """The case of that name; an unknown one is answered with the nearest and the choice."""
    cases = {case.name: case for case in all_cases()}
    return cases[pick(name, cases, "published case")]
