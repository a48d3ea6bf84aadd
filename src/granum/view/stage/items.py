"""What is seen on a stage, as plain arrays: lengths in m, always with three components (z = 0 in 2-D)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints
from granum.view.shapes.meshes import Mesh


def spread(count: int, samples: int) -> list[int]:
    """Some of so many frames, spread over all of them, the first and the last included."""
    return [int(k) for k in np.unique(np.linspace(0, count - 1, samples).astype(int))]


class Balls(NamedTuple):
    """Grains, parts of clumps, spheres, disks and point masses of a frame."""

    positions: Floats
    """(n, 3) [m]"""
    radii: Floats
    """(n,) [m]; points have one that suits the picture."""
    orientations: Floats | None
    """(n, 4) quaternions (w, x, y, z) from body axes to inertial axes; None where none is recorded."""
    numbers: Ints
    """(n,) who is who, over frames."""
    kinds: Ints
    """(n,) place in `Stage.kinds`."""
    bodies: Ints
    """(n,) place of the body that each is part of."""


class Solid(NamedTuple):
    """What is drawn as a mesh: rods, blocks, shells, joints, boundaries, surfaces."""

    name: str
    kind: str
    """"body", "joint" or "boundary"."""
    mesh: Mesh
    moves: bool
    """Does its pose change over frames?"""


class Arrows(NamedTuple):
    """Reactions: what joints, contacts and links do to their second end."""

    origins: Floats
    """(k, 3) [m]"""
    vectors: Floats
    """(k, 3) [N]"""
    names: tuple[str, ...]


class Chains(NamedTuple):
    """Contact forces, from centre to centre, or to the contact at a boundary."""

    starts: Floats
    """(c, 3) [m]"""
    ends: Floats
    """(c, 3) [m]"""
    forces: Floats
    """(c,) magnitudes [N]"""
    pairs: Ints
    """(c, 2) places of the two balls; the second is -1 at a boundary."""


class Quantity(NamedTuple):
    """What balls can be coloured by."""

    label: str
    unit: str
    discrete: bool


class Series(NamedTuple):
    """A figure of each frame."""

    label: str
    unit: str
    values: Floats
    """(frames,)"""
