"""newton-euler as it is derived: Newton's law of each body, and a linear system for the forces of links and joints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from granum.algebra import Expression, gradient
from granum.algebra.expression import ONE, ZERO, as_expression, number, rebuild
from granum.algebra.polynomial import COORDINATE, RATE, UNKNOWN
from granum.algebra.show import minus_first
from granum.algebra.vectors import cross, dot, minus, quaternion_spin, quaternion_torque, total, vector
from granum.analytic.derivations.common import coordinates_step, derivation, named, named_entries
from granum.analytic.derivations.derivation import Derivation, Grid, Label, Line, Step
from granum.analytic.derivations.notation import Notation, notation_of
from granum.analytic.derivations.quantities import subscripts
from granum.analytic.derivations.spatial import spatial
from granum.analytic.derivations.spatial_newton_euler import in_vectors
from granum.analytic.equations import NewtonEuler
from granum.analytic.expressed_parts import Row
from granum.analytic.rigid_bodies.equations import BodyEquations
from granum.assembly.points import PointSystem
from granum.base.errors import GranumError, Problem, SceneError
from granum.model.connections import Rolling
from granum.rows.joint import AXES
from granum.rows.system import symbol_name

_LINKS = ("Newton's law of each mass with the forces `gamma` of the links, tension positive. The links keep their "
          "lengths; that gives a linear system `H gamma = b` for the forces alone, with `H = C E^T M^-1 E C` summed "
          "over the axes (Sun 1996, sections 3.4 and 3.5.4, corrected).")
_JOINTS = ("Newton's and Euler's laws of each body, `M a = f + J^T lambda`, with the accelerations `a` of the mass "
           "centres and the angular accelerations. The joints require `J a = b`; that gives a linear system "
           "`H lambda = b - J M^-1 f` for the joint forces alone, with `H = J M^-1 J^T`.")

_FEW = 6
"""Rows of joints for which H is written entry by entry."""


class _Link(NamedTuple):
    """A link with its symbols."""

    name: str
    short: str
    ends: tuple[str, str]
    length: Expression
    direction: list[Expression]
    apart: list[Expression]
    """From tail to head."""
    speed: list[Expression]
    gamma: Expression


def of_links(equations: NewtonEuler) -> Derivation:
    """H γ = b of point masses and links."""
    n, dimension = notation_of(equations), equations.system.dimension
    links = _links(n, equations)
    masses, forces = masses_of(n, equations.system), external_forces(n)
    directions = [Line(u, n.simple(x / link.length)) for link in links
                  for u, x in zip(link.direction, link.apart, strict=True)]
    H, entries = _matrix(n, links, masses)
    b, right = _right(n, links, masses, forces)
    solved = [Line(dot(row, [link.gamma for link in links]), one) for row, one in zip(H, b, strict=True)]
    laws = [Line(mass * n.a[n.system.coordinates.index(c.name)], total(
        sign * (link.gamma * link.direction[k]) for link in links
        for sign, end in ((1.0, link.ends[0]), (-1.0, link.ends[1])) if end == body) + n.simple(forces[body][k]))
        for body, mass in masses.items() for k, c in enumerate(n.positions[body][:dimension])]
    names = [n.show(n.positions[body][k]).name for k in range(dimension) for body in masses]
    return derivation(n, "newton-euler", _LINKS, coordinates=names, steps=[
        coordinates_step(n, "Rectangular coordinates of the masses: "),
        incidence_step(n, list(masses), [link.name for link in links], [link.ends for link in links]),
        Step("Directions of the links", "Unit vectors from tail to head, the diagonal entries of `C`.",
             tuple(directions), essential=True),
        Step("Matrix of the link forces", "`H` couples links that share a mass.", tuple(entries), essential=True),
        Step("Right-hand side", "`b` is the relative speed of the ends squared over the length, less the external "
             "forces per mass along the link.", tuple(right), essential=True),
        Step("Equations of motion", "`H gamma = b` gives the link forces, Newton's law the accelerations.",
             (*solved, *laws), essential=True, equations=True)])


def masses_of(n: Notation, system: PointSystem) -> dict[str, Expression]:
    """Masses of the bodies that move, in the order of the arrays."""
    every = {body.name: body.mass for body in n.system.bodies}
    return {name: every[name] for name in (system.body_name(k) for k in range(system.body_count)) if name in every}


def incidence_step(n: Notation, masses: Sequence[str], links: Sequence[str], ends: Sequence[tuple[str, str]]) -> Step:
    """E of masses and links."""
    entries = Grid(tuple(tuple(number((tail == body) - (head == body)) for tail, head in ends) for body in masses))
    return Step("Incidence matrix", f"`E` has a row for each mass ({', '.join(masses)}) and a column for each link "
                f"({', '.join(links)}): 1 where the link begins, -1 where it ends.",
                (Line(named(n.letter("E")), entries),),
                essential=True)


def link_length(n: Notation, name: str) -> Expression:
    """Length of a link, as its row has it."""
    (row,) = (row for row in n.system.rows if row.name == name)
    return row.value.arguments[1].arguments[1]


def _links(n: Notation, equations: NewtonEuler) -> list[_Link]:
    """Symbols of all links: their directions and forces."""
    system, dimension = equations.system, equations.system.dimension
    names = [system.link_name(k) for k in range(len(system.links.tail))]
    shorts, made = subscripts(names), []
    for k, name in enumerate(names):
        ends = system.body_name(int(system.links.tail[k])), system.body_name(int(system.links.head[k]))
        tail, head = ([n.show(c) for c in n.positions[end][:dimension]] for end in ends)
        apart = [b - a for a, b in zip(tail, head, strict=True)]
        short = shorts[name]
        made.append(_Link(
            name, short, ends, link_length(n, name),
            [n.new([f"n_{short}_{axis}"], f"{axis} component of the direction of {name}", kind=COORDINATE)
             for axis in AXES[:dimension]], apart, [n.rate(x) for x in apart],
            n.new([f"gamma_{short}"], f"force of {name}, tension positive", "N", UNKNOWN)))
    return made


def external_forces(n: Notation) -> dict[str, list[Expression]]:
    """External forces on each body, by component."""
    index = {name: k for k, name in enumerate(n.system.coordinates)}
    return {body.name: [n.show(n.system.applied[index[c.name]]) for c in body.position if c.kind == "symbol"]
            for body in n.system.bodies}


def _matrix(n: Notation, links: Sequence[_Link],
            masses: dict[str, Expression]) -> tuple[list[list[Expression]], list[Line]]:
    """H as symbols, zero where two links share no mass, and a line for each entry."""
    H = [[ZERO for _ in links] for _ in links]
    lines = []
    for i, one in enumerate(links):
        for j, two in enumerate(links[: i + 1]):
            shared = [(sign, masses[a]) for s, a in zip((1, -1), one.ends, strict=True)
                      for sign, b in zip((s, -s), two.ends, strict=True) if a == b and a in masses]
            if not shared:
                continue
            weight = total((ONE if sign > 0 else -ONE) / mass for sign, mass in shared)
            value = weight if i == j else n.simple(weight * dot(two.direction, one.direction))
            H[i][j] = H[j][i] = n.new([f"H_{two.short}_{one.short}"], f"entry of H for {two.name}" + (
                f" and {one.name}" if one is not two else ""),
                                      "1/kg")
            lines.append(Line(H[i][j], value))
    return H, lines


def _right(n: Notation, links: Sequence[_Link], masses: dict[str, Expression],
           forces: dict[str, list[Expression]]) -> tuple[list[Expression], list[Line]]:
    """b as symbols, and a line for each."""
    symbols, lines = [], []
    for link in links:
        pull = total(sign * (dot(link.direction, forces[end]) / masses[end])
                     for sign, end in ((1.0, link.ends[0]), (-1.0, link.ends[1])) if end in masses)
        b = n.new([f"b_{link.short}"], f"entry of b for {link.name}", "m/s^2")
        symbols.append(b)
        lines.append(Line(b, n.simple(dot(link.speed, link.speed)) / link.length - n.simple(pull)))
    return symbols, lines


# ---- rigid bodies

class _Motion(NamedTuple):
    """A component of the velocity of a body: its symbol and acceleration, inertia, and what pushes it."""

    velocity: Expression
    acceleration: Expression
    inertia: Expression
    push: Expression


def of_joints(equations: BodyEquations) -> Derivation:
    """H λ = b - J M⁻¹ f of rigid bodies and joints."""
    n = notation_of(equations)
    names = [n.q[n.system.coordinates.index(name)].name for name in equations.coordinates]
    if (m := spatial(n)) is not None:
        return in_vectors(m, names)
    _refuse_rolling(equations)
    motions, defined, back = _motions(n)
    rows = [(row, multiplier) for row, multiplier in zip(n.system.rows, n.multipliers, strict=True)
            if not row.name.endswith(".unit") and not row.slips]
    J, b = _jacobian(n, [row for row, _ in rows], motions, back)
    a = [motion.acceleration for motion in motions]
    joints = [Line(n.simple(dot(line, a)), right) for line, right in zip(J, b, strict=True)]
    laws = [Line(motion.inertia * motion.acceleration, n.simple(motion.push + total(
        line[k] * multiplier for line, (_, multiplier) in zip(J, rows, strict=True))))
        for k, motion in enumerate(motions)]
    few = len(rows) <= _FEW
    entries = _joint_matrix(n, J, motions, [n.row_names()[row.name] for row, _ in rows]) if few else named_entries(
        n, n.letter("J"), J)
    return derivation(n, "newton-euler", _JOINTS, coordinates=names, steps=[
        coordinates_step(n), Step("Angular velocities", "In body axes, by the rates of the quaternion.", tuple(defined),
                                  essential=True) if defined else None,
        Step("Matrix of the joint forces", "`H = J M^-1 J^T` couples joints that share a body." + (
            "" if few else " `J` has a row for each row of a joint, and a column for each acceleration of a body, in "
            "the order of the laws below."), tuple(entries), essential=not defined) if entries else None,
        Step("Equations of motion", "The law of each body, and `J a = b` of each joint. `M` is diagonal, so that the "
             "joint forces follow from `H lambda = b - J M^-1 f`.", (*laws, *joints, *_quaternion_lines(n, back)),
             essential=True, equations=True)])


def _refuse_rolling(equations: BodyEquations) -> None:
    """Bodies that roll, in a scene that has no vectors: their contact is no short formula of components."""
    for name, entry in equations.scene.constraint.items():
        if isinstance(entry, Rolling) and equations.scene.dimension == 3:
            raise SceneError([Problem(f"constraint.{name}", "newton-euler runs this scene, but writes equations of "
                                      "bodies that roll only for balls, disks and ellipsoids with ball joints, hinges, "
                                      "links and springs. Use fundamental, lagrange, gibbs-appell or virtual-work.")])


def _motions(n: Notation) -> tuple[list[_Motion], list[Line], dict[Expression, tuple[Expression, Expression]]]:
    """Velocities of all bodies; definitions of angular velocities; rates and second rates of quaternions by them."""
    motions, defined, back = [], list[Line](), dict[Expression, tuple[Expression, Expression]]()
    index = {name: k for k, name in enumerate(n.system.coordinates)}
    for body in n.system.bodies:
        places = [index[c.name] for c in body.position if c.kind == "symbol"]
        motions += [_Motion(n.v[k], n.a[k], n.show(body.mass), n.show(n.system.applied[k])) for k in places]
        if body.rotation is None:
            continue
        own, inertia = places[-1] + 1, body.moments
        if len(places) == 2:
            motions.append(_Motion(n.v[own], n.a[own], n.show(as_expression(inertia[2][2])),
                                   n.show(n.system.applied[own])))
            continue
        u, rates = n.q[own : own + 4], n.v[own : own + 4]
        short = symbol_name(body.name)
        omega = vector([n.new([f"omega_{short}_{axis}"], f"angular velocity of {body.name} about its {axis} axis",
                              "rad/s", RATE) for axis in AXES])
        alpha = [n.new([f"alpha_{short}_{axis}"], f"angular acceleration of {body.name} about its {axis} axis",
                       "rad/s^2", UNKNOWN) for axis in AXES]
        defined += [Line(w, n.simple(value)) for w, value in zip(omega, quaternion_spin(u, rates), strict=True)]
        moments = [[n.show(as_expression(entry)) for entry in row] for row in inertia]
        if any(not moments[i][j].is_zero for i in range(3) for j in range(3) if i != j):
            raise GranumError(f'the axes of "{body.name}" are not its principal axes, so that newton-euler has no '
                              "short formulas. Use fundamental.")
        momentum = vector([moments[k][k] * omega[k] for k in range(3)])
        applied = quaternion_torque(u, [n.show(n.system.applied[own + k]) for k in range(4)])
        push = minus(applied, cross(omega, momentum))
        motions += [_Motion(omega[k], alpha[k], moments[k][k], push[k]) for k in range(3)]
        for k in range(4):
            E = [quaternion_spin(u, [ONE if k == j else ZERO for j in range(4)])[i] / 4.0 for i in range(3)]
            slow = [quaternion_spin(rates, [ONE if k == j else ZERO for j in range(4)])[i] / 4.0 for i in range(3)]
            back[n.v[own + k]] = dot(E, omega), dot(E, alpha) + dot(slow, omega)
    return motions, defined, back


def _jacobian(n: Notation, rows: Sequence[Row], motions: Sequence[_Motion],
              back: dict[Expression, tuple[Expression, Expression]]) -> tuple[list[list[Expression]], list[Expression]]:
    """J and b by velocities and accelerations of the bodies."""
    replaced = {acceleration: back[v][1] for v, acceleration in zip(n.v, n.a, strict=True) if v in back}
    a = [motion.acceleration for motion in motions]
    J, b = [], []
    for row in rows:
        whole = dot([n.show(entry) for entry in row.A], n.a) - n.show(row.b)
        (whole,) = rebuild([whole], dict(replaced))
        line = gradient(whole, a)
        J.append([n.simple(entry) for entry in line])
        b.append(n.simple(-rebuild([whole], dict.fromkeys(a, ZERO))[0]))
    return J, b


def _joint_matrix(n: Notation, J: Sequence[Sequence[Expression]], motions: Sequence[_Motion],
                  shorts: Sequence[str]) -> list[Line]:
    """Entries of J M⁻¹ Jᵀ that are not zero."""
    lines = []
    for i, one in enumerate(J):
        for j, two in enumerate(J[: i + 1]):
            by_inertia = dict[Expression, Expression]()  # a term for each body: 1/m_1 + 1/m_2 + l**2/(4*I_2)
            for p, q, motion in zip(one, two, motions, strict=True):
                by_inertia[motion.inertia] = by_inertia.get(motion.inertia, ZERO) + p * q
            value = total(sorted((n.simple(product / inertia) for inertia, product in by_inertia.items()),
                                 key=minus_first))
            if not value.is_zero:
                below = [shorts[k].replace("_", r"\_") for k in (j, i)]
                label = Label(f"H[{shorts[j]}, {shorts[i]}]", rf"H_{{\mathrm{{{below[0]}}},\,\mathrm{{{below[1]}}}}}")
                lines.append(Line(label, value))
    return lines


def _quaternion_lines(n: Notation, back: dict[Expression, tuple[Expression, Expression]]) -> list[Line]:
    """Second derivatives of quaternions."""
    second = dict(zip(n.v, n.a, strict=True))
    return [Line(second[v], n.simple(value)) for v, (_, value) in back.items()]

