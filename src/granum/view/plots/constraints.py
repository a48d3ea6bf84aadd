"""How well constraints hold: links, rows of formulas, joints of mechanisms and among grains."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from granum.base.kernels import Floats
from granum.run import Run
from granum.run.grain_result import GrainRun
from granum.run.mechanism_result import MechanismRun
from granum.view import style
from granum.view.plots.choosing import chosen, title


def has_constraints(run: Run) -> bool:
    """Is anything held in this run, apart from contacts of grains?"""
    if isinstance(run, GrainRun):
        return "joint_error" in run.figures
    if run.by_formulas:
        return bool(run.metadata["rows"])
    return bool(len(run.link_names))


def constraint_errors(run: Run, *names: str) -> Figure:
    """How far links, joints or constraints are off, and how fast; of formulas those named."""
    if run.by_formulas:
        return _of_rows(run, names)
    drawn, panels = style.figure(2, sharex=True, height=2.4)
    labels, columns = _recorded(run)
    for panel, label, values in zip(panels[:, 0], labels, columns, strict=True):
        style.semilog(panel, run.t, values, color=style.COLOURS[0])
        style.say_zero(panel)
        panel.set(ylabel=label)
    panels[0, 0].set(title=title(run, "constraint errors, the largest of all"))
    panels[1, 0].set(xlabel="time [s]")
    return drawn


def _recorded(run: Run) -> tuple[tuple[str, str], tuple[Floats, Floats]]:
    """What is recorded of the errors, with units."""
    if isinstance(run, GrainRun):
        return (("joints apart [m]", "joints turned [rad]"),
                (run.figures["joint_error"], run.figures["joint_turn"]))
    errors = run.constraint_errors
    if isinstance(run, MechanismRun):
        return ("joints off [m or rad]", "their rate [m/s or rad/s]"), (errors[:, 0], errors[:, 1])
    return ("link length off, part of it [-]", "rate of a length [m/s]"), (errors[:, 0], errors[:, 1])


def _of_rows(run: Run, names: Sequence[str]) -> Figure:
    """The largest error of each constraint of a system of formulas: values above, rates below."""
    rows: list[str] = run.metadata["rows"]
    owners = list(dict.fromkeys(name.partition(".")[0] for name in rows))
    shown, note = chosen(owners, names, "constraint")
    drawn, panels = style.figure(2, sharex=True)
    top, bottom = panels[:, 0]
    for k, owner in enumerate(shown):
        errors = [run.row_errors(name) for name in rows if name.partition(".")[0] == owner]
        for panel, values in zip((top, bottom), zip(*errors, strict=True), strict=True):
            largest: Floats = np.abs(np.array(values)).max(axis=0)
            if np.any(largest):
                style.semilog(panel, run.t, largest, label=owner, color=style.COLOURS[k])
    top.set(ylabel="largest |φ| of a constraint [SI]", title=title(run, "constraint errors", note))
    bottom.set(xlabel="time [s]", ylabel="largest |dφ/dt| [SI/s]")
    for panel in (top, bottom):
        style.say_zero(panel)
    style.legends((top, bottom))
    return drawn
