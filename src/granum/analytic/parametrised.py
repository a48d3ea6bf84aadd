"""Rigid bodies given by any matrix function R(q): their poses, and the rigidity condition as constraint (Souchet).

A body moves as x = T(q) + R(q) X. Where R'_i R⁻¹ w_i has a symmetrical part S_i w_i the body is strained; its
antisymmetrical part A_i w_i is a rotation with the dual vector a_i w_i, so that ω = a_i q̇_i. The condition RᵀR = 1,
whose rate is 2 Rᵀ (S_i q̇_i) R, keeps R a rotation, and R⁻¹ = Rᵀ.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from granum.algebra import Expression, along, gradient, symbol
from granum.algebra.expression import Scalar, evaluate, free_symbols
from granum.algebra.vectors import Matrix, Vector, total, vector
from granum.analytic.expressed import System
from granum.assembly.assembly import Assembly
from granum.assembly.parametrised import Parametrised, parametrised_bodies, read_parametrisation, refuse_moved
from granum.base.errors import GranumError, at
from granum.base.kernels import Floats
from granum.rows.symbolic import Constraint, Pose, rate_name

RIGIDITY = "rigidity"
"""Last part of the name of the constraint."""
_SAMPLES = 5
"""Random values of coordinates at which conditions are compared."""
_SAME = 1e-9
"""Difference, relative to the size of what is compared, that is put down to rounding."""
_SLOPE = 1e-6
"""Slope of a condition, relative to the largest (or to 1e-3), below which it has none."""
_MET = 1e-13
"""Residual of a condition that is met."""


def pose_of(formulas: Parametrised, coordinates: Sequence[str]) -> Pose:
    """Pose of a body whose formulas depend on these coordinates and time; ω = a_i q̇_i."""
    direction: dict[Expression, Scalar] = {symbol(name): symbol(rate_name(name)) for name in coordinates}
    direction[symbol("t")] = 1.0
    R = formulas.rotation
    rates = [along(row, direction) for row in R]
    return Pose(formulas.position, vector(along(formulas.position, direction)), R, dual_vector(rates, R))


def dual_vector(rates: Sequence[Sequence[Expression]], R: Matrix) -> Vector:
    """Of the antisymmetrical part of R' R⁻¹ where R is a rotation, R⁻¹ = Rᵀ."""
    def entry(i: int, j: int) -> Expression:
        return total(rates[i][k] * R[j][k] for k in range(3) if not (rates[i][k].is_zero or R[j][k].is_zero))

    def axial(i: int, j: int) -> Expression:
        return 0.5 * (entry(i, j) - entry(j, i))

    return axial(2, 1), axial(0, 2), axial(1, 0)


def rigidity_of(name: str, formulas: Parametrised, coordinates: Sequence[str],
                parameters: Mapping[str, float]) -> Constraint | None:
    """The rigidity condition of a body; none where R is a rotation for all coordinates.

    Raises GranumError where the stated condition does not make R a rotation.
    """
    samples = _samples(coordinates, parameters)
    strains = _different(_gram(formulas.rotation), samples)
    if not strains:
        return None
    if not formulas.rigidity:
        rows = _independent(strains, formulas.rotation, coordinates, samples)
        return Constraint(f"{name}.{RIGIDITY}", tuple(rows), silent=True)
    for values in samples:
        _refuse_loose(formulas.rigidity, strains, coordinates, values)
    return Constraint(f"{name}.{RIGIDITY}", formulas.rigidity, silent=True)


def refuse_start(assembly: Assembly, system: System, q: Floats) -> None:
    """Refuse a start where R of a body is a reflection, or where RᵀR = 1 cannot restrain the coordinates.

    Joints and springs count from the pose in the assembly, which must be that of the start.
    """
    scene = assembly.scene
    counting = {end.body.name for joint in assembly.joints for end in (joint.one, joint.two)}
    counting |= {end.body.name for load in assembly.loads if len(load.ends) == 2 for end in load.ends}
    state = {**system.parameters, **dict(zip(system.coordinates, q.tolist(), strict=True)), "t": 0.0}
    constraints = {constraint.name: constraint for constraint in system.constraints}
    for name in sorted(parametrised_bodies(scene)):
        formulas = read_parametrisation(scene, name)
        with at(f"body.{name}.parametrisation.rotation"):
            R = _numbers([entry for row in formulas.rotation for entry in row], state).reshape(3, 3)
            if np.linalg.det(R) < 0.0:
                raise GranumError("is a reflection at the start: its determinant is negative. Change the sign of a "
                                  "row, or the start.")
            if name in counting:
                refuse_moved(assembly.bodies[name], _numbers(formulas.position, state), R)
            rigidity = constraints.get(f"{name}.{RIGIDITY}")
            if rigidity is not None and not formulas.rigidity:
                _refuse_flat(rigidity, system.coordinates, state)


def _refuse_flat(constraint: Constraint, coordinates: Sequence[str], state: Mapping[str, float]) -> None:
    """Refuse a state where conditions that are independent elsewhere are not, or have no slope."""
    by = _coordinates_in(constraint.rows, coordinates)
    elsewhere = []
    for shift in np.random.default_rng(0).uniform(-0.5, 0.5, (_SAMPLES, len(by))):
        near = {**state, **{key: state[key] + d for key, d in zip(by, shift, strict=True)}}
        elsewhere.append(_slopes(constraint.rows, by, near))
    if _rank(_slopes(constraint.rows, by, state)) < max(
            (_rank(slope) for slope in elsewhere if np.isfinite(slope).all()), default=0):
        where = ", ".join(f"{key} = {state[key]:.6g}" for key in by)
        raise GranumError(f"RᵀR = 1 has no slope at the start, {where}, so it cannot keep R a rotation. Give "
                          'rigidity = ["..."], a condition that can, such as "p**2 + q**2 = 1" for Euler parameters.')


def _gram(R: Matrix) -> list[Expression]:
    """Entries of RᵀR - 1 on and above the diagonal."""
    return [total(row[i] * row[j] for row in R) - (1.0 if i == j else 0.0) for i in range(3) for j in range(i, 3)]


def _samples(coordinates: Sequence[str], parameters: Mapping[str, float]) -> list[dict[str, float]]:
    random = np.random.default_rng(0).uniform(0.2, 0.9, (_SAMPLES, len(coordinates)))
    return [{**parameters, **dict(zip(coordinates, place.tolist(), strict=True)), "t": 0.3} for place in random]


def _numbers(formulas: Sequence[Expression], values: Mapping[str, float]) -> Floats:
    """Their values; not a number where they have none."""
    try:
        return np.array(evaluate(formulas, dict(values)), dtype=float)
    except (ArithmeticError, ValueError):
        return np.full(len(formulas), math.nan)


def _different(conditions: Sequence[Expression], samples: Sequence[Mapping[str, float]]) -> list[Expression]:
    """Those that are not zero for all coordinates."""
    table = np.array([_numbers(conditions, values) for values in samples])
    table = table[np.isfinite(table).all(axis=1)]
    if not len(table):
        return [condition for condition in conditions if not condition.is_zero]
    return [condition for condition, row in zip(conditions, table.T, strict=True) if np.abs(row).max() > _SAME]


def _independent(strains: Sequence[Expression], R: Matrix, coordinates: Sequence[str],
                 samples: Sequence[Mapping[str, float]]) -> list[Expression]:
    """As many of the conditions as are independent where all are met.

    RᵀR = Δ 1 of Euler parameters is one condition: then it is the trace, which has a slope where any of them has.
    """
    by = _coordinates_in(strains, coordinates)
    rigid = [state for values in samples if (state := _meeting(strains, by, values)) is not None]
    if not rigid:
        return list(strains)
    slopes = [_slopes(strains, by, state) for state in rigid]
    if max(map(_rank, slopes)) <= 1:
        return [total(entry * entry for row in R for entry in row) - 3.0]
    kept: list[int] = []
    for k in range(len(strains)):
        if max(_rank(slope[[*kept, k]]) for slope in slopes) > len(kept):
            kept.append(k)
    return [strains[k] for k in kept]


def _rank(slopes: Floats) -> int:
    sizes = np.linalg.svd(slopes, compute_uv=False)
    return int(np.count_nonzero(sizes > _SLOPE * sizes.max(initial=1e-3)))


def _coordinates_in(formulas: Sequence[Expression], coordinates: Sequence[str]) -> list[str]:
    used = free_symbols(formulas)
    return [name for name in coordinates if name in used]


def _slopes(formulas: Sequence[Expression], by: Sequence[str], values: Mapping[str, float]) -> Floats:
    """(formulas, coordinates): their derivatives."""
    listed = [entry for formula in formulas for entry in gradient(formula, list(map(symbol, by)))]
    return _numbers(listed, values).reshape(len(formulas), len(by))


def _meeting(conditions: Sequence[Expression], by: Sequence[str],
             values: Mapping[str, float]) -> dict[str, float] | None:
    """Coordinates near these that meet conditions, by Newton's method; none where it does not find any."""
    near = dict(values)
    for _ in range(50):
        off, slope = _numbers(conditions, near), _slopes(conditions, by, near)
        if not (np.isfinite(off).all() and np.isfinite(slope).all()):
            return None
        if np.abs(off).max() < _MET:
            return near
        step = np.linalg.lstsq(slope, -off, rcond=1e-12)[0]
        near |= {key: near[key] + float(d) for key, d in zip(by, step, strict=True)}
    return None


def _refuse_loose(rigidity: Sequence[Expression], strains: Sequence[Expression], coordinates: Sequence[str],
                  values: Mapping[str, float]) -> None:
    """Refuse a condition that leaves R no rotation, seen from coordinates that meet it."""
    state = _meeting(rigidity, _coordinates_in(rigidity, coordinates), values)
    worst = 0.0 if state is None else float(np.abs(_numbers(strains, state)).max())
    if state is not None and worst > _SAME:
        where = ", ".join(f"{key} = {state[key]:.4g}" for key in _coordinates_in(strains, coordinates))
        raise GranumError(f"does not make R a rotation: at {where}, which satisfy it, an entry of RᵀR differs from "
                          f"that of a rotation by {worst:.3g}. Correct rotation or rigidity, or remove rigidity: then "
                          "RᵀR = 1 is the condition.")
