"""Energy: where it is, what did work, and what nothing accounts for."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from granum.run import Run
from granum.run.grain_result import GrainRun
from granum.run.grain_summary import turned_over
from granum.view import style
from granum.view.plots.choosing import title

_MOST_WORKS = 6
"""Works in one panel, beside the kinetic and the potential energy."""


def energy(run: Run) -> Figure:
    """Where the energy went, and what nothing accounts for."""
    found = run.energy
    scale, meaning = (turned_over(run), "turned over") if isinstance(run, GrainRun) else (found.scale, "as a unit")
    drawn, panels = style.figure(2, sharex=True)
    top, bottom = panels[:, 0]
    lifted = found.potential - found.potential[0]
    top.plot(run.t, found.kinetic, label="kinetic")
    top.plot(run.t, lifted, label="potential, gained")
    # what the potential energy tells already is not drawn again as work
    works = {name: values for name, values in found.work.items()
             if np.any(values) and not np.allclose(values, -lifted, rtol=1e-6, atol=1e-9 * scale)}
    largest = sorted(works, key=lambda name: -float(np.abs(works[name]).max()))[:_MOST_WORKS]
    for name in (name for name in works if name in largest):
        top.plot(run.t, works[name], "--", linewidth=1.0, label=f"work of {name}")
    note = f"{_MOST_WORKS} of {len(works)} works shown" if len(works) > _MOST_WORKS else ""
    top.set(ylabel="energy [J]", title=title(run, "energy ledger", note))
    style.semilog(bottom, run.t, found.error / scale, color=style.COLOURS[6], label="not accounted for")
    for name, values in found.corrected.items():
        if np.any(values):
            style.semilog(bottom, run.t, values / scale, label=f"{name} corrections")
    bottom.set(xlabel="time [s]", ylabel=f"part of {scale:.3g} J {meaning} [-]")
    style.say_zero(bottom)
    style.legends((top, bottom))
    return drawn
