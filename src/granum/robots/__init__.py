"""Robots from URDF and MJCF files as scenes."""
