"""newton-euler of a 3-D scene in vectors: the laws of each body with the forces of its ball joints, and these alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from granum.analytic.derivations.blocks import IDENTITY, NOTHING, Block, added, over, positive_first, scalar, tilde
from granum.analytic.derivations.common import derivation
from granum.analytic.derivations.derivation import Derivation, Line, Step
from granum.analytic.derivations.spatial_parts import Solid, Spatial
from granum.analytic.derivations.spatial_steps import coordinate_steps, hinge_step, link_step, load_step, point_step

_PRINCIPLE = ("Newton's and Euler's laws of each body, with the forces `lambda` of the joints: mass times acceleration "
              "is the sum of all forces, and the rate of the angular momentum about the mass centre is the sum of all "
              "moments. The points of each joint have the same acceleration; that gives a linear system `H lambda = h` "
              "for the joint forces alone.")




def _principle(m: Spatial) -> str:
    """What holds of joints that are not all ball joints: one linear system for everything."""
    if not m.hinges and not m.links:
        return _PRINCIPLE
    points = any(row.kind == "ball-joint" for row in m.rows)
    held = [one for one, holds in (
        ("the points of each joint have the same acceleration", points),
        ("the bodies of a hinge rotate relative to each other about its axis only", m.hinges),
        ("links keep their lengths", m.links)) if holds]
    forces = f"forces `lambda` of the {'joints' if points else 'links'}" + (
        " and the moments `mu` that keep the axes of hinges" if m.hinges else "")
    return (f"Newton's and Euler's laws of each body, with the {forces}: mass times acceleration is the sum of all "
            "forces, and the rate of the angular momentum about the mass centre is the sum of all moments. Besides, "
            f"{', and '.join(held)}. Together that is a linear system for accelerations and forces.")


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
    alpha = {solid.name: m.define([f"alpha{_tail(m, solid)}"], f"3-vector, angular acceleration of {solid.name}, body "
                                  "axes", "rad/s^2") for solid in m.solids.values() if solid.rotates}
    joints, hinges = _joints(m), _hinges(m)
    lines = [line for solid in m.solids.values() for line in _laws(solid, alpha, joints, hinges)]
    lines += [Line(joint.direction.T * positive_first(_signed(sign, part) for sign, solid, p in joint.ends
                                                      for part in _acceleration(solid, p, alpha)), joint.right)
              for joint in joints]
    lines += [Line(hinge.B * positive_first(_signed(sign, solid.S * alpha[solid.name]) for sign, solid in hinge.ends),
                   hinge.right) for hinge in hinges]
    lines += [Line(solid.u.second, scalar(0.5) * solid.E.T * alpha[solid.name] - scalar(0.25) * (
        solid.omega.T * solid.omega) * solid.u) for solid in m.solids.values() if solid.rotates]
    return derivation(m.n, "newton-euler", _principle(m), coordinates=coordinates, steps=[
        *coordinate_steps(m), point_step(m), hinge_step(m), link_step(m), load_step(m),
        Step("Matrix of the joint forces", "`H` couples joints that share a body.", tuple(_matrix(m, joints)))
        if joints and not (hinges or m.links) else None,
        Step("Equations of motion", "Both laws of each body, the conditions of the joints and links, and the "
             "quaternions by the angular accelerations." if m.links else "Both laws of each body, the joints, and the "
             "quaternions by the angular accelerations.", tuple(lines), True, True)])


def _tail(m: Spatial, solid: Solid) -> str:
    return "" if len(m.solids) == 1 else solid.w.text.removeprefix("w")


def _signed(sign: int, block: Block) -> Block:
    return block if sign > 0 else -block


def _joints(m: Spatial) -> list[_Joint]:
    rows, joints = [row for row in m.rows if row.kind in ("ball-joint", "link")], list[_Joint]()
    for k, row in enumerate(rows, 1):
        second, direction = row.between[0][0], IDENTITY if row.kind == "ball-joint" else row.between[0][2]
        told = f"3-vector, force at the {row.meaning}" if direction == IDENTITY else (
            f"force along {direction.text} that keeps the {row.meaning}")
        force = m.define([f"lambda_{k}"], told + (f", on {second.name}" if second is not None else ""), "N")
        ends = [(sign, solid, p) for sign, (solid, p, _) in zip((1, -1), row.between, strict=True) if solid is not None]
        joints.append(_Joint(force, direction, ends, row.right))
    return joints


class _Hinge(NamedTuple):
    """Rows of a hinge that keep its axis: its moments, B, the bodies with their signs, and b of A q̈ = b."""

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
