"""Links of a 3-D scene in vectors: the ends of a link keep their distance, (dᵀd - l²)/2l = 0 with d between them.

With n = d/l its rate is nᵀ(ṙ₂ - ṙ₁), and nᵀ(r̈₂ - r̈₁) = -ḋᵀḋ/l.
"""

from __future__ import annotations

from collections.abc import Callable

from granum.algebra import as_expression
from granum.analytic.derivations.blocks import NOTHING, Block, mirrored, over, power, scalar, tilde
from granum.analytic.derivations.derivation import Line
from granum.analytic.derivations.quantities import subscripts
from granum.analytic.derivations.spatial_parts import Held, Solid, Spatial, next_label
from granum.rows.body import End
from granum.rows.joint import Joint

Ends = tuple[tuple[Solid | None, Block], tuple[Solid | None, Block]]
"""Two bodies, or the ground, with points of them."""


def apart(ends: Ends) -> Block:
    """r₂ - r₁ of two points of bodies, or fixed points."""
    (one, p), (two, s) = ends
    first = s if two is None else two.w + two.S * s
    return first - p if one is None else first - one.w - one.S * p


def apart_rate(ends: Ends) -> Block:
    """Its rate."""
    (one, p), (two, s) = ends
    first = NOTHING if two is None else two.w.rate - two.S * tilde(s) * two.omega
    return first if one is None else first - one.w.rate + one.S * tilde(p) * one.omega


def add_link(m: Spatial, joint: Joint, point: Callable[[Spatial, End], Block]) -> None:
    """The row of a link, and what its symbols are."""
    assert m.n.assembly is not None and m.n.named is not None
    below = subscripts(m.n.assembly.scene.link)[joint.name]
    length = scalar(as_expression(m.n.named.joint(joint).rows[0].offset))
    ends = ((m.solids.get(joint.one.body.name), point(m, joint.one)),
            (m.solids.get(joint.two.body.name), point(m, joint.two)))
    (one, p), (two, s) = ends
    d = m.define([f"d_{below}"], f"3-vector between the ends of {joint.name}", "m")
    n = m.define([f"n_{below}", f"n_link_{below}"], f"3-vector, direction of {joint.name}")
    m.links += [Line(d, apart(ends)), Line(d.rate, apart_rate(ends)), Line(n, over(d, length))]
    entries, right = dict[Block, Block](), -over(d.rate.T * d.rate, length)
    for sign, solid, at in ((1, two, s), (-1, one, p)):
        if solid is None:
            continue
        entries[solid.w] = n.T if sign > 0 else mirrored(-n.T, -n)
        turned = mirrored(2 * n.T * solid.S * tilde(at) * solid.E, -(2 * solid.E.T * tilde(at) * solid.S.T * n))
        bend = n.T * solid.S * tilde(solid.omega) * tilde(solid.omega) * at
        if not at.is_zero and solid.rotates:
            entries[solid.u] = -turned if sign > 0 else turned
            right = right - bend if sign > 0 else right + bend
    m.rows.append(Held(next_label(m), f"length of {joint.name}", over(d.T * d - power(length, "2"), 2 * length),
                       entries, right, "link", 1, between=((two, s, n), (one, p, n))))
