"""How well constraints hold: links, rows of formulas, joints of mechanisms and among grains."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from granum.base.kernels import Floats
from granum.run import Run
from granum.view import style
from granum.view.plots.choosing import chosen, title
from granum.view.plots.registry import plot

_LABELS = {"relative": "relative error [-]", "distance": "distance [m]", "angle": "angle [rad]",
           "rate": "rate [m/s or rad/s]"}


@plot("constraints", needs="links, constraints or joints")
def constraint_errors(run: Run, *names: str) -> Figure:
    """Errors of links, joints or constraints and their rates over time."""
    if run.has.coordinates:
        return _of_rows(run, names)
    errors = run.constraint_errors
    recorded = [name for name in _LABELS if np.isfinite(getattr(errors, name)).all()]
    drawn, panels = style.over_time(title(run, "largest constraint errors"),
                                    *(_LABELS[name] for name in recorded), height=1.9)
    for panel, name in zip(panels, recorded, strict=True):
        style.semilog(panel, run.t, getattr(errors, name), color=style.COLOURS[0])
        style.say_zero(panel)
    return drawn


def _of_rows(run: Run, names: Sequence[str]) -> Figure:
    """The largest error of each constraint of a system of formulas: values above, rates below."""
    rows: list[str] = run.metadata["rows"]
    owners = list(dict.fromkeys(name.partition(".")[0] for name in rows))
    shown, note = chosen(owners, names, "constraint")
    drawn, panels = style.over_time(title(run, "constraint errors", note), "largest |φ| of a constraint [SI]",
                                    "largest |dφ/dt| [SI/s]")
    for k, owner in enumerate(shown):
        errors = [run.row_errors(name) for name in rows if name.partition(".")[0] == owner]
        for panel, values in zip(panels, zip(*errors, strict=True), strict=True):
            largest: Floats = np.abs(np.array(values)).max(axis=0)
            if np.any(largest):
                style.semilog(panel, run.t, largest, label=owner, color=style.COLOURS[k])
    for panel in panels:
        style.say_zero(panel)
    style.legends(panels)
    return drawn
