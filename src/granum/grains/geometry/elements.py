"""Elements of boundaries as kernels see them: one record for the geometry of each, one for its prescribed motion.

Points and directions move with the boundary, lengths do not: `motion` needs to know no more about a kind.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats, Ints, Records

PLANE, BALL, SEGMENT, ARC, FACET, TUBE, RING, ROD, SURFACE = range(9)
"""Kinds of elements, and their points, directions (of unit length) and lengths:

    PLANE    point; normal                                           solid behind the normal
    BALL     centre; -; R                                            solid inside, or outside for R < 0
    SEGMENT  ends a and b; direction a → b, normal; length
    ARC      centre, ends a and b; to the middle; R, cosine of half of its angle
    FACET    four corners; normal; number of corners (3 or 4)
    TUBE     point of the axis; axis, a direction across; R          solid inside, or outside for R < 0; without end
    RING     point of the axis; axis, a direction across; ρ, h of the profile's beginning, its direction, length
    ROD      middle; axis, a direction across; R, half length        solid inside
    SURFACE  origin; axes of the formula's coordinates               solid where Γ < 0

A RING is the surface a straight profile in distance ρ from and height h along the axis makes when it rotates about the
axis: an open cylinder, a cone, a disc.
"""
POINTS = (1, 1, 2, 3, 4, 1, 1, 1, 1)
"""Points of each kind."""
DIRECTIONS = (1, 0, 2, 1, 1, 2, 2, 2, 3)
"""Directions of each kind."""

NX, NY, NZ, UX, UY, UZ, PX, PY, PZ, GAMMA, G_X, G_Y, G_Z, H_XX, H_XY, H_XZ, H_YY, H_YZ, H_ZZ, FORMULA, EDGE = range(21)
"""What `surfaces.touch` writes: normal, velocity of the surface [m/s]; then scratch for implicit surfaces: a point, Γ
there, its gradient and its second derivatives, the address of the code that computes them; and for all but planes
where the nearest point is: INSIDE the face, on it AT_EDGE, or on an edge with the point BEYOND it."""
INSIDE, AT_EDGE, BEYOND = 0.0, 1.0, 2.0
"""Of a nearest point: on an edge another element may go on; seen from beyond it, the normal is not that of the face."""
DISTANCE = GAMMA
"""Where the distance from an implicit surface is left."""
OUT = 21
"""Length of the array that `touch` writes to."""

ELEMENT = np.dtype([
    ("kind", np.int64),
    ("nearest", np.int64),  # of an implicit surface: address of the code that finds its nearest point; 0 otherwise
    ("formula", np.int64),  # and of the code of its formula
    ("material", np.int64),  # its number, -1 for that of the grain
    ("velocity", np.float64, 3),  # A [m/s] and
    ("angular_velocity", np.float64, 3),  # Ω [rad/s]: a point p of the surface moves with A + Ω × p
    ("accelerates", np.int64),  # 1 where one of the following three is not zero; `motion.accelerate_elements` sets them
    ("gain", np.float64, 3), ("mean_gain", np.float64, 3),  # change of A by the end of a step, its mean over it [m/s]
    ("turning", np.float64, 3),  # Ω of an element whose normals turn with it, 0 for one that turns into itself [rad/s]
    ("point", np.float64, (4, 3)), ("direction", np.float64, (3, 3)), ("length", np.float64, 5),
], align=True)
"""An element: where it is, and how it moves there."""

MOTION = np.dtype([
    ("kind", np.int64),  # REST, SLIDES or TURNS
    ("velocity", np.float64, 3), ("amplitude", np.float64, 3),
    ("frequency", np.float64),  # 2π f [rad/s]
    ("phase", np.float64), ("angular_velocity", np.float64, 3), ("centre", np.float64, 3),
    ("begin", np.float64), ("end", np.float64),
], align=True)
"""A prescribed motion: D = V τ + a sin(2π f t + φ), and a rotation by Ω τ about a centre."""
REST, SLIDES, TURNS = range(3)
"""Kinds of motion: none; without rotation, or a rotation into itself; with rotation."""


class Boundaries(NamedTuple):
    """All elements of a scene, as kernels take them."""

    element: Records
    """(E,) ELEMENT, as they are now."""
    home: Records
    """(E,) ELEMENT, before any motion."""
    motion: Records
    """(E,) MOTION."""
    reach: Floats
    """(E,): largest distance of a point of the element from the axis it rotates about, ∞ without end [m]."""
    body: Ints
    """(E,): row of the body that each belongs to, -1 for none."""
    own: Records
    """(E,) ELEMENT of those that belong to a body, in its axes from its mass centre."""
    span: Floats
    """(E,): largest distance of a point of such an element from the mass centre, ∞ without end [m]."""
    shift: Floats
    """(E,): room for how far each has moved [m]."""
