"""Seams: where elements of boundaries meet, a grain touches what they are together, not each of them.

A grain touches a boundary in the points of it that are nearest to its centre, locally. The nearest point p of a single
element may be on its edge or at its end. If another element passes through p and comes nearer to the centre than p
close by, then p is no such point of both together: it is covered, and the edge is no contact. So a disk that slides
over the joint of two collinear walls touches only the wall below it, one that rolls over a ridge touches it once.

The test is local and the same for all kinds of elements. With the unit vector n from p to the centre, look from
p + ε n: an element that is nearer to it than ε covers p. One that is as near has p for its nearest point, too: the two
are one contact: that of the element whose face it is, or of the first one where it is an edge of both. An element
covers no edge of an element that is nearer to the centre, so that of all that touch, the nearest remains.
"""

from __future__ import annotations

from granum.base.kernels import Floats, Record, Records, inlined, small_kernel
from granum.grains.geometry.elements import BEYOND, EDGE, INSIDE, NX, NY, NZ, PLANE
from granum.grains.geometry.surfaces import touch
from granum.grains.search.history import clear
from granum.grains.state import Int32s

CLOSE_BY = 0.01
"""ε in radii of the grain."""
AS_NEAR = 1e-6
"""Relative difference of distances from p + ε n below which they are equal: far above rounding, and far below what a
grain could see of a step between two walls."""
LEVEL = 1e-9
"""Difference of distances from the centre, in radii of the grain, below which two edges are equally near."""


@inlined
def edge_of(element: Record, out: Floats) -> float:
    """Where `touch` has found the nearest point: INSIDE the face of the element, AT_EDGE or BEYOND it."""
    return INSIDE if element.kind == PLANE else out[EDGE]


@inlined
def at_edge(element: Record, out: Floats) -> bool:
    """Is the point that `touch` has found on an edge of the element?"""
    return edge_of(element, out) != INSIDE


@small_kernel
def covering(k: int, begin: int, end: int, near: Int32s, elements: Records, x: float, y: float, z: float, radius: float,
             distance: float, out: Floats) -> int:
    """Which of the elements near[begin:end] covers the edge that near[k] has nearest to a grain, one with its face if
    there is any; -1 if none does.

    Args:
        near: rows of elements, in increasing order.
        x, y, z, radius: of the grain [m].
        distance: of its centre from element k [m].
        out: as `touch` wrote it for element k; it is the same afterwards.
    """
    n_x, n_y, n_z, own = out[NX], out[NY], out[NZ], out[EDGE]
    p_x, p_y, p_z = x - distance * n_x, y - distance * n_y, z - distance * n_z
    reach, level, found, best = CLOSE_BY * radius, LEVEL * radius, -1, BEYOND + 1.0
    for other in range(begin, end):
        if other == k:
            continue
        element = elements[near[other]]
        d = touch(element, x, y, z, out)
        # where two edges have one nearest point, its distances may differ by rounding
        theirs = edge_of(element, out)
        first = theirs < own or (theirs == own and other < k)
        if d > distance + (level if first else -level):
            continue
        w_x, w_y, w_z = x - d * out[NX] - p_x, y - d * out[NY] - p_y, z - d * out[NZ] - p_z
        seen = touch(element, p_x + reach * n_x, p_y + reach * n_y, p_z + reach * n_z, out)
        nearer = seen < (1.0 - AS_NEAR) * reach
        same = seen <= (1.0 + AS_NEAR) * reach and w_x * w_x + w_y * w_y + w_z * w_z <= reach * reach
        if (nearer or same) and theirs < best:
            found, best = other, theirs
    touch(elements[near[k]], x, y, z, out)
    return found


@inlined
def hand_over(source: Record, target: Record) -> None:
    """What the contact at a covered edge remembers goes on in the contact that covers it."""
    target.fx, target.fy, target.fz = target.fx + source.fx, target.fy + source.fy, target.fz + source.fz
    target.tx, target.ty, target.tz = target.tx + source.tx, target.ty + source.ty, target.tz + source.tz
    target.sudden = max(target.sudden, source.sudden)
    clear(source)
