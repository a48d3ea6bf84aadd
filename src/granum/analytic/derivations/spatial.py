"""A 3-D scene in vectors and matrices: what each body, point and constraint contributes, as named blocks.

Source: Udwadia and Mogharabin (2022), eqs. 1-42 and appendix A, corrected; the numbers below are its equations. Written
out in components, the same formulas fill hundreds of pages.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from granum.algebra import Expression, gradient, jacobian
from granum.algebra.expression import ONE, ZERO, Scalar, as_expression, free_symbols, number, rebuild, walk
from granum.algebra.polynomial import CONSTANT
from granum.algebra.vectors import quaternion_rotation, quaternion_spin
from granum.analytic.derivations.blocks import (
    IDENTITY,
    NOTHING,
    Block,
    added,
    mirrored,
    named_block,
    over,
    positive_first,
    power,
    scalar,
    stacked,
    tilde,
)
from granum.analytic.derivations.common import named_entries
from granum.analytic.derivations.derivation import Grid, Line
from granum.analytic.derivations.notation import Notation
from granum.analytic.derivations.quantities import Quantity, subscripts
from granum.analytic.derivations.spatial_hinges import add_axes
from granum.analytic.derivations.spatial_links import add_link
from granum.analytic.derivations.spatial_ovals import Oval, add_rows, oval
from granum.analytic.derivations.spatial_parts import Contact, Held, Solid, Spatial, column, next_label, tail_of
from granum.analytic.derivations.spatial_springs import add_springs, without_springs
from granum.analytic.derivations.symbols import isotropic
from granum.analytic.expressed_parts import Body
from granum.model.connections import BallJoint, EnergyConstraint, Hinge, NoSpin, Rolling
from granum.model.loads import Force, Gravity, Spring, Torque
from granum.rows.body import End
from granum.rows.ground import ground_at, surface_equation
from granum.rows.joint import Joint
from granum.rows.system import symbol_name


def spatial(n: Notation) -> Spatial | None:
    """A 3-D scene in vectors; none where it has what only formulas of components can say."""
    if n.assembly is None or n.assembly.dimension != 3 or n.held or not _expressible(n):
        return None
    m = Spatial(n)
    for body in n.system.bodies:
        _add_solid(m, body)
    if not any(solid.rotates for solid in m.solids.values()):
        return None
    add_springs(m, _point)
    for solid in m.solids.values():
        if solid.rotates:
            _add_unit(m, solid)
    for joint in n.assembly.joints:
        if joint.length is not None:
            add_link(m, joint, _point)
    for name, entry in n.assembly.scene.constraint.items():
        if isinstance(entry, Rolling):
            contact = _contact(m, entry)
            if contact is None:
                return None
            m.contacts.append(contact)
            _add_rolling(m, contact)
        elif isinstance(entry, BallJoint | Hinge):
            joint = next(one for one in n.assembly.joints if one.name == name)
            _add_shared_point(m, joint)
            if isinstance(entry, Hinge):
                add_axes(m, joint)
    for name, entry in n.assembly.scene.constraint.items():
        if isinstance(entry, NoSpin):
            _add_no_spin(m, name, next(c for c in m.contacts if c.solid.name == entry.body))
        elif isinstance(entry, EnergyConstraint):
            _add_energy(m)
    covered = [entry for _, parts in m.columns for entry in parts]
    return m if len(covered) == len(n.q) and set(covered) == set(n.q) else None


def _expressible(n: Notation) -> bool:
    """Are bodies, loads and constraints of kinds that have formulas in vectors?"""
    assembly = n.assembly
    assert assembly is not None
    scene, own = assembly.scene, n.system
    return (
        own.bodiless.is_zero and own.own_potential.is_zero and not (own.frictions or own.inputs)
        and not (scene.system.coordinates or scene.system.forces)
        and all(isinstance(load.entry, Gravity | Force | Torque | Spring) for load in assembly.loads)
        and all(isinstance(entry, Rolling | BallJoint | Hinge | NoSpin | EnergyConstraint)
                for entry in scene.constraint.values())
        and len(own.bodies) == sum(body.kind != "ground" for body in assembly.bodies.values())
        and all(joint.kind in ("ball-joint", "hinge", "link") for joint in assembly.joints))


def _add_solid(m: Spatial, body: Body) -> None:
    """Coordinates, rotation, inertia and loads of a body."""
    n, tail = m.n, tail_of(m, body.name)
    first = n.system.coordinates.index(body.position[0].name)
    w = m.define([f"w{tail or '_C'}"], f"3-vector, mass centre of {body.name}" if body.rotation else
                 f"3-vector, position of {body.name}", "m")
    m.vector(w, n.q[first : first + 3])
    loose = without_springs(n)
    applied = [n.shown(rebuild([force], loose)[0]) for force in n.system.applied[first : first + 3]]
    force = NOTHING
    if any(not entry.is_zero for entry in applied):
        force = m.define([f"F{tail}"] if not loose else [f"F_0{tail}"], f"3-vector, applied forces on {body.name}" + (
            " without springs" if loose else ""), "N")
        m.loads.append(Line(force, column(applied)))
    mass = scalar(n.show(body.mass))
    if body.rotation is None:
        m.solids[body.name] = Solid(body.name, mass, w, force)
        return
    parts = n.q[first + 3 : first + 7]
    u = m.define([f"u{tail}"], f"4-vector, unit quaternion of {body.name}")
    m.vector(u, parts)
    letter = n.named.letters.get("J", "J") if n.named else "J"
    E = m.define([f"E{tail}"], f"3 x 4 matrix of the quaternion of {body.name}")
    S = m.define([f"S{tail}", f"R{tail}"], f"3 x 3 rotation matrix of {body.name}, body axes to inertial axes")
    J = m.define([f"I_C{tail}" if letter == "I" else f"J{tail}", f"J_C{tail}"],
                 f"3 x 3 inertia matrix of {body.name} about its mass centre, body axes", "kg m^2")
    omega = m.define([f"omega{tail}"], f"3-vector, angular velocity of {body.name}, body axes", "rad/s")
    unit = [[ONE if j == k else ZERO for j in range(4)] for k in range(4)]
    spins = [quaternion_spin(parts, one) for one in unit]
    moments = tuple(tuple(n.show(as_expression(entry)) for entry in row) for row in body.moments)
    m.rotations += [
        Line(E, Grid(tuple(tuple(n.simple(0.5 * spins[k][i]) for k in range(4)) for i in range(3)))),
        Line(S, Grid(tuple(tuple(map(n.simple, row)) for row in quaternion_rotation(parts)))),
        Line(J, Grid(moments)), Line(omega, 2 * E * u.rate)]
    own = n.assembly.bodies[body.name]  # type: ignore[union-attr]
    m.solids[body.name] = Solid(body.name, mass, w, force, u, E, S, J, omega, _torque(m, body.name, S), isotropic(own))


def _torque(m: Spatial, name: str, S: Block) -> Block:
    """Torque of the loads on a body, in body axes: S^T tau, and p x S^T F of a force at a point."""
    n, parts = m.n, list[Block]()
    assert n.assembly is not None
    for load in n.assembly.loads:
        if isinstance(load.entry, Gravity | Spring) or load.ends[0].body.name != name:
            continue
        named = n.named.load(load) if n.named else load
        below = subscripts(n.assembly.scene.load)[load.name]
        if isinstance(load.entry, Torque):
            tau = m.define([f"tau_{below}"], f"3-vector, torque {load.name}, inertial axes", "N m")
            m.loads.append(Line(tau, column([n.simple(as_expression(c)) for c in named.numbers])))
            parts.append(S.T * tau)
        elif any(load.ends[0].arm):
            force = m.define([f"F_{below}"], f"3-vector, force {load.name}, inertial axes", "N")
            m.loads.append(Line(force, column([n.simple(as_expression(c)) for c in named.numbers[3:]])))
            parts.append(tilde(_point(m, load.ends[0])) * S.T * force)
    return added(parts)


def _point(m: Spatial, end: End) -> Block:
    """A point of a body in body axes, or a fixed point."""
    arm = [as_expression(c) for c in (m.n.named.end(end).arm if m.n.named else end.arm)]
    if all(c.is_zero for c in arm):
        return NOTHING
    for line in m.arms:
        if line.right == column(arm):
            assert isinstance(line.left, Block)
            return line.left
    short = m.n.named.below("body", end.name) if m.n.named else symbol_name(end.name)
    fixed = end.body.kind == "ground"
    letter = "c" if fixed else "p"
    p = m.define([letter, f"{letter}_{short}"] if _single(m, fixed) else [f"{letter}_{short}"],
                 f"3-vector, fixed point {end.name}" if fixed else
                 f"3-vector, point {end.name} from the mass centre, body axes", "m")
    m.arms.append(Line(p, column(arm)))
    return p


def _single(m: Spatial, fixed: bool) -> bool:
    """Is there one point of bodies that joints and loads have, or one that is fixed? It needs no subscript."""
    assembly = m.n.assembly
    assert assembly is not None
    ends = [end for joint in assembly.joints for end in (joint.one, joint.two)]
    ends += [end for load in assembly.loads for end in load.ends]
    return len({end.name for end in ends if (end.body.kind == "ground") == fixed and any(end.arm)}) == 1


# ---- rows

def _add_unit(m: Spatial, solid: Solid) -> None:
    """φ₁ = uᵀu - 1 (15), (16)."""
    u = solid.u
    m.rows.append(Held(next_label(m), f"unit quaternion of {solid.name}", u.T * u - scalar(1), {u: u.T},
                       -(u.rate.T * u.rate), "unit", 1))


def _contact(m: Spatial, entry: Rolling) -> Contact | None:
    """Symbols of a contact; none for cylinders, for bodies that are not round on curved surfaces, and for surfaces
    that move across themselves.
    """
    n, own = m.n, symbol_name(entry.body)
    if n.named is None or n.assembly is None:
        return None
    names = [[f"{own}.{point}.{axis}" for axis in "xyz"] for point in ("contact", "centre")]
    names = names[: 1 + (names[1][0] in n.system.coordinates)]
    surface = n.assembly.scene.surface[entry.on]
    ground = ground_at(surface_equation(surface), surface.motion, names[0])
    equation = n.show(ground.equation) if surface.motion is None else n.shown(ground.equation)
    solid, tail = m.solids[entry.body], tail_of(m, entry.body)
    points = [n.q[n.system.coordinates.index(one[0]) :][:3] for one in names]
    if surface.motion is not None and free_symbols([equation, *gradient(equation, points[0])]) & {"t"}:
        return None
    letter = n.named.letters.get("alpha", "alpha")
    alpha = m.define([f"{letter}{tail}", f"{letter}_P{tail}"], f"3-vector, point of contact of {entry.body}", "m")
    m.vector(alpha, points[0])
    beta = NOTHING
    if len(points) > 1:
        beta = m.define([f"beta{tail}"], f"3-vector, geometric centre of {entry.body}", "m")
        m.vector(beta, points[1])
    body = n.assembly.bodies[entry.body]
    shape = body.entry.properties()
    r, centre = n.named.rolling(body, shape.radius or 0.0, shape.centre)
    rho = NOTHING
    if any(not as_expression(c).is_zero for c in centre):
        rho = m.define([f"rho{tail}"], f"3-vector, from the geometric centre of {entry.body} to its mass centre, body "
                       "axes", "m")
        m.arms.append(Line(rho, column([-as_expression(c) for c in centre])))
    drift = _named_drift(m, entry.on, [n.shown(c) for c in ground.velocity])
    made = _surface(m, entry, equation, points[0], Contact(
        solid, (), drift, alpha, beta, scalar(as_expression(r)), rho, NOTHING, NOTHING, NOTHING, IDENTITY, NOTHING))
    if not beta.is_zero:
        return made
    axes = shape.semi_axes
    return oval(m, made, axes) if made.K.is_zero and axes is not None and math.inf not in axes else None


def _named_drift(m: Spatial, on: str, drift: Sequence[Expression]) -> list[Expression]:
    """Velocity of a surface with Omega for its angular velocity."""
    assert m.n.assembly is not None
    motion = m.n.assembly.scene.surface[on].motion
    turning = list((motion.angular_velocity if motion is not None else None) or ())
    values = {abs(c) for c in turning if c}
    numbers = {abs(node.value) for node in walk(list(drift)) if node.kind == "number" and node.value}
    if len(turning) - turning.count(0.0) != 1 or numbers != values or "t" in free_symbols(list(drift)):
        return list(drift)
    (value,) = (c for c in turning if c)
    Omega = m.n.add(Quantity(m.n.names.fresh("Omega"), f"angular velocity of {on} about the "
                             f"{'xyz'[turning.index(value)]} axis", "rad/s", value), CONSTANT)
    return rebuild(list(drift), {number(value): Omega, number(-value): -Omega})


def _surface(m: Spatial, entry: Rolling, equation: Expression, point: Sequence[Expression], c: Contact) -> Contact:
    """Γ, k, n and, on a curved surface, ∂k/∂α, Δ, J_f and δ: (13), (14), (A2)-(A5)."""
    n, tail, shown = m.n, tail_of(m, entry.body), m.surfaces
    Gamma = m.define([f"Gamma{tail}"], f"zero on the surface {entry.on}")
    k = m.define([f"k{tail}"], f"3-vector, gradient of {entry.on} at the contact of {entry.body}")
    normal = m.define([f"n{tail}"], f"3-vector, unit normal of {entry.on} at the contact of {entry.body}")
    equation = _with_constants(m, equation, entry.on)
    slope = gradient(equation, point)
    unit = all(one.kind == "number" for one in slope) and sum(one.value**2 for one in slope) == 1.0
    shown += [Line(Gamma, equation), *named_entries(n, k.text, [[n.shorter(one)] for one in slope]),
              Line(normal, k if unit else over(k, power(k.T * k, "1/2")))]
    K, J_f, velocity, alpha = NOTHING, IDENTITY, NOTHING, c.alpha
    if free_symbols(slope) & {one.name for one in point}:
        K = m.define([f"K{tail}", f"K_k{tail}"], "3 x 3 matrix, derivative of k by the point of contact",
                     latex=rf"\frac{{\partial {k.latex}}}{{\partial {alpha.latex}}}")
        Delta = m.define([f"Delta{tail}"], "3 x 3 matrix, takes the rate of k to that of n")
        J_f = m.define([f"J_f{tail}"], "3 x 3 matrix, takes the rate of the contact to that of the geometric centre")
        size = k.T * k
        shown += [
            *named_entries(n, K.text, [[n.shorter(one) for one in row] for row in jacobian(slope, point)]),
            Line(k.rate, K * alpha.rate),
            Line(Delta, over(IDENTITY - over(k * k.T, size), power(size, "1/2"))),
            Line(normal.rate, Delta * k.rate), Line(J_f, IDENTITY + c.radius * Delta * K)]
    if any(not one.is_zero for one in c.drift):
        velocity = m.define([f"v{tail}"], f"3-vector, velocity of {entry.on} at the contact of {entry.body}", "m/s")
        shown.append(Line(velocity, column(c.drift)))
    return replace(c, slope=slope, normal=normal, k=k, K=K, J_f=J_f, velocity=velocity)


def _with_constants(m: Spatial, equation: Expression, surface: str) -> Expression:
    """Gamma with h_1, h_2, ... for its numbers."""
    numbers = [node for node in walk([equation]) if node.kind == "number" and not node.value.is_integer()]
    named: dict[Expression, Scalar] = {
        one: m.n.add(Quantity(m.n.names.fresh(f"h_{k}"), f"constant of {surface}", value=one.value), CONSTANT)
        for k, one in enumerate(numbers, 1)}
    return rebuild([equation], named)[0]


def _add_rolling(m: Spatial, c: Contact) -> None:
    """Surface (17), tangency (19), centre (22) and no slip (27), with their rows (18), (21), (26), (31)."""
    Gamma = next(line.left for line in m.surfaces if isinstance(line.left, Block) and line.left.text.startswith("Gamma")
                 and line.left.text.endswith(tail_of(m, c.solid.name)))
    assert isinstance(Gamma, Block)
    if isinstance(c, Oval):
        add_rows(m, c, Gamma)
        return
    body, r, n, rows = c.solid, c.radius, c.normal, m.rows
    rows.append(Held(next_label(m), f"the contact of {body.name} lies on the surface", Gamma, {c.alpha: c.k.T},
                     NOTHING if c.K.is_zero else -(c.alpha.rate.T * c.K * c.alpha.rate), "surface", 1))
    rows.append(Held(next_label(m), f"the centre of {body.name} is a radius above its contact",
                     c.beta - c.alpha - r * n, {c.alpha: c.J_f, c.beta: -IDENTITY}, _tangency(m, c), "tangency", 3))
    entries, right = {body.w: -IDENTITY, c.beta: IDENTITY}, NOTHING
    if not c.rho.is_zero:
        entries[body.u], right = _carried(m, c)
    rows.append(Held(next_label(m), f"the mass centre of {body.name} is {'' if c.rho.is_zero else 'rho from '}its "
                     "geometric centre", c.beta + body.S * c.rho - body.w, entries, right, "centre", 3))
    slips = c.beta.rate + r * tilde(n) * body.S * body.omega - c.velocity
    velocity = NOTHING if c.velocity.is_zero else c.velocity.rate
    rows.append(Held(next_label(m), f"{body.name} rolls without slip", slips, {
        body.u: mirrored(2 * r * tilde(n) * body.S * body.E, -(2 * r * body.E.T * body.S.T * tilde(n))),
        c.beta: IDENTITY},
        velocity - 2 * r * tilde(c.normal_rate) * body.S * body.E * body.u.rate, "slip", 3))


def _tangency(m: Spatial, c: Contact) -> Block:
    """b₃ (A7), with δ (A4)."""
    if c.K.is_zero:
        return NOTHING
    tail, k = tail_of(m, c.solid.name), c.k
    Delta = named_block(f"Delta{tail}")
    delta = m.define([f"delta{tail}"], "number in the second derivative of n")
    size, mixed = k.T * k, k.rate.T * k
    m.surfaces.append(Line(delta, over(over(3 * power(mixed, "2"), size) - k.rate.T * k.rate, power(size, "3/2"))))
    return -(c.radius * (Delta * c.K.rate * c.alpha.rate + delta * k - over(2 * mixed, power(size, "3/2")) * k.rate))


def _carried(m: Spatial, c: Contact) -> tuple[Block, Block]:
    """C₁ = ∂(S ρ)/∂u (24) and -C₂ u̇ with C₂ = Ċ₁ (26)."""
    n, tail, body = m.n, tail_of(m, c.solid.name), c.solid
    own = next(parts for vector, parts in m.columns if vector == body.u)
    rho = next(line.right for line in m.arms if line.left == c.rho)
    assert isinstance(rho, Grid)
    offset = [row[0] for row in rho.rows]
    S_rho = [sum((entry * x for entry, x in zip(row, offset, strict=True)), start=ZERO)  # type: ignore[operator]
             for row in quaternion_rotation(own)]
    C1 = m.define([f"C_1{tail}"], "3 x 4 matrix, takes the rate of u to that of S rho")
    C2 = m.define([f"C_2{tail}"], "3 x 4 matrix, the rate of C_1")
    m.arms += [Line(C1, Grid(tuple(tuple(n.simple(entry) for entry in row) for row in jacobian(S_rho, own)))),
               Line(C2, C1.rate)]
    return C1, -(C2 * body.u.rate)


def _add_shared_point(m: Spatial, joint: Joint) -> None:
    """Two points stay together, w₂ + S₂ p₂ = w₁ + S₁ p₁; by uᵀu = 1 the rate of S p is -2 S p̃ E u̇."""
    value, entries, bends = NOTHING, dict[Block, Block](), list[Block]()
    between = list[tuple[Solid | None, Block, Block]]()
    for sign, end in ((1, joint.two), (-1, joint.one)):
        p = _point(m, end)
        if end.body.kind == "ground":
            value = value - p if sign > 0 or not value.is_zero else -p
            between.append((None, NOTHING, p))
            continue
        solid = m.solids[end.body.name]
        at, turning = solid.S * p, mirrored(2 * solid.S * tilde(p) * solid.E, -(2 * solid.E.T * tilde(p) * solid.S.T))
        bend = solid.S * tilde(solid.omega) * tilde(solid.omega) * p
        value = value + solid.w + at if sign > 0 else value - solid.w - at
        entries[solid.w] = IDENTITY if sign > 0 else -IDENTITY
        if not turning.is_zero:
            entries[solid.u] = -turning if sign > 0 else turning
        bends.append(-bend if sign > 0 else bend)
        between.append((solid, p, solid.w + at))
    m.rows.append(Held(next_label(m), f"shared point of {joint.name}", value, entries, positive_first(bends),
                       "ball-joint", 3, between=tuple(between)))


def _add_no_spin(m: Spatial, name: str, c: Contact) -> None:
    """φ_NS = kᵀ S ω (39) and its row (41)."""
    body = c.solid
    label = "NS" if sum(row.kind == "no-spin" for row in m.rows) == 0 else f"NS_{symbol_name(name)}"
    right = NOTHING if c.K.is_zero else -(c.k.rate.T * body.S * body.E * body.u.rate)
    m.rows.append(Held(label, f"{body.name} does not spin about the normal", c.k.T * body.S * body.omega,
                       {body.u: c.k.T * body.S * body.E}, right, "no-spin", 1))


def _add_energy(m: Spatial) -> None:
    """The energy stays (33), with the row (35), corrected."""
    entries, right = dict[Block, Block](), NOTHING
    for solid in m.solids.values():
        entries[solid.w] = solid.mass * solid.w.rate.T
        right = right + solid.w.rate.T * solid.force
        if solid.rotates:
            entries[solid.u] = 4 * solid.u.rate.T * solid.E.T * solid.J * solid.E
            right = right + solid.omega.T * solid.torque
    m.rows.append(Held("E", "the energy stays constant", NOTHING, entries, right, "energy", 1, invariant=True))


def coordinates(m: Spatial) -> Block:
    """q as its vectors one below the other."""
    return stacked(vector for vector, _ in m.columns)
