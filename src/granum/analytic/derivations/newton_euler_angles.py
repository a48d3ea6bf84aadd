"""newton-euler of links in 2-D by their angles: two equations for each link (Sun 1996, 3.29 to 3.43, corrected).

    L θ̇² = H γ + Fⁿ,      H_uv = V_uv cos(θ_u - θ_v)                                     (3.31), (3.36)
    L θ̈  = K γ - F^τ,     K_uv = V_uv sin(θ_u - θ_v),    V = Eᵀ M⁻¹ E                    (3.32), (3.35), (3.37)

The first gives the forces γ of the links, the second then the accelerations of their angles, each by itself. They hold
for trees and for closed loops. A cluster without a fixed point moves as a whole, too: Newton's law of its first mass
says how.
"""

from __future__ import annotations

from typing import NamedTuple

from granum.algebra import Expression, along, function, symbol
from granum.algebra.expression import ONE, ZERO, Scalar, rebuild
from granum.algebra.polynomial import COORDINATE, RATE, UNKNOWN
from granum.algebra.vectors import total
from granum.analytic.derivations.common import derivation
from granum.analytic.derivations.derivation import Derivation, Line, Step
from granum.analytic.derivations.newton_euler import external_forces, incidence_step, link_length, masses_of
from granum.analytic.derivations.notation import Notation, notation_of
from granum.analytic.derivations.quantities import Quantity, subscripts
from granum.analytic.equations import NewtonEuler
from granum.base.errors import GranumError

_PRINCIPLE = ("Newton's law of both masses of each link, along the link and across it, with the forces `gamma` of the "
              "links, tension positive. The difference of the two accelerations is `-l theta_dot^2` along a link and "
              "`l theta_ddot` across it (Sun 1996, section 3.4.1, corrected).")


class _Link(NamedTuple):
    """A link with its symbols."""

    name: str
    ends: tuple[str, str]
    """Bodies that it begins and ends at."""
    length: Expression
    theta: Expression
    gamma: Expression

    @property
    def direction(self) -> tuple[Expression, Expression]:
        """From tail to head."""
        return function("cos", self.theta), function("sin", self.theta)

    def rate(self, ending: str) -> Expression:
        """The rate (`dot`) or second derivative (`ddot`) of its angle."""
        return symbol(f"{self.theta.name}_{ending}")

    def sign(self, body: str) -> int:
        """Entry of the incidence matrix."""
        return (self.ends[0] == body) - (self.ends[1] == body)


def of_links(equations: NewtonEuler) -> Derivation:
    """The equations of each link, by the angles of all links."""
    if equations.system.dimension != 2:
        raise GranumError("newton-euler in angles is for links in 2-D, but this scene is 3-D. Leave out angles: "
                          "newton-euler then has rectangular coordinates.")
    n, masses = notation_of(equations), masses_of(notation_of(equations), equations.system)
    links = _links(n, equations)
    positions, roots = _positions(n, links, list(masses))
    forces = _forces(n, positions, links)
    n.simple = n.simplifier()  # with the angles
    where = [Line(n.show(n.positions[body][k]), n.simple(positions[body][k])) for body in masses if body not in roots
             for k in range(2)]
    rows = [line for link in links for line in _equations(n, link, links, masses, forces)]
    own = [c for body in roots for c in _symbols(n, body)]
    moving = [Line(masses[body] * symbol(f"{c.name}_ddot"), n.simple(forces[body][k]) + total(
        link.sign(body) * (link.gamma * link.direction[k]) for link in links if link.sign(body)))
        for body in roots for k, c in enumerate(_symbols(n, body))]
    listed = ", ".join(f"`{q.name}`" for q in (*(link.theta for link in links), *own))
    whole = " A cluster without a fixed point follows Newton's law of its first mass." if roots else ""
    return derivation(n, "newton-euler", _PRINCIPLE, coordinates=[
        *(link.theta.name for link in links), *(c.name for c in own)], steps=[
        Step("Coordinates", f"Angles of the links from the x axis, tail to head{_and(roots)}: {listed}. The rate of "
             "`x` is `x_dot`, its second derivative `x_ddot`."),
        incidence_step(n, list(masses), [link.name for link in links], [link.ends for link in links]),
        Step("Positions", "Each mass is at the end of the links that lead to it.", tuple(where)),
        Step("Equations of motion", "Two for each link. The first, along it, give the link forces; the second, across "
             f"it, the accelerations of the angles.{whole}", (*rows, *moving), essential=True, equations=True)])


def _and(roots: list[str]) -> str:
    return f", and the position of {', '.join(roots)}" if roots else ""


def _links(n: Notation, equations: NewtonEuler) -> list[_Link]:
    """Angles and forces of all links."""
    system, made = equations.system, []
    names = [system.link_name(k) for k in range(len(system.links.tail))]
    for k, (name, short) in enumerate(subscripts(names).items()):
        theta = n.new([f"theta_{short}"], f"angle of {name} from the x axis", "rad", COORDINATE)
        n.add(Quantity(f"{theta.name}_dot", f"rate of {theta.name}", "rad/s"), RATE)
        n.add(Quantity(f"{theta.name}_ddot", f"second derivative of {theta.name}", "rad/s^2"), UNKNOWN)
        ends = system.body_name(int(system.links.tail[k])), system.body_name(int(system.links.head[k]))
        made.append(_Link(name, ends, link_length(n, name), theta,
                          n.new([f"gamma_{short}"], f"force of {name}, tension positive", "N", UNKNOWN)))
    return made


def _symbols(n: Notation, body: str) -> list[Expression]:
    """Rectangular coordinates of a mass."""
    return [n.show(c) for c in n.positions[body][:2]]


def _positions(n: Notation, links: list[_Link], masses: list[str]) -> tuple[dict[str, list[Expression]], list[str]]:
    """Positions of all bodies by angles, and the masses whose position is a coordinate: one of each free cluster."""
    known = {body: _symbols(n, body) for body in n.positions if body not in masses}
    roots = []
    for root in masses:
        _reach(known, links)
        if root not in known:
            known[root] = _symbols(n, root)
            roots.append(root)
    _reach(known, links)
    return known, roots


def _reach(known: dict[str, list[Expression]], links: list[_Link]) -> None:
    """Positions of all bodies that links lead to."""
    left = list(links)
    while ready := [link for link in left if (link.ends[0] in known) != (link.ends[1] in known)]:
        for link in ready:
            a, b = link.ends
            if a in known and b not in known:
                known[b] = [x + link.length * e for x, e in zip(known[a], link.direction, strict=True)]
            elif b in known and a not in known:
                known[a] = [x - link.length * e for x, e in zip(known[b], link.direction, strict=True)]
        left = [link for link in left if link not in ready]


def _forces(n: Notation, positions: dict[str, list[Expression]], links: list[_Link]) -> dict[str, list[Expression]]:
    """External forces on each mass, with all positions and velocities by angles."""
    direction: dict[Expression, Scalar] = {link.theta: link.rate("dot") for link in links}
    direction.update(zip(n.q, n.v, strict=True))
    moved: dict[Expression, Scalar] = {}
    for body, position in positions.items():
        for c, value, rate in zip(_symbols(n, body), position, along(position, direction), strict=True):
            if c in n.q:
                moved[c], moved[n.v[n.q.index(c)]] = value, rate
    forces = {body: rebuild(force, moved) for body, force in external_forces(n).items()}
    n.move_lengths(moved)
    return forces


def _equations(n: Notation, link: _Link, links: list[_Link], masses: dict[str, Expression],
               forces: dict[str, list[Expression]]) -> tuple[Line, Line]:
    """(3.29) and (3.30) of a link, with a term for each link that shares a mass with it."""
    along_, across = ZERO, ZERO
    for other in links:
        shared = [(link.sign(body) * other.sign(body), mass) for body, mass in masses.items()]
        if other is link:
            own = [mass for sign, mass in shared if sign]
            along_ = along_ + (link.gamma / own[0] if len(own) == 1 else total(ONE / m for m in own) * link.gamma)
            continue
        turn = link.theta - other.theta
        for sign, mass in shared:
            if sign:
                pair = [other.gamma / mass * function(name, turn) for name in ("cos", "sin")]
                along_, across = (a + b if sign > 0 else a - b for a, b in zip((along_, across), pair, strict=True))
    per_mass = [total(link.sign(body) * (forces[body][k] / mass) for body, mass in masses.items() if link.sign(body))
                for k in range(2)]
    cosine, sine = link.direction
    pull = n.simple(cosine * per_mass[0] + sine * per_mass[1])
    push = n.simple(cosine * per_mass[1] - sine * per_mass[0])
    return (Line(link.length * link.rate("dot") ** 2, along_ + pull),
            Line(link.length * link.rate("ddot"), across - push))
