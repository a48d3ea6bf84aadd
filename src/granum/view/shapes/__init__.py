"""Shapes of boundaries, bodies, joints and surfaces: outlines for pictures, meshes for films and the page."""
