"""gibbs-appell of uniform balls that roll on planes, in components: what remains is one short line for each.

The moment of inertia of such a ball is the same about all axes, so that its angular velocity may be taken in inertial
axes, where the plane is at rest. Source: Nguyen Van Khang, section 3, with quaternions for the angles of Euler.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from granum.algebra import Expression, along, gradient, symbol
from granum.algebra.expression import ONE, ZERO, Scalar, evaluate, number, rebuild
from granum.algebra.polynomial import RATE, UNKNOWN
from granum.algebra.vectors import cross, dot, minus, quaternion_spin, times, total, vector
from granum.analytic.derivations.blocks import NOTHING, Block, scalar, tilde
from granum.analytic.derivations.common import derivation
from granum.analytic.derivations.derivation import Derivation, Grid, Line, Step
from granum.analytic.derivations.quantities import Quantity
from granum.analytic.derivations.spatial_parts import Contact, Spatial, column
from granum.analytic.derivations.spatial_springs import without_springs
from granum.analytic.derivations.spatial_steps import vector_step

GIBBS_UNIT = "N m/s^2"
"""Of the Gibbs function: mass times the square of an acceleration."""


@dataclass(frozen=True)
class _Ball:
    """A ball with its quasi-velocities."""

    contact: Contact
    E: Block
    velocities: list[Expression]
    accelerations: list[Expression]
    rates: list[Expression]
    """Of its centre, by the quasi-velocities."""
    seconds: list[Expression]
    normal: list[float]

    @property
    def symbols(self) -> tuple[Block, Block]:
        """Mass centre and angular velocity."""
        return self.contact.solid.w, self.contact.solid.omega


def are_balls(m: Spatial) -> bool:
    """Are all bodies uniform balls that roll on planes, with forces on their centres and nothing else?"""
    rolling = {c.solid.name for c in m.contacts if c.rho.is_zero and c.K.is_zero and c.solid.isotropic
               and not c.beta.is_zero}
    plain = all(solid.torque.is_zero for solid in m.solids.values()) and not without_springs(m.n)
    return rolling == set(m.solids) and plain and not any(row.kind in ("no-spin", "ball-joint") for row in m.rows)


def of_balls(m: Spatial, principle: str) -> Derivation:
    """Quasi-velocities (3.3), rates by them (3.4), G (3.5)-(3.8), forces (3.10) and equations (3.11)."""
    n = m.n
    balls = [_ball(m, c) for c in m.contacts]
    rates, accelerations, equations, forces = list[Line](), list[Line](), list[Line](), list[Line]()
    G, parts = NOTHING, list[Expression]()
    mass = {body.name: n.show(body.mass) for body in n.system.bodies}
    moment = {body.name: n.show(body.moments[0][0]) for body in n.system.bodies}  # type: ignore[arg-type]
    for ball in balls:
        body, own = ball.contact.solid, _coordinates(m, ball.contact.solid.w)
        rates += [Line(body.omega, column(ball.velocities)),
                  *(Line(symbol(f"{c.name}_dot"), rate) for c, rate in zip(own, ball.rates, strict=True)),
                  Line(body.u.rate, scalar(0.5) * ball.E.T * body.omega)]
        tail = "" if len(balls) == 1 else body.w.text.removeprefix("w")
        a = m.define([f"a_C{tail}"], f"3-vector, acceleration of the mass centre of {body.name}", "m/s^2")
        alpha = m.define([f"alpha{tail}", f"alpha_C{tail}"],
                         f"3-vector, angular acceleration of {body.name}, inertial axes", "rad/s^2")
        accelerations += [Line(a, column(ball.seconds)), Line(alpha, column(ball.accelerations)),
                          Line(body.w.second, a), Line(body.u.second, scalar(0.5) * ball.E.T * alpha - scalar(0.25) * (
                              body.omega.T * body.omega) * body.u)]
        G = G + scalar(0.5) * body.mass * a.T * a + scalar(0.5) * alpha.T * body.J * alpha + (
            alpha.T * tilde(body.omega) * body.J * body.omega)
        parts += [0.5 * mass[body.name] * dot(ball.seconds, ball.seconds),
                  0.5 * moment[body.name] * dot(ball.accelerations, ball.accelerations)]
    quasi = [one for ball in balls for one in ball.accelerations]
    whole = total(parts)
    simple = n.simplifier()  # it knows the order of the new symbols
    whole = simple(whole - rebuild([whole], dict.fromkeys(quasi, ZERO))[0])
    push = [n.shown(Q) for Q in n.system.applied]
    for ball in balls:
        index = [n.q.index(c) for c in _coordinates(m, ball.contact.solid.w)]
        for u, second in zip(ball.velocities, ball.accelerations, strict=True):
            Q = n.simple(total(gradient(rate, [u])[0] * push[i] for rate, i in zip(ball.rates, index, strict=True)))
            Pi = n.new([f"Pi_{u.name.removesuffix('_dot').removeprefix('pi_')}"], f"generalised force of {u.name}",
                       "N m")
            forces.append(Line(Pi, Q))
            equations.append(Line(simple(gradient(whole, [second])[0]), Q))
    function = m.letter("G", "Gibbs function", GIBBS_UNIT)
    return derivation(n, "gibbs-appell", principle, [
        vector_step(m), _rotation_step(m, balls), _constraint_step(m, balls),
        Step("Quasi-velocities", "The components of the angular velocity. They satisfy the constraints; the contact "
             "and the geometric centre move with the mass centre.", tuple(rates), True),
        Step("Accelerations", "The derivatives of these rates.", tuple(accelerations), True),
        Step("Gibbs function", "`G`, without terms that have no accelerations; first in vectors, then in "
             "quasi-accelerations.", (Line(function, G), Line(function, whole)), True),
        Step("Generalised forces", "`Pi` is the power of the applied forces per quasi-velocity.",
             (*m.loads, *forces), True),
        Step("Equations of motion", "`dG/d(pi_ddot) = Pi`, one for each quasi-velocity.", tuple(equations), True,
             True)])


def _coordinates(m: Spatial, vector_: Block) -> Sequence[Expression]:
    """Components of a vector of coordinates."""
    return next(parts for own, parts in m.columns if own == vector_)


def _ball(m: Spatial, c: Contact) -> _Ball:
    """ẇ = v - r n × ω, and its rate; the contact moves with the centre."""
    n, first = m.n, 1 + sum(name.startswith("pi_") and name.endswith("_ddot") for name in m.n.quantities)
    velocities, accelerations = list[Expression](), list[Expression]()
    for k, axis in enumerate("xyz"):
        name = n.names.fresh(f"pi_{first + k}")
        velocities.append(n.add(Quantity(f"{name}_dot", f"quasi-velocity, angular velocity of {c.solid.name} about "
                                         f"the {axis} axis", "rad/s"), RATE))
        accelerations.append(n.add(Quantity(f"{name}_ddot", f"quasi-acceleration, rate of {name}_dot", "rad/s^2"),
                                   UNKNOWN))
    constants = {name: quantity.value for name, quantity in n.quantities.items() if quantity.value is not None}
    slope = evaluate(list(c.slope), constants)
    normal = [x / math.hypot(*slope) for x in slope]
    r = symbol(c.radius.text)
    turning = times(r, cross(vector([number(x) for x in normal]), vector(velocities)))
    rates = [n.simple(one) for one in minus(vector(c.drift), turning)]
    own, at = _coordinates(m, c.solid.w), _coordinates(m, c.alpha)
    direction: dict[Expression, Scalar] = {symbol("t"): 1.0, **dict(zip(velocities, accelerations, strict=True))}
    direction |= {p: symbol(f"{w.name}_dot") for p, w in zip(at, own, strict=True)}
    seconds = [n.simple(one) for one in along(rates, direction)]
    E = c.solid.E
    n.quantities[E.text] = replace(n.quantities[E.text], meaning=f"3 x 4 matrix of the quaternion of {c.solid.name}, "
                                   "inertial axes")
    omega = c.solid.omega.text
    n.quantities[omega] = replace(n.quantities[omega], meaning=f"3-vector, angular velocity of {c.solid.name}, "
                                  "inertial axes")
    return _Ball(c, E, velocities, accelerations, rates, seconds, normal)


def _rotation_step(m: Spatial, balls: Sequence[_Ball]) -> Step:
    """ω = 2 E u̇ in inertial axes: E here is S E of body axes."""
    lines = list[Line]()
    for ball in balls:
        u = _coordinates(m, ball.contact.solid.u)
        unit = [[ONE if j == k else ZERO for j in range(4)] for k in range(4)]
        # the conjugate quaternion rotates back: ω in inertial axes is minus that of the inverse rotation
        back = [u[0], *(-x for x in u[1:])]
        columns = [[-x for x in quaternion_spin(back, [one[0], *(-x for x in one[1:])])] for one in unit]
        grid = Grid(tuple(tuple(m.n.simple(0.5 * columns[k][i]) for k in range(4)) for i in range(3)))
        inertia = next(line for line in m.rotations if line.left == ball.contact.solid.J)
        lines += [Line(ball.E, grid), Line(ball.contact.solid.omega, 2 * ball.E * ball.contact.solid.u.rate), inertia]
    return Step("Rotation", "`u` is a unit quaternion, `E u = 0`, and the rows of `E` are orthonormal. The moment of "
                "inertia is the same about all axes, so that the angular velocity may be taken in inertial axes.",
                tuple(lines), True)


def _constraint_step(m: Spatial, balls: Sequence[_Ball]) -> Step:
    """The centre is a radius above the contact, which does not slip (3.1)."""
    lines = list[Line]()
    for ball in balls:
        c = ball.contact
        velocity = [line for line in m.surfaces if line.left == c.velocity]
        slips = c.solid.w.rate + c.radius * tilde(c.normal) * c.solid.omega - c.velocity
        lines += [Line(c.normal, column([number(x) for x in ball.normal])), *velocity,
                  Line(c.solid.w - c.alpha - c.radius * c.normal, NOTHING), Line(slips, NOTHING)]
    return Step("Constraints", "The mass centre is a radius above the contact along the normal `n`, and the ball does "
                "not slip; `tilde(a) b` is the cross product `a x b`.", tuple(lines), True)
