"""newton-euler of a 3-D scene in vectors: the laws of each body with the forces of its joints, links and contacts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import NamedTuple

from granum.analytic.derivations.blocks import IDENTITY, NOTHING, Block, added, over, positive_first, scalar, tilde
from granum.analytic.derivations.common import derivation
from granum.analytic.derivations.derivation import Derivation, Line, Step
from granum.analytic.derivations.spatial_ovals import Oval, acceleration_bias
from granum.analytic.derivations.spatial_parts import Contact, Solid, Spatial, tail_of
from granum.analytic.derivations.spatial_steps import (
    coordinate_steps,
    hinge_step,
    link_step,
    load_step,
    outline_step,
    point_step,
)

_LAWS = ("mass times acceleration is the sum of all forces, and the rate of the angular momentum about the mass centre "
         "is the sum of all moments.")
_FREE = f"Newton's and Euler's laws of each body: {_LAWS}"
_PRINCIPLE = (f"Newton's and Euler's laws of each body, with the forces `lambda` of the joints: {_LAWS} The points of "
              "each joint have the same acceleration; that gives a linear system `H lambda = h` for the joint forces "
              "alone.")



def _principle(m: Spatial) -> str:
    """What holds of joints that are not all ball joints: one linear system for everything."""
    points = any(row.kind == "ball-joint" for row in m.rows)
    straight = any(row.kind == "no-spin" for row in m.rows)
    if not (m.hinges or m.links or m.contacts):
        return _PRINCIPLE if points else _FREE
    held = [one for one, holds in (
        ("a body that rolls is at rest where it touches a surface", m.contacts),
        ("one that may not spin does not rotate about the normal", straight),
        ("the points of each joint have the same acceleration", points),
        ("the bodies of a hinge rotate relative to each other about its axis only", m.hinges),
        ("links keep their lengths", m.links)) if holds]
    exerted = _listed([one for one, acts in (
        ("the contacts", m.contacts), ("the joints", points), ("the links", m.links)) if acts])
    turning = _listed([one for one, acts in (
        ("keep the axes of hinges", m.hinges), ("prevent spin", straight)) if acts])
    moments = f", and the moments `mu` that {turning}" if turning else ""
    return (f"Newton's and Euler's laws of each body, with the forces `lambda` of {exerted}{moments}: {_LAWS} In "
            f"addition, {_listed(held)}. Together that is a linear system for accelerations and forces.")


class _Joint(NamedTuple):
    """A shared point or a link: its force, the direction of that, which a point leaves open, the bodies with the sign
    of the force on them and their points, and b of A q̈ = b.
    """

    force: Block
    direction: Block
    ends: list[tuple[int, Solid, Block]]
    right: Block


def in_vectors(m: Spatial, coordinates: Iterable[str]) -> Derivation:
    """Laws of the bodies, conditions of the joints, and H."""
    alpha = {solid.name: m.define([f"alpha{_tail(m, solid)}", f"alpha_C{_tail(m, solid)}"],
                                  f"3-vector, angular acceleration of {solid.name}, body axes", "rad/s^2")
             for solid in m.solids.values() if solid.rotates}
    touching = [_touching(m, c) for c in m.contacts]
    joints, hinges = [*_contact_forces(m, touching), *_joints(m)], _hinges(m)
    lines = [line for solid in m.solids.values() for line in _laws(solid, alpha, joints, hinges)]
    lines += [Line(joint.direction.T * positive_first(_signed(sign, part) for sign, solid, p in joint.ends
                                                      for part in _acceleration(solid, p, alpha)), joint.right)
              for joint in joints]
    lines += [Line(hinge.B * positive_first(_signed(sign, solid.S * alpha[solid.name]) for sign, solid in hinge.ends),
                   hinge.right) for hinge in hinges]
    lines += [Line(solid.u.second, scalar(0.5) * solid.E.T * alpha[solid.name] - scalar(0.25) * (
        solid.omega.T * solid.omega) * solid.u) for solid in m.solids.values() if solid.rotates]
    return derivation(m.n, "newton-euler", _principle(m), coordinates=coordinates, steps=[
        *coordinate_steps(m, points=False), point_step(m, turning=False), hinge_step(m), link_step(m), load_step(m),
        _contact_step(m, touching),
        Step("Matrix of the joint forces", "`H` couples joints that share a body.", tuple(_matrix(m, joints)))
        if joints and not (hinges or m.links or m.contacts) else None,
        Step("Equations of motion", f"Both laws of each body{_conditions(m)}, and the quaternions by the angular "
             "accelerations.", tuple(lines), True, True)])


def _conditions(m: Spatial) -> str:
    """What the equations of motion have beside the laws of the bodies."""
    joints = any(row.kind == "ball-joint" for row in m.rows)
    held = [one for one, holds in (("contacts", m.contacts), ("joints", joints), ("links", m.links)) if holds]
    return f", the conditions of {_listed(held)}" if held else ""


def _listed(parts: Sequence[str]) -> str:
    """Parts of a sentence, in a row."""
    return ", and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 2 else " and ".join(parts)


def _touching(m: Spatial, c: Contact) -> Oval:
    """A contact with the vector to it in body axes: ξ = -r ν of a round body."""
    if isinstance(c, Oval):
        return c
    body, tail = c.solid, tail_of(m, c.solid.name)
    nu = m.define([f"nu{tail}"], f"3-vector, unit normal at the contact of {body.name}, body axes")
    xi = m.define([f"xi{tail}"], f"3-vector, from the geometric centre of {body.name} to its contact, body axes", "m")
    m.outlines += [Line(nu, body.S.T * c.normal), Line(nu.rate, tilde(nu) * body.omega), Line(xi, -(c.radius * nu)),
                   Line(xi.rate, -(c.radius * nu.rate))]
    return Oval(**{one.name: getattr(c, one.name) for one in fields(Contact)}, nu=nu, xi=xi, P=NOTHING)


def _contact_step(m: Spatial, touching: Sequence[Oval]) -> Step | None:
    """Where bodies touch planes, without coordinates of the contact."""
    known = {name for c in m.contacts for name in (c.k.text, c.normal.text)}
    surfaces = [line for line in m.surfaces if line.left.text in known]  # type: ignore[union-attr]
    outline = outline_step(m, turning=False)
    lines = m.outlines if outline is None else outline.lines
    told = ("`k` is the gradient of the plane and `n` its unit normal, `nu` in body axes. The body touches the plane "
            "at its point farthest along `-n`, which is `xi` from its geometric centre, in body axes.")
    if outline is not None:
        told += " `D` has the squares of the semi-axes, and `s` is the distance of the centre from the plane."
    return Step("Point of contact", told, (*surfaces, *lines), True) if touching else None


def _contact_forces(m: Spatial, touching: Sequence[Oval]) -> list[_Joint]:
    """The force of each plane where a body rolls on it: the point of the body that touches is at rest."""
    return [_Joint(m.define([f"lambda_{k}"], f"3-vector, force of the surface on {c.solid.name}", "N"), IDENTITY,
                   [(1, c.solid, c.arm)], acceleration_bias(c)) for k, c in enumerate(touching, 1)]


def _tail(m: Spatial, solid: Solid) -> str:
    return "" if len(m.solids) == 1 else solid.w.text.removeprefix("w")


def _signed(sign: int, block: Block) -> Block:
    return block if sign > 0 else -block


def _joints(m: Spatial) -> list[_Joint]:
    rows, joints = [row for row in m.rows if row.kind in ("ball-joint", "link")], list[_Joint]()
    for k, row in enumerate(rows, 1 + len(m.contacts)):
        second, direction = row.between[0][0], IDENTITY if row.kind == "ball-joint" else row.between[0][2]
        told = f"3-vector, force at the {row.meaning}" if direction == IDENTITY else (
            f"force along {direction.text} that keeps the {row.meaning}")
        force = m.define([f"lambda_{k}"], told + (f", on {second.name}" if second is not None else ""), "N")
        ends = [(sign, solid, p) for sign, (solid, p, _) in zip((1, -1), row.between, strict=True) if solid is not None]
        joints.append(_Joint(force, direction, ends, row.right))
    return joints


class _Hinge(NamedTuple):
    """Rows of a hinge that keep its axis, or that of no spin: moments, B, the bodies with their signs, b of A q̈ = b."""

    moments: Block
    B: Block
    ends: list[tuple[int, Solid]]
    right: Block


def _hinges(m: Spatial) -> list[_Hinge]:
    hinges = list[_Hinge]()
    for row in m.rows:
        if row.kind == "hinge":
            mu = m.define([f"mu_{len(hinges) + 1}"], f"2-vector, moments that keep the {row.meaning}", "N m")
            ends = [solid for solid, _, _ in row.between if solid is not None]
            hinges.append(_Hinge(mu, row.between[0][1], list(zip((1, -1), ends, strict=False)), row.right))
        elif row.kind == "no-spin":
            (c,) = (c for c in m.contacts if c.solid.u in row.entries)
            mu = m.define([f"mu_{len(hinges) + 1}"], f"moment about {c.k.text}, so that {row.meaning}", "N m")
            hinges.append(_Hinge(mu, c.k.T, [(1, c.solid)], row.right))
    return hinges


def _laws(solid: Solid, alpha: dict[str, Block], joints: list[_Joint], hinges: list[_Hinge]) -> list[Line]:
    """m ẅ = F + Σ λ and J α + ω̃ J ω = T + Σ p̃ Sᵀ λ + Σ Sᵀ Bᵀ μ."""
    own = [(sign, p, joint.direction * joint.force) for joint in joints for sign, other, p in joint.ends
           if other is solid]
    lines = [Line(solid.mass * solid.w.second, solid.force + added(
        force if sign > 0 else -force for sign, _, force in own))]
    if solid.rotates:
        moments = [tilde(p) * solid.S.T * force for _, p, force in own]
        rate = solid.J * alpha[solid.name] + tilde(solid.omega) * solid.J * solid.omega
        kept = [_signed(sign, solid.S.T * hinge.B.T * hinge.moments) for hinge in hinges for sign, other in hinge.ends
                if other is solid]
        lines.append(Line(rate, solid.torque + positive_first([
            *(moment if sign > 0 else -moment for (sign, _, _), moment in zip(own, moments, strict=True)), *kept])))
    return lines


def _acceleration(solid: Solid, p: Block, alpha: dict[str, Block]) -> list[Block]:
    """Of a point, without what depends on velocities: ẅ and -S p̃ α."""
    return [solid.w.second, *([-(solid.S * tilde(p) * alpha[solid.name])] if solid.rotates else [])]


def _matrix(m: Spatial, joints: list[_Joint]) -> list[Line]:
    """H of each pair of joints: I/m - S p̃ J⁻¹ p̃ Sᵀ of every body that they share."""
    lines = list[Line]()
    for i, one in enumerate(joints, 1):
        for j, two in enumerate(joints[:i], 1):
            shared = [(s * t, solid, p, q) for s, solid, p in one.ends for t, other, q in two.ends if other is solid]
            if not shared:
                continue
            H = m.define([f"H_{j}_{i}" if len(joints) > 1 else "H"], "3 x 3 matrix of the joint forces", "1/kg")
            parts = [part if sign > 0 else -part for sign, solid, p, q in shared for part in (
                over(IDENTITY, solid.mass), -(solid.S * tilde(p) * solid.J.inverse * tilde(q) * solid.S.T)
                if solid.rotates else NOTHING)]
            lines.append(Line(H, added(sorted(parts, key=lambda part: part.text.startswith("-")))))
    return lines
