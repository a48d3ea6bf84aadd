"""Pictures of runs. They are drawn from run files and scenes, never from a solver."""

from granum.view.plots.catalogue import draw

__all__ = ["draw"]
