"""Geometry: how far points are from boundaries, and what regions hold."""
