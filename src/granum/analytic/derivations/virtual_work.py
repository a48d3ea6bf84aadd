"""virtual-work as it is derived: virtual displacements, works of inertia and forces, the inequality of friction."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import starmap

from granum.algebra import Expression, function, symbol
from granum.algebra.expression import ZERO, rebuild
from granum.algebra.polynomial import UNKNOWN
from granum.algebra.show import latex, text
from granum.algebra.vectors import dot, total
from granum.analytic.derivations.blocks import NOTHING, Block, added, tilde
from granum.analytic.derivations.common import (
    DIFFERENTIATED,
    acceleration_lines,
    constraints_step,
    coordinates_step,
    derivation,
)
from granum.analytic.derivations.derivation import Derivation, Label, Line, Step
from granum.analytic.derivations.independent import Kinematics, independent
from granum.analytic.derivations.notation import Notation, notation_of
from granum.analytic.derivations.positions import position_steps
from granum.analytic.derivations.quantities import Quantity
from granum.analytic.derivations.rigidity import strained_bodies, stress_steps
from granum.analytic.derivations.spatial import spatial
from granum.analytic.derivations.spatial_motion import accelerations, laws, listed, motions, rate_lines
from granum.analytic.derivations.spatial_parts import Spatial
from granum.analytic.derivations.spatial_steps import (
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
from granum.analytic.parametrised import RIGIDITY
from granum.analytic.virtual_work import STRAINS, VirtualWork, affine_formulas, compatibility
from granum.base.text import count

_PRINCIPLE = ("The principle of virtual work (d'Alembert 1743; Souchet): the inertial forces `L` and the applied "
              "forces `Q` do the same work, `sum (L_i - Q_i) w_i = 0`, in every virtual displacement `w` that the "
              "constraints and the rigidity of the bodies allow. Ideal constraints do none.")
_IN_VECTORS = ("The principle of virtual work (d'Alembert 1743; Souchet): the inertial forces and the applied forces "
               "do the same work in every virtual displacement that the constraints and the rigidity of the bodies "
               "allow. Ideal constraints do none.")


_WITH_MULTIPLIERS = _IN_VECTORS.replace("inertial forces", "inertial forces `L`").replace(
    "applied forces", "applied forces `Q`")


def of_formulas(equations: VirtualWork) -> Derivation:
    """Virtual displacements, works, the principle, and what it says for each independent displacement."""
    n = notation_of(equations)
    if (m := spatial(n)) is not None:
        return _in_vectors(m)
    normals, slips = _contact_rows(n)
    held = [not (row.invariant or k in normals or k in slips) for k, row in enumerate(n.system.rows)]
    k, released = independent(n, held, numbers(n, equations), virtual=True), [*normals, *slips]
    if k is None:  # no short form: displacements of all coordinates, with multipliers for what holds them
        k, released = Kinematics(tuple(n.v), (), tuple(n.v), n.simple), list(range(len(n.system.rows)))
    w, free = _displacements(n, k)
    mass, bias = affine_formulas(n.system)
    L = [n.simple(dot([n.show(entry) for entry in row], n.a) + n.show(h)) for row, h in zip(mass, bias, strict=True)]
    Q = [n.shown(one) for one in n.system.applied]
    touching = [total(n.shown(n.system.rows[r].A[i]) * n.multipliers[r] for r in released)
                for i in range(len(n.q))]
    B = k.columns(n)
    works = [Line(k.simple(total(B[i][j] * (L[i] - Q[i]) for i in range(len(n.q)))),
                  k.simple(total(B[i][j] * touching[i] for i in range(len(n.q))))) for j in range(len(k.free))]
    of_free = dict(zip(k.free, free, strict=True))
    virtual = [*starmap(Line, k.factors), *(Line(w[i], n.simple(rebuild([rate], dict(of_free))[0]))
                                            for i, rate in enumerate(k.rates) if rate is not n.v[i])]
    inertial, applied = ([n.new([f"{letter}_{q.name}"], f"{meaning} {q.name}", _force_unit(n, q), UNKNOWN)
                          if not one.is_zero else ZERO for q, one in zip(n.q, values, strict=True)]
                         for letter, meaning, values in ((n.letter("L"), "generalised force of inertia of", L),
                                                         (n.letter("Q"), "generalised applied force on", Q)))
    work = Line(total((a - b) * x for a, b, x in zip(inertial, applied, w, strict=True)),
                ZERO if not released else total(one * x for one, x in zip(touching, w, strict=True)))
    listed = ", ".join(f"`{text(one)}`" for one in free)
    return derivation(n, "virtual-work", _PRINCIPLE, [
        coordinates_step(n), *position_steps(n, "Accelerations"), *stress_steps(n, w),
        None if strained_bodies(n) else _rigidity(n, w), _constraints(n, bool(released)),
        _displacement_step(n, listed, tuple(virtual)),
        Step("Inertial forces", "`L_i` of each coordinate: mass times acceleration along its displacement.",
             tuple(Line(a, one) for a, one in zip(inertial, L, strict=True) if not one.is_zero), essential=True)
        if works else None,
        Step("Applied forces", "`Q_i` of each coordinate; those that are not listed are zero.",
             tuple(Line(a, one) for a, one in zip(applied, Q, strict=True) if not one.is_zero), essential=True)
        if works and any(not one.is_zero for one in Q) else None,
        Step("Principle", "For all these virtual displacements" + (
            "; the right-hand side is the work of the forces of constraints that they do not keep." if released else
            "."), (work,))
        if works else None,
        _friction(n),
        Step("Equations of motion", (f"One for each independent displacement{_and_rows(n)}."
                                     if works else "The constraints determine the motion. They are differentiated "
                                     "along it until accelerations appear.") + (
                " Contacts slide here; where one sticks, the rate of its slip velocity is zero instead of its law."
                if normals else ""),
             (*works, *acceleration_lines(n, [r not in slips for r in range(len(n.system.rows))]), *_laws(n)),
             essential=True, equations=True)])


def _constraints(n: Notation, released: bool) -> Step | None:
    """Constraints that are not shown as rigidity already; those of links divided where multipliers are forces."""
    strained = {body.name for body in strained_bodies(n)}
    rows = [row for row in n.system.rows if row.constraint.removesuffix(f".{RIGIDITY}") not in strained]
    return constraints_step(n, rows, released)


def _displacement_step(n: Notation, listed: str, lines: tuple[Line, ...]) -> Step:
    """Which virtual displacements are independent; all where the constraints keep their multipliers."""
    held = [row for row in n.system.rows if not (row.invariant or row.slips)]
    if not listed:
        return Step("Virtual displacements", "The constraints allow none.", essential=True)
    if lines or not held:
        others = " The others follow from the constraints." if lines else ""
        return Step("Virtual displacements", f"Independent: {listed}.{others}", tuple(lines), essential=True)
    return Step("Virtual displacements", f"Those of all coordinates: {listed}. They have no short form "
                "by independent ones here, so that each constraint keeps its multiplier.", essential=True)


def _in_vectors(m: Spatial) -> Derivation:
    """Works of inertia and forces on mass centres and rotations, by virtual rotations that the constraints allow."""
    found = motions(m)
    if found is None:
        return _multiplied(m, m.letter("q", f"{len(m.n.q)}-vector of all coordinates"))
    a = accelerations(m, found)
    both, velocities = laws(m, found, a)
    shifts = {velocity: _virtual(m, velocity) for velocity in velocities}
    lines, work = list[Line](), NOTHING
    for solid in m.solids.values():
        by, shift = found.of[solid.name].by, shifts.get(solid.w.rate)
        if shift is None:
            shift = _virtual(m, solid.w.rate)
            lines.append(Line(shift, added(W * shifts[velocity] for velocity, W in by.items())))
        work = work + (solid.mass * a.linear[solid.name] - solid.force).T * shift
        if solid.rotates:
            turning = solid.J * a.angular[solid.name] + tilde(solid.omega) * solid.J * solid.omega - solid.torque
            work = work + turning.T * shifts[solid.omega]
    return derivation(m.n, "virtual-work", _IN_VECTORS, [
        *coordinate_steps(m), surface_step(m, turning=False), point_step(m, turning=False),
        outline_step(m, turning=False), holding_step(m),
        Step("Velocities", f"All rates by {listed(velocities)}; they satisfy the constraints.",
             tuple(rate_lines(m, found)), True),
        Step("Accelerations", f"The derivatives of these rates. {a.told}", a.lines, True),
        Step("Virtual displacements", f"{count(3 * len(shifts), 'displacement')} are independent, the components of "
             f"{listed(shifts.values())}." + (" The others follow as the velocities do." if lines else ""),
             tuple(lines), True),
        load_step(m),
        Step("Principle", "The inertial forces and the applied forces do the same work in every virtual displacement.",
             (Line(work, NOTHING),), True),
        Step("Equations of motion", "One for each independent displacement.", tuple(
            Line(left - right, NOTHING) for left, right in both), True, True)])


def _virtual(m: Spatial, velocity: Block) -> Block:
    """The virtual displacement that belongs to a velocity: δw of a mass centre, δφ of an angular velocity."""
    name = velocity.text.removesuffix("_dot").replace("omega", "phi", 1)
    for solid in m.solids.values():
        if velocity == solid.omega:
            meaning, unit = f"3-vector, virtual rotation of {solid.name}, body axes", "rad"
        elif velocity == solid.w.rate:
            of = f"the mass centre of {solid.name}" if solid.rotates else solid.name
            meaning, unit = f"3-vector, virtual displacement of {of}", "m"
    return m.define([f"delta_{name}"], meaning, unit, latex=rf"\delta {latex(symbol(name))}")


def _multiplied(m: Spatial, q: Block) -> Derivation:
    """Displacements of all coordinates, with multipliers for the constraints that hold them."""
    rows, free = [row for row in m.rows if not row.invariant], len(m.n.q)
    (L, Q, A), delta = (m.n.letter(letter) for letter in "LQA"), f"delta_{q.text}"
    return derivation(m.n, "virtual-work", _WITH_MULTIPLIERS, [
        *coordinate_steps(m, q), point_step(m), hinge_step(m), link_step(m), load_step(m), surface_step(m),
        outline_step(m),
        Step("Constraints", "They restrain the virtual displacements of the coordinates.", tuple(
            Line(row.value, NOTHING) for row in rows), True),
        Step("Principle", f"`{delta}` are virtual displacements of all {free} coordinates. In those that a constraint "
             "does not allow, its force `A^T lambda` does work too. The inertial force on a mass centre is `m w_ddot`, "
             "that on a quaternion `2 E^T (J omega_dot + tilde(omega) J omega)` with `omega_dot = 2 E u_ddot`.", (
                 Line(Label(f"({L} - {Q})^T {delta}", rf"({L} - {Q})^T\, \delta {latex(symbol(q.text))}"),
                      Label(f"lambda^T {A} {delta}", rf"\lambda^T {A}\, \delta {latex(symbol(q.text))}")),)),
        Step("Equations of motion", f"`{L} = {Q} + {A}^T lambda`, by vectors of coordinates, and each constraint "
             "differentiated along the motion until accelerations appear.",
             tuple(multiplier_lines(m, rows, momentum=True)), True, True)])


def _contact_rows(n: Notation) -> tuple[list[int], list[int]]:
    """Rows of normal forces and of slips."""
    rows = [(row.constraint, row.number) for row in n.system.rows]
    return (sorted({rows.index(f.normal) for f in n.system.frictions}),
            [k for k, row in enumerate(n.system.rows) if row.slips])


def _displacements(n: Notation, k: Kinematics) -> tuple[list[Expression], list[Expression]]:
    """w of each coordinate, and of each independent velocity."""
    def displacement(velocity: Expression) -> Expression:
        name = velocity.name.removesuffix("_dot")
        meaning = f"virtual displacement of {name}"
        if velocity not in n.v:  # a rotation
            name = name.replace("omega_", "phi_", 1)
            meaning = n.quantities[velocity.name].meaning.replace("angular velocity", "virtual rotation")
        return n.new([f"w_{name}"], meaning, n.quantities[velocity.name].unit.replace("/s", ""),
                     latex=rf"\delta {latex(symbol(name))}", kind=UNKNOWN)

    w = [displacement(v) for v in n.v]
    return w, [w[n.v.index(u)] if u in n.v else displacement(u) for u in k.free]


def _rigidity(n: Notation, w: Sequence[Expression]) -> Step | None:
    """The conditions S_i w_i = 0 of bodies whose parameters could deform them."""
    conditions = [(body, "xyz"[a] + "xyz"[b], n.simple(dot([n.show(entry) for entry in row], w)))
                  for body, table in compatibility(n.system) for (a, b), row in zip(STRAINS, table, strict=True)]
    if not any(not value.is_zero for _, _, value in conditions):
        return None
    return Step("Rigidity", "The strain rate `S_i w_i` of each body vanishes, `S_i = sym(dR/dq_i R^-1)`.", tuple(
        Line(value, ZERO) for _, _, value in conditions if not value.is_zero))


def _and_rows(n: Notation) -> str:
    """What joins the equations of the displacements: the constraints, where there are some."""
    return f", and {DIFFERENTIATED}" if n.system.rows else ""


def _force_unit(n: Notation, q: Expression) -> str:
    """Unit of the generalised force on a coordinate; empty for one of the user."""
    return {"m": "N", "rad": "N m"}.get(n.quantities[q.name].unit, "")


def _friction(n: Notation) -> Step | None:
    """The inequality of Duvaut and Lions, and both regimes."""
    if not n.system.frictions:
        return None
    lines: list[Line] = []
    rows = [(row.constraint, row.number) for row in n.system.rows]
    for friction in n.system.frictions:
        N = n.multipliers[rows.index(friction.normal)]
        mu, slip, force = _coulomb(n, friction.name)
        size, speed = (_length(parts) for parts in (force, slip))
        lines += [Line(u, n.shown(formula)) for u, formula in zip(slip, friction.slip, strict=True)]
        T, v = ", ".join(map(text, force)), ", ".join(map(text, slip))
        lines.append(Line(
            Label(f"T (v - u) + {text(mu)}*abs({text(N)})*(abs(v) - abs(u))",
                  rf"T \cdot (v - u) + {latex(mu)} \left|{latex(N)}\right| \left(|v| - |u|\right)"),
            Label(f"0  for all v, with T = ({T}), u = ({v})",
                  rf"0 \quad \forall v, \quad T = ({', '.join(map(latex, force))}), \; "
                  rf"u = ({', '.join(map(latex, slip))})"), ">="))
        lines.append(Line(
            Label(f"stick, u = 0: {size[0]}", rf"u = 0: \quad {size[1]}"),
            Label(f"{text(mu)}*abs({text(N)})", rf"{latex(mu)} \left|{latex(N)}\right|"), "<="))
        lines += [Line(Label(f"slide: {text(one)}", rf"u \ne 0: \quad {latex(one)}"),
                       Label(f"-{text(mu)}*abs({text(N)})*{text(u)}/{speed[0]}",
                             rf"-{latex(mu)} \left|{latex(N)}\right| \frac{{{latex(u)}}}{{{speed[1]}}}"))
                  for one, u in zip(force, slip, strict=True)]
    lines.append(_inequality(n))
    return Step("Coulomb friction", "The friction force `T` and the slip velocity `u` satisfy a variational inequality "
                "(Duvaut and Lions 1972; Souchet, corrected). It has two regimes: stick and slip.", tuple(lines), True)


def _inequality(n: Notation) -> Line:
    """The principle without friction forces: T v + k |N| |v| is never negative, and zero for v = u."""
    rows = [(row.constraint, row.number) for row in n.system.rows]
    parts = [(mu, n.multipliers[rows.index(friction.normal)], slip) for friction in n.system.frictions
             for mu, slip, _ in [_coulomb(n, friction.name)]]
    shown = [(f"{text(mu)}*abs({text(N)})*abs(v_{slip[0].name[2:]})",
              rf"{latex(mu)} \left|{latex(N)}\right| \left|v_{{\mathrm{{{slip[0].name[2:]}}}}}\right|")
             for mu, N, slip in parts]
    return Line(Label(" + ".join(["sum (L_i - Q_i) w_i", *(one for one, _ in shown)]),
                      " + ".join([r"\sum (L_i - Q_i)\, w_i", *(two for _, two in shown)])),
                Label("0  for all w that keep the contacts, with slip v; equal where w are the rates",
                      r"0 \quad \forall w, \text{ with equality where $w$ are the rates}"), ">=")


def _coulomb(n: Notation, name: str) -> tuple[Expression, list[Expression], list[Expression]]:
    """Coefficient, slip velocities and forces of a friction as symbols."""
    (friction,) = (one for one in n.system.frictions if one.name == name)
    own = name.replace("-", "_").replace(".", "_")
    rows = [k for k, row in enumerate(n.system.rows) if row.slips and row.constraint == name]
    mu = f"mu_{own}"
    if mu not in n.quantities:
        n.quantities[mu] = Quantity(n.names.fresh(mu), f"coefficient of friction of {name}", value=friction.coefficient)
    parts = [f"u_{own}" + (f"_{k + 1}" if len(rows) > 1 else "") for k in range(len(rows))]
    for part in parts:
        n.quantities.setdefault(part, Quantity(part, f"slip velocity of {name}", "m/s"))
    return symbol(mu), list(map(symbol, parts)), [n.multipliers[k] for k in rows]


def _laws(n: Notation) -> list[Line]:
    """What the friction forces are while all contacts slide."""
    lines = []
    rows = [(row.constraint, row.number) for row in n.system.rows]
    for friction in n.system.frictions:
        N = n.multipliers[rows.index(friction.normal)]
        mu, slip, force = _coulomb(n, friction.name)
        speed = function("abs", slip[0]) if len(slip) == 1 else total(u**2 for u in slip) ** 0.5
        pressing = function("abs", N) if friction.bilateral else N
        lines += [Line(one, -(mu * pressing * u / speed)) for one, u in zip(force, slip, strict=True)]
    return lines


def _length(parts: Sequence[Expression]) -> tuple[str, str]:
    """|(a, b)| as text and LaTeX."""
    if len(parts) == 1:
        return f"abs({text(parts[0])})", rf"\left|{latex(parts[0])}\right|"
    return (f"sqrt({' + '.join(f'{text(p)}**2' for p in parts)})", rf"\left|({', '.join(map(latex, parts))})\right|")


