"""Rigid bodies with joints as arrays, in the plane and in space: newton-euler, solved sparsely along the graph."""
