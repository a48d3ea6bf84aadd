"""Springs and dampers of a 3-D scene in vectors: what each of them pulls, and what that is on a body."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from granum.algebra import Expression, as_expression
from granum.algebra.expression import ZERO, Scalar
from granum.analytic.derivations.blocks import NOTHING, Block, added, over, power, scalar, tilde
from granum.analytic.derivations.derivation import Line
from granum.analytic.derivations.notation import Notation
from granum.analytic.derivations.quantities import subscripts
from granum.analytic.derivations.spatial_links import apart, apart_rate
from granum.analytic.derivations.spatial_parts import Solid, Spatial, tail_of
from granum.loads.load import BodyLoad
from granum.model.loads import Spring
from granum.rows.body import End


def _springs(n: Notation) -> list[tuple[tuple[End, ...], BodyLoad]]:
    """Their ends, and each with its coefficients as symbols."""
    if n.assembly is None or n.named is None:
        return []
    return [(load.ends, n.named.load(load)) for load in n.assembly.loads if isinstance(load.entry, Spring)]


def without_springs(n: Notation) -> dict[Expression, Scalar]:
    """What leaves the other loads of all bodies: stiffness and damping of zero."""
    return {c: ZERO for _, load in _springs(n) for c in map(as_expression, (load.entry.stiffness, load.entry.damping))
            if c.kind == "symbol"}


def add_springs(m: Spatial, point: Callable[[Spatial, End], Block]) -> None:
    """Add the forces f of all springs, -(k (l - l₀) + c l̇) d/l on the second end, to the loads of the bodies."""
    pulled = dict[str, list[tuple[int, Block, Block]]]()
    assert m.n.assembly is not None
    for (first, second), load in _springs(m.n):
        below = subscripts(m.n.assembly.scene.load)[load.name]
        ends = ((m.solids.get(first.body.name), point(m, first)), (m.solids.get(second.body.name), point(m, second)))
        (one, p), (two, s) = ends
        d = m.define([f"d_{below}"], f"3-vector between the ends of {load.name}", "m")
        size = m.define([f"l_{below}", f"l_of_{below}"], f"length of {load.name}", "m")
        f = m.define([f"f_{below}"], f"3-vector, force of {load.name} on {second.name}", "N")
        entry, stretch = load.entry, size - scalar(as_expression(load.rest))
        pull = scalar(as_expression(entry.stiffness)) * (size if as_expression(load.rest).is_zero else stretch)
        m.loads += [Line(d, apart(ends)), Line(size, power(d.T * d, "1/2"))]
        if not as_expression(entry.damping).is_zero:
            m.loads.append(Line(size.rate, over(d.T * apart_rate(ends), size)))
            pull = pull + scalar(as_expression(entry.damping)) * size.rate
        m.loads.append(Line(f, -(over(pull, size) * d)))
        for sign, solid, at in ((-1, one, p), (1, two, s)):
            if solid is not None:
                pulled.setdefault(solid.name, []).append((sign, at, f))
    for name, forces in pulled.items():
        m.solids[name] = _pulled(m, m.solids[name], forces)


def _pulled(m: Spatial, solid: Solid, forces: list[tuple[int, Block, Block]]) -> Solid:
    """A body with the resultant of the springs and their torque about its mass centre, in body axes."""
    tail = tail_of(m, solid.name)
    pulls = added(f if sign > 0 else -f for sign, _, f in forces)
    by_point = dict[Block, Block]()
    for sign, at, f in forces if solid.rotates else ():
        by_point[at] = by_point.get(at, NOTHING) + (f if sign > 0 else -f)
    moments = added(tilde(at) * solid.S.T * f for at, f in by_point.items())
    force = m.define([f"F{tail}", f"F_sum{tail}"], f"3-vector, all applied forces on {solid.name}", "N")
    m.loads.append(Line(force, solid.force + pulls))
    torque = solid.torque + moments
    if not torque.is_zero:
        named = m.define([f"tau{tail}", f"tau_sum{tail}"], f"3-vector, torque of all loads on {solid.name} about its "
                         "mass centre, body axes", "N m")
        m.loads.append(Line(named, torque))
        torque = named
    return replace(solid, force=force, torque=torque)
