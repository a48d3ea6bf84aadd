"""How long a neighbour list is valid: until grains or boundaries have moved by its skin."""

from __future__ import annotations

from typing import NamedTuple

from granum.base.kernels import kernel
from granum.grains.geometry.elements import Boundaries
from granum.grains.geometry.motion import moved_distance


class Validity(NamedTuple):
    """What a neighbour list allows."""

    allowed: float
    """Distance that a grain may move [m]."""
    built_t: float
    """Time at which it was built [s]."""
    extent: float
    """Largest distance of a grain from the origin [m], where boundaries move."""


@kernel
def is_outdated(validity: Validity, farthest: float, bounds: Boundaries, t: float) -> bool:
    """Have grains moved by up to `farthest` [m] since, and boundaries by what their motion says, too far at time t?"""
    shift = moved_distance(bounds.motion, bounds.reach, validity.extent, validity.built_t, t, bounds.shift)
    # a move that is no number is not within what is allowed either
    return not farthest + 0.5 * shift <= validity.allowed
