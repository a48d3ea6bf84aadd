"""Plots and reports of studies."""
