"""The links of a system as rows of H."""

from __future__ import annotations

from typing import NamedTuple

from granum.base.kernels import Floats, Ints


class LinkGraph(NamedTuple):
    """Which bodies each link joins, and their inverse masses: with the directions of the links, all that H needs."""

    weight: Floats
    """Inverse mass of each body [1/kg]; zero for fixed points."""
    tail: Ints
    head: Ints
