"""A scene compiled to arrays: the constant PointSystem and the changing PointState."""

from granum.assembly.points.collect import PointArrays
from granum.assembly.points.point_system import PointState, PointSystem, compile_points

__all__ = ["PointArrays", "PointState", "PointSystem", "compile_points"]
