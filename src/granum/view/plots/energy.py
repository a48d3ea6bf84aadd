"""Energy: where it is, what did work, and the error of the balance."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from granum.run import Run
from granum.view import style
from granum.view.plots.choosing import title
from granum.view.plots.registry import plot

_MOST_WORKS = 6
"""Works in one panel, beside the kinetic and the potential energy."""


@plot()
def energy(run: Run) -> Figure:
    """Energy, work of loads and contacts, and error of the energy balance over time."""
    balance = run.energy
    lifted = balance.potential - balance.potential[0]
    # what the potential energy tells already is not drawn again as work
    works = {name: values for name, values in balance.work.items()
             if np.any(values) and not np.allclose(values, -lifted, rtol=1e-6, atol=1e-9 * float(balance.scale[-1]))}
    largest = sorted(works, key=lambda name: -float(np.abs(works[name]).max()))[:_MOST_WORKS]
    note = f"the {_MOST_WORKS} largest of {len(works)} work terms" if len(works) > _MOST_WORKS else ""
    labels = ["energy [J]", "energy error / largest energy [-]"][: 2 if balance.complete else 1]
    heading = title(run, "energy balance" if balance.complete else "energy", note)
    drawn, (top, *below) = style.over_time(heading, *labels)
    top.plot(run.t, balance.kinetic, label="kinetic")
    top.plot(run.t, lifted, label="change of potential")
    for name in (name for name in works if name in largest):
        top.plot(run.t, works[name], "--", linewidth=1.0, label=f"work of {name}")
    for bottom in below:  # none where the error is not known
        style.semilog(bottom, run.t, balance.relative_error, color=style.COLOURS[6], label="error")
        for name, values in balance.corrected.items():
            if np.any(values):
                style.semilog(bottom, run.t, balance.relative(values), label=f"{name} corrections")
        style.say_zero(bottom)
    style.legends((top, *below))
    return drawn
