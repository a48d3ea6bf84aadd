"""Plots of runs: a figure for each question."""
