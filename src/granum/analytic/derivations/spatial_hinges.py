"""Hinges of a 3-D scene in vectors: two bodies share an axis e, fixed in the first of them.

With e = S₁ a and two directions N of the second body across it, Nᵀ S₂ᵀ e = 0. The rate of that is B (S₂ω₂ - S₁ω₁) with
B = Nᵀ S₂ᵀ ẽ, since e rotates with the first body and N with the second; the rate of S ω is S α. That both bodies share
a point besides is the condition of a ball joint.
"""

from __future__ import annotations

from collections.abc import Sequence

from granum.algebra import Expression
from granum.algebra.expression import number
from granum.algebra.polynomial import CONSTANT
from granum.analytic.derivations.blocks import NOTHING, Block, mirrored, tilde
from granum.analytic.derivations.derivation import Grid, Line
from granum.analytic.derivations.quantities import Quantity, subscripts
from granum.analytic.derivations.spatial_parts import Held, Spatial, column, next_label
from granum.base.kernels import Floats
from granum.rows.joint import Joint

_ROUNDING = 1e-14
"""Components of directions this close to whole numbers are these."""


def add_axes(m: Spatial, joint: Joint) -> None:
    """The rows of a hinge that keep its axis."""
    assert m.n.assembly is not None
    below = subscripts(m.n.assembly.scene.constraint)[joint.name]
    one, two = (m.solids.get(end.body.name) for end in (joint.one, joint.two))
    first, second = joint.rows[-2:]
    a = m.define([f"a_{below}"], f"3-vector, axis of {joint.name} in the axes of {joint.one.body.name}")
    N = m.define([f"N_{below}"], f"3 x 2 matrix, directions across {joint.name} in the axes of {joint.two.body.name}")
    e = m.define([f"e_{below}"], f"3-vector, axis of {joint.name}, inertial axes")
    B = m.define([f"B_{below}"], f"2 x 3 matrix of the hinge {joint.name}")
    across = [_components(m, N.text, row.w, k) for k, row in enumerate((first, second), 1)]
    inner = N.T if two is None else N.T * two.S.T
    m.hinges += [Line(a, column(_components(m, a.text, first.u))),
                 Line(N, Grid(tuple(zip(*across, strict=True)))),
                 Line(e, a if one is None else one.S * a), Line(B, inner * tilde(e))]
    entries, spin = dict[Block, Block](), NOTHING
    for solid in (two, one):  # a row of one body and the ground is taken with the sign that makes it positive
        if solid is not None:
            turned = mirrored(2 * B * solid.S * solid.E, 2 * solid.E.T * solid.S.T * B.T)
            entries[solid.u] = -turned if entries else turned
            spin = spin - solid.S * solid.omega if len(entries) > 1 else solid.S * solid.omega
    m.rows.append(Held(next_label(m), f"axis of {joint.name}", inner * e, entries, -(B.rate * spin), "hinge", 2,
                       between=((two, B, e), (one, B, e))))


def _components(m: Spatial, name: str, direction: Sequence[float] | Floats, k: int | None = None) -> list[Expression]:
    """A direction in body axes; components that are not whole numbers have names."""
    parts = list[Expression]()
    for i, component in enumerate(map(float, direction), 1):
        whole = float(round(component))
        if abs(component - whole) < _ROUNDING:
            parts.append(number(whole))
            continue
        own = m.n.names.fresh(f"{name}_{i}" if k is None else f"{name}_{i}_{k}")
        which = f"component {i}" if k is None else f"entry {i}, {k}"
        parts.append(m.n.add(Quantity(own, f"{which} of {name}", value=component), CONSTANT))
    return parts
