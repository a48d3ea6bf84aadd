"""The gather: which neighbours and boundary elements of a row are contacts, for all solvers with a neighbour list.

`boundary_contacts` and `pair_contacts` go through the candidates of one row. They find the geometry of a candidate, ask
the solver whether it is near enough, drop edges of boundaries that another element covers (`seams`), and hand the rest
to the solver, which makes its own record of it. What a solver is told of a contact, beside its slot in the list:

    contact of rows i and j    vector d from i to j [m] and d²; normal d/|d|, gap |d| - r_i - r_j
    contact of a boundary      gap [m], in `out` the normal to the grain and the velocity of the surface, the element
                               (its material, its angular velocity)

What the solvers make of it:

    moreau      normal, gap, coefficients, effective masses, velocity of approach, warm start (`problem.CONTACT`)
    soft        forces at once, nothing is kept; the same contacts between steps as a sample for the record
    unilateral  normal, gap, coefficients, approach (`unilateral.data.CORRECTED`), within two different reaches
    events      normal, gap, coefficients (`event_driven.contacts.TOUCH`); at each event all grains and elements are
                candidates, and an edge that is about to be covered is no contact

This module is a template like `nonsmooth.stepping`. A solver gives a `Decisions` to `compile_gather`; the loops are
compiled with these functions in place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from granum.base.kernels import Floats, Records, inlined, instance
from granum.base.space import displacement
from granum.contact.seams import at_edge, covering
from granum.grains.geometry.elements import Boundaries
from granum.grains.geometry.surfaces import touch_in_place
from granum.grains.search.neighbour_list import Neighbours
from granum.state.table import R, X, Y, Z


@inlined
def covered_now(i: int, k: int, begin: int, end: int, distance: float, x: Floats, state: Any, near: Neighbours,
                elements: Records, out: Floats) -> int:
    """The slot of the element that covers an edge where the grain is; -1 if none does."""
    return covering(k, begin, end, near.wall_element, elements, x[i, X], x[i, Y], x[i, Z], x[i, R], distance, out)


class Decisions(NamedTuple):
    """What a solver says about candidates, each a compiled function.

    All are told the slab s, the row i, the slot k in the list of pairs or of boundaries, and the groups of arrays that
    the gather was called with: the state, the neighbour list, boundaries, coefficients, work space, and the step.
    """

    far_from_boundary: Callable[..., Any]
    """(s, i, k, gap, state, near, boundaries, law, work, step, out): is it too far to be a contact?"""
    leave_boundary: Callable[..., Any]
    """(s, i, k, state, near, boundaries, law, work, out): there is no contact with it."""
    cover: Callable[..., Any]
    """(s, i, k, over, state, near, boundaries, law, work, out): its edge is covered by the element in slot `over`."""
    add_boundary: Callable[..., Any]
    """(carry, s, i, k, gap, state, near, boundaries, law, work, step, out): a contact; returns what is carried on."""
    far_apart: Callable[..., Any]
    """(i, j, dx, dy, dz, d2, state, work, step): are the two rows too far from each other to be a contact?"""
    leave_pair: Callable[..., Any]
    """(s, i, j, k, state, near, law, work, out): they are none."""
    add_pair: Callable[..., Any]
    """(carry, s, i, j, k, dx, dy, dz, d2, state, near, law, work, step, out): a contact; returns what is carried on."""
    covered: Callable[..., Any] = covered_now
    """(i, k, begin, end, distance, x, state, near, elements, out): the slot that covers its edge, -1 if none does."""


def _undecided(*arguments: Any) -> Any:
    """In the place of a decision until a solver has taken it."""
    raise NotImplementedError


far_from_boundary = leave_boundary = cover = add_boundary = far_apart = leave_pair = add_pair = covered = _undecided


def boundary_contacts(carry: Any, s: int, i: int, x: Floats, state: Any, near: Neighbours, boundaries: Boundaries,
                      law: Any, work: Any, step: Any, out: Floats) -> Any:
    """All contacts of row i with boundaries; returns what the solver carries on from contact to contact.

    Args:
        x: positions and radii of the rows.
        out: (OUT,): what `touch` writes to.
    """
    elements, begin, end = boundaries.element, near.wall_first[i], near.wall_first[i + 1]
    for k in range(begin, end):
        element = elements[near.wall_element[k]]
        distance = touch_in_place(element, x[i, X], x[i, Y], x[i, Z], out)
        gap = distance - x[i, R]
        if far_from_boundary(s, i, k, gap, state, near, boundaries, law, work, step, out):
            leave_boundary(s, i, k, state, near, boundaries, law, work, out)
            continue
        if at_edge(element, out):
            over = covered(i, k, begin, end, distance, x, state, near, elements, out)
            if over >= 0:
                cover(s, i, k, over, state, near, boundaries, law, work, out)
                continue
        carry = add_boundary(carry, s, i, k, gap, state, near, boundaries, law, work, step, out)
    return carry


def pair_contacts(carry: Any, s: int, i: int, x: Floats, state: Any, near: Neighbours, law: Any, work: Any, step: Any,
                  out: Floats) -> Any:
    """All contacts of row i with rows that come later; returns what the solver carries on from contact to contact."""
    for k in range(near.first[i], near.first[i + 1]):
        j = near.other[k]
        # read anew each time: a contact may have moved row i
        dx, dy, dz = displacement(x[i, X], x[i, Y], x[i, Z], x[j, X], x[j, Y], x[j, Z])
        d2 = dx * dx + dy * dy + dz * dz
        if far_apart(i, j, dx, dy, dz, d2, state, work, step):
            leave_pair(s, i, j, k, state, near, law, work, out)
            continue
        carry = add_pair(carry, s, i, j, k, dx, dy, dz, d2, state, near, law, work, step, out)
    return carry


def compile_gather(decisions: Decisions, file: str, name: str) -> tuple[Any, Any]:
    """`boundary_contacts` and `pair_contacts` with the decisions of a solver.

    Args:
        file: the solver's file, which the compiled code is kept for.
        name: of the solver; two may not have the same.
    """
    scope = {**globals(), **decisions._asdict(), "__file__": file}
    return (inlined(instance(boundary_contacts, scope, name)), inlined(instance(pair_contacts, scope, name)))
