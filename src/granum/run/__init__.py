"""Simulate: a scene becomes a run, recorded frame by frame; and what a scene is, in words."""

from granum.run.result import Run, open_run
from granum.run.simulate import simulate

__all__ = ["Run", "open_run", "simulate"]
