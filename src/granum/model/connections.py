"""Connections: what holds bodies together."""

from __future__ import annotations

from granum.model.quantities import Ends, Entry, Length


class Link(Entry):
    """A rigid massless rod between two bodies, |r_i - r_j| = length (002 eq 2.1); it pulls and pushes."""

    between: Ends
    """The two bodies; the link points from the first to the second."""
    length: Length | None = None
    """Length [m]; left out, it is the distance at the start."""
