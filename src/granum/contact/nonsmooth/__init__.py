"""Rigid steps: the solver `moreau`."""
