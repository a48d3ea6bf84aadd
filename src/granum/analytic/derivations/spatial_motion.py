"""Independent velocities of a 3-D scene in vectors: angular velocities, and velocities of bodies that nothing holds.

A body that rolls has β̇ = v - r n × S ω, one on a ball joint moves with the point that holds it; so ẇ = W ω, and W is a
matrix that a line can show. Contacts that also forbid spin, and loops of joints, need multipliers instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from granum.analytic.derivations.blocks import IDENTITY, NOTHING, Block, added, named_block, scalar, tilde
from granum.analytic.derivations.derivation import Line
from granum.analytic.derivations.spatial_ovals import Oval, acceleration_bias
from granum.analytic.derivations.spatial_parts import Contact, Held, Solid, Spatial


@dataclass(frozen=True)
class Motion:
    """Velocity of a mass centre, ẇ = Σ W π̇ + drift, and its acceleration, ẅ = Σ W π̈ + bias."""

    by: dict[Block, Block]
    """W of each independent velocity."""
    drift: Block = NOTHING
    bias: Block = NOTHING

    def velocity(self) -> Block:
        """ẇ."""
        return added([*(W * velocity for velocity, W in self.by.items()), self.drift])


@dataclass
class Motions:
    """Of all bodies, with definitions of the matrices W."""

    of: dict[str, Motion] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)


def motions(m: Spatial) -> Motions | None:
    """Velocities of all bodies by independent ones; none where constraints are left that restrain these."""
    found, left = Motions(), [row for row in m.rows if row.kind == "ball-joint"]
    if any(row.kind in ("no-spin", "hinge", "link") for row in m.rows):
        return None
    for contact in m.contacts:
        _roll(m, found, contact)
    while len(found.of) < len(m.solids) or left:
        row = next((one for one in left if _held_once(found, one)), None)
        if row is not None:
            _hang(m, found, row)
            left.remove(row)
            continue
        free = next((solid for solid in m.solids.values() if solid.name not in found.of), None)
        if free is None:
            return None
        found.of[free.name] = Motion({free.w.rate: IDENTITY})
    return found


def _held_once(found: Motions, row: Held) -> bool:
    """Is one of two bodies known, or the ground, and the other not?"""
    return sum(solid is None or solid.name in found.of for solid, _, _ in row.between) == 1


def _named(m: Spatial, found: Motions, solid: Solid, velocity: Block, W: Block) -> Block:
    """A symbol for W, or W itself where it is one."""
    if W == IDENTITY or W in [line.left for line in found.lines]:
        return W
    tails = "" if len(m.solids) == 1 else solid.w.text.removeprefix("w")
    if velocity != solid.omega:
        tails += velocity.text.removeprefix("omega")
    named = m.define([f"W{tails}"], f"3 x 3 matrix, takes {velocity.text} to the velocity of the mass centre of "
                     f"{solid.name}", "m")
    found.lines.append(Line(named, W))
    return named


def _roll(m: Spatial, found: Motions, c: Contact) -> None:
    """ẇ = β̇ + S ω̃ ρ with β̇ = v - r ñ S ω, or of a body that is not round ẇ = v + S p̃ ω."""
    body, r, n = c.solid, c.radius, c.normal
    if isinstance(c, Oval):
        found.of[body.name] = Motion({body.omega: _named(m, found, body, body.omega, body.S * tilde(c.arm))},
                                     c.velocity, acceleration_bias(c))
        return
    W = -(r * tilde(n) * body.S + body.S * tilde(c.rho))
    bias = (NOTHING if c.velocity.is_zero else c.velocity.rate) - r * tilde(c.normal_rate) * body.S * body.omega
    found.of[body.name] = Motion({body.omega: _named(m, found, body, body.omega, W)}, c.velocity,
                                 bias + body.S * tilde(body.omega) * tilde(body.omega) * c.rho)


def _hang(m: Spatial, found: Motions, row: Held) -> None:
    """ẇ + S ω̃ p is the velocity of the point that holds it."""
    (solid, p, _), (other, s, _) = sorted(row.between, key=lambda one: one[0] is None or one[0].name in found.of)
    assert solid is not None
    by, drift, bias = dict[Block, Block](), NOTHING, NOTHING
    if other is not None:
        holder = found.of[other.name]
        by, drift, bias = dict(holder.by), holder.drift, holder.bias
        if not s.is_zero:
            by[other.omega] = by.get(other.omega, NOTHING) - other.S * tilde(s)
            bias = bias + other.S * tilde(other.omega) * tilde(other.omega) * s
    if not p.is_zero:
        by[solid.omega] = solid.S * tilde(p)
        bias = bias - solid.S * tilde(solid.omega) * tilde(solid.omega) * p
    found.of[solid.name] = Motion({velocity: _named(m, found, solid, velocity, W) for velocity, W in by.items()},
                                  drift, bias)


def independent_velocities(m: Spatial, found: Motions) -> list[Block]:
    """Velocities of free bodies and all angular velocities."""
    used = [velocity for motion in found.of.values() for velocity in motion.by]
    turning = [solid.omega for solid in m.solids.values() if solid.rotates]
    return list(dict.fromkeys([*(velocity for velocity in used if velocity not in turning), *turning]))


def rate_lines(m: Spatial, found: Motions) -> list[Line]:
    """All rates by the independent velocities."""
    lines = [Line(solid.w.rate, found.of[solid.name].velocity()) for solid in m.solids.values()
             if solid.w.rate not in found.of[solid.name].by]
    lines += [Line(solid.u.rate, scalar(0.5) * solid.E.T * solid.omega)
              for solid in m.solids.values() if solid.rotates]
    for c in m.contacts:
        if isinstance(c, Oval):
            lines.append(Line(c.alpha.rate, c.velocity + c.solid.S * c.xi.rate))
            continue
        turning = c.radius * tilde(c.normal) * c.solid.S * c.solid.omega
        lines += [Line(c.beta.rate, c.velocity - turning if not c.velocity.is_zero else -turning),
                  Line(c.alpha.rate, c.beta.rate if c.K.is_zero else c.J_f.inverse * c.beta.rate)]
    return [*found.lines, *lines]


@dataclass(frozen=True)
class Accelerations:
    """Symbols of accelerations."""

    angular: dict[str, Block]
    """α of each body that rotates."""
    linear: dict[str, Block]
    """Of each mass centre."""
    lines: tuple[Line, ...]

    @property
    def told(self) -> str:
        """What the angular accelerations are."""
        what = "are the rates of the angular velocities" if len(self.angular) > 1 else "is the rate of `omega`"
        return f"{listed(self.angular.values())} {what}."


def accelerations(m: Spatial, found: Motions) -> Accelerations:
    """a_C = W α + ..., and second derivatives of coordinates by the accelerations."""
    angular, linear, lines = dict[str, Block](), dict[str, Block](), list[Line]()
    owner = {solid.omega: solid for solid in m.solids.values() if solid.rotates}
    for solid in m.solids.values():
        tail = "" if len(m.solids) == 1 else solid.w.text.removeprefix("w")
        if solid.rotates:
            angular[solid.name] = m.define([f"alpha{tail}", f"alpha_C{tail}"],
                                           f"3-vector, angular acceleration of {solid.name}, body axes",
                                           "rad/s^2")
        linear[solid.name] = m.define([f"a_C{tail}"], f"3-vector, acceleration of the mass centre of {solid.name}",
                                      "m/s^2")
    for solid in m.solids.values():
        motion = found.of[solid.name]
        a = added([*(W * (angular[owner[velocity].name] if velocity in owner else _second(velocity))
                     for velocity, W in motion.by.items()), motion.bias])
        lines += [Line(linear[solid.name], a)]
        if solid.w.rate not in motion.by:
            lines.append(Line(solid.w.second, linear[solid.name]))
        if solid.rotates:
            lines.append(Line(solid.u.second, scalar(0.5) * solid.E.T * angular[solid.name] - scalar(0.25) * (
                solid.omega.T * solid.omega) * solid.u))
    return Accelerations(angular, linear, tuple(lines))


def _second(velocity: Block) -> Block:
    """The acceleration that belongs to a velocity ẇ."""
    return named_block(velocity.text.removesuffix("_dot") + "_ddot")


def laws(m: Spatial, found: Motions, a: Accelerations) -> tuple[list[tuple[Block, Block]], list[Block]]:
    """For each independent velocity: its inertia, forces; Σ m Wᵀ a + J α + ω̃ J ω and Σ Wᵀ F + T."""
    both, velocities = list[tuple[Block, Block]](), independent_velocities(m, found)
    for velocity in velocities:
        inertia, force = NOTHING, NOTHING
        for solid in m.solids.values():
            W = found.of[solid.name].by.get(velocity, NOTHING)
            inertia = inertia + solid.mass * W.T * a.linear[solid.name]
            force = force + W.T * solid.force
            if velocity == solid.omega:
                inertia = inertia + solid.J * a.angular[solid.name] + tilde(solid.omega) * solid.J * solid.omega
                force = force + solid.torque
        both.append((inertia, force))
    return both, velocities


def listed(blocks: Iterable[Block]) -> str:
    """Symbols in a sentence."""
    names = [f"`{block.text}`" for block in blocks]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
