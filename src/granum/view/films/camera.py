"""A camera that sees everything as large as its picture allows."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from granum.base.kernels import Floats

_HALF = math.tan(math.radians(14.0))
"""Half the height of the picture at a distance of 1."""
_AROUND = math.radians(-58.0)
"""From where it looks, about the vertical."""


class Camera(NamedTuple):
    """Where the eye is, where it looks, and how far 1 is in the picture at a distance of 1 [pixels]."""

    eye: Floats
    """(3,) [m]"""
    axes: Floats
    """(3, 3): right, down and forward, as rows."""
    focal: float

    def seen(self, points: Floats) -> Floats:
        """(..., 3) points in the axes of the camera."""
        coordinates: Floats = (points - self.eye) @ self.axes.T
        return coordinates

    def directions(self, vectors: Floats) -> Floats:
        """(..., 3) directions in the axes of the camera."""
        components: Floats = vectors @ self.axes.T
        return components


def camera_of(points: Floats, size: tuple[int, int]) -> Camera:
    """See all points (n, 3) from the front and above; from higher up where they are flat."""
    extent = np.ptp(points, axis=0)
    extent = np.maximum(extent, 1e-9 * float(extent.max()))
    flat = 1.0 - min(1.0, float(extent[2] / max(extent[0], extent[1])))
    raised = math.radians(14.0 + 22.0 * flat)
    back = np.array([math.cos(raised) * math.cos(_AROUND), math.cos(raised) * math.sin(_AROUND), math.sin(raised)])
    return looking(points, back, size, _HALF)


def looking(points: Floats, back: Floats, size: tuple[int, int], half_angle: float) -> Camera:
    """See all points (n, 3) from a direction.

    Args:
        back: unit vector from the points to the eye, not vertical.
        half_angle: tangent of half the angle that the height of the picture covers; small ones come near to a parallel
            projection.
    """
    width, height = size
    right = np.cross([0.0, 0.0, 1.0], back)
    right /= np.linalg.norm(right)
    axes = np.array([right, -np.cross(back, right), -back])
    half = np.array([half_angle * width / height, half_angle])
    target, distance = 0.5 * (points.min(axis=0) + points.max(axis=0)), 0.0
    for _ in range(8):  # the middle of what is seen is not the middle of the box: what is near is larger
        a = (points - target) @ axes.T
        distance = float((np.abs(a[:, :2]) / half - a[:, 2:]).max())
        seen = a[:, :2] / (a[:, 2:] + distance)
        target = target + 0.5 * distance * (seen.max(axis=0) + seen.min(axis=0)) @ axes[:2]
    return Camera(target + distance * back, axes, 0.5 * height / half_angle)
