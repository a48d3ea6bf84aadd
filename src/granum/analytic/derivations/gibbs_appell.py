"""gibbs-appell as it is derived: quasi-velocities, the Gibbs function G of accelerations, ∂G/∂π̈ = Π."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import starmap

from granum.algebra import Expression, along, symbol
from granum.algebra.expression import ZERO, Scalar, rebuild
from granum.algebra.polynomial import RATE, UNKNOWN
from granum.algebra.show import text
from granum.algebra.vectors import dot, total
from granum.analytic.derivations.blocks import NOTHING, Block, named_block, scalar, tilde
from granum.analytic.derivations.common import (
    DIFFERENTIATED,
    acceleration_lines,
    constraints_step,
    coordinates_step,
    derivation,
    forces_of_constraints,
    named,
    partial,
)
from granum.analytic.derivations.derivation import Derivation, Line, Step
from granum.analytic.derivations.independent import Kinematics, independent
from granum.analytic.derivations.notation import Notation, notation_of
from granum.analytic.derivations.positions import half_sum, position_steps
from granum.analytic.derivations.quantities import Quantity
from granum.analytic.derivations.rolling_balls import GIBBS_UNIT, are_balls, of_balls
from granum.analytic.derivations.spatial import spatial
from granum.analytic.derivations.spatial_motion import Accelerations, accelerations, laws, listed, motions, rate_lines
from granum.analytic.derivations.spatial_parts import Spatial
from granum.analytic.derivations.spatial_steps import (
    body_lines,
    coordinate_steps,
    hinge_step,
    holding_step,
    link_step,
    load_step,
    multiplier_lines,
    outline_step,
    point_step,
    surface_step,
)
from granum.analytic.derivations.state import numbers
from granum.analytic.gibbs_appell import GibbsAppell, appell_formulas

_PRINCIPLE = ("The Gibbs-Appell equations `dG/d(pi_ddot) = Pi` (Gibbs 1879, Appell 1899; Nguyen Van Khang): "
              "quasi-velocities `pi_dot` that respect the constraints determine all rates, and `G = sum (1/2 m a_C^2 "
              "+ 1/2 alpha I alpha + alpha (omega x I omega))` is a function of the accelerations.")
_INDEPENDENT = f"{_PRINCIPLE} No multiplier is needed."
_WITH_MULTIPLIERS = ("The Gibbs-Appell equations `dG/d(q_ddot) = Q + A^T lambda` (Gibbs 1879, Appell 1899; Nguyen "
                     "Van Khang): `G = sum (1/2 m a_C^2 + 1/2 alpha I alpha + alpha (omega x I omega))` is a function "
                     "of the accelerations, and each row `A` of a constraint has a multiplier `lambda`.")

_LONG, _READABLE = 25, 20_000
"""Signs of a generalised force from which on its symbol stands in the equations; signs of all equations by
quasi-velocities beyond which those with multipliers are shown."""


def of_formulas(equations: GibbsAppell) -> Derivation:
    """G in accelerations, then in quasi-accelerations, and its derivatives."""
    n = notation_of(equations)
    if not equations.given_quasi_velocities and (m := spatial(n)) is not None:
        return _in_vectors(m)
    given = [(n.new([name], f"quasi-velocity {name}", kind=RATE), n.show(formula))
             for name, formula in equations.given_quasi_velocities]
    k = independent(n, [not row.invariant for row in n.system.rows], numbers(n, equations), given=given)
    mass, bias = appell_formulas(n.system)
    M, h = [[n.show(entry) for entry in row] for row in mass], [n.show(entry) for entry in bias]
    inertia = [n.simple(dot(row, n.a) + bias) for row, bias in zip(M, h, strict=True)]
    G = n.simple(total(a * (0.5 * dot(row, n.a) + bias) for a, row, bias in zip(n.a, M, h, strict=True)))
    if k is None:
        return _with_multipliers(n, G, inertia)
    seconds = _accelerations(n, k)
    B, push = k.columns(n), [n.show(Q) for Q in n.system.applied]
    accelerations = {a: value for a, (_, value) in zip(n.a, seconds, strict=True)}
    reduced = [_shortest(k, n, rebuild([total(B[i][j] * inertia[i] for i in range(len(n.q)))], dict(accelerations))[0])
               for j in range(len(k.free))]
    if sum(len(text(one)) for one in reduced) > _READABLE:
        return _with_multipliers(n, G, inertia)
    forces = [n.simple(total(B[i][j] * push[i] for i in range(len(n.q)))) for j in range(len(k.free))]
    Pi = [n.new([f"Pi_{u.name.removesuffix('_dot')}"], f"generalised force of {u.name}",
                {"rad/s": "N m", "m/s": "N"}.get(n.quantities[u.name].unit, "")) for u in k.free]
    rates = (*starmap(Line, k.factors), *(Line(v, rate) for v, rate in zip(n.v, k.rates, strict=True) if v is not rate))
    turned = [Line(symbol(f"{B.name}_dot"), n.simple(n.rate(value))) for B, value in k.factors]
    slowed = (*turned, *(Line(a, value) for a, value in seconds if a is not value))
    return derivation(n, "gibbs-appell", _INDEPENDENT, [
        coordinates_step(n), *position_steps(n, "Accelerations", essential=True),
        constraints_step(n, n.system.rows, multipliers=False),
        _velocity_step(k, bool(rates)),
        Step("Rates by quasi-velocities" if k.free else "Rates", "They satisfy the constraints on velocities.", rates,
             essential=True) if rates else None,
        Step("Accelerations by quasi-accelerations" if k.free else "Accelerations", "The derivatives of these rates.",
             slowed, essential=True, equations=True) if slowed else None,
        Step("Gibbs function", "`G`, without terms that have no accelerations.", (
            Line(named(n.letter("G")), G if (of_bodies := half_sum(n, "_ddot")) is None else of_bodies),),
             essential=True) if Pi else None,
        _force_step(Pi, forces),
        Step("Equations of motion", "`dG/d(pi_ddot) = Pi`, one for each quasi-velocity." if Pi else
             "No equation is left: the constraints determine the motion.", tuple(
            Line(left, force if len(text(force)) < _LONG else one) for left, force, one in zip(
                reduced, forces, Pi, strict=True)), essential=True, equations=True)])


def _force_step(Pi: Sequence[Expression], forces: Sequence[Expression]) -> Step | None:
    """Π of each quasi-velocity, where there is one that is not zero."""
    lines = tuple(Line(one, force) for one, force in zip(Pi, forces, strict=True) if not force.is_zero)
    if not Pi:
        return None
    power = "`Pi` is the power of the applied forces per quasi-velocity"
    if not lines:
        return Step("Generalised forces", f"No applied force does work: {power}, and zero.", essential=True)
    return Step("Generalised forces", power + ("." if len(lines) == len(Pi) else "; others are zero."), lines,
                essential=True)


def _velocity_step(k: Kinematics, restrained: bool) -> Step:
    """Which velocities are independent, and what those are that are no rates of coordinates."""
    names = ", ".join(f"`{text(u)}`" for u in k.free)
    if not names:
        return Step("Quasi-velocities", "No velocity is independent: the constraints determine the motion.",
                    essential=True)
    return Step("Quasi-velocities", f"Independent velocities: {names}" + (
        "." if restrained else ", the rates of all coordinates."), k.defined, essential=True)


def _in_vectors(m: Spatial) -> Derivation:
    """Angular velocities as quasi-velocities, and G by the accelerations of the bodies (2.16)."""
    found = motions(m)
    if found is not None and are_balls(m):
        return of_balls(m, _INDEPENDENT)
    G = m.letter("G", "Gibbs function", GIBBS_UNIT)
    if found is None:
        return _multiplied(m, m.letter("q", f"{len(m.n.q)}-vector of all coordinates"), G)
    a = accelerations(m, found)
    both, velocities = laws(m, found, a)
    return derivation(m.n, "gibbs-appell", _INDEPENDENT, [
        *coordinate_steps(m), surface_step(m, turning=False), point_step(m, turning=False),
        outline_step(m, turning=False), holding_step(m),
        Step("Quasi-velocities", f"Independent velocities: {listed(velocities)}. They determine all rates, and "
             "satisfy the constraints.", tuple(rate_lines(m, found)), True),
        Step("Accelerations", f"The derivatives of these rates. {a.told}", a.lines, True),
        Step("Gibbs function", "`G`, without terms that have no accelerations.", tuple(gibbs(m, G, a)), True),
        load_step(m),
        Step("Equations of motion", "`dG/d(pi_ddot) = Pi`, one for each quasi-velocity; `Pi` is the power of the "
             "applied forces per quasi-velocity.", tuple(Line(left, right) for left, right in both), True, True)])


def _multiplied(m: Spatial, q: Block, G: Block) -> Derivation:
    """dG/dq̈ = Q + Aᵀ λ, where constraints are left that angular velocities do not satisfy."""
    rows, own = [row for row in m.rows if not row.invariant], Accelerations(
        {solid.name: named_block(f"{solid.omega.text}_dot") for solid in m.solids.values() if solid.rotates},
        {solid.name: solid.w.second for solid in m.solids.values()}, ())
    return derivation(m.n, "gibbs-appell", _WITH_MULTIPLIERS, [
        *coordinate_steps(m, q), surface_step(m), point_step(m), hinge_step(m), link_step(m), outline_step(m),
        Step("Gibbs function", "`G`, without terms that have no accelerations, with `omega_dot = 2 E u_ddot`.",
             tuple(gibbs(m, G, own)), True),
        load_step(m),
        Step("Constraints", "They restrain the angular velocities, so that multipliers `lambda` stay.", tuple(
            Line(row.value, NOTHING) for row in rows), True),
        Step("Equations of motion", "`dG/d(q_ddot) = Q + A^T lambda`, and each constraint differentiated along the "
             "motion until accelerations appear.", tuple(multiplier_lines(m, rows, momentum=True)), True, True)])


def gibbs(m: Spatial, G: Block, a: Accelerations) -> list[Line]:
    """G = Σ ½ m a_Cᵀ a_C + ½ αᵀ I α + αᵀ ω̃ I ω (2.16)."""
    parts = dict[str, Block]()
    for solid in m.solids.values():
        own = a.linear[solid.name]
        parts[solid.name] = scalar(0.5) * solid.mass * own.T * own
        if solid.rotates:
            alpha = a.angular[solid.name]
            parts[solid.name] += scalar(0.5) * alpha.T * solid.J * alpha + (
                alpha.T * tilde(solid.omega) * solid.J * solid.omega)
    return body_lines(m, G, parts, "Gibbs function of {}", GIBBS_UNIT)


def _with_multipliers(n: Notation, G: Expression, inertia: Sequence[Expression]) -> Derivation:
    """dG/d(q_ddot) = Q + Aᵀ λ, where rates by quasi-velocities have no short form."""
    equations = [Line(left, n.simple(n.show(Q) + forces_of_constraints(n, i)))
                 for i, (left, Q) in enumerate(zip(inertia, n.system.applied, strict=True))]
    return derivation(n, "gibbs-appell", _WITH_MULTIPLIERS, [
        coordinates_step(n), constraints_step(n, n.system.rows, multipliers=True),
        Step("Gibbs function", "`G`, without terms that have no accelerations, and its derivatives. Rates by "
             "quasi-velocities have no short form here, so that the constraints keep their multipliers.", (
                Line(named(n.letter("G")), G),
                *(Line(partial(n.letter("G"), a), left) for a, left in zip(n.a, inertia, strict=True))),
             essential=True),
        Step("Equations of motion", f"`dG/d(q_ddot) = Q + A^T lambda`, and {DIFFERENTIATED}.",
             (*equations, *acceleration_lines(n)), essential=True, equations=True)])


def _shortest(k: Kinematics, n: Notation, expression: Expression) -> Expression:
    """An expression simplified, with rates by independent velocities where that is shorter."""
    rates: dict[Expression, Scalar] = dict(zip(n.v, k.rates, strict=True))
    both = [k.simple(expression), k.simple(rebuild([expression], rates)[0])]
    return min(both, key=lambda one: len(text(one)))


def _rate_symbol(n: Notation, u: Expression) -> Expression:
    """Acceleration that belongs to a velocity."""
    if u in n.v:
        return n.a[n.v.index(u)]
    name = f"{u.name}_dot"
    if name not in n.quantities:
        unit = {"rad/s": "rad/s^2", "m/s": "m/s^2"}.get(n.quantities[u.name].unit, "")
        n.add(Quantity(name, f"quasi-acceleration, rate of {u.name}", unit), UNKNOWN)
    return symbol(name)


def _accelerations(n: Notation, k: Kinematics) -> list[tuple[Expression, Expression]]:
    """q̈ = B π̈ + Ḃ π̇ + β̇, with rates left as they are."""
    direction = n.motion(k.rates)
    direction.update({u: _rate_symbol(n, u) for u in (*k.free, *k.prescribed)})
    direction.update({B: symbol(f"{B.name}_dot") for B, _ in k.factors})
    direction.update({v: ZERO for v in n.v if v not in direction})
    by_columns = [total([*(entry * direction[u] for entry, u in zip(row, k.free, strict=True)),
                         *(n.simple(slope) * u for slope, u in zip(along(row, direction), k.free, strict=True))])
                  for row in k.columns(n)]  # (ẏ₁ - ẏ₂) ω, which is shorter where Ḃ has no rate that is independent
    return [(a, min(n.simple(rate), other, key=lambda one: len(text(one))) if k.free and not k.prescribed else
             n.simple(rate)) for a, rate, other in zip(n.a, along(k.rates, direction), by_columns, strict=True)]


