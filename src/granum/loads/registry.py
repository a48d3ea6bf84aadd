"""Which file builds and expresses which load on bodies.

To add a load, write a file with `build(name, entry, scene) -> BodyLoad` and `formula(load, scene) -> LoadFormula`, and
name it here, or call `register` from outside the package. The formula is all that formulations need: newton-euler makes
machine code of it, unless the kind has a kernel (`loads.load`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from granum.algebra.expression import free_symbols
from granum.base.errors import GranumError
from granum.base.pointers import right_hand_side
from granum.loads import commanded, force, gravity, spring, torque, torsion
from granum.loads.load import BodyLoad, Expressing, LoadFormula
from granum.model.actuators import AppliedForces
from granum.model.loads import Force, Gravity, Spring, Torque, TorsionSpring

Build = Callable[..., BodyLoad]
Formula = Callable[[BodyLoad, Expressing], LoadFormula]


class LoadKind(NamedTuple):
    """What makes a kind of load, and what it is as expressions."""

    build: Build
    formula: Formula
    kernel: right_hand_side | None = None
    """Its forces and torques in compiled code; of gravity the tables have the sum (`loads.tables`)."""


KINDS: dict[type[Any], LoadKind] = {
    Gravity: LoadKind(gravity.build, gravity.formula), Force: LoadKind(force.build, force.formula, force.act),
    Torque: LoadKind(torque.build, torque.formula, torque.act),
    Spring: LoadKind(spring.build, spring.formula, spring.act),
    TorsionSpring: LoadKind(torsion.build, torsion.formula, torsion.act),
    torsion.AngleCounter: LoadKind(torsion.build, torsion.formula, torsion.act),
    **{entry: LoadKind(build, commanded.formula) for entry, build in commanded.BUILDERS.items()},
    AppliedForces: LoadKind(commanded.build_applied, commanded.applied_formula)}
"""By the class of the schema entry."""


def register(entry: type[Any], build: Build, formula: Formula, kernel: right_hand_side | None = None) -> None:
    """Tell Granum of a new kind of load on bodies.

    Args:
        entry: the class of the schema entry, with `kind: Literal["..."]`.
        build: takes name, entry and a `Connecting`; returns the BodyLoad with its ends.
        formula: takes the BodyLoad and an `Expressing`; returns its potential energy, or its forces and torques.
        kernel: the same in compiled code, if what newton-euler makes of the formula is not fast enough.
    """
    KINDS[entry] = LoadKind(build, formula, kernel)


def has_kernel(load: BodyLoad) -> bool:
    """Is it compiled by itself, and not from its formula?"""
    return KINDS[type(load.entry)].kernel is not None or type(load.entry) is Gravity


def with_kernels(loads: Sequence[BodyLoad]) -> list[BodyLoad]:
    """Loads that have a kernel, kind by kind as they are registered."""
    return [load for kind, own in KINDS.items() if own.kernel is not None for load in loads if type(load.entry) is kind]


def without_kernels(loads: Sequence[BodyLoad]) -> list[BodyLoad]:
    """Loads whose formula is compiled (`loads.expressed`)."""
    return [load for load in loads if not has_kernel(load)]


def formula_of(load: BodyLoad, scene: Expressing) -> LoadFormula:
    """A load as expressions; refuses those whose work could not be told."""
    formula = KINDS[type(load.entry)].formula(load, scene)
    pushes = formula.forces or formula.torques or formula.generalised
    if pushes and not (formula.potential.is_zero and formula.measure.is_zero):
        raise GranumError("has both a potential energy and forces. Give one of them, or split it into two loads.")
    if "t" in free_symbols([formula.potential]):
        raise GranumError("has a potential energy that depends on time. Give its forces instead.")
    return formula
