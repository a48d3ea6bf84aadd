"""Ellipsoids and thin disks that roll on a plane, in vectors.

The body touches the plane at the point farthest along -n. In body axes, with the normal ν = Sᵀn and the squares of the
semi-axes on the diagonal of D, it is ξ from the geometric centre:

    ξ = -D ν/s,      s = √(νᵀD ν),      ν̇ = ν̃ ω,      ξ̇ = -X ν̇,      X = (D - ξ ξᵀ)/s.

The last two follow from ṡ = -ξᵀν̇. A thin disk is an ellipsoid with one semi-axis of zero. The same point, in inertial
axes and for any surface: `rows.elements.oval` and `rows.rolling_on_surface`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from granum.algebra import Expression, symbol
from granum.algebra.expression import ZERO
from granum.algebra.polynomial import CONSTANT
from granum.analytic.derivations.blocks import IDENTITY, NOTHING, Block, mirrored, over, power, tilde
from granum.analytic.derivations.derivation import Grid, Line
from granum.analytic.derivations.quantities import Quantity
from granum.analytic.derivations.spatial_parts import Contact, Held, Spatial, next_label, tail_of


@dataclass(frozen=True)
class Oval(Contact):
    """An ellipsoid or a thin disk on a plane."""

    nu: Block
    """Normal in body axes."""
    xi: Block
    """From the geometric centre to the contact, body axes."""
    P: Block
    """Takes ω to how the contact lags behind the mass centre: α̇ = ẇ - S P ω."""

    @property
    def arm(self) -> Block:
        """From the mass centre to the contact, body axes."""
        return self.xi - self.rho


def oval(m: Spatial, c: Contact, semi_axes: Sequence[float]) -> Oval:
    """Symbols of the contact, and what they are."""
    body, tail, lines = c.solid, tail_of(m, c.solid.name), m.outlines
    nu = m.define([f"nu{tail}"], f"3-vector, unit normal at the contact of {body.name}, body axes")
    D = m.define([f"D{tail}"], f"3 x 3 matrix, squares of the semi-axes of {body.name}", "m^2")
    s = m.define([f"s{tail}"], f"distance of the geometric centre of {body.name} from the plane", "m")
    xi = m.define([f"xi{tail}"], f"3-vector, from the geometric centre of {body.name} to its contact, body axes", "m")
    X = m.define([f"X{tail}"], "3 x 3 matrix, takes the rate of nu to minus that of xi", "m")
    P = m.define([f"P{tail}"], "3 x 3 matrix of the relative velocity of the contact", "m")
    squares = [size if size.is_zero else size**2 for size in _named(m, c, semi_axes)]
    made = Oval(**{one.name: getattr(c, one.name) for one in fields(Contact)}, nu=nu, xi=xi, P=P)
    lines += [
        Line(nu, body.S.T * c.normal), Line(nu.rate, tilde(nu) * body.omega),
        Line(D, Grid(tuple(tuple(squares[i] if i == j else ZERO for j in range(3)) for i in range(3)))),
        Line(s, power(nu.T * D * nu, "1/2")), Line(xi, -over(D * nu, s)), Line(X, over(D - xi * xi.T, s)),
        Line(xi.rate, -(X * nu.rate)), Line(s.rate, -(xi.T * nu.rate)),
        Line(X.rate, -over(xi.rate * xi.T + xi * xi.rate.T + s.rate * X, s)),
        Line(P, tilde(made.arm) + X * tilde(nu)),
        Line(P.rate, tilde(xi.rate) + X.rate * tilde(nu) + X * tilde(nu.rate))]
    return made


def _named(m: Spatial, c: Contact, semi_axes: Sequence[float]) -> list[Expression]:
    """Symbols of the semi-axes: r of a disk, and zero across it; a_1, a_2 and a_3 of an ellipsoid."""
    if not c.radius.is_zero:
        return [symbol(c.radius.text) if size else ZERO for size in semi_axes]
    n, name, tail = m.n, c.solid.name, tail_of(m, c.solid.name)
    return [n.add(Quantity(n.names.fresh(f"a{tail}_{k}"), f"semi-axis {k} of {name}", "m", size), CONSTANT)
            for k, size in enumerate(semi_axes, 1)]


def add_rows(m: Spatial, c: Oval, Gamma: Block) -> None:
    """The contact lies on the plane, is the point of the body farthest along -n, and does not slip."""
    body, rows, arm = c.solid, m.rows, tilde(c.arm)
    rows.append(Held(next_label(m), f"the contact of {body.name} lies on the plane", Gamma, {c.alpha: c.k.T}, NOTHING,
                     "surface", 1))
    turned = mirrored(2 * body.S * c.P * body.E, 2 * body.E.T * c.P.T * body.S.T)
    rows.append(Held(next_label(m), f"the contact is the lowest point of {body.name}",
                     body.w + body.S * c.arm - c.alpha, {body.w: IDENTITY, body.u: -turned, c.alpha: -IDENTITY},
                     body.S * (tilde(body.omega) * c.P + c.P.rate) * body.omega, "tangency", 3))
    carried = mirrored(2 * body.S * arm * body.E, -(2 * body.E.T * arm * body.S.T))
    rows.append(Held(next_label(m), f"{body.name} rolls without slip",
                     body.w.rate - body.S * arm * body.omega - c.velocity, {body.w: IDENTITY, body.u: -carried},
                     acceleration_bias(c), "slip", 3))


def acceleration_bias(c: Oval) -> Block:
    """What ẅ = S p̃ α + ... has beside the angular acceleration: v̇ + S (ω̃ p̃ + tilde(ξ̇)) ω."""
    body = c.solid
    velocity = NOTHING if c.velocity.is_zero else c.velocity.rate
    return velocity + body.S * (tilde(body.omega) * tilde(c.arm) + tilde(c.xi.rate)) * body.omega
