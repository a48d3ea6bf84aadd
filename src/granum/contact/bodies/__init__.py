"""Rigid bodies among grains: clumps of disks or balls, single grains beside them, and bodies that only carry walls."""
