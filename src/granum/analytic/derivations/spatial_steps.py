"""Steps of derivations in vectors that several formulations share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from granum.analytic.derivations.blocks import (
    IDENTITY,
    NOTHING,
    Block,
    added,
    diagonal,
    named_block,
    positive_first,
    scalar,
    stacked,
    tilde,
)
from granum.analytic.derivations.derivation import Grid, Line, Step
from granum.analytic.derivations.spatial import coordinates
from granum.analytic.derivations.spatial_ovals import Oval
from granum.analytic.derivations.spatial_parts import Held, Spatial, tail_of

_FEW = 2
"""Bodies whose parts of the mass matrix have no names."""


class Letters(NamedTuple):
    """What stands for the vectors and matrices of the whole system."""

    q: Block
    M: Block
    Q: Block
    A: Block
    b: Block


def letters_of(m: Spatial) -> Letters:
    """q, M, Q, A and b, or other names where the scene has these."""
    count, height = len(m.n.q), sum(row.height for row in m.rows)

    letter = m.letter
    return Letters(letter("q", f"{count}-vector of all coordinates"), letter("M", f"{count} x {count} mass matrix"),
                   letter("Q", f"{count}-vector of forces and velocity terms of inertia"),
                   letter("A", f"{height} x {count} matrix of the constraints"),
                   letter("b", f"{height}-vector, their right-hand side" if height > 1 else "their right-hand side"))


def vector_step(m: Spatial, *further: Line, points: bool = True) -> Step:
    """Vectors of coordinates, with those of massless points where the formulation has these."""
    contacts = m.contacts if points else []
    left_out = {vector for c in m.contacts for vector in (c.alpha, c.beta)} if not points else set()
    lines = [line for line in m.vectors if line.left not in left_out]
    named = [line.left.text for line in lines]  # type: ignore[union-attr]
    if len(m.solids) > 1:
        centres = " and geometric centres" if any(not c.beta.is_zero for c in contacts) else ""
        told = "Mass centres and unit quaternions of the bodies" + (
            f", and massless points at contacts{centres}." if contacts else ".")
    elif contacts and contacts[0].beta.is_zero:
        told = ("The mass centre `{}` of the body, its unit quaternion `{}`, and a massless point at the contact, "
                "`{}`.").format(*named)
    elif contacts:
        told = ("The mass centre `{}` of the body, its unit quaternion `{}`, and massless points at the contact, `{}`, "
                "and at the geometric centre, `{}`.").format(*named)
    else:
        told = "The mass centre `{}` of the body, and its unit quaternion `{}`.".format(*named)
    return Step("Coordinates", f"{told} The dot of a vector or matrix differentiates each of its entries.",
                (*lines, *further), True)


def coordinate_steps(m: Spatial, q: Block | None = None, points: bool = True) -> list[Step | None]:
    """Vectors of coordinates, all of them as q where there is one, and what rotates bodies."""
    return [
        vector_step(m, *([] if q is None else [Line(q, coordinates(m))]), points=points),
        Step("Rotation", "`u` is a unit quaternion, `E u = 0`, `E E^T = I`, the identity matrix, and `E_dot u_dot = "
             "0`, so that `omega_dot = 2 E u_ddot`. `S` is the rotation matrix, `S_dot = S tilde(omega)`; `tilde(a) b` "
             "is the cross product `a x b`.", tuple(m.rotations), True)]


def surface_step(m: Spatial, turning: bool = True) -> Step | None:
    """The surface at the contact, with what the second derivative of n has where `turning` is needed."""
    if not m.contacts:
        return None
    flat, moves = all(c.K.is_zero for c in m.contacts), any(not c.velocity.is_zero for c in m.contacts)
    lines = [line for line in m.surfaces if turning or not (isinstance(line.left, Block) and line.left.text.startswith(
        "delta"))]
    return Step("Surface", "`k` is the gradient of the surface at the point of contact and `n` its unit normal" + (
        ", which is constant." if flat else ". `K` is the derivative of `k` with respect to the point of contact; "
        "`J_f` takes the velocity of the contact to that of the geometric centre.") + (
        " `v` is the velocity of the surface there." if moves else ""), tuple(lines), True)


def outline_step(m: Spatial, turning: bool = True) -> Step | None:
    """Where bodies that are not round touch the plane, with what its second derivative has where it is needed."""
    ovals = [c for c in m.contacts if isinstance(c, Oval)]
    later = {f"{name}{tail_of(m, c.solid.name)}{dots}" for c in ovals for name in ("s", "X", "P")
             for dots in ("", "_dot") if name == "P" or dots}
    lines = [line for line in m.outlines if turning or line.left.text not in later]  # type: ignore[union-attr]
    return Step("Point of contact", "`nu` is the normal in body axes, and `D` has the squares of the semi-axes. The "
                "body touches the plane at its point farthest along `-n`, which is `xi` from its geometric centre, in "
                "body axes; `s` is the distance of the centre from the plane." + (
                    " The velocity of the contact relative to the mass centre is `-S P omega`." if turning else ""),
                tuple(lines), True) if ovals else None


def hinge_step(m: Spatial) -> Step | None:
    """Axes of hinges."""
    return Step("Axes of the hinges", "`a` is the axis of a hinge in the axes of the first body, `e` in inertial axes. "
                "The columns of `N` are across it in the axes of the second body, `N^T S_2^T e = 0`; the rate of that "
                "is `B (S_2 omega_2 - S_1 omega_1)`.", tuple(m.hinges), True) if m.hinges else None


def link_step(m: Spatial) -> Step | None:
    """Links between points."""
    return Step("Links", "`d` goes from the first end of a link to the second, `n` is its direction.", tuple(m.links),
                True) if m.links else None


def point_step(m: Spatial, turning: bool = True) -> Step | None:
    """Points of bodies, and C_1 where `turning` is needed."""
    carried = [line for line in m.arms if "C_" in line.left.text]  # type: ignore[union-attr]
    lines = [line for line in m.arms if turning or line not in carried]
    if not lines:
        return None
    offsets = [c for c in m.contacts if not c.rho.is_zero]
    told = "`rho` goes from the geometric centre to the mass centre, in body axes" + (
        "; the rate of `S rho` is `C_1 u_dot`." if turning and carried else ".") if offsets else ""
    points = [line.left.text for line in lines if line not in carried]  # type: ignore[union-attr]
    if any(name.startswith("p") for name in points):
        told += " `p` is the position of a point of a body, from its mass centre in body axes."
    if any(name.startswith("c") for name in points):
        told += " `c` is the position of a fixed point, in inertial axes."
    return Step("Points of the body" if len(m.solids) == 1 else "Points of the bodies", told.strip(), tuple(lines),
                True)


def load_step(m: Spatial) -> Step | None:
    """Applied forces, where there are some."""
    springs = any(isinstance(line.left, Block) and line.left.text.startswith("d_") for line in m.loads)
    told = "They include gravity and all other forces that are given." if not springs else (
        "`d` goes from the first end of a spring to the second, `l` is its length, and `f` its force on the second "
        "end.")
    return Step("Applied forces", told, tuple(m.loads), True) if m.loads else None


def energy_step(m: Spatial) -> Step:
    """T of mass centres and rotations (2)."""
    T = m.letter("T", "kinetic energy", "J")
    kinetic = {solid.name: added([
        scalar(0.5) * solid.mass * solid.w.rate.T * solid.w.rate,
        2 * solid.u.rate.T * solid.E.T * solid.J * solid.E * solid.u.rate if solid.rotates else NOTHING])
        for solid in m.solids.values()}
    whose = "Of the mass centre and of the rotation" if len(m.solids) == 1 else "Of the mass centres and the rotations"
    return Step("Kinetic energy", f"{whose}, `1/2 omega^T J omega` with `omega = 2 E u_dot`.", tuple(
        body_lines(m, T, kinetic, "kinetic energy of {}", "J")))


def body_lines(m: Spatial, whole: Block, parts: dict[str, Block], meaning: str, unit: str = "") -> list[Line]:
    """A sum over all bodies; of many of them, what each contributes has a name and a line of its own."""
    if len(parts) <= _FEW:
        return [Line(whole, added(parts.values()))]
    named = {name: m.define([f"{whole.text}{tail_of(m, name)}"], meaning.format(name), unit) for name in parts}
    return [*(Line(named[name], part) for name, part in parts.items()), Line(whole, added(named.values()))]


def inertia_lines(m: Spatial, M: Block, Q: Block) -> list[Line]:
    """M and Q (10): 4 EᵀJE and -8 ĖᵀJE u̇ for a quaternion, nothing for a massless point; of many bodies by name."""
    masses, forces, lines = dict[Block, Block](), dict[Block, Block](), list[Line]()
    for solid in m.solids.values():
        masses[solid.w], forces[solid.w] = IDENTITY.scaled(solid.mass), solid.force
        if not solid.rotates:
            continue
        masses[solid.u] = 4 * solid.E.T * solid.J * solid.E
        forces[solid.u] = 2 * solid.E.T * solid.torque - 8 * solid.E.rate.T * solid.J * solid.E * solid.u.rate
        if len(m.solids) > _FEW:
            tail = solid.u.text.removeprefix("u")
            named = m.define([f"M{tail}"], f"4 x 4 mass matrix of the quaternion of {solid.name}", "kg m^2")
            lines.append(Line(named, masses[solid.u]))
            masses[solid.u] = named
    vectors = [vector for vector, _ in m.columns]
    whole: Block | Grid = diagonal(masses.get(vector, NOTHING) for vector in vectors)
    if len(m.solids) <= _FEW:
        whole = Grid(tuple(tuple(masses.get(row, NOTHING) if row == col else NOTHING for col in vectors)
                           for row in vectors))
    return [*lines, Line(M, whole), Line(Q, Grid(tuple((forces.get(vector, NOTHING),) for vector in vectors)))]


def constraint_step(m: Spatial, rows: Sequence[Held], A: Block, b: Block) -> Step:
    """φ = 0 of each constraint, its rows of A and b, and all of them one below the other."""
    vectors, lines = [vector for vector, _ in m.columns], list[Line]()
    for row in rows:
        if not row.value.is_zero:
            lines.append(Line(row.value, NOTHING, apart=True))
        lines += [Line(_part(A, row), Grid((tuple(row.entries.get(vector, NOTHING) for vector in vectors),)),
                       apart=row.value.is_zero), Line(_part(b, row), row.right)]
    told = "; ".join(f"`{_part(A, row).text}`: {row.meaning}" for row in rows)
    heading, which = ("Constraints", "Each") if len(rows) > 1 else ("Constraint", "It")
    return Step(heading, f"{which} is differentiated along the motion until accelerations appear, `{A.text} q_ddot "
                f"= {b.text}`. {told}.", (*lines, Line(A, stacked(_part(A, row) for row in rows)),
                                          Line(b, stacked(_part(b, row) for row in rows))), True)


def holding_step(m: Spatial) -> Step:
    """What holds along the motion."""
    rows = [row for row in m.rows if not row.invariant]
    heading, told = ("Constraints", "They hold along the motion.") if len(rows) > 1 else (
        "Constraint", "It holds along the motion.")
    if len(rows) < len(m.rows):
        told += " The energy then stays constant without a condition of its own."
    return Step(heading, told, tuple(Line(row.value, NOTHING) for row in rows), True)


def _part(letter: Block, row: Held) -> Block:
    return named_block(f"{letter.text}_{row.label}")


def _unit(m: Spatial, row: Held) -> str:
    """Of a multiplier: that of a force or of a moment; empty where a formula of the user says what it is."""
    solids = m.solids.values()
    if all(any(vector == solid.u for solid in solids) for vector in row.entries):
        return "N m"
    return "N" if row.height == 3 or any(solid.w in row.entries for solid in solids) else ""


def multiplier_lines(m: Spatial, rows: Sequence[Held], momentum: bool = False) -> list[Line]:
    """M q̈ = Q + Aᵀ λ by blocks, and A q̈ = b of each constraint.

    The velocity terms of a quaternion are 8 ĖᵀJE u̇ by Lagrange, or 2 Eᵀ ω̃ J ω by the rate of the angular `momentum`.
    They differ along u, where λ of the unit quaternion takes it up.
    """
    multipliers = {row.label: m.define([f"lambda_{row.label}"], (
        f"{row.height}-vector, multipliers" if row.height > 1 else "multiplier") + f": {row.meaning}", _unit(m, row))
        for row in rows}
    owners = {vector: solid for solid in m.solids.values() for vector in (solid.w, solid.u)}
    lines = list[Line]()
    for vector, _ in m.columns:
        force = positive_first(row.entries[vector].T * multipliers[row.label] for row in rows if vector in row.entries)
        solid = owners.get(vector)
        if solid is None:
            lines.append(Line(force, NOTHING))
        elif vector == solid.w:
            lines.append(Line(solid.mass * vector.second, solid.force + force))
        else:
            turning = 2 * solid.E.T * tilde(solid.omega) * solid.J * solid.omega if momentum else (
                8 * solid.E.rate.T * solid.J * solid.E * vector.rate)
            lines.append(Line(4 * solid.E.T * solid.J * solid.E * vector.second + turning,
                              2 * solid.E.T * solid.torque + force))
    return [*lines, *(Line(positive_first(entry * vector.second for vector, entry in row.entries.items()), row.right)
                      for row in rows)]
