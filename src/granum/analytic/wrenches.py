"""Forces and torques on bodies that the multipliers of constraint rows stand for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from granum.algebra import Expression, gradient, symbol
from granum.algebra.expression import free_symbols
from granum.algebra.vectors import Vector, quaternion_rotation, quaternion_torque, total, turned
from granum.analytic.expressed import multiplier, rate_name


def generalised_force(
    rows: Sequence[Expression], chosen: Iterable[int], constraint: str, coordinates: Sequence[str],
) -> list[Expression]:
    """Σ λ_r A_r over some rows, on some coordinates: A is ∂/∂q of a position row, ∂/∂q̇ of a velocity row."""
    listed = list(chosen)
    slopes = []
    for r in listed:
        moving = any(name.endswith("_dot") for name in free_symbols([rows[r]]))
        names = [rate_name(c) for c in coordinates] if moving else coordinates
        slopes.append(gradient(rows[r], [symbol(name) for name in names]))
    return [total(multiplier(constraint, r) * slope[k] for r, slope in zip(listed, slopes, strict=True))
            for k in range(len(coordinates))]


def body_force(
    rows: Sequence[Expression], chosen: Iterable[int], constraint: str, quaternion: Sequence[Expression],
    position: Sequence[Expression] = (),
) -> tuple[list[Expression], Vector]:
    """Force on the mass centre and torque about it, in inertial axes, of some rows of a constraint (001 eqs 51-52)."""
    listed = list(chosen)
    force = generalised_force(rows, listed, constraint, [s.name for s in position])
    on_quaternion = generalised_force(rows, listed, constraint, [s.name for s in quaternion])
    return force, turned(quaternion_rotation(quaternion), quaternion_torque(quaternion, on_quaternion))
