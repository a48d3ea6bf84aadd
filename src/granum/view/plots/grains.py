"""Pictures of runs of grains: at an instant, with force chains, before and after."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from granum.run import Run
from granum.view.pictures.grains import before_and_after, picture, snapshot
from granum.view.plots.registry import plot


@plot("grains")
def grains(run: Run, frame: int = -1, colour: str = "speed") -> Figure:
    """Grains and boundaries in a frame, coloured by speed, size or force."""
    return picture(snapshot(run, frame), run.scene, colour=colour)


@plot("contacts", needs="grains with recorded contacts")
def forces(run: Run, frame: int = -1) -> Figure:
    """Force chains in a frame, line width by contact force, and the arch of a jam."""
    return picture(snapshot(run, frame), run.scene, colour="none", forces=True)


@plot("grains")
def before_after(run: Run, colour: str = "speed") -> Figure:
    """First and last frame, one above the other; for a jammed flow with force chains."""
    before, after = snapshot(run, int(np.argmax(run.counts > 0))), snapshot(run, -1)
    return before_and_after(before, after, run.scene, colour=colour, forces=after.arched is not None)
