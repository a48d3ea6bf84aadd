"""Regions of plane and space: which points are inside, how much room there is, what of a grain is in them."""

from granum.grains.geometry.regions import box, cylinder, half_space, round  # noqa: F401  (each registers itself)
from granum.grains.geometry.regions.region import Geometry, geometry_for, geometry_of

__all__ = ["Geometry", "geometry_for", "geometry_of"]
