"""Links that move as one rigid part, as in a truss: one angular velocity is that of all of them."""

from __future__ import annotations

import numpy as np

from granum.assembly.assembly import Assembly
from granum.assembly.points.rigidity import net_rigidity


def rigid_parts(assembly: Assembly) -> dict[str, str]:
    """Links of rigid parts of several links, each with the first of its part; of scenes of points and links in 2-D.

    Parts that are rigid to first order at the start keep their shape, because their links keep their lengths. What is
    only generically rigid may move, as two bars on three parallel links of one length do: it is not listed.
    """
    if assembly.scene.has_formulas or assembly.dimension != 2:
        return {}
    points = assembly.points
    found = net_rigidity(points.position, points.fixed, np.column_stack([points.tail, points.head]))
    if found is None or not found.in_position:
        return {}
    parts = dict[int, list[str]]()
    for k, name in enumerate(points.link_names):
        label = int(found.rigidity.label[k])
        if label >= 0:
            parts.setdefault(label, []).append(name)
    return {name: part[0] for part in parts.values() if len(part) > 1 for name in part}
